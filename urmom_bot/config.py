"""Settings, from the environment and a .env file; frozen once read. Every one stands in .env.example."""

from __future__ import annotations

import logging
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import Any, Literal
from urllib.parse import urlsplit

import platformdirs
from pydantic import Field, SecretStr, ValidationInfo, create_model, field_validator, model_validator
from pydantic.fields import FieldInfo
from pydantic_settings import BaseSettings, PydanticBaseSettingsSource, SettingsConfigDict

from memory.ai.providers import Quota, kinds
from memory.ai.providers.gemini import GeminiSettings
from memory.ai.providers.openai_compatible import OpenAICompatibleSettings
from memory.rules.calendar import zone
from memory.store.usage import Limits
from urmom_bot.loopback import is_loopback

log = logging.getLogger(__name__)

SECRETS = Path("/run/secrets")
"""Where containers find secrets: a file for each setting, by its name in small letters."""


class Settings(  # pyright: ignore[reportIncompatibleVariableOverride]
    GeminiSettings, OpenAICompatibleSettings, BaseSettings
):
    """All settings. The field's name in capitals is the variable's name."""

    model_config = SettingsConfigDict(
        env_file=".env",
        frozen=True,
        extra="ignore",
        enable_decoding=False,
        from_attributes=True,
        secrets_dir=[folder for folder in (SECRETS,) if folder.is_dir()],
    )

    discord_token: SecretStr | None = None
    discord_proxy: str | None = None
    shard_count: int | None = Field(default=None, ge=1)
    shards_each: int | None = Field(default=None, ge=1)
    shard_ids: tuple[int, ...] | None = None

    database_url: SecretStr | None = None
    database_password: SecretStr | None = None
    suppression_key: SecretStr | None = None
    data_dir: Path = Path(platformdirs.user_data_path("urmom-bot"))

    bot_name: str = "Bot, Бот"
    contact: str = Field(default="", max_length=100)
    time_zone: str = "UTC"
    retention_days: int = Field(default=30, ge=7, le=365)
    summary_days: int = Field(default=90, ge=7, le=365)
    week_days: int = Field(default=365, ge=7, le=3_650)
    month_days: int = Field(default=3_650, ge=365, le=36_500)
    session_keys: tuple[SecretStr, ...] | None = None
    ask_about_gathered: bool = True
    introduce: bool = True
    reply_tools: bool = False
    leave_grace_days: int = Field(default=30, ge=0, le=3_650)
    memory_wait: float = Field(default=1.0, ge=0, le=30)
    joke_emoji: str = "🤡"
    joke_cooldown: float = Field(default=30.0, ge=0)
    log_level: str = "INFO"
    log_format: Literal["text", "json"] = "text"
    health_port: int = Field(default=8_090, ge=0, le=65_535)
    page_port: int = Field(default=8_080, ge=0, le=65_535)
    page_host: str = "127.0.0.1"
    page_url: str | None = None
    discord_client_secret: SecretStr | None = None

    embedding_model: str | None = None
    embedding_dimensions: int = Field(default=768, ge=64, le=4_000)
    embedding_limits: Quota = Limits(requests_per_minute=100, tokens_per_minute=30_000, requests_per_day=1_000)

    ai_sees: Literal["auto", "nothing", "pictures", "pictures sound", "pictures sound documents"] = "auto"
    ai_timeout: float = Field(default=60.0, gt=0)
    member_share: int = Field(default=20, ge=1, le=100)
    guild_share: int = Field(default=50, ge=1, le=100)
    media_share: int = Field(default=20, ge=0, le=100)
    read_ahead_share: int = Field(default=25, ge=0, le=100)
    batch_tokens: int = Field(default=60_000, ge=4_000)

    @field_validator("*", mode="before")
    @classmethod
    def _empty(cls, value: object, info: ValidationInfo) -> object:
        """What is set to nothing: no limit where it is a limit, else the default."""
        if value != "" or info.field_name is None:
            return value
        return Limits() if info.field_name in LIMITS else cls.model_fields[info.field_name].default

    @field_validator("session_keys", mode="before")
    @classmethod
    def _keys(cls, value: object) -> object:
        return (tuple(value.replace(",", " ").split()) or None) if isinstance(value, str) else value

    @field_validator("shard_ids", mode="before")
    @classmethod
    def _numbers(cls, value: object) -> object:
        return (tuple(int(n) for n in value.replace(",", " ").split()) or None) if isinstance(value, str) else value

    @field_validator("time_zone")
    @classmethod
    def _zone(cls, value: str) -> str:
        return zone(value).key

    @field_validator("log_level")
    @classmethod
    def _level(cls, value: str) -> str:
        if value.upper() not in ("DEBUG", "INFO", "WARNING", "ERROR"):
            raise ValueError("it must be DEBUG, INFO, WARNING or ERROR")
        return value.upper()

    @model_validator(mode="after")
    def _pages(self) -> Settings:
        """Refuse pages that somebody on the way could read. Raises ValueError."""
        url = urlsplit(self.page_url or "")
        if self.page_url is not None and (
            url.scheme not in ("http", "https") or not url.hostname or url.path not in ("", "/") or url.query
        ):
            raise ValueError("PAGE_URL must be an address without a path, such as https://bot.example.org")
        if url.scheme == "http" and not is_loopback(url.hostname):
            raise ValueError("PAGE_URL must begin with https://, because anybody on the way can read http")
        if not is_loopback(self.page_host) and url.scheme != "https":
            raise ValueError("PAGE_HOST needs a PAGE_URL that begins with https://, unless it is 127.0.0.1")
        return self

    @property
    def page_address(self) -> str:
        """Where people reach their pages."""
        return (self.page_url or f"http://127.0.0.1:{self.page_port}").rstrip("/")

    @model_validator(mode="after")
    def _shards(self) -> Settings:
        """Refuse shards that cannot be run. Raises ValueError."""
        ids, count = self.shard_ids, self.shard_count
        if self.shards_each is not None and (count is None or ids is not None):
            raise ValueError(
                "SHARDS_EACH needs SHARD_COUNT, and no SHARD_IDS: with it, processes divide the shards themselves"
            )
        if ids is None:
            return self
        if count is None:
            raise ValueError("SHARD_IDS needs SHARD_COUNT, the total number of shards")
        if len(set(ids)) != len(ids):
            raise ValueError("SHARD_IDS has a shard twice")
        if wrong := [n for n in ids if not 0 <= n < count]:
            raise ValueError(f"SHARD_IDS has {wrong[0]}, but with SHARD_COUNT={count} shards go from 0 to {count - 1}")
        return self

    def on_stand_in(self, url: str) -> Settings:
        """The same settings with the stand-in at `url` for a model, which has no quota of its own."""
        return self.model_copy(
            update={
                **dict.fromkeys(LIMITS, Limits()),
                **dict.fromkeys(("ai_base_url", "ai_model")),
                "gemini_api_key": SecretStr("stand-in"),
                "google_gemini_base_url": url,
            }
        )

    @property
    def bot_names(self) -> tuple[str, ...]:
        """The names it answers to; it calls itself by the first."""
        return tuple(filter(None, (name.strip() for name in self.bot_name.split(",")))) or ("Bot",)

    @classmethod
    def settings_customise_sources(
        cls,
        settings_cls: type[BaseSettings],
        init_settings: PydanticBaseSettingsSource,
        env_settings: PydanticBaseSettingsSource,
        dotenv_settings: PydanticBaseSettingsSource,
        file_secret_settings: PydanticBaseSettingsSource,
    ) -> tuple[PydanticBaseSettingsSource, ...]:
        """Read quotas by their old names, too, where the new one is not set. Warn about settings that are gone."""
        old = OldLimits(settings_cls, env_settings, dotenv_settings)
        old.warn_of_gone()
        return init_settings, env_settings, dotenv_settings, old, file_secret_settings


