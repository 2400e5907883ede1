"""What happened while the bot was not connected: missed messages are read, deletions and edits are found."""

from __future__ import annotations

import asyncio
import logging
from collections import Counter
from collections.abc import Callable, Collection, Coroutine, Mapping, Sequence
from contextlib import suppress
from datetime import datetime, timedelta
from functools import partial
from typing import Any

from memory import Channel, GuildErased, MemoryManager
from memory.ids import MAX_MESSAGE, ChannelId, GuildId, MessageId
from memory.records import Parked
from urmom_bot.flow.archives import Archives
from urmom_bot.flow.asking import Asking
from urmom_bot.flow.inbox import Inbox
from urmom_bot.flow.layouts import Layouts
from urmom_bot.flow.patience import until_done
from urmom_bot.flow.platform import ChatChannel, ChatMessage, Guild, Platform, Refused, TryLater
from urmom_bot.flow.reading import COMPARED_BEFORE_LOSS, ChannelReader, Reading, ReadQueue
from urmom_bot.snowflakes import first_id, moment

log = logging.getLogger(__name__)

MAX_LOOKBACK = timedelta(days=8)
"""How far back it is looked at once, at the most; all that is kept, once nothing is missing any more."""

WORKERS = 16
"""Channels that are read at once."""

GATHER_WINDOW = 0.05
"""Seconds in which guilds that come back are gathered, to be looked at together."""

MAX_GUILDS_AT_ONCE = 500
"""Guilds that are looked at together at the most."""

MAX_DELIVERY_TIME = timedelta(seconds=10)
"""How long what Discord sent may be on its way: a shard is whole until so long before now."""

PROGRESS = 10.0
"""Seconds between two lines in the log on how far it got."""


MAX_WAITING_WRITES = 1_000
"""Writes that wait at the most when channels are read on that were left because too many waited."""

MAX_FLOOD_WAIT = 60.0
"""Seconds after which they are read on all the same."""


