"""Providers: one table, open to other packages; quotas whatever people write them."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import AsyncExitStack
from importlib.metadata import EntryPoint, EntryPoints
from typing import Any

import pytest
from pydantic import SecretStr, ValidationError

from memory.ai.client import Prompt
from memory.ai.embedding import EmbeddingProvider
from memory.ai.model import Completion
from memory.ai.providers import OpenedModels, ProviderSettings, Quota, chosen_kind, kinds, parse_limits
from memory.ai.shares import Rules
from memory.store.usage import Limits
from urmom_bot import config
from urmom_bot.config import Settings, settings_class
from urmom_bot.errors import StartupError
from urmom_bot.models import models_of


class ParrotSettings(ProviderSettings):
    parrot_key: SecretStr | None = None
    parrot_limits: Quota = Limits(requests_per_minute=7)


class Parrot:
    """A provider of another package."""

    settings = ParrotSettings
    quota_zone = "UTC"
    model = "parrot-1"

    def is_chosen(self, settings: Any) -> bool:
        return settings.parrot_key is not None

    def open(self, settings: Any, *, time_limit: float) -> OpenedModels:
        return OpenedModels(batch=self, small=self, limits={self.model: settings.parrot_limits})

    def open_embedding(self, settings: Any, model: str, *, time_limit: float) -> EmbeddingProvider:
        raise ValueError("The parrot embeds nothing: leave EMBEDDING_MODEL empty.")

    async def say(self, prompt: Prompt[Any]) -> Completion:
        return Completion(text=prompt.data, tokens_in=1, tokens_out=1)

    async def close(self) -> None:
        pass


@pytest.fixture
def parrot(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    point = EntryPoint("parrot", f"{__name__}:Parrot", "urmom_bot.providers")
    monkeypatch.setattr("memory.ai.providers.entry_points", lambda group: EntryPoints([point]))
    for cached in (kinds, settings_class):
        cached.cache_clear()
    yield
    monkeypatch.undo()
    for cached in (kinds, settings_class):
        cached.cache_clear()


async def test_another_package_brings_a_provider(parrot: None, monkeypatch: pytest.MonkeyPatch) -> None:
    """By an entry point alone: its settings are settings, and it is used where they choose it."""
    monkeypatch.setenv("PARROT_KEY", "polly")
    monkeypatch.setenv("PARROT_LIMITS", "2 rpm")
    monkeypatch.setenv("GEMINI_API_KEY", "a-key")
    settings = settings_class()(_env_file=None)
    async with AsyncExitStack() as stack:
        models = models_of(settings, stack, lambda provider: provider)
    assert models.small is not None
    assert models.small.model == "parrot-1"
    assert models.limits["parrot-1"] == Limits(requests_per_minute=2)
    assert models.quota_zone == "UTC"


async def test_what_a_provider_cannot_do_is_one_sentence(parrot: None, monkeypatch: pytest.MonkeyPatch) -> None:
    """As whoever starts the bot reads it."""
    monkeypatch.setenv("PARROT_KEY", "polly")
    settings = settings_class()(_env_file=None, embedding_model="e")
    async with AsyncExitStack() as stack:
        with pytest.raises(StartupError, match="embeds nothing"):
            models_of(settings, stack, lambda provider: provider)


async def test_settings_without_a_providers_fields_choose_another(parrot: None) -> None:
    """Those of a program that was written before it, or of a test."""
    assert chosen_kind(Settings(_env_file=None, gemini_api_key=SecretStr("k"))) is not None  # type: ignore[call-arg]


def test_an_endpoint_comes_before_a_key() -> None:
    """Who sets both means the endpoint."""
    both = Settings(  # type: ignore[call-arg]
        _env_file=None, gemini_api_key=SecretStr("k"), ai_base_url="http://127.0.0.1:1/v1", ai_model="m"
    )
    (first, *_) = [kind for kind in kinds() if kind.is_chosen(both)]
    assert first.open(both, time_limit=1).small.model == "m"


@pytest.mark.parametrize(
    ("written", "meant"),
    [
        ("10 rpm 250k tpm 250 rpd", Limits(requests_per_minute=10, tokens_per_minute=250_000, requests_per_day=250)),
        ("10rpm, 1M TPM", Limits(requests_per_minute=10, tokens_per_minute=1_000_000)),
        ("", Limits()),
        ("none", Limits()),
    ],
)
def test_a_quota_as_people_write_it(written: str, meant: Limits) -> None:
    """In any order and case; it is written the same way where the bot shows it."""
    assert parse_limits(written) == meant
    assert parse_limits(str(meant)) == meant


@pytest.mark.parametrize("written", ["10", "10 per minute", "ten rpm", "0 rpm", "10 rpm and more"])
def test_a_quota_that_cannot_be_read_is_refused(written: str) -> None:
    """With how to write it: one that is misread would let too much be asked, or nothing."""
    with pytest.raises(ValidationError, match=r"rpm|none"):
        Settings(_env_file=None, gemini_limits=written)  # type: ignore[call-arg,arg-type]


def test_every_quota_has_old_names() -> None:
    """Those of the built-in providers, for a version."""
    assert set(config.LIMITS) >= {"ai_limits", "embedding_limits", "gemini_limits", "gemma_limits"}


async def test_one_setting_shares_out_minutes_and_days() -> None:
    """A member's part of a day is a quarter of that of a minute, at least a percent; a server's is the same."""
    for share, day in ((20, 5), (100, 25), (2, 1)):
        settings = Settings(_env_file=None, member_share=share, guild_share=40, batch_tokens=4_000)  # type: ignore[call-arg]
        async with AsyncExitStack() as stack:
            models = models_of(settings, stack, lambda provider: provider)
        assert models.shares == Rules(member=share, member_day=day, guild=40, guild_day=40)
        assert models.small_tokens == 4_000
