"""The composition root: the only place that builds things and wires them together."""

from __future__ import annotations

import asyncio
import gc
import logging
from collections.abc import AsyncIterator, Callable, Mapping, Sequence
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta
from functools import partial
from importlib.metadata import version
from typing import Any
from urllib.parse import quote, unquote, urlsplit, urlunsplit

import aiohttp

from memory import DatabaseUnavailable, MemoryManager, Options, Retention, open_memory
from memory.ai.model import Provider
from memory.ids import ALL_GUILDS, GuildId
from memory.private_files import make_folder
from memory.records import DatabaseNewer, Fenced, WrongKey
from memory.store.cipher import TextCipher
from memory.store.embedded import OtherMajor, embedded
from memory.store.schema import migrate
from urmom_bot import keyfile
from urmom_bot.bot import Bot, Link
from urmom_bot.config import Settings
from urmom_bot.errors import BAD_SETTINGS, NEWER_DATABASE, NO_DATABASE, NO_FOLDER, WRONG_KEY, StartupError
from urmom_bot.health import Readiness
from urmom_bot.journal import FileJournal
from urmom_bot.models import models_of
from urmom_bot.page import DiscordSignIn, Site, serving
from urmom_bot.panels import Panels
from urmom_bot.portal import INVITE
from urmom_bot.talk import BotInfo, Jester, Router, texts
from urmom_bot.telemetry import Telemetry, export_by_otlp

log = logging.getLogger(__name__)


def utc_now() -> datetime:
    """The time."""
    return datetime.now(UTC)


