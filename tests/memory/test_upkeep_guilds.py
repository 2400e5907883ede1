"""Upkeep reaches every guild that anything is stored of."""

from __future__ import annotations

from datetime import timedelta

import pytest

from memory.store.people import HOLDING
from tests.builders import Clock, G, Talk, query
from urmom_bot.app import App

OTHER = G + 1
ROWS = {
    "channel_settings": "INSERT INTO channel_settings (guild_id, channel_id, name) VALUES ($1, 7, 'c')",
    "chat_history": "INSERT INTO chat_history (guild_id, message_id, channel_id, user_id, message_text, timestamp)"
    " VALUES ($1, 1, 7, 1, 'a kiln', now())",
    "facts": "INSERT INTO facts (guild_id, user_id, key, value, domain, confidence, source, stated_by, message_id,"
    " quote, created_at, last_confirmed_at)"
    " VALUES ($1, 1, 'note', 'v', 'personal', 'high', 'explicit', 1, 1, 'v', now(), now())",
    "notes": "INSERT INTO notes (guild_id, slice_id, audience, user_id, kind, text, weight, evidence, at)"
    " VALUES ($1, 1, 0, 1, 'event', 'v', 1, '{1}', now())",
    "replies": "INSERT INTO replies (guild_id, trigger_id, kind, channel_id, created_at)"
    " VALUES ($1, 1, 'answer', 7, now())",
}


@pytest.mark.parametrize("table", ROWS)
async def test_a_guild_is_known_by_whatever_is_stored_of_it(app: App, dsn: str, table: str) -> None:
    await query(dsn, ROWS[table], OTHER)
    assert table in HOLDING
    assert OTHER in await app.memory._core.store.people.guilds()


async def test_talk_of_a_guild_without_channels_is_purged(app: App, talk: Talk, clock: Clock, dsn: str) -> None:
    """For example an imported one (seed 003: messages are deleted after their time)."""
    await talk.say(1, "the kiln is fixed in Tallinn", clock.now - timedelta(days=40))
    await query(dsn, "DELETE FROM channel_settings")

    assert await app.memory.upkeep() == 1
    assert not await query(dsn, "SELECT 1 FROM chat_history")
