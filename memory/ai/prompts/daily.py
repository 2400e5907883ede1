"""One call for all members of a day, whole or since the last look."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from datetime import date
from zoneinfo import ZoneInfo

from pydantic import BaseModel, Field

from memory.ai.client import Prompt, Role
from memory.ai.prompts.rendering import Cast, escape, fenced, talk, words
from memory.records import Member, Message

DAILY_CHARACTERS = 300
"""A daily summary's length (seed 003, Daily Summarization)."""


class MemberDay(BaseModel):
    """What is worth remembering of one member's day."""

    member: str
    summary: str
    evidence: list[int] = Field(default_factory=list)


class DayAnswer(BaseModel):
    """The members worth remembering."""

    members: list[MemberDay]


def daily(
    guild_id: int,
    *,
    day: date,
    tz: ZoneInfo,
    messages: Sequence[Message],
    earlier: Mapping[int, str],
    cast: Cast,
    members: Mapping[int, Member],
    channels: Mapping[int, str],
    withheld: Collection[int] = (),
) -> Prompt[DayAnswer]:
    """Ask for the summaries of `messages`, numbered from 1, channel by channel, on top of `earlier` ones.

    The words of the messages `withheld` are not sent: they tell what somebody asked to forget.
    """
    return Prompt(
        name="daily",
        instructions=words("daily"),
        data=fenced(
            {
                "day": f"{day:%A, %Y-%m-%d} ({tz.key})",
                "members": cast.lines(),
                "earlier": [f"{cast.mark(user_id)}: {escape(text)}" for user_id, text in earlier.items()],
                "messages": talk(messages, tz=tz, cast=cast, members=members, channels=channels, withheld=withheld),
            }
        ),
        result=DayAnswer,
        guild_id=guild_id,
        role=Role.BATCH,
        max_output_tokens=32_000,
    )
