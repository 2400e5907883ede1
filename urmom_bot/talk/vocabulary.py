"""What a message is made of: the phrases of a language's word lists that it splits into. Pure.

A short wish ("oops, undo that please") is one that is made of the phrases of its list and of filler alone. An order
that tells something is a phrase of its list with a statement behind it, or before it.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache, cached_property, lru_cache
from itertools import islice
from typing import NamedTuple

from memory.rules.third_person import is_verb
from memory.rules.wordlists import table
from urmom_bot.languages import collect, languages

_PLAIN = str.maketrans(
    "áàâäãåéèêëíìîïóòôöõúùûüñçёÁÀÂÄÃÅÉÈÊËÍÌÎÏÓÒÔÖÕÚÙÛÜÑÇЁ'ʼ‘´`",
    "aaaaaaeeeeiiiiooooouuuuncеAAAAAAEEEEIIIIOOOOOUUUUNCЕ’’’’’",
)


def look(text: str) -> str:
    """A text as word lists and patterns see it, letter for letter: without accents, with one kind of apostrophe."""
    return text.translate(_PLAIN)


LAUGHTER = (
    r"(?:lol|lmao|lmfao|rofl|ha(?:ha)+h?|he(?:he)+|xd|j[aei](?:j[aei])+j?|hi(?:hi)+|mdr|ptdr|лол|кек|а?(?:ха)+х?)"
)
"""What laughs behind a message."""


def is_laughter(word: str) -> bool:
    """Whether a word laughs."""
    return re.fullmatch(LAUGHTER, word) is not None


_WORD = re.compile(r"<[@#][!&]?\d{1,20}>|@?\w+|’")

MAX_WORDS = 60
"""Words of a message that is made of phrases alone, at the most."""


class Word(NamedTuple):
    """A word of a message, folded, with where it stands."""

    text: str
    start: int
    end: int


@lru_cache(maxsize=200)
def words_of(text: str) -> tuple[Word, ...]:
    """The words of a text; an apostrophe is one of its own, so that "d'ann" and "ann's" have Ann as a word."""
    return tuple(Word(found[0].casefold(), *found.span()) for found in _WORD.finditer(look(text)))


@dataclass(frozen=True)
class Piece:
    """A phrase, by the names of its lists; or one word that is of none."""

    kinds: frozenset[str]
    start: int
    end: int
    size: int = 1


_NONE = frozenset[str]()


class Phrases:
    """The phrases of several named lists. `*` at the end of a word of a phrase stands for any ending."""

    def __init__(self, lists: Mapping[str, Iterable[str]]) -> None:
        self._whole: dict[tuple[str, ...], frozenset[str]] = {}
        self._sizes: dict[str, list[int]] = {}
        self._stems: dict[str, list[tuple[str, tuple[str, ...]]]] = {}
        for kind, phrases in lists.items():
            for phrase in phrases:
                parts = tuple(re.findall(r"\w+\*?|’", look(phrase).casefold()))
                if not parts:
                    raise ValueError(f"no words in {phrase!r}")
                if "*" in "".join(parts):
                    self._stems.setdefault(parts[0][:2], []).append((kind, parts))
                    continue
                self._whole[parts] = self._whole.get(parts, frozenset()) | {kind}
                sizes = self._sizes.setdefault(parts[0], [])
                if len(parts) not in sizes:
                    sizes.append(len(parts))
                    sizes.sort(reverse=True)

    def longest(self, words: Sequence[Word], at: int) -> tuple[frozenset[str], int]:
        """The lists that have the longest phrase which begins at a word, and its length; none and 0 where none does."""
        best, size, first = _NONE, 0, words[at].text
        for length in self._sizes.get(first, ()):
            phrase = tuple([word.text for word in words[at : at + length]])
            if len(phrase) == length and phrase in self._whole:
                best, size = self._whole[phrase], length
                break
        for kind, parts in self._stems.get(first[:2], ()):
            if size <= len(parts) <= len(words) - at and _fits(parts, words, at):
                best = best | {kind} if len(parts) == size else frozenset({kind})
                size = len(parts)
        return best, size

    def split(self, words: Sequence[Word]) -> list[Piece]:
        """The pieces of a text, each the longest that begins where the one before it ends."""
        pieces, at = [], 0
        while at < len(words):
            kinds, size = self.longest(words, at)
            size = max(1, size)
            pieces.append(Piece(kinds, words[at].start, words[at + size - 1].end, size))
            at += size
        return pieces

    def found(self, words: Sequence[Word]) -> frozenset[str]:
        """The lists with a phrase anywhere in a text."""
        return frozenset[str]().union(*(self.longest(words, at)[0] for at in range(len(words))))

    def lists_of(self, words: Sequence[Word]) -> frozenset[str]:
        """The lists whose phrases a text is made of; none where it is not made of phrases alone."""
        if len(words) > MAX_WORDS:
            return frozenset()
        lists, at = frozenset[str](), 0
        while at < len(words):
            kinds, size = self.longest(words, at)
            if not kinds:
                return frozenset()
            lists |= kinds
            at += size
        return lists


def _fits(parts: tuple[str, ...], words: Sequence[Word], at: int) -> bool:
    return all(
        word.text.startswith(part[:-1]) if part.endswith("*") else word.text == part
        for part, word in zip(parts, words[at:], strict=False)
    )


ONESELF = "me"
"""Whom a question is about that asks about the speaker."""


@dataclass(frozen=True)
class Subject:
    """A question about people: whom, as "ann, kate", and whether it `is_plain` that it asks what is known of them."""

    people: str
    is_plain: bool


@dataclass(frozen=True)
class Order:
    """What an order tells, in the words of the message."""

    text: str
    is_all: bool = False
    """Whether it names whom everything is meant about."""


_ENDS = re.compile(r"[^\w\s\"'’“”«»()<@#/-]|- ")
MIN_SEVERAL = 3
"""More words than these are in a sentence about the speaker and somebody else ("me and Jay sing")."""

MAX_TAIL = 14
"""Words of an order behind its statement, at the most."""

MAX_HEAD = 40
"""Words of a message in which an order may begin."""

MAX_LEAD = 30
"""Words before an order, at the most."""

MAX_CLAUSES = 4
"""Clauses of a message in which an order may begin, behind the first."""

MAX_NAME = 3
"""Words of a person's name, at the most."""


