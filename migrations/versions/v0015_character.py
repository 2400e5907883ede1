"""How the bot sounds in a server.

Reason: each server is another company, and one tone does not fit all of them.
"""

from __future__ import annotations

from alembic import op

revision = "0015"
down_revision = "0014"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.execute("ALTER TABLE guild_settings ADD COLUMN character text NOT NULL DEFAULT ''")


def downgrade() -> None:
    op.execute("ALTER TABLE guild_settings DROP COLUMN character")
