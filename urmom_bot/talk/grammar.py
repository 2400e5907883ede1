"""Commands in plain words, understood without any AI: what each language says is in its folder. Pure."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, replace
from functools import cache, lru_cache
from itertools import islice
from types import MappingProxyType
from typing import TypeGuard

from rapidfuzz.distance import OSA

from memory.rules.dates import is_month, is_weekday
from memory.rules.house_rules import rule_language, rule_named_last
from memory.rules.likeness import has_phrase
from memory.rules.names import is_given_name
from memory.rules.questions import of_oneself
from memory.rules.support import is_turned
from memory.rules.third_person import is_verb, predicate
from memory.rules.wordlists import by_language, listed_words, table
from urmom_bot.languages import collect, languages
from urmom_bot.talk.commands import (
    CatchUp,
    Command,
    Forget,
    ForgetLast,
    Help,
    Hush,
    Know,
    Meant,
    Remember,
    Reset,
    SetJokes,
    SetZone,
    ShowPrivacy,
    ShowSettings,
    TakeBack,
    Thanks,
)
from urmom_bot.talk.guessing import has_all_words, surely
from urmom_bot.talk.likeness import (
    BOT,
    MIN_SHARE_IN_DOUBT,
    MIN_SHARE_OF_LAST,
    MIN_SHARE_OF_LAST_REPORTED,
    is_of_last,
    is_opposite,
    is_unlike,
    likely,
    orders_nothing,
)
from urmom_bot.talk.people import all_own_words, begins_with_oneself, is_about_event
from urmom_bot.talk.picking import means_last_two, several_numbers
from urmom_bot.talk.vocabulary import LAUGHTER, ONESELF, Order, look, vocabulary
from urmom_bot.talk.zones import is_zone

_FLAGS = re.IGNORECASE | re.DOTALL


_PLACES = {
    "%about%": r"(?P<who>[^:,]+?))?(?:[:,] (?P<what>.+))?",
    "%somebody%": r"(?P<who>(?!(?:the|this|that|my|our|то|это)\b)[^\s:,]{2,40}(?: [^\s:,]{1,40})?) ?: (?P<what>.+)",
    "%end%": r"[\s).!😂🤣😜😉]*$",
    "%close%": r"[\s).!]*$",
}
"""What the patterns of every language have in common."""


MAX_REPEATS = 5
"""How often a group of a pattern repeats at the most: a text of its words over and over must not take long."""

_REPEATED = re.compile(r"(?<=\))\*(?![+?])")


def _any_of(patterns: Iterable[str], parts: Mapping[str, str] = MappingProxyType({})) -> str:
    joined = "|".join(patterns) or "(?!)"
    for name, pattern in (*_PLACES.items(), *((f"%{name}%", part) for name, part in parts.items())):
        joined = joined.replace(name, pattern)
    return look(_REPEATED.sub(f"{{0,{MAX_REPEATS}}}", joined))


@cache
def _patterns(language: str, wish: str) -> tuple[re.Pattern[str], ...]:
    """How a wish is said in a language, as a whole message; the first that fits counts."""
    words = languages()[language].grammar
    return tuple(re.compile(_any_of([way], words.parts), _FLAGS) for way in getattr(words.wishes, wish))


@cache
def _everywhere(part: str) -> re.Pattern[str]:
    """What is found anywhere in a message, in any language."""
    return re.compile(_any_of(collect(part)), _FLAGS)


_SMILE = re.compile(
    r"(?<![\s,.!])[\s,.!]{0,4}(?:[\U0001F000-\U0001FAFF\u2600-\u27BF\uFE0F\u200D\u2764]+|(?<=\s)(?:[:;=]['’]?-?[)(DPpdo3/|]+|<3|\^_?\^|x[dD]+))\s*$"
)
"""Faces at the end of a message."""

_LEADING = re.compile(r"[^\w<@#\"“«„'’(/]+")
"""Faces and signs at the beginning of a message; anchored by `match`."""

TAIL = 60
"""Letters at the end of a message that may be faces, and letters before a name that are looked at."""


def cores(text: str) -> set[str]:
    """A message as it is, and without what each language has for polite around what it says."""
    return {text, *(_core(text, language)[0] for language in languages())}


@lru_cache(maxsize=1_000)
def _core(line: str, language: str) -> tuple[str, bool]:
    """A message without what is polite and what laughs around what it says; and whether it asked to do it."""
    line = line[found.end() :] if (found := _LEADING.match(line)) else line
    words = vocabulary(language)
    line, asks = words.without_lead(_without_faces(line))
    return _without_faces(words.without_tail(line)), asks


def _without_faces(line: str) -> str:
    start = max(0, len(line) - TAIL)
    cut = _SMILE.search(line[start:])
    line = line if cut is None or start + cut.start() == 0 else line[: start + cut.start()].rstrip()
    if not line.endswith((")", "(")):
        return line
    bare = line.rstrip("()").rstrip()  # "спасибо)))"
    return line if line.endswith(")") and line.count("(") >= line.count(")") else bare or line


def without_laughter(text: str) -> str:
    """A message without the faces and the laughter at its end; "I play lol" is about a game."""
    bare = _without_faces(text)
    cut = _LAUGHS.search(bare[-TAIL:])
    if cut is None:
        return bare
    before = bare[: len(bare) - len(cut[0])]
    words = before.split()
    is_all = not words or words[-1].casefold() in (*collect("vocabulary.unfinished"), *collect("vocabulary.naming"))
    return bare if is_all else without_laughter(before)


_LAUGHS = re.compile(rf"[\s,.!]{{1,4}}{LAUGHTER}[\s.!]{{0,4}}$", re.IGNORECASE)


_QUOTES = re.compile(r"[\"“«„][^\"”»“]{3,}[\"”»“]\W*\w")
"""How somebody begins who tells what another said."""


@cache
def _numbered() -> re.Pattern[str]:
    number = r"#|№|n[°ºor]?\.? ?|number |nummer |numéro |numero |número |номер "
    articles, facts = "|".join(table("words.toml")["articles"]), "|".join(collect("grammar.fact"))
    return re.compile(rf"(?:(?:{articles}) )?(?:(?:{facts}) )?(?:{number})?(\d{{1,12}})", re.IGNORECASE)


def addressed(
    text: str,
    bot_id: int,
    names: Iterable[str],
    *,
    in_talk: bool = False,
    bare_names: bool = True,
    is_person: Callable[[str], bool] = lambda _name: False,
) -> str | None:
    """What is said to the bot, without the address; None where it is not addressed by mention or name.

    A mention counts anywhere. A name counts at the start, as a word of its own: behind a greeting, before a comma or
    a colon, or before what is said to somebody ("Bot what …") or of somebody who `is_person` (by a name in small
    letters: "bot kim is …"), and not before what is said of something ("bot lane is …"); `in_talk` with the bot, before
    anything. Elsewhere it counts where what stands around it is a command or a question ("forget that, bot"). Without
    `bare_names`, it counts behind a greeting or before a sign alone.
    """
    text, called = text.strip(), frozenset(names)
    mention = _mention(bot_id)
    if mention.search(text):
        return " ".join(mention.sub(" ", text).split()).lstrip(_AFTER_NAME)
    if found := _start(called).match(text):
        rest = text[found.end() :]
        is_clear = bool(found["greeting"] or found["at"]) or not rest.strip() or rest.lstrip()[0] in ",:;!–—-"
        rest = rest.lstrip(_AFTER_NAME)
        if not is_clear and not in_talk and _compounds().match(look(rest)):
            return None
        if is_clear or in_talk or (bare_names and (is_said_to_somebody(rest) or is_person(_first_name(rest)))):
            return rest
    if not bare_names:
        return None
    within = _addressed_within(text, called)
    if within is not None and _is_no_order(parse_listed(within), _anywhere(called).sub(BOT, text)):
        return None
    return within or _addressed_by_wish(text, called)


def _first_name(text: str) -> str:
    """The first word of a text as a name in small letters, also where it owns something ("kim's")."""
    first = "".join(text.split(maxsplit=1)[:1]).strip(".,:;!?")
    return re.sub(r"['’]s?$", "", first).casefold()


@cache
def _compounds() -> re.Pattern[str]:
    """Words that make another thing of a bot ("bot lane")."""
    return re.compile(rf"(?:{look('|'.join(collect('address.compounds')))})(?!\w)", _FLAGS)


_AFTER_NAME = " \n\t,:;!–—-"

_AROUND = " \n\t,.:;!?…–—-¿¡()*_~\"'“”«»"
"""Signs around what a message says."""

MAX_WITHIN = 600
"""Letters of a message in which the bot's name is looked for elsewhere than at the start."""

