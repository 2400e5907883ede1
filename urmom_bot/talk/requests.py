"""A message addressed to the bot, with everything needed to answer it; and what is answered. No Discord."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime

from memory import Given, Member, Viewer
from memory.ids import ALL_GUILDS, ChannelId, GuildId, MessageId, UserId
from memory.records import Making
from urmom_bot.actions import Action
from urmom_bot.attachments import Attachment
from urmom_bot.markup import Markup


@dataclass(frozen=True, kw_only=True)
class Quoted:
    """A message that another one replies to."""

    message_id: MessageId
    author: Member
    text: str


@dataclass(frozen=True, kw_only=True)
class Request:
    """A message addressed to the bot, without the address; or a press on a button, which has no text."""

    viewer: Viewer
    """Who asks, where, and with which rights."""
    speaker: Member
    """The viewer's names."""
    channel_id: ChannelId
    message_id: MessageId
    text: str
    at: datetime
    mentioned: tuple[Member, ...] = ()
    quoted: Quoted | None = None
    """The member's message that it replies to."""
    files: tuple[Attachment, ...] = ()
    """What comes with it, and with the member's message that it replies to."""
    replies_to_bot: bool = False
    replied_id: MessageId | None = None
    """The message that it replies to, whoever wrote it."""
    language: str | None = None
    """The speaker's own, where it is known."""
    guild_names: Mapping[GuildId, str] = field(default_factory=dict)
    find: Callable[[str], Awaitable[Sequence[Member]]] | None = None
    """Looks for members by the start of their name who never wrote a word."""

    @property
    def guild_id(self) -> GuildId:
        """The guild it was written in."""
        return self.viewer.guild_id

    @property
    def is_direct(self) -> bool:
        """Whether it was written in a direct message."""
        return self.viewer.guild_id == ALL_GUILDS


@dataclass(frozen=True, kw_only=True)
class Reply:
    """What to answer, and what the answer was given: for the question why.

    `off_record` marks an answer that tells stored facts: no model is to read it as talk again.
    """

    text: Markup
    spoken: str = ""
    """What of `text` a conversation goes on from; empty where nothing of it does."""
    named: tuple[UserId, ...] | None = None
    """Whom the question names, where the answer may be given again to the same question; None where it may not."""
    off_record: bool = False
    asks_whom: bool = False
    """Whether it asks back whom a command means."""
    is_final: bool = False
    """Whether it deleted what nothing brings back."""
    given: Given = field(default_factory=Given)
    making: Making | None = None
    """When it was begun; None where it says what was there as it was sent."""
    actions: tuple[Action, ...] = ()
    listed: tuple[int, ...] = ()
    """The facts that it lists, in its order, where that is sure: "the second one" may be said after it."""
    files: Mapping[str, str] = field(default_factory=dict)
