"""What one person is shown alone stays with them: it is in nobody else's message, nor in what is stored."""

from __future__ import annotations

from collections.abc import Collection
from datetime import timedelta

import pytest

from memory import operator
from memory.store.rows import HOLDING
from tests.builders import Server, query, viewer_of
from tests.urmom_bot.page.browser import signed_in
from tests.urmom_bot.page.test_page import fact_of, people, promoted, room
from urmom_bot.stand_ins.world import MANAGE_MESSAGES


async def topic(server: Server, dsn: str, name: str, audience: int = 0, *, ago: int = 0) -> int:
    """A topic without lines, written to so many hours ago."""
    (made,) = await query(
        dsn,
        "INSERT INTO topics (guild_id, audience, name, created_at, updated_at) VALUES ($1, $2, $3, $4, $4)"
        " RETURNING topic_id",
        server.guild.id,
        audience,
        name,
        server.clock() - timedelta(hours=ago),
    )
    return int(made["topic_id"])


async def line(
    server: Server,
    dsn: str,
    topic_id: int | None,
    text: str,
    *,
    ago: int,
    audience: int = 0,
    channel_id: int = 0,
    replaces: Collection[int] = (),
    confirms: Collection[int] = (),
) -> int:
    """A line of a topic, concluded so many days ago."""
    (made,) = await query(
        dsn,
        """
        INSERT INTO conclusions (guild_id, audience, channel_id, topic_id, kind, text, people, evidence,
                                 evidence_by, at, replaces, confirms)
        VALUES ($1, $2, $3, $4, 'decision', $5, '{}', '{}', '{}', $6, $7, $8) RETURNING conclusion_id
        """,
        server.guild.id,
        audience,
        channel_id or server.general.id,
        topic_id,
        text,
        server.clock() - timedelta(days=ago),
        list(replaces),
        list(confirms),
    )
    return int(made["conclusion_id"])


@pytest.mark.parametrize("who", ["subject", "moderator"])
@pytest.mark.parametrize("label", ["still true", "forget"])
async def test_a_press_below_a_public_answer_changes_it_for_nobody(
    discord: Server, dsn: str, who: str, label: str
) -> None:
    """The facts that whoever presses may see come beside it, for them alone."""
    ann, bob, eve = people(discord, "ann", "bob", "eve")
    await promoted(discord, bob, MANAGE_MESSAGES)
    for one in (ann, bob, eve):
        await discord.ask(one, "hello")
    den = await room(discord, "den", bob, ann)
    await discord.ask(bob, "Bot remember that ann keeps wasps", den)
    await discord.ask(ann, "Bot remember that I keep bees")
    await discord.ask(ann, "Bot remember that I am diabetic")
    sure = [sent for sent in discord.discord.sent if sent.buttons][-1]
    await discord.discord.press(ann, discord.general, sure, next(iter(sure.buttons)))
    await query(dsn, "UPDATE facts SET source = 'inferred', confidence = 'medium' WHERE value LIKE '%bees%'")
    discord.clock.on(minutes=60)
    await discord.ask(ann, "Bot what is a frobnitz?")
    (asked,) = [sent for sent in discord.discord.sent if any("still true" in name for name in sent.buttons)]
    assert not asked.ephemeral
    (name,) = [name for name in asked.buttons if label in name.lower()]
    shown = await discord.discord.press(ann if who == "subject" else bob, discord.general, asked, name)
    assert all(sent.ephemeral for sent in shown)
    assert "wasps" in shown[-1].content
    public = discord.discord.rest.shown[asked.message_id]["content"]
    assert public == asked.content


async def test_what_is_stored_names_no_room_that_its_readers_do_not_know(discord: Server, dsn: str) -> None:
    """Also where it is stored by a form that its speaker alone sees."""
    bob, eve = people(discord, "bob", "eve")
    den = await room(discord, "zorblaxine-plans", bob)
    for one in (bob, eve):
        await discord.ask(one, "hello")
    said = await discord.discord.say(bob, discord.general, f"I read <#{den.id}> every day with my coffee")
    await discord.settled()
    await discord.discord.menu(bob, discord.general, "Remember this", said)
    await discord.discord.fill_in(bob, discord.general, {})
    (row,) = await query(dsn, "SELECT audience, value, quote FROM facts")
    assert row["audience"] == 0
    assert "zorblaxine" not in row["value"] + row["quote"]
    assert "zorblaxine" not in await discord.ask(eve, "Bot what do you know about bob?")


async def test_forgetting_a_public_fact_leaves_what_was_said_in_a_room(discord: Server, address: str, dsn: str) -> None:
    """A moderator is shown more on a page; what goes with a fact is what went before."""
    ann, bob, eve = people(discord, "ann", "bob", "eve")
    await promoted(discord, bob, MANAGE_MESSAGES)
    for one in (ann, bob, eve):
        await discord.ask(one, "hello")
    den = await room(discord, "den", bob, eve)
    await discord.discord.say(eve, den, "ann keeps bees")
    await discord.ask(eve, "Bot remember that ann keeps bees")
    number = await fact_of(dsn)
    async with signed_in(discord, address, bob) as browser:
        await browser.get(f"/people/{ann.id}")
        await browser.press(f"Forget #{number}")
    assert not await query(dsn, "SELECT 1 FROM facts WHERE retired_at IS NULL")
    assert await query(dsn, "SELECT 1 FROM chat_history WHERE message_text = 'ann keeps bees'")


