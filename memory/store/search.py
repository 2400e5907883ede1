"""The search for what answers a question: who is named, messages; notes, facts and conclusions. A statement each."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from memory.ids import AudienceId, GuildId, MessageId, UserId
from memory.records import Conclusion, Fact, Message, Note
from memory.rules.questions import NamedMember, Stem, Vocabulary
from memory.store.database import Tables
from memory.store.messages import message_of
from memory.store.notes import note_of
from memory.store.people import BEGINNING_SO
from memory.store.rows import HOLDING, SAID_AGAIN, from_json
from memory.store.rows import conclusion as conclusion_of
from memory.store.rows import fact as fact_of

MAX_WORD_HITS = 400
"""Messages with the question's words that are weighed: those with the rarest words."""

HITS = 40
"""Those of them whose neighbours are looked at."""

NEIGHBOUR_LINES = 10
"""Lines of a channel before and after such a message that are looked at."""

MAX_NAME_HITS = 1_000
"""Messages that hold a name from which on it is no longer looked for: whoever is named so often is spoken to."""

MAX_VECTOR_HITS = 100
"""Messages of the nearest meaning that are looked at, where an embedder is set."""

LATEST_MESSAGES = 200
"""The latest messages by, and to, each person who is asked about that are looked at."""

USUAL_STEMS = 9
"""Stems that a message of usual length has: longer ones hold a word more easily (BM25's length, b = .75)."""


@dataclass(frozen=True, kw_only=True)
class Search:
    """A question as it is searched for.

    `stems` are its words with their weight (their rarity, BM25's idf), names aside; `rare` those few enough to be
    looked up. `people` are whom it names; `receivers` are those of them to whom others said or did something, and
    `theirs` are their names as stems. `asker` is who asks; `of_asker` whether it is of them; `own` are their names as
    stems. `first` and `next` are the span of the days it names. Messages from `before_id` on are left out. `vector`
    is its meaning, compared with those in `column`, where an embedder is set.
    """

    guild_id: GuildId
    audiences: Collection[AudienceId]
    at: datetime
    before_id: MessageId
    messages: int
    stems: Sequence[tuple[int, float]] = ()
    people: Collection[UserId] = ()
    asker: UserId | None = None
    of_asker: bool = False
    own: Sequence[Sequence[int]] = ()
    receivers: Collection[UserId] = ()
    theirs: Sequence[Sequence[int]] = ()
    first: datetime | None = None
    next: datetime | None = None
    column: str | None = None
    vector: str | None = None
    limit: int = 50


@dataclass(frozen=True, kw_only=True)
class Weights:
    """The weights of the ranking, fitted as `benchmarks/README.md` describes."""

    words: float = 1.2
    shared: float = 0.4
    next_line: float = 1.0
    line_after: float = 0.5
    answers: float = 0.6
    by_person: float = 1.9
    to_person: float = 1.2
    by_person_words: float = 0.8
    to_asker: float = 2.2
    to_bystander: float = 0.6
    by_asker: float = 1.2
    names_asker: float = 1.8
    to_receiver: float = 1.2
    by_receiver: float = -0.8
    similar: float = 0.3
    recent: float = 0.8
    recent_person: float = 1.4
    in_span: float = 0.7
    length: float = 0.8
    question: float = -0.4
    bot: float = -0.7


WEIGHTS = Weights()

_NEIGHBOURS = f"""
    SELECT message_id, user_id, addressees, timestamp, distance FROM (
        (SELECT message_id, user_id, addressees, timestamp, row_number() OVER (ORDER BY message_id DESC) AS distance
         FROM chat_history AS m
         WHERE m.guild_id = $1 AND m.channel_id = hit.channel_id AND m.message_id < hit.message_id
         ORDER BY message_id DESC LIMIT {NEIGHBOUR_LINES})
        UNION ALL
        (SELECT message_id, user_id, addressees, timestamp, row_number() OVER (ORDER BY message_id) AS distance
         FROM chat_history AS m
         WHERE m.guild_id = $1 AND m.channel_id = hit.channel_id AND m.message_id > hit.message_id
           AND m.message_id < $4
         ORDER BY message_id LIMIT {NEIGHBOUR_LINES})) AS both_ways
    WHERE timestamp BETWEEN hit.timestamp - interval '20 minutes' AND hit.timestamp + interval '20 minutes'"""

