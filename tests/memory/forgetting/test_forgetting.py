"""Forgetting for real: a planted word is looked for in every table, in a dump and in the log, and is nowhere."""

import asyncio
import json
import logging
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import replace
from datetime import timedelta

import asyncpg
import pytest

from memory import AuthorKind, Consent, Given, Member, Message, Statement, public
from memory import Channel as KnownChannel
from memory.records import InboxItem, InboxKind
from memory.store import Searched
from memory.store.catalogue import TABLES
from memory.store.embedded import BIN
from tests.builders import NOON, Clock, G, Opener, Server, Talk, choose, query, served, tell, viewer_of
from urmom_bot.app import App
from urmom_bot.stand_ins import Channel, Fault, GeminiStandIn, User
from urmom_bot.stand_ins.world import MANAGE_MESSAGES

WORD = "zorblaxine"


async def tables(dsn: str) -> list[str]:
    rows = await query(
        dsn,
        "SELECT c.relname FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace"
        " WHERE c.relkind IN ('r', 'p', 'm') AND n.nspname = 'public' ORDER BY 1",
    )
    return [row["relname"] for row in rows]


async def found_in(dsn: str, word: str) -> dict[str, int]:
    """In how many rows of each table a word is, whatever its columns are: read from the catalogue."""
    found = {}
    for table in await tables(dsn):
        count = await query(dsn, f"SELECT count(*) FROM {table} AS t WHERE t::text ILIKE $1", f"%{word}%")
        if count[0][0]:
            found[table] = count[0][0]
    return found


async def dumped(dsn: str) -> str:
    """Everything in the database as text: what a dump would have, sequences and large values too."""
    connection = await asyncpg.connect(dsn)
    parts = []
    try:
        for table in await tables(dsn):
            rows = await connection.fetch(f"SELECT to_jsonb(t)::text AS row FROM {table} AS t")
            parts += [row["row"] for row in rows]
        for row in await connection.fetch("SELECT schemaname, viewname FROM pg_views WHERE schemaname = 'public'"):
            parts.append(str(row))
    finally:
        await connection.close()
    return "\n".join(parts)


def cached(app: App, word: str) -> list[str]:
    """The caches of this process that hold a word."""
    memory = app.memory
    caches = memory._core.generations._caches
    assert len(caches) == 8
    return [str(cache) for cache in caches if word in str(list(cache._cache.items())).lower()]


@asynccontextmanager
async def planted(
    opened: Opener, gemini: GeminiStandIn, clock: Clock, dsn: str
) -> AsyncIterator[tuple[Server, User, int, int]]:
    """A server in which a word went from a message of ann's into everything there is."""
    async with served(opened, gemini, clock) as server:
        hand, general = server.discord, server.general
        ann, bob = hand.join(server.guild, "ann"), hand.join(server.guild, "bob")
        for back in (5, 4, 3, 2, 1):  # more than a context has room for, so that one is merged
            clock.on(days=-back)
            for way in ("with a bell, under the old table by the window", "without any help, in front of 12 guests"):
                await hand.say(ann, general, f"my cat {WORD} learned trick {back} in Riga, {way}, it took 40 minutes")
            await hand.say(bob, general, "the kiln controller is fixed, version 7 runs since noon in the workshop")
            clock.on(days=back)
        said = await hand.say(ann, general, f"my cat is called {WORD}, she came from Lima 8 years ago")
        await hand.say(bob, general, "what a name, mine is called Tom and sleeps 19 hours a day")
        await server.settled()
        clock.on(minutes=2)
        told = await server.ask(ann, f"Bot remember that my cat is called {WORD}")
        assert WORD in told
        clock.on(hours=1)
        assert WORD in await server.ask(ann, "Bot what do you know about me")
        assert WORD in await server.ask(ann, "Bot tell me about my cat please")
        await server.ask(bob, "Bot and what do you make of ann today?")
        await server.settled()
        everywhere = await found_in(dsn, WORD)
        assert {"chat_history", "facts", "fact_sources", "notes", "contexts"} <= set(everywhere), everywhere
        yield server, ann, said, bob.id


async def gone(server: Server, dsn: str, caplog: pytest.LogCaptureFixture) -> None:
    await server.settled()
    assert await found_in(dsn, WORD) == {}
    assert WORD not in (await dumped(dsn)).lower()
    assert cached(server.app, WORD) == []
    assert WORD not in caplog.text.lower()


