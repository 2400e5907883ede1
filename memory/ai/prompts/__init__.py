"""What models are asked: the words in .md, and beside them one typed function for each prompt."""

from memory.ai.prompts.daily import DAILY_CHARACTERS, DayAnswer, daily
from memory.ai.prompts.facts import (
    BLOB_CHARACTERS,
    FACT_CHARACTERS,
    Blob,
    Meant,
    Wording,
    blob,
    forget,
    wording,
)
from memory.ai.prompts.members import (
    CONTEXT_CHARACTERS,
    HISTORICAL_CHARACTERS,
    Accounts,
    Merged,
    historical,
    merge,
)
from memory.ai.prompts.rendering import Cast, accepted, escape, fenced, listed, rendered, said, words

__all__ = [
    "BLOB_CHARACTERS",
    "CONTEXT_CHARACTERS",
    "DAILY_CHARACTERS",
    "FACT_CHARACTERS",
    "HISTORICAL_CHARACTERS",
    "Accounts",
    "Blob",
    "Cast",
    "DayAnswer",
    "Meant",
    "Merged",
    "Wording",
    "accepted",
    "blob",
    "daily",
    "escape",
    "fenced",
    "forget",
    "historical",
    "listed",
    "merge",
    "rendered",
    "said",
    "wording",
    "words",
]
