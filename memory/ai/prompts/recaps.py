"""The recap of a server's week, for everybody."""

from __future__ import annotations

from collections.abc import Sequence

from pydantic import BaseModel, Field

from memory.ai.client import Priority, Prompt
from memory.ai.prompts.rendering import Participants, fenced, instructions
from memory.ids import GuildId
from memory.records import Message, Note, RecapPart

RECAP_CHARACTERS = 180
"""Characters of a line of a recap, at the most; a person counts as eight."""


class WrittenLine(BaseModel):
    """A line as a model writes it."""

    part: RecapPart
    notes: list[int]
    text: str


class RecapAnswer(BaseModel):
    """A recap: its lines, and the numbers of the messages to quote."""

    lines: list[WrittenLine] = Field(default_factory=list)
    quotes: list[int] = Field(default_factory=list)


def recap(
    guild_id: GuildId, *, notes: Sequence[Note], messages: Sequence[Message], participants: Participants, language: str
) -> Prompt[RecapAnswer]:
    """Ask for a recap; notes and messages are numbered from 1 in their order."""
    people = ", ".join(f"{participants.mark(u)}={participants.name(u)}" for u in participants.ids)
    noted = [
        f"{n} {note.kind.value} {participants.mark_or_channel(note.user_id)} {participants.told(note.text, 400)}"
        for n, note in enumerate(notes, 1)
    ]
    lines = [f"{n} {participants.mark(m.user_id)}: {participants.told(m.text, 200)}" for n, m in enumerate(messages, 1)]
    return Prompt(
        name="recap",
        instructions=instructions("recap"),
        data=fenced({"language": language, "people": people, "notes": noted, "messages": lines}),
        result=RecapAnswer,
        guild_id=guild_id,
        messages=tuple(message.message_id for message in messages),
        members=tuple({note.user_id for note in notes if note.user_id is not None}),
        max_output_tokens=2_000,
        patience=0.0,
        priority=Priority.DIGEST,
    )
