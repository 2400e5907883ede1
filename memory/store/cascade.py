"""What goes with what: every row that was made from a message or a fact goes in the transaction that removes it.

One rule for each table, in `RULES`; a table without one fails the tests. A day's summaries were made
from all its messages, whatever a model named as its evidence: where one of them goes, all of them go,
and what was made from them, and the day is made again at its next use.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Sequence
from datetime import UTC, date, datetime
from typing import Any
from zoneinfo import ZoneInfo

import asyncpg

from memory.days import day_of, zone
from memory.marks import is_exact
from memory.store.consents import not_kept
from memory.store.database import ERASED, Connection, lock_guild, notify

RULES = {
    "chat_history": "the messages themselves; of the bot's own replies, the words of those that were given what goes",
    "facts": "those whose only tellings were these messages",
    "fact_sources": "the tellings by these messages",
    "user_facts": "of the members whose facts go",
    "daily_runs": "of the days of these messages, where they were read: to be made again",
    "daily_summaries": "all of these days",
    "historical_summaries": "of the members whose daily summaries go, over these days",
    "contexts": "of the members whose facts or daily summaries go",
    "replies": "hold numbers alone: which facts and messages a reply was given",
    "suppressions": "hold digests alone",
    "consents": "hold a member's choice, and digests of the names of who is not to be written about",
    "audit": "holds numbers alone; what it keeps sealed for Undo goes with the messages it came from",
    "members": "names of members; aliases go with the facts that gave them",
    "audiences": "numbers alone: what may be heard where",
    "channel_settings": "names of channels; go with the channel",
    "channel_cursors": "numbers alone; go with the channel",
    "guild_settings": "a guild's own choices; go with the guild",
    "ai_usage": "counts alone",
    "bot_state": "of the bot itself; and that a guild was erased, until the bot joins it again",
}
"""What each table does when messages go."""

GUILD_TABLES = tuple(table for table in RULES if table != "bot_state")


async def edited(
    connection: Connection, guild_id: int, changed: Sequence[asyncpg.Record], words: Mapping[int, str]
) -> Counter[str]:
    """Drop what was made from the earlier words of messages (message_id, user_id, timestamp, audience).

    `words` are the new ones by message, also of messages that are not stored themselves. A telling whose
    quote is still among the words stays.
    """
    await lock_guild(connection, guild_id)
    lost = await connection.fetch(
        r"""
        DELETE FROM fact_sources USING unnest($2::bigint[], $3::text[]) AS now (message_id, words)
        WHERE guild_id = $1 AND ((fact_sources.message_id = now.message_id
                                  AND position(regexp_replace(said, '\s+', ' ', 'g') IN words) = 0)
                                 OR (leans_on <> '{}' AND leans_on @> ARRAY[now.message_id]))
        RETURNING fact_id
        """,
        guild_id,
        list(words),
        [" ".join(text.split()) for text in words.values()],
    )
    await _unseal(connection, guild_id, messages=list(words))
    return await _follow(connection, guild_id, changed, {row["fact_id"] for row in lost}, list(words))


async def removed(
    connection: Connection, guild_id: int, gone: Sequence[asyncpg.Record], tellings: Collection[int] = ()
) -> Counter[str]:
    """Drop what was made from messages that are gone (message_id, user_id, timestamp, audience).

    `tellings` are the ids of more tellings that go, such as those by slash commands. Returns how
    many rows went, by table.
    """
    ids = {row["message_id"] for row in gone} | set(tellings)
    if not ids:
        return Counter()
    await lock_guild(connection, guild_id)
    lost = await connection.fetch(
        """
        DELETE FROM fact_sources
        WHERE guild_id = $1 AND (message_id = ANY($2) OR (leans_on <> '{}' AND leans_on && $2)) RETURNING fact_id
        """,
        guild_id,
        list(ids),
    )
    await _unseal(connection, guild_id, messages=ids)
    counts = await _follow(connection, guild_id, gone, {row["fact_id"] for row in lost}, ids)
    counts += await _purged(connection, guild_id, ids - {row["message_id"] for row in gone})
    counts["fact_sources"] += len(lost)
    return counts


async def _purged(connection: Connection, guild_id: int, ids: Collection[int]) -> Counter[str]:
    """Drop the summaries of days whose messages were purged by age before one of them was deleted.

    Nobody knows any more where it was written, so it is the day in every audience.
    """
    oldest = await connection.fetchval("SELECT min(message_id) FROM chat_history WHERE guild_id = $1", guild_id)
    old = [n for n in ids if n > 0 and (oldest is None or n < oldest)]
    if not old:
        return Counter()
    tz = await _zone(connection, guild_id)
    rows = await connection.fetch(
        """
        SELECT first AS message_id, for_date, audience FROM daily_runs
        JOIN unnest($2::date[], $3::bigint[]) AS gone (day, first) ON for_date = day AND through_id >= first
        WHERE guild_id = $1
        """,
        guild_id,
        [day_of(_written(n), tz) for n in old],
        old,
    )
    changed = [
        {"message_id": row["message_id"], "timestamp": _written(row["message_id"]), "audience": row["audience"]}
        for row in rows
    ]
    return await _days(connection, guild_id, changed)


def _written(message_id: int) -> datetime:
    """When a message was written: Discord's ids count milliseconds since 2015."""
    return datetime.fromtimestamp(((message_id >> 22) + 1_420_070_400_000) / 1000, UTC)


