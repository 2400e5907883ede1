"""What a request to forget takes away and what it does not, decided before anything is done. Pure."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from memory.records import Fact, Member, Message, Note
from memory.rules.keywords import Marker, keywords, tells

Statement = tuple[frozenset[str], frozenset[str]]
"""The fingerprints of a statement's keywords, and of those that tell it alone."""


def may_change(fact: Fact, by: int, *, moderates: bool) -> bool:
    """Whether somebody may take a fact away: its subject, its teller, or a moderator; what is private, its subject."""
    if fact.private:
        return by == fact.user_id
    return moderates or by in (fact.user_id, fact.stated_by)


@dataclass(frozen=True, kw_only=True)
class Asked:
    """A request to forget facts about a member and what tells them, and who makes it.

    `statements` are the words of what is to be forgotten, `audible` the audiences of where it is asked.
    """

    about: Member
    by: int
    moderates: bool
    action: str
    facts: Sequence[Fact] = ()
    statements: Sequence[str] = ()
    audible: Collection[int] = ()

    @property
    def own(self) -> bool:
        """Whether somebody asks about themselves: then it goes wherever it was told."""
        return self.by == self.about.user_id

    @property
    def rollback(self) -> bool:
        """Whether all that a member taught is taken back: its sources alone go."""
        return self.action == "rollback"

    @property
    def whole(self) -> bool:
        """Whether everything that tells it goes, and it is kept from coming back; else what the asker told alone."""
        return (self.own or self.moderates) and not self.rollback

    @property
    def searched(self) -> Collection[int] | None:
        """The audiences in which it is looked for; None for all."""
        return None if self.own else self.audible

    @property
    def keywords(self) -> list[list[str]]:
        """The stems of each statement that says anything."""
        found = [tuple(keywords(statement, self.about.names)) for statement in self.statements]
        return [list(stems) for stems in dict.fromkeys(found) if stems] if not self.rollback else []


@dataclass(frozen=True, kw_only=True)
class Candidates:
    """What was found that shares keywords with a request, or is about its member.

    `about` are the members each message may tell something of.
    """

    messages: Sequence[tuple[Message, Collection[int]]] = ()
    facts: Sequence[Fact] = ()
    notes: Sequence[Note] = ()


@dataclass(frozen=True, kw_only=True)
class Plan:
    """What goes: facts, messages and notes by their ids; and what is kept from coming back.

    With `teller_only`, of the facts only what `teller` told of them goes. `more` are facts that go besides those
    that were asked for: such as hold no more, or were told elsewhere.
    """

    user_id: int
    actor_id: int
    action: str
    fact_ids: Sequence[int] = ()
    more: int = 0
    message_ids: Sequence[int] = ()
    note_ids: Sequence[int] = ()
    suppress: Sequence[Statement] = ()
    names: Sequence[str] = ()
    administrative: bool = False
    teller_only: bool = False
    teller: int = 0
    details: Mapping[str, Any] = field(default_factory=dict)

    @property
    def empty(self) -> bool:
        """Whether there is nothing to take."""
        return not (self.fact_ids or self.message_ids or self.note_ids)


def planned(asked: Asked, found: Candidates, marker: Marker) -> Plan:
    """What a request takes away of what was found.

    By the word of the person, all that tells it, wherever it was told; by a moderator's, what everyone where it is
    asked could hear; anybody else takes back only what they told themselves.
    """
    marks = [marker.marks(s, asked.about.names) for s in asked.statements if keywords(s, asked.about.names)]
    statements = [] if asked.rollback else [(frozenset(m), frozenset(alone)) for m, alone in marks]
    taken = {fact.fact_id for fact in asked.facts}
    messages = [
        message.message_id
        for message, about in found.messages
        if (message.user_id == asked.by or (asked.whole and asked.about.user_id in about))
        and tells(marker, message.text, statements)
    ]
    more = [
        fact.fact_id
        for fact in found.facts
        if asked.own
        and fact.fact_id not in taken
        and (fact.retired_at is not None or fact.audience not in asked.audible)
        and tells(marker, f"{fact.value} {fact.quote}", statements)
    ]
    notes = [note.note_id for note in found.notes if asked.whole and tells(marker, note.text, statements)]
    return Plan(
        user_id=asked.about.user_id,
        actor_id=asked.by,
        action=asked.action,
        fact_ids=[*(fact.fact_id for fact in asked.facts), *more],
        more=len(more),
        message_ids=messages,
        note_ids=notes,
        suppress=list(dict.fromkeys(statements)) if asked.whole else [],
        names=asked.about.names,
        administrative=asked.rollback,
        teller_only=not asked.whole,
        teller=asked.about.user_id if asked.rollback else asked.by,
    )
