"""A message addressed to the bot, with everything needed to answer it; and what is answered. No Discord."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

from memory import EVERYONE, Fact, Member, Query, may_change
from urmom_bot.panels.page import Button


@dataclass(frozen=True, kw_only=True)
class Quoted:
    """A message that another one answers."""

    message_id: int
    author: Member
    text: str


@dataclass(frozen=True, kw_only=True)
class Request:
    """A message addressed to the bot, without the address, and what its speaker may do.

    `guild_id` is None in direct messages. `language` is the speaker's own where it is known.
    `find` looks for members by the start of their name who never wrote a word.
    """

    guild_id: int | None
    channel_id: int
    message_id: int
    speaker: Member
    text: str
    at: datetime
    audience: int = EVERYONE
    audiences: tuple[int, ...] = (EVERYONE,)
    """The audiences whose words may be told to those who read the answer."""
    mentioned: tuple[Member, ...] = ()
    replied: Quoted | None = None
    replied_to_bot: bool = False
    answers_id: int | None = None
    """The message that it replies to, the bot's own among them."""
    may_moderate: bool = False
    may_manage: bool = False
    alone: bool = False
    """Whether nobody but the speaker reads the answer."""
    language: str | None = None
    guild_names: Mapping[int, str] = field(default_factory=dict)
    find: Callable[[str], Awaitable[Sequence[Member]]] | None = None

    @property
    def guild(self) -> int:
        """The guild, for what exists in guilds alone."""
        assert self.guild_id is not None
        return self.guild_id

    def query(self, text: str | None = None) -> Query:
        """The search for what answers it, or for `text`."""
        return Query(
            guild_id=self.guild,
            text=self.text if text is None else text,
            at=self.at,
            asker=self.speaker.user_id,
            audience=self.audience,
            before_id=self.message_id,
            alone=self.alone,
        )

    def may_hear(self, fact: Fact) -> bool:
        """Whether a fact may be told where something is said, to those who read the answer."""
        if fact.private:
            return self.alone and self.speaker.user_id == fact.user_id
        return fact.audience in self.audiences

    def allowed(self, fact: Fact) -> bool:
        """Whether the speaker may take a fact away: its subject, its teller, or a moderator."""
        return may_change(fact, self.speaker.user_id, moderates=self.may_moderate)


@dataclass(frozen=True, kw_only=True)
class Reply:
    """What to answer, and what the answer was given: for the question why.

    `off_record` marks what tells stored facts: it is no talk to be read again by a model. `messages`
    are the recent ones it was given.
    """

    text: str
    off_record: bool = False
    given: Mapping[str, Any] = field(default_factory=dict)
    messages: tuple[int, ...] = ()
    generation: int | None = None
    buttons: tuple[Button, ...] = ()
    files: Mapping[str, str] = field(default_factory=dict)

    @property
    def notes(self) -> tuple[int, ...]:
        """The notes that the answer was given."""
        return tuple({note for about in self.given.values() for note in about.get("notes", ())})

    @property
    def facts(self) -> tuple[int, ...]:
        """The facts that the answer was given."""
        return tuple(n for about in self.given.values() for n in about.get("facts", ()))
