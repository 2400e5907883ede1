"""Who can read what: channels, threads and roles, followed as they change."""

from __future__ import annotations

import asyncio
import logging
from collections import defaultdict
from collections.abc import Mapping

from memory import DatabaseUnavailable, GuildErased, MemoryManager
from memory.ids import ChannelId, GuildId
from memory.records import StoredLayout
from urmom_bot.flow.asking import Asking
from urmom_bot.flow.patience import RETRY_PAUSE
from urmom_bot.flow.platform import Platform

log = logging.getLogger(__name__)

MAX_CONCURRENT_LOOKS = 2
"""Guilds of which messages come before they were looked at, that are looked at at once: replies need connections."""


class Layouts:
    """Keeps who can read a guild's channels; nothing of a guild is stored before that is known."""

    def __init__(self, platform: Platform, memory: MemoryManager, asking: Asking) -> None:
        self._platform = platform
        self._memory = memory
        self._asking = asking
        self._known: dict[GuildId, set[ChannelId]] = {}
        self._outdated: set[GuildId] = set()
        self._updating: defaultdict[GuildId, asyncio.Lock] = defaultdict(asyncio.Lock)
        self._looking = asyncio.Semaphore(MAX_CONCURRENT_LOOKS)

    async def on_rules(self, guild_id: GuildId) -> None:
        """Follow which role counts as everyone, and what the bot answers to."""
        rules = await self._memory.guilds.rules(guild_id)
        self._asking.know(guild_id, rules.names, bare_names=rules.bare_names)
        await self.update(guild_id)

    def forget(self, guild_id: GuildId) -> None:
        """Look at a guild's channels anew before anything of it is stored: they may have changed meanwhile."""
        self._known.pop(guild_id, None)

    def knows(self, guild_id: GuildId, channel_id: ChannelId) -> bool:
        """Whether a channel is stored with who can read it."""
        return channel_id in self._known.get(guild_id, ())

    async def know(self, guild_id: GuildId, channel_id: ChannelId | None = None) -> None:
        """Have a guild's channels stored as they are, a thread that came from the archive among them."""
        known = self._known.get(guild_id)
        if known is None:
            async with self._looking:
                if guild_id not in self._known:
                    await self.see(guild_id, await self._memory.guilds.layouts([guild_id]))
        elif channel_id and channel_id not in known:
            await self.update(guild_id)

    async def see(self, guild_id: GuildId, stored: Mapping[GuildId, StoredLayout]) -> None:
        """Have a guild's channels stored as they are, unless that is what is `stored`."""
        self._asking.know(guild_id, stored[guild_id].names, bare_names=stored[guild_id].bare_names)
        if guild_id in self._known:
            return
        layout = self._platform.layout(guild_id, stored[guild_id].base_role)
        if layout is not None and stored[guild_id].fingerprint == layout.fingerprint:
            self._known[guild_id] = {channel.channel_id for channel in layout.channels}
        else:
            await self.update(guild_id)

    async def update(self, guild_id: GuildId) -> None:
        """Keep who can read a guild's channels, however long the database is away; of many changes at once, once."""
        self._outdated.add(guild_id)
        async with self._updating[guild_id]:
            while guild_id in self._outdated:
                self._outdated.discard(guild_id)
                try:
                    layout = self._platform.layout(guild_id, await self._memory.guilds.base_role(guild_id))
                    if layout is None:  # the guild let the bot go meanwhile
                        return
                    moved = await self._memory.guilds.update_layout(layout)
                except DatabaseUnavailable as away:
                    log.warning("guild %d has its channels updated later (%s)", guild_id, away)
                    self._outdated.add(guild_id)
                    await asyncio.sleep(RETRY_PAUSE)
                    continue
                except GuildErased:
                    return
                except Exception:  # channels keep their audiences; the next change tries again
                    log.exception("guild %d could not have its channels updated", guild_id)
                    return
                self._known[guild_id] = {channel.channel_id for channel in layout.channels}
                if moved:
                    log.info("guild %d: %d channels have another audience now", guild_id, moved)
