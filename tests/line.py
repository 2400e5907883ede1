"""The line to a server: it can be cut, as in a restart, and frozen, as when a server or a network stands still."""

from __future__ import annotations

import asyncio
from contextlib import suppress
from pathlib import Path
from urllib.parse import parse_qs, quote, urlsplit, urlunsplit


class Line:
    """Carries bytes between its own port on loopback and the server at `address`, a database's DSN or a URL."""

    def __init__(self, address: str) -> None:
        self._target = urlsplit(address)
        self._server: asyncio.Server | None = None
        self.is_cut = False
        """Whether it is cut now."""
        self._writers: set[asyncio.StreamWriter] = set()
        self._tasks: set[asyncio.Task[None]] = set()
        self._flows = asyncio.Event()
        self._flows.set()
        self._delay = 0.0
        self.sent = 0
        """How many packets went to the server: as many as round trips, but for packets of 64 KiB and more."""
        self.port = 0
        """The line's own port."""
        self.dsn = ""
        """The database's address by this line."""

    @property
    def is_whole(self) -> bool:
        """Whether it carries everything."""
        return self._flows.is_set() and not self.is_cut

    async def start(self) -> None:
        self._server = await asyncio.start_server(self._carry, "127.0.0.1", 0)
        self.port = port = self._server.sockets[0].getsockname()[1]
        target = self._target
        user = f"{quote(target.username or '')}:{quote(target.password or '')}@" if target.username else ""
        self.dsn = urlunsplit((target.scheme, f"{user}127.0.0.1:{port}", target.path, "sslmode=disable", ""))

    async def close(self) -> None:
        self.cut()
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)
        if self._server is not None:
            self._server.close()
            await self._server.wait_closed()

    def cut(self) -> None:
        """Close every connection, and take no new one."""
        self.is_cut = True
        for writer in self._writers:
            writer.transport.abort()

    def freeze(self) -> None:
        """Carry nothing, and close nothing."""
        self._flows.clear()

    def mend(self) -> None:
        """Carry everything again."""
        self.is_cut = False
        self._delay = 0.0
        self._flows.set()

    def slow(self, seconds: float) -> None:
        """Take so long to carry anything."""
        self._delay = seconds

    async def _carry(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        if self.is_cut:
            writer.transport.abort()
            return
        there_reader, there_writer = await self._connected()
        for one in (writer, there_writer):
            self._writers.add(one)
        for source, sink, counts in ((reader, there_writer, 1), (there_reader, writer, 0)):
            task = asyncio.create_task(self._pass(source, sink, counts))
            self._tasks.add(task)
            task.add_done_callback(self._tasks.discard)

    async def _connected(self) -> tuple[asyncio.StreamReader, asyncio.StreamWriter]:
        target = self._target
        folder = parse_qs(target.query).get("host", [""])[0]
        if folder.startswith("/"):
            return await asyncio.open_unix_connection(str(Path(folder) / f".s.PGSQL.{target.port or 5432}"))
        return await asyncio.open_connection(target.hostname or "127.0.0.1", target.port or 5432)

    async def _pass(self, source: asyncio.StreamReader, sink: asyncio.StreamWriter, counts: int) -> None:
        with suppress(OSError):
            while data := await source.read(65_536):
                self.sent += counts
                await asyncio.sleep(self._delay)
                await self._flows.wait()
                sink.write(data)
                await sink.drain()
        self._writers.discard(sink)
        if sink.can_write_eof():
            with suppress(OSError, RuntimeError):
                sink.write_eof()
        sink.close()
