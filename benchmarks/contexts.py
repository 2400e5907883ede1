"""How fast contexts are given: `python -m benchmarks.contexts [--members 10000] [--messages 100000] [--json]`.

A guild with that many members and messages; the model is a stand-in that answers at once. Warm: asked again within the
hour. Cold: after a restart, with everything stored. Without AI: no key at all, after a restart.
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
import pytest

from benchmarks.figures import tell
from tests.statements import watch
from urmom_bot.app import App, database, open_app
from urmom_bot.config import Settings
from urmom_bot.stand_ins import GeminiStandIn, extractive

GUILD = 5_000 << 22
NOW = datetime(2026, 11, 8, 12, 30, tzinfo=UTC)
TALKERS = 40
"""Members who wrote within the week; the rest of the messages is older and of all."""

WORDS = (Path(__file__).parents[1] / "memory" / "wordlists" / "everyday.txt").read_text(encoding="utf-8").split()


async def fill(dsn: str, members: int, messages: int) -> None:
    """The guild's people and their talk of thirty days, of which the last week is of a few."""
    chance = random.Random(3)
    connection = await asyncpg.connect(dsn)
    people = [(GUILD, n, f"person{n}", f"person{n}") for n in range(1, members + 1)]
    columns = ["guild_id", "user_id", "display_name", "username"]
    await connection.copy_records_to_table("members", records=people, columns=columns)
    await connection.execute("INSERT INTO channel_settings (guild_id, channel_id, name) VALUES ($1, 7, 'talk')", GUILD)
    rows = []
    for n in range(messages):
        is_recent = n < 2_000
        at = NOW - timedelta(seconds=chance.uniform(3_600, 7 * 86_400 if is_recent else 29 * 86_400))
        if not is_recent:
            at -= timedelta(days=8)
        message_id = (int(at.timestamp() * 1000) - 1_420_070_400_000) << 22 | n & 0x3FFFFF
        user_id = chance.randint(1, TALKERS if is_recent else members)
        text = " ".join(chance.choices(WORDS, k=chance.randint(4, 14)))
        rows.append((GUILD, message_id, 7, user_id, text, at, 0, "member", []))
    columns = ["guild_id", "message_id", "channel_id", "user_id", "message_text", "timestamp"]
    columns += ["audience", "author_kind", "addressees"]
    for start in range(0, len(rows), 10_000):
        await connection.copy_records_to_table("chat_history", records=rows[start : start + 10_000], columns=columns)
    await connection.execute("VACUUM ANALYZE")
    await connection.close()


async def timed(app: App, users: list[int], statements: list[str]) -> tuple[float, int]:
    """Milliseconds and statements of one question for contexts."""
    await app.memory.loops.stop()
    viewer = await app.memory.guilds.public(GUILD)
    statements.clear()
    began = time.perf_counter()
    await app.memory.replies.contexts(viewer, users, wait=60)
    return (time.perf_counter() - began) * 1_000, len(statements)


async def measure(members: int, messages: int) -> dict[str, float]:
    statements: list[str] = []
    watch(pytest.MonkeyPatch(), statements.append)
    gemini = GeminiStandIn(extractive)
    await gemini.start()
    result: dict[str, float] = {"members": members, "messages": messages}
    with tempfile.TemporaryDirectory() as folder:
        plain = Settings(_env_file=None, data_dir=Path(folder), database_url=None)
        settings = plain.on_stand_in(gemini.url)
        async with database(settings) as dsn:
            await fill(dsn, members, messages)
            some = list(range(2, 22))
            async with open_app(settings, clock=lambda: NOW, dsn=dsn) as app:
                await timed(app, [1, *some], statements)
                times = []
                for _ in range(2_000):
                    began = time.perf_counter()
                    await app.memory.get_memories(GUILD, 1)
                    times.append((time.perf_counter() - began) * 1e6)
                statements.clear()
                await app.memory.get_memories(GUILD, 1)
                result |= {"warm_us": round(statistics.median(times), 1), "warm_statements": len(statements)}
            for name, users, how in (
                ("cold", [1], settings),
                ("cold_20", some, settings),
                ("no_ai", [1], plain.model_copy(update={"gemini_api_key": None})),
            ):
                found = []
                for _ in range(5):
                    async with open_app(how, clock=lambda: NOW, dsn=dsn) as app:
                        found.append(await timed(app, users, statements))
                result[f"{name}_ms"] = round(statistics.median(ms for ms, _ in found), 1)
                result[f"{name}_statements"] = found[-1][1]
    await gemini.close()
    return result


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--members", type=int, default=10_000)
    parser.add_argument("--messages", type=int, default=100_000)
    parser.add_argument("--json", action="store_true")
    chosen = parser.parse_args()
    result = asyncio.run(measure(chosen.members, chosen.messages))
    tell("contexts", result, as_json=chosen.json)


if __name__ == "__main__":
    main()
