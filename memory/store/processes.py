"""processes and shards: which processes live, which shards they run, and when each was last connected."""

from __future__ import annotations

from collections.abc import Collection
from datetime import datetime, timedelta

from memory.store.database import Tables

BOT = 0
"""The guild_id of what belongs to the bot itself."""

DEAD_AFTER = timedelta(seconds=10)
"""How long a process is taken for alive after its last sign of life."""

FORGOTTEN_AFTER = timedelta(hours=1)
"""How long a dead process is remembered."""


class ProcessStore(Tables):
    """Signs of life."""

    async def beat(self, process_id: int, now: datetime) -> None:
        """Give a sign of life of a process, and let go of those long dead."""
        async with self._db.connection() as connection:
            await connection.execute(
                """
                INSERT INTO processes (guild_id, process_id, started_at, alive_at) VALUES ($1, $2, $3, $3)
                ON CONFLICT (guild_id, process_id) DO UPDATE SET alive_at = excluded.alive_at
                """,
                BOT,
                process_id,
                now,
            )
            await connection.execute(
                "DELETE FROM processes WHERE guild_id = $1 AND alive_at < $2", BOT, now - FORGOTTEN_AFTER
            )

    async def leave(self, process_id: int) -> None:
        """Note that a process ended in order: what it worked on is free, its shards are too."""
        async with self._db.transaction() as connection:
            await connection.execute("DELETE FROM processes WHERE guild_id = $1 AND process_id = $2", BOT, process_id)
            await connection.execute(
                "UPDATE shards SET process_id = NULL WHERE guild_id = $1 AND process_id = $2", BOT, process_id
            )

    async def alive(self, now: datetime) -> frozenset[int]:
        """The processes that gave a sign of life lately and whose connections to the database are open.

        A process that was killed is known at once by its connections, where no pooler stands between.
        """
        async with self._db.connection() as connection:
            rows = await connection.fetch(
                "SELECT process_id FROM processes WHERE guild_id = $1 AND alive_at > $2", BOT, now - DEAD_AFTER
            )
            names = await connection.fetch("SELECT DISTINCT application_name FROM pg_stat_activity")
        connected = {row["application_name"] for row in names}
        lately = frozenset(row["process_id"] for row in rows)
        if not self._db.name or self._db.name not in connected:
            return lately
        return frozenset(process for process in lately if application_name(process) in connected)

    # Shards

    async def connected(self, shard_count: int, shard_ids: Collection[int], now: datetime) -> None:
        """Note that shards are connected."""
        async with self._db.connection() as connection:
            await connection.execute(
                """
                INSERT INTO shards (guild_id, shard_count, shard_id, alive_at)
                SELECT $1, $2, shard, $4 FROM unnest($3::integer[]) AS shard
                ON CONFLICT (guild_id, shard_count, shard_id) DO UPDATE SET alive_at = excluded.alive_at
                """,
                BOT,
                shard_count,
                sorted(shard_ids),
                now,
            )

    async def last_connected(self) -> dict[tuple[int, int], datetime]:
        """When each shard was last connected, by (number of shards, shard)."""
        async with self._db.connection() as connection:
            rows = await connection.fetch(
                "SELECT shard_count, shard_id, alive_at FROM shards WHERE guild_id = $1 AND alive_at IS NOT NULL", BOT
            )
        return {(row["shard_count"], row["shard_id"]): row["alive_at"] for row in rows}

    async def claim(
        self, process_id: int, shard_count: int, most: int, alive: Collection[int], now: datetime, since: datetime
    ) -> list[int]:
        """Claim shards that no living process has, and that nobody was connected with since a moment.

        Returns those that are the process's now, `most` of them at the most.
        """
        async with self._db.transaction() as connection:
            await connection.execute(
                """
                INSERT INTO shards (guild_id, shard_count, shard_id, claimed_at)
                SELECT $1, $2, shard, $3 FROM generate_series(0, $2 - 1) AS shard ON CONFLICT DO NOTHING
                """,
                BOT,
                shard_count,
                now,  # others that start beside this one have their time to come
            )
            rows = await connection.fetch(
                """
                SELECT shard_id, process_id FROM shards WHERE guild_id = $1 AND shard_count = $2
                  AND (process_id = $3 OR ((process_id IS NULL OR process_id <> ALL($4))
                                           AND coalesce(greatest(alive_at, claimed_at), '-infinity') <= $5))
                ORDER BY process_id = $3 DESC NULLS LAST, shard_id FOR UPDATE
                """,
                BOT,
                shard_count,
                process_id,
                list(alive),
                since,
            )
            mine = [row["shard_id"] for row in rows[:most]]
            await connection.execute(
                """
                UPDATE shards SET process_id = $3, claimed_at = $5
                WHERE guild_id = $1 AND shard_count = $2 AND shard_id = ANY($4) AND process_id IS DISTINCT FROM $3
                """,
                BOT,
                shard_count,
                process_id,
                mine,
                now,
            )
        return mine

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