@dataclass(frozen=True)
class App:
    """Everything that was built."""

    settings: Settings
    memory: MemoryManager
    router: Router
    jester: Jester
    panels: Panels
    telemetry: Telemetry

    @property
    def clock(self) -> Callable[[], datetime]:
        """The time everything goes by."""
        return self.memory.clock

    @property
    def has_ai(self) -> bool:
        """Whether a model is set that answers."""
        return bool(self.memory.ai.model)

    async def claimed_shards(self) -> list[int] | None:
        """The shards of this process: the configured ones, or its share of all, waiting until there is one.

        None is for all: those it waits for, too, as long as another process runs them.
        """
        settings = self.settings
        if settings.shard_ids:
            return list(settings.shard_ids)
        count, each = settings.shard_count or 1, settings.shards_each
        waited = False
        while True:
            try:  # without a number of shards, whoever has the first has all
                mine = await self.memory.inbox.claim_shards(count if each else 1, each or 1, idle=timedelta(0))
            except Fenced:
                raise
            except DatabaseUnavailable as away:
                log.warning("the database is away (%s): standing by until it is back", away)
                await asyncio.sleep(STAND_BY)
                continue
            if mine:
                log.info("running %s", f"shards {', '.join(map(str, mine))} of {count}" if each else "all shards")
                return mine if each else None
            if not waited:
                log.warning("other processes already run this bot: standing by")
            waited = True
            await asyncio.sleep(STAND_BY)

    async def introduce(self, bot: Bot) -> None:
        """Say in the log, once the bot is ready, what runs where, with what, how to invite it, and if a model fails."""
        await bot.wait_until_ready()
        assert bot.user is not None
        settings, shards = self.settings, ", ".join(map(str, sorted(bot.shards)))
        log.info(
            "urmom-bot %s is online as %s (servers: %d, shards %s of %d)",
            *(version("urmom-bot"), bot.user, len(bot.guilds), shards, bot.shard_count or 1),
        )
        kind = "at DATABASE_URL" if settings.database_url else f"embedded, in {settings.data_dir}"
        log.info("database: PostgreSQL, %s", kind)
        for quota in await self.memory.quotas():
            most = quota.limits.requests_per_day
            log.info("AI: %s, %d%s calls today", quota.model, quota.spent.calls, f" of {most}" if most else "")
        log.info("invite: %s", INVITE.format(bot.application_id))
        log.info("channels to catch up on: %d", bot.to_read)
        await self.memory.check_models()

    async def readiness(self, bot: Bot) -> Readiness:
        """Whether the bot can be asked now."""
        shards = bot.own_shards
        return Readiness(
            shards=len(shards),
            connected=sum(not shard.is_closed() for shard in shards) if bot.is_ready() else 0,
            has_database=await self.memory.has_database(),
            pending=self.memory.messages.pending,
            write_lag=self.memory.messages.write_lag,
            failing=tuple(state.name for state in self.memory.loops.states.values() if state.is_failing),
            catching_up=bot.to_read,
        )

    @asynccontextmanager
    async def pages(self, bot: Bot, *, port: int | None = None) -> AsyncIterator[str]:
        """Serve members' pages; yields where they are reached, empty where they are off.

        `port` takes the place of PAGE_PORT; 0 is any that is free.
        """
        settings = self.settings
        if port is None and not settings.page_port:
            yield ""
            return
        site = Site(self.memory, self.router, self.panels, bot.flow, operator=partial(self._operator_view, bot))
        secret = settings.discord_client_secret
        if secret is not None:
            site.sign_in = DiscordSignIn(
                application_id=lambda: bot.application_id,
                secret=secret.get_secret_value(),
                connector=lambda: bot.http.connector,
                proxy=settings.discord_proxy,
            )
        address = settings.page_address if port is None or settings.page_url else ""
        async with serving(site, settings.page_host, settings.page_port if port is None else port, address) as found:
            self.panels.links.address = found
            try:
                yield found
            finally:
                self.panels.links.address = ""

    async def _operator_view(self, bot: Bot) -> Mapping[str, Any]:
        """What the operator's page shows of this process."""
        readiness = await self.readiness(bot)
        return {
            "problems": readiness.problems,
            "this_process": self.memory.inbox.process_id,
            "numbers": {
                "guilds": len(bot.guilds),
                "shards": f"{readiness.connected}/{readiness.shards}",
                "pending writes": readiness.pending,
                "write lag (s)": round(readiness.write_lag, 1),
                "channels to read": readiness.catching_up,
                "dropped events": bot.dropped.total(),
            },
            "loops": sorted(self.memory.loops.states.values(), key=lambda state: (-state.failures, state.name)),
            "parked": await self.memory.inbox.parked([ALL_GUILDS, *(GuildId(guild.id) for guild in bot.guilds)]),
            "prompts": list(self.telemetry.prompts)[:20],
        }

    def metrics(self, bot: Bot) -> bytes:
        """The metrics as Prometheus reads them."""
        return self.telemetry.text(
            guilds=len(bot.guilds),
            shards_connected=sum(not shard.is_closed() for shard in bot.own_shards),
            pending_writes=self.memory.messages.pending,
            channels_to_read=bot.to_read,
            failing_loops=sum(state.is_failing for state in self.memory.loops.states.values()),
            dropped_events=bot.dropped.total(),
        )

    def bot(
        self,
        *,
        shard_ids: Sequence[int] | None = None,
        connector: aiohttp.BaseConnector | None = None,
        guild_ready_timeout: float = 2.0,
    ) -> Bot:
        """The bot over this memory; `shard_ids` are its shards, all of them without."""
        link = Link(
            shard_ids=tuple(shard_ids) if shard_ids else None,
            takes_over=self.settings.shards_each is not None,
            shard_count=self.settings.shard_count,
            proxy=self.settings.discord_proxy,
            connector=connector,
            guild_ready_timeout=guild_ready_timeout,
        )
        emoji = self.settings.joke_emoji
        return Bot(self.memory, self.router, self.jester, self.panels, joke_emoji=emoji, link=link)


def address(settings: Settings) -> str | None:
    """The configured address of the database, with its password, whatever signs that has; None for the embedded one."""
    if settings.database_url is None:
        return None
    dsn = settings.database_url.get_secret_value()
    if settings.database_password is None:
        return dsn
    parts = urlsplit(dsn)
    host = parts.netloc.rpartition("@")[2]
    password = quote(settings.database_password.get_secret_value(), safe="")
    user = quote(unquote(parts.username or ""), safe="")
    return urlunsplit(parts._replace(netloc=f"{user}:{password}@{host}"))


