"""The benchmarks' own arithmetic, on invented people."""

from __future__ import annotations

import json
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from benchmarks import round_trips
from benchmarks.right import Level, Talk, measure
from memory import Member, Message
from memory.rules.names import Names

NOW = datetime(2026, 11, 8, 12, tzinfo=UTC)
LINES = (
    (1, "Bob: the kiln controller 4711 is in Tallinn since 3 May"),
    (2, "Ann, thanks, mine has number 9-b"),
    (3, "the tram takes 40 minutes to Gdynia these days"),
)
NAMES = {1: "Ann", 2: "Bob", 3: "Cid"}


def export_of(folder: Path) -> Path:
    """A chat export of three lines on each of two days."""
    messages = [
        {
            "id": str(1_000 + 10 * day + n),
            "type": "Default",
            "timestamp": (NOW - timedelta(days=day, hours=1) + timedelta(minutes=n)).isoformat(),
            "content": f"{text} ({day})",
            "author": {"id": str(user), "name": NAMES[user].lower(), "nickname": NAMES[user], "isBot": False},
        }
        for day in (1, 0)
        for n, (user, text) in enumerate(LINES)
    ]
    path = folder / "export.json"
    guild = {"id": "7", "name": "a server"}
    path.write_text(json.dumps({"guild": guild, "channel": {"id": "8", "name": "general"}, "messages": messages}))
    return path


def test_what_is_kept_is_counted_by_code() -> None:
    """People somebody dealt with, by any of their names as a word; specifics with digits, as they were written."""
    members = {u: Member(guild_id=7, user_id=u, display_name=n, username=n.lower()) for u, n in NAMES.items()}
    said = [
        Message(guild_id=7, message_id=n + 1, channel_id=8, user_id=u, text=text, timestamp=NOW + timedelta(minutes=n))
        for n, (u, text) in enumerate(LINES)
    ]
    names = Names(members.values())
    talk = Talk([replace(m, addressees=names.addressees(m)) for m in said], members)
    assert (talk.dealt[1], talk.dealt[2], talk.dealt[3]) == ({2}, {1}, set())
    assert talk.specifics[1] == {"4711"}
    assert talk.specifics[2] == {"9-b"}
    level = Level()
    talk.weigh(level, 1, "Ann told bob that kiln 4711 works; bobby and 47 do not count")
    talk.weigh(level, 2, "Bobby has one, and annoys nobody with 9")
    assert (level.people.kept, level.people.of) == (1, 2)
    assert (level.specifics.kept, level.specifics.of) == (1, 2)
    assert level.people.percent == 50.0


async def test_prompts_are_written_and_their_answers_taken(dsn: str, tmp_path: Path) -> None:
    """What is not answered yet is written to be answered; what is, is weighed, and nothing is left to answer."""
    export, answers = export_of(tmp_path), tmp_path / "answers"
    answers.mkdir()
    first = await measure(export, answers, False, NOW, dsn)
    prompts = [Path(str(path)) for path in first["prompts_to_answer"]]  # type: ignore[attr-defined]
    assert len(prompts) == 2
    assert all("the kiln controller" in path.read_text() for path in prompts)
    assert first["model"] == "recorded answers"
    assert first["evidence_right_percent"] == 100.0
    for path in prompts:
        assert "Notes of a day" in path.read_text()
    assert (await measure(export, None, False, NOW, dsn))["model"] == "stand-in: plumbing alone"


@pytest.mark.by_need
async def test_what_people_do_takes_few_statements(dsn: str) -> None:
    """What an order or a question sends to the database; a statement more is noticed here."""
    sent = await round_trips.measure(dsn=dsn)
    most = {"remember_another": 15, "know_warm": 3, "know_changed": 13, "answer": 8, "next_answer": 8, "forget": 25}
    assert {name: sent[f"{name}_statements"] for name in most} == most
