"""What the caller of `open_memory` can choose."""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import timedelta

from memory.ingest import Journal
from memory.observer import Observer
from memory.records import GuildRules
from memory.store.cipher import TextCipher


@dataclass(frozen=True, kw_only=True)
class Retention:
    """How long data is kept."""

    messages: timedelta = timedelta(days=30)
    """Messages, by age."""
    summaries: timedelta = timedelta(days=90)
    """Everything made from messages: slices, notes, and summaries of days."""
    weeks: timedelta = timedelta(days=365)
    """The most important notes of each week."""
    months: timedelta = timedelta(days=3_650)
    """The most important notes of each month."""
    replies: timedelta = timedelta(days=7)
    """Contexts, and what replies were given."""
    conclusions: timedelta = timedelta(days=365)
    """What conversations concluded."""
    after_leaving: timedelta | None = timedelta(days=30)
    """What is stored about a member who left. None means for ever."""

    def messages_of(self, rules: GuildRules) -> timedelta:
        """How long a guild's messages are kept. A guild may choose a shorter period."""
        own = rules.retention_days
        return self.messages if own is None else min(self.messages, timedelta(days=own))


@dataclass(frozen=True, kw_only=True)
class SessionRules:
    """How long sessions last: `idle` for sessions that leave a digest, `life` for all others (seeds 004 and 001)."""

    idle: timedelta = timedelta(minutes=7)
    life: timedelta = timedelta(hours=1)
    unbroken: timedelta = timedelta(hours=2)
    """After this long without a pause, a digest is made and the session goes on."""


@dataclass(frozen=True, kw_only=True)
class Options:
    """The options of a memory."""

    time_zone: str = "UTC"
    """The time zone of guilds that have not chosen one."""
    wait: float = 1.0
    """How many seconds a reply waits in total for everything before its own AI call."""
    retention: Retention = Retention()
    sessions: SessionRules = SessionRules()
    cipher: TextCipher = field(default_factory=TextCipher)
    """Encrypts the text of conversations, if it has keys."""
    observer: Observer = field(default_factory=Observer)
    """Is notified of AI calls, builds, batches and deletions."""
    journal: Journal | None = None
    """Keeps deletions and edits that the database has not taken when the process ends."""
