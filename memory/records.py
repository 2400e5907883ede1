"""The nouns of memory: frozen values, and the errors raised about them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import date, datetime
from enum import StrEnum

EVERYONE = 0
"""The audience of what everyone in the guild could read."""


class MemoryFailure(Exception):
    """Memory could not do what was asked; the docstring of the subclass says why."""

    def __str__(self) -> str:
        return super().__str__() or (self.__doc__ or "").strip()


class DatabaseUnavailable(MemoryFailure):
    """The database does not answer."""


class DatabaseNewer(MemoryFailure):
    """The database was written by a newer version of this program: install that version, or a later one."""


class NotRemembered(MemoryFailure):
    """The statement cannot be stored as a fact."""


def _aware(moment: datetime | None) -> None:
    if moment is not None and moment.tzinfo is None:
        raise ValueError("a moment without a time zone is refused")


class AuthorKind(StrEnum):
    """Who wrote a message: only a `MEMBER` is a person, and only people are summarised."""

    MEMBER = "member"
    BOT = "bot"
    WEBHOOK = "webhook"
    SELF = "self"


@dataclass(frozen=True, kw_only=True)
class Message:
    """One message as it was written; `audience` is `EVERYONE` or the restricted channel's id."""

    guild_id: int
    message_id: int
    channel_id: int
    user_id: int
    text: str
    timestamp: datetime
    reply_to_id: int | None = None
    edited_at: datetime | None = None
    audience: int = EVERYONE
    author_kind: AuthorKind = AuthorKind.MEMBER

    def __post_init__(self) -> None:
        _aware(self.timestamp)
        _aware(self.edited_at)


@dataclass(frozen=True, kw_only=True)
class Member:
    """A member's names. `aliases` are names that facts gave them ("gruzilkin is Sergey")."""

    guild_id: int
    user_id: int
    display_name: str
    username: str
    global_name: str | None = None
    aliases: tuple[str, ...] = ()
    author_kind: AuthorKind = AuthorKind.MEMBER
    jokes: bool = True

    @property
    def names(self) -> tuple[str, ...]:
        """Every name this member goes by, the one shown first, none twice."""
        given = (self.display_name, self.global_name or "", self.username, *self.aliases)
        return tuple(dict.fromkeys(name for name in given if name))


@dataclass(frozen=True, kw_only=True)
class Channel:
    """A place of talk, and who can read it; a thread names its parent."""

    guild_id: int
    channel_id: int
    name: str
    audience: int = EVERYONE
    parent_id: int | None = None


class Source(StrEnum):
    """Whether somebody said a fact to the bot, or it was drawn from talk."""

    EXPLICIT = "explicit"
    INFERRED = "inferred"


class Confidence(StrEnum):
    """How sure a fact is (seed 002, §1.1)."""

    HIGH = "high"
    MEDIUM = "medium"
    LOW = "low"


@dataclass(frozen=True, kw_only=True)
class Fact:
    """One statement about one member, in the third person, with its source."""

    guild_id: int
    fact_id: int
    user_id: int
    key: str
    value: str
    domain: str
    confidence: Confidence
    source: Source
    stated_by: int
    channel_id: int | None
    message_id: int | None
    quote: str
    audience: int
    created_at: datetime
    last_confirmed_at: datetime


@dataclass(frozen=True, kw_only=True)
class Statement:
    """What someone asks to be remembered about a member, as it was said.

    `quote` is the wording that was said; `context` is talk around it that the statement may point
    to ("remember this"); `alias` is a name it gives the member, where the words alone show one.
    """

    guild_id: int
    user_id: int
    stated_by: int
    quote: str
    context: tuple[str, ...] = ()
    alias: str | None = None
    channel_id: int | None = None
    message_id: int | None = None
    audience: int = EVERYONE


@dataclass(frozen=True, kw_only=True)
class Remembered:
    """The fact a statement became; `known` when it was there before, `as_said` when no AI worded it."""

    fact: Fact
    known: bool = False
    as_said: bool = False


@dataclass(frozen=True, kw_only=True)
class Forgotten:
    """What a request to forget did: facts retired, or the candidates it could mean."""

    retired: tuple[Fact, ...] = ()
    candidates: tuple[Fact, ...] = ()
    nearest: tuple[Fact, ...] = ()
    not_allowed: tuple[Fact, ...] = ()


@dataclass(frozen=True, kw_only=True)
class DailySummary:
    """What one member did on one day, with the ids of the messages that show it."""

    user_id: int
    summary: str
    evidence: tuple[int, ...] = ()


class Rung(StrEnum):
    """Where on the ladder of DESIGN.md §4 a context stands: what there was to answer with."""

    CONTEXT = "context"
    LAST_GOOD = "last good context"
    PARTIAL = "what is stored, unmerged"
    FACTS = "facts"
    NOTHING = "nothing known"


@dataclass(frozen=True, kw_only=True)
class Part:
    """One part of a context: its level, its text, and where it came from."""

    level: str
    text: str
    made_from: str
    evidence: tuple[int, ...] = ()


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
class Context:
    """What a reply is given about one member, and how it came to be.

    `trouble` says in a few words why it is not the merge of all levels, when it is not.
    `activity` is the number of their messages on each day of the window, from the database alone.
    """

    user_id: int
    text: str | None
    rung: Rung
    facts: tuple[Fact, ...] = ()
    parts: tuple[Part, ...] = ()
    activity: Mapping[date, int] = field(default_factory=dict)
    spent: Spent = Spent()
    trouble: str | None = None
