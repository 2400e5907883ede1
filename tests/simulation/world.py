"""The bot in three processes over one database, people who use it, what goes wrong, and what must be true of it all."""

from __future__ import annotations

import asyncio
import hashlib
import re
import threading
import time
import uuid
import weakref
from collections import Counter
from collections.abc import AsyncIterator, Callable, Coroutine, Iterable, Sequence
from contextlib import AsyncExitStack, asynccontextmanager, suppress
from contextvars import ContextVar
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from itertools import count
from typing import Any

import asyncpg
import pytest
from discord.gateway import KeepAliveHandler
from discord.utils import snowflake_time

from memory import DatabaseUnavailable
from memory.clock import DatabaseClock
from memory.forgetting.execution import UNDO
from memory.store.catalogue import TABLES
from tests.builders import Clock, query, settings_for
from tests.databases import database_in
from tests.line import Line
from tests.statements import watch
from urmom_bot.app import App, open_app
from urmom_bot.bot import Bot
from urmom_bot.flow.inbox import MAX_QUESTIONS_AT_ONCE
from urmom_bot.stand_ins import TOKEN, Channel, DiscordStandIn, Fault, GeminiStandIn, Guild, User, World, extractive
from urmom_bot.stand_ins.world import MANAGE_MESSAGES, VIEW_CHANNEL

PEOPLE = 3
SHARDS = ((0,), (1, 2), (3,))
"""The shards of each process."""
COUNT = sum(map(len, SHARDS))
GUILDS = COUNT
"""Servers: one in each shard."""
PLACES = 3
"""Channels and threads that are opened in a server beside those that are there, at the most."""
KEPT = timedelta(days=28)
"""How long messages are kept at the least."""
PUT_OFF = "I can't reach my memory"
UNSURE = ("Which of these shall I forget", "I don't have anything like that", "I don't know who")
"""How the bot says that it forgot nothing, because it is not sure what is meant."""

TOO_LATE = "too late to undo that"

DEADLINE = 60.0
"""Seconds of real time within which everything must have come to rest after the last fault is over."""

PATIENCE = 10.0
"""Seconds of real time after which it is looked again whether a process is to begin anew."""

LATE = 600
"""Seconds after which a question need not be answered any more."""

CONFLICTS = ("40001", "40P01", "55P03", "57014")

_process: ContextVar[int] = ContextVar("simulated_process", default=0)
_owners: weakref.WeakKeyDictionary[asyncio.Task[Any], int] = weakref.WeakKeyDictionary()
_numbers = count(1)


def owned_task(loop: asyncio.AbstractEventLoop, work: Coroutine[Any, Any, Any], **more: Any) -> asyncio.Task[Any]:
    """A task factory that notes which process a task is of."""
    task = asyncio.Task(work, loop=loop, **more)
    _owners[task] = _process.get()
    return task


class Skewed(DatabaseClock):
    """The clock of a machine that is so many seconds ahead, in a world whose database has the world's time."""

    def __init__(self, clock: Clock, seconds: float) -> None:
        super().__init__(lambda: clock() + timedelta(seconds=seconds))
        self._world = clock

    def follow(self, now: datetime) -> None:
        """Go by the world's time, whatever the real database says."""
        super().follow(self._world())


