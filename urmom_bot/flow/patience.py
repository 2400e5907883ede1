"""Work that must not be left undone, however long the database is away."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable, Callable
from typing import TypeVar

from memory import DatabaseUnavailable, GuildErased

log = logging.getLogger(__name__)

T = TypeVar("T")

RETRY_PAUSE = 2.0
"""Seconds before it is tried again."""


async def until_done(work: Callable[[], Awaitable[T]], *, tries: int = 1) -> T:
    """Do something, waiting for the database as long as it is away; what else goes wrong is tried `tries` times.

    Raises GuildErased at once, and in the end what went wrong.
    """
    while True:
        try:
            return await work()
        except DatabaseUnavailable as away:
            log.warning("waiting for the database (%s)", away)
        except GuildErased:
            raise
        except Exception:
            tries -= 1
            if tries <= 0:
                raise
            log.exception("trying again")
        await asyncio.sleep(RETRY_PAUSE)
