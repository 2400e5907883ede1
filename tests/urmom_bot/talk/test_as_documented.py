"""What the table for members promises, said as people say it."""

from __future__ import annotations

import pytest

from memory.rules.names import alias_given
from tests.builders import Server, query
from tests.urmom_bot.talk.test_put_right import Known, known, talk
from urmom_bot.talk import grammar
from urmom_bot.talk.commands import Forget, ForgetLast, Remember
from urmom_bot.talk.plans import changes
from urmom_bot.talk.rewording import on_another_date, reworded, with_last_word


@pytest.mark.parametrize(
    ("text", "bare"),
    [
        ("me too lol", "me too"),
        ("нет, 6-го))", "нет, 6-го"),
        ("dinner is cancelled :( haha", "dinner is cancelled"),
        ("I live in York (UK)", "I live in York (UK)"),
        ("I play lol", "I play lol"),
        ("lol", "lol"),
        ("hi :)", "hi"),
    ],
)
def test_laughter_behind_a_message_is_none_of_it(text: str, bare: str) -> None:
    """But a game's name is, and a word in brackets."""
    assert grammar.without_laughter(text) == bare


@pytest.mark.parametrize(
    ("lines", "left"),
    [
        ("ann: remember kim likes jam\nbob: me too lol", {"kim": {"kim likes jam"}, "bob": {"bob likes jam"}}),
        ("ann: remember kim snores\nkim: wasnt me, it was bob lol", {"bob": {"bob snores"}}),
        ("ann: remember kim likes jam\nkim: bot is wrong lol", {"kim": {"kim likes jam"}}),
        ("ann: remember I live in Rome\nann: I just moved to york lol", {"ann": {"ann just moved to york"}}),
        ("ann: remember I own a hamster\nann: forget the hamster, remember I own a rat", {"ann": {"ann owns a rat"}}),
        ("ann: remember I surf\nann: delete that I surf and save that I ski instead", {"ann": {"ann skis"}}),
        (
            "ann: remember the meeting is on Friday\nann: the meeting moved to the 21st",
            {"server": {"the meeting is on the 21st"}},
        ),
        (
            "ann: my birthday is 3 May\nbob: when is ann's birthday\nann: no, the 13th",
            {"ann": {"ann's birthday is 13th May"}},
        ),
        ("ann: my birthday is 3 May\nbob: I like snow a lot\nann: no, the 13th", {"ann": {"ann's birthday is 3 May"}}),
        ("ann: save my job: nurse", {"ann": {"ann: job: nurse"}}),
        ("ann: remember I own a car\nann: sold my fiesta, got a golf now", {"ann": {"ann owns a car"}}),
        ("ann: remember my dog is called rex\nann: I meant the 15th", {"ann": {"ann's dog is called rex"}}),
        ("ann: remember bobs car is red", {"bob": {"bob's car is red"}}),
        ("ann: recuerda que vivo con kim", {"ann": {"ann: vivo con kim"}}),
        ("ann: recuerda que le debo 5 euros a bob", {"ann": {"ann: le debo 5 euros a bob"}}),
        ("ann: recuerda que el trabajo de bob es duro", {"bob": {"el trabajo de bob es duro"}}),
        ("ann: recuerda que vivo en Lugo\nann: no vivo en Lugo sino en Vigo", {"ann": {"ann: vivo en Vigo"}}),
        ("ann: remember I study family law\nann: forget my family business", {"ann": {"ann studies family law"}}),
        ("ann: remember I'm not ok", {"ann": {"ann is not ok"}}),
        (
            "ann: recuerda que mi examen es el lunes\nann: mi examen pasa a las 5",
            {"ann": {"ann: mi examen es el lunes"}},
        ),
        ("ann: keep my mouth: shut", {}),
        ("ann: recuerda que el nuevo trabajo de bob es duro", {"bob": {"el nuevo trabajo de bob es duro"}}),
        ("ann: remember the soy milk in the fridge is kim's", {"kim": {"the soy milk in the fridge is kim's"}}),
        ("ann: recuerda que soy prima de kim", {"ann": {"ann: soy prima de kim"}}),
        ("ann: recuerda que trabajo con bob", {"ann": {"ann: trabajo con bob"}}),
        ("ann: merk dir dass jeder hund hier bellt", {}),
        ("ann: merk dir dass bob das treffen absagt", {"bob": {"bob das treffen absagt"}}),
        (
            "ann: retiens que le tournoi est samedi\nann: retiens que je joue du oud\nann: annule le tournoi\nann: non",
            {"server": {"le tournoi est samedi"}, "ann": {"ann: je joue du oud"}},
        ),
        ("ann: merk dir für den server dass der raid am freitag ist", {"server": {"der raid ist am freitag"}}),
        ("ann: merk dir dass bob am freitag grillt", {"bob": {"bob grillt am freitag"}}),
        (
            "ann: retiens que le tournoi est le 5 mai\nann: tournoi annulé\nann: non",
            {"server": {"le tournoi est le 5 mai"}},
        ),
        (
            "ann: merk dir dass ich töpfere\nann: merk dir dass ich turne\nann: merk dir dass ich jongliere\n"
            "ann: was weißt du über mich\nann: die letzten beiden löschen bitte",
            {"ann": {"ann: ich töpfere"}},
        ),
        (
            "ann: remember I own a boat\nann: forget that I own a boat and remember that I sail\n"
            "ann: remember that I sail\nann: undo",
            {"ann": {"ann sails"}},
        ),
    ],
)
async def test_it_comes_to_what_was_meant(discord: Server, dsn: str, lines: str, left: Known) -> None:
    await talk(discord, lines, names="ann bob kim")
    assert await known(discord, dsn) == left


