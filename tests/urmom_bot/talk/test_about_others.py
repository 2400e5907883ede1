"""Facts that one member tells about others: several of them at once, and what whom it is about says to it."""

import pytest

from memory import AuthorKind, Consent, Member
from memory.permissions import Viewer
from tests.builders import Server, query
from urmom_bot.stand_ins.world import MANAGE_GUILD
from urmom_bot.talk import commands, grammar, people


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
    assert "bob" not in await facts(dsn)


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


@pytest.mark.parametrize("words", ["kim doesnt", "kim doesn't", "kim nicht", "kim no"])
async def test_a_denial_of_somebody_else_says_nothing_of_them(discord: Server, dsn: str, words: str) -> None:
    """That Kim doesn't like what Ann likes is not that Kim likes it."""
    ann, bob, kim = (discord.discord.join(discord.guild, name) for name in ("ann", "bob", "kim"))
    for member in (ann, kim):
        await discord.ask(member, "hello")
    await discord.ask(bob, "Bot remember that ann likes techno")
    await discord.ask(bob, f"Bot {words}")
    assert set(await facts(dsn)) == {"ann"}


@pytest.mark.parametrize(
    ("told", "objection"),
    [
        ("Bot remember that bob likes techno", "Bot delete that about me"),
        ("Bot merk dir, dass bob Techno mag", "Bot lösch das über mich"),
        ("Bot merk dir, dass bob Techno mag", "Bot nimm mich da raus"),
    ],
)
async def test_who_a_new_fact_is_about_has_it_deleted(discord: Server, dsn: str, told: str, objection: str) -> None:
    """Without the panel, and without switching off jokes."""
    ann, bob = (discord.discord.join(discord.guild, name) for name in ("ann", "bob"))
    await discord.ask(bob, "hello")
    await discord.ask(ann, told)
    await discord.ask(bob, objection)
    assert not await facts(dsn)


@pytest.mark.parametrize("words", ["also undo", "undo too"])
async def test_an_order_is_no_name_that_something_holds_of(discord: Server, dsn: str, words: str) -> None:
    """It is carried out."""
    ann = discord.discord.join(discord.guild, "ann")
    await discord.ask(ann, "Bot remember that I like jazz")
    await discord.ask(ann, f"Bot {words}")
    assert not await facts(dsn)


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
    assert (await facts(dsn)) == {"kim": {"kims bday: 3 march", "kim's birthday party is on friday"}}


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
    assert grammar.parse(text) == commands.Remember(statement=statement, language="en")


@pytest.mark.parametrize(
    "text",
    [
        "would you remember it if i told you bob has a cat",
        "si te lo pidiera, ¿me olvidarías si te digo que sí?",
        "me olvidé el paraguas y llueve",
        "n'efface pas tout ce que j'ai dit",
        "no borres todo lo que dije",
        "ничего не удаляй пожалуйста",
        "n'efface rien",
        "ne retiens pas ce que je vais dire, c'est pour rigoler",
        "mute kim",
        "ban ann",
        "no im not",
    ],
)
def test_what_only_sounds_like_an_order_is_none(text: str) -> None:
    """What would be, what was forgotten at home, what is not to be deleted, and what other bots do."""
    assert not isinstance(
        grammar.parse(text),
        commands.Remember
        | commands.Forget
        | commands.ForgetLast
        | commands.Meant
        | commands.ShowPrivacy
        | commands.SetJokes,
    )


@pytest.mark.parametrize(
    "text",
    [
        "what is wrong?",
        "i don't know",
        "i'm not sure",
        "is lunch gone?",
        "why not me?",
        "true or false?",
        "bin kurz weg",
        "lies das vor",
        "un faux billet",
        "pourquoi pas moi",
        "yo no sé",
        "falso o verdadero?",
        "не так ли?",
        "а не я?",
        "wrong, I meant kim",
    ],
)
async def test_talk_is_no_objection(discord: Server, dsn: str, text: str) -> None:
    """Questions and words about something else delete nothing, even right after a fact was told."""
    ann, bob, kim = (discord.discord.join(discord.guild, name) for name in ("ann", "bob", "kim"))
    await discord.ask(kim, "hello")
    await discord.ask(ann, "Bot remember that bob likes tea")
    await discord.ask(bob, f"Bot {text}")
    assert "bob" in await facts(dsn)


