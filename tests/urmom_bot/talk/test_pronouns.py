"""Whom "she", "him" and "their dog" mean: whoever was named just before, and nobody where two were."""

from __future__ import annotations

import pytest

from tests.builders import Clock, Server
from tests.urmom_bot.talk.test_put_right import Known, known, talk
from urmom_bot.talk.pronouns import OTHERS_TALK
from urmom_bot.talk.rewording import reworded


@pytest.mark.parametrize(
    ("lines", "left"),
    [
        ("ann: remember bob is a nurse\nann: remember he also has a dog", {"bob is a nurse", "bob also has a dog"}),
        ("ann: remember bob ran\nann: remember his dog is called rex", {"bob ran", "bob's dog is called rex"}),
        ("ann: remember bob ran\nann: remember that he's a vet", {"bob ran", "bob is a vet"}),
        ("ann: remember bob ran\nann: forget that he ran", set()),
        ("ann: what do you know about bob\nann: remember he likes tea", {"bob likes tea"}),
        ("bob: remember I ski\nann: remember he likes tea", {"bob skis", "bob likes tea"}),
        ("ann: recuerda que bob fuma\nann: recuerda que él tiene un gato", {"bob fuma", "bob tiene un gato"}),
        ("ann: recuerda que bob fuma\nann: recuerda que su gato es gris", {"bob fuma", "bob: su gato es gris"}),
        ("ann: retiens que bob fume\nann: retiens qu'il a un chat", {"bob fume", "bob a un chat"}),
        ("ann: запомни что bob курит\nann: запомни что у него есть кот", {"bob курит", "у bob есть кот"}),
        ("ann: запомни что bob курит\nann: запомни что его кот рыжий", {"bob курит", "bob: его кот рыжий"}),
        ("ann: merk dir dass bob raucht\nann: merk dir dass er tee mag", {"bob raucht", "bob mag tee"}),
        ("ann: merk dir dass bob raucht\nann: vergiss seinen hund", {"bob raucht"}),
        ("ann: remember bob ran\nann: remember dentist at 3\nann: remember he likes tea", {"bob ran", "bob likes tea"}),
        ("ann: recuerda que bob fuma\nann: recuerda que tiene un gato", {"bob fuma", "bob tiene un gato"}),
        ("ann: recuerda que bob fuma\nann: recuerda q le gusta el té", {"bob fuma", "bob: le gusta el té"}),
        # of whom it is left open, or of nobody
        ("ann: remember bob ran\nann: remember they are closed on monday", {"bob ran"}),
        ("ann: recuerda que bob fuma\nann: recuerda que hace frío", {"bob fuma"}),
        ("ann: recuerda que bob fuma\nann: recuerda que ella y yo somos amigas", {"bob fuma"}),
        ("ann: retiens que bob fume\nann: retiens qu'il y a une réunion lundi", {"bob fume"}),
        ("ann: retiens que bob fume\nann: retiens qu'il pleut à Lyon", {"bob fume"}),
        ("ann: retiens que bob fume\nann: retiens qu'il va pleuvoir demain", {"bob fume"}),
        ("ann: recuerda que bob fuma\nann: recuerda que también tengo un perro", {"bob fuma"}),
        ("ann: recuerda que bob fuma\nann: recuerda que vive mi abuela en Madrid", {"bob fuma"}),
        ("ann: recuerda que bob fuma\nann: recuerda que tiene que llover", {"bob fuma"}),
        ("ann: retiens que bob fume\nann: retiens que c'est lundi la réunion", {"bob fume"}),
        ("ann: merk dir dass bob raucht\nann: merk dir sie kommen morgen", {"bob raucht"}),
        ("ann: merk dir dass bob raucht\nann: merk dir Sie können hier parken", {"bob raucht"}),
        ("ann: remember kim ran\nbob: remember I ski\nann: remember she likes tea", {"bob skis"}),
        ("ann: remember bob and kim ran\nann: remember she likes tea", {"bob and kim ran"}),
        ("ann: what do you know about kim and bob\nann: remember he likes tea", set()),
        ("ann: remember I ran\nann: remember he likes tea", set()),
        ("ann: remember he likes tea", set()),
        ("ann: remember bob ran\nann: remember the meeting is at 8\nann: remember he likes tea", {"bob ran"}),
        ("ann: remember bob ran\nann: remember I told him to ski", {"bob ran"}),
    ],
)
async def test_who_was_named_just_before(discord: Server, dsn: str, lines: str, left: set[str]) -> None:
    await talk(discord, lines)
    assert (await known(discord, dsn)).get("bob", set()) == left


