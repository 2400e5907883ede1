"""What grows with a guild: `python -m benchmarks.growth [--members 10000] [--messages 1000000] [--json]`.

The same orders and questions in a guild of a hundredth, a tenth and all of the messages: milliseconds (the middle of
three) and statements of each. The model is a stand-in that answers at once.
"""

from __future__ import annotations

import argparse
import asyncio
import statistics
import tempfile
import time
from collections.abc import Awaitable, Callable
from datetime import timedelta
from pathlib import Path

import pytest

from benchmarks.figures import tell
from benchmarks.guild import GUILD, NOW, fill, first_id
from memory import Member, Message, Viewer
from tests.line import Line
from tests.statements import watch
from urmom_bot.app import App, database, open_app
from urmom_bot.config import Settings
from urmom_bot.stand_ins import GeminiStandIn, extractive
from urmom_bot.talk import Request

CHANNEL = 7
THINGS = ("kayaks", "lanterns", "sextants", "barometers")


class Speaker:
    """One member who writes and asks."""

    def __init__(self, app: App, seen: list[str]) -> None:
        self.app = app
        self.seen = seen
        self.count = 0
        self.member = Member(guild_id=GUILD, user_id=1, display_name="person1", username="person1")
        self.line: Line | None = None
        """The line to the database, where one counts round trips."""
        self.round_trips = 0
        self.sent: list[str] = []

    async def say(self, text: str) -> int:
        """Write a message; its id."""
        self.count += 1
        message_id = first_id(NOW + timedelta(seconds=self.count))
        message = Message(
            guild_id=GUILD,
            message_id=message_id,
            channel_id=CHANNEL,
            user_id=1,
            text=text,
            timestamp=NOW + timedelta(seconds=self.count),
        )
        assert await self.app.memory.messages.ingest(message, self.member)
        await self.app.memory.messages.flush()
        return message_id

    async def ask(self, text: str) -> str:
        """Ask the bot; what it answers."""
        message_id = await self.say(f"Bot {text}")
        request = Request(
            viewer=Viewer(guild_id=GUILD, user_id=1),
            channel_id=CHANNEL,
            message_id=message_id,
            speaker=self.member,
            text=text,
            at=NOW + timedelta(seconds=self.count),
        )
        before = self.line.sent if self.line else 0
        began, self.seen[:] = time.perf_counter(), []
        reply = await self.app.router.respond(request)
        self.took, self.statements = (time.perf_counter() - began) * 1_000, len(self.seen)
        self.round_trips, self.sent = (self.line.sent if self.line else 0) - before, list(self.seen)
        await self.app.memory.settle()
        return reply.text

    async def timed(self, work: Callable[[], Awaitable[object]]) -> None:
        """Do something of memory's own."""
        began, self.seen[:] = time.perf_counter(), []
        await work()
        self.took, self.statements = (time.perf_counter() - began) * 1_000, len(self.seen)


async def figures(app: App, seen: list[str]) -> dict[str, list[tuple[float, int]]]:
    """Milliseconds and statements of everything that is measured, three times each."""
    await app.memory.loops.stop()
    ann = Speaker(app, seen)
    found: dict[str, list[tuple[float, int]]] = {}

    def note(name: str) -> None:
        found.setdefault(name, []).append((ann.took, ann.statements))

    await ann.ask("what do you know about me")
    for n in range(4):
        thing = f"{THINGS[n]} from Gdynia"
        said = [await ann.say(f"I collect {thing}"), await ann.say(f"my {THINGS[n]} are green")]
        await ann.ask(f"remember that I collect {thing}")
        note("remember")
        await ann.ask("what do you know about me")
        note("knows")
        await ann.ask(f"which {THINGS[n]} do I own")
        note("answer")
        await ann.ask(f"forget that I collect {thing}")
        note("forget")

        async def edited(message_id: int = said[1]) -> None:
            await app.memory.messages.edit(GUILD, message_id, "nothing of the kind", NOW + timedelta(hours=1))
            await app.memory.messages.flush()

        async def deleted(message_id: int = said[1]) -> None:
            await app.memory.messages.delete(GUILD, [message_id])
            await app.memory.messages.flush()

        await ann.timed(edited)
        note("edit")
        await ann.timed(deleted)
        note("delete")
    return found


async def measure(members: int, messages: int) -> dict[str, float]:
    """Every figure at a hundredth, a tenth and all of the messages."""
    gemini = GeminiStandIn(extractive)
    await gemini.start()
    seen: list[str] = []
    watch(pytest.MonkeyPatch(), seen.append)
    result: dict[str, float] = {"members": members, "messages": messages}
    for size in (messages // 100, messages // 10, messages):
        with tempfile.TemporaryDirectory() as folder:
            settings = Settings(_env_file=None, data_dir=Path(folder), database_url=None).on_stand_in(gemini.url)
            async with database(settings) as dsn:
                await fill(dsn, members, size)
                async with open_app(settings, clock=lambda: NOW + timedelta(minutes=10), dsn=dsn) as app:
                    for name, taken in (await figures(app, seen)).items():
                        result[f"{name}_ms_{size}"] = round(statistics.median(ms for ms, _ in taken[1:]), 1)
                        result[f"{name}_statements"] = taken[-1][1]
    await gemini.close()
    return result


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--members", type=int, default=10_000)
    parser.add_argument("--messages", type=int, default=1_000_000)
    parser.add_argument("--json", action="store_true")
    chosen = parser.parse_args()
    tell("what grows with a guild", asyncio.run(measure(chosen.members, chosen.messages)), as_json=chosen.json)


if __name__ == "__main__":
    main()
