"""Backups: the whole database in one file, checked by restoring it, and put into another server."""

from __future__ import annotations

import asyncio
import os
import secrets
import shutil
import subprocess
import tempfile
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import parse_qsl, quote, unquote, urlencode, urlsplit, urlunsplit

from memory.store.embedded import BIN, MAJOR
from memory.store.keeping import (
    Digest,
    counts,
    create_database,
    digests,
    drop_database,
    has_checksums,
    is_empty,
    major,
    snapshot,
)

MAGIC = b"PGDMP"
"""What a backup begins with."""


TIMEOUTS, UNKNOWN_BEFORE = 17, b"SET transaction_timeout = 0;\n"
"""The first PostgreSQL that knows a setting with which each script of the newer programs begins, and its line."""


class BackupFailed(Exception):
    """A backup could not be made or restored: a sentence on why, and what to do."""


async def back_up(dsn: str, path: Path, *, check: bool = True) -> Mapping[str, int]:
    """Write everything of the database to a file that its owner alone can read; returns its rows by table.

    It is of one moment, also where the bot runs. It is checked by restoring it into a database of its own beside, which
    is dropped again: every table there must have what it had here. Raises BackupFailed.
    """
    part = path.with_name(f".{path.name}.part")
    part.touch(mode=0o600)
    part.chmod(0o600)
    try:
        tool = await _tool("pg_dump", dsn)
        async with snapshot(dsn) as (moment, held):
            as_it_is = ("--format=custom", "--no-owner", "--no-privileges", f"--snapshot={moment}")
            await _run([tool, *as_it_is, f"--file={part}", "-d"], dsn)
        if check:
            await _check(dsn, part, held)
        part.replace(path)
    finally:
        part.unlink(missing_ok=True)
    return {table: digest.rows for table, digest in held.items()}


async def _check(dsn: str, path: Path, held: Mapping[str, Digest]) -> None:
    name = f"urmom_check_{secrets.token_hex(6)}"
    beside = urlunsplit(urlsplit(dsn)._replace(path=f"/{name}"))
    await create_database(dsn, name)
    try:
        await _restore(beside, path)
        restored = await digests(beside)
        if not restored:
            raise BackupFailed("The backup contains no tables. Back up again.")
        if other := [table for table, digest in held.items() if restored.get(table) != digest]:
            raise BackupFailed(
                f"The backup differs from the database in these tables: {', '.join(other)}. Back up again."
            )
    finally:
        await drop_database(dsn, name)


async def restore(dsn: str, path: Path) -> Mapping[str, int]:
    """Put a backup into an empty database; returns its rows by table. Raises BackupFailed."""
    if not await is_empty(dsn):
        raise BackupFailed(
            "The database is not empty, and a backup needs an empty one. Stop the bot and move the folder postgres out"
            " of DATA_DIR, or set DATABASE_URL to another database."
        )
    await _restore(dsn, path)
    return await counts(dsn)


async def _restore(dsn: str, path: Path) -> None:
    with path.open("rb") as file:
        if file.read(len(MAGIC)) != MAGIC:
            raise BackupFailed(f"{path} is not a backup. Choose a file from `urmom-bot backup`.")
    tool = await _tool("pg_restore", dsn)
    as_it_is = ("--no-owner", "--no-privileges")
    if await major(dsn) >= TIMEOUTS:
        await _run([tool, "--exit-on-error", "--single-transaction", *as_it_is, str(path), "-d"], dsn)
    else:
        script = [tool, *as_it_is, "--file=-", str(path)]
        load = [str(BIN / "psql"), "--no-psqlrc", "--quiet", "--single-transaction", "--set=ON_ERROR_STOP=1", "-d"]
        await asyncio.to_thread(_load_script, script, load, dsn)


def _load_script(script: Sequence[str], load: Sequence[str], dsn: str) -> None:
    """Restore by a script without what an older server does not know; all of it, or nothing. Raises BackupFailed."""
    address, secret = without_password(dsn)
    with tempfile.TemporaryFile() as errors:
        written = subprocess.Popen(script, stdout=subprocess.PIPE, stderr=errors)  # noqa: S603
        loading = subprocess.Popen(  # noqa: S603
            [*load, address],
            stdin=subprocess.PIPE,
            stdout=subprocess.DEVNULL,
            stderr=errors,
            env={**os.environ, **secret},
        )
        with written, loading:
            assert written.stdout is not None
            assert loading.stdin is not None
            is_header = True
            with suppress(BrokenPipeError):  # psql says why it ended
                for line in written.stdout:
                    is_header = is_header and not line.startswith(b"COPY ")
                    if not (is_header and line == UNKNOWN_BEFORE):
                        loading.stdin.write(line)
                if written.wait():
                    loading.kill()  # half a script is none
            with suppress(BrokenPipeError):
                loading.stdin.close()
        if written.returncode or loading.returncode:
            errors.seek(0)
            lines = errors.read().decode("utf-8", "replace").strip().splitlines()
            raise BackupFailed(f"pg_restore or psql failed: {lines[0] if lines else 'cannot read the backup'}")


@dataclass(frozen=True)
class Looked:
    """What a look for damage found, empty where all is well; and what it did and did not look at."""

    damage: str
    told: str


async def look_for_damage(dsn: str) -> Looked:
    """Have PostgreSQL check tables and indexes; where it has no amcheck, read every row of every table."""
    tool = await _tool("pg_amcheck", dsn)
    done = await _ran([tool, "--install-missing", "--heapallindexed", "--no-strict-names"], dsn)
    if done.returncode == 0:
        return Looked("", "Tables and indexes were checked.")
    if 'extension "amcheck" is not available' not in done.stderr and "amcheck is not installed" not in done.stderr:
        return Looked((done.stdout + done.stderr).strip(), "")
    read = await _ran([await _tool("pg_dump", dsn), f"--file={os.devnull}", "-d"], dsn)
    if read.returncode:
        return Looked(read.stderr.strip(), "")
    pages = "page checksums are right" if await has_checksums(dsn) else "there are no page checksums"
    told = (
        f"Every row of every table can be read ({pages}). Indexes were not checked: install amcheck, from PostgreSQL's"
        " contrib package, on the server."
    )
    return Looked("", told)


async def _tool(name: str, dsn: str) -> str:
    """The program that speaks with the server: the one that came with the bot, or a newer one of the system's."""
    server = await major(dsn)
    if server <= MAJOR:
        return str(BIN / name)
    found = shutil.which(name)
    if found is None:
        raise BackupFailed(
            f"The server runs PostgreSQL {server}. Install the client programs of that version: {name} is missing."
        )
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
        raise BackupFailed(f"{Path(command[0]).name} failed: {lines[0] if lines else f'exit code {done.returncode}'}")
