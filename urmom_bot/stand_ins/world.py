"""What exists on the stand-in: guilds, channels, people and messages, and Discord's payloads of them."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import Any

EPOCH = 1_420_070_400_000
VIEW_CHANNEL = 1 << 10
MANAGE_GUILD = 1 << 5
MANAGE_MESSAGES = 1 << 13
READ_MESSAGE_HISTORY = 1 << 16
ORDINARY = 1 << 6 | 1 << 20 | VIEW_CHANNEL | 1 << 11 | 1 << 14 | 1 << 15 | READ_MESSAGE_HISTORY | 1 << 31 | 1 << 38
TEXT, DM, VOICE, FORUM, PUBLIC_THREAD, PRIVATE_THREAD = 0, 1, 2, 15, 11, 12


@dataclass(frozen=True, kw_only=True)
class Sent:
    """Something the bot sent: a message, or an interaction's answer."""

    channel_id: int
    content: str
    reply_to: int | None
    pings: tuple[str, ...]
    files: tuple[tuple[str, str], ...] = ()
    ephemeral: bool = False
    message_id: int = 0
    components: tuple[dict[str, Any], ...] = ()
    edited: bool = False

    @property
    def buttons(self) -> dict[str, dict[str, Any]]:
        """Its buttons by label."""
        return {b["label"]: b for row in self.components for b in row.get("components", ()) if b.get("type") == 2}


@dataclass
class User:
    """A person or a bot."""

    id: int
    name: str
    global_name: str | None = None
    bot: bool = False

    def payload(self) -> dict[str, Any]:
        """As Discord sends it."""
        return {
            "id": str(self.id),
            "username": self.name,
            "global_name": self.global_name,
            "discriminator": "0",
            "avatar": None,
            "bot": self.bot,
        }


@dataclass(frozen=True)
class Role:
    """A role of a guild, as an option of a command names it."""

    id: int


@dataclass
class Channel:
    """A channel, thread or direct-message channel, and its messages, oldest first."""

    id: int
    name: str
    kind: int = TEXT
    guild_id: int | None = None
    parent_id: int | None = None
    overwrites: list[dict[str, Any]] = field(default_factory=list)
    messages: dict[int, dict[str, Any]] = field(default_factory=dict)
    recipients: list[User] = field(default_factory=list)
    nsfw: bool = False
    """Whether it is age-restricted."""
    archived_at: datetime | None = None
    """When a thread went to the archive; None where it is open."""

    @property
    def thread(self) -> bool:
        """Whether it hangs under another channel."""
        return self.kind in (PUBLIC_THREAD, PRIVATE_THREAD)

    def payload(self) -> dict[str, Any]:
        """As Discord sends it."""
        last = max(self.messages, default=None)
        body: dict[str, Any] = {
            "id": str(self.id),
            "name": self.name,
            "type": self.kind,
            "last_message_id": None if last is None else str(last),
        }
        if self.kind == DM:
            return body | {"recipients": [user.payload() for user in self.recipients]}
        body |= {"guild_id": str(self.guild_id), "position": 0, "permission_overwrites": self.overwrites}
        body["nsfw"] = self.nsfw
        body["parent_id"] = None if self.parent_id is None else str(self.parent_id)
        if self.thread:
            body |= {
                "owner_id": "1",
                "message_count": len(self.messages),
                "member_count": 1,
                "thread_metadata": {
                    "archived": self.archived_at is not None,
                    "auto_archive_duration": 1440,
                    "archive_timestamp": (self.archived_at or datetime(2026, 1, 1, tzinfo=UTC)).isoformat(),
                    "locked": False,
                },
            }
        if self.kind == VOICE:
            body |= {"bitrate": 64_000, "user_limit": 0}
        if self.kind == FORUM:
            body |= {"available_tags": [], "flags": 0}
        return body


