"""What the bot posts by itself, where a server wants it."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from datetime import date, datetime, timedelta

from memory.core import Core
from memory.ids import ChannelId, GuildId
from memory.levels.quoting import Quoting
from memory.permissions import Viewer, may_administer, require
from memory.recaps import Recaps
from memory.records import EVERYONE, Fact, Post, PostKind, Recap
from memory.rules.calendar import bounds
from memory.rules.dates import birthday_in
from memory.rules.text import mentioned

WATCHED = timedelta(days=14)
"""How long after it was made a post is deleted when what it rests on goes."""


@dataclass(frozen=True)
class PostService:
    """Recaps and birthdays. Methods may raise DatabaseUnavailable."""

    _core: Core
    _recaps: Recaps

    async def recap(
        self, readers: Viewer, day: date, language: str, *, hidden: Collection[ChannelId], asks: bool = True
    ) -> Recap:
        """Make the recap of the seven days before `day`, without what was said in the channels `hidden`.

        `language` is the name of the language to write in. Where it `asks` no model, it has the notes as they are.
        Raises AIError.
        """
        until, _ = bounds(day, await self._core.guilds.zone(readers.guild_id))
        return await self._recaps.make(readers.guild_id, readers.audiences, until, language, hidden=hidden, asks=asks)

    async def preview(
        self, viewer: Viewer, language: str, *, hidden: Collection[ChannelId], asks: bool = True
    ) -> Recap:
        """Make the recap of the last seven days, as it would be now. Raises NotAllowed and AIError."""
        require(may_administer(viewer))
        now: datetime = self._core.clock()
        everyone = await self._core.guilds.audible_in(viewer.guild_id, EVERYONE)  # whoever asks, and wherever
        return await self._recaps.make(viewer.guild_id, everyone, now, language, hidden=hidden, asks=asks)

    async def birthdays(self, readers: Viewer, day: date) -> Sequence[Fact]:
        """List the facts in which members told themselves that their birthday is on this day.

        Of members who are there, and who let everything be remembered. Who was born on 29 February has their day on
        28 February in other years.
        """
        days = {(day.month, day.day)}
        if (day.month, day.day) == (2, 28) and (day + timedelta(days=1)).day == 1:
            days.add((2, 29))
        guild_id = readers.guild_id
        told = await self._core.store.facts.own_words(guild_id, "birthday", readers.audiences)
        members = await self._core.store.people.members(guild_id, {fact.user_id for fact in told})
        names = {user_id: member.names for user_id, member in members.items()}
        due = [fact for fact in told if birthday_in(fact.value, names.get(fact.user_id, ())) in days]
        silent = await self._core.suppressions.silent(guild_id)
        there = {user_id for user_id, member in members.items() if member.left_at is None} - silent
        return list({fact.user_id: fact for fact in due if fact.user_id in there}.values())

    async def version(self, guild_id: GuildId) -> str:
        """Get the version of what was forgotten and chosen in a guild."""
        return (await self._core.store.consents.policy(guild_id)).version

    async def claim(self, post: Post) -> bool:
        """Record that a post is made now. Return whether it was not made before."""
        return await self._core.store.posts.claim(post)

    async def release(self, post: Post) -> None:
        """Take a claim back: the post could not be made."""
        await self._core.store.posts.release(post)

    async def is_made(self, guild_id: GuildId, kind: PostKind, day: date) -> bool:
        """Whether the post of a day was made."""
        return await self._core.store.posts.is_claimed(guild_id, kind, day)

    async def set_messages(self, post: Post) -> None:
        """Record the messages that a post consists of: it is done. None where there was nothing to say, and once they
        are deleted."""
        await self._core.store.posts.set_messages(post)

    async def guilds_with(self, guild_ids: Collection[GuildId]) -> set[GuildId]:
        """List those of some guilds that have posts which may have to be deleted or sent."""
        return await self._core.store.posts.guilds(guild_ids, self._core.clock() - WATCHED)

    async def list_unfinished(self, guild_id: GuildId) -> Sequence[Post]:
        """List the posts of the last day of which it is not known whether they were sent."""
        return await self._core.store.posts.unfinished(guild_id, self._core.clock() - timedelta(days=1))

    async def list_doubtful(self, guild_id: GuildId) -> Sequence[tuple[Post, bool]]:
        """List the posts that may have to be deleted, each with whether it must be.

        It must be if what it rests on was deleted, edited or hidden. Of the others, their words tell: something was
        forgotten since they were checked, or somebody chose what is kept of them.
        """
        standing = await self._core.store.posts.standing(guild_id, self._core.clock() - WATCHED)
        version = await self.version(guild_id) if standing else ""
        return [(post, is_changed) for post, is_changed in standing if is_changed or post.version != version]

    async def may_stay(self, post: Post, text: str) -> bool:
        """Whether a post with the words `text` tells nothing that was forgotten, and is about nobody who limits what is
        remembered of them.

        If it may stay, it counts as checked until something else is forgotten or chosen.
        """
        version = await self.version(post.guild_id)
        quoting = await Quoting.load(self._core, post.guild_id, {})
        for line in text.split("\n"):
            people = set(mentioned(line))
            if quoting.screen.forbids(line, people) or quoting.names_silent(line, people):
                return False
        await self._core.store.posts.set_version(post, version)
        return True
