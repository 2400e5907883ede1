"""What the bot was asked, and how far it got."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum
from typing import Any

from memory.ids import ChannelId, GuildId, MessageId, UserId


class InboxKind(StrEnum):
    """How somebody addressed the bot."""

    MESSAGE = "answer"
    EDIT = "edit"
    JOKE = "joke"
    INTERACTION = "interaction"
    PAGE = "page"
    """A press on a member's page in a browser."""


class InboxState(StrEnum):
    """How far something the bot was asked got."""

    WAITING = "waiting"
    EXECUTED = "executed"
    """What was ordered is in the database, and nobody was told so yet."""
    DONE = "done"
    PARKED = "parked"
    """It failed each time; it waits for the operator."""


@dataclass(frozen=True, kw_only=True)
class InboxItem:
    """Something the bot was asked: by a message, its edit, a reaction, a command or a button.

    `trigger_id` is the message's or the interaction's id, `at` when it was asked. An order changes something, and
    orders of a guild are carried out in their sequence. `payload` is what a command or a button asks for, until that
    is done.
    """

    guild_id: GuildId
    trigger_id: MessageId
    kind: InboxKind
    channel_id: ChannelId
    user_id: UserId
    at: datetime
    is_order: bool = False
    state: InboxState = InboxState.WAITING
    attempts: int = 0
    payload: Mapping[str, Any] | None = None

    @property
    def key(self) -> tuple[GuildId, MessageId, InboxKind]:
        """What identifies it."""
        return self.guild_id, self.trigger_id, self.kind


@dataclass
class InboxWork:
    """The entry that is being worked on, and whether what it orders is in the database by now."""

    entry: InboxItem
    is_executed: bool = False


@dataclass(frozen=True, kw_only=True)
class Parked:
    """Work that cannot be done because of a defect: numbers alone, what it was about is to be read again."""

    guild_id: GuildId
    parked_id: int
    at: datetime
    work: str
    channel_id: ChannelId | None
    ids: tuple[int, ...]
    reason: str
