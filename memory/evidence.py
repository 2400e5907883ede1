"""Whether a message can show something about a person, whatever a model says it shows. Pure."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence

from memory.addressing import Addressing
from memory.marks import is_everyday
from memory.records import Member, Message


class Evidence:
    """The messages of one prompt, in its order, and whom each can show something about."""

    def __init__(self, messages: Sequence[Message], members: Mapping[int, Member]) -> None:
        self._messages = messages
        self._members = members
        speaks = Addressing(members.values())
        self._said_to = [address.user_id if (address := speaks.of(m, m.text)) else None for m in messages]
        self._by = {m.message_id: m.user_id for m in messages}

    def about(self, user_id: int, numbers: Iterable[int]) -> list[int]:
        """Of messages numbered from 1, the ids of those that are by a person, speak to them, or name them."""
        there = dict.fromkeys(n for n in numbers if 1 <= n <= len(self._messages))
        return [self._messages[n - 1].message_id for n in there if self._shows(n - 1, user_id)]

    def _shows(self, n: int, user_id: int) -> bool:
        message = self._messages[n]
        if user_id in (message.user_id, self._said_to[n]) or self._by.get(message.reply_to_id or 0) == user_id:
            return True
        if re.search(rf"<@!?{user_id}>", message.text):
            return True
        member, text = self._members.get(user_id), message.text.casefold()
        names = () if member is None else (name.casefold() for name in member.names if not is_everyday(name))
        return any(name in text and re.search(rf"(?<!\w){re.escape(name)}(?!\w)", text) for name in names)
