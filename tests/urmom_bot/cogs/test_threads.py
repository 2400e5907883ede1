"""In a thread the bot stays in conversation with whoever it answered."""

from __future__ import annotations

from datetime import timedelta

import pytest

from tests.builders import Clock, Opener, Server, choose, query, served, viewer_of
from urmom_bot.stand_ins import GeminiStandIn


async def test_a_talk_in_a_thread_goes_on_without_a_mention(discord: Server, clock: Clock) -> None:
    """For seven minutes after each answer, for the one who was answered; orders too."""
    ann, bob = (discord.discord.join(discord.guild, name) for name in ("ann", "bob"))
    thread = await discord.discord.open_thread(discord.general, "kilns")
    await discord.settled()
    assert await discord.ask(ann, "how hot is the kiln", thread) == ""
    assert await discord.ask(ann, "Bot how hot is the kiln", thread)
    assert await discord.ask(ann, "and tomorrow, how hot will it be?", thread)
    assert await discord.ask(bob, "and the day after, how hot then?", thread) == ""
    clock.on(minutes=6)
    assert await discord.ask(ann, "remember that I play the cello", thread) == "📌 Got it: ann plays the cello"
    clock.on(minutes=8)
    assert await discord.ask(ann, "and in a week, how hot then?", thread) == ""
    assert await discord.ask(bob, "Bot how cold is the kiln", thread)
    assert await discord.ask(bob, "and in winter, how cold then?", thread)


@pytest.mark.parametrize("said", ["<@{bob}> how hot is yours?", "", "   "])
async def test_what_is_for_others_is_not_for_the_bot(discord: Server, said: str) -> None:
    """A mention of somebody else, a reply to somebody else, and a message without words."""
    ann, bob = (discord.discord.join(discord.guild, name) for name in ("ann", "bob"))
    thread = await discord.discord.open_thread(discord.general, "kilns")
    await discord.settled()
    written = await discord.discord.say(bob, thread, "mine is cold")
    assert await discord.ask(ann, "Bot how hot is the kiln", thread)
    assert await discord.ask(ann, said.format(bob=bob.id), thread) == ""
    assert await discord.ask(ann, "that is sad", thread, reply_to=written) == ""
    assert await discord.ask(ann, "how hot is the other one?", thread)


async def test_a_joke_begins_no_talk(discord: Server) -> None:
    """Who is joked about did not speak to the bot."""
    ann, eve = (discord.discord.join(discord.guild, name) for name in ("ann", "eve"))
    thread = await discord.discord.open_thread(discord.general, "kilns")
    await discord.settled()
    said = await discord.discord.say(ann, thread, "the kiln is hot")
    await discord.settled()
    await discord.discord.react(eve, thread, said, "🤡")
    await discord.settled()
    assert "Ur mom" in discord.discord.sent[-1].content
    assert await discord.ask(ann, "and tomorrow, how hot will it be?", thread) == ""


async def test_what_was_written_before_is_not_for_the_bot(discord: Server, clock: Clock) -> None:
    """Also where it comes after the answer, as what was missed does."""
    ann = discord.discord.join(discord.guild, "ann")
    thread = await discord.discord.open_thread(discord.general, "kilns")
    await discord.settled()
    assert await discord.ask(ann, "Bot how hot is the kiln", thread)
    before = len(discord.discord.sent)
    await discord.discord.say(ann, thread, "bob, what is for lunch?", at=clock.now - timedelta(minutes=2))
    await discord.settled()
    assert len(discord.discord.sent) == before


async def test_channels_are_no_threads(discord: Server) -> None:
    """In a channel the bot is addressed each time."""
    ann = discord.discord.join(discord.guild, "ann")
    assert await discord.ask(ann, "Bot how hot is the kiln")
    assert await discord.ask(ann, "and tomorrow, how hot will it be?") == ""


async def test_one_thread_is_not_another(discord: Server) -> None:
    """Who was answered in one is not in talk with the bot in others."""
    ann = discord.discord.join(discord.guild, "ann")
    one, two = [await discord.discord.open_thread(discord.general, name) for name in ("kilns", "trams")]
    await discord.settled()
    assert await discord.ask(ann, "Bot how hot is the kiln", one)
    assert await discord.ask(ann, "and tomorrow, how hot will it be?", two) == ""


async def test_the_first_answer_introduces_the_bot(
    opened: Opener, gemini: GeminiStandIn, clock: Clock, dsn: str
) -> None:
    """Once for each member, whoever else was told; not to who has the bot keep nothing; and not after a restart."""
    async with served(opened, gemini, clock, introduce=True) as server:
        ann, bob, eve = (server.discord.join(server.guild, name) for name in ("ann", "bob", "eve"))
        zoe = server.discord.join(server.guild, "zoe")
        assert "We haven't met" not in await server.ask(zoe, "Bot help")  # which tells of /privacy itself
        assert "We haven't met" not in await server.ask(zoe, "Bot how is the kiln")
        (page,) = await server.discord.slash(eve, server.general, "privacy")
        await choose(server.discord, eve, server.general, page, "Here: nothing")
        assert await server.ask(ann, "Bot thats right lol") == ""  # a silent answer introduces nothing
        told = await server.ask(ann, "Bot remember that I play the cello")
        assert told.startswith("📌 Got it: ann plays the cello\n-# We haven't met")
        assert "/privacy" in told
        assert "We haven't met" not in await server.ask(ann, "Bot remember that I own a tram")
        assert "We haven't met" in await server.ask(bob, "Bot how is the kiln")
        assert "We haven't met" not in await server.ask(eve, "Bot how is the kiln")
        assert "We haven't met" not in await server.ask(bob, "Bot how is the tram")
    assert {row[0] for row in await query(dsn, "SELECT username FROM members WHERE introduced")} == {
        "ann",
        "bob",
        "zoe",
    }
    async with opened(introduce=True) as built:
        assert not await built.memory.privacy.introduce(await viewer_of(built.memory, server.guild.id, ann.id))


async def test_what_can_you_do_is_short(discord: Server) -> None:
    """In each language; what else there is waits behind a button, for the one who presses it."""
    ann = discord.discord.join(discord.guild, "ann")
    for asked in ("what can you do?", "qué puedes hacer", "что ты умеешь?", "que sais-tu faire ?", "help"):
        told = await discord.ask(ann, f"Bot {asked}")
        assert len(told.splitlines()) == 7, told
        assert len(told) < 450
    (more,) = await discord.discord.press(ann, discord.general, discord.discord.sent[-1], "What else can you do?")
    assert more.ephemeral
    assert "/settings" in more.content
    (told,) = await discord.discord.slash(ann, discord.general, "help")
    assert told.ephemeral
    assert "What else can you do?" in told.buttons
