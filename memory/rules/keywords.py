"""Keywords: the stems that identify a statement, whatever words surround them. Pure."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterator
from functools import cache, lru_cache

from memory.rules.folding import folded, surface
from memory.rules.text import without_ids
from memory.rules.wordlists import listed_words, table

WORD = re.compile(r"[^\W_]+(?:['’][^\W_]+)*|[\u2600-\u27bf\U0001f300-\U0001faff]+")
_NAMING = frozenset(table("words.toml")["naming"])
CYRILLIC = re.compile(r"[\u0400-\u04ff]")
CJK = re.compile(r"[\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af]")
_SENTENCE = re.compile(r"(?<=[.!?…;])\s++|(?<=[。！？])|(?<!\s)\s++(?=\d{4}-\d\d-\d\d:)")


def _small() -> frozenset[str]:
    """Words that say nothing about a person."""
    return listed_words("small.txt")


def is_everyday(name: str) -> bool:
    """Whether a name consists of everyday words alone, so that it identifies nobody by itself."""
    words = [folded(word) for word, _ in _parts(surface(name))]
    return bool(words) and all(word in _small() or word in listed_words("everyday.txt") for word in words)


def is_common(name: str) -> bool:
    """Whether a name consists of common words, so that it means somebody only where it is written as a name."""
    words = [folded(word) for word, _ in _parts(surface(name))]
    return bool(words) and all(word in _common() for word in words)


@cache
def _common() -> frozenset[str]:
    return _small() | listed_words("everyday.txt") | listed_words("common.txt")


_LAUGHTER = re.compile(r"(?:[ahx]{4,}|[ах]{4,}|[jaei]{6,}|l+o+l+|x+d+)")


def is_chatter(text: str) -> bool:
    """Whether a text tells nothing by itself: laughter, a greeting, a yes."""
    words = [folded(word) for word, _ in _parts(surface(without_ids(text)[:200]))]
    known = listed_words("chatter.txt") | _small()
    return all(word in known or not word.isalpha() or _LAUGHTER.fullmatch(word) for word in words)


def stem(word: str) -> str:
    """A folded word without its ending, as far as one can tell without its language."""
    if len(word) < 5:
        return word[:-1] if len(word) == 4 and CYRILLIC.match(word) else word
    return word[: max(4, len(word) - 2)]


def _parts(text: str) -> Iterator[tuple[str, int]]:
    """The words of a text and where they begin; of one with an apostrophe the longer part ("I'm", "l'avion")."""
    for match in WORD.finditer(text):
        word = match[0]
        yield word if word.isalnum() else max(re.split(r"['’]", word), key=len), match.start()


def keywords(text: str, *, ignore: Collection[str] = (), stemmed: Callable[[str], str] = stem) -> dict[str, bool]:
    """Extract the stems that identify a statement, each with whether it is distinctive.

    A distinctive stem (a proper noun, an emoji, the only keyword there is) is enough to recognise the statement by
    itself. Small words and the names in `ignore` are no keywords. `stemmed` makes a stem of a folded word.
    """
    aside = _small().union(folded(word) for name in ignore for word, _ in _parts(name)) if ignore else _small()
    text = surface(without_ids(text))
    found: dict[str, bool] = {}
    before, end = "", 0
    for word, start in _parts(text):
        previous, before = before, folded(word)
        between, end = text[end:start].rstrip(), start + len(word)
        if before in aside or (len(word) < 2 and word.isalpha()):
            continue
        if previous in _NAMING or not word[0].isalnum():  # what something is called; emoji
            found[stemmed(before)] = True
            continue
        starts = not previous or between.endswith((".", "!", "?", ":", "“", '"', "«"))
        distinctive = word[0].isupper() and not starts and len(word) > 2
        found[stemmed(before)] = found.get(stemmed(before), False) or distinctive
    return dict.fromkeys(found, True) if len(found) == 1 else found


@lru_cache(maxsize=4_096)
def stems_of(text: str) -> frozenset[str]:
    """The stems of a text's keywords, kept for texts that are compared again and again, such as notes."""
    return frozenset(keywords(text))


def sentences_of(text: str) -> list[str]:
    """A text in its sentences."""
    return [part for part in _SENTENCE.split(text) if part]
