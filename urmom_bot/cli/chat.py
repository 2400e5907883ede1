"""`urmom-bot chat`: the real bot in a terminal, several people at one prompt."""

from __future__ import annotations

import hashlib
import re
from collections import Counter
from collections.abc import Awaitable, Callable, Collection
from contextlib import AsyncExitStack
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from typing import Any, Protocol, TypeVar

from pydantic import BaseModel
from rich.console import Console
from rich.markup import escape
from rich.table import Table
from rich.text import Text

from memory import Viewer
from memory.ai import Prompt
from memory.ai.model import Completion, Provider
from memory.ids import ChannelId, GuildId, UserId
from urmom_bot.app import App, open_app
from urmom_bot.cli.lines import Lines
from urmom_bot.config import Settings
from urmom_bot.markup import in_terminal
from urmom_bot.stand_ins import Channel, DiscordStandIn, Guild, Sent, User, World, online
from urmom_bot.stand_ins.world import MANAGE_GUILD, MANAGE_MESSAGES, READ_MESSAGE_HISTORY, Role

T = TypeVar("T", bound=BaseModel)

GUILD, CHANNEL, STAFF, MANAGERS = (number << 22 for number in range(1_000_001, 1_000_005))
"""The same server every time: what was remembered yesterday is known today."""

YOU = "sam"
"""Who types: they manage the server."""

_NAME = r"[^\W\d][\w.-]{0,31}"
_LINE = re.compile(rf"\s*(?:#({_NAME})(?=\s|$))?\s*(?:({_NAME})\s*:(?=\s|$))?\s*(.*)", re.DOTALL)
_NUMBER, _YES_OR_NO, _PERSON, _CHANNEL = 4, 5, 6, 7
"""Discord's numbers for kinds of options."""

_ANSWERS = {"yes": True, "true": True, "no": False, "false": False}

_AT = re.compile(rf"@({_NAME})")

ENDS = frozenset(["exit", "quit", ":quit", ":exit", "/quit", "/exit"])

MENUS = {"remember": "Remember this", "why": "Why?", "what": "What do you remember?"}

HELP = {
    "ann: Bot remember that @bob likes tea": "write as anyone; without a name, you stay the same person",
    "#staff": "go to a channel: #general, #staff (restricted), #dm, or a thread; `#staff ann: hello` does both",
    "/memory remember member:@bob fact:likes tea": "use any of the bot's commands",
    ":press 1": "press a button of the last answer, by its number or label",
    ":menu why 12": "open a menu (why, remember, what) on message 12, or on the last one; `:menu what @bob`",
    ":reply 12 yes": "reply to a message; so do `:edit 12 …`, `:delete 12` and `:react 🤡 12`",
    ":thread plans": "open a thread and go there",
    ":prompt": "show what the bot sent to the AI for the last message",
    ":cost": "show all AI calls so far",
    ":page": "print a link to your page in a browser, as who you are now",
    ":tomorrow": "move the time on by a day; `:later 30` by 30 minutes",
    "exit": "leave; so does Ctrl-D",
}


@dataclass
class Watch:
    """What the models were asked, in order, with the tokens that each counted."""

    asked: list[tuple[str, Prompt[Any], Completion | None]] = field(default_factory=list)

    def over(self, provider: Provider) -> Provider:
        """The provider, watched."""
        return _Watched(provider, self)


class _Watched:
    def __init__(self, provider: Provider, watch: Watch) -> None:
        self.model = provider.model
        self._provider = provider
        self._watch = watch

    async def say(self, prompt: Prompt[T]) -> Completion:
        answered: Completion | None = None
        try:
            answered = await self._provider.say(prompt)
            return answered
        finally:
            self._watch.asked.append((self.model, prompt, answered))


class Typed(Protocol):
    """Where lines come from."""

    interactive: bool

    async def next(self, prompt: str) -> str | None:
        """The next line; None at the end."""


