"""The database: its catalogue, its statements, its migrations."""

import ast
import asyncio
import importlib
import re
import uuid
from datetime import UTC, datetime
from pathlib import Path
from urllib.parse import urlsplit, urlunsplit

import asyncpg
import pytest
from alembic import command
from alembic.config import Config
from sqlalchemy import Connection as SyncConnection
from sqlalchemy.ext.asyncio import create_async_engine
from sqlalchemy.pool import NullPool

import memory.store
import migrations
from memory import DatabaseUnavailable
from memory.ai.prompts import rendered
from memory.records import DatabaseNewer
from memory.store import Store, cascade
from memory.store.schema import LATEST_REVISION, migrate
from tests.builders import query

STORE = Path(memory.store.__file__).parent
SHARED_BY_ALL = {"alembic_version"}


async def test_guild_id_comes_first_in_every_primary_key(dsn: str) -> None:
    """So the schema distributes over Citus by guild_id as it is."""
    rows = await query(
        dsn,
        """
        SELECT c.relname AS name,
               (SELECT a.attname FROM pg_index i JOIN pg_attribute a ON a.attrelid = c.oid AND a.attnum = i.indkey[0]
                WHERE i.indrelid = c.oid AND i.indisprimary) AS first
        FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
        WHERE c.relkind IN ('r', 'p') AND n.nspname = 'public'
        """,
    )
    tables = {r["name"]: r["first"] for r in rows if r["name"] not in SHARED_BY_ALL}

    assert len(tables) >= 12
    assert set(tables.values()) == {"guild_id"}


async def test_moments_have_zones_and_unique_keys_have_guilds(dsn: str) -> None:
    """Timestamptz everywhere, and no unique index that could not be distributed."""
    zoneless = await query(
        dsn,
        "SELECT table_name FROM information_schema.columns WHERE table_schema = 'public'"
        " AND data_type = 'timestamp without time zone'",
    )
    unique = await query(
        dsn, "SELECT indexdef FROM pg_indexes WHERE schemaname = 'public' AND indexdef LIKE 'CREATE UNIQUE%'"
    )

    assert not zoneless
    assert all("(guild_id" in r["indexdef"] for r in unique if "alembic" not in r["indexdef"])


def statements() -> list[tuple[str, str]]:
    found = []
    for path in sorted(STORE.glob("*.py")):
        tree = ast.parse(path.read_text())
        pieces = {id(v) for node in ast.walk(tree) if isinstance(node, ast.JoinedStr) for v in node.values}
        for node in ast.walk(tree):
            text = ""
            if isinstance(node, ast.JoinedStr):
                text = "".join(v.value if isinstance(v, ast.Constant) else "x" for v in node.values)  # type: ignore[misc]
            elif isinstance(node, ast.Constant) and isinstance(node.value, str) and id(node) not in pieces:
                text = node.value
            if re.match(r"\s*(SELECT|INSERT|UPDATE|DELETE|WITH)\b", text):
                found.append((path.name, " ".join(text.split())))
    return found


def test_every_statement_is_about_a_guild() -> None:
    """Reads, updates and deletions filter by guild_id, inserts carry it; locks, notices, the list of guilds aside."""
    exempt = (
        "pg_extension",
        "pg_advisory",
        "pg_try_advisory",
        "pg_notify",
        "SELECT DISTINCT guild_id FROM channel_settings",
        "SELECT DISTINCT guild_id FROM sessions",
        "pg_stat_activity",
        "pg_tables",
        "FROM pg_class",
        "FROM citus_tables",
        "FROM alembic_version",
        "SELECT count(*) FROM x",  # of every table, where a backup is checked
        "FROM x AS x",
    )
    found = [(where, statement) for where, statement in statements() if not any(word in statement for word in exempt)]

    assert len(found) > 40
    for where, statement in found:
        if statement.startswith("INSERT"):
            assert re.search(r"\(guild_id\b", statement), (where, statement)
        elif " FROM " in statement or statement.startswith("UPDATE"):
            assert re.search(r"guild_id = (\$1|ANY\(\$1\)|\{:d\}|0 )", statement), (where, statement)


