"""What goes with what: everything that was made from a message or a fact goes in the transaction that removes it.

What was made from what is in `provenance`, and what each table does is in the catalogue. Two rules are more than
edges: a fact stays as long as one of its sources does, and a note names the messages it cites itself. What else the
messages of a deleted note show is read again, with the next reading.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import AsyncIterator, Collection, Iterable, Mapping, Sequence
from typing import Any

import asyncpg

from memory.ids import AudienceId, ChannelId, GuildId, MessageId, UserId
from memory.rules.suppression import is_exact
from memory.rules.text import mentioned
from memory.store import blobs, provenance
from memory.store.catalogue import TABLES, of_node, tables
from memory.store.consents import policy
from memory.store.database import ERASED, Connection, Tolerant, lock_guild, notify
from memory.store.provenance import Node, node

PEOPLE = "author_kind = 'member' AND NOT off_record AND message_text <> ''"
"""What a slice may be made from: people's words, none of them an order to the bot."""

WAS_READ = """coalesce(m.message_id <= (
    SELECT through_id FROM slices
    WHERE slices.guild_id = m.guild_id AND slices.audience = m.audience AND from_id <= m.message_id
    ORDER BY from_id DESC LIMIT 1), false)"""
"""Whether a message `m` lies in a slice: a model read it, or what was said around it before it came.

The ranges of slices do not overlap, so that the last one to begin before it tells.
"""

INDEXED_IDS = 100
"""Messages whose notes are found by the index of evidence at once. For more, PostgreSQL looks at all notes."""

PIECE = 2_000
"""Messages whose ids the process handles in one go, which takes it some milliseconds."""

SILENCED = "silenced"
"""The source, in `provenance`, of a message of the bot's that was silenced before it was stored."""

SEALED = "gAAAA"
"""What encrypted words of turns and segments begin with (Fernet, version 128)."""

GUILD_TABLES = tuple(table.name for table in TABLES if table.name != "bot_state")


async def edited(
    connection: Connection, guild_id: GuildId, changed: Sequence[asyncpg.Record], texts: Mapping[MessageId, str]
) -> Counter[str]:
    """Drop what was made from the earlier words of messages (message_id); the new ones are read again.

    `texts` are the new ones by message, also of messages that are not stored themselves. A source whose quote is
    still in the text stays.
    """
    rows = await connection.fetch(
        r"""
        SELECT fact_id, fact_sources.message_id, stated_by
        FROM fact_sources JOIN unnest($2::bigint[], $3::text[]) AS now (message_id, words) USING (message_id)
        WHERE guild_id = $1 AND position(regexp_replace(raw_text, '\s+', ' ', 'g') IN words) > 0
        """,
        guild_id,
        list(texts),
        [" ".join(text.split()) for text in texts.values()],
    )
    kept = [node("source", row["fact_id"], row["message_id"], row["stated_by"]) for row in rows]
    await _delete_sealed(connection, guild_id, messages=list(texts))
    await read_again(connection, guild_id, [row["message_id"] for row in changed])
    return await _drop(connection, guild_id, [node("message", n) for n in texts], kept)


async def words_removed(connection: Connection, guild_id: GuildId, message_ids: Collection[MessageId]) -> list[str]:
    """Remove messages and what was made from them as far as possible, where a defect keeps them from going at once.

    Returns the tables of the statements that the database refused: words may be left in them.
    """
    through = Tolerant(connection)
    sources = await through.fetch(
        "SELECT fact_id, message_id, stated_by FROM fact_sources WHERE guild_id = $1 AND message_id = ANY($2)",
        guild_id,
        list(message_ids),
    )
    others = [node("source", *row) for row in sources]
    await forgotten(through.connection, guild_id, messages=message_ids, others=others)
    return list(dict.fromkeys(through.refused))


async def arrived(connection: Connection, messages: Sequence[asyncpg.Record]) -> None:
    """Mark new messages (guild_id, message_id, audience) that came late, to be read: the talk around them was read."""
    late = await connection.fetch(
        f"""
        SELECT m.guild_id, m.message_id FROM unnest($1::bigint[], $2::bigint[], $3::bigint[])
            AS m (guild_id, message_id, audience)
        WHERE m.guild_id = ANY($1) AND {WAS_READ}
        """,
        [row["guild_id"] for row in messages],
        [row["message_id"] for row in messages],
        [row["audience"] for row in messages],
    )
    by_guild: dict[GuildId, list[MessageId]] = {}
    for row in late:
        by_guild.setdefault(row["guild_id"], []).append(row["message_id"])
    for guild_id, message_ids in by_guild.items():
        await read_again(connection, guild_id, message_ids)
        await notify(connection, guild_id)


async def drop_notes(connection: Connection, guild_id: GuildId, notes: Collection[int]) -> Counter[str]:
    """Drop notes and what was made from them; what else they cite is read again."""
    if not notes:
        return Counter()
    await _read_evidence_again(connection, guild_id, notes)
    return await _drop(connection, guild_id, [node("note", n) for n in notes])


CITING = "SELECT note_id FROM notes WHERE guild_id = $1 AND evidence && $2"
CITING_MANY = """
SELECT note_id FROM (SELECT note_id, unnest(evidence) AS id FROM notes WHERE guild_id = $1 OFFSET 0) AS cited
JOIN unnest($2::bigint[]) AS given (id) USING (id)
"""
"""The same for thousands of messages: one look at all notes, instead of one by the index for each message."""

RESTING_ON = f"""
{CITING}
UNION SELECT split_part(made, ':', 2)::bigint FROM unnest($3::text[]) AS given (source)
JOIN provenance USING (source) WHERE guild_id = $1 AND made LIKE 'note:%'
"""
"""The notes that cite the messages `$2`, or have words of them, as the nodes `$3`."""


async def resting_on(connection: Connection, guild_id: GuildId, message_ids: Collection[MessageId]) -> list[int]:
    """Find the notes that cite messages, or have words of them."""
    ids, notes = list(message_ids), set[int]()
    found, size = (
        (RESTING_ON, INDEXED_IDS) if len(ids) <= PIECE else (RESTING_ON.replace(CITING, CITING_MANY), len(ids))
    )
    for start in range(0, len(ids), size):
        part = ids[start : start + size]
        rows = await connection.fetch(found, guild_id, part, [node("message", n) for n in part])
        notes |= {row["note_id"] for row in rows}
    return sorted(notes)


