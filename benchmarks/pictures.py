"""A flood of pictures: `python -m benchmarks.pictures [--json]`.

500 different pictures of 3,000 x 2,000 pixels are posted in a minute while somebody asks the bot something every five
seconds; then the bot describes what it may. How long anything held the event loop, how much memory the process grew,
how many calls the pictures took of a day's 500 (the share is 20 %), and how long answers took. The bot is real; Discord
and the model are stand-ins in the same process, so what they take counts as well: the same flood without descriptions
is measured beside it.
"""

from __future__ import annotations

import argparse
import asyncio
import io
import random
import re
import statistics
import tempfile
import time
from pathlib import Path

import psutil
from PIL import Image

from benchmarks.figures import tell
from benchmarks.loop import Watch
from memory.store.usage import Limits
from urmom_bot.app import database, open_app, warm_up
from urmom_bot.config import Settings
from urmom_bot.stand_ins import DiscordStandIn, GeminiStandIn, extractive, online

PICTURES, SECONDS, QUESTION_EVERY = 500, 60.0, 5.0
SIZE = (3_000, 2_000)
DAY = Limits(requests_per_minute=1_000, tokens_per_minute=10_000_000, requests_per_day=500)


def photo(n: int) -> bytes:
    """A picture that no other is like, in the colours of a photo."""
    chance = random.Random(n)
    small = Image.new("RGB", (60, 40))
    small.putdata([(chance.randrange(256), chance.randrange(256), n % 256) for _ in range(60 * 40)])
    out = io.BytesIO()
    small.resize(SIZE).save(out, "JPEG", quality=60)
    return out.getvalue()


async def flood(pictures: int, seconds: float, *, describes: bool) -> dict[str, float]:
    """The figures of one flood, with or without descriptions."""
    gemini = GeminiStandIn(extractive)
    await gemini.start()
    stand_in = DiscordStandIn()
    guild = stand_in.world.guild("the server")
    general, talk = (stand_in.channel(guild, name) for name in ("general", "talk"))
    poster, asker = (stand_in.join(guild, name) for name in ("poster", "asker"))
    await stand_in.start()
    watch, process = Watch(), psutil.Process()
    waits: list[float] = []
    files = [stand_in.upload(f"{n}.jpg", photo(n)) for n in range(pictures)]
    with tempfile.TemporaryDirectory() as folder:
        plain = Settings(_env_file=None, data_dir=Path(folder), database_url=None)
        settings = plain.on_stand_in(gemini.url).model_copy(update={"gemma_limits": DAY, "gemini_limits": DAY})
        async with (
            database(settings) as dsn,
            open_app(settings, dsn=dsn) as app,
            online(bot := app.bot(connector=stand_in.connector()), stand_in),
        ):
            warm_up()
            before = process.memory_info().rss
            most = before

            async def ask() -> None:
                while True:
                    asked, sent = time.perf_counter(), len(stand_in.sent)
                    await stand_in.say(asker, talk, "Bot how is the kiln?")
                    while len(stand_in.sent) == sent:
                        await asyncio.sleep(0.01)
                    waits.append(time.perf_counter() - asked)
                    await asyncio.sleep(QUESTION_EVERY)

            async def describe() -> None:
                nonlocal most
                while True:
                    if describes:
                        await bot.flow.describer.look()
                    most = max(most, process.memory_info().rss)
                    await asyncio.sleep(0.2)

            async with watch.over("hold"):
                working = [asyncio.create_task(ask()), asyncio.create_task(describe())]
                for file in files:
                    await stand_in.say(poster, general, "look", attachments=[file])
                    await asyncio.sleep(seconds / pictures)
                await asyncio.sleep(seconds)
                for task in working:
                    task.cancel()
                await asyncio.gather(*working, return_exceptions=True)
            shown = [asked.sections["files"] for asked in gemini.asked if asked.name == "Captions"]
            calls, seen = len(shown), sum(len(re.findall(r"\d+", files)) for files in shown)
    await gemini.close()
    await stand_in.close()
    return {
        "longest_hold_ms": watch.holds["hold_ms"],
        "memory_grew_mib": round((most - before) / 2**20, 1),
        "calls_for_pictures": calls,
        "pictures_described": seen,
        "answers": len(waits),
        "answer_seconds_median": round(statistics.median(waits), 2),
        "answer_seconds_most": round(max(waits), 2),
    }


async def measure() -> dict[str, float]:
    """All figures."""
    await flood(20, 4.0, describes=True)  # what is loaded once is no flood's
    without = await flood(PICTURES, SECONDS, describes=False)
    found = await flood(PICTURES, SECONDS, describes=True)
    names = ("longest_hold_ms", "memory_grew_mib", "answer_seconds_median", "answer_seconds_most")
    return found | {f"{name}_without": without[name] for name in names}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--json", action="store_true")
    chosen = parser.parse_args()
    tell("a flood of pictures", asyncio.run(measure()), as_json=chosen.json)


if __name__ == "__main__":
    main()
