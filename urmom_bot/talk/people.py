"""Whom a name means: ids and names become people by code, never by a model's word. Pure."""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache, cached_property

from rapidfuzz import fuzz, process

from memory import AuthorKind, Member
from memory.ids import UserId
from memory.rules.dates import is_month, is_weekday
from memory.rules.folding import folded, surface
from memory.rules.keywords import is_common
from memory.rules.names import alias_given, in_latin, is_given_name, is_of_another_alphabet, is_thing, nominatives
from memory.rules.questions import of_oneself
from memory.rules.text import mentioned
from memory.rules.third_person import is_verb
from memory.rules.wordlists import listed_words, table
from urmom_bot.languages import Language, collect, languages

_NAME = r"[^\W\d_][\w'’-]{1,30}"


@cache
def _own_name() -> re.Pattern[str]:
    """What gives the speaker a name: "my name is Kat"."""
    is_name, after = "|".join(collect("speaker.name_is")), "|".join(collect("speaker.after_name"))
    return re.compile(
        rf"(?:{is_name})\s+({_NAME}(?: {_NAME})??)(?=$|[.,;!]|\s+(?:{after})\b)",
        re.IGNORECASE,
    )


MIN_NAME = 3
"""Letters of a name that is looked for in talk; shorter ones are words too often."""


@cache
def _no_names() -> frozenset[str]:
    """Words that may stand capitalised after "is" and are never a name."""
    return frozenset(collect("names.never"))


MIN_LIKENESS = 80
"""Of 100, how alike two names must be to be taken for one with a slip of the finger."""


@dataclass(frozen=True, kw_only=True)
class Resolved:
    """Who is meant: one `member`, or none; then `could_be` are the ones to ask back about.

    `is_exact` tells that it is the very name, and not only the start of one or one much alike.
    """

    member: Member | None = None
    could_be: tuple[Member, ...] = ()
    is_exact: bool = False


def resolve_name(name: str, speaker: Member, members: Mapping[UserId, Member]) -> Resolved:
    """Who `name` means: mention or id, the speaker, an exact name, a former one, the start of one, one much alike."""
    name = name.strip().strip("\"'“”«»").strip()
    if ids := mentioned(name):
        return Resolved(member=members.get(ids[0]), is_exact=True)
    wanted = name.lstrip("@").casefold()
    if not wanted:
        return Resolved()
    if of_oneself(wanted):
        return Resolved(member=speaker, is_exact=True)
    if wanted.isdecimal() and (named := members.get(UserId(int(wanted)))) is not None:
        return Resolved(member=named, is_exact=True)
    people = {u: m for u, m in members.items() if m.author_kind is AuthorKind.MEMBER}
    exact = [m for m in people.values() if wanted in (n.casefold() for n in m.names)]
    former = [m for m in people.values() if wanted in (n.casefold() for n in m.former_names)]
    starting = [m for m in people.values() if len(wanted) > 2 and any(n.casefold().startswith(wanted) for n in m.names)]
    by_name: dict[str, list[Member]] = {}
    for m in people.values():
        for n in m.names:
            by_name.setdefault(n.casefold(), []).append(m)
    close = (
        process.extract(wanted, by_name.keys(), scorer=fuzz.ratio, score_cutoff=MIN_LIKENESS) if len(wanted) > 3 else []
    )
    alike = list({m.user_id: m for name, *_ in close for m in by_name[name]}.values())
    sounds = {_sound(form) for form in (name, *nominatives(name.capitalize()))}
    inflected = [m for m in people.values() if any(_sound(n) in sounds for n in m.names)]
    for found in (list({m.user_id: m for m in (*exact, *former)}.values()), starting, alike, inflected):
        if len(found) == 1:
            return Resolved(member=found[0], is_exact=bool(exact))
        if found:
            return Resolved(could_be=tuple(found[:5]))
    return Resolved()


def _sound(name: str) -> str:
    """A name as it sounds, without the vowels it ends in: one for "Сергея" and "Sergey", for "Маркус" and "Marcus"."""
    plain = in_latin(name[:100]).casefold().strip(" @'\"")
    bare = plain.rstrip("aeiouyj'")
    return (bare if len(bare) > 1 else plain).translate(_ALIKE)


