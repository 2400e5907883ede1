"""A message addressed to the bot, from words to answer: grammar first, AI second, people by code."""

from __future__ import annotations

import logging
import re
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime
from typing import Any

from memory import (
    EVERYONE,
    AIClient,
    AIError,
    AIRefused,
    AIUnusable,
    Fact,
    Forgotten,
    Member,
    MemoryManager,
    NoAI,
    NotRemembered,
    QuotaExhausted,
    Rung,
    Statement,
    clean,
    one_line,
    readable,
)
from urmom_bot.talk import grammar, people, prompts
from urmom_bot.talk.wording import Words, guess_language

log = logging.getLogger(__name__)


@dataclass(frozen=True, kw_only=True)
class Quoted:
    """A message that another one answers."""

    message_id: int
    author: Member
    text: str


@dataclass(frozen=True, kw_only=True)
class Incoming:
    """A message addressed to the bot, without the address, and what its speaker may do.

    `guild_id` is None in direct messages. `language` is the speaker's own where it is known.
    `find` looks for members by the start of their name who never wrote a word.
    """

    guild_id: int | None
    channel_id: int
    message_id: int
    speaker: Member
    text: str
    at: datetime
    audience: int = EVERYONE
    mentioned: tuple[Member, ...] = ()
    replied: Quoted | None = None
    may_moderate: bool = False
    may_manage: bool = False
    language: str | None = None
    find: Callable[[str], Awaitable[Sequence[Member]]] | None = None

    @property
    def guild(self) -> int:
        """The guild, for what exists in guilds alone."""
        assert self.guild_id is not None
        return self.guild_id

    def allowed(self, fact: Fact) -> bool:
        """Whether the speaker may retire a fact: its subject, its teller, or a moderator."""
        return self.may_moderate or self.speaker.user_id in (fact.user_id, fact.stated_by)


@dataclass(frozen=True, kw_only=True)
class Reply:
    """What to answer, and what the answer was given: for the question why.

    `off_record` marks what tells stored facts: it is no talk to be read again by a model.
    """

    text: str
    off_record: bool = False
    given: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, kw_only=True)
class About:
    """What the bot may say about itself in help and status."""

    version: str
    emoji: str
    retention_days: int


