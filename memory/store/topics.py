"""conclusions and topics: what conversations came to, and the pages on which people read it."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from datetime import datetime

import asyncpg

from memory.ids import AudienceId, GuildId, UserId
from memory.records import EVERYONE, Conclusion, Topic
from memory.store import cascade
from memory.store.database import Connection, Tables, notify
from memory.store.rows import HOLDING, SAID_AGAIN
from memory.store.rows import conclusion as conclusion_of
from memory.store.rows import topic as topic_of

_LINES = f"""
    (SELECT count(*) FROM conclusions AS line
     WHERE line.guild_id = $1 AND line.topic_id = topics.topic_id AND line.audience = ANY($2)
       AND NOT {SAID_AGAIN}) AS lines
"""


class TopicStore(Tables):
    """A line of a topic is a conclusion with its topic: there is one row for both."""

    async def list(self, guild_id: GuildId, audiences: Collection[AudienceId], limit: int = 500) -> Sequence[Topic]:
        """The topics that `audiences` may hear, the one written to last first."""
        async with self._db.connection() as connection:
            rows = await connection.fetch(
                f"""
                SELECT topics.*, {_LINES} FROM topics
                WHERE guild_id = $1 AND audience = ANY($2) ORDER BY updated_at DESC, topic_id DESC LIMIT $3
                """,
                guild_id,
                list(audiences),
                limit,
            )
        return [topic_of(row) for row in rows]

    async def get(self, guild_id: GuildId, topic_id: int, audiences: Collection[AudienceId]) -> Topic | None:
        """One topic; None where there is none that `audiences` may hear."""
        async with self._db.connection() as connection:
            row = await connection.fetchrow(
                f"SELECT topics.*, {_LINES} FROM topics WHERE guild_id = $1 AND audience = ANY($2) AND topic_id = $3",
                guild_id,
                list(audiences),
                topic_id,
            )
        found = topic_of(row) if row else None
        return found if found is not None and found.lines else None

    async def audiences(self, guild_id: GuildId) -> Sequence[AudienceId]:
        """The audiences that any topic or conclusion has."""
        async with self._db.connection() as connection:
            rows = await connection.fetch(
                "SELECT audience FROM topics WHERE guild_id = $1 UNION SELECT audience FROM conclusions"
                " WHERE guild_id = $1",
                guild_id,
            )
        return [row["audience"] for row in rows]

    async def head(self, guild_id: GuildId, topic_id: int) -> tuple[str, AudienceId]:
        """The name and the audience of a topic, whoever may hear it."""
        async with self._db.connection() as connection:
            row = await connection.fetchrow(
                "SELECT name, audience FROM topics WHERE guild_id = $1 AND topic_id = $2", guild_id, topic_id
            )
        return (row["name"], row["audience"]) if row else ("", EVERYONE)

    async def lines(
        self, guild_id: GuildId, topic_id: int, audiences: Collection[AudienceId] | None
    ) -> Sequence[Conclusion]:
        """The lines of a topic for `audiences`, oldest first; with None all of them, those said again as well."""
        async with self._db.connection() as connection:
            rows = await connection.fetch(
                f"""
                SELECT line.*, {HOLDING} FROM conclusions AS line
                WHERE guild_id = $1 AND topic_id = $2
                  AND ($3::bigint[] IS NULL OR (audience = ANY($3) AND NOT {SAID_AGAIN}))
                ORDER BY at, conclusion_id
                """,
                guild_id,
                topic_id,
                None if audiences is None else list(audiences),
            )
        return [conclusion_of(row) for row in rows]

    async def holding(self, guild_id: GuildId, audience: AudienceId, limit: int) -> Sequence[Conclusion]:
        """The latest conclusions of an audience that hold, oldest first."""
        async with self._db.connection() as connection:
            rows = await connection.fetch(
                f"""
                SELECT * FROM (
                    SELECT line.*, {HOLDING} FROM conclusions AS line
                    WHERE guild_id = $1 AND audience = $2 AND NOT {SAID_AGAIN}
                    ORDER BY at DESC, conclusion_id DESC LIMIT $3) AS latest
                WHERE replaced_at IS NULL ORDER BY at, conclusion_id
                """,
                guild_id,
                audience,
                limit,
            )
        return [conclusion_of(row) for row in rows]

    async def get_many(
        self, guild_id: GuildId, conclusion_ids: Collection[int], audiences: Collection[AudienceId]
    ) -> Sequence[Conclusion]:
        """Conclusions by their ids, those that `audiences` may hear, oldest first."""
        async with self._db.connection() as connection:
            rows = await connection.fetch(
                f"""
                SELECT line.*, {HOLDING} FROM conclusions AS line
                WHERE guild_id = $1 AND conclusion_id = ANY($2) AND audience = ANY($3)
                ORDER BY at, conclusion_id
                """,
                guild_id,
                list(conclusion_ids),
                list(audiences),
            )
        return [conclusion_of(row) for row in rows]

    async def involving(
        self, guild_id: GuildId, user_id: UserId, audiences: Collection[AudienceId] | None
    ) -> Sequence[Conclusion]:
        """The conclusions that name a member or rest on their words. `audiences` limits them; None takes all."""
        async with self._db.connection() as connection:
            rows = await connection.fetch(
                f"""
                SELECT line.*, {HOLDING} FROM conclusions AS line
                WHERE guild_id = $1 AND (people @> ARRAY[$2::bigint] OR evidence_by @> ARRAY[$2::bigint])
                  AND ($3::bigint[] IS NULL OR audience = ANY($3)) ORDER BY conclusion_id
                """,
                guild_id,
                user_id,
                None if audiences is None else list(audiences),
            )
        return [conclusion_of(row) for row in rows]

    async def count(self, guild_id: GuildId, audiences: Collection[AudienceId]) -> int:
        """How many conclusions `audiences` may hear."""
        async with self._db.connection() as connection:
            found: int = await connection.fetchval(
                "SELECT count(*) FROM conclusions WHERE guild_id = $1 AND audience = ANY($2)", guild_id, list(audiences)
            )
        return found

    # Editing

    async def rename(self, guild_id: GuildId, topic_id: int, name: str, now: datetime) -> bool:
        """Give a topic another name; False where one of its audience has it, or the topic is gone."""
        async with self._db.writing(guild_id) as connection:
            try:
                async with connection.transaction():
                    done = await connection.execute(
                        "UPDATE topics SET name = $3, updated_at = $4 WHERE guild_id = $1 AND topic_id = $2",
                        guild_id,
                        topic_id,
                        name,
                        now,
                    )
            except asyncpg.UniqueViolationError:
                return False
        return int(done.split()[-1]) == 1

    async def merge(self, guild_id: GuildId, topic_id: int, into: int, now: datetime) -> int:
        """Move the lines of a topic to another of the same audience; how many moved. The empty one goes."""
        async with self._db.writing(guild_id) as connection:
            rows = await connection.fetch(
                """
                UPDATE conclusions SET topic_id = $3
                WHERE guild_id = $1 AND topic_id = $2 AND EXISTS (
                    SELECT 1 FROM topics AS one JOIN topics AS other USING (guild_id, audience)
                    WHERE one.guild_id = $1 AND one.topic_id = $2 AND other.topic_id = $3)
                RETURNING conclusion_id
                """,
                guild_id,
                topic_id,
                into,
            )
            await connection.execute(
                "UPDATE topics SET updated_at = $3 WHERE guild_id = $1 AND topic_id = $2", guild_id, into, now
            )
            await self._drop_empty(connection, guild_id, topic_id)
        return len(rows)

    async def drop(self, guild_id: GuildId, topic_id: int) -> int:
        """Delete a topic's page; its lines stay as conclusions without a topic. How many there were."""
        async with self._db.writing(guild_id) as connection:
            rows = await connection.fetch(
                "UPDATE conclusions SET topic_id = NULL WHERE guild_id = $1 AND topic_id = $2 RETURNING conclusion_id",
                guild_id,
                topic_id,
            )
            await self._drop_empty(connection, guild_id, topic_id)
        return len(rows)

    async def drop_line(self, guild_id: GuildId, conclusion_id: int) -> bool:
        """Delete one conclusion, and what was made from it."""
        async with self._db.writing(guild_id) as connection:
            gone = await cascade.conclusions_removed(connection, guild_id, [conclusion_id])
            await notify(connection, guild_id)
        return gone["conclusions"] > 0

    async def _drop_empty(self, connection: Connection, guild_id: GuildId, topic_id: int) -> None:
        await connection.execute(
            """
            DELETE FROM topics WHERE guild_id = $1 AND topic_id = $2 AND NOT EXISTS (
                SELECT 1 FROM conclusions WHERE conclusions.guild_id = $1 AND conclusions.topic_id = $2)
            """,
            guild_id,
            topic_id,
        )

    async def write(
        self, guild_id: GuildId, audience: AudienceId, name: str, lines: Sequence[Conclusion], now: datetime
    ) -> tuple[int, int]:
        """Add lines to the topic of a name, made where there is none; its id, and how many lines were new."""
        async with self._db.writing(guild_id) as connection:
            topic_id = await connection.fetchval(
                """
                INSERT INTO topics (guild_id, audience, name, created_at, updated_at) VALUES ($1, $2, $3, $4, $4)
                ON CONFLICT (guild_id, audience, lower(name)) DO UPDATE SET updated_at = topics.updated_at
                RETURNING topic_id
                """,
                guild_id,
                audience,
                name,
                now,
            )
            new = 0
            for line in lines:
                done = await connection.execute(
                    """
                    INSERT INTO conclusions (guild_id, audience, topic_id, kind, text, people, evidence_by, at)
                    SELECT $1, $2, $3, $4, $5, $6, $7, $8
                    WHERE NOT EXISTS (SELECT 1 FROM conclusions AS known
                                      WHERE known.guild_id = $1 AND known.topic_id = $3 AND known.text = $5
                                        AND known.at = $8)
                    """,
                    guild_id,
                    audience,
                    topic_id,
                    line.kind.value,
                    line.text,
                    list(line.people),
                    list(line.evidence_by),
                    line.at,
                )
                new += int(done.split()[-1])
            await self._drop_empty(connection, guild_id, topic_id)
        return topic_id, new

    # Splitting

    async def too_long(self, guild_id: GuildId, limit: int, now: datetime) -> int | None:
        """The longest topic with more lines than `limit` that may be split now; None where none is."""
        async with self._db.connection() as connection:
            found: int | None = await connection.fetchval(
                f"""
                SELECT topic_id FROM topics JOIN conclusions AS line USING (guild_id, topic_id, audience)
                WHERE guild_id = $1 AND coalesce(split_after, $3) <= $3 AND NOT {SAID_AGAIN}
                GROUP BY guild_id, topic_id HAVING count(*) > $2 ORDER BY count(*) DESC LIMIT 1
                """,
                guild_id,
                limit,
                now,
            )
        return found

    async def split_later(self, guild_id: GuildId, topic_id: int, after: datetime) -> None:
        """Leave a topic whole until a moment."""
        async with self._db.connection() as connection:
            await connection.execute(
                "UPDATE topics SET split_after = $3 WHERE guild_id = $1 AND topic_id = $2", guild_id, topic_id, after
            )

    async def split(
        self, guild_id: GuildId, topic_id: int, parts: Mapping[str, Collection[int]], now: datetime
    ) -> bool:
        """Move a topic's lines to subtopics by name; False, and nothing moves, unless every line has one place.

        Lines that came meanwhile stay where they are.
        """
        async with self._db.writing(guild_id) as connection:
            rows = await connection.fetch(
                "SELECT conclusion_id FROM conclusions WHERE guild_id = $1 AND topic_id = $2", guild_id, topic_id
            )
            moving = [n for ids in parts.values() for n in ids]
            if len(moving) != len(set(moving)) or not {row["conclusion_id"] for row in rows} >= set(moving):
                return False
            for name, ids in parts.items():
                page = await connection.fetchval(
                    """
                    INSERT INTO topics (guild_id, audience, name, created_at, updated_at)
                    SELECT $1, audience, $3, $4, updated_at FROM topics WHERE guild_id = $1 AND topic_id = $2
                    ON CONFLICT (guild_id, audience, lower(name)) DO UPDATE SET updated_at = topics.updated_at
                    RETURNING topic_id
                    """,
                    guild_id,
                    topic_id,
                    name,
                    now,
                )
                if page is None:
                    return False
                await connection.execute(
                    "UPDATE conclusions SET topic_id = $3 WHERE guild_id = $1 AND conclusion_id = ANY($2)",
                    guild_id,
                    list(ids),
                    page,
                )
            await connection.execute(
                """
                UPDATE conclusions AS hidden SET topic_id = line.topic_id FROM conclusions AS line
                WHERE hidden.guild_id = $1 AND hidden.topic_id = $2 AND line.guild_id = $1
                  AND line.conclusion_id = ANY($3) AND line.confirms @> ARRAY[hidden.conclusion_id]
                """,
                guild_id,
                topic_id,
                moving,
            )
            await self._drop_empty(connection, guild_id, topic_id)
        return True

    async def purge(self, guild_id: GuildId, before: datetime) -> int:
        """Delete conclusions from before a moment; how many."""
        async with self._db.writing(guild_id) as connection:
            rows = await connection.fetch(
                "SELECT conclusion_id FROM conclusions WHERE guild_id = $1 AND at < $2 LIMIT 2000", guild_id, before
            )
            gone = await cascade.conclusions_removed(connection, guild_id, [row["conclusion_id"] for row in rows])
        return gone["conclusions"]
