"""Sessions: one reply at a time, found again, ended in their time, gone with their words (seed 001)."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from contextlib import AsyncExitStack

import pytest
from cryptography.fernet import Fernet
from pydantic import SecretStr

from memory import Channel, Consent, Fact, Given, Mode, Statement, Viewer
from memory.records import GivenMember, SessionBusy
from memory.sessions import sessions as module
from memory.store import Store
from tests.builders import Clock, G, Opener, Talk, query, tell, viewer_of
from tests.memory.sessions.conftest import CHANNEL, Chat, decision, leaves
from urmom_bot.stand_ins import GeminiStandIn

ANN, BOB = 1, 2


async def count(dsn: str, table: str) -> int:
    (row,) = await query(dsn, f"SELECT count(*) FROM {table}")
    return int(row["count"])


async def test_a_talk_goes_on(chat: Chat) -> None:
    """Turns are found again by the next message, oldest first, with who spoke, in the providers' form."""
    await chat.say(ANN, "The kiln is broken", "Which part?")
    exchange = await chat.say(BOB, "The thermostat of the kiln")
    window = [(t.role.value, t.user_id, t.text) for t in exchange.window]
    assert window[:2] == [("user", ANN, "The kiln is broken"), ("model", 0, "Which part?")]
    assert exchange.window[0].as_content() == {"role": "user", "content": "The kiln is broken"}
    assert exchange.turn.number == 3
    assert exchange.turn.continuity is not None


async def test_it_is_found_after_a_restart(opened: Opener, clock: Clock) -> None:
    """Another process reads what the first one wrote."""
    async with opened() as first:
        await Chat(first, Talk(first, clock), clock).say(ANN, "The kiln is broken, all of it")
        # a kill, not a normal stop: nothing is said to anybody
        first.memory.conversations._talked.clear()
    async with opened() as second:
        talk = Talk(second, clock, count=50)
        exchange = await Chat(second, talk, clock).say(ANN, "what did I say?")
    assert [t.text for t in exchange.window][:1] == ["The kiln is broken, all of it"]


async def test_channels_do_not_mix(chat: Chat) -> None:
    """A session per channel."""
    await chat.say(ANN, "The kiln is broken")
    exchange = await chat.say(ANN, "hello", channel=8)
    assert exchange.window == ()


async def test_nothing_is_written_where_the_work_fails(chat: Chat, dsn: str) -> None:
    """Acquire and release are one unit of work."""
    viewer = await viewer_of(chat.app.memory, G, ANN)
    with pytest.raises(RuntimeError):
        async with chat.app.memory.conversations.acquire(viewer, CHANNEL, 5, "hello there", chat.clock.now) as exchange:
            exchange.answered("hi", [6], chat.clock.now)
            raise RuntimeError
    assert await count(dsn, "turns") == 0
    exchange = await chat.say(ANN, "and now?")  # and nobody waits for it
    assert exchange.turn.number == 1


async def test_one_at_a_time_in_order_and_no_more_than_a_few(chat: Chat, dsn: str) -> None:
    """Messages wait in the order they came; whoever comes when the queue is full is told so at once."""
    order: list[int] = []
    inside = 0

    async def one(number: int) -> None:
        nonlocal inside
        viewer = Viewer(guild_id=G, user_id=ANN)
        async with chat.app.memory.conversations.acquire(viewer, CHANNEL, number, "hi", chat.clock.now):
            inside += 1
            assert inside == 1
            await asyncio.sleep(0.02)
            inside -= 1
            order.append(number)

    every = [asyncio.create_task(one(n)) for n in range(1, 9)]
    done = await asyncio.gather(*every, return_exceptions=True)
    assert order == [1, 2, 3, 4, 5]
    assert [isinstance(result, SessionBusy) for result in done] == [False] * 5 + [True] * 3


async def test_other_channels_do_not_wait(chat: Chat) -> None:
    """A slow answer in one channel holds up no other."""
    viewer = Viewer(guild_id=G, user_id=ANN)
    acquire = chat.app.memory.conversations.acquire
    now = chat.clock.now
    async with asyncio.timeout(5), acquire(viewer, 7, 1, "hi", now), acquire(viewer, 8, 2, "hi", now) as other:
        assert other.turn.number == 1


