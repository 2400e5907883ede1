"""Commands in plain words, understood without any AI: what each language says is in its folder. Pure."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cache, lru_cache

from rapidfuzz.distance import OSA

from urmom_bot.languages import collect, languages

_FLAGS = re.IGNORECASE | re.DOTALL


@dataclass(frozen=True, kw_only=True)
class Remember:
    """Remember a statement; or, with `this`, what was replied to or said before, about `subject`."""

    statement: str
    subject: str | None = None
    this: bool = False
    language: str = "en"


@dataclass(frozen=True, kw_only=True)
class Forget:
    """Forget a statement, a fact by its number, or everything about somebody; `subject` is whom a statement is of."""

    statement: str = ""
    number: int | None = None
    everything: bool = False
    subject: str | None = None
    language: str = "en"


@dataclass(frozen=True, kw_only=True)
class Know:
    """Tell what is known of `subject`."""

    subject: str
    language: str = "en"


@dataclass(frozen=True, kw_only=True)
class SetJokes:
    """Let jokes be made about the speaker, or not."""

    wanted: bool
    language: str = "en"


@dataclass(frozen=True, kw_only=True)
class SetZone:
    """Let a time zone decide the guild's days."""

    name: str
    language: str = "en"


@dataclass(frozen=True, kw_only=True)
class Reset:
    """End the conversation, so that the next message begins another."""

    language: str = "en"


@dataclass(frozen=True, kw_only=True)
class Help:
    """Say what can be said."""

    language: str = "en"


@dataclass(frozen=True, kw_only=True)
class ShowPrivacy:
    """Open what is stored about the speaker, and what they let be kept."""

    language: str = "en"


@dataclass(frozen=True, kw_only=True)
class CatchUp:
    """Tell what the speaker missed."""

    language: str = "en"


@dataclass(frozen=True, kw_only=True)
class TakeBack:
    """Undo what the speaker had done last; with `drop` it may as well be only something that was begun."""

    drop: bool = False
    language: str = "en"


@dataclass(frozen=True, kw_only=True)
class Meant:
    """Do what the speaker asked for last again, for `subject`."""

    subject: str
    language: str = "en"


@dataclass(frozen=True, kw_only=True)
class Thanks:
    """Say thanks."""

    language: str = "en"


Command = (
    CatchUp | ShowPrivacy | Remember | Forget | Know | SetJokes | SetZone | Reset | Help | TakeBack | Meant | Thanks
)

_PLACES = {
    "%about%": r"(?P<who>[^:]+?))?(?:: (?P<what>.+))?",
    "%somebody%": r"(?P<who>(?!(?:the|this|that|my|our|то|это)\b)[^\s:,]{2,40}(?: [^\s:,]{1,40})?) ?: (?P<what>.+)",
    "%end%": r"[\s).!😂🤣😜😉]*$",
    "%close%": r"[\s).!]*$",
}
"""What the patterns of every language have in common."""


def _any_of(patterns: Iterable[str]) -> str:
    joined = "|".join(patterns) or "(?!)"
    for name, pattern in _PLACES.items():
        joined = joined.replace(name, pattern)
    return joined


@cache
def _pattern(language: str, wish: str) -> re.Pattern[str]:
    """How a wish is said in a language, as a whole message."""
    words = languages()[language].grammar
    polite = _any_of(words.polite)
    return re.compile(f"(?:{polite})*(?:{_any_of(getattr(words.wishes, wish))})", _FLAGS)


@cache
def _everywhere(part: str) -> re.Pattern[str]:
    """What is found anywhere in a message, in any language."""
    return re.compile(_any_of(collect(part)), _FLAGS)


_QUOTES = re.compile(r"[\"“«„][^\"”»“]{3,}[\"”»“]\W*\w")
"""How somebody begins who tells what another said."""


@cache
def _numbered() -> re.Pattern[str]:
    return re.compile(rf"(?:(?:{'|'.join(collect('grammar.fact'))}) )?(?:#|№|no\.? ?)?(\d{{1,12}})", re.IGNORECASE)


def addressed(text: str, bot_id: int, names: Iterable[str]) -> str | None:
    """What is said to the bot, without the address; None where it is not addressed by mention or name.

    A mention counts anywhere, a name at the start alone and as a word of its own: "Bot, …", "bot …".
    """
    text = text.strip()
    mention, start = _mention(bot_id), _start(frozenset(names))
    if mention.search(text):
        return " ".join(mention.sub(" ", text).split()).lstrip(" ,:;!–—-")
    found = start.match(text)
    return text[found.end() :].lstrip(" \n\t,:;!–—-") if found else None


