"""A limit on how often something is done: so many times a second, evenly."""

from __future__ import annotations

import asyncio
from collections.abc import Callable


class Pace:
    """Lets callers pass one after the other, at most `rate()` a second, and counts them."""

    def __init__(self, rate: Callable[[], float]) -> None:
        self._rate = rate
        self._next = 0.0
        self.passed = 0

    async def turn(self) -> None:
        """Wait until it is one's turn."""
        loop = asyncio.get_running_loop()
        now = loop.time()
        mine = max(self._next, now)
        self._next = mine + 1 / self._rate()
        self.passed += 1
        if mine > now:
            await asyncio.sleep(mine - now)
