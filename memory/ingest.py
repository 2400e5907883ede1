"""Writing what happens in channels: batched, in order, idempotent, bounded, patient with an absent database."""

from __future__ import annotations

import asyncio
import logging
import random
from collections import deque
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from itertools import groupby

from cachetools import LRUCache

from memory.addressees import Addressees
from memory.records import DatabaseConflict, DatabaseUnavailable, GuildErased, Member, Message
from memory.rules.suppression import Suppressed
from memory.store import messages as table
from memory.store import people
from memory.store.cascade import messages_removed
from memory.store.consents import not_kept
from memory.store.database import Connection, Database, lock_guild, notify
from memory.suppressions import Suppressions, concerned
from memory.yielding import looked

log = logging.getLogger(__name__)

BATCH = 500
"""Writes of one transaction at the most."""

PAUSE = 0.05
"""Seconds that the first write of a batch waits for company."""

CONFLICTS = 5
"""How often a batch is written again as it is when the database reports conflicts, before it is halved."""

LATE = timedelta(minutes=10)
"""How old a message may be when it is written, before it is news of the past."""

CAPACITY = 10_000
"""Writes that wait in memory at the most; beyond that a message is left for catching up from Discord."""


@dataclass(frozen=True)
class Written:
    """A message was written by a member."""

    message: Message
    member: Member


@dataclass(frozen=True)
class Edited:
    """A message's text was replaced."""

    guild_id: int
    message_id: int
    text: str
    edited_at: datetime


@dataclass(frozen=True)
class Deleted:
    """Messages were deleted."""

    guild_id: int
    message_ids: tuple[int, ...]


@dataclass(frozen=True)
class OffRecord:
    """A message is an order: no summary uses it, and once it is `done` its text is removed."""

    guild_id: int
    message_id: int
    done: bool = True


Write = Written | Edited | Deleted | OffRecord


