"""What people who walked through the table of `docs/for-members.md` had to say twice, in five languages."""

from __future__ import annotations

import pytest

from memory.rules.names import alias_given
from tests.builders import Server, query
from tests.urmom_bot.talk.test_put_right import Known, known, talk
from urmom_bot.stand_ins.world import MANAGE_GUILD
from urmom_bot.talk import commands, grammar
from urmom_bot.talk.rewording import on_another_date, reworded


@pytest.mark.parametrize(
    ("lines", "left"),
    [
        ("ann: remember i live in Leeds\nann: ive moved to york", {"ann": {"ann has moved to york"}}),
        ("ann: remember i smoke\nann: i quit smoking last week", {"ann": {"ann quit smoking last week"}}),
        (
            "ann: recuerda que fumo\nann: dejé de fumar la semana pasada",
            {"ann": {"ann: dejé de fumar la semana pasada"}},
        ),
        (
            "ann: запомни что я курю\nann: я бросила курить на прошлой неделе",
            {"ann": {"ann: я бросила курить на прошлой неделе"}},
        ),
        ("ann: me llaman Kato", {"ann": {"ann: me llaman Kato"}}),
        ("ann: guarda mi plato favorito: paella", {"ann": {"ann: plato favorito: paella"}}),
        ("ann: днюха у меня 14 сентября", {"ann": {"ann: днюха у меня 14 сентября"}}),
        ("ann: im born on 2nd of feb", {"ann": {"ann is born on 2nd of feb"}}),
        (
            "ann: retiens que je bosse chez lidl\nann: euh non attends, chez leclerc",
            {"ann": {"ann: je bosse chez leclerc"}},
        ),
        ("ann: retiens que je vis à Lyon\nann: non, à Nantes", {"ann": {"ann: je vis à Nantes"}}),
        (
            "ann: retiens que j'ai un judogi\nann: oublie le judogi pis retiens que jfais du karaté",
            {"ann": {"ann: jfais du karaté"}},
        ),
        (
            "ann: i bake bread and bob plays drums, remember that pls",
            {"ann": {"ann bakes bread"}, "bob": {"bob plays drums"}},
        ),
        ("ann: bob is Robert btw, remember that", {"bob": {"bob is Robert btw"}}),
        (
            "kim: bob and ann are both left handed, remember that\nkim: so am i",
            {
                "bob": {"bob and ann are both left handed"},
                "ann": {"bob and ann are both left handed"},
                "kim": {"kim is left handed"},
            },
        ),
        (
            "kim: bob et ann jouent tous les deux à valorant, note le\nkim: moi aussi mdr",
            {
                "bob": {"bob et ann jouent tous les deux à valorant"},
                "ann": {"bob et ann jouent tous les deux à valorant"},
                "kim": {"kim joue à valorant"},
            },
        ),
        (
            "ann: note que bob a mangé le dernier donut\nbob: nan c'est kim ça pas moi",
            {"kim": {"kim a mangé le dernier donut"}},
        ),
        (  # others have asked something since; it says "me"
            "ann: remember that bob watches anime\nkim: what time is it?\nbob: that's wrong, delete that about me",
            {},
        ),
        ("ann: remember that the meetup is on friday\nann: no, the 13th", {"server": {"the meetup is on the 13th"}}),
        (
            "ann: remember that the raid is on friday at 8\nann: raid's moved to saturday at 9pm",
            {"server": {"the raid is on saturday at 9pm"}},
        ),
        ("ann: запомни что сходка в пятницу\nann: нет, 13-го", {"server": {"сходка 13-го"}}),
        (
            "ann: запомни что у меня стоматолог 14 декабря\nann: стоматолога перенесли на 21-е",
            {"ann": {"ann: у меня стоматолог 21 декабря"}},
        ),
        ("ann: remember for the server no dogs in voice", {"server": {"no dogs in voice"}}),
        (  # not forever
            "ann: merk dir ich trinke kaffee\nann: ich trinke heute keinen kaffee mehr",
            {"ann": {"ann: ich trinke kaffee"}},
        ),
        (  # Kim has spoken of Bob since
            "ann: remember bob plays bass\nkim: bob is really stupid\nbob: delete that about me",
            {"bob": {"bob plays bass"}},
        ),
        (
            "ann: remember that bob ate the cake\nkim: who plays the drums\nbob: kim, not me",
            {"bob": {"bob ate the cake"}},
        ),
        (  # the speaker's own, word for word
            "kim: remember I love art\nbob: remember I love art about kim\nbob: forget that I love art about kim",
            {"kim": {"kim loves art"}},
        ),
        (
            "ann: remember the mods are bob and kim\nann: yes",
            {"bob": {"the mods are bob and kim"}, "kim": {"the mods are bob and kim"}},
        ),
        ("ann: my favourite show is Cheers, remember that", {"ann": {"ann's favourite show is Cheers"}}),
        (
            "ann: retiens que bob et kim laissent traîner leurs affaires\nann: moi aussi",
            {name: {"bob et kim laissent traîner leurs affaires"} for name in ("bob", "kim")},
        ),
    ],
)
async def test_it_is_understood_at_once(discord: Server, dsn: str, lines: str, left: Known) -> None:
    await talk(discord, lines)
    assert await known(discord, dsn) == left


