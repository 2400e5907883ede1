"""A conversation with the bot: what is addressed to it goes through the inbox, and is answered once."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Iterator, Sequence
from contextlib import AsyncExitStack, contextmanager, nullcontext, suppress
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from functools import partial
from typing import Any

import aiohttp
import discord
from cachetools import LRUCache
from discord.ext import commands
from discord.utils import time_snowflake

from memory import DatabaseUnavailable, Exchange, Member, MemoryManager, Mode
from memory.ai import charge
from memory.records import InboxItem, InboxKind, InboxWork, SessionBusy
from memory.rules.content_policy import BY_CODE
from urmom_bot.cogs.asking import Asking
from urmom_bot.cogs.interactions import view_of
from urmom_bot.cogs.patience import until_done
from urmom_bot.cogs.speech import NOBODY, answer, respond, trouble, typing
from urmom_bot.cogs.translate import audience_in, author_kind, check_there, member_of, text_of, viewer_at
from urmom_bot.inbox import Inbox, Undelivered, Unfinished
from urmom_bot.languages import languages
from urmom_bot.markup import Markup, joined, unpinned
from urmom_bot.pace import Pace
from urmom_bot.panels.page import buttons
from urmom_bot.talk import Jester, Quoted, Reply, Request, Router, Texts, guess_language, language_of

log = logging.getLogger(__name__)


Key = tuple[int, int, InboxKind, datetime]

MAX_SEARCHED_MESSAGES = 50
"""Messages after a question among which its answer is looked for."""

MISSED_DIRECT = 50
"""Direct messages of one person that are taken on after an absence, at the most."""

ONE_LINE = timedelta(hours=1)
"""For how long one line says to all who asked in a channel that the bot was away."""


class ConversationCog(commands.Cog):
    """Answers whoever speaks to the bot. Bots and webhooks are never answered."""

    def __init__(
        self,
        bot: commands.AutoShardedBot,
        memory: MemoryManager,
        router: Router,
        jester: Jester,
        inbox: Inbox,
        asking: Asking,
        pace: Pace,
    ) -> None:
        self._bot = bot
        self._memory = memory
        self._router = router
        self._jester = jester
        self._inbox = inbox
        self._asking = asking
        self._pace = pace
        self._direct: dict[int, int] = {}
        self._told_busy: set[int] = set()
        self._told_away: dict[int, datetime] = {}
        self._unsent: LRUCache[Key, Reply] = LRUCache(1_000)
        self._sent: LRUCache[Key, bool] = LRUCache(5_000)
        inbox.answer_with(InboxKind.MESSAGE, self._answer)
        inbox.answer_with(InboxKind.EDIT, self._answer)
        inbox.answer_with(InboxKind.JOKE, self._joke)

    async def cog_load(self) -> None:
        """Learn which direct messages were taken on before the bot was away."""
        self._direct = await until_done(self._memory.inbox.direct)

    @commands.Cog.listener()
    async def on_shard_disconnect(self, shard_id: int) -> None:
        """Learn which direct messages were taken on until the connection was lost."""
        if shard_id == 0:  # Discord sends them to the first shard
            self._direct = await until_done(self._memory.inbox.direct)

    @commands.Cog.listener()
    async def on_shard_ready(self, shard_id: int) -> None:
        """Take on the direct messages that came while the bot was away, of whoever wrote to it lately."""
        if shard_id != 0:
            return
        for channel_id, last in self._direct.items():
            try:
                async with self._pace.within_limit():
                    channel = await self._bot.fetch_channel(channel_id)
                if isinstance(channel, discord.DMChannel):
                    async with self._pace.within_limit():
                        found = [m async for m in channel.history(after=discord.Object(last), limit=MISSED_DIRECT)]
                    for message in found:
                        await self.take_direct(message)
            except (discord.HTTPException, discord.InvalidData, aiohttp.ClientError, OSError, TimeoutError) as failed:
                log.info("a channel of direct messages could not be read (%s)", type(failed).__name__)

    async def take_direct(self, message: discord.Message) -> None:
        """Take on a direct message; those of servers are recorded where they are stored."""
        if (entry := self._asking.entry(message)) is not None:
            await self._inbox.record(entry, message)

    async def tell_later(self, asked: discord.Message | discord.Interaction[Any]) -> None:
        """Tell somebody whose message or command cannot be taken on yet that it will be."""
        away = DatabaseUnavailable("what was asked is taken on later")
        with suppress(discord.HTTPException, aiohttp.ClientError, OSError, TimeoutError):
            if isinstance(asked, discord.Interaction):
                await respond(asked, trouble(away, Texts(language_of(str(asked.locale)))), ephemeral=True)
                return
            texts = Texts(guess_language(self._asking.text(asked) or ""))
            await answer(asked, trouble(away, texts), texts, kind="error")

    async def tell_gave_up(self, entry: InboxItem) -> None:
        """Tell the author of a message that it could not be answered: it ended the bot, again and again."""
        if entry.kind not in (InboxKind.MESSAGE, InboxKind.EDIT):
            return
        with suppress(Undelivered, discord.HTTPException, aiohttp.ClientError, OSError, TimeoutError):
            if (message := await self._fetched(entry)) is not None:
                texts = Texts(guess_language(self._asking.text_of(entry, message) or ""))
                await answer(message, texts("gave_up"), texts, kind="gave_up")

    async def _answer(self, work: InboxWork, fresh: discord.Message | None) -> None:
        """Do what a message asks and answer it, whatever was done of it before. Raises what is to be tried again."""
        entry = work.entry
        if (*entry.key, entry.at) in self._sent:
            return
        # One that came while its channel was not known yet tells nothing of who may do what there.
        if fresh is not None and fresh.guild is not None and isinstance(fresh.channel, discord.PartialMessageable):
            fresh = None
        message = fresh or await self._fetched(entry)
        text = self._asking.text_of(entry, message) if message is not None else None
        if message is None or text is None or (entry.is_order and not self._router.is_order(text)):
            await self._let_words_go(entry, text)  # it is gone, or says something else by now
            return
        if message.guild is not None and not await self._answers(message):
            return
        usual = (await self._memory.guilds.rules(entry.guild_id)).language if entry.guild_id else None
        texts = Texts(guess_language(text, usual))
        try:
            if (entry.attempts > 1 or work.is_executed) and await self._was_answered(message, entry):
                return
            if (reply := await self._unsent_still(work)) is not None:
                await self._send(work, message, reply, texts)
            elif work.is_executed:
                await self._say(entry, message, texts("away_done"), texts)
            elif not entry.is_order and self._inbox.is_late(entry):
                await self._let_words_go(entry, text)
                await self._tell_away(entry, message, texts)
            elif not entry.is_order and self._inbox.is_flood(entry):
                await self._tell_busy(entry, message, texts)
            else:
                await self._respond(work, message, text, texts)
        except (discord.Forbidden, discord.NotFound):
            log.warning("may not write in channel %d", entry.channel_id)

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

    async def _respond(self, work: InboxWork, message: discord.Message, text: str, texts: Texts) -> None:
        """Answer a message, as part of its session unless it is a command, and record the answer."""
        entry = work.entry
        charge(entry.guild_id, entry.user_id)
        making = self._memory.replies.begin(entry.guild_id)
        try:
            async with AsyncExitStack() as held:
                is_command = self._router.is_command(text)  # which is done before anybody could see the bot typing
                async with nullcontext() if is_command else typing(message.channel):
                    request = await self._request(message, text, texts.language)
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
                raise Undelivered("its turn comes later") from busy
            await self._say(entry, message, texts("busy"), texts, kind="busy")
        except (Undelivered, discord.Forbidden, discord.NotFound):
            raise
        except DatabaseUnavailable:
            if not work.is_executed:
                raise
            await self._say(entry, message, texts("away_done"), texts)
        except Exception as failed:
            told = texts("away_done") if work.is_executed else trouble(failed, texts)
            await self._say(entry, message, told, texts, kind="" if work.is_executed else "error")
            if entry.is_order and not work.is_executed:
                raise Unfinished(type(failed).__name__) from failed

    async def _send(self, work: InboxWork, message: discord.Message, reply: Reply, texts: Texts) -> list[int]:
        """Send an answer, keep the words of orders and of answers to them off the record, and record what it was given.

        Raises Undelivered; the answer is kept, to be sent as it is.
        """
        entry = work.entry
        view = view_of((buttons(reply.actions, texts),)) if reply.actions else None
        anew = f"e{int(entry.at.timestamp()) % 10_000}" if entry.kind is InboxKind.EDIT else ""
        try:
            sent = await self._say(entry, message, reply.text, texts, kind=anew, view=view)
        except (Undelivered, DatabaseUnavailable):
            self._unsent[*entry.key, entry.at] = reply
            raise
        self._unsent.pop((*entry.key, entry.at), None)
        self._sent[*entry.key, entry.at] = True
        self._asking.answered(message)
        with self._logged(entry):
            for sent_id in sent if reply.off_record else ():
                await self._memory.messages.keep_off_record(entry.guild_id, sent_id)
            await self._memory.replies.record(entry, sent, reply.given, reply.making)
        return sent

    @contextmanager
    def _logged(self, entry: InboxItem) -> Iterator[None]:
        """Log what goes wrong once an answer was sent: nobody is told that it failed."""
        try:
            yield
        except Exception:
            log.exception("guild %d: an answer was sent, and could not be recorded", entry.guild_id)

    async def _say(
        self,
        entry: InboxItem,
        message: discord.Message,
        text: Markup,
        texts: Texts,
        *,
        kind: str = "",
        view: discord.ui.View | None = None,
    ) -> list[int]:
        """Send an answer, unless another process answers by now; discord.py tries it again a few times.

        Raises DatabaseUnavailable, Undelivered, Forbidden and NotFound.
        """
        await self._memory.inbox.check(entry)
        try:
            return await answer(message, text, texts, kind=kind, view=view)
        except (discord.Forbidden, discord.NotFound):
            raise
        except (discord.HTTPException, aiohttp.ClientError, OSError, TimeoutError) as failed:
            if isinstance(failed, discord.HTTPException) and failed.status < 500 and failed.status != 429:
                raise
            raise Undelivered(type(failed).__name__) from failed

    async def _tell_busy(self, entry: InboxItem, message: discord.Message, texts: Texts) -> None:
        """Tell who floods to go slower; said once, until all of theirs is answered."""
        self._told_busy = {user_id for user_id in self._told_busy if self._inbox.is_busy_with(user_id)}
        if message.author.id not in self._told_busy:
            self._told_busy.add(message.author.id)
            await self._say(entry, message, texts("busy_member"), texts, kind="busy")

    async def _tell_away(self, entry: InboxItem, message: discord.Message, texts: Texts) -> None:
        """Say that the bot was away, one line for all who asked in a channel."""
        now, last = self._memory.clock(), self._told_away.get(message.channel.id)
        if last is None or now - last > ONE_LINE:
            self._told_away[message.channel.id] = now
            try:
                await self._say(entry, message, texts("away_missed"), texts)
            except Exception:  # it is tried again
                del self._told_away[message.channel.id]
                raise

    async def _let_words_go(self, entry: InboxItem, text: str | None) -> None:
        """Keep a command that is not carried out any more out of every summary, words and all."""
        if entry.guild_id and (entry.is_order or (text is not None and self._router.is_command(text))):
            await self._memory.messages.keep_off_record(entry.guild_id, entry.trigger_id)

    async def _was_answered(self, message: discord.Message, entry: InboxItem) -> bool:
        """Whether a message was answered by a process that could not note it: Discord's window for nonces is short."""
        after = message if entry.kind is not InboxKind.EDIT else discord.Object(time_snowflake(entry.at))
        try:
            async for later in message.channel.history(after=after, limit=MAX_SEARCHED_MESSAGES, oldest_first=True):
                reference = later.reference
                mine = self._bot.user is not None and later.author.id == self._bot.user.id
                answers = reference is not None and reference.message_id == message.id
                if mine and answers and not _puts_off(later.content):
                    return True
        except discord.Forbidden:
            return False
        except (discord.HTTPException, aiohttp.ClientError, OSError, TimeoutError) as failed:
            raise Undelivered(type(failed).__name__) from failed
        return False

    async def _fetched(self, entry: InboxItem) -> discord.Message | None:
        """The message of an entry as it is now; None where it is gone. Raises Undelivered."""
        check_there(self._bot, entry)
        try:
            channel = self._bot.get_channel(entry.channel_id) or await self._bot.fetch_channel(entry.channel_id)
            if not isinstance(channel, discord.abc.Messageable):
                return None
            return await channel.fetch_message(entry.trigger_id)
        except (discord.NotFound, discord.Forbidden, discord.InvalidData):
            return None
        except (discord.HTTPException, aiohttp.ClientError, OSError, TimeoutError) as failed:
            raise Undelivered(type(failed).__name__) from failed

    async def _exchange(self, held: AsyncExitStack, request: Request) -> Exchange:
        """The session of a request's channel, for this request alone. Raises SessionBusy."""
        acquired = self._memory.conversations.acquire(
            request.viewer, request.channel_id, request.message_id, request.text, request.at
        )
        return await held.enter_async_context(acquired)

    async def _answers(self, message: discord.Message) -> bool:
        """Whether the bot speaks in a channel, and to this member."""
        assert message.guild is not None
        if await self._memory.guilds.mode(message.guild.id, message.channel.id) is Mode.OFF:
            return False
        return not (await self._memory.privacy.choice(message.guild.id, message.author.id)).is_ignored

    async def _replied(self, message: discord.Message) -> discord.Message | None:
        reference = message.reference
        if reference is None or reference.message_id is None:
            return None
        if reference.type is discord.MessageReferenceType.forward:
            return None
        if isinstance(reference.resolved, discord.Message):
            return reference.resolved
        if reference.cached_message is not None:
            return reference.cached_message
        try:
            return await message.channel.fetch_message(reference.message_id)
        except (discord.NotFound, discord.Forbidden):
            return None
        except (discord.HTTPException, aiohttp.ClientError, OSError, TimeoutError) as failed:
            raise Undelivered(type(failed).__name__) from failed  # "this" would mean something else without it

    async def _request(self, message: discord.Message, text: str, language: str) -> Request:
        assert self._bot.user is not None
        guild_id = message.guild.id if message.guild else 0
        replied = await self._replied(message)
        author = await self._member(message)
        permissions = (
            message.channel.permissions_for(author)
            if isinstance(author, discord.Member)
            and isinstance(message.channel, discord.abc.GuildChannel | discord.Thread)
            else discord.Permissions.none()
        )
        quoted = None
        if replied is not None and replied.author.id != self._bot.user.id:
            by = member_of(replied.author, guild_id, author_kind(replied, self._bot.user.id))
            quoted = Quoted(message_id=replied.id, author=by, text=text_of(replied))
        viewer = await viewer_at(
            self._memory,
            author.id,
            message.guild.id if message.guild else None,
            message.channel,
            message.channel.id,
            permissions,
            member=author,
        )
        return Request(
            viewer=viewer,
            speaker=member_of(author, guild_id),
            channel_id=message.channel.id,
            message_id=message.id,
            text=text,
            at=message.created_at.astimezone(UTC),
            mentioned=tuple(member_of(u, guild_id) for u in message.mentions if u.id != self._bot.user.id),
            quoted=quoted,
            replies_to_bot=replied is not None and quoted is None,
            replied_id=replied.id if replied is not None else None,
            language=language,
            find=partial(_members, message.guild) if message.guild else None,
        )

    async def _member(self, message: discord.Message) -> discord.abc.User:
        """The author with their rights: a message read from the history comes without them. Raises Undelivered."""
        if message.guild is None or isinstance(message.author, discord.Member):
            return message.author
        try:
            return await message.guild.fetch_member(message.author.id)
        except (discord.NotFound, discord.Forbidden):
            return message.author
        except (discord.HTTPException, aiohttp.ClientError, OSError, TimeoutError) as failed:
            raise Undelivered(type(failed).__name__) from failed  # without rights, a moderator would be refused

    # Jokes

    @commands.Cog.listener()
    async def on_raw_reaction_add(self, payload: discord.RawReactionActionEvent) -> None:
        """Take on a joke about a message, where the reaction asks for one."""
        if (entry := self._asking.joke(payload, self._memory.clock())) is not None:
            await self._inbox.record(entry, None)

    async def _joke(self, work: InboxWork, _fresh: discord.Message | None) -> None:
        """Make a joke of a message; of one that was asked for long ago, none."""
        entry = work.entry
        message = None if self._inbox.is_late(entry) else await self._fetched(entry)
        if message is None or message.author.bot or message.webhook_id is not None or not await self._answers(message):
            return
        if entry.attempts > 1 and await self._was_answered(message, entry):
            return
        audience = audience_in(message.channel, entry.channel_id, await self._memory.guilds.base_role(entry.guild_id))
        readers = await self._memory.guilds.public(entry.guild_id, audience)
        author = member_of(message.author, entry.guild_id)
        charge(entry.guild_id, entry.user_id)
        joke = await self._jester.joke(readers, entry, author, text_of(message))
        if joke:
            await self._memory.inbox.check(entry)
            with suppress(discord.HTTPException):
                nonce = f"{entry.trigger_id}joke"
                sent = await message.reply(
                    joke.text, allowed_mentions=NOBODY, mention_author=False, suppress_embeds=True, nonce=nonce
                )
                await self._memory.replies.record(entry, [sent.id], joke.given, joke.making)


def _late(text: Markup, texts: Texts) -> Markup:
    """An answer that says that it comes late; what the bot did begins with its mark all the same."""
    is_marked = text.startswith(BY_CODE)
    told = texts("away_late", answer=unpinned(text) if is_marked else text)
    return joined((Markup(BY_CODE), told), " ") if is_marked else told


def _puts_off(text: str) -> bool:
    """Whether the bot said no more than that it would answer later."""
    return any(text.startswith(Texts(language)("database_away", code="").split("(")[0]) for language in languages())


async def _members(guild: discord.Guild, name: str) -> Sequence[Member]:
    """Members whose name starts so, asked of Discord: the bot is not told who is there, only who writes."""
    try:
        found = await asyncio.wait_for(guild.query_members(query=name[:32], limit=5, cache=False), 3)
    except (TimeoutError, discord.DiscordException) as failed:
        log.info("members of guild %d could not be looked for (%s)", guild.id, type(failed).__name__)
        return []
    return [member_of(user, guild.id) for user in found if not user.bot]
