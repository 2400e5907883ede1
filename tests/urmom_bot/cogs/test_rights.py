"""Rights over memory are those of the guild: a channel's own rules count for what was said in that channel alone."""

from __future__ import annotations

from tests.builders import Server, query
from urmom_bot.stand_ins import Channel, User
from urmom_bot.stand_ins.world import MANAGE_GUILD, MANAGE_MESSAGES


async def let_moderate(server: Server, channel: Channel, user: User) -> None:
    """Give a member every right of a channel, as bots do with who opens a voice channel."""
    allow = str(MANAGE_MESSAGES | MANAGE_GUILD)
    channel.overwrites = [*channel.overwrites, {"id": str(user.id), "type": 1, "allow": allow, "deny": "0"}]
    await server.discord.gateway.dispatch("CHANNEL_UPDATE", channel.payload(), channel.guild_id)


async def facts(dsn: str) -> list[str]:
    return [row["value"] for row in await query(dsn, "SELECT value FROM facts WHERE retired_at IS NULL ORDER BY 1")]


async def test_who_moderates_one_channel_does_not_moderate_memory(discord: Server, dsn: str) -> None:
    """In their channel they neither strike, correct nor forget what was told elsewhere, by words, button or command."""
    hand = discord.discord
    ann, bob, eve = (hand.join(discord.guild, name) for name in ("ann", "bob", "eve"))
    den = await hand.open_channel(discord.guild, "eves den")
    await let_moderate(discord, den, eve)
    await hand.say(ann, discord.general, "hello")
    await discord.ask(bob, "Bot remember that ann plays the cello")
    told = await facts(dsn)

    assert "Only ann, the person who told me, or a moderator" in await discord.ask(
        eve, "Bot forget that ann plays the cello", channel=den
    )
    (number,) = [row[0] for row in await query(dsn, "SELECT fact_id FROM facts")]
    await discord.ask(eve, f"Bot forget #{number}", channel=den)
    (page,) = await hand.slash(eve, den, "memory show", {"user": ann})
    labels = {b["label"] for row in page.components for b in row["components"]}
    assert not {label for label in labels if str(number) in label}
    (refused,) = await hand.slash(eve, den, "memory-admin audit")
    assert "Manage Server" in refused.content
    assert await facts(dsn) == told


async def test_who_moderates_a_channel_takes_what_was_told_in_it(discord: Server, dsn: str) -> None:
    """What was said there goes; what was told elsewhere stays on its own source."""
    hand = discord.discord
    ann, bob, eve = (hand.join(discord.guild, name) for name in ("ann", "bob", "eve"))
    den = await hand.open_channel(discord.guild, "eves den")
    await let_moderate(discord, den, eve)
    await hand.say(ann, discord.general, "hello")
    await discord.ask(bob, "Bot remember that ann plays the cello", channel=den)
    await discord.ask(bob, "Bot remember that ann keeps bees", channel=den)
    await discord.ask(ann, "Bot remember that ann keeps bees")
    await discord.ask(eve, "Bot forget that ann plays the cello", channel=den)
    await discord.ask(eve, "Bot forget that ann keeps bees", channel=den)

    assert [text.endswith("keeps bees") for text in await facts(dsn)] == [True]
    sources = await query(dsn, "SELECT stated_by, channel_id FROM fact_sources")
    assert [(row["stated_by"], row["channel_id"]) for row in sources] == [(ann.id, discord.general.id)]
    assert not await query(dsn, "SELECT 1 FROM suppressions")


async def test_a_moderator_of_the_guild_moderates_in_every_channel(discord: Server, dsn: str) -> None:
    """Also where a channel's rules take Manage Messages from them."""
    hand = discord.discord
    ann, bob, mod = (hand.join(discord.guild, name) for name in ("ann", "bob", "mod"))
    discord.guild.roles[50], discord.guild.member_roles[mod.id] = MANAGE_MESSAGES, [50]
    discord.general.overwrites = [{"id": str(mod.id), "type": 1, "allow": "0", "deny": str(MANAGE_MESSAGES)}]
    await hand.gateway.dispatch("CHANNEL_UPDATE", discord.general.payload(), discord.guild.id)
    await hand.say(ann, discord.general, "hello")
    await discord.ask(bob, "Bot remember that ann plays the cello")
    await discord.ask(mod, "Bot forget that ann plays the cello")

    assert await facts(dsn) == []
