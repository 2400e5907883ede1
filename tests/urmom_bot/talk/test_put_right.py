"""What is put right: by who told it, and by whom it is about."""

from __future__ import annotations

import pytest

from tests.builders import Clock, Server, query
from urmom_bot.stand_ins import User
from urmom_bot.talk import grammar
from urmom_bot.talk.rewording import (
    agreed_name,
    brings_back,
    confirms,
    means_oneself,
    objects,
    reworded,
    says_untrue,
)

Known = dict[str, set[str]]


async def known(discord: Server, dsn: str) -> Known:
    """The facts about each member, by name."""
    names = {user.id: user.name for user in discord.guild.members.values()}
    rows = await query(dsn, "SELECT user_id, value FROM facts WHERE retired_at IS NULL ORDER BY fact_id")
    found: Known = {}
    for row in rows:
        value = row["value"]
        for user_id, name in names.items():
            value = value.replace(f"<@{user_id}>", name)
        found.setdefault(names.get(row["user_id"], "server"), set()).add(value)
    return found


async def talk(discord: Server, lines: str, names: str = "ann bob kim") -> list[str]:
    """Have people say lines to the bot; returns its answers."""
    members = {name: discord.discord.join(discord.guild, name) for name in names.split()}
    for member in members.values():
        await discord.discord.say(member, discord.general, "hi all")
    said = [line.strip().partition(": ") for line in lines.strip().splitlines()]
    return [await discord.ask(members[name], f"Bot {text}") for name, _, text in said]


@pytest.mark.parametrize(
    ("language", "told", "correction", "right"),
    [
        ("de", "spieleabend ist am freitag um 8", "ne warte, samstag", "spieleabend ist am samstag um 8"),
        ("fr", "je bosse à lyon", "euh non pas lyon, grenoble", "je bosse à grenoble"),
        ("ru", "турнир в субботу", "не, все таки в воскресенье", "турнир в воскресенье"),
        ("ru", "встреча в пятницу в 7", "ой встреча не в пятницу а в субботу", "встреча в субботу в 7"),
        ("ru", "я в отпуске до 20го", "ошибся, до 25го", "я в отпуске до 25го"),
        ("ru", "дима любит чай", "не чай, кофе", "дима любит кофе"),
        ("es", "la reunion es el viernes", "ay no, el jueves", "la reunion es el jueves"),
        ("es", "tengo una rana", "no una rana, un sapo", "tengo un sapo"),
        ("es", "mi hermano se llama Luis", "corrijo: se llama Lucas", "mi hermano se llama Lucas"),
        ("es", "santi es hincha de Boca", "no, de River", "santi es hincha de River"),
        ("en", "i'm vegan and i was born in june", "scratch that, july not june", "i'm vegan and i was born in july"),
        ("en", "i play bass", "no wait not bass, drums", "i play drums"),
        ("en", "tom's birthday is 4 june", "14th i mean", "tom's birthday is 14th june"),
        ("en", "jack's got a new job at tesco", "no, at asda", "jack's got a new job at asda"),
        ("en", "i have a hamster", "its not a hamster its a gerbil", "i have a gerbil"),
        ("en", "mia is away from the 4th to the 11th", "no, to the 12th", "mia is away from the 4th to the 12th"),
        ("de", "ich wohne in Kiel", "nein, in Bonn", "ich wohne in Bonn"),
        ("de", "max mag tee", "nicht tee, kaffee", "max mag kaffee"),
    ],
)
def test_corrections_as_people_type_them(language: str, told: str, correction: str, right: str) -> None:
    assert reworded(told, correction, language) == right


@pytest.mark.parametrize(
    ("told", "text"),
    [
        ("i like figs", "no worries"),
        ("i like figs", "no thanks"),
        ("i have a cat", "no, i have a question"),
        ("i have a cat", "no, a question"),
        ("i work at night", "no, at least not now"),
        ("i live in leeds", "no, in general"),
        ("i live in leeds", "wait, what"),
        ("i live in leeds", "sorry for the noise"),
        ("the party is on friday", "no the bot is broken"),
        ("the party is on friday", "no, the other one"),
        ("the shop is at 8 high street", "no, at lunch"),
        ("i like red wine", "no, white wine"),
        ("i live in leeds", "no, in Discord"),
        ("i live in leeds", "sorry, in Class"),
        ("i study law at uni", "no, law sucks"),
        ("i am from spain", "no, from Tuesday"),
        ("i like tea", "not tea, mate"),
        ("we meet at 5", "no, at Asda"),
    ],
)
def test_other_words_put_nothing_right(told: str, text: str) -> None:
    """Nor those that leave open what they take the place of."""
    assert reworded(told, text, "en") is None


@pytest.mark.parametrize(
    ("language", "told", "text"),
    [
        ("de", "ich wohne in Kiel", "nein, in Ruhe"),
        ("de", "ich wohne in Kiel", "nicht Kiel, Digga"),
        ("ru", "я живу в лондоне", "нет, в общем"),
        ("ru", "я живу в лондоне", "не в лондоне, брат"),
        ("ru", "я живу в лондоне", "не в лондоне, а жаль"),
        ("ru", "у меня экзамен в пятницу", "нет, экзамен в школе"),
        ("es", "soy de boca", "no, de nada"),
        ("es", "me gusta el té", "no té, gracias"),
        ("fr", "j'habite à lyon", "désolé, à demain"),
        ("fr", "j'habite à lyon", "pas lyon, mec"),
    ],
)
def test_set_phrases_put_nothing_right(language: str, told: str, text: str) -> None:
    assert reworded(told, text, language, is_marked=True) is None


async def test_what_was_told_is_put_right_after_a_look_at_it(discord: Server, dsn: str) -> None:
    await talk(discord, "ann: remember I play bass\nann: what do you know about me\nann: no wait not bass, drums")
    assert await known(discord, dsn) == {"ann": {"ann plays drums"}}


