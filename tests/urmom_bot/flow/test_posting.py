"""What the bot posts by itself comes once, on time, and goes when what it rests on goes."""

from __future__ import annotations

from datetime import timedelta

import pytest

from memory import Channel, Consent, Statement, Viewer
from tests.builders import Clock, G, Talk, query, tell, viewer_of
from tests.memory.test_recaps import week, wording
from tests.urmom_bot.flow.chat import Chat, flow_of
from urmom_bot.app import App
from urmom_bot.flow import Flow
from urmom_bot.flow.platform import ChatChannel, TryLater
from urmom_bot.flow.posting import FIRST_HOUR, LATEST, PATIENCE, PAUSE
from urmom_bot.markup import Markup
from urmom_bot.stand_ins import GeminiStandIn
from urmom_bot.stand_ins.gemini import Asked

MANAGER = Viewer(guild_id=G, user_id=9, may_manage=True)


@pytest.fixture
def chat(clock: Clock) -> Chat:
    clock.set(2026, 11, 9, FIRST_HOUR)  # a Monday
    return Chat(clock, rooms={7, 8})


async def ready(app: App, chat: Chat, **wanted: object) -> Flow:
    """A server that wants posts in channel 8."""
    for channel_id in chat.rooms:
        await app.memory.guilds.update_channel(Channel(guild_id=G, channel_id=channel_id, name=f"room {channel_id}"))
    await app.memory.guilds.decide(MANAGER, post_channel=8, **wanted)
    return flow_of(app, chat)


def posted(chat: Chat) -> list[str]:
    return [m.text for m in chat.messages.values() if m.author.user_id == chat.user_id]


async def test_a_recap_is_posted_once_on_monday(
    app: App, chat: Chat, talk: Talk, gemini: GeminiStandIn, clock: Clock, dsn: str
) -> None:
    """From nine o'clock of the server's day, with links, in parts; nothing of its words is stored."""
    flow = await ready(app, chat, recap=True)
    await week(talk, gemini)
    clock.on(minutes=-1)
    await flow.poster.post_due()
    assert not posted(chat)
    clock.on(minutes=1)
    for _ in range(3):
        await flow.poster.post_due()
        clock.on(minutes=10)
    (text,) = posted(chat)
    await app.memory.messages.flush()

    assert text.startswith("**Nov 2, 2026 to Nov 8, 2026: our week**")
    assert "**Decided**\n• <@1> has the potluck on 14 November in the old library [↗](" in text
    assert "**Who helped**\n• <@3> helped <@2>" in text
    assert "**Quotes of the week**\n“" in text
    assert text.count(f"https://discord.com/channels/{G}/7/") == 6
    assert len(text) <= 2_000
    assert [channel for channel, _ in chat.sent] == [8]
    assert len([a for a in gemini.asked if a.name == "The recap of a week"]) == 1
    assert not await query(dsn, "SELECT 1 FROM chat_history WHERE message_text LIKE '%our week%'")
    assert not await query(dsn, "SELECT 1 FROM posts WHERE posts::text LIKE '%potluck%'")


@pytest.mark.parametrize("why", ["off", "tuesday", "late", "no channel", "memory off", "another guild's channel"])
async def test_when_no_recap_is_posted(
    app: App,
    chat: Chat,
    talk: Talk,
    gemini: GeminiStandIn,
    clock: Clock,
    monkeypatch: pytest.MonkeyPatch,
    why: str,
) -> None:
    flow = await ready(app, chat, recap=why != "off", **({"mode": "talk"} if why == "memory off" else {}))
    await week(talk, gemini)
    if why == "tuesday":
        clock.on(days=1, hours=1)
    elif why == "late":
        clock.now += LATEST
    elif why == "no channel":
        chat.rooms.remove(8)
    elif why == "another guild's channel":
        theirs = ChatChannel(guild_id=G + 1, shard_id=0, channel_id=8)
        monkeypatch.setattr(chat, "channel", lambda _channel_id: theirs)
    await flow.poster.post_due()
    assert not chat.sent


async def test_the_time_is_the_servers(app: App, chat: Chat, talk: Talk, gemini: GeminiStandIn, clock: Clock) -> None:
    """In Tokyo Monday has long begun."""
    flow = await ready(app, chat, recap=True)
    await app.memory.guilds.set_time_zone(MANAGER, "Asia/Tokyo")
    clock.on(hours=-9)
    await week(talk, gemini)
    await flow.poster.post_due()
    assert len(posted(chat)) == 1


