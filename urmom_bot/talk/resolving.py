"""Finds whom a request is about: names become members by code, asking memory and, for who never wrote, Discord."""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence
from dataclasses import dataclass, field, replace

from cachetools import TTLCache

from memory import Member, MemoryManager
from memory.ids import ChannelId, GuildId, MessageId, UserId
from memory.rules.names import nominatives
from memory.rules.questions import possible_names
from memory.rules.text import mentioned
from urmom_bot.languages import collect
from urmom_bot.markup import Markup, joined, line
from urmom_bot.talk import people
from urmom_bot.talk.people import Resolved
from urmom_bot.talk.presenting import named
from urmom_bot.talk.requests import Request
from urmom_bot.talk.texts import Texts

OPENING_WORDS = 6
"""Words at the beginning of a statement among which a name may stand in other letters."""


LOOKED_UP_SECONDS = 10
"""How long what was found for the names in a message is used again."""


@dataclass
class _LookedUp:
    """Whom the names in one message may mean."""

    by_name: dict[str, list[Member]] = field(default_factory=dict)
    by_id: dict[UserId, Member | None] = field(default_factory=dict)

    async def find(
        self, memory: MemoryManager, guild_id: GuildId, names: Collection[str], also: Collection[UserId] = ()
    ) -> dict[UserId, Member]:
        """The members whom `names` may mean, and those in `also`; what was looked up isn't looked up again."""
        unknown, absent = [n for n in names if n not in self.by_name], [u for u in also if u not in self.by_id]
        if unknown or absent:
            found = await memory.guilds.find_by_names(guild_id, unknown, absent)
            self.by_name |= {name: [] for name in unknown}
            self.by_id |= dict.fromkeys(absent)
            for member, called in found:
                self.by_id[member.user_id] = member
                for name in called:
                    self.by_name[name].append(member)
        known = {u: wanted for u in also if (wanted := self.by_id[u]) is not None}
        return {member.user_id: member for name in names for member in self.by_name[name]} | known


class Resolvers:
    """Opens the resolvers of requests. Those of one message share what they looked up."""

    def __init__(self, memory: MemoryManager) -> None:
        self._memory = memory
        self._looked_up: TTLCache[tuple[GuildId, ChannelId, MessageId], _LookedUp] = TTLCache(
            1_000, ttl=LOOKED_UP_SECONDS, timer=lambda: memory.clock().timestamp()
        )

    async def open(self, request: Request, names: Sequence[str] = ()) -> Resolver:
        """Knows who has a part in the request, and everyone whom its words may name, `names` in whatever case."""
        quoted = request.quoted
        present = [request.speaker, *request.mentioned, *([quoted.author] if quoted else [])]
        words = f"{_words(request)}\n{_capitalised(names)}"
        key = request.guild_id, request.channel_id, request.message_id
        looked_up = self._looked_up.setdefault(key, _LookedUp())
        ids = {*mentioned(words), *(member.user_id for member in present)}
        names = (*possible_names(words), *people.in_another_alphabet(words))
        members = await looked_up.find(self._memory, request.guild_id, names, ids)
        for member in present:
            known = members.get(member.user_id)
            if known is not None:
                member = replace(member, aliases=known.aliases, named_at=known.named_at)
            members[member.user_id] = member
        return Resolver(self._memory, request, people.as_spelled(words, members), looked_up, words)


