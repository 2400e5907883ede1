"""ai_usage: requests and tokens by model, minute and day.

The totals that a provider's quota speaks of stand under guild_id 0; each guild's own share of a
day stands under its id.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime

import asyncpg

from memory.records import GuildErased, Spent
from memory.store.database import Connection, Tables, lock_guild

TOTAL = 0
"""The guild_id of a model's totals."""


@dataclass(frozen=True, kw_only=True)
class Limits:
    """What a model's quota allows; None where it has no such limit."""

    requests_per_minute: int | None = None
    tokens_per_minute: int | None = None
    requests_per_day: int | None = None


class UsageStore(Tables):
    """Counting, in one place for all processes."""

    async def reserve(
        self, model: str, limits: Limits, tokens: int, minute: datetime, day: datetime, now: datetime
    ) -> tuple[str, datetime | None] | None:
        """Count one request of about `tokens` tokens, if the limits allow it.

        Returns None when counted, else what stands in the way ("minute", "day" or "blocked") and,
        for "blocked", until when.
        """
        async with self._db.transaction() as connection:
            # One row to wait at: processes count one after the other.
            today = await _row(connection, model, "day", day)
            if today["blocked_until"] is not None and today["blocked_until"] > now:
                return "blocked", today["blocked_until"]
            if limits.requests_per_day is not None and today["requests"] >= limits.requests_per_day:
                return "day", None
            this = await _row(connection, model, "minute", minute)
            if limits.requests_per_minute is not None and this["requests"] >= limits.requests_per_minute:
                return "minute", None
            used = this["tokens_in"] + this["tokens_out"]
            if limits.tokens_per_minute is not None and used and used + tokens > limits.tokens_per_minute:
                return "minute", None
            for span, start in (("minute", minute), ("day", day)):
                await connection.execute(
                    """
                    UPDATE ai_usage SET requests = requests + 1, tokens_in = tokens_in + $5
                    WHERE guild_id = $1 AND model = $2 AND span = $3 AND starts_at = $4
                    """,
                    TOTAL,
                    model,
                    span,
                    start,
                    tokens,
                )
        return None

    async def settle(
        self, model: str, guild_id: int, reserved: int, spent: Spent, minute: datetime, day: datetime
    ) -> None:
        """Replace the one reserved request and its estimate by what was spent, and count it to the guild."""
        erased = False
        async with self._db.transaction() as connection:
            try:
                await lock_guild(connection, guild_id)
            except GuildErased:  # what it cost counts, whose it was does not
                erased = True
            for span, start in (("day", day), ("minute", minute)):
                await connection.execute(
                    """
                    UPDATE ai_usage
                    SET tokens_in = tokens_in + $5, tokens_out = tokens_out + $6, requests = requests + $7
                    WHERE guild_id = $1 AND model = $2 AND span = $3 AND starts_at = $4
                    """,
                    TOTAL,
                    model,
                    span,
                    start,
                    spent.tokens_in - reserved,
                    spent.tokens_out,
                    max(spent.calls - 1, 0),
                )
            if guild_id != TOTAL and not erased:
                await connection.execute(
                    """
                    INSERT INTO ai_usage AS known
                        (guild_id, model, span, starts_at, requests, tokens_in, tokens_out)
                    VALUES ($1, $2, 'day', $3, 1, $4, $5)
                    ON CONFLICT (guild_id, model, span, starts_at) DO UPDATE
                        SET requests = known.requests + 1, tokens_in = known.tokens_in + excluded.tokens_in,
                            tokens_out = known.tokens_out + excluded.tokens_out
                    """,
                    guild_id,
                    model,
                    day,
                    spent.tokens_in,
                    spent.tokens_out,
                )

    async def block(self, model: str, day: datetime, until: datetime) -> None:
        """Block a model until a moment, as its provider demands."""
        async with self._db.transaction() as connection:
            await _row(connection, model, "day", day)
            await connection.execute(
                """
                UPDATE ai_usage SET blocked_until = greatest(blocked_until, $4)
                WHERE guild_id = $1 AND model = $2 AND span = 'day' AND starts_at = $3
                """,
                TOTAL,
                model,
                day,
                until,
            )

    async def today(
        self, days: Mapping[str, datetime], guild_id: int = TOTAL
    ) -> dict[str, tuple[Spent, datetime | None]]:
        """By model, what was spent since the start of its day, and until when it is blocked."""
        async with self._db.connection() as connection:
            rows = await connection.fetch(
                """
                SELECT * FROM ai_usage
                WHERE guild_id = $1 AND span = 'day' AND (model, starts_at) IN
                      (SELECT * FROM unnest($2::text[], $3::timestamptz[]))
                """,
                guild_id,
                list(days),
                list(days.values()),
            )
        return {
            row["model"]: (
                Spent(calls=row["requests"], tokens_in=row["tokens_in"], tokens_out=row["tokens_out"]),
                row["blocked_until"],
            )
            for row in rows
        }

    async def purge(self, guild_id: int, minutes_before: datetime, days_before: datetime) -> None:
        """Drop counts of minutes and days long past."""
        async with self._db.connection() as connection:
            await connection.execute(
                """
                DELETE FROM ai_usage
                WHERE guild_id = $1
                  AND starts_at < CASE span WHEN 'minute' THEN $2::timestamptz ELSE $3::timestamptz END
                """,
                guild_id,
                minutes_before,
                days_before,
            )


async def _row(connection: Connection, model: str, span: str, start: datetime) -> asyncpg.Record:
    row = await connection.fetchrow(
        """
        INSERT INTO ai_usage AS known (guild_id, model, span, starts_at) VALUES ($1, $2, $3, $4)
        ON CONFLICT (guild_id, model, span, starts_at) DO UPDATE SET requests = known.requests
        RETURNING *
        """,
        TOTAL,
        model,
        span,
        start,
    )
    assert row is not None
    return row
