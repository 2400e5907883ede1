"""Talk: one call of the AI says what is wanted and answers, given what was said, found and remembered."""

from __future__ import annotations

import asyncio
import logging
import re
from collections import Counter
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import replace
from datetime import UTC, datetime
from typing import Any

from memory import (
    AIClient,
    AIError,
    AIRefused,
    AIUnusable,
    Consent,
    Context,
    Entry,
    Fact,
    Member,
    MemoryManager,
    Message,
    NoAI,
    Note,
    QuotaExhausted,
    Recalled,
    mentioned,
    one_line,
)
from urmom_bot.talk import grammar, prompts
from urmom_bot.talk.finding import FOUND, Finder
from urmom_bot.talk.requests import Reply, Request
from urmom_bot.talk.texts import Words

log = logging.getLogger(__name__)

AROUND = 2
"""Lines before and after the message that is answered."""

APPEARING = 10
"""The best lines found whose people are concerned."""

SOURCES = 3
"""Links to what an answer rests on, at the most."""


class Chatter:
    """Gathers what a reply is given, asks once, and says what came of it."""

    def __init__(
        self, memory: MemoryManager, ai: AIClient, finder: Finder, clock: Callable[[], datetime], bot_name: str
    ) -> None:
        self._memory = memory
        self._ai = ai
        self._finder = finder
        self._clock = clock
        self._bot_name = bot_name

    async def reply(self, said: Request, words: Words) -> Reply | grammar.Command:
        """Answer a message, or say which command it is. Raises DatabaseUnavailable."""
        talk, recalled, contexts, names = await self._gathered(said)
        given = prompts.reply(
            said.guild_id or 0,
            bot_name=self._bot_name,
            speaker=names.members.get(said.speaker.user_id, said.speaker),
            text=said.text,
            at=said.at,
            contexts={u: c.text for u, c in contexts.items() if c.text},
            talk=talk,
            recalled=recalled,
            names=names,
        )
        try:
            wanted = (await self._ai.ask(given.prompt)).value
        except AIError as trouble:
            return await self._without_ai(said, recalled, contexts, trouble, words)
        if said.guild_id is not None and (command := command_of(wanted, said.text)) is not None:
            return command
        if not wanted.answer.strip():
            return Reply(text=words("ai_unusable"))
        told = await self.given(said, {u: contexts[u] for u in given.contexts}) if said.guild_id is not None else {}
        entries = list(given.found.values())
        if entries:
            told[FOUND] = _record(entries)
        text = wanted.answer.strip()
        if said.guild_id is not None:
            numbers = [n for n in dict.fromkeys(wanted.sources) if n in given.found][:SOURCES]
            text = "\n".join((text, *await self._sources(said, [given.found[n] for n in numbers], names.members)))
        return Reply(text=text, given=told, messages=read(told, given.messages))

    async def _gathered(self, said: Request) -> tuple[prompts.Talk, Recalled, dict[int, Context], prompts.Names]:
        """What was said, found and remembered, within the time that memory may take."""
        if said.guild_id is None:
            members = {said.speaker.user_id: said.speaker}
            return prompts.Talk(), Recalled(), {}, prompts.Names(members=members, channels={}, tz=UTC)
        guild_id, start = said.guild, asyncio.get_running_loop().time()
        wait = self._memory.wait
        await self._memory.flush(within=wait)  # what was said a moment ago is there when it is answered
        left = max(wait - (asyncio.get_running_loop().time() - start), 0.05)
        talk, recalled = await asyncio.gather(self._talk(said), self._recalled(said, left))
        asked = self._concerned(said, recalled)
        left = max(wait - (asyncio.get_running_loop().time() - start), 0.05)
        contexts = await self._memory.contexts(guild_id, asked, audience=said.audience, wait=left)
        members = await self._memory.members(guild_id, _people(said, talk, recalled, contexts))
        members |= {m.user_id: _with_aliases(m, members) for m in (said.speaker, *said.mentioned)}
        names = prompts.Names(
            members=members,
            channels={c.channel_id: c.name for c in (await self._memory.channels(guild_id)).values()},
            tz=await self._memory.time_zone(guild_id),
        )
        return talk, recalled, contexts, names

    async def _recalled(self, said: Request, wait: float) -> Recalled:
        try:
            async with asyncio.timeout(wait):
                return await self._finder.found(said.query())
        except TimeoutError:
            log.info("guild %d: the search took too long for a reply", said.guild)
            return Recalled()

    async def _talk(self, said: Request) -> prompts.Talk:
        recent = await self._memory.recent(said.guild, said.channel_id, said.message_id)
        if said.answers_id is None:
            return prompts.Talk(recent=recent)
        around = await self._memory.around(said.guild, said.answers_id, AROUND, audience=said.audience)
        answered = next((m for m in around if m.message_id == said.answers_id), None)
        quoted = said.replied
        if answered is None and quoted is not None and await self._may_read(said.guild, quoted.author.user_id):
            answered = Message(
                guild_id=said.guild,
                message_id=quoted.message_id,
                channel_id=said.channel_id,
                user_id=quoted.author.user_id,
                text=quoted.text,
                timestamp=said.at,
                author_kind=quoted.author.author_kind,
            )
        return prompts.Talk(recent=recent, answered=answered, around=around)

    async def _may_read(self, guild_id: int, user_id: int) -> bool:
        """Whether somebody's words may be sent to a model, where they are not stored."""
        consent, ignored = await self._memory.consent(guild_id, user_id)
        return consent is Consent.ON and not ignored

    def _concerned(self, said: Request, recalled: Recalled) -> list[int]:
        """Whose memory enters: the speaker, whom they answer, whom they name, who appears in what was found."""
        appearing: Counter[int] = Counter()
        for message, _ in recalled.messages[:APPEARING]:
            appearing.update({message.user_id, *message.addressees} if message.author_kind == "member" else ())
        answered = [said.replied.author.user_id] if said.replied else []
        often = [user_id for user_id, count in appearing.most_common() if count > 1]
        named = [m.user_id for m in said.mentioned]
        whom = dict.fromkeys((said.speaker.user_id, *answered, *named, *recalled.people, *often))
        return list(whom)[: prompts.PEOPLE]

    async def given(self, said: Request, contexts: Mapping[int, Context]) -> dict[str, Any]:
        """What an answer was given of each member, in numbers, and how many facts were kept back for the audience."""
        every = await self._memory.every_live(said.guild, list(contexts))
        return {
            str(user_id): {
                "fallback": context.fallback.value,
                "facts": [fact.fact_id for fact in context.facts],
                "messages": [m for part in context.parts for m in part.evidence],
                "levels": [part.level for part in context.parts],
                "notes": list(context.notes),
                "kept_back": sum(not said.may_hear(fact) for fact in every.get(user_id, ())),
            }
            for user_id, context in contexts.items()
        }

    async def _sources(self, said: Request, entries: Sequence[Entry], members: Mapping[int, Member]) -> list[str]:
        """A line with links to what an answer rests on, or none."""
        links = [await self._finder.linked(said, entry, members) for entry in entries]
        shown = list(dict.fromkeys(filter(None, links)))
        return [f"-# ↪ {' · '.join(shown)}"] if shown else []

    async def _without_ai(
        self, said: Request, recalled: Recalled, contexts: Mapping[int, Context], trouble: AIError, words: Words
    ) -> Reply:
        """What can be told without an AI: to a question the lines that were found, else facts."""
        told = [self._trouble(trouble, words)]
        if said.guild_id is None:
            return Reply(text=told[0])
        if grammar.is_question(said.text):
            found = await self._finder.lines(said, recalled, words)
            if found is not None:
                given = {FOUND: _record(found.entries)}
                text = "\n".join((*told, words("found_anyway", lines=found.text)))
                return Reply(text=text, off_record=True, given=given, messages=read(given, ()))
        about = [u for u in (*(m.user_id for m in said.mentioned), *recalled.people) if u in contexts]
        whose = about or [said.speaker.user_id]
        if facts := [f for u in whose if u in contexts for f in contexts[u].facts][:5]:
            told.append(words("known_anyway", facts=await self._finder.listed(said.guild, facts, words)))
        given = await self.given(said, {u: contexts[u] for u in whose if u in contexts})
        return Reply(text="\n".join(told), off_record=True, given=given, messages=read(given, ()))

    def _trouble(self, failed: AIError, words: Words) -> str:
        if isinstance(failed, QuotaExhausted):
            until = self._clock().timestamp() + failed.retry_after
            return words("quota_out", until=f"<t:{int(until)}:t>")
        if isinstance(failed, NoAI):
            return words("no_ai")
        if isinstance(failed, AIUnusable):
            return words("ai_unusable")
        return words("ai_refused" if isinstance(failed, AIRefused) else "ai_away")


