"""page_access: links to members' pages, and their sessions; of both only hashes."""

from __future__ import annotations

from datetime import datetime

import asyncpg

from memory.ids import GuildId, UserId
from memory.records import PageAccess
from memory.store.database import Tables


def _access(row: asyncpg.Record | None) -> PageAccess | None:
    if row is None:
        return None
    return PageAccess(
        guild_id=row["guild_id"], user_id=row["user_id"], language=row["language"], expires_at=row["expires_at"]
    )


class AccessStore(Tables):
    """Writes and reads of links and sessions."""

    async def add(self, token: bytes, access: PageAccess, kind: str) -> None:
        """Store a link or a session by its hash. Raises GuildErased."""
        async with self._db.writing(access.guild_id) as connection:
            await connection.execute(
                """
                INSERT INTO page_access (guild_id, hash, kind, user_id, language, expires_at)
                VALUES ($1, $2, $6, $3, $4, $5) ON CONFLICT DO NOTHING
                """,
                access.guild_id,
                token,
                access.user_id,
                access.language,
                access.expires_at,
                kind,
            )

    async def get(self, guild_id: GuildId, token: bytes, kind: str, now: datetime) -> PageAccess | None:
        """What a link or a session opens. None if it is unknown or has expired."""
        async with self._db.connection() as connection:
            return _access(
                await connection.fetchrow(
                    """
                    SELECT * FROM page_access WHERE guild_id = $1 AND hash = $2 AND kind = $3 AND expires_at > $4
                    """,
                    guild_id,
                    token,
                    kind,
                    now,
                )
            )

    async def exchange(
        self, guild_id: GuildId, token: bytes, session: bytes, until: datetime, now: datetime
    ) -> PageAccess | None:
        """Delete a link, and store a session in its place. None if the link is unknown, used or expired."""
        async with self._db.transaction() as connection:
            return _access(
                await connection.fetchrow(
                    """
                    WITH used AS (
                        DELETE FROM page_access WHERE guild_id = $1 AND hash = $2 AND kind = 'link' RETURNING *)
                    INSERT INTO page_access (guild_id, hash, kind, user_id, language, expires_at)
                    SELECT guild_id, $3, 'session', user_id, language, $4 FROM used WHERE expires_at > $5 RETURNING *
                    """,
                    guild_id,
                    token,
                    session,
                    until,
                    now,
                )
            )

    async def end(self, guild_id: GuildId, session: bytes) -> None:
        """Delete one session."""
        async with self._db.transaction() as connection:
            await connection.execute("DELETE FROM page_access WHERE guild_id = $1 AND hash = $2", guild_id, session)

    async def end_all(self, guild_id: GuildId, user_id: UserId) -> int:
        """Delete all links and sessions of a member. Returns how many there were."""
        async with self._db.transaction() as connection:
            rows = await connection.fetch(
                "DELETE FROM page_access WHERE guild_id = $1 AND user_id = $2 RETURNING hash", guild_id, user_id
            )
        return len(rows)

    async def purge(self, guild_id: GuildId, now: datetime) -> None:
        """Delete what has expired."""
        async with self._db.transaction() as connection:
            await connection.execute("DELETE FROM page_access WHERE guild_id = $1 AND expires_at <= $2", guild_id, now)
