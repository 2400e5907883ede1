"""The search by meaning, where an embedder is set: what is embedded, found, and gone with its text."""

from __future__ import annotations

import json
from collections.abc import AsyncIterator
from datetime import timedelta

import pytest
from aiohttp import web

from memory import Channel, Consent, Fact, Query, Viewer, operator
from memory.ai.client import AIUnavailable, QuotaExhausted
from memory.store.vectors import column_of
from memory.vectors import Vectors
from tests.builders import Clock, G, Opener, Talk, query, viewer_of
from tests.memory.levels.test_notes_attacked import says
from tests.memory.test_recall import ask, remember
from urmom_bot.app import App
from urmom_bot.errors import StartupError
from urmom_bot.stand_ins import GeminiStandIn
from urmom_bot.stand_ins.http import serve

MEANINGS = {"feline": 1, "cat": 1, "moggy": 1, "kiln": 2, "oven": 2}


def meaning(text: str, dimensions: int) -> list[float]:
    """A model that knows a few words that mean the same."""
    vector = [0.001] * dimensions
    for word, at in MEANINGS.items():
        if word in text.casefold():
            vector[at] = 1.0
    return vector


@pytest.fixture(autouse=True)
async def pgvector(dsn: str) -> None:
    """What these tests need of the server, and `DATABASE_URL` may lack."""
    if not await query(dsn, "SELECT 1 FROM pg_available_extensions WHERE name = 'vector'"):
        pytest.skip("the server has no pgvector: install its extension, or unset DATABASE_URL to use the embedded one")


@pytest.fixture
async def app(opened: Opener, gemini: GeminiStandIn, monkeypatch: pytest.MonkeyPatch) -> AsyncIterator[App]:
    monkeypatch.setattr("memory.vectors.EVERY", 3_600)
    monkeypatch.setattr("memory.vectors.QUESTION_TIME", 10)
    gemini.embed = meaning
    async with opened(embedding_model="gemini-embedding-001", embedding_dimensions=64) as built:
        await built.memory.guilds.update_channel(Channel(guild_id=G, channel_id=7, name="seven"))
        yield built


@pytest.fixture(autouse=True)
async def only_when_told(app: App, pgvector: None) -> None:
    """The background's first look, at the start, would embed the same texts beside a test."""
    await app.memory.loops.stop("vectors")


async def filled(app: App, **more: object) -> int:
    await app.memory.messages.flush()
    return await app.memory.vectors.fill()


async def test_the_same_meaning_is_found_in_other_words(
    app: App, talk: Talk, gemini: GeminiStandIn, clock: Clock
) -> None:
    """Of messages, notes and facts; and each text is embedded once."""
    at = clock.now - timedelta(hours=5)
    for n in range(20):
        await talk.say(3, f"the tram number {n} is late", at + timedelta(minutes=n))
    await talk.say(2, "a moggy slept here", at)
    says(gemini, "u1 event 3 1: feline guest")
    await remember(app, talk, "Ann keeps a feline")
    await app.memory.get_memories(G, 3)
    assert await filled(app) == 23
    assert await filled(app) == 0
    await talk.say(3, "one more moggy", at + timedelta(hours=1))
    assert await filled(app) == 1

    recalled = await ask(app, clock, "whose cat?", asker=-1)
    assert {m.text for m, _ in recalled.messages[:2]} == {"a moggy slept here", "one more moggy"}
    assert recalled.notes[0][0].text == "feline guest"
    assert isinstance(recalled.facts[0][0], Fact)
    assert gemini.embedded[-1] == "whose cat?"


async def test_a_server_without_budget_holds_up_no_other(app: App, talk: Talk, gemini: GeminiStandIn) -> None:
    """What it may not have embedded waits; the texts of the servers after it are embedded."""
    poor = G - 1
    await app.memory.guilds.update_channel(Channel(guild_id=poor, channel_id=9, name="nine"))
    boss = await viewer_of(app.memory, poor, 5, may_manage=True)
    await app.memory.guilds.decide(boss, daily_requests=0)
    await talk.say(1, "the oven of the poor", guild_id=poor, channel_id=9)
    await talk.say(2, "a moggy slept here")
    assert await filled(app) == 1
    assert gemini.embedded == ["a moggy slept here"]


