"""How fast messages are stored: `python -m benchmarks.ingest [--messages 20000] [--json]`.

Beside COPY into the same table with the same indexes and triggers, in batches of the same size, in the same run: with
one guild, and with many whose messages come mixed. Then with 1,000 guilds that know 100 and 1,000 members each who do
not write (`named`). And how long a message of one guild waits while another is held.
"""

from __future__ import annotations

import argparse
import asyncio
import random
import statistics
import tempfile
import time
from datetime import UTC, datetime, timedelta
from pathlib import Path

import asyncpg

from benchmarks.figures import tell
from memory import Member, Message
from memory.ingest import MAX_BATCH
from memory.store.database import SAVING
from urmom_bot.app import App, database, open_app
from urmom_bot.config import Settings

GUILDS = (1, 100, 1_000, 5_000)
PEOPLE = 20
"""Members of a guild who write."""

KNOWN = (100, 1_000)
"""Members that each of 1,000 guilds knows, beside those who write."""

WORDS = Path(__file__).parents[1] / "memory" / "wordlists" / "everyday.txt"
HELD = 5.0
"""Seconds for which a guild is held."""


def talk(guilds: int, count: int, first: int) -> list[tuple[Message, Member]]:
    """Messages of guilds that come mixed, a millisecond apart."""
    chance = random.Random(guilds + first)
    words = [line for line in WORDS.read_text(encoding="utf-8").split() if line.isalpha()]
    begun = datetime.now(UTC) - timedelta(minutes=1)
    found = []
    for n in range(count):
        guild_id, user_id = (1_000 + chance.randrange(guilds)) << 22, 100 + chance.randrange(PEOPLE)
        at = begun + timedelta(milliseconds=n)
        message_id = (int(at.timestamp() * 1000) - 1_420_070_400_000) << 22 | (first + n) & 0x3FFFFF
        text = " ".join(chance.choices(words, k=chance.randint(3, 18)))
        message = Message(
            guild_id=guild_id, message_id=message_id, channel_id=guild_id + 1, user_id=user_id, text=text, timestamp=at
        )
        name = f"person{user_id}"
        found.append((message, Member(guild_id=guild_id, user_id=user_id, display_name=name, username=name)))
    return found


async def ingested(app: App, written: list[tuple[Message, Member]]) -> float:
    """Messages a second that are in the database for good."""
    began = time.perf_counter()
    for message, member in written:
        while not await app.memory.messages.ingest(message, member):
            await asyncio.sleep(0.001)
    await app.memory.messages.flush()
    return len(written) / (time.perf_counter() - began)


async def copied(connection: asyncpg.Connection[asyncpg.Record], written: list[tuple[Message, Member]]) -> float:
    """Messages a second by COPY, in transactions of the size that ingest has."""
    rows = [
        (m.guild_id, m.message_id, m.channel_id, m.user_id, m.text, m.timestamp, 0, "member", []) for m, _ in written
    ]
    columns = ["guild_id", "message_id", "channel_id", "user_id", "message_text", "timestamp"]
    columns += ["audience", "author_kind", "addressees"]
    began = time.perf_counter()
    for start in range(0, len(rows), MAX_BATCH):
        async with connection.transaction():
            await connection.copy_records_to_table(
                "chat_history", records=rows[start : start + MAX_BATCH], columns=columns
            )
    return len(rows) / (time.perf_counter() - began)


async def know(connection: asyncpg.Connection[asyncpg.Record], numbers: range) -> None:
    """Members of a thousand guilds, so many each, who were seen and do not write."""
    rows = [
        ((1_000 + guild) << 22, 1_000 + n, f"silent {n} of {guild}", f"silent{n}.{guild}")
        for guild in range(1_000)
        for n in numbers
    ]
    columns = ["guild_id", "user_id", "display_name", "username"]
    await connection.copy_records_to_table("members", records=rows, columns=columns)


async def waited(app: App, connection: asyncpg.Connection[asyncpg.Record]) -> tuple[float, float]:
    """Milliseconds that messages of other guilds take (median, the longest) while one guild is held."""
    held, *others = [guild << 22 for guild in range(9_000, 9_020)]

    async def say(guild_id: int, n: int) -> float:
        (message, member), *_ = talk(1, 1, 3_000_000 + n)
        message = Message(**{**vars(message), "guild_id": guild_id, "channel_id": guild_id + 1})
        member = Member(**{**vars(member), "guild_id": guild_id})
        began = time.perf_counter()
        await app.memory.messages.ingest(message, member)
        while app.memory.messages._ingest._named.get(guild_id, member.user_id) is None:
            await asyncio.sleep(0.001)
            if time.perf_counter() - began > HELD:
                break
        return (time.perf_counter() - began) * 1_000

    async with connection.transaction():
        await connection.execute("SELECT pg_advisory_xact_lock($1, hashint8($2))", SAVING, held)
        asyncio.get_running_loop().create_task(say(held, 0))
        await asyncio.sleep(0.2)
        times = [await say(guild_id, n + 1) for n, guild_id in enumerate(others)]
    await app.memory.messages.flush()
    return statistics.median(times), max(times)


async def measure(count: int) -> dict[str, float]:
    result: dict[str, float] = {}
    with tempfile.TemporaryDirectory() as folder:
        settings = Settings(_env_file=None, data_dir=Path(folder), database_url=None)
        async with database(settings) as dsn, open_app(settings, dsn=dsn) as app:
            connection = await asyncpg.connect(dsn)
            first = 0
            for guilds in GUILDS:
                ratios, speeds = [], []
                for _ in range(3):
                    mine, theirs = talk(guilds, count, first), talk(guilds, count, first + count)
                    first += 2 * count
                    speeds.append(await ingested(app, mine))
                    ratios.append(speeds[-1] / await copied(connection, theirs))
                    await connection.execute("DELETE FROM chat_history")
                    await connection.execute("VACUUM chat_history, lexemes")
                result[f"per_second_{guilds}"] = round(statistics.median(speeds))
                result[f"copy_ratio_{guilds}"] = round(statistics.median(ratios), 3)
            median, longest = await waited(app, connection)
            result["held_median_ms"], result["held_longest_ms"] = round(median, 1), round(longest, 1)
            await connection.close()
            result |= await measure_named(settings, dsn, count, first)
    return result


async def measure_named(settings: Settings, dsn: str, count: int, first: int) -> dict[str, float]:
    """Messages a second of a thousand guilds that know many members; each number in a process that knows nobody yet."""
    result: dict[str, float] = {}
    connection = await asyncpg.connect(dsn)
    known = 0
    for more in KNOWN:
        await know(connection, range(known, more))
        known = more
        speeds = []
        async with open_app(settings, dsn=dsn) as app:
            for _ in range(3):
                speeds.append(await ingested(app, talk(1_000, count, first)))
                first += count
        result[f"per_second_1000_named_{more * 1_000}"] = round(statistics.median(speeds))
    await connection.close()
    return result


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--messages", type=int, default=20_000)
    parser.add_argument("--json", action="store_true")
    chosen = parser.parse_args()
    result = asyncio.run(measure(chosen.messages))
    tell(f"{chosen.messages:,} messages, three times", result, as_json=chosen.json)


if __name__ == "__main__":
    main()
