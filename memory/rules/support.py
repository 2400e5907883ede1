"""Support: whether the names, numbers and words of a text come from what it was made from. Pure."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import date, timedelta
from functools import cache, cached_property

from rapidfuzz.distance import Levenshtein

from memory.rules.dates import MONTHS
from memory.rules.folding import folded
from memory.rules.keywords import CJK, WORD, is_everyday
from memory.rules.rare import rare_words
from memory.rules.text import mentioned, without_ids
from memory.rules.wordlists import by_language, listed_words

BEFORE, AFTER = timedelta(days=8), timedelta(days=15)
"""How far before and after its day a date may lie that a model worked out from words like "next Friday"."""

_NUMBER = re.compile(r"\d+")
_COMPOUND = re.compile(r"\d{1,20}(?:[.:]\d{1,20})+")
"""A version, an address or a time: its numbers stand together."""

_BEFORE_NUMBER = re.compile(r"(?<!\w)([^\W\d_]{2,30}) [-+]?(\d{1,20}(?:[.:]\d{1,20})*)(?![\w.:])")
_NUMBERED = re.compile(r"\d{1,20}(?:[.:]\d{1,20})*")
_AFTER_NUMBER = re.compile(r"(?<![\w.:])(\d{1,20}(?:[.:]\d{1,20})*)(?: |-)?([^\W\d_]{2,30})(?!\w)")

_DOTTED_DATE = re.compile(r"\d{1,2}\.\d{1,2}\.(?:\d\d){1,2}")

_ZEROS = re.compile(r"(?<=[.:])0+(?=\d)")
"""What somebody may fill up a date or a time with ("15.9", "15.09")."""

_CODED = re.compile(
    r"(?<![\w@])#[^\W\d_][\w-]{1,40}|(?<![\w#])[^\W\d_]{2,20}\d{1,6}(?!\w)"
    r"|(?<![\w#])[a-z]{1,20}\d{1,6}[a-z][a-z\d]*+",
    re.IGNORECASE,
)
"""A channel, or a name with a number ("sda3", "ff3b5")."""
_MONTH = "|".join(MONTHS)
_DATE = re.compile(
    r"(?<!\d)(?P<y>\d{4})-(?P<m>\d\d)-(?P<d>\d\d)(?!\d)|(?:(?P<y2>\d{4})年)?(?P<m2>\d{1,2})月(?P<d2>\d{1,2})日"
    rf"|(?<!\d)(?P<d3>\d{{1,2}})(?:\.|st|nd|rd|th|er)? (?:de |of )?(?P<w3>{_MONTH})\b\.?"
    r"(?:,? (?:de )?(?P<y3>\d{4})\b)?"
    rf"|\b(?P<w4>{_MONTH})\.? (?P<d4>\d{{1,2}})(?:st|nd|rd|th)?(?!\d)(?:,? (?P<y4>\d{{4}})\b)?",
    re.IGNORECASE,
)
"""A date as a model writes it."""

_CAPITALISED = re.compile(r"[^\W\d_][\w'’-]*")
_NOT_OF_NAME = re.compile(r"(?:['’]s|-[^\W\d_A-Z][^\W\d_]+ed|-[^\W\d_A-Z][^\W\d_]+ing)?['’-]*$")
"""What may follow a name in a word ("Wubi-installed", "Ann's")."""

_WORDS = re.compile(r"[^\W\d_]{2,40}")

LONG_NAME = 8
"""Letters of a name that may be written as several words, at the least: "Roman" is not in "from another"."""

LONG_NUMBER = 3
"""Figures of a number that counts by itself in a version too, at the least."""

SHORT_NAME = 6
"""Letters of a name that may have another form or a wrong letter, at the least."""

SAME_BEGINNING = 0.8
"""The share of the longer of two forms of a name that both begin with, at the least."""

ENGLISH = "en"

ENGLISH_SHARE = 0.5
"""The share of common words in a text that is English, at the least."""

SOME_ENGLISH = 0.35
"""The same for a short text full of names."""

_STARTS = frozenset('.!?:;“"«(')
"""What stands before the first word of a sentence."""

_GERMAN = frozenset(
    [
        "der",
        "die",
        "das",
        "den",
        "dem",
        "und",
        "ist",
        "mit",
        "ein",
        "eine",
        "einen",
        "nicht",
        "für",
        "auf",
        "von",
        "hat",
    ]
)


_CALENDAR = frozenset(
    (
        *("january", "february", "march", "april", "may", "june", "july", "august", "september", "october"),
        *("november", "december", "monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday"),
        *("jan", "feb", "mar", "apr", "jun", "jul", "aug", "sep", "oct", "nov", "dec"),
    )
)
"""What English writes with a capital, and what a model writes for a date in figures."""


def numbers_of(text: str, day: date | None = None) -> set[str]:
    """The numbers in a text. Dates near `day`, which a model may have worked out, are left out; others count by day.

    Their year counts only where it is another than that of `day`, or the next to it: most talk leaves it out.
    """

    def near(match: re.Match[str]) -> str:
        if day is None:
            return match[0]
        of = match.groupdict()
        year = int(of["y"] or of["y2"] or of["y3"] or of["y4"] or day.year)
        told = of["d"] or of["d2"] or of["d3"] or of["d4"] or "0"
        word = of["w3"] or of["w4"]
        month = int(of["m"] or of["m2"] or (_month(word) if word else 0))
        if abs(year - day.year) > 1:
            return match[0]
        try:
            worked_out = day - BEFORE <= date(year, month, int(told)) <= day + AFTER
        except ValueError:
            return match[0]
        return " " if worked_out else f" {told} "

    return set(_NUMBER.findall(_DATE.sub(near, without_ids(text))))


def _month(word: str) -> int:
    return next((n for n, names in enumerate(MONTHS, 1) if re.fullmatch(names, word, re.IGNORECASE)), 0)


def names_of(text: str) -> set[str]:
    """The capitalised words of a text that are probably names; in German, those with two capitals.

    The first word of a sentence is none unless it has more capitals than one.
    """
    plain = without_ids(text)
    words = list(_CAPITALISED.finditer(plain))
    german = sum(word[0] in _GERMAN for word in words) >= 2
    found = set()
    for word in words:
        inner = any(c.isupper() for c in word[0][1:])
        before = plain[max(word.start() - 4, 0) : word.start()].rstrip()
        starts = word.start() == 0 or (not before and word.start() < 4) or before[-1:] in _STARTS
        if inner or (word[0][0].isupper() and not starts and not german and len(word[0]) > 2):
            found.add(_NOT_OF_NAME.sub("", word[0]))
    return {name for name in found if not is_everyday(name) and name.casefold() not in _CALENDAR}


@dataclass(frozen=True)
class _Sources:
    """What texts may have their names and numbers from, looked through once."""

    folded: str

    @cached_property
    def numbers(self) -> frozenset[str]:
        """The numbers, without leading zeros; of a version, the first and the long ones: "9" isn't in "1.9"."""
        found = _NUMBER.findall(_COMPOUND.sub(" ", self.folded))
        for compound in _COMPOUND.findall(self.folded):
            parts = re.split("[.:]", compound)
            is_version = ":" not in compound and not _DOTTED_DATE.fullmatch(compound)
            found += [part for n, part in enumerate(parts) if not (is_version and n and len(part) < LONG_NUMBER)]
        return frozenset(number.lstrip("0") for number in found)

    @cached_property
    def compounds(self) -> str:
        """Versions, addresses and times, each as its numbers."""
        return " ".join(map(_parts, _COMPOUND.findall(self.folded)))

    @cached_property
    def plain(self) -> str:
        """Without apostrophes."""
        return self.folded.replace("'", "").replace("’", "")

    @cached_property
    def joined(self) -> str:
        """As one word."""
        return re.sub(r"[\s_-]", "", self.plain)

    @cached_property
    def codes(self) -> Sequence[str]:
        """The words with numbers in them."""
        return [word for word in re.findall(r"\w+", self.plain) if word[0].isalpha() and _NUMBER.search(word)]

    @cached_property
    def numbered(self) -> Mapping[str, set[str]]:
        """By the number in a word, the letters before it, if they are enough to know a name by ("win7")."""
        found: dict[str, set[str]] = {}
        for letters, number in re.findall(r"(?<!\w)([^\W\d_]{3,12})(\d{1,4})(?!\w)", self.plain):
            found.setdefault(number, set()).add(letters)
        return found

    @cached_property
    def words(self) -> Sequence[str]:
        """The words, in their order."""
        return _WORDS.findall(self.plain)

    @cached_property
    def by_letter(self) -> Mapping[str, frozenset[str]]:
        """The words by their first letters."""
        found: dict[str, set[str]] = {}
        for word in self.words:
            found.setdefault(word[0], set()).add(word)
        return {letter: frozenset(words) for letter, words in found.items()}

    @cached_property
    def english(self) -> float:
        """The share of common English words in it."""
        return sum(word in _english() for word in self.words) / max(len(self.words), 1)


