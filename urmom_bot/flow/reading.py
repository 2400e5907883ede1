"""Reading channels back: which first, how many at once, and what is done with a page."""

from __future__ import annotations

import asyncio
import heapq
import logging
from collections import Counter, defaultdict, deque
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from functools import partial

from memory import MemoryManager
from memory.ids import MessageId
from urmom_bot.flow.asking import Asking
from urmom_bot.flow.inbox import MAX_QUESTION_AGE, Inbox
from urmom_bot.flow.patience import RETRY_PAUSE, until_done
from urmom_bot.flow.platform import ChatChannel, ChatMessage, Platform, Reaction, Refused, TryLater

log = logging.getLogger(__name__)

COMPARED_BEFORE_LOSS = timedelta(hours=24)
"""How far back before the connection was lost it is looked for messages that were deleted or edited since."""

IN_A_GUILD = 3
"""Channels of one guild that are read at once."""

PAGE = 100
"""Messages of one request (Discord)."""

MAX_TRIES = 5
"""How often a channel is read that fails."""

RETRY_AFTER = 60.0
"""Seconds after which a channel is read again that could not be."""


@dataclass(frozen=True, eq=False)
class Reading:
    """A channel to be read, newest messages first, down to a message; the one with the smallest rank is read first.

    `rank` is (whether no order waits in its guild, whether nothing is missing, minus how busy it was, minus its
    newest message).
    """

    rank: tuple[bool, bool, int, int]
    channel: ChatChannel
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


class ReadQueue:
    """Hands channels to read to as many workers as `run`: a few of one guild at once, the smallest rank first.

    What compares everything that is kept is read one at a time, and waits in the queue once a channel.
    """

    def __init__(self, read: Callable[[Reading], Awaitable[None]], done: Callable[[Reading], None]) -> None:
        self._read = read
        self._done = done
        self._queue: list[Reading] = []
        self._ready = asyncio.Semaphore(0)
        self._held: defaultdict[int, list[Reading]] = defaultdict(list)
        self._active: Counter[int] = Counter()
        self._thorough: dict[int, Reading] = {}
        self._patient: deque[Reading] = deque()
        self._comparing: Reading | None = None

    def push(self, reading: Reading) -> None:
        """Have a channel read."""
        if reading.is_thorough:
            if reading.channel.channel_id in self._thorough:
                return
            self._thorough[reading.channel.channel_id] = reading
        self._push(reading)

    def _push(self, reading: Reading) -> None:
        heapq.heappush(self._queue, reading)
        self._ready.release()

    @property
    def is_comparing(self) -> bool:
        """Whether something is still to be compared with all that is kept."""
        return bool(self._thorough) or self._comparing is not None

    async def run(self) -> None:
        """Read what waits."""
        while True:
            await self._ready.acquire()
            reading = heapq.heappop(self._queue)
            if self._active[reading.channel.guild_id] >= IN_A_GUILD:
                self._held[reading.channel.guild_id].append(reading)
            elif reading.is_thorough and self._comparing is not None:  # what is missing finds room
                self._patient.append(reading)
            else:
                await self._work(reading)

    async def _work(self, reading: Reading) -> None:
        guild_id, channel_id = reading.channel.guild_id, reading.channel.channel_id
        self._active[guild_id] += 1
        if reading.is_thorough:
            self._comparing = reading
            self._thorough.pop(channel_id, None)  # from now on it may not know of what is missed
        try:
            await self._read(reading)
        except Exception as failed:  # nothing may pass the gap: it is read again
            log.warning("channel %d is read again in a minute (%s)", channel_id, type(failed).__name__)
            if not reading.is_thorough or self._thorough.setdefault(channel_id, reading) is reading:
                asyncio.get_running_loop().call_later(RETRY_AFTER, self._push, reading)
        else:
            self._done(reading)
        finally:
            self._active[guild_id] -= 1
            if reading.is_thorough:
                self._comparing = None
                if self._patient:
                    self._push(self._patient.popleft())
            for held in self._held.pop(guild_id, ()):
                self._push(held)


