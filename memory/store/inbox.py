"""inbox: what the bot was asked, from the transaction that stores it until it is done and answered."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from datetime import datetime

import asyncpg

from memory.ids import ALL_GUILDS, ChannelId, GuildId, MessageId
from memory.records import EarlierOrder, InboxItem, InboxKind, InboxState, InboxWork
from memory.store import parked
from memory.store.database import Connection, Tables

OPEN = "state IN ('waiting', 'executed')"
"""What is still to be done or answered."""


"""The guild_id of direct messages."""

EARLIER_ORDER_SQL = """
SELECT true FROM inbox WHERE guild_id = $1 AND trigger_id < $2 AND is_order AND state = 'waiting' LIMIT 1
"""
"""Whether an order of a guild waits that was given before another."""

_work: ContextVar[InboxWork | None] = ContextVar("inbox_work", default=None)


@contextmanager
def working(entry: InboxItem) -> Iterator[InboxWork]:
    """Let whatever is changed inside count as what the entry asked for."""
    work = InboxWork(entry, is_executed=entry.state is InboxState.EXECUTED)
    token = _work.set(work)
    try:
        yield work
    finally:
        _work.reset(token)


async def executed(connection: Connection, guild_id: GuildId) -> None:
    """Note, in the transaction that carries it out, that the order that is being worked on is carried out."""
    work = _work.get()
    if work is None or work.entry.guild_id != guild_id:
        return
    await connection.execute(
        f"""
        UPDATE inbox SET state = 'executed'
        WHERE guild_id = $1 AND trigger_id = $2 AND kind = $3 AND {OPEN} AND at <= $4
        """,
        *_key(work.entry),
        work.entry.at,
    )
    work.is_executed = True


def _key(entry: InboxItem) -> tuple[int, int, str]:
    return entry.guild_id, entry.trigger_id, entry.kind.value


def _entry(row: asyncpg.Record) -> InboxItem:
    return InboxItem(
        guild_id=row["guild_id"],
        trigger_id=row["trigger_id"],
        kind=InboxKind(row["kind"]),
        channel_id=row["channel_id"],
        user_id=row["user_id"],
        at=row["at"],
        is_order=row["is_order"],
        state=InboxState(row["state"]),
        attempts=row["attempts"],
        payload=row["payload"],
    )


async def record(connection: Connection, entries: Iterable[InboxItem]) -> list[InboxItem]:
    """Record entries, each once; an edit again where it is a later one. Returns the new ones."""
    listed = list(entries)
    if not listed:
        return []
    rows = await connection.fetch(
        """
        INSERT INTO inbox AS known (guild_id, trigger_id, kind, channel_id, user_id, at, is_order, payload)
        SELECT * FROM unnest($1::bigint[], $2::bigint[], $3::text[], $4::bigint[], $5::bigint[], $6::timestamptz[],
                             $7::boolean[], $8::jsonb[])
        ON CONFLICT (guild_id, trigger_id, kind) DO UPDATE
            SET state = 'waiting', at = excluded.at, is_order = excluded.is_order, user_id = excluded.user_id,
                worker = NULL, attempts = 0
            WHERE excluded.kind = 'edit' AND known.at < excluded.at
        RETURNING guild_id, trigger_id, kind
        """,
        [e.guild_id for e in listed],
        [e.trigger_id for e in listed],
        [e.kind.value for e in listed],
        [e.channel_id for e in listed],
        [e.user_id for e in listed],
        [e.at for e in listed],
        [e.is_order for e in listed],
        [e.payload for e in listed],
    )
    new = {(row["guild_id"], row["trigger_id"], row["kind"]) for row in rows}
    return [entry for entry in listed if _key(entry) in new]


async def finish(connection: Connection, entry: InboxItem) -> None:
    """Note that an entry is done and answered: nothing of it is kept but its number. A later edit stays open."""
    await connection.execute(
        """
        UPDATE inbox SET state = 'done', user_id = 0, payload = NULL, worker = NULL
        WHERE guild_id = $1 AND trigger_id = $2 AND kind = $3 AND at <= $4
        """,
        *_key(entry),
        entry.at,
    )


class InboxStore(Tables):
    """Reads and single writes of the inbox."""

    async def record(self, entry: InboxItem) -> bool:
        """Record what comes without a message to store; whether it is new."""
        async with self._db.writing(entry.guild_id) as connection:
            return bool(await record(connection, [entry]))

    async def claim(self, entry: InboxItem, worker: int, instead_of: int | None = None) -> InboxItem | None:
        """Take an entry on for a process, unless it is done or any other than `instead_of` works on it.

        Each process that takes it on counts as an attempt. Raises EarlierOrder where an order of the guild that was
        given before is not carried out yet, by whichever process; and Fenced.
        """
        async with self._db.transaction() as connection:
            if entry.is_order and await connection.fetchval(EARLIER_ORDER_SQL, entry.guild_id, entry.trigger_id):
                raise EarlierOrder
            row = await connection.fetchrow(
                f"""
                UPDATE inbox SET worker = $4, attempts = attempts + (worker IS DISTINCT FROM $4)::integer
                WHERE guild_id = $1 AND trigger_id = $2 AND kind = $3 AND {OPEN}
                  AND (worker IS NULL OR worker = $4 OR worker = $5)
                RETURNING *
                """,
                *_key(entry),
                worker,
                instead_of,
            )
        return None if row is None else _entry(row)

    async def is_taken_by(self, entry: InboxItem, worker: int) -> bool:
        """Whether a process works on an entry still, which is not done. Raises Fenced."""
        async with self._db.transaction() as connection:
            return bool(
                await connection.fetchval(
                    f"""
                    SELECT true FROM inbox WHERE guild_id = $1 AND trigger_id = $2 AND kind = $3 AND worker = $4
                      AND {OPEN}
                    """,
                    *_key(entry),
                    worker,
                )
            )

    async def worker(self, entry: InboxItem) -> int | None:
        """The process that works on an entry, or that did when it died."""
        async with self._db.connection() as connection:
            found: int | None = await connection.fetchval(
                "SELECT worker FROM inbox WHERE guild_id = $1 AND trigger_id = $2 AND kind = $3", *_key(entry)
            )
        return found

    async def state(self, entry: InboxItem) -> InboxState | None:
        """How far an entry got; None where it is not recorded."""
        async with self._db.connection() as connection:
            found = await connection.fetchval(
                "SELECT state FROM inbox WHERE guild_id = $1 AND trigger_id = $2 AND kind = $3", *_key(entry)
            )
        return None if found is None else InboxState(found)

    async def finish(self, entry: InboxItem) -> None:
        """Note that an entry is done and answered: nothing of it is kept but its number. Raises Fenced."""
        async with self._db.transaction() as connection:
            await finish(connection, entry)

    async def drop(self, entry: InboxItem) -> None:
        """Let go of an entry, so that it may be asked again."""
        async with self._db.connection() as connection:
            await connection.execute(
                "DELETE FROM inbox WHERE guild_id = $1 AND trigger_id = $2 AND kind = $3", *_key(entry)
            )

    async def park(self, entry: InboxItem, now: datetime, reason: str) -> None:
        """Leave an entry to the operator; `reason` names the error."""
        async with self._db.writing(entry.guild_id) as connection:
            await connection.execute(
                "UPDATE inbox SET state = 'parked', worker = NULL"
                " WHERE guild_id = $1 AND trigger_id = $2 AND kind = $3",
                *_key(entry),
            )
            await parked.add(
                connection,
                entry.guild_id,
                at=now,
                work=f"inbox {entry.kind.value}",
                reason=reason,
                channel_id=entry.channel_id,
                ids=[entry.trigger_id],
            )

    async def reopen(self, guild_id: GuildId, trigger_ids: Collection[MessageId]) -> None:
        """Let parked entries be tried again."""
        async with self._db.connection() as connection:
            await connection.execute(
                """
                UPDATE inbox SET state = 'waiting', attempts = 0
                WHERE guild_id = $1 AND trigger_id = ANY($2) AND state = 'parked'
                """,
                guild_id,
                list(trigger_ids),
            )

    async def open(self, guild_ids: Collection[GuildId]) -> list[InboxItem]:
        """What is still to be done in guilds, in the order in which it was asked."""
        async with self._db.connection() as connection:
            rows = await connection.fetch(
                f"SELECT * FROM inbox WHERE guild_id = ANY($1) AND {OPEN} ORDER BY trigger_id", list(guild_ids)
            )
        return [_entry(row) for row in rows]

    async def direct(self) -> dict[ChannelId, MessageId]:
        """The channels of direct messages that are known, each with the last message that was taken on there."""
        async with self._db.connection() as connection:
            rows = await connection.fetch(
                """
                SELECT channel_id, max(trigger_id) AS last FROM inbox WHERE guild_id = $1 AND kind = $2
                GROUP BY channel_id
                """,
                ALL_GUILDS,
                InboxKind.MESSAGE.value,
            )
        return {row["channel_id"]: row["last"] for row in rows}

    async def last(self, entry: InboxItem) -> datetime | None:
        """When another entry of the same kind was last taken up in the same channel."""
        async with self._db.connection() as connection:
            found: datetime | None = await connection.fetchval(
                """
                SELECT max(at) FROM inbox
                WHERE guild_id = $1 AND channel_id = $4 AND kind = $3 AND trigger_id <> $2
                """,
                *_key(entry),
                entry.channel_id,
            )
        return found

    async def purge(self, guild_id: GuildId, before: datetime) -> None:
        """Drop what is done and was asked before `before`."""
        async with self._db.connection() as connection:
            await connection.execute(
                "DELETE FROM inbox WHERE guild_id = $1 AND at < $2 AND state = 'done'", guild_id, before
            )
