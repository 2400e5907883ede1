"""What members allow is kept until it changes: here, in another process, and where it holds everywhere."""

from __future__ import annotations

import asyncio

import pytest

from memory import Consent, NotRemembered, Statement
from memory.ids import ALL_GUILDS
from tests.builders import G, Opener, Talk, query, viewer_of
from urmom_bot.app import App


async def heard(app: App, user_id: int, *, keeps: bool) -> bool:
    """Whether a process hears within two seconds what a member allows."""
    for _ in range(100):
        if (await app.memory.privacy.choice(G, user_id)).keeps_messages == keeps:
            return True
        await asyncio.sleep(0.02)
    return False


@pytest.mark.parametrize("where", [G, ALL_GUILDS])
async def test_a_choice_is_heard_of_by_every_process(app: App, talk: Talk, opened: Opener, where: int) -> None:
    """And taken back likewise."""
    await talk.say(1, "hello")
    await app.memory.messages.flush()
    me = await viewer_of(app.memory, G, 1)
    async with opened() as other:
        for process in (app, other):
            assert (await process.memory.privacy.choice(G, 1)).keeps_messages
        await app.memory.privacy.choose(me, talk.member(1), Consent.OFF, where)
        assert await heard(app, 1, keeps=False)
        assert await heard(other, 1, keeps=False)
        with pytest.raises(NotRemembered):
            await other.memory.facts.remember(
                me,
                Statement(guild_id=G, user_id=1, stated_by=1, quote="I own a kiln", channel_id=7, message_id=5),
                talk.member(1),
                talk.member(1),
            )
        await app.memory.privacy.choose(me, talk.member(1), Consent.ON, where)
        assert await heard(other, 1, keeps=True)


async def test_who_comes_back_is_known_by_their_names_at_once(app: App, talk: Talk, dsn: str) -> None:
    """Something of theirs was forgotten, and then who they are."""
    suppressions = app.memory._core.suppressions
    await talk.say(1, "I live in Zurich near the lake")
    await app.memory.messages.flush()
    me = await viewer_of(app.memory, G, 1)
    await app.memory.forgetting.forget(me, talk.member(1), "I live in Zurich near the lake")
    await query(dsn, f"DELETE FROM members WHERE guild_id = {G} AND user_id = 1")
    app.memory._core.generations.move(G)
    await asyncio.sleep(0.2)  # until its own news were heard
    assert (await suppressions.with_subject_names(G))[1].get(1, ()) == ()
    await talk.say(1, "hello again")
    await app.memory.messages.flush()

    names = (await suppressions.with_subject_names(G))[1][1]
    assert set(names) & set(talk.member(1).names)
    assert (await suppressions.with_subject_names(G))[1][1] == names, "kept"
