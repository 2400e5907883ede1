"""What a model is asked when somebody talks to the bot: the words in .md, one typed function each."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime, tzinfo
from functools import cached_property
from itertools import islice
from typing import Literal

from pydantic import Field

from memory import AuthorKind, Fact, Member, Message, Note, Recalled, SearchHit
from memory.ai import MODEL, USER, Answering, Priority, Prompt, Text, Tool
from memory.ai.prompts import called, escape, fenced, instructions, listed, plain_name, rendered, rendered_text, task
from memory.ids import ChannelId, GuildId, MessageId, UserId
from memory.records import Background, Conclusion, Source, Turn, TurnRole, moment_of
from memory.rules.likeness import closest, domain_of_text, may_ask_something, mentions_all
from memory.rules.names import opening
from memory.rules.text import fit, one_line, tokens, with_names
from memory.rules.windows import DELTA_TOKENS, SQUEEZED_TOKENS
from urmom_bot.attachments import NOTHING_ATTACHED, Attached
from urmom_bot.talk.characters import MAX_CHARACTERS
from urmom_bot.talk.people import distinct
from urmom_bot.talk.proposals import may_ask

RECENT = 200
"""Tokens of recent talk at the most, where `found` needs the room."""

MORE_RECENT = 700
"""Tokens of recent talk at the most, where nothing else needs the room."""

ANSWERED = 350
"""Tokens of the message that is answered and the lines around it, at the most."""

CONTEXTS = 700
"""Tokens of contexts at the most, where `found` needs the room."""

DERIVED = 350
"""Tokens of notes and facts among what was found, at the most."""

MAX_FOUND_LINES = 70
"""Lines that a search found, at the most: breadth in few tokens beats a few best hits."""

OWN_FACTS, OWN_FACTS_TOKENS = 100, 500
"""The speaker's facts that go along where there is room, and their tokens (seed 000: up to 100 facts)."""

MIN_WORDS, MAX_WORDS, LONGEST_WORD = 3, 20, 40
"""Words of a second search at the least and the most, and the letters of one."""

AGAIN_TOKENS = 1_300
"""Tokens of what a second search adds to a prompt, at the most."""

SAME_LINE = 80
"""First letters of a line by which it is the same as another of its author's."""

NOTES, FACTS, CONCLUSIONS = 8, 6, 5
"""Notes, facts and conclusions among what was found, at the most; conclusions: seed 004."""

PEOPLE = 5
"""People whose contexts a reply is given at the most."""

MIN_FOUND_TOKENS = 450
"""Tokens that what was found has in any case: before it is squeezed, segments and the window are."""

AGAIN_PATIENCE, AGAIN_TIME_LIMIT = 2.0, 25.0
"""Seconds that a second question may wait for the quota, and that its answer may take: there is an answer already."""

PAGE, PAGE_LINES = 350, 50
"""Tokens that what is derived may have more where a topic's page is part of it, and the lines of such a page."""

INDEX = 250
"""Tokens of the index of topics at the most."""

ALREADY = 2
"""Turns that a squeezed window keeps: the last exchange."""

FORM, TAGS = 75, 115
"""Tokens of the form of the answer, where a model must be told it in words, and of the tags around the data."""

LONGEST_TURN = 700
"""Characters of one turn of the window."""

LONGEST_LINE = 320
"""Characters of one line of talk: what says something says it before."""


class PlainReply(Answering):
    """An answer, what it rests on, and what to look for where nothing was seen."""

    topic: str = ""
    sources: list[int] = Field(default_factory=list)
    look_for: list[str] = Field(default_factory=list)

    @property
    def looked_for(self) -> str:
        """The words of a line it did not see, as many as a search takes; empty where it looks for none."""
        words = dict.fromkeys(w for line in self.look_for for w in one_line(line)[:LONGEST_WORD].split())
        return " ".join(list(words)[:MAX_WORDS]) if len(words) >= MIN_WORDS else ""


class Replied(PlainReply):
    """An answer to a message that may want something else of the bot than an answer."""

    action: Literal["answer", "remember", "forget", "know", "help"] = "answer"
    subject: str = ""
    statement: str = ""


