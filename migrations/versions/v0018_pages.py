"""Links to members' pages, and their sessions in a browser. Of both, only the hash is stored.

Reason: any process may serve any page, and whoever reads the database must not be able to open one.
"""

from __future__ import annotations

from alembic import op

revision = "0018"
down_revision = "0017"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.execute(
        """
        CREATE TABLE page_access (
            guild_id   bigint      NOT NULL,
            hash       bytea       NOT NULL,
            kind       text        NOT NULL CHECK (kind IN ('link', 'session')),
            user_id    bigint      NOT NULL,
            language   text        NOT NULL,
            expires_at timestamptz NOT NULL,
            PRIMARY KEY (guild_id, hash)
        )
        """
    )
    op.execute("CREATE INDEX page_access_by_member ON page_access (guild_id, user_id)")
    op.execute("ALTER TABLE inbox DROP CONSTRAINT inbox_kind_check")
    op.execute(
        """
        ALTER TABLE inbox ADD CONSTRAINT inbox_kind_check
            CHECK (kind IN ('answer', 'edit', 'joke', 'interaction', 'page'))
        """
    )


def downgrade() -> None:
    op.execute("DELETE FROM inbox WHERE kind = 'page'")
    op.execute("ALTER TABLE inbox DROP CONSTRAINT inbox_kind_check")
    op.execute(
        """
        ALTER TABLE inbox ADD CONSTRAINT inbox_kind_check CHECK (kind IN ('answer', 'edit', 'joke', 'interaction'))
        """
    )
    op.execute("DROP TABLE page_access")