_ALIKE = str.maketrans({"c": "k", "q": "k", "w": "v", "x": "ks", "y": "i", "j": "i"})
"""Letters that stand for one sound in names of two alphabets."""


def spellings(name: str) -> list[str]:
    """A name as it is written, in Latin letters, and in Latin letters as a Russian case leaves it."""
    cases = [] if name.isascii() else nominatives(name.capitalize())[:2]
    return list(dict.fromkeys((name, *map(in_latin, (name, *cases)))))


_SPELLED = re.compile(r"[^\W\d_]{3,30}")

MAX_SPELLED = 20
"""Words of a message that are looked up in Latin letters at the most."""


def in_another_alphabet(text: str) -> list[str]:
    """The words of a text that another alphabet than the Latin may spell a name with, in Latin letters."""
    words = dict.fromkeys(word for word in _SPELLED.findall(text) if _may_spell_a_name(word))
    return [in_latin(word).capitalize() for word in list(words)[:MAX_SPELLED]]


def _may_spell_a_name(word: str) -> bool:
    """A short word that is written small and that parents call nobody is a thing ("лук" is an onion)."""
    is_name = word[0].isupper() or len(word) > MAX_THING or is_given_name(word) or is_given_name(in_latin(word))
    is_day = is_month(word) or is_weekday(word)
    return is_of_another_alphabet(word) and is_name and not is_day and not is_common(word)


MAX_THING = 5
"""Letters of a word that is no name unless it is written as one, at the most."""


def as_spelled(text: str, members: Mapping[UserId, Member]) -> dict[UserId, Member]:
    """Members with one more alias where a text spells their name in another alphabet ("боб" for bob)."""
    known: dict[str, set[UserId]] = defaultdict(set)
    for member in members.values():
        for name in member.names:
            known[name.casefold()].add(member.user_id)
    spelled = dict(members)
    for word in dict.fromkeys(_SPELLED.findall(text)):
        bearers = known[in_latin(word).casefold()] if _may_spell_a_name(word) else set[UserId]()
        if len(bearers) == 1 and not known[word.casefold()]:
            member = spelled[next(iter(bearers))]
            spelled[member.user_id] = replace(member, aliases=(*member.aliases, word))
    return spelled


MOST_ASKED = 5
"""People whom a question back names."""


def subject(statement: str, speaker: Member, members: Mapping[UserId, Member]) -> Resolved:
    """Whom a statement is about: what the first of `_RULES` says that applies.

    A name must be the very name, of three letters or more: a word that is much like one is no reason to store
    something about somebody.
    """
    look = _Look(statement, speaker, members)
    return next(found for rule in _RULES if (found := rule(look)) is not None)


@dataclass(frozen=True)
class _Look:
    """A statement, and what stands in it."""

    statement: str
    speaker: Member
    members: Mapping[UserId, Member]

    @cached_property
    def ids(self) -> tuple[UserId, ...]:
        """Whom it mentions."""
        return tuple(mentioned(self.statement))

    @cached_property
    def words(self) -> list[str]:
        return re.findall(r"[\w'’]+", self.statement.casefold().replace("’", "'"))

    @cached_property
    def people(self) -> list[Member]:
        return [m for m in self.members.values() if m.author_kind is AuthorKind.MEMBER]

    def named(self, *, aliases: bool = True) -> dict[UserId, Member]:
        """Those whose name stands anywhere in it."""
        text = self.statement.casefold()
        return {
            m.user_id: m
            for m in self.people
            for n in m.names
            if (aliases or n not in m.aliases)
            and len(n) >= MIN_NAME
            and _occurs(n, text)
            and not is_thing(self.statement, n)
        }

    @cached_property
    def within(self) -> dict[UserId, Member]:
        """The same, and where there is none, those whose name stands in it in another case."""
        return self.named() or {m.user_id: m for m in _inflected(self.statement, self.people)}


