"""What was made from what: one record, one cascade, one question whether sources still stand."""

import asyncio
import json
from datetime import timedelta

import pytest

from memory import AuthorKind, Channel, Statement, public
from memory.store import Store, cascade, provenance
from memory.store.catalogue import TABLES, of_node, tables
from memory.store.provenance import node
from tests.builders import Clock, G, Opener, Talk, query, tell, viewer_of
from urmom_bot.app import App
from urmom_bot.config import Settings
from urmom_bot.stand_ins import Asked, Fault, GeminiStandIn


async def columns(dsn: str) -> dict[str, set[str]]:
    rows = await query(
        dsn, "SELECT table_name, column_name FROM information_schema.columns WHERE table_schema = 'public'"
    )
    found: dict[str, set[str]] = {}
    for row in rows:
        found.setdefault(row["table_name"], set()).add(row["column_name"])
    return found


async def test_the_catalogue_tells_what_the_schema_has(dsn: str) -> None:
    """Each table once; the columns it names exist; what has an audience, words or a member's id says so."""
    there = await columns(dsn)
    assert sorted(table.name for table in TABLES) == sorted(there.keys() - {"alembic_version"})
    people = ("suppressions", "consents", "audit")  # choices and changes, which outlive what is known
    for table in TABLES:
        has = there[table.name]
        assert table.rule, table
        assert table.life, table
        assert {column for column, _ in table.key} <= has, table
        assert table.audience == (has >= {"audience"} and table.name not in ("channel_settings", "audiences")), table
        assert (table.subject == "user_id") == ("user_id" in has and table.name not in people), table
        assert not table.day or table.day in has, table
        if table.node:
            assert of_node(table.node) is table
        assert "_DAYS" not in table.life or table.life.split()[0].lower() in Settings.model_fields, table
    kinds = {row[0].split(":")[0] for row in await query(dsn, "SELECT made FROM provenance")}
    assert kinds <= {table.node for table in TABLES}
    words = {"message_text", "quote", "value", "memory_blob", "text", "summary", "context"}
    for name, has in there.items():
        if has & words - {"value"} or name in ("facts", "fact_sources"):
            assert any(table.name == name for table in tables(text=True)), name


async def test_edges_are_followed_to_their_end(dsn: str) -> None:
    """Everything made from something, however far, each once, also in a circle; but what is kept and beyond it."""
    store = await Store.open(dsn)
    async with store.database.writing(G) as connection:
        edges = [("note:1", "slice:1"), ("note:2", "note:1"), ("history:1", "note:2"), ("note:1", "history:1")]
        await provenance.add(connection, G, [*edges, ("context:1", "note:9")])
        await provenance.add(connection, G + 1, [("note:7", "slice:1")])
        assert await provenance.reached_from(connection, G, ["slice:1"]) == {"slice:1", "note:1", "note:2", "history:1"}
        assert await provenance.reached_from(connection, G, ["slice:1"], ["note:2"]) == {"slice:1", "note:1"}
        await provenance.record(connection, G, {"note:2": ["slice:4"]})
        assert await provenance.reached_from(connection, G, ["slice:1"]) == {"slice:1", "note:1"}
    await store.close()


async def told(app: App, talk: Talk, user: int, quote: str, by: int, **more: object) -> int:
    statement = Statement(guild_id=G, user_id=user, stated_by=by, quote=quote, **more)  # type: ignore[arg-type]
    return (await tell(app.memory, statement, talk.member(user), talk.member(by))).fact.fact_id


