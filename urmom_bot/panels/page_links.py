"""The link to somebody's own page in a browser."""

from __future__ import annotations

from urllib.parse import urlsplit

from memory import MemoryManager
from urmom_bot.actions import action
from urmom_bot.markup import joined, link
from urmom_bot.panels.page import Page
from urmom_bot.panels.pressing import Pressed


class PageLinks:
    """Gives out links, each for the asker alone."""

    def __init__(self, memory: MemoryManager) -> None:
        self._memory = memory
        self.address = ""
        """Where pages are reached, while they are served; else empty."""

    @property
    def is_local(self) -> bool:
        """Whether pages are reached on the computer alone that serves them."""
        return urlsplit(self.address).scheme != "https"

    @action("page")
    async def _page(self, pressed: Pressed) -> Page:
        texts = pressed.texts
        if not self.address:
            return Page(text=texts("page_off"))
        if pressed.request.is_direct:
            return Page(text=texts("page_ask_there"))
        token = await self._memory.access.make_link(pressed.viewer, texts.language)
        shown = texts("page_link", link=link(texts("page_link_words"), f"{self.address}/open/{token}"))
        return Page(text=joined((shown, texts("page_local"))) if self.is_local else shown)