def _mention_at_start(look: _Look) -> Resolved | None:
    """1. The mention that it begins with."""
    begins = look.ids and look.statement.lstrip().startswith("<@")
    return Resolved(member=look.members.get(look.ids[0])) if begins else None


def _oneself_at_start(look: _Look) -> Resolved | None:
    """2. The speaker, where it begins with "I" or the like."""
    first = look.words[0] if look.words else ""
    is_own = not {first, first.split("'")[0]}.isdisjoint({*collect("speaker.begins"), "j", "i"})
    return Resolved(member=look.speaker) if is_own else None


def _name_at_start(look: _Look) -> Resolved | None:
    """3. The longest name that it begins with; an alias counts only if nobody is named by a name of their own."""
    text = look.statement.casefold()
    shortest = 1 if text.startswith("@") else MIN_NAME
    starts = [(n, m) for m in look.people for n in m.names if len(n) >= shortest and _begins(n, text.removeprefix("@"))]
    if not starts:
        return None
    longest = max(len(n) for n, _ in starts)
    found = list(dict.fromkeys(m for n, m in starts if len(n) == longest))
    by_alias = all(n in m.aliases for n, m in starts if len(n) == longest)
    others = [m for m in look.named(aliases=False).values() if m not in found] if by_alias else []
    if len(found) == 1 and not others:
        return Resolved(member=found[0])
    return Resolved(could_be=(*found, *others)[:MOST_ASKED])


def _name_in_another_case_at_start(look: _Look) -> Resolved | None:
    """4. The one whose name it begins with, in another case ("бобу нравится шаурма", "у боба есть кот")."""
    words = look.words[1:] if look.words and look.words[0] in collect("names.before") else look.words
    found = _inflected(words[0].capitalize(), look.people) if words else []
    return Resolved(member=found[0]) if len(found) == 1 else None


def _genitive_at_start(look: _Look) -> Resolved | None:
    """4b. The one whose name it begins with, with an s and no apostrophe ("kims birthday is in May")."""
    name = without_genitive(look.statement)
    if len(look.words) > 1 and is_verb(look.words[1]):  # "bills are due"
        return None
    found = [m for m in look.people if name and any(name == n.casefold() for n in m.names)]
    return Resolved(member=found[0]) if len(found) == 1 else None


def without_genitive(statement: str) -> str:
    """What may be the name in "kims birthday": the first of several words without its s. Empty where it has none."""
    first, _, rest = statement.strip().removeprefix("@").casefold().partition(" ")
    return first[:-1] if rest and first.endswith("s") and first.isalpha() and len(first) > MIN_NAME else ""


def _only_mention(look: _Look) -> Resolved | None:
    """5. The one person that it mentions."""
    return Resolved(member=look.members.get(look.ids[0])) if len(look.ids) == 1 else None


def _verb_of_speaker(look: _Look) -> Resolved | None:
    """6. Nobody, or a question back, where a verb of the speaker stands before a name.

    "Знаю Аню" is of the speaker, "собаку Ани" is not.
    """
    inflecting = _speaks_inflected(look.statement) if look.within else None
    if inflecting is None:
        return None
    if look.words[0].endswith(inflecting.speaker.surely):
        return Resolved()
    return Resolved(could_be=(look.speaker, *look.within.values())[:MOST_ASKED])


def _own_verb_before_a_name(look: _Look) -> Resolved | None:
    """6b. The speaker, where a verb of theirs stands before a name ("vivo con kim", "en mayo voy con kim").

    Where it begins, it may be any verb; "perro de kim" is none.
    """
    for code, language in languages().items() if look.within or look.ids else ():
        speaker = language.speaker
        is_verb_first = look.words[0].endswith(speaker.verb_endings) and speaks_of_oneself(look.statement, code)
        begins = is_verb_first and not set(look.words[1:2]).intersection(speaker.owning)
        if begins or not frozenset(speaker.verbs).isdisjoint(look.words[:MAX_BEFORE_VERB]):
            return Resolved(member=look.speaker)
    return None


MAX_BEFORE_VERB = 5
"""Words of a statement in which a verb of the speaker is looked for."""


