"""The second level: what each member did on one day, made for all members of a day in one call."""

from __future__ import annotations

import logging
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import date, datetime, timedelta
from zoneinfo import ZoneInfo

from cachetools import LRUCache, TTLCache

from memory.addressing import in_channels
from memory.ai import AIClient, AIError, AIRefused, AIUnavailable, AIUnusable, Meter, NoAI
from memory.ai.prompts import DAILY_CHARACTERS, Cast, accepted, daily
from memory.days import bounds, day_of, hour_bucket
from memory.evidence import Evidence
from memory.marks import Veto
from memory.records import DailySummary, Member, Message, Spent
from memory.single import SingleFlight, drop_guild
from memory.store import DayRun, Store
from memory.text import fingerprint, tokens
from memory.vetoes import Vetoes, concerned

log = logging.getLogger(__name__)

EVIDENCE = 10
"""Messages that a summary names as its source at the most."""

COOL_DOWN = {AIUnusable: 600, AIUnavailable: 60}
"""Seconds before a day is asked for again whose answer could not be used, or did not come."""

REBUILD_PAUSE = timedelta(minutes=10)
"""How long after it was made the current day is not made anew from the whole of it, however much is edited."""

Day = Mapping[int, DailySummary]
"""The summaries of a day, by member."""


@dataclass(frozen=True)
class _Made:
    summaries: dict[int, DailySummary]
    refused: bool
    spent: Spent