async def test_one_older_fact_is_named_and_asked_about(discord: Server, dsn: str) -> None:
    """ "Delete the dentist thing" means no later fact; it asks, and deletes nothing by itself."""
    start = "ann: remember I have a dentist on Friday\nann: remember I play golf\n"
    answers = await talk(discord, f"{start}ann: delete the dentist thing")
    assert "dentist" in answers[-1] and "?" in answers[-1]
    assert len((await known(discord, dsn))["ann"]) == 2


@pytest.mark.parametrize("text", ["what's going on on friday", "whats up"])
async def test_a_day_and_a_greeting_ask_for_nothing_missed(discord: Server, text: str) -> None:
    answers = await talk(discord, f"ann: remember the movie is on friday\nbob: {text}")
    assert "since you last wrote" not in answers[-1].lower()


async def test_the_last_message_is_no_fact_of_a_list(discord: Server, dsn: str) -> None:
    ann = discord.discord.join(discord.guild, "ann")
    await discord.ask(ann, "Bot remember I ride a bike")
    await discord.ask(ann, "Bot what do you know about me")
    await discord.ask(ann, "the kiln is hot today")
    await discord.ask(ann, "Bot delete my last message")
    assert await known(discord, dsn) == {"ann": {"ann rides a bike"}}
    assert not await query(dsn, "SELECT 1 FROM chat_history WHERE message_text LIKE '%kiln%'")


async def test_a_name_is_agreed_to_whatever_others_ask_meanwhile(discord: Server, dsn: str) -> None:
    """A plain yes, though, is one to the bot's question, if they talk with it."""
    answers = await talk(discord, "ann: remember bob is nicknamed Bobster\nkim: what do you know about bob\nbob: yes")
    assert "Bobster" in answers[-1]
    answers = await talk(discord, "ann: remember kim's real name is Kimmy\nkim: I like the snow here\nkim: yes")
    assert "Kimmy" not in answers[-1]


@pytest.mark.parametrize(
    ("value", "name"),
    [
        ("<@1> is known as Kimmy", "Kimmy"),
        ("<@1>'s real name is Robert", "Robert"),
        ("a <@1> le llaman Bobby", "Bobby"),
        ("on appelle <@1> Léo", "Léo"),
        ("<@1> c'est Sergey", "Sergey"),
        ("все зовут <@1> Саша", "Саша"),
        ("<@1>'s name is unpronounceable", None),
        ("on appelle <@1> demain", None),
        ("все зовут <@1> гулять", None),
        ("everyone calls <@1> lazybones", None),
        ("<@1> goes by Uber", None),
    ],
)
def test_a_fact_that_gives_a_name(value: str, name: str | None) -> None:
    """Only a word with a capital is one."""
    assert alias_given(value) == name