@pytest.mark.parametrize(
    ("lines", "left"),
    [
        (
            "bob: remember ann is away from the 4th to the 11th\nann: no, to the 12th",
            {"ann": {"ann is away from the 4th to the 12th"}},
        ),
        ("bob: remember ann is a nurse\nann: it wasn't me, it was kim", {"kim": {"kim is a nurse"}}),
        ("bob: merk dir dass ann tee hasst\nann: nich ich, das ist kim", {"kim": {"kim hasst tee"}}),
        ("bob: retiens que ann aime le thé\nann: c'est pas moi c'est kim", {"kim": {"kim aime le thé"}}),
        ("bob: remember ann loves cats\nann: haha no way, thats not true", {}),
        ("bob: merk dir dass ann tee hasst\nann: was fürn quatsch, das stimmt nicht", {}),
        ("bob: запомни что ann любит чай\nann: нет, не люблю", {}),
        # what they also say is no fact where it denies, orders, or is theirs to say again
        ("bob: remember ann is a nurse\nann: that's not true, I never said that", {}),
        ("bob: remember ann is a nurse\nann: that's wrong, delete it", {}),
        ("bob: recuerda que ann tiene un gato\nann: eso no es verdad, borralo", {}),
    ],
)
async def test_whom_a_fact_is_about_puts_it_right(
    discord: Server, dsn: str, lines: str, left: dict[str, set[str]]
) -> None:
    """What somebody else told goes; what they say of themselves, or of whom they name, is saved."""
    await talk(discord, lines)
    assert await known(discord, dsn) == left


async def test_one_undo_takes_back_both_halves_of_it(discord: Server, dsn: str) -> None:
    await talk(discord, "bob: remember ann is a nurse\nann: it wasn't me, it was kim\nann: undo")
    assert await known(discord, dsn) == {"ann": {"ann is a nurse"}}


async def test_what_is_said_after_another_fact_leaves_open_which_is_untrue(discord: Server, dsn: str) -> None:
    answers = await talk(
        discord,
        "ann: remember that bob hosts the stream\nkim: remember for the server: the stream is on monday\n"
        "bob: delete that, thats wrong",
    )
    assert "which fact" in answers[-1]
    assert set(await known(discord, dsn)) == {"bob", "server"}


@pytest.mark.parametrize(
    ("lines", "left"),
    [
        ("kim: remember ann and bob both like sushi\nkim: actually not ann", {"bob": {"bob likes sushi"}}),
        ("kim: remember ann and bob play squash\nkim: only bob tho", {"bob": {"bob plays squash"}}),
        ("kim: remember ann plays golf\nkim: nah it was me actually", {"kim": {"kim plays golf"}}),
    ],
)
async def test_who_told_it_names_the_right_person(
    discord: Server, dsn: str, lines: str, left: dict[str, set[str]]
) -> None:
    await talk(discord, lines)
    assert await known(discord, dsn) == left


@pytest.mark.parametrize(
    ("text", "is_one"),
    [("it was me", True), ("nah it was me actually", True), ("das war ich", True), ("das war ich nicht", False)],
)
def test_oneself_is_meant(text: str, is_one: bool) -> None:
    assert means_oneself(text) is is_one


@pytest.mark.parametrize("text", ["delete that, it's wrong", "das stimmt nicht, lösch das", "no way, thats not true"])
def test_a_part_of_a_message_may_deny(text: str) -> None:
    assert says_untrue(text)


@pytest.mark.parametrize("text", ["delete that", "forget that I said it", "what a day, it's raining"])
def test_other_parts_deny_nothing(text: str) -> None:
    assert not says_untrue(text)
    assert not objects(text)


async def test_what_was_undone_comes_back(discord: Server, dsn: str) -> None:
    """And what was deleted. What is there already does not go again."""
    await talk(discord, "ann: remember I own a boat\nann: undo\nann: wait no redo that")
    assert await known(discord, dsn) == {"ann": {"ann owns a boat"}}
    ann = next(member for member in discord.guild.members.values() if member.name == "ann")
    for text in ("forget the boat", "put it back", "put it back"):
        await discord.ask(ann, f"Bot {text}")
    assert await known(discord, dsn) == {"ann": {"ann owns a boat"}}


@pytest.mark.parametrize("text", ["devolvelo", "верни", "remets-le", "put it back"])
async def test_asking_for_what_is_gone_takes_nothing_away(discord: Server, dsn: str, text: str) -> None:
    await talk(discord, f"ann: remember I own a boat\nann: {text}")
    assert await known(discord, dsn) == {"ann": {"ann owns a boat"}}


@pytest.mark.parametrize("text", ["bring back the old logo", "put it down", "restore my faith", "upside down"])
def test_other_words_bring_nothing_back(text: str) -> None:
    assert not brings_back(text)


async def test_what_was_undone_stays_gone_with_its_message(discord: Server, dsn: str) -> None:
    ann = discord.discord.join(discord.guild, "ann")
    order = await discord.discord.say(ann, discord.general, "Bot remember I own a boat")
    await discord.settled()
    await discord.ask(ann, "Bot undo")
    await discord.discord.delete(discord.general, order)
    await discord.settled()
    await discord.ask(ann, "Bot redo that")
    assert await known(discord, dsn) == {}


async def test_a_joke_goes_with_its_correction(discord: Server, dsn: str) -> None:
    await talk(discord, "ann: remember my birthday is 4 July\nann: no, the 5th\nann: just kidding")
    assert await known(discord, dsn) == {}


@pytest.mark.parametrize("text", ["yes that's me", "yes", "да, это я", "oui", "ja das bin ich", "sí"])
async def test_a_name_is_agreed_to_in_words(discord: Server, text: str) -> None:
    """From then on everyone may use it."""
    answers = await talk(discord, f"ann: remember that bob is Sergey\nbob: {text}\nkim: what do you know about Sergey")
    assert "bob is Sergey" in answers[-1]


