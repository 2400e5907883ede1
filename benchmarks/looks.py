"""How long one look at a hostile text of 4,000 characters takes: each function and its slowest text.

python -m benchmarks.looks

The exit code is 1 where one takes more than 20 ms of the processor. That nothing grows with the square of a text is
held by `tests/project/test_linear.py`.
"""

from __future__ import annotations

import sys

from tests.project.test_linear import HOSTILE, LOOKS, seconds

BUDGET = 0.020
"""Seconds that one look may take."""

REPEATS = 5
"""The quickest of so many counts."""


def main() -> None:
    slowest = []
    for name, look in LOOKS.items():
        look(HOSTILE["sentences"])
        spent = {}
        for text, written in HOSTILE.items():
            spent[text] = min(seconds(look, written) for _ in range(REPEATS))
        worst = max(spent, key=spent.__getitem__)
        slowest.append((spent[worst], name, worst))
    for spent_at_worst, name, worst in sorted(slowest, reverse=True):
        print(f"{spent_at_worst * 1000:6.1f} ms  {name}, at {worst}")
    sys.exit(max(slowest)[0] > BUDGET)


if __name__ == "__main__":
    main()