MAX_PLACES = 3
"""How often the name is looked at in a message."""

MAX_BEFORE = 4
"""Words that may stand before the bot's name, where a command stands behind it."""


def _addressed_within(text: str, names: frozenset[str]) -> str | None:
    """What is said to the bot in a message that names it in its middle or at its end."""
    if len(text) > MAX_WITHIN:
        return None
    for found in islice(_anywhere(names).finditer(text), MAX_PLACES):
        before, behind = text[: found.start()].rstrip(), text[found.end() :]
        asked, after = before.rstrip(_AFTER_NAME), behind.lstrip(_AFTER_NAME)
        is_spoken_of = _no_address().search(look(before[-TAIL:])) is not None
        if asked and after and not is_spoken_of and each_order(f"{asked} {after}"):
            return f"{asked} {after}"  # "forget the bike bot and remember …"
        if asked and _is_polite(after):
            command = parse_listed(asked)
            is_certain = not isinstance(command, Remember | Forget) or _ends_in_pronoun(asked)
            if command is not None and (is_certain or not is_spoken_of):
                return asked
            is_said = is_said_to_somebody(asked) and (before.endswith(",") or is_question(asked))
            if not is_spoken_of and (is_said or _answers(asked)):
                return asked
        if asked and after and not is_spoken_of and _begins_order(asked):
            whole = f"{asked} {after}"  # "delete bot all about Kim"
            if isinstance(parse_listed(whole), Remember | Forget):
                return whole
        if after and len(before.split()) <= MAX_BEFORE and after[0] not in '"“«„':
            command = parse_listed(after)
            is_clear = not is_spoken_of or isinstance(command, TakeBack | ForgetLast)
            if is_clear and command is not None and not (isinstance(command, Remember) and not command.statement):
                return after
            if not is_spoken_of and _is_polite(asked) and is_said_to_somebody(after):
                return after
        if asked and after and not is_spoken_of:
            joints = (", ", " ") if behind[:1] == "," else (" ", ", ")
            for joined in (f"{before}{joint}{after}" for joint in joints):
                if isinstance(parse_listed(joined), Remember | Forget | TakeBack | ForgetLast | Know):
                    return joined
            if before.endswith(",") and behind[:1] in _ENDS_NAME and len(asked.split()) > 1:
                return f"{asked}{behind}"
    return None


def _addressed_by_wish(text: str, names: frozenset[str]) -> str | None:
    """What is said to the bot in a message that names it, where the whole is surely like a command."""
    if len(text) > MAX_LIKE or (found := _anywhere(names).search(text)) is None:
        return None
    before, behind = text[: found.start()].rstrip(), text[found.end() :].lstrip()
    is_called = not before or not behind or before[-1] in _BEFORE_NAME or behind[0] in _ENDS_NAME
    before, behind = before.rstrip(_AFTER_NAME), behind.lstrip(_AFTER_NAME)
    asked = ", ".join(filter(None, (before, behind)))
    named = _like(f"{text[: found.start()]}{BOT}{text[found.end() :]}", is_addressed=False, is_doubtful=not is_called)
    return asked if named is not None and type(parse(asked)) is type(named) else None


_BEFORE_NAME = tuple(",:;–—.!?…)")
"""Signs before a name that somebody is called by. Without one, or one behind, they may be spoken of."""

_ENDS_NAME = tuple(",.:;!?–—")
"""Signs behind a name that somebody is called by, with a comma before it."""


def _is_polite(text: str) -> bool:
    return any(vocabulary(language).is_polite(text) for language in languages())


def _answers(text: str) -> bool:
    """Whether a text agrees with what the bot was told, objects to it, or says that a plan has changed ("me too")."""
    if len(text.split()) > MAX_ANSWER:
        return False
    plain = {core.strip(_CLOSING + ",(:").replace("’", "'") for core in (*cores(text), text)}
    found = [match for pattern in _answering() for core in plain if (match := pattern.fullmatch(core)) is not None]
    return any(_is_closed(match) for match in found)


def _is_closed(answer: re.Match[str]) -> bool:
    """Whether an answer ends before the name of the bot: not "we cancelled the old" (bot)."""
    groups = answer.groupdict()
    if groups.get("new") or groups.get("now"):
        return any(is_weekday(word) or word[:1].isdigit() for word in re.findall(r"\w+", answer[0]))
    return groups.get("what") is None or answer.end("what") < answer.end()


MAX_ANSWER = 15
"""Words of such a text at the most."""

_ANSWERING = (
    *("likewise_me", "likewise", "confirming", "objecting", "bringing_back", "joking", "meant_oneself"),
    *("moving", "cancelling"),
)
"""The lists of what people answer, and of what they say when a plan changes."""


@cache
def _answering() -> tuple[re.Pattern[str], ...]:
    return tuple(re.compile(each, re.IGNORECASE) for name in _ANSWERING for each in collect(f"grammar.{name}"))


def begins_plainly(text: str) -> bool:
    """Whether a text begins as an order to keep something does ("remember that …")."""
    return any(vocabulary(language).begins_with_order(_core(text, language)[0], "keep") for language in languages())


def _keeps(text: str) -> bool:
    """Whether a text begins as an order to keep something does, also with a word that may order something else."""
    return any(vocabulary(code).begins_with_order(text, "keep", is_meant=True) for code in languages())


def _begins_order(text: str) -> bool:
    return any(vocabulary(language).begins_with_order(text, is_meant=True) for language in languages())


def _ends_in_pronoun(text: str) -> bool:
    """Whether the last word stands for what was said ("forget that", bot), and not before the name ("that bot")."""
    last = text.split()[-1].casefold()
    return last in collect("vocabulary.pronouns")


def is_said_to_somebody(text: str) -> bool:
    """Whether what stands behind the bot's bare name is said to it, and not of a bot ("bot lane is …")."""
    seen = look(text).lstrip(_AROUND)
    if parse_listed(text) is not None or seen.startswith("<@") or _opens().match(seen) or _you().search(seen):
        return True
    if _tells_of_bots().match(seen):
        return False
    return " " in text or text.endswith("?")


@cache
def _tells_of_bots() -> re.Pattern[str]:
    return re.compile(rf"(?:{look('|'.join(collect('address.tells_of_bots')))})(?!\w)", _FLAGS)


