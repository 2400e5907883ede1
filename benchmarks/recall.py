"""Whether recall finds what was said: `python -m benchmarks.recall FILE [QUESTIONS] [--answers FOLDER] [--json]`.

FILE is a chat export with QUESTIONS over it (`questions.json` beside it by default: who asks what when, and which
messages answer it), or a file of LoCoMo conversations, which bring their own. Every question is asked at its
moment, knowing nothing later. R@k is the share of a question's evidence among the k best messages, MRR that of the
first; "with notes" counts a message also where one of the notes beside it cites it. Notes are made where answers to
their prompts are recorded (`--answers`, as `benchmarks.right` records them) or the model is asked (`--provider`).
`--grow N` fills the guild with older copies of the talk up to N messages, to see what time a search takes then.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import statistics
import tempfile
import time
from collections import defaultdict
from collections.abc import AsyncIterator, Sequence
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime, timedelta
from pathlib import Path

import asyncpg
from rich.console import Console
from rich.table import Table

from benchmarks.right import Recorded
from benchmarks.synonyms import in_other_words, meaning
from memory import Member, Message, Query, Recalled, Viewer, public
from memory.permissions import NOBODY
from urmom_bot.app import App, database, open_app
from urmom_bot.config import Settings
from urmom_bot.importer import Counts, import_file
from urmom_bot.snowflakes import first_id
from urmom_bot.stand_ins import GeminiStandIn, extractive

DEPTHS = (1, 5, 10, 25, 50)
AGAIN = timedelta(days=8)
"""How much older each copy of the talk is, for `--grow`."""


@dataclass(frozen=True, kw_only=True)
class Question:
    """A question at its moment, and the messages that answer it; none where it was not said."""

    guild_id: int
    text: str
    asked_at: datetime
    asker: int | None
    evidence: frozenset[int]
    kind: str
    age: str


@dataclass
class Found:
    """What was found for the questions of one kind, and how long it took."""

    recall: dict[int, list[float]] = field(default_factory=lambda: defaultdict(list))
    noted: dict[int, list[float]] = field(default_factory=lambda: defaultdict(list))
    reciprocal: list[float] = field(default_factory=list)

    def add(self, question: Question, recalled: Recalled) -> None:
        """Count one question's answer."""
        ranks = [m.message_id for m, _ in recalled.messages]
        cited = [n.evidence for n, _ in recalled.notes]
        for depth in DEPTHS:
            among = set(ranks[:depth])
            beside = {message_id for evidence in cited[:depth] for message_id in evidence}
            self.recall[depth].append(len(question.evidence & among) / len(question.evidence))
            self.noted[depth].append(len(question.evidence & (among | beside)) / len(question.evidence))
        first = next((n for n, message_id in enumerate(ranks, 1) if message_id in question.evidence), None)
        self.reciprocal.append(1 / first if first else 0.0)

    @staticmethod
    def columns() -> tuple[str, ...]:
        """The names of the figures, in their order."""
        return (*(f"r{depth}" for depth in DEPTHS), "mrr", "with_notes_r10", "with_notes_r50")

    def figures(self) -> dict[str, float]:
        """R@k, with notes too, and MRR."""
        return {
            **{f"r{depth}": round(statistics.fmean(self.recall[depth]), 3) for depth in DEPTHS},
            "mrr": round(statistics.fmean(self.reciprocal), 3),
            **{f"with_notes_r{depth}": round(statistics.fmean(self.noted[depth]), 3) for depth in (10, 50)},
        }


def snowflake(moment: datetime, count: int = 0) -> int:
    """The first of Discord's ids of a moment, or one `count` after it."""
    return first_id(moment) + count


def questions_of(path: Path, guild_id: int) -> list[Question]:
    """The questions over a chat export."""
    return [
        Question(
            guild_id=guild_id,
            text=q["question"],
            asked_at=datetime.fromisoformat(q["asked_at"]),
            asker=int(q["asker"]),
            evidence=frozenset(map(int, q["evidence"])),
            kind=q["kind"],
            age=q["age"],
        )
        for q in json.loads(path.read_text(encoding="utf-8"))["questions"]
    ]