_MESSAGES = f"""
WITH asked AS (
    SELECT * FROM unnest($5::bigint[], $6::float8[]) AS word (stem, rarity)),
found AS MATERIALIZED (  -- what has the question's words, by BM25
    SELECT m.message_id, m.channel_id, m.user_id, m.addressees, m.timestamp,
           right(rtrim(m.message_text), 1) = '?' AS asks,
           sum(asked.rarity) * 2.2 / (1 + 1.2 * (.25 + .75 * cardinality(m.stems) / {USUAL_STEMS}.0))::float8 AS words
    FROM asked JOIN chat_history AS m ON m.stems @> ARRAY[asked.stem]
    WHERE m.guild_id = $1 AND m.audience = ANY($2) AND m.message_id < $4 AND NOT m.off_record
    GROUP BY m.guild_id, m.message_id ORDER BY words DESC, m.message_id DESC LIMIT {MAX_WORD_HITS}),
hits AS MATERIALIZED (
    SELECT * FROM found ORDER BY words DESC, message_id DESC LIMIT {HITS}),
around AS MATERIALIZED (  -- the lines before and after them
    SELECT hit.message_id AS hit_id, hit.words, line.message_id, line.distance, line.user_id,
           hit.asks AND line.message_id > hit.message_id AND line.user_id <> hit.user_id AS may_answer,
           exp(-abs(extract(epoch FROM line.timestamp - hit.timestamp)::float8) / 600) AS nearness,
           CASE WHEN both_by AND both_to THEN 1 WHEN both_by OR both_to THEN .5 END AS share
    FROM hits AS hit CROSS JOIN LATERAL ({_NEIGHBOURS}) AS line
    CROSS JOIN LATERAL (SELECT line.user_id = ANY(hit.addressees || hit.user_id) AS both_by,
                               line.addressees && (hit.addressees || hit.user_id) AS both_to) AS talk),
crowd AS (  -- how many others write around each
    SELECT hit_id, greatest(1, count(DISTINCT user_id) FILTER (WHERE distance <= 4) - 1) AS others
    FROM around GROUP BY hit_id),
lent AS (
    SELECT message_id,
           max(words * nearness * share) AS shared,
           max(words / others) FILTER (WHERE distance = 1) AS next_line,
           max(words / others) FILTER (WHERE distance = 2) AS line_after,
           max(words / others) FILTER (WHERE distance = 1 AND may_answer) AS answers
    FROM around JOIN crowd USING (hit_id) GROUP BY message_id),
written AS MATERIALIZED (
    SELECT whose, message_id FROM unnest($7::bigint[] || $8::bigint) AS whose CROSS JOIN LATERAL (
        SELECT message_id FROM chat_history AS m
        WHERE m.guild_id = $1 AND m.user_id = whose AND m.message_id < $4
        ORDER BY message_id DESC LIMIT {LATEST_MESSAGES}) AS line),
addressed AS MATERIALIZED (
    SELECT whose, message_id FROM unnest($7::bigint[] || $8::bigint) AS whose CROSS JOIN LATERAL (
        SELECT message_id FROM chat_history AS m
        WHERE m.guild_id = $1 AND m.addressees[1] = whose AND m.addressees <> '{{}}' AND m.message_id < $4
        ORDER BY message_id DESC LIMIT {LATEST_MESSAGES}) AS line),
naming AS MATERIALIZED (
    SELECT message_id, name @> '{{"of_asker": true}}' AS asker, name @> '{{"of_asker": false}}' AS person
    FROM jsonb_array_elements($9::jsonb) AS name CROSS JOIN LATERAL (
        SELECT message_id FROM (  -- by the index of stems, not from the latest message backwards
            SELECT message_id FROM chat_history AS m
            WHERE m.guild_id = $1 AND m.message_id < $4
              AND m.stems @> ARRAY(SELECT jsonb_array_elements_text(name -> 'stems')::bigint) OFFSET 0) AS all_of_it
        ORDER BY message_id DESC LIMIT {LATEST_MESSAGES}) AS line),
rare AS MATERIALIZED (  -- how much it tells that somebody in particular wrote, or was spoken to: much in a crowd
    SELECT least(1, ln(1 + $10::float8 / (1 + count(*) FILTER (WHERE whose IS DISTINCT FROM $8))) / 6) AS person,
           least(1, ln(1 + $10::float8 / (1 + count(*) FILTER (WHERE whose = $8))) / 6) AS asker
    FROM (SELECT whose FROM written UNION ALL SELECT whose FROM addressed) AS lines),
near AS MATERIALIZED (%NEAR%),
clues AS (  -- that somebody asks, alone, says nothing of what they ask for
    SELECT $14 OR cardinality($7) > 0 OR EXISTS (SELECT FROM found) AS any),
candidates AS (
    SELECT message_id FROM near UNION SELECT message_id FROM found UNION SELECT message_id FROM lent
    UNION SELECT message_id FROM written CROSS JOIN clues WHERE clues.any
    UNION SELECT message_id FROM addressed CROSS JOIN clues WHERE clues.any
    UNION SELECT message_id FROM naming),
best AS MATERIALIZED (
    SELECT greatest(max(words), 1e-9) AS words FROM found),
lines AS MATERIALIZED (
    SELECT line.* FROM candidates CROSS JOIN LATERAL (
        SELECT message_id, user_id, addressees, timestamp, author_kind, cardinality(stems) AS length,
               right(rtrim(message_text), 1) = '?' AS asks
        FROM chat_history AS m
        WHERE m.guild_id = $1 AND m.message_id = candidates.message_id AND m.audience = ANY($2) AND NOT m.off_record
          AND m.message_text <> ''
        OFFSET 0) AS line),  -- one by one: there are few, whatever the planner thinks
signs AS (
    SELECT m.message_id,
           coalesce(found.words / best.words, 0) AS words,
           coalesce(lent.shared / best.words, 0) AS shared,
           coalesce(lent.next_line / best.words, 0) AS next_line,
           coalesce(lent.line_after / best.words, 0) AS line_after,
           coalesce(lent.answers / best.words, 0) AS answers,
           is_by::int * rare.person AS by_person,
           is_to::int * rare.person AS to_person,
           is_by::int * coalesce(found.words / best.words, 0) AS by_person_words,
           (is_to_asker AND $14)::int * rare.asker AS to_asker,
           (is_to_asker AND NOT $14)::int * rare.asker AS to_bystander,
           (m.user_id = coalesce($8, 0) AND $14)::int * rare.asker AS by_asker,
           (NOT is_to_asker AND coalesce(named.asker, false))::int * rare.asker AS names_asker,
           (m.user_id <> ALL($16) AND (m.addressees && $16 OR coalesce(named.person, false)))::int * rare.person
               AS to_receiver,
           (m.user_id = ANY($16))::int * rare.person AS by_receiver,
           coalesce(near.nearness, 0)::float8 AS similar,
           1 / (1 + age / 4) AS recent,
           is_by::int * rare.person / (1 + age / 4) AS recent_person,
           coalesce(m.timestamp >= $11 AND m.timestamp < $12, false)::int AS in_span,
           least(m.length, 8) / 8::float8 AS length,
           m.asks::int AS question,
           (m.author_kind <> 'member')::int AS bot
    FROM lines AS m LEFT JOIN found USING (message_id) LEFT JOIN lent USING (message_id)
    LEFT JOIN near USING (message_id) CROSS JOIN rare CROSS JOIN best
    LEFT JOIN (SELECT message_id, bool_or(asker) AS asker, bool_or(person) AS person
               FROM naming GROUP BY message_id) AS named USING (message_id)
    CROSS JOIN LATERAL (SELECT m.user_id = ANY($7) AS is_by, m.addressees && $7 AS is_to,
                               m.addressees @> ARRAY[coalesce($8, 0)] AS is_to_asker,
                               greatest(extract(epoch FROM $3 - m.timestamp)::float8 / 3600, 0) AS age) AS of_it)
"""


