"""What pictures show and voice messages say, in words."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from pydantic import BaseModel

from memory.ai.client import Priority, Prompt
from memory.ai.media import Media, MediaKind
from memory.ai.prompts.rendering import fenced, instructions
from memory.ai.sheets import CELLS
from memory.ids import GuildId, MessageId


class FileCaption(BaseModel):
    """What one of the numbered files shows; empty where it is not to be said."""

    n: int
    text: str


class Captions(BaseModel):
    """What each file shows."""

    captions: list[FileCaption]


@dataclass(frozen=True)
class Shown:
    """A picture, a sound, or a sheet of several pictures, and the numbers of the files that it shows."""

    media: Media
    numbers: Sequence[int]

    def __str__(self) -> str:
        """What a model is told of it: "2 picture", or "picture with 3 top left, 4 top right"."""
        kind = self.media.kind.value.removesuffix("s")
        if len(self.numbers) == 1:
            return f"{self.numbers[0]} {kind}"
        return f"{kind} with " + ", ".join(f"{n} {cell}" for n, cell in zip(self.numbers, CELLS, strict=False))


def captions(
    guild_id: GuildId, shown: Sequence[Shown], *, messages: Sequence[MessageId], language: str
) -> Prompt[Captions]:
    """Ask what files of `messages` show, in `language` (English: "English") where there are no words on them."""
    is_sound = any(one.media.kind is MediaKind.SOUND for one in shown)
    count = sum(len(one.numbers) for one in shown)
    return Prompt(
        name="captions",
        instructions=instructions("transcripts" if is_sound else "captions"),
        data=fenced({"files": "; ".join(map(str, shown)), "language": language}),
        result=Captions,
        guild_id=guild_id,
        messages=tuple(messages),
        priority=Priority.MEDIA,
        media=tuple(one.media for one in shown),
        is_coarse=True,
        max_output_tokens=400 * count + 100,
        patience=20.0,
    )
