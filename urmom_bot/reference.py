"""A code for each thing that the bot was asked: in every line of the log about it, and in what its author is told."""

from __future__ import annotations

import logging
import secrets
from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar

_code: ContextVar[str] = ContextVar("reference", default="")


def code() -> str:
    """The code of what is being done; a new one where nothing has any."""
    return _code.get() or secrets.token_hex(3)


@contextmanager
def referenced() -> Iterator[str]:
    """Give what is done inside, and what it starts, a code."""
    token = _code.set(secrets.token_hex(3))
    try:
        yield _code.get()
    finally:
        _code.reset(token)


class Marked(logging.Filter):
    """Adds the code of what is being done to each record, as `reference`."""

    def filter(self, record: logging.LogRecord) -> bool:
        """Mark a record."""
        found = _code.get()
        record.reference = f"[{found}] " if found else ""
        return True
