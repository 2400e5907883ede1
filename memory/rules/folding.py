"""How texts are compared: what looks alike counts as alike. The one folding of memory; the shown text stays as written.

- `folded`: a word or text without case, marks and invisible signs. Keys, keywords, names and SQL (`compared`) use it.
- `surface`: a text as the eye reads it, in its case: composed, no invisible signs, look-alike letters of one script.
- `disguises`: what else a text may say, without markup, its spaced letters joined, its figures read as letters.
- `plain` and `view`: lines and places as the detectors of secrets, orders and sensitive matters look at them.
"""

from __future__ import annotations

import html
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

WINDOW_OVERLAP = 300
"""Characters that two windows share, so that what lies across their border is found."""

INVISIBLE = (
    "\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b-\u200f\u202a-\u202e\u2060-\u206f\u2800"
    "\u3164\ufe00-\ufe0f\ufeff\uffa0\ufff9-\ufffb\U000e0000-\U000e0fff"
)
"""Signs that show nothing: soft hyphens, joiners, fillers, directions, variation selectors, tags. Part of a pattern."""

MARKS = "\u0300-\u036f"
"""Marks on letters, and strokes through them. Part of a pattern."""

_INVISIBLE = re.compile(f"[{INVISIBLE}]")
_MARKS = re.compile(f"[{MARKS}]")

_TO_LATIN = str.maketrans(
    "асеорхуіѕјԁһкмтвнԛԝАСЕОРХУІЅЈКМТВНαοερυϋνικΑΒΕΖΗΙΚΜΝΟΡΤΥΧ",
    "aceopxyisjdhkmtbhqwACEOPXYISJKMTBHaoepuuvikABEZHIKMNOPTYX",
)
_TO_CYRILLIC = str.maketrans("aceëopxyijkmtbhACEËOPXYIJKMTBH", "асеёорхуіјкмтвнАСЕЁОРХУІЈКМТВН")
"""Letters of one script that look like letters of another. What a fold makes of a word is for comparing alone."""

_FACES = dict(
    [
        *zip("ᴀʙᴄᴅᴇꜰɢʜɪᴊᴋʟᴍɴᴏᴘǫʀꜱᴛᴜᴠᴡʏᴢ", "abcdefghijklmnopqrstuvwyz", strict=True),
        *zip("ꓮꓐꓚꓓꓰꓝꓖꓧꓲꓙꓗꓡꓟꓠꓳꓑꓣꓢꓔꓴꓦꓪꓫꓬꓜ", "ABCDEFGHIJKLMNOPRSTUVWXYZ", strict=True),
        *zip("ɐǝɟƃɥᴉɾʞʅɯɹʇʌʍʎɱҽʂႦꓐ", "aefghirklmrtvwymesbB", strict=True),
        *((chr(first + n), chr(ord("A") + n)) for first in (0x1F150, 0x1F170, 0x1F1E6) for n in range(26)),
    ]
)
"""Letters in another dress that are made of no other letter: small capitals, Lisu, turned, hooked, in boxes, flags."""

_LETTERS = str.maketrans("łıøđħŧɛɔƒ", "liodhteof")
"""Letters that are not made of one and a mark, as who has another keyboard writes them."""

_LATIN = re.compile(r"[a-zA-Z]")
_CYRILLIC_ONLY = re.compile(r"[бвгджзийклмнптфцчшщъыьэюяБГДЖЗИЙЛПУФЦЧШЩЪЫЬЭЮЯ]")
_BLANKS = re.compile(r"\s{2,}+")
_MIXED = re.compile(r"(?<!\w)(?=\w{0,40}[a-zA-Z])(?=\w{0,40}[\u0370-\u03ff\u0400-\u052f])\w{1,60}")
_SPACED = re.compile(r"(?<![^\W_])[^\W_](?P<sign>[ .·•*_-]{1,2})[^\W_](?:(?P=sign)[^\W_]){2,60}(?![^\W_])")
_MARKUP = re.compile(r"[*`\\~|]|</?[a-zA-Z]{1,10}>|&#?\w{1,8};")
_BETWEEN = re.compile(r"[ .·•*_-]+")
_FIGURE = re.compile(r"(?<=[^\W\d_])[013457@$](?=[^\W\d_])")
_FIGURES = str.maketrans("013457@$", "oieastas")


