"""Facts that one member tells about others: several of them at once, and what whom it is about says to it."""

import pytest

from memory import Consent, Member
from memory.permissions import Viewer
from tests.builders import Server, query
from urmom_bot.stand_ins.world import MANAGE_GUILD
from urmom_bot.talk import grammar


async def facts(dsn: str) -> dict[str, set[str]]:
    """The live facts, by the name of whom they are about."""
    rows = await query(
        dsn,
        "SELECT display_name AS name, quote FROM facts JOIN members USING (guild_id, user_id) WHERE retired_at IS NULL",
    )
    return {row["name"]: {other["quote"] for other in rows if other["name"] == row["name"]} for row in rows}


@pytest.mark.parametrize(
    "statement",
    ["bob and kim both like sushi", "kim & bob like sushi", "bob, kim and ann like sushi", "bob y kim comen sushi"],
)
async def test_a_fact_about_several_is_kept_for_each(discord: Server, dsn: str, statement: str) -> None:
    """Each is asked about, and one undo takes it back from all."""
    ann, bob, kim = (discord.discord.join(discord.guild, name) for name in ("ann", "bob", "kim"))
    for member in (bob, kim):
        await discord.ask(member, "hello")
    await discord.ask(ann, f"Bot remember that {statement}")
    stored = await facts(dsn)
    assert stored["bob"] == stored["kim"] == {statement}
    assert ("ann" in stored) == ("ann" in statement)
    assert "sushi" in await discord.ask(ann, "Bot what do you know about kim")
    assert "Undone" in await discord.ask(ann, "Bot undo")
    assert not await facts(dsn)


@pytest.mark.parametrize("statement", ["bob or kim broke the vase", "bob, who likes kim, plays chess", "bob and kim"])
async def test_it_is_about_one_where_it_does_not_begin_with_several(discord: Server, dsn: str, statement: str) -> None:
    """Nothing is kept for whoever may not be meant."""
    ann, bob, kim = (discord.discord.join(discord.guild, name) for name in ("ann", "bob", "kim"))
    for member in (bob, kim):
        await discord.ask(member, "hello")
    await discord.ask(ann, f"Bot remember that {statement}")
    assert "kim" not in await facts(dsn)


async def test_one_of_several_has_it_forgotten_of_all(discord: Server, dsn: str) -> None:
    """The words tell of them wherever they stand; other facts of the message's writer stay, and undo brings both."""
    ann, bob, kim = (discord.discord.join(discord.guild, name) for name in ("ann", "bob", "kim"))
    for member in (bob, kim):
        await discord.ask(member, "hello")
    await discord.ask(ann, "Bot remember that bob plays chess")
    await discord.ask(ann, "Bot remember that bob and kim both like sushi")
    assert "still" not in await discord.ask(kim, "Bot forget that I like sushi")
    assert await facts(dsn) == {"bob": {"bob plays chess"}}
    await discord.ask(kim, "Bot undo")
    assert (await facts(dsn))["bob"] == {"bob plays chess", "bob and kim both like sushi"}


async def test_who_is_left_out_is_left_out_of_facts_about_several(discord: Server, dsn: str) -> None:
    """Nothing is kept of a statement about somebody who wants nothing kept."""
    ann, bob, kim = (discord.discord.join(discord.guild, name) for name in ("ann", "bob", "kim"))
    for member in (bob, kim):
        await discord.ask(member, "hello")
    member = Member(guild_id=discord.guild.id, user_id=kim.id, display_name="kim", username="kim")
    viewer = Viewer(guild_id=discord.guild.id, user_id=kim.id, is_alone=True)
    await discord.app.memory.privacy.choose(viewer, member, Consent.OFF, discord.guild.id)
    await discord.ask(ann, f"Bot remember that bob and <@{kim.id}> like sushi")
    assert not await facts(dsn)


@pytest.mark.parametrize(
    "objection",
    ["Bot thats wrong", "Bot i want that deleted", "Bot no im not", "Bot not true", "Bot that was ann, not me"],
)
async def test_who_a_new_fact_is_about_objects_to_it(discord: Server, dsn: str, objection: str) -> None:
    """It goes; what they had forgotten themselves before that does not come back."""
    ann, bob = (discord.discord.join(discord.guild, name) for name in ("ann", "bob"))
    await discord.ask(bob, "Bot remember that I play chess")
    await discord.ask(bob, "Bot forget that I play chess")
    await discord.ask(ann, "Bot remember that bob is bald")
    await discord.ask(bob, objection)
    assert not await facts(dsn)


async def test_without_a_new_fact_an_objection_deletes_nothing(discord: Server, dsn: str) -> None:
    """Neither a fact of before, nor the words of who objects."""
    ann, bob = (discord.discord.join(discord.guild, name) for name in ("ann", "bob"))
    await discord.ask(ann, "Bot remember that bob is bald")
    discord.clock.on(minutes=11)
    await discord.discord.say(bob, discord.general, "I had soup")
    for objection in ("Bot no i never said that", "Bot not true", "Bot no im not"):
        await discord.ask(bob, objection)
    assert await facts(dsn) == {"bob": {"bob is bald"}}
    assert await query(dsn, "SELECT 1 FROM chat_history WHERE message_text = 'I had soup'")


