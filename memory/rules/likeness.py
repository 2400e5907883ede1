"""How alike two texts of a conversation are, by their words alone: where no embedder is set. Pure."""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence
from datetime import datetime
from functools import cache

from memory.records import Conclusion
from memory.rules.folding import folded
from memory.rules.keywords import keywords
from memory.rules.support import is_turned
from memory.rules.wordlists import listed_words, table

SHIFT = 0.4
"""Similarity to what was said before under which the subject has changed (seed 002, §2.3)."""

SAME_QUESTION = 0.85
"""Similarity from which a question is the same in other words (seed 002, §5.4)."""

LIKE_ENOUGH, LIKE_ENOUGH_BY_WORDS = 0.7, 0.6
"""Similarity from which a conclusion has to do with what is said: of vectors (seed 004), and by words alone."""

SAYS_NOTHING = 0.5
"""The likeness of a text too short to tell: it neither goes on nor changes the subject."""

UNLIKE, POINTS_BACK = 0.2, 0.45
"""The likeness of two full texts without a common word, and of one that is short or points back."""

FEWEST_KEYWORDS = 3
"""Keywords that a text must have for their absence elsewhere to mean anything."""

MAX_COMPARED_CHARACTERS = 600
"""Characters of a text that are looked at."""

_WORD = re.compile(r"[^\W_]+(?:['’-][^\W_]+)*")
_NUMBER = re.compile(r"\d+")


@cache
def phrases(name: str) -> frozenset[str]:
    """One of the lists of `talk.toml`."""
    return frozenset(map(folded, table("talk.toml")[name]))


@cache
def _domains() -> dict[str, str]:
    raw = table("talk.toml")
    return {folded(word): domain for domain, words in raw["domains"].items() for word in words}


def words_of(text: str) -> list[str]:
    """The words of a text, folded."""
    return _WORD.findall(folded(text[:MAX_COMPARED_CHARACTERS]))


SAYS_YES = 10
"""Words of an answer that only says yes, at the most."""


def agrees(text: str) -> bool:
    """Whether a text begins by saying yes, says little more, and nothing against it."""
    words = words_of(text)
    line = f"{' '.join(words)} "
    is_yes = len(words) <= SAYS_YES and any(line.startswith(f"{phrase} ") for phrase in phrases("agrees"))
    is_yes = is_yes or line.strip() in phrases("yes")
    return is_yes and not is_turned(text) and not has_phrase(text, "but")


def refuses(text: str) -> bool:
    """Whether a text says no, and nothing else."""
    return " ".join(words_of(text)) in phrases("no")


def has_phrase(text: str, name: str) -> bool:
    """Whether a text has a phrase of one of the lists, as whole words."""
    line = f" {' '.join(words_of(text))} "
    return any(f" {phrase} " in line for phrase in phrases(name))


def domain_of_text(text: str) -> str | None:
    """The domain that most words of a text belong to; None where none does, or two do alike."""
    found = [_domains()[word] for word in words_of(text) if word in _domains()]
    counts = sorted({(found.count(domain), domain) for domain in found}, reverse=True)
    if not counts or (len(counts) > 1 and counts[0][0] == counts[1][0]):
        return None
    return counts[0][1]


def likeness(text: str, before: Sequence[str]) -> float:
    """How much a text goes on from what was said before, from 0 to 1, on the scale of seed 002's thresholds.

    Shared keywords count as a share of the smaller side. Short talk shares none and changes nothing: without any, it
    takes enough keywords on both sides, and no word that points back, to count as another subject.
    """
    mine = set(keywords(text[:MAX_COMPARED_CHARACTERS]))
    theirs = {stem for one in before for stem in keywords(one[:MAX_COMPARED_CHARACTERS])}
    if not mine or not theirs:
        return SAYS_NOTHING
    if shared := len(mine & theirs):
        return 0.5 + 0.5 * shared / min(len(mine), len(theirs))
    if points_back(text) or min(len(mine), len(theirs)) < FEWEST_KEYWORDS:
        return POINTS_BACK
    return UNLIKE


def points_back(text: str) -> bool:
    """Whether a text begins with a word, or has one soon, that stands for something said before."""
    return any(word in phrases("back") for word in words_of(text)[:3])


def same_question(one: str, other: str) -> float:
    """How alike two questions are in what they ask, from 0 to 1.

    Their keywords as sets; other numbers, or another question word, ask something else.
    """
    if set(_NUMBER.findall(one)) != set(_NUMBER.findall(other)) or _asks(one) != _asks(other):
        return 0.0
    if one and words_of(one) == words_of(other):
        return 1.0
    mine, theirs = _asked_for(one), _asked_for(other)
    shared = [stem for stem in mine if stem in theirs]
    if not shared or shared != [stem for stem in theirs if stem in mine]:
        return 0.0  # who owes whom is told by the order
    return len(shared) / len({*mine, *theirs})


def _asked_for(question: str) -> list[str]:
    """The keywords of a question in their order, without the words that only make it one."""
    aside = listed_words("asking.txt")
    return list(keywords(" ".join(word for word in words_of(question) if word not in aside)))


def may_ask_something(text: str) -> bool:
    """Whether a text has a question mark, or any word that questions have."""
    return "?" in text or any(word in phrases("asking") for word in words_of(text))


def _asks(text: str) -> frozenset[str]:
    """The question words of a text, and whom it speaks of without naming them."""
    pointing = listed_words("oneself.txt") | listed_words("ourselves.txt")
    return frozenset(w for w in words_of(text) if w in phrases("asking") or w in pointing)


def answers_for_long(question: str) -> bool:
    """Whether a question asks for nothing of the moment, and nothing of feelings (seed 002, §5.2)."""
    return not has_phrase(question, "timely") and not has_phrase(question, "feelings")


def mentions_all(text: str, statement: str, ignore: Collection[str] = ()) -> bool:
    """Whether a text says again what a statement tells: all its keywords, of which there are two or more."""
    stems = keywords(statement, ignore=ignore)
    return len(stems) > 1 and set(stems) <= set(keywords(text[:MAX_COMPARED_CHARACTERS]))


def closest(text: str, lines: Sequence[Conclusion], limit: int) -> list[Conclusion]:
    """The lines of a page that have most to do with a text, then the latest, at most `limit`."""
    stems = set(keywords(text))

    def weight_of(line: Conclusion) -> tuple[int, datetime]:
        return len(stems & set(keywords(line.text))), line.at

    return sorted(lines, key=weight_of, reverse=True)[:limit]
