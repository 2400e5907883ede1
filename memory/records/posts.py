"""What the bot posts by itself: the recap of a week, and birthdays."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date, datetime
from enum import StrEnum

from memory.ids import ChannelId, GuildId, MessageId, UserId


class PostKind(StrEnum):
    """What a post is about."""

    RECAP = "recap"
    BIRTHDAYS = "birthdays"


@dataclass(frozen=True, kw_only=True)
class Post:
    """A post of the bot's, and what it rests on. No words of it are stored."""

    guild_id: GuildId
    kind: PostKind
    day: date
    channel_id: ChannelId
    posted_at: datetime
    """When its making began: what is edited from then on changed since."""
    message_ids: tuple[MessageId, ...] = ()
    """The messages that it consists of."""
    fact_ids: tuple[int, ...] = ()
    source_ids: tuple[MessageId, ...] = ()
    """The messages that it quotes, and those that its notes rest on."""
    version: str = ""
    """The version of what was forgotten and chosen that it was last checked against."""


class RecapPart(StrEnum):
    """A part of a recap."""

    DECIDED = "decided"
    HAPPENED = "happened"
    HELPED = "helped"


@dataclass(frozen=True, kw_only=True)
class RecapLine:
    """One point of a recap. `text` names people as `<@id>`; `message_id` is where it can be read."""

    part: RecapPart
    text: str
    channel_id: ChannelId | None
    message_id: MessageId
    note_ids: tuple[int, ...]


@dataclass(frozen=True, kw_only=True)
class Quote:
    """What somebody wrote, word for word."""

    user_id: UserId
    text: str
    channel_id: ChannelId
    message_id: MessageId


@dataclass(frozen=True, kw_only=True)
class Recap:
    """What a server's last days came to, for everybody: from `since` until before `until`."""

    since: date
    until: date
    lines: tuple[RecapLine, ...] = ()
    quotes: tuple[Quote, ...] = ()
    source_ids: tuple[MessageId, ...] = ()
    """The messages that it quotes, and those that its notes rest on."""
    version: str = ""
    """What was forgotten and chosen when it was made."""
