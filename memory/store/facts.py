"""facts, fact_sources and user_facts."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timedelta

from memory.ids import AudienceId, GuildId, MessageId, UserId, server_subject
from memory.records import (
    EVERYONE,
    Confidence,
    Fact,
    FactDomain,
    FactSource,
    Member,
    NotRemembered,
    Remembered,
    Statement,
    Why,
)
from memory.rules.text import mentioned
from memory.store import audit, blobs, cascade
from memory.store.consents import HAS_OPTED_OUT, lift
from memory.store.database import Connection, Tables, lock_guild, notify
from memory.store.people import update_names
from memory.store.provenance import node
from memory.store.rows import fact as fact_of
from memory.store.rows import from_json


def confidence_of(statement: Statement) -> Confidence:
    """The confidence of a statement: high for one's own, medium for a claim about somebody else."""
    return Confidence.HIGH if statement.stated_by == statement.user_id else Confidence.MEDIUM


ASKED_EVERY = timedelta(days=1)
"""The time between two questions to a member whether something about them is right."""

OWN_FACTS, TOLD_BY_ONE, TOLD_BY_OTHERS = 500, 30, 150
"""Live facts of a member at the most: in their own word, told by one other member, told by all others."""

SERVER_FACTS, SERVER_FACTS_BY_ONE = 500, 100
"""Live facts of the server itself at the most, and of those one member's."""

SOURCES = 40
"""Sources of a fact at the most: beyond that, saying it again confirms it and leaves no record of its own."""


FACT_COLUMNS = (
    *("guild_id", "user_id", "key", "value", "domain", "confidence", "source", "stated_by", "channel_id"),
    *("message_id", "quote", "audience", "created_at", "last_confirmed_at"),
)
"""The columns of a fact as it is stored. An export has the same."""


@dataclass(frozen=True)
class _Standing:
    """How a statement compares with the facts that are there."""

    audience: AudienceId
    known: int | None
    """The live fact that says the same."""
    may_replace: bool
    """Whether it may take the place of others."""


async def _standing(connection: Connection, teaching: Teaching) -> _Standing:
    """Compare a statement with the facts that are there. Raises NotRemembered.

    It is refused where somebody concerned has opted out, and where as many facts as are kept were told by the teller,
    or by all others.
    """
    statement, named = teaching.statement, mentioned(teaching.value)
    row = await connection.fetchrow(
        f"""
        WITH place AS (
            SELECT CASE WHEN $7::bigint < 0 THEN $7 ELSE coalesce(
                (SELECT audience FROM channel_settings WHERE guild_id = $1 AND channel_id = $6), $7) END AS audience),
        live AS (SELECT * FROM facts WHERE guild_id = $1 AND user_id = $2 AND retired_at IS NULL)
        SELECT audience,
               (SELECT fact_id FROM live
                WHERE (live.audience = place.audience OR (live.audience = 0 AND place.audience > 0))
                  AND ((key = $4 AND value = $5) OR fact_id = $8::bigint)
                ORDER BY key = $4 AND value = $5 DESC, live.audience <> 0 LIMIT 1) AS known,
               place.audience = 0 AND EXISTS (
                   SELECT 1 FROM live
                   WHERE live.audience > 0 AND key = $4 AND value = $5 AND stated_by = $3) AS is_wider,
               (SELECT count(*) FROM live WHERE stated_by = $2) AS own,
               (SELECT count(*) FROM live WHERE stated_by = $3) AS by_teller,
               (SELECT count(*) FROM live WHERE stated_by <> $2) AS by_others,
               (SELECT bool_or({HAS_OPTED_OUT}) FROM unnest($9::bigint[]) AS concerned (id),
                       (VALUES ($1::bigint)) AS here (guild)) AS has_opted_out
        FROM place
        """,
        statement.guild_id,
        statement.user_id,
        statement.stated_by,
        teaching.key,
        teaching.value,
        statement.channel_id,
        statement.audience,
        teaching.same,
        [*filter(None, (statement.user_id, statement.stated_by, statement.author)), *statement.also_about, *named],
    )
    assert row is not None
    if row["has_opted_out"]:
        raise NotRemembered(Why.OPTED_OUT)
    if statement.stated_by == statement.user_id:
        is_full = row["own"] >= OWN_FACTS
    elif statement.user_id == server_subject(statement.guild_id):
        is_full = row["by_teller"] >= SERVER_FACTS_BY_ONE or row["by_others"] >= SERVER_FACTS
    else:
        is_full = row["by_teller"] >= TOLD_BY_ONE or row["by_others"] >= TOLD_BY_OTHERS
    if is_full and row["known"] is None:
        raise NotRemembered(Why.FULL)
    return _Standing(row["audience"], row["known"], bool(teaching.replaces) or row["is_wider"])


