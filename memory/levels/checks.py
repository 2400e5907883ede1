"""What a model wrote is checked by code before it is stored: its evidence, its people, its names and numbers. Pure."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Mapping, Sequence
from datetime import date, timedelta

from memory.ai.prompts import NOTE_CHARACTERS, Line, Participants, accepted, channel_marks
from memory.records import FoundNote, Member, Message, Note, NoteKind
from memory.rules.keywords import is_everyday, keywords
from memory.rules.names import Names, with_ids
from memory.rules.safety import is_order, is_unlawful, matter_of, secrets_in
from memory.rules.text import mentioned, without_ids

NEIGHBOURS = 3
"""Messages before and after one in its channel that belong to the same talk."""

EVIDENCE = 4
"""Messages that a note names as its evidence at the most."""

BEFORE, AFTER = timedelta(days=8), timedelta(days=15)
"""How far before and after its day a date may lie that a model worked out from words like "next Friday"."""

_TECHNICAL = re.compile(r"(?i)\b(?:(?:re-?|un)?enabled?|disabled?|disabling|votes?|voted|trans|income|credits?)\b")
"""Words that mean something sensitive of people, and something else in most talk."""

_NUMBER = re.compile(r"\d+")
_MONTHS = (
    "january|jan|enero|janvier|января|januar",
    "february|feb|febrero|février|fevrier|февраля|februar",
    "march|mar|marzo|mars|марта|märz",
    "april|apr|abril|avril|апреля",
    "may|mayo|mai|мая",
    "june|jun|junio|juin|июня|juni",
    "july|jul|julio|juillet|июля|juli",
    "august|aug|agosto|août|aout|августа",
    "september|sept?|septiembre|septembre|сентября",
    "october|oct|octubre|octobre|октября|oktober",
    "november|nov|noviembre|novembre|ноября",
    "december|dec|diciembre|décembre|decembre|декабря|dezember",
)
"""The months as English, Spanish, French, Russian and German have them in dates."""

_MONTH = "|".join(_MONTHS)
_DATE = re.compile(
    r"(?<!\d)(?P<y>\d{4})-(?P<m>\d\d)-(?P<d>\d\d)(?!\d)|(?:(?P<y2>\d{4})年)?(?P<m2>\d{1,2})月(?P<d2>\d{1,2})日"
    rf"|(?<!\d)(?P<d3>\d{{1,2}})(?:\.|st|nd|rd|th|er)? (?:de |of )?(?P<w3>{_MONTH})\b\.?"
    r"(?:,? (?:de )?(?P<y3>\d{4})\b)?"
    rf"|\b(?P<w4>{_MONTH})\.? (?P<d4>\d{{1,2}})(?:st|nd|rd|th)?(?!\d)(?:,? (?P<y4>\d{{4}})\b)?",
    re.IGNORECASE,
)
"""A date as a model writes it."""

_CAPITALISED = re.compile(r"[^\W\d_][\w'’-]*")
_STARTS = frozenset('.!?:;“"«(')
"""What stands before the first word of a sentence."""

_GERMAN = frozenset(
    [
        "der",
        "die",
        "das",
        "den",
        "dem",
        "und",
        "ist",
        "mit",
        "ein",
        "eine",
        "einen",
        "nicht",
        "für",
        "auf",
        "von",
        "hat",
    ]
)


_CALENDAR = frozenset(
    (
        *("january", "february", "march", "april", "may", "june", "july", "august", "september", "october"),
        *("november", "december", "monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday"),
        *("jan", "feb", "mar", "apr", "jun", "jul", "aug", "sep", "oct", "nov", "dec"),
    )
)
"""What English writes with a capital, and what a model writes for a date in figures."""


def numbers_of(text: str, day: date | None = None) -> set[str]:
    """The numbers in a text. Dates near `day`, which a model may have worked out, are left out; others count by day.

    Their year counts only where it is another than that of `day`, or the next to it: most talk leaves it out.
    """

    def near(match: re.Match[str]) -> str:
        if day is None:
            return match[0]
        of = match.groupdict()
        year = int(of["y"] or of["y2"] or of["y3"] or of["y4"] or day.year)
        told = of["d"] or of["d2"] or of["d3"] or of["d4"] or "0"
        word = of["w3"] or of["w4"]
        month = int(of["m"] or of["m2"] or (_month(word) if word else 0))
        if abs(year - day.year) > 1:
            return match[0]
        try:
            worked_out = day - BEFORE <= date(year, month, int(told)) <= day + AFTER
        except ValueError:
            return match[0]
        return " " if worked_out else f" {told} "

    return set(_NUMBER.findall(_DATE.sub(near, without_ids(text))))


def _month(word: str) -> int:
    return next((n for n, names in enumerate(_MONTHS, 1) if re.fullmatch(names, word, re.IGNORECASE)), 0)


def names_of(text: str) -> set[str]:
    """The capitalised words of a text that are probably names; in German, those with two capitals.

    The first word of a sentence is none unless it has more capitals than one.
    """
    plain = without_ids(text)
    words = list(_CAPITALISED.finditer(plain))
    german = sum(word[0] in _GERMAN for word in words) >= 2
    found = set()
    for word in words:
        inner = any(c.isupper() for c in word[0][1:])
        before = plain[max(word.start() - 4, 0) : word.start()].rstrip()
        starts = word.start() == 0 or (not before and word.start() < 4) or before[-1:] in _STARTS
        if inner or (word[0][0].isupper() and not starts and not german and len(word[0]) > 2):
            found.add(word[0].removesuffix("'s").removesuffix("’s"))
    return {name for name in found if not is_everyday(name) and name.casefold() not in _CALENDAR}


def strange(text: str, sources: str, day: date | None = None) -> set[str]:
    """The numbers and names of a text that none of its `sources` has."""
    return _strange(text, *_known(sources), day)


def _known(sources: str) -> tuple[frozenset[str], str]:
    """The numbers of sources, and their words."""
    folded = without_ids(sources).casefold()
    return frozenset(n.lstrip("0") for n in _NUMBER.findall(folded)), folded


def _strange(text: str, numbers: Collection[str], folded: str, day: date | None) -> set[str]:
    found = {n for n in numbers_of(text, day) if n.lstrip("0") not in numbers}
    return found | {name for name in names_of(text) if name.casefold() not in folded}


class Checks:
    """The messages of one slice, in the order they were numbered in, and what may be noted of them."""

    def __init__(
        self,
        messages: Sequence[Message],
        participants: Participants,
        members: Mapping[int, Member],
        earlier: Sequence[Note],
        day: date,
        names: Names | None = None,
    ) -> None:
        self._messages = messages
        self._cast = participants
        self._names = Names(members.values()) if names is None else names
        self._earlier = earlier
        self._day = day
        self._named = [self._names.named(message.text) for message in messages]
        self._channels = {mark: channel for channel, mark in channel_marks(messages).items()}
        self._words = frozenset(w.casefold() for m in messages for w in re.findall(r"\bu\d{1,6}\b", m.text, re.I))
        self._stems = frozenset(stem for m in messages for stem in keywords(m.text))
        self._noted = {(note.user_id, _bare(note.text)) for note in earlier}

    def shows(self, n: int, user_id: int) -> bool:
        """Whether a message, numbered from 1, can show something about a person: by them, to them or naming them."""
        message = self._messages[n - 1]
        people = {message.user_id, *message.addressees, *mentioned(message.text)}
        return user_id in people or user_id in self._named[n - 1]

    def passed(self, line: Line) -> FoundNote | None:
        """The note of a line, with ids for people, if all of it is borne out; None where it is not."""
        who = self._who(line)
        ends = line.ends - 1 if line.ends is not None and 1 <= line.ends <= len(self._earlier) else None
        if who is None:
            return None
        user_id, channel_id = who
        shown = [n for n in dict.fromkeys(line.evidence) if self._counts(n, user_id, channel_id)]
        text = self._text(line.text, shown)
        if not shown or text is None or is_not_to_be_noted(text):
            return None
        ended = self._earlier[ends].text if ends is not None else ""
        complete = self._completed(text, shown, user_id, self._near(text, shown, line.evidence), ended)
        if complete is None or (user_id, _bare(text)) in self._noted:
            return None
        shown, near = complete
        self._noted.add((user_id, _bare(text)))
        messages = sorted((self._messages[n - 1] for n in shown), key=lambda m: m.message_id)
        note = Note(
            guild_id=messages[0].guild_id,
            audience=messages[0].audience,
            user_id=user_id,
            channel_id=messages[-1].channel_id if channel_id is None else channel_id,
            kind=line.kind,
            text=text,
            weight=line.weight,
            people=tuple(u for u in mentioned(text) if u != user_id),
            evidence=tuple(m.message_id for m in messages),
            evidence_by=tuple(m.user_id for m in messages),
            at=messages[-1].timestamp,
        )
        return FoundNote(
            note=note,
            ends=self._earlier[ends].note_id if ends is not None else None,
            earlier_ids=self._earlier_ids(text),
            context_ids=tuple(m.message_id for m in near),
        )

    def _who(self, line: Line) -> tuple[int | None, int | None] | None:
        """(member, channel) a line is about, one of them None; None where there is no such, or the kind is wrong."""
        if line.who.startswith("c"):
            channel_id = self._channels.get(line.who)
            return (None, channel_id) if channel_id is not None and line.kind is NoteKind.CHANNEL else None
        user_id = self._cast.id(line.who)
        return (user_id, None) if user_id is not None and line.kind is not NoteKind.CHANNEL else None

    def _counts(self, n: int, user_id: int | None, channel_id: int | None) -> bool:
        if not 1 <= n <= len(self._messages):
            return False
        return self._messages[n - 1].channel_id == channel_id if user_id is None else self.shows(n, user_id)

    def _text(self, text: str, shown: Sequence[int]) -> str | None:
        """A line's text with ids for marks, and for names of people who take part in what shows it."""
        told = self._cast.with_ids(accepted(text, NOTE_CHARACTERS), self._words)
        if told is None:
            return None
        near = {u for n in shown for m in self._around(n) for u in (m.user_id, *m.addressees)}

        def whose(name: str) -> int | None:
            user_id = self._names.whose(name)
            return user_id if user_id in near else None

        return with_ids(told, whose) if re.search(r"\w", without_ids(told)) else None

    def _around(self, n: int) -> list[Message]:
        """A message and its neighbours in its channel."""
        channel = self._messages[n - 1].channel_id
        return [m for m in self._messages[max(n - 1 - NEIGHBOURS, 0) : n + NEIGHBOURS] if m.channel_id == channel]

    def _near(self, text: str, shown: Sequence[int], cited: Sequence[int]) -> list[Message]:
        """The messages around what shows a text, and around what is cited of people in it: what an advice answers."""
        people = mentioned(text)
        asked = [n for n in cited if 1 <= n <= len(self._messages) and self._messages[n - 1].user_id in people]
        near = {m.message_id: m for n in (*shown, *asked) for m in self._around(n)}
        return [m for m in near.values() if m.message_id not in {self._messages[n - 1].message_id for n in shown}]

    def _completed(
        self, text: str, shown: Sequence[int], user_id: int | None, near: Sequence[Message], ended: str
    ) -> tuple[list[int], list[Message]] | None:
        """The numbers that show a text, and the messages near them that have what these have not.

        What no message near them has is looked for in others that can show it. None where something of it is in none.
        """
        complete, rest = list(shown), []
        missing = strange(text, " ".join([ended, *(self._messages[n - 1].text for n in shown)]), self._day)
        for message in near:
            if missing and (found := missing - strange(text, message.text, self._day)):
                rest.append(message)
                missing -= found
        for n in range(1, len(self._messages) + 1):
            if not missing or len(complete) >= EVIDENCE:
                break
            if n not in complete and (user_id is None or self.shows(n, user_id)):
                found = missing - strange(text, self._messages[n - 1].text, self._day)
                if found:
                    complete.append(n)
                    missing -= found
        return None if missing else (complete, rest)

    def _earlier_ids(self, text: str) -> tuple[int, ...]:
        """The earlier notes whose words a text takes up that no message of the slice has: it goes with them."""
        words = keywords(text)
        own = {stem for stem in words if stem not in self._stems}
        return tuple(note.note_id for note in self._earlier if own & set(keywords(note.text)))


