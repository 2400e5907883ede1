"""What was forgotten, as keyed fingerprints: it can be matched and not read. Pure.

A suppression keeps a statement from coming back without being another copy of it. It holds a fingerprint of the stem
of each keyword; a text tells the statement again when enough of its own keywords have these fingerprints.
"""

from __future__ import annotations

import hashlib
import hmac
import re
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from functools import lru_cache

from memory.ids import UserId
from memory.rules.folding import disguises, folded, surface
from memory.rules.inflection import ARABIC, roots_in, roots_of
from memory.rules.keywords import CJK, CYRILLIC, WORD, is_everyday, keywords, sentences_of, stem
from memory.rules.text import without_ids
from memory.rules.wordlists import table

SHARE = 0.6
"""The share of a statement's keywords that a sentence must have to tell it."""


@dataclass(frozen=True)
class KeyedStatement:
    """The fingerprints of a statement's keywords, and of those that are distinctive."""

    fingerprints: frozenset[str]
    distinctive: frozenset[str]

    def is_told_by(self, fingerprints: Collection[str]) -> bool:
        """Whether words with these fingerprints tell the statement: a distinctive one, or a good share of all."""
        return not self.distinctive.isdisjoint(fingerprints) or self.share(fingerprints) >= SHARE

    def share(self, fingerprints: Collection[str]) -> float:
        """How much of the statement is among these fingerprints, 0 to 1."""
        return len(self.fingerprints.intersection(fingerprints)) / len(self.fingerprints) if self.fingerprints else 0.0


@dataclass(frozen=True, kw_only=True)
class Suppression:
    """A statement about `user_id` that was forgotten at `created_at`."""

    suppression_id: int
    user_id: UserId
    statement: KeyedStatement
    created_at: datetime


class Fingerprints:
    """Fingerprints of stems and names under a key that is kept outside the database."""

    def __init__(self, key: bytes) -> None:
        self.key = key
        self.of_stem = lru_cache(20_000)(self._of_stem)  # talk repeats its words
        self.of_name = lru_cache(20_000)(self._of_name)  # and members keep their names

    def _of_stem(self, stem: str) -> str:
        """The fingerprint of one stem."""
        return hmac.new(self.key, stem.encode("utf-8", "replace"), hashlib.sha256).hexdigest()[:20]

    def of_statement(self, text: str, *, ignore: Collection[str] = (), small: bool = False) -> KeyedStatement:
        """The fingerprints of a text's keywords; names in `ignore` are none.

        With `small`, of a text that has none its small words count ("I have a son").
        """
        found = keywords(text, ignore=ignore, stemmed=_base_stem)
        if small and not found:
            aside = {folded(word) for name in ignore for word in WORD.findall(surface(name))} | _EMPTY
            words = [folded(word) for word in WORD.findall(surface(without_ids(text)))]
            found = dict.fromkeys((_base_stem(word) for word in words if word not in aside), False)
        return KeyedStatement(
            frozenset(map(self.of_stem, found)),
            frozenset(self.of_stem(stem) for stem, distinctive in found.items() if distinctive),
        )

    def of_text(self, text: str) -> frozenset[str]:
        """The fingerprints of the keywords of a text, and of what it says in a disguise."""
        readings = (text, *disguises(surface(text)))
        stems = {stem for reading in readings for stem in keywords(reading)}
        words = {word for reading in readings for word in _INFLECTED.findall(surface(reading))}
        stems |= {case for word in words for case in _cases(word)}
        stems |= {_base_stem(folded(word)) for reading in readings for word in WORD.findall(surface(reading))}
        return frozenset(map(self.of_stem, stems))

    def _of_name(self, name: str) -> frozenset[str]:
        """Fingerprints of a name's forms, so that a member who is not remembered is recognised and not written about.

        None of everyday words. Its parts and its plain form count too ("✨Ann Smith✨ (she/her)": Ann, Smith). A name
        of two letters counts only as it is written; of a long one the first words count; a Russian one in its cases.
        """
        found: set[str] = set()
        for form in name_forms(name):
            words = [word.replace("’", "'") for word in WORD.findall(form)][:3]
            if not words or len("".join(words)) < 2 or is_everyday(form):
                continue
            if is_exact(form):
                found |= {self.of_stem("=" + " ".join(words))} if form == name else set()
                continue
            plain = [folded(word) for word in words]
            found.add(self.of_stem(" ".join(plain)))
            if len(plain) == 1 and len(plain[0]) > 3 and CYRILLIC.match(plain[0]):
                found.add(self.of_stem("~" + plain[0][:-1]))
            if len(words) == 1 or ARABIC.match(words[0]):
                found |= {self.of_stem(root) for root in roots_of("".join(words))}
        return frozenset(found)

    def named_in(self, text: str) -> set[str]:
        """Fingerprints of everything in `text` that could be a name, of up to three words."""
        words = [word.replace("’", "'").removesuffix("'s") for word in WORD.findall(text)]
        runs = {" ".join(words[n : n + size]) for size in (1, 2, 3) for n in range(len(words))}
        found = {" ".join(map(folded, run.split())) for run in runs} | {
            folded(word) for word in set(WORD.findall(text))
        }
        found |= {"=" + run for run in runs}
        found |= {root for word in {*words, *WORD.findall(text)} for root in roots_in(word.replace("’", "'"))}
        for word in words:
            if CYRILLIC.match(word):
                found |= {"~" + folded(word)[: len(word) - cut] for cut in (0, 1, 2, 3) if len(word) - cut > 2}
            if CJK.search(word):
                parts = {word[n : n + size] for size in (2, 3, 4, 5) for n in range(len(word))}
                found |= parts | {f"={part}" for part in parts}
        return {self.of_stem(run) for run in found}


