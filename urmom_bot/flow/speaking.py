"""In which language a member is answered."""

from __future__ import annotations

from cachetools import LRUCache

from memory import MemoryManager
from memory.ids import GuildId, MessageId, UserId
from urmom_bot.languages import DEFAULT
from urmom_bot.talk import Router, surely

LAST_TEXTS = 5
"""How many of a member's last messages tell their language."""

MAX_KNOWN = 10_000
"""Members whose language is kept in memory."""


class Languages:
    """The language of an answer: that of the message; where that does not tell, the speaker's, then the server's."""

    def __init__(self, memory: MemoryManager, router: Router) -> None:
        self._memory = memory
        self._router = router
        self._known: LRUCache[tuple[int, int], str] = LRUCache(MAX_KNOWN)

    async def find(self, guild_id: GuildId, user_id: UserId, message_id: MessageId, text: str) -> str:
        """In which language to answer a message. Raises DatabaseUnavailable."""
        member = guild_id, user_id
        usual = self._known.get(member)
        language = self._router.language(text, usual) or usual
        if language is None and guild_id:
            written = await self._memory.messages.last_texts(*member, message_id, limit=LAST_TEXTS)
            language = surely("\n".join(written))
        if language is not None:
            self._known[member] = language
            return language
        return (await self._memory.guilds.rules(guild_id)).language or DEFAULT if guild_id else DEFAULT
