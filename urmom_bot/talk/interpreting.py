"""What a message means after what was said last: a pick from a list, a correction, a denial, an answer."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Sequence
from dataclasses import replace
from datetime import datetime, timedelta

from memory import Fact, Member, MemoryManager, Message
from memory.permissions import may_correct, may_strike
from memory.rules.dates import is_weekday
from memory.rules.keywords import is_chatter, is_common, keywords
from memory.rules.likeness import agrees
from memory.rules.questions import of_oneself, speaks_of_oneself
from memory.rules.support import is_turned
from memory.rules.text import mentioned
from urmom_bot.languages import DEFAULT, languages
from urmom_bot.talk import commands, grammar, people
from urmom_bot.talk.clauses import as_sentence
from urmom_bot.talk.followups import FOLLOWUP_WINDOW, Done, Followups
from urmom_bot.talk.forgetting import MAX_LOOKED_BACK
from urmom_bot.talk.guessing import surely
from urmom_bot.talk.people import Resolved
from urmom_bot.talk.picking import means_last_two, picked, picked_in
from urmom_bot.talk.plans import changes
from urmom_bot.talk.pronouns import begins_with_pronoun
from urmom_bot.talk.remembering import Rememberer
from urmom_bot.talk.requests import Request
from urmom_bot.talk.resolving import Resolver, Resolvers, bare_name, name_in
from urmom_bot.talk.rewording import (
    MAX_WORDS,
    added,
    agreed_name,
    another,
    begins_with_objection,
    behind_objection,
    brings_back,
    confirms,
    denied_verb,
    ends_in_denial,
    has_date,
    is_verb_of,
    likewise,
    means_oneself,
    objects,
    objects_for_another,
    on_another_date,
    opens_another,
    restores,
    reworded,
    says_untrue,
    was_joking,
    with_last_word,
    without_opening,
)
from urmom_bot.talk.vocabulary import ONESELF, vocabulary

MIN_STATEMENT = 4
"""Words that tell something at the least; fewer may be a word or two on what was done."""

MAX_ASKED_ABOUT = 5
"""People of whom it is told at once what is known."""

_UNDOES = commands.Forget | commands.ForgetLast | commands.TakeBack

_MAY_CORRECT = commands.TakeBack | commands.ForgetLast | commands.Forget | commands.Know | commands.Meant
"""The commands that "no, that was Tim" is taken for, where the grammar does not know "Tim" for a name."""

USUAL_NAME = "bob"
"""A name in many of the sentences that the grammar was trained with, in every language."""

RIGHT_AFTER = timedelta(minutes=3)
"""How long after something was told it can be put right in other words."""

MAX_CORRECTION_WORDS = 8
"""Words of a message that may correct who was meant, at the most."""

MAX_YES_WORDS = 4
"""Words of a yes to the question whether to keep or to delete something, at the most."""

NAME_WORDS = 4
"""Words of a message that may be a name and nothing else."""


class Interpreter:
    """Reads a message as its writer means it, from what they and others asked of the bot in the last minutes."""

    def __init__(
        self,
        memory: MemoryManager,
        resolvers: Resolvers,
        followups: Followups,
        rememberer: Rememberer,
        bot_names: Sequence[str],
    ) -> None:
        self._memory = memory
        self._resolvers = resolvers
        self._followups = followups
        self._rememberer = rememberer
        self._bot_names = bot_names

    async def orders(self, request: Request) -> Sequence[tuple[str, commands.Command]]:
        """The orders of a message that gives several, each with its words; none where it gives one or none."""
        if request.quoted is None and (texts := grammar.each_order(request.text) or await self._each_told(request)):
            return [(text, command) for text in texts if (command := grammar.parse(text)) is not None]
        return await self._in_place(request)

    async def _in_place(self, request: Request) -> Sequence[tuple[str, commands.Command]]:
        """The orders to put right what somebody else told about the speaker just now: it goes, and theirs is saved."""
        text, last = request.text, self._followups.last(request)
        language = surely(text) or request.language or DEFAULT
        is_denial = begins_with_objection(text) or objects_for_another(text)
        words = text.split()
        is_other = len(words) <= MAX_CORRECTION_WORDS and any(is_turned(bare_name(word)) for word in words)
        if grammar.is_question(text) or not (is_denial or is_other or without_opening(text, language)[1]):
            return ()
        if last is not None and last.waits:
            return ()
        if len(words) > MAX_WORDS:
            return ()
        fact = await self.told_of_speaker(request, last)
        if fact is None or fact.stated_by == request.speaker.user_id or request.at - fact.created_at > RIGHT_AFTER:
            return ()
        instead = await self._instead(fact, request, language, is_denial=is_denial)
        if instead is None:
            return ()
        forget = commands.Forget(numbers=(fact.fact_id,), language=language)
        return (text, forget), (text, commands.Remember(statement=instead, language=language))

    async def _instead(self, fact: Fact, request: Request, language: str, *, is_denial: bool) -> str | None:
        """What the speaker says in place of a fact about them: it is about somebody else, or goes otherwise."""
        names = await self._names_of_others(request)
        words = [bare_name(word) for word in request.text.split()]
        denied = _denied(request.text)
        if not names and objects_for_another(request.text):  # "не про меня, а про лену", who is called лена
            found = await (await self._resolvers.open(request)).resolve_name(words[-1])
            names = words[-1:] if found.member is not None else []
        is_of_another = objects(request.text) or objects_for_another(request.text)
        if is_denial and is_of_another and len(meant := [name for name in names if name not in denied]) == 1:
            resolver = await self._resolvers.open(request, [*meant, *fact.value.split()])
            other = (await resolver.resolve_name(meant[0])).member
            several = people.also_about(fact.value, resolver.speaker, resolver.members)[0]
            is_of_teller = fact.stated_by in {member.user_id for member in several}  # then it stays for them
            if other and resolver.speaker in several and not is_of_teller and not people.names(fact.value, other):
                own = "|".join(re.escape(name) for name in sorted(resolver.speaker.names, key=len, reverse=True))
                return re.sub(rf"(?<!\w)(?:{own})(?!\w)", f"<@{other.user_id}>", fact.value, count=1, flags=re.I)
            told = commands.Remember(statement=fact.value, language=language)
            is_theirs = other is not None and not people.names(fact.value, other)
            return await self._rememberer.restated(told, resolver, other) if other is not None and is_theirs else None
        rest = behind_objection(request.text)
        is_own = len(rest.split()) > 1 and people.begins_with_oneself(rest, language) if rest else False
        is_about_it = rest is not None and not set(keywords(rest)).isdisjoint(keywords(fact.value))
        if rest and is_own and is_about_it and not is_turned(rest) and grammar.parse(rest) is None:
            return rest
        return reworded(fact.value, request.text, language, is_marked=True)

    async def _each_told(self, request: Request) -> Sequence[str]:
        """An order for each thing that one tells, if each begins with whom it is about: the speaker or a member."""
        if not grammar.each_told(request.text, lambda word: True):
            return ()
        words = [name_in(word) for word in request.text.split()]
        resolver = await self._resolvers.open(request, words)
        names = {word.casefold() for word in await resolver.names_of_others(words)}
        names.update(name.casefold() for name in request.speaker.names)
        told = grammar.each_told(request.text, lambda word: word.casefold() in names)
        subjects = set()
        for _, command in told:
            start, *rest = map(name_in, command.statement.split())
            is_own = people.begins_with_oneself(command.statement, command.language)
            is_clear = not is_common(start) or grammar.begins_clause(
                command.statement, command.language, lambda word: word.casefold() in names
            )
            if not is_own and not (is_clear and start.casefold() in names):
                return ()
            if names.intersection(map(str.casefold, rest)):  # "I suspect Bob cheats"
                return ()
            subjects.add("" if is_own else start.casefold())
        return [order for order, _ in told] if len(subjects) > 1 else ()

    async def in_passing(
        self, command: commands.Command | None, request: Request, language: str
    ) -> commands.Command | None:
        """What a message that is no plain order changes in what is known: a plan, or what its writer told before."""
        if isinstance(command, commands.Remember) and not command.subject and not command.this:
            is_plain = grammar.begins_plainly(request.text)
            told = replace(request, text=command.statement)
            return command if is_plain else await self.replanned(told, own_only=True) or command
        if command is None:
            if (moved := await self.replanned(request, moves=True)) is not None:
                return moved
            if (update := await self.update(request)) is not None:
                return commands.Remember(statement=update, language=surely(request.text) or language)
        is_guess = isinstance(command, commands.Forget) and not command.is_sure and not command.numbers
        if command is None or is_guess or isinstance(command, commands.TakeBack):  # "tournoi annulé"
            return await self.replanned(request) or command
        return command

    async def update(self, request: Request) -> str | None:
        """What a message says, if it changes what its writer told, though nobody asked to remember it ("I work days
        now, btw"); None for another."""
        if grammar.is_question(request.text) or request.quoted is not None:
            return None
        for text in sorted({core.strip(" ,") for core in grammar.cores(request.text)}, key=len, reverse=True):
            if text and await self._memory.facts.is_update(request.viewer, text, request.speaker):
                return text
        return None

    async def replanned(
        self, request: Request, *, moves: bool = False, own_only: bool = False
    ) -> commands.Correct | commands.Forget | None:
        """What a message changes in a plan that is known: its day or hour, or that it is off.

        None if it is not clear which plan it means, or if the speaker may not move it. With `moves`, only what a
        message says to be moved. A plan of the server that others told counts where the speaker has none of that name,
        unless `own_only` is set.
        """
        read = list(changes(request.text)) if request.quoted is None else []
        read = [change for change in read if change.is_moved] if moves else read
        if not read:
            return None
        own, others = await self._plans(request)
        for change in read:
            plans = [fact for fact in own if change.is_of(fact.value)]
            plans = plans or [fact for fact in others if not own_only and change.is_of(fact.value)]
            if not change.new and plans and not all(may_strike(request.viewer, fact) for fact in plans):
                return commands.Forget(statement=plans[0].value, language=change.language)  # it says who may
            if not change.new and plans:
                return commands.Forget(
                    numbers=tuple(fact.fact_id for fact in plans), is_sure=False, language=change.language
                )
            value = on_another_date(plans[0].value, change.new, change.language) if len(plans) == 1 else None
            if value is not None and may_correct(request.viewer, plans[0]):
                return commands.Correct(number=plans[0].fact_id, statement=value, language=change.language)
        return None

    async def _plans(self, request: Request) -> tuple[Sequence[Fact], Sequence[Fact]]:
        """The facts that a passing remark of the speaker may mean: those about them or told by them about the server,
        and those that others told about it.

        All are for those who read this channel: what is said among few changes nothing that all know.
        """
        viewer, server = request.viewer, await self._memory.guilds.server(request.guild_id)
        both = [await self._memory.facts.list(viewer, u) for u in (viewer.user_id, server.user_id)]
        facts = [fact for facts in both for fact in facts if fact.audience == viewer.audience]
        own = [fact for fact in facts if viewer.user_id in (fact.user_id, fact.stated_by)]
        return own, [fact for fact in facts if fact not in own]

    def unsaved(self, request: Request) -> Request | None:
        """What whoever writes told the bot last, if none of it was saved."""
        talk = self._followups.talk(request)
        if talk is None or request.quoted is not None or grammar.is_question(talk.text):
            return None
        is_own = any(people.begins_with_oneself(talk.text, language) for language in languages())
        return talk if is_own or len(talk.text.split()) >= MIN_STATEMENT else None

    async def understood(self, command: commands.Command | None, request: Request) -> commands.Command | None:
        """What a message means after what was said last; `command` is what it is by itself."""
        if isinstance(command, commands.Hush) and not command.is_final:  # "me too lol"
            return await self.understood(None, request) or command
        last = self._followups.last(request)
        if isinstance(command, commands.TakeBack) and confirms(request.text):
            command = None  # "верно"
        if isinstance(command, commands.SetJokes | commands.Remember):
            meant = await self._unless_corrects(command, request)
            if meant is not command:
                return meant
        if (reply := await self._replied(command, request)) is not None:
            return reply
        if command is None or isinstance(command, _MAY_CORRECT):
            newest, is_likewise = self._followups.newest(request), False
            for before in (last, newest):
                told = before.command if before is not None and isinstance(before.command, commands.Remember) else None
                who = likewise(request.text, told.language) if told is not None else None
                if before is None or told is None or who is None or (before is not newest and of_oneself(who)):
                    continue
                if self._unheard_since(before, request):
                    return None  # it may be about that
                is_likewise = True
                if (shared := await self._likewise(before, told, who, request)) is not None:
                    return shared
            if is_likewise and isinstance(command, commands.Meant | None):
                return None
            command = await self._without_one(request) or await self._put_right(command, request)
        command = await self._objected(command, request)
        if isinstance(command, commands.ForgetLast) and (talk := self.unsaved(request)) is not None:
            newest = self._followups.newest(request)
            is_told = newest is not None and isinstance(newest.command, commands.Remember)
            if newest is None or not is_told or newest.request.message_id < talk.message_id:
                return replace(command, message=True)  # "don't keep that", of what was only talk
        if isinstance(command, commands.Forget) and await self._tells_only(command, request):
            return None
        if isinstance(command, commands.ForgetLast) and not command.message and request.quoted is None:
            command = await self._another_named(command, request)
        if isinstance(command, commands.Meant) and not await self._is_meant(command, request):
            return None
        is_open = command is None or (isinstance(command, commands.Know) and not command.is_plain)
        if last is not None and last.asks_whom and is_open and (name := await self._answered(request)) is not None:
            return commands.Meant(subject=name)
        if command is None and (server := people.server_in(request.text)) is not None:
            asked = grammar.parse(_with_usual_name(request.text, server))
            if isinstance(asked, commands.Know) and asked.subject.casefold() == USUAL_NAME:
                command = replace(asked, subject=server)
        if isinstance(command, commands.Know):
            return await self._about_somebody(command, request)
        return command

    async def _tells_only(self, command: commands.Forget, request: Request) -> bool:
        """Whether "sold my car" tells something, and is no order: nothing like it is known of the speaker."""
        if command.is_sure or command.numbers or command.everything or command.subject or not command.statement:
            return False
        if not people.begins_with_oneself(command.statement, command.language) or _deletes(request.text) is not None:
            return False
        return not await self._memory.forgetting.find(request.viewer, request.speaker, command.statement)

    async def _another_named(
        self, command: commands.ForgetLast, request: Request
    ) -> commands.ForgetLast | commands.Forget:
        """The one older fact that "delete the dentist thing" names, where the last one has none of its words."""
        viewer, since = request.viewer, request.at - FOLLOWUP_WINDOW
        words = set(keywords(request.text))
        taught = await self._memory.facts.list_taught(viewer, viewer.user_id)
        own = await self._memory.facts.list(viewer, viewer.user_id)
        named = {f.fact_id: f for f in (*taught, *own) if words & set(keywords(f.value))}
        last = await self._memory.facts.last_taught(viewer, request.channel_id, since)
        if len(named) != 1 or (last is not None and last.fact_id in named):
            return command
        return commands.Forget(numbers=tuple(named), is_sure=False, language=command.language)

    async def _unless_corrects(
        self, command: commands.SetJokes | commands.Remember, request: Request
    ) -> commands.Command | None:
        """A wish about jokes or a fact, unless it corrects what was told before, only asks, or is about others."""
        told = self._followups.told(request)
        anew = put_right(told, request.text, request.at) if told is not None else None
        if anew is not None or isinstance(command, commands.Remember):  # "kidding, I'm a cook", "correction: Friday"
            return anew or command
        is_opened = told is not None and without_opening(request.text, command.language)[1]
        is_joke = command.wanted and (is_opened or was_joking(grammar.without_laughter(request.text)))
        only_asks = grammar.is_question(request.text) and (command.wanted or not grammar.is_request(request.text))
        return None if is_joke or only_asks or await self._is_about_others(request) else command

    async def _replied(self, command: commands.Command | None, request: Request) -> commands.Command | None:
        """The command that a message gives as a reply to the last answer: it picks, agrees or wants something back."""
        last = self._followups.last(request)
        was_changed = last or self._followups.changed(request) or self._followups.undone(request)
        wants_back = isinstance(command, commands.TakeBack) and restores(request.text)
        if was_changed and (wants_back or brings_back(request.text)):
            return commands.TakeBack(again=True)
        answer = await self._picked(command, request) or await self._agreed_to(request, last)
        if answer is not None:
            return answer
        return commands.TakeBack() if last is not None and _was_a_joke(last, request) else None

    def _unheard_since(self, done: Done, request: Request) -> bool:
        """Whether the speaker has told the bot something since a command that it took for talk."""
        talk = self._followups.talk(request)
        if talk is None or talk.message_id < done.request.message_id:
            return False
        return not grammar.is_question(talk.text) and not is_chatter(talk.text)

    async def _without_one(self, request: Request) -> commands.Command | None:
        """What was told of somebody just now, taken back if a message only says that it isn't them ("not Bob").

        If it was told of several, it is told of somebody else in the place of one ("not Bob, Kim").
        """
        last = self._followups.last(request)
        told = last.command if last is not None else None
        if last is None or not isinstance(told, commands.Remember) or told.this or last.undo is None or last.is_private:
            return None
        names, words = await self._names_of_others(request), [bare_name(word) for word in request.text.split()]
        is_behind = len(words) > 1 and without_opening(f"{words[-1]}, {words[-2]}", told.language)[1]  # "sam no"
        behind = {words[-2]} if is_behind and is_turned(words[-1]) else set[str]()
        denied = [name for name in names if name in _denied(request.text) | behind]
        is_late = request.at - last.request.at > RIGHT_AFTER or self._unheard_since(last, request)
        if len(denied) != 1 or is_late or not self._followups.is_newest(last):
            return None
        sentence, others = told_sentence(told, last.request), [name for name in names if name not in denied]
        resolver = await self._resolvers.open(last.request, names)
        old = (await resolver.resolve_name(denied[0])).member
        several = people.also_about(sentence, resolver.speaker, resolver.members)[0]
        if old in several and len(others) == 1:
            stated = re.sub(rf"(?<!\w){re.escape(denied[0])}(?!\w)", others[0], sentence, count=1, flags=re.IGNORECASE)
            return commands.Meant(subject="", statement=stated, language=told.language) if stated != sentence else None
        by_name = resolver.resolve_name(told.subject) if told.subject else resolver.subject(sentence, resolver.speaker)
        subject = await by_name
        rest = [word for word in words if word not in denied]
        is_all = not others and not several and all(is_turned(word) or is_chatter(word) for word in rest)
        return commands.TakeBack(language=told.language) if is_all and subject.member == old else None

    async def added(self, request: Request) -> commands.Remember | None:
        """What a message tells besides what its writer told just now, though nobody asked to remember it.

        "He also has a dog", "and a frog"; None for what may be talk.
        """
        last = self._followups.last(request)
        told = last.command if last is not None else None
        if last is None or not isinstance(told, commands.Remember) or told.this or last.undo is None or last.is_private:
            return None
        is_late = request.at - last.request.at > RIGHT_AFTER or self._followups.talk(request) is not None
        if is_late or not self._followups.is_newest(last) or request.quoted or grammar.is_question(request.text):
            return None
        if (found := added(request.text, told.language)) is None:
            return None
        (claim, says_also), language = found, told.language
        if (stated := another(told_sentence(told, last.request), claim, language)) is not None:
            return replace(told, statement=stated)
        first = claim.split()[0]
        if begins_with_pronoun(claim, language) or (says_also and people.begins_with_oneself(claim, language)):
            return commands.Remember(statement=claim, language=language)
        if not says_also:
            return None
        resolver = await self._resolvers.open(request, [first])
        if await resolver.names_of_others([first]):
            return commands.Remember(statement=claim, language=language)
        of = languages()[language].grammar
        is_verb = any(re.fullmatch(pattern, first, re.IGNORECASE) for pattern in of.stating)
        if not of.leaves_out_subjects or not is_verb:
            return None
        before = await self._resolvers.open(last.request)
        by_name = before.resolve_name(told.subject) if told.subject else before.subject(told.statement, before.speaker)
        subject = (await by_name).member
        if subject is None or subject == before.speaker or subject.is_server:
            return None
        return commands.Remember(statement=f"{subject.display_name} {claim}", language=language)

    async def _put_right(self, command: commands.Command | None, request: Request) -> commands.Command | None:
        """What was told last as a message corrects it ("no, the 13th", "no, that was Tim"); else its command."""
        told = self._followups.told(request)
        if told is None:
            return command
        is_newest = self._followups.is_newest(told)  # else it may be about what was said since
        if not is_newest and isinstance(told.command, commands.Remember):
            sentence, language = told_sentence(told.command, told.request), told.command.language
            is_newest = self._followups.is_newest_but_questions(told) and has_date(sentence, language)
        if isinstance(told.command, commands.Correct) and is_newest:
            return await self._corrected_again(told.command, request) or command
        anew = put_right(told, request.text, request.at, inside=True) if is_newest else None
        if anew is not None and not await self._speaks_to_other(anew, told, request):
            return anew
        corrected = await self._corrected(request)
        return corrected or (await self._renewed(told, command, request) if is_newest else None) or command

    async def _corrected_again(self, told: commands.Correct, request: Request) -> commands.Correct | None:
        """A fact that was corrected a moment ago, as the next correction wants it ("no wait, the 22nd")."""
        fact = next((fact for fact in (await self._plans(request))[0] if fact.value == told.statement), None)
        value = reworded(told.statement, request.text, told.language) if fact is not None else None
        return replace(told, number=fact.fact_id, statement=value) if fact is not None and value is not None else None

    async def _objected(self, command: commands.Command | None, request: Request) -> commands.Command | None:
        """The deletion of what somebody else just told about the speaker, if they object to it; else the command."""
        last = self._followups.last(request)
        is_objection = (
            objects(request.text)
            or await self._denies_fact(request, last)
            or (objects_for_another(request.text) and bool(await self._names_of_others(request)))
        )
        if not is_objection or (last is not None and last.waits):
            return command
        if (fact := await self.told_of_speaker(request, last)) is not None:
            return commands.Forget(numbers=(fact.fact_id,))
        if isinstance(command, commands.TakeBack) and last is not None and not self._followups.is_newest(last):
            return commands.ForgetLast(language=command.language)  # it may be about what was said since
        return None if isinstance(command, commands.ForgetLast | commands.SetJokes) else command

    async def _is_meant(self, command: commands.Meant, request: Request) -> bool:
        """Whether "no, Tim" surely means what its writer told last."""
        last = self._followups.last(request)
        if last is None or (of_oneself(command.subject) and _is_of_speaker(last)):
            return False  # it is about them already
        denial, _, name = without_opening(request.text, command.language)[0].partition(" ")
        if is_turned(denial) and bare_name(name) == bare_name(command.subject):
            return False  # "wait, not Kim" is nobody else's
        if not command.statement and (self._unheard_since(last, request) or _tells_more(command, last, request)):
            return False  # it may be about that, or tells something else of them
        is_sure = command.is_plain or bool(command.statement)
        is_nobody = not command.statement and not await self._is_of_people(command.subject, request)
        if is_nobody and (self.unsaved(request) is not None or any(map(str.isdigit, command.subject))):
            return False  # "I meant the 15th", where nothing is to be put right
        if not is_sure and not self._followups.is_newest(last):  # it may be about what was said since, or it asks which
            return await self.told_of_speaker(request, last) is not None
        if not command.statement and ends_in_denial(request.text):
            return False  # "kim doesn't": that somebody else likes it is the opposite
        return command.is_plain or await self._is_of_people(command.subject, request)

    async def _agreed_to(self, request: Request, last: Done | None) -> commands.Confirm | None:
        """The fact that the speaker says is true: somebody else told it about them just now.

        A mere "yes" agrees to a name alone, which was asked for.
        """
        is_surely, name = confirms(request.text), agreed_name(request.text)
        if not is_surely and name is None:
            return None
        fact = await self.told_of_speaker(request, last)
        is_late = fact is None and (is_surely or self._followups.talk(request) is None)
        fact = await self._told_earlier(request) if is_late else fact  # a name waits, whatever others have said since
        if fact is None or fact.stated_by == request.speaker.user_id:
            return None
        named = await self._memory.guilds.members(request.guild_id, [fact.stated_by])
        teller = named.get(fact.stated_by, Member.unnamed(request.guild_id, fact.stated_by))
        alias = people.alias(fact.value, request.speaker, teller) or ""
        agrees_to_it = bool(alias) and name is not None and name.casefold() in ("", alias.casefold())
        is_meant = agrees_to_it or (is_surely and (bool(alias) or not is_late))
        return commands.Confirm(number=fact.fact_id, alias=alias) if is_meant else None

    async def _picked(self, command: commands.Command | None, request: Request) -> commands.Forget | None:
        """The facts that a message picks from the list shown last; None where it picks nothing.

        What the list doesn't have is asked about. An order picks from any list, anything else only from one that the
        bot asked about.
        """
        last, corrects = self._followups.last(request), False
        agreed = agrees(request.text) and len(request.text.split()) <= MAX_YES_WORDS  # "yes, forget it"
        if last is not None and len(last.offered) == 1 and agreed and self._followups.newest(request) is last:
            return commands.Forget(numbers=last.offered)
        listed = last.listed if last is not None else ()
        if not listed and isinstance(command, _UNDOES):
            listed = await self._listed_about(request)
        if not listed and (both := await self._forget_both(command, request)) is not None:
            return both
        if isinstance(command, commands.Forget):
            is_plain = not (command.everything or command.subject or command.numbers or "#" in command.statement)
            language, numbers = (
                command.language,
                picked(command.statement, command.language, listed) if is_plain else None,
            )
        elif isinstance(command, commands.TakeBack | commands.ForgetLast):
            if request.quoted is not None or (isinstance(command, commands.ForgetLast) and command.message):
                return None  # "the last message" is none of the facts listed
            language, numbers = command.language, picked_in(request.text, command.language, listed)
            if isinstance(command, commands.TakeBack) and not command.drop and numbers == listed:
                return None  # "undo both" is of what was done
            if numbers is None and isinstance(command, commands.ForgetLast) and not command.message:
                return await self._all_listed(last, request)
        elif command is None and listed and (verb := _deletes(request.text)) is not None:
            language, numbers = verb, picked_in(request.text, verb, listed)
        elif last is not None and isinstance(last.command, commands.Forget) and self._followups.newest(request) is last:
            language = last.command.language
            text, corrects = without_opening(request.text, language)
            text = text.rpartition(", ")[2] if corrects else text  # "no, not that one, the third"
            is_yes = len(last.offered) == 1 and agrees(text) and len(text.split()) <= MAX_YES_WORDS
            numbers = last.offered if is_yes else picked(text, language, listed) if listed else None
        else:
            return None
        if numbers is None:
            return None
        if not numbers:
            own = await self._memory.facts.list(request.viewer, request.speaker.user_id) if not listed else ()
            asked = listed or tuple(fact.fact_id for fact in own)
            nothing = commands.Forget(statement=request.text, language=language)  # there is no first of none
            return commands.Forget(numbers=asked, is_sure=False, language=language) if asked else nothing
        is_other = last is not None and last.undo is not None and corrects
        return commands.Forget(numbers=numbers, in_place=is_other, language=language)

    async def _all_listed(self, last: Done | None, request: Request) -> commands.Forget | None:
        """What was listed just now, where "forget that" may mean it: one fact about the speaker, or it asks which."""
        asked = last.command if last is not None else None
        if last is None or not last.listed or not isinstance(asked, commands.Know):
            return None
        if self._followups.newest(request) is not last:
            return None  # it may be what somebody told since
        if await self._has_written_since(last, request):
            return None
        is_sure = len(last.listed) == 1 and of_oneself(asked.subject)
        return commands.Forget(numbers=last.listed, is_sure=is_sure, language=asked.language)

    async def _told_earlier(self, request: Request) -> Fact | None:
        """What somebody told about the speaker lately, unless the bot was told something else of them since."""
        since = request.at - FOLLOWUP_WINDOW
        fact = await self._memory.facts.last_told_about(request.viewer, request.channel_id, since)
        newest = self._followups.newest_but_questions(request)
        if fact is None or newest is None or newest.request.message_id <= (fact.message_id or 0):
            return fact
        return None if people.names(newest.request.text, request.speaker) else fact

    async def _has_written_since(self, done: Done, request: Request) -> bool:
        """Whether the speaker wrote anything between a command of theirs and this message."""
        here = request.viewer, request.channel_id, request.message_id
        recent = await self._memory.messages.recent(*here, limit=MAX_LOOKED_BACK)
        own = (m.message_id for m in recent if m.user_id == request.viewer.user_id)
        return any(message_id > done.request.message_id for message_id in own)

    async def _forget_both(self, command: commands.Command | None, request: Request) -> commands.Forget | None:
        """The two facts that the speaker told last here, if a message deletes "both" and nothing was listed.

        They must have told the second just now: what was deleted or asked since may be meant, too.
        """
        newest = self._followups.newest(request)
        if newest is None or newest.undo is None or not isinstance(newest.command, commands.Remember):
            return None
        if request.quoted is not None:
            return None
        if isinstance(command, commands.ForgetLast) and command.message:
            return None
        language = _deletes(request.text) if command is None else None
        if isinstance(command, commands.Forget | commands.ForgetLast):
            language = command.language
        if language is None:
            return None
        is_sure = _is_of_both(command, request.text, language)
        if not is_sure and not _speaks_of_both(request.text, language):
            return None
        viewer, since = request.viewer, request.at - FOLLOWUP_WINDOW
        two = (await self._memory.facts.list_taught_in(viewer, request.channel_id, since))[-2:]
        if len(two) < 2:
            return None
        return commands.Forget(numbers=tuple(fact.fact_id for fact in two), is_sure=is_sure, language=language)

    async def _listed_about(self, request: Request) -> tuple[int, ...]:
        """The facts about the speaker that somebody else asked for last in the channel."""
        newest = self._followups.newest(request)
        if newest is None or not newest.listed or not isinstance(newest.command, commands.Know):
            return ()
        own = {fact.fact_id for fact in await self._memory.facts.list(request.viewer, request.speaker.user_id)}
        return newest.listed if own.issuperset(newest.listed) else ()

    async def _renewed(self, last: Done, command: commands.Command | None, request: Request) -> commands.Meant | None:
        """What was told last in other words, unless these are somebody's name ("I meant Kim")."""
        renewed = put_right(last, request.text, request.at)
        renewed = renewed or put_right(last, request.text, request.at, by=with_last_word)
        if renewed is not None and isinstance(command, commands.Meant) and command.subject:
            resolver = await self._resolvers.open(request)
            return None if (await resolver.resolve_name(command.subject)).is_exact else renewed
        return renewed

    async def _likewise(
        self, last: Done, told: commands.Remember, who: str, request: Request
    ) -> commands.Remember | None:
        """What somebody told a moment ago, told of somebody else as well ("so does Bob"); None where that is unsure."""
        if told.this or last.undo is None or last.is_private:
            return None
        resolver = await self._resolvers.open(request)
        own = Resolved(member=resolver.speaker, is_exact=True)
        meant = own if of_oneself(who) else await resolver.resolve_name(who)
        if meant.member is None or not meant.is_exact or request.at - last.request.at > RIGHT_AFTER:
            return None
        before, sentence = await self._resolvers.open(last.request), told_sentence(told, last.request)
        told = replace(told, subject=None, statement=sentence)
        await before.add(set(mentioned(told.statement)))
        subject = (await before.subject(told.statement, before.speaker)).member
        is_own = subject == before.speaker or people.speaks_of_oneself(told.statement, told.language)
        if meant.member in (subject, before.speaker if is_own else None):
            return None
        restated = await self._rememberer.restated(told, before, meant.member)
        if restated is not None:
            rest = restated.replace(f"<@{meant.member.user_id}>", "", 1)
            is_theirs = last.request.viewer.user_id == request.viewer.user_id or not speaks_of_oneself(rest)
            return None if people.names(rest, meant.member) or not is_theirs else replace(told, statement=restated)
        if people.names(told.statement, meant.member):
            return None  # "I am married to Bob", "me too"
        return told if is_own and of_oneself(who) else None  # in these words, "I" is whoever says them

    async def _is_about_others(self, request: Request) -> bool:
        """Whether a wish about jokes names somebody else, in whatever case."""
        words = [word for word in map(bare_name, request.text.split()) if len(word) > 2 and not is_common(word)]
        resolver = await self._resolvers.open(request, words)
        found = [await resolver.resolve_name(word) for word in words[:MAX_CORRECTION_WORDS]]
        return any(one.member not in (None, resolver.speaker) for one in found)

    async def _names_of_others(self, request: Request) -> list[str]:
        """The words of a short message that are exactly somebody else's name."""
        words = [word for word in map(bare_name, request.text.split()) if len(word) > 1]
        if len(words) > MAX_CORRECTION_WORDS:
            return []
        return await (await self._resolvers.open(request, words)).names_of_others(words)

    async def _corrected(self, request: Request) -> commands.Meant | None:
        """Whom a message means in the place of somebody else ("no, that was Tim"), whatever they are called.

        The grammar knows how people correct the bot, but not their names: it is asked with a name it knows.
        """
        if grammar.is_question(request.text):
            return None
        told = self._followups.last(request)
        if told is not None and isinstance(told.command, commands.Remember) and means_oneself(request.text):
            return commands.Meant(subject=ONESELF, language=told.command.language)
        names = await self._names_of_others(request)
        denied = _denied(request.text)
        meant = [name for name in names if name not in denied] or await self._left(denied, told) or names
        for name in names:
            command = grammar.parse(_with_usual_name(request.text, name))
            if isinstance(command, commands.Meant) and command.subject.casefold() == USUAL_NAME:
                return commands.Meant(subject=meant[0], is_plain=False, language=command.language)
        return None

    async def _speaks_to_other(self, anew: commands.Meant, before: Done, request: Request) -> bool:
        """Whether what would be put right ends in a member's name that was not in it: they speak to them."""
        old, new = (set(map(bare_name, text.split())) for text in (before.request.text, anew.statement))
        if not request.text.rstrip(" .!").endswith(tuple(new - old)):
            return False
        resolver = await self._resolvers.open(request, sorted(new ^ old))
        names = set(await resolver.names_of_others(sorted(new ^ old)))
        return bool(names & new) and not names & old - new  # "not Bob, Kim" has another name in its place

    async def _left(self, denied: Collection[str], told: Done | None) -> list[str]:
        """Whom something was told of that was told of two people, one of whom is denied ("not Lee")."""
        if told is None or not isinstance(told.command, commands.Remember) or told.undo is None:
            return []
        resolver = await self._resolvers.open(told.request)
        sentence = told_sentence(told.command, told.request)
        await resolver.subject(sentence, resolver.speaker)
        both, _ = people.also_about(sentence, resolver.speaker, resolver.members)
        gone = {name.casefold() for name in denied}
        left = [member for member in both if gone.isdisjoint(name.casefold() for name in member.names)]
        is_sure = len(both) == len(left) + 1 and len(left) == 1
        return [ONESELF if left[0] == resolver.speaker else left[0].display_name] if is_sure else []

    async def _is_of_people(self, subject: str, request: Request) -> bool:
        """Whether a name is of somebody here, or may be."""
        found = await (await self._resolvers.open(request)).resolve_name(subject)
        return found.member is not None or bool(found.could_be)

    async def _answered(self, request: Request) -> str | None:
        """The name in a short answer to the question whom a command means: "bob", "it's about bob", "the server"."""
        words = request.text.strip(" .!").split()
        if is_turned(request.text) or was_joking(request.text):
            return None  # "my name is Dave not David" is no answer
        if len(words) > NAME_WORDS or request.text.rstrip().endswith("?") or opens_another(request.text):
            return None
        resolver = await self._resolvers.open(request)
        for start in range(len(words)):
            name = " ".join(words[start:])
            found = await resolver.resolve_name(name)
            if found.member is not None and (found.is_exact or start == 0):
                return None if await resolver.names_of_others(words[:start]) else name  # "ann is called Annie"
        return None

    async def _about_somebody(self, command: commands.Know, request: Request) -> commands.Know | None:
        """The question what is known of people here; None where it is about the world."""
        if command.otherwise is not None:
            resolver = await self._resolvers.open(request)
            may_be_name = len(command.subject.split()) == 1 and not command.subject.islower()
            is_about_me = of_oneself(command.otherwise) and not may_be_name  # "tell me about Trains"
            nobody = all(one.member is None for one in await self.asked_about(command.subject, resolver))
            if nobody and (is_about_me or not of_oneself(command.otherwise)):
                command = replace(command, subject=command.otherwise)
        return command if await self._is_about_somebody(command, request) else None

    async def _is_about_somebody(self, command: commands.Know, request: Request) -> bool:
        """Whether a question what is known is about people here, and not about the world.

        A plain question about a name that nobody has here is asked back about: it may be spelt wrong.
        """
        if of_oneself(command.subject) or set(mentioned(command.subject)) & {m.user_id for m in request.mentioned}:
            return True
        resolver = await self._resolvers.open(request)
        found = await self.asked_about(command.subject, resolver)
        if all(one.member is not None or one.could_be for one in found):
            return True
        words = command.subject.split()
        are_capital = languages()[command.language].names.nouns_have_capitals
        is_name = len(words) <= 2 and not words[0].islower() and not is_weekday(words[0]) and not are_capital
        return command.is_plain and (is_name or not await self._memory.quotas())

    async def asked_about(self, subject: str, resolver: Resolver) -> list[Resolved]:
        """Whom a question is about: one person, or each of several."""
        each = grammar.each(subject)
        whole = await resolver.resolve_name(subject) if len(set(mentioned(subject))) < 2 else Resolved()
        if whole.member is not None or whole.could_be or len(each) == 1:
            return [whole]
        return [await resolver.resolve_name(name) for name in each[:MAX_ASKED_ABOUT]]

    async def is_of_another_fact(self, request: Request) -> bool:
        """Whether a message says that something is untrue just after somebody told what is not about its writer.

        Then it leaves open which fact it means: that one, or one from before.
        """
        newest, last = self._followups.newest(request), self._followups.last(request)
        if newest is None or newest.undo is None or not isinstance(newest.command, commands.Remember):
            return False
        if newest.request.viewer.user_id == request.viewer.user_id or (
            last is not None and last.request.message_id > newest.request.message_id
        ):
            return False
        if not says_untrue(request.text):
            return False
        fact = await self.told_of_speaker(request, last)
        return fact is None or fact.message_id != newest.request.message_id

    async def _denies_fact(self, request: Request, last: Done | None) -> bool:
        """Whether a message denies with its own verb what was just told about its writer ("нет, не люблю")."""
        verb = denied_verb(request.text)
        fact = await self.told_of_speaker(request, last) if verb is not None else None
        return fact is not None and verb is not None and is_verb_of(verb, fact.value)

    async def told_of_speaker(self, request: Request, last: Done | None) -> Fact | None:
        """What somebody else told about the speaker, where an objection means that.

        The speaker has not spoken with the bot since, and neither has anybody else. If they say "delete that about me",
        others only have not spoken of them. If they reply to something, it is to the words that told it or to the bot.
        """
        viewer, since = request.viewer, request.at - FOLLOWUP_WINDOW
        fact = await self._memory.facts.last_told_about(viewer, request.channel_id, since)
        if fact is None or fact.message_id is None or (last is not None and last.request.message_id > fact.message_id):
            return None
        quoted = request.quoted.message_id if request.quoted is not None else None
        if quoted == fact.message_id:
            return fact
        deletes = any(_deletes(clause.strip()) for clause in re.split(r"[,.;!]", request.text))
        newest, says_me = self._followups.newest(request), deletes and speaks_of_oneself(request.text)
        if newest is not None and newest.request.message_id > fact.message_id:
            is_own = newest.request.viewer.user_id == viewer.user_id
            if is_own or not says_me or people.names(newest.request.text, request.speaker):
                return None  # it may be about that
        if quoted is not None and not request.replies_to_bot:
            return None
        here = viewer, request.channel_id, request.message_id
        recent = await self._memory.messages.recent(*here, limit=MAX_LOOKED_BACK)
        since_then = [m for m in recent if m.message_id > fact.message_id]
        return None if any(self._may_be_meant(m, request.speaker, says_me=says_me) for m in since_then) else fact

    def _may_be_meant(self, message: Message, speaker: Member, *, says_me: bool) -> bool:
        """Whether an objection may be about a message to the bot, or its answer: the speaker's own, or another's.

        Where the objection wants something about "me" deleted, another's counts only if it names the speaker.
        """
        words = grammar.addressed(message.text, 0, self._bot_names)
        if message.user_id == speaker.user_id:
            return words is not None or bool(mentioned(message.text))
        is_about_speaker = people.names(message.text, speaker) or speaker.user_id in mentioned(message.text)
        return words is not None and (not says_me or is_about_speaker)


Rewording = Callable[[str, str, str], str | None]
"""A statement as a correction in a language wants it; None if it corrects nothing."""


def _deletes(text: str) -> str | None:
    """The language in which a text begins with an order to delete something; None where it doesn't."""
    return next((code for code in languages() if vocabulary(code).begins_with_order(text, "drop", is_meant=True)), None)


def _denied(text: str) -> set[str]:
    """The words of a text that it denies: behind a "no", and perhaps a verb, or before one that ends its part.

    "No, not Bob", "no era Bob, era Kim", "Bob no, Kim".
    """
    words = text.split()
    found = set[str]()
    for at, word in enumerate(words):
        if not is_turned(bare_name(word)):
            continue
        if word.endswith(",") and at:
            found.add(bare_name(words[at - 1]))
        elif at + 1 < len(words):
            is_whole = words[at + 1].endswith(",") or at + 2 >= len(words)
            found.update(map(bare_name, words[at + 1 : at + 2 if is_whole else at + 3]))
    return found


def _tells_more(command: commands.Meant, last: Done, request: Request) -> bool:
    """Whether a message says something of the person it names that was not told before ("no, Sam is a vet")."""
    _, name, rest = request.text.casefold().partition(command.subject.casefold())
    words = set(keywords(rest)) if name and len(rest.split()) > 1 else set[str]()
    told = last.command.statement if isinstance(last.command, commands.Remember) else ""
    return bool(told) and bool(words) and words.isdisjoint(keywords(f"{told} {command.subject}"))


def _is_of_speaker(last: Done | None) -> bool:
    """Whether somebody told something of themselves last."""
    told = last.command if last is not None else None
    return isinstance(told, commands.Remember) and people.begins_with_oneself(told.statement, told.language)


def _was_a_joke(last: Done, request: Request) -> bool:
    """Whether a message says that what its writer told a moment ago was a joke."""
    is_told = isinstance(last.command, commands.Remember) and last.undo is not None
    return is_told and request.at - last.request.at <= RIGHT_AFTER and was_joking(request.text)


def put_right(
    last: Done, text: str, at: datetime, *, inside: bool = False, by: Rewording = reworded
) -> commands.Meant | None:
    """What somebody told a moment ago in other words, if a message says that it was wrong ("no, the 13th").

    With `inside`, only where it begins as before: whom it is about stays ("no, not with Bob but with Kim").
    """
    told = last.command
    if not isinstance(told, commands.Remember) or told.this or last.undo is None or last.is_private:
        return None
    if at - last.request.at > RIGHT_AFTER:
        return None
    before = told_sentence(told, last.request)
    statement = by(before, text, told.language)
    if statement is None or (inside and statement.split()[:1] != before.split()[:1]):
        return None
    return commands.Meant(subject="", statement=statement, language=told.language)


def told_sentence(told: commands.Remember, request: Request) -> str:
    """What a request told, with its verb in its place."""
    return as_sentence(told.statement, request.text, told.language)


def _with_usual_name(text: str, name: str) -> str:
    """A text with a name that the grammar knows in the place of `name`, as a word of its own."""
    return re.sub(rf"(?<!\w){re.escape(name)}(?!\w)", USUAL_NAME, text)


def _is_of_both(command: commands.Command | None, text: str, language: str) -> bool:
    """Whether a deletion is of "both" and of nothing else ("forget both", "delete the last two")."""
    statement = command.statement if isinstance(command, commands.Forget) else ""
    return any(means_last_two(words, language) for words in (statement, text.partition(" ")[2]))


def _speaks_of_both(text: str, language: str) -> bool:
    """Whether a deletion follows a remark about "both" ("both are wrong, delete them"), which may mean another two."""
    remark, *order = re.split(r"[,.;!] ", text, maxsplit=1)
    words = remark.split()
    begins = any(means_last_two(" ".join(words[:size]), language) for size in (1, 2))
    return begins and isinstance(grammar.parse("".join(order)), commands.ForgetLast)
