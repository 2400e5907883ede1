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
from memory.rules.parts import joins
from memory.rules.statements import is_plain
from memory.rules.support import are_alike, has_same_words, has_words_of, is_turned, meaning
from memory.rules.text import mentioned, without_ids
from memory.rules.wordlists import listed_words, table

MAX_WORDS = 15
"""Words of a message at the most that is looked at as an update without being asked to be remembered."""

MAX_CHANGED = 2
"""Words that take the place of others at the most, in a sentence that is otherwise the same; one more for a figure."""


def updates(told: str, known: Fact) -> bool:
    """Whether a statement certainly says that a fact holds no more, and the fact says nothing else.

    It says the opposite, or that it is over; or, with a word such as "now" or "moved", another home, job or employer,
    or the same with another number or day.
    """
    if mentioned(told) != mentioned(known.value) or _is_reported(told):
        return False
    if any(_is_opposite(clause, known.value) and _says_same(clause, known.value) for clause in _clauses(told)):
        return True
    is_over = _is_opposite(told, known.value) and says_end(told) and not _has_hidden(told)
    if _has("quit", told) and len(meaning(_without_change(told))) < MIN_QUIT:
        is_over = False  # "quit smoking" says nothing of "smokes meat on weekends"
    if is_over and joins().search(known.value) is None and has_words_of(known.value, _without_change(told)):
        return True  # "has a cat named Tom", "doesn't have a cat anymore"
    if _says_jobless(told) and _is_of_work(known):
        return joins().search(known.value) is None  # "works as a welder", "quit my job"
    if not says_change(told) or (_is_opposite(told, known.value) and len(_clauses(told)) == 1):
        return False
    home = matters_of(known, is_strict=False)
    if any(differ(home, matters(clause, is_strict=False)) for clause in _clauses(told)):
        return joins().search(known.value) is None
    return (spans := _exchanged(told, known.value)) is not None and _are_figures(*spans)


def _says_jobless(told: str) -> bool:
    """Whether a statement says that whom it is about has no job anymore: small words alone stand before that."""
    plain = " ".join(_pattern("since").sub(" ", folded(without_ids(told))).split())
    found = _pattern("jobless").search(plain)
    if found is None or is_turned(told) or _has("modal", told) or not is_plain(plain.strip(": “”")):
        return False
    small = listed_words("glue.txt") | listed_words("oneself.txt")
    return all(word in small for word in WORD.findall(plain[: found.start()]))


def _is_of_work(fact: Fact) -> bool:
    return any(matter.key in _WORK for matter in matters_of(fact, is_strict=False))


_WORK = frozenset({"job", "company"})
"""The matters that are over with a job."""


def may_update(told: str, known: Fact) -> bool:
    """Whether a statement may say that a fact holds no more, or a part of it, so that its teller is asked."""
    if mentioned(told) != mentioned(known.value):
        return False
    if _is_turned(told) != _is_turned(known.value):
        return says_end(told) and not _has_hidden(told) and has_words_of(known.value, _without_change(told))
    if differ(matters_of(known, is_strict=False), matters(told, is_strict=False)):
        return True
    spans = _exchanged(told, known.value)
    return spans is not None and (says_change(told) or _are_figures(*spans))


def may_be_update(text: str) -> bool:
    """Whether a text by itself looks as if it changed a fact: it says that something is new, is over, or is not so."""
    return len(text.split()) <= MAX_WORDS and (says_change(text) or is_turned(text))


def says_change(text: str) -> bool:
    """Whether a text says that something is so since lately, or no more ("now", "moved to", "anymore")."""
    return any(_has(name, text) for name in ("since", "ended", "over", "moved", "quit", "jobless"))


def says_end(text: str) -> bool:
    """Whether a text says that something is so no more ("anymore")."""
    return any(_has(name, text) for name in ("ended", "over")) or (_has("quit", text) and not is_turned(text))


def _has(name: str, text: str) -> bool:
    return _pattern(name).search(folded(text)) is not None


