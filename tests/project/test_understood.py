"""What people type is understood without AI: `python -m benchmarks.understanding` prints the figures."""

import re

import pytest

from tests.wishes import LANGUAGES, ORDERS, score, sentences
from urmom_bot.talk import guess_language

FLOORS = {"en": (0.87, 0.64), "es": (0.87, 0.66), "fr": (0.82, 0.61), "ru": (0.85, 0.65)}
"""The least share of the four wishes, of the open sentences and of those that were kept aside."""

MAX_INVERTED = 0.05
"""Of the wishes, how many may be taken for another one."""


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("kept_aside", [False, True])
def test_as_much_is_understood_as_was(language: str, kept_aside: bool) -> None:
    """And hardly anything is taken for an order that is none, or for another wish."""
    found = score(language, kept_aside=kept_aside)
    wishes = sum(found.total[wish] for wish in ORDERS)
    assert found.share >= FLOORS[language][kept_aside]
    assert found.false_share <= 0.04
    assert len(found.inverted) <= wishes * MAX_INVERTED


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_language_of_a_sentence_is_guessed(language: str) -> None:
    """Of those kept aside that have four words or more, the bot's name aside, 95 of 100."""
    texts = [
        re.sub(r"@?\b(?:Bot|Бот)\b", "", s["text"], flags=re.IGNORECASE) for s in sentences(language, kept_aside=True)
    ]
    long = [text for text in texts if len(re.findall(r"\w+", text)) >= 4]
    assert sum(guess_language(text) == language for text in long) >= 0.95 * len(long)