@dataclass(frozen=True, kw_only=True)
class Talk:
    """What a reply is given of the talk, oldest first: `recent` lines, and the message answered with its neighbours."""

    recent: Sequence[Message] = ()
    answered: Message | None = None
    around: Sequence[Message] = ()


@dataclass(frozen=True, kw_only=True)
class ReplyPrompt:
    """A prompt, and what stands in it: the messages, notes and facts of `found` by their numbers, and the contexts."""

    prompt: Prompt[PlainReply]
    found: Mapping[int, SearchHit] = field(default_factory=dict)
    contexts: tuple[UserId, ...] = ()
    messages: tuple[MessageId, ...] = ()
    spent: Mapping[str, int] = field(default_factory=dict)
    """Tokens by part; `fixed` are the same in every prompt."""
    question: str = ""
    """What is answered, as the prompt has it."""


@dataclass(frozen=True, kw_only=True)
class PromptNames:
    """What people and channels are called in a prompt."""

    members: Mapping[UserId, Member]
    channels: Mapping[ChannelId, str]
    tz: tzinfo

    @cached_property
    def people(self) -> dict[UserId, str]:
        """A name for each member that no other has, without the sign that ends a name in a line."""
        return distinct(
            {
                u: replace(m, display_name=called(m.display_name), username=called(m.username))
                for u, m in self.members.items()
            }
        )

    def text(self, stored: str) -> str:
        """A stored text with names."""
        return escape(with_names(stored, self.people), LONGEST_LINE)

    def line(self, message: Message, *, mark: str = "") -> str:
        """One line of talk, as `reply.md` tells how to read it."""
        by = "you" if message.author_kind is AuthorKind.SELF else self.people.get(message.user_id, "someone")
        to_name = "" if (to := self._answered(message)) is None else f" > {self.people[to]}"
        text = fit(rendered(message, self.people, self.channels), LONGEST_LINE)
        return f"{mark}{message.timestamp.astimezone(self.tz):%H:%M} {by}{to_name}: {text}"

    def turn(self, turn: Turn) -> str:
        """One turn of the conversation: who speaks before the text of a member; the bot's own with names."""
        if turn.role is TurnRole.MODEL:
            return fit(rendered_text(with_names(turn.text, self.people), {}, self.channels), LONGEST_TURN)
        text = fit(rendered_text(turn.text, self.people, self.channels), LONGEST_TURN)
        return f"{self.people.get(turn.user_id, 'someone')}: {text}"

    def _answered(self, message: Message) -> UserId | None:
        """Whom a message answers, where its words do not say so."""
        to = next((u for u in message.addressees if u in self.members), None)
        if to is None or message.text.lstrip().startswith("<@") or opening(message.text, {to: self.members[to]}):
            return None
        return to


def _listed(member: Member) -> str:
    return listed(member).replace(":", "")


@dataclass(frozen=True, kw_only=True)
class Conversation:
    """What a reply is given of the conversation with the bot: the window, what earlier turns came to, and before it."""

    window: Sequence[Turn] = ()
    segments: Sequence[str] = ()
    earlier: Sequence[Turn] = ()
    """Turns from before the window that have to do with the message, where nothing else has them."""
    background: Background = field(default_factory=Background)
    covered: Collection[MessageId] = ()
    """The messages of turns that stand here in one way or another: not once more among the last lines."""
    sources: Collection[MessageId] = ()
    """The messages behind segments and earlier turns: the answer goes with them."""
    just_told: str = ""
    """The words of the last turns: facts that stand in them are left out (seed 002, §3.3)."""