async def test_an_objection_to_an_answer_is_no_objection_to_a_fact(discord: Server, dsn: str) -> None:
    """Who has spoken with the bot since means its answer."""
    ann, bob = (discord.discord.join(discord.guild, name) for name in ("ann", "bob"))
    await discord.ask(ann, "Bot remember that bob likes golf")
    await discord.ask(bob, "Bot what is the capital of Australia?")
    await discord.ask(bob, "Bot wrong")
    assert "bob" in await facts(dsn)


async def test_an_objection_in_a_reply_is_to_what_it_replies_to(discord: Server, dsn: str) -> None:
    """To the words that told the fact; one's own message stays."""
    world = discord.discord
    ann, bob = (world.join(discord.guild, name) for name in ("ann", "bob"))
    own = await world.say(bob, discord.general, "my cat is called Rex")
    told = await world.say(ann, discord.general, "Bot remember that bob likes tea")
    await discord.settled()
    await world.say(bob, discord.general, "Bot not true", reply_to=own)
    await discord.settled()
    assert "bob" in await facts(dsn)
    assert await query(dsn, "SELECT 1 FROM chat_history WHERE message_text LIKE 'my cat%'")
    await world.say(bob, discord.general, "Bot not true", reply_to=told)
    await discord.settled()
    assert not await facts(dsn)


@pytest.mark.parametrize("words", ["sorry, never mind", "no, never mind", "nah nvm"])
async def test_never_mind_brings_nothing_back(discord: Server, dsn: str, words: str) -> None:
    """Whatever it begins with; what was told stays as well."""
    kim = discord.discord.join(discord.guild, "kim")
    await discord.ask(kim, "Bot remember that I surf")
    await discord.ask(kim, f"Bot {words}")
    assert "kim" in await facts(dsn)
    await discord.ask(kim, "Bot forget that I surf")
    await discord.ask(kim, f"Bot {words}")
    assert not await facts(dsn)


async def test_a_fact_for_oneself_alone_is_kept_of_nobody_else(discord: Server, dsn: str) -> None:
    """What is kept in private of the speaker is not of whom they name beside themselves."""
    ann, kim = (discord.discord.join(discord.guild, name) for name in ("ann", "kim"))
    await discord.ask(kim, "hello")
    await discord.ask(ann, "Bot remember that I and kim might move to Oslo, if we can")
    await discord.ask(ann, "Bot yes")
    assert not await query(dsn, "SELECT 1 FROM facts WHERE audience < 0 AND user_id <> -audience")


async def test_facts_of_one_message_about_several_go_one_by_one(discord: Server, dsn: str) -> None:
    """Two orders to keep the same message made them, and no statement about both."""
    world = discord.discord
    sam, bob, kim = (world.join(discord.guild, name) for name in ("sam", "bob", "kim"))
    for member in (bob, kim):
        await discord.ask(member, "hello")
    said = await world.say(sam, discord.general, "loves spicy ramen")
    for name in ("bob", "kim"):
        await world.say(sam, discord.general, f"Bot remember that about {name}", reply_to=said)
        await discord.settled()
    stored = await facts(dsn)
    await discord.ask(bob, "Bot forget that I love spicy ramen")
    assert stored.get("kim") == (await facts(dsn)).get("kim")


async def test_ones_own_word_stays_where_another_has_it_forgotten(discord: Server, dsn: str) -> None:
    """Bob told it too."""
    ann, bob = (discord.discord.join(discord.guild, name) for name in ("ann", "bob"))
    await discord.ask(bob, "hello")
    await discord.ask(ann, "Bot remember that ann and bob play chess")
    await discord.ask(bob, "Bot remember that ann and bob play chess")
    await discord.ask(ann, "Bot forget that I play chess")
    assert set(await facts(dsn)) == {"bob"}


