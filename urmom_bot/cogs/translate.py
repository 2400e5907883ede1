"""From Discord's objects to the nouns of memory."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import TypedDict
from urllib.parse import urlsplit

import aiohttp
import discord

from memory import EVERYONE, AuthorKind, Member, MemoryManager, Viewer
from memory.ids import ALL_GUILDS, AudienceId, ChannelId, GuildId, MessageId, UserId
from memory.rules.audiences import ChannelGates, Gate, Layout, audience_of
from memory.rules.text import one_line
from urmom_bot.attachments import MAX_BYTES, Attachment
from urmom_bot.flow.platform import ChatChannel, ChatMessage, Guild
from urmom_bot.transcript import embed_text, kind_of, transcript, without_small_print

SomeChannel = discord.abc.GuildChannel | discord.Thread


def member_of(user: discord.abc.User, guild_id: GuildId, kind: AuthorKind = AuthorKind.MEMBER) -> Member:
    """Somebody's names, as they are now."""
    return Member(
        guild_id=guild_id,
        user_id=UserId(user.id),
        display_name=one_line(user.display_name) or one_line(user.name),
        username=one_line(user.name),
        global_name=one_line(getattr(user, "global_name", None) or "") or None,
        author_kind=kind,
    )


def author_kind(message: discord.Message, me: int) -> AuthorKind:
    """Who wrote a message: a person, another bot, a webhook, or this bot."""
    if message.author.id == me:
        return AuthorKind.SELF
    if message.webhook_id is not None:
        return AuthorKind.WEBHOOK
    return AuthorKind.BOT if message.author.bot else AuthorKind.MEMBER


MessageChannel = discord.TextChannel | discord.VoiceChannel | discord.StageChannel | discord.Thread
"""Where messages are in a guild."""


def incoming(message: discord.Message, me: int, *, with_replied: bool = True) -> ChatMessage:
    """A message as the flow takes it; the one that it replies to comes along where it is known."""
    reference = message.reference
    is_forward = reference is not None and reference.type is discord.MessageReferenceType.forward
    replied = None if reference is None or is_forward or not with_replied else _replied(reference)
    guild_id = GuildId(message.guild.id) if message.guild else ALL_GUILDS
    is_system = message.is_system()
    kind, text = author_kind(message, me), text_of(message)
    return ChatMessage(
        guild_id=guild_id,
        channel_id=ChannelId(message.channel.id),
        message_id=MessageId(message.id),
        author=member_of(message.author, guild_id, kind),
        text=message.content or "",
        transcript=without_small_print(text) if kind is AuthorKind.SELF else text,
        at=message.created_at,
        edited_at=message.edited_at,
        reply_to=None if is_forward or not reference or not reference.message_id else MessageId(reference.message_id),
        replied=None if replied is None else incoming(replied, me, with_replied=False),
        is_forward=is_forward,
        mentioned=tuple(member_of(user, guild_id) for user in message.mentions),
        files=tuple(_files(message)),
        reactions=tuple(str(reaction.emoji) for reaction in message.reactions),
        is_talk=not is_system or message.type in TALK,
        is_system=is_system,
        in_thread=isinstance(message.channel, discord.Thread),
        is_channel_known=message.guild is None or not isinstance(message.channel, discord.PartialMessageable),
        raw=message,
    )


TALK = frozenset([discord.MessageType.thread_starter_message, discord.MessageType.poll_result])
"""Messages of the platform's that tell what people said: what a thread begins with, and what came of a poll."""

CDN = frozenset(["cdn.discordapp.com", "media.discordapp.net"])
"""Where Discord has its files; none is loaded from anywhere else."""


def _files(message: discord.Message) -> Iterator[Attachment]:
    """The files of a message; before them those of a forwarded one, which memory never looks at."""
    for snapshot in message.message_snapshots:
        yield from (_file(file, may_be_seen=False) for file in snapshot.attachments)
    yield from (_file(file, may_be_seen=not is_for_adults(message.channel)) for file in message.attachments)