class ChannelReader:
    """Reads a channel, newest messages first: stores what is missing, and finds what was deleted or edited."""

    def __init__(
        self, platform: Platform, memory: MemoryManager, asking: Asking, inbox: Inbox, counts: Counter[str]
    ) -> None:
        self._platform = platform
        self._memory = memory
        self._asking = asking
        self._inbox = inbox
        self._counts = counts

    async def read(self, reading: Reading) -> MessageId | None:
        """Read pages, newest first; the newest message there was."""
        channel, memory = reading.channel, self._memory.messages
        guild_id, channel_id, after = channel.guild_id, channel.channel_id, reading.compared_after
        # What is stored from now on may be newer than the page it would be compared with.
        last = 0 if after is None else await until_done(partial(memory.newest, guild_id, channel_id))
        newest: MessageId | None = None
        before: MessageId | None = None
        while True:
            page = await self._page(channel, before)
            low = page[-1].message_id if len(page) == PAGE else MessageId(0)
            if newest is None and page:
                newest = page[0].message_id
            if reading.missing_after is not None:
                await self.bring([m for m in page if m.message_id > reading.missing_after])
            if reading.heard_until is not None:
                await self._take_reactions(page, reading.heard_until)
            if after is not None and (first := max(low, after + 1)) <= last:
                stored = await until_done(partial(memory.edits_between, guild_id, channel_id, first, last))
                await self._take_changes(channel, stored, {message.message_id: message for message in page})
                last = min(last, low - 1)
            if low <= reading.floor:
                return newest
            before = low

    async def _page(self, channel: ChatChannel, before: MessageId | None) -> Sequence[ChatMessage]:
        """A page of a channel, newest first. Raises Refused and, in the end, what it stumbled over."""
        for left in reversed(range(MAX_TRIES)):
            try:
                self._counts["calls"] += 1
                return await self._platform.page(channel, before, PAGE)
            except TryLater as stumbled:
                log.warning("channel %d is read on in a moment (%s)", channel.channel_id, stumbled)
                if not left:
                    raise
                await asyncio.sleep(RETRY_PAUSE)
        raise AssertionError("unreachable")

    async def bring(self, missing: Sequence[ChatMessage]) -> None:
        """Store messages that were missed, newest first, with what they ask of the bot."""
        for message in reversed(missing):
            if not message.is_talk:
                continue
            if (asked := self._asking.entry(message)) is not None:
                self._inbox.keep(asked, message)
            stored = message.stored(self._platform.audience(message, None))
            await self._memory.messages.catch_up(stored, message.author, asked=asked)
            self._counts["messages"] += 1

    async def _take_reactions(self, page: Sequence[ChatMessage], heard_until: datetime) -> None:
        """Take on what reactions asked for meanwhile, as of the earliest that it can have been."""
        emoji = self._asking.joke_emoji
        for message in page:
            at = max(heard_until, message.at)
            if self._memory.clock() - at > MAX_QUESTION_AGE or message.at < heard_until - COMPARED_BEFORE_LOSS:
                continue  # no joke is made of it any more; or it is older than what is known of jokes that were made
            if emoji not in message.reactions:
                continue
            try:
                self._counts["calls"] += 1
                user_id = await self._platform.reactor(message, emoji)
            except (TryLater, Refused) as failed:
                log.info("the reactions of a message could not be read (%s)", failed)
                continue
            if user_id is not None:
                reaction = Reaction(
                    guild_id=message.guild_id,
                    channel_id=message.channel_id,
                    message_id=message.message_id,
                    user_id=user_id,
                    emoji=emoji,
                )
                if (entry := self._asking.joke(reaction, at)) is not None:
                    await self._inbox.record(entry, None)

    async def _take_changes(
        self, channel: ChatChannel, stored: Mapping[MessageId, datetime | None], there: Mapping[MessageId, ChatMessage]
    ) -> None:
        """Delete what is stored and not there any more, and take over what was edited."""
        gone = [message_id for message_id in stored if message_id not in there]
        if gone:
            log.info("channel %d: %d messages were deleted meanwhile", channel.channel_id, len(gone))
            self._counts["deleted"] += len(gone)
            await self._memory.messages.delete(channel.guild_id, gone)
        for message_id, edited_at in stored.items():
            message = there.get(message_id)
            if message is None or message.edited_at is None:
                continue
            if edited_at is None or message.edited_at > edited_at:
                self._counts["edited"] += 1
                await self._memory.messages.edit(
                    channel.guild_id,
                    message_id,
                    message.transcript,
                    message.edited_at,
                    channel_id=channel.channel_id,
                    files=message.kept_files,
                )
