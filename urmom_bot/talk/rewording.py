"""What somebody told just now, as they put it right: "no, the 13th", "not tea but coffee", "I meant I ski". Pure."""

from __future__ import annotations

import re
from functools import cache

from memory.rules.questions import of_oneself
from urmom_bot.languages import languages
from urmom_bot.talk import grammar, people

MAX_WORDS = 30
"""Words of a correction at the most."""

MAX_SHORT = 3
"""Letters of words that say nothing by themselves beside a number ("the", "on", "am")."""

MIN_WORDS, MIN_SAME = 3, 0.4
"""A statement put anew has so many words, and this share of them stood in what was told."""

_NUMBER = re.compile(r"(?<![\w<@#&!])\d\w*(?:[.:/-]\w+)*")
_ORDINAL = re.compile(r"\d{1,9}-?(?:st|nd|rd|th|e|er|го|е)", re.IGNORECASE)


def reworded(statement: str, correction: str) -> str | None:
    """A statement as a correction wants it; None if it corrects nothing in it, or leaves open what."""
    text = correction.strip(" .!")
    if grammar.is_question(correction) or len(text.split()) > MAX_WORDS:
        return None
    opening = _correcting().match(text)
    rest = text[opening.end() :].strip() if opening is not None else ""
    exchanged = _exchanged(statement, rest) or _exchanged(statement, text)
    return exchanged or _renumbered(statement, rest) or _restated(statement, rest)


def opens_another(text: str) -> bool:
    """Whether a message begins like a question that goes on from another ("and bob")."""
    opening, _, rest = text.strip().partition(" ")
    return bool(rest) and _bare(opening) in _further()


def _exchanged(statement: str, correction: str) -> str | None:
    """With other words for some of its own ("not tea but coffee", "I have three cats, not two")."""
    for pattern in _instead():
        if (found := pattern.fullmatch(correction)) is None:
            continue
        old, new = _behind(found["new"], found["old"]), _behind(statement, found["new"])
        spots = list(re.finditer(rf"(?<!\w){re.escape(old)}(?!\w)", statement, re.IGNORECASE))
        is_other = not of_oneself(new) and not _words(old) & _words(found["new"])
        if len(spots) == 1 and is_other and not _correcting().fullmatch(new):
            after = statement[spots[0].end() :]
            follows = next((_bare(word) for word in after.split()), "")
            kept = new.rsplit(" ", 1)[0] if _bare(new.split()[-1]) == follows else new
            return f"{statement[: spots[0].start()]}{kept}{after}"
    return None


def _behind(text: str, words: str) -> str:
    """What follows the words that a text has as well ("I play bass" beside "I play drums": "bass")."""
    known, rest = _words(text), words.strip(" ,").split()
    while len(rest) > 1 and _bare(rest[0]) in known:
        rest.pop(0)
    return " ".join(rest)


def _renumbered(statement: str, rest: str) -> str | None:
    """With the number behind a word that corrects ("no, the 13th"), if both have one and no other.

    Beside it stand words of the statement and short ones alone: "no, 13 people came" is about something else.
    """
    old, new = _NUMBER.findall(statement), _NUMBER.findall(rest)
    if len(old) != 1 or len(new) != 1 or old == new:
        return None
    stated = _words(statement)
    if any(len(bare) > MAX_SHORT and bare not in stated for bare in map(_bare, rest.replace(new[0], " ").split())):
        return None
    has_unit = new[0].isdigit() and not _ORDINAL.fullmatch(old[0])
    return statement.replace(old[0], new[0] + (old[0].lstrip("0123456789.:/-") if has_unit else ""), 1)


def _restated(statement: str, rest: str) -> str | None:
    """As it is told anew behind a word that corrects ("no, I live in Oslo"), if that is about the same."""
    words, stated = [_bare(word) for word in rest.split()], _words(statement)
    if len(words) < MIN_WORDS or _also() & set(words) or sum(word in stated for word in words) < MIN_SAME * len(words):
        return None
    is_same_person = words[0] == _bare(statement.split()[0]) or of_oneself(words[0]) or people.speaks_of_oneself(rest)
    return rest if is_same_person and rest.casefold() != statement.casefold() else None


def _bare(word: str) -> str:
    return word.strip(" ,.!;:").casefold()


def _words(text: str) -> set[str]:
    return {bare for word in text.split() if (bare := _bare(word))}


@cache
def _instead() -> tuple[re.Pattern[str], ...]:
    patterns = (pattern for language in languages().values() for pattern in language.grammar.instead)
    return tuple(re.compile(pattern, re.IGNORECASE) for pattern in patterns)


@cache
def _correcting() -> re.Pattern[str]:
    words = "|".join(word for language in languages().values() for word in language.grammar.correcting)
    return re.compile(rf"(?:(?:{words})(?!\w)[\s,.:;!–—-]*)+", re.IGNORECASE)


@cache
def _further() -> frozenset[str]:
    return frozenset(word for language in languages().values() for word in language.grammar.further)


@cache
def _also() -> frozenset[str]:
    return frozenset(word for language in languages().values() for word in language.grammar.also)
