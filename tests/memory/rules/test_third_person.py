"""A statement about oneself in the third person, without AI (seed 003)."""

import pytest

from memory.rules.third_person import predicate, together


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
        ("I ski", " skis"),
        ("I love my cat", " loves their cat"),
        ("I finally passed my driving test", " finally passed their driving test"),
        ("i dont work at Lidl anymore, im at Greggs now", " doesn't work at Lidl anymore, is at Greggs now"),
        ("I like tea but I hate coffee", " likes tea but hates coffee"),
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
        "my dog is old, I love him",
        "I hope Bob and I will marry",
        "I live in Rome, I think",
        "I love tea, I do",
        "I'm vegan, I'm told",
        "I watch My Little Pony",
        "I hate how Bob treats my sister",
        "I gave mia my number",
        "I use my.com",
        "am 12. ist Party",
        "I told Bob that I ski and that my dog bites me",
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


@pytest.mark.parametrize(
    ("said", "stored"),
    [
        ("mia and I play chess", "mia and <@1> play chess"),
        ("me and mia play in a band", "<@1> and mia play in a band"),
        ("<@2> and I are cousins", "<@2> and <@1> are cousins"),
        ("Mia und ich spielen Schach", "Mia und <@1> spielen Schach"),
        ("my sister and I love jazz", None),
        ("mia and I love my dog", None),
        ("mia told kim and I that bob left", None),
        ("I like tea and I ski", None),
        ("tea and I don't mix", None),
        ("nobody and I like it", None),
        ("heute und ich spiele schach", None),
        ("I and mia", None),
    ],
)
def test_who_speaks_of_themselves_and_somebody_else_is_named(said: str, stored: str | None) -> None:
    assert together(said, "<@1>") == stored