async def _reached(
    connection: Connection, guild_id: GuildId, sources: Collection[Node], kept: Collection[Node] = ()
) -> set[Node]:
    """Find everything made from `sources`, and these. A note is made from the messages that it cites."""
    cited = await resting_on(connection, guild_id, provenance.message_ids(sources))
    return await provenance.reached_from(connection, guild_id, {*sources, *(node("note", n) for n in cited)}, kept)


async def read_again(connection: Connection, guild_id: GuildId, message_ids: Collection[MessageId]) -> None:
    """Mark messages to be read again, if they were read before. Others are unread anyway."""
    await connection.execute(
        f"""
        UPDATE chat_history AS m SET reread = true
        WHERE guild_id = $1 AND message_id = ANY($2) AND NOT reread AND {PEOPLE} AND {WAS_READ}
        """,
        guild_id,
        list(message_ids),
    )


async def _read_evidence_again(connection: Connection, guild_id: GuildId, note_ids: Collection[int]) -> None:
    """Mark the messages that notes cite to be read again. Call it before the notes are deleted."""
    if not note_ids:
        return
    rows = await connection.fetch(
        "SELECT DISTINCT unnest(evidence) AS message_id FROM notes WHERE guild_id = $1 AND note_id = ANY($2)",
        guild_id,
        list(note_ids),
    )
    await read_again(connection, guild_id, [row["message_id"] for row in rows])


async def _drop(
    connection: Connection, guild_id: GuildId, sources: Collection[Node], kept: Collection[Node] = ()
) -> Counter[str]:
    """Delete what was made from `sources`, and those of them that are facts or notes; how many rows went, by table.

    A fact that loses a source and has others tells what the oldest of these told. What else the messages of a note
    show is read again, but of those that `sources` name.
    """
    counts: Counter[str] = Counter()
    seeds, whose = set(sources), set()
    if not seeds:
        return counts
    reached = await _reached(connection, guild_id, seeds, kept)
    await _read_evidence_again(connection, guild_id, provenance.numbers(reached - seeds, "note"))
    lost = {n for n in reached if n.startswith("source:")}
    counts += await provenance.delete(connection, guild_id, lost)
    told_less = {int(n.split(":")[1]) for n in lost}
    told_less -= set(provenance.numbers(seeds, "fact"))
    moved, gone = await _told_by_others(connection, guild_id, told_less)
    more = await provenance.reached_from(connection, guild_id, [*(node("fact", n) for n in (*moved, *gone))], kept)
    reached |= more - {node("fact", n) for n in moved}
    whose |= await _delete_facts(connection, guild_id, provenance.numbers(reached, "fact"), counts)
    whose |= await _retell(connection, guild_id, moved)
    if notes := provenance.numbers(reached, "note"):
        await connection.execute(
            "UPDATE notes SET superseded_by = NULL WHERE guild_id = $1 AND superseded_by = ANY($2)", guild_id, notes
        )
    pages = await _pages_of(connection, guild_id, provenance.numbers(reached, "conclusion"))
    rows = {n for n in reached if of_node(n.partition(":")[0]).goes}
    deleted = await provenance.delete(connection, guild_id, rows)
    del deleted["user_facts"]  # they are written anew
    counts += deleted
    counts += await _pages_less(connection, guild_id, pages)
    counts["chat_history"] += await _silence(connection, guild_id, provenance.message_ids(reached - seeds))
    await _facts_changed(connection, guild_id, whose)
    if not (lost or rows):
        await notify(connection, guild_id)
    return counts


async def _pages_of(connection: Connection, guild_id: GuildId, conclusion_ids: Collection[int]) -> list[int]:
    """The topics that have conclusions on their pages."""
    if not conclusion_ids:
        return []
    rows = await connection.fetch(
        """
        SELECT DISTINCT topic_id FROM conclusions
        WHERE guild_id = $1 AND conclusion_id = ANY($2) AND topic_id IS NOT NULL
        """,
        guild_id,
        list(conclusion_ids),
    )
    return [row["topic_id"] for row in rows]


async def _pages_less(connection: Connection, guild_id: GuildId, topic_ids: Collection[int]) -> Counter[str]:
    """Let go of the summaries of pages that lost a line, and of pages that lost the last."""
    if not topic_ids:
        return Counter()
    await connection.execute(
        "UPDATE topics SET summary = '' WHERE guild_id = $1 AND topic_id = ANY($2)", guild_id, list(topic_ids)
    )
    gone = await connection.execute(
        """
        DELETE FROM topics WHERE guild_id = $1 AND topic_id = ANY($2) AND NOT EXISTS (
            SELECT 1 FROM conclusions WHERE conclusions.guild_id = $1 AND conclusions.topic_id = topics.topic_id)
        """,
        guild_id,
        list(topic_ids),
    )
    return Counter(topics=_n(gone))


async def _pages_unnamed(
    connection: Connection, guild_id: GuildId, user_id: UserId, patterns: Collection[str], exact: Collection[str]
) -> int:
    """Take a member out of the names and summaries of pages: what of them names the member goes, the lines stay."""
    named = "{0} LIKE $2 OR {0} ~* ANY($3) OR {0} ~ ANY($4)"
    done = await connection.execute(
        f"""
        UPDATE topics SET summary = '',
                          name = CASE WHEN {named.format("name")} THEN 'topic ' || topic_id ELSE name END
        WHERE guild_id = $1 AND ({named.format("name || ' ' || summary")})
        """,
        guild_id,
        f"%<@{user_id}>%",
        list(patterns),
        list(exact),
    )
    return _n(done)


async def conclusions_removed(
    connection: Connection, guild_id: GuildId, conclusion_ids: Collection[int]
) -> Counter[str]:
    """Remove conclusions, and what was made from them."""
    return await _drop(connection, guild_id, [node("conclusion", n) for n in conclusion_ids])


