"""Backups: made, checked, restored on another server, and before the embedded server's new major version."""

from __future__ import annotations

import asyncio
import os
import re
import stat
import subprocess
import sys
from pathlib import Path
from typing import Any
from urllib.parse import unquote, urlsplit, urlunsplit

import pytest
from pydantic import SecretStr

from memory.store.embedded import BIN, MAJOR, POSTGRES_VERSIONS, TARGET_POSTGRES_VERSION, OtherMajor, _running, embedded
from memory.store.keeping import major
from memory.store.schema import migrate
from tests.builders import Talk, query
from tests.urmom_bot.cli.test_process import finished, spawn
from urmom_bot.app import address
from urmom_bot.cli import backups
from urmom_bot.cli.backups import BackupFailed, _load_script, back_up, restore, without_password
from urmom_bot.config import Settings

ROOT = Path(__file__).parents[3]


async def test_a_backup_moves_everything_to_another_server(talk: Talk, dsn: str, tmp_path: Path) -> None:
    """One command pair: `backup` here, `restore` with DATABASE_URL there; the file is its owner's alone."""
    if os.geteuid() == 0:
        tmp_path.chmod(0o755)
    await talk.say(1, "the tram takes 40 minutes")
    file = tmp_path / "kept.backup"
    code, told = await finished(await spawn("backup", str(file), DATABASE_URL=dsn, DATA_DIR=str(tmp_path)))
    assert (code, "Messages: 1, facts: 0. A test restore worked." in " ".join(told.split())) == (0, True), told
    assert stat.S_IMODE(file.stat().st_mode) == 0o600
    assert not await query(dsn, "SELECT 1 FROM pg_database WHERE datname LIKE 'urmom_check%'")

    (tmp_path / "other").mkdir(mode=0o755)
    with embedded(tmp_path / "other", durable=False) as other:
        for _ in range(2):
            done = await spawn("restore", str(file), DATABASE_URL=other, DATA_DIR=str(tmp_path))
            code, told = await finished(done)
            if not await query(other, "SELECT 1 FROM pg_tables WHERE tablename = 'second'"):
                assert (code, "Restored. Messages: 1" in told) == (0, True), told
                await query(other, "CREATE TABLE second (n int)")
        assert (code, "not empty" in told) == (19, True), told
        texts = [row[0] for row in await query(other, "SELECT message_text FROM chat_history")]
    assert texts == ["the tram takes 40 minutes"]


@pytest.mark.parametrize(
    ("dsn", "bare", "password"),
    [
        (
            "postgresql://bot:s%40crt@db.example:5433/bot?sslmode=require",
            "postgresql://bot@db.example:5433/bot?sslmode=require",
            "s@crt",
        ),
        ("postgresql://bot@/bot?host=/run/db&password=s3crt", "postgresql://bot@/bot?host=/run/db", "s3crt"),
        ("postgresql://bot@db/bot", "postgresql://bot@db/bot", None),
        ("postgresql://:@/bot?host=/dev/shm/x", "postgresql://@/bot?host=/dev/shm/x", None),
    ],
)
def test_the_password_is_in_no_list_of_processes(dsn: str, bare: str, password: str | None) -> None:
    """PostgreSQL's programs are told it in their environment, which others cannot read."""
    found, secret = without_password(dsn)

    assert (unquote(found), secret.get("PGPASSWORD")) == (bare, password)


@pytest.mark.parametrize("newer", [17, 99])
async def test_programs_are_run_without_the_password(
    dsn: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, newer: int
) -> None:
    """Seen from outside: no argument of PostgreSQL's programs has it, and a backup works."""
    monkeypatch.setattr("urmom_bot.cli.backups.TIMEOUTS", newer)
    seen: list[list[str]] = []
    begin = subprocess.Popen

    class Watched(begin):  # type: ignore[type-arg, misc, valid-type]
        def __init__(self, command: list[str], **more: Any) -> None:
            seen.append(command)
            assert not command[-1].startswith("postgresql") or more["env"]["PGPASSWORD"] == "s3crt"
            super().__init__(command, **more)

    monkeypatch.setattr(subprocess, "Popen", Watched)
    parts = urlsplit(dsn)
    await back_up(
        urlunsplit(parts._replace(netloc=f"postgres:s3crt@{parts.netloc.rpartition('@')[2]}")), tmp_path / "kept.backup"
    )

    by_script = ["psql"] if await major(dsn) < newer else []
    assert [Path(command[0]).name for command in seen] == ["pg_dump", "pg_restore", *by_script]
    assert sum(command[-1].startswith("postgresql") for command in seen) == 2
    assert not [argument for command in seen for argument in command if "s3crt" in argument]


