"""Writing what happens in channels: batched, in order, idempotent, bounded, patient with an absent database."""

from __future__ import annotations

import asyncio
import logging
import random
import time
from collections import deque
from collections.abc import AsyncIterator, Callable, Collection, Mapping, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass
from datetime import datetime, timedelta
from itertools import groupby
from typing import Protocol

from cachetools import LRUCache

from memory.addressees import Addressees
from memory.core import Core
from memory.generations import Cached
from memory.ids import ChannelId, GuildId, MessageId, UserId
from memory.observer import BatchWritten
from memory.records import (
    DatabaseConflict,
    DatabaseUnavailable,
    GuildErased,
    InboxItem,
    Member,
    Message,
    MessageFile,
    PendingRemoval,
)
from memory.rules.suppression import Suppressed
from memory.store import inbox, parked, people
from memory.store import messages as table
from memory.store.cascade import forgotten, words_removed
from memory.store.consents import Policy, policies
from memory.store.database import Connection, in_background, lock_guild, notify
from memory.suppressions import concerned
from memory.yielding import map_yielding

log = logging.getLogger(__name__)

MAX_BATCH = 500
"""Writes of one transaction at the most."""

PAST_BATCH = 100
"""Writes of one transaction that catches up: what happens now waits for the guilds of it."""

BATCH_WAIT = 0.05
"""Seconds that the first write of a batch waits for company; nobody waits who asked the bot something."""

BUSY_WINDOW = 0.2
"""Seconds since the last batch within which the next is thought to get company, if that had `BUSY_BATCH` writes."""

BUSY_BATCH = 8

CONFLICTS = 5
"""How often a batch is written again as it is when the database reports conflicts, before it is halved."""

LATE_MESSAGE_AGE = timedelta(minutes=10)
"""How old a message may be when it is written, before it is news of the past."""

CAPACITY = 10_000
"""Writes that wait in memory at the most; beyond that a message is left for catching up from Discord."""

MAX_HELD_GUILDS = 2
"""Guilds that are waited for at once, while others hold them, without keeping the rest waiting."""

MAX_KNOWN_NAMES = 100_000
"""Members of whom it is remembered under which names they were stored last."""

PAST_CAPACITY = 2_000
"""Writes of what was missed that wait in memory at the most: who catches up waits for room."""


@dataclass(frozen=True)
class Written:
    """A message was written by a member.

    `asked` is what it asks of the bot, recorded in the transaction that stores it. Where it does not move its
    channel's cursor, something before it may be missing still.
    """

    message: Message
    member: Member
    asked: InboxItem | None = None
    advances_read_position: bool = True


@dataclass(frozen=True)
class Edited:
    """A message's text was replaced; `asked` is what the new one asks of the bot."""

    guild_id: GuildId
    message_id: MessageId
    text: str
    edited_at: datetime
    asked: InboxItem | None = None
    channel_id: ChannelId | None = None
    files: tuple[MessageFile, ...] = ()


@dataclass(frozen=True)
class Extended:
    """What stands beside a message's words changed, such as a link's preview; its words are those of `edited_at`."""

    guild_id: GuildId
    message_id: MessageId
    text: str
    edited_at: datetime | None = None
    files: tuple[MessageFile, ...] = ()


@dataclass(frozen=True)
class Deleted:
    """Messages were deleted."""

    guild_id: GuildId
    message_ids: tuple[MessageId, ...]


@dataclass(frozen=True)
class OffRecord:
    """A message is an order: no summary uses it, and once it is `done` its text is removed."""

    guild_id: GuildId
    message_id: MessageId
    done: bool = True


@dataclass(frozen=True)
class CaughtUp:
    """Nothing is missed of a channel up to a message."""

    guild_id: GuildId
    channel_id: ChannelId
    message_id: MessageId


class Journal(Protocol):
    """What keeps removals over the end of the process until the database has them."""

    async def note(self, removal: PendingRemoval) -> None:
        """Keep a removal."""

    def done(self, removal: PendingRemoval) -> None:
        """Let go of a removal that the database has."""


Write = Written | Edited | Extended | Deleted | OffRecord | CaughtUp


