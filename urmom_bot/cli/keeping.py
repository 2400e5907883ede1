"""`urmom-bot backup`, `restore` and `check`: what is remembered, kept for a bad day."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from urmom_bot.app import database, server, utc_now
from urmom_bot.cli.backups import BackupFailed, back_up, look_for_damage
from urmom_bot.cli.backups import restore as put_back
from urmom_bot.cli.console import log_as, out, run_to_end, settings_of
from urmom_bot.errors import NO_BACKUP, StartupError


def backup(
    file: Annotated[
        Path | None,
        typer.Argument(help="The backup file. Default: a name with today's date, in this folder.", dir_okay=False),
    ] = None,
    check: Annotated[
        bool, typer.Option(help="Test the backup: restore it into a temporary database and compare the two.")
    ] = True,
) -> None:
    """Back up the whole database into one file. You can leave the bot running."""
    settings = settings_of()
    log_as(settings, "WARNING")
    path = file or Path(f"urmom-bot-{utc_now():%Y-%m-%d-%H%M}.backup")

    async def work() -> None:
        async with database(settings) as dsn:
            try:
                found = await back_up(dsn, path, check=check)
            except BackupFailed as refused:
                raise StartupError(str(refused), NO_BACKUP) from refused
            except OSError as unwritable:
                raise StartupError(f"Cannot write {path} ({unwritable.strerror}).", NO_BACKUP) from unwritable
        rows = f"Messages: {found['chat_history']}, facts: {found['facts']}."
        out.print(f"Wrote {path}. {rows}{' A test restore worked.' if check else ''}", highlight=False)
        out.print(
            "The suppression key is not in the backup. Keep a copy of it too (suppression.key in DATA_DIR), in another"
            " place.",
            highlight=False,
        )

    run_to_end(work())


def restore(
    file: Annotated[Path, typer.Argument(help="A file from `urmom-bot backup`.", exists=True, dir_okay=False)],
) -> None:
    """Restore a backup into an empty database."""
    settings = settings_of()
    log_as(settings, "WARNING")

    async def work() -> None:
        async with server(settings) as dsn:
            try:
                found = await put_back(dsn, file)
            except BackupFailed as refused:
                raise StartupError(str(refused), NO_BACKUP) from refused
        async with database(settings):  # brought to this version's schema
            pass
        out.print(f"Restored. Messages: {found['chat_history']}, facts: {found['facts']}.", highlight=False)

    run_to_end(work())


def check() -> None:
    """Check the database for damage."""
    settings = settings_of()
    log_as(settings, "WARNING")

    async def work() -> None:
        async with database(settings) as dsn:
            try:
                looked = await look_for_damage(dsn)
            except BackupFailed as refused:
                raise StartupError(str(refused), NO_BACKUP) from refused
        if looked.damage:
            raise StartupError(f"The database is damaged. Restore a backup.\n{looked.damage}", NO_BACKUP)
        out.print(f"No damage was found. {looked.told}", highlight=False, soft_wrap=True)

    run_to_end(work())
