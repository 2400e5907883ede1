"""Since when each channel is whole, until when each shard is, and orders in one order.

Reason: a channel of which nothing was stored yet had no cursor, and what was missed of it was lost; the moment at which
a process last lived was by its own clock; and two processes carried out the orders of one server at once.
"""

from __future__ import annotations

import re

from alembic import op

revision = "0013"
down_revision = "0012"
branch_labels = None
depends_on = None

STATEMENTS = """
ALTER TABLE channel_cursors ADD COLUMN since timestamptz;

UPDATE channel_cursors AS known SET since = coalesce(
    (SELECT min(timestamp) FROM chat_history
     WHERE chat_history.guild_id = known.guild_id AND chat_history.channel_id = known.channel_id),
    to_timestamp(((last_message_id >> 22) + 1420070400000) / 1000.0));

ALTER TABLE channel_cursors ALTER COLUMN since SET NOT NULL;

ALTER TABLE shards ADD COLUMN whole_at timestamptz;

UPDATE shards SET whole_at = alive_at;

CREATE INDEX inbox_orders ON inbox (guild_id, trigger_id) WHERE is_order AND state = 'waiting'
"""

BEFORE = """
DROP INDEX inbox_orders;

UPDATE shards SET alive_at = whole_at;

ALTER TABLE shards DROP COLUMN whole_at;

ALTER TABLE channel_cursors DROP COLUMN since
"""


def upgrade() -> None:
    for statement in re.split(r";\n+", STATEMENTS.strip()):
        op.execute(statement.replace(":", r"\:"))


def downgrade() -> None:
    for statement in re.split(r";\n+", BEFORE.strip()):
        op.execute(statement)