class _Lane:
    """Writes that wait, in order, and how far they got."""

    def __init__(self, capacity: int, batch: int) -> None:
        self.capacity = capacity
        self.batch = batch
        self.waiting: deque[Write] = deque()
        self.held: dict[GuildId, deque[Write]] = {}
        """Writes of guilds that somebody else holds, by guild."""
        self.news = asyncio.Condition()
        self.accepted = 0
        self.done = 0
        self._since: float | None = None
        self._taken, self._last = -BUSY_WINDOW, 0

    @property
    def waits(self) -> float:
        return 0.0 if self._since is None else time.monotonic() - self._since

    @property
    def is_full(self) -> bool:
        return self.accepted - self.done >= self.capacity

    async def append(self, write: Write) -> None:
        async with self.news:
            self.waiting.append(write)
            self.accepted += 1
            if self._since is None:
                self._since = time.monotonic()
            self.news.notify_all()

    async def room(self) -> None:
        async with self.news:
            await self.news.wait_for(lambda: not self.is_full)

    async def flush(self) -> None:
        target = self.accepted
        async with self.news:  # what is held may be older than what was done since
            await self.news.wait_for(lambda: self.done >= target and not self.held)

    async def next_batch(self) -> list[Write]:
        async with self.news:
            await self.news.wait_for(lambda: bool(self.waiting))
        is_busy = self._last >= BUSY_BATCH and time.monotonic() - self._taken < BUSY_WINDOW
        if is_busy and len(self.waiting) < self.batch and not any(_is_awaited(write) for write in self.waiting):
            await asyncio.sleep(BATCH_WAIT)
        self._taken, self._last = time.monotonic(), min(self.batch, len(self.waiting))
        return [self.waiting.popleft() for _ in range(self._last)]

    async def count_done(self, writes: int) -> None:
        async with self.news:
            self.done += writes
            if self.done == self.accepted:
                self._since = None
            elif not self.held:  # what is held may be the oldest
                self._since = time.monotonic()
            self.news.notify_all()


