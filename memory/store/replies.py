"""replies: what was answered, and with what."""

from __future__ import annotations

from collections.abc import Collection
from datetime import datetime

from memory.ids import AudienceId, ChannelId, GuildId, MessageId
from memory.records import Given, InboxItem
from memory.store import provenance
from memory.store.database import Tables
from memory.store.given import Remains, remains
from memory.store.provenance import node


class ReplyStore(Tables):
    """One row for each message that was answered."""

    async def record(
        self, entry: InboxItem, reply_ids: Collection[MessageId], given: Given, now: datetime, *, since: datetime
    ) -> Remains:
        """Record what a reply was given: for the question why, and for what must go when its sources go.

        Returns what is left of that, with messages edited `since` as changed. What changes from now on finds it.
        """
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
            channel_id = entry.channel_id
            return await remains(
                connection, guild_id, given, channel_id=channel_id, audience=AudienceId(channel_id), since=since
            )

    async def validity(
        self, guild_id: GuildId, given: Given, channel_id: ChannelId | None, audience: AudienceId, since: datetime
    ) -> Remains:
        """Whether facts, notes and conclusions stand, and no message was edited `since`; all for the channel's readers.

        Without a channel, for the readers of `audience`.
        """
        async with self._db.connection() as connection:
            return await remains(connection, guild_id, given, channel_id=channel_id, audience=audience, since=since)

    async def of_reply(
        self, guild_id: GuildId, reply_id: MessageId
    ) -> tuple[Given, ChannelId, AudienceId | None] | None:
        """What one of the bot's answers was given, its channel and who could read it, where its message is stored; None
        where it is not known any more."""
        async with self._db.connection() as connection:
            row = await connection.fetchrow(
                """
                SELECT record, channel_id,
                       (SELECT audience FROM chat_history WHERE guild_id = $1 AND message_id = $2) AS audience
                FROM replies WHERE guild_id = $1 AND reply_ids @> ARRAY[$2::bigint]
                """,
                guild_id,
                reply_id,
            )
        return None if row is None else (Given.from_json(row["record"]), row["channel_id"], row["audience"])

    async def purge(self, guild_id: GuildId, before: datetime) -> None:
        """Drop what was noted before `before`."""
        async with self._db.transaction() as connection:
            rows = await connection.fetch(
                "SELECT trigger_id, kind, reply_ids FROM replies WHERE guild_id = $1 AND created_at < $2",
                guild_id,
                before,
            )
            await provenance.delete(connection, guild_id, [node("reply", r["trigger_id"], r["kind"]) for r in rows])