async def test_two_processes_take_turns(opened: Opener, clock: Clock, monkeypatch: pytest.MonkeyPatch) -> None:
    """The lock is of all processes; who waits too long for another process is told that it is busy."""
    async with opened() as one, opened() as two:
        monkeypatch.setattr(module, "MAX_TURN_WAIT", 0.5)
        viewer = Viewer(guild_id=G, user_id=ANN)
        async with one.memory.conversations.acquire(viewer, 7, 1, "hi", clock.now):
            with pytest.raises(SessionBusy):
                async with two.memory.conversations.acquire(viewer, 7, 2, "hi", clock.now):
                    pass
        async with two.memory.conversations.acquire(viewer, 7, 2, "hi", clock.now):
            pass


async def test_who_waits_too_long_here_is_told(chat: Chat, monkeypatch: pytest.MonkeyPatch) -> None:
    """In the same process too, and the queue is free again afterwards."""
    monkeypatch.setattr(module, "MAX_TURN_WAIT", 0.1)
    viewer = Viewer(guild_id=G, user_id=ANN)
    acquire = chat.app.memory.conversations.acquire
    async with acquire(viewer, 7, 1, "hi", chat.clock.now):
        with pytest.raises(SessionBusy):
            async with acquire(viewer, 7, 2, "hi", chat.clock.now):
                pass
    async with acquire(viewer, 7, 3, "hi", chat.clock.now):
        pass


async def test_a_dead_process_lets_go(opened: Opener, clock: Clock, dsn: str) -> None:
    """Its lock goes with its connection."""
    store = await Store.open(dsn)
    async with opened() as living, AsyncExitStack() as dying:
        await dying.enter_async_context(store.coordinator.lock(f"session {G} {CHANNEL}"))
        pid = await store.coordinator._connection.fetchval("SELECT pg_backend_pid()")  # type: ignore[union-attr]
        await query(dsn, "SELECT pg_terminate_backend($1)", pid)
        viewer = Viewer(guild_id=G, user_id=ANN)
        async with asyncio.timeout(10):
            async with living.memory.conversations.acquire(viewer, CHANNEL, 1, "hi", clock.now) as exchange:
                assert exchange.turn.number == 1
    await store.close()


@pytest.mark.parametrize(
    ("minutes", "kept", "goes_on"),
    [(6.9, True, True), (7, True, False), (59, False, True), (60, False, False)],
)
async def test_how_long_a_session_lasts(chat: Chat, minutes: float, kept: bool, goes_on: bool) -> None:
    """Seven idle minutes where it leaves a digest, an hour where it leaves nothing."""
    if not kept:
        manager = Viewer(guild_id=G, user_id=ANN, may_manage=True)
        await chat.app.memory.guilds.set_mode(manager, CHANNEL, Mode.TALK)
    await chat.say(ANN, "The kiln is broken")
    chat.clock.on(minutes=minutes, seconds=-20)
    exchange = await chat.say(ANN, "and now?")
    assert bool(exchange.window) is goes_on


@pytest.mark.parametrize(
    ("mode", "event", "sessions", "due"),
    [
        (Mode.REMEMBER, "nothing", 1, 0),
        (Mode.REMEMBER, "idle", 1, 1),
        (Mode.REMEMBER, "reset", 1, 1),
        (Mode.REMEMBER, "stop", 1, 1),
        (Mode.REMEMBER, "digest", 0, 0),
        (Mode.TALK, "idle", 1, 0),
        (Mode.TALK, "stop", 1, 0),
        (Mode.TALK, "reset", 0, 0),
        (Mode.TALK, "hour", 0, 0),
    ],
)
async def test_states_and_what_moves_them(
    chat: Chat, dsn: str, gemini: GeminiStandIn, mode: Mode, event: str, sessions: int, due: int
) -> None:
    """Active, ended with a digest due, gone: what each event makes of a session that leaves a digest or nothing."""
    memory = chat.app.memory
    manager = Viewer(guild_id=G, user_id=ANN, may_manage=True)
    await memory.guilds.set_mode(manager, CHANNEL, mode)
    await chat.say(ANN, "The kiln is broken and nobody knows how to mend it now")
    inner = memory.conversations._sessions
    match event:
        case "idle":
            chat.clock.on(minutes=8)
            await inner.end_idle(G)
        case "hour":
            chat.clock.on(minutes=61)
            await inner.end_idle(G)
        case "reset":
            assert await memory.conversations.reset(manager, CHANNEL)
            assert not await memory.conversations.reset(manager, CHANNEL)
        case "stop":
            await inner.stop(G, CHANNEL)
        case "digest":
            leaves(gemini)
            await chat.over()
    assert await count(dsn, "sessions") == sessions
    (row,) = await query(dsn, "SELECT count(*) FROM sessions WHERE digest_due_at IS NOT NULL")
    assert row["count"] == due
    if not sessions:
        assert await count(dsn, "turns") == 0


