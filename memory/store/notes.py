"""slices and notes: what was read of each day's talk in one go, and the points about people that it showed."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date, datetime
from typing import Any

import asyncpg

from memory.ids import AudienceId, GuildId, MessageId, UserId
from memory.records import FoundNote, Message, Note, NoteKind, Spent
from memory.store import cascade, provenance
from memory.store.cascade import PEOPLE, WAS_READ
from memory.store.consents import policy
from memory.store.database import Connection, Tables
from memory.store.messages import Span, like, message_of
from memory.store.provenance import node

OLDER_NOTES = 12
"""Notes about a member from before the window that come with those of the window: the weightiest."""

READ_BATCH = 500
"""Messages that are taken from the database at once, of a day to be read."""


@dataclass(frozen=True, kw_only=True)
class Slice:
    """What a model read in one call: a contiguous run of one day's messages in one audience, and some once more.

    `fingerprint` is that of the messages, the prompt and the model; `refused` where the model would not read them;
    `dropped` is how many notes of its answer did not pass the checks.
    """

    guild_id: GuildId
    for_date: date
    audience: AudienceId
    fingerprint: str
    model: str
    made_at: datetime
    refused: bool = False
    dropped: int = 0
    spent: Spent = field(default_factory=Spent)


@dataclass(frozen=True, kw_only=True)
class Unread:
    """A message that is to be read. `after` counts the slices before it, so that runs can be told apart.

    `again` if it lies in a slice, and changed since, came late, or was cited by a note that is gone.
    """

    message: Message
    after: int
    again: bool
    newest: int | None = None
    """The newest slice of the day, when this was found."""


@dataclass(frozen=True)
class _Stored:
    """A message as it is stored while a slice of it is saved."""

    message: Message
    was_read: bool

    def differs(self, read: Message) -> bool:
        """Whether it was edited since it was read, or lost a line."""
        return self.message.edited_at != read.edited_at or not set(read.text.splitlines()) <= set(
            self.message.text.splitlines()
        )


DAY_MESSAGES = f"""FROM chat_history AS m
           WHERE m.guild_id = $1 AND timestamp >= first AND timestamp < next AND audience = its_audience AND {PEOPLE}"""
"""The messages of one of many days that a slice may be made from."""

READ = """slices.audience = its_audience
            AND for_date BETWEEN first::date - 2 AND next::date + 2 AND through_id >= oldest AND from_id <= newest"""
"""The slices that were made from them."""


READ_RANGES = """read AS MATERIALIZED (
    SELECT audience, range_agg(int8range(from_id, through_id, '[]')) AS ranges FROM slices
    WHERE guild_id = $1 GROUP BY audience)"""
"""What slices have read in each audience of a guild, where many messages are compared with it."""


def note_of(row: asyncpg.Record | Mapping[str, Any]) -> Note:
    """A row of `notes`."""
    return Note(
        guild_id=row["guild_id"],
        note_id=row["note_id"],
        audience=row["audience"],
        user_id=row["user_id"],
        channel_id=row["channel_id"],
        kind=NoteKind(row["kind"]),
        text=row["text"],
        weight=row["weight"],
        people=tuple(row["people"]),
        evidence=tuple(row["evidence"]),
        evidence_by=tuple(row["evidence_by"]),
        at=row["at"],
        superseded_by=row["superseded_by"],
    )


UNREAD = f"""
FROM chat_history AS m
WHERE guild_id = $1 AND audience = ANY($2) AND timestamp >= $3 AND timestamp < $4
  AND {PEOPLE} AND message_text <> ''
  AND (reread OR NOT {WAS_READ})
  AND NOT EXISTS (SELECT 1 FROM inbox AS i WHERE i.guild_id = $1 AND i.trigger_id = m.message_id AND kind <> 'joke')
"""
"""People's messages of a span ($3, $4) and audiences ($2) that no slice has read, without what they asked the bot."""


@dataclass(frozen=True)
class Known:
    """What is noted of members, and what is not yet."""

    notes: list[Note]
    """Oldest first."""
    unread: set[int]
    """The indexes of the days of which some message is in no slice, or may be in none."""
    active: Mapping[int, int | None]
    """Of these, those on which one of the members wrote, or was written to, each with its newest slice."""


