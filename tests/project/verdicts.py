"""What each rule says of each text of the corpora, one line each: `python -m tests.project.verdicts` writes them anew.

The bounds of the corpora hold how good the rules are. A rule that changes what it says of a few texts stays within
them; here it shows, and whoever meant it writes the file anew and reads the difference.
"""

from __future__ import annotations

import json
import sys
import tomllib
from collections.abc import Iterator
from datetime import UTC, date, datetime
from pathlib import Path
from zlib import crc32

from memory.rules.content_policy import clean_answer, is_not_to_be_noted, keep_allowed_sentences, reason_to_reject
from memory.rules.folding import disguises, folded
from memory.rules.keywords import is_chatter, keywords, sentences_of
from memory.rules.questions import read
from memory.rules.safety import is_order, is_shaming, is_unlawful, matter_of, secret_spans
from memory.rules.safety.matters import is_readable
from memory.rules.statements import is_plain
from memory.rules.support import covered, is_faithful, names_of, numbers_of
from memory.rules.suppression import Fingerprints, Suppressed, Suppression
from memory.rules.text import clean, fit, readable, tokens
from tests.project.test_digests_attacked import CORPUS as DIGESTS
from tests.project.test_digests_attacked import outcome as digest
from tests.project.test_linear import HOSTILE
from tests.project.test_names_attacked import NAMES, SHAMING
from tests.project.test_proposals import CORPUS as PROPOSALS
from tests.project.test_proposals import outcome as proposal

FOLDER = Path(__file__).parent / "corpus"
FILE = FOLDER / "verdicts.tsv"
DAY = date(2026, 11, 10)
FINGERPRINTS = Fingerprints(bytes(32))

LOOKS = {
    "order": is_order,
    "order in an account": lambda text: is_order(text, in_account=True),
    "unlawful": is_unlawful,
    "shaming": is_shaming,
    "not noted": is_not_to_be_noted,
    "plain": is_plain,
}


def texts() -> Iterator[str]:
    """Every statement of the corpora, once each."""
    for name, kind in (("orders", "order"), ("secrets", "secret"), ("sensitive", "sensitive")):
        parts = tomllib.loads((FOLDER / f"{name}.toml").read_text("utf-8"))
        for part in (*parts[kind], *(one for other, more in parts.items() if other != kind for one in more)):
            yield from part["texts"]
    for name in ("statements", "statements_unseen"):
        for line in (FOLDER / f"{name}.tsv").read_text("utf-8").splitlines():
            yield line.split("\t")[-1]
    for line in (FOLDER / "taught.jsonl").read_text("utf-8").splitlines():
        yield json.loads(line)["statement"]


def of_statement(text: str) -> str:
    """What the rules say of one statement."""
    rest = (
        read(text, DAY),
        sentences_of(text),
        keep_allowed_sentences(text, text, DAY),
        folded(text),
        fit(clean(text), 40),
        tokens(text),
        readable(text, {}, {}),
        is_readable(text),
        sorted(names_of(text)),
        sorted(numbers_of(text, DAY)),
        disguises(text),
        covered(text, text[: len(text) // 2]),
        is_faithful(text, text[: len(text) // 2], text),
        is_chatter(text),
    )
    said = [
        *(name for name, look in LOOKS.items() if look(text)),
        str(matter_of(text) or ""),
        str(reason_to_reject(text) or ""),
        f"secrets {spans}" if (spans := secret_spans(text)) else "",
        f"keywords {' '.join(keywords(text))}",
        f"else {crc32(repr(rest).encode()):08x}",
    ]
    return "; ".join(part for part in said if part)


def forgotten() -> Iterator[tuple[str, str]]:
    """What is recognised of what was forgotten."""
    for line in (FOLDER / "forgotten.jsonl").read_text("utf-8").splitlines():
        case = json.loads(line)
        statement = FINGERPRINTS.of_statement(case["forgotten"], ignore=[case["subject"]])
        row = Suppression(suppression_id=1, user_id=1, statement=statement, created_at=datetime(2026, 1, 1, tzinfo=UTC))
        suppressed = Suppressed(FINGERPRINTS, [row], {})
        for text in (*case["again"], *case["survive"]):
            yield f"{case['forgotten']} / {text}", str(suppressed.tells(text, [1]))


def verdicts() -> Iterator[str]:
    """One line for each text: of what corpus, the text, and what is said of it."""
    for text in dict.fromkeys(texts()):
        yield _line("statement", text, of_statement(text))
    for text, said in forgotten():
        yield _line("forgotten", text, said)
    for case in PROPOSALS:
        yield _line("proposal", f"{case['action']} {case['statement']} / {case['message']}", proposal(case))
    for case in DIGESTS:
        yield _line("digest", case["drawn"]["text"], "kept" if digest(case) else "dropped")
    for case in SHAMING:
        yield _line("shaming", case["answer"], clean_answer(case["answer"], "", case["names"]))
    for case in NAMES:
        suppressed = Suppressed(FINGERPRINTS, [], {1: FINGERPRINTS.of_name(case["name"])})
        yield _line("name", f"{case['name']} / {case['text']}", str(suppressed.names(case["text"])))
    for name, text in HOSTILE.items():
        yield _line("hostile", name, f"secrets {secret_spans(text)}; {reason_to_reject(text)}"[:200])


def _line(corpus: str, text: str, said: str) -> str:
    return f"{corpus}\t{json.dumps(text, ensure_ascii=False)}\t{json.dumps(said, ensure_ascii=False)}"


if __name__ == "__main__":
    FILE.write_text("\n".join(verdicts()) + "\n", encoding="utf-8")
    print(f"{FILE}: read the difference before it is kept", file=sys.stderr)
