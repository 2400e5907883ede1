"""The top: facts, current day and days 2-7 as what a reply is given, and the fallback levels when AI fails."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Collection, Coroutine, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import date, datetime, timedelta
from typing import Any, TypeVar
from zoneinfo import ZoneInfo

from cachetools import LRUCache

from memory.ai import AIError, AIRefused, AIUnavailable, AIUnusable, Meter
from memory.ai.models import AI
from memory.ai.prompts import Participants, Sources, accepted, historical, merge
from memory.core import Core
from memory.ids import AudienceId, GuildId, MessageId, UserId
from memory.levels.composing import (
    CURRENT_CHARACTERS,
    HISTORICAL_CHARACTERS,
    LATEST_CHARACTERS,
    by_day,
    day_text,
    days_text,
    filled,
    latest_text,
    selected,
    shortened,
    unmerged,
    weight_of,
    within,
)
from memory.levels.facts import Facts
from memory.levels.history import History, Wanted
from memory.levels.matters import with_patterns
from memory.levels.notes import DayReading, Notes, UnreadDays
from memory.levels.periods import MIN_PORTRAIT_CHARACTERS, portrait
from memory.records import (
    CONTEXT_CHARACTERS,
    ChangedFact,
    Context,
    Fact,
    FallbackLevel,
    Given,
    GivenMember,
    Message,
    Note,
    Part,
)
from memory.rules import content_policy
from memory.rules.calendar import WINDOW_DAYS, day_of, hour_end, window
from memory.rules.changes import changes
from memory.rules.fact_texts import current, newest_lines, sentences, source_of
from memory.rules.text import fingerprint, length, mentioned
from memory.store.provenance import Node, node
from memory.store.summaries import Derived
from memory.suppressions import concerned
from memory.validity import Validity

log = logging.getLogger(__name__)

T = TypeVar("T")

MERGED_BESIDE_FACTS = 300
"""Characters of a context that facts leave to what happened, at the least."""

UNREAD_CONTEXT_LIFE = timedelta(minutes=1)
"""How long a context is good of whose days something is still to be read again."""

WEIGHT_KEPT = 0.9
"""The share of the notes' weight that code must find room for, or a model makes one text of them."""

REGULAR_FOR = timedelta(days=2)
"""Somebody who was asked about within this time will likely be asked about again."""

MAX_REGULARS = 30
"""Members whose days before are made along with those of others, at the most."""

LABELS = 20
"""Characters that "Today:" and "Before:" take of a context."""

LEAST_BEFORE = HISTORICAL_CHARACTERS - LABELS
"""The characters of a context that the days before have, however much there is of today."""

PORTRAIT_LABEL, LATEST_LABEL, CHANGED_LABEL = "Earlier: ", "Said today: ", "Perhaps changed: "

LATEST_RESERVE = 160
"""Characters of a context that today's unread talk has at the least."""


