"""chat_history and the cursors of channels."""

from __future__ import annotations

import json
from collections.abc import Awaitable, Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime

import asyncpg

from memory.ids import MAX_MESSAGE, AudienceId, ChannelId, GuildId, MessageId, UserId
from memory.records import AuthorKind, Message, MessageFile, Talked
from memory.rules.captions import carried_over
from memory.rules.safety import secret_spans
from memory.store import cascade
from memory.store.cascade import PEOPLE, SILENCED
from memory.store.consents import Policy, policies
from memory.store.database import Connection, Tables, lock_guild, notify
from memory.store.files import files_of, row_of
from memory.store.provenance import node
from memory.yielding import map_yielding

Span = tuple[datetime, datetime]
"""The first moment of a day and the first of the next."""

PURGED_AT_ONCE = 2_000
"""Messages that one statement removes by their age."""


def message_of(row: asyncpg.Record) -> Message:
    """A row of `chat_history`."""
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
        addressees=tuple(row["addressees"]),
        files=files_of(row["files"]),
    )


async def _unknown(connection: Connection, messages: Collection[Message]) -> list[Message]:
    """Those of messages that are not stored."""
    known: set[tuple[int, int]] = set()
    for guild_id in {m.guild_id for m in messages}:
        rows = await connection.fetch(
            "SELECT message_id FROM chat_history WHERE guild_id = $1 AND message_id = ANY($2)",
            guild_id,
            [m.message_id for m in messages if m.guild_id == guild_id],
        )
        known |= {(guild_id, row["message_id"]) for row in rows}
    return [m for m in messages if (m.guild_id, m.message_id) not in known]


