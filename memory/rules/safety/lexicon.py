"""Lists of words, looked for in a text in one pass: in a time that grows with the text, not with the lists."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import lru_cache

from memory.rules.folding import plain

UNSPACED = re.compile(r"[\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af]")
"""Scripts whose words have no blanks between them."""

_WORD = re.compile(r"\w+")
_PREFIXES = frozenset("وفبلك")
"""Letters that Arabic writes together with the word after them."""

_GAP = 3
"""Characters between two words of one form at the most."""


@dataclass(frozen=True)
class Hit:
    """A form of a list that stands in a text."""

    name: str
    start: int
    end: int


@dataclass(frozen=True)
class _Form:
    """The words of a form, each with whether it may go on."""

    name: str
    words: tuple[tuple[str, bool], ...]


class Lexicon:
    """Forms by list. `*` in a form stands for any ending, `_` for a blank, a word `*` for any word.

    With `open_ended`, the last word of a form may go on by itself, unless it ends with `$`.
    """

    def __init__(self, lists: Mapping[str, str], *, open_ended: bool = False) -> None:
        self._whole: dict[str, list[_Form]] = {}
        self._begun: dict[str, list[_Form]] = {}
        self._inside: dict[str, list[tuple[str, str]]] = {}
        for name, listed in lists.items():
            for raw in set(listed.split()):
                self._add(name, raw, open_ended=open_ended)
        self._lengths = sorted({len(start) for start in self._begun})
        self._beginning = lru_cache(50_000)(self._found)  # talk repeats its words
        for of in self._inside.values():
            of.sort(key=lambda form: len(form[1]), reverse=True)

    def _add(self, name: str, raw: str, *, open_ended: bool) -> None:
        if UNSPACED.search(raw):
            form = plain(raw.replace("_", " "))
            self._inside.setdefault(form[0], []).append((name, form))
            return
        words = []
        for part in plain(raw.replace("_", " ").replace("*", "\ue000").rstrip("$")).split():
            pieces = re.findall(r"[\w\ue000]+", part)
            words += [(piece.replace("\ue000", ""), piece.endswith("\ue000")) for piece in pieces]
        if not words:
            return
        if open_ended and not raw.endswith("$"):
            words[-1] = (words[-1][0], True)
        form_of = _Form(name, tuple(words))
        first, goes_on = words[0]
        (self._begun if goes_on else self._whole).setdefault(first, []).append(form_of)

    def find(self, text: str) -> Iterator[Hit]:
        """Every form in a text that is folded already, from left to right; of those that begin alike, each."""
        written = _WORD.findall(text)
        begun = [(n, forms) for n, forms in enumerate(map(self._beginning, written)) if forms]
        words = [(m[0], m.start(), m.end()) for m in _WORD.finditer(text)] if begun else []
        for n, forms in begun:
            for form in forms:
                end = self._end(form, words, n)
                if end is not None:
                    yield Hit(form.name, words[n][1], end)
        if self._inside and UNSPACED.search(text):
            yield from self._find_inside(text)

    def _found(self, word: str) -> tuple[_Form, ...]:
        """The forms that may begin with a word, also with letters of Arabic written before it."""
        found = self._of(word)
        if "\u0600" <= word[0] <= "\u06ff" and word[0] in _PREFIXES and len(word) > 2:
            found += self._of(word[1:])
            if word[1] in _PREFIXES and len(word) > 3:
                found += self._of(word[2:])
        return tuple(found)

    def _of(self, word: str) -> list[_Form]:
        begun = (self._begun.get(word[:length], ()) for length in self._lengths if length <= len(word))
        return [*self._whole.get(word, ()), *(form for forms in begun for form in forms)]

    @staticmethod
    def _end(form: _Form, words: list[tuple[str, int, int]], n: int) -> int | None:
        """Where a form ends whose first word stands at a place among the words; None where it does not go on there."""
        end = words[n][2]
        for k, (wanted, goes_on) in enumerate(form.words[1:], n + 1):
            if k >= len(words) or words[k][1] - end > _GAP:
                return None
            if not _is(words[k][0], wanted, goes_on):
                return None
            end = words[k][2]
        return end

    def _find_inside(self, text: str) -> Iterator[Hit]:
        for n, character in enumerate(text):
            for name, form in self._inside.get(character, ()):
                if text.startswith(form, n):
                    yield Hit(name, n, n + len(form))


def _is(word: str, wanted: str, goes_on: bool) -> bool:
    """Whether a word is the one wanted, or begins with it where that may go on."""
    return word.startswith(wanted) if goes_on else word == wanted
