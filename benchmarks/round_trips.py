"""Round trips to the database: `python -m benchmarks.round_trips [--list ACTION] [--json]`.

One member remembers, asks what is known (twice), asks two questions and forgets, in a small guild. A line between the
bot and its database counts what is sent: statements, transactions and resets of connections alike. `--list` prints the
statements of one action.
"""

from __future__ import annotations

import argparse
import asyncio
import tempfile
from collections.abc import Awaitable, Callable
from contextlib import nullcontext
from datetime import timedelta
from pathlib import Path

import pytest

from benchmarks.figures import tell
from benchmarks.growth import Speaker
from benchmarks.guild import NOW, fill
from tests.line import Line
from tests.statements import watch
from urmom_bot.app import database, open_app
from urmom_bot.config import Settings
from urmom_bot.stand_ins import GeminiStandIn, extractive

SETTLED = 0.2
"""Seconds after an action until the process has heard of its own change, and dropped what it knew."""


async def measure(listed: str | None = None, dsn: str | None = None) -> dict[str, int]:
    """The round trips of each action, warm, in the database of `dsn` or one of its own.

    With `listed`, print the statements of that one.
    """
    gemini = GeminiStandIn(extractive)
    await gemini.start()
    seen: list[str] = []
    result: dict[str, int] = {}
    patches = pytest.MonkeyPatch()
    watch(patches, seen.append)
    with tempfile.TemporaryDirectory() as folder:
        settings = Settings(_env_file=None, data_dir=Path(folder), database_url=None).on_stand_in(gemini.url)
        async with nullcontext(dsn) if dsn is not None else database(settings) as own:
            await fill(own, 1_000, 10_000)
            line = Line(own)
            await line.start()
            async with open_app(settings, clock=lambda: NOW + timedelta(minutes=10), dsn=line.dsn) as app:
                await app.memory.loops.stop()
                ann = Speaker(app, seen)

                async def count(name: str, work: Callable[[], Awaitable[object]]) -> None:
                    await work()
                    await asyncio.sleep(SETTLED)
                    result[name], result[f"{name}_statements"] = ann.round_trips, ann.statements
                    if name == listed:
                        print(*(" ".join(statement.split()) for statement in ann.sent), sep="\n")

                ann.line = line
                for size in (14, 16):
                    await count("remember", lambda: ann.ask("remember that I collect kayaks from Gdynia"))
                    await count("know_cold", lambda: ann.ask("what do you know about me"))
                    await count("know_warm", lambda: ann.ask("what do you know about me"))
                    another = f"remember that my loom is {size} feet wide"
                    await count("remember_another", lambda said=another: ann.ask(said))
                    await count("know_changed", lambda: ann.ask("what do you know about me"))
                    await count("answer", lambda: ann.ask("which kayaks do I own"))
                    await count("next_answer", lambda: ann.ask("which kayaks did I paint"))
                    await count("forget", lambda: ann.ask("forget that I collect kayaks from Gdynia"))
            await line.close()
    patches.undo()
    await gemini.close()
    return result


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--list", metavar="ACTION")
    parser.add_argument("--json", action="store_true")
    chosen = parser.parse_args()
    tell("round trips to the database", asyncio.run(measure(chosen.list)), as_json=chosen.json)


if __name__ == "__main__":
    main()
