"""The memory of a group chat: this package's public interface.

`open_memory` opens a `MemoryManager`. Callers use its services, and pass a `Viewer` when they ask on behalf of
somebody. Four modules are public as well: `memory.ids` (a type for each kind of id), `memory.ai` (models and prompts),
`memory.permissions` (who may do what) and `memory.rules` (pure functions on text, days and names).
"""

from memory.ai.models import Models
from memory.manager import MemoryManager, drop_suppressions, open_memory
from memory.options import Options, Retention, SessionRules
from memory.permissions import Viewer, operator, public
from memory.records import (
    EVERYONE,
    AuthorKind,
    Change,
    Channel,
    Consent,
    Context,
    DatabaseUnavailable,
    Fact,
    FallbackLevel,
    Forgotten,
    Given,
    GuildErased,
    Member,
    Message,
    Missed,
    Mode,
    NotAllowed,
    Note,
    NotRemembered,
    Query,
    Recalled,
    Receipt,
    Remembered,
    SearchHit,
    Statement,
    Stored,
    Teachers,
    Undo,
    Why,
)
from memory.services.captions import LoadedFile
from memory.sessions.sessions import Exchange

__all__ = [
    "EVERYONE",
    "AuthorKind",
    "Change",
    "Channel",
    "Consent",
    "Context",
    "DatabaseUnavailable",
    "Exchange",
    "Fact",
    "FallbackLevel",
    "Forgotten",
    "Given",
    "GuildErased",
    "LoadedFile",
    "Member",
    "MemoryManager",
    "Message",
    "Missed",
    "Mode",
    "Models",
    "NotAllowed",
    "NotRemembered",
    "Note",
    "Options",
    "Query",
    "Recalled",
    "Receipt",
    "Remembered",
    "Retention",
    "SearchHit",
    "SessionRules",
    "Statement",
    "Stored",
    "Teachers",
    "Undo",
    "Viewer",
    "Why",
    "drop_suppressions",
    "open_memory",
    "operator",
    "public",
]