async def _talks_of_channels(
    connection: Connection, guild_id: GuildId, channels: Collection[ChannelId]
) -> Counter[str]:
    """Remove the sessions of channels and what they left."""
    rows = await connection.fetch(
        "SELECT session_id FROM sessions WHERE guild_id = $1 AND channel_id = ANY($2)", guild_id, list(channels)
    )
    counts = await sessions_removed(connection, guild_id, [row["session_id"] for row in rows])
    left = await connection.fetch(
        "SELECT conclusion_id FROM conclusions WHERE guild_id = $1 AND channel_id = ANY($2)", guild_id, list(channels)
    )
    return counts + await conclusions_removed(connection, guild_id, [row["conclusion_id"] for row in left])


async def sessions_removed(connection: Connection, guild_id: GuildId, session_ids: Collection[int]) -> Counter[str]:
    """Remove sessions with everything that hangs on them: turns, segments and answers."""
    counts: Counter[str] = Counter()
    for table in ("turns", "segments", "answers", "sessions"):
        kind = next(t for t in TABLES if t.name == table)
        columns = ", ".join(column for column, _ in kind.key)
        rows = await connection.fetch(
            f"SELECT {columns} FROM {table} WHERE guild_id = $1 AND session_id = ANY($2)", guild_id, list(session_ids)
        )
        counts += await provenance.delete(connection, guild_id, [node(kind.node, *row.values()) for row in rows])
    return counts


async def _told_by_others(
    connection: Connection, guild_id: GuildId, fact_ids: Collection[int]
) -> tuple[list[int], list[int]]:
    """Of facts that lost a source: those that others still tell, and those that go.

    A fact goes too where what is left of it is known already as another fact.
    """
    if not fact_ids:
        return [], []
    rows = await connection.fetch(
        """
        SELECT DISTINCT ON (fact_id) fact_id,
               EXISTS (SELECT 1 FROM facts AS same
                       WHERE same.guild_id = $1 AND same.fact_id <> told.fact_id AND same.retired_at IS NULL
                         AND (same.user_id, same.key) = (SELECT user_id, key FROM facts AS its
                                                         WHERE its.guild_id = $1 AND its.fact_id = told.fact_id)
                         AND same.value = told.value AND same.audience = told.audience) AS known
        FROM fact_sources AS told
        WHERE guild_id = $1 AND fact_id = ANY($2) ORDER BY fact_id, at, message_id
        """,
        guild_id,
        list(fact_ids),
    )
    stay = [row["fact_id"] for row in rows if not row["known"]]
    return stay, [n for n in fact_ids if n not in stay]


async def _retell(connection: Connection, guild_id: GuildId, fact_ids: Collection[int]) -> set[UserId]:
    """Let facts tell what the oldest source left told; whose they are."""
    if not fact_ids:
        return set()
    rows = await connection.fetch(
        """
        UPDATE facts SET message_id = told.message_id, channel_id = told.channel_id, stated_by = told.stated_by,
                         quote = told.quote, audience = told.audience, value = told.value
        FROM (SELECT DISTINCT ON (fact_id) * FROM fact_sources
              WHERE guild_id = $1 AND fact_id = ANY($2) ORDER BY fact_id, at, message_id) AS told
        WHERE facts.guild_id = $1 AND facts.fact_id = told.fact_id RETURNING facts.user_id
        """,
        guild_id,
        list(fact_ids),
    )
    return {row["user_id"] for row in rows}


async def _delete_facts(
    connection: Connection, guild_id: GuildId, fact_ids: Collection[int], counts: Counter[str]
) -> set[UserId]:
    """Delete facts with all their sources; whose they were."""
    if not fact_ids:
        return set()
    rows = await connection.fetch(
        """
        WITH told AS (DELETE FROM fact_sources WHERE guild_id = $1 AND fact_id = ANY($2)
                      RETURNING fact_id, message_id, stated_by),
             gone AS (DELETE FROM facts WHERE guild_id = $1 AND fact_id = ANY($2) RETURNING fact_id, user_id),
             ended AS (UPDATE facts SET superseded_by = NULL
                       WHERE guild_id = $1 AND superseded_by = ANY($2) AND fact_id <> ALL($2)),
             nodes AS MATERIALIZED (
                 SELECT concat_ws(':', 'source', fact_id, message_id, stated_by) AS node, NULL AS user_id FROM told
                 UNION ALL SELECT concat_ws(':', 'fact', fact_id), user_id FROM gone),
             edges AS (DELETE FROM provenance
                       WHERE guild_id = $1 AND (made = ANY(ARRAY(SELECT node FROM nodes))
                                                OR source = ANY(ARRAY(SELECT node FROM nodes))))
        TABLE nodes
        """,
        guild_id,
        list(fact_ids),
    )
    whose = [row["user_id"] for row in rows if row["user_id"] is not None]
    counts["facts"] += len(whose)
    counts["fact_sources"] += len(rows) - len(whose)
    return set(whose)


async def _silence(connection: Connection, guild_id: GuildId, message_ids: Collection[MessageId]) -> int:
    """Take the words from the bot's own messages; from those that are still on their way here, as they arrive."""
    if not message_ids:
        return 0
    await connection.execute(
        """
        INSERT INTO provenance (guild_id, made, source)
        SELECT $1, 'message:' || id, $3 FROM unnest($2::bigint[]) AS id
        WHERE NOT EXISTS (SELECT 1 FROM chat_history WHERE guild_id = $1 AND message_id = id) ON CONFLICT DO NOTHING
        """,
        guild_id,
        list(message_ids),
        SILENCED,
    )
    done = await connection.execute(
        """
        UPDATE chat_history SET message_text = ''
        WHERE guild_id = $1 AND message_id = ANY($2) AND author_kind = 'self' AND message_text <> ''
        """,
        guild_id,
        list(message_ids),
    )
    return _n(done)


async def _facts_changed(connection: Connection, guild_id: GuildId, user_ids: Collection[UserId]) -> None:
    """Write members' blobs anew from the facts they have now, and drop aliases that no fact gives any more."""
    if user_ids:
        await blobs.write(connection, guild_id, user_ids)
        await prune_aliases(connection, guild_id, user_ids)


