"""To whom a line of talk speaks, as its first words tell: "ann: yes", "@ann, yes", "seb > yes". Pure."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable
from dataclasses import dataclass
from datetime import datetime, timedelta

from memory.marks import is_everyday
from memory.records import Member, Message

LATELY = timedelta(minutes=15)
"""How long ago somebody may have written in a channel whom a shortened name there still means."""

SHORTEST = 3
"""Letters of a shortened name at the least."""

_START = re.compile(r"@?([^\s:,;>][^:,;>\n]{0,39}?) ?[:,;>]+(?:\s+|$)")


@dataclass(frozen=True, kw_only=True)
class Address:
    """Whom a text speaks to, and where its words begin."""

    user_id: int
    end: int


class Addressing:
    """Finds whom lines speak to, among the people of one stretch of talk, read in its order."""

    def __init__(self, members: Iterable[Member]) -> None:
        self._names: dict[str, set[int]] = {}
        self._of: dict[int, list[str]] = {}
        for member in members:
            for name in map(str.casefold, member.names):
                if not is_everyday(name):
                    self._names.setdefault(name, set()).add(member.user_id)
                    self._of.setdefault(member.user_id, []).append(name)
        self._wrote: dict[int, dict[int, datetime]] = {}

    def of(self, message: Message, text: str) -> Address | None:
        """Whom `text`, the words of `message`, speaks to first; None where nobody is named. Messages come in order."""
        found = _START.match(text)
        whom = self._meant(found[1].strip().casefold(), message) if found else None
        self._wrote.setdefault(message.channel_id, {})[message.user_id] = message.timestamp
        return Address(user_id=whom, end=found.end()) if found and whom is not None else None

    def _meant(self, name: str, message: Message) -> int | None:
        exact = self._names.get(name, set())
        if exact:
            return _only(exact - {message.user_id})
        if len(name) < SHORTEST or " " in name or is_everyday(name):
            return None
        lately = [
            user_id
            for user_id, at in self._wrote.get(message.channel_id, {}).items()
            if user_id != message.user_id and message.timestamp - at <= LATELY
        ]
        return _only({u for u in lately if any(known.startswith(name) for known in self._of.get(u, ()))})


def _only(found: Collection[int]) -> int | None:
    return next(iter(found)) if len(found) == 1 else None


def in_channels(messages: Iterable[Message]) -> list[Message]:
    """Messages channel by channel, each in its order; the channels as they first come."""
    rooms: dict[int, list[Message]] = {}
    for message in messages:
        rooms.setdefault(message.channel_id, []).append(message)
    return [message for room in rooms.values() for message in room]
