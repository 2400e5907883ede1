"""What becomes of a model's proposal to keep or to drop something: the words of the message decide. Pure.

A model slips: it takes "please do not note that bob is late" for a wish. So a proposal counts only where the message
says it in one piece, in its order, and nothing around it turns it round; what is then left in doubt is asked about.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cache

from memory.rules.folding import folded, surface
from memory.rules.likeness import phrases
from memory.rules.questions import of_oneself
from memory.rules.text import one_line
from memory.rules.updates import says_change
from memory.rules.wordlists import listed_words
from urmom_bot.languages import collect
from urmom_bot.talk import commands, grammar, people

MAX_PLACES = 3
"""Places in a message that are looked at for a proposed statement, at the most."""

LONGEST_LEAD = 8
"""Words between the beginning of a request and what it asks to keep, at the most."""

_TOKEN = re.compile(r"<@!?\d+>|[^\W_]+(?:['’.-][^\W_]+)*")
_END = re.compile(r"(?<!\b[A-ZА-Я]\w)(?<!\b[A-ZА-Я]\w\w)[.!?…](?=\s|$)|\n")
"""Where a sentence ends: not after an abbreviation ("Dr. Weber")."""

_QUOTED = re.compile(
    r"```.*?(?:```|$)|`[^`\n]{1,300}`|\"[^\"\n]{1,300}\"|“[^“”\n]{1,300}”|«[^«»\n]{1,300}»|^\s{0,3}>.*$",
    re.DOTALL | re.MULTILINE,
)
_LAUGHS = re.compile(
    r"[\U0001f602\U0001f923\U0001f605\U0001f609\U0001f643\U0001f92a\U0001f98e\U0001f3b6\U0001f3b5\U0001f644]|/s\b|\bx+d+\b|\bjaja|\bхаха|\bахах",
    re.I,
)


@dataclass(frozen=True, kw_only=True)
class Proposal:
    """A command that a message may want, and whether its words leave no doubt of it."""

    command: commands.Command
    is_sure: bool


@dataclass(frozen=True)
class _Words:
    """The words of a message, folded, each with where it stands."""

    words: tuple[str, ...]
    starts: tuple[int, ...]
    ends: tuple[int, ...]

    @classmethod
    def split(cls, text: str) -> _Words:
        found = list(_TOKEN.finditer(text))
        return cls(tuple(folded(m[0]) for m in found), tuple(m.start() for m in found), tuple(m.end() for m in found))

    def runs(self, words: tuple[str, ...]) -> list[int]:
        """Where a run of words begins."""
        last = len(self.words) - len(words)
        return [n for n in range(last + 1) if words and self.words[n : n + len(words)] == words]


def proposed(action: str, subject: str, statement: str, text: str) -> Proposal | None:
    """The command that a model proposes for a message; None where the message does not ask for it.

    To remember: at once only where the message asks for just that, else with a question. To forget: always with a
    question, since the grammar did not understand it (seed 002).
    """
    subject, statement = one_line(subject), one_line(statement)
    match action:
        case "help":
            return Proposal(command=commands.Help(), is_sure=True)
        case "know":
            spoken = subject and _Words.split(surface(text)).runs(_Words.split(surface(subject)).words)
            return Proposal(command=commands.Know(subject=subject), is_sure=True) if spoken else None
        case "remember" | "forget":
            return _judged(action, subject, statement, surface(text))
    return None


def may_ask(text: str) -> bool:
    """Whether a message may want something kept, dropped or told of somebody, as far as its words show.

    It has a word of asking, or is no question and speaks of its speaker or of what has changed.
    """
    words = _Words.split(surface(text)).words
    if _has([*words], "asks_to_remember") or _has([*words], "asks_to_forget") or grammar.may_ask_of_people(text):
        return True
    return "?" not in text and (says_change(text) or any(of_oneself(word) for word in words))


def _judged(action: str, subject: str, statement: str, text: str) -> Proposal | None:
    found = _Words.split(text)
    told, named = _Words.split(surface(statement)).words, _Words.split(surface(subject)).words
    is_own = not named or (len(named) == 1 and of_oneself(named[0]))
    wanted = told if is_own or told[: len(named)] == named else named + told
    for start in found.runs(wanted)[:MAX_PLACES]:
        end = start + len(wanted)
        spot = _Span(text, found, start, end)
        if spot.is_said_otherwise(action):
            continue
        if (
            is_own
            and not _of_speaker(wanted, spot.statement)
            and not says_change(spot.statement)  # "we've moved to Hull", which is asked about
            and action == "remember"
            and not spot.is_asked_for(action)
        ):
            continue
        is_sure = action == "remember" and spot.is_asked_for(action) and spot.is_whole
        if action == "forget":
            if not spot.has_word_for(action):
                continue
            return Proposal(command=commands.Forget(statement=spot.statement), is_sure=False)
        if not is_own and not spot.has_word_for(action):
            continue
        return Proposal(command=commands.Remember(statement=spot.statement, subject=subject or None), is_sure=is_sure)
    return None


class _Span:
    """Where a statement stands in a message: what comes before and after it in its sentence."""

    def __init__(self, text: str, words: _Words, start: int, end: int) -> None:
        self._text = text
        self._words = words
        self._begin, self._end = words.starts[start], words.ends[end - 1]
        self._start, self._stop = start, end
        self.statement = text[self._begin : self._end]
        first, last = self._sentence()
        known = list(zip(words.words, words.starts, strict=True))
        self._of_before = [(w, at) for w, at in known if first <= at < self._begin]
        self._before = [w for w, _ in self._of_before]
        self._after = [w for w, at in known if self._end <= at < last]
        self._asks = "?" in text[self._end : last + 1]
        self._rest = [w for w, at in known if at >= self._end]

    def _sentence(self) -> tuple[int, int]:
        """Where the sentence begins and ends that the statement stands in."""
        ends = [m.end() for m in _END.finditer(self._text)]
        first = max((end for end in ends if end <= self._begin), default=0)
        last = min((end for end in ends if end > self._end - 1), default=len(self._text))
        return first, last

    @property
    def _clause(self) -> list[str]:
        """The words before it from the comma on that stands before the first word which asks."""
        asking = phrases("asks_to_remember") | phrases("asks_to_forget")
        first = next((n for n in range(len(self._before)) if self._asks_at(n, asking)), 0)
        at = self._words.starts[self._start - len(self._before) + first]
        comma = self._text.rfind(",", 0, at)  # a colon says who speaks ("ann: remember …")
        return [w for w, start in self._of_before if start > comma]

    def _asks_at(self, n: int, asking: frozenset[str]) -> bool:
        """Whether a phrase that asks begins at one of the words before it."""
        return any(" ".join(self._before[n : n + size]) in asking for size in (1, 2, 3))

    @property
    def is_whole(self) -> bool:
        """Whether nothing but politeness follows it in its sentence, and nothing takes it back after."""
        is_taken_back = _has(self._rest, "retracts") or _denies(self._rest)
        return all(word in phrases("tails") for word in self._after) and not is_taken_back

    def has_word_for(self, action: str) -> bool:
        """Whether its sentence has a word that asks for this."""
        return _has([*self._before, *self._after], f"asks_to_{action}")

    def is_asked_for(self, action: str) -> bool:
        """Whether the words before it ask for it, and do nothing else."""
        lead = self._clause
        if not lead or len(lead) > LONGEST_LEAD or not _has(lead, f"asks_to_{action}"):
            return False
        asking = {word for phrase in phrases(f"asks_to_{action}") for word in phrase.split()}
        if (lead[0] in collect("requests.speakers") and "you" not in lead) or tuple(lead[:2]) in _ASKED:
            return False
        return all(
            word in phrases("leads") or word in asking or word in collect("requests.asks_to_keep") for word in lead
        )

    def is_said_otherwise(self, action: str) -> bool:
        """Whether the words around it deny, ask, suppose or report it, or take it back."""
        if any(m.start() < self._end and m.end() > self._begin for m in _QUOTED.finditer(self._text)):
            return True
        if any(m.end() < len(self.statement) for m in _END.finditer(self.statement)):
            return True  # words of two sentences
        before, around = self._before, [*self._before, *self._after]
        if action == "remember":
            before = _without_idiom(before)
        if _denies(before) or _denies(self._after[:2]) or _has(self._rest, "retracts"):
            return True
        if _has(before[2:] if before[:2] == ["would", "you"] else before, "conditions") or _has(around, "reports"):
            return True
        if action == "remember" and _has(before, "asks_to_forget"):
            return True
        if action == "forget" and not _is_order(before):
            return True
        if _LAUGHS.search(self._text):
            return True
        is_request = self.is_asked_for(action) or (action == "forget" and _has(before, "asks_to_forget"))
        return self._asks and not (is_request and _is_polite_question(before))


_ASKED = frozenset(
    [
        *(("do", "you"), ("did", "you"), ("are", "you"), ("should", "you"), ("must", "you")),
        *(("should", "i"), ("shall", "i"), ("should", "the"), ("must", "the")),
    ]
)
"""How a question begins that asks for nothing, also without its mark."""


@cache
def _denials() -> frozenset[str]:
    return listed_words("negations.txt") | frozenset(collect("requests.denials"))


def _denies(words: list[str]) -> bool:
    return any(word in _denials() or word.endswith("n't") or word.startswith("n'") for word in words)


def _without_idiom(words: list[str]) -> list[str]:
    """Words before a statement without "don't forget", which asks to remember it."""
    line = f" {' '.join(words)} "
    for phrase in collect("requests.not_to_forget"):
        line = line.replace(f" {phrase} ", " remember ")
    return line.split()


def _has(words: list[str], name: str) -> bool:
    """Whether words have a phrase of one of the lists."""
    line = f" {' '.join(words)} "
    return any(f" {phrase} " in line for phrase in phrases(name))


def _is_order(before: list[str]) -> bool:
    """Whether words before a statement begin as one who orders or asks does, not as one who tells of something."""
    asking = phrases("asks_to_forget")
    at = next((n for n, word in enumerate(before) if word in asking), None)
    return at is not None and all(word in collect("requests.polite") for word in before[:at])


def _is_polite_question(before: list[str]) -> bool:
    """Whether a question is a request ("could you …?") rather than a question about one ("should I …?")."""
    return bool(before) and (before[0] in collect("requests.polite_questions") or _asks_first(before))


def _asks_first(before: list[str]) -> bool:
    words = {word for phrase in (*phrases("asks_to_remember"), *phrases("asks_to_forget")) for word in phrase.split()}
    return before[0] in words


def _of_speaker(words: tuple[str, ...], statement: str) -> bool:
    """Whether a statement is about whoever says it."""
    if any(of_oneself(word) or of_oneself(word.split("'")[0]) for word in words):
        return True
    return people.speaks_of_oneself(statement.casefold())
