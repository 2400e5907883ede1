"""Slices: each message is read once, the current day by the hour, one call for all who are in it."""

import asyncio
import json
import re
from datetime import UTC, datetime, timedelta

import pytest

from memory import AuthorKind, Consent, Member, Message, operator, public
from memory.ai import AIUnusable
from memory.levels.slicing import cut
from memory.rules.text import tokens
from tests.builders import NOON, Clock, G, Opener, Talk, query, viewer_of
from urmom_bot.app import App
from urmom_bot.stand_ins import Asked, Fault, GeminiStandIn, extractive

LONG = "finished the first chapter of the cello book, it is about the bow hold"


def note_calls(gemini: GeminiStandIn) -> list[Asked]:
    return [asked for asked in gemini.asked if asked.name == "Notes of a day"]


async def test_one_call_serves_all_members_of_a_day(app: App, talk: Talk, gemini: GeminiStandIn) -> None:
    """However many members are asked about, a day is one call."""
    for user in (1, 2, 3):
        await talk.say(user, f"{LONG} number {user}")

    found = await app.memory.replies.contexts(public(G), [1, 2, 3])

    assert len(note_calls(gemini)) == 1
    assert all(f"number {user}" in (found[user].text or "") for user in (1, 2, 3))


async def test_within_the_hour_nothing_is_asked_again(
    app: App, talk: Talk, gemini: GeminiStandIn, clock: Clock
) -> None:
    """A current day is good for its hour, new messages or not."""
    await talk.say(1, LONG)
    await app.memory.get_memories(G, 1)
    await talk.say(1, "and now the second chapter, vibrato is hard")
    clock.on(minutes=40)
    await app.memory.get_memories(G, 1)

    assert len(note_calls(gemini)) == 1


async def test_within_the_hour_nothing_new_is_read_for_a_change_either(
    app: App, talk: Talk, gemini: GeminiStandIn, clock: Clock
) -> None:
    """An edit of what no slice has read, or a restart, does not make the hour's news be read early."""
    await talk.say(1, LONG)
    await app.memory.get_memories(G, 1)
    clock.on(minutes=5)
    message = await talk.say(1, "and now the second chapter, vibrato is hard")
    await app.memory.messages.edit(G, message, "and now the second chapter, vibrato is easy", clock())
    await app.memory.messages.flush()
    clock.on(minutes=20)
    await app.memory.get_memories(G, 1)

    assert len(note_calls(gemini)) == 1


async def test_a_refresh_sends_the_new_messages_alone(
    app: App, talk: Talk, gemini: GeminiStandIn, clock: Clock
) -> None:
    """After the hour, earlier notes and what came since are sent, not the day again; both are told."""
    await talk.say(1, LONG)
    await app.memory.get_memories(G, 1)
    clock.on(hours=1)
    await talk.say(1, "and now the second chapter, vibrato is hard")
    text = await app.memory.get_memories(G, 1)

    second = note_calls(gemini)[1].sections
    assert "vibrato" in second["messages"]
    assert "bow hold" not in second["messages"]
    assert "bow hold" in second["earlier"]
    assert text
    assert "vibrato" in text
    assert "bow hold" in text


async def test_after_the_hour_without_new_messages_nothing_is_asked(
    app: App, talk: Talk, gemini: GeminiStandIn, clock: Clock
) -> None:
    """Staleness is a comparison: an hour passing is none, if the sources are the same."""
    await talk.say(1, LONG)
    await app.memory.get_memories(G, 1)
    clock.on(hours=3)
    await app.memory.get_memories(G, 1)

    assert len(note_calls(gemini)) == 1


async def test_an_edit_costs_one_message(app: App, talk: Talk, gemini: GeminiStandIn, clock: Clock) -> None:
    """What was noted of the older text goes, and the new one is quoted until it is read; what stood around it stays."""
    await talk.say(1, LONG)
    await app.memory.get_memories(G, 1)
    clock.on(hours=1)
    message = await talk.say(1, "the exam is on the 14th of December in room 5")
    await talk.say(2, "the tram to Gdynia takes 40 minutes")
    assert "14th" in (await app.memory.get_memories(G, 1) or "")
    for _ in range(5):
        clock.on(seconds=30)
        await app.memory.messages.edit(G, message, "the exam is on the 15th of December in room 5", clock())
        await app.memory.messages.flush()
        text = await app.memory.get_memories(G, 1) or ""
        assert "14th" not in text
        assert "15th" in text
        assert "bow hold" in text
    assert len(note_calls(gemini)) == 2  # however much is edited, it is not read every time
    clock.on(hours=3)
    text = await app.memory.get_memories(G, 1) or ""

    assert len(note_calls(gemini)) == 3
    sent = note_calls(gemini)[2].sections
    assert "bow hold" in sent["earlier"]
    assert "bow hold" not in sent["messages"]
    assert "Gdynia" not in sent["messages"]
    assert "15th" in text
    assert "14th" not in text
    assert "bow hold" in text