@pytest.mark.parametrize(
    ("lines", "answer", "left"),
    [
        (  # "sorry" takes nothing back
            "ann: remember that the raid is on friday\nann: raid's cancelled, sorry",
            "Should I forget this?",
            {"server": {"the raid is on friday"}},
        ),
        (
            "ann: remember that the raid is on friday\nbob: the raid is off",
            "Only the person who told me, or a moderator",
            {"server": {"the raid is on friday"}},
        ),
        (  # that is a fact of its own
            "ann: remember that the raid is on friday\nbob: the raid is cancelled, remember that",
            "Got it",
            {"server": {"the raid is on friday", "the raid is cancelled"}},
        ),
        (
            "ann: remember that the raid is on friday\nbob: the raid moved to sunday",
            "",
            {"server": {"the raid is on friday"}},
        ),
        ("ann: no more jokes on this server pls", "/settings", {}),
        ("ann: remember I play chess\nann: what's up?\nann: never mind", "Okay.", {"ann": {"ann plays chess"}}),
    ],
)
async def test_it_says_what_to_do(discord: Server, dsn: str, lines: str, answer: str, left: Known) -> None:
    answers = await talk(discord, lines)
    assert answer in answers[-1]
    assert await known(discord, dsn) == left


async def test_jokes_about_oneself_are_not_those_of_the_server(discord: Server, dsn: str) -> None:
    answers = await talk(discord, "ann: no jokes about me on this server please\nann: no jokes for everyone please")
    assert "No more jokes about you" in answers[0]
    assert "/settings" in answers[1]


@pytest.mark.parametrize(
    "order", ["delete everything ann told you", "forget everything from ann", "forget what ann said about bob"]
)
async def test_what_somebody_told_is_offered_to_who_moderates(discord: Server, dsn: str, order: str) -> None:
    sam = discord.discord.join(discord.guild, "sam")
    discord.guild.roles[9], discord.guild.member_roles[sam.id] = MANAGE_GUILD, [9]
    await talk(discord, "ann: remember that bob sings\nkim: remember that bob skis")
    answer = await discord.ask(sam, f"Bot {order}")
    assert "bob sings" in answer
    assert "bob skis" not in answer
    assert len(await query(dsn, "SELECT 1 FROM facts WHERE retired_at IS NULL")) == 2


async def test_undo_brings_back_the_time_zone(discord: Server, dsn: str) -> None:
    sam = discord.discord.join(discord.guild, "sam")
    discord.guild.roles[9], discord.guild.member_roles[sam.id] = MANAGE_GUILD, [9]
    await discord.ask(sam, "Bot set the server time zone to new york")
    assert "is now UTC" in await discord.ask(sam, "Bot undo")
    assert "nothing" in await discord.ask(sam, "Bot undo")
    ann = discord.discord.join(discord.guild, "ann")
    await discord.ask(ann, "Bot time zone Berlin")
    assert "nothing" in await discord.ask(ann, "Bot undo")


