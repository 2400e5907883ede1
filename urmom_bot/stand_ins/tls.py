"""TLS for the Discord stand-in: a certificate of its own making, and ways to reach it under Discord's names."""

from __future__ import annotations

import asyncio
import socket
import ssl
from contextlib import suppress
from pathlib import Path

import aiohttp
import trustme
from aiohttp.abc import AbstractResolver, ResolveResult

NAMES = ("discord.com", "gateway.discord.gg", "cdn.discordapp.com")


def make_certificate(folder: Path) -> Path:
    """Write a certificate for Discord's names with its key into `folder`; returns the file to trust."""
    authority = trustme.CA(organization_name="urmom-bot stand-in")
    authority.cert_pem.write_to_path(folder / "trust.pem")
    (folder / "server.pem").touch(mode=0o600)
    authority.issue_cert(*NAMES).private_key_and_cert_chain_pem.write_to_path(folder / "server.pem")
    return folder / "trust.pem"


def server_context(folder: Path) -> ssl.SSLContext:
    """TLS for the server, with the certificate in `folder`."""
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(folder / "server.pem")
    return context


class _Everywhere(AbstractResolver):
    """Resolves every name to one port on loopback."""

    def __init__(self, port: int) -> None:
        self._port = port

    async def resolve(
        self, host: str, port: int = 0, family: socket.AddressFamily = socket.AF_INET
    ) -> list[ResolveResult]:
        return [
            ResolveResult(
                hostname=host,
                host="127.0.0.1",
                port=self._port,
                family=socket.AF_INET,
                proto=0,
                flags=socket.AI_NUMERICHOST,
            )
        ]

    async def close(self) -> None:
        """Nothing is open."""


def connector(port: int, trust: Path) -> aiohttp.TCPConnector:
    """A connector for one client, to which every name is the server on `port`."""
    context = ssl.create_default_context(cafile=str(trust))
    return aiohttp.TCPConnector(resolver=_Everywhere(port), ssl=context, family=socket.AF_INET)


class Proxy:
    """An HTTP CONNECT proxy that leads to the server whatever is asked for, for bots in their own process."""

    def __init__(self, port: int) -> None:
        self._port = port
        self._server: asyncio.Server | None = None
        self.url = ""

    async def start(self) -> None:
        """Listen on loopback."""
        self._server = await asyncio.start_server(self._serve, "127.0.0.1", 0)
        self.url = f"http://127.0.0.1:{self._server.sockets[0].getsockname()[1]}"

    async def close(self) -> None:
        """Stop listening."""
        if self._server is not None:
            self._server.close()

    async def _serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        with suppress(OSError, asyncio.IncompleteReadError, asyncio.CancelledError):
            await reader.readuntil(b"\r\n\r\n")
            onward_reader, onward_writer = await asyncio.open_connection("127.0.0.1", self._port)
            writer.write(b"HTTP/1.1 200 Connection established\r\n\r\n")
            await asyncio.gather(_pipe(reader, onward_writer), _pipe(onward_reader, writer))
        writer.close()


async def _pipe(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    with suppress(OSError, asyncio.CancelledError):
        while data := await reader.read(65_536):
            writer.write(data)
            await writer.drain()
    writer.close()
