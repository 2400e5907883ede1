"""A choice that removes what is kept asks first, says what will go, and can be undone for ten minutes."""

from __future__ import annotations

import pytest

from tests.builders import Server, choose, query
from urmom_bot.stand_ins import User

COUNTS = "SELECT (SELECT count(*) FROM chat_history), (SELECT count(*) FROM facts), (SELECT count(*) FROM fact_sources)"


async def lived(server: Server) -> tuple[User, User]:
    """Ann wrote, told of herself and of Bob; Bob told of her."""
    hand = server.discord
    ann, bob = (hand.join(server.guild, name) for name in ("ann", "bob"))
    await hand.say(ann, server.general, "the tram takes forty minutes")
    await hand.say(bob, server.general, "mine takes ten")
    await server.ask(ann, "Bot remember that I play the oboe")
    await server.ask(ann, "Bot remember that bob plays the lute")
    await server.ask(bob, "Bot remember that ann plays chess")
    return ann, bob


@pytest.mark.parametrize(
    ("label", "facts"), [("Here: nothing", 0), ("Here: facts only", 3), ("Everywhere: nothing", 0)]
)
async def test_a_choice_is_confirmed_and_undone(discord: Server, dsn: str, label: str, facts: int) -> None:
    """Nothing goes before the word is typed; then it goes at once; Undo brings back rows and the choice before."""
    hand = discord.discord
    ann, bob = await lived(discord)
    before = tuple((await query(dsn, COUNTS))[0])
    kept = await query(dsn, "SELECT value, user_id, stated_by, audience FROM facts ORDER BY fact_id")
    (panel,) = await hand.slash(ann, discord.general, "privacy")
    (sure,) = await hand.press(ann, discord.general, panel, label)
    assert "messages" in sure.content
    assert tuple((await query(dsn, COUNTS))[0]) == before
    await hand.press(ann, discord.general, sure, label)
    (field,) = (form["components"][0]["label"] for form in hand.rest.modals.values())
    (refused,) = await hand.fill_in(ann, discord.general, {field: "yes"})
    assert "type the word exactly" in refused.content
    assert tuple((await query(dsn, COUNTS))[0]) == before

    (done,) = await choose(hand, ann, discord.general, panel, label)
    assert "for ten minutes" in done.content
    assert (await query(dsn, COUNTS))[0][1] == facts
    assert not await query(dsn, "SELECT 1 FROM chat_history WHERE user_id = $1 AND message_text LIKE '%tram%'", ann.id)
    (not_his,) = await hand.press(bob, discord.general, done, "Undo")
    assert "too late to undo that" in not_his.content
    await hand.press(ann, discord.general, done, "Undo")
    assert tuple((await query(dsn, COUNTS))[0]) == before
    back = await query(dsn, "SELECT value, user_id, stated_by, audience FROM facts ORDER BY fact_id")
    assert [tuple(row) for row in back] == [tuple(row) for row in kept]
    assert not await query(dsn, "SELECT 1 FROM consents WHERE user_id = $1", ann.id)
    assert "oboe" in await discord.ask(ann, "Bot what do you know about me?")


async def test_after_ten_minutes_it_is_gone_for_good(discord: Server, dsn: str) -> None:
    """And what was sealed goes with the time."""
    hand = discord.discord
    ann, _ = await lived(discord)
    (panel,) = await hand.slash(ann, discord.general, "privacy")
    (done,) = await choose(hand, ann, discord.general, panel, "Here: nothing")
    discord.clock.on(minutes=11)
    (late,) = await hand.press(ann, discord.general, done, "Undo")
    assert "too late to undo that" in late.content
    assert (await query(dsn, COUNTS))[0][1] == 0
    assert [row[0] for row in await query(dsn, "SELECT consent FROM consents")] == ["off"]


async def test_an_earlier_choice_holds_again(discord: Server, dsn: str) -> None:
    """From facts only to nothing, and back to facts only."""
    hand = discord.discord
    ann, _ = await lived(discord)
    (panel,) = await hand.slash(ann, discord.general, "privacy")
    await choose(hand, ann, discord.general, panel, "Here: facts only")
    (done,) = await choose(hand, ann, discord.general, panel, "Here: nothing")
    await hand.press(ann, discord.general, done, "Undo")
    assert [row[0] for row in await query(dsn, "SELECT consent FROM consents")] == ["explicit"]
    assert (await query(dsn, COUNTS))[0][1] == 3


async def test_what_is_let_more_is_let_at_one_press(discord: Server, dsn: str) -> None:
    """It removes nothing."""
    hand = discord.discord
    ann, _ = await lived(discord)
    (panel,) = await hand.slash(ann, discord.general, "privacy")
    (done,) = await hand.press(ann, discord.general, panel, "Here: remember me")
    assert "I'll remember you" in done.content
    assert [row[0] for row in await query(dsn, "SELECT consent FROM consents")] == ["on"]
