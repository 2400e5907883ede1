"""Whose words each request to a model carried, for a week: numbers alone.

Reason: members see what of theirs was sent to which model, and what for.
"""

from __future__ import annotations

from alembic import op

revision = "0020"
down_revision = "0019"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.execute(
        """
        CREATE TABLE model_calls (
            guild_id    bigint      NOT NULL,
            user_id     bigint      NOT NULL,
            at          timestamptz NOT NULL,
            model       text        NOT NULL,
            use         text        NOT NULL,
            calls       integer     NOT NULL DEFAULT 1,
            message_ids bigint[]    NOT NULL,
            PRIMARY KEY (guild_id, user_id, at, model, use)
        )
        """
    )


def downgrade() -> None:
    op.execute("DROP TABLE model_calls")
