"""What people ask the bot to remember, labelled: secret, order, sensitive, harmless, in four languages.

Written by readers who had not seen the code. The lists were widened with `statements.tsv` in sight, so its figures are
an upper bound; `statements_unseen.tsv` came afterwards, and nothing was changed for it: its figures are what the code
recognises without a model. `python -m tests.project.test_statements` prints both tables.
"""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import pytest

from memory import Why
from memory.rules.content_policy import reason_to_reject
from memory.rules.safety import is_unlawful, matter_of

FOLDER = Path(__file__).parent / "corpus"
LABELS = ("secret", "order", "sensitive", "harmless")


def statements(name: str) -> list[tuple[str, str, str]]:
    """(language, label, statement) of each line."""
    lines = (FOLDER / f"{name}.tsv").read_text(encoding="utf-8").splitlines()
    return [(language, label, text) for language, label, text in (line.split("\t") for line in lines)]


def judged(text: str) -> str:
    """What the code takes a statement for."""
    why = reason_to_reject(text)
    if why is Why.SECRET:
        return "secret"
    if why is Why.ORDER:
        return "order"
    return "sensitive" if why is not None or matter_of(text) is not None or is_unlawful(text) else "harmless"


def table(name: str) -> Counter[tuple[str, str]]:
    """How many statements of each label were taken for what."""
    return Counter((label, judged(text)) for _, label, text in statements(name))


def share(found: Counter[tuple[str, str]], label: str) -> float:
    """The share of a label that was taken for it."""
    return found[label, label] / sum(count for (of, _), count in found.items() if of == label)


def test_the_set_is_large() -> None:
    """400 statements and more, no two alike, each label in each language."""
    known = statements("statements")
    assert len({text for _, _, text in known}) == len(known) >= 400
    assert len({(language, label) for language, label, _ in known}) == 16


def test_statements_are_told_apart() -> None:
    """Secrets and orders 98 in 100, sensitive matters 95, and at most 3 in 100 harmless ones asked about or refused."""
    found = table("statements")
    assert share(found, "secret") >= 0.98
    assert share(found, "order") >= 0.98
    assert share(found, "sensitive") >= 0.95
    assert share(found, "harmless") >= 0.97


def test_statements_never_seen_before() -> None:
    """What the lists know of the next such set, without a model: a net with holes, and hardly a harmless one in it."""
    found = table("statements_unseen")
    assert share(found, "secret") >= 0.9
    assert share(found, "order") >= 0.5
    assert share(found, "sensitive") >= 0.7
    assert share(found, "harmless") >= 0.97


@pytest.mark.parametrize("name", ["statements", "statements_unseen"])
def test_no_mark_of_discord_is_a_secret(name: str) -> None:
    """No mention, emoji, moment or link to a message is refused, whatever its figures come to."""
    harmless = [text for _, label, text in statements(name) if label == "harmless" and "<" in text]
    assert len(harmless) >= 20
    assert [text for text in harmless if judged(text) == "secret"] == []


if __name__ == "__main__":
    for name in ("statements", "statements_unseen"):
        found = table(name)
        print(f"{name:22}" + "".join(f"{label:>11}" for label in LABELS))
        for of in LABELS:
            print(f"{of:>22}" + "".join(f"{found[of, taken]:>11}" for taken in LABELS))