@cache
def _english() -> frozenset[str]:
    return listed_words("common.txt").union(by_language("words.toml")[ENGLISH]["everywhere"])


def _parts(compound: str) -> str:
    """The numbers of a version, an address or a time, however they are parted ("09:30", "9.30")."""
    first, *rest = re.split("[.:]", compound)
    return f".{'.'.join((first.lstrip('0'), *rest))}."


def _sources(text: str) -> _Sources:
    return _Sources(without_ids(text).casefold())


def strange(text: str, sources: str, day: date | None = None) -> set[str]:
    """The numbers and names of a text that none of its `sources` has; in English, rare words written small too."""
    return _strange(text, _sources(sources), day)


def strange_counts(text: str, sources: str) -> set[str]:
    """The English number words of a text that its English sources have neither as words nor in figures.

    There are none if the sources have words that somebody may count from ("both", "another").
    """
    table = by_language("words.toml")[ENGLISH]
    counts = {word: str(number) for number, word in enumerate(table["counts"], 1) if number > 1}
    found = {word for word in _sources(text).words if word in counts}
    known = _sources(sources)
    if not found or known.english < ENGLISH_SHARE or not set(table["counting"]).isdisjoint(known.words):
        return set()
    return {word for word in found if word not in known.words and counts[word] not in known.numbers}