@lru_cache(maxsize=100)
def _mention(bot_id: int) -> re.Pattern[str]:
    return re.compile(rf"<@!?{bot_id}>")


@lru_cache(maxsize=10_000)
def _start(names: frozenset[str]) -> re.Pattern[str]:
    """The beginning of what is said to somebody of these names, the longest first."""
    ways = "|".join(re.escape(name) for name in sorted(filter(None, names), key=len, reverse=True)) or "(?!)"
    greetings = "|".join(collect("greetings"))
    return re.compile(rf"(?:(?:{greetings}) )?@?(?:{ways})(?![\w'’-])", _FLAGS)


@cache
def _asks() -> re.Pattern[str]:
    return re.compile(rf"\?\s*$|^\W*(?:{'|'.join(collect('asking'))})\b", re.IGNORECASE)


def is_question(text: str) -> bool:
    """Whether a text asks something, in any language of the bot's."""
    return _asks().search(text.strip()) is not None


def asks_the_bot(text: str, names: Iterable[str]) -> bool:
    """Whether a message only asks the bot something: it tells nothing, and would be found for the same question."""
    asked = addressed(text, 0, names)
    return asked is not None and is_question(asked)


def parse(text: str) -> Command | None:
    """The command that `text` is, or None where it is none that the grammar knows."""
    line = " ".join(text.split())
    if _QUOTES.match(line):
        return None
    bare = line.rstrip(" .!?…")
    for language in languages():

        def match(wish: str, whole: str, *, language: str = language) -> re.Match[str] | None:
            return _pattern(language, wish).fullmatch(whole)

        if match("privacy", bare):
            return ShowPrivacy(language=language)
        if match("thanks", bare):
            return Thanks(language=language)
        if match("undo", bare):
            return TakeBack(language=language)
        if match("drop", bare):
            return TakeBack(drop=True, language=language)
        if found := match("meant", bare):
            return Meant(subject=found["who"].strip(), language=language)
        if match("bare", bare):
            return Remember(statement="", language=language)
        if found := match("this", bare):
            what = (found["what"] or "").strip()
            return Remember(statement=what, subject=found["who"], this=not what, language=language)
        is_asked = not line.endswith("?") and _everywhere("grammar.unmeant").search(line) is None
        if is_asked and (found := match("of_somebody", line)):
            return Remember(statement=found["what"].strip(), subject=found["who"].strip(), language=language)
        if is_asked and (found := match("remember", line)):
            return Remember(statement=found["what"].strip(), language=language)
        if is_asked and _everywhere("grammar.not_now").search(line) is None and (found := match("forget", bare)):
            return _forget(found["what"].strip(), language)
        if found := match("know", bare):
            return Know(subject=found["who"].strip(), language=language)
        if match("no_jokes", bare):
            return SetJokes(wanted=False, language=language)
        if match("jokes", bare):
            return SetJokes(wanted=True, language=language)
        if found := match("zone", bare):
            return SetZone(name=found["zone"], language=language)
        if match("missed", bare):
            return CatchUp(language=language)
        if match("reset", bare):
            return Reset(language=language)
        if match("help", bare):
            return Help(language=language)
        if is_asked and (found := match("of_oneself", bare)):
            name = found["name"] or ""
            if found["what"] or name.casefold() not in collect("names.never_called"):
                statement = found["what"] or languages()[language].speaker.called.format(name)
                return Remember(statement=statement.strip(), language=language)
    mended = _mended(line)
    return parse(mended) if mended != line else None


def _mended(line: str) -> str:
    """A line whose first word is a verb of a command with a slip of the finger, with the verb in its place."""
    first, blank, rest = line.partition(" ")
    word = first.casefold().rstrip(",:")
    blank = first[len(word) :] + blank
    verbs = tuple(collect("grammar.verbs"))
    if not rest or word in verbs or word in collect("grammar.no_slips") or len(word) < 5:
        return line
    near = [verb for verb in verbs if OSA.distance(word, verb) <= (2 if len(verb) > 7 else 1)]
    return f"{near[0]}{blank}{rest}" if len(near) == 1 else line


def _forget(what: str, language: str) -> Forget:
    if number := _numbered().fullmatch(what):
        return Forget(number=int(number[1]), language=language)
    for every_language in languages():
        if found := _pattern(every_language, "everything").fullmatch(what):
            return Forget(statement=found["who"], everything=True, language=language)
    return Forget(statement=what, language=language)
