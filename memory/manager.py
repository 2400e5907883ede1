"""MemoryManager: builds the services, and deletes data whose retention period has ended."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import AsyncExitStack, asynccontextmanager, suppress
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import TypeAlias

from memory.addressees import Addressees
from memory.ai import AIClient, AIError
from memory.ai.governor import Quota
from memory.ai.models import AI, PROOF, Models
from memory.answers import ANSWER_LIFE as ANSWERED
from memory.answers import AnswerCache
from memory.clock import DatabaseClock
from memory.core import Core
from memory.forgetting.erasure import GUILD_GRACE, Erasure
from memory.forgetting.execution import Forgetting
from memory.forgetting.export import Exports
from memory.generations import Generations
from memory.guilds import Guilds
from memory.ids import ALL_GUILDS, GuildId, UserId
from memory.ingest import Ingest
from memory.levels import periods
from memory.levels.context import Contexts
from memory.levels.facts import Facts
from memory.levels.history import History
from memory.levels.notes import Notes
from memory.levels.reading_ahead import ReadingAhead
from memory.loops import Loops
from memory.missed import Absences
from memory.naming import Naming
from memory.options import Options, Retention
from memory.permissions import OPERATOR, Viewer
from memory.recall import Recall
from memory.recaps import Recaps
from memory.records import SENT_DAYS, DatabaseUnavailable, Member, WrongKey
from memory.rules.calendar import zone
from memory.rules.safety import prepare
from memory.services.access import AccessService
from memory.services.captions import CaptionService
from memory.services.conversations import ConversationService
from memory.services.facts import FactService
from memory.services.guilds import GuildService
from memory.services.inbox import InboxService
from memory.services.insight import InsightService
from memory.services.messages import MessageService
from memory.services.posts import PostService
from memory.services.privacy import PrivacyService
from memory.services.replies import ReplyService
from memory.services.topics import TopicService
from memory.sessions.digests import Digests
from memory.sessions.segments import Segments
from memory.sessions.sessions import Sessions
from memory.sessions.similarity import Similarity
from memory.single_flight import SingleFlight
from memory.store import Store
from memory.store.catalogue import A_WEEK
from memory.store.database import in_background
from memory.store.embedded import embedded
from memory.store.schema import migrate
from memory.suppressions import Suppressions
from memory.topics import Topics
from memory.validity import Validity
from memory.vectors import Vectors

log = logging.getLogger(__name__)

OLD_KEY = "marks_key"
"""The name under which earlier versions kept the key in the database."""

KEY_CHECK = "suppression_key_check"
"""The name under which the key's fingerprint is recorded. It tells one key from another and reveals neither."""

HEARTBEAT = 2.0
"""Seconds between two heartbeats of this process."""

MAX_CLOSE = 3.0
"""Seconds that a closing process waits for the database to take its last writes."""

AUDIT_RETENTION = timedelta(days=365)

POST_RETENTION = timedelta(days=30)
"""How long the audit is kept."""


KeySource: TypeAlias = Callable[[str | None], Awaitable[bytes]]
"""Returns the key of the suppressions. It gets the key that an earlier version kept in this database, if there is one.
"""


@asynccontextmanager
async def open_memory(
    database: str | Path,
    *,
    key: bytes | KeySource,
    models: Models | None = None,
    clock: Callable[[], datetime] | None = None,
    options: Options | None = None,
) -> AsyncIterator[MemoryManager]:
    """Open the memory in a database, and close it at the end of the context.

    `database` is an address, or a folder in which an embedded server then runs. The schema is migrated first. `key`
    makes the fingerprints of what was forgotten: 32 bytes, kept outside the database for as long as the database
    exists. Without `clock`, the database's clock is used.

    Raises DatabaseUnavailable; DatabaseNewer if a later version used the database; WrongKey if the database knows
    another key.
    """
    options = options or Options()
    async with AsyncExitStack() as stack:
        if isinstance(database, Path):
            running = embedded(database)
            stack.push_async_callback(asyncio.to_thread, running.__exit__, None, None, None)
            database = await asyncio.to_thread(running.__enter__)
        await migrate(database)
        store = await Store.open(database)
        stack.push_async_callback(store.close)
        clock = clock or DatabaseClock(lambda: datetime.now(UTC))
        generations = Generations()
        guilds = Guilds(store, generations, zone(options.time_zone))
        core = Core(
            store=store,
            clock=clock,
            generations=generations,
            naming=Naming(store),
            suppressions=Suppressions(store, await _key(key, store), generations, guilds, clock),
            guilds=guilds,
            cipher=options.cipher,
            flights=SingleFlight(store.coordinator, options.observer),
            observer=options.observer,
        )
        ai = AI.over(models or Models(), store.usage, clock, options.observer)
        memory = MemoryManager(core, ai, options)
        await memory.start()
        stack.push_async_callback(memory.close)
        yield memory