async def test_of_two_topics_of_a_name_that_of_the_place_is_meant(discord: Server, dsn: str) -> None:
    """A moderator who reads a room has its topics beside the public ones."""
    ann, bob = people(discord, "ann", "bob")
    await promoted(discord, bob, MANAGE_MESSAGES)
    await discord.ask(ann, "hello")
    den = await room(discord, "den", bob)
    (row,) = await query(dsn, "SELECT audience FROM channel_settings WHERE channel_id = $1", den.id)
    public = await topic(discord, dsn, "Plans", ago=2)
    await line(discord, dsn, public, "We meet on Friday", ago=1)
    private = await topic(discord, dsn, "Plans", row["audience"])
    await line(discord, dsn, private, "The vault opens on Friday", ago=1, audience=row["audience"], channel_id=den.id)
    (shown,) = await discord.discord.slash(bob, discord.general, "topic show", {"name": "Plans"})
    assert "We meet on Friday" in shown.content
    await discord.discord.slash(bob, discord.general, "topic rename", {"name": "Plans", "new": "Public plans"})
    names = await query(dsn, "SELECT name FROM topics ORDER BY topic_id")
    assert [row["name"] for row in names] == ["Public plans", "Plans"]


async def test_a_line_that_one_cannot_read_changes_no_page(discord: Server, address: str, dsn: str) -> None:
    """A channel becomes private: what it said again, and what it replaced, stands as it was."""
    ann, bob = people(discord, "ann", "bob")
    for one in (ann, bob):
        await discord.ask(one, "hello")
    side = await discord.discord.open_channel(discord.guild, "side")
    page = await topic(discord, dsn, "Bakery")
    first = await line(discord, dsn, page, "We open at 9 sharp", ago=5)
    await line(discord, dsn, page, "We open sharp at 9", ago=4, channel_id=side.id, confirms=[first])
    oven = await line(discord, dsn, page, "The oven is blue", ago=5)
    await line(discord, dsn, page, "The oven is red", ago=3, channel_id=side.id, replaces=[oven])
    side.overwrites = [{"id": str(discord.guild.id), "type": 0, "allow": "0", "deny": "1024"}]
    await discord.discord.gateway.dispatch("CHANNEL_UPDATE", side.payload(), discord.guild.id)
    await discord.settled()
    async with signed_in(discord, address, ann) as browser:
        await browser.get(f"/topics/{page}")
        assert "We open at 9 sharp" in browser.text
        assert "The oven is blue" in browser.text
        assert "<s>" not in browser.body
        assert "red" not in browser.text


async def test_what_was_said_again_is_counted_once_and_moves_with_it(discord: Server, address: str, dsn: str) -> None:
    """In lists, for the length from which a page is parted, and when it is."""
    (ann,) = people(discord, "ann")
    await discord.ask(ann, "hello")
    page = await topic(discord, dsn, "Bakery")
    said = [await line(discord, dsn, page, "We open at 9", ago=60)]
    for ago in range(59, 5, -1):
        said.append(await line(discord, dsn, page, f"Open at 9 ({ago})", ago=ago, confirms=said))
    oven = await line(discord, dsn, page, "The oven is blue", ago=3)
    async with signed_in(discord, address, ann) as browser:
        await browser.get("/topics")
        assert "2 lines" in browser.text
    store = discord.app.memory.topics
    assert not await store._topics.part_long(discord.guild.id), "two lines are no long page"
    assert await store._core.store.topics.split(
        discord.guild.id, page, {"Hours": [said[-1]], "Oven": [oven]}, discord.clock()
    )
    lists = await store.list(operator(discord.guild.id))
    assert {(one.name, one.lines) for one in lists} == {("Hours", 1), ("Oven", 1)}


async def test_a_topic_of_thousands_of_lines_opens(discord: Server, dsn: str) -> None:
    """With each third replaced: by an index, not by a look at every line for every line."""
    (ann,) = people(discord, "ann")
    await discord.ask(ann, "hello")
    page = await topic(discord, dsn, "Bakery")
    first = await line(discord, dsn, page, "The number 0 is fine", ago=1)
    await query(
        dsn,
        """
        INSERT INTO conclusions (guild_id, audience, channel_id, topic_id, kind, text, people, evidence,
                                 evidence_by, at, replaces)
        SELECT $1, 0, $2, $3, 'decision', 'The number ' || n || ' is fine', '{}', '{}', '{}', $4,
               CASE WHEN n % 3 = 0 THEN ARRAY[$5 + n - 1] ELSE '{}' END
        FROM generate_series(1, 2999) AS n
        """,
        discord.guild.id,
        discord.general.id,
        page,
        discord.clock(),
        first,
    )
    await query(dsn, "ANALYZE conclusions")
    viewer = await viewer_of(discord.app.memory, discord.guild.id, ann.id)
    lines = await discord.app.memory.topics.lines(viewer, page)
    assert len(lines) == 3_000
    assert sum(one.replaced_at is not None for one in lines) == 999
    plan = await query(dsn, f"EXPLAIN SELECT {HOLDING.replace('$1', str(discord.guild.id))} FROM conclusions AS line")
    assert "conclusions_replaces" in "\n".join(row[0] for row in plan)
