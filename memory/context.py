"""The top: facts, current day and days 2-7 merged into what a reply is given, and the ladder when AI fails."""

from __future__ import annotations

import asyncio
import logging
from collections import Counter, defaultdict
from collections.abc import Callable, Collection, Coroutine, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import date, datetime, timedelta
from functools import partial
from typing import Any, TypeVar
from zoneinfo import ZoneInfo

from cachetools import LRUCache

from memory.ai import AIClient, AIError, AIRefused, AIUnavailable, AIUnusable, Meter
from memory.ai.prompts import CONTEXT_CHARACTERS, Cast, accepted, merge
from memory.audible import Audible
from memory.daily import Day, Days
from memory.days import WINDOW_DAYS, bounds, day_of, window
from memory.facts import Facts, newest_lines, sentences, told
from memory.history import History, Notes, composed
from memory.records import Context, Fact, Member, Part, Rung
from memory.single import SingleFlight, drop_guild
from memory.store import Store
from memory.store.summaries import Derived
from memory.text import fingerprint, fit
from memory.vetoes import Vetoes, concerned

log = logging.getLogger(__name__)

T = TypeVar("T")


@dataclass(kw_only=True)
class _Levels:
    """What the levels have to say about one member."""

    facts: Sequence[Fact] = ()
    blob: str = ""
    current: list[Part] = field(default_factory=list)
    before: list[Part] = field(default_factory=list)
    activity: dict[date, int] = field(default_factory=dict)
    rests: list[tuple[date, int, str]] = field(default_factory=list)

    @property
    def days(self) -> tuple[tuple[date, int], ...]:
        """The days and audiences whose summaries it was made from."""
        return tuple((day, heard) for day, heard, _ in self.rests)

    @property
    def texts(self) -> tuple[str, str, str]:
        """(facts, current day, days before)."""
        return self.blob, " ".join(p.text for p in self.current), " ".join(p.text for p in self.before)

    @property
    def fits(self) -> bool:
        """Whether all levels together are short enough to be told as they are."""
        return len(unmerged(*self.texts)) <= CONTEXT_CHARACTERS

    @property
    def parts(self) -> tuple[Part, ...]:
        """Every level that has something, with where it came from."""
        told = f"{len(self.facts)} fact{'s' if len(self.facts) != 1 else ''}"
        facts = [Part(level="facts", text=self.blob, made_from=told)] if self.blob else []
        return (*facts, *self.current, *self.before)


def unmerged(facts: str, current: str, before: str) -> str:
    """The three sources as they are, one after the other."""
    named = (("", facts), ("Today: ", current), ("Before: ", before))
    return " ".join(name + text for name, text in named if text)


