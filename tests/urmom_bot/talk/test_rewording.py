"""What somebody told just now, put right in their own words."""

import time

import pytest

from urmom_bot.talk.guessing import surely
from urmom_bot.talk.rewording import reworded


@pytest.mark.parametrize(
    ("statement", "correction", "right"),
    [
        ("I play drums", "nah i play bass not drums", "I play bass"),
        ("my boat is green", "blue, not green", "my boat is blue"),
        ("my birthday is 5 April", "no, the sixth", "my birthday is 6 April"),
        ("my birthday is 5 April", "sorry, the twenty-first", "my birthday is 21 April"),
        ("мой день рождения 5 апреля", "ой, двадцать первого", "мой день рождения 21 апреля"),
        ("mein Geburtstag ist am 5. April", "nein, am sechsten", "mein Geburtstag ist am 6. April"),
        ("mon anniversaire est le 5 avril", "non, le six", "mon anniversaire est le 6 avril"),
        ("mi cumpleaños es el 5 de abril", "no, el seis", "mi cumpleaños es el 6 de abril"),
        ("my birthday is 9 March", "no, not the 9th, the 8th", "my birthday is 8th March"),
        ("j'aime la bière", "non, pas la bière, le vin", "j'aime le vin"),
        ("j'aime le thé", "pas du thé, du café", "j'aime le café"),
        ("mi cumpleaños es el 13 de mayo", "no es el 13, es el 14", "mi cumpleaños es el 14 de mayo"),
        ("mi barco es verde", "azul, no verde", "mi barco es azul"),
        ("my dog is called biscuit", "its cookie not biscuit", "my dog is called cookie"),
        ("my dog is called biscuit", "my dog is called cookie not biscuit", "my dog is called cookie"),
        ("ich wohne in leipzig", "ich wohn nicht mehr in leipzig sondern in halle", "ich wohne in halle"),
        ("ich repariere fahrräder", "stimmt nicht ich repariere autos", "ich repariere autos"),
        ("my bday is 4 july", "wait its 5 july", "my bday is 5 july"),
        ("I finish at 5pm", "sorry, i meant 6", "I finish at 6pm"),
        ("my train leaves may 16th", "i meant 17", "my train leaves may 17"),
        ("I retired in May 2015", "that's wrong: I retired in 2016, not in 2015", "I retired in May 2016"),
        ("I have two cats", "I have three cats, not two", "I have three cats"),
        ("me gusta el té", "no es té sino café", "me gusta el café"),
        ("j'aime le thé", "non, le café, pas le thé", "j'aime le café"),
        ("я люблю суши", "нет, роллы а не суши", "я люблю роллы"),
        ("my name is ann", "I am not ann but luna", "my name is luna"),
        ("<@1569683039846400019> has 9 cats", "i meant 8", "<@1569683039846400019> has 8 cats"),
        ("my mp3 player cost 3 euros", "i meant 4", "my mp3 player cost 4 euros"),
        ("I have 3 cats", "no, 4", "I have 4 cats"),
        ("tengo 3 gatos", "no, 4", "tengo 4 gatos"),
        ("mi cumple es el 3 de mayo", "perdón, el 4", "mi cumple es el 4 de mayo"),
        ("I live in Riga", "sorry, I live in Oslo", "I live in Oslo"),
        ("I like tea", "no, I like coffee", "I like coffee"),
        ("I weigh 72.5 kilos", "no, 75", "I weigh 75 kilos"),
        ("it costs 12.50", "no, 13", "it costs 13"),
        ("the exam is on 3.5.", "no, the 13th", "the exam is on 13.5."),
        ("ich hab am 24.12. geburtstag", "nein am 25.", "ich hab am 25.12. geburtstag"),
        ("the raid is on friday at 8pm", "no, sunday", "the raid is on sunday at 8pm"),
        ("my exam is on june 3", "no, in july", "my exam is on july 3"),
        ("встреча в субботу", "нет, в воскресенье", "встреча в воскресенье"),
        ("soy de Guadalajara", "no, quise decir que soy de Zapopan", "soy de Zapopan"),
        ("je suis né le 12 mai", "jme suis trompé je suis né le 13 mai", "je suis né le 13 mai"),
        ("I live in Riga", "you're wrong, I live in Oslo", "I live in Oslo"),
        ("vivo en Lima", "te equivocas, vivo en Quito", "vivo en Quito"),
        ("j'habite à Lyon", "tu te trompes, j'habite à Nice", "j'habite à Nice"),
        ("ich wohne in Bonn", "du irrst dich, ich wohne in Ulm", "ich wohne in Ulm"),
        ("я живу в Киеве", "ты ошибся, я живу в Одессе", "я живу в Одессе"),
    ],
)
def test_what_is_wrong_is_exchanged(statement: str, correction: str, right: str) -> None:
    """The rest of it stays."""
    assert reworded(statement, correction, surely(statement) or "en") == right


