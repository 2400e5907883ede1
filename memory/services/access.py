"""Who may open a page in a browser: links that work once, and the sessions that they open."""

from __future__ import annotations

import re
import secrets
from dataclasses import dataclass, replace
from datetime import timedelta
from hashlib import sha256

from memory.core import Core
from memory.ids import GuildId, UserId
from memory.permissions import Viewer, require
from memory.records import PageAccess

LINK_LIFE = timedelta(minutes=10)
"""How long a link works. It works once."""

SESSION_LIFE = timedelta(hours=12)
"""How long a session lasts at the most."""

TOKEN_BYTES = 32
"""Bytes of a link's secret, and of a session's."""


@dataclass(frozen=True)
class AccessService:
    """Links and sessions. The database has only their hashes. May raise DatabaseUnavailable."""

    _core: Core

    async def make_link(self, viewer: Viewer, language: str) -> str:
        """Make the secret of a link to the viewer's own page, for use once within ten minutes.

        Raises NotAllowed if the viewer is nobody in particular, and GuildErased.
        """
        require(viewer.is_member or viewer.is_operator)
        token = _secret(viewer.guild_id)
        expires_at = self._core.clock() + LINK_LIFE
        access = PageAccess(guild_id=viewer.guild_id, user_id=viewer.user_id, language=language, expires_at=expires_at)
        await self._core.store.access.add(_hash(token), access, "link")
        return token

    async def check_link(self, token: str) -> PageAccess | None:
        """What a link opens, without using it. None if it is unknown, used or expired."""
        return await self._get(token, "link")

    async def use_link(self, token: str) -> tuple[str, PageAccess] | None:
        """Use a link: the secret of a new session, and what it opens. None if the link does not work."""
        guild_id, now = _guild_in(token), self._core.clock()
        if guild_id is None:
            return None
        session = _secret(guild_id)
        until = now + SESSION_LIFE
        access = await self._core.store.access.exchange(guild_id, _hash(token), _hash(session), until, now)
        return None if access is None else (session, access)

    async def session(self, session: str) -> PageAccess | None:
        """What a session opens. None if it is unknown, or has ended."""
        return await self._get(session, "session")

    async def _get(self, secret: str, kind: str) -> PageAccess | None:
        guild_id = _guild_in(secret)
        if guild_id is None:
            return None
        return await self._core.store.access.get(guild_id, _hash(secret), kind, self._core.clock())

    async def reopen(self, session: str, access: PageAccess) -> None:
        """Let a session that ended with what its member erased last ten more minutes, for Undo."""
        expires_at = self._core.clock() + LINK_LIFE
        again = replace(access, expires_at=min(access.expires_at, expires_at))
        await self._core.store.access.add(_hash(session), again, "session")

    async def end(self, session: str) -> None:
        """End one session."""
        guild_id = _guild_in(session)
        if guild_id is not None:
            await self._core.store.access.end(guild_id, _hash(session))

    async def end_all(self, guild_id: GuildId, user_id: UserId) -> int:
        """End all sessions of a member, and let their links work no more. Returns how many there were."""
        return await self._core.store.access.end_all(guild_id, user_id)


_SECRET = re.compile(r"(\d{1,19})\.[\w-]{43}", re.ASCII)


def _secret(guild_id: GuildId) -> str:
    """A new secret, which says in which guild it is looked for."""
    return f"{guild_id}.{secrets.token_urlsafe(TOKEN_BYTES)}"


def _guild_in(secret: str) -> GuildId | None:
    """The guild that a secret is of; None for what cannot be one."""
    found = _SECRET.fullmatch(secret)
    return GuildId(int(found[1])) if found is not None and int(found[1]) < 1 << 63 else None


def _hash(secret: str) -> bytes:
    """What is stored of a secret. It has 256 random bits, so nobody can guess it from this."""
    return sha256(secret.encode()).digest()
