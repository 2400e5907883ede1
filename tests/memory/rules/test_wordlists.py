"""The lists of words: shared ones, and what a language adds by being there."""

from __future__ import annotations

from pathlib import Path

import pytest

from memory.records import FactDomain
from memory.rules import wordlists
from memory.rules.dates import span_in
from memory.rules.folding import folded
from memory.rules.keys import domain_of


@pytest.fixture
def memory(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A package with lists of its own, and two languages."""
    monkeypatch.setattr(wordlists, "files", lambda _package: tmp_path)
    for folder in ("wordlists", "languages/aa", "languages/bb"):
        (tmp_path / folder).mkdir(parents=True)
    wordlists.listed_words.cache_clear()
    wordlists.table.cache_clear()
    yield tmp_path  # type: ignore[misc]
    wordlists.listed_words.cache_clear()
    wordlists.table.cache_clear()


def test_a_language_adds_words(memory: Path) -> None:
    """Shared ones stay; comments and the case of letters count nothing."""
    (memory / "wordlists/small.txt").write_text("# small words\nThe of\n")
    (memory / "languages/aa/small.txt").write_text("Été\n")
    assert wordlists.listed_words("small.txt") == {"the", "of", "ete"}


def test_a_list_may_be_of_languages_alone(memory: Path) -> None:
    """And one that nobody has is a mistake of whoever asks for it."""
    (memory / "languages/bb/own.txt").write_text("word")
    assert wordlists.lines("own.txt") == ["word"]
    with pytest.raises(FileNotFoundError, match=r"other\.txt"):
        wordlists.lines("other.txt")


def test_parts_of_the_same_name_are_joined(memory: Path) -> None:
    """Lists are, and texts, and the parts of parts; what only one has stays."""
    (memory / "wordlists/t.toml").write_text('a = ["x"]\ntext = "one"\n[part]\n1 = ["y"]\n')
    (memory / "languages/aa/t.toml").write_text('a = ["z"]\ntext = "two"\n[part]\n1 = ["v"]\n2 = ["w"]\n')
    assert wordlists.table("t.toml") == {"a": ["x", "z"], "text": "one\ntwo", "part": {"1": ["y", "v"], "2": ["w"]}}


def test_every_language_names_its_days() -> None:
    """The four languages of the bot have all twelve months, seven days and three words for days before today."""
    from datetime import date

    today = date(2026, 11, 24)  # a Tuesday
    for text, first in (
        ("what did we say on monday", date(2026, 11, 23)),
        ("¿qué dijimos el miercoles?", date(2026, 11, 18)),
        ("¿qué dijimos el miércoles?", date(2026, 11, 18)),
        ("qu'avons-nous dit avant-hier", date(2026, 11, 22)),
        ("что мы решили в среду", date(2026, 11, 18)),
        ("what happened in feb", date(2026, 2, 1)),
        ("en fevrier", date(2026, 2, 1)),
        ("5 мая", date(2026, 5, 5)),
        ("am 7. august", date(2026, 8, 7)),
        ("la semaine dernière", date(2026, 11, 16)),
        ("the day before yesterday", date(2026, 11, 22)),
    ):
        found = span_in(text, today)
        assert found is not None, text
        assert found[0] == first, text
    assert span_in("we march on", today) is None
    assert span_in("que hay en el mar", today) is None, "a month's short name is a word elsewhere"


def test_domains_are_the_same_everywhere() -> None:
    """The lists of keys and of words name domains that facts may have, and no word speaks for two of them."""
    assert domain_of("job") is FactDomain.WORK
    assert domain_of("whatever") is FactDomain.PERSONAL
    for name in ("keys.toml", "talk.toml"):
        domains = wordlists.table(name)["domains"]
        assert set(domains) <= set(FactDomain), name
        words = [word for listed in domains.values() for word in {folded(word) for word in listed}]
        assert sorted(words) == sorted(set(words)), f"{name}: {[w for w in words if words.count(w) > 1]}"