async def _unseal(
    connection: Connection, guild_id: int, *, messages: Collection[int] = (), of: Collection[int] = ()
) -> None:
    """Let go of what is held for Undo of these messages, members or channels: it must not come back."""
    await connection.execute(
        """
        UPDATE audit SET held = NULL, undo_until = NULL
        WHERE guild_id = $1 AND held IS NOT NULL AND (holds && $2 OR holds_of && $3)
        """,
        guild_id,
        list(messages),
        list(of),
    )


async def facts_removed(connection: Connection, guild_id: int, fact_ids: Collection[int]) -> Counter[str]:
    """Remove facts, and every text that was made from their members' facts."""
    counts: Counter[str] = Counter()
    if not fact_ids:
        return counts
    await lock_guild(connection, guild_id)
    ids = list(fact_ids)
    gone = await connection.fetch(
        "DELETE FROM facts WHERE guild_id = $1 AND fact_id = ANY($2) RETURNING user_id", guild_id, ids
    )
    counts["facts"] += len(gone)
    counts["fact_sources"] += _n(
        await connection.execute("DELETE FROM fact_sources WHERE guild_id = $1 AND fact_id = ANY($2)", guild_id, ids)
    )
    await connection.execute(
        "UPDATE facts SET superseded_by = NULL WHERE guild_id = $1 AND superseded_by = ANY($2)", guild_id, ids
    )
    counts += await facts_changed(connection, guild_id, {row["user_id"] for row in gone})
    counts += await _replies(connection, guild_id, (), ids)
    return counts


async def tellings_removed(
    connection: Connection, guild_id: int, fact_ids: Collection[int], teller: int
) -> Counter[str]:
    """Take back what one person told of facts; those that others told too stand on their word."""
    await lock_guild(connection, guild_id)
    done = await connection.execute(
        "DELETE FROM fact_sources WHERE guild_id = $1 AND fact_id = ANY($2) AND stated_by = $3",
        guild_id,
        list(fact_ids),
        teller,
    )
    counts = await _facts(connection, guild_id, fact_ids)
    counts["fact_sources"] += _n(done)
    return counts


async def with_threads(connection: Connection, guild_id: int, channel_ids: Collection[int]) -> list[int]:
    """Channels and the threads under them."""
    rows = await connection.fetch(
        "SELECT channel_id FROM channel_settings WHERE guild_id = $1 AND parent_id = ANY($2)",
        guild_id,
        list(channel_ids),
    )
    return list({*(row["channel_id"] for row in rows), *channel_ids})


