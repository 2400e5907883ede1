"""Members' pages over HTTP, against the real bot: signed in by a link from Discord, shown and changed as on panels."""

from __future__ import annotations

from collections.abc import AsyncIterator

import pytest

from tests.builders import Clock, Opener, Server, served
from tests.urmom_bot.page.browser import browsing, link_for, signed_in
from urmom_bot.stand_ins import GeminiStandIn


@pytest.fixture
async def discord(opened: Opener, gemini: GeminiStandIn, clock: Clock) -> AsyncIterator[Server]:
    async with served(opened, gemini, clock) as found:
        yield found


@pytest.fixture
async def address(discord: Server) -> AsyncIterator[str]:
    async with discord.app.pages(discord.bot, port=0) as found:
        yield found


async def test_a_link_opens_the_askers_page(discord: Server, address: str) -> None:
    """Once, and only by the button: who follows it without pressing opens nothing."""
    ann = discord.discord.join(discord.guild, "ann")
    await discord.ask(ann, "Bot remember that I play the cello")
    link = await link_for(discord, ann)
    async with browsing(address) as browser:
        await browser.get(link)
        assert "Open my page" in browser.text
        assert "ann" in browser.text
        await browser.get("/me")
        assert browser.status == 401
        await browser.post(link, {})
        assert browser.path == "/me"
        assert "plays the cello" in browser.text or "play the cello" in browser.text
        print(browser.body)
    async with browsing(address) as other:
        await other.post(link, {})
        assert other.status == 404


async def test_every_page_opens(discord: Server, address: str) -> None:
    ann = discord.discord.join(discord.guild, "ann")
    await discord.ask(ann, "Bot remember that I play the cello")
    async with signed_in(discord, address, ann) as browser:
        for path in (
            "/me",
            "/me/days",
            "/me/answers",
            "/me/changes",
            "/me/models",
            "/people",
            "/topics",
            "/search",
            "/privacy",
        ):
            await browser.get(path)
            assert browser.status == 200, (path, browser.text)
        await browser.get("/server")
        assert browser.status == 404
