"""Servers, members and topics as commands take them: by name or id, with Tab."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable, Callable, Iterable
from typing import Annotated

import typer
from rapidfuzz import fuzz, process

from memory import AuthorKind, operator
from memory.ids import GuildId
from urmom_bot.app import open_app
from urmom_bot.cli.console import settings_of
from urmom_bot.config import Settings
from urmom_bot.errors import BAD_SETTINGS, StartupError
from urmom_bot.portal import Portal, Unreachable, WrongToken

MIN_LIKENESS = 70
"""Of 100, how alike a name must be to one of a server to be offered in its place."""

SECONDS = 5.0
"""How long a shell waits for what it offers."""

Offer = tuple[str, str]
"""A word that a command takes, and what it stands for."""


async def names(settings: Settings) -> dict[GuildId, str]:
    """The names of the servers that the bot is in, by id; none where Discord cannot be asked."""
    if settings.discord_token is None:
        return {}
    try:
        async with Portal.open(settings.discord_token.get_secret_value(), settings.discord_proxy) as portal:
            return {server.guild_id: server.name for server in await portal.servers()}
    except (WrongToken, Unreachable):
        return {}


def guild_called(value: str) -> GuildId:
    """The id of a server that is given by its id or name. Raises StartupError unless exactly one server has it."""
    if value.isdecimal() and int(value) > 0:
        return GuildId(int(value))
    known = asyncio.run(names(settings_of()))
    found = [guild_id for guild_id, name in known.items() if name.casefold() == value.casefold()]
    if len(found) == 1:
        return found[0]
    if found:
        raise StartupError(
            f"{len(found)} servers are called “{value}”. Use one of their ids: {', '.join(map(str, found))}.",
            BAD_SETTINGS,
        )
    near = process.extractOne(value, list(known.values()), scorer=fuzz.WRatio, score_cutoff=MIN_LIKENESS)
    hint = f"Did you mean “{near[0]}”?" if near else "`urmom-bot servers` lists names and ids."
    raise StartupError(f"The bot is in no server called “{value}”. {hint}", BAD_SETTINGS)


def complete_server(incomplete: str) -> list[Offer]:
    """The servers that the bot is in, by name; by id where the name is no single word."""

    async def found() -> Iterable[Offer]:
        return [offer(guild_id, name) for guild_id, name in (await names(settings_of())).items()]

    return _offers(found, incomplete)


def complete_member(ctx: typer.Context, incomplete: str) -> list[Offer]:
    """The members of the server that is named before, or of the only one."""

    async def found() -> Iterable[Offer]:
        async with open_app(settings_of()) as built:
            (guild_id,) = await _servers(built.memory.guilds.list, ctx)
            members = (await built.memory.guilds.members(guild_id)).values()
            return [offer(m.user_id, m.display_name) for m in members if m.author_kind is AuthorKind.MEMBER]

    return _offers(found, incomplete)


def complete_topic(ctx: typer.Context, incomplete: str) -> list[Offer]:
    """The topics of the server that is named before, or of the only one."""

    async def found() -> Iterable[Offer]:
        async with open_app(settings_of()) as built:
            (guild_id,) = await _servers(built.memory.guilds.list, ctx)
            return [(topic.name, topic.summary) for topic in await built.memory.topics.list(operator(guild_id))]

    return _offers(found, incomplete)


async def _servers(known: Callable[[], Awaitable[Iterable[GuildId]]], ctx: typer.Context) -> Iterable[GuildId]:
    named: str | GuildId | None = ctx.params.get("guild")
    if named is None:
        return await known()
    return (await asyncio.to_thread(guild_called, named) if isinstance(named, str) else named,)


def offer(number: int, name: str) -> Offer:
    """A name as a shell takes it in one piece; its id where the name is more than letters and digits."""
    return (name, str(number)) if name.isalnum() else (str(number), name)


def _offers(found: Callable[[], Awaitable[Iterable[Offer]]], incomplete: str) -> list[Offer]:
    """What begins with the letters that are there; nothing, where the database or Discord does not answer."""
    logging.disable(logging.CRITICAL)  # a shell shows only what it can offer
    try:
        known = asyncio.run(asyncio.wait_for(_await(found), SECONDS))
    except Exception:  # Tab must not print a stack trace
        return []
    begun = incomplete.casefold()
    return [
        (word, name) for word, name in known if begun in (word[: len(begun)].casefold(), name[: len(begun)].casefold())
    ]


async def _await(found: Callable[[], Awaitable[Iterable[Offer]]]) -> list[Offer]:
    return list(await found())


Guild = Annotated[
    GuildId,
    typer.Option(
        parser=guild_called, metavar="SERVER", help="The server's name or id.", autocompletion=complete_server
    ),
]
AnyGuild = Annotated[
    GuildId | None,
    typer.Option(
        parser=guild_called,
        metavar="SERVER",
        help="A server's name or id. Default: all servers.",
        autocompletion=complete_server,
    ),
]
OnlyGuild = Annotated[
    GuildId | None,
    typer.Option(
        parser=guild_called,
        metavar="SERVER",
        help="A server's name or id. You can leave it out if there is only one server.",
        autocompletion=complete_server,
    ),
]
User = Annotated[str, typer.Option(metavar="MEMBER", help="The member's name or id.", autocompletion=complete_member)]
Topic = Annotated[str, typer.Argument(metavar="TOPIC", help="The topic's name.", autocompletion=complete_topic)]