async def _state(
    connection: Connection,
    fact: Mapping[str, object],
    *,
    raw: object,
    messages: Collection[MessageId],
    known: int | None = None,
) -> Fact | None:
    """Store a fact and its source; or add the source to the `known` one, which confirms it.

    The subject's own word makes the confidence of a known one high. `raw` is what was written, `messages` what the
    source rests on. None where another live fact says the same.
    """
    columns = ", ".join(FACT_COLUMNS)
    row = await connection.fetchrow(
        f"""
        WITH stated AS (SELECT {columns} FROM jsonb_populate_record(NULL::facts, $2)),
        new AS (
            INSERT INTO facts ({columns}) SELECT {columns} FROM stated WHERE $3::bigint IS NULL
            ON CONFLICT (guild_id, user_id, key, md5(value), audience) WHERE retired_at IS NULL DO NOTHING
            RETURNING *),
        confirmed AS (
            UPDATE facts SET last_confirmed_at = greatest(facts.last_confirmed_at, stated.created_at),
                             confidence = CASE stated.confidence WHEN 'high' THEN 'high' ELSE facts.confidence END
            FROM stated WHERE facts.guild_id = $1 AND facts.fact_id = $3 RETURNING facts.*),
        fact AS (TABLE new UNION ALL TABLE confirmed),
        source AS (
            INSERT INTO fact_sources (guild_id, fact_id, message_id, channel_id, stated_by, quote, raw_text, value,
                                      audience, at)
            SELECT $1, fact.fact_id, coalesce(stated.message_id, -fact.fact_id), stated.channel_id, stated.stated_by,
                   stated.quote, $4, stated.value, stated.audience, stated.created_at
            FROM fact, stated
            WHERE (SELECT count(*) FROM fact_sources AS told
                   WHERE told.guild_id = $1 AND told.fact_id = fact.fact_id) < {SOURCES}
            ON CONFLICT (guild_id, fact_id, message_id, stated_by) DO NOTHING RETURNING 1),
        edges AS (
            INSERT INTO provenance (guild_id, made, source)
            SELECT $1, concat_ws(':', 'source', fact.fact_id, stated.message_id, stated.stated_by), cited
            FROM fact, stated, unnest($5::text[]) AS cited
            WHERE EXISTS (TABLE source) OR EXISTS (
                SELECT 1 FROM fact_sources AS told
                WHERE told.guild_id = $1 AND told.fact_id = fact.fact_id AND told.message_id = stated.message_id
                  AND told.stated_by = stated.stated_by)
            ON CONFLICT DO NOTHING)
        TABLE fact
        """,
        fact["guild_id"],
        {name: at.isoformat() if isinstance(at := fact[name], datetime) else at for name in FACT_COLUMNS},
        known,
        raw,
        [node("message", message_id) for message_id in messages],
    )
    return fact_of(row) if row is not None else None


def _columns(
    told: Teaching | Inferred, confidence: str, source: str, audience: AudienceId, now: datetime
) -> dict[str, object]:
    """What is told as a fact, by column."""
    statement = told.statement
    return {
        "guild_id": statement.guild_id,
        "user_id": statement.user_id,
        "key": told.key,
        "value": told.value,
        "domain": told.domain,
        "confidence": confidence,
        "source": source,
        "stated_by": statement.stated_by,
        "channel_id": statement.channel_id,
        "message_id": statement.message_id,
        "quote": statement.quote,
        "audience": audience,
        "created_at": now,
        "last_confirmed_at": now,
    }