async def chat(settings: Settings, console: Console, model: str, lines: Typed | None = None) -> None:
    """Do what lines like `ann: Bot remember that I play chess` say, those of the terminal without others.

    Raises StartupError.
    """
    watch, clock = Watch(), _Clock()
    async with AsyncExitStack() as stack:
        here = settings.model_copy(update={"discord_proxy": None})
        app = await stack.enter_async_context(open_app(here, clock=clock, watch=watch.over))
        discord = DiscordStandIn(World(clock))
        await discord.start()
        stack.push_async_callback(discord.close)
        guild = discord.world.guilds.setdefault(GUILD, Guild(GUILD, "the terminal"))
        guild.everyone &= ~READ_MESSAGE_HISTORY  # what was said before is not there, and not to be taken for deleted
        guild.roles[MANAGERS] = MANAGE_GUILD | MANAGE_MESSAGES
        discord.channel(guild, "general", channel_id=CHANNEL)
        discord.channel(guild, "staff", channel_id=STAFF, private=True)
        terminal = Terminal(discord, guild, console, watch, clock, lines or Lines())
        terminal.app = app
        for member in (await app.memory.guilds.members(GuildId(GUILD))).values():
            if member.author_kind == "member":
                terminal.person(member.username)
        bot = app.bot(connector=discord.connector(), guild_ready_timeout=0.05)
        await stack.enter_async_context(online(bot, discord))
        terminal.page_address = await stack.enter_async_context(app.pages(bot, port=0))
        app.panels.settings.rights_in = lambda _guild_id: ()  # that it may not read the history is no fault here
        name = settings.bot_names[0]
        console.print(
            f"This is the real bot {model}. You are [bold]{YOU}[/bold], who manages the server (its id is {GUILD})."
            f"\nSay something to {name}: [bold]{name} remember that I like tea[/bold]."
            " Write as someone else: [bold]ann: hello[/bold]."
            "\n[bold]:help[/bold] shows how to press buttons and use commands. To leave, type [bold]exit[/bold].",
            highlight=False,
        )
        await terminal.run()


class _Clock:
    """The time, which can be moved on."""

    def __init__(self) -> None:
        self.ahead = timedelta(0)

    def __call__(self) -> datetime:
        return datetime.now(UTC) + self.ahead


class Mistaken(Exception):
    """A line that cannot be carried out, with what to write instead."""