LIMITS = frozenset(name for name in Settings.model_fields if name.endswith("_limits"))
"""The settings that are quotas: empty, they are none."""


GONE = {
    "reply_days": "it is always 7",
    "conclusion_days": "it is always 365",
    "session_idle_minutes": "it is always 7",
    "session_ttl_minutes": "it is always 60",
    "member_day_share": "it is a quarter of MEMBER_SHARE",
    "guild_day_share": "it is GUILD_SHARE",
    "batch_output_tokens": "the bot finds out by itself how much a model can write",
    "small_tokens": "it is 8000, or BATCH_TOKENS if that is less",
}
"""Settings of 0.1.0 that are no longer read, and what holds instead."""


class OldLimits(PydanticBaseSettingsSource):
    """Quotas as they were set until 0.1.0, by a setting for each number (GEMINI_REQUESTS_PER_MINUTE)."""

    def __init__(self, settings_cls: type[BaseSettings], *sources: PydanticBaseSettingsSource) -> None:
        super().__init__(settings_cls)
        self._given: dict[str, str | None] = {}
        for source in reversed(sources):
            self._given |= getattr(source, "env_vars", {})

    def get_field_value(self, field: FieldInfo, field_name: str) -> tuple[Any, str, bool]:
        """The value of one quota; None where none of its old names is set."""
        role = field_name.removesuffix("_limits")
        old = {unit: f"{role}_{unit}" for unit in ("requests_per_minute", "tokens_per_minute", "requests_per_day")}
        values = {unit: int(self._given[name] or 0) or None for unit, name in old.items() if name in self._given}
        if not values or field_name in self._given:
            return None, field_name, False
        found = replace(field.default, **values)
        log.warning("%s are old names: set %s=%s instead", ", ".join(old.values()).upper(), field_name.upper(), found)
        return found, field_name, False

    def warn_of_gone(self) -> None:
        """Tell the operator which settings have no effect any more."""
        for name in sorted(GONE.keys() & self._given):
            log.warning("%s is no longer a setting: %s. Remove it.", name.upper(), GONE[name])

    def __call__(self) -> dict[str, Any]:
        """The quotas that are set by their old names."""
        found = {name: self.get_field_value(self.settings_cls.model_fields[name], name)[0] for name in sorted(LIMITS)}
        return {name: value for name, value in found.items() if value is not None}


@cache
def settings_class() -> type[Settings]:
    """The settings, with those of the providers that other packages bring."""
    others: tuple[Any, ...] = tuple(kind.settings for kind in kinds() if not issubclass(Settings, kind.settings))
    return create_model("Settings", __base__=(Settings, *others)) if others else Settings
