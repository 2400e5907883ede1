"""What people read is short: sentences of a length that everybody reads once, and a README of one screen and a half."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
PAGES = ("*.md", "docs/*.md", "docs/decisions/*.md", "benchmarks/README.md")
"""Everything that people read."""

MAX_MEAN, MAX_WORDS = 18, 40
"""Words of a sentence, on average and at the most."""

MAX_README = 600


def sentences(text: str) -> list[str]:
    """The sentences of a page; each point of a list, heading and cell of a table is at least one."""
    text = re.sub(r"```.*?```|!\[.*?\]\(.*?\)", "", text, flags=re.DOTALL)
    text = re.sub(r"\[([^\]]*)\]\([^)]*\)", r"\1", text)
    text = re.sub(r"`[^`]*`", "code", text)
    blocks = re.split(r"\n\s*\n|\n(?=\s*(?:[-*•#|]|\d+\.) ?)|(?<=\S) \| ", text)
    found = [part for block in blocks for part in re.split(r"(?<=[.!?])\s+", " ".join(block.split()))]
    cleaned = (re.sub(r"^[-*•#|\d. ]+", "", part).strip("| ") for part in found)
    return [part for part in cleaned if re.search(r"\w", part)]


def words(sentence: str) -> int:
    return len(re.findall(r"\w[\w'’-]*", sentence))


def pages() -> list[Path]:
    return sorted({path for pattern in PAGES for path in ROOT.glob(pattern)})


@pytest.mark.parametrize("page", pages(), ids=lambda path: path.name)
def test_sentences_are_short(page: Path) -> None:
    """18 words on average where a page has running text, and none above 40."""
    found = sentences(page.read_text(encoding="utf-8"))
    long = [sentence for sentence in found if words(sentence) > MAX_WORDS]
    running = [words(sentence) for sentence in found if words(sentence) > 4]

    assert not long
    assert sum(running) / len(running) < MAX_MEAN


def test_the_bots_own_sentences_are_short() -> None:
    """What it says and what its commands are called."""
    texts = (ROOT / "urmom_bot" / "languages" / "en" / "texts.ftl").read_text(encoding="utf-8")
    found = [
        re.sub(r"\{[^}]*\}", "x", sentence) for sentence in sentences(re.sub(r"^[\w-]+ =", "\n", texts, flags=re.M))
    ]

    assert not [sentence for sentence in found if words(sentence) > MAX_WORDS]


def test_settings_are_explained_in_short_sentences() -> None:
    """The comments of .env.example."""
    text = re.sub(r"^\w+=.*$", "\n", (ROOT / ".env.example").read_text(encoding="utf-8"), flags=re.M)
    found = sentences(re.sub(r"^# ?", "", text, flags=re.M))

    assert len(found) > 60
    assert not [sentence for sentence in found if words(sentence) > MAX_WORDS]


def test_a_long_sentence_is_seen() -> None:
    """In a point of a list, a cell of a table and a paragraph alike."""
    long = " ".join(["word"] * (MAX_WORDS + 1)) + "."
    for text in (long, f"- short\n- {long}", f"| short | {long} |", f"Short. {long} Short."):
        assert [words(sentence) for sentence in sentences(text)].count(MAX_WORDS + 1) == 1, text


def test_the_readme_is_a_screen_and_a_half() -> None:
    """What it is, a picture, why, how to try it, how to run it, and where to read on."""
    text = (ROOT / "README.md").read_text(encoding="utf-8")
    assert len(text.split()) <= MAX_README
    assert text.index("![") < text.index("## ")
