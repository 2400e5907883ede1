"""The third level: one member's days 2-7 as one text, made from the daily summaries."""

from __future__ import annotations

import logging
from collections.abc import Callable, Mapping, Sequence
from datetime import date, datetime

from cachetools import LRUCache

from memory.ai import AIClient, AIRefused, AIUnusable
from memory.ai.prompts import HISTORICAL_CHARACTERS, Cast, accepted, historical
from memory.records import Member
from memory.single import SingleFlight, drop_guild
from memory.store import Store
from memory.store.summaries import Derived
from memory.text import fingerprint, fit, tokens
from memory.vetoes import Vetoes, concerned

log = logging.getLogger(__name__)

Notes = Sequence[tuple[date, str]]
"""A member's daily summaries, oldest first."""


def composed(notes: Notes) -> str:
    """The days one after the other, each with its date, as they were noted."""
    return " ".join(f"{day:%Y-%m-%d}: {note}" for day, note in notes)


class History:
    """Historical summaries, several members in one call, made again only when their days differ."""

    def __init__(
        self,
        store: Store,
        ai: AIClient,
        flights: SingleFlight,
        vetoes: Vetoes,
        clock: Callable[[], datetime],
        *,
        call_tokens: int,
    ) -> None:
        self._store = store
        self._vetoes = vetoes
        self._ai = ai
        self._flights = flights
        self._clock = clock
        self._call_tokens = call_tokens
        self._cache: LRUCache[tuple[int, int, date, int], Derived] = LRUCache(10_000)
        self._drops = 0

    def drop(self, guild_id: int) -> None:
        """Drop what is cached of a guild, or of all for 0."""
        self._drops += 1
        drop_guild(self._cache, guild_id)

    async def of(
        self,
        guild_id: int,
        audience: int,
        end_date: date,
        notes: Mapping[int, Notes],
        members: Mapping[int, Member],
    ) -> dict[int, str]:
        """Members' days 2-7 as one text each; days that fit as they are stay as they are.

        Raises AIError and DatabaseUnavailable.
        """
        texts = {user_id: composed(days) for user_id, days in notes.items() if days}
        long = {u: notes[u] for u, text in texts.items() if len(text) > HISTORICAL_CHARACTERS}
        if not long:
            return texts
        version = historical(guild_id, notes={}, cast=Cast((), {})).version
        wanted = {u: fingerprint(texts[u], version, self._ai.model) for u in long}
        drops = self._drops
        async with self._flights.turn(f"history {guild_id} {audience} {end_date}"):
            found = await self._known(guild_id, audience, end_date, wanted)
            missing = {u: long[u] for u in long if u not in found}
            veto, forgotten_of = await self._vetoes.forgotten_of(guild_id)
            for group in self._groups(missing):
                told = {
                    u: (veto.without(text, concerned(text, u, forgotten_of)) or _shortened(group[u]), refused)
                    for u, (text, refused) in (await self._ask(guild_id, group, members)).items()
                }
                made = {
                    u: Derived(text=text, made_from=wanted[u], made_at=self._clock(), refused=refused)
                    for u, (text, refused) in told.items()
                }
                rests = {u: [(day, audience, note) for day, note in group[u]] for u in made}
                await self._store.summaries.save_historical(guild_id, audience, end_date, made, rests)
                found |= made
            if drops == self._drops:  # else it may be of a past that is no more
                for user_id, derived in found.items():
                    self._cache[guild_id, user_id, end_date, audience] = derived
        return texts | {u: derived.text for u, derived in found.items()}

    async def _known(
        self, guild_id: int, audience: int, end_date: date, wanted: Mapping[int, str]
    ) -> dict[int, Derived]:
        cached = {u: d for u in wanted if (d := self._cache.get((guild_id, u, end_date, audience)))}
        absent = [u for u in wanted if u not in cached or cached[u].made_from != wanted[u]]
        stored = await self._store.summaries.historical(guild_id, audience, end_date, absent) if absent else {}
        return {u: d for u, d in (cached | stored).items() if d.made_from == wanted[u]}

    def _groups(self, missing: Mapping[int, Notes]) -> list[dict[int, Notes]]:
        groups: list[dict[int, Notes]] = []
        size = self._call_tokens + 1
        for user_id, notes in missing.items():
            cost = tokens(composed(notes)) + 40
            if size + cost > self._call_tokens:
                groups.append({})
                size = 0
            groups[-1][user_id] = notes
            size += cost
        return groups

    async def _ask(
        self, guild_id: int, group: Mapping[int, Notes], members: Mapping[int, Member]
    ) -> dict[int, tuple[str, bool]]:
        """(text, refused) of each member; where the model gives none, as much of the days as fits."""
        cast = Cast(group, members)
        try:
            answer = await self._ai.ask(historical(guild_id, notes=group, cast=cast))
        except (AIRefused, AIUnusable) as failed:
            refused = isinstance(failed, AIRefused)
            if not refused and not (isinstance(failed, AIUnusable) and failed.cut_off):
                raise
            if len(group) == 1:
                return {u: (_shortened(notes), refused) for u, notes in group.items()}
            halves = list(group.items())
            middle = len(halves) // 2
            first = await self._ask(guild_id, dict(halves[:middle]), members)
            return first | await self._ask(guild_id, dict(halves[middle:]), members)
        told = {
            user_id: text
            for account in answer.value.members
            if (user_id := cast.id(account.member)) is not None
            and (text := accepted(account.summary, HISTORICAL_CHARACTERS))
        }
        return {u: (told.get(u) or _shortened(notes), False) for u, notes in group.items()}


def _shortened(notes: Notes) -> str:
    """Each day's share of the space, so that no day is lost."""
    share = HISTORICAL_CHARACTERS // len(notes) - len("2026-01-01:  ")
    return fit(composed([(day, fit(note, share)) for day, note in notes]), HISTORICAL_CHARACTERS)
