"""For how long things are kept, as the bot tells members."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, kw_only=True)
class Days:
    """How many days things are kept; the names are those of the policy's text."""

    retention: int
    """Messages."""
    summaries: int
    """What was made from them."""
    conclusions: int
    """What conversations came to."""
    replies: int
    """What replies were given."""
    grace: int
    """What is stored of a member who left."""
