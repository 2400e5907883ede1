"""The models that the settings choose."""

from __future__ import annotations

import logging
from collections.abc import Callable
from contextlib import AsyncExitStack
from dataclasses import replace

from memory import Models
from memory.ai import MediaKind
from memory.ai.embedding import EmbeddingProvider
from memory.ai.model import Provider
from memory.ai.providers import ProviderKind, chosen_kind
from memory.ai.shares import Rules
from urmom_bot.config import Settings
from urmom_bot.errors import BAD_SETTINGS, StartupError

log = logging.getLogger(__name__)

EMBEDDING_TIME = 20.0
"""Seconds that an embedding may take."""

DAY_PART = 4
"""How much smaller a member's share of a day's quota is than their share of a minute's."""


def models_of(settings: Settings, stack: AsyncExitStack, watch: Callable[[Provider], Provider]) -> Models:
    """The models of `settings`, whose connections `stack` closes; `watch` wraps each provider. Raises StartupError."""
    try:
        kind = chosen_kind(settings)
        models = _opened(kind, settings, stack, watch)
        embedding = _embedding(kind, settings, stack)
    except (ImportError, ValueError) as wrong:
        raise StartupError(str(wrong), BAD_SETTINGS) from wrong
    return replace(
        models,
        embedding=embedding,
        dimensions=settings.embedding_dimensions,
        limits={**models.limits, settings.embedding_model or "": settings.embedding_limits},
        shares=Rules(
            member=settings.member_share,
            member_day=max(settings.member_share // DAY_PART, 1),
            guild=settings.guild_share,
            guild_day=settings.guild_share,
        ),
        media_share=settings.media_share,
        read_ahead_share=settings.read_ahead_share,
        takes=None
        if settings.ai_sees == "auto"
        else frozenset(map(MediaKind, settings.ai_sees.replace("nothing", "").split())),
        time_limit=settings.ai_timeout,
        embedding_time_limit=EMBEDDING_TIME,
        batch_tokens=settings.batch_tokens,
        small_tokens=min(models.small_tokens, settings.batch_tokens),
    )


def _opened(
    kind: ProviderKind | None, settings: Settings, stack: AsyncExitStack, watch: Callable[[Provider], Provider]
) -> Models:
    """The models that answer, with their quota. Raises ImportError."""
    if kind is None:
        log.warning("AI: no key is set (GEMINI_API_KEY): the bot saves and recalls facts, but can't chat")
        return Models()
    opened = kind.open(settings, time_limit=settings.ai_timeout)
    for provider in dict.fromkeys((opened.batch, opened.small)):
        stack.push_async_callback(provider.close)
    return Models(
        batch=watch(opened.batch), small=watch(opened.small), limits=opened.limits, quota_zone=kind.quota_zone
    )


def _embedding(kind: ProviderKind | None, settings: Settings, stack: AsyncExitStack) -> EmbeddingProvider | None:
    """What embeds texts, where a model for it is set. Raises ImportError and ValueError."""
    if settings.embedding_model is None:
        return None
    if kind is None:
        raise ValueError("EMBEDDING_MODEL needs GEMINI_API_KEY or AI_BASE_URL.")
    provider = kind.open_embedding(settings, settings.embedding_model, time_limit=EMBEDDING_TIME)
    stack.push_async_callback(provider.close)
    return provider
