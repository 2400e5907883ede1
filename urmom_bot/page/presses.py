"""Presses on a page: the same actions as on a panel, by the same dispatcher, and each done once."""

from __future__ import annotations

import asyncio
import re
import secrets
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime

from memory import Member, MemoryManager, Viewer
from memory.ids import NO_CHANNEL, MessageId
from memory.records import InboxItem, InboxKind
from urmom_bot.actions import ACTIONS, GONE
from urmom_bot.flow import Flow
from urmom_bot.flow.answering import trouble
from urmom_bot.flow.pressing import BAD_PRESS
from urmom_bot.panels import Form, Page, Panels
from urmom_bot.snowflakes import first_id
from urmom_bot.talk import Request, Texts

PRESSED_HERE = frozenset(
    [
        *("confirm", "correct", "corrected", "strike", "strike_day", "strike_week", "strike_month"),
        *("restore", "undo", "receipt"),
        *("keep", "keep_it", "keep_other", "drop", "drop_line"),
        *("consent", "consent_ask", "consent_word", "consented", "erase", "erased"),
        *("set_memory", "set_guild_jokes", "set_bare_names", "set_captions", "set_read_ahead"),
        *("settings_general", "set_general", "settings_character", "set_character", "settings_channel", "set_channel"),
        *("settings_budget", "set_budget", "settings_posts", "set_posts", "recap_preview", "rollback"),
    ]
)
"""The actions that a page takes. What comes from a browser may be forged: none of them trusts a name in its arguments.
"""

MAX_ARGUMENTS = 6
"""Arguments of a press, at the most."""

_ARGUMENT = re.compile(r"[!-~]{0,100}")
"""What an argument of a button can be: Discord's ids and the bot's own words."""

PATIENCE = 30.0
"""Seconds that a press waits for what comes of it; it is carried out all the same."""


@dataclass(frozen=True, kw_only=True)
class Presser:
    """Who presses: with their rights of this moment."""

    viewer: Viewer
    member: Member
    texts: Texts


class PagePresses:
    """The page as a face: presses come in here, and what comes of them goes back to the page that waits."""

    def __init__(self, memory: MemoryManager, panels: Panels, flow: Flow) -> None:
        self._memory = memory
        self._panels = panels
        self._flow = flow
        flow.presses.take_from(InboxKind.PAGE, self)

    async def press(self, who: Presser, name: str, args: tuple[str, ...], answers: Mapping[str, str]) -> Page | Form:
        """Do what a button or a form asks for; what changes something, once, whatever happens to this process."""
        if name not in PRESSED_HERE or not all(_ARGUMENT.fullmatch(arg) for arg in args[: MAX_ARGUMENTS + 1]):
            return Page(text=who.texts("button_gone"))
        if len(args) > MAX_ARGUMENTS or not await self._is_here(who, answers):
            return Page(text=who.texts("button_gone"))
        if not ACTIONS.get(name, GONE).changes:
            request = _request(who, _new_id(self._memory.clock()), self._memory.clock())
            try:
                return await self._panels.press(request, name, args, answers, who.texts)
            except BAD_PRESS:
                return Page(text=who.texts("button_gone"))
            except Exception as failed:
                return Page(text=trouble(failed, who.texts))
        shown: asyncio.Future[Page | Form] = asyncio.get_running_loop().create_future()
        now = self._memory.clock()
        entry = InboxItem(
            guild_id=who.viewer.guild_id,
            trigger_id=_new_id(now),
            kind=InboxKind.PAGE,
            channel_id=NO_CHANNEL,
            user_id=who.viewer.user_id,
            at=now,
            payload={
                "action": name,
                "args": list(args),
                "answers": dict(answers),
                "language": who.texts.language,
            },
        )
        await self._flow.inbox.record(entry, shown)
        try:
            return await asyncio.wait_for(asyncio.shield(shown), PATIENCE)
        except TimeoutError:
            return Page(text=who.texts("page_takes_long"))

    async def _is_here(self, who: Presser, answers: Mapping[str, str]) -> bool:
        """Whether the channel that a form was filled in with, if any, is one of the server's that they can read."""
        if "channel" not in answers:
            return True
        channels = await self._memory.guilds.channels(who.viewer.guild_id)
        chosen = next((c for n, c in channels.items() if str(n) == answers["channel"]), None)
        return chosen is not None and chosen.audience in who.viewer.readable_audiences

    async def presser(self, entry: InboxItem, _press: object | None, *, is_alone: bool) -> Request | None:
        """Who pressed, with the rights that they have now; None where they are gone. They are alone with the page."""
        visitor = await self._flow.platform.visitor(entry.guild_id, entry.user_id)
        if visitor is None:
            return None
        texts = Texts((entry.payload or {})["language"])
        who = Presser(viewer=visitor.viewer, member=visitor.member, texts=texts)
        return _request(who, entry.trigger_id, entry.at)

    async def show(self, _entry: InboxItem, press: object | None, shown: Page | Form) -> list[MessageId]:
        """Give what came of a press to the page that waits for it; a page that is gone shows it when it is opened."""
        if isinstance(press, asyncio.Future) and not press.done():
            press.set_result(shown)
        return []


def _request(who: Presser, press_id: MessageId, at: datetime) -> Request:
    return Request(
        viewer=who.viewer,
        speaker=who.member,
        channel_id=NO_CHANNEL,
        message_id=press_id,
        text="",
        at=at,
        language=who.texts.language,
    )


def _new_id(now: datetime) -> MessageId:
    """An id for a press, among those that Discord gives at the same time."""
    return MessageId(first_id(now) | secrets.randbits(22))
