"""What a request to forget takes away, what it leaves, and what is refused and why. Decided before anything is done."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date
from typing import Any

from memory.ids import AudienceId, ChannelId, MessageId, UserId
from memory.permissions import Refusal, Scope, Viewer, may_strike, refusal, scope_of, searched_audiences
from memory.records import Conclusion, Fact, Member, Message, Note
from memory.rules.folding import folded, surface
from memory.rules.keywords import WORD, keywords
from memory.rules.suppression import Fingerprints, KeyedStatement, tells
from memory.rules.text import without_ids


@dataclass(frozen=True, kw_only=True)
class ForgetRequest:
    """What somebody asks to have forgotten about a member: facts, and in which words they asked."""

    viewer: Viewer
    subject: Member
    action: str
    facts: Sequence[Fact] = ()
    text: str = ""
    stored: Sequence[Fact] | None = None
    """All facts about the member, where they were read already."""

    @property
    def scope(self) -> Scope:
        """How far the viewer's word reaches."""
        return scope_of(self.viewer, self.subject.user_id)

    @property
    def searched_audiences(self) -> Collection[AudienceId] | None:
        """The audiences in which the statements are looked for; None for all."""
        return searched_audiences(self.viewer, self.subject.user_id)

    @property
    def allowed(self) -> list[Fact]:
        """The facts the viewer may have forgotten."""
        return [fact for fact in self.facts if may_strike(self.viewer, fact)]

    @property
    def refused(self) -> dict[int, Refusal]:
        """The facts the viewer may not have forgotten, each with why."""
        found = {fact.fact_id: refusal(self.viewer, fact) for fact in self.facts}
        return {fact_id: why for fact_id, why in found.items() if why is not None}

    @property
    def statements(self) -> list[str]:
        """What is to be told no more: the allowed facts, and the words of the request where they mean one thing."""
        found = [fact.value for fact in self.allowed]
        means_one = len(found) == 1 or not self.facts
        return [*found, self.text] if self.text and means_one else found

    @property
    def ignored(self) -> tuple[str, ...]:
        """The subject's names, which tell nothing of them; one that the facts themselves tell is what is forgotten."""
        told = {folded(word) for fact in self.facts for word in WORD.findall(surface(without_ids(fact.value)))}
        subject = self.subject
        aliases = {*subject.aliases} - {subject.display_name, subject.global_name, subject.username}
        return tuple(
            name
            for name in self.subject.names
            if name not in aliases or not {folded(word) for word in WORD.findall(surface(name))} <= told
        )

    @property
    def keywords(self) -> list[list[str]]:
        """The stems of each statement that has any."""
        ignored = self.ignored
        found = [tuple(keywords(statement, ignore=ignored)) for statement in self.statements]
        return [list(stems) for stems in dict.fromkeys(found) if stems]


@dataclass(frozen=True, kw_only=True)
class Candidates:
    """What may tell the statements: it shares keywords with them, or is about the subject.

    Each message comes with the members it may tell something of.
    """

    messages: Sequence[tuple[Message, Collection[int]]] = ()
    facts: Sequence[Fact] = ()
    shared: Sequence[Fact] = ()
    """The same facts about other members: one statement told them of several."""
    notes: Sequence[Note] = ()
    conclusions: Sequence[Conclusion] = ()
    names: Sequence[str] = ()
    """The names that mean the subject and nobody else."""
    turns: Sequence[tuple[str, str | None]] = ()
    """Turns and segments of talks that go on, with their words; None for words that cannot be read."""


