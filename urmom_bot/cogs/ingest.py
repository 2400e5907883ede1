"""Everything written where the bot may read goes to memory: live, edited, deleted, and what was missed."""

from __future__ import annotations

import asyncio
import logging
from collections import defaultdict

import discord
from discord.ext import commands

from memory import DatabaseUnavailable, MemoryManager
from urmom_bot.cogs.translate import Place, author_kind, channel_of, member_of, message_of, text_of

log = logging.getLogger(__name__)

Talk = discord.TextChannel | discord.VoiceChannel | discord.StageChannel | discord.Thread
"""Where messages are."""


class Ingest(commands.Cog):
    """Listens, and catches up on what was written while the bot was away or memory was full.

    Until a guild is caught up its live messages wait: a channel's cursor never passes a gap.
    """

    def __init__(self, bot: commands.AutoShardedBot, memory: MemoryManager) -> None:
        self._bot = bot
        self._memory = memory
        self._caught_up: defaultdict[int, asyncio.Event] = defaultdict(asyncio.Event)
        self._turns: defaultdict[int, asyncio.Lock] = defaultdict(asyncio.Lock)
        self._behind: dict[int, bool] = {}

    @property
    def _me(self) -> int:
        assert self._bot.user is not None
        return self._bot.user.id

    # Live

    @commands.Cog.listener()
    async def on_message(self, message: discord.Message) -> None:
        """Accept a message; where memory is full, leave it to catching up."""
        if message.guild is None or not self._kept(message):
            return
        await self._caught_up[message.guild.id].wait()
        if message.channel.id in self._behind:
            self._behind[message.channel.id] = True
            return
        accepted = await self._memory.ingest_message(
            message_of(message, self._me),
            member_of(message.author, message.guild.id, author_kind(message, self._me)),
        )
        if not accepted and isinstance(message.channel, Talk):
            await self._catch_up_behind(message.channel)

    @commands.Cog.listener()
    async def on_raw_message_edit(self, payload: discord.RawMessageUpdateEvent) -> None:
        """Replace a text that was edited; a link's preview is no edit."""
        message = payload.message
        if payload.guild_id is None or message.edited_at is None:
            return
        cached = payload.cached_message
        if cached is not None and cached.edited_at == message.edited_at and cached.content == message.content:
            return
        await self._memory.edit_message(payload.guild_id, message.id, text_of(message), message.edited_at)

    @commands.Cog.listener()
    async def on_raw_message_delete(self, payload: discord.RawMessageDeleteEvent) -> None:
        """Remove a message."""
        if payload.guild_id is not None:
            await self._memory.delete_messages(payload.guild_id, [payload.message_id])

    @commands.Cog.listener()
    async def on_raw_bulk_message_delete(self, payload: discord.RawBulkMessageDeleteEvent) -> None:
        """Remove many messages."""
        if payload.guild_id is not None:
            await self._memory.delete_messages(payload.guild_id, payload.message_ids)

    def _kept(self, message: discord.Message) -> bool:
        """Whether a message is talk, and not Discord's own note that someone joined or pinned."""
        return not message.is_system() or message.type is discord.MessageType.thread_starter_message

    # Places

    @commands.Cog.listener()
    async def on_guild_channel_create(self, channel: discord.abc.GuildChannel) -> None:
        """Know a new channel."""
        await self._memory.place(channel_of(channel))

    @commands.Cog.listener()
    async def on_guild_channel_update(self, _before: discord.abc.GuildChannel, after: discord.abc.GuildChannel) -> None:
        """Follow a channel's name and permissions, and with them those of its threads."""
        await self._place(after)
        if isinstance(after, discord.CategoryChannel):
            for channel in after.channels:
                await self._place(channel)

    @commands.Cog.listener()
    async def on_thread_create(self, thread: discord.Thread) -> None:
        """Know a new thread."""
        await self._memory.place(channel_of(thread))

    @commands.Cog.listener()
    async def on_thread_update(self, _before: discord.Thread, after: discord.Thread) -> None:
        """Follow a thread's name."""
        await self._memory.place(channel_of(after))

    @commands.Cog.listener()
    async def on_guild_role_update(self, _before: discord.Role, after: discord.Role) -> None:
        """Follow what @everyone may see."""
        if after.is_default():
            for channel in after.guild.channels:
                await self._place(channel)

    async def _place(self, channel: discord.abc.GuildChannel) -> None:
        places: list[Place] = [channel, *getattr(channel, "threads", [])]
        for place in places:
            if await self._memory.place(channel_of(place)):
                log.info("channel %d of guild %d has another audience now", place.id, place.guild.id)

    # Catching up

    @commands.Cog.listener()
    async def on_ready(self) -> None:
        """Catch up in every guild, after the first connection and after any that could not be resumed."""
        for guild in self._bot.guilds:
            await self._catch_up_guild(guild)

    @commands.Cog.listener()
    async def on_guild_join(self, guild: discord.Guild) -> None:
        """Begin in a new guild."""
        await self._catch_up_guild(guild)

    @commands.Cog.listener()
    async def on_guild_available(self, guild: discord.Guild) -> None:
        """Catch up after an outage."""
        await self._catch_up_guild(guild)

    async def _catch_up_guild(self, guild: discord.Guild) -> None:
        async with self._turns[guild.id]:
            self._caught_up[guild.id].clear()
            while not await self._caught_up_on(guild):  # noqa: ASYNC110 (nothing tells when it is back)
                await asyncio.sleep(2)  # until the database is back, live messages wait behind the gap
            self._caught_up[guild.id].set()

    async def _caught_up_on(self, guild: discord.Guild) -> bool:
        """Bring what was written in a guild's channels since their cursors; False where memory is out of reach."""
        try:
            for channel in guild.channels:
                await self._place(channel)
            cursors = await self._memory.cursors(guild.id)
            newest = max(cursors.values(), default=None)
            for talk in [c for c in (*guild.channels, *guild.threads) if isinstance(c, Talk)]:
                after = cursors.get(talk.id)
                if after is None and newest is not None and talk.id > newest:
                    after = talk.id  # it was made while the bot was away
                last = talk.last_message_id
                if after is not None and last is not None and last > after:
                    await self._read(talk, after)
        except DatabaseUnavailable as away:
            log.warning("guild %d is caught up on later (%s)", guild.id, away)
            return False
        return True

    async def _catch_up_behind(self, channel: Talk) -> None:
        """Read a channel from its cursor once memory has room again, until nothing was missed meanwhile."""
        if channel.id in self._behind:
            self._behind[channel.id] = True
            return
        log.warning("memory is full: channel %d is caught up on later", channel.id)
        self._behind[channel.id] = True
        try:
            while self._behind[channel.id]:
                self._behind[channel.id] = False
                await self._memory.flush()
                after = (await self._memory.cursors(channel.guild.id)).get(channel.id, channel.id)
                await self._read(channel, after)
        finally:
            del self._behind[channel.id]

    async def _read(self, channel: Talk, after: int) -> None:
        """Bring what was written in a channel after a message."""
        count = 0
        try:
            async for message in channel.history(after=discord.Object(after), limit=None, oldest_first=True):
                if self._kept(message):
                    kind = author_kind(message, self._me)
                    await self._memory.catch_up(
                        message_of(message, self._me), member_of(message.author, channel.guild.id, kind)
                    )
                    count += 1
        except discord.HTTPException as refused:
            log.warning("channel %d could not be caught up on: %s", channel.id, refused)
        if count:
            log.info("channel %d: caught up on %d messages", channel.id, count)
