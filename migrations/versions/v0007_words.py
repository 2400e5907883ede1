"""One word for one thing: columns carry the names the rest of the project uses.

Reason: whoever reads a table meets the terms of the code and the documents. No row changes its meaning.
"""

from __future__ import annotations

from alembic import op

revision = "0007"
down_revision = "0006"
branch_labels = None
depends_on = None

RENAMED = (
    ("suppressions", "marks", "fingerprints"),
    ("suppressions", "telling", "distinctive"),
    ("audit", "held", "sealed"),
    ("audit", "holds", "sealed_messages"),
    ("audit", "holds_of", "sealed_ids"),
    ("replies", "given", "record"),
    ("fact_sources", "said", "raw_text"),
    ("user_facts", "made_from", "fingerprint"),
    ("historical_summaries", "made_from", "fingerprint"),
    ("contexts", "made_from", "fingerprint"),
)
"""(table, name until now, name from now on)."""


def upgrade() -> None:
    for table, before, after in RENAMED:
        op.execute(f"ALTER TABLE {table} RENAME COLUMN {before} TO {after}")
    op.execute("ALTER INDEX audit_holding RENAME TO audit_sealed")
    op.execute("""UPDATE consents SET names = replace(names::text, '"marks":', '"fingerprints":')::jsonb""")


def downgrade() -> None:
    op.execute("""UPDATE consents SET names = replace(names::text, '"fingerprints":', '"marks":')::jsonb""")
    op.execute("ALTER INDEX audit_sealed RENAME TO audit_holding")
    for table, before, after in RENAMED:
        op.execute(f"ALTER TABLE {table} RENAME COLUMN {after} TO {before}")
