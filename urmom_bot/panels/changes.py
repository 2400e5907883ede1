"""Undo, receipts, and what waits for a confirmation."""

from __future__ import annotations

import json

from memory import MemoryManager
from urmom_bot.actions import action
from urmom_bot.markup import person
from urmom_bot.panels.page import Page, buttons, page_of
from urmom_bot.panels.pressing import Pressed
from urmom_bot.talk import presenting
from urmom_bot.talk.router import Router
from urmom_bot.views import undo_action


class Changes:
    """Takes changes back, shows what they removed, and keeps what was confirmed."""

    def __init__(self, memory: MemoryManager, router: Router) -> None:
        self._memory = memory
        self._router = router

    @action("undo", changes=True)
    async def _undo(self, pressed: Pressed) -> Page:
        if await self._memory.forgetting.undo(pressed.viewer, pressed.undo) is None:
            return Page(text=pressed.texts("undo_not"))
        for other in self._router.joined(pressed.undo):
            await self._memory.forgetting.undo(pressed.viewer, other)
        return Page(text=pressed.texts("undone", name=person(pressed.viewer.user_id)), replaces=True, settles=True)

    @action("receipt", denied="receipt_none")
    async def _receipt(self, pressed: Pressed) -> Page:
        receipt = await self._memory.facts.receipt(pressed.viewer, pressed.number(0))
        files = {"receipt.json": json.dumps(receipt.as_json(), indent=2)}
        undo = (undo_action(pressed.undo),) if len(pressed.args) > 1 else ()  # buttons of before have no key
        rows = (buttons(undo, pressed.texts),) if undo else ()
        return Page(text=presenting.receipt_line(receipt, pressed.texts), files=files, rows=rows)

    @action("keep", style="primary", changes=True)
    @action("keep_it", style="primary", changes=True)
    @action("keep_other", changes=True)
    @action("keep_server", changes=True)
    async def _keep(self, pressed: Pressed) -> Page:
        told = await self._router.keep(pressed.undo, pressed.request, pressed.texts, in_public=False)
        return Page(text=told.text, rows=(buttons(told.actions, pressed.texts),) if told.actions else ())

    @action("drop", changes=True)
    async def _drop(self, pressed: Pressed) -> Page:
        dropped = await self._memory.facts.discard_pending(pressed.viewer, pressed.undo)
        return Page(text=pressed.texts("dropped" if dropped else "keep_not"), replaces=dropped, settles=dropped)

    @action("reset", changes=True)
    async def _reset(self, pressed: Pressed) -> Page:
        return page_of(await self._router.reset(pressed.request, pressed.texts), pressed.texts)
