"""The current day by the hour, closed days once, one call for all members."""

import asyncio
import json
from datetime import UTC, datetime, timedelta

import pytest

from memory import AIUnusable, AuthorKind, Message
from memory.daily import chunks
from tests.conftest import NOON, Clock, G, Opener, Talk, query
from urmom_bot.app import App
from urmom_bot.stand_ins import Asked, Fault, GeminiStandIn, extractive

LONG = "finished the first chapter of the cello book, it is about the bow hold"


def daily_calls(gemini: GeminiStandIn) -> list[Asked]:
    return [asked for asked in gemini.asked if asked.name == "Daily summaries"]


async def test_one_call_serves_all_members_of_a_day(app: App, talk: Talk, gemini: GeminiStandIn) -> None:
    """However many members are asked about, a day is one call."""
    for user in (1, 2, 3):
        await talk.say(user, f"{LONG} number {user}")

    found = await app.memory.contexts(G, [1, 2, 3])

    assert len(daily_calls(gemini)) == 1
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

    assert len(daily_calls(gemini)) == 1


async def test_a_refresh_sends_the_new_messages_alone(
    app: App, talk: Talk, gemini: GeminiStandIn, clock: Clock
) -> None:
    """After the hour, the earlier result and what came since are sent, not the day again."""
    await talk.say(1, LONG)
    await app.memory.get_memories(G, 1)
    clock.on(hours=1)
    await talk.say(1, "and now the second chapter, vibrato is hard")
    text = await app.memory.get_memories(G, 1)

    second = daily_calls(gemini)[1].sections
    assert "vibrato" in second["messages"]
    assert "bow hold" not in second["messages"]
    assert "bow hold" in second["earlier"]
    assert text
    assert "vibrato" in text


async def test_after_the_hour_without_new_messages_nothing_is_asked(
    app: App, talk: Talk, gemini: GeminiStandIn, clock: Clock
) -> None:
    """Staleness is a comparison: an hour passing is none, if the sources are the same."""
    await talk.say(1, LONG)
    await app.memory.get_memories(G, 1)
    clock.on(hours=3)
    await app.memory.get_memories(G, 1)

    assert len(daily_calls(gemini)) == 1


async def test_an_edit_of_a_summed_up_message_makes_the_day_anew(
    app: App, talk: Talk, gemini: GeminiStandIn, clock: Clock
) -> None:
    """What was summed up from an older text is stale, and is made again from the whole day."""
    message = await talk.say(1, "the exam is on the 14th of December in room 5")
    await talk.say(2, LONG)
    await app.memory.get_memories(G, 1)
    for _ in range(5):
        clock.on(seconds=30)
        await app.memory.edit_message(G, message, "the exam is on the 15th of December in room 5", clock())
        await app.memory.flush()
        assert "14th" not in (await app.memory.get_memories(G, 1) or "")
    assert len(daily_calls(gemini)) == 1  # however much is edited, the whole day is not sent every time
    clock.on(minutes=10)
    text = await app.memory.get_memories(G, 1)

    assert len(daily_calls(gemini)) == 2
    assert "earlier" not in daily_calls(gemini)[1].sections
    assert text
    assert "15th" in text
    assert "14th" not in text


async def test_a_deleted_message_is_out_of_the_day_at_its_next_use(
    app: App, talk: Talk, gemini: GeminiStandIn, clock: Clock
) -> None:
    """A day whose message was deleted is made again without it."""
    message = await talk.say(1, "my locker code is under the third stone from the left")
    await talk.say(1, LONG)
    await app.memory.get_memories(G, 1)
    await app.memory.delete_messages(G, [message])
    await app.memory.flush()
    assert "locker" not in (await app.memory.get_memories(G, 1) or "")
    clock.on(minutes=10)
    text = await app.memory.get_memories(G, 1)

    assert text
    assert "locker" not in text