async def test_a_vector_goes_with_its_text(app: App, talk: Talk, gemini: GeminiStandIn, clock: Clock, dsn: str) -> None:
    """Edited, deleted, off the record, erased; a note with its slice, a fact when it is forgotten."""
    ids = [await talk.say(2, f"moggy number {n}") for n in range(4)]
    says(gemini, "u1 event 3 1: feline guest")
    fact = await remember(app, talk, "Ann keeps a feline")
    await app.memory.get_memories(G, 2)
    assert await filled(app) == 6
    await app.memory.messages.edit(G, ids[0], "kiln", clock.now)
    await app.memory.messages.delete(G, ids[1:2])
    await app.memory.messages.keep_off_record(G, ids[2])
    await app.memory.messages.flush()
    await app.memory.forgetting.strike(await viewer_of(app.memory, G, 1), talk.member(1), [fact])
    left = await query(dsn, "SELECT kind, id FROM vectors")
    assert [tuple(r) for r in left] == [("message", ids[3])]
    await app.memory._erasure.guild(G)
    assert not await query(dsn, "SELECT 1 FROM vectors")


async def test_what_changed_meanwhile_gets_no_vector(app: App, talk: Talk, clock: Clock, dsn: str) -> None:
    """The old words' vector is not kept beside the new words."""
    said = await talk.say(2, "moggy")
    memory = app.memory
    column = memory.vectors.column
    assert column is not None
    found, _ = await memory._core.store.vectors.missing(G, "message", column, 2**62, 10)
    await memory.messages.edit(G, said, "kiln", clock.now)
    await memory.messages.flush()
    await memory._core.store.vectors.add(G, "message", column, found, [[0.0] * 64])
    assert not await query(dsn, "SELECT 1 FROM vectors")


async def test_secrets_and_what_was_forgotten_are_not_sent(
    app: App, talk: Talk, gemini: GeminiStandIn, clock: Clock
) -> None:
    """The embedder is a provider like any other."""
    says(gemini)
    await talk.say(2, "hello there, Bob here")
    await talk.say(1, "I owe Bob money for pizza")
    await app.memory.forgetting.forget(await viewer_of(app.memory, G, 1), talk.member(1), "I owe Bob money for pizza")
    await talk.say(3, "Ann owes <@2> money for pizza")
    await talk.say(3, "my password is hunter22")
    await filled(app)
    await ask(app, clock, "is my password hunter22?")
    assert not [t for t in gemini.embedded if "hunter22" in t or "pizza" in t]
    assert any("[secret]" in t for t in gemini.embedded)


async def test_audience_and_consent_hold_for_meanings(
    app: App, talk: Talk, gemini: GeminiStandIn, clock: Clock
) -> None:
    """What may not be heard is not found by meaning either."""
    await app.memory.guilds.update_channel(Channel(guild_id=G, channel_id=9, name="nine", audience=9))
    await talk.say(2, "a moggy slept here", channel_id=9, audience=9)
    await talk.say(3, "another moggy")
    await filled(app)
    await app.memory.privacy.choose(await viewer_of(app.memory, G, 3), talk.member(3), Consent.OFF, G)
    outside = await ask(app, clock, "whose cat?")
    assert not outside.messages
    inside = await ask(app, clock, "whose cat?", audience=9)
    assert [m.text for m, _ in inside.messages] == ["a moggy slept here"]


async def test_without_an_answer_the_search_goes_by_words(
    app: App, talk: Talk, gemini: GeminiStandIn, clock: Clock
) -> None:
    """The embedder's quota being out keeps nothing from being found; the background work rests."""
    await talk.say(2, "a moggy slept here")
    gemini.quota_out = True
    with pytest.raises(QuotaExhausted):
        await filled(app)
    recalled = await ask(app, clock, "moggy?")
    assert [m.text for m, _ in recalled.messages] == ["a moggy slept here"]


async def test_without_an_embedder_nothing_changes(opened: Opener, gemini: GeminiStandIn, clock: Clock) -> None:
    """No column, no task, nothing sent."""
    async with opened() as built:
        talk = Talk(built, clock)
        await talk.say(2, "a moggy slept here")
        assert built.memory.vectors.column is None
        await built.memory.replies.recall(await viewer_of(built.memory, G, -1), Query(text="cat?", at=clock.now))
        assert gemini.embedded == []


async def test_each_model_has_its_column(app: App, opened: Opener, talk: Talk, dsn: str) -> None:
    """Another model begins anew, and the first keeps what it has."""
    columns = (column_of("gemini-embedding-001", 64), column_of("gemini-embedding-002", 128))
    await talk.say(2, "a moggy slept here")
    await filled(app)  # or in the background
    assert len(await query(dsn, f"SELECT 1 FROM vectors WHERE {columns[0]} IS NOT NULL")) == 1
    async with opened(embedding_model="gemini-embedding-002", embedding_dimensions=128) as other:
        await other.memory.vectors.fill()
        ((first, second),) = await query(
            dsn, f"SELECT vector_dims({columns[0]}), vector_dims({columns[1]}) FROM vectors"
        )
        assert (first, second) == (64, 128)
    assert column_of("a.b", 64) != column_of("a-b", 64)


