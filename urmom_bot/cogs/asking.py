"""What a message of Discord's asks of the bot."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import discord
from cachetools import LRUCache
from discord.ext import commands

from memory.permissions import ALL_GUILDS
from memory.records import InboxItem, InboxKind
from urmom_bot.cogs.translate import text_to
from urmom_bot.talk import Router

MAX_REACTORS = 5
"""Who reacted to a message, as far as it is looked for somebody who is no bot."""

MAX_THREAD_TALKS = 10_000
"""Talks in threads that are kept in mind."""


class Asking:
    """Tells what is addressed to the bot; what other bots and webhooks write never is.

    In a thread, whoever was answered need not address the bot again for `idle`.
    """

    def __init__(self, bot: commands.AutoShardedBot, router: Router, idle: timedelta, joke_emoji: str) -> None:
        self._bot = bot
        self._router = router
        self._idle = idle
        self._joke_emoji = joke_emoji
        self._talks: LRUCache[tuple[int, int], datetime] = LRUCache(MAX_THREAD_TALKS)
        self._names: dict[int, tuple[str, ...]] = {}

    def know(self, guild_id: int, names: tuple[str, ...]) -> None:
        """Answer to names in a guild, beside those that the bot has everywhere."""
        self._names[guild_id] = names

    def text(self, message: discord.Message) -> str | None:
        """What a message says to the bot: by mention, by its name, by a reply, in private, or going on in a thread."""
        if message.author.bot or message.webhook_id is not None or message.is_system():
            return None
        assert self._bot.user is not None
        own = self._names.get(message.guild.id, ()) if message.guild is not None else ()
        text = text_to(message, self._bot.user, (*self._router.bot_names, *own), _replied(message))
        return message.content if text is None and self._goes_on(message) else text

    def text_of(self, entry: InboxItem, message: discord.Message) -> str | None:
        """What a message says that some process took for addressed to the bot; None where it is no more."""
        text = self.text(message)
        if text is None and entry.kind is InboxKind.MESSAGE and _may_go_on(message) and message.edited_at is None:
            return message.content
        return text

    def answered(self, message: discord.Message) -> None:
        """Keep in mind whom the bot talks with in a thread: the author of a message that it answered."""
        if isinstance(message.channel, discord.Thread):
            self._talks[message.channel.id, message.author.id] = message.created_at

    def _goes_on(self, message: discord.Message) -> bool:
        last = self._talks.get((message.channel.id, message.author.id))
        if last is None or not _may_go_on(message):
            return False
        return timedelta(0) <= message.created_at - last <= self._idle  # what is read later was not for the bot

    def entry(self, message: discord.Message) -> InboxItem | None:
        """The entry of a message that is addressed to the bot."""
        text = self.text(message)
        return None if text is None else self._entry(message, text, InboxKind.MESSAGE)

    def edit(self, message: discord.Message) -> InboxItem | None:
        """The entry of an edited message that asks to remember something: what its old words told goes with them."""
        text = self.text(message)
        if text is None or not self._router.is_teaching(text):
            return None
        return self._entry(message, text, InboxKind.EDIT)

    def joke(self, reaction: discord.RawReactionActionEvent, at: datetime) -> InboxItem | None:
        """The entry of a reaction that asks for a joke about a message."""
        if reaction.guild_id is None or not self.asks_for_joke(reaction.emoji):
            return None
        if reaction.member is not None and reaction.member.bot:
            return None
        return _joke(reaction.guild_id, reaction.channel_id, reaction.message_id, reaction.user_id, at)

    async def missed_joke(self, message: discord.Message, at: datetime) -> InboxItem | None:
        """The entry of a message on which a reaction asks for a joke; raises what Discord answers."""
        reaction = next((one for one in message.reactions if self.asks_for_joke(one.emoji)), None)
        if reaction is None or message.guild is None:
            return None
        async for user in reaction.users(limit=MAX_REACTORS):
            if not user.bot:
                return _joke(message.guild.id, message.channel.id, message.id, user.id, at)
        return None

    def asks_for_joke(self, emoji: discord.PartialEmoji | discord.Emoji | str) -> bool:
        """Whether a reaction asks for a joke."""
        return str(emoji) == self._joke_emoji

    def _entry(self, message: discord.Message, text: str, kind: InboxKind) -> InboxItem:
        at = message.edited_at if kind is InboxKind.EDIT and message.edited_at else message.created_at
        return InboxItem(
            guild_id=message.guild.id if message.guild else ALL_GUILDS,
            trigger_id=message.id,
            kind=kind,
            channel_id=message.channel.id,
            user_id=message.author.id,
            at=at.astimezone(UTC),
            is_order=message.guild is not None and self._router.is_order(text),
        )


def _joke(guild_id: int, channel_id: int, message_id: int, user_id: int, at: datetime) -> InboxItem:
    return InboxItem(
        guild_id=guild_id,
        trigger_id=message_id,
        kind=InboxKind.JOKE,
        channel_id=channel_id,
        user_id=user_id,
        at=at.astimezone(UTC),
    )


def _may_go_on(message: discord.Message) -> bool:
    """Whether a message may be for the bot without saying so: in a thread, in words, and to nobody else."""
    is_plain = message.reference is None and not message.mentions and bool(message.content.strip())
    return is_plain and isinstance(message.channel, discord.Thread)


def _replied(message: discord.Message) -> discord.Message | None:
    """The message that one replies to, as far as Discord sent it along."""
    reference = message.reference
    if reference is None or reference.type is discord.MessageReferenceType.forward:
        return None
    return reference.resolved if isinstance(reference.resolved, discord.Message) else reference.cached_message
