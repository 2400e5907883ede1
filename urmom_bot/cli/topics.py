"""`urmom-bot topics …`: the pages of a server, as files."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Annotated

import typer
from rich.table import Table

from memory import operator, private_files
from urmom_bot.app import open_app
from urmom_bot.cli.arguments import Guild, Topic
from urmom_bot.cli.console import AsJson, log_as, out, run_to_end, settings_of
from urmom_bot.errors import BAD_SETTINGS, NO_FOLDER, StartupError
from urmom_bot.markup import terminal

topics_app = typer.Typer(
    no_args_is_help=True,
    help="Show, export and import topic pages: decisions from conversations with the bot, by topic.",
)


@topics_app.command("list")
def list_topics(guild: Guild, as_json: AsJson = False) -> None:
    """List a server's topics, newest first."""
    settings = settings_of()
    log_as(settings, "ERROR")

    async def work() -> None:
        async with open_app(settings) as built:
            found = await built.memory.topics.list(operator(guild))
        rows = [
            {"name": t.name, "lines": t.lines, "updated": t.updated_at.isoformat(), "about": t.summary} for t in found
        ]
        if as_json:
            out.print_json(json.dumps(rows))
            return
        table = Table("topic", "lines", "updated", "about")
        for row in rows:
            cells = row["name"], row["lines"], str(row["updated"])[:16], row["about"]
            table.add_row(*(terminal(str(cell)) for cell in cells))
        out.print(table)

    run_to_end(work())


@topics_app.command("show")
def show_topic(topic: Topic, guild: Guild) -> None:
    """Print a topic's page."""
    settings = settings_of()
    log_as(settings, "ERROR")

    async def work() -> None:
        viewer = operator(guild)
        async with open_app(settings) as built:
            found = await built.memory.topics.get(viewer, topic)
            if found is None:
                raise StartupError(
                    f"There is no topic called “{topic}”. `urmom-bot topics list` shows all topics.", BAD_SETTINGS
                )
            out.print(terminal(await built.memory.topics.page(viewer, found)), highlight=False)

    run_to_end(work())


@topics_app.command("export")
def export_topics(folder: Annotated[Path, typer.Argument(help="The folder for the pages.")], guild: Guild) -> None:
    """Export every topic as a Markdown page."""
    settings = settings_of()
    log_as(settings, "ERROR")

    async def work() -> None:
        async with open_app(settings) as built:
            pages = await built.memory.topics.export(operator(guild))
        try:
            private_files.make_folder(folder)
            for name, text in pages.items():
                private_files.write(folder / name, text)
        except OSError as unwritable:
            raise StartupError(f"Cannot write to {folder} ({unwritable.strerror}).", NO_FOLDER) from unwritable
        out.print(f"Topics written to {folder}: {len(pages)}.", highlight=False)

    run_to_end(work())


@topics_app.command("import")
def import_topics(
    folder: Annotated[Path, typer.Argument(help="The folder with the pages (*.md).")], guild: Guild
) -> None:
    """Import topic pages. It is safe to run this again."""
    settings = settings_of()
    log_as(settings, "ERROR")
    files = sorted(folder.glob("*.md")) if folder.is_dir() else []
    if not files:
        raise StartupError(f"There are no topic pages (*.md) in {folder}.", NO_FOLDER)

    async def work() -> None:
        async with open_app(settings) as built:
            for file in files:
                try:
                    text = file.read_text(encoding="utf-8")
                    name, new = await built.memory.topics.restore(operator(guild), file.name, text)
                except UnicodeDecodeError as unreadable:
                    raise StartupError(
                        f"{file} is not UTF-8 text. Save it as UTF-8 and import it again.", BAD_SETTINGS
                    ) from unreadable
                except ValueError as malformed:
                    raise StartupError(f"{malformed}.", BAD_SETTINGS) from malformed
                out.print(f"{terminal(name)}: new lines: {new}.", highlight=False)

    run_to_end(work())