async def _store(connection: Connection, teaching: Teaching, standing: _Standing) -> Fact:
    """The fact that says what is taught; a live one that says so already is confirmed."""
    statement = teaching.statement
    fact = await _state(
        connection,
        _columns(teaching, confidence_of(statement).value, "explicit", standing.audience, teaching.now),
        raw=statement.raw or statement.quote,
        messages=(statement.message_id, *teaching.context_ids) if statement.message_id is not None else (),
        known=standing.known,
    )
    assert fact is not None
    return fact


async def _retire(connection: Connection, teaching: Teaching, fact_id: int) -> list[Fact]:
    """Retire what a fact takes the place of, linked to it: what it replaces of the same audience.

    The same fact of restricted channels goes as well, where its own teller tells everyone since. What somebody else
    told behind a closed door stays: whoever repeats it and takes that back would take it from them.
    """
    rows = await connection.fetch(
        """
        UPDATE facts AS old SET retired_at = $3, superseded_by = $2,
               retired_because = CASE WHEN old.fact_id = ANY($4) THEN $5 ELSE 'told to everyone since' END
        FROM facts AS new
        WHERE new.guild_id = $1 AND new.fact_id = $2 AND new.retired_at IS NULL
          AND old.guild_id = $1 AND old.fact_id <> $2 AND old.retired_at IS NULL
          AND ((old.fact_id = ANY($4) AND old.audience = new.audience)
               OR (new.audience = 0 AND old.audience > 0 AND old.user_id = new.user_id
                   AND old.stated_by = $6 AND old.key = new.key AND old.value = new.value))
        RETURNING old.*
        """,
        teaching.statement.guild_id,
        fact_id,
        teaching.now,
        list(teaching.replaces),
        teaching.because,
        teaching.statement.stated_by,
    )
    return [fact_of(row) for row in rows]


@dataclass(frozen=True, kw_only=True)
class Inferred:
    """A fact that a digest drew from a member's own words, on its way into the store."""

    statement: Statement
    value: str
    key: str
    domain: FactDomain
    confidence: str
    evidence: tuple[MessageId, ...]
    confirms: int | None = None
    """The live fact that says the same already."""


@dataclass(frozen=True, kw_only=True)
class Teaching:
    """A statement on its way into the store, as it is worded, and what it means for what is known."""

    statement: Statement
    value: str
    key: str
    domain: FactDomain
    now: datetime
    action: str = "remember"
    """Under which name the change is recorded."""
    undo_until: datetime | None = None
    context_ids: Collection[MessageId] = ()
    """Messages around the statement whose words its wording took up, so that it goes with them."""
    same: int | None = None
    """The fact that says the same in other words."""
    replaces: Collection[int] = ()
    """The facts that hold no more because of it, and why."""
    because: str = ""
    people: Sequence[Member] = ()
    """Whose names are stored with it."""
    lifts: Collection[int] = ()
    """Suppressions that hold no more: their subject tells it again."""

    def each(self) -> list[Teaching]:
        """It, and the same about everyone else whom the statement is about."""
        others = self.statement.also_about
        return [self, *(replace(self, statement=replace(self.statement, user_id=u), same=None) for u in others)]


