"""Whether what an answer was given still stands: an answer that tells what changed meanwhile is not kept.

An answer is made in seconds, and a server changes all the time. What happens elsewhere in it changes nothing here.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from datetime import datetime, timedelta

from memory.generations import Generations
from memory.records import Given, Making
from memory.store import Store
from memory.suppressions import Suppressions

SKEW = timedelta(seconds=10)
"""How far the clock of Discord, which dates edits, may be from ours."""


class Validity:
    """Compares what an answer was given with what there is now."""

    def __init__(
        self,
        store: Store,
        suppressions: Suppressions,
        generations: Generations,
        clock: Callable[[], datetime],
        was_changed: Callable[[int, int, datetime], bool],
    ) -> None:
        self._store = store
        self._suppressions = suppressions
        self._generations = generations
        self._clock = clock
        self._was_changed = was_changed

    def begin(self, guild_id: int) -> Making:
        """Begin to make an answer."""
        return Making(self._generations.of(guild_id), self._clock())

    async def is_valid(
        self,
        guild_id: int,
        making: Making,
        given: Given,
        *,
        audience: int,
        channel_id: int | None = None,
        is_kept: bool = True,
        words: Iterable[tuple[int, str]] = (),
    ) -> bool:
        """Whether all that an answer was given is as it was, and may be heard where the answer is.

        `words` are the words of the exchange, each with its author: none may tell what was forgotten since. Where
        messages are not stored (`is_kept` is False), deletions and edits count that this process saw. Raises
        DatabaseUnavailable.
        """
        if making.generation == self._generations.of(guild_id):
            return True
        screen = await self._suppressions.screen(guild_id)
        if any(screen.forbids(text, {author}) for author, text in words):
            return False
        if any(self._was_changed(guild_id, message_id, making.at) for message_id in given.message_ids):
            return False  # also where the edit was made long ago, and is known only now
        found = await self._store.replies.validity(guild_id, given, channel_id, audience, making.at - SKEW)
        return not found.is_changed and not (is_kept and found.missing)
