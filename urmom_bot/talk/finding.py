"""What was said and noted, told without any AI: the lines that a search finds, and what somebody missed."""

from __future__ import annotations

import html
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime

from memory import (
    AuthorKind,
    Entry,
    Fact,
    Member,
    MemoryManager,
    Message,
    Note,
    Query,
    Recalled,
    Standing,
    fit,
    jump_link,
    mentioned,
    rendered,
    with_names,
)
from urmom_bot.talk import grammar
from urmom_bot.talk.people import distinct
from urmom_bot.talk.requests import Reply, Request
from urmom_bot.talk.texts import Words

_BRACKETS = re.compile(r"[\[\]()<>]")
"""Signs that a link is made of."""

FOUND = "found"
"""The key under which what a search found stands in the record of what an answer was given."""

SHOWN = 200
"""Characters of one line."""

LINES = 5
"""Lines that answer where no AI does."""

ASKED_FOR = 10
"""Lines that answer who asks for a search."""

CHANNELS = 4
"""Channels that are named of an absence."""


@dataclass(frozen=True, kw_only=True)
class Found:
    """Lines as text, and what they tell."""

    text: str
    entries: tuple[Entry, ...]


class Finder:
    """Tells what was found, dated and linked."""

    def __init__(self, memory: MemoryManager, bot_name: str) -> None:
        self._memory = memory
        self._bot_name = bot_name

    async def found(self, query: Query) -> Recalled:
        """What answers a question, without messages that only asked the bot something."""
        recalled = await self._memory.recall(query)
        messages = ((m, s) for m, s in recalled.messages if not grammar.asks_the_bot(m.text, self._bot_name))
        return replace(recalled, messages=tuple(messages))

    async def recall(self, said: Request, question: str, words: Words) -> Reply:
        """The lines that best answer a question."""
        found = await self.lines(said, await self.found(said.query(question)), words, limit=ASKED_FOR)
        if found is None:
            return Reply(text=words("recall_nothing"))
        return Reply(text=words("recall_found", lines=found.text))

    async def lines(self, said: Request, recalled: Recalled, words: Words, *, limit: int = LINES) -> Found | None:
        """What was found as a few lines, facts and notes before messages; None where nothing was."""
        entries: list[Entry] = [fact for fact, score in recalled.facts[:2] if score >= 1]
        entries += [note for note, score in recalled.notes[:2] if score >= 1]
        messages = [m for m, _ in recalled.messages if m.author_kind is not AuthorKind.SELF]
        entries += messages[: limit - len(entries)]
        if not entries:
            return None
        members = await self._memory.members(said.guild, _named(entries))
        channels = {c.channel_id: c.name for c in (await self._memory.channels(said.guild)).values()}
        lines = [await self._line(said, entry, members, channels, words) for entry in entries]
        return Found(text="\n".join(lines), entries=tuple(entries))

    async def listed(self, guild_id: int, facts: Sequence[Fact], words: Words) -> str:
        """Facts as lines, each with who told it."""
        members = await self._memory.members(guild_id, {fact.stated_by for fact in facts})
        return "\n".join(fact_line(fact, members, self._memory.standing(fact), words) for fact in facts)

    async def _line(
        self, said: Request, entry: Entry, members: Mapping[int, Member], channels: Mapping[int, str], words: Words
    ) -> str:
        if isinstance(entry, Message):
            people = distinct(members)
            text = html.unescape(rendered(entry, people, channels))
            who = people.get(entry.user_id, words("someone"))
        else:
            shown = {u: m.display_name for u, m in members.items()}
            text = with_names(entry.value if isinstance(entry, Fact) else entry.text, shown)
            who = shown.get(entry.user_id or 0, "") if isinstance(entry, Note) else ""
        when = int(_moment(entry).timestamp())
        where = await self._address(said, entry)
        told = f"{who}: {fit(text, SHOWN)}" if who else fit(text, SHOWN)
        return f"• <t:{when}:f> {plain(told)}" + (f" [↪](<{where}>)" if where else "")

    async def linked(self, said: Request, entry: Entry, members: Mapping[int, Member]) -> str | None:
        """A link to where something was said, called by who said it and when."""
        where = await self._address(said, entry)
        if where is None:
            return None
        by = entry.stated_by if isinstance(entry, Fact) else entry.user_id or 0
        name = members[by].display_name if by in members else "…"
        return f"[{_BRACKETS.sub('', name)}, {_moment(entry):%Y-%m-%d}](<{where}>)"

    async def _address(self, said: Request, entry: Entry) -> str | None:
        """The address of the message that something stands in, or that shows it; None where none may be read."""
        if isinstance(entry, Fact):
            return entry.jump
        if isinstance(entry, Message):
            return jump_link(said.guild, entry.channel_id, entry.message_id)
        for message_id in entry.evidence:
            message = await self._memory.message(said.guild, message_id)
            if message is not None and message.audience in said.audiences:
                return jump_link(said.guild, message.channel_id, message.message_id)
        return None

    async def missed(self, said: Request, words: Words) -> Reply:
        """What the speaker missed since they last wrote, in a few lines with links."""
        found = await self._memory.missed(
            said.guild, said.speaker.user_id, audience=said.audience, before_id=said.message_id
        )
        since = f"<t:{int(found.since.timestamp())}:R>"
        if not found.talked:
            return Reply(text=words("missed_nothing", since=since))
        shown = [
            f"<#{t.channel_id}> ([{t.messages}](<{jump_link(said.guild, t.channel_id, t.first_id)}>))"
            for t in found.talked[:CHANNELS]
        ]
        told = [words("missed", since=since, channels=", ".join(shown))]
        members = await self._memory.members(said.guild, _named(found.notes))
        channels = {c.channel_id: c.name for c in (await self._memory.channels(said.guild)).values()}
        told += [await self._line(said, note, members, channels, words) for note in found.notes]
        notes = {
            FOUND: {
                "facts": [],
                "messages": [m for note in found.notes for m in note.evidence],
                "notes": [note.note_id for note in found.notes],
            }
        }
        return Reply(text="\n".join(told), given=notes if found.notes else {})


def fact_line(fact: Fact, members: Mapping[int, Member], standing: Standing, words: Words) -> str:
    """A fact with its number, teller, date, source, and what keeps it from being told."""
    if fact.stated_by == fact.user_id:
        teller = words("teller_self")
    else:
        found = members.get(fact.stated_by)
        teller = found.display_name if found else words("someone")
    line = words("fact_line", number=fact.fact_id, fact=fact.value, teller=teller, date=f"{fact.created_at:%Y-%m-%d}")
    marks = [words(f"mark_{standing.value}")] if standing is not Standing.CURRENT else []
    marks += [words("mark_private")] if fact.private else []
    marks += [words("mark_link", link=fact.jump)] if fact.jump else []
    return " ".join((line, *marks))


def _moment(entry: Entry) -> datetime:
    if isinstance(entry, Message):
        return entry.timestamp
    return entry.at if isinstance(entry, Note) else entry.created_at


def _named(entries: Iterable[Entry]) -> set[int]:
    """Everyone who has a name in what is shown."""
    found: set[int] = set()
    for entry in entries:
        found |= {entry.user_id or 0, *mentioned(entry.value if isinstance(entry, Fact) else entry.text)}
        if isinstance(entry, Fact):
            found.add(entry.stated_by)
    return found


def plain(text: str) -> str:
    """Words of people as they may stand in the bot's: no link hides behind other words."""
    return text.replace("](", "] (").replace("<", "‹").replace(">", "›")