_DERIVED = f"""
WITH asked AS (
    SELECT * FROM unnest($4::bigint[], $5::float8[]) AS word (stem, rarity)),
whose AS (
    SELECT * FROM unnest($6::bigint[] || $7::bigint) AS person (user_id) WHERE user_id IS NOT NULL),
noted AS MATERIALIZED (
    SELECT note_id, sum(rarity) AS words FROM asked JOIN notes ON stems @> ARRAY[asked.stem]
    WHERE guild_id = $1 AND audience = ANY($2) AND at < $3
    GROUP BY note_id ORDER BY words DESC, note_id DESC LIMIT {LATEST_MESSAGES}),
near AS MATERIALIZED (%NEAR%),
about AS (
    SELECT note_id FROM whose CROSS JOIN LATERAL (
        SELECT note_id FROM notes
        WHERE notes.guild_id = $1 AND notes.user_id = whose.user_id AND at < $3
         ORDER BY at DESC LIMIT {LATEST_MESSAGES}) AS note
    UNION SELECT note_id FROM notes
    WHERE notes.guild_id = $1 AND people && $6 AND people <> '{{}}' AND at < $3),
best_notes AS (
    SELECT n AS note, 1.1 * coalesce(noted.words / (SELECT max(words) FROM noted), 0)
           + 1.6 * coalesce(n.user_id = ANY($6), false)::int + 1.2 * (n.people && $6)::int
           + 1.0 * coalesce(n.user_id = $7, false)::int
           + .7 * coalesce($7 = ANY(n.people), false)::int
           + .8 / (1 + extract(epoch FROM $3 - n.at)::float8 / 14400) + .1 * n.weight
           + .7 * coalesce(n.at >= $8 AND n.at < $9, false)::int - .3 * (n.superseded_by IS NOT NULL)::int
           + 1.2 * coalesce(near.nearness, 0)::float8 AS score
    FROM (SELECT note_id FROM noted UNION SELECT note_id FROM about
          UNION SELECT id FROM near WHERE kind = 'note') AS candidate
    CROSS JOIN LATERAL (
        SELECT * FROM notes
        WHERE guild_id = $1 AND notes.note_id = candidate.note_id AND audience = ANY($2) OFFSET 0) AS n
    LEFT JOIN noted ON noted.note_id = n.note_id LEFT JOIN near ON near.kind = 'note' AND near.id = n.note_id
    ORDER BY score DESC, n.note_id DESC LIMIT $10),
told AS MATERIALIZED (
    SELECT fact_id, sum(rarity) AS words FROM asked JOIN facts ON stems @> ARRAY[asked.stem]
    WHERE guild_id = $1 AND audience = ANY($2) AND retired_at IS NULL
    GROUP BY fact_id ORDER BY words DESC, fact_id DESC LIMIT {LATEST_MESSAGES}),
best_facts AS (
    SELECT f AS fact, coalesce(told.words / (SELECT max(words) FROM told), 0)
           + 1.0 * (f.user_id = ANY($6))::int + .6 * coalesce(f.user_id = $7, false)::int
           + 1.2 * coalesce(near.nearness, 0)::float8 AS score
    FROM (SELECT fact_id FROM told UNION SELECT id FROM near WHERE kind = 'fact' UNION
          SELECT fact_id FROM whose JOIN facts ON facts.guild_id = $1 AND facts.user_id = whose.user_id) AS candidate
    CROSS JOIN LATERAL (
        SELECT * FROM facts
        WHERE guild_id = $1 AND facts.fact_id = candidate.fact_id AND audience = ANY($2) AND retired_at IS NULL
        OFFSET 0) AS f
    LEFT JOIN told ON told.fact_id = f.fact_id LEFT JOIN near ON near.kind = 'fact' AND near.id = f.fact_id
    ORDER BY score DESC, f.last_confirmed_at DESC, f.fact_id DESC LIMIT $10),
drawn AS MATERIALIZED (
    SELECT conclusion_id, sum(rarity) AS words FROM asked JOIN conclusions ON stems @> ARRAY[asked.stem]
    WHERE guild_id = $1 AND audience = ANY($2) AND at < $3
    GROUP BY conclusion_id ORDER BY words DESC, conclusion_id DESC LIMIT {LATEST_MESSAGES}),
best_conclusions AS (
    SELECT c AS conclusion, 1.2 * coalesce(drawn.words / (SELECT max(words) FROM drawn), 0)
           + .8 * (c.people && $6 OR c.evidence_by && $6)::int
           + .4 * coalesce(c.people @> ARRAY[$7] OR c.evidence_by @> ARRAY[$7], false)::int
           + .3 / (1 + extract(epoch FROM $3 - c.at)::float8 / 86400)
           + .7 * coalesce(c.at >= $8 AND c.at < $9, false)::int
           + 1.2 * coalesce(near.nearness, 0)::float8 - .5 * (c.replaced_at IS NOT NULL)::int AS score
    FROM (SELECT conclusion_id FROM drawn UNION SELECT id FROM near WHERE kind = 'conclusion' UNION
          SELECT conclusion_id FROM conclusions
          WHERE guild_id = $1 AND people && $6 AND people <> '{{}}' AND audience = ANY($2)) AS candidate
    CROSS JOIN LATERAL (
        SELECT line.*, {HOLDING} FROM conclusions AS line
        WHERE guild_id = $1 AND line.conclusion_id = candidate.conclusion_id AND audience = ANY($2)
          AND at < $3 AND NOT {SAID_AGAIN} OFFSET 0) AS c
    LEFT JOIN drawn ON drawn.conclusion_id = c.conclusion_id
    LEFT JOIN near ON near.kind = 'conclusion' AND near.id = c.conclusion_id
    ORDER BY score DESC, c.conclusion_id DESC LIMIT $10)
SELECT 'note' AS kind, to_jsonb(note) - 'stems' AS entry, score::float8 FROM best_notes
UNION ALL SELECT 'fact', to_jsonb(fact) - 'stems' - 'words', score::float8 FROM best_facts
UNION ALL SELECT 'conclusion', to_jsonb(conclusion) - 'stems', score::float8 FROM best_conclusions ORDER BY score DESC
"""


