"""Whether what somebody tells next says that a fact has changed ("I work days now", "I don't like tea anymore"). Pure.

It needs no model. What it isn't sure of is left to the person (`may_update`).
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import cache

from memory.records import Fact
from memory.rules.changes import differ, matters, matters_of
from memory.rules.dates import is_month, is_weekday
from memory.rules.folding import folded
from memory.rules.keywords import WORD
from memory.rules.support import are_alike, has_same_words, has_words_of, is_turned, meaning
from memory.rules.text import mentioned, without_ids
from memory.rules.wordlists import table

MAX_WORDS = 15
"""Words of a message at the most that is looked at as an update without being asked to be remembered."""

MAX_CHANGED = 2
"""Words that take the place of others at the most, in a sentence that is otherwise the same."""


def updates(told: str, known: Fact) -> bool:
    """Whether a statement certainly says that a fact holds no more, and the fact says nothing else.

    It says the opposite; or another home, job or employer; or, with a word such as "now", the same with another number
    or day. A place without a capital needs such a word too: "lives in fear" is no home.
    """
    if mentioned(told) != mentioned(known.value):
        return False
    if any(_is_opposite(clause, known.value) and _says_same(clause, known.value) for clause in _clauses(told)):
        return True
    if _is_opposite(told, known.value) and len(_clauses(told)) == 1:
        return False
    home = matters_of(known, is_strict=False)
    if any(differ(home, matters(clause, is_strict=False)) for clause in _clauses(told)):
        is_plain = says_change(told) or differ(home, matters(told))
        return is_plain and _joins().search(known.value) is None
    return says_change(told) and (spans := _exchanged(told, known.value)) is not None and _are_figures(*spans)


def may_update(told: str, known: Fact) -> bool:
    """Whether a statement may say that a fact holds no more, or a part of it, so that its teller is asked."""
    if mentioned(told) != mentioned(known.value):
        return False
    if _is_opposite(told, known.value):
        return says_end(told) and has_words_of(known.value, _without_change(told))
    if differ(matters_of(known, is_strict=False), matters(told, is_strict=False)):
        return True
    spans = _exchanged(told, known.value)
    return spans is not None and (says_change(told) or _are_figures(*spans))


def _says_same(told: str, known: str) -> bool:
    """Whether two texts have the same words, but for those that deny or say that something is new."""
    return has_same_words(_without_change(told), _without_change(known))


def _clauses(told: str) -> list[str]:
    """What a statement says one after the other ("I don't live in York anymore, I live in Hull"): each by itself.

    Whom it is about and the sign of a quotation are before the first.
    """
    return [clause.strip() for clause in _between().split(told) if clause.strip()]


@cache
def _between() -> re.Pattern[str]:
    return re.compile(rf"[,;]|(?<!\w)(?:{'|'.join(table('words.toml')['but'])})(?!\w)", re.IGNORECASE)


def may_be_update(text: str) -> bool:
    """Whether a text by itself looks as if it changed a fact: it says that something is new, is over, or is not so."""
    return (says_change(text) or is_turned(text)) and len(text.split()) <= MAX_WORDS


def says_change(text: str) -> bool:
    """Whether a text says that something is so since lately, or no more ("now", "moved to", "anymore")."""
    return _changing().search(folded(text)) is not None


def says_end(text: str) -> bool:
    """Whether a text says that something is so no more ("anymore")."""
    return any(_pattern(name).search(folded(text)) is not None for name in ("ended", "over"))


def _is_opposite(told: str, known: str) -> bool:
    """Whether one of two texts denies something, or says that it is over, and the other doesn't."""
    return (is_turned(told) or says_end(told)) != (is_turned(known) or says_end(known))


@cache
def _joins() -> re.Pattern[str]:
    """What stands between two things that one fact says ("lives in Leeds and works as a welder")."""
    return re.compile(rf"[,;&]|(?<!\w)(?:{'|'.join(table('words.toml')['joins'])})(?!\w)", re.IGNORECASE)


def _without_change(text: str) -> str:
    """A text without the words that only say that it is new."""
    return _pattern("since").sub(" ", _pattern("ended").sub(" ", folded(text)))


def _exchanged(told: str, known: str) -> tuple[Sequence[str], Sequence[str]] | None:
    """The words of a fact in whose place a statement has others, with those; None if the rest isn't the same.

    The rest says what it is about ("raid night is"): of "is a" anything can be said.
    """
    old, new = _tokens(_without_change(known)), _tokens(_without_change(told))
    before = 0
    while before < min(len(old), len(new)) and are_alike(old[before], new[before]):
        before += 1
    behind = 0
    while behind < min(len(old), len(new)) - before and are_alike(old[-1 - behind], new[-1 - behind]):
        behind += 1
    removed, added = old[before : len(old) - behind], new[before : len(new) - behind]
    same = [*old[:before], *old[len(old) - behind :]]
    are_figures = _are_figures(removed, added)
    most = MAX_CHANGED + are_figures  # "is on sunday", "is moved to saturday"
    is_alike = are_figures or len(removed) == len(added)
    if not is_alike or not 0 < len(removed) <= most or len(added) > most or not meaning(" ".join(same)):
        return None
    return removed, added


def _are_figures(*spans: Sequence[str]) -> bool:
    """Whether each has a number or a day, so that one takes the place of the other."""
    return all(any(map(_is_figure, span)) for span in spans)


def _is_figure(word: str) -> bool:
    return word[0].isdigit() or is_weekday(word) or is_month(word)


def _tokens(text: str) -> list[str]:
    return [folded(match[0]) for match in WORD.finditer(without_ids(text))]


@cache
def _changing() -> re.Pattern[str]:
    return _compiled(
        [*table("updates.toml")["since"], *table("updates.toml")["ended"], *table("updates.toml")["moved"]]
    )


@cache
def _pattern(name: str) -> re.Pattern[str]:
    return _compiled(table("updates.toml")[name])


def _compiled(phrases: Sequence[str]) -> re.Pattern[str]:
    return re.compile(rf"(?<!\w)(?:{'|'.join(sorted(phrases, key=len, reverse=True))})(?!\w)")
