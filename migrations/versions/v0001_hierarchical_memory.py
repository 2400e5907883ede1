"""Messages, facts, the summaries' levels, replies and usage.

Reason: the first schema. Every primary key starts with guild_id, so the tables distribute by it;
what belongs to no guild (state of the bot itself, totals of a model's quota) has guild_id 0.
"""

from alembic import op

revision = "0001"
down_revision = None
branch_labels = None
depends_on = None

STATEMENTS = """
CREATE TABLE guild_settings (
    guild_id    bigint PRIMARY KEY,
    time_zone   text NOT NULL
);

CREATE TABLE channel_settings (
    guild_id    bigint NOT NULL,
    channel_id  bigint NOT NULL,
    name        text   NOT NULL,
    audience    bigint NOT NULL DEFAULT 0,
    parent_id   bigint,
    PRIMARY KEY (guild_id, channel_id)
);

CREATE TABLE channel_cursors (
    guild_id        bigint NOT NULL,
    channel_id      bigint NOT NULL,
    last_message_id bigint NOT NULL,
    PRIMARY KEY (guild_id, channel_id)
);

CREATE TABLE members (
    guild_id     bigint  NOT NULL,
    user_id      bigint  NOT NULL,
    display_name text    NOT NULL,
    global_name  text,
    username     text    NOT NULL,
    aliases      text[]  NOT NULL DEFAULT '{}',
    author_kind  text    NOT NULL DEFAULT 'member' CHECK (author_kind IN ('member', 'bot', 'webhook', 'self')),
    jokes        boolean NOT NULL DEFAULT true,
    PRIMARY KEY (guild_id, user_id)
);

CREATE TABLE chat_history (
    guild_id     bigint      NOT NULL,
    message_id   bigint      NOT NULL,
    channel_id   bigint      NOT NULL,
    user_id      bigint      NOT NULL,
    message_text text        NOT NULL,
    timestamp    timestamptz NOT NULL,
    reply_to_id  bigint,
    edited_at    timestamptz,
    audience     bigint      NOT NULL DEFAULT 0,
    author_kind  text        NOT NULL DEFAULT 'member' CHECK (author_kind IN ('member', 'bot', 'webhook', 'self')),
    off_record   boolean     NOT NULL DEFAULT false,
    PRIMARY KEY (guild_id, message_id)
);
CREATE INDEX chat_history_by_member  ON chat_history (guild_id, user_id, timestamp);
CREATE INDEX chat_history_by_time    ON chat_history (guild_id, timestamp);
CREATE INDEX chat_history_by_channel ON chat_history (guild_id, channel_id, message_id);

CREATE TABLE facts (
    guild_id          bigint      NOT NULL,
    fact_id           bigint      GENERATED ALWAYS AS IDENTITY,
    user_id           bigint      NOT NULL,
    key               text        NOT NULL,
    value             text        NOT NULL,
    domain            text        NOT NULL,
    confidence        text        NOT NULL CHECK (confidence IN ('high', 'medium', 'low')),
    source            text        NOT NULL CHECK (source IN ('explicit', 'inferred')),
    stated_by         bigint      NOT NULL,
    channel_id        bigint,
    message_id        bigint,
    quote             text        NOT NULL,
    audience          bigint      NOT NULL DEFAULT 0,
    created_at        timestamptz NOT NULL,
    last_confirmed_at timestamptz NOT NULL,
    retired_at        timestamptz,
    retired_because   text,
    superseded_by     bigint,
    words             tsvector GENERATED ALWAYS AS (to_tsvector('simple', value)) STORED,
    PRIMARY KEY (guild_id, fact_id)
);
CREATE UNIQUE INDEX facts_live ON facts (guild_id, user_id, key, md5(value), audience) WHERE retired_at IS NULL;
CREATE INDEX facts_words ON facts USING gin (words) WHERE retired_at IS NULL;

CREATE TABLE user_facts (
    guild_id    bigint      NOT NULL,
    user_id     bigint      NOT NULL,
    audience    bigint      NOT NULL,
    memory_blob text        NOT NULL,
    made_from   text        NOT NULL,
    updated_at  timestamptz NOT NULL,
    PRIMARY KEY (guild_id, user_id, audience)
);

CREATE TABLE daily_runs (
    guild_id        bigint      NOT NULL,
    for_date        date        NOT NULL,
    audience        bigint      NOT NULL,
    closed          boolean     NOT NULL,
    refused         boolean     NOT NULL DEFAULT false,
    made_from       text        NOT NULL,
    through_id      bigint      NOT NULL,
    through_digest  text        NOT NULL,
    model           text        NOT NULL,
    calls           integer     NOT NULL,
    tokens_in       integer     NOT NULL,
    tokens_out      integer     NOT NULL,
    made_at         timestamptz NOT NULL,
    PRIMARY KEY (guild_id, for_date, audience)
);

CREATE TABLE daily_summaries (
    guild_id bigint   NOT NULL,
    for_date date     NOT NULL,
    audience bigint   NOT NULL,
    user_id  bigint   NOT NULL,
    summary  text     NOT NULL,
    evidence bigint[] NOT NULL,
    PRIMARY KEY (guild_id, for_date, audience, user_id)
);

CREATE INDEX daily_summaries_by_evidence ON daily_summaries USING gin (evidence);

CREATE TABLE historical_summaries (
    guild_id  bigint      NOT NULL,
    user_id   bigint      NOT NULL,
    end_date  date        NOT NULL,
    audience  bigint      NOT NULL,
    summary   text        NOT NULL,
    made_from text        NOT NULL,
    refused   boolean     NOT NULL DEFAULT false,
    made_at   timestamptz NOT NULL,
    PRIMARY KEY (guild_id, user_id, end_date, audience)
);

CREATE TABLE contexts (
    guild_id  bigint      NOT NULL,
    user_id   bigint      NOT NULL,
    audience  bigint      NOT NULL,
    context   text        NOT NULL,
    made_from text        NOT NULL,
    for_date  date        NOT NULL,
    made_at   timestamptz NOT NULL,
    PRIMARY KEY (guild_id, user_id, audience)
);

CREATE TABLE replies (
    guild_id   bigint      NOT NULL,
    trigger_id bigint      NOT NULL,
    kind       text        NOT NULL CHECK (kind IN ('answer', 'joke')),
    channel_id bigint      NOT NULL,
    reply_id   bigint,
    given      jsonb       NOT NULL DEFAULT '{}',
    created_at timestamptz NOT NULL,
    PRIMARY KEY (guild_id, trigger_id, kind)
);
CREATE INDEX replies_by_channel ON replies (guild_id, channel_id, kind, created_at);

CREATE TABLE ai_usage (
    guild_id      bigint      NOT NULL,
    model         text        NOT NULL,
    span          text        NOT NULL CHECK (span IN ('minute', 'day')),
    starts_at     timestamptz NOT NULL,
    requests      integer     NOT NULL DEFAULT 0,
    tokens_in     bigint      NOT NULL DEFAULT 0,
    tokens_out    bigint      NOT NULL DEFAULT 0,
    blocked_until timestamptz,
    PRIMARY KEY (guild_id, model, span, starts_at)
);

CREATE TABLE bot_state (
    guild_id bigint NOT NULL,
    name     text   NOT NULL,
    value    text   NOT NULL,
    PRIMARY KEY (guild_id, name)
);
"""


def upgrade() -> None:
    for statement in STATEMENTS.split(";\n"):
        if statement.strip():
            op.execute(statement)


def downgrade() -> None:
    raise RuntimeError("There is nothing before the first schema: restore a backup instead.")
