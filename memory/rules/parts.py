"""Several things in one text, one after the other: "the dog and the frog"."""

from __future__ import annotations

import re
from functools import cache

from memory.rules.keywords import keywords
from memory.rules.wordlists import table

MAX_PARTS = 4
"""Things at the most that are looked for one by one, where somebody names several."""


@cache
def joins() -> re.Pattern[str]:
    """What stands between two things."""
    return re.compile(rf"[,;&]|\s\+\s|(?<!\w)(?:{'|'.join(table('words.toml')['joins'])})(?!\w)", re.IGNORECASE)


def parts_of(text: str) -> list[str]:
    """The things that a text names; the text alone where it joins none."""
    return [part.strip() for part in joins().split(text) if part.strip()]


def others_in(fact: str, request: str) -> list[str]:
    """The parts of a fact that a request to forget has no word of, if it has words of another part."""
    asked, but = keywords(request).keys(), "|".join(table("words.toml")["but"])
    joined = re.sub(rf",? (?:{but}) ", ", ", fact, flags=re.IGNORECASE)
    parts = [re.sub(r"\A\w ", "", part) for part in parts_of(joined)]
    words = [keywords(part).keys() for part in parts]
    is_named = any(asked & own for own in words)
    return [part for part, own in zip(parts, words, strict=True) if own and not asked & own] if is_named else []
