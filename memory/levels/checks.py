"""What a model wrote is checked by code before it is stored: its evidence, its people, its names and numbers. Pure."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Mapping, Sequence
from datetime import date

from memory.ai.prompts import NOTE_CHARACTERS, Line, Participants, accepted, channel_marks
from memory.ids import ChannelId, UserId
from memory.records import FoundNote, Member, Message, Note, NoteKind
from memory.rules.content_policy import is_not_to_be_noted
from memory.rules.keywords import keywords
from memory.rules.names import Names, with_ids
from memory.rules.omission import without
from memory.rules.support import contradicted, someone, strange, strange_counts
from memory.rules.text import mentioned, without_ids

NEIGHBOURS = 3
"""Messages before and after one in its channel that belong to the same talk."""

_VERSION = re.compile(r"\d{1,4}(?:\.\d{1,4}){1,2}")

_TOLD_BY_OTHERS = frozenset({NoteKind.EVENT, NoteKind.RELATION})
"""Kinds of notes that others' words can show of a person."""

FEW_WRITERS = 2
"""People who write around a message besides whom a note is about, at the most, for all to take part in one talk."""

FAR = 60
"""How many messages apart two cited ones may be at the most, if they have no word in common."""

TOPIC_REACH, TOPIC_WRITERS = 40, 3
"""Messages before and after what shows a note, and how many people must write a version in them at the least, so that
the talk is about it and nobody need name it."""

SAME_MATTER = 3
"""Words of an advice in a question of anybody, at the least, for it to be about the same matter."""

EVIDENCE = 8
"""Messages that a note names as its evidence at the most."""