class Resolver:
    """The members one request may be about, by id; more are added as they are looked for."""

    def __init__(
        self, memory: MemoryManager, request: Request, members: dict[UserId, Member], looked_up: _LookedUp, words: str
    ) -> None:
        self._memory = memory
        self._request = request
        self.members = members
        self._looked_up = looked_up
        self._words = words
        self._looked_for = set(possible_names(words))

    @property
    def speaker(self) -> Member:
        """Who asks, with the names that facts gave them."""
        return self.members[self._request.speaker.user_id]

    async def resolve_name(self, name: str) -> Resolved:
        """Whom a name means: the server, who wrote here, then names much like it, then all members of the guild."""
        if people.is_server(name):
            return Resolved(member=await self.server(), is_exact=True)
        await self._add_named(name)
        found = people.resolve_name(name, self.speaker, self.members)
        if found == Resolved() and (
            claimed := await self._memory.guilds.find_claimed(self._request.viewer, _forms(name))
        ):
            self._add(claimed)
            people_meant = tuple(self.members[user_id] for user_id in claimed)
            found = Resolved(member=people_meant[0]) if len(people_meant) == 1 else Resolved(could_be=people_meant)
        if found == Resolved():
            server = await self.server()
            if bare_name(name).casefold() == server.display_name.casefold():
                return Resolved(member=server, is_exact=True)
            for written in people.spellings(name):
                self._add(await self._memory.guilds.find_alike(self._request.guild_id, written))
            found = people.resolve_name(name, self.speaker, self.members)
        if not found.is_exact and not found.could_be and await self._look_for(name):
            found = people.resolve_name(name, self.speaker, self.members)
        return found

    async def subject(self, statement: str, author: Member) -> Resolved:
        """Whom a statement by `author` is about, likewise."""
        await self._add_named(statement[:1].upper() + statement[1:])  # a name in another case shows by its capital
        if name := people.without_genitive(statement):
            await self._add_named(name.capitalize())
        found = people.subject(statement, author, self.members)
        words = re.findall(r"[\w.-]+", statement)
        if found == Resolved() and not statement.isascii():  # "даша" may be the member "dasha"
            await self._add_named(people.in_cases(words[:OPENING_WORDS]))
            found = people.subject(statement, author, self.members)
        first = next((word for word in words if word.casefold() not in collect("names.before")), "")
        if found == Resolved() and not first.isascii():  # "маркус" may be marcus
            found = await self.resolve_name(first)
        if found == Resolved() and words and await self._look_for(words[0]):
            found = people.subject(statement, author, self.members)
        return found

    async def server(self) -> Member:
        """The server itself, as whom a fact is about that is about nobody."""
        return await self._memory.guilds.server(self._request.guild_id)

    async def add(self, user_ids: set[UserId]) -> None:
        """Know members by their ids."""
        self._add(await self._memory.guilds.members(self._request.guild_id, user_ids))

    async def names_of_others(self, words: Sequence[str]) -> list[str]:
        """The words that are exactly the name of a member who does not ask, in whatever case."""
        await self._add_named(_capitalised(words))
        found = {word: people.resolve_name(word, self.speaker, self.members) for word in words}
        me = self.speaker.user_id
        return [word for word, one in found.items() if one.is_exact and one.member and one.member.user_id != me]

    async def _add_named(self, text: str) -> None:
        names = possible_names(text)
        if not self._looked_for.issuperset(names):
            self._looked_for.update(names)
            self._add(await self._looked_up.find(self._memory, self._request.guild_id, names, mentioned(text)))

    def _add(self, found: dict[UserId, Member]) -> None:
        new = {user_id: member for user_id, member in found.items() if user_id not in self.members}
        self.members = people.as_spelled(self._words, self.members | new)

    async def _look_for(self, name: str) -> bool:
        """Ask Discord for members whose name starts so; whether there are any."""
        if self._request.find is None or not name.strip(" @"):
            return False
        found = {m.user_id: m for m in await self._request.find(name.strip(" @")) if m.user_id not in self.members}
        self.members |= found
        return bool(found)


def _forms(name: str) -> set[str]:
    """A name as it is written, and as what it may be a case of ("Сергее" of "Сергей")."""
    bare = bare_name(name)
    return {bare, *nominatives(bare.capitalize())}


def _words(request: Request) -> str:
    return f"{request.text} {request.quoted.text if request.quoted else ''}"


def _capitalised(words: Sequence[str]) -> str:
    return " ".join(word[:1].upper() + word[1:] for word in words)


def bare_name(name: str) -> str:
    """A name without what may stand around it in a sentence."""
    return name.strip().strip("\"'“”«»@.,:;!?…()*").strip()


def name_in(word: str) -> str:
    """The name that a word may be, also where it owns something ("Kim's")."""
    return bare_name(word).replace("’", "'").removesuffix("'s")


def ask_back(found: Resolved, name: str, texts: Texts, *, missing: str = "subject_missing") -> Markup:
    """The question that is asked where nobody, or nobody alone, is meant; `missing` where no name was said."""
    if found.could_be:
        names = joined((line("{} ({})", named(m), m.username) for m in found.could_be), ", ")
        return texts("which_of", names=names)
    return texts("subject_unknown", name=name.lstrip("@")) if name else texts(missing)
