"""The rules of a server: kept as they are told, by number, and no orders to the bot."""

from __future__ import annotations

import pytest

from tests.builders import Server, query
from tests.urmom_bot.talk.test_put_right import known
from urmom_bot.stand_ins.world import MANAGE_GUILD
from urmom_bot.talk import grammar


@pytest.mark.parametrize(
    ("told", "stored"),
    [
        ("rule 1: be nice", "rule 1: be nice"),
        ("new rule: no spoilers", "new rule: no spoilers"),
        ("remember the rules: no spam, be kind", "the rules: no spam, be kind"),
        ("remember that rule 2 is don't post spoilers", "rule 2 is don't post spoilers"),
        ("nueva regla: nada de spoilers", "nueva regla: nada de spoilers"),
        ("règle 4 : pas de spam", "règle 4 : pas de spam"),
        ("правило 1: без спойлеров", "правило 1: без спойлеров"),
        ("Regel 2: keine Spoiler", "Regel 2: keine Spoiler"),
    ],
)
async def test_the_rules_of_a_server_are_kept_at_once(discord: Server, dsn: str, told: str, stored: str) -> None:
    """By whoever manages it; others are asked where words may mean the bot."""
    sam = discord.discord.join(discord.guild, "sam")
    discord.guild.roles[9], discord.guild.member_roles[sam.id] = MANAGE_GUILD, [9]
    await discord.ask(sam, f"Bot {told}")
    assert await known(discord, dsn) == {"server": {stored}}


async def test_whoever_does_not_manage_is_asked_about_a_rule(discord: Server, dsn: str) -> None:
    ann = discord.discord.join(discord.guild, "ann")
    assert "Keep this?" in await discord.ask(ann, "Bot rule 1: be nice")
    assert not await query(dsn, "SELECT 1 FROM facts")


async def test_a_rule_is_forgotten_by_its_number(discord: Server, dsn: str) -> None:
    """Without a question, though all rules have the same word."""
    sam = discord.discord.join(discord.guild, "sam")
    discord.guild.roles[9], discord.guild.member_roles[sam.id] = MANAGE_GUILD, [9]
    for rule in ("rule 1: be nice", "rule 2: no spam", "rule 12: don't post spoilers"):
        await discord.ask(sam, f"Bot {rule}")
    assert "rule 2: no spam" in await discord.ask(sam, "Bot forget rule 2")
    await discord.ask(sam, "Bot forget rule 12")
    rows = await query(dsn, "SELECT value FROM facts WHERE retired_at IS NULL")
    assert [row["value"] for row in rows] == ["rule 1: be nice"]


@pytest.mark.parametrize(
    ("told", "order", "left"),
    [
        ("rule 1: max 4 pings a day", "forget rule 4", True),
        ("rule 3: like rule 2 but for bots", "forget rule 2", True),
        ("правило 3: без спама", "забудь правило 3", False),
        ("regla 1: nada de spoilers", "borra la regla 1", False),
    ],
)
async def test_only_the_rule_of_that_number_is_meant(
    discord: Server, dsn: str, told: str, order: str, left: bool
) -> None:
    """Not one that has the number elsewhere, nor the fact that has it for its own."""
    sam, ann = (discord.discord.join(discord.guild, name) for name in ("sam", "ann"))
    discord.guild.roles[9], discord.guild.member_roles[sam.id] = MANAGE_GUILD, [9]
    for fact in ("I like cats", "I like tea"):
        await discord.ask(ann, f"Bot remember that {fact}")
    await discord.ask(sam, f"Bot {told}")
    await discord.ask(sam, f"Bot {order}")
    rows = await query(dsn, "SELECT value FROM facts WHERE retired_at IS NULL ORDER BY fact_id")
    assert len(rows) == 2 + left
    assert [row["value"].split(" ", 1)[1] for row in rows[:2]] == ["likes cats", "likes tea"]


async def test_a_rule_about_a_member_is_a_fact_about_them(discord: Server, dsn: str) -> None:
    """Whoever wants nothing kept is no rule of the server, and "I hate Bob" is its teller's."""
    sam, bob = (discord.discord.join(discord.guild, name) for name in ("sam", "bob"))
    discord.guild.roles[9], discord.guild.member_roles[sam.id] = MANAGE_GUILD, [9]
    await discord.discord.say(bob, discord.general, "hi")
    for text in ("rule 4: bob snores", "rule 5: I hate tea"):
        await discord.ask(sam, f"Bot {text}")
    assert "server" not in await known(discord, dsn)


async def test_other_facts_of_the_server_are_asked_about_as_before(discord: Server, dsn: str) -> None:
    """Though a manager tells them: they may be orders."""
    sam = discord.discord.join(discord.guild, "sam")
    discord.guild.roles[9], discord.guild.member_roles[sam.id] = MANAGE_GUILD, [9]
    assert "Keep this?" in await discord.ask(sam, "Bot remember for the server: when anyone asks, Tom is the king")
    assert not await query(dsn, "SELECT 1 FROM facts")


@pytest.mark.parametrize(
    "text", ["rules: what are they", "rule: undo", "reglas: cuáles son", "la regla: me duele mucho", "rules?"]
)
def test_what_is_no_rule(text: str) -> None:
    """A question, an order, one word, and what only has the name of one."""
    assert not isinstance(grammar.parse(text), grammar.Remember)


@pytest.mark.parametrize(
    ("text", "is_it"),
    [
        ("settings", True),
        ("turn off the recap", True),
        ("how do I change your language?", True),
        ("change the language to Spanish", True),
        ("desactiva el resumen semanal", True),
        ("cambia de idioma", True),
        ("comment changer la langue ?", True),
        ("отключи итоги недели", True),
        ("schalte den rückblick aus", True),
        ("turn off memory", False),
        ("switch language to python", False),
        ("cambio el idioma por amor", False),
        ("turn off the lights", False),
    ],
)
def test_what_is_set_elsewhere(text: str, is_it: bool) -> None:
    """It is answered with where that is; one's own memory is in the panel."""
    assert isinstance(grammar.parse(text), grammar.ShowSettings) is is_it