@pytest.mark.parametrize(
    "asked",
    ["what do you know about him", "who is he?", "qué sabes de él", "que sais-tu de lui", "что знаешь о нём"],
)
async def test_what_is_known_of_them(discord: Server, asked: str) -> None:
    """Asked in any language, and without a model."""
    *_, answer = await talk(discord, f"ann: remember bob plays the oboe\nann: {asked}")
    assert "bob plays the oboe" in answer.replace(f"<@{discord.guild.id}>", "")


async def test_something_of_theirs_is_asked_about(discord: Server) -> None:
    """As it is with their name: "bob has a dog" says more than "bob's dog"."""
    *_, answer = await talk(discord, "ann: remember bob ran\nann: remember bob has a dog\nann: forget his dog")
    assert "Should I forget this?" in answer
    assert "has a dog" in answer
    assert "ran" not in answer


async def test_a_reply_is_about_its_writer(discord: Server, dsn: str) -> None:
    """Though somebody else was named before; one's own message names nobody."""
    ann, bob, kim = (discord.discord.join(discord.guild, name) for name in ("ann", "bob", "kim"))
    said = await discord.discord.say(bob, discord.general, "mint tea for me")
    own = await discord.discord.say(ann, discord.general, "and cake")
    await discord.ask(ann, f"Bot remember that <@{kim.id}> ran")
    await discord.ask(ann, "Bot remember that he likes mint tea", reply_to=said)
    assert "Who is that about" in await discord.ask(ann, "Bot remember that he likes cake", reply_to=own)
    assert (await known(discord, dsn))["bob"] == {"bob likes mint tea"}


@pytest.mark.parametrize("quoted", ["my brother moved to Rome", "kim broke a cup", "he broke a cup"])
async def test_a_reply_to_talk_of_somebody_else_is_asked_about(discord: Server, dsn: str, quoted: str) -> None:
    """Who writes of others isn't who is meant."""
    ann, bob, _ = (discord.discord.join(discord.guild, name) for name in ("ann", "bob", "kim"))
    await discord.discord.say(_, discord.general, "hi")
    said = await discord.discord.say(bob, discord.general, quoted)
    await discord.ask(ann, "Bot remember that he likes tea", reply_to=said)
    assert await known(discord, dsn) == {}


async def test_whom_it_is_said_of_puts_nobody_right_by_a_pronoun(discord: Server, dsn: str) -> None:
    """ "She" isn't whoever says it."""
    await talk(discord, "ann: remember bob is a nurse\nbob: no, she is a vet")
    assert await known(discord, dsn) == {"bob": {"bob is a nurse"}}


async def test_a_yes_with_its_order_deletes_what_was_offered(discord: Server, dsn: str) -> None:
    """ "Yes, forget it" is no "never mind"."""
    await talk(discord, "ann: remember bob has a dog\nann: remember bob ran\nann: forget his dog\nann: yes forget it")
    assert await known(discord, dsn) == {"bob": {"bob ran"}}


async def test_what_others_said_is_soon_over(discord: Server, dsn: str, clock: Clock) -> None:
    """A pronoun means of whom somebody else spoke for a few minutes."""
    await talk(discord, "bob: remember I ski")
    clock.on(seconds=OTHERS_TALK.total_seconds())
    ann = next(user for user in discord.guild.members.values() if user.name == "ann")
    assert "Who is that about" in await discord.ask(ann, "Bot remember that he likes tea")
    assert (await known(discord, dsn))["bob"] == {"bob skis"}


async def test_a_question_that_names_nobody_is_given_to_the_model_as_it_is(discord: Server, dsn: str) -> None:
    """It knows what was said before; nothing is stored."""
    await talk(discord, "ann: remember bob ran\nann: she lives in rome\nann: what did he say?")
    assert (await known(discord, dsn)) == Known({"bob": {"bob ran"}})


