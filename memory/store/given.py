"""Whether what an answer was given is still there, read where nobody can change it meanwhile."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

from memory.ids import AudienceId, ChannelId, GuildId
from memory.records import Given
from memory.store.database import AUDIBLE, Connection


@dataclass(frozen=True)
class Remains:
    """What of what an answer was given is still there.

    `missing` are those of the messages in its prompt that are not stored. Messages behind notes and conclusions may be
    older than is kept; where one is deleted, the note goes with it.
    """

    is_changed: bool
    missing: frozenset[int]

    @property
    def is_whole(self) -> bool:
        """Whether nothing changed, and nothing is missing."""
        return not self.is_changed and not self.missing


async def remains(
    connection: Connection,
    guild_id: GuildId,
    given: Given,
    *,
    channel_id: ChannelId | None,
    audience: AudienceId,
    since: datetime,
) -> Remains:
    """What is left of `given`: messages edited `since`, and what the channel's readers may not hear, have changed.

    Without a channel, for the readers of `audience`. Whoever saves what was made of it locks the guild first.
    """
    row = await connection.fetchrow(
        f"""
        WITH heard AS (
            SELECT {AUDIBLE.replace("$3", "its")} AS audiences FROM (SELECT coalesce((
                SELECT audience FROM channel_settings WHERE guild_id = $1 AND channel_id = $8), $3) AS its) AS channel)
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
        audience,
        list(given.note_ids),
        list(given.conclusion_ids),
        list(given.message_ids),
        since,
        channel_id,
    )
    assert row is not None
    wanted = (len(given.fact_ids), len(given.note_ids), len(given.conclusion_ids), 0)
    return Remains(
        is_changed=(row["facts"], row["notes"], row["conclusions"], row["changed"]) != wanted,
        missing=frozenset(given.quoted.difference(row["messages"] or ())),
    )
