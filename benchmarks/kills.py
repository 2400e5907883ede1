"""Kill -9 over and over under load: `python -m benchmarks.kills [--times 100] [--seed 1]`.

The bot runs as a process against the stand-in for Discord. People write, edit, delete, give orders and ask, also while
it is down. At the end everything is compared with what was written: nothing lost, doubled or back from the dead, every
order done once and answered, every question answered once. The exit code is 1 where anything is wrong.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import random
import re
import sys
import tempfile
from collections import Counter
from contextlib import suppress
from pathlib import Path

import asyncpg

from benchmarks.recovery import bot, until
from urmom_bot.app import database
from urmom_bot.config import Settings
from urmom_bot.stand_ins import Channel, DiscordStandIn, Guild, User

PEOPLE, CHANNELS = 8, 3
PUT_OFF = "I can't reach my memory"


class Load:
    """People who write all the time, and what must be true of it: of many servers, most in the first ones."""

    def __init__(self, discord: DiscordStandIn, chance: random.Random, servers: int = 1) -> None:
        self.discord = discord
        self.chance = chance
        self.guilds: list[Guild] = [discord.world.guild(f"server {n}") for n in range(servers)]
        self.people: list[User] = [discord.world.user(f"person{n}") for n in range(PEOPLE)]
        for guild in self.guilds:
            guild.members |= {person.id: person for person in self.people}
        self.channels: list[Channel] = [
            discord.channel(guild, f"channel-{n}") for guild in self.guilds for n in range(CHANNELS)
        ]
        self._weights = [1 / (1 + n // CHANNELS) for n in range(len(self.channels))]
        self.texts: dict[int, str] = {}
        self.where: dict[int, Channel] = {}
        self.orders: dict[int, str] = {}
        self.questions: set[int] = set()
        self.done = asyncio.Event()
        self.count: Counter[str] = Counter()

    async def run(self) -> None:
        while not self.done.is_set():
            await self.step()
            await asyncio.sleep(self.chance.uniform(0.002, 0.02))

    async def begin(self, connection: asyncpg.Connection[asyncpg.Record]) -> None:
        """Say something in each channel of the first server, and wait until it is stored."""
        for channel in self.channels[:CHANNELS]:
            said = await self.discord.say(self.people[0], channel, "hello")
            self.texts[said], self.where[said] = "hello", channel
        await until(lambda: _stored(connection, "chat_history", CHANNELS), 60)

    async def step(self) -> None:
        chance, who = self.chance, self.chance.choice(self.people)
        (channel,) = chance.choices(self.channels, self._weights)
        kind = chance.choices(("say", "edit", "delete", "order", "ask"), (80, 8, 7, 3, 2))[0]
        self.count[kind] += 1
        n = self.count.total()
        with suppress(ConnectionError):
            match kind:
                case "edit" if self.texts:
                    said = chance.choice(list(self.texts)[-60:])
                    self.texts[said] = f"edited words {n}"
                    await self.discord.edit(self.where[said], said, self.texts[said])
                case "delete" if self.texts:
                    said = chance.choice(list(self.texts)[-60:])
                    del self.texts[said]
                    await self.discord.delete(self.where[said], said)
                case "order":
                    thing = f"kayak{n}"
                    self.orders[await self.discord.say(who, channel, f"Bot remember that I own {thing}")] = thing
                case "ask":
                    self.questions.add(await self.discord.say(who, channel, "Bot help"))
                case _:
                    said = await self.discord.say(who, channel, f"words {n}")
                    self.texts[said], self.where[said] = f"words {n}", channel

    def answers(self) -> Counter[int]:
        found: Counter[int] = Counter()
        for channel in self.channels:
            for message in channel.messages.values():
                reference = message.get("message_reference") or {}
                mine = message["author"]["id"] == str(self.discord.world.bot.id)
                if mine and reference and not message["content"].startswith(PUT_OFF):
                    found[int(reference["message_id"])] += 1
        return found

    async def wrong(self, connection: asyncpg.Connection[asyncpg.Record]) -> dict[str, int]:
        """What is not as it must be, by kind."""
        rows = await connection.fetch(
            "SELECT message_id, message_text FROM chat_history WHERE author_kind = 'member' AND NOT off_record"
        )
        stored = {row["message_id"]: row["message_text"] for row in rows}
        asked = {*self.orders, *self.questions}
        values = [row["value"] for row in await connection.fetch("SELECT value FROM facts WHERE retired_at IS NULL")]
        facts = Counter(thing for value in values for thing in re.findall(r"kayak\d+", value))
        answers = self.answers()
        return {
            "lost": sum(said not in stored for said in self.texts),
            "resurrected": sum(said not in self.texts and said not in asked for said in stored),
            "not as edited": sum(stored.get(said, text) != text for said, text in self.texts.items()),
            "orders not done": sum(not facts[thing] for thing in self.orders.values()),
            "orders done twice": sum(facts[thing] > 1 for thing in self.orders.values()),
            "not answered": sum(not answers[said] for said in asked),
            "answered twice": sum(answers[said] > 1 for said in asked),
            "still open": await connection.fetchval("SELECT count(*) FROM inbox WHERE state <> 'done'"),
            "parked": await connection.fetchval("SELECT count(*) FROM parked"),
        }


async def measure(times: int, seed: int) -> dict[str, int]:
    chance = random.Random(seed)
    discord = DiscordStandIn()
    load = Load(discord, chance)
    await discord.start()
    with tempfile.TemporaryDirectory() as folder:
        settings = Settings(_env_file=None, data_dir=Path(folder), database_url=None)
        async with database(settings) as dsn:
            connection = await asyncpg.connect(dsn)
            async with bot(discord, dsn, folder):  # what was written before it joined is none of its business
                await until(lambda: _is(discord.gateway.identified), 60)
                await discord.gateway.barrier()
                await load.begin(connection)
            writing = asyncio.create_task(load.run())
            for n in range(times):
                before = discord.gateway.identified
                async with bot(discord, dsn, folder):
                    await until(lambda before=before: _is(discord.gateway.identified > before), 60)  # type: ignore[misc]
                    await asyncio.sleep(chance.uniform(0.0, 6.0))
                print(f"kill {n + 1} of {times}: {load.count.total()} events", file=sys.stderr)
            load.done.set()
            await writing

            async def right() -> bool:
                return not any((await load.wrong(connection)).values())

            async with bot(discord, dsn, folder):
                await until(right, 300, 3.0)  # each look keeps the stand-in from answering
                found = await load.wrong(connection)
            await connection.close()
    await discord.close()
    return {"kills": times, "seed": seed, **{f"events {k}": v for k, v in sorted(load.count.items())}, **found}


async def _stored(connection: asyncpg.Connection[asyncpg.Record], table: str, rows: int) -> bool:
    return await connection.fetchval(f"SELECT count(*) FROM {table}") >= rows


async def _is(value: object) -> bool:
    return bool(value)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--times", type=int, default=100)
    parser.add_argument("--seed", type=int, default=1)
    chosen = parser.parse_args()
    result = asyncio.run(measure(chosen.times, chosen.seed))
    print(json.dumps(result))
    wrong = {k: v for k, v in result.items() if not k.startswith("events") and k not in ("kills", "seed") and v}
    sys.exit(1 if wrong else 0)


if __name__ == "__main__":
    main()
