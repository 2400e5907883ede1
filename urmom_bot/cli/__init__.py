"""The commands."""

from __future__ import annotations

import asyncio
import io
import json
import logging
import os
import signal
import sys
import tempfile
import threading
import urllib.error
import urllib.request
from collections.abc import AsyncIterator, Awaitable, Callable, Coroutine
from contextlib import asynccontextmanager, suppress
from datetime import timedelta
from functools import partial
from importlib import metadata
from pathlib import Path
from typing import Annotated, Any

import aiohttp
import discord
import typer
from pydantic import SecretStr
from rich.console import Console
from rich.progress import BarColumn, DownloadColumn, Progress, TextColumn, TimeRemainingColumn

from memory import DatabaseUnavailable, drop_suppressions, operator
from memory.ids import ALL_GUILDS
from memory.records import Fenced
from urmom_bot.app import database, open_app, send_telemetry, utc_now, warm_up
from urmom_bot.bot import Bot
from urmom_bot.cli.console import AsJson, StandIn, as_called, err, log_as, out, run_to_end, settings_of
from urmom_bot.cli.console import stand_in as stand_in_for
from urmom_bot.cli.doctor import doctor
from urmom_bot.cli.keeping import backup, check, restore
from urmom_bot.cli.memory import memory_app
from urmom_bot.cli.parked import parked_app
from urmom_bot.cli.servers import members, servers, status
from urmom_bot.cli.service import service_app
from urmom_bot.cli.setup import setup
from urmom_bot.cli.topics import topics_app
from urmom_bot.config import Settings
from urmom_bot.errors import (
    BAD_SETTINGS,
    BAD_TOKEN,
    NO_DATABASE,
    NO_DISCORD,
    NO_FOLDER,
    NO_INTENT,
    NO_TOKEN,
    NOT_READY,
    StartupError,
)
from urmom_bot.health import serving
from urmom_bot.importer import Counts, Unreadable, import_file
from urmom_bot.markup import terminal
from urmom_bot.stand_ins import GeminiStandIn, extractive

log = logging.getLogger(__name__)

STOPPED_WITHIN = 9.0
"""Seconds after which a process that was told to end has ended, whatever hangs."""

PAUSES = 1.0, 60.0
"""Seconds before the first try to come back after trouble of Discord, the network or the database, and the most."""

app = typer.Typer(
    no_args_is_help=True,
    pretty_exceptions_enable=False,
    help="A Discord bot that remembers the people of your server.",
)
app.add_typer(memory_app, name="memory")
app.add_typer(topics_app, name="topics")
app.add_typer(parked_app, name="parked")
app.add_typer(service_app, name="service")
for command in (setup, doctor, status, servers, members, backup, restore, check):
    app.command()(command)


def main() -> None:
    """Run a command; what the caller can mend is one sentence and an exit code, never a stack trace."""
    try:
        without_types(typer.main.get_command(app))()
    except StartupError as trouble:
        err.print(
            f"[bold red]urmom-bot:[/bold red] {terminal(as_called(str(trouble)))}", highlight=False, soft_wrap=True
        )
        sys.exit(trouble.code)
    except DatabaseUnavailable as away:
        err.print(f"[bold red]urmom-bot:[/bold red] {away}", highlight=False, soft_wrap=True)
        sys.exit(NO_DATABASE)


def without_types(command: Any) -> Any:
    """A command whose help names no type behind a switch: typer writes `<bool>` behind those it adds itself."""
    added = command.get_help_option(command.context_class(command))
    for option in (*command.params, added):
        if getattr(option, "is_flag", False):
            option.metavar = ""
    for below in getattr(command, "commands", {}).values():
        without_types(below)
    return command


def _print_version(wanted: bool) -> None:
    if wanted:
        print(metadata.version("urmom-bot"))
        raise typer.Exit


@app.callback()
def common(
    version: Annotated[
        bool, typer.Option("--version", help="Print the version.", callback=_print_version, is_eager=True)
    ] = False,
) -> None:
    """A Discord bot that remembers the people of your server."""


