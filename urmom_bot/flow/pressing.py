"""What presses and commands change is done once, whatever face they come from, and said wherever it still can be."""

from __future__ import annotations

import logging
from contextlib import suppress
from functools import partial
from typing import Protocol

from cachetools import LRUCache

from memory import DatabaseUnavailable, MemoryManager
from memory.ai import charge
from memory.ids import MessageId
from memory.records import InboxItem, InboxKind, InboxWork
from urmom_bot.actions import ACTIONS, GONE
from urmom_bot.flow.answering import trouble
from urmom_bot.flow.inbox import Inbox
from urmom_bot.flow.layouts import Layouts
from urmom_bot.flow.platform import Platform, Refused, TryLater
from urmom_bot.markup import line, person, within
from urmom_bot.panels import Form, Page, Panels
from urmom_bot.talk import Request, Texts

log = logging.getLogger(__name__)

LAYOUT_ACTIONS = frozenset(["set_base_role", "set_general", "set_bare_names", "undo"])
"""Actions that can change which role counts as everyone, or what the bot answers to."""


BAD_PRESS = (ValueError, IndexError, KeyError)
"""What a press raises whose arguments or answers are not those of its button: a browser may send anything."""


class Face(Protocol):
    """Where people press: it knows who they are now, and shows them what came of it."""

    async def presser(self, entry: InboxItem, press: object | None, /, *, is_alone: bool) -> Request | None:
        """Who pressed, with the rights that they have now; None where they are gone."""
        ...

    async def show(self, entry: InboxItem, press: object | None, shown: Page | Form, /) -> list[MessageId]:
        """Answer a press; the ids of what was sent. Raises TryLater and Refused."""
        ...


class PressHandler:
    """Does what presses and commands change, once."""

    def __init__(
        self, platform: Platform, memory: MemoryManager, panels: Panels, inbox: Inbox, layouts: Layouts
    ) -> None:
        self._platform = platform
        self._memory = memory
        self._panels = panels
        self._layouts = layouts
        self._told: LRUCache[int, bool] = LRUCache(1_000)
        self._inbox = inbox
        self.take_from(InboxKind.INTERACTION, platform)

    def take_from(self, kind: InboxKind, face: Face) -> None:
        """Do what people press on `face`, whose presses are of `kind`."""
        self._inbox.answer_with(kind, partial(self._press, face))

    async def _press(self, face: Face, work: InboxWork, press: object | None) -> None:
        """Do what an entry asks. `press` is the face's own, or None where another process took it.

        1. What this process has told is not done again.
        2. What was carried out by a process that ended is said to be done.
        3. Who asked and is gone is told nothing.
        4. Then it is done, with the rights that they have now.
        """
        entry, payload = work.entry, work.entry.payload or {}
        if entry.trigger_id in self._told:
            return
        texts = Texts(payload["language"])
        if work.is_executed:
            await self._tell(face, work, press, Page(text=texts("away_done")), texts)
            return
        is_alone = not ACTIONS.get(payload["action"], GONE).is_public
        request = await face.presser(entry, press, is_alone=is_alone)
        if request is None:
            return
        shown = await self._done(work, request, texts)
        await self._tell(face, work, press, shown, texts)
        if payload["action"] in LAYOUT_ACTIONS and not request.is_direct:
            await self._layouts.on_rules(entry.guild_id)
        await self.log(request, shown)

    async def _done(self, work: InboxWork, request: Request, texts: Texts) -> Page | Form:
        payload = work.entry.payload or {}
        charge(work.entry.guild_id, work.entry.user_id)
        try:
            args = tuple(payload["args"])
            return await self._panels.press(request, payload["action"], args, payload["answers"], texts)
        except DatabaseUnavailable:
            if not work.is_executed:
                raise
            return Page(text=texts("away_done"))
        except Exception as failed:
            if work.is_executed:
                return Page(text=texts("away_done"))
            is_forged = work.entry.kind is InboxKind.PAGE and isinstance(failed, BAD_PRESS)
            return Page(text=texts("button_gone") if is_forged else trouble(failed, texts))

    async def _tell(self, face: Face, work: InboxWork, press: object | None, shown: Page | Form, texts: Texts) -> None:
        """Show what came of it; where the press can be answered no more, say in its channel whether it is done.

        It may have been for its author alone: what it was is not said there.
        """
        entry, sent = work.entry, list[MessageId]()
        try:
            sent = await face.show(entry, press, shown)
        except (TryLater, Refused) as failed:
            log.info("an interaction can be answered no more (%s)", failed)
            text = texts("away_done_for" if work.is_executed else "away_tried_for", name=person(entry.user_id))
            with suppress(TryLater, Refused):
                sent = await self._platform.say(entry.channel_id, text, nonce=f"{entry.trigger_id}done")
        self._told[entry.trigger_id] = True
        if isinstance(shown, Page) and shown.is_public and entry.guild_id:
            for sent_id in sent:
                await self._memory.messages.keep_off_record(entry.guild_id, sent_id)

    async def log(self, request: Request, shown: Page | Form) -> None:
        """Tell a guild's log channel, where it has one, what somebody who manages it did."""
        if not isinstance(shown, Page) or shown.log is None or request.is_direct:
            return
        channel_id = (await self._memory.guilds.rules(request.guild_id)).log_channel
        channel = self._platform.channel(channel_id) if channel_id else None
        if channel_id and channel is not None and channel.guild_id == request.guild_id:
            told = line("{}: {}", person(request.viewer.user_id), shown.log)
            with suppress(TryLater, Refused):
                await self._platform.say(channel_id, within(told, 2_000), nonce=f"{request.message_id}log")
