"""`urmom-bot setup`: from a token to a bot that is in a server, with every value proved before it is kept."""

from __future__ import annotations

import asyncio
import os
import sys
import tempfile
from collections.abc import Mapping
from pathlib import Path
from typing import Annotated

import typer
from cryptography.fernet import Fernet
from pydantic import SecretStr

from memory.ai import AIError, QuotaExhausted
from memory.ai.client import KeyRefused, UnknownModel
from memory.ai.model import Transient
from memory.ai.models import PROOF
from memory.ai.providers import OpenProvider, gemini, openai_compatible
from urmom_bot.cli.console import as_called, err, out, run_to_end, settings_of
from urmom_bot.config import Settings
from urmom_bot.errors import BAD_SETTINGS, BAD_TOKEN, NO_DISCORD, NO_FOLDER, NO_INTENT, NO_TOKEN, StartupError
from urmom_bot.markup import terminal
from urmom_bot.portal import Application, Portal, Server, Unreachable, WrongToken

PORTAL = "https://discord.com/developers/applications"
KEYS = "https://aistudio.google.com/apikey"

LOOK = 2.0
"""Seconds between two looks for a server that the bot was invited to."""

MAX_TRIES = 3
"""How often a value is asked for before it is given up."""

FREE_KEY = (
    "On the free plan, Google may use what the bot sends to improve its products, and its staff may read it. Tell your"
    " members. If any member lives in the EEA, Switzerland or the UK, Google requires a paid plan. Google doesn't allow"
    " its API, free or paid, in services that people under 18 are likely to use. You can also use a model of your own"
    " (--ai-base-url)."
)


def setup(
    token: Annotated[
        str | None, typer.Option(help="The bot token from Discord. Without this option, setup asks for it.")
    ] = None,
    gemini_key: Annotated[str | None, typer.Option(help="Your Gemini API key.")] = None,
    ai_base_url: Annotated[
        str | None, typer.Option(help="The address of an OpenAI-compatible endpoint, to use instead of Gemini.")
    ] = None,
    ai_model: Annotated[str | None, typer.Option(help="The model to use at this endpoint.")] = None,
    ai_api_key: Annotated[str | None, typer.Option(help="The endpoint's key, if it needs one.")] = None,
    no_ai: Annotated[
        bool, typer.Option("--no-ai", help="Set up without AI. The bot saves and recalls facts, but can't chat.")
    ] = False,
    contact: Annotated[
        str | None, typer.Option(help="How members reach you: an e-mail address or a Discord name, for /privacy.")
    ] = None,
    encrypt: Annotated[
        bool,
        typer.Option(
            "--encrypt", help="Encrypt conversations with the bot in its database. Search can't find encrypted ones."
        ),
    ] = False,
    env_file: Annotated[Path, typer.Option(help="The file for your settings.")] = Path(".env"),
    wait: Annotated[bool, typer.Option(help="Wait until somebody has invited the bot to a server.")] = True,
    start: Annotated[
        bool | None, typer.Option(help="Start the bot at the end. Without either option, setup asks.")
    ] = None,
) -> None:
    """Set up the bot: token, AI key and invitation."""
    settings = settings_of()
    asks = sys.stdin.isatty()
    chosen: dict[str, str] = {}

    async def work() -> None:
        application = await _discord(settings, token, chosen, env_file, asks=asks)
        if ai_base_url or settings.ai_base_url:
            await _endpoint(settings, ai_base_url, ai_model, ai_api_key, chosen)
        elif not no_ai:
            await _gemini(settings, gemini_key, chosen, asks=asks)
        if reached := contact or _contact(settings, asks=asks):
            chosen["CONTACT"] = reached
        if encrypt and not settings.session_keys:
            chosen["SESSION_KEYS"] = Fernet.generate_key().decode()
        if chosen:
            keep(env_file, chosen)
            out.print(f"[green]✓[/green] Saved in {env_file}, which only you can read.", highlight=False)
        await _invited(settings, chosen, application, wait=wait)

    run_to_end(work())
    if start is None:
        start = asks and wait and typer.confirm("Start the bot now?", default=True)
    if start:
        from urmom_bot.cli import run

        os.environ.update(chosen)
        run()
        return
    if not (chosen.get("CONTACT") or settings.contact):
        out.print("Members need a way to reach you. Set CONTACT in your .env; [bold]/privacy[/bold] shows it.")
    told = "Start the bot with [bold]urmom-bot run[/bold]. [bold]urmom-bot doctor[/bold] checks that everything works."
    out.print(as_called(told))


