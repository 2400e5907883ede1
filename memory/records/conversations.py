"""Conversations with the bot, and what they leave."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from enum import StrEnum
from typing import Any

from memory.ids import AudienceId, ChannelId, GuildId, MessageId, UserId


class TurnRole(StrEnum):
    """Who spoke a turn, in the providers' words."""

    USER = "user"
    MODEL = "model"


@dataclass(frozen=True, kw_only=True)
class Turn:
    """One message of a conversation with the bot, numbered from 1: somebody's words to it, or its answer.

    `text` is without the bot's name; `continuity` how much it goes on from what came before (0 to 1), None for the
    bot's own; `is_shift` tells that it changed the subject; `confirms` are facts about the speaker that it says again.
    """

    number: int
    role: TurnRole
    user_id: UserId
    message_id: MessageId
    text: str
    at: datetime
    tokens: int
    continuity: float | None = None
    is_shift: bool = False
    confirms: tuple[int, ...] = ()

    def as_content(self) -> dict[str, str]:
        """In the form in which providers take turns (seed 001)."""
        return {"role": self.role.value, "content": self.text}


@dataclass(frozen=True, kw_only=True)
class Segment:
    """What turns that left the window came to: key-value, written once, never summed up again (seed 002, §2.4)."""

    number: int
    through: int
    """The last turn that it sums up."""
    topic: str
    discussed: tuple[str, ...] = ()
    outcome: str = ""
    decisions: tuple[str, ...] = ()
    open_questions: tuple[str, ...] = ()


@dataclass(frozen=True, kw_only=True)
class SessionContext:
    """What a session knows of itself besides its turns."""

    fresh_from: int = 1
    """The first turn of the subject that is talked about, since the only speaker asked for another."""
    closed: tuple[int, ...] = ()
    """Turns that are over: the exchanges of one of several speakers who asked for another subject."""
    topic_id: int | None = None
    """The topic that the conversation was found to be of."""
    loose: tuple[int, ...] = ()
    """The conclusions that were found for its turns so far, each once (seed 004)."""
    spent: Mapping[str, int] = field(default_factory=dict)
    """Tokens of the last prompt, by part."""
    most: Mapping[str, int] = field(default_factory=dict)
    """The most tokens that any prompt had, by part."""
    replies: int = 0
    calls: int = 0
    """AI calls so far, those for segments included."""

    def is_closed(self, number: int) -> bool:
        """Whether a turn is of a subject that somebody closed."""
        return number < self.fresh_from or number in self.closed

    def as_json(self) -> dict[str, Any]:
        """For the database."""
        return {
            "fresh_from": self.fresh_from,
            "closed": list(self.closed),
            "topic_id": self.topic_id,
            "loose": list(self.loose),
            "spent": dict(self.spent),
            "most": dict(self.most),
            "replies": self.replies,
            "calls": self.calls,
        }

    @classmethod
    def from_json(cls, row: Mapping[str, Any]) -> SessionContext:
        """As the database has it."""
        return cls(
            fresh_from=row.get("fresh_from", 1),
            closed=tuple(row.get("closed", ())),
            topic_id=row.get("topic_id"),
            loose=tuple(row.get("loose", ())),
            spent=dict(row.get("spent", {})),
            most=dict(row.get("most", {})),
            replies=row.get("replies", 0),
            calls=row.get("calls", 0),
        )


@dataclass(frozen=True, kw_only=True)
class Session:
    """A conversation with the bot in one channel, thread or direct message, with what of it a prompt may carry.

    `is_kept` tells that it leaves a digest; where it does not (a direct message, a channel whose words are not
    remembered), its turns are kept as long as the session lasts.
    """

    guild_id: GuildId
    session_id: int
    channel_id: ChannelId
    audience: AudienceId
    is_kept: bool
    started_at: datetime
    active_at: datetime
    turns: tuple[Turn, ...] = ()
    segments: tuple[Segment, ...] = ()
    last_turn: int = 0
    """The number of the last turn that is stored, readable or not."""
    digested: int = 0
    """The last turn that a digest read."""
    digest_attempts: int = 0
    context: SessionContext = SessionContext()


class ConclusionKind(StrEnum):
    """What a conversation came to (seed 004); a `line` was written into a topic by somebody."""

    DECISION = "decision"
    DISCOVERY = "discovery"
    OUTCOME = "outcome"
    OBSERVATION = "observation"
    LINE = "line"


@dataclass(frozen=True, kw_only=True)
class Conclusion:
    """One decision, discovery or outcome of a session; with a topic, also a line of its page.

    `text` names people as `<@id>`; `evidence` are the messages that it rests on, by `evidence_by`.
    """

    guild_id: GuildId
    audience: AudienceId
    kind: ConclusionKind
    text: str
    at: datetime
    conclusion_id: int = 0
    channel_id: ChannelId | None = None
    topic_id: int | None = None
    people: tuple[UserId, ...] = ()
    evidence: tuple[MessageId, ...] = ()
    evidence_by: tuple[UserId, ...] = ()
    replaces: tuple[int, ...] = ()
    """Earlier conclusions that no longer hold because of this one."""
    confirms: tuple[int, ...] = ()
    """Earlier conclusions that said the same."""
    since: datetime | None = None
    """When the first of those that it confirms was reached; None for one that confirms none."""
    replaced_at: datetime | None = None
    """When a later conclusion took its place; None while it holds."""

    @property
    def user_id(self) -> UserId | None:
        """Nobody: a conclusion is of a conversation, whoever it names."""
        return None


@dataclass(frozen=True, kw_only=True)
class Topic:
    """A named page of dated one-line conclusions of a guild (seed 004)."""

    guild_id: GuildId
    topic_id: int
    audience: AudienceId
    name: str
    summary: str
    created_at: datetime
    updated_at: datetime
    lines: int = 0
    """How many lines it has that the viewer may hear."""


@dataclass(frozen=True, kw_only=True)
class Background:
    """What of earlier talk a conversation's prompt carries: one topic's page, or the index and loose conclusions."""

    topic: Topic | None = None
    lines: tuple[Conclusion, ...] = ()
    index: tuple[Topic, ...] = ()
    loose: tuple[Conclusion, ...] = ()


@dataclass(frozen=True, kw_only=True)
class OpenConversation:
    """A conversation that goes on, for somebody who takes part in it."""

    channel_id: ChannelId
    since: datetime
    last_at: datetime
    """When the last turn was."""
    turns: int
    message_id: MessageId
    """Their own last message in it."""


@dataclass(frozen=True, kw_only=True)
class ActiveSession:
    """A conversation that goes on, as it is shown."""

    channel_id: ChannelId
    since: datetime
    turns: int
    context: SessionContext
