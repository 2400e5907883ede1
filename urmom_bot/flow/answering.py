"""What is addressed to the bot goes through the inbox, and is answered once."""

from __future__ import annotations

import logging
from collections.abc import Iterator, Sequence
from contextlib import AsyncExitStack, contextmanager, nullcontext, suppress
from dataclasses import replace
from datetime import datetime, timedelta

from cachetools import LRUCache

from memory import DatabaseUnavailable, Exchange, MemoryManager, Mode
from memory.ai import charge
from memory.ids import ChannelId, GuildId, MessageId, UserId
from memory.records import InboxItem, InboxKind, InboxWork, SessionBusy
from memory.rules.content_policy import BY_CODE
from urmom_bot import reference
from urmom_bot.flow.asking import Asking
from urmom_bot.flow.inbox import Inbox, Unfinished
from urmom_bot.flow.patience import until_done
from urmom_bot.flow.platform import ChatMessage, Platform, Refused, Rows, TryLater
from urmom_bot.flow.speaking import Languages
from urmom_bot.languages import languages
from urmom_bot.markup import Markup, joined, unpinned
from urmom_bot.panels.page import buttons
from urmom_bot.snowflakes import first_id
from urmom_bot.talk import Reply, Request, Router, Texts, guess_language

log = logging.getLogger(__name__)


Key = tuple[GuildId, MessageId, InboxKind, datetime]

MAX_SEARCHED_MESSAGES = 50
"""Messages after a question among which its answer is looked for."""

ONE_LINE = timedelta(hours=1)
"""For how long one line says to all who asked in a channel that the bot was away."""


