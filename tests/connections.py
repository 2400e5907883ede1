"""Connections that outlive a test: opening one, and planning every statement anew on it, takes longer than most tests.

A connection that is closed is reset, and the next one like it is made of it. A statement that a test prepares by SQL
is not reset.
"""

from __future__ import annotations

import asyncio
import weakref
from collections import defaultdict
from dataclasses import dataclass, field
from functools import partial
from typing import Any

import asyncpg
from asyncpg.connection import _weak_maybe_gc_stmt

RESET = """
    UNLISTEN *; SELECT pg_advisory_unlock_all(); CLOSE ALL; DISCARD TEMP; SET SESSION AUTHORIZATION DEFAULT; RESET ALL;
    SET application_name = ''"""

MAX_QUERIES = 40_000
"""A pool closes a connection after ten thousand more."""

_connect = asyncpg.connect


class Kept(asyncpg.Connection):  # type: ignore[misc]
    """A connection that is kept when it is closed: the next one like it takes over its socket and its plans."""

    keeper: Keeper
    key: tuple[object, ...]
    codecs: frozenset[str] = frozenset()

    @property
    def is_of_pool(self) -> bool:
        """Whether the bot's pools use it, which set the same codec on each connection."""
        return ("jit", "off") in self.key

    async def set_type_codec(self, typename: str, **more: Any) -> None:
        """As usual, but only once for each socket: every statement would have to be prepared again."""
        if not (self.is_of_pool and typename in self.codecs):
            await super().set_type_codec(typename, **more)
            self.codecs |= {typename}

    async def close(self, *, timeout: float | None = None) -> None:
        """Hand it to the next one, unless something is left open in it."""
        if not self.is_closed() and self.keeper.keeps(self):
            try:
                await self.execute(RESET, timeout=5)
            except (asyncpg.PostgresError, asyncpg.InterfaceError, OSError, TimeoutError):
                pass
            except asyncio.CancelledError:
                self.terminate()
                raise
            else:
                self._hand_over()
                return
        await super().close(timeout=timeout)

    def _hand_over(self) -> None:
        """Give the socket to a new connection. This one is closed from now on, whoever still holds it."""
        heir = type(self)(self._protocol, self._transport, self._loop, self._addr, self._config, self._params)
        heir.keeper, heir.key, heir.codecs = self.keeper, self.key, self.codecs
        self._stmt_cache, heir._stmt_cache = heir._stmt_cache, self._stmt_cache
        self._stmts_to_close, heir._stmts_to_close = heir._stmts_to_close, self._stmts_to_close
        for one in (self, heir):
            one._stmt_cache._on_remove = partial(_weak_maybe_gc_stmt, weakref.ref(one))
        self._protocol.set_connection(heir)
        self._aborted = True
        self._cleanup()
        self.keeper.idle[self.key].append(heir)


@dataclass
class Keeper:
    """Keeps the connections of one event loop to the databases of a run."""

    loop: asyncio.AbstractEventLoop
    databases: set[str] = field(default_factory=set)
    """Their addresses. Any other, such as a broken line's, is connected to as usual."""
    idle: defaultdict[tuple[object, ...], list[Kept]] = field(default_factory=lambda: defaultdict(list))

    def keeps(self, connection: Kept) -> bool:
        """Whether a connection is worth keeping."""
        return (
            connection.key[0] in self.databases
            and (connection.is_of_pool or not connection.codecs)
            and not connection.is_in_transaction()
            and connection._protocol.queries_count < MAX_QUERIES
        )

    def pids(self, dsn: str) -> list[int]:
        """The server's processes behind the idle connections to a database."""
        return [
            one.get_server_pid()
            for key, kept in self.idle.items()
            if key[0] == dsn
            for one in kept
            if not one.is_closed()
        ]

    def drop(self, dsn: str) -> None:
        """Close what is kept of a database."""
        self.databases.discard(dsn)
        for key in [key for key in self.idle if key[0] == dsn]:
            for one in self.idle.pop(key):
                one.terminate()

    async def connect(self, dsn: str | None = None, **more: Any) -> asyncpg.Connection[asyncpg.Record]:
        """Do what `asyncpg.connect` does, with a kept connection if there is one."""
        if dsn not in self.databases or asyncio.get_running_loop() is not self.loop:
            return await _connect(dsn, **more)
        settings = dict(more.pop("server_settings", None) or {})
        name = settings.pop("application_name", "")
        key = (dsn, more.get("command_timeout"), *sorted(settings.items()))
        while kept := self.idle[key]:
            one = kept.pop()
            if not one.is_closed():
                break
        else:
            one = await _connect(dsn, **{**more, "connection_class": Kept, "server_settings": settings or None})
            one.keeper, one.key = self, key
        try:
            if name:
                await one.execute(f"SET application_name = '{name}'")
        except BaseException:  # cancelled meanwhile, nobody else would close it
            one.terminate()
            raise
        return one

    def install(self) -> None:
        """Make everything connect through `connect`, the driver's pools too."""
        asyncpg.connect = self.connect
        asyncpg.pool.connection.connect = self.connect

    async def close(self) -> None:
        """Close everything, and let the driver connect by itself again."""
        asyncpg.connect = asyncpg.pool.connection.connect = _connect
        for dsn in list(self.databases):
            self.drop(dsn)
