"""What goes on over several days is told once, with its days."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from itertools import count
from zoneinfo import ZoneInfo

import pytest

from memory.levels.composing import by_day, day_text, days_text, selected
from memory.levels.matters import Outcome, outcome, with_patterns
from memory.records import Note, NoteKind
from memory.rules.text import length

ZONE = ZoneInfo("Europe/Tallinn")
MONDAY = datetime(2026, 11, 2, 17, 0, tzinfo=UTC)  # seven in the evening there
_ids = count(1)


def note(text: str, day: int = 0, kind: NoteKind = NoteKind.EVENT, **more: object) -> Note:
    number = next(_ids)
    values = {
        "note_id": number,
        "user_id": 1,
        "weight": 1,
        "at": MONDAY + timedelta(days=day),
        "evidence": (1000 + number,),
        "evidence_by": (1,),
        **more,
    }
    return Note(guild_id=9, audience=0, kind=kind, text=text, **values)  # type: ignore[arg-type]


def told(notes: list[Note]) -> str:
    return days_text(by_day(with_patterns(notes, ZONE), ZONE), 1)


def test_what_comes_back_is_a_pattern_with_its_days() -> None:
    """Seed 003's own example: "Going to the gym after work" on six days is told once, and rests on all six."""
    notes = [note("goes to the gym after work", day) for day in range(5)]
    notes.append(note("goes to the gym after work to clear her head", 5))
    notes.append(note("works late", 5))

    pattern, _ = with_patterns(notes, ZONE)

    assert pattern.text == "goes to the gym after work (most evenings, 2026-11-02 to 2026-11-07)"
    assert set(pattern.note_ids) == {each.note_id for each in notes[:-1]}
    assert set(pattern.evidence) == {message for each in notes[:-1] for message in each.evidence}
    assert pattern.weight == 2  # what comes back matters more


@pytest.mark.parametrize(
    ("days", "hours", "often"),
    [
        ((0, 1, 2), 0, "(on 3 evenings, 2026-11-02 to 2026-11-04)"),
        ((0, 2, 4), -9, "(on 3 mornings, 2026-11-02 to 2026-11-06)"),
        ((0, 1, 2, 3), -4, "(most afternoons, 2026-11-02 to 2026-11-05)"),
        ((1, 2, 3), 6, "(on 3 nights, 2026-11-04 to 2026-11-06)"),
        ((1, 2, 3), -2, "(on 3 evenings, 2026-11-03 to 2026-11-05)"),  # five in the afternoon is evening
        ((1, 2, 3), -2.01, "(on 3 afternoons, 2026-11-03 to 2026-11-05)"),
        ((1, 2, 3), -7, "(on 3 afternoons, 2026-11-03 to 2026-11-05)"),  # noon
        ((1, 2, 3), -7.01, "(on 3 mornings, 2026-11-03 to 2026-11-05)"),
        ((1, 2, 3), -14, "(on 3 mornings, 2026-11-03 to 2026-11-05)"),  # five in the morning
        ((1, 2, 3), -14.01, "(on 3 nights, 2026-11-03 to 2026-11-05)"),
        ((1, 2, 3), 4.99, "(on 3 evenings, 2026-11-03 to 2026-11-05)"),  # a minute to midnight
    ],
)
def test_a_pattern_says_how_often_and_when(days: tuple[int, ...], hours: float, often: str) -> None:
    """The time of the day is the guild's; most days are four of the six."""
    (pattern,) = with_patterns([note("bakes rye bread", day, at=_at(day, hours)) for day in days], ZONE)

    assert pattern.text == f"bakes rye bread {often}"


def test_a_pattern_weighs_three_at_the_most() -> None:
    """Of the heaviest of its notes one more."""
    notes = [note("bakes rye bread", day, weight=weight) for day, weight in enumerate((1, 3, 2))]
    assert [each.weight for each in with_patterns(notes, ZONE)] == [3]


