"""Slices and notes in place of daily runs and summaries, people as ids, and one record of what was made from what.

Reason: one change of the past touches one slice, a rename changes nothing that is stored, and every deletion
follows the same edges. Old summaries become one note each, with their evidence; nothing is asked of a model again.
"""

from __future__ import annotations

import re
from collections import defaultdict
from importlib.resources import files

from alembic import op
from sqlalchemy import text

revision = "0005"
down_revision = "0004"
branch_labels = None
depends_on = None

STATEMENTS = r"""
ALTER TABLE chat_history ADD COLUMN addressees bigint[] NOT NULL DEFAULT '{}';
CREATE INDEX chat_history_by_addressee ON chat_history USING gin (addressees) WHERE addressees <> '{}';

CREATE TABLE slices (
    guild_id    bigint      NOT NULL,
    slice_id    bigint      GENERATED ALWAYS AS IDENTITY,
    for_date    date        NOT NULL,
    audience    bigint      NOT NULL,
    from_id     bigint      NOT NULL,
    through_id  bigint      NOT NULL,
    messages    integer     NOT NULL,
    fingerprint text        NOT NULL,
    model       text        NOT NULL,
    refused     boolean     NOT NULL DEFAULT false,
    spoiled     boolean     NOT NULL DEFAULT false,
    purged      boolean     NOT NULL DEFAULT false,
    again       smallint    NOT NULL DEFAULT 0,
    dropped     integer     NOT NULL DEFAULT 0,
    calls       integer     NOT NULL DEFAULT 0,
    tokens_in   integer     NOT NULL DEFAULT 0,
    tokens_out  integer     NOT NULL DEFAULT 0,
    made_at     timestamptz NOT NULL,
    PRIMARY KEY (guild_id, slice_id)
);
CREATE INDEX slices_by_range ON slices (guild_id, audience, from_id, through_id);
CREATE INDEX slices_by_day   ON slices (guild_id, for_date);

CREATE TABLE notes (
    guild_id      bigint      NOT NULL,
    note_id       bigint      GENERATED ALWAYS AS IDENTITY,
    slice_id      bigint      NOT NULL,
    audience      bigint      NOT NULL,
    user_id       bigint,
    channel_id    bigint,
    kind          text        NOT NULL,
    text          text        NOT NULL,
    weight        smallint    NOT NULL CHECK (weight BETWEEN 1 AND 3),
    people        bigint[]    NOT NULL DEFAULT '{}',
    evidence      bigint[]    NOT NULL,
    evidence_by   bigint[]    NOT NULL DEFAULT '{}',
    superseded_by bigint,
    at            timestamptz NOT NULL,
    PRIMARY KEY (guild_id, note_id)
);
CREATE INDEX notes_by_member   ON notes (guild_id, user_id, at);
CREATE INDEX notes_by_slice    ON notes (guild_id, slice_id);
CREATE INDEX notes_by_evidence ON notes USING gin (evidence);
CREATE INDEX notes_by_person   ON notes USING gin (people) WHERE people <> '{}';
CREATE INDEX notes_by_channel  ON notes (guild_id, channel_id, at);

CREATE TABLE provenance (
    guild_id bigint NOT NULL,
    made     text   NOT NULL,
    source   text   NOT NULL,
    PRIMARY KEY (guild_id, made, source)
);
CREATE INDEX provenance_by_source ON provenance (guild_id, source);

CREATE TEMP TABLE days_moved ON COMMIT DROP AS
    SELECT run.guild_id, run.for_date, run.audience, zone.name AS zone, span.first, span.next,
           ((extract(epoch FROM span.first) * 1000)::bigint - 1420070400000) << 22 AS first_id,
           (SELECT count(*) FROM chat_history AS m
            WHERE m.guild_id = run.guild_id AND m.audience = run.audience AND m.timestamp >= span.first
              AND m.timestamp < span.next AND m.message_id <= run.through_id
              AND m.author_kind = 'member' AND NOT m.off_record AND m.message_text <> '') AS stored,
           (SELECT min(m.message_id) FROM chat_history AS m
            WHERE m.guild_id = run.guild_id AND m.audience = run.audience AND m.timestamp >= span.first
              AND m.timestamp < span.next) AS oldest_id,
           (SELECT coalesce(md5(string_agg(message_id || '@' || coalesce(extract(epoch FROM edited_at), 0), ','
                                           ORDER BY message_id)), '') FROM chat_history AS m
            WHERE m.guild_id = run.guild_id AND m.audience = run.audience AND m.timestamp >= span.first
              AND m.timestamp < span.next AND m.message_id <= run.through_id
              AND m.author_kind = 'member' AND NOT m.off_record AND m.message_text <> '') = run.through_digest AS same,
           (SELECT coalesce(min(m.timestamp), 'infinity') FROM chat_history AS m
            WHERE m.guild_id = run.guild_id) > span.first AS purged
    FROM daily_runs AS run
    CROSS JOIN LATERAL (SELECT coalesce(
        (SELECT time_zone FROM guild_settings AS s WHERE s.guild_id = run.guild_id),
        (SELECT value FROM bot_state AS b WHERE b.guild_id = 0 AND b.name = 'time_zone'), 'UTC') AS name) AS zone
    CROSS JOIN LATERAL (SELECT run.for_date::timestamp AT TIME ZONE zone.name AS first,
                               (run.for_date + 1)::timestamp AT TIME ZONE zone.name AS next) AS span
    WHERE run.through_digest <> '';
INSERT INTO slices (guild_id, for_date, audience, from_id, through_id, messages, purged, fingerprint, model, refused,
                    calls, tokens_in, tokens_out, made_at)
    SELECT guild_id, for_date, audience,
           least(day.oldest_id, day.first_id, run.through_id), run.through_id,
           day.stored, NOT day.same, run.through_digest, run.model, run.refused,
           run.calls, run.tokens_in, run.tokens_out, run.made_at
    FROM daily_runs AS run JOIN days_moved AS day USING (guild_id, for_date, audience)
    WHERE day.same OR day.purged;
INSERT INTO notes (guild_id, slice_id, audience, user_id, kind, text, weight, evidence, evidence_by, at)
    SELECT d.guild_id, slices.slice_id, d.audience, d.user_id, 'event', d.summary, 2, d.evidence,
           ARRAY(SELECT coalesce((SELECT m.user_id FROM chat_history AS m
                                  WHERE m.guild_id = d.guild_id AND m.message_id = shown), d.user_id)
                 FROM unnest(d.evidence) WITH ORDINALITY AS e (shown, n) ORDER BY n),
           coalesce((SELECT max(m.timestamp) FROM chat_history AS m
                     WHERE m.guild_id = d.guild_id AND m.message_id = ANY (d.evidence)
                       AND m.timestamp >= day.first AND m.timestamp < day.next), day.first + interval '12 hours')
    FROM daily_summaries AS d
    JOIN days_moved AS day USING (guild_id, for_date, audience)
    JOIN slices USING (guild_id, for_date, audience);
INSERT INTO provenance (guild_id, made, source)
    SELECT guild_id, 'note:' || note_id, 'slice:' || slice_id FROM notes;
INSERT INTO provenance (guild_id, made, source)
    SELECT guild_id, 'source:' || fact_id || ':' || message_id || ':' || stated_by, 'message:' || told
    FROM fact_sources CROSS JOIN LATERAL unnest(message_id || leans_on) AS told
    ON CONFLICT DO NOTHING;
INSERT INTO provenance (guild_id, made, source)
    SELECT guild_id, 'reply:' || trigger_id || ':' || kind, 'message:' || was
    FROM replies CROSS JOIN LATERAL unnest(messages) AS was ON CONFLICT DO NOTHING;
INSERT INTO provenance (guild_id, made, source)
    SELECT guild_id, 'reply:' || trigger_id || ':' || kind, 'fact:' || was
    FROM replies CROSS JOIN LATERAL unnest(facts) AS was ON CONFLICT DO NOTHING;
INSERT INTO provenance (guild_id, made, source)
    SELECT replies.guild_id, 'reply:' || trigger_id || ':' || kind, 'slice:' || slice_id
    FROM replies CROSS JOIN LATERAL unnest(days) AS day
    JOIN slices ON slices.guild_id = replies.guild_id AND slices.for_date || ' ' || slices.audience = day
    ON CONFLICT DO NOTHING;
INSERT INTO provenance (guild_id, made, source)
    SELECT guild_id, 'message:' || was, 'reply:' || trigger_id || ':' || kind
    FROM replies CROSS JOIN LATERAL unnest(reply_ids) AS was ON CONFLICT DO NOTHING;
DROP TABLE daily_summaries;
DROP TABLE daily_runs;
DELETE FROM historical_summaries;
DELETE FROM user_facts;
INSERT INTO provenance (guild_id, made, source)
    SELECT c.guild_id, 'context:' || c.user_id || ':' || c.audience, 'fact:' || f.fact_id
    FROM contexts AS c JOIN facts AS f USING (guild_id, user_id) WHERE f.audience >= 0;
INSERT INTO provenance (guild_id, made, source)
    SELECT c.guild_id, 'context:' || c.user_id || ':' || c.audience, 'note:' || n.note_id
    FROM contexts AS c JOIN notes AS n USING (guild_id, user_id);
DELETE FROM contexts WHERE NOT EXISTS (
    SELECT 1 FROM provenance AS p
    WHERE p.guild_id = contexts.guild_id AND p.made = 'context:' || contexts.user_id || ':' || contexts.audience);
DROP INDEX replies_by_message;
DROP INDEX replies_by_day;
DROP INDEX replies_by_fact;
ALTER TABLE replies DROP COLUMN messages;
ALTER TABLE replies DROP COLUMN facts;
ALTER TABLE replies DROP COLUMN days;
DROP INDEX fact_sources_by_leaning;
ALTER TABLE fact_sources DROP COLUMN leans_on;
"""

