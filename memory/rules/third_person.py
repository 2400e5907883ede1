"""Puts a plain statement about oneself in the third person, where the grammar is certain (seed 003). Pure.

Without AI, "I play chess" becomes "plays chess", which follows a name. Anything less plain stays a quotation.
"""

from __future__ import annotations

import re
from functools import cache
from itertools import pairwise

from memory.rules.wordlists import table

_WORD = re.compile(r"[^\W_]+(?:['’][^\W_]+)*")


@cache
def _listed(name: str) -> frozenset[str]:
    return frozenset(table("third_person.toml")[name])


@cache
def _verbs(name: str) -> frozenset[str]:
    return frozenset(table("third_person.toml")["verbs"][name].split())


def predicate(statement: str) -> str | None:
    """What follows the speaker's name in the third person: " plays chess", "'s dog is old". None where it isn't certain
    what to write."""
    text = statement.strip()
    words = list(_WORD.finditer(text))
    if len(words) < 2 or words[0].start() > 0:
        return None
    plain = [_plain(word[0]) for word in words]
    if plain[0] in _listed("mine"):
        return None if _is_about_more(plain[1:]) else f"'s{text[words[0].end() :]}"
    instead = table("third_person.toml")["instead"]
    if plain[0] in instead:  # "I'm"
        return None if _is_about_more(plain[1:]) else f" {instead[plain[0]]}{text[words[0].end() :]}"
    if plain[0] not in _listed("first"):
        return None
    at = next((n for n, word in enumerate(plain) if n and word not in _listed("adverbs")), None)
    verb = _of_third(plain[at]) if at is not None else None
    if at is None or verb is None or _is_about_more(plain[at + 1 :]):
        return None
    return f"{text[words[0].end() : words[at].start()]}{verb}{text[words[at].end() :]}"


def is_verb(word: str) -> bool:
    """Whether a word is one of the verbs that are known here, in any of their persons."""
    plain = _plain(word)
    bases = {plain, plain.removesuffix("s"), plain.removesuffix("es"), f"{plain.removesuffix('ies')}y"}
    instead = table("third_person.toml")["instead"]
    known = _verbs("base") | _verbs("past") | _verbs("same") | instead.keys() | set(instead.values())
    return plain in _BEING or bool(bases & known)


_BEING = frozenset(
    ["are", "is", "was", "were", "be", "been", "aren't", "isn't", "has", "have", "had", "got", "gets", "cost", "costs"]
)
"""Forms that the list of what is put in another person does not have."""


def _plain(word: str) -> str:
    return word.casefold().replace("’", "'")


def _is_about_more(words: list[str]) -> bool:
    """Whether words speak of the speaker again, or of what else they do, which would have to change as well."""
    if _listed("other") & set(words):
        return True
    acts = _verbs("base") | table("third_person.toml")["instead"].keys()
    pairs = pairwise(words)
    return any(one in _listed("joins") and (two in acts or two in _listed("adverbs")) for one, two in pairs)


def _of_third(verb: str) -> str | None:
    """A verb of the first person in the third; None where it isn't a known one."""
    if (known := table("third_person.toml")["instead"].get(verb)) is not None:
        return str(known)
    if verb in _verbs("past") or verb in _verbs("same"):
        return verb
    if verb not in _verbs("base"):
        return None
    if re.search(r"[^aeiou]y$", verb):
        return f"{verb[:-1]}ies"
    return f"{verb}es" if re.search(r"(?:s|x|z|ch|sh|o)$", verb) else f"{verb}s"
