"""A bot online on the stand-in, in this process."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from discord.ext import commands

from urmom_bot.stand_ins.discord import TOKEN, DiscordStandIn


@asynccontextmanager
async def online(bot: commands.AutoShardedBot, discord: DiscordStandIn) -> AsyncIterator[None]:
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
        await discord.settle()
        try:
            yield
        finally:
            await bot.close()
            await connected
