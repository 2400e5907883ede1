"""Whether what an answer was given still stands: an answer that tells what changed meanwhile is not kept.

An answer is made in seconds, and a server changes all the time. What happens elsewhere in it changes nothing here.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from datetime import datetime, timedelta

from memory.core import Core
from memory.ids import AudienceId, ChannelId, GuildId, MessageId, UserId
from memory.records import Given, Making

MAX_CLOCK_SKEW = timedelta(seconds=10)
"""How far the clock of Discord, which dates edits, may be from ours."""


@dataclass(frozen=True)
class Validity:
    """Compares what an answer was given with what there is now."""

    _core: Core
    _was_changed: Callable[[GuildId, MessageId, datetime], bool]

    def begin(self, guild_id: GuildId) -> Making:
        """Begin to make an answer."""
        return Making(self._core.generations.current(guild_id), self._core.clock())

    async def is_valid(
        self,
        guild_id: GuildId,
        making: Making,
        given: Given,
        *,
        audience: AudienceId,
        channel_id: ChannelId | None = None,
        is_kept: bool = True,
        words: Iterable[tuple[UserId, str]] = (),
    ) -> bool:
        """Whether all that an answer was given is as it was, and may be heard where the answer is.

        `words` are the words of the exchange, each with its author: none may tell what was forgotten since. Where
        messages are not stored (`is_kept` is False), deletions and edits count that this process saw. Raises
        DatabaseUnavailable.
        """
        if making.generation == self._core.generations.current(guild_id):
            return True
        screen = await self._core.suppressions.screen(guild_id)
        if any(screen.forbids(text, {author}) for author, text in words):
            return False
        if any(self._was_changed(guild_id, message_id, making.at) for message_id in given.message_ids):
            return False  # also where the edit was made long ago, and is known only now
        found = await self._core.store.replies.validity(
            guild_id, given, channel_id, audience, making.at - MAX_CLOCK_SKEW
        )
        return not found.is_changed and not (is_kept and found.missing)