class Checks:
    """The messages of one slice, in the order they were numbered in, and what may be noted of them.

    The names of `channel_names` need no message: who writes in "ubuntu" may be noted to use Ubuntu.
    """

    def __init__(
        self,
        messages: Sequence[Message],
        participants: Participants,
        members: Mapping[UserId, Member],
        earlier: Sequence[Note],
        day: date,
        names: Names | None = None,
        *,
        channel_names: str = "",
    ) -> None:
        self._messages = messages
        self._cast = participants
        self._names = Names(members.values()) if names is None else names
        self._earlier = earlier
        self._day = day
        self._channel_names = channel_names
        self._named = [self._names.named(message.text) for message in messages]
        self._channels = {mark: channel for channel, mark in channel_marks(messages).items()}
        self._words = frozenset(w.casefold() for m in messages for w in re.findall(r"\bu\d{1,6}\b", m.text, re.I))
        self._writers = {m.user_id for m in messages}
        self._numbers = {message.message_id: n for n, message in enumerate(messages, 1)}
        self._stems = [frozenset(keywords(m.text)) for m in messages]
        self._noted = {(note.user_id, _bare(note.text)) for note in earlier}

    def shows(self, n: int, user_id: UserId) -> bool:
        """Whether a message, numbered from 1, can show something about a person: by them, to them or naming them."""
        return user_id in self._people(self._messages[n - 1])

    def verify(self, line: Line) -> FoundNote | None:
        """The note of a line, with ids for people, if all of it is borne out; None where it is not."""
        who = self._who(line)
        ends = line.ends - 1 if line.ends is not None and 1 <= line.ends <= len(self._earlier) else None
        if who is None:
            return None
        user_id, channel_id = who
        shown = [n for n in dict.fromkeys(line.evidence) if self._counts(n, user_id, channel_id)]
        text = self._text(line.text, shown)
        if not self._says(line.kind, user_id, shown) or text is None or is_not_to_be_noted(text):
            return None
        if f"@{line.who}" in re.findall(r"@\w+", line.text):
            return None  # nobody tells of themselves by name: it is about the wrong person
        of_ended = self._earlier[ends] if ends is not None else None
        text = self._without_strangers(text, user_id, line, of_ended)
        ended = self._earlier[ends].text if ends is not None else ""
        near = self._near(text, shown, line.evidence)
        shown, near, missing = self._completed(text, shown, user_id, near, ended, line.kind)
        missing |= contradicted(text, " \n ".join((ended, *(self._messages[n - 1].text for n in shown))))
        kept = without(text, missing) if missing else text
        if kept is None or missing & strange(kept, "", self._day) or (user_id, _bare(kept)) in self._noted:
            return None
        text = kept
        of_person, others = self._sharing(text, shown, user_id)
        context = {m.message_id for m in near} | {self._messages[n - 1].message_id for n in of_person | others}
        cited = {self._messages[n - 1].message_id for n in shown}
        bearing = (message.text for message in self._messages if message.message_id in context | cited)
        if strange_counts(text, " ".join((ended, *bearing))):
            return None
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
            earlier_ids=self._earlier_ids(text, of_person.union(shown)),
            context_ids=tuple(sorted(context)),
        )

    def _who(self, line: Line) -> tuple[UserId | None, ChannelId | None] | None:
        """(member, channel) a line is about, one of them None; None where there is no such, or the kind is wrong."""
        if line.who.startswith("c"):
            channel_id = self._channels.get(line.who)
            return (None, channel_id) if channel_id is not None and line.kind is NoteKind.CHANNEL else None
        user_id = self._cast.id(line.who)
        return (user_id, None) if user_id is not None and line.kind is not NoteKind.CHANNEL else None

    def _counts(self, n: int, user_id: UserId | None, channel_id: ChannelId | None) -> bool:
        if not 1 <= n <= len(self._messages):
            return False
        return self._messages[n - 1].channel_id == channel_id if user_id is None else self.shows(n, user_id)

    def _says(self, kind: NoteKind, user_id: UserId | None, shown: Sequence[int]) -> bool:
        """Whether messages can show a note about somebody.

        One of them must be theirs, unless the note tells of an event or a relation, or they wrote nothing in the slice.
        """
        if user_id is None or kind in _TOLD_BY_OTHERS or user_id not in self._writers:
            return bool(shown)
        return any(self._messages[n - 1].user_id == user_id for n in shown)

    def _without_strangers(self, text: str, user_id: UserId | None, line: Line, ended: Note | None) -> str:
        """Replace people who had no part in the talk by "someone".

        These had part in it: the people of a cited message, whose names may be written small, those who spoke with
        the subject around it, everyone who writes there if they are few (people who answer each other often name
        nobody), and the people of the note that is `ended`. Who only writes there gets no advice that was given to
        somebody else.
        """
        present = {*ended.people, ended.user_id} if ended is not None else set[UserId | None]()
        relevant = [n for n in line.evidence if self._is_relevant(n, text, user_id, line.evidence)]
        named = {person for n in relevant for person in self._people(self._messages[n - 1])}
        present |= named
        for n in relevant:
            others = {message.user_id for message in self._around(n)} - {user_id}
            is_to_another = line.kind is NoteKind.ADVICE and bool(named - {user_id})
            present |= others if len(others) <= FEW_WRITERS and not is_to_another else set()
            for message in self._around(n):
                people = self._people(message)
                present |= people if message.user_id == user_id else set()
                present |= {message.user_id} if user_id in people else set()
        if strangers := {*mentioned(text)} - present - {user_id}:
            cited = (with_ids(self._messages[n - 1].text, self._names.whose) for n in relevant)
            strangers -= {person for words in cited for person in mentioned(words)}
        for stranger in strangers:
            text = text.replace(f"<@{stranger}>", someone(text))
        return text

    def _is_relevant(self, n: int, text: str, user_id: UserId | None, cited: Sequence[int]) -> bool:
        """Whether a cited message belongs to a text: it shows the subject, is near such a one, or shares a word."""
        if not 1 <= n <= len(self._messages):
            return False
        if user_id is None or self.shows(n, user_id) or not self._stems[n - 1].isdisjoint(keywords(text)):
            return True
        return any(abs(n - m) <= FAR for m in cited if self._counts(m, user_id, None))

    def _people(self, message: Message) -> set[UserId]:
        """Who wrote a message, to whom, and who is named in it."""
        named = self._named[self._numbers[message.message_id] - 1]
        return {message.user_id, *message.addressees, *mentioned(message.text), *named}

    def _text(self, text: str, shown: Sequence[int]) -> str | None:
        """A line's text with ids for marks, and for names of people who take part in what shows it."""
        told = self._cast.with_ids(accepted(text, NOTE_CHARACTERS), self._words)
        if told is None:
            return None
        near = {u for n in shown for m in self._around(n) for u in (m.user_id, *m.addressees)}

        def whose(name: str) -> UserId | None:
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
        self,
        text: str,
        shown: Sequence[int],
        user_id: UserId | None,
        near: Sequence[Message],
        ended: str,
        kind: NoteKind,
    ) -> tuple[list[int], list[Message], set[str]]:
        """The numbers that show a text, the messages near them that have what these have not, and what none has.

        What no message near them has is looked for in others about the person, or by people in the text; for a
        number, in those that have a word of it besides. An advice may have a name from the question it answers.
        """
        complete, rest = list(shown), []
        missing = strange(
            text, " ".join([self._channel_names, ended, *(self._messages[n - 1].text for n in shown)]), self._day
        )
        for message in near:
            if missing and (found := missing - strange(text, message.text, self._day)):
                rest.append(message)
                missing -= found
        others = set(mentioned(text))
        told = set(keywords(text)).difference(*map(keywords, missing))
        for n in range(1, len(self._messages) + 1) if missing else ():
            is_about = user_id is None or self.shows(n, user_id)
            message = self._messages[n - 1]
            shared = len(told & self._stems[n - 1])
            is_question = kind is NoteKind.ADVICE and n < max(shown, default=0) and shared >= SAME_MATTER
            is_same_matter = is_about or message.user_id in others or is_question
            if not missing or n in complete or not is_same_matter:
                continue
            found = missing - strange(text, message.text, self._day)
            if not shared or not (is_about or message.user_id in others):  # a number may be of anything
                found = {one for one in found if any(map(str.isalpha, one))}
            if found and len(complete) < EVIDENCE:
                missing -= found
                if is_about:
                    complete.append(n)
                else:
                    rest.append(message)
        for version in filter(_VERSION.fullmatch, set(missing)):
            if (named := self._topic(version, text, shown)) is not None:
                rest.append(named)
                missing -= {version}
        return complete, rest, missing

    def _topic(self, version: str, text: str, shown: Sequence[int]) -> Message | None:
        """The nearest message with a version that the talk around what shows a text is about; None where it isn't.

        Nor is it if one of these messages has another version, which the text leaves out: then that one is meant.
        """
        told = [self._messages[n - 1] for n in shown]
        others = {other for message in told for other in _VERSION.findall(message.text)}
        if not told or any(strange(other, text) for other in others if not version.startswith(other)):
            return None
        first, last = min(shown) - 1, max(shown) - 1
        around = self._messages[max(first - TOPIC_REACH, 0) : last + TOPIC_REACH + 1] if last - first <= FAR else ()
        having = [m for m in around if m.channel_id == told[0].channel_id and not strange(version, m.text)]
        if len({message.user_id for message in having}) < TOPIC_WRITERS:
            return None
        return min(having, key=lambda message: abs(message.message_id - told[0].message_id))

    def _sharing(self, text: str, shown: Sequence[int], user_id: UserId | None) -> tuple[set[int], set[int]]:
        """Find messages with words of a text that the cited ones lack: those about the person, and others.

        The text may be made from them, and is deleted with them. Others count only for words that no message about the
        person has.
        """
        own = set(keywords(text)).difference(*(self._stems[n - 1] for n in shown))
        sharing = {n for n, stems in enumerate(self._stems, 1) if n not in shown and own & stems}
        of_person = {n for n in sharing if user_id is None or self.shows(n, user_id)}
        rest = own.difference(*(self._stems[n - 1] for n in of_person))
        return of_person, {n for n in sharing - of_person if rest & self._stems[n - 1]}

    def _earlier_ids(self, text: str, numbers: Collection[int]) -> tuple[int, ...]:
        """The earlier notes that have words of a text which its messages have not: it goes with them."""
        own = set(keywords(text)).difference(*(self._stems[n - 1] for n in numbers))
        return tuple(note.note_id for note in self._earlier if own & set(keywords(note.text)))


def _bare(text: str) -> str:
    return " ".join(re.findall(r"\w+", text.casefold()))


def most_telling(found: Iterable[FoundNote], limit: int) -> list[FoundNote]:
    """As many notes as the budget has, the weightiest, in their order."""
    notes = list(found)
    if len(notes) <= limit:
        return notes
    chosen: Collection[int] = sorted(range(len(notes)), key=lambda n: (-notes[n].note.weight, n))[:limit]
    return [notes[n] for n in sorted(chosen)]