async def test_an_openai_compatible_embedder(opened: Opener, clock: Clock) -> None:
    """By the endpoint's /embeddings; its errors are ours."""
    asked: list[dict[str, object]] = []

    async def embeddings(request: web.Request) -> web.Response:
        body = await request.json()
        asked.append(body)
        if "broken" in body["input"][0]:
            return web.json_response({"error": {"message": "no"}}, status=400)
        data = [
            {"object": "embedding", "index": n, "embedding": meaning(text, int(body["dimensions"]))}
            for n, text in reversed(list(enumerate(body["input"])))
        ]
        return web.json_response({"object": "list", "data": data, "model": body["model"], "usage": {}})

    server = web.Application()
    server.router.add_post("/v1/embeddings", embeddings)
    runner, port = await serve(server, 0)
    try:
        values = {"ai_base_url": f"http://127.0.0.1:{port}/v1", "ai_model": "m", "embedding_model": "nomic"}
        async with opened(ai=False, **values, embedding_dimensions=64) as built:
            await built.memory.guilds.update_channel(Channel(guild_id=G, channel_id=7, name="seven"))
            talk = Talk(built, clock)
            await talk.say(2, "a moggy slept here")
            await talk.say(3, "the kiln is hot")
            assert await built.memory.vectors.fill() == 2
            recalled = await built.memory.replies.recall(
                await viewer_of(built.memory, G, -1), Query(text="feline?", at=clock.now)
            )
            assert recalled.messages[0][0].text == "a moggy slept here"
            assert asked[0]["model"] == "nomic"
            await talk.say(3, "broken")
            with pytest.raises(AIUnavailable):
                await built.memory.vectors.fill()
    finally:
        await runner.cleanup()
    assert json.dumps(asked)


async def test_an_embedder_needs_somebody_to_ask(opened: Opener) -> None:
    """A model without a key or an endpoint is a setting that cannot be used."""
    with pytest.raises(StartupError, match="EMBEDDING_MODEL needs"):
        async with opened(ai=False, embedding_model="m"):
            pass


async def test_the_background_work_survives_what_fails(
    app: App, gemini: GeminiStandIn, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Whatever it is, it is logged, and the next pass comes."""
    import asyncio

    passes: list[int] = []

    async def fill(self: Vectors) -> int:
        passes.append(1)
        if len(passes) == 1:
            raise ValueError("a defect")
        if len(passes) == 2:
            raise AIUnavailable
        return 0

    monkeypatch.setattr(Vectors, "fill", fill)
    monkeypatch.setattr("memory.vectors.EVERY", 0.001)
    monkeypatch.setattr("memory.vectors.FAILURE_PAUSE", 0.001)
    loops = app.memory.loops
    await loops.stop("vectors")
    loops.start("vectors", app.memory.vectors._go_on, every=0.001)
    async with asyncio.timeout(10):
        while len(passes) < 4:
            await asyncio.sleep(0.005)
    assert loops.states["vectors"].failures == 0


async def test_conclusions_are_found_by_meaning_within_their_audience(
    app: App, talk: Talk, clock: Clock, dsn: str
) -> None:
    """Embedded like the rest, found in other words by who may hear them alone, and gone with their vector."""
    page = "# Pets\n<!-- audience: 77 -->\n- the moggy stays (2026-11-09)\n"
    await app.memory.topics.restore(operator(G), "pets.md", page)
    assert await filled(app) == 1
    asked = Query(text="whose cat?", at=clock.now)
    inside = Viewer(guild_id=G, user_id=2, audience=77, audiences=(0, 77))
    found = await app.memory.replies.recall(inside, asked)
    assert [one.text for one, _ in found.conclusions] == ["the moggy stays"]
    outside = await viewer_of(app.memory, G, 2)
    assert (await app.memory.replies.recall(outside, asked)).conclusions == ()
    moderator = Viewer(guild_id=G, user_id=2, audience=77, audiences=(0, 77), may_moderate=True)
    pets = await app.memory.topics.get(moderator, "pets")
    assert pets is not None
    await app.memory.topics.drop_line(moderator, pets, found.conclusions[0][0].conclusion_id)
    assert await query(dsn, "SELECT 1 FROM vectors WHERE kind = 'conclusion'") == []