def _file(attachment: discord.Attachment, *, may_be_seen: bool) -> Attachment:
    """A file of a message, loaded from Discord's own servers alone."""

    async def read() -> bytes:
        parts = urlsplit(attachment.url)
        if parts.scheme != "https" or parts.hostname not in CDN:
            raise OSError("not one of Discord's addresses")
        try:
            return await attachment.read()
        except (discord.NotFound, discord.Forbidden) as gone:
            raise FileNotFoundError(str(gone)) from gone
        except (discord.HTTPException, aiohttp.ClientError) as failed:
            raise OSError(str(failed)) from failed

    kind, _ = shown_as(attachment, may_be_seen=may_be_seen)
    is_kept = may_be_seen and kind in ("image", "voice") and attachment.size <= MAX_BYTES
    return Attachment(
        name=attachment.filename,
        size=attachment.size,
        seconds=attachment.duration if kind == "voice" else None,
        file_id=attachment.id if is_kept else 0,
        read=read,
    )


def shown_as(attachment: discord.Attachment, *, may_be_seen: bool) -> tuple[str, str]:
    """What a transcript has of a file: its kind, and its description or name where it `may_be_seen`."""
    kind = "voice" if attachment.is_voice_message() else kind_of(attachment.content_type, attachment.filename)
    return kind, (attachment.description or attachment.filename) if may_be_seen else ""


def is_for_adults(channel: object) -> bool:
    """Whether a channel, or the parent of a thread, is age-restricted: nothing in it is described."""
    return isinstance(channel, discord.abc.GuildChannel | discord.Thread) and bool(
        getattr(channel, "is_nsfw", lambda: False)()
    )


def _replied(reference: discord.MessageReference) -> discord.Message | None:
    """The message that one replies to, as far as Discord sent it along."""
    return reference.resolved if isinstance(reference.resolved, discord.Message) else reference.cached_message


def guild_of(guild: discord.Guild) -> Guild:
    """A guild as the flow takes it."""
    return Guild(
        guild_id=GuildId(guild.id),
        shard_id=guild.shard_id,
        is_available=not guild.unavailable,
        joined_at=guild.me.joined_at if guild.me is not None else None,
        locale=str(guild.preferred_locale),
        name=guild.name,
    )


def channel_of(channel: MessageChannel) -> ChatChannel:
    """A channel or thread as the flow takes it."""
    return ChatChannel(
        guild_id=GuildId(channel.guild.id),
        shard_id=channel.guild.shard_id,
        channel_id=ChannelId(channel.id),
        name=channel.name,
        newest=None if channel.last_message_id is None else MessageId(channel.last_message_id),
        parent_id=ChannelId(channel.parent_id) if isinstance(channel, discord.Thread) else None,
        raw=channel,
    )


def readable(guild: discord.Guild) -> Iterator[MessageChannel]:
    """The channels of a guild that the bot may read: without the permission Discord shows an empty one, no refusal."""
    for channel in (*guild.channels, *guild.threads):
        if isinstance(channel, MessageChannel):
            allowed = channel.permissions_for(guild.me)
            if allowed.view_channel and allowed.read_message_history:
                yield channel


def text_of(message: discord.Message) -> str:
    """What a message says, with a line for each thing it carries."""
    return transcript(message.content or "", _extras(message, may_be_seen=not is_for_adults(message.channel)))


def _extras(
    message: discord.Message | discord.MessageSnapshot, *, may_be_seen: bool = True
) -> Iterator[tuple[str, str]]:
    if isinstance(message, discord.Message):
        for snapshot in message.message_snapshots:
            yield "forwarded", transcript(snapshot.content, _extras(snapshot, may_be_seen=may_be_seen))
        yield from _post(message)
        if message.poll is not None:
            yield from _poll(message.poll)
    for sticker in message.stickers:
        yield "sticker", sticker.name
    for embed in message.embeds:
        if embed.type == "poll_result":
            yield "poll result", _result(embed)
        elif text := embed_text(embed.title, embed.description):
            yield "embed", text
    for attachment in message.attachments:  # the last lines, one each: what they show is put into them
        yield shown_as(attachment, may_be_seen=may_be_seen)