@pytest.mark.parametrize("words", ["so does kim", "kim too", "same goes for kim", "and kim as well"])
async def test_what_was_told_of_one_holds_of_another_too(discord: Server, dsn: str, words: str) -> None:
    """It is kept for both."""
    ann, bob, kim = (discord.discord.join(discord.guild, name) for name in ("ann", "bob", "kim"))
    for member in (bob, kim):
        await discord.ask(member, "hello")
    await discord.ask(ann, "Bot remember that bob likes jazz")
    await discord.ask(ann, f"Bot {words}")
    assert {name for name, told in (await facts(dsn)).items() if any("jazz" in one for one in told)} == {"bob", "kim"}


async def test_what_one_told_about_another_is_found_by_its_words(discord: Server, dsn: str) -> None:
    """It is offered, and not deleted at once; what others told is not."""
    ann, bob, cat = (discord.discord.join(discord.guild, name) for name in ("ann", "bob", "cat"))
    await discord.ask(bob, "hello")
    await discord.ask(ann, "Bot remember that bob's dog is called rex")
    for words in ("Bot forget rex", "Bot delete the dog one"):
        offered = await discord.ask(ann, words)
        assert "#1 bob's dog is called rex" in offered
        assert "#1" not in await discord.ask(cat, words)
    assert "bob" in await facts(dsn)


async def test_forgetting_somebody_offers_what_is_known_of_them(discord: Server, dsn: str) -> None:
    """Managers also learn how to delete everything; others are told of no command that is not theirs."""
    world = discord.discord
    ann, marcus = (world.join(discord.guild, name) for name in ("ann", "marcus"))
    boss = world.join(discord.guild, "boss")
    discord.guild.roles[9], discord.guild.member_roles[boss.id] = MANAGE_GUILD, [9]
    await discord.ask(marcus, "hello")
    await discord.ask(ann, "Bot remember that marcus lives in Leeds")
    await discord.ask(ann, "Bot remember that marcus has a boat")
    for words in (
        "Bot forget marcus",
        "Bot forget everything about marcus",
        "Bot delete everything I told you about marcus",
        "бот забудь маркуса",
        "бот забудь всё о маркусе",
    ):
        offered = await discord.ask(ann, words)
        assert "#1 marcus lives in Leeds" in offered, words
        assert "#2 marcus has a boat" in offered, words
        assert "purge-member" not in offered
        assert "purge-member" in await discord.ask(boss, words)
    assert len((await facts(dsn))["marcus"]) == 2
    assert "Leeds" in await discord.ask(ann, "бот что ты знаешь о маркусе")


async def test_a_name_with_an_s_and_no_apostrophe(discord: Server, dsn: str) -> None:
    """ "kims bday" is kim's."""
    ann, kim = (discord.discord.join(discord.guild, name) for name in ("ann", "kim"))
    await discord.ask(kim, "hello")
    await discord.ask(ann, "Bot remember kims bday: 3 march")
    await discord.ask(ann, "Bot remember kims birthday party is on friday")
    assert (await facts(dsn)) == {"kim": {"kims bday: 3 march", "kims birthday party is on friday"}}


async def test_another_name_inside_is_put_right_inside(discord: Server, dsn: str) -> None:
    """Whom the fact is about stays; at its beginning the name is whom it is about."""
    ann, bob, kim = (discord.discord.join(discord.guild, name) for name in ("ann", "bob", "kim"))
    for member in (bob, kim):
        await discord.ask(member, "hello")
    await discord.ask(ann, "Bot remember that I went to Paris with bob")
    await discord.ask(ann, "Bot no, not with bob but with kim")
    assert await facts(dsn) == {"ann": {"I went to Paris with kim"}}


async def test_a_sentence_about_somebody_else_answers_no_question(discord: Server, dsn: str) -> None:
    """ "ann is called Annie" does not say whom the fact before is about."""
    ann, kim = (discord.discord.join(discord.guild, name) for name in ("ann", "kim"))
    await discord.ask(ann, "hello")
    await discord.ask(kim, "Bot remember that katharina likes tea")
    await discord.ask(kim, "Bot ann is called Annie")
    assert not any("tea" in told for one in (await facts(dsn)).values() for told in one)


@pytest.mark.parametrize(
    ("text", "statement"),
    [("remember rule 3: be nice", "rule 3: be nice"), ("call me K", "I am called K"), ("call me Jo", "I am called Jo")],
)
def test_words_are_kept_as_they_were_said(text: str, statement: str) -> None:
    """Neither taken for politeness, nor for another language's short form."""
    assert grammar.parse(text) == grammar.Remember(statement=statement, language="en")


@pytest.mark.parametrize(
    "text",
    [
        "would you remember it if i told you bob has a cat",
        "si te lo pidiera, ¿me olvidarías si te digo que sí?",
        "würdest du mich vergessen wenn ich dich frage",
        "me olvidé el paraguas y llueve",
        "n'efface pas tout ce que j'ai dit",
        "no borres todo lo que dije",
        "mute kim",
        "ban ann",
        "no im not",
    ],
)
def test_what_only_sounds_like_an_order_is_none(text: str) -> None:
    """What would be, what was forgotten at home, what is not to be deleted, and what other bots do."""
    assert not isinstance(
        grammar.parse(text),
        grammar.Remember | grammar.Forget | grammar.ForgetLast | grammar.Meant | grammar.ShowPrivacy | grammar.SetJokes,
    )