async def notes_removed(connection: Connection, guild_id: GuildId, note_ids: Collection[int]) -> Counter[str]:
    """Remove notes, and what was made from them."""
    return await _drop(connection, guild_id, [node("note", n) for n in note_ids])


async def facts_removed(connection: Connection, guild_id: GuildId, fact_ids: Collection[int]) -> Counter[str]:
    """Remove facts, and every text that was made from them."""
    if not fact_ids:
        return Counter()
    return await _drop(connection, guild_id, [node("fact", n) for n in fact_ids])


async def sources_removed(
    connection: Connection, guild_id: GuildId, fact_ids: Collection[int], teller: UserId
) -> Counter[str]:
    """Take back what one person told of facts; those that others told too stand on their word."""
    return await _drop(connection, guild_id, await _told_by(connection, guild_id, fact_ids, teller))


async def _told_by(
    connection: Connection,
    guild_id: GuildId,
    fact_ids: Collection[int],
    teller: UserId,
    channel_id: ChannelId | None = None,
) -> list[Node]:
    """The sources of facts that are one person's word, or were told in a channel."""
    rows = await connection.fetch(
        "SELECT fact_id, message_id, stated_by FROM fact_sources"
        " WHERE guild_id = $1 AND fact_id = ANY($2) AND (stated_by = $3 OR channel_id = $4)",
        guild_id,
        list(fact_ids),
        teller,
        channel_id,
    )
    return [node("source", *row.values()) for row in rows]


async def with_threads(
    connection: Connection, guild_id: GuildId, channel_ids: Collection[ChannelId]
) -> list[ChannelId]:
    """Channels and the threads under them."""
    rows = await connection.fetch(
        "SELECT channel_id FROM channel_settings WHERE guild_id = $1 AND parent_id = ANY($2)",
        guild_id,
        list(channel_ids),
    )
    return list({*(row["channel_id"] for row in rows), *channel_ids})


async def facts_changed(
    connection: Connection, guild_id: GuildId, user_ids: Collection[UserId], fact_ids: Collection[int]
) -> None:
    """Drop the texts made from facts that are retired, restored or moved, and write the members' blobs anew."""
    made = await provenance.reached_from(connection, guild_id, [node("fact", n) for n in fact_ids])
    texts = {n for n in made if of_node(n.partition(":")[0]).is_composed}
    await provenance.delete(connection, guild_id, texts)
    await _facts_changed(connection, guild_id, user_ids)
    await notify(connection, guild_id)


async def prune_aliases(connection: Connection, guild_id: GuildId, user_ids: Collection[UserId] | None = None) -> None:
    """Keep only the aliases that a live fact open to everyone still gives, by the member's own word or agreed to."""
    await connection.execute(
        """
        UPDATE members SET aliases = ARRAY(
            SELECT alias FROM unnest(aliases) AS alias
            WHERE EXISTS (SELECT 1 FROM facts
                          WHERE facts.guild_id = $1 AND facts.user_id = members.user_id AND retired_at IS NULL
                            AND (stated_by = members.user_id OR confidence = 'high') AND audience = 0
                            AND position(lower(alias) IN lower(value)) > 0))
        WHERE guild_id = $1 AND aliases <> '{}' AND ($2::bigint[] IS NULL OR user_id = ANY($2))
        """,
        guild_id,
        None if user_ids is None else list(user_ids),
    )


async def _delete_sealed(
    connection: Connection, guild_id: GuildId, *, messages: Collection[MessageId] = (), of: Collection[int] = ()
) -> None:
    """Let go of what is sealed for Undo of these messages, members or channels: it must not come back."""
    await connection.execute(
        """
        UPDATE audit SET sealed = NULL, undo_until = NULL
        WHERE guild_id = $1 AND sealed IS NOT NULL AND (sealed_messages && $2 OR sealed_ids && $3)
        """,
        guild_id,
        list(messages),
        list(of),
    )


async def _messages_deleted(
    connection: Connection, guild_id: GuildId, column: str, values: Collection[int]
) -> AsyncIterator[list[int]]:
    """Delete the messages with one of `values` in a column, and what is sealed of them; yields their ids in pieces.

    Between two pieces, the process serves other guilds.
    """
    last = 0
    while rows := await connection.fetch(
        f"""
        DELETE FROM chat_history AS m USING (
            SELECT message_id FROM chat_history WHERE guild_id = $1 AND {column} = ANY($2) AND message_id > $3
            ORDER BY message_id LIMIT {PIECE}) AS piece
        WHERE guild_id = $1 AND m.message_id = piece.message_id RETURNING m.message_id
        """,
        guild_id,
        list(values),
        last,
    ):
        ids = [row["message_id"] for row in rows]
        last = max(ids)
        await _delete_sealed(connection, guild_id, messages=ids)
        yield ids


async def _sources_from(connection: Connection, guild_id: GuildId, messages: Collection[Node]) -> list[Node]:
    """The sources of facts that were told in messages."""
    rows = await connection.fetch(
        "SELECT made FROM provenance WHERE guild_id = $1 AND source = ANY($2) AND made LIKE 'source:%'",
        guild_id,
        list(messages),
    )
    return [row["made"] for row in rows]


async def channel_removed(
    connection: Connection, guild_id: GuildId, channel_ids: Collection[ChannelId]
) -> Counter[str]:
    """Remove what was written and told in channels and in the threads under them."""
    channels = await with_threads(connection, guild_id, channel_ids)
    told = await connection.fetch(
        "SELECT message_id FROM fact_sources WHERE guild_id = $1 AND channel_id = ANY($2)", guild_id, channels
    )
    counts = await _drop(connection, guild_id, [node("message", row["message_id"]) for row in told])
    async for ids in _messages_deleted(connection, guild_id, "channel_id", channels):
        counts += await _drop(connection, guild_id, [node("message", n) for n in ids])
        counts["chat_history"] += len(ids)
    counts += await notes_removed(connection, guild_id, await _notes_of_channels(connection, guild_id, channels))
    counts += await _talks_of_channels(connection, guild_id, channels)
    await _delete_sealed(connection, guild_id, messages=[row["message_id"] for row in told], of=channels)
    await notify(connection, guild_id)
    return counts


