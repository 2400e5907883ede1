"""A database is given to the next test as the first one got it, or not at all."""

from __future__ import annotations

import asyncpg
import pytest

from tests.builders import query
from tests.databases import Databases, database_in


async def test_rows_and_numbers_go(databases: Databases) -> None:
    """Nothing that a test stored is there for the next one, which counts from 1; nobody is connected any more."""
    databases = Databases(databases.server, databases.template)  # those of other tests may have grown to their end
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