@dataclass(kw_only=True)
class _Levels:
    """What each level has about one member, as stored texts."""

    user_id: UserId
    facts: Sequence[Fact] = ()
    left_out: tuple[AudienceId, ...] = ()
    """The audience of each fact that is not for those who read the answer."""
    today: list[Note] = field(default_factory=list)
    earlier: list[Note] = field(default_factory=list)
    older: list[Note] = field(default_factory=list)
    """What is known from before the days."""
    blob: str = ""
    current: str = ""
    before: str = ""
    portrait: str = ""
    changes: Sequence[ChangedFact] = ()
    """The facts that notes show to have changed."""
    unread: Sequence[Message] = ()
    """Today's messages by them or to them that are in no note yet."""
    latest: str = ""
    shown: tuple[MessageId, ...] = ()
    """The unread messages that are told word for word."""
    fingerprint: str = ""
    """Of the levels as they are, where they are too long to be told so."""
    merged: str = ""
    """What a model made of them."""

    @property
    def notes(self) -> tuple[Note, ...]:
        """All notes it was made from, those of the portrait aside."""
        return (*self.earlier, *self.today)

    def notes_of(self, day: date, today: date) -> list[Note]:
        """The notes of the level that a day belongs to."""
        if day == today:
            return self.today
        return self.earlier if day in window(today) else self.older

    @property
    def sources(self) -> list[Node]:
        """What a text of all levels is made from."""
        facts = [node("fact", fact.fact_id) for fact in self.facts]
        return facts + [node("note", note_id) for note in self.notes for note_id in note.note_ids]

    @property
    def together(self) -> str:
        """The levels as they are."""
        return unmerged(self.blob, self.current, self.before)

    @property
    def fits(self) -> bool:
        """Whether all levels together are short enough to be told as they are."""
        return length(self.together) <= CONTEXT_CHARACTERS

    def is_made_from(self, known: str, *, any_model: bool) -> bool:
        """Whether a text of a fingerprint was made from these levels, by the same model, or by any with `any_model`."""
        return known == self.fingerprint or (
            any_model and known.partition(" ")[0] == self.fingerprint.partition(" ")[0]
        )

    def parts(self, today: date, tz: ZoneInfo) -> tuple[Part, ...]:
        """Every level that has something, with where it came from."""
        many = f"{len(self.facts)} fact{'s' if len(self.facts) != 1 else ''}"
        days = ", ".join(map(str, by_day(self.earlier, tz)))
        found = (
            Part(level="facts", text=self.blob, origin=many),
            Part(level="current day", text=self.current, origin=f"talk of {today}", evidence=_shown(self.today)),
            Part(level="current day", text=self.latest, origin="talk that is not read yet", evidence=self.shown),
            Part(level="days 2-7", text=self.before, origin=f"days {days}", evidence=_shown(self.earlier)),
            Part(level="portrait", text=self.portrait, origin="weeks and months", evidence=_shown(self.older)),
        )
        return tuple(part for part in found if part.text)


def _shown(notes: Sequence[Note]) -> tuple[MessageId, ...]:
    return tuple(dict.fromkeys(message for note in notes for message in note.evidence))


@dataclass(frozen=True)
class _Asked:
    """One question for contexts."""

    guild_id: GuildId
    users: tuple[UserId, ...]
    audience: AudienceId
    now: datetime
    tz: ZoneInfo
    audible: tuple[AudienceId, ...]

    @property
    def today(self) -> date:
        """The guild's day now."""
        return day_of(self.now, self.tz)


