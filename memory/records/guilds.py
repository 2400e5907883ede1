"""Guilds, their channels and their rules."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum

from memory.ids import AudienceId, ChannelId, GuildId
from memory.records.messages import EVERYONE


class Mode(StrEnum):
    """What the bot does in a channel: nothing, talk, or talk and remember what is said."""

    OFF = "off"
    TALK = "talk"
    REMEMBER = "remember"


@dataclass(frozen=True, kw_only=True)
class Channel:
    """A place of talk, and who can read it; a thread names its parent."""

    guild_id: GuildId
    channel_id: ChannelId
    name: str
    audience: AudienceId = EVERYONE
    parent_id: ChannelId | None = None
    mode: Mode = Mode.REMEMBER
    captions: bool = True
    """Whether pictures and voice messages there are put into words."""


@dataclass(frozen=True)
class StoredLayout:
    """The fingerprint of a guild's layout as it is stored, the role that counts as everyone, and what calls the bot."""

    fingerprint: str | None = None
    base_role: int | None = None
    names: tuple[str, ...] = ()
    bare_names: bool = True


@dataclass(frozen=True, kw_only=True)
class KnownGuild:
    """What holds in a guild: what it has decided, its channels, and the audiences whose words each may be told."""

    rules: GuildRules
    time_zone: str | None
    channels: Mapping[ChannelId, Channel]
    hears: Mapping[AudienceId, frozenset[AudienceId]]

    def mode(self, channel_id: ChannelId | None) -> Mode:
        """What the bot does in a channel; the guild, and the channel that a thread hangs under, may allow less."""
        found = self.channels.get(channel_id) if channel_id is not None else None
        above = self.channels.get(found.parent_id) if found is not None and found.parent_id is not None else None
        order = list(Mode)
        return min((self.rules.mode, *(c.mode for c in (found, above) if c is not None)), key=order.index)


class Teachers(StrEnum):
    """Who may teach facts about other people; of oneself everyone may."""

    ANYONE = "anyone"
    SELF = "self"
    MODERATORS = "moderators"


@dataclass(frozen=True, kw_only=True)
class GuildRules:
    """What a guild has decided. `left_at` is when the bot was removed from it."""

    teachers: Teachers = Teachers.ANYONE
    log_channel: ChannelId | None = None
    base_role: int | None = None
    """The role that every member has once they are let in."""
    mode: Mode = Mode.REMEMBER
    """The most that the bot does in any channel."""
    language: str | None = None
    """In which the bot speaks where a message does not tell its own."""
    guild_name: str = ""
    """What the guild is called; empty where that is not known yet."""
    names: tuple[str, ...] = ()
    """What the bot answers to there, beside the names it has everywhere."""
    bare_names: bool = True
    """Whether a name calls the bot without a comma or a mention ("Bot what …")."""
    character: str = ""
    """How the bot sounds: a ready character by its name, or words of the guild's own; empty for its usual tone."""
    captions: bool = True
    """Whether pictures and voice messages are put into words, in channels that want it."""
    read_ahead: bool = True
    """Whether days that nobody asked about are read."""
    jokes: bool = True
    post_channel: ChannelId | None = None
    """Where the bot posts by itself what the guild wants."""
    recap: bool = False
    """Whether it posts every week's recap."""
    birthdays: bool = False
    """Whether it wishes members a happy birthday who told it the day."""
    retention_days: int | None = None
    """For how long messages are kept, where that is less than the operator's setting."""
    daily_requests: int | None = None
    """Requests to models in a day at the most; None is no bound of the guild's own."""
    greeted: bool = False
    left_at: datetime | None = None
