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

REREAD = timedelta(hours=1)
"""How long the names of a guild are known before they are read again: other processes learn names too."""


class Addressees:
    """Knows the names of each guild's members, and finds whom a message addresses by them."""

    def __init__(self, clock: Callable[[], datetime]) -> None:
        timer = lambda: clock().timestamp()  # noqa: E731
        self._names: TTLCache[int, Names] = TTLCache(200, ttl=REREAD.total_seconds(), timer=timer)

    async def of(self, connection: Connection, messages: Sequence[Message], members: Iterable[Member]) -> list[Message]:
        """The messages in their order, each with its addressees; `members` are their authors."""
        for member in members:
            (await self._of_guild(connection, member.guild_id)).add(member)
        by = {(m.guild_id, m.message_id): m.user_id for m in messages}
        missing: dict[int, set[int]] = {}
        for m in messages:
            if m.reply_to_id is not None and (m.guild_id, m.reply_to_id) not in by:
                missing.setdefault(m.guild_id, set()).add(m.reply_to_id)
        for guild_id, ids in missing.items():
            by |= {(guild_id, n): u for n, u in (await table.authors(connection, guild_id, ids)).items()}
        found = []
        for message in messages:
            names = await self._of_guild(connection, message.guild_id)
            answered = by.get((message.guild_id, message.reply_to_id)) if message.reply_to_id is not None else None
            found.append(replace(message, addressees=names.addressees(message, answered)))
            names.wrote(message.channel_id, message.user_id, message.timestamp)
        return found

    async def of_edit(self, connection: Connection, guild_id: int, message_id: int, text: str) -> tuple[int, ...]:
        """Whom a stored message speaks to with its new text."""
        message = await table.one(connection, guild_id, message_id)
        if message is None:
            return ()
        (edited,) = await self.of(connection, [replace(message, text=text)], ())
        return edited.addressees

    async def _of_guild(self, connection: Connection, guild_id: int) -> Names:
        names = self._names.get(guild_id)
        if names is None:
            names = self._names[guild_id] = Names((await people.members(connection, guild_id)).values())
        return names
