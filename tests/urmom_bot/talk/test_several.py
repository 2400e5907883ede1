"""Several facts in one order, and orders that take back."""

from __future__ import annotations

import re

import pytest

from tests.builders import Server, query
from urmom_bot.stand_ins import GeminiStandIn
from urmom_bot.talk import commands, grammar
from urmom_bot.talk.router import Router
from urmom_bot.talk.zones import zone_name

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


@pytest.mark.parametrize(
    "text",
    [
        "just kidding",
        "jk lol",
        "haha only joking",
        "war nur spaß",
        "era joda",
        "solo bromeaba",
        "je plaisantais",
        "шучу",
    ],
)
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
    assert isinstance(grammar.parse(text), commands.ForgetLast)


@pytest.mark.parametrize(
    "text",
    [
        "forget the last thing I told you about marcus",
        "forget the last message bob sent",
        "forget the last post office",
        "forget the last thing kim said",
        "forget my last message to bob",
        "forget my last job",
        "forget that I don't remember names",
        "vergiss meinen letzten Job",
    ],
)
def test_other_last_things_are_facts(text: str) -> None:
    """So is what somebody doesn't remember."""
    assert isinstance(grammar.parse(text), commands.Forget)


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


async def say(discord: Server, lines: str) -> str:
    """Have members say lines ("ann: …") to the bot, and get the last answer."""
    people, answer = {user.name: user for user in discord.guild.members.values()}, ""
    for line in lines.strip().splitlines():
        name, _, text = line.strip().partition(": ")
        people[name] = people.get(name) or discord.discord.join(discord.guild, name)
        answer = await discord.ask(people[name], f"Bot {text}")
    return answer


async def kept(discord: Server, dsn: str) -> list[str]:
    """What is stored, in the words that it was told in, with names."""
    names = {f"<@{user.id}>": user.name for user in discord.guild.members.values()}
    return [re.sub(r"<@\d+>", lambda found: names[found[0]], quote) for quote in await live(dsn)]


@pytest.mark.parametrize(
    ("lines", "left"),
    [
        (  # whoever objects means what was told since
            """
            bob: remember i ski
            kate: remember ann likes sushi
            bob: thats wrong
            """,
            ["i ski", "ann likes sushi"],
        ),
        (
            """
            bob: remember that kate sings
            kate: thats wrong lol
            """,
            [],
        ),
        (
            """
            bob: remember that kate sings
            kate: that wasn't me, that was bob
            """,
            ["bob sings"],
        ),
        (  # a list of facts was the answer: "it" is the one in it
            """
            bob: remember that the event is on the 5th
            kate: remember that ann sings
            kate: forget everything about ann
            kate: delete it
            """,
            ["the event is on the 5th"],
        ),
        (
            """
            kate: remember i like figs
            kate: forget everything about figs
            """,
            [],
        ),
        (
            """
            kate: remember i like figs
            kate: i meant dates
            """,
            ["i like dates"],
        ),
        (
            """
            kate: remember I live in Leeds
            kate: forget where i live
            """,
            [],
        ),
        (
            """
            ann: remember that kate sings
            ann: no that's bob
            ann: sorry, i meant ann
            """,
            ["ann sings"],
        ),
        (
            """
            kate: remember the raid is on friday at 8pm
            kate: no, the 14th
            """,
            ["the raid is on the 14th at 8pm"],
        ),
        (
            """
            kate: remember the raid is on friday at 8pm
            kate: no, sunday
            """,
            ["the raid is on sunday at 8pm"],
        ),
        (
            """
            kate: merk dir ich hab am 3.5. geburtstag
            kate: nee am 13.
            """,
            ["ich hab am 13.5. geburtstag"],
        ),
        (
            """
            kate: remember i have diabetes
            kate: no
            """,
            [],
        ),
        (  # it is known of bob already
            """
            bob: remember i like tea
            ann: remember i like tea
            ann: sorry, that was bob
            """,
            ["i like tea"],
        ),
        (
            """
            kate: remember i like figs
            kate: i mean seriously
            """,
            ["i like figs"],
        ),
        (  # the second is only a part of what the fact says
            """
            kate: remember I play chess
            kate: remember I sing at the opera in June
            kate: forget that I play chess and sing
            """,
            ["I play chess", "I sing at the opera in June"],
        ),
        (  # a capital shows no name in German
            """
            kate: merk dir, dass ich einen Hund habe
            kate: merk dir, dass ich einen Frosch habe
            kate: vergiss den Hund und den Frosch
            """,
            [],
        ),
        (
            """
            kate: merk dir, dass ich rauche
            kate: ich rauche nicht mehr
            """,
            ["ich rauche nicht mehr"],
        ),
        (
            """
            kate: merk dir, dass ich bei Siemens arbeite
            kate: inzwischen arbeite ich bei Bosch
            """,
            ["inzwischen arbeite ich bei Bosch"],
        ),
        (
            """
            bob: merk dir, dass kate im Chor singt
            kate: das ist doch falsch
            """,
            [],
        ),
        (
            """
            kate: notier dir für den Server, dass der Kuchenverkauf im Juni ist
            """,
            ["der Kuchenverkauf ist im Juni"],
        ),
        (
            """
            ann: recuerda que a bob y a kate les gusta el sushi
            """,
            ["a bob y a kate les gusta el sushi"] * 2,
        ),
        (
            """
            kate: retiens que je bois du thé
            kate: je ne bois plus de thé
            """,
            ["je ne bois plus de thé"],
        ),
        (  # both parts are of one fact
            """
            kate: remember I like rock and roll from the early sixties
            kate: forget that I like rock and roll
            """,
            [],
        ),
        (  # nothing of theirs changes
            """
            bob: remember that raid night is friday
            ann: raid night is not friday
            ann: raid night is sunday now
            """,
            ["raid night is friday"],
        ),
        (
            """
            bob: remember kate likes sushi
            ann: remember i like tea
            bob: remember kate likes jazz
            ann: me too
            """,
            ["kate likes sushi", "i like tea", "kate likes jazz", "ann likes jazz"],
        ),
    ],
)
async def test_what_walkers_found(discord: Server, dsn: str, lines: str, left: list[str]) -> None:
    """Each of these did something else when people first tried them."""
    await say(discord, f"ann: hi\nbob: hi\nkate: hi\n{lines}")
    assert await kept(discord, dsn) == left


