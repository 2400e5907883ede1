"""Threads that were archived while the bot was away: Discord does not list them with the others."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable, Callable, Sequence
from contextlib import suppress
from datetime import datetime
from functools import partial

import aiohttp
import discord
from discord.utils import time_snowflake

from memory import Channel, GuildErased, MemoryManager
from urmom_bot.cogs.layouts import LayoutsCog
from urmom_bot.cogs.patience import RETRY_PAUSE, until_done
from urmom_bot.cogs.translate import audience_in
from urmom_bot.pace import Pace

log = logging.getLogger(__name__)


MAX_TRIES = 20
"""How often a guild's archive is looked at that fails."""


class Archives:
    """Looks through the archives of guilds, one after the other.

    `read` is told of a thread, and of the message after which something is missing; `compare` of the threads that
    were archived meanwhile; `done` of a guild that is through.
    """

    def __init__(
        self,
        memory: MemoryManager,
        layouts: LayoutsCog,
        pace: Pace,
        *,
        read: Callable[[discord.Thread, int], None],
        compare: Callable[[Sequence[discord.Thread]], Awaitable[None]],
        done: Callable[[discord.Guild], None],
    ) -> None:
        self._memory = memory
        self._layouts = layouts
        self._pace = pace
        self._read = read
        self._compare = compare
        self._done = done
        self._waiting: asyncio.Queue[tuple[discord.Guild, datetime, int]] = asyncio.Queue()

    def look_through(self, guild: discord.Guild, since: datetime, tries: int = MAX_TRIES) -> None:
        """Look for threads of a guild that were archived since a moment."""
        self._waiting.put_nowait((guild, since, tries))

    async def run(self) -> None:
        """Look through what waits."""
        while True:
            guild, since, tries = await self._waiting.get()
            try:
                await self._look(guild, since)
            except (discord.HTTPException, aiohttp.ClientError, OSError, TimeoutError) as stumbled:
                if not tries:
                    log.error("gave up looking at the archive of guild %d (%s)", guild.id, type(stumbled).__name__)
                    self._done(guild)
                    continue
                log.warning("guild %d has its archive looked at later (%s)", guild.id, type(stumbled).__name__)
                asyncio.get_running_loop().call_later(RETRY_PAUSE, self.look_through, guild, since, tries - 1)
                continue
            except Exception:  # what else may be missing of the guild must not wait for its archive
                log.exception("guild %d could not have its archive looked at", guild.id)
            self._done(guild)

    async def _look(self, guild: discord.Guild, since: datetime) -> None:
        parents: list[discord.TextChannel | discord.ForumChannel] = [*guild.text_channels, *guild.forums]
        for parent in parents:
            allowed = parent.permissions_for(guild.me)
            if not (allowed.view_channel and allowed.read_message_history):
                continue
            kinds = [parent.archived_threads(limit=None)]
            if isinstance(parent, discord.TextChannel) and allowed.manage_threads:
                kinds.append(parent.archived_threads(limit=None, private=True))
            for threads in kinds:
                found: list[discord.Thread] = []
                with suppress(discord.Forbidden, discord.NotFound):
                    async with self._pace.within_limit():
                        async for thread in threads:  # those that went there last come first
                            if thread.archive_timestamp <= since:
                                break
                            found.append(thread)
                for thread in found:
                    await until_done(partial(self.look_at, thread, since))
                if found:
                    await until_done(partial(self._compare, found))

    async def look_at(self, thread: discord.Thread, since: datetime) -> None:
        """Have a thread read where something is missing of it since a moment, or since what is known of it."""
        guild, memory = thread.guild, self._memory
        known = (await memory.messages.cursors([guild.id]))[guild.id].get(thread.id)
        after, last = known if known is not None else time_snowflake(since), thread.last_message_id
        if last is None or last <= after:
            return
        try:
            if not self._layouts.knows(guild.id, thread.id):
                audience = audience_in(thread, thread.id, await memory.guilds.base_role(guild.id))
                await memory.guilds.update_channel(
                    Channel(
                        guild_id=guild.id,
                        channel_id=thread.id,
                        name=thread.name,
                        audience=audience,
                        parent_id=thread.parent_id,
                    )
                )
            if known is None:
                await memory.messages.begin_channels(guild.id, {thread.id: after}, {thread.id: since})
        except GuildErased:
            return
        self._read(thread, after)
