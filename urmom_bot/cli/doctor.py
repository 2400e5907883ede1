"""`urmom-bot doctor`: everything that can keep the bot from working, each with what to do about it."""

from __future__ import annotations

import json
import os
import shutil
import stat
import urllib.error
import urllib.request
from collections.abc import AsyncIterator, Sequence
from dataclasses import asdict, dataclass
from enum import StrEnum
from pathlib import Path
from typing import Any

from rich.markup import escape

from memory import MemoryManager
from memory.ai.providers import chosen_kind
from memory.clock import TOLD
from memory.ids import ALL_GUILDS, GuildId
from memory.private_files import make_folder
from urmom_bot.app import open_app, utc_now
from urmom_bot.cli.console import AsJson, as_called, log_as, out, run_to_end, settings_of
from urmom_bot.cli.setup import proved
from urmom_bot.config import Settings
from urmom_bot.errors import NO_FOLDER, NOT_READY, StartupError
from urmom_bot.portal import Portal, Unreachable, WrongToken, skew

LOW_DISK, NO_DISK = 2 * 2**30, 200 * 2**20
"""Free bytes below which the disk is low, and below which nothing more should be written."""

MAX_CLOCK_SKEW = 30.0
"""Seconds that the clock may be wrong: days and expiries hang on it."""

FEW_LOGINS = 100
"""Logins of a day below which something starts the bot over and over."""

SERVERS = 20
"""Servers whose channels are looked at: each takes three requests."""

MAX_NAMED_CHANNELS = 5
"""Channels that are named of a server."""


class State(StrEnum):
    """How a check came out."""

    OK = "ok"
    WARN = "warn"
    FAIL = "fail"


@dataclass(frozen=True, kw_only=True)
class Check:
    """One thing that was looked at: how it is, and what to do where it is not well."""

    name: str
    state: State
    told: str
    todo: str = ""


def ok(name: str, told: str) -> Check:
    """All is well."""
    return Check(name=name, state=State.OK, told=told)


def warn(name: str, told: str, todo: str) -> Check:
    """It works, and could be better."""
    return Check(name=name, state=State.WARN, told=told, todo=todo)


def fail(name: str, told: str, todo: str) -> Check:
    """It does not work."""
    return Check(name=name, state=State.FAIL, told=told, todo=todo)


def doctor(as_json: AsJson = False) -> None:
    """Check everything the bot needs and say how to fix any problem. This makes up to two short AI calls."""
    settings = settings_of()
    log_as(settings, "ERROR")
    found: list[Check] = []

    async def work() -> None:
        async for check in checks(settings):
            found.append(check)
            if not as_json:
                show(check)

    run_to_end(work())
    if as_json:
        print(json.dumps([asdict(check) for check in found], ensure_ascii=False))
    failed = sum(check.state is State.FAIL for check in found)
    if failed:
        raise StartupError(f"{failed} problem{'s' if failed > 1 else ''} to fix (marked ✗ above).", NOT_READY)


def show(check: Check) -> None:
    """Print a check as a line, and what to do as another."""
    mark = {State.OK: "[green]✓[/green]", State.WARN: "[yellow]![/yellow]", State.FAIL: "[red]✗[/red]"}[check.state]
    out.print(f"{mark} [bold]{check.name}[/bold]: {escape(check.told)}", highlight=False, soft_wrap=True)
    if check.todo:
        out.print(f"  → {escape(as_called(check.todo))}", highlight=False, soft_wrap=True)


async def checks(settings: Settings) -> AsyncIterator[Check]:
    """Every check, as it is made."""
    yield settings_file(Path(".env"))
    for check in folder(settings.data_dir):
        yield check
    async for check in _stored(settings):
        yield check
    async for check in _models(settings):
        yield check
    async for check in _discord(settings):
        yield check
    yield running(settings.health_port)


def settings_file(path: Path) -> Check:
    """Whether others can read the file of settings."""
    if not path.exists():
        return ok("settings", "from the environment")
    if os.name == "posix" and path.stat().st_mode & (stat.S_IRGRP | stat.S_IROTH):
        return Check(
            name="settings",
            state=State.WARN,
            told=f"others on this machine can read {path}, and the token in it",
            todo=f"chmod 600 {path}",
        )
    return ok("settings", f"{path}, which only you can read")