class CatchingUp:
    """Reads what was missed, once a channel, under a limit; meanwhile what happens now is stored and answered.

    The database has, for each readable channel, up to which message it is whole. That is written before anything else
    is stored of the channel, and moved by what is stored alone: while a channel is behind, what is written there does
    not move it. A channel that is not known yet is read from where its shard was whole last.
    """

    def __init__(
        self,
        platform: Platform,
        memory: MemoryManager,
        layouts: Layouts,
        asking: Asking,
        inbox: Inbox,
    ) -> None:
        self._platform = platform
        self._memory = memory
        self._layouts = layouts
        self._asking = asking
        self._inbox = inbox
        self.counts: Counter[str] = Counter()
        """Since the start: channels to read and read, calls, messages brought, deleted and edited."""
        self._reader = ChannelReader(platform, memory, asking, inbox, self.counts)
        self._queue = ReadQueue(self._read, self._on_read)
        self._archives = Archives(
            platform, memory, layouts, read=self._read_thread, compare=self._compare_threads, done=self._archive_read
        )
        self._connected: set[int] = set()
        self._last: dict[tuple[int, int], datetime] = {}
        self._since: dict[int, datetime | None] = {}
        self._first: dict[int, datetime] = {}
        self._guild_since: dict[GuildId, datetime] = {}
        self._due: set[GuildId] = set()
        self._planned: set[GuildId] = set()
        self._connections: Counter[GuildId] = Counter()
        self._behind: Counter[ChannelId] = Counter()
        self._again: set[int] = set()
        self._unmoved: dict[ChannelId, MessageId] = {}
        self._missed: dict[int, int] = {}
        self._gaps: Counter[GuildId] = Counter()
        self._left: Counter[int] = Counter()
        self._spawned: set[asyncio.Task[None]] = set()
        self._wake = asyncio.Event()
        self._begun: float | None = None
        self._kept: list[str] = []
        self.on_channel_gone: Callable[[GuildId, ChannelId], Coroutine[Any, Any, None]] | None = None
        """Told of a guild and a channel that went while the bot was away."""
        inbox.is_behind = lambda guild_id: guild_id not in self._planned or bool(self._gaps[guild_id])

    async def start(self) -> None:
        """Learn when each shard was last connected, and begin."""
        self._last = await self._memory.guilds.shards_whole_until()
        loops = self._memory.loops
        work = {"planning": self._plan_due, "archives": self._archives.run}
        work |= {f"reading {n}": self._queue.run for n in range(WORKERS)}
        self._kept = [f"recovery: {name}" for name in work]
        for name, run in zip(self._kept, work.values(), strict=True):
            loops.keep(name, run)
        loops.start("recovery: shards connected", self.note_connected, every=2.0)
        loops.start("recovery: progress", self._log_progress, every=PROGRESS)

    async def stop(self) -> None:
        """Read nothing more: the connection to the platform closes next."""
        if self._kept:
            await self._memory.loops.stop(*self._kept)

    # The connection

    def on_connect(self, shard_id: int) -> None:
        """Begin anew with the guilds of a shard whose connection could not be resumed."""
        self._connected.discard(shard_id)
        self._since[shard_id] = self._away_since(shard_id)
        self._first.setdefault(shard_id, self._memory.clock())
        self._wake.set()
        for guild in self._platform.guilds():
            if guild.shard_id == shard_id:
                self.begin_anew(guild.guild_id)

    def on_ready(self, shard_id: int) -> None:
        """Look at all guilds of a shard."""
        self._connected.add(shard_id)
        there = [g for g in self._platform.guilds() if g.shard_id == shard_id and g.is_available]
        self.look_at([guild.guild_id for guild in there])

    def on_resumed(self, shard_id: int) -> None:
        """Go on: the platform sends again what was missed."""
        self._connected.add(shard_id)

    def on_disconnect(self, shard_id: int) -> None:
        """Note that a shard hears nothing."""
        self._connected.discard(shard_id)

    def on_guild_unavailable(self, guild_id: GuildId) -> None:
        """Note that a guild hears nothing until it is back."""
        self._guild_since[guild_id] = self._memory.clock()
        self.begin_anew(guild_id)

    def begin_anew(self, guild_id: GuildId) -> None:
        """Trust nothing that is being found out of a guild: it may not know of what is missed from now on.

        Should a guild that removed the bot let it in again, it is looked at like a new one.
        """
        self._connections[guild_id] += 1
        self._planned.discard(guild_id)
        self._layouts.forget(guild_id)

    def _away_since(self, shard_id: int) -> datetime | None:
        """Until when a shard was whole; where their number changed, until when the bot was before.

        Other processes may have begun with the new number: what they say of their shards tells nothing of this one.
        """
        count = self._platform.shard_count
        if (count, shard_id) in self._last:
            return self._last[count, shard_id]
        before = {number: at for number, at in self._last.items() if number[0] != count}
        newest = max(before, key=before.__getitem__, default=None)
        return None if newest is None else min(at for (its, _), at in before.items() if its == newest[0])

    async def note_connected(self) -> None:
        """Record which shards are connected and miss nothing."""
        count = self._platform.shard_count
        until = self._memory.clock() - MAX_DELIVERY_TIME - timedelta(seconds=self._memory.messages.write_lag)
        waiting = {self._platform.shard_of(guild_id) for guild_id in self._due}
        current = [n for n in self._connected if not self._left[n] and n not in waiting]
        if current:
            await self._memory.guilds.shards_whole(count, current, until)
            self._last |= {(count, n): until for n in current}

    def is_current(self, guild_id: GuildId, channel_id: ChannelId) -> bool:
        """Whether nothing is missing in a channel."""
        return guild_id in self._planned and not self._behind[channel_id]

    # Planning

    def look_at(self, guild_ids: Collection[GuildId]) -> None:
        """Plan what is to be read of guilds that are there, or there again."""
        self._due.update(guild_id for guild_id in guild_ids if guild_id not in self._planned)
        self._wake.set()

    async def _plan_due(self) -> None:
        """Plan what is to be read of guilds that are back, many of them together."""
        while True:
            await self._wake.wait()
            self._wake.clear()
            await until_done(self._note_begun)
            await asyncio.sleep(GATHER_WINDOW)
            while self._due:
                some = {guild_id: self._connections[guild_id] for guild_id in sorted(self._due)[:MAX_GUILDS_AT_ONCE]}
                await until_done(partial(self._plan, some))
                self._due.difference_update(g for g, connection in some.items() if self._connections[g] == connection)
            await self.note_connected()

    async def _note_begun(self) -> None:
        """Record that shards are connected of which nothing is known: from now on something can be missing of them."""
        count = self._platform.shard_count
        for n, first in self._first.items():
            if (count, n) not in self._last:  # where their number changed, from where the bot was whole before
                await self._memory.guilds.shards_begun(count, [n], self._since.get(n) or first)

    async def _plan(self, connections: Mapping[GuildId, int]) -> None:
        """Plan for guilds, each as it is with its connection of that number."""
        known = [g for g in map(self._platform.guild, connections) if g is not None and g.is_available]
        guilds = [guild for guild in known if guild.guild_id not in self._planned]
        ids, memory = [guild.guild_id for guild in guilds], self._memory
        for guild_id in await memory.guilds.away(ids):
            await memory.guilds.on_bot_joined(guild_id)
        layouts = await memory.guilds.layouts(ids)
        cursors = await memory.messages.cursors(ids)
        since = {g.guild_id: self._guild_since.get(g.guild_id) or self._since.get(g.shard_id) for g in guilds}
        # Where nobody noted when the bot was last there, it is looked back from now: it may have ended before it could.
        windows = {g: first_id(self._window(at or self._memory.clock())) for g, at in since.items()}
        counted = await memory.messages.stored_after(ids, min(windows.values(), default=MAX_MESSAGE))
        kept_since = first_id(self._memory.clock() - self._memory.retention.messages)
        kept = await memory.messages.stored_after(ids, kept_since)
        orders = await memory.inbox.open(ids)
        waiting = {entry.guild_id for entry in orders if entry.is_order}
        for guild in guilds:
            its, away = guild.guild_id, since[guild.guild_id]
            try:
                await memory.guilds.on_guild_named(its, guild.name)
                await self._layouts.see(its, layouts)
                await self._begin_channels(guild, cursors[its], away)
            except GuildErased:
                continue
            there = self._platform.channel_ids(its)
            if there is None or self._connections[its] != connections[its]:  # it is planned for anew
                continue
            for reading in self._readings(guild, cursors[its], counted[its], windows.get(its), its in waiting, away):
                self._add(reading)
            self._compare_all(its, kept[its], kept_since)
            if away is not None:
                self._left[guild.shard_id] += 1
                self._archives.look_through(its, away)
            self._planned.add(its)
            self._guild_since.pop(its, None)
            self._inbox.moved(its)
            for channel_id in there & self._unmoved.keys():
                if not self._behind[channel_id]:
                    await self._move_cursor(its, channel_id, None)
            if away is not None:
                await self._channels_gone(its, there, cursors[its], away)
            await asyncio.sleep(0)
        for entry in orders:
            self._inbox.dispatch(entry)

    async def _begin_channels(self, guild: Guild, cursors: dict[ChannelId, MessageId], away: datetime | None) -> None:
        """Begin the record of channels that are not known: from when their shard was whole, or the bot joined.

        If the shard never was, from when this process connected: the past of a server is not read by itself. The new
        ones are added to `cursors`. Raises GuildErased.
        """
        whole = away or self._first.get(guild.shard_id) or self._memory.clock()
        floor = first_id(max(whole, guild.joined_at or whole))
        channels = self._platform.channels(guild.guild_id)
        floors = {channel.channel_id: floor for channel in channels if channel.channel_id not in cursors}
        if floors:
            since = {channel_id: moment(max(floor, channel_id)) for channel_id, floor in floors.items()}
            await self._memory.messages.begin_channels(guild.guild_id, floors, since)
            cursors |= floors

    def _window(self, since: datetime) -> datetime:
        return max(since - COMPARED_BEFORE_LOSS, self._memory.clock() - MAX_LOOKBACK)

    def _readings(
        self,
        guild: Guild,
        cursors: Mapping[ChannelId, MessageId],
        stored: Mapping[ChannelId, int],
        window: int | None,
        has_orders: bool,
        heard_until: datetime | None = None,
    ) -> list[Reading]:
        """What is to be read of a guild: each channel once, for what is missing and for what was deleted."""
        found = []
        for channel in self._platform.channels(guild.guild_id):
            after, last = cursors.get(channel.channel_id), channel.newest
            missing = after if after is not None and last is not None and last > after else None
            compared = window if window is not None and stored.get(channel.channel_id) else None
            if missing is None and compared is None:
                continue
            rank = (not has_orders, missing is None, -sum(stored.values()), -(last or 0))
            found.append(
                Reading(
                    rank, channel, missing, compared, False, self._connections[guild.guild_id], heard_until=heard_until
                )
            )
        return found

    def _compare_all(self, guild_id: GuildId, stored: Mapping[ChannelId, int], kept_since: int) -> None:
        """Have everything that is kept of a guild compared with Discord's, when there is time for it."""
        for channel in self._platform.channels(guild_id):
            if stored.get(channel.channel_id):
                self._compare_later(channel, kept_since)

    def _compare_later(self, channel: ChatChannel, kept_since: int) -> None:
        rank = (True, True, 0, 0)
        self._queue.push(Reading(rank, channel, None, kept_since, True, self._connections[channel.guild_id]))

    async def _compare_threads(self, threads: Sequence[ChatChannel]) -> None:
        """Have all that is kept of threads compared that went to the archive meanwhile: they were open before."""
        guild_id = threads[0].guild_id
        kept_since = first_id(self._memory.clock() - self._memory.retention.messages)
        stored = (await self._memory.messages.stored_after([guild_id], kept_since))[guild_id]
        for thread in threads:
            if stored.get(thread.channel_id):
                self._compare_later(thread, kept_since)

    def _add(self, reading: Reading) -> None:
        if reading.missing_after is not None:
            self._behind[reading.channel.channel_id] += 1
            self._gaps[reading.channel.guild_id] += 1
        self._left[reading.channel.shard_id] += 1
        self.counts["channels"] += 1
        if self._begun is None:
            self._begun = asyncio.get_running_loop().time()
        self._queue.push(reading)

    def on_accepted(self, channel_id: ChannelId, message_id: MessageId, *, moved_cursor: bool) -> None:
        """Note a message that was stored as it came: the cursor moves to it once nothing before it is missing."""
        if not moved_cursor:
            self._unmoved[channel_id] = max(self._unmoved.get(channel_id, message_id), message_id)

    async def _move_cursor(self, guild_id: GuildId, channel_id: ChannelId, newest: MessageId | None) -> None:
        unmoved = self._unmoved.pop(channel_id, None)
        if (last := max((n for n in (newest, unmoved) if n is not None), default=None)) is not None:
            await self._memory.messages.caught_up(guild_id, channel_id, last)

    def schedule_read(self, message: ChatMessage) -> None:
        """Read a channel on from its cursor, or from a message: it could not be taken."""
        channel = self._platform.channel_of(message)
        if channel is None:
            return
        channel_id = channel.channel_id
        self._again.add(channel_id)
        self._missed[channel_id] = min(self._missed.get(channel_id, message.message_id), message.message_id)
        if not self._behind[channel_id]:
            log.warning("a message could not be taken: channel %d is caught up on later", channel_id)
            self._behind[channel_id] += 1
            self._left[channel.shard_id] += 1
            self._spawn(self._read_on(channel), "recovery: reading on")

    async def _read_on(self, channel: ChatChannel) -> None:
        guild_id, channel_id = channel.guild_id, channel.channel_id
        with suppress(TimeoutError):  # in the middle of a flood, reading on would only make it last
            async with asyncio.timeout(MAX_FLOOD_WAIT):
                while self._memory.messages.pending > MAX_WAITING_WRITES:  # noqa: ASYNC110 (nobody tells when)
                    await asyncio.sleep(0.1)
        await self._memory.messages.flush(past=False)
        cursors = await until_done(lambda: self._memory.messages.cursors([guild_id]))
        after = cursors[guild_id].get(channel_id, self._missed.pop(channel_id) - 1)
        self._add(Reading((True, False, 0, 0), channel, after, None, connection=self._connections[guild_id]))
        self._behind[channel_id] -= 1
        self._left[channel.shard_id] -= 1

    async def compare_with_platform(self, guild_id: GuildId, since: datetime) -> None:
        """Find out which stored messages of a guild were deleted since a moment, where nobody tells."""
        guild, after = self._platform.guild(guild_id), first_id(since)
        stored = (await self._memory.messages.stored_after([guild_id], after))[guild_id]
        for reading in () if guild is None else self._readings(guild, {}, stored, after, False):
            self._add(reading)

    # Threads in the archive

    async def on_thread_opened(self, thread: ChatChannel) -> None:
        """Read what is missing of a thread that was opened again."""
        since = self._last.get((self._platform.shard_count, thread.shard_id))
        if thread.guild_id in self._planned and since is not None:
            await until_done(partial(self._archives.look_at, thread, since))

    def _read_thread(self, thread: ChatChannel, after: int) -> None:
        """Read a thread of which something is missing after a message, unless that is being done."""
        if not self._behind[thread.channel_id]:
            rank = (True, False, 0, -(thread.newest or 0))
            self._add(Reading(rank, thread, after, None, connection=self._connections[thread.guild_id]))

    def _archive_read(self, guild_id: GuildId) -> None:
        self._left[self._platform.shard_of(guild_id)] -= 1

    # Reading

    def _on_read(self, reading: Reading) -> None:
        if reading.is_thorough:
            return
        self._left[reading.channel.shard_id] -= 1
        if reading.missing_after is not None:
            self._behind[reading.channel.channel_id] -= 1
            self._gaps[reading.channel.guild_id] -= 1
            self._inbox.moved(reading.channel.guild_id)
        self.counts["read"] += 1

    def _spawn(self, work: Coroutine[Any, Any, None], name: str) -> None:
        task = asyncio.get_running_loop().create_task(work, name=name)
        self._spawned.add(task)
        task.add_done_callback(self._ended)

    def _ended(self, task: asyncio.Task[None]) -> None:
        self._spawned.discard(task)
        if not task.cancelled() and (failed := task.exception()) is not None:
            log.error("%s: failed", task.get_name(), exc_info=failed)

    async def _read(self, reading: Reading) -> None:
        """Read a channel, through whatever stumbles on the way; what cannot be read keeps no other waiting."""
        guild_id, channel_id = reading.channel.guild_id, reading.channel.channel_id
        is_missing = reading.missing_after is not None
        while True:
            if is_missing:  # what only compares knows nothing of what could not be taken
                self._again.discard(channel_id)
            try:
                newest = await self._reader.read(reading)
                is_of_now = self._connections[guild_id] == reading.connection
                if is_missing and is_of_now and channel_id not in self._again:
                    await self._move_cursor(guild_id, channel_id, newest)
            except Refused as refused:
                log.warning("channel %d cannot be read: %s", channel_id, refused)
                return
            except GuildErased:
                return
            if not is_missing or channel_id not in self._again:
                return

    async def retry(self, parked: Parked) -> None:
        """Try again what could not be stored: as the messages are now."""
        message_ids = [MessageId(n) for n in parked.ids]
        if parked.work == "deleted":
            await self._memory.messages.delete(parked.guild_id, message_ids)
        if parked.work == "offrecord":
            for message_id in message_ids:
                await self._memory.messages.keep_off_record(parked.guild_id, message_id)
        channel = self._platform.channel(parked.channel_id) if parked.channel_id else None
        if parked.work not in ("written", "edited") or channel is None:
            return
        for message_id in message_ids:
            message = await self._platform.message(parked.guild_id, channel.channel_id, message_id)
            if message is not None:
                await self._reader.bring([message])

    # What is gone as a whole

    async def _channels_gone(
        self, guild_id: GuildId, there: Collection[ChannelId], cursors: Mapping[ChannelId, MessageId], away: datetime
    ) -> None:
        """Forget the channels that are no more. Archived threads are not listed: those are asked after."""
        candidates = [channel_id for channel_id in cursors if channel_id not in there]
        known = await until_done(partial(self._memory.guilds.channels, guild_id)) if candidates else {}
        for channel_id in candidates:  # what has no cursor was imported
            channel = known.get(channel_id)
            if channel is None or (channel.parent_id in there and await self._may_be_archived(channel, cursors, away)):
                continue
            if self.on_channel_gone is not None:
                self._spawn(self.on_channel_gone(guild_id, channel_id), "recovery: a channel is gone")

    async def _may_be_archived(self, thread: Channel, cursors: Mapping[ChannelId, MessageId], away: datetime) -> bool:
        """Whether a thread that is not listed may be in the archive: of an old one it is taken for granted."""
        if cursors[thread.channel_id] < first_id(self._window(away)):
            return True
        self.counts["calls"] += 1
        try:
            return await self._platform.has_channel(thread.guild_id, thread.channel_id)
        except TryLater:
            return True

    # How far it got

    @property
    def is_busy(self) -> bool:
        """Whether something is still to be read, compared or removed."""
        return self.is_behind or self._queue.is_comparing or bool(self._spawned)

    @property
    def is_behind(self) -> bool:
        """Whether something may be missing."""
        return bool(self._due or +self._left)

    async def _log_progress(self) -> None:
        if self._begun is None:
            return
        seconds = asyncio.get_running_loop().time() - self._begun
        log.info(
            "catching up%s: %d of %d channels in %.0f s, %d requests; %d messages brought, %d deletions, %d edits",
            "" if self.is_behind else " is done",
            *(self.counts["read"], self.counts["channels"], seconds, self.counts["calls"]),
            *(self.counts["messages"], self.counts["deleted"], self.counts["edited"]),
        )
        if not self.is_behind:
            self._begun = None