async def facts_changed(connection: Connection, guild_id: int, user_ids: Collection[int]) -> Counter[str]:
    """Drop the texts made from members' facts, and the aliases that no fact gives any more."""
    counts: Counter[str] = Counter()
    if user_ids:
        for table in ("user_facts", "contexts"):
            counts[table] += _n(
                await connection.execute(
                    f"DELETE FROM {table} WHERE guild_id = $1 AND user_id = ANY($2)", guild_id, list(user_ids)
                )
            )
        await prune_aliases(connection, guild_id, user_ids)
        await notify(connection, guild_id)
    return counts


async def prune_aliases(connection: Connection, guild_id: int, user_ids: Collection[int] | None = None) -> None:
    """Keep only the aliases that a live fact open to everyone still gives."""
    await connection.execute(
        """
        UPDATE members SET aliases = ARRAY(
            SELECT alias FROM unnest(aliases) AS alias
            WHERE EXISTS (SELECT 1 FROM facts
                          WHERE facts.guild_id = $1 AND facts.user_id = members.user_id AND retired_at IS NULL
                            AND audience = 0 AND position(lower(alias) IN lower(value)) > 0))
        WHERE guild_id = $1 AND aliases <> '{}' AND ($2::bigint[] IS NULL OR user_id = ANY($2))
        """,
        guild_id,
        None if user_ids is None else list(user_ids),
    )


async def _follow(
    connection: Connection,
    guild_id: int,
    changed: Sequence[asyncpg.Record],
    told_less: Collection[int],
    ids: Collection[int] | None = None,
) -> Counter[str]:
    """The rest of what goes: facts told no more, summaries of the days, the bot's own replies."""
    counts = await _facts(connection, guild_id, told_less)
    counts += await _days(connection, guild_id, changed)
    gone = [row["message_id"] for row in changed] if ids is None else list(ids)
    counts += await _replies(connection, guild_id, gone, ())
    await notify(connection, guild_id)
    return counts


async def _facts(connection: Connection, guild_id: int, told_less: Collection[int]) -> Counter[str]:
    """Facts without a telling go; of the others, the oldest telling that is left becomes the source."""
    if not told_less:
        return Counter()
    left = await connection.fetch(
        """
        SELECT DISTINCT ON (fact_id) fact_id, message_id, channel_id, stated_by, quote, audience, told.value,
               EXISTS (SELECT 1 FROM facts AS same
                       WHERE same.guild_id = $1 AND same.fact_id <> told.fact_id AND same.retired_at IS NULL
                         AND (same.user_id, same.key) = (SELECT user_id, key FROM facts AS its
                                                         WHERE its.guild_id = $1 AND its.fact_id = told.fact_id)
                         AND same.value = told.value AND same.audience = told.audience) AS known
        FROM fact_sources AS told
        WHERE guild_id = $1 AND fact_id = ANY($2) ORDER BY fact_id, at, message_id
        """,
        guild_id,
        list(told_less),
    )
    stay = {row["fact_id"] for row in left if not row["known"]}
    counts = await facts_removed(connection, guild_id, set(told_less) - stay)
    if stay:
        moved = await connection.fetch(
            """
            UPDATE facts SET message_id = told.message_id, channel_id = told.channel_id, stated_by = told.stated_by,
                             quote = told.quote, audience = told.audience, value = told.value
            FROM (SELECT DISTINCT ON (fact_id) * FROM fact_sources
                  WHERE guild_id = $1 AND fact_id = ANY($2) ORDER BY fact_id, at, message_id) AS told
            WHERE facts.guild_id = $1 AND facts.fact_id = told.fact_id RETURNING facts.user_id
            """,
            guild_id,
            list(stay),
        )
        counts += await facts_changed(connection, guild_id, {row["user_id"] for row in moved})
    return counts


