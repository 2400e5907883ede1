"""What a search needs: the stems of every text, how many messages have each, and everybody's names by how they begin.

Reason: a question is answered by what was said, found within its guild alone. The database keeps the stems and the
counts itself, so that whatever blanks, edits or deletes a text takes them along.
"""

from __future__ import annotations

import re

from alembic import op

revision = "0006"
down_revision = "0005"
branch_labels = None
depends_on = None

MARKED = {
    "a": "àáâãäåāăą",
    "c": "çćčĉċ",
    "d": "ďđ",
    "e": "èéêëēĕėęě",
    "g": "ĝğġģ",
    "i": "ìíîïĩīĭį",
    "l": "ĺļľł",
    "n": "ñńņň",
    "o": "òóôõöøōŏő",
    "r": "ŕŗř",
    "s": "śŝşšș",
    "t": "ţťț",
    "u": "ùúûüũūŭůűų",
    "y": "ýÿŷ",
    "z": "źżž",
    "е": "ё",
}
"""Letters without marks, and the same with them."""

SIGNS = "/_-@<>&"
"""Signs that PostgreSQL's parser takes for a part of a path, an address, a tag or an entity: here they end a word."""

STATEMENTS = r"""
CREATE FUNCTION folded(words text) RETURNS text LANGUAGE sql IMMUTABLE PARALLEL SAFE
RETURN CASE WHEN octet_length(words) = length(words) THEN lower(words)
            ELSE translate(lower(words), '%MARKED%', '%PLAIN%') END;

CREATE FUNCTION bare_name(name text) RETURNS text LANGUAGE sql IMMUTABLE PARALLEL SAFE
RETURN coalesce(nullif(regexp_replace(folded(name), '[^[:alnum:]]+', '', 'g'), ''), lower(name));

CREATE FUNCTION stems_of(guild bigint, words text) RETURNS bigint[] LANGUAGE sql IMMUTABLE PARALLEL SAFE
RETURN ARRAY(SELECT hashtextextended(lexeme, guild)
             FROM unnest(to_tsvector('pg_catalog.russian',
                                     translate(folded(words), '%SIGNS%', '       '))));

ALTER TABLE chat_history ADD COLUMN stems bigint[] NOT NULL
    GENERATED ALWAYS AS (stems_of(guild_id, message_text)) STORED;
ALTER TABLE notes ADD COLUMN stems bigint[] NOT NULL GENERATED ALWAYS AS (stems_of(guild_id, text)) STORED;
ALTER TABLE facts ADD COLUMN stems bigint[] NOT NULL GENERATED ALWAYS AS (stems_of(guild_id, value)) STORED;
CREATE INDEX chat_history_by_stem ON chat_history USING gin (stems) WITH (gin_pending_list_limit = 256);
CREATE INDEX chat_history_by_first_addressee ON chat_history (guild_id, (addressees[1]), message_id)
    WHERE addressees <> '{}';
CREATE INDEX chat_history_by_author ON chat_history (guild_id, user_id, message_id);
CREATE INDEX notes_by_stem ON notes USING gin (stems) WITH (gin_pending_list_limit = 64);
CREATE INDEX facts_by_stem ON facts USING gin (stems) WITH (gin_pending_list_limit = 64) WHERE retired_at IS NULL;

CREATE TABLE lexemes (
    guild_id bigint  NOT NULL,
    stem     bigint  NOT NULL,
    messages integer NOT NULL,
    PRIMARY KEY (guild_id, stem)
) WITH (fillfactor = 80);

CREATE TABLE vectors (
    guild_id bigint NOT NULL,
    kind     text   NOT NULL,
    id       bigint NOT NULL,
    PRIMARY KEY (guild_id, kind, id)
);

CREATE FUNCTION count_stems() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    INSERT INTO lexemes AS known (guild_id, stem, messages)
        SELECT guild_id, stem, count(*) FROM written CROSS JOIN LATERAL unnest(stems || 0::bigint) AS stem
        GROUP BY guild_id, stem ORDER BY guild_id, stem
        ON CONFLICT (guild_id, stem) DO UPDATE SET messages = known.messages + excluded.messages;
    RETURN NULL;
END $$;
CREATE FUNCTION uncount_stems() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    PERFORM FROM lexemes JOIN (SELECT DISTINCT guild_id, stem FROM removed
                               CROSS JOIN LATERAL unnest(stems || 0::bigint) AS stem) AS gone USING (guild_id, stem)
        ORDER BY guild_id, stem FOR UPDATE OF lexemes;
    UPDATE lexemes SET messages = messages - gone.count
        FROM (SELECT guild_id, stem, count(*) FROM removed CROSS JOIN LATERAL unnest(stems || 0::bigint) AS stem
              GROUP BY guild_id, stem) AS gone
        WHERE lexemes.guild_id = gone.guild_id AND lexemes.stem = gone.stem;
    DELETE FROM lexemes USING removed
        WHERE lexemes.guild_id = removed.guild_id AND lexemes.stem = ANY(removed.stems || 0::bigint)
          AND lexemes.messages <= 0;
    DELETE FROM vectors USING removed
        WHERE vectors.guild_id = removed.guild_id AND vectors.kind = 'message' AND vectors.id = removed.message_id;
    RETURN NULL;
END $$;
CREATE FUNCTION recount_stems() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    INSERT INTO lexemes AS known (guild_id, stem, messages)
        SELECT guild_id, stem, sum(count) FROM (
            SELECT guild_id, unnest(stems) AS stem, 1 AS count FROM written
            UNION ALL SELECT guild_id, unnest(stems), -1 FROM removed) AS changed
        GROUP BY guild_id, stem HAVING sum(count) <> 0 ORDER BY guild_id, stem
        ON CONFLICT (guild_id, stem) DO UPDATE SET messages = known.messages + excluded.messages;
    DELETE FROM lexemes USING removed
        WHERE lexemes.guild_id = removed.guild_id AND lexemes.stem = ANY(removed.stems) AND lexemes.messages <= 0;
    DELETE FROM vectors USING removed JOIN written USING (guild_id, message_id)
        WHERE vectors.guild_id = removed.guild_id AND vectors.kind = 'message' AND vectors.id = removed.message_id
          AND (removed.message_text <> written.message_text OR written.off_record);
    RETURN NULL;
END $$;
CREATE FUNCTION drop_vector() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF TG_TABLE_NAME = 'notes' THEN
        DELETE FROM vectors WHERE guild_id = OLD.guild_id AND kind = 'note' AND id = OLD.note_id;
    ELSE
        DELETE FROM vectors WHERE guild_id = OLD.guild_id AND kind = 'fact' AND id = OLD.fact_id;
    END IF;
    RETURN NULL;
END $$;
CREATE TRIGGER drop_vector AFTER DELETE OR UPDATE OF text ON notes FOR EACH ROW EXECUTE FUNCTION drop_vector();
CREATE TRIGGER drop_vector AFTER DELETE OR UPDATE OF value ON facts FOR EACH ROW EXECUTE FUNCTION drop_vector();
CREATE TRIGGER count_stems AFTER INSERT ON chat_history
    REFERENCING NEW TABLE AS written FOR EACH STATEMENT EXECUTE FUNCTION count_stems();
CREATE TRIGGER uncount_stems AFTER DELETE ON chat_history
    REFERENCING OLD TABLE AS removed FOR EACH STATEMENT EXECUTE FUNCTION uncount_stems();
CREATE TRIGGER recount_stems AFTER UPDATE ON chat_history
    REFERENCING OLD TABLE AS removed NEW TABLE AS written FOR EACH STATEMENT EXECUTE FUNCTION recount_stems();
INSERT INTO lexemes (guild_id, stem, messages)
    SELECT guild_id, stem, count(*) FROM chat_history CROSS JOIN LATERAL unnest(stems || 0::bigint) AS stem
    GROUP BY guild_id, stem;

CREATE TABLE member_names (
    guild_id bigint NOT NULL,
    name     text   COLLATE "C" NOT NULL,
    user_id  bigint NOT NULL,
    PRIMARY KEY (guild_id, name, user_id)
);
CREATE INDEX member_names_by_member ON member_names (guild_id, user_id);
CREATE FUNCTION name_member() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF TG_OP <> 'INSERT' THEN
        DELETE FROM member_names WHERE guild_id = OLD.guild_id AND user_id = OLD.user_id;
    END IF;
    IF TG_OP <> 'DELETE' THEN
        INSERT INTO member_names (guild_id, name, user_id)
            SELECT DISTINCT NEW.guild_id, left(bare_name(name), 64), NEW.user_id
            FROM unnest(ARRAY[NEW.display_name, NEW.global_name, NEW.username]
                        || NEW.aliases || NEW.former_names) AS name
            WHERE name <> '';
    END IF;
    RETURN NULL;
END $$;
CREATE TRIGGER name_member AFTER INSERT OR DELETE ON members FOR EACH ROW EXECUTE FUNCTION name_member();
CREATE TRIGGER rename_member AFTER UPDATE ON members FOR EACH ROW
    WHEN ((OLD.display_name, OLD.global_name, OLD.username, OLD.aliases, OLD.former_names)
          IS DISTINCT FROM (NEW.display_name, NEW.global_name, NEW.username, NEW.aliases, NEW.former_names))
    EXECUTE FUNCTION name_member();
INSERT INTO member_names (guild_id, name, user_id)
    SELECT DISTINCT guild_id, left(bare_name(name), 64), user_id
    FROM members
    CROSS JOIN LATERAL unnest(ARRAY[display_name, global_name, username] || aliases || former_names) AS name
    WHERE name <> '';
"""


