"""Notes of a day, and texts about members."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date, datetime
from enum import StrEnum

from memory.ids import AudienceId, ChannelId, GuildId, MessageId, UserId


class NoteKind(StrEnum):
    """What a note tells of; an open question is a kind of its own."""

    EVENT = "event"
    PROBLEM = "problem"
    QUESTION = "question"
    TRIED = "tried"
    ADVICE = "advice"
    OUTCOME = "outcome"
    DECISION = "decision"
    PLAN = "plan"
    TRAIT = "trait"
    MOOD = "mood"
    RELATION = "relation"
    CHANNEL = "channel"


@dataclass(frozen=True, kw_only=True)
class Note:
    """One point about a member, or about a channel where `user_id` is None, that a slice of talk showed.

    `text` names people as `<@id>`; `weight` is 3 for what will matter next month, 2 next week, 1 tomorrow; `evidence`
    are the messages that show it, by `evidence_by`; `at` is when the last of them was written. A note that a later
    one answered or replaced is ended by it, `superseded_by`, and goes on being told, after what ended it. A note that
    stands for several days' notes of the same point has the ids of the others in `repeats`.
    """

    guild_id: GuildId
    audience: AudienceId
    user_id: UserId | None
    kind: NoteKind
    text: str
    weight: int
    evidence: tuple[MessageId, ...]
    at: datetime
    note_id: int = 0
    channel_id: ChannelId | None = None
    people: tuple[UserId, ...] = ()
    evidence_by: tuple[UserId, ...] = ()
    superseded_by: int | None = None
    repeats: tuple[int, ...] = ()

    @property
    def note_ids(self) -> tuple[int, ...]:
        """Its own id, and those of the notes it stands for."""
        return (self.note_id, *self.repeats)


@dataclass(frozen=True, kw_only=True)
class MemberText:
    """What is noted about a member of a day, week or month, or a summary; people are `<@id>`."""

    level: str
    """"day", "week", "month", "days 2-7" or "context"."""
    day: date
    """The first day of what is noted; the last of what a summary is about."""
    audience: AudienceId
    text: str
    evidence: tuple[MessageId, ...] = ()


@dataclass(frozen=True, kw_only=True)
class FoundNote:
    """A note as the checks passed it, with the note that it ends, and what it goes with besides its evidence.

    `earlier_ids` are earlier notes whose words it takes up, `context_ids` messages around its evidence that have its
    names and numbers.
    """

    note: Note
    ends: int | None = None
    earlier_ids: tuple[int, ...] = ()
    context_ids: tuple[MessageId, ...] = ()
