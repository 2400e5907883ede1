"""Several things in one text, one after the other: "the dog and the frog"."""

from __future__ import annotations

import re
from functools import cache

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
