"""user_facts: each member's live facts as one text, for every audience in which they have any."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime

from memory.ids import AudienceId, GuildId, UserId
from memory.records import Fact
from memory.rules.fact_texts import BLOB_CHARACTERS, newest_lines, source_of
from memory.store import provenance
from memory.store.database import Connection, Tables
from memory.store.provenance import node
from memory.store.rows import fact as fact_of

BY_CODE = "code"
"""The maker of a blob that is the facts' own sentences."""


@dataclass(frozen=True)
class Blob:
    """A blob as stored: the fingerprint of its facts, and what put them into these words."""

    text: str
    source: str
    maker: str


async def write(connection: Connection, guild_id: GuildId, user_ids: Collection[UserId]) -> None:
    """Write members' blobs from the facts they have now, as many of the newest as fit. Who calls it tells it on."""
    rows = await connection.fetch(
        """
        SELECT live.*, blobs
        FROM (SELECT jsonb_agg(jsonb_build_array(user_id, audience, fingerprint)) AS blobs
              FROM user_facts WHERE guild_id = $1 AND user_id = ANY($2)) AS known
        LEFT JOIN (
            SELECT facts.*, coalesce(hears, ARRAY[0, audience]::bigint[]) AS hears
            FROM facts LEFT JOIN audiences USING (guild_id, audience)
            WHERE guild_id = $1 AND user_id = ANY($2) AND retired_at IS NULL AND audience >= 0) AS live ON true
        ORDER BY created_at, fact_id
        """,
        guild_id,
        list(user_ids),
    )
    known = {(user_id, audience): fingerprint for user_id, audience, fingerprint in rows[0]["blobs"] or ()}
    rows = [row for row in rows if row["fact_id"] is not None]
    facts = [fact_of(row) for row in rows]
    wanted: dict[tuple[int, int], list[Fact]] = {}
    for audience, audible in {row["audience"]: row["hears"] for row in rows}.items():
        for fact in facts:
            if fact.audience in audible:
                wanted.setdefault((fact.user_id, audience), []).append(fact)
    gone = [key for key in known if key not in wanted]
    await provenance.delete(connection, guild_id, [node("blob", *key) for key in gone])
    new = {key: told for key, told in wanted.items() if known.get(key, "").partition(" ")[0] != source_of(told)}
    await save(connection, guild_id, {key: (newest_lines(told, BLOB_CHARACTERS), told) for key, told in new.items()})


async def save(
    connection: Connection,
    guild_id: GuildId,
    texts: Mapping[tuple[int, int], tuple[str, Sequence[Fact]]],
    maker: str = BY_CODE,
    now: datetime | None = None,
) -> None:
    """Store blobs by (member, audience), with the facts each was made from; as of `now`, or of their newest fact."""
    if not texts:
        return
    rows = [
        (*key, text, f"{source_of(facts)} {maker}", now or max(fact.last_confirmed_at for fact in facts))
        for key, (text, facts) in texts.items()
    ]
    made = {node("blob", *key): [node("fact", fact.fact_id) for fact in facts] for key, (_, facts) in texts.items()}
    await connection.execute(
        f"""
        WITH {provenance.RECORD}
        INSERT INTO user_facts (guild_id, user_id, audience, memory_blob, fingerprint, updated_at)
        SELECT $1, * FROM unnest($5::bigint[], $6::bigint[], $7::text[], $8::text[], $9::timestamptz[])
        ON CONFLICT (guild_id, user_id, audience) DO UPDATE
            SET memory_blob = excluded.memory_blob, fingerprint = excluded.fingerprint, updated_at = excluded.updated_at
            WHERE user_facts.guild_id = $1
        """,
        guild_id,
        *provenance.columns(made),
        *(list(column) for column in zip(*rows, strict=True)),
    )


class BlobStore(Tables):
    """Reads of blobs, and those that a model worded."""

    async def get_many(
        self, guild_id: GuildId, audience: AudienceId, user_ids: Collection[UserId]
    ) -> Mapping[int, Blob]:
        """Members' blobs as stored."""
        async with self._db.connection() as connection:
            rows = await connection.fetch(
                "SELECT * FROM user_facts WHERE guild_id = $1 AND audience = $2 AND user_id = ANY($3)",
                guild_id,
                audience,
                list(user_ids),
            )
        return {row["user_id"]: Blob(row["memory_blob"], *row["fingerprint"].split(" ", 1)) for row in rows}

    async def save(
        self,
        guild_id: GuildId,
        user_id: UserId,
        audience: AudienceId,
        text: str,
        facts: Sequence[Fact],
        maker: str,
        now: datetime,
    ) -> None:
        """Store a blob, if all the facts it was made from still stand."""
        async with self._db.writing(guild_id) as connection:
            sources = [node("fact", fact.fact_id) for fact in facts]
            if await provenance.stand(connection, guild_id, audience, sources):
                await save(connection, guild_id, {(user_id, audience): (text, facts)}, maker, now)