async def test_edits_all_day_long_cost_little_and_hide_little(
    app: App, talk: Talk, gemini: GeminiStandIn, clock: Clock
) -> None:
    """An edit every five minutes for eight hours: no question without today, and one message at a time read again."""
    clock.set(2026, 11, 10, 8)
    without = 0
    for step in range(96):
        if step % 12 == 0:
            edited = await talk.say(1, f"hour {step}: the kiln is too hot")
            await talk.say(1, f"board number {step} came from Riga")
        clock.on(minutes=5)
        await app.memory.messages.edit(G, edited, f"hour {step}: the kiln is off", clock())
        await app.memory.messages.flush()
        text = await app.memory.get_memories(G, 1) or ""
        without += any(f"number {n} " not in text for n in range(0, step - 24, 12))
    sizes = [len(call.sections["messages"].splitlines()) for call in note_calls(gemini)]

    assert without == 0  # but for the slice that is edited again and again, everything is told
    assert len(sizes) <= 9
    assert max(sizes) <= 6  # a channel, the times, and three messages


async def test_a_deleted_message_is_out_of_the_day_at_its_next_use(
    app: App, talk: Talk, gemini: GeminiStandIn, clock: Clock
) -> None:
    """What is noted of it goes, and nothing is read again: no other message was cited."""
    message = await talk.say(1, "my locker code is under the third stone from the left")
    await talk.say(1, LONG)
    await app.memory.get_memories(G, 1)
    await app.memory.messages.delete(G, [message])
    await app.memory.messages.flush()
    text = await app.memory.get_memories(G, 1)
    clock.on(hours=4)

    assert text == await app.memory.get_memories(G, 1)
    assert text == f"Today: said “{LONG}”."
    assert len(note_calls(gemini)) == 1


async def test_a_late_message_is_read_alone(
    app: App, talk: Talk, gemini: GeminiStandIn, clock: Clock, dsn: str
) -> None:
    """What is imported or comes late costs one message more; what was read around it stays."""
    day = clock.now - timedelta(days=2)
    for hour in (1, 2):
        await talk.say(1, f"the kiln number {hour} is fixed in Tallinn", day + timedelta(hours=hour))
        await talk.say(1, f"and the board number {hour} is from Riga", day + timedelta(hours=hour, minutes=20))
    early = (await query(dsn, "SELECT min(message_id) AS id FROM chat_history"))[0]["id"]
    clock.set(2026, 11, 8, 12, 30)
    clock.on(hours=1)  # 13:30 of that day: the first two are read in one slice
    await app.memory.get_memories(G, 1)
    clock.on(hours=1)
    await app.memory.get_memories(G, 1)
    clock.set(2026, 11, 10, 12)
    await app.memory.get_memories(G, 1)
    before = len(note_calls(gemini))
    slices = await query(dsn, "SELECT * FROM slices ORDER BY from_id")
    assert [s["messages"] for s in slices] == [2, 2]
    await talk.say(3, "a late word about the tram to Gdynia", day + timedelta(hours=1, minutes=10))
    await app.memory.messages.flush()
    text = await app.memory.get_memories(G, 1) or ""

    assert len(note_calls(gemini)) == before + 1
    sent = note_calls(gemini)[-1].sections["messages"]
    assert "a late word" in sent
    assert "number" not in sent
    assert all(f"number {n}" in text for n in (1, 2))
    assert slices[0]["from_id"] == early


async def test_a_closed_day_reads_what_is_left_of_it_once(
    app: App, talk: Talk, gemini: GeminiStandIn, clock: Clock
) -> None:
    """When the day is over, what no slice has is read, and then never anything of it again."""
    await talk.say(1, LONG)
    await app.memory.get_memories(G, 1)
    clock.on(hours=2)
    await talk.say(1, "and now the second chapter, vibrato is hard")
    clock.on(days=1)
    for _ in range(3):
        await app.memory.get_memories(G, 1)
        clock.on(hours=2)

    last = note_calls(gemini)[-1].sections
    assert len(note_calls(gemini)) == 2
    assert "bow hold" not in last["messages"]
    assert "bow hold" in last["earlier"]
    assert "vibrato" in last["messages"]


async def test_a_restart_asks_nothing_again(opened: Opener, gemini: GeminiStandIn, clock: Clock) -> None:
    """What is stored is not paid for twice: neither the closed day, nor the current one within its hour."""
    async with opened() as app:
        talk = Talk(app, clock)
        await talk.say(1, LONG, clock.now - timedelta(days=2))
        await talk.say(1, "vibrato is hard, chapter two takes weeks")
        before = await app.memory.get_memories(G, 1)
    asked = len(gemini.asked)
    async with opened() as app:
        after = await app.memory.get_memories(G, 1)

    assert before == after
    assert len(gemini.asked) == asked == 2


