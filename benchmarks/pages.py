"""Members' pages: `python -m benchmarks.pages [--messages 1000000] [--json]`.

A member with 40 facts in a server of 10,000 members. Milliseconds of a request (median and slowest of 20, over HTTP, in
one process with the client), statements, and kilobytes of the first visit, compressed. Then 200 open pages of as many
members, for half a minute each: when nothing happens, and when a fact is told every ten seconds, whereupon each loads
anew. The browsers are a process of their own; the share of a core is that of the bot, and of the stand-in for Discord,
which it asks for each visitor's rights.
"""

from __future__ import annotations

import argparse
import asyncio
import gzip
import multiprocessing
import statistics
import tempfile
import time
from collections.abc import AsyncIterator, Sequence
from contextlib import AsyncExitStack, asynccontextmanager
from pathlib import Path

import aiohttp
import pytest

from benchmarks.figures import tell
from benchmarks.guild import GUILD, NOW, fill
from memory import Member, Statement, Viewer
from tests.statements import watch
from urmom_bot.app import App, database, open_app
from urmom_bot.config import Settings
from urmom_bot.page import guarding
from urmom_bot.stand_ins import DiscordStandIn, GeminiStandIn, Guild, User, World, extractive, online
from urmom_bot.stand_ins.world import MANAGE_GUILD, READ_MESSAGE_HISTORY

FACTS, TIMES, OPEN, SECONDS = 40, 20, 200, 30
THINGS = ["cello", "bees", "kayak", "loom", "kiln", "sextant", "violin", "anvil", "telescope", "printer"]
PATHS = ("/me", "/me/days", "/me/answers", "/me/conclusions", "/me/changes", "/me/models", "/people", "/topics")
MANAGERS = ("/server", "/server/audit")


async def taught(app: App) -> None:
    """Have 40 facts remembered about the first member, a quarter of them by others."""
    viewer = Viewer(guild_id=GUILD, user_id=1)
    ann = Member(guild_id=GUILD, user_id=1, display_name="person1", username="person1")
    for n in range(FACTS):
        words = f"my shed number {n} has a {THINGS[n % len(THINGS)]}"
        message_id = (int(NOW.timestamp() * 1000) - 1_420_070_400_000 - 60_000 + n) << 22
        statement = Statement(guild_id=GUILD, user_id=1, stated_by=1, quote=words, channel_id=7, message_id=message_id)
        await app.memory.facts.remember(viewer, statement, subject=ann, author=ann)


@asynccontextmanager
async def visiting(app: App, address: str, user_id: int) -> AsyncIterator[aiohttp.ClientSession]:
    """A member's browser, signed in."""
    token = await app.memory.access.make_link(Viewer(guild_id=GUILD, user_id=user_id, is_alone=True), "en")
    async with opened(address, token) as http:
        yield http


@asynccontextmanager
async def opened(address: str, token: str) -> AsyncIterator[aiohttp.ClientSession]:
    """The browser of whoever has a link."""
    async with aiohttp.ClientSession(address, cookie_jar=aiohttp.CookieJar(unsafe=True)) as http:
        async with http.post(f"/open/{token}", headers={"Origin": address}) as answer:
            assert answer.status == 200, await answer.text()
        yield http


def browse(address: str, tokens: Sequence[str]) -> None:
    """Keep pages open, and load each anew at each change, as its script does; a process of its own, until it ends."""

    async def listened(http: aiohttp.ClientSession) -> None:
        async with http.get("/events", timeout=aiohttp.ClientTimeout(total=None)) as stream:
            async for line in stream.content:
                if line.startswith(b"event: changed"):
                    async with http.get("/me") as answer:
                        await answer.read()

    async def browsers() -> None:
        async with AsyncExitStack() as stack:
            found = [await stack.enter_async_context(opened(address, token)) for token in tokens]
            await asyncio.gather(*map(listened, found))

    asyncio.run(browsers())