def _bare(text: str) -> str:
    return " ".join(re.findall(r"\w+", text.casefold()))


def is_not_to_be_noted(text: str) -> bool:
    """Whether a text is of a kind that is never noted (DESIGN.md §6): sensitive, unlawful, secret, or an order."""
    plain = without_ids(text)
    return (
        matter_of(_TECHNICAL.sub(" ", plain)) is not None
        or is_unlawful(plain)
        or bool(secrets_in(plain))
        or is_order(plain)
    )


def borne_out(text: str, sources: str, day: date) -> str:
    """A model's account without the sentences that have a person, name or number of none of its sources."""
    people, known = set(mentioned(sources)), _known(sources)
    kept = [
        sentence
        for sentence in re.split(r"(?<=[.!?…;])\s+", text)
        if set(mentioned(sentence)) <= people and not _strange(sentence, *known, day)
    ]
    return " ".join(kept)


def most_telling(found: Iterable[FoundNote], limit: int) -> list[FoundNote]:
    """As many notes as the budget has, the weightiest, in their order."""
    notes = list(found)
    if len(notes) <= limit:
        return notes
    chosen: Collection[int] = sorted(range(len(notes)), key=lambda n: (-notes[n].note.weight, n))[:limit]
    return [notes[n] for n in sorted(chosen)]