class Terminal:
    """The people, channels and messages of the terminal, and what can be done with them."""

    def __init__(
        self, discord: DiscordStandIn, guild: Guild, console: Console, watch: Watch, clock: _Clock, lines: Typed
    ) -> None:
        self._discord = discord
        self._guild = guild
        self._console = console
        self._watch = watch
        self._clock = clock
        self._lines = lines
        self._people: dict[str, User] = {}
        self._numbers: dict[int, int] = {}
        self._messages: dict[int, tuple[Channel, int, Sent | None]] = {}
        self._pressable: list[tuple[Sent, User | None]] = []
        self._asked_before = 0
        self.app: App | None = None
        self.page_address = ""
        """Where members' pages are reached."""
        self._user = self.person(YOU)
        guild.member_roles[self._user.id] = [MANAGERS]
        self._channel = guild.channels[CHANNEL]
        self._is_direct = False
        self._commands: dict[str, Callable[[str], Awaitable[None]]] = {
            "help": self._help,
            "press": self._press,
            "menu": self._menu,
            "reply": self._reply,
            "edit": self._edit,
            "delete": self._delete,
            "react": self._react,
            "thread": self._thread,
            "prompt": self._prompt,
            "cost": self._cost,
            "page": self._page,
            "tomorrow": self._tomorrow,
            "later": self._later,
        }

    def person(self, name: str) -> User:
        """Somebody by their name, the same every time."""
        if name not in self._people:
            number = int.from_bytes(hashlib.sha256(name.encode()).digest()[:5], "big") << 22
            self._people[name] = self._discord.world.users[number] = self._guild.members[number] = User(number, name)
        return self._people[name]

    async def run(self) -> None:
        """Do what each line says, until there is none."""
        while (
            line := await self._lines.next(f"{len(self._messages) + 1} {self._where}{self._user.name}> ")
        ) is not None:
            found = _LINE.fullmatch(line)
            assert found is not None
            try:
                text = self._turn_to(found[1], found[2], found[3].strip())
                if text in ENDS:
                    self._console.print("Bye.")
                    return
                await self._do(text)
            except (Mistaken, LookupError) as mistaken:  # of the stand-in: a command or button that there is not
                self._console.print(f"[yellow]{escape(str(mistaken))}[/yellow]", highlight=False)
            except TimeoutError:
                self._console.print("[yellow]The bot did not answer within two minutes.[/yellow]")

    @property
    def _prompted(self) -> str:
        return f"{len(self._messages) + 1} {self._where}{self._user.name}> "

    @property
    def _where(self) -> str:
        name = "dm" if self._is_direct else self._channel.name
        return "" if self._channel.id == CHANNEL and not self._is_direct else f"#{name} "

    def _turn_to(self, channel: str | None, name: str | None, text: str) -> str:
        """Go where a line is written, and be who writes it; returns the rest."""
        if channel is not None:
            self._is_direct = channel == "dm"
            self._channel = self._channel if self._is_direct else self._channel_called(channel)
        if name is not None:
            self._user = self.person(name)
        return text

    def _channel_called(self, name: str) -> Channel:
        there = {channel.name: channel for channel in self._guild.channels.values()}
        if name not in there:
            raise Mistaken(f"There is no #{name}. You can go to #{', #'.join(there)} and #dm.")
        return there[name]

    async def _here(self) -> Channel:
        return await self._discord.dm_channel(self._user) if self._is_direct else self._channel

    async def _do(self, text: str) -> None:
        for name in _AT.findall(text):
            if name not in ("everyone", "here"):
                self.person(name)
        if text and not self._lines.interactive:
            self._console.print(f"[dim]{self._where}{self._user.name}:[/dim] {escape(text)}", highlight=False)
        if text.startswith(":"):
            name, _, rest = text[1:].partition(" ")
            if name not in self._commands:
                raise Mistaken(f"There is no :{name}. :help lists what you can type.")
            await self._commands[name](rest.strip())
        elif text.startswith("/"):
            await self._slash(text[1:])
        elif text:
            await self._say(text)

    # What people do

    async def _say(self, text: str, **more: Any) -> None:
        channel, before = await self._here(), self._begin()
        written = _AT.sub(lambda m: f"<@{self._people[m[1]].id}>" if m[1] in self._people else m[0], text)
        message_id = await self._discord.say(self._user, channel, written, **more)
        self._number(channel, message_id)
        await self._settle(before)

    def _begin(self) -> int:
        self._asked_before = len(self._watch.asked)
        return len(self._discord.sent)

    async def _settle(self, before: int) -> None:
        await self._discord.settle(limit=120)
        for sent in self._discord.sent[before:]:
            self._show(sent)

    async def _slash(self, text: str) -> None:
        path, given = list[str](), dict[str, list[str]]()
        for word in text.split():
            name, colon, value = word.partition(":")
            if colon and name.isidentifier():
                given[name] = [value]
            else:
                (list(given.values())[-1] if given else path).append(word)
        taken = self._check_command(path, given)
        options = {name: self._option(taken[name], " ".join(words)) for name, words in given.items()}
        before = self._begin()
        await self._discord.slash(self._user, await self._here(), " ".join(path), options)
        await self._after(before)

    def _check_command(self, path: list[str], given: Collection[str]) -> dict[str, dict[str, Any]]:
        """The options that a command takes, by their names.

        Raises Mistaken for what Discord's own input would not let anybody send.
        """
        parts = [command for command in self._discord.rest.commands if command.get("type", 1) == 1]
        taken = "/"
        for word in path or [""]:
            found = next((one for one in parts if one["name"] == word), None)
            if found is None:
                names = ", ".join(taken + one["name"] for one in parts if one.get("type", 1) in (1, 2))
                raise Mistaken(f"There is no {taken}{word}.{f' Commands: {names}.' if names else ''}")
            parts, taken = found.get("options", []), f"{taken}{word} "
        if below := [one["name"] for one in parts if one["type"] in (1, 2)]:
            raise Mistaken(f"Which? {', '.join(taken + name for name in below)}.")
        known = [one["name"] for one in parts]
        missing = [one["name"] for one in parts if one.get("required") and one["name"] not in given]
        if missing or any(name not in known for name in given):
            raise Mistaken(f"Write {taken}{' '.join(f'{name}:…' for name in known)}".rstrip() + ".")
        return {one["name"]: one for one in parts}

    def _option(self, option: dict[str, Any], value: str) -> object:
        """What is typed for an option, as Discord sends it. Raises Mistaken if Discord wouldn't let anybody type it."""
        name, kind = option["name"], option["type"]
        listed = {
            str(typed).casefold(): choice["value"]
            for choice in option.get("choices") or ()
            for typed in (choice["name"], choice["value"])
        }
        if listed and value.casefold() not in listed:
            raise Mistaken(f"{name} is one of: {', '.join(dict.fromkeys(listed))}.")
        if listed:
            return listed[value.casefold()]
        if kind == _YES_OR_NO and value.casefold() not in _ANSWERS:
            raise Mistaken(f"{name} is yes or no.")
        if kind == _PERSON and (not _AT.fullmatch(value) or value in ("@everyone", "@here")):
            raise Mistaken(f"{name} is a person: write {name}:@{value.strip('@<>') or YOU}.")
        if kind == _CHANNEL and not value.startswith("#"):
            raise Mistaken(f"{name} is a channel: write {name}:#{value}.")
        if kind == _NUMBER and not value.isdecimal():
            raise Mistaken(f"{name} is a whole number.")
        if value == "@everyone":
            return Role(self._guild.id)
        if (found := _AT.fullmatch(value)) is not None:
            return self.person(found[1])
        if value.startswith("#"):
            return self._channel_called(value[1:])
        if value.startswith("&"):
            return Role(int(value[1:]))
        return _ANSWERS.get(value.casefold(), int(value) if value.isdecimal() else value)

    async def _press(self, label: str) -> None:
        shown = next((sent for sent, reader in reversed(self._pressable) if reader in (None, self._user)), None)
        if shown is None or not shown.buttons:
            raise Mistaken("The last answer that you can see has no buttons.")
        labels = list(shown.buttons)
        if label.isdecimal() and 1 <= int(label) <= len(labels):
            label = labels[int(label) - 1]
        alike = [one for one in labels if one.casefold().startswith(label.casefold())]
        label = alike[0] if len(alike) == 1 and label not in labels else label
        if label not in labels:
            raise Mistaken(
                f"There is no such button. Choose from: {', '.join(f'{n} {one}' for n, one in enumerate(labels, 1))}."
            )
        before = self._begin()
        await self._discord.press(self._user, self._where_is(shown), shown, label)
        await self._after(before)

    async def _menu(self, text: str) -> None:
        name, _, target = text.partition(" ")
        if name not in MENUS:
            raise Mistaken(f"The menus are {', '.join(MENUS)}. Write `:menu why 12` or `:menu what @bob`.")
        on: int | User
        if name == "what":
            on, channel = self.person(target.strip().lstrip("@") or self._user.name), await self._here()
        else:
            wants_bot = name == "why"
            channel, on, _ = self._message(target, by_bot=wants_bot)
        before = self._begin()
        await self._discord.menu(self._user, channel, MENUS[name], on)
        await self._after(before)

    def _message(self, number: str, *, by_bot: bool = False) -> tuple[Channel, int, Sent | None]:
        """A message by its number; without one, the last of the bot's or of people's."""
        if not number.strip():
            there = [known for known in self._messages.values() if known[1] in known[0].messages]
            last = [known for known in there if (known[2] is not None) == by_bot]
            if not last:
                raise Mistaken("There is no message yet.")
            return last[-1]
        if not number.strip().isdecimal() or int(number) not in self._messages:
            raise Mistaken(f"There is no message {number}. Each message has its number before it.")
        channel, message_id, sent = self._messages[int(number)]
        if message_id not in channel.messages:
            raise Mistaken(f"Message {number} was deleted, or only one person could see it.")
        return channel, message_id, sent

    async def _reply(self, text: str) -> None:
        number, _, words = text.partition(" ")
        await self._say(words, reply_to=self._message(number)[1])

    async def _edit(self, text: str) -> None:
        number, _, words = text.partition(" ")
        channel, message_id, _ = self._message(number)
        before = self._begin()
        await self._discord.edit(channel, message_id, words)
        await self._settle(before)

    async def _delete(self, number: str) -> None:
        channel, message_id, _ = self._message(number)
        before = self._begin()
        await self._discord.delete(channel, message_id)
        await self._settle(before)
        which = f"Message {number.strip()}" if number.strip() else "The last message"
        self._console.print(f"[dim]{which} was deleted.[/dim]", highlight=False)

    async def _react(self, text: str) -> None:
        emoji, _, number = text.partition(" ")
        channel, message_id, _ = self._message(number)
        before = self._begin()
        await self._discord.react(self._user, channel, message_id, emoji)
        await self._settle(before)

    async def _thread(self, name: str) -> None:
        if not re.fullmatch(_NAME, name) or self._is_direct or self._channel.thread:
            raise Mistaken("Open a thread in a channel, and give it a name of one word: `:thread plans`.")
        self._channel = await self._discord.open_thread(self._channel, name)
        await self._discord.settle()

    # What they see

    def _number(self, channel: Channel, message_id: int, sent: Sent | None = None) -> int:
        number = self._numbers.setdefault(message_id, len(self._messages) + 1)
        self._messages[number] = (channel, message_id, sent)
        return number

    def _where_is(self, sent: Sent) -> Channel:
        return self._discord.world.channel_of(sent.channel_id) or self._channel

    def _show(self, sent: Sent) -> None:
        channel = self._where_is(sent)
        number = self._number(channel, sent.message_id, sent) if sent.message_id else 0
        marks = [mark for mark, is_so in (("only you see this", sent.ephemeral), ("edited", sent.edited)) if is_so]
        how = f" ({', '.join(marks)})" if marks else ""
        self._console.print(
            Text.from_markup(f"[dim]{number or ''}[/dim] [bold cyan]bot{how}:[/bold cyan] "),
            self._readable(sent.content),
            sep="",
            highlight=False,
        )
        for name, content in sent.files:
            shown = content if name.endswith(".md") else f"({len(content):,} characters)"
            self._console.print(f"[dim]📎 {escape(name)}[/dim] {escape(shown)}", highlight=False)
        self._pressable.append((sent, self._user if sent.ephemeral else None))
        if sent.buttons:
            told = " ".join(
                f"[strike]{escape(label)}[/strike]" if button.get("disabled") else f"{n} \\[{escape(label)}]"
                for n, (label, button) in enumerate(sent.buttons.items(), 1)
            )
            self._console.print(f"     {told}", highlight=False)

    def _readable(self, text: str) -> Text:
        """Discord's marks as a terminal can show them."""
        people = {UserId(user.id): name for name, user in self._people.items()}
        channels = {ChannelId(channel.id): channel.name for channel in self._guild.channels.values()}
        return in_terminal(text, people, channels)

    async def _after(self, before: int) -> None:
        """Show what an interaction brought, and fill in the form where it opened one."""
        for sent in self._discord.sent[before:]:
            self._show(sent)
        if not self._discord.rest.modals:
            return
        (form,) = self._discord.rest.modals.values()
        self._console.print(
            f"[bold]{escape(form['title'])}[/bold] [dim](Enter leaves a field as it is, :cancel closes the form)[/dim]"
        )
        answers: dict[str, Any] = {}
        try:
            for part in form["components"]:
                if (answer := await self._filled(part["label"], part["component"])) is not None:
                    answers[part["label"]] = answer
        except Mistaken:
            self._discord.rest.modals.clear()
            raise
        before = self._begin()
        await self._discord.fill_in(self._user, await self._here(), answers)
        await self._after(before)

    async def _filled(self, label: str, field: dict[str, Any]) -> object:
        """What is written into a field of a form; None leaves it as it is."""
        options = {option["label"]: option["value"] for option in field.get("options", ())}
        now = next((o["label"] for o in field.get("options", ()) if o.get("default")), field.get("value", ""))
        for user in self._people.values():
            if user.id in (int(one["id"]) for one in field.get("default_values", ())):
                now = f"@{user.name}"
        chosen = f" ({' / '.join(options)})" if options else ""
        while True:
            line = await self._lines.next(f"  {label}{chosen} [{now}]: ")
            typed = (line or "").strip()
            if not self._lines.interactive:
                shown = f"{label}{chosen} [{now}]:"
                self._console.print(f"[dim]  {escape(shown)}[/dim] {escape(typed)}", highlight=False)
            if line is None or typed == ":cancel":
                raise Mistaken("The form is closed; nothing was changed.")
            if not typed:
                return None
            if not options:
                break
            alike = [value for text, value in options.items() if text.casefold().startswith(typed.casefold())]
            if len(alike) == 1:
                return alike[0]
            self._console.print(f"[yellow]  One of: {escape(' / '.join(options))}[/yellow]", highlight=False)
        match field["type"]:
            case 5:
                return self.person(typed.lstrip("@"))
            case 8:
                return self._channel_called(typed.lstrip("#"))
        return typed

    async def _help(self, _: str) -> None:
        table = Table.grid(padding=(0, 2))
        for line, meaning in HELP.items():
            table.add_row(f"[bold]{escape(line)}[/bold]", escape(meaning))
        self._console.print(table)

    async def _prompt(self, _: str) -> None:
        asked = self._watch.asked[self._asked_before :]
        if not asked:
            self._console.print("[dim]The model was not asked.[/dim]")
        for model, prompt, _answer in asked:
            self._console.rule(f"{prompt.name}, to {model}", align="left")
            turns = [f"{role}: {text}" for role, text in prompt.turns]
            self._console.print("\n\n".join([prompt.instructions, *turns, prompt.data]), markup=False, highlight=False)

    async def _cost(self, _: str) -> None:
        calls: Counter[tuple[str, str]] = Counter()
        tokens: Counter[tuple[str, str]] = Counter()
        for model, prompt, answered in self._watch.asked:
            calls[model, prompt.name] += 1
            tokens[model, prompt.name] += answered.tokens_in + answered.tokens_out if answered else 0
        table = Table("model", "purpose", "calls", "tokens")
        for key, count in calls.items():
            table.add_row(*key, str(count), f"{tokens[key]:,}")
        table.add_row("", "all", str(calls.total()), f"{tokens.total():,}")
        last = self._watch.asked[self._asked_before :]
        spent = sum(answered.tokens_in + answered.tokens_out for *_, answered in last if answered)
        self._console.print(table)
        self._console.print(f"The last message took {len(last)} of these calls, and {spent:,} tokens.", highlight=False)

    async def _page(self, _: str) -> None:
        if self.app is None or not self.page_address:
            raise Mistaken("Pages cannot be served here.")
        viewer = Viewer(guild_id=GuildId(GUILD), user_id=UserId(self._user.id), is_alone=True)
        token = await self.app.memory.access.make_link(viewer, "en")
        link = Text(f"{self.page_address}/open/{token}", no_wrap=True, overflow="ignore")
        self._console.print(link, soft_wrap=True)

    async def _tomorrow(self, _: str) -> None:
        await self._move(timedelta(days=1))

    async def _later(self, minutes: str) -> None:
        if not minutes.isdecimal():
            raise Mistaken("By how many minutes? Write `:later 30`, for example.")
        await self._move(timedelta(minutes=int(minutes)))

    async def _move(self, by: timedelta) -> None:
        self._clock.ahead += by
        self._console.print(f"[dim]It is now {self._clock():%A, %d %B %Y, %H:%M} UTC, in this chat only.[/dim]")
