"""Orders given while the bot was away are carried out at its return: in order, once, and confirmed."""

from __future__ import annotations

import asyncio
from types import SimpleNamespace
from typing import Any

import discord
import pytest

from memory import DatabaseUnavailable, Mode, operator
from memory.records import InboxItem
from tests.builders import Clock, Opener, Server, lasting, query, served
from urmom_bot.cogs.platform import DiscordPlatform
from urmom_bot.cogs.translate import incoming
from urmom_bot.flow.inbox import Inbox
from urmom_bot.flow.platform import Refused, TryLater
from urmom_bot.stand_ins import DiscordStandIn, GeminiStandIn
from urmom_bot.stand_ins.world import MANAGE_MESSAGES
from urmom_bot.talk import Router


def answers(stand_in: DiscordStandIn, since: int) -> list[str]:
    return [sent.content for sent in stand_in.sent[since:]]


async def test_orders_given_while_away(opened: Opener, gemini: GeminiStandIn, clock: Clock, dsn: str) -> None:
    """Across channels, as they were given, each answered under its message; their words are kept nowhere else."""
    async with lasting(clock) as (stand_in, guild, general):
        ann, bob = stand_in.join(guild, "ann"), stand_in.join(guild, "bob")
        other = stand_in.channel(guild, "other")
        async with served(opened, gemini, clock, stand_in) as server:
            for place in (general, other):
                await stand_in.say(ann, place, "hello")
                await stand_in.say(bob, place, "hello")
            await server.settled()
        for place, text in (
            (other, "Bot remember that ann sings alto"),
            (general, "Bot forget that ann sings alto"),
            (other, "Bot remember that ann plays the lute"),
            (general, "Bot no jokes about me"),
            (general, "Bot, how is the weather?"),
            (general, "Bot, and how is the tram?"),
            (general, "the tram takes 40 minutes"),
        ):
            clock.on(minutes=1)
            await stand_in.say(ann, place, text)
        clock.on(hours=3)
        before = len(stand_in.sent)
        async with served(opened, gemini, clock, stand_in) as server:
            await server.settled()
        said = answers(stand_in, before)
        late = [text.removeprefix("📌 I was away when you wrote this. ").split()[0] for text in said]
        assert sorted(late) == ["Done,", "Got", "Got", "I", "No"], said
        assert [word for word in late if word != "I"] == ["Got", "Done,", "Got", "No"], said
        assert all(sent.reply_to for sent in stand_in.sent[before:])
        assert [row[0] for row in await query(dsn, "SELECT value FROM facts")] == [f"<@{ann.id}> plays the lute"]
        words = [
            row[0] for row in await query(dsn, "SELECT message_text FROM chat_history WHERE author_kind = 'member'")
        ]
        assert not [text for text in words if text.startswith("Bot ")]
        assert "the tram takes 40 minutes" in words
        assert not await query(dsn, "SELECT 1 FROM members WHERE username = 'ann' AND jokes")

        before = len(stand_in.sent)
        async with served(opened, gemini, clock, stand_in) as server:
            await server.settled()
        assert answers(stand_in, before) == []


