"""What keeps every page safe: its headers, whose requests are taken, and how many."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from time import monotonic
from urllib.parse import urlsplit

from aiohttp import web
from cachetools import LRUCache

from urmom_bot.loopback import is_loopback

HEADERS: Mapping[str, str] = {
    "Content-Security-Policy": (
        "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self';"
        " form-action 'self'; frame-ancestors 'none'; base-uri 'none'"
    ),
    "Referrer-Policy": "no-referrer",
    "Cache-Control": "no-store",
    "X-Content-Type-Options": "nosniff",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "X-Frame-Options": "DENY",
    "Server": "urmom-bot",
}
"""Headers of every answer."""

REQUESTS_A_MINUTE = 120
"""Requests of one session in a minute."""

ADDRESS_REQUESTS_A_MINUTE = 600
"""Requests of one address in a minute: many people may be behind it."""

WRONG_LINKS_A_MINUTE = 20
"""Links that do not work, and that one address may try in a minute."""

SIGN_INS_A_MINUTE = 10
"""Browsers that come back from Discord to one address in a minute."""

EXPORTS_A_MINUTE = 3
"""Exports of one member in a minute."""


def is_from_here(request: web.Request, address: str) -> bool:
    """Whether a request that changes something comes from a page of ours, at `address`.

    Browsers say so themselves, by Sec-Fetch-Site and Origin. A program that says neither is refused.
    """
    site, origin = request.headers.get("Sec-Fetch-Site"), request.headers.get("Origin")
    is_own = origin in _origins(address) or (is_here(request) and origin == f"http://{request.host}")
    if site is None:  # a browser from before 2023 says where the form comes from, at least
        return is_own
    return site == "same-origin" and (is_own or origin in (None, "null"))  # without a referrer, Origin is "null"


def is_to_us(request: web.Request, address: str) -> bool:
    """Whether a request names us: another name that leads to this machine is somebody else's trick."""
    return any(request.host == urlsplit(origin).netloc for origin in _origins(address)) or is_here(request)


def is_here(request: web.Request) -> bool:
    """Whether a request was made on this machine, and came through no proxy."""
    host = urlsplit(f"//{request.host}").hostname
    is_direct = not any(name.title().startswith(("X-Forwarded-", "Forwarded")) for name in request.headers)
    return is_direct and is_loopback(request.remote) and is_loopback(host)


def is_readable(request: web.Request) -> bool:
    """Whether what a request brings is encoded as a browser does: other encodings can take seconds to read."""
    return (request.charset or "utf-8").lower() in ("utf-8", "utf8")


def _origins(address: str) -> tuple[str, ...]:
    parts = urlsplit(address)
    own = f"{parts.scheme}://{parts.netloc}"
    if not is_loopback(parts.hostname):
        return (own,)
    port = f":{parts.port}" if parts.port else ""
    return tuple(f"{parts.scheme}://{host}{port}" for host in ("127.0.0.1", "localhost", "[::1]"))


def peer_of(request: web.Request, address: str) -> str:
    """Whose request it is: the address that connects, or the one that a proxy on this machine tells of."""
    peer = request.remote or ""
    told = request.headers.get("X-Forwarded-For", "").rpartition(",")[2].strip()
    is_behind_proxy = is_loopback(peer) and not is_loopback(urlsplit(address).hostname)
    return told if is_behind_proxy and told else peer


@dataclass
class Limit:
    """At most so many of something a minute, for each of many."""

    a_minute: int
    _left: LRUCache[str, tuple[float, float]] = field(default_factory=lambda: LRUCache(10_000))

    def allows(self, who: str) -> bool:
        """Whether one more is within the limit, which it then counts for."""
        now = monotonic()
        left, at = self._left.get(who, (float(self.a_minute), now))
        left = min(float(self.a_minute), left + (now - at) * self.a_minute / 60)
        is_allowed = left >= 1
        self._left[who] = (left - is_allowed, now)
        return is_allowed
