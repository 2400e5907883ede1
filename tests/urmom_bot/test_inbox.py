"""What the bot was asked is done once, in order, and answered, whatever comes between."""

from __future__ import annotations

import asyncio
from collections.abc import Iterable
from dataclasses import replace

import pytest
from discord.ext import commands

from memory import DatabaseUnavailable, MemoryManager
from memory.records import EarlierOrder, InboxItem, InboxKind, InboxState, InboxWork
from memory.store import Store
from memory.store.inbox import InboxStore
from tests.builders import Clock, G, Opener, Server, lasting, query, served
from urmom_bot.app import App
from urmom_bot.bot import SPEAKING
from urmom_bot.flow.inbox import Inbox
from urmom_bot.stand_ins import Channel, Fault, GeminiStandIn, User
from urmom_bot.stand_ins.world import PUBLIC_THREAD, TEXT
from urmom_bot.talk import Router


def entry(trigger_id: int = 5, **more: object) -> InboxItem:
    values: dict[str, object] = {"channel_id": 7, "user_id": 1, "at": Clock().now, "is_order": True, **more}
    return InboxItem(guild_id=G, trigger_id=trigger_id, kind=InboxKind.MESSAGE, **values)  # type: ignore[arg-type]


async def states(dsn: str) -> list[str]:
    return [row[0] for row in await query(dsn, "SELECT state FROM inbox ORDER BY trigger_id")]


async def facts(dsn: str) -> list[str]:
    return [row[0] for row in await query(dsn, "SELECT value FROM facts ORDER BY fact_id")]


async def recorded(dsn: str, mine: InboxItem, taken_by: Iterable[int] = ()) -> None:
    """Leave an entry as processes did that are gone."""
    store = await Store.open(dsn)
    await store.inbox.record(mine)
    before = None
    for process in taken_by:
        await store.inbox.claim(mine, process, instead_of=before)
        before = process
    await store.close()


@pytest.fixture
def ann(discord: Server) -> User:
    return discord.discord.join(discord.guild, "ann")


# Who works on it


async def test_nobody_takes_what_another_works_on(dsn: str, clock: Clock) -> None:
    """Unless it takes its place, and that one's alone; each take by another process counts."""
    store = await Store.open(dsn)
    await store.inbox.record(entry())
    first = await store.inbox.claim(entry(), 1)
    assert first is not None
    assert first.attempts == 1
    again = await store.inbox.claim(entry(), 1)
    assert again is not None
    assert again.attempts == 1, "the same process that tries again"
    assert await store.inbox.claim(entry(), 2) is None
    assert await store.inbox.claim(entry(), 2, instead_of=3) is None, "another was quicker"
    second = await store.inbox.claim(entry(), 2, instead_of=1)
    assert second is not None
    assert second.attempts == 2
    assert await store.inbox.worker(entry()) == 2
    await store.inbox.finish(second)
    assert await store.inbox.claim(entry(), 2) is None
    assert [tuple(row) for row in await query(dsn, "SELECT state, user_id, payload FROM inbox")] == [("done", 0, None)]
    await store.close()


async def test_the_work_of_a_process_that_started_since_is_its_own(dsn: str, app: App, clock: Clock) -> None:
    """Who lives is asked when it matters; of a process that died, what it worked on is taken up."""
    one = app.memory
    await one.inbox.record(entry())
    other = await Store.open(dsn)
    await other.processes.enter(other.process_id)
    assert await other.inbox.claim(entry(), other.process_id) is not None
    assert await one.inbox.claim(entry()) is None
    await other.processes.leave(other.process_id)
    taken = await one.inbox.claim(entry())
    assert taken is not None
    assert taken.attempts == 2
    await one.inbox.finish(entry())
    assert await one.inbox.claim(entry()) is None
    await other.close()


async def test_what_is_let_go_meanwhile_is_taken(dsn: str, app: App, monkeypatch: pytest.MonkeyPatch) -> None:
    """Who asks anew by an edit takes it from whoever works on it: it waits for nobody then."""
    inbox = app.memory.inbox
    await inbox.record(entry())
    other = await Store.open(dsn)
    assert await other.inbox.claim(entry(), other.process_id) is not None
    of = InboxStore.worker

    async def worker(self: InboxStore, about: InboxItem) -> int | None:
        await query(dsn, "UPDATE inbox SET worker = NULL")
        return await of(self, about)

    monkeypatch.setattr(InboxStore, "worker", worker)
    assert await inbox.claim(entry()) is not None
    await other.close()


