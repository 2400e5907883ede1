"""What both stand-ins need of a web server."""

from __future__ import annotations

import json
import ssl
from typing import Any

from aiohttp import web


def json_response(body: Any, status: int = 200, headers: dict[str, str] | None = None) -> web.Response:
    """JSON with exactly the content type that clients of Discord look for."""
    return web.Response(
        body=json.dumps(body).encode(),
        status=status,
        headers={"Content-Type": "application/json", **(headers or {})},
    )


async def serve(app: web.Application, port: int = 0, tls: ssl.SSLContext | None = None) -> tuple[web.AppRunner, int]:
    """Serve `app` on loopback; returns what to clean up and the port."""
    runner = web.AppRunner(app, access_log=None, handle_signals=False, shutdown_timeout=1.0)
    await runner.setup()
    site = web.TCPSite(runner, "127.0.0.1", port, ssl_context=tls)
    await site.start()
    found: int = runner.addresses[0][1]
    return runner, found
