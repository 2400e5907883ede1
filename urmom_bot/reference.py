"""A code for each thing that the bot was asked: in every line of the log about it, and in what its author is told."""

from __future__ import annotations

import logging
import re
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


def event_of(name: str, sentence: object) -> str:
    """What a line of the log is about, whatever numbers are in it: `ingest.waiting_for_the_database`."""
    words = re.findall(r"[a-z]+", re.sub(r"%[-+.\d]*[a-z]", "", str(sentence).lower()))
    module = name.rpartition(".")[2]
    return ".".join((module, "_".join(words[1:] if words[:1] == [module] else words)))


class Marked(logging.Filter):
    """Adds to each record the code of what is being done, as `code` and `reference`, and its name, as `event`."""

    def filter(self, record: logging.LogRecord) -> bool:
        """Mark a record."""
        found = _code.get()
        record.code = found or None
        record.reference = f"[{found}] " if found else ""
        record.event = event_of(record.name, record.msg)
        return True
