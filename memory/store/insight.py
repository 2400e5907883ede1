"""Numbers across tables, for members' pages: who is known, what was sent to models, how much is stored."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Sequence
from dataclasses import asdict
from datetime import datetime

from memory.ids import AudienceId, ChannelId, GuildId, MessageId, UserId
from memory.records import (
    FactNumbers,
    GuildNumbers,
    KnownMember,
    LivingProcess,
    MemberText,
    ModelDay,
    SentText,
    TableSize,
)
from memory.rules.ageing import AgeLimits
from memory.store.database import Tables
from memory.store.provenance import node


class InsightStore(Tables):
    """Reads that no other family needs."""

    async def known_members(
        self, guild_id: GuildId, audiences: Collection[AudienceId], *, limit: int, skip: int
    ) -> list[KnownMember]:
        """Members with live facts that an audience may hear, those told of last first."""
        async with self._db.connection() as connection:
            rows = await connection.fetch(
                """
                SELECT user_id, count(*) AS facts, max(created_at) AS newest FROM facts
                WHERE guild_id = $1 AND retired_at IS NULL AND audience = ANY($2)
                GROUP BY user_id ORDER BY newest DESC, user_id LIMIT $3 OFFSET $4
                """,
                guild_id,
                list(audiences),
                limit,
                skip,
            )
        return [KnownMember(user_id=r["user_id"], facts=r["facts"], newest=r["newest"]) for r in rows]

    async def context_and_uses(
        self, guild_id: GuildId, user_id: UserId, audience: AudienceId, fact_ids: Collection[int]
    ) -> tuple[MemberText | None, dict[int, int]]:
        """The newest text about a member that is kept for an audience; and in how many of the answers on record each
        fact was given, without those that confirmed that it is stored."""
        nodes = {node("fact", fact_id): fact_id for fact_id in fact_ids}
        async with self._db.connection() as connection:
            rows = await connection.fetch(
                """
                WITH used AS (
                    SELECT source, count(*) AS times FROM provenance AS p
                    WHERE guild_id = $1 AND source = ANY($4) AND made LIKE 'reply:%' AND NOT EXISTS (
                        SELECT 1 FROM fact_sources AS s WHERE s.guild_id = $1 AND s.fact_id = ANY($5)
                           AND p.source = 'fact:' || s.fact_id AND p.made LIKE 'reply:' || s.message_id || ':%')
                    GROUP BY source),
                last AS (
                    SELECT for_date, context FROM contexts
                    WHERE guild_id = $1 AND user_id = $2 AND audience = $3 AND context <> ''
                    ORDER BY for_date DESC LIMIT 1)
                SELECT source, times, for_date, context FROM used FULL JOIN last ON false
                """,
                guild_id,
                user_id,
                audience,
                list(nodes),
                list(nodes.values()),
            )
        texts = [
            MemberText(level="context", day=row["for_date"], audience=audience, text=row["context"])
            for row in rows
            if row["context"] is not None
        ]
        uses = {nodes[row["source"]]: row["times"] for row in rows if row["source"] is not None}
        return next(iter(texts), None), uses

    async def sent(self, guild_id: GuildId, user_id: UserId, zone: str, since: datetime) -> list[ModelDay]:
        """How many requests since a moment carried a member's words, or what is known of them: by day, model and use;
        and how many of their messages these had."""
        async with self._db.connection() as connection:
            rows = await connection.fetch(
                """
                WITH asked AS (
                    SELECT (at AT TIME ZONE $3)::date AS day, model, use, calls, message_ids FROM model_calls
                    WHERE guild_id = $1 AND user_id = $2 AND at >= $4),
                carried AS (
                    SELECT day, model, use, count(DISTINCT message_id) AS messages
                    FROM asked, unnest(message_ids) AS message_id GROUP BY day, model, use)
                SELECT day, model, use, sum(calls)::integer AS calls, coalesce(max(messages), 0) AS messages
                FROM asked LEFT JOIN carried USING (day, model, use)
                GROUP BY day, model, use ORDER BY day DESC, model, use
                """,
                guild_id,
                user_id,
                zone,
                since,
            )
        return [ModelDay(**dict(row)) for row in rows]

    async def sent_texts(
        self, guild_id: GuildId, user_id: UserId, since: datetime, *, limit: int, skip: int
    ) -> list[SentText]:
        """A member's own messages that models were sent since a moment, newest first."""
        async with self._db.connection() as connection:
            rows = await connection.fetch(
                """
                WITH carried AS (
                    SELECT message_id, model, max(at) AS sent_at
                    FROM model_calls, unnest(message_ids) AS message_id
                    WHERE guild_id = $1 AND user_id = $2 AND at >= $3 GROUP BY message_id, model)
                SELECT m.channel_id, message_id, m.timestamp AS at, m.message_text AS text,
                       array_agg(model ORDER BY model) AS models
                FROM carried JOIN chat_history AS m USING (message_id)
                WHERE m.guild_id = $1 AND m.user_id = $2 AND m.message_text <> ''
                  AND (m.edited_at IS NULL OR m.edited_at <= sent_at)  -- the words of now were not sent before
                GROUP BY m.channel_id, message_id, m.timestamp, m.message_text
                ORDER BY message_id DESC LIMIT $4 OFFSET $5
                """,
                guild_id,
                user_id,
                since,
                limit,
                skip,
            )
        return [SentText(**{**dict(row), "models": tuple(row["models"])}) for row in rows]

    async def answers(
        self,
        guild_id: GuildId,
        audiences: Collection[AudienceId],
        user_id: UserId,
        since: datetime,
        *,
        limit: int,
        skip: int,
    ) -> list[tuple[ChannelId, MessageId, datetime, str, str]]:
        """The bot's last answers to a member: (channel, the answer, when, the question, the answer's words)."""
        async with self._db.connection() as connection:
            rows = await connection.fetch(
                """
                SELECT asked.channel_id, answer.message_id, answer.timestamp, asked.message_text AS question,
                       answer.message_text AS words
                FROM chat_history AS asked
                JOIN replies AS r ON r.guild_id = $1 AND r.trigger_id = asked.message_id AND r.kind = 'answer'
                JOIN chat_history AS answer ON answer.guild_id = $1 AND answer.message_id = r.reply_ids[1]
                WHERE asked.guild_id = $1 AND asked.user_id = $2 AND asked.audience = ANY($3) AND asked.timestamp >= $4
                ORDER BY answer.message_id DESC LIMIT $5 OFFSET $6
                """,
                guild_id,
                user_id,
                list(audiences),
                since,
                limit,
                skip,
            )
        return [(r["channel_id"], r["message_id"], r["timestamp"], r["question"], r["words"]) for r in rows]

    async def answers_with(
        self, guild_id: GuildId, audiences: Collection[AudienceId], fact_id: int, *, limit: int
    ) -> tuple[int, list[tuple[ChannelId, MessageId, datetime, str]]]:
        """How many answers a fact was used for; the last that `audiences` may hear: (channel, the answer, when, the
        question). Without those that confirmed that it is stored."""
        async with self._db.connection() as connection:
            rows = await connection.fetch(
                """
                WITH used AS (
                    SELECT r.reply_ids[1] AS reply_id, r.trigger_id FROM provenance AS p
                    JOIN replies AS r ON r.guild_id = $1 AND p.made = 'reply:' || r.trigger_id || ':' || r.kind
                    WHERE p.guild_id = $1 AND p.source = $3 AND NOT EXISTS (
                        SELECT 1 FROM fact_sources AS s
                        WHERE s.guild_id = $1 AND s.fact_id = $4 AND s.message_id = r.trigger_id))
                SELECT times, shown.* FROM (SELECT count(*) AS times FROM used) AS counted LEFT JOIN LATERAL (
                    SELECT answer.channel_id, answer.message_id, answer.timestamp, asked.message_text AS question
                    FROM used
                    JOIN chat_history AS answer ON answer.guild_id = $1 AND answer.message_id = reply_id
                    JOIN chat_history AS asked ON asked.guild_id = $1 AND asked.message_id = trigger_id
                    WHERE answer.audience = ANY($2) AND asked.audience = ANY($2)
                    ORDER BY answer.message_id DESC LIMIT $5) AS shown ON true
                """,
                guild_id,
                list(audiences),
                node("fact", fact_id),
                fact_id,
                limit,
            )
        shown = [(r["channel_id"], r["message_id"], r["timestamp"], r["question"]) for r in rows if r["message_id"]]
        return rows[0]["times"], shown

    async def teachers(self, guild_id: GuildId, since: datetime) -> list[KnownMember]:
        """Who told live facts about others since a moment, how many, and when the last."""
        async with self._db.connection() as connection:
            rows = await connection.fetch(
                """
                SELECT stated_by AS user_id, count(*) AS facts, max(created_at) AS newest FROM facts
                WHERE guild_id = $1 AND created_at >= $2 AND retired_at IS NULL AND stated_by <> user_id
                  AND stated_by > 0 AND audience >= 0
                GROUP BY stated_by ORDER BY facts DESC, stated_by LIMIT 100
                """,
                guild_id,
                since,
            )
        return [KnownMember(user_id=r["user_id"], facts=r["facts"], newest=r["newest"]) for r in rows]

    async def activity(self, guild_id: GuildId, spans: Sequence[tuple[datetime, datetime]]) -> list[int]:
        """How many messages a guild has of each span. Only an index is read: a busy guild has a million."""
        async with self._db.connection() as connection:
            rows = await connection.fetch(
                """
                SELECT (SELECT count(*) FROM chat_history
                        WHERE guild_id = $1 AND timestamp >= since AND timestamp < until) AS messages
                FROM unnest($2::timestamptz[], $3::timestamptz[]) WITH ORDINALITY AS span (since, until, n) ORDER BY n
                """,
                guild_id,
                [since for since, _ in spans],
                [until for _, until in spans],
            )
        return [row["messages"] for row in rows]

    async def spending(self, guild_id: GuildId, since: datetime) -> tuple[list[ModelDay], dict[str, int]]:
        """A guild's requests to models since a moment: by day and model, and by what they were for; of all guilds
        for 0."""
        async with self._db.connection() as connection:
            rows = await connection.fetch(
                """
                SELECT starts_at::date AS day, model, requests, tokens_in + tokens_out AS tokens,
                       substring(model FROM ' \\((\\w+)\\)$') AS use
                FROM ai_usage WHERE guild_id = $1 AND span = 'day' AND starts_at >= $2 ORDER BY starts_at, model
                """,
                guild_id,
                since,
            )
        uses = Counter[str]()
        for row in rows:
            uses.update({row["use"]: row["requests"]} if row["use"] else {})
        days = [
            ModelDay(day=r["day"], model=r["model"], calls=r["requests"], tokens=r["tokens"])
            for r in rows
            if not r["use"]
        ]
        return days, dict(uses.most_common())

    async def fact_numbers(self, guild_id: GuildId, limits: AgeLimits) -> FactNumbers:
        """How many facts a guild has, and how they stand."""
        async with self._db.connection() as connection:
            row = await connection.fetchrow(
                """
                WITH live AS (
                    SELECT user_id, confidence <> 'high' AND last_confirmed_at < $2 AS faded,
                           confidence <> 'high' AND (last_confirmed_at < $3
                               OR (confidence = 'low' AND last_confirmed_at < $4)) AS stale
                    FROM facts WHERE guild_id = $1 AND retired_at IS NULL)
                SELECT count(*) AS facts, count(*) FILTER (WHERE faded AND NOT stale) AS faded,
                       count(*) FILTER (WHERE stale) AS stale, count(DISTINCT user_id) AS members FROM live
                """,
                guild_id,
                limits.faded,
                limits.stale,
                limits.low_stale,
            )
        assert row is not None
        return FactNumbers(**dict(row))

    async def numbers(self, guild_id: GuildId, facts: FactNumbers) -> GuildNumbers:
        """How much is stored about a guild beside its facts, and how many of its members chose what."""
        async with self._db.connection() as connection:
            row = await connection.fetchrow(
                """
                SELECT (SELECT count(*) FROM notes WHERE guild_id = $1) AS notes,
                       (SELECT count(*) FROM chat_history WHERE guild_id = $1) AS messages,
                       (SELECT count(*) FROM topics WHERE guild_id = $1) AS topics,
                       count(*) FILTER (WHERE consent = 'explicit') AS facts_only,
                       count(*) FILTER (WHERE consent = 'off') AS nothing,
                       count(*) FILTER (WHERE ignored) AS ignored
                FROM consents WHERE guild_id = $1
                   OR (guild_id = 0 AND user_id IN (SELECT user_id FROM members WHERE members.guild_id = $1))
                """,
                guild_id,
            )
        assert row is not None
        return GuildNumbers(**asdict(facts), **dict(row))

    async def processes(self) -> list[LivingProcess]:
        """The bot's processes with their shards and what waits for them, the oldest first."""
        async with self._db.connection() as connection:
            rows = await connection.fetch(
                """
                SELECT process_id, started_at, alive_at,
                       ARRAY(SELECT shard_id FROM shards WHERE shards.guild_id = 0
                             AND shards.process_id = own.process_id ORDER BY shard_id) AS shards,
                       (SELECT count(*) FROM inbox
                        WHERE worker = own.process_id AND state IN ('waiting', 'executed')) AS waiting
                FROM processes AS own WHERE guild_id = 0 ORDER BY started_at, process_id
                """
            )
        return [LivingProcess(**{**dict(row), "shards": tuple(row["shards"])}) for row in rows]

    async def table_sizes(self) -> list[TableSize]:
        """How large each table is, the largest first."""
        async with self._db.connection() as connection:
            rows = await connection.fetch(
                """
                SELECT relname AS name, pg_total_relation_size(oid) AS bytes, greatest(reltuples, 0)::bigint AS rows
                FROM pg_class WHERE relkind IN ('r', 'p') AND relnamespace = current_schema()::regnamespace
                ORDER BY bytes DESC, name
                """
            )
        return [TableSize(name=r["name"], bytes=r["bytes"], rows=r["rows"]) for r in rows]