def reply(
    guild_id: GuildId,
    *,
    bot_name: str,
    speaker: Member,
    text: str,
    at: datetime,
    message_id: MessageId,
    contexts: Mapping[UserId, str],
    talk: Talk,
    recalled: Recalled,
    names: PromptNames,
    conversation: Conversation = Conversation(),
    facts: Sequence[Fact] = (),
    tools: Sequence[Tool] = (),
    attached: Attached = NOTHING_ATTACHED,
    character: str = "",
) -> ReplyPrompt:
    """Ask for a reply within the whole prompt's budget.

    What is free of it goes to what was found, then to the speaker's `facts`, then to more of the recent talk. What a
    message wants is asked only where it has a word of asking.
    """
    text = text if text.strip() or not attached.lines else "(nothing but what is attached)"
    question = f"{_listed(speaker)}: {rendered_text(fit(text, 2_400), names.people, names.channels)}"
    rules = _matters(text, has_tools=bool(tools))
    files = [_file(entry) for entry in attached.lines]
    most = tokens(_task(bot_name, {*rules, *_ANYWAY, *(("attached",) if files else ())})) + FORM + TAGS
    room = min(SQUEEZED_TOKENS - most, DELTA_TOKENS) - tokens(question) - _cost(files) - tokens(character)

    told = _contexts(contexts, names, min(CONTEXTS, max(room, 0)))
    topic = conversation.background.topic
    index = [escape(topic.name, 60)] if topic is not None else _index(conversation.background, names, at)
    answered = _answered(talk, names)
    room -= _cost((*told.values(), *index, *answered.values()))
    window, segments = _conversed(conversation, names, room - MIN_FOUND_TOKENS)
    room -= _turns_cost(window) + _cost(segments)
    lately = [m for m in talk.recent if m.message_id not in window and m.message_id not in conversation.covered]
    recent = _latest(lately, names, min(RECENT, room - MIN_FOUND_TOKENS if window else room))
    room -= _cost(recent.values())
    but, known = {*recent, *answered, *window}, [*told.values(), conversation.just_told]
    found = _found(recalled, names, room, text, but=but, known=known, background=conversation.background)
    found += _own_facts(facts, names, room - _found_cost(found, names), found, known)
    recent = _more_recent(lately, recent, found, names, room - _found_cost(found, names))
    lines, numbered = _numbered(found, names)
    shown = {"people": [*told.values()], "found": lines, "answered": [*answered.values()], "recent": [*recent.values()]}
    sections = {
        "you": escape(bot_name, 40),
        "character": escape(character, MAX_CHARACTERS),
        "topics" if topic is None else "topic": index,
        "conversation": segments,
        "now": f"{at.astimezone(names.tz):%A %Y-%m-%d %H:%M}",
        **shown,
        "attached": files,
        "message": question,
    }
    task = _task(bot_name, {*rules, *(name for name, part in sections.items() if part), *(["turns"] if window else [])})
    prompt = _asked(guild_id, task, "asks" in rules, sections, tuple(window.values()), tuple(tools))
    parts = {**shown, "question": [question], "topics": index, "segments": segments, "attached": files}
    messages = tuple({*recent, *answered, *window, *conversation.sources})
    carried = {message_id, *messages, *_messages_in(numbered)}
    people = {speaker.user_id, *told, *_people_in(numbered)}
    return ReplyPrompt(
        prompt=replace(prompt, media=attached.media, messages=tuple(carried), members=tuple(people)),
        found=numbered,
        contexts=tuple(told),
        messages=messages,
        spent={"media": attached.tokens, "window": _turns_cost(window)} | _spent(prompt, parts, tokens(task) + FORM),
        question=question,
    )


def _conversed(
    conversation: Conversation, names: PromptNames, room: int
) -> tuple[dict[MessageId, tuple[str, str]], list[str]]:
    """The turns of the conversation, by their messages, and what earlier ones came to, as far as there is room."""
    window = {t.message_id: (t.role.value, names.turn(t)) for t in conversation.window}
    segments = [*(names.text(one) for one in conversation.segments), *map(names.turn, conversation.earlier)]
    return _squeezed(window, segments, room)


def _spent(prompt: Prompt[PlainReply], parts: Mapping[str, Sequence[str]], fixed: int) -> dict[str, int]:
    """The tokens of each part of a prompt, of its fixed words, of all, and of what is not fixed."""
    whole = prompt.tokens + FORM
    return {name: _cost(part) for name, part in parts.items()} | {
        "fixed": fixed,
        "whole": whole,
        "delta": whole - fixed,
    }


