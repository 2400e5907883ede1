"""Messages: written, edited and deleted on Discord, and read by those who may be shown them."""

from __future__ import annotations

import asyncio
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta

from memory.addressees import Addressees
from memory.core import Core
from memory.ids import ALL_GUILDS, ChannelId, GuildId, MessageId, UserId
from memory.ingest import CaughtUp, Deleted, Edited, Extended, Ingest, OffRecord, Written, is_forgotten
from memory.permissions import Viewer, may_hear
from memory.records import InboxItem, Member, Message, MessageFile, PendingRemoval
from memory.yielding import map_yielding


@dataclass(frozen=True)
class MessageService:
    """The history of the guilds' channels. Reads may raise DatabaseUnavailable; writes wait for the database."""

    _core: Core
    _ingest: Ingest
    _addressees: Addressees

    # As Discord tells of it

    async def ingest(
        self, message: Message, member: Member, *, asked: InboxItem | None = None, advances_read_position: bool = True
    ) -> bool:
        """Accept a message for writing, with what it asks of the bot. False if too many writes are waiting in memory.

        If it is not accepted, the caller must submit it again with `catch_up`. An accepted message moves its channel's
        cursor, if nothing before it is missing.
        """
        return await self._ingest.offer(Written(message, member, asked, advances_read_position))

    async def catch_up(self, message: Message, member: Member, *, asked: InboxItem | None = None) -> None:
        """Accept a message that was missed, and wait for room. Its channel's cursor stays where it is until
        `caught_up`."""
        await self._ingest.accept_past(Written(message, member, asked, advances_read_position=False))

    async def caught_up(self, guild_id: GuildId, channel_id: ChannelId, message_id: MessageId) -> None:
        """Record that nothing is missing in a channel up to a message, once the messages before it are stored."""
        await self._ingest.caught_up(CaughtUp(guild_id, channel_id, message_id))

    async def edit(
        self,
        guild_id: GuildId,
        message_id: MessageId,
        text: str,
        edited_at: datetime,
        *,
        asked: InboxItem | None = None,
        channel_id: ChannelId | None = None,
        files: tuple[MessageFile, ...] = (),
    ) -> None:
        """Replace a message's text. `asked` is what the new text asks of the bot."""
        await self._ingest.accept(Edited(guild_id, message_id, text, edited_at, asked, channel_id, files))

    async def extend(
        self,
        guild_id: GuildId,
        message_id: MessageId,
        text: str,
        edited_at: datetime | None = None,
        *,
        files: tuple[MessageFile, ...] = (),
    ) -> None:
        """Replace a message's text if only something other than its words changed, such as a link preview.

        `edited_at` is when its words were last edited, or None if they never were.
        """
        await self._ingest.accept(Extended(guild_id, message_id, text, edited_at, files))

    async def delete(self, guild_id: GuildId, message_ids: Iterable[MessageId]) -> None:
        """Delete messages, and what was made from them."""
        await self._ingest.accept(Deleted(guild_id, tuple(message_ids)))

    async def flush(self, within: float | None = None, *, past: bool = True) -> bool:
        """Wait until everything accepted so far is in the database. False if that takes longer than `within` seconds.

        `past=False` does not wait for messages that are being caught up on.
        """
        try:
            async with asyncio.timeout(within):
                await self._ingest.flush(past=past)
        except TimeoutError:
            return False
        return True

    @property
    def pending(self) -> int:
        """The number of accepted writes that are not yet in the database."""
        return self._ingest.pending

    @property
    def write_lag(self) -> float:
        """How many seconds the oldest current write has been waiting."""
        return self._ingest.waits

    @property
    def is_refused(self) -> bool:
        """Whether the database refused the last write: it is away, or full."""
        return self._ingest.is_refused

    def was_deleted(self, guild_id: GuildId, message_id: MessageId) -> bool:
        """Whether this process saw that a message was deleted."""
        return self._ingest.was_deleted(guild_id, message_id)

    async def import_batch(self, messages: Collection[Message], members: Collection[Member]) -> int:
        """Store the messages and names of an export. Return how many messages were new."""
        await self._core.store.people.update_names(members, self._core.clock())
        suppressed = {g: await self._core.suppressions.with_subject_names(g) for g in {m.guild_id for m in messages}}
        gone = await map_yielding(messages, lambda m: is_forgotten(m, *suppressed[m.guild_id]))
        kept = [m for m, is_gone in zip(messages, gone, strict=True) if not is_gone]
        new = await self._core.store.messages.write(kept, lambda c: self._addressees.find(c, kept, members))
        self._core.generations.move(ALL_GUILDS)
        return new

    async def cursors(self, guild_ids: Collection[GuildId]) -> dict[GuildId, dict[ChannelId, MessageId]]:
        """Get, for each guild, the message of each channel up to which nothing is missing."""
        return await self._core.store.messages.cursors(guild_ids)

    async def begin_channels(
        self, guild_id: GuildId, floors: Mapping[ChannelId, MessageId], since: Mapping[ChannelId, datetime]
    ) -> None:
        """Start the record of channels. Each is complete up to a message and since a moment. Known channels stay as
        they are.

        Raises GuildErased.
        """
        await self._core.store.messages.begin_channels(guild_id, floors, since)

    async def whole(self, guild_id: GuildId) -> dict[ChannelId, tuple[datetime, int]]:
        """Get, for each channel, since when nothing is missing, and up to which message."""
        return await self._core.store.messages.whole(guild_id)

    async def stored_after(
        self, guild_ids: Collection[GuildId], after_id: MessageId
    ) -> dict[GuildId, dict[ChannelId, int]]:
        """Count messages newer than `after_id` that are stored or taught a fact, by guild and channel."""
        return await self._core.store.messages.stored_after(guild_ids, after_id)

    async def newest(self, guild_id: GuildId, channel_id: ChannelId) -> MessageId:
        """Get the newest stored message of a channel; 0 if there is none."""
        return await self._core.store.messages.newest(guild_id, channel_id)

    async def edits_between(
        self, guild_id: GuildId, channel_id: ChannelId, first: int, last: int
    ) -> dict[MessageId, datetime | None]:
        """List a channel's stored messages in a range, each with the time of its last edit."""
        return await self._core.store.messages.between(guild_id, channel_id, first, last)

    async def count(self, guild_id: GuildId) -> int:
        """Count the stored messages of a guild."""
        return await self._core.store.messages.count(guild_id)

    async def remove_again(self, removal: PendingRemoval) -> None:
        """Repeat a deletion that an earlier process did not get into the database."""
        await self._ingest.accept_again(removal)

    # Orders to the bot

    async def hold_order(self, guild_id: GuildId, message_id: MessageId) -> None:
        """Keep an order, with its words, out of every summary until `keep_off_record` says that it is done."""
        await self._ingest.accept(OffRecord(guild_id, message_id, done=False))

    async def keep_off_record(self, guild_id: GuildId, message_id: MessageId) -> None:
        """Keep a message out of every summary. It is an order to the bot, and could repeat what was forgotten."""
        await self._ingest.accept(OffRecord(guild_id, message_id))

    # For whoever may hear

    async def get(self, viewer: Viewer, message_id: MessageId) -> Message | None:
        """Get one message. None if it is not stored, or the viewer may not be shown it."""
        found = await self._core.store.messages.get(viewer.guild_id, message_id)
        return found if found is not None and may_hear(viewer, found.audience) else None

    async def get_many(self, viewer: Viewer, message_ids: Collection[MessageId]) -> dict[MessageId, Message]:
        """Get messages by id. Those that are not stored, or that the viewer may not be shown, are missing."""
        found = await self._core.store.messages.get_many(viewer.guild_id, message_ids) if message_ids else []
        return {m.message_id: m for m in found if may_hear(viewer, m.audience)}

    async def recent(
        self, viewer: Viewer, channel_id: ChannelId, before_id: MessageId, *, minutes: int = 60, limit: int = 30
    ) -> list[Message]:
        """List what was last written in a channel before a message, oldest first, without what people asked to be
        forgotten."""
        since = self._core.clock().astimezone(UTC) - timedelta(minutes=minutes)
        found = await self._core.store.messages.recent(viewer.guild_id, channel_id, before_id, since, limit)
        return await self.without_forgotten(viewer, (m for m in found if may_hear(viewer, m.audience)))

    async def around(self, viewer: Viewer, message_id: MessageId, lines: int) -> list[Message]:
        """Get a message with the lines before and after it, oldest first, without what people asked to be forgotten."""
        found = await self._core.store.messages.around(viewer.guild_id, message_id, lines, viewer.shown_audiences)
        return await self.without_forgotten(viewer, found)

    async def without_forgotten(self, viewer: Viewer, messages: Iterable[Message]) -> list[Message]:
        """Remove messages that repeat what people asked the bot to forget: others may have written it again."""
        screen = await self._core.suppressions.screen(viewer.guild_id)
        if not screen.suppressed.members:
            return list(messages)
        return [m for m in messages if not screen.tells(m.text, {m.user_id, *m.addressees})]

    async def last_texts(self, guild_id: GuildId, user_id: UserId, before_id: MessageId, *, limit: int) -> list[str]:
        """Get a member's last texts before a message, from all channels, newest first.

        They are used to detect the member's language, and are shown to nobody.
        """
        return await self._core.store.messages.last_texts(guild_id, user_id, before_id, limit)

    async def last_written(self, guild_id: GuildId, user_id: UserId) -> datetime | None:
        """Get the time at which a member's newest stored message was written."""
        return await self._core.store.messages.last_written(guild_id, user_id)