async def test_a_process_is_alive_while_it_gives_signs_and_is_connected(dsn: str, clock: Clock) -> None:
    """One that was killed is known by its connections, one whose host vanished by its silence; some leave."""
    one, two = await Store.open(dsn), await Store.open(dsn)
    for store in (one, two):
        await store.processes.enter(store.process_id)
    both = {one.process_id, two.process_id}
    assert await one.processes.alive() == both
    (old,) = await query(dsn, "SELECT pg_postmaster_start_time() < now() - interval '11 seconds' AS enough")
    two.database.terminate()
    if old["enough"]:  # of a server that just started nobody's connections tell anything
        async with asyncio.timeout(5):
            while await one.processes.alive() == both:
                await asyncio.sleep(0.02)
        assert await one.processes.alive() == {one.process_id}
    others = "SELECT 1 FROM processes WHERE process_id <> $1"
    await query(dsn, "UPDATE processes SET alive_at = now() - interval '1 hour'")
    assert one.process_id in await one.processes.alive(), "the database was away: nobody could give any sign"
    await one.processes.beat(one.process_id)
    assert await query(dsn, others, one.process_id), "and nobody is fenced"
    assert await one.processes.alive() == {one.process_id}
    await one.processes.beat(one.process_id)
    assert not await query(dsn, others, one.process_id), "but now"
    await one.processes.leave(one.process_id)
    assert await one.processes.alive() == frozenset()
    await one.close()


async def test_it_is_recorded_with_the_message(discord: Server, ann: User, dsn: str) -> None:
    """In one transaction; what is not for the bot is not there, and of what is done nothing but its number is kept."""
    await discord.discord.say(ann, discord.general, "the tram takes 40 minutes")
    await discord.ask(ann, "Bot remember that ann sings alto")

    rows = await query(dsn, "SELECT state, is_order, user_id FROM inbox")
    assert [tuple(row) for row in rows] == [("done", True, 0)]


# In order