@app.command()
def run() -> None:
    """Run the bot on Discord."""
    settings = settings_of()
    log_as(settings)
    if settings.discord_token is None:
        raise StartupError(
            "DISCORD_TOKEN is not set. Run `urmom-bot setup`. Or create a bot at discord.com/developers/applications,"
            " and set DISCORD_TOKEN to its token in the environment or in a file named .env.",
            NO_TOKEN,
        )
    run_to_end(_serve(settings, settings.discord_token))


async def _serve(settings: Settings, token: SecretStr) -> None:
    """Serve until somebody ends it; anew, as another process, once another took over from this one."""
    send_telemetry()
    stopping = asyncio.Event()
    for sign in (signal.SIGTERM, signal.SIGINT):
        asyncio.get_running_loop().add_signal_handler(sign, _stop, stopping)
    is_anew, pause = False, PAUSES[0]
    while not stopping.is_set():
        try:
            if not await _is_fenced(_serve_once(settings, token, stopping)):
                return
            log.warning("this process did not respond for so long that another one took over: starting again")
            is_anew, pause = True, PAUSES[0]
        except (StartupError, DatabaseUnavailable) as failed:
            is_passing = isinstance(failed, DatabaseUnavailable) or failed.code in (NO_DATABASE, NO_DISCORD)
            if not (is_anew and is_passing):  # a bot that ran goes on by itself once the network is back
                raise
            log.warning("%s Trying again in %.0f s", failed, pause)
            with suppress(TimeoutError):
                await asyncio.wait_for(stopping.wait(), pause)
            pause = min(2 * pause, PAUSES[1])


async def _is_fenced(serving: Awaitable[bool]) -> bool:
    try:
        return await serving
    except Fenced:
        return True


def _stop(stopping: asyncio.Event) -> None:
    """End in order; whatever hangs, in time."""
    stopping.set()
    last = threading.Timer(STOPPED_WITHIN, os._exit, [1])
    last.daemon = True
    last.start()


async def _serve_once(settings: Settings, token: SecretStr, stopping: asyncio.Event) -> bool:
    """Serve until the end; whether that is because another process took over."""
    async with open_app(settings, journalled=True) as built:
        fenced = built.memory.inbox.fenced
        claiming = asyncio.create_task(built.claimed_shards(), name="claiming shards")
        async with _ended_by(stopping, fenced, by=claiming.cancel):
            with suppress(asyncio.CancelledError):
                await claiming
        if claiming.cancelled():
            return fenced.is_set()
        bot = built.bot(shard_ids=claiming.result())
        warm_up()
        try:
            async with (
                serving(settings.health_port, partial(built.readiness, bot), partial(built.metrics, bot)),
                built.pages(bot),
                _ended_by(stopping, fenced, by=lambda: asyncio.ensure_future(bot.close())),
            ):
                await _connect(bot, token.get_secret_value(), partial(built.introduce, bot))
        except DatabaseUnavailable:  # who took over closed the connections, in the middle of whatever went on
            if not fenced.is_set():
                raise
        return fenced.is_set()


@asynccontextmanager
async def _ended_by(*events: asyncio.Event, by: Callable[[], object]) -> AsyncIterator[None]:
    """Call `by` once any of the events is set."""

    async def end(event: asyncio.Event) -> None:
        await event.wait()
        by()

    tasks = [asyncio.create_task(end(event), name="waiting for the end") for event in events]
    try:
        yield
    finally:
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)


@app.command()
def health() -> None:
    """Check whether the bot on this machine is running and connected. If not, the exit code is 20."""
    url = f"http://127.0.0.1:{settings_of().health_port}/ready"
    try:
        with urllib.request.urlopen(url, timeout=8) as answer:
            found = json.load(answer)
    except urllib.error.HTTPError as not_ready:
        found = json.load(not_ready)
    except (OSError, ValueError) as silent:
        raise StartupError(
            f"The bot does not answer at {url} ({silent}). Start it with `urmom-bot run`, or check HEALTH_PORT.",
            NOT_READY,
        ) from silent
    if found["problems"]:
        raise StartupError(f"The bot is not ready. {'; '.join(found['problems'])}.", NOT_READY)
    out.print("Ready.", highlight=False)