def _oneself_anywhere(look: _Look) -> Resolved | None:
    """7. The speaker, where a first person stands in it; beside somebody's name it asks back."""
    words = [word for at, word in enumerate(look.words) if at == 0 or word != "im"]  # "im" is German too
    if not any(map(of_oneself, words)):
        return None
    others = [m for m in look.within.values() if m.user_id != look.speaker.user_id]
    return Resolved(could_be=(look.speaker, *others)[:MOST_ASKED]) if others else Resolved(member=look.speaker)


def _only_name(look: _Look) -> Resolved:
    """8. The one whose name stands in it; of several it asks back."""
    found = tuple(member for member in look.within.values() if not _is_spelled_small(member, look.statement))
    return Resolved(member=found[0]) if len(found) == 1 else Resolved(could_be=found[:MOST_ASKED])


def _is_spelled_small(member: Member, statement: str) -> bool:
    """Whether a statement has nothing of a member but a word that is written small in another alphabet.

    Within a sentence that is rather a word ("вера" is faith) than somebody ("vera").
    """
    text = statement.casefold()
    there = [name for name in member.names if re.search(rf"(?<!\w){re.escape(name.casefold())}(?!\w)", text)]
    return bool(there) and all(is_of_another_alphabet(name) and name[0].islower() for name in there)


_RULES: tuple[Callable[[_Look], Resolved | None], ...] = (
    _mention_at_start,
    _oneself_at_start,
    _name_at_start,
    _name_in_another_case_at_start,
    _genitive_at_start,
    _only_mention,
    _verb_of_speaker,
    _own_verb_before_a_name,
    _oneself_anywhere,
    _only_name,
)


def also_about(statement: str, speaker: Member, members: Mapping[UserId, Member]) -> tuple[list[Member], str]:
    """Everyone whom a statement begins with, where it surely names several ("bob and kim like sushi"); else nobody.

    What follows the names is returned too. Names stand between words for "and", and nothing but a name alone may have a
    comma before it ("bob, my boss, …").
    """
    both, either = frozenset(collect("names.both")) | {"&", "+"}, frozenset(collect("names.either"))
    before = frozenset(collect("names.before"))
    by_name: dict[str, set[UserId]] = {}
    for m in members.values():
        if m.author_kind is AuthorKind.MEMBER:
            for name in m.names:
                by_name.setdefault(name.casefold(), set()).add(m.user_id)
    words = statement.replace(",", " , ").split()
    found: list[UserId] = []
    at, joints = 0, set[str]()
    while at < len(words):
        if words[at].casefold() in before:  # "a bob y a kim les gusta el sushi"
            at += 1
            continue
        tries = [" ".join(words[at : at + n]).removeprefix("@").casefold() for n in range(1, MAX_NAME_WORDS + 1)]
        size, name = next(((n, one) for n, one in reversed([*enumerate(tries, 1)]) if one in by_name), (1, tries[0]))
        ids = set(mentioned(name)) if size == 1 else set()
        named = ids or ({speaker.user_id} if name in collect("names.oneself") else by_name.get(name, set()))
        if len(named) != 1 or (not ids and name not in collect("names.oneself") and len(name) < MIN_NAME):
            return [], ""
        found += named
        at += size
        joint = words[at].casefold() if at < len(words) else ""
        if joint in either or not joint or words[at][:1].isupper():  # "kim Kardashian" is another Kim
            return [], ""
        if joint not in {*both, ","}:
            break
        joints.add(joint)
        at += 1
    people = [members.get(user_id) or speaker for user_id in dict.fromkeys(found)]
    is_sure = len(people) > 1 and joints & both and at < len(words)
    return (people, " ".join(words[at:]).replace(" , ", ", ")) if is_sure else ([], "")


MAX_NAME_WORDS = 3
"""Words of a name at the most, where several people are named."""


def named_at_end(statement: str, speaker: Member, members: Mapping[UserId, Member]) -> list[Member]:
    """The several people whom a statement ends with that begins with a thing ("our mods are bob and kim")."""
    words = statement.strip(" .!").split()
    is_ours = bool(words) and words[0].casefold() in listed_words("ourselves.txt")
    if not is_ours and not is_about_no_person(statement):
        return []
    for at in range(2, min(len(words), MAX_BEFORE_NAMES)):
        several, rest = also_about(" ".join((*words[at:], "-")), speaker, members)
        if several and rest == "-":
            return several
    return []


