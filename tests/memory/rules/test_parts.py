"""Several things in one text."""

import pytest

from memory.rules.parts import others_in, parts_of


def test_a_text_is_split_at_what_joins() -> None:
    assert parts_of("the dog and the frog, a boat") == ["the dog", "the frog", "a boat"]
    assert parts_of("the dog") == ["the dog"]


@pytest.mark.parametrize(
    ("fact", "request_words", "left"),
    [
        ("I do judo and theo tennis", "that I do judo", ["theo tennis"]),
        ("я из питера, а kim из москвы", "что я из питера", ["kim из москвы"]),
        ("I do judo but theo hates it", "the judo", ["theo hates it"]),
        ("bob and kim like sushi", "that I like sushi", ["bob"]),
        ("I do judo and theo tennis", "judo and tennis", []),
        ("I do judo and theo tennis", "my boat", []),
        ("I do judo", "that I do judo", []),
    ],
)
def test_what_a_request_does_not_name_is_left(fact: str, request_words: str, left: list[str]) -> None:
    """Nothing is, if the request has no word of the fact: then it is about another one."""
    assert others_in(fact, request_words) == left
