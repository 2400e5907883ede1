"""The memory of a group chat: the door. Callers import from here alone."""

from memory.ai import (
    AIClient,
    AIError,
    AIRefused,
    AIUnavailable,
    AIUnusable,
    Answer,
    Meter,
    NoAI,
    Prompt,
    QuotaExhausted,
    Role,
)
from memory.ai.client import Absent
from memory.ai.governor import Governor, Quota
from memory.ai.model import GovernedModel, Provider
from memory.ai.parsing import Text
from memory.ai.prompts import accepted, escape, fenced, listed, said, words
from memory.ai.providers import gemini, openai_compatible
from memory.days import day_of, zone
from memory.manager import MemoryManager
from memory.records import (
    EVERYONE,
    AuthorKind,
    Channel,
    Context,
    DatabaseNewer,
    DatabaseUnavailable,
    Fact,
    Forgotten,
    Member,
    MemoryFailure,
    Message,
    NotRemembered,
    Part,
    Remembered,
    Rung,
    Spent,
    Statement,
)
from memory.store import Store
from memory.store.schema import migrate, sandbox
from memory.store.usage import Limits
from memory.text import clean, fit, mentioned, one_line, readable, tokens

__all__ = [
    "EVERYONE",
    "AIClient",
    "AIError",
    "AIRefused",
    "AIUnavailable",
    "AIUnusable",
    "Absent",
    "Answer",
    "AuthorKind",
    "Channel",
    "Context",
    "DatabaseNewer",
    "DatabaseUnavailable",
    "Fact",
    "Forgotten",
    "GovernedModel",
    "Governor",
    "Limits",
    "Member",
    "MemoryFailure",
    "MemoryManager",
    "Message",
    "Meter",
    "NoAI",
    "NotRemembered",
    "Part",
    "Prompt",
    "Provider",
    "Quota",
    "QuotaExhausted",
    "Remembered",
    "Role",
    "Rung",
    "Spent",
    "Statement",
    "Store",
    "Text",
    "accepted",
    "clean",
    "day_of",
    "escape",
    "fenced",
    "fit",
    "gemini",
    "listed",
    "mentioned",
    "migrate",
    "one_line",
    "openai_compatible",
    "readable",
    "said",
    "sandbox",
    "tokens",
    "words",
    "zone",
]
