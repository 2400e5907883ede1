"""The application as Discord knows it: its token, what it may read, who invited it, and its rights in each channel.

By REST alone: nothing here is online.
"""

from __future__ import annotations

from collections.abc import AsyncIterator, Iterator, Sequence
from contextlib import asynccontextmanager, contextmanager
from dataclasses import dataclass
from datetime import datetime
from email.utils import parsedate_to_datetime

import aiohttp
import discord
from discord.http import Route

from memory.ids import GuildId

PERMISSIONS = discord.Permissions(
    view_channel=True,
    send_messages=True,
    send_messages_in_threads=True,
    embed_links=True,
    attach_files=True,
    read_message_history=True,
    add_reactions=True,
)
"""What the bot needs in a channel; never Administrator."""

INVITE = f"https://discord.com/oauth2/authorize?client_id={{}}&scope=bot+applications.commands&permissions={PERMISSIONS.value}"
"""Where the bot is invited, with what it needs and no more."""

BOT_PAGE = "https://discord.com/developers/applications/{}/bot"
"""Where the owner of an application changes its token and intents."""

NEEDED_PERMISSIONS = {
    "view_channel": "View Channel",
    "read_message_history": "Read Message History",
    "send_messages": "Send Messages",
    "embed_links": "Embed Links",
    "attach_files": "Attach Files",
    "add_reactions": "Add Reactions",
}
"""The rights in a channel that are looked at, by the names that Discord shows."""


def lacking(rights: discord.Permissions) -> tuple[str, ...]:
    """Which of the rights that are needed in a channel are not there."""
    return tuple(shown for name, shown in NEEDED_PERMISSIONS.items() if not getattr(rights, name))


class WrongToken(Exception):
    """Discord does not accept the token."""


class Unreachable(Exception):
    """Discord does not answer."""


@dataclass(frozen=True, kw_only=True)
class Application:
    """An application. `reads_messages` tells whether Message Content Intent is on."""

    application_id: int
    name: str
    reads_messages: bool
    flags: int

    @property
    def invite(self) -> str:
        """Where it is invited."""
        return INVITE.format(self.application_id)

    @property
    def page(self) -> str:
        """The page of the developer portal with its token and intents."""
        return BOT_PAGE.format(self.application_id)


@dataclass(frozen=True, kw_only=True)
class Server:
    """A server that the bot is in."""

    guild_id: GuildId
    name: str


@dataclass(frozen=True, kw_only=True)
class Lacking:
    """A channel in which the bot lacks rights."""

    channel: str
    rights: tuple[str, ...]


class Portal:
    """Asks Discord about the application of a token. Every method raises Unreachable."""

    def __init__(self, client: discord.Client) -> None:
        self._client = client

    @staticmethod
    @asynccontextmanager
    async def open(token: str, proxy: str | None = None) -> AsyncIterator[Portal]:
        """Log in by REST. Raises WrongToken and Unreachable."""
        async with discord.Client(intents=discord.Intents.none(), proxy=proxy) as client:
            with _translated():
                await client.login(token)
            yield Portal(client)

    async def application(self) -> Application:
        """The application, as it is now."""
        with _translated():
            found = await self._client.application_info()
        flags = found.flags
        return Application(
            application_id=found.id,
            name=found.name,
            reads_messages=flags.gateway_message_content or flags.gateway_message_content_limited,
            flags=flags.value,
        )

    async def let_it_read(self, application: Application) -> bool:
        """Switch Message Content Intent on; False where Discord leaves that to the owner."""
        limited = discord.ApplicationFlags(gateway_message_content_limited=True).value
        return await self._edit({"flags": application.flags | limited})

    async def set_install_link(self) -> bool:
        """Let the button *Add App* of the bot's profile ask for what it needs; False where Discord does not take it."""
        wanted = {"scopes": ["bot", "applications.commands"], "permissions": str(PERMISSIONS.value)}
        return await self._edit({"integration_types_config": {"0": {"oauth2_install_params": wanted}}})

    async def _edit(self, payload: dict[str, object]) -> bool:
        with _translated():
            try:
                await self._client.http.edit_application_info(reason=None, payload=payload)
            except discord.HTTPException as refused:
                if refused.status >= 500:
                    raise
                return False
        return True

    async def servers(self) -> list[Server]:
        """The servers that the bot is in, by name."""
        with _translated():
            found = [guild async for guild in self._client.fetch_guilds(limit=None)]
        return sorted((Server(guild_id=GuildId(g.id), name=g.name) for g in found), key=lambda server: server.name)

    async def lacking(self, guild_id: GuildId) -> list[Lacking]:
        """The channels of a server in which the bot lacks rights."""
        assert self._client.user is not None
        with _translated():
            guild = await self._client.fetch_guild(guild_id, with_counts=False)
            channels: Sequence[discord.abc.GuildChannel] = await guild.fetch_channels()
            member = await guild.fetch_member(self._client.user.id)
        found = []
        for channel in channels:
            if isinstance(channel, discord.CategoryChannel):
                continue
            if missing := lacking(channel.permissions_for(member)):
                found.append(Lacking(channel=channel.name, rights=missing))
        return found

    async def logins_left(self) -> tuple[int, int]:
        """How many logins Discord allows today still, of how many."""
        with _translated():
            found = await self._client.http.request(Route("GET", "/gateway/bot"))
        start = found["session_start_limit"]
        return int(start["remaining"]), int(start["total"])


@contextmanager
def _translated() -> Iterator[None]:
    """Errors of the library's as those of this module."""
    try:
        yield
    except discord.LoginFailure as wrong:
        raise WrongToken from wrong
    except (discord.HTTPException, aiohttp.ClientError, OSError) as failed:
        raise Unreachable(type(failed).__name__) from failed


async def skew(now: datetime, proxy: str | None = None) -> float | None:
    """Seconds by which this machine's clock is ahead of Discord's; None where that cannot be told."""
    address = "https://discord.com/api/v10/gateway"
    try:
        async with aiohttp.ClientSession() as session, session.get(address, proxy=proxy) as answer:
            told = answer.headers.get("Date")
    except (aiohttp.ClientError, OSError, TimeoutError):
        return None
    return None if told is None else (now - parsedate_to_datetime(told)).total_seconds()
