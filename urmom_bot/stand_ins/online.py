"""A bot online on the stand-in, in this process."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from types import TracebackType
from typing import Any, Protocol, Self

from urmom_bot.stand_ins.discord import TOKEN, DiscordStandIn

ENDED_WITHIN = 60.0
"""Seconds within which a bot that is told to has ended."""


class Settling(Protocol):
    """A bot that can be waited for."""

    async def settle(self) -> None:
        """Wait until what was missed is read, and what was sent is stored."""

    async def login(self, token: str) -> None:
        """Log in."""

    async def connect(self) -> None:
        """Connect, until the end."""

    async def wait_until_ready(self) -> None:
        """Wait until it is ready."""

    async def close(self) -> None:
        """Hang up."""

    async def __aenter__(self) -> Self: ...

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None, /
    ) -> None: ...


@asynccontextmanager
async def online(bot: Settling, discord: DiscordStandIn) -> AsyncIterator[None]:
    """Log `bot` in, wait until it is ready and has caught up, and close it at the end.

    What ended the bot meanwhile is raised: one event it cannot parse ends a client for good.
    """
    async with bot:
        await bot.login(TOKEN)
        connected = asyncio.create_task(bot.connect())
        ready = asyncio.create_task(bot.wait_until_ready())
        await asyncio.wait([connected, ready], return_when=asyncio.FIRST_COMPLETED)
        if connected.done():
            ready.cancel()
            await connected
        discord.settle_bot = bot.settle
        await discord.settle()
        try:
            yield
        finally:
            discord.settle_bot = None
            try:
                async with asyncio.timeout(ENDED_WITHIN):
                    await bot.close()
                    await connected
            except TimeoutError:
                raise AssertionError(f"the bot does not end: {_waiting()}") from None


def _waiting() -> list[str]:
    """What every task waits for: its name and where it is."""
    found = []
    for task in asyncio.all_tasks():
        frames = task.get_stack()
        lines = [f"{frame.f_code.co_qualname}:{frame.f_lineno}" for frame in frames]
        coroutine: Any = task.get_coro()
        while (inner := getattr(coroutine, "cr_await", None)) is not None:
            frame, coroutine = getattr(inner, "cr_frame", None), inner
            if frame is not None:
                lines.append(f"{frame.f_code.co_qualname}:{frame.f_lineno}")
        found.append(f"{task.get_name()}: {' > '.join(lines)}")
    return found
