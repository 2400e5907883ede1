"""A guild's calendar: which day a moment belongs to, its bounds, its hour bucket, its window. Pure."""

from __future__ import annotations

from datetime import UTC, date, datetime, time, timedelta
from zoneinfo import ZoneInfo, available_timezones

WINDOW_DAYS = 6
"""Days 2-7: yesterday and the five days before it (seed 003, Historical Summary)."""


def zone(name: str) -> ZoneInfo:
    """The time zone called `name`. Raises ValueError naming it when there is none."""
    try:
        return ZoneInfo(name)
    except (KeyError, ValueError, OSError) as unknown:
        raise ValueError(f"{name!r} is not a time zone; write one like Europe/Berlin or UTC") from unknown


def zone_called(text: str) -> ZoneInfo:
    """The time zone that somebody names, by its name or its city alone. Raises ValueError where there is none."""
    wanted = text.strip().replace(" ", "_").casefold()
    known = available_timezones()
    found = [name for name in known if name.casefold() == wanted]
    found = found or [name for name in known if name.rpartition("/")[2].casefold() == wanted]
    return zone(min(found, key=lambda name: (len(name), name)) if found else text)


def day_of(moment: datetime, tz: ZoneInfo) -> date:
    """The guild's day that `moment` belongs to."""
    return moment.astimezone(tz).date()


def bounds(day: date, tz: ZoneInfo) -> tuple[datetime, datetime]:
    """The first moment of `day` and the first of the next, in UTC: 23, 24 or 25 hours apart.

    Where a zone skips midnight, the day starts at the first moment that exists.
    """
    return _start(day, tz), _start(day + timedelta(days=1), tz)


def _start(day: date, tz: ZoneInfo) -> datetime:
    return datetime.combine(day, time.min, tz).astimezone(UTC)


def hour_bucket(moment: datetime, tz: ZoneInfo, hours: int = 1) -> str:
    """`YYYY-MM-DD-HH` in the guild's zone (seed 003, Cache Key Design), of the first of some `hours` from midnight on.

    The second of the two equal hours of a night in autumn ends in `+`.
    """
    local = moment.astimezone(tz)
    return f"{local:%Y-%m-%d}-{local.hour - local.hour % hours:02}{'+' * local.fold}"


def hour_end(moment: datetime, tz: ZoneInfo) -> datetime:
    """The first moment of the next hour of the guild's zone."""
    local = moment.astimezone(tz)
    return (
        moment
        + timedelta(hours=1)
        - timedelta(minutes=local.minute, seconds=local.second, microseconds=local.microsecond)
    )


def period_end(period: str, first: date) -> date:
    """The last day of the day, week or month that begins, or is gone on with, on a day."""
    if period == "week":
        return first + timedelta(days=6 - first.weekday())
    if period == "month":
        return (first.replace(day=1) + timedelta(days=31)).replace(day=1) - timedelta(days=1)
    return first


def window(today: date) -> tuple[date, ...]:
    """Days 2-7 before and without `today`, oldest first."""
    return tuple(today - timedelta(days=back) for back in range(WINDOW_DAYS, 0, -1))