async def test_nothing_is_made_for_days_nobody_asked_about_wrote_on(
    app: App, talk: Talk, gemini: GeminiStandIn, clock: Clock
) -> None:
    """Laziness: a day is summed up when someone is asked about who wrote on it."""
    await talk.say(1, LONG, clock.now - timedelta(days=3))
    await talk.say(2, LONG)

    await app.memory.get_memories(G, 2)
    assert len(note_calls(gemini)) == 1
    await app.memory.get_memories(G, 3)
    assert len(note_calls(gemini)) == 1
    await app.memory.get_memories(G, 1)
    assert len(note_calls(gemini)) == 2


async def test_a_day_above_the_budget_is_summed_up_chunk_by_chunk(
    opened: Opener, gemini: GeminiStandIn, clock: Clock, dsn: str
) -> None:
    """No call exceeds the model's budget, no message is left out, and evidence of every chunk is kept."""
    async with opened(batch_tokens=4_000) as app:
        talk = Talk(app, clock)
        for n in range(60):
            await talk.say(1 + n % 2, f"fact number {n}: " + "word " * 60, clock.now - timedelta(minutes=100 - n))
        await app.memory.get_memories(G, 1)

    calls = note_calls(gemini)
    assert len(calls) > 2
    assert all(len(asked.sections["messages"]) < 4_000 * 3.6 for asked in calls)
    for n in range(60):
        assert sum(f"fact number {n}:" in asked.sections["messages"] for asked in calls) == 1
    slices = await query(dsn, "SELECT messages FROM slices")
    assert sum(row["messages"] for row in slices) == 60
    evidence = {n for row in await query(dsn, "SELECT evidence FROM notes WHERE user_id = 1") for n in row["evidence"]}
    assert evidence <= set(talk.ids)
    assert len(evidence) > 3


async def test_an_answer_that_is_cut_off_is_asked_for_in_halves(app: App, talk: Talk, gemini: GeminiStandIn) -> None:
    """A day whose answer does not fit is split until it does."""
    for user in (1, 2, 3, 4):
        await talk.say(user, f"{LONG} number {user}")
    gemini.faults.append(Fault(kind="cut off"))
    found = await app.memory.replies.contexts(public(G), [1, 4])

    assert len(note_calls(gemini)) == 3
    assert "number 1" in (found[1].text or "")
    assert "number 4" in (found[4].text or "")


async def test_of_a_slice_that_is_cut_off_the_parts_that_worked_stay(
    app: App, talk: Talk, gemini: GeminiStandIn, clock: Clock, dsn: str
) -> None:
    """Each half is stored as it comes: where the second fails, the first is not read again."""
    for user in (1, 2, 3, 4):
        await talk.say(user, f"{LONG} number {user}")
    played = gemini.answer

    def answer(asked: Asked) -> str:
        if "number 3" in asked.data and "number 1" not in asked.sections.get("messages", "number 1"):
            return "no"
        return played(asked)

    gemini.faults.append(Fault(kind="cut off"))
    gemini.answer = answer
    found = await app.memory.replies.contexts(public(G), [1, 4])
    assert "number 1" in (found[1].text or "")
    assert (found[4].text or "").startswith("Said today: ")
    assert found[1].trouble
    assert [row["messages"] for row in await query(dsn, "SELECT messages FROM slices")] == [2]
    gemini.answer = played
    clock.on(minutes=70)
    found = await app.memory.replies.contexts(public(G), [1, 4])

    assert "number 4" in (found[4].text or "")
    assert "number 1" not in note_calls(gemini)[-1].sections["messages"]


async def test_what_is_not_there_is_dropped_and_lengths_held(
    app: App, talk: Talk, gemini: GeminiStandIn, dsn: str
) -> None:
    """A model cannot invent members, channels or messages, nor write more than it may; what is dropped is counted."""
    await talk.say(1, LONG)
    gemini.answer = lambda asked: json.dumps(
        {
            "notes": [
                "u1 event 2 1,99,0: " + "wrote a lot. " * 80,
                "u2 event 2 1: somebody who is not there",
                "4711 event 2 1: a raw id",
                "u1 event 2 1: told @u9 about it",
                "u1 event 2 7: cites nothing",
                "c1 event 2 1: a channel does nothing",
                "u1 channel 2 1: nor is a person one",
                "c2 channel 2 1: no such channel",
                "u1 event 2 1: ",
                "c1 channel 2 1: was about the cello",
            ]
        }
    )
    await app.memory.get_memories(G, 1)

    rows = await query(dsn, "SELECT * FROM notes ORDER BY note_id")
    assert [(r["user_id"], r["channel_id"], list(r["evidence"])) for r in rows] == [
        (1, 7, [talk.ids[0]]),
        (None, 7, [talk.ids[0]]),
    ]
    assert len(rows[0]["text"]) <= 200
    assert (await query(dsn, "SELECT dropped FROM slices"))[0]["dropped"] == 8


