"""Conversations with the bot: a session takes one message at a time, and a digest remains when it ends."""

from __future__ import annotations

import asyncio
import logging
from collections import Counter
from collections.abc import AsyncIterator, Collection, Mapping, Sequence
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass, field, replace
from datetime import datetime, timedelta
from functools import cached_property

from cachetools import TTLCache

from memory.answers import AnswerCache, KnownAnswer
from memory.core import Core
from memory.ids import ALL_GUILDS, ChannelId, GuildId, MessageId, UserId
from memory.permissions import Viewer, audiences_for, may_administer, require
from memory.records import (
    ActiveSession,
    Background,
    ChangedFact,
    Conclusion,
    DatabaseUnavailable,
    Fact,
    Given,
    Mode,
    OpenConversation,
    Recalled,
    Topic,
)
from memory.sessions.digests import Digests
from memory.sessions.segments import Segments
from memory.sessions.sessions import Exchange, Sessions
from memory.topics import Topics, called, named_topic

log = logging.getLogger(__name__)

MAX_CONCLUSIONS_PER_MESSAGE = 5
"""Conclusions that one message may bring into a talk (seed 004)."""

MAX_ASKED_FACT_AGE = timedelta(days=14)
"""How old an inferred fact may be when its subject is asked whether it is right."""

STOPPING = 5.0
"""Seconds that a normal stop spends on the digests of what was talked about until then."""


