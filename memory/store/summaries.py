"""daily_runs, daily_summaries, historical_summaries and contexts: derived rows, all of which can be made again."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from datetime import date, datetime

import asyncpg

from memory.records import DailySummary, MemberText, Spent
from memory.store.consents import veto_version
from memory.store.database import AUDIBLE, Tables
from memory.store.messages import Span, sources


@dataclass(frozen=True, kw_only=True)
class DayRun:
    """How a day's summaries were made: from what, through which message, by what, at what cost.

    `made_from` is the fingerprint of sources, prompt and model; `through_digest` that of the
    messages up to `through_id`. `closed` marks a day made once from the whole of it.
    """

    guild_id: int
    for_date: date
    audience: int
    closed: bool
    refused: bool
    made_from: str
    through_id: int
    through_digest: str
    model: str
    spent: Spent
    made_at: datetime


@dataclass(frozen=True, kw_only=True)
class Derived:
    """A stored text and the fingerprint it was made from; `refused` where the model would not."""

    text: str
    made_from: str
    made_at: datetime
    refused: bool = False
    for_date: date | None = None


Rests = Collection[tuple[date, int, str]]
"""The daily summaries a text was made from: (date, audience, summary)."""

_STANDS = """cardinality($9::date[]) = (
    SELECT count(*) FROM daily_summaries
    WHERE guild_id = $1 AND user_id = $2 AND (for_date, audience, summary) IN
          (SELECT * FROM unnest($9::date[], $10::bigint[], $11::text[])))"""
"""Whether the daily summaries of a member that a text was made from ($9 to $11) are still there."""


def _columns(rests: Rests) -> tuple[list[date], list[int], list[str]]:
    return [day for day, _, _ in rests], [heard for _, heard, _ in rests], [text for _, _, text in rests]


def _run(row: asyncpg.Record) -> DayRun:
    return DayRun(
        guild_id=row["guild_id"],
        for_date=row["for_date"],
        audience=row["audience"],
        closed=row["closed"],
        refused=row["refused"],
        made_from=row["made_from"],
        through_id=row["through_id"],
        through_digest=row["through_digest"],
        model=row["model"],
        spent=Spent(calls=row["calls"], tokens_in=row["tokens_in"], tokens_out=row["tokens_out"]),
        made_at=row["made_at"],
    )


class SummaryStore(Tables):
    """The summaries' levels, as last made."""

    async def runs(self, guild_id: int, audience: int, dates: Sequence[date]) -> dict[date, DayRun]:
        """The runs of days, where there were any."""
        async with self._db.connection() as connection:
            rows = await connection.fetch(
                "SELECT * FROM daily_runs WHERE guild_id = $1 AND audience = $2 AND for_date = ANY($3)",
                guild_id,
                audience,
                list(dates),
            )
        return {row["for_date"]: _run(row) for row in rows}

    async def of_member(self, guild_id: int, user_id: int, audiences: Collection[int]) -> list[MemberText]:
        """Every stored summary about a member that `audiences` may hear, newest first."""
        async with self._db.connection() as connection:
            rows = await connection.fetch(
                """
                SELECT 'day' AS level, for_date, audience, summary, evidence
                FROM daily_summaries WHERE guild_id = $1 AND user_id = $2 AND audience = ANY($3)
                UNION ALL
                SELECT 'days 2-7', end_date, audience, summary, '{}'
                FROM historical_summaries WHERE guild_id = $1 AND user_id = $2 AND audience = ANY($3)
                ORDER BY for_date DESC, level, audience
                """,
                guild_id,
                user_id,
                list(audiences),
            )
        return [
            MemberText(
                level=row["level"],
                day=row["for_date"],
                audience=row["audience"],
                text=row["summary"],
                evidence=tuple(row["evidence"]),
            )
            for row in rows
        ]

    async def day(self, guild_id: int, audience: int, for_date: date) -> dict[int, DailySummary]:
        """All members' summaries of a day, as they were last made."""
        async with self._db.connection() as connection:
            rows = await connection.fetch(
                """
                SELECT * FROM daily_summaries
                WHERE guild_id = $1 AND audience = $2 AND for_date = $3 ORDER BY user_id
                """,
                guild_id,
                audience,
                for_date,
            )
        return {
            row["user_id"]: DailySummary(
                user_id=row["user_id"], summary=row["summary"], evidence=tuple(row["evidence"])
            )
            for row in rows
        }

    async def save_day(self, run: DayRun, summaries: Collection[DailySummary], span: Span, veto: str) -> bool:
        """Store a run and its summaries in place of the day's earlier ones.

        False, and nothing stored, where the messages it was made from are not what they were, or
        something was forgotten since `veto`.
        """
        async with self._db.writing(run.guild_id) as connection:
            if await veto_version(connection, run.guild_id) != veto:
                return False
            (now,) = await sources(connection, run.guild_id, run.audience, [span], run.through_id)
            if now.digest != run.through_digest:
                return False
            await connection.execute(
                """
                INSERT INTO daily_runs (guild_id, for_date, audience, closed, refused, made_from, through_id,
                                        through_digest, model, calls, tokens_in, tokens_out, made_at)
                VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13)
                ON CONFLICT (guild_id, for_date, audience) DO UPDATE
                    SET closed = excluded.closed, refused = excluded.refused, made_from = excluded.made_from,
                        through_id = excluded.through_id, through_digest = excluded.through_digest,
                        model = excluded.model, calls = excluded.calls, tokens_in = excluded.tokens_in,
                        tokens_out = excluded.tokens_out, made_at = excluded.made_at
                """,
                run.guild_id,
                run.for_date,
                run.audience,
                run.closed,
                run.refused,
                run.made_from,
                run.through_id,
                run.through_digest,
                run.model,
                run.spent.calls,
                run.spent.tokens_in,
                run.spent.tokens_out,
                run.made_at,
            )
            await connection.execute(
                "DELETE FROM daily_summaries WHERE guild_id = $1 AND for_date = $2 AND audience = $3",
                run.guild_id,
                run.for_date,
                run.audience,
            )
            await connection.executemany(
                """
                INSERT INTO daily_summaries (guild_id, for_date, audience, user_id, summary, evidence)
                VALUES ($1, $2, $3, $4, $5, $6)
                """,
                [(run.guild_id, run.for_date, run.audience, s.user_id, s.summary, list(s.evidence)) for s in summaries],
            )
        return True

    async def purge(self, guild_id: int, before: date, *, contexts_before: date) -> None:
        """Remove what was made of days before `before`, a day at a time, and contexts of before `contexts_before`."""
        async with self._db.connection() as connection:
            for table, day, first in (
                ("daily_summaries", "for_date", before),
                ("daily_runs", "for_date", before),
                ("historical_summaries", "end_date", before),
                ("contexts", "for_date", contexts_before),
            ):
                rows = await connection.fetch(
                    f"SELECT DISTINCT {day} AS day FROM {table} WHERE guild_id = $1 AND {day} < $2", guild_id, first
                )
                for row in rows:
                    await connection.execute(
                        f"DELETE FROM {table} WHERE guild_id = $1 AND {day} = $2", guild_id, row["day"]
                    )

    async def historical(
        self, guild_id: int, audience: int, end_date: date, user_ids: Collection[int]
    ) -> dict[int, Derived]:
        """Members' historical summaries as stored."""
        async with self._db.connection() as connection:
            rows = await connection.fetch(
                """
                SELECT * FROM historical_summaries
                WHERE guild_id = $1 AND audience = $2 AND end_date = $3 AND user_id = ANY($4)
                """,
                guild_id,
                audience,
                end_date,
                list(user_ids),
            )
        return {
            row["user_id"]: Derived(
                text=row["summary"],
                made_from=row["made_from"],
                made_at=row["made_at"],
                refused=row["refused"],
                for_date=row["end_date"],
            )
            for row in rows
        }

    async def save_historical(
        self,
        guild_id: int,
        audience: int,
        end_date: date,
        made: Mapping[int, Derived],
        notes: Mapping[int, Rests],
    ) -> None:
        """Store members' historical summaries, those whose daily summaries still stand."""
        async with self._db.writing(guild_id) as connection:
            await connection.executemany(
                f"""
                INSERT INTO historical_summaries
                    (guild_id, user_id, end_date, audience, summary, made_from, refused, made_at)
                SELECT $1, $2, $3, $4, $5, $6, $7, $8 WHERE {_STANDS}
                ON CONFLICT (guild_id, user_id, end_date, audience) DO UPDATE
                    SET summary = excluded.summary, made_from = excluded.made_from,
                        refused = excluded.refused, made_at = excluded.made_at
                """,
                [
                    (guild_id, u, end_date, audience, d.text, d.made_from, d.refused, d.made_at, *_columns(notes[u]))
                    for u, d in made.items()
                ],
            )

    async def contexts(self, guild_id: int, audience: int, user_ids: Collection[int]) -> dict[int, Derived]:
        """Members' contexts as last made well."""
        async with self._db.connection() as connection:
            rows = await connection.fetch(
                "SELECT * FROM contexts WHERE guild_id = $1 AND audience = $2 AND user_id = ANY($3)",
                guild_id,
                audience,
                list(user_ids),
            )
        return {
            row["user_id"]: Derived(
                text=row["context"],
                made_from=row["made_from"],
                made_at=row["made_at"],
                for_date=row["for_date"],
            )
            for row in rows
        }

    async def save_contexts(
        self,
        guild_id: int,
        audience: int,
        made: Mapping[int, Derived],
        facts: Mapping[int, Collection[int]],
        notes: Mapping[int, Rests],
    ) -> None:
        """Store members' contexts, those whose facts are live and heard and whose daily summaries still stand."""
        async with self._db.writing(guild_id) as connection:
            await connection.executemany(
                f"""
                INSERT INTO contexts (guild_id, user_id, audience, context, made_from, for_date, made_at)
                SELECT $1, $2, $3, $4, $5, $6, $7
                WHERE cardinality($8::bigint[]) = (
                        SELECT count(*) FROM facts WHERE guild_id = $1 AND fact_id = ANY($8)
                        AND retired_at IS NULL AND audience = ANY({AUDIBLE}))
                  AND $10::bigint[] <@ {AUDIBLE}
                  AND {_STANDS}
                ON CONFLICT (guild_id, user_id, audience) DO UPDATE
                    SET context = excluded.context, made_from = excluded.made_from,
                        for_date = excluded.for_date, made_at = excluded.made_at
                """,
                [
                    (
                        *(guild_id, u, audience, d.text, d.made_from, d.for_date, d.made_at),
                        *(list(facts[u]), *_columns(notes[u])),
                    )
                    for u, d in made.items()
                ],
            )