async def test_a_refused_day_is_recorded_and_not_asked_again(
    app: App, talk: Talk, gemini: GeminiStandIn, clock: Clock, dsn: str
) -> None:
    """Make's rule: the same sources are refused once; new ones are asked about."""
    await talk.say(1, LONG)
    gemini.faults.append(Fault(kind="refused"))
    for _ in range(3):
        await app.memory.get_memories(G, 1)
        clock.on(hours=1)
    assert len(note_calls(gemini)) == 1
    assert (await query(dsn, "SELECT refused FROM slices"))[0]["refused"]
    await talk.say(1, "vibrato is hard, chapter two takes weeks")
    text = await app.memory.get_memories(G, 1)

    assert len(note_calls(gemini)) == 2
    assert text
    assert "vibrato" in text


@pytest.mark.parametrize("answer", ["", "no", '{"notes": 5}', '{"notes": ["u1 event'])
async def test_a_malformed_answer_is_repaired_once_and_then_left_for_a_while(
    app: App, talk: Talk, gemini: GeminiStandIn, clock: Clock, answer: str, dsn: str
) -> None:
    """Two calls at the most, nothing stored, and no storm of calls from every reply."""
    await talk.say(1, LONG)
    gemini.answer = lambda asked: answer
    found = (await app.memory.replies.contexts(public(G), [1]))[1]
    for _ in range(3):
        await app.memory.get_memories(G, 1)

    assert len(note_calls(gemini)) <= 2
    assert (found.text or "").startswith("Said today: ")
    assert found.trouble
    assert not await query(dsn, "SELECT 1 FROM slices")
    gemini.answer = lambda asked: json.dumps({"notes": ["u1 event 1 1: read a book"]})
    clock.on(minutes=11)
    assert await app.memory.get_memories(G, 1) == "Today: read a book."


async def test_a_repair_tells_the_model_what_was_wrong(app: App, talk: Talk, gemini: GeminiStandIn) -> None:
    """The second try carries the first answer and its problem, and is used when it fits."""
    await talk.say(1, LONG)
    answers = iter(['{"people": []}', '{"notes": ["u1 event 1 1: read a book"]}'])
    gemini.answer = lambda asked: next(answers)

    assert await app.memory.get_memories(G, 1) == "Today: read a book."
    assert "what_is_wrong" in note_calls(gemini)[1].data


async def test_concurrent_callers_share_one_build(app: App, talk: Talk, gemini: GeminiStandIn) -> None:
    """Single flight within the process."""
    await talk.say(1, LONG)
    await talk.say(2, LONG)
    gemini.faults.append(Fault(kind="late", seconds=0.2))
    await asyncio.gather(*(app.memory.replies.contexts(public(G), [1 + n % 2]) for n in range(20)))

    assert len(note_calls(gemini)) == 1


async def test_two_processes_share_one_build(opened: Opener, gemini: GeminiStandIn, clock: Clock) -> None:
    """Single flight across processes: the second waits for the first and takes what it made."""
    async with opened() as one, opened() as other:
        await Talk(one, clock).say(1, LONG)
        gemini.faults.append(Fault(kind="late", seconds=0.3))
        texts = await asyncio.gather(one.memory.get_memories(G, 1), other.memory.get_memories(G, 1))

    assert texts[0] == texts[1]
    assert len(note_calls(gemini)) == 1


async def test_another_process_hears_of_an_edit(opened: Opener, gemini: GeminiStandIn, clock: Clock) -> None:
    """A change that one process writes drops what another has cached."""
    async with opened() as one, opened() as other:
        message = await Talk(one, clock).say(1, "the exam is on the 14th of December in room 5")
        assert "14th" in (await other.memory.get_memories(G, 1) or "")
        clock.on(minutes=11)
        await one.memory.messages.edit(G, message, "the exam is on the 15th of December in room 5", clock())
        await one.memory.messages.flush()
        for _ in range(50):
            if "15th" in (await other.memory.get_memories(G, 1) or ""):
                return
            await asyncio.sleep(0.05)
    raise AssertionError("the other process still tells the old text")


