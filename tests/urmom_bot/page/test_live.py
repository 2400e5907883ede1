"""Open pages hear of their own server, in turn, and no longer than they may."""

from __future__ import annotations

import pytest

from tests.builders import Talk
from urmom_bot.app import App
from urmom_bot.page.live import MAX_DELAY, PAGES_A_SECOND, STREAMS, Watchers


async def test_a_change_is_heard_in_its_own_server_alone(app: App, talk: Talk) -> None:
    watchers = Watchers(app.memory)
    with watchers.watched(1, "a") as mine, watchers.watched(2, "b") as others:
        app.memory._core.generations.move(1)
        assert mine.changed.is_set()
        assert not others.changed.is_set()
        app.memory._core.generations.move(0)
        assert others.changed.is_set()


async def test_many_pages_load_in_turn(app: App, monkeypatch: pytest.MonkeyPatch) -> None:
    """The more are open, the longer the last waits; up to a bound."""
    monkeypatch.setattr("random.uniform", lambda _least, most: most)
    watchers = Watchers(app.memory)
    assert watchers.delay(1) == 0
    with watchers.watched(1, "a"), watchers.watched(1, "b"):
        assert watchers.delay(1) == 2 / PAGES_A_SECOND
    watchers._watchers[1] = [*watchers._watchers[1], *[None] * 10_000]  # type: ignore[list-item]
    assert watchers.delay(1) == MAX_DELAY


async def test_a_session_has_so_many_open_pages(app: App) -> None:
    """With one more, the first is told no more; those of others go on."""
    watchers = Watchers(app.memory)
    with watchers.watched(1, "other") as other:
        opened = [watchers.watched(1, "mine") for _ in range(STREAMS + 1)]
        found = [one.__enter__() for one in opened]
        assert [one.is_over for one in found] == [True] + [False] * STREAMS
        assert found[0].changed.is_set()
        assert not other.is_over
        for one in opened:
            one.__exit__(None, None, None)
    assert not watchers._watchers
