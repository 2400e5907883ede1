"""The time: the database's, which all processes share, by the clock of this machine and how far it is off."""

from __future__ import annotations

import logging
from collections.abc import Callable
from datetime import datetime, timedelta

log = logging.getLogger(__name__)

NOTICED = timedelta(seconds=1)
"""How far a clock is off before it counts: less is the time that asking takes."""

TOLD = timedelta(seconds=5)
"""How far a clock is off before the operator is told."""


class DatabaseClock:
    """A clock that goes by the database's time, once it was told that."""

    def __init__(self, clock: Callable[[], datetime]) -> None:
        self._clock = clock
        self.skew = timedelta(0)
        """How far this machine's clock is ahead of the database's; behind, where it is negative."""

    def __call__(self) -> datetime:
        """The time now."""
        return self._clock() - self.skew

    def follow(self, now: datetime) -> None:
        """Go by the database's time, which is `now`."""
        skew = self._clock() - now
        if abs(skew) < NOTICED:
            skew = timedelta(0)
        if abs(skew) > TOLD and abs(skew - self.skew) > TOLD:
            log.warning(
                "the clock of this machine is %.0f s %s that of the database, which counts: set it by NTP",
                *(abs(skew).total_seconds(), "ahead of" if skew > timedelta(0) else "behind"),
            )
        if abs(skew - self.skew) >= NOTICED or not skew:
            self.skew = skew