async def test_facts_of_several_are_offered_together(discord: Server, dsn: str) -> None:
    """And where one of two things isn't known, the other is offered: "nothing like that" would be untrue."""
    answer = await say(
        discord,
        """
        kate: remember I sing
        ann: remember I ski
        ann: remember that kate paints
        ann: forget that I ski and that kate paints
        """,
    )
    assert "ann skis" in answer
    assert "kate paints" in answer
    assert "ann skis" in await say(discord, "ann: forget skis and motorbikes")
    assert len(await live(dsn)) == 3


async def test_several_facts_that_one_told_about_others_are_offered(discord: Server) -> None:
    """By who told them."""
    answer = await say(
        discord,
        """
        bob: hi
        ann: remember that bob has a dog
        ann: remember that bob has a frog
        ann: forget the dog and the frog
        """,
    )
    assert "bob has a dog" in answer
    assert "bob has a frog" in answer


async def test_a_statement_that_waits_is_moved_to_who_was_meant(discord: Server, dsn: str) -> None:
    """And asked about as it would be saved."""
    asked = await say(
        discord,
        """
        ann: hi
        kate: hi
        bob: remember that kate is the events mod
        bob: no wait, that was ann
        """,
    )
    assert "ann is the events mod" in asked
    await say(discord, "bob: yes")
    assert await kept(discord, dsn) == ["ann is the events mod"]


async def test_a_message_that_was_deleted_does_not_come_back(discord: Server) -> None:
    """It says so, where it said that nothing was deleted."""
    ann = discord.discord.join(discord.guild, "ann")
    await discord.discord.say(ann, discord.general, "something silly")
    assert "something silly" in await discord.ask(ann, "Bot delete my last message")
    assert "can't bring it back" in await discord.ask(ann, "Bot undo")


