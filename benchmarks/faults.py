"""Faults of several processes under load: `python -m benchmarks.faults [SCENARIO …] [--times 3] [--seed 1]`.

Processes of the bot run against the stand-in for Discord and one database, while people write, edit, delete, order
and ask as in `benchmarks.kills`. At the end everything is compared with what was written. For each scenario it prints
what was lost, doubled, back from the dead, not done or not answered; the exit code is 1 where anything is.

- `freeze`: two processes on one server; one is stopped for 15 to 25 s and wakes (SIGSTOP, SIGCONT).
- `database`: two processes; one is cut off from the database for 5 to 20 s.
- `silent`: channels in which nobody wrote yet get their first words while the bot is killed again and again as it
  catches up.
- `many`: three processes with four shards and 1,000 servers, `--times` of each fault: one is killed, one freezes, one
  is cut off from the database, one from Discord, one is told to end, and all are killed at once.
- `term`: the database is frozen while people delete and edit; the process is told to end, and the next one begins.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import os
import random
import signal
import sys
import tempfile
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass
from pathlib import Path

import asyncpg

from benchmarks.kills import Load
from benchmarks.recovery import bot, until
from tests.line import Line
from urmom_bot.app import database
from urmom_bot.config import Settings
from urmom_bot.errors import NO_DATABASE, NO_DISCORD
from urmom_bot.stand_ins import DiscordStandIn

SERVERS = 1_000
"""Servers of `many`."""

SHARDS = ("0", "1,2", "3")
"""The shards of its three processes."""

SILENT = 40
"""Channels in which nobody wrote yet."""


@dataclass
class Stage:
    """Discord, the database, and people who use the bot."""

    discord: DiscordStandIn
    load: Load
    dsn: str
    folder: str
    connection: asyncpg.Connection[asyncpg.Record]
    chance: random.Random

    @asynccontextmanager
    async def process(self, dsn: str | None = None, **more: str) -> AsyncIterator[asyncio.subprocess.Process]:
        """A process of the bot, logged in."""
        before = self.discord.gateway.identified
        # With its shards named, a second process runs beside the first, and does not stand by.
        shards = {"SHARD_COUNT": "1", "SHARD_IDS": "0", "HEALTH_PORT": "0"} | more
        async with bot(self.discord, dsn or self.dsn, self.folder, **shards) as running:
            await until(lambda: _is(self.discord.gateway.identified > before), 60)
            yield running

    async def settle(self) -> dict[str, int]:
        """Wait until everything is right, for five minutes at the most; what is not."""

        async def right() -> bool:
            return not any((await self.load.wrong(self.connection)).values())

        await until(right, 90, 3.0)
        wrong = await self.load.wrong(self.connection)
        if wrong["lost"]:
            rows = await self.connection.fetch("SELECT message_id FROM chat_history")
            cursors = await self.connection.fetch("SELECT channel_id, last_message_id FROM channel_cursors")
            stored, known = {row[0] for row in rows}, {row[0]: row[1] for row in cursors}
            for said in self.load.texts.keys() - stored:
                place = self.load.where[said]
                print(
                    "lost:",
                    said,
                    self.load.texts[said],
                    self.load.channels.index(place) if place in self.load.channels else place.name,
                    known.get(place.id),
                    file=sys.stderr,
                )
        return wrong


async def freeze(stage: Stage, times: int) -> None:
    """One of two processes stands still, and wakes when the other has taken over."""
    async with AsyncExitStack() as stack:
        processes = [await stack.enter_async_context(stage.process()) for _ in range(2)]
        for n in range(times):
            one = processes[n % 2]
            await asyncio.sleep(stage.chance.uniform(1, 4))
            os.kill(one.pid, signal.SIGSTOP)
            await asyncio.sleep(stage.chance.uniform(15, 25))
            os.kill(one.pid, signal.SIGCONT)
        await asyncio.sleep(5)


async def cut(stage: Stage, times: int) -> None:
    """One of two processes is cut off from the database alone."""
    line = Line(stage.dsn)
    await line.start()
    async with AsyncExitStack() as stack:
        await stack.enter_async_context(stage.process())
        await stack.enter_async_context(stage.process(line.dsn))
        for _ in range(times):
            await asyncio.sleep(stage.chance.uniform(1, 4))
            stage.chance.choice([line.cut, line.freeze])()
            await asyncio.sleep(stage.chance.uniform(5, 20))
            line.mend()
        await asyncio.sleep(5)
    await line.close()


async def many(stage: Stage, times: int) -> None:
    """Three processes with four shards, and every fault."""
    chance = stage.chance
    lines = [(Line(stage.dsn), Line(await stage.discord.proxy())) for _ in SHARDS]
    for line in (one for pair in lines for one in pair):
        await line.start()
    processes: list[asyncio.subprocess.Process] = []
    async with AsyncExitStack() as stack:

        async def begin(n: int) -> asyncio.subprocess.Process:
            database, discord = lines[n]
            more = {"SHARD_COUNT": "4", "SHARD_IDS": SHARDS[n], "DISCORD_PROXY": f"http://127.0.0.1:{discord.port}"}
            return await stack.enter_async_context(stage.process(database.dsn, **more))

        processes += [await begin(n) for n in range(len(SHARDS))]
        faults = ["kill", "freeze", "database", "discord", "term", "all"] * times
        chance.shuffle(faults)
        for fault in faults:
            n = chance.randrange(len(SHARDS))
            process, (database, discord) = processes[n], lines[n]
            print(f"{fault}: process {n}, {stage.load.count.total()} events", file=sys.stderr)
            match fault:
                case "freeze":
                    os.kill(process.pid, signal.SIGSTOP)
                    await asyncio.sleep(chance.uniform(12, 20))
                    os.kill(process.pid, signal.SIGCONT)
                case "database" | "discord":
                    line = database if fault == "database" else discord
                    chance.choice([line.cut, line.freeze])()
                    await asyncio.sleep(chance.uniform(5, 15))
                    line.mend()
                case _:
                    ended = processes if fault == "all" else [process]
                    for one in ended:
                        if one.returncode is None:
                            one.terminate() if fault == "term" else one.kill()
                    for one in ended:
                        await asyncio.wait_for(one.wait(), 11)
                    await asyncio.sleep(chance.uniform(0, 3))
            await asyncio.sleep(chance.uniform(1, 4))
            for k, one in enumerate(list(processes)):
                if one.returncode is not None:
                    # Where it could not start for want of the database or Discord, whoever supervises it tries again.
                    assert one.returncode <= 0 or one.returncode in (NO_DATABASE, NO_DISCORD) or fault == "term"
                    processes[k] = await begin(k)
        await asyncio.sleep(5)
    for line in (one for pair in lines for one in pair):
        await line.close()


async def silent(stage: Stage, times: int) -> None:
    """First words in silent channels, and kills while they are caught up on."""
    discord, load = stage.discord, stage.load
    places = [discord.channel(load.guilds[0], f"silent-{n}") for n in range(SILENT)]
    async with stage.process():
        await asyncio.sleep(3)
    for n in range(times):
        for place in places:
            said = await discord.say(stage.chance.choice(load.people), place, f"first words {n}")
            load.texts[said], load.where[said] = f"first words {n}", place
        for _ in range(2):
            async with stage.process():
                await asyncio.sleep(stage.chance.uniform(0, 0.8))


async def term(stage: Stage, times: int) -> None:
    """The database stands still, people delete, and the process is told to end."""
    for _ in range(times):
        line = Line(stage.dsn)
        await line.start()
        async with stage.process(line.dsn) as process:
            await asyncio.sleep(stage.chance.uniform(2, 5))
            line.freeze()
            await asyncio.sleep(stage.chance.uniform(1, 3))
            process.terminate()
            await asyncio.wait_for(process.wait(), 11)
        await line.close()


SCENARIOS: dict[str, Callable[[Stage, int], Awaitable[None]]] = {
    "freeze": freeze,
    "database": cut,
    "silent": silent,
    "term": term,
    "many": many,
}


async def measure(scenario: str, times: int, seed: int) -> dict[str, object]:
    """Play a scenario; what is wrong in the end, by kind."""
    chance = random.Random(seed)
    discord = DiscordStandIn()
    load = Load(discord, chance, SERVERS if scenario == "many" else 1)
    await discord.start()
    with tempfile.TemporaryDirectory() as folder:
        settings = Settings(_env_file=None, data_dir=Path(folder), database_url=None)
        async with database(settings) as dsn:
            connection = await asyncpg.connect(dsn)
            stage = Stage(discord, load, dsn, folder, connection, chance)
            async with stage.process():  # what was written before it joined is none of its business
                await discord.gateway.barrier()
                await load.begin(connection)
            writing = asyncio.create_task(load.run())
            await SCENARIOS[scenario](stage, times)
            load.done.set()
            await writing
            async with stage.process():
                found = await stage.settle()
            await connection.close()
    await discord.close()
    return {"scenario": scenario, "times": times, "events": load.count.total(), **found}


async def _is(value: object) -> bool:
    return bool(value)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("scenarios", nargs="*", choices=[[], *SCENARIOS], default=[])
    parser.add_argument("--times", type=int, default=3)
    parser.add_argument("--seed", type=int, default=1)
    chosen = parser.parse_args()
    is_wrong = False
    for scenario in chosen.scenarios or SCENARIOS:
        result = asyncio.run(measure(scenario, chosen.times, chosen.seed))
        print(json.dumps(result), flush=True)
        is_wrong |= any(v for k, v in result.items() if k not in ("scenario", "times", "events"))
    sys.exit(1 if is_wrong else 0)


if __name__ == "__main__":
    main()