async def test_a_cluster_has_its_tables_spread_by_guild(dsn: str) -> None:
    """Where Citus' function is, a migration spreads each table, once, together with the others of its guild."""
    await query(dsn, "CREATE TABLE spread (table_name regclass, by text, beside text)")
    await query(dsn, "CREATE VIEW citus_tables AS SELECT table_name FROM spread")
    await query(
        dsn,
        "CREATE FUNCTION create_distributed_table(name regclass, by text, colocate_with text) RETURNS void"
        " LANGUAGE sql AS 'INSERT INTO spread VALUES (name, by, colocate_with)'",
    )
    for _ in range(2):
        await migrate(dsn)
    rows = await query(dsn, "SELECT table_name::text AS name, by, beside FROM spread")
    there = {row[0] for row in await query(dsn, "SELECT tablename FROM pg_tables WHERE schemaname = 'public'")}

    assert len(rows) == len({row["name"] for row in rows})
    assert {row["name"] for row in rows} == there - SHARED_BY_ALL - {"spread"}
    assert {row["by"] for row in rows} == {"guild_id"}
    assert {row["beside"] for row in rows if row["name"] != "chat_history"} == {"chat_history"}
    assert [row["beside"] for row in rows if row["name"] == "chat_history"] == ["none"]


async def test_processes_that_start_together_migrate_once(empty: str) -> None:
    """Migrations run under a lock: any number may begin at once."""
    revisions = await asyncio.gather(*(migrate(empty) for _ in range(4)))
    assert set(revisions) == {"0023"}
    assert len(await query(empty, "SELECT * FROM alembic_version")) == 1
    assert await migrate(empty) == LATEST_REVISION == "0023"


async def test_a_database_of_the_second_schema_keeps_who_is_not_remembered(empty: str) -> None:
    """The digests of their names count on, as one name that has been carried since the choice."""
    connection = await asyncpg.connect(empty)
    for module in ("v0001_hierarchical_memory", "v0002_forgetting"):
        await connection.execute(importlib.import_module(f"migrations.versions.{module}").STATEMENTS)
    await connection.execute(
        """
        CREATE TABLE alembic_version (version_num varchar(32) PRIMARY KEY);
        INSERT INTO alembic_version VALUES ('0002');
        INSERT INTO consents (guild_id, user_id, consent, names, changed_at)
            VALUES (1, 2, 'off', '{a,b}', '2026-11-01Z'), (1, 3, 'explicit', '{}', '2026-11-01Z');
        INSERT INTO members (guild_id, user_id, display_name, username) VALUES (1, 4, 'Ann', 'ann');
        INSERT INTO chat_history (guild_id, message_id, channel_id, user_id, message_text, timestamp)
            VALUES (1, 6, 5, 4, 'my password is hunter22', '2026-11-01Z');
        """
    )
    await connection.close()
    assert await migrate(empty) == "0023"
    store = await Store.open(empty)
    (name,) = (await store.channels.guild(1))[1]().unnamed[2]
    assert name.fingerprints == {"a", "b"}
    assert (name.since, name.until) == (datetime(2026, 11, 1, tzinfo=UTC), None)
    assert (await store.people.members(1))[4].former_names == ()
    message = await store.messages.get(1, 6)
    assert message is not None
    assert message.secret_spans is None
    assert rendered(message, {}, {}) == "my password is [secret]"
    await store.close()


async def test_what_waits_to_be_read_again_survives_both_ways(dsn: str) -> None:
    """Down to whole slices: those of which something waits are spoiled, those purged in part stay. And up again: a
    note learns which other messages of its slice have its words."""
    await query(
        dsn,
        "INSERT INTO chat_history (guild_id, message_id, channel_id, user_id, message_text, timestamp, reread)"
        " SELECT 1, id, 7, 1, words, now(), again FROM (VALUES (10, 'the parcel was stolen', false),"
        " (11, 'so annoying', false), (12, 'fine weather', false), (20, 'the kiln is hot', true))"
        " AS m (id, words, again)",
    )
    for slice_id, first, last in ((1, 5, 9), (2, 10, 12), (3, 20, 20)):
        await query(
            dsn,
            "INSERT INTO slices (guild_id, slice_id, for_date, audience, from_id, through_id, messages, fingerprint,"
            " model, made_at) OVERRIDING SYSTEM VALUE VALUES (1, $1, '2026-11-10', 0, $2, $3, 1, '', 'm', now())",
            *(slice_id, first, last),
        )
        await query(
            dsn,
            "INSERT INTO notes (guild_id, slice_id, audience, user_id, kind, text, weight, evidence, at)"
            " VALUES (1, $1, 0, 1, 'event', 'annoyed about a stolen parcel', 1, ARRAY[$2::bigint], now())",
            *(slice_id, 11 if slice_id == 2 else first),
        )
    await _to_revision(dsn, "0022")
    rows = await query(dsn, "SELECT slice_id, purged, spoiled FROM slices ORDER BY slice_id")
    assert [tuple(row) for row in rows] == [(1, True, False), (2, False, False), (3, False, True)]
    assert [row[0] for row in await query(dsn, "SELECT slice_id FROM notes ORDER BY slice_id")] == [1, 2]
    assert await migrate(dsn) == LATEST_REVISION
    assert [row[0] for row in await query(dsn, "SELECT slice_id FROM slices ORDER BY slice_id")] == [1, 2]
    edges = await query(dsn, "SELECT source FROM provenance WHERE made LIKE 'note:%'")
    assert [row["source"] for row in edges] == ["message:10"]