def contradicted(text: str, sources: str) -> set[str]:
    """The numbers of a text that its sources lack, and beside whose word they have another ("3 days", "5 days").

    Not where the text has that one, too.
    """
    known, others = set(_NUMBERED.findall(without_ids(sources))), set(_NUMBERED.findall(without_ids(text)))
    beside: dict[str, set[str]] = {}
    for word, number in _counted(sources):
        beside.setdefault(word, set()).add(number)
    return {
        number
        for word, number in _counted(text)
        if number not in known
        and (rivals := beside.get(word, set()) - others)
        and not any(_is_part(number, other) or _is_part(other, number) for other in rivals)
    }


def _is_part(one: str, other: str) -> bool:
    """Whether a number is another one in fewer figures ("3" of "3.12", "5" of "5.00")."""
    return f"{other.rstrip('0')}.".startswith((f"{one.rstrip('0')}.", one)) if "." in other else False


def _counted(text: str) -> list[tuple[str, str]]:
    """The words of a text that stand beside a number, and that number; small words do not count."""
    plain = without_ids(text).casefold()
    found = [(f"{word}>", number) for word, number in _BEFORE_NUMBER.findall(plain)]
    found += [(f"<{word}", number) for number, word in _AFTER_NUMBER.findall(plain)]
    return [(word, number) for word, number in found if word.strip("<>") not in listed_words("small.txt")]


def _strange(text: str, sources: _Sources, day: date | None) -> set[str]:
    plain = without_ids(text).casefold()
    alone = _CODED.sub(" ", _COMPOUND.sub(" ", text))
    found = {number for number in numbers_of(alone, day) if number.lstrip("0") not in sources.numbers}
    found |= {
        one
        for one in _COMPOUND.findall(plain)
        if _parts(one) not in sources.compounds and _parts(_ZEROS.sub("", one)) not in sources.compounds
    }
    found |= {one for one in _CODED.findall(plain) if not _has_code(sources, re.sub(r"[_-]", "", one))}
    names = names_of(text) | (rare_words(text) if _is_english(_sources(text)) else set())
    strangers = {name for name in names if not (_has_name(sources, name) or _is_shortened(name, text, sources))}
    return found | {name for name in strangers if not _is_spoken(name, sources)}


