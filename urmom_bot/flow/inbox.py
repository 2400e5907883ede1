"""What the bot was asked, from its record to its answer: once, in order, and again after whatever interrupted it."""

from __future__ import annotations

import asyncio
import logging
from bisect import insort
from collections import defaultdict
from collections.abc import Awaitable, Callable, Collection, Iterator, Sequence
from contextlib import contextmanager
from datetime import timedelta
from typing import Any

from cachetools import LRUCache

from memory import DatabaseUnavailable, GuildErased, MemoryManager
from memory.ids import ChannelId, GuildId, MessageId, UserId
from memory.records import EarlierOrder, InboxItem, InboxKind, InboxState, InboxWork
from urmom_bot.flow.platform import TryLater
from urmom_bot.reference import referenced

log = logging.getLogger(__name__)

MAX_QUESTION_AGE = timedelta(minutes=10)
"""How old a question may be that is answered still; of an older one it is said at most that the bot was away."""

LATE_ORDER_AGE = timedelta(minutes=2)
"""How old an order is whose answer says that the bot was away."""

MAX_QUESTIONS_AT_ONCE = 4
"""Questions of one member that are answered at once at the most."""

NOTICE = 2.0
"""Seconds between two looks whether a message is taken on yet."""

PROBE = 4.0
"""Seconds in which a database answers that is slow, and not away: only then nobody is told to wait."""

SCAN_INTERVAL = 10.0
"""Seconds between two looks for what another process, or an earlier one, left open."""

PAUSES = (0.5, 30.0)
"""Seconds before something is tried again, at first and at the most."""

EARLIER_ORDER_POLL = 0.25
"""Seconds between two looks whether an order is done that another process carries out, and that was given before."""

ATTEMPTS = 10
"""How often something is taken on before it is left to the operator: it ended the process each time."""

MAX_FRESH_MESSAGES = 5_000
"""Messages that are kept, as Discord sent them, until they are answered."""

EntryKey = tuple[GuildId, MessageId, InboxKind]
"""What makes an entry of the inbox one: its guild, what it is about, and its kind."""


class Unfinished(Exception):
    """An order was not carried out because of a defect: it is parked, and whoever gave it was told so."""

    def __init__(self, reason: str) -> None:
        super().__init__(reason)
        self.reason = reason


Handler = Callable[[InboxWork, Any], Awaitable[None]]
"""Does what an entry asks and answers it; given the message as Discord sent it, or None where it is to be fetched."""


