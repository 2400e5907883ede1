"""What is behind the buttons: pages of memory, privacy and administration. Every press names all it needs."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping

from memory import MemoryManager, NotAllowed
from memory.permissions import require
from urmom_bot.actions import ACTIONS, action, handlers
from urmom_bot.panels.administration import Administration
from urmom_bot.panels.changes import Changes
from urmom_bot.panels.memories import Memories
from urmom_bot.panels.page import Button, Field, Form, Option, Page
from urmom_bot.panels.page_links import PageLinks
from urmom_bot.panels.posts import Posts
from urmom_bot.panels.pressing import Pressed, member_args
from urmom_bot.panels.privacy import Privacy
from urmom_bot.panels.settings import ServerSettings
from urmom_bot.panels.topics import TopicPages
from urmom_bot.panels.tour import Tour
from urmom_bot.talk.requests import Request
from urmom_bot.talk.router import Router
from urmom_bot.talk.texts import Texts

Press = Callable[[Pressed], Awaitable[Page | Form]]


class Panels:
    """All panels. A press on any of them comes in here."""

    def __init__(self, memory: MemoryManager, router: Router, contact: str = "") -> None:
        viewing = router.viewing
        self.memories = Memories(memory, viewing, router.rememberer, router.forgetter)
        self.links = PageLinks(memory)
        self.privacy = Privacy(memory, viewing, self.links, contact)
        self.administration = Administration(memory, viewing)
        self.settings = ServerSettings(memory, viewing, self.links, names=router.bot_names)
        self.posts = Posts(memory, self.settings)
        self.topics = TopicPages(memory, viewing)
        self._router = router
        changes, tour = Changes(memory, router), Tour(self.memories)
        owners = (
            self,
            changes,
            tour,
            self.links,
            self.memories,
            self.privacy,
            self.administration,
            self.settings,
            self.posts,
            self.topics,
        )
        self._presses: dict[str, Press] = dict(handlers(*owners))

    @action("help_more")
    async def _help_more(self, pressed: Pressed) -> Page:
        return Page(text=self._router.help_more(pressed.texts))

    async def press(
        self, request: Request, name: str, args: tuple[str, ...], answers: Mapping[str, str], texts: Texts
    ) -> Page | Form:
        """Do what a button or a form asks for. Raises DatabaseUnavailable."""
        spec = ACTIONS.get(name)
        if spec is None:  # a button of an older version
            return Page(text=texts("button_gone"))
        try:
            require(spec.may is None or spec.may(request.viewer))
            page = await self._presses[name](Pressed(request=request, args=args, form_values=answers, texts=texts))
        except NotAllowed:
            if spec.denied is None:
                raise
            return Page(text=texts(spec.denied, number=next(iter(args), "")))
        if spec.changes and isinstance(page, Page):
            self._router.changed_elsewhere(request, page.undo, deletes=name == "strike")
        elif isinstance(page, Page) and page.listed:
            self._router.listed_elsewhere(request, page.listed)
        return page


__all__ = ["Button", "Field", "Form", "Option", "Page", "Panels", "member_args"]
