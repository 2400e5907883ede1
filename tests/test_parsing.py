"""From a model's text to a result."""

import pytest

from memory import AIUnusable
from memory.ai.parsing import Text, parse
from memory.ai.prompts import DayAnswer


@pytest.mark.parametrize(
    "text",
    [
        '{"members": [{"member": "u1", "summary": "Ann won.", "evidence": [1]}]}',
        '```json\n{"members": [{"member": "u1", "summary": "Ann won.", "evidence": [1]}]}\n```',
        'Sure! Here it is:\n{"members": [{"member": "u1", "summary": "Ann won.", "evidence": [1]}]}\nAnything else?',
        '{"note": 1} {"members": [{"member": "u1", "summary": "Ann won.", "evidence": ["1"]}]}',
        '{"members": [{"member": "u1", "summary": "Ann won.", "evidence": [1], "mood": "glad"}]}',
    ],
)
def test_fences_and_chatter_around_the_json_are_forgiven(text: str) -> None:
    """The first object that fits is taken, whatever stands around it."""
    found = parse(text, DayAnswer)

    assert [(m.member, m.summary, m.evidence) for m in found.members] == [("u1", "Ann won.", [1])]


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("", "empty"),
        ("I would rather not.", "no JSON"),
        ('{"members": [{"member": "u1", "summ', "breaks off"),
        ('{"people": []}', "members"),
        ('{"members": "none"}', "list"),
        ("[" * 50_000, "no JSON"),
        ('{"members":' * 5_000, "absurd|malformed"),
        ('{"members": [' + "9" * 5_000 + "]}", "absurd"),
    ],
)
def test_what_does_not_fit_says_why(text: str, problem: str) -> None:
    """An answer that cannot be used is an error that a repair can be asked for with."""
    with pytest.raises(AIUnusable, match=problem):
        parse(text, DayAnswer)


def test_plain_text_is_taken_as_it_is() -> None:
    """A result that is text needs no JSON."""
    assert parse(' {"a": 1} \n', Text).text == '{"a": 1}'
