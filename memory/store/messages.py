"""chat_history and the cursors of channels."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime

import asyncpg

from memory.marks import folding
from memory.records import AuthorKind, Message
from memory.safety import secret_spans
from memory.store import cascade
from memory.store.consents import NotKept, not_kept
from memory.store.database import Connection, Tables, lock_guild, notify

Span = tuple[datetime, datetime]
"""The first moment of a day and the first of the next."""

PURGED_AT_ONCE = 2_000
"""Messages that one statement removes by their age."""

_PEOPLE = "author_kind = 'member' AND NOT off_record AND message_text <> ''"
"""What a summary may be made from: people's words, none of them a request to forget."""


@dataclass(frozen=True, kw_only=True)
class DaySources:
    """What a day's summary would be made from now: `digest` differs when any message does."""

    count: int
    last_id: int
    digest: str


def _message(row: asyncpg.Record) -> Message:
    return Message(
        guild_id=row["guild_id"],
        message_id=row["message_id"],
        channel_id=row["channel_id"],
        user_id=row["user_id"],
        text=row["message_text"],
        timestamp=row["timestamp"],
        reply_to_id=row["reply_to_id"],
        edited_at=row["edited_at"],
        audience=row["audience"],
        author_kind=AuthorKind(row["author_kind"]),
        secret_spans=None if row["secret_spans"] is None else tuple(row["secret_spans"]),
    )


async def insert(connection: Connection, messages: Iterable[Message]) -> int:
    """Store `messages`, each once; a newer edit of a known one replaces its text. Returns how many were new.

    The audience is that of the channel now, which may have changed since a message was accepted.
    """
    once = list({(m.guild_id, m.message_id): m for m in messages}.values())
    if not once:
        return 0
    rows = await connection.fetch(
        """
        INSERT INTO chat_history AS known (guild_id, message_id, channel_id, user_id, message_text,
                                           timestamp, reply_to_id, edited_at, audience, author_kind, secret_spans)
        SELECT m.guild, m.id, m.channel, m.author, m.words, m.at, m.reply, m.edited,
               coalesce(place.audience, m.carried), m.kind, m.secrets::integer[]
        FROM unnest($1::bigint[], $2::bigint[], $3::bigint[], $4::bigint[], $5::text[],
                    $6::timestamptz[], $7::bigint[], $8::timestamptz[], $9::bigint[], $10::text[], $11::text[])
             AS m (guild, id, channel, author, words, at, reply, edited, carried, kind, secrets)
        LEFT JOIN channel_settings AS place ON place.guild_id = m.guild AND place.channel_id = m.channel
        ON CONFLICT (guild_id, message_id) DO UPDATE
            SET message_text = CASE WHEN known.off_record THEN '' ELSE excluded.message_text END,
                edited_at = excluded.edited_at, secret_spans = excluded.secret_spans
            WHERE excluded.edited_at > coalesce(known.edited_at, '-infinity')
        RETURNING (xmax = 0) AS new, known.guild_id, known.message_id, known.user_id, known.timestamp, known.audience
        """,
        *zip(
            *(
                (
                    m.guild_id,
                    m.message_id,
                    m.channel_id,
                    m.user_id,
                    m.text,
                    m.timestamp,
                    m.reply_to_id,
                    m.edited_at,
                    m.audience,
                    m.author_kind.value,
                    _spans(m.text),
                )
                for m in once
            ),
            strict=True,
        ),
    )
    words = {(m.guild_id, m.message_id): m.text for m in once}
    for row in rows:
        if not row["new"]:
            text = words[row["guild_id"], row["message_id"]]
            await cascade.edited(connection, row["guild_id"], [row], {row["message_id"]: text})
    return sum(row["new"] for row in rows)


def _spans(text: str) -> str:
    """Where secrets stand in a text, as PostgreSQL writes an array: arrays of arrays have one length."""
    return f"{{{','.join(map(str, secret_spans(text)))}}}"


async def kept(connection: Connection, messages: Iterable[Message]) -> list[Message]:
    """Those of `messages` whose authors and channels let them be stored. The guilds are to be locked."""
    wanted: list[Message] = []
    rules: dict[int, NotKept] = {}
    for message in messages:
        if message.guild_id not in rules:
            rules[message.guild_id] = await not_kept(connection, message.guild_id)
        rule = rules[message.guild_id]
        if message.user_id not in rule.silent and message.channel_id not in rule.channels:
            wanted.append(message)
    return wanted


