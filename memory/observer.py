"""What memory tells of its work, to whoever keeps logs, traces and metrics: numbers and kinds, no words and no ids."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from memory.records import FallbackLevel, InboxKind, InboxState


@dataclass(frozen=True, kw_only=True)
class AICall:
    """One request to a model, with its retries."""

    model: str
    prompt: str
    """The prompt's name."""
    seconds: float
    tokens_in: int
    tokens_out: int
    error: str = ""
    """The class of what went wrong; empty where nothing did."""
    parts: Mapping[str, int] = field(default_factory=dict)
    """The tokens of each part of a prompt of the small model."""


@dataclass(frozen=True, kw_only=True)
class BatchWritten:
    """Messages, edits and deletions that were written in one transaction."""

    writes: int
    seconds: float
    lag: float
    """Seconds from when the oldest of its messages was written in Discord; of what was missed, 0."""
    removed: int
    """Rows that went with deleted messages."""


@dataclass(frozen=True, kw_only=True)
class SliceRead:
    """A slice that a model read."""

    messages: int
    notes: int
    dropped: int
    """Notes that nothing bore out."""


@dataclass(frozen=True, kw_only=True)
class Build:
    """A level that was looked at, and made anew where that was due: a day, the history, the merge of a conversation."""

    level: str
    seconds: float
    """From its turn to its end."""
    error: str = ""
    """The class of what went wrong; empty where nothing did."""


@dataclass(frozen=True, kw_only=True)
class Removal:
    """Something that was taken away because somebody wanted it, or because it is no more."""

    kind: str
    """What it was: a statement, a choice of consent, a member, a channel or a guild."""
    rows: int
    seconds: float


class Observer:
    """Hears events as they happen, and does nothing with them; one that does must be quick, and must not raise."""

    def ai_called(self, call: AICall) -> None:
        """A model was asked."""

    def batch_written(self, batch: BatchWritten) -> None:
        """Writes are in the database."""

    def slice_read(self, read: SliceRead) -> None:
        """A slice was read."""

    def built(self, build: Build) -> None:
        """A level is as it should be, or could not be made."""

    def removed(self, removal: Removal) -> None:
        """Something is gone."""

    def contexts_built(self, levels: list[FallbackLevel], seconds: float) -> None:
        """Contexts were gathered for a reply; how complete each of them is."""

    def inbox_moved(self, kind: InboxKind, state: InboxState, seconds: float) -> None:
        """Something the bot was asked got as far as a state, so many seconds after it was asked."""
