"""Know: a member's context and facts, the lines that a search finds, and what somebody missed; no AI in it."""

from __future__ import annotations

import html
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date, timedelta

from memory import (
    AuthorKind,
    Context,
    Fact,
    FallbackLevel,
    Given,
    Member,
    MemoryManager,
    Message,
    Note,
    Query,
    Recalled,
    SearchHit,
)
from memory.ai.prompts import rendered
from memory.ids import ChannelId, UserId
from memory.records import GivenEntries, moment_of, text_of
from memory.rules.fact_texts import tells
from memory.rules.keywords import keywords
from memory.rules.text import fit, mentioned, with_names
from urmom_bot.markup import Markup, channel, foreign, joined, line, link, moment
from urmom_bot.snowflakes import jump_link
from urmom_bot.talk import grammar, presenting
from urmom_bot.talk.people import distinct
from urmom_bot.talk.requests import Reply, Request
from urmom_bot.talk.texts import Texts
from urmom_bot.viewing import Viewing
from urmom_bot.views import FactView, details_action

_DAY = re.compile(r"\b\d{4}-\d\d-\d\d(?=: )")
"""A day before a note of it."""

_LABEL = re.compile(r"(?:^|(?<=[.!?…”\"] ))(Today|Before|Earlier|Said today|Perhaps changed):(?= )")
"""What stands in a context before what happened today, and before that."""

LINE_CHARACTERS = 200
"""Characters of one line."""

MIN_BEGINNING = 3
"""Letters from which the beginning of a word counts as the word, where a search is shown."""

ANSWERED = timedelta(minutes=5)
"""How long after a question that has the words of a search its answer is looked for."""

MAX_ANSWER_LINES = 5
"""Lines that answer where no AI does."""

MAX_UNTOLD = 12
"""Facts that follow what is known of somebody, the newest; of more it is said how many there are."""

MAX_RECALL_LINES = 10
"""Lines that answer who asks for a search."""

MAX_MESSAGES = 150
"""Messages that a search for a reply finds at the most: more than a prompt holds, as some say the same."""

CHANNELS = 4
"""Channels that are named of an absence."""


@dataclass(frozen=True, kw_only=True)
class Found:
    """Lines of text, and the entries they tell."""

    text: Markup
    entries: tuple[SearchHit, ...]