@cache
def _opens() -> re.Pattern[str]:
    return re.compile(rf"(?:{look('|'.join(collect('address.opens')))})(?!\w)", _FLAGS)


@cache
def _you() -> re.Pattern[str]:
    return re.compile(rf"(?<!\w)(?:{look('|'.join(collect('address.you')))})(?!\w)", _FLAGS)


@cache
def _no_address() -> re.Pattern[str]:
    return re.compile(rf"(?<!\w)(?:{look('|'.join(collect('address.not_after')))})\s*$", _FLAGS)


@lru_cache(maxsize=10_000)
def _anywhere(names: frozenset[str]) -> re.Pattern[str]:
    ways = "|".join(re.escape(name) for name in sorted(filter(None, names), key=len, reverse=True)) or "(?!)"
    return re.compile(rf"(?<![\w@#/’'-])(?:{ways})(?![\w'’/-])", _FLAGS)


@lru_cache(maxsize=100)
def _mention(bot_id: int) -> re.Pattern[str]:
    return re.compile(rf"<@!?{bot_id}>")


@lru_cache(maxsize=10_000)
def _start(names: frozenset[str]) -> re.Pattern[str]:
    """The beginning of what is said to somebody of these names, the longest first."""
    ways = "|".join(re.escape(name) for name in sorted(filter(None, names), key=len, reverse=True)) or "(?!)"
    greetings = "|".join(collect("greetings"))
    return re.compile(rf"(?P<greeting>(?:{greetings})[,.!]* )?(?P<at>@?)(?:{ways})(?![\w'’-])", _FLAGS)


@cache
def _asks() -> re.Pattern[str]:
    return re.compile(rf"\?\s*$|^\W*(?:{look('|'.join(collect('asking')))})\b", re.IGNORECASE)


@cache
def _between() -> re.Pattern[str]:
    return re.compile(rf",|&|\+|(?<!\w)(?:{'|'.join(collect('names.both'))})(?!\w)", re.IGNORECASE)


def each(subject: str) -> list[str]:
    """The names in "ann, kate and bob"."""
    return [name for part in _between().split(subject) if (name := part.strip())] or [subject]


def is_question(text: str) -> bool:
    """Whether a text asks something, in any language of the bot's."""
    return _asks().search(look(text.strip())) is not None


def _asks_nobody(text: str) -> bool:
    """Whether a text asks something, and has no word for whom it speaks to ("did Zoe remove the note?")."""
    return is_question(text) and _you().search(look(text)) is None


@cache
def _greeting() -> re.Pattern[str]:
    return re.compile(rf"(?:{look('|'.join(collect('greetings')))})(?:\W+\w+)?", _FLAGS)


def greets(text: str) -> bool:
    """Whether a message says hello, and nothing else."""
    return _greeting().fullmatch(look(text).strip(_AROUND)) is not None


def may_ask_of_people(text: str) -> bool:
    """Whether a text has words by which people ask what is known of somebody, in any language."""
    return any(vocabulary(language).may_ask_about(text) for language in languages())


def asks_the_bot(text: str, names: Iterable[str]) -> bool:
    """Whether a message only asks the bot something: it tells nothing, and would be found for the same question."""
    asked = addressed(text, 0, names)
    return asked is not None and is_question(asked)


@lru_cache(maxsize=1_000)
def parse(text: str) -> Command | None:
    """The command that `text` is, by the word lists or by its likeness to the examples; None where it is none."""
    command = _labelled(text) or _rule(text) or _of_numbers(text) or _parsed(text) or _appointment(text)
    is_drop = isinstance(command, Forget | ForgetLast) or (isinstance(command, TakeBack) and not command.drop)
    if is_drop and _everywhere("grammar.kept").search(look(text)):
        return None  # to do the opposite is worse than to do nothing
    if is_drop and any(re.search(pattern, text) for pattern in collect("grammar.forgot")):
        return None  # "olvidé …", which is "olvide …" without its accent
    if command is not None and (_is_needless(command, text) or _is_half(command, text)):
        return None
    if isinstance(command, Remember) and means_last_two(command.statement, command.language):
        return None  # "n'oublie pas les deux" tells nothing
    if isinstance(command, Forget) and (
        _means_last(command.statement) or _objects(command.statement, text) or _is_like_last(command, text)
    ):
        command = ForgetLast(language=command.language)
    if isinstance(command, TakeBack) and command.drop and len(text.split()) >= MIN_WORDS_OF_LAST:
        is_last = is_of_last(f"{BOT}, {text}", command.language, MIN_SHARE_IN_DOUBT)
        command = ForgetLast(language=command.language) if is_last else command
    if isinstance(command, ForgetLast):
        words = re.findall(r"\w+", text.casefold())
        return replace(command, message=any(word in words for word in collect("names.messages")))
    if (
        isinstance(command, Remember)
        and command.statement.casefold() in languages()[command.language].vocabulary.know.own
    ):
        return None  # "remember me" tells nothing
    if isinstance(command, Remember) and command.subject and command.statement:  # "remember of Kim that she sings"
        that = rf"(?:{_that(command.language)})\s+"
        command = replace(command, statement=re.sub(that, "", command.statement, count=1, flags=re.IGNORECASE))
    if isinstance(command, Remember) and _takes_itself_back(command.statement, command.language):
        return TakeBack(drop=True, itself=True, language=command.language)
    return command


def is_request(text: str) -> bool:
    """Whether a text begins by asking the bot to do something ("can you …")."""
    return any(_core(text, language)[1] for language in languages())


def _appointment(text: str) -> Remember | None:
    """An order to keep when or where something is ("remember the movie night is on Saturday").

    Without a date or a number it may as well be talk ("remember the Titans is a good film").
    """
    line = " ".join(text.split())
    if len(line) > MAX_SHORT or is_question(line) or _everywhere("grammar.unmeant").search(look(line)):
        return None
    for language in languages():
        core, _ = _core(line, language)
        rest = vocabulary(language).behind_order(core, "keep").strip(_CLOSING)
        words = [word.strip(",.!;:").casefold() for word in rest.split()]
        is_thing = bool(words) and words[0] in (*languages()[language].names.things, *collect("grammar.that"))
        is_thing = is_thing or is_about_event(rest)
        has_date = any(is_weekday(word) or is_month(word) or word[:1].isdigit() for word in words)
        states = any(re.fullmatch(p, word) for word in words[2:6] for p in languages()[language].grammar.stating)
        is_past = bool(
            set(words[1:3]) & set(languages()[language].grammar.pronouns + languages()[language].speaker.subjects)
        )
        if is_thing and has_date and states and not is_past:
            return Remember(statement=rest, language=language)
    return None


def _labelled(text: str) -> Remember | None:
    """An order to save a kind of fact and its value ("save my job: nurse", "save job = nurse")."""
    line = " ".join(text.split())
    if len(line) > MAX_SHORT or is_question(line) or not (":" in line or "=" in line):
        return None
    for language, words in by_language("words.toml").items():
        if language not in languages():
            continue
        saving, own = "|".join(languages()[language].grammar.saving), "|".join(words["own"])
        name = r"\w+(?: \w+)?"
        form = rf"(?:{saving}) (?:(?:{own}) (?P<own>{name})|(?P<label>{name})(?! ?: ?\d)) ?[:=] ?(?P<value>.+)"
        found = re.fullmatch(form, _core(line, language)[0], re.IGNORECASE)
        is_labelled = found is not None and (found["own"] or _is_label(found["label"], found["value"]))
        if found and is_labelled and not isinstance(parse_listed(found["value"]), Forget | ForgetLast | TakeBack):
            return Remember(statement=f"{found['own'] or found['label']}: {found['value']}", language=language)
    return None


