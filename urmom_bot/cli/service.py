"""`urmom-bot service`: the bot as a systemd service of the user who runs it."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Annotated

import typer

from urmom_bot.cli.console import out
from urmom_bot.errors import (
    BAD_SETTINGS,
    BAD_TOKEN,
    NEWER_DATABASE,
    NO_FOLDER,
    NO_INTENT,
    NO_TOKEN,
    WRONG_KEY,
    StartupError,
)

service_app = typer.Typer(no_args_is_help=True, help="Run the bot as a systemd service. It starts when you log in.")

NAME = "urmom-bot.service"

HOPELESS = (NO_TOKEN, BAD_TOKEN, NO_INTENT, NO_FOLDER, NEWER_DATABASE, BAD_SETTINGS, WRONG_KEY)
"""Exit codes after which starting again does not help."""

ELSEWHERE = (
    "There is no systemd here. Set up your own service manager to run `{command} run` in {folder}, to restart it when"
    " it ends, and to stop it with SIGTERM. For Docker, use docker-compose.yml."
)


def unit(command: Path, folder: Path) -> str:
    """The unit: it runs `command` in the folder that has `.env`."""
    return f"""\
[Unit]
Description=urmom-bot, a Discord bot that remembers
Wants=network-online.target
After=network-online.target
StartLimitIntervalSec=0

[Service]
Type=exec
WorkingDirectory={_escaped(folder)}
ExecStart="{_escaped(command)}" run
Restart=always
RestartSec=10
RestartPreventExitStatus={" ".join(map(str, HOPELESS))}
TimeoutStopSec=30
UMask=0077
NoNewPrivileges=yes

[Install]
WantedBy=default.target
"""


def _escaped(path: Path) -> str:
    return str(path).replace("\\", "\\\\").replace('"', '\\"').replace("%", "%%")


@service_app.command()
def install(
    show: Annotated[bool, typer.Option("--print", help="Print the unit file without installing it.")] = False,
    folder: Annotated[Path, typer.Option(help="The folder that has your .env.", file_okay=False)] = Path(),
) -> None:
    """Install the bot as a service and start it. Run this in the folder that has your .env."""
    command, folder = _command(), folder.resolve()
    written = unit(command, folder)
    if show:
        print(written, end="")
        return
    _need_systemd()
    if not (folder / ".env").is_file():  # the service has none of this shell's environment
        raise StartupError(f"There is no .env in {folder}. Run `urmom-bot setup` in that folder first.", NO_TOKEN)
    path = _path()
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(written, encoding="utf-8")
    except OSError as failed:
        raise StartupError(f"Cannot write {path} ({failed.strerror or failed}).", NO_FOLDER) from failed
    _systemctl("daemon-reload")
    _systemctl("enable", "--now", NAME)
    out.print(f"The service is running. Its unit file is {path}.", highlight=False, soft_wrap=True)
    out.print("To keep it running after you log out, run: loginctl enable-linger", highlight=False)
    out.print(f"To read its log, run: journalctl --user -u {NAME} -f", highlight=False)


@service_app.command()
def status() -> None:
    """Show whether the service runs, and the end of its log."""
    _need_systemd()
    if not _path().exists():
        raise StartupError("The service isn't installed. Run `urmom-bot service install`.", BAD_SETTINGS)
    sys.exit(subprocess.run(["systemctl", "--user", "--no-pager", "status", NAME], check=False).returncode)  # noqa: S603, S607


@service_app.command()
def remove() -> None:
    """Stop the service and remove it. Your data stays."""
    _need_systemd()
    path = _path()
    if not path.exists():
        raise StartupError("The service isn't installed.", BAD_SETTINGS)
    _systemctl("disable", "--now", NAME)
    path.unlink()
    _systemctl("daemon-reload")
    out.print("Removed the service. Your data is still there.", highlight=False)


def _command() -> Path:
    """The command that was called: beside this Python, where it was installed."""
    beside = Path(sys.executable).with_name("urmom-bot")
    found = beside if beside.exists() else Path(shutil.which("urmom-bot") or sys.argv[0])
    return found.absolute()


def _path() -> Path:
    base = os.environ.get("XDG_CONFIG_HOME") or Path.home() / ".config"
    return Path(base) / "systemd" / "user" / NAME


def _need_systemd() -> None:
    """Raise StartupError where no systemd runs services of this user."""
    asked = ["systemctl", "--user", "show-environment"]
    if shutil.which("systemctl") is None or subprocess.run(asked, capture_output=True, check=False).returncode:  # noqa: S603
        raise StartupError(ELSEWHERE.format(command=_command(), folder=Path.cwd()), BAD_SETTINGS)


def _systemctl(*arguments: str) -> None:
    done = subprocess.run(["systemctl", "--user", *arguments], capture_output=True, text=True, check=False)  # noqa: S603, S607
    if done.returncode:
        raise StartupError(f"systemctl {' '.join(arguments)} failed: {done.stderr.strip()}", BAD_SETTINGS)
