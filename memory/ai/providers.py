"""The providers, each imported only when it is used: an SDK takes most of a second to load."""

from __future__ import annotations

from typing import Protocol

from memory.ai.embedding import EmbeddingProvider
from memory.ai.model import Provider


class OpenProvider(Provider, Protocol):
    """A provider with connections to close."""

    async def close(self) -> None:
        """Close the connections."""
        ...


def gemini(*, api_key: str, model: str, time_limit: float, base_url: str | None = None) -> OpenProvider:
    """One model of the Gemini API; `base_url` is another address of it."""
    from memory.ai.gemini import GeminiProvider

    return GeminiProvider(api_key=api_key, model=model, time_limit=time_limit, base_url=base_url)


def openai_compatible(*, base_url: str, api_key: str, model: str, time_limit: float) -> OpenProvider:
    """One model of an OpenAI-compatible endpoint. Raises ImportError without the extra `openai`."""
    from memory.ai.openai_compatible import OpenAICompatibleProvider

    return OpenAICompatibleProvider(base_url=base_url, api_key=api_key, model=model, time_limit=time_limit)


def gemini_embedding(*, api_key: str, model: str, time_limit: float, base_url: str | None = None) -> EmbeddingProvider:
    """One model of the Gemini API that embeds."""
    from memory.ai.gemini import GeminiEmbedding

    return GeminiEmbedding(api_key=api_key, model=model, time_limit=time_limit, base_url=base_url)


def openai_compatible_embedding(*, base_url: str, api_key: str, model: str, time_limit: float) -> EmbeddingProvider:
    """One embedding model of an OpenAI-compatible endpoint. Raises ImportError without the extra `openai`."""
    from memory.ai.openai_compatible import OpenAICompatibleEmbedding

    return OpenAICompatibleEmbedding(base_url=base_url, api_key=api_key, model=model, time_limit=time_limit)
