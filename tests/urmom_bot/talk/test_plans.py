"""Plans that change: moved to another day or hour, or called off."""

from __future__ import annotations

import pytest

from tests.builders import Server
from tests.urmom_bot.page.test_page import room
from tests.urmom_bot.talk.test_put_right import Known, known, talk
from urmom_bot.stand_ins.world import MANAGE_GUILD, MANAGE_MESSAGES
from urmom_bot.talk.plans import changes
from urmom_bot.talk.rewording import has_date, on_another_date, reworded

MOVED = [
    ("en", "ann has a dentist appointment on the 14th", "the dentist moved to the 21st", "21st"),
    ("en", "ann's exam is on june 14", "the exam moved to june 21", "june 21"),
    ("en", "ann has a dentist appointment on the 14th", "my dentist appointment got pushed to the 21st", "21st"),
    ("en", "dinner is on monday", "guys they moved dinner to friday", "friday"),
    ("en", "dinner is on monday", "dinner's on friday now", "friday"),
    ("en", "the raid starts at 8pm", "raid is now at 9pm", "9pm"),
    ("de", "hab am 14. um halb drei zahnarzt", "zahnarzt wurde auf den 21. verschoben", "21."),
    ("de", "spieleabend ist donnerstag", "spieleabend ist jetzt immer freitags", "freitags"),
    ("de", "spieleabend ist donnerstag", "der spieleabend verschiebt sich auf samstag", "samstag"),
    ("es", "tengo dentista el 14", "el dentista pasó al 21", "21"),
    ("es", "la cena es el lunes", "movieron la cena al martes", "martes"),
    ("es", "la cena es el lunes", "la cena ahora es el martes", "martes"),
    ("fr", "j'ai dentiste le 14", "le dentiste est décalé au 21", "21"),
    ("fr", "la répète est mercredi", "on a reporté la répète à jeudi", "jeudi"),
    ("fr", "la répète est mercredi", "la répète c'est désormais jeudi", "jeudi"),
    ("ru", "зубной 14-го", "зубного перенесли на 21-е", "21-е"),
    ("ru", "сбор в субботу в 18", "перенесли сбор на воскресенье", "воскресенье"),
    ("ru", "сбор в субботу в 18", "сбор теперь в воскресенье", "воскресенье"),
]


@pytest.mark.parametrize(("language", "plan", "text", "new"), MOVED)
def test_a_plan_is_moved(language: str, plan: str, text: str, new: str) -> None:
    (change,) = (change for change in changes(text) if change.language == language)
    moved = on_another_date(plan, change.new, language)
    assert change.is_of(plan)
    assert moved is not None
    assert new in moved
    assert len(moved.split()) == len(plan.split())


@pytest.mark.parametrize(
    ("language", "plan", "text"),
    [
        ("en", "dinner is on monday", "dinner is cancelled"),
        ("en", "dinner is on monday", "dinners off"),
        ("en", "book club is on the 12th", "we cancelled book club"),
        ("de", "hab am 14. zahnarzt", "zahnarzt ist abgesagt"),
        ("de", "spieleabend ist donnerstag", "spieleabend fällt leider komplett aus"),
        ("es", "tengo dentista el 14", "se canceló el dentista"),
        ("es", "la cena es el lunes", "la cena está cancelada"),
        ("fr", "la répète est mercredi", "la répète est annulée"),
        ("fr", "j'ai dentiste le 14", "ils ont annulé le dentiste"),
        ("ru", "сбор в субботу", "короче сбор отменяется"),
        ("ru", "зубной 14-го", "отменили зубного"),
    ],
)
def test_a_plan_is_called_off(language: str, plan: str, text: str) -> None:
    found = [change for change in changes(text) if change.language == language and not change.new]
    assert [change.is_of(plan) for change in found] == [True]


@pytest.mark.parametrize(
    "text",
    [
        "why was the dentist moved to the 21st",
        "what if the dentist got moved to the 21st",
        "if the dentist moved to the 21st",
        "the dentist was not moved to the 21st",
        "the dentist could be moved to the 21st",
        "his dentist appointment moved to the 21st",
        "your dentist moved to the 21st",
        "sein zahnarzt wurde auf den 21. verschoben",
        "el dentista no pasó al 21",
        "su dentista pasó al 21",
        "le dentiste n'est pas décalé au 21",
        "son dentiste est décalé au 21",
        "зубного не перенесли на 21-е",
        "его зубного перенесли на 21-е",
        "зубного не отменили",
        "if the dentist is cancelled",
        "the dentist moved to the 21st, just kidding",
        "the dentist moved to the 21st, if sam can come",
        "the dentist moved to the 21st, didn't it",
        "zahnarzt wurde auf den 21. verschoben, stimmt aber nicht",
    ],
)
def test_what_is_denied_asked_or_of_others_changes_nothing(text: str) -> None:
    plans = (
        "ann has a dentist appointment on the 14th",
        "hab am 14. zahnarzt",
        "tengo dentista el 14",
        "j'ai dentiste le 14",
        "зубной 14-го",
    )
    assert not [plan for plan in plans for change in changes(text) if change.is_of(plan)]


