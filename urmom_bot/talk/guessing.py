"""Which language a message is written in, by the words that a language's lists have. Pure."""

from __future__ import annotations

import re
from functools import cache

from urmom_bot.languages import DEFAULT, Language, languages
from urmom_bot.talk.vocabulary import look

_WORD = re.compile(r"[^\W\d_]+")
MAX_LETTERS = 2_000
"""Of a message, what is looked at."""

MARGIN = 1.25
"""How much more of a message must be of one language than of the next, for it to be sure."""


USUAL_MARGIN = 1.5
"""How much more of a message must be of another language than of the one that its writer usually writes."""


def guess_language(text: str, usual: str | None = None) -> str:
    """The language nearest to what `text` is written in; the `usual` one, or the default, where it does not tell."""
    return surely(text) or usual or DEFAULT


def surely(text: str) -> str | None:
    """The language that a text is surely written in; None where it may be several, or has no words."""
    written = text[:MAX_LETTERS].casefold()
    text = look(written)
    if (code := by_letters(text)) is not None:
        return code
    for code, language in languages().items():
        if any(sign in written for sign in language.signs):
            return code
    (next_most, _), (most, best) = sorted((score, code) for code, score in _scores(text).items())[-2:]
    return best if most > 0 and most >= next_most * MARGIN else None


def may_be(text: str, language: str) -> bool:
    """Whether a text may be in a language, though it is more like another ("a Irene le sale genial la tortilla")."""
    if by_letters(text) is not None:
        return False  # names in other letters say nothing of the words to the bot
    scores = _scores(look(text[:MAX_LETTERS].casefold()))
    return scores[language] > 0 and max(scores.values()) < scores[language] * USUAL_MARGIN


def shows_none(text: str) -> bool:
    """Whether a text is short, and most of its words are in no list: they may be names ("Nina pareil")."""
    words = _WORD.findall(look(text.casefold()))
    return (
        1 < len(words) <= MAX_SHORT
        and by_letters(text) is None
        and sum(w in _weights() for w in words) * 2 <= len(words)
    )


MAX_SHORT = 3
"""Words of a text that may show no language."""


def _scores(text: str) -> dict[str, float]:
    """How much of a text's words is of each language."""
    scores = dict.fromkeys(languages(), 0.0)
    for word in _WORD.findall(text):
        for code, weight in _weights().get(word, {}).items():
            scores[code] += weight
    return scores


def by_letters(text: str) -> str | None:
    """The language whose own letters most of a text's are."""
    letters = [letter for word in _WORD.findall(text.casefold()) for letter in word]
    for code, own in _scripts().items():
        if letters and sum(letter in own for letter in letters) * 2 > len(letters):
            return code
    return None


def has_all_words(language: str, text: str) -> bool:
    """Whether a language's lists have every word of a text."""
    return all(language in _weights().get(word, {}) for word in _WORD.findall(look(text).casefold()))


@cache
def _scripts() -> dict[str, frozenset[str]]:
    """The languages with letters of their own, each with those."""
    every = "".join(map(chr, range(0x80, 0x600)))
    return {code: frozenset(re.findall(f"[{own.letters}]", every)) for code, own in languages().items() if own.letters}


@cache
def _weights() -> dict[str, dict[str, float]]:
    """Each word of the lists with its weight for each language: rare among languages weighs more, common words most."""
    having: dict[str, set[str]] = {}
    common: dict[str, set[str]] = {}
    for code, language in languages().items():
        for word in _words(language):
            having.setdefault(word, set()).add(code)
        for word in language.common:
            common.setdefault(look(word).casefold(), set()).add(code)
    weights = {word: dict.fromkeys(codes, 1 / len(codes) ** 2) for word, codes in having.items()}
    for word, codes in common.items():
        weights[word] = dict.fromkeys(codes, 2 / len(codes) ** 2)
    return weights


def _words(language: Language) -> set[str]:
    """The words of a language's lists of phrases."""
    lists = language.vocabulary
    phrases = [*lists.filler, *lists.lead, *lists.tail, *lists.modal, *lists.you]
    for short in lists.short.values():
        phrases += [*short.heads, *short.verbs, *short.objects, *short.also, *short.reasoned]
    phrases += [*lists.know.heads, *lists.know.soft, *lists.know.own, *lists.know.words]
    for order in lists.orders.values():
        phrases += [*order.heads, *order.weak, *order.cues, *order.words, *order.joins, *order.starts]
    return {word for phrase in phrases for word in _WORD.findall(look(phrase).casefold())}