def again(
    first: ReplyPrompt, replied: PlainReply, *, looked: Recalled, before: Recalled, names: PromptNames
) -> ReplyPrompt | None:
    """Ask once more, with lines that the first prompt did not show; None where there are none.

    Two lines that were `looked` for with the words of the first answer stand for one of the rest of what was found
    `before`: the words may be wrong.
    """
    shown = set(first.messages) | {m.message_id for m in first.found.values() if isinstance(m, Message)}
    seen = {_same(m) for m in first.found.values() if isinstance(m, Message)}
    fresh, rest = ([m for m, _ in one.messages if m.message_id not in shown] for one in (looked, before))
    found: list[SearchHit] = []
    room = AGAIN_TOKENS
    for message in _in_turn(fresh, rest):
        cost = tokens(names.line(message)) + 2
        if cost <= room and _same(message) not in seen and len(found) < MAX_FOUND_LINES:
            seen.add(_same(message))
            room -= cost
            found.append(message)
    if not found:
        return None
    lines, numbered = _numbered(found, names, first=len(first.found) + 1)
    turns = ((USER, first.prompt.data), (MODEL, replied.model_dump_json(exclude_defaults=True)))
    prompt = replace(
        first.prompt,
        name="reply_again",
        messages=tuple({*first.prompt.messages, *_messages_in(numbered)}),
        members=tuple({*first.prompt.members, *_people_in(numbered)}),
        data=fenced({"found": lines, "message": first.question}),
        turns=(*first.prompt.turns, *turns),
        priority=Priority.MEMORY,
        patience=AGAIN_PATIENCE,
        time_limit=AGAIN_TIME_LIMIT,
    )
    return replace(
        first, prompt=prompt, found={**first.found, **numbered}, spent={**first.spent, "again": _cost(lines)}
    )


def _messages_in(found: Mapping[int, SearchHit]) -> list[MessageId]:
    return [entry.message_id for entry in found.values() if isinstance(entry, Message)]


def _people_in(found: Mapping[int, SearchHit]) -> set[UserId]:
    """Whom the facts, notes and conclusions among what was found tell of."""
    people = set[UserId]()
    for entry in found.values():
        if isinstance(entry, Fact):
            people |= {entry.user_id, entry.stated_by}
        elif isinstance(entry, Note):
            people |= {*entry.people, *([entry.user_id] if entry.user_id is not None else [])}
        elif isinstance(entry, Conclusion):
            people |= {*entry.people, *entry.evidence_by}
    return people


def _in_turn(fresh: Sequence[Message], rest: Sequence[Message]) -> list[Message]:
    """Two of one list for one of the other, each once."""
    ones, others = iter(fresh), iter(rest)
    mixed: list[Message] = []
    while taken := [*islice(ones, 2), *islice(others, 1)]:
        mixed += taken
    return list({message.message_id: message for message in mixed}.values())


def _same(message: Message) -> tuple[int, str]:
    """By what a line is the same as another of its author's."""
    return message.user_id, message.text[:SAME_LINE].casefold()


def _file(entry: str) -> str:
    """What stands for an attachment: its line, and below it the lines of a text file."""
    return "\n".join(escape(line, 400) for line in entry.split("\n"))


def _matters(text: str, *, has_tools: bool) -> set[str]:
    """What the rules of a reply to `text` are about, beside the parts of its data."""
    found = {"tools" if has_tools else "only"}
    if may_ask(text):
        found.add("asks")
    if may_ask_something(text) and not has_tools:
        found.add("look")
    return found


_ANYWAY = ("turns", "conversation", "topics", "answered", "found", "character")
"""Parts whose rules are counted before it is known whether they come."""


def _task(bot_name: str, parts: Collection[str]) -> str:
    """The rules of a reply: those for all, and those for the `parts` that it has or may do."""
    return task("reply", parts, __name__).replace("NAME", plain_name(bot_name) or "Bot")


def _asked(
    guild_id: GuildId,
    task: str,
    asks: bool,
    sections: Mapping[str, str | Sequence[str]],
    turns: tuple[tuple[str, str], ...],
    tools: tuple[Tool, ...],
) -> Prompt[PlainReply]:
    """The prompt, with the limits of one that somebody waits for."""
    return Prompt(
        name="reply",
        instructions=task,
        data=fenced(sections),
        result=Replied if asks else PlainReply,
        turns=turns,
        tools=tools,
        guild_id=guild_id,
        temperature=0.7,
        max_output_tokens=6_000,
        patience=5.0,
        priority=Priority.REPLY,
        time_limit=40.0,
    )


