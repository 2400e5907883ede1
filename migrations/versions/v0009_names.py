"""A name that others gave somebody is a claim until they agree.

Reason: "ann is Bob", told by anybody, made Bob unfindable and let Ann's words about herself reach Bob's. Aliases that
rest on others' word alone are let go; the facts that told them stay, and whoever told one still finds the person by it.
"""

from __future__ import annotations

from alembic import op

revision = "0009"
down_revision = "0008"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.execute(
        """
        UPDATE members SET aliases = ARRAY(
            SELECT alias FROM unnest(aliases) AS alias
            WHERE EXISTS (SELECT 1 FROM facts
                          WHERE facts.guild_id = members.guild_id AND facts.user_id = members.user_id
                            AND retired_at IS NULL AND audience = 0
                            AND (stated_by = members.user_id OR confidence = 'high')
                            AND position(lower(alias) IN lower(value)) > 0))
        WHERE aliases <> '{}'
        """
    )


def downgrade() -> None:
    """Nothing to take back: the facts that gave aliases are as they were."""
