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
        Path | None, typer.Argument(help="The file to write. By default its name has today's date.", dir_okay=False)
    ] = None,
    check: Annotated[bool, typer.Option(help="Restore the backup into a temporary database and compare.")] = True,
) -> None:
    """Back up everything into one file. The bot may keep running."""
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
                raise StartupError(f"{path} cannot be written ({unwritable.strerror}).", NO_BACKUP) from unwritable
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
        out.print(f"Restored: {found['chat_history']} messages and {found['facts']} facts.", highlight=False)

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
            raise StartupError(f"The database is damaged: restore a backup.\n{looked.damage}", NO_BACKUP)
        out.print(f"No damage was found. {looked.told}", highlight=False, soft_wrap=True)

    run_to_end(work())
