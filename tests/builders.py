"""What tests are made of: people who talk, a Discord server with the real bot in it, databases and their questions."""

from __future__ import annotations

import asyncio
import os
import shutil
import subprocess
import sys
from collections.abc import AsyncIterator, Callable
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import asyncpg
from pydantic import SecretStr
from testcontainers.community.postgres import PostgresContainer

from memory import Member, MemoryManager, Message, Remembered, Statement, Viewer
from urmom_bot.app import App, open_app
from urmom_bot.bot import Bot
from urmom_bot.config import Settings
from urmom_bot.stand_ins import Channel, DiscordStandIn, GeminiStandIn, Guild, Sent, User, World, online
from urmom_bot.talk import router as talk_router

G = 1 << 22
NOON = datetime(2026, 11, 10, 12, tzinfo=UTC)
talk_router.SETTLE_TIMEOUT = 30.0  # no test depends on how fast what was said is stored


@dataclass
class Clock:
    now: datetime = NOON

    def __call__(self) -> datetime:
        return self.now

    def set(self, *parts: int) -> None:
        self.now = datetime(*parts, tzinfo=UTC)  # type: ignore[arg-type,misc]

    def on(self, **span: float) -> None:
        self.now += timedelta(**span)


def run_sql(dsn: str, *statements: str) -> None:
    async def work() -> None:
        connection = await asyncpg.connect(dsn)
        for statement in statements:
            await connection.execute(statement)
        await connection.close()

    asyncio.run(work())


def docker_answers() -> bool:
    """Whether a Docker engine runs here. A process of its own asks: the client leaves a socket open where none does."""
    if not (os.environ.get("DOCKER_HOST") or Path("/var/run/docker.sock").exists()):
        return False
    asked = [sys.executable, "-c", "import docker; docker.from_env(timeout=5).ping()"]
    return subprocess.run(asked, capture_output=True, timeout=60).returncode == 0


def container() -> PostgresContainer:
    """PostgreSQL with pgvector in a container, not started."""
    return PostgresContainer("pgvector/pgvector:pg18", driver=None)


def in_memory() -> Path | None:
    """A folder without a disk, where there is room: each test's database is three hundred files."""
    shared = Path("/dev/shm")
    roomy = os.access(shared, os.W_OK) and shutil.disk_usage(shared).free > 8 << 30
    return shared if roomy else None


Opener = Callable[..., AbstractAsyncContextManager[App]]


def settings_for(gemini: GeminiStandIn | None, **changes: object) -> Settings:
    values: dict[str, object] = {
        "database_url": None,
        "discord_proxy": None,
        "suppression_key": SecretStr("5a" * 32),
        "ai_base_url": None,
        "ai_model": None,
        "gemini_api_key": SecretStr("a-key") if gemini else None,
        "google_gemini_base_url": gemini.url if gemini else None,
        "gemini_model": "gemini-flash-latest",
        "gemma_model": "gemma-4-31b-it",
        "gemini_limits": "250k tpm 250 rpd",
        "gemma_limits": "14400 rpd",
        "memory_wait": 30.0,
        "joke_cooldown": 0.0,
        "introduce": False,
        **changes,
    }
    return Settings(_env_file=None, **values)  # type: ignore[call-arg,arg-type]


def opener(dsn: str, gemini: GeminiStandIn, clock: Clock) -> Opener:
    """Everything the bot is built of, over a database and the Gemini stand-in."""

    @asynccontextmanager
    async def opened(ai: bool = True, **changes: object) -> AsyncIterator[App]:
        settings = settings_for(gemini if ai else None, **changes)
        async with open_app(settings, clock=clock, quota_clock=clock, dsn=dsn) as built:
            yield built

    return opened


async def viewer_of(memory: MemoryManager, guild_id: int, user_id: int, *, audience: int = 0, **rights: bool) -> Viewer:
    """Somebody before an audience, with what they may do there."""
    audiences = await memory.guilds.audiences(guild_id, audience)
    return Viewer(guild_id=guild_id, user_id=user_id, audience=audience, audiences=audiences, **rights)


async def tell(
    memory: MemoryManager, statement: Statement, subject: Member, author: Member, *, may_moderate: bool = False
) -> Remembered:
    """Have a statement remembered by whoever states it, where its audience reads."""
    by, audience = statement.stated_by, max(statement.audience, 0)
    viewer = await viewer_of(memory, statement.guild_id, by, audience=audience, may_moderate=may_moderate)
    return await memory.facts.remember(viewer, statement, subject, author)