async def test_news_is_heard_again_after_every_connection_was_lost(
    opened: Opener, gemini: GeminiStandIn, clock: Clock, dsn: str
) -> None:
    """A database that restarts ends no process's listening: caches are dropped, and changes heard again."""
    async with opened() as one, opened() as other:
        message = await Talk(one, clock).say(1, "the exam is on the 14th of December in room 5")
        assert "14th" in (await other.memory.get_memories(G, 1) or "")
        await query(
            dsn,
            "SELECT pg_terminate_backend(pid) FROM pg_stat_activity"
            " WHERE datname = current_database() AND pid <> pg_backend_pid()",
        )
        await asyncio.sleep(0.3)
        for day in (15, 16):
            clock.on(seconds=1)
            clock.on(minutes=21)
            await one.memory.messages.edit(G, message, f"the exam is on the {day}th of December in room 5", clock())
            await one.memory.messages.flush()
            async with asyncio.timeout(10):
                while f"{day}th" not in (await other.memory.get_memories(G, 1) or ""):
                    await asyncio.sleep(0.05)


async def test_bots_and_commands_are_not_summed_up(app: App, talk: Talk, gemini: GeminiStandIn, clock: Clock) -> None:
    """Bots, webhooks and the bot itself are no people, and what is off the record stays so."""
    await talk.say(1, LONG)
    for kind in ("bot", "webhook", "self"):
        await talk.say(50, f"I am a {kind} and say something long enough", author_kind=AuthorKind(kind))
    secret = await talk.say(1, "Bot forget that Ann eats glass for breakfast")
    await app.memory.messages.keep_off_record(G, secret)
    await app.memory.messages.flush()
    await app.memory.replies.contexts(public(G), [1, 50])

    messages = note_calls(gemini)[0].sections["messages"]
    assert messages.splitlines()[2:] == [f"1 u1: {LONG}"]
    assert "glass" not in messages


async def test_the_guilds_zone_decides_the_day(app: App, talk: Talk, gemini: GeminiStandIn, clock: Clock) -> None:
    """The same moment is today in one zone and yesterday in another; nothing is read again for it."""
    clock.set(2026, 11, 10, 3)
    await talk.say(1, LONG, datetime(2026, 11, 10, 1, tzinfo=UTC))
    first = (await app.memory.replies.contexts(public(G), [1]))[1]
    await app.memory.guilds.set_time_zone(operator(G), "America/New_York")
    clock.set(2026, 11, 10, 6)
    second = (await app.memory.replies.contexts(public(G), [1]))[1]

    assert [part.level for part in first.parts] == ["current day"]
    assert [part.level for part in second.parts] == ["days 2-7"]
    assert "2026-11-09" in (second.text or "")
    assert len(note_calls(gemini)) == 1


async def test_an_unusable_day_raises_to_who_asks_for_it(app: App, talk: Talk, gemini: GeminiStandIn) -> None:
    """A failure never looks like absence: the level raises, and the context says what is wrong."""
    await talk.say(1, LONG)
    gemini.answer = lambda asked: "no"
    found = (await app.memory.replies.contexts(public(G), [1]))[1]

    assert found.trouble is not None
    assert str(AIUnusable("x")) == "x"
    assert "cannot be used" in found.trouble


async def test_what_a_model_cites_is_checked(app: App, talk: Talk, gemini: GeminiStandIn) -> None:
    """A message about somebody else is no evidence, and a note that rests on such alone is not stored."""
    mine = await talk.say(1, "the kiln controller is fixed in Tallinn")
    await talk.say(1, "bob: the tram takes 40 minutes")
    await talk.say(2, "mine takes 9 minutes")
    answer = {"notes": ["u1 outcome 2 1,3,99: fixed a kiln", "u2 event 2 1: fixed a kiln"]}
    gemini.answer = lambda asked: json.dumps(answer) if asked.name == "Notes of a day" else extractive(asked)
    found = await app.memory.replies.contexts(public(G), [1, 2])

    assert [part.evidence for part in found[1].parts] == [(mine,)]
    assert "kiln" not in (found[2].text or "")


async def test_silent_people_are_noted_who_are_spoken_to_or_named(
    app: App, talk: Talk, gemini: GeminiStandIn, clock: Clock
) -> None:
    """Who says nothing is remembered by what others say to them and of them, and asking about them reads the day."""
    await talk.say(3, "I am Cid", clock.now - timedelta(days=9))
    await talk.say(4, "I am Dee", clock.now - timedelta(days=9))
    await talk.say(1, "cid: thanks for the 40 stamps from Riga")
    await talk.say(1, "Dee moves to Oslo on the 14th, I hear")

    def answer(asked: Asked) -> str:
        people = dict(pair.split("=")[::-1] for pair in asked.sections["people"].split(", "))
        told = [f"{people['Cid']} event 2 1: gave @{people['Ann']} 40 stamps from Riga"]
        return json.dumps({"notes": [*told, f"{people['Dee']} plan 2 2: moves to Oslo on the 14th, says @u1"]})

    gemini.answer = answer
    assert await app.memory.get_memories(G, 3) == "Today: gave Ann 40 stamps from Riga."
    assert await app.memory.get_memories(G, 4) == "Today: moves to Oslo on the 14th, says Ann."
    assert (await app.memory.get_memories(G, 1) or "").startswith("Today: Cid gave Ann 40 stamps from Riga. Dee moves")
    assert len(note_calls(gemini)) == 1