async def test_only_whom_it_is_about_agrees(discord: Server, dsn: str) -> None:
    await talk(discord, "ann: remember that bob is Sergey\nann: yes\nkim: yes")
    assert not await query(dsn, "SELECT 1 FROM members WHERE 'Sergey' = ANY(aliases)")


@pytest.mark.parametrize("text", ["yes but no", "yes?", "yesterday", "yes, forget it", "sí, es muy tarde", "i am late"])
def test_other_words_confirm_nothing(text: str) -> None:
    assert not confirms(text)
    assert agreed_name(text) is None


async def test_a_mere_yes_agrees_to_a_name_alone(discord: Server, dsn: str) -> None:
    """Whoever says it about anything else may answer somebody."""
    answers = await talk(
        discord, "ann: remember that bob likes tea\nbob: yes\nann: remember bob sings\nbob: that's true"
    )
    assert "stand-in" in answers[1]
    assert "bob sings" in answers[3]


async def test_a_yes_to_something_else_deletes_nothing(discord: Server, dsn: str) -> None:
    await talk(
        discord,
        "ann: remember i like techno music\nann: remember i own a boat\nann: delete the techno thing\n"
        "ann: am i hungry?\nann: yes",
    )
    assert await known(discord, dsn) == {"ann": {"ann likes techno music", "ann owns a boat"}}


@pytest.mark.parametrize("told", ["my meeting with my therapist is on friday", "my dinner with bob is on monday"])
async def test_ones_own_event_is_ones_own(discord: Server, dsn: str, told: str) -> None:
    await talk(discord, f"ann: remember that {told}")
    assert set(await known(discord, dsn)) == {"ann"}


async def test_that_after_a_look_at_somebody_else_is_asked_about(discord: Server, dsn: str) -> None:
    answers = await talk(discord, "bob: remember ann likes tea\nbob: what do you know about ann\nbob: forget that")
    assert "#1" in answers[-1]
    assert await known(discord, dsn) == {"ann": {"ann likes tea"}}


async def test_both_halves_of_what_was_put_right_come_back(discord: Server, dsn: str) -> None:
    lines = "bob: remember ann hates jazz\nann: that's wrong, I love jazz"
    await talk(discord, lines)
    ann = next(member for member in discord.guild.members.values() if member.name == "ann")
    await discord.ask(ann, "Bot undo")
    assert await known(discord, dsn) == {"ann": {"ann hates jazz"}}
    await discord.ask(ann, "Bot redo that")
    assert await known(discord, dsn) == {"ann": {"ann loves jazz"}}


def test_a_long_message_is_no_objection() -> None:
    assert not objects("bs, " * 1_000)


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("remember Mia plays chess and Jess hates figs", ["Mia plays chess", "Jess hates figs"]),
        ("remember i've got a dog and Will's got a cat", ["i've got a dog", "Will's got a cat"]),
        ("remember Hope bakes, Will paints and i knit", ["Hope bakes", "Will paints", "i knit"]),
        ("запомни что Лев играет на гитаре, а Надя поёт", ["Лев играет на гитаре", "Надя поёт"]),
        ("merk dir dass Max rad fährt und Nico klavier spielt", ["Max rad fährt", "Nico klavier spielt"]),
        ("acordate que Dani canta tango y Nico toca el bajo", ["Dani canta tango", "Nico toca el bajo"]),
        ("retiens que Flo adore le metal et Olive joue du jazz", ["Flo adore le metal", "Olive joue du jazz"]),
    ],
)
def test_two_people_in_one_sentence_are_told_apart(text: str, told: list[str]) -> None:
    parts = grammar.each_told(text, lambda word: word.istitle() and len(word) > 2)
    assert [command.statement for _, command in parts] == told


@pytest.mark.parametrize(
    "text",
    [
        "remember Mia likes Jess and Will a lot",
        "remember Mia lives with Jess and Lily in Berlin",
        "remember Mia and Jess play squash",
        "remember Lily visits museums and Hope next door",
        "remember Mia thinks Jess cheats and Will lies",
        "remember Mia has a dog and feeds it",
    ],
)
def test_what_names_others_beside_stays_one_sentence(text: str) -> None:
    assert grammar.each_told(text, lambda word: word.istitle() and len(word) > 2) == ()


@pytest.mark.parametrize(
    "order",
    [
        "remember that ann thinks kim cheats",
        "retiens que ann a un chien et kim aussi",
        "acuérdate de que ann es de Bilbao y kim de Oviedo",
    ],
)
async def test_who_is_told_of_beside_finds_it_and_can_delete_it(discord: Server, dsn: str, order: str) -> None:
    answers = await talk(discord, f"bob: {order}\nkim: what do you know about me\nkim: forget that")
    assert "ann" in answers[1]
    assert await known(discord, dsn) == {}


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("remember the movie night is on saturday at 8", "the movie night is on saturday at 8"),
        ("don't forget the bake sale is on 12 june", "the bake sale is on 12 june"),
    ],
)
def test_when_something_is_gets_remembered(text: str, told: str) -> None:
    assert getattr(grammar.parse(text), "statement", "") == told


@pytest.mark.parametrize(
    "text",
    [
        "remember the titans is a good film",
        "remember the time we went out on friday",
        "remember the day he was born in 1990",
        "remember the movie is on saturday?",
    ],
)
def test_what_may_be_talk_is_not(text: str) -> None:
    assert grammar.parse(text) is None


async def test_a_fact_is_for_the_server_without_a_colon(discord: Server, dsn: str) -> None:
    await talk(discord, "ann: remember for the server the meeting is at 5\nann: sorry i meant at 6")
    assert await known(discord, dsn) == {"server": {"the meeting is at 6"}}


