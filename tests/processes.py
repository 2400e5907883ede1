"""Commands in processes of their own, forked from one that has loaded the program: loading it takes over a second.

A forked command is a process like any other: it has its environment, folder and streams, and can be stopped and
killed. That the command also starts from nothing is a test of its own.
"""

from __future__ import annotations

import asyncio
import atexit
import json
import os
import signal
import socket
import struct
import subprocess
import sys
from collections.abc import Mapping, Sequence
from contextlib import suppress
from functools import cache
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parents[1]

_LENGTH = struct.Struct("!I")


class Command:
    """A running command, with the face of `asyncio.subprocess.Process`."""

    def __init__(
        self,
        pid: int,
        link: socket.socket,
        stdin: asyncio.StreamWriter,
        stdout: asyncio.StreamReader,
        stderr: asyncio.StreamReader,
    ) -> None:
        self.pid = pid
        self.stdin, self.stdout, self.stderr = stdin, stdout, stderr
        self.returncode: int | None = None
        self._ended = asyncio.ensure_future(self._end(link))

    async def _end(self, link: socket.socket) -> int:
        status = await asyncio.get_running_loop().sock_recv(link, 4)
        link.close()
        self.stdin.close()
        self.returncode = os.waitstatus_to_exitcode(struct.unpack("!i", status)[0])
        return self.returncode

    async def wait(self) -> int:
        return await asyncio.shield(self._ended)

    async def communicate(self, given: bytes | None = None) -> tuple[bytes, bytes]:
        if given:
            self.stdin.write(given)
        self.stdin.close()
        out, err, _ = await asyncio.gather(self.stdout.read(), self.stderr.read(), self.wait())
        return out, err

    def send_signal(self, number: int) -> None:
        if self.returncode is None:
            os.kill(self.pid, number)

    def terminate(self) -> None:
        self.send_signal(signal.SIGTERM)

    def kill(self) -> None:
        self.send_signal(signal.SIGKILL)


class Forks:
    """The process that has the program loaded, and forks for each command."""

    def __init__(self) -> None:
        mine, its = socket.socketpair()
        self._link = mine
        self._process = subprocess.Popen(
            [sys.executable, "-m", "tests.processes", str(its.fileno())], pass_fds=[its.fileno()], cwd=ROOT
        )
        its.close()

    async def start(self, arguments: Sequence[str], environment: Mapping[str, str], cwd: str) -> Command:
        """Start `urmom-bot` with arguments."""
        (in_read, in_write), (out_read, out_write), (err_read, err_write) = os.pipe(), os.pipe(), os.pipe()
        link, its = socket.socketpair()
        asked = json.dumps([list(arguments), dict(environment), cwd]).encode()
        theirs = [in_read, out_write, err_write, its.fileno()]
        await asyncio.to_thread(self._ask, asked, theirs)
        for fd in theirs[:3]:
            os.close(fd)
        its.close()
        pid = struct.unpack("!i", await asyncio.to_thread(link.recv, 4))[0]
        link.setblocking(False)
        return Command(pid, link, await _writer(in_write), await _reader(out_read), await _reader(err_read))

    def _ask(self, asked: bytes, fds: list[int]) -> None:
        socket.send_fds(self._link, [_LENGTH.pack(len(asked))], fds)
        self._link.sendall(asked)

    def close(self) -> None:
        """End it; the commands that run go on."""
        self._link.close()
        self._process.wait()


@cache
def forks() -> Forks:
    """The one of these tests."""
    made = Forks()
    atexit.register(made.close)
    return made


async def _reader(fd: int) -> asyncio.StreamReader:
    reader = asyncio.StreamReader()
    await asyncio.get_running_loop().connect_read_pipe(
        lambda: asyncio.StreamReaderProtocol(reader), os.fdopen(fd, "rb", 0)
    )
    return reader


async def _writer(fd: int) -> asyncio.StreamWriter:
    loop = asyncio.get_running_loop()
    made: Any = await loop.connect_write_pipe(asyncio.streams.FlowControlMixin, os.fdopen(fd, "wb", 0))
    transport, protocol = made
    return asyncio.StreamWriter(transport, protocol, None, loop)


def serve(link: socket.socket) -> None:
    """Fork for each command that is asked for, until the tests end."""
    import google.genai  # noqa: F401  (what commands load when they need it)

    import memory.store.migrating  # noqa: F401
    import urmom_bot.__main__
    import urmom_bot.cli  # noqa: F401
    from memory.rules import safety
    from urmom_bot.talk import texts

    texts.prepare()
    safety.prepare()
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    while True:
        head, fds, _, _ = socket.recv_fds(link, _LENGTH.size, 4)
        if not head:
            return
        asked = b""
        while len(asked) < _LENGTH.unpack(head)[0]:
            asked += link.recv(65_536)
        arguments, environment, cwd = json.loads(asked)
        if os.fork() == 0:  # a second one has the first wait for it, and this one go on
            link.close()
            _watch(fds, arguments, environment, cwd)
        for fd in fds:
            os.close(fd)
        with suppress(ChildProcessError):
            while os.waitpid(-1, os.WNOHANG)[0]:
                pass


def _watch(fds: list[int], arguments: list[str], environment: dict[str, str], cwd: str) -> None:
    pid = os.fork()
    if pid == 0:
        os.close(fds[3])
        _become(fds, arguments, environment, cwd)
    for fd in fds[:3]:
        os.close(fd)
    told = socket.socket(fileno=fds[3])
    with suppress(OSError):  # nobody may be there any more
        told.sendall(struct.pack("!i", pid))
    status = os.waitpid(pid, 0)[1]
    with suppress(OSError):
        told.sendall(struct.pack("!i", status))
    os._exit(0)


def _become(fds: list[int], arguments: list[str], environment: dict[str, str], cwd: str) -> None:
    """Be a command: what it leaves behind is written out before the process ends."""
    import random

    import aiohttp.connector

    from urmom_bot.__main__ import main

    signal.signal(signal.SIGINT, signal.default_int_handler)
    os.setsid()
    for here, fd in enumerate(fds[:3]):
        os.dup2(fd, here)
        os.close(fd)
    os.environ.clear()
    os.environ.update(environment)
    os.chdir(cwd)
    random.seed()
    if trust := environment.get("SSL_CERT_FILE"):  # which is read when it is loaded
        aiohttp.connector._SSL_CONTEXT_VERIFIED.load_verify_locations(trust)
    sys.argv = ["urmom-bot", *arguments]
    code = 1
    try:
        main()
        code = 0
    except SystemExit as ended:
        code = ended.code if isinstance(ended.code, int) else int(ended.code is not None)
        if isinstance(ended.code, str):
            print(ended.code, file=sys.stderr)
    except BaseException:
        import traceback

        traceback.print_exc()
    finally:
        with suppress(OSError, ValueError):
            sys.stdout.flush()
            sys.stderr.flush()
        os._exit(code)


if __name__ == "__main__":
    serve(socket.socket(fileno=int(sys.argv[1])))