def test_at_different_times_a_pattern_has_days() -> None:
    """Mornings and evenings are days."""
    notes = [note("bakes rye bread", day, at=_at(day, hours)) for day, hours in ((0, 0), (1, -9), (2, 0))]

    assert with_patterns(notes, ZONE)[0].text == "bakes rye bread (on 3 days, 2026-11-02 to 2026-11-04)"


def _at(day: int, hours: float) -> datetime:
    return MONDAY + timedelta(days=day, hours=hours)


@pytest.mark.parametrize(
    "notes",
    [
        [note("goes to the gym after work", day) for day in (0, 1, 1)],
        [note(f"helped <@{other}> fix the old boiler", day, people=(other,)) for day, other in enumerate((2, 3, 4))],
        [note(f"ran {km} km along the river", day) for day, km in enumerate((5, 7, 9))],
        [note(f"asks how to install {what}", day) for day, what in enumerate(("java drivers", "quake mods", "wine"))],
        [
            note("fixes the boiler", day, kind)
            for day, kind in enumerate((NoteKind.PROBLEM, NoteKind.PLAN, NoteKind.EVENT))
        ],
        [note("fixes the boiler pump", day, user_id=user) for day, user in enumerate((1, 2, 3))],
        [note("fixes the boiler pump", day, superseded_by=99 * (day == 1) or None) for day in range(3)],
        [note("plays", day) for day in range(3)],
        [note(f"ate {food} for dinner at home", day) for day, food in enumerate(("pizza", "sushi", "pasta"))],
        [note(f"went running with {name} in the park", day) for day, name in enumerate(("Boris", "Clara", "Dora"))],
        [note(f"{how} on the bakery website", day) for day, how in enumerate(("works", "doesn't work", "never works"))],
        [note(f"plays chess online{more}", day) for day, more in enumerate(("", "", " all night and wins the cup"))],
        [note("restarted the router box", day, superseded_by=None) for day in range(2)]
        + [note("cannot reach the wifi", 0, NoteKind.PROBLEM, superseded_by=10**6)]
        + [note("restarted the router box", 2, note_id=10**6)],
        [note("moved to the new server", day, NoteKind.CHANNEL, user_id=None, channel_id=day) for day in range(3)],
    ],
    ids=[
        "two days",
        "people",
        "numbers",
        "things",
        "kinds",
        "members",
        "ended",
        "one word",
        "food",
        "names",
        "not",
        "more",
        "ending",
        "channels",
    ],
)
def test_what_only_looks_alike_is_no_pattern(notes: list[Note]) -> None:
    """Who it was with, how much it was and what it was about stay apart."""
    assert with_patterns(notes, ZONE) == notes


def test_what_is_no_part_of_a_pattern_stays() -> None:
    """Everything else of these days is told as before."""
    notes = [note("goes to the gym after work", day) for day in range(3)] + [note("sold the old piano", 1)]

    assert told(notes) == (
        "2026-11-03: sold the old piano. "
        "2026-11-04: goes to the gym after work (on 3 evenings, 2026-11-02 to 2026-11-04)."
    )


def test_a_matter_is_told_once_with_what_came_of_it() -> None:
    """A problem stands before its answer, on the day it began; what stands between them is told for itself."""
    fixed = note("downgraded the driver with <@2>'s help", 2, NoteKind.OUTCOME)
    drops = note("wifi drops after suspend.", 0, NoteKind.PROBLEM, superseded_by=fixed.note_id)
    other = note("sold the old piano", 1)

    assert told([fixed, other, drops]) == (
        "2026-11-02: wifi drops after suspend → outcome 2026-11-04: downgraded the driver with <@2>'s help. "
        "2026-11-03: sold the old piano."
    )
    assert day_text([fixed, drops], 1) == "wifi drops after suspend → outcome: downgraded the driver with <@2>'s help."


def test_a_plan_is_followed_through_the_week() -> None:
    """Each step has its day, and the last says if it was ended by something that is not told."""
    moved = note("moves house on Sunday", 4, NoteKind.PLAN, superseded_by=10_000)
    put_off = note("moves house on Saturday", 2, NoteKind.PLAN, superseded_by=moved.note_id)
    plan = note("moves house on Friday", 0, NoteKind.PLAN, superseded_by=put_off.note_id)

    assert told([plan, put_off, moved]) == (
        "2026-11-02: moves house on Friday → 2026-11-04: moves house on Saturday → "
        "2026-11-06: moves house on Sunday (since then changed)."
    )


