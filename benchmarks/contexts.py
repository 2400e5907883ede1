"""How fast contexts are given: `python -m benchmarks.contexts [--members 10000] [--messages 100000] [--json]`.

A guild with that many members and messages; the model is a stand-in that answers at once. Warm: asked again within the
hour. Cold: after a restart, with everything stored. Without AI: no key at all, after a restart.
"""

from __future__ import annotations

import argparse
import asyncio
import statistics
import tempfile
import time
from pathlib import Path

import pytest

from benchmarks.figures import tell
from benchmarks.guild import GUILD, NOW, fill
from tests.statements import watch
from urmom_bot.app import App, database, open_app
from urmom_bot.config import Settings
from urmom_bot.stand_ins import GeminiStandIn, extractive


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
