"""`urmom-bot chat`: the real bot in a terminal, several people at one prompt."""

from __future__ import annotations

import asyncio
import hashlib
import queue
import re
import sys
import threading
from contextlib import AsyncExitStack
from datetime import UTC, datetime

from rich.console import Console
from rich.markup import escape

from urmom_bot.app import open_app
from urmom_bot.config import Settings
from urmom_bot.stand_ins import DiscordStandIn, Guild, User, online
from urmom_bot.stand_ins.world import READ_MESSAGE_HISTORY, Channel

GUILD, CHANNEL = 1_000_001 << 22, 1_000_002 << 22
"""The same server every time: what was remembered yesterday is known today."""

_LINE = re.compile(r"\s*(?:([^\W\d][\w.-]{0,31})\s*:(?=\s|$))?\s*(.*)", re.DOTALL)


async def chat(settings: Settings, console: Console, model: str) -> None:
    """Read lines like `ann: Bot remember that I play chess`, until the input ends. Raises Trouble."""
    async with AsyncExitStack() as stack:
        app = await stack.enter_async_context(open_app(settings))
        discord = DiscordStandIn()
        await discord.start()
        stack.push_async_callback(discord.close)
        guild = discord.world.guilds.setdefault(GUILD, Guild(GUILD, "terminal"))
        channel = guild.channels.setdefault(CHANNEL, Channel(CHANNEL, "terminal", guild_id=GUILD))
        guild.everyone &= ~READ_MESSAGE_HISTORY  # what was said before is not there, and not to be taken for deleted
        for member in (await app.memory.guilds.members(GUILD)).values():
            if member.author_kind == "member":
                _person(discord, guild, member.username)
        bot = app.bot(connector=discord.connector(), guild_ready_timeout=0.05)
        await stack.enter_async_context(online(bot, discord))
        console.print(
            f"You talk to the real bot, {model}. Write as anyone: [bold]ann: Bot remember that @bob likes tea[/bold]."
            f"\nWithout a name you stay who you were. {settings.bot_names[0]} answers to its name; Ctrl-D ends."
            f"\nThis server's id, for `memory show`, is {GUILD}.",
            highlight=False,
        )
        await _converse(discord, guild, channel, console)


async def _converse(discord: DiscordStandIn, guild: Guild, channel: Channel, console: Console) -> None:
    people: dict[str, User] = {}
    speaker = "you"
    lines = _Lines()
    while (line := await lines.next(f"{speaker}> ")) is not None:
        found = _LINE.fullmatch(line)
        if not found:
            continue
        speaker, text = found[1] or speaker, (found[2] or "").strip()
        if text in ("/quit", "/exit"):
            return
        for name in (speaker, *re.findall(r"@([^\W\d][\w.-]{0,31})", text)):
            if name not in people and name not in ("everyone", "here"):
                people[name] = _person(discord, guild, name)
        if not text:
            continue
        if not lines.interactive:
            console.print(f"[dim]{speaker}:[/dim] {escape(text)}", highlight=False)
        line = re.sub(r"@([^\W\d][\w.-]{0,31})", lambda m: f"<@{people[m[1]].id}>" if m[1] in people else m[0], text)
        before = len(discord.sent)
        await discord.say(people[speaker], channel, line)
        await discord.settle(limit=120)
        for sent in discord.sent[before:]:
            shown = _MOMENT.sub(_moment, sent.content).replace(f"<#{CHANNEL}>", f"#{channel.name}")
            for name, user in people.items():
                shown = shown.replace(f"<@{user.id}>", f"@{name}")
            console.print(f"[bold cyan]bot:[/bold cyan] {escape(shown)}", highlight=False)
            if sent.buttons:
                labels = "] [".join(sent.buttons)
                console.print(f"[dim]     {escape(f'[{labels}]')} (buttons can be pressed in Discord alone)[/dim]")


_MOMENT = re.compile(r"<t:(\d+):(\w)>")


def _moment(found: re.Match[str]) -> str:
    """One of Discord's timestamps, as a terminal can show it."""
    return f"{datetime.fromtimestamp(int(found[1]), UTC):{'%H:%M' if found[2] == 't' else '%Y-%m-%d %H:%M'}} UTC"


class _Lines:
    """Lines of the input, read by a thread that does not outlive the program: Ctrl-C ends it."""

    def __init__(self) -> None:
        self.interactive = sys.stdin.isatty()
        self._wanted: queue.SimpleQueue[str] = queue.SimpleQueue()
        self._read: asyncio.Queue[str | None] = asyncio.Queue()
        self._loop = asyncio.get_running_loop()
        threading.Thread(target=self._serve, daemon=True).start()

    async def next(self, prompt: str) -> str | None:
        """The next line, or None at the end."""
        self._wanted.put(prompt if self.interactive else "")
        return await self._read.get()

    def _serve(self) -> None:
        while True:
            prompt = self._wanted.get()
            try:
                line: str | None = input(prompt)
            except EOFError:
                line = None
            self._loop.call_soon_threadsafe(self._read.put_nowait, line)
            if line is None:
                return


def _person(discord: DiscordStandIn, guild: Guild, name: str) -> User:
    number = int.from_bytes(hashlib.sha256(name.encode()).digest()[:5], "big") << 22
    user = User(number, name)
    discord.world.users[number] = user
    guild.members[number] = user
    return user
