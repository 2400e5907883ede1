"""The database is away, frozen or full: it is said once, nothing is lost, and everything is done when it is back."""

from __future__ import annotations

import asyncio
import os
import subprocess
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from pathlib import Path

import asyncpg
import pytest

from tests.builders import Clock, Opener, query, served, settings_for
from tests.databases import Databases, database_in
from tests.line import Line
from urmom_bot.app import open_app
from urmom_bot.stand_ins import GeminiStandIn

PUT_OFF = "I can't reach my memory"


def opener(gemini: GeminiStandIn, clock: Clock, dsn: str) -> Opener:
    """The bot over a database of the test's own."""
    return lambda: open_app(settings_for(gemini), clock=clock, quota_clock=clock, dsn=dsn)


async def until(holds: Callable[[], object], seconds: float = 30) -> None:
    async with asyncio.timeout(seconds):
        while not holds():
            await asyncio.sleep(0.02)


async def stored(dsn: str) -> set[str]:
    rows = await query(dsn, "SELECT message_text FROM chat_history WHERE author_kind = 'member' AND NOT off_record")
    return {row[0] for row in rows}


@pytest.mark.parametrize("how", ["away", "frozen"])
async def test_away_or_frozen(gemini: GeminiStandIn, clock: Clock, dsn: str, how: str) -> None:
    """Whoever asks is told once that it takes longer; then comes the answer, and what was written is stored."""
    line = Line(dsn)
    await line.start()
    async with served(opener(gemini, clock, line.dsn), gemini, clock) as server:
        hand = server.discord
        ann = hand.join(server.guild, "ann")
        assert "Got it" in await server.ask(ann, "Bot remember that ann sings alto")
        before = len(hand.sent)
        line.cut() if how == "away" else line.freeze()
        for n in range(50):
            await hand.say(ann, server.general, f"meanwhile {n}")
        await hand.say(ann, server.general, "Bot remember that ann has 2 cats")
        await until(lambda: len(hand.sent) > before)
        await asyncio.sleep(1)
        assert [sent.content.startswith(PUT_OFF) for sent in hand.sent[before:]] == [True], hand.sent[before:]
        line.mend()
        await until(lambda: len(hand.sent) > before + 1, 60)
        await server.settled()
        assert "ann has 2 cats" in hand.sent[-1].content
        assert len(hand.sent) == before + 2
        assert await stored(dsn) == {f"meanwhile {n}" for n in range(50)}
        assert (await server.app.readiness(server.bot)).problems == []
    await line.close()


@asynccontextmanager
async def small_disk(server: str, size: int) -> AsyncIterator[Path]:
    """A disk of a few megabytes on which the server may keep a database."""
    data = await query(server, "SHOW data_directory")
    if not Path(data[0][0]).is_dir():
        pytest.skip("the server is on another machine, whose disk cannot be filled from here: unset DATABASE_URL")
    folder = Path(data[0][0]).parent / f"small-{os.getpid()}"
    folder.mkdir()
    mount = ["mount", "-t", "tmpfs", "-o", f"size={size},mode=700", "none", str(folder)]
    if subprocess.run(mount, capture_output=True, check=False).returncode:
        folder.rmdir()
        pytest.skip("this user may mount no disk that could be filled: run the test as root")
    try:
        owner = Path(data[0][0]).stat()
        os.chown(folder, owner.st_uid, owner.st_gid)
        yield folder
    finally:
        subprocess.run(["umount", "--lazy", str(folder)], check=True)
        folder.rmdir()