@pytest.mark.parametrize(
    ("text", "lets"),
    [
        ("хватит шутить про Боба", True),
        ("про Боба шути, про меня нет", True),
        ("stop joking about bob", True),
        ("можно ли про меня шутить?", True),
        ("no jokes about me", False),
        ("can you stop joking about me?", False),
    ],
)
async def test_a_wish_about_jokes_is_ones_own(discord: Server, dsn: str, text: str, lets: bool) -> None:
    """Naming somebody else, or asking, changes nothing."""
    ann, bob = (discord.discord.join(discord.guild, name) for name in ("ann", "Боб"))
    other = discord.discord.join(discord.guild, "bob")
    for member in (bob, other):
        await discord.discord.say(member, discord.general, "hi")
    await discord.ask(ann, f"Bot {text}")
    rows = await query(dsn, "SELECT 1 FROM members WHERE user_id = $1 AND NOT jokes", ann.id)
    assert (not rows) is lets


@pytest.mark.parametrize(
    ("lines", "left"),
    [
        (  # a verb for both is no sentence of its own
            "kim: запомни что ann и bob любят суши",
            {"ann": {"ann и bob любят суши"}, "bob": {"ann и bob любят суши"}},
        ),
        (
            "kim: remember ann likes tea but bob doesn't",
            {"ann": {"ann likes tea but bob doesn't"}, "bob": {"ann likes tea but bob doesn't"}},
        ),
        (
            "kim: acordate de que soy hincha de racing y ann de boca",
            {name: {"kim: soy hincha de racing y ann de boca"} for name in ("kim", "ann")},
        ),
        (
            "kim: remember movie night is at bob's place",
            {"server": {"movie night is at bob's place"}, "bob": {"movie night is at bob's place"}},
        ),
        ("kim: merk dir die lan ist im jugendzentrum", {"server": {"die lan ist im jugendzentrum"}}),
        ("kim: merk dir außerdem dass ich judo mag", {"kim": {"kim: ich mag judo"}}),
        ("kim: recordá que ann hace teatro\nann: no es cierto", {}),
        ("kim: recordá que ann juega al padel\nkim: perdón, ann no, bob", {"bob": {"bob juega al padel"}}),
        ("kim: recuerda que ann corre\nkim: no era ann, era bob", {"bob": {"bob corre"}}),
        ("kim: запомни что ann пьёт кофе\nann: чай а не кофе", {"ann": {"ann пьёт чай"}}),
        (
            "kim: remember my exam is next tuesday\nkim: correction: wednesday",
            {"kim": {"kim's exam is next wednesday"}},
        ),
        ("kim: remember I am a welder\nkim: kidding, I am a cook", {"kim": {"kim is a cook"}}),
        (  # both halves come back
            "kim: remember I sail and bob sings\nkim: undo\nkim: redo that",
            {"kim": {"kim sails"}, "bob": {"bob sings"}},
        ),
        (  # it leaves open which of the two
            "kim: remember ann likes jazz and bob likes techno\nkim: I meant kim not ann",
            {"ann": {"ann likes jazz"}, "bob": {"bob likes techno"}},
        ),
        (
            "kim: merk dir ich mag jazz\nkim: merk dir ich mag judo\nkim: vergiss judo\nkim: doch, lösch es",
            {"kim": {"kim: ich mag jazz"}},
        ),
        ("kim: merk dir ich mag jazz\nkim: vergiss jazz\nkim: rückgängig\nkim: doch, lösch es", {}),
        ("kim: merk dir ich mag grünen tee\nkim: schwarzen mein ich", {"kim": {"kim: ich mag grünen tee"}}),
        (  # somebody else has spoken with the bot since
            "kim: remember snacks are on bob\nbob: what's the capital of Peru?\nkim: nope, ann is hosting",
            {"bob": {"snacks are on bob"}},
        ),
        (
            "kim: remember I play tennis\nbob: remember that kim hates karaoke\nann: who won?\nkim: that's wrong",
            {"kim": {"kim plays tennis", "kim hates karaoke"}},
        ),
    ],
)
async def test_what_second_walkers_found(discord: Server, dsn: str, lines: str, left: Known) -> None:
    await talk(discord, lines)
    assert await known(discord, dsn) == left


async def test_a_question_that_was_dropped_takes_no_yes(discord: Server, dsn: str) -> None:
    await talk(discord, "ann: remember that bob and kim share a flat\nann: forget bob\nann: never mind\nann: yes")
    assert set(await known(discord, dsn)) == {"bob", "kim"}


async def test_that_is_the_list_just_shown(discord: Server, dsn: str) -> None:
    """And not a fact about somebody else that one told last."""
    answers = await talk(
        discord,
        "ann: remember I fly kites\nann: remember I bake bread\nann: remember bob sings\n"
        "ann: what do you know about me\nann: forget that",
    )
    assert "#1" in answers[-1]
    assert "#2" in answers[-1]
    assert await known(discord, dsn) == {"ann": {"ann flies kites", "ann bakes bread"}, "bob": {"bob sings"}}


@pytest.mark.parametrize(
    "order",
    [
        "forget what kim said about me",
        "oublie ce que kim a dit sur moi",
        "vergiss was kim über mich gesagt hat",
        "borra lo que ha dicho kim de mi",
        "забудь что kim говорила обо мне",
    ],
)
async def test_what_others_said_about_oneself_is_offered(discord: Server, order: str) -> None:
    """Where there is nothing, it says so. It doesn't open what is stored about them."""
    answers = await talk(discord, f"ann: {order}\nkim: remember that ann sings\nann: {order}")
    assert "panel" not in answers[0]
    assert "ann sings" in answers[2]


@pytest.mark.parametrize(
    ("told", "kept"),
    [("ich in Leipzig wohn", "kim: ich wohn in Leipzig"), ("ich inliner fahr", "kim: ich fahr inliner")],
)
async def test_german_verbs_find_their_position_without_their_e(
    discord: Server, dsn: str, told: str, kept: str
) -> None:
    await talk(discord, f"kim: merk dir dass {told}")
    assert await known(discord, dsn) == {"kim": {kept}}


