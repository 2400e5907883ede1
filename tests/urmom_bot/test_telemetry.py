"""What is seen from outside: health, readiness, metrics and traces, without a word of what people write."""

from __future__ import annotations

import asyncio
import json
import urllib.error
import urllib.request
from pathlib import Path

import pytest

from memory.observer import AICall, BatchWritten, SliceRead
from memory.records import FallbackLevel, InboxKind, InboxState
from tests.conftest import Server
from tests.urmom_bot.cli.test_process import finished, online, spawn, stand_in, until
from urmom_bot.health import SLOW, Readiness, serving
from urmom_bot.telemetry import Telemetry


def fetched(url: str) -> tuple[int, str]:
    try:
        with urllib.request.urlopen(url, timeout=5) as answer:
            return answer.status, answer.read().decode()
    except urllib.error.HTTPError as refused:
        return refused.code, refused.read().decode()


WELL = {"shards": 2, "connected": 2, "has_database": True, "pending": 0, "write_lag": 0.0}


@pytest.mark.parametrize(
    ("changes", "problem"),
    [
        ({}, ""),
        ({"pending": 9_000, "catching_up": 500, "write_lag": SLOW}, ""),
        ({"connected": 1}, "gateway: 1 of 2"),
        ({"shards": 0, "connected": 0}, "gateway"),
        ({"has_database": False}, "database"),
        ({"write_lag": SLOW + 1}, "writes"),
        ({"failing": ("upkeep",)}, "loop: upkeep"),
    ],
)
async def test_ready_is_who_can_be_asked(changes: dict[str, object], problem: str) -> None:
    """Catching up keeps nobody from being answered; everything else is named."""

    async def readiness() -> Readiness:
        return Readiness(**{**WELL, **changes})  # type: ignore[arg-type]

    async with serving(0, readiness, lambda: b"metrics 1\n") as port:
        assert (await asyncio.to_thread(fetched, f"http://127.0.0.1:{port}/live"))[0] == 200
        code, body = await asyncio.to_thread(fetched, f"http://127.0.0.1:{port}/ready")
        assert (await asyncio.to_thread(fetched, f"http://127.0.0.1:{port}/metrics"))[1] == "metrics 1\n"
    found = json.loads(body)
    assert code == (503 if problem else 200)
    assert found["ready"] is (not problem)
    assert [text.startswith(problem) for text in found["problems"]] == ([True] if problem else [])


async def test_a_port_that_is_taken_ends_nothing() -> None:
    """The bot runs on without health; the log says so."""

    async def readiness() -> Readiness:
        return Readiness(**WELL)  # type: ignore[arg-type]

    async with serving(0, readiness, bytes) as port, serving(port, readiness, bytes) as second:
        assert second == 0


async def test_a_planted_word_is_in_no_metric(discord: Server) -> None:
    """Nor any id: labels are kinds, models and levels alone."""
    ann = discord.discord.join(discord.guild, "zebrastripe")
    for text in (
        "the zebrafish sleeps",
        "Bot remember that zebrastripe sings zebralto",
        "Bot what do you know about me",
    ):
        await discord.ask(ann, text)
    said = await discord.discord.say(ann, discord.general, "a zebrafinch")
    await discord.discord.delete(discord.general, said)
    await discord.settled()
    text = discord.app.metrics(discord.bot).decode()

    assert "zebra" not in text
    assert not [n for n in (str(ann.id), str(discord.guild.id), str(discord.general.id), str(said)) if n in text]
    for name in (
        "urmom_writes_total",
        'urmom_inbox_total{kind="answer",state="done"} 2.0',
        "urmom_contexts_total",
        "urmom_guilds 1.0",
        "urmom_shards_connected 1.0",
        "urmom_ai_calls_total{",
    ):
        assert name in text, name
    ready = await discord.app.readiness(discord.bot)
    assert ready.problems == []


def test_every_event_moves_a_metric() -> None:
    """What is observed and not counted nobody sees."""
    telemetry = Telemetry()

    def moved(event: object) -> bool:
        before = telemetry.text()
        match event:
            case AICall():
                telemetry.ai_called(event)
            case BatchWritten():
                telemetry.batch_written(event)
            case SliceRead():
                telemetry.slice_read(event)
            case (levels, seconds):
                telemetry.contexts_built(levels, seconds)
            case (kind, state, seconds):
                telemetry.inbox_moved(kind, state, seconds)
        return telemetry.text() != before

    assert moved(AICall(model="m", prompt="p", seconds=0.1, tokens_in=1, tokens_out=2))
    assert moved(AICall(model="m", prompt="p", seconds=0.1, tokens_in=0, tokens_out=0, error="AIUnavailable"))
    assert moved(BatchWritten(writes=1, seconds=0.1, lag=0.2, removed=1))
    assert moved(SliceRead(messages=3, notes=1, dropped=0))
    assert moved(([FallbackLevel.FACTS], 0.1))
    assert moved((InboxKind.JOKE, InboxState.PARKED, 3.0))
    assert b'level="facts"' in telemetry.text()
    assert b'error="AIUnavailable"' in telemetry.text()


async def test_a_process_says_whether_it_is_ready(dsn: str, tmp_path: Path) -> None:
    """`urmom-bot health` is what a container asks; nothing there, or not ready, is an exit code and a sentence."""
    async with stand_in() as discord:
        settings = {"DATABASE_URL": dsn, "DATA_DIR": str(tmp_path), "HEALTH_PORT": "18471"}
        code, told = await finished(await spawn("health", **settings))
        assert (code, "Nothing answers" in told, "Traceback" in told) == (20, True, False), told
        process = await spawn("run", discord=discord, **settings)
        await online(discord)
        await until(dsn, "SELECT 1 FROM shards WHERE alive_at IS NOT NULL", 1)
        code, told = await finished(await spawn("health", **settings))
        assert (code, told.strip()) == (0, "Ready."), told
        process.terminate()
        assert (await finished(process))[0] == 0
