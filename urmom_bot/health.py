"""Whether the process lives and is ready, and its metrics, on loopback: for a supervisor and for Prometheus."""

from __future__ import annotations

import json
import logging
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from dataclasses import asdict, dataclass

from aiohttp import web

log = logging.getLogger(__name__)

MAX_WRITE_WAIT = 10.0
"""Seconds that a write may wait before the process counts as not ready."""


@dataclass(frozen=True, kw_only=True)
class Readiness:
    """What readiness rests on."""

    shards: int
    """Shards that this process runs."""
    connected: int
    """Of these, the ones that are connected."""
    has_database: bool
    pending: int
    """Writes that wait."""
    write_lag: float
    """Seconds that the oldest of them waits."""
    failing: tuple[str, ...] = ()
    """Background work that keeps failing."""
    catching_up: int = 0
    """Channels that are still to be read; that keeps nobody from being answered."""

    @property
    def problems(self) -> list[str]:
        """What keeps the process from being ready."""
        found = []
        if self.connected < self.shards or not self.shards:
            found.append(f"gateway: {self.connected} of {self.shards} shards are connected")
        if not self.has_database:
            found.append("database: no answer")
        if self.write_lag > MAX_WRITE_WAIT:
            found.append(f"writes: the oldest has waited for {self.write_lag:.0f} s")
        return [*found, *(f"loop: {name} keeps failing" for name in self.failing)]


@asynccontextmanager
async def serving(
    port: int, readiness: Callable[[], Awaitable[Readiness]], metrics: Callable[[], bytes]
) -> AsyncIterator[int]:
    """Answer /live, /ready and /metrics on loopback; yields the port, 0 where it is another's."""

    async def live(_: web.Request) -> web.Response:
        return web.Response(text="live\n")

    async def ready(_: web.Request) -> web.Response:
        found = await readiness()
        body = {"ready": not found.problems, "problems": found.problems, **asdict(found)}
        return web.Response(
            text=json.dumps(body), content_type="application/json", status=200 if not found.problems else 503
        )

    async def measured(_: web.Request) -> web.Response:
        return web.Response(body=metrics(), content_type="text/plain", charset="utf-8")

    app = web.Application()
    app.router.add_get("/live", live)
    app.router.add_get("/ready", ready)
    app.router.add_get("/metrics", measured)
    runner = web.AppRunner(app, access_log=None, handle_signals=False, shutdown_timeout=1.0)
    await runner.setup()
    try:
        try:
            await web.TCPSite(runner, "127.0.0.1", port).start()
            bound: int = runner.addresses[0][1]
        except OSError as taken:
            log.warning(
                "cannot use HEALTH_PORT %d (%s): health checks and metrics are off", port, taken.strerror or taken
            )
            bound = 0
        yield bound
    finally:
        await runner.cleanup()
