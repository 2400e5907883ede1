"""How soon the bot answers and misses nothing after a restart: `python -m benchmarks.recovery [--guilds 1000]`.

The bot runs as a process of its own against the stand-in for Discord, which refuses more requests a second than
Discord does. Of five channels in each guild two are used; while the bot is away, messages are written there, orders
are given, and messages are deleted all over. Prints one table, or with `--json` one object.
"""

from __future__ import annotations

import argparse
import asyncio
import os
import random
import sys
import tempfile
import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from pathlib import Path

import asyncpg

from benchmarks.figures import tell
from urmom_bot.app import database
from urmom_bot.config import Settings
from urmom_bot.stand_ins import TOKEN, Channel, DiscordStandIn, Guild, User

CHANNELS = 5
MISSED = 3
"""Messages that are missed in each of two channels of a guild."""

LIMIT = 50
"""Requests a second that Discord answers a bot."""

LONGEST = 900
"""Seconds that something is waited for."""

CALL = "GET /channels/{channel}/messages"


@dataclass
class World:
    """Guilds on the stand-in, with what is expected of the bot."""

    discord: DiscordStandIn
    guilds: list[Guild] = field(default_factory=list)
    people: dict[int, User] = field(default_factory=dict)
    expected: int = 0
    deleted: set[int] = field(default_factory=set)

    def channels(self, guild: Guild) -> list[Channel]:
        return list(guild.channels.values())


@asynccontextmanager
async def bot(
    discord: DiscordStandIn, dsn: str, folder: str, **settings: str
) -> AsyncIterator[asyncio.subprocess.Process]:
    environment = {k: v for k, v in os.environ.items() if k in ("PATH", "HOME", "LANG", "TMPDIR")}
    environment |= {
        "DISCORD_PROXY": await discord.proxy(),
        "SSL_CERT_FILE": str(discord.trust),
        "DISCORD_TOKEN": TOKEN,
        "DATABASE_URL": dsn,
        "DATA_DIR": folder,
        "LOG_LEVEL": os.environ.get("LOG_LEVEL", "WARNING"),
        **settings,
    }
    process = await asyncio.create_subprocess_exec(
        sys.executable, "-m", "urmom_bot", "run", env=environment, cwd=Path(__file__).parents[1]
    )
    try:
        yield process
    finally:
        if process.returncode is None:
            process.kill()
        await process.wait()


async def until(check: object, limit: float, pause: float = 0.05) -> float:
    """Seconds until a check holds."""
    began = time.perf_counter()
    while time.perf_counter() - began < limit:
        if await check():  # type: ignore[operator]
            return time.perf_counter() - began
        await asyncio.sleep(pause)
    return float("inf")


async def measure(guilds: int) -> dict[str, float | int]:
    chance = random.Random(7)
    discord = DiscordStandIn()
    world = World(discord)
    for n in range(guilds):
        guild = discord.world.guild(f"server {n}")
        world.guilds.append(guild)
        world.people[guild.id] = discord.join(guild, f"ann{n}")
        for c in range(CHANNELS):
            discord.channel(guild, f"channel-{c}")
    await discord.start()
    discord.rest.per_second = LIMIT
    with tempfile.TemporaryDirectory() as folder:
        settings = Settings(_env_file=None, data_dir=Path(folder), database_url=None)
        async with database(settings) as dsn:
            connection = await asyncpg.connect(dsn)

            async def stored() -> bool:
                return await connection.fetchval("SELECT count(*) FROM chat_history") >= world.expected

            async with bot(discord, dsn, folder):  # what is known before
                await until(lambda: _true(discord.gateway.identified), 60)
                for guild in world.guilds:
                    for channel in world.channels(guild)[:2]:
                        for _ in range(2):
                            await discord.say(world.people[guild.id], channel, "the tram takes 40 minutes")
                            world.expected += 1
                await until(stored, LONGEST)
                await asyncio.sleep(5)  # the cursors and the last sign of life follow
            # away
            some = chance.sample(world.guilds, min(100, guilds))
            for guild in some:
                channel = world.channels(guild)[0]
                gone = min(channel.messages)
                del channel.messages[gone]
                world.deleted.add(gone)
            for guild in world.guilds:
                for channel in world.channels(guild)[:2]:
                    for _ in range(MISSED):
                        discord.world.message(channel, world.people[guild.id], "missed while away")
            ordered = chance.sample(world.guilds, min(50, guilds))
            for guild in ordered:
                discord.world.message(
                    world.channels(guild)[1], world.people[guild.id], "Bot remember that I play chess"
                )
            world.expected += guilds * 2 * MISSED + len(ordered) - len(world.deleted)
            discord.rest.calls.clear()
            discord.rest.read.clear()
            before, identified = len(discord.sent), discord.gateway.identified
            began = time.perf_counter()
            async with bot(discord, dsn, folder):
                await until(lambda: _true(discord.gateway.identified > identified), 60, 0.005)
                await discord.gateway.barrier()  # it has read READY and its guilds
                connected, start = time.perf_counter() - began, time.perf_counter()
                asker = world.guilds[-1]
                asked = await discord.say(
                    world.people[asker.id], world.channels(asker)[4], "Bot what do you know about me"
                )
                world.expected += 2  # the question and its answer
                first = await until(lambda: _true(any(s.reply_to == asked for s in discord.sent[before:])), 120, 0.005)
                world.expected += len(ordered)  # answers to orders are stored as well

                async def whole() -> bool:
                    missing = await connection.fetchval(
                        "SELECT count(*) FROM chat_history WHERE message_id = ANY($1)", list(world.deleted)
                    )
                    return missing == 0 and await stored()

                await until(whole, LONGEST)
                closed = time.perf_counter() - start
                left = await connection.fetchval(
                    "SELECT count(*) FROM chat_history WHERE message_id = ANY($1)", list(world.deleted)
                )
                rows = await connection.fetch("SELECT message_id FROM chat_history")
                there = {row["message_id"] for row in rows}
                lost = [
                    message["content"]
                    for guild in world.guilds
                    for channel in world.channels(guild)
                    for message_id, message in channel.messages.items()
                    if message_id not in there
                ]
                facts = await connection.fetchval("SELECT count(*) FROM facts")
                for text in lost[:5]:
                    print(f"missing: {text}", file=sys.stderr)
            result: dict[str, float | int] = {
                "guilds": guilds,
                "process_to_identify_s": round(connected, 2),
                "first_reply_s": round(first, 2),
                "gaps_closed_s": round(closed, 1),
                "messages_missing": len(lost),
                "deletions_left": left,
                "orders_done": facts,
                "orders_given": len(ordered),
                "rest_calls": sum(discord.rest.calls.values()),
                "history_calls": discord.rest.calls[CALL],
                "channels_read_twice": sum(n > 1 for n in discord.rest.read.values()),
                "refused_429": discord.rest.limited,
            }
            await connection.close()
    await discord.close()
    return result


async def _true(value: object) -> bool:
    return bool(value)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--guilds", type=int, default=1_000)
    parser.add_argument("--json", action="store_true")
    chosen = parser.parse_args()
    result = asyncio.run(measure(chosen.guilds))
    tell(f"recovery, {chosen.guilds:,} guilds", result, as_json=chosen.json)


if __name__ == "__main__":
    main()