async def test_a_closed_day_is_made_once_from_the_whole_of_it(
    app: App, talk: Talk, gemini: GeminiStandIn, clock: Clock
) -> None:
    """When the day is over it is made once more, whole, and then never again."""
    await talk.say(1, LONG)
    await app.memory.get_memories(G, 1)
    clock.on(hours=2)
    await talk.say(1, "and now the second chapter, vibrato is hard")
    clock.on(days=1)
    for _ in range(3):
        await app.memory.get_memories(G, 1)
        clock.on(hours=2)

    last = daily_calls(gemini)[-1].sections
    assert len(daily_calls(gemini)) == 2
    assert "bow hold" in last["messages"]
    assert "vibrato" in last["messages"]
    assert "earlier" not in last


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
    assert len(daily_calls(gemini)) == 1
    await app.memory.get_memories(G, 3)
    assert len(daily_calls(gemini)) == 1
    await app.memory.get_memories(G, 1)
    assert len(daily_calls(gemini)) == 2


async def test_a_day_above_the_budget_is_summed_up_chunk_by_chunk(
    opened: Opener, gemini: GeminiStandIn, clock: Clock, dsn: str
) -> None:
    """No call exceeds the model's budget, no message is left out, and evidence of every chunk is kept."""
    async with opened(batch_tokens=2_000) as app:
        talk = Talk(app, clock)
        for n in range(60):
            await talk.say(1 + n % 2, f"fact number {n}: " + "word " * 60, clock.now - timedelta(minutes=100 - n))
        await app.memory.get_memories(G, 1)

    calls = daily_calls(gemini)
    assert len(calls) > 2
    assert all(len(asked.sections["messages"]) < 2_000 * 3.6 for asked in calls)
    for n in range(60):
        assert sum(f"fact number {n}:" in asked.sections["messages"] for asked in calls) == 1
    evidence = (await query(dsn, "SELECT evidence FROM daily_summaries WHERE user_id = 1"))[0][0]
    assert set(evidence) <= set(talk.ids)
    assert len(set(evidence)) > 3


async def test_an_answer_that_is_cut_off_is_asked_for_in_halves(app: App, talk: Talk, gemini: GeminiStandIn) -> None:
    """A day whose answer does not fit is split until it does."""
    for user in (1, 2, 3, 4):
        await talk.say(user, f"{LONG} number {user}")
    gemini.faults.append(Fault(kind="cut off"))
    found = await app.memory.contexts(G, [1, 4])

    assert len(daily_calls(gemini)) == 3
    assert "number 1" in (found[1].text or "")
    assert "number 4" in (found[4].text or "")


async def test_ids_that_do_not_exist_are_dropped_and_lengths_held(
    app: App, talk: Talk, gemini: GeminiStandIn, dsn: str
) -> None:
    """A model cannot invent members or messages, nor write more than it may."""
    await talk.say(1, LONG)
    gemini.answer = lambda asked: json.dumps(
        {
            "members": [
                {"member": "u1", "summary": "Ann wrote a lot. " * 80, "evidence": [1, 99, -1, 0]},
                {"member": "u2", "summary": "Somebody who is not there."},
                {"member": "4711", "summary": "A raw id."},
                {"member": "u1\n", "summary": ""},
            ]
        }
    )
    await app.memory.get_memories(G, 1)

    rows = await query(dsn, "SELECT user_id, summary, evidence FROM daily_summaries")
    assert [(r["user_id"], r["evidence"]) for r in rows] == [(1, [talk.ids[0]])]
    assert len(rows[0]["summary"]) <= 300


async def test_a_refused_day_is_recorded_and_not_asked_again(
    app: App, talk: Talk, gemini: GeminiStandIn, clock: Clock, dsn: str
) -> None:
    """Make's rule: the same sources are refused once; new ones are asked about."""
    await talk.say(1, LONG)
    gemini.faults.append(Fault(kind="refused"))
    for _ in range(3):
        await app.memory.get_memories(G, 1)
        clock.on(hours=1)
    assert len(daily_calls(gemini)) == 1
    assert (await query(dsn, "SELECT refused FROM daily_runs"))[0]["refused"]
    await talk.say(1, "vibrato is hard, chapter two takes weeks")
    text = await app.memory.get_memories(G, 1)

    assert len(daily_calls(gemini)) == 2
    assert text
    assert "vibrato" in text