async def test_a_saver_asks_whether_its_sources_stand(app: App, talk: Talk, dsn: str) -> None:
    """A fact that is gone, retired or out of hearing, a note that is gone, and what was forgotten since."""
    store = await Store.open(dsn)
    await app.memory.guilds.update_channel(Channel(guild_id=G, channel_id=8, name="eight", audience=8))
    fact = await told(app, talk, 1, "Ann sings alto", 2)
    hidden = await told(app, talk, 1, "Ann leads the merger", 2, channel_id=8, audience=8)

    async def stands(*nodes: str, audience: int = 0, since: str | None = None) -> bool:
        async with store.database.writing(G) as connection:
            return await provenance.stand(connection, G, audience, nodes, since)

    now = (await store.channels.guild(G))[1]().version
    assert await stands(node("fact", fact), since=now)
    assert await stands(node("fact", fact), node("fact", fact))
    assert not await stands(node("fact", 999_999))
    assert not await stands(node("fact", hidden))
    assert await stands(node("fact", hidden), audience=8)
    assert not await stands(node("note", 1))
    await app.memory.forgetting.forget(await viewer_of(app.memory, G, 1), talk.member(1), "Ann sings alto")
    assert not await stands(node("fact", fact))
    assert not await stands(since=now)
    assert await stands(since=(await store.channels.guild(G))[1]().version)
    await query(dsn, "UPDATE facts SET retired_at = now() WHERE fact_id = $1", hidden)
    assert not await stands(node("fact", hidden), audience=8)
    await store.close()


async def test_everybody_with_facts_has_a_blob(app: App, talk: Talk, dsn: str) -> None:
    """From the moment a fact is told until the last is gone, for each audience that has any; never of private ones."""

    async def blobs() -> dict[tuple[int, int], str]:
        rows = await query(dsn, "SELECT user_id, audience, memory_blob FROM user_facts")
        return {(row["user_id"], row["audience"]): row["memory_blob"] for row in rows}

    await app.memory.guilds.update_channel(Channel(guild_id=G, channel_id=8, name="eight", audience=8))
    first = await told(app, talk, 1, "Ann sings alto", 2, message_id=70)
    assert await blobs() == {(1, 0): "<@1> sings alto."}
    await told(app, talk, 1, "Ann leads the merger", 2, channel_id=8, audience=8, message_id=71)
    await told(app, talk, 2, "I earn little", 2, audience=-2, message_id=72)
    both = "<@1> sings alto. <@1> leads the merger."
    assert await blobs() == {(1, 0): "<@1> sings alto.", (1, 8): both}
    await app.memory.facts.correct(await viewer_of(app.memory, G, 1), first, "Ann sings tenor", message_id=73)
    assert await blobs() == {(1, 0): "<@1> sings tenor.", (1, 8): "<@1> leads the merger. <@1> sings tenor."}
    await app.memory.messages.delete(G, [71, 73])
    await app.memory.messages.flush()
    assert await blobs() == {}


async def test_a_late_build_uses_the_stored_blob(opened: Opener, gemini: GeminiStandIn, clock: Clock) -> None:
    """Where the facts do not fit and time runs out, what a model once made of the same facts is told."""
    async with opened(memory_wait=5) as app:
        talk = Talk(app, clock)
        for n in range(20):
            await told(app, talk, 1, f"Ann owns kiln number {n}, which she bought in the year {2000 + n}", 2)
        numbers, years = (", ".join(str(n) for n in range(first, first + 20)) for first in (0, 2_000))
        whole = f"owns kilns number {numbers}, which were bought in the year {years}."
        played = gemini.answer
        gemini.answer = lambda asked: (
            json.dumps({"text": f"@u1 {whole}"}) if asked.name == "Facts as one text" else played(asked)
        )
        assert whole in (await app.memory.get_memories(G, 1) or "")
        await talk.say(1, "finished the first chapter of the cello book, it is about the bow")
        clock.now += timedelta(hours=1)  # what was made this hour is told until its end
        gemini.faults.append(Fault(kind="late", seconds=5.0))
        late = (await app.memory.replies.contexts(public(G), [1], wait=0.05))[1]
        assert late.trouble == "still being made"
        assert f"Ann {whole}" in (late.text or "")
        await app.memory.settle()
        await app.memory.guilds.update_channel(Channel(guild_id=G, channel_id=8, name="eight", audience=8))
        await told(app, talk, 1, "Ann leads the merger", 2, channel_id=8, audience=8)
        stored = await app.memory._core.store.blobs.get_many(G, 0, [1])
        assert stored[1].text == f"<@1> {whole}"  # of the same facts as before


