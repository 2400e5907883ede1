"""The second level: notes about people, each slice of talk read once, in one call for all who are in it."""

from __future__ import annotations

import logging
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date, datetime, timedelta
from zoneinfo import ZoneInfo

from cachetools import LRUCache, TTLCache

from memory.ai import AIClient, AIError, AIRefused, AIUnavailable, AIUnusable, Meter, NoAI
from memory.ai.prompts import NotesAnswer, Participants, budget, lines, notes
from memory.generations import Cached, Generations
from memory.levels.checks import Checks, most_telling
from memory.observer import Observer, SliceRead
from memory.records import EVERYONE, FoundNote, Member, Message, Note, Spent
from memory.rules.calendar import bounds, day_of, hour_bucket
from memory.rules.names import Names, in_channels
from memory.rules.suppression import Suppressed
from memory.rules.text import fingerprint, mentioned, tokens, with_names
from memory.single_flight import SingleFlight
from memory.store import Slice, Store, Unread
from memory.suppressions import Suppressions, concerned
from memory.yielding import looked

log = logging.getLogger(__name__)

COOL_DOWN = {AIUnusable: 600, AIUnavailable: 60}
"""Seconds before a day is asked for again whose answer could not be used, or did not come."""

PAUSE = timedelta(minutes=10)
"""How long after a slice of the current day was made it is not read again where it is spoiled.

Twice as long each time it was read again before, up to `LONGEST`: so is one of a closed day, but the first time,
which is at once. Who edits one message all day long costs a few calls and hides one slice.
"""

LONGEST = timedelta(minutes=80)

EARLIER = 60
"""Earlier notes of the day that go along with a slice at the most: the weightiest, then the latest."""

PAUSES = 0.25
"""The share of a run, at its end, in which it may be cut at a pause."""


@dataclass(frozen=True)
class _Context:
    """What a day's slices have in common."""

    guild_id: int
    audience: int
    day: date
    tz: ZoneInfo
    members: Mapping[int, Member]
    names: Names
    shown: Mapping[int, str]
    channels: Mapping[int, str]
    suppressed: Suppressed
    forgotten_of: Mapping[int, Collection[str]]


