"""Finds whom each message addresses, once, when it is stored."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime, timedelta

from cachetools import TLRUCache

from memory.ids import GuildId, MessageId, UserId
from memory.records import Member, Message
from memory.rules.names import Names
from memory.store import messages as table
from memory.store import people
from memory.store.database import Connection

NAMES_LIFE = timedelta(hours=1)
"""How long the names of a guild are known before they are read again."""

MAX_KNOWN = 50_000
"""Members and names that are known at once, of all guilds together."""


@dataclass(frozen=True)
class _Speakers:
    """Of a guild, those who write and are spoken to, and the names that were looked up."""

    until: float
    """When they are forgotten, in seconds since 1970: other processes learn names, and members have theirs erased."""
    names: Names = field(default_factory=Names)
    looked_up: set[str] = field(default_factory=set)
    complete: set[int] = field(default_factory=set)
    """The members who are known with all their names, not only those that they have now."""

    def size(self) -> int:
        return min(1 + len(self.names) + len(self.looked_up), MAX_KNOWN)


class Addressees:
    """Finds whom a message addresses. Names are looked up as messages begin with them, however many members there are.

    Most messages need no look: they begin with no name, or with one that was looked up already.
    """

    def __init__(self, clock: Callable[[], datetime]) -> None:
        self._clock = clock
        self._guilds: TLRUCache[int, _Speakers] = TLRUCache(
            MAX_KNOWN, ttu=lambda _, known, __: known.until, timer=lambda: clock().timestamp(), getsizeof=_Speakers.size
        )

    async def find(
        self, connection: Connection, messages: Sequence[Message], members: Iterable[Member]
    ) -> list[Message]:
        """The messages in their order, each with its addressees; `members` are their authors."""
        guilds = {guild_id: self._known(guild_id) for guild_id in {m.guild_id for m in messages}}
        authors = [member for member in members if member.guild_id in guilds]
        await self._look_up(connection, guilds, messages, authors)
        by = {(m.guild_id, m.message_id): m.user_id for m in messages}
        answers = {(m.guild_id, m.reply_to_id) for m in messages if m.reply_to_id is not None}
        if missing := answers - by.keys():
            by |= await table.authors(connection, missing)
        found = []
        for message in messages:
            answered = by.get((message.guild_id, message.reply_to_id)) if message.reply_to_id is not None else None
            names = guilds[message.guild_id].names
            addressees = names.addressees(message, answered)
            found.append(message if addressees == message.addressees else replace(message, addressees=addressees))
            names.wrote(message.channel_id, message.user_id, message.timestamp)
        for guild_id, known in guilds.items():
            self._guilds[guild_id] = known  # its size has changed
        return found

    async def of_edit(
        self, connection: Connection, guild_id: GuildId, message_id: MessageId, text: str
    ) -> tuple[UserId, ...]:
        """Whom a stored message speaks to with its new text."""
        message = await table.find(connection, guild_id, message_id)
        if message is None:
            return ()
        (edited,) = await self.find(connection, [replace(message, text=text)], ())
        return edited.addressees

    def _known(self, guild_id: GuildId) -> _Speakers:
        known = self._guilds.get(guild_id)
        if known is None or known.size() >= MAX_KNOWN:
            return _Speakers((self._clock() + NAMES_LIFE).timestamp())
        return known

    async def _look_up(
        self,
        connection: Connection,
        guilds: dict[GuildId, _Speakers],
        messages: Sequence[Message],
        authors: Sequence[Member],
    ) -> None:
        """Know the authors, and who else has the names that messages begin with."""
        unknown = {(m.guild_id, m.user_id) for m in authors if m.user_id not in guilds[m.guild_id].complete}
        wanted: set[tuple[GuildId, str]] = set()
        for author in authors:
            guilds[author.guild_id].names.add(author)
        for message in messages:
            known = guilds[message.guild_id]
            name = known.names.name_in_doubt(message.text)
            if name is not None and name not in known.looked_up:
                wanted |= {(message.guild_id, name), (message.guild_id, name.casefold())}
        if not unknown and not wanted:
            return
        for member in await people.called_in(connection, wanted, unknown):
            guilds[member.guild_id].names.add(member)
            guilds[member.guild_id].complete.add(member.user_id)
        for author in authors:  # what they are called now may be newer than what is stored
            guilds[author.guild_id].names.add(author)
            guilds[author.guild_id].complete.add(author.user_id)
        for guild_id, name in wanted:
            guilds[guild_id].looked_up.add(name)