def test_a_day_takes_the_place_of_no_hour() -> None:
    assert reworded("the meeting is at 5", "no, the 2nd", "en") is None
    assert reworded("the meeting is on the 5th", "no, the 2nd", "en") == "the meeting is on the 2nd"


@pytest.mark.parametrize(
    ("told", "said"),
    [
        ("запомни, что ann любит спорт", "не спорю"),
        ("запомни, что ann ест помидоры", "не помню"),
        ("запомни, что ann знает французский", "не знаю"),
        ("souviens-toi que ann adore les croissants", "je crois pas"),
        ("merk dir, dass ann weißwein mag", "weiß ich nicht"),
        ("recuerda que ann come crema", "no, no creo"),
        ("remember the meeting with ann went badly", "hm"),
    ],
)
async def test_not_knowing_denies_nothing(discord: Server, dsn: str, told: str, said: str) -> None:
    await talk(discord, f"bob: {told}\nann: {said}")
    assert set(await known(discord, dsn)) == {"ann"}


async def test_a_yes_with_another_name_agrees_to_none(discord: Server, dsn: str) -> None:
    await talk(discord, "bob: recuerda que ann se llama Lola\nann: sí, soy muy lista")
    assert not await query(dsn, "SELECT 1 FROM members WHERE 'Lola' = ANY(aliases)")


async def test_right_undoes_nothing(discord: Server, dsn: str) -> None:
    await talk(discord, "ann: запомни, что я люблю чай\nann: верно")
    assert set(await known(discord, dsn)) == {"ann"}


@pytest.mark.parametrize(
    ("language", "told", "text", "right"),
    [
        ("de", "ich mag tee", "nein, nicht tee, sondern kaffee", "ich mag kaffee"),
        ("es", "me gusta el té", "no el té, sino el mate", "me gusta el mate"),
        ("en", "i live in Spain", "no, not Spain, Italy", "i live in Italy"),
        ("en", "i work at asda on mondays", "no, at tesco", "i work at tesco on mondays"),
        ("en", "i visit mum at christmas", "no, at easter", "i visit mum at easter"),
        ("en", "i am a baker", "i'm not a baker it's a joke", None),
        ("en", "i live in leeds", "not leeds, omg", None),
        ("fr", "j'habite à lyon", "pas à lyon, hélas", None),
    ],
)
def test_what_a_second_reader_typed(language: str, told: str, text: str, right: str | None) -> None:
    assert reworded(told, text, language) == right


async def test_a_name_in_another_case_is_whom_a_fact_is_about(discord: Server, dsn: str) -> None:
    lines = "kim: запомни что боб умеет вязать\nбоб: это не про меня, это про лену"
    await talk(discord, lines, names="kim боб лена")
    assert set(await known(discord, dsn)) == {"лена"}


async def test_what_was_told_since_the_list_is_that(discord: Server, dsn: str) -> None:
    await talk(
        discord,
        "ann: remember i bring crisps\nann: what do you know about me\nbob: remember that ann snores\nann: delete that",
    )
    assert await known(discord, dsn) == {"ann": {"ann brings crisps"}}


async def test_having_forgotten_something_is_no_order(discord: Server, dsn: str) -> None:
    await talk(discord, "ann: guarda que soy vegana\nann: perdón olvidé que soy vegana")
    assert set(await known(discord, dsn)) == {"ann"}
    await talk(discord, "kim: guarda que olvidé mi paraguas\nkim: olvida que olvidé mi paraguas")
    assert set(await known(discord, dsn)) == {"ann"}


async def test_what_is_gone_is_not_undone(discord: Server) -> None:
    answers = await talk(discord, "ann: remember that kim likes jazz\nkim: delete that\nann: undo")
    assert "Undone" not in answers[-1]


async def test_the_first_of_nothing_deletes_no_message(discord: Server, dsn: str) -> None:
    await talk(discord, "ann: was weißt du über bob\nann: schmeiß das erste raus")
    assert len(await query(dsn, "SELECT 1 FROM chat_history WHERE message_text = 'hi all'")) == 3


async def test_a_name_is_no_insult(discord: Server, dsn: str) -> None:
    """In Spanish, "fede" also means "stinks"."""
    await talk(discord, "ann: acordate que fede canta bien", names="ann fede")
    assert set(await known(discord, dsn)) == {"fede"}


async def test_another_members_name_makes_nothing_harmless(discord: Server, dsn: str) -> None:
    """Or anybody could call themselves so."""
    await talk(discord, "ann: acordate que bob fede", names="ann bob fede")
    assert await known(discord, dsn) == {}


@pytest.mark.parametrize(("told", "about"), [("el sol sale a las 7", "server"), ("sol sale a las 7", "sol")])
async def test_a_thing_behind_an_article_is_nobody(discord: Server, dsn: str, told: str, about: str) -> None:
    await talk(discord, f"ann: acordate que {told}", names="ann sol")
    assert set(await known(discord, dsn)) == {about}


async def test_two_facts_side_by_side_tell_no_third(discord: Server) -> None:
    """A deletion is whole, though what is left has the same words: in two facts."""
    answers = await talk(
        discord,
        "ann: remember for the server: stream on friday, bob hosts\nann: remember for the server: stream is on sunday\n"
        "ann: remember that bob hosts the stream on sunday\nbob: forget that bob hosts the stream on sunday",
    )
    assert "Done" in answers[-1]
    assert "still stored" not in answers[-1]


ALL_OF_KIM = """
kim: remember ann likes figs
kim: remember that I like dates
kim: remember the raid is on friday
"""


