"""`urmom-bot demo`: nine days in a small server, played through the real bot against the stand-ins."""

from __future__ import annotations

import re
import tempfile
import time
from collections import Counter
from collections.abc import Iterator
from contextlib import AsyncExitStack
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from importlib.resources import files
from pathlib import Path
from typing import Any

from rich.console import Console
from rich.markup import escape
from rich.padding import Padding
from rich.table import Table
from rich.text import Text

from urmom_bot.app import database, open_app
from urmom_bot.config import Settings
from urmom_bot.errors import BAD_SETTINGS, StartupError
from urmom_bot.markup import in_terminal
from urmom_bot.stand_ins import Channel, DiscordStandIn, GeminiStandIn, User, World, online, written

FIRST_DAY = datetime(2026, 11, 2, tzinfo=UTC)
PEOPLE = ("gruzilkin", "florent", "ann", "mia", "tomas", "priya")
CHANNELS = ("general", "dev", "food", "staff")
RESTRICTED = "staff"

_TALK = re.compile(r"(\d\d):(\d\d) (\w+)(?:>(\w+))? #(\w+): (.*)")


@dataclass
class _Stage:
    """The server, the people in it, and the bot while it runs."""

    console: Console
    discord: DiscordStandIn
    gemini: GeminiStandIn
    settings: Settings
    dsn: str
    now: datetime = FIRST_DAY
    people: dict[str, User] = field(default_factory=dict)
    channels: dict[str, Channel] = field(default_factory=dict)
    last: dict[str, int] = field(default_factory=dict)
    answer: str = ""
    chapter: int = 0
    met: int = 0
    missed: list[str] = field(default_factory=list)
    _life: AsyncExitStack | None = None

    def furnish(self) -> None:
        """Make the server and its people."""
        guild = self.discord.world.guild("nine days")
        self.people = {name: self.discord.join(guild, name) for name in PEOPLE}
        self.channels = {name: self.discord.channel(guild, name, private=name == RESTRICTED) for name in CHANNELS}

    async def start(self) -> None:
        """Start the bot."""
        self._life = AsyncExitStack()
        built = await self._life.enter_async_context(
            open_app(self.settings, clock=lambda: self.now, quota_clock=lambda: self.now, dsn=self.dsn)
        )
        bot = built.bot(connector=self.discord.connector(), guild_ready_timeout=0.02)
        await self._life.enter_async_context(online(bot, self.discord))

    async def stop(self) -> None:
        """Stop the bot, as a signal would."""
        if self._life is not None:
            await self._life.aclose()
        self._life = None

    async def say(self, who: str, answers: str | None, where: str, words: str) -> None:
        """Let somebody write, and wait for the bot where it is spoken to."""
        shown = words
        for name, user in self.people.items():
            words = re.sub(rf"@{name}\b", f"<@{user.id}>", words)
        at = f"#{where}" + (" (restricted)" if where == RESTRICTED else "")
        mark = f" ↪ {answers}" if answers else ""
        self.console.print(f"[dim]{self.now:%H:%M} {at}[/dim] [b]{who}[/b]{mark}: {escape(shown)}", highlight=False)
        before, asked = len(self.discord.sent), len(self.gemini.asked)
        reply_to = self.last[answers] if answers else None
        channel = self.channels[where]
        self.last[who] = await self.discord.say(self.people[who], channel, words, reply_to=reply_to, at=self.now)
        if words.startswith("Bot") and self._life is not None:
            await self.discord.settle()
            self.tell(before, asked)

    async def react(self, who: str, where: str, emoji: str, whose: str) -> None:
        """Let somebody react to somebody's last message."""
        self.console.print(f"[dim]{self.now:%H:%M} #{where}[/dim] [b]{who}[/b] reacts {emoji} to {whose}")
        before, asked = len(self.discord.sent), len(self.gemini.asked)
        await self.discord.react(self.people[who], self.channels[where], self.last[whose], emoji)
        await self.discord.settle()
        self.tell(before, asked)

    async def press(self, who: str, label: str) -> None:
        """Let somebody press the button of that name that the bot sent last."""
        self.console.print(f"[dim]{self.now:%H:%M}[/dim] [b]{who}[/b] presses [reverse] {escape(label)} [/reverse]")
        before, asked = len(self.discord.sent), len(self.gemini.asked)
        sent = next(sent for sent in reversed(self.discord.sent) if label in sent.buttons)
        channel = self.discord.world.channel_of(sent.channel_id)
        assert channel is not None
        await self.discord.press(self.people[who], channel, sent, label)
        self.tell(before, asked)

    async def delete(self, where: str, words: str) -> None:
        """Let whoever wrote some words delete that message."""
        channel = self.channels[where]
        (message_id,) = (m for m, body in channel.messages.items() if words in body["content"] and not _by_bot(body))
        self.console.print(f"[dim]{self.now:%H:%M} #{where}[/dim] the message with “{escape(words)}” is deleted")
        await self.discord.delete(channel, message_id)
        await self.discord.settle()

    def tell(self, before: int, asked: int) -> None:
        """Print what the bot answered, and what it asked the model for it."""
        self.answer = "\n".join(sent.content for sent in self.discord.sent[before:])
        pinged = [ping for sent in self.discord.sent[before:] for ping in sent.pings]
        self.expect(bool(self.answer) and not pinged, "an answer that pings nobody")
        calls = Counter(a.name for a in self.gemini.asked[asked:])
        told = ", ".join(f"{n} × {name}" for name, n in calls.items()) or "nothing"
        people = {user.id: user.name for user in self.people.values()}
        text = in_terminal(self.answer, people, {channel.id: channel.name for channel in self.channels.values()})
        self.console.print(Padding(Text.assemble(("urmom-bot: ", "cyan"), text), (0, 0, 0, 6)), highlight=False)
        self.console.print(f"      [dim]asked the model: {told}[/dim]", highlight=False)

    def expect(self, met: bool, what: str) -> None:
        """Count an expectation, and tell one that was not met."""
        if met:
            self.met += 1
        else:
            self.missed.append(f"{self.now:%a %H:%M}: {what}")
            self.console.print(f"      [bold red]expected {escape(what)}[/bold red]", highlight=False)