@pytest.mark.parametrize(
    ("statement", "correction", "language", "right"),
    [
        ("kim is a nurse", "no, she's a vet", "en", "kim is a vet"),
        ("kim plays the cello", "no, she plays the violin", "en", "kim plays the violin"),
        ("my sister is a nurse", "no, she's a vet", "en", "my sister is a vet"),
        ("bob is 30", "no, he's 31", "en", "bob is 31"),
        ("bob est infirmier", "non, il est vétérinaire", "fr", "bob est vétérinaire"),
        ("bob ist krankenpfleger", "nein, er ist tierarzt", "de", "bob ist tierarzt"),
        ("i like cats", "no wait, i hate cats", "en", "i hate cats"),
        ("kim is a nurse", "no, she's right", "en", None),
        ("kim is vegan", "no, she's right", "en", None),
        ("kim is a nurse", "no, she's a liar", "en", None),
        ("bob smokes", "no, he lies", "en", None),
        ("bob курит", "нет, он врёт", "ru", None),
        ("bob fume", "non, il ment", "fr", None),
        ("the meeting is on monday", "no, she's sick", "en", None),
        ("bob lives in rome", "no, he lives in your head", "en", None),
        ("i like tea", "sorry, i want tea", "en", None),
        ("bob smokes", "no, he said that", "en", None),
        ("bob smokes", "no he doesn't", "en", None),
        ("bob lives in rome", "no, he's joking", "en", None),
        ("i like cats", "no, i mean cats", "en", None),
        ("i have a dog", "no, i have a question", "en", None),
    ],
)
def test_who_was_told_of_is_put_right_by_a_pronoun(
    statement: str, correction: str, language: str, right: str | None
) -> None:
    """What is told of them instead, in the same form; not what else may be said of anybody."""
    assert reworded(statement, correction, language) == right


@pytest.mark.parametrize("order", ["forget that <@{0}> ran", "forget that bob ran"])
async def test_a_mention_is_as_good_as_a_name(discord: Server, dsn: str, order: str) -> None:
    """What is forgotten is what is said of them, not all that is known."""
    await talk(discord, "ann: remember bob ran\nann: remember bob has a dog\nann: remember bob sings")
    ann, bob = (next(user for user in discord.guild.members.values() if user.name == name) for name in ("ann", "bob"))
    await discord.ask(ann, f"Bot {order.format(bob.id)}")
    left = (await known(discord, dsn))["bob"]
    assert len(left) == 2
    assert "bob sings" in left


@pytest.mark.parametrize(
    ("lines", "left"),
    [
        (
            "ann: remember bob is a plumber\nann: he also has a dog\nann: yes",
            {"bob": {"bob is a plumber", "bob has a dog"}},
        ),
        ("ann: remember bob ran\nann: and he sings\nann: yes", {"bob": {"bob ran", "bob sings"}}),
        ("ann: remember bob has a dog\nann: and a frog\nann: yes", {"bob": {"bob has a dog", "bob has a frog"}}),
        ("ann: remember bob ran\nann: kim has a dog too\nann: yes", {"bob": {"bob ran"}, "kim": {"kim has a dog"}}),
        ("ann: remember bob ran\nann: i also have a cat\nann: yes", {"bob": {"bob ran"}, "ann": {"ann has a cat"}}),
        (
            "ann: guarda que kim tiene un gato\nann: tb tiene un perro\nann: sí",
            {"kim": {"kim tiene un gato", "kim tiene un perro"}},
        ),
        ("ann: guarda que kim tiene un gato\nann: ella tb canta\nann: sí", {"kim": {"kim tiene un gato", "kim canta"}}),
        (
            "ann: acuerdate tengo una rana\nann: y una tortuga\nann: sí",
            {"ann": {"ann: tengo una rana", "ann: tengo una tortuga"}},
        ),
        ("ann: запомни что bob поёт\nann: у него еще пес есть\nann: да", {"bob": {"bob поёт", "у bob пес есть"}}),
        (
            "ann: retiens que bob a un chien\nann: il a aussi un chat\nann: oui",
            {"bob": {"bob a un chien", "bob a un chat"}},
        ),
        # talk
        ("ann: remember bob ran\nann: and then we left", {"bob": {"bob ran"}}),
        ("ann: remember bob ran\nann: that's also funny", {"bob": {"bob ran"}}),
        ("ann: remember bob ran\nann: does he also sing?", {"bob": {"bob ran"}}),
        ("ann: remember bob ran\nann: whatever\nann: bob is great fun\nann: he also sings", {"bob": {"bob ran"}}),
        ("ann: remember bob ran\nkim: he also sings", {"bob": {"bob ran"}}),
        ("ann: remember the raid is at 8\nann: and he is late", {"server": {"the raid is at 8"}}),
        ("ann: he also sings", {}),
        ("ann: remember bob ran\nann: and he left\nann: no", {"bob": {"bob ran"}}),
        ("ann: remember bob ran\nann: i'm too old for this\nann: yes", {"bob": {"bob ran"}}),
        ("ann: remember bob ran\nann: he also sings", {"bob": {"bob ran"}}),  # not before somebody agrees
    ],
)
async def test_what_is_told_besides_is_asked_about(discord: Server, dsn: str, lines: str, left: Known) -> None:
    """Right after a fact, with a word that adds something, it is asked about; other talk isn't."""
    await talk(discord, lines)
    assert await known(discord, dsn) == left


