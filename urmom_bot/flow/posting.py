"""Posts what a server wants told without being asked: every Monday's recap, and birthdays."""

from __future__ import annotations

import logging
from contextlib import suppress
from dataclasses import replace
from datetime import datetime, timedelta

from memory import DatabaseUnavailable, MemoryManager, Mode, Viewer
from memory.ai import AIError
from memory.ai.shares import charged
from memory.records import GuildRules, Post, PostKind
from urmom_bot.flow.platform import ChatChannel, Guild, Platform, Refused, TryLater
from urmom_bot.languages import languages
from urmom_bot.markup import Markup
from urmom_bot.talk import Texts, language_of
from urmom_bot.talk.posts import birthday_text, recap_text

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
"""How long it rests after the model could not be asked."""


class Poster:
    """Posts each thing once, and deletes it when what it rests on is deleted, forgotten or edited."""

    def __init__(self, platform: Platform, memory: MemoryManager) -> None:
        self._platform = platform
        self._memory = memory
        self._rests_until: dict[int, datetime] = {}

    async def post_due(self) -> None:
        """Look after every guild of this process that wants posts. Trouble in one keeps no other waiting."""
        for guild in self._platform.guilds():
            rules = await self._memory.guilds.rules(guild.guild_id)
            channel = self._platform.channel(rules.post_channel) if rules.post_channel and guild.is_available else None
            if channel is None or channel.guild_id != guild.guild_id:
                continue
            try:
                await self._take_back(guild.guild_id)
                await self._look(guild, rules, channel)
            except (DatabaseUnavailable, TryLater):
                raise
            except Refused as refused:
                log.warning("guild %d: may not post in channel %d (%s)", guild.guild_id, channel.channel_id, refused)
            except Exception:
                log.exception("guild %d: could not post", guild.guild_id)

    async def _look(self, guild: Guild, rules: GuildRules, channel: ChatChannel) -> None:
        """Post what is due in a guild now, by its own clock."""
        now = self._memory.clock().astimezone(await self._memory.guilds.time_zone(guild.guild_id))
        texts = Texts(rules.language or language_of(guild.locale))
        monday = (now - timedelta(days=(now.weekday() - MONDAY) % 7)).replace(
            hour=FIRST_HOUR, minute=0, second=0, microsecond=0
        )
        if rules.recap and rules.mode is Mode.REMEMBER and monday <= now < monday + LATEST:
            await self._recap(guild.guild_id, channel, monday, now, texts)
        if rules.birthdays and FIRST_HOUR <= now.hour < LAST_HOUR:
            await self._wish(guild.guild_id, channel, now, texts)

    async def _recap(self, guild_id: int, channel: ChatChannel, due: datetime, now: datetime, texts: Texts) -> None:
        """Post the recap of the week before `due`; without a model, once that was waited for."""
        day, asks = due.date(), now < due + PATIENCE
        if now < self._rests_until.get(guild_id, now) or await self._memory.posts.is_made(
            guild_id, PostKind.RECAP, day
        ):
            return
        known = await self._memory.guilds.channels(guild_id)
        hidden = [channel_id for channel_id in known if self._platform.is_for_adults(guild_id, channel_id)]
        language = languages()[texts.language].name
        readers = await self._readers(channel)
        try:
            with charged(guild_id):
                recap = await self._memory.posts.recap(readers, day, language, hidden=hidden, asks=asks)
        except AIError as failed:
            log.info("guild %d: the recap waits for the model (%s)", guild_id, type(failed).__name__)
            self._rests_until[guild_id] = now + PAUSE
            return
        post = Post(
            guild_id=guild_id,
            kind=PostKind.RECAP,
            day=day,
            channel_id=channel.channel_id,
            source_ids=recap.source_ids,
            version=recap.version,
        )
        await self._say(post, recap_text(recap, guild_id, texts) if recap.lines or recap.quotes else None)

    async def _wish(self, guild_id: int, channel: ChatChannel, now: datetime, texts: Texts) -> None:
        """Wish those a happy birthday who told their day, all of them in one message."""
        day = now.date()
        if await self._memory.posts.is_made(guild_id, PostKind.BIRTHDAYS, day):
            return
        version = await self._memory.posts.version(guild_id)
        facts = await self._memory.posts.birthdays(await self._readers(channel), day)
        post = Post(
            guild_id=guild_id,
            kind=PostKind.BIRTHDAYS,
            day=day,
            channel_id=channel.channel_id,
            fact_ids=tuple(fact.fact_id for fact in facts),
            version=version,
        )
        await self._say(post, birthday_text([fact.user_id for fact in facts], texts) if facts else None)

    async def _readers(self, channel: ChatChannel) -> Viewer:
        """Those who read a channel."""
        guild_id = channel.guild_id
        audience = self._platform.audience(channel, await self._memory.guilds.base_role(guild_id))
        return await self._memory.guilds.public(guild_id, audience)

    async def _say(self, post: Post, text: Markup | None) -> None:
        """Post a text, unless that was done before. Where there is nothing to say, the day is done all the same.

        Recorded first: a process that ends in between leaves a day without its post, and never one with two.
        """
        if not await self._memory.posts.claim(post) or text is None:
            return
        try:
            sent = await self._platform.say(post.channel_id, text, nonce=f"{post.kind.value}{post.guild_id}")
        except TryLater:
            await self._memory.posts.release(post)
            raise
        for message_id in sent:
            await self._memory.messages.keep_off_record(post.guild_id, message_id)
        await self._memory.posts.set_messages(replace(post, message_ids=tuple(sent)))

    async def _take_back(self, guild_id: int) -> None:
        """Delete posts that rest on what is no more, and those that tell what was forgotten since."""
        posts = self._memory.posts
        for post in await posts.list_changed(guild_id):
            await self._delete(post)
        for post in await posts.list_unscreened(guild_id):
            found = [await self._platform.message(guild_id, post.channel_id, n) for n in post.message_ids]
            words = "\n".join(message.text for message in found if message is not None)
            if None in found or not await posts.may_stay(post, words):
                await self._delete(post)

    async def _delete(self, post: Post) -> None:
        with suppress(Refused):  # somebody deleted it already
            await self._platform.delete(post.channel_id, post.message_ids)
        await self._memory.posts.set_messages(replace(post, message_ids=()))
        log.info("guild %d: the post of %s is deleted with what it rested on", post.guild_id, post.day)
