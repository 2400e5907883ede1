"""replies: what was answered, and with what."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass
from datetime import datetime

from memory.records import Given, InboxEntry
from memory.store import provenance
from memory.store.database import AUDIBLE, Tables
from memory.store.provenance import node


@dataclass(frozen=True)
class Remains:
    """What of what an answer was given is still there.

    `missing` are those of the messages in its prompt that are not stored. Messages behind notes and conclusions may be
    older than is kept; where one is deleted, the note goes with it.
    """

    is_changed: bool
    missing: frozenset[int]


class ReplyStore(Tables):
    """One row for each message that was answered."""

    async def record(self, entry: InboxEntry, reply_ids: Collection[int], given: Given, now: datetime) -> None:
        """Record what a reply was given: for the question why, and for what must go when its sources go."""
        guild_id, trigger_id, kind = entry.guild_id, entry.trigger_id, entry.kind.value
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
                INSERT INTO replies (guild_id, trigger_id, kind, channel_id, reply_ids, record, created_at)
                VALUES ($1, $2, $3, $4, $5, $6, $7)
                ON CONFLICT (guild_id, trigger_id, kind) DO UPDATE
                    SET reply_ids = excluded.reply_ids, record = excluded.record, created_at = excluded.created_at
                """,
                guild_id,
                trigger_id,
                kind,
                entry.channel_id,
                list(reply_ids),
                given.as_json(),
                now,
            )
            await provenance.record(connection, guild_id, {reply: sources, **sent})

    async def validity(
        self, guild_id: int, given: Given, channel_id: int | None, audience: int, since: datetime
    ) -> Remains:
        """Whether facts, notes and conclusions stand, and no message was edited `since`; all for the channel's readers.

        Without a channel, for the readers of `audience`.
        """
        async with self._db.connection() as connection:
            now = await connection.fetchval(
                "SELECT audience FROM channel_settings WHERE guild_id = $1 AND channel_id = $2", guild_id, channel_id
            )
            row = await connection.fetchrow(
                f"""
                WITH heard AS (SELECT {AUDIBLE} AS audiences)
                SELECT (SELECT count(*) FROM facts, heard WHERE guild_id = $1 AND fact_id = ANY($2)
                          AND retired_at IS NULL AND audience = ANY(audiences)) AS facts,
                       (SELECT count(*) FROM notes, heard WHERE guild_id = $1 AND note_id = ANY($4)
                          AND audience = ANY(audiences)) AS notes,
                       (SELECT count(*) FROM conclusions, heard WHERE guild_id = $1 AND conclusion_id = ANY($5)
                          AND audience = ANY(audiences)) AS conclusions,
                       (SELECT array_agg(message_id) FROM chat_history WHERE guild_id = $1
                          AND message_id = ANY($6)) AS messages,
                       (SELECT count(*) FROM chat_history, heard WHERE guild_id = $1 AND message_id = ANY($6)
                          AND (edited_at > $7 OR audience <> ALL(audiences))) AS changed
                """,
                guild_id,
                list(given.fact_ids),
                audience if now is None else now,
                list(given.note_ids),
                list(given.conclusion_ids),
                list(given.message_ids),
                since,
            )
        assert row is not None
        wanted = (len(given.fact_ids), len(given.note_ids), len(given.conclusion_ids), 0)
        return Remains(
            is_changed=(row["facts"], row["notes"], row["conclusions"], row["changed"]) != wanted,
            missing=frozenset(set(given.shown).difference(row["messages"] or ())),
        )

    async def of_reply(self, guild_id: int, reply_id: int) -> Given | None:
        """What a message that the bot answered with was given; None where that is not known any more."""
        async with self._db.connection() as connection:
            found = await connection.fetchval(
                "SELECT record FROM replies WHERE guild_id = $1 AND reply_ids @> ARRAY[$2::bigint]", guild_id, reply_id
            )
        return None if found is None else Given.from_json(found)

    async def purge(self, guild_id: int, before: datetime) -> None:
        """Drop what was noted before `before`."""
        async with self._db.transaction() as connection:
            rows = await connection.fetch(
                "SELECT trigger_id, kind, reply_ids FROM replies WHERE guild_id = $1 AND created_at < $2",
                guild_id,
                before,
            )
            await provenance.delete(connection, guild_id, [node("reply", r["trigger_id"], r["kind"]) for r in rows])
