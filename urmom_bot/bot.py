"""The Bot: intents, nobody pinged, cogs, commands synced when they changed, an orderly end."""

from __future__ import annotations

import asyncio
import hashlib
import json
import logging
from collections import Counter
from collections.abc import Callable, Coroutine
from contextlib import suppress
from dataclasses import dataclass
from datetime import timedelta
from functools import partial
from typing import Any
from weakref import WeakSet

import aiohttp
import discord
from discord.ext import commands
from discord.gateway import DiscordWebSocket

from memory import DatabaseUnavailable, MemoryManager
from memory.ids import ALL_GUILDS, ChannelId, GuildId
from urmom_bot import gateway
from urmom_bot.cogs.administration import AdministrationCog
from urmom_bot.cogs.commands import CommandsCog, failed
from urmom_bot.cogs.events import EventsCog
from urmom_bot.cogs.interactions import PressedButton, Translator, tell_later
from urmom_bot.cogs.platform import DiscordPlatform
from urmom_bot.flow import Flow
from urmom_bot.flow.describing import DESCRIBING_INTERVAL
from urmom_bot.flow.inbox import SCAN_INTERVAL
from urmom_bot.flow.platform import ChatMessage
from urmom_bot.flow.posting import POSTING_INTERVAL
from urmom_bot.pace import Pace
from urmom_bot.panels import Panels
from urmom_bot.portal import lacking
from urmom_bot.presence import presence
from urmom_bot.talk import Health, Jester, Router, learn
from urmom_bot.views import ChannelRights

log = logging.getLogger(__name__)

UPKEEP = timedelta(hours=1)

SESSIONS_INTERVAL = 30.0
"""Seconds between two looks for conversations that are over, and for digests that are due."""

CONFIRMING_INTERVAL = 300.0
"""Seconds between two times that facts said again are confirmed: five minutes (seed 002, §5.3)."""

SHARDS = 5.0
"""Seconds between two looks for shards that nobody runs."""

ORPHANED = timedelta(seconds=15)
"""How long nobody is connected with a shard before another process takes it over: a restart is quicker."""

REQUESTS_PER_SECOND = 45.0
"""Requests a second to Discord, of which catching up makes what answers leave: 50 are allowed (Discord)."""

LOGINS_KEPT = 0.05
"""The part of Discord's daily logins that is not used: at none left it would take the token away."""

LOGIN_PAUSE = timedelta(seconds=5)
"""Between two logins of one turn (Discord)."""

ROLL_CALLS = 2.0
"""Seconds between the roll calls of two guilds."""

PARKED = 15.0
"""Seconds between two looks for parked work that the operator wants tried again."""

STARTS = frozenset(["READY", "RESUMED"])
"""Events without which there is no connection: what is wrong with them is not to be passed over."""

EXEMPT = ("/api/v10/interactions", "/api/v10/webhooks")
"""Paths of requests that Discord does not count."""

PRESENCE = 30.0
"""Seconds between two looks at whether the models can be asked."""

SPEAKING = ("presence", "posts", "what is parked", "shards", "roll call")
"""The loops that speak to Discord: they end before the connection that they speak by."""

TREE = "command_tree"
"""The name under which the fingerprint of the synced commands is noted."""


@dataclass(frozen=True, kw_only=True)
class Link:
    """How a process is connected to Discord."""

    shard_ids: tuple[int, ...] | None = None
    """Its shards; all of them without."""
    shard_count: int | None = None
    """How many there are in all processes; Discord is asked without."""
    takes_over: bool = False
    """Whether it takes on the shards of processes that end."""
    proxy: str | None = None
    connector: aiohttp.BaseConnector | None = None
    guild_ready_timeout: float = 2.0
    """Seconds without a server's data after which a shard counts as ready."""


