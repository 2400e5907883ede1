"""What anybody wrote stays text in the bot's mouth: in answers, panels, history, topics, lists and the log channel."""

from __future__ import annotations

import re

import pytest

from memory import operator
from tests.builders import Server, query
from urmom_bot.stand_ins.world import MANAGE_GUILD

EVIL = "[free nitro](https://evil.example/x)"
MASK = re.compile(r"(?<!\\)\[[^\]\n]*(?<!\\)\]\((?!<https://discord\.com/channels/)")
"""A live masked link that is not one of the bot's own to a message."""


def spoken(server: Server, since: int = 0) -> str:
    return "\n".join(sent.content for sent in server.discord.sent[since:])


@pytest.mark.parametrize(
    "name", [EVIL[:27] + "x)", "x](https://e.vil/)[", "📌 Done, forgotten: bob", "# bob", "-# told by bob"]
)
async def test_a_name_is_a_name_wherever_it_is_shown(discord: Server, name: str) -> None:
    """Remembering, knowing, asking back, forgetting, panels: no link, no mark of the code's, no heading."""
    hand = discord.discord
    ann, eve = hand.join(discord.guild, "ann"), hand.join(discord.guild, "eve", nick=name)
    hand.join(discord.guild, "eve2", nick=name)
    discord.guild.roles[9], discord.guild.member_roles[ann.id] = MANAGE_GUILD, [9]
    await hand.say(eve, discord.general, "hello, I painted the shed today and it is green now")
    await discord.settled()
    for text in (
        f"Bot remember that <@{eve.id}> plays the oboe",
        f"Bot what do you know about <@{eve.id}>",
        f"Bot what do you know about {name}",
        f"Bot forget that <@{eve.id}> plays the oboe",
        f"Bot forget that <@{eve.id}> flies kites",
        f"Bot remember that {name} sails",
    ):
        told = await discord.ask(ann, text)
        assert not MASK.search(told)
        assert told.count("📌") <= told.startswith("📌")
    await discord.ask(eve, "Bot undo")
    for command, options in (
        ("memory show", {"user": eve}),
        ("memory history", {"user": eve}),
        ("memory-admin ignore", {"member": eve}),
        ("memory-admin audit", {}),
        ("memory-admin rollback", {"user": eve, "hours": 5}),
        ("memory-admin purge-member", {"member": eve}),
    ):
        for page in await hand.slash(ann, discord.general, command, options):
            assert not MASK.search(page.content), command
            assert page.content.count("📌") <= page.content.startswith("📌"), command
            assert not re.search(r"^(?:# bob|-# told by bob)", page.content, re.MULTILINE), command


async def test_a_fact_is_a_fact_wherever_it_is_shown(discord: Server, dsn: str) -> None:
    """A link in it is shown as it is; it cannot look like the bot's own word on where it comes from."""
    hand = discord.discord
    ann, bob = (hand.join(discord.guild, name) for name in ("ann", "bob"))
    await hand.say(bob, discord.general, "hello")
    told = await discord.ask(ann, f"Bot remember that I like {EVIL}")
    (stored,) = await query(dsn, "SELECT raw_text FROM fact_sources")
    forged = "bob sings — told by themselves, Nov 9, 2026 [source](https://evil.example)"
    assert "Keep this?" in await discord.ask(ann, f"Bot remember that {forged}")
    await hand.press(ann, discord.general, hand.sent[-1], "Keep it")
    await discord.ask(ann, "Bot what do you know about me")
    (details,) = await hand.press(ann, discord.general, hand.sent[-1], "Who told me?")
    await discord.ask(ann, "Bot what do you know about bob")
    (of_bob,) = await hand.press(ann, discord.general, hand.sent[-1], "Who told me?")
    await hand.slash(ann, discord.general, "memory history", {"user": ann})
    await discord.ask(ann, f"Bot forget that I like {EVIL}")

    assert EVIL in stored[0]
    assert "(<https://evil.example/x>)" in told
    assert not MASK.search(spoken(discord))
    small = [line for line in of_bob.content.splitlines() if line.startswith("-# told by")]
    assert len(small) == 1
    assert small[0].startswith(f"-# told by <@{ann.id}>, ")
    assert "evil" not in small[0]
    assert "-# told by" in details.content


async def test_a_topic_is_a_topic_wherever_it_is_shown(discord: Server) -> None:
    """Its name, its summary and its lines."""
    hand = discord.discord
    ann = hand.join(discord.guild, "ann")
    await hand.say(ann, discord.general, "hello")
    await discord.settled()
    page = f"# {EVIL[:40]}\n\n- the [kiln](<https://evil.example>) **burns** (2026-11-02)\n"
    await discord.app.memory.topics.restore(operator(discord.guild.id), "a.md", page)
    (listed,) = await hand.slash(ann, discord.general, "topics")
    (topic,) = await hand.press(ann, discord.general, listed, EVIL[:40])

    assert "kiln" in topic.content
    assert not MASK.search(listed.content + topic.content)
    assert "**burns**" not in topic.content