@pytest.mark.parametrize(
    "order",
    [
        "forget everything kim told you",
        "vergiss alles was kim dir erzählt hat",
        "olvida todo lo que te dijo kim",
        "oublie tout ce que kim t'a raconté",
        "удали всё, что kim тебе наговорил",
    ],
)
async def test_all_that_somebody_told_is_offered(discord: Server, dsn: str, order: str) -> None:
    """To whom it is about, what they may delete; nothing goes by words alone."""
    answer = (await talk(discord, f"{ALL_OF_KIM}ann: {order}"))[-1]
    assert "ann likes figs" in answer
    assert "dates" not in answer
    assert "raid" not in answer
    assert {name: len(facts) for name, facts in (await known(discord, dsn)).items()} == {
        "ann": 1,
        "kim": 1,
        "server": 1,
    }


async def test_what_somebody_told_about_one_person_is_less(discord: Server) -> None:
    answer = (await talk(discord, f"{ALL_OF_KIM}kim: remember bob likes tea\nann: forget what kim told you about me"))[
        -1
    ]
    assert "figs" in answer
    assert "tea" not in answer


async def test_what_somebody_does_to_another_moves_no_fact(discord: Server, dsn: str) -> None:
    """ "I hate Bob" became "Bob likes tea"."""
    await talk(discord, "ann: remember that I like tea\nann: I hate bob")
    assert await known(discord, dsn) == {"ann": {"ann likes tea"}}


@pytest.mark.parametrize(
    ("lines", "left"),
    [
        # after a fact about two people, it holds of a third in their own person
        (
            "kim: remember that ann and bob like sushi\nkim: me too",
            {"ann": {"ann and bob like sushi"}, "bob": {"ann and bob like sushi"}, "kim": {"kim likes sushi"}},
        ),
        (
            "kim: remember bob owns a parrot\nkim: no, that was ann\nann: remember that bob snores\nkim: so does ann",
            {"ann": {"ann owns a parrot", "ann snores"}, "bob": {"bob snores"}},
        ),
        (
            "bob: retiens que ann et kim aiment les sushis\nbob: moi aussi",
            {
                "ann": {"ann et kim aiment les sushis"},
                "kim": {"ann et kim aiment les sushis"},
                "bob": {"bob aime les sushis"},
            },
        ),
        (
            "bob: запомни что ann и kim играют в доту\nbob: я тоже",
            {"ann": {"ann и kim играют в доту"}, "kim": {"ann и kim играют в доту"}, "bob": {"bob играет в доту"}},
        ),
        (
            "bob: merk dir dass ann und kim tennis spielen und singen\nbob: ich auch",
            {"ann": {"ann und kim tennis spielen und singen"}, "kim": {"ann und kim tennis spielen und singen"}},
        ),
        # what names one half of a fact about two is offered
        (
            "ann: note : moi je fais du judo et kim du tennis\nann: oublie que je fais du judo",
            {
                "ann": {"ann: je fais du judo et kim du tennis"},
                "kim": {"ann: je fais du judo et kim du tennis"},
            },
        ),
        (
            "ann: remember that ann and kim like sushi\nann: forget that I like sushi",
            {},
        ),
        ("ann: remember I like dogs and cats\nann: forget that I like dogs", {}),
        # two orders, of which neither is lost
        ("ann: remember I surf\nann: forget that, remember that I ski instead", {"ann": {"ann skis"}}),
        ("ann: remember I surf\nann: forget the surfing and put chess instead", {"ann": {"ann surfs"}}),
        (  # what somebody said is nothing that others told about them
            "kim: remember that bob's cat is old\nbob: delete what I said and remember that I like gin",
            {"bob": {"bob's cat is old", "bob likes gin"}},
        ),
        # plans
        (
            "ann: remember that game night is on friday\nann: game night moved to saturday",
            {"server": {"game night is on saturday"}},
        ),
        ("ann: запомни созвон в среду\nann: поправь плз, созвон переехал на четверг", {"server": {"созвон в четверг"}}),
        ("ann: recuerda que el asado es el 20\nann: corrieron el asado pal 22", {"server": {"el asado es el 22"}}),
        (
            "ann: retiens que la soirée jeux est vendredi\nann: la soirée jeux c'est samedi finalement",
            {"server": {"la soirée jeux est samedi"}},
        ),
        # accents are no reason not to find a word
        ("ann: recuerda que me gusta el te\nann: no el té sino el café", {"ann": {"ann: me gusta el café"}}),
        ("ann: recuerda que me flipa el té\nann: té no, café", {"ann": {"ann: me flipa el café"}}),
        ("ann: recuerda que me gusta el café\nann: café no quiero", {"ann": {"ann: me gusta el café"}}),
        ("ann: recuerda que me gusta el té\nann: el té no, obvio", {"ann": {"ann: me gusta el té"}}),
        ("ann: remember that quiz night is on monday", {"server": {"quiz night is on monday"}}),
        ("ann: remember that his training starts at 8", {}),
        (
            "ann: remember that the meeting is on friday\nann: pls move the meeting to monday",
            {"server": {"the meeting is on monday"}},
        ),
        ("ann: retiens que je fais de l'aikido\nann: pas aikido, kendo", {"ann": {"ann: je fais de l'aikido"}}),
        ("ann: remember that I drive a truck\nann: not truck but unicycle", {"ann": {"ann drives a unicycle"}}),
        ("ann: remember that I play an elf bard\nann: not elf but half-elf", {"ann": {"ann plays a half-elf bard"}}),
        # who is meant, by what is known of them
        ("ann: запомни что bob любит пиццу\nann: забудь пиццу bob", {}),
        ("kim: remember ann snores\nann: wasnt me lol that was bob", {"bob": {"bob snores"}}),
        # what was forgotten of one thing does not stop another
        (
            "kim: запиши ann и bob играют в доту\nann: убери это про меня\nkim: запиши ann и bob играют в шахматы",
            {"ann": {"ann и bob играют в шахматы"}, "bob": {"ann и bob играют в шахматы"}},
        ),
    ],
)
async def test_what_third_walkers_found(discord: Server, dsn: str, lines: str, left: Known) -> None:
    await talk(discord, lines)
    assert await known(discord, dsn) == left


