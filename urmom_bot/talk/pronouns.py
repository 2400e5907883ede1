"""Whom "she", "him" or "their dog" means: whoever was named just before, in what the bot was told or asked."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace
from datetime import timedelta
from functools import cache

from memory import Member
from memory.rules.wordlists import by_language
from urmom_bot.languages import collect, languages
from urmom_bot.markup import person
from urmom_bot.talk import commands, grammar, people
from urmom_bot.talk.clauses import as_sentence
from urmom_bot.talk.followups import Done, Followups
from urmom_bot.talk.people import Resolved
from urmom_bot.talk.requests import Request
from urmom_bot.talk.resolving import Resolvers, name_in

OTHERS_TALK = timedelta(minutes=3)
"""How long after somebody else named a person a pronoun may mean them."""

MAX_PREPOSITION = 2
"""Letters of a word that may stand before somebody a statement is about."""

MAX_WORDS = 30
"""Words of a message among which names are looked for."""

MAX_PRONOUNS = 3
"""Pronouns of a message of which each may be the one that a command is about."""


class Pronouns:
    """Puts the person who is meant in the place of a pronoun."""

    def __init__(self, resolvers: Resolvers, followups: Followups) -> None:
        self._resolvers = resolvers
        self._followups = followups

    async def resolve(
        self, request: Request, command: commands.Command | None
    ) -> tuple[Request, commands.Command | None]:
        """A message that names whom its command is about, and this command.

        Both are as they are if no pronoun stands for that person, or nobody was named before.
        """
        has_pronoun = _any().search(request.text) is not None or _has_no_subject(command)
        if not _leaves_open(command) or not has_pronoun:
            return request, command
        if isinstance(command, commands.Remember) and _is_impersonal(command.statement, command.language):
            return request, command
        named = await self._named_before(request)
        if named is None or people.names(request.text, named):  # "she isn't Kim" is of somebody else
            return request, command
        meant = _with_person(request.text, command, person(named.user_id))
        if meant is None:
            return request, command
        return replace(request, text=meant[0], mentioned=(*request.mentioned, named)), meant[1]

    async def resolve_added(
        self, request: Request, told: commands.Remember
    ) -> tuple[Request, commands.Remember | None]:
        """The same for what was told without an order; no command if it is left open whom a pronoun means."""
        named, command = await self.resolve(request, told)
        if command is told and begins_with_pronoun(told.statement, told.language):
            return request, None
        return named, command if isinstance(command, commands.Remember) else None

    async def _named_before(self, request: Request) -> Member | None:
        """Whose message it replies to, else of whom the speaker spoke to the bot last.

        None if somebody else has spoken to it of another person since.
        """
        speaker = request.speaker.user_id
        if request.quoted is not None:
            is_own = request.quoted.author.user_id == speaker
            return request.quoted.author if not is_own and await self._tells_of_its_writer(request) else None
        if (talk := self._followups.talk(request)) is not None and (people_named := await self._named_in(talk)):
            return people_named[0] if len(people_named) == 1 else None
        own, others = self._followups.last(request), self._followups.newest(request)
        if others is own or others is None or request.at - others.request.at > OTHERS_TALK:
            others = None
        if own is not None and own.asks_whom:  # it was about nobody
            own = self._followups.changed(request)
        found = [await self._subject(done) for done in (own, others)]
        named = {member.user_id: member for member in found if member is not None and member.user_id != speaker}
        return next(iter(named.values())) if len(named) == 1 else None

    async def _tells_of_its_writer(self, request: Request) -> bool:
        """Whether a reply answers a message about its writer alone, without a name, a pronoun or "my brother"."""
        if request.quoted is None or _any().search(request.quoted.text) is not None:
            return False
        quoted = replace(request, text=request.quoted.text, quoted=None)
        words = {word.strip(" ,.!?").casefold() for word in quoted.text.split()}
        owns = {word for listed in by_language("words.toml").values() for word in listed["own"]}
        return words.isdisjoint(owns) and not await self._named_in(quoted)

    async def _named_in(self, talk: Request) -> list[Member]:
        """The people besides the speaker whom a message to the bot names that was no command ("what does Bob like")."""
        words = [name_in(word) for word in talk.text.split()][:MAX_WORDS]
        resolver = await self._resolvers.open(talk, words)
        names = await resolver.names_of_others([word for word in words if word])
        found = [(await resolver.resolve_name(name)).member for name in dict.fromkeys(names)]
        return list({member.user_id: member for member in found if member is not None}.values())

    async def _subject(self, done: Done | None) -> Member | None:
        """The person whom a command was about; None for several, the server, or nobody."""
        command = done.command if done is not None else None
        if done is None or not isinstance(command, commands.Know | commands.Remember | commands.Forget):
            return None
        resolver = await self._resolvers.open(done.request)
        if command.subject:
            is_one = len(grammar.each(command.subject)) < 2
            found = await resolver.resolve_name(command.subject) if is_one else Resolved()
        elif isinstance(command, commands.Know) or not command.statement:
            return None
        else:
            told = as_sentence(command.statement, done.request.text, command.language)
            is_one = not people.also_about(told, resolver.speaker, resolver.members)[0]
            found = await resolver.subject(told, resolver.speaker) if is_one else Resolved()
        return found.member if found.member is not None and not found.member.is_server else None


def begins_with_pronoun(statement: str, language: str) -> bool:
    """Whether a statement is about somebody who was named before ("he also has a dog", "her dog")."""
    if _is_impersonal(statement, language):
        return False
    of = languages()[language].grammar
    first, second, *_ = (*statement.casefold().replace("’", "'").split(), "", "")
    is_behind = len(first) <= MAX_PREPOSITION and second in of.third_objects  # "у него"
    return is_behind or first in {*of.third_persons, *of.third_owners}


def _leaves_open(command: commands.Command | None) -> bool:
    """Whether a command names nobody, so that a pronoun may stand for whom it is about."""
    match command:
        case None:
            return True
        case commands.Know():
            return not command.is_plain or _any().fullmatch(command.subject) is not None
        case commands.Remember() | commands.Forget():
            return not command.subject
    return False


def _has_no_subject(command: commands.Command | None) -> bool:
    """Whether an order tells something of a person by its verb alone ("recuerda que tiene un perro")."""
    if not isinstance(command, commands.Remember) or command.subject or not command.statement:
        return False
    return command.statement.split()[0].casefold() in languages()[command.language].grammar.personal


def _is_impersonal(statement: str, language: str) -> bool:
    """Whether a statement begins with a pronoun that means nobody who was named, or not them alone."""
    joint = statement.casefold().split()[1:2]
    listed = languages()[language].grammar.impersonal
    is_listed = any(re.fullmatch(pattern, statement.strip(" .!"), re.IGNORECASE) for pattern in listed)
    return is_listed or not {*joint}.isdisjoint(collect("names.both"))


def _with_person(text: str, command: commands.Command | None, who: str) -> tuple[str, commands.Command] | None:
    """A message and its command with a mention in the place of a pronoun; None if the command isn't about it."""
    if isinstance(command, commands.Remember) and _has_no_subject(command):
        statement = f"{who} {command.statement}"
        return text.replace(command.statement, statement), replace(command, statement=statement)
    if isinstance(command, commands.Remember | commands.Forget):
        for language, statement in _replaced(command.statement, who):
            told = replace(command, statement=statement)
            if language == command.language and _is_about(told, who):
                return text.replace(command.statement, statement), told
        of_owner = _of_owner(command, text, who)
        return (text, of_owner) if of_owner is not None else None
    for language, named in _replaced(text, who, asks=True):
        meant = grammar.parse(named)
        is_asked = not isinstance(meant, commands.Know) or meant.is_plain or named.rstrip(" ?!.").endswith(who)
        if isinstance(meant, commands.Forget):
            continue  # "and he left" is no order
        if meant is not None and is_asked and meant.language == language and _is_about(meant, who):
            return named, meant
    return None


