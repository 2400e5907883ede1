"""What somebody missed: what was noted since they last wrote, and where people talked."""

from __future__ import annotations

import asyncio
import logging
from dataclasses import dataclass
from datetime import datetime, timedelta
from zoneinfo import ZoneInfo

from memory.ai import AIError
from memory.core import Core
from memory.levels.notes import Notes
from memory.permissions import Viewer
from memory.records import Missed, Note
from memory.rules.calendar import day_of

log = logging.getLogger(__name__)

MAX_ABSENCE = timedelta(days=7)
"""How far back an absence is told of."""

MOST_NOTES = 6
"""Notes that tell of an absence: a few lines."""


@dataclass(frozen=True)
class Absences:
    """Tells of absences from what is noted; reads the day on for it where people talked, in one call at the most."""

    _core: Core
    _notes: Notes

    async def summary_since_last_message(self, viewer: Viewer, *, before_id: int, tz: ZoneInfo, wait: float) -> Missed:
        """What a member missed of what they may hear, since their last message before `before_id`.

        Where they never wrote, the last day is told of. Reading what is new takes `wait` seconds at the most; what
        takes longer goes on, and is there the next time. Raises DatabaseUnavailable.
        """
        guild_id, audiences, now = viewer.guild_id, viewer.audiences, self._core.clock()
        last = await self._core.store.messages.last_written(guild_id, viewer.user_id, before_id)
        since = max(last or now - timedelta(days=1), now - MAX_ABSENCE)
        talked = await self._core.store.messages.talked(guild_id, audiences, since, before_id)
        if not talked:
            return Missed(since=since, has_written=last is not None)
        busiest = max({t.audience for t in talked}, key=lambda a: sum(t.messages for t in talked if t.audience == a))
        reading = asyncio.ensure_future(self._notes.read(guild_id, busiest, day_of(now, tz), now, tz, at_once=True))
        try:
            async with asyncio.timeout(wait):
                await asyncio.shield(reading)
        except TimeoutError:
            reading.add_done_callback(_seen)
        except AIError as failed:
            log.info("guild %d: an absence is told of without what is new (%s)", guild_id, type(failed).__name__)
        found = await self._core.store.notes.list_for(guild_id, audiences, since, now + timedelta(seconds=1))
        current = [note for note in found if note.superseded_by is None]
        weightiest = sorted(current, key=lambda note: (-note.weight, -note.at.timestamp()))[:MOST_NOTES]
        notes = tuple(sorted(weightiest, key=_when))
        return Missed(since=since, talked=tuple(talked), notes=notes, has_written=last is not None)


def _when(note: Note) -> datetime:
    return note.at


def _seen(reading: asyncio.Future[bool]) -> None:
    if not reading.cancelled() and (failed := reading.exception()) is not None:
        log.info("what is new could not be read (%s)", type(failed).__name__)