async def core_share(app: App, address: str, *, changes: bool) -> float:
    """How much of a core 200 open pages take of the bot's process, in percent."""
    viewers = [Viewer(guild_id=GUILD, user_id=n, is_alone=True) for n in range(1, OPEN + 1)]
    tokens = [await app.memory.access.make_link(viewer, "en") for viewer in viewers]
    process = multiprocessing.get_context("spawn").Process(target=browse, args=(address, tokens), daemon=True)
    process.start()
    try:
        await asyncio.sleep(15)
        began, spent = time.monotonic(), time.process_time()
        facts = await app.memory.facts.list(viewers[0], 1)
        for n in range(SECONDS // 10):
            if changes:
                await app.memory.facts.confirm(viewers[0], facts[n].fact_id)
            await asyncio.sleep(10)
        share = 100 * (time.process_time() - spent) / (time.monotonic() - began)
        assert process.is_alive(), "the browsers ended"
    finally:
        process.kill()
        process.join()
    return round(share, 1)


async def measure(members: int, messages: int) -> dict[str, float]:
    statements: list[str] = []
    patch = pytest.MonkeyPatch()
    watch(patch, statements.append)
    patch.setattr(guarding.Limit, "allows", lambda _limit, _who: True)
    gemini = GeminiStandIn(extractive)
    await gemini.start()
    result: dict[str, float] = {"members": members, "messages": messages}
    async with AsyncExitStack() as stack:
        folder = stack.enter_context(tempfile.TemporaryDirectory())
        settings = Settings(_env_file=None, data_dir=Path(folder), database_url=None).on_stand_in(gemini.url)
        dsn = await stack.enter_async_context(database(settings))
        await fill(dsn, members, messages)
        app = await stack.enter_async_context(open_app(settings, clock=lambda: NOW, dsn=dsn))
        await taught(app)
        discord = DiscordStandIn(World(lambda: NOW))
        await discord.start()
        stack.push_async_callback(discord.close)
        guild = discord.world.guilds.setdefault(GUILD, Guild(GUILD, "a large server"))
        guild.everyone &= ~READ_MESSAGE_HISTORY  # the talk is in the database alone, and not to be taken for deleted
        guild.roles[99] = MANAGE_GUILD
        guild.member_roles[1] = [99]
        for n in range(1, OPEN + 1):
            guild.members[n] = discord.world.users[n] = User(n, f"person{n}")
        discord.channel(guild, "talk", channel_id=7)
        bot = app.bot(connector=discord.connector(), guild_ready_timeout=0.05)
        await stack.enter_async_context(online(bot, discord))
        await app.memory.loops.stop()
        address = await stack.enter_async_context(app.pages(bot, port=0))
        async with visiting(app, address, 1) as http:
            for path in (*PATHS, *MANAGERS):
                times = []
                for _ in range(TIMES):
                    statements.clear()
                    began = time.perf_counter()
                    async with http.get(path) as answer:
                        body = await answer.read()
                        assert answer.status == 200, (path, answer.status)
                    times.append((time.perf_counter() - began) * 1_000)
                name = path.strip("/").replace("/", "_")
                result[f"{name}_ms"] = round(statistics.median(times), 1)
                result[f"{name}_slowest_ms"] = round(max(times), 1)
                result[f"{name}_statements"] = len(statements)
                if path == "/me":
                    files = [body]
                    for file in ("page.css", "htmx.min.js", "hx-sse.min.js"):
                        async with http.get(f"/static/{file}") as answer:
                            files.append(await answer.read())
                    result["first_visit_kb"] = round(sum(len(gzip.compress(one)) for one in files) / 1_024, 1)
        result["open_pages_core_percent"] = await core_share(app, address, changes=False)
        result["open_pages_changing_core_percent"] = await core_share(app, address, changes=True)
    await gemini.close()
    patch.undo()
    return result


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--members", type=int, default=10_000)
    parser.add_argument("--messages", type=int, default=1_000_000)
    parser.add_argument("--json", action="store_true")
    chosen = parser.parse_args()
    tell("pages", asyncio.run(measure(chosen.members, chosen.messages)), as_json=chosen.json)


if __name__ == "__main__":
    main()
