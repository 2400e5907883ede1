"""Serves the pages for as long as the bot runs."""

from __future__ import annotations

import logging
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from aiohttp import web

from urmom_bot.page.site import Site

log = logging.getLogger(__name__)


@asynccontextmanager
async def serving(site: Site, host: str, port: int, address: str = "") -> AsyncIterator[str]:
    """Serve `site`; yields where it is reached: `address`, else this machine. Empty where the port is another's.

    Port 0 takes any that is free.
    """
    quiet = logging.getLogger("urmom_bot.page.http")
    quiet.setLevel(logging.CRITICAL)  # aiohttp logs lines of requests that it cannot read: they may have secrets
    runner = web.AppRunner(
        site.application(), access_log=None, handle_signals=False, shutdown_timeout=1.0, logger=quiet
    )
    await runner.setup()
    try:
        try:
            await web.TCPSite(runner, host, port).start()
            site.address = address or f"http://127.0.0.1:{runner.addresses[0][1]}"
        except OSError as taken:
            log.warning("cannot use PAGE_PORT %d (%s): pages are off", port, taken.strerror or taken)
            site.address = ""
        yield site.address
    finally:
        await runner.cleanup()
