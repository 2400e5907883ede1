"""The rules of a server, as members tell them ("rule 3: no spoilers"), and what they ask of members. Pure."""

from __future__ import annotations

import re
from functools import cache

from memory.rules.folding import folded
from memory.rules.wordlists import by_language


def rule_language(text: str) -> str | None:
    """The language in which a text begins as a rule does; None if it doesn't."""
    begins = folded(text).strip()
    return next((code for code, pattern in _openings().items() if pattern.match(begins)), None)


def rule_named_last(text: str, language: str) -> str | None:
    """The rule that a text ends with, by its number ("forget rule 2"); None if it ends with none."""
    plain = folded(text)
    named = re.search(rf"(?<!\w)(?:{by_language('rules.toml')[language]['naming']})\Z", plain)
    is_numbered = named is not None and plain[-1:].isdecimal() and len(plain) == len(text)
    return text[named.start() :] if named is not None and is_numbered else None


def asks_of_members(clause: str) -> bool:
    """Whether a clause of a rule, folded, asks something of members and nothing of the bot ("be nice")."""
    return _asks().fullmatch(clause.strip()) is not None


@cache
def _openings() -> dict[str, re.Pattern[str]]:
    return {
        code: re.compile(rf"(?:{listed['naming']})(?: ?:| (?:{'|'.join(listed['stating'])})(?!\w))")
        for code, listed in by_language("rules.toml").items()
    }


@cache
def _asks() -> re.Pattern[str]:
    listed = (one for language in by_language("rules.toml").values() for one in language.get("asks", ()))
    return re.compile("|".join(f"(?:{one})" for one in listed))