@dataclass(frozen=True, kw_only=True)
class Plan:
    """What goes, by id, and with it what was made from it; whatever else there is stays."""

    user_id: UserId
    actor_id: UserId
    action: str
    fact_ids: Sequence[int] = ()
    message_ids: Sequence[MessageId] = ()
    note_ids: Sequence[int] = ()
    conclusion_ids: Sequence[int] = ()
    turns: Sequence[str] = ()
    """Turns and segments of talks that go on, by their nodes."""
    teller: UserId | None = None
    """Where there is one, of the facts only what this member told goes, and what others told stays."""
    channel_id: ChannelId | None = None
    """With a `teller`: what anybody told in this channel, which the teller moderates, goes too."""
    suppressed: Sequence[KeyedStatement] = ()
    """What is kept from coming back."""
    names: Sequence[str] = ()
    """The subject's names: texts a model made about them go where a statement is suppressed."""
    refused: Mapping[int, Refusal] = field(default_factory=dict)
    """The facts the viewer may not have forgotten, each with why."""
    further_facts: int = 0
    """How many of the facts nobody asked for: retired ones, or ones told elsewhere, that tell the same."""
    administrative: bool = False
    details: Mapping[str, Any] = field(default_factory=dict)

    @property
    def is_empty(self) -> bool:
        """Whether nothing goes."""
        return not (self.fact_ids or self.message_ids or self.note_ids or self.conclusion_ids)


def plan_forgetting(request: ForgetRequest, found: Candidates, fingerprints: Fingerprints) -> Plan:
    """Decide what a request takes away of what was found.

    Facts go where the viewer may strike them. Messages go that tell a statement and were written by the viewer, or,
    by the subject's or a moderator's word, may be about the subject; so do notes, conclusions, turns. By the
    subject's word also the retired facts, and those told elsewhere, that tell the same.
    """
    viewer, subject, scope = request.viewer, request.subject.user_id, request.scope
    asked = {fact.fact_id for fact in request.facts}
    ignored = request.ignored
    keyed = [
        fingerprints.of_statement(statement, ignore=ignored, small=bool(request.facts))
        for statement in request.statements
    ]
    statements = [statement for statement in keyed if statement.fingerprints]

    def goes(text: str) -> bool:
        return tells(fingerprints, text, statements)

    further = [
        fact.fact_id
        for fact in found.facts
        if scope in (Scope.EVERYWHERE, Scope.READABLE)
        and fact.fact_id not in asked
        and (fact.retired_at is not None or fact.audience not in viewer.audiences)
        and may_strike(viewer, fact)
        and goes(f"{fact.value} {fact.quote}")
    ]
    removes_all = scope is not Scope.OWN_SOURCES
    return Plan(
        user_id=subject,
        actor_id=viewer.user_id,
        action=request.action,
        fact_ids=[*(fact.fact_id for fact in (*request.allowed, *found.shared)), *further],
        message_ids=[
            message.message_id
            for message, subjects in found.messages
            if (message.user_id == viewer.user_id or (removes_all and subject in subjects)) and goes(message.text)
        ],
        note_ids=[note.note_id for note in found.notes if removes_all and goes(note.text)],
        turns=[node for node, text in found.turns if removes_all and (text is None or goes(text))],
        conclusion_ids=[one.conclusion_id for one in found.conclusions if removes_all and goes(one.text)],
        teller=None if removes_all else viewer.user_id,
        channel_id=None if removes_all else viewer.moderated_channel,
        suppressed=list(dict.fromkeys(statements)) if removes_all else [],
        names=found.names,
        refused=request.refused,
        further_facts=len(further),
    )


def plan_rollback(viewer: Viewer, teacher: Member, facts: Sequence[Fact]) -> Plan:
    """Take back everything one member taught in `facts`: their sources go, what others told too stays."""
    return Plan(
        user_id=teacher.user_id,
        actor_id=viewer.user_id,
        action="rollback",
        fact_ids=[fact.fact_id for fact in facts],
        teller=teacher.user_id,
        administrative=True,
    )


def plan_days(viewer: Viewer, first: date, last: date, message_ids: Sequence[MessageId], notes: Sequence[Note]) -> Plan:
    """Take a member's own days: what was noted of them, and their own messages, so that it is not noted again."""
    return Plan(
        user_id=viewer.user_id,
        actor_id=viewer.user_id,
        action="forget_day",
        message_ids=message_ids,
        note_ids=[note.note_id for note in notes],
        details={"day": first.isoformat(), **({"until": last.isoformat()} if last != first else {})},
    )
