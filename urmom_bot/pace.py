"""A limit on requests: so many a second in all, of which whatever somebody waits for goes first."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from contextvars import ContextVar

_counted: ContextVar[bool] = ContextVar("pace_counted", default=False)


class Pace:
    """Keeps what can wait to what is left of `rate()` requests a second."""

    def __init__(self, rate: Callable[[], float]) -> None:
        self._rate = rate
        self._next = 0.0

    @asynccontextmanager
    async def turn(self) -> AsyncIterator[None]:
        """Wait until there is room for a request, and make it inside."""
        loop = asyncio.get_running_loop()
        mine = max(self._next, loop.time())
        self._next = mine + 1 / self._rate()
        await asyncio.sleep(mine - loop.time())
        token = _counted.set(True)
        try:
            yield
        finally:
            _counted.reset(token)

    def count(self) -> None:
        """Count a request that did not wait for its turn: what can wait waits longer."""
        if not _counted.get():
            self._next = max(self._next, asyncio.get_running_loop().time()) + 1 / self._rate()
