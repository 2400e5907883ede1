"""The inbox: requests to the bot, recorded before the bot acts on them, until they are done and answered."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Collection, Sequence
from contextlib import AbstractContextManager
from datetime import datetime, timedelta

from memory.clock import DatabaseClock
from memory.core import Core
from memory.ids import ChannelId, GuildId, MessageId
from memory.ingest import Ingest, OffRecord
from memory.records import Fenced, InboxItem, InboxKind, InboxState, InboxWork, Parked
from memory.store.database import at_once
from memory.store.inbox import working


class InboxService:
    """Requests to the bot. Methods may raise DatabaseUnavailable."""

    def __init__(self, core: Core, ingest: Ingest) -> None:
        self._core = core
        self._ingest = ingest
        self._alive: frozenset[int] = frozenset()

    def listen(self, recorded: Callable[[Sequence[InboxItem]], None]) -> None:
        """Call `recorded` with every item that this process records."""
        self._ingest.recorded = recorded

    async def enter(self) -> None:
        """Register this process as alive."""
        await self._core.store.processes.enter(self._core.store.process_id)
        await self.beat()

    async def beat(self) -> None:
        """Send this process's heartbeat. Learn which processes are alive and what time it is. Raises Fenced."""
        with at_once():  # a sign of life that waits for its turn is none
            now = await self._core.store.processes.beat(self._core.store.process_id)
        if isinstance(self._core.clock, DatabaseClock):
            self._core.clock.follow(now)
        with at_once():
            self._alive = await self._core.store.processes.alive()

    @property
    def fenced(self) -> asyncio.Event:
        """Set once another process has taken over from this one. Nothing this process does counts after that."""
        return self._core.store.database.fenced

    @property
    def skew(self) -> timedelta:
        """How far this machine's clock is ahead of the database's."""
        return self._core.clock.skew if isinstance(self._core.clock, DatabaseClock) else timedelta(0)

    @property
    def process_id(self) -> int:
        """The number of the process."""
        return self._core.store.process_id

    @property
    def processes(self) -> int:
        """The number of live processes."""
        return len(self._alive)

    async def claim_shards(self, shard_count: int, most: int, *, idle: timedelta) -> list[int]:
        """Claim shards that no live process has and that have been disconnected for `idle`. Return those that are ours
        now."""
        await self.beat()
        others = self._alive - {self._core.store.process_id}
        return await self._core.store.processes.claim(self._core.store.process_id, shard_count, most, others, idle)

    async def leave(self) -> None:
        """Release this process's unfinished items, so that other processes can take them."""
        await self._core.store.processes.leave(self._core.store.process_id)

    async def record(self, entry: InboxItem) -> bool:
        """Record a request that comes without a message to store. Return whether it is new."""
        return await self._core.store.inbox.record(entry)

    async def claim(self, entry: InboxItem) -> InboxItem | None:
        """Claim an item. None if it is done, or another process is working on it.

        The items of a process that stopped sending heartbeats are taken over. Raises EarlierOrder and Fenced.
        """
        mine = self._core.store.process_id
        if (taken := await self._core.store.inbox.claim(entry, mine)) is not None:
            return taken
        other = await self._core.store.inbox.worker(entry)
        # Who lives is asked now: one that started since the last sign of life would be taken for dead.
        if other is not None and other in await self._core.store.processes.alive():
            return None
        if other is not None:
            await self._core.store.processes.fence([other])
        return await self._core.store.inbox.claim(entry, mine, instead_of=other)

    async def check(self, entry: InboxItem) -> None:
        """Check, before answering, that an item still belongs to this process. Raises Fenced if not."""
        if not await self._core.store.inbox.is_taken_by(entry, self._core.store.process_id):
            raise Fenced("another process answers")

    async def state(self, entry: InboxItem) -> InboxState | None:
        """How far an item got. None if it is not recorded."""
        return await self._core.store.inbox.state(entry)

    def working(self, entry: InboxItem) -> AbstractContextManager[InboxWork]:
        """Attribute every change made inside this context to an item."""
        return working(entry)

    async def finish(self, entry: InboxItem) -> None:
        """Record that an item is done and answered. The text of an order is then deleted."""
        if entry.is_order and entry.kind in (InboxKind.MESSAGE, InboxKind.EDIT) and entry.guild_id:
            await self._ingest.accept(OffRecord(entry.guild_id, entry.trigger_id))
        await self._core.store.inbox.finish(entry)
        self._moved(entry, InboxState.DONE)

    def _moved(self, entry: InboxItem, state: InboxState) -> None:
        self._core.observer.inbox_moved(entry.kind, state, max(0.0, (self._core.clock() - entry.at).total_seconds()))

    async def drop(self, entry: InboxItem) -> None:
        """Delete an item, so that it can be requested again."""
        await self._core.store.inbox.drop(entry)

    async def park(self, entry: InboxItem, reason: str) -> None:
        """Leave an item to the operator. `reason` names the error."""
        await self._core.store.inbox.park(entry, self._core.clock(), reason)
        self._moved(entry, InboxState.PARKED)

    async def open(self, guild_ids: Collection[GuildId]) -> list[InboxItem]:
        """List the unfinished items of guilds, in the order they came."""
        return await self._core.store.inbox.open(guild_ids)

    async def direct(self) -> dict[ChannelId, MessageId]:
        """List the known channels of direct messages, each with the last message that was recorded there."""
        return await self._core.store.inbox.direct()

    async def last(self, entry: InboxItem) -> datetime | None:
        """Get the time at which another item of the same kind was last claimed in the same channel."""
        return await self._core.store.inbox.last(entry)

    # What a defect keeps from being done

    async def parked(self, guild_ids: Collection[GuildId]) -> list[Parked]:
        """List the parked items of guilds, oldest first."""
        return await self._core.store.parked.list_for(guild_ids)

    async def retry_parked(self, guild_ids: Collection[GuildId]) -> int:
        """Have the parked items of guilds retried by the process that runs them. Return how many."""
        return await self._core.store.parked.ask_for_retry(guild_ids)

    async def drop_parked(self, guild_ids: Collection[GuildId]) -> int:
        """Delete the parked items of guilds. Return how many."""
        return await self._core.store.parked.drop(guild_ids)

    async def to_retry(self, guild_ids: Collection[GuildId]) -> list[Parked]:
        """List the parked items of guilds that should be retried, oldest first."""
        return await self._core.store.parked.to_retry(guild_ids)

    async def reopen(self, parked: Parked) -> None:
        """Let a parked request be tried again."""
        await self._core.store.inbox.reopen(parked.guild_id, [MessageId(n) for n in parked.ids])

    async def unpark(self, parked: Parked) -> None:
        """Record that a parked item was retried. If it failed, it is parked anew."""
        await self._core.store.parked.remove(parked)
