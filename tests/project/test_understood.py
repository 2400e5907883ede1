"""What people type is understood without AI: `python -m benchmarks.understanding` prints the figures."""

import pytest

from tests.wishes import LANGUAGES, ORDERS, score

FLOORS = {"en": (0.90, 0.67), "es": (0.87, 0.66), "fr": (0.83, 0.62), "ru": (0.86, 0.66)}
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
