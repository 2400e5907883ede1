"""vectors: one row for a text, one column for each model that embedded it."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from hashlib import sha256

import asyncpg

from memory.ids import GuildId, UserId
from memory.store.database import Tables

KINDS = {
    "message": ("chat_history", "message_id", "message_text", "NOT off_record AND author_kind = 'member'"),
    "note": ("notes", "note_id", "text", "true"),
    "fact": ("facts", "fact_id", "value", "retired_at IS NULL AND audience >= 0"),
    "conclusion": ("conclusions", "conclusion_id", "text", "true"),
}
"""What is embedded: table, key, text, and which rows."""


@dataclass(frozen=True, kw_only=True)
class Embeddable:
    """A text to be embedded; `user_id` is who wrote it or whom it is about, `secret_spans` where its secrets are."""

    id: int
    user_id: UserId
    text: str
    secret_spans: tuple[int, ...] | None = None


def column_of(model: str, dimensions: int) -> str:
    """The column with a model's vectors: a name that differs for any two models."""
    plain = re.sub(r"[^a-z0-9]+", "_", model.lower()).strip("_")[:30]
    return f"v_{plain}_{sha256(model.encode()).hexdigest()[:6]}_{dimensions}"


class VectorStore(Tables):
    """Reads and writes of vectors."""

    async def prepare(self, model: str, dimensions: int) -> str | None:
        """Make a column and its index for a model; returns its name, or None where the server has no pgvector."""
        column = column_of(model, dimensions)
        async with self._db.transaction() as connection:
            await connection.execute("SELECT pg_advisory_xact_lock(72674412)")
            known = await connection.fetchval("SELECT 1 FROM pg_extension WHERE extname = 'vector'")
            if not known:
                try:
                    async with connection.transaction():
                        await connection.execute("CREATE EXTENSION vector")
                except asyncpg.PostgresError:
                    return None
            await connection.execute(f"ALTER TABLE vectors ADD COLUMN IF NOT EXISTS {column} halfvec({dimensions})")
            await connection.execute(
                f"CREATE INDEX IF NOT EXISTS {column}_near ON vectors USING hnsw ({column} halfvec_cosine_ops)"
            )
        return column

    async def missing(
        self, guild_id: GuildId, kind: str, column: str, before_id: int, limit: int
    ) -> tuple[list[Embeddable], int | None]:
        """The texts without a vector among the `limit` newest before one, and the oldest looked at; None at the end."""
        table, key, text, which = KINDS[kind]
        secrets = "secret_spans" if kind == "message" else "NULL::integer[]"
        person = "0::bigint" if kind == "conclusion" else "coalesce(row.user_id, 0)"
        async with self._db.connection() as connection:
            rows = await connection.fetch(
                f"""
                SELECT row.{key} AS id, {person} AS user_id, row.{text} AS text, {secrets} AS spans,
                       vectors.{column} IS NOT NULL AS known
                FROM (SELECT * FROM {table} WHERE guild_id = $1 AND {key} < $2 AND {text} <> '' AND {which}
                      ORDER BY {key} DESC LIMIT $3) AS row
                LEFT JOIN vectors ON vectors.guild_id = $1 AND vectors.kind = $4 AND vectors.id = row.{key}
                WHERE row.guild_id = $1 ORDER BY row.{key} DESC
                """,
                guild_id,
                before_id,
                limit,
                kind,
            )
        found = [
            Embeddable(
                id=r["id"],
                user_id=r["user_id"],
                text=r["text"],
                secret_spans=None if r["spans"] is None else tuple(r["spans"]),
            )
            for r in rows
            if not r["known"]
        ]
        return found, rows[-1]["id"] if len(rows) == limit else None

    async def add(
        self, guild_id: GuildId, kind: str, column: str, of: Sequence[Embeddable], vectors: Sequence[Sequence[float]]
    ) -> None:
        """Store the vectors of texts that have not changed meanwhile."""
        table, key, text, which = KINDS[kind]
        async with self._db.writing(guild_id) as connection:
            await connection.execute(
                f"""
                INSERT INTO vectors AS known (guild_id, kind, id, {column})
                SELECT $1, $2, new.id, new.vector::halfvec
                FROM unnest($3::bigint[], $4::text[], $5::text[]) AS new (id, text, vector)
                JOIN {table} AS row ON row.guild_id = $1 AND row.{key} = new.id AND row.{text} = new.text AND {which}
                ON CONFLICT (guild_id, kind, id) DO UPDATE SET {column} = excluded.{column}
                """,
                guild_id,
                kind,
                [e.id for e in of],
                [e.text for e in of],
                [literal(vector) for vector in vectors],
            )


def literal(vector: Sequence[float]) -> str:
    """A vector as SQL reads it."""
    return f"[{','.join(f'{value:.6g}' for value in vector)}]"