async def test_orders_of_a_guild_are_carried_out_one_after_the_other(
    discord: Server, ann: User, dsn: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """However long the first takes, and wherever the next is given; questions in another channel do not wait."""
    real, went = Router._do, []

    async def slow(self: Router, command: object, request: object, *more: object) -> object:
        if "alto" in request.text and "remember" in request.text:  # type: ignore[attr-defined]
            await asyncio.sleep(0.5)
        went.append(request.text.split()[0])  # type: ignore[attr-defined]
        return await real(self, command, request, *more)  # type: ignore[arg-type]

    monkeypatch.setattr(Router, "_do", slow)
    other = await discord.discord.open_channel(discord.guild, "other")
    third = await discord.discord.open_channel(discord.guild, "third")
    await discord.discord.say(ann, discord.general, "Bot remember that ann sings alto")
    await discord.discord.say(ann, other, "Bot forget that ann sings alto")
    await discord.discord.say(ann, discord.general, "Bot what do you know about me")
    await discord.discord.say(ann, third, "Bot help")
    await discord.settled()

    assert went[0] == "help"
    assert next(word for word in went if word != "help") == "remember"
    assert set(went[2:]) == {"forget", "what"}
    assert await facts(dsn) == []


# Interrupted


async def test_what_is_carried_out_is_never_told_to_have_failed(
    discord: Server, ann: User, dsn: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """An error after the order is in the database: it is told that it is done."""
    real = Router._do

    async def breaks(self: Router, *given: object) -> object:
        await real(self, *given)  # type: ignore[arg-type]
        raise RuntimeError("a bug")

    monkeypatch.setattr(Router, "_do", breaks)
    told = await discord.ask(ann, "Bot remember that ann sings alto")

    assert told == "Done. I was interrupted before I could tell you."
    assert await facts(dsn) == [f"<@{ann.id}> sings alto"]
    assert await states(dsn) == ["done"]
    assert not await query(dsn, "SELECT 1 FROM chat_history WHERE message_text LIKE 'Bot %'")


async def test_what_failed_is_said_and_parked(
    discord: Server, ann: User, dsn: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """With its words, for the operator to have it tried again; a question that fails is not."""

    async def breaks(*_: object) -> object:
        raise RuntimeError("a bug")

    with monkeypatch.context() as broken:
        broken.setattr(Router, "_do", breaks)
        assert "Something went wrong" in await discord.ask(ann, "Bot remember that ann sings alto")
        assert "Something went wrong" in await discord.ask(ann, "Bot what do you know about me")
    assert await states(dsn) == ["parked", "done"]
    memory = discord.app.memory
    (parked,) = await memory.inbox.parked([discord.guild.id])
    assert (parked.work, parked.reason) == ("inbox answer", "RuntimeError")
    assert await query(dsn, "SELECT 1 FROM chat_history WHERE message_text LIKE 'Bot remember%'")

    assert await memory.inbox.retry_parked([discord.guild.id]) == 1
    await discord.bot.retry_parked()
    await discord.settled()
    assert await facts(dsn) == [f"<@{ann.id}> sings alto"]
    assert await states(dsn) == ["done", "done"]
    assert not await memory.inbox.parked([discord.guild.id])


async def test_what_could_not_be_sent_is_sent_later(discord: Server, ann: User, dsn: str) -> None:
    """As it was; nothing is done twice."""
    discord.discord.rest.refusing += [503]
    await discord.discord.say(ann, discord.general, "Bot remember that ann sings alto")
    (told,) = await discord.discord.received(1)
    await discord.settled()

    assert "Got it: ann sings alto" in told.content
    assert len(discord.discord.sent) == 1
    assert await states(dsn) == ["done"]


async def absent(*_: object) -> bool:
    """As if the database did not answer."""
    return False


async def test_a_database_that_is_away_is_waited_for(
    discord: Server, ann: User, dsn: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It is said once that it takes longer, and done once it is back."""
    real, tries = Router._do, 0

    async def away(self: Router, *given: object) -> object:
        nonlocal tries
        tries += 1
        if tries < 3:
            raise DatabaseUnavailable
        return await real(self, *given)  # type: ignore[arg-type]

    monkeypatch.setattr(Router, "_do", away)
    monkeypatch.setattr(MemoryManager, "has_database", absent)
    await discord.discord.say(ann, discord.general, "Bot remember that ann sings alto")
    told = [sent.content for sent in await discord.discord.received(2)]
    await discord.settled()

    assert "can't reach my memory" in told[0]
    assert "Got it" in told[1]
    assert len(discord.discord.sent) == 2
    assert await facts(dsn) == [f"<@{ann.id}> sings alto"]


@pytest.mark.parametrize("state", [InboxState.WAITING, InboxState.EXECUTED])
@pytest.mark.parametrize("is_sent", [False, True])
async def test_an_order_whose_process_died_is_answered_once(
    opened: Opener, gemini: GeminiStandIn, clock: Clock, dsn: str, state: InboxState, is_sent: bool
) -> None:
    """Carried out where it was not, told where nobody was, and left alone where its answer is in the channel."""
    async with lasting(clock) as (stand_in, guild, general):
        ann = stand_in.join(guild, "ann")
        said = await stand_in.say(ann, general, "Bot remember that ann sings alto")
        if is_sent:
            stand_in.world.message(general, stand_in.world.bot, "📌 Got it", reply_to=said)
        mine = replace(entry(said), guild_id=guild.id, channel_id=general.id, user_id=ann.id)
        await recorded(dsn, mine, [99])
        await query(dsn, "UPDATE inbox SET state = $1", state.value)
        async with served(opened, gemini, clock, stand_in):
            await stand_in.settle()
        told = [sent.content for sent in stand_in.sent]
        await_done = await states(dsn)

    assert await_done == ["done"]
    if is_sent:
        assert told == []
    elif state is InboxState.EXECUTED:
        assert told == ["Done. I was interrupted before I could tell you."]
    else:
        assert ["Got it" in text for text in told] == [True]
        assert await facts(dsn) == [f"<@{ann.id}> sings alto"]


@pytest.mark.parametrize(
    ("kind", "said", "is_answered"),
    [
        (PUBLIC_THREAD, "and tomorrow?", True),
        (PUBLIC_THREAD, "<@2> and yours?", False),
        (TEXT, "and tomorrow?", False),
    ],
)
async def test_what_was_asked_in_a_thread_whose_process_died_is_answered(
    opened: Opener, gemini: GeminiStandIn, clock: Clock, dsn: str, kind: int, said: str, is_answered: bool
) -> None:
    """That it goes on with a talk nobody knows any more, but that it was taken on is recorded."""
    async with lasting(clock) as (stand_in, guild, general):
        ann = stand_in.join(guild, "ann")
        stand_in.world.users[2] = guild.members[2] = User(2, "bob")
        thread = Channel(stand_in.world.snowflake(), "kilns", kind, guild.id, general.id)
        guild.channels[thread.id] = thread
        asked = await stand_in.say(ann, thread, said)
        mine = replace(entry(asked), guild_id=guild.id, channel_id=thread.id, user_id=ann.id, is_order=False)
        await recorded(dsn, mine, [99])
        async with served(opened, gemini, clock, stand_in):
            await stand_in.settle()
        assert await states(dsn) == ["done"]
        assert bool(stand_in.sent) == is_answered


async def test_what_ends_the_process_each_time_is_parked(
    opened: Opener, gemini: GeminiStandIn, clock: Clock, dsn: str
) -> None:
    """After ten processes: one that is killed for another reason leaves more than one thing open."""
    async with lasting(clock) as (stand_in, guild, general):
        ann = stand_in.join(guild, "ann")
        said = await stand_in.say(ann, general, "Bot remember that ann sings alto")
        mine = replace(entry(said), guild_id=guild.id, channel_id=general.id, user_id=ann.id)
        await recorded(dsn, mine, range(91, 101))
        async with served(opened, gemini, clock, stand_in):
            await stand_in.settle()
        told = [(sent.reply_to, sent.content[:30]) for sent in stand_in.sent]

    assert await states(dsn) == ["parked"]
    assert await facts(dsn) == []
    assert told == [(said, "I tried this several times and")]


async def test_a_message_that_is_gone_or_says_something_else_is_let_go(
    opened: Opener, gemini: GeminiStandIn, clock: Clock, dsn: str
) -> None:
    """Without a word, and without doing what it once said."""
    async with lasting(clock) as (stand_in, guild, general):
        ann = stand_in.join(guild, "ann")
        gone = await stand_in.say(ann, general, "Bot remember that ann sings alto")
        other = await stand_in.say(ann, general, "Bot remember that ann plays chess")
        general.messages.pop(gone)
        general.messages[other]["content"] = "never mind"
        store = await Store.open(dsn)
        for said in (gone, other):
            mine = replace(entry(said), guild_id=guild.id, channel_id=general.id, user_id=ann.id)
            await store.inbox.record(mine)
        await store.close()
        async with served(opened, gemini, clock, stand_in):
            await stand_in.settle()
        assert stand_in.sent == []

    assert await states(dsn) == ["done", "done"]
    assert await facts(dsn) == []


async def test_one_line_for_all_who_asked_while_the_bot_was_away(
    opened: Opener, gemini: GeminiStandIn, clock: Clock, dsn: str
) -> None:
    """Questions of the last ten minutes are answered; of older ones one line in each channel says so."""
    async with lasting(clock) as (stand_in, guild, general):
        ann = stand_in.join(guild, "ann")
        other = stand_in.channel(guild, "other")
        async with served(opened, gemini, clock, stand_in) as server:
            for channel in (general, other):
                await stand_in.say(ann, channel, "hello")
            await server.settled()
        for channel in (general, general, other):
            await stand_in.say(ann, channel, "Bot how is the kiln?")
        clock.on(minutes=10, seconds=1)
        await stand_in.say(ann, general, "Bot what do you know about me")
        clock.on(minutes=9)
        async with served(opened, gemini, clock, stand_in):
            await stand_in.settle()
        told = [sent.content for sent in stand_in.sent]

    assert sorted(text.startswith("I was away when you asked.") for text in told) == [False, True, True]
    assert await states(dsn) == ["done"] * 4


# Commands and buttons


async def test_a_command_given_while_the_database_is_away_is_carried_out_later(
    discord: Server, ann: User, dsn: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Who gave it is told so, and then what came of it."""
    monkeypatch.setattr(MemoryManager, "has_database", absent)
    await discord.discord.say(ann, discord.general, "hello")
    await discord.settled()
    record = type(discord.app.memory.inbox).record

    async def away(*_: object) -> bool:
        raise DatabaseUnavailable

    with monkeypatch.context() as broken:
        broken.setattr(type(discord.app.memory.inbox), "record", away)
        (first,) = await discord.discord.slash(
            ann, discord.general, "memory remember", {"member": ann, "fact": "sings alto"}
        )
    assert type(discord.app.memory.inbox).record is record
    assert "can't reach my memory" in first.content
    told = await discord.discord.received(2)
    await discord.settled()
    assert "sings alto" in told[1].content
    assert len(await facts(dsn)) == 1


async def test_what_a_command_costs_is_its_members(discord: Server, ann: User, monkeypatch: pytest.MonkeyPatch) -> None:
    """A command that changes something uses up the share of whoever gives it, like words do."""
    charged = []
    monkeypatch.setattr("urmom_bot.flow.pressing.charge", lambda *whom: charged.append(whom))
    await discord.discord.slash(ann, discord.general, "memory remember", {"member": ann, "fact": "sings alto"})
    assert charged == [(discord.guild.id, ann.id)]


@pytest.mark.parametrize(
    ("minutes", "answers", "expected"),
    [
        (1, {"fact": "sings alto"}, "sings alto"),
        (20, {"fact": "sings alto"}, "is done"),
        (20, {"fact": "4111 1111 1111 1111"}, "I changed nothing"),
    ],
)
async def test_a_command_whose_process_died_is_carried_out(
    opened: Opener,
    gemini: GeminiStandIn,
    clock: Clock,
    dsn: str,
    minutes: int,
    answers: dict[str, str],
    expected: str,
) -> None:
    """Answered where it was given for a quarter of an hour, in the channel afterwards; its words are kept no longer.

    That it is done is said where it is; a card's number is refused.
    """
    async with lasting(clock) as (stand_in, guild, general):
        ann = stand_in.join(guild, "ann")
        token = f"interaction-{minutes}"
        if minutes < 15:
            stand_in.rest._interactions[token] = 0
        payload = {
            "action": "remember",
            "args": [str(ann.id), "ann", "ann", ""],
            "answers": answers,
            "language": "en",
            "application": stand_in.world.bot.id,
            "token": token,
        }
        mine = replace(
            entry(stand_in.world.snowflake()),
            kind=InboxKind.INTERACTION,
            guild_id=guild.id,
            channel_id=general.id,
            user_id=ann.id,
            is_order=False,
            payload=payload,
        )
        await recorded(dsn, mine)
        clock.on(minutes=minutes)
        async with served(opened, gemini, clock, stand_in):
            await stand_in.settle()
        (told,) = stand_in.sent

    assert len(await facts(dsn)) == (expected != "I changed nothing")
    assert expected in told.content
    assert minutes < 15 or not [word for word in answers["fact"].split() if word in told.content]
    assert [tuple(row) for row in await query(dsn, "SELECT state, payload FROM inbox")] == [("done", None)]


# What is parked


async def test_a_deletion_whose_words_are_left_is_tried_again_by_itself(
    discord: Server, ann: User, dsn: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Nobody need ask for it, and it is parked no longer once the words are gone."""
    said = await discord.discord.say(ann, discord.general, "the zebra sleeps")
    await discord.settled()

    async def broken(*_: object, **__: object) -> object:
        raise ValueError

    async def left(*_: object) -> list[str]:
        return ["chat_history"]

    with monkeypatch.context() as defect:
        defect.setattr("memory.ingest.forgotten", broken)
        defect.setattr("memory.ingest.words_removed", left)
        await discord.discord.delete(discord.general, said)
        await discord.settled()
        rows = await query(dsn, "SELECT work, retry, reason FROM parked")
        assert [tuple(row) for row in rows] == [("deleted", True, "ValueError; words are left in chat_history")]
    assert await query(dsn, "SELECT 1 FROM chat_history WHERE message_text LIKE '%zebra%'")
    await discord.bot.retry_parked()
    await discord.settled()

    assert not await query(dsn, "SELECT 1 FROM chat_history WHERE message_text LIKE '%zebra%'")
    assert not await query(dsn, "SELECT 1 FROM parked")


# Floods and jokes


async def test_a_joke_is_made_once_however_often_it_is_asked_for(discord: Server, ann: User) -> None:
    """By several reactions to one message."""
    bob = discord.discord.join(discord.guild, "bob")
    said = await discord.discord.say(ann, discord.general, "my kiln is so hot")
    await discord.settled()
    for who in (ann, bob, ann):
        await discord.discord.react(who, discord.general, said, "🤡")
    await discord.settled()

    assert len(discord.discord.sent) == 1


async def test_a_joke_that_no_model_made_may_be_asked_for_again(discord: Server, ann: User, dsn: str) -> None:
    """Nothing of it is kept."""
    said = await discord.discord.say(ann, discord.general, "my kiln is so hot")
    discord.gemini.faults += [Fault(kind="refused")]
    await discord.settled()
    await discord.discord.react(ann, discord.general, said, "🤡")
    await discord.settled()
    first = len(discord.discord.sent)
    await discord.discord.react(ann, discord.general, said, "🤡")
    await discord.settled()

    assert (first, len(discord.discord.sent)) == (0, 1)


@pytest.mark.parametrize("waits", [True, False])
async def test_who_is_kept_waiting_asks_nothing_at_once(app: App, monkeypatch: pytest.MonkeyPatch, waits: bool) -> None:
    """What gathered behind an order that another process had in its hands is answered, each of it; a flood is not.

    What comes just before the order is done is no flood either: it did not wait itself, and finds the others waiting.
    """
    monkeypatch.setattr("urmom_bot.flow.inbox.NOTICE", 0.2 if waits else 60.0)
    monkeypatch.setattr("urmom_bot.flow.inbox.EARLIER_ORDER_POLL", 0.01)
    memory, released, handled = app.memory, asyncio.Event(), asyncio.Event()
    floods: list[bool] = []
    inbox = Inbox(memory)
    order, *questions = entry(5), *(entry(n, is_order=False) for n in range(6, 13))
    claim = memory.inbox.claim

    async def behind_another(asked: InboxItem) -> InboxItem | None:
        if asked.is_order and not released.is_set():
            raise EarlierOrder
        return await claim(asked)

    async def handle(work: InboxWork, _: object) -> None:
        if not work.entry.is_order:
            floods.append(inbox.is_flood(work.entry))
        if len(floods) == len(questions):
            handled.set()
        await handled.wait() if not work.entry.is_order else None

    monkeypatch.setattr(memory.inbox, "claim", behind_another)
    inbox.answer_with(InboxKind.MESSAGE, handle)
    for asked in (order, *questions):
        if asked is questions[-1]:
            await asyncio.sleep(0.3 if waits else 0)
        await memory.inbox.record(asked)
        inbox.expect(asked, "the message")
        inbox.dispatch(asked)
    released.set()
    async with asyncio.timeout(30):
        await handled.wait()
    await inbox.close()

    assert any(floods) is not waits
    assert len(floods) == len(questions)


async def test_what_is_asked_as_the_process_ends_is_left_to_the_next(app: App, dsn: str) -> None:
    """A batch that is written last still asks something: nobody works on it here, with connections that close."""
    inbox, worked = Inbox(app.memory), list[InboxWork]()

    async def handle(work: InboxWork, _: object) -> None:
        worked.append(work)

    inbox.answer_with(InboxKind.MESSAGE, handle)
    await inbox.close()
    await app.memory.inbox.record(entry())
    inbox.dispatch(entry())
    await asyncio.sleep(0)
    assert not [task for task in asyncio.all_tasks() if task.get_name() == "inbox message"]
    assert not worked
    assert await states(dsn) == ["waiting"]
    next_one = Inbox(app.memory)
    next_one.answer_with(InboxKind.MESSAGE, handle)
    next_one.run_for(lambda: [G], handle, handle)  # type: ignore[arg-type]
    await next_one.scan()
    async with asyncio.timeout(30):
        while await states(dsn) != ["done"]:
            await asyncio.sleep(0.01)
    assert len(worked) == 1
    await next_one.close()


async def test_what_speaks_to_discord_ends_before_the_connection(
    discord: Server, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What is tried again from time to time asks nothing on a session that is closed; memory's own work goes on."""
    running = {task.get_name() for task in asyncio.all_tasks()}
    assert {*SPEAKING} - {"shards"} < running
    at_close: list[set[str]] = []
    close = commands.AutoShardedBot.close

    async def closed(bot: commands.AutoShardedBot) -> None:
        at_close.append({task.get_name() for task in asyncio.all_tasks()})
        await close(bot)

    monkeypatch.setattr(commands.AutoShardedBot, "close", closed)
    await discord.bot.close()
    assert not at_close[0] & {*SPEAKING}
    assert "upkeep" in at_close[0]
