"""The second level: notes about people, each slice of talk read once, in one call for all who are in it."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date, datetime, timedelta
from zoneinfo import ZoneInfo

from cachetools import LRUCache, TTLCache

from memory.ai import AIError, AIRefused, AIUnavailable, AIUnusable, Meter, NoAI, Priority, Prompt
from memory.ai.models import AI
from memory.ai.prompts import (
    NotesAnswer,
    Participants,
    budget,
    instructions,
    lines,
    notes,
    readable_at_once,
    written_of,
)
from memory.core import Core
from memory.generations import Cached
from memory.ids import ALL_GUILDS, AudienceId, ChannelId, GuildId, MessageId, UserId
from memory.levels.checks import Checks, most_telling
from memory.levels.quoting import Quoting
from memory.levels.slicing import LINE, PERSON, cut, halves, is_needed, runs_of
from memory.observer import SliceRead
from memory.records import EVERYONE, FoundNote, Member, Message, Note, Spent
from memory.rules.calendar import bounds, day_of, hour_bucket, window
from memory.rules.keywords import keywords
from memory.rules.names import Names, candidates, in_channels
from memory.rules.suppression import Suppressed
from memory.rules.text import fingerprint, mentioned, tokens, with_names
from memory.store import Slice, Unread
from memory.suppressions import concerned
from memory.yielding import map_yielding

log = logging.getLogger(__name__)

COOL_DOWN = {AIUnusable: 600, AIUnavailable: 60}
"""Seconds before a day is asked for again whose answer could not be used, or did not come."""

EARLIER_SHARE = 8
"""The part of a call that earlier notes of the day may take, however much talk there is: an eighth."""

MAX_EARLIER_NOTES = 24
"""Earlier notes of the day that go along with a slice at the most: those that it may go on from come first."""

MIN_EARLIER_TOKENS = 100
"""Tokens that earlier notes may always take, some four of them. Beyond, they take a third as many as the talk."""


@dataclass(frozen=True, kw_only=True)
class DayReading:
    """What came of reading a day."""

    is_read: bool = True
    """Whether nothing is left that must be read within the hour."""
    is_whole: bool = True
    """Whether nothing is left at all."""
    may_be_new: bool = True
    """Whether there may be notes that were not there before."""


UnreadDays = Mapping[tuple[date, AudienceId], int | None]
"""The (day, audience) of which more is to be read, each with its newest slice."""

WAITS = DayReading(is_whole=False, may_be_new=False)
"""What is left is not worth a call yet."""

LATEST_MESSAGES = 30
"""The unread messages by a member, or to them, from which the quoted ones are chosen, at the most."""

FRAME_TOKENS = 200
"""Tokens of a prompt for what stands around its parts: tags, the day, the channels."""

MIN_OUTPUT_TOKENS = 2_000
"""Tokens that every model is thought to write in one answer."""


class _TooLong(Exception):
    """A prompt came out longer than a call may be."""


@dataclass(frozen=True, kw_only=True)
class _Day:
    """A day's talk that is read."""

    guild_id: GuildId
    audience: AudienceId
    day: date
    tz: ZoneInfo
    is_ahead: bool
    """Whether nobody asked for it."""


@dataclass(frozen=True, kw_only=True)
class _Context(_Day):
    """What a day's slices have in common."""

    silent: Collection[UserId]
    channels: Mapping[ChannelId, str]
    suppressed: Suppressed
    forgotten_of: Mapping[UserId, Collection[str]]


@dataclass(frozen=True)
class _Known:
    """Everyone whom the messages of a slice, or what was noted before, could mean."""

    everyone: Mapping[UserId, Member]
    members: Mapping[UserId, Member]
    """Those of them who may be written about."""
    names: Names

    @property
    def shown(self) -> dict[UserId, str]:
        """By which name each goes."""
        return {user_id: member.display_name for user_id, member in self.everyone.items()}


