"""What is told in one channel and known in another, on real servers: verified, staff, lobby, private threads."""

from __future__ import annotations

from typing import Any

import pytest

from memory import Fact, MemoryManager, Statement, operator
from memory.rules.audiences import ChannelGates, Gate, Layout
from memory.store import Store
from memory.store.provenance import node
from memory.store.summaries import Derived
from tests.builders import G, Server, Talk, query, tell
from urmom_bot.stand_ins import Channel
from urmom_bot.stand_ins.world import MANAGE_GUILD, VIEW_CHANNEL, Role

CONNECT = 1 << 20


async def role(server: Server, permissions: int = 0) -> int:
    number = server.discord.world.snowflake()
    server.guild.roles[number] = permissions
    await server.discord.gateway.dispatch(
        "GUILD_ROLE_CREATE",
        {"guild_id": str(server.guild.id), "role": server.guild.role_payloads()[-1]},
        server.guild.id,
    )
    return number


async def room(server: Server, name: str, *roles: int) -> Channel:
    """A channel that some roles open, or everyone."""
    made = await server.discord.open_channel(server.guild, name)
    await overwrite(server, made, *roles)
    return made


async def overwrite(server: Server, channel: Channel, *roles: int) -> None:
    closed: list[dict[str, Any]] = [{"id": str(server.guild.id), "type": 0, "allow": "0", "deny": str(VIEW_CHANNEL)}]
    opened = [{"id": str(number), "type": 0, "allow": str(VIEW_CHANNEL), "deny": "0"} for number in roles]
    channel.overwrites = [*closed, *opened] if roles else []
    await server.discord.gateway.dispatch("CHANNEL_UPDATE", channel.payload(), server.guild.id)
    await server.settled()


async def knows(server: Server, channel: Channel, who: object) -> bool:
    server.clock.on(minutes=11)
    return "alto" in await server.ask(who, "Bot what do you know about ann", channel)


async def test_a_fact_is_known_where_its_readers_are(discord: Server) -> None:
    """In all channels that the same role opens, and in those of staff once that role is confirmed as everyone's."""
    hand = discord.discord
    ann, bob = hand.join(discord.guild, "ann"), hand.join(discord.guild, "bob")
    verified, staff = await role(discord), await role(discord, MANAGE_GUILD)
    discord.guild.member_roles[bob.id] = [verified, staff]
    rules = discord.general
    general, memes, team = (
        await room(discord, "general", verified),
        await room(discord, "memes", verified),
        await room(discord, "team", staff),
    )
    await hand.say(bob, general, "hello")
    told = await discord.ask(ann, "Bot remember that ann sings alto", general)
    assert "alto" in told
    thread = await hand.open_thread(memes, "thread")
    assert [await knows(discord, place, ann) for place in (general, memes, thread)] == [True, True, True]
    assert [await knows(discord, place, ann) for place in (team, rules)] == [False, False]

    (shown,) = await hand.slash(bob, general, "memory-admin base-role")
    assert "No other role counts as everyone" in shown.content
    await hand.slash(bob, general, "memory-admin base-role", {"role": Role(verified)})
    await discord.settled()
    assert [await knows(discord, place, ann) for place in (general, memes, team, rules)] == [True, True, True, False]
    lobby = await hand.slash(ann, rules, "memory show", {"user": ann})
    assert "alto" not in lobby[0].content

    await overwrite(discord, general, staff)
    assert [await knows(discord, place, ann) for place in (general, memes, team, rules)] == [True, False, True, False]


async def test_the_chat_of_a_voice_channel_is_read_by_who_may_join(discord: Server) -> None:
    """That everyone sees it is not enough: what is told there is not known outside."""
    hand = discord.discord
    ann = hand.join(discord.guild, "ann")
    lounge = await hand.open_channel(discord.guild, "lounge", kind=2)
    lounge.overwrites = [{"id": str(discord.guild.id), "type": 0, "allow": "0", "deny": str(CONNECT)}]
    await hand.gateway.dispatch("CHANNEL_UPDATE", lounge.payload(), discord.guild.id)
    await discord.settled()
    assert "alto" in await discord.ask(ann, "Bot remember that ann sings alto", lounge)
    assert [await knows(discord, place, ann) for place in (lounge, discord.general)] == [True, False]
    lounge.overwrites = []
    await hand.gateway.dispatch("CHANNEL_UPDATE", lounge.payload(), discord.guild.id)
    await discord.settled()
    assert await knows(discord, discord.general, ann)


LAYOUT = (
    ChannelGates(channel_id=7, name="tier", gates=(Gate(open=False, allowed=frozenset([1, 2])),)),
    ChannelGates(channel_id=8, name="upper", gates=(Gate(open=False, allowed=frozenset([2])),)),
)


async def keep_context(memory: MemoryManager, audience: int, fact: Fact) -> None:
    """Store a context that tells a fact to an audience, as a merge would."""
    made = Derived(text="Ann sings alto", fingerprint="", made_at=fact.created_at, for_date=fact.created_at.date())
    await memory._core.store.summaries.save_contexts(G, audience, {1: made}, {1: [node("fact", fact.fact_id)]})


