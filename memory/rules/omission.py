"""Omission: what a text says without words that nothing bears out, where it still reads well without them. Pure."""

from __future__ import annotations

import re
from collections.abc import Collection
from functools import cache

from memory.rules.support import is_turned
from memory.rules.text import mentioned
from memory.rules.wordlists import by_language, listed_words

LEAST_SHARE = 0.6
"""The share of a text's words that are left, at the least: more would be another text."""

LEAST_WORDS = 3
"""Words that are left, at the least."""

_MARKS = ",.;:!?…)"
_PART = re.compile(r"\d+(?:[.:]\d+)*|[^\W\d_]+\d*|\d+")
_VERSION = re.compile(r"\d{1,20}(?:\.\d{1,20})+")


def without(text: str, words: Collection[str]) -> str | None:
    """`text` without `words`; None where it would no longer read well.

    These go: figures behind a preposition, with it ("is stuck on 9.10"), and a version behind a name ("has Hardy
    8.04"), or between an article and its noun ("a 9.10 install").
    """
    tokens, strange = text.split(), {word.casefold() for word in words}
    before = len(tokens)
    while (first := next((n for n, token in enumerate(tokens) if _has(token, strange)), None)) is not None:
        last = first
        while not tokens[last].endswith(tuple(_MARKS)) and last + 1 < len(tokens) and _has(tokens[last + 1], strange):
            last += 1
        begin = _beginning(tokens, first, last)
        if begin is None:
            return None
        mark = tokens[last][-1] if tokens[last][-1] in _MARKS else ""
        tokens[begin : last + 1] = []
        if mark and begin and tokens[begin - 1][-1] not in _MARKS:
            tokens[begin - 1] += mark
    if tokens:
        tokens[-1] = tokens[-1].rstrip(",;:")
    is_enough = len(tokens) >= max(LEAST_WORDS, LEAST_SHARE * before)
    return " ".join(tokens) if is_enough else None


def _has(token: str, strange: Collection[str]) -> bool:
    plain = token.strip("“”\"'’(" + _MARKS).casefold()
    return not mentioned(token) and (plain in strange or any(part in strange for part in _PART.findall(plain)))


def _beginning(tokens: list[str], first: int, last: int) -> int | None:
    """Where the words to be left out begin, if those from `first` to `last` are; None where they can't be.

    Behind a word that denies, allows or limits something, nothing goes: without it, a text says more.
    """
    has_condition = not _words("conditions").isdisjoint(map(str.casefold, tokens))
    if not first or has_condition or _limits(tokens[:first]):
        return None
    previous = tokens[first - 1]
    behind = tokens[last + 1] if last + 1 < len(tokens) else ""
    ends_phrase = not behind or tokens[last].endswith(tuple(_MARKS)) or behind.casefold() in _small()
    opening = first - 1 if previous.casefold() in _words("prepositions") else None
    if opening is None and first > 1 and previous.casefold() in _words("articles"):
        opening = first - 2 if tokens[first - 2].casefold() in _words("prepositions") else None
    is_range = previous.casefold() in _words("ranges") and _has_figure(tokens[first - 2 : first - 1])  # "from 9 to 5"
    is_range = is_range or (behind.casefold() in _words("ranges") and _has_figure(tokens[last + 2 : last + 3]))
    if opening is not None and ends_phrase and not is_range and _FIGURES.fullmatch(tokens[first].strip(_MARKS)):
        return opening if opening and tokens[opening - 1].casefold() not in _small() else None
    is_version = all(_VERSION.search(token) for token in tokens[first : last + 1])
    if (
        is_version
        and not ends_phrase
        and not _words("articles").isdisjoint(map(str.casefold, tokens[first - 2 : first]))
    ):
        return first
    if is_version and ends_phrase and first > 1 and previous[0].isupper():
        return first if tokens.count(previous) == 1 else None
    return None


def _has_figure(tokens: list[str]) -> bool:
    return any(map(str.isdigit, "".join(tokens)))


def _limits(before: list[str]) -> bool:
    """Whether a text has a word that denies, allows or limits something, before what would be left out."""
    words = " ".join(before)
    return is_turned(words) or not _words("limiting").isdisjoint(words.casefold().replace(",", "").split())


_FIGURES = re.compile(r"[\d.:/-]+(?:am|pm|h)?")
"""Figures, and no name that has some."""


@cache
def _words(part: str) -> frozenset[str]:
    return frozenset(word for table in by_language("words.toml").values() for word in table[part])


@cache
def _small() -> frozenset[str]:
    """Words that no phrase ends with."""
    return (
        listed_words("glue.txt")
        | listed_words("negations.txt")
        | _words("prepositions")
        | _words("articles")
        | _words("joins")
    )
