"""The bot as a service: the unit that systemd takes, and what is said where there is no systemd."""

from __future__ import annotations

import os
import shutil
import subprocess
from pathlib import Path

import pytest

from tests.urmom_bot.cli.test_process import finished, spawn
from urmom_bot.cli.service import NAME, unit

SYSTEMCTL = """#!/bin/sh
echo "$@" >> "$CALLS"
"""


def test_systemd_takes_the_unit(tmp_path: Path) -> None:
    """In a folder with a space and a percent sign in its name."""
    if shutil.which("systemd-analyze") is None:
        pytest.skip("systemd-analyze is not here: install Debian's package systemd to have the unit verified")
    folder = tmp_path / "my bot 100%"
    folder.mkdir()
    command = folder / "urmom-bot"
    command.write_text("#!/bin/sh\n")
    command.chmod(0o755)
    (tmp_path / NAME).write_text(unit(command, folder))
    verify = ["systemd-analyze", "verify", "--user", "--man=no", str(tmp_path / NAME)]
    done = subprocess.run(verify, capture_output=True, text=True, env={**os.environ, "XDG_RUNTIME_DIR": str(tmp_path)})
    told = [line for line in done.stderr.splitlines() if NAME in line]

    assert not told, told


async def test_it_is_installed_and_removed(tmp_path: Path) -> None:
    """Through systemctl, which is played here; without settings nothing is installed."""
    bin_folder, calls = tmp_path / "bin", tmp_path / "calls"
    bin_folder.mkdir()
    (bin_folder / "systemctl").write_text(SYSTEMCTL)
    (bin_folder / "systemctl").chmod(0o755)
    (tmp_path / "work").mkdir()
    given = {
        "PATH": f"{bin_folder}:{os.environ['PATH']}",
        "CALLS": str(calls),
        "HOME": str(tmp_path),
        "XDG_CONFIG_HOME": str(tmp_path / "config"),
    }
    install = ("service", "install", "--folder", str(tmp_path / "work"))
    code, told = await finished(await spawn(*install, **given, DISCORD_TOKEN="a-token"))
    path = tmp_path / "config" / "systemd" / "user" / NAME
    assert (code, "urmom-bot setup" in told, path.exists()) == (10, True, False), "the service has no environment"
    (tmp_path / "work" / ".env").write_text("DISCORD_TOKEN=a-token\n")
    code, told = await finished(await spawn(*install, **given))
    assert code == 0, told
    assert "The service is running." in told
    assert "ExecStart=" in path.read_text()
    assert "a-token" not in path.read_text()
    assert f"--user enable --now {NAME}" in calls.read_text()
    code, told = await finished(await spawn("service", "status", **given))
    assert code == 0, told
    code, told = await finished(await spawn("service", "remove", **given))
    assert code == 0, told
    assert not path.exists()
    assert f"--user disable --now {NAME}" in calls.read_text()
    code, told = await finished(await spawn("service", "remove", **given))
    assert (code, "isn't installed" in told) == (16, True)


async def test_without_systemd_it_says_what_to_do(tmp_path: Path) -> None:
    """And prints the unit for whoever wants to put it somewhere else."""
    code, told = await finished(await spawn("service", "install", PATH=str(tmp_path), HOME=str(tmp_path)))
    assert (code, "There is no systemd here" in told) == (16, True), told
    code, told = await finished(await spawn("service", "install", "--print", HOME=str(tmp_path)))
    assert code == 0
    assert told.startswith("[Unit]")