@dataclass(frozen=True)
class Contexts:
    """Builds the contexts of a conversation's participants, one AI call a level at the most, and caches them."""

    _core: Core
    _ai: AI
    _facts: Facts
    _notes: Notes
    _history: History
    validity: Validity
    _builds: dict[tuple[object, ...], asyncio.Task[dict[UserId, Context]]] = field(default_factory=dict, init=False)
    _lately: LRUCache[tuple[GuildId, AudienceId], dict[UserId, datetime]] = field(
        default_factory=lambda: LRUCache(10_000), init=False
    )
    """By guild and audience, who was asked about and when: the last `MAX_REGULARS`, in this order."""

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
        self, guild_id: GuildId, user_ids: Collection[UserId], audience: AudienceId, *, wait: float
    ) -> dict[UserId, Context]:
        """Every member's context. A build that takes longer than `wait` seconds goes on in the background.

        Raises DatabaseUnavailable: a lost database is never an empty memory.
        """
        now = self._core.clock()
        users = tuple(dict.fromkeys(user_ids))
        if not users:
            return {}
        lately = self._lately.get((guild_id, audience), {})
        asked_about = {u: at for u, at in lately.items() if u not in users} | dict.fromkeys(users, now)
        self._lately[guild_id, audience] = dict(list(asked_about.items())[-MAX_REGULARS:])
        making = self.validity.begin(guild_id)
        key = (guild_id, audience, frozenset(users), making.generation)
        build = self._builds.get(key)
        if build is None:
            build = asyncio.create_task(self._build(guild_id, users, audience, now))
            self._builds[key] = build
            build.add_done_callback(lambda done: self._built(key, done))
        try:
            async with asyncio.timeout(wait):
                made = await asyncio.shield(build)
        except TimeoutError:
            return await self._without_ai(await self._asked(guild_id, users, audience, now), "still being made")
        given = Given(members={u: GivenMember.of_context(context, 0) for u, context in made.items()})
        words = [(u, context.text) for u, context in made.items() if context.text]
        if not await self.validity.is_valid(guild_id, making, given, audience=audience, words=words):
            asked = await self._asked(guild_id, users, audience, now)
            trouble = next((context.trouble for context in made.values() if context.trouble), None)
            return await self._without_ai(asked, trouble or "changed while it was being made")
        return made

    def _built(self, key: tuple[object, ...], done: asyncio.Task[dict[UserId, Context]]) -> None:
        self._builds.pop(key, None)
        if not done.cancelled() and (failed := done.exception()) is not None:
            log.warning("contexts: a build failed (%s)", failed)

    async def _asked(self, guild_id: GuildId, users: tuple[UserId, ...], audience: AudienceId, now: datetime) -> _Asked:
        tz = await self._core.guilds.zone(guild_id)
        return _Asked(guild_id, users, audience, now, tz, await self._core.guilds.audible_in(guild_id, audience))

    async def _build(
        self, guild_id: GuildId, users: tuple[UserId, ...], audience: AudienceId, now: datetime
    ) -> dict[UserId, Context]:
        with Meter().running() as meter:
            asked = await self._asked(guild_id, users, audience, now)
            levels, trouble, is_read = await self._levels(asked)
            made: dict[UserId, str] = {}
            if trouble is None:
                made, trouble = await self._merge(asked, levels)
            if trouble is not None:
                log.info("contexts: guild %d answered from what there is (%s)", guild_id, trouble)
                found = await self._fallback(asked, levels, str(trouble))
            else:
                until = hour_end(now, asked.tz) if is_read else min(now + UNREAD_CONTEXT_LIFE, hour_end(now, asked.tz))
                found = {
                    u: replace(_context(asked, level, made.get(u)), good_until=until) for u, level in levels.items()
                }
        return {u: replace(context, spent=meter.spent) for u, context in found.items()}

    async def _levels(self, asked: _Asked) -> tuple[dict[UserId, _Levels], AIError | None, bool]:
        """All levels, each as complete as possible, the first trouble on the way, and whether nothing is left to read.

        What is left, because it was changed, is read in some minutes.
        """
        levels, days, has_unread = await self._known(asked)
        troubles: list[AIError] = []

        async def tried(making: Coroutine[Any, Any, T]) -> T | None:
            try:
                return await making
            except AIError as failed:
                troubles.append(failed)
                return None

        read: list[DayReading | None] = []
        if days and (out := self._notes.blocked) is not None:
            troubles.append(out)
        elif days:
            read = await asyncio.gather(
                *(
                    tried(self._notes.read(asked.guild_id, audience, day, asked.now, asked.tz, seen=newest))
                    for (day, audience), newest in days.items()
                )
            )
        if any(one is None or one.may_be_new for one in read):
            levels, *_ = await self._known(asked, is_last=True)
        elif days and has_unread:
            await self._add_unread(asked, levels)
        for level in levels.values():
            level.blob = sentences(level.facts)
            _as_they_are(level, asked)
        await self._find_merged(asked, levels)
        long = {u: level for u, level in levels.items() if not level.fits and not level.merged}
        for user_id, level in long.items():
            if level.facts:
                level.blob, failed = await self._facts.blob(asked.guild_id, user_id, level.facts, asked.audience)
                if failed is not None:
                    troubles.append(failed)
        wanted = {u: w for u, level in long.items() if (w := _historical(level, asked)) is not None}
        texts = await tried(
            self._history.build(
                asked.guild_id,
                asked.audience,
                asked.today - timedelta(days=1),
                wanted,
                asked.tz,
                others=lambda: self._regulars(asked, levels, wanted),
            )
        )
        for user_id, of in wanted.items():
            level = long[user_id]
            text = (texts or {}).get(user_id)
            level.before = (
                filled(text, level.earlier, user_id, of.limit, asked.tz)
                if text
                else shortened(level.earlier, user_id, of.limit, asked.tz)
            )
        return levels, troubles[0] if troubles else None, all(one is not None and one.is_read for one in read)

    async def _regulars(
        self, asked: _Asked, levels: Mapping[UserId, _Levels], wanted: Collection[UserId]
    ) -> dict[UserId, Wanted]:
        """The days before of everyone who was asked about lately, as long as today will need them to be.

        They share the call of those whose days are too long already, the `wanted`.
        """
        since = asked.now - REGULAR_FOR
        lately = self._lately.get((asked.guild_id, asked.audience), {})
        more = {u: _Levels(user_id=u) for u, at in lately.items() if at >= since and u not in levels}
        if more:
            await self._add_notes(replace(asked, users=tuple(more)), more)
        more |= {u: level for u, level in levels.items() if u not in wanted}
        return {u: w for u, level in more.items() if (w := _historical_at_least(level, asked.tz)) is not None}

    async def _known(self, asked: _Asked, *, is_last: bool = False) -> tuple[dict[UserId, _Levels], UnreadDays, bool]:
        """What is stored of the members; the days of which something is to be read first; and whether something of
        today is left that nobody read.

        What is left comes along where nothing is to be read first, or nothing will be (`is_last`).
        """
        facts = await self._core.store.facts.live(asked.guild_id, asked.users, None)
        levels = {
            user_id: _Levels(
                user_id=user_id,
                facts=current([fact for fact in live if fact.audience in asked.audible], asked.now),
                left_out=tuple(fact.audience for fact in live if fact.audience not in asked.audible),
            )
            for user_id, live in facts.items()
        }
        days, has_unread = await self._add_notes(asked, levels)
        if has_unread and (is_last or not days):
            await self._add_unread(asked, levels)
        return levels, days, has_unread

    async def _add_notes(self, asked: _Asked, levels: Mapping[UserId, _Levels]) -> tuple[UnreadDays, bool]:
        """Give the levels their notes; what is to be read first, and whether something of today is left."""
        notes, days, has_unread = await self._notes.known(
            asked.guild_id, asked.audible, asked.users, asked.now, asked.tz
        )
        for note in notes:
            for user_id in {note.user_id, *note.people} & set(levels):
                level = levels[user_id] if user_id is not None else None
                if level is not None and note.user_id is not None:
                    level.notes_of(day_of(note.at, asked.tz), asked.today).append(note)
        for level in levels.values():
            level.changes = changes(level.facts, (*level.notes, *level.older))
            level.earlier = with_patterns(level.earlier, asked.tz)
        return days, has_unread

    async def _add_unread(self, asked: _Asked, levels: Mapping[UserId, _Levels]) -> None:
        """Give the levels what is said today and not read yet."""
        unread = await self._notes.latest(asked.guild_id, asked.audible, asked.users, asked.now, asked.tz)
        for user_id, level in levels.items():
            level.unread = [m for m in unread if user_id in (m.user_id, *m.addressees)]

    async def _find_merged(self, asked: _Asked, levels: Mapping[UserId, _Levels]) -> None:
        """Give the levels that are too long what was made of them before, where it was made from the same."""
        long = {u: level for u, level in levels.items() if not level.fits or level.fingerprint}
        if not long:
            return
        nobody = Participants((), {})
        maker = fingerprint(
            historical(asked.guild_id, days={}, limits={}, participants=nobody).version,
            merge(asked.guild_id, today=asked.today, sources={}, participants=nobody).version,
            self._ai.small.model,
        )
        stored = await self._core.store.summaries.contexts(asked.guild_id, asked.audience, long)
        is_out = self._ai.small.blocked is not None  # then what another model made of the same is as good as it gets
        for user_id, level in long.items():
            level.fingerprint = level.fingerprint or f"{fingerprint(level.together, str(asked.today))} {maker}"
            known = stored.get(user_id)
            if known is not None and level.is_made_from(known.fingerprint, any_model=is_out):
                level.merged = known.text

    async def _merge(self, asked: _Asked, levels: Mapping[UserId, _Levels]) -> tuple[dict[UserId, str], AIError | None]:
        """Each member's context; one call for all whose levels are still too long together.

        What was short enough from the first is stored nowhere: it can be had from its levels at any time.
        """
        done = {u: text for u, level in levels.items() if (text := level.merged or level.together)}
        if not (long := {u: level for u, level in levels.items() if level.fingerprint and not level.merged}):
            return done, None
        async with self._core.flights.exclusive("merge", asked.guild_id, asked.audience):
            await self._find_merged(asked, long)
            new = {u: text for u, level in long.items() if not level.merged and (text := _by_code(level, asked.tz))}
            if missing := {u: level for u, level in long.items() if not level.merged and u not in new}:
                try:
                    new |= await self._ask(asked, missing)
                except AIError as failed:
                    return {}, failed
            if new:
                await self._save(asked, levels, new)
        return done | {u: level.merged for u, level in long.items() if level.merged} | new, None

    async def _save(self, asked: _Asked, levels: Mapping[UserId, _Levels], texts: Mapping[UserId, str]) -> None:
        at = self._core.clock()
        made = {
            u: Derived(text=text, fingerprint=levels[u].fingerprint, made_at=at, for_date=asked.today)
            for u, text in texts.items()
        }
        sources = {u: levels[u].sources for u in texts}
        await self._core.store.summaries.save_contexts(asked.guild_id, asked.audience, made, sources)

    async def _ask(self, asked: _Asked, levels: Mapping[UserId, _Levels]) -> dict[UserId, str]:
        """The members' contexts, facts first and whole; what the model will not merge stands as it is, selected."""
        people = {u for level in levels.values() for u in mentioned(level.together)}
        members = await self._core.store.people.members(asked.guild_id, {*levels, *people})
        participants = Participants([*levels, *sorted(people)], members)
        sources = {
            u: Sources(facts=level.blob, current=level.current, before=level.before, limit=_beside(level, asked.tz))
            for u, level in levels.items()
        }
        try:
            answer = await self._ai.small.ask(
                merge(asked.guild_id, today=asked.today, sources=sources, participants=participants)
            )
        except (AIRefused, AIUnusable) as failed:
            if isinstance(failed, AIUnusable) and not failed.cut_off:
                raise
            users = list(levels)
            if len(users) == 1:
                return {u: _selected(level, asked.tz) for u, level in levels.items()}
            middle = len(users) // 2
            first = await self._ask(asked, {u: levels[u] for u in users[:middle]})
            return first | await self._ask(asked, {u: levels[u] for u in users[middle:]})
        suppressed, forgotten_of = await self._core.suppressions.with_subject_names(asked.guild_id)
        found: dict[UserId, str] = {}
        for merged in answer.value.members:
            user_id = participants.id(merged.member)
            if user_id not in levels or user_id is None:
                continue
            level, limit = levels[user_id], sources[user_id].limit
            if text := participants.with_ids(accepted(merged.context, 2 * limit)):
                text = within(content_policy.keep_allowed_sentences(text, level.together, asked.today), limit)
                if text := suppressed.without(text, concerned(text, user_id, forgotten_of)):
                    found[user_id] = f"{level.blob} {filled(text, level.notes, user_id, limit, asked.tz)}".strip()
        if levels and not found:
            raise AIUnavailable("The AI merged nobody's context.")
        return found | {u: _selected(level, asked.tz) for u, level in levels.items() if u not in found}

    async def _without_ai(self, asked: _Asked, trouble: str) -> dict[UserId, Context]:
        """The fallback levels from the database alone, at once."""
        levels, *_ = await self._known(asked, is_last=True)
        return await self._fallback(asked, levels, trouble)

    async def _fallback(self, asked: _Asked, levels: Mapping[UserId, _Levels], trouble: str) -> dict[UserId, Context]:
        """Last good context with the facts told since; else facts, and the notes that fit beside them."""
        for level in levels.values():
            level.blob = sentences(level.facts)
            _as_they_are(level, asked)
        long = [u for u, level in levels.items() if not level.fits]
        last_good = await self._core.store.summaries.contexts(asked.guild_id, asked.audience, long) if long else {}
        blobs = await self._core.store.blobs.get_many(asked.guild_id, asked.audience, long) if long else {}
        contexts = {}
        for user_id, level in levels.items():
            known = blobs.get(user_id)
            if length(level.blob) > CONTEXT_CHARACTERS and known and known.source == source_of(level.facts):
                level.blob = known.text
            else:
                level.blob = newest_lines(level.facts, CONTEXT_CHARACTERS)
            text, fallback = _best(level, last_good.get(user_id), asked)
            context = _context(asked, level, text or None)
            if context.text and fallback is FallbackLevel.NONE:
                fallback = FallbackLevel.PARTIAL
            contexts[user_id] = replace(context, fallback=fallback, trouble=trouble)
        return contexts