class Days:
    """The current day, refreshed by the hour, and closed days, made once from the whole of them."""

    def __init__(
        self,
        store: Store,
        ai: AIClient,
        flights: SingleFlight,
        vetoes: Vetoes,
        clock: Callable[[], datetime],
        *,
        chunk_tokens: int,
    ) -> None:
        self._store = store
        self._vetoes = vetoes
        self._ai = ai
        self._flights = flights
        self._clock = clock
        self._chunk_tokens = chunk_tokens
        timer = lambda: clock().timestamp()  # noqa: E731
        self._current: TTLCache[tuple[int, int, str], Day] = TTLCache(1_000, ttl=3_600, timer=timer)
        self._closed: LRUCache[tuple[int, date, int], Day] = LRUCache(1_000)
        self._drops = 0
        self._resting: dict[tuple[int, date, int], tuple[datetime, AIError]] = {}

    def drop(self, guild_id: int) -> None:
        """Drop what is cached of a guild, or of all for 0: its sources changed."""
        self._drops += 1
        drop_guild(self._current, guild_id)
        drop_guild(self._closed, guild_id)

    async def current(self, guild_id: int, audience: int, now: datetime, tz: ZoneInfo) -> Day:
        """Today's summaries, at most an hour old. Raises AIError and DatabaseUnavailable."""
        key = (guild_id, audience, hour_bucket(now, tz))
        if (cached := self._current.get(key)) is not None:
            return cached
        day = day_of(now, tz)
        async with self._flights.turn(f"day {guild_id} {audience} {day}"):
            if (cached := self._current.get(key)) is not None:
                return cached
            run = (await self._store.summaries.runs(guild_id, audience, [day])).get(day)
            fresh = run is not None and hour_bucket(run.made_at, tz) == key[2]
            drops = self._drops
            summaries, lasting = await self._up_to_date(guild_id, audience, day, tz, run, closed=False, fresh=fresh)
            if lasting and drops == self._drops:  # else it may be of a past that is no more
                self._current[key] = summaries
        return summaries

    async def closed(self, guild_id: int, audience: int, day: date, tz: ZoneInfo) -> Day:
        """A past day's summaries. Raises AIError and DatabaseUnavailable."""
        key = (guild_id, day, audience)
        if (cached := self._closed.get(key)) is not None:
            return cached
        async with self._flights.turn(f"day {guild_id} {audience} {day}"):
            if (cached := self._closed.get(key)) is not None:
                return cached
            run = (await self._store.summaries.runs(guild_id, audience, [day])).get(day)
            drops = self._drops
            summaries, lasting = await self._up_to_date(guild_id, audience, day, tz, run, closed=True, fresh=False)
            if lasting and drops == self._drops:
                self._closed[key] = summaries
        return summaries

    async def stored(self, guild_id: int, audience: int, day: date) -> Day:
        """A day's summaries as they were last made, fresh or not."""
        return await self._store.summaries.day(guild_id, audience, day)

    async def _up_to_date(
        self,
        guild_id: int,
        audience: int,
        day: date,
        tz: ZoneInfo,
        run: DayRun | None,
        *,
        closed: bool,
        fresh: bool,
    ) -> tuple[Day, bool]:
        """The day's summaries, made now where they must be, and whether they are the last word for now."""
        # The digest is read before the messages: a message that goes in between leaves the run stale, not wrong.
        start, end = bounds(day, tz)
        span = (start, min(end, self._clock()))
        source = (await self._store.messages.sources(guild_id, audience, [span]))[0]
        if not source.count:
            return {}, True
        version = daily(
            guild_id, day=day, tz=tz, messages=(), earlier={}, cast=Cast((), {}), members={}, channels={}
        ).version
        made_from = fingerprint(source.digest, version, self._ai.model)
        same_maker = run is not None and run.model == self._ai.model
        unchanged = same_maker and run is not None and await self._unchanged(run, span)
        if run is not None and ((run.made_from == made_from and run.closed >= closed) or (fresh and unchanged)):
            return await self.stored(guild_id, audience, day), True

        if run is not None and not closed and not unchanged and self._clock() - run.made_at < REBUILD_PAUSE:
            # What the change touched is not among them; the rest can be told meanwhile.
            return await self.stored(guild_id, audience, day), False

        earlier: Day = {}
        after_id = 0
        if not closed and run is not None and unchanged:
            earlier, after_id = await self.stored(guild_id, audience, day), run.through_id
        messages = [
            m
            for m in await self._store.messages.of_day(guild_id, audience, span, after_id)
            if m.message_id <= source.last_id
        ]
        key = (guild_id, day, audience)
        until, trouble = self._resting.pop(key, (self._clock(), None))
        if trouble is not None and self._clock() < until:
            self._resting[key] = until, trouble
            raise trouble
        try:
            veto, forgotten_of = await self._vetoes.forgotten_of(guild_id)
            made = await self._make(guild_id, day, tz, messages, earlier, veto, forgotten_of)
        except (AIUnusable, AIUnavailable) as failed:
            if not isinstance(failed, NoAI):
                self._resting[key] = self._clock() + timedelta(seconds=COOL_DOWN[type(failed)]), failed
            raise
        saved = await self._store.summaries.save_day(
            DayRun(
                guild_id=guild_id,
                for_date=day,
                audience=audience,
                closed=closed,
                refused=made.refused,
                made_from=made_from,
                through_id=source.last_id,
                through_digest=source.digest,
                model=self._ai.model,
                spent=made.spent + (run.spent if run is not None else Spent()),
                made_at=self._clock(),
            ),
            made.summaries.values(),
            span,
            veto.version,
        )
        if not saved:
            raise AIUnavailable("The day changed while it was being read.")
        return made.summaries, True

    async def _unchanged(self, run: DayRun, span: tuple[datetime, datetime]) -> bool:
        """Whether the messages a run was made from are still what they were."""
        then = await self._store.messages.sources(run.guild_id, run.audience, [span], run.through_id)
        return then[0].digest == run.through_digest

    async def _make(
        self,
        guild_id: int,
        day: date,
        tz: ZoneInfo,
        messages: Sequence[Message],
        earlier: Day,
        veto: Veto,
        forgotten_of: Mapping[int, Member],
    ) -> _Made:
        """Sum up `messages` on top of `earlier`: chunk by chunk where they exceed the model's budget.

        The words of messages that tell what was forgotten are withheld, and what comes back all the
        same is taken out.
        """
        withheld = {m.message_id for m in messages if veto.tells(m.text, concerned(m.text, m.user_id, forgotten_of))}
        members = await self._store.people.members(guild_id, {m.user_id for m in messages} | set(earlier))
        channels = {c.channel_id: c.name for c in (await self._store.channels.list(guild_id)).values()}
        summaries, refused, stray = dict(earlier), False, 0
        waiting = list(reversed(chunks(messages, self._chunk_tokens)))
        halves: set[int] = set()
        with Meter().running() as meter:
            while waiting:
                chunk = in_channels(waiting.pop())
                cast = Cast([*(m.user_id for m in chunk), *summaries], members)
                prompt = daily(
                    guild_id,
                    day=day,
                    tz=tz,
                    messages=chunk,
                    earlier={user_id: s.summary for user_id, s in summaries.items()},
                    cast=cast,
                    members=members,
                    channels=channels,
                    withheld=withheld,
                )
                try:
                    answer = await self._ai.ask(prompt)
                except AIRefused:
                    if len(chunk) > 1 and chunk[0].message_id not in halves:
                        # What it will not read is mostly in a few lines: half of the talk need not go with them.
                        waiting += (parts := _halves(chunk))
                        halves |= {part[0].message_id for part in map(in_channels, parts)}
                        continue
                    log.warning("daily: the AI refused part of %s in guild %d", day, guild_id)
                    refused = True
                    continue
                except AIUnusable as unusable:
                    if not unusable.cut_off or len(chunk) == 1:
                        raise
                    waiting += _halves(chunk)
                    continue
                evidence = Evidence(chunk, members)
                for told in answer.value.members:
                    user_id = cast.id(told.member)
                    summary = accepted(told.summary, DAILY_CHARACTERS)
                    if user_id is None:
                        continue
                    shown = evidence.about(user_id, told.evidence)
                    stray += len(set(told.evidence)) - len(shown)
                    if told.evidence and not shown:  # it is about somebody else, or about nothing that was said
                        continue
                    summary = veto.without(summary, concerned(summary, user_id, forgotten_of))
                    if not summary:
                        continue
                    before = summaries[user_id].evidence if user_id in summaries else ()
                    kept = tuple(dict.fromkeys((*before, *shown)))[-EVIDENCE:]
                    summaries[user_id] = DailySummary(user_id=user_id, summary=summary, evidence=kept)
        if stray:
            log.info("daily: %d citations of %s in guild %d were of messages about others", stray, day, guild_id)
        return _Made(summaries, refused, meter.spent)


