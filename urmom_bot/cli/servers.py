"""`urmom-bot servers`, `members` and `status`."""

from __future__ import annotations

import json

from rich.table import Table

from memory import AuthorKind, operator
from urmom_bot.app import open_app
from urmom_bot.cli.arguments import AnyGuild, OnlyGuild, names
from urmom_bot.cli.console import AsJson, err, log_as, out, run_to_end, settings_of
from urmom_bot.errors import BAD_SETTINGS, StartupError
from urmom_bot.markup import in_terminal, terminal
from urmom_bot.talk import Health, Texts


def servers(as_json: AsJson = False) -> None:
    """List the servers with their ids, and how many messages and members each has."""
    settings = settings_of()
    log_as(settings, "ERROR")

    async def work() -> None:
        called = await names(settings)
        async with open_app(settings) as built:
            rows = []
            for guild_id in sorted({*await built.memory.guilds.list(), *called}):
                members = await built.memory.guilds.members(guild_id)
                rows.append(
                    {
                        "guild_id": guild_id,
                        "name": called.get(guild_id),
                        "is_in": guild_id in called,
                        "messages": await built.memory.messages.count(guild_id),
                        "members": sum(m.author_kind is AuthorKind.MEMBER for m in members.values()),
                    }
                )
        if as_json:
            print(json.dumps(rows, ensure_ascii=False))
            return
        table = Table("server", "id", "messages", "members")
        for row in rows:
            name = str(row["name"] or ("?" if not called else "(the bot is not in it)"))
            table.add_row(name, str(row["guild_id"]), f"{row['messages']:,}", f"{row['members']:,}")
        out.print(table if rows else "Nothing is stored yet, and the bot isn't in any server.")
        if not called:
            err.print("Can't get server names from Discord. Run `urmom-bot doctor` to find out why.", highlight=False)

    run_to_end(work())


def members(guild: OnlyGuild = None, as_json: AsJson = False) -> None:
    """List a server's members with their ids and other names."""
    settings = settings_of()
    log_as(settings, "ERROR")

    async def work() -> None:
        async with open_app(settings) as built:
            there = [guild] if guild is not None else await built.memory.guilds.list()
            if len(there) > 1:
                raise StartupError("Choose a server with --guild. `urmom-bot servers` lists them.", BAD_SETTINGS)
            known = (await built.memory.guilds.members(there[0])).values() if there else ()
        people = sorted(
            (m for m in known if m.author_kind is AuthorKind.MEMBER), key=lambda m: m.display_name.casefold()
        )
        if as_json:
            rows = [
                {"user_id": m.user_id, "name": m.display_name, "username": m.username, "aliases": list(m.aliases)}
                for m in people
            ]
            print(json.dumps(rows, ensure_ascii=False))
            return
        table = Table("member", "username", "id", "also")
        for m in people:
            cells = m.display_name, m.username, str(m.user_id), ", ".join((*m.aliases, *m.former_names))
            table.add_row(*map(terminal, cells))
        out.print(table if people else "The bot knows no members of this server.")

    run_to_end(work())


def status(guild: AnyGuild = None) -> None:
    """Show the bot's state on a server: AI models, quota, failed jobs."""
    settings = settings_of()
    log_as(settings, "ERROR")

    async def work() -> None:
        async with open_app(settings) as built:
            there = [guild] if guild is not None else await built.memory.guilds.list()
            for guild_id in there:
                parked = len(await built.memory.inbox.parked([guild_id]))
                told = await built.router.status(operator(guild_id), Texts("en"), Health(parked=parked))
                out.print(f"[bold]{guild_id}[/bold]", highlight=False)
                out.print(in_terminal(told.text, {}, {}), highlight=False)
            if not there:
                out.print("No server has stored data yet.")

    run_to_end(work())
