"""How facts age (DESIGN.md §7; seed 002, §1.1). Pure."""

from __future__ import annotations

from datetime import datetime, timedelta
from enum import StrEnum

from memory.records import Confidence, Fact

FADES = timedelta(days=90)
"""After this long unconfirmed, what is not high goes out of the automatic context; search still finds it."""

STALE = timedelta(days=180)
"""After this long unconfirmed, nothing is told to a model until somebody confirms it."""

LOW = timedelta(days=30)
"""After this long unconfirmed, what is low is told no more."""


class Standing(StrEnum):
    """Where a fact may be used: everywhere, when it is searched for, or nowhere until it is confirmed."""

    CURRENT = "current"
    FADED = "faded"
    STALE = "stale"


def standing(fact: Fact, now: datetime) -> Standing:
    """How a fact stands at `now`. A limit is passed when more time than it has gone by, not at it."""
    age = now - fact.last_confirmed_at
    if age > STALE or (fact.confidence is Confidence.LOW and age > LOW):
        return Standing.STALE
    if age > FADES and fact.confidence is not Confidence.HIGH:
        return Standing.FADED
    return Standing.CURRENT
