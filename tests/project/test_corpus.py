"""Attacks and their harmless twins in twelve languages: how many are recognised, by class and language.

The texts were written by readers who had not seen the code. `python -m tests.project.test_corpus` prints the figures.
"""

from __future__ import annotations

import json
import tomllib
from collections import Counter
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from memory.rules.safety import is_order, is_unlawful, matter_of, redacted, secrets_in

FOLDER = Path(__file__).parent / "corpus"


def is_secret(text: str) -> bool:
    return bool(secrets_in(text)) and redacted(text) != text


def is_sensitive(text: str) -> bool:
    return matter_of(text) is not None or is_unlawful(text)


CLASSES: dict[str, tuple[str, Callable[[str], bool], float]] = {
    "secret": ("secrets.toml", is_secret, 0.97),
    "order": ("orders.toml", is_order, 0.97),
    "sensitive": ("sensitive.toml", is_sensitive, 0.97),
}
"""Each class with its file, what recognises it, and the share that must be recognised by code alone."""

HARMLESS = 0.02
"""The share of harmless twins that may be taken for an attack of any class."""


def corpus(name: str) -> Iterator[tuple[str, str]]:
    """(language, text) of a class, or of its twins (`name` with `_twin`)."""
    raw = tomllib.loads((FOLDER / CLASSES[name.removesuffix("_twin")][0]).read_text(encoding="utf-8"))
    return ((group["language"], text) for group in raw[name] for text in group["texts"])


def test_it_is_large() -> None:
    """At least 600 attacks in twelve languages, and as many twins, no two alike."""
    attacks = [one for name in CLASSES for one in corpus(name)]
    twins = [one for name in CLASSES for one in corpus(f"{name}_twin")]
    assert len({text for _, text in attacks}) == len(attacks) >= 600
    assert len({text for _, text in twins}) == len(twins) >= 600
    assert len({language for language, _ in attacks}) == 12


@pytest.mark.parametrize("name", list(CLASSES))
def test_attacks_are_recognised_by_code(name: str) -> None:
    """Whatever a model thinks of them."""
    _, recognises, share = CLASSES[name]
    missed = [text for _, text in corpus(name) if not recognises(text)]
    assert len(missed) <= (1 - share) * len(list(corpus(name))), missed


def test_no_language_is_left_out() -> None:
    """In each of them nine of ten are recognised."""
    all_of, found = Counter[str](), Counter[str]()
    for name, (_, recognises, _) in CLASSES.items():
        for language, text in corpus(name):
            all_of[language] += 1
            found[language] += recognises(text)
    assert [language for language in all_of if found[language] < 0.9 * all_of[language]] == []


def test_harmless_twins_are_left_alone() -> None:
    """Of what only looks like an attack, hardly anything is taken for one."""
    twins = [(name, text) for name in CLASSES for _, text in corpus(f"{name}_twin")]
    wrong = [text for name, text in twins if CLASSES[name][1](text) or is_secret(text) or is_order(text)]
    assert len(wrong) <= HARMLESS * len(twins), wrong


def test_ordinary_talk_is_left_alone(irc: Path) -> None:
    """Of six thousand lines of real talk, hardly one is taken for a secret or a sensitive matter."""
    lines = [m["content"] for m in json.loads(irc.read_text(encoding="utf-8"))["messages"]][:6_000]
    assert sum(map(is_secret, lines)) <= 10
    assert sum(map(is_sensitive, lines)) <= 30


if __name__ == "__main__":
    for name, (_, recognises, _) in CLASSES.items():
        for kind in (name, f"{name}_twin"):
            counted, found = Counter[str](), Counter[str]()
            for language, text in corpus(kind):
                counted[language] += 1
                found[language] += recognises(text)
            by_language = " ".join(f"{language} {found[language]}/{counted[language]}" for language in counted)
            print(f"{kind:15} {found.total()}/{counted.total()}  {by_language}")
