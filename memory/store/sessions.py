"""sessions, turns and segments: the conversations with the bot that go on, and those whose digest is to be made."""

from __future__ import annotations

import json
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta

import asyncpg

from memory.ids import AudienceId, ChannelId, GuildId, UserId
from memory.records import Conclusion, Given, OpenConversation, Segment, Session, SessionContext, Turn, TurnRole
from memory.store import cascade, provenance
from memory.store.consents import policy
from memory.store.database import Connection, Tables
from memory.store.facts import Inferred, infer
from memory.store.given import remains
from memory.store.provenance import node


@dataclass(frozen=True, kw_only=True)
class Drawn:
    """What the digest of a session is stored as; all of it, or nothing."""

    through: int
    """The last turn it read."""
    conclusions: Sequence[Conclusion] = ()
    facts: Sequence[Inferred] = ()
    new_topic: str = ""
    """The name of the topic that is made for the conclusions, where it is a new one."""
    summary: str = ""
    suppressions: str = ""
    """The version of the guild's suppressions that it was checked against."""


class SessionStore(Tables):
    """At most one active session a channel. Texts come and go as they are stored: encrypted where keys are set."""

    async def get(self, guild_id: GuildId, channel_id: ChannelId, read: Callable[[str], str | None]) -> Session | None:
        """The active session of a channel with its turns and segments; what `read` cannot read is left out."""
        async with self._db.connection() as connection:
            row = await connection.fetchrow(
                "SELECT * FROM sessions WHERE guild_id = $1 AND channel_id = $2 AND state = 'active'",
                guild_id,
                channel_id,
            )
            return await self._whole(connection, row, read) if row else None

    async def by_id(self, guild_id: GuildId, session_id: int, read: Callable[[str], str | None]) -> Session | None:
        """A session, active or ended."""
        async with self._db.connection() as connection:
            row = await connection.fetchrow(
                "SELECT * FROM sessions WHERE guild_id = $1 AND session_id = $2", guild_id, session_id
            )
            return await self._whole(connection, row, read) if row else None

    async def _whole(self, connection: Connection, row: asyncpg.Record, read: Callable[[str], str | None]) -> Session:
        turns = await connection.fetch(
            "SELECT * FROM turns WHERE guild_id = $1 AND session_id = $2 ORDER BY turn",
            row["guild_id"],
            row["session_id"],
        )
        segments = await connection.fetch(
            "SELECT * FROM segments WHERE guild_id = $1 AND session_id = $2 ORDER BY segment",
            row["guild_id"],
            row["session_id"],
        )
        return Session(
            guild_id=row["guild_id"],
            session_id=row["session_id"],
            channel_id=row["channel_id"],
            audience=row["audience"],
            is_kept=row["is_kept"],
            started_at=row["started_at"],
            active_at=row["active_at"],
            turns=tuple(_turn(turn, text) for turn in turns if (text := read(turn["text"])) is not None),
            segments=tuple(_segment(one, text) for one in segments if (text := read(one["content"])) is not None),
            last_turn=max((turn["turn"] for turn in turns), default=0),
            digested=row["digested_turn"],
            digest_attempts=row["digest_attempts"],
            context=SessionContext.from_json(row["record"]),
        )

    async def begin(
        self, guild_id: GuildId, channel_id: ChannelId, audience: AudienceId, now: datetime, *, is_kept: bool
    ) -> Session:
        """A new active session, or the one that another process began meanwhile. Raises GuildErased."""
        async with self._db.writing(guild_id) as connection:
            row = await connection.fetchrow(
                """
                INSERT INTO sessions (guild_id, channel_id, audience, is_kept, started_at, active_at, talked_since)
                SELECT $1, $2, coalesce((SELECT audience FROM channel_settings AS now_set
                                         WHERE now_set.guild_id = $1 AND now_set.channel_id = $2), $3), $4, $5, $5, $5
                ON CONFLICT (guild_id, channel_id) WHERE state = 'active' DO UPDATE SET channel_id = excluded.channel_id
                RETURNING *
                """,
                guild_id,
                channel_id,
                audience,
                is_kept,
                now,
            )
            assert row is not None
            return await self._whole(connection, row, lambda text: text)

    async def add(
        self,
        session: Session,
        turns: Sequence[Turn],
        now: datetime,
        *,
        write: Callable[[str], str],
        made_of: Mapping[int, Collection[int]],
        given: Given,
        since: datetime,
    ) -> int:
        """Write what a reply added to a session, once: its turns and its context; how many turns were stored.

        Turns of a kept session are stored where their message still is. `made_of` are the messages that each turn's
        words come from, by its number: it goes with them, and an answer with what it answers. Nothing is stored where
        something that the answer was `given` changed `since` it was begun.
        """
        async with self._db.writing(session.guild_id) as connection:
            there = await connection.fetchval(
                """
                UPDATE sessions SET active_at = greatest(active_at, $3), record = $4
                WHERE guild_id = $1 AND session_id = $2 AND state = 'active' RETURNING true
                """,
                session.guild_id,
                session.session_id,
                now,
                session.context.as_json(),
            )
            if not there:
                return 0  # it was reset meanwhile
            if session.is_kept and not await self._are_there(connection, session.guild_id, turns):
                return 0
            left = await remains(
                connection,
                session.guild_id,
                given,
                channel_id=session.channel_id,
                audience=session.audience,
                since=since,
            )
            if left.is_changed or (session.is_kept and left.missing):
                return 0
            await connection.executemany(
                """
                INSERT INTO turns (guild_id, session_id, turn, role, user_id, message_id, text, at, tokens, continuity,
                                   is_shift, confirms)
                VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12) ON CONFLICT DO NOTHING
                """,
                [_values(session, turn, write(turn.text)) for turn in turns],
            )
            edges = {
                node("turn", session.session_id, turn.number): [
                    *(node("message", m) for m in {turn.message_id, *made_of.get(turn.number, ())}),
                    *(node("turn", session.session_id, before.number) for before in turns[:n]),
                ]
                for n, turn in enumerate(turns)
            }
            await provenance.add(connection, session.guild_id, ((m, s) for m, of in edges.items() for s in of))
        return len(turns)

    async def _are_there(self, connection: Connection, guild_id: GuildId, turns: Sequence[Turn]) -> bool:
        """Whether the members' messages of turns are stored, and nobody's words went meanwhile."""
        asked = [turn.message_id for turn in turns if turn.role is TurnRole.USER]
        return bool(
            await connection.fetchval(
                """
                SELECT count(*) = $3 FROM chat_history
                WHERE guild_id = $1 AND message_id = ANY($2) AND message_text <> ''
                """,
                guild_id,
                asked,
                len(asked),
            )
        )

    async def touch(self, session: Session, now: datetime) -> None:
        """Record that a session goes on, and its context."""
        async with self._db.connection() as connection:
            await connection.execute(
                """
                UPDATE sessions SET active_at = greatest(active_at, $3), record = $4
                WHERE guild_id = $1 AND session_id = $2
                """,
                session.guild_id,
                session.session_id,
                now,
                session.context.as_json(),
            )

    async def drop_turns(self, guild_id: GuildId, session_id: int, numbers: Collection[int]) -> None:
        """Delete turns with what was made of them."""
        async with self._db.writing(guild_id) as connection:
            nodes = [node("turn", session_id, n) for n in numbers]
            reached = await provenance.reached_from(connection, guild_id, nodes)
            kinds = ("turn", "segment", "answer")
            await provenance.delete(connection, guild_id, {n for n in reached if n.partition(":")[0] in kinds})

    async def add_segments(
        self, session: Session, segments: Mapping[Segment, Sequence[int]], now: datetime, *, write: Callable[[str], str]
    ) -> int:
        """Store segments, each with the turns it sums up; those whose turns went meanwhile are left out."""
        stored = 0
        async with self._db.writing(session.guild_id) as connection:
            rows = await connection.fetch(
                "SELECT turn FROM turns WHERE guild_id = $1 AND session_id = $2", session.guild_id, session.session_id
            )
            there = {row["turn"] for row in rows}
            for segment, numbers in segments.items():
                if not there.issuperset(numbers):
                    continue
                await connection.execute(
                    """
                    INSERT INTO segments (guild_id, session_id, segment, through, content, at)
                    VALUES ($1, $2, $3, $4, $5, $6) ON CONFLICT DO NOTHING
                    """,
                    session.guild_id,
                    session.session_id,
                    segment.number,
                    segment.through,
                    write(_content(segment)),
                    now,
                )
                mine = node("segment", session.session_id, segment.number)
                behind = {t.message_id for t in session.turns if t.number in numbers}
                sources = [node("turn", session.session_id, n) for n in numbers]
                sources += [node("message", n) for n in behind]  # turns go after a digest, segments stay
                await provenance.record(connection, session.guild_id, {mine: sources})
                stored += 1
        return stored

    # The end of a session

    async def end(self, guild_id: GuildId, session_id: int, now: datetime) -> None:
        """End an active session: its digest is due where it leaves one, else it is destroyed."""
        async with self._db.writing(guild_id) as connection:
            await _end(connection, guild_id, [session_id], now)

    async def end_idle(self, guild_id: GuildId, now: datetime, idle: timedelta, life: timedelta) -> int:
        """End the sessions in which nobody spoke for so long: kept ones after `idle`, others after `life`; how many."""
        async with self._db.writing(guild_id) as connection:
            rows = await connection.fetch(
                """
                SELECT session_id FROM sessions WHERE guild_id = $1 AND state = 'active'
                  AND active_at <= CASE WHEN is_kept THEN $2::timestamptz ELSE $3::timestamptz END
                """,
                guild_id,
                now - idle,
                now - life,
            )
            await _end(connection, guild_id, [row["session_id"] for row in rows], now)
        return len(rows)

    async def drop_old(self, guild_id: GuildId, before: datetime) -> None:
        """Delete turns and segments from before a moment, of sessions that leave nothing: they are kept no longer."""
        async with self._db.writing(guild_id) as connection:
            rows = await connection.fetch(
                """
                SELECT 'turn:' || session_id || ':' || turn AS node
                FROM turns JOIN sessions USING (guild_id, session_id)
                WHERE guild_id = $1 AND NOT is_kept AND at < $2
                UNION ALL
                SELECT 'segment:' || session_id || ':' || segment
                FROM segments JOIN sessions USING (guild_id, session_id)
                WHERE guild_id = $1 AND NOT is_kept AND at < $2
                """,
                guild_id,
                before,
            )
            await provenance.delete(connection, guild_id, [row["node"] for row in rows])

    async def due_unbroken(self, guild_id: GuildId, now: datetime, span: timedelta) -> int:
        """Have a digest made of active sessions that went on for so long without one; of how many."""
        async with self._db.writing(guild_id) as connection:
            done = await connection.execute(
                """
                UPDATE sessions SET digest_due_at = $2
                WHERE guild_id = $1 AND state = 'active' AND is_kept AND digest_due_at IS NULL AND talked_since <= $3
                """,
                guild_id,
                now,
                now - span,
            )
        return int(done.split()[-1])

    async def involving(self, guild_id: GuildId, user_id: UserId) -> list[tuple[str, str]]:
        """(node, words as stored) of all turns and segments of the sessions in which a member spoke, or is named."""
        async with self._db.connection() as connection:
            rows = await connection.fetch(
                """
                WITH theirs AS (
                    SELECT DISTINCT session_id FROM turns
                    WHERE guild_id = $1 AND (user_id = $2 OR text LIKE $3 OR text LIKE $4))
                SELECT 'turn:' || session_id || ':' || turn AS node, text FROM turns JOIN theirs USING (session_id)
                WHERE guild_id = $1
                UNION ALL
                SELECT 'segment:' || session_id || ':' || segment, content FROM segments JOIN theirs USING (session_id)
                WHERE guild_id = $1
                """,
                guild_id,
                user_id,
                f"%<@{user_id}>%",
                f"{cascade.SEALED}%",
            )
        return [(row["node"], row["text"]) for row in rows]

    async def with_sessions(self) -> list[GuildId]:
        """The guilds that have sessions, or something that was confirmed in one; 0 for direct messages."""
        async with self._db.connection() as connection:
            rows = await connection.fetch("SELECT DISTINCT guild_id FROM sessions")
        return [row["guild_id"] for row in rows]

    async def claim_digest(self, guild_id: GuildId, now: datetime, lease: timedelta) -> int | None:
        """Take on the digest of one session that is due, for the time of a lease; None where none is."""
        async with self._db.writing(guild_id) as connection:
            found: int | None = await connection.fetchval(
                """
                UPDATE sessions SET digest_until = $3, digest_attempts = digest_attempts + 1
                WHERE guild_id = $1 AND session_id = (
                    SELECT session_id FROM sessions
                    WHERE guild_id = $1 AND digest_due_at <= $2 AND coalesce(digest_until, $2) <= $2
                    ORDER BY digest_due_at LIMIT 1 FOR UPDATE SKIP LOCKED)
                RETURNING session_id
                """,
                guild_id,
                now,
                now + lease,
            )
        return found

    async def defer_digest(self, guild_id: GuildId, session_id: int, until: datetime, *, counts: bool = True) -> None:
        """Give a digest back, to be made later; whether the attempt counts among those after which it is given up."""
        async with self._db.connection() as connection:
            await connection.execute(
                """
                UPDATE sessions SET digest_due_at = $3, digest_until = NULL, digest_attempts = digest_attempts - $4
                WHERE guild_id = $1 AND session_id = $2
                """,
                guild_id,
                session_id,
                until,
                int(not counts),
            )

    async def save_digest(self, session: Session, drawn: Drawn, now: datetime, until: datetime) -> list[int] | None:
        """Store what a session came to and let its turns go, all at once; the conclusions' ids.

        None where it is not to be stored: the lease (`until`) ran out and another process has it, or something was
        forgotten, or somebody chose otherwise, meanwhile. What rests on turns that went is left out.
        """
        guild_id, session_id = session.guild_id, session.session_id
        async with self._db.writing(guild_id) as connection:
            row = await connection.fetchrow(
                "SELECT * FROM sessions WHERE guild_id = $1 AND session_id = $2 FOR UPDATE", guild_id, session_id
            )
            if row is None or row["digest_until"] != until or row["digest_due_at"] is None:
                return None
            if (await policy(connection, guild_id)).version != drawn.suppressions:
                return None
            rows = await connection.fetch(
                "SELECT turn, message_id FROM turns WHERE guild_id = $1 AND session_id = $2", guild_id, session_id
            )
            there = {r["message_id"] for r in rows}
            topic_id = await self._page(connection, session, drawn, row["audience"], now)
            made = [
                await _insert_conclusion(connection, one, row["audience"], session_id, topic_id)
                for one in drawn.conclusions
                if there.issuperset(one.evidence)
            ]
            for fact in drawn.facts:
                if there.issuperset(fact.evidence):
                    await infer(connection, fact, row["audience"], now)
            if made and topic_id is not None and drawn.summary:
                await connection.execute(
                    "UPDATE topics SET summary = $3, updated_at = $4 WHERE guild_id = $1 AND topic_id = $2",
                    guild_id,
                    topic_id,
                    drawn.summary,
                    now,
                )
            await self._digested(connection, row, drawn.through, now)
        return made

    async def _page(
        self, connection: Connection, session: Session, drawn: Drawn, audience: AudienceId, now: datetime
    ) -> int | None:
        """The topic whose page the conclusions go to: the session's own, where it is of its audience, or a new one."""
        if not drawn.conclusions:
            return None
        if session.context.topic_id is not None:
            found: int | None = await connection.fetchval(
                """
                UPDATE topics SET updated_at = $4 WHERE guild_id = $1 AND topic_id = $2 AND audience = $3
                RETURNING topic_id
                """,
                session.guild_id,
                session.context.topic_id,
                audience,
                now,
            )
            return found
        if not drawn.new_topic:
            return None
        made: int | None = await connection.fetchval(
            """
            INSERT INTO topics (guild_id, audience, name, created_at, updated_at) VALUES ($1, $2, $3, $4, $4)
            ON CONFLICT (guild_id, audience, lower(name)) DO UPDATE SET updated_at = $4 RETURNING topic_id
            """,
            session.guild_id,
            audience,
            drawn.new_topic,
            now,
        )
        return made

    async def _digested(self, connection: Connection, row: asyncpg.Record, through: int, now: datetime) -> None:
        """Let the turns go that a digest read; of a talk that goes on, the ones of the widest window stay."""
        guild_id, session_id = row["guild_id"], row["session_id"]
        await _confirm(connection, guild_id, session_id)
        unread = await connection.fetchval(
            "SELECT true FROM turns WHERE guild_id = $1 AND session_id = $2 AND turn > $3 LIMIT 1",
            guild_id,
            session_id,
            through,
        )
        is_ended = row["state"] == "ended"
        if is_ended and not unread:
            await cascade.sessions_removed(connection, guild_id, [session_id])
            return
        rows = await connection.fetch(
            """
            SELECT turn FROM turns WHERE guild_id = $1 AND session_id = $2 AND turn <= $3 ORDER BY turn DESC OFFSET 8
            """,
            guild_id,
            session_id,
            through,
        )
        await provenance.delete(connection, guild_id, [node("turn", session_id, r["turn"]) for r in rows])
        await connection.execute(
            """
            UPDATE sessions SET digest_due_at = CASE WHEN $5 THEN $3::timestamptz END, digest_until = NULL,
                                digest_attempts = 0, talked_since = $3, digested_turn = $4
            WHERE guild_id = $1 AND session_id = $2
            """,
            guild_id,
            session_id,
            now,
            through,
            is_ended,  # it was talked on while the digest was made
        )

    async def confirm(self, guild_id: GuildId) -> int:
        """Confirm, all at once, the facts that members said again in turns; how many."""
        async with self._db.writing(guild_id) as connection:
            return await _confirm(connection, guild_id)

    async def active(self, guild_id: GuildId) -> list[tuple[ChannelId, datetime, SessionContext, int]]:
        """(channel, since, context, turns) of the sessions that go on."""
        async with self._db.connection() as connection:
            rows = await connection.fetch(
                """
                SELECT channel_id, started_at, record,
                       (SELECT coalesce(max(turn), 0) FROM turns
                        WHERE turns.guild_id = $1 AND turns.session_id = sessions.session_id) AS last
                FROM sessions WHERE guild_id = $1 AND state = 'active' ORDER BY active_at DESC
                """,
                guild_id,
            )
        return [
            (row["channel_id"], row["started_at"], SessionContext.from_json(row["record"]), row["last"]) for row in rows
        ]

    async def open_with(
        self, guild_id: GuildId, user_id: UserId, audiences: Collection[AudienceId]
    ) -> list[OpenConversation]:
        """The sessions that go on in which a member spoke, of those that `audiences` may hear; the last first."""
        async with self._db.connection() as connection:
            rows = await connection.fetch(
                """
                SELECT s.channel_id, s.started_at AS since, max(t.at) AS last_at, count(*) AS turns,
                       max(t.message_id) FILTER (WHERE t.user_id = $2 AND t.role = 'user') AS message_id
                FROM sessions AS s JOIN turns AS t ON t.guild_id = $1 AND t.session_id = s.session_id
                WHERE s.guild_id = $1 AND s.state = 'active' AND s.audience = ANY($3)
                GROUP BY s.session_id, s.channel_id, s.started_at
                HAVING bool_or(t.user_id = $2 AND t.role = 'user') ORDER BY last_at DESC
                """,
                guild_id,
                user_id,
                list(audiences),
            )
        return [OpenConversation(**row) for row in rows]

    async def purge(self, guild_id: GuildId, before: datetime) -> None:
        """Destroy what is left of sessions that ended before a moment and never could be digested."""
        async with self._db.writing(guild_id) as connection:
            rows = await connection.fetch(
                "SELECT session_id FROM sessions WHERE guild_id = $1 AND state = 'ended' AND active_at < $2",
                guild_id,
                before,
            )
            await cascade.sessions_removed(connection, guild_id, [row["session_id"] for row in rows])