async def test_turns_go_with_their_messages(chat: Chat, dsn: str) -> None:
    """A deleted message takes its turn, the answer to it, and the segment that sums them up."""
    for n in range(10):
        await chat.say(ANN, f"The kiln number {n} is broken in the shed")
    assert await count(dsn, "segments") == 3
    (first,) = await query(dsn, "SELECT message_id FROM turns WHERE turn = 1")
    await chat.app.memory.messages.delete(G, [first["message_id"]])
    await chat.app.memory.messages.flush()
    left = await query(dsn, "SELECT turn FROM turns ORDER BY turn LIMIT 2")
    assert [row["turn"] for row in left] == [3, 4]
    assert await count(dsn, "segments") == 2


async def test_an_edit_takes_the_turn(chat: Chat, dsn: str) -> None:
    """What stands there now was not what was answered."""
    await chat.say(ANN, "The kiln is broken")
    (first,) = await query(dsn, "SELECT message_id FROM turns WHERE turn = 1")
    await chat.app.memory.messages.edit(G, first["message_id"], "nothing", chat.clock.now)
    await chat.app.memory.messages.flush()
    assert await count(dsn, "turns") == 0


async def test_a_message_deleted_while_it_is_answered_leaves_no_turn(chat: Chat, dsn: str) -> None:
    """Release looks whether it is still there."""
    message = await chat.talk.say(ANN, "The kiln is broken")
    viewer = Viewer(guild_id=G, user_id=ANN)
    async with chat.app.memory.conversations.acquire(viewer, 7, message, "The kiln is broken", chat.clock.now) as one:
        await chat.app.memory.messages.delete(G, [message])
        await chat.app.memory.messages.flush()
        one.making = chat.app.memory.replies.begin(G)  # even where the news has not come yet
        one.answered("oh", [77], chat.clock.now)
    assert await count(dsn, "turns") == 0


Change = Callable[[Chat, int, Fact], Awaitable[object]]

CHANGES: dict[str, Change] = {
    "deleted": lambda chat, message, _: chat.app.memory.messages.delete(G, [message]),
    "edited": lambda chat, message, _: chat.app.memory.messages.edit(G, message, "Tom", chat.clock.now),
    "forgotten": lambda chat, _, __: chat.app.memory.forgetting.forget(
        Viewer(guild_id=G, user_id=BOB), chat.talk.member(BOB), "my cat is called Zorblax"
    ),
    "retired": lambda chat, _, fact: chat.app.memory.forgetting.strike(
        Viewer(guild_id=G, user_id=BOB), chat.talk.member(BOB), [fact]
    ),
}


@pytest.mark.parametrize("change", CHANGES)
@pytest.mark.parametrize("is_given", [True, False])
@pytest.mark.parametrize("is_noticed", [True, False])
async def test_an_exchange_goes_with_what_it_was_given_alone(
    chat: Chat, dsn: str, change: str, is_given: bool, is_noticed: bool
) -> None:
    """What changes elsewhere while an answer is made takes nothing of it; nor does it count whether it was noticed."""
    message = await chat.talk.say(ANN, "The kiln is broken")
    other = await chat.talk.say(BOB, "my cat is called Zorblax")
    statement = Statement(guild_id=G, user_id=BOB, stated_by=BOB, quote="I sing alto", channel_id=7, message_id=5)
    fact = (await tell(chat.app.memory, statement, chat.talk.member(BOB), chat.talk.member(BOB))).fact
    await chat.app.memory.messages.flush()
    viewer = Viewer(guild_id=G, user_id=ANN)
    given = Given(shown=(other,), members={BOB: GivenMember(fact_ids=(fact.fact_id,))}) if is_given else Given()
    async with chat.app.memory.conversations.acquire(viewer, 7, message, "The kiln is broken", chat.clock.now) as one:
        await CHANGES[change](chat, other, fact)
        await chat.app.memory.messages.flush()
        assert chat.app.memory.replies.begin(G).generation > one.making.generation
        if not is_noticed:  # it was another process's, or is committed this moment
            one.making = chat.app.memory.replies.begin(G)
        one.answered("oh", [77], chat.clock.now, given)
    assert await count(dsn, "turns") == (0 if is_given else 2)


