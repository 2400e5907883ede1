"""What was forgotten, in a form that recognises it and does not tell it: keyed digests of its keywords. Pure.

A suppression must keep a statement from coming back without being another copy of it. It holds, for
each word that tells something (names of the person, small words and everyday verbs aside), a digest of
the word's stem. A text tells the statement again when enough of its own words have these digests.
"""

from __future__ import annotations

import hashlib
import hmac
import re
import unicodedata
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from functools import cache, lru_cache
from importlib.resources import files

from memory.rules.text import without_ids

SHARE = 0.6
"""The share of a statement's keywords that a sentence must have to tell it."""

_WORD = re.compile(r"[^\W_]+(?:['’][^\W_]+)*|[\u2600-\u27bf\U0001f300-\U0001faff]+")
_NAMING = frozenset(
    ["called", "named", "llama", "llamado", "llamada", "зовут", "называется", "appelle", "s'appelle", "nomme"]
)
_CYRILLIC = re.compile(r"[\u0400-\u04ff]")
_CJK = re.compile(r"[\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af]")
_SENTENCE = re.compile(r"(?<=[.!?…;])\s++|(?<=[。！？])|(?<!\s)\s++(?=\d{4}-\d\d-\d\d:)")


@cache
def listed_words(name: str) -> frozenset[str]:
    """The words of one of the lists beside the code, folded."""
    text = (files("memory.wordlists") / name).read_text(encoding="utf-8")
    return frozenset(folded(word) for line in text.splitlines() if not line.startswith("#") for word in line.split())


def _small() -> frozenset[str]:
    """Words that tell nothing of a person."""
    return listed_words("small.txt")


def is_everyday(name: str) -> bool:
    """Whether a name consists of everyday words alone, so that it identifies nobody by itself."""
    words = [folded(word) for word, _ in _parts(name)]
    return bool(words) and all(word in _small() or word in listed_words("everyday.txt") for word in words)


def folded(word: str) -> str:
    """Lower case without the marks of letters, as `folding` has it for SQL."""
    plain = unicodedata.normalize("NFKD", word.lower())
    bare = "".join(c for c in plain if not "\u0300" <= c <= "\u036f")
    return unicodedata.normalize("NFC", bare).replace("’", "'")


def _stem(word: str) -> str:
    """A folded word without its ending, as far as one can tell without its language."""
    if len(word) < 5:
        return word[:-1] if len(word) == 4 and _CYRILLIC.match(word) else word
    return word[: max(4, len(word) - 2)]


def _parts(text: str) -> Iterator[tuple[str, int]]:
    """The words of a text and where they begin; of one with an apostrophe the longer part ("I'm", "l'avion")."""
    for match in _WORD.finditer(text):
        yield max(re.split(r"['’]", match[0]), key=len), match.start()


def keywords(text: str, names: Collection[str] = ()) -> dict[str, bool]:
    """The stems of the words that tell something; True for names, which tell it alone, as a sole word does."""
    aside = _small().union(folded(word) for name in names for word, _ in _parts(name)) if names else _small()
    text = without_ids(text)
    found: dict[str, bool] = {}
    before, end = "", 0
    for word, start in _parts(text):
        previous, before = before, folded(word)
        between, end = text[end:start].rstrip(), start + len(word)
        if before in aside or (len(word) < 2 and word.isalpha()):
            continue
        if previous in _NAMING or not word[0].isalnum():  # what something is called; emoji
            found[_stem(before)] = True
            continue
        starts = not previous or between.endswith((".", "!", "?", ":", "“", '"', "«"))
        special = word[0].isupper() and not starts and len(word) > 2
        found[_stem(before)] = found.get(_stem(before), False) or special
    return dict.fromkeys(found, True) if len(found) == 1 else found


def sentences_of(text: str) -> list[str]:
    """A text in its sentences."""
    return [part for part in _SENTENCE.split(text) if part]


@dataclass(frozen=True, kw_only=True)
class Suppression:
    """A statement about `user_id` that was forgotten: digests of its words, and of those that tell it alone."""

    suppression_id: int
    user_id: int
    marks: frozenset[str]
    distinctive: frozenset[str]
    created_at: datetime


class Marker:
    """Digests under a key that the database's owner keeps."""

    def __init__(self, key: bytes) -> None:
        self._key = key
        self.digest = lru_cache(20_000)(self._digest)  # talk repeats its words
        self.name_marks = lru_cache(20_000)(self._name_marks)  # and members keep their names

    def _digest(self, stem: str) -> str:
        """The digest of one stem."""
        return hmac.new(self._key, stem.encode("utf-8", "replace"), hashlib.sha256).hexdigest()[:20]

    def marks(self, text: str, names: Collection[str] = ()) -> tuple[set[str], set[str]]:
        """(digests of the keywords, digests of those that tell it alone)."""
        found = keywords(text, names)
        return {self.digest(s) for s in found}, {self.digest(s) for s, special in found.items() if special}

    def _name_marks(self, name: str) -> frozenset[str]:
        """Digests of a name's forms, so that a member who is not remembered is recognised and not written about.

        None of everyday words. A name of two letters counts only as it is written; of a long one the first words
        count; a Russian one counts in its cases.
        """
        words = [word.replace("’", "'") for word in _WORD.findall(name)][:3]
        if not words or len("".join(words)) < 2 or is_everyday(name):
            return frozenset()
        if is_exact(name):
            return frozenset([self.digest("=" + " ".join(words))])
        plain = [folded(word) for word in words]
        found = {self.digest(" ".join(plain))}
        if len(plain) == 1 and len(plain[0]) > 3 and _CYRILLIC.match(plain[0]):
            found.add(self.digest("~" + plain[0][:-1]))
        return frozenset(found)

    def named_in(self, text: str) -> set[str]:
        """Digests of everything in `text` that could be a name, of up to three words."""
        words = [word.replace("’", "'").removesuffix("'s") for word in _WORD.findall(text)]
        runs = {" ".join(words[n : n + size]) for size in (1, 2, 3) for n in range(len(words))}
        found = {" ".join(map(folded, run.split())) for run in runs} | {
            folded(word) for word in set(_WORD.findall(text))
        }
        found |= {"=" + run for run in runs}
        for word in words:
            if _CYRILLIC.match(word):
                found |= {"~" + folded(word)[: len(word) - cut] for cut in (0, 1, 2, 3) if len(word) - cut > 2}
            if _CJK.search(word):
                parts = {word[n : n + size] for size in (2, 3, 4) for n in range(len(word))}
                found |= parts | {f"={part}" for part in parts}
        return {self.digest(run) for run in found}


