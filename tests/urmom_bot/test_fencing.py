"""A process that was silent for too long and wakes: another took over, and nothing that it does counts."""

from __future__ import annotations

import asyncio
import logging
import os
import signal
from collections.abc import AsyncIterator, Awaitable, Callable
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from pydantic import SecretStr

from memory import DatabaseUnavailable
from memory.clock import DatabaseClock
from memory.records import EarlierOrder, Fenced, InboxItem, InboxKind
from memory.store import Store
from memory.store.usage import Limits
from tests.builders import Clock, G, Server, query, settings_for
from tests.urmom_bot.cli.test_process import finished, online, says, spawn, stand_in, until
from urmom_bot import cli
from urmom_bot.app import App
from urmom_bot.bot import Bot
from urmom_bot.errors import BAD_TOKEN, NO_DISCORD, StartupError
from urmom_bot.stand_ins import TOKEN


def entry(trigger_id: int = 5, *, is_order: bool = True) -> InboxItem:
    return InboxItem(
        guild_id=G,
        trigger_id=trigger_id,
        kind=InboxKind.MESSAGE,
        channel_id=7,
        user_id=1,
        at=Clock().now,
        is_order=is_order,
    )


async def is_refused(work: Callable[[], Awaitable[object]]) -> bool:
    """Whether a process learns that another took over, once its connections are open again."""
    for _ in range(20):
        try:
            await work()
        except Fenced:
            return True
        except DatabaseUnavailable:
            continue
        return False
    return False


async def silent(dsn: str, store: Store) -> None:
    """As if a process had given its last sign of life eleven seconds ago, by the database's time."""
    await query(
        dsn,
        f"UPDATE processes SET alive_at = now() - interval '11 seconds' WHERE process_id = {store.process_id}",
    )


@pytest.fixture
async def two(dsn: str) -> AsyncIterator[tuple[Store, Store]]:
    one, two = await Store.open(dsn), await Store.open(dsn)
    for store in (one, two):
        await store.processes.enter(store.process_id)
    yield one, two
    for store in (one, two):
        await store.close()


@pytest.mark.parametrize("is_fenced", [True, False])
async def test_a_connection_closed_by_who_took_over_is_no_outage(
    dsn: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, is_fenced: bool
) -> None:
    """The process begins anew, and does not end as it does where its database is away."""

    async def lost(bot: Bot, *_: object) -> None:
        if is_fenced:
            bot.memory.inbox.fenced.set()
        raise DatabaseUnavailable("the underlying connection is closed")

    monkeypatch.setattr(cli, "_connect", lost)
    settings = settings_for(None, database_url=SecretStr(dsn), data_dir=tmp_path, health_port=0)
    serving = cli._serve_once(settings, SecretStr(TOKEN), asyncio.Event())
    if is_fenced:
        assert await serving
    else:
        with pytest.raises(DatabaseUnavailable):
            await serving


NO_NETWORK = StartupError("Discord cannot be reached.", NO_DISCORD)


@pytest.mark.parametrize(
    ("runs", "ends"),
    [
        ([False], None),
        ([NO_NETWORK, False], NO_NETWORK),
        ([True, False], None),
        ([True, NO_NETWORK, DatabaseUnavailable("away"), NO_NETWORK, False], None),
        ([Fenced("gone"), NO_NETWORK, True, False], None),
        ([True, bad := StartupError("The token is wrong.", BAD_TOKEN), False], bad),
    ],
)
async def test_a_process_that_ran_waits_for_the_network(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, runs: list[bool | Exception], ends: Exception | None
) -> None:
    """A first start fails with the reason. Once it ran, it comes back by itself, however long that takes."""
    left = list(runs)

    async def served(*_: object) -> bool:
        run = left.pop(0)
        if isinstance(run, Exception):
            raise run
        return run

    monkeypatch.setattr(cli, "_serve_once", served)
    monkeypatch.setattr(cli, "PAUSES", (0.0, 0.0))
    settings = settings_for(None, data_dir=tmp_path)
    serving = cli._serve(settings, SecretStr(TOKEN))
    if ends is None:
        await serving
        assert not left
    else:
        with pytest.raises(type(ends)) as raised:
            await serving
        assert raised.value is ends