@pytest.mark.parametrize(("deleted", "turns"), [(123, 0), (124, 2)])
async def test_of_messages_that_are_not_stored_those_count_that_were_seen_to_go(
    chat: Chat, dsn: str, deleted: int, turns: int
) -> None:
    """Where the bot talks and does not remember, no row says which messages are there."""
    manager = Viewer(guild_id=G, user_id=BOB, may_manage=True)
    await chat.app.memory.guilds.set_mode(manager, CHANNEL, Mode.TALK)
    viewer = Viewer(guild_id=G, user_id=ANN)
    async with chat.app.memory.conversations.acquire(viewer, 7, 5, "The kiln is broken", chat.clock.now) as one:
        chat.clock.on(seconds=1)
        await chat.app.memory.messages.delete(G, [deleted])
        await chat.app.memory.messages.flush()
        one.answered("oh", [77], chat.clock.now, Given(shown=(123,)))
    assert await count(dsn, "turns") == turns


async def test_an_edit_of_long_ago_that_is_known_only_now_counts(chat: Chat, dsn: str) -> None:
    """It was made while the bot was away, and is found while an answer is made with the old words."""
    message = await chat.talk.say(ANN, "what is new?")
    other = await chat.talk.say(BOB, "my cat is called Zorblax")
    await chat.app.memory.messages.flush()
    long_ago = chat.clock.now
    chat.clock.on(hours=1)
    viewer = Viewer(guild_id=G, user_id=ANN)
    async with chat.app.memory.conversations.acquire(viewer, 7, message, "what is new?", chat.clock.now) as one:
        chat.clock.on(seconds=1)
        await chat.app.memory.messages.edit(G, other, "my cat is called Tom", long_ago, channel_id=7)
        await chat.app.memory.messages.flush()
        one.answered("A cat", [77], chat.clock.now, Given(shown=(other,)))
    assert await count(dsn, "turns") == 0


async def test_what_was_forgotten_meanwhile_is_not_kept_in_other_words(chat: Chat, dsn: str) -> None:
    """The answer may have it from anywhere."""
    message = await chat.talk.say(ANN, "what is new?")
    await chat.talk.say(BOB, "my cat is called Zorblax")
    await chat.app.memory.messages.flush()
    bob = Viewer(guild_id=G, user_id=BOB)
    async with chat.app.memory.conversations.acquire(
        Viewer(guild_id=G, user_id=ANN), 7, message, "what is new?", chat.clock.now
    ) as one:
        await chat.app.memory.forgetting.forget(bob, chat.talk.member(BOB), "my cat is called Zorblax")
        one.answered(f"The cat of <@{BOB}> is called Zorblax", [77], chat.clock.now)
    assert await count(dsn, "turns") == 0


async def test_a_roll_call_that_finds_nobody_gone_moves_nothing(chat: Chat) -> None:
    """A change that changes nothing."""
    await chat.talk.say(ANN, "hello")
    await chat.app.memory.messages.flush()
    before = chat.app.memory.replies.begin(G).generation
    await chat.app.memory.guilds.on_members_left(G, [])
    await chat.app.memory.guilds.on_members_left(G, [999])
    await chat.app.memory.guilds.on_bot_joined(G)
    assert chat.app.memory.replies.begin(G).generation == before
    await chat.app.memory.guilds.on_members_left(G, [ANN])
    assert chat.app.memory.replies.begin(G).generation > before


