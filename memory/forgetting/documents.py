"""The documents of docs/export.md as they are read: every record checked before anything is stored. Pure.

A document may carry the signature of the installation that wrote it. Only then do its facts come back as they were,
with their tellers; without it they are claims of whoever imports them.
"""

from __future__ import annotations

import hashlib
import hmac
import json
from collections.abc import Mapping
from datetime import UTC, datetime
from typing import Annotated, Any

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field, ValidationError

from memory.ids import AudienceId, ChannelId, GuildId, MessageId, UserId
from memory.records import Confidence, FactDomain, Source

SCHEMA = "urmom-bot member export 2"
"""What an export calls its own form."""

READABLE = ("urmom-bot member export 1", SCHEMA)
"""The forms of exports whose facts can be stored again; in the first, texts name people by their names."""

MOST_FACTS = 5_000
"""Facts of one document at the most."""

MOST_PROBLEMS = 20
"""Problems that are told of one document."""

_FIRST = datetime(2015, 1, 1, tzinfo=UTC)
"""The first moment of Discord's."""


def _number(value: object) -> object:
    return (
        int(value)
        if isinstance(value, str) and value.lstrip("-").isascii() and value.lstrip("-").isdecimal()
        else value
    )


def _moment(value: object) -> object:
    if not isinstance(value, str):
        raise ValueError("not a date and time")
    found = datetime.fromisoformat(value)
    if found.tzinfo is None:
        raise ValueError("the time zone is missing")
    return found


_Positive = (BeforeValidator(_number), Field(ge=1, lt=2**63))
Moment = Annotated[datetime, BeforeValidator(_moment)]


class FactRecord(BaseModel):
    """One fact of an export."""

    model_config = ConfigDict(extra="ignore", strict=True)

    user_id: Annotated[UserId, *_Positive]
    stated_by: Annotated[UserId, BeforeValidator(_number), Field(ge=0, lt=2**63)]
    key: str = Field(min_length=1, max_length=80)
    value: str = Field(min_length=1, max_length=1_000)
    domain: Annotated[FactDomain, Field(strict=False)]
    confidence: Annotated[Confidence, Field(strict=False)]
    source: Annotated[Source, Field(strict=False)]
    channel_id: Annotated[ChannelId, *_Positive] | None = None
    message_id: Annotated[MessageId, BeforeValidator(_number), Field(gt=-(2**63), lt=2**63)] | None = None
    quote: str = Field(default="", max_length=4_000)
    audience: Annotated[AudienceId, BeforeValidator(_number), Field(gt=-(2**63), lt=2**63)]
    created_at: Moment
    last_confirmed_at: Moment
    retired_at: str | None = None


class NamesRecord(BaseModel):
    """The names of the member an export is of."""

    model_config = ConfigDict(extra="ignore", strict=True)

    display_name: str = Field(default="", max_length=100)
    username: str = Field(default="", max_length=100)
    global_name: str | None = Field(default=None, max_length=100)


class Document(BaseModel):
    """What is read of an export."""

    model_config = ConfigDict(extra="ignore", strict=True)

    guild_id: Annotated[GuildId, *_Positive]
    user_id: Annotated[UserId, *_Positive]
    facts: list[FactRecord] = Field(max_length=MOST_FACTS)
    names: list[NamesRecord] = Field(default_factory=list, max_length=20)


def read(export: Mapping[str, Any], now: datetime) -> Document:
    """A document whose every record is of its form. Raises ValueError with the position, field and reason of each."""
    if export.get("schema") not in READABLE:
        raise ValueError(f"it is not an export of this format ({SCHEMA!r})")
    try:
        found = Document.model_validate(
            {name: export.get(name, ()) for name in ("guild_id", "user_id")} | _rest(export)
        )
    except ValidationError as bad:
        told = [f"{_place(error['loc'])}: {error['msg']}" for error in bad.errors(include_url=False)[:MOST_PROBLEMS]]
        raise ValueError("; ".join(told)) from None
    for number, fact in enumerate(found.facts, 1):
        for name in ("created_at", "last_confirmed_at"):
            if not _FIRST <= getattr(fact, name) <= now:
                raise ValueError(f"fact {number}, {name}: not between 2015 and now")
    return found


def _rest(export: Mapping[str, Any]) -> dict[str, Any]:
    return {"facts": export.get("facts", ()), "names": export.get("names") or []}


def _place(location: tuple[int | str, ...]) -> str:
    """Where an error is, as people count."""
    parts = [str(part + 1) if isinstance(part, int) else part.removesuffix("s") for part in location]
    return " ".join(parts[:2]) + (f", {' '.join(parts[2:])}" if parts[2:] else "")


def signature(export: Mapping[str, Any], key: bytes) -> str:
    """The signature of a document by whoever has a key."""
    plain = {name: value for name, value in export.items() if name != "signature"}
    text = json.dumps(plain, sort_keys=True, separators=(",", ":"), ensure_ascii=True, default=str)
    return hmac.new(key, b"export\n" + text.encode(), hashlib.sha256).hexdigest()


def is_signed(export: Mapping[str, Any], key: bytes) -> bool:
    """Whether a document is as this installation wrote it."""
    given = export.get("signature")
    return isinstance(given, str) and given.isascii() and hmac.compare_digest(given, signature(export, key))
