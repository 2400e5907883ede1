"""Statements run on every server that is supported, and leave nothing behind on the connection they ran on."""

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[3]
SESSION = re.compile(
    r"\bSET (?!LOCAL)(SESSION |[a-z_.]+ *(=|TO) )|\bLISTEN\b|pg_(try_)?advisory_lock\("
    r"|CREATE TEMP|set_config\([^)]*false",
    re.I,
)
NEW_NUMBER = re.compile(r"[(\s,=]\d+_\d+")
"""A form of numbers that PostgreSQL reads since version 16."""


def texts(path: Path) -> Iterator[str]:
    """The parts of every string in a file."""
    for part in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(part, ast.Constant) and isinstance(part.value, str):
            yield part.value


def is_statement(text: str) -> bool:
    return re.search(r"\b(SELECT|INSERT INTO|UPDATE \w+|DELETE FROM|ALTER TABLE|CREATE|SET|LISTEN)\b", text) is not None


@pytest.mark.parametrize("path", sorted((ROOT / "memory" / "store").glob("*.py")), ids=lambda path: path.stem)
def test_statements_are_portable_and_leave_nothing(path: Path) -> None:
    """The pool resets no connection between two uses. One connection of its own holds locks and listens."""
    found = [text for text in texts(path) if is_statement(text)]
    assert not [text for text in found if NEW_NUMBER.search(text)]
    if path.stem not in ("coordination", "migrating"):
        updates = re.compile(r"UPDATE[^;]*?\bSET\b", re.S | re.I)
        assert not [text for text in found if SESSION.search(updates.sub("", text))]


@pytest.mark.parametrize(
    "statement", ["SET search_path TO x", "SET jit = off", "SELECT pg_advisory_lock(1)", "LISTEN x"]
)
def test_what_stays_on_a_connection_is_noticed(statement: str) -> None:
    assert SESSION.search(statement)
    assert not SESSION.search("SET LOCAL lock_timeout = '3s'")
    assert NEW_NUMBER.search("SELECT pg_advisory_xact_lock(7267_4412)")
