"""The names of members who are not remembered: which of them keep a text from being stored. Pure.

A nickname is free to choose, so it must not give one member a say over everybody's words. A name counts
only if it is no everyday word, nobody else has it or had it, and it was carried for a day; of each member
the last three count.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timedelta

CARRIED = timedelta(days=1)
"""How long a name must have been carried before it counts."""

MOST = 3
"""Names of one member that count at the most."""

KEPT = 3 * MOST
"""Names of one member that are kept at the most: those that count, and newer ones that may come to count."""


@dataclass(frozen=True, kw_only=True)
class CarriedName:
    """A name as fingerprints of its forms, since when it was carried, and until when; None where it still is."""

    fingerprints: frozenset[str]
    since: datetime
    until: datetime | None = None

    def counts_from(self) -> datetime | None:
        """When it has been carried for long enough; None where it was laid down before."""
        if self.until is not None and self.until - self.since < CARRIED:
            return None
        return self.since + CARRIED

    def taken(self, at: datetime) -> CarriedName:
        """The name as it is carried on, or taken up again: then its day begins anew, unless it was carried for one."""
        if self.until is None or self.counts_from() is not None:
            return replace(self, until=None)
        return replace(self, since=at, until=None)

    def laid_down(self, at: datetime) -> CarriedName:
        """The name as it is carried no more."""
        return self if self.until is not None else replace(self, until=at)


def observed(
    known: Sequence[CarriedName], carried: Iterable[Collection[str]], at: datetime, since: datetime | None = None
) -> list[CarriedName]:
    """What is known of a member's names once they were seen with the names `carried` at a moment.

    `since` is when they took them, where that is known; otherwise it is `at`.
    """
    now = [frozenset(name) for name in carried if name]
    kept = [name.taken(at) if name.fingerprints in now else name.laid_down(at) for name in known]
    new = [name for name in dict.fromkeys(now) if name not in {name.fingerprints for name in known}]
    kept += [CarriedName(fingerprints=name, since=min(since or at, at)) for name in new]
    return sorted(kept, key=_newest, reverse=True)[:KEPT]


def counting(known: Sequence[CarriedName], others: Collection[str], at: datetime) -> frozenset[str]:
    """The fingerprints that recognise a member in a text at a moment; `others` are those of all others' names."""
    long_enough = [n for n in known if (start := n.counts_from()) is not None and start <= at]
    alone = [n.fingerprints - frozenset(others) for n in sorted(long_enough, key=_newest, reverse=True)]
    return frozenset(fingerprint for name in [name for name in alone if name][:MOST] for fingerprint in name)


def _newest(name: CarriedName) -> tuple[bool, datetime, datetime]:
    return name.until is None, name.until or name.since, name.since