_NOTHING_NEAR = "SELECT 0::bigint AS message_id, 0::float8 AS nearness WHERE $15::text IS NOT NULL AND false"

_NEARNESS = (
    "((max(distance) OVER ({of}) - distance) / nullif(max(distance) OVER ({of}) - min(distance) OVER ({of}), 0))"
)
"""From 1 for the nearest to 0 for the farthest of those that are looked at: scales of models differ."""

_NEAR = f"""
    SELECT id AS message_id, coalesce({_NEARNESS.format(of="")}, 1) AS nearness FROM (
        SELECT vectors.id, vectors.%COLUMN% <=> $15::text::halfvec AS distance
        FROM vectors JOIN chat_history AS m ON m.guild_id = $1 AND m.message_id = vectors.id
        WHERE vectors.guild_id = $1 AND vectors.kind = 'message' AND m.audience = ANY($2) AND m.message_id < $4
          AND NOT m.off_record
        ORDER BY vectors.%COLUMN% <=> $15::text::halfvec LIMIT {MAX_VECTOR_HITS}) AS nearest
    WHERE distance IS NOT NULL"""

_NO_ENTRY_NEAR = "SELECT '' AS kind, 0::bigint AS id, 0::float8 AS nearness WHERE $11::text IS NOT NULL AND false"

