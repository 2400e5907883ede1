"""What the process keeps in memory: `python -m benchmarks.residence [--messages 1000000] [--members 10000] [--json]`.

MiB at rest, KiB for each member who was never seen before and writes once, and MiB at every tenth of a long stream of
messages. The bot is a process of its own, Discord a stand-in.

`--starved MINUTES` instead: MiB by the minute while far more is written than there is room for, and how soon after
its end all of it is stored.
"""

from __future__ import annotations

import argparse
import asyncio
import tempfile
import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import asyncpg

from benchmarks.figures import tell
from benchmarks.gateway import Talkers, process, resident, until_stored
from urmom_bot.app import database
from urmom_bot.config import Settings
from urmom_bot.stand_ins import DiscordStandIn

BURST = 5_000
"""Messages that are sent without a pause: half of what may wait in memory."""


@asynccontextmanager
async def at_work(stand_in: DiscordStandIn) -> AsyncIterator[tuple[asyncpg.Connection[asyncpg.Record], int]]:
    """The bot as a process of its own: a connection to its database, and its id."""
    await stand_in.start()
    with tempfile.TemporaryDirectory() as folder:
        settings = Settings(_env_file=None, data_dir=Path(folder), database_url=None)
        async with database(settings) as dsn:
            connection = await asyncpg.connect(dsn)
            more = {"DATABASE_URL": dsn, "DATA_DIR": folder}
            async with process(stand_in, ["urmom_bot", "run"], more) as (pid, _):
                yield connection, pid
            await connection.close()
    await stand_in.close()


async def measure(messages: int, members: int) -> dict[str, object]:
    stand_in = DiscordStandIn()
    talkers = Talkers(stand_in)
    crowd = stand_in.world.guild("a large server")
    channel = stand_in.channel(crowd, "talk")
    people = [stand_in.join(crowd, f"newcomer{n}") for n in range(members)]
    result: dict[str, object] = {"messages": messages, "members": members}
    async with at_work(stand_in) as (connection, pid):
        result["rss_at_rest_mib"] = round(resident(pid))
        await talkers.burst(BURST)  # so that what every message needs is there
        await until_stored(connection, BURST)
        before = resident(pid)
        for n, person in enumerate(people, 1):
            await stand_in.say(person, channel, "hello everybody, the kiln in Riga is warm")
            if n % BURST == 0 or n == members:
                await until_stored(connection, BURST + n)
        result["kib_a_member"] = round((resident(pid) - before) * 1_024 / members, 1)
        sent, along = BURST + members, []
        for n in range(messages // BURST):
            await talkers.burst(BURST)
            sent += BURST
            await until_stored(connection, sent)
            for guild in stand_in.world.guilds.values():
                for place in guild.channels.values():
                    place.messages.clear()
            if (n + 1) % max(messages // BURST // 10, 1) == 0:
                along.append(round(resident(pid)))
        result["rss_along_mib"] = along
    return result


FLOOD = 10_000
"""Messages of a flood that are sent without a pause: all that may wait in memory."""


async def starve(minutes: float) -> dict[str, object]:
    stand_in = DiscordStandIn()
    talkers = Talkers(stand_in)
    async with at_work(stand_in) as (connection, pid):
        began, sent, along = time.monotonic(), 0, [round(resident(pid))]
        while time.monotonic() - began < 60 * minutes:
            await talkers.burst(FLOOD)
            sent += FLOOD
            if time.monotonic() - began > 60 * len(along):
                along.append(round(resident(pid)))
        at_the_end = await connection.fetchval("SELECT count(*) FROM chat_history")
        all_stored = await until_stored(connection, sent)
        along.append(round(resident(pid)))
    return {
        "messages": sent,
        "stored_at_the_end": at_the_end,
        "all_stored_after_s": round(all_stored, 1),
        "rss_by_the_minute_mib": along,
    }


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--messages", type=int, default=1_000_000)
    parser.add_argument("--members", type=int, default=10_000)
    parser.add_argument("--json", action="store_true")
    parser.add_argument("--starved", type=float, default=0, metavar="MINUTES")
    chosen = parser.parse_args()
    result = asyncio.run(starve(chosen.starved) if chosen.starved else measure(chosen.messages, chosen.members))
    tell("what the process keeps in memory", result, as_json=chosen.json)


if __name__ == "__main__":
    main()
