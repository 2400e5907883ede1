"""Sensitive matters in the scripts that join words, and the scripts that the lists know."""

from __future__ import annotations

import pytest

from memory.rules.content_policy import is_not_to_be_noted
from memory.rules.safety import is_readable, matter_of


@pytest.mark.parametrize("text", ["سرطان", "السرطان", "بسرطان", "وسرطان", "وبسرطان", "وبالسرطان", "كالسرطان"])
def test_letters_that_arabic_writes_before_a_word(text: str) -> None:
    """One or two of them, with the article or without."""
    assert matter_of(text) == "health"


@pytest.mark.parametrize("text", ["مسرطان", "سسرطان"])
def test_other_letters_make_another_word(text: str) -> None:
    """Only five letters are written so."""
    assert matter_of(text) is None


@pytest.mark.parametrize(
    ("text", "matter"),
    [
        ("I use RSA keys at work", None),
        ("пользуется операционкой Linux gOS", None),
        ("её ждёт операция", "health"),
        ("готовится к операциям на сердце", "health"),
        ("elle touche le RSA", "finances"),
        ("my clothes shrink in the dryer", None),
        ("my shrink told me to walk", "health"),
        ("the new version is coming out today", None),
        ("it is not out yet", None),
        ("she's not out yet", "sexuality"),
        ("she is coming out to her parents", "sexuality"),
        ("il a fait son coming out", "sexuality"),
        ("my zodiac sign is cancer", None),
        ("ann has cancer", "health"),
        ("je suis végétarienne depuis 2 ans", None),
        ("j'ai 14 ans et je joue aux échecs depuis 3 ans", "minor"),
        ("моей дочке уже 2 года", "minor"),
        ("мне уже 14 лет", "minor"),
        ("j'ai 14 ans", "minor"),
    ],
)
def test_ordinary_words_that_are_like_sensitive_ones(text: str, matter: str | None) -> None:
    """Keys, clothes, releases and how long something has been so are no matter of anybody's life."""
    assert matter_of(text) == matter


@pytest.mark.parametrize(
    ("text", "is_it"), [("", True), ("12", True), ("abcעבר", True), ("abcdעבר", True), ("abעבר", False)]
)
def test_a_script_that_the_lists_know(text: str, is_it: bool) -> None:
    """Half of the letters at the least."""
    assert is_readable(text) == is_it


@pytest.mark.parametrize(
    ("text", "is_it"),
    [
        ("dealt with wireless that does not connect", False),
        ("dealt mit Speed", True),
        ("Max dealt", True),
        ("dealt with drugs in Berlin", True),
        ("told in the menu that ann has cancer on the far right", True),
        ("is on the far right", True),
        ("supports the far right rather than the far left", True),
    ],
)
def test_words_that_mean_something_else_in_talk_about_machines(text: str, is_it: bool) -> None:
    """English "dealt with" is no German dealer, and a desktop has a far right."""
    assert is_not_to_be_noted(text) == is_it
