"""What is seen from outside: health, readiness, metrics and traces, without a word of what people write."""

from __future__ import annotations

import ast
import asyncio
import json
import logging
import re
import socket
import urllib.error
import urllib.request
from pathlib import Path
from types import SimpleNamespace

import pytest

from memory.observer import AICall, BatchWritten, Build, Removal, SliceRead
from memory.records import FallbackLevel, InboxKind, InboxState
from tests.builders import Server, settings_for
from tests.urmom_bot.cli.test_process import finished, says, spawn, stand_in
from urmom_bot.cli.console import log_as
from urmom_bot.health import MAX_WRITE_WAIT, Readiness, serving
from urmom_bot.reference import event_of, referenced
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
        ({"pending": 9_000, "catching_up": 500, "write_lag": MAX_WRITE_WAIT}, ""),
        ({"connected": 1}, "gateway: 1 of 2"),
        ({"shards": 0, "connected": 0}, "gateway"),
        ({"has_database": False}, "database"),
        ({"write_lag": MAX_WRITE_WAIT + 1}, "writes"),
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
            case Build():
                telemetry.built(event)
            case Removal():
                telemetry.removed(event)
            case (levels, seconds):
                telemetry.contexts_built(levels, seconds)
            case (kind, state, seconds):
                telemetry.inbox_moved(kind, state, seconds)
        return telemetry.text() != before

    assert moved(AICall(model="m", prompt="p", seconds=0.1, tokens_in=1, tokens_out=2))
    assert moved(AICall(model="m", prompt="p", seconds=0.1, tokens_in=0, tokens_out=0, error="AIUnavailable"))
    assert moved(BatchWritten(writes=1, seconds=0.1, lag=0.2, removed=1))
    assert moved(SliceRead(messages=3, notes=1, dropped=0))
    assert moved(Build(level="day", seconds=0.1))
    assert moved(Build(level="day", seconds=0.1, error="DatabaseUnavailable"))
    assert moved(Removal(kind="member", rows=3, seconds=0.1))
    assert moved(([FallbackLevel.FACTS], 0.1))
    assert moved((InboxKind.JOKE, InboxState.PARKED, 3.0))
    assert b'level="facts"' in telemetry.text()
    assert b'error="AIUnavailable"' in telemetry.text()


def test_every_line_of_the_log_has_a_name_of_its_own() -> None:
    """Made of its sentence without what is filled in; two lines of a module never have the same."""
    found: dict[str, set[str]] = {}
    for folder in ("memory", "urmom_bot"):
        for path in (Path(__file__).parents[2] / folder).rglob("*.py"):
            for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
                if not (isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute)):
                    continue
                if not (isinstance(node.func.value, ast.Name) and node.func.value.id == "log"):
                    continue
                sentence = next(a.value for a in node.args if isinstance(a, ast.Constant) and isinstance(a.value, str))
                found.setdefault(event_of(path.stem, sentence), set()).add(sentence)
    assert len(found) > 60
    assert {name: said for name, said in found.items() if len(said) > 1 or not name.split(".")[1]} == {}
    assert "ingest.waiting_for_the_database" in found


def test_logs_can_be_json(capsys: pytest.CaptureFixture[str]) -> None:
    """One object a line, with the code that is told; an error with where it came from."""
    logger, before = logging.getLogger(), logging.getLogger().handlers[:]
    try:
        log_as(settings_for(None, log_format="json"))
        with referenced() as code:
            logging.getLogger("memory.ingest").warning("ingest: waiting for the database (%s)", "away")
        try:
            raise KeyError("missing")
        except KeyError:
            logging.getLogger("urmom_bot.bot").exception("listener %s failed", "on_message")
    finally:
        logger.handlers[:] = before
    first, second = (json.loads(line) for line in capsys.readouterr().err.splitlines())
    assert first["event"] == "ingest.waiting_for_the_database"
    assert (first["code"], first["level"], first["logger"]) == (code, "WARNING", "memory.ingest")
    assert first["message"] == "ingest: waiting for the database (away)"
    assert (second["event"], second["code"]) == ("bot.listener_failed", None)
    assert "KeyError: 'missing'" in second["error"]