@pytest.mark.parametrize("consent", [Consent.EXPLICIT, Consent.OFF])
async def test_who_lets_no_messages_be_kept_has_no_turns(chat: Chat, dsn: str, consent: Consent) -> None:
    """Neither their words nor the answers to them, also where the turns of others are kept without their messages."""
    manager = Viewer(guild_id=G, user_id=BOB, may_manage=True)
    await chat.app.memory.guilds.set_mode(manager, CHANNEL, Mode.TALK)
    ann = chat.talk.member(ANN)
    await chat.app.memory.privacy.choose(Viewer(guild_id=G, user_id=ANN, is_alone=True), ann, consent, G)
    viewer = Viewer(guild_id=G, user_id=ANN)
    async with chat.app.memory.conversations.acquire(viewer, 7, 5, "The kiln is broken", chat.clock.now) as exchange:
        exchange.answered("oh", [6], chat.clock.now)
    assert await count(dsn, "turns") == 0


async def test_opting_out_takes_the_turns_there_are(chat: Chat, dsn: str) -> None:
    """Also in a channel whose messages are not stored, where no message leads to them."""
    manager = Viewer(guild_id=G, user_id=ANN, may_manage=True)
    await chat.app.memory.guilds.set_mode(manager, CHANNEL, Mode.TALK)
    await chat.say(ANN, "The kiln is broken", "Oh dear")
    await chat.say(BOB, "Bob is here", "Hi")
    ann = chat.talk.member(ANN)
    await chat.app.memory.privacy.choose(Viewer(guild_id=G, user_id=ANN, is_alone=True), ann, Consent.OFF, G)
    left = await query(dsn, "SELECT text FROM turns ORDER BY turn")
    assert [row["text"] for row in left] == ["Bob is here", "Hi"]


async def test_forgetting_takes_the_turns_that_tell_it(chat: Chat, dsn: str) -> None:
    """In a channel that is not remembered too, with the answers to them; the rest of the talk stays."""
    manager = Viewer(guild_id=G, user_id=ANN, may_manage=True)
    await chat.app.memory.guilds.set_mode(manager, CHANNEL, Mode.TALK)
    await chat.say(ANN, "my kiln is broken", "Poor kiln")
    await chat.say(ANN, "my cat is called Zorblax", "A fine name")
    await chat.say(BOB, "and mine is Tom", "Your cat is called Tom, and that of Ann is called Zorblax")
    ann = chat.talk.member(ANN)
    viewer = await viewer_of(chat.app.memory, G, ANN)
    statement = Statement(guild_id=G, user_id=ANN, stated_by=ANN, quote="my cat is called Zorblax", channel_id=8)
    await tell(chat.app.memory, statement, ann, ann)
    done = await chat.app.memory.forgetting.forget(viewer, ann, "my cat is called Zorblax")
    assert done.receipt is not None
    assert done.receipt.clean, done.receipt.found
    left = await query(dsn, "SELECT text FROM turns ORDER BY turn")
    assert [row["text"] for row in left] == ["my kiln is broken", "Poor kiln", "and mine is Tom"]


async def test_forgetting_takes_segments_that_tell_it(chat: Chat, dsn: str, gemini: GeminiStandIn) -> None:
    """And those alone: what earlier turns came to otherwise goes on being known."""
    await chat.say(ANN, "my cat is called Zorblax", "A fine name")
    for n in range(9):
        await chat.say(ANN, f"the kiln number {n} is broken in the shed")
    assert await count(dsn, "segments") == 3
    ann = chat.talk.member(ANN)
    statement = Statement(guild_id=G, user_id=ANN, stated_by=ANN, quote="my cat is called Zorblax", channel_id=8)
    await tell(chat.app.memory, statement, ann, ann)
    viewer = await viewer_of(chat.app.memory, G, ANN)
    done = await chat.app.memory.forgetting.forget(viewer, ann, "my cat is called Zorblax")
    assert done.receipt is not None
    assert done.receipt.clean, done.receipt.found
    assert await count(dsn, "segments") == 2
    assert not await query(dsn, "SELECT 1 FROM segments WHERE content ILIKE '%zorblax%'")


