"""Nothing is lost of a channel of which nothing was stored yet, of threads in the archive, of deletions long ago."""

from __future__ import annotations

import asyncio
from datetime import timedelta

import pytest

from tests.builders import Clock, Opener, Server, lasting, query, served
from urmom_bot.flow.catching_up import CatchingUp
from urmom_bot.flow.reading import ChannelReader, Reading
from urmom_bot.stand_ins import TOKEN, GeminiStandIn, online
from urmom_bot.stand_ins.world import FORUM


async def texts(dsn: str) -> list[str]:
    rows = await query(dsn, "SELECT message_text FROM chat_history WHERE author_kind = 'member' ORDER BY message_id")
    return [row[0] for row in rows]


async def test_a_channel_that_was_silent_is_read(opened: Opener, gemini: GeminiStandIn, clock: Clock, dsn: str) -> None:
    """Though another channel of its server is known up to a later message."""
    async with lasting(clock) as (stand_in, guild, general):
        ann, silent = stand_in.join(guild, "ann"), stand_in.channel(guild, "silent")
        await stand_in.say(ann, silent, "before the bot was here")
        clock.on(minutes=1)
        async with served(opened, gemini, clock, stand_in) as server:
            await stand_in.say(ann, general, "first")
            await server.settled()
            clock.on(minutes=1)
            await server.bot.flow.catching_up.note_connected()
        clock.on(minutes=5)
        await stand_in.say(ann, silent, "the first words here")
        clock.on(minutes=5)
        await query(
            dsn,
            "UPDATE channel_cursors SET last_message_id = $1 WHERE channel_id = $2",
            await stand_in.say(ann, general, "second"),
            general.id,
        )
        async with served(opened, gemini, clock, stand_in) as server:
            await server.settled()
        assert await texts(dsn) == ["first", "the first words here"]


async def test_a_server_of_which_nothing_was_stored_is_read(
    opened: Opener, gemini: GeminiStandIn, clock: Clock, dsn: str
) -> None:
    """From where the bot was first there; what was said before is not."""
    async with lasting(clock) as (stand_in, guild, general):
        ann = stand_in.join(guild, "ann")
        await stand_in.say(ann, general, "before the bot was here")
        clock.on(minutes=1)
        async with served(opened, gemini, clock, stand_in) as server:
            await server.settled()
        assert await texts(dsn) == []
        await query(dsn, "DELETE FROM channel_cursors")  # as if it was killed before it had planned anything
        clock.on(minutes=5)
        await stand_in.say(ann, general, "the first words")
        async with served(opened, gemini, clock, stand_in) as server:
            await server.settled()
        assert await texts(dsn) == ["the first words"]


