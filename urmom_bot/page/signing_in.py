"""Signing in with a Discord account, where whoever runs the bot set a client secret: OAuth2, for who somebody is alone.

Discord's answer says a member's id and nothing else. Its token is given back at once, and stored nowhere.
"""

from __future__ import annotations

import hmac
import secrets
from base64 import b64encode, urlsafe_b64encode
from collections.abc import Callable
from dataclasses import dataclass, field
from hashlib import sha256
from urllib.parse import urlencode

import aiohttp
from cachetools import TTLCache

from memory.ids import UserId
from urmom_bot.flow.platform import Refused, TryLater

DISCORD = "https://discord.com"
AUTHORIZE, API = f"{DISCORD}/oauth2/authorize", f"{DISCORD}/api/v10"

CALLBACK = "/sign-in/callback"
"""Where Discord sends a browser back to: the redirect address that is set up there."""

ATTEMPT_LIFE = 600
"""Seconds that somebody has to sign in."""

TIMEOUT = aiohttp.ClientTimeout(total=10)


@dataclass(frozen=True)
class SignInAttempt:
    """One try to sign in: what its browser keeps in a cookie until Discord sends it back."""

    state: str
    verifier: str

    @classmethod
    def begin(cls) -> SignInAttempt:
        """A new one, that nobody can guess."""
        return cls(secrets.token_urlsafe(32), secrets.token_urlsafe(48))

    @classmethod
    def from_cookie(cls, cookie: str) -> SignInAttempt | None:
        """The one of a cookie; None where it has none."""
        state, _, verifier = cookie.partition(".")
        return cls(state, verifier) if state and verifier else None

    @property
    def cookie(self) -> str:
        """What the browser keeps."""
        return f"{self.state}.{self.verifier}"


@dataclass
class DiscordSignIn:
    """Asks Discord who somebody is. `connector` is the bot's own, so that a proxy or a stand-in holds for it too."""

    application_id: Callable[[], int | None]
    """The bot's own id at Discord, once it is logged in."""
    secret: str
    connector: Callable[[], aiohttp.BaseConnector]
    proxy: str | None = None
    _used: TTLCache[str, bool] = field(default_factory=lambda: TTLCache[str, bool](10_000, ttl=ATTEMPT_LIFE))

    @property
    def client_id(self) -> str:
        """What Discord calls the application. Raises TryLater until the bot is logged in."""
        if (found := self.application_id()) is None:
            raise TryLater("not logged in")
        return str(found)

    def url(self, attempt: SignInAttempt, address: str) -> str:
        """Where somebody says at Discord that it is them, to be sent back to the pages at `address`."""
        challenge = urlsafe_b64encode(sha256(attempt.verifier.encode()).digest()).rstrip(b"=").decode()
        return f"{AUTHORIZE}?" + urlencode(
            {
                "client_id": self.client_id,
                "response_type": "code",
                "scope": "identify",
                "redirect_uri": address + CALLBACK,
                "state": attempt.state,
                "code_challenge": challenge,
                "code_challenge_method": "S256",
                "prompt": "none",
            }
        )

    def accepts(self, attempt: SignInAttempt, state: str, issuer: str) -> bool:
        """Whether Discord sent back the browser that began an attempt, for the first time."""
        if not hmac.compare_digest(attempt.state.encode(), state.encode()) or state in self._used:
            return False
        self._used[state] = True
        return issuer in ("", DISCORD)

    async def user_id(self, code: str, attempt: SignInAttempt, address: str) -> UserId:
        """Who somebody is. Raises Refused where Discord does not say, and TryLater where it is away."""
        own = {"Authorization": f"Basic {b64encode(f'{self.client_id}:{self.secret}'.encode()).decode()}"}
        form = {
            "grant_type": "authorization_code",
            "code": code,
            "redirect_uri": address + CALLBACK,
            "code_verifier": attempt.verifier,
        }
        try:
            connector = self.connector()
            async with aiohttp.ClientSession(connector=connector, connector_owner=False, timeout=TIMEOUT) as http:
                async with http.post(f"{API}/oauth2/token", data=form, headers=own, proxy=self.proxy) as answer:
                    token = str((await _read(answer))["access_token"])
                headers = {"Authorization": f"Bearer {token}"}
                async with http.get(f"{API}/users/@me", headers=headers, proxy=self.proxy) as answer:
                    found = UserId(int(str((await _read(answer))["id"])))
                revoked = f"{API}/oauth2/token/revoke"
                async with http.post(revoked, data={"token": token}, headers=own, proxy=self.proxy):
                    return found
        except (aiohttp.ClientError, TimeoutError, OSError) as failed:
            raise TryLater(type(failed).__name__) from failed
        except (KeyError, TypeError, ValueError) as unreadable:
            raise Refused("Discord's answer cannot be read") from unreadable


async def _read(answer: aiohttp.ClientResponse) -> dict[str, object]:
    """What Discord answered. Raises Refused and TryLater."""
    if answer.status >= 500 or answer.status == 429:
        raise TryLater(f"Discord answered {answer.status}")
    if answer.status != 200:
        raise Refused(f"Discord answered {answer.status}")
    found = await answer.json()
    if not isinstance(found, dict):
        raise Refused("Discord's answer cannot be read")
    return found