async def _end(connection: Connection, guild_id: GuildId, session_ids: Collection[int], now: datetime) -> None:
    """End sessions: those with something to digest are due, the others go."""
    if not session_ids:
        return
    rows = await connection.fetch(
        """
        UPDATE sessions SET state = 'ended', digest_due_at = CASE WHEN is_kept AND EXISTS (
            SELECT 1 FROM turns WHERE turns.guild_id = $1 AND turns.session_id = sessions.session_id
                                  AND turn > digested_turn) THEN coalesce(digest_due_at, $3) END
        WHERE guild_id = $1 AND session_id = ANY($2) AND state = 'active' RETURNING session_id, digest_due_at
        """,
        guild_id,
        list(session_ids),
        now,
    )
    for row in rows:
        await _confirm(connection, guild_id, row["session_id"])
    gone = [row["session_id"] for row in rows if row["digest_due_at"] is None]
    await cascade.sessions_removed(connection, guild_id, gone)


async def _confirm(connection: Connection, guild_id: GuildId, session_id: int | None = None) -> int:
    """Confirm what turns say again, of one session or of all."""
    rows = await connection.fetch(
        """
        WITH again AS (
            SELECT turn, session_id, unnest(confirms) AS fact_id, at FROM turns
            WHERE guild_id = $1 AND confirms <> '{}' AND ($2::bigint IS NULL OR session_id = $2)),
        done AS (
            UPDATE turns SET confirms = '{}'
            WHERE guild_id = $1 AND confirms <> '{}' AND ($2::bigint IS NULL OR session_id = $2))
        UPDATE facts SET last_confirmed_at = greatest(last_confirmed_at, latest.at)
        FROM (SELECT fact_id, max(at) AS at FROM again GROUP BY fact_id) AS latest
        WHERE facts.guild_id = $1 AND facts.fact_id = latest.fact_id AND retired_at IS NULL
        RETURNING facts.user_id, facts.fact_id
        """,
        guild_id,
        session_id,
    )
    if rows:
        await cascade.facts_changed(connection, guild_id, {r["user_id"] for r in rows}, [r["fact_id"] for r in rows])
    return len(rows)


