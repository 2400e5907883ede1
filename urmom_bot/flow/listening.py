"""Everything written where the bot may read goes to memory as it happens: written, edited, deleted."""

from __future__ import annotations

import logging
from collections.abc import Collection

from memory import AuthorKind, DatabaseUnavailable, MemoryManager
from memory.ids import AudienceId, GuildId, MessageId
from memory.records import InboxItem
from urmom_bot.flow.asking import Asking
from urmom_bot.flow.catching_up import CatchingUp
from urmom_bot.flow.inbox import Inbox
from urmom_bot.flow.layouts import Layouts
from urmom_bot.flow.platform import ChatMessage, Platform

log = logging.getLogger(__name__)


class Listener:
    """Takes what comes in. What it cannot take, because memory is full, is read again by catching up.

    What a message asks of the bot is recorded in the transaction that stores it.
    """

    def __init__(
        self,
        platform: Platform,
        memory: MemoryManager,
        layouts: Layouts,
        asking: Asking,
        recovery: CatchingUp,
        inbox: Inbox,
    ) -> None:
        self._platform = platform
        self._memory = memory
        self._layouts = layouts
        self._asking = asking
        self._recovery = recovery
        self._inbox = inbox

    async def accept(self, message: ChatMessage) -> None:
        """Take a message of a guild.

        1. A note of the platform's is no talk. Of a guild that is not there yet, what is missed is read once it is.
        2. What it asks is expected by the inbox, so that its author is told where it takes long.
        3. It is stored once who can read its channel is known, with what it asks; it moves the cursor of its channel
           only where nothing before it is missing.
        4. What could not be taken is read again later, and what it asks is recorded by itself.
        """
        guild = self._platform.guild(message.guild_id)
        if not message.is_talk or guild is None or not guild.is_available:
            return
        asked = self._expect(message)
        try:
            await self._layouts.know(message.guild_id, message.channel_id if message.in_thread else None)
        except DatabaseUnavailable as away:
            log.warning("a message is read again later: its channels are not known yet (%s)", away)
        else:
            asked = asked or self._expect(message)  # by a name of this guild's
            if await self._store(message, asked):
                return
        self._recovery.schedule_read(message)
        if asked is not None:
            await self._inbox.record(asked, message)

    def _expect(self, message: ChatMessage) -> InboxItem | None:
        if (asked := self._asking.entry(message)) is not None:
            self._inbox.expect(asked, message)
        return asked

    async def _store(self, message: ChatMessage, asked: InboxItem | None) -> bool:
        is_known = self._layouts.knows(message.guild_id, message.channel_id)
        audience = AudienceId(message.channel_id) if is_known else self._platform.audience(message, None)
        is_current = self._recovery.is_current(message.guild_id, message.channel_id)
        accepted = await self._memory.messages.ingest(
            message.stored(audience), message.author, asked=asked, advances_read_position=is_current
        )
        if accepted:
            self._recovery.on_accepted(message.channel_id, message.message_id, moved_cursor=is_current)
        return accepted

    async def edit(self, message: ChatMessage, before: ChatMessage | None) -> None:
        """Replace a text that was edited. `before` is what it was, where that is known.

        Where nobody edited it, what changed stands beside its words, such as a link's preview.
        """
        is_same = before is not None and before.text == message.text and before.edited_at == message.edited_at
        if message.edited_at is None or is_same:
            if message.author.author_kind is not AuthorKind.SELF and (
                before is None or before.transcript != message.transcript
            ):
                await self._memory.messages.extend(
                    message.guild_id,
                    message.message_id,
                    message.transcript,
                    message.edited_at,
                    files=message.kept_files,
                )
            return
        has_new_words = before is None or before.text != message.text
        asked = self._asking.edit(message) if has_new_words else None
        if asked is not None:
            self._inbox.expect(asked, message)
        await self._memory.messages.edit(
            message.guild_id,
            message.message_id,
            message.transcript,
            message.edited_at,
            asked=asked,
            channel_id=message.channel_id,
            files=message.kept_files,
        )

    async def delete(self, guild_id: GuildId, message_ids: Collection[MessageId]) -> None:
        """Remove messages."""
        await self._memory.messages.delete(guild_id, message_ids)