async def test_what_cannot_be_restored_leaves_nothing(empty: str, tmp_path: Path) -> None:
    """A broken file is one sentence, and the database is as empty as before."""
    file = tmp_path / "broken.backup"
    file.write_bytes(b"PGDMP" + b"x" * 100)
    code, told = await finished(await spawn("restore", str(file), DATABASE_URL=empty, DATA_DIR=str(tmp_path)))
    assert (code, "pg_restore" in told, "Traceback" in told) == (19, True, False), told
    assert not await query(empty, "SELECT 1 FROM pg_tables WHERE schemaname = 'public'")


async def test_a_file_that_is_no_backup_is_told_so(dsn: str, tmp_path: Path) -> None:
    """Before anything is done with it."""
    file = tmp_path / "picture.png"
    file.write_bytes(b"\x89PNG" + b"x" * 100)
    empty = await finished(await spawn("restore", str(file), DATABASE_URL=dsn, DATA_DIR=str(tmp_path)))
    assert (empty[0], "not empty" in empty[1]) == (19, True)
    await query(dsn, "DROP SCHEMA public CASCADE")
    await query(dsn, "CREATE SCHEMA public")
    code, told = await finished(await spawn("restore", str(file), DATABASE_URL=dsn, DATA_DIR=str(tmp_path)))
    assert (code, "is not a backup" in told) == (19, True), told


