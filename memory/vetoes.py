"""What must not be told in each guild, as it stands now."""

from __future__ import annotations

import re
import secrets
from collections.abc import Mapping

from cachetools import LRUCache

from memory.marks import Marker, Veto
from memory.records import Member
from memory.store import Store

KEY = "marks_key"
"""The name under which the key of the digests is kept."""


class Vetoes:
    """Suppressions and opted-out members, read once until they change."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self._marker: Marker | None = None
        self._known: LRUCache[int, Veto] = LRUCache(1_000)
        self._drops = 0

    def drop(self, guild_id: int) -> None:
        """Read anew what holds in a guild, or in all for 0."""
        self._drops += 1
        if guild_id:
            self._known.pop(guild_id, None)
        else:
            self._known.clear()

    async def marker(self) -> Marker:
        """The maker of digests, under the key of this database. Raises DatabaseUnavailable."""
        if self._marker is None:
            key = await self._store.people.secret(KEY, secrets.token_hex(32))
            self._marker = Marker(bytes.fromhex(key))
        return self._marker

    async def of(self, guild_id: int) -> Veto:
        """What must not be told in a guild. Raises DatabaseUnavailable."""
        if (known := self._known.get(guild_id)) is not None:
            return known
        drops, marker = self._drops, await self.marker()
        version = await self._store.consents.version(guild_id)
        veto = Veto(
            marker,
            await self._store.consents.suppressions(guild_id),
            await self._store.consents.unnamed(guild_id),
            version,
        )
        if drops == self._drops:
            self._known[guild_id] = veto
        return veto

    async def forgotten_of(self, guild_id: int) -> tuple[Veto, dict[int, Member]]:
        """What must not be told, and the names of those of whom something was forgotten."""
        veto = await self.of(guild_id)
        return veto, await self._store.people.members(guild_id, veto.members) if veto.members else {}


def concerned(text: str, author: int, forgotten_of: Mapping[int, Member]) -> set[int]:
    """Whom a text by or about `author` may tell something of, among those of whom something was forgotten."""
    found = {author}
    if forgotten_of:
        folded = text.casefold()
        for user_id, member in forgotten_of.items():
            named = any(
                n.casefold() in folded and re.search(rf"(?<!\w){re.escape(n.casefold())}(?!\w)", folded)
                for n in member.names
            )
            if named or f"<@{user_id}>" in text or f"<@!{user_id}>" in text:
                found.add(user_id)
    return found