async def _insert_conclusion(
    connection: Connection, one: Conclusion, audience: AudienceId, session_id: int | None, topic_id: int | None
) -> int:
    made: int = await connection.fetchval(
        """
        WITH same AS (
            SELECT conclusion_id, replaces, confirms FROM conclusions
            WHERE guild_id = $1 AND audience = $2 AND conclusion_id = ANY($13)),
        old AS (  -- with what said the same before: it is not to hold again when one of them goes
            SELECT conclusion_id, confirms FROM conclusions
            WHERE guild_id = $1 AND audience = $2 AND conclusion_id = ANY($12))
        INSERT INTO conclusions (guild_id, audience, channel_id, session_id, topic_id, kind, text, people, evidence,
                                 evidence_by, at, replaces, confirms)
        VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11,
                ARRAY(SELECT conclusion_id FROM old UNION SELECT unnest(confirms) FROM old
                      UNION SELECT unnest(replaces) FROM same),
                ARRAY(SELECT conclusion_id FROM same UNION SELECT unnest(confirms) FROM same))
        RETURNING conclusion_id
        """,
        one.guild_id,
        audience,
        one.channel_id,
        session_id,
        topic_id,
        one.kind.value,
        one.text,
        list(one.people),
        list(one.evidence),
        list(one.evidence_by),
        one.at,
        list(one.replaces),
        list(one.confirms),
    )
    sources = [node("message", n) for n in one.evidence]
    await provenance.record(connection, one.guild_id, {node("conclusion", made): sources})
    return made