async def test_what_cannot_be_read_goes_with_anything_forgotten(opened: Opener, clock: Clock, dsn: str) -> None:
    """Nobody can tell whether encrypted turns tell it; with their key, those that do go alone."""
    key = SecretStr(Fernet.generate_key().decode())
    async with opened(session_keys=(key,)) as app:
        chat = Chat(app, Talk(app, clock), clock)
        manager = Viewer(guild_id=G, user_id=ANN, may_manage=True)
        await app.memory.guilds.set_mode(manager, CHANNEL, Mode.TALK)
        await chat.say(ANN, "my cat is called Zorblax", "A fine name")
        await chat.say(ANN, "my kiln is broken", "Poor kiln")
        ann = chat.talk.member(ANN)
        statement = Statement(guild_id=G, user_id=ANN, stated_by=ANN, quote="my cat is called Zorblax", channel_id=8)
        await tell(app.memory, statement, ann, ann)
        viewer = await viewer_of(app.memory, G, ANN)
        await app.memory.forgetting.forget(viewer, ann, "my cat is called Zorblax")
        assert await count(dsn, "turns") == 2
        app.memory.conversations._talked.clear()
    async with opened() as app:
        chat = Chat(app, Talk(app, clock, count=50), clock)
        statement = Statement(guild_id=G, user_id=ANN, stated_by=ANN, quote="my newt is called Bert", channel_id=8)
        await tell(app.memory, statement, ann, ann)
        await app.memory.forgetting.forget(viewer, ann, "my newt is called Bert")
        assert await count(dsn, "turns") == 0


async def test_what_was_forgotten_is_not_taken_into_a_talk(chat: Chat, dsn: str) -> None:
    """Words that tell it are answered and not kept."""
    ann = chat.talk.member(ANN)
    viewer = await viewer_of(chat.app.memory, G, ANN)
    statement = Statement(guild_id=G, user_id=ANN, stated_by=BOB, quote="Ann has a cat called Zorblax", channel_id=8)
    await tell(chat.app.memory, statement, ann, chat.talk.member(BOB))
    await chat.app.memory.forgetting.forget(viewer, ann, "Ann has a cat called Zorblax")
    exchange = await chat.say(BOB, "<@1> has a cat called Zorblax")
    assert not exchange.is_stored
    assert await count(dsn, "turns") == 0


async def test_a_deleted_channel_takes_its_talk(chat: Chat, dsn: str, gemini: GeminiStandIn) -> None:
    """The session that goes on, and what earlier ones left."""
    leaves(gemini, [decision("The kiln stays with @u1", 1)])
    await chat.say(ANN, "So we settled it: the kiln stays with me for the whole winter")
    await chat.over()
    await chat.say(ANN, "hello again")
    assert await count(dsn, "conclusions") == 1
    await chat.app.memory.guilds.channel_deleted(G, CHANNEL)
    assert [await count(dsn, table) for table in ("sessions", "turns", "conclusions")] == [0, 0, 0]


async def test_encrypted_at_rest(opened: Opener, clock: Clock, dsn: str) -> None:
    """With keys, turns and segments are no text in the database; a new key first reads what the old one wrote."""
    old, new = Fernet.generate_key().decode(), Fernet.generate_key().decode()
    async with opened(session_keys=(SecretStr(old),)) as first:
        chat = Chat(first, Talk(first, clock), clock)
        for n in range(10):
            await chat.say(ANN, f"The kiln number {n} is zorblaxed in the shed")
        first.memory.conversations._talked.clear()
    stored = await query(dsn, "SELECT text FROM turns UNION ALL SELECT content FROM segments")
    assert len(stored) == 23
    assert all(row["text"].startswith("gAAAA") and "zorblax" not in row["text"] for row in stored)
    async with opened(session_keys=(SecretStr(new), SecretStr(old))) as second:
        exchange = await Chat(second, Talk(second, clock, count=50), clock).say(ANN, "and now?")
        assert any("zorblaxed" in t.text for t in exchange.window)
        assert exchange.segments
        second.memory.conversations._talked.clear()
    async with opened(session_keys=(SecretStr(new),)) as third:  # the old key is gone, and with it what it wrote
        exchange = await Chat(third, Talk(third, clock, count=80), clock).say(ANN, "hello")
        assert [t.text for t in exchange.window] == ["and now?", "I see."]
        ann = chat.talk.member(BOB)
        await third.memory.privacy.erase(Viewer(guild_id=G, user_id=BOB, is_alone=True), ann, G)
    assert await count(dsn, "turns") == 0  # nobody can tell whom they name