class Ingest:
    """Queues in front of the database. It writes what it accepted in order, however long the database is away.

    What happens now has a lane of its own: it does not wait behind what is caught up on. `recorded` is told what the
    bot was asked, once that is in the database; a write that a defect keeps from being done is parked.
    """

    def __init__(
        self,
        core: Core,
        addressees: Addressees,
        *,
        journal: Journal | None = None,
        capacity: int = CAPACITY,
    ) -> None:
        self._core = core
        self._addressees = addressees
        self._journal = journal
        self._named: Cached[tuple[str | None, ...]] = core.generations.cache(LRUCache(MAX_KNOWN_NAMES))
        self._now = _Lane(capacity, MAX_BATCH)
        self._past = _Lane(PAST_CAPACITY, PAST_BATCH)
        self._deleted: LRUCache[tuple[GuildId, MessageId], bool] = LRUCache(10_000)
        self._edited: LRUCache[tuple[GuildId, MessageId], Edited] = LRUCache(10_000)
        self._changed_at: LRUCache[tuple[GuildId, MessageId], datetime] = LRUCache(10_000)
        self._off_record: LRUCache[tuple[GuildId, MessageId], bool] = LRUCache(10_000)
        self._away = False
        self._tasks: list[asyncio.Task[None]] = []
        self._following: set[asyncio.Task[None]] = set()
        self._may_follow = asyncio.Semaphore(MAX_HELD_GUILDS)
        self.recorded: Callable[[Sequence[InboxItem]], None] = lambda _: None
        """Told of what the bot was asked."""

    def start(self) -> None:
        """Begin writing."""
        self._tasks = [
            asyncio.create_task(self._run(self._now), name="ingest"),
            asyncio.create_task(self._run_past(), name="ingest of the past"),
        ]

    def was_deleted(self, guild_id: GuildId, message_id: MessageId) -> bool:
        """Whether a message was deleted, as far as this process saw it."""
        return (guild_id, message_id) in self._deleted

    def was_changed(self, guild_id: GuildId, message_id: MessageId, since: datetime) -> bool:
        """Whether a message was deleted or edited since a moment, as far as this process saw it."""
        at = self._changed_at.get((guild_id, message_id))
        return at is not None and at > since

    @property
    def pending(self) -> int:
        """Writes that are accepted and not yet in the database."""
        return sum(lane.accepted - lane.done for lane in (self._now, self._past))

    @property
    def is_refused(self) -> bool:
        """Whether the database refused what was written last: it is away, or full."""
        return self._away

    @property
    def waits(self) -> float:
        """Seconds that the oldest write of what happens now waits to be in the database."""
        return self._now.waits

    async def offer(self, write: Written) -> bool:
        """Accept a message if there is room; False where there is none."""
        if self._now.is_full:
            return False
        await self._now.append(write)
        return True

    async def accept_past(self, write: Written) -> None:
        """Accept a message that was missed, waiting for room."""
        await self._past.room()
        await self._past.append(write)

    async def caught_up(self, write: CaughtUp) -> None:
        """Accept that nothing is missing any more, once what was brought is in the database."""
        await self._past.flush()
        await self.accept(write)

    async def accept(self, write: Write) -> None:
        """Accept a write, waiting for room; a removal once it is in the journal."""
        if (removal := _removal(write)) is not None:
            for message_id in removal.message_ids:
                self._changed_at[removal.guild_id, message_id] = self._core.clock()
        if isinstance(write, Deleted):
            for message_id in write.message_ids:
                self._deleted[write.guild_id, message_id] = True
        elif isinstance(write, Edited):  # the message itself may come later, by catching up, as it was before
            self._edited[write.guild_id, write.message_id] = write
        elif isinstance(write, OffRecord):
            key = write.guild_id, write.message_id
            self._off_record[key] = write.done or self._off_record.get(key, False)
        if self._journal is not None and removal is not None:
            await self._journal.note(removal)
        if not isinstance(write, Deleted):  # ids are small, and a deletion is never left behind
            await self._now.room()
        await self._now.append(write)

    async def accept_again(self, removal: PendingRemoval) -> None:
        """Accept a removal that an earlier process left in the journal. Raises DatabaseUnavailable."""
        if removal.channel_id is None:
            for message_id in removal.message_ids:
                self._deleted[removal.guild_id, message_id] = True
            await self._now.append(Deleted(removal.guild_id, removal.message_ids))
            return
        await self._park_edit(removal.guild_id, removal.channel_id, removal.message_ids)
        if self._journal is not None:
            self._journal.done(removal)

    async def _park_edit(self, guild_id: GuildId, channel_id: ChannelId, message_ids: Collection[MessageId]) -> None:
        """Have messages read again whose new words are not known."""
        try:
            async with self._core.store.database.writing(guild_id) as connection:
                await parked.add(
                    connection,
                    guild_id,
                    at=self._core.clock(),
                    work="edited",
                    reason="the process ended before",
                    channel_id=channel_id,
                    ids=message_ids,
                    retry=True,
                )
        except GuildErased:
            return

    async def flush(self, *, past: bool = True) -> None:
        """Wait until all that was accepted so far is in the database; with `past`, what is caught up on too."""
        await self._now.flush()
        if past:
            await self._past.flush()

    async def close(self, patience: float) -> int:
        """Write what waits, for `patience` seconds at the most; returns how many writes could not be."""
        try:
            async with asyncio.timeout(patience):
                await self.flush()
        except TimeoutError:
            log.error("ingest: stopped with %d writes the database did not take", self.pending)
        tasks = [*self._tasks, *self._following]
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
        return self.pending

    async def _run_past(self) -> None:
        with in_background():
            await self._run(self._past)

    async def _run(self, lane: _Lane) -> None:
        while True:
            batch = await lane.next_batch()
            free = [write for write in batch if _guild(write) not in lane.held]
            held = [write for write in batch if _guild(write) in lane.held]
            held += await self._write(free)
            for write in held:
                self._hold(lane, write)
            await lane.count_done(len(batch) - len(held))

    def _hold(self, lane: _Lane, write: Write) -> None:
        """Let a write wait for its guild, in its order, while those of other guilds go on."""
        guild_id = _guild(write)
        if guild_id in lane.held:
            lane.held[guild_id].append(write)
            return
        lane.held[guild_id] = deque([write])
        task = asyncio.create_task(self._follow(lane, guild_id), name="ingest of a guild")
        self._following.add(task)
        task.add_done_callback(self._following.discard)

    async def _follow(self, lane: _Lane, guild_id: GuildId) -> None:
        """Write what waits for a guild until nothing does."""
        waiting = lane.held[guild_id]
        async with self._may_follow:
            while waiting:
                batch = [waiting.popleft() for _ in range(min(lane.batch, len(waiting)))]
                await self._write(batch, is_patient=True)
                if not waiting:
                    del lane.held[guild_id]
                await lane.count_done(len(batch))

    async def _write(self, batch: Sequence[Write], *, is_patient: bool = False) -> list[Write]:
        """Write `batch`, however long the database is away; of a batch with a bad write, all but that one.

        Where others are in the way in the database, the same batch is written again. Of a guild that was
        erased nothing is written. Returns the writes of guilds that somebody else holds, unless it is patient; it
        raises nothing, as what waits behind must be written too.
        """
        pause, conflicts, began, removed = 0.2, 0, time.perf_counter(), 0
        asked: list[InboxItem] = []
        left: list[Write] = []
        while batch:
            try:
                done, asked, removed = await self._attempt(batch, is_patient=is_patient)
                left += [write for write in batch if _guild(write) not in done]
                batch = [write for write in batch if _guild(write) in done]
                if self._away:
                    log.info("ingest: the database is back")
                    self._away = False
                break
            except DatabaseConflict as conflict:
                conflicts += 1
                log.log(logging.WARNING if conflicts % CONFLICTS == 0 else logging.INFO, "ingest: again (%s)", conflict)
                if conflicts >= CONFLICTS and len(batch) > 1:  # less at a time is less in the way
                    return left + await self._write_halves(batch, is_patient=is_patient)
                await asyncio.sleep(random.uniform(0, 0.05 * 2 ** min(conflicts, 6)))
            except DatabaseUnavailable as away:
                if not self._away:
                    log.warning("ingest: waiting for the database (%s)", away)
                    self._away = True
                await asyncio.sleep(pause)
                pause = min(pause * 2, 5.0)
            except Exception as bad:  # whatever it is, the writes behind it must not wait forever
                if len(batch) > 1:
                    return left + await self._write_halves(batch, is_patient=is_patient)
                asked = await self._park(batch[0], bad)
                break
        for guild_id in self._touched(batch):
            self._core.generations.move(guild_id)
        if self._journal is not None:
            for removal in filter(None, map(_removal, batch)):
                self._journal.done(removal)
        try:
            if batch:
                self._observe(batch, time.perf_counter() - began, removed)
            if asked:
                self.recorded(asked)
        except Exception:  # it is written
            log.exception("ingest: trouble after a batch")
        return left

    async def _attempt(self, batch: Sequence[Write], *, is_patient: bool) -> tuple[set[GuildId], list[InboxItem], int]:
        """Write in one transaction; the guilds it could lock, what is newly asked, how many rows were removed."""
        changed = set[GuildId]()
        guilds = {_guild(write) for write in batch}
        if all(isinstance(write, OffRecord) for write in batch):  # nothing new is told
            async with self._locked(guilds, is_patient=is_patient) as (connection, mine):
                await self._apply(connection, [write for write in batch if _guild(write) in mine], {}, {}, changed)
            return mine, [], 0
        await self._core.suppressions.warm(guilds)
        suppressed = {
            guild_id: await self._core.suppressions.with_subject_names(guild_id) for guild_id in sorted(guilds)
        }
        generations = {guild_id: self._core.generations.current(guild_id) for guild_id in guilds}
        async with self._locked(guilds, is_patient=is_patient) as (connection, mine):
            authors = {write.message.user_id for write in batch if isinstance(write, Written)}
            rules = await policies(connection, mine, authors) if mine else {}
            there = {guild_id for guild_id, rule in rules.items() if not rule.is_erased}
            for guild_id in there:
                if suppressed[guild_id][0].version != rules[guild_id].version:  # it was looked at before that
                    self._core.suppressions.drop(guild_id)
                    raise DatabaseConflict("something was forgotten meanwhile")
            wanted = [write for write in batch if _guild(write) in there]
            asked, removed, named = list[InboxItem](), 0, list[Member]()
            if wanted:
                asked, removed, named = await self._apply(connection, wanted, suppressed, rules, changed)
        for member in named:
            self._named.save_if_current(generations[member.guild_id], _names(member), member.guild_id, member.user_id)
        for guild_id in changed:  # other processes hear of it; here no text has the old names from now on
            self._core.generations.move(guild_id)
        return mine, asked, removed

    @asynccontextmanager
    async def _locked(
        self, guilds: set[GuildId], *, is_patient: bool
    ) -> AsyncIterator[tuple[Connection, set[GuildId]]]:
        """A transaction that alone writes to guilds: to all of them, or to those that nobody else holds."""
        database = self._core.store.database
        if not is_patient:
            async with database.writing_free(guilds) as held:
                yield held
            return
        async with database.transaction() as connection:
            for guild_id in sorted(guilds):
                await lock_guild(connection, guild_id, erased=True)
            yield connection, guilds

    def _observe(self, batch: Sequence[Write], seconds: float, removed: int) -> None:
        live = [w.message.timestamp for w in batch if isinstance(w, Written) and w.advances_read_position]
        lag = (self._core.clock() - min(live)).total_seconds() if live else 0.0
        self._core.observer.batch_written(
            BatchWritten(writes=len(batch), seconds=seconds, lag=max(lag, 0.0), removed=removed)
        )

    async def _write_halves(self, batch: Sequence[Write], *, is_patient: bool) -> list[Write]:
        middle = len(batch) // 2
        left = await self._write(batch[:middle], is_patient=is_patient)
        held = {_guild(write) for write in left}  # in their order: what follows waits with them
        rest = [write for write in batch[middle:] if _guild(write) not in held]
        behind = [write for write in batch[middle:] if _guild(write) in held]
        return left + behind + await self._write(rest, is_patient=is_patient)

    async def _park(self, write: Write, bad: Exception) -> list[InboxItem]:
        """Leave a write to the operator, once its words are removed where it is a deletion or an edit.

        Returns what it asked of the bot, which is recorded all the same.
        """
        work, reason = type(write).__name__.lower(), type(bad).__name__
        log.error("ingest: a %s cannot be stored, and is parked: %s", work, reason)
        ids: tuple[MessageId, ...] = ()
        channel_id: ChannelId | None = None
        asked = write.asked if isinstance(write, Written | Edited) else None
        match write:
            case Written():
                ids, channel_id = (write.message.message_id,), write.message.channel_id
            case Edited():
                ids, channel_id = (write.message_id,), write.channel_id
            case OffRecord() | Extended():
                ids = (write.message_id,)
            case Deleted():
                ids = write.message_ids
            case CaughtUp():
                channel_id = write.channel_id
        guild_id, failed, removes = _guild(write), 0, isinstance(write, Deleted | Edited)
        while True:
            try:
                async with self._core.store.database.writing(guild_id) as connection:
                    left_in = await words_removed(connection, guild_id, ids) if removes else []
                    if left_in:  # it is tried again by itself, until the words are gone
                        reason = f"{reason}; words are left in {', '.join(left_in)}"
                    if asked is not None:
                        await inbox.record(connection, [asked])
                    await parked.add(
                        connection,
                        guild_id,
                        at=self._core.clock(),
                        work=work,
                        reason=reason,
                        channel_id=channel_id,
                        ids=ids,
                        retry=bool(left_in),
                    )
                return [asked] if asked is not None else []
            except GuildErased:
                return []
            except DatabaseUnavailable:
                await asyncio.sleep(1)
            except Exception as worse:
                failed += 1
                if failed >= CONFLICTS:
                    log.exception("ingest: a %s cannot even be parked", work)
                    return []
                log.error("ingest: a %s could not be parked yet: %s", work, type(worse).__name__)
                await asyncio.sleep(0.2 * failed)

    def _touched(self, writes: Sequence[Write]) -> set[GuildId]:
        """The guilds whose past these writes change: by an edit, a deletion, or a message that comes late."""
        late = self._core.clock() - LATE_MESSAGE_AGE
        return {
            _guild(write)
            for write in writes
            if isinstance(write, Edited | Deleted) or (isinstance(write, Written) and write.message.timestamp < late)
        }

    async def _apply(
        self,
        connection: Connection,
        batch: Sequence[Write],
        suppressed: Mapping[GuildId, tuple[Suppressed, Mapping[UserId, Collection[str]]]],
        rules: Mapping[GuildId, Policy],
        changed: set[GuildId],
    ) -> tuple[list[InboxItem], int, list[Member]]:
        """Write a batch; returns what it newly asks of the bot, how many rows it removed, and whose names it stored.

        The guilds whose texts are others now, by names or by what stands beside words, are added to `changed`.
        """
        removed, named = 0, list[Member]()
        for kind, run in groupby(batch, type):
            writes = list(run)
            if kind is Written:
                written = [
                    w
                    for w in writes
                    if isinstance(w, Written) and (w.message.guild_id, w.message.message_id) not in self._deleted
                ]
                if written:
                    orders = {w.asked.key[:2] for w in written if w.asked is not None and w.asked.is_order}
                    kept = table.kept((w.message for w in written), rules)
                    gone = await map_yielding(kept, lambda m: is_forgotten(m, *suppressed[m.guild_id]))
                    kept = [m for m, is_gone in zip(kept, gone, strict=True) if not is_gone]
                    members = {(w.member.guild_id, w.member.user_id): w.member for w in written}.values()
                    kept = await self._addressees.find(connection, kept, members)
                    await table.insert(connection, kept)
                    named += await self._name(connection, written, rules, changed)
                    for m in kept:
                        if (edited := self._edited.get((m.guild_id, m.message_id))) is not None:
                            await self._edit(connection, edited)
                        if (done := self._off_record.get((m.guild_id, m.message_id))) is not None:
                            await table.set_off_record(connection, m.guild_id, m.message_id, done=done)
                        if (m.guild_id, m.message_id) in orders:
                            await table.set_off_record(connection, m.guild_id, m.message_id, done=False)
                    for guild_id in self._touched(written):
                        await notify(connection, guild_id)
                continue
            for write in writes:
                if isinstance(write, Edited):
                    await self._edit(connection, write)
                elif isinstance(write, Extended):
                    if await table.extend(
                        connection, write.guild_id, write.message_id, write.text, write.edited_at, write.files
                    ):
                        await notify(connection, write.guild_id)
                        changed.add(write.guild_id)
                elif isinstance(write, Deleted):
                    removed += (await forgotten(connection, write.guild_id, messages=write.message_ids)).total()
                elif isinstance(write, OffRecord):
                    await table.set_off_record(connection, write.guild_id, write.message_id, done=write.done)
        await table.advance(connection, _cursors(batch))
        asked = [w.asked for w in batch if isinstance(w, Written | Edited) and w.asked is not None]
        new = await inbox.record(connection, [a for a in asked if a.key[:2] not in self._deleted])
        return new, removed, named

    async def _edit(self, connection: Connection, edited: Edited) -> None:
        guild_id, message_id = edited.guild_id, edited.message_id
        addressees = await self._addressees.of_edit(connection, guild_id, message_id, edited.text)
        await table.edit(connection, guild_id, message_id, edited.text, edited.edited_at, addressees, edited.files)

    async def _name(
        self, connection: Connection, written: Sequence[Written], rules: Mapping[GuildId, Policy], changed: set[GuildId]
    ) -> list[Member]:
        """Store the names of authors that changed, and return whose; those who opted out have none stored."""
        seen = [
            (w.member, w.message.timestamp)
            for w in written
            if rules[w.message.guild_id].reads(w.message.channel_id)
            and self._named.get(w.member.guild_id, w.member.user_id) != _names(w.member)
        ]
        changed |= await people.update_names(connection, seen, seen=True)
        return [member for member, _ in seen]


