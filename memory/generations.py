"""A guild's generation: a counter that moves when its past changes, so that what was cached before is dropped."""

from __future__ import annotations

from collections import Counter
from typing import Any, Generic, TypeVar

from cachetools import Cache

V = TypeVar("V")


class Generations:
    """One counter a guild, for everything that caches."""

    def __init__(self) -> None:
        self._moved: Counter[int] = Counter()
        self._caches: list[Cache[tuple[object, ...], Any]] = []

    def cache(self, cache: Cache[tuple[object, ...], V]) -> Cached[V]:
        """A cache whose entries are dropped when their guild's generation moves. Keys begin with the guild."""
        self._caches.append(cache)
        return Cached(cache, self)

    def of(self, guild_id: int) -> int:
        """A guild's current generation; it moves when something is deleted, edited, forgotten or closed."""
        return self._moved[0] + self._moved[guild_id]

    def move(self, guild_id: int) -> None:
        """The past of a guild changed; of every guild for 0."""
        self._moved[guild_id] += 1
        for cache in self._caches:
            for key in [key for key in list(cache) if guild_id in (0, key[0])]:
                cache.pop(key, None)


class Cached(Generic[V]):
    """A cache whose entries are valid in the generation they were made in. `Generations.cache` makes one."""

    def __init__(self, cache: Cache[tuple[object, ...], V], generations: Generations) -> None:
        self._cache = cache
        self._generations = generations

    def get(self, guild_id: int, *key: object) -> V | None:
        """What is cached, or None."""
        return self._cache.get((guild_id, *key))

    def put(self, generation: int, value: V, guild_id: int, *key: object) -> None:
        """Cache a value that was made in a generation, if that is still the current one."""
        if generation == self._generations.of(guild_id):
            self._cache[guild_id, *key] = value