async def test_a_swap_of_nicknames_changes_nothing(
    app: App, talk: Talk, gemini: GeminiStandIn, dsn: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Facts, notes and contexts name people by id: each keeps their own under the other's name.

    The process that stored the names goes by them at once; the others hear of it.
    """

    async def unheard(*_: object) -> None:
        """The news is still on its way."""

    await talk.say(1, "finished the cello book, chapter 4 of it, with Bob's help")
    await talk.say(2, "ann: the tram takes 40 minutes")
    await told(app, talk, 1, "Ann sings alto with Bob", 2)
    before = await query(dsn, "SELECT text FROM notes UNION ALL SELECT value FROM facts")
    assert "Ann sings alto with Bob. Today:" in (await app.memory.get_memories(G, 1) or "")
    monkeypatch.setattr("memory.ingest.notify", unheard)
    for user, name in ((1, "Bob"), (2, "Ann")):
        await talk.say(user, "hello again", display_name=name)
    text = await app.memory.get_memories(G, 1) or ""

    assert "Bob sings alto with Ann." in text
    assert "cello book" in text
    stored = await query(dsn, "SELECT value FROM facts")
    assert [row[0] for row in stored] == ["<@1> sings alto with <@2>"]
    assert len(await query(dsn, "SELECT text FROM notes UNION ALL SELECT value FROM facts")) >= len(before)


async def test_two_people_of_one_name_are_told_apart(app: App, talk: Talk, gemini: GeminiStandIn) -> None:
    """In a prompt they are two marks; a mention says which of them a fact names."""
    for user in (1, 2):
        await talk.say(user, f"kiln number {user} reads 14 degrees too high today", display_name="Alex")
    await app.memory.get_memories(G, 1)
    (asked,) = gemini.asked
    assert asked.sections["people"] == "u1=Alex, u2=Alex"
    assert [line[:5] for line in asked.sections["messages"].splitlines()[2:]] == ["1 u1:", "2 u2:"]
    fact = await told(app, talk, 3, "is a friend of <@2>", 3)
    found = (await app.memory._core.store.facts.get_many(G, [fact]))[fact]
    assert "<@2>" in found.value
    assert "<@1>" not in found.value


async def test_a_channel_is_noted_too(app: App, talk: Talk, gemini: GeminiStandIn, dsn: str) -> None:
    """What a channel was about is kept beside its people's notes, and goes with its messages."""
    said = await talk.say(1, "let us meet in Tallinn on the 14th, all of us")
    gemini.answer = lambda asked: json.dumps({"notes": ["c1 channel 3 1: decided to meet in Tallinn on the 14th"]})
    await app.memory.get_memories(G, 1)
    (row,) = await query(dsn, "SELECT user_id, channel_id, kind FROM notes")
    assert tuple(row) == (None, 7, "channel")
    await app.memory.messages.delete(G, [said])
    await app.memory.messages.flush()
    assert not await query(dsn, "SELECT 1 FROM notes")


@pytest.mark.parametrize("closing", [True, False])
async def test_what_is_written_in_a_channel_that_moves_is_read_again(
    app: App, talk: Talk, gemini: GeminiStandIn, clock: Clock, dsn: str, closing: bool
) -> None:
    """For those who may read it now. What was written around it stays, and is not read again."""
    for channel in (7, 8):
        audience = 0 if closing or channel == 7 else 8
        await app.memory.guilds.update_channel(Channel(guild_id=G, channel_id=channel, name="c", audience=audience))
    day = clock.now - timedelta(days=2)
    await talk.say(1, "the tram to Gdynia takes 40 minutes", day - timedelta(days=1))
    await talk.say(2, "the kiln is fixed in Tallinn", day)
    where = {"channel_id": 8, "audience": 0 if closing else 8}
    await talk.say(1, "the merger with Kilnworks is signed", day + timedelta(minutes=5), **where)
    await talk.say(1, "the relay board came from Riga", day + timedelta(minutes=9))
    for audience in (0, 8):
        await app.memory.get_memories(G, 1, viewer=await app.memory.guilds.public(G, audience))
    before = len(gemini.asked)
    await app.memory.guilds.update_channel(Channel(guild_id=G, channel_id=8, name="c", audience=8 if closing else 0))
    clock.on(hours=3)
    outside = await app.memory.get_memories(G, 1) or ""
    inside = await app.memory.get_memories(G, 1, viewer=await app.memory.guilds.public(G, 8)) or ""

    assert ("merger" in outside) is not closing
    assert "merger" in inside
    for text in (outside, inside):
        assert all(word in text for word in ("tram", "relay"))
    again = [asked for asked in gemini.asked[before:] if asked.name == "Notes of a day"]
    assert len(again) == 1
    assert "merger" in again[0].sections["messages"]
    assert "kiln is" not in again[0].sections["messages"]


async def test_what_changes_while_it_is_read_is_read_again_in_a_while(
    app: App, talk: Talk, gemini: GeminiStandIn, clock: Clock, dsn: str
) -> None:
    """With what is new, or after three hours: nobody makes the bot read the same day over and over."""
    message = await talk.say(1, "my kiln reads 14 degrees too high")
    calls: list[Asked] = []
    played = gemini.answer

    async def ask() -> None:
        gemini.faults.append(Fault(kind="late", seconds=0.2))
        waiting = asyncio.create_task(app.memory.get_memories(G, 1))
        await asyncio.sleep(0.1)
        await app.memory.messages.edit(G, message, f"my kiln reads {len(calls)} degrees too high", clock())
        await app.memory.messages.flush()
        await waiting
        gemini.faults.clear()

    def answer(asked: Asked) -> str:
        calls.append(asked)
        return played(asked)

    gemini.answer = answer
    for _ in range(6):
        clock.on(minutes=2)
        await ask()
    assert len(calls) == 1
    clock.on(hours=3)
    assert "reads 1 degrees too high" in (await app.memory.get_memories(G, 1) or "")
    assert len(calls) == 2
    assert not await query(dsn, "SELECT 1 FROM chat_history WHERE reread")


async def test_what_changes_while_it_is_read_takes_only_what_rests_on_it(
    app: App, talk: Talk, gemini: GeminiStandIn, clock: Clock, dsn: str
) -> None:
    """The other notes of the same call are stored, and what comes in between is read later."""
    await talk.say(1, "the kiln is fixed in Tallinn")
    await talk.say(3, "the stove came from Tartu", clock.now - timedelta(seconds=40))
    message = await talk.say(2, "the tram takes 40 minutes")
    told = [
        "u1 event 2 1: kiln is fixed in Tallinn",
        "u2 event 2 2: tram takes 40 minutes",
        "u3 event 2 3: got a stove",
    ]
    gemini.answer = lambda asked: json.dumps({"notes": told})
    gemini.faults.append(Fault(kind="late", seconds=0.3))
    waiting = asyncio.create_task(app.memory.get_memories(G, 1))
    await asyncio.sleep(0.1)
    await app.memory.messages.edit(G, message, "the tram takes 30 minutes", clock())
    late = await talk.say(4, "the relay board came from Riga", clock.now - timedelta(seconds=50))
    await app.memory.messages.flush()
    await waiting
    assert {row[0] for row in await query(dsn, "SELECT text FROM notes")} == {"kiln is fixed in Tallinn", "got a stove"}
    again = await query(dsn, "SELECT message_id FROM chat_history WHERE reread")

    assert {row[0] for row in again} == {message, late}


async def test_what_is_forgotten_while_a_day_is_read_is_in_no_note(
    app: App, talk: Talk, gemini: GeminiStandIn, clock: Clock, dsn: str
) -> None:
    """None of the notes is stored, and all of it is read again."""
    await talk.say(1, "my cat is called Zorblaxine", clock.now - timedelta(days=20))
    await talk.say(1, "the kiln is fixed in Tallinn")
    await talk.say(2, "the tram takes 40 minutes")
    gemini.answer = lambda asked: json.dumps({"notes": ["u1 event 2 1: kiln is fixed in Tallinn"]})
    gemini.faults.append(Fault(kind="late", seconds=0.3))
    waiting = asyncio.create_task(app.memory.get_memories(G, 1))
    await asyncio.sleep(0.1)
    await app.memory.forgetting.forget(await viewer_of(app.memory, G, 1), talk.member(1), "my cat is called Zorblaxine")
    await waiting

    assert not await query(dsn, "SELECT 1 FROM notes")
    assert len(await query(dsn, "SELECT 1 FROM chat_history WHERE reread")) == 2


async def test_of_a_slice_that_is_half_purged_what_rests_on_a_message_goes(
    app: App, talk: Talk, gemini: GeminiStandIn, clock: Clock, dsn: str
) -> None:
    """A deletion takes what cites the message or has words of it, nothing else."""
    await app.memory.guilds.update_channel(Channel(guild_id=G, channel_id=7, name="seven"))
    clock.set(2026, 11, 10, 12)
    await talk.say(1, "the kiln is fixed in Tallinn", clock.now - timedelta(hours=11))
    await talk.say(2, "the tram takes 40 minutes", clock.now - timedelta(hours=2))
    last = await talk.say(1, "the relay board came from Riga", clock.now - timedelta(hours=1))
    told = ["u1 event 2 1: kiln is fixed in Tallinn", "u2 event 2 2: takes the tram", "u1 event 1 2: heard of a board"]
    gemini.answer = lambda asked: json.dumps({"notes": told})
    await talk.say(1, "bob: so it goes", clock.now - timedelta(minutes=50))
    await app.memory.get_memories(G, 1)
    clock.set(2026, 12, 10, 6)  # the first message is older than 30 days, the others are not
    assert await app.memory.upkeep() == 1
    await app.memory.messages.delete(G, [last])
    await app.memory.messages.flush()

    assert {row["text"] for row in await query(dsn, "SELECT text FROM notes")} == {
        "kiln is fixed in Tallinn",
        "takes the tram",
    }


async def test_who_is_erased_is_in_no_note_even_of_purged_talk(app: App, talk: Talk, clock: Clock, dsn: str) -> None:
    """What can not be read again loses what rests on their messages, is about them, or names them."""
    await app.memory.guilds.update_channel(Channel(guild_id=G, channel_id=7, name="seven"))
    await talk.say(1, "the kiln is fixed in Tallinn")
    rows = [
        (1, "fixed a kiln", [], [talk.ids[0]], [1]),
        (2, "heard of a kiln", [], [talk.ids[0]], [1]),
        (2, "thanked <@1>", [1], [5], [2]),
        (2, "takes the tram", [], [5], [2]),
    ]
    for user, text, people, evidence, by in rows:
        await query(
            dsn,
            "INSERT INTO notes (guild_id, slice_id, audience, user_id, kind, text, weight, people, evidence,"
            " evidence_by, at) VALUES ($1, 1, 0, $2, 'event', $3, 1, $4, $5, $6, $7)",
            *(G, user, text, people, evidence, by, clock.now),
        )
    await query(dsn, "DELETE FROM chat_history")
    (receipt,) = await app.memory.privacy.erase(await viewer_of(app.memory, G, 1), talk.member(1), G)

    assert receipt.clean
    assert [row["text"] for row in await query(dsn, "SELECT text FROM notes")] == ["takes the tram"]


@pytest.mark.parametrize(
    ("deleted", "left"),
    [
        (["unrelated"], {"ann's tram", "what names bob", "what bob told"}),
        (["late"], {"ann's tram", "what names bob", "what bob told"}),
        (["bob's"], {"ann's tram", "what names bob"}),
        (["ann's"], {"what names bob", "what bob told"}),
        (["forgotten"], {"what names bob", "what bob told"}),
        (["unrelated", "bob's"], {"ann's tram", "what names bob"}),
    ],
)
async def test_a_note_and_its_answers_go_with_what_they_rest_on_alone(
    app: App, talk: Talk, dsn: str, deleted: list[str], left: set[str]
) -> None:
    """Whoever wrote the message, and whoever else was read in the same call."""
    await app.memory.guilds.update_channel(Channel(guild_id=G, channel_id=7, name="seven"))
    said = {
        "ann's": await talk.say(1, "the tram takes 40 minutes"),
        "bob's": await talk.say(2, "my relay board came from Riga"),
        "unrelated": await talk.say(4, "so it goes"),
    }
    await app.memory.messages.flush()
    notes = {
        "ann's tram": (1, [], said["ann's"]),
        "what names bob": (1, [2], said["ann's"] + 10**6),
        "what bob told": (3, [], said["bob's"]),
    }
    for n, (name, (user, people, evidence)) in enumerate(notes.items(), 1):
        (row,) = await query(
            dsn,
            "INSERT INTO notes (guild_id, slice_id, audience, user_id, kind, text, weight, people, evidence,"
            " evidence_by, at) VALUES ($1, 1, 0, $2, 'event', $3, 1, $4, $5, '{1}', now()) RETURNING note_id",
            *(G, user, name, people, [evidence]),
        )
        answer = await talk.say(99, name, author_kind=AuthorKind.SELF)
        edges = [(f"reply:{n}:answer", f"note:{row['note_id']}"), (f"message:{answer}", f"reply:{n}:answer")]
        for made, source in edges:
            await query(dsn, "INSERT INTO provenance (guild_id, made, source) VALUES ($1, $2, $3)", G, made, source)
    await app.memory.messages.flush()
    await query(
        dsn,
        "INSERT INTO slices (guild_id, slice_id, for_date, audience, from_id, through_id, messages, fingerprint, model,"
        " made_at) OVERRIDING SYSTEM VALUE VALUES ($1, 1, '2026-11-10', 0, $2, $3, 3, '', 'm', now())",
        *(G, min(said.values()), max(said.values()) + 100),
    )
    for name in deleted:
        if name == "forgotten":  # a message, and a note that tells the same without citing it
            tram = (await query(dsn, "SELECT note_id FROM notes WHERE text = 'ann''s tram'"))[0]["note_id"]
            async with app.memory._core.store.facts._db.writing(G) as connection:
                await cascade.forgotten(connection, G, messages=[said["unrelated"]], others=[node("note", tram)])
        elif name == "late":
            await talk.say(1, "this came late")
        else:
            await app.memory.messages.delete(G, [said[name]])
        await app.memory.messages.flush()
    assert {row["text"] for row in await query(dsn, "SELECT text FROM notes")} == left
    rows = await query(dsn, "SELECT message_text FROM chat_history WHERE author_kind = 'self'")
    assert {row["message_text"] for row in rows} - {""} == left


def test_what_is_derived_says_for_whom_it_is() -> None:
    """Texts of several audiences go when one hears less; slices, notes and conclusions have one of their own."""
    of_one = {table.name for table in tables(derived=True) if table.audience and not table.is_composed}
    assert of_one == {"slices", "notes", "conclusions"}
    for table in TABLES:
        if table.is_composed:
            assert table.derived and table.goes and table.audience and table.key, table.name