@pytest.mark.parametrize("answer", ["", "no", '{"members": 5}', '{"members": [{"member": "u1"'])
async def test_a_malformed_answer_is_repaired_once_and_then_left_for_a_while(
    app: App, talk: Talk, gemini: GeminiStandIn, clock: Clock, answer: str, dsn: str
) -> None:
    """Two calls at the most, nothing stored, and no storm of calls from every reply."""
    await talk.say(1, LONG)
    gemini.answer = lambda asked: answer
    found = (await app.memory.contexts(G, [1]))[1]
    for _ in range(3):
        await app.memory.get_memories(G, 1)

    assert len(daily_calls(gemini)) <= 2
    assert found.text is None
    assert found.trouble
    assert not await query(dsn, "SELECT 1 FROM daily_runs")
    gemini.answer = lambda asked: json.dumps({"members": [{"member": "u1", "summary": "Ann read."}]})
    clock.on(minutes=11)
    assert await app.memory.get_memories(G, 1) == "Today: Ann read."


async def test_a_repair_tells_the_model_what_was_wrong(app: App, talk: Talk, gemini: GeminiStandIn) -> None:
    """The second try carries the first answer and its problem, and is used when it fits."""
    await talk.say(1, LONG)
    answers = iter(['{"people": []}', '{"members": [{"member": "u1", "summary": "Ann read."}]}'])
    gemini.answer = lambda asked: next(answers)

    assert await app.memory.get_memories(G, 1) == "Today: Ann read."
    assert "what_is_wrong" in daily_calls(gemini)[1].data


async def test_concurrent_callers_share_one_build(app: App, talk: Talk, gemini: GeminiStandIn) -> None:
    """Single flight within the process."""
    await talk.say(1, LONG)
    await talk.say(2, LONG)
    gemini.faults.append(Fault(kind="late", seconds=0.2))
    await asyncio.gather(*(app.memory.contexts(G, [1 + n % 2]) for n in range(20)))

    assert len(daily_calls(gemini)) == 1


async def test_two_processes_share_one_build(opened: Opener, gemini: GeminiStandIn, clock: Clock) -> None:
    """Single flight across processes: the second waits for the first and takes what it made."""
    async with opened() as one, opened() as other:
        await Talk(one, clock).say(1, LONG)
        gemini.faults.append(Fault(kind="late", seconds=0.3))
        texts = await asyncio.gather(one.memory.get_memories(G, 1), other.memory.get_memories(G, 1))

    assert texts[0] == texts[1]
    assert len(daily_calls(gemini)) == 1


async def test_another_process_hears_of_an_edit(opened: Opener, gemini: GeminiStandIn, clock: Clock) -> None:
    """A change that one process writes drops what another has cached."""
    async with opened() as one, opened() as other:
        message = await Talk(one, clock).say(1, "the exam is on the 14th of December in room 5")
        assert "14th" in (await other.memory.get_memories(G, 1) or "")
        clock.on(minutes=11)
        await one.memory.edit_message(G, message, "the exam is on the 15th of December in room 5", clock())
        await one.memory.flush()
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
            clock.on(minutes=11)
            await one.memory.edit_message(G, message, f"the exam is on the {day}th of December in room 5", clock())
            await one.memory.flush()
            async with asyncio.timeout(10):
                while f"{day}th" not in (await other.memory.get_memories(G, 1) or ""):
                    await asyncio.sleep(0.05)


async def test_bots_and_commands_are_not_summed_up(app: App, talk: Talk, gemini: GeminiStandIn, clock: Clock) -> None:
    """Bots, webhooks and the bot itself are no people, and what is off the record stays so."""
    await talk.say(1, LONG)
    for kind in ("bot", "webhook", "self"):
        await talk.say(50, f"I am a {kind} and say something long enough", author_kind=AuthorKind(kind))
    secret = await talk.say(1, "Bot forget that Ann eats glass for breakfast")
    await app.memory.keep_off_record(G, secret)
    await app.memory.flush()
    await app.memory.contexts(G, [1, 50])

    messages = daily_calls(gemini)[0].sections["messages"]
    assert messages.splitlines()[2:] == [f"1 u1: {LONG}"]
    assert "glass" not in messages


