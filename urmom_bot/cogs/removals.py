"""What goes away in Discord goes away here: channels, threads, members, guilds, and what was missed meanwhile."""

from __future__ import annotations

import asyncio
import logging
from contextlib import suppress
from datetime import timedelta
from functools import partial

import discord
from discord.ext import commands

from memory import AuthorKind, MemoryManager
from urmom_bot.cogs.interactions import view_of
from urmom_bot.cogs.patience import until_done
from urmom_bot.cogs.recovery import MAX_LOOKBACK, RecoveryCog
from urmom_bot.cogs.speech import NOBODY
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


class RemovalsCog(commands.Cog):
    """Forgets what is gone. An outage is no departure, and a member or guild that comes back in time was never gone."""

    def __init__(
        self,
        bot: commands.AutoShardedBot,
        memory: MemoryManager,
        recovery: RecoveryCog,
    ) -> None:
        self._bot = bot
        self._memory = memory
        self._recovery = recovery

    # Channels and threads

    @commands.Cog.listener()
    async def on_guild_channel_delete(self, channel: discord.abc.GuildChannel) -> None:
        """Forget a channel and its threads."""
        await self._channel_gone(channel.guild.id, channel.id)

    @commands.Cog.listener()
    async def on_raw_thread_delete(self, payload: discord.RawThreadDeleteEvent) -> None:
        """Forget a thread."""
        await self._channel_gone(payload.guild_id, payload.thread_id)

    @commands.Cog.listener()
    async def on_channel_gone(self, guild_id: int, channel_id: int) -> None:
        """Forget a channel that went while the bot was away."""
        await self._channel_gone(guild_id, channel_id)

    async def _channel_gone(self, guild_id: int, channel_id: int) -> None:
        async def forget() -> None:
            await self._memory.messages.flush()  # what waits to be written of it, is before it goes
            removed = await self._memory.guilds.channel_deleted(guild_id, channel_id)
            log.info("channel %d is gone, and %d rows with it", channel_id, removed)

        await _until_done(forget)

    # Members

    @commands.Cog.listener()
    async def on_raw_member_remove(self, payload: discord.RawMemberRemoveEvent) -> None:
        """Note that a member left, where Discord tells."""
        await _until_done(lambda: self._memory.guilds.on_members_left(payload.guild_id, [payload.user.id]))

    @commands.Cog.listener()
    async def on_member_ban(self, guild: discord.Guild, user: discord.User | discord.Member) -> None:
        """Note that a member is banned, and look for messages that were purged with them."""
        await _until_done(lambda: self._memory.guilds.on_members_left(guild.id, [user.id]))
        await self._recovery.compare_with_discord(guild, self._memory.clock() - MAX_LOOKBACK)

    async def call_roll(self) -> None:
        """Ask which members of one guild are there still: without the members intent, nobody says that they leave.

        Each guild's turn comes once a day.
        """
        guild_id = await self._memory.guilds.claim_next_member_check(
            [g.id for g in self._bot.guilds if not g.unavailable], DAY
        )
        guild = self._bot.get_guild(guild_id) if guild_id is not None else None
        if guild is None:
            return
        members = await self._memory.guilds.members(guild.id)
        known = [m.user_id for m in members.values() if m.author_kind is AuthorKind.MEMBER]
        for start in range(0, len(known), MEMBERS_PER_REQUEST):
            asked = known[start : start + MEMBERS_PER_REQUEST]
            try:
                found = await asyncio.wait_for(
                    guild.query_members(user_ids=asked, limit=MEMBERS_PER_REQUEST, cache=False), 10
                )
            except (OSError, discord.DiscordException) as failed:  # the connection may have been closed
                log.info("members of guild %d could not be asked after (%s)", guild.id, type(failed).__name__)
                return
            there = {member.id for member in found}
            await self._memory.guilds.on_members_joined(guild.id, there)
            await self._memory.guilds.on_members_left(guild.id, [u for u in asked if u not in there])
            if start + MEMBERS_PER_REQUEST < len(known):
                await asyncio.sleep(1)  # Discord takes two a second

    # Guilds

    @commands.Cog.listener()
    async def on_guild_remove(self, guild: discord.Guild) -> None:
        """The bot was removed: what is stored goes after a grace."""
        await _until_done(lambda: self._memory.guilds.on_bot_removed(guild.id))

    @commands.Cog.listener()
    async def on_guild_join(self, guild: discord.Guild) -> None:
        """Say what is stored, for how long, and how to stop it."""
        await self._greet(guild)

    async def _greet(self, guild: discord.Guild) -> None:
        """Say so once in each guild."""
        await _until_done(lambda: self._memory.guilds.on_bot_joined(guild.id))
        if not await self._memory.guilds.greet(guild.id):
            return
        texts = Texts(language_of(str(guild.preferred_locale)))
        buttons = (
            Button(label=texts("button_settings"), action="settings", style="primary"),
            Button(label=texts("button_policy"), action="policy"),
            Button(label=texts("button_privacy"), action="privacy"),
        )
        for channel in [guild.system_channel, *guild.text_channels]:
            if channel is not None and channel.permissions_for(guild.me).send_messages:
                with suppress(discord.HTTPException):
                    text = texts("greeting", retention=self._memory.retention.messages.days)
                    await channel.send(text, view=view_of((buttons,)), allowed_mentions=NOBODY)
                    return

    @commands.Cog.listener()
    async def on_shard_ready(self, shard_id: int) -> None:
        """Find out which guilds removed the bot while it was away, and greet those that let it in meanwhile."""
        for guild in self._bot.guilds:
            joined = guild.me.joined_at if guild.shard_id == shard_id and not guild.unavailable else None
            if joined is not None and joined > self._memory.clock() - GREETING_WINDOW:
                await _until_done(partial(self._greet, guild))
        there, count = {guild.id for guild in self._bot.guilds}, self._bot.shard_count or 1
        for guild_id in await _until_done(self._memory.guilds.list):
            if guild_id in there or (guild_id >> 22) % count != shard_id:
                continue
            if (await _until_done(partial(self._memory.messages.cursors, [guild_id])))[guild_id]:
                log.info("guild %d is gone: what is stored of it goes after a grace", guild_id)
                await _until_done(partial(self._memory.guilds.on_bot_removed, guild_id))
