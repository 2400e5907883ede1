"""Discord's ids, which tell the time, and the addresses of messages."""

from __future__ import annotations

from datetime import UTC, datetime

from memory.ids import ChannelId, GuildId, MessageId

DISCORD_EPOCH = 1_420_070_400_000
"""Milliseconds from 1970 to the first of Discord's ids."""


def first_id(moment: datetime) -> MessageId:
    """The first id that Discord gives at a moment."""
    return MessageId((int(moment.timestamp() * 1000) - DISCORD_EPOCH) << 22)


def moment(snowflake: int) -> datetime:
    """When Discord gave an id."""
    return datetime.fromtimestamp(((snowflake >> 22) + DISCORD_EPOCH) / 1000, tz=UTC)


def jump_link(guild_id: GuildId, channel_id: ChannelId | None, message_id: MessageId | None) -> str | None:
    """The address of a message, or None where there is none."""
    if not channel_id or not message_id or message_id < 0:
        return None
    return f"https://discord.com/channels/{guild_id}/{channel_id}/{message_id}"
