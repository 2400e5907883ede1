"""What is picked from a list."""

from __future__ import annotations

import pytest

from tests.builders import Server, query
from urmom_bot.talk.commands import Remember
from urmom_bot.talk.grammar import parse
from urmom_bot.talk.picking import means_last_two, picked, picked_in

LISTED = (11, 12, 13)


@pytest.mark.parametrize(
    ("language", "text", "numbers"),
    [
        ("en", "the second one", (12,)),
        ("en", "2", (12,)),
        ("en", "#12", (12,)),
        ("en", "number 3", (13,)),
        ("en", "the first and third", (11, 13)),
        ("en", "the first two", (11, 12)),
        ("en", "last two", (12, 13)),
        ("en", "the middle one", (12,)),
        ("en", "all of them", LISTED),
        ("es", "los dos primeros", (11, 12)),
        ("es", "la primera y la última", (11, 13)),
        ("ru", "второе и третье", (12, 13)),
        ("ru", "2-е", (12,)),
        ("de", "die ersten beiden", (11, 12)),
        ("de", "das erste und das letzte", (11, 13)),
        ("fr", "la 2eme", (12,)),
        ("fr", "la première et la dernière", (11, 13)),
    ],
)
def test_a_place_in_a_list_is_picked(language: str, text: str, numbers: tuple[int, ...]) -> None:
    assert picked(text, language, LISTED) == numbers


@pytest.mark.parametrize("text", ["the 4th", "the first and the fifth", "both"])
def test_what_the_list_does_not_have_is_none_of_it(text: str) -> None:
    assert picked(text, "en", LISTED) == ()


@pytest.mark.parametrize(
    "text",
    ["pizza", "my second job", "the second dog", "one", "no", "", "the first or the second"],
)
def test_anything_else_picks_nothing(text: str) -> None:
    assert picked(text, "en", LISTED) is None


def test_both_are_two() -> None:
    assert picked("both", "en", (4, 7)) == (4, 7)
    assert picked("beides", "de", (4, 7)) == (4, 7)


def test_an_order_may_stand_before_it() -> None:
    assert picked_in("scrap the second one", "en", LISTED) == (12,)
    assert picked_in("scrap all of those", "en", LISTED) == LISTED
    assert picked_in("first two can go", "en", LISTED) == (11, 12)
    assert picked_in("scrap the fifth one", "en", LISTED) == ()
    assert picked_in("the second one delete", "en", LISTED) == (12,)
    assert picked_in("forget what I said at 2", "en", LISTED) is None
    assert picked_in("delete the last one", "en", ()) is None


async def left(dsn: str) -> list[str]:
    rows = await query(dsn, "SELECT value FROM facts WHERE retired_at IS NULL ORDER BY fact_id")
    return [row["value"].split(maxsplit=1)[1] for row in rows]


async def test_another_is_picked_where_the_first_pick_was_wrong(discord: Server, dsn: str) -> None:
    """What was deleted wrongly comes back."""
    ann = discord.discord.join(discord.guild, "ann")
    for said in ("I fly kites", "I bake bread", "I like tea"):
        await discord.ask(ann, f"Bot remember that {said}")
    await discord.ask(ann, "Bot what do you know about me")
    await discord.ask(ann, "Bot delete the second one")
    assert await left(dsn) == ["flies kites", "likes tea"]
    await discord.ask(ann, "Bot no, the first one")
    assert await left(dsn) == ["bakes bread", "likes tea"]


async def test_the_order_is_that_of_the_answer(discord: Server, dsn: str) -> None:
    """Also where a fact came back by an undo."""
    ann = discord.discord.join(discord.guild, "ann")
    for said in ("I fly kites", "I bake bread"):
        await discord.ask(ann, f"Bot remember that {said}")
    await discord.ask(ann, "Bot forget that I fly kites")
    await discord.ask(ann, "Bot undo")
    answer = await discord.ask(ann, "Bot what do you know about me")
    first, second = sorted(("kites", "bread"), key=answer.index)
    gone = await discord.ask(ann, "Bot forget the second one")
    assert second in gone
    assert first not in gone


async def test_a_question_which_is_answered_by_a_place(discord: Server, dsn: str) -> None:
    ann = discord.discord.join(discord.guild, "ann")
    for said in ("I have a dog called Rex", "I have a dog called Ivy"):
        await discord.ask(ann, f"Bot remember that {said}")
    await discord.ask(ann, "Bot forget the dog")
    await discord.ask(ann, "Bot the second")
    assert await left(dsn) == ["has a dog called Rex"]


@pytest.mark.parametrize("asked", ["forget the 4th", "forget the second"])
async def test_without_such_a_place_it_asks(discord: Server, dsn: str, asked: str) -> None:
    """And deletes nothing: neither the only fact nor one that looks like it."""
    ann = discord.discord.join(discord.guild, "ann")
    await discord.ask(ann, "Bot remember that I fly kites")
    assert "#1" in await discord.ask(ann, f"Bot {asked}")
    assert await left(dsn) == ["flies kites"]
    assert "kites" in await discord.ask(ann, "Bot yes")
    assert await left(dsn) == []


async def test_a_list_about_somebody_is_theirs_to_pick_from(discord: Server, dsn: str) -> None:
    """Also if somebody else asked for it. What one may not delete stays."""
    ann, bob, kim = (discord.discord.join(discord.guild, name) for name in ("ann", "bob", "kim"))
    await discord.discord.say(bob, discord.general, "hi")
    for said in ("bob flies kites", "bob bakes bread"):
        await discord.ask(ann, f"Bot remember that {said}")
    await discord.ask(kim, "Bot what do you know about bob")
    await discord.ask(kim, "Bot forget the second one")
    assert await left(dsn) == ["flies kites", "bakes bread"]
    await discord.ask(ann, "Bot what do you know about bob")
    await discord.ask(bob, "Bot delete the second one")
    assert await left(dsn) == ["flies kites"]


async def test_no_to_the_question_which_deletes_nothing(discord: Server, dsn: str) -> None:
    ann = discord.discord.join(discord.guild, "ann")
    for said in ("I have a dog called Rex", "I have a dog called Ivy"):
        await discord.ask(ann, f"Bot remember that {said}")
    await discord.ask(ann, "Bot forget the dog")
    await discord.ask(ann, "Bot no")
    assert len(await left(dsn)) == 2


@pytest.mark.parametrize(
    ("language", "text"),
    [
        ("en", "both"),
        ("en", "both of them"),
        ("en", "the last two"),
        ("en", "these two"),
        ("es", "las dos cosas"),
        ("es", "los últimos dos"),
        ("fr", "les deux derniers"),
        ("de", "die beiden"),
        ("ru", "последние два"),
    ],
)
def test_what_can_only_be_the_last_two(language: str, text: str) -> None:
    assert means_last_two(text, language)


@pytest.mark.parametrize(
    ("language", "text"),
    [
        ("en", "both cats"),
        ("en", "the first two"),
        ("en", "the last of both"),
        ("en", "1 and 2"),
        ("en", "12"),
        ("en", "both, not the boat"),
        ("en", "the last"),
        ("de", "eine der beiden"),
        ("ru", "последние два часа"),
    ],
)
def test_what_may_be_something_else(language: str, text: str) -> None:
    assert not means_last_two(text, language)


@pytest.mark.parametrize("text", ["n'oublie pas les deux", "retiens les deux", "remember both of them"])
def test_both_tell_nothing_to_remember(text: str) -> None:
    """ "Both of my cats are black" does."""
    assert not isinstance(parse(text), Remember)
    assert isinstance(parse("remember both of my cats are black"), Remember)
