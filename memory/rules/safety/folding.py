"""How a text is looked at: what looks alike counts as alike, and every place in it is known in the text as written."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache

MARK = re.compile(
    r"<(?:@[!&]?|#|a?:\w{1,32}:|t:-?|id:)\w{1,32}(?::[tTdDfFR])?>|</[\w -]{1,100}:\d{1,20}>"
    r"|https?://(?:(?:ptb|canary)\.)?discord(?:app)?\.com/channels/(?:@me|\d{1,20})(?:/\d{1,20}){1,2}"
    r"|https?://(?:cdn|media)\.discordapp\.(?:com|net)/[^\s<>]{1,500}"
)
"""What Discord puts into a text in place of people, roles, channels, emoji, moments, commands, messages and files."""

WINDOW = 4_000
"""Characters that are looked at together: the longest message that Discord takes. Longer texts go in windows."""

OVERLAP = 300
"""Characters that two windows share, so that what lies across their border is found."""

_LOOK_ALIKES = str.maketrans("асеорхуіѕјԁһкмтвнԛԝαοερυνικ", "aceopxyisjdhkmtbhqwaoepyvik")
_LETTERS = str.maketrans("łıøđħŧɛɔƒ", "liodhteof")
"""Letters that are not made of one and a mark, as who has another keyboard writes them."""

_BLANKS = re.compile(r"\s{2,}+")
_MIXED = re.compile(r"(?<!\w)(?=\w{0,40}[a-z])(?=\w{0,40}[\u0370-\u03ff\u0400-\u052f])\w{1,60}")


@dataclass(frozen=True)
class View:
    """A text as it is looked at: `plain` in its case, `folded` without it, place by place as long as each other."""

    plain: str
    folded: str
    offsets: tuple[int, ...] | None
    """Where each character stands in the text as written; None where it is the same place."""

    def span(self, start: int, end: int) -> tuple[int, int]:
        """A stretch of the view as a stretch of the text as written."""
        if self.offsets is None or start >= end:
            return start, end
        return self.offsets[start], self.offsets[end - 1] + 1


@lru_cache(10_000)
def _character(character: str) -> str:
    """What a character shows; nothing where it shows nothing by itself: invisible signs, and marks on letters."""
    if unicodedata.category(character) in ("Cf", "Mn"):
        return ""
    if character.isdigit() and not character.isascii():
        return str(unicodedata.digit(character))
    return unicodedata.normalize("NFKC", character)


@lru_cache(10_000)
def bare(character: str) -> str:
    """One character in lower case without its accents, except й and ё, which are letters of their own."""
    lower = character.lower()
    if len(lower) != 1 or "\u0400" <= lower <= "\u04ff" or "\u3040" <= lower <= "\u30ff" or lower >= "\uac00":
        return lower[:1] or " "
    return unicodedata.normalize("NFKD", lower)[:1].translate(_LETTERS) or " "


def view(text: str) -> View:
    """A text as it is looked at. Discord's marks become blanks, and runs of blanks become one."""
    if "<" in text or "://" in text:
        text = MARK.sub(lambda m: " " * len(m[0]), text)
    if text.isascii() and not _BLANKS.search(text):
        return View(text, text.lower(), None)
    shown = [_character(c) for c in text]
    for run in _BLANKS.finditer(text):
        shown[run.start()] = "\n" if "\n" in run[0] else " "
        shown[run.start() + 1 : run.end()] = [""] * (len(run[0]) - 1)
    plain = "".join(shown)
    offsets = tuple(n for n, c in enumerate(shown) for _ in c)
    folded = "".join(map(bare, plain))
    folded = _MIXED.sub(lambda m: m[0].translate(_LOOK_ALIKES), folded)
    return View(plain, folded, offsets)


def windows(text: str) -> Iterator[tuple[int, str]]:
    """A text in pieces of a message's length, each with where it begins."""
    for start in range(0, len(text) or 1, WINDOW):
        yield start, text[start : start + WINDOW + OVERLAP]


def plain(text: str) -> str:
    """Lower case without accents, look-alikes, Discord's marks and doubled blanks; lines stay lines."""
    composed = unicodedata.normalize("NFC", MARK.sub(" ", text) if "<" in text or "://" in text else text)
    folded = "".join(map(_shown, composed)).replace("’", "'")
    folded = _MIXED.sub(lambda m: m[0].translate(_LOOK_ALIKES), folded) if not folded.isascii() else folded
    return "\n".join(filter(None, (" ".join(line.split()) for line in folded.splitlines())))


@lru_cache(10_000)
def _shown(character: str) -> str:
    """A character in lower case without its accents (but й and ё as they are written); of none, an empty text."""
    kind = unicodedata.category(character)
    if kind == "Cf" or (kind == "Mn" and "؀" <= character <= "ۿ"):
        return ""
    if character.isdigit() and not character.isascii():
        return str(unicodedata.digit(character))
    return "".join(
        c
        if "Ѐ" <= c <= "ӿ" or "぀" <= c <= "ヿ"
        else "".join(d for d in unicodedata.normalize("NFKD", c) if not unicodedata.combining(d)).translate(_LETTERS)
        or c
        for c in unicodedata.normalize("NFKC", character).casefold()
    )


def pieces(text: str) -> Iterator[str]:
    """A text as `plain` has it, in pieces of a message's length."""
    for _, piece in windows(plain(text)):
        yield piece
