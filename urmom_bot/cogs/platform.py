"""Discord's side of the flow's `Platform`."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import AsyncIterator, Collection, Iterator, Mapping, Sequence
from contextlib import AbstractAsyncContextManager, contextmanager, suppress
from dataclasses import replace
from datetime import UTC, datetime
from functools import partial
from time import monotonic

import aiohttp
import discord
from cachetools import TTLCache
from discord.ext import commands

from memory import EVERYONE, Member, MemoryManager, Viewer
from memory.ids import NO_CHANNEL, AudienceId, ChannelId, GuildId, MessageId, UserId
from memory.records import InboxItem
from memory.rules.audiences import Layout
from urmom_bot.attachments import Attachment
from urmom_bot.cogs.interactions import show, view_of
from urmom_bot.cogs.speech import NOBODY, answer, typing
from urmom_bot.cogs.translate import (
    MessageChannel,
    audience_in,
    channel_of,
    guild_of,
    incoming,
    is_for_adults,
    layout_of,
    member_of,
    readable,
    readable_by,
    rights_of,
    viewer_at,
)
from urmom_bot.flow.platform import ChatChannel, ChatMessage, Guild, Refused, Rows, TryLater, Visitor
from urmom_bot.markup import Markup
from urmom_bot.pace import Pace
from urmom_bot.panels import Form, Page
from urmom_bot.talk import Quoted, Request, Texts

log = logging.getLogger(__name__)

MAX_MISSED_DIRECT = 50
"""Direct messages of one person that are taken on after an absence."""

MAX_REACTORS = 5
"""Who reacted to a message, as far as it is looked for somebody who is no bot."""

CONNECTION_ERRORS = (discord.HTTPException, aiohttp.ClientError, OSError, TimeoutError)
"""What it raises when Discord cannot be reached, or refuses."""


@contextmanager
def translated() -> Iterator[None]:
    """Raise Refused and TryLater for what discord.py raises. A request of the wrong form stays an error of ours."""
    try:
        yield
    except (discord.NotFound, discord.Forbidden, discord.InvalidData) as refused:
        raise Refused(str(refused)) from refused
    except CONNECTION_ERRORS as failed:
        if isinstance(failed, discord.HTTPException) and failed.status < 500 and failed.status != 429:
            raise
        raise TryLater(type(failed).__name__) from failed


ELSEWHERE_LIFE = 30.0
"""Seconds for which the roles and channels of a guild on another process's shards are taken to be what they were."""


