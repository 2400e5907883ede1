"""The catalogues: the same texts in every language, none unused, plurals right."""

import re
from datetime import UTC, datetime
from pathlib import Path

import pytest
from fluent.syntax import FluentParser, ast, visitor

import urmom_bot
from memory import Forgotten, Member, Receipt, Viewer
from urmom_bot.languages import languages
from urmom_bot.talk import Texts, presenting

COUNTS = (0, 1, 2, 5, 21)

LONGEST = {"command": 100, "option": 100, "menu": 32, "form": 45, "field": 45, "button": 80, "presence": 120}
"""Characters that Discord takes of some kinds of texts."""


class Variables(visitor.Visitor):
    def __init__(self) -> None:
        self.found: set[str] = set()

    def visit_VariableReference(self, node: ast.VariableReference) -> None:
        self.found.add(node.id.name)


def catalogue(language: str) -> dict[str, set[str]]:
    """The names of the texts of a language, each with its variables."""
    text = languages()[language].texts
    found = {}
    for entry in FluentParser().parse(text).body:
        assert not isinstance(entry, ast.Junk), entry.content
        if isinstance(entry, ast.Message):
            assert entry.id.name not in found, f"{entry.id.name} is there twice"
            variables = Variables()
            variables.visit(entry)
            found[entry.id.name] = variables.found
    return found


@pytest.mark.parametrize("language", languages())
def test_every_language_has_the_same_texts_with_the_same_values(language: str) -> None:
    """None lacks one."""
    assert catalogue(language) == catalogue("en")


@pytest.mark.parametrize("language", languages())
@pytest.mark.parametrize("count", COUNTS)
def test_every_text_can_be_said_with_any_number(language: str, count: int) -> None:
    """It is whole, no longer than Discord takes, and shows nothing of how it is made."""
    for name, variables in catalogue(language).items():
        told = Texts(language)(name, **dict.fromkeys(variables, count))
        assert told
        assert told == told.strip()
        assert not re.search(r"[{}]|\u2068|\u2069|\$\w", told), (name, told)
        assert len(told) <= LONGEST.get(name.split("_")[0], 1_900), name


@pytest.mark.parametrize(
    ("language", "told"),
    [
        ("en", ("0 facts", "1 fact", "2 facts", "5 facts", "21 facts")),
        ("es", ("0 datos", "1 dato", "2 datos", "5 datos", "21 datos")),
        ("ru", ("0 фактов", "1 факт", "2 факта", "5 фактов", "21 факт")),
        ("fr", ("0 fait", "1 fait", "2 faits", "5 faits", "21 faits")),
    ],
)
def test_plurals(language: str, told: tuple[str, ...]) -> None:
    """As each language forms them."""
    for count, words in zip(COUNTS, told, strict=True):
        text = Texts(language)("show_facts", name="Ann", count=count, page=1, pages=1)
        assert re.search(rf"(?<!\d){words}\b", text), text


def test_no_text_is_unused_or_missing() -> None:
    """Each is named in the code, as a whole or by how it begins."""
    folder = Path(urmom_bot.__file__).parent
    files = [path for kind in ("*.py", "*.html") for path in folder.rglob(kind) if path.name != "grammar.py"]
    code = "\n".join(path.read_text(encoding="utf-8") for path in files)
    named = set(re.findall(r"[\"']([a-z][a-z0-9_]+)[\"']", code))
    begun = {*re.findall(r"f[\"']([a-z_]+_)\{", code), *re.findall(r"[\"']([a-z_]+_)[\"'] [+~]", code)}
    texts = catalogue("en")
    unused = [name for name in texts if name not in named and not any(name.startswith(start) for start in begun)]
    assert unused == []
    asked = re.findall(r"\btexts\(\s*[\"']([a-z0-9_]+)[\"'][,)]", code)
    assert [name for name in asked if name not in texts] == []


def test_a_missing_value_is_an_error() -> None:
    """As is a text that there is not."""
    with pytest.raises(KeyError):
        Texts("en")("know_nothing")
    with pytest.raises(KeyError):
        Texts("en")("no_such_text")


def test_what_is_no_count_is_put_in_as_it_is() -> None:
    """The number of a fact is no amount: it has no thousands; an amount has, as the language writes them."""
    assert "#12345 " in Texts("en")("fact_line", number=12345, fact="x", teller="y", date="z")
    assert "12,345 facts" in Texts("en")("show_facts", name="Ann", count=12_345, page=1, pages=1)
    assert re.search(r"12\s345 фактов", Texts("ru")("show_facts", name="Ann", count=12_345, page=1, pages=1))


@pytest.mark.parametrize(("left", "says"), [(0, "what I found about it"), (1, "not everything is gone")])
def test_what_a_second_search_still_finds_is_not_called_gone(left: int, says: str) -> None:
    """The first line says what the receipt says."""
    at = datetime(2026, 11, 10, tzinfo=UTC)
    receipt = Receipt(guild_id=1, user_id=2, action="forget", at=at, removed={"facts": 1}, found={"facts": left})
    viewer, bob = Viewer(guild_id=1, user_id=2), Member(guild_id=1, user_id=2, display_name="bob", username="bob")
    told = presenting.forgotten(viewer, Forgotten(receipt=receipt), bob, (), (), Texts("en"))
    assert says in told.text.split("\n")[0]