async def _connect(bot: Bot, token: str, introduce: Callable[[], Coroutine[None, None, None]]) -> None:
    """Log in and run until the end; what Discord itself is at fault for is waited for. Raises StartupError."""
    try:
        async with bot:
            await _log_in(bot, token)
            introduction = asyncio.create_task(introduce(), name="introduction")
            try:
                await bot.connect()
            finally:
                introduction.cancel()
    except discord.LoginFailure as wrong:
        raise StartupError(
            "Discord rejects DISCORD_TOKEN. Get a new one with “Reset Token” on the Bot page of your application at"
            " discord.com/developers/applications.",
            BAD_TOKEN,
        ) from wrong
    except discord.PrivilegedIntentsRequired as missing:
        raise StartupError(
            "Discord doesn't let the bot read messages. Switch on “Message Content Intent” on the Bot page of your"
            " application at discord.com/developers/applications, then start the bot again.",
            NO_INTENT,
        ) from missing
    except (discord.GatewayNotFound, discord.HTTPException, aiohttp.ClientError, OSError) as away:
        raise StartupError(
            f"Cannot reach Discord ({type(away).__name__}). Check the network and DISCORD_PROXY.", NO_DISCORD
        ) from away


async def _log_in(bot: Bot, token: str) -> None:
    """Log in, however long Discord has trouble of its own."""
    pause = PAUSES[0]
    while True:
        try:
            await bot.login(token)
            return
        except discord.DiscordServerError as trouble:
            log.warning("Discord has problems (HTTP %d): trying to log in again in %.0f s", trouble.status, pause)
            await bot.http.close()
            bot.http.connector = discord.utils.MISSING  # it was closed with its session
            await asyncio.sleep(pause)
            pause = min(2 * pause, PAUSES[1])


@app.command()
def demo(
    chapter: Annotated[int | None, typer.Option(help="Show only this chapter.", min=1)] = None,
    pictures: Annotated[
        Path | None, typer.Option(help="For developers: write the README's pictures (SVG) into this folder.")
    ] = None,
    wait: Annotated[bool, typer.Option(help="Wait for Enter after each chapter, in a terminal.")] = True,
    page: Annotated[bool, typer.Option("--page", help="Skip the story, and open its people's pages instead.")] = False,
) -> None:
    """Watch a demo on a made-up server. It needs no key and no network."""
    from urmom_bot.cli.demo import play, show_pages

    logging.basicConfig(level="ERROR")
    if pictures is not None:
        try:
            pictures.mkdir(parents=True, exist_ok=True)
        except OSError as failed:
            raise StartupError(f"Cannot write to {pictures} ({failed.strerror or failed}).", NO_FOLDER) from failed
    if page and (chapter is not None or pictures is not None):
        raise StartupError("--page goes without --chapter and --pictures.", BAD_SETTINGS)
    if page:
        out.print("Nine days on a made-up server are played first. That takes a few seconds …")
        with suppress(KeyboardInterrupt):
            asyncio.run(play(Console(file=io.StringIO()), only=0, then=partial(show_pages, out)))
        return
    waits = wait and chapter is None and out.is_terminal and sys.stdin.isatty()
    sys.exit(0 if asyncio.run(play(out, chapter, waits=waits, pictures=pictures)) else 1)


@app.command()
def page() -> None:
    """Print a link to your page as the operator: health, failed jobs, AI use. It works once, on this computer."""
    settings = settings_of()
    log_as(settings, "ERROR")
    if not settings.page_port:
        raise StartupError("Pages are off. Set PAGE_PORT to another number than 0.", BAD_SETTINGS)

    async def work() -> None:
        async with open_app(settings) as built:
            token = await built.memory.access.make_link(operator(ALL_GUILDS), "en")
        print(f"http://127.0.0.1:{settings.page_port}/open/{token}")

    run_to_end(work())


