"""posts: what the bot posted by itself, once for each day that it is due."""

from __future__ import annotations

from collections.abc import Collection
from datetime import date, datetime

import asyncpg

from memory.ids import GuildId
from memory.records import Post, PostKind
from memory.store.database import AUDIBLE, Tables


def _post(row: asyncpg.Record) -> Post:
    return Post(
        guild_id=row["guild_id"],
        kind=PostKind(row["kind"]),
        day=row["day"],
        channel_id=row["channel_id"],
        message_ids=tuple(row["message_ids"]),
        version=row["version"],
        posted_at=row["posted_at"],
    )


class PostStore(Tables):
    """Numbers alone: what a post rests on, and where it stands."""

    async def claim(self, post: Post) -> bool:
        """Record that a post is made. False if it was made before. Raises GuildErased."""
        async with self._db.writing(post.guild_id) as connection:
            claimed = await connection.fetchval(
                """
                INSERT INTO posts (guild_id, kind, day, posted_at, channel_id, fact_ids, source_ids, version)
                VALUES ($1, $2, $3, $4, $5, $6, $7, $8) ON CONFLICT DO NOTHING RETURNING true
                """,
                post.guild_id,
                post.kind.value,
                post.day,
                post.posted_at,
                post.channel_id,
                list(post.fact_ids),
                list(post.source_ids),
                post.version,
            )
        return claimed is not None

    async def release(self, post: Post) -> None:
        """Delete the record of a post."""
        async with self._db.writing(post.guild_id) as connection:
            await connection.execute(
                "DELETE FROM posts WHERE guild_id = $1 AND kind = $2 AND day = $3",
                post.guild_id,
                post.kind.value,
                post.day,
            )

    async def is_claimed(self, guild_id: GuildId, kind: PostKind, day: date) -> bool:
        """Whether a post was made."""
        async with self._db.connection() as connection:
            claimed: bool = await connection.fetchval(
                "SELECT EXISTS (SELECT 1 FROM posts WHERE guild_id = $1 AND kind = $2 AND day = $3)",
                guild_id,
                kind.value,
                day,
            )
        return claimed

    async def set_messages(self, post: Post) -> None:
        """Record the messages that a post consists of: it is done. None where there was nothing to say, and once they
        are deleted."""
        async with self._db.writing(post.guild_id) as connection:
            await connection.execute(
                "UPDATE posts SET message_ids = $4, is_done = true WHERE guild_id = $1 AND kind = $2 AND day = $3",
                post.guild_id,
                post.kind.value,
                post.day,
                list(post.message_ids),
            )

    async def set_version(self, post: Post, version: str) -> None:
        """Record that a post tells nothing of what was forgotten up to a version."""
        async with self._db.writing(post.guild_id) as connection:
            await connection.execute(
                "UPDATE posts SET version = $4 WHERE guild_id = $1 AND kind = $2 AND day = $3",
                post.guild_id,
                post.kind.value,
                post.day,
                version,
            )

    async def unfinished(self, guild_id: GuildId, since: datetime) -> list[Post]:
        """The posts since a moment of which it is not known whether they were sent."""
        async with self._db.connection() as connection:
            rows = await connection.fetch(
                "SELECT * FROM posts WHERE guild_id = $1 AND posted_at >= $2 AND NOT is_done", guild_id, since
            )
        return [_post(row) for row in rows]

    async def guilds(self, guild_ids: Collection[GuildId], since: datetime) -> set[GuildId]:
        """Those of some guilds that have posts since a moment."""
        async with self._db.connection() as connection:
            rows = await connection.fetch(
                "SELECT DISTINCT guild_id FROM posts WHERE guild_id = ANY($1) AND posted_at >= $2",
                list(guild_ids),
                since,
            )
        return {row["guild_id"] for row in rows}

    async def standing(self, guild_id: GuildId, since: datetime) -> list[tuple[Post, bool]]:
        """The posts since a moment, each with whether what it rests on was deleted, edited or hidden from its readers.

        Facts and messages count. Notes are made anew when something beside what they rest on is edited.
        """
        async with self._db.connection() as connection:
            rows = await connection.fetch(
                f"""
                SELECT p.*, NOT (
                    (SELECT count(*) FROM facts AS f WHERE f.guild_id = $1 AND fact_id = ANY(p.fact_ids)
                        AND retired_at IS NULL AND audience = ANY(audiences)) = cardinality(fact_ids)
                    AND (SELECT count(*) FROM chat_history AS m WHERE m.guild_id = $1 AND message_id = ANY(source_ids)
                        AND message_text <> '' AND (edited_at IS NULL OR edited_at <= posted_at)
                        AND audience = ANY(audiences)) = cardinality(source_ids)) AS is_changed
                FROM posts AS p CROSS JOIN LATERAL (
                    SELECT {AUDIBLE.replace("$3", "its")} AS audiences FROM (SELECT coalesce((
                        SELECT audience FROM channel_settings AS c
                        WHERE c.guild_id = $1 AND c.channel_id = p.channel_id), 0) AS its) AS channel) AS heard
                WHERE guild_id = $1 AND posted_at >= $2 AND message_ids <> '{{}}'
                """,
                guild_id,
                since,
            )
        return [(_post(row), row["is_changed"]) for row in rows]

    async def purge(self, guild_id: GuildId, before: datetime) -> None:
        """Delete the rows of what was posted before a moment."""
        async with self._db.connection() as connection:
            await connection.execute("DELETE FROM posts WHERE guild_id = $1 AND posted_at < $2", guild_id, before)
