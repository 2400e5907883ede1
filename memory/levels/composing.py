"""Composes a member's notes as text: all of them while they fit, else the most important ones. Pure."""

from __future__ import annotations

import heapq
import math
from collections.abc import Iterable, Mapping, Sequence
from datetime import date, datetime
from itertools import pairwise
from zoneinfo import ZoneInfo

from memory.ids import MessageId, UserId
from memory.levels.matters import Outcome, courses, outcome, point_of
from memory.records import Message, Note, NoteKind
from memory.rules.calendar import day_of
from memory.rules.keywords import keywords, stems_of
from memory.rules.text import fit, length, mentioned, numbers_in, one_line

CURRENT_CHARACTERS = 300
"""The share of a context that the current day has at the least (seed 003, Daily Summarization)."""

HISTORICAL_CHARACTERS = 500
"""The share of a context that the days before have (seed 003, Historical Summary)."""

LATEST_CHARACTERS = 300
"""The characters of a context that talk which nobody read yet has at the most."""

STEP_CHARACTERS = len(" → given up 2026-11-10: ")
"""The characters between a note and what came of it, at the most."""

REPETITION_SHARE = 0.7
"""The share of a note's stems that are told already above which it is the same point again."""

_FIRST = (NoteKind.OUTCOME, NoteKind.DECISION, NoteKind.PLAN, NoteKind.TRAIT)
"""Kinds that go before others of their weight: how it ended before how it began."""

_LAST = (NoteKind.QUESTION, NoteKind.MOOD)

_OPEN = (NoteKind.PROBLEM, NoteKind.QUESTION, NoteKind.PLAN)
"""Kinds of notes that are a matter to go on with."""

PERSON_VALUE, NUMBER_VALUE, WORD_VALUE, KIND_VALUE = 4.0, 2.0, 0.2, 0.5
"""What a new person, number or word adds to a text, and a kind that goes first, beside a note's weight (1 to 3)."""

MOST_WEIGHT = 3
"""The weight of what will still matter next month: it goes before the rest."""

MAX_NUMBERS = 3
"""New numbers of a note that count: an address has four."""

DATE_CHARACTERS = len("2026-11-10: ")


def sentence(note: Note, user_id: UserId) -> str:
    """A note as a sentence of a member's text; a note about somebody else names its subject."""
    return _ended(note, _clause(note, user_id))


def _clause(note: Note, user_id: UserId) -> str:
    return note.text if note.user_id == user_id else f"<@{note.user_id}> {note.text}"


def _cost(note: Note, user_id: UserId) -> int:
    """The characters that a note takes at the most, with what may stand between it and what it is told with."""
    goes_on = note.superseded_by is not None or note.kind is NoteKind.MOOD
    return max(length(sentence(note, user_id)) + 1, length(_clause(note, user_id)) + STEP_CHARACTERS * goes_on)


def _ended(note: Note, text: str) -> str:
    """A sentence that ends with a note, which may be ended by one that is not told."""
    if note.superseded_by is not None:
        how = "answered" if note.kind in (NoteKind.PROBLEM, NoteKind.QUESTION) else "changed"
        text = f"{text.rstrip('.')} (since then {how})"
    return text if text.endswith((".", "!", "?", "…", "。")) else f"{text}."


def _course_text(course: Sequence[Note], user_id: UserId, days: Mapping[int, date]) -> str:
    """A matter and what came of it as one sentence; a later step has its day, if that is another."""
    if len(course) == 1:
        return sentence(course[0], user_id)
    told = _clause(course[0], user_id).rstrip(".")
    for before, note in pairwise(course):
        day = "" if days[note.note_id] == days[before.note_id] else f"{days[note.note_id]:%Y-%m-%d}"
        how = outcome(before, note)
        label = day if how is Outcome.CHANGED and day else f"{how} {day}".rstrip()
        told = f"{told} → {label}: {note.text.rstrip('.')}"
    return _ended(course[-1], told)


