"""How alike texts of a conversation are: by their vectors where an embedder is set, else by their words."""

from __future__ import annotations

import asyncio
import logging
import math
from collections.abc import Collection, Sequence

from cachetools import LRUCache

from memory.ai.client import AIError
from memory.ai.embedding import Embedder
from memory.ids import GuildId, UserId
from memory.rules.likeness import LIKE_ENOUGH, LIKE_ENOUGH_BY_WORDS, SAYS_NOTHING, UNLIKE, likeness
from memory.rules.safety import redacted

log = logging.getLogger(__name__)

EMBEDDING_TIMEOUT = 0.6
"""Seconds that a similarity may take; then the words alone decide."""


class Similarity:
    """One scale for both ways, that of seed 002: under 0.4 another subject, over 0.7 the same one."""

    def __init__(self, embedder: Embedder | None) -> None:
        self._embedder = embedder
        self._known: LRUCache[tuple[int, str], list[float]] = LRUCache(2_000)

    async def continuity(
        self, guild_id: GuildId, text: str, before: Sequence[str], people: Collection[UserId] = ()
    ) -> float:
        """How much a text goes on from the texts before it, the last of which counts most; the words are these
        people's."""
        by_words = likeness(text, before)
        if not before or by_words == SAYS_NOTHING:
            return by_words
        vectors = await self._vectors(guild_id, [text, " ".join(before)[-600:]], people)
        if vectors is None:
            return by_words
        # Vectors decide where words see another subject; what is short, or points back, goes on all the same.
        return max(_cosine(*vectors), by_words if by_words > UNLIKE else 0.0)

    async def like_enough(
        self, guild_id: GuildId, text: str, others: Sequence[str], people: Collection[UserId] = ()
    ) -> list[bool]:
        """Whether each of others has to do with a text: over 0.7 by vectors (seed 004), 0.6 on the scale of words. They
        are these people's, or tell of them."""
        vectors = await self._vectors(guild_id, [text, *others], people) if others else None
        if vectors is None:
            return [likeness(text, [other]) >= LIKE_ENOUGH_BY_WORDS for other in others]
        return [_cosine(vectors[0], vector) > LIKE_ENOUGH for vector in vectors[1:]]

    async def _vectors(
        self, guild_id: GuildId, texts: Sequence[str], people: Collection[UserId]
    ) -> list[list[float]] | None:
        """The vectors of texts; None where there is no embedder, or it does not answer in time."""
        if self._embedder is None:
            return None
        sent = [redacted(text) for text in texts]
        missing = [text for text in dict.fromkeys(sent) if (guild_id, text) not in self._known]
        if missing:
            try:
                async with asyncio.timeout(EMBEDDING_TIMEOUT):
                    found = await self._embedder.embed(guild_id, missing, members=list(people), patience=0.0)
            except (AIError, TimeoutError) as failed:
                log.info("texts are compared by their words alone (%s)", type(failed).__name__)
                return None
            self._known.update(((guild_id, text), vector) for text, vector in zip(missing, found, strict=True))
        return [self._known[guild_id, text] for text in sent]


def _cosine(one: Sequence[float], other: Sequence[float]) -> float:
    size = math.hypot(*one) * math.hypot(*other)
    return max(sum(a * b for a, b in zip(one, other, strict=True)) / size, 0.0) if size else 0.0
