"""The lists of words, read in one place: `memory/wordlists`, and what each folder of `memory/languages` adds to them.

A folder has any of the lists, under the same names. A new language is a new folder. Only rules of inflection name
languages besides: plurals in `keys.py`, cases of Russian names in `names.py`.
"""

from __future__ import annotations

import gzip
import tomllib
from collections.abc import Iterator, Mapping
from functools import cache
from importlib.resources import files
from typing import Any

from memory.rules.folding import folded


def texts(name: str) -> Iterator[str]:
    """A list as it is written, then what each language adds. Raises FileNotFoundError if nobody has such a list."""
    memory = files("memory")
    languages = sorted((memory / "languages").iterdir(), key=lambda folder: folder.name)
    found = [folder / name for folder in (memory / "wordlists", *languages) if (folder / name).is_file()]
    if not found:
        raise FileNotFoundError(name)
    for file in found:
        yield file.read_text(encoding="utf-8")


@cache
def by_language(name: str) -> Mapping[str, Mapping[str, Any]]:
    """A list with parts as each language has it, by the language's folder."""
    folders = (files("memory") / "languages").iterdir()
    found = {folder.name: folder / name for folder in folders if (folder / name).is_file()}
    return {code: tomllib.loads(file.read_text(encoding="utf-8")) for code, file in found.items()}


@cache
def packed_words(name: str) -> Mapping[str, frozenset[str]]:
    """A long list as each language has it, by the language's folder: one word a line, packed by gzip."""
    folders = (files("memory") / "languages").iterdir()
    found = {folder.name: folder / name for folder in folders if (folder / name).is_file()}
    return {code: frozenset(gzip.decompress(file.read_bytes()).decode().split()) for code, file in found.items()}


def lines(name: str) -> list[str]:
    """The lines of a list, without its comments."""
    return [line for text in texts(name) for line in text.splitlines() if line and not line.startswith("#")]


@cache
def listed_words(name: str) -> frozenset[str]:
    """The words of a list, folded."""
    return frozenset(folded(word) for line in lines(name) for word in line.split())


@cache
def table(name: str) -> Mapping[str, Any]:
    """A list with parts (TOML): what languages add is joined to the part of the same name."""
    found: dict[str, Any] = {}
    for text in texts(name):
        found = _joined(found, tomllib.loads(text))
    return found


def _joined(one: Any, other: Any) -> Any:
    if isinstance(one, dict):
        return one | {name: _joined(one[name], part) if name in one else part for name, part in other.items()}
    return f"{one}\n{other}" if isinstance(one, str) else [*one, *other]
