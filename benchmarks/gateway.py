"""How fast events from Discord are taken in: `python -m benchmarks.gateway [--events 20000] [--json]`.

A bare bot of the same library, which counts messages and does nothing else, and the whole bot: each a process of its
own against the same stand-in for Discord, in turns within one run. Bursts: so many messages at once, twice what waits
in memory at the most; `bare_ratio` is the bare bot's time over the bot's until everything is read. Lag: how long a
message at 1,000 a second is on its way into the database, seen from outside.
"""

from __future__ import annotations

import argparse
import asyncio
import os
import random
import statistics
import sys
import tempfile
import time
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from pathlib import Path

import asyncpg
import discord
from discord.ext import commands

from benchmarks.figures import tell
from urmom_bot.app import database
from urmom_bot.config import Settings
from urmom_bot.stand_ins import TOKEN, Channel, DiscordStandIn, User

GUILDS, CHANNELS, PEOPLE = 20, 3, 10
TURNS = 3
PER_SECOND, SECONDS = 1_000, 15
STEP = 0.02
"""Seconds between two looks at what is stored, and between two handfuls of messages."""

TALK = ("the tram to {} takes {} minutes", "I moved to {} {} days ago", "who else reads about {}? I have {} books")
PLACES = ("Riga", "Gdynia", "Tallinn", "Bergen", "Porto")


class Bare(commands.AutoShardedBot):
    """A bot that does nothing."""

    def __init__(self) -> None:
        intents = discord.Intents.none()
        intents.guilds = intents.messages = intents.message_content = intents.reactions = intents.moderation = True
        super().__init__(
            command_prefix=[],
            help_command=None,
            intents=intents,
            chunk_guilds_at_startup=False,
            max_messages=1_000,
            proxy=os.environ["DISCORD_PROXY"],
        )
        self.count = 0

    async def on_message(self, _message: discord.Message) -> None:
        self.count += 1


@asynccontextmanager
async def process(
    stand_in: DiscordStandIn, what: Sequence[str], more: dict[str, str]
) -> AsyncIterator[tuple[int, float]]:
    """A bot as a process of its own; its id, and the seconds from its start until it is connected."""
    environment = {k: v for k, v in os.environ.items() if k in ("PATH", "HOME", "LANG", "TMPDIR")}
    environment |= {"DISCORD_PROXY": await stand_in.proxy(), "SSL_CERT_FILE": str(stand_in.trust)}
    environment |= {"DISCORD_TOKEN": TOKEN, "LOG_LEVEL": "ERROR"} | more
    before, began = stand_in.gateway.identified, time.perf_counter()
    started = await asyncio.create_subprocess_exec(
        sys.executable, "-m", *what, env=environment, cwd=Path(__file__).parents[1]
    )
    try:
        while stand_in.gateway.identified == before:
            await asyncio.sleep(0.005)
        await stand_in.gateway.barrier()
        took = time.perf_counter() - began
        await asyncio.sleep(3)  # it is at rest
        yield started.pid, took
    finally:
        started.terminate()
        await started.wait()


class Talkers:
    """People who write at once."""

    def __init__(self, stand_in: DiscordStandIn) -> None:
        self.stand_in = stand_in
        self._chance = random.Random(2)
        self.places: list[tuple[User, Channel]] = []
        for n in range(GUILDS):
            guild = stand_in.world.guild(f"server {n}")
            channels = [stand_in.channel(guild, f"channel-{c}") for c in range(CHANNELS)]
            for p in range(PEOPLE):
                user = stand_in.join(guild, f"person{n}x{p}")
                self.places += [(user, channel) for channel in channels]

    async def say(self) -> int:
        """Somebody says something somewhere."""
        user, channel = self._chance.choice(self.places)
        text = self._chance.choice(TALK).format(self._chance.choice(PLACES), self._chance.randrange(2, 90))
        return await self.stand_in.say(user, channel, text)

    async def burst(self, events: int) -> float:
        """Seconds until so many messages are read."""
        began = time.perf_counter()
        for _ in range(events):
            await self.say()
        await self.stand_in.gateway.barrier(within=300)
        return time.perf_counter() - began