MAX_AROUND = 20
"""Words of a message that takes something back and says why ("that was the wrong kate, reverse it")."""

_CLAUSES = re.compile(r"[.,!;:\n…]")


def _gives(lists: frozenset[str]) -> bool:
    """Whether phrases of these lists give a short wish."""
    return bool(lists & {"heads", "reasoned"}) or {"verbs", "objects"} <= lists


@dataclass(frozen=True)
class Phrasebook:
    """The word lists of one language, as phrases."""

    language: str

    @cached_property
    def _around(self) -> Phrases:
        lists = languages()[self.language].vocabulary
        return Phrases({"lead": lists.lead, "filler": lists.filler})

    @cached_property
    def _modal(self) -> Phrases:
        return Phrases({"modal": languages()[self.language].vocabulary.modal})

    @cached_property
    def _you(self) -> frozenset[str]:
        return frozenset(word.text for you in languages()[self.language].vocabulary.you for word in words_of(you))

    @cached_property
    def _polite(self) -> Phrases:
        lists = languages()[self.language].vocabulary
        return Phrases({"around": (*lists.filler, *lists.tail)})

    @cached_property
    def _tail(self) -> Phrases:
        return Phrases({"tail": languages()[self.language].vocabulary.tail})

    @cached_property
    def _short(self) -> dict[str, Phrases]:
        lists = languages()[self.language].vocabulary
        around = (*lists.filler, *lists.lead, *lists.tail)
        return {
            wish: Phrases(
                {
                    "heads": words.heads,
                    "verbs": words.verbs,
                    "objects": words.objects,
                    "also": (*words.also, *around),
                    "reasoned": words.reasoned,
                }
            )
            for wish, words in lists.short.items()
        }

    @cached_property
    def _question(self) -> Phrases:
        lists = languages()[self.language].vocabulary
        know = lists.know
        return Phrases(
            {
                "blockers": know.blockers,
                "heads": know.heads,
                "soft": know.soft,
                "own": know.own,
                "both": know.both,
                "words": (*know.words, *lists.filler, *lists.lead, *lists.tail),
            }
        )

    @cached_property
    def _orders(self) -> dict[str, Phrases]:
        lists = languages()[self.language].vocabulary
        return {
            wish: Phrases(
                {
                    "heads": order.heads,
                    "weak": order.weak,
                    "cues": order.cues,
                    "joins": order.joins,
                    "words": order.words,
                    "pronouns": order.pronouns,
                    "sources": order.sources,
                    "lead": (*lists.lead, *order.links),
                    "polite": lists.tail,
                    "around": lists.filler,
                    "modal": lists.modal,
                }
            )
            for wish, order in lists.orders.items()
        }

    @cached_property
    def _endings(self) -> dict[str, Phrases]:
        orders = languages()[self.language].vocabulary.orders
        return {wish: Phrases({"closers": order.closers}) for wish, order in orders.items()}

    @cached_property
    def _marks(self) -> dict[str, Phrases]:
        orders = languages()[self.language].vocabulary.orders
        return {
            wish: Phrases({"starts": order.starts, "sources": order.sources, "all": order.all})
            for wish, order in orders.items()
        }

    @cached_property
    def _blockers(self) -> dict[str, Phrases]:
        orders = languages()[self.language].vocabulary.orders
        return {wish: Phrases({"blockers": order.blockers}) for wish, order in orders.items()}

    def without_lead(self, text: str) -> tuple[str, bool]:
        """A text without the politeness before what it says, and whether that asked somebody to do something."""
        words, at, asks = words_of(text), 0, False
        while at < min(len(words), MAX_WORDS):
            kinds, size = self._around.longest(words, at)
            if not kinds or at + size == len(words) or self._begins_several(words[at:]):
                break
            asks |= "lead" in kinds
            at += size
        return (_from(text, words, at), asks) if at else (text, False)

    def _begins_several(self, words: Sequence[Word]) -> bool:
        """Whether words begin with the speaker beside somebody else ("me and Jay")."""
        names = languages()[self.language].names
        return len(words) > MIN_SEVERAL and words[0].text in names.oneself and words[1].text in names.both

    def without_tail(self, text: str) -> str:
        """A text without the politeness behind what it says; "plays lol" is about a game."""
        words = words_of(text)
        end = len(words)
        pieces = self._tail.split(words[max(0, end - MAX_TAIL) :])
        known = languages()[self.language].vocabulary
        while pieces and pieces[-1].kinds and end > pieces[-1].size:
            before, is_laugh = words[end - pieces[-1].size - 1].text, is_laughter(words[end - pieces[-1].size].text)
            if before in known.unfinished or (is_laugh and before in known.naming):
                break
            end -= pieces.pop().size
        return _until(text, words, end)

    def is_polite(self, text: str) -> bool:
        """Whether a text says nothing but what is polite, or nothing at all."""
        words = words_of(text)
        return not words or all(piece.kinds for piece in self._polite.split(words[:MAX_WORDS]))

    def wish(self, text: str) -> str | None:
        """The short wish that a text is made of, by its name."""
        words = words_of(text)
        if not words and text.strip(" ?"):
            return "hush"
        if len(words) > MAX_WORDS:
            return None
        for wish, phrases in self._short.items():
            if _gives(phrases.lists_of(words)):
                return wish
        return None

    def takes_back(self, text: str) -> bool:
        """Whether a text wants the bot's last action undone, with a reason before it or behind."""
        clauses = [words for clause in _CLAUSES.split(text) if (words := words_of(clause))]
        if not len(clauses) > 1 or sum(map(len, clauses)) > MAX_AROUND or "undo" not in self._short:
            return False
        return any("reasoned" in self._short["undo"].lists_of(words) for words in (clauses[0], clauses[-1]))

    def asked_about(self, text: str) -> Subject | None:
        """Whom a text asks about, where it asks for what is known of people."""
        words = words_of(text)
        if not 0 < len(words) <= MAX_WORDS:
            return None
        parts = [part for part in _CLAUSES.split(text) if part.strip()]
        return self._asked(text, words) or next(
            (
                asked
                for sentence in reversed(parts)
                if (asked := self._asked(sentence, words_of(sentence))) is not None and asked.is_plain
            ),
            None,
        )

    def may_ask_about(self, text: str) -> bool:
        """Whether a text has words by which people ask what is known of somebody."""
        return "heads" in self._question.found(words_of(text)[:MAX_WORDS])

    def _asked(self, text: str, words: Sequence[Word]) -> Subject | None:
        pieces = self._question.split(words)
        lists = self._question.found(words)
        if "blockers" in lists:
            return None
        names = _names(text, pieces) if lists & {"heads", "soft"} else None
        is_own = any("own" in piece.kinds for piece in pieces)
        if names is None or not (names or is_own):
            return None
        return Subject(", ".join((*names, ONESELF) if is_own else names), "heads" in lists)

    def told(self, wish: str, text: str) -> Order | None:
        """What an order of a wish ("keep", "drop") tells, and None where a text is no such order."""
        words = words_of(text)
        told = self._behind(wish, text, words, 0)
        if told is None:
            told = self._before(wish, text, words)
            return told if told is not None else self._later(wish, text, words)
        return self._before(wish, told.text, words_of(told.text)) or told

    def is_last(self, told: Order) -> bool:
        """Whether what is to be forgotten is the last thing that was said, and nothing that is named."""
        return "objects" in self._short["last"].lists_of(words_of(told.text)) if "last" in self._short else False

    def begins_with_order(self, text: str, wish: str | None = None, *, is_meant: bool = False) -> bool:
        """Whether a text begins with the words of an order to keep or to drop something; with `wish`, of that one.

        If it `is_meant`, also with words that order something only where nothing else can be meant ("store").
        """
        words, kinds = words_of(text)[:MAX_WORDS], {"heads", "weak"} if is_meant else {"heads"}
        orders = self._orders.values() if wish is None else [self._orders[wish]]
        return any(kinds & phrases.longest(words, 0)[0] for phrases in orders if words)

    def is_order(self, text: str, wish: str) -> bool:
        """Whether a text is an order to keep or drop something, with an article behind it or not, and no more."""
        words = words_of(text)[:MAX_WORDS]
        kinds, size = self._orders[wish].longest(words, 0) if words else (frozenset[str](), 0)
        articles = table("words.toml")["articles"]
        return bool(kinds & {"heads", "weak"}) and all(word.text in articles for word in words[size:])

    def behind_order(self, text: str, wish: str) -> str:
        """What follows the order to keep or drop something that a text begins with, and a "that"; empty without one."""
        words, phrases = words_of(text), self._orders[wish]
        kinds, at = phrases.longest(words[:MAX_WORDS], 0) if words else (frozenset[str](), 0)
        if "heads" not in kinds or at >= len(words):
            return ""
        at += phrases.longest(words, at)[1] if "joins" in phrases.longest(words, at)[0] else 0
        return _from(text, words, at) if at < len(words) else ""

    def asks_something_else(self, text: str) -> bool:
        """Whether a text has words that make it no question what is known of somebody ("what about")."""
        return "blockers" in self._question.found(words_of(text)[:MAX_WORDS])

    def _later(self, wish: str, text: str, words: Sequence[Word]) -> Order | None:
        """What follows an order in a later clause of a text, where it joins its statement."""
        starts = (at for at in range(1, min(len(words), MAX_HEAD)) if _begins_clause(_between(text, words, at)))
        tries = (self._behind(wish, text, words, at, is_strict=True) for at in islice(starts, MAX_CLAUSES))
        return next((told for told in tries if told is not None), None)

    def _behind(self, wish: str, text: str, words: Sequence[Word], at: int, *, is_strict: bool = False) -> Order | None:
        """What follows the order that begins at a word; a strict one is sure, and joins its statement."""
        phrases, blockers = self._orders[wish], self._blockers[wish]
        start, order, is_joined, is_over, is_modal = at, "", False, False, False
        while at < len(words) and at - start < (MAX_WORDS if order else MAX_LEAD) and not is_over:
            kinds, size = phrases.longest(words, at)
            given = next((kind for kind in ("heads", "weak", "cues") if kind in kinds), "")
            kinds -= {"modal", "around"} if order else set()
            is_lead = bool(kinds & {"lead", "around", "polite", "modal"})
            is_blocked = blockers.longest(words, at)[1] >= size > 0 and not _tells_of_both(words[at + size :])
            if is_blocked or not kinds or not (order or given or is_lead):
                break
            if given and is_modal and not order and not {word.text for word in words[start:at]} & self._you:
                break
            if order and not given and self._is_subject(wish, text, words, at, size):
                break
            is_modal |= kinds == {"modal"}
            order = order if order == "heads" else given or order
            at += size
            signs = _between(text, words, at) if at < len(words) else ""
            is_over = bool(order) and ("joins" in kinds or _COLON.search(signs) is not None)
            is_joined = is_joined or is_over or (bool(order) and _JOINS.search(signs) is not None)
        at += phrases.longest(words, at)[1] if at < len(words) and "joins" in phrases.longest(words, at)[0] else 0
        rest = words[at:]
        if (
            not order
            or not rest
            or (blockers.longest(words, at)[0] and not _names_several(rest))
            or (is_strict and not (is_joined and order == "heads"))
        ):
            return None
        is_sure = order == "heads" or is_joined or (order == "cues" and len(rest) > MAX_NAME)
        told = self._statement(wish, text, words, at, is_sure=is_sure)
        return told if wish == "drop" or is_joined or len(rest) > 1 else None

    def _is_subject(self, wish: str, text: str, words: Sequence[Word], at: int, size: int) -> bool:
        """Whether somebody is named whom the statement is about ("everyone calls …"), not spoken to ("everyone: …")."""
        goes_on = at + size < len(words) and not _between(text, words, at + size).strip()
        following = words[at + size].text if goes_on else ""
        goes_on = is_verb(following) or (following.endswith("s") and len(following) > MIN_VERB)
        return goes_on and self._marks[wish].longest(words, at) == (frozenset({"starts"}), size)

    def _statement(self, wish: str, text: str, words: Sequence[Word], at: int, *, is_sure: bool) -> Order | None:
        """What is told from a word on, without where it is to be forgotten from."""
        rest, marks = words[at:], self._marks[wish]
        is_all = any("all" in marks.longest(words, i)[0] for i in range(at))
        for cut in range(max(1, len(rest) - MAX_NAME * 2), len(rest)):
            kinds, size = marks.longest(rest, cut)
            if "sources" in kinds and cut + size == len(rest):
                return Order(_from(_until(text, words, at + cut), words, at), is_all)
        is_named = _begins(marks, rest) and (wish == "drop" or len(rest) > 1)
        if not is_sure and not is_named and not (wish == "drop" and len(rest) == 1):
            return None
        return Order(_from(text, words, at), is_all)

    def _before(self, wish: str, text: str, words: Sequence[Word]) -> Order | None:
        """What stands before the order: behind a sign if there is one, as the longest order."""
        phrases, starts = self._orders[wish], range(max(2, len(words) - MAX_TAIL), len(words))
        apart = [at for at in starts if _ENDS.search(_between(text, words, at))]
        at = next((at for at in apart if self._is_order(wish, words[at:], is_apart=True)), None)
        if at is None:
            loose = (at for at in starts if not self._is_part(words[at - 1]))
            at = next((at for at in loose if self._is_order(wish, words[at:], is_apart=False)), None)
        if at is None or self._is_blocked(wish, words, at):
            return None
        kinds, size = phrases.longest(words, 0)
        return Order(_from(_until(text, words, at), words, size if "joins" in kinds and size < at else 0))

    def _is_part(self, word: Word) -> bool:
        """Whether what follows a word belongs to it ("I can't" remember that, "how to" delete it)."""
        return word.text in self._you or len(word.text) == 1 or bool(self._modal.longest((word,), 0)[1])

    def _is_blocked(self, wish: str, words: Sequence[Word], at: int) -> bool:
        """Whether an order behind a statement is none: a negation runs into it, or the statement is a question."""
        blockers = self._blockers[wish]
        if wish == "keep" and blockers.longest(words, 0)[0]:
            return True
        return any(blockers.longest(words, i)[1] > at - i for i in range(max(0, at - MAX_NAME * 2), at))

    def _is_order(self, wish: str, words: Sequence[Word], *, is_apart: bool) -> bool:
        """Whether words are an order and nothing else; where no sign parts them from a statement, a clear one."""
        phrases, closers = self._orders[wish], self._endings[wish]
        at, first, lists = 0, "", frozenset[str]()
        while at < len(words):
            kinds, size = phrases.longest(words, at)
            closing = closers.longest(words, at)[1]
            if closing >= max(1, size):
                kinds, size = kinds | {"closers"} if closing == size else frozenset({"closers"}), closing
            if not kinds or kinds == {"cues"}:
                return False
            first = first or ("closers" if "closers" in kinds else "lead" if "lead" in kinds else "")
            first = first or (
                "head" if kinds & {"heads", "weak"} and size > 2 else "weak" if kinds & {"heads", "weak"} else "other"
            )
            lists, at = lists | kinds, at + size
        is_weak = {"pronouns", "weak"} <= lists
        if not is_weak and not lists & {"heads", "closers"}:
            return False
        return is_apart or first in ("lead", "closers", "head") or (first == "weak" and "pronouns" in lists)


