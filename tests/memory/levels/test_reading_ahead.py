"""Days that nobody asked about are read before they are gone, and when the quota would go unused."""

from datetime import datetime, timedelta

import pytest

from memory import Channel, Mode, Viewer, public
from memory.levels.reading_ahead import FEWEST_MESSAGES, IDLE, LAST_CHANCE
from tests.builders import Clock, G, Opener, Talk, query
from urmom_bot.app import App
from urmom_bot.stand_ins import Fault, GeminiStandIn


def idle(clock: Clock) -> None:
    """Go on to the last hours of the provider's day (Los Angeles: it ends at 08:00 UTC in winter)."""
    clock.now = clock.now.replace(hour=6, minute=0) + timedelta(days=1)


async def chatter(talk: Talk, at: datetime, lines: int = FEWEST_MESSAGES, **more: object) -> None:
    await talk.app.memory.guilds.update_channel(Channel(guild_id=G, channel_id=7, name="general"))
    for n in range(lines):
        await talk.say(1 + n % 2, f"line {n} about the kiln of {at:%d %B}", at + timedelta(minutes=n), **more)


def days_read(gemini: GeminiStandIn) -> list[str]:
    return [asked.sections["day"].split()[1] for asked in gemini.asked if asked.name == "Notes of a day"]


async def test_quiet_days_are_read_at_the_end_of_the_quotas_day(
    app: App, talk: Talk, gemini: GeminiStandIn, clock: Clock, dsn: str
) -> None:
    """The newest first, each once; a day with a handful of words is not worth a call, and today waits."""
    for back in (9, 3):
        await chatter(talk, clock.now - timedelta(days=back))
    await chatter(talk, clock.now - timedelta(days=5), FEWEST_MESSAGES - 1)
    assert await app.memory.read_ahead() == 0
    idle(clock)
    await chatter(talk, clock.now - timedelta(hours=2))
    assert await app.memory.read_ahead() == 2
    assert days_read(gemini) == ["2026-11-07", "2026-11-01"]
    assert await app.memory.read_ahead() == 0
    assert await query(dsn, "SELECT 1 FROM notes")


async def test_a_day_is_read_before_its_messages_go(
    app: App, talk: Talk, gemini: GeminiStandIn, clock: Clock, dsn: str
) -> None:
    """At any hour, two days before; what it showed is known when the messages are gone."""
    await chatter(talk, clock.now - timedelta(days=28, hours=12))
    await chatter(talk, clock.now - timedelta(days=20))
    assert await app.memory.read_ahead() == 1
    clock.on(hours=72)
    await app.memory.upkeep()

    assert days_read(gemini) == ["2026-10-13"]
    assert "13 October" in (await app.memory.get_memories(G, 1) or "")
    assert len(await query(dsn, "SELECT 1 FROM chat_history")) == FEWEST_MESSAGES


@pytest.mark.parametrize("why", ["the server", "memory off", "no share", "left"])
async def test_what_is_not_read_ahead(
    opened: Opener, talk: Talk, gemini: GeminiStandIn, clock: Clock, why: str
) -> None:
    """Where the server, or whoever runs the bot, does not want it."""
    async with opened(read_ahead_share=0 if why == "no share" else 25) as built:
        memory = built.memory
        await chatter(talk, clock.now - timedelta(days=3))
        manager = Viewer(guild_id=G, user_id=1, may_manage=True)
        if why == "the server":
            await memory.guilds.decide(manager, read_ahead=False)
        elif why == "memory off":
            await memory.guilds.decide(manager, mode=Mode.TALK.value)
        elif why == "left":
            await memory.guilds.on_bot_removed(G)
        idle(clock)
        assert await memory.read_ahead() == 0
    assert not days_read(gemini)


async def test_it_takes_its_share_and_no_more(opened: Opener, talk: Talk, gemini: GeminiStandIn, clock: Clock) -> None:
    """A quarter of the day's requests; the rest is for people, and tomorrow it goes on."""
    async with opened(gemini_limits="30 rpm 1000k tpm 12 rpd") as built:
        for back in range(2, 8):
            await chatter(talk, clock.now - timedelta(days=back))
        idle(clock)
        await built.memory.read_ahead()
        assert len(days_read(gemini)) == 3
        await chatter(talk, clock.now - timedelta(minutes=9))
        found = (await built.memory.replies.contexts(public(G), [1], wait=60))[1]
        assert found.trouble is None
        before = len(days_read(gemini))
        idle(clock)
        await built.memory.read_ahead()
        assert len(days_read(gemini)) <= before + 3


async def test_an_outage_ends_it_until_the_next_time(
    app: App, talk: Talk, gemini: GeminiStandIn, clock: Clock, dsn: str
) -> None:
    """Nothing is lost, and nothing is asked for again and again."""
    for back in (2, 3, 4):
        await chatter(talk, clock.now - timedelta(days=back))
    idle(clock)
    gemini.faults.extend(Fault(kind="error") for _ in range(8))
    assert await app.memory.read_ahead() == 0
    assert len(gemini.asked) <= 4
    gemini.faults.clear()
    clock.on(minutes=61)
    assert await app.memory.read_ahead() == 3
    (row,) = await query(dsn, "SELECT count(*) AS slices FROM slices")
    assert row["slices"] == 3


def test_the_figures_of_the_documents() -> None:
    """Two days before its messages go; the last three hours; days of five messages or more."""
    assert (timedelta(days=2), timedelta(hours=3), 5) == (LAST_CHANCE, IDLE, FEWEST_MESSAGES)
