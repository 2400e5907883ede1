"""What is written on Discord reaches memory: the real bot on the stand-in."""

import asyncio
from collections.abc import Callable

import pytest

from memory import EVERYONE, DatabaseUnavailable
from memory.ingest import Ingest
from memory.rules.audiences import CLASSES
from tests.builders import Clock, Opener, Server, query, served
from urmom_bot.stand_ins import DiscordStandIn, GeminiStandIn, User, World
from urmom_bot.stand_ins.world import FORUM, VOICE


async def stored(server: Server, dsn: str) -> dict[str, object]:
    await server.settled()
    return {r["message_text"]: r for r in await query(dsn, "SELECT * FROM chat_history ORDER BY message_id")}


async def test_every_kind_of_channel_is_read(discord: Server, dsn: str) -> None:
    """Text, voice chat, threads and forum posts; replies keep their reference."""
    hand = discord.discord
    ann = hand.join(discord.guild, "ann")
    voice = await hand.open_channel(discord.guild, "voice", kind=VOICE)
    forum = await hand.open_channel(discord.guild, "forum", kind=FORUM)
    post = await hand.open_thread(forum, "a question")
    thread = await hand.open_thread(discord.general, "aside")
    first = await hand.say(ann, discord.general, "in text")
    await hand.say(ann, discord.general, "an answer", reply_to=first)
    for channel, text in ((voice, "in voice"), (post, "in a post"), (thread, "in a thread")):
        await hand.say(ann, channel, text)

    rows = await stored(discord, dsn)
    assert set(rows) == {"in text", "an answer", "in voice", "in a post", "in a thread"}
    assert rows["an answer"]["reply_to_id"] == first  # type: ignore[index]
    assert {r["audience"] for r in rows.values()} == {EVERYONE}  # type: ignore[index]


async def test_whatever_a_message_carries_becomes_a_line(discord: Server, dsn: str) -> None:
    """Attachments, stickers, embeds, polls and forwards: name and kind, never an address."""
    hand = discord.discord
    ann = hand.join(discord.guild, "ann")
    url = "https://cdn.discordapp.com/attachments/1/2/cat.png?ex=1"
    file = {"id": "5", "filename": "cat.png", "size": 1, "url": url, "proxy_url": url, "content_type": "image/png"}
    await hand.say(ann, discord.general, "look", attachments=[file])
    await hand.say(ann, discord.general, "", sticker_items=[{"id": "6", "name": "Wave", "format_type": 1}])
    await hand.say(
        ann, discord.general, "read", embeds=[{"type": "rich", "title": "News", "description": "Kilns are back"}]
    )
    await hand.say(ann, discord.general, "so good <:blobcat:123456789012345678> <a:wave:123456789012345679>")
    await hand.say(ann, discord.general, "", poll=POLL)
    await hand.forward(ann, discord.general, "from afar")

    rows = await stored(discord, dsn)
    assert list(rows) == [
        "look\n[image: cat.png]",
        "[sticker: Wave]",
        "read\n[embed: News — Kilns are back]",
        "so good :blobcat: :wave:",
        "[poll: Pizza? (yes, no)]",
        "[forwarded: from afar]",
    ]
    assert not any("http" in text for text in rows)


POLL = {
    "question": {"text": "Pizza?"},
    "answers": [{"answer_id": 1, "poll_media": {"text": "yes"}}, {"answer_id": 2, "poll_media": {"text": "no"}}],
    "expiry": "2026-12-01T00:00:00+00:00",
    "allow_multiselect": False,
    "layout_type": 1,
}


async def test_a_polls_result_is_known(discord: Server, dsn: str) -> None:
    """The votes stand below the poll once it is over, and Discord's own message tells who won."""
    hand = discord.discord
    ann = hand.join(discord.guild, "ann")
    message = await hand.say(ann, discord.general, "", poll=POLL)
    counts = [{"id": 1, "count": 5, "me_voted": False}, {"id": 2, "count": 2, "me_voted": False}]
    await hand.extend(
        discord.general, message, poll={**POLL, "results": {"is_finalized": True, "answer_counts": counts}}
    )
    told = {
        "poll_question_text": "Pizza?",
        "victor_answer_votes": "5",
        "total_votes": "7",
        "victor_answer_id": "1",
        "victor_answer_text": "yes",
    }
    fields = [{"name": name, "value": value, "inline": False} for name, value in told.items()]
    await hand.say(ann, discord.general, "", type=46, embeds=[{"type": "poll_result", "fields": fields}])
    tie = [{"name": "poll_question_text", "value": "Soup?"}, {"name": "total_votes", "value": "4"}]
    await hand.say(ann, discord.general, "", type=46, embeds=[{"type": "poll_result", "fields": tie}])

    assert list(await stored(discord, dsn)) == [
        "[poll: Pizza? (yes, no)]\n[votes: yes: 5, no: 2]",
        "[poll result: Pizza?: yes won with 5 of 7 votes]",
        "[poll result: Soup?: no answer won, 4 votes]",
    ]


