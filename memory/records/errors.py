"""The errors of memory."""

from __future__ import annotations

from enum import StrEnum

from memory.ids import GuildId, UserId


class MemoryFailure(Exception):
    """Memory could not do what was asked; the docstring of the subclass says why."""

    def __str__(self) -> str:
        return super().__str__() or (self.__doc__ or "").strip()


class DatabaseUnavailable(MemoryFailure):
    """The database does not answer."""


class DatabaseConflict(DatabaseUnavailable):
    """Others were in the way in the database, again and again: the same work may well succeed in a moment."""


class GuildErased(MemoryFailure):
    """The guild was erased: nothing is stored of it until the bot joins it again."""

    def __init__(self, guild_id: GuildId) -> None:
        super().__init__(f"Guild {guild_id} was erased: nothing is stored of it until the bot joins it again.")
        self.guild_id = guild_id


class NotAllowed(MemoryFailure):
    """Whoever asks may not do this, or what they ask for is nothing they may know of."""


class SessionBusy(MemoryFailure):
    """Another message of the conversation is being answered, and others wait already."""


class WrongKey(MemoryFailure):
    """The suppression key is not the one of this database: the bot would not recognise what members deleted."""


class DatabaseNewer(MemoryFailure):
    """The database belongs to a newer version of the bot: install that version, or a later one."""


class Why(StrEnum):
    """Why a statement is not stored as a fact; each has a sentence in the bot's words."""

    EMPTY = "empty"
    SECRET = "secret"  # noqa: S105 (a reason, not one)
    ORDER = "order"
    SENSITIVE = "sensitive"
    """Told of somebody else: refused."""
    CONFIRM = "confirm"
    """Told by the person themselves: kept for them alone, once they confirm."""
    OPTED_OUT = "opted_out"
    TEACHERS = "teachers"
    FORGOTTEN = "forgotten"
    NAMED = "named"
    """It names somebody who does not want to be remembered."""
    GONE = "gone"
    """The message that told it was deleted meanwhile."""
    FULL = "full"
    """Its teller told as many facts about the member as are kept."""
    LINK = "link"
    """It is an invite."""
    UNCLEAR = "unclear"
    """Typed into a form about somebody else, and no plain statement about them."""


class Fenced(DatabaseUnavailable):
    """Another process took over from this one, which was silent for too long: the database takes nothing more of it."""


class EarlierOrder(MemoryFailure):
    """An order waits for an earlier one of its guild, which another process carries out."""


class NotRemembered(MemoryFailure):
    """The statement is not stored as a fact: `why`, the sensitive `matter` it touches, and the member it is up to."""

    def __init__(self, why: Why, matter: str | None = None, user_id: UserId | None = None) -> None:
        super().__init__(why.value)
        self.why = why
        self.matter = matter
        self.user_id = user_id