class NoteStore(Tables):
    """Slices and their notes."""

    async def unread(self, guild_id: GuildId, audience: AudienceId, span: Span) -> list[Unread]:
        """People's messages of a day that no slice has read, or that are to be read again, oldest first."""
        found: list[Unread] = []
        async with self._db.connection() as connection, connection.transaction():
            rows = connection.cursor(
                f"""
                WITH read AS (
                    SELECT slice_id, from_id, through_id FROM slices
                    WHERE guild_id = $1 AND audience = $2 AND for_date BETWEEN $3::timestamptz::date - 2
                      AND $4::timestamptz::date + 2)
                SELECT m.*, (SELECT count(*) FROM read WHERE through_id < m.message_id) AS after,
                       (SELECT max(slice_id) FROM read) AS newest
                FROM chat_history AS m
                WHERE guild_id = $1 AND timestamp >= $3 AND timestamp < $4 AND audience = $2 AND {PEOPLE}
                  AND (reread OR NOT EXISTS (SELECT 1 FROM read WHERE m.message_id BETWEEN from_id AND through_id))
                ORDER BY message_id
                """,
                guild_id,
                audience,
                *span,
                prefetch=READ_BATCH,
            )
            async for row in rows:  # of ten thousand, others are answered between
                found.append(
                    Unread(message=message_of(row), after=row["after"], again=row["reread"], newest=row["newest"])
                )
        return found

    async def unread_of(
        self, guild_id: GuildId, audiences: Collection[AudienceId], user_ids: Collection[UserId], span: Span, limit: int
    ) -> list[Message]:
        """Of each member, the last messages of a span by them, or to them, that no slice has read; all oldest first.

        Without those that asked the bot something.
        """
        async with self._db.connection() as connection:
            rows = await connection.fetch(
                f"""
                SELECT * FROM chat_history WHERE guild_id = $1 AND message_id IN (
                    SELECT theirs.message_id FROM unnest($5::bigint[]) AS asked (member_id)
                    CROSS JOIN LATERAL (
                        SELECT message_id {UNREAD} AND user_id = member_id ORDER BY timestamp DESC LIMIT $6) AS theirs
                    UNION ALL (
                        SELECT message_id {UNREAD} AND addressees && $5
                        ORDER BY timestamp DESC LIMIT $6 * cardinality($5)))
                ORDER BY message_id
                """,
                guild_id,
                list(audiences),
                *span,
                list(user_ids),
                limit,
            )
        return [message_of(row) for row in rows]

    async def known(
        self,
        guild_id: GuildId,
        audiences: Collection[AudienceId],
        span: Span,
        user_ids: Collection[UserId],
        days: Sequence[tuple[int, Span]],
    ) -> Known:
        """The notes of a span about members or naming them, and what of `days` is not read.

        Before the notes come the weightiest ones about these members that are older and still stand.
        """
        async with self._db.connection() as connection:
            rows = await connection.fetch(
                f"""
                WITH unread AS (SELECT DISTINCT n - 1 AS day
                FROM unnest($2::bigint[], $3::timestamptz[], $4::timestamptz[])
                     WITH ORDINALITY AS day (its_audience, first, next, n)
                CROSS JOIN LATERAL (
                    SELECT (SELECT message_id {DAY_MESSAGES} ORDER BY timestamp, message_id LIMIT 1) AS oldest,
                           (SELECT message_id {DAY_MESSAGES} ORDER BY timestamp DESC, message_id DESC LIMIT 1) AS newest
                ) AS ends
                CROSS JOIN LATERAL (
                    SELECT max(through_id) OVER by_place AS after, lead(from_id, 1, newest + 1) OVER by_place AS before
                    FROM slices WHERE slices.guild_id = $1 AND {READ} WINDOW by_place AS (ORDER BY from_id)
                    UNION ALL SELECT oldest - 1, coalesce((SELECT min(from_id) FROM slices
                                                           WHERE slices.guild_id = $1 AND {READ}), newest + 1)) AS gap
                CROSS JOIN LATERAL (SELECT 1 {DAY_MESSAGES} AND m.message_id > after AND m.message_id < before
                                    ORDER BY message_id LIMIT 1) AS unread
                WHERE oldest IS NOT NULL
                UNION SELECT n - 1 FROM unnest($2::bigint[], $3::timestamptz[], $4::timestamptz[])
                     WITH ORDINALITY AS day (its_audience, first, next, n)
                WHERE EXISTS (SELECT 1 {DAY_MESSAGES} AND reread)),
                active AS (
                    SELECT unread.day, (SELECT max(slice_id) FROM slices
                                        WHERE slices.guild_id = $1 AND slices.audience = its_audience
                                          AND for_date BETWEEN first::date - 2 AND next::date + 2) AS newest
                    FROM unread
                    JOIN unnest($2::bigint[], $3::timestamptz[], $4::timestamptz[])
                         WITH ORDINALITY AS span (its_audience, first, next, n) ON unread.day = n - 1
                    WHERE EXISTS (SELECT 1 {DAY_MESSAGES} AND m.user_id = ANY($8))
                       OR EXISTS (SELECT 1 {DAY_MESSAGES} AND addressees && $8 AND addressees <> '{{}}'))
                SELECT (SELECT array_agg(day) FROM unread) AS unread,
                       (SELECT jsonb_object_agg(day, newest) FROM active) AS active, about.*
                FROM (VALUES (1)) AS one LEFT JOIN (
                    SELECT * FROM notes WHERE guild_id = $1 AND audience = ANY($5) AND at >= $6 AND at < $7
                       AND (user_id = ANY($8) OR people && $8)
                    UNION ALL SELECT older.* FROM unnest($8::bigint[]) AS whose CROSS JOIN LATERAL (
                        SELECT * FROM notes WHERE guild_id = $1 AND audience = ANY($5) AND at < $6
                           AND user_id = whose AND superseded_by IS NULL AND kind NOT IN ('question', 'mood')
                        ORDER BY weight DESC, at DESC LIMIT {OLDER_NOTES}) AS older) AS about ON true
                ORDER BY at, note_id
                """,
                guild_id,
                [audience for audience, _ in days],
                [first for _, (first, _) in days],
                [next_ for _, (_, next_) in days],
                list(audiences),
                *span,
                list(user_ids),
            )
        return Known(
            notes=[note_of(row) for row in rows if row["note_id"] is not None],
            unread=set(rows[0]["unread"] or ()),
            active={int(day): newest for day, newest in (rows[0]["active"] or {}).items()},
        )

    async def unread_days(
        self, guild_id: GuildId, zone: str, since: datetime, until: datetime, fewest: int
    ) -> list[tuple[date, AudienceId]]:
        """Days of a zone, with an audience, of which messages are to be read: at least `fewest` new ones, or any again.

        The newest first.
        """
        async with self._db.connection() as connection:
            rows = await connection.fetch(
                f"""
                WITH {READ_RANGES}
                SELECT (timestamp AT TIME ZONE $2)::date AS day, audience
                FROM chat_history AS m LEFT JOIN read USING (audience)
                WHERE guild_id = $1 AND timestamp >= $3 AND timestamp < $4 AND {PEOPLE}
                  AND (reread OR ranges IS NULL OR NOT message_id <@ ranges)
                GROUP BY day, audience HAVING count(*) >= $5 OR bool_or(reread) ORDER BY day DESC, audience
                """,
                guild_id,
                zone,
                since,
                until,
                fewest,
            )
        return [(row["day"], row["audience"]) for row in rows]

    async def read_at(self, guild_id: GuildId, audience: AudienceId, for_date: date) -> datetime | None:
        """When the newest slice of a day was made."""
        async with self._db.connection() as connection:
            found: datetime | None = await connection.fetchval(
                "SELECT max(made_at) FROM slices WHERE guild_id = $1 AND audience = $2 AND for_date = $3",
                guild_id,
                audience,
                for_date,
            )
        return found

    async def save(self, made: Slice, read: Sequence[Message], found: Sequence[FoundNote], suppressions: str) -> bool:
        """Store a slice that read messages, and its notes. The slice's range is of those that no slice read before, if
        there are any: ranges do not overlap.

        Left out are notes about members who are not written about, and those that rest on a message which is not what
        it was, or an earlier note that is gone; all of them if something was forgotten since the version
        `suppressions`. What is left out is read again, and so is a message that came in between: then it returns False.
        """
        guild_id, ids = made.guild_id, [m.message_id for m in read]
        async with self._db.writing(guild_id) as connection:
            stored = await self._around(connection, made, ids)
            fresh = [m for m in ids if m in stored and not stored[m].was_read]
            first, last = (fresh[0], fresh[-1]) if fresh else (0, 0)
            altered = {m.message_id for m in read if m.message_id not in stored or stored[m.message_id].differs(m)}
            late = {n for n, one in stored.items() if first < n < last and not one.was_read} - set(ids)
            stands = await provenance.stand(connection, guild_id, made.audience, (), suppressions)
            silent = (await policy(connection, guild_id)).silent
            known = await _standing(connection, guild_id, {n for one in found for n in one.earlier_ids})
            kept = [
                one
                for one in found
                if stands
                and altered.isdisjoint({*one.note.evidence, *one.context_ids})
                and known.issuperset(one.earlier_ids)
            ]
            lost = {n for one in found if one not in kept for n in one.note.evidence} if stands else set(ids)
            slice_id = await self._insert(connection, made, first, last, len(read))
            again = altered | late | lost
            await connection.execute(
                """
                UPDATE chat_history SET reread = message_id = ANY($3)
                WHERE guild_id = $1 AND message_id = ANY($2) AND audience = $4
                  AND reread IS DISTINCT FROM (message_id = ANY($3))
                """,
                guild_id,
                [*ids, *late],
                list(again),
                made.audience,
            )
            unsilenced = [f for f in kept if silent.isdisjoint({f.note.user_id, *f.note.people})]
            await _insert_notes(connection, made, slice_id, unsilenced)
        return again.isdisjoint(stored)

    async def _around(self, connection: Connection, made: Slice, ids: Sequence[int]) -> dict[int, _Stored]:
        """Messages as they are stored now, and those between them that no slice has read."""
        rows = await connection.fetch(
            f"""
            WITH {READ_RANGES}
            SELECT m.*, coalesce(message_id <@ ranges, false) AS was_read
            FROM chat_history AS m LEFT JOIN read USING (audience)
            WHERE guild_id = $1 AND audience = $2 AND message_id BETWEEN $3 AND $4 AND {PEOPLE}
              AND (message_id = ANY($5) OR ranges IS NULL OR NOT message_id <@ ranges)
            """,
            made.guild_id,
            made.audience,
            min(ids),
            max(ids),
            list(ids),
        )
        return {row["message_id"]: _Stored(message_of(row), row["was_read"]) for row in rows}

    async def add_picture(self, guild_id: GuildId, message_id: MessageId, line: str) -> bool:
        """Note a picture whose description came after its slice was read. `line` is its line of the message.

        Returns False if no slice has read the message, if the message no longer has that line, if its author is not
        written about, or if the author has the same note already.
        """
        async with self._db.writing(guild_id) as connection:
            silent = (await policy(connection, guild_id)).silent
            row = await connection.fetchrow(
                """
                INSERT INTO notes (guild_id, slice_id, audience, user_id, channel_id, kind, text, weight, people,
                                   evidence, evidence_by, at)
                SELECT $1, slice_id, m.audience, user_id, channel_id, 'event', $3, 1, '{}', ARRAY[message_id],
                       ARRAY[user_id], timestamp
                FROM chat_history AS m JOIN slices AS s ON s.guild_id = $1 AND s.audience = m.audience
                  AND NOT refused AND m.message_id BETWEEN from_id AND through_id
                WHERE m.guild_id = $1 AND message_id = $2 AND $3 = ANY(string_to_array(message_text, E'\n'))
                  AND NOT reread AND NOT user_id = ANY($4::bigint[]) AND NOT EXISTS (
                      SELECT 1 FROM notes AS n WHERE n.guild_id = $1 AND n.user_id = m.user_id AND n.text = $3)
                ORDER BY slice_id DESC LIMIT 1 RETURNING note_id, slice_id
                """,
                guild_id,
                message_id,
                line,
                list(silent),
            )
        return row is not None

    async def _insert(self, connection: Connection, made: Slice, first: int, last: int, messages: int) -> int:
        return int(
            await connection.fetchval(
                """
                INSERT INTO slices (guild_id, for_date, audience, from_id, through_id, messages, fingerprint, model,
                                    refused, dropped, calls, tokens_in, tokens_out, made_at)
                VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14) RETURNING slice_id
                """,
                made.guild_id,
                made.for_date,
                made.audience,
                first,
                last,
                messages,
                made.fingerprint,
                made.model,
                made.refused,
                made.dropped,
                made.spent.calls,
                made.spent.tokens_in,
                made.spent.tokens_out,
                made.made_at,
            )
        )

    async def list_for(
        self,
        guild_id: GuildId,
        audiences: Collection[AudienceId],
        since: datetime,
        until: datetime,
        user_ids: Collection[UserId] | None = None,
    ) -> list[Note]:
        """The notes of a span that `audiences` may hear, oldest first; with `user_ids`, those about or naming these."""
        async with self._db.connection() as connection:
            rows = await connection.fetch(
                """
                SELECT * FROM notes
                WHERE guild_id = $1 AND audience = ANY($2) AND at >= $3 AND at < $4
                  AND ($5::bigint[] IS NULL OR user_id = ANY($5) OR people && $5)
                ORDER BY at, note_id
                """,
                guild_id,
                list(audiences),
                since,
                until,
                None if user_ids is None else list(user_ids),
            )
        return [note_of(row) for row in rows]

    async def of_member(self, guild_id: GuildId, user_id: UserId, audiences: Collection[AudienceId]) -> list[Note]:
        """Every note about a member that `audiences` may hear, newest first."""
        async with self._db.connection() as connection:
            rows = await connection.fetch(
                """
                SELECT * FROM notes WHERE guild_id = $1 AND user_id = $2 AND audience = ANY($3)
                ORDER BY at DESC, note_id DESC
                """,
                guild_id,
                user_id,
                list(audiences),
            )
        return [note_of(row) for row in rows]

    async def naming(
        self, guild_id: GuildId, user_id: UserId, audiences: Collection[AudienceId] | None, stems: Collection[str]
    ) -> list[Note]:
        """The notes about a member, or that name them, which may have one of `stems`: in words, or in a name.

        `audiences` limits the search; None searches all of them.
        """
        async with self._db.connection() as connection:
            rows = await connection.fetch(
                """
                SELECT * FROM notes
                WHERE guild_id = $1 AND (user_id = $2 OR people @> ARRAY[$2::bigint])
                  AND ($3::bigint[] IS NULL OR audience = ANY($3))
                  AND (text LIKE '%<@%' OR compared(text) LIKE ANY($4)) ORDER BY note_id
                """,
                guild_id,
                user_id,
                None if audiences is None else list(audiences),
                [f"%{like(stem)}%" for stem in stems],
            )
        return [note_of(row) for row in rows]

    async def purge(self, guild_id: GuildId, before: date) -> int:
        """Delete slices of days before `before`, with their notes and what was made from them; how many notes went."""
        gone = 0
        while True:
            async with self._db.writing(guild_id) as connection:
                rows = await connection.fetch(
                    """
                    SELECT slice_id FROM slices WHERE guild_id = $1 AND for_date < $2 ORDER BY for_date LIMIT 20
                    """,
                    guild_id,
                    before,
                )
                slices = [row["slice_id"] for row in rows]
                if not slices:
                    return gone
                notes = await connection.fetch(
                    "SELECT note_id FROM notes WHERE guild_id = $1 AND slice_id = ANY($2)", guild_id, slices
                )
                gone += len(notes)
                await cascade.notes_removed(connection, guild_id, [row["note_id"] for row in notes])
                await provenance.delete(connection, guild_id, [node("slice", n) for n in slices])

    async def crowded(self, guild_id: GuildId, unit: str, since: date, until: date, most: int) -> list[list[Note]]:
        """Groups of more than `most` notes about one subject, of one audience and period.

        `unit` is "week" (from Monday) or "month". A note without a person has its channel as its subject.
        """
        async with self._db.connection() as connection:
            rows = await connection.fetch(
                """
                SELECT * FROM (
                    SELECT notes.*, count(*) OVER by_subject AS crowd, min(note_id) OVER by_subject AS first
                    FROM notes JOIN slices USING (guild_id, slice_id)
                    WHERE guild_id = $1 AND for_date >= $3 AND for_date < $4
                    WINDOW by_subject AS (PARTITION BY notes.audience, user_id, date_trunc($2, for_date),
                                                       CASE WHEN user_id IS NULL THEN channel_id END)) AS counted
                WHERE crowd > $5 ORDER BY first, note_id
                """,
                guild_id,
                unit,
                since,
                until,
                most,
            )
        groups: dict[int, list[Note]] = {}
        for row in rows:
            groups.setdefault(row["first"], []).append(note_of(row))
        return list(groups.values())

    async def thin(self, guild_id: GuildId, note_ids: Collection[int]) -> None:
        """Delete notes because of their age, and those that they replaced. What was made from them stays.

        It counts from now on as made from what they were made from, so that it goes with that.
        """
        async with self._db.writing(guild_id) as connection:
            rows = await connection.fetch(
                """
                WITH RECURSIVE gone AS (
                    SELECT unnest($2::bigint[]) AS note_id
                    UNION SELECT notes.note_id FROM notes JOIN gone ON superseded_by = gone.note_id WHERE guild_id = $1)
                SELECT note_id, evidence FROM notes JOIN gone USING (note_id) WHERE guild_id = $1
                """,
                guild_id,
                list(note_ids),
            )
            gone = [node("note", row["note_id"]) for row in rows]
            await provenance.add(
                connection,
                guild_id,
                [(node("note", row["note_id"]), node("message", n)) for row in rows for n in row["evidence"]],
            )
            await provenance.skip(connection, guild_id, gone)
            await provenance.delete(connection, guild_id, gone)

    async def purge_empty_slices(self, guild_id: GuildId, before: date) -> None:
        """Delete slices of days before `before` that have no notes any more."""
        async with self._db.writing(guild_id) as connection:
            rows = await connection.fetch(
                """
                SELECT slice_id FROM slices WHERE guild_id = $1 AND for_date < $2 AND NOT EXISTS (
                    SELECT 1 FROM notes WHERE notes.guild_id = $1 AND notes.slice_id = slices.slice_id)
                """,
                guild_id,
                before,
            )
            await provenance.delete(connection, guild_id, [node("slice", row["slice_id"]) for row in rows])


