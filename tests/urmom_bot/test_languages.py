"""A language is a folder: nothing else names it."""

from __future__ import annotations

import re
import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest
from pydantic import ValidationError

import urmom_bot.languages
from urmom_bot.languages import DEFAULT, collect, languages
from urmom_bot.talk import Texts, commands, grammar, guess_language, guessing, people, texts, vocabulary

FOLDER = Path(urmom_bot.languages.__file__).parent


@pytest.fixture
def another(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """A language more, which is French under another name and with a sign of its own."""
    copied = tmp_path / "languages"
    shutil.copytree(FOLDER, copied, ignore=shutil.ignore_patterns("__pycache__"))
    folder = copied / "xx"
    shutil.copytree(copied / "fr", folder)
    file = folder / "language.toml"
    written = file.read_text(encoding="utf-8").replace('name = "Français"', 'name = "Xish"')
    file.write_text(written.replace('signs = ""', 'signs = "ŵ"'), encoding="utf-8")
    words = folder / "vocabulary.toml"
    words.write_text(words.read_text(encoding="utf-8").replace("retiens", "zork"), encoding="utf-8")
    monkeypatch.setattr("urmom_bot.languages.files", lambda _: copied)
    _forget_caches()
    yield folder
    monkeypatch.undo()
    _forget_caches()


def _forget_caches() -> None:
    for module in (urmom_bot.languages, grammar, guessing, people, texts, vocabulary):
        for function in vars(module).values():
            if hasattr(function, "cache_clear"):
                function.cache_clear()


def test_a_folder_more_is_a_language_more(another: Path) -> None:
    """It is spoken, understood and recognised."""
    assert list(languages()) == [
        DEFAULT,
        *sorted({*(path.name for path in FOLDER.iterdir() if len(path.name) == 2), "xx"} - {DEFAULT}),
    ]
    assert Texts("xx")("button_undo") == Texts("fr")("button_undo")
    assert grammar.parse("zork que j'aime le thé") == commands.Remember(statement="j'aime le thé", language="xx")
    assert guess_language("ŵ") == "xx"


def test_a_folder_that_lacks_something_is_told(another: Path) -> None:
    """What is wrong with it is said by its name, and not found out when somebody speaks to the bot."""
    file = another / "language.toml"
    file.write_text(re.sub(r"(?m)^confirmation = .*$", "", file.read_text(encoding="utf-8")), encoding="utf-8")
    with pytest.raises(ValidationError, match="confirmation"):
        languages()


def test_the_default_language_comes_first() -> None:
    """What several languages say alike is taken for it."""
    assert next(iter(languages())) == DEFAULT
    assert grammar.parse("reset") == commands.Reset(language=DEFAULT)


def test_no_code_names_a_language() -> None:
    """But the default one, and what is of a script rather than of a language."""
    codes = "|".join(set(languages()) - {DEFAULT})
    found = [
        f"{path.name}: {line.strip()}"
        for path in FOLDER.parent.rglob("*.py")
        if "stand_ins" not in path.parts
        for line in path.read_text(encoding="utf-8").splitlines()
        if re.search(rf"[\"'](?:{codes})[\"']", line)
    ]
    assert found == []


@pytest.mark.parametrize("part", ["requests.denials", "requests.polite", "speaker.begins", "names.never"])
def test_words_are_written_as_they_are_compared(part: str) -> None:
    """Without capitals."""
    assert [word for word in collect(part) if word != word.casefold()] == []
