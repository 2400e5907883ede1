"""The ids of a guild: types of their own, so that one cannot stand where another belongs."""

from typing import NewType

GuildId = NewType("GuildId", int)
UserId = NewType("UserId", int)
ChannelId = NewType("ChannelId", int)
MessageId = NewType("MessageId", int)

AudienceId = NewType("AudienceId", int)
"""Who can read something: everyone, one member, the readers of a class of channels, or those of one channel."""

ALL_GUILDS = GuildId(0)
"""The guild of a direct message, and of a choice that holds in every guild without its own."""

MAX_MESSAGE = MessageId(2**62)
"""Above the id of every message."""

NO_CHANNEL = ChannelId(0)
"""Where something was done on the web page, in no channel."""


def private_to(user_id: UserId) -> AudienceId:
    """The audience of what only one member may read."""
    return AudienceId(-user_id)


def server_subject(guild_id: GuildId) -> UserId:
    """Whom a fact is about that is about the server itself."""
    return UserId(guild_id)