async def _standing(connection: Connection, guild_id: GuildId, note_ids: Collection[int]) -> set[int]:
    """Those of notes that are still there."""
    if not note_ids:
        return set()
    rows = await connection.fetch(
        "SELECT note_id FROM notes WHERE guild_id = $1 AND note_id = ANY($2)", guild_id, list(note_ids)
    )
    return {row["note_id"] for row in rows}


async def _insert_notes(connection: Connection, made: Slice, slice_id: int, found: Sequence[FoundNote]) -> None:
    edges: list[tuple[str, str]] = []
    for one in found:
        note = one.note
        note_id = await connection.fetchval(
            """
            INSERT INTO notes (guild_id, slice_id, audience, user_id, channel_id, kind, text, weight, people, evidence,
                               evidence_by, at)
            VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12) RETURNING note_id
            """,
            made.guild_id,
            slice_id,
            made.audience,
            note.user_id,
            note.channel_id,
            note.kind.value,
            note.text,
            note.weight,
            list(note.people),
            list(note.evidence),
            list(note.evidence_by),
            note.at,
        )
        mine = node("note", note_id)
        edges += [(mine, node("note", n)) for n in one.earlier_ids]
        edges += [(mine, node("message", n)) for n in one.context_ids]
        if one.ends is not None:
            await connection.execute(
                "UPDATE notes SET superseded_by = $3 WHERE guild_id = $1 AND note_id = $2 AND superseded_by IS NULL",
                made.guild_id,
                one.ends,
                note_id,
            )
    await provenance.add(connection, made.guild_id, edges)
