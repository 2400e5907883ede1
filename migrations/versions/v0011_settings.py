"""What a server decides for itself, and whom the bot has introduced itself to.

Reason: language, jokes, how long messages are kept and how much AI a server uses were the operator's to decide, and
nobody was told before their first answer that they are remembered.
"""

from __future__ import annotations

import re

from alembic import op

revision = "0011"
down_revision = "0010"
branch_labels = None
depends_on = None

STATEMENTS = """
ALTER TABLE guild_settings ADD COLUMN mode text NOT NULL DEFAULT 'remember'
    CHECK (mode IN ('off', 'talk', 'remember'));
ALTER TABLE guild_settings ADD COLUMN language text;
ALTER TABLE guild_settings ADD COLUMN names text[] NOT NULL DEFAULT '{}';
ALTER TABLE guild_settings ADD COLUMN jokes boolean NOT NULL DEFAULT true;
ALTER TABLE guild_settings ADD COLUMN retention_days integer CHECK (retention_days > 0);
ALTER TABLE guild_settings ADD COLUMN daily_requests integer CHECK (daily_requests >= 0);

ALTER TABLE members ADD COLUMN introduced boolean NOT NULL DEFAULT true;
ALTER TABLE members ALTER COLUMN introduced SET DEFAULT false
"""


def upgrade() -> None:
    for statement in re.split(r";\n+", STATEMENTS.strip()):
        op.execute(statement)


def downgrade() -> None:
    op.execute("ALTER TABLE members DROP COLUMN introduced")
    op.execute(
        "ALTER TABLE guild_settings DROP COLUMN mode, DROP COLUMN language, DROP COLUMN names, DROP COLUMN jokes,"
        " DROP COLUMN retention_days, DROP COLUMN daily_requests"
    )
