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
        self._order = asyncio.Lock()

    @asynccontextmanager
    async def within_limit(self) -> AsyncIterator[None]:
        """Wait until there is room for a request, and make it inside."""
        loop = asyncio.get_running_loop()
        async with self._order:  # each from when the one before really went: what is late does not come all at once
            while (wait := self._next - loop.time()) > 0:  # noqa: ASYNC110 (there is nothing to await but time)
                await asyncio.sleep(wait)
            self._next = loop.time() + 1 / self._rate()
        token = _counted.set(True)
        try:
            yield
        finally:
            _counted.reset(token)

    def count(self) -> None:
        """Count a request that did not wait for its turn: what can wait waits longer."""
        if not _counted.get():
            self._next = max(self._next, asyncio.get_running_loop().time()) + 1 / self._rate()
