"""Facts as one text: their own sentences, the newest that fit, and what such a text was made from. Pure."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from datetime import datetime

from memory.records import Fact
from memory.rules.ageing import Standing, dated, standing
from memory.rules.keywords import keywords
from memory.rules.text import fingerprint, fit, length

BLOB_CHARACTERS = 400
"""A facts blob's length (seed 003, Memory Footprint Analysis)."""

MAX_PROMPT_FACTS = 100
"""Live facts of a member above which not all go into a prompt (seed 000)."""


def sentences(facts: Sequence[Fact]) -> str:
    """Facts as their own sentences, one after the other."""
    return " ".join(fact.value if fact.value.endswith((".", "!", "?", "…")) else f"{fact.value}." for fact in facts)


def newest_lines(facts: Sequence[Fact], limit: int) -> str:
    """As many facts as fit into `limit` characters: the person's own word, then the newest; told the oldest first."""
    chosen: list[Fact] = []
    order = {fact.fact_id: n for n, fact in enumerate(facts)}
    for fact in sorted(facts, key=lambda fact: (fact.stated_by != fact.user_id, -order[fact.fact_id])):
        if len(sentences([fact, *chosen])) > limit and chosen:
            break
        chosen.append(fact)
    return fit(sentences(sorted(chosen, key=lambda f: order[f.fact_id])), limit) if chosen else ""


def completed(text: str, facts: Sequence[Fact], limit: int, names: Collection[str] = ()) -> str:
    """A model's text of facts, and behind it those that it does not tell, as many as have room.

    Where it leaves out more than half, the newest stand as they are. `names` are the member's, which say nothing.
    """
    untold = [fact for fact in facts if not tells(text, fact.value, names)]
    if 2 * len(untold) > len(facts):
        return newest_lines(facts, limit)
    room = limit - length(text) - 1
    more = newest_lines([fact for fact in untold if length(fact.value) < room], room)
    return f"{text} {more}".strip()


def tells(text: str, fact: str, names: Collection[str] = ()) -> bool:
    """Whether a text has every word of a fact that says something, in whatever order and ending."""
    stems = keywords(fact, ignore=names)
    return bool(stems) and set(stems) <= set(keywords(text))


def current(facts: Sequence[Fact], now: datetime) -> list[Fact]:
    """The facts that are told without being asked for, old ones with their date.

    Of very many, the person's own come first, then those confirmed last.
    """
    found = [dated(fact, now) for fact in facts if standing(fact, now) is Standing.CURRENT]
    if len(found) <= MAX_PROMPT_FACTS:
        return found
    kept = sorted(found, key=lambda f: (f.stated_by == f.user_id, f.last_confirmed_at, f.fact_id))[-MAX_PROMPT_FACTS:]
    return sorted(kept, key=lambda f: (f.created_at, f.fact_id))


def source_of(facts: Sequence[Fact]) -> str:
    """The fingerprint of the facts that a text is made from."""
    return fingerprint(*(f"{fact.fact_id} {fact.value}" for fact in facts))
