"""audit: who changed what and when, in numbers; what was taken away, sealed for Undo."""

from __future__ import annotations

from collections.abc import Collection
from datetime import datetime
from typing import Any

import asyncpg

from memory.ids import GuildId, MessageId, UserId
from memory.records import Change
from memory.store import inbox
from memory.store.database import CHANNEL, Connection, Tables


def _change(row: asyncpg.Record) -> Change:
    return Change(
        guild_id=row["guild_id"],
        entry_id=row["entry_id"],
        at=row["at"],
        actor_id=row["actor_id"],
        action=row["action"],
        user_id=row["user_id"],
        fact_ids=tuple(row["fact_ids"]),
        details=row["details"],
        administrative=row["administrative"],
        undo_until=row["undo_until"],
        undone_at=row["undone_at"],
    )


async def note(
    connection: Connection,
    guild_id: GuildId,
    *,
    at: datetime,
    actor_id: UserId,
    action: str,
    user_id: UserId | None = None,
    fact_ids: Collection[int] = (),
    details: dict[str, Any] | None = None,
    administrative: bool = False,
    sealed: bytes | None = None,
    sealed_messages: Collection[MessageId] = (),
    sealed_ids: Collection[int] = (),
    undo_until: datetime | None = None,
) -> int:
    """Write a line, and tell every process at commit what changed; returns its number.

    `details` are numbers and ids, never words of people.
    """
    is_change = action not in ("pending", "look")  # what waits for a confirmation is not carried out
    found = await connection.fetchval(
        """
        WITH entry AS (
            INSERT INTO audit (guild_id, at, actor_id, action, user_id, fact_ids, details, administrative, sealed,
                               sealed_messages, sealed_ids, undo_until)
            VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12) RETURNING entry_id)
        SELECT entry_id, CASE WHEN $13 THEN pg_notify($14, $1::text) END FROM entry
        """,
        guild_id,
        at,
        actor_id,
        action,
        user_id,
        list(fact_ids),
        details or {},
        administrative,
        sealed,
        list(sealed_messages),
        list(sealed_ids),
        undo_until,
        is_change,
        CHANNEL,
    )
    if is_change:
        await inbox.executed(connection, guild_id)
    return int(found)


async def claim_undo(
    connection: Connection, guild_id: GuildId, entry_id: int, now: datetime
) -> tuple[Change, bytes | None] | None:
    """An entry that can still be undone, with what is sealed of it, locked against a second undo."""
    row = await connection.fetchrow(
        """
        SELECT * FROM audit
        WHERE guild_id = $1 AND entry_id = $2 AND undone_at IS NULL AND undo_until >= $3 FOR UPDATE
        """,
        guild_id,
        entry_id,
        now,
    )
    return None if row is None else (_change(row), row["sealed"])


async def undone(connection: Connection, guild_id: GuildId, entry_id: int, now: datetime) -> None:
    """Mark an entry as undone; nothing is sealed of it any more."""
    await connection.execute(
        "UPDATE audit SET undone_at = $3, sealed = NULL, undo_until = NULL WHERE guild_id = $1 AND entry_id = $2",
        guild_id,
        entry_id,
        now,
    )


class AuditStore(Tables):
    """Reads of the audit."""

    async def note(self, guild_id: GuildId, **line: Any) -> int:
        """Write a line by itself."""
        async with self._db.writing(guild_id) as connection:
            return await note(connection, guild_id, **line)

    async def add(self, guild_id: GuildId, entry_id: int, details: dict[str, Any]) -> None:
        """Add to an entry's details."""
        async with self._db.connection() as connection:
            await connection.execute(
                "UPDATE audit SET details = details || $3 WHERE guild_id = $1 AND entry_id = $2",
                guild_id,
                entry_id,
                details,
            )

    async def take_pending(self, guild_id: GuildId, entry_id: int, actor_id: UserId, now: datetime) -> bytes | None:
        """What was sealed for somebody to confirm, once."""
        async with self._db.transaction() as connection:
            found = await claim_undo(connection, guild_id, entry_id, now)
            if found is None or found[0].action != "pending" or found[0].actor_id != actor_id:
                return None
            await undone(connection, guild_id, entry_id, now)
        return found[1]

    async def get(self, guild_id: GuildId, entry_id: int) -> Change | None:
        """One entry."""
        async with self._db.connection() as connection:
            row = await connection.fetchrow(
                "SELECT * FROM audit WHERE guild_id = $1 AND entry_id = $2", guild_id, entry_id
            )
        return None if row is None else _change(row)

    async def list(
        self,
        guild_id: GuildId,
        *,
        user_id: UserId | None = None,
        administrative: bool | None = None,
        limit: int,
        skip: int,
    ) -> list[Change]:
        """Entries about a member, or a guild's, newest first."""
        async with self._db.connection() as connection:
            rows = await connection.fetch(
                """
                SELECT * FROM audit
                WHERE guild_id = $1 AND ($2::bigint IS NULL OR user_id = $2)
                  AND ($3::boolean IS NULL OR administrative = $3)
                ORDER BY entry_id DESC LIMIT $4 OFFSET $5
                """,
                guild_id,
                user_id,
                administrative,
                limit,
                skip,
            )
        return [_change(row) for row in rows]

    async def purge(self, guild_id: GuildId, now: datetime, before: datetime) -> None:
        """Let go of what was sealed for an Undo whose time is over, and of entries older than `before`."""
        async with self._db.connection() as connection:
            await connection.execute(
                """
                UPDATE audit SET sealed = NULL, undo_until = NULL
                WHERE guild_id = $1 AND undo_until < $2
                """,
                guild_id,
                now,
            )
            await connection.execute("DELETE FROM audit WHERE guild_id = $1 AND at < $2", guild_id, before)
