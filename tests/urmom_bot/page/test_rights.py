"""Who may do what on a page: the cases of permissions over HTTP, by buttons and by forged presses."""

from __future__ import annotations

import re
from dataclasses import replace

import pytest

from memory import permissions as may
from tests.builders import Server, query, viewer_of
from tests.urmom_bot.page.browser import signed_in
from tests.urmom_bot.page.test_page import fact_of, people, promoted, room
from urmom_bot.stand_ins import User
from urmom_bot.stand_ins.world import MANAGE_GUILD, MANAGE_MESSAGES

VIEWERS = {"subject": None, "teller": None, "other": None, "moderator": MANAGE_MESSAGES, "manager": MANAGE_GUILD}
RULES = {"confirm": may.may_confirm, "correct": may.may_correct, "strike": may.may_strike}
KINDS = ("own word", "told by another", "private", "of a room")


async def told(server: Server, ann: User, bob: User, kind: str) -> None:
    """A fact about Ann."""
    if kind == "own word":
        await server.ask(ann, "Bot remember that I keep bees")
    elif kind == "private":
        await server.ask(ann, "Bot remember that I am diabetic")
        (sure,) = [s for s in server.discord.sent if s.buttons][-1:]
        await server.discord.press(ann, server.general, sure, next(iter(sure.buttons)))
        await server.settled()
    else:
        channel = await room(server, "den", bob) if kind == "of a room" else server.general
        await server.ask(bob, "Bot remember that ann keeps bees", channel)


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("who", VIEWERS)
async def test_buttons_and_forged_presses_follow_the_same_rules(
    discord: Server, address: str, dsn: str, who: str, kind: str
) -> None:
    """A button is there where the rule allows it, and a press that nobody offered changes nothing."""
    ann, bob, eve = people(discord, "ann", "bob", "eve")
    for one in (ann, bob, eve):
        await discord.ask(one, "hello")
    await told(discord, ann, bob, kind)
    visitor = {"subject": ann, "teller": bob}.get(who, eve)
    if (rights := VIEWERS[who]) is not None:
        await promoted(discord, eve, rights)
    number = await fact_of(dsn)
    memory, guild_id = discord.app.memory, discord.guild.id
    viewer = await viewer_of(
        memory,
        guild_id,
        visitor.id,
        is_alone=True,
        may_moderate=who == "moderator",
        may_manage=who == "manager",
    )
    (row,) = await query(dsn, "SELECT stated_by, audience FROM facts WHERE fact_id = $1", number)
    if kind == "of a room" and who == "teller":
        viewer = replace(viewer, readable=(row["audience"],))
    hears = row["audience"] in may.audiences_for(viewer, ann.id)
    (stored,) = (await memory.facts.get_many(viewer, [number])).values() if hears else (None,)
    allowed = {name for name, rule in RULES.items() if stored is not None and rule(viewer, stored)}
    async with signed_in(discord, address, visitor) as browser:
        path = "/me" if visitor is ann else f"/people/{ann.id}"
        await browser.get(path)
        offered = {
            press.split("|")[0] for press in browser.buttons().values() if press.split("|")[1:2] == [str(number)]
        }
        assert offered & set(RULES) == allowed
        await browser.get(f"/fact/{number}")
        assert browser.status == (200 if hears else 404)
        for name in ("strike", "confirm", "corrected"):
            if {"corrected": "correct"}.get(name, name) not in allowed:
                before = await query(dsn, "SELECT * FROM facts")
                await browser.post("/me", {"press": f"{name}|{number}|0", "f.sentence": "ann keeps wolves"})
                assert await query(dsn, "SELECT * FROM facts") == before, name
        if "strike" in allowed:
            await browser.post("/me", {"press": f"strike|{number}|0"})
            assert not await query(dsn, "SELECT 1 FROM facts WHERE retired_at IS NULL")


@pytest.mark.parametrize("who", VIEWERS)
async def test_who_restores(discord: Server, address: str, dsn: str, who: str) -> None:
    """What took the place of another fact: its subject and its teller, by the list of what was replaced."""
    ann, bob, eve = people(discord, "ann", "bob", "eve")
    for one in (ann, bob, eve):
        await discord.ask(one, "hello")
    await discord.ask(ann, "Bot remember location: Riga")
    await discord.ask(ann, "Bot remember location: Oslo")
    (old,) = [row["fact_id"] for row in await query(dsn, "SELECT fact_id FROM facts WHERE retired_at IS NOT NULL")]
    visitor = {"subject": ann, "teller": ann}.get(who, eve)
    if (rights := VIEWERS[who]) is not None:
        await promoted(discord, eve, rights)
    async with signed_in(discord, address, visitor) as browser:
        await browser.get("/me/changes" if visitor is ann else f"/people/{ann.id}/changes")
        presses = [press for press in browser.buttons().values() if press.startswith("restore|")]
        may_restore = bool(presses)
        assert may_restore == (who in ("subject", "teller"))
        await browser.post("/me", {"press": f"restore|{old}|0"})
    live = await query(dsn, "SELECT value FROM facts WHERE retired_at IS NULL")
    assert ("Riga" in live[0]["value"]) == may_restore


@pytest.mark.parametrize("who", ["subject", "other", "moderator"])
async def test_who_sees_how_a_fact_came_about(discord: Server, address: str, dsn: str, who: str) -> None:
    """Who told it, where, how sure it is, what it was used for; of others' answers nothing that is not for them."""
    ann, bob, eve = people(discord, "ann", "bob", "eve")
    for one in (ann, bob, eve):
        await discord.ask(one, "hello")
    await discord.ask(bob, "Bot remember that ann keeps bees")
    den = await room(discord, "den", bob)
    await discord.ask(bob, "Bot what do you know about ann?")
    await discord.ask(bob, "Bot tell me about ann!", den)
    if who == "moderator":
        await promoted(discord, eve, MANAGE_MESSAGES)
    async with signed_in(discord, address, ann if who == "subject" else eve) as browser:
        await browser.get(f"/fact/{await fact_of(dsn)}")
        assert "bob" in browser.text
        assert f'href="https://discord.com/channels/{discord.guild.id}/{discord.general.id}/' in browser.body
        assert "Confidence: medium." in browser.text
        assert re.search(r"Used for .{3,80}#general", browser.text)
        assert "den" not in browser.text.split()
        (why,) = re.findall(r'href="(/why/\d+)"', browser.body)
        await browser.get(why)
        assert "ann keeps bees" in browser.text
