"""Weeks, months and the portrait: what is kept, where it is used, and that it goes with the messages behind it."""

from datetime import date, timedelta
from zoneinfo import ZoneInfo

import asyncpg
import pytest

from memory import FallbackLevel, Viewer, public
from memory.levels.periods import MIN_PORTRAIT_CHARACTERS, NOTES_A_PERIOD, PORTRAIT_CHARACTERS, Lives, portrait
from memory.records import Note, NoteKind
from memory.rules.calendar import period_end
from tests.builders import NOON, Clock, G, Opener, Talk, query
from urmom_bot.app import App
from urmom_bot.stand_ins import GeminiStandIn

TODAY = date(2026, 11, 10)
MONDAY = date(2026, 7, 6)
"""The first day of a week that is over for more than ninety days."""

PAST = date(2025, 6, 2)
"""The first Monday of a month that is over for more than a year."""

THINGS = (
    *("kiln", "router", "kayak", "printer", "telescope", "loom"),
    *("cello", "stove", "bicycle", "greenhouse", "aquarium", "theremin"),
)


async def noted(dsn: str, day: date, text: str, *, weight: int = 2, **more: object) -> int:
    """A note of a day whose messages are purged; returns its id. Its evidence is a message with the id `evidence`."""
    values = {"user": 1, "audience": 0, "kind": "trait", "evidence": 1, "people": [], "by": 1, "channel": 7, **more}
    connection = await asyncpg.connect(dsn)
    await connection.execute(
        "INSERT INTO channel_settings (guild_id, channel_id, name) VALUES ($1, 7, 'seven') ON CONFLICT DO NOTHING", G
    )
    slice_id = await connection.fetchval(
        """
        INSERT INTO slices (guild_id, for_date, audience, from_id, through_id, messages, fingerprint, model, made_at)
        VALUES ($1, $2, $3, $4, $4, 1, '', 'm', now()) RETURNING slice_id
        """,
        *(G, day, values["audience"], values["evidence"]),
    )
    note_id = await connection.fetchval(
        """
        INSERT INTO notes (guild_id, slice_id, audience, user_id, channel_id, kind, text, weight, people, evidence,
                           evidence_by, at)
        VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, ARRAY[$10::bigint], ARRAY[$11::bigint],
                $12::date + interval '12 hours') RETURNING note_id
        """,
        *(G, slice_id, values["audience"], values["user"], values["channel"], values["kind"], text, weight),
        *(values["people"], values["evidence"], values["by"], day),
    )
    await connection.close()
    assert isinstance(note_id, int)
    return note_id


async def texts(dsn: str) -> list[str]:
    return [row["text"] for row in await query(dsn, "SELECT text FROM notes ORDER BY at, note_id")]


async def knows_ann(talk: Talk) -> None:
    await talk.app.memory.messages.import_batch([], [talk.member(1), talk.member(2)])


# What stays


async def test_a_week_keeps_what_matters(app: App, dsn: str) -> None:
    """Of a week that is over for ninety days, the weightiest six that still stand; each once."""
    for n, thing in enumerate(THINGS[:9]):
        await noted(dsn, MONDAY + timedelta(days=n % 7), f"owns a {thing}", weight=1 if n < 3 else 3)
    ended = await noted(dsn, MONDAY, "looks for a sextant", weight=3)
    await noted(dsn, MONDAY, "owns a kayak", weight=3)
    connection = await asyncpg.connect(dsn)
    await connection.execute("UPDATE notes SET superseded_by = note_id - 1 WHERE note_id = $1", ended)
    await connection.close()
    await app.memory.upkeep()

    kept = await texts(dsn)
    assert sorted(kept) == sorted(f"owns a {t}" for t in ("kayak", "printer", "telescope", "loom", "cello", "bicycle"))


