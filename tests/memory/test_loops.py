"""Background work goes on whatever happens, and what keeps failing is seen."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable

import pytest

from memory import DatabaseUnavailable
from memory.loops import FAILING, Loops


async def until(holds: Callable[[], object]) -> None:
    async with asyncio.timeout(10):
        while not holds():
            await asyncio.sleep(0.005)


@pytest.mark.parametrize("error", [RuntimeError, DatabaseUnavailable, asyncio.TimeoutError])
async def test_the_next_time_comes_after_an_error(error: type[Exception], caplog: pytest.LogCaptureFixture) -> None:
    """It counts as failing from the third time in a row, and no more once it works."""
    loops, times, wrong = Loops(), 0, True

    async def work() -> None:
        nonlocal times
        times += 1
        if wrong:
            raise error

    with caplog.at_level(logging.INFO):
        loops.start("upkeep", work, every=0.001)
        seen = []
        while times < FAILING + 1:
            seen.append((times, loops.states["upkeep"].is_failing))
            await asyncio.sleep(0)
        assert loops.states["upkeep"].is_failing
        assert loops.states["upkeep"].error == error.__name__
        assert not any(failing for count, failing in seen if count < FAILING)
        wrong = False
        await until(lambda: loops.states["upkeep"].failures == 0)
        await loops.stop()
    assert not loops.states["upkeep"].is_failing
    assert "upkeep: works again" in caplog.messages
    assert any(message.startswith("upkeep: ") and "again" not in message for message in caplog.messages)


async def test_what_goes_on_by_itself_begins_again() -> None:
    """Where an error ends it, after a pause; the others do not hear of it, and `stop` ends all."""
    loops, begun, other = Loops(), 0, 0

    async def listen() -> None:
        nonlocal begun
        begun += 1
        if begun < 3:
            raise RuntimeError
        await asyncio.Event().wait()

    async def tick() -> None:
        nonlocal other
        other += 1

    loops.keep("listening", listen)
    loops.start("ticking", tick, every=0.01)
    await until(lambda: begun == 3 and other > 10)
    await loops.stop()
    so_far = other
    await asyncio.sleep(0.05)
    assert other == so_far


async def test_it_may_wait_for_its_first_time() -> None:
    """Not at once: what is due after a while is not done before."""
    loops, times = Loops(), 0

    async def work() -> None:
        nonlocal times
        times += 1

    loops.start("later", work, every=0.05, at_once=False)
    await asyncio.sleep(0.01)
    assert times == 0
    await until(lambda: times)
    await loops.stop()
