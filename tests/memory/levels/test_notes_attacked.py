"""What notes must survive, and what must not survive in notes: empty edits, orders, Undo, namesakes, odd mentions."""

import json
from datetime import timedelta

import pytest

from memory import AuthorKind, Channel, Consent, NotRemembered, Statement, Undo, operator, public
from tests.builders import Clock, G, Talk, query, tell, viewer_of
from urmom_bot.app import App
from urmom_bot.stand_ins import GeminiStandIn


def says(gemini: GeminiStandIn, *notes: str) -> None:
    """Let the model note this of whatever it reads, and forget without judgement."""
    gemini.answer = lambda asked: (
        json.dumps({"notes": list(notes)})
        if asked.name == "Notes of a day"
        else '{"facts": [], "sure": true}'
        if asked.name == "Which facts are meant"
        else "{}"
    )


async def texts(dsn: str) -> list[str]:
    return [row["text"] for row in await query(dsn, "SELECT text FROM notes ORDER BY note_id")]


async def forgotten(app: App, talk: Talk, user: int, request: str) -> Undo:
    done = await app.memory.forgetting.forget(await viewer_of(app.memory, G, user), talk.member(user), request)
    assert done.undo is not None
    return done.undo


async def withdraw(app: App, clock: Clock, message: int, how: str) -> None:
    if how == "edit":
        await app.memory.messages.edit(G, message, "", clock())
    elif how == "order":
        await app.memory.messages.keep_off_record(G, message)
    else:
        await app.memory.messages.delete(G, [message])
    await app.memory.messages.flush()


@pytest.mark.parametrize("how", ["edit", "order", "delete"])
async def test_whatever_becomes_of_a_message_what_rests_on_it_goes(
    app: App, talk: Talk, gemini: GeminiStandIn, clock: Clock, dsn: str, how: str
) -> None:
    """Notes of others that have its words go with it, and what else their messages show is read again."""
    said = await talk.say(1, "the locker code is 4711")
    await talk.say(2, "ok, I open it with that code then")
    await talk.say(3, "the kiln is fixed in Tallinn")
    says(gemini, "u2 plan 2 2: opens the locker with code 4711")
    await app.memory.get_memories(G, 2)
    assert len(await texts(dsn)) == 1
    await withdraw(app, clock, said, how)
    assert await texts(dsn) == []
    says(gemini, "u1 event 2 1: opens it")
    clock.on(hours=3)
    await app.memory.replies.contexts(public(G), [2, 3])

    assert "kiln" not in gemini.asked[-1].sections["messages"]
    assert await texts(dsn) == ["opens it"]


async def test_what_stands_beside_the_evidence_counts_too(
    app: App, talk: Talk, gemini: GeminiStandIn, clock: Clock, dsn: str
) -> None:
    """In talk that was purged in part, a note goes with the neighbour that has its numbers, cited or not."""
    await app.memory.guilds.update_channel(Channel(guild_id=G, channel_id=7, name="seven"))
    await talk.say(4, "the tram is late", clock.now - timedelta(hours=11))
    said = await talk.say(1, "the locker code is 4711", clock.now - timedelta(hours=2))
    await talk.say(2, "ok, I open it with that code then", clock.now - timedelta(hours=1))
    says(gemini, "u3 plan 2 3: opens the locker with code 4711", "u3 event 1 3: opens it then")
    await app.memory.get_memories(G, 2)
    clock.set(2026, 12, 10, 6)
    assert await app.memory.upkeep() == 1
    await withdraw(app, clock, said, "delete")

    assert await texts(dsn) == ["opens it then"]


@pytest.mark.parametrize("what", ["late", "bot"])
async def test_of_half_purged_talk_nothing_is_lost_for_nothing(
    app: App, talk: Talk, gemini: GeminiStandIn, clock: Clock, dsn: str, what: str
) -> None:
    """A late message cannot have it read again, and a bot's message was never read."""
    await app.memory.guilds.update_channel(Channel(guild_id=G, channel_id=7, name="seven"))
    noon = clock.now
    await talk.say(4, "the tram is late", noon - timedelta(hours=11))
    bot = await talk.say(50, "I am a bot", noon - timedelta(hours=2), author_kind=AuthorKind.BOT)
    await talk.say(2, "the kiln is fixed in Tallinn", noon - timedelta(hours=1))
    says(gemini, "u2 event 2 2: kiln is fixed in Tallinn")
    await app.memory.get_memories(G, 2)
    clock.set(2026, 12, 10, 6)
    assert await app.memory.upkeep() == 1
    if what == "late":
        await talk.say(2, "a late word", noon - timedelta(hours=3))
    else:
        await withdraw(app, clock, bot, "delete")

    assert await texts(dsn) == ["kiln is fixed in Tallinn"]


