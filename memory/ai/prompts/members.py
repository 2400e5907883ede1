"""Several members in one call: their days 2-7, and the 3-way merge."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import date

from pydantic import BaseModel

from memory.ai.client import Prompt
from memory.ai.prompts.rendering import Cast, escape, fenced, words

HISTORICAL_CHARACTERS = 500
"""A historical summary's length (seed 003, Historical Summary)."""

CONTEXT_CHARACTERS = 800
"""A context's length (seed 003, Memory Footprint Analysis)."""


class Account(BaseModel):
    """One member's days 2-7."""

    member: str
    summary: str


class Accounts(BaseModel):
    """The members' days 2-7."""

    members: list[Account]


class MergedMember(BaseModel):
    """One member's context."""

    member: str
    context: str


class Merged(BaseModel):
    """The members' contexts."""

    members: list[MergedMember]


def historical(guild_id: int, *, notes: Mapping[int, Sequence[tuple[date, str]]], cast: Cast) -> Prompt[Accounts]:
    """Ask for one account of each member's days in `notes`."""
    blocks = [
        "\n".join(
            [cast.line(user_id), *(f"{day:%A, %Y-%m-%d}: {escape(note)}" for day, note in days)],
        )
        for user_id, days in notes.items()
    ]
    return Prompt(
        name="historical",
        instructions=words("historical"),
        data=fenced({"members": "\n\n".join(blocks)}),
        result=Accounts,
        guild_id=guild_id,
        max_output_tokens=400 * len(notes) + 400,
    )


def merge(guild_id: int, *, today: date, sources: Mapping[int, tuple[str, str, str]], cast: Cast) -> Prompt[Merged]:
    """Ask for one context of each member's (facts, today, days before)."""
    blocks = [
        f"{cast.line(user_id)}\nfacts: {escape(facts)}\ntoday ({today:%A, %Y-%m-%d}): {escape(current)}\n"
        f"days before: {escape(before, 1_500)}"
        for user_id, (facts, current, before) in sources.items()
    ]
    return Prompt(
        name="merge",
        instructions=words("merge"),
        data=fenced({"members": "\n\n".join(blocks)}),
        result=Merged,
        guild_id=guild_id,
        max_output_tokens=600 * len(sources) + 400,
    )