async def _notes_of_channels(connection: Connection, guild_id: GuildId, channels: Collection[ChannelId]) -> list[int]:
    rows = await connection.fetch(
        "SELECT note_id FROM notes WHERE guild_id = $1 AND channel_id = ANY($2)", guild_id, list(channels)
    )
    return [row["note_id"] for row in rows]


async def channel_moved(
    connection: Connection, guild_id: GuildId, channels: Collection[ChannelId], audience: AudienceId
) -> bool:
    """Give what was written and told in channels an audience; whether anything moved.

    Notes that rest on it are deleted, and it is read again: another audience can read it now.
    """
    moved = await connection.fetch(
        """
        WITH before AS (
            SELECT message_id FROM chat_history WHERE guild_id = $1 AND channel_id = ANY($2) AND audience <> $3),
        moving AS (
            UPDATE chat_history SET audience = $3, reread = false
            WHERE guild_id = $1 AND channel_id = ANY($2) AND audience <> $3)
        SELECT * FROM before
        """,
        guild_id,
        list(channels),
        audience,
    )
    ids = [row["message_id"] for row in moved]
    notes = set(await resting_on(connection, guild_id, ids))
    await _read_evidence_again(connection, guild_id, notes)
    await read_again(connection, guild_id, ids)
    rows = await connection.fetch(
        "SELECT note_id FROM notes WHERE guild_id = $1 AND channel_id = ANY($2) AND audience <> $3",
        guild_id,
        list(channels),
        audience,
    )
    notes |= {row["note_id"] for row in rows}
    facts = await _facts_moved(connection, guild_id, channels, audience)
    talks = await _talks_moved(connection, guild_id, channels, audience)
    await _drop(connection, guild_id, [node("note", n) for n in notes])
    await facts_changed(connection, guild_id, {r["user_id"] for r in facts}, [r["fact_id"] for r in facts])
    return bool(moved or facts or notes or talks)


async def _talks_moved(
    connection: Connection, guild_id: GuildId, channels: Collection[ChannelId], audience: AudienceId
) -> int:
    """Give sessions of channels and their conclusions an audience; answers given there go. How many moved."""
    talks = await connection.fetch(
        "UPDATE sessions SET audience = $3 WHERE guild_id = $1 AND channel_id = ANY($2) AND audience <> $3"
        " RETURNING session_id",
        guild_id,
        list(channels),
        audience,
    )
    answers = await connection.fetch(
        "SELECT answer_id FROM answers WHERE guild_id = $1 AND session_id = ANY($2)",
        guild_id,
        [row["session_id"] for row in talks],
    )
    await provenance.delete(connection, guild_id, [node("answer", row["answer_id"]) for row in answers])
    moved = await connection.fetch(
        "UPDATE conclusions SET audience = $3 WHERE guild_id = $1 AND channel_id = ANY($2) AND audience <> $3"
        " RETURNING conclusion_id, topic_id",
        guild_id,
        list(channels),
        audience,
    )
    pages = {row["topic_id"] for row in moved} - {None}
    await connection.execute(
        """
        UPDATE topics SET audience = $3 WHERE guild_id = $1 AND topic_id = ANY($2)
          AND NOT EXISTS (SELECT 1 FROM conclusions AS line WHERE line.guild_id = $1
                          AND line.topic_id = topics.topic_id AND line.audience <> $3)
          AND NOT EXISTS (SELECT 1 FROM topics AS other WHERE other.guild_id = $1 AND other.audience = $3
                          AND lower(other.name) = lower(topics.name))
        """,
        guild_id,
        list(pages),
        audience,
    )
    await connection.execute(  # a page has lines of its own readers alone
        """
        UPDATE conclusions SET topic_id = NULL WHERE guild_id = $1 AND topic_id = ANY($2) AND audience = $3
          AND NOT EXISTS (SELECT 1 FROM topics WHERE topics.guild_id = $1
                          AND topics.topic_id = conclusions.topic_id AND topics.audience = $3)
        """,
        guild_id,
        list(pages),
        audience,
    )
    await _pages_less(connection, guild_id, pages)
    return len(talks) + len(moved)


async def _facts_moved(
    connection: Connection, guild_id: GuildId, channels: Collection[ChannelId], audience: AudienceId
) -> list[asyncpg.Record]:
    """Give what was told in channels an audience; the facts (fact_id, user_id) that moved, or were known there."""
    # A fact that is known there already needs no second row.
    known = await connection.fetch(
        """
        UPDATE facts SET retired_at = last_confirmed_at, retired_because = 'known there already'
        WHERE guild_id = $1 AND channel_id = ANY($2) AND audience <> $3 AND audience >= 0 AND retired_at IS NULL
          AND EXISTS (SELECT 1 FROM facts AS there
                      WHERE there.guild_id = $1 AND there.user_id = facts.user_id AND there.key = facts.key
                        AND there.value = facts.value AND there.audience = $3 AND there.retired_at IS NULL)
        RETURNING fact_id, user_id
        """,
        guild_id,
        list(channels),
        audience,
    )
    facts = await connection.fetch(
        """
        UPDATE facts SET audience = $3
        WHERE guild_id = $1 AND channel_id = ANY($2) AND audience <> $3 AND audience >= 0 RETURNING fact_id, user_id
        """,
        guild_id,
        list(channels),
        audience,
    )
    await connection.execute(
        """
        UPDATE fact_sources SET audience = $3
        WHERE guild_id = $1 AND channel_id = ANY($2) AND audience <> $3 AND audience >= 0
        """,
        guild_id,
        list(channels),
        audience,
    )
    return [*facts, *known]