MAX_BEFORE_NAMES = 12
"""Words at the most before the names that a statement ends with."""


def server_in(text: str) -> str | None:
    """The words of a text that call the server itself, such as "this server"; the longest, as they are written."""
    found = _server().search(text)
    return found[0] if found is not None else None


@cache
def _server() -> re.Pattern[str]:
    names = "|".join(re.escape(name) for name in sorted(collect("names.server"), key=len, reverse=True))
    return re.compile(rf"(?<!\w)(?:{names})(?!\w)", re.IGNORECASE)


def is_server(name: str) -> bool:
    """Whether a name means the server itself."""
    return " ".join(name.casefold().split()).strip(" .!?\"'“”«»") in collect("names.server")


def is_for_all(text: str) -> bool:
    """Whether an order is for the whole server, and says nothing of its speaker ("no jokes for everyone")."""
    ends = re.search(rf"(?<!\w)(?:{_everyone()})(?!\w)", text, re.IGNORECASE)
    return (server_in(text) is not None or ends is not None) and not any(map(of_oneself, text.split()))


def _names_time(text: str) -> bool:
    """Whether a text has a number or a weekday, as what is for everyone mostly has."""
    return any(word.isdecimal() or is_weekday(word) for word in re.findall(r"\d+|[^\W\d_]+", text))


def is_everyone(name: str) -> bool:
    """Whether a name is what stands behind "for", where a fact for the server begins ("for everyone")."""
    return any(phrase.split()[1:] == name.casefold().split() for phrase in collect("names.for_everyone"))


def is_for_everyone(order: str, statement: str) -> bool:
    """Whether an order says, before what is to be kept, that it is for the server ("note for everyone:")."""
    is_said = re.search(rf"(?<!\w)(?:{_everyone()}):?\s*\Z", order, re.IGNORECASE) is not None
    return is_said and _may_be_of_server(statement)


def _may_be_of_server(claim: str) -> bool:
    return is_about_no_person(claim) or (_names_time(claim) and not of_oneself(claim.split(maxsplit=1)[0]))


def about_server(statement: str) -> str | None:
    """What a statement says about the server, if it is meant for it ("for this server: …"); None elsewhere."""
    for part in (_begins_for_everyone(), _ends_for_everyone()):
        claim = part.sub("", statement, count=1)
        if claim == statement:
            continue
        if _may_be_of_server(claim):
            return claim
    bare = _bare_server().match(statement)  # "for the server the meeting is at 5"
    that = "|".join(collect("grammar.that"))
    behind = re.sub(rf"\A(?:{that}) ", "", statement[bare.end() :], flags=re.IGNORECASE) if bare is not None else ""
    is_meant = bare is not None and bare[0].strip().casefold() in collect("names.for_everyone")
    if behind and (is_about_no_person(behind) or (is_meant and not of_oneself(behind.split()[0]))):
        return behind
    head, *rest = _for_server().split(statement, maxsplit=1)
    is_meant = bool(rest) and (is_server(head.strip()) or is_server(head.strip().partition(" ")[2]))
    return rest[0].strip() or None if is_meant else None


@cache
def _everyone() -> str:
    return "|".join(re.escape(phrase) for phrase in sorted(collect("names.for_everyone"), key=len, reverse=True))


@cache
def _begins_for_everyone() -> re.Pattern[str]:
    that = "|".join(collect("grammar.that"))
    return re.compile(rf"\A(?:{_everyone()})(?:\s?[:,–-]\s?|\s)\s?(?:(?:{that})\s)?", re.IGNORECASE)


@cache
def _ends_for_everyone() -> re.Pattern[str]:
    return re.compile(rf"\s?[,;(–-]\s?(?:{_everyone()})\)?[.!]*\Z", re.IGNORECASE)


