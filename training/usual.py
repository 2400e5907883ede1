"""List the usual words of English for `memory/rules/rare.py`: `python -m training.usual`.

The figures are those of wordfreq (Robyn Speer, CC BY-SA 4.0), which counted the words of books, news, subtitles,
Wikipedia, Twitter and Reddit until 2021. Needs `pip install -e '.[train]'`.
"""

from __future__ import annotations

import gzip
import re
from pathlib import Path

from wordfreq import iter_wordlist, zipf_frequency

FILE = Path(__file__).parents[1] / "memory" / "languages" / "en" / "usual.txt.gz"

USUAL = 2.4
"""How often a usual word occurs, at the least: as a power of ten, in a billion words."""


def main() -> None:
    """Write the words, in the order of the alphabet."""
    words = {word for word in iter_wordlist("en") if re.fullmatch(r"[a-z]{3,}", word)}
    usual = sorted(word for word in words if zipf_frequency(word, "en") >= USUAL)
    FILE.write_bytes(gzip.compress("\n".join(usual).encode(), 9, mtime=0))
    print(f"{len(usual)} words in {FILE}")


if __name__ == "__main__":
    main()