async def test_a_backup_is_compared_with_what_was_there(
    talk: Talk, dsn: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Table by table, as of the moment it was begun: what is written meanwhile is not in it, and a row less is seen."""
    await talk.say(1, "the tram takes 40 minutes")
    await talk.app.memory.messages.flush()
    run = subprocess.run

    def meanwhile(command: list[str], **more: Any) -> Any:
        if command[0].endswith("pg_dump"):
            asyncio.run(query(dsn, "INSERT INTO bot_state (guild_id, name, value) VALUES (1, 'x', 'y')"))
        return run(command, **more)

    with monkeypatch.context() as watched:
        watched.setattr(subprocess, "run", meanwhile)
        found = await back_up(dsn, tmp_path / "kept.backup")
    assert found["chat_history"] == 1
    assert await query(dsn, "SELECT 1 FROM bot_state WHERE name = 'x'")

    into = backups._restore

    async def loses(copy: str, file: Path) -> None:
        await into(copy, file)
        await query(copy, "UPDATE chat_history SET message_text = 'the tram takes 4 minutes'")

    monkeypatch.setattr(backups, "_restore", loses)
    with pytest.raises(BackupFailed, match="chat_history"):
        await back_up(dsn, tmp_path / "other.backup")
    assert not (tmp_path / "other.backup").exists()


@pytest.mark.parametrize("newer", [17, 99])
async def test_a_server_that_knows_less_takes_a_backup(
    talk: Talk, dsn: str, empty: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, newer: int
) -> None:
    """PostgreSQL before 17 stumbles over a setting of the newer programs; half a backup leaves nothing there either."""
    monkeypatch.setattr("urmom_bot.cli.backups.TIMEOUTS", newer)
    await talk.say(1, "SET transaction_timeout = 0;")
    await talk.app.memory.messages.flush()
    file = tmp_path / "kept.backup"
    assert (await back_up(dsn, file))["chat_history"] == 1
    file.write_bytes(file.read_bytes()[:-2_000])
    with pytest.raises(BackupFailed, match="pg_restore"):
        await restore(empty, file)
    assert not await query(empty, "SELECT 1 FROM pg_tables WHERE schemaname = 'public'")


async def test_what_the_server_refuses_is_told_in_its_words(dsn: str) -> None:
    """However much of the script is left to write then."""
    script = [sys.executable, "-c", "print('nonsense;'); print('x' * 1_000_000)"]
    load = [str(BIN / "psql"), "--no-psqlrc", "--quiet", "--set=ON_ERROR_STOP=1", "-d"]
    with pytest.raises(BackupFailed, match='syntax error at or near "nonsense"'):
        await asyncio.to_thread(_load_script, script, load, dsn)


async def test_damage_is_looked_for_where_the_server_can(dsn: str, tmp_path: Path) -> None:
    """The embedded server has no amcheck: every row is read, and it is said what was not looked at."""
    code, told = await finished(await spawn("check", DATABASE_URL=dsn, DATA_DIR=str(tmp_path)))
    assert (code, "No damage was found." in told) == (0, True), told
    told = " ".join(told.split())
    assert "Tables and indexes were checked" in told or "Every row of every table can be read (" in told


async def test_a_new_major_of_the_embedded_server_keeps_everything(tmp_path: Path) -> None:
    """A backup is made first, and the earlier data stays beside the new."""
    older = [version for version in POSTGRES_VERSIONS if version != TARGET_POSTGRES_VERSION]
    assert older, "the wheel brings one version of PostgreSQL alone: let this test start one of another"
    if os.geteuid() == 0:
        tmp_path.chmod(0o755)
    (tmp_path / "postgres").mkdir()
    with _running(tmp_path, older[0]) as dsn:
        await migrate(dsn)
        await query(dsn, "INSERT INTO channel_settings (guild_id, channel_id, name) VALUES (1, 7, 'kept')")
    with embedded(tmp_path) as dsn:
        assert [row[0] for row in await query(dsn, "SELECT name FROM channel_settings")] == ["kept"]
        assert (await query(dsn, "SHOW server_version"))[0][0].startswith(str(MAJOR))
    assert (tmp_path / f"postgres-{older[0]}" / "PG_VERSION").read_text().strip() == str(older[0])
    assert (tmp_path / f"postgres-{older[0]}.backup").stat().st_size > 1_000


def test_data_of_an_unknown_major_is_left_alone(tmp_path: Path) -> None:
    """One sentence says what to do."""
    (tmp_path / "postgres").mkdir()
    (tmp_path / "postgres" / "PG_VERSION").write_text("11\n")
    with pytest.raises(OtherMajor, match="is from PostgreSQL 11"), embedded(tmp_path):
        pass


def test_compose_and_the_embedded_server_have_one_major() -> None:
    """So that moving to a server is no downgrade; so do the tests' containers."""
    for path in ("docker-compose.yml", "tests/builders.py"):
        assert re.findall(r"pgvector/pgvector:pg(\d+)", (ROOT / path).read_text()) == [str(MAJOR)], path


@pytest.mark.parametrize("password", ["plain", "p@ss/w:rd?#%[] ", "пароль"])
def test_a_password_may_have_any_signs(password: str) -> None:
    """It comes by itself, not inside an address."""
    settings = Settings(
        _env_file=None,  # type: ignore[call-arg]
        database_url=SecretStr("postgresql://urmom@database:5432/urmom?sslmode=disable"),
        database_password=SecretStr(password),
    )
    found = address(settings)
    assert found is not None
    parts = urlsplit(found)
    assert (unquote(parts.password or ""), parts.hostname, parts.port) == (password, "database", 5432)


def test_secrets_are_read_from_files(tmp_path: Path) -> None:
    """As containers get them, by the setting's name."""
    (tmp_path / "discord_token").write_text("from-a-file\n")
    settings = Settings(_env_file=None, _secrets_dir=tmp_path)  # type: ignore[call-arg]
    assert settings.discord_token is not None
    assert settings.discord_token.get_secret_value() == "from-a-file"
