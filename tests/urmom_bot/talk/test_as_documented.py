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
        ("my cat is called lol", "my cat is called lol"),
        ("mi gato se llama lol", "mi gato se llama lol"),
        ("my cat is called Bob lol", "my cat is called Bob"),
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
        ("<@1> is sergey", "sergey"),
        ("<@1> is really kim", "kim"),
        ("<@1> = sergey", "sergey"),
        ("<@1> это сергей", "сергей"),
        ("<@1> se llama beto", "beto"),
        ("<@1> s'appelle loïc", "loïc"),
        ("<@1> is called bobbo", "bobbo"),
        ("<@1> is called lazy", None),
        ("<@1> is vegan", None),
        ("<@1> is may", None),
        ("<@1> ist der klaus", "klaus"),
        ("<@1> ist Klaus", "Klaus"),
        ("<@1> ist Lehrer", None),
        ("<@1> heißt Wolle", "Wolle"),
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


async def test_a_name_written_small_finds_its_bearer(discord: Server, dsn: str) -> None:
    """As its bearer agreed to it; what parents call nobody is a fact and no name."""
    answers = await talk(
        discord,
        "ann: hi\ngruz: hi\ngruz: remember gruz is sergey\nann: remember sergey likes jam\nann: remember gruz is vegan",
        names="ann gruz",
    )
    assert "gruz likes jam" in answers[-2]
    assert await known(discord, dsn) == {"gruz": {"gruz is sergey", "gruz likes jam", "gruz is vegan"}}


@pytest.mark.parametrize(
    ("text", "statement"),
    [
        ("remember everyone calls bob Rob", "everyone calls bob Rob"),
        ("remember everyone likes tea", "everyone likes tea"),
        ("remember everyone: the raid is at 8", "the raid is at 8"),
        ("remember everyone the raid is at 8", "the raid is at 8"),
        ("everyone calls me bobby irl", "I am called bobby"),
        ("remember I hate people irl", "I hate people irl"),
        ("save my job: nurse at st marys", "job: nurse at st marys"),
        ("my birthday is on may 3rd btw", "my birthday is on may 3rd"),
        ("mein Geburtstag ist der 12.8.", "mein Geburtstag ist der 12.8"),
        ("everyone calls me rob", "I am called rob"),
        ("im annie btw", "I am called annie"),
        ("remember my dog is named haha", "my dog is named haha"),
    ],
)
def test_the_whole_statement_is_kept(text: str, statement: str) -> None:
    """Whom and what it is about is no politeness."""
    order = grammar.parse(text)
    assert isinstance(order, Remember)
    assert order.statement == statement


@pytest.mark.parametrize(
    "text", ["everyone calls me lazy", "people call me daily", "I'm Hungry", "im vegan", "ich bin jude", "я жива"]
)
def test_what_is_no_name_or_favourite_is_not_kept(text: str) -> None:
    """The model answers it."""
    assert not isinstance(grammar.parse(text), Remember)


@pytest.mark.parametrize(
    "order",
    [
        "delete the #1 and the #3",
        "borra #1 y #3",
        "lösch die #1 und die #3",
        "supprime le #1 et le #3",
        "удали #1 и #3",
    ],
)
async def test_facts_go_by_their_numbers_in_any_language(discord: Server, dsn: str, order: str) -> None:
    """With "#", nobody means anything else by them."""
    await talk(
        discord, f"ann: remember I own a kiln\nann: remember I own a lathe\nann: remember I own a loom\nann: {order}"
    )
    assert await known(discord, dsn) == {"ann": {"ann owns a lathe"}}


@pytest.mark.parametrize(
    "statement", ["the raid is at 8pm tonight", "das Turnier ist am 10. Juni", "the race is tomorrow"]
)
async def test_when_something_is_need_not_be_asked_about(discord: Server, dsn: str, statement: str) -> None:
    """A date beside "tonight" is no number that opens anything, and the point of "10." ends no sentence."""
    answers = await talk(discord, f"ann: remember {statement}")
    assert "Keep this?" not in answers[-1]
    assert await query(dsn, "SELECT 1 FROM facts")


