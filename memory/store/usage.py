"""ai_usage: requests and tokens by model, minute and day.

The totals that a provider's quota speaks of stand under guild_id 0; each guild's own share of a
day stands under its id.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass
from datetime import datetime

import asyncpg

from memory.ids import GuildId, MessageId, UserId
from memory.records import Spent
from memory.store.database import ERASED, Connection, Tables

TOTAL = GuildId(0)
"""The guild_id of a model's totals."""


@dataclass(frozen=True, kw_only=True)
class Limits:
    """What a model's quota allows; None where it has no such limit."""

    requests_per_minute: int | None = None
    tokens_per_minute: int | None = None
    requests_per_day: int | None = None

    def __str__(self) -> str:
        """As it is written in a setting: "10 rpm 250k tpm 250 rpd"; empty without limits."""
        units = zip(
            ("rpm", "tpm", "rpd"),
            (self.requests_per_minute, self.tokens_per_minute, self.requests_per_day),
            strict=True,
        )
        return " ".join(f"{n // 1_000}k {unit}" if n % 1_000 == 0 else f"{n} {unit}" for unit, n in units if n)

    def part(self, percent: int) -> Limits:
        """A part of them, rounded down; at least one."""

        def share(limit: int | None) -> int | None:
            return None if limit is None else max(limit * percent // 100, 1)

        return Limits(
            requests_per_minute=share(self.requests_per_minute),
            tokens_per_minute=share(self.tokens_per_minute),
            requests_per_day=share(self.requests_per_day),
        )


@dataclass(frozen=True, kw_only=True)
class Carried:
    """What a request to a model carried: messages, and members of whom it told beside them."""

    at: datetime
    use: str
    messages: Collection[MessageId] = ()
    members: Collection[UserId] = ()


class _InTheWay(Exception):
    """Not both of a day and its minute could be counted."""

    def __init__(self, counted: set[str]) -> None:
        super().__init__()
        self.counted = counted


class UsageStore(Tables):
    """Counting, in one place for all processes."""

    async def reserve(
        self, model: str, limits: Limits, tokens: int, minute: datetime, day: datetime, now: datetime
    ) -> int | tuple[str, datetime | None]:
        """Count one request of about `tokens` tokens, if the limits allow it.

        Returns which of the day's it is; where it is not counted, what stands in the way ("minute", "day" or
        "blocked") and, for "blocked", until when.
        """
        try:
            async with self._db.connection() as connection, connection.transaction():
                counted = await connection.fetch(
                    f"""
                    WITH held AS MATERIALIZED ({self._db.lease_query})
                    INSERT INTO ai_usage AS known (guild_id, model, span, starts_at, requests, tokens_in)
                    SELECT $1, $2, span, starts_at, 1, $5
                    FROM unnest(ARRAY['day', 'minute'], ARRAY[$3, $4]::timestamptz[]) AS wanted (span, starts_at)
                    WHERE EXISTS (TABLE held)
                    ON CONFLICT (guild_id, model, span, starts_at) DO UPDATE
                        SET requests = known.requests + 1, tokens_in = known.tokens_in + excluded.tokens_in
                        WHERE known.guild_id = $1 AND CASE known.span
                              WHEN 'day' THEN coalesce(known.requests < $6, true)
                                              AND coalesce(known.blocked_until <= $9, true)
                              ELSE coalesce(known.requests < $7, true)
                                   AND (known.tokens_in + known.tokens_out = 0
                                        OR coalesce(known.tokens_in + known.tokens_out + $5 <= $8, true)) END
                    RETURNING span, requests
                    """,
                    TOTAL,
                    model,
                    day,
                    minute,
                    tokens,
                    limits.requests_per_day,
                    limits.requests_per_minute,
                    limits.tokens_per_minute,
                    now,
                )
                if not counted:
                    await self._db.prove(connection)
                if len(counted) < 2:
                    raise _InTheWay({row["span"] for row in counted})
        except _InTheWay as found:
            if "day" in found.counted:
                return "minute", None
            _, blocked = (await self.today({model: day})).get(model, (Spent(), None))
            return ("blocked", blocked) if blocked is not None and blocked > now else ("day", None)
        return int(max(row["requests"] for row in counted if row["span"] == "day"))

    async def settle(
        self,
        model: str,
        guild_id: GuildId,
        reserved: int,
        spent: Spent,
        minute: datetime,
        day: datetime,
        *,
        use: str,
        carried: Carried,
    ) -> None:
        """Replace the one reserved request and its estimate by what was spent, and count it to the guild.

        In the guild it is counted a second time under the name of its `use`, and for each member whose words it
        carried.

        Of a guild that was erased what it cost counts, and whose it was does not.
        """
        async with self._db.writing(guild_id, erased=True) as connection:
            await connection.execute(
                f"""
                WITH total AS (
                    UPDATE ai_usage
                    SET tokens_in = tokens_in + $5, tokens_out = tokens_out + $6, requests = requests + $7
                    FROM (SELECT guild_id, model, span, starts_at FROM ai_usage
                          WHERE guild_id = $1 AND model = $2 AND (span, starts_at) IN (('day', $3), ('minute', $4))
                          ORDER BY span FOR UPDATE) AS mine
                    WHERE ai_usage.guild_id = $1 AND ai_usage.model = $2
                      AND (ai_usage.span, ai_usage.starts_at) = (mine.span, mine.starts_at)),
                counts AS (SELECT WHERE $8 <> $1 AND NOT EXISTS (
                    SELECT 1 FROM bot_state WHERE guild_id = $8 AND name = '{ERASED}')),
                carried AS (
                    INSERT INTO model_calls AS known (guild_id, user_id, at, model, use, message_ids)
                    SELECT $8, user_id, $12, $2, $13, array_remove(array_agg(message_id), 0)
                    FROM counts, (
                        SELECT user_id, message_id FROM chat_history
                        WHERE guild_id = $8 AND message_id = ANY($14) AND author_kind = 'member'
                        UNION SELECT user_id, 0 FROM members WHERE guild_id = $8 AND user_id = ANY($15)) AS words
                    GROUP BY user_id
                    ON CONFLICT (guild_id, user_id, at, model, use) DO UPDATE
                        SET calls = known.calls + 1, message_ids = known.message_ids || excluded.message_ids)
                INSERT INTO ai_usage AS known (guild_id, model, span, starts_at, requests, tokens_in, tokens_out)
                SELECT $8, counted, 'day', $3, 1, $9, $10 FROM counts, unnest(ARRAY[$2, $11]) AS counted
                ON CONFLICT (guild_id, model, span, starts_at) DO UPDATE
                    SET requests = known.requests + 1, tokens_in = known.tokens_in + excluded.tokens_in,
                        tokens_out = known.tokens_out + excluded.tokens_out
                """,
                TOTAL,
                model,
                day,
                minute,
                spent.tokens_in - reserved,
                spent.tokens_out,
                max(spent.calls - 1, 0),
                guild_id,
                spent.tokens_in,
                spent.tokens_out,
                use,
                carried.at,
                carried.use,
                list(carried.messages),
                list(carried.members),
            )

    async def give_back(self, use: str, day: datetime) -> None:
        """Take one request off what a use had of a day."""
        async with self._db.connection() as connection:
            await connection.execute(
                """
                UPDATE ai_usage SET requests = greatest(requests - 1, 0)
                WHERE guild_id = $1 AND model = $2 AND span = 'day' AND starts_at = $3
                """,
                TOTAL,
                use,
                day,
            )

    async def requests_of(self, guild_id: GuildId, day: datetime) -> int:
        """How many requests of a guild were answered by any model since the start of a day."""
        async with self._db.connection() as connection:
            found: int = await connection.fetchval(
                """
                SELECT coalesce(sum(requests), 0)::integer FROM ai_usage
                WHERE guild_id = $1 AND span = 'day' AND starts_at = $2 AND model NOT LIKE '% (%)'
                """,
                guild_id,
                day,
            )
        return found

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
        self, days: Mapping[str, datetime], guild_id: GuildId = TOTAL
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

    async def purge(
        self, guild_id: GuildId, minutes_before: datetime, days_before: datetime, sent_before: datetime
    ) -> None:
        """Drop counts of minutes and days long past, and what was sent before a moment."""
        async with self._db.connection() as connection:
            await connection.execute("DELETE FROM model_calls WHERE guild_id = $1 AND at < $2", guild_id, sent_before)
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
