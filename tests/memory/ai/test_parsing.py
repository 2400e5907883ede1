"""From a model's text to a result."""

import pytest

from memory.ai import AIUnusable
from memory.ai.parsing import Text, cleaned, parse
from memory.ai.prompts import Merged


@pytest.mark.parametrize(
    "text",
    [
        '{"members": [{"member": "u1", "context": "Ann won."}]}',
        '```json\n{"members": [{"member": "u1", "context": "Ann won."}]}\n```',
        'Sure! Here it is:\n{"members": [{"member": "u1", "context": "Ann won."}]}\nAnything else?',
        '{"note": 1} {"members": [{"member": "u1", "context": "Ann won."}]}',
        '{"members": [{"member": "u1", "context": "Ann won.", "mood": "glad"}]}',
    ],
)
def test_fences_and_chatter_around_the_json_are_forgiven(text: str) -> None:
    """The first object that fits is taken, whatever stands around it."""
    found = parse(text, Merged)

    assert [(m.member, m.context) for m in found.members] == [("u1", "Ann won.")]


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
        parse(text, Merged)


def test_plain_text_is_taken_as_it_is() -> None:
    """A result that is text needs no JSON."""
    assert parse(' {"a": 1} \n', Text).text == '{"a": 1}'


@pytest.mark.parametrize("sign", ["\x00", "\ud800", "\\u0000", "\\ud800", "\u202e"])
def test_what_a_model_writes_is_clean_where_it_enters(sign: str) -> None:
    """Law 12: a NUL or a lone surrogate, as it is or as an escape of JSON, in words, names of fields and lists."""
    found = parse(f'{{"members{sign}": [{{"member": "u{sign}1", "context": "An{sign}n won."}}]}}', Merged)

    assert [(m.member, m.context) for m in found.members] == [("u1", "Ann won.")]
    assert parse(f"hel{sign}lo" if len(sign) == 1 else "hello", Text).text == "hello"
    assert cleaned({f"a{sign}" if len(sign) == 1 else "a": [1, None, f"b{sign}" if len(sign) == 1 else "b"]}) == {
        "a": [1, None, "b"]
    }