@pytest.mark.parametrize(
    "statement", ["bills are due on friday", "bills cost a lot", "cats are better than dogs", "cats have nine lives"]
)
async def test_a_plural_is_nobodys_name(discord: Server, dsn: str, statement: str) -> None:
    """Members called bill and cat are not meant."""
    ann, bill, cat = (discord.discord.join(discord.guild, name) for name in ("ann", "bill", "cat"))
    for member in (bill, cat):
        await discord.ask(member, "hello")
    await discord.ask(ann, f"Bot remember that {statement}")
    assert not await facts(dsn)


async def test_so_does_is_about_whom_was_meant_last(discord: Server, dsn: str) -> None:
    """After a correction, too; and not in the words of another language ("also" is German for "so")."""
    ann, bob, kim, sam = (discord.discord.join(discord.guild, name) for name in ("ann", "bob", "kim", "sam"))
    for member in (bob, kim, sam):
        await discord.ask(member, "hello")
    await discord.ask(ann, "Bot merk dir, dass bob Tee mag")
    await discord.ask(ann, "Bot also kim")
    assert "kim" not in await facts(dsn)
    await discord.ask(ann, "Bot remember that bob and kim like rain")
    await discord.ask(ann, "Bot so does sam")
    assert (await facts(dsn))["sam"] == {f"<@{sam.id}> likes rain"}


@pytest.mark.parametrize(
    ("told", "words"),
    [
        ("Bot remember that I love rain", "me too"),
        ("Bot remember that ann loves rain", "so do I"),
        ("Bot merk dir, dass ich rain mag", "ich auch"),
        ("Bot recuerda que amo el rain", "yo también"),
        ("Bot retiens que j'aime le rain", "moi aussi"),
        ("бот запомни, что я люблю rain", "я тоже"),
    ],
)
async def test_what_one_told_holds_of_whoever_agrees(discord: Server, dsn: str, told: str, words: str) -> None:
    """Though somebody else told it; whoever told it gains nothing by agreeing with themselves."""
    ann, bob = (discord.discord.join(discord.guild, name) for name in ("ann", "bob"))
    await discord.ask(bob, "hello")
    await discord.ask(ann, told)
    await discord.ask(bob, f"Bot {words}")
    agreed = await facts(dsn)
    assert {name for name, kept in agreed.items() if any("rain" in one for one in kept)} == {"ann", "bob"}
    await discord.ask(bob, f"Bot {words}")
    assert await facts(dsn) == agreed


@pytest.mark.parametrize(
    "told", ["bob is my brother", "I love kim", "I am married to kim", "bob likes my cooking", "kim is taller than bob"]
)
async def test_what_names_whoever_agrees_or_the_teller_does_not_hold_of_them(
    discord: Server, dsn: str, told: str
) -> None:
    """A brother of the teller is somebody else's, and nobody loves themselves by agreeing."""
    ann, bob, kim = (discord.discord.join(discord.guild, name) for name in ("ann", "bob", "kim"))
    for member in (bob, kim):
        await discord.ask(member, "hello")
    await discord.ask(ann, f"Bot remember that {told}")
    before = await facts(dsn)
    await discord.ask(kim, "Bot me too")
    assert await facts(dsn) == before


async def test_agreement_is_with_what_was_said_last(discord: Server, dsn: str) -> None:
    """Not with a fact, where somebody has said something else to the bot since. "So does X" is about one's own."""
    ann, bob, kim = (discord.discord.join(discord.guild, name) for name in ("ann", "bob", "kim"))
    await discord.ask(ann, "Bot remember that I like snow")
    await discord.ask(kim, "Bot horror films are great")
    await discord.ask(bob, "Bot me too")
    assert set(await facts(dsn)) == {"ann"}
    await discord.ask(ann, "Bot remember that I like figs")
    await discord.ask(kim, "Bot remember that I hate fish")
    await discord.ask(ann, "Bot so does bob")
    assert "figs" in " ".join((await facts(dsn))["bob"])


async def test_nobody_agrees_to_what_was_taken_back(discord: Server, dsn: str) -> None:
    """Nor to what was told long ago."""
    ann, bob = (discord.discord.join(discord.guild, name) for name in ("ann", "bob"))
    await discord.ask(ann, "Bot remember that I love rain")
    await discord.ask(ann, "Bot undo")
    await discord.ask(bob, "Bot me too")
    assert not await facts(dsn)
    await discord.ask(ann, "Bot remember that I love rain")
    discord.clock.on(minutes=4)
    await discord.ask(bob, "Bot me too")
    assert set(await facts(dsn)) == {"ann"}