async def test_many_parts_ask_no_model_for_each(discord: Server, gemini: GeminiStandIn) -> None:
    """One order costs one call at the most, however many things it names."""
    ann = discord.discord.join(discord.guild, "ann")
    await discord.ask(ann, "Bot remember that I like tea")
    before = len(gemini.asked)
    await discord.ask(ann, f"Bot forget that {', that '.join(f'I like w{n}' for n in range(20))}")
    assert len(gemini.asked) - before <= 1
    await discord.ask(ann, "Bot forget that I like chess, that I like tea and that I like snow")
    assert len(gemini.asked) - before <= 2


async def test_it_is_what_was_just_told_beside_a_doubted_fact(discord: Server, gemini: GeminiStandIn, dsn: str) -> None:
    """The bot asks whether the older fact is still true, and keeps it."""
    gemini.quota_out = True
    await say(
        discord,
        """
        ann: remember that I work nights
        ann: remember that I work days now
        ann: delete it
        """,
    )
    assert await live(dsn) == ["I work nights"]


@pytest.mark.parametrize("text", ["my niece visits today", "my phone interview is tomorrow", "mein Sohn spielt heute"])
async def test_a_date_makes_nothing_sensitive(discord: Server, dsn: str, text: str) -> None:
    """Its figures are no age and no number to call."""
    ann = discord.discord.join(discord.guild, "ann")
    await discord.ask(ann, f"Bot remember that {text}")
    assert await live(dsn) == [text]


async def test_ones_own_word_settles_a_name_that_others_gave(discord: Server) -> None:
    """Also if they say what was said before."""
    await say(discord, "ann: hi\nkate: hi\nann: remember that kate is Sergeant")
    await say(discord, "kate: remember that kate is Sergeant")
    assert "plays chess" in await say(discord, "ann: remember that Sergeant plays chess")
    assert "plays chess" in await say(discord, "ann: what do you know about Sergeant")


async def test_what_others_told_about_oneself_is_offered(discord: Server) -> None:
    """By whoever it was told."""
    answer = await say(
        discord,
        """
        kate: remember I ski
        ann: remember that kate sings
        bob: hi
        kate: delete what ann said about me
        """,
    )
    assert "kate sings" in answer
    assert "kate skis" not in answer


@pytest.mark.parametrize("text", ["delete fact number 1", "delete number 2 please"])
def test_a_number_tells_no_language(text: str) -> None:
    """Several have the word."""
    assert Router.language(text) in ("en", None)


async def test_ones_last_message_is_meant_beside_an_open_question(discord: Server) -> None:
    """It is no answer to the question."""
    ann = discord.discord.join(discord.guild, "ann")
    await discord.discord.say(ann, discord.general, "something silly")
    assert "Who is that about" in await discord.ask(ann, "Bot remember that Xerxes plays chess")
    assert "something silly" in await discord.ask(ann, "Bot delete my last message")


@pytest.mark.parametrize(
    ("text", "each"),
    [
        ("forget my boat and remember that I fly", ("forget my boat", "remember that I fly")),
        ("remember that I fly and remember that bob sails", ("remember that I fly", "remember that bob sails")),
        ("forget my boat and instead remember that I fly", ("forget my boat", "remember that I fly")),
        ("remember that I fly. Also forget that I sail", ("remember that I fly", "forget that I sail")),
        ("vergiss mein Boot und merk dir, dass ich fliege", ("vergiss mein Boot", "merk dir, dass ich fliege")),
        ("olvida mi barco y recuerda que vuelo", ("olvida mi barco", "recuerda que vuelo")),
        ("oublie mon bateau et retiens que je vole", ("oublie mon bateau", "retiens que je vole")),
        ("забудь про лодку и запомни, что я летаю", ("забудь про лодку", "запомни, что я летаю")),
        ("remember that I have to forget my ex and delete his photos", ()),
        ("remember that I like tea and that bob likes figs", ()),
        ("remember that I always forget names and save the day", ()),
        ("forget the dog and the frog", ()),
        ("remember that ann said: forget that and move on", ()),
    ],
)
def test_two_orders_of_one_message_are_told_apart(text: str, each: tuple[str, ...]) -> None:
    """Only where both are sure: what belongs to a fact stays in it."""
    assert grammar.each_order(text) == each