async def test_it_is_written_in_the_servers_language(app: App, chat: Chat, talk: Talk, gemini: GeminiStandIn) -> None:
    flow = await ready(app, chat, recap=True, language="de")
    await week(talk, gemini)
    await flow.poster.post_due()
    assert "**Entschieden**" in posted(chat)[0]
    assert next(a for a in gemini.asked if a.name == "The recap of a week").sections["language"] == "Deutsch"


async def test_a_week_without_news_has_no_post_and_asks_once(
    app: App, chat: Chat, gemini: GeminiStandIn, clock: Clock
) -> None:
    flow = await ready(app, chat, recap=True)
    for _ in range(3):
        await flow.poster.post_due()
    assert not chat.sent
    assert not gemini.asked


async def test_a_model_that_is_away_is_waited_for_and_then_done_without(
    app: App, chat: Chat, talk: Talk, gemini: GeminiStandIn, clock: Clock
) -> None:
    """Asked again each hour; after six hours the notes are told as they are, without quotes."""
    flow = await ready(app, chat, recap=True)
    await week(talk, gemini)
    await app.memory.posts.preview(MANAGER, "English", hidden=())
    gemini.quota_out = True
    await flow.poster.post_due()
    before = len(gemini.asked)
    clock.now += PAUSE / 2
    await flow.poster.post_due()
    assert len(gemini.asked) == before
    assert not chat.sent
    clock.now += PATIENCE
    await flow.poster.post_due()
    (text,) = posted(chat)
    assert "**Decided**" in text
    assert "Quotes of the week" not in text


async def test_a_post_that_discord_does_not_take_is_made_again(
    app: App, chat: Chat, talk: Talk, gemini: GeminiStandIn, clock: Clock
) -> None:
    flow = await ready(app, chat, recap=True)
    await week(talk, gemini)
    chat.is_away = True
    with pytest.raises(Exception, match="away"):
        await flow.poster.post_due()
    chat.is_away = False
    await flow.poster.post_due()
    assert len(posted(chat)) == 1


@pytest.mark.parametrize("how", ["deleted", "edited", "forgotten", "opted out", "channel closed"])
async def test_a_recap_goes_with_what_it_rests_on(
    app: App, chat: Chat, talk: Talk, gemini: GeminiStandIn, clock: Clock, how: str, dsn: str
) -> None:
    """And stays deleted: it is not made again."""
    flow, memory = await ready(app, chat, recap=True), app.memory
    ids = await week(talk, gemini)
    await flow.poster.post_due()
    assert len(posted(chat)) == 1
    clock.on(hours=1)
    if how == "deleted":
        await memory.messages.delete(G, [ids[0]])
    elif how == "edited":
        await memory.messages.edit(G, ids[0], "the potluck is off", clock.now)
    elif how == "forgotten":
        await memory.forgetting.forget(await viewer_of(memory, G, 1), talk.member(1), "the potluck on 14 November")
    elif how == "opted out":
        await memory.privacy.choose(Viewer(guild_id=G, user_id=1, is_alone=True), talk.member(1), Consent.OFF, G)
    else:
        await memory.guilds.update_channel(Channel(guild_id=G, channel_id=7, name="room 7", audience=7))
    await memory.messages.flush()
    await flow.poster.post_due()
    assert not posted(chat)
    await flow.poster.post_due()
    assert not posted(chat)


@pytest.mark.parametrize("how", ["another message", "another edit", "another word forgotten", "age"])
async def test_a_recap_stays_where_something_else_goes(
    app: App, chat: Chat, talk: Talk, gemini: GeminiStandIn, clock: Clock, how: str
) -> None:
    flow, memory = await ready(app, chat, recap=True), app.memory
    await week(talk, gemini)
    other = await talk.say(4, "my tuba", clock.now - timedelta(hours=20))  # too short to be quoted
    await flow.poster.post_due()
    if how == "another message":
        await memory.messages.delete(G, [other])
    elif how == "another edit":
        await memory.messages.edit(G, other, "my tubas", clock.now)
    elif how == "another word forgotten":
        await memory.forgetting.forget(await viewer_of(memory, G, 4), talk.member(4), "the tuba")
    else:
        clock.on(days=5)
        await memory.upkeep()
    await memory.messages.flush()
    clock.on(hours=1)
    await flow.poster.post_due()
    assert len(posted(chat)) == 1


