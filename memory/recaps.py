"""The recap of a server's last days, for everybody: what was settled, what came of it, who helped whom."""

from __future__ import annotations

import logging
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from zoneinfo import ZoneInfo

from memory.ai import AIError
from memory.ai.models import AI
from memory.ai.prompts import RECAP_CHARACTERS, Participants, RecapAnswer, accepted, recap
from memory.core import Core
from memory.ids import AudienceId, ChannelId, GuildId, MessageId
from memory.levels.composing import most_important
from memory.levels.notes import Notes
from memory.levels.quoting import Quoting
from memory.records import EVERYONE, Message, Note, NoteKind, Quote, Recap, RecapLine, RecapPart
from memory.rules.calendar import bounds, day_of
from memory.rules.content_policy import keep_allowed_sentences, may_be_quoted
from memory.rules.text import mentioned

log = logging.getLogger(__name__)

DAYS = timedelta(days=7)
"""What a recap tells of."""

PARTS = {
    NoteKind.DECISION: RecapPart.DECIDED,
    NoteKind.PLAN: RecapPart.DECIDED,
    NoteKind.OUTCOME: RecapPart.HAPPENED,
    NoteKind.EVENT: RecapPart.HAPPENED,
    NoteKind.CHANNEL: RecapPart.HAPPENED,
    NoteKind.ADVICE: RecapPart.HELPED,
}
"""The kinds of notes that a recap is made from. Open problems, questions, moods and traits are nobody's news."""

NOTES_A_PART, LINES_A_PART = 10, 3
"""Notes that a model is shown for each part; and lines that a part has where no model joined them."""

LINES, QUOTES = 8, 3
"""Lines and quotes of a recap, at the most."""

MESSAGES = 12
"""Messages from which a model chooses what is quoted."""

FEWEST_MESSAGES = 5
"""Messages of a day below which it is not read for a recap."""


@dataclass(frozen=True)
class Recaps:
    """Makes recaps from notes that everybody may hear. One call each, besides reading days that nobody read yet."""

    _core: Core
    _ai: AI
    _notes: Notes

    async def make(
        self,
        guild_id: GuildId,
        audiences: Collection[AudienceId],
        until: datetime,
        language: str,
        *,
        hidden: Collection[ChannelId],
        asks: bool,
    ) -> Recap:
        """The recap of the seven days before `until`; without lines where there is nothing to tell.

        It is about members who let the bot remember everything, and from channels that it reads and that are not
        `hidden`. If it `asks` no model, it has the most important notes as they are, and no quotes. Raises AIError and
        DatabaseUnavailable.
        """
        tz = await self._core.guilds.zone(guild_id)
        since = until - DAYS
        known = (await self._core.guilds.channels(guild_id)).values()
        names = {channel.channel_id: channel.name for channel in known if channel.audience == EVERYONE}
        quoting = await Quoting.load(self._core, guild_id, names)
        made = Recap(since=day_of(since, tz), until=day_of(until, tz), version=quoting.screen.suppressed.version)
        if EVERYONE not in audiences:
            return made
        if asks:
            await self._read(guild_id, since, until, tz)
        noted = await self._core.store.notes.list_for(guild_id, [EVERYONE], since, until)
        evidence = [message_id for note in noted for message_id in note.evidence]
        found = await self._core.store.messages.get_many(guild_id, evidence) if evidence else []
        channel_of = {message.message_id: message.channel_id for message in found}
        notes = _chosen([note for note in noted if _is_news(note, quoting, hidden, channel_of)])
        quotable = await self._quotable(guild_id, notes, since, until, quoting, hidden) if asks else []
        if not notes and not quotable:
            return made
        people = {*mentioned(" ".join(n.text for n in notes)), *(n.user_id for n in notes if n.user_id)}
        people |= {message.user_id for message in quotable} | {u for m in quotable for u in mentioned(m.text)}
        members = await self._core.store.people.members(guild_id, people)
        participants = Participants(sorted(people & members.keys()), members)
        lines, quoted = [_line([n], PARTS[n.kind], _sentence(n)) for n in _few(notes)], list[Message]()
        if asks:
            asked = recap(guild_id, notes=notes, messages=quotable, participants=participants, language=language)
            answer = (await self._ai.small.ask(asked)).value
            lines = _checked(answer, notes, participants, quoting) or lines
            quoted = [quotable[n - 1] for n in dict.fromkeys(answer.quotes) if 1 <= n <= len(quotable)][:QUOTES]
        cited = {note_id for line in lines for note_id in line.note_ids}
        rested = {message_id for note in notes if note.note_id in cited for message_id in note.evidence}
        return Recap(
            since=made.since,
            until=made.until,
            lines=tuple(lines),
            quotes=tuple(_quote(message) for message in quoted),
            source_ids=tuple({*rested, *(message.message_id for message in quoted)}),
            version=made.version,
        )

    async def _read(self, guild_id: GuildId, since: datetime, until: datetime, tz: ZoneInfo) -> None:
        """Read the days that no model has read, as far as the quota for that goes."""
        now, (until, _) = self._core.clock(), bounds(day_of(until, tz), tz)
        days = await self._core.store.notes.unread_days(guild_id, tz.key, since, until, FEWEST_MESSAGES)
        try:
            for day, audience in days:
                if audience == EVERYONE:
                    await self._notes.read(guild_id, audience, day, now, tz, is_ahead=True)
        except AIError as failed:
            log.info("guild %d: a recap is made without all that was said (%s)", guild_id, type(failed).__name__)

    async def _quotable(
        self,
        guild_id: GuildId,
        notes: Sequence[Note],
        since: datetime,
        until: datetime,
        quoting: Quoting,
        hidden: Collection[ChannelId],
    ) -> list[Message]:
        """Messages that may be quoted: those that people replied to most, then those that the notes rest on."""
        store = self._core.store.messages
        answered = await store.most_answered(guild_id, EVERYONE, since, until, 2 * MESSAGES)
        evidence = [message_id for note in notes for message_id in note.evidence]
        cited = await store.get_many(guild_id, evidence) if evidence else []
        every = {m.message_id: m for m in (*answered, *cited) if m.audience == EVERYONE and m.channel_id not in hidden}
        return (await quoting.quotable(list(every.values())))[:MESSAGES]


