"""processes and shards: which processes live, which shards they run, and until when nothing is missing of each.

The row of a process is its leave to write: who takes over from it takes the row away. Whether one lives, and what is
free, goes by the database's time.
"""

from __future__ import annotations

from collections.abc import Collection
from contextlib import suppress
from datetime import datetime, timedelta

import asyncpg

from memory.store.database import Connection, Tables

BOT = 0
"""The guild_id of what belongs to the bot itself."""

DEAD_AFTER = timedelta(seconds=10)
"""How long a process is taken for alive after its last sign of life."""


TAKEOVER_MOMENT = """
least(now(), (SELECT own.alive_at + interval '4 seconds' FROM processes AS own
              WHERE own.guild_id = $1 AND own.process_id = $3)) - $2::interval
"""
"""The moment since which a process must have given a sign of life: where this one could give none either, because the
database was away, the others have as long as it had."""


class ProcessStore(Tables):
    """Signs of life."""

    async def enter(self, process_id: int) -> None:
        """Begin to live: from now on the database takes what this process writes, until another takes over from it."""
        async with self._db.connection() as connection:
            await connection.execute(
                "INSERT INTO processes (guild_id, process_id, started_at, alive_at) VALUES ($1, $2, now(), now())",
                BOT,
                process_id,
            )
        self._db.lease = process_id

    async def beat(self, process_id: int) -> datetime:
        """Give a sign of life, and take over from processes that give none; the database's time. Raises Fenced."""
        async with self._db.connection() as connection:
            silent = await connection.fetch(
                f"SELECT process_id FROM processes WHERE guild_id = $1 AND alive_at <= {TAKEOVER_MOMENT}",
                BOT,
                DEAD_AFTER,
                process_id,
            )
            now: datetime | None = await connection.fetchval(
                "UPDATE processes SET alive_at = now() WHERE guild_id = $1 AND process_id = $2 RETURNING alive_at",
                BOT,
                process_id,
            )
            if now is None:
                self._db.fence()
        if others := [row["process_id"] for row in silent if row["process_id"] != process_id]:
            await self.fence(others)
        return now

    async def fence(self, process_ids: Collection[int]) -> None:
        """Take over from processes that are silent: the database takes nothing more of them, should they wake."""
        async with self._db.transaction() as connection:
            await _fence(connection, process_ids)

    async def leave(self, process_id: int) -> None:
        """Note that a process ended in order: what it worked on is free, its shards are too."""
        async with self._db.transaction() as connection:
            await connection.execute("DELETE FROM processes WHERE guild_id = $1 AND process_id = $2", BOT, process_id)
            await connection.execute(
                "UPDATE shards SET process_id = NULL WHERE guild_id = $1 AND process_id = $2", BOT, process_id
            )

    async def alive(self) -> frozenset[int]:
        """The processes that gave a sign of life lately and whose connections to the database are open.

        A process that was killed is known at once by its connections, where no pooler stands between and the server
        did not just start.
        """
        async with self._db.connection() as connection:
            rows = await connection.fetch(
                f"SELECT process_id FROM processes WHERE guild_id = $1 AND alive_at > {TAKEOVER_MOMENT}",
                BOT,
                DEAD_AFTER,
                self._db.lease,
            )
            names = await connection.fetch(
                """
                SELECT DISTINCT application_name FROM pg_stat_activity
                WHERE pg_postmaster_start_time() < now() - $1::interval
                """,
                DEAD_AFTER,
            )
        connected = {row["application_name"] for row in names}
        lately = frozenset(row["process_id"] for row in rows)
        if not self._db.name or self._db.name not in connected:
            return lately
        return frozenset(process for process in lately if application_name(process) in connected)

    # Shards

    async def connected(self, shard_count: int, shard_ids: Collection[int], whole_at: datetime) -> None:
        """Note that shards are connected, and that nothing is missing of them until a moment. Raises Fenced."""
        await self._note(shard_count, shard_ids, whole_at, "greatest(shards.whole_at, excluded.whole_at)")

    async def begun(self, shard_count: int, shard_ids: Collection[int], now: datetime) -> None:
        """Note that shards are connected, and since when something can be missing, where that is not known yet."""
        await self._note(shard_count, shard_ids, now, "coalesce(shards.whole_at, excluded.whole_at)")

    async def _note(self, shard_count: int, shard_ids: Collection[int], whole_at: datetime, whole: str) -> None:
        async with self._db.transaction() as connection:
            await connection.execute(
                f"""
                INSERT INTO shards (guild_id, shard_count, shard_id, alive_at, whole_at)
                SELECT $1, $2, shard, now(), $4 FROM unnest($3::integer[]) AS shard
                ON CONFLICT (guild_id, shard_count, shard_id) DO UPDATE
                    SET alive_at = excluded.alive_at, whole_at = {whole}
                """,
                BOT,
                shard_count,
                sorted(shard_ids),
                whole_at,
            )

    async def whole_until(self) -> dict[tuple[int, int], datetime]:
        """Until when nothing is missing of each shard, by (number of shards, shard)."""
        async with self._db.connection() as connection:
            rows = await connection.fetch(
                "SELECT shard_count, shard_id, whole_at FROM shards WHERE guild_id = $1 AND whole_at IS NOT NULL", BOT
            )
        return {(row["shard_count"], row["shard_id"]): row["whole_at"] for row in rows}

    async def claim(
        self, process_id: int, shard_count: int, most: int, alive: Collection[int], idle: timedelta
    ) -> list[int]:
        """Claim shards that no living process has, and that nobody was connected with for `idle`.

        Fences the previous owners. Returns the shards of this process now, `most` of them at the most.
        """
        async with self._db.transaction() as connection:
            await connection.execute(
                """
                INSERT INTO shards (guild_id, shard_count, shard_id, claimed_at)
                SELECT $1, $2, shard, now() FROM generate_series(0, $2 - 1) AS shard ON CONFLICT DO NOTHING
                """,  # others that start beside this one have their time to come
                BOT,
                shard_count,
            )
            rows = await connection.fetch(
                """
                SELECT shard_id, process_id FROM shards WHERE guild_id = $1 AND shard_count = $2
                  AND (process_id = $3 OR ((process_id IS NULL OR process_id <> ALL($4))
                         AND coalesce(greatest(alive_at, claimed_at), '-infinity') <= now() - $5::interval))
                ORDER BY process_id = $3 DESC NULLS LAST, shard_id FOR UPDATE
                """,
                BOT,
                shard_count,
                process_id,
                list(alive),
                idle,
            )
            mine = {row["shard_id"]: row["process_id"] for row in rows[:most]}
            await connection.execute(
                """
                UPDATE shards SET process_id = $3, claimed_at = now()
                WHERE guild_id = $1 AND shard_count = $2 AND shard_id = ANY($4) AND process_id IS DISTINCT FROM $3
                """,
                BOT,
                shard_count,
                process_id,
                list(mine),
            )
            await _fence(connection, {owner for owner in mine.values() if owner not in (None, process_id)})
        return list(mine)

    # Work that one process does for all

    async def is_due(self, name: str, every: timedelta, now: datetime) -> bool:
        """Take on scheduled work, unless any process did within `every`."""
        async with self._db.connection() as connection:
            row = await connection.fetchval(
                """
                INSERT INTO bot_state AS known (guild_id, name, value) VALUES ($1, $2, $3)
                ON CONFLICT (guild_id, name) DO UPDATE SET value = excluded.value
                    WHERE known.value::timestamptz <= $4
                RETURNING true
                """,
                BOT,
                f"scheduled {name}",
                now.isoformat(),
                now - every,
            )
        return row is not None


def application_name(process_id: int) -> str:
    """The name under which a process's connections to the database are known."""
    return f"urmom-bot {process_id:x}"


async def _fence(connection: Connection, process_ids: Collection[int]) -> None:
    """Close the connections of processes, and delete the rows that let them write."""
    if not process_ids:
        return
    await connection.execute("SET LOCAL lock_timeout = '3s'")
    with suppress(asyncpg.InsufficientPrivilegeError):
        async with connection.transaction():
            await connection.execute(
                "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = ANY($1)",
                [application_name(process_id) for process_id in process_ids],
            )
    await connection.execute(
        "DELETE FROM processes WHERE guild_id = $1 AND process_id = ANY($2)", BOT, list(process_ids)
    )
