"""What somebody told just now, put right in their own words."""

import pytest

from urmom_bot.talk.rewording import reworded


@pytest.mark.parametrize(
    ("statement", "correction", "right"),
    [
        ("I play drums", "nah i play bass not drums", "I play bass"),
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
        ("j'aime le thé", "le café, pas le thé", "j'aime le café"),
        ("я люблю суши", "роллы а не суши", "я люблю роллы"),
        ("my name is ann", "I am not ann but luna", "my name is luna"),
    ],
)
def test_what_is_wrong_is_exchanged(statement: str, correction: str, right: str) -> None:
    """The rest of it stays."""
    assert reworded(statement, correction) == right


@pytest.mark.parametrize(
    ("statement", "said"),
    [
        ("I like tea", "not coffee but water"),
        ("I like tea", "tea or not tea"),
        ("I like tea", "why not"),
        ("I like tea", "not tea but me"),
        ("my cat is black", "no not black"),
        ("I have tea and more tea", "not tea but rice"),
        ("I have 2 cats and 3 dogs", "no, 4"),
        ("I have two cats", "no, I meant three cats"),
        ("I live in york", "not sure, maybe york"),
        ("I like tea", "no, I like coffee too"),
        ("I like tea", "no, do you like tea"),
        ("I like tea", "no, zoe likes tea"),
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
    assert reworded(statement, said) is None