def _contact(settings: Settings, *, asks: bool) -> str:
    """How members reach who runs the bot; empty where nobody says."""
    if settings.contact or not asks:
        return ""
    out.print("[bold]3.[/bold] How can members reach you? [bold]/privacy[/bold] shows them your answer.")
    answer: str = typer.prompt("   E-mail or Discord name (Enter for none)", default="", show_default=False)
    return answer.strip()


def keep(path: Path, values: Mapping[str, str]) -> None:
    """Set values in a file of settings that only its owner can read; its other lines stay. Raises StartupError."""
    try:
        lines = path.read_text(encoding="utf-8").splitlines() if path.exists() else []
        for name, value in values.items():
            line = f"{name}={_quoted(value)}"
            at = next((n for n, known in enumerate(lines) if known.partition("=")[0].strip() == name), None)
            if at is None:
                lines.append(line)
            else:
                lines[at] = line
        handle, fresh = tempfile.mkstemp(dir=path.parent, prefix=f"{path.name}.")
        try:
            with os.fdopen(handle, "w", encoding="utf-8") as file:  # mkstemp makes it for its owner alone
                file.write("\n".join(lines) + "\n")
            Path(fresh).replace(path)
        except OSError:
            Path(fresh).unlink(missing_ok=True)
            raise
    except OSError as failed:
        raise StartupError(
            f"Cannot write {path} ({failed.strerror or failed}). Choose another file with --env-file.", NO_FOLDER
        ) from failed


def _value(secret: SecretStr | None) -> str | None:
    return secret.get_secret_value() if secret is not None else None


def _quoted(value: str) -> str:
    """A value as a line of the file takes it."""
    return value if value.isascii() and not set(value) & set(" #'\"\\$`") else "'" + value.replace("'", "\\'") + "'"


# Discord


async def _discord(
    settings: Settings, token: str | None, chosen: dict[str, str], env_file: Path, *, asks: bool
) -> Application:
    """Prove the token, switch on what can be switched on, and say what is left to the owner. Raises StartupError."""
    known = token or _value(settings.discord_token)
    if known is None and not asks:
        raise StartupError("The bot token is missing. Pass it with --token, or set DISCORD_TOKEN.", NO_TOKEN)
    if known is None:
        out.print("[bold]1.[/bold] Create an application at", highlight=False)
        out.print(f"   {PORTAL}", highlight=False, soft_wrap=True)
        out.print(
            "   On its [bold]Bot[/bold] page, press [bold]Reset Token[/bold] and copy the token.", highlight=False
        )
    for n in range(MAX_TRIES):
        value = known or typer.prompt("   Token", default="", show_default=False, hide_input=True).strip()
        if not value:
            err.print("   You entered nothing. Copy the token and paste it here.")
            continue
        try:
            async with Portal.open(value, settings.discord_proxy) as portal:
                application = await portal.application()
                read = application.reads_messages or await portal.let_it_read(application)
                has_link = await portal.set_install_link()
                if not application.reads_messages and read:
                    application = await portal.application()
        except WrongToken as wrong:
            if not asks or n == MAX_TRIES - 1:
                raise StartupError(
                    "Discord rejects the bot token. Get a new one with “Reset Token” on the Bot page.", BAD_TOKEN
                ) from wrong
            err.print(
                "   Discord rejects this token. Press Reset Token again for a new one: Discord shows each only once."
            )
            known = None
            continue
        except Unreachable as away:
            raise StartupError(
                f"Cannot reach Discord ({away}). Check the network and DISCORD_PROXY.", NO_DISCORD
            ) from away
        if value != _value(settings.discord_token):
            chosen["DISCORD_TOKEN"] = value
        break
    else:
        raise StartupError("You entered no bot token. Run `urmom-bot setup` again when you have one.", NO_TOKEN)
    out.print(f"[green]✓[/green] Discord knows the bot as [bold]{terminal(application.name)}[/bold].", highlight=False)
    if not read:
        sentence = f"You have to do one thing yourself: switch on “Message Content Intent” at {application.page}"
        if not asks:
            keep(env_file, chosen)
            raise StartupError(f"{sentence}, then run `urmom-bot setup` again.", NO_INTENT)
        await _switched_on(settings, value, sentence)
    out.print("[green]✓[/green] The bot can read messages (Message Content Intent is on).")
    if not has_link:
        out.print(
            "  (Discord didn't accept settings for the Add App button in the bot's profile. Use the link below.)",
            highlight=False,
        )
    return application


async def _switched_on(settings: Settings, token: str, sentence: str) -> None:
    """Wait until the owner has switched the intent on."""
    while True:
        out.print(f"[yellow]![/yellow] {sentence}", highlight=False, soft_wrap=True)
        typer.prompt("   Press Enter when it is on", default="", show_default=False)
        async with Portal.open(token, settings.discord_proxy) as portal:
            if (await portal.application()).reads_messages:
                return


