"""A deletion that was delivered is lost with no process, whatever the database does."""

from __future__ import annotations

import asyncio
import os
import signal
from pathlib import Path

import pytest

from memory.records import PendingRemoval
from tests.builders import G, query
from tests.urmom_bot.cli.test_process import finished, online, spawn, stand_in, until
from urmom_bot.journal import FileJournal, alone

OF_THE_BOT = """
SELECT array_agg(pid) AS pids FROM pg_stat_activity
WHERE datname = current_database() AND application_name LIKE 'urmom-bot%'
"""
GONE = "SELECT 1 WHERE NOT EXISTS (SELECT 1 FROM chat_history WHERE message_text = 'to be deleted')"
DELETED, EDITED = PendingRemoval(G, None, (5, 6)), PendingRemoval(G, 7, (8,))


def files(folder: Path) -> list[Path]:
    return sorted(folder.glob("removals-*.jsonl"))


async def test_what_a_process_leaves_the_next_one_takes_over(tmp_path: Path) -> None:
    """As long as the database has not got it, however many processes end; numbers alone, for their owner alone."""
    killed = FileJournal(tmp_path)
    assert killed.left == []
    await asyncio.gather(*(killed.note(removal) for removal in (DELETED, EDITED)))
    (path,) = files(tmp_path)
    assert [line for line in path.read_text().split("\n") if line] == [f"[{G}, null, [5, 6]]", f"[{G}, 7, [8]]"]
    assert path.stat().st_mode & 0o777 == 0o600
    killed.done(DELETED)
    os.close(killed._file)  # as its end does
    with path.open("a") as cut_short:
        cut_short.write("[41943")

    second = FileJournal(tmp_path)
    assert second.left == [DELETED, EDITED]
    second.close()
    third = FileJournal(tmp_path)
    assert third.left == [DELETED, EDITED]
    third.done(DELETED)
    third.done(EDITED)
    assert third._path.read_text() == ""
    third.close()
    assert files(tmp_path) == []


async def test_nobody_takes_over_from_a_process_that_lives(tmp_path: Path) -> None:
    """Two on one folder."""
    one = FileJournal(tmp_path)
    await one.note(DELETED)
    two = FileJournal(tmp_path)
    assert two.left == []
    assert len(files(tmp_path)) == 2
    two.close()
    one.done(DELETED)
    one.close()


async def test_a_disk_that_is_full_is_told(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    """And keeps nobody waiting."""
    journal = FileJournal(tmp_path)

    def full(*_: object) -> int:
        raise OSError(28, "No space left on device")

    with monkeypatch.context() as broken:
        broken.setattr(os, "write", full)
        await journal.note(DELETED)
    assert "No space left" in caplog.text
    await journal.note(EDITED)
    assert files(tmp_path)[0].read_text().strip() == f"[{G}, 7, [8]]"
    journal.close()


async def test_a_deletion_outlasts_a_process_whose_database_is_frozen(dsn: str, tmp_path: Path) -> None:
    """SIGTERM ends it within ten seconds all the same; the next one deletes, and reads again what was edited."""
    async with stand_in() as discord:
        guild = next(iter(discord.world.guilds.values()))
        general = next(iter(guild.channels.values()))
        ann = discord.join(guild, "ann")
        settings = {"DATABASE_URL": dsn, "DATA_DIR": str(tmp_path), "HEALTH_PORT": "0"}
        process = await spawn("run", discord=discord, **settings)
        await online(discord)
        gone = await discord.say(ann, general, "to be deleted")
        changed = await discord.say(ann, general, "to be changed")
        await until(dsn, "SELECT 1 FROM chat_history", 2)
        (row,) = await query(dsn, OF_THE_BOT)
        for pid in row["pids"]:
            os.kill(pid, signal.SIGSTOP)
        try:
            await discord.delete(general, gone)
            await discord.edit(general, changed, "changed")
            async with asyncio.timeout(10):
                while not files(tmp_path) or files(tmp_path)[0].read_text().count("\n") < 2:
                    await asyncio.sleep(0.05)
            process.terminate()
            await finished(process, 11)
        finally:
            for pid in row["pids"]:
                os.kill(pid, signal.SIGCONT)
        assert len(files(tmp_path)) == 1
        process = await spawn("run", discord=discord, **settings)
        await online(discord, 2)
        await until(dsn, GONE, 1)
        await until(dsn, "SELECT 1 FROM chat_history WHERE message_text = 'changed'", 1, 30)
        process.terminate()
        code, told = await finished(process)
    assert code == 0, told
    assert files(tmp_path) == []


async def test_two_processes_begin_one_after_the_other(tmp_path: Path) -> None:
    """What one has made and not locked yet would be taken over by the other, and deleted."""
    with alone(tmp_path):
        beginning = asyncio.create_task(asyncio.to_thread(FileJournal, tmp_path))
        await asyncio.wait([beginning], timeout=0.3)
        assert not beginning.done()
        assert files(tmp_path) == []
    (await beginning).close()
