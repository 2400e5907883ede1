"""Where secrets stand in a message, orders that wait, what members were called before, since when names are carried.

Reason: a text is looked at for secrets once, when it comes in; an order given while the bot was away keeps its
words until it is carried out; a name keeps a text from being stored only if it was carried for a day and nobody
else has or had it.
"""

from alembic import op

revision = "0003"
down_revision = "0002"
branch_labels = None
depends_on = None

STATEMENTS = """
ALTER TABLE chat_history ADD COLUMN secret_spans integer[];
CREATE INDEX chat_history_pending ON chat_history (guild_id, message_id) WHERE off_record AND message_text <> '';
ALTER TABLE members ADD COLUMN former_names text[] NOT NULL DEFAULT '{}';
ALTER TABLE members ADD COLUMN named_at timestamptz;
ALTER TABLE consents RENAME COLUMN names TO names_before;
ALTER TABLE consents ADD COLUMN names jsonb NOT NULL DEFAULT '[]';
UPDATE consents SET names = jsonb_build_array(jsonb_build_object(
    'marks', to_jsonb(names_before), 'since', to_json(changed_at), 'until', NULL))
    WHERE names_before <> '{}';
ALTER TABLE consents DROP COLUMN names_before;
"""


def upgrade() -> None:
    for statement in STATEMENTS.split(";\n"):
        if statement.strip():
            op.execute(statement)


def downgrade() -> None:
    raise RuntimeError("What members were called before is not kept by the version before: restore a backup instead.")
