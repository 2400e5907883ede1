"""What goes away in Discord goes away here: channels, threads, members, guilds, and what was missed."""

import asyncio
from datetime import timedelta

import pytest

from tests.builders import Clock, Opener, Server, lasting, query, served
from urmom_bot.flow.reading import ChannelReader
from urmom_bot.stand_ins import TOKEN, GeminiStandIn
from urmom_bot.stand_ins.world import READ_MESSAGE_HISTORY


async def texts(dsn: str) -> list[str]:
    rows = await query(
        dsn,
        "SELECT message_text FROM chat_history WHERE message_text <> '' AND author_kind = 'member' ORDER BY message_id",
    )
    return [row[0] for row in rows]


@pytest.mark.parametrize("what", ["channel", "thread", "thread with its channel"])
async def test_a_deleted_channel_takes_what_was_said_and_told_there(discord: Server, dsn: str, what: str) -> None:
    """Messages, facts, summaries and the threads under it; the rest stays."""
    hand = discord.discord
    ann = hand.join(discord.guild, "ann")
    room = await hand.open_channel(discord.guild, "room")
    thread = await hand.open_thread(room, "side")
    place = room if what == "channel" else thread
    await hand.say(ann, place, "the merger closes on 3 May in Riga, nobody knows yet")
    await discord.ask(ann, "Bot remember that ann leads the merger", place)
    await hand.say(ann, discord.general, "the tram to Gdynia takes 40 minutes")
    await discord.ask(ann, "Bot remember that ann sings alto")
    discord.clock.on(hours=1)
    assert "Riga" in await discord.ask(ann, "Bot what do you know about me")
    await hand.close_channel(thread if what == "thread" else room)
    await discord.settled()

    assert await texts(dsn) == ["the tram to Gdynia takes 40 minutes"]
    assert [r[0] for r in await query(dsn, "SELECT value FROM facts")] == [f"<@{ann.id}> sings alto"]
    assert "Riga" not in await discord.ask(ann, "Bot what do you know about me")
    discord.clock.on(minutes=11)  # a day is made anew from the whole of it every ten minutes at most
    known = await discord.ask(ann, "Bot what do you know about me")
    assert "Riga" not in known
    assert "Gdynia" in known
    assert place.id not in [r[0] for r in await query(dsn, "SELECT channel_id FROM channel_settings")]


async def test_what_was_deleted_and_edited_while_away_is_found(
    opened: Opener, gemini: GeminiStandIn, clock: Clock, dsn: str
) -> None:
    """The 24 hours before the bot went away are compared with Discord at the next start."""
    async with lasting(clock) as (stand_in, guild, general):
        ann = stand_in.join(guild, "ann")
        async with served(opened, gemini, clock, stand_in) as server:
            await stand_in.say(ann, general, "stays as it is")
            gone = await stand_in.say(ann, general, "gone meanwhile")
            changed = await stand_in.say(ann, general, "changed meanwhile")
            await server.ask(ann, "Bot remember that ann sings alto")
            told = max(general.messages)
            order = max(m for m, b in general.messages.items() if b["author"]["id"] == str(ann.id))
            await server.settled()
        assert told
        await stand_in.delete(general, gone)
        await stand_in.delete(general, order)
        await stand_in.edit(general, changed, "as it reads now")
        clock.on(days=2)
        async with served(opened, gemini, clock, stand_in) as server:
            await server.settled()
            assert await texts(dsn) == ["stays as it is", "as it reads now"]
            assert not await query(dsn, "SELECT 1 FROM facts")


async def test_an_empty_history_without_the_permission_deletes_nothing(
    opened: Opener, gemini: GeminiStandIn, clock: Clock, dsn: str
) -> None:
    """Without Read Message History Discord shows an empty channel: that is no deletion."""
    async with lasting(clock) as (stand_in, guild, general):
        ann = stand_in.join(guild, "ann")
        async with served(opened, gemini, clock, stand_in) as server:
            await stand_in.say(ann, general, "stays as it is")
            await server.settled()
        general.messages.clear()
        guild.everyone &= ~READ_MESSAGE_HISTORY
        async with served(opened, gemini, clock, stand_in) as server:
            await server.settled()
            assert await texts(dsn) == ["stays as it is"]


