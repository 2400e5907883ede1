"""What people type is understood without AI: `python -m benchmarks.understanding` prints the figures."""

import pytest

from tests.wishes import LANGUAGES, score

FLOORS = {"en": (0.92, 0.54), "es": (0.82, 0.62), "fr": (0.90, 0.52), "ru": (0.82, 0.66)}
"""The least share of the four wishes, of the open half and of the one that was kept aside."""


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("kept_aside", [False, True])
def test_as_much_is_understood_as_was(language: str, kept_aside: bool) -> None:
    """And hardly anything is taken for an order that is none, or for another wish."""
    found = score(language, kept_aside=kept_aside)
    assert found.share >= FLOORS[language][kept_aside]
    assert found.false_share <= 0.025
    assert len(found.inverted) <= 5
