"""What a person has one of at a time (a home, a job, an employer), and which notes show that it changed. Pure."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache

from memory.records import ChangedFact, Fact, Note, NoteKind
from memory.rules.keywords import keywords
from memory.rules.wordlists import texts

MAX_CHANGES = 2
"""The changes of a member that a context tells, at the most."""

_TELLING = frozenset({NoteKind.TRAIT, NoteKind.EVENT, NoteKind.OUTCOME, NoteKind.DECISION})
"""The kinds of notes that say what is so: no plan, no question, nobody's advice."""

_NAMED = frozenset({"location", "company"})
"""What has a name: it is written with a capital, or "moved to the sofa" would be a change of home."""

_WHAT = r"(?P<what>[^.,;:!?()“”\"]{2,60}?)"
_SUBJECT = r"^(?:<@\d+>:? )?"
_KEY_AND_VALUE = re.compile(rf"{_SUBJECT}(?P<key>[^:]{{2,40}}): {_WHAT}$")


@dataclass(frozen=True)
class _Matter:
    """What a sentence says about something that a person has one of; the language where a phrase said so."""

    key: str
    words: frozenset[str]
    language: int | None = None


def changes(facts: Iterable[Fact], notes: Iterable[Note]) -> list[ChangedFact]:
    """The facts of which a later note of the person's own words says something else, the latest note first."""
    told = [
        (note, matters)
        for note in sorted(notes, key=lambda n: (n.at, n.note_id), reverse=True)
        if note.kind in _TELLING and note.superseded_by is None and note.user_id in note.evidence_by
        if (matters := _matters(note.text))
    ]
    if not told:
        return []
    found = []
    for fact in facts:
        known = _matters(fact.value) or _by_key(fact)
        newer = (note for note, now in told if _is_newer(fact, note) and _differs(known, now))
        if (note := next(newer, None)) is not None:
            found.append(ChangedFact(fact=fact, note=note))
    return sorted(found, key=lambda change: change.note.at, reverse=True)[:MAX_CHANGES]


def _is_newer(fact: Fact, note: Note) -> bool:
    return note.user_id == fact.user_id and note.at > fact.last_confirmed_at


def _differs(known: Sequence[_Matter], now: Sequence[_Matter]) -> bool:
    """Whether both are about one matter, in one language, without a word in common."""
    return any(
        one.key == other.key
        and (one.language is None or one.language == other.language)
        and one.words.isdisjoint(other.words)
        for one in known
        for other in now
    )


def _matters(text: str) -> list[_Matter]:
    """What a sentence says, by the longest phrase of each language that it begins with."""
    found = []
    for language, phrases in enumerate(_phrases()):
        match = next(((key, match) for key, phrase in phrases if (match := phrase.match(text))), None)
        if match is not None and (matter := _matter(match[0], match[1]["what"], language)) is not None:
            found.append(matter)
    return found


def _by_key(fact: Fact) -> list[_Matter]:
    """What a fact says that was told as "location: Berlin"."""
    match = _KEY_AND_VALUE.match(fact.value.rstrip("."))
    if match is None or fact.key not in _keys():
        return []
    matter = _matter(fact.key, match["what"], None)
    return [matter] if matter is not None else []


def _matter(key: str, what: str, language: int | None) -> _Matter | None:
    words = frozenset(keywords(what))
    if not words or (key in _NAMED and not re.search(r"(?:^|[\s'’])[^\W\d_a-zà-ÿа-яё]", what)):
        return None
    return _Matter(key, words, language)


@cache
def _tables() -> tuple[Mapping[str, Sequence[str]], ...]:
    return tuple(tomllib.loads(text) for text in texts("matters.toml"))


@cache
def _keys() -> frozenset[str]:
    return frozenset(key for table in _tables() for key in table if key != "adverbs")


@cache
def _phrases() -> tuple[tuple[tuple[str, re.Pattern[str]], ...], ...]:
    """By language, the phrases that begin such a sentence, each with its key; the longest first."""
    return tuple(
        tuple(
            (key, _compiled(phrase, table["adverbs"]))
            for key, phrase in sorted(
                ((key, phrase) for key, phrases in table.items() if key != "adverbs" for phrase in phrases),
                key=lambda pair: -len(pair[1]),
            )
        )
        for table in _tables()
    )


def _compiled(phrase: str, adverbs: Sequence[str]) -> re.Pattern[str]:
    """A phrase as a pattern, with an adverb before it or after its first word."""
    before, gap, after = phrase.partition("…")
    if gap and after and not after.startswith(" "):
        what = rf"(?P<what>\w{{2,30}}?{re.escape(after)})(?!\w)"
    elif gap:
        what = f"{_WHAT}{re.escape(after)}"
    else:
        what = rf"{_WHAT}(?=$|[.,;:!?()“”\"])"
    adverb = rf"(?:(?:{'|'.join(map(re.escape, adverbs))}) )?"
    first, _, rest = before.strip().partition(" ")
    words = f"{re.escape(first)} {adverb}{re.escape(rest)}{' ' if rest else ''}"
    return re.compile(f"{_SUBJECT}{adverb}{words}{what}", re.IGNORECASE)