class Contexts:
    """Contexts for the members of a conversation: made in as few calls as there are levels, kept, shared."""

    def __init__(
        self,
        store: Store,
        ai: AIClient,
        facts: Facts,
        days: Days,
        history: History,
        flights: SingleFlight,
        vetoes: Vetoes,
        audible: Audible,
        clock: Callable[[], datetime],
        default_zone: ZoneInfo,
        *,
        wait: float,
    ) -> None:
        self._store = store
        self._ai = ai
        self._facts = facts
        self._days = days
        self._history = history
        self._flights = flights
        self._vetoes = vetoes
        self._audible = audible
        self._clock = clock
        self._default_zone = default_zone
        self._wait = wait
        self._merged: LRUCache[tuple[int | str, ...], str] = LRUCache(10_000)
        self._epochs: Counter[int] = Counter()
        self._builds: dict[tuple[object, ...], asyncio.Task[dict[int, Context]]] = {}

    def drop(self, guild_id: int) -> None:
        """Drop what is cached of a guild, or of all for 0."""
        self._epochs[guild_id] += 1
        drop_guild(self._merged, guild_id)

    async def close(self) -> None:
        """Stop what is being made."""
        for task in list(self._builds.values()):
            task.cancel()
        await asyncio.gather(*self._builds.values(), return_exceptions=True)

    async def settle(self) -> None:
        """Wait for what is being made."""
        while self._builds:
            await asyncio.gather(*self._builds.values(), return_exceptions=True)

    async def get(
        self,
        guild_id: int,
        user_ids: Collection[int],
        audience: int,
        *,
        wait: float | None = None,
    ) -> dict[int, Context]:
        """Every member's context. What takes longer than `wait` seconds goes on being made without the caller.

        Raises DatabaseUnavailable: a lost database is never an empty memory.
        """
        now = self._clock()
        users = tuple(dict.fromkeys(user_ids))
        if not users:
            return {}
        epoch = self.epoch(guild_id)
        key = (guild_id, audience, frozenset(users), epoch)
        build = self._builds.get(key)
        if build is None:
            build = asyncio.create_task(self._build(guild_id, users, audience, now))
            self._builds[key] = build
            build.add_done_callback(lambda done: self._built(key, done))
        try:
            async with asyncio.timeout(self._wait if wait is None else wait):
                made = await asyncio.shield(build)
        except TimeoutError:
            return await self._without_ai(guild_id, users, audience, now, "still being made")
        if self.epoch(guild_id) != epoch:
            return await self._without_ai(guild_id, users, audience, now, "changed while it was being made")
        return made

    def epoch(self, guild_id: int) -> int:
        """Differs when a guild's past was changed in between: what was read before is told no more."""
        return self._epochs[0] + self._epochs[guild_id]

    def _built(self, key: tuple[object, ...], done: asyncio.Task[dict[int, Context]]) -> None:
        self._builds.pop(key, None)
        if not done.cancelled() and (failed := done.exception()) is not None:
            log.warning("contexts: a build failed (%s)", failed)

    async def zone(self, guild_id: int) -> ZoneInfo:
        """The guild's time zone."""
        name = await self._store.people.time_zone(guild_id)
        return ZoneInfo(name) if name else self._default_zone

    async def _build(self, guild_id: int, users: Sequence[int], audience: int, now: datetime) -> dict[int, Context]:
        with Meter().running() as meter:
            tz = await self.zone(guild_id)
            today = day_of(now, tz)
            members = await self._store.people.members(guild_id, users)
            epoch = self.epoch(guild_id)
            levels, trouble = await self._gather(guild_id, users, audience, now, tz, members)
            if trouble is None:
                made, trouble = await self._merge(guild_id, audience, today, levels, members, epoch)
                if trouble is None:
                    return {
                        u: Context(
                            user_id=u,
                            text=made.get(u),
                            rung=Rung.CONTEXT if u in made else Rung.NOTHING,
                            facts=tuple(level.facts),
                            parts=level.parts,
                            activity=level.activity,
                            days=level.days,
                            spent=meter.spent,
                        )
                        for u, level in levels.items()
                    }
            log.info("contexts: guild %d answered from what there is (%s)", guild_id, trouble)
            found = await self._ladder(guild_id, audience, today, levels, str(trouble))
        return {u: replace(context, spent=meter.spent) for u, context in found.items()}

    async def _gather(
        self,
        guild_id: int,
        users: Sequence[int],
        audience: int,
        now: datetime,
        tz: ZoneInfo,
        members: Mapping[int, Member],
    ) -> tuple[dict[int, _Levels], AIError | None]:
        """All levels, each as good as could be had, and the first trouble met on the way."""
        today = day_of(now, tz)
        levels, active = await self._known(guild_id, users, audience, now, tz)
        troubles: list[AIError] = []

        async def tried(making: Coroutine[Any, Any, T], instead: Callable[[], Coroutine[Any, Any, T]]) -> T:
            try:
                return await making
            except AIError as failed:
                troubles.append(failed)
                return await instead()

        # Nothing is made for a day on which nobody asked about wrote a word.
        wanted = sorted({(day, heard) for (_, day, heard) in active})
        days = await asyncio.gather(
            *(
                tried(
                    self._days.current(guild_id, heard, now, tz)
                    if day == today
                    else self._days.closed(guild_id, heard, day, tz),
                    partial(self._days.stored, guild_id, heard, day),
                )
                for day, heard in wanted
            )
        )
        made = dict(zip(wanted, days, strict=True))
        audible = await self._audible.audible_in(guild_id, audience)
        noted = {heard: _notes(made, window(today), heard, users) for heard in audible}
        # While all levels together fit, none is shortened: a level's own budget is its share, not a cap.
        whole = {u: _Levels(facts=levels[u].facts, blob=sentences(levels[u].facts)) for u in users}
        for heard in audible:
            for user_id in users:
                _add_parts(whole[user_id], user_id, made, today, heard, composed(noted[heard][user_id]))
        for heard in audible:
            long = {u: notes for u, notes in noted[heard].items() if not whole[u].fits}
            texts = await tried(
                self._history.of(guild_id, heard, today - timedelta(days=1), long, members),
                partial(_as_noted, long),
            )
            for user_id in long:
                _add_parts(levels[user_id], user_id, made, today, heard, texts.get(user_id, ""))
        for user_id, level in levels.items():
            if whole[user_id].fits:
                levels[user_id] = replace(whole[user_id], activity=level.activity)
            elif level.facts:
                member = members.get(user_id) or _unnamed(guild_id, user_id)
                level.blob, failed = await self._facts.blob(guild_id, member, level.facts, audience)
                if failed is not None:
                    troubles.append(failed)
        return levels, troubles[0] if troubles else None

    async def _known(
        self, guild_id: int, users: Sequence[int], audience: int, now: datetime, tz: ZoneInfo
    ) -> tuple[dict[int, _Levels], set[tuple[int, date, int]]]:
        """Facts and activity from the database alone, and who wrote on which day for which audience."""
        heard = await self._audible.audible_in(guild_id, audience)
        facts = await self._store.facts.live(guild_id, users, heard)
        levels = {u: _Levels(facts=told(facts[u], now)) for u in users}
        today = day_of(now, tz)
        days = [*window(today), today]
        spans = [(start, min(end, now)) for start, end in (bounds(day, tz) for day in days)]
        active = set()
        for user_id, span, spoken, count in await self._store.messages.activity(guild_id, heard, users, spans):
            active.add((user_id, days[span], spoken))
            levels[user_id].activity[days[span]] = levels[user_id].activity.get(days[span], 0) + count
        return levels, active

    async def _merge(
        self,
        guild_id: int,
        audience: int,
        today: date,
        levels: Mapping[int, _Levels],
        members: Mapping[int, Member],
        epoch: int,
    ) -> tuple[dict[int, str], AIError | None]:
        """Each member's context; one call for all whose sources do not fit as they are."""
        sources = {u: level.texts for u, level in levels.items() if any(level.texts)}
        texts = {u: unmerged(*texts) for u, texts in sources.items()}
        keys: dict[int, tuple[int | str, ...]] = {
            u: (guild_id, u, *map(fingerprint, texts)) for u, texts in sources.items()
        }
        version = merge(guild_id, today=today, sources={}, cast=Cast((), {})).version
        made_from = {u: fingerprint(*sources[u], version, self._ai.model, str(today)) for u in sources}
        done = {u: text for u, text in texts.items() if len(text) <= CONTEXT_CHARACTERS}
        done |= {u: self._merged[keys[u]] for u in sources if u not in done and keys[u] in self._merged}
        composed_now = [u for u in done if keys[u] not in self._merged]
        if len(done) < len(sources):
            async with self._flights.turn(f"merge {guild_id} {audience}"):
                rest = {u: sources[u] for u in sources if u not in done}
                stored = await self._store.summaries.contexts(guild_id, audience, rest)
                known = {u: d.text for u, d in stored.items() if d.made_from == made_from[u]}
                asked: dict[int, str] = {}
                try:
                    if missing := {u: texts for u, texts in rest.items() if u not in known}:
                        asked = await self._ask(guild_id, today, missing, members)
                except AIError as failed:
                    return {}, failed
                await self._save(guild_id, audience, today, levels, asked, made_from)
            done |= known | asked
        await self._save(guild_id, audience, today, levels, {u: done[u] for u in composed_now}, made_from)
        if epoch == self.epoch(guild_id):  # else it may be of a past that is no more
            for user_id, text in done.items():
                self._merged[keys[user_id]] = text
        return done, None

    async def _save(
        self,
        guild_id: int,
        audience: int,
        today: date,
        levels: Mapping[int, _Levels],
        texts: Mapping[int, str],
        made_from: Mapping[int, str],
    ) -> None:
        if texts:
            now = self._clock()
            made = {
                u: Derived(text=text, made_from=made_from[u], made_at=now, for_date=today) for u, text in texts.items()
            }
            facts = {u: [fact.fact_id for fact in levels[u].facts] for u in texts}
            rests = {u: levels[u].rests for u in texts}
            await self._store.summaries.save_contexts(guild_id, audience, made, facts, rests)

    async def _ask(
        self,
        guild_id: int,
        today: date,
        sources: Mapping[int, tuple[str, str, str]],
        members: Mapping[int, Member],
    ) -> dict[int, str]:
        """The members' contexts; where the model will not merge somebody's sources, they stand as they are, cut."""
        cast = Cast(sources, members)
        try:
            answer = await self._ai.ask(merge(guild_id, today=today, sources=sources, cast=cast))
        except (AIRefused, AIUnusable) as failed:
            if isinstance(failed, AIUnusable) and not failed.cut_off:
                raise
            users = list(sources)
            if len(users) == 1:
                return {u: fit(unmerged(*texts), CONTEXT_CHARACTERS) for u, texts in sources.items()}
            middle = len(users) // 2
            first = await self._ask(guild_id, today, {u: sources[u] for u in users[:middle]}, members)
            return first | await self._ask(guild_id, today, {u: sources[u] for u in users[middle:]}, members)
        veto, forgotten_of = await self._vetoes.forgotten_of(guild_id)
        found = {
            user_id: text
            for merged in answer.value.members
            if (user_id := cast.id(merged.member)) is not None
            and (said := accepted(merged.context, CONTEXT_CHARACTERS))
            and (text := veto.without(said, concerned(said, user_id, forgotten_of)))
        }
        missing = [u for u in sources if u not in found]
        if missing and not found:
            raise AIUnavailable("The AI merged nobody's context.")
        return found | {u: fit(unmerged(*sources[u]), CONTEXT_CHARACTERS) for u in missing}

    async def _without_ai(
        self, guild_id: int, users: Sequence[int], audience: int, now: datetime, trouble: str
    ) -> dict[int, Context]:
        """The ladder from the database alone, at once."""
        tz = await self.zone(guild_id)
        today = day_of(now, tz)
        levels, active = await self._known(guild_id, users, audience, now, tz)
        made: dict[tuple[date, int], Day] = {}
        for day, heard in sorted({(day, heard) for (_, day, heard) in active}):
            made[day, heard] = await self._days.stored(guild_id, heard, day)
        audible = await self._audible.audible_in(guild_id, audience)
        for user_id, level in levels.items():
            level.blob = newest_lines(level.facts, CONTEXT_CHARACTERS)
            for heard in audible:
                notes = _notes(made, window(today), heard, [user_id])[user_id]
                _add_parts(level, user_id, made, today, heard, composed(notes))
        return await self._ladder(guild_id, audience, today, levels, trouble)

    async def _ladder(
        self, guild_id: int, audience: int, today: date, levels: Mapping[int, _Levels], trouble: str
    ) -> dict[int, Context]:
        """Last good context with the facts told since; else facts, then the other levels as they fit."""
        last_good = await self._store.summaries.contexts(guild_id, audience, levels)
        contexts = {}
        for user_id, level in levels.items():
            text, rung = _best(level, last_good.get(user_id), today)
            contexts[user_id] = Context(
                user_id=user_id,
                text=text or None,
                rung=rung,
                facts=tuple(level.facts),
                parts=level.parts,
                activity=level.activity,
                days=level.days,
                trouble=trouble,
            )
        return contexts