async def drop_suppressions(database: str) -> None:
    """Delete the fingerprints of forgotten content, for use when their key is lost.

    Forgotten content is no longer recognised afterwards.
    """
    store = await Store.open(database)
    try:
        await store.consents.let_go()
        await store.people.drop_state(OLD_KEY)
    finally:
        await store.close()


async def _key(key: bytes | KeySource, store: Store) -> bytes:
    if isinstance(key, bytes):
        return key
    before = await store.people.state(OLD_KEY)
    found = await key(before)
    if before:
        await store.people.drop_state(OLD_KEY)
    return found


class MemoryManager:
    """The memory of one bot's guilds. `open_memory` opens one.

    Reads raise DatabaseUnavailable: a failure never looks like an empty memory.
    """

    def __init__(self, core: Core, ai: AI, options: Options) -> None:
        self._core, self._ai, self._options = core, ai, options
        ai.governor.budget_of = core.guilds.budget
        core.store.coordinator.watch(core.generations.move)
        self.loops = Loops(in_background)
        self.vectors = Vectors(core, ai.embedder, self.loops)
        addressees = Addressees(core.clock)
        self._ingest = Ingest(core, addressees, journal=options.journal)
        validity = Validity(core, self._ingest.was_changed)

        facts = Facts(core, ai.small)
        notes = Notes(core, ai)
        self._ahead = ReadingAhead(core, ai, notes, options.retention.messages_of)
        self._contexts = Contexts(core, ai, facts, notes, History(core, ai), validity)
        self._erasure = Erasure(core)
        self.forgetting = Forgetting(core, facts)
        self.inbox = InboxService(core, self._ingest)
        self.messages = MessageService(core, self._ingest, addressees)
        self.captions = CaptionService(core, ai)
        self.facts = FactService(core, facts, self.messages)
        self.privacy = PrivacyService(core, self._erasure, Exports(core), options.retention)
        self.guilds = GuildService(core, self._erasure)
        self.access = AccessService(core)
        self.insight = InsightService(core)
        self.posts = PostService(core, Recaps(core, ai, notes))
        recall, absences = Recall(core, self.vectors), Absences(core, notes)
        self.replies = ReplyService(core, self._contexts, recall, absences, self.messages, options.wait)

        similarity, topics = Similarity(ai.embedder), Topics(core, ai.small)
        self._segments = Segments(core, ai.small)
        self.topics = TopicService(core, topics)
        self.conversations = ConversationService(
            core,
            Sessions(core, similarity, validity, options.sessions),
            self._segments,
            Digests(core, ai.small),
            topics,
            AnswerCache(core, validity),
        )

    @property
    def retention(self) -> Retention:
        """How long data is kept in guilds that did not choose a shorter period."""
        return self._options.retention

    @property
    def clock(self) -> Callable[[], datetime]:
        """The clock that memory uses."""
        return self._core.clock

    @property
    def ai(self) -> AIClient:
        """The model that answers, within its quota."""
        return self._ai.small

    def watch(self, changed: Callable[[GuildId], None]) -> None:
        """Call `changed` with each guild whose past changes; with 0 if any may have changed."""
        self._core.generations.watch(changed)

    async def start(self) -> None:
        """Start writing what is ingested, and listening for changes by other processes. Raises WrongKey."""
        await self._check_key()
        await asyncio.to_thread(prepare)
        await self._core.store.coordinator.start()
        await self.vectors.start()
        self._ingest.start()
        await self.inbox.enter()
        await self.get_memories(
            ALL_GUILDS, OPERATOR
        )  # who asks first need not wait until the database has planned its statements
        self.loops.start("signs of life", self.inbox.beat, every=HEARTBEAT, at_once=False)

    async def _check_key(self) -> None:
        """Raise WrongKey if the database was used with another key and has fingerprints that only that key matches."""
        check = self._core.suppressions.fingerprints.of_stem(KEY_CHECK)
        known = await self._core.store.people.state(KEY_CHECK)
        if known not in (None, check) and await self._core.store.consents.any_fingerprints():
            raise WrongKey
        await self._core.store.people.set_state(KEY_CHECK, check)

    async def close(self) -> int:
        """Finish waiting writes and stop. Return how many the database did not take. The store stays open."""
        await self.conversations.close()
        await self._contexts.close()
        left = await self._ingest.close(0 if self.inbox.fenced.is_set() else MAX_CLOSE)
        await self.loops.stop()
        with suppress(DatabaseUnavailable):
            await self.inbox.leave()
        return left

    async def settle(self) -> None:
        """Wait for contexts that are being built, and for turns that are being summarised."""
        await self._contexts.settle()
        await self._segments.settle()

    async def get_memories(
        self, guild_id: GuildId, user_id: UserId, *, viewer: Viewer | None = None, wait: float | None = None
    ) -> str | None:
        """Get what is known about a member, as one text for a prompt. None if nothing is.

        It contains what `viewer` may be shown; without a viewer, what everyone may. `wait` limits the seconds spent
        building it.
        """
        viewer = viewer or await self.guilds.public(guild_id)
        return (await self.replies.contexts(viewer, [user_id], wait=wait))[user_id].text

    @property
    def searches_by_meaning(self) -> bool:
        """Whether an embedder is set and the database stores its vectors."""
        return self.vectors.column is not None

    async def has_database(self, within: float = 3.0) -> bool:
        """Whether the database answers `within` some seconds."""
        return await self._core.store.database.is_reachable(within)

    async def quotas(self) -> tuple[Quota, ...]:
        """Each model's use today against its limits: first the model that reads days, then the one that answers."""
        trouble = {client.model: client.last_error for client in (self._ai.small, self._ai.batch) if client.model}
        return tuple(
            replace(quota, trouble=trouble[quota.model])
            for quota in await self._ai.governor.today(tuple(reversed(trouble)))
        )

    async def check_models(self) -> None:
        """Ask each model for one word. If that fails, the log and `quotas` say why."""
        for client in {client.model: client for client in (self._ai.small, self._ai.batch) if client.model}.values():
            with suppress(AIError):
                await client.ask(PROOF)

    async def used_today(self, guild_id: GuildId) -> int:
        """Count the AI requests of a guild since the provider's day began."""
        return await self._ai.governor.used_by(guild_id)

    async def read_ahead(self) -> int:
        """Read days that nobody asked about, as far as the quota's share for that goes. Return how many."""
        return await self._ahead.read()

    # Upkeep

    async def upkeep(self) -> int:
        """Delete data whose retention period has ended. Return how many messages were deleted.

        A failure in one guild is logged and tried again next time; the other guilds are still processed. Raises
        DatabaseUnavailable.
        """
        gone = 0
        for guild_id in await self._core.store.people.guilds():
            gone += await self._attempted(guild_id, "purging", self._purge_guild)
        for guild_id in (ALL_GUILDS, *await self._core.store.people.guilds()):
            await self._attempted(guild_id, "purging records", self._purge_records)
        return gone

    async def _attempted(self, guild_id: GuildId, what: str, work: Callable[[GuildId], Awaitable[int]]) -> int:
        try:
            return await work(guild_id)
        except DatabaseUnavailable:
            raise
        except Exception:  # one guild's trouble must not keep what others asked to be let go
            log.exception("upkeep: %s failed in guild %d", what, guild_id)
            return 0

    async def _purge_guild(self, guild_id: GuildId) -> int:
        now, lives = self._core.clock(), self._options.retention
        rules = await self._core.store.people.rules(guild_id)
        if rules.left_at is not None and rules.left_at <= now - GUILD_GRACE:
            await self._erasure.guild(guild_id)
            log.info("upkeep: guild %d is forgotten", guild_id)
            return 0
        if lives.after_leaving is not None:
            for user_id in await self._core.store.people.gone_since(guild_id, now - lives.after_leaving):
                member = Member.unnamed(guild_id, user_id)
                await self._erasure.member(guild_id, member, actor_id=OPERATOR, action="left")
        gone = await self._core.store.messages.purge(guild_id, now - lives.messages_of(rules))
        await self._core.store.messages.silence(guild_id, now - lives.replies)
        oldest = periods.Lives.at(now, lives)
        await periods.thin(self._core.store.notes, guild_id, oldest)
        await self._core.store.sessions.purge(guild_id, now - lives.replies)
        await self._core.store.answers.purge(guild_id, now - ANSWERED)
        await self._core.store.topics.purge(guild_id, now - lives.conclusions)
        by_life = {"SUMMARY_DAYS": oldest.days, A_WEEK: (now - lives.replies).date()}
        await self._core.store.summaries.purge(guild_id, by_life)
        return gone

    async def _purge_records(self, guild_id: GuildId) -> int:
        now = self._core.clock()
        await self._core.store.replies.purge(guild_id, now - self._options.retention.replies)
        await self._core.store.inbox.purge(guild_id, now - self._options.retention.replies)
        await self._core.store.access.purge(guild_id, now)
        await self._core.store.posts.purge(guild_id, now - POST_RETENTION)
        await self._core.store.audit.purge(guild_id, now, now - AUDIT_RETENTION)
        await self._core.store.usage.purge(
            guild_id, now - timedelta(hours=2), now - timedelta(days=400), now - SENT_DAYS
        )
        return 0