def _is_label(label: str, value: str) -> bool:
    """Whether what stands before a colon names a kind of fact: no word is polite, a pronoun, or part of an address."""
    label_words = label.casefold().split()
    says_nothing = {*collect("vocabulary.pronouns"), *collect("grammar.fact"), *listed_words("small.txt")}
    says_nothing |= {*collect("names.things")}  # "everyone: cake at 5"
    is_polite = any(vocabulary(code).is_polite(word) for code in languages() for word in label_words)
    words = value.split()
    is_clause = len(words) > MAX_VALUE or any(map(is_verb, words[1:]))
    is_nothing = any(word in says_nothing or is_given_name(word) for word in label_words)
    return not (is_nothing or is_polite or is_clause or value[:1] in "/\\")


MAX_VALUE = 4
"""Words behind a kind of fact and a colon: more are a sentence, and tell something of their own."""


def _rule(text: str) -> Remember | None:
    """A rule of the server, told as one ("new rule: no spoilers")."""
    for code, language in languages().items() if ":" in text and not is_question(text) else ():
        core = _core(" ".join(text.split()), code)[0]
        value = core.partition(":")[2].strip()
        asks = any(re.match(rf"(?:{word})(?!\w)", value, re.IGNORECASE) for word in language.asking)
        is_told = len(value.split()) > 1 and not asks and rule_language(core) == code
        if is_told and not isinstance(parse_listed(value), TakeBack | Forget | ForgetLast):
            return Remember(statement=core, language=code)
    return None


def _of_numbers(text: str) -> Forget | None:
    """An order to forget facts by their numbers ("borra el número 2", "can you delete the #2 and the #4?")."""
    line = " ".join(text.split())
    for language in languages() if any(map(str.isdecimal, line)) else ():
        core, asks = _core(line, language)
        core = core.rstrip(f"{_CLOSING}?" if asks else _CLOSING)
        if len(core) > MAX_SHORT:
            continue
        rule = rule_named_last(core, language)
        if rule is not None and vocabulary(language).is_order(core.removesuffix(rule).strip(), "drop"):
            return Forget(statement=rule, language=language)  # "забудь правило 2"
        several = _SEVERAL_NUMBERS.search(core)
        order = f"{core[: several.start()]} {core[several.end() :]}".strip() if several is not None else ""
        is_of_several = several is not None and bool(several_numbers(several[0]))  # "#5 und #6 löschen"
        if several is not None and is_of_several and vocabulary(language).is_order(order, "drop"):
            return Forget(statement=several[0], language=language)
        found = _by_number().search(core)
        if found is not None and vocabulary(language).is_order(core[: found.start()].strip(), "drop"):
            return Forget(numbers=(int(found["number"]),), language=language)
    return None


_SEVERAL_NUMBERS = re.compile(r"#\d{1,12}(?:[^#]{1,12}#\d{1,12}){1,9}")


@cache
def _by_number() -> re.Pattern[str]:
    articles, facts = "|".join(table("words.toml")["articles"]), "|".join(collect("grammar.fact"))
    return re.compile(rf"(?<!\w)(?:(?:{articles}) )?(?:{facts}|#|№) ?(?P<number>\d{{1,12}})\Z", re.IGNORECASE)


def _takes_itself_back(statement: str, language: str) -> bool:
    """Whether words to be kept end with an interruption that drops them ("wait, that was private, bin that")."""
    pauses = list(islice(_everywhere("grammar.interrupting").finditer(look(statement)), MAX_PLACES))
    if not pauses or _is_said_by_another(statement[: pauses[-1].start()], language):
        return False
    last = re.split(r"[,.;:!?…]\s", statement[pauses[-1].end() :].strip(_CLOSING + ",;:"))[-1]
    if set(re.findall(r"\w+", last.casefold())) & set(collect("names.messages")):
        return False  # "… actually, delete my last message" is another order
    command = parse_listed(last.strip()) if last else None
    return isinstance(command, ForgetLast) or (isinstance(command, TakeBack) and command.drop)


MIN_WORDS_OF_LAST = 4
"""Words of a sentence that calls something off, and may name what was said ("forget I said anything")."""


def _is_needless(command: Command, text: str) -> bool:
    """Whether a message says that what it seems to order need not be done. A fact may say so of anything."""
    if _everywhere("grammar.needless").search(look(text)) is None:
        return False
    statement = command.statement if isinstance(command, Remember | Forget) else ""
    is_order = any(vocabulary(code).begins_with_order(_core(text, code)[0]) for code in languages())
    around = text.replace(statement, " ") if statement and (is_order or isinstance(command, Remember)) else text
    return _everywhere("grammar.needless").search(look(around)) is not None


def means_own_words(text: str) -> bool:
    """Whether a deletion is of what its writer said themselves ("delete what I said")."""
    return _own_words().search(text) is not None


@cache
def _own_words() -> re.Pattern[str]:
    subjects, saying = "|".join(collect("speaker.subjects")), "|".join(collect("grammar.saying"))
    return re.compile(rf"(?<!\w)(?:{subjects})\W+(?:\w+\W+){{0,2}}(?:{saying})(?!\w)", re.IGNORECASE)


def _objects(statement: str, text: str) -> bool:
    """Whether what is to be forgotten only says, before the order, that something is wrong ("that's a lie, delete
    it")."""
    sentence, plain = _sentence(text), statement.strip(" .!,").replace("’", "'")
    is_before = sentence.startswith(statement) and sentence[len(statement) :][:1] in _APART
    words = plain.casefold().split()
    points = bool(words) and words[0].partition("'")[0] in collect("vocabulary.pronouns")
    is_untrue = points and len(words) <= MAX_UNTRUE and has_phrase(plain, "untrue")
    return is_before and (
        is_untrue or any(re.fullmatch(each, plain, re.IGNORECASE) for each in collect("grammar.objecting"))
    )


MAX_UNTRUE = 3
"""Words at the most of what only says that something is untrue."""


def _is_half(command: Command, text: str) -> bool:
    """Whether a message gives another order beside a command: one about something else, or what comes in its place
    ("forget the karate and put aikido instead")."""
    if isinstance(command, Forget):
        order = _joints().split(command.statement, maxsplit=MAX_PLACES)[-1]
        bare = _in_exchange().sub("", order)
        is_in_place = order not in (command.statement, bare) and len(bare.split()) <= MAX_VERB
        keeps = order != command.statement and len(order.split()) > MAX_VERB and not each_order(text)
        return is_in_place or (keeps and _keeps(order))
    if not isinstance(command, Remember) or not command.statement or command.statement not in text:
        return False
    first, *others = re.split(r"[,.;!]", text.partition(command.statement)[0])
    return bool(others) and isinstance(parse_listed(first), Forget | ForgetLast) and not each_order(text)


