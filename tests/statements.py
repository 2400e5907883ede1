"""Every statement that is sent to the database, seen before it is sent."""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from typing import Any

import pytest

from memory.store.database import Database, translated

CALLS = ("execute", "executemany", "fetch", "fetchrow", "fetchval")


class Watched:
    """A connection that shows each statement to `look` first, which may raise what the driver would."""

    def __init__(self, connection: Any, look: Callable[[str], None]) -> None:
        self._connection = connection
        self._look = look

    def __getattr__(self, name: str) -> Any:
        found = getattr(self._connection, name)
        if name not in CALLS:
            return found

        async def run(statement: str, *given: Any, **more: Any) -> Any:
            self._look(statement)
            return await found(statement, *given, **more)

        return run


def watch(patches: pytest.MonkeyPatch, look: Callable[[str], None]) -> None:
    """Show `look` every statement of this process, until `patches` are undone."""
    real = Database.connection

    @asynccontextmanager
    async def connection(database: Database) -> AsyncIterator[Any]:
        with translated():
            async with real(database) as found:
                yield Watched(found, look)

    patches.setattr(Database, "connection", connection)