def _changed(level: _Levels, tz: ZoneInfo) -> str:
    """What notes say that speaks against facts, with its day."""
    told = (f"“{c.fact.value}” → {day_of(c.note.at, tz)}: “{c.note.text}”." for c in level.changes)
    return f"{CHANGED_LABEL}{' '.join(told)}"


def _context(asked: _Asked, level: _Levels, text: str | None) -> Context:
    """A member's context: what was made of the levels, and the portrait in the room that it leaves."""
    told = text or ""
    if level.changes and length(with_changes := f"{told} {_changed(level, asked.tz)}".strip()) <= CONTEXT_CHARACTERS:
        text = told = with_changes
    room = min(CONTEXT_CHARACTERS - length(told) - len(LATEST_LABEL) - 1, LATEST_CHARACTERS)
    level.latest, level.shown = latest_text(level.unread, level.user_id, room, asked.tz)
    if level.latest:
        text = told = f"{told} {LATEST_LABEL}{level.latest}".strip()
    room = CONTEXT_CHARACTERS - length(told) - len(PORTRAIT_LABEL) - 1
    level.portrait = portrait(level.older, level.user_id, room, asked.tz, told=told)
    if level.portrait:
        text = f"{told} {PORTRAIT_LABEL}{level.portrait}".strip()
    return Context(
        user_id=level.user_id,
        text=text,
        fallback=FallbackLevel.FULL if text else FallbackLevel.NONE,
        facts=tuple(level.facts),
        parts=level.parts(asked.today, asked.tz),
        notes=tuple(n for note in (*level.older, *level.notes) for n in note.note_ids),
        quoted=level.shown,
        changes=tuple(level.changes),
        left_out=level.left_out,
    )


