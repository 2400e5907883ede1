"""The pool, and the one place where a lost connection becomes an error of ours."""

from __future__ import annotations

import asyncio
import inspect
import json
import random
import re
from collections.abc import AsyncIterator, Awaitable, Callable, Collection, Coroutine, Iterator
from contextlib import asynccontextmanager, contextmanager
from contextvars import ContextVar
from functools import wraps
from typing import Any, NoReturn, ParamSpec, TypeAlias, TypeVar

import asyncpg
from asyncpg.pool import PoolConnectionProxy

from memory.ids import GuildId
from memory.records import DatabaseConflict, DatabaseUnavailable, Fenced, GuildErased

CONFLICTS = frozenset(["40000", "40001", "40003", "40P01", "55P03", "57014", "25P03", "25P04"])
"""SQLSTATEs of transactions that met others in their way: serialization, deadlock, timeouts of locks, statements
and transactions. Nothing is wrong with the statement or the data: the same transaction is run again."""

SERVER_SETTINGS = {"jit": "off", "hnsw.iterative_scan": "relaxed_order"}
"""Compiling takes longer than any statement here; and a search by vectors goes on until enough may be heard."""

MAX_TRIES = 6
"""How often a unit of work is run in all before its conflict is raised."""

P = ParamSpec("P")
T = TypeVar("T")