def _one_script(match: re.Match[str]) -> str:
    """A word of mixed scripts in one: that of its letters which look like no others, else Latin."""
    word = match[0]
    cyrillic = len(_CYRILLIC_ONLY.findall(word))
    if cyrillic and cyrillic >= len(re.findall(r"[a-zA-Z]", word.translate(_TO_CYRILLIC))):
        return word.translate(_TO_CYRILLIC)
    return word.translate(_TO_LATIN)


def surface(text: str) -> str:
    """A text as the eye reads it, in its case; the same text where it is written plainly."""
    if text.isascii():
        return text
    text = _INVISIBLE.sub("", text)
    text = "".join(map(_composed, _MARKS.sub("", unicodedata.normalize("NFC", text))))
    return _MIXED.sub(_one_script, text)


@lru_cache(10_000)
def _composed(character: str) -> str:
    """A letter of another width or face as what it shows; what stands for more than two letters is left alone."""
    shown = _FACES.get(character) or unicodedata.normalize("NFKC", character)
    return shown if len(shown) == 1 or (len(shown) <= MOST_UNFOLDED and shown.isalpha()) else character


MOST_UNFOLDED = 2
"""Letters that one character may stand for (ﬁ): some stand for eighteen, and a text of them would be looked at long."""


def folded(text: str) -> str:
    """A word or text for comparing: lower case, without marks, invisible signs and strokes; `compared` in SQL."""
    if text.isascii():
        return text.lower()
    return _folded_word(text) if len(text) <= LONGEST_WORD else _folded(text)


def _folded(text: str) -> str:
    apart = unicodedata.normalize("NFKD", _INVISIBLE.sub("", text).lower())
    return unicodedata.normalize("NFC", _MARKS.sub("", apart)).replace("’", "'")


_folded_word = lru_cache(20_000)(_folded)  # talk repeats its words
LONGEST_WORD = 30
"""Characters of a text whose fold is kept."""


def disguises(text: str) -> tuple[str, ...]:
    """What else a text may say: without markup, its spaced letters joined, its figures inside words read as letters."""
    found = []
    if _MARKUP.search(text):
        text = _MARKUP.sub("", html.unescape(text))
        found.append(text)
    if _SPACED.search(text):
        text = _SPACED.sub(lambda m: _BETWEEN.sub("", m[0]), text)
        found.append(text)
    if _FIGURE.search(text):
        found.append(surface(_FIGURE.sub(lambda m: m[0].translate(_FIGURES), text)))
    return tuple(found)


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
    return _composed(character)


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
    shown = [*map(_character, text)]
    for run in _BLANKS.finditer(text):
        shown[run.start()] = "\n" if "\n" in run[0] else " "
        shown[run.start() + 1 : run.end()] = [""] * (len(run[0]) - 1)
    plain = "".join(shown)
    is_in_place = len(plain) == len(text) and all(shown)
    offsets = None if is_in_place else tuple(n for n, c in enumerate(shown) for _ in c)
    low = "".join(map(bare, plain))
    low = _MIXED.sub(lambda m: m[0].translate(_TO_LATIN), low)
    return View(plain, low, offsets)


def windows(text: str) -> Iterator[tuple[int, str]]:
    """A text in pieces of a message's length, each with where it begins."""
    for start in range(0, len(text) or 1, WINDOW):
        yield start, text[start : start + WINDOW + WINDOW_OVERLAP]


def plain(text: str) -> str:
    """Lower case without accents, look-alikes, Discord's marks and doubled blanks; lines stay lines."""
    composed = unicodedata.normalize("NFC", MARK.sub(" ", text) if "<" in text or "://" in text else text)
    low = "".join(map(_shown, composed)).replace("’", "'")
    low = _MIXED.sub(lambda m: m[0].translate(_TO_LATIN), low) if not low.isascii() else low
    return "\n".join(filter(None, (" ".join(line.split()) for line in low.splitlines())))


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
        else "".join(d for d in _apart(c) if not unicodedata.combining(d)).translate(_LETTERS) or c
        for c in (_composed(character) if len(_composed(character)) == 1 else character).lower().replace("ß", "ss")
    )


def _apart(character: str) -> str:
    """A character as its letter and its marks; what stands for several letters is left alone."""
    several = len(unicodedata.normalize("NFKC", character)) > 1
    return unicodedata.normalize("NFD" if several else "NFKD", character)


def pieces(text: str) -> Iterator[str]:
    """A text as `plain` has it, in pieces of a message's length."""
    for _, piece in windows(plain(text)):
        yield piece