async def test_a_server_is_read_from_the_moment_of_the_first_connection(
    opened: Opener, gemini: GeminiStandIn, clock: Clock, dsn: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Though the process was killed before its servers were there."""
    async with lasting(clock) as (stand_in, guild, general):
        ann = stand_in.join(guild, "ann")
        never = asyncio.Event()
        with monkeypatch.context() as early:
            early.setattr(CatchingUp, "_plan", lambda *_: never.wait())
            async with opened() as built, built.bot(connector=stand_in.connector(), guild_ready_timeout=60) as bot:
                await bot.login(TOKEN)
                connected = asyncio.create_task(bot.connect())
                while not await query(dsn, "SELECT 1 FROM shards WHERE whole_at IS NOT NULL"):
                    await asyncio.sleep(0.02)
                await bot.close()
                await connected
        clock.on(minutes=5)
        await stand_in.say(ann, general, "the first words")
        async with served(opened, gemini, clock, stand_in) as server:
            await server.settled()
        assert await texts(dsn) == ["the first words"]


async def test_another_number_of_shards_in_processes_that_start_one_after_another(
    opened: Opener, gemini: GeminiStandIn, clock: Clock, dsn: str
) -> None:
    """Each reads from where the bot was whole before: what the first of them brings says nothing of the others."""
    async with lasting(clock) as (stand_in, guild, general):
        ann, silent = stand_in.join(guild, "ann"), stand_in.channel(guild, "silent")
        async with served(opened, gemini, clock, stand_in) as server:
            await stand_in.say(ann, general, "first")
            await server.settled()
            await server.bot.flow.catching_up.note_connected()
        await query(dsn, "DELETE FROM channel_cursors WHERE channel_id = $1", silent.id)
        clock.on(minutes=5)
        await stand_in.say(ann, silent, "missed")
        clock.on(minutes=5)
        its = (guild.id >> 22) % 2
        for shard in (1 - its, its):
            clock.on(minutes=1)  # two logins of one turn have a pause between them
            async with opened(shard_count=2) as built:
                bot = built.bot(connector=stand_in.connector(), shard_ids=[shard], guild_ready_timeout=0.02)
                async with online(bot, stand_in):
                    await stand_in.settle()
                    await bot.flow.catching_up.note_connected()
        assert await texts(dsn) == ["first", "missed"]


async def test_a_server_that_let_the_bot_in_while_it_was_away(
    opened: Opener, gemini: GeminiStandIn, clock: Clock, dsn: str
) -> None:
    """Is read from then on."""
    async with lasting(clock) as (stand_in, guild, _):
        ann = stand_in.join(guild, "ann")
        async with served(opened, gemini, clock, stand_in) as server:
            await server.settled()
        clock.on(hours=1)
        other = stand_in.world.guild("other")
        place = stand_in.channel(other, "general")
        other.members[ann.id] = ann
        await stand_in.say(ann, place, "before it was let in")
        clock.on(hours=1)
        other.bot_since = clock.now
        clock.on(minutes=1)
        await stand_in.say(ann, place, "after it was let in")
        async with served(opened, gemini, clock, stand_in) as server:
            await server.settled()
        assert await texts(dsn) == ["after it was let in"]


async def test_a_second_kill_while_catching_up_loses_nothing(
    opened: Opener, gemini: GeminiStandIn, clock: Clock, dsn: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What comes meanwhile is stored, and moves nothing past the gap."""
    async with lasting(clock) as (stand_in, guild, general):
        ann, silent = stand_in.join(guild, "ann"), stand_in.channel(guild, "silent")
        async with served(opened, gemini, clock, stand_in) as server:
            await stand_in.say(ann, general, "first")
            await server.settled()
        clock.on(minutes=5)
        for channel in (general, silent):
            await stand_in.say(ann, channel, f"missed in {channel.name}")
        clock.on(minutes=5)

        async def fails(*_: object) -> None:
            raise TimeoutError

        with monkeypatch.context() as broken:
            broken.setattr(ChannelReader, "read", fails)
            async with opened() as built:
                bot = built.bot(connector=stand_in.connector(), guild_ready_timeout=0.02)
                async with bot:
                    await bot.login(TOKEN)
                    running = asyncio.create_task(bot.connect())
                    await bot.wait_until_ready()
                    await asyncio.sleep(0.3)
                    for channel in (general, silent):
                        await stand_in.say(ann, channel, f"said in {channel.name}")
                    await asyncio.sleep(0.2)
                    await built.memory.messages.flush()
                    await bot.close()
                    await running
        assert sorted(await texts(dsn)) == ["first", "said in general", "said in silent"]
        clock.on(minutes=5)
        async with served(opened, gemini, clock, stand_in) as server:
            await server.settled()
        every = {"first", *(f"{what} in {c.name}" for what in ("missed", "said") for c in (general, silent))}
        assert set(await texts(dsn)) == every


async def test_what_is_whole_is_known_of_each_channel(
    opened: Opener, gemini: GeminiStandIn, clock: Clock, dsn: str
) -> None:
    """Since when, and up to which message; before anything is written there."""
    async with lasting(clock) as (stand_in, guild, general):
        ann, silent = stand_in.join(guild, "ann"), stand_in.channel(guild, "silent")
        hidden = stand_in.channel(guild, "hidden", private=True)
        async with served(opened, gemini, clock, stand_in) as server:
            await server.settled()
            whole = await server.app.memory.messages.whole(guild.id)
            assert set(whole) == {general.id, silent.id}
            assert hidden.id not in whole
            said = await stand_in.say(ann, silent, "first")
            await server.settled()
            later = await server.app.memory.messages.whole(guild.id)
        assert later[silent.id] == (whole[silent.id][0], said)
        assert later[general.id] == whole[general.id]


@pytest.mark.parametrize("kind", [0, FORUM])
async def test_a_thread_that_went_to_the_archive_meanwhile_is_read(
    opened: Opener, gemini: GeminiStandIn, clock: Clock, dsn: str, kind: int
) -> None:
    """One that is known, of which something was deleted, and one that was opened while the bot was away."""
    async with lasting(clock) as (stand_in, guild, _):
        ann, parent = stand_in.join(guild, "ann"), stand_in.channel(guild, "parent", kind=kind)
        old = await stand_in.open_thread(parent, "old")
        async with served(opened, gemini, clock, stand_in) as server:
            known = await stand_in.open_thread(parent, "known")
            await stand_in.say(ann, known, "first")
            gone = await stand_in.say(ann, known, "deleted while away")
            await stand_in.archive(old)
            await server.settled()
            clock.on(minutes=1)
            await server.bot.flow.catching_up.note_connected()
        clock.on(minutes=5)
        await stand_in.delete(known, gone)
        await stand_in.say(ann, known, "while away")
        new = await stand_in.open_thread(parent, "new")
        await stand_in.say(ann, new, "in a new one")
        for thread in (known, new):
            await stand_in.archive(thread)
        clock.on(minutes=5)
        async with served(opened, gemini, clock, stand_in) as server:
            await server.settled()
            assert await texts(dsn) == ["first", "while away", "in a new one"]
            audiences = await query(dsn, "SELECT DISTINCT audience FROM chat_history WHERE author_kind = 'member'")
            assert len(audiences) == 1


async def test_a_thread_that_is_opened_again_is_read(
    opened: Opener, gemini: GeminiStandIn, clock: Clock, dsn: str
) -> None:
    """Where its archive could not be looked at."""
    async with lasting(clock) as (stand_in, guild, general):
        ann = stand_in.join(guild, "ann")
        async with served(opened, gemini, clock, stand_in) as server:
            thread = await stand_in.open_thread(general, "thread")
            await stand_in.say(ann, thread, "first")
            await server.settled()
            clock.on(minutes=1)
            await server.bot.flow.catching_up.note_connected()
        await stand_in.archive(thread)
        thread.archived_at = clock.now - timedelta(days=1)  # so that it is not looked at
        clock.on(minutes=5)
        async with served(opened, gemini, clock, stand_in) as server:
            await server.settled()
            stand_in.world.message(thread, ann, "said before anybody knew")
            await stand_in.archive(thread, archived=False)
            await server.settled()
            assert await texts(dsn) == ["first", "said before anybody knew"]


async def test_direct_messages_of_the_time_away_are_answered(
    opened: Opener, gemini: GeminiStandIn, clock: Clock
) -> None:
    """Each once; of one who never wrote before nobody can know."""
    async with lasting(clock) as (stand_in, guild, _):
        ann = stand_in.join(guild, "ann")
        place = await stand_in.dm_channel(ann)
        async with served(opened, gemini, clock, stand_in) as server:
            await stand_in.say(ann, place, "help")
            await server.settled()
        before = len(stand_in.sent)
        clock.on(minutes=5)
        asked = [await stand_in.say(ann, place, text) for text in ("help", "thanks")]
        for _ in range(2):
            clock.on(minutes=1)
            async with served(opened, gemini, clock, stand_in) as server:
                await server.settled()
        assert sorted(sent.reply_to or 0 for sent in stand_in.sent[before:]) == asked


async def test_what_only_compares_hides_no_message_that_could_not_be_taken(discord: Server, dsn: str) -> None:
    """A channel that is to be read again is, whatever else is read of it meanwhile."""
    recovery = discord.bot.flow.catching_up
    (place,) = [p for p in recovery._platform.channels(discord.guild.id) if p.channel_id == discord.general.id]
    recovery._again.add(place.channel_id)
    thorough = Reading((True, True, 0, 0), place, None, 1, True)
    await recovery._read(thorough)
    assert place.channel_id in recovery._again
    await recovery._read(Reading((True, False, 0, 0), place, 1, None))
    assert place.channel_id not in recovery._again


async def test_a_deletion_of_long_ago_is_found(opened: Opener, gemini: GeminiStandIn, clock: Clock, dsn: str) -> None:
    """Everything that is kept is compared, page by page, and what is there stays."""
    async with lasting(clock) as (stand_in, guild, general):
        ann = stand_in.join(guild, "ann")
        async with served(opened, gemini, clock, stand_in) as server:
            said = []
            for n in range(230):
                clock.on(seconds=1)
                said.append(await stand_in.say(ann, general, f"words {n}"))
            await server.settled()
        clock.on(days=20)
        gone = [said[0], said[110], *said[120:125], said[229]]
        for message_id in gone:
            general.messages.pop(message_id)
        general.messages[said[50]] |= {"content": "other words", "edited_timestamp": clock.now.isoformat()}
        async with served(opened, gemini, clock, stand_in) as server:
            await stand_in.say(ann, general, "and more")
            await server.settled()
        found = await texts(dsn)
        expected = [f"words {n}" for n, message_id in enumerate(said) if message_id not in gone]
        expected[expected.index("words 50")] = "other words"
        assert found == [*expected, "and more"]
