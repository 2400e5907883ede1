"""Deletions and edits, in a file until the database has them: one that was delivered is lost with no process.

The file has numbers alone. Each process has one of its own; the next one takes over those of processes that are gone.
"""

from __future__ import annotations

import asyncio
import errno
import json
import logging
import os
import secrets
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from memory.ids import ChannelId, GuildId, MessageId
from memory.private_files import FILE
from memory.records import PendingRemoval

log = logging.getLogger(__name__)

NAME = "removals-{}.jsonl"


class FileJournal:
    """A journal of removals in a folder, that of this process. Raises OSError where it cannot be written."""

    def __init__(self, folder: Path) -> None:
        self._path = folder / NAME.format(secrets.token_hex(8))
        self._open: Counter[PendingRemoval] = Counter()
        self._unwritten: list[PendingRemoval] = []
        self._turn = asyncio.Lock()
        with alone(folder):  # a file that another has made and not locked yet would look like one that was left
            self._file = _locked(self._path, os.O_CREAT | os.O_EXCL)
            left = self._taken_over(folder)
        self.left = left
        """What earlier processes left: it is in this file by now."""

    def _taken_over(self, folder: Path) -> list[PendingRemoval]:
        found: list[PendingRemoval] = []
        paths = []
        for path in sorted(folder.glob(NAME.format("*"))):
            if path == self._path:
                continue
            try:
                file = _locked(path)
            except (BlockingIOError, FileNotFoundError):  # of a process that lives, or that another took over from
                continue
            with os.fdopen(file, "rb") as opened:
                found += _removals(opened.read())
            paths.append(path)
        if found:
            self._write(found)
        self._open.update(found)
        for path in paths:
            path.unlink(missing_ok=True)
        return found

    async def note(self, removal: PendingRemoval) -> None:
        """Write a removal down; it is on the disk when this returns. A disk that is full is told in the log."""
        self._open[removal] += 1
        self._unwritten.append(removal)
        async with self._turn:  # whoever had it before may have written this one, too
            some, self._unwritten = self._unwritten, []
            try:
                if some:
                    await asyncio.to_thread(self._write, some)
            except OSError as full:
                log.error("journal: %d removals are in memory alone (%s)", len(some), full.strerror)

    def _write(self, removals: list[PendingRemoval]) -> None:
        lines = b"\n" + b"".join(_line(one) for one in removals)  # one that was cut short swallows none of these
        if os.write(self._file, lines) < len(lines):
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
        os.fsync(self._file)

    def done(self, removal: PendingRemoval) -> None:
        """Note that the database has a removal; once it has all, the file is empty."""
        self._open[removal] -= 1
        if self._open[removal] <= 0:
            del self._open[removal]
        if not self._open and not self._turn.locked():
            with suppress(OSError):
                os.ftruncate(self._file, 0)

    def close(self) -> None:
        """Let go of the file; it goes where nothing is left in it."""
        if not self._open:
            self._path.unlink(missing_ok=True)
        os.close(self._file)


@contextmanager
def alone(folder: Path) -> Iterator[None]:
    """While no other process begins a journal in a folder."""
    try:
        import fcntl
    except ImportError:  # where there are no such locks, two processes have two folders
        yield
        return
    directory = os.open(folder, os.O_RDONLY)
    try:
        fcntl.flock(directory, fcntl.LOCK_EX)
        yield
    finally:
        os.close(directory)


def _locked(path: Path, flags: int = 0) -> int:
    """Open a file for this process alone. Raises BlockingIOError where another has it."""
    file = os.open(path, os.O_RDWR | os.O_APPEND | flags, FILE)
    try:
        with suppress(ImportError):  # where there are no such locks, two processes have two folders
            import fcntl

            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BaseException:
        os.close(file)
        raise
    return file


def _line(removal: PendingRemoval) -> bytes:
    return json.dumps([removal.guild_id, removal.channel_id, list(removal.message_ids)]).encode() + b"\n"


def _removals(raw: bytes) -> Iterator[PendingRemoval]:
    """What a file says; a line that was cut short by the end of its process was not written."""
    for line in raw.split(b"\n"):
        with suppress(ValueError, TypeError):
            guild_id, channel_id, ids = json.loads(line)
            yield PendingRemoval(
                GuildId(int(guild_id)),
                None if channel_id is None else ChannelId(int(channel_id)),
                tuple(MessageId(int(n)) for n in ids),
            )