def _post(message: discord.Message) -> Iterator[tuple[str, str]]:
    """The title and tags of a forum post, or a thread's name, with the message that begins it."""
    thread = message.channel
    if isinstance(thread, discord.Thread) and message.type is discord.MessageType.thread_starter_message:
        yield "thread", thread.name
    if (
        isinstance(thread, discord.Thread)
        and thread.id == message.id
        and isinstance(thread.parent, discord.ForumChannel)
    ):
        tags = ", ".join(tag.name for tag in thread.applied_tags)
        yield "post", f"{thread.name} ({tags})" if tags else thread.name


def _poll(poll: discord.Poll) -> Iterator[tuple[str, str]]:
    """A poll's question and answers; and the votes in a line of their own, once it is over."""
    yield "poll", f"{poll.question} ({', '.join(answer.text for answer in poll.answers)})"
    if poll.is_finalised():
        yield "votes", ", ".join(f"{answer.text}: {answer.vote_count}" for answer in poll.answers)


def _result(embed: discord.Embed) -> str:
    """What came of a poll, as Discord tells of it when it ends."""
    told = {field.name: field.value for field in embed.fields}
    votes, total = told.get("victor_answer_votes") or "0", told.get("total_votes") or "0"
    winner = told.get("victor_answer_text")
    outcome = f"{winner} won with {votes} of {total} votes" if winner else f"no answer won, {total} votes"
    return f"{told.get('poll_question_text') or ''}: {outcome}"


def layout_of(guild: discord.Guild, base_role: int | None) -> Layout:
    """A guild's channels and who can read them."""
    roles = [role for role in guild.roles if not role.is_default() and not role.is_bot_managed()]
    channels = (*guild.channels, *guild.threads)
    return Layout(
        guild_id=GuildId(guild.id),
        channels=tuple(gates_of(channel) for channel in channels if not isinstance(channel, discord.CategoryChannel)),
        base_role=base_role,
        roles=tuple(role.id for role in sorted(roles, key=lambda role: role.position)),
    )


def gates_of(channel: SomeChannel) -> ChannelGates:
    """A channel or thread, and who can read it.

    A thread is read by those who read its parent, a private one by its own; the chat of a voice channel by
    those who may connect. Who administers the server reads everything, and counts nowhere.
    """
    parent = channel.parent if isinstance(channel, discord.Thread) else channel
    private = isinstance(channel, discord.Thread) and channel.is_private()
    gates: tuple[Gate, ...] = ()
    if parent is not None and not private:
        voice = isinstance(parent, discord.VoiceChannel | discord.StageChannel)
        gates = tuple(_gate(parent, name) for name in ("view_channel", *(("connect",) if voice else ())))
    return ChannelGates(
        channel_id=ChannelId(channel.id),
        name=channel.name,
        gates=gates,
        parent_id=ChannelId(channel.parent_id) if isinstance(channel, discord.Thread) else None,
        private=private,
    )


def _gate(channel: discord.abc.GuildChannel, permission: str) -> Gate:
    """Who has a permission in a channel."""
    guild, default = channel.guild, channel.guild.default_role
    overwritten: bool | None = None
    roles: dict[bool, set[int]] = {True: set(), False: set()}
    members: dict[bool, set[int]] = {True: set(), False: set()}
    for target, overwrite in channel.overwrites.items():
        value = getattr(overwrite, permission)
        if value is None:
            continue
        if target.id == default.id:
            overwritten = value
        elif isinstance(target, discord.Role) or getattr(target, "type", None) is discord.Role:
            roles[value].add(target.id)
        else:
            members[value].add(target.id)
    bots = {role.id for role in guild.roles if role.is_bot_managed()}
    by_role = {role.id for role in guild.roles if getattr(role.permissions, permission) and role.id not in bots}
    everyone = getattr(default.permissions, permission) if overwritten is None else overwritten
    return Gate(
        open=everyone,
        by_role=frozenset(by_role - {default.id}) if overwritten is None else frozenset(),
        allowed=frozenset(roles[True] - bots),
        denied=frozenset(roles[False] - bots),
        members_allowed=frozenset(members[True] - {guild.me.id}),
        members_denied=frozenset(members[False] - {guild.me.id}),
    )


