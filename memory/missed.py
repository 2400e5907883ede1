"""What somebody missed: what was noted since they last wrote, and where people talked."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from zoneinfo import ZoneInfo

from memory.ai import AIError
from memory.core import Core
from memory.ids import MessageId
from memory.levels.composing import REPETITION_SHARE
from memory.levels.notes import DayReading, Notes
from memory.permissions import Viewer
from memory.records import Missed, Note, NoteKind, Talked
from memory.rules.calendar import day_of
from memory.rules.keywords import keywords

log = logging.getLogger(__name__)

MAX_ABSENCE = timedelta(days=7)
"""How far back an absence is told of."""

TO_ME, MINE, NEWS = 3, 2, 4
"""Lines that tell of what was said to somebody, of what is about them, and of the rest, at the most."""

PARTNERS = 8
"""People with whom somebody deals."""

OUTCOMES = frozenset([NoteKind.DECISION, NoteKind.OUTCOME, NoteKind.PLAN, NoteKind.CHANNEL])
"""Kinds of notes that are told before others: what was settled, and how it ended."""


@dataclass(frozen=True)
class Absences:
    """Tells of absences from what is noted; reads the day on for it where people talked, in one call at the most."""

    _core: Core
    _notes: Notes

    async def summary_since_last_message(
        self, viewer: Viewer, *, before_id: MessageId, tz: ZoneInfo, wait: float
    ) -> Missed:
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
        return await self._told(viewer, since, before_id, now, tuple(talked), has_written=last is not None)

    async def _told(
        self,
        viewer: Viewer,
        since: datetime,
        before_id: MessageId,
        now: datetime,
        talked: tuple[Talked, ...],
        *,
        has_written: bool,
    ) -> Missed:
        """What is known of an absence: first what concerns who was away, then what concerns everybody."""
        guild_id, audiences, me = viewer.guild_id, viewer.audiences, viewer.user_id
        messages, notes = self._core.store.messages, self._core.store.notes
        to_me = await messages.said_to(guild_id, audiences, me, since, before_id, TO_ME)
        partners = await messages.partners(guild_id, audiences, me, since - MAX_ABSENCE, PARTNERS)
        every = await notes.list_for(guild_id, audiences, since - MAX_ABSENCE, now + timedelta(seconds=1))
        current = [note for note in every if note.at > since and note.superseded_by is None]
        shown = {message.message_id for message in to_me}
        told = _Covered(" ".join(message.text for message in to_me))
        ended_mine = {note.superseded_by for note in every if note.user_id == me and note.at <= since}
        about_me = [n for n in current if me in (n.user_id, *n.people) and not shown.issuperset(n.evidence)]
        mine = told.add(sorted(about_me, key=lambda n: (n.note_id not in ended_mine, *_importance(n))), MINE)
        rest = [note for note in current if note not in mine and me not in (note.user_id, *note.people)]
        dealings = told.add(
            sorted((n for n in rest if n.user_id in partners and n.weight > 1), key=_importance), NEWS // 2
        )
        outcomes = told.spread([n for n in rest if n.kind in OUTCOMES and n not in dealings], NEWS - len(dealings))
        room = NEWS - len(dealings) - len(outcomes)
        others = [note for note in rest if note not in dealings and note not in outcomes]
        news = (*dealings, *sorted((*outcomes, *told.add(sorted(others, key=_importance), room)), key=_when))
        return Missed(
            since=since,
            talked=talked,
            to_me=tuple(sorted(to_me, key=lambda message: message.message_id)),
            mine=tuple(sorted(mine, key=_when)),
            news=news,
            more=len(current) - len(mine) - len(news),
            has_written=has_written,
        )


class _Covered:
    """What is told already: nothing is told twice."""

    def __init__(self, text: str) -> None:
        self._stems = set(keywords(text))

    def add(self, notes: Sequence[Note], most: int) -> list[Note]:
        """The first of some notes that say something new, `most` at the most."""
        found: list[Note] = []
        for note in notes:
            if len(found) == most:
                break
            stems = set(keywords(note.text))
            if stems and len(stems & self._stems) >= REPETITION_SHARE * len(stems):
                continue
            self._stems |= stems
            found.append(note)
        return found

    def spread(self, notes: Sequence[Note], most: int) -> list[Note]:
        """The most important notes of as many stretches of the time as are to be told of: the last hour is not all."""
        if not notes or most < 1:
            return []
        ordered = sorted(notes, key=_when)
        stretches = min(most, len(ordered))
        found: list[Note] = []
        for n in range(stretches):
            stretch = ordered[n * len(ordered) // stretches : (n + 1) * len(ordered) // stretches]
            found += self.add(sorted(stretch, key=_importance), 1)
        return found


def _importance(note: Note) -> tuple[int, float]:
    return -note.weight, -note.at.timestamp()


def _when(note: Note) -> datetime:
    return note.at


def _seen(reading: asyncio.Future[DayReading]) -> None:
    if not reading.cancelled() and (failed := reading.exception()) is not None:
        log.info("what is new could not be read (%s)", type(failed).__name__)
