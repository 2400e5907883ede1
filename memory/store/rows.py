"""Rows as records."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime
from typing import Any

import asyncpg

from memory.records import (
    Conclusion,
    ConclusionKind,
    Confidence,
    Fact,
    FactDomain,
    GuildRules,
    Mode,
    Source,
    Teachers,
    Topic,
)


def fact(row: asyncpg.Record | Mapping[str, Any]) -> Fact:
    """A row of `facts`."""
    return Fact(
        guild_id=row["guild_id"],
        fact_id=row["fact_id"],
        user_id=row["user_id"],
        key=row["key"],
        value=row["value"],
        domain=FactDomain(row["domain"]),
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
        asked_at=row["asked_at"],
    )


_MOMENTS = ("at", "created_at", "last_confirmed_at", "retired_at", "asked_at", "since", "replaced_at")


def from_json(json: Mapping[str, Any]) -> Mapping[str, Any]:
    """A row that came as JSON, as one that came as such."""
    return {n: datetime.fromisoformat(v) if v is not None and n in _MOMENTS else v for n, v in json.items()}


HOLDING = """
    (SELECT min(at) FROM (
         SELECT later.at FROM conclusions AS later
         WHERE later.guild_id = $1 AND later.audience = line.audience AND later.replaces <> '{}'
           AND later.replaces @> ARRAY[line.conclusion_id] OFFSET 0) AS those) AS replaced_at,
    (SELECT min(at) FROM (
         SELECT first.at FROM conclusions AS first
         WHERE first.guild_id = $1 AND first.audience = line.audience
           AND first.conclusion_id = ANY(line.confirms) OFFSET 0) AS those) AS since
"""
"""What a conclusion, as `line`, gets from those that point at it, and from those that it points at: of its readers.
Without OFFSET, the earliest would be looked for along the index of moments."""

SAID_AGAIN = """
    EXISTS (SELECT FROM conclusions AS later
            WHERE later.guild_id = $1 AND later.audience = line.audience
              AND later.topic_id IS NOT DISTINCT FROM line.topic_id AND later.confirms <> '{}'
              AND later.confirms @> ARRAY[line.conclusion_id])
"""
"""Whether a later conclusion of the same page says the same as `line`: that one is shown."""


def conclusion(row: asyncpg.Record | Mapping[str, Any]) -> Conclusion:
    """A row of `conclusions`."""
    return Conclusion(
        guild_id=row["guild_id"],
        conclusion_id=row["conclusion_id"],
        audience=row["audience"],
        channel_id=row["channel_id"],
        topic_id=row["topic_id"],
        kind=ConclusionKind(row["kind"]),
        text=row["text"],
        people=tuple(row["people"]),
        evidence=tuple(row["evidence"]),
        evidence_by=tuple(row["evidence_by"]),
        at=row["at"],
        replaces=tuple(row["replaces"]),
        confirms=tuple(row["confirms"]),
        since=row.get("since"),
        replaced_at=row.get("replaced_at"),
    )


def topic(row: asyncpg.Record) -> Topic:
    """A row of `topics`, with the number of its lines."""
    return Topic(
        guild_id=row["guild_id"],
        topic_id=row["topic_id"],
        audience=row["audience"],
        name=row["name"],
        summary=row["summary"],
        created_at=row["created_at"],
        updated_at=row["updated_at"],
        lines=row["lines"],
    )


def guild_rules(row: asyncpg.Record) -> GuildRules:
    """A row of `guild_settings`."""
    return GuildRules(
        teachers=Teachers(row["teachers"]),
        log_channel=row["log_channel"],
        base_role=row["base_role"],
        mode=Mode(row["mode"]),
        language=row["language"],
        guild_name=row["guild_name"],
        names=tuple(row["names"]),
        bare_names=row["bare_names"],
        character=row["character"],
        captions=row["captions"],
        read_ahead=row["read_ahead"],
        jokes=row["jokes"],
        post_channel=row["post_channel"],
        recap=row["recap"],
        birthdays=row["birthdays"],
        retention_days=row["retention_days"],
        daily_requests=row["daily_requests"],
        greeted=row["greeted_at"] is not None,
        left_at=row["left_at"],
    )
