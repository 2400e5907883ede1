"""What somebody says after the bot did something: that it's wrong, that it should stay, that it should come back."""

from __future__ import annotations

import pytest

from tests.builders import Server, query
from urmom_bot.talk import commands, grammar

NAMES = ("Bot", "bot", "бот")


@pytest.mark.parametrize("text", ["thats bs", "he's lying", "wrong"])
async def test_an_objection_means_what_the_bot_did_last(discord: Server, dsn: str, text: str) -> None:
    """Not what somebody told before others talked with the bot: then it may be about that."""
    ann, bob, carl = (discord.discord.join(discord.guild, name) for name in ("ann", "bob", "carl"))
    await discord.ask(ann, "Bot remember bob plays chess")
    await discord.ask(carl, "Bot who won the match yesterday?")
    await discord.ask(bob, f"Bot {text}")
    assert len(await query(dsn, "SELECT 1 FROM facts WHERE retired_at IS NULL")) == 1
    await discord.ask(ann, "Bot remember bob likes golf")
    assert "likes golf" in await discord.ask(bob, f"Bot {text}")


@pytest.mark.parametrize(
    "text", ["no i don't drink coffee", "i don't like this", "wrong! I'm kidding", "no, i play chess every day"]
)
async def test_ones_own_words_delete_nothing(discord: Server, dsn: str, text: str) -> None:
    """They may agree, joke, or be about something else."""
    ann, bob = (discord.discord.join(discord.guild, name) for name in ("ann", "bob"))
    await discord.ask(ann, "Bot remember bob doesn't drink coffee")
    await discord.ask(bob, f"Bot {text}")
    assert len(await query(dsn, "SELECT 1 FROM facts WHERE retired_at IS NULL")) == 1


async def test_what_one_taught_last_is_what_is_untrue(discord: Server, dsn: str) -> None:
    """Not the older fact that somebody else told about them."""
    ann, bob = (discord.discord.join(discord.guild, name) for name in ("ann", "bob"))
    await discord.ask(ann, "Bot remember bob plays chess")
    await discord.discord.say(bob, discord.general, "lol ok")
    await discord.ask(bob, "Bot remember that I like tea")
    assert "likes tea" in await discord.ask(bob, "Bot that's not true, delete it")


async def test_an_objection_deletes_nothing_that_its_writer_told_before(discord: Server, dsn: str) -> None:
    """Somebody wrote since: what is untrue is theirs, or something else. It asks, and deletes no message either."""
    ann, bob = (discord.discord.join(discord.guild, name) for name in ("ann", "bob"))
    await discord.ask(ann, "Bot remember that I work nights")
    await discord.discord.say(bob, discord.general, "ann doesn't like mushrooms")
    assert "I'm not sure which fact you mean" in await discord.ask(ann, "Bot that's wrong delete it")
    assert len(await query(dsn, "SELECT 1 FROM facts WHERE retired_at IS NULL")) == 1
    await discord.ask(ann, "Bot remember that I like tea")
    assert "likes tea" in await discord.ask(ann, "Bot that's wrong, delete it")


async def test_never_mind_after_a_deletion_offers_it_back(discord: Server, dsn: str) -> None:
    """ "Okay" alone would say that the fact is there."""
    ann = discord.discord.join(discord.guild, "ann")
    await discord.ask(ann, "Bot remember that I like tea")
    await discord.ask(ann, "Bot forget that I like tea")
    assert "I've already deleted it" in await discord.ask(ann, "Bot never mind")
    await discord.discord.press(ann, discord.general, discord.discord.sent[-1], "Undo")
    await discord.settled()
    assert len(await query(dsn, "SELECT 1 FROM facts WHERE retired_at IS NULL")) == 1


@pytest.mark.parametrize("wish", ["delete the cat thing", "forget my pancakes"])
async def test_undo_after_a_deletion_that_found_nothing(discord: Server, dsn: str, wish: str) -> None:
    """It takes back nothing older, and says that nothing is gone."""
    ann = discord.discord.join(discord.guild, "ann")
    await discord.ask(ann, "Bot remember that I like tea")
    await discord.ask(ann, f"Bot {wish}")
    assert "haven't deleted anything" in await discord.ask(ann, "Bot undo")
    assert len(await query(dsn, "SELECT 1 FROM facts WHERE retired_at IS NULL")) == 1


@pytest.mark.parametrize(
    ("text", "is_said"),
    [
        ("bot lane sucks, forget it", False),
        ("bot lane nul, oublie", False),
        ("бот в доте тупой забудь", False),
        ("bot ann isn't vegan, get rid of that", True),
        ("bot forget it", True),
        ("bot, lane sucks, forget it", True),
        ("bot i said something stupid, forget it", True),
    ],
)
def test_talk_about_a_bot_that_ends_like_an_order(text: str, is_said: bool) -> None:
    """No message is deleted because somebody is done with a subject."""
    assert (grammar.addressed(text, 0, NAMES) is not None) is is_said


@pytest.mark.parametrize("text", ["remembered my name, sick", "remembers that im a healer main lol"])
def test_what_the_bot_remembered_is_no_order(text: str) -> None:
    """In the past or of a third person, "remember" orders nothing."""
    assert not isinstance(grammar.parse(text), commands.Remember)


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("moi c'est cam", "je m'appelle cam"),
        ("ich heiß jonathan", "ich heiß jonathan"),
        ("moi c'est pareil", None),
    ],
)
def test_what_somebody_is_called_corrects_nothing(text: str, told: str | None) -> None:
    """It took back the fact that they had told before."""
    command = grammar.parse(text)
    assert (command.statement if isinstance(command, commands.Remember) else None) == told
