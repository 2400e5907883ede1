"""Which earlier conclusions a conclusion replaces, and which it says again.

Reason: a topic's page begins with what holds. The later line points at the earlier, so that the earlier one holds
again when the later is deleted.
"""

from __future__ import annotations

from alembic import op

revision = "0021"
down_revision = "0020"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.execute(
        """
        ALTER TABLE conclusions
            ADD COLUMN replaces bigint[] NOT NULL DEFAULT '{}',
            ADD COLUMN confirms bigint[] NOT NULL DEFAULT '{}'
        """
    )
    op.execute("CREATE INDEX conclusions_replaces ON conclusions USING gin (replaces) WHERE replaces <> '{}'")
    op.execute("CREATE INDEX conclusions_confirms ON conclusions USING gin (confirms) WHERE confirms <> '{}'")


def downgrade() -> None:
    op.execute("DROP INDEX conclusions_replaces")
    op.execute("DROP INDEX conclusions_confirms")
    op.execute("ALTER TABLE conclusions DROP COLUMN replaces, DROP COLUMN confirms")
