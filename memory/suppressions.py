"""What must not be told in each guild: suppressions and names of members who opted out."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Mapping
from datetime import datetime, timedelta

from cachetools import LRUCache

from memory.generations import Cached, Generations
from memory.records import Member
from memory.rules.carried_names import counting
from memory.rules.keywords import is_everyday
from memory.rules.suppression import Fingerprints, Suppressed
from memory.store import Store
from memory.store.consents import NOTHING

REREAD = timedelta(minutes=10)
"""How long it may take until a name that somebody else took no longer counts."""


class Suppressions:
    """Reads suppressions and opted-out names, cached until they change."""

    def __init__(self, store: Store, key: bytes, generations: Generations, clock: Callable[[], datetime]) -> None:
        self._store = store
        self._generations = generations
        self._clock = clock
        self.fingerprints = Fingerprints(key)
        self._known: Cached[tuple[Suppressed, datetime | None]] = generations.cache(LRUCache(20_000))

    def drop(self, guild_id: int) -> None:
        """What must not be told in a guild changed."""
        self._generations.move(guild_id)

    async def of(self, guild_id: int) -> Suppressed:
        """What must not be told in a guild. Raises DatabaseUnavailable."""
        now = self._clock()
        if (known := self._known.get(guild_id)) is not None and (known[1] is None or now < known[1]):
            return known[0]
        generation = self._generations.of(guild_id)
        version = await self._store.consents.version(guild_id)
        suppressions = await self._store.consents.suppressions(guild_id)
        carried = await self._store.consents.unnamed(guild_id)
        others = await self._others(guild_id, carried) if carried else frozenset()
        unnamed = {user_id: counting(names, others, now) for user_id, names in carried.items()}
        suppressed = Suppressed(self.fingerprints, suppressions, unnamed, version)
        later = [start for names in carried.values() for n in names if (start := n.counts_from()) and start > now]
        until = min((*later, now + REREAD)) if carried else None
        self._known.put(generation, (suppressed, until), guild_id)
        return suppressed

    async def prepare(self, guild_ids: Collection[int]) -> None:
        """Know of many guilds at once that nothing was forgotten there, as of most. Raises DatabaseUnavailable."""
        now = self._clock()
        unknown = {
            guild_id: self._generations.of(guild_id)
            for guild_id in guild_ids
            if (known := self._known.get(guild_id)) is None or (known[1] is not None and now >= known[1])
        }
        if len(unknown) < 2:
            return
        some = await self._store.consents.any_in(unknown)
        for guild_id in unknown.keys() - some:
            nothing = Suppressed(self.fingerprints, [], {}, NOTHING)
            self._known.put(unknown[guild_id], (nothing, None), guild_id)

    async def _others(self, guild_id: int, unnamed: Collection[int]) -> frozenset[str]:
        """Fingerprints of the names that members who are remembered have and had."""
        members = await self._store.people.members(guild_id)
        return frozenset(
            fingerprint
            for user_id, member in members.items()
            if user_id not in unnamed
            for name in (*member.names, *member.former_names)
            for fingerprint in self.fingerprints.of_name(name)
        )

    async def forgotten_of(self, guild_id: int) -> tuple[Suppressed, dict[int, tuple[str, ...]]]:
        """What must not be told, and the names that mean each member of whom something was forgotten."""
        suppressed = await self.of(guild_id)
        if not suppressed.members:
            return suppressed, {}
        members = await self._store.people.members(guild_id, suppressed.members)
        return suppressed, await self.meaning(guild_id, members)

    async def meaning(self, guild_id: int, members: Mapping[int, Member]) -> dict[int, tuple[str, ...]]:
        """The names that mean each member: theirs alone, and no everyday word. A name gives nobody a say by itself."""
        own = {u: [name for name in m.names if not is_everyday(name)] for u, m in members.items()}
        return await self._store.people.sole_names(guild_id, own)


def concerned(text: str, author: int, forgotten_of: Mapping[int, Collection[str]]) -> set[int]:
    """The members with suppressions whom `text` could be about: its author, and everyone it names."""
    found = {author}
    if forgotten_of:
        folded = text.casefold()
        for user_id, names in forgotten_of.items():
            named = any(
                n.casefold() in folded and re.search(rf"(?<!\w){re.escape(n.casefold())}(?!\w)", folded) for n in names
            )
            if named or f"<@{user_id}>" in text or f"<@!{user_id}>" in text:
                found.add(user_id)
    return found