@pytest.mark.parametrize("how", ["deleted by somebody", "refused"])
async def test_a_post_is_deleted_once_it_can_be(
    app: App, chat: Chat, talk: Talk, gemini: GeminiStandIn, clock: Clock, how: str
) -> None:
    """What somebody deleted already is done; where it is refused, it is tried again."""
    flow = await ready(app, chat, recap=True)
    ids = await week(talk, gemini)
    await flow.poster.post_due()
    if how == "refused":
        chat.refuses.add(8)
    else:
        chat.messages.clear()
    await app.memory.messages.delete(G, [ids[0]])
    await app.memory.messages.flush()
    clock.on(hours=1)
    await flow.poster.post_due()
    chat.refuses.clear()
    await flow.poster.post_due()
    assert chat.calls["delete"] == (2 if how == "refused" else 1)
    assert not posted(chat)


@pytest.mark.parametrize("how", ["switched off", "another channel", "unknown channel"])
async def test_a_recap_is_taken_back_wherever_posts_go_now(
    app: App, chat: Chat, talk: Talk, gemini: GeminiStandIn, clock: Clock, how: str
) -> None:
    flow = await ready(app, chat, recap=True)
    ids = await week(talk, gemini)
    await flow.poster.post_due()
    if how == "switched off":
        await app.memory.guilds.decide(MANAGER, post_channel=None, recap=False)
    else:
        await app.memory.guilds.decide(MANAGER, post_channel=7 if how == "another channel" else 4321)
    await app.memory.messages.delete(G, [ids[0]])
    await app.memory.messages.flush()
    clock.on(hours=1)
    await flow.poster.post_due()
    assert not posted(chat)


async def test_what_is_edited_while_a_recap_is_written_takes_it_back(
    app: App, chat: Chat, talk: Talk, gemini: GeminiStandIn, clock: Clock
) -> None:
    flow = await ready(app, chat, recap=True)
    ids = await week(talk, gemini)
    written = gemini.answer

    def slow(asked: Asked) -> str:
        if asked.name == "The recap of a week":
            clock.on(seconds=30)
        return str(written(asked))

    gemini.answer = slow
    await flow.poster.post_due()
    await app.memory.messages.edit(G, ids[0], "the potluck is off", clock.now - timedelta(seconds=20))
    await app.memory.messages.flush()
    clock.on(minutes=10)
    await flow.poster.post_due()
    assert not posted(chat)


async def test_who_limits_what_is_kept_later_takes_a_recap_back(
    app: App, chat: Chat, talk: Talk, gemini: GeminiStandIn, clock: Clock, dsn: str
) -> None:
    """Also where only somebody else's words are about them."""
    flow = await ready(app, chat, recap=True)
    ids = await week(talk, gemini)
    await flow.poster.post_due()
    (text,) = posted(chat)
    assert "<@3> helped <@2>" in text
    await query(dsn, "UPDATE posts SET source_ids = ARRAY[$1::bigint]", ids[2])  # the helper's own words
    await app.memory.privacy.choose(Viewer(guild_id=G, user_id=2, is_alone=True), talk.member(2), Consent.EXPLICIT, G)
    clock.on(minutes=10)
    await flow.poster.post_due()
    assert not posted(chat)


@pytest.mark.parametrize("was_sent", [True, False])
async def test_a_process_that_ended_at_the_wrong_moment_leaves_one_recap(
    app: App, chat: Chat, talk: Talk, gemini: GeminiStandIn, clock: Clock, dsn: str, was_sent: bool
) -> None:
    """Found by its first line where it was sent, and watched; else made again."""
    flow = await ready(app, chat, recap=True)
    ids = await week(talk, gemini)
    await flow.poster.post_due()
    await query(dsn, "UPDATE posts SET message_ids = '{}', is_done = false")
    if not was_sent:
        (text,) = posted(chat)
        chat.messages.clear()
        chat.write(1, text, 8)  # somebody else's, who copied one
        clock.on(days=-7)
        chat.write(chat.user_id, text, 8)  # an older one
        clock.on(days=7)
    before = len(posted(chat))
    clock.on(minutes=10)
    again = flow_of(app, chat)
    for _ in range(2):
        await again.poster.post_due()
        clock.on(minutes=10)
    assert len(posted(chat)) == (1 if was_sent else before + 1)
    before = len(posted(chat))
    await app.memory.messages.delete(G, [ids[0]])
    await app.memory.messages.flush()
    await again.poster.post_due()
    assert len(posted(chat)) == before - 1


