"""Whatever many members write at once, the event loop goes on."""

from __future__ import annotations

import asyncio
import time

from memory.yielding import looked
from tests.conftest import App, Talk
from tests.project.test_linear import HOSTILE


async def test_a_long_look_leaves_turns_to_others() -> None:
    """Every 4 ms or so; what it gives is in order."""
    turns = 0

    async def other() -> None:
        nonlocal turns
        while True:
            turns += 1
            await asyncio.sleep(0)

    task = asyncio.create_task(other())

    def look(n: int) -> int:
        time.sleep(0.004)
        return n

    assert await looked(range(20), look) == list(range(20))
    task.cancel()
    assert turns >= 5


async def test_a_hundred_hostile_messages_are_stored(app: App, talk: Talk) -> None:
    """In batches, whatever they hold."""
    for n, text in enumerate(list(HOSTILE.values())[:100]):
        await talk.say(1 + n % 5, text.replace("\x00", ""))
    await app.memory.messages.flush()
    assert await app.memory.messages.count(talk.member(1).guild_id) > 90