def _begins_clause(between: str) -> bool:
    """Whether signs part two clauses; what is quoted is nobody's order."""
    return _CLAUSES.search(between) is not None and not any(quote in between for quote in '"“«„')


_COLON = re.compile(r": ?|\n|[\U0001F000-\U0001FAFF]")
_JOINS = re.compile(r", |- |– |— |; |\. ")


def _names(text: str, pieces: Sequence[Piece]) -> tuple[str, ...] | None:
    """The names in a question: words of no list, apart from each other by "and" alone; None where there is more."""
    names: list[str] = []
    start = end = size = 0
    is_open = True
    for piece in pieces:
        if piece.kinds:
            is_open = is_open and (not size or bool(piece.kinds & {"both", "own"}))
            if size:
                names.append(text[start:end])
            size = 0
            continue
        is_parted = _PARTS.search(text[end : piece.start]) is not None
        if size and is_parted:
            names.append(text[start:end])
            size = 0
        elif size == MAX_NAME or not is_open:
            return None
        start, end, size = (start if size else piece.start), piece.end, size + 1
    return (*names, text[start:end]) if size else tuple(names)


def _tells_of_both(words: Sequence[Word]) -> bool:
    """Whether a statement says what the speaker and another do ("me and bob play …")."""
    does = any(is_verb(word.text) for word in words[3:5])
    return _names_several(words) and does and not is_verb(words[2].text)


