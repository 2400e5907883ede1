"""Conversations: what turns came to as they leave the window, what a talk leaves, and topics in parts."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import datetime, tzinfo
from typing import Literal

from pydantic import BaseModel, Field

from memory.ai.client import Priority, Prompt
from memory.ai.prompts.rendering import Participants, fenced, instructions
from memory.ids import GuildId, UserId
from memory.records import Conclusion, ConclusionKind, Topic, Turn, TurnRole
from memory.rules.text import with_names

TURN_CHARACTERS = 600
"""Characters of one turn that these prompts carry."""

DIGEST_TOKENS = 6_000
"""Tokens of the turns that one digest reads at the most: of a longer talk the last ones."""


class DrawnSegment(BaseModel):
    """What one part of a talk came to."""

    topic: str = ""
    discussed: list[str] = Field(default_factory=list)
    outcome: str = ""
    decisions: list[str] = Field(default_factory=list)
    open_questions: list[str] = Field(default_factory=list)


class SegmentsAnswer(BaseModel):
    """One for each part, in their order."""

    parts: list[DrawnSegment]


class DrawnConclusion(BaseModel):
    """A conclusion as a model writes it."""

    kind: Literal[ConclusionKind.DECISION, ConclusionKind.DISCOVERY, ConclusionKind.OUTCOME, ConclusionKind.OBSERVATION]
    text: str
    evidence: list[int]
    replaces: list[int] = Field(default_factory=list)
    confirms: list[int] = Field(default_factory=list)


class DrawnFact(BaseModel):
    """A fact that follows from a speaker's own words, as a model writes it."""

    who: str
    key: str = ""
    text: str
    evidence: list[int]
    confidence: Literal["medium", "low"] = "low"


class DigestAnswer(BaseModel):
    """What a talk leaves."""

    conclusions: list[DrawnConclusion] = Field(default_factory=list)
    facts: list[DrawnFact] = Field(default_factory=list)
    topic: str = ""
    summary: str = ""


class Subtopic(BaseModel):
    """A part of a topic: its name, and the numbers of its lines."""

    name: str
    lines: list[int]


class SplitAnswer(BaseModel):
    """The parts of a topic."""

    parts: list[Subtopic]


def _speaker(turn: Turn, participants: Participants) -> str:
    return "you" if turn.role is TurnRole.MODEL else participants.mark(turn.user_id)


def turn_line(turn: Turn, participants: Participants) -> str:
    """A turn for a prompt: who speaks, and the words with people as their marks."""
    return f"{_speaker(turn, participants)}: {participants.told(turn.text, TURN_CHARACTERS)}"


def _people(participants: Participants) -> str:
    return ", ".join(f"{participants.mark(u)}={participants.name(u)}" for u in participants.ids)


def segments(
    guild_id: GuildId, *, parts: Sequence[Sequence[Turn]], participants: Participants
) -> Prompt[SegmentsAnswer]:
    """Ask what each part of a talk came to."""
    spoken = [turn for part in parts for turn in part if turn.role is TurnRole.USER]
    numbered = {f"part-{n}": [turn_line(turn, participants) for turn in part] for n, part in enumerate(parts, 1)}
    return Prompt(
        name="segments",
        instructions=instructions("segments"),
        data=fenced({"people": _people(participants), **numbered}),
        result=SegmentsAnswer,
        guild_id=guild_id,
        messages=tuple(turn.message_id for turn in spoken),
        members=tuple({turn.user_id for turn in spoken}),
        max_output_tokens=1_500,
        patience=0.0,
        priority=Priority.DIGEST,
        time_limit=30.0,
    )


def digest(
    guild_id: GuildId,
    *,
    turns: Sequence[Turn],
    participants: Participants,
    topics: Sequence[Topic],
    known: Sequence[Conclusion] = (),
    at: datetime,
    tz: tzinfo,
) -> Prompt[DigestAnswer]:
    """Ask what a talk leaves; turns, and the conclusions that are known, are numbered from 1 in their order."""
    spoken = [turn for turn in turns if turn.role is TurnRole.USER]
    return Prompt(
        name="digest",
        instructions=instructions("digest"),
        data=fenced(
            {
                "day": f"{at.astimezone(tz):%A %Y-%m-%d}",
                "people": _people(participants),
                "topics": [participants.told(topic.name, 60) for topic in topics[:40]],
                "known": [
                    f"{n} {line.at.astimezone(tz):%Y-%m-%d} {participants.told(line.text, 300)}"
                    for n, line in enumerate(known, 1)
                ],
                "turns": [f"{n} {turn_line(turn, participants)}" for n, turn in enumerate(turns, 1)],
            }
        ),
        result=DigestAnswer,
        guild_id=guild_id,
        messages=tuple(turn.message_id for turn in spoken),
        members=tuple(
            {
                *(turn.user_id for turn in spoken),
                *(user_id for line in known for user_id in (*line.people, *line.evidence_by)),
            }
        ),
        max_output_tokens=4_000,
        patience=0.0,
        priority=Priority.DIGEST,
    )


def split(
    guild_id: GuildId, *, name: str, lines: Sequence[Conclusion], names: Mapping[UserId, str]
) -> Prompt[SplitAnswer]:
    """Ask for the subtopics of a page; lines are numbered from 1 in their order."""
    participants = Participants((), {})
    shown = [participants.told(with_names(line.text, names), 300) for line in lines]
    return Prompt(
        name="split",
        instructions=instructions("split"),
        data=fenced({"page": participants.told(name, 60), "lines": [f"{n} {text}" for n, text in enumerate(shown, 1)]}),
        result=SplitAnswer,
        guild_id=guild_id,
        members=tuple({user_id for line in lines for user_id in (*line.people, *line.evidence_by)}),
        max_output_tokens=2_000,
        patience=0.0,
        priority=Priority.DIGEST,
    )