@pytest.mark.parametrize(
    ("lines", "left"),
    [
        ("bob: recuerda que tengo dos gatos\nbob: uy me equivoque, deshacelo", {}),
        (
            "kim: retiens que bob aime le rap\nbob: efface ça, j'aime pas le rap",
            {"bob": {"bob aime le rap"}},  # asked about
        ),
        ("ann: remember I main kites\nann: undo\nann: nvm i want it back", {"ann": {"ann mains kites"}}),
        ("ann: anota que bob canta\nann: deshacer\nann: volvelo a poner", {"bob": {"bob canta"}}),
        ("ann: retiens que jai un poney\nann: nan jdeconne", {}),
        ("kim: retiens que ann a un chien\nann: n'imp c pas moi c bob", {"bob": {"bob a un chien"}}),
        (
            "ann: retiens que kim adore le rap\nann: bob pareil",
            {"kim": {"kim adore le rap"}, "bob": {"bob adore le rap"}},
        ),
        ("ann: retiens que jbosse chez paul", {"ann": {"ann: jbosse chez paul"}}),
        ("ann: mon anniv c le 3 mai", {"ann": {"ann: mon anniv c le 3 mai"}}),
        ("ann: моя днюха 3 мая", {"ann": {"ann: моя днюха 3 мая"}}),
        ("ann: cumplo el 14 de agosto", {"ann": {"ann: cumplo el 14 de agosto"}}),
        ("ann: retiens que l'examen de bob est le 11", {"bob": {"l'examen de bob est le 11"}}),
        (
            "ann: apunta que yo soy del madrid\nann: borra lo del madrid y pon que soy del betis",
            {"ann": {"ann: soy del betis"}},
        ),
        (
            "bob: recuerda que junto vinilos\nbob: recuerda que hablo catalan\nbob: recuerda que odio el cilantro\n"
            "bob: que sabes de mi\nbob: elimina el primero y el ultimo",
            {"bob": {"bob: hablo catalan"}},
        ),
    ],
)
async def test_what_people_of_other_languages_say(
    discord: Server, dsn: str, lines: str, left: dict[str, set[str]]
) -> None:
    """As they were heard to say it."""
    await talk(discord, lines, names="ann bob kim")
    assert await known(discord, dsn) == left


@pytest.mark.parametrize("text", ["uy me equivoque, deshacelo", "oops, undo that", "efface ça, j'aime pas le rap"])
def test_an_order_corrects_no_words(text: str) -> None:
    """ "Dos gatos" is not "dos deshacelo"."""
    assert reworded("tengo dos gatos", text, "es") is None
    assert reworded("bob aime le rap", text, "fr") is None


async def test_names_in_another_alphabet_mean_whom_they_sound_like(discord: Server, dsn: str) -> None:
    """Alone, beside another, in the second half of a sentence, and as a name that is agreed to."""
    answers = await talk(
        discord,
        "ann: прив\nbob: прив\nkim: прив\nann: запомни что боб любит суши\nann: запомни что боб и ким любят рис\n"
        "ann: запомни что я хожу под парусом а боб поёт\nann: ким тоже\nann: запомни что ким это лена\nkim: да это я",
        names="ann bob kim",
    )
    assert "«лена» понимаю у всех" in answers[-1]
    stored = await known(discord, dsn)
    assert stored["bob"] == {"bob любит суши", "bob и kim любят рис", "bob поёт"}
    assert stored["kim"] >= {"bob и kim любят рис", "kim это лена"}
    assert "ann: я хожу под парусом" in stored["ann"]


async def test_a_word_that_only_sounds_like_a_name_is_a_word(discord: Server, dsn: str) -> None:
    """ "Том" is a volume, whoever is called Tom."""
    await talk(discord, "ann: прив\ntom: прив\nann: запомни что я читаю том второй", names="ann tom")
    assert list(await known(discord, dsn)) == ["ann"]


async def test_both_orders_around_the_bot_s_name_are_done(discord: Server, dsn: str) -> None:
    """The name may stand between them."""
    ann = discord.discord.join(discord.guild, "ann")
    await discord.ask(ann, "Bot remember I own a bike")
    await discord.discord.say(ann, discord.general, "forget the bike bot and remember I own a moped")
    await discord.settled()
    assert await known(discord, dsn) == {"ann": {"ann owns a moped"}}


