"""facts and user_facts."""

from __future__ import annotations

from collections.abc import Collection
from datetime import datetime

import asyncpg

from memory.records import EVERYONE, Confidence, Fact, Source, Statement
from memory.store.database import Database
from memory.store.messages import lock_guild, notify
from memory.store.people import prune_aliases


def _fact(row: asyncpg.Record) -> Fact:
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
    )


class FactStore:
    """Facts are truth: rows are added, confirmed and retired, never rewritten by a model's whim."""

    def __init__(self, database: Database) -> None:
        self._db = database

    async def add(self, statement: Statement, value: str, *, key: str, domain: str, now: datetime) -> tuple[Fact, bool]:
        """Store an explicit fact, or confirm the live one that says the same; returns it and whether it is new.

        Its audience is that of its channel now, which may have changed since the words were said.
        What is told where everyone can read it takes the place of the same fact of restricted channels.
        """
        values = (statement.guild_id, statement.user_id, key, value)
        async with self._db.transaction() as connection:
            await lock_guild(connection, statement.guild_id)
            place = await connection.fetchval(
                "SELECT audience FROM channel_settings WHERE guild_id = $1 AND channel_id = $2",
                statement.guild_id,
                statement.channel_id,
            )
            audience = statement.audience if place is None else place
            if audience != EVERYONE:
                open_already = await connection.fetchrow(
                    """
                    UPDATE facts SET last_confirmed_at = greatest(last_confirmed_at, $6)
                    WHERE guild_id = $1 AND user_id = $2 AND key = $3 AND value = $4 AND audience = $5
                      AND retired_at IS NULL RETURNING *
                    """,
                    *values,
                    EVERYONE,
                    now,
                )
                if open_already is not None:
                    return _fact(open_already), False
            row = await connection.fetchrow(
                """
                INSERT INTO facts AS known (guild_id, user_id, key, value, domain, confidence, source, stated_by,
                                   channel_id, message_id, quote, audience, created_at, last_confirmed_at)
                VALUES ($1, $2, $3, $4, $5, 'high', 'explicit', $6, $7, $8, $9, $10, $11, $11)
                ON CONFLICT (guild_id, user_id, key, md5(value), audience) WHERE retired_at IS NULL DO UPDATE
                    SET last_confirmed_at = greatest(known.last_confirmed_at, excluded.last_confirmed_at)
                RETURNING known.*, (xmax = 0) AS new
                """,
                *values,
                domain,
                statement.stated_by,
                statement.channel_id,
                statement.message_id,
                statement.quote,
                audience,
                now,
            )
            if audience == EVERYONE:
                await connection.execute(
                    """
                    UPDATE facts SET retired_at = $6, retired_because = 'told to everyone since'
                    WHERE guild_id = $1 AND user_id = $2 AND key = $3 AND value = $4 AND audience <> $5
                      AND retired_at IS NULL
                    """,
                    *values,
                    EVERYONE,
                    now,
                )
        assert row is not None
        return _fact(row), row["new"]

    async def reword(self, fact: Fact, value: str, *, key: str, domain: str) -> Fact | None:
        """Give a fact just stored as said its wording; its quote stays as it was said.

        None where a live fact says that already: then the new row gives way to it.
        """
        async with self._db.transaction() as connection:
            same = await connection.fetchrow(
                """
                SELECT * FROM facts
                WHERE guild_id = $1 AND user_id = $2 AND key = $3 AND value = $4 AND fact_id <> $5
                  AND audience = ANY($6) AND retired_at IS NULL FOR UPDATE
                """,
                fact.guild_id,
                fact.user_id,
                key,
                value,
                fact.fact_id,
                [EVERYONE, fact.audience],
            )
            if same is not None:
                await connection.execute(
                    "DELETE FROM facts WHERE guild_id = $1 AND fact_id = $2", fact.guild_id, fact.fact_id
                )
                return None
            row = await connection.fetchrow(
                """
                UPDATE facts SET value = $3, key = $4, domain = $5
                WHERE guild_id = $1 AND fact_id = $2 AND retired_at IS NULL RETURNING *
                """,
                fact.guild_id,
                fact.fact_id,
                value,
                key,
                domain,
            )
        return fact if row is None else _fact(row)

    async def live(self, guild_id: int, user_ids: Collection[int], audiences: Collection[int]) -> dict[int, list[Fact]]:
        """The live facts of members that `audiences` may hear, oldest first."""
        async with self._db.connection() as connection:
            rows = await connection.fetch(
                """
                SELECT * FROM facts
                WHERE guild_id = $1 AND user_id = ANY($2) AND audience = ANY($3) AND retired_at IS NULL
                ORDER BY created_at, fact_id
                """,
                guild_id,
                list(user_ids),
                list(audiences),
            )
        found: dict[int, list[Fact]] = {user_id: [] for user_id in user_ids}
        for row in rows:
            found[row["user_id"]].append(_fact(row))
        return found

    async def matching(
        self, guild_id: int, user_id: int, audiences: Collection[int], text: str
    ) -> list[tuple[Fact, float]]:
        """Live facts that share words with `text`, best first, each with the share of its words that match.

        The share counts words of four letters or more by their first letters, so that an ending
        ("likes", "liked") does not hide a match.
        """
        async with self._db.connection() as connection:
            rows = await connection.fetch(
                """
                WITH asked AS (
                    SELECT DISTINCT left(word, greatest(length(word) - 2, 4)) AS stem
                    FROM unnest(tsvector_to_array(to_tsvector('simple', $4))) AS word),
                scored AS (
                    SELECT facts.*, (SELECT count(*) FROM asked
                                     WHERE EXISTS (SELECT 1 FROM unnest(tsvector_to_array(words)) AS had
                                                   WHERE starts_with(had, stem))) AS hits,
                           (SELECT count(*) FROM asked) AS wanted
                    FROM facts
                    WHERE guild_id = $1 AND user_id = $2 AND audience = ANY($3) AND retired_at IS NULL)
                SELECT *, hits::float / greatest(wanted, 1) AS share FROM scored
                WHERE hits > 0 ORDER BY share DESC, fact_id
                """,
                guild_id,
                user_id,
                list(audiences),
                text,
            )
        return [(_fact(row), float(row["share"])) for row in rows]

    async def get(self, guild_id: int, fact_id: int) -> Fact | None:
        """A live fact by its number."""
        async with self._db.connection() as connection:
            row = await connection.fetchrow(
                "SELECT * FROM facts WHERE guild_id = $1 AND fact_id = $2 AND retired_at IS NULL",
                guild_id,
                fact_id,
            )
        return _fact(row) if row else None

    async def retire(self, facts: Collection[Fact], because: str, now: datetime) -> None:
        """Retire facts, and drop with them every text that was made from their members' facts."""
        if not facts:
            return
        guild_id = next(iter(facts)).guild_id
        async with self._db.transaction() as connection:
            await lock_guild(connection, guild_id)
            await connection.execute(
                """
                UPDATE facts SET retired_at = $3, retired_because = $4
                WHERE guild_id = $1 AND fact_id = ANY($2) AND retired_at IS NULL
                """,
                guild_id,
                [fact.fact_id for fact in facts],
                now,
                because,
            )
            for table in ("user_facts", "contexts"):
                await connection.execute(
                    f"DELETE FROM {table} WHERE guild_id = $1 AND user_id = ANY($2)",
                    guild_id,
                    list({fact.user_id for fact in facts}),
                )
            await prune_aliases(connection, guild_id)
            await notify(connection, guild_id)

    async def blob(self, guild_id: int, user_id: int, audience: int) -> tuple[str, str] | None:
        """A member's facts blob and what it was made from, as stored."""
        async with self._db.connection() as connection:
            row = await connection.fetchrow(
                "SELECT * FROM user_facts WHERE guild_id = $1 AND user_id = $2 AND audience = $3",
                guild_id,
                user_id,
                audience,
            )
        return (row["memory_blob"], row["made_from"]) if row else None

    async def save_blob(
        self, guild_id: int, user_id: int, audience: int, blob: str, made_from: str, now: datetime
    ) -> None:
        """Store a member's facts blob."""
        async with self._db.connection() as connection:
            await connection.execute(
                """
                INSERT INTO user_facts (guild_id, user_id, audience, memory_blob, made_from, updated_at)
                VALUES ($1, $2, $3, $4, $5, $6)
                ON CONFLICT (guild_id, user_id, audience) DO UPDATE
                    SET memory_blob = excluded.memory_blob, made_from = excluded.made_from,
                        updated_at = excluded.updated_at
                """,
                guild_id,
                user_id,
                audience,
                blob,
                made_from,
                now,
            )