class FactStore(Tables):
    """Facts are the truth: rows are added, confirmed, retired and removed; a model's wording never replaces a quote."""

    async def add(self, teaching: Teaching) -> Remembered:
        """Store an explicit fact with all that follows from it, or confirm the live one that says the same.

        Its audience is that of its channel now, which may have changed since the words were said, or the
        member alone. What is told where everyone can read it takes the place of the same fact of restricted
        channels. Raises NotRemembered where the member has opted out meanwhile, or where there is no room.
        """
        statement, guild_id, now = teaching.statement, teaching.statement.guild_id, teaching.now
        async with self._db.writing(guild_id) as connection:
            standings = [(one, await _standing(connection, one)) for one in teaching.each()]
            await update_names(connection, [(member, now) for member in teaching.people])
            stored = [await _store(connection, one, standing) for one, standing in standings]
            told = list(zip(stored, standings, strict=True))
            new = [fact.fact_id for fact, (_, standing) in told if standing.known is None]
            fact, (_, standing) = told[0]
            retired = await _retire(connection, teaching, fact.fact_id) if standing.may_replace else []
            replaced = [fact for fact in retired if fact.fact_id in set(teaching.replaces)]
            if replaced:
                ids = [fact.fact_id for fact in replaced]
                await cascade.facts_changed(connection, guild_id, {statement.user_id}, ids)
            if new and (statement.also_about or not replaced):
                await blobs.write(connection, guild_id, [statement.user_id, *statement.also_about])
            if teaching.lifts:
                await lift(connection, guild_id, teaching.lifts)
            entry_id = None
            if new:
                entry_id = await audit.note(
                    connection,
                    guild_id,
                    at=now,
                    actor_id=statement.stated_by,
                    action=teaching.action,
                    user_id=statement.user_id,
                    fact_ids=new,
                    details={
                        "replaced": [fact.fact_id for fact in retired],
                        **({"shared": [fact.fact_id for fact in stored]} if len(stored) > 1 else {}),
                    },
                    undo_until=teaching.undo_until,
                )
        return Remembered(fact=fact, known=not new, replaced=tuple(replaced), entry_id=entry_id)

    async def supersede(self, facts: Collection[Fact], by: Fact, because: str, now: datetime) -> None:
        """Retire facts that hold no more because of a new one, linked to it."""
        async with self._db.writing(by.guild_id) as connection:
            await connection.execute(
                """
                UPDATE facts SET retired_at = $3, retired_because = $4, superseded_by = $5
                WHERE guild_id = $1 AND fact_id = ANY($2) AND retired_at IS NULL
                  AND EXISTS (SELECT 1 FROM facts AS new
                              WHERE new.guild_id = $1 AND new.fact_id = $5 AND new.retired_at IS NULL)
                """,
                by.guild_id,
                [fact.fact_id for fact in facts],
                now,
                because,
                by.fact_id,
            )
            await cascade.facts_changed(connection, by.guild_id, {by.user_id}, [fact.fact_id for fact in facts])

    async def remove(self, guild_id: GuildId, fact_ids: Collection[int]) -> None:
        """Take back facts that should not have been stored."""
        async with self._db.writing(guild_id) as connection:
            await cascade.facts_removed(connection, guild_id, fact_ids)

    async def restore(self, guild_id: GuildId, fact_ids: Collection[int], now: datetime | None = None) -> list[Fact]:
        """Reinstate retired facts, except those that duplicate a live one; with `now`, confirm them as well."""
        async with self._db.writing(guild_id) as connection:
            return await restore(connection, guild_id, fact_ids, now)

    async def confirm(self, guild_id: GuildId, fact_id: int, by_user: UserId, now: datetime) -> Fact | None:
        """Confirm a live fact; the subject's own word makes its confidence high."""
        async with self._db.writing(guild_id) as connection:
            row = await connection.fetchrow(
                """
                UPDATE facts SET last_confirmed_at = greatest(last_confirmed_at, $3),
                                 confidence = CASE WHEN user_id = $4 THEN 'high'
                                                   WHEN confidence = 'low' THEN 'medium' ELSE confidence END
                WHERE guild_id = $1 AND fact_id = $2 AND retired_at IS NULL RETURNING *
                """,
                guild_id,
                fact_id,
                now,
                by_user,
            )
            if row is None:
                return None
            await cascade.facts_changed(connection, guild_id, {row["user_id"]}, [fact_id])
        return fact_of(row)

    async def live(
        self, guild_id: GuildId, user_ids: Collection[UserId], audiences: Collection[AudienceId] | None
    ) -> dict[UserId, list[Fact]]:
        """The live facts of members that `audiences` may hear, or all with None, oldest first."""
        async with self._db.connection() as connection:
            rows = await connection.fetch(
                """
                SELECT * FROM facts
                WHERE guild_id = $1 AND user_id = ANY($2) AND ($3::bigint[] IS NULL OR audience = ANY($3))
                  AND retired_at IS NULL
                ORDER BY created_at, fact_id
                """,
                guild_id,
                list(user_ids),
                None if audiences is None else list(audiences),
            )
        found: dict[UserId, list[Fact]] = {user_id: [] for user_id in user_ids}
        for row in rows:
            found[row["user_id"]].append(fact_of(row))
        return found

    async def own_words(self, guild_id: GuildId, key: str, audiences: Collection[AudienceId]) -> list[Fact]:
        """The live facts with a key that members told of themselves, and that `audiences` may hear."""
        async with self._db.connection() as connection:
            rows = await connection.fetch(
                """
                SELECT * FROM facts
                WHERE guild_id = $1 AND key = $2 AND audience = ANY($3) AND stated_by = user_id AND retired_at IS NULL
                ORDER BY user_id, fact_id
                """,
                guild_id,
                key,
                list(audiences),
            )
        return [fact_of(row) for row in rows]

    async def retired(
        self, guild_id: GuildId, user_id: UserId, audiences: Collection[AudienceId]
    ) -> list[tuple[Fact, Fact | None]]:
        """A member's facts that hold no more, newest first, each with the one that took its place."""
        async with self._db.connection() as connection:
            rows = await connection.fetch(
                """
                SELECT old.*, to_jsonb(newer) - 'words' - 'stems' AS newer
                FROM facts AS old LEFT JOIN facts AS newer ON newer.guild_id = $1 AND newer.fact_id = old.superseded_by
                WHERE old.guild_id = $1 AND old.user_id = $2 AND old.audience = ANY($3) AND old.retired_at IS NOT NULL
                ORDER BY old.retired_at DESC, old.fact_id DESC
                """,
                guild_id,
                user_id,
                list(audiences),
            )
        return [(fact_of(row), fact_of(from_json(row["newer"])) if row["newer"] else None) for row in rows]

    async def ask_once(
        self, guild_id: GuildId, user_id: UserId, audiences: Collection[AudienceId], since: datetime, now: datetime
    ) -> Fact | None:
        """The newest inferred fact about a member that they were not asked about yet, and record that they are.

        None as well if they were asked about any within a day.
        """
        async with self._db.writing(guild_id) as connection:
            row = await connection.fetchrow(
                """
                UPDATE facts SET asked_at = $5
                WHERE guild_id = $1 AND fact_id = (
                    SELECT fact_id FROM facts
                    WHERE guild_id = $1 AND user_id = $2 AND audience = ANY($3) AND source = 'inferred'
                      AND confidence <> 'high' AND retired_at IS NULL AND asked_at IS NULL AND created_at >= $4
                    ORDER BY created_at DESC, fact_id DESC LIMIT 1)
                  AND NOT EXISTS (
                    SELECT 1 FROM facts WHERE guild_id = $1 AND user_id = $2 AND asked_at > $6)
                RETURNING *
                """,
                guild_id,
                user_id,
                list(audiences),
                since,
                now,
                now - ASKED_EVERY,
            )
        return fact_of(row) if row else None

    async def ask_again(self, fact: Fact, since: datetime, now: datetime) -> bool:
        """Record that a member is asked about a fact that may have changed at `since`; whether they should be.

        Not if they were asked since then, or about any fact within a day.
        """
        async with self._db.writing(fact.guild_id) as connection:
            row = await connection.fetchrow(
                """
                UPDATE facts SET asked_at = $4
                WHERE guild_id = $1 AND fact_id = $2 AND retired_at IS NULL AND (asked_at IS NULL OR asked_at < $3)
                  AND NOT EXISTS (
                    SELECT 1 FROM facts asked
                    WHERE asked.guild_id = $1 AND asked.user_id = facts.user_id AND asked.asked_at > $5)
                RETURNING 1
                """,
                fact.guild_id,
                fact.fact_id,
                since,
                now,
                now - ASKED_EVERY,
            )
        return row is not None

    async def list_all(self, guild_id: GuildId, user_id: UserId) -> list[Fact]:
        """All facts about a member, retired and private ones too."""
        async with self._db.connection() as connection:
            rows = await connection.fetch(
                "SELECT * FROM facts WHERE guild_id = $1 AND user_id = $2 ORDER BY fact_id", guild_id, user_id
            )
        return [fact_of(row) for row in rows]

    async def told_with(self, guild_id: GuildId, fact_ids: Collection[int]) -> list[Fact]:
        """Other members' facts that one statement told together with some; not those that they told themselves."""
        async with self._db.connection() as connection:
            rows = await connection.fetch(
                """
                SELECT * FROM facts
                WHERE guild_id = $1 AND fact_id <> ALL($2) AND fact_id IN (
                    SELECT shared::bigint FROM audit, jsonb_array_elements_text(details -> 'shared') AS shared
                    WHERE guild_id = $1 AND details ? 'shared' AND EXISTS (
                        SELECT 1 FROM jsonb_array_elements_text(details -> 'shared') AS one
                        WHERE one::bigint = ANY($2)))
                  AND NOT EXISTS (
                    SELECT 1 FROM fact_sources AS own
                    WHERE own.guild_id = $1 AND own.fact_id = facts.fact_id AND own.stated_by = facts.user_id)
                """,
                guild_id,
                list(fact_ids),
            )
        return [fact_of(row) for row in rows]

    async def taught_by(self, guild_id: GuildId, user_id: UserId, since: datetime, until: datetime) -> list[Fact]:
        """The facts that one member taught in a span of time, retired ones too."""
        async with self._db.connection() as connection:
            rows = await connection.fetch(
                """
                SELECT * FROM facts
                WHERE guild_id = $1 AND stated_by = $2 AND created_at >= $3 AND created_at < $4 ORDER BY fact_id
                """,
                guild_id,
                user_id,
                since,
                until,
            )
        return [fact_of(row) for row in rows]

    async def sources(self, guild_id: GuildId, fact_ids: Collection[int]) -> dict[int, list[FactSource]]:
        """Each time that facts were told, oldest first."""
        async with self._db.connection() as connection:
            rows = await connection.fetch(
                "SELECT * FROM fact_sources WHERE guild_id = $1 AND fact_id = ANY($2) ORDER BY at, message_id",
                guild_id,
                list(fact_ids),
            )
        found: dict[int, list[FactSource]] = {}
        for row in rows:
            found.setdefault(row["fact_id"], []).append(
                FactSource(
                    fact_id=row["fact_id"],
                    message_id=row["message_id"],
                    channel_id=row["channel_id"],
                    stated_by=row["stated_by"],
                    quote=row["quote"],
                    audience=row["audience"],
                    at=row["at"],
                )
            )
        return found

    async def matching(
        self, guild_id: GuildId, user_id: UserId, audiences: Collection[AudienceId], text: str
    ) -> list[tuple[Fact, float]]:
        """Live facts that share words with `text`, best first, each with the share of its words that match.

        The share counts words of four letters or more by their first letters, so that an ending
        ("likes", "liked") does not hide a match.
        """
        async with self._db.connection() as connection:
            rows = await connection.fetch(
                """
                WITH asked AS (
                    SELECT DISTINCT left(word, greatest(length(word) - 2, 4)) AS stem
                    FROM unnest(tsvector_to_array(to_tsvector('simple', $4))) AS word),
                scored AS (
                    SELECT facts.*, (SELECT count(*) FROM asked
                                     WHERE EXISTS (SELECT 1 FROM unnest(tsvector_to_array(words)) AS had
                                                   WHERE starts_with(had, stem))) AS hits,
                           (SELECT count(*) FROM asked) AS wanted
                    FROM facts
                    WHERE guild_id = $1 AND user_id = $2 AND audience = ANY($3) AND retired_at IS NULL)
                SELECT *, hits::float / greatest(wanted, 1) AS share FROM scored
                WHERE hits > 0 ORDER BY share DESC, fact_id
                """,
                guild_id,
                user_id,
                list(audiences),
                text,
            )
        return [(fact_of(row), float(row["share"])) for row in rows]

    async def get_many(self, guild_id: GuildId, fact_ids: Collection[int]) -> dict[int, Fact]:
        """Facts by their numbers, retired ones too."""
        async with self._db.connection() as connection:
            rows = await connection.fetch(
                "SELECT * FROM facts WHERE guild_id = $1 AND fact_id = ANY($2)", guild_id, list(fact_ids)
            )
        return {row["fact_id"]: fact_of(row) for row in rows}

    async def add_exported(self, facts: Collection[Mapping[str, object]]) -> int:
        """Store facts of an export, each once; returns how many were new."""
        new = 0
        async with self._db.transaction() as connection:
            for fact in facts:
                await lock_guild(connection, GuildId(int(str(fact["guild_id"]))))
                message_id = fact["message_id"]
                messages = (MessageId(int(str(message_id))),) if message_id is not None else ()
                stored = await _state(connection, fact, raw=fact["quote"], messages=messages)
                if stored is None:
                    continue
                new += 1
                await blobs.write(connection, stored.guild_id, [stored.user_id])
                await notify(connection, stored.guild_id)
        return new


