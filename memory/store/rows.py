"""Rows as records."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import asyncpg

from memory.records import Confidence, Fact, Source


def fact(row: asyncpg.Record | Mapping[str, Any]) -> Fact:
    """A row of `facts`."""
    return Fact(
        guild_id=row["guild_id"],
        fact_id=row["fact_id"],
        user_id=row["user_id"],
        key=row["key"],
        value=row["value"],
        domain=row["domain"],
        confidence=Confidence(row["confidence"]),
        source=Source(row["source"]),
        stated_by=row["stated_by"],
        channel_id=row["channel_id"],
        message_id=row["message_id"],
        quote=row["quote"],
        audience=row["audience"],
        created_at=row["created_at"],
        last_confirmed_at=row["last_confirmed_at"],
        retired_at=row["retired_at"],
        retired_because=row["retired_because"],
        superseded_by=row["superseded_by"],
    )
