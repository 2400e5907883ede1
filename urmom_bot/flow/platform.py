"""What the flow needs of a chat platform: its messages and channels as values, and one protocol.

`cogs/platform.py` is Discord's side of it.
"""

# pyright: reportReturnType=false
# A protocol's methods have docstrings for bodies.

from __future__ import annotations

from collections.abc import AsyncIterator, Collection, Sequence
from contextlib import AbstractAsyncContextManager
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any, Protocol

from memory import AuthorKind, Member, Message, Viewer
from memory.ids import ALL_GUILDS, AudienceId, ChannelId, GuildId, MessageId, UserId
from memory.records import InboxItem, MessageFile
from memory.rules.audiences import Layout
from urmom_bot.attachments import Attachment
from urmom_bot.markup import Markup
from urmom_bot.panels import Button, Form, Page
from urmom_bot.talk import Request, Texts

Rows = Sequence[Sequence[Button]]
"""Rows of buttons below a message."""


class TryLater(Exception):
    """It cannot be done now, as the platform is away; trying again helps."""


class Refused(Exception):
    """The platform does not let the bot do it, or what it is about is gone; trying again does not help."""


@dataclass(frozen=True, kw_only=True)
class ChatMessage:
    """A message as the platform delivers it. Ids ascend with time."""

    guild_id: GuildId
    """ALL_GUILDS for a direct message."""
    channel_id: ChannelId
    message_id: MessageId
    author: Member
    text: str
    """The words as they were typed."""
    transcript: str
    """The words, with a line for each thing that the message carries: what memory stores."""
    at: datetime
    edited_at: datetime | None = None
    reply_to: MessageId | None = None
    """The message that it replies to."""
    replied: ChatMessage | None = None
    """That message, as far as the platform sent it along."""
    is_forward: bool = False
    mentioned: tuple[Member, ...] = ()
    files: tuple[Attachment, ...] = ()
    """What it carries."""
    reactions: tuple[str, ...] = ()
    """The emojis on it."""
    is_talk: bool = True
    """Whether somebody said it: a note of the platform's that somebody joined is no talk."""
    is_system: bool = False
    """Whether the platform made it: nobody asks anything by it."""
    in_thread: bool = False
    is_channel_known: bool = True
    """Whether its channel is known: without, it does not tell who may do what there."""
    raw: Any = field(default=None, repr=False, compare=False)
    """The platform's own object, for the platform alone."""

    @property
    def is_direct(self) -> bool:
        """Whether it was written to the bot in private."""
        return self.guild_id == ALL_GUILDS

    @property
    def kept_files(self) -> tuple[MessageFile, ...]:
        """What it carries that memory may look at: only people's. The last lines of the transcript are its files."""
        if not self.is_by_member:
            return ()
        rows = zip(self.files, range(len(self.files), 0, -1), strict=True)
        return tuple(MessageFile(file_id=file.file_id, row=row) for file, row in rows if file.file_id)

    @property
    def is_by_member(self) -> bool:
        """Whether a person wrote it, and no bot or webhook."""
        return self.author.author_kind is AuthorKind.MEMBER

    def stored(self, audience: AudienceId) -> Message:
        """The message as memory stores it, where `audience` can read it."""
        return Message(
            guild_id=self.guild_id,
            message_id=self.message_id,
            channel_id=self.channel_id,
            user_id=self.author.user_id,
            text=self.transcript,
            timestamp=self.at,
            reply_to_id=self.reply_to,
            edited_at=self.edited_at,
            audience=audience,
            author_kind=self.author.author_kind,
            files=self.kept_files,
        )


@dataclass(frozen=True, kw_only=True)
class Reaction:
    """An emoji that somebody put on a message."""

    guild_id: GuildId
    channel_id: ChannelId
    message_id: MessageId
    user_id: UserId
    emoji: str
    is_by_bot: bool = False


@dataclass(frozen=True, kw_only=True)
class Guild:
    """A guild that the bot is in. One that is not available has not been delivered yet, or had an outage."""

    guild_id: GuildId
    shard_id: int
    is_available: bool = True
    joined_at: datetime | None = None
    """When the bot joined."""
    locale: str = "en"
    name: str = ""


@dataclass(frozen=True, kw_only=True)
class Visitor:
    """A member of a guild, alone with the bot, with the rights that they have now."""

    viewer: Viewer
    member: Member
    guild_name: str = ""


@dataclass(frozen=True, kw_only=True)
class ChatChannel:
    """A channel or thread with messages, which the bot may read."""

    guild_id: GuildId
    shard_id: int
    channel_id: ChannelId
    name: str = ""
    newest: MessageId | None = None
    """Its newest message."""
    parent_id: ChannelId | None = None
    """The channel of a thread."""
    raw: Any = field(default=None, repr=False, compare=False)
    """The platform's own object, for the platform alone."""


