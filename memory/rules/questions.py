"""What a question asks for: whom it names, which words to look for, which days it means. Pure."""

from __future__ import annotations

import math
import re
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from functools import cache

from memory.ids import UserId
from memory.rules.dates import Span, span_in
from memory.rules.folding import folded
from memory.rules.keywords import is_common, is_everyday
from memory.rules.names import is_written_as_name, nominatives
from memory.rules.text import clean, mentioned
from memory.rules.wordlists import listed_words, table

LONGEST_NAME = 3
"""Words of a name that are looked at together."""

MOST_TOKENS = 60
"""Words of a question that are looked at."""

SHORTEST_START = 4
"""Letters by which the start of a name is taken for it."""

COMMON = 5_000
"""Messages that the words of one search may lie in together: words more common than that add nothing but time."""

OPENING_WORDS = 4
"""Words at the start of a question among which it says that it asks for a person ("Bot, and to whom …")."""

AMBIGUOUS = 2
"""People whom one name may mean in a search, where breadth does no harm; more are none."""

_WORD = re.compile(r"[^\s,;:!?\"()¿¡«»“”…]+")
_ANY_MARK = re.compile(r"<[@#:][^<>]{0,60}>")
_MENTION = re.compile(r"<@!?(\d{1,19})>")
_FIRST = re.compile(r"[^\W_]+(?:['’][^\W_]+)*")


@cache
def _small() -> frozenset[str]:
    return listed_words("small.txt") | listed_words("asking.txt")


def of_oneself(word: str) -> bool:
    """Whether people speak of themselves alone by a word, in one of four languages."""
    return folded(word) in listed_words("oneself.txt")


def speaks_of_oneself(text: str) -> bool:
    """Whether a statement speaks of who makes it ("bob owes me 20"), in a word that means nothing else elsewhere."""
    return not (listed_words("oneself.txt") - _ELSEWHERE).isdisjoint(_first_persons(text))


_ELSEWHERE = frozenset(["im", "mine", "m", "j"])
"""Of the words by which people speak of themselves, those that mean something else too ("im Büro", "a gold mine")."""


@dataclass(frozen=True, kw_only=True)
class NamedMember:
    """A member whose name begins with `token`; `exact` where a name of theirs is that, signs and case aside."""

    token: str
    user_id: UserId
    names: tuple[str, ...]
    exact: bool


@dataclass(frozen=True, kw_only=True)
class Stem:
    """A word of the question as it is searched for, and how many messages of the guild have it."""

    token: str
    stem: int
    messages: int


@dataclass(frozen=True, kw_only=True)
class Vocabulary:
    """What a guild knows of a question's words.

    `messages` is how many it has. `names` are the display names and usernames, as stems, of the asker and of whom the
    question names in full. Names in very many messages are left out.
    """

    members: tuple[NamedMember, ...] = ()
    stems: tuple[Stem, ...] = ()
    messages: int = 0
    names: tuple[tuple[UserId, tuple[int, ...]], ...] = ()

    def names_of(self, people: Collection[UserId]) -> tuple[tuple[int, ...], ...]:
        """The names of some people as stems, none twice."""
        return tuple(dict.fromkeys(stems for user_id, stems in self.names if user_id in people))


@dataclass(frozen=True, kw_only=True)
class Question:
    """A question, taken apart.

    `runs` are what could be names, of up to three words each, longer ones first; `words` what else is looked for;
    `mentions` whom it mentions by id; `of_asker` tells that the asker speaks of themselves; `span` the days it names.
    """

    runs: tuple[str, ...]
    words: tuple[str, ...]
    mentions: tuple[UserId, ...]
    of_asker: bool
    span: Span | None


def read(text: str, today: date) -> Question:
    """Take a question apart, as somebody asks it on the day `today`."""
    plain = _ANY_MARK.sub(" ", clean(text))
    return Question(
        runs=tuple(run for run in possible_names(text) if len(run) > 1 and _may_be_name(run, plain)),
        words=tuple(dict.fromkeys(token for token in _tokens(plain) if not _is_small(token))),
        mentions=mentioned(text),
        of_asker=not (listed_words("oneself.txt") | listed_words("ourselves.txt")).isdisjoint(_first_persons(plain)),
        span=span_in(plain, today),
    )


def _may_be_name(run: str, text: str) -> bool:
    """Whether a run of words may be somebody's name: no small or everyday word that is not written as a name."""
    if not (_is_small(run) or is_everyday(run)):
        return True
    return run[0].isupper() and is_written_as_name(text, text.find(run), run)