class Ingest:
    """A queue in front of the database. It writes what it accepted in order, however long the database is away."""

    def __init__(
        self,
        database: Database,
        suppressions: Suppressions,
        changed: Callable[[int], None],
        clock: Callable[[], datetime],
        addressees: Addressees,
        *,
        capacity: int = CAPACITY,
    ) -> None:
        self._db = database
        self._addressees = addressees
        self._suppressions = suppressions
        self._changed = changed
        self._clock = clock
        self._capacity = capacity
        self._waiting: deque[Write] = deque()
        self._news = asyncio.Condition()
        self._deleted: LRUCache[tuple[int, int], bool] = LRUCache(10_000)
        self._edited: LRUCache[tuple[int, int], Edited] = LRUCache(10_000)
        self._off_record: LRUCache[tuple[int, int], bool] = LRUCache(10_000)
        self._accepted = 0
        self._done = 0
        self._away = False
        self._task: asyncio.Task[None] | None = None

    def start(self) -> None:
        """Begin writing."""
        self._task = asyncio.create_task(self._run(), name="ingest")

    def was_deleted(self, guild_id: int, message_id: int) -> bool:
        """Whether a message was deleted, as far as this process saw it."""
        return (guild_id, message_id) in self._deleted

    @property
    def pending(self) -> int:
        """Writes that are accepted and not yet in the database."""
        return self._accepted - self._done

    async def offer(self, write: Written) -> bool:
        """Accept a message if there is room; False where there is none."""
        if len(self._waiting) >= self._capacity:
            return False
        await self._append(write)
        return True

    async def put(self, write: Write) -> None:
        """Accept a write, waiting for room."""
        if isinstance(write, Deleted):  # ids are small, and a deletion is never left behind
            for message_id in write.message_ids:
                self._deleted[write.guild_id, message_id] = True
        else:
            if isinstance(write, Edited):  # the message itself may come later, by catching up, as it was before
                self._edited[write.guild_id, write.message_id] = write
            if isinstance(write, OffRecord):
                key = write.guild_id, write.message_id
                self._off_record[key] = write.done or self._off_record.get(key, False)
            async with self._news:
                await self._news.wait_for(lambda: len(self._waiting) < self._capacity)
        await self._append(write)

    async def flush(self) -> None:
        """Wait until all that was accepted so far is in the database."""
        target = self._accepted
        async with self._news:
            await self._news.wait_for(lambda: self._done >= target)

    async def close(self, patience: float = 10.0) -> int:
        """Write what waits, for `patience` seconds at the most; returns how many writes could not be."""
        try:
            async with asyncio.timeout(patience):
                await self.flush()
        except TimeoutError:
            log.error("ingest: stopped with %d writes the database did not take", self.pending)
        if self._task is not None:
            self._task.cancel()
            await asyncio.gather(self._task, return_exceptions=True)
        return self.pending

    async def _append(self, write: Write) -> None:
        async with self._news:
            self._waiting.append(write)
            self._accepted += 1
            self._news.notify_all()

    async def _run(self) -> None:
        while True:
            async with self._news:
                await self._news.wait_for(lambda: bool(self._waiting))
            if len(self._waiting) < BATCH:
                await asyncio.sleep(PAUSE)
            batch = [self._waiting.popleft() for _ in range(min(BATCH, len(self._waiting)))]
            try:
                await self._write(batch)
            except Exception:  # it was written, or given up with a line in the log; what waits behind it is not
                log.exception("ingest: trouble after a batch")
            async with self._news:
                self._done += len(batch)
                self._news.notify_all()

    async def _write(self, batch: Sequence[Write]) -> None:
        """Write `batch`, however long the database is away; of a batch with a bad write, all but that one.

        Where others are in the way in the database, the same batch is written again. Of a guild that was
        erased nothing is written.
        """
        pause, conflicts = 0.2, 0
        while batch:
            try:
                suppressed = {
                    g: await self._suppressions.forgotten_of(g) for g in sorted({_guild(write) for write in batch})
                }
                async with self._db.transaction() as connection:
                    for guild_id in suppressed:
                        await lock_guild(connection, guild_id)
                    await self._apply(connection, batch, suppressed)
                if self._away:
                    log.info("ingest: the database is back")
                    self._away = False
                break
            except GuildErased as erased:
                batch = [write for write in batch if _guild(write) != erased.guild_id]
            except DatabaseConflict as conflict:
                conflicts += 1
                log.log(logging.WARNING if conflicts % CONFLICTS == 0 else logging.INFO, "ingest: again (%s)", conflict)
                if conflicts >= CONFLICTS and len(batch) > 1:  # less at a time is less in the way
                    await self._write_halves(batch)
                    break
                await asyncio.sleep(random.uniform(0, 0.05 * 2 ** min(conflicts, 6)))
            except DatabaseUnavailable as away:
                if not self._away:
                    log.warning("ingest: waiting for the database (%s)", away)
                    self._away = True
                await asyncio.sleep(pause)
                pause = min(pause * 2, 5.0)
            except Exception as bad:  # whatever it is, the writes behind it must not wait forever
                if len(batch) > 1:
                    await self._write_halves(batch)
                else:
                    log.error("ingest: a %s cannot be stored: %s", type(batch[0]).__name__, type(bad).__name__)
                    await self._at_least(batch[0])
                break
        for guild_id in self._touched(batch):
            self._changed(guild_id)

    async def _write_halves(self, batch: Sequence[Write]) -> None:
        middle = len(batch) // 2
        await self._write(batch[:middle])
        await self._write(batch[middle:])

    async def _at_least(self, write: Write) -> None:
        """Where a deletion or an edit fails, remove at least the text."""
        if isinstance(write, Deleted | Edited):
            ids = write.message_ids if isinstance(write, Deleted) else (write.message_id,)
            while True:
                try:
                    async with self._db.transaction() as connection:
                        await table.remove_alone(connection, write.guild_id, ids)
                    return
                except DatabaseUnavailable:
                    await asyncio.sleep(1)
                except Exception as bad:  # nothing more can be done, and the writes behind it must not wait
                    log.error("ingest: nor can its words be removed: %s", type(bad).__name__)
                    return

    def _touched(self, writes: Sequence[Write]) -> set[int]:
        """The guilds whose past these writes change: by an edit, a deletion, or a message that comes late."""
        late = self._clock() - LATE
        return {
            _guild(write)
            for write in writes
            if isinstance(write, Edited | Deleted) or (isinstance(write, Written) and write.message.timestamp < late)
        }

    async def _apply(
        self,
        connection: Connection,
        batch: Sequence[Write],
        suppressed: Mapping[int, tuple[Suppressed, Mapping[int, Collection[str]]]],
    ) -> None:
        for kind, run in groupby(batch, type):
            writes = list(run)
            if kind is Written:
                written = [
                    w
                    for w in writes
                    if isinstance(w, Written) and (w.message.guild_id, w.message.message_id) not in self._deleted
                ]
                if written:
                    kept = await table.kept(connection, [w.message for w in written])
                    gone = await looked(kept, lambda m: is_forgotten(m, *suppressed[m.guild_id]))
                    kept = [m for m, is_gone in zip(kept, gone, strict=True) if not is_gone]
                    members = {(w.member.guild_id, w.member.user_id): w.member for w in written}.values()
                    kept = await self._addressees.of(connection, kept, members)
                    await table.insert(connection, kept)
                    await self._name(connection, written)
                    await table.advance(connection, [w.message for w in written])
                    for m in kept:
                        if (edited := self._edited.get((m.guild_id, m.message_id))) is not None:
                            await self._edit(connection, edited)
                        if (done := self._off_record.get((m.guild_id, m.message_id))) is not None:
                            await table.set_off_record(connection, m.guild_id, m.message_id, done=done)
                    for guild_id in self._touched(written):
                        await notify(connection, guild_id)
                continue
            for write in writes:
                if isinstance(write, Edited):
                    await self._edit(connection, write)
                elif isinstance(write, Deleted):
                    await messages_removed(connection, write.guild_id, write.message_ids)
                elif isinstance(write, OffRecord):
                    await table.set_off_record(connection, write.guild_id, write.message_id, done=write.done)

    async def _edit(self, connection: Connection, edited: Edited) -> None:
        guild_id, message_id = edited.guild_id, edited.message_id
        addressees = await self._addressees.of_edit(connection, guild_id, message_id, edited.text)
        await table.edit(connection, guild_id, message_id, edited.text, edited.edited_at, addressees)

    async def _name(self, connection: Connection, written: Sequence[Written]) -> None:
        """Store the names of authors; those who opted out have none stored."""
        rules = {g: await not_kept(connection, g) for g in {w.message.guild_id for w in written}}
        seen = [
            (w.member, w.message.timestamp)
            for w in written
            if w.message.channel_id not in rules[w.message.guild_id].channels
        ]
        await people.name(connection, seen, seen=True)


def _guild(write: Write) -> int:
    return write.message.guild_id if isinstance(write, Written) else write.guild_id


def is_forgotten(message: Message, suppressed: Suppressed, forgotten_of: Mapping[int, Collection[str]]) -> bool:
    """Whether an imported or late message tells something that was forgotten after it was written."""
    subjects = concerned(message.text, message.user_id, forgotten_of)
    return suppressed.tells(message.text, subjects, before=message.timestamp)