async def test_a_month_keeps_what_its_weeks_kept(app: App, dsn: str) -> None:
    """Of a month that is over for a year six notes are left, of a week in this year six."""
    for n, thing in enumerate(THINGS):
        await noted(dsn, PAST + timedelta(days=7 * (n // 6)), f"owns a {thing}", weight=3 if n % 2 else 1)
        await noted(dsn, MONDAY + timedelta(days=7 * (n // 6)), f"repairs the {thing}", weight=2)
    await app.memory.upkeep()

    assert [text for text in await texts(dsn) if text.startswith("owns")] == [f"owns a {t}" for t in THINGS[1::2]]
    assert sum(text.startswith("repairs") for text in await texts(dsn)) == 2 * NOTES_A_PERIOD


@pytest.mark.parametrize("back", [8, 60, 89])
async def test_days_are_kept_in_full(app: App, dsn: str, back: int) -> None:
    """Nothing is chosen of a week whose days are not all older than ninety days."""
    for thing in THINGS:
        await noted(dsn, TODAY - timedelta(days=back), f"owns a {thing}")
    await app.memory.upkeep()
    assert len(await texts(dsn)) == len(THINGS)


async def test_a_week_waits_until_it_is_over(app: App, dsn: str) -> None:
    """Its first day alone is old enough: all of it stays."""
    oldest = TODAY - timedelta(days=90)
    monday = oldest - timedelta(days=oldest.weekday())
    for thing in THINGS:
        await noted(dsn, monday, f"owns a {thing}")
    await app.memory.upkeep()
    assert len(await texts(dsn)) == len(THINGS)


async def test_each_subject_has_a_page_of_its_own(app: App, dsn: str) -> None:
    """Members, channels and audiences are chosen for apart."""
    subjects = ({"user": 1}, {"user": 2}, {"user": 1, "audience": 9}, {"user": None}, {"user": None, "channel": 8})
    for thing in THINGS:
        for subject in subjects:
            await noted(dsn, MONDAY, f"has a {thing}", **subject)
    await app.memory.upkeep()
    assert len(await texts(dsn)) == len(subjects) * NOTES_A_PERIOD


async def test_settings_bound_each_level(opened: Opener, dsn: str) -> None:
    """Weeks for WEEK_DAYS, months for MONTH_DAYS; what is older goes, with its slices."""
    async with opened(summary_days=7, week_days=60, month_days=365) as built:
        for back in (5, 40, 100, 500):
            for thing in THINGS:
                await noted(dsn, TODAY - timedelta(days=back), f"has a {thing}, {back}")
        await built.memory.upkeep()
    left = [int(text.rpartition(" ")[2]) for text in await texts(dsn)]
    assert {back: left.count(back) for back in left} == {100: 6, 40: 6, 5: len(THINGS)}
    (row,) = await query(dsn, "SELECT count(DISTINCT for_date) AS days FROM slices")
    assert row["days"] == 3


# That it goes


async def test_a_note_goes_with_the_message_it_cites(app: App, talk: Talk, dsn: str) -> None:
    """Months after the message itself was purged by its age."""
    await noted(dsn, PAST, "owns a kiln", evidence=4711)
    await noted(dsn, PAST, "owns a loom", evidence=4712, by=2)
    await app.memory.messages.delete(G, [4711])
    await app.memory.messages.flush()
    assert await texts(dsn) == ["owns a loom"]


async def test_what_a_chosen_note_went_on_from_is_not_lost(app: App, dsn: str) -> None:
    """A note that was made from one that is not kept goes with the message that one was made from."""
    connection = await asyncpg.connect(dsn)
    first = await noted(dsn, MONDAY, "wants to move", weight=1, evidence=41, by=2)
    second = await noted(dsn, MONDAY, "wants to move to Riga", weight=1, evidence=42, by=2)
    last = await noted(dsn, MONDAY, "moves to Riga in May", weight=3, evidence=43, by=2)
    await connection.execute(
        "INSERT INTO provenance (guild_id, made, source) VALUES ($1, $2, $3), ($1, $3, $4)",
        *(G, f"note:{last}", f"note:{second}", f"note:{first}"),
    )
    await connection.close()
    for thing in THINGS[:5]:
        await noted(dsn, MONDAY, f"owns a {thing}", weight=3, evidence=7, by=2)
    await app.memory.upkeep()
    assert "moves to Riga in May" in await texts(dsn)
    assert "wants to move" not in await texts(dsn)
    await app.memory.messages.delete(G, [41])
    await app.memory.messages.flush()

    assert await texts(dsn) == [f"owns a {thing}" for thing in THINGS[:5]]


async def test_what_is_forgotten_is_in_no_portrait(app: App, talk: Talk, dsn: str) -> None:
    """Neither stored nor told."""
    await knows_ann(talk)
    await noted(dsn, PAST, "owns a theremin", evidence=4711)
    await noted(dsn, PAST, "plays chess on Sundays", evidence=4712)
    ann = Viewer(guild_id=G, user_id=1)
    assert "theremin" in (await app.memory.get_memories(G, 1) or "")
    await app.memory.forgetting.forget(ann, talk.member(1), "owns a theremin")

    assert await texts(dsn) == ["plays chess on Sundays"]
    assert "theremin" not in (await app.memory.get_memories(G, 1) or "")


# As pages


async def test_notes_are_shown_as_what_they_are_kept_as(app: App, talk: Talk, dsn: str) -> None:
    """Days on their own, then weeks, then months, the newest first, each note of a week or month with its day."""
    await knows_ann(talk)
    await noted(dsn, PAST, "owns a theremin")
    await noted(dsn, PAST + timedelta(days=20), "sold the kiln")
    await noted(dsn, MONDAY, "owns a kayak")
    await noted(dsn, MONDAY + timedelta(days=6), "learns Danish")
    await noted(dsn, MONDAY + timedelta(days=7), "hurt a knee")
    await noted(dsn, TODAY - timedelta(days=30), "won a race")
    shown = await app.memory.privacy.days(Viewer(guild_id=G, user_id=1), 1)

    assert [(text.level, text.day, text.text) for text in shown] == [
        ("day", date(2026, 10, 11), "won a race."),
        ("week", date(2026, 7, 13), "2026-07-13: hurt a knee."),
        ("week", MONDAY, "2026-07-06: owns a kayak. 2026-07-12: learns Danish."),
        ("month", date(2025, 6, 1), "2025-06-02: owns a theremin. 2025-06-22: sold the kiln."),
    ]


async def test_a_week_or_month_is_forgotten_whole(app: App, talk: Talk, dsn: str) -> None:
    """By its member alone, with nothing of what comes before or after, and can be undone."""
    await knows_ann(talk)
    days = {MONDAY - timedelta(days=1), MONDAY, MONDAY + timedelta(days=6), MONDAY + timedelta(days=7)}
    for day in (*days, date(2025, 5, 31), date(2025, 6, 1), date(2025, 6, 30), date(2025, 7, 1)):
        await noted(dsn, day, f"{day}")
    everything = await texts(dsn)
    ann, bob = Viewer(guild_id=G, user_id=1), Viewer(guild_id=G, user_id=2)
    strike = app.memory.forgetting.strike_days

    assert await strike(bob, "week", MONDAY, 0) is None
    undo = await strike(ann, "week", MONDAY, 0)
    assert set(everything) - set(await texts(dsn)) == {"2026-07-06", "2026-07-12"}
    assert undo is not None
    assert await app.memory.forgetting.undo(ann, undo) is not None
    assert await texts(dsn) == everything
    assert await strike(ann, "month", date(2025, 6, 1), 0) is not None
    assert set(everything) - set(await texts(dsn)) == {"2025-06-01", "2025-06-30"}


def test_a_week_that_a_month_cuts_is_told_from_that_day() -> None:
    """Its first days are the month's."""
    oldest = Lives(days=date(2026, 8, 12), weeks=date(2025, 11, 10), months=date(2016, 11, 10))

    assert oldest.period(date(2026, 8, 10)) == ("day", date(2026, 8, 10))
    assert oldest.period(date(2026, 8, 9)) == ("week", date(2026, 8, 3))
    assert oldest.period(date(2025, 11, 2)) == ("week", date(2025, 11, 1))
    assert period_end("week", date(2025, 11, 1)) == date(2025, 11, 2)
    assert oldest.period(date(2025, 10, 31)) == ("month", date(2025, 10, 1))
    assert period_end("month", date(2025, 12, 1)) == date(2025, 12, 31)


# The portrait


async def test_what_was_long_ago_is_told(app: App, talk: Talk, gemini: GeminiStandIn, dsn: str) -> None:
    """Beside facts and days, with its date, without a call; found by a question as well."""
    await knows_ann(talk)
    note = await noted(dsn, PAST, "owns a theremin")
    await noted(dsn, MONDAY, "feels tired", kind="mood")
    await noted(dsn, MONDAY, "how does a lathe work?", kind="question")
    gemini.asked.clear()
    found = (await app.memory.replies.contexts(public(G), [1]))[1]

    assert found.text == "Earlier: 2025-06-02: owns a theremin."
    assert found.fallback is FallbackLevel.FULL
    assert found.notes == (note,)
    assert [part.level for part in found.parts] == ["portrait"]
    assert gemini.asked == []


async def test_a_portrait_is_for_those_who_could_read_it(app: App, talk: Talk, dsn: str) -> None:
    """What was noted in a restricted channel is told nowhere else; nor is it another member's."""
    await knows_ann(talk)
    await noted(dsn, PAST, "owns a theremin", audience=9)
    await noted(dsn, PAST, "owns a kayak", user=2, people=[1])
    assert await app.memory.get_memories(G, 1) is None


async def test_a_portrait_repeats_nothing(app: App, talk: Talk, clock: Clock, dsn: str) -> None:
    """What the days tell already is told once."""
    await noted(dsn, PAST, "bought a theremin in Riga")
    await noted(dsn, PAST, "breeds axolotls")
    await talk.say(1, "I bought a theremin in Riga", clock.now - timedelta(days=2))
    text = await app.memory.get_memories(G, 1) or ""

    assert text.count("theremin") == 1
    assert "breeds axolotls" in text


@pytest.mark.parametrize("words", [12, 60, 400])
async def test_the_days_leave_it_some_room(app: App, talk: Talk, clock: Clock, dsn: str, words: int) -> None:
    """At least 120 characters of the 800 where there is anything, and at most 400."""
    for n, thing in enumerate(THINGS):
        await noted(dsn, PAST, f"keeps a {thing} in the shed behind house number {n}", weight=3)
    lines = [f"thing {n} of mine costs {n * 7} crowns in shop number {n}" for n in range(words)]
    for start in range(0, words, 10):
        at = clock.now - timedelta(days=1 + start // 10 % 6, minutes=start)
        await talk.say(1, ". ".join(lines[start : start + 10]), at)
    text = await app.memory.get_memories(G, 1, wait=30) or ""
    before, _, portrait = text.partition("Earlier: ")

    assert len(text) <= 800
    assert 60 < len(portrait) <= PORTRAIT_CHARACTERS
    assert before
    assert len(portrait) >= MIN_PORTRAIT_CHARACTERS - 60, "a note more would not fit"


def test_there_is_none_in_too_little_room() -> None:
    """A handful of characters would tell nothing; and these are the figures that the documents name."""
    note = Note(
        guild_id=G,
        note_id=1,
        audience=0,
        user_id=1,
        kind=NoteKind.TRAIT,
        text="knits",
        weight=1,
        evidence=(1,),
        at=NOON,
    )
    assert portrait([note], 1, 119, ZoneInfo("UTC"), told="") == ""
    assert portrait([note], 1, 120, ZoneInfo("UTC"), told="") == "2026-11-10: knits."
    assert (NOTES_A_PERIOD, MIN_PORTRAIT_CHARACTERS, PORTRAIT_CHARACTERS) == (6, 120, 400)


async def test_without_ai_it_is_told_too(opened: Opener, talk: Talk, gemini: GeminiStandIn, dsn: str) -> None:
    """The portrait needs no model."""
    await knows_ann(talk)
    await noted(dsn, PAST, "owns a theremin")
    async with opened(gemini_api_key=None) as built:
        found = (await built.memory.replies.contexts(public(G), [1]))[1]
    assert found.text == "Earlier: 2025-06-02: owns a theremin."
