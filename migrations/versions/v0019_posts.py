"""What the bot posts by itself, where a server wants it: the week's recap, and birthdays.

Reason: a post is made once whatever happens to a process, and goes when what it rests on is deleted.
"""

from __future__ import annotations

from alembic import op

revision = "0019"
down_revision = "0018"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.execute(
        """
        ALTER TABLE guild_settings
            ADD COLUMN post_channel bigint,
            ADD COLUMN recap        boolean NOT NULL DEFAULT false,
            ADD COLUMN birthdays    boolean NOT NULL DEFAULT false
        """
    )
    op.execute(
        """
        CREATE TABLE posts (
            guild_id    bigint      NOT NULL,
            kind        text        NOT NULL CHECK (kind IN ('recap', 'birthdays')),
            day         date        NOT NULL,
            posted_at   timestamptz NOT NULL,
            channel_id  bigint      NOT NULL,
            is_done     boolean     NOT NULL DEFAULT false,
            message_ids bigint[]    NOT NULL DEFAULT '{}',
            fact_ids    bigint[]    NOT NULL,
            source_ids  bigint[]    NOT NULL,
            version     text        NOT NULL,
            PRIMARY KEY (guild_id, kind, day)
        )
        """
    )


def downgrade() -> None:
    op.execute("DROP TABLE posts")
    op.execute("ALTER TABLE guild_settings DROP COLUMN post_channel, DROP COLUMN recap, DROP COLUMN birthdays")