async def test_what_takes_up_a_note_that_goes_is_read_again(
    app: App, talk: Talk, gemini: GeminiStandIn, clock: Clock, dsn: str
) -> None:
    """A harmless edit in the morning must not cost the afternoon what only leant on it."""
    said = await talk.say(1, "my sister Rosalind elopes with the baker")
    says(gemini, "u1 event 2 1: sister Rosalind elopes with the baker")
    await app.memory.get_memories(G, 1)
    clock.on(hours=1)
    await talk.say(1, "she did it on Friday")
    says(gemini, "u1 event 2 1: sister eloped on Friday")
    await app.memory.get_memories(G, 1)
    await app.memory.messages.edit(G, said, "my sister Rosalind elopes with the baker!", clock())
    await app.memory.messages.flush()
    assert await texts(dsn) == []
    gemini.answer = lambda asked: json.dumps(
        {"notes": ["u1 event 2 1: sister Rosalind elopes with the baker", "u1 event 1 2: did it on Friday"]}
    )
    clock.on(hours=3)
    text = await app.memory.get_memories(G, 1) or ""

    assert "Rosalind" in text
    assert "Friday" in text


@pytest.mark.parametrize("gone", [True, False])
async def test_undo_brings_back_no_note_of_what_was_deleted(
    app: App, talk: Talk, gemini: GeminiStandIn, clock: Clock, dsn: str, gone: bool
) -> None:
    """A note leans on an earlier one: with the message of that it goes, before the Undo or after."""
    said = await talk.say(1, "my sister Rosalind elopes with the baker")
    says(gemini, "u1 event 2 1: sister Rosalind elopes with the baker")
    await app.memory.get_memories(G, 1)
    clock.on(hours=1)
    await talk.say(1, "so off they went at last")
    says(gemini, "u1 event 2 1: baker vanished secretly")
    await app.memory.get_memories(G, 1)
    undo = await forgotten(app, talk, 1, "vanished secretly")
    if gone:
        await withdraw(app, clock, said, "delete")
    assert await app.memory.forgetting.undo(await viewer_of(app.memory, G, 1), undo) is not None
    if not gone:
        assert len(await texts(dsn)) == 2
        await withdraw(app, clock, said, "delete")

    assert await texts(dsn) == []


@pytest.mark.parametrize("consent", [Consent.OFF, Consent.EXPLICIT, None])
async def test_undo_brings_back_nothing_of_who_opted_out_meanwhile(
    app: App, talk: Talk, gemini: GeminiStandIn, clock: Clock, dsn: str, consent: Consent | None
) -> None:
    """No note that names them; nor of who was erased."""
    await talk.say(3, "I am Cid", clock.now - timedelta(days=9))
    await talk.say(2, "Cid and I ate together last evening")
    says(gemini, "u1 event 2 1: had supper with @u2")
    await app.memory.get_memories(G, 2)
    undo = await forgotten(app, talk, 2, "had supper")
    if consent is None:
        await app.memory.privacy.erase(await viewer_of(app.memory, G, 3), talk.member(3), G)
    else:
        await app.memory.privacy.choose(await viewer_of(app.memory, G, 3), talk.member(3), consent, G)
    await app.memory.forgetting.undo(await viewer_of(app.memory, G, 2), undo)

    assert await texts(dsn) == []


async def test_undo_ends_again_what_was_ended(app: App, talk: Talk, gemini: GeminiStandIn, clock: Clock) -> None:
    """The answer comes back, and the problem is answered again."""
    await talk.say(1, "my kiln reads 14 degrees too high, why?")
    says(gemini, "u1 problem 2 1: kiln reads 14 degrees too high")
    await app.memory.get_memories(G, 1)
    clock.on(hours=1)
    await talk.say(1, "a new thermocouple did it")
    says(gemini, "u1 outcome 2 1 ends n1: swapped the faulty sensor")
    before = await app.memory.get_memories(G, 1)
    undo = await forgotten(app, talk, 1, "swapped the faulty sensor")
    assert "→" not in (await app.memory.get_memories(G, 1) or "")
    await app.memory.forgetting.undo(await viewer_of(app.memory, G, 1), undo)

    assert "→ outcome: swapped the faulty sensor" in (before or "")
    assert await app.memory.get_memories(G, 1) == before