class Platform(Protocol):
    """A chat platform, as the bot is connected to it.

    Whatever asks the platform raises TryLater where it is away; where it refuses, what says so raises Refused.
    """

    # What is known without asking

    @property
    def user_id(self) -> UserId:
        """The bot's own id."""

    @property
    def shard_count(self) -> int:
        """How many shards there are, in all processes."""

    def shard_of(self, guild_id: GuildId) -> int:
        """The shard of a guild, whether the bot is in it or not."""

    def names(self, guild_id: GuildId) -> Collection[str]:
        """What the bot is called in a guild."""

    def guilds(self) -> Sequence[Guild]:
        """The guilds that the bot is in, on this process's shards."""

    def guild(self, guild_id: GuildId) -> Guild | None:
        """A guild that the bot is in."""

    def channel_ids(self, guild_id: GuildId) -> frozenset[ChannelId] | None:
        """All channels and open threads of a guild; None while it is not available."""

    def channels(self, guild_id: GuildId) -> Sequence[ChatChannel]:
        """The channels and open threads of a guild that the bot may read."""

    def channel(self, channel_id: ChannelId) -> ChatChannel | None:
        """A channel or thread by its id, or None where it is not known or has no messages."""

    def channel_of(self, message: ChatMessage) -> ChatChannel | None:
        """Where a message was written."""

    def layout(self, guild_id: GuildId, base_role: int | None) -> Layout | None:
        """A guild's channels and who can read them; None while it is not available."""

    def audience(self, at: ChatMessage | ChatChannel, base_role: int | None) -> AudienceId:
        """Who can read where something was written, as it stands now."""

    def is_for_adults(self, guild_id: GuildId, channel_id: ChannelId) -> bool:
        """Whether a channel, or the parent of a thread, is age-restricted, as far as it is known.

        All channels of a guild that is not this process's are taken to be.
        """

    # Reading

    async def message(self, guild_id: GuildId, channel_id: ChannelId, message_id: MessageId) -> ChatMessage | None:
        """A message as it is now; None where it is gone, or not to be read any more."""

    async def files(self, guild_id: GuildId, channel_id: ChannelId, message_id: MessageId) -> Sequence[Attachment]:
        """What a message carries that memory may look at, as it is now. Waits for its turn."""

    async def replied(self, message: ChatMessage) -> ChatMessage | None:
        """The message that one replies to."""

    async def answers(self, message: ChatMessage, after: int, limit: int) -> Sequence[ChatMessage]:
        """The bot's own answers to a message, among the `limit` messages after an id."""

    async def request(self, message: ChatMessage, text: str, language: str) -> Request:
        """What a message asks for, with who asks, and what they may do there."""

    async def reactor(self, message: ChatMessage, emoji: str) -> UserId | None:
        """A person who put an emoji on a message. Waits for its turn."""

    async def page(self, channel: ChatChannel, before: int | None, limit: int) -> Sequence[ChatMessage]:
        """The newest messages of a channel, or those before one, newest first. Waits for its turn."""

    async def direct(self, channel_id: ChannelId, after: int) -> Sequence[ChatMessage]:
        """The direct messages after one, oldest first. Waits for its turn."""

    def archived(self, guild_id: GuildId, since: datetime) -> AsyncIterator[Sequence[ChatChannel]]:
        """Threads that went to the archive since a moment, channel by channel. Waits for its turn."""

    async def has_channel(self, guild_id: GuildId, channel_id: ChannelId) -> bool:
        """Whether a channel or thread is there, archived or not. Waits for its turn."""

    async def present(self, guild_id: GuildId, user_ids: Sequence[UserId]) -> frozenset[UserId]:
        """Who of some people is a member of a guild."""

    # Saying

    def typing(self, message: ChatMessage) -> AbstractAsyncContextManager[None]:
        """Show that the bot is writing, as a courtesy: nothing waits or fails for it."""

    async def answer(
        self, message: ChatMessage, text: Markup, texts: Texts, *, kind: str = "", rows: Rows = ()
    ) -> list[MessageId]:
        """Answer a message, with buttons below; the ids of what was sent.

        The same answer of the same `kind` is never seen twice.
        """

    async def say(self, channel_id: ChannelId, text: Markup, *, nonce: str) -> list[MessageId]:
        """Say something in a channel, once for each nonce; the ids of what was sent."""

    async def delete(self, channel_id: ChannelId, message_ids: Collection[MessageId]) -> None:
        """Delete messages of the bot's own; those that are gone already are no trouble."""

    async def presser(self, entry: InboxItem, press: object | None, *, is_alone: bool) -> Request | None:
        """Who pressed, with the rights that they have now; None where they are gone.

        `press` is the platform's own, or None where another process took it. `is_alone` says whether they alone see
        what comes of it.
        """

    async def visitor(self, guild_id: GuildId, user_id: UserId) -> Visitor | None:
        """A member as they are now; None where they are not in the guild.

        Of a guild on another process's shards, roles and channels are asked of the platform, and some seconds old.
        """

    async def show(self, entry: InboxItem, press: object | None, shown: Page | Form) -> list[MessageId]:
        """Answer a press; the ids of what was sent."""

    async def greet(self, guild_id: GuildId, text: Markup, rows: Rows) -> None:
        """Say something where a guild's members see it first."""
