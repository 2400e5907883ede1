"""Who can read what: channels, threads and roles, followed as they change."""

from __future__ import annotations

import asyncio
import logging
from collections import defaultdict
from collections.abc import Mapping

import discord
from discord.ext import commands

from memory import DatabaseUnavailable, GuildErased, MemoryManager
from memory.records import StoredLayout
from urmom_bot.cogs.asking import Asking
from urmom_bot.cogs.patience import RETRY_PAUSE
from urmom_bot.cogs.translate import layout_of

log = logging.getLogger(__name__)

MAX_CONCURRENT_LOOKS = 2
"""Guilds of which messages come before they were looked at, that are looked at at once: replies need connections."""


class LayoutsCog(commands.Cog):
    """Keeps who can read a guild's channels; nothing of a guild is stored before that is known."""

    def __init__(self, bot: commands.AutoShardedBot, memory: MemoryManager, asking: Asking) -> None:
        self._bot = bot
        self._memory = memory
        self._asking = asking
        self._known: dict[int, set[int]] = {}
        self._outdated: set[int] = set()
        self._updating: defaultdict[int, asyncio.Lock] = defaultdict(asyncio.Lock)
        self._looking = asyncio.Semaphore(MAX_CONCURRENT_LOOKS)

    @commands.Cog.listener()
    async def on_guild_channel_create(self, channel: discord.abc.GuildChannel) -> None:
        """Know a new channel."""
        await self.update(channel.guild)

    @commands.Cog.listener()
    async def on_guild_channel_update(self, _before: discord.abc.GuildChannel, after: discord.abc.GuildChannel) -> None:
        """Follow a channel's name and permissions, and with them those of its threads."""
        await self.update(after.guild)

    @commands.Cog.listener()
    async def on_thread_create(self, thread: discord.Thread) -> None:
        """Know a new thread."""
        await self.update(thread.guild)

    @commands.Cog.listener()
    async def on_thread_join(self, thread: discord.Thread) -> None:
        """Know a thread that came back from the archive."""
        await self.update(thread.guild)

    @commands.Cog.listener()
    async def on_thread_update(self, _before: discord.Thread, after: discord.Thread) -> None:
        """Follow a thread's name."""
        await self.update(after.guild)

    @commands.Cog.listener()
    async def on_guild_role_update(self, before: discord.Role, after: discord.Role) -> None:
        """Follow what a role may see."""
        if before.permissions != after.permissions:
            await self.update(after.guild)

    @commands.Cog.listener()
    async def on_guild_role_create(self, role: discord.Role) -> None:
        """Follow what a new role may see."""
        await self.update(role.guild)

    @commands.Cog.listener()
    async def on_guild_role_delete(self, role: discord.Role) -> None:
        """Follow what is left without a role."""
        await self.update(role.guild)

    @commands.Cog.listener()
    async def on_rules(self, guild: discord.Guild) -> None:
        """Follow which role counts as everyone, and what the bot answers to."""
        self._asking.know(guild.id, (await self._memory.guilds.rules(guild.id)).names)
        await self.update(guild)

    def forget(self, guild_id: int) -> None:
        """Look at a guild's channels anew before anything of it is stored: they may have changed meanwhile."""
        self._known.pop(guild_id, None)

    def knows(self, guild_id: int, channel_id: int) -> bool:
        """Whether a channel is stored with who can read it."""
        return channel_id in self._known.get(guild_id, ())

    async def know(self, guild: discord.Guild, channel_id: int = 0) -> None:
        """Have a guild's channels stored as they are, a thread that came from the archive among them."""
        known = self._known.get(guild.id)
        if known is None:
            async with self._looking:
                if guild.id not in self._known:
                    await self.see(guild, await self._memory.guilds.layouts([guild.id]))
        elif channel_id and channel_id not in known:
            await self.update(guild)

    async def see(self, guild: discord.Guild, stored: Mapping[int, StoredLayout]) -> None:
        """Have a guild's channels stored as they are, unless that is what is `stored`."""
        self._asking.know(guild.id, stored[guild.id].names)
        if guild.id in self._known:
            return
        layout = layout_of(guild, stored[guild.id].base_role)
        if stored[guild.id].fingerprint == layout.fingerprint:
            self._known[guild.id] = {channel.channel_id for channel in layout.channels}
        else:
            await self.update(guild)

    async def update(self, guild: discord.Guild) -> None:
        """Keep who can read a guild's channels, however long the database is away; of many changes at once, once."""
        self._outdated.add(guild.id)
        async with self._updating[guild.id]:
            while guild.id in self._outdated:
                self._outdated.discard(guild.id)
                try:
                    layout = layout_of(guild, await self._memory.guilds.base_role(guild.id))
                    moved = await self._memory.guilds.update_layout(layout)
                except DatabaseUnavailable as away:
                    log.warning("guild %d has its channels updated later (%s)", guild.id, away)
                    self._outdated.add(guild.id)
                    await asyncio.sleep(RETRY_PAUSE)
                    continue
                except GuildErased:
                    return
                except Exception:  # what is told where stays as it was; the next change tries again
                    log.exception("guild %d could not have its channels updated", guild.id)
                    return
                self._known[guild.id] = {channel.channel_id for channel in layout.channels}
                if moved:
                    log.info("guild %d: %d channels have another audience now", guild.id, moved)