async def test_a_channel_deleted_while_away_is_forgotten(
    opened: Opener, gemini: GeminiStandIn, clock: Clock, dsn: str
) -> None:
    """And a thread of which Discord knows nothing any more; an archived one stays."""
    async with lasting(clock) as (stand_in, guild, general):
        ann = stand_in.join(guild, "ann")
        room = stand_in.channel(guild, "room")
        async with served(opened, gemini, clock, stand_in) as server:
            old, dead = await stand_in.open_thread(general, "old"), await stand_in.open_thread(general, "dead")
            for place in (general, room, old, dead):
                await stand_in.say(ann, place, f"said in {place.name}")
            await server.settled()
        del guild.channels[room.id], guild.channels[dead.id]
        async with served(opened, gemini, clock, stand_in) as server:
            await server.settled()
            assert await texts(dsn) == ["said in general", "said in old"]


async def test_who_left_is_forgotten_after_a_grace_and_not_if_they_come_back(
    opened: Opener, gemini: GeminiStandIn, clock: Clock, dsn: str
) -> None:
    """Members are asked after once a day: without the members intent nobody says that they leave."""
    async with lasting(clock) as (stand_in, guild, general):
        ann, bob = stand_in.join(guild, "ann"), stand_in.join(guild, "bob")
        async with served(opened, gemini, clock, stand_in) as server:
            for who in (ann, bob):
                await stand_in.say(who, general, f"{who.name} was here")
                await server.ask(who, f"Bot remember that {who.name} sings alto")
            del guild.members[ann.id], guild.members[bob.id]
            await server.settled()
        clock.on(days=1)
        async with served(opened, gemini, clock, stand_in, retention_days=365) as server:
            await server.settled()
            await server.bot.flow.removals.call_roll()  # unless the bot does it by itself, and is not through yet
            async with asyncio.timeout(60):
                while len(await query(dsn, "SELECT 1 FROM members WHERE left_at IS NOT NULL")) < 2:
                    await asyncio.sleep(0.02)
            await server.bot.flow.removals.call_roll()  # its turn was today
            guild.members[bob.id] = bob
            clock.on(days=20)
            await server.app.memory.upkeep()
            assert await texts(dsn) == ["ann was here", "bob was here"]
        async with served(opened, gemini, clock, stand_in, retention_days=365) as server:
            await server.settled()
            await server.bot.flow.removals.call_roll()
            clock.on(days=11)
            await server.app.memory.upkeep()

            assert await texts(dsn) == ["bob was here"]
            assert [r[0] for r in await query(dsn, "SELECT value FROM facts")] == [f"<@{bob.id}> sings alto"]
            assert [r[0] for r in await query(dsn, "SELECT username FROM members WHERE author_kind = 'member'")] == [
                "bob"
            ]


async def test_a_grace_of_zero_keeps_who_left(opened: Opener, gemini: GeminiStandIn, clock: Clock, dsn: str) -> None:
    """LEAVE_GRACE_DAYS=0: nobody is forgotten for leaving."""
    async with served(opened, gemini, clock, leave_grace_days=0, retention_days=365) as server:
        ann = server.discord.join(server.guild, "ann")
        await server.discord.say(ann, server.general, "ann was here")
        await server.settled()
        await server.app.memory.guilds.on_members_left(server.guild.id, [ann.id])
        clock.on(days=300)
        await server.app.memory.upkeep()

        assert await texts(dsn) == ["ann was here"]


