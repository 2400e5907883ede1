"""Who is meant by names in talk: whom a message speaks to ("ann: yes", "seb > yes"), and whom it names. Pure."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from functools import cache

from anyascii import anyascii

from memory.ids import ChannelId, UserId
from memory.records import Member, Message
from memory.rules.dates import MONTHS, WEEKDAYS
from memory.rules.folding import folded
from memory.rules.keywords import is_common, is_everyday
from memory.rules.text import mentioned
from memory.rules.wordlists import listed_words, table

SHORT_NAME_WINDOW = timedelta(minutes=15)
"""How long ago somebody may have written in a channel whom a shortened name there still means."""

MAX_FORMER_NAMES = 12
"""Former names of a member that count at the most."""

MIN_SHORT_NAME = 3
"""Letters of a shortened name at the least."""

_BARE = re.compile(r"\A@?([^\s:,;>]{3,32})\s+(?=\S)")
_START = re.compile(r"\A@?([^\s:,;>][^:,;>\n]{0,39}?) ?[:,;>]+(?:\s+|$)")


@dataclass(frozen=True, kw_only=True)
class Address:
    """Whom a text speaks to, and where its words begin."""

    user_id: UserId
    end: int


def _now(member: Member) -> tuple[str, str | None, str]:
    """The names that a member gives themselves now."""
    return member.display_name, member.global_name, member.username


class Names:
    """Who is meant by the names in a guild's talk, where that is certain.

    A name is certain if one member has or had it and no other. One of common words counts only where it is written as
    a name.
    """

    def __init__(self, members: Iterable[Member] = ()) -> None:
        self._members: dict[UserId, Member] = {}
        self._of: dict[str, set[UserId]] = {}
        self._former: dict[str, set[UserId]] = {}
        self._wrote: dict[ChannelId, dict[UserId, datetime]] = {}
        for member in members:
            self.add(member)

    def __len__(self) -> int:
        """How many members are known."""
        return len(self._members)

    def add(self, member: Member) -> None:
        """Know a member, by the names they have now; those they had, and those that facts gave them, stay theirs."""
        known = self._members.get(member.user_id)
        if known is not None:
            is_new = {*member.names, *member.former_names} - {*known.names, *known.former_names}
            if not is_new and _now(member) == _now(known):
                return
            had = (*member.former_names, *known.names, *known.former_names)
            aliases = tuple(dict.fromkeys((*member.aliases, *known.aliases)))
            member = replace(member, aliases=aliases)
            member = replace(
                member, former_names=tuple(dict.fromkeys(n for n in had if n not in member.names))[:MAX_FORMER_NAMES]
            )
            for index, names in ((self._of, known.names), (self._former, known.former_names)):
                for name in map(str.casefold, names):
                    index.get(name, set()).discard(member.user_id)
        self._members[member.user_id] = member
        for index, names in ((self._of, member.names), (self._former, member.former_names)):
            for name in map(str.casefold, names):
                if len(name) > 1:
                    index.setdefault(name, set()).add(member.user_id)

    def name_in_doubt(self, text: str) -> str | None:
        """The name that a text begins with, as written, if whom it speaks to depends on who else in the guild has it.

        Without a mark behind it ("ann yes"), it means nobody but a member who is known.
        """
        if found := _START.match(text):
            name = found[1].strip()
            return None if len(name) < 2 or is_everyday(name.casefold()) else name
        found = _BARE.match(text)
        name = found[1] if found else ""
        return name if name.casefold() in self._of or name.casefold() in self._former else None

    def wrote(self, channel_id: ChannelId, user_id: UserId, at: datetime) -> None:
        """Note who writes where, so that a shortened name can mean them for a while."""
        self._wrote.setdefault(channel_id, {})[user_id] = at

    def whose(self, name: str) -> UserId | None:
        """Who has or had a name; None where several do, or nobody."""
        folded = name.casefold()
        return _only(self._of.get(folded, set()) | self._former.get(folded, set()))

    def addressees(self, message: Message, answered: UserId | None = None) -> tuple[UserId, ...]:
        """Whom a message speaks to: whom it names at its start, mentions, and the author of what it answers."""
        found = _START.match(message.text)
        opened = self._meant(found[1].strip().casefold(), message) if found else self._called(message)
        addressed = (opened, *mentioned(message.text), answered)
        return tuple(dict.fromkeys(u for u in addressed if u is not None and u != message.user_id))

    def _called(self, message: Message) -> UserId | None:
        """Who wrote in the channel lately and is called by the first word, which no mark follows ("ann yes")."""
        found = _BARE.match(message.text)
        user_id = self.whose(found[1]) if found and not is_common(found[1]) else None
        at = self._wrote.get(message.channel_id, {}).get(user_id) if user_id is not None else None
        return user_id if at is not None and abs(message.timestamp - at) <= SHORT_NAME_WINDOW else None

    def _meant(self, name: str, message: Message) -> UserId | None:
        if is_everyday(name):
            return None
        if exact := self._of.get(name, set()) | self._former.get(name, set()):
            return _only(exact - {message.user_id})
        if len(name) < MIN_SHORT_NAME or " " in name or is_common(name):
            return None
        lately = {
            user_id
            for user_id, at in self._wrote.get(message.channel_id, {}).items()
            if user_id != message.user_id and abs(message.timestamp - at) <= SHORT_NAME_WINDOW
        }
        return _only({u for u in lately if u in self._members and _begins(self._members[u], name)})

    def named(self, text: str) -> set[UserId]:
        """Everyone whose name stands in a text as it is written, of names that are certain and look like names."""
        found = set()
        for start, _, run in _runs(text):
            user_id = self.whose(run) if _like_a_name(run) and is_written_as_name(text, start, run) else None
            if user_id is not None and run in {*self._members[user_id].names, *self._members[user_id].former_names}:
                found.add(user_id)
        return found


def opening(text: str, people: Mapping[UserId, Member]) -> Address | None:
    """Whom of `people` a text names at its start, and where its words begin."""
    for pattern in (_START, _BARE):
        found = pattern.match(text)
        if found is None:
            continue
        name = found[1].strip().casefold()
        user_id = _only({u for u, m in people.items() if name in map(str.casefold, m.names)})
        if user_id is None and pattern is _START and len(name) >= MIN_SHORT_NAME:
            user_id = _only({u for u, m in people.items() if _begins(m, name)})
        if user_id is not None:
            return Address(user_id=user_id, end=found.end())
    return None


def _like_a_name(run: str) -> bool:
    """Whether letters alone could be a name and no word: a capital, a figure or another sign is among them."""
    return any(not c.islower() and not c.isspace() for c in run)


_SENTENCE_START = re.compile(r"(?:\A|[.!?:;\n])[\s\"'“«(*_>-]{0,4}\Z")


_CALENDAR = re.compile("|".join((*MONTHS, *WEEKDAYS)))
_OF_TIME = re.compile(
    r"(?:\d(?:st|nd|rd|th)?,?|\b(?:in|on|since|until|till|by|of|last|next|this|every|each|early|late|mid|before|after|"
    r"from|to|en|el|de|le|ce|am|im|seit|bis|в|во|до|с|на|к|по)) $"
)
"""What stands before a month or a day of the week."""


def is_written_as_name(text: str, start: int, run: str) -> bool:
    """Whether a run of words may be a name where it stands.

    Common words are one with an "@", or with a capital inside a sentence. A month or a day of the week is none
    behind a word of time ("in April"). Any other run may be.
    """
    before = text[max(start - 12, 0) : start]
    if before.endswith("@"):
        return True
    if is_thing(before + run, run):
        return False
    if _CALENDAR.fullmatch(folded(run)) and _OF_TIME.search(folded(before)):
        return False
    return not is_common(run) or (run[0].isupper() and _SENTENCE_START.search(before) is None)


_ARTICLE = r"(?<!\w)(?i:el|la|los|las|un|una|al|del|le|les|une|du|des|au) "
"""Articles of languages where nouns are names too ("el sol"). In German, names have articles."""


def is_thing(text: str, name: str) -> bool:
    """Whether a name stands in a text as the thing it is called after ("el sol", beside somebody called Sol)."""
    is_noun = folded(name) in _named_things()
    return is_noun and re.search(rf"{_ARTICLE}{re.escape(name.casefold())}(?!\w)", text) is not None


@cache
def _named_things() -> frozenset[str]:
    return frozenset(map(folded, table("words.toml")["named_things"]))


def _begins(member: Member, name: str) -> bool:
    return any(known.casefold().startswith(name) for known in member.names)


def with_ids(text: str, whose: Callable[[str], UserId | None], subject: Member | None = None) -> str:
    """A text with ids in place of the names that `whose` knows; `subject`'s own names also count at its start."""
    told, end = "", 0
    own = {} if subject is None else {name.casefold(): subject.user_id for name in subject.names}
    for start, stop, run in _runs(text):
        if start < end or _NO_NAME_AFTER.search(text, max(start - 2, 0), start):
            continue
        user_id = own.get(run.casefold()) if not text[:start].strip(" \"'“«@") else None
        if user_id is None and is_written_as_name(text, start, run):
            user_id = whose(run)
        if user_id is not None:
            told, end = f"{told}{text[end:start].removesuffix('@')}<@{user_id}>", stop
    return told + text[end:]


