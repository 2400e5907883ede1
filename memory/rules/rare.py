"""Rare words: one that hardly anybody uses may be the name of a thing, though it is written small. Pure.

`NOTICE` says where the list of usual words is from.
"""

from __future__ import annotations

import re

from memory.rules.text import without_ids
from memory.rules.wordlists import by_language, packed_words

ENGLISH = "en"
"""The language whose usual words are listed."""

MIN_LETTERS = 3
"""Letters of a word that may be a name, at the least."""

MIN_PART = 4
"""Letters of each part of a compound, at the least."""

_SMALL = re.compile(rf"(?<![\w@#'’])[a-z]{{{MIN_LETTERS},40}}(?![\w'’])")


def rare_words(text: str) -> set[str]:
    """The words of an English text, written small, that are not usual in any form."""
    return {word for word in _SMALL.findall(without_ids(text)) if not is_usual(word)}


def is_usual(word: str) -> bool:
    """Whether an English word is used by many, as it is, with another ending, or without a beginning ("repacks")."""
    usual, listed = packed_words("usual.txt.gz")[ENGLISH], by_language("words.toml")[ENGLISH]
    begun = {word, *(word.removeprefix(one) for one in listed["beginnings"])}
    stems = {one.removesuffix(end) for one in begun for end in listed["endings"]} - begun
    doubled = {stem[:-1] for stem in stems if stem[-1:] == stem[-2:-1]}
    forms = begun | stems | doubled | {f"{stem}{end}" for stem in stems for end in "ey"}
    return any(form in usual or _is_compound(form, usual) for form in forms if len(form) >= MIN_LETTERS)


def _is_compound(word: str, usual: frozenset[str]) -> bool:
    """Whether a word is two usual ones in one ("colourblind")."""
    return any(word[:n] in usual and word[n:] in usual for n in range(MIN_PART, len(word) - MIN_PART + 1))
