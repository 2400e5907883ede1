"""answers: what questions were answered with, for the same question asked again."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass
from datetime import datetime

import asyncpg

from memory.ids import AudienceId, GuildId, MessageId, UserId
from memory.records import Given
from memory.store import provenance
from memory.store.database import Tables
from memory.store.given import remains
from memory.store.provenance import node


@dataclass(frozen=True, kw_only=True)
class Answered:
    """A question as it was answered. `fingerprint` is of the facts of whom it is about: with other facts it is stale.

    It is for `user_id` alone, who asked; `is_factual` tells that it holds for a day, also in another session.
    """

    guild_id: GuildId
    session_id: int
    audience: AudienceId
    user_id: UserId
    question: str
    answer: str
    subjects: tuple[UserId, ...]
    fingerprint: str
    is_factual: bool
    given: Given
    at: datetime


class AnswerStore(Tables):
    """Each goes with the first of the things that it was made from."""

    async def factual(
        self, guild_id: GuildId, user_id: UserId, audience: AudienceId, question: str, since: datetime
    ) -> list[Answered]:
        """The factual answers that a member got to a normalised question in an audience, newest first."""
        async with self._db.connection() as connection:
            rows = await connection.fetch(
                """
                SELECT * FROM answers
                WHERE guild_id = $1 AND question = $2 AND audience = $3 AND user_id = $4 AND is_factual AND at >= $5
                ORDER BY at DESC LIMIT 3
                """,
                guild_id,
                question,
                audience,
                user_id,
                since,
            )
        return [_answered(row) for row in rows]

    async def of_session(
        self, guild_id: GuildId, user_id: UserId, audience: AudienceId, session_id: int, since: datetime
    ) -> list[Answered]:
        """What a member was answered in a session before an audience, newest first."""
        async with self._db.connection() as connection:
            rows = await connection.fetch(
                """
                SELECT * FROM answers
                WHERE guild_id = $1 AND session_id = $2 AND user_id = $3 AND audience = $4 AND at >= $5
                ORDER BY at DESC LIMIT 20
                """,
                guild_id,
                session_id,
                user_id,
                audience,
                since,
            )
        return [_answered(row) for row in rows]

    async def add(self, one: Answered, question_id: int, message_ids: Collection[MessageId], since: datetime) -> None:
        """Keep an answer, with everything it was given and the messages it stands in.

        Nothing is kept where something of these changed `since` the answer was begun, the question itself is not there
        any more, or the talk has other readers now.
        """
        async with self._db.writing(one.guild_id) as connection:
            there = await connection.fetchval(
                """
                SELECT true FROM sessions WHERE guild_id = $1 AND session_id = $2 AND audience = $3 AND EXISTS (
                    SELECT 1 FROM chat_history AS asked
                    WHERE asked.guild_id = $1 AND asked.message_id = $4 AND message_text <> '')
                """,
                one.guild_id,
                one.session_id,
                one.audience,
                question_id,
            )
            left = await remains(
                connection, one.guild_id, one.given, channel_id=None, audience=one.audience, since=since
            )
            if not there or not left.is_whole:
                return
            answer_id = await connection.fetchval(
                """
                INSERT INTO answers (guild_id, session_id, audience, user_id, question, answer, subjects, fingerprint,
                                     is_factual, record, at)
                VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11) RETURNING answer_id
                """,
                one.guild_id,
                one.session_id,
                one.audience,
                one.user_id,
                one.question,
                one.answer,
                list(one.subjects),
                one.fingerprint,
                one.is_factual,
                one.given.as_json(),
                one.at,
            )
            sources = [
                *(node("fact", n) for n in one.given.fact_ids),
                *(node("note", n) for n in one.given.note_ids),
                *(node("conclusion", n) for n in one.given.conclusion_ids),
                *(node("message", n) for n in {*one.given.message_ids, question_id, *message_ids}),
            ]
            await provenance.record(connection, one.guild_id, {node("answer", answer_id): sources})

    async def purge(self, guild_id: GuildId, before: datetime) -> None:
        """Delete answers from before a moment."""
        async with self._db.writing(guild_id) as connection:
            rows = await connection.fetch(
                "SELECT answer_id FROM answers WHERE guild_id = $1 AND at < $2", guild_id, before
            )
            await provenance.delete(connection, guild_id, [node("answer", row["answer_id"]) for row in rows])


def _answered(row: asyncpg.Record) -> Answered:
    return Answered(
        guild_id=row["guild_id"],
        session_id=row["session_id"],
        audience=row["audience"],
        user_id=row["user_id"],
        question=row["question"],
        answer=row["answer"],
        subjects=tuple(row["subjects"]),
        fingerprint=row["fingerprint"],
        is_factual=row["is_factual"],
        given=Given.from_json(row["record"]),
        at=row["at"],
    )
