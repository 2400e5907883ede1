"""The pool, and the one place where a lost connection becomes an error of ours."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager, contextmanager
from typing import TypeAlias

import asyncpg
from asyncpg.pool import PoolConnectionProxy

from memory.records import DatabaseUnavailable

LOST = (
    OSError,
    TimeoutError,
    asyncpg.InterfaceError,
    asyncpg.PostgresConnectionError,
    asyncpg.CannotConnectNowError,
    asyncpg.TooManyConnectionsError,
    asyncpg.OperatorInterventionError,
    asyncpg.InsufficientResourcesError,
    asyncpg.PostgresSystemError,
    asyncpg.ReadOnlySQLTransactionError,
    asyncpg.InvalidAuthorizationSpecificationError,
    asyncpg.InvalidCatalogNameError,
)
"""What says the database is away or unable, rather than the statement wrong."""


@contextmanager
def translated() -> Iterator[None]:
    """Turn what the driver raises for a lost database into DatabaseUnavailable."""
    try:
        yield
    except LOST as lost:
        reason = str(lost) or type(lost).__name__
        raise DatabaseUnavailable(f"The database does not answer: {reason}") from lost


class Database:
    """A pool of connections; a connection is held for statements alone, never across an AI call."""

    def __init__(self, pool: asyncpg.Pool[asyncpg.Record]) -> None:
        self._pool = pool

    @classmethod
    async def open(cls, dsn: str) -> Database:
        """Connect to `dsn`. Raises DatabaseUnavailable."""
        with translated():
            pool = await asyncpg.create_pool(dsn, min_size=1, max_size=8, command_timeout=60, timeout=10, init=_prepare)
        return cls(pool)

    async def close(self) -> None:
        """Close every connection, waiting a moment for those at work."""
        try:
            await asyncio.wait_for(self._pool.close(), 10)
        except (TimeoutError, OSError):
            self._pool.terminate()

    @asynccontextmanager
    async def connection(self) -> AsyncIterator[PoolConnectionProxy[asyncpg.Record]]:
        """A connection for a few statements. Raises DatabaseUnavailable."""
        with translated():
            async with self._pool.acquire(timeout=15) as connection:
                yield connection

    @asynccontextmanager
    async def transaction(self) -> AsyncIterator[PoolConnectionProxy[asyncpg.Record]]:
        """A connection in a transaction: all of it happens, or none. Raises DatabaseUnavailable."""
        async with self.connection() as connection, connection.transaction():
            yield connection


async def _prepare(connection: asyncpg.Connection[asyncpg.Record]) -> None:
    await connection.set_type_codec("jsonb", encoder=json.dumps, decoder=json.loads, schema="pg_catalog")


Connection: TypeAlias = "PoolConnectionProxy[asyncpg.Record]"
"""A connection of the pool."""

CHANNEL = "urmom_memory"
"""NOTIFY channel; the payload is the guild whose sources changed."""

SAVING = 7_267
"""The space of advisory locks under which the past of a guild is changed, and texts made of it are saved."""


async def lock_guild(connection: PoolConnectionProxy[asyncpg.Record], guild_id: int) -> None:
    """Until the transaction ends, let nobody else change a guild's past or save what is made of it."""
    await connection.execute("SELECT pg_advisory_xact_lock($1, hashint8($2))", SAVING, guild_id)


async def notify(connection: PoolConnectionProxy[asyncpg.Record], guild_id: int) -> None:
    """Tell every process, at commit, that what `guild_id`'s memory was made from has changed."""
    await connection.execute("SELECT pg_notify($1, $2)", CHANNEL, str(guild_id))
