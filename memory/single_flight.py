"""Single flight: a thing is made by one at a time, in this process and among all; the others take what it made."""

from __future__ import annotations

import asyncio
import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from weakref import WeakValueDictionary

from memory.observer import Build, Observer
from memory.store.coordination import Coordinator


class SingleFlight:
    """Turns by level and name. Whoever gets a turn looks first whether the thing was made while waiting."""

    def __init__(self, coordinator: Coordinator, observer: Observer) -> None:
        self._coordinator = coordinator
        self._observer = observer
        self._turns: WeakValueDictionary[str, asyncio.Lock] = WeakValueDictionary()

    @asynccontextmanager
    async def exclusive(self, level: str, *of: object) -> AsyncIterator[None]:
        """Hold the turn to make a level of something. Raises DatabaseUnavailable."""
        name = " ".join((level, *map(str, of)))
        lock = self._turns.get(name)
        if lock is None:
            lock = self._turns[name] = asyncio.Lock()
        async with lock, self._coordinator.lock(name):
            began, error = time.perf_counter(), ""
            try:
                yield
            except Exception as failed:
                error = type(failed).__name__
                raise
            finally:
                self._observer.built(Build(level=level, seconds=time.perf_counter() - began, error=error))
