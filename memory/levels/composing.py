"""Composes a member's notes as text: all of them while they fit, else the most important ones. Pure."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from datetime import date, datetime
from itertools import pairwise
from zoneinfo import ZoneInfo

from memory.levels.matters import Outcome, courses, outcome
from memory.records import Message, Note, NoteKind
from memory.rules.calendar import day_of
from memory.rules.keywords import keywords
from memory.rules.text import fit, length, numbers_in, one_line

CONTEXT_CHARACTERS = 800
"""A context's length (seed 003, Memory Footprint Analysis)."""

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


def sentence(note: Note, user_id: int) -> str:
    """A note as a sentence of a member's text; a note about somebody else names its subject."""
    text = _clause(note, user_id)
    if note.superseded_by is not None:
        how = "answered" if note.kind in (NoteKind.PROBLEM, NoteKind.QUESTION) else "changed"
        text = f"{text.rstrip('.')} (since then {how})"
    return _ended(text)


def _clause(note: Note, user_id: int) -> str:
    return note.text if note.user_id == user_id else f"<@{note.user_id}> {note.text}"


def _cost(note: Note, user_id: int) -> int:
    """The characters that a note takes at the most, with what may stand between it and what it is told with."""
    goes_on = note.superseded_by is not None or note.kind is NoteKind.MOOD
    return max(length(sentence(note, user_id)) + 1, length(_clause(note, user_id)) + STEP_CHARACTERS * goes_on)


def _ended(text: str) -> str:
    return text if text.endswith((".", "!", "?", "…", "。")) else f"{text}."


def _course_text(course: Sequence[Note], user_id: int, days: Mapping[int, date]) -> str:
    """A matter and what came of it as one sentence; a later step has its day, if that is another."""
    if len(course) == 1:
        return sentence(course[0], user_id)
    told = _clause(course[0], user_id).rstrip(".")
    for before, note in pairwise(course):
        day = "" if days[note.note_id] == days[before.note_id] else f"{days[note.note_id]:%Y-%m-%d}"
        how = outcome(before, note)
        label = day if how is Outcome.CHANGED and day else f"{how} {day}".rstrip()
        told = f"{told} → {label}: {note.text.rstrip('.')}"
    last = replace(course[-1], text=told)
    return sentence(last, last.user_id or 0)


def day_texts(days: Mapping[date, Sequence[Note]], user_id: int) -> dict[date, str]:
    """What is told of each day, in order; a matter that goes on is told whole on the day on which it began."""
    day_of_note = {note.note_id: day for day, notes in days.items() for note in notes}
    told: dict[date, list[str]] = {}
    for course in courses(note for notes in days.values() for note in notes):
        told.setdefault(day_of_note[course[0].note_id], []).append(_course_text(course, user_id, day_of_note))
    return {day: " ".join(texts) for day, texts in sorted(told.items())}


def day_text(notes: Sequence[Note], user_id: int) -> str:
    """One day's notes in the order in which their matters began."""
    return day_texts({date.min: notes}, user_id).get(date.min, "")


def by_day(notes: Iterable[Note], tz: ZoneInfo) -> dict[date, list[Note]]:
    """Notes grouped by the guild's day of their last evidence."""
    found: dict[date, list[Note]] = {}
    for note in sorted(notes, key=lambda n: (n.at, n.note_id)):
        found.setdefault(day_of(note.at, tz), []).append(note)
    return found


def days_text(days: Mapping[date, Sequence[Note]], user_id: int) -> str:
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


def selected(
    notes: Sequence[Note],
    user_id: int,
    limit: int,
    told: str = "",
    *,
    dated: ZoneInfo | None = None,
    most: int | None = None,
) -> list[Note]:
    """The most important notes that fit into `limit` characters, without repeating each other or `told`.

    With `dated`, each day costs its date as well. With `most`, that many at the most.
    """
    chosen: list[Note] = []
    known = set(keywords(told)) | numbers_in(told)
    people = {told_id for note in notes for told_id in note.people if f"<@{told_id}>" in told}
    days: set[date] = set()
    room = limit
    for note in sorted(notes, key=rank, reverse=True):
        day = day_of(note.at, dated) if dated is not None else None
        cost = _cost(note, user_id) + (12 if day is not None and day not in days else 0)
        if cost > room:
            continue
        stems = set(keywords(note.text))
        news = {u for u in (note.user_id, *note.people) if u not in (user_id, None)} - people
        numbers = numbers_in(note.text)
        if stems and len(stems & known) >= REPETITION_SHARE * len(stems) and not news and numbers <= known:
            continue
        if len(chosen) == most:
            break
        room -= cost
        chosen.append(note)
        known |= stems | numbers
        people |= news
        if day is not None:
            days.add(day)
    return sorted(chosen, key=lambda n: (n.at, n.note_id))


def latest_text(messages: Sequence[Message], user_id: int, limit: int, tz: ZoneInfo) -> tuple[str, tuple[int, ...]]:
    """A member's last messages, and those to them, word for word within `limit` characters; and their ids.

    Each with its time; one of somebody else's with its writer. Of the newest as many as there is room for.
    """
    told: list[tuple[int, str]] = []
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


def shortened(notes: Sequence[Note], user_id: int, limit: int, tz: ZoneInfo) -> str:
    """The text of the most important notes, by day, within `limit` characters."""
    return days_text(by_day(selected(notes, user_id, limit, dated=tz), tz), user_id)


def filled(text: str, notes: Sequence[Note], user_id: int, limit: int, tz: ZoneInfo) -> str:
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
