"""Which links may be given, and how."""

from __future__ import annotations

import pytest

from memory.rules.safety.links import defused, has_disguised_link, invites_in, links_in


@pytest.mark.parametrize(
    ("text", "given", "told"),
    [
        ("see https://a.example/x, it helps", "https://a.example/x", "see <https://a.example/x>, it helps"),
        ("see <https://a.example/x> now", "https://a.example/x", "see <https://a.example/x> now"),
        ("see https://b.example/x, it helps", "https://a.example/x", "see [link], it helps"),
        ("[free](https://a.example/x)", "https://a.example/x", "[free] (<https://a.example/x>)"),
        ("come to discord.gg/abc", "discord.gg/abc", "come to [link]"),
    ],
)
def test_a_link_is_given_as_it_was_given(text: str, given: str, told: str) -> None:
    """Not live, behind nothing, and no invite."""
    assert defused(text, given) == told


@pytest.mark.parametrize(
    ("text", "is_it"),
    [
        ("my shop is prints dot shop", True),
        ("hxxps://a[.]example", True),
        ("http[:]//a.example", True),
        ("www.a-shop.example", True),
        ("a (dot) example", True),
        ("connect the dots", False),
        ("the dot net framework", True),
        ("le point de rencontre est la gare", False),
        ("at that point me and Ann left", False),
        ("a red dot in the middle", False),
        ("https://a.example", False),
    ],
)
def test_an_address_in_disguise(text: str, is_it: bool) -> None:
    """Every reader takes it for one, and no program; a plain link is found as a link."""
    assert has_disguised_link(text) == is_it
    assert not invites_in(text)
    assert bool(links_in(text)) == text.startswith(("https://", "hxxps://", "www."))
