"""What several processes on one database agree on: who builds, and what has changed.

One connection of its own, beside the pool, holds this process's advisory locks and listens. A
build keeps its lock while the AI thinks without keeping a connection of the pool, and a process
that dies lets go of its locks with the connection.
"""

from __future__ import annotations

import asyncio
import hashlib
import logging
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager, suppress

import asyncpg

from memory.ids import ALL_GUILDS, GuildId
from memory.records import DatabaseUnavailable
from memory.store.database import CHANNEL, translated

log = logging.getLogger(__name__)

POLL = 0.2
"""Seconds between two looks at a lock that another process holds."""


def _key(name: str) -> int:
    return int.from_bytes(hashlib.sha256(name.encode()).digest()[:8], "big", signed=True)


class Coordinator:
    """Advisory locks by name, and news of changed guilds."""

    def __init__(self, dsn: str, name: str = "") -> None:
        self._dsn = dsn
        self._name = name
        self._connection: asyncpg.Connection[asyncpg.Record] | None = None
        self._turn = asyncio.Lock()
        self._watchers: list[Callable[[GuildId], None]] = []
        self._closing = False
        self._returning: asyncio.Task[None] | None = None

    def watch(self, changed: Callable[[GuildId], None]) -> None:
        """Call `changed(guild_id)` whenever any process changes a guild's sources."""
        self._watchers.append(changed)

    async def start(self) -> None:
        """Begin listening. Raises DatabaseUnavailable."""
        async with self._turn:
            await self._connected()

    async def close(self) -> None:
        """Let go of every lock."""
        self._closing = True
        if self._returning is not None:
            self._returning.cancel()
            await asyncio.gather(self._returning, return_exceptions=True)
        if self._connection is not None and not self._connection.is_closed():
            with suppress(OSError, asyncpg.InterfaceError, TimeoutError):
                await self._connection.close(timeout=5)
        self._connection = None

    @asynccontextmanager
    async def lock(self, name: str, *, within: float | None = None) -> AsyncIterator[None]:
        """Hold the lock called `name` among all processes.

        Raises DatabaseUnavailable, and TimeoutError where another process keeps it for longer than `within` seconds.
        """
        key, start = _key(name), asyncio.get_running_loop().time()
        while not await self._try(key):  # another process holds it: there is nothing to await
            if within is not None and asyncio.get_running_loop().time() - start > within:
                raise TimeoutError
            await asyncio.sleep(POLL)
        try:
            yield
        finally:
            await asyncio.shield(self._release(key))

    async def _try(self, key: int) -> bool:
        async with self._turn:
            with translated():
                connection = await self._connected()
                return bool(await connection.fetchval("SELECT pg_try_advisory_lock($1)", key))

    async def _release(self, key: int) -> None:
        async with self._turn:
            if self._connection is None or self._connection.is_closed():
                return  # the lock went with the connection
            with suppress(OSError, asyncpg.InterfaceError, asyncpg.PostgresError):
                await self._connection.execute("SELECT pg_advisory_unlock($1)", key)

    async def _connected(self) -> asyncpg.Connection[asyncpg.Record]:
        if self._connection is None or self._connection.is_closed():
            with translated():
                self._connection = await asyncpg.connect(
                    self._dsn,
                    timeout=10,
                    command_timeout=30,
                    server_settings={"application_name": self._name} if self._name else None,
                )
                await self._connection.add_listener(CHANNEL, self._heard)
                self._connection.add_termination_listener(self._lost)
            for watcher in self._watchers:
                watcher(ALL_GUILDS)  # news may have been missed while away
        return self._connection

    def _lost(self, _connection: object) -> None:
        """Drop every cache while the notification channel is down, and reconnect as soon as the database is back."""
        if self._closing:
            return
        for watcher in self._watchers:
            watcher(ALL_GUILDS)
        if self._returning is None or self._returning.done():
            self._returning = asyncio.get_running_loop().create_task(self._return(), name="coordination")

    async def _return(self) -> None:
        while not self._closing:
            try:
                await self.start()
                return
            except Exception as failed:  # nobody else comes back for it
                if not isinstance(failed, DatabaseUnavailable):
                    log.exception("coordination: could not come back; trying again")
                await asyncio.sleep(2)

    def _heard(self, _connection: object, _pid: int, _channel: str, payload: object) -> None:
        for watcher in self._watchers:
            watcher(GuildId(int(str(payload))))