def _by_bot(body: dict[str, Any]) -> bool:
    return bool(body["author"]["bot"])


async def play(console: Console, only: int | None = None) -> bool:
    """Play the story, showing one of its chapters `only`; returns whether everything happened that should have.

    Raises StartupError where there is no such chapter.
    """
    chapters = sum(line.startswith("## ") for line in _lines())
    if only is not None and only > chapters:
        raise StartupError(f"The demo has {chapters} chapters.", BAD_SETTINGS)
    began = time.monotonic()
    console.print(
        "[b]Nine days in a small server.[/b] The bot, discord.py, the Gemini SDK and PostgreSQL are real; Discord is a"
        " local stand-in, and [b]the model's answers were written for this demo[/b].\n"
    )
    async with AsyncExitStack() as stack:
        folder = stack.enter_context(tempfile.TemporaryDirectory(prefix="urmom-bot-demo-"))
        gemini = GeminiStandIn(written(_file("nine_days_answers.txt")))
        await gemini.start()
        stack.push_async_callback(gemini.close)
        discord = DiscordStandIn(World(lambda: FIRST_DAY))
        settings = Settings(
            _env_file=None,  # pyright: ignore[reportCallIssue]
            data_dir=Path(folder),
            database_url=None,
            discord_proxy=None,
            bot_name="Bot",
            joke_emoji="🤡",
            joke_cooldown=0,
            memory_wait=5,
            time_zone="UTC",
        )
        settings = settings.on_stand_in(gemini.url)
        dsn = await stack.enter_async_context(database(settings, durable=False))
        stage = _Stage(console, discord, gemini, settings, dsn)
        discord.world.clock = lambda: stage.now
        await discord.start()
        stack.push_async_callback(discord.close)
        stage.furnish()
        await stage.start()
        stack.push_async_callback(stage.stop)
        for line in _lines():
            await _play(stage, line, only)
        console.quiet = False
        if only is None or stage.missed:
            _sum_up(stage, time.monotonic() - began)
    return not stage.missed


