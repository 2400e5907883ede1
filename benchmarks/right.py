"""Whether memory is right: `python -m benchmarks.right EXPORT [--answers FOLDER | --provider] [--now …] [--json]`.

Builds the week before `--now` over a chat export and reports, for the summaries of its days (40 busiest
people) and the contexts of its twelve busiest: which of the people a member dealt with and of the specifics
with digits they wrote (people's names aside) are kept, how much of the evidence stands, what was sent, and in how
many calls.

The model is the one configured (`--provider`), answers recorded in a folder (`--answers`: what is missing there
is written as a prompt to be answered, NAME.txt for NAME.json, and the run ends), or else the stand-in, which
quotes: then only the plumbing is measured, and the report says so.
"""

from __future__ import annotations

import argparse
import asyncio
import hashlib
import json
import re
import tempfile
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from contextlib import AsyncExitStack
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from pathlib import Path

import asyncpg
from rich.console import Console
from rich.table import Table

from memory import Member, Message, public
from memory.rules.names import Names
from memory.rules.text import mentioned, with_names
from urmom_bot.app import App, database, open_app
from urmom_bot.config import Settings
from urmom_bot.importer import Counts, import_file
from urmom_bot.stand_ins import Asked, GeminiStandIn, extractive

NOW = datetime(2026, 11, 8, 12, tzinfo=UTC)
BUSIEST, TWELVE = 40, 12
DIGITS = re.compile(r"[\w./:+-]*\d[\w./:+-]*")


@dataclass
class Share:
    """So many of so many."""

    kept: int = 0
    of: int = 0

    def add(self, kept: int, of: int) -> None:
        """Count more."""
        self.kept += kept
        self.of += of

    @property
    def percent(self) -> float:
        """In hundredths, to one place."""
        return round(100 * self.kept / self.of, 1) if self.of else 0.0


@dataclass
class Level:
    """What one level keeps."""

    people: Share = field(default_factory=Share)
    specifics: Share = field(default_factory=Share)
    members: int = 0
    characters: int = 0


class Recorded:
    """Answers from files; a prompt without one is written beside them, for somebody to answer."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self.missing: list[Path] = []

    def __call__(self, asked: Asked) -> str:
        """The recorded answer; of a missing one the stand-in's, so that what else is missing is found too."""
        data = re.sub(r"(</?[a-z-]+)-[0-9a-f]{6}>", r"\1>", asked.data)
        name = f"{asked.name.replace(' ', '-').lower()}-{hashlib.sha256(data.encode()).hexdigest()[:12]}"
        answer = self._folder / f"{name}.json"
        if answer.exists():
            return answer.read_text(encoding="utf-8")
        self.missing.append(self._folder / f"{name}.txt")
        self.missing[-1].write_text(f"{asked.instructions}\n\n{asked.data}\n", encoding="utf-8")
        return extractive(asked)


class Talk:
    """What people said to whom in a stretch of talk, by code alone."""

    def __init__(self, messages: Sequence[Message], members: Mapping[int, Member]) -> None:
        self._names = {u: [n.casefold() for n in m.names if len(n) > 1] for u, m in members.items()}
        self.dealt: defaultdict[int, set[int]] = defaultdict(set)
        self.specifics: defaultdict[int, set[str]] = defaultdict(set)
        self.lines = Counter(m.user_id for m in messages)
        self.shows: dict[int, set[int]] = {}
        named = Names(members.values())
        called = {name for names in self._names.values() for name in names}
        for message in messages:
            for other in message.addressees:
                self.dealt[message.user_id].add(other)
                self.dealt[other].add(message.user_id)
            self.shows[message.message_id] = {
                message.user_id,
                *message.addressees,
                *mentioned(message.text),
                *named.named(message.text),
            }
            for word in DIGITS.findall(message.text):
                who, _, rest = word.partition(":")
                word = (rest if who.casefold() in called else word).strip(".:,-+/")
                is_specific = any(map(str.isdigit, word)) and word.casefold() not in called
                if is_specific and 1 < len(word) < 40:
                    self.specifics[message.user_id].add(word)

    def weigh(self, level: Level, user_id: int, text: str) -> None:
        """Count what `text` keeps of what a member dealt with."""
        folded = text.casefold()
        others = self.dealt[user_id]
        level.people.add(sum(any(_stands(n, folded) for n in self._names.get(u, ())) for u in others), len(others))
        level.specifics.add(sum(w.casefold() in folded for w in self.specifics[user_id]), len(self.specifics[user_id]))
        level.members += 1
        level.characters += len(text)


