"""Weeks and months: the notes that are kept beyond the days, and the portrait that is made from them.

A week is made from the notes of its days, a month from those of its weeks, by selection alone. So they are notes like
any other: shown, struck, forgotten, exported and deleted with the messages that they rest on.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date, datetime, timedelta
from zoneinfo import ZoneInfo

from memory.ids import GuildId, UserId
from memory.levels.composing import by_day, days_text, most_important, selected
from memory.options import Retention
from memory.records import Note
from memory.store.notes import NoteStore

PORTRAIT_CHARACTERS = 400
"""A portrait's length at the most."""

MIN_PORTRAIT_CHARACTERS = 120
"""The part of a context that the other levels leave to a portrait where there is one."""

PERIODS = ("day", "week", "month")
"""What notes are kept as part of."""

NOTES_A_PERIOD = 6
"""Notes about one subject that are kept of a week, and of a month."""


@dataclass(frozen=True, kw_only=True)
class Lives:
    """The oldest day whose notes are kept in full, as part of a week, and as part of a month."""

    days: date
    weeks: date
    months: date

    @classmethod
    def at(cls, now: datetime, kept: Retention) -> Lives:
        """The oldest days at a moment; nothing longer is kept for less time than something shorter."""
        days = (now - kept.summaries).date()
        weeks = min((now - kept.weeks).date(), days)
        return cls(days=days, weeks=weeks, months=min((now - kept.months).date(), weeks))

    @property
    def last_week(self) -> date:
        """The Monday from which on days are kept in full."""
        return self.days - timedelta(days=self.days.weekday())

    @property
    def last_month(self) -> date:
        """The day from which on weeks are kept, and before which months are."""
        return self.weeks.replace(day=1)

    def period(self, day: date) -> tuple[str, date]:
        """What a day's notes are kept as part of ("day", "week" or "month"), and its first day."""
        if day >= self.last_week:
            return "day", day
        if day >= self.last_month:
            return "week", max(day - timedelta(days=day.weekday()), self.last_month)
        return "month", day.replace(day=1)


async def thin(store: NoteStore, guild_id: GuildId, lives: Lives) -> int:
    """Keep the most important notes of the weeks and months that are over, and delete the rest; how many went.

    A period is thinned once all its days are older than what is kept in full.
    """
    gone = 0
    for unit, since, until in (
        ("month", lives.months, lives.last_month),
        ("week", lives.last_month, lives.last_week),
    ):
        for notes in await store.crowded(guild_id, unit, since, until, NOTES_A_PERIOD):
            standing = (note for note in notes if note.superseded_by is None)
            kept = {note.note_id for note in most_important(standing, notes[0].user_id, NOTES_A_PERIOD)}
            dropped = [note.note_id for note in notes if note.note_id not in kept]
            await store.thin(guild_id, dropped)
            gone += len(dropped)
    await store.purge_empty_slices(guild_id, lives.days)
    return gone + await store.purge(guild_id, lives.months)


def portrait(notes: Sequence[Note], user_id: UserId, limit: int, tz: ZoneInfo, *, told: str) -> str:
    """What is known of a member from before the days, beside what is `told` already; by day, the weightiest of it."""
    if limit < MIN_PORTRAIT_CHARACTERS:
        return ""
    chosen = selected(notes, user_id, min(limit, PORTRAIT_CHARACTERS), told=told, dated=tz)
    return days_text(by_day(chosen, tz), user_id)
