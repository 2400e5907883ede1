"""chat_history.files: the pictures and voice messages that messages carry, and what they were found to show."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import replace
from datetime import datetime
from typing import Any

from memory.ids import GuildId, MessageId
from memory.records import MessageFile, Undescribed
from memory.rules.captions import UNSEEN, VOICE, line_of, put_in, words_of
from memory.rules.safety import secret_spans
from memory.store.cascade import PEOPLE, read_again
from memory.store.consents import policy
from memory.store.database import Tables

WAITING = """files @> '[{"digest": ""}]'"""
"""The condition of a message that carries a file nobody has looked at; the partial index has the same words."""

SETTINGS = """
    LEFT JOIN guild_settings AS guild USING (guild_id)
    LEFT JOIN channel_settings AS own USING (guild_id, channel_id)
    LEFT JOIN channel_settings AS parent ON parent.guild_id = m.guild_id AND parent.channel_id = own.parent_id"""
"""What the guild, the channel and the parent of a thread decided, beside messages `m`."""

WANTED = " AND ".join(
    f"{setting}.captions IS NOT FALSE AND coalesce({setting}.mode, 'remember') = 'remember'"
    for setting in ("guild", "own", "parent")
)
"""The condition of messages whose files are put into words."""


def files_of(value: Sequence[Mapping[str, Any]] | None) -> tuple[MessageFile, ...]:
    """The files of a row."""
    return tuple(MessageFile(file_id=int(f["id"]), row=f["row"], digest=f["digest"]) for f in value or ())


def row_of(files: Sequence[MessageFile]) -> list[dict[str, Any]] | None:
    """Files as a row has them; ids are texts, since they are larger than the numbers of JSON."""
    return [{"id": str(f.file_id), "row": f.row, "digest": f.digest} for f in files] or None


class FileStore(Tables):
    """Reads and writes of what messages carry."""

    async def undescribed(
        self, guild_ids: Collection[GuildId], since: datetime, *, due: datetime, limit: int
    ) -> list[Undescribed]:
        """Messages of people since a moment with files that wait, where the guild and the channel want captions.

        All of one guild and audience: one where `limit` wait, or one was written before `due`; else its voice messages
        alone, which wait for no company. Those of channels where the bot is asked most come first, the newest of them
        first.
        """
        async with self._db.connection() as connection:
            rows = await connection.fetch(
                f"""
                WITH waiting AS MATERIALIZED (
                    SELECT m.* FROM (
                        SELECT guild_id, channel_id, message_id, audience, timestamp,
                            strpos(message_text, '[voice') > 0 AS is_voice FROM chat_history
                        WHERE guild_id = ANY($1) AND {WAITING} AND timestamp >= $2 AND {PEOPLE}) AS m {SETTINGS}
                    WHERE {WANTED}),
                chosen AS (
                    SELECT guild_id, audience, count(*) >= $4 OR min(timestamp) <= $3 AS has_company
                    FROM waiting GROUP BY guild_id, audience
                    HAVING count(*) >= $4 OR min(timestamp) <= $3 OR bool_or(is_voice) ORDER BY min(timestamp) LIMIT 1),
                asked AS (
                    SELECT guild_id, channel_id, count(*) AS times FROM inbox
                    WHERE guild_id = ANY($1) AND channel_id IN (SELECT channel_id FROM waiting) GROUP BY 1, 2),
                first AS (
                    SELECT guild_id, message_id, coalesce(times, 0) AS times
                    FROM waiting JOIN chosen USING (guild_id, audience) LEFT JOIN asked USING (guild_id, channel_id)
                    WHERE has_company OR is_voice
                    ORDER BY times DESC, message_id DESC LIMIT $4)
                SELECT guild_id, channel_id, message_id, user_id, message_text, files
                FROM first JOIN chat_history USING (guild_id, message_id) ORDER BY times DESC, message_id DESC
                """,
                list(guild_ids),
                since,
                due,
                limit,
            )
        return [
            Undescribed(
                guild_id=row["guild_id"],
                channel_id=row["channel_id"],
                message_id=row["message_id"],
                user_id=row["user_id"],
                text=row["message_text"],
                files=tuple(file for file in files_of(row["files"]) if not file.digest),
            )
            for row in rows
        ]

    async def seen_before(self, guild_id: GuildId, digests: Collection[str]) -> dict[str, str]:
        """What files of a guild were found to show, by the hashes of their contents; empty for nothing."""
        if not digests:
            return {}
        async with self._db.connection() as connection:
            rows = await connection.fetch(
                """
                SELECT digest, message_text, files FROM unnest($2::text[]) AS digest
                CROSS JOIN LATERAL (
                    SELECT message_text, files FROM chat_history AS m
                    WHERE m.guild_id = $1 AND m.files @> jsonb_build_array(jsonb_build_object('digest', digest))
                    LIMIT 1) AS known
                """,
                guild_id,
                list(digests),
            )
        found = {}
        for row in rows:
            file = next(file for file in files_of(row["files"]) if file.digest == row["digest"])
            found[row["digest"]] = words_of(line_of(row["message_text"], file))
        return found

    async def describe(
        self, guild_id: GuildId, message_id: MessageId, seen: Mapping[int, tuple[str, str]], version: str
    ) -> bool | None:
        """Put lines for files into a message's text, by their ids, with their digests.

        Returns whether any were put in: not where the message, or the wish for captions, is gone. None where something
        was forgotten since `version`: the lines are to be looked at again. The text is not edited by it: what was made
        from it stays as it is. A voice message that was read without its words is read again.
        """
        async with self._db.writing(guild_id) as connection:
            row = await connection.fetchrow(
                f"""
                SELECT m.user_id, m.channel_id, m.message_text, m.files, {WANTED} AS is_wanted
                FROM chat_history AS m {SETTINGS} WHERE m.guild_id = $1 AND m.message_id = $2 FOR UPDATE OF m
                """,
                guild_id,
                message_id,
            )
            files = files_of(row["files"]) if row is not None else ()
            if row is None or not any(file.file_id in seen for file in files):
                return False
            rule = await policy(connection, guild_id)
            if rule.version != version:
                return None
            is_wanted = row["is_wanted"] and rule.stores(row["user_id"], row["channel_id"])
            lines = {n: line for n, (line, _) in seen.items() if line} if is_wanted else {}
            text = put_in(row["message_text"], files, lines)
            digests = {n: digest if is_wanted else UNSEEN for n, (_, digest) in seen.items()}
            files = tuple(replace(f, digest=digests.get(f.file_id, f.digest)) for f in files)
            await connection.execute(
                """
                UPDATE chat_history SET message_text = $3, files = $4, secret_spans = $5
                WHERE guild_id = $1 AND message_id = $2
                """,
                guild_id,
                message_id,
                text,
                row_of(files),
                list(secret_spans(text)),
            )
            if any(line.startswith(VOICE) and words_of(line) for line in lines.values()):
                await read_again(connection, guild_id, [message_id])
        return is_wanted