async def _days(
    connection: Connection, guild_id: int, changed: Sequence[asyncpg.Record | Mapping[str, Any]]
) -> Counter[str]:
    """All summaries of the days whose runs read one of `changed`, and what was made from them."""
    if not changed:
        return Counter()
    tz = await _zone(connection, guild_id)
    first: dict[tuple[date, int], int] = {}
    for row in changed:
        key = (day_of(row["timestamp"], tz), row["audience"])
        first[key] = min(first.get(key, row["message_id"]), row["message_id"])
    rows = await connection.fetch(
        """
        WITH days AS (
            UPDATE daily_runs AS r SET made_from = '', through_digest = ''
            FROM unnest($2::date[], $3::bigint[], $4::bigint[]) AS changed (day, heard, first)
            WHERE r.guild_id = $1 AND r.for_date = day AND r.audience = heard AND r.through_id >= first
            RETURNING r.for_date, r.audience),
        daily AS (
            DELETE FROM daily_summaries AS d USING days
            WHERE d.guild_id = $1 AND d.for_date = days.for_date AND d.audience = days.audience
            RETURNING d.user_id, d.for_date, d.audience),
        historical AS (
            DELETE FROM historical_summaries AS h USING daily
            WHERE h.guild_id = $1 AND h.user_id = daily.user_id AND h.audience = daily.audience
              AND h.end_date BETWEEN daily.for_date AND daily.for_date + 6
            RETURNING 1),
        made AS (
            DELETE FROM contexts AS c USING (SELECT DISTINCT user_id, audience FROM daily) AS whose
            WHERE c.guild_id = $1 AND c.user_id = whose.user_id
              AND (whose.audience = 0 OR c.audience = whose.audience OR EXISTS (
                  SELECT 1 FROM audiences
                  WHERE guild_id = $1 AND audience = c.audience AND hears @> ARRAY[whose.audience]))
            RETURNING 1)
        SELECT 'daily_summaries' AS place, count(*) AS count, NULL::date AS day, NULL::bigint AS heard FROM daily
        UNION ALL SELECT 'historical_summaries', count(*), NULL, NULL FROM historical
        UNION ALL SELECT 'contexts', count(*), NULL, NULL FROM made
        UNION ALL SELECT 'days', 1, for_date, audience FROM days
        """,
        guild_id,
        [day for day, _ in first],
        [heard for _, heard in first],
        list(first.values()),
    )
    days = [day_mark(row["day"], row["heard"]) for row in rows if row["place"] == "days"]
    counts = await _replies(connection, guild_id, (), (), days)
    return counts + Counter({row["place"]: row["count"] for row in rows if row["place"] != "days"})


def day_mark(day: date, audience: int) -> str:
    """How a reply notes that it was given a day's summaries."""
    return f"{day} {audience}"


async def _zone(connection: Connection, guild_id: int) -> ZoneInfo:
    """The zone that a guild's days follow."""
    name = await connection.fetchval(
        """
        SELECT coalesce((SELECT time_zone FROM guild_settings WHERE guild_id = $1),
                        (SELECT value FROM bot_state WHERE bot_state.guild_id = 0 AND name = 'time_zone'), 'UTC')
        """,
        guild_id,
    )
    return zone(name)


async def _replies(
    connection: Connection,
    guild_id: int,
    message_ids: Collection[int],
    fact_ids: Collection[int],
    days: Collection[str] = (),
) -> Counter[str]:
    """Take the words from the bot's own replies that were given any of this, and from those that were given these."""
    done = await connection.execute(
        """
        WITH RECURSIVE told (id) AS (
            SELECT unnest(reply_ids) FROM replies WHERE guild_id = $1 AND (messages && $2 OR facts && $3 OR days && $4)
            UNION
            SELECT unnest(later.reply_ids) FROM told JOIN replies AS later ON later.messages @> ARRAY[told.id]
            WHERE later.guild_id = $1)
        UPDATE chat_history SET message_text = ''
        WHERE guild_id = $1 AND message_id IN (SELECT id FROM told) AND author_kind = 'self' AND message_text <> ''
        """,
        guild_id,
        list(message_ids),
        list(fact_ids),
        list(days),
    )
    return Counter({"chat_history": _n(done)})


