"""Fit the weights of each language to its examples: `python -m training [LANGUAGE...]`.

Reads `examples.jsonl` in the folder of a language, and writes `weights.json` beside it. An example has the `text`, with
the names of `MEMBERS` and of the bot, and the `wish`. `about` lists whom it is about ("me" is the speaker), and
`content` is what is to be kept or forgotten: empty where that is everything about them.
Needs `pip install -e '.[train]'`.
"""

from __future__ import annotations

import hashlib
import json
import re
import sys
from base64 import b64encode
from collections import Counter
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any
from zlib import compress

import numpy as np
from scipy.sparse import csr_matrix
from sklearn.linear_model import LogisticRegression

from urmom_bot.languages import languages
from urmom_bot.talk.likeness import (
    ABOUT,
    BOT,
    BUCKETS,
    NOT_ADDRESSED,
    SCALE,
    VERSION,
    WEIGHT_SCALE,
    KnownWords,
    Token,
    gap_features,
    tokens_of,
    word_features,
)

FOLDER = Path(__file__).parents[1] / "urmom_bot" / "languages"

MEMBERS = ("ann", "kate", "marcus", "sergey", "luna", "jake")
"""Who is in the server of the examples."""

STRENGTH = 60.0
"""How closely the wishes are fitted (the inverse of the penalty on weights)."""

SPAN_STRENGTH = 5.0
"""The same for the words that a wish is about."""

MIN_WEIGHT = 0.2
"""Weights of words nearer to zero than this are left out."""

LINE = 100
"""Signs in a row, where many weights are written as one text."""

ORDINARY = "question"
"""What is said to the bot and is no order. What an order tells is an example of it too: alone, it orders nothing."""

_NAME = re.compile(rf"@?(?<!\w)(?:{'|'.join(MEMBERS)})(?!\w)", re.IGNORECASE)
_BOT = re.compile(r"@?(?<!\w)(?:bot|бот)(?!\w)", re.IGNORECASE)
_MENTION = "<@7>"


def examples(language: str) -> list[dict[str, Any]]:
    """The examples of a language."""
    lines = (FOLDER / language / "examples.jsonl").read_text(encoding="utf-8").splitlines()
    return [json.loads(line) for line in lines]


def digest(language: str) -> str:
    """By which the weights of a language tell the examples that they were fitted to."""
    return hashlib.sha256((FOLDER / language / "examples.jsonl").read_bytes()).hexdigest()


def fit(language: str, sentences: Sequence[dict[str, Any]]) -> dict[str, Any]:
    """The weights of one language, as they are written."""
    read = [read for sentence in sentences for read in _read(sentence)]
    tokens = [tokens_of(text) for text, _, _ in read]
    counted = Counter(word for row in tokens for word in {token.text for token in row})
    vocabulary = KnownWords(frozenset(w for w, n in counted.items() if n > 1 and w[0].isalnum()))
    wishes = [wish for _, wish, _ in read]
    labels, biases, weights = _fit_wishes([vocabulary.wish_features(row) for row in tokens], wishes)
    return {
        "version": VERSION,
        "examples": digest(language),
        "wishes": labels,
        "biases": biases,
        "words": sorted(vocabulary.words),
        "of_knowing": sorted(vocabulary.words & _words_of_knowing(read)),
        "weights": weights,
        "spans": {
            kind: _fit_span(
                vocabulary,
                [
                    (row, span)
                    for row, (_, wish, span) in zip(tokens, read, strict=True)
                    if span and ABOUT.get(wish) == kind
                ],
            )
            for kind in sorted(set(ABOUT.values()))
        },
    }


def _words_of_knowing(read: Iterable[_Example]) -> set[str]:
    """The words of examples that ask what is known of somebody, and those around what other orders are about."""
    asked = [text for text, wish, _ in read if wish.startswith("know")]
    around = [text[: span[0]] + text[span[1] :] for text, wish, span in read if span and wish in ("remember", "forget")]
    return {token.text for text in (*asked, *around) for token in tokens_of(text)}


_Example = tuple[str, str, tuple[int, int] | None]
"""A text as the models see it, its wish, and where what the wish is about stands."""


def _read(sentence: dict[str, Any]) -> list[_Example]:
    """An example as it is written, and with the bot's name at the start: the bot reads a sentence either way."""
    wish, text = str(sentence["wish"]), str(sentence["text"])
    content = str(sentence.get("content", ""))
    if wish == "forget" and sentence.get("content") == "":
        wish = "forget_all"
    if wish in ("know", "forget_all"):
        names = list(_NAME.finditer(text))
        if sentence["about"] == ["me"]:
            wish += "_me"
        elif names:
            content = text[names[0].start() : names[-1].end()]
    if wish == "ordinary":
        return [_marked(said, ORDINARY, "") for said in (text, f"bot, {text}")]
    if wish == "meant":
        if sentence["about"] == ["me"]:
            wish += "_me"
        else:
            content = next(
                (found[0] for found in _NAME.finditer(text) if found[0].strip("@").lower() in sentence["about"]), ""
            )
    called = _BOT.search(text)
    found = [_marked(text, wish, content)]
    if called is not None and wish != NOT_ADDRESSED:
        rest = ", ".join(filter(None, (text[: called.start()].rstrip(" ,"), text[called.end() :].lstrip(" ,:"))))
        found.append(_marked(f"bot, {rest}", wish, content))
    found += [(f"{text[:begin]}{_MENTION}{text[end:]}", wish, None) for text, wish, (begin, end) in _with_span(found)]
    if content and wish in ("remember", "forget"):
        found += [_marked(f"bot, {content}", ORDINARY, ""), _marked(content, ORDINARY, "")]
    return list(dict.fromkeys(found))