async def messages_of(server: Server, user: User) -> list[tuple[Channel, int]]:
    return [(server.general, m) for m, body in server.general.messages.items() if body["author"]["id"] == str(user.id)]


BY_OTHER_WAYS = {
    "chat_history": "by author, with everything that was made from it",
    "facts": "by subject and teller, each with its sources",
    "members": "last, so that the names are known until then",
    "member_names": "by a trigger of members",
    "consents": "stays: the choice must outlast what it was about",
    "suppressions": "stays: fingerprints alone, and only the person lifts them",
    "audit": "stays: what managers did, in numbers; what was sealed for Undo goes",
    "sessions": "a row for each talk, with whoever spoke in it",
}
"""Tables about people whose rows `member_removed` takes, or leaves, by more than their subject."""


async def test_no_table_keeps_a_member_who_is_erased(dsn: str, app: App) -> None:
    """A table with a member in it says how they leave it; one that does by its entry alone is emptied of them."""
    columns = await query(
        dsn,
        "SELECT table_name FROM information_schema.columns WHERE table_schema = 'public' AND column_name = 'user_id'",
    )
    for name in {row["table_name"] for row in columns} - set(BY_OTHER_WAYS):
        (table,) = (table for table in TABLES if table.name == name)
        assert table.derived or (table.with_member and table.subject), f"{name} says not how a member leaves it"
    assert {table.name for table in TABLES if table.with_member} == {"inbox", "model_calls", "page_access"}
    await query(
        dsn, f"INSERT INTO model_calls SELECT {G}, n, now(), 'm', 'reply', 1, '{{}}' FROM generate_series(1, 2) AS n"
    )
    for user_id in (1, 2):
        await app.memory.access.make_link(await viewer_of(app.memory, G, user_id), "en")
        await app.memory.inbox.record(
            InboxItem(guild_id=G, trigger_id=user_id, kind=InboxKind.JOKE, channel_id=7, user_id=user_id, at=NOON)
        )
    ann = Member(guild_id=G, user_id=1, display_name="Ann", username="ann")
    await app.memory.privacy.erase(await viewer_of(app.memory, G, 1), ann, G)
    assert [row["user_id"] for row in await query(dsn, "SELECT user_id FROM inbox")] == [2]
    assert [row["user_id"] for row in await query(dsn, "SELECT user_id FROM page_access")] == [2]
    assert [row["user_id"] for row in await query(dsn, "SELECT user_id FROM model_calls")] == [2]


async def test_every_table_has_a_rule(dsn: str) -> None:
    """A table added later without saying what goes with what is deleted fails here."""
    assert set(await tables(dsn)) - {"alembic_version"} == {table.name for table in TABLES}


async def test_a_deleted_message_leaves_no_trace(
    opened: Opener, gemini: GeminiStandIn, clock: Clock, dsn: str, caplog: pytest.LogCaptureFixture
) -> None:
    """Facts, summaries, contexts, replies, caches, logs: nothing. Nor does it come back."""
    caplog.set_level(logging.DEBUG)
    async with planted(opened, gemini, clock, dsn) as (server, ann, _, bob):
        caplog.clear()
        ids = [m for _, m in await messages_of(server, ann)]
        await server.discord.delete(server.general, *ids)
        await gone(server, dsn, caplog)

        for user in (ann, server.discord.world.users[bob]):
            assert WORD not in await server.ask(user, "Bot what do you know about me")
        assert "kiln" in await server.ask(server.discord.world.users[bob], "Bot what do you know about me")
        await gone(server, dsn, caplog)


async def test_one_message_of_several_takes_only_its_own(
    opened: Opener, gemini: GeminiStandIn, clock: Clock, dsn: str
) -> None:
    """What other messages tell stays, and what was told twice stands on its second source."""
    async with served(opened, gemini, clock) as server:
        hand = server.discord
        ann, bob = hand.join(server.guild, "ann"), hand.join(server.guild, "bob")
        await server.ask(ann, "Bot remember that ann plays the cello")
        clock.on(days=1)
        await server.ask(bob, "Bot remember that ann plays the cello")
        first = next(m for m, b in server.general.messages.items() if b["author"]["id"] == str(ann.id))
        await hand.delete(server.general, first)
        await server.settled()

        (fact,) = await server.app.memory.facts.list(
            await viewer_of(server.app.memory, server.guild.id, ann.id), ann.id
        )
        assert (fact.value, fact.stated_by, fact.message_id != first) == ("ann plays the cello", bob.id, True)
        second = next(m for m, b in server.general.messages.items() if b["author"]["id"] == str(bob.id))
        await hand.delete(server.general, second)
        await server.settled()
        assert not await server.app.memory.facts.list(
            await viewer_of(server.app.memory, server.guild.id, ann.id), ann.id
        )