@pytest.mark.parametrize(
    "text",
    [
        "remember that I like tea and that bob likes figs",
        "remember that I like tea and that bob likes figs, please",
        "merk dir, dass Jo singt und dass Kim tanzt",
        "retiens qu'Ines chante et qu'Hugo danse",
        "запомни, что Оля поёт и что Катя танцует",
        "recuerda que tengo un gato y q odio madrugar",
    ],
)
def test_an_order_may_tell_several_things(text: str) -> None:
    told = grammar.each_told(text, lambda word: word.istitle())
    assert len(told) == 2
    assert all(isinstance(grammar.parse(order), commands.Remember) for order, _ in told)


@pytest.mark.parametrize(
    "text",
    [
        "remember that Ann says that Jo sings and that Kim dances",
        "remember that mom doesn't think Jo lies and that Kim cheats",
        "remember that if Jo sings and that Kim dances, I leave",
        "запомни, что я знаю, что Оля поёт и что Катя танцует",
        "merk dir, dass ich ein Haus habe, das rot ist",
        "merk dir, dass ich rauche und das seit Jahren",
        "recuerda que tengo un perro, que se llama Toby",
        "retiens que j'ai un chat, que j'aime beaucoup",
        "запомни, что я купил машину, что стоит в гараже",
        "remember that A sings and that B sings and that C sings and that D sings and that E sings",
        "remember my cat and that I have a dog",
        "remember that Bob hit me and that I forgave him",
        "remember that I bought a horse and that I sold it",
        "merk dir, dass Bob krank war und dass ich ihn pflege",
    ],
)
def test_what_belongs_together_stays_one_thing(text: str) -> None:
    assert grammar.each_told(text, lambda word: word.istitle()) == ()


@pytest.mark.parametrize(
    "text",
    [
        "remember that bob lied and that hurt me",
        "remember that I failed the exam and that made my mom cry",
        "remember that I love tea and that cafe on Main Street",
        "retiens que bob est soudeur et qu'il a une moto",
        "recuerda que tengo un perro y que es negro",
        "remember that I figure bob cheats and that bob lies",
        "remember that I fly kites and that will never change",
    ],
)
async def test_what_begins_with_nobody_is_no_fact_of_its_own(discord: Server, dsn: str, text: str) -> None:
    ann, bob, _ = (discord.discord.join(discord.guild, name) for name in ("ann", "bob", "will"))
    await discord.discord.say(bob, discord.general, "hi")
    await discord.ask(ann, f"Bot {text}")
    assert len(await query(dsn, "SELECT DISTINCT value FROM facts WHERE retired_at IS NULL")) <= 1


async def test_both_orders_of_a_message_are_carried_out(discord: Server, dsn: str) -> None:
    """The answer tells both, and "undo" takes back both."""
    ann = discord.discord.join(discord.guild, "ann")
    await discord.ask(ann, "Bot remember I have a boat")
    answer = await discord.ask(ann, "Bot forget that I have a boat and remember that I have a plane")
    assert "“ann has a boat”" in answer
    assert "ann has a plane" in answer
    assert await live(dsn) == ["I have a plane"]
    await discord.ask(ann, "Bot undo")
    assert await live(dsn) == ["I have a boat"]


async def test_one_order_is_carried_out_where_the_other_comes_to_nothing(discord: Server, dsn: str) -> None:
    """And the answer says so."""
    ann = discord.discord.join(discord.guild, "ann")
    answer = await discord.ask(ann, "Bot forget that I have a boat and remember that I have a plane")
    assert "don't have anything like that" in answer
    assert "ann has a plane" in answer
    assert await live(dsn) == ["I have a plane"]


@pytest.mark.parametrize(
    "told",
    [
        "Bot ich hab am 9. August geburtstag",
        "Bot am 9. August habe ich geburtstag",
        "Bot recuerda que nací el 9 de agosto",
        "бот запомни, что я родился 9 августа",
    ],
)
async def test_a_birthday_told_in_other_words_takes_the_place_of_the_last(discord: Server, dsn: str, told: str) -> None:
    """A person has one."""
    ann = discord.discord.join(discord.guild, "ann")
    await discord.ask(ann, "Bot my birthday is 3 May")
    await discord.ask(ann, told)
    (kept,) = await live(dsn)
    assert "9" in kept