def _has_name(sources: _Sources, name: str) -> bool:
    """Whether sources have a name as it is, in another form, in several words, or, if long, with one wrong letter."""
    wanted = name.casefold()
    if wanted in sources.folded or any(form in sources.plain for form in (wanted, wanted.replace("-", ""))):
        return True
    if name[:-1].isupper() and name.endswith("s") and wanted[:-1] in sources.plain:
        return True
    return len(wanted) >= SHORT_NAME and (
        (len(wanted) >= LONG_NAME and wanted in sources.joined)
        or any(
            _are_forms(word, wanted) or Levenshtein.distance(word, wanted, score_cutoff=1) <= 1
            for word in sources.by_letter.get(wanted[0], ())
            if word not in _english()
        )
    )


def _is_shortened(name: str, text: str, sources: _Sources) -> bool:
    """Whether sources have a name and the number behind it in one word ("win7" for "Windows 7")."""
    number = re.search(rf"(?<!\w){re.escape(name)} (\d{{1,4}})(?!\w)", text)
    known = sources.numbered if number is not None else {}
    return any(name.casefold().startswith(word) for word in known.get(number[1] if number else "", ()))


def _has_code(sources: _Sources, code: str) -> bool:
    """Whether sources have a channel or a name with numbers: as it is, without a plural, or with one wrong letter."""
    if code in sources.joined or (code.endswith("s") and code[:-1] in sources.joined):
        return True
    return len(code) >= SHORT_NAME and any(
        Levenshtein.distance(word, code, score_cutoff=1) <= 1
        for word in sources.codes
        if _NUMBER.findall(word) == _NUMBER.findall(code)
    )


def _shared_letters(one: str, other: str) -> int:
    """With how many letters two words begin alike."""
    return next((n for n, (a, b) in enumerate(zip(one, other, strict=False)) if a != b), min(len(one), len(other)))


def _are_forms(one: str, other: str) -> bool:
    """Whether two names differ only by their endings ("Mexicans", "mexicano")."""
    shared = _shared_letters(one, other)
    return shared >= max(SHORT_NAME, SAME_BEGINNING * max(len(one), len(other)))


def _is_english(sources: _Sources) -> bool:
    """Whether a short text is English: common words of it, and no more small words of another language."""
    shares = {code: len(set(sources.words) & _everywhere(code)) for code in by_language("words.toml")}
    others = max(count for code, count in shares.items() if code != ENGLISH)
    is_other = not sources.plain.isascii() or not _GERMAN.isdisjoint(sources.words) or 0 < others >= shares[ENGLISH]
    return sources.english >= SOME_ENGLISH and not is_other


@cache
def _everywhere(code: str) -> frozenset[str]:
    return frozenset(map(folded, by_language("words.toml")[code]["everywhere"]))


def _is_spoken(name: str, sources: _Sources) -> bool:
    """Whether a name is that of a language that sources are written in, as far as its small words tell."""
    words = set(sources.words)
    return any(
        folded(name) in one["tongue"]
        and (sources.english >= ENGLISH_SHARE if code == ENGLISH else len(words & _small(code)) > 1)
        for code, one in by_language("words.toml").items()
    )


@cache
def _small(code: str) -> frozenset[str]:
    """Words of a language that hardly any other has."""
    tables = by_language("words.toml")
    others = {word for other, one in tables.items() if other != code for word in one["everywhere"]}
    return frozenset(tables[code]["everywhere"]) - others


def someone(text: str) -> str:
    """ "Someone" in the language that most small words of a text are of; English where none is."""
    words = {folded(match[0]) for match in WORD.finditer(without_ids(text))}
    tables = by_language("words.toml")
    best = max((ENGLISH, *tables), key=lambda code: len(words.intersection(map(folded, tables[code]["everywhere"]))))
    return str(tables[best]["someone"])


_KANA = re.compile(r"[\u3040-\u309f]{1,2}")
"""Signs of Japanese that are mostly endings and particles."""

_ALIKE = 3
"""First letters that two forms of one word share at the least."""


