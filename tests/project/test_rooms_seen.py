"""Rooms: what is said in one that a person cannot read does not exist for them, in any answer, count or receipt."""

from __future__ import annotations

import json

import pytest

from memory import Consent, Member, Viewer, operator
from tests.builders import Server, query
from urmom_bot.stand_ins import User

WORD = "zorblaxine"


async def told_in_secret(server: Server) -> tuple[User, User]:
    """Bob tells something about Ann in a room that she cannot read."""
    hand = server.discord
    ann, bob = hand.join(server.guild, "ann"), hand.join(server.guild, "bob")
    secret = await hand.open_channel(server.guild, f"{WORD}-plans", private=True)
    server.guild.roles[9] = 0
    server.guild.member_roles[bob.id] = [9]
    await hand.say(ann, server.general, "hello")
    await hand.say(bob, secret, f"ann hides {WORD} in her desk")
    await server.ask(bob, f"Bot remember that ann hides {WORD} in her desk", secret)
    await server.settled()
    return ann, secret


async def test_forgetting_is_no_oracle(discord: Server, dsn: str) -> None:
    """What she asks to have forgotten is answered the same, whether or not it was told in a room she cannot read."""
    ann, _ = await told_in_secret(discord)
    there = await discord.ask(ann, f"Bot forget that I hide {WORD} in my desk")
    absent = await discord.ask(ann, "Bot forget that I hide quuxamine in my desk")
    assert there == absent
    assert "no fact" in (await discord.ask(ann, "Bot forget #1")).lower() or "#1" in await discord.ask(
        ann, "Bot forget #1"
    )
    assert len(await query(dsn, "SELECT 1 FROM facts WHERE retired_at IS NULL")) == 1


async def test_an_export_and_its_counts_tell_nothing_of_it(discord: Server) -> None:
    """Neither words nor teller nor channel nor number; the operator's has it all."""
    ann, _ = await told_in_secret(discord)
    privacy, guild_id = discord.app.memory.privacy, discord.guild.id
    (panel,) = await discord.discord.slash(ann, discord.general, "privacy")
    assert "0 told by others" in panel.content

    viewer = Viewer(guild_id=guild_id, user_id=ann.id, is_alone=True)
    (found,) = await privacy.export(viewer, ann.id, guild_id)
    assert WORD not in json.dumps(found)
    assert found["facts"] == found["sources"] == []
    (whole,) = await privacy.export(operator(guild_id), ann.id, guild_id)
    assert WORD in json.dumps(whole)


@pytest.mark.parametrize("way", ["erase", "off"])
async def test_erasing_takes_it_and_does_not_say_so(discord: Server, dsn: str, way: str) -> None:
    """Everything about her goes everywhere; the receipt counts her rooms alone."""

    ann, _ = await told_in_secret(discord)
    guild_id = discord.guild.id
    viewer = Viewer(guild_id=guild_id, user_id=ann.id, is_alone=True)
    member = Member(guild_id=guild_id, user_id=ann.id, display_name="ann", username="ann")
    if way == "erase":
        (receipt,) = await discord.app.memory.privacy.erase(viewer, member, guild_id)
    else:
        (receipt,) = (await discord.app.memory.privacy.choose(viewer, member, Consent.OFF, guild_id)).receipts
    assert receipt.removed.get("facts", 0) == 0
    assert receipt.clean
    assert await query(dsn, "SELECT 1 FROM facts WHERE user_id = $1", ann.id) == []
    details = await query(dsn, "SELECT details::text FROM audit WHERE user_id = $1 AND actor_id = $1", ann.id)
    assert not any('"facts": 1' in row[0] for row in details)


async def test_names_of_rooms_stay_in_them(discord: Server) -> None:
    """A mention of a restricted channel in public is no name, in prompts and in facts."""
    ann, secret = await told_in_secret(discord)
    discord.gemini.asked.clear()
    told = await discord.ask(ann, f"Bot remember that I like <#{secret.id}> a lot")
    assert WORD not in told
    await discord.ask(ann, f"Bot what is <#{secret.id}> about")
    assert not any(WORD in str(prompt.sections) for prompt in discord.gemini.asked)
