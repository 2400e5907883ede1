"""What a message asks is done and answered once, whatever the platform and the database do meanwhile."""

from __future__ import annotations

import asyncio
from dataclasses import replace

import pytest

from memory import Mode, operator
from memory.records import InboxItem, InboxKind
from tests.builders import Clock, G, query
from tests.urmom_bot.flow.chat import ME, Chat, flow_of, joke_reaction
from urmom_bot.app import App
from urmom_bot.flow import Flow
from urmom_bot.flow.platform import ChatMessage
from urmom_bot.talk import Texts

ORDER = "Bot remember that I sing alto"


@pytest.fixture
def chat(clock: Clock) -> Chat:
    return Chat(clock)


@pytest.fixture
def flow(app: App, chat: Chat, monkeypatch: pytest.MonkeyPatch) -> Flow:
    monkeypatch.setattr("urmom_bot.flow.inbox.PAUSES", (0.01, 0.02))
    return flow_of(app, chat)


async def heard(flow: Flow, app: App, *messages: ChatMessage) -> None:
    """Messages come in, and all that they ask is done."""
    for message in messages:
        await flow.listener.accept(message)
    await app.memory.messages.flush()
    await done(flow)


async def done(flow: Flow) -> None:
    async with asyncio.timeout(10):
        while flow.inbox._tasks:
            await asyncio.sleep(0.005)


async def facts(dsn: str) -> int:
    return len(await query(dsn, "SELECT 1 FROM facts"))


async def test_an_order_is_answered_once(flow: Flow, app: App, chat: Chat, dsn: str) -> None:
    """Delivered twice, and looked at again: it is stored once and said once."""
    message = chat.write(1, ORDER)
    await heard(flow, app, message, message)
    await flow.inbox.scan()
    await done(flow)

    assert [to for to, _ in chat.sent] == [message.message_id]
    assert "sings alto" in chat.sent[0][1]
    assert await facts(dsn) == 1


async def test_an_answer_that_could_not_be_sent_is_sent_later(flow: Flow, app: App, chat: Chat, dsn: str) -> None:
    """The order is not carried out again for it."""
    message = chat.write(1, ORDER)
    await flow.listener.accept(message)
    chat.is_away = True
    await app.memory.messages.flush()
    async with asyncio.timeout(10):
        while chat.calls["answer"] + chat.calls["answers"] < 3:
            await asyncio.sleep(0.005)
    assert chat.sent == []
    chat.is_away = False
    await done(flow)

    assert len(chat.sent) == 1
    assert await facts(dsn) == 1


async def test_what_is_denied_is_done_all_the_same(flow: Flow, app: App, chat: Chat, dsn: str) -> None:
    """The bot may not write where the order was given."""
    chat.refuses = {7}
    await heard(flow, app, chat.write(1, ORDER))

    assert chat.sent == []
    assert await facts(dsn) == 1
    assert [row[0] for row in await query(dsn, "SELECT state FROM inbox")] == ["done"]


@pytest.mark.parametrize("change", ["gone", "edited", "off", "ignored"])
async def test_who_is_not_answered(flow: Flow, app: App, chat: Chat, dsn: str, change: str) -> None:
    """A message that is gone or says something else by now; a channel that is off, a member who is ignored."""
    manager = operator(G)
    message = chat.write(1, ORDER)
    taken_on = InboxItem(
        guild_id=G,
        trigger_id=message.message_id,
        kind=InboxKind.MESSAGE,
        channel_id=7,
        user_id=1,
        at=message.at,
        is_order=True,
    )
    match change:
        case "gone":
            del chat.messages[message.message_id]
        case "edited":
            chat.edit(message, "what a day")
        case "off":
            await app.memory.guilds.set_mode(manager, 7, Mode.OFF)
        case "ignored":
            await app.memory.privacy.ignore(manager, message.author, True)
    await flow.inbox.record(taken_on, None)
    await done(flow)

    assert chat.sent == []
    assert await facts(dsn) == 0


