"""The calendar."""

from datetime import UTC, date, datetime, timedelta
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memory.rules.calendar import bounds, day_of, hour_bucket, hour_end, window, zone, zone_called

ZONES = [
    ZoneInfo(name)
    for name in (
        "UTC",
        "Europe/Berlin",
        "America/New_York",
        "America/Sao_Paulo",
        "Asia/Kathmandu",
        "Pacific/Apia",
        "Australia/Lord_Howe",
        "Pacific/Kiritimati",
        "Africa/Casablanca",
        "America/Havana",
    )
]
MOMENTS = st.datetimes(datetime(2010, 1, 1), datetime(2040, 1, 1), timezones=st.just(UTC))


@given(MOMENTS, st.sampled_from(ZONES))
def test_a_moment_lies_within_the_bounds_of_its_day(moment: datetime, tz: ZoneInfo) -> None:
    """Every moment belongs to exactly one day, and that day's bounds hold it."""
    start, end = bounds(day_of(moment, tz), tz)

    assert start <= moment < end


@given(st.dates(date(2010, 1, 1), date(2040, 1, 1)), st.sampled_from(ZONES))
def test_days_follow_one_another_without_gap_or_overlap(day: date, tz: ZoneInfo) -> None:
    """A day ends where the next begins, whatever the clocks do."""
    assert bounds(day, tz)[1] == bounds(day + timedelta(days=1), tz)[0]


@pytest.mark.parametrize(
    ("day", "name", "hours"),
    [
        (date(2026, 3, 29), "Europe/Berlin", 23),
        (date(2026, 10, 25), "Europe/Berlin", 25),
        (date(2026, 11, 1), "America/New_York", 25),
        (date(2026, 3, 8), "America/New_York", 23),
        (date(2026, 11, 10), "Europe/Berlin", 24),
        (date(2018, 11, 4), "America/Sao_Paulo", 23),
        (date(2026, 4, 5), "Australia/Lord_Howe", 24.5),
        (date(2011, 12, 30), "Pacific/Apia", 0),
    ],
)
def test_daylight_saving_makes_days_longer_and_shorter(day: date, name: str, hours: float) -> None:
    """A day has the hours its zone gives it: 23, 25, a half more, or none at all."""
    start, end = bounds(day, ZoneInfo(name))

    assert (end - start) == timedelta(hours=hours)


def test_midnight_decides_the_day_by_the_guilds_zone() -> None:
    """The last second of a day and the first of the next are in different days of the guild."""
    berlin = ZoneInfo("Europe/Berlin")
    before, after = datetime(2026, 11, 9, 22, 59, 59, tzinfo=UTC), datetime(2026, 11, 9, 23, tzinfo=UTC)

    assert (day_of(before, berlin), day_of(after, berlin)) == (date(2026, 11, 9), date(2026, 11, 10))


def test_every_day_of_a_month_across_a_change_of_clocks() -> None:
    """Through October and November each day's window is the six days before it, and every hour has its bucket."""
    berlin = ZoneInfo("Europe/Berlin")
    moment, buckets = datetime(2026, 10, 9, 22, tzinfo=UTC), []
    for _ in range(31 * 24 + 1):
        today = day_of(moment, berlin)
        assert window(today) == tuple(today - timedelta(days=n) for n in (6, 5, 4, 3, 2, 1))
        buckets.append(hour_bucket(moment, berlin))
        moment += timedelta(hours=1)

    assert buckets == sorted(buckets)
    assert len(buckets) == len(set(buckets))  # 02:00 comes twice on the last Sunday of October


def test_half_hour_zones_have_their_own_hours() -> None:
    """A bucket follows the guild's clock, not UTC's."""
    assert hour_bucket(datetime(2026, 11, 9, 18, 20, tzinfo=UTC), ZoneInfo("Asia/Kathmandu")) == "2026-11-10-00"


def test_several_hours_count_from_midnight() -> None:
    """Buckets of some hours have the name of their first."""
    kathmandu = ZoneInfo("Asia/Kathmandu")
    found = [hour_bucket(datetime(2026, 11, 9, hour, 20, tzinfo=UTC), kathmandu, 4) for hour in (18, 21, 22, 23)]
    assert found == ["2026-11-10-00", "2026-11-10-00", "2026-11-10-04", "2026-11-10-04"]


@pytest.mark.parametrize("name", ["Mars/Olympus", "", "../etc/passwd", "Europe"])
def test_a_zone_that_is_none_is_named(name: str) -> None:
    """A wrong zone is a ValueError that says what to write."""
    with pytest.raises(ValueError, match="Europe/Berlin"):
        zone(name)


@pytest.mark.parametrize(
    ("named", "key"),
    [
        ("berlin", "Europe/Berlin"),
        ("New York", "America/New_York"),
        (" europe/berlin ", "Europe/Berlin"),
        ("utc", "UTC"),
        ("Buenos Aires", "America/Buenos_Aires"),
    ],
)
def test_a_zone_by_its_name_or_its_city(named: str, key: str) -> None:
    """In any case; of several the shortest."""
    assert zone_called(named).key == key


def test_a_zone_that_there_is_none() -> None:
    """An error that says how zones are written."""
    with pytest.raises(ValueError, match="Europe/Berlin"):
        zone_called("Nowhere")


def test_the_end_of_an_hour() -> None:
    """The first moment of the next, also in a zone of half hours."""
    tz = ZoneInfo("Asia/Kolkata")
    at = datetime(2026, 11, 10, 12, 10, 5, 7, tzinfo=UTC)  # 17:40 there
    assert hour_end(at, tz) == datetime(2026, 11, 10, 12, 30, tzinfo=UTC)
