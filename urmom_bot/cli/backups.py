"""Backups: the whole database in one file, checked by restoring it, and put into another server."""

from __future__ import annotations

import asyncio
import os
import secrets
import shutil
import subprocess
from collections.abc import Mapping, Sequence
from pathlib import Path
from urllib.parse import parse_qsl, quote, unquote, urlencode, urlsplit, urlunsplit

from memory.store.keeping import counts, create_database, drop_database, is_empty, major
from urmom_bot.postgres import BIN, MAJOR


class BackupFailed(Exception):
    """A backup could not be made or restored: a sentence on why, and what to do."""


async def back_up(dsn: str, path: Path, *, check: bool = True) -> Mapping[str, int]:
    """Write everything of the database to a file that its owner alone can read; returns its rows by table.

    It is checked by restoring it into a database of its own beside, which is dropped again. Raises BackupFailed.
    """
    part = path.with_name(f".{path.name}.part")
    part.touch(mode=0o600)
    part.chmod(0o600)
    try:
        tool = await _tool("pg_dump", dsn)
        await _run([tool, "--format=custom", "--no-owner", "--no-privileges", f"--file={part}", "-d"], dsn)
        if check:
            await _check(dsn, part)
        found = await counts(dsn)
        part.replace(path)
    finally:
        part.unlink(missing_ok=True)
    return found


async def _check(dsn: str, path: Path) -> None:
    name = f"urmom_check_{secrets.token_hex(6)}"
    beside = urlunsplit(urlsplit(dsn)._replace(path=f"/{name}"))
    await create_database(dsn, name)
    try:
        await _restore(beside, path)
        if not await counts(beside):
            raise BackupFailed("The backup holds no tables.")
    finally:
        await drop_database(dsn, name)


async def restore(dsn: str, path: Path) -> Mapping[str, int]:
    """Put a backup into an empty database; returns its rows by table. Raises BackupFailed."""
    if not await is_empty(dsn):
        raise BackupFailed("The database is not empty: restore into a new one, so that nothing of either is lost.")
    await _restore(dsn, path)
    return await counts(dsn)


async def _restore(dsn: str, path: Path) -> None:
    tool = await _tool("pg_restore", dsn)
    as_it_is = ("--exit-on-error", "--single-transaction", "--no-owner", "--no-privileges")
    await _run([tool, *as_it_is, str(path), "-d"], dsn)


async def check_indexes(dsn: str) -> str:
    """Have PostgreSQL check tables and indexes for damage; returns what it found, empty where all is well."""
    tool = await _tool("pg_amcheck", dsn)
    done = await _ran([tool, "--install-missing", "--heapallindexed", "--no-strict-names"], dsn)
    if done.returncode == 0:
        return ""
    if 'extension "amcheck" is not available' in done.stderr or "amcheck is not installed" in done.stderr:
        raise BackupFailed("The server has no amcheck: install PostgreSQL's contrib package there to check for damage.")
    return (done.stdout + done.stderr).strip()


async def _tool(name: str, dsn: str) -> str:
    """The program that speaks with the server: the one that came with the bot, or a newer one of the system's."""
    server = await major(dsn)
    if server <= MAJOR:
        return str(BIN / name)
    found = shutil.which(name)
    if found is None:
        raise BackupFailed(f"The server is PostgreSQL {server}: install its client programs ({name}) to back it up.")
    return found


def without_password(dsn: str) -> tuple[str, dict[str, str]]:
    """An address without its passwords, and what tells PostgreSQL's programs the one it needs.

    Everybody on a machine can read what a program was called with.
    """
    parts = urlsplit(dsn)
    user, at, host = parts.netloc.rpartition("@")
    name, _, password = user.partition(":")
    query = parse_qsl(parts.query, keep_blank_values=True)
    password = dict(query).get("password") or unquote(password)
    kept = urlencode([(key, value) for key, value in query if key not in ("password", "sslpassword")], quote_via=quote)
    bare = urlunsplit(parts._replace(netloc=f"{name}{at}{host}", query=kept))
    return bare, {"PGPASSWORD": password} if password else {}


async def _ran(command: Sequence[str], dsn: str) -> subprocess.CompletedProcess[str]:
    """A program of PostgreSQL's, run against a database: its address comes after the command's last argument."""
    address, secret = without_password(dsn)
    return await asyncio.to_thread(
        subprocess.run,
        [*command, address],
        capture_output=True,
        text=True,
        check=False,
        env={**os.environ, **secret},
    )


async def _run(command: Sequence[str], dsn: str) -> None:
    done = await _ran(command, dsn)
    if done.returncode:
        lines = [line for line in done.stderr.strip().splitlines() if line]
        raise BackupFailed(f"{Path(command[0]).name}: {lines[0] if lines else f'exit code {done.returncode}'}")