async def locomo(path: Path, app: App) -> list[Question]:
    """Store each LoCoMo conversation as a guild with one channel and two members; returns its questions."""
    found = []
    for guild_id, sample in enumerate(json.loads(path.read_text(encoding="utf-8")), 1):
        talk = sample["conversation"]
        people = {
            talk[f"speaker_{who}"]: Member(
                guild_id=guild_id,
                user_id=n,
                display_name=talk[f"speaker_{who}"],
                username=talk[f"speaker_{who}"].lower(),
            )
            for n, who in enumerate("ab", 1)
        }
        ids: dict[str, int] = {}
        messages = []
        for session in (f"session_{n}" for n in range(1, 100)):
            if f"{session}_date_time" not in talk or session not in talk:
                continue
            start = datetime.strptime(talk[f"{session}_date_time"], "%I:%M %p on %d %B, %Y").replace(tzinfo=UTC)
            for n, turn in enumerate(talk[session]):
                at = start + timedelta(minutes=n)
                ids[turn["dia_id"]] = snowflake(at, n)
                picture = f" [{turn['blip_caption']}]" if turn.get("blip_caption") else ""
                messages.append(
                    Message(
                        guild_id=guild_id,
                        message_id=snowflake(at, n),
                        channel_id=1,
                        user_id=people[turn["speaker"]].user_id,
                        text=turn["text"] + picture,
                        timestamp=at,
                    )
                )
        await app.memory.messages.import_batch(messages, people.values())
        asked_at = max(m.timestamp for m in messages) + timedelta(days=1)
        for qa in sample["qa"]:
            evidence = frozenset(ids[e] for e in qa["evidence"] if e in ids)
            if evidence:
                found.append(
                    Question(
                        guild_id=guild_id,
                        text=qa["question"],
                        asked_at=asked_at,
                        asker=None,
                        evidence=evidence,
                        kind=f"category {qa['category']}",
                        age="",
                    )
                )
    return found


def told_apart(answered: Sequence[float], not_said: Sequence[float]) -> float | None:
    """How often a question that has an answer scores higher than one that has none (area under the curve)."""
    if not answered or not not_said:
        return None
    pairs = [(a > n) + (a == n) / 2 for a in answered for n in not_said]
    return round(sum(pairs) / len(pairs), 3)


class Counter:
    """Counts the statements that go to the database through an app's pool."""

    def __init__(self, app: App) -> None:
        self.statements = 0
        pool = app.memory._core.store.database
        plain = pool.connection

        @asynccontextmanager
        async def counted() -> AsyncIterator[object]:
            async with plain() as connection:
                with connection.query_logger(self._count):
                    yield connection

        setattr(pool, "connection", counted)  # noqa: B010 (a method of one object, not of the class)

    def _count(self, _: object) -> None:
        self.statements += 1