async def test_an_edit_takes_what_its_words_told(
    opened: Opener, gemini: GeminiStandIn, clock: Clock, dsn: str, caplog: pytest.LogCaptureFixture
) -> None:
    """The old words are nowhere after an edit."""
    async with planted(opened, gemini, clock, dsn) as (server, ann, _, _bob):
        for channel, message_id in await messages_of(server, ann):
            await server.discord.edit(channel, message_id, "nothing to see here, move along")
        await gone(server, dsn, caplog)


async def test_forget_takes_it_everywhere_and_keeps_it_away(
    opened: Opener, gemini: GeminiStandIn, clock: Clock, dsn: str, caplog: pytest.LogCaptureFixture
) -> None:
    """By the person's own word it goes from everywhere, and a model that tells it again is not believed."""
    caplog.set_level(logging.DEBUG)
    async with planted(opened, gemini, clock, dsn) as (server, ann, _, bob):
        caplog.clear()
        told = await server.ask(ann, f"Bot forget that my cat is called {WORD}")
        assert "Done, forgotten" in told
        forgot = next(sent for sent in reversed(server.discord.sent) if "What was deleted?" in sent.buttons)
        (receipt,) = await server.discord.press(ann, server.general, forgot, "What was deleted?")
        assert "checked 10 places again and found nothing" in receipt.content
        assert await found_in(dsn, WORD) == {}
        # Undo is there, and the database cannot read what it would bring back.
        assert [row[0] for row in await query(dsn, "SELECT count(*) FROM audit WHERE sealed IS NOT NULL")] != [0]

        await server.discord.say(ann, server.general, f"by the way my cat {WORD} is called so after a song of 1971")
        await server.discord.say(ann, server.general, "the new shelf in the kitchen holds 40 kilos")
        await server.settled()
        clock.on(hours=2)
        known = await server.ask(ann, "Bot what do you know about me")
        assert WORD not in known
        assert "40 kilos" in known
        assert not any(WORD in asked.data for asked in gemini.asked[-3:] if asked.name == "Notes of a day")
        assert "notes" not in await found_in(dsn, WORD)
        other = server.discord.world.users[bob]
        refused = await server.ask(other, f"Bot remember that ann's cat is called {WORD}")
        assert "unless ann tells me" in refused
        assert "facts" not in await found_in(dsn, WORD)
        again = await server.ask(ann, f"Bot remember that my cat is called {WORD}")
        assert "Got it" in again


async def test_forgetting_can_be_undone_with_the_button_alone(
    opened: Opener, gemini: GeminiStandIn, clock: Clock, dsn: str
) -> None:
    """The key is in the button: after a restart too, for ten minutes, by the person who had it forgotten."""
    async with planted(opened, gemini, clock, dsn) as (server, ann, _, bob):
        hand = server.discord
        await server.ask(ann, f"Bot forget that my cat is called {WORD}")
        sent = hand.sent[-1]
        other = hand.world.users[bob]
        server.guild.roles[5] = MANAGE_MESSAGES
        server.guild.member_roles[other.id] = [5]
        (refused,) = await hand.press(other, server.general, sent, "Undo")
        assert "or you can't" in refused.content
        assert await found_in(dsn, WORD) == {}
        (undone,) = await hand.press(ann, server.general, sent, "Undo")
        await server.settled()

        assert undone.edited
        assert f"Undone by <@{ann.id}>" in undone.content
        assert {"facts", "fact_sources", "chat_history"} <= set(await found_in(dsn, WORD))
        assert not await query(dsn, "SELECT 1 FROM suppressions")


