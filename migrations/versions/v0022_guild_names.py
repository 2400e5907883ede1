"""What a guild is called.

Reason: facts can be about the server itself, and are then shown under its name.
"""

from __future__ import annotations

from alembic import op

revision = "0022"
down_revision = "0021"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.execute("ALTER TABLE guild_settings ADD COLUMN guild_name text NOT NULL DEFAULT ''")


def downgrade() -> None:
    op.execute("ALTER TABLE guild_settings DROP COLUMN guild_name")
