"""Gemini and Gemma of the Gemini API."""

from __future__ import annotations

from typing import Any

from pydantic import SecretStr

from memory.ai.embedding import EmbeddingProvider
from memory.ai.providers import OpenedModels, OpenProvider, ProviderSettings, Quota
from memory.store.usage import Limits


class GeminiSettings(ProviderSettings):
    """The limits are those of a free key."""

    gemini_api_key: SecretStr | None = None
    google_gemini_base_url: str | None = None
    gemini_model: str = "gemini-flash-latest"
    gemma_model: str = "gemma-4-31b-it"
    gemini_limits: Quota = Limits(requests_per_minute=10, tokens_per_minute=250_000, requests_per_day=250)
    gemma_limits: Quota = Limits(requests_per_minute=30, tokens_per_minute=15_000, requests_per_day=14_400)


class Gemini:
    """Days are read by `gemini_model`, the rest is done by `gemma_model`."""

    settings = GeminiSettings
    quota_zone = "America/Los_Angeles"

    def is_chosen(self, settings: Any) -> bool:
        """Whether there is a key."""
        return settings.gemini_api_key is not None

    def open(self, settings: Any, *, time_limit: float) -> OpenedModels:
        """Both models."""
        own = self.settings.model_validate(settings)
        return OpenedModels(
            batch=model(own, own.gemini_model, time_limit=time_limit),
            small=model(own, own.gemma_model, time_limit=time_limit),
            limits={own.gemma_model: own.gemma_limits, own.gemini_model: own.gemini_limits},
        )

    def open_embedding(self, settings: Any, model: str, *, time_limit: float) -> EmbeddingProvider:
        """An embedding model of the same API."""
        from memory.ai.gemini import GeminiEmbedding

        own = self.settings.model_validate(settings)
        return GeminiEmbedding(
            api_key=_key(own), model=model, time_limit=time_limit, base_url=own.google_gemini_base_url
        )


def model(settings: GeminiSettings, name: str, *, time_limit: float) -> OpenProvider:
    """One model of the API."""
    from memory.ai.gemini import GeminiProvider

    return GeminiProvider(
        api_key=_key(settings), model=name, time_limit=time_limit, base_url=settings.google_gemini_base_url
    )


def _key(settings: GeminiSettings) -> str:
    return settings.gemini_api_key.get_secret_value() if settings.gemini_api_key else ""
