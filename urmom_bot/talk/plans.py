"""Plans that change: "the raid moved to Friday", "dinner is cancelled". Pure."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache

from memory.rules.dates import is_month, is_weekday
from memory.rules.keywords import keywords
from urmom_bot.languages import languages
from urmom_bot.talk.grammar import cores, is_question
from urmom_bot.talk.rewording import has_date, new_date
from urmom_bot.talk.vocabulary import vocabulary

MAX_CHARACTERS = 120
"""Characters of a message that says how a plan changes, at the most."""

MIN_SHARED = 4
"""Letters that two forms of a word share from their beginning, at the least."""

MAX_ENDING = 2
"""Letters at the end of the shorter one that may be others."""


MIN_PART = 5
"""Letters of a noun that may be the first part of a longer one, at the least."""


@dataclass(frozen=True, kw_only=True)
class PlanChange:
    """What a message says of a plan: which one it is, and the day or hour it is moved to; empty if it is cancelled."""

    what: str
    new: str = ""
    language: str
    is_moved: bool = False
    """Whether it says so ("moved to"), and not only what is so now."""

    def is_of(self, fact: str) -> bool:
        """Whether a fact is one plan with a day or hour, and has every word that says which.

        A word that it doesn't have may be a "not", an "if" or a "his".
        """
        told, named = _words(fact), _words(self.what)
        is_one = not _words(fact).intersection(languages()[self.language].names.both)
        has_cases = languages()[self.language].grammar.has_cases
        joins = languages()[self.language].names.nouns_have_capitals  # "Zahnarzt" is in "Zahnarzttermin"
        has_all = all(
            any(
                _are_forms(one, other, has_cases=has_cases)
                or (joins and len(one) >= MIN_PART and other.startswith(one))
                for other in told
            )
            for one in named
        )
        names_it = any(keywords(word) and not is_weekday(word) and not is_month(word) for word in named)
        return is_one and names_it and has_all and has_date(fact, self.language)


def changes(text: str) -> Iterator[PlanChange]:
    """Each way to read a message as one about a plan that changes; the caller knows the plans."""
    plain = " ".join(text.split()).strip(" .!").replace("’", "'")
    if len(plain) > MAX_CHARACTERS:
        return
    seen = set[PlanChange]()
    for code in languages():
        bare = _without_excuse(vocabulary(code).without_tail(plain), code)
        for pattern, core in ((p, t) for p in _patterns(code) for t in dict.fromkeys((bare, *cores(bare)))):
            found = None if is_question(core) else pattern.fullmatch(core)
            if found is None or (new := new_date(found, code)) is None:
                continue
            is_moved = found.groupdict().get("new") is not None
            change = PlanChange(what=found["what"], new=new, language=code, is_moved=is_moved)
            if change not in seen:
                seen.add(change)
                yield change


def _without_excuse(text: str, code: str) -> str:
    """A message without what excuses it at its end ("raid's cancelled, sorry guys")."""
    words = languages()[code].grammar
    excuses, called = "|".join(words.closing), "|".join(words.vocatives)
    found = re.search(rf"(?<![, ]),? (?:{excuses})(?:,? (?:{called}))?\Z", text, re.IGNORECASE) if excuses else None
    return text[: found.start()] if found is not None else text


@cache
def _patterns(code: str) -> tuple[re.Pattern[str], ...]:
    words = languages()[code].grammar
    return tuple(re.compile(pattern, re.IGNORECASE) for pattern in (*words.moving, *words.cancelling))


def _words(text: str) -> set[str]:
    return set(re.findall(r"\w+", text.casefold()))


def _are_forms(one: str, other: str, *, has_cases: bool) -> bool:
    """Whether two words may be forms of one ("zoo", "zoos"; "зубного", "зубной")."""
    if not has_cases:
        return one.removesuffix("s") == other.removesuffix("s")
    shared = max(MIN_SHARED, min(len(one), len(other)) - MAX_ENDING)
    return one == other or (len(one) > MIN_SHARED and one[:shared] == other[:shared])
