"""Numbers for members' pages: whom a viewer may know of, what was sent to models, how much is stored."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from datetime import date, datetime, timedelta
from functools import cached_property

from cachetools import TTLCache

from memory.core import Core
from memory.generations import Cached
from memory.ids import ChannelId, MessageId, UserId
from memory.permissions import Viewer, may_administer, require
from memory.records import (
    SENT_DAYS,
    FactNumbers,
    GuildNumbers,
    KnownMember,
    LivingProcess,
    MemberText,
    ModelDay,
    SentText,
    TableSize,
)
from memory.rules.ageing import AgeLimits
from memory.rules.calendar import bounds, day_of

PLOT_DAYS = timedelta(days=30)
"""How far back plots go."""


@dataclass(frozen=True, kw_only=True)
class GivenAnswer:
    """An answer of the bot's to a member."""

    channel_id: ChannelId
    reply_id: MessageId
    at: datetime
    question: str
    answer: str


@dataclass(frozen=True)
class InsightService:
    """Numbers, and a member's own words. May raise NotAllowed and DatabaseUnavailable."""

    _core: Core

    @cached_property
    def _facts(self) -> Cached[FactNumbers]:
        timer = lambda: self._core.clock().timestamp()  # noqa: E731
        return self._core.generations.cache(TTLCache(1_000, ttl=3_600, timer=timer))

    async def members(self, viewer: Viewer, *, limit: int, skip: int = 0) -> Sequence[KnownMember]:
        """List members about whom the viewer may be shown facts, those told of last first."""
        return await self._core.store.insight.known_members(
            viewer.guild_id, viewer.shown_audiences, limit=limit, skip=skip
        )

    async def context_and_uses(
        self, viewer: Viewer, user_id: UserId, fact_ids: Collection[int]
    ) -> tuple[MemberText | None, Mapping[int, int]]:
        """Get the last text about a member that an answer began with, if one is kept, and count the answers on record
        that were given each fact. No model is asked."""
        text, uses = await self._core.store.insight.context_and_uses(
            viewer.guild_id, user_id, viewer.audience, fact_ids
        )
        if text is not None:
            (text,) = await self._core.naming.texts_with_names(viewer.guild_id, [text])
        return text, uses

    async def sent(self, viewer: Viewer) -> Sequence[ModelDay]:
        """Count the requests of the last seven days that carried the viewer's own words, or what is known of them, by
        day, model and use."""
        zone = await self._core.guilds.zone(viewer.guild_id)
        since = self._core.clock() - SENT_DAYS
        return await self._core.store.insight.sent(viewer.guild_id, viewer.user_id, zone.key, since)

    async def sent_texts(self, viewer: Viewer, *, limit: int, skip: int = 0) -> Sequence[SentText]:
        """List the viewer's own messages that models were sent in the last seven days, newest first."""
        since = self._core.clock() - SENT_DAYS
        return await self._core.store.insight.sent_texts(viewer.guild_id, viewer.user_id, since, limit=limit, skip=skip)

    async def answers(self, viewer: Viewer, *, limit: int, skip: int = 0) -> Sequence[GivenAnswer]:
        """List the bot's last answers to the viewer, in channels that they can read, newest first."""
        since = self._core.clock() - SENT_DAYS
        rows = await self._core.store.insight.answers(
            viewer.guild_id, viewer.readable_audiences, viewer.user_id, since, limit=limit, skip=skip
        )
        return [
            GivenAnswer(channel_id=c, reply_id=m, at=at, question=question, answer=answer)
            for c, m, at, question, answer in rows
        ]

    async def answers_with(self, viewer: Viewer, fact_id: int, *, limit: int) -> tuple[int, Sequence[GivenAnswer]]:
        """Count the answers that a fact was used for, and list the last in channels that the viewer can read."""
        times, rows = await self._core.store.insight.answers_with(
            viewer.guild_id, viewer.readable_audiences, fact_id, limit=limit
        )
        shown = [GivenAnswer(channel_id=c, reply_id=m, at=at, question=asked, answer="") for c, m, at, asked in rows]
        return times, shown

    async def teachers(self, viewer: Viewer, since: datetime) -> Sequence[KnownMember]:
        """List who taught facts about others since a moment, who taught most first. Raises NotAllowed."""
        require(may_administer(viewer))
        return await self._core.store.insight.teachers(viewer.guild_id, since)

    async def activity(self, viewer: Viewer) -> Mapping[date, int]:
        """Count a guild's messages by day, of the last 30 days. Raises NotAllowed."""
        require(may_administer(viewer))
        zone = await self._core.guilds.zone(viewer.guild_id)
        today = day_of(self._core.clock(), zone)
        days = [today - timedelta(days=ago) for ago in range(PLOT_DAYS.days, -1, -1)]
        spans = [bounds(day, zone) for day in days]
        counts = await self._core.store.insight.activity(viewer.guild_id, spans)
        return {day: count for day, count in zip(days, counts, strict=True) if count}

    async def spending(self, viewer: Viewer) -> tuple[Sequence[ModelDay], Mapping[str, int]]:
        """List a guild's requests to models in the last 30 days, by day, and count them by what they were for.

        For the operator, those of all guilds. Raises NotAllowed.
        """
        require(may_administer(viewer))
        return await self._core.store.insight.spending(viewer.guild_id, self._core.clock() - PLOT_DAYS)

    async def fact_numbers(self, viewer: Viewer) -> FactNumbers:
        """Count a guild's facts by how they stand (seed 002). Raises NotAllowed."""
        require(may_administer(viewer))
        guild_id, now = viewer.guild_id, self._core.clock()
        known, generation = self._facts.get(guild_id), self._core.generations.current(guild_id)
        if known is None:
            known = await self._core.store.insight.fact_numbers(guild_id, AgeLimits.at(now))
            self._facts.save_if_current(generation, known, guild_id)
        return known

    async def numbers(self, viewer: Viewer) -> GuildNumbers:
        """Count what is stored about a guild. Raises NotAllowed."""
        return await self._core.store.insight.numbers(viewer.guild_id, await self.fact_numbers(viewer))

    async def processes(self, viewer: Viewer) -> Sequence[LivingProcess]:
        """List the bot's processes, the oldest first. Raises NotAllowed."""
        require(viewer.is_operator)
        return await self._core.store.insight.processes()

    async def table_sizes(self, viewer: Viewer) -> Sequence[TableSize]:
        """List how large each table is. Raises NotAllowed."""
        require(viewer.is_operator)
        return await self._core.store.insight.table_sizes()
