"""What a reply was given, as it is recorded."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

from memory.ids import MessageId, UserId
from memory.records.contexts import Context, FallbackLevel
from memory.records.conversations import Conclusion
from memory.records.facts import Fact
from memory.records.messages import Message
from memory.records.notes import Note
from memory.records.search import SearchHit


@dataclass(frozen=True)
class Making:
    """When an answer's making began: the guild's generation, and the time."""

    generation: int
    at: datetime


FOUND_KEY = "found"
"""The key of what a search found in the JSON form of `Given`, beside the members' ids."""


@dataclass(frozen=True, kw_only=True)
class GivenEntries:
    """Facts, messages, notes and conclusions that an answer was given, by id."""

    fact_ids: tuple[int, ...] = ()
    message_ids: tuple[MessageId, ...] = ()
    note_ids: tuple[int, ...] = ()
    conclusion_ids: tuple[int, ...] = ()

    @classmethod
    def from_hits(cls, entries: Iterable[SearchHit]) -> GivenEntries:
        """The ids of entries, and of the messages that are evidence of their notes and conclusions."""
        entries = list(entries)
        drawn = [entry for entry in entries if isinstance(entry, Note | Conclusion)]
        messages = [entry.message_id for entry in entries if isinstance(entry, Message)]
        return cls(
            fact_ids=tuple(entry.fact_id for entry in entries if isinstance(entry, Fact)),
            message_ids=(*messages, *(message_id for entry in drawn for message_id in entry.evidence)),
            note_ids=tuple(entry.note_id for entry in drawn if isinstance(entry, Note)),
            conclusion_ids=tuple(entry.conclusion_id for entry in drawn if isinstance(entry, Conclusion)),
        )

    def as_json(self) -> dict[str, Any]:
        """For the database."""
        ids = {"facts": self.fact_ids, "messages": self.message_ids, "notes": self.note_ids}
        if self.conclusion_ids:
            ids["conclusions"] = self.conclusion_ids
        return {name: list(found) for name, found in ids.items()}


@dataclass(frozen=True, kw_only=True)
class GivenMember(GivenEntries):
    """What an answer was given about one member."""

    fallback: str = FallbackLevel.NONE
    """How complete the context was; "told" for a fact that was just taught."""
    levels: tuple[str, ...] = ()
    """The levels the context was made of."""
    kept_back: int = 0
    """How many facts about the member were not for those who read the answer."""
    quoted: tuple[MessageId, ...] = ()
    """The messages that the context told word for word; not kept with the record, as `Given.shown`."""

    @classmethod
    def of_context(cls, context: Context, kept_back: int) -> GivenMember:
        """What a context gives."""
        return cls(
            fact_ids=tuple(fact.fact_id for fact in context.facts),
            message_ids=tuple(message_id for part in context.parts for message_id in part.evidence),
            note_ids=context.notes,
            fallback=context.fallback,
            levels=tuple(part.level for part in context.parts),
            kept_back=kept_back,
            quoted=context.quoted,
        )

    def as_json(self) -> dict[str, Any]:
        """For the database."""
        more = {"fallback": str(self.fallback), "levels": list(self.levels), "kept_back": self.kept_back}
        return {**super().as_json(), **more}


@dataclass(frozen=True, kw_only=True)
class Given:
    """What an answer was given: for the question why, and for what must go when its sources go."""

    members: Mapping[UserId, GivenMember] = field(default_factory=dict)
    """What it was given about each member, by their id."""
    found: GivenEntries | None = None
    """What a search found for it."""
    shown: tuple[MessageId, ...] = ()
    """The messages that stood in its prompt; not kept with the record, but the answer goes with them."""

    @property
    def quoted(self) -> set[MessageId]:
        """Every message whose words stood in its prompt."""
        return {*self.shown, *(message_id for member in self.members.values() for message_id in member.quoted)}

    def _all(self) -> tuple[GivenEntries, ...]:
        return (*self.members.values(), *([self.found] if self.found is not None else []))

    @property
    def fact_ids(self) -> set[int]:
        """Every fact it was given."""
        return {fact_id for entries in self._all() for fact_id in entries.fact_ids}

    @property
    def note_ids(self) -> set[int]:
        """Every note it was given."""
        return {note_id for entries in self._all() for note_id in entries.note_ids}

    @property
    def conclusion_ids(self) -> set[int]:
        """Every conclusion it was given."""
        return {conclusion_id for entries in self._all() for conclusion_id in entries.conclusion_ids}

    @property
    def message_ids(self) -> set[MessageId]:
        """Every message it goes with: cited by its contexts, found, or shown in the prompt."""
        return {message_id for entries in self._all() for message_id in entries.message_ids} | set(self.shown)

    def as_json(self) -> dict[str, Any]:
        """For the database, members by id as text."""
        found = {FOUND_KEY: self.found.as_json()} if self.found is not None else {}
        return {**{str(user_id): member.as_json() for user_id, member in self.members.items()}, **found}

    @classmethod
    def from_json(cls, record: Mapping[str, Mapping[str, Any]]) -> Given:
        """As the database has it, whichever version wrote it."""

        def entries(row: Mapping[str, Any]) -> dict[str, Any]:
            names = {
                "fact_ids": "facts",
                "message_ids": "messages",
                "note_ids": "notes",
                "conclusion_ids": "conclusions",
            }
            return {field_name: tuple(row.get(name, ())) for field_name, name in names.items()}

        members = {
            UserId(int(user_id)): GivenMember(
                **entries(row),
                fallback=row.get("fallback", FallbackLevel.NONE),
                levels=tuple(row.get("levels", ())),
                kept_back=row.get("kept_back", 0),
            )
            for user_id, row in record.items()
            if user_id != FOUND_KEY
        }
        return cls(members=members, found=GivenEntries(**entries(record[FOUND_KEY])) if FOUND_KEY in record else None)
