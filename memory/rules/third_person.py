"""Puts a plain statement about oneself in the third person, where the grammar is certain (seed 003). Pure.

Without AI, "I play chess" becomes "plays chess", which follows a name. Anything less plain stays a quotation.
"""

from __future__ import annotations

import re
from functools import cache
from itertools import pairwise

from memory.rules.keywords import is_common
from memory.rules.names import is_given_name
from memory.rules.wordlists import listed_words, table

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
    if (joint := _joint().search(text)) is not None:  # "I like tea but I hate coffee"
        second = text[joint.end() :]
        if (
            _joint().search(second)
            or len(_WORD.findall(second)) < MIN_CLAUSE
            or not _listed("asides").isdisjoint(map(_plain, _WORD.findall(second)[:MAX_ASIDE]))
        ):
            return None
        parts = predicate(text[: joint.start()]), predicate(second)
        is_plain = all(part is not None and part.startswith(" ") for part in parts)
        return f"{parts[0]}{joint[1]}{parts[1]}" if is_plain else None
    words = list(_WORD.finditer(text))
    if len(words) < 2 or words[0].start() > 0 or _is_another(text):
        return None
    text = text[: words[0].end()] + _of_them(text[words[0].end() :])
    words = list(_WORD.finditer(text))
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


def _is_another(text: str) -> bool:
    """Whether a statement begins like "I am" and is in another language ("am 12. ist Party")."""
    return any(re.match(pattern, text, re.IGNORECASE) for pattern in table("third_person.toml")["others"])


MIN_CLAUSE = 3
"""Words of a clause of its own, at the least ("I love tea, I do" has none)."""

MAX_ASIDE = 4
"""Words at the beginning of a clause that may make it an aside ("I don't think so")."""


def _of_them(text: str) -> str:
    """A text behind "I" with "their" in place of "my", where it stands right behind the verb or words like "with".

    Behind anybody else it may be theirs ("Bob hates my dog"), and with a capital it is a name ("My Little Pony").
    """
    theirs, told, end = table("third_person.toml")["theirs"], "", 0
    for word in _WORD.finditer(text):
        before = [_plain(each) for each in _WORD.findall(text[: word.start()])]
        at = next((n for n, each in enumerate(before) if each not in _listed("adverbs")), len(before))
        is_own = all(each in listed_words("small.txt") for each in before[at + 1 :])
        if word[0] in theirs and is_own and text[word.end() :][:1] == " ":
            told, end = f"{told}{text[end : word.start()]}{theirs[word[0]]}", word.end()
    return told + text[end:]


@cache
def _joint() -> re.Pattern[str]:
    """What joins two things that a speaker says of themselves, each with "I"."""
    first = "|".join(re.escape(word) for word in (*_listed("first"), *_with_first()))
    joins = "|".join(_listed("turns"))
    return re.compile(rf"(,? (?:{joins})|,)(?= (?:{first})(?![\w'’]))", re.IGNORECASE)


def _with_first() -> list[str]:
    """ "I" and its verb in one word ("I'm")."""
    return [word for word in table("third_person.toml")["instead"] if word[0] == "i" and word in _listed("other")]


def together(statement: str, speaker: str) -> str | None:
    """A statement that begins with the speaker and somebody else, with `speaker` in place of the former ("Mia and I
    play chess"). None where more of it would have to change."""
    text = statement.strip()
    words = list(_WORD.finditer(text))
    plain = [_plain(word[0]) for word in words]
    at = next((at for at in (0, 2) if len(plain) > 3 and plain[at] in _listed("beside")), None)
    if at is None or plain[1] not in _listed("both") or _listed("other") & {*plain[:at], *plain[at + 1 :]}:
        return None
    other = words[2 - at]
    is_mention = text[: other.start()].endswith("<@") or text[: other.start()].endswith("<@!")
    if not (is_mention or is_given_name(other[0]) or (other[0][:1].isupper() and not is_common(other[0]))):
        return None
    return f"{text[: words[at].start()]}{speaker}{text[words[at].end() :]}"


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
