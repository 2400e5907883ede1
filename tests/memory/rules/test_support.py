"""Whether a text says what another says."""

import pytest

from memory.rules import support


@pytest.mark.parametrize(
    ("one", "other", "same"),
    [
        ("ann plays chess", "ann is a chess player", True),
        ("ann lives in Berlin", "ann is living in Berlin", True),
        ("ann hates cats", "ann does not hate cats", False),
        ("<@1> is not home", "<@1> is home", False),
        ("ann loves tea", "ann loves tea and coffee", False),
        ("<@1> has 2 cats", "<@1> has 3 cats", False),
        ("<@1> beat <@2>", "<@2> beat <@1>", False),
        ("bob is taller than Tim", "Tim is taller than Bob", False),
    ],
)
def test_facts_in_other_words(one: str, other: str, same: bool) -> None:
    assert support.is_same(one, other) is same
    assert support.is_same(other, one) is same