def _names(member: Member) -> tuple[str | None, ...]:
    return member.display_name, member.global_name, member.username, member.author_kind.value


def _cursors(batch: Sequence[Write]) -> list[tuple[GuildId, ChannelId, MessageId]]:
    """(guild, channel, message) up to which nothing is missed, once a batch is written."""
    found = []
    for write in batch:
        if isinstance(write, Written) and write.advances_read_position:
            found.append((write.message.guild_id, write.message.channel_id, write.message.message_id))
        elif isinstance(write, CaughtUp):
            found.append((write.guild_id, write.channel_id, write.message_id))
    return found


def _removal(write: Write) -> PendingRemoval | None:
    """The words that go by a write."""
    if isinstance(write, Deleted):
        return PendingRemoval(write.guild_id, None, write.message_ids)
    if isinstance(write, Edited):
        return PendingRemoval(write.guild_id, write.channel_id or ChannelId(0), (write.message_id,))
    return None


def _is_awaited(write: Write) -> bool:
    """Whether somebody waits for an answer to a write."""
    return isinstance(write, Written | Edited) and write.asked is not None


def _guild(write: Write) -> GuildId:
    return write.message.guild_id if isinstance(write, Written) else write.guild_id


def is_forgotten(message: Message, suppressed: Suppressed, forgotten_of: Mapping[UserId, Collection[str]]) -> bool:
    """Whether an imported or late message tells something that was forgotten after it was written."""
    subjects = concerned(message.text, message.user_id, forgotten_of)
    return suppressed.tells(message.text, subjects, before=message.timestamp)
