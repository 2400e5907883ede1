"""Whether a bare name calls the bot in a server.

Reason: where people talk of bots all day, "bot lane is open" is not for it, and the server could not say so.
"""

from __future__ import annotations

from alembic import op

revision = "0014"
down_revision = "0013"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.execute("ALTER TABLE guild_settings ADD COLUMN bare_names boolean NOT NULL DEFAULT true")


def downgrade() -> None:
    op.execute("ALTER TABLE guild_settings DROP COLUMN bare_names")
