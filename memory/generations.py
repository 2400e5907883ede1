"""A guild's generation: a counter that moves when its past changes, so that what was cached before is dropped."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable
from typing import Any, Generic, TypeVar

from cachetools import Cache

from memory.ids import ALL_GUILDS, GuildId

V = TypeVar("V")


class Generations:
    """One counter a guild, for everything that caches."""

    def __init__(self) -> None:
        self._moved: Counter[GuildId] = Counter()
        self._caches: list[Cached[Any]] = []
        self._watchers: list[Callable[[GuildId], None]] = []

    def cache(self, cache: Cache[tuple[object, ...], V]) -> Cached[V]:
        """A cache whose entries are dropped when their guild's generation moves. Keys begin with the guild."""
        made = Cached(cache, self)
        self._caches.append(made)
        return made

    def current(self, guild_id: GuildId) -> int:
        """A guild's current generation; it moves when something is deleted, edited, forgotten or closed."""
        return self._moved[ALL_GUILDS] + self._moved[guild_id]

    def move(self, guild_id: GuildId) -> None:
        """The past of a guild changed; of every guild for 0."""
        self._moved[guild_id] += 1
        for cache in self._caches:
            cache.drop(guild_id)
        for changed in self._watchers:
            changed(guild_id)

    def watch(self, changed: Callable[[GuildId], None]) -> None:
        """Call `changed` with each guild whose past changes; with 0 for every guild."""
        self._watchers.append(changed)


class Cached(Generic[V]):
    """A cache whose entries are valid in the generation they were made in. `Generations.cache` makes one."""

    def __init__(self, cache: Cache[tuple[object, ...], V], generations: Generations) -> None:
        self._cache = cache
        self._generations = generations
        self._keys: defaultdict[int, set[tuple[object, ...]]] = defaultdict(set)
        self._noted = 0

    def get(self, guild_id: GuildId, *key: object) -> V | None:
        """What is cached, or None."""
        return self._cache.get((guild_id, *key))

    def save_if_current(self, generation: int, value: V, guild_id: GuildId, *key: object) -> None:
        """Cache a value that was made in a generation, if that is still the current one."""
        if generation != self._generations.current(guild_id):
            return
        self._cache[guild_id, *key] = value
        self._keys[guild_id].add((guild_id, *key))
        self._noted += 1
        if self._noted > 2 * len(self._cache) + 1_000:  # the cache lets entries go by itself
            self._keys.clear()
            for known in self._cache:
                self._keys[known[0]].add(known)  # type: ignore[index]
            self._noted = len(self._cache)

    def drop(self, guild_id: GuildId) -> None:
        """Let go of what is cached of a guild; of everything for 0."""
        if guild_id == 0:
            self._cache.clear()
            self._keys.clear()
        for key in self._keys.pop(guild_id, ()):
            self._cache.pop(key, None)