async def test_a_forum_post_has_its_title_and_tags(discord: Server, dsn: str) -> None:
    """With the message that begins it, and no other."""
    hand = discord.discord
    ann = hand.join(discord.guild, "ann")
    forum = await hand.open_channel(discord.guild, "help", kind=FORUM)
    post = await hand.open_thread(forum, "Kiln will not heat")
    await hand.say(ann, post, "it stays cold", id=str(post.id))
    await hand.say(ann, post, "still cold")

    assert list(await stored(discord, dsn)) == ["it stays cold\n[post: Kiln will not heat]", "still cold"]


async def test_a_thread_begins_with_its_name(discord: Server, dsn: str) -> None:
    """Where it hangs under a message, as an answer to that."""
    hand = discord.discord
    ann = hand.join(discord.guild, "ann")
    first = await hand.say(ann, discord.general, "the kiln is cold")
    thread = await hand.open_thread(discord.general, "Kiln trouble")
    reference = {"type": 0, "channel_id": str(discord.general.id), "message_id": str(first)}
    await hand.say(ann, thread, "", type=21, message_reference=reference)

    rows = await stored(discord, dsn)
    assert rows["[thread: Kiln trouble]"]["reply_to_id"] == first  # type: ignore[index]


async def test_what_a_preview_loses_is_gone(discord: Server, dsn: str) -> None:
    """Somebody who removes a link's preview takes what was made from it along, as by an edit."""
    hand = discord.discord
    ann = hand.join(discord.guild, "ann")
    message = await hand.say(ann, discord.general, "see kilns.example")
    await hand.extend(discord.general, message, embeds=[{"type": "link", "title": "Kilns are back"}])
    await discord.settled()
    reads = (
        "INSERT INTO slices (guild_id, for_date, audience, from_id, through_id, messages, fingerprint, model, made_at)"
    )
    await query(
        dsn,
        f"{reads} VALUES ($1, '2026-11-10', 0, $2, $2, 1, 'f', 'm', now())",
        discord.guild.id,
        message,
    )
    await hand.extend(discord.general, message, content="see kilns.example")
    await discord.settled()
    assert not await query(dsn, "SELECT 1 FROM chat_history WHERE reread")
    await hand.extend(discord.general, message, embeds=[])

    assert list(await stored(discord, dsn)) == ["see kilns.example"]
    assert [row["message_id"] for row in await query(dsn, "SELECT message_id FROM chat_history WHERE reread")] == [
        message
    ]


async def test_bots_webhooks_and_itself_are_marked(discord: Server, dsn: str) -> None:
    """Who is no person is known as such; what the bot answers to an order is kept without its words."""
    hand = discord.discord
    ann, robot = hand.join(discord.guild, "ann"), hand.join(discord.guild, "robot", bot=True)
    await hand.say(robot, discord.general, "beep")
    await hand.say(ann, discord.general, "by webhook", webhook_id="123")
    await discord.ask(ann, "Bot help")

    rows = await stored(discord, dsn)
    kinds = {text.split("\n")[0]: row["author_kind"] for text, row in rows.items()}  # type: ignore[index]
    assert kinds["beep"] == "bot"
    assert kinds["by webhook"] == "webhook"
    told = await query(dsn, "SELECT message_text, off_record FROM chat_history WHERE author_kind = 'self'")
    assert [tuple(row) for row in told] == [("", True)]


async def test_edits_replace_and_previews_are_added(discord: Server, dsn: str) -> None:
    """A link's preview comes later and edits nothing: its title and description stand below the words."""
    hand = discord.discord
    ann = hand.join(discord.guild, "ann")
    message = await hand.say(ann, discord.general, "first words")
    await discord.settled()
    preview = {"type": "link", "title": "Kilns", "description": "All about kilns", "url": "https://kilns.example"}
    await hand.extend(discord.general, message, embeds=[preview])
    (row,) = (await stored(discord, dsn)).values()
    assert row["message_text"] == "first words\n[embed: Kilns — All about kilns]"
    assert row["edited_at"] is None
    await hand.edit(discord.general, message, "second words", embeds=[])

    assert list(await stored(discord, dsn)) == ["second words"]


