"""The providers: one table, open to other packages by entry points of the group `urmom_bot.providers`.

A provider is a class with the members of `ProviderKind`, in a file of its own. Its SDK is imported where it is opened:
it takes most of a second to load.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from importlib.metadata import entry_points
from pkgutil import resolve_name
from typing import Annotated, Any, Protocol

from pydantic import BaseModel, BeforeValidator, ConfigDict

from memory.ai.embedding import EmbeddingProvider
from memory.ai.model import Provider
from memory.store.usage import Limits

GROUP = "urmom_bot.providers"
"""The group of the entry points by which other packages bring providers."""

BUILT_IN = (
    "memory.ai.providers.openai_compatible:OpenAICompatible",
    "memory.ai.providers.gemini:Gemini",
)
"""The providers that come along. The first that the settings choose is used, those of other packages before these."""


class OpenProvider(Provider, Protocol):
    """A provider with connections to close."""

    async def close(self) -> None:
        """Close the connections."""
        ...


class ProviderSettings(BaseModel):
    """The settings of one provider: each field in capitals is the variable's name."""

    model_config = ConfigDict(frozen=True, from_attributes=True)


@dataclass(frozen=True, kw_only=True)
class OpenedModels:
    """The models of a provider, ready to be asked. `batch` reads days, `small` does everything else."""

    batch: OpenProvider
    small: OpenProvider
    limits: Mapping[str, Limits]
    """The quota of each model, by its name."""


class ProviderKind(Protocol):
    """A way to reach models. Settings are given as an object with the fields of `settings`."""

    settings: type[ProviderSettings]
    quota_zone: str
    """The zone in which a day of its quota begins."""

    def is_chosen(self, settings: Any) -> bool:
        """Whether the settings want it. Raises ValueError where they say so by halves."""
        ...

    def open(self, settings: Any, *, time_limit: float) -> OpenedModels:
        """Its models. Raises ImportError, with what to install, where its SDK is missing."""
        ...

    def open_embedding(self, settings: Any, model: str, *, time_limit: float) -> EmbeddingProvider:
        """A model of it that embeds. Raises ImportError, and ValueError where it has none."""
        ...


@cache
def kinds() -> tuple[ProviderKind, ...]:
    """Every provider, in the order in which they are asked whether they are chosen."""
    others = [point.load() for point in sorted(entry_points(group=GROUP), key=lambda point: point.name)]
    made: list[ProviderKind] = [kind() for kind in (*others, *map(resolve_name, BUILT_IN))]
    return tuple(made)


def chosen_kind(settings: object) -> ProviderKind | None:
    """The provider that the settings choose; None where they choose none. Raises ValueError."""
    return next((kind for kind in kinds() if _has_fields(kind, settings) and kind.is_chosen(settings)), None)


def _has_fields(kind: ProviderKind, settings: object) -> bool:
    """Whether settings were read with those of a provider among them."""
    return all(hasattr(settings, name) for name in kind.settings.model_fields)


_UNITS = {"rpm": "requests_per_minute", "tpm": "tokens_per_minute", "rpd": "requests_per_day"}
_LIMIT = re.compile(r"(?<!\d)(\d{1,9})(k|m)? ?(rpm|tpm|rpd)", re.IGNORECASE)
_TIMES = {"": 1, "k": 1_000, "m": 1_000_000}


def parse_limits(value: object) -> object:
    """A quota as people write it: "10 rpm 250k tpm 250 rpd"; nothing, or "none", is no limit. Raises ValueError."""
    if not isinstance(value, str):
        return value
    rest = _LIMIT.sub("", value).replace(",", "").strip()
    if rest and rest.casefold() != "none":
        raise ValueError(
            f"cannot read {rest!r}: write it like '10 rpm 250k tpm 250 rpd' (requests and tokens per minute, requests"
            " per day)"
        )
    found = {unit.lower(): int(n) * _TIMES[times.lower()] for n, times, unit in _LIMIT.findall(value)}
    if any(n == 0 for n in found.values()):
        raise ValueError("a quota of 0 blocks every request: write 'none' for no limit")
    return Limits(**{_UNITS[unit]: n for unit, n in found.items()})


Quota = Annotated[Limits, BeforeValidator(parse_limits)]
"""The type of a setting that is a quota."""