def audience_in(channel: object, channel_id: ChannelId, base_role: int | None) -> AudienceId:
    """Who can read a channel as it stands now; one of which nothing is known but its id is taken for restricted."""
    if isinstance(channel, discord.Thread | discord.abc.GuildChannel):
        layout = Layout(guild_id=GuildId(channel.guild.id), channels=(), base_role=base_role)
        return audience_of(gates_of(channel), layout)
    return EVERYONE if isinstance(channel, discord.DMChannel | discord.GroupChannel) else AudienceId(channel_id)


async def viewer_at(
    memory: MemoryManager,
    user_id: UserId,
    guild_id: GuildId,
    channel: object,
    channel_id: ChannelId,
    permissions: discord.Permissions,
    *,
    member: discord.abc.User | None = None,
    is_alone: bool = False,
) -> Viewer:
    """Who asks in a channel, and what may be told to those who read it there. Raises DatabaseUnavailable.

    `member` tells, with their roles, which restricted channels they can read themselves, and what they may do in the
    guild; `permissions` are those of the channel.
    """
    if guild_id == ALL_GUILDS:
        return Viewer(guild_id=ALL_GUILDS, user_id=user_id, is_alone=is_alone)
    audience = audience_in(channel, channel_id, await memory.guilds.base_role(guild_id))
    restricted = await memory.guilds.restricted(guild_id)
    return Viewer(
        guild_id=guild_id,
        user_id=user_id,
        audience=audience,
        audiences=await memory.guilds.audiences(guild_id, audience),
        readable=readable_by(member, restricted),
        is_alone=is_alone,
        **rights_of(member, channel_id, permissions),
    )


class Rights(TypedDict):
    """What somebody may do in a guild, and in the channel they ask in."""

    may_moderate: bool
    may_manage: bool
    moderated_channel: ChannelId | None


def rights_of(member: object, channel_id: ChannelId, permissions: discord.Permissions) -> Rights:
    """A member's rights over memory: those of their roles in the guild.

    A channel's overwrites are often the members' own to set, as the owners of a voice channel. They count for what
    was said in that channel alone.
    """
    everywhere = member.guild_permissions if isinstance(member, discord.Member) else discord.Permissions.none()
    return Rights(
        may_moderate=everywhere.manage_messages,
        may_manage=everywhere.manage_guild,
        moderated_channel=channel_id if permissions.manage_messages and not everywhere.manage_messages else None,
    )


def readable_by(
    member: discord.abc.User | None,
    restricted: Mapping[ChannelId, AudienceId],
    channels: Mapping[ChannelId, discord.abc.GuildChannel] | None = None,
) -> tuple[AudienceId, ...]:
    """The audiences of the restricted channels that a member can read now; one that is not known to them is not.

    `channels` are those of a guild that this process is not told of.
    """
    if not isinstance(member, discord.Member):
        return ()
    found = set()
    get = member.guild.get_channel_or_thread if channels is None else channels.get
    for channel_id, audience in restricted.items():
        channel = get(channel_id)
        if channel is not None and audience not in found and _may_read(channel, member):
            found.add(audience)
    return tuple(sorted(found))


def _may_read(channel: SomeChannel, member: discord.Member) -> bool:
    """Whether a member can read what was written in a channel; a private thread by those who are in it."""
    parent = channel.parent if isinstance(channel, discord.Thread) else channel
    if parent is None:
        return False
    rights = parent.permissions_for(member)
    if not (rights.view_channel and rights.read_message_history):
        return False
    if isinstance(channel, discord.Thread) and channel.is_private():
        return rights.manage_threads or any(one.id == member.id for one in channel.members)
    return not isinstance(channel, discord.VoiceChannel | discord.StageChannel) or rights.connect
