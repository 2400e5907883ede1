"""Stored texts, as people and models read them."""

from __future__ import annotations

from memory.records import CONTEXT_CHARACTERS, Context, FallbackLevel
from tests.builders import G, Talk
from urmom_bot.app import App


async def test_long_names_make_no_context_too_long(app: App, talk: Talk) -> None:
    """It has at most 800 characters as members read it (seed 003), names included."""
    await talk.say(1, "hello", display_name="Annabel of the thousand kilns")
    await app.memory.messages.flush()
    line = "Ran the kiln with <@1>. "
    stored = Context(user_id=2, text=line * (CONTEXT_CHARACTERS // len(line)), fallback=FallbackLevel.FULL)
    read = (await app.memory._core.naming.contexts(G, {2: stored}))[2]
    assert read.text is not None
    assert "Annabel of the thousand kilns" in read.text
    assert len(read.text) <= CONTEXT_CHARACTERS
