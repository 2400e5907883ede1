"""Posts go out, and are taken back, by the real client."""

from __future__ import annotations

from collections.abc import AsyncIterator
from datetime import timedelta

import pytest

from memory import Viewer
from tests.builders import Clock, Opener, Server, query, served
from urmom_bot.stand_ins import GeminiStandIn
from urmom_bot.stand_ins.world import MANAGE_GUILD


@pytest.fixture
async def discord(opened: Opener, gemini: GeminiStandIn, clock: Clock) -> AsyncIterator[Server]:
    clock.set(2026, 11, 8, 12)  # a Sunday
    async with served(opened, gemini, clock) as running:
        yield running


async def talked(server: Server, *more: str) -> list[int]:
    """A day's talk in the first channel."""
    said = (
        "the potluck is on 14 November in the old library",
        "the kiln works again, the fuse of 16 amperes was the culprit",
        "Cid brings the 30 chairs from the parish hall",
        "the choir sings three songs by Dowland first",
        "the yard was swept and the gate has new hinges",
        *more,
    )
    ann = server.discord.join(server.guild, "ann")
    ids = [await server.discord.say(ann, server.general, text) for text in said]
    await server.settled()
    return ids


async def test_a_recap_is_posted_and_taken_back(discord: Server, clock: Clock, dsn: str) -> None:
    """Chosen in `/settings`, posted without a ping, and deleted with a message that it rests on."""
    hand, boss = discord.discord, discord.discord.join(discord.guild, "boss")
    discord.guild.roles[99] = MANAGE_GUILD
    discord.guild.member_roles[boss.id] = [99]
    news = await hand.open_channel(discord.guild, "news")
    (page,) = await hand.slash(boss, discord.general, "settings")
    assert not await hand.press(boss, discord.general, page, "Recap, birthdays …")
    (page,) = await hand.fill_in(
        boss,
        discord.general,
        {"Where I post": str(news.id), "A recap every Monday": "yes", "Birthday wishes": "no"},
    )
    assert f"Those posts go in <#{news.id}>" in page.content
    ids = await talked(discord)
    clock.set(2026, 11, 9, 9)
    (shown,) = await hand.press(boss, discord.general, page, "Preview the recap")
    assert shown.ephemeral
    assert "Only you see this" in shown.content
    before = len(hand.sent)
    await discord.bot.flow.poster.post_due()
    (sent,) = hand.sent[before:]
    assert (sent.channel_id, sent.pings) == (news.id, ())
    assert "our week**" in sent.content
    assert len(news.messages) == 1
    await discord.settled()
    assert not await query(dsn, "SELECT 1 FROM chat_history WHERE message_text LIKE '%our week%'")
    await hand.delete(discord.general, *ids)
    await discord.settled()
    clock.on(minutes=10)
    await discord.bot.flow.poster.post_due()
    assert not news.messages
    clock.on(minutes=10)
    await discord.bot.flow.poster.post_due()
    assert not news.messages


async def test_nothing_of_an_age_restricted_channel_is_posted(discord: Server, clock: Clock) -> None:
    """Neither of it nor of its threads, archived ones among them."""
    manager = Viewer(guild_id=discord.guild.id, user_id=9, may_manage=True)
    news = await discord.discord.open_channel(discord.guild, "news")
    await discord.app.memory.guilds.decide(manager, post_channel=news.id, recap=True)
    den = await discord.discord.open_channel(discord.guild, "den")
    den.nsfw = True
    await discord.discord.gateway.dispatch("CHANNEL_UPDATE", den.payload(), discord.guild.id)
    thread = await discord.discord.open_thread(den, "whips")
    ann = discord.discord.join(discord.guild, "ann")
    for n in range(6):
        await discord.discord.say(ann, thread, f"the whip shop has {n + 20} sorts of leather in stock")
    await discord.settled()
    await discord.discord.archive(thread)
    await talked(discord)
    clock.set(2026, 11, 9, 9)
    await discord.bot.flow.poster.post_due()
    (posted,) = news.messages.values()
    assert "potluck" in posted["content"]
    assert "whip" not in posted["content"]


async def test_a_channel_that_the_bot_may_not_write_in_is_tried_again(discord: Server, clock: Clock) -> None:
    manager = Viewer(guild_id=discord.guild.id, user_id=9, may_manage=True)
    news = await discord.discord.open_channel(discord.guild, "news")
    await discord.app.memory.guilds.decide(manager, post_channel=news.id, recap=True)
    await talked(discord)
    clock.set(2026, 11, 9, 9)
    discord.discord.rest.refusing.append(403)
    await discord.bot.flow.poster.post_due()
    assert not news.messages
    clock.now += timedelta(hours=1)
    await discord.bot.flow.poster.post_due()
    assert len(news.messages) == 1