async def test_deleted_messages_go(discord: Server, dsn: str) -> None:
    """One by one, and in bulk."""
    hand = discord.discord
    ann = hand.join(discord.guild, "ann")
    ids = [await hand.say(ann, discord.general, f"words {n}") for n in range(5)]
    await discord.settled()
    await hand.delete(discord.general, ids[0])
    await hand.delete(discord.general, *ids[1:4])

    assert list(await stored(discord, dsn)) == ["words 4"]


async def test_restricted_channels_have_their_own_audience(discord: Server, dsn: str) -> None:
    """A channel hidden from everyone, and what hangs under it; a private thread is its own."""
    hand = discord.discord
    ann = hand.join(discord.guild, "ann")
    staff = await hand.open_channel(discord.guild, "staff", private=True)
    aside = await hand.open_thread(staff, "aside")
    alone = await hand.open_thread(discord.general, "alone", private=True)
    for channel, text in ((staff, "in staff"), (aside, "in its thread"), (alone, "in private")):
        await hand.say(ann, channel, text)

    rows = await stored(discord, dsn)
    found = {text: row["audience"] for text, row in rows.items()}  # type: ignore[index]
    assert found["in staff"] == found["in its thread"] >= CLASSES
    assert found["in private"] == alone.id


async def test_audiences_follow_permissions(discord: Server, dsn: str) -> None:
    """When a channel closes or opens, what was written there moves with it, threads included."""
    hand = discord.discord
    ann = hand.join(discord.guild, "ann")
    room = await hand.open_channel(discord.guild, "room")
    aside = await hand.open_thread(room, "aside")
    await hand.say(ann, room, "in the room")
    await hand.say(ann, aside, "aside in the room")
    await discord.settled()
    await hand.hide(room)
    (closed,) = {r["audience"] for r in (await stored(discord, dsn)).values()}  # type: ignore[index]
    await hand.hide(room, hidden=False)
    opened = {r["audience"] for r in (await stored(discord, dsn)).values()}  # type: ignore[index]

    assert closed >= CLASSES
    assert opened == {EVERYONE}


async def test_direct_messages_are_answered_and_not_stored(discord: Server, dsn: str) -> None:
    """Talk in private leaves no trace but the claim that it was answered."""
    ann = discord.discord.join(discord.guild, "ann")
    before = len(discord.discord.sent)
    await discord.discord.dm(ann, "hello there, who are you?")
    await discord.discord.dm(ann, "remember that I like secrets")
    await discord.settled()

    answers = [sent.content for sent in discord.discord.sent[before:]]
    assert len(answers) == 2
    assert any("belongs to a server" in answer for answer in answers)
    assert not await stored(discord, dsn)
    assert not await query(dsn, "SELECT 1 FROM facts")


async def test_what_was_missed_while_away_is_caught_up_on(
    opened: Opener, gemini: GeminiStandIn, clock: Clock, dsn: str
) -> None:
    """After a restart everything written meanwhile is there, in channels new and old, once."""
    stand_in = DiscordStandIn(World(clock))
    guild = stand_in.world.guild("the server")
    general = stand_in.channel(guild, "general")
    ann = stand_in.join(guild, "ann")
    await stand_in.say(ann, general, "before the bot came")
    clock.on(minutes=1)
    await stand_in.start()
    try:
        async with served(opened, gemini, clock, stand_in) as server:
            await stand_in.say(ann, general, "seen")
            await server.settled()
        clock.on(minutes=5)
        new = stand_in.channel(guild, "new")
        for n in range(150):
            await stand_in.say(ann, general, f"missed {n}")
        await stand_in.say(ann, new, "missed in a new channel")
        async with served(opened, gemini, clock, stand_in) as server:
            await stand_in.say(ann, general, "seen again")
            rows = await stored(server, dsn)
    finally:
        await stand_in.close()

    assert set(rows) == {"seen", "seen again", "missed in a new channel", *(f"missed {n}" for n in range(150))}


async def test_a_lost_connection_loses_nothing(discord: Server, dsn: str) -> None:
    """What is sent while the gateway is away comes with the resume, whose RESUMED has no data."""
    hand = discord.discord
    ann = hand.join(discord.guild, "ann")
    await hand.say(ann, discord.general, "before")
    await hand.gateway.drop()
    for n in range(20):
        await hand.say(ann, discord.general, f"while away {n}")
    for _ in range(100):
        await asyncio.sleep(0.05)
        if len(await query(dsn, "SELECT 1 FROM chat_history")) == 21:
            break

    assert len(await stored(discord, dsn)) == 21
    assert hand.gateway.identified == 1