class DiscordPlatform:
    """Discord, as one process is connected to it. What can wait goes at `pace`."""

    def __init__(self, bot: commands.AutoShardedBot, memory: MemoryManager, pace: Pace) -> None:
        self._bot = bot
        self._memory = memory
        self._pace = pace
        self._elsewhere: TTLCache[int, tuple[discord.Guild, Mapping[ChannelId, discord.abc.GuildChannel]]] = TTLCache(
            1_000, ttl=ELSEWHERE_LIFE, timer=monotonic
        )

    # What is known without asking

    @property
    def user_id(self) -> UserId:
        """The bot's own id."""
        assert self._bot.user is not None
        return UserId(self._bot.user.id)

    @property
    def shard_count(self) -> int:
        """How many shards there are, in all processes."""
        return self._bot.shard_count or 1

    def shard_of(self, guild_id: GuildId) -> int:
        """The shard of a guild (Discord)."""
        return (guild_id >> 22) % self.shard_count

    def names(self, guild_id: GuildId) -> Collection[str]:
        """The bot's own name, and its name in a guild."""
        assert self._bot.user is not None
        guild = self._bot.get_guild(guild_id)
        own = (self._bot.user.display_name,)
        return own if guild is None or guild.me is None else (*own, guild.me.display_name)

    def guilds(self) -> Sequence[Guild]:
        """The guilds of this process's shards."""
        return [guild_of(guild) for guild in self._bot.guilds]

    def guild(self, guild_id: GuildId) -> Guild | None:
        """A guild that the bot is in."""
        guild = self._bot.get_guild(guild_id)
        return None if guild is None else guild_of(guild)

    def _available(self, guild_id: GuildId) -> discord.Guild | None:
        guild = self._bot.get_guild(guild_id)
        return None if guild is None or guild.unavailable else guild

    def channel_ids(self, guild_id: GuildId) -> frozenset[ChannelId] | None:
        """All channels and open threads of a guild; None while it is not available."""
        guild = self._available(guild_id)
        return (
            None if guild is None else frozenset(ChannelId(channel.id) for channel in (*guild.channels, *guild.threads))
        )

    def channels(self, guild_id: GuildId) -> Sequence[ChatChannel]:
        """The channels and open threads of a guild that the bot may read."""
        guild = self._available(guild_id)
        return [] if guild is None else [channel_of(channel) for channel in readable(guild)]

    def channel(self, channel_id: ChannelId) -> ChatChannel | None:
        """A channel or thread by its id, or None where it is not known or has no messages."""
        channel = self._bot.get_channel(channel_id)
        return channel_of(channel) if isinstance(channel, MessageChannel) else None

    def channel_of(self, message: ChatMessage) -> ChatChannel | None:
        """Where a message was written."""
        channel = message.raw.channel
        return channel_of(channel) if isinstance(channel, MessageChannel) else None

    def layout(self, guild_id: GuildId, base_role: int | None) -> Layout | None:
        """A guild's channels and who can read them; None while it is not available."""
        guild = self._available(guild_id)
        return None if guild is None else layout_of(guild, base_role)

    def audience(self, at: ChatMessage | ChatChannel, base_role: int | None) -> AudienceId:
        """Who can read where something was written, as it stands now."""
        channel = at.raw.channel if isinstance(at, ChatMessage) else at.raw
        return audience_in(channel, at.channel_id, base_role)

    def is_for_adults(self, guild_id: GuildId, channel_id: ChannelId) -> bool:
        """Whether a channel, or the parent of a thread, is age-restricted, as far as it is known.

        All channels of a guild that is not this process's are taken to be.
        """
        guild = self._bot.get_guild(guild_id)
        return guild is None or is_for_adults(guild.get_channel_or_thread(channel_id))

    # Reading

    def _incoming(self, message: discord.Message) -> ChatMessage:
        return incoming(message, self.user_id)

    async def message(self, guild_id: GuildId, channel_id: ChannelId, message_id: MessageId) -> ChatMessage | None:
        """A message as it is now; None where it is gone, or not to be read any more."""
        guild = self._bot.get_guild(guild_id)
        if guild is not None and guild.unavailable:
            raise TryLater("its guild is not there yet")  # nobody's rights can be told
        try:
            with translated():
                channel = self._bot.get_channel(channel_id) or await self._bot.fetch_channel(channel_id)
                if not isinstance(channel, discord.abc.Messageable):
                    return None
                return self._incoming(await channel.fetch_message(message_id))
        except Refused:
            return None

    async def files(self, guild_id: GuildId, channel_id: ChannelId, message_id: MessageId) -> Sequence[Attachment]:
        """What a message carries that memory may look at; nothing of one that is gone."""
        try:
            async with self._pace.within_limit():
                found = await self.message(guild_id, channel_id, message_id)
        except discord.HTTPException as failed:
            raise TryLater(type(failed).__name__) from failed
        return [file for file in found.files if file.file_id] if found is not None else []

    async def replied(self, message: ChatMessage) -> ChatMessage | None:
        """The message that one replies to; without it, "this" would mean something else."""
        if message.replied is not None or message.reply_to is None:
            return message.replied
        try:
            with translated():
                return self._incoming(await message.raw.channel.fetch_message(message.reply_to))
        except Refused:
            return None

    async def answers(self, message: ChatMessage, after: int, limit: int) -> Sequence[ChatMessage]:
        """The bot's own answers to a message, among the `limit` messages after an id."""
        history = message.raw.channel.history(after=discord.Object(after), limit=limit, oldest_first=True)
        try:
            with translated():
                found = [self._incoming(later) async for later in history]
        except Refused:
            return []
        return [m for m in found if m.author.user_id == self.user_id and m.reply_to == message.message_id]

    async def request(self, message: ChatMessage, text: str, language: str) -> Request:
        """What a message asks for, with who asks, and what they may do there."""
        replied = await self.replied(message)
        is_mine = replied is not None and replied.author.user_id == self.user_id
        quoted = None
        if replied is not None and not is_mine:
            quoted = Quoted(message_id=replied.message_id, author=replied.author, text=replied.transcript)
        files = message.files
        if quoted is not None and replied is not None:
            files += tuple(replace(file, by=quoted.author.display_name) for file in replied.files)
        channel, guild = message.raw.channel, message.raw.guild
        author = await self._member(message.raw)
        viewer = await viewer_at(
            self._memory,
            UserId(author.id),
            message.guild_id,
            channel,
            message.channel_id,
            permissions_in(channel, author),
            member=author,
        )
        return Request(
            viewer=viewer,
            speaker=member_of(author, message.guild_id),
            channel_id=message.channel_id,
            message_id=message.message_id,
            text=text,
            at=message.at.astimezone(UTC),
            mentioned=tuple(member for member in message.mentioned if member.user_id != self.user_id),
            quoted=quoted,
            files=files,
            replies_to_bot=is_mine,
            replied_id=replied.message_id if replied is not None else None,
            language=language,
            find=partial(_members, guild) if guild else None,
        )

    async def _member(self, message: discord.Message) -> discord.abc.User:
        """The author with their rights: a message read from the history comes without them."""
        if message.guild is None or isinstance(message.author, discord.Member):
            return message.author
        try:
            with translated():  # without rights, a moderator would be refused
                return await message.guild.fetch_member(message.author.id)
        except Refused:
            return message.author

    async def reactor(self, message: ChatMessage, emoji: str) -> UserId | None:
        """A person who put an emoji on a message."""
        reaction = next((one for one in message.raw.reactions if str(one.emoji) == emoji), None)
        if reaction is None:
            return None
        with translated():
            async with self._pace.within_limit():
                async for user in reaction.users(limit=MAX_REACTORS):
                    if not user.bot:
                        return UserId(user.id)
        return None

    async def page(self, channel: ChatChannel, before: int | None, limit: int) -> Sequence[ChatMessage]:
        """The newest messages of a channel, or those before one, newest first."""
        until = None if before is None else discord.Object(before)
        with translated():
            async with self._pace.within_limit():
                return [self._incoming(message) async for message in channel.raw.history(limit=limit, before=until)]

    async def direct(self, channel_id: ChannelId, after: int) -> Sequence[ChatMessage]:
        """The direct messages after one, oldest first."""
        with translated():
            async with self._pace.within_limit():
                channel = await self._bot.fetch_channel(channel_id)
            if not isinstance(channel, discord.DMChannel):
                return []
            async with self._pace.within_limit():
                history = channel.history(after=discord.Object(after), limit=MAX_MISSED_DIRECT)
                return [self._incoming(message) async for message in history]

    async def archived(self, guild_id: GuildId, since: datetime) -> AsyncIterator[Sequence[ChatChannel]]:
        """Threads that went to the archive since a moment, channel by channel."""
        guild = self._bot.get_guild(guild_id)
        parents: list[discord.TextChannel | discord.ForumChannel] = []
        if guild is not None:
            parents = [*guild.text_channels, *guild.forums]
        for parent in parents:
            allowed = parent.permissions_for(parent.guild.me)
            if not (allowed.view_channel and allowed.read_message_history):
                continue
            kinds = [parent.archived_threads(limit=None)]
            if isinstance(parent, discord.TextChannel) and allowed.manage_threads:
                kinds.append(parent.archived_threads(limit=None, private=True))
            for threads in kinds:
                found: list[ChatChannel] = []
                with suppress(Refused), translated():
                    async with self._pace.within_limit():
                        async for thread in threads:  # those that went there last come first
                            if thread.archive_timestamp <= since:
                                break
                            found.append(channel_of(thread))
                if found:
                    yield found

    async def has_channel(self, guild_id: GuildId, channel_id: ChannelId) -> bool:
        """Whether a channel or thread is there, archived or not; one that the bot may not see is taken to be."""
        try:
            async with self._pace.within_limit():
                await self._bot.fetch_channel(channel_id)
        except discord.NotFound:
            return False
        except (*CONNECTION_ERRORS, discord.InvalidData) as failed:
            raise TryLater(type(failed).__name__) from failed
        return True

    async def present(self, guild_id: GuildId, user_ids: Sequence[UserId]) -> frozenset[UserId]:
        """Who of some people is a member of a guild."""
        guild = self._bot.get_guild(guild_id)
        if guild is None:
            raise TryLater("the guild is not there")
        try:
            asked = guild.query_members(user_ids=list(user_ids), limit=len(user_ids), cache=False)
            return frozenset(UserId(member.id) for member in await asyncio.wait_for(asked, 10))
        except (OSError, discord.DiscordException) as failed:  # the connection may have been closed
            raise TryLater(type(failed).__name__) from failed

    # Saying

    def typing(self, message: ChatMessage) -> AbstractAsyncContextManager[None]:
        """Show that the bot is writing, as a courtesy: nothing waits or fails for it."""
        return typing(message.raw.channel)

    async def answer(
        self, message: ChatMessage, text: Markup, texts: Texts, *, kind: str = "", rows: Rows = ()
    ) -> list[MessageId]:
        """Answer a message, with buttons below; the ids of what was sent. discord.py tries it again a few times."""
        with translated():
            return await answer(message.raw, text, texts, kind=kind, view=view_of(rows) if rows else None)

    async def say(self, channel_id: ChannelId, text: Markup, *, nonce: str) -> list[MessageId]:
        """Say something in a channel, once for each nonce; the ids of what was sent."""
        channel = self._bot.get_channel(channel_id)
        if not isinstance(channel, discord.abc.Messageable):
            raise Refused("the channel is not known")
        with translated():
            return [MessageId((await channel.send(text, allowed_mentions=NOBODY, nonce=nonce)).id)]

    async def delete(self, channel_id: ChannelId, message_ids: Collection[MessageId]) -> None:
        """Delete messages of the bot's own."""
        channel = self._bot.get_channel(channel_id)
        if not isinstance(channel, discord.TextChannel | discord.Thread | discord.VoiceChannel | discord.StageChannel):
            raise Refused("the channel is not known")
        for message_id in message_ids:
            with translated(), suppress(discord.NotFound):  # somebody deleted it already
                await channel.get_partial_message(message_id).delete()

    # Pressing

    async def presser(self, entry: InboxItem, press: object | None, *, is_alone: bool) -> Request | None:
        """Who pressed, with the rights that they have now; None where they are gone."""
        payload = entry.payload or {}
        fresh = press if isinstance(press, discord.Interaction) else None
        user = await self._user(entry) if fresh is None else fresh.user
        if user is None:
            return None
        channel = self._bot.get_channel(entry.channel_id) if fresh is None else fresh.channel
        permissions = permissions_in(channel, user) if fresh is None else fresh.permissions
        viewer = await viewer_at(
            self._memory,
            entry.user_id,
            entry.guild_id,
            channel,
            entry.channel_id,
            permissions,
            member=user,
            is_alone=is_alone,
        )
        return Request(
            viewer=viewer,
            speaker=member_of(user, viewer.guild_id),
            channel_id=entry.channel_id,
            message_id=entry.trigger_id,
            text="",
            at=entry.at,
            language=payload["language"],
            guild_names={GuildId(guild.id): guild.name for guild in self._bot.guilds},
        )

    async def _user(self, entry: InboxItem) -> discord.User | discord.Member | None:
        guild = self._bot.get_guild(entry.guild_id)
        if guild is not None and guild.unavailable:
            raise TryLater("its guild is not there yet")
        try:
            with translated():
                return await (guild.fetch_member(entry.user_id) if guild else self._bot.fetch_user(entry.user_id))
        except Refused:
            return None

    async def visitor(self, guild_id: GuildId, user_id: UserId) -> Visitor | None:
        """A member as they are now, asked of Discord: the bot is not told of their roles."""
        guild = self._bot.get_guild(guild_id)
        if guild is not None and guild.unavailable:
            raise TryLater("its guild is not there yet")
        channels: Mapping[ChannelId, discord.abc.GuildChannel] | None = None
        try:
            with translated():
                if guild is None:
                    guild, channels = await self._guild_elsewhere(guild_id)
                member = await guild.fetch_member(user_id)
        except Refused:
            return None
        viewer = Viewer(
            guild_id=guild_id,
            user_id=user_id,
            audiences=await self._memory.guilds.audiences(guild_id, EVERYONE),
            readable=readable_by(member, await self._memory.guilds.restricted(guild_id), channels),
            is_alone=True,
            **rights_of(member, NO_CHANNEL, discord.Permissions.none()),
        )
        return Visitor(viewer=viewer, member=member_of(member, guild_id), guild_name=guild.name)

    async def _guild_elsewhere(
        self, guild_id: GuildId
    ) -> tuple[discord.Guild, Mapping[ChannelId, discord.abc.GuildChannel]]:
        """A guild on another process's shards, with its channels, as Discord tells when it is asked.

        Threads are not among them: what is said in a private one is shown where its guild is known.
        """
        if (known := self._elsewhere.get(guild_id)) is None:
            guild = await self._bot.fetch_guild(guild_id, with_counts=False)
            known = guild, {ChannelId(channel.id): channel for channel in await guild.fetch_channels()}
            self._elsewhere[guild_id] = known
        return known

    async def show(self, entry: InboxItem, press: object | None, shown: Page | Form) -> list[MessageId]:
        """Answer a press; the ids of what was sent. Discord takes an answer for fifteen minutes, of any process."""
        try:
            if isinstance(press, discord.Interaction):
                return await show(press, shown)
            return [MessageId((await self._follow_up(entry, shown)).id)]
        except CONNECTION_ERRORS as failed:
            raise Refused(type(failed).__name__) from failed

    async def _follow_up(self, entry: InboxItem, shown: Page | Form) -> discord.WebhookMessage:
        assert entry.payload is not None
        data = {"id": entry.payload["application"], "type": 3, "token": entry.payload["token"]}
        webhook = discord.Webhook.from_state(data=data, state=self._bot._connection)  # type: ignore[arg-type]
        text = shown.text if isinstance(shown, Page) else shown.title
        is_public = isinstance(shown, Page) and shown.is_public
        return await webhook.send(text[:2_000], wait=True, ephemeral=not is_public, allowed_mentions=NOBODY)

    async def greet(self, guild_id: GuildId, text: Markup, rows: Rows) -> None:
        """Say something in a guild's system channel, or the first where the bot may write."""
        guild = self._bot.get_guild(guild_id)
        for channel in [] if guild is None else [guild.system_channel, *guild.text_channels]:
            if channel is not None and channel.permissions_for(channel.guild.me).send_messages:
                with suppress(discord.HTTPException):
                    await channel.send(text, view=view_of(rows), allowed_mentions=NOBODY)
                    return


def permissions_in(channel: object, user: discord.abc.User) -> discord.Permissions:
    """What somebody may do in a channel of a guild."""
    if isinstance(user, discord.Member) and isinstance(channel, discord.abc.GuildChannel | discord.Thread):
        return channel.permissions_for(user)
    return discord.Permissions.none()


async def _members(guild: discord.Guild, name: str) -> Sequence[Member]:
    """Members whose name starts so, asked of Discord: the bot is not told who is there, only who writes."""
    try:
        found = await asyncio.wait_for(guild.query_members(query=name[:32], limit=5, cache=False), 3)
    except (TimeoutError, discord.DiscordException) as failed:
        log.info("members of guild %d could not be looked for (%s)", guild.id, type(failed).__name__)
        return []
    return [member_of(user, GuildId(guild.id)) for user in found if not user.bot]
