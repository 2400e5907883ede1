"""What a person has one of at a time (a home, a job, an employer), and which notes show that it changed. Pure."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache

from memory.records import ChangedFact, Fact, Note, NoteKind
from memory.rules.folding import folded
from memory.rules.keywords import is_everyday, keywords
from memory.rules.wordlists import listed_words, texts

MAX_CHANGES = 2
"""The changes of a member that a context tells, at the most."""

_TELLING = frozenset({NoteKind.TRAIT, NoteKind.EVENT, NoteKind.OUTCOME, NoteKind.DECISION})
"""The kinds of notes that say what is so: no plan, no question, nobody's advice."""

_NAMED = frozenset({"location", "company"})
"""What has a name: it is written with a capital, or "moved to the sofa" would be a change of home."""

_NO_KEYS = frozenset({"adverbs", "own"})
"""What the phrases have beside the kinds of matters."""

_WHAT = r"(?P<what>[^.,;:!?()“”\"]{2,60}?)"
_SUBJECT = r"^(?:<@\d+>:? ?)?[“\"]?"
_KEY_AND_VALUE = re.compile(rf"{_SUBJECT}(?P<key>[^:]{{2,40}}): {_WHAT}$")


@dataclass(frozen=True)
class Matter:
    """What a sentence says about something that a person has one of; the language where a phrase said so."""

    key: str
    words: frozenset[str]
    language: int | None = None


def changes(facts: Iterable[Fact], notes: Iterable[Note]) -> list[ChangedFact]:
    """The facts of which a later note of the person's own words says something else, the latest note first."""
    told = [
        (note, matters_told)
        for note in sorted(notes, key=lambda n: (n.at, n.note_id), reverse=True)
        if note.kind in _TELLING and note.superseded_by is None and note.user_id in note.evidence_by
        if (matters_told := matters(note.text))
    ]
    if not told:
        return []
    found = []
    for fact in facts:
        known = matters_of(fact)
        newer = (note for note, now in told if _is_newer(fact, note) and differ(known, now))
        if (note := next(newer, None)) is not None:
            found.append(ChangedFact(fact=fact, note=note))
    return sorted(found, key=lambda change: change.note.at, reverse=True)[:MAX_CHANGES]


def _is_newer(fact: Fact, note: Note) -> bool:
    return note.user_id == fact.user_id and note.at > fact.last_confirmed_at


def differ(known: Sequence[Matter], now: Sequence[Matter]) -> bool:
    """Whether both are about one matter, in one language, without a word in common."""
    return any(
        one.key == other.key
        and (one.language is None or one.language == other.language)
        and one.words.isdisjoint(other.words)
        for one in known
        for other in now
    )


def matters(text: str, *, is_strict: bool = True) -> list[Matter]:
    """What a sentence says, by the longest phrase of each language that it begins with.

    With `is_strict`, a place or an employer is one only if it is written with a capital.
    """
    found = []
    for language, phrases in enumerate(_phrases()):
        match = next(((key, match) for key, phrase in phrases if (match := phrase.match(text))), None)
        if (
            match is not None
            and (matter := _matter(match[0], match[1]["what"], language, is_strict=is_strict)) is not None
        ):
            found.append(matter)
    return found


def matters_of(fact: Fact, *, is_strict: bool = True) -> list[Matter]:
    """What a fact says, by its words or as it was told ("location: Berlin")."""
    return matters(fact.value, is_strict=is_strict) or _by_key(fact)


def _by_key(fact: Fact) -> list[Matter]:
    """What a fact says that was told as "location: Berlin"."""
    match = _KEY_AND_VALUE.match(fact.value.rstrip("."))
    if match is None or fact.key not in _keys():
        return []
    matter = _matter(fact.key, match["what"], None, is_strict=True)
    return [matter] if matter is not None else []


def _matter(key: str, what: str, language: int | None, *, is_strict: bool) -> Matter | None:
    words = frozenset(keywords(what))
    if not words or (key in _NAMED and not _may_be_name(what, is_strict=is_strict)):
        return None
    return Matter(key, words, language)


def _may_be_name(what: str, *, is_strict: bool) -> bool:
    """Whether words may name a place or an employer: "Oslo", or "oslo" where that will do, but never "a flat"."""
    has_capital = re.search(r"(?:^|[\s'’])[^\W\d_a-zà-ÿа-яё]", what) is not None
    first = folded(what.split()[0])
    return has_capital or (not is_strict and first not in listed_words("glue.txt") and not is_everyday(first))


@cache
def _tables() -> tuple[Mapping[str, Sequence[str]], ...]:
    return tuple(tomllib.loads(text) for text in texts("matters.toml"))


@cache
def _keys() -> frozenset[str]:
    return frozenset(key for table in _tables() for key in table if key not in _NO_KEYS)


@cache
def _phrases() -> tuple[tuple[tuple[str, re.Pattern[str]], ...], ...]:
    """By language, the phrases that begin such a sentence, each with its key; the longest first."""
    return tuple(
        tuple(
            (key, _compiled(phrase, table["adverbs"], table["own"]))
            for key, phrase in sorted(
                ((key, phrase) for key, phrases in table.items() if key not in _NO_KEYS for phrase in phrases),
                key=lambda pair: -len(pair[1]),
            )
        )
        for table in _tables()
    )


def _compiled(phrase: str, adverbs: Sequence[str], own: Sequence[str]) -> re.Pattern[str]:
    """A phrase as a pattern, with an adverb before it or after its first word, and with "I" before both."""
    before, gap, after = phrase.partition("…")
    if gap and after and not after.startswith(" "):
        what = rf"(?P<what>\w{{2,30}}?{re.escape(after)})(?!\w)"
    elif gap:
        what = f"{_WHAT}{re.escape(after)}"
    else:
        what = rf"{_WHAT}(?=$|[.,;:!?()“”\"])"
    adverb, pronoun = (rf"(?:(?:{'|'.join(map(re.escape, words))}) )?" for words in (adverbs, own))
    first, _, rest = before.strip().partition(" ")
    words = f"{re.escape(first)} {pronoun}{adverb}{re.escape(rest)}{' ' if rest else ''}"
    return re.compile(f"{_SUBJECT}{adverb}{pronoun}{adverb}{words}{what}", re.IGNORECASE)
