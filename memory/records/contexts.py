"""What a reply is given about a member."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum

from memory.ids import AudienceId, MessageId, UserId
from memory.records.facts import Fact
from memory.records.notes import Note

CONTEXT_CHARACTERS = 800
"""A context's length (seed 003, Memory Footprint Analysis)."""


class FallbackLevel(StrEnum):
    """How complete a context is."""

    FULL = "full"
    LAST_GOOD = "last good"
    PARTIAL = "partial"
    FACTS = "facts"
    NONE = "none"


@dataclass(frozen=True, kw_only=True)
class Part:
    """One part of a context: its level, its text, and where it came from."""

    level: str
    text: str
    origin: str
    evidence: tuple[MessageId, ...] = ()


@dataclass(frozen=True, kw_only=True)
class Spent:
    """AI calls and tokens that some work took."""

    calls: int = 0
    tokens_in: int = 0
    tokens_out: int = 0

    def __add__(self, other: Spent) -> Spent:
        return Spent(
            calls=self.calls + other.calls,
            tokens_in=self.tokens_in + other.tokens_in,
            tokens_out=self.tokens_out + other.tokens_out,
        )


@dataclass(frozen=True, kw_only=True)
class ChangedFact:
    """A fact about a member, and a later note of their own words that says something else."""

    fact: Fact
    note: Note


@dataclass(frozen=True, kw_only=True)
class Context:
    """What a reply is given about one member, and how it came to be.

    `trouble` says in a few words why it is not the merge of all levels, when it is not.
    `text` and the parts name people as `<@id>`; `notes` are the ids of the notes it was made from, `quoted`
    those of the messages that it tells word for word. `changes` are told in it as such.
    """

    user_id: UserId
    text: str | None
    fallback: FallbackLevel
    facts: tuple[Fact, ...] = ()
    parts: tuple[Part, ...] = ()
    notes: tuple[int, ...] = ()
    quoted: tuple[MessageId, ...] = ()
    changes: tuple[ChangedFact, ...] = ()
    left_out: tuple[AudienceId, ...] = ()
    """The audience of each fact about the member that not everyone who reads the answer may be shown."""
    spent: Spent = Spent()
    trouble: str | None = None
    good_until: datetime | None = None
    """Until when it stays as it is unless the guild's past changes; None where it may be better the next moment."""
