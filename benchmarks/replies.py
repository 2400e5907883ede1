"""What a reply is given: `python -m benchmarks.replies EXPORT [QUESTIONS] [--to FOLDER] [--answers FOLDER] [--json]`.

Puts questions over a chat export to the bot at their moments, N of each kind (5 by default), and reports the calls
and the tokens of each reply and how often what stands in its prompt holds the evidence. `--to` writes every prompt
as ID.txt, to be answered by a reader who sees nothing else, and the right answers as `gold.json`. `--answers` has those
answers as ID.json: where one looks again, the second prompt is written as ID.again.txt. Nothing is noted of the days:
the prompts have what was said alone.
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

NOTHING = json.dumps({"answer": "…"})


class Reader:
    """Answers the first prompt of a question as a reader did, and the second with nothing."""

    def __init__(self, answers: Path | None) -> None:
        self._answers = answers
        self.question = ""

    def __call__(self, asked: Asked) -> str:
        """The answer to a prompt."""
        if asked.name == "Notes of a day":
            return json.dumps({"notes": []})
        file = None if self._answers is None else self._answers / f"{self.question}.json"
        is_first = not any(role == "model" for role, _ in asked.turns)
        return file.read_text(encoding="utf-8") if file is not None and file.exists() and is_first else NOTHING


def chosen(questions: list[dict[str, Any]], each: int) -> list[dict[str, Any]]:
    """`each` questions of every kind, spread over its list."""
    kinds = defaultdict(list)
    for question in questions:
        kinds[question["kind"]].append(question)
    counts = {kind: min(each, len(of)) for kind, of in kinds.items()}
    return [of[n * len(of) // counts[kind]] for kind, of in kinds.items() for n in range(counts[kind])]


async def measure(
    export: Path, questions: Path, each: int, to: Path | None, answers: Path | None = None
) -> dict[str, object]:
    """Ask, and weigh what stands in the prompts; returns the report."""
    asked = chosen(json.loads(questions.read_text(encoding="utf-8"))["questions"], each)
    reader = Reader(answers)
    gemini = GeminiStandIn(reader)
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
            before, reader.question = len(gemini.asked), question["id"]
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
            if prompts:
                spent.append(tokens(prompts[0].instructions) + tokens(prompts[0].data))
            evidence = set(map(int, question["evidence"]))
            if evidence:
                covered.append(len(evidence & reply.given.message_ids) / len(evidence))
            for prompt, name in zip(prompts, ("", ".again"), strict=False):
                if to:
                    said = "".join(f"[{role}]\n{text}\n\n" for role, text in prompt.turns)
                    text = f"{prompt.instructions}\n\n{said}{prompt.data}\n"
                    (to / f"{question['id']}{name}.txt").write_text(text, encoding="utf-8")
    if to:
        gold = {q["id"]: {"question": q["question"], "answer": q["answer"], "kind": q["kind"]} for q in asked}
        (to / "gold.json").write_text(json.dumps(gold, ensure_ascii=False, indent=1), encoding="utf-8")
    return {
        "questions": len(asked),
        "calls_a_reply": statistics.fmean(calls),
        "tokens_p50": statistics.median(spent),
        "tokens_most": max(spent),
        "taken_for_commands": sum(n == 0 for n in calls),
        "asked_again": sum(n > 1 for n in calls),
        "evidence_in_prompt": round(statistics.fmean(covered), 3),
    }


def main() -> None:
    """Read the arguments, measure, print."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("export", type=Path)
    parser.add_argument("questions", type=Path, nargs="?")
    parser.add_argument("--to", type=Path, help="a folder for the prompts")
    parser.add_argument("--answers", type=Path, help="a folder with a reader's answers")
    parser.add_argument("--each", type=int, default=5, help="questions of each kind")
    parser.add_argument("--json", action="store_true")
    given = parser.parse_args()
    if given.to:
        given.to.mkdir(parents=True, exist_ok=True)
    questions = given.questions or given.export.with_name("questions.json")
    report = asyncio.run(measure(given.export, questions, given.each, given.to, given.answers))
    tell("replies", report, as_json=given.json)


if __name__ == "__main__":
    main()