@asynccontextmanager
async def server(settings: Settings, *, durable: bool = True) -> AsyncIterator[str]:
    """The address of the database, as it is: the configured one, or the embedded one. Raises StartupError."""
    if (dsn := address(settings)) is not None:
        yield dsn
        return
    async with AsyncExitStack() as stack:
        running = embedded(settings.data_dir, durable=durable)
        try:
            dsn = await asyncio.to_thread(running.__enter__)
        except OSError as unwritable:
            raise StartupError(
                f"Cannot write to the data folder {settings.data_dir} ({unwritable.strerror or unwritable})."
                " Make the user who runs the bot its owner, or set DATA_DIR to another folder.",
                NO_FOLDER,
            ) from unwritable
        except OtherMajor as other:
            raise StartupError(str(other), NO_DATABASE) from other
        except Exception as broken:
            raise StartupError(
                f"The embedded database in {settings.data_dir} does not start ({type(broken).__name__}). Its log is"
                f" {settings.data_dir / 'postgres' / 'log'}.",
                NO_DATABASE,
            ) from broken
        stack.push_async_callback(asyncio.to_thread, running.__exit__, None, None, None)
        yield dsn


@asynccontextmanager
async def database(settings: Settings, *, durable: bool = True) -> AsyncIterator[str]:
    """The address of a migrated database: the configured one, or the embedded one. Raises StartupError."""
    where = "DATABASE_URL" if settings.database_url is not None else f"the embedded server in {settings.data_dir}"
    async with server(settings, durable=durable) as dsn:
        try:
            await migrate(dsn)
        except DatabaseNewer as newer:
            raise StartupError(str(newer), NEWER_DATABASE) from newer
        except (DatabaseUnavailable, ValueError) as away:
            raise StartupError(
                f"Cannot use the database. Check {where}, and that the server is running. ({away})", NO_DATABASE
            ) from away
        yield dsn


STAND_BY = 3.0
"""Seconds between two looks of a process for a shard that is free."""

_WRONG_KEY = (
    "{wrong} Copy suppression.key from the DATA_DIR that belongs to this database to {path}, or put its content into"
    " SUPPRESSION_KEY. If the key is lost, run `urmom-bot migrate --new-suppression-key`. The bot may then save again"
    " what members deleted."
)


def send_telemetry() -> None:
    """Send traces and metrics by OTLP, where the environment says so. Raises StartupError."""
    try:
        if export_by_otlp():
            log.info("traces and metrics go to OTEL_EXPORTER_OTLP_ENDPOINT")
    except ImportError as missing:
        raise StartupError(
            "OTEL_EXPORTER_OTLP_ENDPOINT needs the extra otel. Run: pip install 'urmom-bot[otel]'", BAD_SETTINGS
        ) from missing


async def suppression_key(settings: Settings, old: str | None) -> bytes:
    """The key of what was forgotten: the configured one, else that of DATA_DIR. Raises StartupError.

    `old` is the one that an earlier version kept in the database: it moves to the file.
    """
    path = settings.data_dir / keyfile.NAME
    try:
        before = keyfile.parsed(old) if old else None
        if settings.suppression_key is not None:
            key = keyfile.parsed(settings.suppression_key.get_secret_value())
        else:
            key = await asyncio.to_thread(keyfile.key_in, settings.data_dir, before)
    except keyfile.BadKey as bad:
        raise StartupError(
            f"SUPPRESSION_KEY, or the key in {path}, is not 64 characters of 0-9 and a-f.", BAD_SETTINGS
        ) from bad
    except OSError as unwritable:
        raise StartupError(
            f"Cannot read or write the suppression key in {settings.data_dir} ({unwritable.strerror or unwritable})."
            " Set DATA_DIR to a folder that the user who runs the bot can write to.",
            NO_FOLDER,
        ) from unwritable
    if before not in (None, key):
        raise WrongKey
    return key