async def test_facts_said_again_are_confirmed_later(chat: Chat, dsn: str) -> None:
    """In one go every few minutes, also after a crash; not by a question, nor by somebody else."""
    ann = chat.talk.member(ANN)
    statement = Statement(guild_id=G, user_id=ANN, stated_by=ANN, quote="I work at a bakery in Lyon", channel_id=7)
    done = await tell(chat.app.memory, statement, ann, ann)
    chat.clock.on(days=3)
    told = done.fact.last_confirmed_at
    await chat.say(BOB, "She works at a bakery in Lyon")
    await chat.say(ANN, "Do I still work at a bakery in Lyon?")
    assert await chat.app.memory.conversations.confirm_told_again() == 0
    await chat.say(ANN, "I still work at that bakery in Lyon")
    (row,) = await query(dsn, "SELECT last_confirmed_at FROM facts")
    assert row["last_confirmed_at"] == told
    assert await chat.app.memory.conversations.confirm_told_again() == 1
    (row,) = await query(dsn, "SELECT last_confirmed_at FROM facts")
    assert row["last_confirmed_at"] == chat.clock.now
    assert await chat.app.memory.conversations.confirm_told_again() == 0


async def test_another_audience_takes_the_talk_along(chat: Chat, dsn: str, gemini: GeminiStandIn) -> None:
    """A channel that is restricted now leaves its conclusions to those who read it."""
    leaves(gemini, [decision("The kiln stays with @u1", 1)])
    await chat.say(ANN, "So we settled it: the kiln stays with me for the whole winter")
    await chat.over()
    await chat.say(ANN, "The kiln is broken")
    channel = Channel(guild_id=G, channel_id=CHANNEL, name="general", audience=55)
    await chat.app.memory.guilds.update_channel(channel)
    rows = await query(dsn, "SELECT audience FROM sessions UNION ALL SELECT audience FROM conclusions")
    assert [row["audience"] for row in rows] == [55, 55]


async def test_direct_messages_go_with_who_wants_nothing_kept_anywhere(chat: Chat, dsn: str) -> None:
    """Erasing, or opting out, everywhere."""
    conversations, ann = chat.app.memory.conversations, chat.talk.member(ANN)
    me = Viewer(guild_id=0, user_id=ANN, is_alone=True)
    for end in ("erase", "choose"):
        async with conversations.acquire(Viewer(guild_id=0, user_id=ANN), 70, 5, "hello", chat.clock.now) as exchange:
            exchange.answered("hi", [6], chat.clock.now)
        assert await count(dsn, "turns") == 2
        if end == "erase":
            await chat.app.memory.privacy.erase(me, ann, 0)
        else:
            await chat.app.memory.privacy.choose(me, ann, Consent.EXPLICIT, 0)
        assert await count(dsn, "turns") == 0


async def test_what_leaves_nothing_is_kept_for_an_hour_though_it_goes_on(chat: Chat, dsn: str) -> None:
    """Turn by turn: who writes every half hour keeps no more than the last two."""
    manager = Viewer(guild_id=G, user_id=ANN, may_manage=True)
    await chat.app.memory.guilds.set_mode(manager, CHANNEL, Mode.TALK)
    for n in range(6):
        await chat.say(ANN, f"the kiln number {n} is broken in the shed")
        chat.clock.on(minutes=29)
        await chat.app.memory.conversations.keep_going()
    left = await query(dsn, "SELECT DISTINCT text FROM turns WHERE role = 'user' ORDER BY text")
    assert [row["text"][16:17] for row in left] == ["4", "5"]


async def test_a_session_has_the_audience_of_its_channel_now(chat: Chat, dsn: str) -> None:
    """Whatever was known when the message began to wait."""
    await chat.app.memory.guilds.update_channel(Channel(guild_id=G, channel_id=CHANNEL, name="den", audience=55))
    async with chat.app.memory.conversations.acquire(Viewer(guild_id=G, user_id=ANN), CHANNEL, 5, "hi", chat.clock.now):
        pass
    (row,) = await query(dsn, "SELECT audience FROM sessions")
    assert row["audience"] == 55


