"""Which messages are read again, and with which notes they go: chat_history.reread."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Sequence
from dataclasses import replace
from datetime import date, timedelta

import pytest

from memory import Channel
from memory.store import Slice
from memory.store.cascade import INDEXED_IDS, resting_on, words_removed
from tests.builders import Clock, G, Opener, Talk, query, viewer_of
from tests.memory.levels.test_notes import note_calls
from tests.memory.levels.test_notes_attacked import forgotten, says, texts, withdraw
from urmom_bot.app import App
from urmom_bot.stand_ins import Fault, GeminiStandIn


async def marked(dsn: str) -> set[int]:
    """The messages that are to be read again."""
    return {row["message_id"] for row in await query(dsn, "SELECT message_id FROM chat_history WHERE reread")}


async def read_by(dsn: str, audience: int, first: int, last: int) -> int:
    """A slice over messages; its id."""
    (row,) = await query(
        dsn,
        "INSERT INTO slices (guild_id, for_date, audience, from_id, through_id, messages, fingerprint, model, made_at)"
        " VALUES ($1, '2026-11-10', $2, $3, $4, 2, '', 'm', '2026-11-10 12:00Z') RETURNING slice_id",
        *(G, audience, first, last),
    )
    return int(row["slice_id"])


async def noted(dsn: str, slice_id: int, text: str, evidence: Sequence[int]) -> None:
    await query(
        dsn,
        "INSERT INTO notes (guild_id, slice_id, audience, user_id, kind, text, weight, evidence, evidence_by, at)"
        " VALUES ($1, $2, 0, 1, 'event', $3, 1, $4, '{1}', '2026-11-10 11:00Z')",
        *(G, slice_id, text, list(evidence)),
    )


async def test_an_edit_of_what_no_note_cites_is_read_again(app: App, talk: Talk, clock: Clock, dsn: str) -> None:
    """It may tell more now. What no slice has read is unread anyway, and is not marked."""
    said = await talk.say(1, "the kiln is fixed in Tallinn")
    await app.memory.messages.flush()
    await read_by(dsn, 0, said, said)
    new = await talk.say(1, "the tram takes 40 minutes")
    for message in (said, new):
        await app.memory.messages.edit(G, message, "the relay came from Riga", clock())
    await app.memory.messages.flush()

    assert await marked(dsn) == {said}


async def test_what_moves_to_another_audience_is_read_again_there(app: App, talk: Talk, dsn: str) -> None:
    """Where the talk around it was read already. What notes cited beside it is read again where it is."""
    for channel in (7, 8):
        await app.memory.guilds.update_channel(Channel(guild_id=G, channel_id=channel, name="c"))
    moving = await talk.say(1, "the merger is signed", channel_id=8)
    stays = await talk.say(1, "the kiln is fixed in Tallinn")
    others = await talk.say(2, "the tram takes 40 minutes")
    await app.memory.messages.flush()
    await noted(dsn, await read_by(dsn, 0, moving, others), "signed a merger and fixed a kiln", [moving, stays])
    await read_by(dsn, 8, moving, moving)
    await app.memory.guilds.update_channel(Channel(guild_id=G, channel_id=8, name="c", audience=8))

    assert await texts(dsn) == []
    assert await marked(dsn) == {moving, stays}


async def test_what_moves_to_where_nothing_was_read_is_new_there(app: App, talk: Talk, dsn: str) -> None:
    await app.memory.guilds.update_channel(Channel(guild_id=G, channel_id=8, name="c"))
    moving = await talk.say(1, "the merger is signed", channel_id=8)
    await app.memory.messages.flush()
    await query(dsn, "UPDATE chat_history SET reread = true")
    await read_by(dsn, 0, moving, moving)
    await app.memory.guilds.update_channel(Channel(guild_id=G, channel_id=8, name="c", audience=8))

    assert await marked(dsn) == set()


@pytest.mark.parametrize(
    ("meanwhile", "back"),
    [
        ("UPDATE chat_history SET reread = true WHERE message_id = $1", False),
        ("UPDATE chat_history SET edited_at = '2026-11-10 12:01Z' WHERE message_id = $1", False),
        ("UPDATE chat_history SET edited_at = '2026-11-10 11:59Z' WHERE message_id = $1", True),
        ("DELETE FROM chat_history WHERE message_id = $1", False),
        ("DELETE FROM chat_history WHERE message_id <= $1", True),
    ],
    ids=["to be read again", "edited", "edited before", "deleted", "purged by age"],
)
async def test_undo_brings_a_note_back_with_what_it_cites(
    app: App, talk: Talk, clock: Clock, dsn: str, meanwhile: str, *, back: bool
) -> None:
    """As it was when it was read; or gone by its age."""
    await talk.say(2, "good morning", clock.now - timedelta(hours=3))
    said = await talk.say(1, "so it goes", clock.now - timedelta(hours=2))
    await talk.say(2, "the tram takes 40 minutes")
    await app.memory.messages.flush()
    await noted(dsn, await read_by(dsn, 0, said, said), "vanished secretly", [said])
    undo = await forgotten(app, talk, 1, "vanished secretly")
    assert await texts(dsn) == []
    await query(dsn, meanwhile, said)
    await app.memory.forgetting.undo(await viewer_of(app.memory, G, 1), undo)

    assert await texts(dsn) == (["vanished secretly"] if back else [])


async def test_undo_has_a_message_read_again(app: App, talk: Talk, dsn: str) -> None:
    """Its notes went with it."""
    said = await talk.say(1, "my locker is in Tallinn")
    await app.memory.messages.flush()
    await read_by(dsn, 0, said, said)
    undo = await forgotten(app, talk, 1, "my locker is in Tallinn")
    await app.memory.forgetting.undo(await viewer_of(app.memory, G, 1), undo)

    assert await marked(dsn) == {said}


async def test_where_rows_go_table_by_table_the_rest_is_read_again(app: App, talk: Talk, dsn: str) -> None:
    gone, stays = await talk.say(1, "the merger is signed"), await talk.say(1, "the kiln is fixed in Tallinn")
    await app.memory.messages.flush()
    await noted(dsn, await read_by(dsn, 0, gone, stays), "signed a merger and fixed a kiln", [gone, stays])
    async with app.memory._core.store.facts._db.writing(G) as connection:
        assert await words_removed(connection, G, [gone]) == []

    assert await texts(dsn) == []
    assert await marked(dsn) == {stays}


async def test_every_process_hears_of_what_came_late(
    opened: Opener, talk: Talk, gemini: GeminiStandIn, clock: Clock
) -> None:
    """One that knows a past day to be read asks for it again."""
    day = clock.now - timedelta(days=2)
    async with opened() as here, opened() as there:
        talk = replace(talk, app=here)
        for text, minutes in (("the kiln is fixed in Tallinn", 0), ("the tram takes 40 minutes", 9)):
            await talk.say(1, text, day + timedelta(minutes=minutes))
        await there.memory.get_memories(G, 1)
        before = len(note_calls(gemini))
        await talk.say(1, "the relay board came from Riga", day + timedelta(minutes=5))
        await here.memory.messages.flush()
        clock.on(hours=13)
        await asyncio.sleep(0.2)
        await there.memory.get_memories(G, 1)

    assert len(note_calls(gemini)) == before + 1
    assert "Riga" in note_calls(gemini)[-1].sections["messages"]


async def test_what_changes_while_it_is_read_is_read_again_cited_or_not(
    app: App, talk: Talk, gemini: GeminiStandIn, clock: Clock, dsn: str
) -> None:
    """And what a note has words of, which it does not cite."""
    code = await talk.say(1, "the locker code is 4711")
    await talk.say(2, "ok, I open it with that code then")
    uncited = await talk.say(3, "so it goes")
    says(gemini, "u2 plan 2 2: opens the locker with code 4711")
    gemini.faults.append(Fault(kind="late", seconds=0.3))
    waiting = asyncio.create_task(app.memory.get_memories(G, 2))
    await asyncio.sleep(0.1)
    for message in (code, uncited):
        await app.memory.messages.edit(G, message, "never mind the code", clock())
    await app.memory.messages.flush()
    await waiting

    assert await texts(dsn) == []
    assert {code, uncited} <= await marked(dsn)


async def test_what_lies_between_messages_that_are_read_again_stays_unread(app: App, talk: Talk, dsn: str) -> None:
    """A slice of them alone covers nothing, and uncovers nothing."""
    first, between, last = [await talk.say(1, f"the kiln number {n} is fixed") for n in (1, 2, 3)]
    await app.memory.messages.flush()
    for message in (first, last):
        await read_by(dsn, 0, message, message)
    await query(dsn, "UPDATE chat_history SET reread = true WHERE message_id <> $1", between)
    notes = app.memory._core.store.notes
    span = (talk.clock.now - timedelta(days=1), talk.clock.now + timedelta(days=1))
    again = [one.message for one in await notes.unread(G, 0, span) if one.again]
    made = Slice(guild_id=G, for_date=date(2026, 11, 10), audience=0, fingerprint="", model="m", made_at=talk.clock.now)
    version = (await app.memory._core.suppressions.with_subject_names(G))[0].version
    assert await notes.save(made, again, (), version)

    assert [one.message.message_id for one in await notes.unread(G, 0, span)] == [between]
    await app.memory.messages.edit(G, last, "the kiln number 3 is hot", talk.clock.now)
    await app.memory.messages.flush()
    assert await marked(dsn) == {last}


@pytest.mark.parametrize(
    ("said", "gone"),
    [
        (["<@2> the parcel was stolen in the corridor"], True),
        (["<@3> the parcel was stolen in the corridor"], True),
        (["<@3> a parcel, stolen?", "<@2> the parcel was stolen in the corridor"], False),
    ],
    ids=["to them", "to somebody else", "to both"],
)
@pytest.mark.parametrize("how", ["delete", "edit"])
async def test_a_note_goes_with_the_messages_that_have_its_words(
    app: App, talk: Talk, clock: Clock, gemini: GeminiStandIn, dsn: str, said: list[str], how: str, *, gone: bool
) -> None:
    """A model cites another one. What nobody says of the person is theirs who said it."""
    first, *_ = [await talk.say(1, text) for text in said]
    for n in range(4):
        await talk.say(4, f"filler number {n} of the day")
    await talk.say(2, "so annoying, really")
    note = f"u3 event 2 {5 + len(said)}: annoyed about a stolen parcel"
    gemini.answer = lambda _: json.dumps({"notes": [note]})
    await app.memory.get_memories(G, 2)
    assert await texts(dsn) == ["annoyed about a stolen parcel"]
    await withdraw(app, clock, first, how)

    assert await texts(dsn) == ([] if gone else ["annoyed about a stolen parcel"])


async def test_a_note_goes_with_the_earlier_one_though_others_use_its_words(
    app: App, talk: Talk, gemini: GeminiStandIn, clock: Clock, dsn: str
) -> None:
    """Somebody else's words are not where it is from."""
    first = await talk.say(1, "I eloped to Gdynia")
    says(gemini, "u1 event 2 1: eloped to Gdynia")
    await app.memory.get_memories(G, 1)
    clock.on(hours=1)
    await talk.say(1, "we told nobody of it")
    await talk.say(3, "my sister eloped once")
    says(gemini, "u1 event 2 1: eloped and told nobody")
    await app.memory.get_memories(G, 1)
    assert len(await texts(dsn)) == 2
    await withdraw(app, clock, first, "delete")

    assert await texts(dsn) == []