async def test_what_was_told_together_goes_when_it_may_not_be_any_more(talk: Talk, dsn: str) -> None:
    """A context of the upper tier that holds the lower one's facts goes in the transaction that parts them."""
    memory, ann = talk.app.memory, talk.member(1)
    await memory.guilds.update_layout(Layout(guild_id=G, channels=LAYOUT))
    placed = await memory.guilds.channels(G)
    lower, upper = placed[7].audience, placed[8].audience
    statement = Statement(guild_id=G, user_id=1, stated_by=1, quote="Ann sings alto", channel_id=7, audience=lower)
    fact = (await tell(memory, statement, ann, ann)).fact
    assert "alto" in (await memory.get_memories(G, 1, viewer=await memory.guilds.public(G, upper)) or "")
    assert await memory.get_memories(G, 1) is None
    await keep_context(memory, upper, fact)
    assert await query(dsn, "SELECT 1 FROM contexts WHERE audience = $1", upper)

    apart = ChannelGates(channel_id=7, name="tier", gates=(Gate(open=False, allowed=frozenset([1])),))
    assert await memory.guilds.update_layout(Layout(guild_id=G, channels=(apart, LAYOUT[1]))) == 1
    assert not await query(dsn, "SELECT 1 FROM contexts WHERE context LIKE '%alto%'")
    assert await memory.get_memories(G, 1, viewer=await memory.guilds.public(G, upper)) is None
    moved = (await memory.guilds.channels(G))[7].audience
    assert moved not in (lower, upper, 0)
    assert "alto" in (await memory.get_memories(G, 1, viewer=await memory.guilds.public(G, moved)) or "")


async def test_less_is_told_where_no_channel_moved(talk: Talk, dsn: str) -> None:
    """Without its base role a guild's staff may be newcomers: what was told them as members goes."""
    memory, ann = talk.app.memory, talk.member(1)
    rooms = (
        ChannelGates(
            channel_id=7, name="club", gates=(Gate(open=False, allowed=frozenset([1]), members_allowed=frozenset([8])),)
        ),
        ChannelGates(channel_id=8, name="staff", gates=(Gate(open=False, allowed=frozenset([2])),)),
    )
    await memory.guilds.update_layout(Layout(guild_id=G, channels=rooms, base_role=1))
    placed = await memory.guilds.channels(G)
    statement = Statement(
        guild_id=G, user_id=1, stated_by=1, quote="Ann sings alto", channel_id=7, audience=placed[7].audience
    )
    fact = (await tell(memory, statement, ann, ann)).fact
    assert "alto" in (await memory.get_memories(G, 1, viewer=await memory.guilds.public(G, placed[8].audience)) or "")
    await keep_context(memory, placed[8].audience, fact)
    assert await query(dsn, "SELECT 1 FROM contexts WHERE audience = $1", placed[8].audience)

    assert await memory.guilds.update_layout(Layout(guild_id=G, channels=rooms)) == 0
    assert not await query(dsn, "SELECT 1 FROM contexts WHERE audience = $1", placed[8].audience)
    assert await memory.get_memories(G, 1, viewer=await memory.guilds.public(G, placed[8].audience)) is None


async def test_a_context_that_was_made_meanwhile_is_not_kept(talk: Talk, dsn: str) -> None:
    """What may be heard is asked again as a context is stored, in the same transaction."""
    memory, store = talk.app.memory, await Store.open(dsn)
    await memory.guilds.update_layout(Layout(guild_id=G, channels=LAYOUT))
    placed = await memory.guilds.channels(G)
    lower, upper = placed[7].audience, placed[8].audience
    statement = Statement(guild_id=G, user_id=1, stated_by=1, quote="Ann sings alto", channel_id=7, audience=lower)
    fact = (await tell(memory, statement, talk.member(1), talk.member(1))).fact
    made = Derived(text="Ann sings alto", fingerprint="", made_at=talk.clock(), for_date=talk.clock().date())

    async def kept(audience: int) -> int:
        await query(dsn, "DELETE FROM contexts")
        await store.summaries.save_contexts(G, audience, {1: made}, {1: [node("fact", fact.fact_id)]})
        return len(await query(dsn, "SELECT 1 FROM contexts"))

    assert (await kept(lower), await kept(upper), await kept(0)) == (1, 1, 0)
    (row,) = await query(
        dsn,
        "INSERT INTO notes (guild_id, slice_id, audience, user_id, kind, text, weight, evidence, at)"
        " VALUES ($1, 1, $2, 1, 'event', 'a note', 1, '{}', $3) RETURNING note_id",
        *(G, lower, talk.clock()),
    )
    for audience, count in ((upper, 1), (0, 0)):
        await query(dsn, "DELETE FROM contexts")
        await store.summaries.save_contexts(G, audience, {1: made}, {1: [node("note", row["note_id"])]})
        assert len(await query(dsn, "SELECT 1 FROM contexts")) == count
    apart = ChannelGates(channel_id=7, name="tier", gates=(Gate(open=False, allowed=frozenset([1])),))
    await memory.guilds.update_layout(Layout(guild_id=G, channels=(apart, LAYOUT[1])))
    assert await kept(upper) == 0
    await store.close()


@pytest.mark.parametrize("base_role", [None, 1])
async def test_what_was_never_placed_hears_little(talk: Talk, base_role: int | None) -> None:
    """A channel of which nothing is known hears what everyone reads, and with a base role itself alone."""
    memory = talk.app.memory
    await memory.guilds.set_base_role(operator(G), base_role)
    assert await memory.guilds.audiences(G, 99) == ((0, 99) if base_role is None else (99,))
    assert await memory.guilds.audiences(G, (1 << 62) + 5) == ((1 << 62) + 5,)
    assert await memory.guilds.audiences(G, 0) == (0,)
