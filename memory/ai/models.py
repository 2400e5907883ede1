"""The models of one memory: which providers carry its prompts, within which quota."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from datetime import datetime

from memory.ai.client import Absent, AIClient, Priority, Prompt
from memory.ai.embedding import Embedder, EmbeddingProvider
from memory.ai.governor import Governor
from memory.ai.media import MediaKind
from memory.ai.model import GovernedModel, Provider
from memory.ai.parsing import Text
from memory.ai.shares import Rules, Shares
from memory.ids import ALL_GUILDS
from memory.observer import Observer
from memory.rules.calendar import zone
from memory.store.usage import Limits, UsageStore

PROOF = Prompt(
    name="A proof",
    instructions="# A proof\n\nAnswer with the word OK and nothing else.",
    data="Are you there?",
    result=Text,
    guild_id=ALL_GUILDS,
    max_output_tokens=64,
    patience=0.0,
    time_limit=20.0,
)
"""Asks a model whether it answers."""


@dataclass(frozen=True, kw_only=True)
class Models:
    """What a memory may ask. Without providers it still stores and recalls facts."""

    batch: Provider | None = None
    """Reads days."""
    small: Provider | None = None
    """Does everything else."""
    embedding: EmbeddingProvider | None = None
    """Finds by meaning."""
    dimensions: int = 768
    """Of the embedding's vectors."""
    takes: frozenset[MediaKind] | None = None
    """What `small` takes beside text; None is what its name tells."""
    limits: Mapping[str, Limits] = field(default_factory=dict)
    """The quota of each model, by its name."""
    shares: Rules = field(default_factory=Rules)
    """How much of a quota one member and one guild may use."""
    media_share: int = 20
    """Percent of a day's requests that may be spent on what pictures show and voice messages say."""
    read_ahead_share: int = 25
    """Percent of a day's requests that may be spent on days that nobody asked about."""
    quota_zone: str = "America/Los_Angeles"
    """The zone in which a day of the quota begins."""
    quota_clock: Callable[[], datetime] | None = None
    """The time by which the provider counts; None is the memory's."""
    time_limit: float = 60.0
    """Seconds that a request may take."""
    embedding_time_limit: float = 20.0
    """Seconds that an embedding may take."""
    batch_tokens: int = 60_000
    """Tokens of a request to `batch`, at most."""
    batch_output_tokens: int = 32_000
    """Tokens of its answer, at most."""
    small_tokens: int = 8_000
    """Tokens of a request to `small`, at most."""


@dataclass(frozen=True, kw_only=True)
class AI:
    """The models behind their quota, ready to be asked."""

    batch: AIClient
    small: AIClient
    embedder: Embedder | None
    governor: Governor
    media_share: int
    read_ahead_share: int
    batch_tokens: int
    batch_output_tokens: int
    small_tokens: int

    @classmethod
    def over(cls, models: Models, usage: UsageStore, clock: Callable[[], datetime], observer: Observer) -> AI:
        """Put `models` behind one governor, which counts in `usage`."""
        clock = models.quota_clock or clock
        shares = Shares(models.shares, clock)
        governor = Governor(
            usage,
            models.limits,
            clock,
            zone(models.quota_zone),
            shares=shares,
            background={Priority.MEDIA: models.media_share, Priority.AHEAD: models.read_ahead_share},
        )

        def governed(provider: Provider | None, takes: frozenset[MediaKind] | None = None) -> AIClient:
            if provider is None:
                return Absent()
            return GovernedModel(provider, governor, time_limit=models.time_limit, observer=observer, takes=takes)

        embedder = None
        if models.embedding is not None:
            limit = models.embedding_time_limit
            embedder = Embedder(models.embedding, governor, dimensions=models.dimensions, time_limit=limit)
        return cls(
            batch=governed(models.batch),
            small=governed(models.small, models.takes),
            embedder=embedder,
            governor=governor,
            media_share=models.media_share,
            read_ahead_share=models.read_ahead_share,
            batch_tokens=models.batch_tokens,
            batch_output_tokens=models.batch_output_tokens,
            small_tokens=models.small_tokens,
        )
