"""What models are asked: the words in .md, and beside them one typed function for each prompt."""

from memory.ai.prompts.facts import (
    FACT_CHARACTERS,
    BlobAnswer,
    MatchedFacts,
    Wording,
    blob,
    forget,
    wording,
)
from memory.ai.prompts.members import Accounts, Merged, Sources, historical, merge
from memory.ai.prompts.notes import NOTE_CHARACTERS, Line, NotesAnswer, budget, lines, notes
from memory.ai.prompts.rendering import (
    Participants,
    accepted,
    channel_marks,
    escape,
    fenced,
    instructions,
    listed,
    rendered,
    rendered_text,
)

__all__ = [
    "FACT_CHARACTERS",
    "NOTE_CHARACTERS",
    "Accounts",
    "BlobAnswer",
    "Line",
    "MatchedFacts",
    "Merged",
    "NotesAnswer",
    "Participants",
    "Sources",
    "Wording",
    "accepted",
    "blob",
    "budget",
    "channel_marks",
    "escape",
    "fenced",
    "forget",
    "historical",
    "instructions",
    "lines",
    "listed",
    "merge",
    "notes",
    "rendered",
    "rendered_text",
    "wording",
]