async def test_undo_does_not_double_a_note(app: App, talk: Talk, dsn: str) -> None:
    """A note comes back with the message that it cites, which is not read again. What was lost with it, is."""
    said, beside = await talk.say(1, "my locker is in Tallinn"), await talk.say(1, "so it goes")
    await app.memory.messages.flush()
    slice_id = await read_by(dsn, 0, said, beside)
    await noted(dsn, slice_id, "has a locker in Tallinn", [said])
    await noted(dsn, slice_id, "sighs a lot", [said, beside])
    undo = await forgotten(app, talk, 1, "my locker is in Tallinn")
    assert await texts(dsn) == []
    await app.memory.forgetting.undo(await viewer_of(app.memory, G, 1), undo)

    assert await texts(dsn) == ["has a locker in Tallinn"]
    assert await marked(dsn) == {beside}


async def test_what_others_said_to_who_is_erased_is_read_again(app: App, talk: Talk, dsn: str) -> None:
    """Their own news goes with the note that names the member, and is theirs."""
    await talk.say(2, "good morning")
    news = await talk.say(1, "I moved to Gdynia as a welder")
    of_them = await talk.say(1, "he is a fine baker")
    await app.memory.messages.flush()
    slice_id = await read_by(dsn, 0, news, of_them)
    await noted(dsn, slice_id, "moved to Gdynia as a welder, told <@2>", [news])
    await query(
        dsn,
        "INSERT INTO notes (guild_id, slice_id, audience, user_id, kind, text, weight, evidence, evidence_by, at)"
        " VALUES ($1, $2, 0, 2, 'trait', 'is a fine baker', 1, $3, '{1}', '2026-11-10 11:00Z')",
        *(G, slice_id, [of_them]),
    )
    await query(dsn, "UPDATE notes SET people = '{2}' WHERE text LIKE '%told%'")
    await app.memory.privacy.erase(await viewer_of(app.memory, G, 2), talk.member(2), G)

    assert await texts(dsn) == []
    assert await marked(dsn) == {news}


