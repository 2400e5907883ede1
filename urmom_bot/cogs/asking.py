"""What a message of Discord's asks of the bot."""

from __future__ import annotations

from datetime import UTC

import discord
from discord.ext import commands

from memory.permissions import ALL_GUILDS
from memory.records import InboxEntry, InboxKind
from urmom_bot.cogs.translate import text_to
from urmom_bot.talk import Router


class Asking:
    """Tells what is addressed to the bot; what other bots and webhooks write never is."""

    def __init__(self, bot: commands.AutoShardedBot, router: Router) -> None:
        self._bot = bot
        self._router = router

    def text(self, message: discord.Message) -> str | None:
        """What a message says to the bot: by mention, by its name, by replying to it, or in private."""
        if message.author.bot or message.webhook_id is not None or message.is_system():
            return None
        assert self._bot.user is not None
        return text_to(message, self._bot.user, self._router.bot_names, _replied(message))

    def entry(self, message: discord.Message) -> InboxEntry | None:
        """The entry of a message that is addressed to the bot."""
        text = self.text(message)
        return None if text is None else self._entry(message, text, InboxKind.MESSAGE)

    def edit(self, message: discord.Message) -> InboxEntry | None:
        """The entry of an edited message that asks to remember something: what its old words told goes with them."""
        text = self.text(message)
        if text is None or not self._router.is_teaching(text):
            return None
        return self._entry(message, text, InboxKind.EDIT)

    def _entry(self, message: discord.Message, text: str, kind: InboxKind) -> InboxEntry:
        at = message.edited_at if kind is InboxKind.EDIT and message.edited_at else message.created_at
        return InboxEntry(
            guild_id=message.guild.id if message.guild else ALL_GUILDS,
            trigger_id=message.id,
            kind=kind,
            channel_id=message.channel.id,
            user_id=message.author.id,
            at=at.astimezone(UTC),
            is_order=message.guild is not None and self._router.is_order(text),
        )


def _replied(message: discord.Message) -> discord.Message | None:
    """The message that one replies to, as far as Discord sent it along."""
    reference = message.reference
    if reference is None or reference.type is discord.MessageReferenceType.forward:
        return None
    return reference.resolved if isinstance(reference.resolved, discord.Message) else reference.cached_message
