"""A press is carried out once, and what came of it is said wherever it still can be."""

from __future__ import annotations

import asyncio

import pytest

from memory import Member
from memory.records import InboxItem, InboxKind
from tests.builders import Clock, G, query
from tests.urmom_bot.flow.chat import Chat, flow_of
from urmom_bot.app import App
from urmom_bot.flow import Flow
from urmom_bot.panels import Page, member_args


@pytest.fixture
def chat(clock: Clock) -> Chat:
    return Chat(clock)


def remember(clock: Clock, trigger_id: int = 5) -> InboxItem:
    """Somebody gives the command to remember something about themselves."""
    ann = Member(guild_id=G, user_id=1, display_name="ann", username="ann")
    return InboxItem(
        guild_id=G,
        trigger_id=trigger_id,
        kind=InboxKind.INTERACTION,
        channel_id=7,
        user_id=1,
        at=clock.now,
        payload={"action": "remember", "args": member_args(ann), "answers": {"fact": "sings alto"}, "language": "en"},
    )


async def pressed(flow: Flow, *entries: InboxItem) -> None:
    for entry in entries:
        await flow.inbox.record(entry, None)
    async with asyncio.timeout(10):
        while flow.inbox._tasks:
            await asyncio.sleep(0.005)


async def test_a_press_is_carried_out_once(app: App, chat: Chat, clock: Clock, dsn: str) -> None:
    """Delivered twice, and looked at again."""
    flow = flow_of(app, chat)
    await pressed(flow, remember(clock), remember(clock))
    await flow.inbox.scan()

    (page,) = chat.shown
    assert isinstance(page, Page)
    assert "sings alto" in page.text
    assert len(await query(dsn, "SELECT 1 FROM facts")) == 1


async def test_what_can_be_shown_no_more_is_said_in_the_channel(
    app: App, chat: Chat, clock: Clock, monkeypatch: pytest.MonkeyPatch
) -> None:
    """That it is done, and not what it was: its author alone was to read that."""
    chat.refuses = {1}
    await pressed(flow_of(app, chat), remember(clock))

    ((channel_id, text),) = chat.sent
    assert channel_id == 7
    assert "<@1>" in text
    assert "alto" not in text


async def test_what_is_decided_is_told_in_the_log_channel(app: App, chat: Chat, clock: Clock) -> None:
    """Where the server has one; a page without a line for it tells nothing."""
    flow = flow_of(app, chat)
    await pressed(flow, remember(clock))
    request = await chat.presser(remember(clock), None, is_alone=True)
    assert request is not None
    page = Page(text=chat.shown[0].text, log=chat.shown[0].text)  # type: ignore[union-attr]
    await flow.presses.log(request, page)
    assert chat.sent == []
    await log_in(app, 7)
    await flow.presses.log(request, Page(text=page.text))
    assert chat.sent == []
    await flow.presses.log(request, page)
    assert [channel_id for channel_id, _ in chat.sent] == [7]


async def log_in(app: App, channel_id: int) -> None:
    """Let the server have a log channel."""
    await app.memory._core.store.people.set_rules(G, log_channel=channel_id)
    app.memory._core.generations.move(G)