async def test_what_is_back_is_said(discord: Server) -> None:
    said = await talk(
        discord,
        """
        ann: remember that I have a frog
        ann: remember that I have a dog
        ann: what do you know about me
        ann: forget the second one
        ann: no, the first
        ann: undo
        """,
    )
    assert "That's back: “ann has a dog”" in said[4]
    assert said[5] == "📌 That's back: “ann has a frog”"


async def test_what_is_private_is_not_said_when_it_is_back(discord: Server, dsn: str) -> None:
    """It was deleted where many read."""
    ann = discord.discord.join(discord.guild, "ann")
    await discord.ask(ann, "Bot remember that my phone number is 07700 900123")
    await discord.discord.press(ann, discord.general, discord.discord.sent[-1], "Keep it, only for me")
    assert "07700" not in await discord.ask(ann, "Bot forget that")
    assert "07700" not in await discord.ask(ann, "Bot undo")
    assert await known(discord, dsn) == {"ann": {"ann's phone number is 07700 900123"}}


@pytest.mark.parametrize(
    ("text", "language"),
    [
        ("yep true, thats me", "en"),
        ("подтверждаю, так и есть", "ru"),
        ("oui je confirme", "fr"),
        ("sii, es verdad", "es"),
    ],
)
async def test_a_fact_is_confirmed_in_several_words(discord: Server, text: str, language: str) -> None:
    said = await talk(discord, f"kim: remember ann got a new bike\nann: {text}")
    assert "“ann got a new bike”" in said[1] or "ann got a new bike" in said[1]


async def test_what_was_deleted_by_a_button_can_be_put_back(discord: Server, dsn: str) -> None:
    said = await talk(discord, "ann: remember that the meeting is on friday\nann: cancel the meeting")
    assert "Should I forget this?" in said[1]
    ann = next(user for user in discord.guild.members.values() if user.name == "ann")
    await discord.discord.press(ann, discord.general, discord.discord.sent[-1], "Forget #1")
    assert await known(discord, dsn) == {}
    assert await discord.ask(ann, "Bot put it back") == "📌 That's back: “the meeting is on friday”"


async def test_what_was_told_last_is_offered_where_nothing_else_is_found(discord: Server, dsn: str) -> None:
    """A deletion that names something else is not."""
    said = await talk(
        discord,
        """
        ann: remember that I hate my boss
        ann: forget that drunk confession
        ann: forget my address
        """,
    )
    assert "nothing" not in said[1]
    assert "Should I forget this?" in said[1]
    assert said[2] == "I don't have anything like that."
    assert await known(discord, dsn) == {"ann": {"ann hates their boss"}}


async def test_the_last_message_is_the_fact_it_told(discord: Server, dsn: str) -> None:
    """Unless its writer has said something since."""
    await talk(discord, "ann: remember that I hate my boss\nann: delete my last message")
    assert await known(discord, dsn) == {}
    ann = next(user for user in discord.guild.members.values() if user.name == "ann")
    await discord.ask(ann, "Bot remember that I like tea")
    await discord.discord.say(ann, discord.general, "the kiln is a potato")
    await discord.settled()
    assert "potato" in await discord.ask(ann, "Bot delete my last message")
    assert await known(discord, dsn) == {"ann": {"ann likes tea"}}


async def test_what_is_said_of_somebody_here_is_said_to_the_bot(discord: Server) -> None:
    """ "Bot lane is feeding" is not, nor is what is said of nobody who wrote here."""
    sam, kim = (discord.discord.join(discord.guild, name) for name in ("sam", "kim"))
    assert await discord.ask(sam, "Bot kim is no longer a mod") == ""
    await discord.discord.say(kim, discord.general, "hi all")
    assert await discord.ask(sam, "Bot zed is feeding again") == ""
    assert await discord.ask(sam, "Bot lane is feeding again") == ""
    assert await discord.ask(sam, "Bot kim's got a new bike") != ""


def named(discord: Server, name: str) -> User:
    """The member of a name."""
    return next(user for user in discord.guild.members.values() if user.name == name)


@pytest.mark.parametrize(
    ("first", "second", "order"),
    [
        ("remember that kim sings", "remember that kim is a welder", "forget both"),
        ("remember that kim sings", "remember that kim is a welder", "delete both of them"),
        ("remember that kim sings", "remember that kim is a welder", "delete the last two"),
        ("remember that kim sings", "remember that kim is a welder", "forget both facts"),
        ("remember that kim sings", "remember that kim is a welder", "delete the last 2"),
        ("remember that kim sings", "remember that kim is a welder", "forget these two"),
        ("recuerda que kim canta", "recuerda que kim vive en Vigo", "borra las dos cosas"),
        ("запомни что kim поёт", "запомни что kim живёт в Омске", "удали оба факта"),
        ("recuerda que kim canta", "recuerda que kim vive en Vigo", "olvida los dos"),
        ("retiens que kim chante", "retiens que kim vit à Lyon", "oublie les deux"),
        ("merk dir dass kim singt", "merk dir dass kim in Kiel wohnt", "lösch beide"),
        ("запомни что kim поёт", "запомни что kim живёт в Омске", "забудь оба"),
    ],
)
async def test_both_are_the_two_facts_told_last(discord: Server, dsn: str, first: str, second: str, order: str) -> None:
    """Also where others talk in between; what was told before stays."""
    before = f"ann: remember that kim has a boat\nann: {first}\nbob: remember that bob skis\nann: {second}"
    await talk(discord, f"{before}\nann: {order}")
    assert await known(discord, dsn) == {"kim": {"kim has a boat"}, "bob": {"bob skis"}}


