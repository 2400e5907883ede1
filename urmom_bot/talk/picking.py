"""What somebody picks from a list they were shown ("the second one", "both", "2", "the first and the last"). Pure."""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import cache
from itertools import pairwise

from memory.rules.wordlists import table
from urmom_bot.languages import collect, languages

MAX_PICKING = 8
"""Words at the most of what does nothing but pick."""

MAX_VERB = 4
"""Words of an order before what it picks."""

_NUMBER = re.compile(r"#?(\d{1,19})(?:st|nd|rd|th|er?|re|de|[èe]me|[º°ªa]|-?(?:[йяею]|го|ый|ой|ое|ую))?")


def picked(text: str, language: str, listed: Sequence[int]) -> tuple[int, ...] | None:
    """The numbers that a text picks from those listed; None where it says anything else.

    Empty where it picks what the list doesn't have. A figure is a number of the list, or else a position in it.
    """
    words = languages()[language].grammar
    plain = " ".join(text.casefold().split()).strip(" .!,")
    tokens = [token for token in re.findall(r"#?\w+(?:-\w+)?|&", plain) if token not in words.beside_ordinals]
    if any(re.fullmatch(pattern, plain) for pattern in words.all_listed):
        is_both = any(_amount(token, language) == 2 for token in tokens)
        return tuple(listed) if len(listed) == 2 or not is_both else ()
    if not tokens or len(plain.split()) > MAX_PICKING:
        return None
    found, at = list[int](), 0
    while at < len(tokens):
        several = _several(tokens[at : at + 2], language, len(listed))
        positions = several if several is not None else _positions(tokens[at], language, listed)
        if positions is None and tokens[at] not in _joins(language):
            return None
        found += positions or ()
        at += 2 if several is not None else 1
    if not any(_positions(token, language, listed) is not None for token in tokens):
        return None
    is_there = all(0 <= position < len(listed) for position in found)
    return tuple(dict.fromkeys(listed[position] for position in found)) if is_there else ()


def picked_in(text: str, language: str, listed: Sequence[int]) -> tuple[int, ...] | None:
    """The numbers that a short order picks beside its verb ("scrap the second one", "forget all of that").

    None where it picks nothing; empty where it picks what the list doesn't have. Without a list, "the last" is none.
    """
    words = text.strip(" .!,").split()
    patterns = languages()[language].grammar.all_listed
    tokens = text.casefold().split()
    has_several = any(_several(tokens[at : at + 2], language, len(listed)) for at in range(len(tokens)))
    if not has_several and any(re.search(rf"(?<!\w)(?:{pattern})(?!\w)", text.casefold()) for pattern in patterns):
        return tuple(listed) or None
    most = min(len(words), MAX_VERB + 1)
    cuts = [(front, back) for front in range(most) for back in range(most - front) if front + back]
    rests = [words[front : len(words) - back] for front, back in cuts]
    tries = [picked(" ".join(rest), language, listed) for rest in rests]
    last = languages()[language].grammar.last_listed
    is_last = any(re.fullmatch(pattern, word.casefold()) for word in words for pattern in last)
    found = [numbers for numbers in tries if numbers is not None and (listed or not is_last)]
    return max(found, key=len, default=None)


def means_last_two(text: str, language: str) -> bool:
    """Whether the words for what to delete ("both of them", "the last two") can only mean the last two facts.

    No number but 2 may stand in them, and no comma: "1 and 2" are numbers of a list.
    """
    words, plain = languages()[language].grammar, " ".join(text.casefold().split()).strip(" .!")
    tokens = plain.split()
    if re.search(r"[013-9,]|\d\d", plain) or not any(_amount(token, language) == 2 for token in tokens):
        return False
    if any(re.fullmatch(pattern, token) for token in tokens for pattern in words.ordinals):
        return False
    is_all = any(re.fullmatch(pattern, plain) for pattern in words.all_listed)
    is_last = any(_several(pair, language, 2) == (0, 1) for pair in pairwise(tokens))
    return (is_all or is_last) and picked(plain, language, (0, 1)) == (0, 1)


def _several(tokens: Sequence[str], language: str, count: int) -> tuple[int, ...] | None:
    """The positions of "first two" or "last three", in either order of the words."""
    words = languages()[language].grammar
    if len(tokens) < 2:
        return None
    for one, other in ((tokens[0], tokens[1]), (tokens[1], tokens[0])):
        amount = _amount(other, language)
        if amount is None:
            continue
        if re.fullmatch(words.ordinals[0], one):
            return tuple(range(amount))
        if any(re.fullmatch(pattern, one) for pattern in words.last_listed):
            return tuple(range(count - amount, count))
    return None


def _amount(token: str, language: str) -> int | None:
    named = enumerate(languages()[language].grammar.amounts, 2)
    if token.isdecimal() and len(token) == 1:
        return int(token)
    return next((amount for amount, pattern in named if re.fullmatch(pattern, token)), None)


def _positions(token: str, language: str, listed: Sequence[int]) -> tuple[int, ...] | None:
    """The position that one word names, counted from 0; a position out of the list where it has none so far."""
    words = languages()[language].grammar
    for position, pattern in enumerate(words.ordinals):
        if re.fullmatch(pattern, token):
            return (position,)
    if any(re.fullmatch(pattern, token) for pattern in words.last_listed):
        return (len(listed) - 1,)
    if any(re.fullmatch(pattern, token) for pattern in words.middle_listed):
        return (len(listed) // 2 if len(listed) % 2 else -1,)
    if (number := _NUMBER.fullmatch(token)) is None:
        return None
    own = int(number[1])
    return (listed.index(own) if own in listed else own - 1,)


@cache
def _joins(language: str) -> frozenset[str]:
    names = languages()[language].names
    contrasting = languages()[language].grammar.contrasting
    return frozenset(("&", *names.both, *contrasting)) - frozenset(names.either)


MAX_DIGITS = 19
"""Digits of a fact's number at the most."""


def several_numbers(statement: str) -> list[int]:
    """The numbers of several facts, if a statement is nothing else ("#3 and #12", "the #2 and the #4")."""
    words = statement.replace(",", " ").replace("#", " #").split()
    numbers = [int(word.lstrip("#")) for word in words if word.lstrip("#").isdecimal() and len(word) < MAX_DIGITS]
    joins = [word.casefold() for word in words if not word.lstrip("#").isdecimal()]
    between = {*collect("names.both"), "&"}
    if "#" in statement or not set(collect("grammar.fact")).isdisjoint(joins):
        between |= {*collect("grammar.fact"), *table("words.toml")["articles"]}
    return numbers if len(numbers) > 1 and between.issuperset(joins) else []
