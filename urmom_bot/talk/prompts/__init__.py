"""What a model is asked when somebody talks to the bot: the words in .md, one typed function each."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime, tzinfo
from functools import cached_property
from typing import Literal

from pydantic import Field

from memory import AuthorKind, Entry, Fact, Member, Message, Note, Recalled
from memory.ai import Answering, Prompt, Text
from memory.ai.prompts import escape, fenced, instructions, listed, rendered, rendered_text
from memory.rules.names import opening
from memory.rules.text import fit, tokens, with_names
from urmom_bot.talk.people import distinct

WHOLE_PROMPT = 3_000
"""Tokens of a reply's whole prompt at the most; seed 002, §2.1, allows 4,000."""

RECENT = 700
"""Tokens of recent talk at the most, where `found` needs the room."""

ANSWERED = 350
"""Tokens of the message that is answered and the lines around it, at the most."""

CONTEXTS = 700
"""Tokens of contexts at the most, where `found` needs the room."""

DERIVED = 350
"""Tokens of notes and facts among what was found, at the most."""

LINES = 45
"""Lines that a search found, at the most: breadth in few tokens beats a few best hits."""

NOTES, FACTS = 8, 6
"""Notes and facts among what was found, at the most."""

PEOPLE = 5
"""People whose contexts a reply is given at the most."""

FORM = 220
"""Tokens of tags, and of the form of the answer where a model must be told it in words."""

LONGEST_LINE = 320
"""Characters of one line of talk: what says something says it before."""


class Replied(Answering):
    """An answer, what it rests on, and what the message wants of the bot."""

    action: Literal["answer", "remember", "forget", "know", "help"] = "answer"
    subject: str = ""
    statement: str = ""
    sources: list[int] = Field(default_factory=list)


@dataclass(frozen=True, kw_only=True)
class Talk:
    """What a reply is given of the talk, oldest first: `recent` lines, and the message answered with its neighbours."""

    recent: Sequence[Message] = ()
    answered: Message | None = None
    around: Sequence[Message] = ()


@dataclass(frozen=True, kw_only=True)
class ReplyPrompt:
    """A prompt, and what stands in it: the messages, notes and facts of `found` by their numbers, and the contexts."""

    prompt: Prompt[Replied]
    found: Mapping[int, Entry] = field(default_factory=dict)
    contexts: tuple[int, ...] = ()
    messages: tuple[int, ...] = ()


@dataclass(frozen=True, kw_only=True)
class PromptNames:
    """What people and channels are called in a prompt."""

    members: Mapping[int, Member]
    channels: Mapping[int, str]
    tz: tzinfo

    @cached_property
    def people(self) -> dict[int, str]:
        """A name for each member that no other has, without the sign that ends a name in a line."""
        return {u: _name(name) for u, name in distinct(self.members).items()}

    def text(self, stored: str) -> str:
        """A stored text with names."""
        return escape(with_names(stored, self.people), LONGEST_LINE)

    def line(self, message: Message, *, mark: str = "") -> str:
        """One line of talk, as `reply.md` tells how to read it."""
        by = "you" if message.author_kind is AuthorKind.SELF else self.people.get(message.user_id, "someone")
        to_name = "" if (to := self._answered(message)) is None else f" > {self.people[to]}"
        text = fit(rendered(message, self.people, self.channels), LONGEST_LINE)
        return f"{mark}{message.timestamp.astimezone(self.tz):%H:%M} {by}{to_name}: {text}"

    def _answered(self, message: Message) -> int | None:
        """Whom a message answers, where its words do not say so."""
        to = next((u for u in message.addressees if u in self.members), None)
        if to is None or message.text.lstrip().startswith("<@") or opening(message.text, {to: self.members[to]}):
            return None
        return to


def _name(name: str) -> str:
    return escape(name, 60).replace(":", "")


def _listed(member: Member) -> str:
    return listed(member).replace(":", "")


