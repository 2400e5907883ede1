"""For how long anything holds the event loop, so that nobody is answered: `python -m benchmarks.loop [--json]`.

Milliseconds of the longest hold while a day of 10,000 messages by 1,000 members is stored, and read for all who ask;
while contexts of 20 members are given after a restart; while a channel of 92,000 messages is erased, during which
somebody in another guild writes (`elsewhere`: until a message is stored, at the most); and while rows are purged by
their age (`--purged`, 200,000 by default). The model is a stand-in in the same process: what it takes to answer counts
as well.
"""

from __future__ import annotations

import argparse
import asyncio
import itertools
import random
import tempfile
import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from datetime import UTC, datetime, timedelta
from pathlib import Path

import asyncpg

from benchmarks.figures import tell
from benchmarks.guild import GUILD, fill, first_id, sentences, writers
from memory import Member, Message
from urmom_bot.app import App, database, open_app, warm_up
from urmom_bot.config import Settings
from urmom_bot.stand_ins import GeminiStandIn

NOW = datetime(2026, 11, 10, 23, 30, tzinfo=UTC)
LOOK = 0.002
MEMBERS, MESSAGES = 1_000, 10_000
ERASED = 92_000
ANSWER = '{"notes": []}'


class Watch:
    """Notices how long the loop does not come round."""

    def __init__(self) -> None:
        self.holds: dict[str, float] = {}
        self.waits: dict[str, float] = {}

    @asynccontextmanager
    async def over(self, name: str) -> AsyncIterator[None]:
        """Keep the longest hold of what is done meanwhile, in milliseconds."""
        longest = 0.0

        async def look() -> None:
            nonlocal longest
            while True:
                began = time.perf_counter()
                await asyncio.sleep(LOOK)
                longest = max(longest, time.perf_counter() - began - LOOK)

        looking = asyncio.create_task(look())
        await asyncio.sleep(0.05)
        try:
            yield
        finally:
            await asyncio.sleep(0.05)
            looking.cancel()
            self.holds[f"{name}_ms"] = round(1_000 * longest, 1)


def day() -> list[tuple[Message, Member]]:
    """A day of much talk."""
    chance = random.Random(1)
    found = []
    who, texts = writers(chance, MEMBERS), sentences(chance)
    for n in range(MESSAGES):
        at = NOW - timedelta(hours=23) + timedelta(seconds=n * 8)
        message_id = first_id(at) | n
        user_id, text = next(who), next(texts)
        message = Message(guild_id=GUILD, message_id=message_id, channel_id=7, user_id=user_id, text=text, timestamp=at)
        name = f"person{user_id}"
        found.append((message, Member(guild_id=GUILD, user_id=user_id, display_name=name, username=name)))
    return found


async def measure(purged: int) -> dict[str, float]:
    gemini = GeminiStandIn(lambda _: ANSWER)
    await gemini.start()
    watch = Watch()
    with tempfile.TemporaryDirectory() as folder:
        plain = Settings(_env_file=None, data_dir=Path(folder), database_url=None)
        settings = plain.on_stand_in(gemini.url)
        async with database(settings) as dsn:
            async with open_app(settings, clock=lambda: NOW, dsn=dsn) as app:
                talk = day()
                warm_up()
                async with watch.over("storing"):
                    for message, member in talk:
                        while not await app.memory.messages.ingest(message, member):
                            await asyncio.sleep(0.001)
                        await asyncio.sleep(0)  # each is an event of its own
                    await app.memory.messages.flush()
                viewer = await app.memory.guilds.public(GUILD)
                some = list(range(2, 22))
                async with watch.over("reading_a_day"):
                    await app.memory.replies.contexts(viewer, some, wait=600)
                    await app.memory.settle()
            async with open_app(settings, clock=lambda: NOW, dsn=dsn) as app, watch.over("contexts"):
                await app.memory.replies.contexts(viewer, some, wait=60)
            await refill(dsn, ERASED)
            async with open_app(settings, clock=lambda: NOW, dsn=dsn) as app:
                await app.memory.loops.stop()
                async with watch.over("erasing"), writes_elsewhere(app, watch):
                    await app.memory.guilds.channel_deleted(GUILD, 7)
            await refill(dsn, purged)
            async with open_app(settings, clock=lambda: NOW + timedelta(days=60), dsn=dsn) as app:
                await app.memory.loops.stop()
                async with watch.over("purging"):
                    gone = await app.memory.upkeep()
    await gemini.close()
    return {"purged": gone, **watch.holds, **watch.waits, "longest_ms": max(watch.holds.values())}


async def refill(dsn: str, messages: int) -> None:
    """A guild of so many messages in place of what was stored."""
    connection = await asyncpg.connect(dsn)
    await connection.execute("TRUNCATE chat_history, notes, slices, members, member_names, channel_settings, lexemes")
    await connection.close()
    await fill(dsn, MEMBERS, messages)


@asynccontextmanager
async def writes_elsewhere(app: App, watch: Watch) -> AsyncIterator[None]:
    """Let somebody write in another guild meanwhile, and keep how long their messages took to be stored at the most."""
    member = Member(guild_id=GUILD + 1, user_id=1, display_name="zoe", username="zoe")

    async def write() -> None:
        for n in itertools.count():
            at = NOW + timedelta(milliseconds=n)
            message = Message(
                guild_id=GUILD + 1, message_id=first_id(at), channel_id=9, user_id=1, text="hello there", timestamp=at
            )
            began = time.perf_counter()
            await app.memory.messages.ingest(message, member)
            await app.memory.messages.flush()
            watch.waits["elsewhere_ms"] = max(
                watch.waits.get("elsewhere_ms", 0), round(1_000 * (time.perf_counter() - began), 1)
            )
            await asyncio.sleep(LOOK)

    writing = asyncio.create_task(write())
    try:
        yield
    finally:
        writing.cancel()


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--purged", type=int, default=200_000)
    parser.add_argument("--json", action="store_true")
    chosen = parser.parse_args()
    tell("the loop's longest holds", asyncio.run(measure(chosen.purged)), as_json=chosen.json)


if __name__ == "__main__":
    main()
