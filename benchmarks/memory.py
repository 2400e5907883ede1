"""What the imported week costs and how long memory takes: `python -m benchmarks.memory [export.json]`.

The model is a stand-in that answers at once, so times are the project's own; calls and tokens are
those a real model would be asked for. Prints one table; everything is measured in one run.
"""

from __future__ import annotations

import asyncio
import os
import statistics
import sys
import tempfile
import time
from collections import Counter
from datetime import UTC, datetime
from pathlib import Path

from rich.console import Console
from rich.table import Table

from memory import public
from urmom_bot.app import database, open_app
from urmom_bot.config import Settings
from urmom_bot.importer import Counts, import_file
from urmom_bot.stand_ins import GeminiStandIn, extractive

DEFAULT = Path(__file__).parents[2] / "shared" / "data" / "irc" / "ubuntu-8-days.json"
NOW = datetime(2026, 11, 8, 12, tzinfo=UTC)


async def measure(export: Path) -> None:
    table = Table("what", "result", title=f"{export.name} at {NOW:%Y-%m-%d %H:%M}")
    gemini = GeminiStandIn(extractive)
    await gemini.start()
    with tempfile.TemporaryDirectory() as folder:
        settings = Settings(_env_file=None, data_dir=Path(folder), database_url=None, memory_wait=30)
        settings = settings.on_stand_in(gemini.url)
        began = time.perf_counter()
        async with database(settings) as dsn:
            table.add_row("start of the embedded database, first time", f"{time.perf_counter() - began:.2f} s")
            async with open_app(settings, clock=lambda: NOW, dsn=dsn) as app:
                counts = Counts()
                began = time.perf_counter()
                place = await import_file(export, app.memory, counts)
                seconds = time.perf_counter() - began
                table.add_row(
                    "import", f"{counts.read} messages in {seconds:.2f} s ({counts.read / seconds:,.0f} a second)"
                )
                guild = place.guild_id
                members = await app.memory.guilds.members(guild)
                names = {m.display_name: u for u, m in members.items()}
                one = names.get("ActionParsnip") or next(iter(members))
                began = time.perf_counter()
                found = (await app.memory.replies.contexts(public(guild), [one]))[one]
                table.add_row(
                    "cold get_memories, a week nobody had asked about", f"{time.perf_counter() - began:.2f} s"
                )
                table.add_row(
                    "… which asked the model for",
                    f"{found.spent.calls} calls, {found.spent.tokens_in:,} tokens in, {found.spent.tokens_out:,} out",
                )
                times = []
                for _ in range(200):
                    began = time.perf_counter()
                    await app.memory.get_memories(guild, one)
                    times.append((time.perf_counter() - began) * 1000)
                times.sort()
                table.add_row(
                    "warm get_memories, 200 times", f"median {statistics.median(times):.1f} ms, p99 {times[197]:.1f} ms"
                )
                others = list(members)[:20]
                asked = len(gemini.asked)
                began = time.perf_counter()
                await app.memory.replies.contexts(public(guild), others)
                table.add_row(
                    "20 more members of the same week",
                    f"{time.perf_counter() - began:.2f} s, {len(gemini.asked) - asked} more calls",
                )
            async with open_app(settings, clock=lambda: NOW, dsn=dsn) as app:
                asked = len(gemini.asked)
                began = time.perf_counter()
                await app.memory.get_memories(guild, one)
                table.add_row(
                    "the same after a restart",
                    f"{(time.perf_counter() - began) * 1000:.0f} ms, {len(gemini.asked) - asked} calls",
                )
    calls = Counter(f"{a.model}: {a.name}" for a in gemini.asked)
    for name, n in sorted(calls.items()):
        size = sum(len(a.instructions + a.data) // 4 for a in gemini.asked if f"{a.model}: {a.name}" == name)
        table.add_row(f"calls, {name}", f"{n} ({size:,} tokens sent, about)")
    await gemini.close()
    Console().print(table)


if __name__ == "__main__":
    path = Path(sys.argv[1]) if len(sys.argv) > 1 else Path(os.environ.get("URMOM_EXPORT", DEFAULT))
    if not path.exists():
        sys.exit(f"There is no export at {path}: name one as the argument.")
    asyncio.run(measure(path))