def folder(path: Path) -> list[Check]:
    """Whether the data folder can be written, and has room."""
    try:
        make_folder(path)
        probe = path / ".doctor"
        probe.write_text("")
        probe.unlink()
    except OSError as failed:
        told = f"cannot write to {path} ({failed.strerror or failed})"
        return [fail("data folder", told, "set DATA_DIR to a folder that you can write to")]
    free = shutil.disk_usage(path).free
    told = f"{free / 2**30:.1f} GiB free on the disk of {path}"
    if free < LOW_DISK:
        state = State.FAIL if free < NO_DISK else State.WARN
        todo = "free some space, lower RETENTION_DAYS, or move DATA_DIR"
        return [ok("data folder", str(path)), Check(name="disk", state=state, told=told, todo=todo)]
    return [ok("data folder", str(path)), ok("disk", told)]


async def _stored(settings: Settings) -> AsyncIterator[Check]:
    """The database: that it answers, is of this version, what is parked, and what models were used today.

    On a new machine it makes none, and no key: one that is copied there later would be in the way of neither.
    """
    if not settings.database_url and not (settings.data_dir / "postgres").exists():
        yield ok("database", f"none yet in {settings.data_dir}; the bot makes it when it first starts")
        return
    try:
        async with open_app(settings) as built:
            memory = built.memory
            kind = "yours (DATABASE_URL)" if settings.database_url else f"embedded, in {settings.data_dir}"
            guilds = await memory.guilds.list()
            yield ok("database", f"{kind}; up to date; servers: {len(guilds)}")
            for told in await _whole(memory, guilds):
                yield ok("channels", told)
            if abs(memory.inbox.skew) > TOLD:
                seconds = abs(memory.inbox.skew).total_seconds()
                yield warn("clock", f"{seconds:.0f} seconds off the database's clock", "synchronise the clock (NTP)")
            if settings.embedding_model and not memory.searches_by_meaning:
                told = "the database server has no pgvector, so search goes by words and names only"
                yield warn("vectors", told, "install pgvector on the database server")
            parked = len(await memory.inbox.parked([ALL_GUILDS, *guilds]))
            if parked:
                told = f"failed jobs: {parked}"
                yield warn(
                    "parked", told, "look at them with `urmom-bot parked list`, then run `urmom-bot parked retry`"
                )
            else:
                yield ok("parked", "no failed jobs")
            for quota in await memory.quotas():
                most = quota.limits.requests_per_day
                told = f"{quota.spent.calls}{f' of {most}' if most else ''} calls today"
                if quota.blocked_until is not None:
                    told += f", used up until {quota.blocked_until:%Y-%m-%d %H:%M} UTC"
                    todo = "until then the bot only saves and recalls facts; for more, use a paid plan or another model"
                    yield warn(f"quota of {quota.model}", told, todo)
                else:
                    yield ok(f"quota of {quota.model}", told)
    except StartupError as trouble:
        name = "data folder" if trouble.code == NO_FOLDER else "database"
        yield fail(name, str(trouble), "")


async def _whole(memory: MemoryManager, guilds: Sequence[GuildId]) -> list[str]:
    """Since when nothing is missing: of each server, and until when of everything."""
    found = []
    for guild_id in guilds[:SERVERS]:
        if whole := await memory.messages.whole(guild_id):
            since = sorted(at for at, _ in whole.values())
            span = f"the first since {since[0]:%Y-%m-%d %H:%M} UTC, the last since {since[-1]:%Y-%m-%d %H:%M} UTC"
            found.append(f"server {guild_id}: channels read without gaps: {len(whole)}, {span}")
    if until := (await memory.guilds.shards_whole_until()).values():
        found.append(f"the bot has read everything until {min(until):%Y-%m-%d %H:%M:%S} UTC")
    return found


