"""Posts what a server wants told without being asked: every Monday's recap, and birthdays."""

from __future__ import annotations

import logging
import random
from collections.abc import Sequence
from dataclasses import replace
from datetime import date, datetime, timedelta

from memory import DatabaseUnavailable, MemoryManager, Mode, Viewer
from memory.ai import AIError
from memory.ai.shares import charged
from memory.ids import GuildId, MessageId
from memory.records import GuildRules, Post, PostKind
from urmom_bot.flow.platform import ChatChannel, Guild, Platform, Refused, TryLater
from urmom_bot.languages import languages
from urmom_bot.markup import Markup
from urmom_bot.talk import Texts, language_of
from urmom_bot.talk.posts import birthday_text, hidden_channels, post_title, recap_text

log = logging.getLogger(__name__)

POSTING_INTERVAL = 600.0
"""Seconds between two looks whether something is to be posted."""

FIRST_HOUR = 9
"""The hour of the server's day from which the bot posts."""

LAST_HOUR = 21
"""The hour after which it wishes nobody a happy birthday."""

MONDAY = 0

LATEST = timedelta(hours=24)
"""How long after its hour a recap is posted, where the bot was away."""

PATIENCE = timedelta(hours=6)
"""How long a recap waits for the model. After that, the notes are posted as they are."""

PAUSE = timedelta(hours=1)
"""How long it rests after the model could not be asked, or the bot may not write."""

LOOKED_THROUGH = 50
"""Messages of a channel that are looked through for a post of which it is not known whether it was sent."""

SKEW = timedelta(minutes=5)
"""How far the clocks of this machine and of the platform may differ."""