async def channel_removed(connection: Connection, guild_id: int, channel_ids: Collection[int]) -> Counter[str]:
    """Remove what was written and told in channels and in the threads under them."""
    await lock_guild(connection, guild_id)
    places = await with_threads(connection, guild_id, channel_ids)
    told = await connection.fetch(
        "SELECT message_id FROM fact_sources WHERE guild_id = $1 AND channel_id = ANY($2)", guild_id, places
    )
    gone = await connection.fetch(
        """
        DELETE FROM chat_history WHERE guild_id = $1 AND channel_id = ANY($2)
        RETURNING message_id, user_id, timestamp, audience
        """,
        guild_id,
        places,
    )
    counts = await removed(connection, guild_id, gone, [row["message_id"] for row in told])
    await _unseal(connection, guild_id, of=places)
    # Of an audience without any other channel nothing stays; of the others, what their other channels showed.
    alone = await connection.fetch(
        """
        SELECT DISTINCT audience FROM channel_settings AS gone
        WHERE guild_id = $1 AND channel_id = ANY($2) AND audience <> 0 AND NOT EXISTS (
            SELECT 1 FROM channel_settings AS other
            WHERE other.guild_id = $1 AND other.audience = gone.audience AND NOT other.channel_id = ANY($2))
        """,
        guild_id,
        places,
    )
    for table in ("daily_summaries", "daily_runs", "historical_summaries", "contexts", "user_facts"):
        counts[table] += _n(
            await connection.execute(
                f"DELETE FROM {table} WHERE guild_id = $1 AND audience = ANY($2)",
                guild_id,
                [*places, *(row["audience"] for row in alone)],
            )
        )
    counts["chat_history"] += len(gone)
    await notify(connection, guild_id)
    return counts


async def member_removed(
    connection: Connection, guild_id: int, user_id: int, names: Iterable[str], *, facts_too: bool = True
) -> Counter[str]:
    """Remove a member: what they wrote and told, every text about them, and texts of others that name them.

    Without `facts_too`, what was told about them as a fact stays, and so do their tellings.
    """
    await lock_guild(connection, guild_id)
    gone = await connection.fetch(
        """
        DELETE FROM chat_history WHERE guild_id = $1 AND user_id = $2
        RETURNING message_id, user_id, timestamp, audience
        """,
        guild_id,
        user_id,
    )
    await _unseal(connection, guild_id, of=[user_id])
    if facts_too:
        counts = await removed(connection, guild_id, gone)
        told = await connection.fetch(
            "DELETE FROM fact_sources WHERE guild_id = $1 AND stated_by = $2 RETURNING fact_id", guild_id, user_id
        )
        counts["fact_sources"] += len(told)
        counts += await _facts(connection, guild_id, {row["fact_id"] for row in told})
        about = await connection.fetch(
            "SELECT fact_id FROM facts WHERE guild_id = $1 AND user_id = $2", guild_id, user_id
        )
        counts += await facts_removed(connection, guild_id, [row["fact_id"] for row in about])
        counts["user_facts"] += _n(
            await connection.execute("DELETE FROM user_facts WHERE guild_id = $1 AND user_id = $2", guild_id, user_id)
        )
        counts["members"] += _n(
            await connection.execute("DELETE FROM members WHERE guild_id = $1 AND user_id = $2", guild_id, user_id)
        )
        await connection.execute(
            """
            DELETE FROM audit WHERE guild_id = $1 AND NOT administrative
              AND (user_id = $2 OR (user_id IS NULL AND actor_id = $2))
            """,
            guild_id,
            user_id,
        )
    else:
        counts = await _days(connection, guild_id, gone)
        counts += await _replies(connection, guild_id, [row["message_id"] for row in gone], ())
    counts["chat_history"] += len(gone)
    patterns, exact = naming(names)
    for table, text in (
        ("daily_summaries", "summary"),
        ("historical_summaries", "summary"),
        ("contexts", "context"),
    ):
        counts[table] += _n(
            await connection.execute(
                f"DELETE FROM {table} WHERE guild_id = $1 AND (user_id = $2 OR {text} ~* ANY($3) OR {text} ~ ANY($4))",
                guild_id,
                user_id,
                patterns,
                exact,
            )
        )
    await connection.execute(
        "UPDATE replies SET given = given - $2 WHERE guild_id = $1 AND given ? $2", guild_id, str(user_id)
    )
    await notify(connection, guild_id)
    return counts