_EVERYDAY = ("small.txt", "everyday.txt")


def upgrade() -> None:
    for statement in STATEMENTS.split(";\n"):
        if statement.strip():
            op.execute(statement)
    _name_people()


def _name_people() -> None:
    """Put ids in place of names in stored facts, where a name is certain: one member's, and no everyday word."""
    connection = op.get_bind()
    everyday = {
        word.casefold()
        for name in _EVERYDAY
        for line in (files("memory.wordlists") / name).read_text(encoding="utf-8").splitlines()
        if not line.startswith("#")
        for word in line.split()
    }
    for (guild_id,) in connection.execute(text("SELECT guild_id FROM facts UNION SELECT guild_id FROM notes")).all():
        named: dict[str, set[int]] = defaultdict(set)
        of: dict[int, list[str]] = {}
        members = text(
            "SELECT user_id, display_name, global_name, username, former_names FROM members WHERE guild_id = :g"
        )
        for user_id, shown, everywhere, username, former in connection.execute(members, {"g": guild_id}).all():
            own = [name for name in (shown, everywhere, username) if name and len(name) > 1]
            of[user_id] = own
            for name in (*own, *former):
                named[name.casefold()].add(user_id)
        certain = {
            name: next(iter(users))
            for name, users in named.items()
            if len(users) == 1 and len(name) > 2 and not all(word in everyday for word in name.split())
        }
        notes = text("SELECT note_id, user_id, text FROM notes WHERE guild_id = :g")
        for note_id, user_id, told in connection.execute(notes, {"g": guild_id}).all():
            change = text("UPDATE notes SET text = :t WHERE guild_id = :g AND note_id = :n")
            named_by_id = _with_ids(told, user_id, of.get(user_id, []), certain)
            connection.execute(change, {"t": named_by_id, "g": guild_id, "n": note_id})
        facts = text("SELECT fact_id, user_id, value FROM facts WHERE guild_id = :g")
        for fact_id, user_id, value in connection.execute(facts, {"g": guild_id}).all():
            told = _with_ids(value, user_id, of.get(user_id, []), certain)
            if told != value:
                change = text("UPDATE facts SET value = :v WHERE guild_id = :g AND fact_id = :f")
                connection.execute(change, {"v": told, "g": guild_id, "f": fact_id})
                change = text("UPDATE fact_sources SET value = :v WHERE guild_id = :g AND fact_id = :f AND value = :w")
                connection.execute(change, {"v": told, "g": guild_id, "f": fact_id, "w": value})


def _with_ids(value: str, user_id: int, own: list[str], certain: dict[str, int]) -> str:
    """A fact that begins with a name of its subject names them there; other certain names are ids wherever they are."""
    for name in sorted(own, key=len, reverse=True):
        if re.match(rf"{re.escape(name)}(?!\w)", value):
            value = f"<@{user_id}>{value[len(name) :]}"
            break
    folded = value.casefold()
    present = [name for name in certain if name in folded]
    for name in sorted(present, key=len, reverse=True):
        pattern = rf"(?<![\w@<]){re.escape(name)}(?!\w)"
        value = re.sub(pattern, f"<@{certain[name]}>", value, flags=re.IGNORECASE)
    return value


def downgrade() -> None:
    raise RuntimeError("The version before knows neither slices nor notes: restore a backup instead.")
