"""Everything written where the bot may read goes to memory as it happens: written, edited, deleted."""

from __future__ import annotations

import logging

import discord
from discord.ext import commands

from memory import DatabaseUnavailable, MemoryManager
from urmom_bot.cogs.asking import Asking
from urmom_bot.cogs.layouts import LayoutsCog
from urmom_bot.cogs.recovery import RecoveryCog, is_kept
from urmom_bot.cogs.translate import author_kind, member_of, message_of, text_of
from urmom_bot.inbox import Inbox

log = logging.getLogger(__name__)


class IngestCog(commands.Cog):
    """Listens. What it cannot take, because memory is full, is read again by the recovery.

    What a message asks of the bot is recorded in the transaction that stores it.
    """

    def __init__(
        self,
        bot: commands.AutoShardedBot,
        memory: MemoryManager,
        layouts: LayoutsCog,
        recovery: RecoveryCog,
        asking: Asking,
        inbox: Inbox,
    ) -> None:
        self._bot = bot
        self._memory = memory
        self._layouts = layouts
        self._recovery = recovery
        self._asking = asking
        self._inbox = inbox

    async def store_message(self, message: discord.Message) -> None:
        """Accept a message; where memory is full or its guild not known yet, leave it to catching up."""
        guild, channel = message.guild, message.channel
        if guild is None or guild.unavailable or not is_kept(message):
            return  # of a guild that is not there yet, what is missed is read once it is
        assert self._bot.user is not None
        me, asked = self._bot.user.id, self._asking.entry(message)
        if asked is not None:
            self._inbox.expect(asked, message)
        try:
            await self._layouts.know(guild, channel.id if isinstance(channel, discord.Thread) else 0)
        except DatabaseUnavailable as away:
            log.warning("a message is read again later: its channels are not known yet (%s)", away)
        else:
            if asked is None and (asked := self._asking.entry(message)) is not None:  # by a name of this guild's
                self._inbox.expect(asked, message)
            is_current = self._recovery.is_current(guild.id, channel.id)
            accepted = await self._memory.messages.ingest(
                message_of(message, me, is_known=self._layouts.knows(guild.id, channel.id)),
                member_of(message.author, guild.id, author_kind(message, me)),
                asked=asked,
                advances_read_position=is_current,
            )
            if accepted:
                self._recovery.on_accepted(channel.id, message.id, moved_cursor=is_current)
                return
        self._recovery.schedule_read(channel, message.id)
        if asked is not None:
            await self._inbox.record(asked, message)

    @commands.Cog.listener()
    async def on_raw_message_edit(self, payload: discord.RawMessageUpdateEvent) -> None:
        """Replace a text that was edited; a link's preview is no edit."""
        message = payload.message
        if payload.guild_id is None or message.edited_at is None:
            return
        cached = payload.cached_message
        if cached is not None and cached.edited_at == message.edited_at and cached.content == message.content:
            return
        asked = self._asking.edit(message) if message.guild is not None else None
        if asked is not None and cached is not None and cached.content == message.content:
            asked = None
        if asked is not None:
            self._inbox.expect(asked, message)
        await self._memory.messages.edit(
            payload.guild_id,
            message.id,
            text_of(message),
            message.edited_at,
            asked=asked,
            channel_id=payload.channel_id,
        )

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