async def guild_removed(connection: Connection, guild_id: int) -> Counter[str]:
    """Remove everything of a guild, and note that nothing is to be written of it."""
    await lock_guild(connection, guild_id, erased=True)
    counts: Counter[str] = Counter()
    for table in GUILD_TABLES:
        counts[table] += _n(await connection.execute(f"DELETE FROM {table} WHERE guild_id = $1", guild_id))
    await connection.execute(
        "INSERT INTO bot_state (guild_id, name, value) VALUES ($1, $2, '') ON CONFLICT DO NOTHING", guild_id, ERASED
    )
    await notify(connection, guild_id)
    return counts


async def sealed(
    connection: Connection, guild_id: int, fact_ids: Collection[int], message_ids: Collection[int]
) -> dict[str, Any]:
    """Rows as they are before they go, for Undo; what goes with the messages too."""
    held: dict[str, Any] = {}
    told = await connection.fetch(
        """
        SELECT DISTINCT fact_id FROM fact_sources
        WHERE guild_id = $1 AND (message_id = ANY($2) OR (leans_on <> '{}' AND leans_on && $2))
        """,
        guild_id,
        list(message_ids),
    )
    facts = {*fact_ids, *(row["fact_id"] for row in told)}
    for table, column, ids in (
        ("facts", "fact_id", facts),
        ("fact_sources", "fact_id", facts),
        ("chat_history", "message_id", message_ids),
    ):
        rows = await connection.fetch(
            f"SELECT to_jsonb({table}) AS row FROM {table} WHERE guild_id = $1 AND {column} = ANY($2)",
            guild_id,
            list(ids),
        )
        held[table] = [row["row"] for row in rows]
    return held


