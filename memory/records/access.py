"""Members' pages in a browser: who may open one, and the numbers they show."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date, datetime, timedelta

from memory.ids import ChannelId, GuildId, MessageId, UserId


@dataclass(frozen=True, kw_only=True)
class PageAccess:
    """What a link or a session opens: the page of one member of one guild."""

    guild_id: GuildId
    """0 for the operator's page."""
    user_id: UserId
    """0 for the operator."""
    language: str
    expires_at: datetime


@dataclass(frozen=True, kw_only=True)
class KnownMember:
    """How many live facts about a member a viewer may be shown, and when the newest was told."""

    user_id: UserId
    facts: int
    newest: datetime


@dataclass(frozen=True, kw_only=True)
class ModelDay:
    """What was sent to a model on one day."""

    day: date
    model: str
    calls: int
    tokens: int = 0
    messages: int = 0
    """A member's messages among what was sent."""
    use: str = ""
    """What it was sent for, as a priority is called; empty where that is not told apart."""


SENT_DAYS = timedelta(days=7)
"""How long it is known what was sent to models."""


@dataclass(frozen=True, kw_only=True)
class SentText:
    """A member's own message that models were sent."""

    channel_id: ChannelId
    message_id: MessageId
    at: datetime
    text: str
    models: tuple[str, ...]


@dataclass(frozen=True, kw_only=True)
class LivingProcess:
    """A process of the bot, as the database knows it."""

    process_id: int
    started_at: datetime
    alive_at: datetime
    """Its last sign of life."""
    shards: tuple[int, ...]
    """Those that it runs."""
    waiting: int
    """What people asked of it, and what is not done yet."""


@dataclass(frozen=True, kw_only=True)
class FactNumbers:
    """How many facts a guild has, and how they stand."""

    facts: int
    faded: int
    """Of the facts, those that only a search finds until somebody confirms them."""
    stale: int
    """Of the facts, those that nothing uses until somebody confirms them."""
    members: int
    """Members whom facts are about."""


@dataclass(frozen=True, kw_only=True)
class GuildNumbers(FactNumbers):
    """How much is stored about a guild."""

    notes: int
    messages: int
    topics: int
    facts_only: int
    """Members who let the bot keep facts only."""
    nothing: int
    """Members who let it keep nothing."""
    ignored: int
    """Members whom the managers have ignored."""


@dataclass(frozen=True, kw_only=True)
class TableSize:
    """How large a table is with its indexes, in bytes, and about how many rows it has."""

    name: str
    bytes: int
    rows: int
