"""Where each fact came from, consent, channel modes, suppressions, and an audit of what was changed.

Reason: everything known can be seen, traced, corrected and truly deleted. What was forgotten is held
for Undo only as ciphertext (`audit.held`), whose key is in the button alone.
"""

from alembic import op

revision = "0002"
down_revision = "0001"
branch_labels = None
depends_on = None

STATEMENTS = """
CREATE TABLE fact_sources (
    guild_id   bigint      NOT NULL,
    fact_id    bigint      NOT NULL,
    message_id bigint      NOT NULL,
    channel_id bigint,
    stated_by  bigint      NOT NULL,
    quote      text        NOT NULL,
    said       text        NOT NULL,
    value      text        NOT NULL,
    audience   bigint      NOT NULL DEFAULT 0,
    leans_on   bigint[]    NOT NULL DEFAULT '{}',
    at         timestamptz NOT NULL,
    PRIMARY KEY (guild_id, fact_id, message_id, stated_by)
);
CREATE INDEX fact_sources_by_leaning ON fact_sources USING gin (leans_on) WHERE leans_on <> '{}';
CREATE INDEX fact_sources_by_message ON fact_sources (guild_id, message_id);
CREATE INDEX fact_sources_by_channel ON fact_sources (guild_id, channel_id);
CREATE INDEX fact_sources_by_teller  ON fact_sources (guild_id, stated_by);
INSERT INTO fact_sources (guild_id, fact_id, message_id, channel_id, stated_by, quote, said, value, audience, at)
    SELECT guild_id, fact_id, coalesce(message_id, -fact_id), channel_id, stated_by, quote, quote, value, audience,
           created_at
    FROM facts;
CREATE INDEX facts_by_member ON facts (guild_id, user_id);
CREATE INDEX facts_by_superseder ON facts (guild_id, superseded_by) WHERE superseded_by IS NOT NULL;

CREATE TABLE consents (
    guild_id   bigint      NOT NULL,
    user_id    bigint      NOT NULL,
    consent    text        NOT NULL DEFAULT 'on' CHECK (consent IN ('on', 'explicit', 'off')),
    ignored    boolean     NOT NULL DEFAULT false,
    names      text[]      NOT NULL DEFAULT '{}',
    changed_at timestamptz NOT NULL,
    PRIMARY KEY (guild_id, user_id)
);

CREATE TABLE suppressions (
    guild_id       bigint      NOT NULL,
    suppression_id bigint      GENERATED ALWAYS AS IDENTITY,
    user_id        bigint      NOT NULL,
    marks          text[]      NOT NULL,
    telling        text[]      NOT NULL,
    created_at     timestamptz NOT NULL,
    PRIMARY KEY (guild_id, suppression_id)
);

CREATE TABLE audit (
    guild_id   bigint      NOT NULL,
    entry_id   bigint      GENERATED ALWAYS AS IDENTITY,
    at         timestamptz NOT NULL,
    actor_id   bigint      NOT NULL,
    action     text        NOT NULL,
    user_id    bigint,
    fact_ids   bigint[]    NOT NULL DEFAULT '{}',
    details    jsonb       NOT NULL DEFAULT '{}',
    administrative boolean NOT NULL DEFAULT false,
    held       bytea,
    holds      bigint[]    NOT NULL DEFAULT '{}',
    holds_of   bigint[]    NOT NULL DEFAULT '{}',
    undo_until timestamptz,
    undone_at  timestamptz,
    PRIMARY KEY (guild_id, entry_id)
);
CREATE INDEX audit_by_member ON audit (guild_id, user_id, entry_id);
CREATE INDEX audit_holding   ON audit (guild_id, entry_id) WHERE held IS NOT NULL;

ALTER TABLE guild_settings ALTER COLUMN time_zone DROP NOT NULL;
ALTER TABLE guild_settings ADD COLUMN teachers text NOT NULL DEFAULT 'anyone'
    CHECK (teachers IN ('anyone', 'self', 'moderators'));
ALTER TABLE guild_settings ADD COLUMN log_channel bigint;
ALTER TABLE guild_settings ADD COLUMN greeted_at timestamptz;
ALTER TABLE guild_settings ADD COLUMN left_at timestamptz;
ALTER TABLE channel_settings ADD COLUMN mode text NOT NULL DEFAULT 'remember'
    CHECK (mode IN ('off', 'talk', 'remember'));
ALTER TABLE members ADD COLUMN left_at timestamptz;
ALTER TABLE members ADD COLUMN seen boolean NOT NULL DEFAULT false;
UPDATE members SET seen = true
    WHERE EXISTS (SELECT 1 FROM channel_cursors AS read WHERE read.guild_id = members.guild_id);

UPDATE chat_history SET message_text = '' WHERE off_record;

ALTER TABLE replies DROP CONSTRAINT replies_kind_check;
ALTER TABLE replies ADD CONSTRAINT replies_kind_check CHECK (kind IN ('answer', 'joke', 'edit'));
ALTER TABLE replies ADD COLUMN reply_ids bigint[] NOT NULL DEFAULT '{}';
ALTER TABLE replies ADD COLUMN messages  bigint[] NOT NULL DEFAULT '{}';
ALTER TABLE replies ADD COLUMN facts     bigint[] NOT NULL DEFAULT '{}';
ALTER TABLE replies ADD COLUMN days      text[]   NOT NULL DEFAULT '{}';
UPDATE replies SET reply_ids = ARRAY[reply_id] WHERE reply_id IS NOT NULL;
ALTER TABLE replies DROP COLUMN reply_id;
CREATE INDEX replies_by_message ON replies USING gin (messages);
CREATE INDEX replies_by_day     ON replies USING gin (days);
CREATE INDEX replies_by_fact    ON replies USING gin (facts);
CREATE INDEX replies_by_reply   ON replies USING gin (reply_ids);
DROP INDEX daily_summaries_by_evidence;
"""


def upgrade() -> None:
    for statement in STATEMENTS.split(";\n"):
        if statement.strip():
            op.execute(statement)


def downgrade() -> None:
    raise RuntimeError("What was forgotten cannot be brought back: restore a backup instead.")
