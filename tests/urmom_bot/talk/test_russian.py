"""Russian as it is written: names in every case, verbs besides those of the help, and what is said after a slip."""

from __future__ import annotations

import pytest

from memory import AuthorKind, Member
from memory.rules.names import nominatives
from tests.builders import Server, query
from urmom_bot.talk import commands, grammar
from urmom_bot.talk.people import Resolved, subject

SPEAKER, ANNA, SERGEY = (
    Member(guild_id=1, user_id=n, display_name=name, username=name.lower(), author_kind=AuthorKind.MEMBER)
    for n, name in ((1, "Миша"), (2, "Аня"), (3, "Sergey"))
)
PEOPLE = {m.user_id: m for m in (SPEAKER, ANNA, SERGEY)}


@pytest.mark.parametrize(
    ("word", "name"),
    [
        ("Ани", "Аня"),
        ("Сергея", "Сергей"),
        ("Ольге", "Ольга"),
        ("Игорем", "Игорь"),
        ("Николае", "Николай"),
        ("Ивана", "Иван"),
    ],
)
def test_names_in_other_cases(word: str, name: str) -> None:
    """One of what they may be in the nominative is the name; words in small letters or other scripts are none."""
    assert name in nominatives(word)
    assert not nominatives(word.lower())
    assert not nominatives("Anna")


@pytest.mark.parametrize(
    ("statement", "meant"),
    [
        ("собаку Ани зовут Бобик", Resolved(could_be=(SPEAKER, ANNA))),
        ("собака Ани лает", Resolved(member=ANNA)),
        ("у Ани есть кот", Resolved(member=ANNA)),
        ("Ане нравится рок", Resolved(member=ANNA)),
        ("Сергею нравится рок", Resolved(member=SERGEY)),
        ("знаю Аню со школы", Resolved()),
        ("мама Ани и сестра Сергея врачи", Resolved(could_be=(ANNA, SERGEY))),
        ("Аня и Сергей женаты", Resolved(member=ANNA)),
        ("у кота Ани лапки", Resolved(member=ANNA)),
        ("ночью было холодно", Resolved()),
    ],
)
def test_whom_a_statement_is_about(statement: str, meant: Resolved) -> None:
    """Nobody's dog is its teller's: where a verb of the first person could be a noun, it asks back."""
    found = subject(statement, SPEAKER, PEOPLE)
    assert (found.member, set(found.could_be)) == (meant.member, set(meant.could_be))


@pytest.mark.parametrize(
    ("said", "command"),
    [
        ("запомни пожалуйста, что Аня поёт", commands.Remember(statement="Аня поёт", language="ru")),
        ("запиши, что Аня поёт", commands.Remember(statement="Аня поёт", language="ru")),
        ("запонми, что Аня поёт", commands.Remember(statement="Аня поёт", language="ru")),
        ("запомни про Аню: она поёт", commands.Remember(statement="она поёт", subject="Аню", language="ru")),
        ("remember about Ann: she sings", commands.Remember(statement="she sings", subject="Ann")),
        ("remember please that Ann sings", commands.Remember(statement="Ann sings")),
        ("удали, что Аня поёт", commands.Forget(statement="Аня поёт", language="ru")),
        ("чё ты знаешь про Сергея", commands.Know(subject="Сергея", language="ru")),
        ("что ты занешь о Сергее", commands.Know(subject="Сергее", language="ru")),
        ("мой др 5 июля", commands.Remember(statement="мой др 5 июля", language="ru")),
        ("хватит шуток про меня", commands.SetJokes(wanted=False, language="ru")),
        ("шутки обо мне можно", commands.SetJokes(wanted=True, language="ru")),
        ("нет, я про Аню", commands.Meant(subject="Аню", language="ru")),
        ("не Сергей, а Аня", commands.Meant(subject="Аня", language="ru")),
        ("имел ввиду Аню", commands.Meant(subject="Аню", language="ru")),
        ("что ты умеешь делать?", commands.Help(language="ru")),
        ("что было, пока меня не было?", commands.CatchUp(language="ru")),
        ("часовой пояс Москва", commands.SetZone(name="Москва", language="ru")),
    ],
)
def test_what_is_asked(said: str, command: commands.Command) -> None:
    """By words that the help does not name."""
    assert grammar.parse_listed(said) == command


@pytest.mark.parametrize("said", ["я про то же", "не так, как вчера", "remember about the party: Ann brings cake"])
def test_what_is_not(said: str) -> None:
    """Talk stays talk, and a party is nobody."""
    found = grammar.parse(said)
    assert found is None or (isinstance(found, commands.Remember) and found.subject is None)


async def test_an_inflected_name_in_a_question(discord: Server) -> None:
    """Whoever it names is in the prompt."""
    misha, anna = (discord.discord.join(discord.guild, name) for name in ("Миша", "Аня"))
    await discord.ask(anna, "Бот, запомни, что я играю на виолончели")
    await discord.ask(misha, "Бот, когда у Ани концерт?")
    asked = next(a for a in reversed(discord.gemini.asked) if a.name == "A reply")
    assert "виолончели" in asked.sections["people"]


async def test_a_change_can_be_undone_after_a_question(discord: Server, dsn: str) -> None:
    """What was asked since changed nothing; "never mind" is about what was said last."""
    ann = discord.discord.join(discord.guild, "ann")
    await discord.ask(ann, "Bot remember that ann plays the cello")
    await discord.ask(ann, "Bot what do you know about me")
    assert await discord.ask(ann, "Bot never mind") == "Okay."
    assert "Undone" in await discord.ask(ann, "Bot undo")
    assert not await query(dsn, "SELECT 1 FROM facts")
    assert "nothing more here" in await discord.ask(ann, "Bot undo")


@pytest.mark.parametrize("told", ["Сергею нравится рок", "у Сергея есть кот", "Сергей любит рок"])
async def test_a_name_that_its_teller_alone_knows_is_known_in_every_case(discord: Server, dsn: str, told: str) -> None:
    """To them; to nobody else before its bearer confirms it."""
    ann, bob, other = (discord.discord.join(discord.guild, name) for name in ("ann", "bob", "gruzilkin"))
    await discord.ask(other, "hello")
    await discord.ask(ann, "Бот запомни, что gruzilkin это Сергей")
    assert "gruzilkin это Сергей" in await discord.ask(ann, "Бот что ты знаешь о Сергее?")
    assert "gruzilkin" not in await discord.ask(bob, "Бот что ты знаешь о Сергее?")
    await discord.ask(ann, f"Бот запомни, что {told}")
    kept = await query(dsn, "SELECT user_id FROM facts WHERE retired_at IS NULL ORDER BY fact_id")
    assert [row[0] for row in kept] == [other.id, other.id]