async def until_stored(connection: asyncpg.Connection[asyncpg.Record], count: int) -> float:
    """Seconds until so many messages are in the database; those that were too many are read again meanwhile."""
    began = time.perf_counter()
    while await connection.fetchval("SELECT count(*) FROM chat_history") < count:
        if time.perf_counter() - began > 300:
            return float("inf")
        await asyncio.sleep(0.1)
    return time.perf_counter() - began


async def lags(talkers: Talkers, connection: asyncpg.Connection[asyncpg.Record]) -> list[float]:
    """Seconds that each of a stream of messages was on its way: they are stored in about the order they came in."""
    said: list[float] = []
    stored: list[float] = []
    already = await connection.fetchval("SELECT count(*) FROM chat_history")

    async def look() -> None:
        while len(stored) < PER_SECOND * SECONDS:
            there = await connection.fetchval("SELECT count(*) FROM chat_history") - already
            stored.extend([time.perf_counter()] * (there - len(stored)))
            await asyncio.sleep(STEP)

    looking = asyncio.create_task(look())
    began = time.perf_counter()
    while len(said) < PER_SECOND * SECONDS:
        due = min(int((time.perf_counter() - began) * PER_SECOND), PER_SECOND * SECONDS)
        while len(said) < due:
            said.append(time.perf_counter())
            await talkers.say()
        await asyncio.sleep(STEP)
    await asyncio.wait_for(looking, 120)
    return [there - here for here, there in zip(said, stored, strict=True)]


def resident(pid: int) -> float:
    """MiB of memory that a process has."""
    for line in Path(f"/proc/{pid}/status").read_text().splitlines():
        if line.startswith("VmRSS"):
            return int(line.split()[1]) / 1_024
    return 0.0


async def measure(events: int) -> dict[str, float]:
    """All figures."""
    stand_in = DiscordStandIn()
    talkers = Talkers(stand_in)
    await stand_in.start()
    bare, ours, stored = list[float](), list[float](), list[float]()
    result: dict[str, float] = {"events": events}
    with tempfile.TemporaryDirectory() as folder:
        settings = Settings(_env_file=None, data_dir=Path(folder), database_url=None)
        async with database(settings) as dsn:
            connection = await asyncpg.connect(dsn)
            more = {"DATABASE_URL": dsn, "DATA_DIR": folder}
            async with process(stand_in, ["urmom_bot", "run"], more):
                pass  # the tables are made, and files are read
            for turn in range(TURNS):
                async with process(stand_in, ["benchmarks.gateway", "--bare"], {}):
                    bare.append(await talkers.burst(events))
                for guild in stand_in.world.guilds.values():  # what the bare bot was told is none of the bot's business
                    for channel in guild.channels.values():
                        channel.messages.clear()
                async with process(stand_in, ["urmom_bot", "run"], more) as (pid, started):
                    if turn == 0:
                        result |= {"start_s": round(started, 2), "rss_at_rest_mib": round(resident(pid))}
                    before = await connection.fetchval("SELECT count(*) FROM chat_history")
                    ours.append(await talkers.burst(events))
                    stored.append(await until_stored(connection, before + events))
                    result["rss_after_mib"] = round(resident(pid))
                    if turn == TURNS - 1:
                        found = sorted(await lags(talkers, connection))
                        result |= {
                            "lag_p50_ms": round(1_000 * found[len(found) // 2]),
                            "lag_p99_ms": round(1_000 * found[int(0.99 * len(found))]),
                        }
            await connection.close()
    await stand_in.close()
    return result | {
        "bare_per_second": round(events / statistics.median(bare)),
        "bot_per_second": round(events / statistics.median(ours)),
        "bare_ratio": round(statistics.median(b / o for b, o in zip(bare, ours, strict=True)), 2),
        "stored_after_s": round(statistics.median(stored), 1),
    }


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--events", type=int, default=20_000)
    parser.add_argument("--bare", action="store_true", help=argparse.SUPPRESS)
    parser.add_argument("--json", action="store_true")
    chosen = parser.parse_args()
    if chosen.bare:
        Bare().run(os.environ["DISCORD_TOKEN"], log_handler=None)
        return
    tell(f"gateway, bursts of {chosen.events:,}", asyncio.run(measure(chosen.events)), as_json=chosen.json)


if __name__ == "__main__":
    main()