async def test_an_undo_has_its_time(opened: Opener, gemini: GeminiStandIn, clock: Clock, dsn: str) -> None:
    """After ten minutes nothing is kept any more, not even sealed."""
    async with planted(opened, gemini, clock, dsn) as (server, ann, _, _bob):
        await server.ask(ann, f"Bot forget that my cat is called {WORD}")
        sent = server.discord.sent[-1]
        clock.on(minutes=11)
        (late,) = await server.discord.press(ann, server.general, sent, "Undo")
        assert "too late to undo that" in late.content
        await server.app.memory.upkeep()
        assert not await query(dsn, "SELECT 1 FROM audit WHERE sealed IS NOT NULL")


@pytest.mark.parametrize("way", ["erase", "consent"])
async def test_erasing_and_opting_out_leave_nothing(
    opened: Opener,
    gemini: GeminiStandIn,
    clock: Clock,
    dsn: str,
    caplog: pytest.LogCaptureFixture,
    way: str,
) -> None:
    """Everything of a member goes, also from what was written about others; after opting out nothing new comes."""
    caplog.set_level(logging.DEBUG)
    async with planted(opened, gemini, clock, dsn) as (server, ann, _, bob):
        caplog.clear()
        hand = server.discord
        (panel,) = await hand.slash(ann, server.general, "privacy")
        if way == "erase":
            assert not await hand.press(ann, server.general, panel, "Erase (here)")
            (done,) = await hand.fill_in(ann, server.general, {"Type “erase” (this can't be undone)": "erase"})
        else:
            (done,) = await choose(hand, ann, server.general, panel, "Here: nothing")
        await gone(server, dsn, caplog)
        (receipt,) = json.loads(dict(done.files)["receipt.json"])
        assert receipt["second_search"]["nothing_left"]
        assert receipt["removed"]["facts"] == 1

        if way == "consent":
            await hand.say(ann, server.general, f"{WORD} again, and a secret plan for 2031")
            await hand.say(hand.world.users[bob], server.general, "ann moves to Oslo in May, she told me about 3 flats")
            await server.settled()
            clock.on(hours=2)
            assert "doesn't want to be remembered" in await server.ask(
                hand.world.users[bob], "Bot remember that ann likes herring"
            )
            await server.ask(hand.world.users[bob], "Bot what do you know about me")
            assert await found_in(dsn, WORD) == {}
            assert not await query(dsn, "SELECT 1 FROM members WHERE display_name = 'ann'")
            assert "Oslo" not in str(await query(dsn, "SELECT text FROM notes"))


async def test_a_build_that_was_reading_does_not_bring_it_back(
    opened: Opener, gemini: GeminiStandIn, clock: Clock, dsn: str
) -> None:
    """A deletion while the model thinks wins."""
    async with served(opened, gemini, clock) as server:
        hand = server.discord
        ann = hand.join(server.guild, "ann")
        said = await hand.say(ann, server.general, f"my cat is called {WORD} and has 4 white paws")
        await server.settled()
        clock.on(minutes=1)
        gemini.faults.append(Fault(kind="late", seconds=1.0))
        reading = asyncio.create_task(server.app.memory.replies.contexts(public(server.guild.id), [ann.id]))
        while not gemini.asked:
            await asyncio.sleep(0.01)
        await hand.delete(server.general, said)
        await server.settled()
        found = await reading
        await server.app.memory.settle()

        assert WORD not in str(found[ann.id].text)
        assert await found_in(dsn, WORD) == {}


async def test_of_notes_whose_messages_are_gone_those_go_that_tell_it(
    app: App, talk: Talk, clock: Clock, dsn: str
) -> None:
    """What nothing can make again keeps the rest of what was noted."""
    await talk.say(1, "my cat is called Zorblaxine and ate 3 socks")
    await talk.say(1, "the tram to Gdynia takes 40 minutes these days")
    await app.memory.replies.contexts(public(talk.member(1).guild_id), [1])
    await query(dsn, "DELETE FROM chat_history")
    clock.on(days=60)
    done = await app.memory.forgetting.forget(
        await viewer_of(app.memory, talk.member(1).guild_id, 1, is_alone=True),
        talk.member(1),
        "my cat is called Zorblaxine",
    )

    assert done.receipt is not None
    assert done.receipt.clean
    (left,) = await query(dsn, "SELECT text FROM notes")
    assert "tram to Gdynia" in left["text"]


