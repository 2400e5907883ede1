"""Messages addressed to the bot, and reactions that ask for a joke."""

from __future__ import annotations

import asyncio
import logging
from collections import Counter, defaultdict
from collections.abc import Callable, Mapping, Sequence
from contextlib import AsyncExitStack, suppress
from dataclasses import replace
from datetime import UTC, datetime
from functools import partial

import discord
from discord.ext import commands

from memory import DatabaseUnavailable, Exchange, Member, MemoryManager, Mode
from memory.ai import charge
from memory.records import SessionBusy
from urmom_bot.cogs.ingest import PATIENCE
from urmom_bot.cogs.interactions import view_of
from urmom_bot.cogs.speech import NOBODY, answer, trouble, typing
from urmom_bot.cogs.translate import audience_in, author_kind, member_of, text_of, text_to, viewer_at
from urmom_bot.panels.page import buttons
from urmom_bot.talk import Jester, Quoted, Request, Router, Texts, guess_language

log = logging.getLogger(__name__)


AT_ONCE = 4
"""Messages of one member that are answered at once at the most."""


class ConversationCog(commands.Cog):
    """Answers whoever speaks to the bot. Bots and webhooks are never answered."""

    def __init__(
        self,
        bot: commands.AutoShardedBot,
        memory: MemoryManager,
        router: Router,
        jester: Jester,
        emoji: str,
        clock: Callable[[], datetime],
    ) -> None:
        self._bot = bot
        self._memory = memory
        self._router = router
        self._jester = jester
        self._emoji = emoji
        self._born = clock()
        self._busy: Counter[int] = Counter()
        self._turns: defaultdict[int, asyncio.Lock] = defaultdict(asyncio.Lock)

    @commands.Cog.listener()
    async def on_message(self, message: discord.Message) -> None:
        """Answer a message that is addressed to the bot; anything else passes in silence."""
        if message.author.bot or message.webhook_id is not None or message.is_system():
            return
        text = await self._addressed_text(message)
        if text is not None:
            await self._answer(message, text, "answer")

    @commands.Cog.listener()
    async def on_raw_message_edit(self, payload: discord.RawMessageUpdateEvent) -> None:
        """Take "remember" in its new words: what the old ones told goes with them."""
        message, cached = payload.message, payload.cached_message
        if message.guild is None or message.author.bot or message.edited_at is None:
            return
        if cached is not None and cached.content == message.content:
            return
        text = await self._addressed_text(message)
        if text is not None and self._router.is_teaching(text):
            await self._memory.messages.edit(message.guild.id, message.id, text_of(message), message.edited_at)
            await self._answer(message, text, "edit")

    @commands.Cog.listener()
    async def on_caught_up(self, guild: discord.Guild, found: Mapping[int, discord.Message]) -> None:
        """Carry out the orders that were given while the bot was away, one after the other, each once."""
        async with self._turns[guild.id]:
            waiting = {message_id: channel_id for channel_id, message_id in await self._waiting_orders(guild)}
            for message_id in sorted({*waiting, *found}):
                try:
                    message = found.get(message_id) or await self._fetched(guild, waiting[message_id], message_id)
                    await self._carry_out(guild, message_id, message)
                except Exception:  # the orders after it must not wait for it; it waits for the next start
                    log.exception("guild %d: an order from while the bot was away could not be carried out", guild.id)

    async def _waiting_orders(self, guild: discord.Guild) -> list[tuple[int, int]]:
        while True:
            try:
                return await self._memory.messages.waiting_orders(guild.id)
            except DatabaseUnavailable as away:
                log.warning("guild %d: orders are carried out later (%s)", guild.id, away)
                await asyncio.sleep(PATIENCE)

    async def _carry_out(self, guild: discord.Guild, message_id: int, message: discord.Message | None) -> None:
        """Carry out an order; of one that is gone or was edited into something else, let its words go."""
        text = await self._addressed_text(message) if message is not None else None
        if message is None or text is None or not self._router.is_order(text):
            await self._memory.messages.keep_off_record(guild.id, message_id)
        elif await self._answer(message, text, "answer", since=self._born):
            log.info("guild %d: an order from while the bot was away is carried out", guild.id)
            await self._memory.messages.keep_off_record(guild.id, message_id)

    async def _fetched(self, guild: discord.Guild, channel_id: int, message_id: int) -> discord.Message | None:
        channel = guild.get_channel_or_thread(channel_id)
        if not isinstance(channel, discord.abc.Messageable):
            return None
        try:
            return await channel.fetch_message(message_id)
        except (discord.NotFound, discord.Forbidden):
            return None

    async def _answer(self, message: discord.Message, text: str, kind: str, *, since: datetime | None = None) -> bool:
        """Answer a message, once; with `since`, also where that was begun before and not done. Whether it was done."""
        guild_id = message.guild.id if message.guild else 0
        texts = Texts(guess_language(text))
        charge(guild_id, message.author.id)
        if self._busy[message.author.id] >= AT_ONCE:
            if self._busy[message.author.id] == AT_ONCE:  # said once: who floods is not answered each time
                self._busy[message.author.id] += 1
                with suppress(discord.Forbidden):
                    await answer(message, texts("busy_member"), texts, kind="busy")
            return True
        self._busy[message.author.id] += 1
        try:
            if message.guild is not None and not await self._answers(message):
                return True
            anew = kind == "edit"
            since = message.edited_at if anew else since
            if not await self._memory.replies.claim(
                guild_id, message.id, kind, message.channel.id, since=since, anew=anew
            ):
                return False  # whoever took it on says when it is done
            await self._respond(message, text, kind, texts)
        except SessionBusy:
            with suppress(discord.Forbidden):
                await answer(message, texts("busy"), texts, kind="busy")
            return True
        except discord.Forbidden:
            log.warning("may not write in channel %d", message.channel.id)
            return True
        except Exception as failed:
            with suppress(discord.Forbidden):
                await answer(message, trouble(failed, texts), texts, kind="error")
            return not isinstance(failed, DatabaseUnavailable)
        finally:
            self._done(message.author.id)
        return True

    def _done(self, user_id: int) -> None:
        """Count a message of a member as answered; when all are, the next flood is told about again."""
        self._busy[user_id] = min(self._busy[user_id], AT_ONCE) - 1
        if self._busy[user_id] <= 0:
            del self._busy[user_id]

    async def _respond(self, message: discord.Message, text: str, kind: str, texts: Texts) -> None:
        """Answer a message that was taken on, as part of its session unless it is an order, and record the answer.

        Raises SessionBusy where too many messages of the conversation wait already.
        """
        guild_id = message.guild.id if message.guild else 0
        generation = self._memory.replies.generation(guild_id)
        sent: list[int] = []
        try:
            async with AsyncExitStack() as held:
                async with typing(message.channel):
                    request = await self._request(message, text)
                    exchange = None if self._router.is_order(text) else await self._exchange(held, request)
                    reply = await self._router.respond(request, exchange)
                view = view_of((buttons(reply.actions, texts),)) if reply.actions else None
                anew = f"e{int(message.edited_at.timestamp()) % 10_000}" if kind == "edit" and message.edited_at else ""
                sent += await answer(message, reply.text, texts, kind=anew, view=view)
                for sent_id in sent if reply.off_record else ():
                    await self._memory.messages.keep_off_record(guild_id, sent_id)
                given = replace(reply.given, generation=generation)
                await self._memory.replies.record(guild_id, message.id, kind, sent, given)
                if exchange is not None:
                    await self._router.finish(request, reply, exchange, sent)
        except Exception:
            if not sent:
                raise
            log.exception("guild %d: an answer was sent, and could not be recorded", guild_id)

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

    async def _addressed_text(self, message: discord.Message) -> str | None:
        """What a message says to the bot: by mention, by its name, by replying to it, or in private."""
        assert self._bot.user is not None
        text = text_to(message, self._bot.user, self._router.bot_name, None)
        if text is not None or message.reference is None:
            return text
        return text_to(message, self._bot.user, self._router.bot_name, await self._replied(message))

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
        except discord.HTTPException:
            return None

    async def _request(self, message: discord.Message, text: str) -> Request:
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
            find=partial(_members, message.guild) if message.guild else None,
        )

    async def _member(self, message: discord.Message) -> discord.abc.User:
        """The author with their rights: a message read from the history comes without them."""
        if message.guild is None or isinstance(message.author, discord.Member):
            return message.author
        try:
            return await message.guild.fetch_member(message.author.id)
        except discord.HTTPException:
            return message.author

    @commands.Cog.listener()
    async def on_raw_reaction_add(self, payload: discord.RawReactionActionEvent) -> None:
        """Make a joke of a message, where the reaction asks for one."""
        if payload.guild_id is None or str(payload.emoji) != self._emoji:
            return
        if payload.member is not None and payload.member.bot:
            return
        channel = self._bot.get_channel(payload.channel_id)
        if not isinstance(channel, discord.abc.GuildChannel | discord.Thread) or not isinstance(
            channel, discord.abc.Messageable
        ):
            return
        try:
            message = await channel.fetch_message(payload.message_id)
        except discord.HTTPException:
            return  # it is gone, or not for the bot to read
        if message.author.bot or message.webhook_id is not None or not await self._answers(message):
            return
        audience = audience_in(channel, channel.id, await self._memory.guilds.base_role(payload.guild_id))
        readers = await self._memory.guilds.public(payload.guild_id, audience)
        author = member_of(message.author, payload.guild_id)
        charge(payload.guild_id, payload.user_id)
        joke = await self._jester.joke(readers, channel.id, message.id, author, text_of(message))
        if joke:
            with suppress(discord.HTTPException):
                sent = await message.reply(
                    joke.text, allowed_mentions=NOBODY, mention_author=False, suppress_embeds=True
                )
                await self._memory.replies.record(payload.guild_id, message.id, "joke", [sent.id], joke.given)


async def _members(guild: discord.Guild, name: str) -> Sequence[Member]:
    """Members whose name starts so, asked of Discord: the bot is not told who is there, only who writes."""
    try:
        found = await asyncio.wait_for(guild.query_members(query=name[:32], limit=5, cache=False), 3)
    except (TimeoutError, discord.DiscordException) as failed:
        log.info("members of guild %d could not be looked for (%s)", guild.id, type(failed).__name__)
        return []
    return [member_of(user, guild.id) for user in found if not user.bot]