def _is_about(command: commands.Command, who: str) -> bool:
    """Whether a command begins with a mention of somebody, behind a small word at the most ("у него есть …")."""
    match command:
        case commands.Know():
            return command.subject == who
        case commands.Remember() | commands.Forget():
            first, _, rest = command.statement.partition(" ")
            begins = rest if len(first) <= MAX_PREPOSITION else command.statement
            return who == command.subject or (not command.subject and begins.startswith(who))
    return False


def _of_owner(
    command: commands.Remember | commands.Forget, text: str, who: str
) -> commands.Remember | commands.Forget | None:
    """A command about something of somebody ("su perro"), as one about them; None if it is of nobody's."""
    owners = languages()[command.language].grammar.third_owners
    first, _, rest = command.statement.partition(" ")
    if first.casefold() in owners and rest:
        is_told = isinstance(command, commands.Remember)
        return replace(command, subject=who, statement=command.statement if is_told else rest)
    before = text.partition(command.statement)[0].split()[-1:] if command.statement else []
    return replace(command, subject=who) if before and before[0].casefold() in owners else None  # "забудь её собаку"


def _replaced(text: str, who: str, *, asks: bool = False) -> Iterator[tuple[str, str]]:
    """A text with a mention in the place of one of its pronouns, in each way, each with the pronoun's language."""
    for found in list(_any().finditer(text))[:MAX_PRONOUNS]:
        before, word, after = text[: found.start()], found[0].casefold().replace("’", "'"), text[found.end() :]
        for code, language in languages().items():
            of = language.grammar
            forms = [owner.format(who) for owner in [of.third_owners.get(word)] if owner]
            forms += [f"{who} {of.third_persons[word]}".strip()] if word in of.third_persons else []
            forms += [who] if word in of.third_objects or (asks and word in of.third_asked) else []
            for form in forms:
                yield code, f"{before}{form}{after}"


@cache
def _any() -> re.Pattern[str]:
    """Any pronoun of a language."""
    kinds = ("third_persons", "third_objects", "third_owners", "third_asked")
    words = {word for kind in kinds for word in collect(f"grammar.{kind}")}
    listed = "|".join(re.escape(word).replace("'", "['’]") for word in sorted(words, key=len, reverse=True))
    return re.compile(rf"(?<![\w@-])(?:{listed})(?![\w'’-])", re.IGNORECASE)
