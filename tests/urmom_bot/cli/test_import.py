"""Chat exports: streamed, idempotent, bad records told and skipped."""

import json
import tracemalloc
from datetime import UTC, datetime
from pathlib import Path

import pytest

from memory import FallbackLevel, public
from tests.builders import Clock, Opener, query
from urmom_bot.importer import Counts, Unreadable, import_file
from urmom_bot.stand_ins import GeminiStandIn

GUILD = 900000000000000001


def record(n: int, **more: object) -> dict[str, object]:
    return {
        "id": str(1566368197509120000 + n),
        "type": "Default",
        "timestamp": "2026-11-01T08:28:00.000+00:00",
        "timestampEdited": None,
        "content": f"words {n}",
        "author": {"id": "70", "name": "ann", "nickname": "Ann", "isBot": False},
        "attachments": [],
        "embeds": [],
        "stickers": [],
        **more,
    }


def export(path: Path, messages: list[object], guild: str = str(GUILD)) -> Path:
    body = {"guild": {"id": guild, "name": "g"}, "channel": {"id": "9", "name": "general"}, "messages": messages}
    path.write_text(json.dumps(body))
    return path


async def test_bad_records_are_told_by_position_and_skipped(opened: Opener, tmp_path: Path, dsn: str) -> None:
    """What cannot be read is named and left out; what stands around it is stored."""
    no_author = record(2)
    del no_author["author"]
    path = export(
        tmp_path / "e.json",
        [
            record(1),
            no_author,
            "not even an object",
            record(4, id="-5"),
            record(5, timestamp="yesterday"),
            record(6, timestamp="2026-11-01T08:28:00"),
            record(7, content=None),
            record(8, type="ChannelPinnedMessage"),
            record(9, content="nul \x00 here", attachments=[{"fileName": "cat.png", "url": "https://x/y.png"}]),
            record(9),
            record(11, author={"id": "71", "name": "robot", "isBot": True}),
        ],
    )
    counts = Counts()
    async with opened(ai=False) as app:
        await import_file(path, app.memory, counts)
        again = Counts()
        await import_file(path, app.memory, again)

    assert (counts.read, counts.stored, counts.known, counts.skipped) == (11, 3, 0, 8)
    assert (again.read, again.stored, again.known, again.skipped) == (11, 0, 3, 8)
    of = [int(record(n)["id"]) for n in range(8)]  # type: ignore[call-overload]
    assert [problem.removeprefix("e.json: ") for problem in counts.problems] == [
        f"skipped message 2 (id {of[2]}): author is missing",
        "skipped message 3: not an object",
        "skipped message 4 (id -5): id: '-5' is not an id",
        f"skipped message 5 (id {of[5]}): timestamp: Invalid isoformat string: 'yesterday'",
        f"skipped message 6 (id {of[6]}): timestamp: the time zone is missing",
        f"skipped message 7 (id {of[7]}): content: not text",
    ]
    rows = await query(dsn, "SELECT message_text, author_kind FROM chat_history ORDER BY message_id")
    assert [tuple(r) for r in rows] == [
        ("words 1", "member"),
        ("nul  here\n[image: cat.png]", "member"),
        ("words 11", "bot"),
    ]


