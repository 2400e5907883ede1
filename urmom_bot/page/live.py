"""Tells open pages that something changed in their guild."""

from __future__ import annotations

import asyncio
import random
from collections import defaultdict
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field

from memory import MemoryManager
from memory.ids import GuildId

PAGES_A_SECOND, MAX_DELAY = 8, 30.0
"""Open pages of a guild that are told of a change in a second; and the longest that one waits for that, in seconds."""

STREAMS = 10
"""Open pages of one session that are told of changes; with one more, the one opened first is told no more."""


@dataclass(eq=False)
class Watcher:
    """One open page."""

    session: str
    changed: asyncio.Event = field(default_factory=asyncio.Event)
    is_over: bool = False
    """Whether it is told no more: nobody says when a page was left."""


class Watchers:
    """Who waits for changes of which guild. Open pages cost nothing until one comes."""

    def __init__(self, memory: MemoryManager) -> None:
        self._watchers: defaultdict[GuildId, list[Watcher]] = defaultdict(list)
        memory.watch(self._changed)

    def _changed(self, guild_id: GuildId) -> None:
        for one in [guild_id] if guild_id else list(self._watchers):
            for watcher in self._watchers.get(one, ()):
                watcher.changed.set()

    def delay(self, guild_id: GuildId) -> float:
        """Seconds that an open page waits before it is told: the more there are, the longer. They then load in turn."""
        return random.uniform(0, min(len(self._watchers.get(guild_id, ())) / PAGES_A_SECOND, MAX_DELAY))

    @contextmanager
    def watched(self, guild_id: GuildId, session: str) -> Iterator[Watcher]:
        """A page that is told of each change of a guild."""
        watchers = self._watchers[guild_id]
        mine = [one for one in watchers if one.session == session and not one.is_over]
        for first in mine[: max(len(mine) + 1 - STREAMS, 0)]:
            first.is_over = True
            first.changed.set()
        watcher = Watcher(session)
        watchers.append(watcher)
        try:
            yield watcher
        finally:
            watchers.remove(watcher)
            if not watchers:
                self._watchers.pop(guild_id, None)
