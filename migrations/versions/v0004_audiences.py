"""Audiences are classes of channels with the same readers, and each knows which others may be heard in it.

Reason: where a role opens the channels of a server, each channel was an island. Channels keep the audience
they have until the bot sees their overwrites again; what cannot be placed stays a class of its own.
"""

from alembic import op

revision = "0004"
down_revision = "0003"
branch_labels = None
depends_on = None

STATEMENTS = """
CREATE TABLE audiences (
    guild_id bigint   NOT NULL,
    audience bigint   NOT NULL,
    hears    bigint[] NOT NULL,
    PRIMARY KEY (guild_id, audience)
);
INSERT INTO audiences (guild_id, audience, hears)
    SELECT DISTINCT guild_id, audience, CASE WHEN audience = 0 THEN ARRAY[0]::bigint[] ELSE ARRAY[0, audience] END
    FROM channel_settings;
ALTER TABLE guild_settings ADD COLUMN base_role bigint;
"""


def upgrade() -> None:
    for statement in STATEMENTS.split(";\n"):
        if statement.strip():
            op.execute(statement)


def downgrade() -> None:
    raise RuntimeError("The version before knows channels alone: restore a backup instead.")
