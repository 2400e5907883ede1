"""A clause whose verb stands last as a sentence: "(dass) ich keine Pilze mag" is "ich mag keine Pilze". Pure."""

from __future__ import annotations

import re
from functools import cache

from urmom_bot.languages import Clauses, languages


def as_sentence(statement: str, order: str, language: str) -> str:
    """A statement with its verb behind its subject, if an order tells it as a clause; else as it is.

    It is left alone wherever the language does not say how, or another verb could be meant.
    """
    clauses = languages()[language].grammar.clauses
    words = statement.split()
    if clauses is None or len(words) < 3:
        return statement
    bare = [word.strip(" ,.!;:").lower() for word in words]  # lower case keeps "ß"
    if bare[0] in clauses.leading:
        return statement
    behind = rf"(?<!\w)(?:{'|'.join(clauses.openings)}),?\s+{re.escape(words[0])}(?!\w)"
    is_joint = bare[1] == clauses.joint
    verbs = _words(language, "several" if is_joint or bare[0] in clauses.plurals else "one")
    verb, particle = _parted(bare[-1], verbs, clauses)
    if not verb and _is_plain(words, clauses) and bare[-1].endswith(_endings(clauses, bare[0])):
        verb = bare[-1]  # a clause ends with its verb, whatever verb it is
    first = 3 if is_joint else 2 if bare[0] in clauses.articles else 1
    if (
        not verb
        or verbs & {word for one in bare[:-1] for word in (one, f"{one}e")}
        or len(words) < first + 2
        or re.search(behind, order, re.IGNORECASE) is None
    ):
        return statement
    return " ".join([*words[:first], verb, *words[first:-1], *particle])


def _parted(word: str, verbs: frozenset[str], clauses: Clauses) -> tuple[str, tuple[str, ...]]:
    """A verb and what parts from it ("umziehe": "ziehe … um"); empty if it is none."""
    if word in verbs or f"{word}e" in verbs:  # "wohn", as people say it
        return word, ()
    parted = ((word.removeprefix(prefix), prefix) for prefix in clauses.prefixes if word.startswith(prefix))
    return next(((verb, (prefix,)) for verb, prefix in parted if verb in verbs or verb in clauses.parting), ("", ()))


def _is_plain(words: list[str], clauses: Clauses) -> bool:
    """Whether a clause has one subject of one word, no clause within it, and a verb of one part at its end."""
    bare = [word.strip(" ,.!;:").lower() for word in words]
    is_name = not (words[1][0].isupper() or bare[0].endswith("s") or bare[0] in (*clauses.articles, *clauses.plurals))
    is_one = not set(bare).intersection(clauses.within) and not any(word.endswith(",") for word in words)
    return is_name and is_one and words[-1].islower() and not bare[-1].startswith(clauses.prefixes)


def _endings(clauses: Clauses, subject: str) -> tuple[str, ...]:
    """How the verb of a subject ends, where that is one word."""
    return clauses.own_endings if subject == clauses.speaker else clauses.other_endings


@cache
def _words(language: str, name: str) -> frozenset[str]:
    clauses = languages()[language].grammar.clauses
    return frozenset(getattr(clauses, name).split()) if clauses is not None else frozenset()
