"""What alembic does, under a lock: loaded only where a database is not yet of this program's schema."""

from __future__ import annotations

from importlib.resources import as_file, files

import asyncpg
from alembic import command
from alembic.config import Config
from alembic.runtime.migration import MigrationContext
from alembic.script import ScriptDirectory
from sqlalchemy import Connection, text
from sqlalchemy.exc import ProgrammingError, SQLAlchemyError
from sqlalchemy.ext.asyncio import create_async_engine
from sqlalchemy.pool import NullPool

from memory.records import DatabaseNewer, DatabaseUnavailable
from memory.store.catalogue import TABLES
from memory.store.database import LOST_ERRORS

_LOCK = 7267_4411
"""Advisory lock under which migrations run: processes that start together take turns."""


async def upgrade(dsn: str) -> str:
    """Run what is missing and return the newest revision's name. Raises DatabaseNewer and DatabaseUnavailable."""
    engine = create_async_engine(
        "postgresql+asyncpg://", async_creator=lambda: asyncpg.connect(dsn, timeout=10), poolclass=NullPool
    )
    try:
        async with engine.connect() as connection:
            return await connection.run_sync(_upgrade)
    except LOST_ERRORS as lost:
        raise DatabaseUnavailable(f"The database does not answer: {lost or type(lost).__name__}") from lost
    except ProgrammingError as refused:
        if "permission denied" in str(refused):
            raise DatabaseUnavailable(
                "The database's user may not create tables. Run GRANT ALL ON SCHEMA public TO that user."
            ) from refused
        raise
    except SQLAlchemyError as broken:
        if isinstance(getattr(broken, "orig", None), LOST_ERRORS):
            raise DatabaseUnavailable(f"The database does not answer: {broken}") from broken
        raise
    finally:
        await engine.dispose()


def _upgrade(connection: Connection) -> str:
    with as_file(files("migrations")) as folder:
        config = Config()
        config.set_main_option("script_location", str(folder))
        config.attributes["connection"] = connection
        script = ScriptDirectory.from_config(config)
        connection.execute(text("SELECT pg_advisory_lock(:key)"), {"key": _LOCK})
        connection.commit()
        try:
            known = {revision.revision for revision in script.walk_revisions()}
            current = MigrationContext.configure(connection).get_current_revision()
            if current is not None and current not in known:
                raise DatabaseNewer
            command.upgrade(config, "head")
            _distribute(connection)
            connection.commit()
        finally:
            connection.rollback()
            connection.execute(text("SELECT pg_advisory_unlock(:key)"), {"key": _LOCK})
            connection.commit()
        return str(script.get_current_head())


def _distribute(connection: Connection) -> None:
    """Spread every table by guild, where the database is a Citus cluster; those of one guild stay together."""
    if connection.execute(text("SELECT to_regproc('create_distributed_table')")).scalar() is None:
        return
    # Triggers keep counts of the same guild: what Citus calls unsafe are those that reach beyond one.
    connection.execute(text("SELECT set_config('citus.enable_unsafe_triggers', 'on', false)"))
    known = set(connection.execute(text("SELECT table_name::text FROM citus_tables")).scalars())
    first, *_ = names = [table.name for table in TABLES]
    for name in names:
        if name not in known:
            connection.execute(
                text("SELECT create_distributed_table(CAST(:name AS regclass), 'guild_id', colocate_with => :beside)"),
                {"name": name, "beside": "none" if name == first else first},
            )