async def test_a_full_disk(gemini: GeminiStandIn, clock: Clock, databases: Databases) -> None:
    """What does not fit waits; once there is room it is stored, and what was asked is done."""
    server, name = databases.server, databases.template
    async with small_disk(server, 40 * 2**20) as folder:
        admin = await asyncpg.connect(server)
        await admin.execute(f"CREATE TABLESPACE small LOCATION '{folder}'")
        await admin.execute(f"CREATE DATABASE urmom_small TEMPLATE {name} TABLESPACE small")
        dsn = database_in(server, "urmom_small")
        try:
            async with served(opener(gemini, clock, dsn), gemini, clock) as running:
                hand = running.discord
                ann = hand.join(running.guild, "ann")
                assert "Got it" in await running.ask(ann, "Bot remember that ann sings alto")
                before, ballast = len(hand.sent), folder / "ballast"
                with ballast.open("wb") as file, pytest.raises(OSError, match="No space left"):
                    while True:
                        file.write(os.urandom(2**20))
                        file.flush()
                words = [" ".join(f"word{n}x{i}" for i in range(150)) for n in range(200)]
                for text in words:
                    await hand.say(ann, running.general, text)
                await hand.say(ann, running.general, "Bot remember that ann has 2 cats")
                await until(lambda: len(hand.sent) > before)
                assert hand.sent[-1].content.startswith(PUT_OFF)
                assert await running.app.memory.has_database()
                ballast.unlink()
                await until(lambda: len(hand.sent) > before + 1, 60)
                await running.settled()
                assert "ann has 2 cats" in hand.sent[-1].content
                assert await stored(dsn) == set(words)
                assert not await query(dsn, "SELECT 1 FROM parked")
        finally:
            await admin.execute("DROP DATABASE urmom_small WITH (FORCE)")
            await admin.execute("DROP TABLESPACE small")
            await admin.close()


async def test_what_waits_for_the_database_ends_with_the_bot(
    gemini: GeminiStandIn, clock: Clock, dsn: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A bot that is stopped while the database is away leaves nothing behind that waits for it for ever."""
    line = Line(dsn)
    await line.start()
    waits: list[None] = []
    async with served(opener(gemini, clock, line.dsn), gemini, clock) as server:
        channel = await server.discord.open_channel(server.guild, "gone-soon")
        await server.settled()
        line.cut()
        monkeypatch.setattr("urmom_bot.flow.patience.log.warning", lambda *_: waits.append(None))
        await server.discord.close_channel(channel)
        await until(lambda: waits)
    await line.close()

    assert [t.get_name() for t in asyncio.all_tasks() if t.get_name().startswith("discord.py")] == []


async def test_everything_that_was_put_off_is_answered(gemini: GeminiStandIn, clock: Clock, dsn: str) -> None:
    """However many ask in one channel and however often one does: each is told once, and each question is answered."""
    line = Line(dsn)
    await line.start()
    async with served(opener(gemini, clock, line.dsn), gemini, clock) as server:
        hand = server.discord
        people = [hand.join(server.guild, f"person{n}") for n in range(12)]
        for person in people:
            await hand.say(person, server.general, "hello")
        await server.settled()
        line.freeze()
        asked = {await hand.say(person, server.general, "Bot how is the kiln?") for person in people}
        asked |= {await hand.say(people[0], server.general, f"Bot and the tram {n}?") for n in range(6)}
        await until(lambda: len(hand.sent) >= len(people))
        await asyncio.sleep(1)
        told = [sent for sent in hand.sent if sent.content.startswith(PUT_OFF)]
        assert len(told) == len(hand.sent) == len(people)
        line.mend()
        clock.on(minutes=11)
        await until(lambda: len(hand.sent) >= len(told) + len(asked), 80)
        await server.settled()
        answers = hand.sent[len(told) :]
        assert {sent.reply_to for sent in answers} == asked
        assert len(answers) == len(asked)
        assert not [
            sent.content for sent in answers if "One thing at a time" in sent.content or "again" in sent.content
        ]
    await line.close()


async def test_a_slow_database_is_not_told_as_an_absent_one(gemini: GeminiStandIn, clock: Clock, dsn: str) -> None:
    """A quarter of a second a statement."""
    line = Line(dsn)
    await line.start()
    async with served(opener(gemini, clock, line.dsn), gemini, clock) as server:
        hand = server.discord
        ann = hand.join(server.guild, "ann")
        await hand.say(ann, server.general, "hello")
        await server.settled()
        line.slow(0.25)
        await hand.say(ann, server.general, "Bot remember that ann has 2 cats")
        await until(lambda: hand.sent, 60)
        line.mend()
        await server.settled()
        assert [sent.content.startswith("📌 Got it") for sent in hand.sent] == [True], hand.sent
    await line.close()
