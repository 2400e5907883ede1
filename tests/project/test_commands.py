"""Every command that README and docs/ show exists, with its options."""

from __future__ import annotations

import re
import shlex
from pathlib import Path

import pytest
import typer.main

from urmom_bot.cli import app

ROOT = Path(__file__).parents[2]
PAGES = [ROOT / "README.md", ROOT / "SECURITY.md", ROOT / "CONTRIBUTING.md", *sorted((ROOT / "docs").rglob("*.md"))]

FORMAT = "member export 2"
"""Behind `urmom-bot`, the name of a file's format, and no command."""


def shown(text: str) -> list[str]:
    """The calls of urmom-bot in a page: lines of its blocks, and what stands between backticks."""
    blocks = re.findall(r"```(?:sh|bash|console|)\n(.*?)```", text, re.S)
    lines = [line for block in blocks for line in block.splitlines()]
    lines += re.findall(r"(?<!`)`([^`\n]+)`(?!`)", re.sub(r"```.*?```", "", text, flags=re.S))
    found = [re.search(r"(?:^|[ /])urmom-bot ([a-z-].*)", line) for line in lines]
    return [call[1].partition(" #")[0] for call in found if call and call[1] != FORMAT]


CALLS = sorted({(page.relative_to(ROOT).as_posix(), call) for page in PAGES for call in shown(page.read_text("utf-8"))})


def missing(call: str) -> str | None:
    """The first word of a call that the program does not know."""
    command = typer.main.get_command(app)
    for word in shlex.split(call):
        if word in ("&&", "|", ">"):
            return None
        if word in (below := getattr(command, "commands", {})):
            command = below[word]
        elif word.startswith("-"):
            context = command.context_class(command)
            options = {
                name for option in command.get_params(context) for name in (*option.opts, *option.secondary_opts)
            }
            if word.partition("=")[0] not in options:
                return word
        elif below:
            return word
    return None


@pytest.mark.parametrize(("page", "call"), CALLS)
def test_a_command_in_the_docs_exists(page: str, call: str) -> None:
    assert missing(call) is None, f"{page}: urmom-bot {call}"


def test_a_command_that_does_not_exist_is_found() -> None:
    assert missing("memory frget --guild 1") == "frget"
    assert missing("memory forget --usr ann") == "--usr"
    assert missing("service install --print") is None
    assert len(CALLS) > 20
