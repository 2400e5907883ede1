"""A statement about oneself in the third person, without AI (seed 003)."""

import pytest

from memory.rules.third_person import predicate


@pytest.mark.parametrize(
    ("said", "stored"),
    [
        ("I play chess", " plays chess"),
        ("I'm a welder", " is a welder"),
        ("i’m from Oslo", " is from Oslo"),
        ("I am allergic to nuts", " is allergic to nuts"),
        ("I really don't like olives", " really doesn't like olives"),
        ("I never watch horror films", " never watches horror films"),
        ("I study physics in Graz", " studies physics in Graz"),
        ("I play the tuba and the cello", " plays the tuba and the cello"),
        ("I have two cats", " has two cats"),
        ("I've lived in Kyiv since 2019", " has lived in Kyiv since 2019"),
        ("I go to the gym on Mondays", " goes to the gym on Mondays"),
        ("I moved to Oslo in May", " moved to Oslo in May"),
        ("I can juggle", " can juggle"),
        ("I can't swim", " can't swim"),
        ("my dog is called Rex", "'s dog is called Rex"),
        ("My favourite colour is green", "'s favourite colour is green"),
    ],
)
def test_a_plain_statement_is_put_in_the_third_person(said: str, stored: str) -> None:
    """Words, numbers and names stay as they were said."""
    assert predicate(said) == stored


@pytest.mark.parametrize(
    "said",
    [
        "I love my cat",
        "I play chess and like tea",
        "I play chess and really like tea",
        "I flurble gadgets",
        "I think you are right",
        "my brother and I live in Oslo",
        "I'm sure we won",
        "play chess",
        "I",
        "",
        "chess: I play it",
        "“I play chess” is what I said",
        "juego al ajedrez",
        "I'd rather swim",
        "mine is green",
        "Ivan plays chess",
    ],
)
def test_anything_less_plain_stays_a_quotation(said: str) -> None:
    """Half a sentence in the third person would say something else."""
    assert predicate(said) is None
