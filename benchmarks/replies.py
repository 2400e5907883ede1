"""What a reply is given: `python -m benchmarks.replies EXPORT [QUESTIONS] [--to FOLDER] [--each N] [--json]`.

Puts questions over a chat export to the bot at their moments, N of each kind (5 by default), and reports the calls
and the tokens of each reply and how often what stands in its prompt holds the evidence. `--to` writes every prompt
as ID.txt, to be answered by a reader who sees nothing else, and the right answers as `gold.json`. Nothing is noted of
the days: the prompts have what was said alone.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import statistics
import tempfile
from collections import defaultdict
from contextlib import AsyncExitStack
from datetime import datetime
from pathlib import Path
from typing import Any

from benchmarks.figures import tell
from benchmarks.recall import snowflake
from memory import Member, Viewer
from memory.rules.text import tokens
from urmom_bot.app import database, open_app
from urmom_bot.config import Settings
from urmom_bot.importer import Counts, import_file
from urmom_bot.stand_ins import Asked, GeminiStandIn
from urmom_bot.talk import Request


def _answer(asked: Asked) -> str:
    return json.dumps({"notes": []} if asked.name == "Notes of a day" else {"answer": "…"})


def chosen(questions: list[dict[str, Any]], each: int) -> list[dict[str, Any]]:
    """`each` questions of every kind, spread over its list."""
    kinds = defaultdict(list)
    for question in questions:
        kinds[question["kind"]].append(question)
    return [of[n * len(of) // each] for of in kinds.values() for n in range(min(each, len(of)))]


async def measure(export: Path, questions: Path, each: int, to: Path | None) -> dict[str, object]:
    """Ask, and weigh what stands in the prompts; returns the report."""
    asked = chosen(json.loads(questions.read_text(encoding="utf-8"))["questions"], each)
    gemini = GeminiStandIn(_answer)
    await gemini.start()
    now = datetime.fromisoformat(asked[0]["asked_at"])
    spent: list[int] = []
    covered: list[float] = []
    calls: list[int] = []
    async with AsyncExitStack() as stack:
        stack.push_async_callback(gemini.close)
        folder = stack.enter_context(tempfile.TemporaryDirectory())
        settings = Settings().model_copy(update={"data_dir": Path(folder), "database_url": None, "retention_days": 365})
        settings = settings.on_stand_in(gemini.url)
        dsn = await stack.enter_async_context(database(settings))
        app = await stack.enter_async_context(open_app(settings, clock=lambda: now, dsn=dsn))
        imported = await import_file(export, app.memory, Counts())
        channel = next(iter(await app.memory.guilds.channels(imported.guild_id)))
        members = await app.memory.guilds.members(imported.guild_id)
        for question in asked:
            now = datetime.fromisoformat(question["asked_at"])
            before = len(gemini.asked)
            nobody = Member(guild_id=imported.guild_id, user_id=1, display_name="nobody", username="nobody")
            reply = await app.router.respond(
                Request(
                    viewer=Viewer(guild_id=imported.guild_id, user_id=int(question["asker"])),
                    channel_id=channel,
                    message_id=snowflake(now),
                    speaker=members.get(int(question["asker"]), nobody),
                    text=question["question"],
                    at=now,
                )
            )
            await app.memory.settle()
            prompts = [a for a in gemini.asked[before:] if a.name != "Notes of a day"]
            calls.append(len(prompts))
            spent.append(tokens(prompts[-1].instructions) + tokens(prompts[-1].data))
            evidence = set(map(int, question["evidence"]))
            if evidence:
                covered.append(len(evidence & reply.given.message_ids) / len(evidence))
            if to:
                text = f"{prompts[-1].instructions}\n\n{prompts[-1].data}\n"
                (to / f"{question['id']}.txt").write_text(text, encoding="utf-8")
    if to:
        gold = {q["id"]: {"question": q["question"], "answer": q["answer"], "kind": q["kind"]} for q in asked}
        (to / "gold.json").write_text(json.dumps(gold, ensure_ascii=False, indent=1), encoding="utf-8")
    return {
        "questions": len(asked),
        "calls_a_reply": statistics.fmean(calls),
        "tokens_p50": statistics.median(spent),
        "tokens_most": max(spent),
        "evidence_in_prompt": round(statistics.fmean(covered), 3),
    }


def main() -> None:
    """Read the arguments, measure, print."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("export", type=Path)
    parser.add_argument("questions", type=Path, nargs="?")
    parser.add_argument("--to", type=Path, help="a folder for the prompts")
    parser.add_argument("--each", type=int, default=5, help="questions of each kind")
    parser.add_argument("--json", action="store_true")
    given = parser.parse_args()
    if given.to:
        given.to.mkdir(parents=True, exist_ok=True)
    questions = given.questions or given.export.with_name("questions.json")
    report = asyncio.run(measure(given.export, questions, given.each, given.to))
    tell("replies", report, as_json=given.json)


if __name__ == "__main__":
    main()
