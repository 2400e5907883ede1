"""`urmom-bot demo`: nine days in a small server, played through the real bot against the stand-ins."""

from __future__ import annotations

import asyncio
import re
import sys
import tempfile
import time
from collections import Counter
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from importlib.resources import files
from pathlib import Path
from typing import Any

from rich.console import Console
from rich.markup import escape
from rich.table import Table
from rich.text import Text

from memory import Viewer
from memory.ids import ChannelId, GuildId, UserId
from urmom_bot.app import App, database, open_app
from urmom_bot.bot import Bot
from urmom_bot.cli.chatlog import BOT, ChatLine, drawn, picture, quote
from urmom_bot.cli.console import as_called
from urmom_bot.config import Settings
from urmom_bot.errors import BAD_SETTINGS, StartupError
from urmom_bot.markup import in_terminal
from urmom_bot.stand_ins import Channel, DiscordStandIn, GeminiStandIn, User, World, online, written
from urmom_bot.stand_ins.world import MANAGE_GUILD, ORDINARY

MANAGERS, MANAGER = 99, "gruzilkin"
"""The role of who manages the server, and who that is, on the pages."""

FIRST_DAY = datetime(2026, 11, 2, tzinfo=UTC)
PEOPLE = ("gruzilkin", "florent", "ann", "mia", "tomas", "priya")
CHANNELS = ("general", "dev", "food", "staff")
RESTRICTED, STAFF = "staff", "priya"
"""The channel that not everybody can read, and who can."""

TALK = "Eight days of talk"
"""The chapter in which people talk among themselves."""

LONG_ANSWER = 200
"""Characters of an answer that is not shown a second time."""

NEXT = """[b]What next?[/b]
  urmom-bot demo --page        see in your browser what the bot knows about these people
  urmom-bot chat --stand-in    talk to it yourself, as one or more people
  urmom-bot setup              put it on your own server, in about five minutes
  docs/for-members.md          everything you can say, and what it stores"""
"""What somebody may do who has seen the demo."""

_TALK = re.compile(r"(\d\d):(\d\d) (\w+)(?:>(\w+))? #(\w+): (.*)")


