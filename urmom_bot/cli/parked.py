"""`urmom-bot parked …`: work that a defect keeps from being done."""

from __future__ import annotations

import json
from collections.abc import Awaitable, Callable
from typing import Annotated

import typer

from memory import MemoryManager
from memory.ids import ALL_GUILDS, GuildId
from urmom_bot.app import open_app
from urmom_bot.cli.arguments import AnyGuild
from urmom_bot.cli.console import AsJson, log_as, out, run_to_end, settings_of

parked_app = typer.Typer(
    no_args_is_help=True, help="Failed jobs, such as a message that the bot couldn't store: list, retry or delete them."
)


def _with_memory(guild: GuildId | None, work: Callable[[MemoryManager, list[GuildId]], Awaitable[None]]) -> None:
    """Do `work` with memory, and the servers it is about."""
    settings = settings_of()
    log_as(settings, "ERROR")

    async def run() -> None:
        async with open_app(settings) as built:
            memory = built.memory
            await work(memory, [guild] if guild else [ALL_GUILDS, *await memory.guilds.list()])

    run_to_end(run())


@parked_app.command("list")
def list_parked(guild: AnyGuild = None, as_json: AsJson = False) -> None:
    """List failed jobs and why they failed."""

    async def show(memory: MemoryManager, guilds: list[GuildId]) -> None:
        found = await memory.inbox.parked(guilds)
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
        out.print("There are no failed jobs." if not found else f"Failed jobs: {len(found)}.", highlight=False)

    _with_memory(guild, show)


@parked_app.command("retry")
def retry(guild: AnyGuild = None) -> None:
    """Retry failed jobs. The bot does this within 30 seconds, or after its next start."""

    async def try_again(memory: MemoryManager, guilds: list[GuildId]) -> None:
        count = await memory.inbox.retry_parked(guilds)
        out.print(
            f"Jobs to retry: {count}. The bot does this within 30 seconds, or after its next start.", highlight=False
        )

    _with_memory(guild, try_again)


@parked_app.command("drop")
def drop(
    guild: AnyGuild = None,
    yes: Annotated[bool, typer.Option("--yes", help="Don't ask for confirmation.")] = False,
) -> None:
    """Delete failed jobs, so that the bot never retries them."""
    if not yes:
        typer.confirm("Delete the failed jobs for good?", abort=True)

    async def let_go(memory: MemoryManager, guilds: list[GuildId]) -> None:
        out.print(f"Failed jobs deleted: {await memory.inbox.drop_parked(guilds)}.", highlight=False)

    _with_memory(guild, let_go)
