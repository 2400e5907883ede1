"""From a message addressed to the bot to who answers it: grammar first, then one AI call."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timedelta

from cachetools import LRUCache

from memory import Change, Exchange, Fact, Member, MemoryManager, NotAllowed, NotRemembered, Undo, Viewer
from memory.clock import TOLD
from memory.ids import ChannelId, GuildId, MessageId, UserId
from memory.permissions import may_administer, may_hear
from memory.records import ActiveSession
from memory.rules.dates import is_weekday, span_in
from memory.rules.likeness import agrees, refuses
from memory.rules.questions import of_oneself
from memory.rules.text import mentioned, one_line, with_names
from memory.rules.windows import asks_for_another_subject, over_budget
from urmom_bot.actions import Action
from urmom_bot.languages import DEFAULT, collect
from urmom_bot.markup import Markup, channel, joined, line, moment, person
from urmom_bot.talk import commands, grammar, people
from urmom_bot.talk.chatting import Chatter
from urmom_bot.talk.followups import FOLLOWUP_WINDOW, ORDERED, Done, Followups, entry, redirected
from urmom_bot.talk.forgetting import MAX_QUOTED, Forgetter, offer_privacy
from urmom_bot.talk.guessing import has_all_words, may_be, shows_none, surely
from urmom_bot.talk.interpreting import MAX_YES_WORDS, Interpreter, put_right, told_sentence
from urmom_bot.talk.knowing import Knower
from urmom_bot.talk.people import Resolved, is_about_no_person
from urmom_bot.talk.presenting import MAX_OFFERED_FACTS, back_again, named, refused, remembered
from urmom_bot.talk.pronouns import Pronouns
from urmom_bot.talk.proposals import Proposal
from urmom_bot.talk.remembering import Rememberer
from urmom_bot.talk.requests import Reply, Request
from urmom_bot.talk.resolving import Resolver, Resolvers, ask_back
from urmom_bot.talk.rewording import (
    brings_back,
    forgets_after_all,
    insists,
    objects,
    told_anew,
    was_joking,
)
from urmom_bot.talk.texts import Texts
from urmom_bot.talk.zones import zone_name
from urmom_bot.viewing import Viewing
from urmom_bot.views import undo_action

ORDERS = (
    commands.Remember
    | commands.Correct
    | commands.Forget
    | commands.ForgetLast
    | commands.SetJokes
    | commands.SetZone
    | commands.Reset
    | commands.TakeBack
    | commands.Meant
)
"""The commands that change something."""

SELF_EXPLAINING = commands.Help | commands.ShowPrivacy | commands.ShowSettings
"""Commands whose answers say themselves what an introduction would."""

MAX_INTRODUCED = 50_000
"""Members who are kept in mind as introduced."""

_FOLLOWED = (
    commands.Remember
    | commands.Correct
    | commands.Forget
    | commands.ForgetLast
    | commands.Know
    | commands.SetJokes
    | commands.SetZone
    | commands.ShowPrivacy
)
"""The commands that something said after them may be about."""

_DELETES = commands.Forget | commands.ForgetLast

PRESENT = timedelta(minutes=10)
"""How long somebody who spoke to the bot has missed nothing."""

SETTLE_TIMEOUT = 1.0
"""Seconds that a command waits for what was said a moment ago to be stored."""


@dataclass(frozen=True, kw_only=True)
class BotInfo:
    """What the bot may say about itself in help and status."""

    version: str
    emoji: str
    retention_days: int


@dataclass(frozen=True, kw_only=True)
class Health:
    """How the process is doing, beside its memory."""

    dropped: int = 0
    """Events of Discord's that could not be read."""
    parked: int = 0
    """Work of the server that a defect keeps from being done."""
    to_read: int = 0
    """Channels that are to be read since the bot was away; 0 once it caught up."""
    read: int = 0
    failing: tuple[str, ...] = ()
    """Background work that fails again and again."""
    whole_since: datetime | None = None
    """Since when nothing is missing of the channel where it is asked; None where that is not known."""
    missing_since: datetime | None = None
    """Since when something may be missing of it, which is being read; None where nothing is."""
    skew: float = 0.0
    """Seconds that this machine's clock is ahead of the database's."""


