"""Members, and what they let be kept."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum

from memory.ids import GuildId, UserId, server_subject
from memory.records.messages import AuthorKind

SERVER_NAME = "this server"
"""What a server is called whose name is not known."""


@dataclass(frozen=True, kw_only=True)
class Member:
    """A member's names. `aliases` are names that facts gave them ("gruzilkin is Sergey")."""

    guild_id: GuildId
    user_id: UserId
    display_name: str
    username: str
    global_name: str | None = None
    aliases: tuple[str, ...] = ()
    former_names: tuple[str, ...] = ()
    """Names they had before, the latest first."""
    named_at: datetime | None = None
    """Since when they have the names they have, as far as it was seen."""
    author_kind: AuthorKind = AuthorKind.MEMBER
    jokes: bool = True
    left_at: datetime | None = None

    @classmethod
    def unnamed(cls, guild_id: GuildId, user_id: UserId) -> Member:
        """A member of whom no name is known."""
        return cls(guild_id=guild_id, user_id=user_id, display_name="", username="")

    @classmethod
    def server(cls, guild_id: GuildId, name: str) -> Member:
        """The server itself, as whom a fact is about that is about nobody. Its id is that of its guild."""
        return cls(guild_id=guild_id, user_id=server_subject(guild_id), display_name=name or SERVER_NAME, username="")

    @property
    def is_server(self) -> bool:
        """Whether this is the server itself, and no person."""
        return self.user_id == server_subject(self.guild_id)

    @property
    def names(self) -> tuple[str, ...]:
        """Every name this member goes by, the one shown first, none twice."""
        given = (self.display_name, self.global_name or "", self.username, *self.aliases)
        return tuple(dict.fromkeys(name for name in given if name))

    def is_named_as(self, stored: Member | None) -> bool:
        """Whether they are stored as they are now: under the same names, and as somebody who is there."""
        return stored is not None and stored.left_at is None and self._called == stored._called

    @property
    def _called(self) -> tuple[object, ...]:
        return self.display_name, self.global_name, self.username, self.author_kind


class Consent(StrEnum):
    """What a member lets the bot keep: everything, what was told as a fact alone, or nothing."""

    ON = "on"
    EXPLICIT = "explicit"
    OFF = "off"


@dataclass(frozen=True, kw_only=True)
class Choice:
    """What a member chose to let the bot keep, and whether moderators let the bot ignore them."""

    consent: Consent = Consent.ON
    is_ignored: bool = False

    @property
    def is_off(self) -> bool:
        """Whether nothing of the member is kept, and nobody else's words about them."""
        return self.is_ignored or self.consent is Consent.OFF

    @property
    def keeps_messages(self) -> bool:
        """Whether the member's messages are stored and read by a model."""
        return self.consent is Consent.ON and not self.is_ignored
