"""A member's notes as text: nothing is lost while it fits; else the notes worth most, no point twice."""

from datetime import UTC, datetime, timedelta
from zoneinfo import ZoneInfo

import pytest

from memory import Note
from memory.levels.composing import (
    by_day,
    day_text,
    days_text,
    filled,
    most_important,
    rank,
    selected,
    sentence,
    shortened,
    within,
)
from memory.levels.history import Wanted, trimmed
from memory.records import NoteKind
from memory.rules.text import length

NOON = datetime(2026, 11, 10, 12, tzinfo=UTC)
ZONE = ZoneInfo("Europe/Berlin")


def note(number: int, text: str, kind: NoteKind = NoteKind.EVENT, **more: object) -> Note:
    values: dict[str, object] = {
        "user_id": 1,
        "weight": 2,
        "at": NOON + timedelta(minutes=number),
        "superseded_by": None,
        "people": (),
        **more,
    }
    return Note(guild_id=9, audience=0, note_id=number, kind=kind, text=text, evidence=(number,), **values)  # type: ignore[arg-type]


def test_sentences_name_whom_they_are_about_and_what_came_of_it() -> None:
    """A note about somebody else names them; an ended one says so; commands keep their letters."""
    assert sentence(note(1, "gcc -I/usr fails"), 1) == "gcc -I/usr fails."
    assert sentence(note(1, "told <@1> to wait!", user_id=2), 1) == "<@2> told <@1> to wait!"
    assert sentence(note(1, "is cold.", NoteKind.PROBLEM, superseded_by=9), 1) == "is cold (since then answered)."
    assert sentence(note(1, "leaves on Friday", NoteKind.PLAN, superseded_by=9), 1).endswith("(since then changed).")


def test_days_are_the_guilds_and_in_order() -> None:
    """Notes by the day of their last evidence in the guild's zone, the oldest first, each day with its date."""
    late = note(2, "two", at=datetime(2026, 11, 9, 23, 30, tzinfo=UTC))
    early = note(1, "one", at=datetime(2026, 11, 9, 22, 30, tzinfo=UTC))

    assert days_text(by_day([late, early], ZONE), 1) == "2026-11-09: one. 2026-11-10: two."
    assert day_text([late, early], 1) == "one. two."


@pytest.mark.parametrize(
    ("better", "worse"),
    [
        ({}, {"superseded_by": 9}),
        ({"weight": 3}, {"weight": 2, "kind": NoteKind.OUTCOME}),
        ({"kind": NoteKind.OUTCOME}, {"kind": NoteKind.PROBLEM}),
        ({"kind": NoteKind.DECISION}, {"kind": NoteKind.ADVICE}),
        ({"kind": NoteKind.PROBLEM}, {"kind": NoteKind.QUESTION}),
        ({"kind": NoteKind.EVENT}, {"kind": NoteKind.MOOD}),
        ({"at": NOON}, {"at": NOON - timedelta(days=1)}),
    ],
)
def test_what_is_told_first(better: dict[str, object], worse: dict[str, object]) -> None:
    """What stands, then weight, then outcomes before problems, then recency."""
    values = {"kind": NoteKind.EVENT}
    one, other = (note(5, "text", **{**values, **more}) for more in (better, worse))  # type: ignore[arg-type]

    assert rank(one) > rank(other)


def test_a_selection_fits_and_says_nothing_twice() -> None:
    """Notes whole or not at all, within the limit, in order, a point once unless it brings a person or number."""
    notes = [
        note(1, "kiln controller replaced in Tallinn", weight=3),
        note(2, "replaced the kiln controller in Tallinn"),
        note(3, "replaced the kiln controller in Tallinn with <@2>", people=(2,)),
        note(4, "replaced the kiln controller in Tallinn for 4711 crowns"),
        note(5, "x" * 400),
        note(6, "bakes bread", weight=1),
    ]

    assert [n.note_id for n in selected(notes, 1, 300)] == [1, 3, 4, 6]
    assert [n.note_id for n in selected(notes, 1, 68)] == [1, 6]
    assert [n.note_id for n in selected(notes, 1, 50)] == [1, 6]
    assert [n.note_id for n in selected(notes, 1, 300, told="<@2> replaced the kiln controller in Tallinn")] == [4, 6]
    assert length(shortened(notes, 1, 200, ZONE)) <= 200
    assert shortened(notes, 1, 60, ZONE) == "2026-11-10: kiln controller replaced in Tallinn."


