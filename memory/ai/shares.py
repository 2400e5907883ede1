"""Fair shares of a model's quota: what one member, and one guild, may take of it, so that others have the rest.

Counted in this process: a guild lives in one. docs/architecture.md has the rule: in any sixty seconds a member may
take `member` percent of the minute's requests and tokens, and of a day `member_day` percent; at least one request each.
A guild may take `guild` percent of a minute while others used the model within the last ten minutes, else all; and of a
day `guild_day` percent, if others used it that day.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass, field
from datetime import datetime, timedelta

from cachetools import TTLCache

from memory.ai.client import ShareUsed
from memory.ids import GuildId, UserId
from memory.store.usage import Limits

MINUTE, ACTIVE = timedelta(minutes=1), timedelta(minutes=10)


@dataclass(frozen=True)
class Payer:
    """For whom a model is asked: what it costs counts on them."""

    guild_id: GuildId
    user_id: UserId | None
    """None for work that is a guild's and nobody's alone."""


_PAYER: ContextVar[Payer | None] = ContextVar("payer", default=None)


def charge(guild_id: GuildId, user_id: UserId) -> None:
    """Let what this task asks models for, and what it begins, count on a member."""
    _PAYER.set(Payer(guild_id, user_id))


@contextmanager
def charged(guild_id: GuildId) -> Iterator[None]:
    """Let what is asked of models inside count on a guild: what its talks leave is for all of it."""
    token = _PAYER.set(Payer(guild_id, None))
    try:
        yield
    finally:
        _PAYER.reset(token)


def payer() -> Payer | None:
    """Whom the model is asked for now; None for the bot's own work."""
    return _PAYER.get()


@dataclass
class Took:
    """One request that was let through: when, and how many tokens it took, or is thought to."""

    at: datetime
    tokens: int


@dataclass
class _Ledger:
    """The requests of a member or a guild within the last minute."""

    took: deque[Took] = field(default_factory=deque)

    def since(self, start: datetime) -> list[Took]:
        while self.took and self.took[0].at <= start:
            self.took.popleft()
        return list(self.took)


@dataclass(frozen=True, kw_only=True)
class Rules:
    """Percent of a model's quota: of the minute and of the day, for a member and for a guild; 100 is no bound."""

    member: int = 20
    member_day: int = 5
    guild: int = 50
    guild_day: int = 50


_Share = tuple[str, GuildId | None, UserId | None]
"""Of which model, and whose: a guild's, or a member's over all guilds."""


class Shares:
    """Lets a request through, or says how long who asks for it has to wait."""

    def __init__(self, rules: Rules, clock: Callable[[], datetime]) -> None:
        self._rules = rules
        self._clock = clock
        timer = lambda: clock().timestamp()  # noqa: E731
        self._ledgers: TTLCache[_Share, _Ledger] = TTLCache(50_000, ttl=3_600, timer=timer)
        self._days: TTLCache[tuple[_Share, datetime], int] = TTLCache(50_000, ttl=90_000, timer=timer)
        self._guilds: TTLCache[tuple[str, datetime], set[GuildId]] = TTLCache(1_000, ttl=90_000, timer=timer)
        self._active: dict[str, dict[GuildId, datetime]] = {}

    def charge(self, model: str, limits: Limits, tokens: int, day: datetime) -> Took | None:
        """Count a request of about `tokens` on whom it is for; None where it is for nobody.

        Raises ShareUsed with how long to wait.
        """
        by = payer()
        if by is None:
            return None
        now = self._clock()
        mine = [self._ledger(share) for share in _of_member(model, by)]
        ours = self._ledger((model, by.guild_id, None))
        for ledger in mine:
            self._check(ledger, limits, self._rules.member, tokens, now)
        today = self._guilds.setdefault((model, day), set())
        if limits.requests_per_day is not None:
            bounds = [(share, self._rules.member_day) for share in _of_member(model, by)]
            if today - {by.guild_id}:
                bounds.append(((model, by.guild_id, None), self._rules.guild_day))
            for share, percent in bounds:
                if self._days.get((share, day), 0) >= _part(limits.requests_per_day, percent):
                    raise ShareUsed(retry_after=max((day + timedelta(days=1) - now).total_seconds(), 60.0))
        if self._others(model, by.guild_id, now):
            self._check(ours, limits, self._rules.guild, tokens, now)
        took = Took(now, tokens)
        for ledger in (*mine, ours):
            ledger.took.append(took)
        today.add(by.guild_id)
        self._count(model, by, day, 1)
        self._active.setdefault(model, {})[by.guild_id] = now
        return took

    def give_back(self, model: str, took: Took, day: datetime) -> None:
        """Count no more what was let through and never sent: the model's own quota was out."""
        by = payer()
        if by is None:
            return
        for share in _shares(model, by):
            ledger = self._ledger(share)
            ledger.took = deque(one for one in ledger.took if one is not took)
        self._count(model, by, day, -1)

    def _count(self, model: str, by: Payer, day: datetime, requests: int) -> None:
        for share in _shares(model, by):
            self._days[share, day] = max(self._days.get((share, day), 0) + requests, 0)

    def _check(self, ledger: _Ledger, limits: Limits, percent: int, tokens: int, now: datetime) -> None:
        """Raise ShareUsed where a minute's part of requests or tokens is used; one request a minute is always free."""
        recent = ledger.since(now - MINUTE)
        if not recent or percent >= 100:
            return
        requests, most = limits.requests_per_minute, limits.tokens_per_minute
        too_many = requests is not None and len(recent) >= _part(requests, percent)
        too_much = most is not None and sum(t.tokens for t in recent) + tokens > most * percent / 100
        if too_many or too_much:
            raise ShareUsed(retry_after=max((recent[0].at + MINUTE - now).total_seconds(), 0.01))

    def _others(self, model: str, guild_id: GuildId, now: datetime) -> bool:
        """Whether another guild used a model lately."""
        active = self._active.setdefault(model, {})
        for other in [g for g, at in active.items() if at <= now - ACTIVE]:
            del active[other]
        return any(other != guild_id for other in active)

    def _ledger(self, share: _Share) -> _Ledger:
        found = self._ledgers.get(share)
        if found is None:
            found = self._ledgers[share] = _Ledger()
        return found


def _of_member(model: str, by: Payer) -> list[_Share]:
    return [] if by.user_id is None else [(model, None, by.user_id)]


def _shares(model: str, by: Payer) -> list[_Share]:
    """The shares that a request counts on: its member's, if there is one, and its guild's."""
    return [*_of_member(model, by), (model, by.guild_id, None)]


def _part(limit: int, percent: int) -> int:
    """A part of a limit, rounded down; at least one."""
    return max(limit * percent // 100, 1)
