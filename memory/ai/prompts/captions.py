"""What pictures show and voice messages say, in words."""

from __future__ import annotations

from collections.abc import Sequence

from pydantic import BaseModel

from memory.ai.client import Priority, Prompt
from memory.ai.media import Media
from memory.ai.prompts.rendering import fenced, instructions


class FileCaption(BaseModel):
    """What one of the numbered files shows; empty where it is not to be said."""

    n: int
    text: str


class Captions(BaseModel):
    """What each file shows."""

    captions: list[FileCaption]


def captions(guild_id: int, media: Sequence[Media], *, language: str) -> Prompt[Captions]:
    """Ask what files show, in `language` (English: "English") where there are no words on them."""
    kinds = ", ".join(f"{n} {one.kind.value.removesuffix('s')}" for n, one in enumerate(media, 1))
    return Prompt(
        name="captions",
        instructions=instructions("captions"),
        data=fenced({"files": kinds, "language": language}),
        result=Captions,
        guild_id=guild_id,
        priority=Priority.MEDIA,
        media=tuple(media),
        is_coarse=True,
        max_output_tokens=400 * len(media) + 100,
        patience=20.0,
    )