def is_faithful(sentence: str, statement: str, source: str) -> bool:
    """Whether a fact in other words says what was said: no word of meaning is added or lost, none turned round.

    A word is the same where it begins alike ("plays", "playing"). People stand in the same order. `source` is all that
    the words may come from, `statement` what must be told.
    """
    told, stated, there = (meaning(text) for text in (sentence, statement, source))
    if not all(any(are_alike(word, other) for other in there) for word in told):
        return False
    if not all(any(are_alike(word, other) for other in told) for word in stated):
        return False
    people = [user_id for user_id in mentioned(statement) if user_id in mentioned(sentence)]
    if people != [user_id for user_id in mentioned(sentence) if user_id in people]:
        return False
    return is_turned(sentence) == is_turned(statement)


def is_same(one: str, other: str) -> bool:
    """Whether two facts say the same in other words or another order; with several names in them, in the same order."""
    if mentioned(one) != mentioned(other) or is_turned(one) != is_turned(other):
        return False
    words, others = meaning(one), meaning(other)
    in_order = len(words) == len(others) and all(map(are_alike, words, others))
    has_one_name = len(names_of(one) | names_of(other)) <= 1
    return in_order or (has_one_name and is_faithful(one, other, other) and is_faithful(other, one, one))


def has_same_words(one: str, other: str) -> bool:
    """Whether two facts have the same words of meaning in one order, whether or not one turns them round."""
    words, others = meaning(one), meaning(other)
    return bool(words) and len(words) == len(others) and all(map(are_alike, words, others))


def has_words_of(fact: str, text: str) -> bool:
    """Whether a fact has all words of meaning of a text, in their order, and begins as it does ("has a cat named Tom",
    "have a cat")."""
    words, rest = meaning(text), iter(meaning(fact))
    begins = bool(words) and bool(meaning(fact)) and are_alike(words[0], meaning(fact)[0])
    return begins and all(any(are_alike(word, other) for other in rest) for word in words)


def covered(text: str, source: str) -> float:
    """The share of a text's words of meaning that a source has in some form; 1 where it has none."""
    told, there = meaning(text), meaning(source)
    return sum(any(are_alike(word, other) for other in there) for word in told) / len(told) if told else 1.0


def has_another_name(text: str, source: str) -> bool:
    """Whether a text begins with a name where its source has another ("Camille will do it" of "Cédric does it")."""
    first = _CAPITALISED.search(text)
    if first is None or not first[0][0].isupper() or is_everyday(first[0]):
        return False
    word, told = folded(first[0]), folded(text)
    if any(are_alike(word, other) for other in meaning(source)):
        return False
    return any(folded(name) not in told for name in names_of(source))


def meaning(text: str) -> list[str]:
    """The words of a text that carry its meaning, folded; of scripts without blanks, every two signs."""
    aside = listed_words("glue.txt") | listed_words("negations.txt")
    found = []
    for match in WORD.finditer(without_ids(text)):
        if (word := folded(match[0])) in aside:
            continue
        if CJK.search(word):
            pairs = [word[n : n + 2] for n in range(max(len(word) - 1, 1))]
            found += [pair for pair in pairs if not _KANA.fullmatch(pair)]
        elif (word := max(word.split("'"), key=len)) not in aside and (len(word) > 2 or word.isdigit()):
            found.append(word)
    return found


def are_alike(one: str, other: str) -> bool:
    """Whether two words are forms of one: they begin alike, for most of the shorter one."""
    if one == other:
        return True
    if CJK.search(one) or one[:1].isdigit():
        return False
    shared = _shared_letters(one, other)
    return shared >= max(_ALIKE, 0.6 * min(len(one), len(other)))


def is_turned(text: str) -> bool:
    """Whether a text has a word that turns it round."""
    words = {word for match in WORD.finditer(without_ids(text)) for word in (folded(match[0]), match[0].casefold())}
    return (
        bool(words & listed_words("negations.txt"))
        or any(word.endswith("n't") for word in words)
        or "没" in text
        or "不" in text
    )


def borne_out(text: str, sources: str, day: date | None) -> str:
    """A model's account without the sentences that have a person, name or number of none of its sources."""
    people, known = set(mentioned(sources)), _sources(sources)
    kept = [
        sentence
        for sentence in re.split(r"(?<=[.!?…;])\s+", text)
        if set(mentioned(sentence)) <= people and not _strange(sentence, known, day)
    ]
    return " ".join(kept)
