"""A reaction asks for a joke about a message, and gets one, once."""

from __future__ import annotations

from contextlib import suppress

from memory import MemoryManager
from memory.ai import charge
from memory.records import InboxKind, InboxWork
from urmom_bot.flow.answering import is_answered, was_answered
from urmom_bot.flow.asking import Asking
from urmom_bot.flow.inbox import Inbox
from urmom_bot.flow.platform import ChatMessage, Platform, Reaction, Refused, TryLater
from urmom_bot.talk import Jester, Texts


class JokeHandler:
    """Makes jokes of what people wrote, where they let it."""

    def __init__(self, platform: Platform, memory: MemoryManager, jester: Jester, inbox: Inbox, asking: Asking) -> None:
        self._platform = platform
        self._memory = memory
        self._jester = jester
        self._inbox = inbox
        self._asking = asking
        inbox.answer_with(InboxKind.JOKE, self._joke)

    async def accept(self, reaction: Reaction) -> None:
        """Take on a joke about a message, where the reaction asks for one."""
        if (entry := self._asking.joke(reaction, self._memory.clock())) is not None:
            await self._inbox.record(entry, None)

    async def _joke(self, work: InboxWork, _fresh: ChatMessage | None) -> None:
        """Make a joke of a message; of one that was asked for long ago, none."""
        entry = work.entry
        if self._inbox.is_late(entry):
            return
        message = await self._platform.message(entry.guild_id, entry.channel_id, entry.trigger_id)
        if message is None or not message.is_by_member or not await is_answered(self._memory, message):
            return
        if entry.attempts > 1 and await was_answered(self._platform, entry, message):
            return
        audience = self._platform.audience(message, await self._memory.guilds.base_role(entry.guild_id))
        readers = await self._memory.guilds.public(entry.guild_id, audience)
        charge(entry.guild_id, entry.user_id)
        joke = await self._jester.joke(readers, entry, message.author, message.transcript)
        if joke:
            await self._memory.inbox.check(entry)
            with suppress(TryLater, Refused):
                sent = await self._platform.answer(message, joke.text, Texts("en"), kind="joke")
                await self._memory.replies.record(entry, sent, joke.given, joke.making)
