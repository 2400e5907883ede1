"""Finds whom each message addresses, once, when it is stored."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from datetime import datetime, timedelta

from cachetools import TTLCache

from memory.records import Member, Message
from memory.rules.names import Names
from memory.store import messages as table
from memory.store import people
from memory.store.database import Connection

NAMES_LIFE = timedelta(hours=1)
"""How long the names of a guild are known before they are read again: other processes learn names too."""

MAX_KNOWN_MEMBERS = 50_000
"""Members whose names are known at once, of all guilds together."""


class Addressees:
    """Knows the names of each guild's members, and finds whom a message addresses by them."""

    def __init__(self, clock: Callable[[], datetime]) -> None:
        timer = lambda: clock().timestamp()  # noqa: E731
        self._names: TTLCache[int, Names] = TTLCache(
            MAX_KNOWN_MEMBERS,
            ttl=NAMES_LIFE.total_seconds(),
            timer=timer,
            getsizeof=lambda names: min(len(names) + 1, MAX_KNOWN_MEMBERS),
        )

    async def find(
        self, connection: Connection, messages: Sequence[Message], members: Iterable[Member]
    ) -> list[Message]:
        """The messages in their order, each with its addressees; `members` are their authors."""
        names = await self._of_guilds(connection, {m.guild_id for m in messages})
        for member in members:
            if member.guild_id in names:
                names[member.guild_id].add(member)
        by = {(m.guild_id, m.message_id): m.user_id for m in messages}
        answers = {(m.guild_id, m.reply_to_id) for m in messages if m.reply_to_id is not None}
        if missing := answers - by.keys():
            by |= await table.authors(connection, missing)
        found = []
        for message in messages:
            answered = by.get((message.guild_id, message.reply_to_id)) if message.reply_to_id is not None else None
            known = names[message.guild_id]
            found.append(replace(message, addressees=known.addressees(message, answered)))
            known.wrote(message.channel_id, message.user_id, message.timestamp)
        return found

    async def of_edit(self, connection: Connection, guild_id: int, message_id: int, text: str) -> tuple[int, ...]:
        """Whom a stored message speaks to with its new text."""
        message = await table.find(connection, guild_id, message_id)
        if message is None:
            return ()
        (edited,) = await self.find(connection, [replace(message, text=text)], ())
        return edited.addressees

    async def _of_guilds(self, connection: Connection, guild_ids: set[int]) -> dict[int, Names]:
        found = {guild_id: names for guild_id in guild_ids if (names := self._names.get(guild_id)) is not None}
        if unknown := guild_ids - found.keys():
            for guild_id, members in (await people.members_in(connection, unknown)).items():
                found[guild_id] = self._names[guild_id] = Names(members)
        return found