@dataclass
class Talk:
    """People who write messages straight into memory."""

    app: App
    clock: Clock
    count: int = 0
    ids: list[int] = field(default_factory=list)

    def member(self, user_id: int, **names: object) -> Member:
        known = {1: "Ann", 2: "Bob", 3: "Cid", 4: "Dee"}.get(user_id, f"user{user_id}")
        return Member(
            guild_id=G,
            user_id=user_id,
            **{"display_name": known, "username": known.lower(), **names},  # type: ignore[arg-type]
        )

    async def say(
        self, user_id: int, text: str, at: datetime | None = None, display_name: str = "", **more: object
    ) -> int:
        moment = at or self.clock.now - timedelta(minutes=1)
        self.count += 1
        message_id = (int(moment.timestamp() * 1000) - 1_420_070_400_000) << 22 | self.count
        values: dict[str, object] = {
            "guild_id": G,
            "message_id": message_id,
            "channel_id": 7,
            "user_id": user_id,
            "text": text,
            "timestamp": moment,
            **more,
        }
        message = Message(**values)  # type: ignore[arg-type]
        member = replace(self.member(user_id), guild_id=message.guild_id)
        if display_name:
            member = replace(member, display_name=display_name)
        await self.app.memory.messages.ingest(message, member)
        await self.app.memory.messages.flush()
        self.ids.append(message_id)
        return message_id


@dataclass
class Server:
    """A Discord server with the real bot in it."""

    app: App
    discord: DiscordStandIn
    gemini: GeminiStandIn
    clock: Clock
    guild: Guild
    general: Channel
    bot: Bot

    async def settled(self) -> None:
        await self.discord.settle()

    async def ask(self, user: object, text: str, channel: Channel | None = None, **more: object) -> str:
        """What the bot answers to a message; empty where it stays silent."""
        self.clock.on(seconds=5)
        before = len(self.discord.sent)
        await self.discord.say(user, channel or self.general, text, **more)  # type: ignore[arg-type]
        await self.settled()
        return "\n".join(sent.content for sent in self.discord.sent[before:])


@asynccontextmanager
async def lasting(clock: Clock) -> AsyncIterator[tuple[DiscordStandIn, Guild, Channel]]:
    """A Discord that outlives the bot."""
    stand_in = DiscordStandIn(World(clock))
    guild = stand_in.world.guild("the server")
    general = stand_in.channel(guild, "general")
    await stand_in.start()
    try:
        yield stand_in, guild, general
    finally:
        await stand_in.close()


@asynccontextmanager
async def served(
    opened: Opener, gemini: GeminiStandIn, clock: Clock, discord: DiscordStandIn | None = None, **changes: object
) -> AsyncIterator[Server]:
    """The real bot, online on the stand-in."""
    stand_in = discord or DiscordStandIn(World(clock))
    if discord is None:
        guild = stand_in.world.guild("the server")
        stand_in.channel(guild, "general")
        await stand_in.start()
    guild = next(iter(stand_in.world.guilds.values()))
    general = next(iter(guild.channels.values()))
    try:
        async with opened(**changes) as built:
            bot = built.bot(connector=stand_in.connector(), guild_ready_timeout=0.02)
            async with online(bot, stand_in):
                yield Server(built, stand_in, gemini, clock, guild, general, bot)
        assert not stand_in.unhandled
    finally:
        if discord is None:
            await stand_in.close()


async def choose(
    hand: DiscordStandIn, user: User, channel: Channel, panel: Sent, label: str, **more: Any
) -> list[Sent]:
    """Choose in the privacy panel what removes anything: the button, the button below what goes, the typed word."""
    (sure,) = await hand.press(user, channel, panel, label, **more)
    (same,) = (b["label"] for row in sure.components for b in row["components"])
    await hand.press(user, channel, sure, same, **more)
    (_, form), *_ = hand.rest.modals.items()
    return await hand.fill_in(user, channel, {form["components"][0]["label"]: "erase"}, **more)


async def query(dsn: str, statement: str, *values: object) -> list[asyncpg.Record]:
    connection = await asyncpg.connect(dsn)
    try:
        found: list[asyncpg.Record] = await connection.fetch(statement, *values)
        return found
    finally:
        await connection.close()