@pytest.mark.parametrize("silent", [False, True])
async def test_of_two_people_of_one_name_none_is_meant(
    app: App, talk: Talk, gemini: GeminiStandIn, clock: Clock, dsn: str, silent: bool
) -> None:
    """Also where one of them said nothing that day, or keeps facts alone: a name is certain among all members."""
    await talk.say(4, "hello there", clock.now - timedelta(days=9), display_name="Ann")
    if silent:
        await app.memory.privacy.choose(
            await viewer_of(app.memory, G, 4), talk.member(4, display_name="Ann"), Consent.EXPLICIT, G
        )
    await talk.say(1, "the tram is late")
    await talk.say(2, "I met Ann in Riga")
    says(gemini, "u2 event 3 2: met Ann in Riga", "u1 event 3 2: was met in Riga")
    await app.memory.get_memories(G, 2)

    assert await texts(dsn) == ["met Ann in Riga"]


async def test_a_mention_of_nobody_harms_nothing(app: App, talk: Talk, gemini: GeminiStandIn, dsn: str) -> None:
    """Numbers too large for an id are typed by anyone: the message is kept, a fact is told, a note is not."""
    await talk.say(1, "hey <@99999999999999999999> how are you doing")
    assert len(await query(dsn, "SELECT 1 FROM chat_history")) == 1
    says(gemini, "u1 event 2 1: met <@99999999999999999999>", "u1 event 2 1: asked somebody how they are")
    assert await app.memory.get_memories(G, 1) == "Today: asked somebody how they are."


async def test_what_comes_back_by_undo_is_read_again(
    app: App, talk: Talk, gemini: GeminiStandIn, clock: Clock, dsn: str
) -> None:
    """Also where its day was read without it meanwhile."""
    day = clock.now - timedelta(days=1)
    await talk.say(2, "the tram takes 40 minutes", day)
    await talk.say(1, "my locker is in Tallinn", day + timedelta(minutes=1))
    await talk.say(3, "the relay came from Riga", day + timedelta(minutes=2))
    says(gemini, "u1 event 2 1: takes the tram", "u2 event 2 2: has a locker in Tallinn")
    await app.memory.replies.contexts(public(G), [1, 2, 3])
    undo = await forgotten(app, talk, 1, "my locker is in Tallinn")
    await app.memory.replies.contexts(public(G), [1, 2, 3])
    assert await texts(dsn) == ["takes the tram"]
    await app.memory.forgetting.undo(await viewer_of(app.memory, G, 1), undo)
    clock.on(hours=4)
    says(gemini, "u1 event 2 1: has a locker in Tallinn")
    await app.memory.replies.contexts(public(G), [1, 2, 3])

    assert await texts(dsn) == ["takes the tram", "has a locker in Tallinn"]


async def test_what_no_slice_read_takes_nothing(
    app: App, talk: Talk, gemini: GeminiStandIn, clock: Clock, dsn: str
) -> None:
    """A bot's message, or an order, that is deleted among what was read costs no call and hides nothing."""
    await talk.say(2, "the kiln is fixed in Tallinn")
    bot = await talk.say(50, "I am a bot", author_kind=AuthorKind.BOT)
    order = await talk.say(1, "Bot forget my locker")
    await app.memory.messages.keep_off_record(G, order)
    await app.memory.messages.flush()
    await talk.say(3, "the tram takes 40 minutes")
    says(gemini, "u1 event 2 1: kiln is fixed in Tallinn", "u2 event 2 2: takes the tram")
    await app.memory.replies.contexts(public(G), [2, 3])
    for message in (bot, order):
        await withdraw(app, clock, message, "delete")
    await talk.say(50, "I am a late bot", clock.now - timedelta(seconds=59), author_kind=AuthorKind.BOT)

    assert len(await texts(dsn)) == 2
    assert not await query(dsn, "SELECT 1 FROM chat_history WHERE reread")