async def insert(connection: Connection, messages: Iterable[Message]) -> int:
    """Store `messages`, each once; a newer edit of a known one replaces its text. Returns how many were new.

    The audience is that of the channel now, which may have changed since a message was accepted.
    """
    once = list({(m.guild_id, m.message_id): m for m in messages}.values())
    if not once:
        return 0
    once = [await _as_known(connection, message) for message in once]
    spans = await map_yielding(once, lambda message: secret_spans(message.text))
    rows = await connection.fetch(
        f"""
        INSERT INTO chat_history AS known (guild_id, message_id, channel_id, user_id, message_text,
                                           timestamp, reply_to_id, edited_at, audience, author_kind, secret_spans,
                                           addressees, files)
        SELECT m.guild, m.id, m.channel, m.author,
               CASE WHEN m.kind = 'self' AND EXISTS (
                        SELECT 1 FROM provenance
                        WHERE guild_id = m.guild AND made = 'message:' || m.id AND source = '{SILENCED}')
                    THEN '' ELSE m.words END,
               m.at, m.reply, m.edited,
               coalesce(settings.audience, m.carried), m.kind, m.secrets::integer[], m.addressees::bigint[],
               m.carried_files::jsonb
        FROM unnest($1::bigint[], $2::bigint[], $3::bigint[], $4::bigint[], $5::text[], $6::timestamptz[],
                    $7::bigint[], $8::timestamptz[], $9::bigint[], $10::text[], $11::text[], $12::text[], $13::text[])
             AS m (guild, id, channel, author, words, at, reply, edited, carried, kind, secrets, addressees,
                   carried_files)
        LEFT JOIN channel_settings AS settings ON settings.guild_id = m.guild AND settings.channel_id = m.channel
        ON CONFLICT (guild_id, message_id) DO UPDATE
            SET message_text = CASE WHEN known.off_record THEN '' ELSE excluded.message_text END,
                edited_at = excluded.edited_at, secret_spans = excluded.secret_spans,
                addressees = excluded.addressees, files = excluded.files
            WHERE excluded.edited_at > coalesce(known.edited_at, '-infinity')
        RETURNING (xmax = 0) AS new, known.guild_id, known.message_id, known.audience
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
                    _array(secrets),
                    _array(m.addressees),
                    None if not m.files else json.dumps(row_of(m.files)),
                )
                for m, secrets in zip(once, spans, strict=True)
            ),
            strict=True,
        ),
    )
    texts = {(m.guild_id, m.message_id): m.text for m in once}
    for row in rows:
        if not row["new"]:
            text = texts[row["guild_id"], row["message_id"]]
            await cascade.edited(connection, row["guild_id"], [row], {row["message_id"]: text})
    await cascade.arrived(connection, [row for row in rows if row["new"]])
    return sum(row["new"] for row in rows)


def _array(numbers: Iterable[int]) -> str:
    """Numbers as PostgreSQL writes an array: arrays of arrays have one length."""
    return f"{{{','.join(map(str, numbers))}}}"


def kept(messages: Iterable[Message], rules: Mapping[GuildId, Policy]) -> list[Message]:
    """The messages whose authors and channels allow them to be stored, by the rules of each guild."""
    return [m for m in messages if rules[m.guild_id].stores(m.user_id, m.channel_id)]


async def edit(
    connection: Connection,
    guild_id: GuildId,
    message_id: MessageId,
    text: str,
    edited_at: datetime,
    addressees: Iterable[UserId],
    files: Collection[MessageFile] = (),
) -> None:
    """Replace a message's text, unless a later edit already did; what cites the old text goes.

    What was seen on files that it still carries stays.
    """
    known = await connection.fetchrow(
        "SELECT edited_at FROM chat_history WHERE guild_id = $1 AND message_id = $2", guild_id, message_id
    )
    if known is not None and known["edited_at"] == edited_at:  # it is known; what stands beside may be new
        await extend(connection, guild_id, message_id, text, edited_at, files)
        return
    text, files = await _with_captions(connection, guild_id, message_id, text, files)
    changed = await connection.fetch(
        """
        UPDATE chat_history SET message_text = CASE WHEN off_record THEN '' ELSE $3 END, edited_at = $4,
                                secret_spans = $5::text::integer[], addressees = $6, files = $7
        WHERE guild_id = $1 AND message_id = $2 AND $4 > coalesce(edited_at, '-infinity')
        RETURNING message_id, user_id, audience
        """,
        guild_id,
        message_id,
        text,
        edited_at,
        _array(secret_spans(text)),
        list(addressees),
        row_of(files),
    )
    newer = await connection.fetchval(
        "SELECT edited_at > $3 FROM chat_history WHERE guild_id = $1 AND message_id = $2",
        guild_id,
        message_id,
        edited_at,
    )
    if not newer:  # a message that is not stored may have been told all the same
        await cascade.edited(connection, guild_id, changed, {message_id: text})


async def _with_captions(
    connection: Connection, guild_id: GuildId, message_id: MessageId, text: str, files: Collection[MessageFile]
) -> tuple[str, tuple[MessageFile, ...]]:
    """A new text of a message with what was seen on the files that it carried before and still does."""
    if not files:
        return text, ()
    known = await connection.fetchrow(
        "SELECT message_text, files FROM chat_history WHERE guild_id = $1 AND message_id = $2 FOR UPDATE",
        guild_id,
        message_id,
    )
    if known is None:
        return text, tuple(files)
    return carried_over(text, tuple(files), known["message_text"], files_of(known["files"]))


async def _as_known(connection: Connection, message: Message) -> Message:
    """An edited message that may be stored already, with what was seen on its files."""
    if not message.files or message.edited_at is None:
        return message
    text, files = await _with_captions(connection, message.guild_id, message.message_id, message.text, message.files)
    return replace(message, text=text, files=files)


async def extend(
    connection: Connection,
    guild_id: GuildId,
    message_id: MessageId,
    text: str,
    edited_at: datetime | None,
    files: Collection[MessageFile] = (),
) -> bool:
    """Replace a message's text where only what stands beside its words changed, such as a link's preview.

    `edited_at` is when the words were edited last: of other words than the stored ones it says nothing.

    What was made from it stays, unless a line is gone: then it is an edit, and True is returned.
    """
    text, files = await _with_captions(connection, guild_id, message_id, text, files)
    before = await connection.fetchrow(
        """
        SELECT message_id, message_text
        FROM chat_history
        WHERE guild_id = $1 AND message_id = $2 AND message_text NOT IN ('', $3) AND NOT off_record
          AND edited_at IS NOT DISTINCT FROM $4 FOR UPDATE
        """,
        guild_id,
        message_id,
        text,
        edited_at,
    )
    if before is None:
        return False
    await connection.execute(
        """
        UPDATE chat_history SET message_text = $3, secret_spans = $4::text::integer[], files = $5
        WHERE guild_id = $1 AND message_id = $2
        """,
        guild_id,
        message_id,
        text,
        _array(secret_spans(text)),
        row_of(files),
    )
    is_less = not set(before["message_text"].splitlines()) <= set(text.splitlines())
    if is_less:
        await cascade.edited(connection, guild_id, [before], {message_id: text})
    return is_less


async def set_off_record(connection: Connection, guild_id: GuildId, message_id: MessageId, *, done: bool) -> None:
    """Keep a message off the record: an order, or an answer to one, would tell again what was forgotten.

    Its words are kept until it is `done`. Notes that rest on it go.
    """
    rows = await connection.fetch(
        f"""
        WITH kept AS (
            UPDATE chat_history SET off_record = true, message_text = CASE WHEN $4 THEN '' ELSE message_text END
            WHERE guild_id = $1 AND message_id = ANY($2))
        {cascade.RESTING_ON}
        """,
        guild_id,
        [message_id],
        [node("message", message_id)],
        done,
    )
    await cascade.drop_notes(connection, guild_id, [row["note_id"] for row in rows])


async def advance(connection: Connection, seen: Iterable[tuple[int, int, int]]) -> None:
    """Note the newest message of each channel up to which nothing is missed: (guild, channel, message)."""
    newest: dict[tuple[int, int], int] = {}
    for guild_id, channel_id, message_id in seen:
        newest[guild_id, channel_id] = max(newest.get((guild_id, channel_id), 0), message_id)
    if not newest:
        return
    await connection.execute(
        """
        INSERT INTO channel_cursors AS known (guild_id, channel_id, last_message_id, since)
        SELECT guild, channel, last, to_timestamp(((last >> 22) + 1420070400000) / 1000.0)
        FROM unnest($1::bigint[], $2::bigint[], $3::bigint[]) AS seen (guild, channel, last)
        ON CONFLICT (guild_id, channel_id) DO UPDATE
            SET last_message_id = greatest(known.last_message_id, excluded.last_message_id)
        """,
        *(list(column) for column in zip(*((*key, last) for key, last in sorted(newest.items())), strict=True)),
    )


async def authors(
    connection: Connection, messages: Collection[tuple[GuildId, MessageId]]
) -> dict[tuple[GuildId, MessageId], UserId]:
    """Who wrote messages (guild, message), of those that are stored."""
    rows = await connection.fetch(
        "SELECT guild_id, message_id, user_id FROM chat_history WHERE guild_id = ANY($1) AND message_id = ANY($2)",
        [guild_id for guild_id, _ in messages],
        [message_id for _, message_id in messages],
    )
    return {(row["guild_id"], row["message_id"]): row["user_id"] for row in rows}


async def find(connection: Connection, guild_id: GuildId, message_id: MessageId) -> Message | None:
    """One message, or None where it is not stored."""
    row = await connection.fetchrow(
        "SELECT * FROM chat_history WHERE guild_id = $1 AND message_id = $2", guild_id, message_id
    )
    return message_of(row) if row else None


@dataclass(frozen=True)
class Searched:
    """The messages that a search found. `since` is a transaction id: it didn't see what later transactions wrote."""

    messages: Sequence[Message]
    since: str


class MessageStore(Tables):
    """Reads of chat_history."""

    async def activity(
        self, guild_id: GuildId, audiences: Collection[AudienceId], user_id: UserId, spans: Sequence[Span]
    ) -> dict[int, int]:
        """The number of a member's messages in each of `spans`, by its index, where there are any."""
        async with self._db.connection() as connection:
            rows = await connection.fetch(
                f"""
                SELECT n - 1 AS span, count(*) AS count
                FROM unnest($4::timestamptz[], $5::timestamptz[]) WITH ORDINALITY AS day (first, next, n)
                JOIN chat_history AS m ON m.guild_id = $1 AND m.user_id = $3 AND audience = ANY($2)
                 AND timestamp >= first AND timestamp < next AND {PEOPLE}
                GROUP BY n
                """,
                guild_id,
                list(audiences),
                user_id,
                [first for first, _ in spans],
                [next_ for _, next_ in spans],
            )
        return {row["span"]: row["count"] for row in rows}

    async def recent(
        self, guild_id: GuildId, channel_id: ChannelId, before_id: MessageId, since: datetime, limit: int
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
        return [message_of(row) for row in reversed(rows)]

    async def get(self, guild_id: GuildId, message_id: MessageId) -> Message | None:
        """One message, or None where it is not stored."""
        async with self._db.connection() as connection:
            return await find(connection, guild_id, message_id)

    async def get_many(self, guild_id: GuildId, message_ids: Collection[MessageId]) -> list[Message]:
        """Messages by id, those that are stored."""
        async with self._db.connection() as connection:
            rows = await connection.fetch(
                "SELECT * FROM chat_history WHERE guild_id = $1 AND message_id = ANY($2)", guild_id, list(message_ids)
            )
        return [message_of(row) for row in rows]

    async def write(
        self, messages: Collection[Message], prepared: Callable[[Connection], Awaitable[Collection[Message]]]
    ) -> int:
        """Store `messages` in one transaction, as `prepared` within it; returns how many were new.

        What is stored already stays as it is, whatever an export says of it.
        """
        async with self._db.transaction() as connection:
            guilds = sorted({m.guild_id for m in messages})
            for guild_id in guilds:
                await lock_guild(connection, guild_id)
            wanted = kept(await prepared(connection), await policies(connection, guilds))
            new = await insert(connection, await _unknown(connection, wanted))
            for guild_id in guilds:
                await notify(connection, guild_id)
        return new

    async def cursors(self, guild_ids: Collection[GuildId]) -> dict[GuildId, dict[ChannelId, MessageId]]:
        """For each guild, the message of each channel up to which nothing is missed."""
        async with self._db.connection() as connection:
            rows = await connection.fetch("SELECT * FROM channel_cursors WHERE guild_id = ANY($1)", list(guild_ids))
        found: dict[GuildId, dict[ChannelId, MessageId]] = {guild_id: {} for guild_id in guild_ids}
        for row in rows:
            found[row["guild_id"]][row["channel_id"]] = row["last_message_id"]
        return found

    async def begin_channels(
        self, guild_id: GuildId, floors: Mapping[ChannelId, MessageId], since: Mapping[ChannelId, datetime]
    ) -> None:
        """Begin the record of channels: each is whole up to a message, and `since` a moment; those known stay."""
        async with self._db.writing(guild_id) as connection:
            await connection.execute(
                """
                INSERT INTO channel_cursors (guild_id, channel_id, last_message_id, since)
                SELECT $1, * FROM unnest($2::bigint[], $3::bigint[], $4::timestamptz[]) ON CONFLICT DO NOTHING
                """,
                guild_id,
                list(floors),
                list(floors.values()),
                [since[channel_id] for channel_id in floors],
            )

    async def whole(self, guild_id: GuildId) -> dict[ChannelId, tuple[datetime, int]]:
        """Since when nothing is missing of each channel, and up to which message."""
        async with self._db.connection() as connection:
            rows = await connection.fetch("SELECT * FROM channel_cursors WHERE guild_id = $1", guild_id)
        return {row["channel_id"]: (row["since"], row["last_message_id"]) for row in rows}

    async def stored_after(
        self, guild_ids: Collection[GuildId], after_id: MessageId
    ) -> dict[GuildId, dict[ChannelId, int]]:
        """For each guild, how many messages of each channel are stored, or told a fact, after a message."""
        async with self._db.connection() as connection:
            rows = await connection.fetch(
                """
                SELECT guild_id, channel_id, sum(n) AS count FROM (
                    SELECT guild_id, channel_id, count(*) AS n FROM chat_history
                    WHERE guild_id = ANY($1) AND message_id > $2 GROUP BY guild_id, channel_id
                    UNION ALL
                    SELECT guild_id, channel_id, count(*) FROM fact_sources
                    WHERE guild_id = ANY($1) AND message_id > $2 AND channel_id IS NOT NULL
                    GROUP BY guild_id, channel_id) AS stored
                GROUP BY guild_id, channel_id
                """,
                list(guild_ids),
                after_id,
            )
        found: dict[GuildId, dict[ChannelId, int]] = {guild_id: {} for guild_id in guild_ids}
        for row in rows:
            found[row["guild_id"]][row["channel_id"]] = int(row["count"])
        return found

    async def purge(self, guild_id: GuildId, before: datetime) -> int:
        """Remove messages written before `before`; returns how many. What was summed up from them stays."""
        gone = 0
        async with self._db.connection() as connection:
            while True:  # in small batches: nobody waits for long behind one
                done: int = await connection.fetchval(
                    """
                    WITH old AS (
                        DELETE FROM chat_history WHERE guild_id = $1 AND message_id = ANY(ARRAY(
                            SELECT message_id FROM chat_history
                            WHERE guild_id = $1 AND timestamp < $2 ORDER BY timestamp LIMIT $3))
                        RETURNING message_id)
                    SELECT count(*) FROM old
                    """,
                    guild_id,
                    before,
                    PURGED_AT_ONCE,
                )
                gone += done
                if done < PURGED_AT_ONCE:
                    return gone

    async def silence(self, guild_id: GuildId, before: datetime) -> None:
        """Blank the bot's own messages before a moment: what they were given is not recorded any more."""
        async with self._db.connection() as connection:
            await connection.execute(
                """
                DELETE FROM provenance WHERE guild_id = $1 AND source = $3 AND split_part(made, ':', 2)::bigint < (
                    SELECT min(message_id) FROM chat_history WHERE guild_id = $1 AND timestamp >= $2)
                """,
                guild_id,
                before,
                SILENCED,
            )
            await connection.execute(
                """
                UPDATE chat_history SET message_text = ''
                WHERE guild_id = $1 AND author_kind = 'self' AND timestamp < $2 AND message_text <> ''
                """,
                guild_id,
                before,
            )

    async def last_written(
        self, guild_id: GuildId, user_id: UserId, before_id: MessageId = MAX_MESSAGE
    ) -> datetime | None:
        """When a member's newest stored message before `before_id` was written."""
        async with self._db.connection() as connection:
            found: datetime | None = await connection.fetchval(
                "SELECT max(timestamp) FROM chat_history WHERE guild_id = $1 AND user_id = $2 AND message_id < $3",
                guild_id,
                user_id,
                before_id,
            )
        return found

    async def last_texts(self, guild_id: GuildId, user_id: UserId, before_id: MessageId, limit: int) -> list[str]:
        """A member's last texts in a guild before a message, from all channels, the newest first."""
        async with self._db.connection() as connection:
            rows = await connection.fetch(
                """
                SELECT message_text FROM chat_history
                WHERE guild_id = $1 AND user_id = $2 AND message_id < $3 AND message_text <> ''
                ORDER BY timestamp DESC LIMIT $4
                """,
                guild_id,
                user_id,
                before_id,
                limit,
            )
        return [row["message_text"] for row in rows]

    async def talked(
        self, guild_id: GuildId, audiences: Collection[AudienceId], since: datetime, before_id: MessageId
    ) -> list[Talked]:
        """Where people talked after `since` and before a message, the busiest channel first."""
        async with self._db.connection() as connection:
            rows = await connection.fetch(
                f"""
                SELECT channel_id, audience, count(*) AS messages, min(message_id) AS first_id FROM chat_history
                WHERE guild_id = $1 AND audience = ANY($2) AND timestamp > $3 AND message_id < $4
                  AND {PEOPLE}
                GROUP BY channel_id, audience ORDER BY messages DESC, channel_id
                """,
                guild_id,
                list(audiences),
                since,
                before_id,
            )
        return [Talked(**row) for row in rows]

    async def said_to(
        self,
        guild_id: GuildId,
        audiences: Collection[AudienceId],
        user_id: UserId,
        since: datetime,
        before_id: MessageId,
        limit: int,
    ) -> list[Message]:
        """The last message of each person to a member after `since` and before a message, the newest first."""
        async with self._db.connection() as connection:
            rows = await connection.fetch(
                f"""
                SELECT * FROM (
                    SELECT DISTINCT ON (user_id) * FROM chat_history
                    WHERE guild_id = $1 AND audience = ANY($2) AND addressees @> ARRAY[$3::bigint] AND user_id <> $3
                      AND timestamp > $4 AND message_id < $5 AND {PEOPLE}
                    ORDER BY user_id, message_id DESC) AS last
                ORDER BY message_id DESC LIMIT $6
                """,
                guild_id,
                list(audiences),
                user_id,
                since,
                before_id,
                limit,
            )
        return [message_of(row) for row in rows]

    async def partners(
        self, guild_id: GuildId, audiences: Collection[AudienceId], user_id: UserId, since: datetime, limit: int
    ) -> list[int]:
        """Whom a member spoke to, and who spoke to them, since a moment; those they deal with most come first."""
        async with self._db.connection() as connection:
            rows = await connection.fetch(
                f"""
                SELECT other FROM (
                    SELECT user_id AS other FROM chat_history
                    WHERE guild_id = $1 AND audience = ANY($2) AND addressees @> ARRAY[$3::bigint] AND timestamp > $4
                      AND {PEOPLE}
                    UNION ALL
                    SELECT unnest(addressees) FROM chat_history
                    WHERE guild_id = $1 AND audience = ANY($2) AND user_id = $3 AND timestamp > $4
                      AND {PEOPLE}) AS talk
                WHERE other <> $3 GROUP BY other ORDER BY count(*) DESC, other LIMIT $5
                """,
                guild_id,
                list(audiences),
                user_id,
                since,
                limit,
            )
        return [row["other"] for row in rows]

    async def most_answered(
        self, guild_id: GuildId, audience: AudienceId, since: datetime, until: datetime, limit: int
    ) -> list[Message]:
        """The messages of a span that the most people replied to, without what was asked of the bot."""
        async with self._db.connection() as connection:
            rows = await connection.fetch(
                f"""
                WITH said AS (
                    SELECT * FROM chat_history
                    WHERE guild_id = $1 AND audience = $2 AND timestamp >= $3 AND timestamp < $4 AND {PEOPLE}),
                answered AS (
                    SELECT m.message_id, count(DISTINCT r.user_id) AS people FROM said AS m JOIN said AS r
                      ON r.reply_to_id = m.message_id AND r.user_id <> m.user_id
                    GROUP BY m.message_id ORDER BY people DESC, m.message_id DESC LIMIT $5)
                SELECT said.* FROM answered JOIN said USING (message_id)
                WHERE NOT EXISTS (SELECT 1 FROM inbox AS i WHERE i.guild_id = $1 AND i.trigger_id = message_id)
                ORDER BY people DESC, message_id DESC
                """,
                guild_id,
                audience,
                since,
                until,
                limit,
            )
        return [message_of(row) for row in rows]

    async def around(
        self, guild_id: GuildId, message_id: MessageId, lines: int, audiences: Collection[AudienceId]
    ) -> list[Message]:
        """A message with the lines before and after it in its channel, of what `audiences` may hear, oldest first."""
        async with self._db.connection() as connection:
            rows = await connection.fetch(
                """
                WITH middle AS (SELECT * FROM chat_history WHERE guild_id = $1 AND message_id = $2),
                around AS (
                    (SELECT m.* FROM middle JOIN chat_history AS m USING (guild_id, channel_id)
                     WHERE m.message_id <= middle.message_id ORDER BY m.message_id DESC LIMIT $3 + 1)
                    UNION ALL
                    (SELECT m.* FROM middle JOIN chat_history AS m USING (guild_id, channel_id)
                     WHERE m.message_id > middle.message_id ORDER BY m.message_id LIMIT $3))
                SELECT * FROM around
                WHERE guild_id = $1 AND audience = ANY($4) AND message_text <> '' AND NOT off_record
                ORDER BY message_id
                """,
                guild_id,
                message_id,
                lines,
                list(audiences),
            )
        return [message_of(row) for row in rows]

    async def count(self, guild_id: GuildId) -> int:
        """How many messages of a guild are stored."""
        async with self._db.connection() as connection:
            return int(await connection.fetchval("SELECT count(*) FROM chat_history WHERE guild_id = $1", guild_id))

    async def newest(self, guild_id: GuildId, channel_id: ChannelId) -> MessageId:
        """The newest message of a channel that is stored or told a fact; 0 where none is."""
        async with self._db.connection() as connection:
            found = await connection.fetchval(
                """
                SELECT greatest((SELECT max(message_id) FROM chat_history WHERE guild_id = $1 AND channel_id = $2),
                                (SELECT max(message_id) FROM fact_sources WHERE guild_id = $1 AND channel_id = $2))
                """,
                guild_id,
                channel_id,
            )
        return MessageId(found or 0)

    async def between(
        self, guild_id: GuildId, channel_id: ChannelId, first: int, last: int
    ) -> dict[MessageId, datetime | None]:
        """The messages of a channel, by id, that are stored or told a fact, with the times of their last edits."""
        async with self._db.connection() as connection:
            rows = await connection.fetch(
                """
                SELECT message_id, edited_at FROM chat_history
                WHERE guild_id = $1 AND channel_id = $2 AND message_id BETWEEN $3 AND $4
                UNION ALL
                SELECT message_id, at FROM fact_sources AS told
                WHERE guild_id = $1 AND channel_id = $2 AND message_id BETWEEN $3 AND $4
                  AND NOT EXISTS (SELECT 1 FROM chat_history AS stored
                                  WHERE stored.guild_id = $1 AND stored.message_id = told.message_id)
                """,
                guild_id,
                channel_id,
                first,
                last,
            )
        return {row["message_id"]: row["edited_at"] for row in rows}

    async def written_by(self, guild_id: GuildId, user_id: UserId, audience: AudienceId, span: Span) -> list[MessageId]:
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

    async def with_keywords(
        self,
        guild_id: GuildId,
        user_id: UserId,
        names: Collection[str],
        stems: Collection[str],
        audiences: Collection[AudienceId] | None,
        *,
        words: Collection[str],
        own_anywhere: bool = False,
    ) -> Searched:
        """Search messages by a member, or that name them, for those with one of `stems`: candidates for statements.

        `words` are the statements: with the names they are what a message is found by. Of what `audiences` may hear,
        or of all with None; the member's own of every audience with `own_anywhere`.
        """
        matching = """
            NOT off_record AND ($5::bigint[] IS NULL OR audience = ANY($5) OR ($6 AND user_id = $2))
            AND compared(message_text) LIKE ANY($4)"""
        async with self._db.connection() as connection:
            rows = await connection.fetch(
                f"""
                SELECT found.*, since FROM (SELECT pg_snapshot_xmin(pg_current_snapshot())::xid::text AS since) AS now
                LEFT JOIN ({by_or_naming(matching, names="$3::text[]", words="$7::text[]")}) AS found ON guild_id = $1
                ORDER BY message_id
                """,
                guild_id,
                user_id,
                [*names, f"<@{user_id}>", f"<@!{user_id}>"],
                [f"%{like(stem)}%" for stem in stems],
                None if audiences is None else list(audiences),
                own_anywhere,
                list(words),
            )
        return Searched([message_of(row) for row in rows if row["message_id"] is not None], rows[0]["since"])


def like(text: str) -> str:
    """A text as part of a pattern of LIKE."""
    return text.replace("\\", "\\\\").replace("%", "\\%").replace("_", "\\_")


MAX_RARE_WORD_MESSAGES = 5_000
"""Messages that may have a word which others' words about a member are looked for by, beside the names."""


def by_or_naming(matching: str, *, names: str, words: str) -> str:
    """The statement for the messages of guild $1 that member $2 wrote, or that have one of `names`, and match.

    Those of others are found by the index of stems: by the stems of a name, or, where it is written in one with
    another word ("Ann.she has a kayak"), by the rare ones among `words`. A name without a stem is looked for in all.
    """
    return f"""
        WITH named AS (
            SELECT message_id FROM unnest({names}) AS name CROSS JOIN LATERAL (
                SELECT message_id FROM chat_history AS m
                WHERE m.guild_id = $1 AND m.stems @> stems_of($1, name) OFFSET 0) AS found
            UNION
            SELECT message_id FROM (
                SELECT DISTINCT stem FROM unnest({words}) AS said CROSS JOIN LATERAL unnest(stems_of($1, said)) AS stem
                WHERE EXISTS (SELECT 1 FROM lexemes
                              WHERE guild_id = $1 AND lexemes.stem = stem.stem
                                 AND messages <= {MAX_RARE_WORD_MESSAGES})) AS rare
            CROSS JOIN LATERAL (
                SELECT message_id FROM chat_history AS m
                WHERE m.guild_id = $1 AND m.stems @> ARRAY[stem] OFFSET 0) AS found)
        SELECT * FROM chat_history WHERE guild_id = $1 AND user_id = $2 AND {matching}
        UNION ALL
        SELECT * FROM chat_history
        WHERE guild_id = $1 AND user_id <> $2 AND message_id = ANY(ARRAY(SELECT message_id FROM named))
          AND EXISTS (SELECT 1 FROM unnest({names}) AS name WHERE strpos(compared(message_text), compared(name)) > 0)
          AND {matching}"""
