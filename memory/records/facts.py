"""Facts, and who told them."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum

from memory.ids import AudienceId, ChannelId, GuildId, MessageId, UserId
from memory.records.messages import EVERYONE


class Source(StrEnum):
    """Whether somebody said a fact to the bot, or it was drawn from talk."""

    EXPLICIT = "explicit"
    INFERRED = "inferred"


class FactDomain(StrEnum):
    """What part of a life a fact is about (seed 002, §1.1): keys in `wordlists/keys.toml`, words in `talk.toml`."""

    WORK = "work"
    PREFERENCES = "preferences"
    DECISIONS = "decisions"
    PERSONAL = "personal"
    PROJECTS = "projects"


class Confidence(StrEnum):
    """How sure a fact is (seed 002, §1.1)."""

    HIGH = "high"
    MEDIUM = "medium"
    LOW = "low"


@dataclass(frozen=True, kw_only=True)
class Fact:
    """One statement about one member, in the third person, with its source."""

    guild_id: GuildId
    fact_id: int
    user_id: UserId
    key: str
    value: str
    domain: FactDomain
    confidence: Confidence
    source: Source
    stated_by: UserId
    channel_id: ChannelId | None
    message_id: MessageId | None
    quote: str
    audience: AudienceId
    created_at: datetime
    last_confirmed_at: datetime
    retired_at: datetime | None = None
    retired_because: str | None = None
    superseded_by: int | None = None
    asked_at: datetime | None = None
    """When its subject was asked whether it is right, where it was inferred; it is asked once."""

    @property
    def private(self) -> bool:
        """Whether it is told to the member alone."""
        return self.audience < 0


@dataclass(frozen=True, kw_only=True)
class FactSource:
    """One time that a fact was told: by whom, where, when, in which words."""

    fact_id: int
    message_id: MessageId
    channel_id: ChannelId | None
    stated_by: UserId
    quote: str
    audience: AudienceId
    at: datetime


@dataclass(frozen=True, kw_only=True)
class Statement:
    """What someone asks to be remembered about a member, as it was said.

    `quote` is the wording that was said; `context` is talk around it that the statement may point
    to ("remember this"); `alias` is a name it gives the member, where the words alone show one.
    `is_confirmed` tells that a sensitive matter may be kept, for the speaker alone. `author` is who wrote
    the words, where that is somebody else; `context_ids` are the messages of `context`; `raw` are the words
    as they stand in the message, mentions and all. `also_about` are further members that it tells the same of ("Bob and
    Kim like sushi"): each gets the fact.
    """

    guild_id: GuildId
    user_id: UserId
    stated_by: UserId
    quote: str
    context: tuple[str, ...] = ()
    alias: str | None = None
    channel_id: ChannelId | None = None
    message_id: MessageId | None = None
    audience: AudienceId = EVERYONE
    is_confirmed: bool = False
    author: UserId | None = None
    context_ids: tuple[MessageId, ...] = ()
    raw: str = ""
    also_about: tuple[UserId, ...] = ()


@dataclass(frozen=True, kw_only=True)
class Remembered:
    """The fact a statement became; `known` when it was there before, `as_said` when no AI worded it.

    `replaced` are the facts that hold no more because of it; `entry_id` is the change, to be undone. `alias` is a name
    that the fact gives a member who has not agreed to it. `doubtful` are facts that may hold no more because of it.
    """

    fact: Fact
    known: bool = False
    as_said: bool = False
    alias: str | None = None
    replaced: tuple[Fact, ...] = ()
    doubtful: tuple[Fact, ...] = ()
    entry_id: int | None = None
