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


@pytest.mark.parametrize(
    "text",
    [
        "Bot remember I live in Ghent, wait that was private, bin that",
        "Bot remember I like tea. actually nvm",
        "Bot remember that I think I want to quit my job, wait, that was private, bin that",
        "Bot recuerda que vivo en Lima, espera, olvídalo",
        "Bot souviens-toi que j'ai un chat, attends, oublie ça",
        "Bot merk dir, dass ich in Bonn wohne... moment, vergiss das",
        "Бот запомни, что я живу в Киеве, погоди, забудь это",
    ],
)
async def test_what_is_taken_back_in_the_same_breath_is_not_kept(discord: Server, dsn: str, text: str) -> None:
    """Neither as a fact nor as a message; what was told before stays, and there is nothing to undo."""
    ann = discord.discord.join(discord.guild, "ann")
    await discord.ask(ann, "Bot remember that I fly kites")
    answer = await discord.ask(ann, text)
    assert "kites" not in answer
    assert [row["value"] for row in await query(dsn, "SELECT value FROM facts WHERE retired_at IS NULL")] == [
        f"<@{ann.id}> flies kites"
    ]
    assert await query(dsn, "SELECT 1 FROM chat_history WHERE user_id = $1 AND message_text <> ''", ann.id) == []


@pytest.mark.parametrize(
    "statement",
    [
        "I hate tea, actually I love it",
        "my motto is, wait and see",
        "I am a waiter, sorry if I forget it",
        "actually, never mind is my catchphrase",
        "Kate never says never mind",
        "I told Bob no, wait, forget it",
        "I moved to Oslo, actually, delete my last message",
    ],
)
def test_other_second_thoughts_are_part_of_what_is_told(statement: str) -> None:
    assert grammar.parse(f"remember that {statement}") == commands.Remember(statement=statement)


@pytest.mark.parametrize(
    "text",
    [
        "put that in the bin",
        "throw that in the trash",
        "échalo a la basura",
        "mets ça à la poubelle",
        "wirf das in den Müll",
        "выкинь это в мусорку",
    ],
)
def test_the_bin_is_for_what_was_said_last(text: str) -> None:
    assert isinstance(grammar.parse(text), commands.ForgetLast)


@pytest.mark.parametrize("asked", ["Bot forget the second one", "Bot olvida la segunda", "Бот забудь второе"])
async def test_a_listed_fact_is_picked_by_its_place(discord: Server, dsn: str, asked: str) -> None:
    ann = discord.discord.join(discord.guild, "ann")
    for said in ("I fly kites", "I bake bread", "I like tea"):
        await discord.ask(ann, f"Bot remember that {said}")
    await discord.ask(ann, "Bot what do you know about me")
    assert "bread" in await discord.ask(ann, asked)
    left = await query(dsn, "SELECT value FROM facts WHERE retired_at IS NULL ORDER BY fact_id")
    assert [row["value"].split(maxsplit=1)[1] for row in left] == ["flies kites", "likes tea"]


@pytest.mark.parametrize(
    "asked", ["forget both", "forget all of that pls", "forget all that", "vergiss das alles", "borra las dos"]
)
async def test_both_are_those_that_were_listed(discord: Server, dsn: str, asked: str) -> None:
    """No message of theirs, and nothing that a search finds. One Undo brings both back."""
    ann = discord.discord.join(discord.guild, "ann")
    await discord.discord.say(ann, discord.general, "morning all")
    for said in ("I fly kites", "I bake bread"):
        await discord.ask(ann, f"Bot remember that {said}")
    await discord.ask(ann, "Bot what do you know about me")
    answer = await discord.ask(ann, f"Bot {asked}")
    assert "kites" in answer
    assert "bread" in answer
    assert await query(dsn, "SELECT 1 FROM chat_history WHERE message_text = 'morning all'")
    assert not await query(dsn, "SELECT 1 FROM facts WHERE retired_at IS NULL")
    await discord.ask(ann, "Bot undo")
    assert len(await query(dsn, "SELECT 1 FROM facts WHERE retired_at IS NULL")) == 2


@pytest.mark.parametrize("asked", ["forget my second breakfast", "forget the first and the cat", "забудь вторник"])
async def test_a_number_in_other_words_picks_nothing(discord: Server, dsn: str, asked: str) -> None:
    ann = discord.discord.join(discord.guild, "ann")
    for said in ("I fly kites", "I bake bread"):
        await discord.ask(ann, f"Bot remember that {said}")
    await discord.ask(ann, "Bot what do you know about me")
    await discord.ask(ann, f"Bot {asked}")
    assert len(await query(dsn, "SELECT 1 FROM facts WHERE retired_at IS NULL")) == 2


async def test_a_list_about_several_people_has_no_second_one(discord: Server, dsn: str) -> None:
    ann, bob = (discord.discord.join(discord.guild, name) for name in ("ann", "bob"))
    for user in (bob, ann):
        for said in ("I fly kites", "I bake bread"):
            await discord.ask(user, f"Bot remember that {said}")
    await discord.ask(ann, "Bot what do you know about bob and me?")
    await discord.ask(ann, "Bot forget the second one")
    assert len(await query(dsn, "SELECT 1 FROM facts WHERE retired_at IS NULL")) == 4


