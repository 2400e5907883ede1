"""Single flight: a thing is made by one at a time, in this process and among all; the others take what it made."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from weakref import WeakValueDictionary

from memory.store.coordination import Coordinator


class SingleFlight:
    """Turns by name. Whoever gets a turn looks first whether the thing was made while waiting."""

    def __init__(self, coordinator: Coordinator) -> None:
        self._coordinator = coordinator
        self._turns: WeakValueDictionary[str, asyncio.Lock] = WeakValueDictionary()

    @asynccontextmanager
    async def turn(self, name: str) -> AsyncIterator[None]:
        """Hold the turn called `name`. Raises DatabaseUnavailable."""
        lock = self._turns.get(name)
        if lock is None:
            lock = self._turns[name] = asyncio.Lock()
        async with lock, self._coordinator.lock(name):
            yield
