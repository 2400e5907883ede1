"""What somebody says after the bot did something: that it's wrong, that it should stay, that it should come back."""

from __future__ import annotations

import pytest

from tests.builders import Server, query
from urmom_bot.talk import grammar
from urmom_bot.talk.rewording import contradicts

NAMES = ("Bot", "bot", "бот")


@pytest.mark.parametrize(
    ("text", "told", "is_contradicted"),
    [
        ("wrong, I live in hull", "lives in leeds", True),
        ("i dont live in leeds", "lives in leeds", True),
        ("no i only have one cat", "has two cats", True),
        ("wtf no i love cats", "hates cats", True),
        ("nein, ich wohne nicht in Leeds", "wohnt in Leeds", True),
        ("c'est faux, j'aime le mardi", "déteste le mardi", True),
        ("no es verdad, yo amo los martes", "odia los martes", True),
        ("неправда, я люблю понедельники", "ненавидит понедельники", True),
        ("i like chess", "plays chess", False),
        ("i don't know", "plays chess", False),
        ("wrong channel lol", "plays chess", False),
        ("wrong, I meant kim", "plays chess", False),
        ("no i don't want chess now, what about go?", "plays chess", False),
        ("no problem i can do it", "plays chess", False),
        ("no, I have a dog", "plays chess", False),
    ],
)
def test_what_cannot_hold_beside_what_was_told(text: str, told: str, is_contradicted: bool) -> None:
    """The writer's own word against it, not any talk of theirs."""
    assert contradicts(text, f"<@1> {told}") is is_contradicted


async def test_ones_own_word_deletes_what_another_told(discord: Server, dsn: str) -> None:
    """At once; and talk that only shares a word with it deletes nothing."""
    ann, bob = (discord.discord.join(discord.guild, name) for name in ("ann", "bob"))
    await discord.ask(ann, "Bot remember bob lives in Leeds")
    assert "lives in Leeds" in await discord.ask(bob, "Bot wrong, I live in Hull")
    await discord.ask(ann, "Bot remember bob plays chess")
    await discord.ask(bob, "Bot i like chess")
    assert [row["value"] for row in await query(dsn, "SELECT value FROM facts WHERE retired_at IS NULL")] == [
        f"<@{bob.id}> plays chess"
    ]


async def test_an_objection_deletes_nothing_that_its_writer_told_before(discord: Server, dsn: str) -> None:
    """Somebody wrote since: what is untrue is theirs, or something else. It asks, and deletes no message either."""
    ann, bob = (discord.discord.join(discord.guild, name) for name in ("ann", "bob"))
    await discord.ask(ann, "Bot remember that I work nights")
    await discord.discord.say(bob, discord.general, "ann doesn't like mushrooms")
    assert "I don't know which fact you mean" in await discord.ask(ann, "Bot that's wrong delete it")
    assert len(await query(dsn, "SELECT 1 FROM facts WHERE retired_at IS NULL")) == 1
    await discord.ask(ann, "Bot remember that I like tea")
    assert "likes tea" in await discord.ask(ann, "Bot that's wrong, delete it")


async def test_never_mind_after_a_deletion_offers_it_back(discord: Server, dsn: str) -> None:
    """ "Okay" alone would say that the fact is there."""
    ann = discord.discord.join(discord.guild, "ann")
    await discord.ask(ann, "Bot remember that I like tea")
    await discord.ask(ann, "Bot forget that I like tea")
    assert "It's deleted already" in await discord.ask(ann, "Bot never mind")
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
        ("bot accounts are ruining twitter", False),
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
    assert not isinstance(grammar.parse(text), grammar.Remember)


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
    assert (command.statement if isinstance(command, grammar.Remember) else None) == told
