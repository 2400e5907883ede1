"""What backups need to know of a database as a whole."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass

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


@dataclass(frozen=True)
class Digest:
    """What is in a table: how many rows, and a number that their contents make."""

    rows: int
    sum: int


@asynccontextmanager
async def snapshot(dsn: str) -> AsyncIterator[tuple[str, dict[str, Digest]]]:
    """A moment of the database for as long as this is open: its name for pg_dump, and what is in each table then.

    Raises DatabaseUnavailable.
    """
    async with _connected(dsn) as connection, connection.transaction(isolation="repeatable_read", readonly=True):
        name = await connection.fetchval("SELECT pg_export_snapshot()")
        yield name, await _digests(connection)


async def digests(dsn: str) -> dict[str, Digest]:
    """What is in each table. Raises DatabaseUnavailable."""
    async with _connected(dsn) as connection:
        return await _digests(connection)


async def _digests(connection: asyncpg.Connection[asyncpg.Record]) -> dict[str, Digest]:
    rows = await connection.fetch(
        "SELECT tablename FROM pg_tables WHERE schemaname = 'public' AND tablename <> 'alembic_version'"
    )
    found = {}
    for table in sorted(row["tablename"] for row in rows):
        row = await connection.fetchrow(
            f"SELECT count(*) AS rows, coalesce(sum(hashtextextended(x::text, 0)), 0) AS sum FROM {table} AS x"
        )
        assert row is not None
        found[table] = Digest(int(row["rows"]), int(row["sum"]))
    return found


async def has_checksums(dsn: str) -> bool:
    """Whether the server finds a page that is damaged when it reads it. Raises DatabaseUnavailable."""
    async with _connected(dsn) as connection:
        return bool(await connection.fetchval("SHOW data_checksums") == "on")


async def create_database(dsn: str, name: str) -> None:
    """Create a database beside another. Raises DatabaseUnavailable."""
    async with _connected(dsn) as connection:
        await connection.execute(f"CREATE DATABASE {name}")


async def drop_database(dsn: str, name: str) -> None:
    """Drop a database beside another. Raises DatabaseUnavailable."""
    async with _connected(dsn) as connection:
        await connection.execute(f"DROP DATABASE IF EXISTS {name} WITH (FORCE)")