async def told_elsewhere(connection: Connection, guild_id: GuildId, audiences: Collection[AudienceId]) -> None:
    """Drop what was derived for audiences that may hear less than before."""
    for table in TABLES:
        if table.is_composed:
            columns = ", ".join(column for column, _ in table.key)
            rows = await connection.fetch(
                f"SELECT {columns} FROM {table.name} WHERE guild_id = $1 AND audience = ANY($2)",
                guild_id,
                list(audiences),
            )
            nodes = [node(table.node, *row.values()) for row in rows]
            await provenance.delete(connection, guild_id, nodes)


async def member_removed(
    connection: Connection, guild_id: GuildId, user_id: UserId, names: Iterable[str], *, facts_too: bool = True
) -> Counter[str]:
    """Remove a member: what they wrote and told, every text about them, and texts about others that name them.

    Without `facts_too`, what was told about them as a fact stays, and so do its sources. Of the slices that read their
    words the other members' notes stay: none of them rests on what is gone.
    """
    for table in TABLES if facts_too else ():
        if table.with_member:
            await connection.execute(
                f"DELETE FROM {table.name} WHERE guild_id = $1 AND {table.of_member}", guild_id, user_id
            )
    await _delete_sealed(connection, guild_id, of=[user_id])
    counts: Counter[str] = Counter()
    async for ids in _messages_deleted(connection, guild_id, "user_id", [user_id]):
        messages = [node("message", n) for n in ids]
        kept = [] if facts_too else await _sources_from(connection, guild_id, messages)
        counts += await _drop(connection, guild_id, messages, kept)
        counts["chat_history"] += len(ids)
    if facts_too:
        counts += await _member_facts_removed(connection, guild_id, user_id)
    texts = await _texts_about(connection, guild_id, user_id, names, notes_too=True)
    of_others = await connection.fetch(
        "SELECT note_id FROM notes WHERE guild_id = $1 AND note_id = ANY($2) AND user_id IS DISTINCT FROM $3",
        guild_id,
        provenance.numbers(texts, "note"),
        user_id,
    )
    await _read_evidence_again(connection, guild_id, [row["note_id"] for row in of_others])
    counts += await _drop(connection, guild_id, texts)
    counts["topics"] += await _pages_unnamed(connection, guild_id, user_id, *naming(names))
    await connection.execute(
        "UPDATE replies SET record = record - $2 WHERE guild_id = $1 AND record ? $2", guild_id, str(user_id)
    )
    await connection.execute(
        """
        UPDATE chat_history SET addressees = array_remove(addressees, $2)
        WHERE guild_id = $1 AND addressees @> ARRAY[$2::bigint] AND addressees <> '{}'
        """,
        guild_id,
        user_id,
    )
    await notify(connection, guild_id)
    return counts


async def _texts_about(
    connection: Connection, guild_id: GuildId, user_id: UserId, names: Iterable[str], *, notes_too: bool = False
) -> list[Node]:
    """The derived texts about a member, or that name them."""
    searches = []
    for table in tables(derived=True, text=True):
        if table.tells_one_thing and not notes_too:  # those that tell it went; blobs are the facts' own words
            continue
        key = ", ".join(column for column, _ in table.key)
        more = " OR evidence_by @> ARRAY[$2::bigint]" if table.node == "note" else ""
        more += f" OR {table.text} LIKE '{SEALED}%'" if table.may_be_sealed else ""
        searches.append(
            f"SELECT concat_ws(':', '{table.node}', {key}) AS node FROM {table.name} WHERE guild_id = $1 AND"
            f" ({table.of_member} OR {table.text} LIKE $5 OR {table.text} ~* ANY($3) OR {table.text} ~ ANY($4){more})"
        )
    patterns, exact = naming(names)
    rows = await connection.fetch(" UNION ALL ".join(searches), guild_id, user_id, patterns, exact, f"%<@{user_id}>%")
    return [row["node"] for row in rows]


async def forgotten(
    connection: Connection,
    guild_id: GuildId,
    *,
    facts: Collection[int] = (),
    messages: Collection[MessageId] = (),
    others: Collection[Node] = (),
    teller: UserId | None = None,
    channel_id: ChannelId | None = None,
    subject: tuple[UserId, Collection[str]] | None = None,
) -> Counter[str]:
    """Remove facts, messages and other rows, and what was made from them; how many rows went, by table.

    Of the facts only what the `teller` told, where there is one, or anybody in the channel; with `subject`, a member
    and their names, also every text of a model about them.
    """
    seeds = [*others, *(node("fact", n) for n in facts if teller is None)]
    if teller is not None:
        seeds += await _told_by(connection, guild_id, facts, teller, channel_id)
    if subject is not None:
        seeds += await _texts_about(connection, guild_id, *subject)
    gone: list[asyncpg.Record] = []
    if messages:
        gone = await connection.fetch(
            "DELETE FROM chat_history WHERE guild_id = $1 AND message_id = ANY($2) RETURNING message_id",
            guild_id,
            list(messages),
        )
        await _delete_sealed(connection, guild_id, messages=messages)
    counts = await _drop(connection, guild_id, [*(node("message", n) for n in messages), *seeds])
    counts["chat_history"] += len(gone)
    if subject is not None:
        counts["topics"] += await _pages_unnamed(connection, guild_id, subject[0], *naming(subject[1]))
    return counts


async def _member_facts_removed(connection: Connection, guild_id: GuildId, user_id: UserId) -> Counter[str]:
    """Remove what a member told, the facts about them, their names and their lines of the audit."""
    told = await connection.fetch(
        "SELECT fact_id, message_id, stated_by FROM fact_sources WHERE guild_id = $1 AND stated_by = $2",
        guild_id,
        user_id,
    )
    subjects = await connection.fetch(
        "SELECT fact_id FROM facts WHERE guild_id = $1 AND (user_id = $2 OR value LIKE $3)",
        guild_id,
        user_id,
        f"%<@{user_id}>%",
    )
    seeds = {node("source", *row.values()) for row in told} | {node("fact", row["fact_id"]) for row in subjects}
    counts = await _drop(connection, guild_id, seeds)
    await connection.execute("DELETE FROM user_facts WHERE guild_id = $1 AND user_id = $2", guild_id, user_id)
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
    return counts


async def guild_removed(connection: Connection, guild_id: GuildId) -> Counter[str]:
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


