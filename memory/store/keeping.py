"""What backups need to know of a database as a whole."""

from __future__ import annotations

import asyncpg

from memory.store.catalogue import TABLES
from memory.store.database import translated


async def major(dsn: str) -> int:
    """The server's major version. Raises DatabaseUnavailable."""
    with translated():
        connection = await asyncpg.connect(dsn, timeout=10)
        try:
            return int(connection.get_server_version().major)
        finally:
            await connection.close()


async def is_empty(dsn: str) -> bool:
    """Whether a database has no tables yet. Raises DatabaseUnavailable."""
    with translated():
        connection = await asyncpg.connect(dsn, timeout=10)
        try:
            found = await connection.fetchval("SELECT count(*) FROM pg_tables WHERE schemaname = 'public'")
            return int(found) == 0
        finally:
            await connection.close()


async def counts(dsn: str) -> dict[str, int]:
    """The rows of each table. Raises DatabaseUnavailable."""
    with translated():
        connection = await asyncpg.connect(dsn, timeout=10)
        try:
            there = {
                row["tablename"]
                for row in await connection.fetch("SELECT tablename FROM pg_tables WHERE schemaname = 'public'")
            }
            return {
                table.name: await connection.fetchval(f"SELECT count(*) FROM {table.name}")
                for table in TABLES
                if table.name in there
            }
        finally:
            await connection.close()


async def create_database(dsn: str, name: str) -> None:
    """Create a database beside another. Raises DatabaseUnavailable."""
    with translated():
        connection = await asyncpg.connect(dsn, timeout=10)
        try:
            await connection.execute(f"CREATE DATABASE {name}")
        finally:
            await connection.close()


async def drop_database(dsn: str, name: str) -> None:
    """Drop a database beside another. Raises DatabaseUnavailable."""
    with translated():
        connection = await asyncpg.connect(dsn, timeout=10)
        try:
            await connection.execute(f"DROP DATABASE IF EXISTS {name} WITH (FORCE)")
        finally:
            await connection.close()