async def edit(connection: Connection, guild_id: int, message_id: int, text: str, edited_at: datetime) -> None:
    """Replace a message's text, unless a later edit already did; what cites the old text goes."""
    changed = await connection.fetch(
        """
        UPDATE chat_history SET message_text = CASE WHEN off_record THEN '' ELSE $3 END, edited_at = $4,
                                secret_spans = $5::text::integer[]
        WHERE guild_id = $1 AND message_id = $2 AND $4 > coalesce(edited_at, '-infinity')
        RETURNING message_id, user_id, timestamp, audience
        """,
        guild_id,
        message_id,
        text,
        edited_at,
        _spans(text),
    )
    newer = await connection.fetchval(
        "SELECT edited_at > $3 FROM chat_history WHERE guild_id = $1 AND message_id = $2",
        guild_id,
        message_id,
        edited_at,
    )
    if not newer:  # a message that is not stored may have been told all the same
        await cascade.edited(connection, guild_id, changed, {message_id: text})


async def delete(connection: Connection, guild_id: int, message_ids: Collection[int]) -> Counter[str]:
    """Remove messages, and everything that was made from them; returns how many rows went, by table."""
    gone = await connection.fetch(
        """
        DELETE FROM chat_history WHERE guild_id = $1 AND message_id = ANY($2)
        RETURNING message_id, user_id, timestamp, audience
        """,
        guild_id,
        list(message_ids),
    )
    counts = await cascade.removed(connection, guild_id, gone, message_ids)
    counts["chat_history"] += len(gone)
    return counts


async def remove_alone(connection: Connection, guild_id: int, message_ids: Collection[int]) -> None:
    """Remove messages and nothing else, where the rest cannot be removed."""
    await connection.execute(
        "DELETE FROM chat_history WHERE guild_id = $1 AND message_id = ANY($2)", guild_id, list(message_ids)
    )


async def set_off_record(connection: Connection, guild_id: int, message_id: int, *, done: bool) -> None:
    """Let no model read a message: an order, or an answer to one, would tell again what was forgotten.

    Its words are kept until it is `done`. No news: an order is marked before anything is made of it, and a day
    that had it is stale by its digest.
    """
    await connection.execute(
        """
        UPDATE chat_history SET off_record = true, message_text = CASE WHEN $3 THEN '' ELSE message_text END
        WHERE guild_id = $1 AND message_id = $2
        """,
        guild_id,
        message_id,
        done,
    )


async def advance(connection: Connection, messages: Iterable[Message]) -> None:
    """Note the newest message stored of each channel."""
    newest: dict[tuple[int, int], int] = {}
    for message in messages:
        place = (message.guild_id, message.channel_id)
        newest[place] = max(newest.get(place, 0), message.message_id)
    await connection.executemany(
        """
        INSERT INTO channel_cursors AS known (guild_id, channel_id, last_message_id) VALUES ($1, $2, $3)
        ON CONFLICT (guild_id, channel_id) DO UPDATE
            SET last_message_id = greatest(known.last_message_id, excluded.last_message_id)
        """,
        [(*place, last) for place, last in sorted(newest.items())],
    )


async def sources(
    connection: Connection,
    guild_id: int,
    audience: int,
    spans: Sequence[Span],
    through_id: int | None = None,
) -> list[DaySources]:
    """What each day would be summed up from now; only messages up to `through_id`, when given."""
    rows = await connection.fetch(
        f"""
        SELECT count(message_id) AS count, coalesce(max(message_id), 0) AS last_id,
               coalesce(md5(string_agg(message_id || '@' || coalesce(extract(epoch FROM edited_at), 0),
                                       ',' ORDER BY message_id)), '') AS digest
        FROM unnest($3::timestamptz[], $4::timestamptz[]) WITH ORDINALITY AS day (first, next, n)
        LEFT JOIN chat_history
          ON guild_id = $1 AND timestamp >= first AND timestamp < next AND audience = $2
         AND message_id <= coalesce($5, 9223372036854775807) AND {_PEOPLE}
        GROUP BY n ORDER BY n
        """,
        guild_id,
        audience,
        [first for first, _ in spans],
        [next_ for _, next_ in spans],
        through_id,
    )
    return [DaySources(count=r["count"], last_id=r["last_id"], digest=r["digest"]) for r in rows]