def each_order(text: str) -> tuple[str, ...]:
    """The two orders of a message that gives one after the other ("forget my boat and remember that I fly"); else none.

    The second has a word such as "that" before what it tells, unless it comes in place of what the first deletes or
    takes back.
    """
    for joint in islice(_joints().finditer(text), MAX_PLACES):
        first, second = text[: joint.start()].rstrip(" ,;.!"), text[joint.end() :]
        if not first or any(sign in first for sign in _REPORTING):
            continue
        is_clear = any(vocabulary(language).begins_with_order(second) for language in languages())
        if not is_clear and not any(vocabulary(code).begins_with_order(second, is_meant=True) for code in languages()):
            continue
        second = _without_instead(second)
        one, two = parse(first), parse(second)
        is_of_last = isinstance(one, ForgetLast) and any(
            vocabulary(code).begins_with_order(_core(first, code)[0], "drop") for code in languages()
        )
        is_forgotten = is_clear and isinstance(one, Forget) and one.is_sure and not is_hearsay(first, one.language)
        is_new = is_forgotten and _says_that(second, two)
        if not is_of_last and not is_new and _everywhere("grammar.dependent").search(first):
            continue
        if not isinstance(two, _GIVEN) or not _tells(two):
            continue
        if isinstance(one, TakeBack) and not one.drop:
            return first, second
        if isinstance(one, ForgetLast) and is_clear and isinstance(two, Remember):
            return first, second
        if not isinstance(one, _GIVEN) or not _tells(one):
            continue
        is_exchange = is_clear and isinstance(one, Forget) and isinstance(two, Remember)
        if is_exchange or _says_that(second, two):
            return first, second
    return ()


def _says_that(order: str, command: Command | None) -> bool:
    """Whether an order has a word such as "that" before what it tells."""
    told = command.statement if isinstance(command, _GIVEN) else ""
    opening = set(re.findall(r"\w+", order.partition(told)[0].casefold())) if told else set[str]()
    return bool(opening & set(collect("grammar.that")))


def each_told(text: str, is_name: Callable[[str], bool]) -> tuple[tuple[str, Remember], ...]:
    """An order to keep several things as one for each, with what it says ("remember that Joe sings and Kim dances");
    none where it is not clear that each stands for itself.

    A part without "that" begins with the speaker, or with a name and a verb. What somebody says, thinks or hopes stays
    whole. So does what goes on about "he" or "it": alone it would be about nobody.
    """
    command = parse(text)
    if not isinstance(command, Remember) or command.subject or not command.statement:
        return ()
    before, _, behind = text.partition(command.statement)
    that = rf"(?<!\w)(?:{_that(command.language)})(?!\w)"
    pieces, has_that = _pieces(command, is_name)
    if not 1 < len(pieces) <= MAX_TOLD or (has_that and not re.search(rf"{that}['’]?\s*$", before, re.IGNORECASE)):
        return ()
    claims = [piece.partition(" ")[2] if is_name(piece.split()[0]) else piece for piece in pieces]  # Hope is a name
    if any(re.search(that, claim, re.IGNORECASE) or is_hearsay(claim, command.language) for claim in claims):
        return ()
    if any(is_turned(claim.split()[-1]) for claim in claims if claim):  # "Joy likes tea but Max doesn't"
        return ()
    pronouns = set(languages()[command.language].grammar.pronouns)
    if any(pronouns & set(re.findall(r"\w+", piece.casefold())) for piece in pieces[1:]):
        return ()
    orders = [f"{before}{piece.strip(' ,')}{'' if before else behind}" for piece in pieces]  # "…, remember that"
    told = [(order, kept) for order in orders if isinstance(kept := parse(order), Remember) and kept.statement]
    return tuple(told) if len(told) == len(pieces) else ()


def _pieces(command: Remember, is_name: Callable[[str], bool]) -> tuple[list[str], bool]:
    """What a statement tells, part by part, and whether one of them has its own "that"."""
    pieces, at, has_that = list[str](), 0, False
    for joint in islice(_told_joints(command.language).finditer(command.statement), MAX_PLACES):
        rest = command.statement[joint.end() :]
        part = command.statement[at : joint.start()]
        is_clause = not at and begins_with_oneself(part, command.language)  # "odio el té y kim lo ama"
        is_clause = is_clause or begins_clause(part, command.language, is_name)
        if joint["that"] is None and not (is_clause and begins_clause(rest, command.language, is_name)):
            continue
        pieces.append(part)
        at, has_that = joint.end(), has_that or joint["that"] is not None
    return [*pieces, command.statement[at:]], has_that


def words_told_of(statement: str, language: str) -> list[tuple[str, str]]:
    """The words of a statement that may name somebody it is about besides its subject, each behind the word before it.

    Those that begin another part of it ("Kim has a dog and Jo too"), and all in what somebody says, thinks or hopes:
    before these stands nothing.
    """
    if is_hearsay(statement.partition(" ")[2], language):
        return [("", word) for word in statement.split()[1:]]
    joints = islice(_told_joints(language).finditer(statement), MAX_PLACES)
    around = ((statement[: joint.start()].split(), statement[joint.end() :].split()) for joint in joints)
    return [(before[-1], behind[0]) for before, behind in around if before and len(behind) > 1]


def in_singular(claim: str, language: str) -> str | None:
    """What several people do, said of one, behind their name ("jouent de la basse": " joue de la basse"); None where
    the language's lists do not have the form."""
    verb, _, rest = claim.partition(" ")
    for plural, singular in languages()[language].grammar.singular:
        if re.fullmatch(plural, verb, re.IGNORECASE):
            return f" {re.sub(f'(?:{plural})$', singular, verb, flags=re.IGNORECASE)} {rest}"
    return None


def without_together(claim: str, language: str) -> str:
    """What several people do, without a word such as "both" that holds of no one alone."""
    words = "|".join(languages()[language].grammar.together)
    return re.sub(rf"(?<!\w)(?:{words})(?!\w) ?", "", claim, count=1, flags=re.IGNORECASE) if words else claim


def begins_clause(text: str, language: str, is_name: Callable[[str], bool]) -> bool:
    """Whether a text begins with a subject and its verb: the speaker, or somebody whose name `is_name`."""
    words = [word.strip(",.!;:") for word in text.split()]
    if len(words) < 2:
        return False
    if words[0].casefold().replace("’", "'").split("'")[0] in languages()[language].speaker.subjects:
        return True
    name, _, owns = words[0].replace("’", "'").partition("'")
    if not is_name(name):
        return False
    if owns:  # "Kim's got a cat"
        return words[1].casefold() in languages()[language].grammar.behind_is
    is_last = languages()[language].grammar.clauses is not None
    verbs = words[1:2] + (words[-1:] if is_last else [])
    patterns = languages()[language].grammar.stating
    return any(re.fullmatch(pattern, verb, re.IGNORECASE) for pattern in patterns for verb in verbs)


def _is_said_by_another(before: str, language: str) -> bool:
    """Whether a text ends in somebody's own words ("I told Bob no"), which go on behind it."""
    saying = "|".join(languages()[language].grammar.saying)
    return re.search(rf"(?<!\w)(?:{saying})(?:\W+\w+){{0,3}}\W*$", before, re.IGNORECASE) is not None


def is_hearsay(text: str, language: str) -> bool:
    """Whether a text is about what somebody says, thinks or hopes, or what may be."""
    return any(re.search(pattern, text, re.IGNORECASE) for pattern in languages()[language].grammar.reporting)


MAX_TOLD = 4
"""Things that one order tells at the most, each of which becomes a fact."""


@cache
def _that(language: str) -> str:
    """The words of a language that open a clause like "that", also as people shorten them, as a pattern."""
    words = languages()[language].grammar
    return "|".join((*words.clause, *(short for short, whole in words.shorts.items() if whole in words.clause)))


