"""Discord's events, handed to the flow."""

from __future__ import annotations

import discord
from discord.ext import commands

from memory.ids import ChannelId, GuildId, MessageId, UserId
from urmom_bot.cogs.translate import channel_of, guild_of, incoming
from urmom_bot.flow import Flow
from urmom_bot.flow.platform import ChatMessage, Reaction


class EventsCog(commands.Cog):
    """Translates what happens; what is to be done about it, the flow knows."""

    def __init__(self, bot: commands.AutoShardedBot, flow: Flow) -> None:
        self._bot = bot
        self._flow = flow

    async def cog_load(self) -> None:
        """Begin to catch up, and learn which direct messages were taken on before the bot was away."""
        await self._flow.catching_up.start()
        await self._flow.responder.on_away()

    async def cog_unload(self) -> None:
        """Read nothing more."""
        await self._flow.catching_up.stop()

    def _incoming(self, message: discord.Message) -> ChatMessage:
        assert self._bot.user is not None
        return incoming(message, self._bot.user.id)

    # Messages

    async def accept(self, message: discord.Message) -> None:
        """Store a message of a server; take on a direct one."""
        flow = self._flow
        await (flow.responder.take_direct if message.guild is None else flow.listener.accept)(self._incoming(message))

    @commands.Cog.listener()
    async def on_raw_message_edit(self, payload: discord.RawMessageUpdateEvent) -> None:
        """Replace a text that was edited."""
        if payload.guild_id is not None:
            cached = payload.cached_message
            before = None if cached is None else self._incoming(cached)
            await self._flow.listener.edit(self._incoming(payload.message), before)

    @commands.Cog.listener()
    async def on_raw_message_delete(self, payload: discord.RawMessageDeleteEvent) -> None:
        """Remove a message."""
        if payload.guild_id is not None:
            await self._flow.listener.delete(GuildId(payload.guild_id), [MessageId(payload.message_id)])

    @commands.Cog.listener()
    async def on_raw_bulk_message_delete(self, payload: discord.RawBulkMessageDeleteEvent) -> None:
        """Remove many messages."""
        if payload.guild_id is not None:
            await self._flow.listener.delete(GuildId(payload.guild_id), [MessageId(n) for n in payload.message_ids])

    @commands.Cog.listener()
    async def on_raw_reaction_add(self, payload: discord.RawReactionActionEvent) -> None:
        """Take on what a reaction asks for."""
        if payload.guild_id is not None:
            await self._flow.jokes.accept(
                Reaction(
                    guild_id=GuildId(payload.guild_id),
                    channel_id=ChannelId(payload.channel_id),
                    message_id=MessageId(payload.message_id),
                    user_id=UserId(payload.user_id),
                    emoji=str(payload.emoji),
                    is_by_bot=payload.member is not None and payload.member.bot,
                )
            )

    # Channels, threads and roles

    @commands.Cog.listener()
    async def on_guild_channel_create(self, channel: discord.abc.GuildChannel) -> None:
        """Know a new channel."""
        await self._flow.layouts.update(GuildId(channel.guild.id))

    @commands.Cog.listener()
    async def on_guild_channel_update(self, _before: discord.abc.GuildChannel, after: discord.abc.GuildChannel) -> None:
        """Follow a channel's name and permissions, and with them those of its threads."""
        await self._flow.layouts.update(GuildId(after.guild.id))

    @commands.Cog.listener()
    async def on_guild_channel_delete(self, channel: discord.abc.GuildChannel) -> None:
        """Forget a channel and its threads."""
        await self._flow.removals.on_channel_gone(GuildId(channel.guild.id), ChannelId(channel.id))

    @commands.Cog.listener()
    async def on_thread_create(self, thread: discord.Thread) -> None:
        """Know a new thread."""
        await self._flow.layouts.update(GuildId(thread.guild.id))

    @commands.Cog.listener("on_thread_join")
    async def know_opened(self, thread: discord.Thread) -> None:
        """Know a thread that came back from the archive."""
        await self._flow.layouts.update(GuildId(thread.guild.id))

    @commands.Cog.listener("on_thread_join")
    async def read_opened(self, thread: discord.Thread) -> None:
        """Read what is missing of a thread that came back from the archive."""
        await self._flow.catching_up.on_thread_opened(channel_of(thread))

    @commands.Cog.listener()
    async def on_thread_update(self, _before: discord.Thread, after: discord.Thread) -> None:
        """Follow a thread's name."""
        await self._flow.layouts.update(GuildId(after.guild.id))

    @commands.Cog.listener()
    async def on_raw_thread_delete(self, payload: discord.RawThreadDeleteEvent) -> None:
        """Forget a thread."""
        await self._flow.removals.on_channel_gone(GuildId(payload.guild_id), ChannelId(payload.thread_id))

    @commands.Cog.listener()
    async def on_guild_role_update(self, before: discord.Role, after: discord.Role) -> None:
        """Follow what a role may see."""
        if before.permissions != after.permissions:
            await self._flow.layouts.update(GuildId(after.guild.id))

    @commands.Cog.listener()
    async def on_guild_role_create(self, role: discord.Role) -> None:
        """Follow what a new role may see."""
        await self._flow.layouts.update(GuildId(role.guild.id))

    @commands.Cog.listener()
    async def on_guild_role_delete(self, role: discord.Role) -> None:
        """Follow what is left without a role."""
        await self._flow.layouts.update(GuildId(role.guild.id))

    # Members

    @commands.Cog.listener()
    async def on_raw_member_remove(self, payload: discord.RawMemberRemoveEvent) -> None:
        """Note that a member left."""
        await self._flow.removals.on_member_left(GuildId(payload.guild_id), UserId(payload.user.id))

    @commands.Cog.listener()
    async def on_member_ban(self, guild: discord.Guild, user: discord.User | discord.Member) -> None:
        """Note that a member is banned."""
        await self._flow.removals.on_banned(GuildId(guild.id), UserId(user.id))

    # Guilds

    @commands.Cog.listener()
    async def on_guild_available(self, guild: discord.Guild) -> None:
        """Look at a guild that is there, or there again."""
        self._flow.catching_up.look_at([GuildId(guild.id)])

    @commands.Cog.listener()
    async def on_guild_unavailable(self, guild: discord.Guild) -> None:
        """Note that a guild hears nothing until it is back."""
        self._flow.catching_up.on_guild_unavailable(GuildId(guild.id))

    @commands.Cog.listener()
    async def on_guild_join(self, guild: discord.Guild) -> None:
        """Begin in a new guild."""
        self._flow.catching_up.look_at([GuildId(guild.id)])
        await self._flow.removals.on_guild_joined(guild_of(guild))

    @commands.Cog.listener()
    async def on_guild_update(self, before: discord.Guild, after: discord.Guild) -> None:
        """Note what a guild is called now."""
        if before.name != after.name:
            await self._flow.removals.on_guild_named(guild_of(after))

    @commands.Cog.listener()
    async def on_guild_remove(self, guild: discord.Guild) -> None:
        """Let go of a guild that removed the bot."""
        self._flow.catching_up.begin_anew(GuildId(guild.id))
        await self._flow.removals.on_guild_left(GuildId(guild.id))

    # The connection

    @commands.Cog.listener()
    async def on_shard_connect(self, shard_id: int) -> None:
        """Begin anew with the guilds of a shard whose connection could not be resumed."""
        self._flow.catching_up.on_connect(shard_id)

    @commands.Cog.listener()
    async def on_shard_ready(self, shard_id: int) -> None:
        """Look at all guilds of a shard, and at the direct messages, which come to the first."""
        self._flow.catching_up.on_ready(shard_id)
        if shard_id == 0:
            await self._flow.responder.on_back()

    @commands.Cog.listener("on_shard_ready")
    async def look_for_removals(self, shard_id: int) -> None:
        """Find out which guilds removed the bot while it was away."""
        await self._flow.removals.on_ready(shard_id)

    @commands.Cog.listener()
    async def on_shard_resumed(self, shard_id: int) -> None:
        """Go on: Discord sends again what was missed."""
        self._flow.catching_up.on_resumed(shard_id)

    @commands.Cog.listener()
    async def on_shard_disconnect(self, shard_id: int) -> None:
        """Note that a shard hears nothing."""
        self._flow.catching_up.on_disconnect(shard_id)
        if shard_id == 0:
            await self._flow.responder.on_away()
