"""The status line says why the bot tells facts alone, and since when it no longer does."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from dataclasses import replace
from datetime import UTC, datetime

import pytest

from memory.ai import AITrouble
from memory.ai.governor import Quota
from memory.records import Spent
from memory.store.usage import Limits
from tests.builders import Clock, Server
from urmom_bot.presence import presence
from urmom_bot.stand_ins import Fault

NINE = datetime(2026, 11, 10, 9, tzinfo=UTC)


async def until(holds: Callable[[], bool]) -> None:
    async with asyncio.timeout(10):
        while not holds():
            await asyncio.sleep(0.01)


async def test_a_day_without_quota_is_said_and_taken_back(discord: Server, clock: Clock) -> None:
    """Until the moment at which the quota is there again; with nobody asking the bot anything."""
    ann = discord.discord.join(discord.guild, "ann")
    gateway = discord.discord.gateway
    discord.gemini.faults.append(Fault(kind="quota", seconds=3_600, whole_day=True))
    await discord.ask(ann, "Bot how are you?")
    await discord.bot.tell_presence()
    await until(lambda: gateway.presence is not None)
    assert gateway.presence == "Facts only until 08:00 UTC"  # midnight in California

    clock.on(days=1)
    await discord.bot.tell_presence()
    await until(lambda: gateway.presence is None)


@pytest.mark.parametrize(
    ("trouble", "line"),
    [
        (AITrouble.BAD_KEY, "Facts only: my AI isn't answering"),
        (AITrouble.UNKNOWN_MODEL, "Facts only: my AI isn't answering"),
        (AITrouble.UNREACHABLE, "Facts only: my AI isn't answering"),
        (AITrouble.MINUTE_OUT, None),
        (None, None),
    ],
)
def test_what_lasts_is_said(trouble: AITrouble | None, line: str | None) -> None:
    """StartupError that somebody has to see to is; a minute without quota is not."""
    well = Quota(model="b", spent=Spent(), limits=Limits(), blocked_until=None)
    assert presence([well, replace(well, model="s", trouble=trouble)]) == line


def test_the_model_that_answers_comes_first() -> None:
    """That answers are facts alone matters more than that nothing new is read; no AI at all is no trouble."""
    well = Quota(model="b", spent=Spent(), limits=Limits(), blocked_until=None)
    out = replace(well, out_until=NINE)
    assert presence([out, well]) == "Not reading anything new until 09:00 UTC"
    assert presence([out, replace(out, model="s")]) == "Facts only until 09:00 UTC"
    assert presence([out]) == "Facts only until 09:00 UTC"
    assert presence([]) is None


async def test_it_is_shown_once(discord: Server, monkeypatch: pytest.MonkeyPatch) -> None:
    """Discord limits how often a status may change: what it says already is not sent again."""
    shown: list[object] = []

    async def change(**more: object) -> None:
        shown.append(more)

    monkeypatch.setattr(discord.bot, "change_presence", change)
    discord.gemini.faults.append(Fault(kind="quota", seconds=3_600, whole_day=True))
    await discord.ask(discord.discord.join(discord.guild, "ann"), "Bot how are you?")
    for _ in range(3):
        await discord.bot.tell_presence()
    assert len(shown) == 1
