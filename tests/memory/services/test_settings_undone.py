"""What managers decided can be taken back from the log, as long as nothing else was decided since."""

from __future__ import annotations

from datetime import timedelta

import pytest

from memory import Change, MemoryManager, Mode, Teachers, Undo, Viewer
from memory.services.guilds import UNDO_SETTINGS
from tests.builders import Clock, G, Talk, query
from urmom_bot.app import App

MANAGER = Viewer(guild_id=G, user_id=9, may_manage=True)


async def last(memory: MemoryManager) -> Change:
    return next(c for c in await memory.privacy.audit(MANAGER, limit=9) if c.action != "look")


async def undone(memory: MemoryManager, viewer: Viewer = MANAGER) -> bool:
    return await memory.forgetting.undo(viewer, Undo(entry_id=(await last(memory)).entry_id)) is not None


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ({"jokes": True}, {"jokes": False}),
        ({"language": None}, {"language": "de"}),
        ({"names": ()}, {"names": ("Robo", "Robi")}),
        ({"retention_days": None, "recap": False}, {"retention_days": 7, "recap": True}),
        ({"mode": "remember"}, {"mode": "talk"}),
        ({"post_channel": None}, {"post_channel": 1 << 61}),
    ],
)
async def test_a_setting_is_put_back(app: App, before: dict[str, object], after: dict[str, object]) -> None:
    """To what held before, once."""
    memory = app.memory
    await memory.guilds.decide(MANAGER, **after)
    assert await undone(memory)
    rules = await memory.guilds.rules(G)
    assert {name: getattr(rules, name) for name in before} == before
    assert not await undone(memory)
    assert (await last(memory)).is_undone


async def test_other_decisions_are_put_back(app: App) -> None:
    """Who may teach, the log's channel, the role of everyone, what the bot does in a channel."""
    memory = app.memory
    await memory.guilds.set_teachers(MANAGER, Teachers.SELF)
    assert await undone(memory)
    await memory.guilds.set_log_channel(MANAGER, 7)
    assert await undone(memory)
    await memory.guilds.set_base_role(MANAGER, 5)
    assert await undone(memory)
    await memory.guilds.set_mode(MANAGER, 7, Mode.OFF, captions=False)
    assert await undone(memory)
    rules = await memory.guilds.rules(G)
    assert (rules.teachers, rules.log_channel, rules.base_role) == (Teachers.ANYONE, None, None)
    assert await memory.guilds.mode(G, 7) is Mode.REMEMBER
    assert (await memory.guilds.channels(G))[7].captions


async def test_what_was_decided_since_stands(app: App) -> None:
    """An old change is not taken back over a newer one."""
    memory = app.memory
    await memory.guilds.decide(MANAGER, language="de")
    first = await last(memory)
    await memory.guilds.decide(MANAGER, language="fr")
    assert await memory.forgetting.undo(MANAGER, Undo(entry_id=first.entry_id)) is None
    assert (await memory.guilds.rules(G)).language == "fr"
    assert await undone(memory)
    assert (await memory.guilds.rules(G)).language == "de"
    await memory.guilds.set_mode(MANAGER, 7, Mode.OFF)
    first = await last(memory)
    await memory.guilds.set_mode(MANAGER, 7, Mode.TALK)
    assert await memory.forgetting.undo(MANAGER, Undo(entry_id=first.entry_id)) is None
    assert await memory.guilds.mode(G, 7) is Mode.TALK


@pytest.mark.parametrize("who", ["member", "moderator"])
async def test_only_managers_take_it_back(app: App, who: str) -> None:
    memory = app.memory
    await memory.guilds.decide(MANAGER, jokes=False)
    assert not await undone(memory, Viewer(guild_id=G, user_id=9, may_moderate=who == "moderator"))
    assert not (await memory.guilds.rules(G)).jokes


async def test_it_is_so_for_a_week(app: App, clock: Clock) -> None:
    await app.memory.guilds.decide(MANAGER, jokes=False)
    clock.now += UNDO_SETTINGS + timedelta(seconds=1)
    assert not await undone(app.memory)


async def test_others_contexts_are_as_before(app: App, talk: Talk) -> None:
    """What is cached of the settings is dropped."""
    memory = app.memory
    await memory.guilds.decide(MANAGER, mode=Mode.TALK.value)
    assert (await memory.guilds.rules(G)).mode is Mode.TALK
    assert await undone(memory)
    assert (await memory.guilds.rules(G)).mode is Mode.REMEMBER


async def test_only_settings_are_put_back(app: App, dsn: str) -> None:
    """Whatever stands in the log: a column that is no setting is refused."""
    await app.memory.guilds.decide(MANAGER, jokes=False)
    await query(dsn, "UPDATE audit SET details = jsonb_set(details, '{before}', '{\"layout\": null}')")
    with pytest.raises(ValueError, match="layout"):
        await app.memory._core.store.forgetting.undo(
            G, (await last(app.memory)).entry_id, app.memory.clock(), lambda *_: True, lambda _: {}
        )