class Knower:
    """Tells what is known: of a member, and what was found, dated and linked."""

    def __init__(self, memory: MemoryManager, viewing: Viewing, bot_names: Sequence[str]) -> None:
        self._memory = memory
        self._viewing = viewing
        self._bot_names = bot_names

    async def know(self, request: Request, subjects: Sequence[Member], texts: Texts) -> Reply:
        """What is known of members, and the facts that it does not tell; each fact's teller waits behind a button."""
        contexts = await self._memory.replies.contexts(request.viewer, [subject.user_id for subject in subjects])
        told, each, is_listed = list[Markup](), list[tuple[int, ...]](), True
        for subject in subjects:
            context = contexts[subject.user_id]
            facts = await self._viewing.listed(request.viewer, context.facts)
            told.append(await self._known(request, subject, context, facts, texts))
            each.append(_in_order(told[-1], facts))
            is_listed = is_listed and len(each[-1]) == len(facts)
        return Reply(
            text=joined(told),
            listed=tuple(number for numbers in each for number in numbers) if is_listed else (),
            given=self._memory.replies.given_by(request.viewer, contexts),
            actions=tuple(
                details_action(subject.user_id, subject.display_name if len(subjects) > 1 else "")
                for subject in {one.user_id: one for one in subjects}.values()
                if contexts[subject.user_id].facts
            ),
        )

    async def _known(
        self, request: Request, subject: Member, context: Context, facts: Sequence[FactView], texts: Texts
    ) -> Markup:
        name = presenting.named(subject)
        lines = []
        told = context.text or ""
        if told:
            lines.append(_headed(subject, told, texts))
        is_reworded = context.fallback is FallbackLevel.FULL  # by a model, perhaps
        untold = [
            fact
            for fact in facts
            if fact.text.rstrip(".") not in told and not (is_reworded and tells(told, fact.text, subject.names))
        ]
        shown = [] if is_reworded and told else untold[-MAX_UNTOLD:]  # told once, in sentences
        if shown:
            lines.append(texts("know_facts", facts=presenting.fact_lines(shown, texts)))
        if len(untold) > len(shown):
            lines.append(texts("know_more", count=len(untold) - len(shown)))
        if not lines:
            lines.append(texts("know_nothing", name=name))
        if not context.text:
            activity = await self._memory.replies.activity(request.viewer, subject.user_id)
            if activity:
                lines.append(texts("know_activity", name=name, count=sum(activity.values()), days=len(activity)))
        return joined(lines)

    async def found(self, request: Request, question: str, *, limit: int = MAX_MESSAGES) -> Recalled:
        """What answers a question as of a request, without messages that only asked the bot something."""
        query = Query(text=question, at=request.at, before_id=request.message_id)
        recalled = await self._memory.replies.recall(request.viewer, query, limit=limit)
        messages = ((m, s) for m, s in recalled.messages if not grammar.asks_the_bot(m.text, self._bot_names))
        return replace(recalled, messages=tuple(messages))

    async def recall(self, request: Request, question: str, texts: Texts) -> Reply:
        """The lines that best answer a question."""
        recalled = await self.found(request, question)
        if not self._memory.searches_by_meaning:  # what was found by meaning has other words
            recalled = _relevant(question, recalled)
        found = await self.lines(request, recalled, texts, limit=MAX_RECALL_LINES)
        if found is None:
            return Reply(text=texts("recall_nothing"))
        given = Given(found=GivenEntries.from_hits(found.entries))
        return Reply(text=texts("recall_found", lines=found.text), given=given)

    async def lines(
        self, request: Request, recalled: Recalled, texts: Texts, *, limit: int = MAX_ANSWER_LINES
    ) -> Found | None:
        """What was found as a few lines, what was concluded, told and noted before messages; None where nothing was."""
        entries: list[SearchHit] = [one for one, score in recalled.conclusions[:3] if score >= 1]
        entries += [fact for fact, score in recalled.facts[:2] if score >= 1]
        entries += [note for note, score in recalled.notes[:2] if score >= 1]
        messages = [m for m, _ in recalled.messages if m.author_kind is not AuthorKind.SELF]
        entries += messages[: limit - len(entries)]
        if not entries:
            return None
        members = await self._memory.guilds.members(request.guild_id, _named(entries))
        channels = await self._memory.guilds.channel_names(request.viewer)
        lines = [await self._line(request, entry, members, channels, texts) for entry in entries]
        return Found(text=joined(lines), entries=tuple(entries))

    async def _line(
        self,
        request: Request,
        entry: SearchHit,
        members: Mapping[UserId, Member],
        channels: Mapping[ChannelId, str],
        texts: Texts,
    ) -> Markup:
        if isinstance(entry, Message):
            people = distinct(members)
            text = html.unescape(rendered(entry, people, channels))
            who = people.get(entry.user_id, texts("someone"))
        else:
            shown = {u: m.display_name for u, m in members.items()}
            text = with_names(text_of(entry), shown)
            who = shown.get(entry.user_id, "") if isinstance(entry, Note) and entry.user_id is not None else ""
        where = await self._address(request, entry)
        told = line("{}: {}", who, fit(text, LINE_CHARACTERS)) if who else foreign(fit(text, LINE_CHARACTERS))
        source = [link(Markup("↪"), where)] if where else []
        return joined((line("• {}", moment(moment_of(entry), "f")), told, *source), " ")

    async def linked(
        self, request: Request, entry: SearchHit, members: Mapping[UserId, Member], texts: Texts
    ) -> Markup | None:
        """A link to where something was said, called by who said it and when."""
        where = await self._address(request, entry)
        if where is None:
            return None
        by = entry.stated_by if isinstance(entry, Fact) else entry.user_id
        name = _told(members[by]) if by is not None and by in members else "…"
        return link(f"{name}, {texts.day(moment_of(entry).date())}", where)

    async def _address(self, request: Request, entry: SearchHit) -> str | None:
        """The address of the message that something stands in, or that shows it; None where none may be read."""
        if isinstance(entry, Fact):
            return jump_link(entry.guild_id, entry.channel_id, entry.message_id)
        if isinstance(entry, Message):
            return jump_link(request.guild_id, entry.channel_id, entry.message_id)
        for message_id in entry.evidence:
            message = await self._memory.messages.get(request.viewer, message_id)
            if message is not None:
                return jump_link(request.guild_id, message.channel_id, message.message_id)
        return None

    async def missed(self, request: Request, texts: Texts) -> Reply:
        """What the speaker missed since they last wrote, in a few lines with links."""
        found = await self._memory.replies.missed(request.viewer, before_id=request.message_id)
        since = moment(found.since, "R")
        if not found.talked:
            nothing = texts("missed_nothing", since=since) if found.has_written else texts("missed_nothing_today")
            return Reply(text=nothing)
        shown = [
            line(
                "{} ({})",
                channel(t.channel_id),
                link(t.messages, jump_link(request.guild_id, t.channel_id, t.first_id) or ""),
            )
            for t in found.talked[:CHANNELS]
        ]
        channels = joined(shown, ", ")
        told = [
            texts("missed", since=since, channels=channels)
            if found.has_written
            else texts("missed_today", channels=channels)
        ]
        members = await self._memory.guilds.members(request.guild_id, _named(found.entries))
        names = await self._memory.guilds.channel_names(request.viewer)
        parts: dict[str, Sequence[SearchHit]] = {"to_you": found.to_me, "yours": found.mine, "news": found.news}
        for part, entries in parts.items():
            if entries:
                told += [] if entries == found.entries and part == "news" else [texts(f"missed_{part}")]
                told += [await self._line(request, entry, members, names, texts) for entry in entries]
        if found.more > 0 and found.entries:
            told.append(texts("missed_more", count=found.more))
        given = Given(found=GivenEntries.from_hits(found.entries)) if found.entries else Given()
        return Reply(text=joined(told), given=given)


