"""What people type is understood without AI: `python -m benchmarks.understanding` prints the figures."""

import re
import tomllib

import pytest

from tests.wishes import COMMANDS_ASIDE, CORPUS, NO_WISHES, PARTS, languages_of, score, sentences
from urmom_bot.talk import commands, grammar, guess_language
from urmom_bot.talk.router import ORDERS

FLOORS = tomllib.loads((CORPUS / "floors.toml").read_text(encoding="utf-8"))
"""The least share of the four wishes, by part and language."""

PARTS_AND_LANGUAGES = [(part, language) for part in PARTS for language in languages_of(part)]

MAX_FALSE = {"examples": 0.035, "aside": 0.027, "latest": 0.026}
"""Of the sentences that are no order, how many may be taken for one; many examples were written to sound like one."""

MAX_INVERTED = {"examples": 0.011, "aside": 0.014, "latest": 0.014}
"""Of the sentences that are a wish, how many may be taken for another."""

STEPS = {"examples": 5, "aside": 1, "latest": 1}
"""Of so many sentences one is read, so that this takes seconds."""


@pytest.mark.parametrize(("part", "language"), PARTS_AND_LANGUAGES)
def test_as_much_is_understood_as_was(part: str, language: str) -> None:
    """And hardly anything is taken for an order that is none, or for another wish."""
    found = score(language, part, step=STEPS[part])
    assert found.share >= FLOORS[part][language]
    assert found.false_share <= MAX_FALSE[part]
    assert found.inverted_share <= MAX_INVERTED[part]


@pytest.mark.parametrize("language", languages_of(COMMANDS_ASIDE))
def test_the_smaller_commands_are_understood_as_they_were(language: str) -> None:
    """A new conversation, what was missed, jokes, who was meant, one's data; kept aside from what they were made of."""
    found = score(language, COMMANDS_ASIDE)
    assert found.smaller_share >= FLOORS[COMMANDS_ASIDE][language]
    assert len(found.false_orders) <= MAX_FALSE_SMALLER


MAX_FALSE_SMALLER = 5
"""Of a hundred sentences in each language that are none, a third of them written to sound like one."""


MAX_COMMANDS, MAX_UNHEARD = 0.06, 0.13
"""Of questions about one thing that was said here, how many may be taken for a command, and for not said to the bot."""


def _may_be_carried_out(command: commands.Command | None) -> bool:
    """Whether a command is one, and if it asks what is known of somebody, of what may be a name."""
    return not isinstance(command, commands.Know | None) or (command is not None and " " not in command.subject)


QUESTIONS = CORPUS.parent / "questions"


@pytest.mark.parametrize("language", sorted(file.stem for file in QUESTIONS.iterdir()))
def test_a_question_about_one_thing_is_hardly_ever_a_command(language: str) -> None:
    """ "Which printer has Ann?" is answered; whatever else stands in it, it shows or changes nothing."""
    texts = (QUESTIONS / f"{language}.txt").read_text(encoding="utf-8").splitlines()
    asked = [grammar.addressed(text, 1, ("Bot", "Бот")) for text in texts]
    parsed = [grammar.parse(text) for text in asked if text is not None]
    assert asked.count(None) <= MAX_UNHEARD * len(texts)
    assert sum(map(_may_be_carried_out, parsed)) <= MAX_COMMANDS * len(texts)
    assert sum(isinstance(command, ORDERS) for command in parsed) <= 0.02 * len(texts)


@pytest.mark.parametrize("part", ["aside", "latest"])
def test_what_only_has_the_words_of_an_order_is_hardly_ever_one(part: str) -> None:
    """Two of a hundred, over all languages."""
    found = [score(language, part) for language in languages_of(part)]
    of_no_order = sum(one.total[kind] for one in found for kind in NO_WISHES)
    assert sum(len(one.false_orders) for one in found) <= 0.02 * of_no_order


@pytest.mark.parametrize("language", languages_of("aside"))
def test_the_language_of_a_sentence_is_guessed(language: str) -> None:
    """Of those kept aside that have four words or more, the bot's name aside, 95 of 100."""
    texts = [re.sub(r"@?\b(?:Bot|Бот)\b", "", s["text"], flags=re.IGNORECASE) for s in sentences(language, "aside")]
    long = [text for text in texts if len(re.findall(r"\w+", text)) >= 4]
    assert sum(guess_language(text) == language for text in long) >= 0.95 * len(long)