@dataclass(frozen=True)
class ConversationService:
    """Runs conversations. Methods may raise DatabaseUnavailable."""

    _core: Core
    _sessions: Sessions
    _segments: Segments
    _digests: Digests
    _topics: Topics
    _answers: AnswerCache
    over_budget: Counter[str] = field(default_factory=Counter, init=False)
    """How many prompts took more than they may, by part, since this process began: a metric without any ids."""

    @cached_property
    def _talked(self) -> TTLCache[tuple[GuildId, ChannelId], None]:
        return TTLCache(10_000, ttl=3_600, timer=lambda: self._core.clock().timestamp())

    @property
    def idle(self) -> timedelta:
        """How long a conversation may be silent before it ends."""
        return self._sessions.idle

    @asynccontextmanager
    async def acquire(
        self, viewer: Viewer, channel_id: ChannelId, message_id: MessageId, text: str, at: datetime
    ) -> AsyncIterator[Exchange]:
        """Hold a channel's session while one message is answered. What was added is written on release.

        Raises SessionBusy if too many messages are waiting.
        """

        async def is_kept() -> bool:
            is_direct = viewer.guild_id == ALL_GUILDS
            return not is_direct and await self._core.guilds.mode(viewer.guild_id, channel_id) is Mode.REMEMBER

        async with self._sessions.acquire(viewer, channel_id, message_id, text, at, is_kept=is_kept) as exchange:
            self._talked[viewer.guild_id, channel_id] = None
            yield exchange
        self._segments.follow(exchange)

    async def close_part(self, viewer: Viewer, channel_id: ChannelId, message_id: MessageId) -> bool:
        """Close what a member talked about in a channel's conversation. Return False if nobody else talks in it.

        Raises SessionBusy if too many messages are waiting.
        """
        return await self._sessions.close_part(viewer, channel_id, message_id)

    async def reset(self, viewer: Viewer, channel_id: ChannelId) -> bool:
        """End a channel's conversation. Return whether there was one. Its digest is made in the background."""
        return await self._sessions.reset(viewer, channel_id)

    async def background(self, viewer: Viewer, exchange: Exchange, recalled: Recalled) -> Background:
        """Get the page of the conversation's topic. Before it has one: the list of topics, and the conclusions found so
        far."""
        if viewer.guild_id == ALL_GUILDS:
            return Background()
        if exchange.context.topic_id is None:
            index = await self._topics.index(viewer)
            topic = named_topic(exchange.turn.text, index)
            if topic is None:
                loose = await self._loose(viewer, exchange, recalled)
                return Background(index=tuple(index), loose=loose)
            exchange.note(topic_id=topic.topic_id)
        assert exchange.context.topic_id is not None
        page = await self._topics.page(viewer, exchange.context.topic_id)
        return (
            Background()
            if page is None
            else Background(topic=page[0], lines=tuple(line for line in page[1] if line.replaced_at is None))
        )

    async def _loose(self, viewer: Viewer, exchange: Exchange, recalled: Recalled) -> tuple[Conclusion, ...]:
        """Conclusions that have to do with what is said, those found before included, each once."""
        found = [one for one, _ in recalled.conclusions]
        like = await self._sessions.similarity.like_enough(
            viewer.guild_id,
            exchange.turn.text,
            [one.text for one in found],
            {viewer.user_id, *(user_id for one in found for user_id in (*one.people, *one.evidence_by))},
        )
        near = [one.conclusion_id for one, is_like in zip(found, like, strict=True) if is_like]
        exchange.note(loose=near[:MAX_CONCLUSIONS_PER_MESSAGE])
        return tuple(await self._core.store.topics.get_many(viewer.guild_id, exchange.context.loose, viewer.audiences))

    def detected(self, exchange: Exchange, index: Sequence[Topic], name: str) -> None:
        """Set the conversation's topic to the one that the model named in its answer, if it exists."""
        if exchange.context.topic_id is None and (topic := called(name, index)) is not None:
            exchange.note(topic_id=topic.topic_id)

    def note_cost(self, exchange: Exchange, spent: Mapping[str, int], calls: int) -> None:
        """Record the tokens of a reply's prompt, part by part, and its AI calls. Log a warning if a part exceeds its
        budget."""
        for part, count in exchange.spent(spent, calls=calls).items():
            self.over_budget[part] += 1
            log.warning(
                "session in channel %d: %s took %d tokens of a prompt", exchange.session.channel_id, part, count
            )

    # Answers that need no model

    async def known_answer(self, viewer: Viewer, exchange: Exchange, question: str) -> KnownAnswer | None:
        """Get the stored answer to a question, if it still holds. None means: ask a model."""
        known = await self._answers.find(viewer, exchange, question)
        return known and replace(known, text=await self._core.naming.text(viewer.guild_id, known.stored))

    async def keep_answer(
        self,
        viewer: Viewer,
        exchange: Exchange,
        question: str,
        answer: str,
        *,
        named: Collection[UserId],
        given: Given,
        message_ids: Sequence[MessageId],
    ) -> None:
        """Store the answer to a question. People in `answer` are written as `<@id>`."""
        await self._answers.keep(viewer, exchange, question, answer, named=named, given=given, message_ids=message_ids)

    async def ask_about(self, viewer: Viewer) -> Fact | None:
        """Get an inferred fact that the viewer should be asked about now, with names: each once, one a day."""
        now = self._core.clock()
        audiences = audiences_for(viewer, viewer.user_id)
        fact = await self._core.store.facts.ask_once(
            viewer.guild_id, viewer.user_id, audiences, now - MAX_ASKED_FACT_AGE, now
        )
        return (await self._core.naming.facts_with_names(viewer.guild_id, [fact]))[0] if fact is not None else None

    async def ask_about_change(self, viewer: Viewer, changes: Sequence[ChangedFact]) -> ChangedFact | None:
        """Get a change of theirs that the viewer should be asked about now, with names. Each is asked about once."""
        for change in changes:
            if await self._core.store.facts.ask_again(change.fact, change.note.at, self._core.clock()):
                (fact,) = await self._core.naming.facts_with_names(viewer.guild_id, [change.fact])
                note = replace(change.note, text=await self._core.naming.text(viewer.guild_id, change.note.text))
                return ChangedFact(fact=fact, note=note)
        return None

    # Seen from outside, and kept going

    async def active(self, viewer: Viewer) -> Sequence[ActiveSession]:
        """List a guild's running conversations with their cost. For managers; raises NotAllowed for others."""
        require(may_administer(viewer))
        found = await self._core.store.sessions.active(viewer.guild_id)
        return [
            ActiveSession(channel_id=channel_id, since=since, turns=turns, context=context)
            for channel_id, since, context, turns in found
        ]

    async def list_own(self, viewer: Viewer) -> Sequence[OpenConversation]:
        """List the running conversations in which the viewer spoke, in channels that they can read."""
        return await self._core.store.sessions.open_with(viewer.guild_id, viewer.user_id, viewer.readable_audiences)

    async def keep_going(self) -> None:
        """End conversations that are over, make the digests that are due, and split long topics.

        If this fails for one guild, it is tried again later.
        """
        for guild_id in await self._core.store.sessions.with_sessions():
            try:
                await self._sessions.end_idle(guild_id)
                if guild_id != ALL_GUILDS and await self._digests.make_due(guild_id):
                    await self._topics.part_long(guild_id)
            except DatabaseUnavailable:
                raise
            except Exception:  # one guild's trouble must not keep what others' talk leaves
                log.exception("conversations of guild %d could not be kept", guild_id)

    async def confirm_told_again(self) -> int:
        """Confirm the facts that members have repeated since the last time. Return how many."""
        return sum(
            [await self._core.store.sessions.confirm(g) for g in await self._core.store.sessions.with_sessions() if g]
        )

    async def close(self) -> None:
        """End this process's conversations. Spend a few seconds on their digests; another process does the rest."""
        await self._segments.close()
        talked = [key for key in self._talked if key[0] != ALL_GUILDS]
        with suppress(TimeoutError, DatabaseUnavailable):
            async with asyncio.timeout(STOPPING):
                for guild_id, channel_id in talked:
                    await self._sessions.stop(guild_id, channel_id)
                for guild_id in {guild_id for guild_id, _ in talked}:
                    await self._digests.make_due(guild_id)
