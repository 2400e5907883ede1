"""The key of a fact: free words, brought to one form, so that "trabajo", "Jobs" and "work" meet. Pure."""

from __future__ import annotations

import re
from functools import cache

from memory.records import FactDomain
from memory.rules.dates import tells_birthday
from memory.rules.folding import folded, surface
from memory.rules.keywords import is_everyday
from memory.rules.wordlists import table

NOTE = "note"
"""The key of a fact that has no better one (seed 000)."""

MAX_KEY_CHARACTERS = 40
"""Characters of a key at the most."""

_DASH = re.compile(r"(?P<key>[^\W\d_]{1,40}+(?: [^\W\d_]{1,40}+)?+) [-–—=] (?P<value>.+)", re.DOTALL)
_HEAD = re.compile(r"[^\W\d_]+(?:[' /_-][^\W\d_]+){0,4}")


@cache
def _table() -> tuple[dict[str, str], frozenset[str], dict[str, FactDomain]]:
    """(synonym to key, keys that hold one value, key to domain)."""
    raw = table("keys.toml")
    forms: dict[str, str] = {}
    for key, words in raw["synonyms"].items():
        for word in (key, *words):
            forms[_folded(word)] = key
    domains = {key: FactDomain(domain) for domain, keys in raw["domains"].items() for key in keys}
    return forms, frozenset(raw["single"]), domains


def _folded(word: str) -> str:
    """Lower case, no accents, single spaces."""
    return " ".join(re.findall(r"[^\W_]+", folded(surface(word))))


def _singulars(word: str) -> list[str]:
    """What a word could be the plural of, in the four languages, the word itself first."""
    found = [word]
    for ending, instead in (("ies", "y"), ("ies", "ie"), ("es", ""), ("s", ""), ("x", ""), ("aux", "al")):
        if word.endswith(ending) and len(word) - len(ending) >= 2:
            found.append(word.removesuffix(ending) + instead)
    for ending in ("ы", "и", "а", "я"):
        if word.endswith(ending) and len(word) > 3:
            stem = word.removesuffix(ending)
            found += [stem, stem + "а", stem + "я", stem + "ь", stem + "е", stem + "о"]
    return found


def normal_key(key: str) -> str:
    """One form for a key: case, accents, plural and known synonyms aside; `note` for none."""
    plain = _folded(key)[:MAX_KEY_CHARACTERS].strip()
    if not plain:
        return NOTE
    forms, _, _ = _table()
    for form in _singulars(plain):
        if form in forms:
            return forms[form]
    plural = plain.endswith("s") and not plain.endswith(("ss", "us", "is")) and len(plain) > 3
    return plain[:-1] if plural else plain


@cache
def _beginnings() -> tuple[str, ...]:
    """What may stand before a kind of fact: an article, "my", "favourite"."""
    words = table("words.toml")
    return tuple(word if word.endswith("'") else f"{word} " for word in (*words["articles"], *words["favourite"]))


def without_beginning(text: str) -> str:
    """A text without an article, "my" or "favourite" before a kind of fact ("my birthday")."""
    plain = _folded(text)
    while (opening := next((word for word in _beginnings() if plain.startswith(word)), None)) is not None:
        plain = plain.removeprefix(opening)
    return plain


def is_kind(key: str) -> bool:
    """Whether what stands before a colon is a kind of fact, whoever calls themselves so ("job", "The deadline")."""
    plain = _folded(key)
    return (
        any(form in _table()[0] for form in _singulars(plain))
        or is_everyday(key)
        or f"{plain} ".startswith(_beginnings())
    )


def holds_one(key: str) -> bool:
    """Whether a person has one value of a kind at a time; unknown kinds hold several."""
    return key in _table()[1]


def domain_of(key: str, otherwise: FactDomain = FactDomain.PERSONAL) -> FactDomain:
    """The domain a key belongs to (seed 002, §1.1)."""
    return _table()[2].get(key, otherwise)


def keyed(statement: str) -> tuple[str, str] | None:
    """(key, value) of a statement of the form "key: value" (seed 000), or None."""
    key, colon, value = statement.strip().partition(":")
    key = key.rstrip()
    if not colon or not value[:1].isspace() or len(key) > 3 * MAX_KEY_CHARACTERS or len(key.split()) > 3:
        return None
    return (key, value.strip()) if _HEAD.fullmatch(key) and value.strip() else None


def labelled(statement: str) -> bool:
    """Whether a statement is a kind of fact and something behind a dash or "=" ("job - welder").

    That need not be its value: "job - interview on Friday".
    """
    found = _DASH.fullmatch(statement.strip())
    return found is not None and is_kind(found["key"])


def stated_kind(text: str) -> str | None:
    """The key of the kind that a sentence says a person's value of by a figure ("my birthday is 3 May").

    It begins with "my", or with the kind, where somebody's name before it was taken off. A birthday is said in more
    ways.
    """
    match = _kind_sentence().match(folded(surface(text)).replace("’", "'"))
    key = normal_key(match[1]) if match is not None else "birthday" if tells_birthday(text) else ""
    return key if key in table("keys.toml")["figures"] else None


@cache
def _kind_sentence() -> re.Pattern[str]:
    words = table("words.toml")
    own, copula, before = (
        "|".join(re.escape(folded(word)) for word in words[name]) for name in ("own", "copula", "before_a_figure")
    )
    return re.compile(
        rf"(?:(?:{own}) )?([^\W\d_]{{2,20}}(?: [^\W\d_]{{2,20}})?) (?:{copula}) (?:(?:{before}) ){{0,2}}"
        r"(?:(?:utc|gmt) ?[+-]?)?\d"
    )