@pytest.mark.parametrize(
    ("text", "statement"),
    [
        ("remember me and dex play apex together", "me and dex play apex together"),
        ("remember me n dex play apex", "me n dex play apex"),
        ("remember me and you'll be rich", None),
        ("remember me and bob at the beach lol", None),
        ("remember me and the boys playing apex all night", None),
        ("remember me and keep the change", None),
        ("remember me to your mom", None),
    ],
)
def test_who_speaks_may_come_first(text: str, statement: str | None) -> None:
    """Beside somebody else; "remember me" alone asks to be remembered."""
    order = grammar.parse(text)
    assert (order.statement if isinstance(order, Remember) else None) == statement


async def test_undo_takes_back_one_correction_and_then_the_fact(discord: Server, dsn: str) -> None:
    """ "Undone: mia hates pizza" would be wrong where it was Bob's that went."""
    order = "kim: remember that mia hates pizza\nkim: oops, it was bob\n"
    answers = await talk(discord, f"{order}kim: undo\nkim: undo", names="kim mia bob")
    assert "That's back: “mia hates pizza”" in answers[-2]
    assert "Undone by" in answers[-1]
    assert await known(discord, dsn) == {}


async def test_a_corrected_joke_is_named_when_it_goes(discord: Server, dsn: str) -> None:
    answers = await talk(
        discord,
        "kim: remember that mia hates pizza\nkim: oops, it was bob\nkim: haha just kidding",
        names="kim mia bob",
    )
    assert "bob hates pizza" in answers[-1]
    assert await known(discord, dsn) == {}


async def test_this_is_not_looked_for_again_in_what_another_wrote(discord: Server, dsn: str) -> None:
    """ "No, that was Dex" means the same words, not Dex's last."""
    answers = await talk(
        discord,
        "dex: sup my friends\nbob: I park badly\nmia: remember that about bob\nmia: no, that was dex",
        names="dex bob mia",
    )
    assert "say it again" in answers[-1]
    assert not await known(discord, dsn)


@pytest.mark.parametrize(
    ("text", "whose"),
    [
        ("note for the server: the ip changed to the new one on sunday", "server"),
        ("pls note for everyone: bring snacks on friday", "server"),
        ("remember for everyone: I am away on friday", "ann"),
    ],
)
async def test_for_whom_a_note_is_may_stand_before_the_colon(discord: Server, dsn: str, text: str, whose: str) -> None:
    """As long as the speaker does not speak of themselves."""
    await talk(discord, f"ann: {text}")
    assert list(await known(discord, dsn)) == [whose]


async def test_a_moved_day_leaves_its_weekday_behind(discord: Server, dsn: str) -> None:
    """The 27th is no Saturday because the 20th was one."""
    await talk(discord, "ann: acordate que el asado es el sabado 20\nann: al final el asado lo movieron al 27")
    assert await known(discord, dsn) == {"server": {"el asado es el 27"}}


@pytest.mark.parametrize(
    "text",
    [
        "forget house number 3",
        "forget rule #2",
        "delete message #2",
        "бот забудь что мой номер 1",
        "olvida que soy el número 3",
        "vergiss Zimmer nummer 2",
    ],
)
def test_a_number_of_something_else_is_no_fact_s(text: str) -> None:
    """Only an article stands between the order and a fact's number."""
    order = grammar.parse(text)
    assert isinstance(order, Forget)
    assert not order.numbers


@pytest.mark.parametrize(
    "text",
    [
        "pon la hora de dormir",
        "cambia la hora de la reunión",
        "mets-toi à l'heure de la pause",
        "поставь время на завтра",
        "mon chat est mort",
    ],
)
def test_other_hours_and_deaths_are_talk(text: str) -> None:
    """A zone has to be one; a pet is no plan."""
    assert grammar.parse(text) is None
    assert not list(changes(text))