@pytest.mark.parametrize(
    ("language", "fact", "new"),
    [
        ("en", "my dentist charges 80 euros", "the 21st"),
        ("en", "I have 2 exams in june", "the 5th"),
        ("en", "I have a meeting in room 12", "the 21st"),
        ("en", "I was in paris in 2019", "5"),
        ("de", "die Heizung kostet 80 Euro", "21"),
        ("es", "tengo 2 hermanos", "9"),
        ("en", "my phone has 20 percent", "5"),
    ],
)
def test_a_count_is_no_date(language: str, fact: str, new: str) -> None:
    assert on_another_date(fact, new, language) is None
    assert not has_date(fact, language)


@pytest.mark.parametrize(
    "fact",
    ["ann loves music loud", "ann owns a piano and a flat", "ann works on monday at Costa and plays chess with Kim"],
)
@pytest.mark.parametrize("text", ["the music is off", "the piano is cancelled", "chess moved to friday"])
def test_a_taste_or_two_facts_in_one_are_no_plan(fact: str, text: str) -> None:
    assert not [change for change in changes(text) if change.is_of(fact)]


@pytest.mark.parametrize(
    ("fact", "text"),
    [
        ("Maria's exam is on monday", "Mario's exam is now on tuesday"),
        ("training is at 8pm", "the train is at 9pm now"),
        ("the meeting is on monday", "the meetup moved to friday"),
        ("ann was born on the 14th of may", "may moved to the 21st"),
        ("dinner is on monday", "monday is off"),
    ],
)
def test_another_word_is_another_plan(fact: str, text: str) -> None:
    assert not [change for change in changes(text) if change.is_of(fact)]


@pytest.mark.parametrize("text", ["my cat is 6 now", "the meeting is 9pm now", "the cat is now 6"])
def test_an_age_or_the_clock_is_no_new_hour(text: str) -> None:
    assert not list(changes(text))


@pytest.mark.parametrize(
    ("fact", "new"),
    [
        ("the raid is every friday", "this saturday"),
        ("the raid is on friday", "next monday"),
        ("the raid is next friday", "monday"),
    ],
)
def test_which_week_it_is_stays_clear(fact: str, new: str) -> None:
    assert on_another_date(fact, new, "en") is None


@pytest.mark.parametrize(
    ("told", "text"),
    [
        ("I have 2 dogs", "sorry I'm 30"),
        ("I have 2 sisters", "it's 30 now"),
        ("tengo 2 hermanos", "perdón, son las 9"),
        ("ich habe 2 Brüder", "sorry ich bin 16"),
        ("the raid starts at 8", "it's 9 now"),
        ("the raid is at 8pm", "it's 9pm now"),
        ("the meeting is at 8pm", "its 19:30 now"),
    ],
)
def test_a_number_of_something_else_puts_nothing_right(told: str, text: str) -> None:
    language = {"I": "en", "t": "es", "i": "de"}.get(told[0], "en")
    assert reworded(told, text, "en" if told.startswith("the") else language) is None


@pytest.mark.parametrize(
    "text", ["is dinner cancelled?", "the weather is nice", "I moved my desk to the window because " + "x" * 120, ""]
)
def test_other_words_change_no_plan(text: str) -> None:
    assert list(changes(text)) == []


def test_another_plan_is_not_meant() -> None:
    (change, *_) = changes("the meeting moved to friday")
    assert not change.is_of("dinner is on monday")
    assert not change.is_of("I met Kim on monday")


@pytest.mark.parametrize(
    ("lines", "left"),
    [
        (
            "ann: remember that dinner is on monday\nann: they moved dinner to thursday",
            {"server": {"dinner is on thursday"}},
        ),
        (  # and moved again
            "kim: merk dir: hab am 14. zahnarzt\nkim: zahnarzt wurde auf den 21. verschoben\n"
            "kim: ne warte, auf den 22.",
            {"kim": {"kim: hab am 22. zahnarzt"}},
        ),
        (  # undo brings back what was
            "kim: remember the raid is on friday\nkim: the raid moved to sunday\nkim: undo",
            {"server": {"the raid is on friday"}},
        ),
        (  # calling it off asks first
            "ann: remember that dinner is on monday\nann: dinner is cancelled",
            {"server": {"dinner is on monday"}},
        ),
        (
            "ann: remember that dinner is on monday\nann: dinner is cancelled\nann: yes",
            {},
        ),
        (  # others have no say in it
            "ann: remember that dinner is on monday\nbob: dinner moved to friday\nbob: dinner is cancelled\nbob: yes",
            {"server": {"dinner is on monday"}},
        ),
        (  # two plans of the same name: it is not clear which
            "kim: remember I have a dentist appointment on the 3rd\n"
            "kim: remember I have a dentist appointment on the 9th\nkim: the dentist got pushed to the 12th",
            {"kim": {"kim has a dentist appointment on the 3rd", "kim has a dentist appointment on the 9th"}},
        ),
        (  # a correction of what was just told, with what closes it
            "ann: remember that dinner is on monday\nann: oh its tuesday actually, sorry\nann: its sunday now",
            {"server": {"dinner is on sunday"}},
        ),
    ],
)
async def test_what_is_known_follows(discord: Server, dsn: str, lines: str, left: Known) -> None:
    await talk(discord, lines)
    assert await known(discord, dsn) == left