def _as_they_are(level: _Levels, asked: _Asked) -> None:
    """Let the levels tell all their notes; the days before leave a little to a portrait, where they fit at all."""
    level.current = day_text(level.today, level.user_id)
    level.before = days_text(by_day(level.earlier, asked.tz), level.user_id)
    excess = length(level.together) - (length(level.blob) + 1 + _beside(level, asked.tz))
    if (level.older or level.unread or level.changes) and level.fits and 0 < excess < length(level.before):
        level.before = shortened(level.earlier, level.user_id, length(level.before) - excess, asked.tz)


def _beside(level: _Levels, tz: ZoneInfo) -> int:
    """The characters of a context that its facts, and the least of its portrait, leave for the rest."""
    least = MIN_PORTRAIT_CHARACTERS + len(PORTRAIT_LABEL) + 1 if level.older else 0
    least += LATEST_RESERVE + len(LATEST_LABEL) + 1 if level.unread else 0
    least += length(_changed(level, tz)) + 1 if level.changes else 0
    return max(CONTEXT_CHARACTERS - length(level.blob) - 1 - least, MERGED_BESIDE_FACTS)


def _historical(level: _Levels, asked: _Asked) -> Wanted | None:
    """The request for a summary of the days before, where they do not fit; the current day is cut to its share first.

    The room that facts and today leave is the days' own, beyond their share.
    """
    room = _beside(level, asked.tz)
    if length(level.current) > max(CURRENT_CHARACTERS, room - length(level.before) - LABELS):
        share = max(CURRENT_CHARACTERS, room - min(length(level.before), HISTORICAL_CHARACTERS) - LABELS)
        level.current = day_text(selected(level.today, level.user_id, share), level.user_id)
    limit = max(LEAST_BEFORE, room - length(level.current) - LABELS)
    if length(level.before) <= limit:
        return None
    chosen = selected(level.earlier, level.user_id, limit, dated=asked.tz)
    if weight_of(chosen) >= WEIGHT_KEPT * weight_of(level.earlier):
        level.before = days_text(by_day(chosen, asked.tz), level.user_id)
        return None
    return Wanted(notes=level.earlier, limit=limit)