def _stands(name: str, folded: str) -> bool:
    return name in folded and re.search(rf"(?<!\w){re.escape(name)}(?!\w)", folded) is not None


async def _messages(dsn: str, guild: int, since: datetime, until: datetime) -> list[Message]:
    connection = await asyncpg.connect(dsn)
    rows = await connection.fetch(
        "SELECT * FROM chat_history WHERE guild_id = $1 AND timestamp >= $2 AND timestamp < $3"
        " AND author_kind = 'member' ORDER BY message_id",
        *(guild, since, until),
    )
    await connection.close()
    same = ("guild_id", "message_id", "channel_id", "user_id", "timestamp", "reply_to_id")
    return [
        Message(text=row["message_text"], addressees=tuple(row["addressees"]), **{name: row[name] for name in same})
        for row in rows
    ]


async def _dropped(dsn: str, guild: int) -> tuple[int, int]:
    """(notes stored, notes that did not pass the checks)."""
    connection = await asyncpg.connect(dsn)
    stored = await connection.fetchval("SELECT count(*) FROM notes WHERE guild_id = $1", guild)
    dropped = await connection.fetchval("SELECT coalesce(sum(dropped), 0) FROM slices WHERE guild_id = $1", guild)
    await connection.close()
    return int(stored), int(dropped)


async def _notes(
    dsn: str, guild: int, names: Mapping[int, str]
) -> list[tuple[set[int], int | None, datetime, str, list[int]]]:
    """(people, whom it is about, when, text with names, evidence) of every note."""
    connection = await asyncpg.connect(dsn)
    rows = await connection.fetch("SELECT * FROM notes WHERE guild_id = $1 ORDER BY at, note_id", guild)
    await connection.close()
    return [
        (
            {row["user_id"], *row["people"]},
            row["user_id"],
            row["at"],
            f"{names.get(row['user_id'], '')} {with_names(row['text'], names)}",
            list(row["evidence"]),
        )
        for row in rows
    ]


async def _measured(app: App, dsn: str, guild: int, now: datetime) -> tuple[dict[str, Level], Share, int]:
    members = await app.memory.guilds.members(guild)
    levels, evidence = {"days": Level(), "contexts": Level()}, Share()
    start = now.replace(hour=0, minute=0, second=0, microsecond=0)
    week = await _messages(dsn, guild, start - timedelta(days=6), now)
    whole = Talk(week, members)
    await app.memory.replies.contexts(public(guild), list(whole.lines), wait=3_600)
    names = {user_id: member.display_name for user_id, member in members.items()}
    notes = await _notes(dsn, guild, names)
    for back in range(7):
        day = start - timedelta(days=back)
        talk = Talk([m for m in week if day <= m.timestamp < day + timedelta(days=1)], members)
        today = [note for note in notes if day <= note[2] < day + timedelta(days=1)]
        for user_id in _busiest(talk, BUSIEST):
            mine = [note for note in today if user_id in note[0]]
            talk.weigh(levels["days"], user_id, " ".join(note[3] for note in mine))
        for _, about, _, _, shown in today:
            evidence.add(sum(about is None or about in talk.shows.get(n, ()) for n in shown), len(shown))
    twelve = _busiest(whole, TWELVE)
    found = await app.memory.replies.contexts(public(guild), twelve, wait=3_600)
    for user_id in twelve:
        whole.weigh(levels["contexts"], user_id, found[user_id].text or "")
    everybody = await app.memory.replies.contexts(public(guild), list(whole.lines), wait=3_600)
    lost = 0
    for context in everybody.values():
        mine = [re.sub(r"^\S+ ", "", note[3]) for note in notes if context.user_id in note[0]]
        numbers = set(DIGITS.findall(" ".join(mine)))
        if sum(map(len, mine)) <= 600:
            lost += any(number.strip(".,:-") not in (context.text or "") for number in numbers)
    return levels, evidence, lost