async def test_what_memory_has_no_room_for_is_read_again_later(
    discord: Server, dsn: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """When memory is full a message is not lost: the channel is read from its cursor."""
    hand = discord.discord
    ann = hand.join(discord.guild, "ann")
    await hand.say(ann, discord.general, "first")
    await discord.settled()
    offer, refused = Ingest.offer, 0

    async def full(self: Ingest, write: object) -> bool:
        nonlocal refused
        refused += 1
        return False if refused <= 3 else await offer(self, write)  # type: ignore[arg-type]

    monkeypatch.setattr(Ingest, "offer", full)
    for n in range(10):
        await hand.say(ann, discord.general, f"words {n}")

    assert set(await stored(discord, dsn)) == {"first", *(f"words {n}" for n in range(10))}
    assert refused >= 1


async def test_without_the_content_intent_the_bot_says_so(opened: Opener, gemini: GeminiStandIn, clock: Clock) -> None:
    """discord.py's own error reaches the caller."""
    import discord as library

    stand_in = DiscordStandIn(World(clock), message_content_intent=False)
    stand_in.world.guild("the server")
    await stand_in.start()
    try:
        async with opened() as built:
            bot = built.bot(connector=stand_in.connector())
            with pytest.raises(library.PrivilegedIntentsRequired):
                async with bot:
                    await bot.start("stand-in.token")
    finally:
        await stand_in.close()


async def test_a_thread_moves_with_its_channel_even_from_the_archive(discord: Server, dsn: str) -> None:
    """When a channel closes, what was written in its threads moves with it, cached or not."""
    hand = discord.discord
    ann = hand.join(discord.guild, "ann")
    room = await hand.open_channel(discord.guild, "room")
    aside = await hand.open_thread(room, "aside")
    await hand.say(ann, aside, "aside in the room")
    await discord.settled()
    payload = aside.payload()
    payload["thread_metadata"]["archived"] = True
    await hand.gateway.dispatch("THREAD_UPDATE", payload, discord.guild.id)
    await hand.hide(room)

    (audience,) = {r["audience"] for r in (await stored(discord, dsn)).values()}  # type: ignore[index]
    assert audience >= CLASSES


async def test_a_quiet_channel_is_caught_up_on(opened: Opener, gemini: GeminiStandIn, clock: Clock, dsn: str) -> None:
    """A channel in which nobody wrote since the bot came is not forgotten when somebody does while it is away."""
    stand_in = DiscordStandIn(World(clock))
    guild = stand_in.world.guild("the server")
    general, quiet = stand_in.channel(guild, "general"), stand_in.channel(guild, "quiet")
    ann = stand_in.join(guild, "ann")
    await stand_in.start()
    try:
        async with served(opened, gemini, clock, stand_in) as server:
            await stand_in.say(ann, general, "seen")
            await server.settled()
        clock.on(minutes=5)
        await stand_in.say(ann, quiet, "an announcement")
        async with served(opened, gemini, clock, stand_in) as server:
            rows = await stored(server, dsn)
    finally:
        await stand_in.close()

    assert set(rows) == {"seen", "an announcement"}


class Held:
    """Lets the first `passing` calls of a method that count through, and holds what the next one brings."""

    def __init__(
        self,
        monkeypatch: pytest.MonkeyPatch,
        of: object,
        name: str,
        passing: int = 0,
        counts: Callable[..., bool] = lambda *_: True,
    ) -> None:
        self._real = getattr(of, name)
        self._passing = passing
        self._counts = counts
        self.begun, self.go_on = asyncio.Event(), asyncio.Event()
        self.given: list[tuple[object, ...]] = []
        monkeypatch.setattr(type(of), name, lambda _, *given: self(*given))

    async def __call__(self, *given: object) -> object:
        self.given.append(given)
        found = await self._real(*given)
        if not self._counts(*given):
            return found
        self._passing -= 1
        if self._passing == -1:
            self.begun.set()
            await self.go_on.wait()
        return found


async def lost_and_back(discord: Server, ann: User, missed: str) -> None:
    """The connection is lost for good, and something is written before there is another."""
    hand = discord.discord
    before = hand.gateway.identified
    await hand.gateway.drop(for_good=True)
    await hand.say(ann, discord.general, missed)
    async with asyncio.timeout(20):
        while hand.gateway.identified == before:
            await asyncio.sleep(0.01)


async def test_what_is_planned_for_one_connection_knows_nothing_of_the_next(
    discord: Server, dsn: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A connection is lost again while it is planned what the one before missed."""
    hand, memory = discord.discord, discord.app.memory
    ann = hand.join(discord.guild, "ann")
    await hand.say(ann, discord.general, "before")
    await discord.settled()
    plan = Held(monkeypatch, memory.messages, "cursors")
    await lost_and_back(discord, ann, "missed by the first")
    async with asyncio.timeout(20):
        await plan.begun.wait()
    await lost_and_back(discord, ann, "missed by the second")
    await asyncio.sleep(0.2)
    await hand.say(ann, discord.general, "received")
    plan.go_on.set()

    assert set(await stored(discord, dsn)) == {"before", "missed by the first", "missed by the second", "received"}
    assert plan.given == [([discord.guild.id],), ([discord.guild.id],)], "it is planned anew"


async def test_what_is_read_for_one_connection_knows_nothing_of_the_next(
    discord: Server, dsn: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A connection is lost again while it is read what the one before missed: no cursor passes the second gap."""
    hand, recovery = discord.discord, discord.bot.flow.catching_up
    ann = hand.join(discord.guild, "ann")
    await hand.say(ann, discord.general, "before")
    await discord.settled()
    page = Held(monkeypatch, recovery._reader, "read", counts=lambda reading: reading.missing_after is not None)
    plan = Held(monkeypatch, discord.app.memory.guilds, "layouts", passing=1)
    await lost_and_back(discord, ann, "missed by the first")
    async with asyncio.timeout(20):
        await page.begun.wait()
    await lost_and_back(discord, ann, "missed by the second")
    async with asyncio.timeout(20):
        await plan.begun.wait()
    await hand.say(ann, discord.general, "received")
    read = recovery.counts["read"]
    async with asyncio.timeout(20):
        while not await query(dsn, "SELECT 1 FROM chat_history WHERE message_text = 'received'"):
            await asyncio.sleep(0.01)
        page.go_on.set()
        while recovery.counts["read"] == read:
            await asyncio.sleep(0.01)
    await discord.app.memory.messages.flush()
    plan.go_on.set()

    assert set(await stored(discord, dsn)) == {"before", "missed by the first", "missed by the second", "received"}


async def test_what_is_missed_is_planned_though_the_database_was_away(
    discord: Server, dsn: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Planning goes on once it is back."""
    hand, guilds = discord.discord, discord.app.memory.guilds
    ann = hand.join(discord.guild, "ann")
    await hand.say(ann, discord.general, "before")
    await discord.settled()
    monkeypatch.setattr("urmom_bot.flow.patience.RETRY_PAUSE", 0.01)
    real, tries = type(guilds).layouts, 0

    async def away(*given: object) -> object:
        nonlocal tries
        tries += 1
        if tries < 5:
            raise DatabaseUnavailable
        return await real(*given)  # type: ignore[arg-type]

    monkeypatch.setattr(type(guilds), "layouts", away)
    await hand.gateway.drop(for_good=True)
    await hand.say(ann, discord.general, "missed")
    async with asyncio.timeout(20):
        while "missed" not in await stored(discord, dsn):
            await asyncio.sleep(0.02)
    assert tries == 5


@pytest.mark.parametrize("is_known", [True, False])
async def test_a_message_whose_channels_cannot_be_looked_up_is_read_again(
    discord: Server, dsn: str, monkeypatch: pytest.MonkeyPatch, is_known: bool
) -> None:
    """Not lost, whether its channel has a cursor or not; and what was said before the bot came is left alone."""
    hand, guilds = discord.discord, discord.app.memory.guilds
    ann = hand.join(discord.guild, "ann")
    room = await hand.open_channel(discord.guild, "room")
    hand.world.message(room, ann, "long before")
    if is_known:
        await hand.say(ann, room, "before")
    await discord.settled()
    real, times = type(guilds).layouts, 0

    async def away(*given: object) -> object:
        nonlocal times
        times += 1
        if times == 1:
            raise DatabaseUnavailable
        return await real(*given)  # type: ignore[arg-type]

    monkeypatch.setattr(type(guilds), "layouts", away)
    discord.bot.flow.layouts.forget(discord.guild.id)
    await hand.say(ann, room, "not looked up")
    await hand.say(ann, room, "looked up")
    await discord.settled()

    found = set(await stored(discord, dsn))
    assert found == {"not looked up", "looked up"} | ({"before"} if is_known else set())