def _is_news(
    note: Note, quoting: Quoting, hidden: Collection[ChannelId], channel_of: Mapping[MessageId, ChannelId]
) -> bool:
    """Whether everybody may read a note on a public page that nobody asked for.

    `channel_of` has the channels of the messages that notes rest on.
    """
    people = {*note.people, *note.evidence_by} | ({note.user_id} if note.user_id is not None else set())
    channels = {note.channel_id, *(channel_of[n] for n in note.evidence if n in channel_of)}
    return (
        note.kind in PARTS
        and note.superseded_by is None
        and channels.isdisjoint(hidden)
        and all(map(quoting.is_read, channels))
        and not quoting.names_silent(note.text, people)
        and may_be_quoted(note.text)
        and not quoting.screen.forbids(note.text, people)
    )


def _chosen(notes: Sequence[Note]) -> list[Note]:
    """The most important notes of each part."""
    parts: dict[RecapPart, list[Note]] = {part: [] for part in RecapPart}
    for note in notes:
        parts[PARTS[note.kind]].append(note)
    return [n for of_part in parts.values() for n in most_important(of_part, None, NOTES_A_PART)]


def _few(notes: Sequence[Note]) -> list[Note]:
    """The notes that are told where no model joins them."""
    found: dict[RecapPart, list[Note]] = {part: [] for part in RecapPart}
    for note in sorted(notes, key=lambda n: (-n.weight, n.at)):
        if len(of_part := found[PARTS[note.kind]]) < LINES_A_PART:
            of_part.append(note)
    return [note for of_part in found.values() for note in of_part][:LINES]


def _checked(
    answer: RecapAnswer, notes: Sequence[Note], participants: Participants, quoting: Quoting
) -> list[RecapLine]:
    """The lines of a model that its notes bear out, about people of these notes alone."""
    lines = []
    for written in answer.lines:
        cited = [notes[n - 1] for n in dict.fromkeys(written.notes) if 1 <= n <= len(notes)]
        text = participants.with_ids(accepted(written.text, RECAP_CHARACTERS))
        if not cited or text is None:
            continue
        people = {u for n in cited for u in (n.user_id, *n.people, *mentioned(n.text)) if u is not None}
        whole = keep_allowed_sentences(text, " ".join(map(_sentence, cited)), None)
        if not whole or not people.issuperset(mentioned(whole)) or quoting.screen.forbids(whole, people):
            continue
        if may_be_quoted(whole):
            lines.append(_line(cited, written.part, whole))
    return lines[:LINES]


def _sentence(note: Note) -> str:
    return note.text if note.user_id is None else f"<@{note.user_id}> {note.text}"


def _line(notes: Sequence[Note], part: RecapPart, text: str) -> RecapLine:
    last = max(notes, key=lambda note: note.at)
    return RecapLine(
        part=part,
        text=text,
        channel_id=last.channel_id,
        message_id=last.evidence[-1],
        note_ids=tuple(note.note_id for note in notes),
    )


def _quote(message: Message) -> Quote:
    return Quote(
        user_id=message.user_id, text=message.text, channel_id=message.channel_id, message_id=message.message_id
    )
