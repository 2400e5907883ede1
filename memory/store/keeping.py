"""What backups need to know of a database as a whole."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import asyncpg

from memory.store.catalogue import TABLES
from memory.store.database import translated


@asynccontextmanager
async def _connected(dsn: str) -> AsyncIterator[asyncpg.Connection[asyncpg.Record]]:
    with translated():
        connection = await asyncpg.connect(dsn, timeout=10)
        try:
            yield connection
        finally:
            await connection.close()


async def major(dsn: str) -> int:
    """The server's major version. Raises DatabaseUnavailable."""
    async with _connected(dsn) as connection:
        return int(connection.get_server_version().major)


async def is_empty(dsn: str) -> bool:
    """Whether a database has no tables yet. Raises DatabaseUnavailable."""
    async with _connected(dsn) as connection:
        return int(await connection.fetchval("SELECT count(*) FROM pg_tables WHERE schemaname = 'public'")) == 0


async def counts(dsn: str) -> dict[str, int]:
    """The rows of each table. Raises DatabaseUnavailable."""
    async with _connected(dsn) as connection:
        there = {
            row["tablename"]
            for row in await connection.fetch("SELECT tablename FROM pg_tables WHERE schemaname = 'public'")
        }
        return {
            table.name: await connection.fetchval(f"SELECT count(*) FROM {table.name}")
            for table in TABLES
            if table.name in there
        }


async def create_database(dsn: str, name: str) -> None:
    """Create a database beside another. Raises DatabaseUnavailable."""
    async with _connected(dsn) as connection:
        await connection.execute(f"CREATE DATABASE {name}")


async def drop_database(dsn: str, name: str) -> None:
    """Drop a database beside another. Raises DatabaseUnavailable."""
    async with _connected(dsn) as connection:
        await connection.execute(f"DROP DATABASE IF EXISTS {name} WITH (FORCE)")