def _cost(lines: Iterable[str]) -> int:
    """The tokens of lines."""
    return sum(map(tokens, lines))


def _turns_cost(turns: Mapping[MessageId, tuple[str, str]]) -> int:
    """The tokens of turns, each with its role."""
    return sum(tokens(text) + 4 for _, text in turns.values())


def _squeezed(
    window: dict[MessageId, tuple[str, str]], segments: list[str], room: int
) -> tuple[dict[MessageId, tuple[str, str]], list[str]]:
    """The turns and the segments that have room: the oldest segments go first, then the oldest turns."""
    turns = list(window.items())

    def cost() -> int:
        return sum(tokens(line) + 4 for _, (_, line) in turns) + sum(map(tokens, segments))

    while segments and cost() > room:
        segments = segments[1:]
    while len(turns) > ALREADY and cost() > room:
        turns = turns[1:]
    return dict(turns), segments


def _ago(then: datetime, now: datetime, tz: tzinfo) -> str:
    """How long ago something was, in days (seed 004)."""
    days = (now.astimezone(tz).date() - then.astimezone(tz).date()).days
    return {0: "today", 1: "yesterday"}.get(days, f"{days} days ago")


def _index(background: Background, names: PromptNames, at: datetime) -> list[str]:
    """The latest topics as lines, as many as have room; none where the conversation has one."""
    lines: list[str] = []
    room = INDEX
    for topic in background.index:
        summary = f": {names.text(topic.summary)}" if topic.summary else ""
        line = f"{escape(topic.name, 60)} ({_ago(topic.updated_at, at, names.tz)}){summary}"
        room -= tokens(line)
        if room < 0:
            break
        lines.append(line)
    return lines


def _contexts(contexts: Mapping[UserId, str], names: PromptNames, room: int) -> dict[UserId, str]:
    """The contexts that have room, of those whose people matter most."""
    told = {u: _context(u, context, names.members) for u, context in list(contexts.items())[:PEOPLE]}
    while told and _cost(told.values()) > room:
        told.popitem()
    return told


def _context(user_id: UserId, context: str, members: Mapping[UserId, Member]) -> str:
    return f"{_listed(members[user_id]) if user_id in members else 'someone'}: {escape(context)}"


def _answered(talk: Talk, names: PromptNames) -> dict[MessageId, str]:
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


def _latest(messages: Sequence[Message], names: PromptNames, room: int) -> dict[MessageId, str]:
    """The last lines that have room, in their order."""
    lines: dict[MessageId, str] = {}
    for message in reversed(messages):
        line = names.line(message)
        room -= tokens(line)
        if room < 0:
            break
        lines[message.message_id] = line
    return dict(reversed(lines.items()))


def _found(
    recalled: Recalled,
    names: PromptNames,
    room: int,
    question: str,
    *,
    but: Collection[MessageId],
    known: Iterable[str],
    background: Background,
) -> list[SearchHit]:
    """What was found and has room, the best of each kind first: what is derived a share of it, lines the rest.

    Facts of the domain that the question is in come first; those that stand in what is told already are left out.
    """
    chosen: list[SearchHit] = []
    derived = min(DERIVED, room)
    told = " ".join(known)
    domain = domain_of_text(question)
    ignore = list(names.people.values())
    facts = [
        f for f, _ in recalled.facts if names.text(f.value) not in told and not mentions_all(told, f.value, ignore)
    ]
    facts.sort(key=lambda fact: domain is None or fact.domain != domain)
    if background.topic is not None:  # its page takes the place of what a search found
        drawn, derived = closest(question, background.lines, PAGE_LINES), derived + PAGE
    else:
        drawn = [*(c for c, _ in recalled.conclusions[:CONCLUSIONS]), *background.loose]
    once = {c.conclusion_id: c for c in drawn}.values()
    entries: list[Fact | Note | Conclusion] = [*once, *facts[:FACTS], *(n for n, _ in recalled.notes[:NOTES])]
    for entry in entries:
        cost = tokens(_entry(entry, names)) + 2
        if cost <= min(derived, room):
            derived -= cost
            room -= cost
            chosen.append(entry)
    seen: set[tuple[int, str]] = set()
    for message in (m for m, _ in recalled.messages if m.message_id not in but):
        cost = tokens(names.line(message)) + 2
        if _same(message) in seen or cost > room:
            continue
        seen.add(_same(message))
        room -= cost
        chosen.append(message)
        if len(seen) == MAX_FOUND_LINES:
            break
    return chosen


