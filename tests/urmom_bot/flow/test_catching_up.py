"""What was missed is read, once, and no channel counts as whole before it is."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import replace
from datetime import timedelta

import pytest

from tests.builders import Clock, G, query
from tests.urmom_bot.flow.chat import Chat, flow_of
from urmom_bot.app import App
from urmom_bot.flow import Flow
from urmom_bot.flow.platform import ChatMessage


@pytest.fixture
def chat(clock: Clock) -> Chat:
    return Chat(clock)


@asynccontextmanager
async def connected(app: App, chat: Chat) -> AsyncIterator[Flow]:
    """A process that is connected, and has read what it missed."""
    flow = flow_of(app, chat)
    recovery = flow.catching_up
    flow.inbox.is_behind = lambda _guild: recovery.is_behind
    await recovery.start()
    try:
        recovery.on_connect(0)
        recovery.on_ready(0)
        await settled(flow, app)
        yield flow
        await settled(flow, app)
        await recovery.note_connected()
    finally:
        await flow.inbox.close()
        await recovery.stop()
        await app.memory.loops.stop("recovery: shards connected", "recovery: progress")


async def settled(flow: Flow, app: App) -> None:
    async with asyncio.timeout(20):
        while flow.catching_up.is_busy or flow.inbox._tasks:
            await asyncio.sleep(0.005)
        await app.memory.messages.flush()


async def hear(flow: Flow, app: App, *messages: ChatMessage) -> None:
    for message in messages:
        await flow.listener.accept(message)
    await settled(flow, app)


async def hear_live(flow: Flow, app: App, message: ChatMessage) -> None:
    await flow.listener.accept(message)
    await app.memory.messages.flush()


async def texts(dsn: str) -> list[str]:
    return [r[0] for r in await query(dsn, "SELECT message_text FROM chat_history ORDER BY message_id")]


async def test_an_absence_leaves_no_trace(app: App, chat: Chat, clock: Clock, dsn: str) -> None:
    """What was written is stored and answered, what was deleted goes, what was edited is as it is now."""
    async with connected(app, chat) as flow:
        said = [chat.write(1, text) for text in ("stays", "goes", "changes")]
        await hear(flow, app, *said)
    clock.on(minutes=3)
    del chat.messages[said[1].message_id]
    chat.edit(said[2], "changed")
    missed = [chat.write(2, f"missed {n}") for n in range(250)]
    order = chat.write(2, "Bot remember that I sing alto")
    async with connected(app, chat):
        pass

    assert await texts(dsn) == ["stays", "changed", *(m.text for m in missed), ""]
    assert [to for to, _ in chat.sent] == [order.message_id]


async def test_a_channel_that_is_denied_keeps_no_other_waiting(app: App, chat: Chat, clock: Clock, dsn: str) -> None:
    """It is read once it may be again."""
    chat.rooms = {7, 8}
    async with connected(app, chat) as flow:
        await hear(flow, app, chat.write(1, "seven"), chat.write(1, "eight", 8))
    clock.on(minutes=1)
    chat.write(1, "missed in seven")
    chat.write(1, "missed in eight", 8)
    chat.refuses = {7}
    async with connected(app, chat):
        pass
    assert set(await texts(dsn)) == {"seven", "eight", "missed in eight"}
    chat.refuses = set()
    async with connected(app, chat):
        pass
    assert set(await texts(dsn)) == {"seven", "eight", "missed in eight", "missed in seven"}


async def test_only_what_is_gone_is_forgotten(app: App, chat: Chat, clock: Clock, dsn: str) -> None:
    """A channel that is no more takes its messages along; a thread in the archive and an outage take nothing."""
    chat.rooms = {7, 8, 9}
    chat.archive = {9: clock.now + timedelta(hours=1)}
    async with connected(app, chat) as flow:
        await hear(flow, app, *(chat.write(1, f"in {room}", room) for room in (7, 8, 9)))
    clock.on(minutes=1)
    chat.rooms, chat.is_available = set(), False
    async with connected(app, chat):
        pass
    assert len(await texts(dsn)) == 3, "an outage is no removal"
    chat.rooms, chat.is_available = {7}, True
    async with connected(app, chat):
        pass

    assert await texts(dsn) == ["in 7", "in 9"]


async def test_threads_of_the_archive_are_read(app: App, chat: Chat, clock: Clock, dsn: str) -> None:
    """They were opened, written in and archived while nobody listened."""
    async with connected(app, chat) as flow:
        await hear(flow, app, chat.write(1, "before"))
    clock.on(minutes=5)
    chat.write(2, "in the thread", 9)
    chat.archive = {9: clock.now}
    async with connected(app, chat):
        pass

    assert await texts(dsn) == ["before", "in the thread"]


async def test_a_joke_of_the_time_away_is_made(app: App, chat: Chat, clock: Clock) -> None:
    """Where somebody asked for it by a reaction that nobody delivered."""
    async with connected(app, chat) as flow:
        message = chat.write(1, "my kiln is so hot")
        await hear(flow, app, message)
        emoji = flow.asking.joke_emoji
    clock.on(minutes=1)
    chat.messages[message.message_id] = replace(message, reactions=(emoji,))
    chat.write(2, "something else")
    async with connected(app, chat):
        pass

    assert [to for to, _ in chat.sent] == [message.message_id]


async def test_what_the_platform_denies_for_a_while_is_read_again(
    app: App, chat: Chat, clock: Clock, dsn: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Until then its channel is not whole, and what is said there does not make it so."""
    monkeypatch.setattr("urmom_bot.flow.reading.RETRY_PAUSE", 0.001)
    monkeypatch.setattr("urmom_bot.flow.reading.RETRY_AFTER", 0.05)
    monkeypatch.setattr("urmom_bot.flow.archives.RETRY_PAUSE", 0.01)
    async with connected(app, chat) as flow:
        await hear(flow, app, chat.write(1, "before"))
        clock.on(minutes=1)
        flow.catching_up.on_disconnect(0)
        chat.write(1, "missed")
        chat.is_away = True
        flow.catching_up.on_connect(0)
        flow.catching_up.on_ready(0)
        async with asyncio.timeout(10):
            while chat.calls["page"] < 6:
                await asyncio.sleep(0.005)
        await hear_live(flow, app, chat.write(1, "received"))
        assert not flow.catching_up.is_current(G, 7)
        (cursor,) = await query(dsn, "SELECT last_message_id FROM channel_cursors WHERE channel_id = 7")
        assert chat.messages[cursor[0]].text == "before"
        chat.is_away = False
        await settled(flow, app)

        assert await texts(dsn) == ["before", "missed", "received"]
        (cursor,) = await query(dsn, "SELECT last_message_id FROM channel_cursors WHERE channel_id = 7")
        assert chat.messages[cursor[0]].text == "received"