class Responder:
    """Answers whoever speaks to the bot. Bots and webhooks are never answered."""

    def __init__(
        self,
        platform: Platform,
        memory: MemoryManager,
        router: Router,
        inbox: Inbox,
        asking: Asking,
        speaking: Languages,
    ) -> None:
        self._platform = platform
        self._memory = memory
        self._router = router
        self._inbox = inbox
        self._asking = asking
        self._languages = speaking
        self._direct: dict[ChannelId, MessageId] = {}
        self._told_busy: set[UserId] = set()
        self._told_away: dict[ChannelId, datetime] = {}
        self._unsent: LRUCache[Key, Reply] = LRUCache(1_000)
        self._sent: LRUCache[Key, bool] = LRUCache(5_000)
        inbox.answer_with(InboxKind.MESSAGE, self._answer)
        inbox.answer_with(InboxKind.EDIT, self._answer)

    # Direct messages

    async def on_away(self) -> None:
        """Learn which direct messages were taken on before the bot was away."""
        self._direct = await until_done(self._memory.inbox.direct)

    async def on_back(self) -> None:
        """Take on the direct messages that came while the bot was away, of whoever wrote to it lately."""
        for channel_id, last in self._direct.items():
            try:
                for message in await self._platform.direct(channel_id, last):
                    await self.take_direct(message)
            except (TryLater, Refused) as failed:
                log.info("a channel of direct messages could not be read (%s)", failed)

    async def take_direct(self, message: ChatMessage) -> None:
        """Take on a direct message; those of servers are recorded where they are stored."""
        if (entry := self._asking.entry(message)) is not None:
            await self._inbox.record(entry, message)

    # Telling what becomes of it

    async def tell_later(self, message: ChatMessage) -> None:
        """Tell somebody whose message cannot be taken on yet that it will be."""
        texts = Texts(guess_language(self._asking.text(message) or ""))
        with suppress(TryLater, Refused):
            away = DatabaseUnavailable("what was asked is taken on later")
            await self._platform.answer(message, trouble(away, texts), texts, kind="error")

    async def tell_gave_up(self, entry: InboxItem) -> None:
        """Tell the author of a message that it could not be answered: it ended the bot, again and again."""
        if entry.kind not in (InboxKind.MESSAGE, InboxKind.EDIT):
            return
        with suppress(TryLater, Refused):
            if (message := await self._fetched(entry)) is not None:
                texts = Texts(guess_language(self._asking.text_of(entry, message) or ""))
                sent = await self._platform.answer(message, texts("gave_up"), texts, kind="gave_up")
                await self._keep_off_record(entry, sent)

    async def _fetched(self, entry: InboxItem) -> ChatMessage | None:
        return await self._platform.message(entry.guild_id, entry.channel_id, entry.trigger_id)

    # Answering

    async def _answer(self, work: InboxWork, fresh: ChatMessage | None) -> None:
        """Do what a message asks and answer it, whatever was done of it before. Raises what is to be tried again.

        1. What this process sent is not sent again.
        2. A message that is gone, or says something else by now, is not answered, and its words go.
        3. Neither is one in a channel where the bot is off, or of a member whom it ignores.
        4. Who wants silence has it.
        5. What was taken on before may have been answered by a process that ended before it could note it.
        6. Then it is replied to.
        """
        entry = work.entry
        if (*entry.key, entry.at) in self._sent:
            return
        message = fresh if fresh is not None and fresh.is_channel_known else await self._fetched(entry)
        text = self._asking.text_of(entry, message) if message is not None else None
        if message is None or text is None or (entry.is_order and not self._router.is_order(text)):
            await self._drop_words(entry, text)
            return
        if not await is_answered(self._memory, message):
            return
        if self._router.ends_talk(text):
            self._asking.leave(message)
            return
        is_repeated = entry.attempts > 1 or work.is_executed
        try:
            if is_repeated and await was_answered(self._platform, entry, message):
                return
            language = await self._languages.find(entry.guild_id, entry.user_id, message.message_id, text)
            await self._reply(work, message, text, Texts(language))
        except Refused:
            log.warning("may not write in channel %d", entry.channel_id)

    async def _reply(self, work: InboxWork, message: ChatMessage, text: str, texts: Texts) -> None:
        """Reply to a message.

        1. An answer that was made and could not be sent is sent, where it still holds.
        2. Of an order that was carried out before the process ended, it is said that it is done.
        3. A question that waited too long is not answered any more; one line in its channel says why.
        4. Who asks too much at once is told so.
        5. Everything else is done and answered.
        """
        entry = work.entry
        if (unsent := await self._unsent_still(work)) is not None:
            await self._send(work, message, unsent, texts)
        elif work.is_executed:
            await self._notify(entry, message, texts("away_done"), texts)
        elif not entry.is_order and self._inbox.is_late(entry):
            await self._drop_words(entry, text)
            await self._tell_away(entry, message, texts)
        elif not entry.is_order and self._inbox.is_flood(entry):
            await self._tell_busy(entry, message, texts)
        else:
            await self._respond(work, message, text, texts)

    async def _unsent_still(self, work: InboxWork) -> Reply | None:
        """An answer that could not be sent, unless what it was given changed meanwhile, and it can be made anew."""
        entry = work.entry
        reply = self._unsent.get((*entry.key, entry.at))
        if reply is None or reply.making is None or work.is_executed:
            return reply
        if await self._memory.replies.is_valid(entry, reply.given, reply.making):
            return reply
        del self._unsent[*entry.key, entry.at]
        return None

    async def _respond(self, work: InboxWork, message: ChatMessage, text: str, texts: Texts) -> None:
        """Answer a message, as part of its session unless it is a command, and record the answer."""
        entry = work.entry
        charge(entry.guild_id, entry.user_id)
        making = self._memory.replies.begin(entry.guild_id)
        try:
            async with AsyncExitStack() as held:
                is_command = self._router.is_command(text)  # which is done before anybody could see the bot typing
                async with nullcontext() if is_command else self._platform.typing(message):
                    request = await self._platform.request(message, text, texts.language)
                    exchange = None if is_command else await self._exchange(held, request)
                    reply = await self._router.respond(request, exchange)
                if self._inbox.was_away(entry):
                    reply = replace(reply, text=_late(reply.text, texts))
                sent = await self._send(work, message, replace(reply, making=making), texts)
                if exchange is not None:
                    with self._logged(entry):
                        await self._router.finish(request, reply, exchange, sent)
        except SessionBusy as busy:
            if self._inbox.was_put_off(entry):  # it was promised an answer: its turn comes
                raise TryLater("its turn comes later") from busy
            await self._notify(entry, message, texts("busy"), texts, kind="busy")
        except (TryLater, Refused):
            raise
        except DatabaseUnavailable:
            if not work.is_executed:
                raise
            await self._notify(entry, message, texts("away_done"), texts)
        except Exception as failed:
            told = texts("away_done") if work.is_executed else trouble(failed, texts)
            await self._notify(entry, message, told, texts, kind="" if work.is_executed else "error")
            if entry.is_order and not work.is_executed:
                raise Unfinished(type(failed).__name__) from failed

    async def _exchange(self, held: AsyncExitStack, request: Request) -> Exchange:
        """The session of a request's channel, for this request alone. Raises SessionBusy."""
        acquired = self._memory.conversations.acquire(
            request.viewer, request.channel_id, request.message_id, request.text, request.at
        )
        return await held.enter_async_context(acquired)

    async def _send(self, work: InboxWork, message: ChatMessage, reply: Reply, texts: Texts) -> list[MessageId]:
        """Send an answer, keep the words of orders and of answers to them off the record, and record what it was given.

        Raises TryLater; the answer is kept, to be sent as it is.
        """
        entry = work.entry
        if not reply.text:  # silence is an answer
            return []
        rows = (buttons(reply.actions, texts),) if reply.actions else ()
        anew = f"e{int(entry.at.timestamp()) % 10_000}" if entry.kind is InboxKind.EDIT else ""
        try:
            sent = await self._say(entry, message, reply.text, texts, kind=anew, rows=rows)
        except (TryLater, DatabaseUnavailable):
            self._unsent[*entry.key, entry.at] = reply
            raise
        self._unsent.pop((*entry.key, entry.at), None)
        self._sent[*entry.key, entry.at] = True
        self._asking.answered(message)
        with self._logged(entry):
            if reply.off_record:
                await self._keep_off_record(entry, sent)
            await self._memory.replies.record(entry, sent, reply.given, reply.making)
        return sent

    @contextmanager
    def _logged(self, entry: InboxItem) -> Iterator[None]:
        """Log what goes wrong once an answer was sent: its reader sees no error."""
        try:
            yield
        except Exception:
            log.exception("guild %d: an answer was sent, and could not be recorded", entry.guild_id)

    async def _say(
        self, entry: InboxItem, message: ChatMessage, text: Markup, texts: Texts, *, kind: str = "", rows: Rows = ()
    ) -> list[MessageId]:
        """Send an answer, unless another process answers by now. Raises DatabaseUnavailable, TryLater, Refused."""
        await self._memory.inbox.check(entry)
        return await self._platform.answer(message, text, texts, kind=kind, rows=rows)

    async def _notify(
        self, entry: InboxItem, message: ChatMessage, text: Markup, texts: Texts, *, kind: str = ""
    ) -> None:
        """Send a notice of the bot's own, such as that it is busy: no model is to read it as talk."""
        await self._keep_off_record(entry, await self._say(entry, message, text, texts, kind=kind))

    async def _keep_off_record(self, entry: InboxItem, sent: Sequence[MessageId]) -> None:
        with self._logged(entry):
            for sent_id in sent:
                await self._memory.messages.keep_off_record(entry.guild_id, sent_id)

    async def _tell_busy(self, entry: InboxItem, message: ChatMessage, texts: Texts) -> None:
        """Tell who floods to go slower; said once, until all of theirs is answered."""
        self._told_busy = {user_id for user_id in self._told_busy if self._inbox.is_busy_with(user_id)}
        if entry.user_id not in self._told_busy:
            self._told_busy.add(entry.user_id)
            await self._notify(entry, message, texts("busy_member"), texts, kind="busy")

    async def _tell_away(self, entry: InboxItem, message: ChatMessage, texts: Texts) -> None:
        """Say that the bot was away, one line for all who asked in a channel."""
        now, last = self._memory.clock(), self._told_away.get(message.channel_id)
        if last is None or now - last > ONE_LINE:
            self._told_away[message.channel_id] = now
            try:
                await self._notify(entry, message, texts("away_missed"), texts)
            except Exception:  # it is tried again
                del self._told_away[message.channel_id]
                raise

    async def _drop_words(self, entry: InboxItem, text: str | None) -> None:
        """Keep a command that is not carried out any more out of every summary, words and all."""
        if entry.guild_id and (entry.is_order or (text is not None and self._router.is_command(text))):
            await self._memory.messages.keep_off_record(entry.guild_id, entry.trigger_id)


