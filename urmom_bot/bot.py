"""The Bot: intents, nobody pinged, cogs, commands synced when they changed, an orderly end."""

from __future__ import annotations

import asyncio
import hashlib
import json
import logging
from collections import Counter
from collections.abc import Awaitable, Callable, Sequence
from datetime import datetime, timedelta
from functools import partial
from itertools import count
from typing import Any

import aiohttp
import discord
from discord.ext import commands

from memory import DatabaseUnavailable, MemoryManager
from urmom_bot.cogs.administration import AdministrationCog
from urmom_bot.cogs.commands import CommandsCog, failed
from urmom_bot.cogs.conversation import ConversationCog
from urmom_bot.cogs.ingest import IngestCog
from urmom_bot.cogs.interactions import PressedButton, Translator
from urmom_bot.cogs.removals import RemovalsCog
from urmom_bot.panels import Panels
from urmom_bot.talk import Jester, Router

log = logging.getLogger(__name__)

UPKEEP = timedelta(hours=1)

TICK = timedelta(seconds=30)
"""How often it is looked for conversations that are over, and for digests that are due."""

CONFIRMED = 10
"""Ticks between two times that facts said again are confirmed: five minutes (seed 002, §5.3)."""

STARTS = frozenset(["READY", "RESUMED"])
"""Events without which there is no connection: what is wrong with them is not to be passed over."""

TREE = "command_tree"
"""The name under which the fingerprint of the synced commands is noted."""


class Bot(commands.AutoShardedBot):
    """The real bot, against the real Discord or a stand-in for it."""

    def __init__(
        self,
        memory: MemoryManager,
        router: Router,
        jester: Jester,
        panels: Panels,
        clock: Callable[[], datetime],
        *,
        joke_emoji: str,
        shard_ids: Sequence[int] | None = None,
        shard_count: int | None = None,
        proxy: str | None = None,
        connector: aiohttp.BaseConnector | None = None,
        guild_ready_timeout: float = 2.0,
    ) -> None:
        discord.VoiceClient.warn_nacl = discord.VoiceClient.warn_dave = False  # it has nothing to say aloud
        intents = discord.Intents.none()
        intents.guilds = intents.messages = intents.message_content = intents.reactions = True
        intents.moderation = True  # who is banned is taken for gone
        super().__init__(
            command_prefix=[],
            help_command=None,
            intents=intents,
            allowed_mentions=discord.AllowedMentions.none(),
            chunk_guilds_at_startup=False,
            max_messages=1_000,
            shard_ids=list(shard_ids) if shard_ids else None,  # type: ignore[arg-type]
            shard_count=shard_count,
            proxy=proxy,
            connector=connector,
            guild_ready_timeout=guild_ready_timeout,
        )
        self.memory = memory
        self.panels = panels
        self._clock = clock
        self._router = router
        self._jester = jester
        self._joke_emoji = joke_emoji
        self._upkeep: asyncio.Task[None] | None = None
        self._conversations: asyncio.Task[None] | None = None
        self.dropped: Counter[str] = Counter()
        """The events of Discord's that could not be read, by name."""
        for event, parse in self._connection.parsers.items():
            if event not in STARTS:
                self._connection.parsers[event] = partial(self._parse, event, parse)
        self.tree.error(failed)

    async def setup_hook(self) -> None:
        """Load the cogs, and sync the commands where they differ from what was synced last."""
        self.add_dynamic_items(PressedButton)
        await self.tree.set_translator(Translator())
        await self.add_cog(IngestCog(self, self.memory, self._router))
        self._removals = RemovalsCog(self, self.memory, self.panels, self._clock)
        await self.add_cog(self._removals)
        await self.add_cog(
            ConversationCog(self, self.memory, self._router, self._jester, self._joke_emoji, self._clock)
        )
        await self.add_cog(CommandsCog(self.tree, self.memory, self._router, self.panels, self.dropped))
        await self.add_cog(AdministrationCog(self.panels))
        tree = [command.to_dict(self.tree) for command in self.tree.get_commands()]
        now = hashlib.sha256(json.dumps([self.application_id, tree], sort_keys=True).encode()).hexdigest()
        if await self.memory.guilds.state(TREE) != now:
            await self.tree.sync()
            await self.memory.guilds.set_state(TREE, now)
        self._upkeep = asyncio.create_task(self._keep_up(), name="upkeep")
        self._conversations = asyncio.create_task(self._keep_talking(), name="conversations")

    def _parse(self, event: str, parse: Callable[[Any], None], data: Any) -> None:
        """Take an event of Discord's, or drop it where it is not of the form it should have: discord.py would end."""
        try:
            parse(data)
        except Exception as malformed:
            self.dropped[event] += 1
            log.error("gateway: an event %s could not be read (%s); dropped", event, type(malformed).__name__)

    async def on_message(self, message: discord.Message) -> None:
        """Leave messages to the cogs: there are no prefix commands."""

    async def on_error(self, event_method: str, /, *args: object, **kwargs: object) -> None:
        """Note what a listener raised, without the message it was about."""
        log.exception("listener %s failed", event_method)

    async def close(self) -> None:
        """Finish the answers that are being made, for a few seconds at the most, and hang up."""
        for loop in (self._upkeep, self._conversations):
            if loop is not None:
                loop.cancel()
        current = asyncio.current_task()
        busy = [t for t in asyncio.all_tasks() if t.get_name() == "discord.py: on_message" and t is not current]
        if busy:
            await asyncio.wait(busy, timeout=8)
        await super().close()

    async def _keep_up(self) -> None:
        """Do every hour what is to be done every hour. Whatever fails is logged by its name and tried the next time."""
        for hours in count():
            await self._attempted("purging", self._purge)
            await self._attempted("noting that the bot is there", self._removals.note_alive)
            if self.is_ready() and hours % 24 == 23:
                for guild in self.guilds:
                    await self._attempted("the roll call", partial(self._removals.call_roll, guild))
            await asyncio.sleep(UPKEEP.total_seconds())

    async def _keep_talking(self) -> None:
        """Every half minute end the conversations that are over and make their digests."""
        for tick in count():
            await asyncio.sleep(TICK.total_seconds())
            await self._attempted("what conversations leave", self.memory.conversations.keep_going)
            if tick % CONFIRMED == CONFIRMED - 1:
                await self._attempted("confirming facts", self._confirm)

    async def _confirm(self) -> None:
        await self.memory.conversations.confirm_told_again()

    async def _purge(self) -> None:
        if gone := await self.memory.upkeep():
            log.info("upkeep: %d messages were older than is kept", gone)

    async def _attempted(self, what: str, work: Callable[[], Awaitable[None]]) -> None:
        try:
            await work()
        except DatabaseUnavailable as away:
            log.warning("upkeep: %s is left to the next time (%s)", what, away)
        except Exception:  # the next hour's work must be done whatever becomes of this hour's
            log.exception("upkeep: %s failed", what)