class Router:
    """Understands what a message asks for, and has it done. What happened is told by code, from what is stored."""

    def __init__(
        self,
        memory: MemoryManager,
        info: BotInfo,
        bot_names: Sequence[str],
        *,
        asks_about_inferred: bool = True,
        introduces: bool = False,
        uses_tools: bool = False,
    ) -> None:
        self._memory = memory
        self._info = info
        self._uses_tools = uses_tools
        self._introduces = introduces
        self._met: LRUCache[tuple[GuildId, UserId], bool] = LRUCache(MAX_INTRODUCED)
        self.bot_names = tuple(bot_names)
        self.bot_name = self.bot_names[0]
        self.viewing = Viewing(memory)
        self.rememberer = Rememberer(memory, self.viewing, self.bot_names)
        self.forgetter = Forgetter(memory, self.viewing)
        self.knower = Knower(memory, self.viewing, self.bot_names)
        self._followups = Followups(memory.clock)
        self._resolvers = Resolvers(memory)
        self._pronouns = Pronouns(self._resolvers, self._followups)
        self._interpreter = Interpreter(memory, self._resolvers, self._followups, self.rememberer, self.bot_names)
        self._chatter = Chatter(
            memory, self.knower, self.viewing, self.bot_name, asks_about_inferred=asks_about_inferred
        )

    def is_command(self, text: str) -> bool:
        """Whether words to the bot, without the address, are a command, as far as the grammar knows.

        Some may turn out to be questions like any other: what is known of a name, once names are looked for, and what
        was missed, in the middle of a talk.
        """
        match grammar.parse(text):
            case commands.Know(subject=subject):
                return of_oneself(subject) or bool(mentioned(subject))
            case commands.CatchUp(is_plain=False) | None:
                return False
        return True

    def is_order(self, text: str) -> bool:
        """Whether words to the bot, without the address, have it change something, as far as the grammar knows."""
        return isinstance(grammar.parse(text), ORDERS)

    @staticmethod
    def language(text: str, usual: str | None = None) -> str | None:
        """The language that words to the bot are surely in: an order's own words tell it before what it tells, unless
        both its verb and the whole tell another.

        A command of two words or more is in the language whose word lists have it, whatever single words of it mean.
        Anything else is in the speaker's `usual` language, if it may be.
        """
        command = grammar.parse(text)
        if isinstance(command, commands.Forget) and command.numbers:
            return surely(text)  # "number" is said in several
        if isinstance(command, commands.Remember | commands.Forget) and command.statement not in ("", text):
            listed = grammar.parse_listed(text)
            around = text.replace(command.statement, "")
            own = surely(around)
            if own is None and surely(text) != command.language and has_all_words(DEFAULT, around):
                return None  # "delete" is said in French too
            votes = [vote for vote in (own, surely(text), listed.language if listed else None) if vote is not None]
            return max(votes, key=votes.count, default=None)
        listed = grammar.parse_listed(text) if " " in text.strip() else None
        if listed is not None:
            return listed.language
        return usual if usual is not None and (may_be(text, usual) or shows_none(text)) else surely(text)

    def ends_talk(self, text: str) -> bool:
        """Whether words to the bot want it to be silent."""
        command = grammar.parse(text)
        return isinstance(command, commands.Hush) and command.is_final

    def is_teaching(self, text: str) -> bool:
        """Whether words to the bot, without the address, ask it to remember something, as far as the grammar knows."""
        return isinstance(grammar.parse(text), commands.Remember)

    def corrects(self, guild_id: GuildId, channel_id: ChannelId, user_id: UserId, text: str, at: datetime) -> bool:
        """Whether a message, though it isn't addressed to the bot, puts right what its writer told it just now."""
        last = self._followups.last_of(guild_id, channel_id, user_id)
        return last is not None and put_right(last, text, at, by=told_anew) is not None

    async def respond(self, request: Request, exchange: Exchange | None = None) -> Reply:
        """Do what a message asks and say so; `exchange` holds the session it is part of. Raises DatabaseUnavailable.

        The first answer to a member says that the bot remembers, and where they see what.
        """
        command = grammar.parse(request.text)
        texts = Texts(request.language or self.language(request.text) or DEFAULT)
        if request.is_direct:
            return await self._respond_directly(request, command, texts, exchange)
        reply = await self._respond(request, command, texts, exchange)
        is_said = bool(reply.text) and self._introduces
        if is_said and await self._is_new(request) and not isinstance(command, SELF_EXPLAINING):
            return replace(reply, text=line("{}\n-# {}", reply.text, texts("introduction")))
        return reply

    async def _is_new(self, request: Request) -> bool:
        """Whether a member is answered for the first time."""
        key = request.guild_id, request.speaker.user_id
        if key in self._met:
            return False
        self._met[key] = True
        return await self._memory.privacy.introduce(request.viewer)

    async def _respond(
        self, request: Request, command: commands.Command | None, texts: Texts, exchange: Exchange | None
    ) -> Reply:
        request, command = await self._pronouns.resolve(request, command)
        bare = replace(request, text=grammar.without_laughter(request.text))
        if orders := await self._interpreter.orders(bare):
            return await self._each(orders, request, texts)
        waiting = self._followups.last(request)
        if waiting is not None and waiting.held is not None and _says_yes(command, bare.text):
            return await self.keep(waiting.held, request, texts, in_public=True)
        if waiting is not None and (waiting.waits or waiting.offered) and refuses(bare.text):
            command = commands.TakeBack(drop=True)
        if isinstance(command, commands.Meant) and not command.is_plain and await self._interpreter.update(bare):
            command = None  # "ich rauche nicht mehr" is like "nicht Tim"
        command = await self._interpreter.understood(command, bare)
        if isinstance(command, commands.CatchUp) and not command.is_plain:
            words = [word.strip("?!.,").casefold() for word in bare.text.split()]
            is_catching_up = not set(words).isdisjoint(collect("grammar.catching_up"))
            names_days = any(map(is_weekday, words)) or span_in(bare.text, request.at.date()) is not None
            is_of_a_day = names_days and not is_catching_up  # "what's on on Friday", "what happened yesterday"
            is_other = is_of_a_day or grammar.greets(bare.text) or _talks_already(request, exchange)
            is_other = is_other or any(map(str.isdecimal, words))  # "what's rule 1"
            command = None if is_other else command
        command = await self._interpreter.in_passing(command, bare, texts.language)
        if command is None and (besides := await self._interpreter.added(bare)) is not None:
            named, told = await self._pronouns.resolve_added(request, besides)
            if told is not None:  # it may be talk
                return await self._carry_out(told, named, texts, is_sure=False)
        if command is None:
            self._followups.pass_on(request, is_question=grammar.is_question(request.text))

            async def perform(wanted: Proposal) -> Reply:
                return await self._carry_out(wanted.command, request, texts, is_sure=wanted.is_sure)

            answered = await self._chatter.reply(request, texts, exchange, perform if self._uses_tools else None)
            if isinstance(answered, Reply):
                choice = await self._memory.privacy.choice(request.guild_id, request.speaker.user_id)
                return replace(answered, off_record=answered.off_record or not choice.keeps_messages)
            return await perform(answered)
        return await self._carry_out(command, request, texts)

    async def _each(self, orders: Sequence[tuple[str, commands.Command]], request: Request, texts: Texts) -> Reply:
        """Carry out the orders of one message, and answer all in one message."""
        done = [await self._carry_out(command, replace(request, text=order), texts) for order, command in orders]
        undos = [undo for reply in done if (undo := entry(reply, "undo")) is not None]
        self._followups.join(request, undos, orders)
        one = {"undo"} if len(undos) > 1 else set()  # which takes back all
        actions = [action for reply in done[:-1] for action in reply.actions if action.name not in one]
        return replace(
            done[-1],
            text=joined(reply.text for reply in done),
            actions=(*done[-1].actions, *actions),
            asks_whom=any(reply.asks_whom for reply in done),
        )

    async def finish(self, request: Request, reply: Reply, exchange: Exchange, sent: Sequence[MessageId]) -> None:
        """Add an answer that was sent to its session, and keep it for the same question asked again."""
        if not reply.spoken or reply.off_record:
            return
        exchange.answered(reply.spoken, sent, request.at, reply.given)
        if reply.named is not None and request.replied_id is None and not request.is_direct:
            await self._memory.conversations.keep_answer(
                request.viewer,
                exchange,
                request.text,
                reply.spoken,
                named=reply.named,
                given=reply.given,
                message_ids=sent,
            )

    async def _respond_directly(
        self, request: Request, command: commands.Command | None, texts: Texts, exchange: Exchange | None
    ) -> Reply:
        """Answer a direct message, where there is no server to remember of."""
        match command:
            case commands.Help():
                return self.help(texts)
            case commands.Thanks():
                return Reply(text=texts("welcome"))
            case commands.Hush():
                return Reply(text=Markup())
            case commands.ShowPrivacy() | commands.Forget(everything=True):
                return offer_privacy(texts)
            case commands.Reset():
                return await self.reset(request, texts)
            case (
                None | commands.TakeBack() | commands.Meant() | commands.Know(is_plain=False)
            ):  # nothing was changed here
                answered = await self._chatter.reply(request, texts, exchange)
                if isinstance(answered, Reply):
                    return answered
        return Reply(text=texts("direct_messages"))

    async def _carry_out(
        self, command: commands.Command, request: Request, texts: Texts, *, is_sure: bool = True
    ) -> Reply:
        """Do what a command says; its words stay until it is done, and out of every summary.

        One that is not `is_sure`, which a model proposed, is asked about first: then the words are talk as they were.
        """
        if not is_sure or (isinstance(command, commands.Forget) and not command.is_sure):
            return replace(await self._done(command, request, texts, is_sure=False), off_record=True)
        await self._memory.messages.hold_order(request.guild_id, request.message_id)
        await self._memory.messages.flush(
            within=SETTLE_TIMEOUT, past=False
        )  # what was said a moment ago is known when it is asked about
        done = await self._done(command, request, texts)
        await self._memory.messages.keep_off_record(request.guild_id, request.message_id)
        return replace(done, off_record=True)

    async def _done(self, command: commands.Command, request: Request, texts: Texts, *, is_sure: bool = True) -> Reply:
        """Do a command, and keep what came of it for what may be said after it."""
        resolver = await self._resolvers.open(request)
        request = replace(request, speaker=resolver.speaker)
        if not is_sure and isinstance(command, commands.Remember):
            asked = await self.rememberer.command(request, command, resolver, texts, asks=True)
            self._followups.note(request, command, asked)
            return asked
        if not is_sure and isinstance(command, commands.Forget):
            offered = await self.forgetter.offer(request, command, resolver, texts)
            self._followups.note(request, command, offered)
            return offered
        if isinstance(command, commands.SetJokes) and people.is_for_all(request.text):
            return Reply(text=texts("jokes_by_command"))
        if isinstance(command, commands.SetZone):
            command = replace(command, before=(await self._memory.guilds.time_zone(request.guild_id)).key)
        done = await self._do(command, request, resolver, texts)
        if isinstance(command, _FOLLOWED):
            self._followups.note(request, command, done)
        return done

    async def keep(self, held: Undo, request: Request, texts: Texts, *, in_public: bool) -> Reply:
        """Store what waits for the speaker's yes. `in_public`, the answer does not say what is for them alone."""
        try:
            done = await self._memory.facts.confirm_pending(request.viewer, held, request.speaker)
        except NotRemembered as why:
            return Reply(text=refused(why, person(why.user_id or request.speaker.user_id), texts), off_record=True)
        if done is None:
            return Reply(text=texts("keep_not"), off_record=True)
        subject = await self.viewing.member(done.fact.guild_id, done.fact.user_id)
        told = remembered(request.viewer, done, subject, texts)
        self.confirm(held, told)
        if done.fact.private and in_public:
            told = replace(told, text=texts("remembered_in_public"))
        return replace(told, off_record=True)

    async def _take_back(self, command: commands.TakeBack, request: Request, texts: Texts) -> Reply:
        """Undo what the speaker had done last in the channel.

        What they had erased comes back by "undo" alone, before they ask for anything but what is known. "Never mind"
        takes nothing back: it drops what waits for an answer. Where something waits, "undo" does the same.
        """
        if command.itself:
            return Reply(text=texts("dropped"))
        newest, last = self._followups.last(request), self._followups.changed(request)
        if command.again and (dropped := self._followups.undone(request)) is not None:
            return await self._redo(dropped, request, texts)
        if command.again and (last is None or not last.has_deleted):
            return Reply(text=texts("redo_nothing"))
        if newest is not None and newest.waits:
            self._followups.drop_newest(request)
            if newest.held is not None:
                await self._memory.facts.discard_pending(request.viewer, newest.held)
            return Reply(text=texts("dropped" if newest.held is not None else "dropped_it"))
        if command.drop:
            return await self._never_mind(command, newest, last, request, texts)
        if newest is not None and newest.is_final:
            self._followups.drop_newest(request)
            return Reply(text=texts("message_gone"))
        wanted = None if newest is None or newest is last else newest.fruitless or newest.command
        if isinstance(wanted, ORDERED):
            self._followups.drop_newest(request)  # it came to nothing: what was done before it stays
            return Reply(text=texts("nothing_deleted" if isinstance(wanted, _DELETES) else "undo_nothing"))
        if last is not None and (undone_setting := await self._undo_setting(last, request, texts)) is not None:
            return undone_setting
        if last is not None and (shown := self._show_before_undo(last, request, texts)) is not None:
            return shown
        is_erasure = last is not None and isinstance(last.command, commands.Forget | commands.ForgetLast)
        is_newest = last is newest or (
            newest is not None and isinstance(newest.command, commands.Know | commands.ShowPrivacy)
        )
        if last is None or last.undo is None or (is_erasure and not is_newest):
            return Reply(text=texts("redo_nothing" if brings_back(request.text) else "undo_nothing"))
        self._followups.drop(request)
        before = None if was_joking(request.text) else last.in_place_of  # that was part of the joke
        is_told = isinstance(last.command, commands.Remember) and not last.command.this
        is_one = before is not None or (is_told and not last.beside and not last.is_private)
        told_fact = await self._told_last(last, request) if is_one else None
        if is_one and told_fact is None:
            return Reply(text=texts("undo_not"))
        undone = await self._memory.forgetting.undo(request.viewer, last.undo)
        if undone is not None and before is not None and before.command is not None:
            return await self._restored(last, before, before.command, request, texts)
        for undo in last.beside:
            undone = await self._memory.forgetting.undo(request.viewer, undo) or undone
        if undone is None:
            return Reply(text=texts("undo_not"))
        self._followups.keep_undone(request, replace(last, in_place_of=None))
        return await self._undone(last, undone, told_fact, request, texts)

    async def _never_mind(
        self, command: commands.TakeBack, newest: Done | None, last: Done | None, request: Request, texts: Texts
    ) -> Reply:
        """Let go of what was offered or asked; what was saved or deleted stays, and can be undone by a button."""
        if newest is not None and newest.offered and newest.undo is None:
            self._followups.drop_newest(request)  # a yes comes too late
        told = newest if newest is not None and isinstance(newest.command, commands.Remember) else None
        if told is not None and told is last and told.undo is not None and forgets_after_all(request.text):
            return await self._take_back(replace(command, drop=False), request, texts)
        if newest is None or newest.undo is None or self._followups.talk(request) is not None:
            return Reply(text=texts("dropped_it"))
        if told is not None:
            return Reply(text=texts("stays_saved"), actions=(undo_action(newest.undo),))  # some mean it is to go
        if isinstance(newest.command, _DELETES):
            return Reply(text=texts("stays_deleted"), actions=(undo_action(newest.undo),))
        return Reply(text=texts("dropped_it"))

    async def _undo_setting(self, last: Done, request: Request, texts: Texts) -> Reply | None:
        """Undo what was said about jokes or the time zone; None if something else was changed last."""
        match last.command:
            case commands.SetJokes(wanted=wanted):
                self._followups.drop(request)
                await self._memory.privacy.set_jokes(request.viewer, request.speaker, not wanted)
                return Reply(text=texts("undone_words", name=named(request.speaker), text=_quoted(last.request)))
            case commands.SetZone(before=str(before)):
                self._followups.drop(request)
                if before == (await self._memory.guilds.time_zone(request.guild_id)).key:
                    return Reply(text=texts("undo_nothing"))
                return Reply(text=await self._set_zone(request, before, texts))
        return None

    async def _restored(
        self, last: Done, before: Done, command: commands.Command, request: Request, texts: Texts
    ) -> Reply:
        """Save again what was told before it was put right; the correction can be redone."""
        restored = await self._done(command, replace(before.request, viewer=request.viewer), texts)
        self._followups.carry(request, last.beside)
        self._followups.keep_undone(request, replace(last, in_place_of=self._followups.changed(request)))
        fact = await self._told_last(before, request)
        is_for_all = fact is not None and may_hear(request.viewer, fact.audience)
        return replace(restored, text=back_again([fact], texts)) if fact is not None and is_for_all else restored

    async def _undone(self, last: Done, change: Change, fact: Fact | None, request: Request, texts: Texts) -> Reply:
        """What was undone, in the words of the order or of its fact, or what is back: as far as these may be said
        again."""
        if last.has_deleted and not last.is_private and (facts := await self._standing(request, change)):
            return Reply(text=back_again(facts, texts))
        who, order = named(request.speaker), last.request
        if last.is_private or self._memory.messages.was_deleted(order.guild_id, order.message_id):
            return Reply(text=texts("undone", name=who))
        if not last.is_as_said:
            is_for_all = fact is not None and may_hear(request.viewer, fact.audience)
            told = texts("undone_words", name=who, text=fact.value) if fact is not None and is_for_all else None
            return Reply(text=told or texts("undone", name=who))
        return Reply(text=texts("undone_words", name=who, text=_quoted(order, last)))

    async def _standing(self, request: Request, undone: Change) -> list[Fact]:
        """The facts that a deletion took, which was taken back, as far as all who read this channel may see them."""
        found = [await self._memory.facts.get(request.viewer, number) for number in undone.fact_ids[:MAX_OFFERED_FACTS]]
        return [fact for fact in found if fact is not None and may_hear(request.viewer, fact.audience)]

    async def _redo(self, undone: Done, request: Request, texts: Texts) -> Reply:
        """Do once more what was undone, unless the message that asked for it was deleted since."""
        asked = undone.request
        if not isinstance(undone.command, commands.Remember) or self._memory.messages.was_deleted(
            asked.guild_id, asked.message_id
        ):
            return Reply(text=texts("redo_nothing"))
        again = replace(asked, viewer=request.viewer, speaker=request.speaker)
        if undone.orders:
            return await self._each(undone.orders, again, texts)
        if (before := undone.in_place_of) is None:
            return await self._done(undone.command, again, texts)
        changed = self._followups.changed(request)
        if before.undo is None or changed is None or changed.undo != before.undo:
            return Reply(text=texts("redo_nothing"))  # something else was changed since
        await self._memory.forgetting.undo(request.viewer, before.undo)  # which the undo of a correction brought back
        done = await self._done(undone.command, again, texts)
        self._followups.keep_before(request, before)
        return done

    async def _again(self, command: commands.Meant, request: Request, resolver: Resolver, texts: Texts) -> Reply:
        """Do what the speaker asked for last again, about whom they meant; what it had changed is undone first."""
        last = self._followups.told(request) if command.statement else self._followups.last(request)
        if last is not None and last.undo and command.statement and isinstance(last.command, commands.Remember):
            return await self._tell_anew(last, last.command, last.undo, command.statement, request, texts)
        again = redirected(last, command.subject, request) if last is not None else None
        if last is None or again is None:
            return Reply(text=texts("undo_nothing"))
        if last.beside:  # one of several things, and it leaves open which
            return Reply(text=texts("untrue_nothing"))
        if not self._followups.is_newest(last) and await self._interpreter.told_of_speaker(request, last) is not None:
            return Reply(text=texts("which_of_two"))
        meant = await resolver.resolve_name(command.subject)
        if meant.member is None:
            return Reply(text=ask_back(meant, command.subject, texts))
        wanted, asked = again
        if last.undo is not None:
            told = last.command if isinstance(last.command, commands.Remember) and not last.command.this else None
            if told is not None and await self._is_about_nobody(told, request.speaker, resolver):
                return Reply(text=texts("which_corrected"))
            await self._memory.forgetting.undo(request.viewer, last.undo)
        if last.held is not None:
            await self._memory.facts.discard_pending(request.viewer, last.held)
        if isinstance(wanted, commands.Remember) and not wanted.this and (last.undo or last.held):
            named = replace(wanted, subject=None, statement=told_sentence(wanted, asked))
            before = await self._resolvers.open(asked)
            await before.add(set(mentioned(named.statement)))
            restated = await self.rememberer.restated(named, before, meant.member)
            if restated is None and not (isinstance(last.command, commands.Remember) and last.command.subject):
                self._followups.drop(request)
                return Reply(text=texts("say_again"))
            wanted = replace(wanted, statement=restated or wanted.statement)
        if isinstance(wanted, commands.Remember) and wanted.this and asked.quoted is None:
            self._followups.drop(request)
            return Reply(text=texts("say_again"))  # "this" was what the other wrote
        done = await self._done(wanted, replace(asked, speaker=request.speaker), texts)
        is_refused = not done.actions and not done.given.members
        if last.undo is not None and isinstance(last.command, commands.Remember) and is_refused:
            await self._done(last.command, last.request, texts)  # refused: what they told stays as it was
        elif last.undo is not None and isinstance(last.command, commands.Remember):
            self._followups.keep_before(request, last)
        self._followups.carry(request, last.beside)
        return done

    async def _of_offered(self, offered: Sequence[int], request: Request, texts: Texts) -> Reply:
        """Have the one fact forgotten that was offered just now; of several, ask again which."""
        if len(offered) == 1:
            return await self.forgetter.forget_number(request, offered[0], texts)
        return await self.forgetter.offer_numbers(request, offered, texts)

    async def _tell_anew(
        self, last: Done, told: commands.Remember, undo: Undo, statement: str, request: Request, texts: Texts
    ) -> Reply:
        """Save what the speaker told in other words, in place of what it was; "undo" then saves that again."""
        if await self._told_last(last, request) is None:
            return Reply(text=texts("undo_not"))
        await self._memory.forgetting.undo(request.viewer, undo)
        done = await self._done(replace(told, statement=statement), replace(last.request, viewer=request.viewer), texts)
        if not done.given.members:  # refused, or asked about: what they told stays as it was
            await self._done(told, last.request, texts)
        else:
            self._followups.keep_before(request, last)
        self._followups.carry(request, last.beside)
        return done

    def _show_before_undo(self, last: Done, request: Request, texts: Texts) -> Reply | None:
        """What "undo" would take back, where the speaker may mean what they said since; said once more, it does it.

        None if nothing was said since, or if the order must not be quoted: it is private, or its message was deleted.
        """
        if last.undo is None or self._interpreter.unsaved(request) is None:
            return None
        self._followups.drop_talk(request)
        order = last.request
        if last.is_private or self._memory.messages.was_deleted(order.guild_id, order.message_id):
            return None
        return Reply(text=texts("undo_which", text=_quoted(order)), actions=(undo_action(last.undo),))

    async def _told_last(self, last: Done, request: Request) -> Fact | None:
        """The fact that was told last, if it is still there: nobody had it deleted."""
        since = request.at - FOLLOWUP_WINDOW
        fact = await self._memory.facts.last_taught(request.viewer, request.channel_id, since)
        return fact if fact is not None and fact.message_id == last.request.message_id else None

    @staticmethod
    async def _is_about_nobody(told: commands.Remember, speaker: Member, resolver: Resolver) -> bool:
        """Whether a fact is about the server because it names nobody."""
        if told.subject or not is_about_no_person(told.statement):
            return False
        return await resolver.subject(told.statement, speaker) == Resolved()

    async def _do(self, command: commands.Command, request: Request, resolver: Resolver, texts: Texts) -> Reply:
        match command:
            case commands.Remember():
                return await self.rememberer.command(request, command, resolver, texts)
            case commands.Forget():
                before = self._followups.last(request)
                if not command.in_place or before is None or before.undo is None:
                    return await self.forgetter.command(request, command, resolver, texts)
                back = await self._memory.forgetting.undo(request.viewer, before.undo)
                done = await self.forgetter.command(request, command, resolver, texts)
                facts = await self._standing(request, back) if back is not None else []
                return replace(done, text=joined([done.text, back_again(facts, texts)])) if facts else done
            case commands.ForgetLast():
                return await self._forget_last(command, request, texts)
            case commands.Confirm():
                fact = await self._memory.facts.confirm(request.viewer, command.number)
                if fact is None:
                    return Reply(text=texts("no_such_fact", number=command.number))
                if command.alias:
                    return Reply(text=texts("name_agreed", alias=command.alias))
                return Reply(text=texts("agreed", fact=fact.value))
            case commands.Correct():
                return await self.rememberer.correct(request, command, texts)
            case commands.Know():
                found = await self._interpreter.asked_about(command.subject, resolver)
                members = [one.member for one in found if one.member is not None]
                if not members:
                    return Reply(text=ask_back(found[0], command.subject, texts), asks_whom=True)
                return await self.knower.know(request, members, texts)
            case commands.CatchUp():
                return await self.knower.missed(request, texts)
            case commands.SetJokes():
                await self._memory.privacy.set_jokes(request.viewer, request.speaker, command.wanted)
                return Reply(text=texts("jokes_on" if command.wanted else "jokes_off"))
            case commands.SetZone():
                return Reply(text=await self._set_zone(request, command.name, texts))
            case commands.Reset():
                part = request.viewer, request.channel_id, request.message_id
                if asks_for_another_subject(request.text) and await self._memory.conversations.close_part(*part):
                    return Reply(text=texts("subject_closed"))
                return await self.reset(request, texts)
            case commands.Help():
                return self.help(texts)
            case commands.ShowPrivacy():
                return offer_privacy(texts)
            case commands.ShowSettings():
                return Reply(text=texts("settings_by_command"))
            case commands.Thanks():
                return Reply(text=texts("welcome"))
            case commands.Hush():
                return Reply(text=Markup())
            case commands.TakeBack():
                return await self._take_back(command, request, texts)
            case commands.Meant():
                return await self._again(command, request, resolver, texts)

    async def _forget_last(self, command: commands.ForgetLast, request: Request, texts: Texts) -> Reply:
        """Have "that" forgotten: what is waited for, what was offered, what was undone, or what was told last."""
        newest = self._followups.last(request)
        is_bare = request.quoted is None and not command.message
        if newest is not None and newest.waits and is_bare:  # "no, don't keep that"
            return await self._take_back(commands.TakeBack(drop=True), request, texts)
        undone = self._followups.undone(request)
        is_again = undone is not None and isinstance(undone.command, _DELETES) and insists(request.text)
        if undone is not None and undone.command is not None and is_again and is_bare:
            return await self._done(undone.command, replace(undone.request, viewer=request.viewer), texts)
        is_deleted = newest is not None and newest.undo is not None and isinstance(newest.command, _DELETES)
        if newest is not None and newest.undo is not None and is_deleted and is_bare and insists(request.text):
            return Reply(text=texts("stays_deleted"), actions=(undo_action(newest.undo),))
        if newest is not None and newest.offered and is_bare:
            return await self._of_offered(newest.offered, request, texts)
        if is_bare and await self._interpreter.is_of_another_fact(request):
            return Reply(text=texts("untrue_nothing"))
        if newest is not None and objects(request.text) and not self._followups.is_newest(newest):
            return Reply(text=texts("untrue_nothing"))  # it may be about what somebody else told since
        has_told = newest is not None and isinstance(newest.command, commands.Remember)
        return await self.forgetter.last(request, texts, message=command.message, may_be_fact=has_told)

    def joined(self, undo: Undo) -> Sequence[Undo]:
        """What takes back the other orders of the message whose change an Undo is for."""
        return self._followups.joined(undo)

    def changed_elsewhere(self, request: Request, undo: Undo | None, *, deletes: bool = False) -> None:
        """Note that a button or a slash command changed something, or deleted it, and what takes it back."""
        self._followups.press(request, undo, deletes=deletes)

    def listed_elsewhere(self, request: Request, listed: tuple[int, ...]) -> None:
        """Note that a button showed facts: "the second one" means one of them."""
        self._followups.show_list(request, listed)

    def confirm(self, held: Undo, reply: Reply) -> None:
        """Note that what waited for a yes got it by a button: "undo" means that from now on."""
        self._followups.confirm(held, reply)

    async def reset(self, request: Request, texts: Texts) -> Reply:
        """End the conversation of the channel."""
        done = await self._memory.conversations.reset(request.viewer, request.channel_id)
        return Reply(text=texts("reset_done" if done else "reset_nothing"))

    @staticmethod
    def _session_line(session: ActiveSession, texts: Texts) -> Markup:
        spent = dict(session.context.spent)
        whole = spent.pop("whole", 0)
        over = over_budget(session.context.most)
        return texts(
            "status_session",
            channel=channel(session.channel_id),
            turns=session.turns,
            tokens=whole,
            parts=", ".join(f"{part} {count}" for part, count in spent.items() if count and part != "delta"),
            over=line(" {}", texts("status_over", parts=", ".join(over))) if over else "",
        )

    async def _set_zone(self, request: Request, name: str, texts: Texts) -> Markup:
        try:
            await self._memory.guilds.set_time_zone(request.viewer, zone_name(name))
        except NotAllowed:
            return texts("zone_denied")
        except ValueError:
            return texts("zone_unknown", zone=name)
        return texts("zone_set", zone=(await self._memory.guilds.time_zone(request.guild_id)).key)

    async def recall(self, request: Request, question: str, texts: Texts) -> Reply:
        """The lines that best answer a question, dated and linked, without any AI."""
        await self._memory.messages.flush(within=SETTLE_TIMEOUT, past=False)
        return replace(await self.knower.recall(request, question, texts), off_record=True)

    def help(self, texts: Texts) -> Reply:
        """What can be said to the bot, in short."""
        names = ("try_remember", "try_know", "privacy", "help_more")
        return Reply(text=texts("help"), actions=tuple(Action(name=name) for name in names))

    def help_more(self, texts: Texts) -> Markup:
        """What else can be said and done."""
        info = self._info
        return texts("help_more", emoji=info.emoji, retention=info.retention_days)

    async def status(self, viewer: Viewer, texts: Texts, health: Health | None = None) -> Reply:
        """How the bot is doing.

        Who manages the server also sees the conversations that go on, with the tokens of their last prompt by part.
        """
        guild_id = viewer.guild_id
        quotas = await self._memory.quotas()
        lines = [] if quotas else [texts("status_no_ai")]
        for quota in quotas:
            limit = quota.limits.requests_per_day
            trouble = texts(f"status_{quota.trouble.value}") if quota.trouble and not quota.blocked_until else Markup()
            blocked = texts("status_blocked", until=moment(quota.blocked_until)) if quota.blocked_until else Markup()
            lines.append(
                texts(
                    "status_model",
                    model=quota.model,
                    calls=quota.spent.calls,
                    limit=f" / {limit}" if limit is not None else "",
                    tokens=quota.spent.tokens_in + quota.spent.tokens_out,
                    blocked=blocked or trouble,
                )
            )
        health = health or Health()
        if health.to_read:
            lines.append(texts("status_catching_up", read=health.read, count=health.to_read))
        if health.missing_since is not None:
            lines.append(texts("status_missing", since=moment(health.missing_since, "f")))
        elif health.whole_since is not None:
            lines.append(texts("status_whole", since=moment(health.whole_since, "f")))
        if abs(health.skew) > TOLD.total_seconds():
            lines.append(texts("status_skew", seconds=round(abs(health.skew))))
        if health.dropped:
            lines.append(texts("status_dropped", count=health.dropped))
        if health.parked:
            lines.append(texts("status_parked", count=health.parked))
        if health.failing:
            lines.append(texts("status_failing", names=", ".join(health.failing)))
        if may_administer(viewer):
            lines += [self._session_line(one, texts) for one in (await self._memory.conversations.active(viewer))[:5]]
            if over := self._memory.conversations.over_budget:
                parts = ", ".join(f"{part} {count}" for part, count in sorted(over.items()))
                lines.append(texts("status_prompts_over", parts=parts))
        return Reply(
            text=texts(
                "status",
                version=self._info.version,
                messages=await self._memory.messages.count(guild_id),
                pending=self._memory.messages.pending,
                zone=(await self._memory.guilds.time_zone(guild_id)).key,
                models=joined(lines),
            )
        )


def _talks_already(request: Request, exchange: Exchange | None) -> bool:
    """Whether a speaker said something to the bot a few minutes ago: they missed nothing since."""
    since = request.at - PRESENT
    return exchange is not None and any(
        t.user_id == request.speaker.user_id and t.at >= since for t in exchange.session.turns
    )


def _quoted(request: Request, done: Done | None = None) -> str:
    """The words of an order, where they are said again: of one to keep something, what it told."""
    told = done.command.statement if done is not None and isinstance(done.command, commands.Remember) else ""
    is_part = bool(told) and told in request.text and done is not None and not done.orders
    request = replace(request, text=told) if is_part else request
    names = {member.user_id: f"@{member.display_name}" for member in request.mentioned}
    return one_line(with_names(request.text, names))[:MAX_QUOTED]


def _says_yes(command: commands.Command | None, text: str) -> bool:
    """Whether a message is a yes and nothing else."""
    is_short = len(text.split()) <= MAX_YES_WORDS and not text.rstrip().endswith("?")
    return is_short and not isinstance(command, ORDERED | commands.Know | commands.TakeBack) and agrees(text)
