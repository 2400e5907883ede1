"""Facts: worded once, told as one text, found again to be forgotten."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated, Literal

from pydantic import BaseModel, Field, WithJsonSchema
from pydantic.json_schema import JsonSchemaValue

from memory.ai.client import Priority, Prompt
from memory.ai.prompts.rendering import Participants, escape, fenced, instructions, listed
from memory.ids import GuildId, MessageId, UserId
from memory.records import Fact, FactDomain, Member

FACT_CHARACTERS = 1_000
"""The longest fact that is stored."""


DOMAINS: JsonSchemaValue = {"type": "string", "enum": [domain.value for domain in FactDomain]}
"""What a model is asked for; written out, since a reference costs tokens with each wording."""


class BlobAnswer(BaseModel):
    """A member's facts as one text."""

    text: str


class Relation(BaseModel):
    """How what is said now stands to a fact that is known."""

    fact: int
    relation: Literal["same", "refines", "contradicts", "different"] = "different"


class Wording(BaseModel):
    """A fact in the third person, what kind it is, how it stands to what is known, and what speaks against it."""

    sentence: str
    key: str = "note"
    domain: Annotated[FactDomain, WithJsonSchema(DOMAINS)] = FactDomain.PERSONAL
    alias: str | None = None
    known: list[Relation] = Field(default_factory=list)
    sensitive: bool = False
    order: bool = False


class MatchedFacts(BaseModel):
    """Which of the numbered facts a request means."""

    facts: list[int]
    sure: bool = True


def blob(guild_id: GuildId, *, member: UserId, facts: Sequence[Fact], participants: Participants) -> Prompt[BlobAnswer]:
    """Ask for a member's live facts as one text."""
    return Prompt(
        name="blob",
        instructions=instructions("blob"),
        data=fenced(
            {
                "member": participants.line(member),
                "people": participants.roster([member]),
                "facts": [f"{fact.last_confirmed_at:%Y-%m-%d}: {participants.told(fact.value)}" for fact in facts],
            }
        ),
        result=BlobAnswer,
        guild_id=guild_id,
        members=(member,),
        max_output_tokens=1_000,
    )


def wording(
    guild_id: GuildId,
    *,
    subject: Member,
    speaker: Member,
    quote: str,
    participants: Participants,
    before: Sequence[str],
    known: Sequence[tuple[str, str]],
    patience: float,
    message_id: MessageId | None = None,
) -> Prompt[Wording]:
    """Ask for what was said about a member as a fact in the third person.

    And how it stands to the `known` facts, as (key, sentence).
    """
    return Prompt(
        name="wording",
        instructions=instructions("wording"),
        data=fenced(
            {
                "about": f"@{participants.mark(subject.user_id)} {listed(subject)}",
                "speaker": f"@{participants.mark(speaker.user_id)} {listed(speaker)}",
                "before": [participants.told(line) for line in before],
                "known": [
                    f"{n} [{escape(key, 40)}]: {participants.told(fact)}" for n, (key, fact) in enumerate(known, 1)
                ],
                "said": participants.told(quote),
            }
        ),
        result=Wording,
        guild_id=guild_id,
        messages=(message_id,) if message_id is not None and message_id > 0 else (),
        members=(subject.user_id, speaker.user_id),
        max_output_tokens=600,
        patience=patience,
        priority=Priority.REPLY,
    )


def forget(
    guild_id: GuildId, *, subject: Member, facts: Sequence[str], request: str, patience: float
) -> Prompt[MatchedFacts]:
    """Ask which of `facts`, numbered from 1, a request to forget means."""
    return Prompt(
        name="forget",
        instructions=instructions("forget"),
        data=fenced(
            {
                "about": listed(subject),
                "facts": [f"{n}: {escape(fact)}" for n, fact in enumerate(facts, 1)],
                "request": escape(request),
            }
        ),
        result=MatchedFacts,
        guild_id=guild_id,
        members=(subject.user_id,),
        max_output_tokens=600,
        patience=patience,
        priority=Priority.REPLY,
    )
