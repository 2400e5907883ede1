"""Forget: from what somebody wants forgotten to what went, and to how it can be taken back."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace
from datetime import datetime
from functools import cache

from memory import Fact, Forgotten, Member, MemoryManager, Message
from memory.permissions import may_erase, may_strike
from memory.rules.keys import normal_key
from memory.rules.keywords import keywords
from memory.rules.parts import MAX_PARTS
from memory.rules.questions import of_oneself
from memory.rules.text import one_line, with_channels
from urmom_bot.actions import Action
from urmom_bot.languages import collect, languages
from urmom_bot.markup import joined
from urmom_bot.talk import commands, grammar, people, presenting
from urmom_bot.talk.followups import FOLLOWUP_WINDOW
from urmom_bot.talk.guessing import surely
from urmom_bot.talk.likeness import BOT, may_be_of_last
from urmom_bot.talk.people import Resolved
from urmom_bot.talk.picking import several_numbers
from urmom_bot.talk.pronouns import begins_with_pronoun
from urmom_bot.talk.requests import Reply, Request
from urmom_bot.talk.resolving import Resolver, ask_back
from urmom_bot.talk.rewording import says_untrue
from urmom_bot.talk.texts import Texts
from urmom_bot.talk.vocabulary import ONESELF
from urmom_bot.viewing import Viewing

MAX_LOOKED_BACK = 30
"""Messages of a channel among which the last of a member is looked for."""

MAX_PICKED = 3
"""Facts that words alone delete at once, picked from a list; more are offered with a button each."""

MAX_NAMED = 3
"""People that a deletion may be about, of whom facts are looked for."""

MAX_QUOTED = 80
"""Letters of a message that are repeated when it is forgotten."""


_CHANNEL = re.compile(r"(?<!\w)(?:<#\d{1,20}>|#[^\W\d][\w-]*)")


def _is_channel(words: str) -> bool:
    """Whether words name a channel and nothing else ("from #staff")."""
    return _CHANNEL.search(words) is not None and not keywords(_CHANNEL.sub(" ", words))


class Forgetter:
    """Has statements, numbered facts and whole keys forgotten."""

    def __init__(self, memory: MemoryManager, viewing: Viewing) -> None:
        self._memory = memory
        self._viewing = viewing

    async def command(self, request: Request, command: commands.Forget, resolver: Resolver, texts: Texts) -> Reply:
        """Do what "forget …" asks for: the first reading of it that applies, else what is said of whom it means."""
        for read in (self._by_numbers, self._of_channel, self._of_others, self._of_teller, self._offer_each):
            if (reply := await read(request, command, resolver, texts)) is not None:
                return reply
        command, found = await self._meant(request, command, resolver)
        if found.member is None:
            name = command.subject or people.opening_name(command.statement)
            return Reply(text=ask_back(found, name, texts, missing="subject_missing_forget"), asks_whom=True)
        if not command.everything and not self._is_name_alone(command.statement, found.member, resolver):
            return await self.forget(request, found.member, command.statement, texts)
        return await self._offer_all(request, found.member, texts)

    async def _by_numbers(
        self, request: Request, command: commands.Forget, _resolver: Resolver, texts: Texts
    ) -> Reply | None:
        """Forget facts by their numbers, or offer those whose numbers may be positions in some list."""
        if command.numbers:
            return await self.forget_numbers(request, command.numbers, texts)
        numbers = several_numbers(command.statement)[: presenting.MAX_OFFERED_FACTS]
        if not numbers or command.everything:
            return None
        is_sure = command.is_sure and "#" in command.statement
        do = self.forget_numbers if is_sure else self.offer_numbers
        return await do(request, numbers, texts)

    async def _of_channel(
        self, _request: Request, command: commands.Forget, _resolver: Resolver, texts: Texts
    ) -> Reply | None:
        """Say how everything of a channel goes: not by words alone."""
        is_whole = command.everything and _is_channel(command.statement)
        return Reply(text=texts("channel_by_command")) if is_whole else None

    async def _meant(
        self, request: Request, command: commands.Forget, resolver: Resolver
    ) -> tuple[commands.Forget, Resolved]:
        """The order as it is meant, and whom it is about; nobody, or several, where that is open."""
        if _is_of_told(command):
            command = replace(command, everything=True)  # "what Kate told you about Bob"
        command = await self._of_somebody(request, command, resolver)
        found = await self._subject(command, resolver)
        if command.everything and not found.could_be and _is_no_name(command.statement, found, resolver.speaker):
            command, found = replace(command, everything=False), Resolved(member=resolver.speaker)  # "about figs"
        if command.everything:
            return command, found
        if found == Resolved() and begins_with_pronoun(command.statement, command.language):
            return command, found  # nobody was named before
        if found.could_be:
            found = await self._known_of(request, command.statement, found)
        if await self._means_server(request, command, found, resolver):
            found = Resolved(member=await resolver.server())
        if found == Resolved() and await self._is_of_speaker(request, command.statement, resolver):
            found = Resolved(member=resolver.speaker)  # "quita lo de Zara", where somebody works
        return command, found

    async def _offer_all(self, request: Request, subject: Member, texts: Texts) -> Reply:
        """Offer each fact about a member by its number: words alone never take everything away."""
        if subject.user_id == request.speaker.user_id:
            return offer_privacy(texts)
        facts = await self._memory.facts.list(request.viewer, subject.user_id)
        offered = await self._told(request, Forgotten(candidates=tuple(facts)), subject, texts)
        if not may_erase(request.viewer, subject.user_id) or not facts:
            return offered
        hint = texts("forget_all_hint", name=presenting.named(subject))
        return replace(offered, text=joined([offered.text, hint]))

    async def last(self, request: Request, texts: Texts, *, message: bool = False, may_be_fact: bool = True) -> Reply:
        """Have the last thing forgotten that the speaker had stored or said in the channel, and say what that was.

        The message they reply to, where it is theirs; else the last fact they taught, else their last message; with
        `message`, a fact only if it is the last that they said, and not if they ordered something else since
        (`may_be_fact`). If they have written nothing since, it may be a fact about them that somebody else taught. If
        they say that it is untrue, it is that one, or what they taught if nobody has written since.
        """
        viewer, since = request.viewer, request.at - FOLLOWUP_WINDOW
        recent = await self._memory.messages.recent(
            viewer, request.channel_id, request.message_id, limit=MAX_LOOKED_BACK
        )
        own = [m for m in recent if m.user_id == viewer.user_id and m.timestamp >= since]
        is_untrue = says_untrue(request.text)
        is_fact = not message or (may_be_fact and await self._is_newest(request, since, own))
        if request.quoted is None and is_fact:
            fact = await self._memory.facts.last_taught(viewer, request.channel_id, since)
            is_own = message or grammar.means_own_words(request.text)
            last_told_about = self._memory.facts.last_told_about
            other = None if is_own else await last_told_about(viewer, request.channel_id, since)
            is_newest = other is not None and not any(m.message_id > (other.message_id or 0) for m in own)
            if is_newest:
                fact = max((one for one in (fact, other) if one is not None), key=lambda f: f.fact_id, default=None)
            elif is_untrue:
                fact = _untrue(fact, other, recent)
            if fact is not None:
                subject = await self._viewing.member(request.guild_id, fact.user_id)
                # One that is for them alone goes as if they asked in private; what it said is not shown here.
                private = fact.audience == -viewer.user_id
                by = replace(viewer, is_alone=True) if private else viewer
                done = await self._memory.forgetting.strike(by, subject, [fact])
                return await self._told(request, done, subject, texts)
        if request.quoted is not None:
            own = [m for m in recent if m.user_id == viewer.user_id and m.message_id == request.quoted.message_id]
        elif is_untrue and not message:
            return Reply(text=texts("untrue_nothing"))
        if not own:
            return Reply(text=texts("forget_last_nothing"))
        await self._memory.messages.delete(request.guild_id, [own[-1].message_id])
        return Reply(text=texts("forgot_last", text=one_line(own[-1].text)[:MAX_QUOTED]), is_final=True)

    async def _subject(self, command: commands.Forget, resolver: Resolver) -> Resolved:
        """Whom the command is about."""
        if command.everything:  # "everything I told you about Kim" is offered with what others told of her
            teaching = _told_about().fullmatch(command.statement)
            return await resolver.resolve_name(teaching["who"] if teaching is not None else command.statement)
        if command.subject:
            return await resolver.resolve_name(command.subject)
        found = await resolver.subject(command.statement, resolver.speaker)
        if found == Resolved() and not command.statement.isascii() and " " not in command.statement:
            found = await resolver.resolve_name(command.statement)  # "забудь маркуса", who is called marcus
        if found == Resolved() and begins_with_pronoun(command.statement, command.language):
            return found  # nobody was named before
        is_noun = languages()[command.language].names.nouns_have_capitals
        if found == Resolved() and (is_noun or not people.opening_name(command.statement)):
            return Resolved(member=resolver.speaker)  # "forget pizza" is of whoever says it
        return found

    async def _known_of(self, request: Request, statement: str, found: Resolved) -> Resolved:
        """The only one of those that a deletion may be about of whom such a fact is known; all if that is unclear."""
        find, known = self._memory.forgetting.find, list[Member]()
        for member in found.could_be[:MAX_NAMED]:
            if await find(request.viewer, member, statement, by_words=True):
                known.append(member)
        is_one = len(known) == 1 and len(found.could_be) <= MAX_NAMED
        return Resolved(member=known[0], is_exact=True) if is_one else found

    @staticmethod
    def _is_name_alone(statement: str, subject: Member, resolver: Resolver) -> bool:
        """Whether what is to be forgotten is somebody, and not something about them ("forget jayden")."""
        if "<@" in statement and keywords(statement):  # which no mention has
            return False
        named = people.resolve_name(statement, resolver.speaker, resolver.members)
        return named.member == subject and (named.is_exact or not statement.isascii())

    async def _means_server(
        self, request: Request, command: commands.Forget, found: Resolved, resolver: Resolver
    ) -> bool:
        """Whether a deletion that names nobody means a fact about the server: one is found, and none of the speaker's
        own where the words may mean either."""
        if command.subject or found.could_be or (await resolver.subject(command.statement, resolver.speaker)).member:
            return False
        find = self._memory.forgetting.find
        if not await find(request.viewer, await resolver.server(), command.statement):
            return False
        return (
            found.member is None
            or people.is_about_no_person(command.statement)
            or not await find(request.viewer, resolver.speaker, command.statement)
        )

    async def offer(self, request: Request, command: commands.Forget, resolver: Resolver, texts: Texts) -> Reply:
        """Show which facts a deletion may mean, each with a button that deletes it: the words alone leave doubt."""
        if command.numbers:
            return await self.offer_numbers(request, command.numbers, texts)
        if about_speaker := await self._of_others(request, command, resolver, texts):
            return about_speaker
        if (of_teller := await self._of_teller(request, command, resolver, texts)) is not None:
            return of_teller
        subject = (await self._subject(command, resolver)).member or resolver.speaker
        facts = await self._memory.forgetting.find(request.viewer, subject, command.statement)
        facts = facts or await self._memory.facts.find_taught(request.viewer, command.statement)
        return await self._offered_or_refused(request, facts, subject, texts)

    async def _offered_or_refused(
        self, request: Request, facts: Sequence[Fact], subject: Member, texts: Texts
    ) -> Reply:
        """Offer those of some facts that the speaker may have forgotten; say so if there is none."""
        if not facts:
            return Reply(text=presenting.nothing_found(request.viewer, subject, texts))
        offered = [fact for fact in facts if may_strike(request.viewer, fact)]
        if not offered:
            return presenting.forgotten(request.viewer, Forgotten(refused=tuple(facts)), subject, (), (), texts)
        return await self._offered(request, offered, texts)

    async def _is_of_speaker(self, request: Request, statement: str, resolver: Resolver) -> bool:
        """Whether all that a statement names is in a fact about the speaker."""
        named = set(keywords(statement))
        facts = await self._memory.forgetting.find(request.viewer, resolver.speaker, statement, by_words=True)
        return any(named <= set(keywords(fact.value)) for fact in facts)

    async def _of_somebody(self, request: Request, command: commands.Forget, resolver: Resolver) -> commands.Forget:
        """An order with whom it is about apart, where something like it is known of them ("that thing about Bob")."""
        *words, mark, who = ("", "", *command.statement.strip(" .!").split())
        is_apart = mark.casefold() in languages()[command.language].grammar.subject_words and not of_oneself(who)
        if not is_apart or command.subject or command.everything or any(map(of_oneself, words)):
            return command
        meant = await resolver.resolve_name(who)
        what = grammar.without_placeholders(" ".join(words).strip(), command.language)
        if meant.member is None or not meant.is_exact or not what:
            return command
        facts = await self._memory.forgetting.find(request.viewer, meant.member, what, by_words=True)
        return replace(command, statement=what, subject=who) if facts else command

    async def _of_teller(
        self, request: Request, command: commands.Forget, resolver: Resolver, texts: Texts
    ) -> Reply | None:
        """Offer all that somebody else told, where an order is about that ("everything Kim told you")."""
        plain = command.statement.strip(" .!").replace("’", "'")
        found = (re.fullmatch(each, plain, re.IGNORECASE) for each in collect("grammar.told_by"))
        told = next((match for match in found if match is not None), None)
        teller = (await resolver.resolve_name(told["who"])).member if told is not None and not command.subject else None
        if teller is None or teller == resolver.speaker:
            return None
        taught = await self._memory.facts.list_taught(request.viewer, teller.user_id)
        if told is not None and (name := told.groupdict().get("subject")) is not None:
            subject = (await resolver.resolve_name(name)).member
            taught = [fact for fact in taught if subject is not None and fact.user_id == subject.user_id]
        return await self._offered_or_refused(request, taught, teller, texts) if taught else None

    async def forget(self, request: Request, subject: Member, statement: str, texts: Texts) -> Reply:
        """Have a statement about a member forgotten; where there is none, offer what the speaker told about others."""
        if _CHANNEL.search(statement):  # a fact has its name, as its readers know it
            channels = await self._memory.guilds.channel_names(replace(request.viewer, is_alone=False))
            statement = with_channels(statement, channels)
        forget = self._memory.forgetting.forget
        done, (shorter, _, reason) = await forget(request.viewer, subject, statement), statement.partition(", ")
        if done == Forgotten(nearest=done.nearest) and reason and shorter.strip() and ", " not in reason:
            without = await forget(request.viewer, subject, shorter)  # "forget the interview, I failed"
            done = without if without != Forgotten() else done
        owned = people.with_genitive(statement, subject) if done == Forgotten(nearest=done.nearest) else None
        if owned is not None:  # "forget bobs birthday"
            done = await forget(request.viewer, subject, owned)
        if done == Forgotten() and (taught := await self._memory.facts.find_taught(request.viewer, statement)):
            return await self._offered(request, taught, texts)
        if done == Forgotten() and (last := await self._last(request)) is not None:
            offered = await self._offered(request, [last], texts)
            return replace(
                offered, text=joined([presenting.nothing_found(request.viewer, subject, texts), offered.text])
            )
        return await self._told(request, done, subject, texts)

    async def _is_newest(self, request: Request, since: datetime, own: Sequence[Message]) -> bool:
        """Whether the speaker has written none of their `own` messages since they taught their last fact."""
        fact = await self._memory.facts.last_taught(request.viewer, request.channel_id, since)
        taught = fact.message_id if fact is not None else None
        return taught is not None and all(message.message_id < taught for message in own)

    async def _last(self, request: Request) -> Fact | None:
        """What the speaker taught last in the channel, where a deletion may mean that."""
        language = surely(request.text)
        if language is None or not may_be_of_last(f"{BOT}, {request.text}", language):
            return None
        since = request.at - FOLLOWUP_WINDOW
        fact = await self._memory.facts.last_taught(request.viewer, request.channel_id, since)
        return fact if fact is not None and fact.audience == request.viewer.audience else None

    async def forget_number(self, request: Request, number: int, texts: Texts) -> Reply:
        """Have one fact forgotten by its number; one of another audience does not exist."""
        fact = await self._memory.facts.get(request.viewer, number)
        if fact is None:
            return Reply(text=texts("no_such_fact", number=number))
        subject = await self._viewing.member(request.guild_id, fact.user_id)
        done = await self._memory.forgetting.strike(request.viewer, subject, [fact])
        return await self._told(request, done, subject, texts)

    async def forget_numbers(self, request: Request, numbers: Sequence[int], texts: Texts) -> Reply:
        """Have the facts forgotten that were picked from a list; many, or those about several people, are offered."""
        if len(numbers) == 1:
            return await self.forget_number(request, numbers[0], texts)
        found = [await self._memory.facts.get(request.viewer, number) for number in numbers]
        facts = [fact for fact in found if fact is not None]
        if len({fact.user_id for fact in facts}) != 1 or len(facts) > MAX_PICKED:
            return await self.offer_numbers(request, numbers, texts)
        subject = await self._viewing.member(request.guild_id, facts[0].user_id)
        done = await self._memory.forgetting.strike(request.viewer, subject, facts)
        return await self._told(request, done, subject, texts)

    async def offer_numbers(self, request: Request, numbers: Sequence[int], texts: Texts) -> Reply:
        """Offer several facts by their numbers, each with its button."""
        found = [await self._memory.facts.get(request.viewer, number) for number in numbers]
        facts = [fact for fact in found if fact is not None and may_strike(request.viewer, fact)]
        if not facts:
            return Reply(text=texts("no_such_fact", number=numbers[0]))
        return await self._offered(request, facts, texts)

    async def _of_others(
        self, request: Request, command: commands.Forget, resolver: Resolver, texts: Texts
    ) -> Reply | None:
        """Offer what others told about the speaker, if a deletion is of that ("what Kate said about me")."""
        teaching = _told_about().fullmatch(command.statement)
        own = request.speaker.user_id
        if teaching is None or (await resolver.resolve_name(teaching["who"])).member != resolver.speaker:
            return None
        facts = [fact for fact in await self._memory.facts.list(request.viewer, own) if fact.stated_by != own]
        if not facts and not people.begins_with_oneself(command.statement, command.language):
            return Reply(text=presenting.nothing_found(request.viewer, resolver.speaker, texts))
        return await self._offered(request, facts, texts) if facts else None

    async def _offer_each(
        self, request: Request, command: commands.Forget, resolver: Resolver, texts: Texts
    ) -> Reply | None:
        """Offer facts that a deletion names one after the other ("that I ski and that Kim sings").

        None if all are facts about the speaker, or if it leaves open which fact one of its parts means. No model is
        asked.
        """
        if command.everything or _is_of_told(command):
            return None
        parts, facts, find = grammar.each(command.statement), dict[int, Fact](), self._memory.forgetting.find
        is_known = []
        for part in parts if 1 < len(parts) <= MAX_PARTS and not command.subject else ():
            subject = (await resolver.subject(part, resolver.speaker)).member or resolver.speaker
            found = await find(request.viewer, subject, part, by_words=True)
            found = found or await find(request.viewer, await resolver.server(), part, by_words=True)
            found = found or await self._memory.facts.find_taught(request.viewer, part)
            if len(found) > 1:
                return None
            is_known.append(bool(found))
            facts |= {fact.fact_id: fact for fact in found}
        is_of_others = any(fact.user_id != request.speaker.user_id for fact in facts.values())
        offered = [fact for fact in facts.values() if may_strike(request.viewer, fact)]
        if not (is_of_others or (facts and not all(is_known))) or len(offered) < len(facts):
            return None
        return await self._offered(request, offered, texts)

    async def _offered(self, request: Request, facts: Sequence[Fact], texts: Texts) -> Reply:
        """Facts that may be meant, each with a button that deletes it."""
        views = (await self._viewing.listed(request.viewer, facts))[: presenting.MAX_OFFERED_FACTS]
        actions = presenting.strike_actions(request.viewer, facts)
        name = "forget_one" if len(views) == 1 else "forget_this"
        return Reply(text=texts(name, facts=presenting.fact_lines(views, texts)), actions=actions)

    async def forget_key(self, request: Request, subject: Member, key: str, texts: Texts) -> Reply:
        """Have all facts of one key about a member forgotten."""
        done = await self._memory.forgetting.forget_key(request.viewer, subject, normal_key(key))
        return await self._told(request, done, subject, texts)

    async def _told(self, request: Request, done: Forgotten, subject: Member, texts: Texts) -> Reply:
        """The answer to a deletion; what it may mean is offered where the viewer may delete it."""
        refused = tuple(fact for fact in done.candidates if not may_strike(request.viewer, fact))
        if refused:
            offered = tuple(fact for fact in done.candidates if fact not in refused)
            done = replace(done, candidates=offered, refused=(*done.refused, *refused))
        candidates = await self._viewing.listed(request.viewer, done.candidates)
        nearest = await self._viewing.listed(request.viewer, done.nearest)
        return presenting.forgotten(request.viewer, done, subject, candidates, nearest, texts)


def _is_no_name(statement: str, found: Resolved, speaker: Member) -> bool:
    """Whether "everything about" something names a thing, and nobody."""
    is_whole = statement == ONESELF or people.is_server(statement) or _told_about().fullmatch(statement) is not None
    return not is_whole and (found.member is None or (found.member == speaker and not found.is_exact))


def _is_of_told(command: commands.Forget) -> bool:
    """Whether an order is about all that somebody told about somebody ("what Kate told you about Bob")."""
    return not command.subject and _told_about().fullmatch(command.statement) is not None


@cache
def _told_about() -> re.Pattern[str]:
    """What "everything" is, where it is what somebody told about somebody ("i told you about kim")."""
    verbs, ends = ("|".join(collect(f"grammar.{name}")) for name in ("told_about", "told_ends"))
    return re.compile(rf".{{0,40}}?(?<!\w)(?:{verbs}) (?P<who>.+?)(?: (?:{ends}))?", re.IGNORECASE)


def offer_privacy(texts: Texts) -> Reply:
    """Offer the panel: words alone never erase anything."""
    return Reply(text=texts("privacy_offer"), actions=(Action(name="privacy"),))


def _untrue(own: Fact | None, other: Fact | None, recent: Sequence[Message]) -> Fact | None:
    """Which of what a member and somebody else told "that's not true, delete it" means; None where that is unsure.

    Their own is if it is the newer one and nobody has written since.
    """
    if own is None or (other is not None and other.fact_id > own.fact_id):
        return other
    return None if any(m.message_id > (own.message_id or 0) for m in recent) else own
