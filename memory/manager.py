"""MemoryManager: everything the bot may ask of memory."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable, Collection, Iterable, Sequence
from datetime import UTC, datetime, timedelta
from typing import Any
from zoneinfo import ZoneInfo

from memory.ai import AIClient
from memory.ai.governor import Governor, Quota
from memory.context import Contexts
from memory.daily import Days
from memory.days import zone
from memory.facts import Facts, audiences_for
from memory.history import History
from memory.ingest import Deleted, Edited, Ingest, OffRecord, Written
from memory.records import (
    EVERYONE,
    Channel,
    Context,
    Fact,
    Forgotten,
    Member,
    Message,
    Remembered,
    Statement,
)
from memory.single import SingleFlight
from memory.store import Store

log = logging.getLogger(__name__)

REPLIES_KEPT = timedelta(days=7)
"""How long it is kept what a reply was given (DESIGN.md §3)."""


class MemoryManager:
    """The memory of the guilds of one bot. Open it, use it, close it.

    `batch` sums up days, `small` does everything else; `wait` is how many seconds a reply waits for
    what is being made; `retention` how long messages are kept. Reads raise DatabaseUnavailable:
    a failure is never an empty memory.
    """

    def __init__(
        self,
        store: Store,
        *,
        batch: AIClient,
        small: AIClient,
        governor: Governor,
        clock: Callable[[], datetime],
        time_zone: str = "UTC",
        wait: float = 1.0,
        retention: timedelta = timedelta(days=30),
        batch_tokens: int = 60_000,
        small_tokens: int = 8_000,
    ) -> None:
        self._store = store
        self._small = small
        self._batch = batch
        self._governor = governor
        self._clock = clock
        self._retention = retention
        flights = SingleFlight(store.coordinator)
        self._facts = Facts(store, small, clock)
        self._days = Days(store, batch, flights, clock, chunk_tokens=batch_tokens)
        self._history = History(store, small, flights, clock, call_tokens=small_tokens)
        self._contexts = Contexts(
            store, small, self._facts, self._days, self._history, flights, clock, zone(time_zone), wait=wait
        )
        self._ingest = Ingest(store.database, self._changed, clock)
        store.coordinator.watch(self._changed)

    async def start(self) -> None:
        """Begin to write what is ingested, and to listen for what other processes change."""
        await self._store.coordinator.start()
        self._ingest.start()

    async def close(self) -> int:
        """Write what waits and stop; returns how many writes the database did not take. The store stays open."""
        await self._contexts.close()
        return await self._ingest.close()

    def _changed(self, guild_id: int) -> None:
        for level in (self._days, self._history, self._contexts):
            level.drop(guild_id)

    # Ingest

    async def ingest_message(self, message: Message, member: Member) -> bool:
        """Accept a message for writing; False where memory is full of waiting writes.

        A message that was not accepted is to be brought again by `catch_up`.
        """
        return await self._ingest.offer(Written(message, member))

    async def catch_up(self, message: Message, member: Member) -> None:
        """Accept a message, waiting for room."""
        await self._ingest.put(Written(message, member))

    async def edit_message(self, guild_id: int, message_id: int, text: str, edited_at: datetime) -> None:
        """Replace a message's text."""
        await self._ingest.put(Edited(guild_id, message_id, text, edited_at))

    async def delete_messages(self, guild_id: int, message_ids: Iterable[int]) -> None:
        """Remove messages."""
        await self._ingest.put(Deleted(guild_id, tuple(message_ids)))

    async def keep_off_record(self, guild_id: int, message_id: int) -> None:
        """Keep a message out of every summary: it tells the bot what to do, and would tell again what it forgot."""
        await self._ingest.put(OffRecord(guild_id, message_id))

    async def flush(self, within: float | None = None) -> bool:
        """Wait until everything accepted so far is in the database; False where that takes too long."""
        try:
            async with asyncio.timeout(within):
                await self._ingest.flush()
        except TimeoutError:
            return False
        return True

    @property
    def pending(self) -> int:
        """How many accepted writes are not yet in the database."""
        return self._ingest.pending

    async def store_messages(self, messages: Collection[Message], members: Collection[Member]) -> int:
        """Store an export's messages and names in one go; returns how many messages were new."""
        await self._store.people.name(members)
        new = await self._store.messages.write(messages)
        self._changed(EVERYONE)
        return new

    async def cursors(self, guild_id: int) -> dict[int, int]:
        """The newest stored message of each channel that has any."""
        return await self._store.messages.cursors(guild_id)

    async def upkeep(self) -> int:
        """Purge what is kept for a time only; returns how many messages went."""
        now, gone = self._clock(), 0
        for guild_id in await self._store.people.guilds():
            gone += await self._store.messages.purge(guild_id, now - self._retention)
            await self._store.replies.purge(guild_id, now - REPLIES_KEPT)
            await self._store.usage.purge(guild_id, now - timedelta(hours=2), now - timedelta(days=400))
        await self._store.replies.purge(0, now - REPLIES_KEPT)
        await self._store.usage.purge(0, now - timedelta(hours=2), now - timedelta(days=400))
        return gone

    # Contexts

    async def get_memories(
        self,
        guild_id: int,
        user_id: int,
        *,
        audience: int = EVERYONE,
        wait: float | None = None,
    ) -> str | None:
        """What is known of a member where `audience` listens, as one text; None where nothing is."""
        found = await self.contexts(guild_id, [user_id], audience=audience, wait=wait)
        return found[user_id].text

    async def contexts(
        self,
        guild_id: int,
        user_ids: Collection[int],
        *,
        audience: int = EVERYONE,
        wait: float | None = None,
    ) -> dict[int, Context]:
        """The contexts of a conversation's participants, made together, with their parts and their cost."""
        return await self._contexts.get(guild_id, user_ids, audience, wait=wait)

    async def settle(self) -> None:
        """Wait for contexts that are still being made."""
        await self._contexts.settle()

    # Facts

    async def remember(self, statement: Statement, about: Member, speaker: Member) -> Remembered:
        """Store what someone said about a member. Raises NotRemembered."""
        await self._store.people.name([about, speaker])
        return await self._facts.remember(statement, about, speaker)

    async def forget(
        self,
        guild_id: int,
        about: Member,
        request: str,
        *,
        audience: int,
        allowed: Callable[[Fact], bool],
        because: str,
    ) -> Forgotten:
        """Retire the facts that a request means, as far as `allowed`."""
        done = await self._facts.forget(guild_id, about, request, audiences_for(audience), allowed, because)
        self._changed(guild_id)
        return done

    async def forget_fact(
        self, guild_id: int, fact_id: int, *, audience: int, allowed: Callable[[Fact], bool], because: str
    ) -> Forgotten:
        """Retire one fact by its number, where `audience` may hear it."""
        fact = await self._store.facts.get(guild_id, fact_id)
        if fact is None or fact.audience not in audiences_for(audience):
            return Forgotten()
        done = await self._facts.retire([fact], allowed, because)
        self._changed(guild_id)
        return done

    async def facts(self, guild_id: int, user_id: int, *, audience: int) -> Sequence[Fact]:
        """A member's live facts, oldest first."""
        return (await self._store.facts.live(guild_id, [user_id], audiences_for(audience)))[user_id]

    # People and places

    async def members(self, guild_id: int, user_ids: Collection[int] | None = None) -> dict[int, Member]:
        """The known members of a guild, or those of `user_ids` alone."""
        return await self._store.people.members(guild_id, user_ids)

    async def channels(self, guild_id: int) -> dict[int, Channel]:
        """The known channels of a guild."""
        return await self._store.people.channels(guild_id)

    async def place(self, channel: Channel) -> bool:
        """Keep a channel's name and audience; returns whether its audience changed."""
        moved = await self._store.people.place(channel)
        if moved:
            self._changed(channel.guild_id)
        return moved

    async def set_jokes(self, member: Member, wanted: bool) -> None:
        """Let jokes be made about a member, or not."""
        await self._store.people.set_jokes(member, wanted)

    async def time_zone(self, guild_id: int) -> ZoneInfo:
        """The zone that decides a guild's days."""
        return await self._contexts.zone(guild_id)

    async def set_time_zone(self, guild_id: int, name: str) -> None:
        """Let a zone decide a guild's days. Raises ValueError where there is no such zone."""
        await self._store.people.set_time_zone(guild_id, zone(name).key)
        self._changed(guild_id)

    async def recent(
        self, guild_id: int, channel_id: int, before_id: int, *, minutes: int = 60, limit: int = 30
    ) -> list[Message]:
        """What was last said in a channel before a message, oldest first."""
        since = self._clock().astimezone(UTC) - timedelta(minutes=minutes)
        return await self._store.messages.recent(guild_id, channel_id, before_id, since, limit)

    async def message(self, guild_id: int, message_id: int) -> Message | None:
        """One message, or None where it is not stored."""
        return await self._store.messages.get(guild_id, message_id)

    async def last_written(self, guild_id: int, user_id: int) -> datetime | None:
        """When a member's newest stored message was written."""
        return await self._store.messages.last_written(guild_id, user_id)

    async def count(self, guild_id: int) -> int:
        """How many messages of a guild are stored."""
        return await self._store.messages.count(guild_id)

    # Replies and the AI's state

    async def claim(self, guild_id: int, trigger_id: int, kind: str, channel_id: int) -> bool:
        """Take it on to answer a message; False where that was done before, by any process."""
        return await self._store.replies.claim(guild_id, trigger_id, kind, channel_id, self._clock())

    async def unclaim(self, guild_id: int, trigger_id: int, kind: str) -> None:
        """Give a claim back."""
        await self._store.replies.unclaim(guild_id, trigger_id, kind)

    async def given(
        self, guild_id: int, trigger_id: int, kind: str, reply_id: int | None, given: dict[str, Any]
    ) -> None:
        """Note what a reply was given."""
        await self._store.replies.given(guild_id, trigger_id, kind, reply_id, given)

    async def last_reply(self, guild_id: int, channel_id: int, kind: str) -> datetime | None:
        """When the newest reply of a kind was made in a channel."""
        return await self._store.replies.last(guild_id, channel_id, kind)

    async def state(self, name: str) -> str | None:
        """What the bot noted under `name`."""
        return await self._store.people.state(name)

    async def set_state(self, name: str, value: str) -> None:
        """Note `value` under `name`."""
        await self._store.people.set_state(name, value)

    async def quotas(self) -> tuple[Quota, ...]:
        """Each model's use today against its limits."""
        return await self._governor.today(tuple(model for model in (self._batch.model, self._small.model) if model))