@dataclass
class Guild:
    """A server. The role with the guild's own id is @everyone."""

    id: int
    name: str
    everyone: int = ORDINARY
    channels: dict[int, Channel] = field(default_factory=dict)
    members: dict[int, User] = field(default_factory=dict)
    nicknames: dict[int, str] = field(default_factory=dict)
    roles: dict[int, int] = field(default_factory=dict)
    locale: str = "en-US"
    system_channel: int | None = None
    member_roles: dict[int, list[int]] = field(default_factory=dict)
    bot_since: datetime | None = None
    """When the bot was let in; None for long ago."""

    def role_payloads(self) -> list[dict[str, Any]]:
        """The roles as Discord sends them."""
        colors = {"primary_color": 0, "secondary_color": None, "tertiary_color": None}
        return [
            {
                "id": str(role),
                "name": "@everyone" if role == self.id else f"role {role}",
                "permissions": str(permissions),
                "position": 0 if role == self.id else 1,
                "color": 0,
                "colors": colors,
                "hoist": False,
                "managed": False,
                "mentionable": False,
                "flags": 0,
            }
            for role, permissions in {self.id: self.everyone, **self.roles}.items()
        ]

    def member_payload(self, user: User, *, with_user: bool = True) -> dict[str, Any]:
        """A member as Discord sends it."""
        since = (self.bot_since if user.bot else None) or datetime(2026, 1, 1, tzinfo=UTC)
        body: dict[str, Any] = {
            "roles": [str(role) for role in self.member_roles.get(user.id, [])],
            "nick": self.nicknames.get(user.id),
            "joined_at": since.isoformat(),
            "flags": 0,
            "deaf": False,
            "mute": False,
        }
        return body | ({"user": user.payload()} if with_user else {})

    def permissions(self, user_id: int) -> int:
        """A member's permissions in the guild."""
        found = self.everyone
        for role in self.member_roles.get(user_id, []):
            found |= self.roles.get(role, 0)
        return found

    def permissions_in(self, channel: Channel, user_id: int) -> int:
        """A member's permissions in a channel: those in the guild, and what the channel's overwrites change."""
        found = self.permissions(user_id)
        of_roles = {str(role) for role in self.member_roles.get(user_id, [])}
        for mine in ({str(self.id)}, of_roles, {str(user_id)}):
            for one in [one for one in channel.overwrites if one["id"] in mine]:
                found = (found & ~int(one["deny"])) | int(one["allow"])
        return found

    def payload(self, bot: User) -> dict[str, Any]:
        """GUILD_CREATE, with the bot as the one member listed, as Discord does without the members intent."""
        plain = [c.payload() for c in self.channels.values() if not c.thread]
        return {
            "id": str(self.id),
            "name": self.name,
            "unavailable": False,
            "owner_id": "1",
            "member_count": len(self.members) + 1,
            "channels": plain,
            "threads": [c.payload() for c in self.channels.values() if c.thread and c.archived_at is None],
            "roles": self.role_payloads(),
            "members": [self.member_payload(bot)],
            "emojis": [],
            "stickers": [],
            "presences": [],
            "voice_states": [],
            "stage_instances": [],
            "guild_scheduled_events": [],
            "features": [],
            "large": False,
            "preferred_locale": self.locale,
            "system_channel_id": None if self.system_channel is None else str(self.system_channel),
        }


class World:
    """Everything there is, and the clock that ids are made from."""

    def __init__(self, clock: Callable[[], datetime] | None = None) -> None:
        self.clock = clock or (lambda: datetime.now(UTC))
        self._count = 0
        self.guilds: dict[int, Guild] = {}
        self.users: dict[int, User] = {}
        self.dms: dict[int, Channel] = {}
        self.bot = self.user("urmom-bot", bot=True)

    def snowflake(self, at: datetime | None = None) -> int:
        """An id of a moment: ids made later are larger within a millisecond too."""
        self._count += 1
        milliseconds = int((at or self.clock()).timestamp() * 1000) - EPOCH
        return milliseconds << 22 | self._count & 0x3FFFFF

    def user(self, name: str, *, global_name: str | None = None, bot: bool = False) -> User:
        """Somebody new."""
        made = User(self.snowflake(), name, global_name, bot)
        self.users[made.id] = made
        return made

    def guild(self, name: str) -> Guild:
        """A new server."""
        made = Guild(self.snowflake(), name)
        self.guilds[made.id] = made
        return made

    def channel_of(self, channel_id: int) -> Channel | None:
        """A channel of any guild, or a direct-message channel."""
        for guild in self.guilds.values():
            if channel_id in guild.channels:
                return guild.channels[channel_id]
        return next((c for c in self.dms.values() if c.id == channel_id), None)

    def message(
        self,
        channel: Channel,
        author: User,
        content: str,
        *,
        at: datetime | None = None,
        reply_to: int | None = None,
        **more: Any,
    ) -> dict[str, Any]:
        """A new message, stored in its channel and returned as Discord sends it."""
        moment = at or self.clock()
        message_id = self.snowflake(moment)
        body: dict[str, Any] = {
            "id": str(message_id),
            "channel_id": str(channel.id),
            "author": author.payload(),
            "content": content,
            "timestamp": moment.isoformat(),
            "edited_timestamp": None,
            "type": 19 if reply_to else 0,
            "attachments": [],
            "embeds": [],
            "components": [],
            "mentions": [],
            "mention_roles": [],
            "mention_everyone": False,
            "pinned": False,
            "tts": False,
            "flags": 0,
        }
        if channel.guild_id is not None:
            guild = self.guilds[channel.guild_id]
            body["guild_id"] = str(guild.id)
            if author.id in guild.members or author is self.bot:
                body["member"] = guild.member_payload(author, with_user=False)
            body["mentions"] = [
                self.users[u].payload() | {"member": guild.member_payload(self.users[u], with_user=False)}
                for u in dict.fromkeys(int(m) for m in re.findall(r"<@!?(\d+)>", content))
                if u in self.users
            ]
        if reply_to:
            body["message_reference"] = {"message_id": str(reply_to), "channel_id": str(channel.id), "type": 0}
            body["referenced_message"] = channel.messages.get(reply_to)
        body |= more
        channel.messages[message_id] = body
        return body
