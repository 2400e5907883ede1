"""Messages, and who writes them."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum

from memory.ids import AudienceId, ChannelId, GuildId, MessageId, UserId

EVERYONE = AudienceId(0)
"""The audience of what everyone in the guild could read."""


def require_aware(moment: datetime | None) -> None:
    """Raise ValueError for a moment without its zone."""
    if moment is not None and moment.tzinfo is None:
        raise ValueError("a moment without a time zone is refused")


class AuthorKind(StrEnum):
    """Who wrote a message: only a `MEMBER` is a person, and only people are summarised."""

    MEMBER = "member"
    BOT = "bot"
    WEBHOOK = "webhook"
    SELF = "self"


@dataclass(frozen=True, kw_only=True)
class MessageFile:
    """A picture or a voice message that comes with a message. What it shows is in the text; the file is not stored."""

    file_id: int
    row: int
    """Which line of the message's text stands for it ("[image: a cat]"): 1 is the last."""
    digest: str = ""
    """A hash of its content, once it was looked at; empty while it waits for that."""


@dataclass(frozen=True, kw_only=True)
class Message:
    """One message as it was written; `audience` is `EVERYONE` or a class of channels with the same readers."""

    guild_id: GuildId
    message_id: MessageId
    channel_id: ChannelId
    user_id: UserId
    text: str
    timestamp: datetime
    reply_to_id: MessageId | None = None
    edited_at: datetime | None = None
    audience: AudienceId = EVERYONE
    author_kind: AuthorKind = AuthorKind.MEMBER
    secret_spans: tuple[int, ...] | None = None
    """Where secrets stand in the text (start and end of each), as found when it was stored; None before that."""
    addressees: tuple[UserId, ...] = ()
    """Whom it speaks to, as found when it was stored: whom it names at its start, mentions, and replies to."""
    files: tuple[MessageFile, ...] = ()
    """What it carries that a model can see or hear, in the order of its lines."""

    def __post_init__(self) -> None:
        require_aware(self.timestamp)
        require_aware(self.edited_at)


@dataclass(frozen=True, kw_only=True)
class Undescribed:
    """A message with files that nobody has looked at yet."""

    guild_id: GuildId
    channel_id: ChannelId
    message_id: MessageId
    user_id: UserId
    text: str
    files: tuple[MessageFile, ...]


@dataclass(frozen=True)
class PendingRemoval:
    """Words that are to go: of deleted messages, or, with a channel, of edited ones, which are to be read again."""

    guild_id: GuildId
    channel_id: ChannelId | None
    message_ids: tuple[MessageId, ...]