async def _models(settings: Settings) -> AsyncIterator[Check]:
    """Each model, by one short call."""
    try:
        kind = chosen_kind(settings)
        opened = kind.open(settings, time_limit=30) if kind is not None else None
    except (ImportError, ValueError) as wrong:
        yield fail("AI", str(wrong), "")
        return
    if opened is None:
        told = "no key: the bot saves and recalls facts, but can't chat"
        yield warn("AI", told, "run `urmom-bot setup` to add one")
        return
    for provider in dict.fromkeys((opened.small, opened.batch)):
        yield _model(provider.model, await proved(provider, provider.model))


def _model(name: str, problem: str | None) -> Check:
    return ok(name, "answers") if problem is None else fail(name, problem, "")


async def _discord(settings: Settings) -> AsyncIterator[Check]:
    """The token, the intent, today's logins, the clock, and the rights in the servers' channels."""
    if settings.discord_token is None:
        yield fail("Discord", "there is no bot token", "run `urmom-bot setup`")
        return
    ahead = await skew(utc_now(), settings.discord_proxy)
    if ahead is not None:
        told = f"{abs(ahead):.0f} s {'ahead of' if ahead > 0 else 'behind'} Discord's clock"
        wrong = abs(ahead) > MAX_CLOCK_SKEW
        state, todo = (State.WARN, "synchronise the system clock (NTP)") if wrong else (State.OK, "")
        yield Check(name="clock", state=state, told=told, todo=todo)
    try:
        async with Portal.open(settings.discord_token.get_secret_value(), settings.discord_proxy) as portal:
            application = await portal.application()
            yield ok("token", f"Discord knows the bot as {application.name}")
            if application.reads_messages:
                yield ok("Message Content Intent", "on")
            else:
                told = "off, so Discord doesn't let the bot read messages"
                yield fail("Message Content Intent", told, f"switch it on at {application.page}")
            left, most = await portal.logins_left()
            if left < FEW_LOGINS:
                todo = "something keeps restarting the bot; its log says why it ended"
                told = f"{left} of {most} left today"
                yield Check(name="logins", state=State.FAIL if not left else State.WARN, told=told, todo=todo)
            else:
                yield ok("logins", f"{left} of {most} left today")
            servers = await portal.servers()
            if not servers:
                yield warn("servers", "the bot isn't in any", f"invite it: {application.invite}")
            for server in servers[:SERVERS]:
                lacking = await portal.lacking(server.guild_id)
                if not lacking:
                    yield ok(server.name, "the bot can read and write in every channel")
                    continue
                shown = "; ".join(f"#{one.channel}: {', '.join(one.rights)}" for one in lacking[:MAX_NAMED_CHANNELS])
                more = f"; and in {len(lacking) - MAX_NAMED_CHANNELS} more" if len(lacking) > MAX_NAMED_CHANNELS else ""
                told = f"permissions are missing: {shown}{more}"
                todo = "give the bot's role these permissions, or ignore this where the bot should stay out"
                yield warn(server.name, told, todo)
            if len(servers) > SERVERS:
                yield ok("servers", f"{len(servers)} in total; checked the channels of {SERVERS}")
    except WrongToken:
        told = "Discord rejects it"
        yield fail("token", told, "get a new one with Reset Token on the Bot page, then run `urmom-bot setup`")
    except Unreachable as away:
        told = f"cannot be reached ({away})"
        yield fail("Discord", told, "check the network and DISCORD_PROXY")


def running(port: int) -> Check:
    """Whether a bot runs on this host, and whether it is well."""
    try:
        with urllib.request.urlopen(f"http://127.0.0.1:{port}/ready", timeout=5) as answer:
            found: dict[str, Any] = json.load(answer)
    except urllib.error.HTTPError as not_ready:
        found = json.load(not_ready)
    except (OSError, ValueError):
        return warn("bot", "not running on this machine", "start it with `urmom-bot run`")
    if found["problems"]:
        told = "; ".join(found["problems"])
        return fail("bot", told, "look at its log; LOG_LEVEL=DEBUG shows more")
    told = f"running; waiting writes: {found['pending']}, the oldest for {found['write_lag']:.1f} s"
    if found["catching_up"]:
        told += f"; channels still to catch up on: {found['catching_up']}"
    return ok("bot", told)