async def test_that_is_what_was_said_since_the_list(discord: Server, dsn: str) -> None:
    ann, bob = (discord.discord.join(discord.guild, name) for name in ("ann", "bob"))
    await discord.discord.say(ann, discord.general, "hello")
    await discord.ask(bob, "Bot remember that ann plays chess")
    await discord.ask(ann, "Bot what do you know about me")
    await discord.discord.say(ann, discord.general, "I am broke")
    assert "I am broke" in await discord.ask(ann, "Bot delete that")
    assert len(await query(dsn, "SELECT 1 FROM facts WHERE retired_at IS NULL")) == 1


@pytest.mark.parametrize("said", ["not me, just tired", "that's not me, that's hilarious", "delete that, will you"])
async def test_other_words_are_nobodys_name(discord: Server, dsn: str, said: str) -> None:
    """What was told about somebody stays; what they said themselves goes if they want it to."""
    ann, bob, _ = (discord.discord.join(discord.guild, name) for name in ("ann", "bob", "will"))
    await discord.ask(bob, "Bot remember that ann plays chess")
    await discord.discord.say(ann, discord.general, "I am broke")
    await discord.ask(ann, f"Bot {said}")
    assert len(await query(dsn, "SELECT 1 FROM facts WHERE retired_at IS NULL")) == 1
    is_gone = await query(dsn, "SELECT 1 FROM chat_history WHERE message_text = 'I am broke'") == []
    assert is_gone == said.startswith("delete")


async def test_undo_is_said_of_the_order_before_a_question(discord: Server, dsn: str) -> None:
    """One that came to nothing: what was told before it stays."""
    ann = discord.discord.join(discord.guild, "ann")
    await discord.ask(ann, "Bot remember that I bake bread")
    await discord.ask(ann, "Bot forget that I fly kites")
    await discord.ask(ann, "Bot what do you know about me")
    await discord.ask(ann, "Bot what do you know about me")
    assert "haven't deleted anything" in await discord.ask(ann, "Bot actually undo that")
    assert len(await query(dsn, "SELECT 1 FROM facts WHERE retired_at IS NULL")) == 1


async def test_undo_after_a_question_still_means_what_was_told(discord: Server, dsn: str) -> None:
    ann = discord.discord.join(discord.guild, "ann")
    await discord.ask(ann, "Bot remember that I bake bread")
    await discord.ask(ann, "Bot what do you know about me")
    await discord.ask(ann, "Bot undo")
    assert await query(dsn, "SELECT 1 FROM facts WHERE retired_at IS NULL") == []


@pytest.mark.parametrize("asked", ["oublie le jazz", "supprime le jazz", "efface le jazz"])
async def test_a_thing_with_its_article_is_that_fact(discord: Server, dsn: str, asked: str) -> None:
    """Not what was told last."""
    ann = discord.discord.join(discord.guild, "ann")
    await discord.ask(ann, "Bot retiens que j'aime le jazz")
    await discord.ask(ann, "Bot retiens que j'aime le rock")
    await discord.ask(ann, f"Bot {asked}")
    left = await query(dsn, "SELECT value FROM facts WHERE retired_at IS NULL")
    assert [row["value"].split()[-1] for row in left] == ["rock"]


async def test_delete_it_about_somebodys_joke_is_not_ones_own_message(discord: Server, dsn: str) -> None:
    ann, bob = (discord.discord.join(discord.guild, name) for name in ("ann", "bob"))
    await discord.discord.say(bob, discord.general, "hi")
    await discord.discord.say(ann, discord.general, "eyyy")
    assert "eyyy" not in await discord.ask(ann, "Bot eso lo dijo bob en broma, bórralo")
    assert await query(dsn, "SELECT 1 FROM chat_history WHERE message_text = 'eyyy'")


@pytest.mark.parametrize(
    ("told", "objection"),
    [
        ("remember that ann plays the flute", "that's not me, that's bob"),
        ("remember that ann plays the flute", "not me, just bob"),
        ("retiens que ann joue aux échecs", "pas moi, bob"),
    ],
)
async def test_not_me_but_somebody_else(discord: Server, dsn: str, told: str, objection: str) -> None:
    """What was told about them a moment ago goes, and is told of whom they name."""
    ann, bob = (discord.discord.join(discord.guild, name) for name in ("ann", "bob"))
    await discord.ask(bob, f"Bot {told}")
    await discord.ask(ann, f"Bot {objection}")
    (fact,) = await query(dsn, "SELECT user_id, value FROM facts WHERE retired_at IS NULL")
    assert fact["user_id"] == bob.id
    assert "ann" not in fact["value"]


async def test_several_things_in_one_sentence_are_a_fact_each(discord: Server, dsn: str) -> None:
    """Each about whom it is about, who finds it and has it forgotten; "undo" takes back both."""
    ann, bob, kim = (discord.discord.join(discord.guild, name) for name in ("ann", "bob", "kim"))
    await discord.discord.say(bob, discord.general, "hi")
    await discord.discord.say(kim, discord.general, "hi")
    order = "Bot remember that bob has a twin brother and that kim speaks Welsh"
    await discord.ask(ann, order)
    assert "Welsh" in await discord.ask(kim, "Bot what do you know about me")
    assert "twin" not in await discord.ask(kim, "Bot forget that I speak Welsh")
    left = await query(dsn, "SELECT user_id FROM facts WHERE retired_at IS NULL")
    assert [row["user_id"] for row in left] == [bob.id]
    await discord.ask(ann, "Bot remember that I sing and that I dance")
    await discord.ask(ann, "Bot undo")
    assert len(await query(dsn, "SELECT 1 FROM facts WHERE retired_at IS NULL")) == 1