async def rows_to_seal(
    connection: Connection,
    guild_id: GuildId,
    fact_ids: Collection[int],
    message_ids: Collection[MessageId],
    notes: Collection[int],
    conclusions: Collection[int],
) -> dict[str, Any]:
    """The rows that are about to be deleted, for Undo; facts that go with the messages too."""
    reached = await provenance.reached_from(connection, guild_id, [node("message", n) for n in message_ids])
    facts = {*fact_ids, *(int(n.split(":")[1]) for n in reached if n.startswith("source:"))}
    rows = await connection.fetch(
        """
        WITH told AS (SELECT * FROM fact_sources WHERE guild_id = $1 AND fact_id = ANY($2)),
        made AS (SELECT concat_ws(':', 'source', fact_id, message_id, stated_by) AS node FROM told
                 UNION ALL SELECT 'note:' || unnest($4::bigint[])
                 UNION ALL SELECT 'conclusion:' || unnest($5::bigint[]))
        SELECT 'facts' AS name, to_jsonb(facts) AS row FROM facts WHERE guild_id = $1 AND fact_id = ANY($2)
        UNION ALL SELECT 'fact_sources', to_jsonb(told) FROM told
        UNION ALL SELECT 'chat_history', to_jsonb(chat_history) FROM chat_history
                  WHERE guild_id = $1 AND message_id = ANY($3)
        UNION ALL SELECT 'notes', to_jsonb(notes) FROM notes WHERE guild_id = $1 AND note_id = ANY($4)
        UNION ALL SELECT 'conclusions', to_jsonb(conclusions) FROM conclusions
                  WHERE guild_id = $1 AND conclusion_id = ANY($5)
        UNION ALL SELECT 'ended', jsonb_build_object('note_id', note_id, 'superseded_by', superseded_by) FROM notes
                  WHERE guild_id = $1 AND (superseded_by = ANY($4) OR note_id = ANY($4)) AND superseded_by IS NOT NULL
        UNION ALL SELECT 'provenance', to_jsonb(provenance) FROM provenance
                  WHERE guild_id = $1 AND made IN (SELECT node FROM made)
        """,
        guild_id,
        list(facts),
        list(message_ids),
        list(notes),
        list(conclusions),
    )
    sealed: dict[str, Any] = {name: [] for _, name in _BACK}
    for row in rows:
        sealed[row["name"]].append(row["row"])
    return sealed


async def member_rows_to_seal(
    connection: Connection, guild_id: GuildId, user_id: UserId, *, facts_too: bool
) -> dict[str, Any]:
    """The rows that are about to be deleted with a member, for Undo: their words, and what was told by and of them.

    Notes are made again from the words.
    """
    row = await connection.fetchrow(
        """
        SELECT ARRAY(SELECT message_id FROM chat_history WHERE guild_id = $1 AND user_id = $2) AS messages,
               ARRAY(SELECT fact_id FROM facts WHERE guild_id = $1 AND $3 AND (user_id = $2 OR value LIKE $4)
                     UNION SELECT fact_id FROM fact_sources WHERE guild_id = $1 AND $3 AND stated_by = $2) AS facts,
               ARRAY(SELECT conclusion_id FROM conclusions WHERE guild_id = $1 AND
                     (people @> ARRAY[$2::bigint] OR evidence_by @> ARRAY[$2::bigint])) AS conclusions
        """,
        guild_id,
        user_id,
        facts_too,
        f"%<@{user_id}>%",
    )
    assert row is not None
    return await rows_to_seal(connection, guild_id, row["facts"], row["messages"], (), row["conclusions"])


async def put_back(connection: Connection, guild_id: GuildId, sealed: dict[str, Any]) -> None:
    """Restore deleted rows, as far as consent and channel modes allow it now.

    A row that is there, or whose like is live, stays as it is. A note comes back if its slice is there, and each
    message that it cites: as it was, or purged by age.
    """
    rule = await policy(connection, guild_id)
    sealed = {
        "facts": [row for row in sealed.get("facts", []) if not {row["user_id"], row["stated_by"]} & rule.off],
        "fact_sources": [row for row in sealed.get("fact_sources", []) if row["stated_by"] not in rule.off],
        "chat_history": [r for r in sealed.get("chat_history", []) if rule.stores(r["user_id"], r["channel_id"])],
        "notes": [row for row in sealed.get("notes", []) if rule.silent.isdisjoint({row["user_id"], *row["people"]})],
        "conclusions": [
            row
            for row in sealed.get("conclusions", [])
            if rule.silent.isdisjoint({*row["people"], *row["evidence_by"]}) and rule.reads(row["channel_id"])
        ],
        "provenance": sealed.get("provenance", []),
        "ended": sealed.get("ended", []),
    }
    sealed["facts"] = [row for row in sealed["facts"] if rule.off.isdisjoint(mentioned(row["value"]))]
    sealed["notes"] = await _with_their_sources(connection, guild_id, sealed)
    for statement, table in _BACK:
        await connection.execute(statement, guild_id, sealed[table])
    await _read_restored_again(connection, guild_id, sealed)
    await facts_changed(
        connection, guild_id, {r["user_id"] for r in sealed["facts"]}, [r["fact_id"] for r in sealed["facts"]]
    )
    await notify(connection, guild_id)


async def _read_restored_again(connection: Connection, guild_id: GuildId, sealed: Mapping[str, Any]) -> None:
    """Mark restored messages, and those of notes that were not restored, unless a restored note cites them."""
    rows = await connection.fetch(
        "SELECT evidence FROM notes WHERE guild_id = $1 AND note_id = ANY($2)",
        guild_id,
        [row["note_id"] for row in sealed["notes"]],
    )
    wanted = {row["message_id"] for row in sealed["chat_history"]}
    wanted |= {n for row in sealed["notes"] for n in row["evidence"]}
    await read_again(connection, guild_id, wanted.difference(*(row["evidence"] for row in rows)))