async def test_each_of_several_people_has_a_button_of_their_own(discord: Server) -> None:
    """Which says whose facts it lists."""
    ann, bob = (discord.discord.join(discord.guild, name) for name in ("ann", "bob"))
    await discord.ask(bob, "Bot remember that I sail")
    await discord.ask(ann, "Bot remember that I fly")
    await discord.ask(ann, "Bot what do you know about ann and bob")
    assert list(discord.discord.sent[-1].buttons) == ["Who told me about ann?", "Who told me about bob?"]
    listed = await discord.discord.press(ann, discord.general, discord.discord.sent[-1], "Who told me about bob?")
    assert "bob sails" in str(discord.discord.sent[-1].content)
    assert listed is not None


@pytest.mark.parametrize(
    ("order", "statement"),
    [
        ("merk dir stattdessen, dass ich tauche", "ich tauche"),
        ("запомни лучше, что я плаваю", "я плаваю"),
        ("note que la réunion est vendredi", "la réunion est vendredi"),
        ("everyone calls me Kit", "I am called Kit"),
        ("alle nennen mich Kit", "ich heiße Kit"),
        ("todos me dicen Kit", "todos me dicen Kit"),
        ("tout le monde m'appelle Kit", "je m'appelle Kit"),
    ],
)
def test_what_is_to_be_kept_is_found(order: str, statement: str) -> None:
    """Without the words around it."""
    command = grammar.parse(order)
    assert isinstance(command, commands.Remember)
    assert command.statement == statement


@pytest.mark.parametrize("order", ["save this about Kit", "garde ça en mémoire sur Kit", "guarda esto que dijo Kit"])
def test_this_about_somebody_is_what_they_said(order: str) -> None:
    """And not these words."""
    command = grammar.parse(order)
    assert isinstance(command, commands.Remember)
    assert command.this
    assert command.subject == "Kit"


@pytest.mark.parametrize("text", ["set our time zone to Europe/Rome", "stell die Zeitzone bitte auf Europe/Rome um"])
def test_a_time_zone_is_no_fact(text: str) -> None:
    """Nor does it keep the verb's other part."""
    command = grammar.parse(text)
    assert isinstance(command, commands.SetZone)
    assert zone_name(command.name) == "Europe/Rome"


@pytest.mark.parametrize("told", ["job - welder", "job — welder", "job = welder", "профессия - сварщик"])
async def test_a_label_may_have_a_dash(discord: Server, dsn: str, told: str) -> None:
    """It is about the speaker."""
    ann = discord.discord.join(discord.guild, "ann")
    await discord.ask(ann, f"Bot remember {told}")
    assert await live(dsn) == [told]


async def test_whom_it_was_takes_the_place_of_whom_it_was_not(discord: Server, dsn: str) -> None:
    """In whatever order they are named; and in a sentence, whose verb stands in its place."""
    ann, bob, kim = (discord.discord.join(discord.guild, name) for name in ("ann", "bob", "kim"))
    for member in (bob, kim):
        await discord.ask(member, "hello")
    await discord.ask(ann, "Bot merk dir, dass kim Bienen züchtet")
    assert "bob züchtet Bienen" in await discord.ask(ann, "Bot das war doch gar nicht kim, sondern bob")
    assert "kim züchtet Bienen" in await discord.ask(ann, "Bot nee, nicht bob, kim")
    assert "bob züchtet Bienen" in await discord.ask(ann, "Bot bob auch")
    assert "ann züchtet Bienen" in await discord.ask(ann, "Bot ich auch")
    assert len(await live(dsn)) == 3


async def test_who_was_meant_is_asked_where_two_facts_may_be(discord: Server, dsn: str) -> None:
    """What one told, and what somebody else has just told about them: neither changes."""
    ann, bob, kim = (discord.discord.join(discord.guild, name) for name in ("ann", "bob", "kim"))
    await discord.ask(bob, "hello")
    await discord.ask(kim, "Bot my birthday is 7 July")
    await discord.ask(ann, "Bot remember that kim is afraid of thunder")
    before = await live(dsn)
    assert "I changed nothing" in await discord.ask(kim, "Bot no, that was bob")
    assert await live(dsn) == before


