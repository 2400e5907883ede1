"""The composition root: the only place that builds things and wires them together."""

from __future__ import annotations

import asyncio
import gc
import logging
from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from importlib.metadata import version
from urllib.parse import quote, unquote, urlsplit, urlunsplit

import aiohttp

from memory import DatabaseUnavailable, Lives, MemoryManager, SessionRules
from memory.ai import Absent, AIClient
from memory.ai.embedding import Embedder
from memory.ai.governor import Governor
from memory.ai.model import GovernedModel, Provider
from memory.ai.providers import gemini, gemini_embedding, openai_compatible, openai_compatible_embedding
from memory.ai.shares import Rules as ShareRules
from memory.ai.shares import Shares
from memory.clock import DatabaseClock
from memory.observer import Observer
from memory.records import DatabaseNewer, Fenced, WrongKey
from memory.rules.calendar import zone
from memory.store import Store
from memory.store.cipher import TextCipher
from memory.store.schema import migrate
from urmom_bot import keyfile
from urmom_bot.bot import Bot
from urmom_bot.config import Settings
from urmom_bot.health import Readiness
from urmom_bot.journal import FileJournal
from urmom_bot.panels import Days, Panels
from urmom_bot.portal import INVITE
from urmom_bot.postgres import OtherMajor, embedded
from urmom_bot.private_files import make_folder
from urmom_bot.talk import BotInfo, Jester, Router, texts
from urmom_bot.telemetry import Telemetry, export_by_otlp

log = logging.getLogger(__name__)


class Trouble(Exception):
    """Something only the one who runs the bot can mend: a sentence on what to do, and an exit code."""

    def __init__(self, sentence: str, code: int) -> None:
        super().__init__(sentence)
        self.code = code


NO_TOKEN, BAD_TOKEN, NO_INTENT, NO_DATABASE, NO_FOLDER = range(10, 15)
NEWER_DATABASE, BAD_SETTINGS, NO_DISCORD, WRONG_KEY, NO_BACKUP, NOT_READY = range(15, 21)
"""Exit codes of `urmom-bot run` and the other commands, one for each thing to mend."""


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
    clock: Callable[[], datetime]
    has_ai: bool
    telemetry: Telemetry

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
                log.warning("standing by until the database is back (%s)", away)
                await asyncio.sleep(STAND_BY)
                continue
            if mine:
                log.info("running %s", f"shards {', '.join(map(str, mine))} of {count}" if each else "all shards")
                return mine if each else None
            if not waited:
                log.warning("this bot is run by other processes already: standing by")
            waited = True
            await asyncio.sleep(STAND_BY)

    async def introduce(self, bot: Bot) -> None:
        """Say in the log, once the bot is ready, what runs where, with what, and how to invite it."""
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
        log.info("channels to be caught up on: %d", bot.to_read)

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
        return Bot(
            self.memory,
            self.router,
            self.jester,
            self.panels,
            self.clock,
            joke_emoji=self.settings.joke_emoji,
            shard_ids=shard_ids,
            takes_over=self.settings.shards_each is not None,
            shard_count=self.settings.shard_count,
            proxy=self.settings.discord_proxy,
            connector=connector,
            guild_ready_timeout=guild_ready_timeout,
        )


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
    """The address of the database, as it is: the configured one, or the embedded one. Raises Trouble."""
    if (dsn := address(settings)) is not None:
        yield dsn
        return
    async with AsyncExitStack() as stack:
        running = embedded(settings.data_dir, durable=durable)
        try:
            dsn = await asyncio.to_thread(running.__enter__)
        except OSError as unwritable:
            raise Trouble(
                f"The folder {settings.data_dir} cannot be written ({unwritable.strerror or unwritable}):"
                " give it to the user that runs the bot, or set DATA_DIR to another.",
                NO_FOLDER,
            ) from unwritable
        except OtherMajor as other:
            raise Trouble(str(other), NO_DATABASE) from other
        except Exception as broken:
            raise Trouble(
                f"The embedded database in {settings.data_dir} does not start; its log is"
                f" {settings.data_dir / 'postgres' / 'log'} ({type(broken).__name__}).",
                NO_DATABASE,
            ) from broken
        stack.push_async_callback(asyncio.to_thread, running.__exit__, None, None, None)
        yield dsn


@asynccontextmanager
async def database(settings: Settings, *, durable: bool = True) -> AsyncIterator[str]:
    """The address of a migrated database: the configured one, or the embedded one. Raises Trouble."""
    where = "DATABASE_URL" if settings.database_url is not None else f"the embedded server in {settings.data_dir}"
    async with server(settings, durable=durable) as dsn:
        try:
            await migrate(dsn)
        except DatabaseNewer as newer:
            raise Trouble(str(newer), NEWER_DATABASE) from newer
        except (DatabaseUnavailable, ValueError) as away:
            raise Trouble(
                f"The database cannot be reached: check {where}, and that the server runs. ({away})", NO_DATABASE
            ) from away
        yield dsn


STAND_BY = 3.0
"""Seconds between two looks of a process for a shard that is free."""

