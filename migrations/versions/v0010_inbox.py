"""The inbox, parked work, and which process was last alive with which shard.

Reason: what was asked while the bot was away was not answered, and what was being answered when it was killed never
was; work that cannot be done was lost in a line of the log; and deletions were compared from the start of the process.
"""

from __future__ import annotations

import re

from alembic import op

revision = "0010"
down_revision = "0009"
branch_labels = None
depends_on = None

STATEMENTS = """
CREATE TABLE inbox (
    guild_id   bigint      NOT NULL,
    trigger_id bigint      NOT NULL,
    kind       text        NOT NULL CHECK (kind IN ('answer', 'edit', 'joke', 'interaction')),
    channel_id bigint      NOT NULL,
    user_id    bigint      NOT NULL,
    at         timestamptz NOT NULL,
    is_order   boolean     NOT NULL,
    state      text        NOT NULL DEFAULT 'waiting' CHECK (state IN ('waiting', 'executed', 'done', 'parked')),
    worker     bigint,
    attempts   integer     NOT NULL DEFAULT 0,
    payload    jsonb,
    PRIMARY KEY (guild_id, trigger_id, kind)
);
CREATE INDEX inbox_open ON inbox (guild_id, channel_id, trigger_id) WHERE state IN ('waiting', 'executed');
CREATE INDEX inbox_by_time ON inbox (guild_id, at);
CREATE INDEX inbox_by_member ON inbox (guild_id, user_id);

CREATE TABLE parked (
    guild_id   bigint      NOT NULL,
    parked_id  bigint      GENERATED ALWAYS AS IDENTITY,
    at         timestamptz NOT NULL,
    work       text        NOT NULL,
    channel_id bigint,
    ids        bigint[]    NOT NULL DEFAULT '{}',
    reason     text        NOT NULL,
    retry      boolean     NOT NULL DEFAULT false,
    PRIMARY KEY (guild_id, parked_id)
);

CREATE TABLE processes (
    guild_id   bigint      NOT NULL,
    process_id bigint      NOT NULL,
    started_at timestamptz NOT NULL,
    alive_at   timestamptz NOT NULL,
    PRIMARY KEY (guild_id, process_id)
);

CREATE TABLE shards (
    guild_id    bigint      NOT NULL,
    shard_count integer     NOT NULL,
    shard_id    integer     NOT NULL,
    process_id  bigint,
    claimed_at  timestamptz,
    alive_at    timestamptz,
    PRIMARY KEY (guild_id, shard_count, shard_id)
);

INSERT INTO shards (guild_id, shard_count, shard_id, alive_at)
    SELECT 0, 1, 0, value::timestamptz FROM bot_state WHERE guild_id = 0 AND name = 'alive';
DELETE FROM bot_state WHERE guild_id = 0 AND name = 'alive';

INSERT INTO inbox (guild_id, trigger_id, kind, channel_id, user_id, at, is_order)
    SELECT guild_id, message_id, 'answer', channel_id, user_id, timestamp, true FROM chat_history AS asked
    WHERE off_record AND message_text <> '' AND author_kind = 'member'
      AND NOT EXISTS (SELECT 1 FROM replies WHERE replies.guild_id = asked.guild_id AND trigger_id = message_id
                                              AND reply_ids <> '{}');
DELETE FROM replies WHERE reply_ids = '{}';
DROP INDEX chat_history_pending;

ALTER TABLE guild_settings ADD COLUMN layout text;
ALTER TABLE guild_settings ADD COLUMN roll_called_at timestamptz
"""


def upgrade() -> None:
    for statement in re.split(r";\n+", STATEMENTS.strip()):
        op.execute(statement)


def downgrade() -> None:
    op.execute(
        "CREATE INDEX chat_history_pending ON chat_history (guild_id, message_id)"
        " WHERE off_record AND message_text <> ''"
    )
    op.execute("ALTER TABLE guild_settings DROP COLUMN layout, DROP COLUMN roll_called_at")
    op.execute(
        "INSERT INTO bot_state (guild_id, name, value)"
        " SELECT 0, 'alive', max(alive_at)::text FROM shards HAVING max(alive_at) IS NOT NULL ON CONFLICT DO NOTHING"
    )
    for table in ("shards", "processes", "parked", "inbox"):
        op.execute(f"DROP TABLE {table}")