class Process:
    """The bot with some of the shards, which can be stopped, or killed with all that it has in memory."""

    def __init__(self, world: Simulation, shards: tuple[int, ...], skew: float) -> None:
        self._world = world
        self._shards = shards
        self._skew = skew
        self.number = next(_numbers)
        self._stack = AsyncExitStack()
        self.line = Line(world.dsn)
        self.gateway = Line(f"https://127.0.0.1:{world.discord.port}")
        self.app: App
        self.bot: Bot
        self.is_up = False

    async def start(self) -> None:
        token = _process.set(self.number)
        try:
            await self.line.start()
            await self.gateway.start()
            settings = settings_for(self._world.gemini, shard_count=COUNT, shard_ids=self._shards)
            clock = Skewed(self._world.clock, self._skew)
            opened = open_app(settings, clock=clock, quota_clock=self._world.clock, dsn=self.line.dsn)
            self.app = await self._stack.enter_async_context(opened)
            self._connector = self._world.discord.connector(self.gateway.port)
            self.bot = self.app.bot(connector=self._connector, shard_ids=self._shards, guild_ready_timeout=0.02)
            await self._stack.enter_async_context(self._online())
            self.is_up = True
        finally:
            _process.reset(token)

    @asynccontextmanager
    async def _online(self) -> AsyncIterator[None]:
        """Logged in and ready; what the other process waits for is not waited for."""
        async with self.bot:
            await self.bot.login(TOKEN)
            connected = asyncio.create_task(self.bot.connect())
            async with asyncio.timeout(DEADLINE):
                await self.bot.wait_until_ready()
            yield
            await self.bot.close()
            await connected

    async def stop(self) -> None:
        """An orderly end."""
        self.is_up = False
        await self._stack.aclose()
        self._stop_heartbeats()
        await self.line.close()
        await self.gateway.close()

    async def kill(self) -> None:
        """Nothing more is written or sent, and what was in memory is gone."""
        self.is_up = False
        self.line.cut()
        await self._connector.close()
        while mine := [t for t, owner in list(_owners.items()) if owner == self.number and not t.done()]:
            for task in mine:
                task.cancel()
            await asyncio.wait(mine, timeout=1)
        self._stop_heartbeats()
        ingest = self.app.memory._ingest
        for lane in (ingest._now, ingest._past):
            lane.waiting.clear()
            lane.done = lane.accepted
        with suppress(Exception, asyncio.CancelledError):
            await self._stack.aclose()
        await self.line.close()
        await self.gateway.close()

    def _stop_heartbeats(self) -> None:
        """End the threads of heartbeats, which no task ends, also of a connection that was just being made."""
        for thread in threading.enumerate():
            if isinstance(thread, KeepAliveHandler) and thread.ws._connection is self.bot._connection:
                thread.stop()

    @property
    def is_well(self) -> bool:
        """Whether it runs, and reaches its database and Discord."""
        return self.is_up and self.line.is_whole and self.gateway.is_whole


@dataclass
class Fact:
    """Something that was told, and what is true of it."""

    token: str
    of: User
    told_in: Channel
    order: int
    is_alive: bool = True
    forgotten_by: int | None = None
    """The order to forget it."""
    is_plain: bool = False
    """Whether the order to forget it comes right behind: it cannot be that nothing like it is known."""


@dataclass
class Asked:
    """Something that was asked of the bot."""

    channel: Channel
    at: float
    is_order: bool
    text: str
    is_flood: bool = False
    """Whether its member asked so much at once that one line answers all of it."""
    is_promised: bool = False
    """Whether the process that promised an answer lived on."""
    is_deleted: bool = False


@dataclass
class Truth:
    """What must be true, as simply as it can be said."""

    words: dict[int, tuple[Channel, str]] = field(default_factory=dict)
    facts: list[Fact] = field(default_factory=list)
    asked: dict[int, Asked] = field(default_factory=dict)
    gone: set[str] = field(default_factory=set)
    """Words that nobody must find any more."""


class Statements:
    """Lets one statement of the next ones fail, as when transactions meet, or a process stand still before one."""

    def __init__(self) -> None:
        self.planted: dict[int, str] = {}
        self.seen = 0
        self._sleeper: Process | None = None
        self._awake_for = 0
        self._watched: Sequence[Process] = ()
        self._takers: Counter[int] = Counter()

    def plant(self, code: str, after: int) -> None:
        self.planted[self.seen + after] = code

    def freeze(self, process: Process, after: int) -> None:
        """Let nothing of a process reach its database after so many statements."""
        self._sleeper, self._awake_for = process, after

    def wake(self) -> None:
        """Let no process stand still that does not yet."""
        self._sleeper = None

    def slow_down(self, processes: Sequence[Process]) -> None:
        """Let whichever of some processes takes an order on next be slow in carrying it out."""
        self._watched = processes
        self._takers.clear()

    def pass_by(self, statement: str) -> None:
        self.seen += 1
        for process in self._watched:
            if _process.get() == process.number:
                self._look_at_taker(process, statement)
        if (sleeper := self._sleeper) is not None and _process.get() == sleeper.number:
            self._awake_for -= 1
            if self._awake_for <= 0:
                sleeper.line.freeze()
        if (code := self.planted.pop(self.seen, None)) is not None:
            raise asyncpg.PostgresError.new({"C": code, "M": "planted", "S": "ERROR"})

    def _look_at_taker(self, process: Process, statement: str) -> None:
        if "SET worker" in statement:
            self._takers[process.number] = 1
        elif "SELECT worker" in statement:  # the other one has it
            del self._takers[process.number]
        elif self._takers[process.number]:
            self._takers[process.number] += 1
            if self._takers[process.number] > 2:
                process.line.slow(0.05)
                self._watched = ()