async def _with_their_sources(connection: Connection, guild_id: GuildId, sealed: Mapping[str, Any]) -> list[Any]:
    """The sealed notes all of whose earlier notes and messages are still there, or come back with them."""
    mine = {node("note", row["note_id"]) for row in sealed["notes"]}
    edges = [(e["made"], e["source"]) for e in sealed["provenance"] if e["made"] in mine]
    back = mine | {node("message", row["message_id"]) for row in sealed["chat_history"]}
    sources = {source for _, source in edges} - back
    rows = await connection.fetch(
        """
        SELECT 'note:' || note_id AS node FROM notes WHERE guild_id = $1 AND note_id = ANY($2)
        UNION ALL SELECT 'message:' || message_id FROM chat_history
                  WHERE guild_id = $1 AND message_id = ANY($3) AND NOT reread
        """,
        guild_id,
        provenance.numbers(sources, "note"),
        provenance.message_ids(sources),
    )
    gone = sources - {row["node"] for row in rows}
    without = {made for made, source in edges if source in gone}
    return [row for row in sealed["notes"] if node("note", row["note_id"]) not in without]


_HERE = """LEFT JOIN LATERAL (SELECT audience AS its_audience FROM channel_settings AS c
                           WHERE c.guild_id = $1 AND c.channel_id = was.channel_id) AS settings ON true"""

_BACK = (
    (
        f"""
        INSERT INTO facts (guild_id, fact_id, user_id, key, value, domain, confidence, source, stated_by, channel_id,
                           message_id, quote, audience, created_at, last_confirmed_at, retired_at, retired_because,
                           superseded_by)
        OVERRIDING SYSTEM VALUE
        SELECT $1, fact_id, user_id, key, value, domain, confidence, source, stated_by, channel_id, message_id, quote,
               CASE WHEN audience < 0 THEN audience ELSE coalesce(settings.its_audience, audience) END,
               created_at, last_confirmed_at, retired_at, retired_because, superseded_by
        FROM jsonb_populate_recordset(NULL::facts, $2) AS was {_HERE} ON CONFLICT DO NOTHING
        """,
        "facts",
    ),
    (
        f"""
        INSERT INTO fact_sources (guild_id, fact_id, message_id, channel_id, stated_by, quote, raw_text, value,
                                  audience, at)
        SELECT $1, fact_id, message_id, channel_id, stated_by, quote, coalesce(raw_text, quote), value,
               CASE WHEN audience < 0 THEN audience ELSE coalesce(settings.its_audience, audience) END, at
        FROM jsonb_populate_recordset(NULL::fact_sources, $2) AS was {_HERE}
        WHERE EXISTS (SELECT 1 FROM facts WHERE facts.guild_id = $1 AND facts.fact_id = was.fact_id)
        ON CONFLICT DO NOTHING
        """,
        "fact_sources",
    ),
    (
        f"""
        INSERT INTO chat_history (guild_id, message_id, channel_id, user_id, message_text, timestamp, reply_to_id,
                                  edited_at, audience, author_kind, off_record, secret_spans, addressees, files)
        SELECT $1, message_id, channel_id, user_id, message_text, timestamp, reply_to_id, edited_at,
               coalesce(settings.its_audience, audience), author_kind, off_record, secret_spans,
               coalesce(addressees, '{{}}'), files
        FROM jsonb_populate_recordset(NULL::chat_history, $2) AS was {_HERE} ON CONFLICT DO NOTHING
        """,
        "chat_history",
    ),
    (
        """
        INSERT INTO notes (guild_id, note_id, slice_id, audience, user_id, channel_id, kind, text, weight, people,
                           evidence, evidence_by, at)
        OVERRIDING SYSTEM VALUE
        SELECT $1, note_id, was.slice_id, was.audience, user_id, channel_id, kind, text, weight, people, evidence,
               evidence_by, at
        FROM jsonb_populate_recordset(NULL::notes, $2) AS was
        JOIN slices ON slices.guild_id = $1 AND slices.slice_id = was.slice_id
        WHERE NOT EXISTS (
            SELECT 1 FROM unnest(was.evidence) AS cited
            LEFT JOIN chat_history AS m ON m.guild_id = $1 AND m.message_id = cited
            WHERE m.reread OR m.edited_at > made_at OR (m.message_id IS NULL AND cited > (
                SELECT min(message_id) FROM chat_history WHERE guild_id = $1)))
        ON CONFLICT DO NOTHING
        """,
        "notes",
    ),
    (
        f"""
        INSERT INTO conclusions (guild_id, conclusion_id, audience, channel_id, session_id, topic_id, kind, text,
                                 people, evidence, evidence_by, at, replaces, confirms)
        OVERRIDING SYSTEM VALUE
        SELECT $1, conclusion_id, coalesce(settings.its_audience, audience), channel_id, session_id,
               (SELECT page.topic_id FROM topics AS page WHERE page.guild_id = $1 AND page.topic_id = was.topic_id),
               kind, text, people, evidence, evidence_by, at, coalesce(replaces, '{{}}'), coalesce(confirms, '{{}}')
        FROM jsonb_populate_recordset(NULL::conclusions, $2) AS was {_HERE} ON CONFLICT DO NOTHING
        """,
        "conclusions",
    ),
    (
        """
        INSERT INTO provenance (guild_id, made, source)
        SELECT $1, made, source FROM jsonb_populate_recordset(NULL::provenance, $2) AS edge
        WHERE (made NOT LIKE 'note:%' OR EXISTS (
                   SELECT 1 FROM notes WHERE guild_id = $1 AND made = 'note:' || note_id))
          AND (made NOT LIKE 'conclusion:%' OR EXISTS (
                   SELECT 1 FROM conclusions WHERE guild_id = $1 AND made = 'conclusion:' || conclusion_id))
        ON CONFLICT DO NOTHING
        """,
        "provenance",
    ),
    (
        """
        UPDATE notes SET superseded_by = was.superseded_by FROM jsonb_populate_recordset(NULL::notes, $2) AS was
        WHERE notes.guild_id = $1 AND notes.note_id = was.note_id AND EXISTS (
            SELECT 1 FROM notes AS by WHERE by.guild_id = $1 AND by.note_id = was.superseded_by)
        """,
        "ended",
    ),
)
"""How each table's rows come back, in order."""


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