def day_texts(days: Mapping[date, Sequence[Note]], user_id: UserId) -> dict[date, str]:
    """What is told of each day, in order; a matter that goes on is told whole on the day on which it began."""
    day_of_note = {note.note_id: day for day, notes in days.items() for note in notes}
    told: dict[date, list[str]] = {}
    for course in courses(note for notes in days.values() for note in notes):
        told.setdefault(day_of_note[course[0].note_id], []).append(_course_text(course, user_id, day_of_note))
    return {day: " ".join(texts) for day, texts in sorted(told.items())}


def day_text(notes: Sequence[Note], user_id: UserId) -> str:
    """One day's notes in the order in which their matters began."""
    return day_texts({date.min: notes}, user_id).get(date.min, "")


def by_day(notes: Iterable[Note], tz: ZoneInfo) -> dict[date, list[Note]]:
    """Notes grouped by the guild's day of their last evidence."""
    found: dict[date, list[Note]] = {}
    for note in sorted(notes, key=lambda n: (n.at, n.note_id)):
        found.setdefault(day_of(note.at, tz), []).append(note)
    return found


def days_text(days: Mapping[date, Sequence[Note]], user_id: UserId) -> str:
    """The days one after the other, each with its date."""
    return " ".join(f"{day:%Y-%m-%d}: {text}" for day, text in day_texts(days, user_id).items())


def rank(note: Note) -> tuple[bool, int, int, datetime, int]:
    """The sort key of a note's importance: what has a greater one is told first.

    What still stands, then weight, then outcomes before problems, then recency.
    """
    kind = 2 if note.kind in _FIRST else 0 if note.kind in _LAST else 1
    return note.superseded_by is None, note.weight, kind, note.at, note.note_id


def weight_of(notes: Iterable[Note]) -> int:
    """How much notes weigh together; what was answered or changed since weighs nothing."""
    return sum(note.weight for note in notes if note.superseded_by is None)


class _TextSoFar:
    """What a text in the making says already."""

    def __init__(self, text: str, user_id: UserId | None) -> None:
        self._user_id = user_id
        self._stems = set(keywords(text))
        self._numbers = numbers_in(text)
        self._people = set(mentioned(text))

    def repeats(self, note: Note) -> bool:
        """Whether a note makes a point again and adds nobody and no number."""
        stems, numbers, people = self._of(note)
        shared = len(stems & (self._stems | self._numbers))
        return bool(stems) and shared >= REPETITION_SHARE * len(stems) and not people and not numbers

    def value(self, note: Note) -> float:
        """What a note adds: how much it matters, and the people, numbers and words that are new."""
        stems, numbers, people = self._of(note)
        kind = note.kind in _FIRST, note.kind in _LAST
        matters = note.weight + KIND_VALUE * (kind[0] - kind[1])
        news = PERSON_VALUE * len(people) + NUMBER_VALUE * min(len(numbers), MAX_NUMBERS)
        return matters + news + WORD_VALUE * len(stems - self._stems)

    def add(self, note: Note) -> None:
        """Count a note as told."""
        stems, numbers, people = self._of(note)
        self._stems |= stems
        self._numbers |= numbers
        self._people |= people

    def _of(self, note: Note) -> tuple[frozenset[str], set[str], set[UserId]]:
        """A note's stems, its new numbers and its new people."""
        people = {u for u in (note.user_id, *note.people) if u not in (self._user_id, None)} - self._people
        text = point_of(note)
        return stems_of(text), numbers_in(text) - self._numbers, {u for u in people if u is not None}


