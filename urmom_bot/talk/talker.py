"""A message addressed to the bot, from words to answer: grammar first, AI second, people by code."""

from __future__ import annotations

import logging
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime

from memory import (
    AIClient,
    Consent,
    Fact,
    FallbackLevel,
    Forgotten,
    Member,
    MemoryManager,
    Mode,
    NotRemembered,
    Receipt,
    Remembered,
    Statement,
    Undo,
    Why,
    clean,
    keyed,
    mentioned,
    normal_key,
    objection,
    one_line,
    readable,
    with_channels,
)
from urmom_bot.panels.page import Button
from urmom_bot.talk import grammar, people
from urmom_bot.talk.chatting import Chatter, read
from urmom_bot.talk.finding import Finder
from urmom_bot.talk.requests import Reply, Request
from urmom_bot.talk.texts import Words, guess_language

log = logging.getLogger(__name__)


@dataclass(frozen=True, kw_only=True)
class About:
    """What the bot may say about itself in help and status."""

    version: str
    emoji: str
    retention_days: int


@dataclass(frozen=True)
class _Pointed:
    """What "this" points to: a message, its words and author, and the talk around it."""

    message_id: int
    text: str
    author: Member
    context: tuple[str, ...]
    context_ids: tuple[int, ...]


class Talker:
    """Understands, acts, answers. Says what happened by code, from what is stored."""

    def __init__(
        self, memory: MemoryManager, ai: AIClient, clock: Callable[[], datetime], about: About, bot_name: str
    ) -> None:
        self._memory = memory
        self._about = about
        self._finder = Finder(memory, bot_name)
        self._chatter = Chatter(memory, ai, self._finder, clock, bot_name)
        self.bot_name = bot_name

    def is_order(self, text: str) -> bool:
        """Whether words to the bot, without the address, tell it what to do, as far as the grammar knows."""
        return grammar.parse(text) is not None

    def is_teaching(self, text: str) -> bool:
        """Whether words to the bot, without the address, ask it to remember something, as far as the grammar knows."""
        return isinstance(grammar.parse(text), grammar.Remember)

    async def respond(self, said: Request) -> Reply:
        """Do what a message asks and say so. Raises DatabaseUnavailable."""
        command = grammar.parse(said.text)
        words = Words(
            command.language if command and command.language != "en" else said.language or guess_language(said.text)
        )
        if said.guild_id is None:
            if isinstance(command, grammar.Help):
                return self.help(words)
            if isinstance(command, grammar.Privacy) or (isinstance(command, grammar.Forget) and command.everything):
                return self.privacy(words)
            if command is not None:
                return Reply(text=words("direct_messages"))
            told = await self._chatter.reply(said, words)
            return told if isinstance(told, Reply) else Reply(text=words("direct_messages"))
        generation = self._memory.generation(said.guild)
        if command is None:
            told = await self._chatter.reply(said, words)
            if isinstance(told, Reply):
                silent = (await self._memory.consent(said.guild, said.speaker.user_id))[0] is not Consent.ON
                return replace(told, off_record=told.off_record or silent, generation=generation)
            command = told
        await self._memory.hold_order(said.guild, said.message_id)
        await self._memory.flush(within=1.0)  # what was said a moment ago is known when it is asked about
        members = await self._people(said)
        done = await self._do(command, replace(said, speaker=members[said.speaker.user_id]), members, words)
        await self._memory.keep_off_record(said.guild, said.message_id)
        return replace(done, off_record=True, generation=generation)

    async def _people(self, said: Request) -> dict[int, Member]:
        """Whom a request may be about: who has a part in it, and everyone whom its words may name."""
        present = [said.speaker, *said.mentioned, *([said.replied.author] if said.replied else [])]
        text = f"{said.text} {said.replied.text if said.replied else ''}"
        members = await self._memory.named_in(said.guild, text, [m.user_id for m in present])
        for member in present:
            known = members.get(member.user_id)
            members[member.user_id] = replace(member, aliases=known.aliases if known else ())
        return members

    async def _do(self, command: grammar.Command, said: Request, members: dict[int, Member], words: Words) -> Reply:
        match command:
            case grammar.Remember():
                return await self._remember(said, command, members, words)
            case grammar.Forget():
                return await self._forget(said, command, members, words)
            case grammar.Know():
                found = await self._whom(said, command.subject, members)
                if found.member is None:
                    return Reply(text=_ask_back(found, command.subject, words))
                return await self.know(said, found.member, words)
            case grammar.Missed():
                return await self._finder.missed(said, words)
            case grammar.SetJokes():
                await self._memory.set_jokes(said.speaker, command.wanted)
                return Reply(text=words("jokes_on" if command.wanted else "jokes_off"))
            case grammar.SetZone():
                return Reply(text=await self._set_zone(said, command.name, words))
            case grammar.Help():
                return self.help(words)
            case grammar.Privacy():
                return self.privacy(words)

    def privacy(self, words: Words) -> Reply:
        """Offer the panel: words alone never erase anything."""
        return Reply(
            text=words("privacy_offer"),
            buttons=(Button(label=words("button_privacy"), action="privacy", style="primary"),),
        )

    def help(self, words: Words) -> Reply:
        """What can be said to the bot."""
        about = self._about
        return Reply(text=words("help", bot=self.bot_name, emoji=about.emoji, retention=about.retention_days))

    async def status(self, guild_id: int, words: Words, *, dropped: int = 0) -> Reply:
        """How the bot is doing; `dropped` is how many events of Discord's could not be read."""
        quotas = await self._memory.quotas()
        lines = [] if quotas else [words("status_no_ai")]
        for quota in quotas:
            limit = quota.limits.requests_per_day
            trouble = words(f"status_{quota.trouble.value}") if quota.trouble and not quota.blocked_until else ""
            blocked = words("status_blocked", until=_moment(quota.blocked_until)) if quota.blocked_until else ""
            lines.append(
                words(
                    "status_model",
                    model=quota.model,
                    calls=quota.spent.calls,
                    limit=f" / {limit}" if limit is not None else "",
                    tokens=quota.spent.tokens_in + quota.spent.tokens_out,
                    blocked=blocked or trouble,
                )
            )
        if dropped:
            lines.append(words("status_dropped", count=dropped))
        return Reply(
            text=words(
                "status",
                version=self._about.version,
                messages=await self._memory.count(guild_id),
                pending=self._memory.pending,
                zone=(await self._memory.time_zone(guild_id)).key,
                models="\n".join(lines),
            )
        )

    async def remember(
        self,
        said: Request,
        about: Member,
        statement: str,
        words: Words,
        members: Mapping[int, Member],
        *,
        by: Member | None = None,
        context: tuple[str, ...] = (),
        context_ids: tuple[int, ...] = (),
        source: int | None = None,
        for_me: bool = False,
    ) -> Reply:
        """Store a statement about a member, and answer with the exact sentence that is stored.

        `by` is who wrote the words, where that is not who asks to remember them: "I" is theirs. `source`
        is the message they stand in, where it is not the one that asks; `for_me` keeps them for the speaker alone.
        """
        if await self._memory.mode(said.guild, said.channel_id) is Mode.OFF:
            return Reply(text=words("channel_off"))
        channels = {c.channel_id: c.name for c in (await self._memory.channels(said.guild)).values()}
        told = Statement(
            guild_id=said.guild,
            user_id=about.user_id,
            stated_by=said.speaker.user_id,
            quote=clean(with_channels(statement, channels)),
            said=clean(statement),
            context=context,
            context_ids=context_ids,
            author=by.user_id if by is not None and by.user_id != said.speaker.user_id else None,
            alias=people.alias(statement, about),
            channel_id=said.channel_id,
            message_id=said.message_id if source is None else source,
            audience=-said.speaker.user_id if for_me else said.audience,
            moderates=said.may_moderate,
        )
        try:
            done = await self._memory.remember(told, about, by or said.speaker)
        except NotRemembered as refused:
            return await self._not_remembered(told, refused, about, words)
        return remembered(done, about, words)

    async def _not_remembered(self, told: Statement, refused: NotRemembered, about: Member, words: Words) -> Reply:
        if refused.why is Why.CONFIRM:
            held = await self._memory.forgetting.hold(told)
            args = (str(held.entry_id), held.key)
            return Reply(
                text=words("confirm_sensitive", matter=words(f"matter_{refused.matter or 'other'}")),
                buttons=(
                    Button(label=words("button_keep"), action="keep", args=args, style="primary"),
                    Button(label=words("button_drop"), action="drop", args=args),
                ),
            )
        who = about if refused.whom in (None, about.user_id) else await self.member(told.guild_id, refused.whom or 0)
        return Reply(
            text=words(
                f"not_{refused.why.value}",
                name=who.display_name,
                matter=words(f"matter_{refused.matter or 'other'}"),
            )
        )

    async def forget(self, said: Request, about: Member, request: str, words: Words) -> Reply:
        """Retire the facts about a member that a request means, and say which."""
        done = await self._memory.forgetting.forget(
            said.guild,
            about,
            request,
            by=said.speaker.user_id,
            moderates=said.may_moderate,
            audience=said.audience,
            alone=said.alone,
        )
        return await self.told_forgotten(said, done, about, words)

    async def forget_number(self, said: Request, number: int, words: Words) -> Reply:
        """Retire one fact by its number."""
        fact = await self._memory.fact(said.guild, number)
        if fact is None or not said.may_hear(fact):
            return Reply(text=words("no_such_fact", number=number))
        about = await self.member(said.guild, fact.user_id)
        return await self.told_forgotten(said, await self._forget_facts(said, about, [fact]), about, words)

    async def forget_key(self, said: Request, about: Member, key: str, words: Words) -> Reply:
        """Forget all facts of one kind about a member."""
        done = await self._memory.forgetting.forget_key(
            said.guild,
            about,
            normal_key(key),
            by=said.speaker.user_id,
            moderates=said.may_moderate,
            audience=said.audience,
        )
        return await self.told_forgotten(said, done, about, words)

    async def _forget_facts(self, said: Request, about: Member, facts: Sequence[Fact]) -> Forgotten:
        return await self._memory.forgetting.forget_facts(
            said.guild,
            about,
            facts,
            by=said.speaker.user_id,
            moderates=said.may_moderate,
            audience=said.audience,
        )

    async def member(self, guild_id: int, user_id: int) -> Member:
        """Somebody's names, or a stand-in for them where none is known."""
        found = (await self._memory.members(guild_id, [user_id])).get(user_id)
        return found or Member(guild_id=guild_id, user_id=user_id, display_name=f"<@{user_id}>", username=str(user_id))

    async def recall(self, said: Request, question: str, words: Words) -> Reply:
        """The lines that best answer a question, dated and linked, without any AI."""
        await self._memory.flush(within=1.0)
        return replace(await self._finder.recall(said, question, words), off_record=True)

    async def know(self, said: Request, about: Member, words: Words) -> Reply:
        """Tell the context of a member, and the facts one by one."""
        found = await self._memory.contexts(said.guild, [about.user_id], audience=said.audience)
        context = found[about.user_id]
        name = about.display_name
        told = []
        if context.text and context.fallback is not FallbackLevel.FACTS:
            told.append(words("know", name=name, context=context.text))
        if context.facts:
            told.append(words("know_facts", facts=await self._finder.listed(said.guild, context.facts, words)))
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
        given = await self._chatter.given(said, found)
        return Reply(text="\n".join(told), given=given, messages=read(given, ()))

    async def _remember(
        self, said: Request, command: grammar.Remember, members: dict[int, Member], words: Words
    ) -> Reply:
        statement, author = command.statement, said.speaker
        pointed: _Pointed | None = None
        if not statement and not command.this and not said.replied and not said.replied_to_bot:
            return Reply(text=words("not_empty"))
        if (why := objection(statement)) is not None:
            return Reply(text=words(f"not_{why.value}", name=words("someone"), matter=""))
        if said.replied_to_bot and (command.this or not statement):
            return Reply(text=words("not_own_words"))
        if command.this or not statement:
            pointed = await self._pointed_at(said, members)
            if pointed is None:
                return Reply(text=words("not_empty"))
            statement, author = pointed.text, pointed.author
        if command.subject:
            found = await self._whom(said, command.subject, members)
        elif command.this and said.replied:
            found = people.Whom(member=said.replied.author)
        elif given := keyed(statement):  # "job: welder" is about the speaker, "bob's job: welder" about bob
            found = people.subject(given[0], said.speaker, members)
            if found == people.Whom():
                found = people.Whom(member=said.speaker)
        else:
            found = await self._subject(said, statement, members, author)
            if found == people.Whom() and people.speaks_of_oneself(statement, command.language):
                found = people.Whom(member=author)
        if found.member is None:
            return Reply(text=_ask_back(found, command.subject or "", words))
        if pointed is None:
            return await self.remember(said, found.member, statement, words, members)
        return await self.remember(
            said,
            found.member,
            statement,
            words,
            members,
            by=author,
            context=pointed.context,
            context_ids=pointed.context_ids,
            source=pointed.message_id,
        )

    async def _whom(self, said: Request, name: str, members: dict[int, Member]) -> people.Whom:
        """Whom a name means, among those who wrote and, failing that, all members of the guild."""
        members |= {u: m for u, m in (await self._memory.named_in(said.guild, name)).items() if u not in members}
        found = people.whom(name, said.speaker, members)
        if found == people.Whom():
            alike = await self._memory.named_like(said.guild, name)
            members |= {u: m for u, m in alike.items() if u not in members}
            found = people.whom(name, said.speaker, members)
        if not found.exact and not found.could_be and await self._look_for(said, name, members):
            found = people.whom(name, said.speaker, members)
        return found

    async def _subject(self, said: Request, statement: str, members: dict[int, Member], author: Member) -> people.Whom:
        """Whom a statement by `author` is about, likewise."""
        members |= {u: m for u, m in (await self._memory.named_in(said.guild, statement)).items() if u not in members}
        found = people.subject(statement, author, members)
        words = re.findall(r"[\w.-]+", statement)
        if found == people.Whom() and words and await self._look_for(said, words[0], members):
            found = people.subject(statement, author, members)
        return found

    async def _look_for(self, said: Request, name: str, members: dict[int, Member]) -> bool:
        if said.find is None or not name.strip(" @"):
            return False
        found = {m.user_id: m for m in await said.find(name.strip(" @")) if m.user_id not in members}
        members.update(found)
        return bool(found)

    async def _pointed_at(self, said: Request, members: dict[int, Member]) -> _Pointed | None:
        """What "this" means: the message replied to, else what was said last, with the talk around it."""
        if said.replied:
            author, text = said.replied.author, said.replied.text
            line = _line(author.user_id, text, people.distinct(members))
            return _Pointed(said.replied.message_id, one_line(text), author, (line,), (0,))
        talk = [
            m
            for m in await self._memory.recent(said.guild, said.channel_id, said.message_id, limit=12)
            if m.author_kind == "member" and grammar.addressed(m.text, 0, [self.bot_name]) is None
        ]
        if not talk:
            return None
        last = talk[-1]
        whose = {m.user_id for m in talk} | {user_id for m in talk for user_id in mentioned(m.text)}
        members |= {u: m for u, m in (await self._memory.members(said.guild, whose)).items() if u not in members}
        author = members.get(last.user_id, said.speaker)
        names = people.distinct(members)
        around = tuple(_line(m.user_id, m.text, names) for m in talk)
        return _Pointed(last.message_id, one_line(last.text), author, around, tuple(m.message_id for m in talk))

    async def _forget(self, said: Request, command: grammar.Forget, members: dict[int, Member], words: Words) -> Reply:
        if command.number is not None:
            return await self.forget_number(said, command.number, words)
        if command.everything:
            found = await self._whom(said, command.statement, members)
        else:
            found = await self._subject(said, command.statement, members, said.speaker)
            if found == people.Whom() and people.speaks_of_oneself(command.statement, command.language):
                found = people.Whom(member=said.speaker)
        if found.member is None:
            return Reply(text=_ask_back(found, "", words))
        if command.everything and found.member.user_id == said.speaker.user_id:
            return self.privacy(words)
        if command.everything:
            # Words alone never take everything away: each fact is offered to be struck by its number.
            facts = await self._memory.facts(said.guild, found.member.user_id, audience=said.audience)
            return await self.told_forgotten(said, Forgotten(candidates=tuple(facts)), found.member, words)
        return await self.forget(said, found.member, command.statement, words)

    async def told_forgotten(self, said: Request, done: Forgotten, about: Member, words: Words) -> Reply:
        """What a request to forget did: what went, the receipt in a line, and Undo."""
        name = about.display_name
        told = []
        buttons: tuple[Button, ...] = ()
        shown = [fact for fact in done.removed if said.may_hear(fact)]
        more = done.more + len(done.removed) - len(shown)
        if shown:
            told.append(words("forgotten", name=name, facts=" ".join(f"“{f.value}”" for f in shown)))
        elif done.receipt is not None:
            told.append(words("forgotten_talk", name=name))
        if more:
            told.append(words("forgotten_more", count=more))
        if done.receipt is not None:
            told.append(receipt_line(done.receipt, words))
        if done.undo is not None:
            buttons = (undo_button(done.undo, words), receipt_button(done.undo, words))
        if refused := [fact for fact in done.not_allowed if said.may_hear(fact)]:
            facts = " ".join(f"“{f.value}”" for f in refused)
            told.append(words("not_yours", name=name, facts=facts))
        if done.candidates:
            listed = await self._finder.listed(said.guild, done.candidates, words)
            told.append(words("candidates", name=name, facts=listed))
        if not told:
            told.append(words("nothing_to_forget", name=name))
        if done.nearest:
            told.append(words("nearest", facts=await self._finder.listed(said.guild, done.nearest, words)))
        return Reply(text="\n".join(told), buttons=buttons)

    async def _set_zone(self, said: Request, name: str, words: Words) -> str:
        if not said.may_manage:
            return words("zone_denied")
        try:
            await self._memory.set_time_zone(said.guild, name)
        except ValueError:
            return words("zone_unknown", zone=name)
        return words("zone_set", zone=(await self._memory.time_zone(said.guild)).key)


