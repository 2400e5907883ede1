"""What a message carries that a model can see or hear, and whether a guild and its channels want that described.

Reason: what a picture shows and what a voice message says is found, told and deleted with the message's words. It
stands in them, so the row keeps which of its lines belongs to which file, and goes as a whole.
"""

from __future__ import annotations

from alembic import op

revision = "0016"
down_revision = "0015"
branch_labels = None
depends_on = None


def upgrade() -> None:
    for statement in (
        "ALTER TABLE chat_history ADD COLUMN files jsonb",
        """CREATE FUNCTION drop_files() RETURNS trigger LANGUAGE plpgsql AS $$
        BEGIN
            NEW.files = NULL;
            RETURN NEW;
        END $$""",
        """CREATE TRIGGER drop_files BEFORE UPDATE ON chat_history FOR EACH ROW
        WHEN (NEW.message_text = '' AND NEW.files IS NOT NULL) EXECUTE FUNCTION drop_files()""",
        """CREATE INDEX chat_history_undescribed ON chat_history (guild_id, message_id)
        WHERE files @> '[{"digest": ""}]'""",
        "CREATE INDEX chat_history_by_file ON chat_history USING gin (files jsonb_path_ops) WHERE files IS NOT NULL",
        "ALTER TABLE guild_settings ADD COLUMN captions boolean NOT NULL DEFAULT true",
        "ALTER TABLE channel_settings ADD COLUMN captions boolean NOT NULL DEFAULT true",
    ):
        op.execute(statement)


def downgrade() -> None:
    for statement in (
        "ALTER TABLE channel_settings DROP COLUMN captions",
        "ALTER TABLE guild_settings DROP COLUMN captions",
        "DROP TRIGGER drop_files ON chat_history",
        "DROP FUNCTION drop_files()",
        "ALTER TABLE chat_history DROP COLUMN files",
    ):
        op.execute(statement)
