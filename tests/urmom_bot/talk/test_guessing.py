"""Which language a message is in."""

from __future__ import annotations

import pytest

from urmom_bot.talk import Router, guess_language, guessing, surely
from urmom_bot.talk.guessing import MAX_LETTERS


@pytest.fixture
def weighed(monkeypatch: pytest.MonkeyPatch) -> None:
    """Words that weigh what their name says."""
    words = {"five": {"en": 5.0}, "four": {"es": 4.0}, "three": {"es": 3.0}, "none": {}}
    monkeypatch.setattr(guessing, "_weights", lambda: words)


@pytest.mark.parametrize(
    ("text", "language"),
    [
        ("five", "en"),
        ("five four", "en"),  # a quarter more
        ("four three five", "es"),
        ("five four none three four three", "es"),
        ("four five three three", "es"),
        ("none", None),
        ("", None),
    ],
)
@pytest.mark.usefixtures("weighed")
def test_a_language_must_lead_by_a_quarter(text: str, language: str | None) -> None:
    assert surely(text) == language


@pytest.mark.usefixtures("weighed")
def test_less_than_a_quarter_is_not_sure(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(guessing, "_weights", lambda: {"five": {"en": 4.9}, "four": {"es": 4.0}})
    assert surely("five four") is None
    assert guess_language("five four", "fr") == "fr"
    assert guess_language("five four") == "en"


@pytest.mark.usefixtures("weighed")
def test_only_the_beginning_of_a_long_text_is_read() -> None:
    assert surely("five ".ljust(MAX_LETTERS) + "four " * 10) == "en"
    assert surely("five ".ljust(MAX_LETTERS - 50) + "four " * 10) == "es"


def test_common_words_weigh_most_and_shared_ones_little() -> None:
    """A word of one language's lists weighs 1, a common one 2; shared by n languages, the square of n less."""
    weights = guessing._weights()
    assert weights["remember"] == {"en": 1.0}
    assert weights["hello"] == {"en": 2.0}
    shared = next(codes for word, codes in weights.items() if len(codes) == 2 and max(codes.values()) < 0.4)
    assert set(shared.values()) == {0.25}


def test_letters_of_its_own_decide_where_most_are() -> None:
    assert surely("remember that это моя кошка сидит") == "ru"
    assert surely("remember that Аня plays the lute") == "en"


@pytest.mark.parametrize(
    ("text", "usual", "language"),
    [
        ("a irene tb le sale genial la tortilla", None, "fr"),
        ("es tut mir leid", "es", "de"),
        ("a irene tb le sale genial la tortilla", "es", "es"),
        ("me gusta mucho la tortilla de patatas", "fr", "es"),
        ("que sais-tu de tom", "es", "fr"),  # a command is in its own language
        ("I really like that idea", "fr", "en"),
        ("мне нравится эта идея", "en", "ru"),
    ],
)
def test_a_mixed_message_is_in_the_usual_language_of_its_writer(text: str, usual: str | None, language: str) -> None:
    """Where its words could be either's; what is clearly another stays that."""
    assert Router.language(text, usual) == language