async def grown(dsn: str, guild_id: int, wanted: int) -> int:
    """Fill a guild with older copies of its talk until it has `wanted` messages; returns how many it has."""
    connection = await asyncpg.connect(dsn)
    try:
        await connection.execute("CREATE TEMP TABLE talk AS SELECT * FROM chat_history WHERE guild_id = $1", guild_id)
        stored: int = await connection.fetchval("SELECT count(*) FROM talk")
        for copy in range(1, -(-wanted // max(stored, 1))):
            await connection.execute(
                """
                INSERT INTO chat_history (guild_id, message_id, channel_id, user_id, message_text, timestamp,
                                          addressees, author_kind)
                SELECT guild_id, message_id - ($1::bigint << 22), channel_id, user_id, message_text,
                       timestamp - $2::interval, addressees, author_kind
                FROM talk
                """,
                int(AGAIN.total_seconds() * 1000) * copy,
                AGAIN * copy,
            )
        await connection.execute("VACUUM ANALYZE chat_history, lexemes, member_names")
        return int(await connection.fetchval("SELECT count(*) FROM chat_history WHERE guild_id = $1", guild_id))
    finally:
        await connection.close()


async def measure(
    file: Path,
    questions: Path | None = None,
    *,
    answers: Path | None = None,
    provider: bool = False,
    grow: int = 0,
    dsn: str | None = None,
    meanings: bool = False,
    other_words: bool = False,
) -> dict[str, object]:
    """Store what was said, ask the questions, and weigh what is found; returns the report."""
    recorded = Recorded(answers) if answers else None
    gemini = GeminiStandIn(recorded or extractive, embed=meaning)
    await gemini.start()
    now = datetime.now(UTC)
    async with AsyncExitStack() as stack:
        stack.push_async_callback(gemini.close)
        folder = stack.enter_context(tempfile.TemporaryDirectory())
        settings = Settings().model_copy(
            update={"data_dir": Path(folder), "database_url": None, "ai_timeout": 3_600.0, "retention_days": 365}
        )
        if not provider:
            settings = settings.on_stand_in(gemini.url)
        if meanings:
            settings = settings.model_copy(
                update={"embedding_model": "gemini-embedding-001", "embedding_dimensions": 256}
            )
        there = dsn or await stack.enter_async_context(database(settings))
        app = await stack.enter_async_context(open_app(settings, clock=lambda: now, dsn=there))
        if file.read_text(encoding="utf-8")[:1] == "[":
            asked = await locomo(file, app)
        else:
            imported = await import_file(file, app.memory, Counts())
            asked = questions_of(questions or file.with_name("questions.json"), imported.guild_id)
            now = max(q.asked_at for q in asked)
            if recorded or provider:
                members = await app.memory.guilds.members(imported.guild_id)
                await app.memory.replies.contexts(public(imported.guild_id), list(members), wait=3_600)
        if other_words:
            asked = [replace(q, text=text) for q in asked if (text := in_other_words(q.text)) is not None]
        while meanings and await app.memory.vectors.fill():
            pass
        stored = [await grown(there, guild_id, grow) for guild_id in sorted({q.guild_id for q in asked})]
        return {**await _asked(app, asked), "messages": sum(stored)}


async def _asked(app: App, asked: Sequence[Question]) -> dict[str, object]:
    everything, kinds, ages = Found(), defaultdict[str, Found](Found), defaultdict[str, Found](Found)
    certain: list[float] = []
    uncertain: list[float] = []
    spent: list[float] = []
    counter = Counter(app)
    for question in (asked[0], *asked):  # the first is asked twice: it fills what is cached for hours
        viewer = Viewer(guild_id=question.guild_id, user_id=question.asker or NOBODY)
        query = Query(text=question.text, at=question.asked_at, before_id=snowflake(question.asked_at))
        start, before = time.perf_counter(), counter.statements
        recalled = await app.memory.replies.recall(viewer, query)
        spent.append((time.perf_counter() - start) * 1000)
        statements = counter.statements - before
        if len(spent) == 1:
            continue
        (certain if question.evidence else uncertain).append(recalled.certainty)
        if question.evidence:
            for found in (everything, kinds[question.kind], ages[question.age]):
                found.add(question, recalled)
    return {
        **everything.figures(),
        "ms_p50": round(statistics.median(spent[1:]), 1),
        "ms_p95": round(statistics.quantiles(spent[1:], n=20)[-1], 1),
        "statements": statements,
        "questions": len(certain),
        "not_said_told_apart": told_apart(certain, uncertain),
        "by_kind": {name: kinds[name].figures() for name in sorted(kinds)},
        "by_age": {name: ages[name].figures() for name in sorted(ages) if name},
    }


def main() -> None:
    """Read the arguments, measure, print."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("file", type=Path)
    parser.add_argument("questions", type=Path, nargs="?")
    parser.add_argument("--answers", type=Path, help="a folder with recorded answers, for the notes")
    parser.add_argument("--provider", action="store_true", help="ask the configured model for the notes")
    parser.add_argument("--grow", type=int, default=0, help="messages that the guild is to have")
    parser.add_argument("--meanings", action="store_true", help="search by stand-in meanings as well")
    parser.add_argument(
        "--other-words", action="store_true", help="ask in other words only those questions that have some"
    )
    parser.add_argument("--json", action="store_true")
    chosen = parser.parse_args()
    report = asyncio.run(
        measure(
            chosen.file,
            chosen.questions,
            answers=chosen.answers,
            provider=chosen.provider,
            grow=chosen.grow,
            meanings=chosen.meanings,
            other_words=chosen.other_words,
        )
    )
    if chosen.json:
        print(json.dumps(report, indent=1))
        return
    table = Table("", *(f"R@{depth}" for depth in DEPTHS), "MRR", "notes R@10", "notes R@50")
    groups = {"all": report, **report["by_kind"], **report["by_age"]}  # type: ignore[dict-item]
    for name, figures in groups.items():
        table.add_row(name, *(f"{figures[key]:.3f}" for key in Found.columns()))
    console = Console()
    console.print(table)
    for key in ("questions", "messages", "statements", "ms_p50", "ms_p95", "not_said_told_apart"):
        console.print(f"{key.replace('_', ' ')}: {report[key]}")


if __name__ == "__main__":
    main()
