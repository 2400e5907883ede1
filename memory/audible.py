"""Which audiences' words each audience may be told, cached for each guild until it changes."""

from __future__ import annotations

from collections.abc import Mapping

from cachetools import LRUCache

from memory.generations import Cached, Generations
from memory.records import EVERYONE
from memory.rules.audiences import CLASSES
from memory.store import Store


class Audible:
    """Answers which audiences' words each audience may be told, and which role counts as everyone."""

    def __init__(self, store: Store, generations: Generations) -> None:
        self._store = store
        self._generations = generations
        self._known: Cached[tuple[int | None, dict[int, frozenset[int]]]] = generations.cache(LRUCache(10_000))
        self._restricted: Cached[Mapping[int, int]] = generations.cache(LRUCache(10_000))

    async def _of(self, guild_id: int) -> tuple[int | None, dict[int, frozenset[int]]]:
        if (known := self._known.get(guild_id)) is not None:
            return known
        generation = self._generations.of(guild_id)
        found = await self._store.channels.audible(guild_id)
        self._known.put(generation, found, guild_id)
        return found

    async def base_role(self, guild_id: int) -> int | None:
        """The role that every member has once they are let in, where the guild has named one."""
        return (await self._of(guild_id))[0]

    async def restricted(self, guild_id: int) -> Mapping[int, int]:
        """The audience of each channel that not everyone can read."""
        if (known := self._restricted.get(guild_id)) is not None:
            return known
        generation = self._generations.of(guild_id)
        channels = await self._store.channels.list(guild_id)
        found = {c.channel_id: c.audience for c in channels.values() if c.audience != EVERYONE}
        self._restricted.put(generation, found, guild_id)
        return found

    async def audible_in(self, guild_id: int, audience: int) -> tuple[int, ...]:
        """The audiences whose words may be told to the readers of `audience`; for an unknown one, the safe few."""
        base_role, hears = await self._of(guild_id)
        if (known := hears.get(audience)) is not None:
            return tuple(sorted(known))
        if audience == EVERYONE or audience >= CLASSES or base_role is not None:
            return (audience,)
        return (EVERYONE, audience)
