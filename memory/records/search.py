"""Searches, and what they find."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

from memory.ids import MAX_MESSAGE, AudienceId, ChannelId, MessageId, UserId
from memory.records.conversations import Conclusion
from memory.records.facts import Fact
from memory.records.messages import Message, require_aware
from memory.records.notes import Note


@dataclass(frozen=True, kw_only=True)
class Query:
    """A question to memory, as of a moment. Messages from `before_id` on are ignored."""

    text: str
    at: datetime
    before_id: MessageId = MAX_MESSAGE

    def __post_init__(self) -> None:
        require_aware(self.at)


SearchHit = Message | Note | Fact | Conclusion
"""Something that a search can find."""


def moment_of(entry: SearchHit) -> datetime:
    """When something was written, noted, told or concluded."""
    if isinstance(entry, Message):
        return entry.timestamp
    return entry.created_at if isinstance(entry, Fact) else entry.at


def text_of(entry: SearchHit) -> str:
    """The words of an entry as they are stored, people as ids."""
    return entry.value if isinstance(entry, Fact) else entry.text


@dataclass(frozen=True, kw_only=True)
class Recalled:
    """What answers a question, best first, each with its score.

    `people` are whom the question names, `of_asker` tells that it is of the asker. Messages are one track, word for
    word; notes and facts the other.
    """

    people: tuple[UserId, ...] = ()
    of_asker: bool = False
    messages: tuple[tuple[Message, float], ...] = ()
    notes: tuple[tuple[Note, float], ...] = ()
    facts: tuple[tuple[Fact, float], ...] = ()
    conclusions: tuple[tuple[Conclusion, float], ...] = ()

    @property
    def certainty(self) -> float:
        """How well the best of it answers; what was never said scores lower, as far as a score can tell."""
        every = (self.messages, self.notes, self.facts, self.conclusions)
        return max((score for found in every for _, score in found), default=0.0)


@dataclass(frozen=True, kw_only=True)
class Talked:
    """That people talked in a channel: how many messages, and the first of them."""

    channel_id: ChannelId
    audience: AudienceId
    messages: int
    first_id: MessageId


@dataclass(frozen=True, kw_only=True)
class Missed:
    """What somebody missed `since` they last wrote: where people `talked`, the busiest channel first, and what of."""

    since: datetime
    talked: tuple[Talked, ...] = ()
    to_me: tuple[Message, ...] = ()
    """What others said to them, the last of each."""
    mine: tuple[Note, ...] = ()
    """What became of their own matters, and what else is about them."""
    news: tuple[Note, ...] = ()
    """What those did with whom they deal, then what was decided and came out, spread over the time."""
    more: int = 0
    """How many notes there are besides."""
    has_written: bool = True
    """Whether they ever wrote; else it is what happened in the last day."""

    @property
    def entries(self) -> tuple[SearchHit, ...]:
        """All that is told, in its order."""
        return (*self.to_me, *self.mine, *self.news)
