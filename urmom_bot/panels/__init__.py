"""What is behind the buttons: pages of memory, privacy and administration. Every press names all it needs."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping

from memory import MemoryManager
from urmom_bot.panels.administration import Administration
from urmom_bot.panels.changes import Changes
from urmom_bot.panels.memories import Memories
from urmom_bot.panels.page import Button, Field, Form, Option, Page
from urmom_bot.panels.pressing import Pressed, member_args
from urmom_bot.panels.privacy import Privacy
from urmom_bot.panels.settings import ServerSettings
from urmom_bot.panels.topics import TopicPages
from urmom_bot.talk.requests import Request
from urmom_bot.talk.router import Router
from urmom_bot.talk.texts import Texts

Press = Callable[[Pressed], Awaitable[Page | Form]]


CHANGING = frozenset(
    (
        *("undo", "keep", "keep_it", "keep_other", "drop", "reset"),
        *("remember", "forget", "forget_number", "forget_key"),
        *("confirm", "corrected", "strike", "strike_day", "restore", "teach"),
        *("drop_line", "rename_topic", "merge_topic", "drop_topic"),
        *("consent", "consented", "erased"),
        *("rollback", "purge_member", "purge_channel"),
        *("set_teachers", "set_log", "set_base_role", "set_mode", "ignore"),
        *("set_memory", "set_guild_jokes", "set_general", "set_channel", "set_budget"),
    )
)
"""The presses and commands that change something: they go through the inbox."""


class Panels:
    """All panels, and which of them answers which press."""

    def __init__(self, memory: MemoryManager, router: Router) -> None:
        viewing = router.viewing
        self.memories = Memories(memory, viewing, router.rememberer, router.forgetter)
        self.privacy = Privacy(memory, viewing)
        self.administration = Administration(memory, viewing)
        self.settings = ServerSettings(memory, viewing, names=router.bot_names)
        self.topics = TopicPages(memory, viewing)
        self._presses: dict[str, Press] = {
            **Changes(memory, router).presses,
            **self.memories.presses,
            **self.privacy.presses,
            **self.administration.presses,
            **self.settings.presses,
            **self.topics.presses,
            "help_more": self._help_more,
        }
        self._router = router

    async def _help_more(self, pressed: Pressed) -> Page:
        return Page(text=self._router.help_more(pressed.texts))

    async def press(
        self, request: Request, action: str, args: tuple[str, ...], answers: Mapping[str, str], texts: Texts
    ) -> Page | Form:
        """Do what a button or a form asks for. Raises DatabaseUnavailable."""
        found = self._presses.get(action)
        if found is None:
            return Page(text=texts("button_gone"))
        return await found(Pressed(request=request, args=args, form_values=answers, texts=texts))


__all__ = ["CHANGING", "Button", "Field", "Form", "Option", "Page", "Panels", "member_args"]
