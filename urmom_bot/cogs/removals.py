"""What goes away in Discord goes away here: channels, threads, members, guilds, and what was missed meanwhile."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable, Callable
from contextlib import suppress
from datetime import datetime, timedelta
from functools import partial
from typing import TypeVar

import aiohttp
import discord
from discord.ext import commands
from discord.utils import time_snowflake

from memory import AuthorKind, DatabaseUnavailable, GuildErased, MemoryManager
from urmom_bot.cogs.ingest import PATIENCE, MessageChannel
from urmom_bot.cogs.interactions import view_of
from urmom_bot.cogs.speech import NOBODY
from urmom_bot.cogs.translate import text_of
from urmom_bot.panels import Button, Panels
from urmom_bot.talk import Texts, language_of

log = logging.getLogger(__name__)

T = TypeVar("T")

COMPARED = timedelta(hours=24)
"""How far back before it went away the bot looks for messages that were deleted or edited while it was."""

LONGEST = timedelta(days=8)
"""How far back it looks at the most."""

ROLL_CALL = 100
"""Members asked after in one request (Discord)."""

TRIES = 3
"""How often something is tried that fails for another reason than an absent database."""

ALIVE = "alive"
"""The name under which it is noted when the bot was last there."""


class RemovalsCog(commands.Cog):
    """Forgets what is gone. An outage is no departure, and a member or guild that comes back in time was never gone."""

    def __init__(
        self,
        bot: commands.AutoShardedBot,
        memory: MemoryManager,
        panels: Panels,
        clock: Callable[[], datetime],
    ) -> None:
        self._bot = bot
        self._memory = memory
        self._panels = panels
        self._clock = clock
        self._away_since: datetime | None = None

    async def cog_load(self) -> None:
        """Note since when the bot was away."""
        last = await self._memory.guilds.state(ALIVE)
        self._away_since = datetime.fromisoformat(last) if last else None
        await self.note_alive()

    async def note_alive(self) -> None:
        """Note that the bot is there."""
        await self._memory.guilds.set_state(ALIVE, self._clock().isoformat())

    # Channels and threads

    @commands.Cog.listener()
    async def on_guild_channel_delete(self, channel: discord.abc.GuildChannel) -> None:
        """Forget a channel and its threads."""
        await self._channel_gone(channel.guild.id, channel.id)

    @commands.Cog.listener()
    async def on_raw_thread_delete(self, payload: discord.RawThreadDeleteEvent) -> None:
        """Forget a thread."""
        await self._channel_gone(payload.guild_id, payload.thread_id)

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
        await _until_done(lambda: self._memory.guilds.members_left(payload.guild_id, [payload.user.id]))

    @commands.Cog.listener()
    async def on_member_ban(self, guild: discord.Guild, user: discord.User | discord.Member) -> None:
        """Note that a member is banned, and look for messages that were purged with them."""
        await _until_done(lambda: self._memory.guilds.members_left(guild.id, [user.id]))
        await self._compare(guild, self._clock() - LONGEST)

    async def call_roll(self, guild: discord.Guild) -> None:
        """Ask which of the known members are there still: without the members intent, nobody says that they leave."""
        members = await self._memory.guilds.members(guild.id)
        known = [m.user_id for m in members.values() if m.author_kind is AuthorKind.MEMBER]
        for start in range(0, len(known), ROLL_CALL):
            asked = known[start : start + ROLL_CALL]
            try:
                found = await asyncio.wait_for(guild.query_members(user_ids=asked, limit=ROLL_CALL, cache=False), 10)
            except (TimeoutError, discord.DiscordException) as failed:
                log.info("members of guild %d could not be asked after (%s)", guild.id, type(failed).__name__)
                return
            there = {member.id for member in found}
            await self._memory.guilds.members_back(guild.id, there)
            await self._memory.guilds.members_left(guild.id, [u for u in asked if u not in there])
            if start + ROLL_CALL < len(known):
                await asyncio.sleep(1)  # Discord takes two a second

    # Guilds

    @commands.Cog.listener()
    async def on_guild_remove(self, guild: discord.Guild) -> None:
        """The bot was removed: what is stored goes after a grace."""
        await _until_done(lambda: self._memory.guilds.left(guild.id))

    @commands.Cog.listener()
    async def on_guild_join(self, guild: discord.Guild) -> None:
        """Say once what is stored, for how long, and how to stop it."""
        await _until_done(lambda: self._memory.guilds.back(guild.id))
        if not await self._memory.guilds.greet(guild.id):
            return
        texts = Texts(language_of(str(guild.preferred_locale)))
        buttons = (
            Button(label=texts("button_policy"), action="policy", style="primary"),
            Button(label=texts("button_privacy"), action="privacy"),
        )
        for channel in [guild.system_channel, *guild.text_channels]:
            if channel is not None and channel.permissions_for(guild.me).send_messages:
                with suppress(discord.HTTPException):
                    text = texts("greeting", retention=self._panels.privacy.days.retention)
                    await channel.send(text, view=view_of((buttons,)), allowed_mentions=NOBODY)
                    return

    @commands.Cog.listener()
    async def on_guild_available(self, guild: discord.Guild) -> None:
        """A guild is there."""
        if self._bot.get_guild(guild.id) is not None:
            await _until_done(lambda: self._memory.guilds.back(guild.id))

    # What was missed

    @commands.Cog.listener()
    async def on_ready(self) -> None:
        """Find out what went while the bot was away."""
        there = {guild.id for guild in self._bot.guilds}
        for guild_id in await _until_done(self._memory.guilds.list):
            if guild_id in there or not self._mine(guild_id):
                continue
            if await _until_done(partial(self._memory.messages.cursors, guild_id)):
                log.info("guild %d is gone: what is stored of it goes after a grace", guild_id)
                await _until_done(partial(self._memory.guilds.left, guild_id))
        since = max((self._away_since or self._clock()) - COMPARED, self._clock() - LONGEST)
        for guild in self._bot.guilds:
            if not guild.unavailable:
                await self._follow_up(guild, since)

    async def _follow_up(self, guild: discord.Guild, since: datetime) -> None:
        """Find out what went in a guild since a moment; what cannot be found out keeps no other guild waiting."""
        for what, look in (
            ("its return noted", partial(self._memory.guilds.back, guild.id)),
            ("its channels looked for", partial(self._channels_gone, guild, since)),
            ("its messages compared", partial(self._compare, guild, since)),
            ("its members asked after", partial(self.call_roll, guild)),
        ):
            try:
                await _until_done(look)
            except Exception:
                log.exception("guild %d could not have %s", guild.id, what)

    def _mine(self, guild_id: int) -> bool:
        """Whether a guild would be seen by this process."""
        count = self._bot.shard_count or 1
        return (guild_id >> 22) % count in self._bot.shards

    async def _channels_gone(self, guild: discord.Guild, since: datetime) -> None:
        """Forget the channels that are no more. Archived threads are not listed: those are asked after."""
        cursors = await self._memory.messages.cursors(guild.id)
        there = {channel.id for channel in (*guild.channels, *guild.threads)}
        for channel in (await self._memory.guilds.channels(guild.id)).values():
            if channel.channel_id in there or channel.channel_id not in cursors:  # without a cursor, it was imported
                continue
            if channel.parent_id is not None and channel.parent_id in there:
                if cursors[channel.channel_id] < time_snowflake(since):
                    continue
                try:
                    await guild.fetch_channel(channel.channel_id)
                    continue
                except discord.NotFound:
                    pass
                except (discord.HTTPException, discord.InvalidData):
                    continue
            await self._channel_gone(guild.id, channel.channel_id)

    async def _compare(self, guild: discord.Guild, since: datetime) -> None:
        """Compare what is stored since a moment with what Discord has: deletions and edits are never told again."""
        after = time_snowflake(since)
        for channel in (*guild.channels, *guild.threads):
            if not isinstance(channel, MessageChannel):
                continue
            allowed = channel.permissions_for(guild.me)
            if not (allowed.view_channel and allowed.read_message_history):
                continue  # without the permission Discord shows an empty channel, not a refusal
            stored = await _until_done(
                lambda channel=channel: self._memory.messages.edits_since(guild.id, channel.id, after)  # type: ignore[misc]
            )
            if not stored:
                continue
            try:
                there = {m.id: m async for m in channel.history(after=discord.Object(after), limit=None)}
            except (discord.HTTPException, aiohttp.ClientError, OSError, TimeoutError) as failed:
                log.warning("channel %d could not be compared (%s)", channel.id, type(failed).__name__)
                continue
            gone = [message_id for message_id in stored if message_id not in there]
            if gone:
                log.info("channel %d: %d messages were deleted meanwhile", channel.id, len(gone))
                await self._memory.messages.delete(guild.id, gone)
            for message_id, edited_at in stored.items():
                message = there.get(message_id)
                if message is None or message.edited_at is None:
                    continue
                if edited_at is None or message.edited_at > edited_at:
                    await self._memory.messages.edit(guild.id, message_id, text_of(message), message.edited_at)


async def _until_done(work: Callable[[], Awaitable[T]]) -> T:
    """Do something that must not be left undone, however long the database is away. Raises what else goes wrong."""
    failed = 0
    while True:
        try:
            return await work()
        except DatabaseUnavailable as away:
            log.warning("removals: waiting for the database (%s)", away)
            await asyncio.sleep(PATIENCE)
        except GuildErased:
            raise
        except Exception:
            failed += 1
            if failed == TRIES:
                raise
            log.exception("removals: trying again")
            await asyncio.sleep(PATIENCE)