def command_of(wanted: prompts.Replied, text: str) -> grammar.Command | None:
    """The command that a model says a message is, where its words are in the message; it proposes, code decides."""
    subject, statement = one_line(wanted.subject), one_line(wanted.statement)
    match wanted.action:
        case "remember" if _in(statement, text):
            return grammar.Remember(statement=statement, subject=subject or None)
        case "forget" if _in(statement, text):
            return grammar.Forget(statement=statement)
        case "know" if subject and _in(subject, text):
            return grammar.Know(subject=subject)
        case "help":
            return grammar.Help()
    return None


def _in(part: str, text: str) -> bool:
    """Whether a model's `part` is really in the message: most of its words are."""
    words = re.findall(r"\w+", part.casefold())
    said = set(re.findall(r"\w+", text.casefold()))
    return bool(words) and sum(word in said for word in words) >= 0.6 * len(words)


def read(given: Mapping[str, Any], shown: Collection[int]) -> tuple[int, ...]:
    """The messages an answer goes with: those that its contexts cite, that were found, and that stood in the prompt."""
    return tuple({m for about in given.values() for m in about["messages"]} | set(shown))


def _record(entries: Sequence[Entry]) -> dict[str, Any]:
    """What was found, in numbers."""
    notes = [e for e in entries if isinstance(e, Note)]
    return {
        "facts": [e.fact_id for e in entries if isinstance(e, Fact)],
        "messages": [e.message_id for e in entries if isinstance(e, Message)]
        + [m for note in notes for m in note.evidence],
        "notes": [note.note_id for note in notes],
    }


def _people(said: Request, talk: prompts.Talk, recalled: Recalled, contexts: Mapping[int, Context]) -> set[int]:
    """Everyone who has a name in the prompt."""
    lines = [*talk.recent, *talk.around, *filter(None, [talk.answered]), *(m for m, _ in recalled.messages)]
    texts = [*(m.text for m in lines), *(n.text for n, _ in recalled.notes), *(f.value for f, _ in recalled.facts)]
    return {
        said.speaker.user_id,
        *contexts,
        *recalled.people,
        *(user_id for m in lines for user_id in (m.user_id, *m.addressees)),
        *(n.user_id for n, _ in recalled.notes if n.user_id is not None),
        *(user_id for text in (said.text, *texts) for user_id in mentioned(text)),
    }


def _with_aliases(member: Member, known: Mapping[int, Member]) -> Member:
    """A member as Discord names them now, with the aliases that facts gave them."""
    return replace(member, aliases=known[member.user_id].aliases) if member.user_id in known else member
