"""Several members in one call: their days 2-7, and the 3-way merge."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date

from pydantic import BaseModel

from memory.ai.client import Prompt
from memory.ai.prompts.rendering import Participants, fenced, instructions
from memory.ids import GuildId, UserId
from memory.rules.text import mentioned, particulars_in


class Account(BaseModel):
    """One member's days 2-7."""

    member: str
    summary: str


class Accounts(BaseModel):
    """The members' days 2-7."""

    members: list[Account]


class MergedMember(BaseModel):
    """One member's context, but the facts."""

    member: str
    context: str


class Merged(BaseModel):
    """The members' contexts."""

    members: list[MergedMember]


@dataclass(frozen=True, kw_only=True)
class Sources:
    """What a context is made from, as stored texts, and how many characters may be written beside the facts."""

    facts: str
    current: str
    before: str
    limit: int


def historical(
    guild_id: GuildId,
    *,
    days: Mapping[UserId, Mapping[date, str]],
    limits: Mapping[UserId, int],
    participants: Participants,
) -> Prompt[Accounts]:
    """Ask for one account of each member's days; `limits` are the characters that each may have."""
    blocks = [
        "\n".join(
            [
                f"{participants.line(user_id)} limit={limits[user_id]}",
                *([f"keep: {participants.told(keep)}"] if (keep := _to_keep(user_id, texts)) else []),
                *(f"{day:%a %Y-%m-%d}: {participants.told(text)}" for day, text in sorted(texts.items())),
            ]
        )
        for user_id, texts in days.items()
    ]
    return Prompt(
        name="historical",
        instructions=instructions("historical"),
        data=fenced({"people": participants.roster(days), "members": "\n\n".join(blocks)}),
        result=Accounts,
        guild_id=guild_id,
        members=tuple(days),
        max_output_tokens=500 * len(days) + 400,
    )


def _to_keep(user_id: UserId, texts: Mapping[date, str]) -> str:
    """The people and particulars that the days name: a model that is shown the list loses fewer of them.

    They are separated by `|`: numbers with spaces between them would be redacted as a phone number.
    """
    text = " ".join(told for _, told in sorted(texts.items()))
    people = (f"<@{other}>" for other in mentioned(text) if other != user_id)
    return "|".join((*people, *particulars_in(text)))


def merge(
    guild_id: GuildId, *, today: date, sources: Mapping[UserId, Sources], participants: Participants
) -> Prompt[Merged]:
    """Ask for one context of each member's facts, today and days before."""
    blocks = [
        f"{participants.line(user_id)} limit={of.limit}\nfacts: {participants.told(of.facts)}\n"
        f"today ({today:%a %Y-%m-%d}): {participants.told(of.current)}\ndays before: {participants.told(of.before)}"
        for user_id, of in sources.items()
    ]
    return Prompt(
        name="merge",
        instructions=instructions("merge"),
        data=fenced({"people": participants.roster(sources), "members": "\n\n".join(blocks)}),
        result=Merged,
        guild_id=guild_id,
        members=tuple(sources),
        max_output_tokens=600 * len(sources) + 400,
    )
