"""Replies: what memory contributes to an answer, and the record of what each answer was given."""

from __future__ import annotations

import time
from collections.abc import Collection, Mapping
from dataclasses import dataclass, replace
from datetime import date
from functools import cached_property

from cachetools import LRUCache

from memory.core import Core
from memory.generations import Cached
from memory.ids import AudienceId, GuildId, MessageId, UserId
from memory.levels.context import Contexts
from memory.missed import Absences
from memory.permissions import Viewer, may_hear
from memory.recall import Recall
from memory.records import Context, Given, GivenMember, InboxItem, Making, Missed, Query, Recalled, Spent
from memory.rules.calendar import bounds, day_of, window
from memory.services.messages import MessageService
from memory.validity import MAX_CLOCK_SKEW

CACHED_CONTEXTS = 20_000
"""Contexts that are kept as they were given, to be given again."""

ABSENCE_WAIT = 10.0
"""Seconds that somebody who asks what they missed waits for what is new to be read."""


@dataclass(frozen=True)
class ReplyService:
    """What answers are based on. Methods may raise DatabaseUnavailable."""

    _core: Core
    _contexts: Contexts
    _recall: Recall
    _absences: Absences
    _messages: MessageService
    wait: float
    """Seconds a reply waits, in all, for everything before its own AI call."""

    @cached_property
    def _ready(self) -> Cached[Context]:
        return self._core.generations.cache(LRUCache(CACHED_CONTEXTS))

    async def contexts(
        self, viewer: Viewer, user_ids: Collection[UserId], *, wait: float | None = None
    ) -> dict[UserId, Context]:
        """Build the contexts of a conversation's participants together, with their parts and their cost."""
        began, guild_id, now = time.perf_counter(), viewer.guild_id, self._core.clock()
        found: dict[UserId, Context] = {}
        for user_id in user_ids:
            known = self._ready.get(guild_id, viewer.audience, user_id)
            if known is not None and known.good_until is not None and now < known.good_until:
                found[user_id] = known
        if missing := [user_id for user_id in user_ids if user_id not in found]:
            generation = self._core.generations.current(guild_id)
            within = self.wait if wait is None else wait
            made = await self._contexts.get(guild_id, missing, viewer.audience, wait=within)
            found |= await self._core.naming.contexts(guild_id, made)
            for user_id in made:
                if found[user_id].good_until is not None:
                    ready = replace(found[user_id], spent=Spent())
                    self._ready.save_if_current(generation, ready, guild_id, viewer.audience, user_id)
        self._core.observer.contexts_built(
            [context.fallback for context in found.values()], time.perf_counter() - began
        )
        return {user_id: found[user_id] for user_id in user_ids}

    async def activity(self, viewer: Viewer, user_id: UserId) -> dict[date, int]:
        """Count a member's messages that the viewer may be shown, for each day of the window and today."""
        now, tz = self._core.clock(), await self._core.guilds.zone(viewer.guild_id)
        today = day_of(now, tz)
        days = [*window(today), today]
        spans = [bounds(day, tz) for day in days]
        found = await self._core.store.messages.activity(viewer.guild_id, viewer.shown_audiences, user_id, spans)
        return {days[span]: count for span, count in sorted(found.items())}

    def given_by(self, viewer: Viewer, contexts: Mapping[UserId, Context]) -> Given:
        """Record that an answer was given some contexts, and how many facts were withheld from the viewer."""
        return Given(
            members={
                user_id: GivenMember.of_context(
                    context, sum(not may_hear(viewer, audience) for audience in context.left_out)
                )
                for user_id, context in contexts.items()
            }
        )

    async def recall(self, viewer: Viewer, query: Query, *, limit: int = 50) -> Recalled:
        """Find the messages, notes and facts that best answer a question, among those the viewer may be shown."""
        return await self._recall.find(viewer, query, await self._core.guilds.zone(viewer.guild_id), limit=limit)

    async def without_forgotten(
        self, viewer: Viewer, answer: str, *, request: str, before: Collection[str] = ()
    ) -> str:
        """Remove what people asked the bot to forget from a model's answer. Empty if nothing of it may be said.

        The answer is about the asker, about everyone whom the `request` or the talk `before` names, and each sentence
        about those it names. What askers say about themselves in the request may be repeated to them.
        """
        screen = await self._core.suppressions.screen(viewer.guild_id)
        if not screen:
            return answer
        asker = {viewer.user_id}
        subjects = screen.subjects(" ".join((request, *before)), asker)
        if screen.suppressed.tells(request, asker):
            subjects -= asker
        return screen.without(answer, subjects)

    async def missed(self, viewer: Viewer, *, before_id: MessageId) -> Missed:
        """What the viewer missed between their last message and `before_id`."""
        tz = await self._core.guilds.zone(viewer.guild_id)
        found = await self._absences.summary_since_last_message(viewer, before_id=before_id, tz=tz, wait=ABSENCE_WAIT)
        naming, screen = self._core.naming, await self._core.suppressions.screen(viewer.guild_id)
        return replace(
            found,
            to_me=tuple(m for m in found.to_me if not screen.forbids(m.text, {m.user_id, *m.addressees})),
            mine=tuple(await naming.notes_with_names(viewer.guild_id, found.mine)),
            news=tuple(await naming.notes_with_names(viewer.guild_id, found.news)),
        )

    async def record(
        self, entry: InboxItem, reply_ids: Collection[MessageId], given: Given, making: Making | None
    ) -> None:
        """Record what the reply to an item was given. If any of that changed meanwhile, the reply's text is deleted.

        Without `making`, the reply was given what was stored when it was sent.
        """
        now = self._core.clock()
        since = (making.at if making is not None else now) - MAX_CLOCK_SKEW
        left = await self._core.store.replies.record(entry, reply_ids, given, now, since=since)
        if making is not None and not left.is_whole:
            for reply_id in reply_ids:
                await self._messages.keep_off_record(entry.guild_id, reply_id)

    async def is_valid(self, entry: InboxItem, given: Given, making: Making) -> bool:
        """Whether an answer that could not be sent may still be sent: nothing it was given has changed."""
        channel_id = entry.channel_id
        return await self._contexts.validity.is_valid(
            entry.guild_id, making, given, audience=AudienceId(channel_id), channel_id=channel_id
        )

    async def given(self, viewer: Viewer, reply_id: MessageId) -> Given | None:
        """Get what one of the bot's replies was given. None if it is no longer known, or the viewer may not be shown
        it."""
        found = await self._core.store.replies.of_reply(viewer.guild_id, reply_id)
        if found is None:
            return None
        given, channel_id, audience = found
        if audience is None:  # its message is gone: who reads its channel now
            channel = (await self._core.guilds.channels(viewer.guild_id)).get(channel_id)
            audience = channel.audience if channel is not None else None
        return given if audience is not None and may_hear(viewer, audience) else None

    def begin(self, guild_id: GuildId) -> Making:
        """Start making a reply."""
        return self._contexts.validity.begin(guild_id)
