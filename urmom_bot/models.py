"""The models that the settings choose."""

from __future__ import annotations

import logging
from collections.abc import Callable
from contextlib import AsyncExitStack

from memory import Models
from memory.ai.embedding import EmbeddingProvider
from memory.ai.model import Provider
from memory.ai.providers import gemini, gemini_embedding, openai_compatible, openai_compatible_embedding
from memory.ai.shares import Rules
from urmom_bot.config import Settings
from urmom_bot.errors import BAD_SETTINGS, StartupError

log = logging.getLogger(__name__)

EMBEDDING_TIME = 20.0
"""Seconds that an embedding may take."""

_NEEDS_OPENAI = "AI_BASE_URL needs the extra openai: pip install 'urmom-bot[openai]'."


def models_of(settings: Settings, stack: AsyncExitStack, watch: Callable[[Provider], Provider]) -> Models:
    """The models of `settings`, whose connections `stack` closes; `watch` wraps each provider. Raises StartupError."""
    batch, small = _providers(settings, stack)
    return Models(
        batch=batch and watch(batch),
        small=small and watch(small),
        embedding=_embedding(settings, stack),
        dimensions=settings.embedding_dimensions,
        limits=settings.limits,
        shares=Rules(
            member=settings.member_share,
            member_day=settings.member_day_share,
            guild=settings.guild_share,
            guild_day=settings.guild_day_share,
        ),
        quota_zone=settings.quota_time_zone,
        time_limit=settings.ai_timeout,
        embedding_time_limit=EMBEDDING_TIME,
        batch_tokens=settings.batch_tokens,
        batch_output_tokens=settings.batch_output_tokens,
        small_tokens=settings.small_tokens,
    )


def _providers(settings: Settings, stack: AsyncExitStack) -> tuple[Provider | None, Provider | None]:
    """What reads days, and what does everything else. Raises StartupError."""
    if settings.ai_base_url or settings.ai_model:
        if not (settings.ai_base_url and settings.ai_model):
            raise StartupError("AI_BASE_URL and AI_MODEL go together: set both, or neither.", BAD_SETTINGS)
        try:
            endpoint = openai_compatible(
                base_url=settings.ai_base_url,
                api_key=settings.ai_api_key.get_secret_value() if settings.ai_api_key else "",
                model=settings.ai_model,
                time_limit=settings.ai_timeout,
            )
        except ImportError as missing:
            raise StartupError(_NEEDS_OPENAI, BAD_SETTINGS) from missing
        stack.push_async_callback(endpoint.close)
        return endpoint, endpoint
    if settings.gemini_api_key is None:
        log.warning("AI: no key is set (GEMINI_API_KEY): the bot remembers and tells facts, and cannot chat")
        return None, None
    key = settings.gemini_api_key.get_secret_value()
    batch, small = (
        gemini(api_key=key, model=model, time_limit=settings.ai_timeout, base_url=settings.google_gemini_base_url)
        for model in (settings.gemini_model, settings.gemma_model)
    )
    stack.push_async_callback(batch.close)
    stack.push_async_callback(small.close)
    return batch, small


def _embedding(settings: Settings, stack: AsyncExitStack) -> EmbeddingProvider | None:
    """What embeds texts, where a model for it is set. Raises StartupError."""
    model = settings.embedding_model
    if model is None:
        return None
    if settings.ai_base_url:
        try:
            provider = openai_compatible_embedding(
                base_url=settings.ai_base_url,
                api_key=settings.ai_api_key.get_secret_value() if settings.ai_api_key else "",
                model=model,
                time_limit=EMBEDDING_TIME,
            )
        except ImportError as missing:
            raise StartupError(_NEEDS_OPENAI, BAD_SETTINGS) from missing
    elif settings.gemini_api_key is not None:
        provider = gemini_embedding(
            api_key=settings.gemini_api_key.get_secret_value(),
            model=model,
            time_limit=EMBEDDING_TIME,
            base_url=settings.google_gemini_base_url,
        )
    else:
        raise StartupError("EMBEDDING_MODEL needs GEMINI_API_KEY or AI_BASE_URL.", BAD_SETTINGS)
    stack.push_async_callback(provider.close)
    return provider