def picture(console: Console) -> str:
    """What a console recorded, as an SVG that loads nothing from anywhere: the reader's own font is used."""
    drawn = console.export_svg(title="urmom-bot demo", unique_id="demo")
    return re.sub(r"\s*@font-face \{.*?\}|\s*<!--.*?-->", "", drawn, flags=re.DOTALL)


def _lines() -> Iterator[str]:
    lines = _file("nine_days.txt").splitlines()
    yield from (line for line in lines if line and not line.startswith("# "))


def _file(name: str) -> str:
    return (files("urmom_bot.stand_ins") / name).read_text(encoding="utf-8")


async def _play(stage: _Stage, line: str, only: int | None) -> None:
    console = stage.console
    if talk := _TALK.fullmatch(line):
        stage.now = stage.now.replace(hour=int(talk[1]), minute=int(talk[2]), second=0)
        await stage.say(talk[3], talk[4], talk[5], talk[6])
    elif line.startswith("=> "):
        stage.expect(line[3:] in stage.answer, f"“{line[3:]}” in the answer")
    elif line.startswith("=/> "):
        stage.expect(line[4:] not in stage.answer, f"no “{line[4:]}” in the answer")
    elif line.startswith("// "):
        console.print(f"[italic]{escape(line[3:])}[/italic]")
    elif line.startswith("## "):
        stage.chapter += 1
        console.quiet = only not in (None, stage.chapter)
        console.print()
        console.rule(f"[b]{stage.chapter}. {line[3:]}[/b]", align="left")
    elif day := re.fullmatch(r"== day (\d+), (\w+)", line):
        stage.now = FIRST_DAY + timedelta(days=int(day[1]) - 1)
        console.print(f"[b]Day {day[1]}, {day[2]}[/b]")
    else:
        await _act(stage, line)


async def _act(stage: _Stage, line: str) -> None:
    match line.split():
        case ["!quota", state]:
            stage.gemini.quota_out = state == "out"
            stage.now += timedelta(minutes=2)  # what the provider named as the wait has passed
            stage.console.print(f"[yellow]      the AI's quota is {'used up' if state == 'out' else 'back'}[/yellow]")
        case ["!stop"]:
            await stage.stop()
            stage.console.print("[yellow]      the bot is stopped[/yellow]")
        case ["!start"]:
            await stage.start()
            stage.console.print("[yellow]      the bot is started again[/yellow]")
        case ["!press", who, *label]:
            await stage.press(who, " ".join(label))
        case ["!delete", where, words]:
            await stage.delete(where.removeprefix("#"), words)
        case ["!react", who, where, emoji, whose]:
            await stage.react(who, where.removeprefix("#"), emoji, whose)
        case _:
            raise ValueError(f"the story says {line!r}, which means nothing")


def _sum_up(stage: _Stage, seconds: float) -> None:
    console = stage.console
    calls = Counter((a.model, a.name) for a in stage.gemini.asked)
    tokens: Counter[tuple[str, str]] = Counter()
    for asked in stage.gemini.asked:
        tokens[asked.model, asked.name] += len(asked.instructions + asked.data) // 4
    table = Table("model", "asked for", "calls", "tokens sent (about)", title="\nWhat nine days took")
    for (model, name), n in sorted(calls.items()):
        table.add_row(model, name, str(n), str(tokens[model, name]))
    table.add_row("", "[b]all[/b]", f"[b]{sum(calls.values())}[/b]", f"[b]{sum(tokens.values())}[/b]")
    console.print(table)
    stage.expect(not stage.discord.unhandled, "no request that the stand-in does not know")
    if stage.missed:
        console.print(f"[bold red]{len(stage.missed)} things did not happen:[/bold red]")
        for missed in stage.missed:
            console.print(f"  {escape(missed)}", highlight=False)
    console.print(f"{stage.met} expectations met, {len(stage.missed)} not, in {seconds:.1f} s.", highlight=False)