@dataclass
class Stage:
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
    is_talk: bool = False
    """Whether the chapter is about what people say among themselves: of each day one line of that is shown."""
    passed: int = -1
    """Lines of talk of the day that were not shown; -1 before the first."""
    told: set[str] = field(default_factory=set)
    """What the bot answered, as it was shown."""
    pictures: dict[str, list[ChatLine]] = field(default_factory=dict)
    """The messages of each picture, by its name."""
    drawing: str = ""
    """The picture that is drawn now."""
    shown: str = ""
    """The message that was shown last, as it is quoted."""
    quoted: dict[str, str] = field(default_factory=dict)
    """Everybody's last message, as it is quoted."""
    app: App | None = None
    """The bot's parts, while it runs."""
    bot: Bot | None = None
    _life: AsyncExitStack | None = None

    def furnish(self) -> None:
        """Make the server and its people."""
        guild = self.discord.world.guild("nine days")
        self.people = {name: self.discord.join(guild, name) for name in PEOPLE}
        self.channels = {name: self.discord.channel(guild, name, private=name == RESTRICTED) for name in CHANNELS}
        allowed = {"id": str(self.people[STAFF].id), "type": 1, "allow": str(ORDINARY), "deny": "0"}
        self.channels[RESTRICTED].overwrites = [*self.channels[RESTRICTED].overwrites, allowed]

    async def start(self) -> None:
        """Start the bot."""
        self._life = AsyncExitStack()
        built = await self._life.enter_async_context(
            open_app(self.settings, clock=lambda: self.now, quota_clock=lambda: self.now, dsn=self.dsn)
        )
        self.app = built
        self.bot = built.bot(connector=self.discord.connector(), guild_ready_timeout=0.02)
        await self._life.enter_async_context(online(self.bot, self.discord))

    async def stop(self) -> None:
        """Stop the bot, as a signal would."""
        if self._life is not None:
            await self._life.aclose()
        self._life = None

    async def say(self, who: str, answers: str | None, where: str, words: str) -> None:
        """Let somebody write, and wait for the bot where it is spoken to."""
        line = ChatLine(
            who=who,
            text=Text(words),
            at=self.now,
            channel=where + (" (restricted)" if where == RESTRICTED else ""),
            quoted=self.quoted.get(answers, "") if answers else "",
        )
        self.quoted[who] = quote(who, words)
        for name, user in self.people.items():
            words = re.sub(rf"@{name}\b", f"<@{user.id}>", words)
        before, asked = len(self.discord.sent), len(self.gemini.asked)
        reply_to = self.last[answers] if answers else None
        channel = self.channels[where]
        self.last[who] = await self.discord.say(self.people[who], channel, words, reply_to=reply_to, at=self.now)
        is_asked = words.startswith("Bot") and self._life is not None
        if is_asked or not self.is_talk or self.passed < 0:
            self.show(line)
            self.passed = max(self.passed, 0)
        else:
            self.passed += 1
        if is_asked:
            await self.discord.settle()
            self.tell(before, asked, self.quoted[who])

    def show(self, line: ChatLine) -> None:
        """Show a message, and keep it for the picture that is drawn."""
        self.skip()
        self.console.print(drawn(line, self.shown), highlight=False)
        self.shown = quote(line.who, line.text.plain)
        if self.drawing:
            self.pictures[self.drawing].append(line)

    def happen(self, what: str) -> None:
        """Show something that happens between messages."""
        self.show(ChatLine(who="", text=Text(what), at=self.now, channel=""))

    def skip(self) -> None:
        """Say how many lines of talk were not shown."""
        if self.passed > 0:
            more = f"{self.passed} more message{'s' if self.passed > 1 else ''}"
            self.console.print(f"[dim]  … and {more}[/dim]", highlight=False)
            self.passed = 0

    async def react(self, who: str, where: str, emoji: str, whose: str) -> None:
        """Let somebody react to somebody's last message."""
        self.happen(f"{who} reacts with {emoji} to {whose}'s message.")
        before, asked = len(self.discord.sent), len(self.gemini.asked)
        await self.discord.react(self.people[who], self.channels[where], self.last[whose], emoji)
        await self.discord.settle()
        self.tell(before, asked, self.quoted.get(whose, ""))

    async def press(self, who: str, label: str) -> None:
        """Let somebody press the button of that name that the bot sent last."""
        self.happen(f"{who} presses “{label}”.")
        before, asked = len(self.discord.sent), len(self.gemini.asked)
        sent = next(sent for sent in reversed(self.discord.sent) if label in sent.buttons)
        channel = self.discord.world.channel_of(sent.channel_id)
        assert channel is not None
        await self.discord.press(self.people[who], channel, sent, label)
        self.tell(before, asked, "")

    async def delete(self, where: str, words: str) -> None:
        """Let whoever wrote some words delete that message."""
        channel = self.channels[where]
        (message_id,) = (m for m, body in channel.messages.items() if words in body["content"] and not _by_bot(body))
        self.happen(f"The message with “{words}” is deleted.")
        await self.discord.delete(channel, message_id)
        await self.discord.settle()

    def tell(self, before: int, asked: int, quoted: str) -> None:
        """Show what the bot answered, and what it asked the model for it."""
        answers = self.discord.sent[before:]
        self.answer = "\n".join(sent.content for sent in answers)
        self.expect(bool(self.answer) and not any(sent.pings for sent in answers), "an answer that pings nobody")
        calls = sum(1 for _ in self.gemini.asked[asked:])
        people = {UserId(user.id): user.name for user in self.people.values()}
        channels = {ChannelId(channel.id): channel.name for channel in self.channels.values()}
        text = in_terminal(self.answer, people, channels)
        if text.plain in self.told and len(text.plain) > LONG_ANSWER:
            text = Text("The same answer as above.", "italic")
        self.told.add(in_terminal(self.answer, people, channels).plain)
        channel = self.discord.world.channel_of(answers[-1].channel_id) if answers else None
        shown = ChatLine(
            who=BOT,
            text=text,
            at=self.now,
            channel=channel.name if channel is not None else "general",
            quoted=quoted,
            buttons=tuple((label, int(button["style"])) for sent in answers for label, button in sent.buttons.items()),
            note="no AI call" if not calls else f"{calls} AI call{'s' if calls > 1 else ''}",
        )
        self.show(shown)

    def expect(self, met: bool, what: str) -> None:
        """Count an expectation, and tell one that was not met."""
        if met:
            self.met += 1
        else:
            self.missed.append(f"{self.now:%a %H:%M}: {what}")
            self.console.print(f"      [bold red]expected {escape(what)}[/bold red]", highlight=False)


def _by_bot(body: dict[str, Any]) -> bool:
    return bool(body["author"]["bot"])


async def play(
    console: Console,
    only: int | None = None,
    *,
    waits: bool = False,
    pictures: Path | None = None,
    then: Callable[[Stage], Awaitable[None]] | None = None,
) -> bool:
    """Play the story, showing one of its chapters `only`; returns whether everything happened that should have.

    It `waits` for Enter after each chapter, draws its `pictures` into a folder, and at the end does what comes `then`.
    Raises StartupError where there is no such chapter.
    """
    chapters = sum(line.startswith("## ") for line in _lines())
    if only is not None and only > chapters:
        raise StartupError(f"There is no chapter {only}. The demo has {chapters} chapters.", BAD_SETTINGS)
    began = time.monotonic()
    console.print(
        "[b]Nine days on a small server.[/b] The bot, discord.py, the Gemini SDK and PostgreSQL are real. Discord is a"
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
            introduce=False,  # once is charming, six times in two minutes is not
            memory_wait=5,
            time_zone="UTC",
        )
        settings = settings.on_stand_in(gemini.url)
        dsn = await stack.enter_async_context(database(settings, durable=False))
        stage = Stage(console, discord, gemini, settings, dsn)
        discord.world.clock = lambda: stage.now
        await discord.start()
        stack.push_async_callback(discord.close)
        stage.furnish()
        await stage.start()
        stack.push_async_callback(stage.stop)
        for line in _lines():
            if waits and line.startswith("## ") and stage.chapter and not console.quiet:
                stage.skip()
                console.input("\n[dim]Press Enter to continue … [/dim]")
            await _play(stage, line, only)
        console.quiet = False
        if pictures is not None:
            for name, shown in stage.pictures.items():
                (pictures / f"{name}.svg").write_text(picture(shown, f"urmom-bot: {name}"), encoding="utf-8")
        if then is not None:
            await then(stage)
            return not stage.missed
        if only is None or stage.missed:
            _sum_up(stage, time.monotonic() - began)
        console.print(f"\n{as_called(NEXT)}", highlight=False)
    return not stage.missed


