"""Work that goes on in the background: supervised, so that no error ends it, and one that stays is seen."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable, Callable, Coroutine, Mapping
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass

from memory.records import DatabaseUnavailable

log = logging.getLogger(__name__)

LONGEST_PAUSE = 60.0
"""Seconds after which a loop that failed begins again at the latest."""

FAILING = 3
"""How often a loop fails in a row before it counts as failing."""


@dataclass
class LoopState:
    """How a loop is doing."""

    name: str
    failures: int = 0
    """How often it failed since it last did what it is for."""
    error: str = ""
    """The class of the last error."""

    @property
    def is_failing(self) -> bool:
        """Whether it fails again and again."""
        return self.failures >= FAILING


class Loops:
    """The background work of a process, by name; all of it runs `within` a context."""

    def __init__(self, within: Callable[[], AbstractContextManager[None]] = nullcontext) -> None:
        self._within = within
        self._states: dict[str, LoopState] = {}
        self._tasks: dict[str, asyncio.Task[None]] = {}

    @property
    def states(self) -> Mapping[str, LoopState]:
        """How each loop is doing."""
        return self._states

    def start(self, name: str, work: Callable[[], Awaitable[object]], *, every: float, at_once: bool = True) -> None:
        """Do `work` again and again, `every` so many seconds; an error is logged, and the next time comes."""

        async def run() -> None:
            if not at_once:
                await asyncio.sleep(every)
            while True:
                await self.attempt(name, work)
                await asyncio.sleep(every)

        self._begin(name, run())

    def keep(self, name: str, work: Callable[[], Awaitable[None]]) -> None:
        """Keep up `work`, which goes on by itself: where an error ends it, it begins again after a pause."""

        async def run() -> None:
            pause, loop = 0.1, asyncio.get_running_loop()
            while True:
                began = loop.time()
                await self.attempt(name, work)
                pause = 0.1 if loop.time() - began > LONGEST_PAUSE else min(2 * pause, LONGEST_PAUSE)
                await asyncio.sleep(pause)

        self._begin(name, run())

    def _begin(self, name: str, run: Coroutine[None, None, None]) -> None:
        self._states[name] = LoopState(name)
        with self._within():
            self._tasks[name] = asyncio.create_task(run, name=name)

    async def attempt(self, name: str, work: Callable[[], Awaitable[object]]) -> bool:
        """Do `work` once; whatever goes wrong is logged under `name` and counted. Returns whether it was done."""
        state = self._states.setdefault(name, LoopState(name))
        try:
            await work()
        except DatabaseUnavailable as away:
            state.failures, state.error = state.failures + 1, type(away).__name__
            log.warning("%s: left to the next time (%s)", name, away)
        except Exception as failed:  # the next time must come whatever becomes of this one
            state.failures, state.error = state.failures + 1, type(failed).__name__
            log.exception("%s: failed, for the %d. time in a row", name, state.failures)
        else:
            if state.is_failing:
                log.info("%s: works again", name)
            state.failures, state.error = 0, ""
            return True
        return False

    async def stop(self, *names: str) -> None:
        """End loops, all of them where none is named."""
        tasks = [self._tasks.pop(name) for name in (names or list(self._tasks)) if name in self._tasks]
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
