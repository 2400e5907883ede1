"""Provenance: edges from what was derived to its sources, and the one recursive statement along them.

A node is a row by its kind and key: `message:12`, `source:3:12:7`, `note:8`, `context:7:0`. The kinds and keys
are the catalogue's. What a note cites stands in the note and needs no edges.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Mapping
from datetime import date
from typing import TypeVar

from memory.ids import AudienceId, GuildId, MessageId
from memory.store.catalogue import of_node
from memory.store.consents import policy
from memory.store.database import AUDIBLE, CHANNEL, Connection

Node = str
K = TypeVar("K")


def node(kind: str, *key: object) -> Node:
    """The name of a row in `provenance`."""
    return ":".join((kind, *map(str, key)))


def message_ids(nodes: Iterable[Node]) -> list[MessageId]:
    """The messages among some nodes."""
    return [MessageId(n) for n in numbers(nodes, "message")]


def numbers(nodes: Iterable[Node], kind: str) -> list[int]:
    """The ids of the nodes of a kind with a key of one number."""
    return [int(n.partition(":")[2]) for n in nodes if n.startswith(f"{kind}:")]


async def record(connection: Connection, guild_id: GuildId, made: Mapping[Node, Collection[Node]]) -> None:
    """Record what each of `made` was made from, in place of what was recorded before."""
    await connection.execute(f"WITH {RECORD} SELECT", guild_id, *columns(made))


RECORD = """edge AS (SELECT made, source FROM unnest($3::text[], $4::text[]) AS edge (made, source)),
    gone AS (DELETE FROM provenance AS known WHERE guild_id = $1 AND made = ANY($2) AND NOT EXISTS (
                 SELECT 1 FROM edge WHERE edge.made = known.made AND edge.source = known.source)),
    recorded AS (INSERT INTO provenance (guild_id, made, source)
                 SELECT $1, made, source FROM edge ON CONFLICT DO NOTHING)"""
"""What `record` does, for a statement that stores what was made as well: $1 is the guild, $2 to $4 the `columns`."""


def columns(made: Mapping[Node, Collection[Node]]) -> tuple[list[Node], list[Node], list[Node]]:
    """What was made; then of each edge what was made, and from what."""
    edges = [(m, source) for m, sources in made.items() for source in sources]
    return list(made), [m for m, _ in edges], [source for _, source in edges]


async def add(connection: Connection, guild_id: GuildId, edges: Iterable[tuple[Node, Node]]) -> None:
    """Record more edges (made, source)."""
    if not (edges := list(edges)):
        return
    await connection.execute(
        """
        INSERT INTO provenance (guild_id, made, source)
        SELECT $1, made, source FROM unnest($2::text[], $3::text[]) AS edge (made, source) ON CONFLICT DO NOTHING
        """,
        guild_id,
        [made for made, _ in edges],
        [source for _, source in edges],
    )


async def reached_from(
    connection: Connection, guild_id: GuildId, sources: Collection[Node], kept: Collection[Node] = ()
) -> set[Node]:
    """`sources` and everything that was made from them, directly or not, but `kept` and what was made from that."""
    if not sources:
        return set()
    rows = await connection.fetch(
        """
        WITH RECURSIVE reached (node) AS (
            SELECT unnest($2::text[])
            UNION
            SELECT made FROM provenance JOIN reached ON source = node
            WHERE guild_id = $1 AND made <> ALL($3))
        SELECT node FROM reached
        """,
        guild_id,
        list(sources),
        list(kept),
    )
    return {*sources, *(row["node"] for row in rows)}


async def skip(connection: Connection, guild_id: GuildId, nodes: Collection[Node]) -> None:
    """Record for what was made from `nodes` what these were made from: they go, and it stays."""
    await connection.execute(
        """
        WITH RECURSIVE through (made, source) AS (
            SELECT made, source FROM provenance WHERE guild_id = $1 AND source = ANY($2) AND made <> ALL($2)
            UNION
            SELECT through.made, edge.source FROM through
            JOIN provenance AS edge ON edge.made = through.source
            WHERE edge.guild_id = $1 AND through.source = ANY($2))
        INSERT INTO provenance (guild_id, made, source)
        SELECT $1, made, source FROM through WHERE source <> ALL($2)
        ON CONFLICT DO NOTHING
        """,
        guild_id,
        list(nodes),
    )


async def delete(connection: Connection, guild_id: GuildId, nodes: Collection[Node]) -> Counter[str]:
    """Delete the rows of nodes and their edges, and tell every process; how many rows went, by table."""
    if not nodes:
        return Counter()
    keys: dict[str, list[list[str]]] = defaultdict(list)
    for name in nodes:
        kind, *key = name.split(":")
        keys[kind].append(key)
    deletions: list[str] = []
    given: list[object] = [list(nodes), CHANNEL]
    for kind, found in keys.items():
        table = of_node(kind)
        names = [f"k{n}" for n in range(len(table.key))]
        arrays = ", ".join(f"${len(given) + n + 2}::{sqltype}[]" for n, (_, sqltype) in enumerate(table.key))
        same = " AND ".join(f"{table.name}.{c} = {k}" for (c, _), k in zip(table.key, names, strict=True))
        deletions.append(
            f"{kind} AS (DELETE FROM {table.name} USING unnest({arrays}) AS gone ({', '.join(names)})"
            f" WHERE guild_id = $1 AND {same} RETURNING 1)"
        )
        given += [_typed([key[n] for key in found], sqltype) for n, (_, sqltype) in enumerate(table.key)]
    counts = await connection.fetchrow(
        f"""
        WITH {", ".join(deletions)},
        edges AS (DELETE FROM provenance WHERE guild_id = $1 AND (made = ANY($2) OR source = ANY($2)))
        SELECT {", ".join(f"(SELECT count(*) FROM {kind}) AS {kind}" for kind in keys)}, pg_notify($3, $1::text)
        """,
        guild_id,
        *given,
    )
    removed: Counter[str] = Counter()
    if counts is None:  # refused, on a connection that goes on: the rows of every other kind can go
        for kind in keys if len(keys) > 1 else ():
            removed += await delete(connection, guild_id, {n for n in nodes if n.partition(":")[0] == kind})
        return removed
    for kind in keys:
        removed[of_node(kind).name] += counts[kind]
    return removed


def _typed(values: list[str], sqltype: str) -> list[object]:
    if sqltype in ("bigint", "integer"):
        return [int(v) for v in values]
    return [date.fromisoformat(v) for v in values] if sqltype == "date" else list(values)


async def stand(
    connection: Connection,
    guild_id: GuildId,
    audience: AudienceId,
    sources: Collection[Node],
    suppressions: str | None = None,
) -> bool:
    """Whether all facts and notes among `sources` are still there, live, and may be heard in an audience.

    And, given its version, whether nothing was forgotten and nobody chose otherwise since. The guild is to be locked.
    """
    if suppressions is not None and (await policy(connection, guild_id)).version != suppressions:
        return False
    return await standing(connection, guild_id, audience, {None: sources}) == {None}


async def standing(
    connection: Connection, guild_id: GuildId, audience: AudienceId, sources: Mapping[K, Collection[Node]]
) -> set[K]:
    """Those of what was made whose facts and notes all stand. The guild is to be locked."""
    needed = {key: {n for n in nodes if n.startswith(("fact:", "note:"))} for key, nodes in sources.items()}
    every = set().union(*needed.values())
    rows = await connection.fetch(
        f"""
        SELECT concat_ws(':', 'fact', fact_id) AS node FROM facts
        WHERE guild_id = $1 AND fact_id = ANY($2) AND retired_at IS NULL AND audience = ANY({AUDIBLE})
        UNION ALL SELECT concat_ws(':', 'note', note_id) FROM notes
        WHERE guild_id = $1 AND note_id = ANY($4) AND audience = ANY({AUDIBLE})
        """,
        guild_id,
        numbers(every, "fact"),
        audience,
        numbers(every, "note"),
    )
    there = {row["node"] for row in rows}
    return {key for key, nodes in needed.items() if nodes <= there}