class Inbox:
    """Hands every entry to the handler of its kind, in order, until it is done.

    Orders of a guild are carried out one after the other, once nothing is missing before them; a question waits for
    the orders before it in its channel, and not for what is missing. `is_behind(guild)` says whether messages of a
    guild are still to be read.
    """

    def __init__(self, memory: MemoryManager) -> None:
        self._memory = memory
        self._handlers: dict[InboxKind, Handler] = {}
        self._fresh: LRUCache[EntryKey, Any] = LRUCache(MAX_FRESH_MESSAGES)
        self._tasks: dict[EntryKey, asyncio.Task[None]] = {}
        self._next: dict[EntryKey, InboxItem] = {}
        self._handled: set[EntryKey] = set()
        self._orders: defaultdict[GuildId, list[tuple[MessageId, ChannelId]]] = defaultdict(list)
        self._moved: defaultdict[GuildId, asyncio.Event] = defaultdict(asyncio.Event)
        self._guilds: Callable[[], Collection[GuildId]] = tuple
        self._notice: Callable[[Any], Awaitable[None]] | None = None
        self._gave_up: Callable[[InboxItem], Awaitable[None]] | None = None
        self._put_off: LRUCache[EntryKey, bool] = LRUCache(MAX_FRESH_MESSAGES)
        self._told: set[UserId] = set()
        self._is_closing = False
        self._probe: asyncio.Task[bool] | None = None
        self._waiting: set[asyncio.Task[Any]] = set()
        self.is_behind: Callable[[GuildId], bool] = lambda _guild: False
        self._busy: defaultdict[UserId, set[EntryKey]] = defaultdict(set)
        self._live: LRUCache[EntryKey, bool] = LRUCache(MAX_FRESH_MESSAGES)
        self._flooding: set[EntryKey] = set()
        self._kept_waiting: set[EntryKey] = set()
        self._began: dict[EntryKey, float] = {}
        memory.inbox.listen(self._recorded)

    def answer_with(self, kind: InboxKind, handler: Handler) -> None:
        """Let `handler` do what entries of a kind ask."""
        self._handlers[kind] = handler

    def run_for(
        self,
        guilds: Callable[[], Collection[GuildId]],
        notice: Callable[[Any], Awaitable[None]],
        gave_up: Callable[[InboxItem], Awaitable[None]],
    ) -> None:
        """Look after `guilds`.

        `notice` tells somebody that their message will be answered later, `gave_up` that it will not.
        """
        self._guilds, self._notice, self._gave_up = guilds, notice, gave_up

    # What comes in

    def keep(self, entry: InboxItem, message: Any) -> None:
        """Keep a message as Discord sent it until its entry is done."""
        self._fresh[entry.key] = message

    def expect(self, entry: InboxItem, message: Any) -> None:
        """Keep a message that was written just now, and tell its author where it takes long to be recorded."""
        if message is not None:
            self.keep(entry, message)
            self._live[entry.key] = True
            self._spawn(self._notice_if_late(entry), "notice of the inbox")

    async def record(self, entry: InboxItem, message: Any) -> None:
        """Record what comes without a message to store, and work on it.

        Where the database is away it is told so, and goes on to be recorded in the background.
        """
        if message is not None:
            self.keep(entry, message)
            self._live[entry.key] = True
        try:
            await self._record(entry)
        except DatabaseUnavailable:
            self._spawn(self._record_later(entry), "waiting inbox")
            await self._put_off_once(entry, message)
        except GuildErased:
            return

    async def _record(self, entry: InboxItem) -> None:
        if await self._memory.inbox.record(entry):
            self.dispatch(entry)

    async def _record_later(self, entry: InboxItem) -> None:
        pause = PAUSES[0]
        while True:
            await asyncio.sleep(pause)
            pause = min(2 * pause, PAUSES[1])
            try:
                await self._record(entry)
                return
            except DatabaseUnavailable:
                continue
            except GuildErased:
                return

    def _recorded(self, entries: Sequence[InboxItem]) -> None:
        for entry in entries:
            self.dispatch(entry)

    def dispatch(self, entry: InboxItem) -> None:
        """Work on an entry, unless that is being done; on a later edit, once the earlier one is done."""
        if self._is_closing or entry.kind not in self._handlers:  # the next process takes up what is open
            return
        if entry.key in self._tasks:
            if entry.kind is InboxKind.EDIT:
                self._next[entry.key] = entry
            return
        if entry.is_order:
            insort(self._orders[entry.guild_id], (entry.trigger_id, entry.channel_id))
        with referenced():
            task = asyncio.create_task(self._work(entry), name=f"inbox {entry.kind.value}")
        self._tasks[entry.key] = task
        task.add_done_callback(lambda _: self._ended(entry))

    def _ended(self, entry: InboxItem) -> None:
        self._tasks.pop(entry.key, None)
        if (later := self._next.pop(entry.key, None)) is None:
            self._fresh.pop(entry.key, None)
        if entry.is_order:
            orders = self._orders[entry.guild_id]
            orders.remove((entry.trigger_id, entry.channel_id))
            if not orders:
                del self._orders[entry.guild_id]
            self.moved(entry.guild_id)
        if later is not None and later.at > entry.at:
            self.dispatch(later)

    def moved(self, guild_id: GuildId) -> None:
        """Look again at what waits in a guild: an order is done, or nothing is missing there any more."""
        self._moved.pop(guild_id, asyncio.Event()).set()

    async def scan(self) -> None:
        """Take up what is open and nobody works on: of an earlier process, or one that died."""
        for entry in await self._memory.inbox.open(list(self._guilds())):
            self.dispatch(entry)

    async def close(self, patience: float = 4.0) -> None:
        """Finish what is being answered, for `patience` seconds at the most; the rest is left to the next process."""
        self._is_closing = True
        for key, task in list(self._tasks.items()):
            if key not in self._handled:
                task.cancel()
        tasks = [*self._tasks.values(), *self._waiting]
        if self._handled and not self._memory.inbox.fenced.is_set():
            await asyncio.wait([self._tasks[key] for key in self._handled], timeout=patience)
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)

    # Work

    async def _work(self, entry: InboxItem) -> None:
        fresh = self._fresh.get(entry.key)
        is_recent = entry.key in self._live  # what was missed comes all at once, and is no flood
        self._began[entry.key] = asyncio.get_running_loop().time()
        if is_recent:
            self._busy[entry.user_id].add(entry.key)
            if self._at_once(entry.user_id) > MAX_QUESTIONS_AT_ONCE:
                self._flooding.add(entry.key)
        try:
            await self._wait_for_earlier_orders(entry)
            await self._until_done(entry, fresh)
        except GuildErased:
            log.info("inbox: guild %d is gone, and what it asked with it", entry.guild_id)
        except Exception:  # it stays open; the next look takes it up
            if self._is_closing:  # what it would have been sent with is closed
                log.info("inbox: an entry of kind %s is left to the next process", entry.kind.value)
            else:
                log.exception("inbox: an entry of kind %s could not be worked on", entry.kind.value)
        finally:
            self._live.pop(entry.key, None)
            self._flooding.discard(entry.key)
            self._kept_waiting.discard(entry.key)
            self._began.pop(entry.key, None)
            if is_recent:
                self._busy[entry.user_id].discard(entry.key)
                if not self._busy[entry.user_id]:
                    del self._busy[entry.user_id]

    def _at_once(self, user_id: UserId) -> int:
        """How many questions of a member are being answered or came just now; those that waited for the bot are not."""
        since = asyncio.get_running_loop().time() - NOTICE
        paced = self._busy[user_id] - self._kept_waiting
        return sum(key in self._handled or self._began[key] >= since for key in paced)

    async def _wait_for_earlier_orders(self, entry: InboxItem) -> None:
        """Wait for the orders before an entry and, for an order, until nothing is missing before it."""
        while True:
            before = [o for o in self._orders.get(entry.guild_id, ()) if o[0] < entry.trigger_id]
            behind = bool(entry.guild_id) and self.is_behind(entry.guild_id)
            if entry.is_order:
                ready = not behind and not before
            else:
                ready = behind or all(channel_id != entry.channel_id for _, channel_id in before)
            if ready:
                return
            with _waiting():
                await self._moved[entry.guild_id].wait()

    async def _until_done(self, entry: InboxItem, fresh: Any) -> None:
        pause = PAUSES[0]
        while True:
            try:
                taken = await self._memory.inbox.claim(entry)
                self._told.clear()  # it is back: the next time is told again
                if taken is None:
                    return
                await self._once(taken, None if fresh is None else self._fresh.get(entry.key, fresh))
                return
            except EarlierOrder:
                with _waiting():
                    await asyncio.sleep(EARLIER_ORDER_POLL)
                continue
            except DatabaseUnavailable as away:
                log.warning("inbox: an entry of kind %s waits for the database (%s)", entry.kind.value, away)
                await self._put_off_once(entry, fresh)
            except TryLater as later:
                log.warning("inbox: an entry is tried again later (%s)", later)
            with _waiting():
                await asyncio.sleep(pause)
            pause = min(2 * pause, PAUSES[1])

    async def _once(self, entry: InboxItem, fresh: Any) -> None:
        if entry.attempts > ATTEMPTS and entry.state is InboxState.WAITING and fresh is None:
            log.error("inbox: an entry of kind %s ended the process each time, and is parked", entry.kind.value)
            await self._memory.inbox.park(entry, "ended the process")
            if self._gave_up is not None:
                await self._gave_up(entry)
            return
        self._handled.add(entry.key)
        if asyncio.get_running_loop().time() - self._began[entry.key] > NOTICE:
            self._kept_waiting.add(entry.key)  # its member asked at their own pace
            self._flooding.discard(entry.key)
        try:
            with self._memory.inbox.working(entry) as work:
                await self._handlers[entry.kind](work, fresh)
            await self._memory.inbox.finish(entry)
        except Unfinished as unfinished:
            await self._memory.inbox.park(entry, unfinished.reason)
        finally:
            self._handled.discard(entry.key)

    # Telling that it takes longer

    async def _notice_if_late(self, entry: InboxItem) -> None:
        while True:
            await asyncio.sleep(NOTICE)
            message = self._fresh.get(entry.key)
            if message is None or entry.key in self._tasks:
                return
            if self._memory.messages.was_deleted(entry.guild_id, entry.trigger_id) or self.is_late(entry):
                self._fresh.pop(entry.key, None)
                self._live.pop(entry.key, None)
                return
            if await self._put_off_once(entry, message):
                return
            if await self._is_recorded(entry):  # it was brought by catching up, or is another's
                self._fresh.pop(entry.key, None)
                self._live.pop(entry.key, None)
                return

    async def _is_recorded(self, entry: InboxItem) -> bool:
        try:
            return await self._memory.inbox.state(entry) is not None
        except DatabaseUnavailable:
            return False

    async def _put_off_once(self, entry: InboxItem, message: Any) -> bool:
        """Put an entry off where the database is away or full, and tell its author, once in an outage; whether it is.

        What was put off is answered however late it is, and however many ask.
        """
        if not await self._is_out():
            return False
        if message is None or self._notice is None or self._memory.inbox.fenced.is_set():
            return True
        self._put_off[entry.key] = True
        if entry.user_id not in self._told:
            self._told.add(entry.user_id)
            await self._notice(message)
        return True

    async def _is_out(self) -> bool:
        """Whether the database is away or full; asked once for all who wait."""
        if self._memory.messages.is_refused:
            return True
        if self._probe is None or self._probe.done():
            self._probe = asyncio.create_task(self._memory.has_database(PROBE), name="waiting for the database")
        return not await asyncio.shield(self._probe)

    def was_put_off(self, entry: InboxItem) -> bool:
        """Whether the author of an entry was promised an answer."""
        return entry.key in self._put_off

    def _spawn(self, work: Awaitable[object], name: str) -> None:
        task = asyncio.ensure_future(work)
        task.set_name(name)
        self._waiting.add(task)
        task.add_done_callback(self._waiting.discard)

    def is_flood(self, entry: InboxItem) -> bool:
        """Whether an entry is one of too many that its member asked at once."""
        return entry.key in self._flooding and not self.was_put_off(entry)

    def is_busy_with(self, user_id: UserId) -> bool:
        """Whether anything that a member asked just now is not answered yet."""
        return user_id in self._busy

    def is_late(self, entry: InboxItem) -> bool:
        """Whether a question is too old to be answered."""
        return self._memory.clock() - entry.at > MAX_QUESTION_AGE and not self.was_put_off(entry)

    def was_away(self, entry: InboxItem) -> bool:
        """Whether the bot was away when something was asked, so that its answer says so."""
        return self._memory.clock() - entry.at > LATE_ORDER_AGE


@contextmanager
def _waiting() -> Iterator[None]:
    """Show by the task's name that it waits for something else to happen."""
    task = asyncio.current_task()
    assert task is not None
    name = task.get_name()
    task.set_name(f"waiting {name}")
    try:
        yield
    finally:
        task.set_name(name)