async def test_nothing_is_taken_of_a_process_that_others_took_over_from(dsn: str, two: tuple[Store, Store]) -> None:
    """Not a write, not a sign of life, not a word that a shard is whole; also where it was in the middle."""
    frozen, other = two
    begun = asyncio.Event()

    async def write() -> None:
        async with frozen.database.writing(G) as connection:
            await connection.execute("INSERT INTO bot_state (guild_id, name, value) VALUES ($1, 'x', 'y')", G)
            begun.set()
            await asyncio.sleep(60)

    writing = asyncio.create_task(write())
    await begun.wait()
    await other.processes.beat(other.process_id)
    assert await other.processes.alive() == {frozen.process_id, other.process_id}
    await silent(dsn, frozen)
    await other.processes.beat(other.process_id)
    assert await other.processes.alive() == {other.process_id}
    async with asyncio.timeout(5):
        async with other.database.writing(G) as connection:
            assert not await connection.fetch("SELECT 1 FROM bot_state WHERE guild_id = $1 AND name = 'x'", G)

    writing.cancel()
    await asyncio.gather(writing, return_exceptions=True)
    assert not frozen.database.fenced.is_set()
    works: list[Callable[[], Awaitable[object]]] = [
        lambda: frozen.people.set_time_zone(G, "UTC"),
        lambda: frozen.processes.beat(frozen.process_id),
        lambda: frozen.processes.connected(1, [0], Clock().now),
        lambda: frozen.inbox.finish(entry()),
        lambda: frozen.usage.reserve("a-model", Limits(), 10, Clock().now, Clock().now, Clock().now),
        lambda: frozen.inbox.claim(entry(), frozen.process_id),
        lambda: frozen.inbox.is_taken_by(entry(), frozen.process_id),
    ]
    for work in works:
        assert await is_refused(work)
    assert frozen.database.fenced.is_set()
    await other.people.set_time_zone(G, "UTC")


async def test_who_takes_an_entry_over_takes_over_from_the_process(dsn: str, app: App) -> None:
    """Of one that is not connected any more, too: it may come back."""
    other = await Store.open(dsn)
    await other.processes.enter(other.process_id)
    await app.memory.inbox.record(entry())
    assert await other.inbox.claim(entry(), other.process_id) is not None
    await silent(dsn, other)
    assert await app.memory.inbox.claim(entry()) is not None
    await app.memory.inbox.check(entry())
    assert await is_refused(lambda: other.people.set_time_zone(G, "UTC"))
    await other.close()


async def test_an_entry_that_another_process_took_is_not_answered(dsn: str, app: App) -> None:
    """Whoever works on it is asked just before the answer."""
    inbox = app.memory.inbox
    await inbox.record(entry())
    assert await inbox.claim(entry()) is not None
    await inbox.check(entry())
    await query(dsn, "UPDATE inbox SET worker = 1")
    with pytest.raises(Fenced):
        await inbox.check(entry())
    assert not inbox.fenced.is_set(), "it lives, and does everything else"


async def test_who_claims_shards_takes_over_from_who_had_them(dsn: str, two: tuple[Store, Store]) -> None:
    """And from nobody else."""
    had, claims = two
    nobody = timedelta(0)
    assert await had.processes.claim(had.process_id, 2, 1, [], nobody) == [0]
    both = [had.process_id]
    assert await claims.processes.claim(claims.process_id, 2, 2, both, nobody) == [1]
    await had.people.set_time_zone(G, "UTC")
    assert await claims.processes.claim(claims.process_id, 2, 2, [], nobody) == [1, 0]
    assert await is_refused(lambda: had.people.set_time_zone(G, "UTC"))
    await claims.people.set_time_zone(G, "UTC")


async def test_orders_of_a_server_have_one_order_among_all_processes(two: tuple[Store, Store]) -> None:
    """An order waits for the earlier one, whoever carries that out; a question does not."""
    one, other = two
    for trigger_id, is_order in ((5, True), (6, True), (7, False)):
        await one.inbox.record(entry(trigger_id, is_order=is_order))
    assert await one.inbox.claim(entry(5), one.process_id) is not None
    with pytest.raises(EarlierOrder):
        await other.inbox.claim(entry(6), other.process_id)
    assert await other.inbox.claim(entry(7, is_order=False), other.process_id) is not None
    await one.inbox.finish(entry(5))
    assert await other.inbox.claim(entry(6), other.process_id) is not None