class Notes:
    """The current day, read on by the hour, and closed days, whatever of them no slice has read yet."""

    def __init__(self, core: Core, ai: AI) -> None:
        self._core = core
        self._ai = ai
        self._written = ai.batch_output_tokens
        timer = lambda: core.clock().timestamp()  # noqa: E731
        self._in_hour: Cached[bool] = core.generations.cache(TTLCache(10_000, ttl=3_600, timer=timer))
        self._whole: Cached[bool] = core.generations.cache(LRUCache(10_000))
        self._resting: dict[tuple[int, date, int], tuple[datetime, AIError]] = {}
        self._room = ai.batch_tokens - tokens(instructions("notes")) - FRAME_TOKENS
        self._for_earlier = self._room // EARLIER_SHARE

    @property
    def blocked(self) -> AIError | None:
        """What is known to keep the model from reading for a good while; None where it may be asked."""
        return self._ai.batch.blocked

    async def known(
        self,
        guild_id: GuildId,
        audiences: Collection[AudienceId],
        user_ids: Collection[UserId],
        now: datetime,
        tz: ZoneInfo,
    ) -> tuple[list[Note], UnreadDays, bool]:
        """The window's notes about members or naming them; the days of which more is to be read; and whether some of
        today's talk is in no note yet.

        Nothing is read of a day on which none of them wrote a word, or was spoken to.
        """
        today = day_of(now, tz)
        days = [(day, audience) for day in (*window(today), today) for audience in audiences]
        unknown, has_unread = [], False
        for day, audience in days:
            if (is_whole := self._is_whole(guild_id, audience, day, now, tz)) is None:
                unknown.append((day, audience))
            has_unread = has_unread or (is_whole is False and day == today)
        generation = self._core.generations.current(guild_id)
        spans = []
        for day, audience in unknown:
            start, end = bounds(day, tz)
            spans.append((audience, (start, min(end, now))))
        since, until = bounds(window(today)[0], tz)[0], now + timedelta(microseconds=1)
        known = await self._core.store.notes.known(guild_id, audiences, (since, until), user_ids, spans)
        for n, (day, audience) in enumerate(unknown):
            if n not in known.unread:
                self._keep(generation, guild_id, audience, day, now, tz, is_whole=True)
        found = {unknown[n]: known.active[n] for n in sorted(known.active)}
        return known.notes, found, has_unread or any(day == today for day, _ in found)

    async def latest(
        self,
        guild_id: GuildId,
        audiences: Collection[AudienceId],
        user_ids: Collection[UserId],
        now: datetime,
        tz: ZoneInfo,
    ) -> list[Message]:
        """Today's messages by members or to them that no slice has read, oldest first, as they may be told."""
        start, _ = bounds(day_of(now, tz), tz)
        span = start, now + timedelta(microseconds=1)
        found = await self._core.store.notes.unread_of(guild_id, audiences, user_ids, span, LATEST_MESSAGES)
        if not found:
            return []
        quoting = await Quoting.load(self._core, guild_id, await self._channel_names(guild_id, audiences))
        return await quoting.quotable(found)

    def _is_whole(self, guild_id: GuildId, audience: AudienceId, day: date, now: datetime, tz: ZoneInfo) -> bool | None:
        """Whether nothing of a day is left to be read within this hour; None if that isn't known."""
        whole = self._whole.get(guild_id, audience, day) if day < day_of(now, tz) else None
        return whole or self._in_hour.get(
            guild_id, audience, day, hour_bucket(now, tz, self._ai.batch.hours_between_reads)
        )

    def _keep(
        self,
        generation: int,
        guild_id: GuildId,
        audience: AudienceId,
        day: date,
        now: datetime,
        tz: ZoneInfo,
        *,
        is_whole: bool,
    ) -> None:
        """Keep that a day was read: a closed one for good, if it is whole."""
        if is_whole and day < day_of(now, tz):
            self._whole.save_if_current(generation, True, guild_id, audience, day)
        else:
            bucket = hour_bucket(now, tz, self._ai.batch.hours_between_reads)
            self._in_hour.save_if_current(generation, is_whole, guild_id, audience, day, bucket)

    async def read(
        self,
        guild_id: GuildId,
        audience: AudienceId,
        day: date,
        now: datetime,
        tz: ZoneInfo,
        *,
        is_ahead: bool = False,
        at_once: bool = False,
        seen: int | None = None,
    ) -> DayReading:
        """Read what of a day's talk no slice has: of the current day once an hour, of a closed one all of it.

        Of the current day, little talk waits until there is more of it, or for three hours, unless `at_once`. What was
        read before waits for sixteen. What can be read is, also where a part of it fails.
        `seen` is the newest slice of the day that the caller knows the notes of. What nobody asked for (`is_ahead`)
        comes last in the quota. Raises AIError and DatabaseUnavailable.
        """

        def is_known() -> bool:
            is_whole = self._is_whole(guild_id, audience, day, now, tz)
            return bool(is_whole) or (is_whole is False and not at_once)

        if is_known():
            return DayReading()
        async with self._core.flights.exclusive("day", guild_id, audience, day):
            if is_known():
                return DayReading()
            generation = self._core.generations.current(guild_id)
            start, end = bounds(day, tz)
            unread = await self._core.store.notes.unread(guild_id, audience, (start, min(end, now)))
            read = _Day(guild_id=guild_id, audience=audience, day=day, tz=tz, is_ahead=is_ahead)
            reading = await self._read(read, unread, now, at_once=at_once)
            if unread and unread[0].newest != seen:
                reading = replace(reading, may_be_new=True)  # somebody else read in between
            if reading.is_read:
                self._keep(generation, guild_id, audience, day, now, tz, is_whole=reading.is_whole)
            return reading

    async def _read(self, of: _Day, unread: Sequence[Unread], now: datetime, *, at_once: bool) -> DayReading:
        """Read what may be read now of a day's `unread` messages."""
        if not unread:
            return DayReading()
        runs, is_closed = runs_of(unread), of.day < day_of(now, of.tz)

        def needed_after(last: datetime | None) -> list[list[Unread]]:
            is_due = at_once or is_closed
            return [run for run in runs if is_needed(run, last, now) or (is_due and any(not one.again for one in run))]

        if not needed_after(None):
            return WAITS
        last = await self._core.store.notes.read_at(of.guild_id, of.audience, of.day)
        hours = self._ai.batch.hours_between_reads
        if not is_closed and last is not None and hour_bucket(last, of.tz, hours) == hour_bucket(now, of.tz, hours):
            return WAITS
        if not (needed := needed_after(last)):
            return WAITS
        self._raise_while_resting(of.guild_id, of.day, of.audience)
        context = await self._context(of)
        try:
            are_read = [await self._slice(context, [one.message for one in run]) for run in needed]
        except (AIUnusable, AIUnavailable) as failed:
            if not isinstance(failed, NoAI):
                until = now + timedelta(seconds=COOL_DOWN.get(type(failed), 60))
                self._resting[of.guild_id, of.day, of.audience] = until, failed
            raise
        return DayReading(is_read=all(are_read), is_whole=all(are_read) and len(needed) == len(runs))

    def _raise_while_resting(self, guild_id: GuildId, day: date, audience: AudienceId) -> None:
        until, trouble = self._resting.pop((guild_id, day, audience), (self._core.clock(), None))
        if trouble is not None and self._core.clock() < until:
            self._resting[guild_id, day, audience] = until, trouble
            raise trouble

    async def _context(self, of: _Day) -> _Context:
        suppressed, forgotten_of = await self._core.suppressions.with_subject_names(of.guild_id)
        return _Context(
            **vars(of),
            silent=await self._core.suppressions.silent(of.guild_id),
            channels=await self._channel_names(of.guild_id, (EVERYONE, of.audience)),
            suppressed=suppressed,
            forgotten_of=forgotten_of,
        )

    async def _channel_names(self, guild_id: GuildId, audiences: Collection[AudienceId]) -> dict[ChannelId, str]:
        known = (await self._core.guilds.channels(guild_id)).values()
        return {channel.channel_id: channel.name for channel in known if channel.audience in audiences}

    async def _slice(self, context: _Context, messages: Sequence[Message], *, halved: bool = False) -> bool:
        """Read messages in as few calls as hold them, and store what they show; in halves, where they are refused.

        Each part that works is stored at once. What is refused again is recorded as refused, and not asked for again.
        False where messages changed while they were read: they are to be read again.
        """
        parts = cut(messages, self._room - self._for_earlier, readable_at_once(self._written))
        if len(parts) > 1:
            return all([await self._slice(context, part, halved=halved) for part in parts])
        with Meter().running() as meter:
            try:
                found, dropped = await self._ask(context, messages)
                refused = False
            except _TooLong:
                return all([await self._slice(context, half, halved=halved) for half in halves(messages)])
            except AIRefused:
                if len(messages) > 1 and not halved:
                    # What it will not read is mostly in a few lines: half of the talk need not go with them.
                    return all([await self._slice(context, half, halved=True) for half in halves(messages)])
                log.warning("notes: the AI refused part of %s in guild %d", context.day, context.guild_id)
                found, dropped, refused = [], 0, True
            except AIUnusable as unusable:
                if not unusable.cut_off or len(messages) == 1:
                    raise
                # The model writes less than was thought: what comes next is smaller from the start.
                self._written = max(min(self._written, written_of(len(messages))) // 2, MIN_OUTPUT_TOKENS)
                return all([await self._slice(context, half, halved=halved) for half in halves(messages)])
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
            fingerprint=fingerprint(
                *(f"{m.message_id}@{m.edited_at}" for m in messages), _VERSION, self._ai.batch.model
            ),
            model=self._ai.batch.model,
            made_at=self._core.clock(),
            refused=refused,
            dropped=dropped,
            spent=spent,
        )
        if dropped:
            log.info("notes: %d notes of %s in guild %d are not borne out", dropped, context.day, context.guild_id)
        self._core.observer.slice_read(SliceRead(messages=len(messages), notes=len(found), dropped=dropped))
        return await self._core.store.notes.save(made, messages, found, context.suppressed.version)

    async def _ask(self, context: _Context, messages: Sequence[Message]) -> tuple[list[FoundNote], int]:
        """The notes of messages that passed the checks, and how many did not. Raises _TooLong."""
        chunk = in_channels(messages)
        start, _ = bounds(context.day, context.tz)
        before = messages[-1].timestamp + timedelta(microseconds=1)
        noted = await self._core.store.notes.list_for(context.guild_id, [context.audience], start, before)
        known = await self._known(context, chunk, noted)
        shown = known.shown
        tells = await map_yielding(chunk, lambda m: self._tells(context, shown, m.text, {m.user_id}))
        withheld = {m.message_id for m, is_told in zip(chunk, tells, strict=True) if is_told}
        # Threads: thousands of messages take a second of looking at, in which others are answered.
        prompt, checks = await asyncio.to_thread(self._prompt, context, known, chunk, withheld, noted)
        if prompt.tokens > self._ai.batch_tokens and len(messages) > 1:
            raise _TooLong
        if context.is_ahead:
            prompt = replace(prompt, priority=Priority.AHEAD)
        answer = await self._ai.batch.ask(prompt)
        return await asyncio.to_thread(self._passed, context, shown, checks, answer.value, len(messages))

    async def _known(self, context: _Context, messages: Sequence[Message], noted: Sequence[Note]) -> _Known:
        """Everyone whom messages and earlier notes could mean, however many members the guild has."""

        def meant() -> tuple[set[UserId], set[str]]:
            users = {u for m in messages for u in (m.user_id, *m.addressees, *mentioned(m.text))}
            users |= {u for note in noted for u in (note.user_id, *note.people) if u is not None}
            return users, {name for m in messages for name in candidates(m.text, written_as_names=True)}

        users, names = await asyncio.to_thread(meant)
        everyone = await self._core.store.people.having(context.guild_id, names, users)
        # A name is certain only where nobody else has it.
        theirs = {name for m in everyone.values() for name in (*m.names, *m.former_names)}
        everyone = await self._core.store.people.having(context.guild_id, theirs, everyone)
        return _Known(
            everyone=everyone,
            members={u: member for u, member in everyone.items() if u not in context.silent},
            names=Names(everyone.values()),
        )

    def _prompt(
        self,
        context: _Context,
        known: _Known,
        messages: Sequence[Message],
        withheld: Collection[MessageId],
        noted: Sequence[Note],
    ) -> tuple[Prompt[NotesAnswer], Checks]:
        """What is asked about messages, and what its answer is checked by."""
        seen = [_withheld(m, withheld) for m in messages]
        people = _people(known, seen)
        earlier = self._earlier(noted, people, seen)
        before = [u for note in earlier for u in (note.user_id, *note.people) if u in known.members]
        participants = Participants([*people, *(u for u in before if u is not None)], known.members)
        prompt = notes(
            context.guild_id,
            day=context.day,
            tz=context.tz,
            messages=messages,
            earlier=earlier,
            participants=participants,
            members=known.members,
            channels=context.channels,
            withheld=withheld,
            output_tokens=self._ai.batch_output_tokens,
        )
        channel_names = " ".join(f"#{name} {name}" for name in context.channels.values())
        return prompt, Checks(
            seen, participants, known.members, earlier, context.day, known.names, channel_names=channel_names
        )

    def _passed(
        self, context: _Context, shown: Mapping[UserId, str], checks: Checks, answer: NotesAnswer, messages: int
    ) -> tuple[list[FoundNote], int]:
        found: list[FoundNote] = []
        dropped = 0
        for line in lines(answer):
            one = checks.verify(line) if line is not None else None
            if one is None or self._forbidden(context, shown, one.note):
                dropped += 1
                continue
            found.append(one)
        return most_telling(found, budget(messages)), dropped

    def _forbidden(self, context: _Context, shown: Mapping[UserId, str], note: Note) -> bool:
        """Whether a note tells what was forgotten, or names somebody who is not written about."""
        people = {u for u in (note.user_id, *note.people) if u is not None}
        return context.suppressed.names(note.text) or self._tells(context, shown, note.text, people)

    def _tells(self, context: _Context, shown: Mapping[UserId, str], text: str, people: Collection[UserId]) -> bool:
        """Whether a text of or about people tells what was forgotten, by names or by ids."""
        named = with_names(text, shown)
        subjects = {u for person in people for u in concerned(named, person, context.forgotten_of)}
        return context.suppressed.tells(named, subjects | set(mentioned(text)))

    def _earlier(self, noted: Sequence[Note], people: Collection[UserId], messages: Sequence[Message]) -> list[Note]:
        """The notes of the day before that go along, about who and what is in the slice, as many as there is room for.

        Those that stand first, then those with words of the slice, then the weightiest, then the latest.
        """
        channels = {m.channel_id for m in messages}
        fitting = [
            note for note in noted if note.user_id in people or (not note.user_id and note.channel_id in channels)
        ]
        talk = keywords("\n".join(m.text for m in messages)).keys()

        def rank(note: Note) -> tuple[bool, bool, int, datetime]:
            return note.superseded_by is None, not talk.isdisjoint(keywords(note.text)), note.weight, note.at

        fitting.sort(key=rank, reverse=True)
        kept: list[Note] = []
        talk_tokens = sum(tokens(m.text) + LINE for m in messages)
        room = min(self._for_earlier, max(MIN_EARLIER_TOKENS, talk_tokens // 3))
        for note in fitting[:MAX_EARLIER_NOTES]:
            room -= tokens(note.text) + PERSON * (1 + len(note.people))
            if room < 0:
                break
            kept.append(note)
        return sorted(kept, key=lambda note: (note.at, note.note_id))


def _people(known: _Known, messages: Sequence[Message]) -> dict[UserId, None]:
    """Everyone of the messages a note may be about: who writes, is spoken to, mentioned or named; in order."""
    found = [m.user_id for m in messages]
    found += [u for m in messages for u in (*m.addressees, *mentioned(m.text))]
    found += [u for m in messages for u in sorted(known.names.named(m.text))]
    return dict.fromkeys(u for u in found if u in known.members)


_VERSION = fingerprint(
    instructions("notes"),
    notes(
        ALL_GUILDS,
        day=date.min,
        tz=ZoneInfo("UTC"),
        messages=(),
        earlier=(),
        participants=Participants((), {}),
        members={},
        channels={},
    ).version,
)


def _withheld(message: Message, withheld: Collection[MessageId]) -> Message:
    """A message as the model saw it."""
    if message.message_id not in withheld:
        return message
    return replace(message, text="", addressees=())
