"""What happens when many ask at once: `python -m benchmarks.crowd [--json]`.

Twenty people of one server, none of whom is known yet in this process, ask something in twenty channels at the same
moment: seconds until the last is answered, beyond the model's own (half a second for each call). And one member fires
thirty questions within a minute under the default quota: how many calls of a model they cost, how many are answered by
one, and whether somebody else is answered at once meanwhile. The bot is real, Discord and the model are stand-ins.
"""

from __future__ import annotations

import argparse
import asyncio
import tempfile
import time
from pathlib import Path

import asyncpg

from benchmarks.figures import tell
from urmom_bot.app import database, open_app
from urmom_bot.config import Settings
from urmom_bot.stand_ins import DiscordStandIn, Fault, GeminiStandIn, User, extractive, online

MODEL = 0.5
"""Seconds that the model thinks about each question."""

ASKERS, QUESTIONS = 20, 30


def answers(stand_in: DiscordStandIn, asked: set[int]) -> int:
    """How many of some messages were answered."""
    return len({sent.reply_to for sent in stand_in.sent} & asked)


async def until(stand_in: DiscordStandIn, asked: set[int], within: float) -> float:
    """Seconds until all of some messages are answered."""
    began = time.perf_counter()
    while answers(stand_in, asked) < len(asked) and time.perf_counter() - began < within:
        await asyncio.sleep(0.01)
    return time.perf_counter() - began


async def measure() -> dict[str, float]:
    gemini = GeminiStandIn(extractive)
    await gemini.start()
    stand_in = DiscordStandIn()
    guild = stand_in.world.guild("the server")
    channels = [stand_in.channel(guild, f"channel-{n}") for n in range(ASKERS)]
    people: list[User] = [stand_in.join(guild, f"person{n}") for n in range(ASKERS)]
    await stand_in.start()
    result: dict[str, float] = {}
    with tempfile.TemporaryDirectory() as folder:
        plain = Settings(_env_file=None, data_dir=Path(folder), database_url=None)
        free = plain.on_stand_in(gemini.url)
        usual = free.model_copy(update={name: getattr(plain, name) for name in ("gemini_limits", "gemma_limits")})
        async with database(free) as dsn:
            async with open_app(free, dsn=dsn) as app, online(app.bot(connector=stand_in.connector()), stand_in):
                for person, channel in zip(people, channels, strict=True):
                    await stand_in.say(
                        person, channel, f"the kiln of {person.name} takes 40 minutes to warm up in Riga"
                    )
                await stand_in.settle()
            async with open_app(free, dsn=dsn) as app, online(app.bot(connector=stand_in.connector()), stand_in):
                gemini.faults += [Fault(kind="late", seconds=MODEL) for _ in range(10 * ASKERS)]
                asked = {
                    await stand_in.say(person, channel, "Bot any idea what I should do this evening?")
                    for person, channel in zip(people, channels, strict=True)
                }
                result["all_answered_s"] = round(await until(stand_in, asked, 60), 2)
                result["beyond_the_model_s"] = round(result["all_answered_s"] - MODEL, 2)
                gemini.faults.clear()
                await stand_in.settle()
            connection = await asyncpg.connect(dsn)
            await connection.execute("DELETE FROM ai_usage")
            await connection.close()
            async with open_app(usual, dsn=dsn) as app, online(app.bot(connector=stand_in.connector()), stand_in):
                gemini.asked.clear()
                flood = {
                    await stand_in.say(people[0], channels[n % ASKERS], f"Bot what shall I do on evening {n}?")
                    for n in range(QUESTIONS)
                }
                other = {await stand_in.say(people[1], channels[1], "Bot and what shall I do?")}
                result["somebody_else_s"] = round(await until(stand_in, other, 60), 2)
                await until(stand_in, flood, 20)
                result["calls_of_a_flood"] = len(gemini.asked) - 1
                result["flood_answered"] = answers(stand_in, flood)
    await stand_in.close()
    await gemini.close()
    return result


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--json", action="store_true")
    chosen = parser.parse_args()
    tell("many at once", asyncio.run(measure()), as_json=chosen.json)


if __name__ == "__main__":
    main()
