"""How facts age (seed 002, §1.1). Pure."""

from __future__ import annotations

from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from enum import StrEnum

from memory.records import Confidence, Fact

FADED_AFTER = timedelta(days=90)
"""After this long unconfirmed, what is not high goes out of the automatic context; search still finds it."""

STALE = timedelta(days=180)
"""After this long unconfirmed, no model sees it until somebody confirms it; a person's own word gets its date."""

LOW_STALE_AFTER = timedelta(days=30)
"""After this long unconfirmed, what is low is told no more."""


class Standing(StrEnum):
    """Where a fact may be used: everywhere, when it is searched for, or nowhere until it is confirmed."""

    CURRENT = "current"
    FADED = "faded"
    STALE = "stale"


def standing(fact: Fact, now: datetime) -> Standing:
    """How a fact stands at `now`: a person's own word as long as it is kept, anything else by its age.

    A limit is passed when more time than it has gone by, not at it.
    """
    if fact.confidence is Confidence.HIGH:
        return Standing.CURRENT
    age = now - fact.last_confirmed_at
    if age > STALE or (fact.confidence is Confidence.LOW and age > LOW_STALE_AFTER):
        return Standing.STALE
    if age > FADED_AFTER:
        return Standing.FADED
    return Standing.CURRENT


@dataclass(frozen=True, kw_only=True)
class AgeLimits:
    """The moments before which a fact that is not high must have been confirmed last, to be faded or stale."""

    faded: datetime
    stale: datetime
    low_stale: datetime

    @classmethod
    def at(cls, now: datetime) -> AgeLimits:
        """As `standing` has them."""
        return cls(faded=now - FADED_AFTER, stale=now - STALE, low_stale=now - LOW_STALE_AFTER)


def dated(fact: Fact, now: datetime) -> Fact:
    """The fact as it is used at `now`: with the month of its last word ("as of March 2026") once it is old."""
    if now - fact.last_confirmed_at <= STALE:
        return fact
    return replace(fact, value=f"{fact.value.rstrip('. ')} (as of {fact.last_confirmed_at:%B %Y})")
