"""The third level: one member's days 2-7 as one text, made from the notes of these days."""

from __future__ import annotations

import logging
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date
from functools import cached_property
from zoneinfo import ZoneInfo

from cachetools import LRUCache

from memory.ai import AIRefused, AIUnusable
from memory.ai.models import AI
from memory.ai.prompts import Participants, accepted, historical
from memory.core import Core
from memory.generations import Cached
from memory.ids import AudienceId, GuildId, UserId
from memory.levels.composing import by_day, day_texts, days_text, selected, shortened, within
from memory.records import Member, Note
from memory.rules import content_policy
from memory.rules.text import fingerprint, mentioned, tokens
from memory.store.provenance import node
from memory.store.summaries import Derived
from memory.suppressions import concerned

log = logging.getLogger(__name__)


SENT_PER_CHARACTER = 3
"""The characters of notes that are sent for each one that the text of them may have: the most important go first."""


@dataclass(frozen=True, kw_only=True)
class Wanted:
    """A member's notes of the days before today, and how many characters the text of them may have."""

    notes: Sequence[Note]
    limit: int


@dataclass(frozen=True)
class History:
    """Historical summaries, several members in one call, made again only when their notes differ."""

    _core: Core
    _ai: AI

    @cached_property
    def _cache(self) -> Cached[Derived]:
        return self._core.generations.cache(LRUCache(10_000))

    async def build(
        self,
        guild_id: GuildId,
        audience: AudienceId,
        end_date: date,
        wanted: Mapping[UserId, Wanted],
        tz: ZoneInfo,
        *,
        others: Callable[[], Awaitable[Mapping[UserId, Wanted]]],
    ) -> dict[UserId, str]:
        """Members' days 2-7 as one text each, for those whose notes do not fit as they are.

        Where a model is asked, it is asked for `others` as well, as far as they go along: who will be asked about soon.
        Raises AIError and DatabaseUnavailable.
        """
        if not wanted:
            return {}
        fingerprints = self._fingerprints(guild_id, end_date, wanted, tz)
        generation = self._core.generations.current(guild_id)
        async with self._core.flights.exclusive("history", guild_id, audience, end_date):
            found = await self._known(guild_id, audience, end_date, fingerprints)
            missing = {u: w for u, w in wanted.items() if u not in found}
            more: Mapping[UserId, Wanted] = {}
            if missing:
                more = await others()
                more_fingerprints = self._fingerprints(guild_id, end_date, more, tz)
                known = await self._known(guild_id, audience, end_date, more_fingerprints)
                more = {u: w for u, w in more.items() if u not in known and u not in wanted}
                fingerprints = {**more_fingerprints, **fingerprints}
            for group in self._groups(trimmed(missing, tz), trimmed(more, tz), tz):
                people = {
                    u for w in group.values() for note in w.notes for u in (note.user_id, *note.people) if u is not None
                }
                members = await self._core.store.people.members(guild_id, {*group, *people})
                told = await self._ask(guild_id, group, members, tz)
                made = {
                    u: Derived(text=text, fingerprint=fingerprints[u], made_at=self._core.clock(), refused=refused)
                    for u, (text, refused) in told.items()
                }
                sources = {u: [node("note", n) for note in group[u].notes for n in note.note_ids] for u in made}
                await self._core.store.summaries.save_historical(guild_id, audience, end_date, made, sources)
                found |= made
            for user_id, derived in found.items():
                self._cache.save_if_current(generation, derived, guild_id, user_id, audience)
        return {u: derived.text for u, derived in found.items() if u in wanted}

    def _fingerprints(
        self, guild_id: GuildId, end_date: date, wanted: Mapping[UserId, Wanted], tz: ZoneInfo
    ) -> dict[UserId, str]:
        version = historical(guild_id, days={}, limits={}, participants=Participants((), {})).version
        return {
            u: fingerprint(days_text(by_day(w.notes, tz), u), str(end_date), version, self._ai.small.model)
            for u, w in wanted.items()
        }

    async def _known(
        self, guild_id: GuildId, audience: AudienceId, end_date: date, fingerprints: Mapping[UserId, str]
    ) -> dict[UserId, Derived]:
        cached = {u: d for u in fingerprints if (d := self._cache.get(guild_id, u, audience)) is not None}
        absent = [u for u in fingerprints if u not in cached or cached[u].fingerprint != fingerprints[u]]
        stored = await self._core.store.summaries.historical(guild_id, audience, end_date, absent) if absent else {}
        return {u: d for u, d in (cached | stored).items() if d.fingerprint == fingerprints[u]}

    def _groups(
        self, missing: Mapping[UserId, Wanted], more: Mapping[UserId, Wanted], tz: ZoneInfo
    ) -> list[dict[UserId, Wanted]]:
        """What goes into a call each; of `more`, what the last of them has room for."""
        groups: list[dict[UserId, Wanted]] = []
        size = 0
        for user_id, wanted in {**missing, **more}.items():
            cost = tokens(days_text(by_day(wanted.notes, tz), user_id)) + 40
            if not groups or size + cost > self._ai.small_tokens:
                if user_id in more:
                    continue
                groups.append({})
                size = 0
            groups[-1][user_id] = wanted
            size += cost
        return groups

    async def _ask(
        self, guild_id: GuildId, group: Mapping[UserId, Wanted], members: Mapping[UserId, Member], tz: ZoneInfo
    ) -> dict[UserId, tuple[str, bool]]:
        """(text, refused) of each member; where the model gives none, the most important notes."""
        sent = {u: by_day(w.notes, tz) for u, w in group.items()}
        days = {u: day_texts(found, u) for u, found in sent.items()}
        sources = {u: days_text(found, u) for u, found in sent.items()}
        participants = Participants([*group, *(u for text in sources.values() for u in mentioned(text))], members)
        limits = {u: w.limit for u, w in group.items()}
        try:
            answer = await self._ai.small.ask(historical(guild_id, days=days, limits=limits, participants=participants))
        except (AIRefused, AIUnusable) as failed:
            refused = isinstance(failed, AIRefused)
            if not refused and not (isinstance(failed, AIUnusable) and failed.cut_off):
                raise
            if len(group) == 1:
                return {u: (shortened(w.notes, u, w.limit, tz), refused) for u, w in group.items()}
            halves = list(group.items())
            middle = len(halves) // 2
            first = await self._ask(guild_id, dict(halves[:middle]), members, tz)
            return first | await self._ask(guild_id, dict(halves[middle:]), members, tz)
        suppressed, forgotten_of = await self._core.suppressions.with_subject_names(guild_id)
        told: dict[UserId, str] = {}
        for account in answer.value.members:
            user_id = participants.id(account.member)
            if (
                user_id is not None
                and user_id in group
                and (text := participants.with_ids(accepted(account.summary, 2 * limits[user_id])))
            ):
                text = within(
                    content_policy.keep_allowed_sentences(text, sources[user_id], max(days[user_id])), limits[user_id]
                )
                told[user_id] = suppressed.without(text, concerned(text, user_id, forgotten_of))
        return {u: (told.get(u) or shortened(w.notes, u, w.limit, tz), False) for u, w in group.items()}


def trimmed(wanted: Mapping[UserId, Wanted], tz: ZoneInfo) -> dict[UserId, Wanted]:
    """The same with no more notes than a model is shown: the most important, at `SENT_PER_CHARACTER`."""
    return {
        u: replace(w, notes=selected(w.notes, u, SENT_PER_CHARACTER * w.limit, dated=tz)) for u, w in wanted.items()
    }