def test_calls_builds_and_removals_are_spans(monkeypatch: pytest.MonkeyPatch) -> None:
    """Each as long as it took, with its numbers and what went wrong."""
    spans: list[tuple[str, float, dict[str, object]]] = []

    class Span:
        def __init__(self, name: str, start_time: int, attributes: dict[str, object]) -> None:
            self.name, self.began, self.attributes = name, start_time, dict(attributes)

        def set_attribute(self, name: str, value: object) -> None:
            self.attributes[name] = value

        def set_status(self, status: object) -> None:
            self.attributes["status"] = status

        def end(self, end_time: int) -> None:
            spans.append((self.name, (end_time - self.began) / 1e9, self.attributes))

    telemetry = Telemetry()
    monkeypatch.setattr(telemetry, "_tracer", SimpleNamespace(start_span=Span))
    telemetry.ai_called(AICall(model="m", prompt="p", seconds=2.0, tokens_in=3, tokens_out=4))
    telemetry.built(Build(level="merge", seconds=1.0, error="TimeoutError"))
    telemetry.removed(Removal(kind="guild", rows=7, seconds=0.5))

    assert [(name, seconds) for name, seconds, _ in spans] == [
        ("chat m", 2.0),
        ("build merge", 1.0),
        ("remove guild", 0.5),
    ]
    assert spans[0][2]["gen_ai.usage.input_tokens"] == 3
    assert spans[1][2]["error.type"] == "TimeoutError"
    assert spans[2][2]["urmom.rows"] == 7


def test_the_dashboard_shows_what_there_is() -> None:
    """Every metric that a panel asks for exists, and every metric is on a panel."""
    dashboard = json.loads((Path(__file__).parents[2] / "docs" / "grafana.json").read_text(encoding="utf-8"))
    asked = {name for panel in dashboard["panels"] for t in panel["targets"] for name in metrics_in(t["expr"])}
    there = set(re.findall(r"^# TYPE (urmom_\w+)", Telemetry().text().decode(), re.MULTILINE))
    there = {name.removesuffix("_created") for name in there if not name.endswith("_created")}
    assert asked == there
    places = [tuple(panel["gridPos"].values()) for panel in dashboard["panels"]]
    assert len(set(places)) == len(places)


def metrics_in(expression: str) -> set[str]:
    return {re.sub(r"_(bucket|sum|count)$", "", name) for name in re.findall(r"urmom_\w+", expression)}


async def test_removals_and_builds_are_counted(discord: Server) -> None:
    """What a person has taken away, and the levels made for an answer."""
    ann = discord.discord.join(discord.guild, "ann")
    for text in ("Bot remember that ann sings alto", "the tram is late", "Bot what do you know about me"):
        await discord.ask(ann, text)
    await discord.ask(ann, "Bot forget that ann sings alto")
    text = discord.app.metrics(discord.bot).decode()
    assert 'urmom_removed_rows_total{kind="statement"}' in text
    assert 'urmom_build_seconds_count{error="",level="day"}' in text


async def test_a_process_says_whether_it_is_ready(dsn: str, tmp_path: Path) -> None:
    """`urmom-bot health` is what a container asks; nothing there, or not ready, is an exit code and a sentence."""
    with socket.create_server(("127.0.0.1", 0)) as free:
        port = str(free.getsockname()[1])
    async with stand_in() as discord:
        settings = {"DATABASE_URL": dsn, "DATA_DIR": str(tmp_path), "HEALTH_PORT": port}
        code, told = await finished(await spawn("health", **settings))
        assert (code, "The bot does not answer" in told, "Traceback" in told) == (20, True, False), told
        process = await spawn("run", discord=discord, **settings)
        await says(process, "is online as")
        code, told = await finished(await spawn("health", **settings))
        assert (code, told.strip()) == (0, "Ready."), told
        process.terminate()
        assert (await finished(process))[0] == 0