async def test_an_order_that_was_begun_and_not_done(
    opened: Opener, gemini: GeminiStandIn, clock: Clock, dsn: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Where the bot ends in the middle, the next one finds the order with its words and carries it out, once."""
    async with lasting(clock) as (stand_in, guild, _):
        ann = stand_in.join(guild, "ann")
        with monkeypatch.context() as broken:

            async def away(*_: object) -> None:
                raise DatabaseUnavailable

            broken.setattr(Router, "_do", away)
            async with served(opened, gemini, clock, stand_in) as server:
                await server.ask(ann, "Bot remember that ann sings alto")
            clock.on(minutes=1)
            async with served(opened, gemini, clock, stand_in) as server:  # and again, as it catches up
                await server.settled()
        rows = await query(dsn, "SELECT message_text, off_record FROM chat_history WHERE author_kind = 'member'")
        assert [tuple(row) for row in rows] == [("Bot remember that ann sings alto", True)]
        clock.on(minutes=1)
        before = len(stand_in.sent)
        for _ in range(2):
            async with served(opened, gemini, clock, stand_in) as server:
                await server.settled()
            clock.on(minutes=1)

        (told,) = answers(stand_in, before)
        assert "Got it" in told
        assert [row[0] for row in await query(dsn, "SELECT value FROM facts")] == [f"<@{ann.id}> sings alto"]
        assert not await query(dsn, "SELECT 1 FROM chat_history WHERE message_text LIKE 'Bot %'")


async def test_rights_are_looked_up_for_an_order_from_the_history(
    opened: Opener, gemini: GeminiStandIn, clock: Clock, dsn: str
) -> None:
    """A message read from the history comes without its author's rights: a moderator keeps theirs, others get none."""
    async with lasting(clock) as (stand_in, guild, general):
        ann, bob, mod = (stand_in.join(guild, name) for name in ("ann", "bob", "mod"))
        async with served(opened, gemini, clock, stand_in) as server:
            for who in (ann, bob, mod):
                await stand_in.say(who, general, "hello")
            await server.ask(ann, "Bot remember that ann sings alto")
            await server.ask(ann, "Bot remember that ann plays the lute")
        role = stand_in.world.snowflake()
        guild.roles[role] = MANAGE_MESSAGES
        guild.member_roles[mod.id] = [role]
        await stand_in.say(bob, general, "Bot forget that ann sings alto")
        await stand_in.say(mod, general, "Bot forget that ann plays the lute")
        async with served(opened, gemini, clock, stand_in) as server:
            await server.settled()

        assert [row[0] for row in await query(dsn, "SELECT value FROM facts")] == [f"<@{ann.id}> sings alto"]


async def test_a_fault_of_discord_refuses_no_moderator(opened: Opener, gemini: GeminiStandIn, clock: Clock) -> None:
    """Where a member's rights, or the message that "this" means, cannot be looked up, it is tried again."""

    async def fails(_id: int) -> None:
        response: Any = SimpleNamespace(status=503, reason="trouble")
        raise discord.DiscordServerError(response, "trouble")

    async with served(opened, gemini, clock) as server:
        platform: Any = server.bot.flow.responder._platform
    raw = SimpleNamespace(channel=SimpleNamespace(fetch_message=fails))
    with pytest.raises(TryLater):
        await platform.replied(SimpleNamespace(raw=raw, replied=None, reply_to=5))
    with pytest.raises(TryLater):
        await platform._member(SimpleNamespace(author=SimpleNamespace(id=1), guild=SimpleNamespace(fetch_member=fails)))


async def test_rights_are_not_judged_where_the_channel_or_the_guild_is_not_known(
    opened: Opener, gemini: GeminiStandIn, clock: Clock, dsn: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A moderator's order waits until Discord tells who may do what: they are never refused for want of knowing.

    Found by the simulation (seed 44): the order was given as a connection began anew.
    """
    async with served(opened, gemini, clock) as server:
        await judged(server, dsn, monkeypatch)


async def judged(server: Server, dsn: str, monkeypatch: pytest.MonkeyPatch) -> None:
    hand, guild = server.discord, server.guild
    ann, mod = hand.join(guild, "ann"), hand.join(guild, "mod")
    role = hand.world.snowflake()
    guild.roles[role] = MANAGE_MESSAGES
    guild.member_roles[mod.id] = [role]
    await server.ask(ann, "Bot remember that ann sings alto")
    held, turn = asyncio.Event(), Inbox._wait_for_earlier_orders

    async def waits(inbox: Inbox, entry: InboxItem) -> None:
        await held.wait()
        raw = inbox._fresh[entry.key].raw
        raw.channel = server.bot.get_partial_messageable(entry.channel_id, guild_id=guild.id)
        assert server.bot.user is not None
        inbox._fresh[entry.key] = incoming(raw, server.bot.user.id)
        await turn(inbox, entry)

    monkeypatch.setattr(Inbox, "_wait_for_earlier_orders", waits)
    before = len(hand.sent)
    await hand.say(mod, server.general, "Bot forget that ann sings alto")
    await server.app.memory.messages.flush()
    await hand.remove_bot(guild, outage=True)
    held.set()
    await asyncio.sleep(0.3)
    assert answers(hand, before) == []
    await hand.add_bot(guild)
    await server.settled()

    assert "Done" in "".join(answers(hand, before))
    assert not await query(dsn, "SELECT 1 FROM facts")


async def test_what_is_told_in_a_channel_that_is_not_remembered(
    opened: Opener, gemini: GeminiStandIn, clock: Clock, dsn: str
) -> None:
    """The order is carried out where nothing of the talk is kept."""
    async with lasting(clock) as (stand_in, guild, general):
        ann = stand_in.join(guild, "ann")
        async with served(opened, gemini, clock, stand_in) as server:
            await stand_in.say(ann, general, "hello")
            await server.settled()
            await server.app.memory.guilds.set_mode(operator(guild.id), general.id, Mode.TALK)
        await stand_in.say(ann, general, "Bot remember that ann sings alto")
        async with served(opened, gemini, clock, stand_in) as server:
            await server.settled()

        assert [row[0] for row in await query(dsn, "SELECT value FROM facts")] == [f"<@{ann.id}> sings alto"]


async def test_a_joke_that_was_asked_for_while_away(opened: Opener, gemini: GeminiStandIn, clock: Clock) -> None:
    """Is made after a short absence, once, also of what was stored before; a bot's reaction asks for nothing."""
    async with lasting(clock) as (stand_in, guild, general):
        ann, robot = stand_in.join(guild, "ann"), stand_in.join(guild, "robot", bot=True)
        async with served(opened, gemini, clock, stand_in) as server:
            before = await stand_in.say(ann, general, "my kiln is so hot")
            joked = await stand_in.say(ann, general, "my glaze is so thin")
            await stand_in.react(ann, general, joked, "🤡")
            await server.settled()
        assert [sent.reply_to for sent in stand_in.sent] == [joked]
        missed = await stand_in.say(ann, general, "my oven is so old")
        by_a_bot = await stand_in.say(ann, general, "my wheel is so slow")
        await stand_in.react(robot, general, by_a_bot, "🤡")
        for said in (before, missed, joked):
            await stand_in.react(ann, general, said, "🤡")
        await stand_in.react(ann, general, by_a_bot, "👍")
        clock.on(minutes=5)
        for _ in range(2):
            async with served(opened, gemini, clock, stand_in) as server:
                await server.settled()
            assert sorted(sent.reply_to or 0 for sent in stand_in.sent[1:]) == [before, missed]
        late = await stand_in.say(ann, general, "my shelf is so bent")
        await stand_in.react(ann, general, late, "🤡")
        clock.on(hours=2)
        async with served(opened, gemini, clock, stand_in) as server:
            await server.settled()
        assert len(stand_in.sent) == 3


async def test_a_joke_about_what_was_deleted_meanwhile_loses_nothing_else(
    opened: Opener, gemini: GeminiStandIn, clock: Clock, dsn: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Who reacted cannot be asked any more; the channel is read all the same."""

    async def gone(*_: object) -> None:
        raise Refused("Unknown Message")

    monkeypatch.setattr(DiscordPlatform, "reactor", gone)
    async with lasting(clock) as (stand_in, guild, general):
        ann = stand_in.join(guild, "ann")
        async with served(opened, gemini, clock, stand_in) as server:
            await stand_in.say(ann, general, "first")
            await server.settled()
        await stand_in.say(ann, general, "missed")
        said = await stand_in.say(ann, general, "my kiln is so hot")
        await stand_in.react(ann, general, said, "🤡")
        async with served(opened, gemini, clock, stand_in) as server:
            await server.settled()
        assert len(await query(dsn, "SELECT 1 FROM chat_history WHERE author_kind = 'member'")) == 3
