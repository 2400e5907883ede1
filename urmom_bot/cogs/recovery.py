"""What happened while the bot was not connected: missed messages are read, deletions and edits are found."""

from __future__ import annotations

import asyncio
import heapq
import logging
from collections import Counter, defaultdict, deque
from collections.abc import Collection, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from datetime import datetime, timedelta
from functools import partial

import aiohttp
import discord
from discord.ext import commands
from discord.utils import snowflake_time, time_snowflake

from memory import GuildErased, MemoryManager
from memory.records import InboxItem, Parked
from urmom_bot.cogs.archives import Archives
from urmom_bot.cogs.asking import Asking
from urmom_bot.cogs.layouts import LayoutsCog
from urmom_bot.cogs.patience import RETRY_PAUSE, until_done
from urmom_bot.cogs.translate import author_kind, member_of, message_of, text_of
from urmom_bot.inbox import MAX_QUESTION_AGE, Inbox
from urmom_bot.pace import Pace

log = logging.getLogger(__name__)

MessageChannel = discord.TextChannel | discord.VoiceChannel | discord.StageChannel | discord.Thread
"""Where messages are."""

COMPARED_BEFORE_LOSS = timedelta(hours=24)
"""How far back before the connection was lost it is looked for messages that were deleted or edited since."""

MAX_LOOKBACK = timedelta(days=8)
"""How far back it is looked at once, at the most; all that is kept, once nothing is missing any more."""

REQUESTS_PER_SECOND = 45.0
"""Requests a second to Discord, of which catching up makes what answers leave: 50 are allowed (Discord)."""

WORKERS = 16
"""Channels that are read at once."""

IN_A_GUILD = 3
"""Channels of one guild that are read at once."""

PAGE = 100
"""Messages of one request (Discord)."""

MAX_TRIES = 5
"""How often a channel is read that fails."""

GATHER_WINDOW = 0.05
"""Seconds in which guilds that come back are gathered, to be looked at together."""

MAX_GUILDS_AT_ONCE = 500
"""Guilds that are looked at together at the most."""

MAX_DELIVERY_TIME = timedelta(seconds=10)
"""How long what Discord sent may be on its way: a shard is whole until so long before now."""

RETRY_AFTER = 60.0
"""Seconds after which a channel is read again that could not be."""

PROGRESS = 10.0
"""Seconds between two lines in the log on how far it got."""


@dataclass(frozen=True, eq=False)
class Reading:
    """A channel to be read, newest messages first, down to a message; the one with the smallest rank is read first.

    `rank` is (whether no order waits in its guild, whether nothing is missing, minus how busy it was, minus its
    newest message).
    """

    rank: tuple[bool, bool, int, int]
    channel: MessageChannel
    missing_after: int | None
    """The message after which some are missing; None where none are."""
    compared_after: int | None
    """The message after which those stored are compared with Discord's; None where they are not."""
    is_thorough: bool = False
    """Whether it compares everything that is kept, once nothing else is to be read; nothing waits for it."""
    connection: int = 0
    """The guild's connection for which it is read: of the ones after it, it does not know what was missed."""
    heard_until: datetime | None = None
    """Since when reactions were missed; None where none were."""

    def __lt__(self, other: Reading) -> bool:
        return self.rank < other.rank

    @property
    def floor(self) -> int:
        """The message down to which it is read."""
        return min(n for n in (self.missing_after, self.compared_after) if n is not None)


MAX_WAITING_WRITES = 1_000
"""Writes that wait at the most when channels are read on that were left because too many waited."""

MAX_FLOOD_WAIT = 60.0
"""Seconds after which they are read on all the same."""