async def test_a_name_is_agreed_to_after_a_fact_about_others(discord: Server) -> None:
    lines = "ann: remember bob's nick is Robbo\nann: remember that I ski\nbob: yes that's me"
    assert "Robbo" in (await talk(discord, lines))[-1]


def test_deletions_lose_what_a_fact_is_called() -> None:
    assert grammar.parse("forget the bus one") == Forget(statement="bus", language="en")
    assert grammar.parse("forget the golf thing") == Forget(statement="golf", language="en")
    assert isinstance(grammar.parse("forget that one"), ForgetLast)
    assert grammar.parse("guarda mi profesion: soldador") == Remember(statement="profesion: soldador", language="es")
    assert grammar.parse("save time: 5") is None


@pytest.mark.parametrize(
    ("statement", "new", "language", "told"),
    [
        ("the meeting is on Friday at 8", "21st", "en", "the meeting is on the 21st at 8"),
        ("the party is on Friday night", "21st", "en", None),
        ("the Friday raid starts late", "21st", "en", None),
        ("the meeting is on Friday", "21st", "en", "the meeting is on the 21st"),
        ("le match est vendredi", "21", "fr", "le match est le 21"),
        ("la cena es el viernes", "21", "es", "la cena es el 21"),
        ("das Spiel ist am Freitag", "21.", "de", "das Spiel ist am 21."),
        ("встреча в пятницу", "21-го", "ru", "встреча 21-го"),
        ("the meeting is on Friday", "third floor", "en", None),
    ],
)
def test_a_day_takes_the_place_of_a_weekday(statement: str, new: str, language: str, told: str | None) -> None:
    assert on_another_date(statement, new, language) == told


@pytest.mark.parametrize(
    ("statement", "correction", "told"),
    [
        ("me gusta el té", "no me gusta el té sino el café", "me gusta el café"),
        ("soy de Lugo", "no soy de Lugo sino de Vigo", "soy de Vigo"),
        ("trabajo en el Lidl", "no espera, en el Mercadona", "trabajo en el Mercadona"),
    ],
)
def test_what_is_denied_whole_is_put_right_in_part(statement: str, correction: str, told: str) -> None:
    assert reworded(statement, correction, "es") == told


@pytest.mark.parametrize("text", ["mein zahnarzttermin ist am 18. dezember", "mein kurs endet am 3. dezember"])
def test_december_is_no_slip_of_remember(text: str) -> None:
    assert grammar.parse(text) is None


def test_a_compound_has_its_first_part() -> None:
    (change,) = changes("der zahnarzt ist abgesagt")
    assert change.is_of("mein zahnarzttermin ist am 18. dezember")
    assert not change.is_of("mein friseur ist am 18. dezember")


@pytest.mark.parametrize(
    "text",
    ["remember that last msg from kim", "guarda lo último de kim", "speicher bitte die letzte nachricht von kim"],
)
def test_somebodys_last_message_is_what_is_kept(text: str) -> None:
    found = grammar.parse(text)
    assert isinstance(found, Remember)
    assert found.this
    assert found.subject == "kim"


def test_a_thing_takes_its_article_along() -> None:
    assert with_last_word("me gusta el vino", "perdon quise decir la cerveza", "es") == "me gusta la cerveza"


@pytest.mark.parametrize(
    ("text", "what", "new"),
    [
        ("se cancela la cena", "cena", ""),
        ("se cancelo la cena", "cena", ""),
        ("filmabend is jetzt doch erst samstag", "filmabend", "samstag"),
        ("friseur is verschoben auf den 22.", "friseur", "22"),
        ("la cena se ha cancelado", "cena", ""),
        ("das Training findet nicht statt", "Training", ""),
        ("el dentista se ha movido al 21", "dentista", "21"),
        ("se ha movido el dentista al 22", "dentista", "22"),
        ("al final la barbacoa es el domingo", "barbacoa", "domingo"),
    ],
)
def test_plans_change_in_many_words(text: str, what: str, new: str) -> None:
    assert (what, new) in [(change.what, change.new) for change in changes(text)]