_EMPTY = frozenset(table("words.toml")["everywhere"])
"""Words that are in nearly every sentence."""

_ENDINGS = (
    *(("ies", "y"), ("ves", "f"), ("sses", "ss"), ("xes", "x"), ("zes", "z"), ("ches", "ch"), ("shes", "sh")),
    *(("oes", "o"), ("ss", "ss"), ("us", "us"), ("s", ""), ("ing", ""), ("ed", "")),
)
"""Endings of English words, and what stands in their place in the word itself."""

_LAST_LETTERS = tuple({ending[-1] for ending, _ in _ENDINGS})


def _base_stem(word: str) -> str:
    """The stem of a folded word without an English ending: "drinks" and "drink", "knives" and "knife" are the same."""
    for ending, instead in _ENDINGS if word.endswith(_LAST_LETTERS) else ():
        if word.endswith(ending) and len(word) - len(ending) > 2:
            word = word.removesuffix(ending) + instead
            break
    return stem(word)


_INFLECTED = re.compile(r"[\u0400-\u04ff]{6,30}")
"""Words whose cases differ by more letters than a stem leaves out."""


def _cases(word: str) -> list[str]:
    """The stems that a Russian word has in its other cases ("Королёв", "в Королёве")."""
    plain = folded(word)
    return [plain[: len(plain) - cut] for cut in (1, 3) if len(plain) - cut >= SHORTEST_STEM]


SHORTEST_STEM = 4
"""Letters of a stem at the least."""

_ASIDE = re.compile(r"[(\[{<|/].*$")
_TITLES = frozenset(
    ["dr", "mr", "mrs", "ms", "mx", "prof", "sir", "lady", "herr", "frau", "sr", "sra", "señor", "señora"]
)


def name_forms(name: str) -> tuple[str, ...]:
    """The forms in which people use a name: as it is, without what is put beside it, and its parts."""
    plain = " ".join(
        word for word in WORD.findall(_ASIDE.sub("", name)) if folded(word) not in _TITLES and word[0].isalpha()
    )
    parts = [word for word in plain.split() if len(word) >= 3 or CJK.search(word)]
    return tuple(dict.fromkeys(form for form in (name, plain, *(parts if len(parts) > 1 else ())) if form))


def is_exact(name: str) -> bool:
    """Whether only its own spelling tells a name from other words: everyday words, and very short ones."""
    words = WORD.findall(name)
    everyday = name[:1].isupper() and is_everyday(name)
    return bool(words) and (everyday or (len("".join(words)) < 3 and not CJK.search(name)))


class Suppressed:
    """What must not be told in a guild: statements that were forgotten, and members who are not remembered."""

    def __init__(
        self,
        fingerprints: Fingerprints,
        suppressions: Sequence[Suppression] = (),
        unnamed: Mapping[UserId, frozenset[str]] | None = None,
        version: str = "",
    ) -> None:
        self._fingerprints = fingerprints
        self._of: dict[UserId, list[Suppression]] = {}
        for suppression in suppressions:
            self._of.setdefault(suppression.user_id, []).append(suppression)
        self._unnamed = dict(unnamed or {})
        self._all_names = frozenset(f for fingerprints in self._unnamed.values() for f in fingerprints)
        self.version = version

    def __bool__(self) -> bool:
        return bool(self._of or self._unnamed)

    def tells(self, text: str, subjects: Collection[UserId], *, before: datetime | None = None) -> bool:
        """Whether `text` tells something that was forgotten of one of the members `subjects`.

        With `before`, only what was forgotten after that moment counts.
        """
        wanted = [s for u in subjects for s in self._of.get(u, ()) if before is None or s.created_at >= before]
        if not wanted:
            return False
        for sentence in sentences_of(text):
            told = self._fingerprints.of_text(sentence)
            if any(s.statement.is_told_by(told) for s in wanted):
                return True
        return False

    def tells_whole(self, text: str, subjects: Collection[UserId]) -> bool:
        """Whether a text tells a good share of what was forgotten, not only a name in it."""
        return any(self.told_again(text, user_id) for user_id in subjects)

    def _may_tell(self, text: str, subjects: Collection[UserId]) -> bool:
        """Whether any word of a text is one of what was forgotten of the members `subjects`."""
        wanted = {f for u in subjects for s in self._of.get(u, ()) for f in s.statement.fingerprints}
        return bool(wanted) and not wanted.isdisjoint(self._fingerprints.of_text(text))

    def told_again(self, text: str, user_id: UserId) -> list[int]:
        """The ids of the suppressions of a member that `text` tells again whole, not by a name in it alone."""
        told = self._fingerprints.of_text(text)
        return [s.suppression_id for s in self._of.get(user_id, ()) if s.statement.share(told) >= SHARE]

    def names(self, text: str) -> bool:
        """Whether `text` names a member who is not remembered."""
        return bool(self._all_names) and bool(self._fingerprints.named_in(text) & self._all_names)

    def without(self, text: str, subjects: Collection[UserId]) -> str:
        """`text` without the sentences that tell what was forgotten or name who is not remembered."""
        if not self.names(text) and not self._may_tell(text, subjects):
            return text
        return " ".join(s for s in sentences_of(text) if not self.names(s) and not self.tells(s, subjects))

    @property
    def members(self) -> frozenset[UserId]:
        """The members of whom something was forgotten."""
        return frozenset(self._of)


def tells(fingerprints: Fingerprints, text: str, statements: Iterable[KeyedStatement]) -> bool:
    """Whether a sentence of `text` tells one of the statements."""
    wanted = list(statements)
    for sentence in sentences_of(text):
        told = fingerprints.of_text(sentence)
        if any(statement.is_told_by(told) for statement in wanted):
            return True
    return False
