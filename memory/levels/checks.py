"""What a model wrote is checked by code before it is stored: its evidence, its people, its names and numbers. Pure."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Mapping, Sequence
from datetime import date

from memory.ai.prompts import NOTE_CHARACTERS, Line, Participants, accepted, channel_marks
from memory.records import FoundNote, Member, Message, Note, NoteKind
from memory.rules.content_policy import is_not_to_be_noted
from memory.rules.keywords import keywords
from memory.rules.names import Names, with_ids
from memory.rules.support import strange
from memory.rules.text import mentioned, without_ids

NEIGHBOURS = 3
"""Messages before and after one in its channel that belong to the same talk."""

EVIDENCE = 8
"""Messages that a note names as its evidence at the most."""


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
        self._stems = [frozenset(keywords(m.text)) for m in messages]
        self._noted = {(note.user_id, _bare(note.text)) for note in earlier}

    def shows(self, n: int, user_id: int) -> bool:
        """Whether a message, numbered from 1, can show something about a person: by them, to them or naming them."""
        message = self._messages[n - 1]
        people = {message.user_id, *message.addressees, *mentioned(message.text)}
        return user_id in people or user_id in self._named[n - 1]

    def verify(self, line: Line) -> FoundNote | None:
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
        of_person, others = self._sharing(text, shown, user_id)
        context = {m.message_id for m in near} | {self._messages[n - 1].message_id for n in of_person | others}
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

        What no message near them has is looked for in others about the person, then in those by people in the text.
        None where something of it is in none.
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
        others = set(mentioned(text))
        for message in self._messages:
            if missing and message.user_id in others and (found := missing - strange(text, message.text, self._day)):
                rest.append(message)
                missing -= found
        return None if missing else (complete, rest)

    def _sharing(self, text: str, shown: Sequence[int], user_id: int | None) -> tuple[set[int], set[int]]:
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