async def test_a_ban_with_a_purge_takes_the_messages(discord: Server, dsn: str) -> None:
    """Discord may not tell which messages went: the bot looks."""
    hand = discord.discord
    ann, bob = hand.join(discord.guild, "ann"), hand.join(discord.guild, "bob")
    for who in (ann, bob):
        await hand.say(who, discord.general, f"{who.name} was here")
    await discord.settled()
    await hand.ban(discord.guild, ann, purge=True)
    await discord.settled()

    assert await texts(dsn) == ["bob was here"]
    (left,) = await query(dsn, "SELECT user_id FROM members WHERE left_at IS NOT NULL")
    assert left["user_id"] == ann.id


async def test_a_guild_that_removes_the_bot_is_forgotten_after_a_week(discord: Server, clock: Clock, dsn: str) -> None:
    """All of it; an outage is no removal, and coming back in time cancels it."""
    hand = discord.discord
    ann = hand.join(discord.guild, "ann")
    await hand.say(ann, discord.general, "ann was here")
    await discord.ask(ann, "Bot remember that ann sings alto")
    await hand.remove_bot(discord.guild, outage=True)
    await hand.settle()
    clock.on(days=8)
    await discord.app.memory.upkeep()
    assert await texts(dsn) == ["ann was here"]
    await hand.add_bot(discord.guild)
    await hand.remove_bot(discord.guild)
    await hand.settle()
    clock.on(days=6)
    await discord.app.memory.upkeep()
    assert await texts(dsn) == ["ann was here"]
    await hand.add_bot(discord.guild)
    await hand.settle()
    clock.on(days=3)
    await discord.app.memory.upkeep()
    assert await texts(dsn) == ["ann was here"]
    await hand.remove_bot(discord.guild)
    await hand.settle()
    clock.on(days=7, hours=1)
    await discord.app.memory.upkeep()

    for table in ("chat_history", "facts", "members", "channel_settings", "guild_settings", "replies"):
        assert not await query(dsn, f"SELECT 1 FROM {table} WHERE guild_id = $1", discord.guild.id), table


async def test_a_guild_lost_while_away_is_noticed(
    opened: Opener, gemini: GeminiStandIn, clock: Clock, dsn: str
) -> None:
    """Removed while the bot was off: the grace begins when it finds out; an import is no guild it was in."""
    async with lasting(clock) as (stand_in, guild, general):
        ann = stand_in.join(guild, "ann")
        async with served(opened, gemini, clock, stand_in) as server:
            await stand_in.say(ann, general, "ann was here")
            await server.settled()
        stand_in.world.guilds.pop(guild.id)
        other = stand_in.world.guild("another")
        stand_in.channel(other, "general")
        async with served(opened, gemini, clock, stand_in) as server:
            await server.settled()
            assert await query(
                dsn, "SELECT 1 FROM guild_settings WHERE guild_id = $1 AND left_at IS NOT NULL", guild.id
            )


async def test_a_server_that_let_the_bot_in_before_it_ran_is_greeted(
    opened: Opener, gemini: GeminiStandIn, clock: Clock
) -> None:
    """Once, within a week; that is how it comes to a server when it is set up."""
    async with lasting(clock) as (stand_in, guild, general):
        for since, greetings in ((timedelta(days=8), 0), (timedelta(minutes=3), 1), (timedelta(minutes=9), 0)):
            guild.bot_since = clock.now - since
            before = len(stand_in.sent)
            async with served(opened, gemini, clock, stand_in):
                await stand_in.settle()
            told = stand_in.sent[before:]
            assert len(told) == greetings, since
            assert all("Set up" in sent.buttons and sent.channel_id == general.id for sent in told)


