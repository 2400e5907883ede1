"""A database is given to the next test as the first one got it, or not at all."""

from __future__ import annotations

import asyncio

import asyncpg
import pytest

from tests.builders import query
from tests.databases import Databases, database_in
from tests.line import Line


async def test_rows_and_numbers_go(databases: Databases) -> None:
    """Nothing that a test stored is there for the next one, which counts from 1; nobody is connected any more."""
    databases = Databases(
        databases.server, databases.template, databases.keeper
    )  # those of other tests may have grown to their end
    name = await databases.take()
    dsn = database_in(databases.server, name)
    left_open = await asyncpg.connect(dsn)
    for _ in range(2):
        await left_open.execute(
            "INSERT INTO audit (guild_id, at, actor_id, action) VALUES (1, now(), 2, 'undo')",
        )
    await databases.give_back(name)
    assert name in databases.free
    assert left_open.is_closed()
    databases.free.remove(name)
    databases.free.append(name)
    assert await databases.take() == name
    assert not await query(dsn, "SELECT 1 FROM audit")
    (row,) = await query(
        dsn, "INSERT INTO audit (guild_id, at, actor_id, action) VALUES (1, now(), 2, 'undo') RETURNING entry_id"
    )
    assert row["entry_id"] == 1
    await databases.give_back(name)


@pytest.mark.parametrize(
    "change",
    [
        "DROP TABLE topics CASCADE",
        "CREATE TABLE more (n int)",
        "ALTER TABLE facts ADD COLUMN more int",
        "ALTER TABLE chat_history DISABLE TRIGGER ALL",
        "CREATE OR REPLACE FUNCTION bare_name(name text) RETURNS text LANGUAGE sql IMMUTABLE AS 'SELECT $1'",
        "DROP EXTENSION IF EXISTS vector CASCADE; CREATE SCHEMA more",
        "INSERT INTO audit (guild_id, at, actor_id, action) VALUES (1, now(), 2, 'undo'); ANALYZE audit",
        "UPDATE alembic_version SET version_num = '0001'",
    ],
)
async def test_a_changed_schema_is_not_used_again(databases: Databases, change: str) -> None:
    """Nor are statistics, which change how the next test's statements are planned."""
    name = await databases.take()
    await query(database_in(databases.server, name), "SELECT 1")
    connection = await asyncpg.connect(database_in(databases.server, name))
    await connection.execute(change)
    await connection.close()
    await databases.give_back(name)
    assert name not in databases.free
    with pytest.raises(asyncpg.InvalidCatalogNameError):
        await query(database_in(databases.server, name), "SELECT 1")


async def test_a_closed_connection_is_kept_as_it_was_opened(dsn: str) -> None:
    """Whoever is next finds no setting, lock, listener or table of the one before, and that one finds it closed."""
    own = {"application_name": "one", "jit": "off"}
    first = await asyncpg.connect(dsn, server_settings=own)
    pid = first.get_server_pid()
    await first.execute(
        "SET work_mem = '1MB'; CREATE TEMP TABLE mine (n int); SELECT pg_advisory_lock(1); SET ROLE pg_monitor"
    )
    await first.add_listener("news", lambda *_: None)
    lost: list[object] = []
    first.add_termination_listener(lost.append)
    await first.close()

    await asyncio.sleep(0)
    assert first.is_closed()
    assert len(lost) == 1
    with pytest.raises(asyncpg.InterfaceError):
        await first.execute("SELECT 1")
    second = await asyncpg.connect(dsn, server_settings={"application_name": "two", "jit": "off"})
    assert second.get_server_pid() == pid
    await first.close()
    first.terminate()
    assert not second.is_closed(), "one who closes twice closes nothing of the next"
    row = await second.fetchrow(
        "SELECT current_setting('application_name') AS name, current_setting('jit') AS jit,"
        " current_setting('work_mem') AS memory, to_regclass('mine') AS mine, current_user = session_user AS itself,"
        " (SELECT count(*) FROM pg_listening_channels()) AS channels,"
        " (SELECT count(*) FROM pg_locks WHERE locktype = 'advisory' AND pid = pg_backend_pid()) AS locks"
    )
    assert dict(row) == {
        "name": "two",
        "jit": "off",
        "memory": "4MB",
        "mine": None,
        "itself": True,
        "channels": 0,
        "locks": 0,
    }
    await second.close()


async def test_what_is_left_open_or_goes_elsewhere_is_not_kept(dsn: str) -> None:
    """A transaction; a connection with other settings; one by another way to the database."""
    first = await asyncpg.connect(dsn)
    pid = first.get_server_pid()
    await first.execute("BEGIN")
    await first.close()
    second = await asyncpg.connect(dsn)
    assert second.get_server_pid() != pid
    await second.close()
    other = await asyncpg.connect(dsn, server_settings={"jit": "off"})
    assert other.get_server_pid() != pid
    await other.close()
    with_codec = await asyncpg.connect(dsn)
    await with_codec.set_type_codec("jsonb", encoder=str, decoder=lambda _: "read", schema="pg_catalog")
    await with_codec.close()
    assert await query(dsn, "SELECT '{}'::jsonb AS a") == [("{}",)]
    line = Line(dsn)
    await line.start()
    by_line = await asyncpg.connect(line.dsn)
    assert type(by_line) is asyncpg.Connection
    await by_line.close()
    await line.close()
