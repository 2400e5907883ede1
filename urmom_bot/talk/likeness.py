"""What a sentence asks for, by its likeness to the examples of a language. Pure.

The word lists understand only what they have. What they miss is scored by linear models: which wish it is, and which
of its words the wish is about. `python -m training` fits the weights to the examples in a language's folder.
"""

from __future__ import annotations

import json
import math
import re
from array import array
from base64 import b64decode
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from itertools import accumulate
from typing import NamedTuple
from zlib import crc32, decompress

from urmom_bot.languages import languages
from urmom_bot.talk.vocabulary import look

VERSION = 3
"""Of the features below: weights that were fitted to others are of no use."""

BOT = "<bot>"
"""Stands for the bot's name in a text, and among its words."""

SOMEBODY = "<name>"
"""Stands for a mention, and for a word that the examples do not have."""

MIN_SHARE = 0.6
"""How likely a wish must be, where the sentence is said to the bot."""

MIN_SHARE_UNADDRESSED = 0.75
"""The same, where only the wish tells that it is."""

MIN_SHARES = {
    "remember": 0.7,
    "forget": 0.66,
    "forget_that": 0.8,
    "undo": 0.7,
    "know": 0.7,
    "know_me": 0.7,
    "reset": 0.72,
    "privacy": 0.7,
    "missed": 0.75,
    "jokes": 0.65,
    "nojokes": 0.65,
    "meant": 0.45,
    "meant_me": 0.45,
}
"""The same by wish: more for those that much else is like, what people tell in passing and questions about the world;
less for those that do no harm."""

MIN_SHARE_IN_DOUBT = 0.9
"""The same, where the word lists take it for another wish, or the bot may only be spoken of."""

MIN_SHARE_OF_NO_ORDER = 0.6
"""How likely it must be that a sentence orders nothing, where the word lists take it for an order."""

MIN_SHARES_OF_ORDERS = {"remember": 0.2, "forget": 0.1, "undo": 0.1, "cancel": 0.3}
"""How likely an order that the word lists have must at least be, with its kin. Below, it is more likely another one."""

NO_ORDERS = ("question", "notmeant", "closing")
"""What is no order, though it may have the words of one."""

NOT_ADDRESSED = "notmeant"
"""What a sentence is that has the bot's name, and is not said to it."""

LAST = "forget_that"
"""A deletion of what its writer said last."""

MIN_SHARE_OF_LAST = 0.9
"""How likely it must be, where the word lists take it for a deletion of a fact that the sentence names."""

MIN_SHARE_OF_LAST_REPORTED = 0.97
"""The same, where a word such as "that" stands before what the sentence names."""

MIN_SHARE_OF_LAST_OFFERED = 0.4
"""The same, where no such fact is known, and what was said last is only offered."""

OPPOSITES = {"remember": "forget", "forget": "remember", "jokes": "nojokes", "nojokes": "jokes"}
"""To be taken for the opposite is worse than not to be understood."""

MAX_OPPOSITE = {"remember": 0.2, "forget": 0.2, "jokes": 0.35, "nojokes": 0.35}
"""How likely the opposite may be."""

MIN_LEAD = 1.0
"""How much more likely than the next the words must be that the wish is about, as a logarithm of odds."""

MAX_NEW_WORDS = 1
"""How many words beside the name may be new to the examples of "what do you know about Ann?". More ask for a detail."""

MAX_TOKENS = 60
"""Words and signs of a sentence, at the most: the words a wish is about are looked for among all pairs of places."""

_TOKEN = re.compile(r"<bot>|<[@#][!&]?\d{1,20}>|@?\w+|[^\w\s]")


class Token(NamedTuple):
    """A word or a sign, folded, with where it stands."""

    text: str
    start: int
    end: int

    @property
    def is_name(self) -> bool:
        """Whether it is written as a mention is."""
        return self.text != BOT and self.text[0] in "<@" and len(self.text) > 1


_MENTION = Token("<@0>", 0, 0)


def tokens_of(text: str) -> list[Token]:
    """The words and signs of a text."""
    return [Token(found[0].casefold(), *found.span()) for found in _TOKEN.finditer(look(text))]