PAUSES = 0.25
"""The share of a chunk, at its end, in which it may be cut at a pause."""


def chunks(messages: Sequence[Message], budget: int) -> list[list[Message]]:
    """`messages` in runs of about `budget` tokens at the most, in order, none empty, cut where talk pauses."""
    made: list[list[Message]] = []
    run: list[Message] = []
    costs: list[int] = []
    for message in messages:
        cost = tokens(message.text[:1_000]) + 6
        if run and sum(costs) + cost > budget:
            cut = _pause([*run, message])
            made.append(run[:cut])
            run, costs = run[cut:], costs[cut:]
        run.append(message)
        costs.append(cost)
    return [*made, run] if run else made


def _pause(messages: Sequence[Message]) -> int:
    """Before which of the messages at the end of a run the longest pause is."""
    first = max(int(len(messages) * (1 - PAUSES)), 1)
    return max(
        range(first, len(messages)), key=lambda n: (messages[n].timestamp - messages[n - 1].timestamp, n), default=first
    )


def _halves(chunk: Sequence[Message]) -> list[list[Message]]:
    """A chunk in two, the first half last: it is what is read next."""
    ordered = sorted(chunk, key=lambda message: message.message_id)
    middle = len(ordered) // 2
    return [ordered[middle:], ordered[:middle]]