@cache
def _bare_server() -> re.Pattern[str]:
    """How a fact for the server begins, with a word such as "for" and no sign behind."""
    names = "|".join(re.escape(name) for name in sorted(collect("names.server"), key=len, reverse=True))
    return re.compile(rf"\w{{2,5}} (?:{names}) ", re.IGNORECASE)


@cache
def _for_server() -> re.Pattern[str]:
    """What stands between "for the server" and the fact."""
    that = "|".join(collect("grammar.that"))
    return re.compile(rf"[:,]\s*(?:(?:{that})\s)?|\s(?:{that})\s")


_TECHNICAL = re.compile(r"\w[./_]\w")
"""What makes a word no person's name: "asyncio.Queue", "docs/setup"."""


MAX_WORD = 100
"""Characters of a word that are looked at."""


def is_about_event(statement: str) -> bool:
    """Whether a statement begins with a thing of the server, such as "the meeting" or "movie night"."""
    begins = statement.strip().casefold()
    things = tuple(f"{word} " for word in collect("names.things") if len(word) > MAX_ARTICLE)
    first, _, rest = begins.partition(" ")
    is_thing = begins.startswith(things) or (first in table("words.toml")["articles"] and rest.startswith(things))
    return is_thing or _names_event(begins)


def _names_event(begins: str) -> bool:
    return _events().match(begins) is not None and not is_given_name(re.split(r"\W", begins, maxsplit=1)[0])


@cache
def _events() -> re.Pattern[str]:
    return re.compile("|".join(f"(?:{pattern})" for pattern in collect("names.events")) or "(?!)")


MAX_ARTICLE = 5
"""Letters of an article or a word like it at the most ("these", "every")."""


def is_about_no_person(statement: str) -> bool:
    """Whether a statement that names nobody begins like one about a thing ("the meeting is on Friday at 8")."""
    begins = statement.strip().casefold().replace("’", "'")
    first = begins.split(maxsplit=1)[0][:MAX_WORD] if begins else ""
    is_thing = _TECHNICAL.search(first) is not None or _things().match(begins) is not None
    return is_thing or _names_event(begins)


@cache
def _things() -> re.Pattern[str]:
    words = sorted({re.escape(word) for word in collect("names.things")}, key=len, reverse=True)
    return re.compile(rf"(?:{'|'.join(words)})(?:(?<=')|(?!\w))")


def _inflected(statement: str, members: Iterable[Member]) -> list[Member]:
    """The members whose name stands in a Russian statement in another case than the nominative."""
    meant = {name for word in re.findall(r"\w+", statement) for name in nominatives(word)}
    meant = {name.casefold() for name in meant} | {in_latin(name).casefold() for name in meant}
    return [m for m in members if any(name.casefold() in meant for name in m.names)] if meant else []


def in_cases(words: Sequence[str]) -> str:
    """Words, and the nominatives they may be cases of, as names in their own letters and in Latin ones."""
    forms = dict.fromkeys(form for word in words for form in (word.capitalize(), *nominatives(word.capitalize())))
    return ", ".join((*forms, *(in_latin(form).title() for form in forms)))


@cache
def _first_person(language: str) -> re.Pattern[str] | None:
    pattern = languages()[language].speaker.first_person
    return re.compile(rf"(?:{pattern})\b") if pattern else None


def speaks_of_oneself(statement: str, language: str | None = None) -> bool:
    """Whether a statement begins with a verb of the first person ("toco el violín"), in one language or any."""
    codes = languages() if language is None else [language]
    patterns = [_first_person(code) for code in codes]
    return any(pattern.match(statement.strip()) is not None for pattern in patterns if pattern is not None)


def begins_with_oneself(statement: str, language: str) -> bool:
    """Whether a statement begins with its speaker: "I", "my", or a verb of the first person."""
    first = re.match(r"[^\W_]+", statement.strip())
    begins = {re.split(r"['’]", word)[0] for word in languages()[language].speaker.begins}
    is_first = first is not None and first[0].casefold() in {*begins, "j"}
    return is_first or speaks_of_oneself(statement, language)