async def test_an_answer_of_a_process_that_ended_is_found(flow: Flow, app: App, chat: Chat, dsn: str) -> None:
    """It was sent, and could not be noted: nobody says it twice."""
    message = chat.write(1, "Bot which instrument do I play?")
    entry = InboxItem(
        guild_id=G, trigger_id=message.message_id, kind=InboxKind.MESSAGE, channel_id=7, user_id=1, at=message.at
    )
    await app.memory.inbox.record(entry)
    await query(dsn, "UPDATE inbox SET attempts = 1, worker = NULL")
    chat.write(ME, "The tuba.", reply_to=message.message_id)
    flow.inbox.dispatch(entry)
    await done(flow)
    assert chat.sent == []

    other = chat.write(1, "Bot which instrument do I play?")
    entry = replace(entry, trigger_id=other.message_id)
    await app.memory.inbox.record(entry)
    await query(dsn, "UPDATE inbox SET attempts = 1, worker = NULL WHERE trigger_id = $1", other.message_id)
    chat.write(ME, Texts("en")("database_away", code="AAAA"), reply_to=other.message_id)
    flow.inbox.dispatch(entry)
    await done(flow)
    assert [to for to, _ in chat.sent] == [other.message_id], "a promise is no answer"


async def test_old_questions_get_one_line(flow: Flow, app: App, chat: Chat, clock: Clock) -> None:
    """And no answer; an old order is carried out, and its answer says that it comes late."""
    asked = [chat.write(user, "Bot which instrument do I play?") for user in (1, 2, 3)]
    order = chat.write(1, ORDER)
    clock.on(minutes=11)
    await heard(flow, app, *asked, order)

    told = [text for to, text in chat.sent if to != order.message_id]
    assert len(told) == 1
    assert "away" in told[0]
    (late,) = (text for to, text in chat.sent if to == order.message_id)
    assert "sings alto" in late
    assert "away" in late


async def test_who_asks_too_much_at_once_is_told_once(flow: Flow, app: App, chat: Chat) -> None:
    """Four questions are answered; of those above that, one line says so."""
    await heard(flow, app, *(chat.write(1, f"Bot what is {n} plus {n}?", 7 + n) for n in range(8)))

    texts = [text for _, text in chat.sent]
    assert sum("One thing at a time" in text for text in texts) == 1, texts
    assert len(texts) == 5


async def test_direct_messages_of_the_time_away_are_answered(flow: Flow, app: App, chat: Chat) -> None:
    """Of whoever wrote to the bot lately."""
    first = chat.write(1, "help", 55, guild_id=0)
    await flow.responder.take_direct(first)
    await done(flow)
    missed = chat.write(1, "help", 55, guild_id=0)
    await flow.responder.on_away()
    await flow.responder.on_back()
    await done(flow)

    assert [to for to, _ in chat.sent] == [first.message_id, missed.message_id]


async def test_a_joke_is_made_once(flow: Flow, app: App, chat: Chat) -> None:
    """Of a person's message, and of none that is gone."""
    emoji = flow.asking.joke_emoji
    message, gone = chat.write(1, "my kiln is so hot"), chat.write(1, "my shelf is so bent")
    await heard(flow, app, message, gone)
    del chat.messages[gone.message_id]
    for asked in (message, message, gone):
        await flow.jokes.accept(joke_reaction(asked, emoji))
        await done(flow)
    await flow.jokes.accept(joke_reaction(message, "🌵"))
    await done(flow)

    assert [to for to, _ in chat.sent] == [message.message_id]


async def test_who_cannot_be_answered_yet_is_told_so_in_their_language(flow: Flow, chat: Chat) -> None:
    """And whoever asked something that ended the bot again and again; nobody is told anything of a joke."""
    await flow.responder.tell_later(chat.write(1, "Bot, ¿qué sabes de mí?"))
    message = chat.write(1, "Bot что ты обо мне знаешь?")
    entry = InboxItem(
        guild_id=G, trigger_id=message.message_id, kind=InboxKind.MESSAGE, channel_id=7, user_id=1, at=message.at
    )
    await flow.responder.tell_gave_up(entry)
    await flow.responder.tell_gave_up(replace(entry, kind=InboxKind.JOKE))
    await flow.responder.tell_gave_up(replace(entry, trigger_id=5))
    chat.is_away = True
    await flow.responder.tell_later(chat.write(1, "Bot help"))

    (later, gave_up) = (text for _, text in chat.sent)
    assert later.startswith(Texts("es")("database_away", code="").split("(")[0])
    assert gave_up == Texts("ru")("gave_up")


async def test_the_words_of_an_order_that_is_not_carried_out_go(
    flow: Flow, app: App, chat: Chat, clock: Clock, dsn: str
) -> None:
    """No summary reads a command; a question that nobody answered any more is talk like any other."""
    order, question = chat.write(1, "Bot what do you know about me"), chat.write(1, "Bot which tram is quicker?")
    clock.on(minutes=11)
    await heard(flow, app, order, question)
    await app.memory.messages.flush()

    rows = await query(dsn, "SELECT message_id, message_text FROM chat_history WHERE NOT off_record")
    assert [tuple(row) for row in rows] == [(question.message_id, question.text)]