def _in_order(text: Markup, facts: Sequence[FactView]) -> tuple[int, ...]:
    """Facts in the order in which a text tells them; none where it has one in other words."""
    positions = {fact.fact_id: text.find(fact.text.rstrip(".")) for fact in facts}
    return tuple(sorted(positions, key=positions.__getitem__)) if -1 not in positions.values() else ()


def _named(entries: Iterable[SearchHit]) -> set[UserId]:
    """Everyone who has a name in what is shown."""
    found: set[UserId] = set()
    for entry in entries:
        found.update(mentioned(text_of(entry)))
        if entry.user_id is not None:
            found.add(entry.user_id)
        if isinstance(entry, Fact):
            found.add(entry.stated_by)
    return found


def _told(member: Member) -> str:
    """A member where no mention can stand: the name shown, and the username, which nobody else has."""
    if member.display_name.casefold() == member.username.casefold():
        return member.display_name
    return f"{member.display_name} @{member.username}"


def _headed(subject: Member, told: str, texts: Texts) -> Markup:
    """A context below its member's name, which is not said twice where the text begins with it."""
    labelled = _labelled(told, texts)
    if re.match(rf"{re.escape(subject.display_name)}(?:: | ?[\w'’])", told):
        return labelled
    return texts("know", name=presenting.named(subject), context=labelled)


def _labelled(context: str, texts: Texts) -> Markup:
    """A context with its labels and days in the language of the answer."""
    context = _DAY.sub(lambda m: _weekday(m[0], texts), context)
    parts, end = [], 0
    for label in _LABEL.finditer(context):
        parts += [foreign(context[end : label.start()]), Markup("\n" if label.start() else "")]
        parts += [texts(f"know_{label[1].lower().replace(' ', '_')}"), Markup(" ")]
        end = label.end() + 1
    return joined((*parts, foreign(context[end:])), "")


def _weekday(day: str, texts: Texts) -> str:
    try:
        return texts.weekday(date.fromisoformat(day))
    except ValueError:  # somebody wrote something like a day
        return day


def _relevant(question: str, recalled: Recalled) -> Recalled:
    """Of what was found for words alone, that which has one of them, or the beginning of one.

    Where the question names people, or asks about the asker, what they wrote is what is looked for.
    """
    stems = set(keywords(question))
    if not stems or recalled.people or recalled.of_asker:
        return recalled

    def has_one(entry: SearchHit) -> bool:
        known = set(keywords(text_of(entry)))
        return bool(stems & known) or any(
            min(len(one), len(other)) >= MIN_BEGINNING and (one.startswith(other) or other.startswith(one))
            for one in stems
            for other in known
        )

    hits = [one for one, _ in recalled.messages if has_one(one)]

    def follows(message: Message) -> bool:
        """Whether a message may be the answer to one that has a word."""
        return any(
            message.reply_to_id == hit.message_id
            or (message.channel_id == hit.channel_id and timedelta() <= message.timestamp - hit.timestamp <= ANSWERED)
            for hit in hits
            if hit.text.rstrip().endswith("?") or message.reply_to_id == hit.message_id
        )

    return replace(
        recalled,
        messages=tuple((one, score) for one, score in recalled.messages if one in hits or follows(one)),
        notes=tuple((one, score) for one, score in recalled.notes if has_one(one)),
        facts=tuple((one, score) for one, score in recalled.facts if has_one(one)),
        conclusions=tuple((one, score) for one, score in recalled.conclusions if has_one(one)),
    )