class Notes:
    """The current day, read on by the hour, and closed days, whatever of them no slice has read yet."""

    def __init__(
        self,
        store: Store,
        ai: AIClient,
        flights: SingleFlight,
        suppressions: Suppressions,
        generations: Generations,
        clock: Callable[[], datetime],
        *,
        call_tokens: int,
        observer: Observer,
    ) -> None:
        self._store = store
        self._observer = observer
        self._ai = ai
        self._flights = flights
        self._suppressions = suppressions
        self._generations = generations
        self._clock = clock
        self._call_tokens = call_tokens
        timer = lambda: clock().timestamp()  # noqa: E731
        self._current: Cached[bool] = generations.cache(TTLCache(10_000, ttl=3_600, timer=timer))
        self._closed: Cached[bool] = generations.cache(LRUCache(10_000))
        self._resting: dict[tuple[int, date, int], tuple[datetime, AIError]] = {}

    @property
    def out(self) -> AIError | None:
        """What is known to keep the model from reading for a good while; None where it may be asked."""
        return self._ai.out

    async def to_read(
        self, guild_id: int, days: Collection[tuple[date, int]], now: datetime, tz: ZoneInfo
    ) -> list[tuple[date, int]]:
        """Those of (day, audience) of which something may be left to read: one look at all of them."""
        unknown = []
        for day, audience in sorted(days):
            cache, key = self._kept(day, now, tz)
            if not cache.get(guild_id, audience, key):
                unknown.append((day, audience))
        if not unknown:
            return []
        generation, spans = self._generations.of(guild_id), []
        for day, audience in unknown:
            start, end = bounds(day, tz)
            spans.append((audience, (start, min(end, now))))
        left = await self._store.notes.with_unread(guild_id, spans)
        for n, (day, audience) in enumerate(unknown):
            if n not in left:
                cache, key = self._kept(day, now, tz)
                cache.put(generation, True, guild_id, audience, key)
        return [one for n, one in enumerate(unknown) if n in left]

    def _kept(self, day: date, now: datetime, tz: ZoneInfo) -> tuple[Cached[bool], object]:
        """Where it is kept, and under which key, that a day was read: the current one within this hour."""
        return (self._closed, day) if day < day_of(now, tz) else (self._current, hour_bucket(now, tz))

    async def read(self, guild_id: int, audience: int, day: date, now: datetime, tz: ZoneInfo) -> bool:
        """Read what of a day's talk no slice has: of the current day once an hour, of a closed one all of it.

        What can be read is, also where a part of it fails. Returns whether nothing is left that must be read within
        the hour. Raises AIError and DatabaseUnavailable.
        """
        cache, key = self._kept(day, now, tz)
        if cache.get(guild_id, audience, key):
            return True
        async with self._flights.turn("day", guild_id, audience, day):
            if cache.get(guild_id, audience, key):
                return True
            generation = self._generations.of(guild_id)
            is_read = await self._read(guild_id, audience, day, now, tz, closed=day < day_of(now, tz))
            if is_read:
                cache.put(generation, True, guild_id, audience, key)
            return is_read

    async def _read(
        self, guild_id: int, audience: int, day: date, now: datetime, tz: ZoneInfo, *, closed: bool
    ) -> bool:
        """Read what may be read now; whether nothing is left that must be read within the hour."""
        start, end = bounds(day, tz)
        span = (start, min(end, now))
        unread = await self._store.notes.unread(guild_id, audience, span)
        if not unread:
            return True
        last = await self._store.notes.read_at(guild_id, audience, day)
        in_hour = not closed and last is not None and hour_bucket(last, tz) == hour_bucket(now, tz)

        def due(one: Unread) -> bool:
            if one.spoiled_at is None:
                return not in_hour
            return now - one.spoiled_at >= _pause_of(one.again, at_once=closed or one.unfinished)

        waiting = any(one.spoiled_at is not None and not due(one) for one in unread)
        runs = [run for found in _runs(unread, due, whole=closed) for run in cut(found, self._call_tokens)]
        if not runs:
            return not waiting
        self._raise_while_resting(guild_id, day, audience)
        context = await self._context(guild_id, audience, day, tz)
        try:
            for run in runs:
                waiting = not await self._slice(context, run) or waiting
        except (AIUnusable, AIUnavailable) as failed:
            if not isinstance(failed, NoAI):
                until = now + timedelta(seconds=COOL_DOWN.get(type(failed), 60))
                self._resting[guild_id, day, audience] = until, failed
            raise
        return not waiting

    def _raise_while_resting(self, guild_id: int, day: date, audience: int) -> None:
        until, trouble = self._resting.pop((guild_id, day, audience), (self._clock(), None))
        if trouble is not None and self._clock() < until:
            self._resting[guild_id, day, audience] = until, trouble
            raise trouble

    async def _context(self, guild_id: int, audience: int, day: date, tz: ZoneInfo) -> _Context:
        suppressed, forgotten_of = await self._suppressions.forgotten_of(guild_id)
        members = await self._store.people.members(guild_id)
        silent = await self._store.consents.silent(guild_id)
        written_about = [m for u, m in members.items() if u not in silent]
        return _Context(
            guild_id=guild_id,
            audience=audience,
            day=day,
            tz=tz,
            members={m.user_id: m for m in written_about},
            names=Names(members.values()),
            shown={m.user_id: m.display_name for m in members.values()},
            channels={
                c.channel_id: c.name
                for c in (await self._store.channels.list(guild_id)).values()
                if c.audience in (EVERYONE, audience)
            },
            suppressed=suppressed,
            forgotten_of=forgotten_of,
        )

    async def _slice(self, context: _Context, messages: Sequence[Message], *, halved: bool = False) -> bool:
        """Read messages in one call and store what they show; in halves, where they are refused or the answer is cut.

        Each part that works is stored at once. What is refused again is recorded as refused, and not asked for again.
        False where messages changed while they were read: they are spoiled, to be read again in a while.
        """
        with Meter().running() as meter:
            try:
                found, dropped = await self._ask(context, messages)
                refused = False
            except AIRefused:
                if len(messages) > 1 and not halved:
                    # What it will not read is mostly in a few lines: half of the talk need not go with them.
                    return all([await self._slice(context, half, halved=True) for half in _halves(messages)])
                log.warning("notes: the AI refused part of %s in guild %d", context.day, context.guild_id)
                found, dropped, refused = [], 0, True
            except AIUnusable as unusable:
                if not unusable.cut_off or len(messages) == 1:
                    raise
                return all([await self._slice(context, half, halved=halved) for half in _halves(messages)])
        return await self._save(context, messages, found, refused=refused, dropped=dropped, spent=meter.spent)

    async def _save(
        self,
        context: _Context,
        messages: Sequence[Message],
        found: Sequence[FoundNote],
        *,
        refused: bool,
        dropped: int,
        spent: Spent,
    ) -> bool:
        made = Slice(
            guild_id=context.guild_id,
            for_date=context.day,
            audience=context.audience,
            from_id=messages[0].message_id,
            through_id=messages[-1].message_id,
            messages=len(messages),
            fingerprint=fingerprint(*(f"{m.message_id}@{m.edited_at}" for m in messages), _VERSION, self._ai.model),
            model=self._ai.model,
            made_at=self._clock(),
            refused=refused,
            dropped=dropped,
            spent=spent,
        )
        if dropped:
            log.info("notes: %d notes of %s in guild %d are not borne out", dropped, context.day, context.guild_id)
        self._observer.slice_read(SliceRead(messages=len(messages), notes=len(found), dropped=dropped))
        return await self._store.notes.save(made, messages, found, context.suppressed.version) is not None

    async def _ask(self, context: _Context, messages: Sequence[Message]) -> tuple[list[FoundNote], int]:
        """The notes of messages that passed the checks, and how many did not."""
        chunk = in_channels(messages)
        tells = await looked(chunk, lambda m: self._tells(context, m.text, {m.user_id}))
        withheld = {m.message_id for m, is_told in zip(chunk, tells, strict=True) if is_told}
        earlier = await self._earlier(context, messages)
        seen = [_withheld(m, withheld) for m in chunk]
        participants = Participants(self._people(context, seen, earlier), context.members)
        answer = await self._ai.ask(
            notes(
                context.guild_id,
                day=context.day,
                tz=context.tz,
                messages=chunk,
                earlier=earlier,
                participants=participants,
                members=context.members,
                channels=context.channels,
                withheld=withheld,
            )
        )
        checks = Checks(seen, participants, context.members, earlier, context.day, context.names)
        return self._passed(context, checks, answer.value, len(messages))

    def _passed(
        self, context: _Context, checks: Checks, answer: NotesAnswer, messages: int
    ) -> tuple[list[FoundNote], int]:
        found: list[FoundNote] = []
        dropped = 0
        for line in lines(answer):
            one = checks.passed(line) if line is not None else None
            if one is None or self._forbidden(context, one.note):
                dropped += 1
                continue
            found.append(one)
        return most_telling(found, budget(messages)), dropped

    def _forbidden(self, context: _Context, note: Note) -> bool:
        """Whether a note tells what was forgotten, or names somebody who is not written about."""
        people = {u for u in (note.user_id, *note.people) if u is not None}
        return context.suppressed.names(note.text) or self._tells(context, note.text, people)

    def _tells(self, context: _Context, text: str, people: Collection[int]) -> bool:
        """Whether a text of or about people tells what was forgotten, by names or by ids."""
        named = with_names(text, context.shown)
        subjects = {u for person in people for u in concerned(named, person, context.forgotten_of)}
        return context.suppressed.tells(named, subjects | set(mentioned(text)))

    async def _earlier(self, context: _Context, messages: Sequence[Message]) -> list[Note]:
        """The notes of the day that came before, as many as go along: the weightiest, then the latest."""
        start, _ = bounds(context.day, context.tz)
        known = await self._store.notes.of(
            context.guild_id, [context.audience], start, messages[0].timestamp + timedelta(microseconds=1)
        )
        kept = sorted(known, key=lambda note: (note.superseded_by is None, note.weight, note.at))[-EARLIER:]
        return sorted(kept, key=lambda note: (note.at, note.note_id))

    def _people(self, context: _Context, messages: Sequence[Message], earlier: Sequence[Note]) -> list[int]:
        """Everyone a note may be about: who writes, is spoken to, mentioned or named, and who was noted earlier."""
        found = [m.user_id for m in messages]
        found += [u for m in messages for u in (*m.addressees, *mentioned(m.text))]
        found += [u for m in messages for u in sorted(context.names.named(m.text))]
        found += [u for note in earlier for u in (note.user_id, *note.people) if u is not None]
        return [u for u in dict.fromkeys(found) if u in context.members]


