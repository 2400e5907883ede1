"""What goes on over several days, told once: a point that comes back, and a matter with what came of it. Pure."""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from datetime import datetime
from enum import StrEnum
from functools import cache
from zoneinfo import ZoneInfo

from memory.records import Note, NoteKind
from memory.rules.calendar import WINDOW_DAYS, day_of
from memory.rules.keywords import stems_of
from memory.rules.support import is_turned, names_of
from memory.rules.text import numbers_in
from memory.rules.wordlists import table

MIN_PATTERN_DAYS = 3
"""The days on which a point comes back before it is a pattern, at the least."""

MOST_DAYS = WINDOW_DAYS // 2 + 1
"""Of the days before today, how many are most of them."""

MAX_MORE_WORDS = 2
"""The words that one day's note of a pattern may have beyond the note that stands for it, at the most."""

MIN_WORDS = 2
"""Words of a note that can be part of a pattern, at the least."""

_HOW_OFTEN = re.compile(r" \([^()]{4,30}, \d{4}-\d\d-\d\d to \d{4}-\d\d-\d\d\)$")

_PARTS = ((5, "night"), (12, "morning"), (17, "afternoon"), (24, "evening"))
"""The parts of a day, each with the hour at which it ends."""


_TROUBLES = (NoteKind.PROBLEM, NoteKind.TRIED, NoteKind.QUESTION)


class Outcome(StrEnum):
    """What came of a matter, in the word that contexts have for it."""

    ENDED = "outcome"
    ANSWERED = "answered"
    GIVEN_UP = "given up"
    CHANGED = "then"


def outcome(matter: Note, newer: Note) -> Outcome:
    """What the note that ended a matter says came of it."""
    if matter.kind not in _TROUBLES:  # who plans to stop something gives it up when all goes well
        return Outcome.CHANGED
    if _given_up().match(newer.text):
        return Outcome.GIVEN_UP
    if matter.kind is NoteKind.QUESTION:
        return Outcome.ANSWERED
    return Outcome.ENDED if newer.kind is NoteKind.OUTCOME else Outcome.CHANGED


def courses(notes: Iterable[Note]) -> Iterator[list[Note]]:
    """Each matter's notes in the order in which they followed, by when it began; most have one.

    A note follows what it ended of the same member, and a mood the mood before it.
    """
    ordered = sorted(notes, key=lambda note: (note.at, note.note_id))
    by_id = {note.note_id: note for note in ordered}
    before: dict[int, int] = {}
    moods: dict[int | None, int] = {}
    for note in ordered:
        newer = by_id.get(note.superseded_by or 0)
        if newer is not None and newer.user_id == note.user_id and newer.at >= note.at:
            before[newer.note_id] = note.note_id  # of several that it ended, the last
        if note.kind is NoteKind.MOOD:
            if note.user_id in moods:
                before.setdefault(note.note_id, moods[note.user_id])
            moods[note.user_id] = note.note_id
    after = {old: new for new, old in before.items()}
    for note in ordered:
        if note.note_id in before and after.get(before[note.note_id]) == note.note_id:
            continue
        course = [note]
        while (following := after.get(course[-1].note_id)) is not None and following != note.note_id:
            course.append(by_id[following])
        yield course


def with_patterns(notes: Sequence[Note], tz: ZoneInfo) -> list[Note]:
    """The notes of the days before, with one note for each point that came back on three days or more (seed 003).

    It says on how many days and at what time of the day, and rests on the evidence of them all.
    """
    groups = _groups(notes)
    replaced: dict[int, Note] = {}
    for group in groups:
        if len({day_of(note.at, tz) for note in group}) >= MIN_PATTERN_DAYS:
            replaced |= {note.note_id: _pattern(group, tz) for note in group}
    return list({found.note_id: found for note in notes if (found := replaced.get(note.note_id, note))}.values())


def _groups(notes: Sequence[Note]) -> list[list[Note]]:
    """Notes by the point that they make, the one with the fewest words first; none that ended another."""
    ending = {note.superseded_by for note in notes}
    standing = [note for note in notes if note.superseded_by is None and note.note_id not in ending]
    words = {note.note_id: stems_of(note.text) for note in standing}
    often = Counter(word for found in words.values() for word in found)
    groups: list[list[Note]] = []
    by_word: dict[str, list[int]] = defaultdict(list)  # by the rarest of the words that all notes of a group have
    for note in sorted(standing, key=lambda note: (len(words[note.note_id]), note.at, note.note_id)):
        own = words[note.note_id]
        if len(own) < MIN_WORDS:
            continue
        near = (n for word in own for n in by_word[word])
        fitting = (n for n in near if _is_same_point(groups[n][0], note, words))
        if (number := next(fitting, None)) is not None:
            groups[number].append(note)
            continue
        by_word[min(own, key=lambda word: (often[word], word))].append(len(groups))
        groups.append([note])
    return groups


def _is_same_point(one: Note, other: Note, words: Mapping[int, frozenset[str]]) -> bool:
    """Whether a note says what one with fewer words says, and little else: no other person, name, number or "not"."""
    fewer, more = words[one.note_id], words[other.note_id]
    return (
        fewer <= more
        and len(more) - len(fewer) <= MAX_MORE_WORDS
        and (one.user_id, one.kind) == (other.user_id, other.kind)
        and (one.user_id is not None or one.channel_id == other.channel_id)
        and set(one.people) == set(other.people)
        and numbers_in(one.text) == numbers_in(other.text)
        and names_of(one.text) == names_of(other.text)
        and is_turned(one.text) == is_turned(other.text)
    )


def point_of(note: Note) -> str:
    """What a pattern's notes say, without how often they said it; any other note's text."""
    return _HOW_OFTEN.sub("", note.text) if note.repeats else note.text


def _pattern(group: Sequence[Note], tz: ZoneInfo) -> Note:
    ordered = sorted(group, key=lambda note: (note.at, note.note_id))
    days = sorted({day_of(note.at, tz) for note in ordered})
    parts = {_part(note.at, tz) for note in ordered}
    unit = f"{parts.pop()}s" if len(parts) == 1 else "days"
    often = f"most {unit}" if len(days) >= MOST_DAYS else f"on {len(days)} {unit}"
    latest = ordered[-1]
    return replace(
        latest,
        text=f"{group[0].text.rstrip('.')} ({often}, {days[0]} to {days[-1]})",
        weight=min(max(note.weight for note in group) + 1, 3),
        evidence=tuple(dict.fromkeys(message for note in ordered for message in note.evidence)),
        evidence_by=tuple(dict.fromkeys(user for note in ordered for user in note.evidence_by)),
        repeats=tuple(note.note_id for note in ordered[:-1]),
    )


def _part(at: datetime, tz: ZoneInfo) -> str:
    hour = at.astimezone(tz).hour
    return next(part for end, part in _PARTS if hour < end)


@cache
def _given_up() -> re.Pattern[str]:
    """How a note begins that says that its person gave something up, in any language."""
    phrases = sorted(table("words.toml")["given_up"], key=len, reverse=True)
    return re.compile(rf"(?:{'|'.join(map(re.escape, phrases))})(?!\w)", re.IGNORECASE)
