"""What a judge that errs lets through: `python -m benchmarks.judge [CORPUS] [--errs 0.05] [--seed 1] [--json]`.

Somebody has the bot remember the statements of a corpus (JSON lines: `statement`, `subject`, `kind`) about others, all
the way through Discord; the model's judgement whether each is sensitive or an order is right but for a share of them.
Prints, by kind, which share is stored without a question, asked about, and refused.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import random
import tempfile
from collections import Counter
from pathlib import Path
from typing import Any

import asyncpg

from benchmarks.figures import tell
from urmom_bot.app import database, open_app
from urmom_bot.config import Settings
from urmom_bot.stand_ins import Asked, DiscordStandIn, GeminiStandIn, extractive, online

CORPUS = Path(__file__).parents[1] / "tests/project/corpus/taught.jsonl"


async def measure(cases: list[dict[str, str]], errs: float, seed: int) -> dict[str, Any]:
    dice, kind = random.Random(seed), ""

    def judged(asked: Asked) -> object:
        answer = extractive(asked)
        if asked.name != "Wording a fact" or not isinstance(answer, str):
            return answer
        told = json.loads(answer)
        for flag, what in (("sensitive", "sensitive"), ("order", "order")):
            told[flag] = (kind == what) != (dice.random() < errs)
        return json.dumps(told)

    gemini = GeminiStandIn(judged)  # type: ignore[arg-type]
    await gemini.start()
    discord = DiscordStandIn()
    guild = discord.world.guild("the server")
    general = discord.channel(guild, "general")
    eve = discord.join(guild, "eve")
    people = [discord.join(guild, name) for name in sorted({case["subject"] for case in cases} - {""})]
    await discord.start()
    outcomes: Counter[tuple[str, str]] = Counter()
    with tempfile.TemporaryDirectory() as folder:
        settings = Settings(_env_file=None, data_dir=Path(folder), database_url=None).on_stand_in(gemini.url)
        async with (
            database(settings) as dsn,
            open_app(settings, dsn=dsn) as app,
            online(app.bot(connector=discord.connector()), discord),
        ):
            for person in people:
                await discord.say(person, general, "hello")
            await discord.settle()
            rows = await asyncpg.connect(dsn)
            for case in cases:
                if not case["subject"]:
                    continue
                kind, before = case["kind"], len(discord.sent)
                await discord.say(eve, general, f"Bot remember that {case['statement']}")
                await discord.settle()
                stored = await rows.execute("DELETE FROM facts")
                asks = any(sent.components for sent in discord.sent[before:])
                outcomes[kind, "stored" if stored != "DELETE 0" else "asked" if asks else "refused"] += 1
            await rows.close()
    await discord.close()
    await gemini.close()
    kinds = sorted({kind for kind, _ in outcomes})
    return {f"{kind}, {what}": outcomes[kind, what] for kind in kinds for what in ("stored", "asked", "refused")}


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("corpus", nargs="?", type=Path, default=CORPUS)
    parser.add_argument("--errs", type=float, default=0.05)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--json", action="store_true")
    given = parser.parse_args()
    cases = [json.loads(line) for line in given.corpus.read_text("utf-8").splitlines()]
    tell("Judged with errors", asyncio.run(measure(cases, given.errs, given.seed)), as_json=given.json)


if __name__ == "__main__":
    main()