async def test_what_is_said_among_few_changes_nothing_for_all(discord: Server, dsn: str) -> None:
    """The words of a private channel would come to light; what all know stays as it was."""
    ann = discord.discord.join(discord.guild, "ann")
    staff = await room(discord, "staff", ann)
    await discord.ask(ann, "Bot remember that the meeting is on monday")
    await discord.ask(ann, "Bot the meeting moved to friday", staff)
    assert await known(discord, dsn) == {"server": {"the meeting is on monday"}}


async def test_a_moderator_moves_what_others_told(discord: Server, dsn: str) -> None:
    """Unless one of their own is called so."""
    bob, sam = (discord.discord.join(discord.guild, name) for name in ("bob", "sam"))
    discord.guild.roles[9], discord.guild.member_roles[sam.id] = MANAGE_GUILD | MANAGE_MESSAGES, [9]
    await discord.ask(bob, "Bot remember that the quiz is on monday")
    await discord.ask(sam, "Bot the quiz got moved to tuesday")
    assert await known(discord, dsn) == {"server": {"the quiz is on tuesday"}}
    await discord.ask(bob, "Bot remember that the book club is on friday")
    await discord.ask(sam, "Bot remember that the new book club is on monday")
    await discord.ask(sam, "Bot the book club moved to sunday")
    assert (await known(discord, dsn))["server"] >= {"the book club is on friday", "the new book club is on sunday"}


async def test_the_answer_says_what_it_was(discord: Server) -> None:
    answers = await talk(discord, "ann: remember that dinner is on monday\nann: they moved dinner to thursday")
    assert "dinner is on thursday" in answers[-1]
    assert "dinner is on monday" in answers[-1]


async def test_what_is_sensitive_by_now_is_not_kept(discord: Server, dsn: str) -> None:
    """A plan that the rules refuse in its new words stays as it was."""
    answers = await talk(discord, "ann: remember that dinner is on monday\nann: dinner moved to 4111111111111111")
    assert await known(discord, dsn) == {"server": {"dinner is on monday"}}
    assert "4111" not in answers[-1]


@pytest.mark.parametrize(
    ("language", "told", "correction", "right"),
    [
        ("en", "dinner is on monday", "no its tuesday sorry", "dinner is on tuesday"),
        ("en", "dinner is on monday", "oh, its on tuesday actually", "dinner is on tuesday"),
        ("en", "dinner is on monday", "nope tuesday", "dinner is on tuesday"),
        ("en", "dinner is on monday", "it got moved to tuesday", "dinner is on tuesday"),
        ("en", "the raid starts at 8", "its 9 actually", "the raid starts at 9"),
        ("de", "das Essen ist am Montag", "ach ne Dienstag doch", "das Essen ist am Dienstag"),
        ("de", "das Essen ist am Montag", "es ist jetzt Dienstag", "das Essen ist am Dienstag"),
        ("es", "la cena es el lunes", "es martes mejor dicho", "la cena es el martes"),
        ("es", "la cena es el lunes", "la movieron al martes", "la cena es el martes"),
        ("fr", "le dîner est lundi", "ah non c'est mardi pardon", "le dîner est mardi"),
        ("fr", "le dîner est lundi", "reporté à mardi", "le dîner est mardi"),
        ("ru", "ужин в понедельник", "во вторник, прости", "ужин во вторник"),
        ("ru", "ужин в понедельник", "теперь во вторник", "ужин во вторник"),
    ],
)
def test_a_day_is_put_right_as_people_type_it(language: str, told: str, correction: str, right: str) -> None:
    assert reworded(told, correction, language) == right


@pytest.mark.parametrize(
    "text", ["sorry, it was a joke", "no, it is fine", "actually never mind", "its raining now", "i moved to hull"]
)
def test_other_words_move_nothing(text: str) -> None:
    assert reworded("dinner is on monday", text, "en") is None
    assert reworded("I live in leeds", text, "en") is None