async def test_a_file_that_breaks_off_keeps_what_came_before(opened: Opener, tmp_path: Path, dsn: str) -> None:
    """Nothing is half-written, and importing the whole file later adds the rest."""
    path = export(tmp_path / "e.json", [record(n) for n in range(50)])
    whole = path.read_text()
    path.write_text(whole[: len(whole) // 2])
    counts = Counts()
    async with opened(ai=False) as app:
        with pytest.raises(Unreadable, match="breaks off after message 2"):
            await import_file(path, app.memory, counts)
        assert 20 < counts.stored < 30
        path.write_text(whole)
        counts = Counts()
        await import_file(path, app.memory, counts)

    assert counts.known + counts.stored == 50
    assert len(await query(dsn, "SELECT 1 FROM chat_history")) == 50


@pytest.mark.parametrize("text", ["", "[]", "{}", "PK\x03\x04", '{"guild": {"id": "x"}}', '{"messages": ['])
async def test_what_is_no_export_is_refused(opened: Opener, tmp_path: Path, text: str) -> None:
    """A sentence, and nothing stored."""
    path = tmp_path / "e.json"
    path.write_text(text)
    async with opened(ai=False) as app:
        with pytest.raises(Unreadable, match="not a JSON export"):
            await import_file(path, app.memory, Counts())
        with pytest.raises(Unreadable, match="direct messages"):
            await import_file(export(path, [], guild="0"), app.memory, Counts())


async def test_memory_is_bounded_however_long_the_file(opened: Opener, tmp_path: Path) -> None:
    """A file is streamed: a long one takes no more memory than a short one."""
    async with opened(ai=False) as app:
        peaks = []
        for n in (2_000, 8_000):
            path = export(tmp_path / "e.json", [record(m, content="w" * 500) for m in range(n)])
            tracemalloc.start()
            await import_file(path, app.memory, Counts())
            peaks.append(tracemalloc.get_traced_memory()[1])
            tracemalloc.stop()

    assert peaks[1] < peaks[0] * 1.5


async def test_a_name_that_changed_is_the_last_one(
    opened: Opener, tmp_path: Path, dsn: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Whichever batch it stands in; the ones before are former names, and everybody is counted once."""
    monkeypatch.setattr("urmom_bot.importer.BATCH_MESSAGES", 2)
    names = ["ann", "ann", "ann", "bell", "bell", "ann"]
    people = [{"id": "70", "name": name, "isBot": False} for name in names] + [{"id": "71", "name": "bob"}]
    path = export(tmp_path / "e.json", [record(n, author=author) for n, author in enumerate(people)])
    counts = Counts()
    async with opened(ai=False) as app:
        await import_file(path, app.memory, counts)

    assert (counts.people, counts.stored) == (2, 7)
    rows = await query(dsn, "SELECT display_name, former_names FROM members ORDER BY user_id")
    assert [tuple(row) for row in rows] == [("ann", ["bell"]), ("bob", [])]


async def test_a_restricted_import_is_heard_in_its_channel_alone(opened: Opener, tmp_path: Path, dsn: str) -> None:
    """--restricted gives the channel its own audience, and a later import keeps it."""
    path = export(tmp_path / "e.json", [record(1)])
    async with opened(ai=False) as app:
        await import_file(path, app.memory, Counts(), restricted=True)
        await import_file(export(path, [record(2)]), app.memory, Counts())

    assert {r[0] for r in await query(dsn, "SELECT audience FROM chat_history")} == {9}


async def test_the_real_export(irc: Path, opened: Opener, gemini: GeminiStandIn, clock: Clock) -> None:
    """10,403 messages of 1,109 people over eight days: imported once, contexts asked for, within the lengths."""
    clock.now = datetime(2026, 11, 8, 12, tzinfo=UTC)
    async with opened(ai=False) as app:
        counts, again = Counts(), Counts()
        await import_file(irc, app.memory, counts)
        await import_file(irc, app.memory, again)
        people = {m.display_name: m for m in (await app.memory.guilds.members(GUILD)).values()}
        bazhang = people["bazhang"].user_id
        facts_only = (await app.memory.replies.contexts(public(GUILD), [bazhang]))[bazhang]
        activity = await app.memory.replies.activity(public(GUILD), bazhang)
    assert (counts.read, counts.people) == (10_403, 1_109)
    assert counts.stored + counts.skipped == 10_403
    assert (again.stored, again.known) == (0, counts.stored)
    assert facts_only.text
    assert facts_only.text.startswith("Said today: ")
    assert len(facts_only.text) <= 800
    assert [part.level for part in facts_only.parts] == ["current day"]
    assert sum(activity.values()) == 24
    assert not gemini.asked

    asked = [people[name].user_id for name in ("bazhang", "ActionParsnip", "urlin2u", "ilovefairuz")]
    async with opened(memory_wait=30.0) as app:
        found = await app.memory.replies.contexts(public(GUILD), asked)
        calls = len(gemini.asked)
        await app.memory.replies.contexts(public(GUILD), asked[:2])
    assert len(gemini.asked) == calls <= 9
    for context in found.values():
        assert context.fallback is FallbackLevel.FULL
        assert context.text
        assert len(context.text) <= 800
        assert {part.level for part in context.parts} <= {"current day", "days 2-7"}
    assert all("ubottu" not in a.sections.get("members", "") for a in gemini.asked if a.name == "Notes of a day")