@asynccontextmanager
async def open_app(
    settings: Settings,
    *,
    clock: Callable[[], datetime] = utc_now,
    quota_clock: Callable[[], datetime] = utc_now,
    dsn: str | None = None,
    watch: Callable[[Provider], Provider] = lambda provider: provider,
    journalled: bool = False,
) -> AsyncIterator[App]:
    """Build everything on a database, and take it down in order. Raises StartupError.

    The real clock goes by the database's time. `quota_clock` is the time by which a provider counts its quota: the
    real one, whatever `clock` says. What `watch` makes of a model's provider takes its place. With `journalled`,
    what Discord tells of deletions and edits outlasts the process, in DATA_DIR.
    """
    async with AsyncExitStack() as stack:
        if dsn is None:
            dsn = await stack.enter_async_context(database(settings))
        journal = await asyncio.to_thread(_journal, settings) if journalled else None
        if journal is not None:
            stack.callback(journal.close)
        telemetry = Telemetry()
        opening = open_memory(
            dsn,
            key=partial(suppression_key, settings),
            models=replace(models_of(settings, stack, watch), quota_clock=quota_clock),
            clock=None if clock is utc_now else clock,
            options=Options(
                time_zone=settings.time_zone,
                wait=settings.memory_wait,
                retention=_retention(settings),
                cipher=_cipher(settings),
                observer=telemetry,
                journal=journal,
            ),
        )
        try:
            memory = await stack.enter_async_context(opening)
        except WrongKey as wrong:
            raise StartupError(
                _WRONG_KEY.format(wrong=wrong, path=settings.data_dir / keyfile.NAME), WRONG_KEY
            ) from wrong
        for removal in journal.left if journal is not None else ():
            await memory.messages.remove_again(removal)
        yield _app(settings, memory, telemetry)


def _retention(settings: Settings) -> Retention:
    """How long what is stored is kept."""
    return Retention(
        messages=timedelta(days=settings.retention_days),
        summaries=timedelta(days=settings.summary_days),
        weeks=timedelta(days=settings.week_days),
        months=timedelta(days=settings.month_days),
        after_leaving=timedelta(days=settings.leave_grace_days) if settings.leave_grace_days else None,
    )


def _journal(settings: Settings) -> FileJournal | None:
    try:
        make_folder(settings.data_dir)
        return FileJournal(settings.data_dir)
    except OSError as unwritable:
        log.warning(
            "cannot write to %s (%s): deletions that come while the database is away are lost when the process ends",
            *(settings.data_dir, unwritable.strerror or unwritable),
        )
        return None


def warm_up() -> None:
    """Read the texts, and leave what was built until then out of garbage collections.

    A full one takes a fifth of a second with it. What loading left out counts again first: the next full one comes
    when there is a quarter more than this one saw.
    """
    texts.prepare()
    gc.unfreeze()
    gc.collect()
    gc.freeze()


def _app(settings: Settings, memory: MemoryManager, telemetry: Telemetry) -> App:
    """What speaks to people, over a memory."""
    info = BotInfo(version=version("urmom-bot"), emoji=settings.joke_emoji, retention_days=settings.retention_days)
    router = Router(
        memory,
        info,
        settings.bot_names,
        asks_about_inferred=settings.ask_about_gathered,
        introduces=settings.introduce,
        uses_tools=settings.reply_tools,
    )
    texts.call_it(settings.bot_names)
    return App(
        settings=settings,
        memory=memory,
        router=router,
        panels=Panels(memory, router, settings.contact),
        jester=Jester(memory, timedelta(seconds=settings.joke_cooldown)),
        telemetry=telemetry,
    )


def _cipher(settings: Settings) -> TextCipher:
    """What encrypts the words of conversations, where keys are set. Raises StartupError."""
    try:
        return TextCipher([key.get_secret_value() for key in settings.session_keys or ()])
    except ValueError as bad:
        raise StartupError(
            "A key in SESSION_KEYS is not a Fernet key (32 bytes in URL-safe base64). To make one, run:"
            " python -c 'from cryptography.fernet import Fernet; print(Fernet.generate_key().decode())'",
            BAD_SETTINGS,
        ) from bad
