"""What the tests of members' pages run against."""

from __future__ import annotations

from collections.abc import AsyncIterator

import pytest

from tests.builders import Clock, Opener, Server, served
from urmom_bot.stand_ins import GeminiStandIn


@pytest.fixture
async def discord(opened: Opener, gemini: GeminiStandIn, clock: Clock) -> AsyncIterator[Server]:
    async with served(opened, gemini, clock) as found:
        yield found


@pytest.fixture
async def address(discord: Server) -> AsyncIterator[str]:
    """The pages."""
    async with discord.app.pages(discord.bot, port=0) as found:
        yield found