LOST_ERRORS = (
    OSError,
    TimeoutError,
    asyncpg.InterfaceError,
    asyncpg.InternalClientError,  # a connection that was cut in the middle of what it said
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


def is_passing(failed: BaseException) -> bool:
    """Whether an error of the driver's says nothing of the statement: a conflict, or a database that is away."""
    return getattr(failed, "sqlstate", None) in CONFLICTS or isinstance(failed, LOST_ERRORS)


@contextmanager
def translated() -> Iterator[None]:
    """Turn what the driver raises for a conflict into DatabaseConflict, and for a lost database into its error."""
    try:
        yield
    except (asyncpg.PostgresError, *LOST_ERRORS) as failed:
        if getattr(failed, "sqlstate", None) in CONFLICTS:
            raise DatabaseConflict(f"The database reports a conflict: {type(failed).__name__}") from failed
        if not isinstance(failed, LOST_ERRORS):
            raise _without_values(failed) from None
        lost = failed
        reason = str(lost) or type(lost).__name__
        raise DatabaseUnavailable(f"The database does not answer: {reason}") from lost


def _without_values(failed: BaseException) -> BaseException:
    """A defect that says what kind it is, and nothing of the words that caused it (law 12): logs and `parked` have it.

    The driver puts the argument that it could not send into its message, and the server the row into its detail.
    """
    state = getattr(failed, "sqlstate", None)
    failed.args = (f"{type(failed).__name__} ({state})" if state else type(failed).__name__,)
    for name in _VALUES.intersection(vars(failed)):
        setattr(failed, name, None)
    return failed


_VALUES = frozenset(["message", "detail", "hint", "context", "internal_query", "query"])
"""What of an error of the driver's may have values of a statement in it."""

_in_background: ContextVar[bool] = ContextVar("database_in_background", default=False)


@contextmanager
def in_background() -> Iterator[None]:
    """Let what runs inside, and the tasks it starts, use connections of their own: replies do not wait for them."""
    token = _in_background.set(True)
    try:
        yield
    finally:
        _in_background.reset(token)


@contextmanager
def at_once() -> Iterator[None]:
    """Let what runs inside use the connections of replies, also from the background."""
    token = _in_background.set(False)
    try:
        yield
    finally:
        _in_background.reset(token)


REPLYING, BACKGROUND = 6, 6
"""Connections for what somebody waits for, and for everything else, at the most."""


class Database:
    """Two pools of connections; a connection is held for statements alone, never across an AI call.

    `name` is the one under which the server knows the connections.
    """

    def __init__(
        self, replying: asyncpg.Pool[asyncpg.Record], background: asyncpg.Pool[asyncpg.Record], name: str = ""
    ) -> None:
        self._replying = replying
        self._background = background
        self.name = name
        self.lease: int | None = None
        """The process by whose row in `processes` this one may write; None where nobody takes over from it."""
        self.fenced = asyncio.Event()
        """Set once another process took over from this one."""

    @classmethod
    async def open(cls, dsn: str, name: str = "") -> Database:
        """Connect to `dsn`. Raises DatabaseUnavailable."""
        opened: list[asyncpg.Pool[asyncpg.Record]] = []
        with translated():
            for most in (REPLYING, BACKGROUND):
                opened.append(
                    await asyncpg.create_pool(
                        dsn,
                        min_size=1 if not opened else 0,
                        max_size=most,
                        command_timeout=60,
                        timeout=10,
                        init=_prepare,
                        reset=_keep,
                        server_settings=SERVER_SETTINGS | ({"application_name": name} if name else {}),
                    )
                )
        replying, background = opened
        return cls(replying, background, name)

    async def close(self) -> None:
        """Close every connection, waiting a moment for those at work."""
        for pool in (self._background, self._replying):
            try:
                await asyncio.wait_for(pool.close(), 10)
            except (TimeoutError, OSError):
                pool.terminate()

    async def is_reachable(self, within: float = 3.0) -> bool:
        """Whether the database answers within some seconds."""
        try:
            async with asyncio.timeout(within), self.connection() as connection:
                await connection.execute("SELECT 1")
        except (DatabaseUnavailable, TimeoutError):
            return False
        return True

    def terminate(self) -> None:
        """Cut every connection at once."""
        for pool in (self._background, self._replying):
            pool.terminate()

    @asynccontextmanager
    async def connection(self) -> AsyncIterator[PoolConnectionProxy[asyncpg.Record]]:
        """A connection for a few statements. Raises DatabaseUnavailable."""
        pool = self._background if _in_background.get() else self._replying
        with translated():
            async with pool.acquire(timeout=15) as connection:
                yield connection

    @asynccontextmanager
    async def transaction(self) -> AsyncIterator[PoolConnectionProxy[asyncpg.Record]]:
        """A connection in a transaction: all of it happens, or none. Raises DatabaseUnavailable, and Fenced.

        The row of this process is held until the transaction ends: nobody takes over from it in its middle.
        """
        async with self.connection() as connection, connection.transaction():
            await self.prove(connection)
            yield connection

    @property
    def lease_query(self) -> str:
        """A query that finds a row if this process may write, and locks that row until the transaction ends.

        It lets one statement check and write at once. If it found no row, call `prove`.
        """
        lease = self._held()
        return "SELECT 1" if lease is None else _HOLD.format(lease)

    async def prove(self, connection: Connection) -> None:
        """Lock the row of this process until the transaction ends. Raises Fenced if another took over."""
        if (lease := self._held()) is not None and await connection.execute(_HOLD.format(lease)) == "SELECT 0":
            self.fence()

    def _held(self) -> int | None:
        """The process by whose row this one must prove that it may write."""
        return self.lease

    def fence(self) -> NoReturn:
        """Take note that another process took over from this one. Raises Fenced."""
        self.fenced.set()
        raise Fenced("another process took over from this one")

    @asynccontextmanager
    async def writing(
        self, guild_id: GuildId, *, erased: bool = False
    ) -> AsyncIterator[PoolConnectionProxy[asyncpg.Record]]:
        """A transaction that alone writes to a guild. Raises GuildErased, DatabaseUnavailable, and Fenced.

        With `erased`, a guild that was erased is written to like any other.
        """
        async with self.connection() as connection, connection.transaction():
            lease = self._held()
            if lease is None:
                await lock_guild(connection, guild_id, erased=erased)
            else:
                # Sent at once; the last statement finds a row for each reason not to write.
                status = await connection.execute(
                    f"{_HOLD.format(lease)}; {_LOCK.format(guild_id)}; {_ERASED.format(guild_id)}"
                    f" UNION ALL SELECT unnest(ARRAY[1, 1]) WHERE NOT EXISTS ({_HOLDS.format(lease)})"
                )
                if status in ("SELECT 2", "SELECT 3"):
                    self.fence()
                if status == "SELECT 1" and not erased:
                    raise GuildErased(guild_id)
            yield connection

    @asynccontextmanager
    async def writing_free(
        self, guild_ids: Collection[GuildId]
    ) -> AsyncIterator[tuple[PoolConnectionProxy[asyncpg.Record], set[GuildId]]]:
        """A transaction that alone writes to those of many guilds that nobody else holds, and which those are."""
        async with self.connection() as connection, connection.transaction():
            lease = self._held()
            rows = await connection.fetch(
                f"""
                WITH held AS MATERIALIZED ({_HOLD.format(lease or 0)})
                SELECT guild, pg_try_advisory_xact_lock({SAVING}, hashint8(guild)) AS mine, EXISTS (TABLE held) AS held
                FROM (SELECT guild FROM unnest($1::bigint[]) AS guild ORDER BY guild) AS wanted
                """,
                list(guild_ids),
            )
            if lease is not None and not all(row["held"] for row in rows):
                self.fence()
            yield connection, {row["guild"] for row in rows if row["mine"]}


class Tables:
    """A family of tables. Each public method is a unit of work, run again when the database reports a conflict."""

    def __init__(self, database: Database) -> None:
        self._db = database

    def __init_subclass__(cls) -> None:
        """Let every unit of work survive a conflict."""
        for name, method in list(vars(cls).items()):
            if inspect.iscoroutinefunction(method) and not name.startswith("_"):
                setattr(cls, name, repeated(method))


def repeated(work: Callable[P, Coroutine[Any, Any, T]]) -> Callable[P, Coroutine[Any, Any, T]]:
    """`work`, which is run again when the database reports a conflict. Raises DatabaseConflict in the end."""

    @wraps(work)
    async def run(*args: P.args, **kwargs: P.kwargs) -> T:
        for left in reversed(range(MAX_TRIES)):
            try:
                return await work(*args, **kwargs)
            except DatabaseConflict:
                if not left:
                    raise
                await asyncio.sleep(random.uniform(0.01, 0.05 * (MAX_TRIES - left)))
        raise AssertionError("unreachable")

    return run


async def _prepare(connection: asyncpg.Connection[asyncpg.Record]) -> None:
    await connection.set_type_codec("jsonb", encoder=json.dumps, decoder=json.loads, schema="pg_catalog")


Connection: TypeAlias = "PoolConnectionProxy[asyncpg.Record]"
"""A connection of the pool."""


_CHANGED = re.compile(r"\b(?:DELETE FROM|UPDATE|INSERT INTO) (?!SET\b)([a-z_]+)")
_READ = re.compile(r"\b(?:FROM|JOIN) ([a-z_]+)")


class Tolerant:
    """A connection inside a transaction, on which a statement that is refused changes nothing, and returns no row.

    Conflicts, and a database that is away, are raised as ever.
    """

    def __init__(self, connection: Connection) -> None:
        self._connection = connection
        self.refused: list[str] = []
        """The tables that refused statements would have changed; where it changes none, those it reads."""

    @property
    def connection(self) -> Connection:
        """Itself, for what asks for a connection."""
        own: Any = self
        connection: Connection = own
        return connection

    async def execute(self, statement: str, *values: object) -> str:
        """As a connection does."""
        return await self._run(statement, self._connection.execute(statement, *values), "REFUSED 0")

    async def fetch(self, statement: str, *values: object) -> list[asyncpg.Record]:
        """As a connection does."""
        return await self._run(statement, self._connection.fetch(statement, *values), [])

    async def fetchrow(self, statement: str, *values: object) -> asyncpg.Record | None:
        """As a connection does."""
        return await self._run(statement, self._connection.fetchrow(statement, *values), None)

    async def _run(self, statement: str, running: Awaitable[T], nothing: T) -> T:
        try:
            async with self._connection.transaction():
                return await running
        except asyncpg.PostgresError as bad:
            if is_passing(bad):
                raise
            self.refused += _CHANGED.findall(statement) or _READ.findall(statement)
            return nothing


async def _keep(connection: asyncpg.Connection[asyncpg.Record]) -> None:
    """Send nothing between two uses of a connection: no statement of the store leaves anything behind.

    The driver still rolls back what was left open, and would otherwise ask the server to reset everything each time.
    """


CHANNEL = "urmom_memory"
"""NOTIFY channel; the payload is the guild whose sources changed."""

SAVING = 7_267
"""The space of advisory locks under which the past of a guild is changed, and texts made of it are saved."""


AUDIBLE = "coalesce((SELECT hears FROM audiences WHERE guild_id = $1 AND audience = $3), ARRAY[0, $3]::bigint[])"
"""What may be heard in the audience $3 of the guild $1, as it stands in this transaction."""

ERASED = "erased"
"""The name under which it is noted in bot_state that a guild was erased, until the bot joins it again."""

_LOCK = f"SELECT pg_advisory_xact_lock({SAVING}, hashint8({{:d}}))"
_ERASED = f"SELECT 1 FROM bot_state WHERE guild_id = {{:d}} AND name = '{ERASED}'"
_HOLDS = "SELECT 1 FROM processes WHERE guild_id = 0 AND process_id = {:d}"
_HOLD = f"{_HOLDS} FOR KEY SHARE"


async def lock_guild(
    connection: PoolConnectionProxy[asyncpg.Record], guild_id: GuildId, *, erased: bool = False
) -> None:
    """Lock a guild until the transaction ends: nobody else changes its past or saves what is derived from it.

    Raises GuildErased where the guild was erased; not with `erased`.
    """
    # Two statements sent at once: the second sees what was committed while the lock was waited for.
    status = await connection.execute(f"{_LOCK.format(guild_id)}; {_ERASED.format(guild_id)}")
    if not erased and status == "SELECT 1":
        raise GuildErased(guild_id)


async def notify(connection: PoolConnectionProxy[asyncpg.Record], guild_id: GuildId) -> None:
    """Tell every process, at commit, that what `guild_id`'s memory was made from has changed."""
    await connection.execute("SELECT pg_notify($1, $2)", CHANNEL, str(guild_id))
