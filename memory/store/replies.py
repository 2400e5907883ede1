"""replies: what was answered, with what, and once."""

from __future__ import annotations

from collections.abc import Collection
from datetime import datetime

from memory.records import Given
from memory.store import provenance
from memory.store.database import Tables
from memory.store.provenance import node


class ReplyStore(Tables):
    """One row for each message that was answered."""

    async def claim(
        self,
        guild_id: int,
        trigger_id: int,
        kind: str,
        channel_id: int,
        now: datetime,
        since: datetime | None = None,
        anew: bool = False,
    ) -> bool:
        """Take it on to answer a message; False where that was done before, by any process.

        What was begun before `since` and not finished is taken on once more; with `anew`, what was finished too.
        """
        async with self._db.writing(guild_id) as connection:
            row = await connection.fetchval(
                """
                INSERT INTO replies (guild_id, trigger_id, kind, channel_id, created_at)
                VALUES ($1, $2, $3, $4, $5)
                ON CONFLICT (guild_id, trigger_id, kind) DO UPDATE SET created_at = excluded.created_at
                    WHERE replies.created_at < $6 AND ($7 OR replies.reply_ids = '{}')
                RETURNING trigger_id
                """,
                guild_id,
                trigger_id,
                kind,
                channel_id,
                now,
                since,
                anew,
            )
        return row is not None

    async def unclaim(self, guild_id: int, trigger_id: int, kind: str) -> None:
        """Give a claim back, so that it may be tried again."""
        async with self._db.connection() as connection:
            await connection.execute(
                "DELETE FROM replies WHERE guild_id = $1 AND trigger_id = $2 AND kind = $3",
                guild_id,
                trigger_id,
                kind,
            )

    async def record(self, guild_id: int, trigger_id: int, kind: str, reply_ids: Collection[int], given: Given) -> None:
        """Record what a reply was given: for the question why, and for what must go when its sources go."""
        reply = node("reply", trigger_id, kind)
        sources = [
            *(node("fact", n) for n in given.fact_ids),
            *(node("message", n) for n in {trigger_id, *given.message_ids}),
            *(node("note", n) for n in given.note_ids),
            *(node("conclusion", n) for n in given.conclusion_ids),
        ]
        sent = {node("message", n): [reply] for n in reply_ids}
        async with self._db.writing(guild_id) as connection:
            await connection.execute(
                """
                UPDATE replies SET reply_ids = $4, record = $5
                WHERE guild_id = $1 AND trigger_id = $2 AND kind = $3
                """,
                guild_id,
                trigger_id,
                kind,
                list(reply_ids),
                given.as_json(),
            )
            await provenance.record(connection, guild_id, {reply: sources, **sent})

    async def of_reply(self, guild_id: int, reply_id: int) -> Given | None:
        """What a message that the bot answered with was given; None where that is not known any more."""
        async with self._db.connection() as connection:
            found = await connection.fetchval(
                "SELECT record FROM replies WHERE guild_id = $1 AND reply_ids @> ARRAY[$2::bigint]", guild_id, reply_id
            )
        return None if found is None else Given.from_json(found)

    async def last(self, guild_id: int, channel_id: int, kind: str) -> datetime | None:
        """When the newest reply of a kind was made in a channel."""
        async with self._db.connection() as connection:
            found: datetime | None = await connection.fetchval(
                "SELECT max(created_at) FROM replies WHERE guild_id = $1 AND channel_id = $2 AND kind = $3",
                guild_id,
                channel_id,
                kind,
            )
        return found

    async def purge(self, guild_id: int, before: datetime) -> None:
        """Drop what was noted before `before`."""
        async with self._db.transaction() as connection:
            rows = await connection.fetch(
                "SELECT trigger_id, kind, reply_ids FROM replies WHERE guild_id = $1 AND created_at < $2",
                guild_id,
                before,
            )
            await provenance.delete(connection, guild_id, [node("reply", r["trigger_id"], r["kind"]) for r in rows])