def selected(
    notes: Sequence[Note], user_id: UserId, limit: int, told: str = "", *, dated: ZoneInfo | None = None
) -> list[Note]:
    """The notes that tell the most in `limit` characters, without repeating each other or `told`.

    What still stands goes before what doesn't. The member's own open matter comes first, then what matters most, then
    whatever adds the most for its length. With `dated`, each day costs its date as well.
    """
    text, chosen, days = _TextSoFar(told, user_id), list[Note](), set[date]()
    room = limit

    def cost(note: Note) -> int:
        is_new_day = dated is not None and day_of(note.at, dated) not in days
        return _cost(note, user_id) + DATE_CHARACTERS * is_new_day

    def key(note: Note) -> tuple[bool, bool, float]:
        return note.superseded_by is not None, note.weight < MOST_WEIGHT, -text.value(note) / cost(note)

    ordered = sorted(notes, key=rank, reverse=True)
    first = next((n for n in ordered if n.user_id == user_id and n.kind in _OPEN and n.superseded_by is None), None)
    queue = [((False, False, -math.inf) if note is first else key(note), n, note) for n, note in enumerate(ordered)]
    heapq.heapify(queue)
    while queue:
        _, n, note = heapq.heappop(queue)
        if text.repeats(note) or cost(note) > room:
            continue
        now = key(note), n, note
        if note is not first and queue and now[:2] > queue[0][:2]:  # it adds less than when it was weighed
            heapq.heappush(queue, now)
            continue
        room -= cost(note)
        chosen.append(note)
        text.add(note)
        if dated is not None:
            days.add(day_of(note.at, dated))
    return sorted(chosen, key=lambda n: (n.at, n.note_id))


def most_important(notes: Iterable[Note], user_id: UserId | None, most: int) -> list[Note]:
    """So many notes at the most, the most important ones, without repeating each other."""
    text, chosen = _TextSoFar("", user_id), list[Note]()
    for note in sorted(notes, key=rank, reverse=True):
        if len(chosen) == most:
            break
        if not text.repeats(note):
            chosen.append(note)
            text.add(note)
    return sorted(chosen, key=lambda n: (n.at, n.note_id))


def latest_text(
    messages: Sequence[Message], user_id: UserId, limit: int, tz: ZoneInfo
) -> tuple[str, tuple[MessageId, ...]]:
    """A member's last messages, and those to them, word for word within `limit` characters; and their ids.

    Each with its time; one of somebody else's with its writer. Of the newest as many as there is room for.
    """
    told: list[tuple[MessageId, str]] = []
    room = limit
    for message in sorted(messages, key=lambda m: m.message_id, reverse=True):
        if user_id not in (message.user_id, *message.addressees):
            continue
        who = "" if message.user_id == user_id else f"<@{message.user_id}>: "
        line = f"{message.timestamp.astimezone(tz):%H:%M} {who}“{message.text}”"
        if length(line) + 1 > room:
            break
        room -= length(line) + 1
        told.append((message.message_id, line))
    told.sort()
    return " ".join(line for _, line in told), tuple(message_id for message_id, _ in told)


def shortened(notes: Sequence[Note], user_id: UserId, limit: int, tz: ZoneInfo) -> str:
    """The text of the most important notes, by day, within `limit` characters."""
    return days_text(by_day(selected(notes, user_id, limit, dated=tz), tz), user_id)


def filled(text: str, notes: Sequence[Note], user_id: UserId, limit: int, tz: ZoneInfo) -> str:
    """`text`, followed by the most important notes that it does not tell, by day, as many as there is room for."""
    more = selected(notes, user_id, limit - length(text) - 1, told=text, dated=tz)
    return f"{text} {days_text(by_day(more, tz), user_id)}".strip()


def within(text: str, limit: int) -> str:
    """`text` within `limit` characters, names counted as they will be: without its last sentences, else cut."""
    text = one_line(text)
    if length(text) <= limit:
        return text
    return fit(text, limit + len(text) - length(text))


def unmerged(facts: str, current: str, before: str) -> str:
    """The three levels as they are, one after the other."""
    named = (("", facts), ("Today: ", current), ("Before: ", before))
    return " ".join(name + text for name, text in named if text)