MIN_VERB = 4
"""Letters of a word in -s that may be a verb, at the least more than these."""


def _names_several(words: Sequence[Word]) -> bool:
    """Whether a statement begins with somebody beside another ("me and bob are siblings")."""
    is_person = len(words) > MIN_SHARED and words[2].text not in collect("grammar.pronouns")
    return is_person and words[1].text in collect("names.both")


MIN_SHARED = 3
"""Words of a statement about somebody and another, at the least more than these."""


def _begins(marks: Phrases, words: Sequence[Word]) -> bool:
    """Whether a statement begins with one of the phrases, or has one that begins with an apostrophe after a name."""
    if "starts" in marks.longest(words, 0)[0]:
        return True
    ends = range(1, min(len(words), MAX_NAME))
    return any(words[at].text == "’" and "starts" in marks.longest(words, at)[0] for at in ends)


_PARTS = re.compile(r"[,;&+/]")

_OPENING = "\"“«„'’(/<@#¿¡*_~|["
"""Signs that belong to the word behind them."""


def _from(text: str, words: Sequence[Word], at: int) -> str:
    """A text from one of its words on, with the signs that belong to it."""
    start, end = words[at].start, words[at - 1].end if at else 0
    while at and start > end and text[start - 1] in _OPENING:
        start -= 1
    return text[start:] if at else text


def _between(text: str, words: Sequence[Word], at: int) -> str:
    """What stands between a word and the one before it."""
    return text[words[at - 1].end : words[at].start]


def _until(text: str, words: Sequence[Word], at: int) -> str:
    """A text before one of its words, without the signs that part it from that."""
    if at == len(words):
        return text
    end = words[at - 1].end
    return text[:end] + text[end : words[at].start].rstrip(" \n,;:.…–—-(!?")


@cache
def vocabulary(language: str) -> Phrasebook:
    """The word lists of a language."""
    return Phrasebook(language)