async def _to_revision(dsn: str, revision: str) -> None:
    """Take the database back to an earlier schema."""

    def downgrade(connection: SyncConnection) -> None:
        config = Config()
        config.set_main_option("script_location", str(Path(migrations.__file__).parent))
        config.attributes["connection"] = connection
        command.downgrade(config, revision)
        connection.commit()

    engine = create_async_engine(
        "postgresql+asyncpg://", async_creator=lambda: asyncpg.connect(dsn), poolclass=NullPool
    )
    async with engine.connect() as connection:
        await connection.run_sync(downgrade)
    await engine.dispose()


async def test_where_nothing_is_to_be_done_alembic_is_not_asked(dsn: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """One look at the revision is all that most starts need."""

    async def upgrade(dsn: str) -> str:
        raise AssertionError("asked")

    monkeypatch.setattr("memory.store.migrating.upgrade", upgrade)
    assert await migrate(dsn) == LATEST_REVISION


async def test_a_newer_database_is_refused_and_left_as_it_is(dsn: str) -> None:
    """A revision this program does not know means a newer program: it says so and touches nothing."""
    await query(dsn, "UPDATE alembic_version SET version_num = '9999'")
    with pytest.raises(DatabaseNewer, match="newer version"):
        await migrate(dsn)

    assert (await query(dsn, "SELECT version_num FROM alembic_version"))[0][0] == "9999"


async def test_who_may_not_read_the_revision_is_told_what_to_do(dsn: str) -> None:
    """A user of the database without rights gets a sentence, also where nothing is to be migrated."""
    role = f"nobody_{uuid.uuid4().hex[:8]}"
    await query(dsn, f"CREATE ROLE {role} LOGIN PASSWORD 'x'")
    parts = urlsplit(dsn)
    theirs = urlunsplit(parts._replace(netloc=f"{role}:x@{parts.netloc.rpartition('@')[2]}"))
    try:
        with pytest.raises(DatabaseUnavailable, match="GRANT ALL"):
            await migrate(theirs)
    finally:
        await query(dsn, f"DROP ROLE {role}")


@pytest.mark.parametrize(
    "address", ["postgresql://nobody:wrong@127.0.0.1:9/none", "postgresql://localhost/none?host=/nowhere"]
)
async def test_an_unreachable_database_is_one_error(address: str) -> None:
    """Whatever the driver raises, it is one error of ours."""
    with pytest.raises(DatabaseUnavailable):
        await migrate(address)


async def test_hot_reads_use_their_indexes(dsn: str) -> None:
    """The statements of every reply never read a whole table, in a server of fifty channels and a hundred people."""
    connection = await asyncpg.connect(dsn)
    await connection.execute(
        """
        INSERT INTO chat_history (guild_id, channel_id, message_id, user_id, message_text, timestamp)
        SELECT 1, n % 50, n, n % 97, 'words', now() - n * interval '1 minute' FROM generate_series(1, 5000) AS n;
        ANALYZE chat_history
        """
    )
    for condition, index in (
        ("timestamp >= now() - interval '1 hour' AND audience = 0", "chat_history_by_time"),
        ("user_id = ANY('{1}') AND timestamp > now() - interval '1 hour'", "chat_history_by_member"),
        ("channel_id = 2 AND message_id < 4000 ORDER BY message_id DESC LIMIT 20", "chat_history_by_channel"),
    ):
        rows = await connection.fetch(f"EXPLAIN SELECT * FROM chat_history WHERE guild_id = 1 AND {condition}")
        plan = "\n".join(r[0] for r in rows)
        assert f"{index} " in plan, plan
    await connection.close()


async def test_a_database_of_the_first_schema_keeps_what_it_knows(empty: str) -> None:
    """Facts get the one who told them as a source, replies their ids, and orders lose their words."""
    connection = await asyncpg.connect(empty)
    old = importlib.import_module("migrations.versions.v0001_hierarchical_memory")
    await connection.execute(old.STATEMENTS)
    await connection.execute(
        """
        CREATE TABLE alembic_version (version_num varchar(32) PRIMARY KEY);
        INSERT INTO alembic_version VALUES ('0001');
        INSERT INTO facts (guild_id, user_id, key, value, domain, confidence, source, stated_by, message_id,
                           quote, created_at, last_confirmed_at)
            VALUES (1, 2, 'note', 'Ann sings', 'personal', 'high', 'explicit', 3, 4, 'she sings', now(), now()),
                   (1, 2, 'note', 'Ann rows', 'personal', 'high', 'explicit', 3, NULL, 'she rows', now(), now());
        INSERT INTO chat_history (guild_id, message_id, channel_id, user_id, message_text, timestamp, off_record)
            VALUES (1, 4, 5, 3, 'Bot remember that Ann sings', now(), true), (1, 6, 5, 3, 'talk', now(), false);
        INSERT INTO replies (guild_id, trigger_id, kind, channel_id, reply_id, created_at)
            VALUES (1, 4, 'answer', 5, 7, now());
        """
    )
    await connection.close()
    assert await migrate(empty) == "0023"

    sources = await query(empty, "SELECT message_id, stated_by, quote, value FROM fact_sources ORDER BY fact_id")
    assert [tuple(row) for row in sources] == [(4, 3, "she sings", "Ann sings"), (-2, 3, "she rows", "Ann rows")]
    texts = await query(empty, "SELECT message_text FROM chat_history ORDER BY message_id")
    assert [row[0] for row in texts] == ["", "talk"]
    assert [row[0] for row in await query(empty, "SELECT reply_ids FROM replies")] == [[7]]


async def test_a_database_of_the_fourth_schema_keeps_its_summaries(empty: str) -> None:
    """Days become one slice each, summaries notes with their evidence, edges are known, names in facts become ids.

    Nothing is to be read again but what had changed, or came since; notes of what was purged stay.
    """
    day = "2026-11-0"
    connection = await asyncpg.connect(empty)
    for module in ("v0001_hierarchical_memory", "v0002_forgetting", "v0003_repairs", "v0004_audiences"):
        await connection.execute(importlib.import_module(f"migrations.versions.{module}").STATEMENTS)
    await connection.execute(
        f"""
        CREATE TABLE alembic_version (version_num varchar(32) PRIMARY KEY);
        INSERT INTO alembic_version VALUES ('0004');
        INSERT INTO guild_settings (guild_id, time_zone) VALUES (1, 'Europe/Berlin');
        INSERT INTO members (guild_id, user_id, display_name, username, former_names) VALUES
            (1, 21, 'Gruzilkin', 'gruz', '{{}}'), (1, 22, 'Ann', 'ann77', '{{Annika}}'),
            (1, 23, 'Will', 'today', '{{}}'), (1, 24, 'Alex', 'alex1', '{{}}'), (1, 25, 'alex', 'alex2', '{{}}');
        INSERT INTO chat_history (guild_id, message_id, channel_id, user_id, message_text, timestamp) VALUES
            (1, 50, 7, 21, 'the last of the third', '{day}3 22:30Z'),
            (1, 60, 7, 21, 'fixed the kiln', '{day}4 10:00Z'), (1, 61, 7, 22, 'with Ann', '{day}4 11:00Z'),
            (1, 62, 7, 22, 'came later', '{day}4 12:00Z'), (1, 70, 7, 21, 'edited since', '{day}5 10:00Z');
        INSERT INTO daily_runs (guild_id, for_date, audience, closed, made_from, through_id, through_digest, model,
                                calls, tokens_in, tokens_out, made_at)
            SELECT 1, d, 0, true, 'x', t, g, 'flash', 2, 30, 4, now() FROM (VALUES
                (DATE '{day}3', 49, 'of what was purged'),
                (DATE '{day}4', 61, md5('60@0,61@0')),
                (DATE '{day}5', 70, 'of other words')) AS run (d, t, g);
        INSERT INTO daily_summaries (guild_id, for_date, audience, user_id, summary, evidence) VALUES
            (1, '{day}3', 0, 22, 'Ann sailed.', '{{40}}'),
            (1, '{day}4', 0, 21, 'Gruzilkin fixed the kiln with Annika.', '{{60,61}}'),
            (1, '{day}5', 0, 21, 'Gruzilkin wept.', '{{70}}');
        INSERT INTO facts (guild_id, user_id, key, value, domain, confidence, source, stated_by, message_id,
                           quote, created_at, last_confirmed_at)
            SELECT 1, u, 'note', v, 'personal', 'high', 'explicit', 22, 60 + u, v, now(), now() FROM (VALUES
                (21, 'gruz is Sergey and a friend of Ann'), (21, 'Gruzilkin leaves today, will return'),
                (24, 'Alex sings with alex')) AS told (u, v);
        INSERT INTO fact_sources (guild_id, fact_id, message_id, stated_by, quote, said, value, at, leans_on)
            SELECT 1, fact_id, message_id, 22, quote, quote, value, now(), '{{61}}' FROM facts;
        INSERT INTO contexts (guild_id, user_id, audience, context, made_from, for_date, made_at)
            VALUES (1, 21, 0, 'all of it', 'x', '{day}5', now()), (1, 25, 0, 'nothing', 'x', '{day}5', now());
        INSERT INTO replies (guild_id, trigger_id, kind, channel_id, created_at, reply_ids, messages, facts, days)
            VALUES (1, 80, 'answer', 7, now(), '{{81}}', '{{60}}', '{{1}}', '{{"{day}4 0"}}');
        """
    )
    await connection.close()
    assert await migrate(empty) == "0023"

    assert all(row[0] for row in await query(empty, "SELECT introduced FROM members"))  # they met it long ago
    slices = await query(empty, "SELECT * FROM slices ORDER BY for_date")
    assert [(str(s["for_date"]), s["through_id"], s["messages"]) for s in slices] == [
        ("2026-11-03", 49, 0),
        ("2026-11-04", 61, 2),
    ]
    assert slices[1]["from_id"] == 60
    notes = await query(empty, "SELECT * FROM notes ORDER BY note_id")
    assert [(n["user_id"], n["text"], list(n["evidence"]), list(n["evidence_by"])) for n in notes] == [
        (22, "<@22> sailed.", [40], [22]),
        (21, "<@21> fixed the kiln with <@22>.", [60, 61], [21, 22]),
    ]
    assert notes[0]["at"] == datetime(2026, 11, 3, 11, tzinfo=UTC)
    assert notes[1]["at"] == datetime(2026, 11, 4, 11, tzinfo=UTC)
    facts = [row[0] for row in await query(empty, "SELECT value FROM facts ORDER BY fact_id")]
    assert facts == [
        "<@21> is Sergey and a friend of <@22>",
        "<@21> leaves today, will return",
        "<@24> sings with alex",
    ]
    assert facts == [row[0] for row in await query(empty, "SELECT value FROM fact_sources ORDER BY fact_id")]
    edges = {tuple(row) for row in await query(empty, "SELECT made, source FROM provenance")}
    made = notes[1]["note_id"]
    assert {
        ("source:1:81:22", "message:81"),
        ("source:1:81:22", "message:61"),
        ("reply:80:answer", "message:60"),
        ("reply:80:answer", "fact:1"),
        ("reply:80:answer", f"note:{made}"),
        ("message:81", "reply:80:answer"),
        ("context:21:0", "fact:1"),
        ("context:21:0", f"note:{made}"),
    } <= edges
    assert [row[0] for row in await query(empty, "SELECT user_id FROM contexts")] == [21]
    store = await Store.open(empty)
    unread = await store.notes.unread(
        1, 0, (datetime(2026, 11, 3, 23, tzinfo=UTC), datetime(2026, 11, 5, 23, tzinfo=UTC))
    )
    assert [one.message.message_id for one in unread] == [62, 70]
    async with store.database.writing(1) as connection:
        await cascade.forgotten(connection, 1, messages=[40])
    assert [n["user_id"] for n in await query(empty, "SELECT user_id FROM notes")] == [21]
    async with store.database.writing(1) as connection:
        await cascade.forgotten(connection, 1, messages=[61])
    assert not await query(empty, "SELECT 1 FROM notes")
    assert not await query(empty, "SELECT 1 FROM facts")
    assert not await query(empty, "SELECT 1 FROM contexts")
    assert [row[0] for row in await query(empty, "SELECT message_id FROM chat_history WHERE reread")] == [60]
    await store.close()
