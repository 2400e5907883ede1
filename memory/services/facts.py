"""Facts: taught, listed, confirmed, corrected and restored."""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from dataclasses import asdict, dataclass, fields, replace
from datetime import UTC, datetime, timedelta
from functools import partial
from typing import Any

from memory.ai.prompts import FACT_CHARACTERS
from memory.core import Core
from memory.forgetting.execution import UNDO
from memory.forgetting.sealing import Seal, opened
from memory.ids import ChannelId, GuildId, MessageId, UserId, private_to, server_subject
from memory.levels.facts import Facts
from memory.permissions import (
    Viewer,
    audiences_for,
    may_administer,
    may_confirm,
    may_correct,
    may_open_receipt,
    may_restore,
    may_see_change,
    may_see_fact,
    require,
)
from memory.records import (
    EVERYONE,
    Change,
    Fact,
    FactSource,
    Member,
    NotRemembered,
    Receipt,
    Remembered,
    Statement,
    Undo,
    Why,
)
from memory.rules.ageing import Standing, standing
from memory.rules.keywords import keywords
from memory.rules.names import alias_given
from memory.rules.statements import is_plain
from memory.rules.text import fit, mentioned, one_line
from memory.rules.updates import may_be_update
from memory.services.messages import MessageService
from memory.store.facts import Teaching


