"""What goes away goes from memory too: channels, threads, members, guilds, and what was missed meanwhile."""

from __future__ import annotations

import asyncio
import logging
from datetime import timedelta
from functools import partial

from memory import AuthorKind, MemoryManager
from memory.ids import ChannelId, GuildId, UserId
from urmom_bot.flow.catching_up import MAX_LOOKBACK, CatchingUp
from urmom_bot.flow.patience import until_done
from urmom_bot.flow.platform import Guild, Platform, TryLater
from urmom_bot.panels import Button
from urmom_bot.talk import Texts, language_of

log = logging.getLogger(__name__)

DAY = timedelta(days=1)
"""How often members are asked after."""

GREETING_WINDOW = timedelta(days=7)
"""How long after it was let in a server is greeted, if the bot was away then."""

MEMBERS_PER_REQUEST = 100
"""Members asked after in one request (Discord)."""

MAX_TRIES = 3
"""How often something is tried that fails for another reason than an absent database."""


_until_done = partial(until_done, tries=MAX_TRIES)


class Removals:
    """Forgets what is gone. An outage is no departure, and a member or guild that comes back in time was never gone."""

    def __init__(self, platform: Platform, memory: MemoryManager, recovery: CatchingUp) -> None:
        self._platform = platform
        self._memory = memory
        self._recovery = recovery
        recovery.on_channel_gone = self.on_channel_gone

    async def on_channel_gone(self, guild_id: GuildId, channel_id: ChannelId) -> None:
        """Forget a channel and its threads, or a thread."""

        async def forget() -> None:
            await self._memory.messages.flush()  # what waits to be written of it, is before it goes
            removed = await self._memory.guilds.channel_deleted(guild_id, channel_id)
            log.info("channel %d is gone, and %d rows with it", channel_id, removed)

        await _until_done(forget)

    # Members

    async def on_member_left(self, guild_id: GuildId, user_id: UserId) -> None:
        """Note that a member left, where the platform tells."""
        await _until_done(lambda: self._memory.guilds.on_members_left(guild_id, [user_id]))

    async def on_banned(self, guild_id: GuildId, user_id: UserId) -> None:
        """Note that a member is banned, and look for messages that were purged with them."""
        await self.on_member_left(guild_id, user_id)
        await self._recovery.compare_with_platform(guild_id, self._memory.clock() - MAX_LOOKBACK)

    async def call_roll(self) -> None:
        """Ask which members of one guild are there still: without the members intent, nobody says that they leave.

        Each guild's turn comes once a day.
        """
        guild_id = await self._memory.guilds.claim_next_member_check(
            [guild.guild_id for guild in self._platform.guilds() if guild.is_available], DAY
        )
        if guild_id is None:
            return
        members = await self._memory.guilds.members(guild_id)
        known = [m.user_id for m in members.values() if m.author_kind is AuthorKind.MEMBER]
        for start in range(0, len(known), MEMBERS_PER_REQUEST):
            asked = known[start : start + MEMBERS_PER_REQUEST]
            try:
                there = await self._platform.present(guild_id, asked)
            except TryLater as failed:
                log.info("members of guild %d could not be asked after (%s)", guild_id, failed)
                return
            await self._memory.guilds.on_members_joined(guild_id, there)
            await self._memory.guilds.on_members_left(guild_id, [u for u in asked if u not in there])
            if start + MEMBERS_PER_REQUEST < len(known):
                await asyncio.sleep(1)  # Discord takes two a second

    # Guilds

    async def on_guild_left(self, guild_id: GuildId) -> None:
        """The bot was removed: what is stored goes after a grace."""
        await _until_done(lambda: self._memory.guilds.on_bot_removed(guild_id))

    async def on_guild_joined(self, guild: Guild) -> None:
        """Say once what is stored, for how long, and how to stop it."""
        await _until_done(lambda: self._memory.guilds.on_bot_joined(guild.guild_id))
        await self.on_guild_named(guild)
        if not await self._memory.guilds.greet(guild.guild_id):
            return
        texts = Texts(language_of(guild.locale))
        buttons = (
            Button(label=texts("button_tour"), action="tour", style="success"),
            Button(label=texts("button_settings"), action="settings", style="primary"),
            Button(label=texts("button_policy"), action="policy"),
            Button(label=texts("button_privacy"), action="privacy"),
        )
        text = texts("greeting", retention=self._memory.retention.messages.days)
        await self._platform.greet(guild.guild_id, text, (buttons,))

    async def on_guild_named(self, guild: Guild) -> None:
        """A guild has a name, perhaps another one than before."""
        await _until_done(lambda: self._memory.guilds.on_guild_named(guild.guild_id, guild.name))

    async def on_ready(self, shard_id: int) -> None:
        """Find out which guilds removed the bot while it was away, and greet those that let it in meanwhile."""
        for guild in self._platform.guilds():
            joined = guild.joined_at if guild.shard_id == shard_id and guild.is_available else None
            if joined is not None and joined > self._memory.clock() - GREETING_WINDOW:
                await _until_done(partial(self.on_guild_joined, guild))
        there = {guild.guild_id for guild in self._platform.guilds()}
        for guild_id in await _until_done(self._memory.guilds.list):
            if guild_id in there or self._platform.shard_of(guild_id) != shard_id:
                continue
            if (await _until_done(partial(self._memory.messages.cursors, [guild_id])))[guild_id]:
                log.info("guild %d is gone: what is stored of it goes after a grace", guild_id)
                await self.on_guild_left(guild_id)