def _best(level: _Levels, last_good: Derived | None, today: date) -> tuple[str, Rung]:
    facts, current, before = level.texts
    oldest = today - timedelta(days=WINDOW_DAYS)
    if last_good is not None and last_good.for_date is not None and oldest <= last_good.for_date <= today:
        news = [fact for fact in level.facts if fact.created_at > last_good.made_at]
        since = newest_lines(news, CONTEXT_CHARACTERS // 2)
        dated = "" if last_good.for_date == today else f"As of {last_good.for_date:%Y-%m-%d}: "
        room = CONTEXT_CHARACTERS - len(since) - 1
        return f"{fit(dated + last_good.text, max(room, 100))} {since}".strip(), Rung.LAST_GOOD
    if not current and not before:
        return facts, Rung.FACTS if facts else Rung.NOTHING
    room = CONTEXT_CHARACTERS - len(facts)
    rest = unmerged("", current, before)
    return (f"{facts} {fit(rest, room)}" if room > 100 else facts).strip(), Rung.PARTIAL


def _notes(
    made: Mapping[tuple[date, int], Day], days: Sequence[date], heard: int, users: Sequence[int]
) -> dict[int, Notes]:
    notes: dict[int, list[tuple[date, str]]] = defaultdict(list)
    for user_id in users:
        for day in days:
            if (found := made.get((day, heard), {}).get(user_id)) is not None:
                notes[user_id].append((day, found.summary))
    return {user_id: notes[user_id] for user_id in users}


async def _as_noted(notes: Mapping[int, Notes]) -> dict[int, str]:
    return {user_id: composed(days) for user_id, days in notes.items() if days}


def _add_parts(
    level: _Levels,
    user_id: int,
    made: Mapping[tuple[date, int], Day],
    today: date,
    heard: int,
    before: str,
) -> None:
    place = f", channel {heard}" if heard else ""
    level.rests += [
        (day, heard, made[day, heard][user_id].summary)
        for day in (*window(today), today)
        if user_id in made.get((day, heard), {})
    ]
    if (current := made.get((today, heard), {}).get(user_id)) is not None:
        level.current.append(
            Part(
                level="current day",
                text=current.summary,
                made_from=f"talk of {today}{place}",
                evidence=current.evidence,
            )
        )
    if before:
        days = [day for day in window(today) if user_id in made.get((day, heard), {})]
        evidence = tuple(m for day in days for m in made[day, heard][user_id].evidence)
        level.before.append(
            Part(
                level="days 2-7",
                text=before,
                made_from=f"days {', '.join(map(str, days))}{place}",
                evidence=evidence,
            )
        )


def _unnamed(guild_id: int, user_id: int) -> Member:
    return Member(guild_id=guild_id, user_id=user_id, display_name="the member", username=str(user_id))