async def test_undo_brings_back_no_fact_of_who_opted_out_everywhere(
    app: App, talk: Talk, clock: Clock, dsn: str
) -> None:
    """A choice for every server counts as one in this."""
    await talk.say(3, "I am Cid", clock.now - timedelta(days=9))
    statement = Statement(guild_id=G, user_id=1, stated_by=1, quote="is a friend of <@3>", message_id=77)
    await tell(app.memory, statement, talk.member(1), talk.member(1))
    undo = await forgotten(app, talk, 1, "is a friend of Cid")
    await query(dsn, "INSERT INTO consents (guild_id, user_id, consent, changed_at) VALUES (0, 3, 'off', now())")
    await app.memory.forgetting.undo(await viewer_of(app.memory, G, 1), undo)

    assert not await query(dsn, "SELECT 1 FROM facts")


@pytest.mark.parametrize("how", ["fact", "note", "talk", "export"])
async def test_what_was_forgotten_does_not_come_back_with_an_id_for_a_name(
    app: App, talk: Talk, gemini: GeminiStandIn, clock: Clock, dsn: str, how: str
) -> None:
    """Texts name people by id, statements by name: the same thing, whichever way it is told."""
    await talk.say(2, "hello there, Bob here", clock.now - timedelta(days=9))
    says(gemini)
    statement = Statement(guild_id=G, user_id=1, stated_by=1, quote="Ann envies Bob", message_id=77)
    fact = (await tell(app.memory, statement, talk.member(1), talk.member(1))).fact
    (export,) = await app.memory.privacy.export(operator(G), 1, G)
    await app.memory.forgetting.strike(await viewer_of(app.memory, G, 1), talk.member(1), [fact])
    clock.on(minutes=5)
    if how == "fact":
        told = Statement(guild_id=G, user_id=1, stated_by=3, quote="envies <@2>", message_id=78)
        with pytest.raises(NotRemembered):
            await tell(app.memory, told, talk.member(1), talk.member(3))
    elif how == "export":
        assert await app.memory.privacy.restore_export(operator(0), export) == 0
    else:
        await talk.say(1, "I envy <@2>" if how == "note" else "ok, envies <@2> she said of me")
        says(gemini, "u1 mood 2 1: envies @u2")
        await app.memory.get_memories(G, 1)
        assert await texts(dsn) == []
        assert how == "note" or "envies" not in gemini.asked[-1].sections["messages"]


async def test_a_message_that_tells_it_by_a_mention_is_forgotten_too(
    app: App, talk: Talk, gemini: GeminiStandIn, clock: Clock, dsn: str
) -> None:
    """And the second search looks for both."""
    await talk.say(2, "hello there, Bob here")
    await talk.say(1, "she says I envy <@2>, hm")
    await talk.say(1, "the tram takes 40 minutes")
    says(gemini)
    done = await app.memory.forgetting.forget(await viewer_of(app.memory, G, 1), talk.member(1), "I envy Bob")

    assert done.receipt is not None
    assert done.receipt.clean
    left = [row[0] for row in await query(dsn, "SELECT message_text FROM chat_history ORDER BY message_id")]
    assert left == ["hello there, Bob here", "the tram takes 40 minutes"]
    found = await app.memory._core.store.forgetting.find_words(
        G, 1, ["Ann"], [["hello", "<@9>"], ["tram", "minu"]], None, words=["hello <@9>", "the tram is minutes late"]
    )
    assert found["chat_history"] == 1
    await talk.say(1, "Ann sings, says Ann")
    found = await app.memory._core.store.forgetting.find_words(G, 1, ["Ann"], [["sing"]], None, words=["Ann sings"])
    assert found["chat_history"] == 1  # once, though it is by her and names her


async def test_who_tells_it_again_themselves_by_a_mention_lets_others_tell_it(
    app: App, talk: Talk, gemini: GeminiStandIn, clock: Clock, dsn: str
) -> None:
    """A suppression is lifted by the words it was made from, with an id in place of a name too."""
    await talk.say(2, "hello there, Bob here")
    says(gemini)
    statement = Statement(guild_id=G, user_id=1, stated_by=1, quote="Ann owes Bob money for pizza", message_id=77)
    fact = (await tell(app.memory, statement, talk.member(1), talk.member(1))).fact
    await app.memory.forgetting.strike(await viewer_of(app.memory, G, 1), talk.member(1), [fact])
    clock.on(minutes=15)
    assert await query(dsn, "SELECT 1 FROM suppressions")

    again = Statement(
        guild_id=G,
        user_id=1,
        stated_by=1,
        quote="I owe <@2> money for pizza",
        raw="I owe <@2> money for pizza",
        message_id=78,
    )
    await tell(app.memory, again, talk.member(1), talk.member(1))

    assert not await query(dsn, "SELECT 1 FROM suppressions")
