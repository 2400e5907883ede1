"""Somebody with a browser that runs no script: signs in by the link from Discord, opens pages, presses buttons."""

from __future__ import annotations

import re
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from html import unescape

import aiohttp

from tests.builders import Server
from urmom_bot.stand_ins.world import Channel, User


class Browser:
    """One browser: its cookies, and the page that it shows."""

    def __init__(self, http: aiohttp.ClientSession, address: str) -> None:
        self.http = http
        self.address = address
        self.body = ""
        self.status = 0
        self.headers: Mapping[str, str] = {}
        self.path = "/"

    async def get(self, path: str, **more: object) -> str:
        """Open a page; returns its HTML."""
        async with self.http.get(self.address + path, **more) as answer:  # type: ignore[arg-type]
            return await self._shown(answer)

    async def post(self, path: str, fields: Mapping[str, str], *, origin: str | None = "") -> str:
        """Send a form, as a browser does: with where it comes from."""
        headers = {} if origin is None else {"Origin": origin or self.address}
        async with self.http.post(self.address + path, data=dict(fields), headers=headers) as answer:
            return await self._shown(answer)

    async def _shown(self, answer: aiohttp.ClientResponse) -> str:
        self.body = await answer.text()
        self.status, self.headers, self.path = answer.status, answer.headers, answer.url.path
        return self.body

    @property
    def text(self) -> str:
        """The words of the page."""
        bare = re.sub(r"<(script|style)\b.*?</\1>", " ", self.body, flags=re.DOTALL)
        return " ".join(unescape(re.sub(r"<[^>]+>", " ", bare)).split())

    def buttons(self) -> dict[str, str]:
        """What the page's buttons press, by their labels."""
        found = re.findall(r'<button name="press" value="([^"]*)"[^>]*>(.*?)</button>', self.body, re.DOTALL)
        return {" ".join(unescape(re.sub(r"<[^>]+>", "", label)).split()): unescape(value) for value, label in found}

    async def press(self, label: str, **fields: str) -> str:
        """Press a button of the page, with what a form is filled in with."""
        answers = {f"f.{name}": value for name, value in fields.items()}
        return await self.post(self.path, {"press": self.buttons()[label], **answers})


async def link_for(server: Server, user: User, channel: Channel | None = None, **more: object) -> str:
    """The path of the link that somebody gets in Discord."""
    (sent,) = await server.discord.slash(user, channel or server.general, "memory page", **more)
    found = re.search(r"/open/[\w.-]+", sent.content)
    assert found is not None, sent.content
    return found[0]


@asynccontextmanager
async def browsing(address: str) -> AsyncIterator[Browser]:
    """A fresh browser."""
    async with aiohttp.ClientSession(cookie_jar=aiohttp.CookieJar(unsafe=True)) as http:
        yield Browser(http, address)


@asynccontextmanager
async def signed_in(server: Server, address: str, user: User, **more: object) -> AsyncIterator[Browser]:
    """Somebody's browser, signed in."""
    async with browsing(address) as browser:
        await browser.post(await link_for(server, user, **more), {})
        assert browser.status == 200, browser.text
        yield browser