@dataclass(frozen=True)
class KnownWords:
    """The words that more than one example of a language has, and of these the words of questions what is known."""

    words: frozenset[str]
    of_knowing: frozenset[str] = frozenset()

    def plain(self, tokens: Sequence[Token]) -> list[str]:
        """Words and signs as the models see them: a name is as good as any other."""
        return [
            token.text
            if token.text in self.words or token.text == BOT or (not token.text[0].isalnum() and not token.is_name)
            else SOMEBODY
            for token in tokens
        ]

    def new_of_knowing(self, tokens: Sequence[Token]) -> int:
        """How many words no example of the question what is known of somebody has."""
        words = {token.text for token in tokens if token.text[0].isalnum() and not token.is_name}
        return len(words - self.of_knowing - {BOT})

    def wish_features(self, tokens: Sequence[Token]) -> set[int]:
        """What tells which wish a sentence is: words, two and three in a row, and pieces of the text; as numbers."""
        seen = [word for word in self.plain(tokens) if word[0].isalnum() or word in (BOT, SOMEBODY, "?")]
        row = ["^", *seen, "$"]
        features = {" ".join(row[at : at + size]) for size in (1, 2, 3) for at in range(len(row) - size + 1)}
        text = f" {' '.join(self.plain(tokens))} "
        features |= {f"#{text[at : at + size]}" for size in PIECES for at in range(len(text) - size + 1)}
        return {crc32(feature.encode()) % BUCKETS for feature in features}


PIECES = (3, 4, 5)
"""The letters of a text that are looked at together."""

BUCKETS = 1 << 15
"""Numbers that features of a sentence have: a weight may stand for several of them, and what is rare hardly counts."""


def word_features(row: Sequence[str], at: int) -> list[str]:
    """What tells whether a word is one that the wish is about: itself, its neighbours, and its place."""
    before, here, behind = _at(row, at - 1), row[at], _at(row, at + 1)
    return [
        f"0 {here}",
        f"- {before}",
        f"+ {behind}",
        f"-0 {before} {here}",
        f"0+ {here} {behind}",
        f"from {min(at, 6)}",
        f"to {min(len(row) - at, 6)}",
        f"bot {BOT in row[:at]} {BOT in row[at:]}",
    ]


def gap_features(row: Sequence[str], at: int) -> list[str]:
    """What tells whether the words that the wish is about begin or end in the gap before a word."""
    three, two, one = _at(row, at - 3), _at(row, at - 2), _at(row, at - 1)
    first, second, third = _at(row, at), _at(row, at + 1), _at(row, at + 2)
    return [
        f"- {one}",
        f"+ {first}",
        f"-- {two} {one}",
        f"-+ {one} {first}",
        f"++ {first} {second}",
        f"--- {three} {two} {one}",
        f"+++ {first} {second} {third}",
        f"from {min(at, 4)}",
        f"to {min(len(row) - at, 4)}",
    ]


def _kin(wish: str) -> str:
    """A wish, whomever and however much it is about."""
    return wish.split("_")[0]


def _at(row: Sequence[str], at: int) -> str:
    return "^" if at < 0 else row[at] if at < len(row) else "$"


@dataclass(frozen=True)
class Binary:
    """A linear model that says yes or no."""

    bias: float
    weights: Mapping[str, float]

    def score(self, features: Sequence[str]) -> float:
        """The logarithm of the odds that it is so."""
        return self.bias + sum(self.weights.get(feature, 0.0) for feature in features)


@dataclass(frozen=True)
class Span:
    """Where the words of a sentence stand that a wish is about, by models of words and of the gaps between them."""

    inside: Binary
    start: Binary
    end: Binary

    def find(self, row: Sequence[str]) -> tuple[int, int, float] | None:
        """Where they begin and end among a sentence's words, and how much likelier that is than the next best."""
        inside = [0.0, *accumulate(self.inside.score(word_features(row, at)) for at in range(len(row)))]
        starts = [self.start.score(gap_features(row, at)) - inside[at] for at in range(len(row))]
        ends = [self.end.score(gap_features(row, at)) + inside[at] for at in range(len(row) + 1)]
        spans = ((starts[i] + ends[j], i, j) for i in range(len(row)) for j in range(i + 1, len(row) + 1))
        (best, start, end), (second, *_) = [*sorted(spans, reverse=True)[:2], *_NOWHERE][:2]
        return (start, end, best - second) if best > -math.inf else None