async def test_an_answer_keeps_its_session_open(chat: Chat, dsn: str) -> None:
    """However long it takes: nobody is idle who waits for the bot."""
    await chat.say(ANN, "The kiln is broken")
    chat.clock.on(minutes=6, seconds=50)
    message = await chat.talk.say(ANN, "and now?", at=chat.clock.now)
    viewer = Viewer(guild_id=G, user_id=ANN)
    async with chat.app.memory.conversations.acquire(viewer, CHANNEL, message, "and now?", chat.clock.now) as exchange:
        chat.clock.on(seconds=30)
        await chat.app.memory.conversations.keep_going()
        exchange.answered("no idea", [77], chat.clock.now)
    assert await count(dsn, "turns") == 4


async def test_an_ended_session_takes_no_turns(chat: Chat, dsn: str) -> None:
    """What is answered after a reset belongs to no talk."""
    message = await chat.talk.say(ANN, "and now?", at=chat.clock.now)
    viewer = Viewer(guild_id=G, user_id=ANN)
    async with chat.app.memory.conversations.acquire(viewer, CHANNEL, message, "and now?", chat.clock.now) as exchange:
        await chat.app.memory.conversations.reset(viewer, CHANNEL)
        exchange.answered("no idea", [77], chat.clock.now)
    assert await count(dsn, "turns") == 0


async def test_numbers_of_turns_are_not_used_again(chat: Chat, dsn: str) -> None:
    """Also after those since a flush are gone: the window would be empty for as many."""
    for text in ("the kiln is broken", "let's change the subject", "how about tea"):
        await chat.say(ANN, text)
    rows = await query(dsn, "SELECT message_id FROM turns WHERE turn >= 3 AND role = 'user'")
    await chat.app.memory.messages.delete(G, [row["message_id"] for row in rows])
    await chat.app.memory.messages.flush()
    exchange = await chat.say(ANN, "green tea")
    assert exchange.turn.number == 3
    assert [t.text for t in (await chat.say(ANN, "black tea")).window][:1] == ["green tea"]


async def test_who_asks_for_another_subject_closes_their_own_matter(chat: Chat, dsn: str) -> None:
    """Where others talk along, their exchanges stay in the window; what is over is not shown as recent either.

    The page of the old subject is looked for anew.
    """
    await chat.say(ANN, "the kiln is broken")
    await chat.say(BOB, "the tram is late")
    await query(dsn, """UPDATE sessions SET record = record || '{"topic_id": 5}'""")
    exchange = await chat.say(ANN, "let's change the subject")
    assert exchange.context.topic_id is None
    assert [t.text for t in exchange.window] == ["the tram is late", "I see."]
    assert {t.message_id for t in exchange.session.turns} == exchange.covered
    exchange = await chat.say(BOB, "is the tram there now?")
    assert [t.text for t in exchange.window][:3] == ["the tram is late", "I see.", "let's change the subject"]


async def test_who_is_cancelled_as_their_turn_comes_passes_it_on() -> None:
    """To one: nobody waits for ever, nobody enters beside another, and the holder does not fail."""
    for is_late in (False, True):  # cancelled just before, and just after, the turn came
        queue = module.Queue()
        entered: list[int] = []
        inside = 0

        async def one(number: int, queue: module.Queue = queue, entered: list[int] = entered) -> None:
            nonlocal inside
            async with queue.exclusive(number):
                inside += 1
                assert inside == 1
                await asyncio.sleep(0.01)
                inside -= 1
                entered.append(number)

        async with queue.exclusive(1):
            waiting = [asyncio.create_task(one(n)) for n in (2, 3, 4, 5)]
            await asyncio.sleep(0)
            if not is_late:
                waiting[0].cancel()
        if is_late:
            waiting[0].cancel()
        _, pending = await asyncio.wait(waiting, timeout=2)
        assert not pending
        assert [task.cancelled() or task.exception() for task in waiting] == [True, None, None, None]
        assert entered == [3, 4, 5]