@pytest.mark.parametrize(
    "order",
    [
        "forget the boat, keep both",
        "keep both, forget the boat",
        "forget that, both are nice",
        "forget the first two",
        "vergiss die ersten zwei",
        "забудь первые два",
        "forget 1 and 2",
        "forget the last of both",
        "olvida uno de los dos",
        "vergiss eine der beiden",
        "forget the last two messages",
        "forget last two hours",
        "forget what both said",
        "don't forget both",
        "forget both cats",
        "undo",
    ],
)
async def test_what_is_not_both_leaves_one_of_them(discord: Server, dsn: str, order: str) -> None:
    """Nor does "forget both" behind another deletion reach back to what was told before."""
    told = "ann: remember that kim has a boat\nann: remember that kim sings\nann: remember that kim likes tea"
    await talk(discord, f"{told}\nann: {order}")
    assert "kim sings" in (await known(discord, dsn))["kim"]
    if order == "undo":
        await discord.ask(named(discord, "ann"), "Bot forget both")
        assert (await known(discord, dsn))["kim"] == {"kim has a boat", "kim sings"}


@pytest.mark.parametrize(
    ("lines", "minutes", "left"),
    [
        ("ann: remember that kim sings\nann: remember that kim has two cats", 0, {"kim sings"}),
        ("ann: remember that kim has both cats\nann: remember that kim sings", 0, {"kim sings"}),
        ("bob: remember that kim sings\nann: remember that kim has both cats", 0, {"kim sings"}),
        ("ann: remember that kim sings\nann: remember that kim has both cats", 30, {"kim sings"}),
    ],
)
async def test_both_of_something_are_no_two_facts(
    discord: Server, dsn: str, clock: Clock, lines: str, minutes: int, left: set[str]
) -> None:
    """ "Forget both cats" deletes the fact about them alone."""
    await talk(discord, lines)
    clock.on(minutes=minutes)
    await discord.ask(named(discord, "ann"), "Bot forget both cats")
    assert left <= (await known(discord, dsn))["kim"]


@pytest.mark.parametrize(
    ("lines", "minutes"),
    [
        ("bob: remember that kim sings\nann: remember that kim is a welder", 0),
        ("ann: remember that kim sings\nann: remember that kim is a welder", 30),
        ("ann: remember that I sing\nann: remember that kim is a welder", 0),
    ],
)
async def test_both_are_one_tellers_and_fresh(
    discord: Server, dsn: str, clock: Clock, lines: str, minutes: int
) -> None:
    """Two that are about different people are asked about; otherwise nothing goes that nobody named."""
    await talk(discord, lines)
    clock.on(minutes=minutes)
    before = await known(discord, dsn)
    await discord.ask(named(discord, "ann"), "Bot forget both")
    assert await known(discord, dsn) == before


@pytest.mark.parametrize(
    "order",
    [
        "dont remember anything from {}",
        "dont remember anything from #bot-spam",
        "forget everything in {}",
        "olvida todo lo de {}",
        "vergiss alles aus {}",
        "oublie tout ce qu'il y a dans {}",
        "забудь всё из {}",
    ],
)
async def test_a_channel_goes_by_a_command(discord: Server, dsn: str, order: str) -> None:
    """Words delete nothing of it: the answer says which command does."""
    mark = f"<#{discord.general.id}>"
    answers = await talk(discord, f"ann: remember that kim sings\nann: {order.format(mark)}")
    assert "/memory-admin purge-channel" in answers[1]
    assert await known(discord, dsn) == {"kim": {"kim sings"}}


@pytest.mark.parametrize(
    "order",
    [
        "both are wrong, delete them",
        "both are wrong. Delete them",
        "beide Kinder schlafen, vergiss das",
    ],
)
async def test_a_remark_on_both_is_asked_about(discord: Server, dsn: str, order: str) -> None:
    """They may be some other two ("both kids are asleep, forget that")."""
    told = "ann: remember that kim sings\nann: remember that kim likes tea"
    answers = await talk(discord, f"{told}\nann: {order}")
    assert "kim sings" in answers[2]
    assert "kim likes tea" in answers[2]
    assert await known(discord, dsn) == {"kim": {"kim sings", "kim likes tea"}}


@pytest.mark.parametrize("last", ["remember that kim has HIV", "the rules are in the wiki"])
async def test_what_was_not_saved_is_none_of_both(discord: Server, dsn: str, last: str) -> None:
    """Refused, or asked about: "both" may be that and one other."""
    told = "ann: remember that kim sings\nann: remember that kim likes tea"
    await talk(discord, f"{told}\nann: {last}\nann: forget both")
    assert "kim sings" in (await known(discord, dsn))["kim"]


async def test_what_is_for_oneself_alone_is_none_of_both(discord: Server, dsn: str) -> None:
    """Nor does "both" reach past it to an older fact."""
    told = "ann: remember that kim sings\nann: remember that kim likes tea\nann: remember that I have HIV"
    answers = await talk(discord, told)
    ann = named(discord, "ann")
    asked = next(sent for sent in reversed(discord.discord.sent) if sent.content == answers[2])
    await discord.discord.press(ann, discord.general, asked, next(iter(asked.buttons)))
    await discord.settled()
    assert {"kim", "ann"} <= set(await known(discord, dsn)), "it was kept for Ann"
    await discord.ask(ann, "Bot forget both")
    assert (await known(discord, dsn))["kim"] == {"kim sings", "kim likes tea"}


@pytest.mark.parametrize("order", ["forget everything about kim in {}", "forget everything about C#dev"])
async def test_a_channel_beside_others_is_no_channel(discord: Server, order: str) -> None:
    answers = await talk(discord, f"ann: remember that kim sings\nann: {order.format(f'<#{discord.general.id}>')}")
    assert "purge-channel" not in answers[1]


async def test_a_fact_that_names_a_channel_goes_by_words(discord: Server, dsn: str) -> None:
    told = f"kim hates <#{discord.general.id}>"
    await talk(discord, f"ann: remember that {told}\nann: forget that {told}")
    assert await known(discord, dsn) == {}
