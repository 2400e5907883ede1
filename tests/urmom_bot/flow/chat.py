"""A chat platform in memory: what the flow does with it needs no Discord."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import AsyncIterator, Collection, Sequence
from contextlib import AbstractAsyncContextManager, nullcontext
from dataclasses import dataclass, field, replace
from datetime import datetime, timedelta

from memory import AuthorKind, Member, Viewer
from memory.records import InboxItem
from memory.rules.audiences import ChannelGates, Gate, Layout
from tests.builders import Clock, G
from urmom_bot.app import App
from urmom_bot.flow import Flow
from urmom_bot.flow.platform import (
    ChatChannel,
    ChatMessage,
    Guild,
    Platform,
    Reaction,
    Refused,
    Rows,
    TryLater,
    Visitor,
)
from urmom_bot.markup import Markup
from urmom_bot.panels import Form, Page
from urmom_bot.snowflakes import first_id
from urmom_bot.talk import Quoted, Request, Texts

ME = 99
NAMES = {1: "ann", 2: "bob", 3: "cid"}


@dataclass
class Chat:
    """One guild with channels in which people write. `is_away` is an outage, `refuses` the channels it denies."""

    clock: Clock
    is_away: bool = False
    refuses: set[int] = field(default_factory=set)
    messages: dict[int, ChatMessage] = field(default_factory=dict)
    rooms: set[int] = field(default_factory=lambda: {7})
    for_adults: set[int] = field(default_factory=set)
    archive: dict[int, datetime] = field(default_factory=dict)
    sent: list[tuple[int, str]] = field(default_factory=list)
    """What the bot said, with the message it answers, or the channel."""
    shown: list[Page | Form] = field(default_factory=list)
    calls: defaultdict[str, int] = field(default_factory=lambda: defaultdict(int))
    is_available: bool = True
    _count: int = 0

    user_id: int = ME
    shard_count: int = 1

    def write(self, user_id: int, text: str, channel_id: int = 7, **more: object) -> ChatMessage:
        """Somebody writes; the bot hears of it only where it is told."""
        self._count += 1
        kind = AuthorKind.SELF if user_id == ME else AuthorKind.MEMBER
        name = NAMES.get(user_id, f"user{user_id}")
        author = Member(guild_id=G, user_id=user_id, display_name=name, username=name, author_kind=kind)
        values: dict[str, object] = {
            "guild_id": G,
            "channel_id": channel_id,
            "message_id": first_id(self.clock.now) + self._count,
            "author": author,
            "text": text,
            "transcript": text,
            "at": self.clock.now,
            **more,
        }
        message = ChatMessage(**values)  # type: ignore[arg-type]
        self.messages[message.message_id] = message
        return message

    def edit(self, message: ChatMessage, text: str) -> ChatMessage:
        """Its author mends a message."""
        edited = replace(message, text=text, transcript=text, edited_at=self.clock.now)
        self.messages[message.message_id] = edited
        return edited

    def _reach(self, channel_id: int, call: str) -> None:
        self.calls[call] += 1
        if self.is_away:
            raise TryLater("it is away")
        if channel_id in self.refuses:
            raise Refused("it is denied")

    # Platform

    def shard_of(self, _guild_id: int) -> int:
        return 0

    def names(self, _guild_id: int) -> Sequence[str]:
        return ["Bot"]

    def guilds(self) -> Sequence[Guild]:
        joined = self.clock.now - timedelta(days=100)
        return [Guild(guild_id=G, shard_id=0, is_available=self.is_available, joined_at=joined)]

    def guild(self, guild_id: int) -> Guild | None:
        return next((guild for guild in self.guilds() if guild.guild_id == guild_id), None)

    def channel_ids(self, _guild_id: int) -> frozenset[int] | None:
        return frozenset(self.rooms) if self.is_available else None

    def channels(self, _guild_id: int) -> Sequence[ChatChannel]:
        return [self._channel(channel_id) for channel_id in sorted(self.rooms)] if self.is_available else []

    def _channel(self, channel_id: int) -> ChatChannel:
        newest = max((m.message_id for m in self.messages.values() if m.channel_id == channel_id), default=None)
        parent = 7 if channel_id in self.archive else None
        return ChatChannel(guild_id=G, shard_id=0, channel_id=channel_id, newest=newest, parent_id=parent)

    def channel(self, channel_id: int) -> ChatChannel | None:
        return self._channel(channel_id) if channel_id in self.rooms else None

    def channel_of(self, message: ChatMessage) -> ChatChannel | None:
        return self._channel(message.channel_id)

    def layout(self, guild_id: int, base_role: int | None) -> Layout | None:
        everyone = (Gate(open=True),)
        rooms = tuple(
            ChannelGates(channel_id=n, name=f"room {n}", gates=everyone, parent_id=7 if n in self.archive else None)
            for n in sorted(self.rooms)
        )
        return Layout(guild_id=guild_id, channels=rooms, base_role=base_role, roles=())

    def audience(self, _at: ChatMessage | ChatChannel, _base_role: int | None) -> int:
        return 0

    async def message(self, _guild_id: int, channel_id: int, message_id: int) -> ChatMessage | None:
        self._reach(channel_id, "message")
        return self.messages.get(message_id)

    async def replied(self, message: ChatMessage) -> ChatMessage | None:
        return self.messages.get(message.reply_to or 0)

    async def answers(self, message: ChatMessage, after: int, limit: int) -> Sequence[ChatMessage]:
        self._reach(message.channel_id, "answers")
        later = [m for m in self.messages.values() if m.message_id > after and m.channel_id == message.channel_id]
        return [m for m in later[:limit] if m.author.user_id == ME and m.reply_to == message.message_id]

    async def request(self, message: ChatMessage, text: str, language: str) -> Request:
        replied = await self.replied(message)
        quoted = None
        if replied is not None and replied.author.user_id != ME:
            quoted = Quoted(message_id=replied.message_id, author=replied.author, text=replied.text)
        return Request(
            viewer=Viewer(guild_id=message.guild_id, user_id=message.author.user_id, audiences=(0,)),
            speaker=message.author,
            channel_id=message.channel_id,
            message_id=message.message_id,
            text=text,
            at=message.at,
            quoted=quoted,
            language=language,
        )

    async def reactor(self, message: ChatMessage, _emoji: str) -> int | None:
        self._reach(message.channel_id, "reactor")
        return 2 if message.reactions else None

    async def page(self, channel: ChatChannel, before: int | None, limit: int) -> Sequence[ChatMessage]:
        self._reach(channel.channel_id, "page")
        there = [m for m in self.messages.values() if m.channel_id == channel.channel_id]
        older = [m for m in there if before is None or m.message_id < before]
        return sorted(older, key=lambda m: -m.message_id)[:limit]

    async def direct(self, channel_id: int, after: int) -> Sequence[ChatMessage]:
        self._reach(channel_id, "direct")
        return [m for m in self.messages.values() if m.channel_id == channel_id and m.message_id > after]

    async def archived(self, _guild_id: int, since: datetime) -> AsyncIterator[Sequence[ChatChannel]]:
        self._reach(0, "archived")
        if found := [self._channel(n) for n, at in self.archive.items() if at > since and n not in self.rooms]:
            yield found

    async def has_channel(self, _guild_id: int, channel_id: int) -> bool:
        self._reach(0, "has_channel")
        return channel_id in self.rooms or channel_id in self.archive

    async def present(self, _guild_id: int, user_ids: Sequence[int]) -> frozenset[int]:
        self._reach(0, "present")
        return frozenset(user_ids)

    def typing(self, _message: ChatMessage) -> AbstractAsyncContextManager[None]:
        return nullcontext()

    async def answer(
        self, message: ChatMessage, text: Markup, _texts: Texts, *, kind: str = "", rows: Rows = ()
    ) -> list[int]:
        self._reach(message.channel_id, "answer")
        self.sent.append((message.message_id, text))
        return [self.write(ME, text, message.channel_id, reply_to=message.message_id).message_id]

    async def say(self, channel_id: int, text: Markup, *, nonce: str) -> list[int]:
        self._reach(channel_id, "say")
        assert len(nonce) <= 25, "Discord takes no longer one"
        self.sent.append((channel_id, text))
        return [self.write(ME, text, channel_id).message_id]

    async def delete(self, channel_id: int, message_ids: Collection[int]) -> None:
        self._reach(channel_id, "delete")
        for message_id in message_ids:
            self.messages.pop(message_id, None)

    def is_for_adults(self, _guild_id: int, channel_id: int) -> bool:
        return channel_id in self.for_adults

    async def presser(self, entry: InboxItem, _press: object | None, *, is_alone: bool) -> Request | None:
        self._reach(0, "presser")
        return Request(
            viewer=Viewer(guild_id=entry.guild_id, user_id=entry.user_id, audiences=(0,), is_alone=is_alone),
            speaker=Member(guild_id=G, user_id=entry.user_id, display_name="ann", username="ann"),
            channel_id=entry.channel_id,
            message_id=entry.trigger_id,
            text="",
            at=entry.at,
            language="en",
        )

    async def visitor(self, guild_id: int, user_id: int) -> Visitor | None:
        self._reach(0, "visitor")
        return Visitor(
            viewer=Viewer(guild_id=guild_id, user_id=user_id, is_alone=True),
            member=Member(guild_id=guild_id, user_id=user_id, display_name="ann", username="ann"),
        )

    async def show(self, _entry: InboxItem, _press: object | None, shown: Page | Form) -> list[int]:
        self._reach(1, "show")
        self.shown.append(shown)
        return []

    async def greet(self, _guild_id: int, text: Markup, _rows: Rows) -> None:
        self.sent.append((0, text))


def flow_of(app: App, chat: Chat) -> Flow:
    """The bot's flow over a memory and a chat, with nothing begun."""
    platform: Platform = chat
    flow = Flow(platform, app.memory, app.router, app.jester, app.panels, app.settings.joke_emoji)

    async def tell(asked: object) -> None:
        assert isinstance(asked, ChatMessage)
        await flow.responder.tell_later(asked)

    flow.inbox.run_for(lambda: [G], tell, flow.responder.tell_gave_up)
    flow.inbox.is_behind = lambda _guild: False
    return flow


def joke_reaction(message: ChatMessage, emoji: str, user_id: int = 2) -> Reaction:
    """Somebody asks for a joke about a message."""
    return Reaction(
        guild_id=G, channel_id=message.channel_id, message_id=message.message_id, user_id=user_id, emoji=emoji
    )
