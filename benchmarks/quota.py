"""What a free quota is enough for: `python -m benchmarks.quota [--guilds 1 10 100 1000] [--json]`.

One day of so many servers against 20, 250 and 1,500 requests a day to each model. In each server four people talked
yesterday and talk on today, one fact is known of each, and each asks the bot something three times between eight in the
morning and ten at night; the provider's day is the servers' own. Told is which share of the replies had which fallback
level, and which share was answered by the model rather than from memory alone. The model is a stand-in that quotes.
"""

from __future__ import annotations

import argparse
import asyncio
import random
import tempfile
from collections import Counter
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path

from benchmarks.figures import tell
from memory import Member, Message
from memory.ai.providers.gemini import Gemini
from memory.permissions import Viewer
from memory.records import Statement
from memory.store.schema import sandbox
from memory.store.usage import Limits
from urmom_bot.app import App, database, open_app
from urmom_bot.config import Settings
from urmom_bot.stand_ins import GeminiStandIn, extractive
from urmom_bot.talk import Request

QUOTAS = (20, 250, 1_500)
PEOPLE, QUESTIONS = 4, 3
TODAY = datetime(2026, 11, 10, tzinfo=UTC)
CHANNEL = 7
NAMES = ("", "Ann", "Bob", "Cid", "Dee")
THINGS = ("kiln", "router", "kayak", "printer", "telescope", "loom")
PLACES = ("Riga", "Gdynia", "Tallinn", "Bergen", "Porto")


@dataclass(frozen=True)
class Asked:
    """One question of the day."""

    at: datetime
    guild_id: int
    user_id: int


def guild_of(number: int) -> int:
    return (5_000 + number) << 22


def member(guild_id: int, user_id: int) -> Member:
    return Member(guild_id=guild_id, user_id=user_id, display_name=NAMES[user_id], username=NAMES[user_id])


def message(guild_id: int, user_id: int, at: datetime, chance: random.Random) -> Message:
    text = f"the {chance.choice(THINGS)} from {chance.choice(PLACES)} broke again after {chance.randint(2, 90)} days"
    message_id = (int(at.timestamp() * 1000) - 1_420_070_400_000) << 22 | chance.randrange(1 << 22)
    return Message(
        guild_id=guild_id, message_id=message_id, channel_id=CHANNEL, user_id=user_id, text=text, timestamp=at
    )


async def fill(app: App, guilds: int) -> None:
    """Yesterday's talk, today's, and what is known of everybody."""
    chance = random.Random(4)
    for number in range(guilds):
        guild_id = guild_of(number)
        talk = [
            message(guild_id, user_id, TODAY + timedelta(hours=chance.uniform(start, start + 14)), chance)
            for user_id in range(1, PEOPLE + 1)
            for start in (-16, 8)
            for _ in range(5)
        ]
        people = [member(guild_id, user_id) for user_id in range(1, PEOPLE + 1)]
        await app.memory.messages.import_batch(sorted(talk, key=lambda m: m.timestamp), people)
        for one in people:
            said = f"{one.display_name} collects {chance.choice(THINGS)}s from {chance.choice(PLACES)}"
            statement = Statement(
                guild_id=guild_id, user_id=one.user_id, stated_by=one.user_id, quote=said, channel_id=CHANNEL
            )
            viewer = Viewer(guild_id=guild_id, user_id=one.user_id)
            await app.memory.facts.remember(viewer, statement, one, one)


def questions(guilds: int) -> list[Asked]:
    """The day's questions, in order."""
    chance = random.Random(6)
    found = [
        Asked(TODAY + timedelta(hours=chance.uniform(8, 22)), guild_of(number), user_id)
        for number in range(guilds)
        for user_id in range(1, PEOPLE + 1)
        for _ in range(QUESTIONS)
    ]
    return sorted(found, key=lambda asked: asked.at)


class Day:
    """The day of some servers, with a clock of its own."""

    def __init__(self, guilds: int) -> None:
        self.now = TODAY
        self._questions = questions(guilds)
        self.levels: Counter[str] = Counter()
        self.answered = 0

    def clock(self) -> datetime:
        """The moment it is at."""
        return self.now

    async def play(self, app: App, gemini: GeminiStandIn) -> None:
        await app.memory.loops.stop()
        for number, asked in enumerate(self._questions):
            self.now = asked.at
            gemini.asked.clear()
            viewer = Viewer(guild_id=asked.guild_id, user_id=asked.user_id)
            found = await app.memory.replies.contexts(viewer, [asked.user_id], wait=60)
            self.levels[found[asked.user_id].fallback.value] += 1
            await app.router.respond(
                Request(
                    viewer=viewer,
                    channel_id=CHANNEL,
                    message_id=(int(asked.at.timestamp() * 1000) - 1_420_070_400_000) << 22 | number,
                    speaker=member(asked.guild_id, asked.user_id),
                    text=f"any idea what I should do on evening number {number}?",
                    at=asked.at,
                )
            )
            await app.memory.settle()
            self.answered += any(one.name == "A reply" for one in gemini.asked)


async def play(guilds: int) -> dict[str, float]:
    """The same day under each quota, from the same beginning."""
    gemini = GeminiStandIn(extractive)
    await gemini.start()
    result: dict[str, float] = {}
    with tempfile.TemporaryDirectory() as folder:
        plain = Settings(_env_file=None, data_dir=Path(folder), database_url=None).on_stand_in(gemini.url)
        async with database(plain) as dsn:
            async with open_app(plain, clock=lambda: TODAY - timedelta(hours=1), dsn=dsn) as app:
                await fill(app, guilds)
            for most in QUOTAS:
                of_day = Limits(requests_per_day=most)
                chosen = plain.model_copy(update=dict.fromkeys(("gemini_limits", "gemma_limits"), of_day))
                day = Day(guilds)
                async with (
                    sandbox(dsn) as copy,
                    open_app(chosen, clock=day.clock, quota_clock=day.clock, dsn=copy) as app,
                ):
                    await day.play(app, gemini)
                total = sum(day.levels.values())
                name = f"{guilds}_guilds_{most}_requests"
                result |= {f"{name}_{level}": round(count / total, 3) for level, count in sorted(day.levels.items())}
                result[f"{name}_answered"] = round(day.answered / total, 3)
    await gemini.close()
    return result


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--guilds", type=int, nargs="+", default=[1, 10, 100, 1_000])
    parser.add_argument("--json", action="store_true")
    chosen = parser.parse_args()
    Gemini.quota_zone = "UTC"  # the day that is played is the day of the quota
    result: dict[str, float] = {}
    for guilds in chosen.guilds:
        result |= asyncio.run(play(guilds))
    tell("a day's quota", result, as_json=chosen.json)


if __name__ == "__main__":
    main()