async def test_an_old_export_does_not_bring_back_what_was_forgotten(app: App, talk: Talk, clock: Clock) -> None:
    """A message from before it was forgotten is not stored again; one that is written now is."""
    guild = talk.member(1).guild_id
    await talk.say(1, "my cat is called Zorblaxine")
    await app.memory.forgetting.forget(
        await viewer_of(app.memory, guild, 1, is_alone=True), talk.member(1), "my cat is called Zorblaxine"
    )
    assert await app.memory.messages.count(guild) == 0
    await talk.say(1, "my cat is called Zorblaxine", at=clock.now - timedelta(hours=3))
    assert await app.memory.messages.count(guild) == 0
    clock.on(minutes=1)
    await talk.say(1, "Zorblaxine is a cat's name", at=clock.now)
    assert await app.memory.messages.count(guild) == 1


async def test_the_teller_takes_back_their_claim_alone(app: App, talk: Talk) -> None:
    """Who told something about another takes it back; the other's own words stay, and nothing is suppressed."""
    guild = talk.member(1).guild_id
    await talk.say(1, "I play the theremin every Sunday")
    told = Statement(guild_id=guild, user_id=1, stated_by=2, quote="Ann plays the theremin every Sunday", message_id=9)
    await tell(app.memory, told, talk.member(1), talk.member(2))
    done = await app.memory.forgetting.forget(
        await viewer_of(app.memory, guild, 2), talk.member(1), "Ann plays the theremin every Sunday"
    )

    assert len(done.removed) == 1
    assert await app.memory.messages.count(guild) == 1
    suppressed = await app.memory._core.suppressions.get(guild)
    assert not suppressed


async def test_facts_only_keeps_facts_and_nothing_else(app: App, talk: Talk, dsn: str) -> None:
    """Consent `explicit`: messages and summaries go and none come, facts stay."""
    guild = talk.member(1).guild_id
    await talk.say(1, "the tram to Gdynia takes 40 minutes these days")
    told = Statement(guild_id=guild, user_id=1, stated_by=1, quote="I play the cello", message_id=5)
    await tell(app.memory, told, talk.member(1), talk.member(1))
    await app.memory.replies.contexts(public(guild), [1])
    await app.memory.privacy.choose(await viewer_of(app.memory, guild, 1), talk.member(1), Consent.EXPLICIT, guild)
    await talk.say(1, "another message that is not kept")

    assert await app.memory.messages.count(guild) == 0
    assert not await query(dsn, "SELECT 1 FROM notes")
    assert [f.value for f in await app.memory.facts.list(await viewer_of(app.memory, guild, 1), 1)] == [
        "Ann plays the cello"
    ]


async def dump(dsn: str) -> str:
    """What pg_dump writes; the embedded server's is as new as it, or newer than any other."""
    found = sorted(BIN.parent.parent.rglob("bin/pg_dump"), key=str)
    process = await asyncio.create_subprocess_exec(
        str(found[-1]), dsn, stdout=asyncio.subprocess.PIPE, stderr=asyncio.subprocess.PIPE
    )
    out, err = await process.communicate()
    assert process.returncode == 0, err.decode()
    return out.decode()


async def test_a_real_dump_agrees(app: App, talk: Talk, dsn: str) -> None:
    """pg_dump sees what the catalogue sees."""
    guild = talk.member(1).guild_id
    said = await talk.say(1, f"my cat is called {WORD}")
    told = Statement(guild_id=guild, user_id=1, stated_by=1, quote=f"my cat is called {WORD}", message_id=said)
    await tell(app.memory, told, talk.member(1), talk.member(1))
    assert (await dump(dsn)).count(WORD) >= 3
    await app.memory.messages.delete(guild, talk.ids)
    await app.memory.messages.flush()

    assert WORD not in await dump(dsn)


async def test_what_took_a_facts_place_and_went_is_pointed_to_no_more(talk: Talk, dsn: str) -> None:
    """A retired fact keeps no number of one that is gone."""
    memory, ann = talk.app.memory, talk.member(1)
    statement = Statement(guild_id=G, user_id=1, stated_by=1, quote="Ann lives in Riga", channel_id=7, message_id=5)
    fact = (await tell(memory, statement, ann, ann)).fact
    viewer = await viewer_of(memory, G, 1)
    new = (await memory.facts.correct(viewer, fact.fact_id, "Ann lives in Oslo", message_id=-1)).fact
    rows = "SELECT superseded_by FROM facts ORDER BY fact_id"
    assert [row[0] for row in await query(dsn, rows)] == [new.fact_id, None]
    await memory._core.store.facts.remove(G, [new.fact_id])
    assert [row[0] for row in await query(dsn, rows)] == [None]


