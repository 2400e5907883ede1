"""Sentences that were taken for another wish, and what they are."""

from __future__ import annotations

import pytest

from tests.builders import Server
from tests.urmom_bot.talk.test_put_right import known, talk
from urmom_bot.talk import grammar, people
from urmom_bot.talk.commands import Know, Meant, Reset, SetJokes


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        ("give us more jokes about me", True),
        ("mehr scherze über mich", True),
        ("más bromas sobre mí", True),
        ("больше шуток обо мне", True),
        ("stop joking about me", False),
        ("keine Witze mehr über mich", False),
        ("no más bromas sobre mí", False),
        ("больше никаких шуток обо мне", False),
    ],
)
def test_more_jokes_are_no_fewer(text: str, wanted: bool) -> None:
    found = grammar.parse(text)
    assert isinstance(found, SetJokes)
    assert found.wanted is wanted


@pytest.mark.parametrize(
    "text",
    [
        "no jokes about politics here",
        "haha the joke about me was the best",
        "i never joke about mondays",
        "der witz gestern über mich war klasse",
        "паспорт уже не у меня",
        "not going to the gym anymore",
    ],
)
def test_what_only_mentions_them_changes_nothing(text: str) -> None:
    assert not isinstance(grammar.parse(text), SetJokes | Reset)


def test_a_question_without_me_is_not_about_oneself() -> None:
    assert grammar.parse("do u know anything about raid") == Know(subject="raid", is_plain=True)


@pytest.mark.parametrize("text", ["I hate bob", "I love kim!"])
def test_what_one_does_to_somebody_means_nobody(text: str) -> None:
    assert not isinstance(grammar.parse(text), Meant)


@pytest.mark.parametrize("text", ["I said bob", "I meant bob"])
def test_whom_one_meant_is_meant(text: str) -> None:
    assert isinstance(grammar.parse(text), Meant)


@pytest.mark.parametrize(
    ("text", "is_said_to_it"),
    [
        ("bot il fait quoi theo", True),
        ("bot y a répète ce soir ?", True),
        ("bot its at bob's", True),
        ("bot il est cassé", False),
        ("bot lane is feeding again", False),
    ],
)
def test_the_bot_knows_when_it_is_meant(text: str, is_said_to_it: bool) -> None:
    assert (grammar.addressed(text, 0, ["bot"]) is not None) is is_said_to_it


@pytest.mark.parametrize(
    ("text", "is_own"),
    [
        ("moved to York last week", True),
        ("just adopted a cat", True),
        ("retired last year", True),
        ("retired generals meet on monday", False),
        ("moved to friday", False),
        ("moved to next monday", False),
        ("moved to june 3", False),
        ("started a poll about pizza", False),
    ],
)
def test_a_verb_without_its_subject_is_of_the_speaker(text: str, is_own: bool) -> None:
    assert people.speaks_of_oneself(text, "en") is is_own


@pytest.mark.parametrize("order", ["remember no pets allowed in the dorm", "запомни не звонить после 9"])
async def test_what_denies_nothing_that_is_known_is_not_of_the_speaker(discord: Server, dsn: str, order: str) -> None:
    await talk(discord, f"ann: {order}")
    assert await known(discord, dsn) == {}