class Bot(commands.AutoShardedBot):
    """The real bot, against the real Discord or a stand-in for it."""

    def __init__(
        self,
        memory: MemoryManager,
        router: Router,
        jester: Jester,
        panels: Panels,
        *,
        joke_emoji: str,
        link: Link,
    ) -> None:
        gateway.use()
        discord.VoiceClient.warn_nacl = discord.VoiceClient.warn_dave = False  # it has nothing to say aloud
        self._pace = Pace(self._calls)
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
            shard_ids=list(link.shard_ids) if link.shard_ids else None,  # type: ignore[arg-type]
            shard_count=link.shard_count,
            proxy=link.proxy,
            connector=link.connector,
            guild_ready_timeout=link.guild_ready_timeout,
            http_trace=self._trace(),
        )
        self.memory = memory
        self.panels = panels
        self._router = router
        self.flow = Flow(DiscordPlatform(self, memory, self._pace), memory, router, jester, panels, joke_emoji)
        self._logins_at_once = 1
        self._takes_over = link.takes_over
        self._requests: set[asyncio.Task[Any]] = set()
        self.http.request = partial(self._request, self.http.request)  # type: ignore[method-assign]
        self._events: WeakSet[asyncio.Task[None]] = WeakSet()
        self._presence: str | None = None
        self.dropped: Counter[str] = Counter()
        """The events of Discord's that could not be read, by name."""
        for event, parse in self._connection.parsers.items():
            if event not in STARTS:
                self._connection.parsers[event] = partial(self._parse, event, parse)
        self.tree.error(failed)

    async def _request(self, send: Callable[..., Coroutine[Any, Any, Any]], *args: Any, **kwargs: Any) -> Any:
        """Send a request to its end, also where whoever wanted it is cancelled meanwhile.

        The library would never send anything again once a request is cancelled that waits for Discord's global limit.
        """
        task = asyncio.create_task(send(*args, **kwargs), name="request")
        self._requests.add(task)
        task.add_done_callback(self._sent)
        return await asyncio.shield(task)

    def _sent(self, task: asyncio.Task[Any]) -> None:
        self._requests.discard(task)
        if not task.cancelled():
            task.exception()  # nobody may be left to hear of it

    def _trace(self) -> aiohttp.TraceConfig:
        """Counts every request but those that Discord does not limit: answers to interactions."""

        async def count(_session: object, _context: object, sent: aiohttp.TraceRequestStartParams) -> None:
            if not sent.url.path.startswith(EXEMPT):
                self._pace.count()

        trace = aiohttp.TraceConfig()
        trace.on_request_start.append(count)
        return trace

    def _calls(self) -> float:
        """Requests a second that this process may make: all processes together have those of one bot."""
        return REQUESTS_PER_SECOND / max(1, self.memory.inbox.processes)

    async def setup_hook(self) -> None:
        """Load the cogs, and sync the commands where they differ from what was synced last."""
        self.add_dynamic_items(PressedButton)
        await self.tree.set_translator(Translator())
        await asyncio.to_thread(learn)
        self.panels.settings.rights_in = self._lacking
        self.flow.inbox.run_for(self._answered_guilds, self._tell_later, self.flow.responder.tell_gave_up)
        self._incoming = EventsCog(self, self.flow)
        await self.add_cog(self._incoming)
        await self.add_cog(CommandsCog(self.tree, self.memory, self._router, self.panels, self._health))
        await self.add_cog(AdministrationCog(self.panels))
        tree = [command.to_dict(self.tree) for command in self.tree.get_commands()]
        now = hashlib.sha256(json.dumps([self.application_id, tree], sort_keys=True).encode()).hexdigest()
        if await self.memory.guilds.state(TREE) != now:
            await self.tree.sync()
            await self.memory.guilds.set_state(TREE, now)
        loops = self.memory.loops
        loops.start("upkeep", self._purge, every=UPKEEP.total_seconds() / 12)
        loops.start(
            "what conversations leave", self.memory.conversations.keep_going, every=SESSIONS_INTERVAL, at_once=False
        )
        loops.start("confirming facts", self._confirm, every=CONFIRMING_INTERVAL, at_once=False)
        loops.start("captions", self.flow.describer.look, every=DESCRIBING_INTERVAL, at_once=False)
        loops.start("reading ahead", self._read_ahead, every=READING_AHEAD.total_seconds() / 12, at_once=False)
        loops.start("posts", self.flow.poster.post_due, every=POSTING_INTERVAL, at_once=False)
        loops.start("inbox", self.flow.inbox.scan, every=SCAN_INTERVAL, at_once=False)
        loops.start("presence", self.tell_presence, every=PRESENCE, at_once=False)
        loops.start("what is parked", self.retry_parked, every=PARKED, at_once=False)
        if self._takes_over:
            loops.start("shards", self._share_shards, every=SHARDS, at_once=False)
        loops.start("roll call", self._call_roll, every=ROLL_CALLS)

    async def connect(self, *, reconnect: bool = True) -> None:
        """Connect, within Discord's budget of logins: a bot that starts over and over must not use it up."""
        shards, limits = await self._gateway()
        if self.shard_count is None:
            self.shard_count = shards
        needed = len(self.shard_ids) if self.shard_ids else self.shard_count
        log.info("Discord allows %d more logins of %d today", limits.remaining, limits.total)
        if limits.remaining < needed + limits.total * LOGINS_KEPT:
            seconds = limits.reset_after / 1_000
            log.error(
                "only %d logins are left of Discord's %d a day, at none of which it would take the token away:"
                " waiting %.0f minutes for new ones. Look what makes the bot start so often.",
                *(limits.remaining, limits.total, seconds / 60),
            )
            await asyncio.sleep(seconds)
        self._logins_at_once = max(1, limits.max_concurrency)
        await super().connect(reconnect=reconnect)

    async def _gateway(self) -> tuple[int, discord.SessionStartLimits]:
        """How many shards Discord recommends, and which logins it allows; its own trouble is waited for."""
        pause = 1.0
        while True:
            try:
                shards, _, limits = await self.http.get_bot_gateway()
                return shards, discord.SessionStartLimits(**limits)
            except discord.GatewayNotFound as failed:
                if not isinstance(failed.__cause__, discord.DiscordServerError):
                    raise
                log.warning("Discord has problems: asking for its gateway again in %.0f s", pause)
                await asyncio.sleep(pause)
                pause = min(2 * pause, 60)

    async def before_identify_hook(self, shard_id: int | None, *, initial: bool = False) -> None:
        """Wait for a shard's turn to log in, among all processes: Discord takes some in five seconds."""
        if self.shard_count == 1:
            await super().before_identify_hook(shard_id, initial=initial)
            return
        turn = f"login {(shard_id or 0) % self._logins_at_once}"
        while not await self._may_log_in(turn):  # noqa: ASYNC110 (another process has the turn)
            await asyncio.sleep(0.2)

    async def _may_log_in(self, turn: str) -> bool:
        try:
            return await self.memory.guilds.is_due(turn, LOGIN_PAUSE)
        except DatabaseUnavailable:  # the processes cannot take turns: this one keeps Discord's pause by itself
            await asyncio.sleep(LOGIN_PAUSE.total_seconds())
            return True

    async def _share_shards(self) -> None:
        """Take over shards that nobody runs, and let go of those that another process took over meanwhile."""
        count = self.shard_count
        assert count is not None
        if not self.is_ready():
            return
        mine = set(await self.memory.inbox.claim_shards(count, count, idle=ORPHANED))
        before = set(self.shard_ids or ())
        self.shard_ids = self._connection.shard_ids = sorted(mine)
        for shard_id in sorted(before - mine):
            log.warning("shard %d is run by another process now", shard_id)
            await self.shards[shard_id].disconnect()
        for shard_id in sorted(mine - before):
            log.info("taking over shard %d: nobody runs it", shard_id)
            if shard_id in self.shards:
                await self.shards[shard_id].reconnect()
            else:
                await self.launch_shard(DiscordWebSocket.DEFAULT_GATEWAY, shard_id)

    @property
    def own_shards(self) -> list[discord.ShardInfo]:
        """The shards that this process runs."""
        return [shard for n, shard in self.shards.items() if self.shard_ids is None or n in self.shard_ids]

    def _parse(self, event: str, parse: Callable[[Any], None], data: Any) -> None:
        """Take an event of Discord's, or drop it where it is not of the form it should have: discord.py would end."""
        try:
            parse(data)
        except Exception as malformed:
            self.dropped[event] += 1
            log.error("gateway: an event %s could not be read (%s); dropped", event, type(malformed).__name__)

    async def on_error(self, event_method: str, /, *args: object, **kwargs: object) -> None:
        """Note what a listener raised, without the message it was about."""
        if self.is_closed():  # it would have sent something, and nothing is sent any more
            log.info("listener %s ended with the bot", event_method)
            return
        log.exception("listener %s failed", event_method)

    async def close(self) -> None:
        """Finish the answers that are being made, for a few seconds at the most, and hang up."""
        await self.flow.inbox.close()
        with suppress(TimeoutError):  # one that hangs must not keep the process from ending
            async with asyncio.timeout(1):
                await self.memory.loops.stop(*SPEAKING)
        if self.is_ready():
            with suppress(DatabaseUnavailable):
                await self.flow.catching_up.note_connected()
        await super().close()
        # What still waits, for a database that is away, waits for nothing any more.
        events = {task for task in self._events if not task.done()}
        if waiting := (events | self._requests) - {asyncio.current_task()}:
            _, late = await asyncio.wait(waiting, timeout=1)
            for task in late:
                task.cancel()

    def _schedule_event(
        self, coro: Callable[..., Coroutine[Any, Any, Any]], event_name: str, *args: Any, **kwargs: Any
    ) -> asyncio.Task[None]:
        task = super()._schedule_event(coro, event_name, *args, **kwargs)
        self._events.add(task)
        return task

    async def on_message(self, message: discord.Message) -> None:
        """Take a message in one task: thousands a second come."""
        await self._incoming.accept(message)

    @property
    def to_read(self) -> int:
        """Channels that are still to be caught up on."""
        counts = self.flow.catching_up.counts if self.is_ready() else {"channels": 0, "read": 0}
        return counts["channels"] - counts["read"]

    async def settle(self) -> None:
        """Wait until what was missed is read, and what was sent is stored."""
        while self.flow.catching_up.is_busy:  # noqa: ASYNC110 (nobody waits for it but stand-ins)
            await asyncio.sleep(0.01)
        await self.memory.messages.flush()

    async def _tell_later(self, asked: object) -> None:
        """Tell who asked that it takes longer; a page in a browser says so by itself."""
        if isinstance(asked, ChatMessage):
            await self.flow.responder.tell_later(asked)
        elif isinstance(asked, discord.Interaction):
            await tell_later(asked)

    def _answered_guilds(self) -> list[GuildId]:
        """The guilds whose inbox is looked after: those that are there, and direct messages where they come."""
        there = [GuildId(guild.id) for guild in self.guilds if not guild.unavailable]
        return [ALL_GUILDS, *there] if 0 in self.shards else there

    def _lacking(self, guild_id: GuildId) -> list[ChannelRights]:
        """The channels of a guild in which the bot may not do all it should."""
        guild = self.get_guild(guild_id)
        found = []
        for channel in guild.channels if guild is not None else ():
            rights = channel.permissions_for(channel.guild.me)
            if not isinstance(channel, discord.CategoryChannel) and (missing := lacking(rights)):
                may_read = rights.view_channel and rights.read_message_history
                found.append(ChannelRights(channel_id=ChannelId(channel.id), missing=missing, may_read=may_read))
        return found

    async def _confirm(self) -> None:
        await self.memory.conversations.confirm_told_again()

    async def tell_presence(self) -> None:
        """Say in the bot's status line why it tells facts alone; once for each change."""
        line = presence(await self.memory.quotas())
        if self.is_ready() and line != self._presence:
            self._presence = line
            await self.change_presence(activity=discord.CustomActivity(line) if line else None)

    async def _purge(self) -> None:
        if await self.memory.guilds.is_due("upkeep", UPKEEP) and (gone := await self.memory.upkeep()):
            log.info("upkeep: %d messages were older than is kept", gone)

    async def _read_ahead(self) -> None:
        if await self.memory.guilds.is_due("reading ahead", READING_AHEAD) and (days := await self.memory.read_ahead()):
            log.info("reading ahead: %d days that nobody asked about", days)

    async def _call_roll(self) -> None:
        if self.is_ready():
            await self.flow.removals.call_roll()

    async def retry_parked(self) -> None:
        """Try again what the operator wants tried again."""
        inbox = self.memory.inbox
        found = await inbox.to_retry(self._answered_guilds())
        for parked in found:
            if parked.work.startswith("inbox "):
                await inbox.reopen(parked)
            else:
                await self.flow.catching_up.retry(parked)
                await self.memory.messages.flush()
            await inbox.unpark(parked)
        if found:
            await self.flow.inbox.scan()

    async def _health(self, guild_id: GuildId, channel_id: ChannelId) -> Health:
        recovery = self.flow.catching_up
        since, last = (await self.memory.messages.whole(guild_id)).get(channel_id, (None, 0))
        is_whole = recovery.is_current(guild_id, channel_id)
        return Health(
            whole_since=since,
            missing_since=None if is_whole or since is None else discord.utils.snowflake_time(last),
            skew=self.memory.inbox.skew.total_seconds(),
            dropped=self.dropped.total(),
            parked=len(await self.memory.inbox.parked([guild_id])),
            to_read=recovery.counts["channels"] if recovery.is_behind else 0,
            read=recovery.counts["read"],
            failing=tuple(state.name for state in self.memory.loops.states.values() if state.is_failing),
        )


READING_AHEAD = timedelta(hours=1)
"""How often it is looked for days that nobody asked about."""
