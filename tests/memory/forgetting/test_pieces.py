"""What is taken in pieces goes whole: a channel with many messages, and a member who wrote many."""

from __future__ import annotations

import json

import asyncpg
import pytest

from memory import Statement
from memory.store import cascade
from tests.builders import G, Talk, query, tell, viewer_of
from urmom_bot.app import App
from urmom_bot.stand_ins import GeminiStandIn

TABLES = ("chat_history", "notes", "facts", "fact_sources", "provenance", "historical_summaries", "contexts")


@pytest.mark.parametrize("way", ["channel", "member"])
async def test_what_goes_in_pieces_goes_whole(
    app: App, talk: Talk, gemini: GeminiStandIn, dsn: str, monkeypatch: pytest.MonkeyPatch, way: str
) -> None:
    """Messages, notes whose evidence lies in two pieces, and a fact with a source in each. What others said stays."""
    monkeypatch.setattr(cascade, "PIECE", 2)
    gemini.answer = lambda _: json.dumps({"notes": ["u1 event 2 1,4: has fired the kiln", "u1 event 2 6: sold a pot"]})
    ids = [await talk.say(1, f"the kiln is hot, part {n}") for n in range(7)]
    for message_id in (ids[0], ids[5]):
        kilns = Statement(
            guild_id=G, user_id=1, stated_by=1, quote="collects kilns", raw="x", channel_id=7, message_id=message_id
        )
        await tell(app.memory, kilns, talk.member(1), talk.member(1))
    await talk.say(2, "my own words", channel_id=8)
    await app.memory.messages.flush()
    await app.memory.get_memories(G, 1)
    assert len(await query(dsn, "SELECT 1 FROM notes")) >= 2

    if way == "channel":
        taken = await app.memory.guilds.channel_deleted(G, 7)
        assert taken >= 7
    else:
        await app.memory.privacy.erase(await viewer_of(app.memory, G, 1), talk.member(1), G)

    left = {table: await query(dsn, f"SELECT * FROM {table} WHERE guild_id = {G}") for table in TABLES}
    assert [row["message_text"] for row in left.pop("chat_history")] == ["my own words"]
    assert not any(left.values()), {table: rows for table, rows in left.items() if rows}


async def test_many_messages_find_the_notes_that_few_find(
    app: App, talk: Talk, gemini: GeminiStandIn, dsn: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """By the index, in several goes, and by one look at all notes."""
    gemini.answer = lambda _: json.dumps({"notes": ["u1 event 2 1,3: has fired the kiln", "u1 event 2 4: sold a pot"]})
    ids = [await talk.say(1, f"the kiln is hot, part {n}") for n in range(4)]
    await app.memory.get_memories(G, 1)
    connection = await asyncpg.connect(dsn)
    fired, sold = [row["note_id"] for row in await query(dsn, "SELECT note_id FROM notes ORDER BY note_id")]
    for piece, indexed in ((2_000, 100), (2_000, 1), (0, 1)):
        monkeypatch.setattr(cascade, "PIECE", piece)
        monkeypatch.setattr(cascade, "INDEXED_IDS", indexed)
        assert await cascade.resting_on(connection, G, ids) == [fired, sold]
        assert await cascade.resting_on(connection, G, ids[1:3]) == [fired]
        assert await cascade.resting_on(connection, G, ids[1:2]) == []
    await connection.close()
