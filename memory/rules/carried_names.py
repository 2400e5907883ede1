"""The names of members who are not remembered: which of them keep a text from being stored. Pure.

A nickname is free to choose, so it must not give one member a say over everybody's words. A name counts
only if it is no everyday word, nobody else has it or had it, and it was carried for a day; of each member
the last three count.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta

MIN_CARRIED_TIME = timedelta(days=1)
"""How long a name must have been carried before it counts."""

MAX_NAMES = 3
"""Names of one member that count at the most."""

MAX_KEPT_NAMES = 3 * MAX_NAMES
"""Names of one member that are kept at the most: those that count, and newer ones that may come to count."""


@dataclass(frozen=True, kw_only=True)
class CarriedName:
    """A name as fingerprints of its forms, since when it was carried, and until when; None where it still is."""

    fingerprints: frozenset[str]
    since: datetime
    until: datetime | None = None

    def counts_from(self) -> datetime | None:
        """When it has been carried for long enough; None where it was laid down before."""
        if self.until is not None and self.until - self.since < MIN_CARRIED_TIME:
            return None
        return self.since + MIN_CARRIED_TIME


def carried_names(
    carried: Iterable[Collection[str]], former: Iterable[Collection[str]], at: datetime, since: datetime | None = None
) -> list[CarriedName]:
    """The names of a member who chooses at a moment not to be remembered: those carried, since then, and former ones.

    `since` is when the carried ones were taken, where that is known; what came before was laid down at the latest `at`.
    """
    start = min(since or at, at)
    now = [frozenset(name) for name in carried if name]
    before = [frozenset(name) for name in former if name]
    names = [CarriedName(fingerprints=name, since=start) for name in dict.fromkeys(now)]
    names += [
        CarriedName(fingerprints=name, since=start, until=at) for name in dict.fromkeys(before) if name not in now
    ]
    return names[:MAX_KEPT_NAMES]


def counting(known: Sequence[CarriedName], others: Collection[str], at: datetime) -> frozenset[str]:
    """The fingerprints that recognise a member in a text at a moment; `others` are those of all others' names."""
    long_enough = [n for n in known if (start := n.counts_from()) is not None and start <= at]
    alone = [n.fingerprints - frozenset(others) for n in sorted(long_enough, key=_newest, reverse=True)]
    return frozenset(fingerprint for name in [name for name in alone if name][:MAX_NAMES] for fingerprint in name)


def _newest(name: CarriedName) -> tuple[bool, datetime, datetime]:
    return name.until is None, name.until or name.since, name.since