async def is_answered(memory: MemoryManager, message: ChatMessage) -> bool:
    """Whether the bot speaks in a channel, and to this member."""
    if message.is_direct:
        return True
    if await memory.guilds.mode(message.guild_id, message.channel_id) is Mode.OFF:
        return False
    return not (await memory.privacy.choice(message.guild_id, message.author.user_id)).is_ignored


async def was_answered(platform: Platform, entry: InboxItem, message: ChatMessage) -> bool:
    """Whether a message was answered by a process that could not note it: Discord's window for nonces is short."""
    after = first_id(entry.at) if entry.kind is InboxKind.EDIT else message.message_id
    found = await platform.answers(message, after, MAX_SEARCHED_MESSAGES)
    return any(not _puts_off(answer.text) for answer in found)


def trouble(failed: BaseException, texts: Texts) -> Markup:
    """A short honest answer to what went wrong, with the code that is in the lines of the log about it."""
    code = reference.code()
    if isinstance(failed, DatabaseUnavailable):
        log.error("told code %s: %s", code, failed)
        return texts("database_away", code=code)
    log.error("told code %s: %s", code, type(failed).__name__, exc_info=failed)
    return texts("error", code=code)


def _late(text: Markup, texts: Texts) -> Markup:
    """An answer that says that it comes late; what the bot did begins with its mark all the same."""
    is_marked = text.startswith(BY_CODE)
    told = texts("away_late", answer=unpinned(text) if is_marked else text)
    return joined((Markup(BY_CODE), told), " ") if is_marked else told


def _puts_off(text: str) -> bool:
    """Whether the bot said no more than that it would answer later."""
    return any(text.startswith(Texts(language)("database_away", code="").split("(")[0]) for language in languages())