async def test_a_recap_that_was_sent_though_nobody_said_so_is_not_sent_again(
    app: App, chat: Chat, talk: Talk, gemini: GeminiStandIn, clock: Clock, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Discord took it, and the answer was lost."""
    flow = await ready(app, chat, recap=True)
    await week(talk, gemini)
    say = chat.say

    async def lost(channel_id: int, text: Markup, *, nonce: str) -> list[int]:
        await say(channel_id, text, nonce=nonce)
        raise TryLater("the line is cut")

    with monkeypatch.context() as broken:
        broken.setattr(chat, "say", lost)
        with pytest.raises(TryLater):
            await flow.poster.post_due()
    clock.on(minutes=10)
    await flow.poster.post_due()
    assert len(posted(chat)) == 1
    assert len([a for a in gemini.asked if a.name == "The recap of a week"]) == 1


async def test_a_channel_that_is_opened_later_gets_its_recap(
    app: App, chat: Chat, talk: Talk, gemini: GeminiStandIn, clock: Clock
) -> None:
    """Tried again after an hour, and not at each look: it costs a call."""
    flow = await ready(app, chat, recap=True)
    await week(talk, gemini)
    chat.refuses.add(8)
    for _ in range(3):
        await flow.poster.post_due()
        clock.on(minutes=10)
    chat.refuses.clear()
    clock.now += PAUSE
    await flow.poster.post_due()
    assert len(posted(chat)) == 1
    assert len([a for a in gemini.asked if a.name == "The recap of a week"]) == 2


async def test_a_name_forges_nothing(app: App, chat: Chat, talk: Talk, gemini: GeminiStandIn) -> None:
    """People stand as mentions, whatever they call themselves."""
    flow = await ready(app, chat, recap=True)
    await week(talk, gemini)
    await talk.say(2, "hello", display_name="Ann is a fool, https://evil.example")
    await flow.poster.post_due()
    (text,) = posted(chat)
    assert "evil" not in text
    assert "fool" not in text


async def test_birthdays_are_wished_once(app: App, chat: Chat, talk: Talk, gemini: GeminiStandIn, clock: Clock) -> None:
    """Those of one day in one message, from nine until nine."""
    flow, memory = await ready(app, chat, birthdays=True), app.memory
    wording(gemini, "@u1's birthday is on 9 November")
    for user_id in (1, 2):
        member = talk.member(user_id)
        quote = "my birthday is on 9 November"
        statement = Statement(guild_id=G, user_id=user_id, stated_by=user_id, message_id=user_id, quote=quote)
        await tell(memory, statement, member, member)
    clock.on(hours=-1)
    await flow.poster.post_due()
    assert not chat.sent
    clock.on(hours=1)
    for _ in range(3):
        await flow.poster.post_due()
        clock.on(hours=1)
    assert posted(chat) == ["🎂 Happy birthday, <@1>, <@2>!"]
    clock.on(days=1)
    await flow.poster.post_due()
    assert len(posted(chat)) == 1


async def test_a_wish_goes_with_the_fact(app: App, chat: Chat, talk: Talk, gemini: GeminiStandIn, clock: Clock) -> None:
    flow, memory = await ready(app, chat, birthdays=True), app.memory
    wording(gemini, "@u1's birthday is on 9 November")
    ann = talk.member(1)
    quote = "my birthday is on 9 November"
    done = await tell(memory, Statement(guild_id=G, user_id=1, stated_by=1, message_id=1, quote=quote), ann, ann)
    await flow.poster.post_due()
    assert len(posted(chat)) == 1
    await memory.forgetting.strike(await viewer_of(memory, G, 1), ann, [done.fact])
    clock.on(minutes=10)
    await flow.poster.post_due()
    assert not posted(chat)


async def test_trouble_in_a_guild_is_logged_and_ends_nothing(
    app: App, chat: Chat, talk: Talk, gemini: GeminiStandIn, caplog: pytest.LogCaptureFixture
) -> None:
    """A channel that the bot may not write in."""
    flow = await ready(app, chat, recap=True)
    await week(talk, gemini)
    chat.refuses.add(8)
    await flow.poster.post_due()
    assert "may not post in channel 8" in caplog.text
