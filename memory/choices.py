"""What members let the bot keep: read once, and kept until something changes in their guild."""

from __future__ import annotations

from collections.abc import Collection

from cachetools import LRUCache

from memory.generations import Cached, Generations
from memory.records import Choice
from memory.store import Store


class Choices:
    """Answers what holds for a member. Whoever stores anything checks it again in its transaction."""

    def __init__(self, store: Store, generations: Generations) -> None:
        self._store = store
        self._generations = generations
        self._known: Cached[Choice] = generations.cache(LRUCache(50_000))

    async def get(self, guild_id: int, user_ids: Collection[int]) -> dict[int, Choice]:
        """The choices of members that hold in a guild, or everywhere for guild 0. Raises DatabaseUnavailable."""
        found = {u: known for u in user_ids if (known := self._known.get(guild_id, u)) is not None}
        if missing := [user_id for user_id in user_ids if user_id not in found]:
            generation = self._generations.current(guild_id)
            read = await self._store.consents.choices(guild_id, missing)
            for user_id, choice in read.items():
                self._known.save_if_current(generation, choice, guild_id, user_id)
            found |= read
        return found