def _more_recent(
    lately: Sequence[Message], recent: dict[MessageId, str], found: Iterable[SearchHit], names: PromptNames, room: int
) -> dict[MessageId, str]:
    """As many of the last lines as have `room` beside those there are, without what was found."""
    in_found = {entry.message_id for entry in found if isinstance(entry, Message)}
    more = [message for message in lately if message.message_id not in in_found]
    return _latest(more, names, min(MORE_RECENT, _cost(recent.values()) + room)) if room > 0 else recent


def _own_facts(
    facts: Sequence[Fact], names: PromptNames, room: int, found: Collection[SearchHit], known: Iterable[str]
) -> list[SearchHit]:
    """The speaker's facts that have room and that nothing else in the prompt tells, the newest first."""
    chosen: list[SearchHit] = []
    told, ids = " ".join(known), {entry.fact_id for entry in found if isinstance(entry, Fact)}
    room = min(room, OWN_FACTS_TOKENS)
    ignore = list(names.people.values())
    for fact in reversed(facts[-OWN_FACTS:]):
        text, cost = names.text(fact.value), tokens(_entry(fact, names)) + 2
        if cost <= room and fact.fact_id not in ids and text not in told and not mentions_all(told, fact.value, ignore):
            room -= cost
            chosen.append(fact)
    return chosen


def _found_cost(found: Iterable[SearchHit], names: PromptNames) -> int:
    """The tokens of what was found, each with its number."""
    return sum(tokens(_entry(entry, names)) + 2 for entry in found)


def _entry(entry: SearchHit, names: PromptNames) -> str:
    if isinstance(entry, Message):
        return names.line(entry)
    if isinstance(entry, Fact):
        gathered = " (gathered, not told)" if entry.source is Source.INFERRED else ""
        return f"fact{gathered}: {names.text(entry.value)}"
    if isinstance(entry, Conclusion):
        replaced = f" (replaced {entry.replaced_at.astimezone(names.tz):%Y-%m-%d})" if entry.replaced_at else ""
        return f"{entry.kind.value}{replaced}: {names.text(entry.text)}"
    subject = names.people.get(entry.user_id) if entry.user_id is not None else None
    return f"note{f' of {subject}' if subject else ''}: {names.text(entry.text)}"


def _numbered(
    found: Sequence[SearchHit], names: PromptNames, *, first: int = 1
) -> tuple[list[str], dict[int, SearchHit]]:
    """What was found as lines by day, in order of time, and what each number stands for."""
    lines: list[str] = []
    numbered = dict(enumerate(sorted(found, key=moment_of), first))
    day = None
    for number, entry in numbered.items():
        if (of := moment_of(entry).astimezone(names.tz).date()) != day:
            day = of
            lines.append(f"== {day:%A %Y-%m-%d}")
        lines.append(f"{number} {_entry(entry, names)}")
    return lines, numbered


def joke(guild_id: GuildId, *, author: Member, message_id: MessageId, text: str, known: str | None) -> Prompt[Text]:
    """Ask for one joke about a message, in its language."""
    return Prompt(
        name="joke",
        instructions=instructions("joke", __name__),
        data=fenced({"author": listed(author), "message": escape(text), "known": escape(known or "")}),
        result=Text,
        guild_id=guild_id,
        messages=(message_id,),
        members=(author.user_id,),
        temperature=1.0,
        max_output_tokens=800,
        patience=5.0,
        priority=Priority.REPLY,
        time_limit=20.0,
    )