class Simulation:
    """One world from its beginning to its end. Every step leaves it as it may be; `check` says what must be true."""

    def __init__(self, server: str, template: str) -> None:
        self._server = server
        self._template = template
        self._name = f"urmom_{uuid.uuid4().hex[:12]}"
        self._patches = pytest.MonkeyPatch()
        self.dsn = database_in(server, self._name)
        self.clock = Clock()
        self.discord = DiscordStandIn(World(self.clock))
        self.gemini = GeminiStandIn(extractive)
        self.truth = Truth()
        self.statements = Statements()
        self.steps: Counter[str] = Counter()
        self.count = 0
        self._at_once: Counter[int] = Counter()
        self.guilds: list[Guild] = []
        self.open: list[list[Channel]] = []
        self.closed: list[Channel] = []
        self.people: list[list[User]] = []
        self.moderators: list[User] = []
        self.processes: list[Process] = []
        self.replaced: list[Process] = []
        self.skews = [0.0] * len(SHARDS)

    async def start(self) -> None:
        admin = await asyncpg.connect(self._server)
        await admin.execute(f"CREATE DATABASE {self._name} TEMPLATE {self._template}")
        await admin.close()
        self._patch()
        for shard in range(GUILDS):
            guild = self.discord.world.guild(f"server {shard}")
            while (guild.id >> 22) % COUNT != shard:
                self.clock.on(milliseconds=1)
                del self.discord.world.guilds[guild.id]
                guild = self.discord.world.guild(f"server {shard}")
            self.guilds.append(guild)
            self.open.append([self.discord.channel(guild, name) for name in ("general", "other")])
            closed = self.discord.channel(guild, "closed", private=True)
            bot = {"id": str(self.discord.world.bot.id), "type": 1, "allow": str(VIEW_CHANNEL), "deny": "0"}
            closed.overwrites.append(bot)
            self.closed.append(closed)
            self.people.append([self.discord.join(guild, f"person{shard}{n}") for n in range(PEOPLE)])
            moderator, role = self.discord.join(guild, f"moderator{shard}"), self.discord.world.snowflake()
            guild.roles[role] = MANAGE_MESSAGES
            guild.member_roles[moderator.id] = [role]
            self.moderators.append(moderator)
        await self.discord.start()
        await self.gemini.start()
        self.discord.settle_bot = self.settle_bots
        for p in range(len(SHARDS)):
            await self.up(p)
        for channels, closed, people in zip(self.open, self.closed, self.people, strict=True):
            for channel in (*channels, closed):  # what is older than the bot is none of its business
                await self._write(people[0], channel, "hello")
        await self.quiet()

    def _patch(self) -> None:
        """The same rules, with less of waiting in real time."""
        for name, value in (
            ("urmom_bot.bot.LOGIN_PAUSE", timedelta(0)),
            ("urmom_bot.flow.inbox.PAUSES", (0.05, 0.2)),
            ("urmom_bot.flow.inbox.NOTICE", 0.1),
            ("urmom_bot.bot.SCAN_INTERVAL", 0.3),
            ("urmom_bot.flow.reading.RETRY_AFTER", 0.5),
            ("urmom_bot.flow.reading.RETRY_PAUSE", 0.05),
            ("urmom_bot.flow.archives.RETRY_PAUSE", 0.05),
            ("urmom_bot.flow.patience.RETRY_PAUSE", 0.05),
            ("memory.ai.governor.Governor._pause", lambda _, seconds: self._let_pass(seconds)),
            ("discord.backoff.ExponentialBackoff.delay", lambda _: 0.05),
        ):
            self._patches.setattr(name, value)
        watch(self._patches, self.statements.pass_by)

    async def _let_pass(self, seconds: float) -> None:
        """Time passes while a model is waited for."""
        self.clock.on(seconds=seconds)
        await asyncio.sleep(0.01)

    async def close(self) -> None:
        """End what still runs, also where a step broke between one process and the one in its place."""
        for process in self.replaced:
            if process.is_up:
                await process.kill()
        for process in self.processes:
            if process.is_up:
                await process.stop()
        self._patches.undo()
        await self.gemini.close()
        await self.discord.close()
        admin = await asyncpg.connect(self._server)
        await admin.execute(f"DROP DATABASE {self._name} WITH (FORCE)")
        await admin.close()

    # What people do

    async def say(self, g: int, who: int, where: int) -> None:
        """Ordinary words."""
        await self._say(self.people[g][who], self._channel(g, where))

    async def _say(self, user: User, channel: Channel) -> int:
        self.count += 1
        return await self._write(user, channel, f"the weather is word{self.count}x")

    async def _is_stored(self, said: int) -> bool:
        return bool(await query(self.dsn, "SELECT 1 FROM chat_history WHERE message_id = $1", said))

    async def edit(self, pick: int) -> None:
        """The last or an earlier message gets other words."""
        if (found := self._picked(pick)) is None:
            return
        channel, text = self.truth.words[found]
        self.count += 1
        self._gone(text)
        new = f"no, it is word{self.count}x"
        self.truth.words[found] = channel, new
        await self._open(channel)
        await self._discord(self.discord.edit(channel, found, new))

    async def delete(self, pick: int) -> None:
        """A message is deleted."""
        if (found := self._picked(pick)) is None:
            return
        channel, text = self.truth.words.pop(found)
        self._gone(text)
        await self._open(channel)
        await self._discord(self.discord.delete(channel, found))

    async def remember(self, g: int, who: int, where: int) -> None:
        """An order to remember."""
        self.count += 1
        token, user, channel = _thing(self.count), self.people[g][who], self._channel(g, where)
        said = await self._ask(user, channel, f"Bot remember that I own {token}", is_order=True)
        self.truth.facts.append(Fact(token, user, channel, said))

    async def forget(self, pick: int) -> None:
        """An order to forget something that was told, by the person, where it was told."""
        alive = [fact for fact in self.truth.facts if fact.is_alive]
        if not alive:
            return
        fact = alive[pick % len(alive)]
        fact.is_alive = False
        words = f"Bot forget that I own {fact.token}"
        fact.forgotten_by = await self._ask(fact.of, fact.told_in, words, is_order=True)

    async def moderate(self, pick: int) -> None:
        """A moderator has something forgotten that somebody told of themselves where everybody reads."""
        alive = [fact for fact in self.truth.facts if fact.is_alive and fact.told_in not in self.closed]
        if not alive:
            return
        fact = alive[pick % len(alive)]
        moderator = self.moderators[next(g for g, people in enumerate(self.people) if fact.of in people)]
        fact.is_alive = False
        words = f"Bot forget that {fact.of.name} own {fact.token}"
        fact.forgotten_by = await self._ask(moderator, fact.told_in, words, is_order=True)

    async def delete_order(self, pick: int) -> None:
        """The message that told something is deleted: it goes with it."""
        alive = [fact for fact in self.truth.facts if fact.is_alive and self._is_compared(fact.order)]
        if not alive:
            return
        fact = alive[pick % len(alive)]
        fact.is_alive = False
        self.truth.asked[fact.order].is_deleted = True
        self.truth.gone.add(fact.token)
        await self._open(fact.told_in)
        await self._discord(self.discord.delete(fact.told_in, fact.order))

    async def ask(self, g: int, who: int, about: int, where: int) -> None:
        """A question about somebody."""
        user = self.people[g][about]
        about_whom = "me" if about == who else f"<@{user.id}>"
        await self._ask(self.people[g][who], self._channel(g, where), f"Bot what do you know about {about_whom}")

    async def chat(self, g: int, who: int, where: int) -> None:
        """Anything."""
        self.count += 1
        await self._ask(self.people[g][who], self._channel(g, where), f"Bot tell me of topic{self.count}x")

    async def look(self, g: int, who: int, where: int) -> None:
        """The panel with everything that is known of oneself."""
        if not self._is_well():
            return
        await self._rest()
        user, channel = self.people[g][who], self._channel(g, where)
        answered = await self.discord.slash(user, channel, "memory show")
        shown = [sent for sent in answered if sent.reply_to is None]  # a message may be answered meanwhile
        assert shown
        assert all(sent.ephemeral for sent in shown)

    async def undo(self, pick: int) -> None:
        """*Undo* on the confirmation of something that was told."""
        alive = [fact for fact in self.truth.facts if fact.is_alive]
        if not alive:
            return
        fact = alive[pick % len(alive)]
        if not self._is_well():
            return
        await self._rest()
        sent = next((s for s in self.discord.sent if s.reply_to == fact.order and "Undo" in s.buttons), None)
        if sent is None or sent.message_id not in self.discord.rest.shown:
            return
        told = await self.discord.press(fact.of, fact.told_in, sent, "Undo")
        assert told
        fact.is_alive = any(TOO_LATE in sent.content for sent in told)
        if fact.is_alive:
            assert self.clock() - snowflake_time(fact.order) > UNDO, "it was to be undone"

    async def rename(self, g: int, who: int) -> None:
        """Somebody has another name from now on."""
        self.count += 1
        self.guilds[g].nicknames[self.people[g][who].id] = f"Nick{self.count}"

    async def open_place(self, g: int, is_thread: bool) -> None:
        """A channel is made, or a thread in the first one; nobody writes there yet."""
        if len(self.open[g]) < 2 + PLACES:
            self.count += 1
            guild, name = self.guilds[g], f"place{self.count}"
            made = (
                self.discord.open_thread(self.open[g][0], name) if is_thread else self.discord.open_channel(guild, name)
            )
            self.open[g].append(await self._discord(made))

    async def archive(self, g: int, where: int) -> None:
        """A thread goes to the archive after a last word; whoever writes there opens it again."""
        threads = [place for place in self.open[g] if place.thread]
        if threads:
            place = threads[where % len(threads)]
            self.count += 1
            await self._write(self.people[g][0], place, f"the last word is word{self.count}x")
            await self._discord(self.discord.archive(place))

    # Time

    async def pass_time(self, minutes: float) -> None:
        """Time passes; what is due in the background is done."""
        self.clock.on(minutes=minutes)
        for process in self.processes:
            if process.is_up and process.line.is_whole:
                memory = process.app.memory
                for work in (memory.conversations.keep_going, memory.conversations.confirm_told_again, memory.upkeep):
                    await memory.loops.attempt("simulated", work)

    # What goes wrong

    async def quota(self, out: bool) -> None:
        """The model's quota is out, or there again."""
        self.gemini.quota_out = out

    async def fault(self, kind: str) -> None:
        """One request to the model goes wrong."""
        self.gemini.faults.append(Fault(kind=kind, seconds=0.1))

    async def refuse(self, status: int) -> None:
        """Discord refuses to take the next message that the bot sends."""
        self.discord.rest.refusing.append(status)

    async def limit(self, per_second: int | None) -> None:
        """Discord answers so many requests a second, and refuses the others with 429."""
        self.discord.rest.per_second = per_second

    async def drop(self, forget: bool) -> None:
        """Every connection to the gateway is lost; it can be resumed, or not."""
        if not all(process.is_well for process in self.processes):
            return
        before = self.discord.gateway.identified
        await self.discord.gateway.drop(for_good=forget)
        if forget:
            await self._until(lambda: self.discord.gateway.identified >= before + COUNT)

    async def conflict(self, code: str, after: int) -> None:
        """A transaction meets another."""
        self.statements.plant(code, after)

    async def cut(self, g: int) -> None:
        """The database is away from one process."""
        self.processes[g].line.cut()

    async def mend(self, g: int) -> None:
        """And there again; what waited there is tried."""
        self.processes[g].line.mend()
        await asyncio.sleep(0.2)
        await self.revive()

    async def cut_off(self, g: int) -> None:
        """Discord is away from one process."""
        self.processes[g].gateway.cut()

    async def reach(self, g: int) -> None:
        """And there again."""
        self.processes[g].gateway.mend()

    async def skew(self, g: int, seconds: float) -> None:
        """The machine of a process, when it starts again, is ahead of the others, or behind."""
        self.skews[g] = seconds

    async def freeze(self, g: int) -> None:
        """A process is silent for so long that another takes over from it; it wakes when its line is mended."""
        one, other = self.processes[g], self.processes[g - 1]
        if not (one.is_well and other.is_well):
            return
        one.line.freeze()
        await self._silence(one)
        with suppress(DatabaseUnavailable):
            await other.app.memory.inbox.beat()

    async def sleep(self, g: int, who: int, where: int, after: int) -> None:
        """A process stands still in the middle of an order; another takes its place, and forgets; then it wakes."""
        p = _process_of(g)
        if not self._is_well():
            return
        await self._rest()
        old = self.processes[p]
        self.statements.freeze(old, after)
        await self.remember(g, who, where)
        fact = self.truth.facts[-1]
        with suppress(TimeoutError):
            async with asyncio.timeout(2):
                while old.line.is_whole:
                    await asyncio.sleep(0.01)
        self.statements.wake()
        if old.line.is_whole:  # it was quicker
            return
        old.gateway.cut()
        await self._silence(old)
        self.clock.on(minutes=1)
        await self._replace(p)
        await self._until(lambda: self._is_answered(fact.order))
        await self._forget_at_once(fact)
        old.line.mend()
        old.gateway.mend()
        await asyncio.sleep(0.3)  # it goes on with what it had in its hands
        with suppress(DatabaseUnavailable):
            await old.app.memory.inbox.beat()
        await old.kill()

    async def overlap(self, g: int, who: int, where: int) -> None:
        """A process is replaced while it still runs: both have what is ordered then, and who takes it on is slow."""
        p = _process_of(g)
        if not self._is_well():
            return
        await self._rest()
        old = self.processes[p]
        await self._replace(p)
        new = self.processes[p]
        await self._rest(of=COUNT + len(SHARDS[p]))
        self.statements.slow_down((old, new))
        await self.remember(g, who, where)
        await self._forget_at_once(self.truth.facts[-1])
        self.statements.slow_down(())
        old.line.mend()
        new.line.mend()
        await old.stop()

    async def outage(self, g: int, who: int, where: int, minutes: float) -> None:
        """The database is away from a process, which promises answers, for longer than questions stay fresh."""
        process = self.processes[_process_of(g)]
        if not self._is_well():
            return
        await self._rest()
        process.line.cut()
        channel, people = self._channel(g, where), (self.people[g][who], self.people[g][who - 1])
        asked = [await self._ask(person, channel, "Bot tell me of the outage") for person in people]
        with suppress(TimeoutError):
            async with asyncio.timeout(2):
                while not all(self._is_put_off(said) for said in asked):
                    await asyncio.sleep(0.02)
        for said in asked:
            self.truth.asked[said].is_promised = self._is_put_off(said)
        self.clock.on(minutes=minutes)
        process.line.mend()
        await self._until(lambda: all(self._is_answered(s) for s in asked if self.truth.asked[s].is_promised))

    async def _replace(self, p: int) -> None:
        """Start another process in the place of one, which goes on as it can."""
        self.replaced.append(self.processes[p])
        self.processes[p] = Process(self, SHARDS[p], self.skews[p])
        limit, self.discord.rest.per_second = self.discord.rest.per_second, None
        await self.processes[p].start()
        self.discord.rest.per_second = limit

    async def _forget_at_once(self, fact: Fact) -> None:
        """Have something forgotten that was told just now, and wait for the answer."""
        fact.is_alive, fact.is_plain = False, True
        words = f"Bot forget that I own {fact.token}"
        fact.forgotten_by = forgotten_by = await self._ask(fact.of, fact.told_in, words, is_order=True)
        await self._until(lambda: self._is_answered(forgotten_by))

    async def _silence(self, process: Process) -> None:
        """Let a process have given no sign of life for so long that others take over from it."""
        silent = "UPDATE processes SET alive_at = now() - interval '11 seconds' WHERE process_id = $1"
        await query(self.dsn, silent, process.app.memory._core.store.process_id)

    def _is_answered(self, said: int) -> bool:
        return any(s.reply_to == said and not s.content.startswith(PUT_OFF) for s in self.discord.sent)

    def _is_put_off(self, said: int) -> bool:
        return any(s.reply_to == said and s.content.startswith(PUT_OFF) for s in self.discord.sent)

    async def revive(self) -> None:
        """What others took over from begins anew, as `urmom-bot run` does."""
        for g, process in enumerate(self.processes):
            if process.is_up and process.line.is_whole:
                with suppress(DatabaseUnavailable):
                    await process.app.memory.inbox.beat()
                if process.app.memory.inbox.fenced.is_set():
                    await process.kill()
                    await self.up(g)

    async def kill(self, g: int) -> None:
        """A process is killed."""
        if self.processes[g].is_up:
            await self.processes[g].kill()

    async def be_away(self, g: int, where: int, again: bool) -> None:
        """The process of a server is killed, much happens, and it starts; `again`: and is killed as it catches up."""
        p = _process_of(g)
        user, channel = self.people[g][where % PEOPLE], self._channel(g, where)
        await self.kill(p)
        await self._say(user, channel)
        if len(self.open[g]) < 2 + PLACES:
            await self.open_place(g, is_thread=again)
            await self._say(user, self.open[g][-1])
        await self.archive(g, where)
        await self.delete(where)
        await self.edit(where + 1)
        if again:
            await self.up(p)
            self.discord.rest.per_second = 1
            said = await self._say(user, channel)  # it comes before what is missing is read
            with suppress(TimeoutError):  # the process may not reach its database
                async with asyncio.timeout(1):
                    while not await self._is_stored(said):
                        await asyncio.sleep(0.02)
            await self.kill(p)
            self.discord.rest.per_second = None
        await self.up(p)

    async def stop(self, g: int) -> None:
        """A process is ended in order."""
        if self.processes[g].is_up:
            self.processes[g].line.mend()
            self.processes[g].gateway.mend()
            await self.processes[g].stop()

    async def up(self, g: int) -> None:
        """A process is started, where it does not run."""
        made = Process(self, SHARDS[g], self.skews[g])
        if len(self.processes) <= g:
            self.processes.append(made)
        elif self.processes[g].is_up:
            return
        else:
            self.processes[g] = made
        limit, self.discord.rest.per_second = self.discord.rest.per_second, None  # `urmom-bot run` logs in again
        await self.processes[g].start()
        self.discord.rest.per_second = limit

    # What must be true

    async def quiet(self) -> None:
        """Everything runs again, and comes to rest within the deadline."""
        self.gemini.quota_out = False
        self.discord.rest.per_second = None
        for process in self.processes:
            process.line.mend()
            process.gateway.mend()
        for p in range(len(SHARDS)):
            await self.up(p)
        began, calm = time.monotonic(), 0
        connection = await asyncpg.connect(self.dsn)
        try:
            while True:
                await self.revive()
                try:
                    async with asyncio.timeout(PATIENCE):  # one that is fenced meanwhile begins anew
                        await self._rest()
                except TimeoutError:
                    if time.monotonic() - began > DEADLINE:
                        raise AssertionError(f"it does not come to rest: {self._busy()}") from None
                    continue
                rows = await connection.fetch("SELECT kind, state, guild_id FROM inbox WHERE state <> 'done'")
                calm = calm + 1 if not rows and self._is_current() else 0
                if calm > 1:  # twice: what came with a connection may be on its way to the bot
                    self._at_once.clear()
                    return
                if time.monotonic() - began > DEADLINE:
                    raise AssertionError(f"still open: {[tuple(row) for row in rows]}")
                await asyncio.sleep(0.05)
        finally:
            await connection.close()

    async def check(self) -> None:
        """Nothing is lost, doubled, told to the wrong people or back from the dead; everything asked is answered."""
        await self.quiet()
        connection = await asyncpg.connect(self.dsn)
        try:
            await self._check_words(connection)
            await self._check_facts(connection)
            await self._check_dead(connection)
        finally:
            await connection.close()
        self._check_answers()
        self._check_leaks()
        assert not self.discord.unhandled
        assert not [sent for sent in self.discord.sent if sent.pings]

    async def _check_words(self, connection: asyncpg.Connection[asyncpg.Record]) -> None:
        rows = await connection.fetch(
            "SELECT message_id, message_text FROM chat_history WHERE author_kind = 'member' AND NOT off_record"
        )
        questions = {said for said, asked in self.truth.asked.items() if not asked.is_order}
        stored = {row["message_id"]: row["message_text"] for row in rows if row["message_id"] not in questions}
        expected = {said: text for said, (_, text) in self.truth.words.items()}
        assert stored == expected, f"{stored} are stored, {expected} were written"

    async def _check_facts(self, connection: asyncpg.Connection[asyncpg.Record]) -> None:
        unsure = {sent.reply_to for sent in self.discord.sent if sent.content.startswith(UNSURE)}
        for fact in self.truth.facts:
            if fact.forgotten_by in unsure and not fact.is_plain:  # it was asked which one is meant
                fact.is_alive, fact.forgotten_by = True, None
        rows = await connection.fetch("SELECT value FROM facts WHERE retired_at IS NULL")
        stored = Counter(token for row in rows for token in _tokens(row["value"]))
        expected = Counter(fact.token for fact in self.truth.facts if fact.is_alive)
        assert stored == expected, f"{stored} are known, {expected} were told"

    async def _check_dead(self, connection: asyncpg.Connection[asyncpg.Record]) -> None:
        if not self.truth.gone:
            return
        found = {}
        for table in TABLES:
            texts = [row[0] for row in await connection.fetch(f"SELECT t::text FROM {table.name} t")]
            here = {token for text in texts for token in _tokens(text)} & self.truth.gone
            if here:
                found[table.name] = here
        assert found == {}, f"back from the dead: {found}"

    def _check_answers(self) -> None:
        answers: Counter[int] = Counter()
        for guild in self.guilds:
            for channel in guild.channels.values():
                for message in channel.messages.values():
                    reference = message.get("message_reference")
                    mine = message["author"]["id"] == str(self.discord.world.bot.id)
                    if mine and reference and not message["content"].startswith(PUT_OFF):
                        answers[int(reference["message_id"])] += 1
        twice = [self.truth.asked.get(said) for said, n in answers.items() if n > 1]
        assert twice == [], f"answered twice: {twice}"
        missing = [
            (said, asked.channel.name, asked.text)
            for said, asked in self.truth.asked.items()
            if not answers[said]
            and not (asked.is_deleted or asked.is_flood)
            and (asked.is_order or asked.is_promised or not self._was_late(asked))
        ]
        assert missing == [], f"not answered: {missing}"

    def _check_leaks(self) -> None:
        private = {fact.token for fact in self.truth.facts if fact.told_in in self.closed}
        private |= {t for c, text in self.truth.words.values() if c in self.closed for t in _tokens(text)}
        open_ids = {channel.id for channels in self.open for channel in channels}
        for sent in self.discord.sent:
            if sent.channel_id in open_ids and not sent.ephemeral:
                assert not private & set(_tokens(sent.content)), sent.content

    # Help

    def _busy(self) -> list[str]:
        """What keeps the processes from resting."""
        tasks = [
            f"{task.get_name()} in {_place(task)}"
            for task in asyncio.all_tasks()
            if task.get_name().startswith(("inbox", "discord.py"))
        ]
        for process in self.processes:
            ingest = process.app.memory._ingest
            tasks += [f"{process.bot.flow.catching_up.counts}", f"{ingest.pending} writes wait"]
        return tasks

    def _channel(self, g: int, where: int) -> Channel:
        places = [self.closed[g], *self.open[g]]
        return places[where % len(places)]

    def _is_current(self) -> bool:
        """Whether each server was looked at since its process connected last."""
        return all(
            process.bot.flow.catching_up.is_current(self.guilds[shard].id, self.open[shard][0].id)
            for process, shards in zip(self.processes, SHARDS, strict=True)
            for shard in shards
        )

    def _is_well(self) -> bool:
        """Whether nothing keeps the processes from coming to rest."""
        return all(process.is_well for process in self.processes)

    def _picked(self, pick: int) -> int | None:
        known = [said for said in self.truth.words if self._is_compared(said)]
        return known[-1 - pick % min(len(known), 12)] if known else None

    def _is_compared(self, said: int) -> bool:
        """Whether it is noticed though it happens to a message while the bot is away: of what is kept."""
        return snowflake_time(said) > self.clock.now - KEPT

    def _gone(self, text: str) -> None:
        self.truth.gone.update(_tokens(text))

    def _was_late(self, asked: Asked) -> bool:
        """Whether it was answered, if at all, when time had passed: nobody must be answered then."""
        return self.clock.now.timestamp() - asked.at > LATE

    async def _open(self, channel: Channel) -> None:
        """Take a thread out of the archive: nothing in it is written, edited or deleted there (Discord, 50083)."""
        if channel.archived_at is not None:
            await self._discord(self.discord.archive(channel, False))

    async def _write(self, user: User, channel: Channel, text: str) -> int:
        self.clock.on(seconds=1)
        await self._open(channel)
        said: int = await self._discord(self.discord.say(user, channel, text))
        if not text.startswith("Bot"):
            self.truth.words[said] = channel, text
        return said

    async def _ask(self, user: User, channel: Channel, text: str, *, is_order: bool = False) -> int:
        said = await self._write(user, channel, text)
        self._at_once[user.id] += not is_order
        is_flood = not is_order and self._at_once[user.id] > MAX_QUESTIONS_AT_ONCE
        self.truth.asked[said] = Asked(channel, self.clock.now.timestamp(), is_order, text, is_flood)
        return said

    async def _discord(self, happening: Coroutine[Any, Any, Any]) -> Any:
        return await happening

    async def _rest(self, *, of: int = COUNT) -> None:
        self.discord.rest.per_second = None  # what is pressed is looked at as soon as the rest is done
        await self._until(lambda: self.discord.gateway.connected == of)
        await self.discord.settle(limit=DEADLINE)

    async def settle_bots(self) -> None:
        """Wait until the bots that run have stored what they were sent."""
        for process in self.processes:
            if process.is_well:
                waits = (process.bot.settle(), process.app.memory.inbox.fenced.wait())
                tasks = [asyncio.ensure_future(one) for one in waits]
                try:
                    await asyncio.wait(tasks, return_when=asyncio.FIRST_COMPLETED)
                finally:
                    for task in tasks:
                        task.cancel()
                    await asyncio.gather(*tasks, return_exceptions=True)

    async def _until(self, holds: Callable[[], bool]) -> None:
        async with asyncio.timeout(DEADLINE):
            while not holds():
                await asyncio.sleep(0.01)


def _process_of(g: int) -> int:
    """The process that runs a server."""
    return next(p for p, shards in enumerate(SHARDS) if g in shards)


def _place(task: asyncio.Task[Any]) -> str:
    """Where a task waits: the functions it is in, the innermost last."""
    coroutine: Any = task.get_coro()
    names = []
    while (frame := getattr(coroutine, "cr_frame", None)) is not None:
        names.append(f"{frame.f_code.co_name}:{frame.f_lineno}")
        coroutine = coroutine.cr_await
    return " > ".join(names)


def _tokens(text: str) -> Iterable[str]:
    return re.findall(r"word\d+x|\bqu[a-p]{8}\b", text)


def _thing(number: int) -> str:
    """A word like no other: what differs in a figure alone may be forgotten with the other."""
    return "qu" + "".join(chr(ord("a") + int(c, 16)) for c in hashlib.sha256(str(number).encode()).hexdigest()[:8])


__all__ = ["CONFLICTS", "Process", "Simulation", "owned_task"]
