"""historical_summaries and contexts: texts made from notes and facts, all of which can be made again."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass
from datetime import date, datetime

from memory.ids import AudienceId, GuildId, UserId
from memory.records import MemberText
from memory.store import provenance
from memory.store.catalogue import tables
from memory.store.database import Tables
from memory.store.provenance import Node, node


@dataclass(frozen=True, kw_only=True)
class Derived:
    """A stored text and the fingerprint it was made from; `refused` where the model would not."""

    text: str
    fingerprint: str
    made_at: datetime
    refused: bool = False
    for_date: date | None = None


class SummaryStore(Tables):
    """Historical summaries and contexts, as last made for an audience."""

    async def of_member(self, guild_id: GuildId, user_id: UserId, audience: AudienceId) -> list[MemberText]:
        """The historical summaries about a member that were made for an audience, newest first."""
        async with self._db.connection() as connection:
            rows = await connection.fetch(
                """
                SELECT end_date, audience, summary FROM historical_summaries
                WHERE guild_id = $1 AND user_id = $2 AND audience = $3 ORDER BY end_date DESC
                """,
                guild_id,
                user_id,
                audience,
            )
        return [
            MemberText(level="days 2-7", day=row["end_date"], audience=row["audience"], text=row["summary"])
            for row in rows
        ]

    async def purge(self, guild_id: GuildId, before: Mapping[str, date]) -> None:
        """Delete texts of days before those that `before` names for their tables' lives."""
        for table in tables(derived=True, text=True):
            if table.day and table.life in before:
                columns = ", ".join(column for column, _ in table.key)
                async with self._db.writing(guild_id) as connection:
                    rows = await connection.fetch(
                        f"SELECT {columns} FROM {table.name} WHERE guild_id = $1 AND {table.day} < $2",
                        guild_id,
                        before[table.life],
                    )
                    await provenance.delete(connection, guild_id, [node(table.node, *row.values()) for row in rows])

    async def historical(
        self, guild_id: GuildId, audience: AudienceId, end_date: date, user_ids: Collection[UserId]
    ) -> dict[UserId, Derived]:
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
                fingerprint=row["fingerprint"],
                made_at=row["made_at"],
                refused=row["refused"],
                for_date=row["end_date"],
            )
            for row in rows
        }

    async def save_historical(
        self,
        guild_id: GuildId,
        audience: AudienceId,
        end_date: date,
        made: Mapping[UserId, Derived],
        sources: Mapping[UserId, Collection[Node]],
    ) -> None:
        """Store members' historical summaries, those whose sources still stand."""
        async with self._db.writing(guild_id) as connection:
            stands = await provenance.standing(connection, guild_id, audience, sources)
            kept = [(user_id, derived) for user_id, derived in made.items() if user_id in stands]
            await connection.execute(
                f"""
                WITH {provenance.RECORD}
                INSERT INTO historical_summaries
                    (guild_id, user_id, end_date, audience, summary, fingerprint, refused, made_at)
                SELECT $1, user_id, $5, $6, summary, fingerprint, refused, made_at
                FROM unnest($7::bigint[], $8::text[], $9::text[], $10::boolean[], $11::timestamptz[])
                     AS made (user_id, summary, fingerprint, refused, made_at)
                ON CONFLICT (guild_id, user_id, end_date, audience) DO UPDATE
                    SET summary = excluded.summary, fingerprint = excluded.fingerprint,
                        refused = excluded.refused, made_at = excluded.made_at
                    WHERE historical_summaries.guild_id = $1
                """,
                guild_id,
                *provenance.columns({node("history", u, end_date, audience): sources[u] for u, _ in kept}),
                end_date,
                audience,
                [user_id for user_id, _ in kept],
                [derived.text for _, derived in kept],
                [derived.fingerprint for _, derived in kept],
                [derived.refused for _, derived in kept],
                [derived.made_at for _, derived in kept],
            )

    async def contexts(
        self, guild_id: GuildId, audience: AudienceId, user_ids: Collection[UserId]
    ) -> dict[UserId, Derived]:
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
                fingerprint=row["fingerprint"],
                made_at=row["made_at"],
                for_date=row["for_date"],
            )
            for row in rows
        }

    async def save_contexts(
        self,
        guild_id: GuildId,
        audience: AudienceId,
        made: Mapping[UserId, Derived],
        sources: Mapping[UserId, Collection[Node]],
    ) -> None:
        """Store members' contexts, those whose sources still stand."""
        async with self._db.writing(guild_id) as connection:
            stands = await provenance.standing(connection, guild_id, audience, sources)
            kept = [(user_id, derived) for user_id, derived in made.items() if user_id in stands]
            await connection.execute(
                f"""
                WITH {provenance.RECORD}
                INSERT INTO contexts (guild_id, user_id, audience, context, fingerprint, for_date, made_at)
                SELECT $1, user_id, $5, context, fingerprint, for_date, made_at
                FROM unnest($6::bigint[], $7::text[], $8::text[], $9::date[], $10::timestamptz[])
                     AS made (user_id, context, fingerprint, for_date, made_at)
                ON CONFLICT (guild_id, user_id, audience) DO UPDATE
                    SET context = excluded.context, fingerprint = excluded.fingerprint,
                        for_date = excluded.for_date, made_at = excluded.made_at
                    WHERE contexts.guild_id = $1
                """,
                guild_id,
                *provenance.columns({node("context", u, audience): sources[u] for u, _ in kept}),
                audience,
                [user_id for user_id, _ in kept],
                [derived.text for _, derived in kept],
                [derived.fingerprint for _, derived in kept],
                [derived.for_date for _, derived in kept],
                [derived.made_at for _, derived in kept],
            )