async def _invited(settings: Settings, chosen: Mapping[str, str], application: Application, *, wait: bool) -> None:
    """Print where the bot is invited, and wait until it is in a server."""
    token = chosen.get("DISCORD_TOKEN") or _value(settings.discord_token) or ""
    try:
        async with Portal.open(token, settings.discord_proxy) as portal:
            servers = await portal.servers()
            if not servers or not wait:
                out.print(f"[bold]Invite the bot:[/bold] {application.invite}", highlight=False, soft_wrap=True)
            if wait and not servers:
                out.print("Waiting until the bot is in a server (press Ctrl-C to stop) …", highlight=False)
                servers = await _in_a_server(portal)
    except (WrongToken, Unreachable) as away:
        raise StartupError(f"Cannot reach Discord ({away}). Check the network and DISCORD_PROXY.", NO_DISCORD) from away
    if servers:
        names = ", ".join(terminal(server.name) for server in servers[:5])
        more = f" and {len(servers) - 5} more" if len(servers) > 5 else ""
        out.print(f"[green]✓[/green] The bot is in [bold]{names}[/bold]{more}.", highlight=False)


async def _in_a_server(portal: Portal) -> list[Server]:
    while True:
        if servers := await portal.servers():
            return servers
        await asyncio.sleep(LOOK)


# The model


async def _gemini(settings: Settings, key: str | None, chosen: dict[str, str], *, asks: bool) -> None:
    """Prove a key of the Gemini API by one call; without one the bot has no model."""
    known = key or _value(settings.gemini_api_key)
    if known is None and not asks:
        raise StartupError(
            "The Gemini API key is missing. Pass it with --gemini-key, set GEMINI_API_KEY, or use --no-ai.",
            BAD_SETTINGS,
        )
    if known is None:
        out.print(f"[bold]2.[/bold] Get a Gemini API key, free at {KEYS}", highlight=False, soft_wrap=True)
        out.print(f"   [dim]{FREE_KEY}[/dim]", highlight=False)
    left = MAX_TRIES
    while True:
        left -= 1
        value = (
            known or typer.prompt("   Key (Enter for none)", default="", show_default=False, hide_input=True).strip()
        )
        if not value:
            out.print("  No AI: the bot saves and recalls facts, but can't chat.")
            return
        keyed = settings.model_copy(update={"gemini_api_key": SecretStr(value)})
        provider = gemini.model(keyed, settings.gemma_model, time_limit=30)
        if (problem := await proved(provider, settings.gemma_model)) is None:
            break
        if not asks or not left:
            raise StartupError(problem, BAD_SETTINGS)
        err.print(f"   {problem}", highlight=False)
        known = None
    if key or value != _value(settings.gemini_api_key):
        chosen["GEMINI_API_KEY"] = value
    out.print(f"[green]✓[/green] {settings.gemma_model} answers.", highlight=False)


async def _endpoint(
    settings: Settings, base_url: str | None, model: str | None, key: str | None, chosen: dict[str, str]
) -> None:
    """Prove an OpenAI-compatible endpoint by one call. Raises StartupError."""
    url, name = base_url or settings.ai_base_url, model or settings.ai_model
    if url is None or name is None:
        raise StartupError("An endpoint needs both --ai-base-url and --ai-model.", BAD_SETTINGS)
    secret = key or _value(settings.ai_api_key)
    given_key = SecretStr(secret) if secret else None
    try:
        provider = openai_compatible.model(
            settings.model_copy(update={"ai_base_url": url, "ai_api_key": given_key}), name, time_limit=60
        )
    except ImportError as missing:
        raise StartupError(str(missing), BAD_SETTINGS) from missing
    if (problem := await proved(provider, name)) is not None:
        raise StartupError(problem, BAD_SETTINGS)
    given = {"AI_BASE_URL": base_url, "AI_MODEL": model, "AI_API_KEY": key}
    chosen |= {setting: value for setting, value in given.items() if value}
    out.print(f"[green]✓[/green] {name} answers.", highlight=False)


async def proved(provider: OpenProvider, model: str) -> str | None:
    """What keeps a model from answering, proved by one call; None where it answers."""
    try:
        await provider.say(PROOF)
    except KeyRefused:
        return "The AI service rejects the key. Copy it again."
    except UnknownModel:
        return f"This key has no model called {model}. Set another one: GEMINI_MODEL, GEMMA_MODEL or AI_MODEL."
    except QuotaExhausted:
        return None  # it is a key, and used up for now
    except (AIError, Transient) as failed:
        return f"{model} does not answer ({failed}). Check the network, or try again later."
    finally:
        await provider.close()
    return None
