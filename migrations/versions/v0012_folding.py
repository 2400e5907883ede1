"""One folding: the database compares and searches texts as the code does, invisible signs, widths and marks aside.

Reason: a forgotten statement written with soft hyphens, fillers or decomposed letters was another word to searches.
`compared` gives what `memory.rules.folding.folded` does. `folded`, which stems are made of, keeps й and ё apart as
before, and changes nothing for texts that are written plainly.

Kept answers are for whoever asked, alone: those that were kept for everybody go.
"""

from __future__ import annotations

import re

from alembic import op

from migrations.versions.v0006_recall import MARKED

revision = "0012"
down_revision = "0011"
branch_labels = None
depends_on = None

INVISIBLE = (
    r"\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b-\u200f\u202a-\u202e\u2060-\u206f\u2800"
    r"\u3164\ufe00-\ufe0f\ufeff\uffa0\ufff9-\ufffb\U000e0000-\U000e0fff"
)
ODD = rf"[{INVISIBLE}\u0300-\u036f\uff01-\uffee\U0001d400-\U0001d7ff]"
"""What makes a text look other than it is written: those alone are folded again."""

STATEMENTS = r"""
CREATE FUNCTION compared(words text) RETURNS text LANGUAGE sql IMMUTABLE PARALLEL SAFE
RETURN CASE WHEN octet_length(words) = length(words) THEN lower(words)
            ELSE replace(normalize(regexp_replace(normalize(lower(regexp_replace(words, '[%INVISIBLE%]', '', 'g')),
                                                            NFKD), '[\u0300-\u036f]', '', 'g'), NFC), '’', '''') END;

CREATE OR REPLACE FUNCTION folded(words text) RETURNS text LANGUAGE sql IMMUTABLE PARALLEL SAFE
RETURN CASE WHEN octet_length(words) = length(words) THEN lower(words)
            WHEN words ~ '%ODD%' THEN
                translate(regexp_replace(lower(normalize(regexp_replace(words, '[%INVISIBLE%]', '', 'g'), NFKC)),
                                         '[\u0300-\u036f]', '', 'g'), '%MARKED%', '%PLAIN%')
            ELSE translate(lower(words), '%MARKED%', '%PLAIN%') END;

UPDATE chat_history SET message_text = message_text WHERE message_text ~ '%ODD%';

UPDATE notes SET text = text WHERE text ~ '%ODD%';

UPDATE facts SET value = value WHERE value ~ '%ODD%';

UPDATE conclusions SET text = text WHERE text ~ '%ODD%';

INSERT INTO member_names (guild_id, name, user_id)
    SELECT DISTINCT guild_id, left(bare_name(name), 64), user_id
    FROM members
    CROSS JOIN LATERAL unnest(ARRAY[display_name, global_name, username] || aliases || former_names) AS name
    WHERE name ~ '%ODD%' ON CONFLICT DO NOTHING;

DELETE FROM provenance WHERE made LIKE 'answer:%';

DELETE FROM answers;

ALTER TABLE answers DROP COLUMN asker
"""

BEFORE = r"""
CREATE OR REPLACE FUNCTION folded(words text) RETURNS text LANGUAGE sql IMMUTABLE PARALLEL SAFE
RETURN CASE WHEN octet_length(words) = length(words) THEN lower(words)
            ELSE translate(lower(words), '%MARKED%', '%PLAIN%') END;

DROP FUNCTION compared(text);

ALTER TABLE answers ADD COLUMN asker bigint NOT NULL DEFAULT 0;

ALTER TABLE answers ALTER COLUMN asker DROP DEFAULT
"""


def _run(statements: str) -> None:
    filled = statements.replace("%MARKED%", "".join(MARKED.values()) + "’")
    filled = filled.replace("%PLAIN%", "".join(plain * len(marked) for plain, marked in MARKED.items()) + "''")
    filled = filled.replace("%ODD%", ODD).replace("%INVISIBLE%", INVISIBLE)
    for statement in re.split(r";\n+", filled.strip()):
        op.execute(statement.replace(":", r"\:"))


def upgrade() -> None:
    _run(STATEMENTS)


def downgrade() -> None:
    _run(BEFORE)