async def test_an_answer_on_its_way_has_no_words_once_what_it_tells_is_gone(app: App, talk: Talk, dsn: str) -> None:
    """Discord brings the bot's own message after the deletion of what it was given; another answer keeps its words."""
    gone, stays = await talk.say(1, "I collect zorblaxes"), await talk.say(1, "I bake bread")
    first, second = stays + (1 << 22), stays + (2 << 22)
    for reply_id, said in ((first, gone), (second, stays)):
        entry = InboxItem(guild_id=G, trigger_id=reply_id - 1, kind=InboxKind.MESSAGE, channel_id=7, user_id=2, at=NOON)
        await app.memory.replies.record(entry, [reply_id], Given(shown=(said,)), app.memory.replies.begin(G))
    await app.memory.messages.delete(G, [gone])
    await app.memory.messages.flush()
    bot = talk.member(99)
    for reply_id, text in ((first, "zorblaxes, you said"), (second, "bread, you said")):
        own = Message(
            guild_id=G,
            message_id=reply_id,
            channel_id=7,
            user_id=99,
            text=text,
            timestamp=NOON,
            author_kind=AuthorKind.SELF,
        )
        await app.memory.messages.ingest(own, bot)
    await app.memory.messages.flush()
    rows = await query(dsn, "SELECT message_text FROM chat_history WHERE author_kind = 'self' ORDER BY message_id")
    assert [row[0] for row in rows] == ["", "bread, you said"]

    talk.clock.on(days=8)
    await talk.say(1, "good morning")
    await app.memory.guilds.update_channel(KnownChannel(guild_id=G, channel_id=7, name="seven"))
    await app.memory.upkeep()
    assert not await query(dsn, "SELECT 1 FROM provenance WHERE source = 'silenced'")


async def test_the_second_search_looks_at_what_the_first_found_and_at_what_came_since(app: App, talk: Talk) -> None:
    """Also where it came late, with an old id. Nothing else can tell it: the first search looked for each word."""
    store = app.memory._core.store
    told = await talk.say(1, "my cat is called Zorblaxine")
    words = ["my cat is called Zorblaxine"]
    searched = await store.messages.with_keywords(G, 1, ["one"], ["cat", "zorblaxin"], None, words=words)
    assert [message.message_id for message in searched.messages] == [told]

    async def found(searched: Searched) -> int:
        rows = await store.forgetting.find_words(
            G, 1, ["one"], [["cat", "zorblaxin"]], None, words=words, searched=searched
        )
        return rows["chat_history"]

    assert await found(searched) == 1
    seen_none = replace(searched, messages=())
    assert await found(seen_none) == 0
    await talk.say(1, "Zorblaxine is my cat", talk.clock.now - timedelta(days=3))
    assert await found(seen_none) == 1


@pytest.mark.parametrize(("said", "count"), [("я поискал ещё", 0), ("где кол?", 1), ("«кол» тут", 1), ("🎉кол", 1)])
async def test_the_second_search_finds_a_short_word_where_a_word_begins(
    app: App, talk: Talk, said: str, count: int
) -> None:
    await talk.say(1, said)
    rows = await app.memory._core.store.forgetting.find_words(G, 1, ["one"], [["кол"]], None, words=["мой кол"])
    assert rows["chat_history"] == count


async def test_a_search_that_finds_nothing_says_since_when(app: App, talk: Talk) -> None:
    searched = await app.memory._core.store.messages.with_keywords(G, 1, ["one"], ["cat"], None, words=["a cat"])
    assert searched.messages == []
    assert int(searched.since) > 0


async def test_the_second_search_is_whole_where_people_are_all_that_is_told(app: App, talk: Talk) -> None:
    """A message has them by id, so that the first search, by their names, need not have seen it."""
    await talk.say(2, "hello", display_name="Sergey")
    await talk.say(1, "Sergey snores")
    await talk.say(1, "I met <@2>")
    done = await app.memory.forgetting.forget(await viewer_of(app.memory, G, 1), talk.member(1), "Sergey")

    assert done.receipt is not None
    assert done.receipt.removed["chat_history"] == 1
    assert done.receipt.found["chat_history"] == 1
