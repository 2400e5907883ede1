"""Several facts in one order, and orders that take back."""

from __future__ import annotations

import pytest

from tests.builders import Server, query
from urmom_bot.talk import grammar
from urmom_bot.talk.router import Router

LIVE = "SELECT quote FROM facts WHERE retired_at IS NULL ORDER BY fact_id"


async def live(dsn: str) -> list[str]:
    return [row[0] for row in await query(dsn, LIVE)]


@pytest.mark.parametrize(
    "order",
    ["forget the dog and the frog", "forget my dog, and my frog", "vergiss dog und frog", "olvida dog y frog"],
)
async def test_each_of_several_is_forgotten(discord: Server, dsn: str, order: str) -> None:
    """One Undo brings all back."""
    ann = discord.discord.join(discord.guild, "ann")
    for told in ("I have a dog", "I have a frog", "I have a dogma"):
        await discord.ask(ann, f"Bot remember {told}")
    answer = await discord.ask(ann, f"Bot {order}")
    assert "has a dog" in answer
    assert "has a frog" in answer
    assert await live(dsn) == ["I have a dogma"]
    await discord.ask(ann, "Bot undo")
    assert await live(dsn) == ["I have a dog", "I have a frog", "I have a dogma"]


async def test_of_several_none_goes_alone(discord: Server, dsn: str) -> None:
    """If one of them isn't known, or may be two, nothing is deleted unasked for the other."""
    ann = discord.discord.join(discord.guild, "ann")
    for told in ("I have a dog", "I have a red frog", "I have a blue frog"):
        await discord.ask(ann, f"Bot remember {told}")
    await discord.ask(ann, "Bot forget the dog and the frog")
    await discord.ask(ann, "Bot forget the dog and the parrot")
    assert await live(dsn) == ["I have a dog", "I have a red frog", "I have a blue frog"]


@pytest.mark.parametrize("order", ["forget my birthday", "forget my bday", "olvida mi cumpleaños"])
async def test_a_kind_of_fact_is_found_by_any_of_its_names(discord: Server, dsn: str, order: str) -> None:
    """A birthday that was told as a "bday" is one."""
    ann = discord.discord.join(discord.guild, "ann")
    await discord.ask(ann, "Bot remember my bday is 3 june")
    await discord.ask(ann, "Bot remember I like birthday cake")
    await discord.ask(ann, f"Bot {order}")
    assert await live(dsn) == ["I like birthday cake"]


@pytest.mark.parametrize("text", ["just kidding", "jk lol", "war nur spaß", "era joda", "je déconne", "шучу"])
async def test_a_joke_is_taken_back(discord: Server, dsn: str, text: str) -> None:
    """Right after it was told; later it may be about anything."""
    ann = discord.discord.join(discord.guild, "ann")
    await discord.ask(ann, "Bot remember I am the king")
    await discord.ask(ann, f"Bot {text}")
    assert await live(dsn) == []
    await discord.ask(ann, "Bot remember I like tea")
    await discord.ask(ann, "Bot what do you know about me")
    await discord.ask(ann, f"Bot {text}")
    assert await live(dsn) == ["I like tea"]


@pytest.mark.parametrize("text", ["delete system32", "delete discord lol"])
def test_a_verb_of_several_languages_tells_none(text: str) -> None:
    """The answer is in the language that its writer usually writes."""
    assert Router.language(text) is None


def test_such_a_verb_beside_other_words_does() -> None:
    """The whole message tells the language."""
    assert Router.language("delete mon anniversaire") == "fr"


@pytest.mark.parametrize(
    "text",
    [
        "forget the last thing I told you, I'm not sure it's even true",
        "don't keep that last message of mine, it was for a different channel",
        "vergiss bitte meinen letzten Satz, das war ironisch gemeint",
        "oublie ça là, ce que j'viens d'écrire, c'tait des niaiseries",
        "olvida lo último que te dije",
        "забудь последнее что я сказала, перепутала всё",
    ],
)
def test_what_was_said_last_needs_no_other_words(text: str) -> None:
    """What follows says why."""
    assert isinstance(grammar.parse(text), grammar.ForgetLast)


@pytest.mark.parametrize(
    "text",
    [
        "forget the last thing I told you about marcus",
        "forget my last job",
        "forget that I don't remember names",
        "vergiss meinen letzten Job",
    ],
)
def test_other_last_things_are_facts(text: str) -> None:
    """So is what somebody doesn't remember."""
    assert isinstance(grammar.parse(text), grammar.Forget)


@pytest.mark.parametrize(
    "text",
    [
        "ça fait combien septante fois nonante",
        "schreib mir ein Gedicht über das Vergessen",
        "vergiss mich bitte nicht, bin nur zwei Wochen im Urlaub",
        "please don't forget anything about me, I like that you know stuff",
        "what was it again? I don't remember what I said to you",
    ],
)
def test_what_has_the_words_of_an_order_and_is_none(text: str) -> None:
    """It is answered as talk."""
    assert grammar.parse(text) is None