async def put_back(connection: Connection, guild_id: int, held: dict[str, Any]) -> None:
    """Store rows again as they were, as far as members and channels let them be kept now.

    A row that is there, or whose like is live, stays as it is.
    """
    await lock_guild(connection, guild_id)
    rule = await not_kept(connection, guild_id)
    held = {
        "daily_summaries": [row for row in held.get("daily_summaries", []) if row["user_id"] not in rule.silent],
        "facts": [row for row in held.get("facts", []) if not {row["user_id"], row["stated_by"]} & rule.off],
        "fact_sources": [row for row in held.get("fact_sources", []) if row["stated_by"] not in rule.off],
        "chat_history": [
            row
            for row in held.get("chat_history", [])
            if row["user_id"] not in rule.silent and row["channel_id"] not in rule.channels
        ],
    }
    await connection.execute(
        """
        INSERT INTO facts (guild_id, fact_id, user_id, key, value, domain, confidence, source, stated_by, channel_id,
                           message_id, quote, audience, created_at, last_confirmed_at, retired_at, retired_because,
                           superseded_by)
        OVERRIDING SYSTEM VALUE
        SELECT $1, fact_id, user_id, key, value, domain, confidence, source, stated_by, channel_id, message_id, quote,
               CASE WHEN audience < 0 THEN audience ELSE coalesce(place.heard, audience) END,
               created_at, last_confirmed_at, retired_at, retired_because, superseded_by
        FROM jsonb_populate_recordset(NULL::facts, $2) AS was
        LEFT JOIN LATERAL (SELECT audience AS heard FROM channel_settings AS c
                           WHERE c.guild_id = $1 AND c.channel_id = was.channel_id) AS place ON true
        ON CONFLICT DO NOTHING
        """,
        guild_id,
        held.get("facts", []),
    )
    await connection.execute(
        """
        INSERT INTO fact_sources (guild_id, fact_id, message_id, channel_id, stated_by, quote, said, value, audience,
                                  leans_on, at)
        SELECT $1, fact_id, message_id, channel_id, stated_by, quote, said, value,
               CASE WHEN audience < 0 THEN audience ELSE coalesce(place.heard, audience) END, leans_on, at
        FROM jsonb_populate_recordset(NULL::fact_sources, $2) AS was
        LEFT JOIN LATERAL (SELECT audience AS heard FROM channel_settings AS c
                           WHERE c.guild_id = $1 AND c.channel_id = was.channel_id) AS place ON true
        WHERE EXISTS (SELECT 1 FROM facts WHERE facts.guild_id = $1 AND facts.fact_id = was.fact_id)
        ON CONFLICT DO NOTHING
        """,
        guild_id,
        held.get("fact_sources", []),
    )
    back = await connection.fetch(
        """
        INSERT INTO chat_history (guild_id, message_id, channel_id, user_id, message_text, timestamp, reply_to_id,
                                  edited_at, audience, author_kind, off_record, secret_spans)
        SELECT $1, message_id, channel_id, user_id, message_text, timestamp, reply_to_id, edited_at,
               coalesce(place.heard, audience), author_kind, off_record, secret_spans
        FROM jsonb_populate_recordset(NULL::chat_history, $2) AS was
        LEFT JOIN LATERAL (SELECT audience AS heard FROM channel_settings AS c
                           WHERE c.guild_id = $1 AND c.channel_id = was.channel_id) AS place ON true
        ON CONFLICT DO NOTHING
        RETURNING message_id, user_id, timestamp, audience
        """,
        guild_id,
        held.get("chat_history", []),
    )
    await connection.execute(
        """
        INSERT INTO daily_summaries (guild_id, for_date, audience, user_id, summary, evidence)
        SELECT $1, for_date, audience, user_id, summary, evidence
        FROM jsonb_populate_recordset(NULL::daily_summaries, $2) ON CONFLICT DO NOTHING
        """,
        guild_id,
        held["daily_summaries"],
    )
    await _days(connection, guild_id, back)
    await facts_changed(connection, guild_id, {row["user_id"] for row in held.get("facts", [])})
    await notify(connection, guild_id)


def naming(names: Iterable[str]) -> tuple[list[str], list[str]]:
    """Regular expressions of PostgreSQL for texts that name somebody, whatever the case, and as it is written."""
    insensitive: list[str] = []
    exact: list[str] = []
    for name in names:
        if len(name.strip()) < 2 or not re.search(r"\w", name):
            continue
        pattern = _regex(name)
        if re.search(r"[\u0400-\u04ff]{4,}$", name.strip()):
            pattern = pattern[:-1] + r"\w{0,3}"  # Russian names are declined
        if not re.search(r"[\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af]", name):
            pattern = rf"(^|\W){pattern}(\W|$)"
        (exact if is_exact(name) else insensitive).append(pattern)
    return insensitive, exact


def _regex(name: str) -> str:
    return "".join(c if c.isalnum() or c.isspace() else f"\\{c}" for c in name.strip())


def _n(status: str) -> int:
    """How many rows a command tag tells of."""
    return int(status.split()[-1])
