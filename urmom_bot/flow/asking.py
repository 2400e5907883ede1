"""What a message asks of the bot."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

from cachetools import LRUCache

from memory.ids import ChannelId, GuildId, MessageId, UserId
from memory.records import InboxItem, InboxKind
from memory.rules.text import clean
from urmom_bot.flow.platform import ChatMessage, Platform, Reaction
from urmom_bot.talk import Router, addressed

MAX_TALKS = 10_000
"""Members with whom the bot talks that are kept in mind."""

MAX_LAST = 8
"""Messages of a channel of which it is known who wrote them: a later one may come before an earlier one is answered."""

MAX_GUILDS, MAX_PEOPLE = 2_000, 500
"""Guilds, and names of their members who wrote lately, that are kept in mind."""


class Asking:
    """Tells what is addressed to the bot; what other bots and webhooks write never is.

    In a thread, whoever was answered need not address the bot again for `idle`.
    """

    def __init__(self, platform: Platform, router: Router, idle: timedelta, joke_emoji: str) -> None:
        self._platform = platform
        self._router = router
        self._idle = idle
        self.joke_emoji = joke_emoji
        """The reaction that asks for a joke about a message."""
        self._talks: LRUCache[tuple[ChannelId, UserId], datetime] = LRUCache(MAX_TALKS)
        self._writers: LRUCache[ChannelId, tuple[tuple[MessageId, UserId], ...]] = LRUCache(MAX_TALKS)
        """By channel, the last messages, each with its author."""
        self._people: LRUCache[GuildId, LRUCache[str, bool]] = LRUCache(MAX_GUILDS)
        """By guild, the names of who wrote lately: "bot kim is …" is said to the bot about Kim."""
        self._names: dict[GuildId, tuple[str, ...]] = {}
        self._without_bare: set[GuildId] = set()

    def know(self, guild_id: GuildId, names: tuple[str, ...], *, bare_names: bool) -> None:
        """Answer to these names in a guild too. Without `bare_names`, a name counts only with a comma or a greeting."""
        self._names[guild_id] = names
        self._without_bare.discard(guild_id)
        if not bare_names:
            self._without_bare.add(guild_id)

    def text(self, message: ChatMessage, *, is_taken: bool = False) -> str | None:
        """What a message says to the bot: by mention, by its name, by a reply, in private, or going on in a thread.

        `is_taken`: some process took it for addressed to the bot; it may have known of a talk that went on.
        """
        if not message.is_by_member or message.is_system:
            return None
        text = clean(message.text)
        self._note_writer(message)
        in_talk = is_taken or self._is_in_talk(message)
        names = self._names_in(message.guild_id)
        bare = message.guild_id not in self._without_bare
        people = self._people[message.guild_id]
        asked = addressed(
            text, self._platform.user_id, names, in_talk=in_talk, bare_names=bare, is_person=people.__contains__
        )
        if asked is not None:
            return asked
        replied = message.replied
        if message.is_direct or (replied is not None and replied.author.user_id == self._platform.user_id):
            return text
        return message.text if self._goes_on(message) or self._corrects(message) else None

    def text_of(self, entry: InboxItem, message: ChatMessage) -> str | None:
        """What a message says that some process took for addressed to the bot; None where it is no more."""
        text = self.text(message, is_taken=True)
        if text is None and entry.kind is InboxKind.MESSAGE and _may_go_on(message) and message.edited_at is None:
            return message.text
        return text

    def _names_in(self, guild_id: GuildId) -> set[str]:
        return {*self._router.bot_names, *self._names.get(guild_id, ()), *self._platform.names(guild_id)}

    def answered(self, message: ChatMessage) -> None:
        """Keep in mind whom the bot talks with: the author of a message that it answered."""
        self._talks[message.channel_id, message.author.user_id] = message.at

    def leave(self, message: ChatMessage) -> None:
        """Let a member be: whatever they write, they must address the bot again."""
        self._talks.pop((message.channel_id, message.author.user_id), None)

    def _goes_on(self, message: ChatMessage) -> bool:
        return _may_go_on(message) and self._is_in_talk(message)

    def _corrects(self, message: ChatMessage) -> bool:
        """Whether somebody says in other words what they told the bot just now ("no wait, I work days").

        Nobody else has written in between: then it may be said to them.
        """
        author_id = message.author.user_id
        before = [author for sent, author in self._writers[message.channel_id] if sent < message.message_id]
        if not _is_alone(message) or message.edited_at is not None or before[-1:] != [author_id]:
            return False
        where = message.guild_id, message.channel_id, message.author.user_id
        return self._router.corrects(*where, clean(message.text), message.at)

    def _note_writer(self, message: ChatMessage) -> None:
        known = dict(self._writers.get(message.channel_id, ()))
        known[message.message_id] = message.author.user_id
        self._writers[message.channel_id] = tuple(sorted(known.items())[-MAX_LAST:])
        people = self._people.setdefault(message.guild_id, LRUCache(MAX_PEOPLE))
        people.update(dict.fromkeys(map(str.casefold, message.author.names), True))

    def _is_in_talk(self, message: ChatMessage) -> bool:
        last = self._talks.get((message.channel_id, message.author.user_id))
        return (
            last is not None and timedelta(0) <= message.at - last <= self._idle
        )  # what is read later was not for the bot

    def entry(self, message: ChatMessage) -> InboxItem | None:
        """The entry of a message that is addressed to the bot."""
        text = self.text(message)
        return None if text is None else self._entry(message, text, InboxKind.MESSAGE)

    def edit(self, message: ChatMessage) -> InboxItem | None:
        """The entry of an edited message that asks to remember something: what its old words told goes with them."""
        text = None if message.is_direct else self.text(message)
        if text is None or not self._router.is_teaching(text):
            return None
        return self._entry(message, text, InboxKind.EDIT)

    def joke(self, reaction: Reaction, at: datetime) -> InboxItem | None:
        """The entry of a reaction that asks for a joke about a message."""
        if reaction.is_by_bot or reaction.emoji != self.joke_emoji:
            return None
        return InboxItem(
            guild_id=reaction.guild_id,
            trigger_id=reaction.message_id,
            kind=InboxKind.JOKE,
            channel_id=reaction.channel_id,
            user_id=reaction.user_id,
            at=at.astimezone(UTC),
        )

    def _entry(self, message: ChatMessage, text: str, kind: InboxKind) -> InboxItem:
        at = message.edited_at if kind is InboxKind.EDIT and message.edited_at else message.at
        return InboxItem(
            guild_id=message.guild_id,
            trigger_id=message.message_id,
            kind=kind,
            channel_id=message.channel_id,
            user_id=message.author.user_id,
            at=at.astimezone(UTC),
            is_order=not message.is_direct and self._router.is_order(text),
        )


def _may_go_on(message: ChatMessage) -> bool:
    """Whether a message may be for the bot without saying so: in a thread, in words or with a file, to nobody else."""
    return _is_alone(message) and message.in_thread and bool(message.text.strip() or message.files)


def _is_alone(message: ChatMessage) -> bool:
    """Whether a message answers, forwards and mentions nothing."""
    return message.reply_to is None and not message.is_forward and not message.mentioned