@app.command()
def chat(stand_in: StandIn = False) -> None:
    """Talk to the bot in your terminal, as one or more people. It uses your AI, but not your servers' data."""
    from urmom_bot.cli.chat import chat as talk

    settings = settings_of()
    log_as(settings, "ERROR")

    async def work() -> None:
        if not stand_in:
            has_ai = settings.gemini_api_key is not None or settings.ai_base_url is not None
            # Its time can be moved, and its bot is in no server but its own: neither may reach what real servers said.
            own = settings.data_dir / "chat"
            apart = settings.model_copy(update={"data_dir": own, "database_url": None})
            how = "with your AI" if has_ai else "without AI (it saves and recalls facts, but can't chat)"
            await talk(apart, out, f"{how}. It stores this chat in {own}")
            return
        # What a stand-in says must not be remembered as if a model had said it.
        with tempfile.TemporaryDirectory(prefix="urmom-bot-chat-") as folder:
            passing = settings.model_copy(update={"data_dir": Path(folder), "database_url": None})
            async with stand_in_for(passing) as chosen:
                await talk(chosen, out, "with a stand-in for the AI model. It forgets everything when you leave")

    run_to_end(work())


@app.command()
def migrate(
    new_suppression_key: Annotated[
        bool,
        typer.Option(
            help="Use this only if the suppression key is lost. The bot starts with a new one. Warning: it no longer"
            " recognises what members deleted until now, and may save it again.",
        ),
    ] = False,
) -> None:
    """Update the database now. The bot does this itself when it starts."""

    async def work() -> None:
        async with database(settings_of()) as dsn:
            if new_suppression_key:
                await drop_suppressions(dsn)
                out.print(
                    "Deleted what was made with the old suppression key. When it next starts, the bot uses the key in"
                    " SUPPRESSION_KEY or DATA_DIR."
                )
            out.print("The database is up to date.")

    run_to_end(work())


@app.command("import")
def import_exports(
    files: Annotated[
        list[Path],
        typer.Argument(help="JSON files from DiscordChatExporter (a separate program).", exists=True, dir_okay=False),
    ],
    restricted: Annotated[
        bool,
        typer.Option(
            help="Treat the channels as private: the bot uses nothing from them elsewhere. Without this, channels that"
            " the bot doesn't know yet count as public."
        ),
    ] = False,
    as_json: AsJson = False,
) -> None:
    """Import chat exports into the servers they came from. It is safe to run this again."""
    settings = settings_of()
    log_as(settings, "WARNING")
    counts, broken = Counts(), False

    async def work() -> None:
        nonlocal broken
        async with open_app(settings) as built:
            columns = TextColumn("{task.description}"), BarColumn(), DownloadColumn(), TimeRemainingColumn()
            with Progress(*columns, console=err, disable=not sys.stderr.isatty()) as bar:
                for path in files:
                    task = bar.add_task(path.name, total=path.stat().st_size)
                    try:
                        channel = await import_file(
                            path,
                            built.memory,
                            counts,
                            restricted=restricted,
                            kept_since=utc_now() - timedelta(days=settings.retention_days),
                            progress=lambda done, task=task: bar.update(task, completed=done),  # type: ignore[misc]
                        )
                    except Unreadable as unreadable:
                        broken = True
                        counts.problems.append(str(unreadable))
                        continue
                    if not as_json:
                        out.print(
                            terminal(f"{path.name}: #{channel.name} of server {channel.guild_id}"), highlight=False
                        )

    run_to_end(work())
    if as_json:
        print(json.dumps(counts.as_json(), ensure_ascii=False))
    else:
        for problem in counts.problems[:50]:
            err.print(terminal(problem), highlight=False)
        out.print(
            f"Messages: {counts.read} read, {counts.stored} stored, {counts.known} already stored, {counts.skipped}"
            f" skipped. People: {counts.people}.",
            highlight=False,
        )
        if counts.old:
            out.print(
                f"Older than RETENTION_DAYS ({settings.retention_days}): {counts.old}. The bot deletes these when it"
                " next runs.",
                highlight=False,
            )
    if broken:
        sys.exit(1)


@app.command("stand-in", hidden=True)
def stand_in_server(port: int = 8_765) -> None:
    """Serve the stand-in for Gemini, for GOOGLE_GEMINI_BASE_URL."""

    async def work() -> None:
        server = GeminiStandIn(extractive)
        await server.start(port)
        out.print(f"GEMINI_API_KEY=stand-in GOOGLE_GEMINI_BASE_URL={server.url}", highlight=False)
        await asyncio.Event().wait()

    run_to_end(work())