async def test_nothing_is_noted_of_who_keeps_facts_alone(app: App, talk: Talk, gemini: GeminiStandIn, dsn: str) -> None:
    """A silent member whose consent is for facts alone, or who is ignored, is in no prompt and no note."""
    await talk.say(3, "hello everybody, Cid here")
    await app.memory.privacy.choose(await viewer_of(app.memory, G, 3), talk.member(3), Consent.EXPLICIT, G)
    await talk.say(1, "cid: thanks for the 40 stamps from Riga")
    await app.memory.get_memories(G, 1)

    assert note_calls(gemini)[-1].sections["people"] == "u1=Ann"
    assert not await query(dsn, "SELECT 1 FROM notes WHERE user_id = 3 OR 3 = ANY(people)")


async def test_who_opts_out_everywhere_while_they_are_read_of_is_not_noted(
    app: App, talk: Talk, gemini: GeminiStandIn, clock: Clock, dsn: str
) -> None:
    """The choice is asked for again as notes are stored; of others the notes stay, unless they name who chose."""
    await talk.say(3, "I am Cid", clock.now - timedelta(days=9))
    await talk.say(1, "cid: thanks for the 40 stamps from Riga")
    await talk.say(2, "the tram to Gdynia takes 40 minutes")
    told = [
        "u3 event 2 1: gave @u1 40 stamps",
        "u1 event 2 1: thanks @u3 for 40 stamps",
        "u2 event 2 2: takes the tram",
    ]
    gemini.answer = lambda asked: json.dumps({"notes": told})
    gemini.faults.append(Fault(kind="late", seconds=0.5))
    waiting = asyncio.create_task(app.memory.replies.contexts(public(G), [1, 2, 3]))
    await asyncio.sleep(0.2)
    await query(dsn, "INSERT INTO consents (guild_id, user_id, consent, changed_at) VALUES (0, 3, 'explicit', now())")
    await waiting

    assert [row["text"] for row in await query(dsn, "SELECT text FROM notes")] == ["takes the tram"]


async def test_a_later_note_ends_an_earlier_one_and_both_are_told(
    app: App, talk: Talk, gemini: GeminiStandIn, clock: Clock, dsn: str
) -> None:
    """An answer ends the problem, which is told as answered; where the answer goes, the problem is open again."""
    await talk.say(1, "my kiln reads 14 degrees too high, why?")
    gemini.answer = lambda asked: json.dumps({"notes": ["u1 problem 2 1: kiln reads 14 degrees too high"]})
    await app.memory.get_memories(G, 1)
    clock.on(hours=1)
    fixed = await talk.say(1, "a new thermocouple fixed the kiln")
    gemini.answer = lambda asked: json.dumps({"notes": ["u1 outcome 2 1 ends n1: a new thermocouple fixed the kiln"]})
    told = "Today: kiln reads 14 degrees too high → outcome: a new thermocouple fixed the kiln."
    assert await app.memory.get_memories(G, 1) == told
    await app.memory.messages.delete(G, [fixed])
    await app.memory.messages.flush()

    assert await app.memory.get_memories(G, 1) == "Today: kiln reads 14 degrees too high."
    assert [row["superseded_by"] for row in await query(dsn, "SELECT superseded_by FROM notes")] == [None]


async def test_a_note_goes_with_the_earlier_note_whose_words_it_took_up(
    app: App, talk: Talk, gemini: GeminiStandIn, clock: Clock, dsn: str
) -> None:
    """Earlier notes go along to later calls: what a model repeats of them goes with the message they came from."""
    secret = await talk.say(1, "my sister Rosalind elopes with the baker")
    gemini.answer = lambda asked: json.dumps({"notes": ["u1 event 2 1: sister Rosalind elopes with the baker"]})
    await app.memory.get_memories(G, 1)
    clock.on(hours=1)
    await talk.say(1, "she did it on Friday, and I bought 9 stamps")
    later = ["u1 event 2 1: sister eloped on Friday", "u1 event 1 1: bought 9 stamps"]
    gemini.answer = lambda asked: json.dumps({"notes": later})
    assert "eloped on Friday" in (await app.memory.get_memories(G, 1) or "")
    await app.memory.messages.delete(G, [secret])
    await app.memory.messages.flush()
    assert [row[0] for row in await query(dsn, "SELECT text FROM notes")] == ["bought 9 stamps"]
    later.pop(0)
    clock.on(hours=3)

    assert await app.memory.get_memories(G, 1) == "Today: bought 9 stamps."  # what it cited is read again
    assert "she did it on Friday" in note_calls(gemini)[-1].sections["messages"]