_NOWHERE = ((-math.inf, 0, 0),) * 2


@dataclass(frozen=True)
class Model:
    """What one language's examples taught."""

    vocabulary: KnownWords
    wishes: tuple[str, ...]
    biases: tuple[float, ...]
    weights: Sequence[int]
    """Of each feature for each wish, one feature after the other."""
    spans: Mapping[str, Span]
    """By the wish that has words it is about."""

    def shares(self, tokens: Sequence[Token], *, is_addressed: bool) -> dict[str, float]:
        """How likely each wish is; `is_addressed`: it is surely said to the bot."""
        width = len(self.wishes)
        starts = [feature * width for feature in self.vocabulary.wish_features(tokens)]
        scale = 1 / (WEIGHT_SCALE * math.sqrt(len(starts) or 1))
        rows = [self.weights[start : start + width] for start in starts] or [[0] * width]
        scores = {
            wish: bias + scale * total
            for wish, bias, total in zip(self.wishes, self.biases, map(sum, zip(*rows, strict=True)), strict=True)
            if not (is_addressed and wish == NOT_ADDRESSED)
        }
        best = max(scores.values())
        odds = {wish: math.exp(score - best) for wish, score in scores.items()}
        return {wish: share / sum(odds.values()) for wish, share in odds.items()}

    def wish(self, tokens: Sequence[Token], *, is_addressed: bool) -> tuple[str, float]:
        """The likeliest wish, and how likely it is with its kin; `is_addressed`: it is surely said to the bot."""
        shares = self.shares(tokens, is_addressed=is_addressed)
        best = max(shares, key=lambda wish: shares[wish])
        kin = dict.fromkeys(map(_kin, shares), 0.0)
        for wish, share in shares.items():
            kin[_kin(wish)] += share
        kind = _kin(best)
        may_be_opposite = kind in OPPOSITES and kin.get(OPPOSITES[kind], 0.0) > MAX_OPPOSITE[kind]
        return best, 0.0 if may_be_opposite else kin[kind]

    @classmethod
    def from_json(cls, written: str) -> Model:
        """Read what `python -m training` wrote. Raises ValueError where its features are others."""
        data = json.loads(written)
        if data["version"] != VERSION:
            raise ValueError(f"fit the weights anew (python -m training): version {data['version']}, not {VERSION}")
        return cls(
            vocabulary=KnownWords(frozenset(data["words"]), frozenset(data["of_knowing"])),
            wishes=tuple(data["wishes"]),
            biases=tuple(bias / SCALE for bias in data["biases"]),
            weights=array("b", decompress(b64decode("".join(data["weights"])))),
            spans={
                wish: Span(**{name: _binary(part) for name, part in span.items()})
                for wish, span in data["spans"].items()
            },
        )


SCALE = 100
"""Weights are written as whole numbers, so many for one."""

WEIGHT_SCALE = 8
"""The same for those of wishes, each of which is one byte."""


def _binary(written: Mapping[str, int]) -> Binary:
    return Binary(bias=written[""] / SCALE, weights={name: weight / SCALE for name, weight in written.items() if name})


@cache
def model(language: str) -> Model | None:
    """The model of a language; None where its folder has no weights."""
    file = files("urmom_bot.languages") / language / "weights.json"
    return Model.from_json(file.read_text(encoding="utf-8")) if file.is_file() else None


def learn() -> None:
    """Read the weights of every language, which takes a moment."""
    for language in languages():
        model(language)


@dataclass(frozen=True)
class Likely:
    """A wish that a sentence is like, and the words of it that the wish is about."""

    wish: str
    share: float
    words: str = ""


ABOUT = {"remember": "remember", "forget": "forget", "know": "know", "forget_all": "know", "meant": "meant"}
"""The wishes that are about something, each with the model that finds its words."""