@pytest.mark.parametrize(
    ("statement", "new", "language", "moved"),
    [
        ("the raid is on friday", "saturday 9pm", "en", "the raid is on saturday 9pm"),
        ("the raid is on friday at 8", "friday at 9", "en", "the raid is on friday at 9"),
        ("la réunion est vendredi à 8h", "samedi à 9h", "fr", "la réunion est samedi à 9h"),
        ("la cena es el viernes a las 8", "sábado a las 9", "es", "la cena es el sábado a las 9"),
        ("das treffen ist am freitag um 8", "samstag um 9", "de", "das treffen ist am samstag um 9"),
        ("сходка в пятницу в 8", "субботу в 9", "ru", "сходка в субботу в 9"),
        ("bob has 8 cats on friday", "saturday at 9", "en", None),
        ("the meeting is on friday at 5", "monday in room 3", "en", None),
        ("the raid is on friday at 8", "saturday the 13th at 9", "en", None),
        ("the raid is on friday 8 may", "saturday at 9", "en", None),
        ("my exam is on friday the 8th", "saturday at 9", "en", None),
        ("the shop is open on friday at 8:30", "monday from 8 to 9", "en", None),
        ("the raid is on friday at 8 in room 5", "saturday at 9", "en", None),
        ("the raid is on friday at 8 pm", "saturday at 9pm", "en", None),
        ("the raid is on friday at 7 dollars", "saturday at 9", "en", None),
        ("the raid is on friday at 8pm", "saturday at 9", "en", "the raid is on saturday at 9pm"),
    ],
)
def test_a_plan_moves_to_another_day_and_hour(statement: str, new: str, language: str, moved: str | None) -> None:
    assert on_another_date(statement, new, language) == moved


def test_a_day_of_a_month_is_written_as_it_was() -> None:
    assert reworded("das treffen ist am freitag", "nein, am 13.", "de") == "das treffen ist am 13"
    assert reworded("у меня врач 14 декабря", "нет, 21-е", "ru") == "у меня врач 21 декабря"
    assert reworded("my exam is on 9 march", "no, the 8th", "en") == "my exam is on 8th march"


@pytest.mark.parametrize(
    ("statement", "correction", "language"),
    [
        ("tengo clase el viernes", "no, 5", "es"),
        ("j'ai cours vendredi", "non, 5", "fr"),
        ("ich habe am freitag frei", "nein, 5", "de"),
    ],
)
def test_a_bare_number_is_no_day(statement: str, correction: str, language: str) -> None:
    assert reworded(statement, correction, language) is None


@pytest.mark.parametrize("text", ["cambia la hora de reunión", "règle l'heure de réunion", "pon la hora de cena"])
def test_the_hour_of_something_is_no_time_zone(text: str) -> None:
    assert not isinstance(grammar.parse(text), commands.SetZone)


async def test_redo_brings_back_a_correction_and_nothing_else(discord: Server, dsn: str) -> None:
    """Not what was deleted or saved by a button after that."""
    told = "ann: remember I have a dog\nann: remember I work at Asda\nann: no wait, at Lidl\nann: undo\n"
    answers = await talk(discord, f"{told}ann: redo")
    assert await known(discord, dsn) == {"ann": {"ann has a dog", "ann works at Lidl"}}
    assert "Got it" in answers[-1]


async def test_redo_leaves_what_was_changed_since(discord: Server, dsn: str) -> None:
    ann = discord.discord.join(discord.guild, "ann")
    for text in ("remember I have a dog", "remember I work at Asda", "no wait, at Lidl", "undo"):
        await discord.ask(ann, f"Bot {text}")
    await discord.discord.slash(ann, discord.general, "memory remember", {"member": ann, "fact": "likes tea"})
    assert "nothing" in await discord.ask(ann, "Bot redo")
    left = {row["value"] for row in await query(dsn, "SELECT value FROM facts WHERE retired_at IS NULL")}
    assert any("likes tea" in value for value in left)
    assert not any("Lidl" in value for value in left)


@pytest.mark.parametrize(
    ("text", "numbers"),
    [("can you delete #5 and #6?", "#5 and #6"), ("tu peux virer #5 et #6 ?", "#5 et #6")],
)
def test_numbers_may_be_asked_for(text: str, numbers: str) -> None:
    command = grammar.parse(text)
    assert command is not None
    assert getattr(command, "statement", "") == numbers


@pytest.mark.parametrize("text", ["i was born in the wrong century", "I was born in 2014 so shut up"])
def test_small_talk_about_being_born_is_not_kept(text: str) -> None:
    assert not isinstance(grammar.parse(text), commands.Remember)


@pytest.mark.parametrize(
    ("value", "name"),
    [
        ("<@1> is actually called Kimberly irl", "Kimberly"),
        ("<@1> se llama en realidad Lu", "Lu"),
        ("<@1> is Vegan irl", None),
        ("<@1> у нас Староста", None),
    ],
)
def test_a_role_is_no_name(value: str, name: str | None) -> None:
    assert alias_given(value) == name


async def test_undo_leaves_a_choice_that_an_order_for_all_did_not_change(discord: Server, dsn: str) -> None:
    """ "No jokes on this server" switches nothing: "undo" means what was changed before it."""
    answers = await talk(discord, "ann: no jokes on this server please\nann: undo")
    assert "nothing" in answers[-1]
