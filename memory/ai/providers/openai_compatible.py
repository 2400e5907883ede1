"""Any OpenAI-compatible endpoint (Ollama, llama.cpp, OpenRouter …), by the extra `openai`."""

from __future__ import annotations

from typing import Any

from pydantic import SecretStr

from memory.ai.embedding import EmbeddingProvider
from memory.ai.providers import OpenedModels, OpenProvider, ProviderSettings, Quota
from memory.store.usage import Limits

MISSING = "AI_BASE_URL needs the extra openai. Run: pip install 'urmom-bot[openai]'"


class OpenAICompatibleSettings(ProviderSettings):
    """Without `ai_limits` nothing is limited."""

    ai_base_url: str | None = None
    ai_api_key: SecretStr | None = None
    ai_model: str | None = None
    ai_limits: Quota = Limits()


class OpenAICompatible:
    """One model does everything."""

    settings = OpenAICompatibleSettings
    quota_zone = "UTC"

    def is_chosen(self, settings: Any) -> bool:
        """Whether there is an address and a model. Raises ValueError with one of them alone."""
        if bool(settings.ai_base_url) != bool(settings.ai_model):
            raise ValueError("Set both AI_BASE_URL and AI_MODEL, or neither.")
        return bool(settings.ai_base_url)

    def open(self, settings: Any, *, time_limit: float) -> OpenedModels:
        """The model. Raises ImportError without the extra."""
        own = self.settings.model_validate(settings)
        name = own.ai_model or ""
        endpoint = model(own, name, time_limit=time_limit)
        return OpenedModels(batch=endpoint, small=endpoint, limits={name: own.ai_limits})

    def open_embedding(self, settings: Any, model: str, *, time_limit: float) -> EmbeddingProvider:
        """An embedding model of the same endpoint. Raises ImportError without the extra."""
        own = self.settings.model_validate(settings)
        try:
            from memory.ai.openai_compatible import OpenAICompatibleEmbedding
        except ImportError as missing:
            raise ImportError(MISSING) from missing
        return OpenAICompatibleEmbedding(
            base_url=own.ai_base_url or "", api_key=_key(own), model=model, time_limit=time_limit
        )


def model(settings: OpenAICompatibleSettings, name: str, *, time_limit: float) -> OpenProvider:
    """One model of the endpoint. Raises ImportError without the extra."""
    try:
        from memory.ai.openai_compatible import OpenAICompatibleProvider
    except ImportError as missing:
        raise ImportError(MISSING) from missing
    return OpenAICompatibleProvider(
        base_url=settings.ai_base_url or "", api_key=_key(settings), model=name, time_limit=time_limit
    )


def _key(settings: OpenAICompatibleSettings) -> str:
    return settings.ai_api_key.get_secret_value() if settings.ai_api_key else ""
