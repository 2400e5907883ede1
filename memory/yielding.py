"""Long looks at many texts that leave the event loop to others in between."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable, Iterable
from typing import TypeVar

T = TypeVar("T")
R = TypeVar("R")

MAX_LOOP_SECONDS = 0.004
"""Seconds after which the loop is left to others."""


async def map_yielding(items: Iterable[T], look: Callable[[T], R]) -> list[R]:
    """What a look at each of `items` gives, in order; whoever else waits has a turn every 4 ms."""
    found: list[R] = []
    since = time.monotonic()
    for item in items:
        found.append(look(item))
        if time.monotonic() - since > MAX_LOOP_SECONDS:
            await asyncio.sleep(0)
            since = time.monotonic()
    return found