_VERSION = notes(
    0,
    day=date.min,
    tz=ZoneInfo("UTC"),
    messages=(),
    earlier=(),
    participants=Participants((), {}),
    members={},
    channels={},
).version


def _pause_of(again: int, *, at_once: bool) -> timedelta:
    """How long a spoiled slice rests before it is read once more; `at_once` the first time not at all."""
    if at_once and not again:
        return timedelta(0)
    return min(PAUSE * (1 << min(again, 10)), LONGEST)


def _withheld(message: Message, withheld: Collection[int]) -> Message:
    """A message as the model saw it."""
    if message.message_id not in withheld:
        return message
    return replace(message, text="", addressees=())


def _runs(unread: Sequence[Unread], due: Callable[[Unread], bool], *, whole: bool) -> list[list[Message]]:
    """The messages that are due, in runs with no slice and no message left out between them.

    Unless `whole`, what one slice read before is a run of its own: slices do not grow by being spoiled.
    """
    runs: list[list[Message]] = []
    before: tuple[int, int | None] | None = None
    for one in unread:
        if not due(one):
            before = None
            continue
        here = (one.after, None if whole else one.spoiled)
        if before != here:
            runs.append([])
        runs[-1].append(one.message)
        before = here
    return runs


def cut(messages: Sequence[Message], limit: int) -> list[list[Message]]:
    """`messages` in runs of about `limit` tokens at the most, in order, none empty, cut where talk pauses."""
    made: list[list[Message]] = []
    run: list[Message] = []
    costs: list[int] = []
    total = 0
    for message in messages:
        cost = tokens(message.text[:1_000]) + 6
        if run and total + cost > limit:
            at = _pause([*run, message])
            made.append(run[:at])
            run, costs = run[at:], costs[at:]
            total = sum(costs)
        run.append(message)
        costs.append(cost)
        total += cost
    return [*made, run] if run else made


def _pause(messages: Sequence[Message]) -> int:
    """Before which of the messages at the end of a run the longest pause is."""
    first = max(int(len(messages) * (1 - PAUSES)), 1)
    return max(
        range(first, len(messages)), key=lambda n: (messages[n].timestamp - messages[n - 1].timestamp, n), default=first
    )


def _halves(messages: Sequence[Message]) -> list[Sequence[Message]]:
    middle = len(messages) // 2
    return [messages[:middle], messages[middle:]]
