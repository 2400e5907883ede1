"""Messages that are to be read again, one by one.

Reason: a change to one message took all notes of its slice, and the whole slice was read again. Slices that were
waiting for that are deleted, so that their messages count as unread.
"""

from __future__ import annotations

from alembic import op

revision = "0023"
down_revision = "0022"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.execute("ALTER TABLE chat_history ADD COLUMN reread boolean NOT NULL DEFAULT false")
    op.execute("CREATE INDEX chat_history_to_read_again ON chat_history (guild_id, audience, timestamp) WHERE reread")
    op.execute(
        "INSERT INTO provenance (guild_id, made, source)"
        " SELECT guild_id, made, 'note:' || note_id FROM provenance JOIN notes USING (guild_id)"
        " WHERE source = 'slice:' || slice_id AND made NOT LIKE 'note:%' ON CONFLICT DO NOTHING"
    )
    op.execute("DELETE FROM slices WHERE spoiled")
    op.execute("DELETE FROM provenance WHERE source LIKE 'slice:%'")
    op.execute("ALTER TABLE slices DROP COLUMN spoiled, DROP COLUMN purged, DROP COLUMN again")


def downgrade() -> None:
    op.execute(
        "ALTER TABLE slices ADD COLUMN spoiled boolean NOT NULL DEFAULT false,"
        " ADD COLUMN purged boolean NOT NULL DEFAULT false, ADD COLUMN again smallint NOT NULL DEFAULT 0"
    )
    op.execute("DROP INDEX chat_history_to_read_again")
    op.execute("ALTER TABLE chat_history DROP COLUMN reread")
