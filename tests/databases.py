"""Databases with the schema: what a test leaves but for rows is emptied and used again.

Making one from a template copies three hundred files, which takes longer than most tests.
"""

from __future__ import annotations

import uuid
from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Any
from urllib.parse import urlsplit, urlunsplit

import asyncpg

from tests.connections import Keeper

SPARE = 4 << 20
"""Bytes that the tables of a database may have grown by: searches of emptied tables read their pages still."""

_CATALOGS = (
    "class",
    "attribute",
    "proc",
    "trigger",
    "index",
    "constraint",
    "namespace",
    "extension",
    "db_role_setting",
)

SHAPE = f"""
    SELECT concat_ws(' ',
        {", ".join(f"(SELECT concat_ws('/', count(*), sum(xmin::text::bigint)) FROM pg_{name})" for name in _CATALOGS)},
        (SELECT concat_ws('/', sum(reltuples), sum(relpages)) FROM pg_class
         WHERE relnamespace = 'public'::regnamespace),
        (SELECT string_agg(version_num, ' ') FROM alembic_version))
"""
"""Everything of a database but its rows: any change of the schema, and any statistics, make it another."""

SIZE = "SELECT sum(pg_relation_size(oid))::bigint FROM pg_class WHERE relnamespace = 'public'::regnamespace"

END_OTHERS = """
    SELECT pg_terminate_backend(pid, 5000) FROM pg_stat_activity
    WHERE datname = current_database() AND pid <> pg_backend_pid() AND backend_type = 'client backend'
        AND pid <> ALL($1::int[])
"""


FIRST_OWN_OID = 16_384
"""PostgreSQL's own types have smaller numbers, the same in every database."""


def keep_types() -> None:
    """Have asyncpg keep what it learns of PostgreSQL's own types, which it asks for anew on every connection."""
    learn = asyncpg.Connection._introspect_types
    known: dict[tuple[int, ...], Any] = {}

    async def learnt(self: Any, oids: Iterable[int], timeout: float | None) -> Any:
        wanted = tuple(sorted(oids))
        if wanted not in known:
            found = await learn(self, wanted, timeout)
            if max(wanted) >= FIRST_OWN_OID:
                return found
            known[wanted] = found
        return known[wanted]

    asyncpg.Connection._introspect_types = learnt


def database_in(dsn: str, name: str) -> str:
    """The address of another database of the same server."""
    return urlunsplit(urlsplit(dsn)._replace(path=f"/{name}"))


@dataclass
class Databases:
    """The databases of a run, made from a template when there is none to use again."""

    server: str
    template: str
    keeper: Keeper
    free: list[str] = field(default_factory=list)
    shape: str = ""
    size: int = 0
    emptying: str = ""

    async def take(self) -> str:
        """The name of a database with the schema and no row."""
        if self.free:
            return self.free.pop()
        name = f"urmom_{uuid.uuid4().hex[:12]}"
        await self._admin(f"CREATE DATABASE {name} TEMPLATE {self.template}")
        self.keeper.databases.add(database_in(self.server, name))
        if not self.shape:
            connection = await asyncpg.connect(database_in(self.server, name))
            self.shape, self.size = await connection.fetchval(SHAPE), await connection.fetchval(SIZE)
            tables = await connection.fetch("SELECT tablename FROM pg_tables WHERE schemaname = 'public'")
            numbers = await connection.fetch("SELECT sequencename FROM pg_sequences WHERE schemaname = 'public'")
            self.emptying = ";".join(
                (
                    "SET session_replication_role = replica",  # no trigger counts what goes
                    *(f"DELETE FROM {row[0]}" for row in tables if row[0] != "alembic_version"),
                    *(f"SELECT setval('{row[0]}', 1, false)" for row in numbers),
                )
            )
            await connection.close()
        return name

    async def give_back(self, name: str) -> None:
        """Empty a database for the next test, or drop it where that cannot make it as it was."""
        if await self._is_emptied(name):
            self.free.append(name)
        else:
            self.keeper.drop(database_in(self.server, name))
            await self._admin(f"DROP DATABASE IF EXISTS {name} WITH (FORCE)")

    async def _is_emptied(self, name: str) -> bool:
        dsn = database_in(self.server, name)
        try:
            connection = await asyncpg.connect(dsn)
        except (asyncpg.PostgresError, OSError):
            return False
        try:
            await connection.execute(END_OTHERS, self.keeper.pids(dsn))
            if await connection.fetchval(SHAPE) != self.shape or await connection.fetchval(SIZE) > self.size + SPARE:
                return False
            await connection.execute(self.emptying)
        except (asyncpg.PostgresError, asyncpg.InterfaceError, OSError):
            return False
        else:
            return True
        finally:
            await connection.close()

    async def _admin(self, statement: str) -> None:
        connection = await asyncpg.connect(self.server)
        try:
            await connection.execute(statement)
        finally:
            await connection.close()