def reply(
    guild_id: int,
    *,
    bot_name: str,
    speaker: Member,
    text: str,
    at: datetime,
    contexts: Mapping[int, str],
    talk: Talk,
    recalled: Recalled,
    names: PromptNames,
) -> ReplyPrompt:
    """Ask for a reply within the whole prompt's budget: what is free of it goes to what was found."""
    question = f"{_listed(speaker)}: {rendered_text(fit(text, 2_400), names.people, names.channels)}"
    task = instructions("reply", __name__)
    room = WHOLE_PROMPT - tokens(task) - tokens(question) - FORM

    told = {u: _context(u, context, names.members) for u, context in list(contexts.items())[:PEOPLE]}
    while told and sum(map(tokens, told.values())) > min(CONTEXTS, room):
        told.popitem()
    room -= sum(map(tokens, told.values()))
    answered = _answered(talk, names)
    room -= sum(map(tokens, answered.values()))
    recent = _latest(talk.recent, names, min(RECENT, room))
    room -= sum(map(tokens, recent.values()))
    shown = {*recent, *answered}
    found = _found(recalled, names, room, but=shown, known=told.values())
    lines, numbered = _numbered(found, names)
    prompt = Prompt(
        name="reply",
        instructions=task,
        data=fenced(
            {
                "you": escape(bot_name, 40),
                "now": f"{at.astimezone(names.tz):%A %Y-%m-%d %H:%M}",
                "people": list(told.values()),
                "found": lines,
                "answered": list(answered.values()),
                "recent": list(recent.values()),
                "message": question,
            }
        ),
        result=Replied,
        guild_id=guild_id,
        temperature=0.7,
        max_output_tokens=6_000,
        patience=5.0,
        time_limit=40.0,
    )
    return ReplyPrompt(prompt=prompt, found=numbered, contexts=tuple(told), messages=tuple(shown))


def _context(user_id: int, context: str, members: Mapping[int, Member]) -> str:
    return f"{_listed(members[user_id]) if user_id in members else 'someone'}: {escape(context)}"


def _answered(talk: Talk, names: PromptNames) -> dict[int, str]:
    """The message answered, and those of the lines around it that have room, in their order."""
    if talk.answered is None:
        return {}
    middle = talk.answered.message_id
    lines = {middle: names.line(talk.answered, mark="* ")}
    room = ANSWERED - tokens(lines[middle])
    for message in sorted(talk.around, key=lambda m: abs(m.message_id - middle)):
        line = names.line(message)
        if message.message_id != middle and tokens(line) <= room:
            room -= tokens(line)
            lines[message.message_id] = line
    return dict(sorted(lines.items()))


def _latest(messages: Sequence[Message], names: PromptNames, room: int) -> dict[int, str]:
    """The last lines that have room, in their order."""
    lines: dict[int, str] = {}
    for message in reversed(messages):
        line = names.line(message)
        room -= tokens(line)
        if room < 0:
            break
        lines[message.message_id] = line
    return dict(reversed(lines.items()))


def _found(
    recalled: Recalled, names: PromptNames, room: int, *, but: Collection[int], known: Iterable[str]
) -> list[Entry]:
    """What was found and has room, the best of each kind first: facts and notes a share of it, lines the rest."""
    chosen: list[Entry] = []
    derived = min(DERIVED, room)
    told = " ".join(known)
    facts = [f for f, _ in recalled.facts if names.text(f.value) not in told]
    entries: list[Fact | Note] = [*facts[:FACTS], *(n for n, _ in recalled.notes[:NOTES])]
    for entry in entries:
        cost = tokens(_entry(entry, names)) + 2
        if cost <= derived:
            derived -= cost
            room -= cost
            chosen.append(entry)
    for message in [m for m, _ in recalled.messages if m.message_id not in but][:LINES]:
        room -= tokens(names.line(message)) + 2
        if room < 0:
            break
        chosen.append(message)
    return chosen


def _entry(entry: Entry, names: PromptNames) -> str:
    if isinstance(entry, Message):
        return names.line(entry)
    if isinstance(entry, Fact):
        return f"fact: {names.text(entry.value)}"
    subject = names.people.get(entry.user_id or 0)
    return f"note{f' of {subject}' if subject else ''}: {names.text(entry.text)}"


def _moment(entry: Entry) -> datetime:
    if isinstance(entry, Message):
        return entry.timestamp
    return entry.at if isinstance(entry, Note) else entry.created_at


def _numbered(found: Sequence[Entry], names: PromptNames) -> tuple[list[str], dict[int, Entry]]:
    """What was found as lines by day, in order of time, and what each number stands for."""
    lines: list[str] = []
    numbered = dict(enumerate(sorted(found, key=_moment), 1))
    day = None
    for number, entry in numbered.items():
        if (of := _moment(entry).astimezone(names.tz).date()) != day:
            day = of
            lines.append(f"== {day:%A %Y-%m-%d}")
        lines.append(f"{number} {_entry(entry, names)}")
    return lines, numbered


def joke(guild_id: int, *, author: Member, text: str, known: str | None) -> Prompt[Text]:
    """Ask for one joke about a message, in its language."""
    return Prompt(
        name="joke",
        instructions=instructions("joke", __name__),
        data=fenced({"author": listed(author), "message": escape(text), "known": escape(known or "")}),
        result=Text,
        guild_id=guild_id,
        temperature=1.0,
        max_output_tokens=800,
        patience=5.0,
        time_limit=20.0,
    )
