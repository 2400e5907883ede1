"""Discord's ids, which tell the time, and the addresses of messages."""

from __future__ import annotations

from datetime import UTC, datetime

DISCORD_EPOCH = 1_420_070_400_000
"""Milliseconds from 1970 to the first of Discord's ids."""


def first_id(moment: datetime) -> int:
    """The first id that Discord gives at a moment."""
    return (int(moment.timestamp() * 1000) - DISCORD_EPOCH) << 22


def moment(snowflake: int) -> datetime:
    """When Discord gave an id."""
    return datetime.fromtimestamp(((snowflake >> 22) + DISCORD_EPOCH) / 1000, tz=UTC)


def jump_link(guild_id: int, channel_id: int | None, message_id: int | None) -> str | None:
    """The address of a message, or None where there is none."""
    if not channel_id or not message_id or message_id < 0:
        return None
    return f"https://discord.com/channels/{guild_id}/{channel_id}/{message_id}"