async def test_notes_that_may_tell_something_are_found_by_words_and_by_names(app: App, talk: Talk, dsn: str) -> None:
    """Marks and capitals aside. A name stands in no stored text, so each note with one is looked at."""
    said = await talk.say(1, "good morning")
    slice_id = await read_by(dsn, 0, said, said)
    for text in ("visited the CAFÉ", "met <@2>", "fixed a kiln"):
        await noted(dsn, slice_id, text, [said])
    found = await app.memory._core.store.notes.naming(G, 1, None, ["cafe", "50%"])

    assert {note.text for note in found} == {"visited the CAFÉ", "met <@2>"}


async def test_many_messages_take_their_notes_too(app: App, talk: Talk, dsn: str) -> None:
    """By another way than few, which would take too long."""
    ids = [await talk.say(1, f"brick number {n}") for n in range(INDEXED_IDS + 2)]
    await app.memory.messages.flush()
    slice_id = await read_by(dsn, 0, ids[0], ids[-1])
    for n in (0, 50, INDEXED_IDS, INDEXED_IDS + 1):
        await noted(dsn, slice_id, f"note {n}", [ids[n]])
    for most in (INDEXED_IDS, INDEXED_IDS + 1):
        async with app.memory._core.store.facts._db.writing(G) as connection:
            assert len(await resting_on(connection, G, ids[:most])) == (2 if most == INDEXED_IDS else 3)


async def test_one_message_of_an_old_day_is_read_ahead(app: App, talk: Talk, clock: Clock, dsn: str) -> None:
    """New talk waits for more of it; what was known once does not."""
    old, new = [await talk.say(1, f"kiln {n}", clock.now - timedelta(days=n)) for n in (12, 10)]
    await app.memory.messages.flush()
    await read_by(dsn, 0, old, old)
    await query(dsn, "UPDATE chat_history SET reread = true WHERE message_id = $1", old)
    since, until = clock.now - timedelta(days=20), clock.now
    days = await app.memory._core.store.notes.unread_days(G, "UTC", since, until, 2)

    assert [day.day for day, _ in days] == [(clock.now - timedelta(days=12)).day]
    assert new