def is_exact(name: str) -> bool:
    """Whether only its own spelling tells a name from other words: everyday words, and very short ones."""
    words = _WORD.findall(name)
    everyday = name[:1].isupper() and is_everyday(name)
    return bool(words) and (everyday or (len("".join(words)) < 3 and not _CJK.search(name)))


def folding() -> tuple[str, str]:
    """Letters with marks, and the same without: what SQL's `translate` needs to compare as `keywords` does."""
    pairs = [(chr(c), folded(chr(c))) for c in (*range(0xC0, 0x250), *range(0x400, 0x500), *range(0x1E00, 0x1F00))]
    kept = [(marked, plain) for marked, plain in pairs if len(plain) == 1 and marked.islower() and plain != marked]
    return "".join(marked for marked, _ in kept), "".join(plain for _, plain in kept)


class Suppressed:
    """What must not be told in a guild: statements that were forgotten, and members who are not remembered."""

    def __init__(
        self,
        marker: Marker,
        suppressions: Sequence[Suppression] = (),
        unnamed: Mapping[int, frozenset[str]] | None = None,
        version: str = "",
    ) -> None:
        self._marker = marker
        self._of: dict[int, list[Suppression]] = {}
        for suppression in suppressions:
            self._of.setdefault(suppression.user_id, []).append(suppression)
        self._unnamed = dict(unnamed or {})
        self._all_names = frozenset(mark for marks in self._unnamed.values() for mark in marks)
        self.version = version

    def __bool__(self) -> bool:
        return bool(self._of or self._unnamed)

    def tells(self, text: str, about: Collection[int], *, before: datetime | None = None) -> bool:
        """Whether `text` tells something that was forgotten of one of the members `about`.

        With `before`, only what was forgotten after that moment counts.
        """
        wanted = [s for u in about for s in self._of.get(u, ()) if before is None or s.created_at >= before]
        if not wanted:
            return False
        for sentence in sentences_of(text):
            marks, _ = self._marker.marks(sentence)
            if any(matches(marks, s.marks, s.distinctive) for s in wanted):
                return True
        return False

    def _may_tell(self, text: str, about: Collection[int]) -> bool:
        """Whether any word of a text is one of what was forgotten of the members `about`."""
        wanted = {mark for u in about for s in self._of.get(u, ()) for mark in s.marks}
        return bool(wanted) and not wanted.isdisjoint(self._marker.marks(text)[0])

    def told_again(self, text: str, user_id: int) -> list[int]:
        """The numbers of the suppressions of a member that `text` tells again whole, not by a name in it alone."""
        marks, _ = self._marker.marks(text)
        return [s.suppression_id for s in self._of.get(user_id, ()) if s.marks and share(marks, s.marks) >= SHARE]

    def names(self, text: str) -> bool:
        """Whether `text` names a member who is not remembered."""
        return bool(self._all_names) and bool(self._marker.named_in(text) & self._all_names)

    def without(self, text: str, about: Collection[int]) -> str:
        """`text` without the sentences that tell what was forgotten or name who is not remembered."""
        if not self.names(text) and not self._may_tell(text, about):
            return text
        return " ".join(s for s in sentences_of(text) if not self.names(s) and not self.tells(s, about))

    @property
    def members(self) -> frozenset[int]:
        """The members of whom something was forgotten."""
        return frozenset(self._of)


def share(marks: Collection[str], wanted: Collection[str]) -> float:
    """How much of a statement's words are among others."""
    return len(set(wanted) & set(marks)) / len(set(wanted)) if wanted else 0.0


def matches(marks: Collection[str], wanted: Collection[str], alone: Collection[str]) -> bool:
    """Whether words tell a statement: one that tells it alone, or a good share of them all."""
    return bool(set(alone) & set(marks)) or share(marks, wanted) >= SHARE


def tells(marker: Marker, text: str, statements: Iterable[tuple[Collection[str], Collection[str]]]) -> bool:
    """Whether a sentence of `text` tells one of the statements (their marks, and those that tell alone)."""
    wanted = list(statements)
    for sentence in sentences_of(text):
        marks, _ = marker.marks(sentence)
        if any(matches(marks, *statement) for statement in wanted):
            return True
    return False
