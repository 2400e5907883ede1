"""What is written where the bot may read goes to memory as it happens."""

from __future__ import annotations

from dataclasses import replace

import pytest

from memory import DatabaseUnavailable
from memory.services.messages import MessageService
from tests.builders import Clock, G, query
from tests.urmom_bot.flow.chat import Chat, flow_of
from tests.urmom_bot.flow.test_answering import done, heard
from urmom_bot.app import App
from urmom_bot.flow import Flow
from urmom_bot.flow.platform import ChatMessage


@pytest.fixture
def chat(clock: Clock) -> Chat:
    return Chat(clock)


@pytest.fixture
def flow(app: App, chat: Chat) -> Flow:
    return flow_of(app, chat)


async def texts(dsn: str) -> list[str]:
    return [r[0] for r in await query(dsn, "SELECT message_text FROM chat_history ORDER BY message_id")]


@pytest.fixture
def read_later(flow: Flow, monkeypatch: pytest.MonkeyPatch) -> list[ChatMessage]:
    """The messages that were left to catching up."""
    left: list[ChatMessage] = []
    monkeypatch.setattr(flow.catching_up, "schedule_read", left.append)
    return left


async def test_talk_is_stored_and_notes_are_not(flow: Flow, app: App, chat: Chat, dsn: str) -> None:
    """A note that somebody joined is the platform's; a guild that is not there yet is read once it is."""
    await heard(flow, app, chat.write(1, "hello"), chat.write(1, "ann joined", is_talk=False, is_system=True))
    chat.is_available = False
    await heard(flow, app, chat.write(1, "in an outage"))

    assert await texts(dsn) == ["hello"]


@pytest.mark.parametrize("what", ["refused", "unknown"])
async def test_what_cannot_be_taken_is_read_later(
    flow: Flow, app: App, chat: Chat, read_later: list[ChatMessage], monkeypatch: pytest.MonkeyPatch, what: str
) -> None:
    """Memory is full, or who can read the channel is not known yet; what it asks is answered all the same."""

    async def full(*_: object, **__: object) -> bool:
        return False

    async def away(*_: object) -> None:
        raise DatabaseUnavailable("it is away")

    if what == "refused":
        monkeypatch.setattr(MessageService, "ingest", full)
    else:
        monkeypatch.setattr(flow.layouts, "know", away)
    said, asked = chat.write(1, "hello"), chat.write(1, "Bot help")
    await heard(flow, app, said, asked)

    assert read_later == [said, asked]
    assert [to for to, _ in chat.sent] == [asked.message_id]


async def test_an_edit_replaces_what_was_written(flow: Flow, app: App, chat: Chat, clock: Clock, dsn: str) -> None:
    """A link's preview is no edit, but stands beside the words; the same words again are none."""
    said = chat.write(1, "the tram takes 40 minutes")
    await heard(flow, app, said)
    await flow.listener.edit(replace(said, transcript="the tram takes 40 minutes\n[embed: trams]"), said)
    clock.on(seconds=5)
    edited = chat.edit(said, "the tram takes 45 minutes")
    await flow.listener.edit(replace(edited, transcript="what a test wrote"), edited)
    await app.memory.messages.flush()
    assert await texts(dsn) == ["the tram takes 40 minutes\n[embed: trams]"]
    await flow.listener.edit(edited, None)
    await app.memory.messages.flush()
    assert await texts(dsn) == ["the tram takes 45 minutes"]


async def test_a_mended_order_is_carried_out_as_it_is_now(
    flow: Flow, app: App, chat: Chat, clock: Clock, dsn: str
) -> None:
    """It is answered again where its words changed, and not where only something else did."""
    said = chat.write(1, "Bot remember that I sing alto")
    await heard(flow, app, said)
    clock.on(seconds=5)
    same = replace(said, edited_at=clock.now)
    await flow.listener.edit(same, said)
    await app.memory.messages.flush()
    await done(flow)
    assert len(chat.sent) == 1
    clock.on(seconds=5)
    await flow.listener.edit(chat.edit(said, "Bot remember that I sing bass"), same)
    await app.memory.messages.flush()
    await done(flow)

    assert len(chat.sent) == 2
    assert "sings bass" in chat.sent[1][1]
    assert "bass" in "".join(row[0] for row in await query(dsn, "SELECT value FROM facts WHERE retired_at IS NULL"))


async def test_what_is_deleted_goes(flow: Flow, app: App, chat: Chat, dsn: str) -> None:
    """One message, or many."""
    said = [chat.write(1, f"line {n}") for n in range(3)]
    await heard(flow, app, *said)
    await flow.listener.delete(G, {said[0].message_id, said[2].message_id})
    await app.memory.messages.flush()

    assert await texts(dsn) == ["line 1"]