def _turn(row: asyncpg.Record, text: str) -> Turn:
    return Turn(
        number=row["turn"],
        role=TurnRole(row["role"]),
        user_id=row["user_id"],
        message_id=row["message_id"],
        text=text,
        at=row["at"],
        tokens=row["tokens"],
        continuity=row["continuity"],
        is_shift=row["is_shift"],
        confirms=tuple(row["confirms"]),
    )


def _content(segment: Segment) -> str:
    return json.dumps(
        {
            "topic": segment.topic,
            "discussed": segment.discussed,
            "outcome": segment.outcome,
            "decisions": segment.decisions,
            "open_questions": segment.open_questions,
        },
        ensure_ascii=False,
    )


def _segment(row: asyncpg.Record, text: str) -> Segment:
    content = json.loads(text)
    return Segment(
        number=row["segment"],
        through=row["through"],
        topic=content["topic"],
        discussed=tuple(content["discussed"]),
        outcome=content["outcome"],
        decisions=tuple(content["decisions"]),
        open_questions=tuple(content["open_questions"]),
    )


def _values(session: Session, turn: Turn, text: str) -> tuple[object, ...]:
    """A turn as its row, with its text as it is stored."""
    return (
        session.guild_id,
        session.session_id,
        turn.number,
        turn.role.value,
        turn.user_id,
        turn.message_id,
        text,
        turn.at,
        turn.tokens,
        turn.continuity,
        turn.is_shift,
        list(turn.confirms),
    )
