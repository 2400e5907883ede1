"""Messages that are to be read again, one by one.

Reason: a change to one message took all notes of its slice, and the whole slice was read again. Slices that were
waiting for that are deleted, so that their messages count as unread. Notes learn which other messages of their slice
have their words, as they do when they are made from now on.
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
    op.execute(
        "INSERT INTO provenance (guild_id, made, source)"
        " SELECT n.guild_id, 'note:' || note_id, 'message:' || m.message_id"
        " FROM notes AS n JOIN slices AS s USING (guild_id, slice_id)"
        " CROSS JOIN LATERAL (SELECT ARRAY(SELECT unnest(n.stems) EXCEPT SELECT unnest(cited.stems)"
        "     FROM chat_history AS cited WHERE cited.guild_id = n.guild_id AND cited.message_id = ANY(n.evidence))"
        "     AS stems) AS own"
        " JOIN chat_history AS m ON m.guild_id = s.guild_id AND m.audience = s.audience"
        "     AND m.message_id BETWEEN from_id AND through_id AND NOT m.message_id = ANY(n.evidence)"
        " WHERE m.stems && own.stems ON CONFLICT DO NOTHING"
    )
    op.execute("DELETE FROM slices WHERE spoiled")
    op.execute("DELETE FROM provenance WHERE source LIKE 'slice:%'")
    op.execute("ALTER TABLE slices DROP COLUMN spoiled, DROP COLUMN purged, DROP COLUMN again")


def downgrade() -> None:
    op.execute(
        "ALTER TABLE slices ADD COLUMN spoiled boolean NOT NULL DEFAULT false,"
        " ADD COLUMN purged boolean NOT NULL DEFAULT false, ADD COLUMN again smallint NOT NULL DEFAULT 0"
    )
    op.execute(
        "UPDATE slices SET purged = true WHERE from_id < coalesce("
        "(SELECT min(message_id) FROM chat_history AS m WHERE m.guild_id = slices.guild_id), 9223372036854775807)"
    )
    op.execute(
        "UPDATE slices SET spoiled = true WHERE NOT purged AND EXISTS (SELECT 1 FROM chat_history AS m"
        " WHERE m.guild_id = slices.guild_id AND m.audience = slices.audience AND reread"
        " AND m.message_id BETWEEN from_id AND through_id)"
    )
    op.execute(
        "DELETE FROM notes USING slices AS s"
        " WHERE notes.guild_id = s.guild_id AND notes.slice_id = s.slice_id AND s.spoiled"
    )
    op.execute("DROP INDEX chat_history_to_read_again")
    op.execute("ALTER TABLE chat_history DROP COLUMN reread")
