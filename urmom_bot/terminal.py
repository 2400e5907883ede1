"""`urmom-bot chat`: the real bot in a terminal, several people at one prompt."""

from __future__ import annotations

import asyncio
import hashlib
import re
import sys
from contextlib import AsyncExitStack

from rich.console import Console
from rich.markdown import Markdown

from urmom_bot.app import open_app
from urmom_bot.config import Settings
from urmom_bot.stand_ins import DiscordStandIn, Guild, User, online
from urmom_bot.stand_ins.world import Channel

GUILD, CHANNEL = 1_000_001 << 22, 1_000_002 << 22
"""The same server every time: what was remembered yesterday is known today."""

_LINE = re.compile(r"\s*(?:([^\W\d][\w.-]{0,31})\s*:\s+)?(.*\S)\s*", re.DOTALL)


async def chat(settings: Settings, console: Console) -> None:
    """Read lines like `ann: Bot remember that I play chess`, until the input ends. Raises Trouble."""
    async with AsyncExitStack() as stack:
        app = await stack.enter_async_context(open_app(settings))
        discord = DiscordStandIn()
        await discord.start()
        stack.push_async_callback(discord.close)
        guild = discord.world.guilds.setdefault(GUILD, Guild(GUILD, "terminal"))
        channel = guild.channels.setdefault(CHANNEL, Channel(CHANNEL, "terminal", guild_id=GUILD))
        bot = app.bot(connector=discord.connector(), guild_ready_timeout=0.05)
        await stack.enter_async_context(online(bot, discord))
        told = "with your AI" if app.has_ai else "without AI: it remembers and tells facts"
        console.print(
            f"You talk to the real bot, {told}. Write as anyone: [bold]ann: Bot remember that bob likes tea[/bold]."
            f"\nWithout a name you stay who you were. {settings.bot_name} answers to its name; Ctrl-D ends."
        )
        await _converse(discord, guild, channel, console)


async def _converse(discord: DiscordStandIn, guild: Guild, channel: Channel, console: Console) -> None:
    people: dict[str, User] = {}
    speaker = "you"
    interactive = sys.stdin.isatty()
    while True:
        prompt = f"{speaker}> " if interactive else ""
        line = await asyncio.to_thread(_read, prompt)
        if line is None:
            return
        found = _LINE.fullmatch(line)
        if not found:
            continue
        speaker, text = found[1] or speaker, found[2]
        if speaker not in people:
            people[speaker] = _person(discord, guild, speaker)
        # People who have a name here can be mentioned by it.
        for name, user in people.items():
            text = re.sub(rf"@{re.escape(name)}\b", f"<@{user.id}>", text)
        if not interactive:
            console.print(f"[dim]{speaker}:[/dim] {text}", highlight=False)
        before = len(discord.sent)
        await discord.say(people[speaker], channel, text)
        await discord.settle(limit=120)
        for sent in discord.sent[before:]:
            shown = re.sub(r"<t:(\d+):t>", "later", sent.content)
            console.print("[bold cyan]bot:[/bold cyan]")
            console.print(Markdown(shown))


def _person(discord: DiscordStandIn, guild: Guild, name: str) -> User:
    number = int.from_bytes(hashlib.sha256(name.encode()).digest()[:5], "big") << 22
    user = User(number, name)
    discord.world.users[number] = user
    guild.members[number] = user
    return user


def _read(prompt: str) -> str | None:
    try:
        return input(prompt)
    except EOFError:
        return None
