"""`urmom-bot parked …`: work that a defect keeps from being done."""

from __future__ import annotations

import json
from typing import Annotated

import typer

from urmom_bot.app import open_app
from urmom_bot.cli.console import AsJson, log_as, out, run_to_end, settings_of

parked_app = typer.Typer(no_args_is_help=True, help="Work that a defect keeps from being done: nothing of it is lost.")

Guild = Annotated[int | None, typer.Option(min=1, help="The server's id; all servers without it.")]


@parked_app.command("list")
def list_parked(guild: Guild = None, as_json: AsJson = False) -> None:
    """Show what is parked: when, which server, what was to be done, with what, and why it failed."""
    settings = settings_of()
    log_as(settings, "ERROR")

    async def work() -> None:
        async with open_app(settings) as built:
            memory = built.memory
            found = await memory.inbox.parked([guild] if guild else [0, *await memory.guilds.list()])
            if as_json:
                rows = [
                    {"at": one.at.isoformat(), "guild_id": one.guild_id, "work": one.work, "ids": list(one.ids)}
                    | {"channel_id": one.channel_id, "reason": one.reason}
                    for one in found
                ]
                print(json.dumps(rows))
                return
            for one in found:
                ids = " ".join(map(str, one.ids))
                line = f"{one.at:%Y-%m-%d %H:%M} server {one.guild_id}: {one.work} {ids} ({one.reason})"
                out.print(line, highlight=False, soft_wrap=True)
            out.print("Nothing is parked." if not found else f"{len(found)} in all.", highlight=False)

    run_to_end(work())


@parked_app.command("retry")
def retry(guild: Guild = None) -> None:
    """Have the running bot try it again, within half a minute; what fails again is parked again."""
    settings = settings_of()
    log_as(settings, "ERROR")

    async def work() -> None:
        async with open_app(settings) as built:
            memory = built.memory
            count = await memory.inbox.retry_parked([guild] if guild else [0, *await memory.guilds.list()])
            out.print(f"To be tried again by the running bot: {count}.", highlight=False)

    run_to_end(work())


@parked_app.command("drop")
def drop(guild: Guild = None, yes: Annotated[bool, typer.Option("--yes", help="Do not ask.")] = False) -> None:
    """Let go of it for good."""
    settings = settings_of()
    log_as(settings, "ERROR")
    if not yes:
        typer.confirm("Let go of what is parked for good?", abort=True)

    async def work() -> None:
        async with open_app(settings) as built:
            memory = built.memory
            count = await memory.inbox.drop_parked([guild] if guild else [0, *await memory.guilds.list()])
            out.print(f"Let go of: {count}.", highlight=False)

    run_to_end(work())