class Poster:
    """Posts each thing once, and deletes it when what it rests on is deleted, forgotten or edited."""

    def __init__(self, platform: Platform, memory: MemoryManager) -> None:
        self._platform = platform
        self._memory = memory
        self._rests_until: dict[GuildId, datetime] = {}
        self._unsent: dict[tuple[GuildId, PostKind, date], Markup] = {}
        """Texts that the platform may not have taken."""

    async def post_due(self) -> None:
        """Look after every guild of this process. Trouble in one keeps no other waiting but for an outage."""
        guilds = [guild for guild in self._platform.guilds() if guild.is_available]
        random.shuffle(guilds)
        with_posts = await self._memory.posts.guilds_with([guild.guild_id for guild in guilds])
        for guild in guilds:
            try:
                if guild.guild_id in with_posts:
                    await self._take_back(guild.guild_id)
                    await self._finish(guild)
                await self._look(guild)
            except (DatabaseUnavailable, TryLater):
                raise
            except Exception:
                log.exception("guild %d: could not post", guild.guild_id)

    async def _look(self, guild: Guild) -> None:
        """Post what is due in a guild now, by its own clock."""
        rules = await self._memory.guilds.rules(guild.guild_id)
        channel = self._platform.channel(rules.post_channel) if rules.post_channel else None
        if channel is None or channel.guild_id != guild.guild_id:
            return
        clock = self._memory.clock()
        now = clock.astimezone(await self._memory.guilds.time_zone(guild.guild_id))
        if clock < self._rests_until.get(guild.guild_id, clock):
            return
        monday = (now - timedelta(days=(now.weekday() - MONDAY) % 7)).replace(
            hour=FIRST_HOUR, minute=0, second=0, microsecond=0
        )
        if rules.recap and rules.mode is Mode.REMEMBER and monday <= now < monday + LATEST:
            await self._recap(channel, monday, now, self._texts(guild, rules))
        if rules.birthdays and FIRST_HOUR <= now.hour < LAST_HOUR:
            await self._wish(channel, now, self._texts(guild, rules))

    def _texts(self, guild: Guild, rules: GuildRules) -> Texts:
        return Texts(rules.language or language_of(guild.locale))

    async def _recap(self, channel: ChatChannel, due: datetime, now: datetime, texts: Texts) -> None:
        """Post the recap of the week before `due`; without a model, once that was waited for."""
        guild_id, day, asks = channel.guild_id, due.date(), now < due + PATIENCE
        if await self._memory.posts.is_made(guild_id, PostKind.RECAP, day):
            return
        hidden = hidden_channels(await self._memory.guilds.channels(guild_id), self._platform.is_for_adults)
        language = languages()[texts.language].name
        readers, began = await self._readers(channel), self._memory.clock()
        try:
            with charged(guild_id):
                recap = await self._memory.posts.recap(readers, day, language, hidden=hidden, asks=asks)
        except AIError as failed:
            log.info("guild %d: the recap waits for the model (%s)", guild_id, type(failed).__name__)
            self._rest(guild_id)
            return
        post = Post(
            guild_id=guild_id,
            kind=PostKind.RECAP,
            day=day,
            channel_id=channel.channel_id,
            posted_at=began,
            source_ids=recap.source_ids,
            version=recap.version,
        )
        await self._post(post, recap_text(recap, guild_id, texts) if recap.lines or recap.quotes else None)

    async def _wish(self, channel: ChatChannel, now: datetime, texts: Texts) -> None:
        """Wish those a happy birthday who told their day, all of them in one message."""
        guild_id, day, began = channel.guild_id, now.date(), self._memory.clock()
        if await self._memory.posts.is_made(guild_id, PostKind.BIRTHDAYS, day):
            return
        version = await self._memory.posts.version(guild_id)
        facts = await self._memory.posts.birthdays(await self._readers(channel), day)
        post = Post(
            guild_id=guild_id,
            kind=PostKind.BIRTHDAYS,
            day=day,
            channel_id=channel.channel_id,
            posted_at=began,
            fact_ids=tuple(fact.fact_id for fact in facts),
            version=version,
        )
        await self._post(post, birthday_text([fact.user_id for fact in facts], texts) if facts else None)

    async def _readers(self, channel: ChatChannel) -> Viewer:
        """Those who read a channel."""
        audience = self._platform.audience(channel, await self._memory.guilds.base_role(channel.guild_id))
        return await self._memory.guilds.public(channel.guild_id, audience)

    def _rest(self, guild_id: GuildId) -> None:
        self._rests_until[guild_id] = self._memory.clock() + PAUSE

    async def _post(self, post: Post, text: Markup | None) -> None:
        """Post a text, unless that was done before. Where there is nothing to say, the day is done all the same.

        It is recorded first. Whether it was sent is found out later, where that is not known.
        """
        if not await self._memory.posts.claim(post):
            return
        if text is None:
            await self._memory.posts.set_messages(post)
            return
        self._unsent[_key(post)] = text
        await self._send(post, text)

    async def _send(self, post: Post, text: Markup) -> None:
        nonce = f"{post.kind.value[0]}{post.guild_id}{post.day:%j}"
        try:
            sent = await self._platform.say(post.channel_id, text, nonce=nonce)
        except Refused as refused:
            log.warning("guild %d: may not post in channel %d (%s)", post.guild_id, post.channel_id, refused)
            self._unsent.pop(_key(post), None)
            await self._memory.posts.release(post)
            self._rest(post.guild_id)
            return
        await self._sent(post, sent)

    async def _sent(self, post: Post, message_ids: Sequence[MessageId]) -> None:
        await self._memory.posts.set_messages(replace(post, message_ids=tuple(message_ids)))
        for message_id in message_ids:
            await self._memory.messages.keep_off_record(post.guild_id, message_id)
        self._unsent.pop(_key(post), None)

    async def _finish(self, guild: Guild) -> None:
        """Find out whether posts were sent of which that is not known, and send those that were not."""
        for post in await self._memory.posts.list_unfinished(guild.guild_id):
            channel = self._platform.channel(post.channel_id)
            page = await self._platform.page(channel, None, LOOKED_THROUGH) if channel is not None else ()
            texts = self._texts(guild, await self._memory.guilds.rules(guild.guild_id))
            own = [m for m in page if m.author.user_id == self._platform.user_id and m.at >= post.posted_at - SKEW]
            found = [m.message_id for m in own if m.text.startswith(post_title(post.kind, post.day, texts))]
            if found:
                await self._sent(post, found[:1])
            elif (text := self._unsent.get(_key(post))) is not None:
                await self._send(post, text)
            else:
                await self._memory.posts.release(post)

    async def _take_back(self, guild_id: GuildId) -> None:
        """Delete posts that rest on what is no more, and those that tell what was forgotten since."""
        posts = self._memory.posts
        for post, must_go in await posts.list_doubtful(guild_id):
            if not must_go:
                found = [await self._platform.message(guild_id, post.channel_id, n) for n in post.message_ids]
                words = "\n".join(message.text for message in found if message is not None)
                must_go = None in found or not await posts.may_stay(post, words)
            if must_go:
                await self._delete(post)

    async def _delete(self, post: Post) -> None:
        """Delete a post; where that is refused, it is tried again the next time."""
        try:
            await self._platform.delete(post.channel_id, post.message_ids)
        except Refused as refused:
            log.warning("guild %d: could not delete the post of %s (%s)", post.guild_id, post.day, refused)
            return
        await self._memory.posts.set_messages(replace(post, message_ids=()))
        log.info("guild %d: the post of %s is deleted with what it rested on", post.guild_id, post.day)


def _key(post: Post) -> tuple[GuildId, PostKind, date]:
    return post.guild_id, post.kind, post.day