async def test_the_guilds_zone_decides_the_day(app: App, talk: Talk, gemini: GeminiStandIn, clock: Clock) -> None:
    """The same moment is today in one zone and yesterday in another, and changing the zone rebuilds."""
    clock.set(2026, 11, 10, 3)
    await talk.say(1, LONG, datetime(2026, 11, 10, 1, tzinfo=UTC))
    first = (await app.memory.contexts(G, [1]))[1]
    await app.memory.set_time_zone(G, "America/New_York")
    clock.set(2026, 11, 10, 6)
    second = (await app.memory.contexts(G, [1]))[1]

    assert [part.level for part in first.parts] == ["current day"]
    assert [part.level for part in second.parts] == ["days 2-7"]
    assert "2026-11-09" in (second.text or "")


async def test_an_unusable_day_raises_to_who_asks_for_it(app: App, talk: Talk, gemini: GeminiStandIn) -> None:
    """A failure never looks like absence: the level raises, and the context says what is wrong."""
    await talk.say(1, LONG)
    gemini.answer = lambda asked: "no"
    found = (await app.memory.contexts(G, [1]))[1]

    assert found.trouble is not None
    assert str(AIUnusable("x")) == "x"
    assert "cannot be used" in found.trouble


async def test_what_a_model_cites_is_checked(app: App, talk: Talk, gemini: GeminiStandIn) -> None:
    """A message about somebody else is no source, and a summary that rests on such alone is not stored."""
    mine = await talk.say(1, "the kiln controller is fixed in Tallinn")
    to_bob = await talk.say(1, "bob: the tram takes 40 minutes")
    other = await talk.say(2, "mine takes 9 minutes")
    assert other
    answer = {
        "members": [
            {"member": "u1", "summary": "Ann fixed a kiln.", "evidence": [1, 3, 99]},
            {"member": "u2", "summary": "Bob fixed a kiln.", "evidence": [1]},
        ]
    }
    gemini.answer = lambda asked: json.dumps(answer) if asked.name == "Daily summaries" else extractive(asked)
    found = await app.memory.contexts(G, [1, 2])
    assert [part.evidence for part in found[1].parts] == [(mine,)]
    assert "kiln" not in (found[2].text or "")

    answer["members"][1]["evidence"] = [2]
    await talk.app.memory.delete_messages(G, [mine])
    await talk.say(2, "nothing else happened today")
    talk.clock.on(minutes=11)
    answer["members"][1]["evidence"] = [1]  # the first is now what Ann told Bob
    found = await app.memory.contexts(G, [1, 2])
    assert [part.evidence for part in found[2].parts] == [(to_bob,)]


async def test_of_a_refused_day_half_may_be_read(app: App, talk: Talk, gemini: GeminiStandIn, dsn: str) -> None:
    """What a model will not read is mostly in a few lines: each half is asked about once, and the refusal recorded."""
    await talk.say(1, "the kiln controller is fixed in Tallinn")
    await talk.say(2, "the tram takes 40 minutes to Gdynia")
    await talk.say(1, "something that it will not read, four lines of it")
    await talk.say(2, "and something more that it will not read")
    gemini.refuses = "will not read"
    found = await app.memory.contexts(G, [1, 2])
    assert len(daily_calls(gemini)) == 3
    assert "kiln" in (found[1].text or "")
    assert "tram" in (found[2].text or "")
    assert (await query(dsn, "SELECT refused FROM daily_runs"))[0]["refused"]


def test_chunks_are_cut_where_talk_pauses() -> None:
    """Within the budget, in order, nothing lost, and in the last quarter of a chunk at its longest pause."""

    def said(minute: int) -> Message:
        at = NOON + timedelta(minutes=minute)
        return Message(guild_id=G, message_id=minute, channel_id=7, user_id=1, text="x" * 340, timestamp=at)

    cost = 101
    talk = [said(minute) for minute in (*range(8), 40, 41, *range(50, 60))]
    cut = chunks(talk, 10 * cost)
    assert [m for chunk in cut for m in chunk] == talk
    assert [chunk[0].message_id for chunk in cut] == [0, 40, 58]
    assert all(len(chunk) <= 10 for chunk in cut)
    steady = [said(minute) for minute in range(25)]
    assert [len(chunk) for chunk in chunks(steady, 10 * cost)] == [10, 10, 5]
    assert [len(chunk) for chunk in chunks([said(0), said(1)], 1)] == [1, 1]
    assert chunks([], 10) == []
