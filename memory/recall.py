"""Recall: what was written, noted and told that answers a question, best first, for those who may hear it."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from zoneinfo import ZoneInfo

from memory.core import Core
from memory.ids import GuildId, UserId
from memory.permissions import Viewer, audiences_for
from memory.records import Conclusion, Fact, Note, Query, Recalled, SearchHit, text_of
from memory.rules.ageing import Standing, dated, standing
from memory.rules.calendar import bounds, day_of
from memory.rules.questions import named, read, receivers, weighed
from memory.rules.text import mentioned, with_names
from memory.store.search import Search
from memory.suppressions import Screen
from memory.vectors import Vectors

DERIVED = 20
"""Notes, and facts, that go with the messages at the most."""


@dataclass(frozen=True)
class Recall:
    """The search over messages, notes, facts and conclusions: who says what to whom.

    At most three statements, within the guild and for the audiences of whoever asks.
    """

    _core: Core
    _vectors: Vectors

    async def find(self, viewer: Viewer, query: Query, tz: ZoneInfo, *, limit: int = 50) -> Recalled:
        """What best answers a question, at most `limit` messages of it. Raises DatabaseUnavailable."""
        search = await self._read(viewer, query, tz, limit)
        messages = await self._core.store.search.messages(search)
        derived = await self._core.store.search.derived(search, DERIVED)
        now = self._core.clock()
        told = await self._may_be_told(viewer.guild_id, [*(m for m, _ in messages), *(entry for entry, _ in derived)])
        return Recalled(
            people=tuple(search.people),
            of_asker=search.of_asker,
            messages=tuple((m, score) for m, score in messages if told(m)),
            notes=tuple((e, score) for e, score in derived if isinstance(e, Note) and told(e)),
            conclusions=tuple((e, score) for e, score in derived if isinstance(e, Conclusion) and told(e)),
            facts=tuple(
                (dated(e, now), score)
                for e, score in derived
                if isinstance(e, Fact) and told(e) and standing(e, now) is not Standing.STALE
            ),
        )

    async def _read(self, viewer: Viewer, query: Query, tz: ZoneInfo, limit: int) -> Search:
        """The question as it is searched for."""
        guild_id, asker = viewer.guild_id, viewer.user_id if viewer.is_member else None
        question = read(query.text, day_of(query.at, tz))
        known, vector = await asyncio.gather(
            self._core.store.search.vocabulary(guild_id, question.runs, question.words, asker),
            self._vectors.of_question(guild_id, query.text, asker),
        )
        by_name = named(question, known.members)
        people = {*question.mentions, *(user_id for users in by_name.values() for user_id in users)} - {asker}
        to_whom = receivers(query.text, by_name) & people
        first, next_ = (bounds(day, tz)[0] for day in question.span) if question.span else (None, None)
        return Search(
            guild_id=guild_id,
            audiences=viewer.shown_audiences if asker is None else audiences_for(viewer, asker),
            at=query.at,
            before_id=query.before_id,
            messages=known.messages,
            stems=weighed(known, by_name),
            people=tuple(sorted(people)),
            asker=asker,
            of_asker=question.of_asker and asker is not None,
            own=known.names_of({asker}) if question.of_asker and asker is not None else (),
            receivers=tuple(sorted(to_whom)),
            theirs=known.names_of(to_whom),
            first=first,
            next=next_,
            column=self._vectors.column,
            vector=vector,
            limit=limit,
        )

    async def _may_be_told(self, guild_id: GuildId, found: Sequence[SearchHit]) -> Callable[[object], bool]:
        """Whether something that was found tells nothing that was forgotten, and of nobody who is not remembered."""
        screen = await self._core.suppressions.screen(guild_id)
        if not screen:
            return lambda _: True
        names = await self._core.naming.people(guild_id, (text_of(entry) for entry in found))
        kept = {id(entry) for entry in found if not _is_forbidden(entry, screen, names)}
        return lambda entry: id(entry) in kept


def _is_forbidden(entry: SearchHit, screen: Screen, names: Mapping[UserId, str]) -> bool:
    """Whether a text tells what was forgotten, or names somebody who is not remembered, by a name or by an id."""
    stored = text_of(entry)
    people: set[UserId | None] = {
        entry.user_id,
        *(entry.people if isinstance(entry, Note | Conclusion) else ()),
        *mentioned(stored),
    }
    people |= set(entry.evidence_by) if isinstance(entry, Conclusion) else set()
    return screen.forbids(with_names(stored, names), [user_id for user_id in people if user_id])