class RecoveryCog(commands.Cog):
    """Reads what was missed, once a channel, under a limit; meanwhile what happens now is stored and answered.

    The database has, for each readable channel, up to which message it is whole. That is written before anything else
    is stored of the channel, and moved by what is stored alone: while a channel is behind, what is written there does
    not move it. A channel that is not known yet is read from where its shard was whole last.
    """

    def __init__(
        self,
        bot: commands.AutoShardedBot,
        memory: MemoryManager,
        layouts: LayoutsCog,
        asking: Asking,
        inbox: Inbox,
        pace: Pace,
    ) -> None:
        self._bot = bot
        self._memory = memory
        self._layouts = layouts
        self._asking = asking
        self._inbox = inbox
        self._thorough: dict[int, Reading] = {}
        self._archives = Archives(
            memory, layouts, pace, read=self._read_thread, compare=self._compare_threads, done=self._archive_read
        )
        self._comparing = 0
        self._is_comparing = False
        self._patient: deque[Reading] = deque()
        self._connected: set[int] = set()
        self._last: dict[tuple[int, int], datetime] = {}
        self._since: dict[int, datetime | None] = {}
        self._first: dict[int, datetime] = {}
        self._guild_since: dict[int, datetime] = {}
        self._due: set[int] = set()
        self._planned: set[int] = set()
        self._connections: Counter[int] = Counter()
        self._behind: Counter[int] = Counter()
        self._again: set[int] = set()
        self._unmoved: dict[int, int] = {}
        self._missed: dict[int, int] = {}
        self._queue: list[Reading] = []
        self._held: defaultdict[int, list[Reading]] = defaultdict(list)
        self._active: Counter[int] = Counter()
        self._gaps: Counter[int] = Counter()
        self._left: Counter[int] = Counter()
        self._news = asyncio.Condition()
        self._telling: set[asyncio.Task[None]] = set()
        self._wake = asyncio.Event()
        self._begun: float | None = None
        self._kept: list[str] = []
        self._pace = pace
        self.counts: Counter[str] = Counter()
        """Since the start: channels to read and read, calls, messages brought, deleted and edited."""
        inbox.is_behind = lambda guild_id: guild_id not in self._planned or bool(self._gaps[guild_id])

    async def cog_load(self) -> None:
        """Learn when each shard was last connected, and begin."""
        self._last = await self._memory.guilds.shards_whole_until()
        loops = self._memory.loops
        work = {"planning": self._plan_due, "archives": self._archives.run}
        work |= {f"reading {n}": self._work for n in range(WORKERS)}
        self._kept = [f"recovery: {name}" for name in work]
        for name, run in zip(self._kept, work.values(), strict=True):
            loops.keep(name, run)
        loops.start("recovery: shards connected", self.note_connected, every=2.0)
        loops.start("recovery: progress", self._log_progress, every=PROGRESS)

    async def cog_unload(self) -> None:
        """Read nothing more: the connection to Discord closes next."""
        if self._kept:
            await self._memory.loops.stop(*self._kept)

    @property
    def _me(self) -> int:
        assert self._bot.user is not None
        return self._bot.user.id

    # The connection

    @commands.Cog.listener()
    async def on_shard_connect(self, shard_id: int) -> None:
        """Begin anew with the guilds of a shard whose connection could not be resumed."""
        self._connected.discard(shard_id)
        self._since[shard_id] = self._away_since(shard_id)
        self._first.setdefault(shard_id, self._memory.clock())
        self._wake.set()
        for guild in self._bot.guilds:
            if guild.shard_id == shard_id:
                self._begin_anew(guild.id)

    @commands.Cog.listener()
    async def on_shard_ready(self, shard_id: int) -> None:
        """Look at all guilds of a shard."""
        self._connected.add(shard_id)
        self._look_at([g.id for g in self._bot.guilds if g.shard_id == shard_id and not g.unavailable])

    @commands.Cog.listener()
    async def on_shard_resumed(self, shard_id: int) -> None:
        """Go on: Discord sends again what was missed."""
        self._connected.add(shard_id)

    @commands.Cog.listener()
    async def on_shard_disconnect(self, shard_id: int) -> None:
        """Note that a shard hears nothing."""
        self._connected.discard(shard_id)

    @commands.Cog.listener()
    async def on_guild_available(self, guild: discord.Guild) -> None:
        """Look at a guild that is there, or there again."""
        self._look_at([guild.id])

    @commands.Cog.listener()
    async def on_guild_unavailable(self, guild: discord.Guild) -> None:
        """Note that a guild hears nothing until it is back."""
        self._guild_since[guild.id] = self._memory.clock()
        self._begin_anew(guild.id)

    @commands.Cog.listener()
    async def on_guild_remove(self, guild: discord.Guild) -> None:
        """Know nothing of a guild any more: should it let the bot in again, it is looked at like a new one."""
        self._begin_anew(guild.id)

    @commands.Cog.listener()
    async def on_guild_join(self, guild: discord.Guild) -> None:
        """Begin in a new guild."""
        self._look_at([guild.id])

    def _begin_anew(self, guild_id: int) -> None:
        """Trust nothing that is being found out of a guild: it may not know of what is missed from now on."""
        self._connections[guild_id] += 1
        self._planned.discard(guild_id)
        self._layouts.forget(guild_id)

    def _away_since(self, shard_id: int) -> datetime | None:
        """Until when a shard was whole; where their number changed, until when the bot was before.

        Other processes may have begun with the new number: what they say of their shards tells nothing of this one.
        """
        count = self._bot.shard_count or 1
        if (count, shard_id) in self._last:
            return self._last[count, shard_id]
        before = {number: at for number, at in self._last.items() if number[0] != count}
        newest = max(before, key=before.__getitem__, default=None)
        return None if newest is None else min(at for (its, _), at in before.items() if its == newest[0])

    async def note_connected(self) -> None:
        """Record which shards are connected and miss nothing."""
        count = self._bot.shard_count or 1
        until = self._memory.clock() - MAX_DELIVERY_TIME - timedelta(seconds=self._memory.messages.write_lag)
        waiting = {(guild_id >> 22) % count for guild_id in self._due}
        current = [n for n in self._connected if not self._left[n] and n not in waiting]
        if current:
            await self._memory.guilds.shards_whole(count, current, until)
            self._last |= {(count, n): until for n in current}

    def is_current(self, guild_id: int, channel_id: int) -> bool:
        """Whether nothing is missing in a channel."""
        return guild_id in self._planned and not self._behind[channel_id]

    # Planning

    def _look_at(self, guild_ids: Collection[int]) -> None:
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
        count = self._bot.shard_count or 1
        for n, first in self._first.items():
            if (count, n) not in self._last:  # where their number changed, from where the bot was whole before
                await self._memory.guilds.shards_begun(count, [n], self._since.get(n) or first)

    async def _plan(self, connections: Mapping[int, int]) -> None:
        """Plan for guilds, each as it is with its connection of that number."""
        known = [g for g in map(self._bot.get_guild, connections) if g is not None and not g.unavailable]
        guilds = [guild for guild in known if guild.id not in self._planned]
        ids, memory = [guild.id for guild in guilds], self._memory
        for guild_id in await memory.guilds.away(ids):
            await memory.guilds.on_bot_joined(guild_id)
        stored = await memory.guilds.layouts(ids)
        cursors = await memory.messages.cursors(ids)
        since = {guild.id: self._guild_since.get(guild.id) or self._since.get(guild.shard_id) for guild in guilds}
        # Where nobody noted when the bot was last there, it is looked back from now: it may have ended before it could.
        windows = {g: time_snowflake(self._window(at or self._memory.clock())) for g, at in since.items()}
        counted = await memory.messages.stored_after(ids, min(windows.values(), default=2**62))
        kept_since = time_snowflake(self._memory.clock() - self._memory.retention.messages)
        kept = await memory.messages.stored_after(ids, kept_since)
        orders = await memory.inbox.open(ids)
        waiting = {entry.guild_id for entry in orders if entry.is_order}
        for guild in guilds:
            try:
                await self._layouts.see(guild, stored)
            except GuildErased:
                continue
            if self._connections[guild.id] != connections[guild.id]:
                continue
            away = since[guild.id]
            try:
                await self._begin_channels(guild, cursors[guild.id], away)
            except GuildErased:
                continue
            for reading in self._readings(
                guild, cursors[guild.id], counted[guild.id], windows.get(guild.id), guild.id in waiting, away
            ):
                self._add(reading)
            self._compare_all(guild, kept[guild.id], kept_since)
            if away is not None:
                self._left[guild.shard_id] += 1
                self._archives.look_through(guild, away)
            self._planned.add(guild.id)
            self._guild_since.pop(guild.id, None)
            self._inbox.moved(guild.id)
            for channel in (*guild.channels, *guild.threads):
                if channel.id in self._unmoved and not self._behind[channel.id]:
                    await self._move_cursor(guild.id, channel.id, None)
            await self._channels_gone(guild, cursors[guild.id], away)
            await asyncio.sleep(0)
        for entry in orders:
            self._inbox.dispatch(entry)

    async def _begin_channels(self, guild: discord.Guild, cursors: dict[int, int], away: datetime | None) -> None:
        """Begin the record of channels that are not known: from when their shard was whole, or the bot joined.

        If the shard never was, from when this process connected: the past of a server is not read by itself. The new
        ones are added to `cursors`. Raises GuildErased.
        """
        whole = away or self._first.get(guild.shard_id) or self._memory.clock()
        floor = time_snowflake(max(whole, guild.me.joined_at or whole))
        floors = {channel.id: floor for channel in _readable(guild) if channel.id not in cursors}
        if floors:
            since = {channel_id: snowflake_time(max(floor, channel_id)) for channel_id, floor in floors.items()}
            await self._memory.messages.begin_channels(guild.id, floors, since)
            cursors |= floors

    def _window(self, since: datetime) -> datetime:
        return max(since - COMPARED_BEFORE_LOSS, self._memory.clock() - MAX_LOOKBACK)

    def _readings(
        self,
        guild: discord.Guild,
        cursors: Mapping[int, int],
        stored: Mapping[int, int],
        window: int | None,
        has_orders: bool,
        heard_until: datetime | None = None,
    ) -> list[Reading]:
        """What is to be read of a guild: each channel once, for what is missing and for what was deleted."""
        found = []
        for channel in _readable(guild):
            after, last = cursors.get(channel.id), channel.last_message_id
            missing = after if after is not None and last is not None and last > after else None
            compared = window if window is not None and stored.get(channel.id) else None
            if missing is None and compared is None:
                continue
            rank = (not has_orders, missing is None, -sum(stored.values()), -(last or 0))
            found.append(
                Reading(rank, channel, missing, compared, False, self._connections[guild.id], heard_until=heard_until)
            )
        return found

    def _compare_all(self, guild: discord.Guild, stored: Mapping[int, int], kept_since: int) -> None:
        """Have everything that is kept of a guild compared with Discord's, when there is time for it."""
        for channel in _readable(guild):
            if stored.get(channel.id):
                self._compare_later(channel, kept_since)

    def _compare_later(self, channel: MessageChannel, kept_since: int) -> None:
        if channel.id not in self._thorough:
            reading = Reading((True, True, 0, 0), channel, None, kept_since, True, self._connections[channel.guild.id])
            self._thorough[channel.id] = reading
            self._comparing += 1
            self._push(reading)

    async def _compare_threads(self, threads: Sequence[discord.Thread]) -> None:
        """Have all that is kept of threads compared that went to the archive meanwhile: they were open before."""
        guild_id, kept_since = (
            threads[0].guild.id,
            time_snowflake(self._memory.clock() - self._memory.retention.messages),
        )
        stored = (await self._memory.messages.stored_after([guild_id], kept_since))[guild_id]
        for thread in threads:
            if stored.get(thread.id):
                self._compare_later(thread, kept_since)

    def _add(self, reading: Reading) -> None:
        if reading.missing_after is not None:
            self._behind[reading.channel.id] += 1
            self._gaps[reading.channel.guild.id] += 1
        self._left[reading.channel.guild.shard_id] += 1
        self.counts["channels"] += 1
        if self._begun is None:
            self._begun = asyncio.get_running_loop().time()
        self._push(reading)

    def on_accepted(self, channel_id: int, message_id: int, *, moved_cursor: bool) -> None:
        """Note a message that was stored as it came: the cursor moves to it once nothing before it is missing."""
        if not moved_cursor:
            self._unmoved[channel_id] = max(self._unmoved.get(channel_id, 0), message_id)

    async def _move_cursor(self, guild_id: int, channel_id: int, newest: int | None) -> None:
        unmoved = self._unmoved.pop(channel_id, None)
        if (last := max((n for n in (newest, unmoved) if n is not None), default=None)) is not None:
            await self._memory.messages.caught_up(guild_id, channel_id, last)

    def schedule_read(self, channel: object, message_id: int) -> None:
        """Read a channel on from its cursor, or from a message: it could not be taken."""
        if not isinstance(channel, MessageChannel):
            return
        self._again.add(channel.id)
        self._missed[channel.id] = min(self._missed.get(channel.id, message_id), message_id)
        if not self._behind[channel.id]:
            log.warning("a message could not be taken: channel %d is caught up on later", channel.id)
            self._behind[channel.id] += 1
            self._left[channel.guild.shard_id] += 1
            task = asyncio.create_task(self._read_on(channel), name="recovery: reading on")
            self._telling.add(task)
            task.add_done_callback(self._telling.discard)

    async def _read_on(self, channel: MessageChannel) -> None:
        guild_id = channel.guild.id
        with suppress(TimeoutError):  # in the middle of a flood, reading on would only make it last
            async with asyncio.timeout(MAX_FLOOD_WAIT):
                while self._memory.messages.pending > MAX_WAITING_WRITES:  # noqa: ASYNC110 (nobody tells when)
                    await asyncio.sleep(0.1)
        await self._memory.messages.flush(past=False)
        cursors = await until_done(lambda: self._memory.messages.cursors([guild_id]))
        after = cursors[guild_id].get(channel.id, self._missed.pop(channel.id) - 1)
        self._add(Reading((True, False, 0, 0), channel, after, None, connection=self._connections[guild_id]))
        self._behind[channel.id] -= 1
        self._left[channel.guild.shard_id] -= 1

    async def compare_with_discord(self, guild: discord.Guild, since: datetime) -> None:
        """Find out which stored messages of a guild were deleted since a moment, where nobody tells."""
        after = time_snowflake(since)
        stored = (await self._memory.messages.stored_after([guild.id], after))[guild.id]
        for reading in self._readings(guild, {}, stored, after, False):
            self._add(reading)

    # Threads in the archive

    @commands.Cog.listener()
    async def on_thread_join(self, thread: discord.Thread) -> None:
        """Read what is missing of a thread that was opened again."""
        since = self._last.get((self._bot.shard_count or 1, thread.guild.shard_id))
        if thread.guild.id in self._planned and since is not None:
            await until_done(partial(self._archives.look_at, thread, since))

    def _read_thread(self, thread: discord.Thread, after: int) -> None:
        """Read a thread of which something is missing after a message, unless that is being done."""
        if not self._behind[thread.id]:
            rank = (True, False, 0, -(thread.last_message_id or 0))
            self._add(Reading(rank, thread, after, None, connection=self._connections[thread.guild.id]))

    def _archive_read(self, guild: discord.Guild) -> None:
        self._left[guild.shard_id] -= 1

    # Reading

    async def _work(self) -> None:
        while True:
            async with self._news:
                await self._news.wait_for(lambda: bool(self._queue))
                reading = heapq.heappop(self._queue)
            guild_id = reading.channel.guild.id
            if self._active[guild_id] >= IN_A_GUILD:
                self._held[guild_id].append(reading)
                continue
            if reading.is_thorough and self._is_comparing:  # one at a time: what is missing finds room
                self._patient.append(reading)
                continue
            self._is_comparing |= reading.is_thorough
            self._active[guild_id] += 1
            if self._thorough.get(reading.channel.id) is reading:  # from now on it may not know of what is missed
                del self._thorough[reading.channel.id]
            try:
                await self._read(reading)
            except Exception as failed:  # nothing may pass the gap: it is read again
                log.warning("channel %d is read again in a minute (%s)", reading.channel.id, type(failed).__name__)
                asyncio.get_running_loop().call_later(RETRY_AFTER, self._push, reading)
            else:
                self._done(reading)
            finally:
                self._active[guild_id] -= 1
                if reading.is_thorough:
                    self._is_comparing = False
                    if self._patient:
                        self._push(self._patient.popleft())
                for held in self._held.pop(guild_id, ()):
                    self._push(held)

    def _done(self, reading: Reading) -> None:
        if reading.is_thorough:
            self._comparing -= 1
            return
        self._left[reading.channel.guild.shard_id] -= 1
        if reading.missing_after is not None:
            self._behind[reading.channel.id] -= 1
            self._gaps[reading.channel.guild.id] -= 1
            self._inbox.moved(reading.channel.guild.id)
        self.counts["read"] += 1

    def _push(self, reading: Reading) -> None:
        heapq.heappush(self._queue, reading)
        self._news_soon()

    def _news_soon(self) -> None:
        async def tell() -> None:
            async with self._news:
                self._news.notify_all()

        task = asyncio.get_running_loop().create_task(tell(), name="recovery: news")
        self._telling.add(task)
        task.add_done_callback(self._telling.discard)

    async def _read(self, reading: Reading) -> None:
        """Read a channel, through whatever stumbles on the way; what cannot be read keeps no other waiting."""
        channel, is_missing = reading.channel, reading.missing_after is not None
        while True:
            if is_missing:  # what only compares knows nothing of what could not be taken
                self._again.discard(channel.id)
            try:
                newest = await self._pages(reading)
                is_of_now = self._connections[channel.guild.id] == reading.connection
                if is_missing and is_of_now and channel.id not in self._again:
                    await self._move_cursor(channel.guild.id, channel.id, newest)
            except (discord.Forbidden, discord.NotFound) as refused:
                log.warning("channel %d cannot be read: %s", channel.id, refused)
                return
            except GuildErased:
                return
            if not is_missing or channel.id not in self._again:
                return

    async def _pages(self, reading: Reading) -> int | None:
        """Read pages, newest first; the newest message there was."""
        channel, memory = reading.channel, self._memory.messages
        guild_id, after = channel.guild.id, reading.compared_after
        # What is stored from now on may be newer than the page it would be compared with.
        last = 0 if after is None else await until_done(partial(memory.newest, guild_id, channel.id))
        newest: int | None = None
        before: int | None = None
        while True:
            page = await self._page(channel, before)
            low = page[-1].id if len(page) == PAGE else 0
            if newest is None and page:
                newest = page[0].id
            await self._bring(
                channel, [m for m in page if reading.missing_after is not None and m.id > reading.missing_after]
            )
            if reading.heard_until is not None:
                await self._take_reactions(page, reading.heard_until)
            if after is not None and (first := max(low, after + 1)) <= last:
                stored = await until_done(partial(memory.edits_between, guild_id, channel.id, first, last))
                await self._take_changes(channel, stored, {message.id: message for message in page})
                last = min(last, low - 1)
            if low <= reading.floor:
                return newest
            before = low

    async def _page(self, channel: MessageChannel, before: int | None) -> list[discord.Message]:
        """A page of a channel, newest first. Raises Forbidden, NotFound and, in the end, what it stumbled over."""
        for left in reversed(range(MAX_TRIES)):
            limit = discord.Object(before) if before is not None else None
            try:
                async with self._pace.within_limit():
                    self.counts["calls"] += 1
                    return [message async for message in channel.history(limit=PAGE, before=limit)]
            except (discord.Forbidden, discord.NotFound):
                raise
            except (discord.HTTPException, aiohttp.ClientError, OSError, TimeoutError) as stumbled:
                log.warning("channel %d is read on in a moment (%s)", channel.id, type(stumbled).__name__)
                if not left:
                    raise
                await asyncio.sleep(RETRY_PAUSE)
        raise AssertionError("unreachable")

    async def _bring(self, channel: MessageChannel, missing: list[discord.Message]) -> None:
        """Store messages that were missed, with what they ask of the bot."""
        for message in reversed(missing):
            if not is_kept(message):
                continue
            asked: InboxItem | None = self._asking.entry(message)
            if asked is not None:
                self._inbox.keep(asked, message)
            await self._memory.messages.catch_up(
                message_of(message, self._me),
                member_of(message.author, channel.guild.id, author_kind(message, self._me)),
                asked=asked,
            )
            self.counts["messages"] += 1

    async def _take_reactions(self, page: list[discord.Message], heard_until: datetime) -> None:
        """Take on what reactions asked for meanwhile, as of the earliest that it can have been."""
        for message in page:
            at = max(heard_until, message.created_at)
            if self._memory.clock() - at > MAX_QUESTION_AGE or message.created_at < heard_until - COMPARED_BEFORE_LOSS:
                continue  # no joke is made of it any more; or it is older than what is known of jokes that were made
            if not any(self._asking.asks_for_joke(reaction.emoji) for reaction in message.reactions):
                continue
            try:
                async with self._pace.within_limit():
                    self.counts["calls"] += 1
                    entry = await self._asking.missed_joke(message, at)
            except (discord.HTTPException, aiohttp.ClientError, OSError, TimeoutError) as failed:
                log.info("the reactions of a message could not be read (%s)", type(failed).__name__)
                continue
            if entry is not None:
                await self._inbox.record(entry, None)

    async def _take_changes(
        self, channel: MessageChannel, stored: Mapping[int, datetime | None], there: Mapping[int, discord.Message]
    ) -> None:
        """Delete what is stored and not there any more, and take over what was edited."""
        guild_id = channel.guild.id
        gone = [message_id for message_id in stored if message_id not in there]
        if gone:
            log.info("channel %d: %d messages were deleted meanwhile", channel.id, len(gone))
            self.counts["deleted"] += len(gone)
            await self._memory.messages.delete(guild_id, gone)
        for message_id, edited_at in stored.items():
            message = there.get(message_id)
            if message is None or message.edited_at is None:
                continue
            if edited_at is None or message.edited_at > edited_at:
                self.counts["edited"] += 1
                await self._memory.messages.edit(
                    guild_id, message_id, text_of(message), message.edited_at, channel_id=channel.id
                )

    async def retry(self, parked: Parked) -> None:
        """Try again what could not be stored: as the messages are now."""
        if parked.work == "deleted":
            await self._memory.messages.delete(parked.guild_id, parked.ids)
        if parked.work == "offrecord":
            for message_id in parked.ids:
                await self._memory.messages.keep_off_record(parked.guild_id, message_id)
        channel = self._bot.get_channel(parked.channel_id) if parked.channel_id else None
        if parked.work not in ("written", "edited") or not isinstance(channel, MessageChannel):
            return
        for message_id in parked.ids:
            try:
                async with self._pace.within_limit():
                    message = await channel.fetch_message(message_id)
            except (discord.NotFound, discord.Forbidden):
                continue
            await self._bring(channel, [message])

    # What is gone as a whole

    async def _channels_gone(self, guild: discord.Guild, cursors: Mapping[int, int], away: datetime | None) -> None:
        """Forget the channels that are no more. Archived threads are not listed: those are asked after."""
        there = {channel.id for channel in (*guild.channels, *guild.threads)}
        candidates = [channel_id for channel_id in cursors if channel_id not in there]
        if not candidates or away is None:
            return
        known = await until_done(partial(self._memory.guilds.channels, guild.id))
        for channel_id in candidates:  # what has no cursor was imported
            channel = known.get(channel_id)
            if channel is None:
                continue
            if channel.parent_id is not None and channel.parent_id in there:
                if cursors[channel_id] < time_snowflake(self._window(away)):
                    continue
                try:
                    async with self._pace.within_limit():
                        self.counts["calls"] += 1
                        await guild.fetch_channel(channel_id)
                    continue
                except discord.NotFound:
                    pass
                except (discord.HTTPException, discord.InvalidData):
                    continue
            self._bot.dispatch("channel_gone", guild.id, channel_id)

    # How far it got

    @property
    def is_busy(self) -> bool:
        """Whether something is still to be read, or to be compared."""
        return self.is_behind or bool(self._comparing)

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


def _readable(guild: discord.Guild) -> Iterator[MessageChannel]:
    """The channels of a guild that the bot may read: without the permission Discord shows an empty one, no refusal."""
    for channel in (*guild.channels, *guild.threads):
        if isinstance(channel, MessageChannel):
            allowed = channel.permissions_for(guild.me)
            if allowed.view_channel and allowed.read_message_history:
                yield channel


def is_kept(message: discord.Message) -> bool:
    """Whether a message is talk, and not Discord's own note that someone joined or pinned."""
    return not message.is_system() or message.type is discord.MessageType.thread_starter_message
