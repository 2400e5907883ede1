"""Remember: from what somebody states to the fact that is stored, or to why it is not."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from memory import Member, MemoryManager, Mode, NotRemembered, Statement, Why
from memory.ids import MessageId, UserId, private_to
from memory.rules.captions import without_file_names
from memory.rules.content_policy import reason_to_reject
from memory.rules.house_rules import rule_language
from memory.rules.keys import is_kind, keyed, labelled
from memory.rules.keywords import is_chatter, is_common
from memory.rules.questions import of_oneself
from memory.rules.support import is_turned
from memory.rules.text import clean, mentioned, one_line, readable, with_channels, with_names
from memory.rules.third_person import predicate
from memory.rules.updates import says_end
from urmom_bot.actions import Action
from urmom_bot.languages import DEFAULT, collect, languages
from urmom_bot.markup import Markup
from urmom_bot.talk import commands, grammar, people, presenting
from urmom_bot.talk.clauses import as_sentence
from urmom_bot.talk.people import Resolved
from urmom_bot.talk.pronouns import begins_with_pronoun
from urmom_bot.talk.requests import Reply, Request
from urmom_bot.talk.resolving import Resolver, ask_back, name_in
from urmom_bot.talk.texts import Texts
from urmom_bot.viewing import Viewing


@dataclass(frozen=True, kw_only=True)
class Pointed:
    """What "this" points to: a message, its text and author, and the talk around it."""

    message_id: MessageId
    text: str
    author: Member
    context: tuple[str, ...] = ()
    context_ids: tuple[MessageId, ...] = ()


class Rememberer:
    """Stores what people state, and answers with the exact sentence that is stored."""

    def __init__(self, memory: MemoryManager, viewing: Viewing, bot_names: Sequence[str]) -> None:
        self._memory = memory
        self._viewing = viewing
        self._bot_names = bot_names

    async def command(
        self, request: Request, command: commands.Remember, resolver: Resolver, texts: Texts, *, asks: bool = False
    ) -> Reply:
        """Do what "remember …" asks for: its own statement, or "this"; with `asks`, only once the speaker agrees."""
        statement, speaker = as_sentence(command.statement, request.text, command.language), resolver.speaker
        points = command.this or not statement
        if points and not command.this and request.quoted is None and not request.replies_to_bot:
            return Reply(text=texts("not_empty"))
        if (why := reason_to_reject(statement)) is not None:
            return Reply(text=presenting.objected(why, texts("someone"), texts))
        if points and request.replies_to_bot:
            return Reply(text=texts("not_own_words"))
        subject = None
        if points and command.subject:
            found = await resolver.resolve_name(command.subject)
            if found.member is None:
                return Reply(text=ask_back(found, command.subject, texts), asks_whom=True)
            subject = found.member
        pointed = await self._pointed_at(request, resolver, subject) if points else None
        if points and pointed is None:
            return Reply(text=texts("which_message", name=presenting.named(subject)) if subject else texts("not_empty"))
        author = pointed.author if pointed is not None else speaker
        statement = pointed.text if pointed is not None else statement
        is_for_all = bool(command.subject) and not points and people.is_everyone(command.subject or "")
        if is_for_all and (await resolver.resolve_name(command.subject or "")).member is None:  # "note for everyone: …"
            return await self.remember(request, await resolver.server(), statement, texts, asks=asks)
        about_server = None if points or command.subject else people.about_server(statement)
        if about_server is None and not points:
            order = request.text.partition(statement)[0]
            about_server = statement if people.is_for_everyone(order, statement) else None
        if about_server is not None:
            about_server = as_sentence(about_server, request.text, command.language)
        if about_server is not None and (await resolver.subject(about_server, author)).member in (None, author):
            return await self.remember(request, await resolver.server(), about_server, texts, asks=asks)
        found = await self._subject(request, command, statement, author, resolver)
        if found.member == author and not points and predicate(statement) is None:
            statement = _with_subject(statement)
        is_of_somebody = begins_with_pronoun(statement, command.language)  # nobody was named
        is_of_thing = not is_of_somebody and people.is_about_no_person(statement)
        if found == Resolved() and not points and not command.subject and is_of_thing:
            found = Resolved(member=await resolver.server())
        if found.member is not None and not points and command.language == DEFAULT:
            statement = people.with_apostrophe(statement, found.member)
        also = [] if points or command.subject else people.also_about(statement, speaker, resolver.members)[0]
        if found.member is None and also:
            found = Resolved(member=also[0])
        elif found.member is None and not points and not command.subject:
            also = people.named_at_end(statement, speaker, resolver.members)
            found = Resolved(member=also[0]) if also else found
        is_event = not points and not command.subject and people.is_about_event(statement)
        is_other = found.member not in (None, author) and not any(map(of_oneself, statement.split()))
        if is_event and is_other and found.member is not None and _ends_in_name(statement, found.member):
            also, found = [found.member], Resolved(member=await resolver.server())  # "movie night is at Kim's"
        if found.member is None:
            text = ask_back(found, command.subject or "", texts)
            if found.could_be or points or command.subject:
                return Reply(text=text, asks_whom=True)
            return await self._ask_whom(request, statement, await resolver.server(), text)
        if not also and not points and not command.subject:
            also = await self._told_of(statement, command.language, resolver)
        others = [member.user_id for member in also if member.user_id != found.member.user_id]
        return await self.remember(
            request, found.member, statement, texts, pointed=pointed, asks=asks, also_about=others
        )

    @staticmethod
    async def _told_of(statement: str, language: str, resolver: Resolver) -> list[Member]:
        """Whom a statement tells something of besides its subject ("Kim has a dog and Jo too", "Kim says Jo snores").

        They see it, and can delete it. Words that are no name alone ("and will too") are none.
        """
        told_of = [tuple(map(name_in, words)) for words in grammar.words_told_of(statement, language)]
        words = [word for words in told_of for word in words if word and not is_common(word)]
        names = await resolver.names_of_others(words) if words else []
        meant = [name for before, name in told_of if name in names and before not in names]  # "likes Jo and Kim a lot"
        found = [await resolver.resolve_name(name) for name in dict.fromkeys(meant)]
        return [one.member for one in found if one.member is not None]

    async def _ask_whom(self, request: Request, statement: str, server: Member, text: Markup) -> Reply:
        """Ask whom a statement is about. A press says that it is about the server, and no person."""
        stated = replace(await self._stated(request, server, statement), is_confirmed=True)
        try:
            await self._memory.facts.check(request.viewer, stated)
        except NotRemembered:
            return Reply(text=text, asks_whom=True)
        held = await self._memory.facts.await_confirmation(request.viewer, stated)
        keep = Action(name="keep_server", args=(str(held.entry_id), held.key))
        return Reply(text=text, actions=(keep,), asks_whom=True)

    async def _subject(
        self, request: Request, command: commands.Remember, statement: str, author: Member, resolver: Resolver
    ) -> Resolved:
        """Whom a statement is about: whom the command names, whose message it points to, or whom its words name."""
        if command.subject:
            return await resolver.resolve_name(command.subject)
        if command.this and request.quoted is not None:
            return Resolved(member=request.quoted.author)
        if rule_language(statement) is not None:
            words = [name_in(word) for word in statement.split()]
            others = await resolver.names_of_others([word for word in words if word])
            if not others and not any(map(of_oneself, statement.split())):
                return Resolved(member=await resolver.server())
        if given := keyed(statement):  # "job: welder" is about the speaker, "bob's job: welder" about bob
            if is_kind(given[0]):
                return Resolved(member=resolver.speaker)
            found = await resolver.subject(given[0], resolver.speaker)
            is_own = found == Resolved() and not people.is_about_no_person(given[0])
            return Resolved(member=resolver.speaker) if is_own else found
        found = await resolver.subject(statement, author)
        if found.member not in (None, author) and people.speaks_of_oneself(statement, command.language):
            told_of = [name_in(word) for _, word in grammar.words_told_of(statement, command.language)]
            if any([(await resolver.resolve_name(name)).member == found.member for name in told_of]):
                return Resolved(member=author)  # "soy de Racing y angel de Boca"
        if found == Resolved() and labelled(statement):
            return Resolved(member=resolver.speaker)
        if found != Resolved():
            return found
        is_thing = statement.split()[0].casefold() in languages()[command.language].names.things
        ends = _is_denial(statement) or (says_end(statement) and not is_thing)  # "ya dejé de fumar"
        is_own = people.speaks_of_oneself(statement, command.language) or (
            ends and await self._memory.facts.is_update(request.viewer, statement, resolver.speaker)
        )
        return Resolved(member=author) if is_own else found

    async def restated(self, command: commands.Remember, resolver: Resolver, meant: Member) -> str | None:
        """A statement with somebody else in place of whom it names, or of the speaker where they speak of themselves.

        None where the grammar cannot put it so.
        """
        if command.subject:  # whom it is of is said beside it
            return command.statement
        named = (await resolver.subject(command.statement, resolver.speaker)).member
        several, rest = people.also_about(command.statement, resolver.speaker, resolver.members)
        if several:
            rest = grammar.without_together(rest, command.language)
            told = predicate(f"I {rest}") or grammar.in_singular(rest, command.language)
            opening = command.statement.split()[0]
            before = (
                f"{opening} " if opening.casefold() in collect("names.before") else ""
            )  # "a kate y a bob les gusta"
            return f"{before}<@{meant.user_id}>{told}" if told is not None else None
        if (told := predicate(command.statement)) is not None:
            return f"<@{meant.user_id}>{told}"
        if named is None:
            return None
        names = "|".join(re.escape(name) for name in sorted(named.names, key=len, reverse=True))
        pattern = rf"<@!?{named.user_id}>|(?<!\w)(?:{names})(?!\w)"
        restated, count = re.subn(pattern, f"<@{meant.user_id}>", command.statement, count=1, flags=re.IGNORECASE)
        return restated if count else None

    async def remember(
        self,
        request: Request,
        subject: Member,
        statement: str,
        texts: Texts,
        *,
        pointed: Pointed | None = None,
        source_id: MessageId | None = None,
        is_private: bool = False,
        asks: bool = False,
        also_about: Sequence[UserId] = (),
    ) -> Reply:
        """Store a statement about a member, and answer with the exact sentence that is stored.

        With `pointed`, the words are its author's: "I" is them. `source_id` is the message the words stand in, where
        that is not the request; `is_private` keeps them for the speaker alone; with `asks` they are asked first. The
        members `also_about` get the same fact.
        """
        if await self._memory.guilds.mode(request.guild_id, request.channel_id) is Mode.OFF:
            return Reply(text=texts("channel_off"))
        author = pointed.author if pointed is not None else request.speaker
        stated = replace(await self._stated(request, subject, statement, pointed), also_about=tuple(also_about))
        if source_id is not None:
            stated = replace(stated, message_id=source_id)
        if is_private:
            stated = replace(stated, audience=private_to(request.speaker.user_id))
        try:
            if asks:
                await self._memory.facts.check(request.viewer, stated)
                return await self._asked(
                    request, stated, texts("keep_this", text=_named(stated, request, subject)), "keep_it"
                )
            done = await self._memory.facts.remember(request.viewer, stated, subject, author)
        except NotRemembered as refused:
            return await self._refused(request, stated, refused, subject, texts)
        return presenting.remembered(request.viewer, done, subject, texts)

    async def correct(self, request: Request, command: commands.Correct, texts: Texts) -> Reply:
        """Have a fact say something else; undo brings back the old one. Raises NotAllowed."""
        viewer, number = request.viewer, command.number
        fact = await self._memory.facts.get(viewer, number)
        if fact is None:
            return Reply(text=texts("no_such_fact", number=number))
        subject = await self._viewing.member(request.guild_id, fact.user_id)
        try:
            done = await self._memory.facts.correct(viewer, number, command.statement, message_id=request.message_id)
        except NotRemembered as refused:
            return Reply(text=presenting.refused(refused, presenting.named(subject), texts))
        return presenting.remembered(viewer, done, subject, texts)

    async def _stated(
        self, request: Request, subject: Member, statement: str, pointed: Pointed | None = None
    ) -> Statement:
        """What the speaker states about a member, or about the server, as memory takes it."""
        # What is stored may name the channels alone that its readers know, whatever the speaker is shown.
        channels = await self._memory.guilds.channel_names(replace(request.viewer, is_alone=False))
        speaker = request.speaker
        author = pointed.author if pointed is not None else speaker
        return Statement(
            guild_id=request.guild_id,
            user_id=subject.user_id,
            stated_by=speaker.user_id,
            quote=clean(with_channels(statement, channels)),
            raw=clean(statement),
            context=pointed.context if pointed is not None else (),
            context_ids=pointed.context_ids if pointed is not None else (),
            author=author.user_id if author.user_id != speaker.user_id else None,
            alias=people.alias(statement, subject, author),
            channel_id=request.channel_id,
            message_id=pointed.message_id if pointed is not None else request.message_id,
            audience=request.viewer.audience,
        )

    async def _refused(
        self, request: Request, stated: Statement, refused: NotRemembered, subject: Member, texts: Texts
    ) -> Reply:
        if refused.why is Why.CONFIRM and refused.matter == "unclear":
            text = texts("keep_this", text=_named(stated, request, subject))
            return await self._asked(request, replace(stated, is_confirmed=True), text, "keep_it")
        if refused.why is Why.CONFIRM:
            is_unread = refused.matter == "unread"
            text = texts("confirm_unread") if is_unread else texts("confirm_sensitive", matter=_matter(refused, texts))
            name = "keep_other" if is_unread and stated.user_id != stated.stated_by else "keep"
            return await self._asked(request, replace(stated, is_confirmed=True), text, name)
        if (
            refused.why is Why.OPTED_OUT
            and refused.user_id in (None, subject.user_id)
            and request.viewer.is_person(subject.user_id)
        ):
            choice = await self._memory.privacy.choice(request.guild_id, subject.user_id)
            return Reply(text=texts("privacy_ignored" if choice.is_ignored else "opted_out_yourself"))
        if refused.why is Why.TEACHERS and subject.is_server:
            return Reply(text=texts("not_teachers_server"))
        who = subject
        if refused.user_id is not None and refused.user_id != subject.user_id:
            who = await self._viewing.member(request.guild_id, refused.user_id)
        return Reply(text=presenting.refused(refused, presenting.named(who), texts))

    async def _asked(self, request: Request, stated: Statement, text: Markup, name: str) -> Reply:
        """Ask the speaker about a statement, which waits, sealed, for their press."""
        held = await self._memory.facts.await_confirmation(request.viewer, stated)
        args = (str(held.entry_id), held.key)
        return Reply(text=text, actions=(Action(name=name, args=args), Action(name="drop", args=args)))

    async def _pointed_at(self, request: Request, resolver: Resolver, subject: Member | None) -> Pointed | None:
        """What "this" means, with the talk around it: the message replied to, else what was said last.

        Where it is about a `subject`, what they said last, or else what was said of them; chatter never. None where
        that cannot be told.
        """
        if (quoted := request.quoted) is not None:
            stored = (await self._memory.messages.get_many(request.viewer, [quoted.message_id])).get(quoted.message_id)
            text = without_file_names(stored.text if stored is not None else quoted.text)
            if not text.strip():
                return None
            line = _line(quoted.author.user_id, text, people.distinct(resolver.members))
            return Pointed(
                message_id=quoted.message_id,
                text=one_line(text),
                author=quoted.author,
                context=(line,),
                context_ids=(MessageId(0),),
            )
        recent = await self._memory.messages.recent(request.viewer, request.channel_id, request.message_id, limit=12)
        talk = [
            m for m in recent if m.author_kind == "member" and grammar.addressed(m.text, 0, self._bot_names) is None
        ]
        speaking = [m for m in talk if not is_chatter(without_file_names(m.text))]
        if subject is not None:
            by_them = [m for m in speaking if m.user_id == subject.user_id]
            of_them = [m for m in speaking if subject.user_id in m.addressees or people.names(m.text, subject)]
            speaking = by_them or of_them
        if not speaking:
            return None
        last = speaking[-1]
        await resolver.add({m.user_id for m in talk} | {user_id for m in talk for user_id in mentioned(m.text)})
        names = people.distinct(resolver.members)
        return Pointed(
            message_id=last.message_id,
            text=one_line(without_file_names(last.text)),
            author=resolver.members.get(last.user_id, request.speaker),
            context=tuple(_line(m.user_id, m.text, names) for m in talk),
            context_ids=tuple(m.message_id for m in talk),
        )


def _is_denial(statement: str) -> bool:
    """Whether a statement begins by denying something, of whoever says it ("not vegan anymore")."""
    first, _, rest = statement.partition(" ")
    return bool(rest) and is_turned(first) and not people.is_about_no_person(rest)


def _with_subject(statement: str) -> str:
    """An English statement about oneself with the "I" that it leaves out ("moved to York last week")."""
    if people.speaks_of_oneself(statement, "en"):
        return f"I {statement}"
    return f"I'm {statement}" if statement.startswith("not ") else statement


def _ends_in_name(statement: str, member: Member) -> bool:
    """Whether a statement ends in somebody's name, or in something of theirs ("… at Kim's place")."""
    names = {name.casefold() for name in member.names}
    last = statement.split()[-MAX_END:]
    return any(name_in(word).casefold() in names or member.user_id in mentioned(word) for word in last)


MAX_END = 2
"""Words at the end of a statement that may name whose event it is."""


def _matter(refused: NotRemembered, texts: Texts) -> str:
    return texts(f"matter_{refused.matter or 'other'}")


def _line(user_id: UserId, text: str, names: Mapping[UserId, str]) -> str:
    return f"{names.get(user_id, 'someone')}: {one_line(readable(text, names, {}))}"


def _named(stated: Statement, request: Request, subject: Member) -> str:
    """What is asked about, with the names of whom it mentions."""
    return with_names(stated.quote, {m.user_id: m.display_name for m in (request.speaker, subject, *request.mentioned)})
