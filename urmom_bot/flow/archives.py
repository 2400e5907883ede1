"""Threads that were archived while the bot was away: a platform does not list them with the others."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable, Callable, Sequence
from datetime import datetime
from functools import partial

from memory import Channel, GuildErased, MemoryManager
from memory.ids import GuildId, MessageId
from urmom_bot.flow.layouts import Layouts
from urmom_bot.flow.patience import RETRY_PAUSE, until_done
from urmom_bot.flow.platform import ChatChannel, Platform, TryLater
from urmom_bot.snowflakes import first_id

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
        platform: Platform,
        memory: MemoryManager,
        layouts: Layouts,
        *,
        read: Callable[[ChatChannel, MessageId], None],
        compare: Callable[[Sequence[ChatChannel]], Awaitable[None]],
        done: Callable[[GuildId], None],
    ) -> None:
        self._platform = platform
        self._memory = memory
        self._layouts = layouts
        self._read = read
        self._compare = compare
        self._done = done
        self._waiting: asyncio.Queue[tuple[GuildId, datetime, int]] = asyncio.Queue()

    def look_through(self, guild_id: GuildId, since: datetime, tries: int = MAX_TRIES) -> None:
        """Look for threads of a guild that were archived since a moment."""
        self._waiting.put_nowait((guild_id, since, tries))

    async def run(self) -> None:
        """Look through what waits."""
        while True:
            guild_id, since, tries = await self._waiting.get()
            try:
                await self._look(guild_id, since)
            except TryLater as stumbled:
                if not tries:
                    log.error("gave up looking at the archive of guild %d (%s)", guild_id, stumbled)
                    self._done(guild_id)
                    continue
                log.warning("guild %d has its archive looked at later (%s)", guild_id, stumbled)
                asyncio.get_running_loop().call_later(RETRY_PAUSE, self.look_through, guild_id, since, tries - 1)
                continue
            except Exception:  # what else may be missing of the guild must not wait for its archive
                log.exception("guild %d could not have its archive looked at", guild_id)
            self._done(guild_id)

    async def _look(self, guild_id: GuildId, since: datetime) -> None:
        async for threads in self._platform.archived(guild_id, since):
            for thread in threads:
                await until_done(partial(self.look_at, thread, since))
            await until_done(partial(self._compare, threads))

    async def look_at(self, thread: ChatChannel, since: datetime) -> None:
        """Have a thread read where something is missing of it since a moment, or since what is known of it."""
        guild_id, memory = thread.guild_id, self._memory
        known = (await memory.messages.cursors([guild_id]))[guild_id].get(thread.channel_id)
        after = known if known is not None else first_id(since)
        if thread.newest is None or thread.newest <= after:
            return
        try:
            if not self._layouts.knows(guild_id, thread.channel_id):
                audience = self._platform.audience(thread, await memory.guilds.base_role(guild_id))
                await memory.guilds.update_channel(
                    Channel(
                        guild_id=guild_id,
                        channel_id=thread.channel_id,
                        name=thread.name,
                        audience=audience,
                        parent_id=thread.parent_id,
                    )
                )
            if known is None:
                await memory.messages.begin_channels(guild_id, {thread.channel_id: after}, {thread.channel_id: since})
        except GuildErased:
            return
        self._read(thread, after)