@pytest.mark.parametrize(
    ("lines", "left"),
    [
        ("ann: remember kim plays golf\nann: not kim", {}),
        ("ann: guarda que kim juega al golf\nann: no, kim no", {}),
        (
            "ann: remember bob and kim like chess\nann: not bob, sam",
            {"kim": {"sam and kim like chess"}, "sam": {"sam and kim like chess"}},
        ),
        ("ann: remember kim plays golf\nann: not golf", {"kim": {"kim plays golf"}}),
        (
            "ann: remember bob and kim love sushi\nann: so do i\nann: wait not kim",
            {"bob": {"bob and kim love sushi"}, "kim": {"bob and kim love sushi"}, "ann": {"ann loves sushi"}},
        ),
        ("ann: remember kim plays golf\nann: kim is not here", {"kim": {"kim plays golf"}}),
        ("ann: remember kim plays golf\nann: kim doesn't", {"kim": {"kim plays golf"}}),
        # what was not heard in between may be meant
        (
            "ann: remember kim loves rock\nann: bob is into rock big time\nann: not bob, sam",
            {"kim": {"kim loves rock"}},
        ),
        ("ann: remember kim loves rock\nann: bob is into rock big time\nann: so does sam", {"kim": {"kim loves rock"}}),
        ("ann: remember kim loves rock\nann: ok thanks\nann: no, that was bob", {"bob": {"bob loves rock"}}),
        (
            "ann: remember kim loves rock\nann: what time is it?\nann: so does bob",
            {"kim": {"kim loves rock"}, "bob": {"bob loves rock"}},
        ),
        ("ann: recuerda que bob es del betis\nann: no, sam es del sevilla", {"bob": {"bob es del betis"}}),
    ],
)
async def test_it_was_not_them(discord: Server, dsn: str, lines: str, left: Known) -> None:
    """It is taken back, or told of another in the place of one of several; nobody else's fact goes."""
    await talk(discord, lines, names="ann bob kim sam")
    assert await known(discord, dsn) == left


async def test_the_second_is_that_of_all_that_was_shown(discord: Server, dsn: str) -> None:
    """Of two people asked about at once, each in the order of the answer."""
    await talk(
        discord,
        "ann: remember bob sings\nann: remember kim skis\nann: remember kim ran\nann: remember I bake\n"
        "ann: what do you know about bob and kim\nann: forget the second one",
    )
    assert await known(discord, dsn) == {"ann": {"ann bakes"}, "bob": {"bob sings"}, "kim": {"kim ran"}}


@pytest.mark.parametrize("before", ["undo", "what do you know about kim"])
async def test_my_last_message_is_no_fact_that_came_back(discord: Server, dsn: str, before: str) -> None:
    """The last message was another order: the fact stays."""
    await talk(discord, f"ann: remember kim ran\nann: forget that kim ran\nann: {before}\nann: delete my last message")
    assert ("kim" in await known(discord, dsn)) is (before == "undo")


async def test_somebody_elses_pronoun_is_not_the_speaker(discord: Server, dsn: str) -> None:
    """What "she" likes is no fact of whoever says it, though the words are the same."""
    *_, answer = await talk(discord, "ann: remember I like ramen\nann: forget that she likes ramen")
    assert "Who is that about" in answer
    assert await known(discord, dsn) == {"ann": {"ann likes ramen"}}
