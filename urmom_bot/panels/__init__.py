"""What is behind the buttons: pages of memory, privacy and moderation. Every press names all it needs."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping

from memory import MemoryManager
from urmom_bot.panels.administration import Moderation
from urmom_bot.panels.changes import Changes
from urmom_bot.panels.memories import Memories
from urmom_bot.panels.page import Form, Page
from urmom_bot.panels.privacy import Privacy
from urmom_bot.talk.requests import Request
from urmom_bot.talk.talker import Talker
from urmom_bot.talk.texts import Words

Press = Callable[[Request, tuple[str, ...], Mapping[str, str], Words], Awaitable[Page | Form]]


class Panels:
    """All panels, and who answers which press."""

    def __init__(self, memory: MemoryManager, talker: Talker, *, lives: Mapping[str, int]) -> None:
        self.changes = Changes(memory, talker)
        self.memories = Memories(memory, talker, reply_days=lives["replies"])
        self.privacy = Privacy(memory, lives=lives)
        self.moderation = Moderation(memory, talker)
        self._presses: dict[str, Press] = {
            **self.changes.presses,
            **self.memories.presses,
            **self.privacy.presses,
            **self.moderation.presses,
        }

    async def press(
        self, said: Request, action: str, args: tuple[str, ...], answers: Mapping[str, str], words: Words
    ) -> Page | Form:
        """Do what a button or a form asks for. Raises DatabaseUnavailable."""
        found = self._presses.get(action)
        if found is None:
            return Page(text=words("button_gone"))
        return await found(said, args, answers, words)


__all__ = ["Panels"]
