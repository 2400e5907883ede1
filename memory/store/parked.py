"""parked: work that a defect keeps from being done, until the operator has it tried again or drops it."""

from __future__ import annotations

from collections.abc import Collection
from datetime import datetime

import asyncpg

from memory.ids import ChannelId, GuildId
from memory.records import Parked
from memory.store.database import Connection, Tables


def _parked(row: asyncpg.Record) -> Parked:
    return Parked(
        guild_id=row["guild_id"],
        parked_id=row["parked_id"],
        at=row["at"],
        work=row["work"],
        channel_id=row["channel_id"],
        ids=tuple(row["ids"]),
        reason=row["reason"],
    )


async def add(
    connection: Connection,
    guild_id: GuildId,
    *,
    at: datetime,
    work: str,
    reason: str,
    channel_id: ChannelId | None = None,
    ids: Collection[int] = (),
    retry: bool = False,
) -> None:
    """Park work on messages or entries; `reason` names the error and holds no words of people.

    With `retry` it is tried again without being asked for.
    """
    await connection.execute(
        "INSERT INTO parked (guild_id, at, work, reason, channel_id, ids, retry) VALUES ($1, $2, $3, $4, $5, $6, $7)",
        guild_id,
        at,
        work,
        reason,
        channel_id,
        list(ids),
        retry,
    )


class ParkedStore(Tables):
    """Parked work, a guild's or all."""

    async def list_for(self, guild_ids: Collection[GuildId]) -> list[Parked]:
        """What is parked of guilds, oldest first."""
        async with self._db.connection() as connection:
            rows = await connection.fetch(
                "SELECT * FROM parked WHERE guild_id = ANY($1) ORDER BY parked_id", list(guild_ids)
            )
        return [_parked(row) for row in rows]

    async def ask_for_retry(self, guild_ids: Collection[GuildId]) -> int:
        """Have what is parked of guilds tried again by the process that runs them; returns how much that is."""
        async with self._db.connection() as connection:
            done = await connection.execute("UPDATE parked SET retry = true WHERE guild_id = ANY($1)", list(guild_ids))
        return int(done.split()[-1])

    async def to_retry(self, guild_ids: Collection[GuildId]) -> list[Parked]:
        """What is to be tried again of guilds, oldest first."""
        async with self._db.connection() as connection:
            rows = await connection.fetch(
                "SELECT * FROM parked WHERE guild_id = ANY($1) AND retry ORDER BY parked_id", list(guild_ids)
            )
        return [_parked(row) for row in rows]

    async def remove(self, parked: Parked) -> None:
        """Note that something was tried again; where it failed, it is parked anew."""
        async with self._db.connection() as connection:
            await connection.execute(
                "DELETE FROM parked WHERE guild_id = $1 AND parked_id = $2", parked.guild_id, parked.parked_id
            )

    async def drop(self, guild_ids: Collection[GuildId]) -> int:
        """Let go of what is parked of guilds; returns how much that was."""
        async with self._db.connection() as connection:
            done = await connection.execute("DELETE FROM parked WHERE guild_id = ANY($1)", list(guild_ids))
        return int(done.split()[-1])
