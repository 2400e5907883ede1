"""The forms in which languages write a name, so that who is not remembered is recognised in each. Pure.

A name gives the roots under which it is kept (`roots_of`), and a word of a text those that it may be a form of
(`roots_in`). Roots begin with a sign of their own, so that no ordinary word is one.
"""

from __future__ import annotations

import re

from memory.rules.folding import folded

GREEK = re.compile(r"[\u0370-\u03ff\u1f00-\u1fff]")
ARABIC = re.compile(r"[\u0620-\u06ff]")
HAN_OR_KANA = re.compile(r"[\u3040-\u30ff\u3400-\u9fff]")
HANGUL = re.compile(r"[\uac00-\ud7af]")

MIN_ROOT = 3
"""Letters of a root at the least, in scripts with letters."""

_ALEFS = str.maketrans("أإآٱىة", "ااااىه")
_HARAKAT = re.compile(r"[\u064b-\u0655\u0640\u0670]")
_PREFIX = re.compile(r"^(?:و|ف)?(?:ب|ل|ك)?(?:ال)?")
_ENDING = re.compile(r"(?:ς|σ)$")

_SUFFIX = re.compile(r"(?:l[ae]r(?:[ıiuü]n?|d[ae]n?)?|d[ae]n|t[ae]n|n[ıiuü]n|yl[ae])$")
"""Endings that Turkish puts to a name without an apostrophe; shorter ones are endings of other names, too."""

_ELISION = re.compile(r"^(?:[dljmnstc]|qu)['’](?=\w)", re.IGNORECASE)

_BEFORE_SURNAME, _AFTER_SURNAME = (
    "老小阿",
    (
        "老师",
        "先生",
        "女士",
        "小姐",
        "哥",
        "姐",
        "总",
        "さん",
        "くん",
        "君",
        "ちゃん",
        "様",
        "先生",
        "씨",
        "님",
        "선생",
    ),
)
"""What stands beside a surname, or a given name of one sign, that is a name by it alone."""


def roots_of(name: str) -> set[str]:
    """The roots of one word of a name."""
    if GREEK.match(name):
        return {f"~{_greek(folded(name))}"} if len(name) > MIN_ROOT else set()
    if ARABIC.match(name):
        return {f"ع{_arabic(name)}"} if len(_arabic(name)) >= MIN_ROOT else set()
    if HAN_OR_KANA.search(name) or HANGUL.search(name):
        return _east_asian(name)
    return set()


def roots_in(word: str) -> set[str]:
    """The roots that a word of a text may be a form of, and the words it may be an ending's."""
    if GREEK.match(word):
        plain = folded(word)
        return {f"~{plain[: len(plain) - cut]}" for cut in (0, 1, 2) if len(plain) - cut >= MIN_ROOT}
    if ARABIC.match(word):
        return {f"ع{root}" for root in _arabic_roots(word) if len(root) >= MIN_ROOT}
    bare = _ELISION.sub("", word)
    found = {bare, bare.partition("'")[0]} if "'" in word else set()
    plain = folded(bare.partition("'")[0])
    if len(shorter := _SUFFIX.sub("", plain)) >= MIN_ROOT and shorter != plain:
        found.add(shorter)
    return {folded(form) for form in found if len(form) > 1}


def _greek(plain: str) -> str:
    """A Greek name without the ending that its case changes ("Γιώργος", "τον Γιώργο", "του Γιώργου")."""
    plain = _ENDING.sub("", plain)
    return plain[:-1] if len(plain) > MIN_ROOT and plain[-1] in "αεηιουω" else plain


def _arabic(name: str) -> str:
    """An Arabic word without vowel signs and the article, its alefs alike."""
    return _HARAKAT.sub("", name).translate(_ALEFS).removeprefix("ال")


def _arabic_roots(word: str) -> set[str]:
    """What an Arabic word is without the letters that are written with it: "and", "to", "by", the article, a case."""
    plain = _HARAKAT.sub("", word).translate(_ALEFS)
    bare = {plain, plain.removeprefix("ال"), _PREFIX.sub("", plain), plain[1:] if plain[:1] in "وفبلك" else plain}
    bare |= {root.removeprefix("ال") for root in bare} | {root[1:] for root in bare if root[:1] in "بلك"}
    return bare | {root.removesuffix("ا") for root in bare}


def _east_asian(name: str) -> set[str]:
    """Surname and given name with what people put beside them; the given name alone where it has two signs."""
    if not 2 <= len(name) <= 4:
        return set()
    splits = {2: ((1, 1),), 3: ((1, 2), (2, 1)), 4: ((2, 2),)}[len(name)]
    found = set()
    for surname, given in ((name[:first], name[first:]) for first, _ in splits):
        found |= {f"{part}{title}" for part in (surname, given) for title in _AFTER_SURNAME}
        found |= {f"{sign}{part}" for part in (surname, given) if len(part) == 1 for sign in _BEFORE_SURNAME}
        if len(given) > 1:
            found.add(given)
    return found