async def test_joining_a_server_says_once_what_is_stored(discord: Server) -> None:
    """One message, in the server's language, with buttons to the full text and to one's own panel."""
    hand = discord.discord
    guild = hand.world.guild("nuevo")
    hand.world.guilds.pop(guild.id)
    guild.locale = "es-ES"
    quiet = hand.channel(guild, "reglas")
    place = hand.channel(guild, "charla")
    guild.system_channel = place.id
    ann = hand.join(guild, "ann")
    before = len(hand.sent)
    await hand.add_bot(guild)
    await hand.settle()
    (greeting,) = hand.sent[before:]

    assert greeting.channel_id == place.id
    assert not quiet.messages
    assert "guardo los mensajes 30 días" in greeting.content
    (policy,) = await hand.press(ann, place, greeting, "Qué guardo", locale="es-ES")
    assert policy.ephemeral
    assert "Qué guardo, por cuánto tiempo" in policy.content
    (panel,) = await hand.press(ann, place, greeting, "Qué guardas sobre mí", locale="es-ES")
    assert "Aquí: nada" in panel.buttons
    before = len(hand.sent)
    await hand.remove_bot(guild)
    await hand.settle()
    await hand.add_bot(guild)
    await hand.settle()
    assert hand.sent[before:] == []


async def test_what_was_deleted_is_found_though_nobody_noted_when_the_bot_was_there(
    opened: Opener, gemini: GeminiStandIn, clock: Clock, dsn: str
) -> None:
    """A process that is killed before it could looks to the next one as if it had never been."""
    async with lasting(clock) as (stand_in, guild, general):
        ann = stand_in.join(guild, "ann")
        async with served(opened, gemini, clock, stand_in) as server:
            gone = await stand_in.say(ann, general, "deleted meanwhile")
            await stand_in.say(ann, general, "stays")
            await server.settled()
        await query(dsn, "DELETE FROM shards")
        general.messages.pop(gone)
        clock.on(hours=20)
        async with served(opened, gemini, clock, stand_in) as server:
            await server.settled()
            assert await texts(dsn) == ["stays"]


async def test_a_shard_counts_as_connected_once_nothing_is_missing(
    opened: Opener, gemini: GeminiStandIn, clock: Clock, dsn: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A process that ends while it reads leaves the moment as it was: the next begins where the last was whole."""
    async with lasting(clock) as (stand_in, guild, general):
        ann = stand_in.join(guild, "ann")
        async with served(opened, gemini, clock, stand_in) as server:
            await stand_in.say(ann, general, "seen")
            await server.settled()
        (before,) = await query(dsn, "SELECT whole_at FROM shards")
        clock.on(hours=1)
        await stand_in.say(ann, general, "missed")

        async def fails(*_: object) -> None:
            raise TimeoutError

        with monkeypatch.context() as broken:
            broken.setattr(ChannelReader, "read", fails)
            app = opened()
            async with app as built:
                bot = built.bot(connector=stand_in.connector(), guild_ready_timeout=0.02)
                async with bot:
                    await bot.login(TOKEN)
                    running = asyncio.create_task(bot.connect())
                    await bot.wait_until_ready()
                    await asyncio.sleep(0.3)
                    await bot.flow.catching_up.note_connected()
                    await bot.close()
                    await running
        assert [tuple(row) for row in await query(dsn, "SELECT whole_at FROM shards")] == [tuple(before)]
        async with served(opened, gemini, clock, stand_in) as server:
            await server.settled()
            assert await texts(dsn) == ["seen", "missed"]
        (after,) = await query(dsn, "SELECT whole_at FROM shards")
        assert after[0] > before[0]


async def test_a_guild_that_was_erased_and_lets_the_bot_in_again_is_known_anew(discord: Server, dsn: str) -> None:
    """It is greeted, and its channels are stored again before anything that is written there."""
    ann = discord.discord.join(discord.guild, "ann")
    await discord.discord.say(ann, discord.general, "before")
    await discord.settled()
    await discord.discord.remove_bot(discord.guild)
    await discord.settled()
    await discord.app.memory._erasure.guild(discord.guild.id)
    before = len(discord.discord.sent)
    await discord.discord.add_bot(discord.guild)
    await discord.settled()
    assert ["Set up" in sent.buttons for sent in discord.discord.sent[before:]] == [True], "it is greeted anew"
    await discord.discord.say(ann, discord.general, "after")
    await discord.settled()

    assert "after" in await texts(dsn)
    assert [row[0] for row in await query(dsn, "SELECT name FROM channel_settings")] == ["general"]
