"""Replies: what one is given of memory, that it is made once, and the record of what it was given."""

from __future__ import annotations

import time
from collections.abc import Callable, Collection, Mapping
from dataclasses import replace
from datetime import date, datetime

from cachetools import LRUCache

from memory.generations import Cached, Generations
from memory.guilds import Guilds
from memory.levels.context import Contexts
from memory.missed import Absences
from memory.naming import Naming
from memory.observer import Observer
from memory.permissions import Viewer, may_hear
from memory.recall import Recall
from memory.records import Context, Given, GivenMember, InboxEntry, Making, Missed, Query, Recalled, Spent
from memory.rules.calendar import bounds, day_of, window
from memory.services.messages import MessageService
from memory.store import Store
from memory.suppressions import Suppressions
from memory.validity import Validity

READY = 20_000
"""Contexts that are kept as they were given, to be given again."""

MISSED_WAIT = 10.0
"""Seconds that somebody who asks what they missed waits for what is new to be read."""


class ReplyService:
    """What answers rest on. Raises DatabaseUnavailable."""

    def __init__(
        self,
        store: Store,
        contexts: Contexts,
        recall: Recall,
        absences: Absences,
        messages: MessageService,
        naming: Naming,
        generations: Generations,
        guilds: Guilds,
        suppressions: Suppressions,
        validity: Validity,
        clock: Callable[[], datetime],
        *,
        wait: float,
        observer: Observer,
    ) -> None:
        self._store = store
        self._suppressions = suppressions
        self._validity = validity
        self._observer = observer
        self._contexts = contexts
        self._recall = recall
        self._absences = absences
        self._messages = messages
        self._naming = naming
        self._generations = generations
        self._guilds = guilds
        self._clock = clock
        self._ready: Cached[Context] = generations.cache(LRUCache(READY))
        self.wait = wait
        """Seconds a reply waits, in all, for everything before its own AI call."""

    async def contexts(
        self, viewer: Viewer, user_ids: Collection[int], *, wait: float | None = None
    ) -> dict[int, Context]:
        """The contexts of a conversation's participants, built together, with their parts and their cost."""
        began, guild_id, now = time.perf_counter(), viewer.guild_id, self._clock()
        found: dict[int, Context] = {}
        for user_id in user_ids:
            known = self._ready.get(guild_id, viewer.audience, user_id)
            if known is not None and known.good_until is not None and now < known.good_until:
                found[user_id] = known
        if missing := [user_id for user_id in user_ids if user_id not in found]:
            generation = self._generations.of(guild_id)
            made = await self._contexts.get(guild_id, missing, viewer.audience, wait=wait)
            found |= await self._naming.contexts(guild_id, made)
            for user_id in made:
                if found[user_id].good_until is not None:
                    ready = replace(found[user_id], spent=Spent())
                    self._ready.put(generation, ready, guild_id, viewer.audience, user_id)
        self._observer.contexts_built([context.fallback for context in found.values()], time.perf_counter() - began)
        return {user_id: found[user_id] for user_id in user_ids}

    async def activity(self, viewer: Viewer, user_id: int) -> dict[date, int]:
        """The number of a member's messages that the viewer may hear, on each day of the window and today."""
        now, tz = self._clock(), await self._guilds.zone(viewer.guild_id)
        today = day_of(now, tz)
        days = [*window(today), today]
        spans = [bounds(day, tz) for day in days]
        found = await self._store.messages.activity(viewer.guild_id, viewer.audiences, user_id, spans)
        return {days[span]: count for span, count in sorted(found.items())}

    async def given_by(self, viewer: Viewer, contexts: Mapping[int, Context]) -> Given:
        """The record that an answer was given some contexts, with how many facts were kept back from the viewer."""
        every = await self._store.facts.live(viewer.guild_id, list(contexts), None)
        return Given(
            members={
                user_id: GivenMember.of_context(
                    context, sum(not may_hear(viewer, fact.audience) for fact in every.get(user_id, ()))
                )
                for user_id, context in contexts.items()
            }
        )

    async def recall(self, viewer: Viewer, query: Query, *, limit: int = 50) -> Recalled:
        """What was written, noted and told that best answers a question, of what the viewer may hear."""
        return await self._recall.find(viewer, query, await self._guilds.zone(viewer.guild_id), limit=limit)

    async def without_forgotten(
        self, viewer: Viewer, answer: str, *, request: str, before: Collection[str] = ()
    ) -> str:
        """A model's answer without what was forgotten of whom it is about; empty where nothing of it may be told.

        It is about the asker and whoever the `request` and the talk `before` name, and each sentence about whom it
        names itself. What the asker says of themselves in the request, they may be answered.
        """
        screen = await self._suppressions.screen(viewer.guild_id)
        if not screen:
            return answer
        asker = {viewer.user_id}
        subjects = screen.subjects(" ".join((request, *before)), asker)
        if screen.suppressed.tells(request, asker):
            subjects -= asker
        return screen.without(answer, subjects)

    async def missed(self, viewer: Viewer, *, before_id: int) -> Missed:
        """What the viewer missed since they last wrote before a message."""
        tz = await self._guilds.zone(viewer.guild_id)
        found = await self._absences.of(viewer, before_id=before_id, tz=tz, wait=MISSED_WAIT)
        return replace(found, notes=tuple(await self._naming.notes(viewer.guild_id, found.notes)))

    async def record(self, entry: InboxEntry, reply_ids: Collection[int], given: Given, making: Making | None) -> None:
        """Record what the reply to an entry was given; its words go off the record where any of that changed meanwhile.

        Without a `making`, it was given what was there as it was sent.
        """
        guild_id, channel_id = entry.guild_id, entry.channel_id
        await self._store.replies.record(entry, reply_ids, given, self._clock())
        if making is not None and not await self._validity.is_valid(
            guild_id, making, given, audience=channel_id, channel_id=channel_id
        ):
            for reply_id in reply_ids:
                await self._messages.keep_off_record(guild_id, reply_id)

    async def is_valid(self, entry: InboxEntry, given: Given, making: Making) -> bool:
        """Whether an answer that could not be sent may be sent still: nothing that it was given changed."""
        channel_id = entry.channel_id
        return await self._validity.is_valid(entry.guild_id, making, given, audience=channel_id, channel_id=channel_id)

    async def given(self, viewer: Viewer, reply_id: int) -> Given | None:
        """What one of the bot's replies was given; None where it is not known any more, or not for the viewer."""
        found = await self._store.replies.of_reply(viewer.guild_id, reply_id)
        message = await self._store.messages.get(viewer.guild_id, reply_id)
        if message is not None and not may_hear(viewer, message.audience):
            return None
        return found

    def begin(self, guild_id: int) -> Making:
        """Begin to make a reply."""
        return self._validity.begin(guild_id)