_ENTRIES_NEAR = f"""
    SELECT kind, id, coalesce({_NEARNESS.format(of="PARTITION BY kind")}, 1) AS nearness FROM (
        SELECT kind, id, %COLUMN% <=> $11::text::halfvec AS distance FROM vectors
        WHERE guild_id = $1 AND kind <> 'message'
         ORDER BY %COLUMN% <=> $11::text::halfvec LIMIT {MAX_VECTOR_HITS}) AS nearest
    WHERE distance IS NOT NULL"""


def _derived(column: str | None) -> str:
    return _DERIVED.replace("%NEAR%", _ENTRIES_NEAR.replace("%COLUMN%", column) if column else _NO_ENTRY_NEAR)


def _messages(column: str | None) -> str:
    return _MESSAGES.replace("%NEAR%", _NEAR.replace("%COLUMN%", column) if column else _NOTHING_NEAR)


_SCORE = " + ".join(f"'{weight}'::float8 * signs.{sign}" for sign, weight in vars(WEIGHTS).items())
"""What all signs of a message count together."""


class SearchStore(Tables):
    """Reads for recall, each limited to one guild and to the audiences of the viewer."""

    async def vocabulary(
        self, guild_id: GuildId, tokens: Collection[str], words: Collection[str], asker: UserId | None
    ) -> Vocabulary:
        """Members whose names are `tokens`, or begin with longer ones, and the stems of `words` with their counts."""
        async with self._db.connection() as connection:
            rows = await connection.fetch(
                f"""
                WITH named AS MATERIALIZED (
                    SELECT token, user_id, name = folded AS exact
                    FROM unnest($2::text[]) AS token CROSS JOIN LATERAL (SELECT bare_name(token) AS folded) AS bare
                    CROSS JOIN LATERAL ({BEGINNING_SO}) AS known)
                SELECT token, user_id, exact, NULL::bigint AS stem, NULL::integer AS messages,
                       ARRAY[display_name, coalesce(global_name, ''), username] || aliases || former_names AS names,
                       NULL::bigint[] AS own
                FROM named JOIN members USING (user_id) WHERE guild_id = $1
                UNION ALL
                SELECT word, NULL, NULL, of_word.stem, coalesce(messages, 0), NULL, NULL
                FROM unnest($3::text[]) AS word CROSS JOIN LATERAL unnest(stems_of($1, word)) AS of_word (stem)
                LEFT JOIN lexemes ON lexemes.guild_id = $1 AND lexemes.stem = of_word.stem
                UNION ALL
                SELECT '', NULL, NULL, 0, messages, NULL, NULL FROM lexemes WHERE guild_id = $1 AND stem = 0
                UNION ALL
                SELECT NULL, user_id, NULL, NULL, NULL, NULL, own
                FROM (SELECT $4::bigint AS user_id UNION SELECT user_id FROM named WHERE exact) AS person
                JOIN members USING (user_id) CROSS JOIN LATERAL unnest(ARRAY[display_name, username]) AS name
                CROSS JOIN LATERAL stems_of($1, name) AS own
                WHERE guild_id = $1
                  AND (SELECT min(messages) FROM lexemes
                        WHERE lexemes.guild_id = $1 AND stem = ANY(own)) < {MAX_NAME_HITS}
                """,
                guild_id,
                list(tokens),
                list(words),
                asker,
            )
        return Vocabulary(
            members=tuple(
                NamedMember(
                    token=r["token"], user_id=r["user_id"], names=tuple(filter(None, r["names"])), exact=r["exact"]
                )
                for r in rows
                if r["names"] is not None
            ),
            stems=tuple(
                Stem(token=r["token"], stem=r["stem"], messages=r["messages"])
                for r in rows
                if r["stem"] not in (None, 0)
            ),
            messages=next((r["messages"] for r in rows if r["stem"] == 0), 0),
            names=tuple((r["user_id"], tuple(r["own"])) for r in rows if r["own"]),
        )

    async def messages(self, search: Search) -> list[tuple[Message, float]]:
        """The messages that best answer a question, each with how well, best first."""
        async with self._db.connection() as connection:
            rows = await connection.fetch(
                f"""
                {_messages(search.column if search.vector else None)},
                top AS (SELECT message_id, {_SCORE} AS score FROM signs ORDER BY score DESC, message_id DESC LIMIT $13)
                SELECT m.*, score FROM top JOIN chat_history AS m USING (message_id)
                WHERE m.guild_id = $1 ORDER BY score DESC, message_id DESC
                """,
                search.guild_id,
                list(search.audiences),
                search.at,
                search.before_id,
                [stem for stem, _ in search.stems],
                [rarity for _, rarity in search.stems],
                list(search.people),
                search.asker,
                [
                    *({"of_asker": True, "stems": list(stems)} for stems in search.own),
                    *({"of_asker": False, "stems": list(stems)} for stems in search.theirs),
                ],
                search.messages,
                search.first,
                search.next,
                search.limit,
                search.of_asker,
                search.vector,
                list(search.receivers),
            )
        return [(message_of(row), row["score"]) for row in rows]

    async def derived(self, search: Search, limit: int) -> list[tuple[Note | Fact | Conclusion, float]]:
        """The notes, live facts and conclusions that best answer a question, `limit` of each, each with how well."""
        async with self._db.connection() as connection:
            rows = await connection.fetch(
                _derived(search.column if search.vector else None),
                search.guild_id,
                list(search.audiences),
                search.at,
                [stem for stem, _ in search.stems],
                [rarity for _, rarity in search.stems],
                list(search.people),
                search.asker if search.of_asker else None,
                search.first,
                search.next,
                limit,
                search.vector,
            )
        return [(_ENTRIES[r["kind"]](from_json(r["entry"])), r["score"]) for r in rows]


_ENTRIES: Mapping[str, Callable[[Mapping[str, Any]], Note | Fact | Conclusion]] = {
    "note": note_of,
    "fact": fact_of,
    "conclusion": conclusion_of,
}
"""How the rows of each kind of entry are read."""
