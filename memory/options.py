"""What whoever opens a memory may choose."""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import timedelta

from memory.ingest import Journal
from memory.observer import Observer
from memory.store.cipher import TextCipher


@dataclass(frozen=True, kw_only=True)
class Retention:
    """How long things are kept."""

    messages: timedelta = timedelta(days=30)
    """Messages, by their age."""
    summaries: timedelta = timedelta(days=90)
    """What was made from messages: slices, notes and summaries of days."""
    replies: timedelta = timedelta(days=7)
    """What replies were given, and contexts."""
    conclusions: timedelta = timedelta(days=365)
    """What conversations came to."""
    after_leaving: timedelta | None = timedelta(days=30)
    """What is stored of a member who left; None is for ever."""


@dataclass(frozen=True, kw_only=True)
class SessionRules:
    """How long sessions last. `idle` ends one that leaves a digest, `life` any other (seeds 004 and 001)."""

    idle: timedelta = timedelta(minutes=7)
    life: timedelta = timedelta(hours=1)
    unbroken: timedelta = timedelta(hours=2)
    """After so long without a pause a digest is made, and the talk goes on."""


@dataclass(frozen=True, kw_only=True)
class Options:
    """The choices of one memory."""

    time_zone: str = "UTC"
    """The zone that decides days where a guild chose none."""
    wait: float = 1.0
    """Seconds a reply waits, in all, for everything before its own AI call."""
    retention: Retention = Retention()
    sessions: SessionRules = SessionRules()
    cipher: TextCipher = field(default_factory=TextCipher)
    """Encrypts the words of conversations where it has keys."""
    observer: Observer = field(default_factory=Observer)
    """Hears of calls, builds, batches and removals."""
    journal: Journal | None = None
    """Keeps deletions and edits over the end of the process."""
