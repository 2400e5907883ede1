"""What may be heard where, as it stands now: read once for each guild until something changes."""

from __future__ import annotations

from cachetools import LRUCache

from memory.audiences import CLASSES
from memory.records import EVERYONE
from memory.store import Store


class Audible:
    """The audiences that may be heard in another, and the role that counts as everyone."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self._known: LRUCache[int, tuple[int | None, dict[int, frozenset[int]]]] = LRUCache(10_000)
        self._drops = 0

    def drop(self, guild_id: int) -> None:
        """Read anew what holds in a guild, or in all for 0."""
        self._drops += 1
        if guild_id:
            self._known.pop(guild_id, None)
        else:
            self._known.clear()

    async def _of(self, guild_id: int) -> tuple[int | None, dict[int, frozenset[int]]]:
        if (known := self._known.get(guild_id)) is not None:
            return known
        drops = self._drops
        found = await self._store.channels.audible(guild_id)
        if drops == self._drops:
            self._known[guild_id] = found
        return found

    async def base_role(self, guild_id: int) -> int | None:
        """The role that every member has once they are let in, where the guild has named one."""
        return (await self._of(guild_id))[0]

    async def audible_in(self, guild_id: int, audience: int) -> tuple[int, ...]:
        """What may be told where `audience` listens; of one that was never placed, on the safe side."""
        base_role, heard = await self._of(guild_id)
        if (known := heard.get(audience)) is not None:
            return tuple(sorted(known))
        if audience == EVERYONE or audience >= CLASSES or base_role is not None:
            return (audience,)
        return (EVERYONE, audience)