class MessageStore(Tables):
    """Reads of chat_history."""

    async def of_day(self, guild_id: int, audience: int, span: Span, after_id: int = 0) -> list[Message]:
        """People's messages of a day, oldest first, those after `after_id` alone."""
        async with self._db.connection() as connection:
            rows = await connection.fetch(
                f"""
                SELECT * FROM chat_history
                WHERE guild_id = $1 AND timestamp >= $3 AND timestamp < $4 AND audience = $2
                  AND message_id > $5 AND {_PEOPLE}
                ORDER BY message_id
                """,
                guild_id,
                audience,
                *span,
                after_id,
            )
        return [_message(row) for row in rows]

    async def sources(
        self, guild_id: int, audience: int, spans: Sequence[Span], through_id: int | None = None
    ) -> list[DaySources]:
        """What each day would be summed up from now; only messages up to `through_id`, when given."""
        async with self._db.connection() as connection:
            return await sources(connection, guild_id, audience, spans, through_id)

    async def activity(
        self, guild_id: int, audiences: Collection[int], user_ids: Collection[int], spans: Sequence[Span]
    ) -> list[tuple[int, int, int, int]]:
        """(user, index of the span, audience, number of messages), where there are any."""
        async with self._db.connection() as connection:
            rows = await connection.fetch(
                f"""
                SELECT user_id, n - 1 AS span, audience, count(*) AS count
                FROM unnest($4::timestamptz[], $5::timestamptz[]) WITH ORDINALITY AS day (first, next, n)
                JOIN chat_history
                  ON guild_id = $1 AND user_id = ANY($3) AND timestamp >= first AND timestamp < next
                 AND audience = ANY($2) AND {_PEOPLE}
                GROUP BY user_id, n, audience
                """,
                guild_id,
                list(audiences),
                list(user_ids),
                [first for first, _ in spans],
                [next_ for _, next_ in spans],
            )
        return [(r["user_id"], r["span"], r["audience"], r["count"]) for r in rows]

    async def recent(
        self, guild_id: int, channel_id: int, before_id: int, since: datetime, limit: int
    ) -> list[Message]:
        """The last `limit` messages of a channel before `before_id`, oldest first."""
        async with self._db.connection() as connection:
            rows = await connection.fetch(
                """
                SELECT * FROM chat_history
                WHERE guild_id = $1 AND channel_id = $2 AND message_id < $3 AND timestamp >= $4
                  AND message_text <> '' AND NOT off_record
                ORDER BY message_id DESC LIMIT $5
                """,
                guild_id,
                channel_id,
                before_id,
                since,
                limit,
            )
        return [_message(row) for row in reversed(rows)]

    async def get(self, guild_id: int, message_id: int) -> Message | None:
        """One message, or None where it is not stored."""
        async with self._db.connection() as connection:
            row = await connection.fetchrow(
                "SELECT * FROM chat_history WHERE guild_id = $1 AND message_id = $2", guild_id, message_id
            )
        return _message(row) if row else None

    async def waiting_orders(self, guild_id: int) -> list[tuple[int, int]]:
        """(channel, message) of the orders that were not carried out yet, in the order in which they were given."""
        async with self._db.transaction() as connection:
            await connection.execute(
                """
                UPDATE chat_history SET message_text = ''
                WHERE guild_id = $1 AND off_record AND message_text <> '' AND EXISTS (
                    SELECT 1 FROM replies
                    WHERE replies.guild_id = $1 AND trigger_id = message_id AND reply_ids <> '{}')
                """,
                guild_id,
            )
            rows = await connection.fetch(
                """
                SELECT channel_id, message_id FROM chat_history
                WHERE guild_id = $1 AND off_record AND message_text <> '' AND author_kind = 'member'
                ORDER BY message_id
                """,
                guild_id,
            )
        return [(row["channel_id"], row["message_id"]) for row in rows]

    async def write(self, messages: Collection[Message]) -> int:
        """Store `messages` in one transaction; returns how many were new."""
        async with self._db.transaction() as connection:
            guilds = sorted({m.guild_id for m in messages})
            for guild_id in guilds:
                await lock_guild(connection, guild_id)
            new = await insert(connection, await kept(connection, messages))
            for guild_id in guilds:
                await notify(connection, guild_id)
        return new

    async def cursors(self, guild_id: int) -> dict[int, int]:
        """The newest stored message of each channel that has one."""
        async with self._db.connection() as connection:
            rows = await connection.fetch("SELECT * FROM channel_cursors WHERE guild_id = $1", guild_id)
        return {row["channel_id"]: row["last_message_id"] for row in rows}

    async def purge(self, guild_id: int, before: datetime) -> int:
        """Remove messages written before `before`; returns how many. What was summed up from them stays."""
        gone = 0
        async with self._db.connection() as connection:
            while True:  # in small batches: nobody waits for long behind one
                done = await connection.execute(
                    """
                    DELETE FROM chat_history WHERE guild_id = $1 AND message_id = ANY(ARRAY(
                        SELECT message_id FROM chat_history
                        WHERE guild_id = $1 AND timestamp < $2 ORDER BY timestamp LIMIT $3))
                    """,
                    guild_id,
                    before,
                    PURGED_AT_ONCE,
                )
                gone += int(done.split()[-1])
                if int(done.split()[-1]) < PURGED_AT_ONCE:
                    return gone

    async def silence(self, guild_id: int, before: datetime) -> None:
        """Take the words from the bot's own messages of before: nobody notes any more what they were given."""
        async with self._db.connection() as connection:
            await connection.execute(
                """
                UPDATE chat_history SET message_text = ''
                WHERE guild_id = $1 AND author_kind = 'self' AND timestamp < $2 AND message_text <> ''
                """,
                guild_id,
                before,
            )

    async def last_written(self, guild_id: int, user_id: int) -> datetime | None:
        """When a member's newest stored message was written."""
        async with self._db.connection() as connection:
            found: datetime | None = await connection.fetchval(
                "SELECT max(timestamp) FROM chat_history WHERE guild_id = $1 AND user_id = $2", guild_id, user_id
            )
        return found

    async def count(self, guild_id: int) -> int:
        """How many messages of a guild are stored."""
        async with self._db.connection() as connection:
            return int(await connection.fetchval("SELECT count(*) FROM chat_history WHERE guild_id = $1", guild_id))

    async def since(self, guild_id: int, channel_id: int, after_id: int) -> dict[int, datetime | None]:
        """The messages of a channel after one that are stored or told a fact, with the times of their last edits."""
        async with self._db.connection() as connection:
            rows = await connection.fetch(
                """
                SELECT message_id, edited_at FROM chat_history
                WHERE guild_id = $1 AND channel_id = $2 AND message_id > $3
                UNION ALL
                SELECT message_id, at FROM fact_sources AS told
                WHERE guild_id = $1 AND channel_id = $2 AND message_id > $3
                  AND NOT EXISTS (SELECT 1 FROM chat_history AS stored
                                  WHERE stored.guild_id = $1 AND stored.message_id = told.message_id)
                """,
                guild_id,
                channel_id,
                after_id,
            )
        return {row["message_id"]: row["edited_at"] for row in rows}

    async def written_by(self, guild_id: int, user_id: int, audience: int, span: Span) -> list[int]:
        """What a member wrote on a day, but the messages that told a fact."""
        async with self._db.connection() as connection:
            rows = await connection.fetch(
                """
                SELECT message_id FROM chat_history
                WHERE guild_id = $1 AND user_id = $2 AND audience = $3 AND timestamp >= $4 AND timestamp < $5
                  AND NOT off_record
                  AND NOT EXISTS (SELECT 1 FROM fact_sources AS told
                                  WHERE told.guild_id = $1 AND told.message_id = chat_history.message_id)
                """,
                guild_id,
                user_id,
                audience,
                *span,
            )
        return [row["message_id"] for row in rows]

    async def telling(
        self,
        guild_id: int,
        user_id: int,
        names: Collection[str],
        stems: Collection[str],
        audiences: Collection[int] | None,
    ) -> list[Message]:
        """Messages by a member, or that name them, which have one of `stems`: candidates for telling a statement.

        Of what `audiences` may hear, or of all with None.
        """
        async with self._db.connection() as connection:
            rows = await connection.fetch(
                """
                SELECT * FROM chat_history
                WHERE guild_id = $1 AND (user_id = $2 OR message_text ILIKE ANY($3)) AND NOT off_record
                  AND ($5::bigint[] IS NULL OR audience = ANY($5))
                  AND translate(lower(message_text), $6, $7) LIKE ANY($4) ORDER BY message_id
                """,
                guild_id,
                user_id,
                [f"%{like(name)}%" for name in (*names, f"<@{user_id}>", f"<@!{user_id}>")],
                [f"%{like(stem)}%" for stem in stems],
                None if audiences is None else list(audiences),
                *folding(),
            )
        return [_message(row) for row in rows]


def like(text: str) -> str:
    """A text as part of a pattern of LIKE."""
    return text.replace("\\", "\\\\").replace("%", "\\%").replace("_", "\\_")