@pytest.mark.parametrize(
    ("statement", "said"),
    [
        ("I like tea", "not coffee but water"),
        ("my exam is on december 12", "no, december 12"),
        ("I like tea", "tea or not tea"),
        ("I like tea", "\n"),
        ("I like tea", ".\u3000."),
        ("my name is April", "no, june"),
        ("the raid is at 8pm", "no, the 14th"),
        ("I like tea", "why not"),
        ("I like tea", "..."),
        ("I like tea", "no"),
        ("", "not tea but coffee"),
        ("I like tea", "not tea but me"),
        ("my cat is black", "no not black"),
        ("I have tea and more tea", "not tea but rice"),
        ("I have 2 cats and 3 dogs", "no, 4"),
        ("I have two cats", "no, I meant three cats"),
        ("I live in york", "not sure, maybe york"),
        ("I like tea", "no, I like coffee too"),
        ("I like tea", "no I like you"),
        ("I like tea", "actually I like it here"),
        ("I play drums", "sorry I can't play tonight"),
        ("I am tired", "sorry I am late"),
        ("I am a welder", "sorry I am late"),
        ("I live in Oslo", "actually I live next to bob"),
        ("mi gato es negro", "no mi perro es blanco"),
        ("я люблю чай", "нет я люблю тебя"),
        ("I am 30", "no im not 30"),
        ("I like tea", "no, the sixth"),
        ("I have 3 cats", "no, the second one is a dog"),
        ("I like tea", "maybe not tea"),
        ("me gusta el café", "café no quiero"),
        ("me gusta el café", "café no, gracias"),
        ("I like tea", "obviously not tea"),
        ("I like tea", "everyone drinks coffee and not tea"),
        ("I like cats not dogs", "no, dogs not cats"),
        ("my exam is on december 12", "wait for 5 min"),
        ("I like tea", "I do not like tea"),
        ("I live in Riga", "no, I do not live in Riga"),
        ("I am vegan", "I am not vegan"),
        ("my cat is black", "my cat is not black"),
        ("ich wohne in leipzig", "ich wohne nicht in leipzig"),
        ("j'aime le thé", "je n'aime pas le thé"),
        ("vivo en lima", "ya no vivo en lima"),
        ("me gusta el té", "no me gusta el café"),
        ("vivo en lima", "no vivo en quito"),
        ("mi gato es negro", "no mi gato es blanco"),
        ("I like tea", "recommend me a drink, not tea"),
        ("I like tea", "bob likes coffee, not tea"),
        ("I like tea", "forget that I like coffee, not tea"),
        ("ich mag tee", "aber nicht tee"),
        ("j'aime le thé", "mais pas le thé"),
        ("я живу в москве", "не в москве, а где"),
        ("I have a dog", "wait I have a question"),
        ("I have a dog", "no I have a question"),
        ("I have a dog", "sorry I have a headache"),
        ("I like tea", "that I like coffee"),
        ("I have 3 cats", "no, at 5 we leave"),
        ("I have 3 cats", "not before 5"),
        ("I have 3 cats", "no, the 5 of us"),
        ("ich habe 3 katzen", "ne, 5 Minuten"),
        ("j'ai 3 chats", "non, à 8h"),
        ("my exam is on december 12", "no its at 9am"),
        ("my exam is on may 12", "no, the 12th of june"),
        ("my mp3 player cost 3 euros", "no, mp4"),
        ("I have 3 cats", "no 1 cares"),
        ("I like tea", "no, do you like tea"),
        ("bob likes tea", "no, zoe likes tea"),
        ("I like tea", "no, I like tea"),
        ("I like tea", "no, I never said anything about rain in Spain"),
        ("I like tea", "I like coffee"),
        ("I like tea", "no, tea"),
        ("my exam is on december 12", "it has 13 questions"),
        ("my exam is on december 12", "no, december 12"),
        ("my exam is on december 12", "no, 13 people came to see it"),
    ],
)
def test_anything_else_is_left(statement: str, said: str) -> None:
    """What is not surely a correction of it goes to the AI as talk."""
    assert reworded(statement, said, surely(statement) or "en") is None


def test_many_words_that_correct_take_no_time() -> None:
    """However often they are said, in whatever languages they are."""
    began = time.process_time()
    for said in ("no, " * 200 + "x", "not tea but " + "no," * 100 + "x", "sorry " * 200):
        assert reworded("I like tea", said[:2_000], "en") is None
    assert time.process_time() - began < 1