class Talker:
    """Understands, acts, answers. Says what happened by code, from what is stored."""

    def __init__(
        self, memory: MemoryManager, ai: AIClient, clock: Callable[[], datetime], about: About, bot_name: str
    ) -> None:
        self._memory = memory
        self._ai = ai
        self._clock = clock
        self._about = about
        self.bot_name = bot_name

    def is_order(self, text: str, bot_id: int) -> bool:
        """Whether a message tells the bot what to do, as far as the grammar knows."""
        told = grammar.addressed(text, bot_id, [self.bot_name])
        return told is not None and grammar.parse(told) is not None

    async def respond(self, said: Incoming) -> Reply:
        """Do what a message asks and say so. Raises DatabaseUnavailable."""
        command = grammar.parse(said.text)
        words = Words(
            command.language if command and command.language != "en" else said.language or guess_language(said.text)
        )
        if said.guild_id is None:
            if isinstance(command, grammar.Help):
                return self.help(words)
            if command is not None:
                return Reply(text=words("direct_messages"))
            return await self._chat(said, {}, words)
        if command is not None:
            await self._memory.keep_off_record(said.guild, said.message_id)
        await self._memory.flush(within=1.0)  # what was said a moment ago is known when it is asked about
        members = dict(await self._memory.members(said.guild))
        for member in (said.speaker, *said.mentioned, *((said.replied.author,) if said.replied else ())):
            known = members.get(member.user_id)
            members[member.user_id] = replace(member, aliases=known.aliases if known else ())
        said = replace(said, speaker=members[said.speaker.user_id])
        failed: AIError | None = None
        if command is None:
            command, failed = await self._routed(said)
            if command is not None:
                await self._memory.keep_off_record(said.guild, said.message_id)
        if command is None:
            return await self._chat(said, members, words, failed)
        return replace(await self._do(command, said, members, words), off_record=True)

    async def _do(self, command: grammar.Command, said: Incoming, members: dict[int, Member], words: Words) -> Reply:
        match command:
            case grammar.Remember():
                return await self._remember(said, command, members, words)
            case grammar.Forget():
                return await self._forget(said, command, members, words)
            case grammar.Know():
                found = await self._whom(said, command.subject, members)
                if found.member is None:
                    return Reply(text=_ask_back(found, command.subject, words))
                return await self.know(said, found.member, members, words)
            case grammar.SetJokes():
                await self._memory.set_jokes(said.speaker, command.wanted)
                return Reply(text=words("jokes_on" if command.wanted else "jokes_off"))
            case grammar.SetZone():
                return Reply(text=await self._set_zone(said, command.name, words))
            case grammar.Help():
                return self.help(words)

    def help(self, words: Words) -> Reply:
        """What can be said to the bot."""
        about = self._about
        return Reply(text=words("help", bot=self.bot_name, emoji=about.emoji, retention=about.retention_days))

    async def status(self, guild_id: int, words: Words) -> Reply:
        """How the bot is doing."""
        lines = []
        for quota in await self._memory.quotas():
            limit = quota.limits.requests_per_day
            blocked = words("status_blocked", until=_moment(quota.blocked_until)) if quota.blocked_until else ""
            lines.append(
                words(
                    "status_model",
                    model=quota.model,
                    calls=quota.spent.calls,
                    limit=f" / {limit}" if limit is not None else "",
                    tokens=quota.spent.tokens_in + quota.spent.tokens_out,
                    blocked=blocked,
                )
            )
        return Reply(
            text=words(
                "status",
                version=self._about.version,
                messages=await self._memory.count(guild_id),
                pending=self._memory.pending,
                zone=(await self._memory.time_zone(guild_id)).key,
                models="\n".join(lines) or words("status_no_ai"),
            )
        )

    async def remember(
        self,
        said: Incoming,
        about: Member,
        statement: str,
        words: Words,
        members: Mapping[int, Member],
        *,
        by: Member | None = None,
        context: tuple[str, ...] = (),
    ) -> Reply:
        """Store a statement about a member, and answer with the exact sentence that is stored.

        `by` is who wrote the words, where that is not who asks to remember them: "I" is theirs.
        """
        shown = {m.user_id: m.display_name for m in members.values()}
        channels = {c.channel_id: c.name for c in (await self._memory.channels(said.guild)).values()}
        told = Statement(
            guild_id=said.guild,
            user_id=about.user_id,
            stated_by=said.speaker.user_id,
            quote=clean(readable(statement, shown, channels)).replace("@" + about.display_name, about.display_name),
            context=context,
            alias=people.alias(statement, about),
            channel_id=said.channel_id,
            message_id=said.message_id,
            audience=said.audience,
        )
        try:
            done = await self._memory.remember(told, about, by or said.speaker)
        except NotRemembered:
            return Reply(text=words("what_to_remember"))
        name = "already_known" if done.known else "remembered_as_said" if done.as_said else "remembered"
        return Reply(text=words(name, name=about.display_name, fact=done.fact.value))

    async def forget(self, said: Incoming, about: Member, request: str, words: Words) -> Reply:
        """Retire the facts about a member that a request means, and say which."""
        done = await self._memory.forget(
            said.guild,
            about,
            request,
            audience=said.audience,
            allowed=said.allowed,
            because=f"asked by {said.speaker.user_id}",
        )
        return Reply(text=await self._told_forgotten(said, done, about, words))

    async def forget_number(self, said: Incoming, number: int, words: Words) -> Reply:
        """Retire one fact by its number."""
        done = await self._memory.forget_fact(
            said.guild,
            number,
            audience=said.audience,
            allowed=said.allowed,
            because=f"asked by {said.speaker.user_id}",
        )
        facts = (*done.retired, *done.not_allowed)
        if not facts:
            return Reply(text=words("no_such_fact", number=number))
        found = await self._memory.members(said.guild, [facts[0].user_id])
        return Reply(text=await self._told_forgotten(said, done, found[facts[0].user_id], words))

    async def know(self, said: Incoming, about: Member, members: Mapping[int, Member], words: Words) -> Reply:
        """Tell the context of a member, and the facts one by one."""
        found = await self._memory.contexts(said.guild, [about.user_id], audience=said.audience)
        context = found[about.user_id]
        name = about.display_name
        told = []
        if context.text and context.rung is not Rung.FACTS:
            told.append(words("know", name=name, context=context.text))
        if context.facts:
            told.append(words("know_facts", facts=self._listed(context.facts, members, words)))
        if not told:
            told.append(words("know_nothing", name=name))
        if not context.text and context.activity:
            told.append(
                words(
                    "know_activity",
                    name=name,
                    count=sum(context.activity.values()),
                    days=len(context.activity),
                )
            )
        return Reply(text="\n".join(told), given=_given({about.user_id: context}))

    async def _remember(
        self, said: Incoming, command: grammar.Remember, members: dict[int, Member], words: Words
    ) -> Reply:
        statement, context, author = command.statement, tuple[str, ...](), said.speaker
        if not statement and not command.this and not said.replied:
            return Reply(text=words("what_to_remember"))
        if command.this or not statement:
            pointed = await self._pointed_at(said, members)
            if pointed is None:
                return Reply(text=words("what_to_remember"))
            statement, context, author = pointed
        if command.subject:
            found = await self._whom(said, command.subject, members)
        elif command.this and said.replied:
            found = people.Whom(member=said.replied.author)
        else:
            found = await self._subject(said, statement, members, author)
        if found.member is None:
            return Reply(text=_ask_back(found, command.subject or "", words))
        return await self.remember(said, found.member, statement, words, members, by=author, context=context)

    async def _whom(self, said: Incoming, name: str, members: dict[int, Member]) -> people.Whom:
        """Whom a name means, among those who wrote and, failing that, all members of the guild."""
        found = people.whom(name, said.speaker, members)
        if not found.exact and not found.could_be and await self._look_for(said, name, members):
            found = people.whom(name, said.speaker, members)
        return found

    async def _subject(self, said: Incoming, statement: str, members: dict[int, Member], author: Member) -> people.Whom:
        """Whom a statement by `author` is about, likewise."""
        found = people.subject(statement, author, members)
        words = re.findall(r"[\w.-]+", statement)
        if found == people.Whom() and words and await self._look_for(said, words[0], members):
            found = people.subject(statement, author, members)
        return found

    async def _look_for(self, said: Incoming, name: str, members: dict[int, Member]) -> bool:
        if said.find is None or not name.strip(" @"):
            return False
        found = {m.user_id: m for m in await said.find(name.strip(" @")) if m.user_id not in members}
        members.update(found)
        return bool(found)

    async def _pointed_at(
        self, said: Incoming, members: Mapping[int, Member]
    ) -> tuple[str, tuple[str, ...], Member] | None:
        """What "this" means, the talk around it, and who wrote it: the message replied to, else what was said last."""
        names = people.distinct(members)

        def line(user_id: int, text: str) -> str:
            return f"{names.get(user_id, 'someone')}: {one_line(readable(text, names, {}))}"

        if said.replied:
            author = said.replied.author
            return one_line(said.replied.text), (line(author.user_id, said.replied.text),), author
        talk = [
            m
            for m in await self._memory.recent(said.guild, said.channel_id, said.message_id, limit=12)
            if m.author_kind == "member" and grammar.addressed(m.text, 0, [self.bot_name]) is None
        ]
        if not talk:
            return None
        last = talk[-1]
        author = members.get(last.user_id, said.speaker)
        return one_line(last.text), tuple(line(m.user_id, m.text) for m in talk), author

    async def _forget(self, said: Incoming, command: grammar.Forget, members: dict[int, Member], words: Words) -> Reply:
        if command.number is not None:
            return await self.forget_number(said, command.number, words)
        if command.everything:
            found = await self._whom(said, command.statement, members)
        else:
            found = await self._subject(said, command.statement, members, said.speaker)
        if found.member is None:
            return Reply(text=_ask_back(found, "", words))
        if command.everything:
            # Words alone never take everything away: each fact is offered to be struck by its number.
            facts = await self._memory.facts(said.guild, found.member.user_id, audience=said.audience)
            offered = Forgotten(candidates=tuple(facts))
            return Reply(text=await self._told_forgotten(said, offered, found.member, words))
        return await self.forget(said, found.member, command.statement, words)

    async def _told_forgotten(self, said: Incoming, done: Forgotten, about: Member, words: Words) -> str:
        name = about.display_name
        told = []
        if done.retired:
            told.append(words("forgotten", name=name, facts=" ".join(f"“{f.value}”" for f in done.retired)))
        if done.not_allowed:
            facts = " ".join(f"“{f.value}”" for f in done.not_allowed)
            told.append(words("not_yours", name=name, facts=facts))
        members = await self._memory.members(said.guild)
        if done.candidates:
            listed = self._listed(done.candidates, members, words)
            told.append(words("candidates", name=name, facts=listed))
        if not told:
            told.append(words("nothing_to_forget", name=name))
        if done.nearest:
            told.append(words("nearest", facts=self._listed(done.nearest, members, words)))
        return "\n".join(told)

    def _listed(self, facts: tuple[Fact, ...], members: Mapping[int, Member], words: Words) -> str:
        def teller(fact: Fact) -> str:
            if fact.stated_by == fact.user_id:
                return words("teller_self")
            found = members.get(fact.stated_by)
            return found.display_name if found else words("someone")

        return "\n".join(
            words(
                "fact_line",
                number=fact.fact_id,
                fact=fact.value,
                teller=teller(fact),
                date=f"{fact.created_at:%Y-%m-%d}",
            )
            for fact in facts
        )

    async def _set_zone(self, said: Incoming, name: str, words: Words) -> str:
        if not said.may_manage:
            return words("zone_denied")
        try:
            await self._memory.set_time_zone(said.guild, name)
        except ValueError:
            return words("zone_unknown", zone=name)
        return words("zone_set", zone=(await self._memory.time_zone(said.guild)).key)

    async def _routed(self, said: Incoming) -> tuple[grammar.Command | None, AIError | None]:
        """What the AI says a message wants, or None for talk, and why it could not say. It proposes, code decides."""
        try:
            wanted = (await self._ai.ask(prompts.route(said.guild, speaker=said.speaker, text=said.text))).value
        except AIError as failed:
            log.info("route: taken for talk (%s)", type(failed).__name__)
            return None, failed
        subject = one_line(wanted.subject)
        statement = one_line(wanted.statement)
        match wanted.action:
            case "remember" if _in(statement, said.text):
                return grammar.Remember(statement=statement, subject=subject or None), None
            case "forget" if _in(statement, said.text):
                return grammar.Forget(statement=statement), None
            case "know" if subject and _in(subject, said.text):
                return grammar.Know(subject=subject), None
            case "help":
                return grammar.Help(), None
        return None, None

    async def _chat(
        self, said: Incoming, members: Mapping[int, Member], words: Words, failed: AIError | None = None
    ) -> Reply:
        """Answer by the AI; where it `failed` a moment ago already, it is not asked again."""
        given: dict[str, Any] = {}
        contexts: dict[int, str] = {}
        recent, channels = [], {}
        guild_id = said.guild_id or 0
        found = {}
        if said.guild_id is not None:
            recent = await self._memory.recent(guild_id, said.channel_id, said.message_id)
            channels = {c.channel_id: c.name for c in (await self._memory.channels(guild_id)).values()}
            talking = [m.user_id for m in reversed(recent) if m.author_kind == "member"]
            named = people.named(said.text, members)
            asked = list(dict.fromkeys([said.speaker.user_id, *named, *talking]))[: prompts.PEOPLE]
            found = await self._memory.contexts(guild_id, asked, audience=said.audience)
            contexts = {u: c.text for u, c in found.items() if c.text}
            given = _given(found)
        prompt = prompts.reply(
            guild_id,
            bot_name=self.bot_name,
            speaker=said.speaker,
            text=said.text,
            contexts=contexts,
            recent=recent,
            members=members,
            channels=channels,
            when=f"{said.at:%A %Y-%m-%d %H:%M} UTC",
        )
        try:
            if failed is not None and not isinstance(failed, AIRefused | AIUnusable):
                raise failed
            answer = await self._ai.ask(prompt)
        except AIError as trouble:
            told = [self._trouble(trouble, words)]
            about = people.named(said.text, members) or [said.speaker.user_id]
            if facts := [f for user_id in about if user_id in found for f in found[user_id].facts][:5]:
                listed = self._listed(tuple(facts), members, words)
                told.append(words("known_anyway", facts=listed))
            return Reply(text="\n".join(told), given=given)
        return Reply(text=answer.value.text, given=given)

    def _trouble(self, failed: AIError, words: Words) -> str:
        if isinstance(failed, QuotaExhausted):
            until = self._clock().timestamp() + failed.retry_after
            return words("quota_out", until=f"<t:{int(until)}:t>")
        if isinstance(failed, NoAI):
            return words("no_ai")
        if isinstance(failed, AIUnusable):
            return words("ai_unusable")
        return words("ai_refused" if isinstance(failed, AIRefused) else "ai_away")


def _ask_back(found: people.Whom, name: str, words: Words) -> str:
    if found.could_be:
        names = ", ".join(f"{m.display_name} ({m.username})" for m in found.could_be)
        return words("which_of", names=names)
    return words("whom", name=name.lstrip("@")) if name else words("whom_missing")


def _in(part: str, text: str) -> bool:
    """Whether a model's `part` is really in the message: most of its words are."""
    words = re.findall(r"\w+", part.casefold())
    said = set(re.findall(r"\w+", text.casefold()))
    return bool(words) and sum(word in said for word in words) >= 0.6 * len(words)


def _given(contexts: Mapping[int, Any]) -> dict[str, Any]:
    return {
        str(user_id): {
            "rung": context.rung.value,
            "facts": [fact.fact_id for fact in context.facts],
            "messages": [m for part in context.parts for m in part.evidence],
        }
        for user_id, context in contexts.items()
    }


def _moment(moment: datetime | None) -> str:
    return f"<t:{int(moment.timestamp())}:t>" if moment else ""