_NO_NAME_AFTER = re.compile(r"(?:[#:/]|[\w<@]@)\Z")
"""What stands before a part of an address, a channel or a mark."""

_CASES = ("ом", "ем", "ём", "ой", "ей", "ою", "ею", "а", "я", "у", "ю", "е", "и", "ы")
"""Endings of Russian names in other cases than the nominative."""

_CYRILLIC_NAME = re.compile(r"[А-ЯЁ][а-яё]{2,29}")


def in_latin(name: str) -> str:
    """A name in Latin letters, as members of another alphabet may be called."""
    return anyascii(name)


def is_of_another_alphabet(word: str) -> bool:
    """Whether a word has no Latin letters, so that it may spell a name in another alphabet ("José" is no such word)."""
    return all(ord(letter) > LAST_LATIN for letter in word if letter.isalpha())


LAST_LATIN = 0x24F
"""The last of the code points with Latin letters and accents."""


def nominatives(word: str) -> tuple[str, ...]:
    """What a Russian name may be in the nominative that stands in another case, as "Сергея" or "Ане" do."""
    if not _CYRILLIC_NAME.fullmatch(word):
        return ()
    stems = dict.fromkeys(word[: -len(case)] for case in _CASES if word.endswith(case) and len(word) - len(case) > 1)
    return tuple(dict.fromkeys(stem + ending for stem in stems for ending in ("", "а", "я", "й", "ь")))