def _historical_at_least(level: _Levels, tz: ZoneInfo) -> Wanted | None:
    """The request for a summary of the days before, as it will be once the current day takes all of its share."""
    chosen = selected(level.earlier, level.user_id, LEAST_BEFORE, dated=tz)
    if weight_of(chosen) >= WEIGHT_KEPT * weight_of(level.earlier):
        return None
    return Wanted(notes=level.earlier, limit=LEAST_BEFORE)


def _selected(level: _Levels, tz: ZoneInfo) -> str:
    """The facts, then the most important notes of today and the days before in the room that they leave."""
    return _chosen(level, tz)[0]


def _by_code(level: _Levels, tz: ZoneInfo) -> str:
    """The levels as one text, where that needs no model: they fit, or little of their weight finds no room."""
    if level.fits:
        return level.together
    text, weight = _chosen(level, tz)
    fits = length(level.blob) <= CONTEXT_CHARACTERS - MERGED_BESIDE_FACTS
    return text if fits and weight >= WEIGHT_KEPT * weight_of(level.notes) else ""


def _chosen(level: _Levels, tz: ZoneInfo) -> tuple[str, int]:
    """The facts and the most important notes within a context, and the weight of these notes."""
    room = _beside(level, tz) - LABELS
    earlier = min(length(level.before), room // 2)
    today = selected(level.today, level.user_id, room - earlier)
    now = day_text(today, level.user_id)
    before = selected(level.earlier, level.user_id, room - length(now), dated=tz)
    text = unmerged(level.blob, now, days_text(by_day(before, tz), level.user_id))
    return text, weight_of([*today, *before])


def _best(level: _Levels, last_good: Derived | None, asked: _Asked) -> tuple[str, FallbackLevel]:
    oldest = asked.today - timedelta(days=WINDOW_DAYS)
    if last_good is not None and last_good.for_date is not None and oldest <= last_good.for_date <= asked.today:
        news = [fact for fact in level.facts if fact.created_at > last_good.made_at]
        since = newest_lines(news, CONTEXT_CHARACTERS // 2)
        dated = "" if last_good.for_date == asked.today else f"As of {last_good.for_date:%Y-%m-%d}: "
        room = CONTEXT_CHARACTERS - length(since) - 1
        return f"{within(dated + last_good.text, max(room, 100))} {since}".strip(), FallbackLevel.LAST_GOOD
    if not level.notes:
        return level.blob, FallbackLevel.FACTS if level.blob else FallbackLevel.NONE
    if level.fits:
        return level.together, FallbackLevel.PARTIAL
    if CONTEXT_CHARACTERS - length(level.blob) <= 100:
        return level.blob, FallbackLevel.PARTIAL
    return within(_selected(level, asked.tz), CONTEXT_CHARACTERS), FallbackLevel.PARTIAL
