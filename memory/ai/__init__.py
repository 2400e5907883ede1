"""Models: what a prompt is, who answers it, and what keeps calls within their quota."""

from memory.ai.client import (
    Absent,
    AIClient,
    AIError,
    AIRefused,
    AITrouble,
    AIUnavailable,
    AIUnusable,
    Answer,
    BudgetUsed,
    Meter,
    NoAI,
    Priority,
    Prompt,
    QuotaExhausted,
    Role,
    ShareUsed,
    Tool,
    ToolCall,
)
from memory.ai.parsing import Answering, Text
from memory.ai.shares import charge

__all__ = [
    "AIClient",
    "AIError",
    "AIRefused",
    "AITrouble",
    "AIUnavailable",
    "AIUnusable",
    "Absent",
    "Answer",
    "Answering",
    "BudgetUsed",
    "Meter",
    "NoAI",
    "Priority",
    "Prompt",
    "QuotaExhausted",
    "Role",
    "ShareUsed",
    "Text",
    "Tool",
    "ToolCall",
    "charge",
]