async def test_the_hour_that_comes_twice_is_two_hours(
    app: App, talk: Talk, gemini: GeminiStandIn, clock: Clock
) -> None:
    """In autumn the clocks go back: what came in the second of the equal hours is read in it."""
    await app.memory.guilds.set_time_zone(operator(G), "Europe/Berlin")
    clock.set(2026, 10, 25, 0, 30)
    await talk.say(1, LONG)
    await app.memory.get_memories(G, 1)
    clock.on(hours=1)
    await talk.say(1, "and now the second chapter, vibrato is hard")

    assert "vibrato" in (await app.memory.get_memories(G, 1) or "")
    assert len(note_calls(gemini)) == 2


async def test_of_a_refused_day_half_may_be_read(app: App, talk: Talk, gemini: GeminiStandIn, dsn: str) -> None:
    """What a model will not read is mostly in a few lines: each half is asked about once, and the refusal recorded."""
    await talk.say(1, "the kiln controller is fixed in Tallinn")
    await talk.say(2, "the tram takes 40 minutes to Gdynia")
    await talk.say(1, "something that it will not read, four lines of it")
    await talk.say(2, "and something more that it will not read")
    gemini.refuses = "will not read"
    found = await app.memory.replies.contexts(public(G), [1, 2])
    assert len(note_calls(gemini)) == 3
    assert "kiln" in (found[1].text or "")
    assert "tram" in (found[2].text or "")
    rows = await query(dsn, "SELECT refused, messages FROM slices ORDER BY from_id")
    assert [(row["refused"], row["messages"]) for row in rows] == [(False, 2), (True, 2)]


def test_runs_are_cut_where_talk_pauses() -> None:
    """Within the budget, in order, nothing lost, and in the last quarter of a run at its longest pause."""

    def said(minute: int) -> Message:
        at = NOON + timedelta(minutes=minute)
        return Message(guild_id=G, message_id=minute, channel_id=7, user_id=1, text="x" * 340, timestamp=at)

    cost = 103
    talk = [said(minute) for minute in (*range(8), 40, 41, *range(50, 60))]
    found = cut(talk, 10 * cost + 8)
    assert [m for run in found for m in run] == talk
    assert [run[0].message_id for run in found] == [0, 40, 58]
    assert all(len(run) <= 10 for run in found)
    steady = [said(minute) for minute in range(25)]
    assert [len(run) for run in cut(steady, 10 * cost + 8)] == [10, 10, 5]
    assert [len(run) for run in cut([said(0), said(1)], 1)] == [1, 1]
    assert cut([], 10) == []


def test_no_run_has_more_messages_than_its_notes_have_room() -> None:
    """As many as may be read at once, also of short ones; whoever joins costs their name."""

    def said(n: int, user_id: int) -> Message:
        at = NOON + timedelta(seconds=n)
        return Message(guild_id=G, message_id=n, channel_id=7, user_id=user_id, text="ok", timestamp=at)

    assert [len(run) for run in cut([said(n, 1) for n in range(25)], 10_000, 10)] == [10, 10, 5]
    alone, many = cut([said(n, 1) for n in range(100)], 200), cut([said(n, n) for n in range(100)], 200)
    assert len(many) > len(alone) * 1.5


def everyone_noted(asked: Asked) -> str:
    """A model that notes as much as it may, at the length it is asked for."""
    lines = re.findall(r"^(\d+) (u\d+)[^:]*:", asked.sections["messages"], re.M)
    most = int(asked.sections["day"].split()[-1])
    return json.dumps({"notes": [f"{mark} event 2 {n}: {'said so, ' * 18}" for n, mark in lines[:most]]})


async def crowd(app: App, clock: Clock, messages: int, people: int) -> None:
    """So many messages of so many people, within the last hours."""
    for n in range(messages):
        at = clock.now - timedelta(seconds=4 * (messages - n))
        user_id = 1 + n * 7 % people
        name = f"person{user_id} with a long name"
        member = Member(guild_id=G, user_id=user_id, display_name=name, username=name)
        message_id = (int(at.timestamp() * 1000) - 1_420_070_400_000) << 22
        text = f"word{n} about the tram to Gdynia"
        message = Message(guild_id=G, message_id=message_id, channel_id=7, user_id=user_id, text=text, timestamp=at)
        assert await app.memory.messages.ingest(message, member)
    await app.memory.messages.flush()


