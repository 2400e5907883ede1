"""Texts as vectors, for the search by meaning: an embedder within its quota."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Sequence
from typing import Protocol

from tenacity import AsyncRetrying, retry_if_exception_type, stop_after_attempt

from memory.ai.client import AIError, AIUnavailable, AIUnusable, Prompt, QuotaExhausted
from memory.ai.governor import Governor
from memory.ai.model import Transient
from memory.ai.parsing import Text
from memory.ids import GuildId, MessageId, UserId
from memory.records import Spent

log = logging.getLogger(__name__)

TEXTS_PER_REQUEST = 100
"""Texts in one request (the Gemini API takes no more)."""


class EmbeddingProvider(Protocol):
    """One model that embeds, of a provider."""

    model: str

    async def embed(self, texts: Sequence[str], dimensions: int, *, question: bool) -> list[list[float]]:
        """The vectors of texts. Raises Transient, QuotaExhausted, AIUnavailable or AIUnusable."""
        ...

    async def close(self) -> None:
        """Close the connections."""
        ...


class Embedder:
    """A model that embeds, within its quota. `dimensions` are those of its vectors."""

    def __init__(self, provider: EmbeddingProvider, governor: Governor, *, dimensions: int, time_limit: float) -> None:
        self._provider = provider
        self._governor = governor
        self._time_limit = time_limit
        self.dimensions = dimensions

    @property
    def model(self) -> str:
        """The model's name."""
        return self._provider.model

    async def embed(
        self,
        guild_id: GuildId,
        texts: Sequence[str],
        *,
        messages: Sequence[MessageId] = (),
        members: Sequence[UserId] = (),
        question: bool = False,
        patience: float = 90.0,
    ) -> list[list[float]]:
        """The vectors of at most AT_ONCE texts, or of a question. Raises an AIError.

        The texts are of these `messages`, or tell of these `members`.
        """
        prompt = Prompt(
            name="embedding",
            instructions="",
            data="\n".join(texts),
            result=Text,
            guild_id=guild_id,
            messages=tuple(messages),
            members=tuple(members),
            max_output_tokens=0,
            patience=patience,
        )
        reservation = await self._governor.reserve(self.model, prompt)
        retrying = _once_more()
        try:
            async with asyncio.timeout(self._time_limit):
                vectors: list[list[float]] = await retrying(
                    self._provider.embed, texts, self.dimensions, question=question
                )
        except QuotaExhausted as exhausted:
            await self._governor.record_exhausted(self.model, exhausted)
            raise
        except (TimeoutError, Transient) as lost:
            raise AIUnavailable(f"The embedder does not answer: {lost or type(lost).__name__}") from lost
        finally:
            tries = retrying.statistics.get("attempt_number", 1)
            await self._governor.settle(reservation, Spent(calls=tries, tokens_in=prompt.tokens))
        if [len(vector) for vector in vectors] != [self.dimensions] * len(texts):
            raise AIUnusable(f"{self.model} gave vectors that are not of {self.dimensions} dimensions each.")
        return vectors


def _once_more() -> AsyncRetrying:
    """Try twice: the other side may close an idle connection just when it is used."""
    return AsyncRetrying(retry=retry_if_exception_type(Transient), stop=stop_after_attempt(2), reraise=True)


__all__ = ["TEXTS_PER_REQUEST", "AIError", "Embedder", "EmbeddingProvider"]