def test_moods_follow_each_other() -> None:
    """How a mood moved over the week is one sentence, however many moods there were."""
    moods = [
        note(text, day, NoteKind.MOOD) for day, text in ((0, "dreads the exam"), (3, "is calmer"), (3, "is proud"))
    ]

    assert told(moods) == "2026-11-02: dreads the exam → 2026-11-05: is calmer → then: is proud."


def test_matters_of_two_members_stay_apart() -> None:
    """What somebody else's note ended says that it was, and the other stands for itself."""
    theirs = note("fixed <@1>'s driver", 0, NoteKind.OUTCOME, user_id=2, at=_at(0, 1))
    mine = note("wifi drops", 0, NoteKind.PROBLEM, superseded_by=theirs.note_id)

    assert day_text([mine, theirs], 1) == "wifi drops (since then answered). <@2> fixed <@1>'s driver."


def test_of_several_problems_with_one_end_the_last_leads_to_it() -> None:
    """The others say that they were answered."""
    fixed = note("replaced the power supply", 1, NoteKind.OUTCOME)
    first = note("fan is loud", 0, NoteKind.PROBLEM, superseded_by=fixed.note_id)
    second = note("screen stays black", 0, NoteKind.PROBLEM, superseded_by=fixed.note_id)

    assert told([first, second, fixed]) == (
        "2026-11-02: fan is loud (since then answered). "
        "screen stays black → outcome 2026-11-03: replaced the power supply."
    )


@pytest.mark.parametrize(
    ("kind", "newer_kind", "text", "found"),
    [
        (NoteKind.PROBLEM, NoteKind.OUTCOME, "fixed it", Outcome.ENDED),
        (NoteKind.TRIED, NoteKind.OUTCOME, "fixed it", Outcome.ENDED),
        (NoteKind.PROBLEM, NoteKind.EVENT, "sold the machine", Outcome.CHANGED),
        (NoteKind.QUESTION, NoteKind.ADVICE, "use apt", Outcome.ANSWERED),
        (NoteKind.PLAN, NoteKind.OUTCOME, "moved to Oslo", Outcome.CHANGED),
        (NoteKind.PROBLEM, NoteKind.OUTCOME, "gave up on the scanner", Outcome.GIVEN_UP),
        (NoteKind.TRIED, NoteKind.DECISION, "отказался от сканера", Outcome.GIVEN_UP),
        (NoteKind.QUESTION, NoteKind.DECISION, "ya no quiere saber", Outcome.GIVEN_UP),
        (NoteKind.PROBLEM, NoteKind.DECISION, "gave upvotes to all", Outcome.CHANGED),
        (NoteKind.PLAN, NoteKind.OUTCOME, "gave up sugar for good", Outcome.CHANGED),
    ],
)
def test_what_came_of_a_matter(kind: NoteKind, newer_kind: NoteKind, text: str, found: Outcome) -> None:
    """Solved, answered, given up or changed, by what the note that ended it is and how it begins."""
    assert outcome(note("the matter", 0, kind), note(text, 1, newer_kind)) is found


def test_what_is_selected_never_exceeds_its_room() -> None:
    """However its matters are joined."""
    notes = [note(f"is {word} about the exam", day, NoteKind.MOOD) for day, word in enumerate(("sad", "mad", "glad"))]
    for day, thing in enumerate(("boiler", "kettle", "stove", "oven")):
        end = note(f"gave up on the {thing}", day + 1, NoteKind.OUTCOME)
        notes += [end, note(f"{thing} leaks", day, NoteKind.PROBLEM, superseded_by=end.note_id)]

    for limit in range(20, 420):
        text = days_text(by_day(selected(notes, 1, limit, dated=ZONE), ZONE), 1)
        assert length(text) <= limit, limit
