"""A slice of a day's talk, read in one call: notes about its people, one line each."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from zoneinfo import ZoneInfo

from pydantic import BaseModel

from memory.ai.client import Prompt, Role
from memory.ai.prompts.rendering import Participants, fenced, talk, task
from memory.ids import ChannelId, GuildId, MessageId, UserId
from memory.records import Member, Message, Note, NoteKind
from memory.rules.captions import PICTURE

NOTE_CHARACTERS = 200
"""A note's length at the most, with people as their marks; the model is asked for 150."""

MESSAGES_A_NOTE = 4
"""Messages for each note of the budget, beyond the first few."""

FIRST_NOTES = 10
"""Notes that a slice of any size may have."""

NOTE_TOKENS = 100
"""Tokens that a note takes of an answer at the most, in any script."""


class NotesAnswer(BaseModel):
    """What a slice showed, one line a note."""

    notes: list[str]


@dataclass(frozen=True, kw_only=True)
class Line:
    """One line of the answer: whom or what it is about, and the numbers of the messages that show it."""

    who: str
    kind: NoteKind
    weight: int
    evidence: tuple[int, ...]
    ends: int | None
    text: str


_LINE = re.compile(
    r"[\s*•-]{0,4}(?P<who>[uc]\d{1,6})[ :,]{1,3}(?P<kind>[a-z]{3,12})[ :,]{1,3}(?P<weight>[1-3])[ :,]{1,3}"
    r"(?P<evidence>\d{1,6}(?:\s?,\s?\d{1,6}){0,9})(?:[ ,]{1,3}ends? n(?P<ends>\d{1,6}))?\s?:\s{1,3}(?P<text>\S.*)",
    re.DOTALL,
)


def lines(answer: NotesAnswer) -> Iterator[Line | None]:
    """The notes of an answer; None for each that is not of the form."""
    for raw in answer.notes:
        found = _LINE.fullmatch(raw[:1_000])
        if found is None or found["kind"] not in set(NoteKind):
            yield None
            continue
        yield Line(
            who=found["who"],
            kind=NoteKind(found["kind"]),
            weight=int(found["weight"]),
            evidence=tuple(int(n) for n in found["evidence"].split(",")),
            ends=int(found["ends"]) if found["ends"] else None,
            text=found["text"],
        )


def budget(messages: int) -> int:
    """How many notes a slice of so many messages may have."""
    return FIRST_NOTES + messages // MESSAGES_A_NOTE


def readable_at_once(output_tokens: int) -> int:
    """Of how many messages an answer of so many tokens holds all the notes that they may have."""
    return max((output_tokens // NOTE_TOKENS - FIRST_NOTES) * MESSAGES_A_NOTE, MESSAGES_A_NOTE)


def written_of(messages: int) -> int:
    """How many tokens the notes of so many messages take at the most."""
    return budget(messages) * NOTE_TOKENS


def earlier_line(note: Note, participants: Participants) -> str:
    """A note of before as a line of the prompt, without its number."""
    return f"{participants.mark_or_channel(note.user_id)} {note.kind.value}: {participants.told(note.text)}"


def notes(
    guild_id: GuildId,
    *,
    day: date,
    tz: ZoneInfo,
    messages: Sequence[Message],
    earlier: Sequence[Note],
    participants: Participants,
    members: Mapping[UserId, Member],
    channels: Mapping[ChannelId, str],
    withheld: Collection[MessageId] = (),
    output_tokens: int = 32_000,
) -> Prompt[NotesAnswer]:
    """Ask for the notes of `messages`, numbered from 1, channel by channel, beside `earlier` ones of the day.

    The words of the messages `withheld` are not sent: they tell what somebody asked to forget.
    """
    known = [f"n{n} {earlier_line(note, participants)}" for n, note in enumerate(earlier, 1)]
    parts = {"earlier"} if earlier else set()
    parts |= {"withheld"} if withheld else set()
    parts |= {"described"} if any(PICTURE in message.text for message in messages) else set()
    return Prompt(
        name="notes",
        instructions=task("notes", parts),
        data=fenced(
            {
                "day": f"{day:%a %Y-%m-%d}\nlimit {budget(len(messages))}",
                "people": ", ".join(f"{participants.mark(u)}={participants.name(u)}" for u in participants.ids),
                "earlier": known,
                "messages": talk(
                    messages, tz=tz, participants=participants, members=members, channels=channels, withheld=withheld
                ),
            }
        ),
        result=NotesAnswer,
        guild_id=guild_id,
        messages=tuple(m.message_id for m in messages if m.message_id not in withheld),
        members=tuple({note.user_id for note in earlier if note.user_id is not None}),
        role=Role.BATCH,
        max_output_tokens=output_tokens,
    )