@cache
def all_own_words(language: str) -> re.Pattern[str]:
    """How a line ends that is about all its writer has ever said ("delete everything I told you")."""
    speaker = languages()[language].speaker
    everything = "|".join(sorted(speaker.everything, key=len, reverse=True))
    return re.compile(rf"(?<!\w)(?:{everything})[ ,]+{speaker.has_said}\W*$", re.IGNORECASE)


def _speaks_inflected(statement: str) -> Language | None:
    """The language of a statement about oneself, where a noun in it may end like the verb."""
    inflected = (language for language in languages().values() if language.speaker.surely)
    return next((language for language in inflected if speaks_of_oneself(statement, language.code)), None)


def distinct(members: Mapping[UserId, Member]) -> dict[UserId, str]:
    """A name for each that no other has: the one shown, with the username where two look alike.

    A webhook can take anybody's names: it and other bots are called what they are.
    """
    looks = {u: _look(m.display_name) for u, m in members.items()}
    shown = Counter(looks.values())
    names = {}
    for user_id, member in members.items():
        beside = [member.username] if shown[looks[user_id]] > 1 else []
        beside += [kind] if (kind := _KINDS.get(member.author_kind)) else []
        names[user_id] = f"{member.display_name} ({', '.join(beside)})" if beside else member.display_name
    return names


def _look(name: str) -> str:
    """A name as it looks: of two that look alike, one could be taken for the other."""
    return folded(surface(name)).strip()


_KINDS = {AuthorKind.WEBHOOK: "webhook", AuthorKind.BOT: "bot"}


def names(text: str, member: Member) -> bool:
    """Whether a text names a member, by id or by a name of theirs."""
    if member.user_id in mentioned(text):
        return True
    return any(len(n) >= MIN_NAME and _occurs(n, text.casefold()) for n in member.names)


def _begins(name: str, folded: str) -> bool:
    """Whether folded text begins with a name as a word."""
    rest = folded.removeprefix(name.casefold())
    return len(rest) < len(folded) and not re.match(r"\w", rest)


def _occurs(name: str, folded: str) -> bool:
    """Whether a name stands in folded text as a word; the plain look first, for there are many names."""
    name = name.casefold()
    return name in folded and re.search(rf"(?<!\w){re.escape(name)}(?!\w)", folded) is not None


def opening_name(statement: str) -> str:
    """What looks like somebody's name at the start of a statement that follows a verb; empty where nothing does."""
    first = re.match(r"(@?)([^\W\d_][\w'’-]{0,31})", statement)
    if first is None or first[2].casefold() in _no_names():
        return ""
    return first[2] if first[1] or first[2][0].isupper() else ""


def alias(statement: str, subject: Member, speaker: Member) -> str | None:
    """The other name that a statement gives, where its words alone show one ("gruzilkin is Sergey", "I'm called Kat").

    A single capitalised word after "is" may also be a nationality; that does no harm: it is one
    more word by which the person can be found.
    """
    if subject.user_id == speaker.user_id and (own := _own_name().match(statement.strip())):
        return own[1] if own[1].casefold() not in _no_names() else None
    for name in (f"<@{subject.user_id}>", f"<@!{subject.user_id}>", *subject.names):
        told = re.sub(rf"(?<!\w)@?{re.escape(name)}(?!\w)", f"<@{subject.user_id}>", statement, count=1, flags=re.I)
        if (given := alias_given(told)) is not None:
            return given if given.casefold() not in _no_names() else None
    return None


def with_genitive(statement: str, subject: Member) -> str | None:
    """A statement such as "bobs birthday" with its apostrophe; None where it does not begin with the subject's name."""
    for name in subject.names:
        if found := re.match(rf"@?{re.escape(name)}(?=s\s)", statement, re.I):
            return f"{found[0]}'{statement[found.end() :]}"
    return None


def with_apostrophe(statement: str, subject: Member) -> str:
    """A statement that begins with a name that owns something, written as English does ("bobs real name is …")."""
    for name in subject.names:
        if found := re.match(
            rf"@?{re.escape(name)}(?=s\s+(?:\S+\s+){{1,3}}(?:is|are|was|were|has|isn't|aren't)\s)", statement, re.I
        ):
            return f"{found[0]}'{statement[found.end() :]}"
    return statement