async def test_an_order_that_another_process_carries_out_is_waited_for(discord: Server, dsn: str, app: App) -> None:
    """A "forget" one second after a "remember" that another process has taken on is carried out after it."""
    ann = discord.discord.join(discord.guild, "ann")
    await discord.ask(ann, "Bot remember that I sing alto")
    other = await Store.open(dsn)
    await other.processes.enter(other.process_id)
    earlier = replace(entry(9), guild_id=discord.guild.id)
    await other.inbox.record(earlier)
    assert await other.inbox.claim(earlier, other.process_id) is not None
    before = len(discord.discord.sent)
    await discord.discord.say(ann, discord.general, "Bot forget that I sing alto")
    await asyncio.sleep(0.4)
    assert len(discord.discord.sent) == before
    assert await query(dsn, "SELECT 1 FROM facts")
    await other.inbox.finish(earlier)
    await discord.discord.received(before + 1)
    assert not await query(dsn, "SELECT 1 FROM facts")
    await other.close()


async def test_a_bot_that_others_took_over_from_says_and_stores_nothing(discord: Server, dsn: str) -> None:
    """Not even that its memory is out of reach."""
    ann = discord.discord.join(discord.guild, "ann")
    await discord.ask(ann, "Bot remember that I sing alto")
    before = len(discord.discord.sent)
    await query(dsn, "DELETE FROM processes")
    await discord.discord.say(ann, discord.general, "I moved to Riga")
    await discord.discord.say(ann, discord.general, "Bot what do you know about me?")
    await discord.discord.say(ann, discord.general, "Bot forget that I sing alto")
    async with asyncio.timeout(5):
        await discord.app.memory.inbox.fenced.wait()
    await asyncio.sleep(3)
    assert len(discord.discord.sent) == before
    assert await query(dsn, "SELECT 1 FROM facts")
    assert not await query(dsn, "SELECT 1 FROM chat_history WHERE message_text LIKE '%Riga%'")


async def test_a_process_that_froze_begins_anew(dsn: str, tmp_path: Path) -> None:
    """SIGSTOP; what was said meanwhile was deleted before it wakes; it says so, and comes back as another process."""
    async with stand_in() as discord:
        guild = next(iter(discord.world.guilds.values()))
        general = next(iter(guild.channels.values()))
        ann = discord.join(guild, "ann")
        process = await spawn("run", discord=discord, DATABASE_URL=dsn, DATA_DIR=str(tmp_path), HEALTH_PORT="0")
        await online(discord)
        await discord.say(ann, general, "words first")
        await until(dsn, "SELECT 1 FROM chat_history", 1)
        os.kill(process.pid, signal.SIGSTOP)
        gone = await discord.say(ann, general, "said and deleted while it was frozen")
        general.messages.pop(gone)
        other = await Store.open(dsn)
        await other.processes.enter(other.process_id)
        await query(dsn, f"UPDATE processes SET alive_at = '2020-01-01' WHERE process_id <> {other.process_id}")
        await other.processes.beat(other.process_id)
        await other.processes.leave(other.process_id)
        await other.close()
        os.kill(process.pid, signal.SIGCONT)
        await says(process, "starting again")
        await online(discord, 2)
        await discord.say(ann, general, "words last")
        await until(dsn, "SELECT 1 FROM chat_history", 2)
        process.terminate()
        code, told = await finished(process)
    assert code == 0, told
    assert "Traceback" not in told
    rows = await query(dsn, "SELECT message_text FROM chat_history ORDER BY message_id")
    assert [row[0] for row in rows] == ["words first", "words last"]


def test_a_clock_that_is_off_goes_by_the_databases_time(caplog: pytest.LogCaptureFixture) -> None:
    """Told once where it is more than a few seconds; what asking takes counts for nothing."""
    now = datetime(2026, 11, 10, tzinfo=UTC)
    clock = DatabaseClock(lambda: now)
    with caplog.at_level(logging.WARNING):
        clock.follow(now - timedelta(milliseconds=900))
        assert (clock(), clock.skew) == (now, timedelta(0))
        clock.follow(now - timedelta(minutes=5))
        clock.follow(now - timedelta(minutes=5, milliseconds=300))
        assert clock() == now - timedelta(minutes=5)
    assert [record.getMessage() for record in caplog.records] == [
        "the clock of this machine is 300 s ahead of that of the database, which counts: set it by NTP"
    ]
    clock.follow(now)
    assert clock() == now
    with caplog.at_level(logging.WARNING):
        clock.follow(now + timedelta(minutes=5))
    assert "behind" in caplog.records[-1].getMessage()
    assert clock() == now + timedelta(minutes=5)
