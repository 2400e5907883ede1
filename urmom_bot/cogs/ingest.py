"""Everything written where the bot may read goes to memory: live, edited, deleted, and what was missed."""

from __future__ import annotations

import asyncio
import logging
from collections import defaultdict

import aiohttp
import discord
from discord.ext import commands

from memory import DatabaseUnavailable, MemoryManager
from urmom_bot.cogs.translate import author_kind, layout_of, member_of, message_of, text_of, text_to
from urmom_bot.talk import Router

log = logging.getLogger(__name__)

PATIENCE = 2.0
"""Seconds before something that failed for a moment is tried again."""

MessageChannel = discord.TextChannel | discord.VoiceChannel | discord.StageChannel | discord.Thread
"""Where messages are."""


class IngestCog(commands.Cog):
    """Listens, and catches up on what was written while the bot was away or memory was full.

    While a guild or a channel is being caught up on, live messages are not kept waiting but noted
    as missed, and read from Discord when their turn comes: a channel's cursor never passes a gap,
    and nothing piles up.
    """

    def __init__(self, bot: commands.AutoShardedBot, memory: MemoryManager, router: Router) -> None:
        self._bot = bot
        self._memory = memory
        self._router = router
        self._live: set[int] = set()
        self._turns: defaultdict[int, asyncio.Lock] = defaultdict(asyncio.Lock)
        self._catching: set[int] = set()
        self._missed: dict[int, int] = {}
        self._known: defaultdict[int, set[int]] = defaultdict(set)
        self._outdated: set[int] = set()
        self._updating: defaultdict[int, asyncio.Lock] = defaultdict(asyncio.Lock)
        self._orders: defaultdict[int, dict[int, discord.Message]] = defaultdict(dict)

    @property
    def _me(self) -> int:
        assert self._bot.user is not None
        return self._bot.user.id

    # Live

    @commands.Cog.listener()
    async def on_message(self, message: discord.Message) -> None:
        """Accept a message; where memory is full or behind, leave it to catching up."""
        if message.guild is None or not self._kept(message):
            return
        channel = message.channel
        if message.guild.id not in self._live or channel.id in self._catching:
            self._missed.setdefault(channel.id, message.id)
            return
        if isinstance(channel, discord.Thread) and channel.id not in self._known[message.guild.id]:
            await self._update_channels(message.guild)
        accepted = await self._memory.messages.ingest(
            message_of(message, self._me),
            member_of(message.author, message.guild.id, author_kind(message, self._me)),
        )
        if not accepted and isinstance(channel, MessageChannel):
            log.warning("memory is full: channel %d is caught up on later", channel.id)
            self._missed.setdefault(channel.id, message.id)
            await self._catch_up(channel)
            self._caught_up(message.guild)

    @commands.Cog.listener()
    async def on_raw_message_edit(self, payload: discord.RawMessageUpdateEvent) -> None:
        """Replace a text that was edited; a link's preview is no edit."""
        message = payload.message
        if payload.guild_id is None or message.edited_at is None:
            return
        cached = payload.cached_message
        if cached is not None and cached.edited_at == message.edited_at and cached.content == message.content:
            return
        await self._memory.messages.edit(payload.guild_id, message.id, text_of(message), message.edited_at)

    @commands.Cog.listener()
    async def on_raw_message_delete(self, payload: discord.RawMessageDeleteEvent) -> None:
        """Remove a message."""
        if payload.guild_id is not None:
            await self._memory.messages.delete(payload.guild_id, [payload.message_id])

    @commands.Cog.listener()
    async def on_raw_bulk_message_delete(self, payload: discord.RawBulkMessageDeleteEvent) -> None:
        """Remove many messages."""
        if payload.guild_id is not None:
            await self._memory.messages.delete(payload.guild_id, payload.message_ids)

    def _kept(self, message: discord.Message) -> bool:
        """Whether a message is talk, and not Discord's own note that someone joined or pinned."""
        return not message.is_system() or message.type is discord.MessageType.thread_starter_message

    def _is_order(self, message: discord.Message) -> bool:
        """Whether a person tells the bot what to do."""
        assert self._bot.user is not None
        if message.author.bot or message.webhook_id is not None:
            return False
        replied = message.reference.resolved if message.reference is not None else None
        answered = replied if isinstance(replied, discord.Message) else None
        text = text_to(message, self._bot.user, self._router.bot_name, answered)
        return text is not None and self._router.is_order(text)

    def _caught_up(self, guild: discord.Guild) -> None:
        """Tell what was ordered meanwhile; it is carried out once all that was said before is known."""
        self._bot.dispatch("caught_up", guild, self._orders.pop(guild.id, {}))

    # Who can read what

    @commands.Cog.listener()
    async def on_guild_channel_create(self, channel: discord.abc.GuildChannel) -> None:
        """Know a new channel."""
        await self._update_channels(channel.guild)

    @commands.Cog.listener()
    async def on_guild_channel_update(self, _before: discord.abc.GuildChannel, after: discord.abc.GuildChannel) -> None:
        """Follow a channel's name and permissions, and with them those of its threads."""
        await self._update_channels(after.guild)

    @commands.Cog.listener()
    async def on_thread_create(self, thread: discord.Thread) -> None:
        """Know a new thread."""
        await self._update_channels(thread.guild)

    @commands.Cog.listener()
    async def on_thread_join(self, thread: discord.Thread) -> None:
        """Know a thread that came back from the archive."""
        await self._update_channels(thread.guild)

    @commands.Cog.listener()
    async def on_thread_update(self, _before: discord.Thread, after: discord.Thread) -> None:
        """Follow a thread's name."""
        await self._update_channels(after.guild)

    @commands.Cog.listener()
    async def on_guild_role_update(self, before: discord.Role, after: discord.Role) -> None:
        """Follow what a role may see."""
        if before.permissions != after.permissions:
            await self._update_channels(after.guild)

    @commands.Cog.listener()
    async def on_guild_role_create(self, role: discord.Role) -> None:
        """Follow what a new role may see."""
        await self._update_channels(role.guild)

    @commands.Cog.listener()
    async def on_guild_role_delete(self, role: discord.Role) -> None:
        """Follow what is left without a role."""
        await self._update_channels(role.guild)

    @commands.Cog.listener()
    async def on_base_role(self, guild: discord.Guild) -> None:
        """Follow which role counts as everyone."""
        await self._update_channels(guild)

    async def _update_channels(self, guild: discord.Guild) -> None:
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
                    await asyncio.sleep(PATIENCE)
                    continue
                except Exception:  # what is told where stays as it was; the next change tries again
                    log.exception("guild %d could not have its channels updated", guild.id)
                    return
                self._known[guild.id] = {channel.channel_id for channel in layout.channels}
                if moved:
                    log.info("guild %d: %d channels have another audience now", guild.id, moved)

    # Catching up

    @commands.Cog.listener()
    async def on_ready(self) -> None:
        """Catch up in every guild, after the first connection and after any that could not be resumed."""
        await asyncio.gather(*(self._catch_up_guild(guild) for guild in self._bot.guilds))

    @commands.Cog.listener()
    async def on_guild_join(self, guild: discord.Guild) -> None:
        """Begin in a new guild."""
        await self._catch_up_guild(guild)

    @commands.Cog.listener()
    async def on_guild_available(self, guild: discord.Guild) -> None:
        """Catch up after an outage."""
        await self._catch_up_guild(guild)

    async def _catch_up_guild(self, guild: discord.Guild) -> None:
        """Bring what a guild wrote meanwhile, whatever goes wrong on the way, as long as the bot is in it."""
        pause = PATIENCE
        while self._bot.get_guild(guild.id) is not None:
            try:
                await self._memory.guilds.back(guild.id)
                await self._read_guild(guild)
                return
            except Exception:  # otherwise nothing of the guild would be stored any more
                log.exception("guild %d could not be caught up on; again in %g seconds", guild.id, pause)
                await asyncio.sleep(pause)
                pause = min(2 * pause, 300)

    async def _read_guild(self, guild: discord.Guild) -> None:
        """Place a guild's channels and bring what was written since their cursors, until nothing is missed."""
        async with self._turns[guild.id]:
            self._live.discard(guild.id)
            await self._update_channels(guild)
            cursors = await self._cursors(guild.id)
            newest = max(cursors.values(), default=None)
            for talk in [c for c in (*guild.channels, *guild.threads) if isinstance(c, MessageChannel)]:
                # A channel without a cursor was silent until the newest message that is known, or is newer.
                after = cursors.get(talk.id, newest)
                last = talk.last_message_id
                if after is not None and last is not None and last > after:
                    await self._catch_up(talk, after)
            while missed := [c for c in (*guild.channels, *guild.threads) if c.id in self._missed]:
                for channel in missed:
                    if isinstance(channel, MessageChannel):
                        await self._catch_up(channel)
                    else:
                        self._missed.pop(channel.id)
            self._live.add(guild.id)
            self._caught_up(guild)

    async def _catch_up(self, channel: MessageChannel, after: int | None = None) -> None:
        """Read a channel from its cursor, or from the first message that was missed, until none is."""
        if channel.id in self._catching:
            return
        self._catching.add(channel.id)
        try:
            if after is None:
                await self._memory.messages.flush()
                first = self._missed.pop(channel.id)
                after = (await self._cursors(channel.guild.id)).get(channel.id, first - 1)
            while after is not None:
                self._missed.pop(channel.id, None)
                after = await self._read(channel, after)
                if channel.id not in self._missed:
                    break
        finally:
            self._catching.discard(channel.id)

    async def _read(self, channel: MessageChannel, after: int) -> int | None:
        """Bring what was written in a channel after a message, through whatever stumbles on the way.

        Returns the last message brought; None where the bot may not read there.
        """
        count = 0
        while True:
            try:
                async for message in channel.history(after=discord.Object(after), limit=None, oldest_first=True):
                    if self._kept(message):
                        kind = author_kind(message, self._me)
                        await self._memory.messages.catch_up(
                            message_of(message, self._me), member_of(message.author, channel.guild.id, kind)
                        )
                        if self._is_order(message):
                            await self._memory.messages.hold_order(channel.guild.id, message.id)
                            self._orders[channel.guild.id][message.id] = message
                        count += 1
                    after = message.id
                break
            except (discord.Forbidden, discord.NotFound) as refused:
                log.warning("channel %d cannot be read: %s", channel.id, refused)
                return None
            except (discord.HTTPException, aiohttp.ClientError, OSError, TimeoutError) as stumbled:
                log.warning("channel %d is read on in a moment (%s)", channel.id, type(stumbled).__name__)
                await asyncio.sleep(PATIENCE)
        if count:
            log.info("channel %d: caught up on %d messages", channel.id, count)
        return after

    async def _cursors(self, guild_id: int) -> dict[int, int]:
        while True:
            try:
                return await self._memory.messages.cursors(guild_id)
            except DatabaseUnavailable as away:
                log.warning("guild %d is caught up on later (%s)", guild_id, away)
                await asyncio.sleep(PATIENCE)