def _with_span(found: list[_Example]) -> list[tuple[str, str, tuple[int, int]]]:
    return [(text, wish, span) for text, wish, span in found if span is not None]


def _marked(text: str, wish: str, content: str) -> _Example:
    start = text.find(content) if content else -1
    parts = (text[:start], content, text[start + len(content) :]) if start >= 0 else (text, "", "")
    before, within, behind = (_NAME.sub(_MENTION, _BOT.sub(BOT, part)) for part in parts)
    span = (len(before), len(before) + len(within.rstrip(" .!?"))) if start >= 0 else None
    return before + within + behind, wish, span


def _fit_wishes(rows: Sequence[set[int]], wishes: Sequence[str]) -> tuple[list[str], list[int], list[str]]:
    fitted = LogisticRegression(C=STRENGTH, max_iter=2_000).fit(_matrix(rows, BUCKETS, scaled=True), wishes)
    weights = np.rint(fitted.coef_.T * WEIGHT_SCALE).clip(-127, 127).astype(np.int8)
    packed = b64encode(compress(weights.tobytes(), 9)).decode()
    lines = [packed[at : at + LINE] for at in range(0, len(packed), LINE)]
    return list(map(str, fitted.classes_)), [round(b * SCALE) for b in fitted.intercept_], lines


def _fit_span(vocabulary: KnownWords, found: Sequence[tuple[Sequence[Token], tuple[int, int]]]) -> dict[str, Any]:
    words: list[tuple[list[str], bool]] = []
    starts: list[tuple[list[str], bool]] = []
    ends: list[tuple[list[str], bool]] = []
    for tokens, (begin, end) in found:
        row = vocabulary.plain(tokens)
        inside = [at for at, token in enumerate(tokens) if token.start >= begin and token.end <= end]
        if not inside:
            continue
        words += [(word_features(row, at), inside[0] <= at <= inside[-1]) for at in range(len(row))]
        starts += [(gap_features(row, at), at == inside[0]) for at in range(len(row))]
        ends += [(gap_features(row, at), at == inside[-1] + 1) for at in range(len(row) + 1)]
    return {"inside": _fit_binary(words), "start": _fit_binary(starts), "end": _fit_binary(ends)}


def _fit_binary(found: Sequence[tuple[list[str], bool]]) -> dict[str, int]:
    rows = [features for features, _ in found]
    columns = _columns(rows)
    fitted = LogisticRegression(C=SPAN_STRENGTH, max_iter=2_000)
    numbers = [{columns[feature] for feature in row if feature in columns} for row in rows]
    fitted.fit(_matrix(numbers, len(columns), scaled=False), [is_so for _, is_so in found])
    weights = {
        f: round(fitted.coef_[0, at] * SCALE) for f, at in columns.items() if abs(fitted.coef_[0, at]) >= MIN_WEIGHT
    }
    return {"": round(fitted.intercept_[0] * SCALE), **weights}


def _columns(rows: Iterable[Iterable[str]]) -> dict[str, int]:
    """The features that two rows have, each with its column."""
    counted = Counter(feature for row in rows for feature in set(row))
    return {feature: at for at, feature in enumerate(sorted(f for f, n in counted.items() if n > 1))}


def _matrix(rows: Sequence[set[int]], columns: int, *, scaled: bool) -> csr_matrix:
    values: list[float] = []
    places: list[int] = []
    ends = [0]
    for row in rows:
        places += sorted(row)
        values += [len(row) ** -0.5 if scaled else 1.0] * len(row)
        ends.append(len(places))
    return csr_matrix((values, places, ends), shape=(len(rows), columns))


def main() -> None:
    """Fit the weights of the languages that are named, or of all."""
    for language in sys.argv[1:] or languages():
        weights = fit(language, examples(language))
        written = json.dumps(weights, ensure_ascii=False, sort_keys=True, separators=(",", ":"))
        lines = re.sub(r'(?<=[\]\d"])(,"(?:[^"\\]|\\.)+":)', lambda found: "\n" + found[0], written)
        file = FOLDER / language / "weights.json"
        file.write_text(lines + "\n", encoding="utf-8")
        print(f"{language}: {len(weights['words'])} words, {file.stat().st_size // 1024} kB")


if __name__ == "__main__":
    main()
