"""How long one look at a hostile text of 4,000 characters takes: each function and its slowest text.

python -m benchmarks.looks
"""

from __future__ import annotations

import time

from tests.project.test_linear import HOSTILE, LOOKS

REPEATS = 5
"""The quickest of so many counts."""


def main() -> None:
    slowest = []
    for name, look in LOOKS.items():
        look(HOSTILE["sentences"])
        spent = {}
        for text, written in HOSTILE.items():
            best = float("inf")
            for _ in range(REPEATS):
                start = time.thread_time()
                look(written)
                best = min(best, time.thread_time() - start)
            spent[text] = best
        worst = max(spent, key=spent.__getitem__)
        slowest.append((spent[worst], name, worst))
    for seconds, name, worst in sorted(slowest, reverse=True):
        print(f"{seconds * 1000:6.1f} ms  {name}, at {worst}")


if __name__ == "__main__":
    main()