async def test_an_order_that_offers_a_choice_is_told_beside_the_other(discord: Server, dsn: str) -> None:
    """What is offered can be answered."""
    ann = discord.discord.join(discord.guild, "ann")
    for told in ("I have a red boat", "I have a blue boat"):
        await discord.ask(ann, f"Bot remember that {told}")
    answer = await discord.ask(ann, "Bot forget my boat and remember that I fly")
    assert "Which of these" in answer
    assert "ann flies" in answer
    assert {"Undo", "Forget #1", "Forget #2"} <= set(discord.discord.sent[-1].buttons)


async def test_an_order_that_waits_for_a_yes_gets_it_beside_the_other(discord: Server, dsn: str) -> None:
    """It isn't taken for the one that was carried out."""
    ann = discord.discord.join(discord.guild, "ann")
    await discord.ask(ann, "Bot remember that I like tea and remember that I'm gay")
    assert await live(dsn) == ["I like tea"]
    await discord.ask(ann, "Bot yes")
    assert await live(dsn) == ["I like tea", "I'm gay"]


async def test_one_button_undoes_both_orders(discord: Server, dsn: str) -> None:
    """As "undo" does."""
    ann = discord.discord.join(discord.guild, "ann")
    await discord.ask(ann, "Bot remember that I have a cat and remember that I like tea")
    assert list(discord.discord.sent[-1].buttons) == ["Undo"]
    await discord.discord.press(ann, discord.general, discord.discord.sent[-1], "Undo")
    assert not await live(dsn)


async def test_what_was_put_right_is_undone_with_the_other_order(discord: Server, dsn: str) -> None:
    """The first "undo" brings back what was told, the second takes back the message."""
    ann = discord.discord.join(discord.guild, "ann")
    await discord.ask(ann, "Bot remember that I have a cat and remember that I like tea")
    await discord.ask(ann, "Bot coffee, not tea")
    assert await live(dsn) == ["I have a cat", "I like coffee"]
    await discord.ask(ann, "Bot undo")
    assert await live(dsn) == ["I have a cat", "I like tea"]
    await discord.ask(ann, "Bot undo")
    assert not await live(dsn)


@pytest.mark.parametrize(
    "told",
    [
        "remember that my favourite line is: love me and remember that I die",
        "remember that my gran told me to rest and remember that I am loved",
        "remember that I hate people who drink and forget that they have kids",
    ],
)
def test_another_person_s_words_are_no_second_order(told: str) -> None:
    """They belong to the fact."""
    assert not grammar.each_order(told)


@pytest.mark.parametrize(
    "order",
    [
        "remember that there is no need to save money at my place",
        "remember that I hate it when you don't write in capitals",
        "retiens que je n'ai pas besoin de lunettes",
        "recuerda que no quiero saber nada de fútbol",
        "запомни, что мне не надо записывать видео",
        "merk dir, dass man hier nichts zu löschen braucht",
    ],
)
def test_a_fact_may_say_that_something_is_needless(order: str) -> None:
    """It is kept."""
    assert isinstance(grammar.parse(order), commands.Remember)


@pytest.mark.parametrize(
    "text",
    [
        "you don't need to remember this, I'm just rambling",
        "passt schon, brauchst nichts zu löschen",
        "mach bitte nichts rückgängig, so ist es super",
        "fais pas de retour en arrière, c'est parfait",
        "no quiero saber qué sabes de jake",
        "не надо ничего отменять",
        "the time zone is not Tokyo",
        "die Zeitzone ist nicht Berlin",
    ],
)
def test_what_need_not_be_done_is_no_order(text: str) -> None:
    """The model answers it."""
    assert grammar.parse(text) is None


@pytest.mark.parametrize("text", ["people call me daily", "man nennt mich oft", "on m'appelle souvent"])
def test_what_somebody_is_called_has_a_capital(text: str) -> None:
    """Anything else is no name."""
    assert not isinstance(grammar.parse(text), commands.Remember)


async def test_a_label_with_a_dash_takes_the_place_of_nothing(discord: Server, dsn: str) -> None:
    """What stands behind it may be anything."""
    ann = discord.discord.join(discord.guild, "ann")
    await discord.ask(ann, "Bot my birthday is 3 May")
    await discord.ask(ann, "Bot remember birthday - party on 5 May")
    assert await live(dsn) == ["my birthday is 3 May", "birthday - party on 5 May"]