def _is_opposite(told: str, known: str) -> bool:
    """Whether one of two texts denies something, or says that it is over, and the other doesn't.

    "I can't" and "I wouldn't" say something else; what is denied twice is left open.
    """
    denials = [sum(is_turned(word) for word in WORD.findall(without_ids(text))) for text in (told, known)]
    return _is_turned(told) != _is_turned(known) and max(denials) < MAX_DENIALS and not _has("modal", told)


MIN_QUIT = 2
"""Words at least of what somebody quit, if a fact says more than that."""

MAX_DENIALS = 2
"""So many denials in a text make it unclear what it denies."""


def _has_hidden(text: str) -> bool:
    """Whether a word that means something is written as a small word but for its accents (French "thé")."""
    words = [word for word in WORD.findall(without_ids(text)) if len(word) > SMALL]
    return any(folded(word) != word.casefold() and folded(word) in listed_words("glue.txt") for word in words)


SMALL = 2
"""Letters of words that are small in any language."""


def _is_turned(text: str) -> bool:
    return is_turned(text) or says_end(text)


def _says_same(told: str, known: str) -> bool:
    """Whether two texts have the same words, but for those that deny or say that something is new."""
    return has_same_words(_without_change(told), _without_change(known))


def _clauses(told: str) -> list[str]:
    """What a statement says one after the other ("I don't live in York anymore, I live in Hull"): each by itself.

    Whom it is about and the sign of a quotation are before the first.
    """
    return [clause.strip() for clause in _between().split(told) if clause.strip()]


def _is_reported(told: str) -> bool:
    """Whether a statement reports what somebody else says ("my ex said, I live in Paris now")."""
    clauses = [folded(without_ids(clause)).strip(" :“”«»„").strip('"') for clause in _clauses(told)]
    return len(clauses) > 1 and any(_pattern("reporting").fullmatch(clause) for clause in clauses)


@cache
def _between() -> re.Pattern[str]:
    return re.compile(rf"[,;]|(?<!\w)(?:{'|'.join(table('words.toml')['but'])})(?!\w)", re.IGNORECASE)


def _without_change(text: str) -> str:
    """A text without the words that only say that it is new or over."""
    if says_end(text):
        text = _DATE.sub(" ", _pattern("when").sub(" ", _pattern("quit").sub(" ", folded(text))))
    text = folded(text)
    return _pattern("since").sub(" ", _pattern("ended").sub(_kept, text))


_DATE = re.compile(r"\(\d{4}-\d\d-\d\d\)")
"""The date that stands behind a word such as "yesterday" in a fact."""


def _kept(ended: re.Match[str]) -> str:
    """What stays of words that say that something is over: a verb between them ("ne bois plus")."""
    return ended.groupdict().get("kept") or " "


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


def _are_figures(removed: Sequence[str], added: Sequence[str]) -> bool:
    """Whether each has a number or a day of one kind, and no word of meaning beside it: "3 dogs" replace no cats."""
    kinds = [{kind for word in span if (kind := _kind(word))} for span in (removed, added)]
    moved = {word for phrase in table("updates.toml")["moved"] for word in phrase.split()}
    beside = [word for span in (removed, added) for word in span if not _kind(word) and word not in moved]
    return bool(kinds[0]) and kinds[0] == kinds[1] and all(word in listed_words("glue.txt") for word in beside)


def _kind(word: str) -> str:
    """Which kind of figure a word is; empty for none."""
    if word[0].isdigit():
        return "number"
    return "weekday" if is_weekday(word) else "month" if is_month(word) else ""


def _tokens(text: str) -> list[str]:
    return [folded(match[0]) for match in WORD.finditer(without_ids(text))]


@cache
def _pattern(name: str) -> re.Pattern[str]:
    return re.compile(rf"(?<!\w)(?:{'|'.join(sorted(table('updates.toml')[name], key=len, reverse=True))})(?!\w)")