async def infer(connection: Connection, one: Inferred, audience: AudienceId, now: datetime) -> None:
    """Store a fact that was inferred; where a live one says the same, that one is confirmed in its place."""
    statement = one.statement
    known = one.confirms or await connection.fetchval(
        """
        SELECT fact_id FROM facts
        WHERE guild_id = $1 AND user_id = $2 AND value = $3 AND audience = ANY($4) AND retired_at IS NULL LIMIT 1
        """,
        statement.guild_id,
        statement.user_id,
        one.value,
        [EVERYONE, audience],
    )
    if known is not None:
        await connection.execute(
            """
            UPDATE facts SET last_confirmed_at = greatest(last_confirmed_at, $3)
            WHERE guild_id = $1 AND fact_id = $2 AND retired_at IS NULL
            """,
            statement.guild_id,
            known,
            now,
        )
        await cascade.facts_changed(connection, statement.guild_id, {statement.user_id}, [known])
        return
    stored = await _state(
        connection,
        _columns(one, one.confidence, "inferred", audience, now),
        raw=statement.raw or statement.quote,
        messages=one.evidence,
    )
    if stored is None:
        return
    await blobs.write(connection, statement.guild_id, [statement.user_id])
    await notify(connection, statement.guild_id)


async def restore(
    connection: Connection, guild_id: GuildId, fact_ids: Collection[int], now: datetime | None
) -> list[Fact]:
    """Reinstate retired facts, except those that duplicate a live one. The guild is to be locked."""
    rows = await connection.fetch(
        """
        UPDATE facts SET retired_at = NULL, retired_because = NULL, superseded_by = NULL,
                         last_confirmed_at = greatest(last_confirmed_at, coalesce($3, last_confirmed_at))
        WHERE guild_id = $1 AND fact_id = ANY($2) AND retired_at IS NOT NULL
          AND NOT EXISTS (SELECT 1 FROM facts AS like_it
                          WHERE like_it.guild_id = $1 AND like_it.user_id = facts.user_id AND like_it.key = facts.key
                            AND like_it.value = facts.value AND like_it.audience = facts.audience
                            AND like_it.retired_at IS NULL)
        RETURNING *
        """,
        guild_id,
        list(fact_ids),
        now,
    )
    await cascade.facts_changed(connection, guild_id, {row["user_id"] for row in rows}, fact_ids)
    return [fact_of(row) for row in rows]
