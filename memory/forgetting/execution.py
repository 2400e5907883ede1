"""Forgetting carried out: gather what the plan needs, take away what it names, search again, and undo."""

from __future__ import annotations

import time
from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace
from datetime import date, datetime, timedelta
from typing import Any

from memory.core import Core
from memory.forgetting.plan import Candidates, ForgetRequest, Plan, plan_days, plan_forgetting, plan_rollback
from memory.forgetting.sealing import Seal, opened
from memory.ids import AudienceId, GuildId, UserId
from memory.levels.facts import Facts
from memory.observer import Removal
from memory.permissions import (
    Scope,
    Viewer,
    audiences_for,
    may_administer,
    may_strike,
    may_strike_days,
    may_undo,
    require,
    scope_of,
)
from memory.records import Change, Fact, Forgotten, Member, Message, Receipt, Undo
from memory.rules.calendar import bounds, period_end
from memory.rules.keywords import keywords
from memory.rules.parts import others_in
from memory.rules.text import mentioned
from memory.store import Searched
from memory.suppressions import concerned

UNDO = timedelta(minutes=10)
"""How long a change can be undone."""


@dataclass(frozen=True)
class Forgetting:
    """Takes statements away, holds them sealed for Undo, and says what was found and what is left.

    Raises NotAllowed where managers alone may, and DatabaseUnavailable.
    """

    _core: Core
    _facts: Facts

    async def forget(self, viewer: Viewer, subject: Member, request: str) -> Forgotten:
        """Forget what `request` means, as far as the viewer may; candidates where that is open.

        Where no fact tells it, the subject and moderators still have it looked for in messages and notes.
        """
        request = _with_name(request, subject)
        audiences = audiences_for(viewer, subject.user_id)
        stored = await self._core.store.facts.list_all(viewer.guild_id, subject.user_id)
        found = sorted(
            (fact for fact in stored if fact.retired_at is None and fact.audience in audiences),
            key=lambda fact: (fact.created_at, fact.fact_id),
        )
        live = await self._core.naming.facts_with_names(viewer.guild_id, found, [subject])
        match = await self._facts.match(viewer.guild_id, subject, request, live, audiences)
        if match.facts and (not match.is_sure or await self._leaves_others(viewer, subject, request, match.facts)):
            return Forgotten(candidates=match.facts)
        if match.facts:
            return await self._forget_facts(viewer, subject, match.facts, text=request, stored=stored)
        if scope_of(viewer, subject.user_id) is not Scope.OWN_SOURCES:
            talk = ForgetRequest(viewer=viewer, subject=subject, action="forget", text=request, stored=stored)
            if (done := await self._forget(talk)) is not None:
                return done
        return Forgotten(nearest=match.nearest)

    async def _leaves_others(self, viewer: Viewer, subject: Member, request: str, facts: Sequence[Fact]) -> bool:
        """Whether one of some facts also has a clause about somebody else that a request doesn't name: "I ski and Bob
        sings", on "forget that I ski"."""
        left = [clause for fact in facts for clause in others_in(fact.value, request)]
        if not left:
            return False
        named = await self._core.naming.with_ids(viewer.guild_id, [clause[:1].upper() + clause[1:] for clause in left])
        others = [text for text in named if text.startswith("<@") and subject.user_id not in mentioned(text)[:1]]
        return any(keywords(text.partition(">")[2]) for text in others)

    async def find(self, viewer: Viewer, subject: Member, request: str, *, by_words: bool = False) -> Sequence[Fact]:
        """The facts that a request to forget may mean, with names; nothing is forgotten. With `by_words`, no model is
        asked."""
        request = _with_name(request, subject)
        audiences = audiences_for(viewer, subject.user_id)
        found = await self._core.store.facts.live(viewer.guild_id, [subject.user_id], audiences)
        live = await self._core.naming.facts_with_names(viewer.guild_id, found[subject.user_id], [subject])
        match = await self._facts.match(viewer.guild_id, subject, request, live, audiences, by_words=by_words)
        return match.facts or match.nearest

    async def strike(self, viewer: Viewer, subject: Member, facts: Sequence[Fact]) -> Forgotten:
        """Forget facts about a member, as far as the viewer may."""
        stored = await self._core.store.facts.get_many(viewer.guild_id, [fact.fact_id for fact in facts])
        of_subject = [fact for fact in stored.values() if fact.user_id == subject.user_id]
        return await self._forget_facts(viewer, subject, of_subject)

    async def forget_key(self, viewer: Viewer, subject: Member, key: str) -> Forgotten:
        """Forget all facts of one key: by the subject's word wherever they were told, else the live ones told here."""
        every = await self._core.store.facts.list_all(viewer.guild_id, subject.user_id)
        is_theirs = scope_of(viewer, subject.user_id) in (Scope.EVERYWHERE, Scope.READABLE)
        of_key = [
            fact
            for fact in every
            if fact.key == key
            and (may_strike(viewer, fact) if is_theirs else fact.audience in viewer.audiences and not fact.retired_at)
        ]
        return await self._forget_facts(viewer, subject, of_key, action="forget_key", stored=every)

    async def roll_back(self, viewer: Viewer, teacher: Member, since: datetime) -> tuple[Undo, int] | None:
        """Take back what one member taught since a moment, and how many facts; None for none. Raises NotAllowed.

        What others told too stands on their word; what is private to its subject is left alone.
        """
        require(may_administer(viewer))
        guild_id, until = viewer.guild_id, self._core.clock() + timedelta(seconds=1)
        taught = await self._core.store.facts.taught_by(guild_id, teacher.user_id, since, until)
        facts = [fact for fact in taught if not fact.private]
        if not facts:
            return None
        plan = plan_rollback(viewer, teacher, facts)
        entry_id, key, _ = await self._carry_out(guild_id, plan)
        found = await self._core.store.forgetting.find_sources(guild_id, plan.fact_ids, teacher.user_id)
        await self._core.store.audit.add(guild_id, entry_id, {"second_search": found})
        return Undo(entry_id=entry_id, key=key), len(facts)

    async def strike_days(self, viewer: Viewer, period: str, first: date, audience: AudienceId) -> Undo | None:
        """Take what was noted of the viewer in a day, week or month, and their own messages of it; None where nothing
        is left."""
        zone, last = await self._core.guilds.zone(viewer.guild_id), period_end(period, first)
        start, end = bounds(first, zone)[0], bounds(last, zone)[1]
        guild_id, user_id = viewer.guild_id, viewer.user_id
        found = await self._core.store.notes.list_for(guild_id, [audience], start, end, [user_id])
        notes = [note for note in found if note.user_id == user_id]
        if not may_strike_days(viewer, user_id, audience) or not notes:
            return None
        mine = await self._core.store.messages.written_by(guild_id, user_id, audience, (start, end))
        entry_id, key, _ = await self._carry_out(guild_id, plan_days(viewer, first, last, mine, notes))
        return Undo(entry_id=entry_id, key=key)

    async def undo(self, viewer: Viewer, undo: Undo) -> Change | None:
        """Take a change back within its time; None where it cannot be any more, or not by this viewer."""

        def allowed(change: Change, audiences: Collection[AudienceId]) -> bool:
            return may_undo(viewer, change, audiences)

        def unsealed(sealed: bytes) -> dict[str, Any]:
            return opened(sealed, undo.key)

        try:
            now = self._core.clock()
            change = await self._core.store.forgetting.undo(viewer.guild_id, undo.entry_id, now, allowed, unsealed)
        except ValueError:  # the key does not open it
            return None
        self._core.generations.move(viewer.guild_id)
        return change

    async def _forget_facts(
        self,
        viewer: Viewer,
        subject: Member,
        facts: Sequence[Fact],
        *,
        text: str = "",
        action: str = "forget",
        stored: Sequence[Fact] | None = None,
    ) -> Forgotten:
        """Forget facts about a member, as far as the viewer may; `text` is the wording one was asked for in, `stored`
        all facts about them."""
        named = await self._core.naming.facts_with_names(viewer.guild_id, facts)
        asked = ForgetRequest(viewer=viewer, subject=subject, action=action, facts=named, text=text, stored=stored)
        return await self._forget(asked) or Forgotten(refused=_refused(asked))

    async def _forget(self, request: ForgetRequest) -> Forgotten | None:
        """Plan, take away, search again; None where nothing goes."""
        guild_id = request.viewer.guild_id
        candidates, searched = await self._candidates(request)
        plan = plan_forgetting(request, candidates, self._core.suppressions.fingerprints)
        if plan.is_empty:
            return None
        entry_id, key, removed = await self._carry_out(guild_id, plan)
        found = await self._found_again(request, plan, searched)
        await self._core.store.audit.add(guild_id, entry_id, {"second_search": found})
        left = await self._left_by_others(request) if plan.teller is not None else frozenset()
        return Forgotten(
            removed=tuple(fact for fact in request.allowed if fact.fact_id not in left),
            told_by_others=tuple(fact for fact in request.allowed if fact.fact_id in left),
            refused=_refused(request),
            further=plan.further_facts,
            undo=Undo(entry_id=entry_id, key=key),
            receipt=Receipt(
                guild_id=guild_id,
                user_id=plan.user_id,
                action=plan.action,
                at=self._core.clock(),
                removed=removed,
                found=found,
            ),
        )

    async def _left_by_others(self, request: ForgetRequest) -> frozenset[int]:
        """The facts that stand still, where what one person told of them went: others told them, too."""
        subject = request.subject.user_id
        live = await self._core.store.facts.live(request.viewer.guild_id, [subject], None)
        return frozenset(fact.fact_id for fact in live[subject])

    async def _carry_out(self, guild_id: GuildId, plan: Plan) -> tuple[int, str, dict[str, int]]:
        """Take away what a plan names; returns the audit's entry, the key that undoes it, and the rows that went."""
        seal, now, began = Seal(), self._core.clock(), time.perf_counter()
        entry_id, counts = await self._core.store.forgetting.carry_out(guild_id, plan, now, now + UNDO, seal.close)
        seconds = time.perf_counter() - began
        self._core.observer.removed(Removal(kind="statement", rows=sum(counts.values()), seconds=seconds))
        self._core.generations.move(guild_id)
        return entry_id, seal.key, {table: count for table, count in counts.items() if count}

    async def _candidates(self, request: ForgetRequest) -> tuple[Candidates, Searched | None]:
        """What may tell the statements of a request: it shares keywords with them, or is about the subject.

        With the search for messages, if there was one.
        """
        shared = await self._core.store.facts.told_with(
            request.viewer.guild_id, [fact.fact_id for fact in request.allowed]
        )
        stems = {stem for stems in request.keywords for stem in stems}
        if not stems:
            return Candidates(shared=shared), None
        guild_id, subject, audiences = request.viewer.guild_id, request.subject, request.searched_audiences
        if subject.named_at is None:
            known = (await self._core.store.people.members(guild_id, [subject.user_id])).get(subject.user_id)
            subject = subject if known is None else replace(subject, named_at=known.named_at)
        names = await self._core.suppressions.unambiguous_names(guild_id, subject)
        is_own = request.scope is Scope.READABLE
        searched = await self._core.store.messages.with_keywords(
            guild_id, subject.user_id, names, stems, audiences, words=request.statements, own_anywhere=is_own
        )
        messages = await self._core.naming.messages(guild_id, searched.messages)
        is_theirs = request.scope in (Scope.EVERYWHERE, Scope.READABLE)
        facts: Sequence[Fact] = ()
        if is_theirs:
            stored = request.stored
            facts = await self._core.store.facts.list_all(guild_id, subject.user_id) if stored is None else stored
        notes = await self._core.store.notes.naming(guild_id, subject.user_id, audiences, stems)
        conclusions = await self._core.store.topics.involving(guild_id, subject.user_id, audiences)
        turns = await self._core.store.sessions.involving(guild_id, subject.user_id)
        candidates = Candidates(
            messages=[(message, _subjects(message, subject, names)) for message in messages],
            names=names,
            facts=await self._core.naming.facts_with_names(guild_id, facts, [subject]),
            shared=shared,
            notes=await self._core.naming.notes_with_names(guild_id, notes),
            conclusions=await self._core.naming.conclusions(guild_id, conclusions),
            turns=[(node, self._core.cipher.decrypt(text)) for node, text in turns],
        )
        return candidates, searched

    async def _found_again(self, request: ForgetRequest, plan: Plan, searched: Searched | None) -> dict[str, int]:
        """Search a second time: the rows, by table, that still tell what was to go."""
        guild_id, subject = request.viewer.guild_id, request.subject
        if plan.teller is not None or not request.keywords:
            fact_ids = plan.fact_ids
            viewer = request.viewer
            return await self._core.store.forgetting.find_sources(guild_id, fact_ids, viewer.user_id, plan.channel_id)
        statements = [*request.keywords, *await self._keywords_by_id(request)]
        stems = {stem for stems in request.keywords for stem in stems}
        if any(stems.isdisjoint(words) for words in statements):  # a message may have all of these and none of those
            searched = None
        return await self._core.store.forgetting.find_words(
            guild_id,
            subject.user_id,
            plan.names,
            statements,
            request.searched_audiences,
            words=request.statements,
            searched=searched,
        )

    async def _keywords_by_id(self, request: ForgetRequest) -> list[list[str]]:
        """The keywords of statements that name anybody else, as stored texts have them: people by id."""
        found = []
        for text in await self._core.naming.with_ids(request.viewer.guild_id, request.statements, request.subject):
            if others := [f"<@{u}>" for u in mentioned(text) if u != request.subject.user_id]:
                found.append([*keywords(text, ignore=request.ignored), *others])
        return found


def _refused(request: ForgetRequest) -> tuple[Fact, ...]:
    return tuple(fact for fact in request.facts if fact.fact_id in request.refused)


def _subjects(message: Message, subject: Member, names: Collection[str]) -> set[UserId]:
    """Whom a message may tell something of, the subject among them where it shows that it means them.

    By id: they wrote it, it mentions them, or it speaks to them; by a name that means them alone, and that they had
    when it was written. The username is theirs as long as they have it: no two members of Discord share one.
    """
    had = subject.named_at is None or message.timestamp >= subject.named_at
    known = [name for name in names if had or name == subject.username]
    found = concerned(message.text, message.user_id, {subject.user_id: known})
    return found | {subject.user_id} if subject.user_id in message.addressees else found


def _with_name(request: str, subject: Member) -> str:
    """A request with the subject's name in the place of a mention: facts have it so."""
    return request.replace(f"<@{subject.user_id}>", subject.display_name)