@dataclass(frozen=True)
class FactService:
    """What people told the bot. Methods may raise DatabaseUnavailable; methods that change something raise
    NotAllowed."""

    _core: Core
    _facts: Facts
    _messages: MessageService

    # Reading

    async def list(self, viewer: Viewer, user_id: UserId) -> Sequence[Fact]:
        """List a member's live facts that the viewer may be shown, oldest first."""
        audiences = audiences_for(viewer, user_id)
        found = await self._core.store.facts.live(viewer.guild_id, [user_id], audiences)
        return await self._core.naming.facts_with_names(viewer.guild_id, found[user_id])

    async def list_retired(self, viewer: Viewer, user_id: UserId) -> Sequence[tuple[Fact, Fact | None]]:
        """List a member's retired facts that the viewer may be shown, newest first, each with the fact that took its
        place, if the viewer may be shown that too."""
        pairs = await self._core.store.facts.retired(viewer.guild_id, user_id, audiences_for(viewer, user_id))
        newer = {new.fact_id: new for _, new in pairs if new is not None and may_see_fact(viewer, new)}
        found = [old for old, _ in pairs]
        named = await self._core.naming.facts_with_names(viewer.guild_id, [*found, *newer.values()])
        by_id = {fact.fact_id: fact for fact in named}
        return [(by_id[old.fact_id], by_id.get(old.superseded_by or 0)) for old in found]

    async def get(self, viewer: Viewer, fact_id: int) -> Fact | None:
        """Get one fact, live or retired. None if it does not exist or the viewer may not be shown it."""
        return (await self.get_many(viewer, [fact_id])).get(fact_id)

    async def get_many(self, viewer: Viewer, fact_ids: Collection[int]) -> dict[int, Fact]:
        """Get facts by id, live or retired. Those that the viewer may not be shown are missing."""
        found = (await self._core.store.facts.get_many(viewer.guild_id, fact_ids)).values()
        listed = [fact for fact in found if may_see_fact(viewer, fact)]
        return {fact.fact_id: fact for fact in await self._core.naming.facts_with_names(viewer.guild_id, listed)}

    async def sources(self, viewer: Viewer, facts: Collection[Fact]) -> dict[int, Sequence[FactSource]]:
        """List, for each fact, the times it was told where the viewer may be shown it."""
        listed = {fact.fact_id: fact for fact in facts if may_see_fact(viewer, fact)}
        found = await self._core.store.facts.sources(viewer.guild_id, list(listed))
        return {
            fact_id: [s for s in sources if s.audience in audiences_for(viewer, listed[fact_id].user_id)]
            for fact_id, sources in found.items()
        }

    def standing(self, fact: Fact) -> Standing:
        """Whether a fact is current, fading or stale now."""
        return standing(fact, self._core.clock())

    async def history(
        self, viewer: Viewer, user_id: UserId, *, limit: int, skip: int = 0
    ) -> tuple[Sequence[tuple[Change, Sequence[Fact]]], bool]:
        """List changes about a member, newest first, with the facts that the viewer may be shown. Also return whether
        there are more.

        `limit` applies before the changes are left out that the viewer may not be shown, so fewer may be returned.
        """
        found = await self._core.store.audit.list(viewer.guild_id, user_id=user_id, limit=limit + 1, skip=skip)
        changes = found[:limit]
        ids = {n for change in changes for n in change.fact_ids}
        every = await self._core.store.facts.get_many(viewer.guild_id, ids)
        seen = [
            change
            for change in changes
            if may_see_change(viewer, change, [every[n] for n in change.fact_ids if n in every])
        ]
        readable = [fact for fact in every.values() if may_see_fact(viewer, fact)]
        named = await self._core.naming.facts_with_names(viewer.guild_id, readable)
        listed = {fact.fact_id: fact for fact in named}
        lines = [(change, [listed[n] for n in change.fact_ids if n in listed]) for change in seen]
        return lines, len(found) > limit

    async def receipt(self, viewer: Viewer, entry_id: int) -> Receipt:
        """What a change deleted, and what a second search found. Raises NotAllowed."""
        change = await self._core.store.audit.get(viewer.guild_id, entry_id)
        require(change is not None and may_open_receipt(viewer, change))
        assert change is not None
        return Receipt(
            guild_id=change.guild_id,
            user_id=change.user_id,
            action=change.action,
            at=change.at,
            removed=change.details.get("removed", {}),
            found=change.details.get("second_search", {}),
        )

    # Teaching

    async def remember(self, viewer: Viewer, statement: Statement, subject: Member, author: Member) -> Remembered:
        """Store what the viewer states about a member, in the words of `author`. Raises NotRemembered."""
        _check_own(viewer, statement)
        if statement.author is None and author.user_id != statement.stated_by:
            statement = replace(statement, author=author.user_id)
        check = partial(self._check_sources, statement)
        check()
        done = await self._facts.remember(
            viewer, statement, subject, author, check=check, undo_until=self._core.clock() + UNDO
        )
        try:
            check()
        except NotRemembered:  # a source was deleted as it was stored: what it told goes with it, and changed nothing
            await self._messages.delete(statement.guild_id, self._deleted_sources(statement))
            await self._messages.flush()
            await self._core.store.facts.restore(statement.guild_id, [fact.fact_id for fact in done.replaced])
            raise
        self._core.generations.move(statement.guild_id)
        return await self._core.naming.remembered(statement.guild_id, done, [subject, author])

    async def check(self, viewer: Viewer, statement: Statement) -> None:
        """Raise NotRemembered if a rule in code forbids storing a statement. Stores nothing."""
        _check_own(viewer, statement)
        self._check_sources(statement)
        await self._facts.check_may_store(viewer, statement, fit(one_line(statement.quote), FACT_CHARACTERS))

    async def is_update(self, viewer: Viewer, text: str, speaker: Member) -> bool:
        """Whether what the viewer says by itself certainly changes a fact about them or about the server."""
        return may_be_update(text) and await self._facts.is_update(viewer, text, speaker)

    async def correct(self, viewer: Viewer, fact_id: int, text: str, *, message_id: MessageId) -> Remembered:
        """Replace a fact's text and retire the old one. Raises NotAllowed and NotRemembered.

        `message_id` identifies where the new text was typed. It is negative if that was a form, not a message.
        """
        fact, now = await self._named(viewer, fact_id, may_correct), self._core.clock()
        statement = Statement(
            guild_id=fact.guild_id,
            user_id=fact.user_id,
            stated_by=viewer.user_id,
            quote=text,
            channel_id=fact.channel_id,
            message_id=message_id,
            audience=fact.audience,
            is_confirmed=fact.private,
        )
        statement = await self._facts.check_may_store(viewer, statement, one_line(text))
        subject = await self._subject(fact.guild_id, fact.user_id)
        (value,) = await self._core.naming.with_ids(fact.guild_id, [fit(one_line(text), FACT_CHARACTERS)], subject)
        people = set(mentioned(value))
        about_another = people and fact.user_id not in people and not subject.is_server
        if viewer.user_id != fact.user_id and (not is_plain(one_line(text)) or about_another):
            raise NotRemembered(Why.UNCLEAR)
        done = await self._core.store.facts.add(
            Teaching(
                statement=statement,
                value=value,
                key=fact.key,
                domain=fact.domain,
                now=now,
                action="correct",
                undo_until=now + UNDO,
                replaces=[fact.fact_id],
                because="corrected",
            )
        )
        self._core.generations.move(fact.guild_id)
        return await self._core.naming.remembered(fact.guild_id, done)

    async def confirm(self, viewer: Viewer, fact_id: int) -> Fact | None:
        """Record that a fact still holds. None if it was retired meanwhile. Raises NotAllowed."""
        fact = await self._named(viewer, fact_id, may_confirm)
        found = await self._core.store.facts.confirm(fact.guild_id, fact.fact_id, viewer.user_id, self._core.clock())
        if found is None:
            return None
        if viewer.user_id == fact.user_id and fact.audience == EVERYONE and (alias := alias_given(found.value)):
            await self._core.store.people.add_alias(fact.guild_id, fact.user_id, alias)
        await self._record(viewer, fact, "confirm")
        return (await self._core.naming.facts_with_names(fact.guild_id, [found]))[0]

    async def restore(self, viewer: Viewer, fact_id: int) -> Fact | None:
        """Make a retired fact live again, in place of the fact that replaced it. Raises NotAllowed.

        None if an equal fact is live. Only its subject can restore what was forgotten.
        """
        found = await self._core.store.facts.get_many(viewer.guild_id, [fact_id])
        fact = found.get(fact_id)
        newer_id = fact.superseded_by if fact is not None else None
        newer = (await self._core.store.facts.get_many(viewer.guild_id, [newer_id])).get(newer_id) if newer_id else None
        require(fact is not None and may_restore(viewer, fact, newer))
        assert fact is not None
        named = (await self._core.naming.facts_with_names(fact.guild_id, [fact]))[0]
        suppressed = await self._core.suppressions.get(fact.guild_id)
        if not viewer.is_person(fact.user_id) and suppressed.tells(named.value, [fact.user_id]):
            return None
        restored = await self._core.store.facts.restore(fact.guild_id, [fact.fact_id], self._core.clock())
        if restored and newer is not None and newer.retired_at is None:
            await self._core.store.facts.supersede(
                [newer], restored[0], "the earlier one was restored", self._core.clock()
            )
        await self._record(viewer, fact, "restore")
        return (await self._core.naming.facts_with_names(fact.guild_id, restored))[0] if restored else None

    # Sensitive matters wait, sealed, until their subject confirms them

    async def await_confirmation(self, viewer: Viewer, statement: Statement) -> Undo:
        """Store a statement, encrypted, until the viewer confirms it."""
        _check_own(viewer, statement)
        seal, now = Seal(), self._core.clock()
        entry_id = await self._core.store.audit.note(
            statement.guild_id,
            at=now,
            actor_id=viewer.user_id,
            action="pending",
            user_id=statement.user_id,
            sealed=seal.close(asdict(statement)),
            sealed_messages=[statement.message_id] if statement.message_id else [],
            sealed_ids=[statement.user_id],
            undo_until=now + UNDO,
        )
        return Undo(entry_id=entry_id, key=seal.key)

    async def confirm_pending(self, viewer: Viewer, undo: Undo, speaker: Member) -> Remembered | None:
        """Store the statement that waited for the viewer's confirmation. None if it no longer waits. Raises
        NotRemembered.

        A sensitive statement about oneself is shown to its subject alone. Any other is stored for the readers of the
        channel.
        """
        statement = await self._take_held(viewer, undo)
        if statement is None:
            return None
        if statement.user_id == viewer.user_id and statement.is_confirmed:
            return await self.remember(
                viewer, replace(statement, audience=private_to(viewer.user_id)), speaker, speaker
            )
        subject = await self._subject(statement.guild_id, statement.user_id)
        return await self.remember(
            replace(viewer, audience=statement.audience, audiences=(statement.audience,)), statement, subject, speaker
        )

    async def discard_pending(self, viewer: Viewer, undo: Undo) -> bool:
        """Delete the statement that waits for the viewer's confirmation. Return whether there was one."""
        return await self._take_held(viewer, undo) is not None

    async def _take_held(self, viewer: Viewer, undo: Undo) -> Statement | None:
        now = self._core.clock()
        sealed = await self._core.store.audit.take_pending(viewer.guild_id, undo.entry_id, viewer.user_id, now)
        if sealed is None:
            return None
        try:
            content = opened(sealed, undo.key)
        except ValueError:
            return None
        names = {field.name for field in fields(Statement)}  # an earlier version may have sealed others
        known: dict[str, Any] = {
            name: tuple(v) if isinstance(v, list) else v for name, v in content.items() if name in names
        }
        return Statement(**{"is_confirmed": True, **known})

    async def taught_by(self, viewer: Viewer, user_id: UserId, since: datetime) -> Sequence[Fact]:
        """List the facts that a member taught since a moment, without private ones. Raises NotAllowed."""
        require(may_administer(viewer))
        until = self._core.clock() + timedelta(seconds=1)
        found = await self._core.store.facts.taught_by(viewer.guild_id, user_id, since, until)
        return await self._core.naming.facts_with_names(viewer.guild_id, [fact for fact in found if not fact.private])

    async def find_taught(self, viewer: Viewer, text: str) -> Sequence[Fact]:
        """Find the live facts that the viewer taught about others, and that have every word of a text that says
        anything."""
        facts, wanted = await self.list_taught(viewer, viewer.user_id), set(keywords(text))
        of_others = [fact for fact in facts if fact.user_id != viewer.user_id]
        return [fact for fact in of_others if wanted and wanted <= set(keywords(fact.value))]

    async def list_taught(self, viewer: Viewer, user_id: UserId) -> Sequence[Fact]:
        """List the live facts that a member taught, as far as the viewer may see them."""
        since, until = datetime.fromtimestamp(0, UTC), self._core.clock() + timedelta(seconds=1)
        taught = await self._core.store.facts.taught_by(viewer.guild_id, user_id, since, until)
        seen = [fact for fact in taught if fact.retired_at is None and may_see_fact(viewer, fact)]
        return await self._core.naming.facts_with_names(viewer.guild_id, seen)

    async def list_taught_in(self, viewer: Viewer, channel_id: ChannelId, since: datetime) -> Sequence[Fact]:
        """List the live facts, private ones too, that the viewer taught in a channel since a moment, oldest first."""
        until = self._core.clock() + timedelta(seconds=1)
        taught = await self._core.store.facts.taught_by(viewer.guild_id, viewer.user_id, since, until)
        here = [fact for fact in taught if fact.channel_id == channel_id and fact.retired_at is None]
        return sorted(here, key=lambda fact: fact.fact_id)

    async def last_taught(self, viewer: Viewer, channel_id: ChannelId, since: datetime) -> Fact | None:
        """Get the last fact, also a private one, that the viewer taught in a channel since a moment, if live."""
        here = await self.list_taught_in(viewer, channel_id, since)
        if not here:
            return None
        last = here[-1]
        return last if last.audience == -viewer.user_id else await self.get(viewer, last.fact_id)

    async def last_told_about(self, viewer: Viewer, channel_id: ChannelId, since: datetime) -> Fact | None:
        """Get the last live fact about the viewer that somebody else taught in a channel since a moment."""
        live = await self._core.store.facts.live(viewer.guild_id, [viewer.user_id], viewer.audiences)
        told = [f for f in live[viewer.user_id] if f.channel_id == channel_id and f.created_at >= since]
        others = [f for f in told if f.stated_by != viewer.user_id]
        return await self.get(viewer, max(f.fact_id for f in others)) if others else None

    async def _subject(self, guild_id: GuildId, user_id: UserId) -> Member:
        if user_id == server_subject(guild_id):
            return await self._core.guilds.server(guild_id)
        members = await self._core.store.people.members(guild_id, [user_id])
        return members.get(user_id) or Member.unnamed(guild_id, user_id)

    async def _named(self, viewer: Viewer, fact_id: int, may: Callable[[Viewer, Fact], bool]) -> Fact:
        """A stored fact, where the viewer may do something with it. Raises NotAllowed."""
        fact = (await self._core.store.facts.get_many(viewer.guild_id, [fact_id])).get(fact_id)
        require(fact is not None and may(viewer, fact))
        assert fact is not None
        return fact

    def _check_sources(self, statement: Statement) -> None:
        """Raise NotRemembered where one of the messages a statement comes from was deleted."""
        if self._deleted_sources(statement):
            raise NotRemembered(Why.GONE)

    def _deleted_sources(self, statement: Statement) -> Sequence[MessageId]:
        sources = list(statement.context_ids)
        if statement.message_id is not None:
            sources.insert(0, statement.message_id)
        return [n for n in sources if self._messages.was_deleted(statement.guild_id, n)]

    async def _record(self, viewer: Viewer, fact: Fact, action: str) -> None:
        await self._core.store.audit.note(
            fact.guild_id,
            at=self._core.clock(),
            actor_id=viewer.user_id,
            action=action,
            user_id=fact.user_id,
            fact_ids=[fact.fact_id],
        )
        self._core.generations.move(fact.guild_id)


def _check_own(viewer: Viewer, statement: Statement) -> None:
    """Raise NotAllowed unless a statement is the viewer's own, for an audience that hears it from them."""
    own = statement.guild_id == viewer.guild_id and statement.stated_by == viewer.user_id
    for_oneself = statement.user_id == viewer.user_id and statement.audience == -viewer.user_id
    require(own and (statement.audience == viewer.audience or for_oneself))
