"""Whether a statement about somebody is a plain one: a person, a verb, and nothing of how anybody is to behave. Pure.

Lists of orders, secrets and sensitive matters never know every wording (a third of unseen ones pass them). So what is
taught about others is stored at once only where it is clearly a statement; anything else is asked about.
"""

from __future__ import annotations

import re
from functools import cache

from memory.rules.dates import is_month
from memory.rules.folding import folded, surface
from memory.rules.text import without_ids
from memory.rules.wordlists import table

MAX_STATEMENT_CHARACTERS = 600
"""Characters of a plain statement at the most."""

_WORD = re.compile(r"[^\W_]+(?:['’-][^\W_]+)*")
_FORMAT = re.compile(r"[{}<>|=\\`]|\"[^\"]*\"|“[^“”]*”|«[^«»]*»|:\s|;\s|[.!?]\s+\S")
"""Signs of a format or a quotation, and more than one sentence."""

_DAY = re.compile(r"\b(\d{1,2})\.\s+(?=([^\W\d_]+))")
"""A day before its month, as some languages write it: "10. Juni"."""

_FIGURES = re.compile(r"(?<![\w.,:/])(?:\d[ .-]?){4,20}(?![\w:/]|[.,]\d)|\d{1,2}(?:-\d{1,2}){2,5}")
_YEAR = re.compile(r"(?:1[89]|20)\d\d")


@cache
def _phrases() -> dict[str, frozenset[str]]:
    return {kind: frozenset(map(folded, listed)) for kind, listed in table("plain.toml").items()}


def is_plain(text: str) -> bool:
    """Whether a text is clearly a statement about a person.

    One sentence without a format, a quotation or a code in it, that speaks neither of how somebody is to be treated,
    nor of the bot and what it says, nor of a secret, nor of what depends on something, nor to anybody.
    """
    plain = _DAY.sub(lambda m: f"{m[1]} " if is_month(m[2]) else m[0], without_ids(surface(text)).strip())
    if len(plain) > MAX_STATEMENT_CHARACTERS or _FORMAT.search(plain.rstrip(" .!?")):
        return False
    if any(not _YEAR.fullmatch(m[0].strip()) for m in _FIGURES.finditer(plain)):
        return False
    if any(map(_is_code, plain.split())):
        return False
    words = [folded(m[0]).replace("’", "'") for m in _WORD.finditer(plain)]
    line = f" {' '.join(words)} "
    found = {kind for kind, phrases in _phrases().items() if any(f" {phrase} " in line for phrase in phrases)}
    if found & {"treatment", "bot", "depends", "you", "secret"}:
        return False
    return "opens" not in found or not re.search(r"\d|[a-z][A-Z]", plain)


def _is_code(word: str) -> bool:
    """Whether a word mixes letters with figures or signs as passwords do: longer than a product's name ("RTX4070")."""
    word = word.strip(".,!?()'’")
    if len(word) < 7 or not any(c.isalpha() for c in word):
        return False
    figures = sum(c.isdigit() for c in word)
    inside = any(c in "_!$&*#%?" for c in word)
    capitals = any(c.isupper() for c in word[1:]) and any(c.islower() for c in word)
    return (figures >= 2 and (capitals or inside or any(c.islower() for c in word))) or (figures > 0 and inside)