@cache
def _told_joints(language: str) -> re.Pattern[str]:
    """What stands between two things that an order tells: "and that", "and", "but" or a comma."""
    names, words = languages()[language].names, languages()[language].grammar
    both = "|".join((*(set(names.both) - set(names.either)), *words.contrasting))
    return re.compile(rf"(?:,? (?:{both})(?: (?P<that>{_that(language)})(?=['’ ])['’]?|(?= ))|,) ?", re.IGNORECASE)


_REPORTING = (*':"“”«»„', " '")
"""Signs behind which somebody else's words may stand."""

_GIVEN = (Remember, Forget)


def _tells(command: Remember | Forget) -> bool:
    """Whether an order says by itself what it is about."""
    return bool(command.statement) if isinstance(command, Remember) else bool(command.statement or command.numbers)


@cache
def _joints() -> re.Pattern[str]:
    """What stands between two orders: a word for "and", a full stop, a comma or a semicolon."""
    both = "|".join(set(collect("names.both")) - set(collect("names.either")))
    then = "|".join((*collect("grammar.also"), *collect("grammar.then")))
    alone = "|".join(collect("grammar.then"))
    return re.compile(rf"(?:,? (?:{both})|[.;!,]) (?:(?:{then}) )?| (?:{alone}) ", re.IGNORECASE)


def _without_repeats(text: str, language: str) -> str:
    """What is to be forgotten, with "about" said once ("про кошек и про собак")."""
    both, marks = "|".join(languages()[language].names.both), "|".join(languages()[language].grammar.subject_words)
    return re.sub(rf"(?<= )({both}) (?:{marks}) ", r"\1 ", text, flags=re.IGNORECASE) if marks else text


def without_placeholders(text: str, language: str) -> str:
    """What is to be forgotten, without "one" and "thing" behind it ("the bus one and the tea thing")."""
    both = "|".join(collect("names.both"))
    names = "|".join(languages()[language].grammar.placeholders)
    pattern = rf"(?<=[\w'’]) (?:{names})(?=$|,| (?:{both})(?!\w))"
    bare = re.sub(pattern, "", text, flags=re.IGNORECASE) if names else text
    small = (*collect("grammar.that"), *by_language("words.toml")[language]["articles"])
    return bare if any(word.casefold() not in small for word in bare.split()) else text


def _without_instead(order: str) -> str:
    """An order without a word such as "instead" behind its verb or at its end."""
    behind_verb = "|".join(collect("grammar.in_place"))
    order = re.sub(rf"^(\S+(?: \w{{2,3}})?) (?:{behind_verb})(?!\w)", r"\1", order, flags=re.IGNORECASE)
    return _in_exchange().sub("", order)


@cache
def _in_exchange() -> re.Pattern[str]:
    """How an order ends that puts something in the place of something else."""
    return re.compile(rf",? (?:{'|'.join(collect('grammar.in_exchange'))})[.!]*$", re.IGNORECASE)


def _means_last(statement: str) -> bool:
    """Whether a deletion is of what its writer said last, whatever reason follows ("my last message, I was joking")."""
    plain = look(statement)
    found = _everywhere("grammar.last_said").match(plain)
    return found is not None and not plain[found.end() :].strip(_CLOSING)[:1].isalnum()


def _parsed(text: str) -> Command | None:
    listed = parse_listed(text)
    is_own = isinstance(listed, Remember) and _tells_of_oneself(listed, text)
    if is_own and any(map(str.isdecimal, text)):  # a birthday, a number: what the sentence is like says less
        return listed
    sentence = _core(text, listed.language)[0] if is_own and listed is not None else text
    if _is_no_order(listed, f"{BOT}, {sentence}"):  # "I'm called Bobby btw"
        return None
    if _is_other(listed, f"{BOT}, {sentence}"):
        return _like(f"{BOT}, {text}", is_doubtful=True)
    if listed is not None and not isinstance(listed, _OFTEN_MISTAKEN):
        return listed
    if is_own:
        return listed
    is_order = isinstance(listed, _ORDERS)
    alike = _like(f"{BOT}, {text}", is_order=is_order)
    if isinstance(listed, Know) and isinstance(alike, Know):
        return _either(listed, alike, text)
    if listed is None or alike is None or type(alike) is type(listed) or isinstance(alike, Meant):
        return listed or alike
    if isinstance(listed, Remember) and alike.language != listed.language and _is_plain(listed, text):
        return listed  # the examples of the one language do not know the orders of the other
    if isinstance(listed, Forget) and isinstance(alike, ForgetLast) and _is_reported(listed, text):
        return alike if is_of_last(f"{BOT}, {text}", listed.language, MIN_SHARE_OF_LAST_REPORTED) else listed
    return _like(f"{BOT}, {text}", is_doubtful=True, is_order=is_order) or listed


def _tells_of_oneself(listed: Remember, text: str) -> bool:
    """Whether what is to be kept is the whole of a text, or put in other words ("everyone calls me Kit")."""
    whole = (text.strip(" .!"), _core(text, listed.language)[0].strip(" .!"))
    return bool(listed.statement) and (listed.statement not in text or listed.statement in whole)


_ORDERS = (Remember, Forget, TakeBack, ForgetLast)
"""The commands that change what is remembered."""


def _is_no_order(command: Command | None, text: str) -> bool:
    """Whether the word lists take a sentence for an order, and it surely is none by its likeness to the examples."""
    return _is_likened(command, text) and orders_nothing(text, _words(command), command.language)


def _is_other(command: Command | None, text: str) -> bool:
    """Whether the word lists take a sentence for an order that it is hardly like, or is like the opposite of."""
    sentence = _sentence(text)
    if isinstance(command, Remember) and _words(command) == sentence:
        return surely(sentence) == command.language and is_opposite(text, "remember", command.language)
    if not _is_likened(command, text):
        return False
    words, is_plain = _words(command), _is_plain(command, text)
    if is_plain and not words:
        return False
    return all(
        is_unlike(read, words, _wish(command), command.language, is_plain=is_plain) for read in {text, _mended(text)}
    )


def _is_plain(command: Command, text: str) -> bool:
    """Whether a sentence begins as orders do."""
    return vocabulary(command.language).begins_with_order(_core(_sentence(text), command.language)[0])


def _is_like_last(command: Forget, text: str) -> bool:
    """Whether a deletion names no fact, but what its writer said last, or a reason ("I talked nonsense, bin that")."""
    sentence, words = _sentence(text), command.statement
    if not words or words not in sentence or command.everything or _is_reported(command, sentence):
        return False
    before = sentence[: sentence.index(words)].rstrip()
    is_apart = not before or before.endswith(_APART)
    if not is_apart and len(words.split()) == 1 and words.casefold() not in collect("names.messages"):
        return False  # "oublie le jazz"
    return is_of_last(f"{BOT}, {text}", command.language, 0.0 if is_apart else MIN_SHARE_OF_LAST)


def _is_reported(command: Forget, sentence: str) -> bool:
    """Whether a word such as "that" stands before what is to be deleted."""
    words = command.statement.casefold()
    before = sentence.casefold().partition(words)[0] if words else ""
    return not {*words.split()[:1], *before.split()[-2:]}.isdisjoint(collect("grammar.that"))


_APART = (",", ".", "!", ";", "-", "–", "…")
"""Signs between an order and the reason for it."""


