"""Reads days that nobody asked about: before their messages are purged, and when the day's quota would go unused."""

from __future__ import annotations

import logging
from collections.abc import Callable
from dataclasses import dataclass
from datetime import timedelta

from memory.ai import AIError
from memory.ai.models import AI
from memory.ai.shares import charged
from memory.core import Core
from memory.ids import GuildId
from memory.levels.notes import Notes
from memory.records import GuildRules, Mode
from memory.rules.calendar import bounds, day_of

log = logging.getLogger(__name__)

IDLE = timedelta(hours=3)
"""The last part of the provider's day: what is left of the quota then would go unused."""

LAST_CHANCE = timedelta(days=2)
"""How long before its messages are purged a day is read in any case."""

FEWEST_MESSAGES = 5
"""Messages of a day below which it is not read ahead: the instructions would cost more than the words."""


@dataclass(frozen=True)
class ReadingAhead:
    """Reads within READ_AHEAD_SHARE of the day's quota, after everything else."""

    _core: Core
    _ai: AI
    _notes: Notes
    _kept: Callable[[GuildRules], timedelta]
    """How long a guild keeps its messages."""

    async def read(self) -> int:
        """Read the days that are due; return how many. Ends once the quota, or this share of it, is used up."""
        if not self._ai.read_ahead_share or self._notes.blocked is not None:
            return 0
        done = 0
        for guild_id in await self._core.store.people.guilds():
            rules = await self._core.store.people.rules(guild_id)
            if rules.left_at is not None or rules.mode is not Mode.REMEMBER or not rules.read_ahead:
                continue
            try:
                with charged(guild_id):
                    done += await self._read(guild_id, self._kept(rules))
            except AIError as failed:
                log.info("reading ahead: %s", type(failed).__name__)
                break
        return done

    async def _read(self, guild_id: GuildId, kept: timedelta) -> int:
        """Read a guild's days: all of the past that are unread near the end of the quota's day, else those that go."""
        now, tz = self._core.clock(), await self._core.guilds.zone(guild_id)
        today, _ = bounds(day_of(now, tz), tz)
        since = now - kept
        until = today if self._ai.governor.until_next_day() <= IDLE else min(today, since + LAST_CHANCE)
        days = await self._core.store.notes.unread_days(guild_id, tz.key, since, until, FEWEST_MESSAGES)
        for day, audience in days:
            await self._notes.read(guild_id, audience, day, now, tz, is_ahead=True)
        return len(days)
