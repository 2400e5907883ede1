"""Asking a model: the protocol, its errors, the providers and the governor before them."""

from memory.ai.client import (
    AIClient,
    AIError,
    AIRefused,
    AITrouble,
    AIUnavailable,
    AIUnusable,
    Answer,
    Meter,
    NoAI,
    Prompt,
    QuotaExhausted,
    Role,
)

__all__ = [
    "AIClient",
    "AIError",
    "AIRefused",
    "AITrouble",
    "AIUnavailable",
    "AIUnusable",
    "Answer",
    "Meter",
    "NoAI",
    "Prompt",
    "QuotaExhausted",
    "Role",
]
