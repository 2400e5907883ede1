"""MemoryManager: everything the bot may ask of memory."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable, Callable, Collection, Iterable, Sequence
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from typing import Any
from zoneinfo import ZoneInfo

from memory.addressees import Addressees
from memory.ai import AIClient
from memory.ai.embedding import Embedder
from memory.ai.governor import Governor, Quota
from memory.ai.prompts import FACT_CHARACTERS
from memory.audible import Audible
from memory.forgetting.execution import AUDITED, GUILD_GRACE, UNDO, Forgetting
from memory.generations import Generations
from memory.ingest import Deleted, Edited, Ingest, OffRecord, Written, forgotten
from memory.levels.composing import by_day, day_text
from memory.levels.context import Contexts
from memory.levels.facts import Facts
from memory.levels.history import History
from memory.levels.notes import Notes
from memory.missed import Absences
from memory.naming import Naming
from memory.recall import Recall
from memory.records import (
    EVERYONE,
    Change,
    Channel,
    Consent,
    Context,
    DatabaseUnavailable,
    Fact,
    FactSource,
    GuildRules,
    Member,
    MemberText,
    Message,
    Missed,
    Mode,
    NotRemembered,
    Query,
    Recalled,
    Remembered,
    Statement,
    Why,
    WrongKey,
)
from memory.rules.ageing import Standing, standing
from memory.rules.audiences import Layout
from memory.rules.calendar import zone
from memory.rules.questions import possible_names
from memory.rules.text import fit, mentioned, one_line
from memory.single_flight import SingleFlight
from memory.store import Store
from memory.suppressions import Suppressions
from memory.vectors import Vectors

log = logging.getLogger(__name__)

MISSED_WAIT = 10.0
"""Seconds that somebody who asks what they missed waits for what is new to be read."""

KEY_CHECK = "suppression_key_check"
"""The name under which a digest is noted that tells one key from another, and nothing of either."""


class MemoryManager:
    """The memory of the guilds of one bot. Open it, use it, close it.

    `suppression_key` makes the fingerprints of what was forgotten: kept outside the database, for ever.
    `batch` sums up days, `small` does everything else, `embedder` finds by meaning where there is one;
    `wait` is how many seconds a reply waits for
    what is being made; `retention` how long messages are kept, `summaries_kept` what was made from them,
    `replies_kept` what replies were given;
    `leave_grace` how long a member who left is remembered, None for ever. Reads raise DatabaseUnavailable:
    a failure is never an empty memory.
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
        retention: timedelta = timedelta(days=30),
        summaries_kept: timedelta = timedelta(days=90),
        replies_kept: timedelta = timedelta(days=7),
        leave_grace: timedelta | None = timedelta(days=30),
        batch_tokens: int = 60_000,
        small_tokens: int = 8_000,
        embedder: Embedder | None = None,
    ) -> None:
        self._store = store
        self._small = small
        self._batch = batch
        self._governor = governor
        self._clock = clock
        self._retention = retention
        self._summaries_kept = summaries_kept
        self._replies_kept = replies_kept
        self._zone = time_zone
        self.wait = wait
        self._leave_grace = leave_grace
        flights = SingleFlight(store.coordinator)
        self._generations = Generations()
        self._suppressions = Suppressions(store, suppression_key, self._generations, clock)
        self._audible = Audible(store, self._generations)
        self._naming = Naming(store)
        self._facts = Facts(store, small, self._naming, self._suppressions, clock)
        made_by = (flights, self._suppressions, self._generations, clock)
        notes = Notes(store, batch, *made_by, call_tokens=batch_tokens)
        history = History(store, small, *made_by, call_tokens=small_tokens)
        self._contexts = Contexts(
            store,
            small,
            self._facts,
            notes,
            history,
            flights,
            self._suppressions,
            self._audible,
            self._generations,
            clock,
            zone(time_zone),
            wait=wait,
        )
        self.forgetting = Forgetting(
            store, self._facts, self._naming, self._suppressions, self._audible, clock, self._changed
        )
        self._absences = Absences(store, notes, self._audible, clock)
        self.vectors = Vectors(store, embedder, self._suppressions)
        self._recall = Recall(store, self._naming, self._audible, self._suppressions, self.vectors, clock)
        self._addressees = Addressees(clock)
        self._ingest = Ingest(store.database, self._suppressions, self._changed, clock, self._addressees)
        store.coordinator.watch(self._changed)

    async def start(self) -> None:
        """Begin to write what is ingested, and to listen for what other processes change. Raises WrongKey."""
        await self._check_key()
        await self._store.coordinator.start()
        await self.vectors.start()
        self._ingest.start()

    async def _check_key(self) -> None:
        """Raise WrongKey where the database knows another key than ours, and has anything that only that one finds."""
        check = self._suppressions.marker.digest(KEY_CHECK)
        known = await self._store.people.state(KEY_CHECK)
        if known not in (None, check) and await self._store.consents.any_marks():
            raise WrongKey
        await self._store.people.set_state(KEY_CHECK, check)

    async def close(self) -> int:
        """Write what waits and stop; returns how many writes the database did not take. The store stays open."""
        await self.vectors.close()
        await self._contexts.close()
        return await self._ingest.close()

    def _changed(self, guild_id: int) -> None:
        self._generations.move(guild_id)

    # Ingest

    async def ingest_message(self, message: Message, member: Member) -> bool:
        """Accept a message for writing; False where memory is full of waiting writes.

        A message that was not accepted is to be brought again by `catch_up`.
        """
        return await self._ingest.offer(Written(message, member))

    async def catch_up(self, message: Message, member: Member) -> None:
        """Accept a message, waiting for room."""
        await self._ingest.put(Written(message, member))

    async def edit_message(self, guild_id: int, message_id: int, text: str, edited_at: datetime) -> None:
        """Replace a message's text."""
        await self._ingest.put(Edited(guild_id, message_id, text, edited_at))

    async def delete_messages(self, guild_id: int, message_ids: Iterable[int]) -> None:
        """Remove messages."""
        await self._ingest.put(Deleted(guild_id, tuple(message_ids)))

    async def keep_off_record(self, guild_id: int, message_id: int) -> None:
        """Keep a message out of every summary: it tells the bot what to do, and would tell again what it forgot."""
        await self._ingest.put(OffRecord(guild_id, message_id))

    async def hold_order(self, guild_id: int, message_id: int) -> None:
        """Keep an order out of every summary, with its words, until `keep_off_record` says that it is done."""
        await self._ingest.put(OffRecord(guild_id, message_id, done=False))

    async def waiting_orders(self, guild_id: int) -> list[tuple[int, int]]:
        """(channel, message) of the orders that were not carried out yet, in the order in which they were given."""
        return await self._store.messages.waiting_orders(guild_id)

    async def flush(self, within: float | None = None) -> bool:
        """Wait until everything accepted so far is in the database; False where that takes too long."""
        try:
            async with asyncio.timeout(within):
                await self._ingest.flush()
        except TimeoutError:
            return False
        return True

    @property
    def pending(self) -> int:
        """How many accepted writes are not yet in the database."""
        return self._ingest.pending

    async def store_messages(self, messages: Collection[Message], members: Collection[Member]) -> int:
        """Store an export's messages and names in one go; returns how many messages were new."""
        await self._store.people.name(members, self._clock())
        suppressed = {g: await self._suppressions.forgotten_of(g) for g in {m.guild_id for m in messages}}
        kept = [m for m in messages if not forgotten(m, *suppressed[m.guild_id])]
        new = await self._store.messages.write(kept, lambda c: self._addressees.of(c, kept, members))
        self._changed(EVERYONE)
        return new

    async def cursors(self, guild_id: int) -> dict[int, int]:
        """The newest stored message of each channel that has any."""
        return await self._store.messages.cursors(guild_id)

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
        now = self._clock()
        left = (await self._store.people.rules(guild_id)).left_at
        if left is not None and left <= now - GUILD_GRACE:
            await self.forgetting.erase_guild(guild_id)
            log.info("upkeep: guild %d is forgotten", guild_id)
            return 0
        if self._leave_grace is not None:
            for user_id in await self._store.people.gone_since(guild_id, now - self._leave_grace):
                await self.forgetting.erase(guild_id, _unnamed(guild_id, user_id), by=0, action="left")
        gone = await self._store.messages.purge(guild_id, now - self._retention)
        await self._store.messages.silence(guild_id, now - self._replies_kept)
        before = (now - self._summaries_kept).date()
        await self._store.notes.purge(guild_id, before)
        lives = {"SUMMARY_DAYS": before, "REPLY_DAYS": (now - self._replies_kept).date()}
        await self._store.summaries.purge(guild_id, lives)
        return gone

    async def _purge_records(self, guild_id: int) -> int:
        now = self._clock()
        await self._store.replies.purge(guild_id, now - self._replies_kept)
        await self._store.audit.purge(guild_id, now, now - AUDITED)
        await self._store.usage.purge(guild_id, now - timedelta(hours=2), now - timedelta(days=400))
        return 0

    # Contexts

    async def get_memories(
        self,
        guild_id: int,
        user_id: int,
        *,
        audience: int = EVERYONE,
        wait: float | None = None,
    ) -> str | None:
        """What is known of a member where `audience` listens, as one text; None where nothing is."""
        found = (await self.contexts(guild_id, [user_id], audience=audience, wait=wait))[user_id]
        return found.text

    async def contexts(
        self,
        guild_id: int,
        user_ids: Collection[int],
        *,
        audience: int = EVERYONE,
        wait: float | None = None,
    ) -> dict[int, Context]:
        """The contexts of a conversation's participants, made together, with their parts and their cost."""
        found = await self._contexts.get(guild_id, user_ids, audience, wait=wait)
        return await self._naming.contexts(guild_id, found)

    async def settle(self) -> None:
        """Wait for contexts that are still being made."""
        await self._contexts.settle()

    # Recall

    async def recall(self, query: Query, *, limit: int = 50) -> Recalled:
        """What was written, noted and told that best answers a question, for those who may hear it."""
        return await self._recall.find(query, await self.time_zone(query.guild_id), limit=limit)

    async def missed(self, guild_id: int, user_id: int, *, audience: int, before_id: int) -> Missed:
        """What a member missed since they last wrote before a message, for those who may hear it."""
        tz = await self.time_zone(guild_id)
        found = await self._absences.of(
            guild_id, user_id, audience=audience, before_id=before_id, tz=tz, wait=MISSED_WAIT
        )
        return replace(found, notes=tuple(await self._naming.notes(guild_id, found.notes)))

    async def around(self, guild_id: int, message_id: int, lines: int, *, audience: int) -> list[Message]:
        """A message with the lines before and after it in its channel, of what `audience` may hear, oldest first."""
        return await self._store.messages.around(guild_id, message_id, lines, await self.audible_in(guild_id, audience))

    # Facts

    async def remember(self, statement: Statement, about: Member, speaker: Member) -> Remembered:
        """Store what someone said about a member. Raises NotRemembered."""
        if statement.author is None and speaker.user_id != statement.stated_by:
            statement = replace(statement, author=speaker.user_id)
        self._still_there(statement)
        await self._facts.guard(statement, one_line(statement.quote))
        await self._store.people.name([about, speaker], self._clock())
        done = await self._facts.remember(statement, about, speaker)
        try:
            self._still_there(statement)
        except NotRemembered:  # it was deleted meanwhile: what it told goes with it
            await self.delete_messages(statement.guild_id, self._gone(statement))
            await self.flush()
            raise
        if done.replaced:
            self._changed(statement.guild_id)
        if not done.known:
            done = replace(done, entry_id=await self._remembered(statement, done))
        return await self._naming.remembered(statement.guild_id, done)

    async def facts(self, guild_id: int, user_id: int, *, audience: int, own: bool = False) -> Sequence[Fact]:
        """A member's live facts, oldest first; with `own`, those that only they are told, too."""
        audiences = await self.audible_in(guild_id, audience)
        if own:
            audiences = (*audiences, -user_id)
        return await self._naming.facts(
            guild_id, (await self._store.facts.live(guild_id, [user_id], audiences))[user_id]
        )

    async def every_live(self, guild_id: int, user_ids: Collection[int]) -> dict[int, list[Fact]]:
        """Members' live facts, whoever may hear them."""
        return await self._store.facts.live(guild_id, user_ids, None)

    def standing(self, fact: Fact) -> Standing:
        """Whether a fact is current, faded or stale now."""
        return standing(fact, self._clock())

    async def retired(self, guild_id: int, user_id: int, *, audience: int, own: bool = False) -> Sequence[Fact]:
        """A member's facts that hold no more, newest first."""
        audiences = await self.audible_in(guild_id, audience)
        if own:
            audiences = (*audiences, -user_id)
        return await self._naming.facts(guild_id, await self._store.facts.retired(guild_id, user_id, audiences))

    async def fact(self, guild_id: int, fact_id: int) -> Fact | None:
        """One fact, retired or not."""
        return (await self.some_facts(guild_id, [fact_id])).get(fact_id)

    async def some_facts(self, guild_id: int, fact_ids: Collection[int]) -> dict[int, Fact]:
        """Facts by their numbers, retired ones too."""
        found = await self._naming.facts(guild_id, (await self._store.facts.some(guild_id, fact_ids)).values())
        return {fact.fact_id: fact for fact in found}

    async def sources(self, guild_id: int, fact_ids: Collection[int]) -> dict[int, list[FactSource]]:
        """Each time that facts were told."""
        return await self._store.facts.sources(guild_id, fact_ids)

    async def taught_by(self, guild_id: int, user_id: int, since: datetime) -> list[Fact]:
        """The facts that one member taught since a moment."""
        until = self._clock() + timedelta(seconds=1)
        return await self._naming.facts(guild_id, await self._store.facts.taught_by(guild_id, user_id, since, until))

    def _still_there(self, statement: Statement) -> None:
        """Raise NotRemembered where one of the messages a statement comes from was deleted."""
        if self._gone(statement):
            raise NotRemembered(Why.GONE)

    def _gone(self, statement: Statement) -> list[int]:
        sources = (statement.message_id or 0, *statement.context_ids)
        return [n for n in sources if self._ingest.was_deleted(statement.guild_id, n)]

    async def confirm(self, fact: Fact, *, by: int) -> Fact | None:
        """Note that a fact still holds."""
        found = await self._store.facts.confirm(fact.guild_id, fact.fact_id, by, self._clock())
        if found is not None:
            await self._noted(fact, "confirm", by)
            (found,) = await self._naming.facts(fact.guild_id, [found])
        return found

    async def restore(self, fact: Fact, *, by: int) -> Fact | None:
        """Let a retired fact hold again, and what took its place no more.

        None where that is not possible: what the person said in its place, only they take back, and what
        was forgotten does not come back this way.
        """
        newer = (await self.fact(fact.guild_id, fact.superseded_by)) if fact.superseded_by else None
        suppressed = await self._suppressions.of(fact.guild_id)
        overruled = newer is not None and newer.retired_at is None and newer.stated_by == fact.user_id
        if by != fact.user_id and (overruled or suppressed.tells(fact.value, [fact.user_id])):
            return None
        restored = await self._store.facts.restore(fact.guild_id, [fact.fact_id], self._clock())
        if restored and newer is not None and newer.retired_at is None:
            await self._store.facts.supersede([newer], restored[0], "the earlier one was restored", self._clock())
        await self._noted(fact, "restore", by)
        return (await self._naming.facts(fact.guild_id, restored))[0] if restored else None

    async def correct(self, fact: Fact, statement: Statement) -> Remembered:
        """Put other words in a fact's place; the old ones are retired and can be restored. Raises NotRemembered."""
        now = self._clock()
        statement = await self._facts.guard(replace(statement, confirmed=fact.private), one_line(statement.quote))
        about = (await self.members(fact.guild_id, [fact.user_id])).get(fact.user_id) or _unnamed(
            fact.guild_id, fact.user_id
        )
        words = await self._naming.with_ids(fact.guild_id, fit(one_line(statement.quote), FACT_CHARACTERS), about)
        new, fresh = await self._store.facts.add(statement, words, key=fact.key, domain=fact.domain, now=now)
        if new.fact_id == fact.fact_id:
            return await self._naming.remembered(fact.guild_id, Remembered(fact=new, known=True))
        await self._store.facts.supersede([fact], new, "corrected", now)
        entry = await self._remembered(statement, Remembered(fact=new, replaced=(fact,)), "correct") if fresh else None
        self._changed(fact.guild_id)
        done = Remembered(fact=new, replaced=(fact,), entry_id=entry)
        return await self._naming.remembered(fact.guild_id, done)

    async def _noted(self, fact: Fact, action: str, by: int) -> None:
        await self._store.audit.note(
            fact.guild_id,
            at=self._clock(),
            actor_id=by,
            action=action,
            user_id=fact.user_id,
            fact_ids=[fact.fact_id],
        )
        self._changed(fact.guild_id)

    async def _remembered(self, statement: Statement, done: Remembered, action: str = "remember") -> int:
        return await self._store.audit.note(
            statement.guild_id,
            at=self._clock(),
            actor_id=statement.stated_by,
            action=action,
            user_id=statement.user_id,
            fact_ids=[done.fact.fact_id],
            details={"replaced": [fact.fact_id for fact in done.replaced]},
            undo_until=self._clock() + UNDO,
        )

    async def summaries(self, guild_id: int, user_id: int, *, audience: int) -> list[MemberText]:
        """What is noted about a member of each day, newest first, and the summaries of the days before."""
        tz = await self.time_zone(guild_id)
        notes = await self._store.notes.of_member(guild_id, user_id, await self.audible_in(guild_id, audience))
        days = [
            MemberText(
                level="day",
                day=day,
                audience=where,
                text=day_text(of_day, user_id),
                evidence=tuple(dict.fromkeys(message for note in of_day for message in note.evidence)),
            )
            for where in {note.audience for note in notes}
            for day, of_day in by_day([note for note in notes if note.audience == where], tz).items()
        ]
        before = await self._store.summaries.of_member(guild_id, user_id, audience)
        found = await self._naming.texts(guild_id, (*days, *before))
        return sorted(found, key=lambda text: (text.day, text.level == "day", -text.audience), reverse=True)

    async def changes(self, guild_id: int, user_id: int, *, limit: int, skip: int = 0) -> list[Change]:
        """What was changed about a member, by whom, newest first."""
        return await self._store.audit.list(guild_id, user_id=user_id, limit=limit, skip=skip)

    async def audit(self, guild_id: int, *, limit: int, skip: int = 0) -> list[Change]:
        """What moderators did in a guild, newest first."""
        return await self._store.audit.list(guild_id, administrative=True, limit=limit, skip=skip)

    async def change(self, guild_id: int, entry_id: int) -> Change | None:
        """One entry of the audit."""
        return await self._store.audit.get(guild_id, entry_id)

    # Rules and consent

    async def rules(self, guild_id: int) -> GuildRules:
        """What a guild has decided."""
        return await self._store.people.rules(guild_id)

    async def decide(self, guild_id: int, *, by: int, action: str, **values: object) -> None:
        """Keep what a guild decides: `teachers`, `log_channel` or `base_role`."""
        await self._store.people.set_rules(guild_id, **values)
        self._changed(guild_id)
        details = {name: str(value) for name, value in values.items()}
        await self._audited(guild_id, by, action, details)

    async def set_mode(self, guild_id: int, channel_id: int, mode: Mode, *, by: int) -> None:
        """Decide what the bot does in a channel."""
        await self._store.channels.set_mode(guild_id, channel_id, mode)
        await self._audited(guild_id, by, "mode", {"channel": str(channel_id), "mode": mode.value})

    async def looked(self, guild_id: int, *, by: int, user_id: int | None = None) -> None:
        """Note that somebody who manages a guild looked at what is stored, of a member or of the audit."""
        await self._store.audit.note(
            guild_id, at=self._clock(), actor_id=by, action="look", user_id=user_id, administrative=True
        )

    async def _audited(self, guild_id: int, by: int, action: str, details: dict[str, Any]) -> None:
        await self._store.audit.note(
            guild_id, at=self._clock(), actor_id=by, action=action, details=details, administrative=True
        )

    async def mode(self, guild_id: int, channel_id: int) -> Mode:
        """What the bot does in a channel."""
        return await self._store.channels.mode(guild_id, channel_id)

    async def consent(self, guild_id: int, user_id: int) -> tuple[Consent, bool]:
        """(what a member lets the bot keep, whether moderators let the bot ignore them); guild 0 is everywhere."""
        return (await self._store.consents.of(guild_id, [user_id]))[user_id]

    async def guilds_of(self, user_id: int) -> list[int]:
        """The guilds that know anything of a member."""
        return await self._store.consents.guilds_with(user_id, await self._store.people.guilds())

    async def guilds(self) -> list[int]:
        """The guilds that anything is stored of."""
        return await self._store.people.guilds()

    async def guild_left(self, guild_id: int) -> None:
        """The bot was removed from a guild: what is stored goes after a grace, unless it comes back."""
        if (await self.rules(guild_id)).left_at is None:
            await self._store.people.set_rules(guild_id, left_at=self._clock())

    async def guild_back(self, guild_id: int) -> None:
        """The bot is in a guild."""
        await self._store.people.back(guild_id)

    async def greeted(self, guild_id: int) -> bool:
        """Note that a guild was told what is stored; whether it was told before."""
        before = (await self.rules(guild_id)).greeted
        await self._store.people.set_rules(guild_id, greeted_at=self._clock())
        return before

    async def member_left(self, guild_id: int, user_ids: Collection[int]) -> None:
        """Members left: what is stored of them goes after a grace, unless they come back."""
        await self._store.people.left(guild_id, user_ids, self._clock())

    async def member_back(self, guild_id: int, user_ids: Collection[int]) -> None:
        """Members are there."""
        await self._store.people.left(guild_id, user_ids, None)

    async def stored_since(self, guild_id: int, channel_id: int, after_id: int) -> dict[int, datetime | None]:
        """The stored messages of a channel after one, with the times of their last edits."""
        return await self._store.messages.since(guild_id, channel_id, after_id)

    # People and places

    async def members(self, guild_id: int, user_ids: Collection[int] | None = None) -> dict[int, Member]:
        """The known members of a guild, or those of `user_ids` alone."""
        return await self._store.people.members(guild_id, user_ids)

    async def named_in(self, guild_id: int, text: str, also: Collection[int] = ()) -> dict[int, Member]:
        """The members whom a text may name, by the start of a name, signs and case aside; and those of `also`."""
        return await self._store.people.called(guild_id, possible_names(text), {*mentioned(text), *also})

    async def named_like(self, guild_id: int, name: str) -> dict[int, Member]:
        """Members who have a name much like one that nobody has."""
        return await self._store.people.called_alike(guild_id, name)

    async def channels(self, guild_id: int) -> dict[int, Channel]:
        """The known channels of a guild."""
        return await self._store.channels.list(guild_id)

    async def update_channel(self, channel: Channel) -> bool:
        """Keep a channel's name and audience; returns whether its audience changed."""
        moved = await self._store.channels.update(channel)
        if moved:
            self._changed(channel.guild_id)
        return moved

    async def update_channels(self, layout: Layout) -> int:
        """Keep who can read a guild's channels and what may be heard where; returns how many channels moved."""
        moved = await self._store.channels.update_all(layout)
        self._changed(layout.guild_id)
        return moved

    async def audible_in(self, guild_id: int, audience: int) -> tuple[int, ...]:
        """The audiences whose words may be told where `audience` listens."""
        return await self._audible.audible_in(guild_id, audience)

    async def base_role(self, guild_id: int) -> int | None:
        """The role that every member of a guild has once they are let in, where it has named one."""
        return await self._audible.base_role(guild_id)

    async def set_jokes(self, member: Member, wanted: bool) -> None:
        """Let jokes be made about a member, or not."""
        await self._store.people.set_jokes(member, wanted, self._clock())

    async def time_zone(self, guild_id: int) -> ZoneInfo:
        """The zone that decides a guild's days."""
        return await self._contexts.zone(guild_id)

    async def set_time_zone(self, guild_id: int, name: str) -> None:
        """Let a zone decide a guild's days. Raises ValueError where there is no such zone."""
        await self._store.people.set_time_zone(guild_id, zone(name).key)
        self._changed(guild_id)

    async def recent(
        self, guild_id: int, channel_id: int, before_id: int, *, minutes: int = 60, limit: int = 30
    ) -> list[Message]:
        """What was last said in a channel before a message, oldest first."""
        since = self._clock().astimezone(UTC) - timedelta(minutes=minutes)
        return await self._store.messages.recent(guild_id, channel_id, before_id, since, limit)

    async def message(self, guild_id: int, message_id: int) -> Message | None:
        """One message, or None where it is not stored."""
        return await self._store.messages.get(guild_id, message_id)

    async def last_written(self, guild_id: int, user_id: int) -> datetime | None:
        """When a member's newest stored message was written."""
        return await self._store.messages.last_written(guild_id, user_id)

    async def count(self, guild_id: int) -> int:
        """How many messages of a guild are stored."""
        return await self._store.messages.count(guild_id)

    # Replies and the AI's state

    async def claim(
        self,
        guild_id: int,
        trigger_id: int,
        kind: str,
        channel_id: int,
        *,
        since: datetime | None = None,
        anew: bool = False,
    ) -> bool:
        """Take it on to answer a message; False where that was done before, by any process.

        What was begun before `since` and not finished is taken on once more; with `anew`, what was finished too.
        """
        return await self._store.replies.claim(guild_id, trigger_id, kind, channel_id, self._clock(), since, anew)

    async def unclaim(self, guild_id: int, trigger_id: int, kind: str) -> None:
        """Give a claim back."""
        await self._store.replies.unclaim(guild_id, trigger_id, kind)

    async def given(
        self,
        guild_id: int,
        trigger_id: int,
        kind: str,
        reply_ids: Collection[int],
        given: dict[str, Any],
        *,
        facts: Collection[int] = (),
        messages: Collection[int] = (),
        notes: Collection[int] = (),
        generation: int | None = None,
    ) -> None:
        """Note what a reply was given. With `generation`, its words are not kept where the past changed since."""
        await self._store.replies.given(
            guild_id, trigger_id, kind, reply_ids, given, facts=facts, messages=messages, notes=notes
        )
        if generation is not None and generation != self.generation(guild_id):
            for reply_id in reply_ids:
                await self.keep_off_record(guild_id, reply_id)

    def generation(self, guild_id: int) -> int:
        """Differs when a guild's past was changed in between: something was deleted, edited or forgotten."""
        return self._generations.of(guild_id)

    async def given_to(self, guild_id: int, reply_id: int) -> tuple[int, dict[str, Any]] | None:
        """(channel, what it was given) of one of the bot's answers."""
        return await self._store.replies.of_reply(guild_id, reply_id)

    async def last_reply(self, guild_id: int, channel_id: int, kind: str) -> datetime | None:
        """When the newest reply of a kind was made in a channel."""
        return await self._store.replies.last(guild_id, channel_id, kind)

    async def state(self, name: str) -> str | None:
        """What the bot noted under `name`."""
        return await self._store.people.state(name)

    async def set_state(self, name: str, value: str) -> None:
        """Note `value` under `name`."""
        await self._store.people.set_state(name, value)

    async def quotas(self) -> tuple[Quota, ...]:
        """Each model's use today against its limits."""
        trouble = {client.model: client.trouble for client in (self._small, self._batch) if client.model}
        return tuple(
            replace(quota, trouble=trouble[quota.model])
            for quota in await self._governor.today(tuple(reversed(trouble)))
        )


def _unnamed(guild_id: int, user_id: int) -> Member:
    return Member(guild_id=guild_id, user_id=user_id, display_name="", username="")