@asynccontextmanager
async def pages_of(stage: Stage, *, port: int = 0) -> AsyncIterator[Callable[[str], Awaitable[str]]]:
    """Serve the pages of the story's people, one of whom manages the server; yields what makes a link for each."""
    assert stage.app is not None
    assert stage.bot is not None
    app, guild = stage.app, next(iter(stage.discord.world.guilds.values()))
    guild.roles[MANAGERS] = MANAGE_GUILD
    guild.member_roles[stage.people[MANAGER].id] = [MANAGERS]
    channel = next(iter(guild.channels.values()))
    await stage.discord.gateway.dispatch("CHANNEL_UPDATE", channel.payload(), guild.id)  # with it go the new roles
    await stage.discord.settle()
    async with app.pages(stage.bot, port=port) as address:

        async def link(name: str) -> str:
            viewer = Viewer(guild_id=GuildId(guild.id), user_id=UserId(stage.people[name].id), is_alone=True)
            return f"{address}/open/{await app.memory.access.make_link(viewer, 'en')}"

        yield link


async def show_pages(console: Console, stage: Stage) -> None:
    """Print a link to each person's page, until the terminal says that it is enough."""
    async with pages_of(stage) as link:
        while True:
            for name in PEOPLE:
                what = " (manages the server)" if name == MANAGER else ""
                console.print(Text(f"{name}{what}: {await link(name)}"), soft_wrap=True)
            console.print("\nOpen a link in your browser. Each works once: Enter makes new ones, Ctrl-C ends the demo.")
            await _entered()


async def _entered() -> None:
    """Wait for Enter; for ever, where nobody is at the terminal. A thread that reads would keep Ctrl-C waiting."""
    entered, loop = asyncio.Event(), asyncio.get_running_loop()
    try:
        loop.add_reader(sys.stdin, entered.set)
    except (OSError, ValueError):  # a file, or nothing
        await asyncio.Event().wait()
    try:
        await entered.wait()
    finally:
        loop.remove_reader(sys.stdin)
    if not sys.stdin.readline():
        await asyncio.Event().wait()


def _lines() -> Iterator[str]:
    lines = _file("nine_days.txt").splitlines()
    yield from (line for line in lines if line and not line.startswith("# "))


def _file(name: str) -> str:
    return (files("urmom_bot.stand_ins") / name).read_text(encoding="utf-8")


async def _play(stage: Stage, line: str, only: int | None) -> None:
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
        stage.skip()
        stage.chapter += 1
        stage.is_talk = line == f"## {TALK}"
        console.quiet = only not in (None, stage.chapter)
        console.print()
        console.rule(f"[b]{stage.chapter}. {line[3:]}[/b]", align="left")
    elif day := re.fullmatch(r"== day (\d+), (\w+)", line):
        stage.skip()
        stage.passed = -1
        stage.now = FIRST_DAY + timedelta(days=int(day[1]) - 1)
        console.print(f"[b]Day {day[1]}, {day[2]}[/b]")
    else:
        await _act(stage, line)


async def _act(stage: Stage, line: str) -> None:
    match line.split():
        case ["!quota", state]:
            stage.gemini.quota_out = state == "out"
            stage.now += timedelta(minutes=2)  # what the provider named as the wait has passed
            stage.happen(f"The AI's quota is {'used up' if state == 'out' else 'back'}.")
        case ["!stop"]:
            await stage.stop()
            stage.happen("The bot is stopped.")
        case ["!start"]:
            await stage.start()
            stage.happen("The bot is started again.")
        case ["!press", who, *label]:
            await stage.press(who, " ".join(label))
        case ["!delete", where, words]:
            await stage.delete(where.removeprefix("#"), words)
        case ["!picture", name]:
            stage.drawing = "" if name == "end" else name
            stage.pictures |= {name: []} if stage.drawing else {}
        case ["!react", who, where, emoji, whose]:
            await stage.react(who, where.removeprefix("#"), emoji, whose)
        case _:
            raise ValueError(f"the story says {line!r}, which means nothing")


def _sum_up(stage: Stage, seconds: float) -> None:
    console = stage.console
    calls = Counter((a.model, a.name) for a in stage.gemini.asked)
    tokens: Counter[tuple[str, str]] = Counter()
    for asked in stage.gemini.asked:
        tokens[asked.model, asked.name] += len(asked.instructions + asked.data) // 4
    table = Table("model", "purpose", "calls", "tokens sent (about)", title="\nAI calls in nine days")
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