def possible_names(text: str) -> tuple[str, ...]:
    """What could be names in a text: runs of up to three words, the longer first; Russian names in the nominative."""
    tokens = _tokens(_ANY_MARK.sub(" ", clean(text)))
    runs = [
        " ".join(tokens[n : n + size]) for size in range(LONGEST_NAME, 0, -1) for n in range(len(tokens) - size + 1)
    ]
    others = (name for token in tokens for name in (*nominatives(token), *_ELIDED.findall(token)))
    return tuple(dict.fromkeys((*runs, *others)))


_ELIDED = re.compile(r"\A(?:[djlmnst]|qu)['’]([^\W\d_].+)\Z", re.IGNORECASE)
"""A name behind what French runs together with it ("d'Alice", "qu'Ann")."""


def _tokens(plain: str) -> list[str]:
    return [token for word in _WORD.findall(plain)[:MOST_TOKENS] if (token := _bare(word))]


def _first_persons(text: str) -> Iterable[str]:
    """The words of a text, and what stands before the apostrophe in those that have one ("j'avais")."""
    for word in _FIRST.findall(folded(text)):
        yield word
        if word[:2] in ("j'", "m'"):
            yield word[:2]


def _bare(token: str) -> str:
    return re.sub(r"['’]s$", "", token).rstrip(".")


def _is_small(token: str) -> bool:
    return folded(token) in _small()


def named(question: Question, members: Iterable[NamedMember]) -> dict[str, set[UserId]]:
    """Whom a question names, by the words that do: by a whole name, by one alike but for signs, by the start of one."""
    by_run: dict[str, list[NamedMember]] = {}
    for member in members:
        by_run.setdefault(member.token, []).append(member)
    found: dict[str, set[UserId]] = {}
    for run in question.runs:
        if any(f" {run} " in f" {longer} " for longer in found):
            continue
        folded = run.casefold()
        known = by_run.get(run, [])
        same = {m.user_id for m in known if folded in map(str.casefold, m.names)}
        alike = {m.user_id for m in known if m.exact}
        may_begin = len(run) >= SHORTEST_START and " " not in run and not is_common(run)
        starting = {m.user_id for m in known} if may_begin else set()
        user_ids = same or alike or starting
        if 0 < len(user_ids) <= AMBIGUOUS:
            found[run] = user_ids
    return found


def receivers(text: str, by_name: Mapping[str, Collection[UserId]]) -> set[UserId]:
    """Those a question names to whom others said or did something ("who told Ann to reboot?", "what was Ann told?").

    `by_name` is whom it names, by the words that do; whom it mentions is read from `text`.
    """
    words = [_bare(word) for word in _WORD.findall(_MENTION.sub(r" @\1 ", clean(text)))[:MOST_TOKENS]]
    small = [folded(word) for word in words]
    who = next((n for n, word in enumerate(small[:OPENING_WORDS]) if word in _receiving("who")), len(words))
    if who and small[who - 1] in _receiving("oblique"):  # "To whom did Ann say …?" asks for the receiver
        who = len(words)
    found: set[UserId] = set()
    for n, size, people in _names_at(words, by_name):
        before, after = "".join(small[max(n - 1, 0) : n]), small[n + size : n + size + 3]
        is_object = before in _receiving("verbs") | _receiving("to")
        is_told = before in _receiving("be") and not _receiving("participles").isdisjoint(after)
        is_advised = not _receiving("should").isdisjoint((before, *after[:1]))
        is_first = n > who + 1 and not found and before not in _receiving("by_them")
        if is_object or is_told or is_advised or is_first:
            found.update(people)
    return found


@cache
def _receiving(kind: str) -> frozenset[str]:
    return frozenset(map(folded, table("receiving.toml")[kind]))


def _names_at(
    words: Sequence[str], by_name: Mapping[str, Collection[UserId]]
) -> Iterator[tuple[int, int, Collection[UserId]]]:
    """Where a question's names stand: the first word of each, how many it has, and whom it names."""
    for n, word in enumerate(words):
        if word.startswith("@") and word[1:].isdecimal():
            yield n, 1, [UserId(int(word[1:]))]
        for run, people in by_name.items():
            size = run.count(" ") + 1
            if words[n : n + size] == run.split() or run in nominatives(word):
                yield n, size, people


def weighed(vocabulary: Vocabulary, but: Collection[str]) -> list[tuple[int, float]]:
    """The stems to look for with their rarity (BM25's idf), rarest first, without those of the words `but`.

    Words too common to be looked up are left out; those that no message has may stand in notes and facts.
    """
    aside = {word for run in but for word in run.split()}
    messages = {s.stem: s.messages for s in vocabulary.stems if s.token not in aside}
    total = max(vocabulary.messages, 1)
    found, looked_at = [], 0
    for stem, count in sorted(messages.items(), key=lambda item: (item[1], item[0])):
        looked_at += count
        if looked_at > COMMON:
            break
        found.append((stem, math.log(1 + (total - count + 0.5) / (count + 0.5))))
    return found
