"""Whether a guild has days read that nobody asked about.

Reason: what is remembered of weeks and months should not depend on who was asked about in time.
"""

from __future__ import annotations

from alembic import op

revision = "0017"
down_revision = "0016"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.execute("ALTER TABLE guild_settings ADD COLUMN read_ahead boolean NOT NULL DEFAULT true")


def downgrade() -> None:
    op.execute("ALTER TABLE guild_settings DROP COLUMN read_ahead")
