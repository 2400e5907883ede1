"""The inbox: what the bot was asked, recorded before anything is done about it, until it is done and answered."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Collection, Sequence
from contextlib import AbstractContextManager
from datetime import datetime, timedelta

from memory.clock import DatabaseClock
from memory.core import Core
from memory.ingest import Ingest, OffRecord
from memory.records import Fenced, InboxItem, InboxKind, InboxState, InboxWork, Parked
from memory.store.database import at_once
from memory.store.inbox import working


class InboxService:
    """What the bot was asked. Raises DatabaseUnavailable."""

    def __init__(self, core: Core, ingest: Ingest) -> None:
        self._core = core
        self._ingest = ingest
        self._alive: frozenset[int] = frozenset()

    def listen(self, recorded: Callable[[Sequence[InboxItem]], None]) -> None:
        """Have `recorded` told of what this process recorded."""
        self._ingest.recorded = recorded

    async def enter(self) -> None:
        """Begin to live."""
        await self._core.store.processes.enter(self._core.store.process_id)
        await self.beat()

    async def beat(self) -> None:
        """Give a sign of life, and learn which processes live and what time it is. Raises Fenced."""
        with at_once():  # a sign of life that waits for its turn is none
            now = await self._core.store.processes.beat(self._core.store.process_id)
        if isinstance(self._core.clock, DatabaseClock):
            self._core.clock.follow(now)
        with at_once():
            self._alive = await self._core.store.processes.alive()

    @property
    def fenced(self) -> asyncio.Event:
        """Set once another process took over from this one: nothing that it does counts any more."""
        return self._core.store.database.fenced

    @property
    def skew(self) -> timedelta:
        """How far the clock of this machine is ahead of the database's."""
        return self._core.clock.skew if isinstance(self._core.clock, DatabaseClock) else timedelta(0)

    @property
    def processes(self) -> int:
        """How many processes live."""
        return len(self._alive)

    async def claim_shards(self, shard_count: int, most: int, *, idle: timedelta) -> list[int]:
        """Claim shards that no living process has and that nobody was connected with for `idle`; which are ours now."""
        await self.beat()
        others = self._alive - {self._core.store.process_id}
        return await self._core.store.processes.claim(self._core.store.process_id, shard_count, most, others, idle)

    async def leave(self) -> None:
        """Let other processes have what this one did not finish."""
        await self._core.store.processes.leave(self._core.store.process_id)

    async def record(self, entry: InboxItem) -> bool:
        """Record what comes without a message to store; whether it is new."""
        return await self._core.store.inbox.record(entry)

    async def claim(self, entry: InboxItem) -> InboxItem | None:
        """Take an entry on; None where it is done, or another process works on it.

        From a process that is silent it is taken over. Raises EarlierOrder, and Fenced.
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
        """Make sure, before an entry is answered, that it is this process's still. Raises Fenced where it is not."""
        if not await self._core.store.inbox.is_taken_by(entry, self._core.store.process_id):
            raise Fenced("another process answers")

    async def state(self, entry: InboxItem) -> InboxState | None:
        """How far an entry got; None where it is not recorded."""
        return await self._core.store.inbox.state(entry)

    def working(self, entry: InboxItem) -> AbstractContextManager[InboxWork]:
        """Let whatever is changed inside count as what the entry asked for."""
        return working(entry)

    async def finish(self, entry: InboxItem) -> None:
        """Note that an entry is done and answered; the words of an order are kept no longer."""
        if entry.is_order and entry.kind in (InboxKind.MESSAGE, InboxKind.EDIT) and entry.guild_id:
            await self._ingest.accept(OffRecord(entry.guild_id, entry.trigger_id))
        await self._core.store.inbox.finish(entry)
        self._moved(entry, InboxState.DONE)

    def _moved(self, entry: InboxItem, state: InboxState) -> None:
        self._core.observer.inbox_moved(entry.kind, state, max(0.0, (self._core.clock() - entry.at).total_seconds()))

    async def drop(self, entry: InboxItem) -> None:
        """Let go of an entry, so that it may be asked again."""
        await self._core.store.inbox.drop(entry)

    async def park(self, entry: InboxItem, reason: str) -> None:
        """Leave an entry to the operator; `reason` names the error."""
        await self._core.store.inbox.park(entry, self._core.clock(), reason)
        self._moved(entry, InboxState.PARKED)

    async def open(self, guild_ids: Collection[int]) -> list[InboxItem]:
        """What is still to be done in guilds, in the order in which it was asked."""
        return await self._core.store.inbox.open(guild_ids)

    async def direct(self) -> dict[int, int]:
        """The channels of direct messages that are known, each with the last message that was taken on there."""
        return await self._core.store.inbox.direct()

    async def last(self, entry: InboxItem) -> datetime | None:
        """When another entry of the same kind was last taken up in the same channel."""
        return await self._core.store.inbox.last(entry)

    # What a defect keeps from being done

    async def parked(self, guild_ids: Collection[int]) -> list[Parked]:
        """What is parked of guilds, oldest first."""
        return await self._core.store.parked.list_for(guild_ids)

    async def retry_parked(self, guild_ids: Collection[int]) -> int:
        """Have what is parked of guilds tried again by the process that runs them; returns how much that is."""
        return await self._core.store.parked.ask_for_retry(guild_ids)

    async def drop_parked(self, guild_ids: Collection[int]) -> int:
        """Let go of what is parked of guilds; returns how much that was."""
        return await self._core.store.parked.drop(guild_ids)

    async def to_retry(self, guild_ids: Collection[int]) -> list[Parked]:
        """What is parked of guilds and to be tried again, oldest first."""
        return await self._core.store.parked.to_retry(guild_ids)

    async def reopen(self, parked: Parked) -> None:
        """Let what was asked be tried again."""
        await self._core.store.inbox.reopen(parked.guild_id, parked.ids)

    async def unpark(self, parked: Parked) -> None:
        """Note that something was tried again; where it failed, it is parked anew."""
        await self._core.store.parked.remove(parked)