def _line(user_id: int, text: str, names: Mapping[int, str]) -> str:
    return f"{names.get(user_id, 'someone')}: {one_line(readable(text, names, {}))}"


def _ask_back(found: people.Whom, name: str, words: Words) -> str:
    if found.could_be:
        names = ", ".join(f"{m.display_name} ({m.username})" for m in found.could_be)
        return words("which_of", names=names)
    return words("whom", name=name.lstrip("@")) if name else words("whom_missing")


def remembered(done: Remembered, about: Member, words: Words) -> Reply:
    """The exact sentence that is stored, what it took the place of, and Undo."""
    name = "already_known" if done.known else "remembered_as_said" if done.as_said else "remembered"
    told = [words("remembered_private" if done.fact.private else name, name=about.display_name, fact=done.fact.value)]
    if done.replaced:
        told.append(words("replaced", facts=" ".join(f"“{fact.value}”" for fact in done.replaced)))
    undo = Undo(entry_id=done.entry_id) if done.entry_id is not None else None
    return Reply(
        text="\n".join(told),
        buttons=(undo_button(undo, words),) if undo else (),
        given={str(about.user_id): {"fallback": "told", "facts": [done.fact.fact_id], "messages": [], "kept_back": 0}},
    )


def undo_button(undo: Undo, words: Words) -> Button:
    """Takes a change back; carries the key to what was taken away."""
    return Button(label=words("button_undo"), action="undo", args=(str(undo.entry_id), undo.key))


def receipt_button(undo: Undo, words: Words) -> Button:
    """Shows what was removed and what a second search found, as JSON."""
    return Button(label=words("button_receipt"), action="receipt", args=(str(undo.entry_id),))


def receipt_line(receipt: Receipt, words: Words) -> str:
    """A receipt in a line."""
    removed = ", ".join(f"{words('place_' + place)}: {n}" for place, n in receipt.removed.items()) or "0"
    if receipt.clean:
        return words("receipt_clean", removed=removed, places=len(receipt.found))
    left = ", ".join(f"{words('place_' + place)}: {n}" for place, n in receipt.found.items() if n)
    return words("receipt_left", removed=removed, left=left)


def _moment(moment: datetime | None) -> str:
    return f"<t:{int(moment.timestamp())}:t>" if moment else ""
