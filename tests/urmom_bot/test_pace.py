"""The limit on requests: by a clock that only sleeping moves."""

from __future__ import annotations

import asyncio

import pytest

from tests.builders import Server
from urmom_bot.pace import Pace


class Time:
    """Stands for the event loop's clock."""

    def __init__(self) -> None:
        self.now = 100.0

    def time(self) -> float:
        return self.now

    async def sleep(self, seconds: float) -> None:
        self.now += max(0.0, seconds)


@pytest.fixture
def time(monkeypatch: pytest.MonkeyPatch) -> Time:
    made = Time()
    monkeypatch.setattr("urmom_bot.pace.asyncio.get_running_loop", lambda: made)
    monkeypatch.setattr("urmom_bot.pace.asyncio.sleep", made.sleep)
    return made


async def turns(pace: Pace, time: Time, count: int) -> list[float]:
    found = []
    for _ in range(count):
        async with pace.within_limit():
            found.append(round(time.now - 100, 6))
    return found


async def test_so_many_a_second(time: Time) -> None:
    """The first at once, the others evenly, by the rate as it is then."""
    rate = 10.0
    pace = Pace(lambda: rate)
    assert await turns(pace, time, 3) == [0.0, 0.1, 0.2]
    rate = 2.0
    assert await turns(pace, time, 3) == [0.3, 0.8, 1.3]


async def test_what_somebody_waits_for_goes_first(time: Time) -> None:
    """It is counted and not held back; what can wait waits so much longer."""
    pace = Pace(lambda: 10.0)
    assert await turns(pace, time, 1) == [0.0]
    for _ in range(5):
        pace.count()
    assert await turns(pace, time, 1) == [0.6]


async def test_a_request_that_waited_is_counted_once(time: Time) -> None:
    """The one it makes in its turn is the one it waited for."""
    pace = Pace(lambda: 10.0)
    async with pace.within_limit():
        pace.count()
    assert await turns(pace, time, 1) == [0.1]


async def test_what_is_late_does_not_come_all_at_once(time: Time) -> None:
    """Where the loop was held up, the next ones are as far apart as ever."""
    pace = Pace(lambda: 10.0)
    waiting = [asyncio.create_task(turns(pace, time, 1)) for _ in range(3)]
    time.now += 5
    assert sorted([at for task in waiting for at in await task]) == [5.0, 5.1, 5.2]


async def test_a_pause_saves_nothing_up(time: Time) -> None:
    """After a quiet minute there are not sixty seconds' requests at once."""
    pace = Pace(lambda: 10.0)
    await turns(pace, time, 1)
    time.now += 60
    assert await turns(pace, time, 2) == [60.0, 60.1]


async def test_a_request_that_is_given_up_does_not_silence_the_bot(discord: Server) -> None:
    """Whoever gives up waiting for Discord's global limit, as typing does, keeps nobody else from sending."""
    rest = discord.discord.rest
    ann = discord.discord.join(discord.guild, "ann")
    rest.per_second = 0
    typing = asyncio.create_task(discord.bot.http.send_typing(discord.general.id))
    async with asyncio.timeout(10):
        while not rest.limited:
            await asyncio.sleep(0.01)
    typing.cancel()
    rest.per_second = None

    assert "Got it" in await asyncio.wait_for(discord.ask(ann, "Bot remember that ann sings alto"), 10)
