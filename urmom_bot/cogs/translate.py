"""From Discord's objects to the nouns of memory."""

from __future__ import annotations

from collections.abc import Iterator

import discord

from memory import EVERYONE, AuthorKind, Channel, Member, Message
from urmom_bot.talk import addressed
from urmom_bot.transcript import embed_text, kind_of, transcript

Place = discord.abc.GuildChannel | discord.Thread


def member_of(user: discord.abc.User, guild_id: int, kind: AuthorKind = AuthorKind.MEMBER) -> Member:
    """Somebody's names, as they are now."""
    return Member(
        guild_id=guild_id,
        user_id=user.id,
        display_name=user.display_name,
        username=user.name,
        global_name=getattr(user, "global_name", None),
        author_kind=kind,
    )


def author_kind(message: discord.Message, me: int) -> AuthorKind:
    """Who wrote a message: a person, another bot, a webhook, or this bot."""
    if message.author.id == me:
        return AuthorKind.SELF
    if message.webhook_id is not None:
        return AuthorKind.WEBHOOK
    return AuthorKind.BOT if message.author.bot else AuthorKind.MEMBER


def message_of(message: discord.Message, me: int) -> Message:
    """A guild's message."""
    assert message.guild is not None
    reference = message.reference
    replies = reference is not None and reference.type is not discord.MessageReferenceType.forward
    return Message(
        guild_id=message.guild.id,
        message_id=message.id,
        channel_id=message.channel.id,
        user_id=message.author.id,
        text=text_of(message),
        timestamp=message.created_at,
        reply_to_id=reference.message_id if reference and replies else None,
        edited_at=message.edited_at,
        audience=audience_of(message.channel, message.channel.id),
        author_kind=author_kind(message, me),
    )


def text_to(
    message: discord.Message, me: discord.ClientUser, bot_name: str, replied: discord.Message | None
) -> str | None:
    """What a message says to the bot: by mention, by its name, by a reply to it, or in private; None where nothing."""
    names = {bot_name, me.display_name}
    if message.guild is not None:
        names.add(message.guild.me.display_name)
    text = addressed(message.content, me.id, names)
    if text is None and (message.guild is None or (replied is not None and replied.author.id == me.id)):
        return message.content
    return text


def text_of(message: discord.Message) -> str:
    """What a message says, with a line for each thing it carries."""
    return transcript(message.content, _extras(message))


def _extras(message: discord.Message | discord.MessageSnapshot) -> Iterator[tuple[str, str]]:
    for attachment in message.attachments:
        yield kind_of(attachment.content_type, attachment.filename), attachment.description or attachment.filename
    for sticker in message.stickers:
        yield "sticker", sticker.name
    for embed in message.embeds:
        if text := embed_text(embed.title, embed.description):
            yield "embed", text
    if isinstance(message, discord.Message):
        if message.poll is not None:
            answers = ", ".join(answer.text for answer in message.poll.answers)
            yield "poll", f"{message.poll.question} ({answers})"
        for snapshot in message.message_snapshots:
            yield "forwarded", transcript(snapshot.content, _extras(snapshot))


def audience_of(channel: object, channel_id: int = 0) -> int:
    """Who can read a channel: everyone in the guild, or those of a restricted channel, named by its id.

    A thread is read by those who read its parent; a private thread by its own; the chat of a voice
    channel by those who may connect. A channel of which nothing is known but its `channel_id` is
    taken for restricted.
    """
    if isinstance(channel, discord.Thread):
        if channel.is_private():
            return channel.id
        return audience_of(channel.parent, channel.parent_id)
    if isinstance(channel, discord.abc.GuildChannel):
        everyone = channel.permissions_for(channel.guild.default_role)
        voice = isinstance(channel, discord.VoiceChannel | discord.StageChannel)
        return EVERYONE if everyone.view_channel and (everyone.connect or not voice) else channel.id
    if isinstance(channel, discord.DMChannel | discord.GroupChannel):
        return EVERYONE
    return channel_id


def channel_of(channel: Place) -> Channel:
    """A channel's name and audience."""
    return Channel(
        guild_id=channel.guild.id,
        channel_id=channel.id,
        name=channel.name,
        audience=audience_of(channel, channel.id),
        parent_id=channel.parent_id if isinstance(channel, discord.Thread) else None,
    )
