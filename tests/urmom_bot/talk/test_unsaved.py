"""What is taken back after something was said of which nothing was saved."""

from __future__ import annotations

import pytest

from tests.builders import Server, query
from tests.urmom_bot.talk.test_put_right import Known, known, talk

TALK = "im the worst goalkeeper in the world haha"


@pytest.mark.parametrize("text", ["dont save that, it was a joke", "forget that"])
async def test_what_was_only_said_goes_and_no_fact(discord: Server, dsn: str, text: str) -> None:
    answers = await talk(discord, f"ann: remember I work at Costa\nann: {TALK}\nann: {text}")
    assert await known(discord, dsn) == {"ann": {"ann works at Costa"}}
    assert "goalkeeper" in answers[-1]
    assert not await query(dsn, "SELECT 1 FROM chat_history WHERE message_text LIKE '%goalkeeper%'")


@pytest.mark.parametrize(
    "between", ["ann: I'm so tired", f"ann: {TALK}\nbob: hi there", f"ann: {TALK}\nbob: what do you know about me"]
)
async def test_few_words_and_other_people_change_nothing_in_that(discord: Server, dsn: str, between: str) -> None:
    await talk(discord, f"ann: remember I work at Costa\n{between}\nann: dont save that")
    assert await known(discord, dsn) == {"ann": {"ann works at Costa"}}


async def test_undo_asks_whether_it_means_what_was_before(discord: Server, dsn: str) -> None:
    answers = await talk(discord, f"ann: remember I work at Costa\nann: {TALK}\nann: undo")
    assert "remember I work at Costa" in answers[-1]
    assert await known(discord, dsn) == {"ann": {"ann works at Costa"}}


async def test_what_is_for_oneself_alone_is_not_said_again(discord: Server, dsn: str) -> None:
    ann = discord.discord.join(discord.guild, "ann")
    await discord.ask(ann, "Bot remember that I have depression")
    await discord.discord.press(ann, discord.general, discord.discord.sent[-1], "Keep it, only for me")
    await discord.ask(ann, f"Bot {TALK}")
    assert "depression" not in await discord.ask(ann, "Bot undo")


async def test_undo_once_more_means_it(discord: Server, dsn: str) -> None:
    await talk(discord, f"ann: remember I work at Costa\nann: {TALK}\nann: undo\nann: undo")
    assert await known(discord, dsn) == {}


@pytest.mark.parametrize("between", ["what is the capital of France?", "haha ok", f"bob: {TALK}"])
async def test_a_question_a_word_or_somebody_else_stand_in_no_undos_way(
    discord: Server, dsn: str, between: str
) -> None:
    between = between if ": " in between else f"ann: {between}"
    await talk(discord, f"ann: remember I work at Costa\n{between}\nann: undo")
    assert await known(discord, dsn) == {}


@pytest.mark.parametrize(
    ("lines", "left"),
    [
        (
            "ann: remember the bus comes at 9\nann: remember the train comes at 10\n"
            "ann: undo that, and forget that the bus comes at 9",
            {},
        ),
        (
            "ann: remember that the tram is red\nann: undo and remember that the tram is green",
            {"server": {"the tram is green"}},
        ),
    ],
)
async def test_undo_and_another_order_in_one_message(discord: Server, dsn: str, lines: str, left: Known) -> None:
    await talk(discord, lines)
    assert await known(discord, dsn) == left


@pytest.mark.parametrize(
    ("said", "order"),
    [
        ("my job interview is on thursday", "forget the interview, i failed"),
        ("у меня собес в четверг в 11", "забудь про собес, я его завалил"),
        ("tengo cita con el médico el martes", "olvídate de lo del médico, ya no hace falta"),
    ],
)
async def test_a_reason_behind_what_is_to_go_is_no_part_of_it(discord: Server, dsn: str, said: str, order: str) -> None:
    await talk(discord, f"ann: {said}\nann: {order}")
    assert not await query(dsn, "SELECT 1 FROM chat_history WHERE message_text LIKE $1", f"%{said}%")


@pytest.mark.parametrize(
    ("order", "told"),
    [
        ("remember the raid is on friday, for the server", "the raid is on friday"),
        ("remember bin day is tuesday, for everyone", "bin day is tuesday"),
        ("merk dir für alle: spieleabend ist donnerstag", "spieleabend ist donnerstag"),
        ("recuerda para todo el server que el lunes hay raid", "el lunes hay raid"),
        ("retiens pour tout le monde : raid vendredi", "raid vendredi"),
        ("запомни для всего сервера: собираемся по пятницам", "собираемся по пятницам"),
    ],
)
async def test_what_is_for_everyone_is_about_the_server(discord: Server, dsn: str, order: str, told: str) -> None:
    await talk(discord, f"ann: {order}")
    assert await known(discord, dsn) == {"server": {told}}


@pytest.mark.parametrize(
    ("order", "left"),
    [
        ("remember I bake bread for everyone", {"ann": {"ann bakes bread for everyone"}}),
        ("remember for everyone: I am away on friday", {"ann": {"ann is away on friday"}}),
        ("remember zed eats bugs, for everyone", {}),  # it asks who that is
    ],
)
async def test_what_is_about_a_person_stays_so(discord: Server, dsn: str, order: str, left: Known) -> None:
    await talk(discord, f"ann: {order}")
    found = await known(discord, dsn)
    assert {name: {value.casefold() for value in values} for name, values in found.items()} == left


@pytest.mark.parametrize(
    ("lines", "left"),
    [
        ("kim: remember that I live in Leeds\nkim: moved to York last week", {"kim": {"kim moved to York last week"}}),
        ("kim: remember im vegan\nkim: not vegan anymore", {"kim": {"kim is not vegan anymore"}}),
        ("kim: remember I collect stamps btw", {"kim": {"kim collects stamps"}}),
        (
            "ann: recuerda que odio el cilantro y kim ama el apio",
            {"ann": {"ann: odio el cilantro"}, "kim": {"kim ama el apio"}},
        ),
    ],
)
async def test_who_leaves_out_the_subject_means_themselves(discord: Server, dsn: str, lines: str, left: Known) -> None:
    await talk(discord, lines)
    assert await known(discord, dsn) == left