@pytest.mark.parametrize(
    ("statement", "names"),
    [
        ("bob and kim like sushi", ["bob", "kim"]),
        ("me and bob are siblings", ["zoe", "bob"]),
        ("bob, kim and mary ann like sushi", ["bob", "kim", "mary ann"]),
        ("bob and mary like sushi", ["bob", "mary"]),
        ("bob and alex like sushi", []),
        ("bob and kim Kardashian are pen pals", []),
        ("bob, my boss, snores loudly", []),
        ("kim, bob plays rugby", []),
        ("bob and robot like oil", []),
        ("bob and mary or kim like tea", []),
        ("bob and kim's dog is old", []),
        ("bob and kim", []),
        ("bob likes kim and mary", []),
    ],
)
def test_who_a_statement_begins_with(statement: str, names: list[str]) -> None:
    """Several only where that is certain: two called alex, another Kim, a comma, a bot and "or" leave doubt."""
    called = ["bob", "kim", "mary", "mary ann", "alex", "alex", "robot"]
    members = {
        n: Member(
            guild_id=1,
            user_id=n,
            display_name=name,
            username=name if name != "alex" else f"alex{n}",
            author_kind=AuthorKind.BOT if name == "robot" else AuthorKind.MEMBER,
        )
        for n, name in enumerate(called, 10)
    }
    zoe = Member(guild_id=1, user_id=99, display_name="zoe", username="zoe")
    assert [m.display_name for m in people.also_about(statement, zoe, members)[0]] == names


@pytest.mark.parametrize(
    "text",
    [
        "плиз не забывай это",
        "бот слушай не удаляй это",
        "mejor no borres eso",
        "no wey eso no, mejor no lo olvides",
        "stp efface pas ça",
        "en fait efface pas ça",
        "vergiss das nicht",
        "please don't delete that",
        "представь что я прошу тебя все забыть",
        "q pasa si digo olvida todo",
        "j'espère que tu vas pas oublier ca",
    ],
)
def test_an_order_to_delete_nothing_deletes_nothing(text: str) -> None:
    """Whatever stands before it; nor does what somebody only imagines, or hopes."""
    dropping = commands.Forget | commands.ForgetLast | commands.TakeBack | commands.Remember
    assert not isinstance(grammar.parse(text), dropping)


@pytest.mark.parametrize(
    ("text", "statement"),
    [
        ("don't forget that I like tea", "I like tea"),
        ("n'oublie pas que j'aime le thé", "j'aime le thé"),
        ("не забывай что я люблю чай", "я люблю чай"),
        ("no olvides que me gusta el té", "me gusta el té"),
        ("vergiss nicht dass ich Tee mag", "ich Tee mag"),
    ],
)
def test_an_order_not_to_forget_remembers(text: str, statement: str) -> None:
    """In every language."""
    command = grammar.parse(text)
    assert isinstance(command, commands.Remember)
    assert command.statement == statement


@pytest.mark.parametrize("question", ["que sabes de mi", "what do you know about me", "что ты знаешь обо мне"])
async def test_a_question_is_no_answer_to_a_question(discord: Server, dsn: str, question: str) -> None:
    """It is answered, and says nothing of whom the fact before is about."""
    leo = discord.discord.join(discord.guild, "leo")
    await discord.ask(leo, "Bot recuerda que odia los lunes")
    await discord.ask(leo, f"Bot {question}")
    assert not await facts(dsn)


@pytest.mark.parametrize(
    ("statement", "name"),
    [("у маши есть собака", "маша"), ("маркус живет в риге", "marcus")],
)
async def test_russian_cases_and_letters_name_members(discord: Server, dsn: str, statement: str, name: str) -> None:
    """Of names in either alphabet."""
    dasha, other = (discord.discord.join(discord.guild, one) for one in ("dasha", name))
    await discord.ask(other, "привет")
    await discord.ask(dasha, f"бот запомни что {statement}")
    assert name in await facts(dsn)