OLD_KEY = "marks_key"
"""The name under which earlier versions kept the key in the database itself."""

EMBEDDING_TIME = 20.0
"""Seconds that an embedding may take."""

_NEEDS_OPENAI = "AI_BASE_URL needs the extra openai: pip install 'urmom-bot[openai]'."

_WRONG_KEY = (
    "{wrong} Copy the file suppression.key of the DATA_DIR in which this database was used before to {path}, or put its"
    " content into SUPPRESSION_KEY. If it is lost, `urmom-bot migrate --new-suppression-key` lets go of what was"
    " forgotten."
)


def send_telemetry() -> None:
    """Send traces and metrics by OTLP, where the environment says so. Raises Trouble."""
    try:
        if export_by_otlp():
            log.info("traces and metrics go to OTEL_EXPORTER_OTLP_ENDPOINT")
    except ImportError as missing:
        raise Trouble(
            "OTEL_EXPORTER_OTLP_ENDPOINT needs the extra otel: pip install 'urmom-bot[otel]'.", BAD_SETTINGS
        ) from missing


async def suppression_key(settings: Settings, store: Store) -> bytes:
    """The key of what was forgotten: the configured one, else that of DATA_DIR. Raises Trouble.

    One that an earlier version kept in the database moves to the file.
    """
    before = await store.people.state(OLD_KEY)
    try:
        old = keyfile.parsed(before) if before else None
        if settings.suppression_key is not None:
            key = keyfile.parsed(settings.suppression_key.get_secret_value())
        else:
            key = await asyncio.to_thread(keyfile.key_in, settings.data_dir, old)
    except keyfile.BadKey as bad:
        raise Trouble(
            f"The key in SUPPRESSION_KEY or {settings.data_dir / keyfile.NAME} is not 64 hexadecimal digits.",
            BAD_SETTINGS,
        ) from bad
    except OSError as unwritable:
        raise Trouble(
            f"The key of what was forgotten cannot be kept in {settings.data_dir}"
            f" ({unwritable.strerror or unwritable}): set DATA_DIR to a folder of the user that runs the bot.",
            NO_FOLDER,
        ) from unwritable
    if old is not None and old != key:
        raise Trouble(_WRONG_KEY.format(wrong=WrongKey(), path=settings.data_dir / keyfile.NAME), WRONG_KEY)
    if old is not None:
        await store.people.drop_state(OLD_KEY)
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
    """Build everything on a database, and take it down in order. Raises Trouble.

    The real clock goes by the database's time. `quota_clock` is the time by which a provider counts its quota: the
    real one, whatever `clock` says. What `watch` makes of a model's provider takes its place. With `journalled`,
    what Discord tells of deletions and edits outlasts the process, in DATA_DIR.
    """
    async with AsyncExitStack() as stack:
        if dsn is None:
            dsn = await stack.enter_async_context(database(settings))
        store = await Store.open(dsn)
        stack.push_async_callback(store.close)
        if clock is utc_now:
            clock = DatabaseClock(utc_now)
        key = await suppression_key(settings, store)
        governor = _governor(settings, store, quota_clock)
        journal = await asyncio.to_thread(_journal, settings) if journalled else None
        if journal is not None:
            stack.callback(journal.close)
        telemetry = Telemetry()
        batch, small = _models(settings, governor, stack, telemetry, watch)
        memory = MemoryManager(
            store,
            batch=batch,
            small=small,
            governor=governor,
            clock=clock,
            suppression_key=key,
            time_zone=settings.time_zone,
            wait=settings.memory_wait,
            lives=_lives(settings),
            batch_tokens=settings.batch_tokens,
            batch_output_tokens=settings.batch_output_tokens,
            small_tokens=settings.small_tokens,
            embedder=_embedder(settings, governor, stack),
            session_rules=SessionRules(
                idle=timedelta(minutes=settings.session_idle_minutes),
                life=timedelta(minutes=settings.session_ttl_minutes),
            ),
            cipher=_cipher(settings),
            observer=telemetry,
            journal=journal,
        )
        try:
            await memory.start()
        except WrongKey as wrong:
            raise Trouble(_WRONG_KEY.format(wrong=wrong, path=settings.data_dir / keyfile.NAME), WRONG_KEY) from wrong
        stack.push_async_callback(memory.close)
        for removal in journal.left if journal is not None else ():
            await memory.messages.remove_again(removal)
        yield _app(settings, memory, small, clock, telemetry)


def _governor(settings: Settings, store: Store, quota_clock: Callable[[], datetime]) -> Governor:
    """What counts requests against the limits of models, members and servers."""
    rules = ShareRules(
        member=settings.member_share,
        member_day=settings.member_day_share,
        guild=settings.guild_share,
        guild_day=settings.guild_day_share,
    )
    shares = Shares(rules, quota_clock)
    return Governor(store.usage, settings.limits, quota_clock, zone(settings.quota_time_zone), shares=shares)


