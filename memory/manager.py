"""MemoryManager: builds the services, and keeps what is stored within its time."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable, Callable
from contextlib import suppress
from dataclasses import dataclass, replace
from datetime import datetime, timedelta

from memory.addressees import Addressees
from memory.ai import AIClient
from memory.ai.embedding import Embedder
from memory.ai.governor import Governor, Quota
from memory.answers import LIFE as ANSWERED
from memory.answers import Answers
from memory.forgetting.erasure import GUILD_GRACE, Erasure
from memory.forgetting.execution import Forgetting
from memory.forgetting.export import Exports
from memory.generations import Generations
from memory.guilds import Guilds
from memory.ingest import Ingest, Journal
from memory.levels.context import Contexts
from memory.levels.facts import Facts
from memory.levels.history import History
from memory.levels.notes import Notes
from memory.loops import Loops
from memory.missed import Absences
from memory.naming import Naming
from memory.observer import Observer
from memory.permissions import OPERATOR, Viewer
from memory.recall import Recall
from memory.records import DatabaseUnavailable, Member, WrongKey
from memory.rules.calendar import zone
from memory.rules.safety import prepare
from memory.services.conversations import ConversationService
from memory.services.facts import FactService
from memory.services.guilds import GuildService
from memory.services.inbox import InboxService
from memory.services.messages import MessageService
from memory.services.privacy import PrivacyService
from memory.services.replies import ReplyService
from memory.services.topics import TopicService
from memory.sessions.digests import Digests
from memory.sessions.segments import Segments
from memory.sessions.sessions import SessionRules, Sessions
from memory.sessions.similarity import Similarity
from memory.single_flight import SingleFlight
from memory.store import Store
from memory.store.cipher import TextCipher
from memory.store.database import in_background
from memory.suppressions import Suppressions
from memory.topics import Topics
from memory.validity import Validity
from memory.vectors import Vectors

log = logging.getLogger(__name__)

KEY_CHECK = "suppression_key_check"
"""The name under which a fingerprint is recorded that tells one key from another, and nothing of either."""

BEAT = 2.0
"""Seconds between two signs of life of this process."""

CLOSING = 3.0
"""Seconds that a process which ends waits for the database to take what waits."""

AUDITED = timedelta(days=365)
"""How long it is kept who changed what."""


@dataclass(frozen=True, kw_only=True)
class Lives:
    """How long things are kept; None is for ever."""

    messages: timedelta = timedelta(days=30)
    """Messages, by their age."""
    summaries: timedelta = timedelta(days=90)
    """What was made from messages: slices, notes and summaries of days."""
    replies: timedelta = timedelta(days=7)
    """What replies were given, and contexts."""
    conclusions: timedelta = timedelta(days=365)
    """What conversations came to."""
    after_leaving: timedelta | None = timedelta(days=30)
    """What is stored of a member who left."""


class MemoryManager:
    """The memory of the guilds of one bot. Open it, use its services, close it.

    `suppression_key` makes the fingerprints of what was forgotten: kept outside the database, for ever. `batch` reads
    days, `small` does everything else, `embedder` finds by meaning where there is one; `wait` is how many seconds a
    reply waits for what is being built; `cipher` keeps the words of
    conversations. Reads raise DatabaseUnavailable: a failure is never an empty memory.
    """

    def __init__(
        self,
        store: Store,
        *,
        batch: AIClient,
        small: AIClient,
        governor: Governor,
        clock: Callable[[], datetime],
        suppression_key: bytes,
        time_zone: str = "UTC",
        wait: float = 1.0,
        lives: Lives | None = None,
        batch_tokens: int = 60_000,
        batch_output_tokens: int = 32_000,
        small_tokens: int = 8_000,
        embedder: Embedder | None = None,
        session_rules: SessionRules | None = None,
        cipher: TextCipher | None = None,
        observer: Observer | None = None,
        journal: Journal | None = None,
    ) -> None:
        # One list of what is built from what, in order: split up, nobody could see that each thing is built once.
        cipher = cipher or TextCipher()
        observer = observer or Observer()
        self._store = store
        self._small = small
        self._batch = batch
        self._governor = governor
        self._clock = clock
        self._lives = lives or Lives()
        self._generations = Generations()
        on_change = self._generations.move
        flights = SingleFlight(store.coordinator, observer)
        naming = Naming(store)
        guilds = Guilds(store, self._generations, zone(time_zone))
        governor.budget_of = guilds.budget
        self._suppressions = Suppressions(store, suppression_key, self._generations, clock)
        self.loops = Loops(in_background)
        self.vectors = Vectors(store, embedder, self._suppressions, self.loops)
        built_by = (flights, self._suppressions, self._generations, clock)
        facts = Facts(store, small, naming, guilds, self._suppressions, clock)
        notes = Notes(
            store,
            batch,
            guilds,
            *built_by,
            call_tokens=batch_tokens,
            output_tokens=batch_output_tokens,
            observer=observer,
        )
        addressees = Addressees(clock)
        self._ingest = Ingest(
            store.database,
            self._suppressions,
            self._generations,
            clock,
            addressees,
            observer=observer,
            journal=journal,
        )
        validity = Validity(store, self._suppressions, self._generations, clock, self._ingest.was_changed)
        history = History(store, small, *built_by, call_tokens=small_tokens)
        self._contexts = Contexts(
            store,
            small,
            facts,
            notes,
            history,
            flights,
            self._suppressions,
            guilds,
            validity,
            clock,
            wait=wait,
        )
        zone_of = guilds.zone
        removes = (clock, on_change, observer)
        self.forgetting = Forgetting(store, facts, naming, self._suppressions, cipher, zone_of, *removes)
        self._erasure = Erasure(store, self._suppressions, *removes)
        exports = Exports(store, naming, self._suppressions, cipher, clock)
        self.inbox = InboxService(store, self._ingest, clock, observer)
        self.messages = MessageService(store, self._ingest, self._suppressions, addressees, clock, on_change)
        self.facts = FactService(store, facts, self.messages, naming, self._suppressions, clock, on_change)
        self.privacy = PrivacyService(store, self._erasure, exports, naming, zone_of, clock)
        self.guilds = GuildService(store, guilds, self._erasure, clock, on_change)
        self.replies = ReplyService(
            store,
            self._contexts,
            Recall(store, naming, self._suppressions, self.vectors, clock),
            Absences(store, notes, clock),
            self.messages,
            naming,
            self._generations,
            guilds,
            self._suppressions,
            validity,
            clock,
            wait=wait,
            observer=observer,
        )
        similarity = Similarity(embedder)
        rules = session_rules or SessionRules()
        self._segments = Segments(store, small, cipher, clock)
        topics = Topics(store, small, naming, clock)
        self.conversations = ConversationService(
            store,
            Sessions(store, similarity, self._suppressions, validity, cipher, clock, rules),
            self._segments,
            Digests(store, small, cipher, self._suppressions, zone_of, clock),
            topics,
            Answers(store, self._suppressions, validity, clock),
            similarity,
            naming,
            self.guilds.mode,
            clock,
        )
        self.topics = TopicService(store, topics, naming, self._suppressions, clock)
        store.coordinator.watch(on_change)

    async def start(self) -> None:
        """Begin to write what is ingested, and to listen for what other processes change. Raises WrongKey."""
        await self._check_key()
        await asyncio.to_thread(prepare)
        await self._store.coordinator.start()
        await self.vectors.start()
        self._ingest.start()
        await self.inbox.enter()
        await self.get_memories(0, 0)  # who asks first need not wait until the database has planned its statements
        self.loops.start("signs of life", self.inbox.beat, every=BEAT, at_once=False)

    async def _check_key(self) -> None:
        """Raise WrongKey where the database knows another key than ours, and has anything that only that one finds."""
        check = self._suppressions.fingerprints.of_stem(KEY_CHECK)
        known = await self._store.people.state(KEY_CHECK)
        if known not in (None, check) and await self._store.consents.any_fingerprints():
            raise WrongKey
        await self._store.people.set_state(KEY_CHECK, check)

    async def close(self) -> int:
        """Write what waits and stop; returns how many writes the database did not take. The store stays open."""
        await self.conversations.close()
        await self._contexts.close()
        left = await self._ingest.close(0 if self.inbox.fenced.is_set() else CLOSING)
        await self.loops.stop()
        with suppress(DatabaseUnavailable):
            await self.inbox.leave()
        return left

    async def settle(self) -> None:
        """Wait for contexts that are still being built, and for turns that are being summed up."""
        await self._contexts.settle()
        await self._segments.settle()

    async def get_memories(
        self, guild_id: int, user_id: int, *, viewer: Viewer | None = None, wait: float | None = None
    ) -> str | None:
        """What is known of a member, as one text for a prompt; None where nothing is.

        It holds what `viewer` may hear, without one what everyone may. `wait` is for how many seconds it may be built.
        """
        viewer = viewer or await self.guilds.public(guild_id)
        return (await self.replies.contexts(viewer, [user_id], wait=wait))[user_id].text

    @property
    def searches_by_meaning(self) -> bool:
        """Whether an embedder is set, and the database keeps its vectors."""
        return self.vectors.column is not None

    async def has_database(self, within: float = 3.0) -> bool:
        """Whether the database answers within some seconds."""
        return await self._store.database.answers(within)

    async def quotas(self) -> tuple[Quota, ...]:
        """Each model's use today against its limits: of the model for days, then of the one that answers."""
        trouble = {client.model: client.trouble for client in (self._small, self._batch) if client.model}
        return tuple(
            replace(quota, trouble=trouble[quota.model])
            for quota in await self._governor.today(tuple(reversed(trouble)))
        )

    async def used_today(self, guild_id: int) -> int:
        """How many requests of a guild models answered since the day of quotas began."""
        return await self._governor.used_by(guild_id)

    # Upkeep

    async def upkeep(self) -> int:
        """Purge what is kept for a time only; returns how many messages went.

        What fails for one guild is logged and left to the next time; the rest is done. Raises DatabaseUnavailable.
        """
        gone = 0
        for guild_id in await self._store.people.guilds():
            gone += await self._attempted(guild_id, "purging", self._purge_guild)
        for guild_id in (0, *await self._store.people.guilds()):
            await self._attempted(guild_id, "purging records", self._purge_records)
        return gone

    async def _attempted(self, guild_id: int, what: str, work: Callable[[int], Awaitable[int]]) -> int:
        try:
            return await work(guild_id)
        except DatabaseUnavailable:
            raise
        except Exception:  # one guild's trouble must not keep what others asked to be let go
            log.exception("upkeep: %s failed in guild %d", what, guild_id)
            return 0

    async def _purge_guild(self, guild_id: int) -> int:
        now, lives = self._clock(), self._lives
        rules = await self._store.people.rules(guild_id)
        if rules.left_at is not None and rules.left_at <= now - GUILD_GRACE:
            await self._erasure.guild(guild_id)
            log.info("upkeep: guild %d is forgotten", guild_id)
            return 0
        if lives.after_leaving is not None:
            for user_id in await self._store.people.gone_since(guild_id, now - lives.after_leaving):
                member = Member.unnamed(guild_id, user_id)
                await self._erasure.member(guild_id, member, actor_id=OPERATOR, action="left")
        kept = lives.messages
        if rules.retention_days is not None:
            kept = min(kept, timedelta(days=rules.retention_days))
        gone = await self._store.messages.purge(guild_id, now - kept)
        await self._store.messages.silence(guild_id, now - lives.replies)
        before = (now - lives.summaries).date()
        await self._store.notes.purge(guild_id, before)
        await self._store.sessions.purge(guild_id, now - lives.replies)
        await self._store.answers.purge(guild_id, now - ANSWERED)
        await self._store.topics.purge(guild_id, now - lives.conclusions)
        by_setting = {"SUMMARY_DAYS": before, "REPLY_DAYS": (now - lives.replies).date()}
        await self._store.summaries.purge(guild_id, by_setting)
        return gone

    async def _purge_records(self, guild_id: int) -> int:
        now = self._clock()
        await self._store.replies.purge(guild_id, now - self._lives.replies)
        await self._store.inbox.purge(guild_id, now - self._lives.replies)
        await self._store.audit.purge(guild_id, now, now - AUDITED)
        await self._store.usage.purge(guild_id, now - timedelta(hours=2), now - timedelta(days=400))
        return 0
