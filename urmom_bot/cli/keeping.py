"""`urmom-bot backup`, `restore` and `check`: what is remembered, kept for a bad day."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from urmom_bot.app import NO_BACKUP, Trouble, database, server, utc_now
from urmom_bot.cli.backups import BackupFailed, back_up, check_indexes
from urmom_bot.cli.backups import restore as put_back
from urmom_bot.cli.console import log_as, out, run_to_end, settings_of


def backup(
    file: Annotated[
        Path | None, typer.Argument(help="Where to; a file with today's date without it.", dir_okay=False)
    ] = None,
    check: Annotated[bool, typer.Option(help="Restore it into a database of its own to see that it holds.")] = True,
) -> None:
    """Write everything that is remembered to one file. The bot may run meanwhile."""
    settings = settings_of()
    log_as(settings, "WARNING")
    path = file or Path(f"urmom-bot-{utc_now():%Y-%m-%d-%H%M}.backup")

    async def work() -> None:
        async with database(settings) as dsn:
            try:
                found = await back_up(dsn, path, check=check)
            except BackupFailed as refused:
                raise Trouble(str(refused), NO_BACKUP) from refused
            except OSError as unwritable:
                raise Trouble(f"{path} cannot be written ({unwritable.strerror}).", NO_BACKUP) from unwritable
        rows = f"{found['chat_history']} messages and {found['facts']} facts"
        out.print(f"{path}: {rows}{', restored once to see that it holds' if check else ''}.", highlight=False)
        out.print(
            "The key of what was forgotten is not in it: keep suppression.key of DATA_DIR too, in another place.",
            highlight=False,
        )

    run_to_end(work())


def restore(
    file: Annotated[Path, typer.Argument(help="A file that `backup` wrote.", exists=True, dir_okay=False)],
) -> None:
    """Put a backup into the empty database of the settings; with DATABASE_URL set, this moves it there."""
    settings = settings_of()
    log_as(settings, "WARNING")

    async def work() -> None:
        async with server(settings) as dsn:
            try:
                found = await put_back(dsn, file)
            except BackupFailed as refused:
                raise Trouble(str(refused), NO_BACKUP) from refused
        async with database(settings):  # brought to this version's schema
            pass
        out.print(f"Restored: {found['chat_history']} messages and {found['facts']} facts.", highlight=False)

    run_to_end(work())


def check() -> None:
    """Have PostgreSQL check tables and indexes for damage, where it can."""
    settings = settings_of()
    log_as(settings, "WARNING")

    async def work() -> None:
        async with database(settings) as dsn:
            try:
                damage = await check_indexes(dsn)
            except BackupFailed as refused:
                raise Trouble(str(refused), NO_BACKUP) from refused
        if damage:
            raise Trouble(f"The database is damaged: restore a backup.\n{damage}", NO_BACKUP)
        out.print("No damage was found.", highlight=False)

    run_to_end(work())
