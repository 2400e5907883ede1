"""Shares: one member at full speed leaves the rest of the quota to others."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, datetime, timedelta

import pytest

from memory.ai import ShareUsed, charge
from memory.ai import shares as module
from memory.ai.shares import Rules, Shares, charged, payer
from memory.store.usage import Limits

DAY = datetime(2026, 11, 10, tzinfo=UTC)
FLASH = Limits(requests_per_minute=10, tokens_per_minute=250_000, requests_per_day=250)
GEMMA = Limits(requests_per_minute=30, tokens_per_minute=15_000, requests_per_day=14_400)


@pytest.fixture(autouse=True)
def uncharged() -> Iterator[None]:
    yield
    module._PAYER.set(None)


class Time:
    def __init__(self) -> None:
        self.now = DAY + timedelta(hours=12)

    def __call__(self) -> datetime:
        return self.now


def full_speed(
    shares: Shares, time: Time, limits: Limits, tokens: int, *, minutes: int = 1, guild: int = 1, user: int = 5
) -> tuple[int, int]:
    """(requests, tokens) that a member gets who asks ten times a second."""
    charge(guild, user)
    requests = spent = 0
    for _ in range(minutes * 600):
        try:
            shares.charge("model", limits, tokens, DAY)
            requests, spent = requests + 1, spent + tokens
        except ShareUsed:
            pass
        time.now += timedelta(seconds=0.1)
    return requests, spent


@pytest.mark.parametrize(("limits", "tokens"), [(FLASH, 20_000), (GEMMA, 450), (GEMMA, 90)])
def test_a_minute_of_one_member(limits: Limits, tokens: int) -> None:
    """At most a fifth of the requests, and of the tokens, of the minute."""
    time = Time()
    requests, spent = full_speed(Shares(Rules(), time), time, limits, tokens)
    assert requests <= 0.2 * (limits.requests_per_minute or 0)
    assert spent <= 0.2 * (limits.tokens_per_minute or 0)
    assert requests >= 2


def test_one_request_a_minute_is_always_free() -> None:
    """A reply that is larger than the share is answered, once a minute."""
    time = Time()
    assert full_speed(Shares(Rules(), time), time, GEMMA, 3_400, minutes=3)[0] == 3


def test_a_day_of_one_member() -> None:
    """A twentieth of the day's requests, however they are spread."""
    time = Time()
    shares = Shares(Rules(), time)
    requests, _ = full_speed(shares, time, FLASH, 1_000, minutes=60)
    assert requests == 12
    with pytest.raises(ShareUsed) as used:
        shares.charge("model", FLASH, 1_000, DAY)
    assert used.value.retry_after > 3_600


def test_what_was_never_sent_does_not_count() -> None:
    """Where the model's own quota is out, asking in vain costs nobody their day."""
    time = Time()
    shares = Shares(Rules(), time)
    charge(1, 5)
    for _ in range(50):
        took = shares.charge("model", FLASH, 1_000, DAY)
        assert took is not None
        shares.give_back("model", took, DAY)
    assert full_speed(shares, time, FLASH, 1_000, minutes=60)[0] == 12


def test_others_are_not_held_up() -> None:
    """Neither another member, nor the bot's own work, which is for nobody."""
    time = Time()
    shares = Shares(Rules(), time)
    full_speed(shares, time, FLASH, 1_000)
    assert full_speed(shares, time, FLASH, 1_000, user=6)[0] == 2


def test_a_guild_leaves_half_to_others_who_are_there() -> None:
    """While another uses the model too; alone it has all."""
    time = Time()
    crowded = Shares(Rules(member=100, member_day=100), time)
    full_speed(crowded, time, FLASH, 10, guild=2, minutes=1)
    got, _ = full_speed(crowded, time, FLASH, 10, guild=1, minutes=1)
    assert got <= 5 + 1
    alone = Shares(Rules(member=100, member_day=100), time)
    assert full_speed(alone, time, FLASH, 10, guild=1, minutes=1)[0] > 100


def test_a_guilds_day_leaves_half_to_others_of_that_day() -> None:
    """However it is spread; a guild that is alone that day has all of it."""
    time = Time()
    rules = Rules(member=100, member_day=100, guild=100)
    shares = Shares(rules, time)
    charge(2, 7)
    shares.charge("model", FLASH, 10, DAY)
    assert full_speed(shares, time, FLASH, 10, guild=1)[0] == 125
    assert full_speed(Shares(rules, time), time, FLASH, 10, guild=1)[0] == 250
    charge(1, 5)
    assert shares.charge("model", FLASH, 10, DAY + timedelta(days=1)) is not None


def test_no_limit_is_no_share() -> None:
    """Where a model has no quota, nothing is parted."""
    time = Time()
    assert full_speed(Shares(Rules(), time), time, Limits(), 1_000)[0] == 600


def test_what_a_guild_s_talks_leave_counts_on_the_guild() -> None:
    """No member pays for it, and it does not go on for nobody's account; afterwards whoever paid before pays."""
    time = Time()
    shares = Shares(Rules(), time)
    charge(2, 7)
    shares.charge("model", FLASH, 100, DAY)
    charge(1, 5)
    with charged(1):
        for _ in range(5):
            shares.charge("model", FLASH, 100, DAY)
        with pytest.raises(ShareUsed):
            shares.charge("model", FLASH, 100, DAY)
    by = payer()
    assert by is not None
    assert (by.guild_id, by.user_id) == (1, 5)
    time.now += timedelta(minutes=1, seconds=1)
    shares.charge("model", FLASH, 100, DAY)