def upgrade() -> None:
    filled = STATEMENTS.replace("%MARKED%", "".join(MARKED.values()) + "’")
    filled = filled.replace("%PLAIN%", "".join(plain * len(marked) for plain, marked in MARKED.items()) + "''")
    filled = filled.replace("%SIGNS%", SIGNS)
    for statement in re.split(r";\n+(?=CREATE|ALTER|INSERT)", filled):
        op.execute(statement)


def downgrade() -> None:
    for statement in (
        "DROP TRIGGER name_member ON members",
        "DROP TRIGGER rename_member ON members",
        "DROP TRIGGER count_stems ON chat_history",
        "DROP TRIGGER uncount_stems ON chat_history",
        "DROP TRIGGER recount_stems ON chat_history",
        "DROP TRIGGER drop_vector ON notes",
        "DROP TRIGGER drop_vector ON facts",
        "DROP FUNCTION name_member(), count_stems(), uncount_stems(), recount_stems(), drop_vector()",
        "DROP TABLE member_names, lexemes, vectors",
        "DROP INDEX chat_history_by_author, chat_history_by_first_addressee",
        "ALTER TABLE chat_history DROP COLUMN stems",
        "ALTER TABLE notes DROP COLUMN stems",
        "ALTER TABLE facts DROP COLUMN stems",
        "DROP FUNCTION stems_of(bigint, text), bare_name(text), folded(text)",
    ):
        op.execute(statement)