def test_notes_are_chosen_by_what_they_add() -> None:
    """The person's own open matter, then new people, numbers and words for their length; what was ended comes last."""
    notes = [
        note(1, "admired the long and winding road behind the house of the neighbours", weight=2),
        note(2, "fixed it with <@2>", people=(2,), weight=1),
        note(3, "fixed it with <@2> and <@3>", people=(2, 3), weight=1),
        note(4, "gave <@1> a lift", NoteKind.PROBLEM, user_id=2, people=(1,)),
        note(5, "needs a new roof before the winter comes", NoteKind.PROBLEM, weight=1),
        note(6, "has a broken tap", NoteKind.PROBLEM, superseded_by=99),
        note(7, "paid 4711 crowns"),
    ]

    def chosen(limit: int) -> set[int]:
        return {n.note_id for n in selected(notes, 1, limit)}

    assert chosen(41) == {7}  # the matter has no room
    assert chosen(42) == {5}
    assert chosen(97) == {5, 7, 3}
    assert chosen(128) == {5, 7, 3, 4}
    assert chosen(198) == {5, 7, 3, 4, 1}
    assert chosen(400) == {5, 7, 3, 4, 1, 6}


def test_what_matters_next_month_goes_before_trivia() -> None:
    """However many people the rest would bring in, and however short it is."""
    decision = note(1, "decided to quit the job at the bank and to move to Lisbon with the family", weight=3)
    greetings = [note(n, f"greeted <@{n}> today", people=(n,), weight=1) for n in range(100, 120)]
    assert decision in selected([*greetings, decision], 1, 250)


def test_how_often_a_pattern_was_is_no_news() -> None:
    """Its dates bring in nothing, and make no repetition a new point."""
    often = "says good night to the group (on 3 evenings, 2026-11-05 to 2026-11-07)"
    pattern = note(1, often, repeats=(2, 3))
    plan = note(4, "moves to the old library of the town soon")
    assert [n.note_id for n in selected([pattern, plan], 1, 80)] == [4]
    assert filled("says good night to the group most evenings.", [pattern], 1, 300, ZONE).count("good night") == 1


def test_the_most_important_are_so_many() -> None:
    """By rank alone, nothing twice."""
    points = ("bakes bread", 1), ("fixes kilns", 3), ("fixes kilns", 2), ("plays chess", 2)
    notes = [note(n, text, weight=weight) for n, (text, weight) in enumerate(points, 1)]
    assert [n.note_id for n in most_important(notes, 1, 2)] == [2, 4]
    assert [n.note_id for n in most_important(notes, 1, 9)] == [1, 2, 4]


def test_what_room_is_left_is_filled() -> None:
    """A model's text is followed by the notes it does not tell, within the limit."""
    notes = [note(1, "kiln controller replaced in Tallinn", weight=3), note(2, "bakes bread for <@2>", people=(2,))]
    told = "The kiln controller in Tallinn was replaced."

    assert filled(told, notes, 1, 90, ZONE) == f"{told} 2026-11-10: bakes bread for <@2>."
    assert filled(told, notes, 1, 50, ZONE) == told
    assert filled(told, notes, 1, length(f"{told} bakes bread for <@2>."), ZONE) == told  # the day needs room too


def test_lengths_count_names_not_ids() -> None:
    """An id of eighteen figures takes the room of a name."""
    text = "told <@123456789012345678> to wait. " * 3

    assert length("<@123456789012345678>") == 8
    assert within(text, 80) == text.strip()
    assert within(text, 50) == "told <@123456789012345678> to wait. told <@123456789012345678> to wait."


def test_the_model_is_shown_three_times_what_it_may_write() -> None:
    """The most important notes of a member's days before, in the order of time."""
    many = [note(n, f"event {n} " + "x" * 80, weight=1 + (n == 30)) for n in range(1, 41)]
    (shown,) = trimmed({1: Wanted(notes=many, limit=500)}, ZONE).values()
    size = length(days_text(by_day(shown.notes, ZONE), 1))
    assert 2.7 * 500 <= size <= 3 * 500
    assert 30 in [one.note_id for one in shown.notes]
    assert [one.note_id for one in shown.notes] == sorted(one.note_id for one in shown.notes)