def _lives(settings: Settings) -> Lives:
    """How long what is stored is kept."""
    return Lives(
        messages=timedelta(days=settings.retention_days),
        summaries=timedelta(days=settings.summary_days),
        replies=timedelta(days=settings.reply_days),
        conclusions=timedelta(days=settings.conclusion_days),
        after_leaving=timedelta(days=settings.leave_grace_days) if settings.leave_grace_days else None,
    )


def _journal(settings: Settings) -> FileJournal | None:
    try:
        make_folder(settings.data_dir)
        return FileJournal(settings.data_dir)
    except OSError as unwritable:
        log.warning(
            "deletions that come while the database is away end with the process: %s cannot be written (%s)",
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


def _app(
    settings: Settings, memory: MemoryManager, small: AIClient, clock: Callable[[], datetime], telemetry: Telemetry
) -> App:
    """What speaks to people, over a memory."""
    info = BotInfo(version=version("urmom-bot"), emoji=settings.joke_emoji, retention_days=settings.retention_days)
    router = Router(
        memory,
        small,
        clock,
        info,
        settings.bot_names,
        asks_about_inferred=settings.ask_about_gathered,
        introduces=settings.introduce,
        uses_tools=settings.reply_tools,
    )
    texts.call_it(settings.bot_names)
    days = Days(
        retention=settings.retention_days,
        summaries=settings.summary_days,
        conclusions=settings.conclusion_days,
        replies=settings.reply_days,
        grace=settings.leave_grace_days,
    )
    return App(
        settings=settings,
        memory=memory,
        router=router,
        panels=Panels(memory, router, days=days),
        jester=Jester(memory, small, clock, timedelta(seconds=settings.joke_cooldown)),
        clock=clock,
        has_ai=bool(small.model),
        telemetry=telemetry,
    )


def _cipher(settings: Settings) -> TextCipher:
    """What encrypts the words of conversations, where keys are set. Raises Trouble."""
    try:
        return TextCipher([key.get_secret_value() for key in settings.session_keys or ()])
    except ValueError as bad:
        raise Trouble(
            "A key in SESSION_KEYS is not one of Fernet's (32 bytes in URL-safe base64):"
            " python -c 'from cryptography.fernet import Fernet; print(Fernet.generate_key().decode())' makes one.",
            BAD_SETTINGS,
        ) from bad


def _embedder(settings: Settings, governor: Governor, stack: AsyncExitStack) -> Embedder | None:
    """What embeds texts, where a model for it is set. Raises Trouble."""
    model = settings.embedding_model
    if model is None:
        return None
    if settings.ai_base_url:
        try:
            provider = openai_compatible_embedding(
                base_url=settings.ai_base_url,
                api_key=settings.ai_api_key.get_secret_value() if settings.ai_api_key else "",
                model=model,
                time_limit=EMBEDDING_TIME,
            )
        except ImportError as missing:
            raise Trouble(_NEEDS_OPENAI, BAD_SETTINGS) from missing
    elif settings.gemini_api_key is not None:
        provider = gemini_embedding(
            api_key=settings.gemini_api_key.get_secret_value(),
            model=model,
            time_limit=EMBEDDING_TIME,
            base_url=settings.google_gemini_base_url,
        )
    else:
        raise Trouble("EMBEDDING_MODEL needs GEMINI_API_KEY or AI_BASE_URL.", BAD_SETTINGS)
    stack.push_async_callback(provider.close)
    return Embedder(provider, governor, dimensions=settings.embedding_dimensions, time_limit=EMBEDDING_TIME)


def _models(
    settings: Settings,
    governor: Governor,
    stack: AsyncExitStack,
    observer: Observer,
    watch: Callable[[Provider], Provider],
) -> tuple[AIClient, AIClient]:
    """The clients for days and for everything else. Raises Trouble."""

    def governed(provider: Provider) -> AIClient:
        return GovernedModel(watch(provider), governor, time_limit=settings.ai_timeout, observer=observer)

    if settings.ai_base_url or settings.ai_model:
        if not (settings.ai_base_url and settings.ai_model):
            raise Trouble("AI_BASE_URL and AI_MODEL go together: set both, or neither.", BAD_SETTINGS)
        try:
            endpoint = openai_compatible(
                base_url=settings.ai_base_url,
                api_key=settings.ai_api_key.get_secret_value() if settings.ai_api_key else "",
                model=settings.ai_model,
                time_limit=settings.ai_timeout,
            )
        except ImportError as missing:
            raise Trouble(_NEEDS_OPENAI, BAD_SETTINGS) from missing
        stack.push_async_callback(endpoint.close)
        return governed(endpoint), governed(endpoint)
    if settings.gemini_api_key is None:
        log.warning("AI: no key is set (GEMINI_API_KEY): the bot remembers and tells facts, and cannot chat")
        return Absent(), Absent()
    key = settings.gemini_api_key.get_secret_value()
    providers = [
        gemini(
            api_key=key,
            model=model,
            time_limit=settings.ai_timeout,
            base_url=settings.google_gemini_base_url,
        )
        for model in (settings.gemini_model, settings.gemma_model)
    ]
    for provider in providers:
        stack.push_async_callback(provider.close)
    return governed(providers[0]), governed(providers[1])
