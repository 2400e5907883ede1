"""What was removed or changed, and how it is undone."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from memory.ids import GuildId, UserId
from memory.records.facts import Fact


@dataclass(frozen=True, kw_only=True)
class Receipt:
    """What was removed, by table and count, and what a second search afterwards found there still."""

    guild_id: GuildId
    user_id: UserId | None
    action: str
    at: datetime
    removed: Mapping[str, int]
    found: Mapping[str, int]

    @property
    def clean(self) -> bool:
        """Whether the second search found nothing."""
        return not any(self.found.values())

    def as_json(self) -> dict[str, Any]:
        """For a file."""
        return {
            "guild": str(self.guild_id),
            "member": str(self.user_id) if self.user_id is not None else None,
            "action": self.action,
            "at": self.at.isoformat(),
            "removed": dict(self.removed),
            "second_search": {"found": dict(self.found), "nothing_left": self.clean},
        }


@dataclass(frozen=True, kw_only=True)
class Chosen:
    """What a member's choice removed, a receipt for each guild, and how to undo it where they chose; None where not."""

    receipts: tuple[Receipt, ...] = ()
    undo: Undo | None = None


@dataclass(frozen=True, kw_only=True)
class Change:
    """One line of the audit: who changed what, without the words. `undoable` until `undo_until`."""

    guild_id: GuildId
    entry_id: int
    at: datetime
    actor_id: UserId
    action: str
    user_id: UserId | None
    fact_ids: tuple[int, ...]
    details: Mapping[str, Any]
    administrative: bool
    undo_until: datetime | None
    undone_at: datetime | None

    @property
    def is_undone(self) -> bool:
        """Whether it was taken back; what waited to be confirmed is over once it is answered."""
        return self.undone_at is not None and self.action != "pending"


@dataclass(frozen=True, kw_only=True)
class Undo:
    """What an Undo button carries: the entry, and the key to what it holds, which is kept nowhere else."""

    entry_id: int
    key: str = ""


@dataclass(frozen=True, kw_only=True)
class Forgotten:
    """What a request to forget did: facts removed, with the receipt; or the candidates it could mean.

    `refused` are facts that the viewer may not have forgotten; `further` is how many went besides, retired ones or
    ones told elsewhere that tell the same.
    """

    removed: tuple[Fact, ...] = ()
    candidates: tuple[Fact, ...] = ()
    nearest: tuple[Fact, ...] = ()
    refused: tuple[Fact, ...] = ()
    receipt: Receipt | None = None
    undo: Undo | None = None
    further: int = 0
    told_by_others: tuple[Fact, ...] = ()
    """Facts that stay: what the viewer told of them went, and others told them, too."""


@dataclass(frozen=True, kw_only=True)
class Stored:
    """How much is stored about a member in a guild: counts by kind, and from when to when."""

    guild_id: GuildId
    counts: Mapping[str, int]
    oldest: datetime | None
    newest: datetime | None
