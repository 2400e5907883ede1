"""Conversations with the bot: sessions with their turns and segments, what they leave, topics, and answers given.

Reason: a conversation of any length is held at constant cost and leaves its conclusions behind. Every text here is
derived from messages and goes with them.
"""

from __future__ import annotations

import re

from alembic import op

revision = "0008"
down_revision = "0007"
branch_labels = None
depends_on = None

STATEMENTS = r"""
CREATE TABLE sessions (
    guild_id        bigint      NOT NULL,
    session_id      bigint      GENERATED ALWAYS AS IDENTITY,
    channel_id      bigint      NOT NULL,
    audience        bigint      NOT NULL,
    is_kept         boolean     NOT NULL,
    state           text        NOT NULL DEFAULT 'active' CHECK (state IN ('active', 'ended')),
    started_at      timestamptz NOT NULL,
    active_at       timestamptz NOT NULL,
    talked_since    timestamptz,
    digested_turn   integer     NOT NULL DEFAULT 0,
    digest_due_at   timestamptz,
    digest_until    timestamptz,
    digest_attempts integer     NOT NULL DEFAULT 0,
    record          jsonb       NOT NULL DEFAULT '{}',
    PRIMARY KEY (guild_id, session_id)
);
CREATE UNIQUE INDEX sessions_active ON sessions (guild_id, channel_id) WHERE state = 'active';
CREATE INDEX sessions_due ON sessions (digest_due_at) WHERE digest_due_at IS NOT NULL;

CREATE TABLE turns (
    guild_id   bigint      NOT NULL,
    session_id bigint      NOT NULL,
    turn       integer     NOT NULL,
    role       text        NOT NULL CHECK (role IN ('user', 'model')),
    user_id    bigint      NOT NULL,
    message_id bigint      NOT NULL,
    text       text        NOT NULL,
    at         timestamptz NOT NULL,
    tokens     integer     NOT NULL,
    continuity real,
    is_shift   boolean     NOT NULL DEFAULT false,
    confirms   bigint[]    NOT NULL DEFAULT '{}',
    PRIMARY KEY (guild_id, session_id, turn)
);
CREATE INDEX turns_by_user ON turns (guild_id, user_id);
CREATE INDEX turns_confirming ON turns (guild_id) WHERE confirms <> '{}';

CREATE TABLE segments (
    guild_id   bigint      NOT NULL,
    session_id bigint      NOT NULL,
    segment    integer     NOT NULL,
    through    integer     NOT NULL,
    content    text        NOT NULL,
    at         timestamptz NOT NULL,
    PRIMARY KEY (guild_id, session_id, segment)
);

CREATE TABLE topics (
    guild_id   bigint      NOT NULL,
    topic_id   bigint      GENERATED ALWAYS AS IDENTITY,
    audience   bigint      NOT NULL,
    name       text        NOT NULL,
    summary    text        NOT NULL DEFAULT '',
    created_at timestamptz NOT NULL,
    updated_at timestamptz NOT NULL,
    split_after timestamptz,
    PRIMARY KEY (guild_id, topic_id)
);
CREATE UNIQUE INDEX topics_by_name ON topics (guild_id, audience, lower(name));

CREATE TABLE conclusions (
    guild_id      bigint      NOT NULL,
    conclusion_id bigint      GENERATED ALWAYS AS IDENTITY,
    audience      bigint      NOT NULL,
    channel_id    bigint,
    session_id    bigint,
    topic_id      bigint,
    kind          text        NOT NULL,
    text          text        NOT NULL,
    people        bigint[]    NOT NULL DEFAULT '{}',
    evidence      bigint[]    NOT NULL DEFAULT '{}',
    evidence_by   bigint[]    NOT NULL DEFAULT '{}',
    at            timestamptz NOT NULL,
    stems         bigint[]    NOT NULL GENERATED ALWAYS AS (stems_of(guild_id, text)) STORED,
    PRIMARY KEY (guild_id, conclusion_id)
);
CREATE INDEX conclusions_by_stem ON conclusions USING gin (stems) WITH (gin_pending_list_limit = 64);
CREATE INDEX conclusions_by_topic ON conclusions (guild_id, topic_id, at);
CREATE INDEX conclusions_by_time ON conclusions (guild_id, at);
CREATE INDEX conclusions_by_people ON conclusions USING gin (people) WHERE people <> '{}';

CREATE TABLE answers (
    guild_id    bigint      NOT NULL,
    answer_id   bigint      GENERATED ALWAYS AS IDENTITY,
    session_id  bigint      NOT NULL,
    audience    bigint      NOT NULL,
    asker       bigint      NOT NULL,
    user_id     bigint      NOT NULL,
    question    text        NOT NULL,
    answer      text        NOT NULL,
    subjects    bigint[]    NOT NULL,
    fingerprint text        NOT NULL,
    is_factual  boolean     NOT NULL,
    record      jsonb       NOT NULL,
    at          timestamptz NOT NULL,
    PRIMARY KEY (guild_id, answer_id)
);
CREATE INDEX answers_by_session ON answers (guild_id, session_id);
CREATE INDEX answers_by_time ON answers (guild_id, at);
CREATE INDEX answers_by_question ON answers (guild_id, question, audience) WHERE is_factual;

ALTER TABLE facts ADD COLUMN asked_at timestamptz;

CREATE OR REPLACE FUNCTION drop_vector() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF TG_TABLE_NAME = 'notes' THEN
        DELETE FROM vectors WHERE guild_id = OLD.guild_id AND kind = 'note' AND id = OLD.note_id;
    ELSIF TG_TABLE_NAME = 'conclusions' THEN
        DELETE FROM vectors WHERE guild_id = OLD.guild_id AND kind = 'conclusion' AND id = OLD.conclusion_id;
    ELSE
        DELETE FROM vectors WHERE guild_id = OLD.guild_id AND kind = 'fact' AND id = OLD.fact_id;
    END IF;
    RETURN NULL;
END $$;
CREATE TRIGGER drop_vector AFTER DELETE OR UPDATE OF text ON conclusions
    FOR EACH ROW EXECUTE FUNCTION drop_vector()
"""


def upgrade() -> None:
    for statement in re.split(r";\n+(?=CREATE|ALTER)", STATEMENTS.strip()):
        op.execute(statement)


def downgrade() -> None:
    op.execute("DELETE FROM vectors WHERE kind = 'conclusion'")
    op.execute(
        "DELETE FROM provenance WHERE made LIKE 'turn:%' OR made LIKE 'segment:%' OR made LIKE 'conclusion:%'"
        " OR made LIKE 'answer:%'"
    )
    op.execute("ALTER TABLE facts DROP COLUMN asked_at")
    for table in ("answers", "conclusions", "topics", "segments", "turns", "sessions"):
        op.execute(f"DROP TABLE {table}")