_WORD = re.compile(r"[^\W_][\w.|\[\]{}^-]*")
_LONGEST_NAME = 3
"""Words of a name that are looked at together."""


def candidates(text: str, *, written_as_names: bool = False) -> set[str]:
    """Everything in a text that could be a name; with `written_as_names`, of what looks like one."""
    return {run for _, _, run in _runs(text) if not written_as_names or _like_a_name(run)}


def _runs(text: str) -> Iterator[tuple[int, int, str]]:
    """Every run of up to three words that could be a name, the longer before the shorter."""
    words = [(m.start(), m.start() + len(m[0].rstrip(".-"))) for m in _WORD.finditer(text)]
    for n, (start, _) in enumerate(words):
        for last in reversed(words[n : n + _LONGEST_NAME]):
            if last[1] - start >= MIN_SHORT_NAME:
                yield start, last[1], text[start : last[1]]


def _only(found: Collection[UserId]) -> UserId | None:
    return next(iter(found)) if len(found) == 1 else None


_SOMEBODY = r"<@!?\d{1,20}>"
_IS_CALLED = "|".join(sorted(table("words.toml")["is_called"], key=len, reverse=True))
_IS_NAMED = "|".join(table("words.toml")["is_named"])
_GIVES_NAME = "|".join(pattern.format(who=_SOMEBODY) for pattern in table("words.toml")["gives_name"])
_GIVES_ANY_NAME = "|".join(pattern.format(who=_SOMEBODY) for pattern in table("words.toml")["gives_any_name"])
_IN_TRUTH = "|".join(table("words.toml")["in_truth"])
_GIVES_A_NAME = re.compile(
    rf"(?:{_SOMEBODY} (?:{_IS_CALLED}|(?P<named>{_IS_NAMED}))|(?i:{_GIVES_NAME})|(?P<clearly>(?i:{_GIVES_ANY_NAME}))) "
    r"(?:really |actually |also )?(?P<called>called |named )?(?:really |actually |also )?(?P<name>[^\W\d_][\w'-]{1,30})"
    rf"(?P<tail> (?:{_IN_TRUTH}))?\.?"
)


def alias_given(value: str) -> str | None:
    """The other name that a stored fact gives its subject ("<@1> is Sergey"); None where it gives none.

    A name that is written small is a given name ("is sergey"), or no common word behind "called" and the like.
    """
    found = _GIVES_A_NAME.fullmatch(value)
    if found is None:
        return None
    name, is_capital = found["name"], found["name"][0].isupper() and not found["named"]
    is_clear = found["called"] is not None or found["clearly"] is not None
    if found["tail"] is not None and not is_clear and not is_given_name(name):
        return None  # "<@1> is Vegan btw"
    is_name = is_capital or is_given_name(name) or (is_clear and not is_common(name))
    return name if is_name else None


def is_given_name(word: str) -> bool:
    """Whether a word is a name that parents give, however it is written. Words that are common as well are none."""
    return folded(word) in listed_words("given_names.txt")


def in_channels(messages: Iterable[Message]) -> list[Message]:
    """Messages channel by channel, each in its order; the channels as they first come."""
    channels: dict[ChannelId, list[Message]] = {}
    for message in messages:
        channels.setdefault(message.channel_id, []).append(message)
    return [message for channel in channels.values() for message in channel]
