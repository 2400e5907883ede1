"""The pictures of pages in the README and the guides: `python -m tests.urmom_bot.page.pictures docs/pictures`."""

from __future__ import annotations

import asyncio
import io
import shutil
import sys
from pathlib import Path

from playwright.async_api import async_playwright
from rich.console import Console

from urmom_bot.cli.demo import MANAGER, Stage, pages_of, play

CHROMIUM = shutil.which("chromium")

SHOWN = {"page-me": (MANAGER, "/me", 560), "page-server": (MANAGER, "/server", 900)}
"""Pictures by their names: whose page, which one, and how much of it, in pixels."""


async def drawn_into(folder: Path) -> None:
    """Draw the pictures of the pages of the demo's people into a folder."""

    async def draw(stage: Stage) -> None:
        async with pages_of(stage) as link, async_playwright() as playwright:
            browser = await playwright.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox"])
            for name, (who, path, height) in SHOWN.items():
                context = await browser.new_context(viewport={"width": 1_120, "height": height}, color_scheme="light")
                page = await context.new_page()
                address = await link(who)
                await page.goto(address)
                await page.get_by_role("button").click()
                await page.goto(address.partition("/open/")[0] + path)
                await page.screenshot(path=folder / f"{name}.png")
            await browser.close()

    await play(Console(file=io.StringIO()), only=0, then=draw)


if __name__ == "__main__":
    asyncio.run(drawn_into(Path(sys.argv[1])))
