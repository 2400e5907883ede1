"""Whatever many members write at once, the event loop goes on."""

from __future__ import annotations

import asyncio
from types import SimpleNamespace

import pytest

from memory.yielding import map_yielding
from tests.builders import App, Talk
from tests.project.test_linear import HOSTILE


async def test_a_long_look_leaves_turns_to_others(monkeypatch: pytest.MonkeyPatch) -> None:
    """After every 4 ms, and no oftener; what it gives is in order."""
    now = 0.0
    turns = list[float]()
    monkeypatch.setattr("memory.yielding.time", SimpleNamespace(monotonic=lambda: now))

    async def other() -> None:
        while True:
            turns.append(now)
            await asyncio.sleep(0)

    task = asyncio.create_task(other())

    def look(n: int) -> int:
        nonlocal now
        now += 0.0015
        return n

    assert await map_yielding(range(10), look) == list(range(10))
    task.cancel()
    assert turns == pytest.approx([0.0045, 0.009, 0.0135])


async def test_a_hundred_hostile_messages_are_stored(app: App, talk: Talk) -> None:
    """In batches, whatever they hold."""
    for n, text in enumerate(list(HOSTILE.values())[:100]):
        await talk.say(1 + n % 5, text.replace("\x00", ""))
    await app.memory.messages.flush()
    assert await app.memory.messages.count(talk.member(1).guild_id) > 90