async def test_what_is_for_everyone_is_about_whom_it_names(discord: Server, dsn: str) -> None:
    """Whom it names may delete it and may have opted out; "I" is whoever says it."""
    await talk(discord, "ann: note for everyone: kim likes tea\nann: note for everyone: I own a cat", names="ann kim")
    assert await known(discord, dsn) == {"kim": {"kim likes tea"}, "ann": {"ann owns a cat"}}


@pytest.mark.parametrize(
    ("statement", "stored"),
    [
        ("запомни что я люблю лук", "ann: я люблю лук"),
        ("запомни, что у нас вера в победу", None),
        ("запомни что мой брат rosa не сергей", "ann: мой брат rosa не сергей"),
        ("remember I love rosé", "ann loves rosé"),
        ("merk dir, dass ich den Bär mag", "ann: ich mag den Bär"),
    ],
)
async def test_a_thing_is_nobody_who_is_called_alike(
    discord: Server, dsn: str, statement: str, stored: str | None
) -> None:
    """In another alphabet, only whom the statement is about is put in place of a name; accents make no alphabet."""
    await talk(discord, f"ann: hi\nann: {statement}", names="ann luk bar rose sergey vera maya")
    assert await known(discord, dsn) == ({"ann": {stored}} if stored else {})


async def test_an_end_of_one_s_own_is_one_s_own(discord: Server, dsn: str) -> None:
    """Also where its verb has lost its accent, and a server's thing is the server's."""
    await talk(discord, "ann: recuerda que fumo\nann: ya deje de fumar")
    assert await known(discord, dsn) == {"ann": {"ann: ya deje de fumar"}}


async def test_figures_in_a_name_make_no_code(discord: Server, dsn: str) -> None:
    """Whoever has them in their name is spoken of without a question."""
    answers = await talk(discord, "ann: recuerda que gruzi87 es sergio", names="ann gruzi87")
    assert "¿Me lo guardo?" not in answers[-1]


async def test_it_was_another_in_another_alphabet(discord: Server, dsn: str) -> None:
    """ "Нет, это был боб" tells it of Bob, as in Latin letters."""
    await talk(
        discord, "ann: прив\nann: запомни что ким играет на барабанах\nann: нет, это был боб", names="ann kim bob"
    )
    assert await known(discord, dsn) == {"bob": {"bob играет на барабанах"}}


async def test_joking_without_anything_to_take_back_switches_no_jokes_on(discord: Server, dsn: str) -> None:
    """ "Прикалываюсь" is about oneself; whoever wants no jokes still wants none."""
    await talk(discord, "kim: не шути про меня\nkim: да прикалываюсь я лол")
    assert [row["jokes"] for row in await query(dsn, "SELECT jokes FROM members WHERE NOT jokes")] == [False]


@pytest.mark.parametrize(
    "text",
    [
        "delete #1 but not #2",
        "delete #2 and keep #4",
        "save my game: forget everything about ann",
    ],
)
def test_what_only_has_numbers_or_a_colon_is_taken_as_before(text: str) -> None:
    """An exception is no list, and an order no value."""
    order = grammar.parse(text)
    assert not isinstance(order, Remember)
    assert not (isinstance(order, Forget) and "#" in order.statement)
    assert not grammar.each_order(text)


@pytest.mark.parametrize("statement", ["kim has the pass 1987-65-43", "kim kept the number 2024-10-11"])
async def test_a_code_like_a_date_is_asked_about(discord: Server, dsn: str, statement: str) -> None:
    """Only the date that memory writes itself needs no question."""
    answers = await talk(discord, f"ann: remember {statement}", names="ann kim")
    assert "Keep this?" in answers[-1]


async def test_a_day_of_may_is_nobody(discord: Server, dsn: str) -> None:
    """Whoever is called Maya."""
    await talk(discord, "ann: запомни, что встреча 5 мая", names="ann maya")
    assert list(await known(discord, dsn)) == ["server"]


@pytest.mark.parametrize("text", ["redo that", "put it back", "nvm i want it back"])
async def test_what_cannot_be_brought_back_is_said_to_be(discord: Server, text: str) -> None:
    """ "Nothing to undo" answers another wish."""
    answers = await talk(discord, f"ann: remember I own a kiln\nann: {text}")
    assert "bring back" in answers[-1]
