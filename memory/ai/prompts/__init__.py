"""What models are asked: the words in .md, and beside them one typed function for each prompt."""

from memory.ai.prompts.facts import (
    FACT_CHARACTERS,
    Blob,
    Meant,
    Wording,
    blob,
    forget,
    wording,
)
from memory.ai.prompts.members import Accounts, Merged, Sources, historical, merge
from memory.ai.prompts.notes import NOTE_CHARACTERS, Line, NotesAnswer, budget, lines, notes
from memory.ai.prompts.rendering import (
    Cast,
    accepted,
    channel_marks,
    escape,
    fenced,
    listed,
    rendered,
    said,
    words,
)

__all__ = [
    "FACT_CHARACTERS",
    "NOTE_CHARACTERS",
    "Accounts",
    "Blob",
    "Cast",
    "Line",
    "Meant",
    "Merged",
    "NotesAnswer",
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
    "lines",
    "listed",
    "merge",
    "notes",
    "rendered",
    "said",
    "wording",
    "words",
]