def _sentence(text: str) -> str:
    """A sentence without the bot's name."""
    return " ".join(text.replace(BOT, " ").split()).lstrip(_AFTER_NAME)


def _words(command: Command) -> str:
    return command.statement if isinstance(command, Remember | Forget) else ""


def _is_likened(command: Command | None, text: str) -> TypeGuard[Remember | Forget | TakeBack | ForgetLast]:
    """Whether a command is an order that changes what is remembered, in a sentence that can be compared."""
    if not isinstance(command, _ORDERS) or len(text) > MAX_LIKE or (isinstance(command, Remember) and command.this):
        return False
    words = _words(command)
    sentence = _sentence(text)
    if words == sentence:  # what somebody tells of themselves has no words of an order
        return False
    return surely(sentence) == command.language and words in text


def _wish(command: Remember | Forget | TakeBack | ForgetLast) -> str:
    """What the examples call a command."""
    match command:
        case Remember():
            return "remember"
        case TakeBack():
            return "cancel" if command.drop else "undo"
        case _:
            return "forget"


def _either(listed: Know, alike: Know, text: str) -> Know:
    """A question about whom the word lists found; where that is nobody here, about whom its likeness shows."""
    if alike.subject == ONESELF and not any(map(of_oneself, re.findall(r"\w+", text))):
        return listed  # "do you know anything about raid" has no "me"
    found, other = each(listed.subject), each(alike.subject)
    is_part = not listed.is_plain and alike.subject in listed.subject
    return listed if is_part or sorted(found) == sorted(other) else replace(listed, otherwise=alike.subject)


_OFTEN_MISTAKEN = (Remember, Forget, Know)
"""The commands that share their words with others: not those of a few words that are all there is."""


def _tells_of_both(sentence: str, named: str) -> bool:
    """Whether a sentence says what its writer does to whom it names, and no more ("I hate Bob")."""
    verb, _, rest = (predicate(sentence) or "").strip().partition(" ")
    is_said = any(re.fullmatch(saying, verb, re.IGNORECASE) for saying in collect("grammar.saying"))
    return bool(verb) and rest.strip(" .!") == named and not is_said


def _like(text: str, *, is_addressed: bool = True, is_doubtful: bool = False, is_order: bool = False) -> Command | None:
    """The command that a sentence is like; the bot's name in it is written as `BOT`.

    What the word lists see as an order, and refuse, is none here either; nor is one with a denial in it ("nobody asked
    you to remember that …"): to do the opposite is worse than to do nothing. A deletion that is almost certain is let
    through; so is an order of its kind, where the lists say that it `is_order` too.
    """
    seen, sentence = look(text), _sentence(text)
    language = surely(sentence)
    if language is None or len(text) > MAX_LIKE or any(sign in text for sign in _QUOTED):
        return None
    found = likely(text, language, is_addressed=is_addressed, is_doubtful=is_doubtful)
    words = vocabulary(language)
    if found is None or _everywhere("grammar.not_now").search(seen):
        return None
    is_question = found.wish in _HARMLESS
    is_unmeant = any(_everywhere("grammar.unmeant").search(text) for text in (seen, look(sentence)))
    is_refused = is_unmeant or words.begins_with_order(_core(sentence, language)[0])
    around = sentence.replace(found.words, " ") if found.words else sentence
    kinds = (*_OFFERED, *_KINDRED) if is_order else _OFFERED
    is_denied = is_turned(around) and not (found.wish in kinds and found.share >= MIN_SHARE_AGAINST_DENIAL)
    if (is_unmeant and found.wish == "privacy") or (not is_question and (is_refused or is_denied)):
        return None
    named = _without_faces(words.without_tail(_without_faces(found.words))).strip(_AROUND)
    match found.wish:
        case "remember" if " " in named and not _is_polite(around):
            return Remember(statement=named, language=language)
        case "forget" if named and (found.share >= MIN_SHARE_IN_DOUBT or not _asks_nobody(sentence)):
            return Forget(statement=named, is_sure=False, language=language)
        case "forget_all" | "forget_all_me" if not _asks_nobody(sentence):
            return Forget(statement=named or ONESELF, everything=True, language=language)
        case "know" | "know_me" if not words.asks_something_else(sentence):
            is_own = named.casefold() in languages()[language].vocabulary.know.own
            return Know(subject=ONESELF if is_own or not named else named, is_plain=False, language=language)
        case "undo" | "cancel":
            return TakeBack(drop=found.wish == "cancel", language=language)
        case "forget_that":
            return ForgetLast(language=language)
        case "meant" if named and is_addressed and not _tells_of_both(sentence, named):
            return Meant(subject=named, is_plain=False, language=language)
        case "meant_me" if is_addressed:
            return Meant(subject=ONESELF, is_plain=False, language=language)
        case "jokes" | "nojokes":
            return SetJokes(wanted=found.wish == "jokes", language=language)
        case "missed":
            return CatchUp(is_plain=False, language=language)
        case "reset":
            return Reset(language=language)
        case "privacy":
            return ShowPrivacy(language=language)
    return None


MIN_SHARE_AGAINST_DENIAL = 0.95
"""How likely a deletion must be where a word beside it turns it round ("I don't smoke now, so lose I smoke, bot")."""

_HARMLESS = ("know", "know_me", "meant", "meant_me", "jokes", "nojokes", "missed", "reset", "privacy")
"""The wishes that delete and store nothing: a denial in them is part of what they say ("no jokes about me")."""

_OFFERED = ("forget", "forget_all", "forget_all_me")
"""The wishes that are asked about before they are carried out."""

_KINDRED = ("forget_that", "undo", "cancel")
"""The wishes that the lists take for an order to forget more or less, so that only its kind is in doubt."""

_QUOTED = '"“«„'
"""Signs of words that somebody else said: they are no order."""

MAX_LIKE = 500
"""Letters of a sentence that may be like an example, at the most."""


@lru_cache(maxsize=1_000)
def parse_listed(text: str) -> Command | None:
    """The command that `text` is by the word lists alone; None where they do not have it."""
    line = " ".join(text.split())
    if len(line) > MAX_COMMAND or _QUOTES.match(line):
        return None
    found, mended = _parse(line), _mended(line)
    is_unsure = isinstance(found, Know) and not found.is_plain
    is_unmeant = _everywhere("grammar.unmeant").search(look(line)) is not None
    if mended == line or is_unmeant or (found is not None and not is_unsure):
        return found
    return _with_words_of(line, mended, _parse(mended)) or found


def _parse(line: str) -> Command | None:
    is_meant = _everywhere("grammar.unmeant").search(look(line)) is None
    own = surely(line)
    for language in languages():
        core, asks = _core(line, language)
        is_order = is_meant and (asks or not core.rstrip(_CLOSING).endswith("?"))
        for text in dict.fromkeys((core, line) if len(line) <= MAX_SHORT else (core,)):
            found = _parse_as(text, language, line, is_meant=is_meant, is_order=is_order)
            if found is not None and not _is_of_another(found, language, own, line):
                return found
    return None


def _is_of_another(command: Command, language: str, own: str | None, line: str) -> bool:
    """Whether an order was found in words that the line's own language has too, and takes for something else."""
    if own in (None, language) or not isinstance(command, Remember | Forget) or not command.statement:
        return False
    around = line.replace(command.statement, " ")
    return not vocabulary(language).is_polite(around.strip(_AFTER_NAME)) and has_all_words(own or language, around)


_CLOSING = " .!…)😂🤣😜😉"
"""Signs and faces behind a question mark."""