def _busiest(talk: Talk, count: int) -> list[int]:
    return [user_id for user_id, _ in talk.lines.most_common(count)]


async def measure(
    export: Path, answers: Path | None, provider: bool, now: datetime, dsn: str | None = None
) -> dict[str, object]:
    """Build on a database of its own, or the one at `dsn`, and weigh; returns the report."""
    recorded = Recorded(answers) if answers else None
    gemini = GeminiStandIn(recorded or extractive)
    await gemini.start()
    with tempfile.TemporaryDirectory() as folder:
        settings = Settings().model_copy(update={"data_dir": Path(folder), "database_url": None, "ai_timeout": 3_600.0})
        if not provider:
            settings = settings.on_stand_in(gemini.url)
        async with AsyncExitStack() as stack:
            there = dsn or await stack.enter_async_context(database(settings))
            app = await stack.enter_async_context(open_app(settings, clock=lambda: now, dsn=there))
            place = await import_file(export, app.memory, Counts())
            levels, evidence, lost = await _measured(app, there, place.guild_id, now)
            spent = [quota.spent for quota in await app.memory.quotas()]
            stored, dropped = await _dropped(there, place.guild_id)
    await gemini.close()
    return {
        "model": "the configured one" if provider else "recorded answers" if recorded else "stand-in: plumbing alone",
        **{
            f"{name}_{what}": value
            for name, level in levels.items()
            for what, value in (
                ("people_kept_percent", level.people.percent),
                ("specifics_kept_percent", level.specifics.percent),
                ("characters_a_member", round(level.characters / max(level.members, 1))),
            )
        },
        "notes_stored": stored,
        "notes_not_borne_out": dropped,
        "members_that_fit_and_lost_a_number": lost,
        "evidence_stored": evidence.of,
        "evidence_right_percent": evidence.percent,
        "calls": sum(s.calls for s in spent),
        "tokens_sent": sum(s.tokens_in for s in spent),
        "tokens_answered": sum(s.tokens_out for s in spent),
        "prompts_to_answer": [str(path) for path in recorded.missing] if recorded else [],
    }


def shown(report: Mapping[str, object]) -> Iterable[tuple[str, str]]:
    """The report as rows."""
    for name, value in report.items():
        if isinstance(value, list):
            yield name.replace("_", " "), "\n".join(value) or "none"
        else:
            yield name.replace("_", " "), f"{value:,}" if isinstance(value, int) else str(value)


def main() -> None:
    """Read the arguments, measure, print."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("export", type=Path)
    parser.add_argument("--answers", type=Path, help="a folder with recorded answers")
    parser.add_argument("--provider", action="store_true", help="ask the configured model")
    parser.add_argument("--now", type=datetime.fromisoformat, default=NOW)
    parser.add_argument("--json", action="store_true")
    chosen = parser.parse_args()
    if chosen.answers:
        chosen.answers.mkdir(parents=True, exist_ok=True)
    report = asyncio.run(measure(chosen.export, chosen.answers, chosen.provider, chosen.now))
    if chosen.json:
        print(json.dumps(report, indent=1))
        return
    table = Table("what", "result", title=f"{chosen.export.name} at {chosen.now:%Y-%m-%d %H:%M}")
    for row in shown(report):
        table.add_row(*row)
    Console().print(table)


if __name__ == "__main__":
    main()
