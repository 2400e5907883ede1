"""Bringing a database to the schema of this program, by any number of processes at once."""

from __future__ import annotations

import secrets
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from importlib.resources import files

import asyncpg

from memory.records import DatabaseUnavailable
from memory.store.catalogue import tables
from memory.store.database import LOST_ERRORS

LATEST_REVISION = max(file.name for file in files("migrations.versions").iterdir() if file.name.startswith("v"))[1:5]
"""The revision of this program: the number in the name of the last migration."""


async def migrate(dsn: str) -> str:
    """Bring the database at `dsn` to the newest revision and return its name.

    Raises DatabaseNewer where the database knows a revision this program does not, and
    DatabaseUnavailable.
    """
    try:
        connection = await asyncpg.connect(dsn, timeout=10)
        try:
            if await _is_newest(connection):
                return LATEST_REVISION
        finally:
            await connection.close()
    except LOST_ERRORS as lost:
        raise DatabaseUnavailable(f"The database does not answer: {lost or type(lost).__name__}") from lost
    except ValueError as malformed:
        raise DatabaseUnavailable(f"The database's address is not valid: {malformed}") from malformed
    # alembic takes half a second to load and 20 MiB to keep, and most starts have nothing to migrate.
    from memory.store.migrating import upgrade

    return await upgrade(dsn)


async def _is_newest(connection: asyncpg.Connection[asyncpg.Record]) -> bool:
    """Whether nothing is to be done; tables of a cluster, and missing rights, are looked after by alembic."""
    try:
        if not await connection.fetchval(
            "SELECT to_regclass('alembic_version') IS NOT NULL AND to_regproc('create_distributed_table') IS NULL"
        ):
            return False
        return bool(await connection.fetchval("SELECT version_num FROM alembic_version") == LATEST_REVISION)
    except asyncpg.InsufficientPrivilegeError:
        return False


@asynccontextmanager
async def sandbox(dsn: str) -> AsyncIterator[str]:
    """The address of the same memory with derived texts of its own, which are gone at the end.

    What a stand-in makes must not be taken for a model's later.
    """
    name = f"sandbox_{secrets.token_hex(6)}"
    connection = await asyncpg.connect(dsn, timeout=10)
    try:
        await connection.execute(f"CREATE SCHEMA {name}")
        for table in (*(table.name for table in tables(derived=True)), "provenance", "ai_usage", "model_calls"):
            await connection.execute(f"CREATE TABLE {name}.{table} (LIKE public.{table} INCLUDING ALL)")
        yield f"{dsn}{'&' if '?' in dsn else '?'}search_path={name},public"
    finally:
        await connection.execute(f"DROP SCHEMA IF EXISTS {name} CASCADE")
        await connection.close()