def _parse_as(text: str, language: str, line: str, *, is_meant: bool, is_order: bool) -> Command | None:
    """The command that a text is in a language; `line` is the message that it was cut out of."""
    words = vocabulary(language)
    bare = text.rstrip(" .!?…,;:")
    told = words.told("drop", text) if is_order else None

    def match(wish: str, whole: str = bare) -> _Found | None:
        return _matched(language, wish, whole) if len(whole) <= MAX_SHORT or wish in TELLING else None

    if told is not None and _everywhere("grammar.not_now").search(look(line)):
        return None
    wish = words.wish(line) or words.wish(text)
    is_deletion = told is not None or wish == "last" or words.begins_with_order(text, "drop")
    if is_meant and is_deletion and _means_all_own_words(line, language):
        return ShowPrivacy(language=language)
    if told is not None and told.is_all and (wish != "privacy" or of_oneself(told.text)):
        return _forget(told, language)
    if match("reset"):
        return Reset(language=language)
    if wish and (is_meant or wish not in _CHANGING):
        return _short_command(wish, language)
    if found := match("meant") or match("meant", line.rstrip(" .!?…,;:")):
        return Meant(subject=found["who"], language=language)
    if match("bare"):
        return Remember(statement="", language=language)
    if found := match("this"):
        return Remember(
            statement=found["what"], subject=found["who"] or None, this=not found["what"], language=language
        )
    if (found := match("zone")) and not is_turned(bare):  # before what is kept: "set our time zone to Rome" is no fact
        return SetZone(name=found["zone"], language=language)
    if (found := match("zone_if_known")) and is_zone(found["zone"]):
        return SetZone(name=found["zone"], language=language)
    if is_order and (found := match("of_somebody", text)):
        return Remember(statement=found["what"], subject=found["who"], language=language)
    if is_order and (kept := words.told("keep", text)):
        return Remember(statement=_without_faces(kept.text).rstrip("?"), language=language)
    if told is not None:
        return ForgetLast(language=language) if words.is_last(told) else _forget(told, language)
    if is_order and words.takes_back(text):
        return TakeBack(language=language)
    if match("no_jokes"):
        return SetJokes(wanted=False, language=language)
    if match("jokes"):
        return SetJokes(wanted=True, language=language)
    if match("missed"):
        return CatchUp(language=language)
    if match("help"):
        return Help(language=language)
    if match("settings"):
        return ShowSettings(language=language)
    if is_order and (found := match("called")) and (found["name"][:1].isupper() or is_given_name(found["name"])):
        return Remember(statement=languages()[language].speaker.called.format(found["name"]), language=language)
    if is_order and (found := match("introducing")) and is_given_name(found["name"]):
        return Remember(statement=languages()[language].speaker.called.format(found["name"]), language=language)
    if is_order and (found := match("of_oneself")):
        name = found["name"]
        if found["what"] or name.casefold() not in collect("names.never_called"):
            return Remember(
                statement=found["what"] or languages()[language].speaker.called.format(name), language=language
            )
    if is_meant and (asked := words.asked_about(text)):
        return Know(subject=asked.people, is_plain=asked.is_plain, language=language)
    return None


def _means_all_own_words(line: str, language: str) -> bool:
    """Whether an order to delete is about all that its writer has said."""
    found = all_own_words(language).search(line)
    is_kept = vocabulary(language).told("keep", line) is not None
    is_denied = found is not None and is_turned(_OPENING.sub("", line[: found.end()]))
    return found is not None and not is_kept and not is_denied and len(line[: found.start()].split()) <= MAX_VERB


_OPENING = re.compile(r"^\w+,\s+")
"""A word that answers before an order begins ("no, delete everything I said")."""

MAX_VERB = 3
"""Words before "everything I said" in an order to delete it."""

_CHANGING = ("last", "undo")
"""The wishes of a few words that change what is remembered: none where the words are not meant so."""


def _short_command(wish: str, language: str) -> Command:
    match wish:
        case "privacy":
            return ShowPrivacy(language=language)
        case "thanks":
            return Thanks(language=language)
        case "last":
            return ForgetLast(language=language)
        case "drop" | "undo":
            return TakeBack(drop=wish == "drop", language=language)
        case _:
            return Hush(is_final=wish == "stop_talking", language=language)


@dataclass(frozen=True)
class _Found:
    """What a pattern found, in the very words of the message."""

    whole: str
    match: re.Match[str]

    def __getitem__(self, group: str) -> str:
        if group not in self.match.re.groupindex:
            return ""
        start, end = self.match.span(group)
        return self.whole[start:end].strip() if start >= 0 else ""


def _matched(language: str, wish: str, whole: str) -> _Found | None:
    seen = look(whole)
    found = next((m for way in _patterns(language, wish) if (m := way.fullmatch(seen))), None)
    return None if found is None else _Found(whole, found)


MAX_SHORT = 200
"""Letters of a command that tells nothing, at the most."""

TELLING = frozenset({"of_somebody", "this", "of_oneself"})
"""What may be as long as what it tells."""

MAX_COMMAND = 4_000
"""Letters of a message that may be a command: as many as Discord takes."""

HEAD = 8
"""Words at the beginning of a message that may be those of a command."""


def _mended(line: str) -> str:
    """A line with the short forms and the slips of the finger of a command's words, each in its place."""
    words = line.split(" ")
    for at, word in enumerate(words[:HEAD]):
        bare = word.casefold().strip(",.:;!?")
        if meant := _meant(bare):
            start = word.casefold().index(bare)
            words[at] = word[:start] + meant + word[start + len(bare) :]
    return " ".join(words)


@cache
def _shorts() -> dict[str, str]:
    return {short: word for language in languages().values() for short, word in language.grammar.shorts.items()}


@lru_cache(maxsize=10_000)
def _meant(word: str) -> str | None:
    """The word of a command that another one is short for, or a slip of."""
    if short := _shorts().get(word):
        return short
    verbs = collect("grammar.verbs")
    if word in verbs or word in collect("grammar.no_slips") or len(word) < 4:
        return None
    alike = (verb for verb in verbs if OSA.distance(word, verb) <= (2 if len(verb) > 7 else 1))
    near = [verb for verb in alike if len(word) > 4 or len(verb) == 4]
    return near[0] if len(near) == 1 else None


def _with_words_of(line: str, mended: str, command: Command | None) -> Command | None:
    """A command with what it says in the words of a line, where they were mended to understand it."""
    if not isinstance(command, Remember | Forget):
        return command
    statement, mended_words, words = command.statement.split(" "), mended.split(" "), line.split(" ")
    *first, last = statement
    for at in range(len(mended_words) - len(statement) + 1):
        *before, end = mended_words[at : at + len(statement)]
        if last and before == first and end.startswith(last):
            own = " ".join(words[at : at + len(statement)])
            cut = len(mended_words[at + len(statement) - 1]) - len(statement[-1])
            return replace(command, statement=own[: len(own) - cut] if cut else own)
    if last == mended_words[-1] and len(words) == len(mended_words):  # "call me K": "I am called K"
        return replace(command, statement=" ".join([*first, words[-1]]))
    return command


def _forget(told: Order, language: str) -> Forget:
    if number := _numbered().fullmatch(told.text):
        return Forget(numbers=(int(number[1]),), language=language)
    told = replace(told, text=without_placeholders(_without_repeats(told.text, language), language))
    return Forget(statement=told.text, everything=told.is_all, language=language)