def likely(text: str, language: str, *, is_addressed: bool = True, is_doubtful: bool = False) -> Likely | None:
    """The wish that a sentence with the bot's name in it (as `BOT`) is like, as its language says it.

    None where none is likely enough: it must be more so unless the sentence `is_addressed` surely to the bot, and where
    it `is_doubtful`: the word lists have it for something else, or the bot may only be spoken of.
    """
    known, tokens = model(language), tokens_of(text)
    if known is None or not 1 < len(tokens) <= MAX_TOKENS:
        return None
    wish, share = known.wish(tokens, is_addressed=is_addressed)
    least = MIN_SHARES.get(wish, MIN_SHARE)
    if not is_addressed or is_doubtful:
        least = max(least, MIN_SHARE_IN_DOUBT if is_doubtful else MIN_SHARE_UNADDRESSED)
    if share < least:
        return None
    if (kind := ABOUT.get(wish)) is None:
        return Likely(wish, share)
    row = known.vocabulary.plain(tokens)
    span = known.spans[kind].find(row)
    if span is None or span[2] < MIN_LEAD:
        return None
    start, end, _ = span
    if wish == "remember" and SOMEBODY in (*row[:start], *row[end:]):
        return None  # it may be about somebody whom only the order names
    if wish == "know" and known.vocabulary.new_of_knowing([*tokens[:start], *tokens[end:]]) > MAX_NEW_WORDS:
        return None  # "what model of printer has Ann got?"
    around, around_share = known.wish([*tokens[:start], _MENTION, *tokens[end:]], is_addressed=is_addressed)
    if _kin(around) != _kin(wish) or around_share < least:
        return None  # it is like an order only in what it tells
    return Likely(wish, min(share, around_share), text[tokens[start].start : tokens[end - 1].end])


def orders_nothing(text: str, words: str, language: str) -> bool:
    """Whether a sentence with the bot's name in it (as `BOT`) surely orders nothing, whatever its `words` tell.

    The word lists take it for an order that is about these words.
    """
    none = [sum(shares[wish] for wish in NO_ORDERS) for shares in _with_and_without(text, words, language)]
    return bool(none) and min(none) >= MIN_SHARE_OF_NO_ORDER


def is_unlike(text: str, words: str, wish: str, language: str, *, is_plain: bool) -> bool:
    """Whether a sentence with the bot's name in it (as `BOT`) is hardly like any example of the order `wish`.

    The word lists take it for that order about these `words`. Where it begins as a plain order does, what it is about
    alone does not make it unlike.
    """
    kin = {wish, LAST} if wish == "cancel" else {wish}
    own = [
        sum(share for kind, share in shares.items() if not kin.isdisjoint({kind, _kin(kind)}))
        for shares in _with_and_without(text, words, language)
    ]
    return bool(own) and (max(own) if is_plain else min(own)) < MIN_SHARES_OF_ORDERS[wish]


def _with_and_without(text: str, words: str, language: str) -> list[dict[str, float]]:
    """How likely each wish is in a sentence as it is, and with a name in place of `words`; none if it is too long."""
    known, around = model(language), text.replace(words, _MENTION.text, 1) if words else text
    seen = [tokens_of(text), tokens_of(around)]
    if known is None or max(map(len, seen)) > MAX_TOKENS:
        return []
    return [known.shares(tokens, is_addressed=False) for tokens in seen]


def is_opposite(text: str, wish: str, language: str) -> bool:
    """Whether a sentence with the bot's name in it (as `BOT`) may be the opposite of a wish."""
    shares = _shares(text, language)
    return sum(share for kind, share in shares.items() if _kin(kind) == OPPOSITES[wish]) > MAX_OPPOSITE[wish]


def is_of_last(text: str, language: str, least: float = 0.0) -> bool:
    """Whether a sentence with the bot's name in it (as `BOT`) deletes what was said last, rather than a fact.

    `least`: how likely that must be.
    """
    shares = _shares(text, language)
    facts = sum(share for kind, share in shares.items() if _kin(kind) == _kin(LAST) and kind != LAST)
    return shares.get(LAST, 0.0) > max(facts, least)


def may_be_of_last(text: str, language: str) -> bool:
    """Whether a sentence with the bot's name in it (as `BOT`) may delete what was said last."""
    return _shares(text, language).get(LAST, 0.0) >= MIN_SHARE_OF_LAST_OFFERED


def _shares(text: str, language: str) -> dict[str, float]:
    """How likely each wish is in a sentence that is surely said to the bot; empty where nothing can be said of it."""
    known, tokens = model(language), tokens_of(text)
    return {} if known is None or len(tokens) > MAX_TOKENS else known.shares(tokens, is_addressed=True)