async def test_no_prompt_is_too_long_and_no_answer_cut_off(opened: Opener, gemini: GeminiStandIn, clock: Clock) -> None:
    """A crowded day is read in calls that hold their messages, names and earlier notes, and all their notes."""
    gemini.answer = everyone_noted
    gemini.output_limit = 32_000
    async with opened(batch_tokens=20_000) as app:
        await crowd(app, clock, 1_500, 500)
        await app.memory.replies.contexts(public(G), [1], wait=60)

    calls = note_calls(gemini)
    assert sum(len(re.findall(r"^\d+ u", asked.sections["messages"], re.M)) for asked in calls) == 1_500
    assert max(tokens(asked.whole) for asked in calls) <= 20_000
    assert len(calls) == 3


async def test_a_model_that_writes_less_than_it_is_said_to_is_asked_for_less(
    opened: Opener, gemini: GeminiStandIn, clock: Clock
) -> None:
    """An answer that is cut off is paid for once: what is asked next is smaller from the start."""
    gemini.answer = everyone_noted
    gemini.output_limit = 4_000
    async with opened() as app:
        await crowd(app, clock, 1_200, 10)
        await app.memory.replies.contexts(public(G), [1], wait=60)

    counts = [len(re.findall(r"^\d+ u", asked.sections["messages"], re.M)) for asked in note_calls(gemini)]
    assert counts[0] == 1_200
    assert sum(counts[-8:]) >= 600
    assert len(counts) <= 14, counts


async def test_earlier_notes_go_along_with_talk_of_the_same_people(
    app: App, talk: Talk, gemini: GeminiStandIn, clock: Clock
) -> None:
    """What was noted of others does not help to read it, and is not paid for again."""
    await talk.say(1, LONG)
    await talk.say(2, "the kiln controller is fixed in Tallinn")
    await app.memory.get_memories(G, 1)
    clock.on(hours=2)
    await talk.say(2, "and the kiln lid came loose at 900 degrees")
    await app.memory.get_memories(G, 2)

    earlier = note_calls(gemini)[-1].sections["earlier"]
    assert "kiln" in earlier
    assert "cello" not in earlier


async def test_a_day_is_read_by_several_hours_where_the_calls_are_short(
    app: App, talk: Talk, gemini: GeminiStandIn, clock: Clock, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What came since waits as long as the governor stretches the interval; a restart does not read it earlier."""
    clock.set(2026, 11, 10, 12, 30)
    await talk.say(1, LONG)
    await app.memory.get_memories(G, 1)
    monkeypatch.setattr(type(app.memory._ai.batch), "hours_between_reads", 3)
    for hour in (1, 2, 3):
        clock.on(hours=1)
        await talk.say(1, f"and now chapter {hour + 1}, vibrato is hard")
        app.memory._core.generations.move(0)
        await app.memory.get_memories(G, 1)
        assert len(note_calls(gemini)) == (1 if hour < 3 else 2), hour


@pytest.mark.parametrize(("lines", "least", "most"), [(1, 40, 100), (12, 101, 180), (64, 261, 400)])
async def test_earlier_notes_take_a_third_of_the_talk_and_an_eighth_of_a_call(
    opened: Opener, gemini: GeminiStandIn, clock: Clock, lines: int, least: int, most: int
) -> None:
    """Of a morning with much to tell, the weightiest go along, as many as there is room for."""
    where = "in the long hall behind the old harbour of Gdynia, next to the crane that was painted in spring"
    told = [f"u1 event 2 {n}: the number {n} kiln {where} broke down again" for n in range(1, 25)]
    async with opened(batch_tokens=4_000) as app:
        talk = Talk(app, clock)
        for n in range(1, 25):
            await talk.say(1, f"the number {n} kiln {where} broke down again")
        gemini.answer = lambda asked: json.dumps({"notes": told})
        await app.memory.get_memories(G, 1)
        clock.on(hours=1)
        for _ in range(lines):
            await talk.say(1, f"and the last one is mended {where}")
        await app.memory.get_memories(G, 1)

    earlier = note_calls(gemini)[-1].sections["earlier"]
    assert least <= tokens(earlier) <= most


@pytest.mark.parametrize("shared", [False, True])
async def test_a_name_that_somebody_else_has_too_means_nobody(
    app: App, talk: Talk, gemini: GeminiStandIn, dsn: str, shared: bool
) -> None:
    """Also where that other one has no part in the talk that is read."""
    other = Member(guild_id=G, user_id=9, display_name="Ann" if shared else "Zoe", username="nine")
    await app.memory._core.store.people.update_names([other], NOON)
    await talk.say(1, "sang in the choir today with the whole street")
    gemini.answer = lambda asked: json.dumps({"notes": ["u1 event 2 1: Ann sang in the choir today"]})
    await app.memory.get_memories(G, 1)

    (note,) = await query(dsn, "SELECT text FROM notes")
    assert note["text"].startswith("Ann" if shared else "<@1>")
