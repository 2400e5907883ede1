"""Keeping within a model's quota, by counts in the database that all processes share."""

from __future__ import annotations

import asyncio
import math
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import TypeVar
from zoneinfo import ZoneInfo

from cachetools import TTLCache
from pydantic import BaseModel

from memory.ai.client import AITrouble, BudgetUsed, MediaShareUsed, Priority, Prompt, QuotaExhausted, ShareUsed
from memory.ai.shares import Rules, Shares, Took, payer
from memory.ids import GuildId, MessageId, UserId
from memory.records import Spent
from memory.rules.calendar import bounds, day_of
from memory.store.usage import Carried, Limits, UsageStore

T = TypeVar("T", bound=BaseModel)

PARTS = {Priority.REPLY: 100, Priority.MEMORY: 90, Priority.DIGEST: 75, Priority.MEDIA: 60, Priority.AHEAD: 60}
"""Percent of a minute's and a day's quota that each priority may use up, of a model that answers people too."""


MEMBER_OF_BUDGET, LEAST_OF_BUDGET = 25, 3
"""Percent of a guild's own budget of a day that one member may use, and requests that they may in any case."""

LONGEST_STRETCH = 6
"""Hours between two readings of a day that is going on at the most, however short a model's calls are."""


@dataclass(frozen=True, kw_only=True)
class Reservation:
    """One request that was counted before it was made."""

    model: str
    guild_id: GuildId
    tokens: int
    minute: datetime
    day: datetime
    priority: Priority = Priority.REPLY
    took: Took | None = None
    """What it counts for in the share of whom it is for."""
    messages: tuple[MessageId, ...] = ()
    members: tuple[UserId, ...] = ()
    """Whose words it carries, as the prompt says."""


@dataclass(frozen=True, kw_only=True)
class Quota:
    """A model's use today against its limits."""

    model: str
    spent: Spent
    limits: Limits
    blocked_until: datetime | None
    """Until when the provider will not answer, as it said."""
    out_until: datetime | None = None
    """Until when it is not asked: for that long, or for the rest of the day whose calls are used up."""
    trouble: AITrouble | None = None
    """What kept the model from answering this process the last time it was asked."""


async def _unbounded(_guild_id: GuildId) -> None:
    return None


def _background_use(model: str, priority: Priority) -> str:
    """The name under which a model's requests of a priority are counted beside all of them."""
    return f"{model} ({priority})"


class Governor:
    """Counts each request before it is made, and waits or refuses where a limit is reached."""

    def __init__(
        self,
        usage: UsageStore,
        limits: Mapping[str, Limits],
        clock: Callable[[], datetime],
        quota_zone: ZoneInfo,
        sleep: Callable[[float], object] = asyncio.sleep,
        shares: Shares | None = None,
        background: Mapping[Priority, int] | None = None,
    ) -> None:
        self._usage = usage
        self._limits = limits
        self._clock = clock
        self._zone = quota_zone
        self._sleep = sleep
        self._shares = shares or Shares(Rules(), clock)
        self._background = background or {Priority.MEDIA: 20, Priority.AHEAD: 25}
        self._out: dict[str, tuple[datetime, QuotaExhausted]] = {}
        self._answering: set[str] = set()
        self._used: dict[str, tuple[datetime, int]] = {}
        timer = lambda: clock().timestamp()  # noqa: E731
        self._asked_by: TTLCache[tuple[int, int, datetime], int] = TTLCache(50_000, ttl=90_000, timer=timer)
        self.budget_of: Callable[[GuildId], Awaitable[int | None]] = _unbounded
        """How many requests a day a guild allows itself; None is no bound."""

    def now(self) -> datetime:
        """The time by which quota is counted."""
        return self._clock()

    async def reserve(self, model: str, prompt: Prompt[T]) -> Reservation:
        """Count one request; wait up to the prompt's patience for a new minute. Raises QuotaExhausted and ShareUsed."""
        await self._keep_budget(prompt.guild_id, prompt.priority)
        whole = self._limits.get(model, Limits())
        if prompt.priority in self._background:
            await self._keep_background_share(model, whole, prompt.priority)
        if prompt.priority is Priority.REPLY:
            self._answering.add(model)
        limits = whole.part(PARTS[prompt.priority]) if model in self._answering else whole
        asked = prompt.tokens + min(prompt.max_output_tokens, 500)
        patience = prompt.patience
        took: Took | None = None
        while True:
            now = self._clock()
            minute = now.astimezone(UTC).replace(second=0, microsecond=0)
            day, next_day = bounds(day_of(now, self._zone), self._zone)
            if took is None:
                try:
                    took = self._shares.charge(model, whole, asked, day)
                except ShareUsed as used:
                    if used.retry_after > patience:
                        raise
                    patience -= used.retry_after
                    await self._pause(used.retry_after)
                    continue
            counted = await self._usage.reserve(model, limits, asked, minute, day, now)
            if isinstance(counted, int):
                self._used[model] = day, counted
                if prompt.priority in self._background:  # beside the model's own requests, for all processes
                    use = _background_use(model, prompt.priority)
                    await self._usage.reserve(use, Limits(), 0, minute, day, now)
                return Reservation(
                    model=model,
                    guild_id=prompt.guild_id,
                    tokens=asked,
                    minute=minute,
                    day=day,
                    priority=prompt.priority,
                    took=took,
                    messages=prompt.messages,
                    members=prompt.members,
                )
            what, until = counted
            free = until or (next_day if what == "day" else minute + timedelta(minutes=1))
            wait = max((free - now).total_seconds(), 0.01)
            if wait > patience or what == "day":
                if took is not None:
                    self._shares.give_back(model, took, day)
                if what == "day" and limits != whole:
                    raise ShareUsed("What is left of the day's quota is for answers.", retry_after=wait)
                exhausted = QuotaExhausted(
                    f"The quota of {model} is used up until {free:%Y-%m-%d %H:%M} UTC.",
                    retry_after=wait,
                    whole_day=free >= next_day,
                )
                if exhausted.whole_day:
                    self._out[model] = free, exhausted
                raise exhausted
            patience -= wait
            await self._pause(wait)

    async def _keep_background_share(self, model: str, limits: Limits, priority: Priority) -> None:
        """Raise MediaShareUsed or ShareUsed where a priority took what it may of a model's day."""
        day, _ = bounds(day_of(self._clock(), self._zone), self._zone)
        share, use = self._background[priority], _background_use(model, priority)
        most = limits.part(share).requests_per_day if share else 0
        spent, _ = (await self._usage.today({use: day})).get(use, (Spent(), None))
        if most is not None and spent.calls >= most:
            used = MediaShareUsed if priority is Priority.MEDIA else ShareUsed
            raise used("The day's share for this is used up.", retry_after=self.until_next_day().total_seconds())

    def until_next_day(self) -> timedelta:
        """How long it is until the day of quotas is over."""
        now = self._clock()
        _, next_day = bounds(day_of(now, self._zone), self._zone)
        return next_day - now

    async def used_by(self, guild_id: GuildId) -> int:
        """How many requests of a guild models answered since the day of quotas began."""
        day, _ = bounds(day_of(self._clock(), self._zone), self._zone)
        return await self._usage.requests_of(guild_id, day)

    async def _keep_budget(self, guild_id: GuildId, priority: Priority) -> None:
        """Raise BudgetUsed where a guild used what it allows itself a day, ShareUsed where a member did their part."""
        budget = await self.budget_of(guild_id) if guild_id else None
        if budget is None:
            return
        now = self._clock()
        day, next_day = bounds(day_of(now, self._zone), self._zone)
        wait = max((next_day - now).total_seconds(), 60.0)
        if await self.used_by(guild_id) >= -(-budget * PARTS[priority] // 100):
            raise BudgetUsed("The day's requests that the server allows itself are used up.", retry_after=wait)
        if (by := payer()) is not None and by.user_id is not None:
            key = guild_id, by.user_id, day
            if self._asked_by.get(key, 0) >= max(LEAST_OF_BUDGET, budget * MEMBER_OF_BUDGET // 100):
                raise ShareUsed("The member's part of the server's requests is used up.", retry_after=wait)
            self._asked_by[key] = self._asked_by.get(key, 0) + 1

    async def _pause(self, seconds: float) -> None:
        pause = self._sleep(seconds)
        if asyncio.iscoroutine(pause):
            await pause

    def blocked(self, model: str) -> QuotaExhausted | None:
        """That a model's quota is used up for the day, as far as this process knows; None where it may be asked."""
        until, exhausted = self._out.get(model, (self._clock(), None))
        return exhausted if self._clock() < until else None

    def hours_between_reads(self, model: str) -> int:
        """How many hours a day that is going on is left alone between two readings, so that a model's calls last.

        One; where they would be used up at today's pace before the day is over, as many as make them last, up to
        `LONGEST_STRETCH`.
        """
        most = self._limits.get(model, Limits()).requests_per_day
        now = self._clock()
        day, next_day = bounds(day_of(now, self._zone), self._zone)
        known_day, used = self._used.get(model, (day, 0))
        if most is None or known_day != day:
            return 1
        share = PARTS[Priority.MEMORY] if model in self._answering else 100
        gone = max((now - day) / (next_day - day), 1 / 24)
        return max(1, min(math.ceil(used / gone * 100 / (most * share)), LONGEST_STRETCH))

    async def give_back(self, reservation: Reservation) -> None:
        """Take a request off the share of whom or what it was for: that the AI is down is not their doing."""
        if reservation.priority in self._background:
            await self._usage.give_back(_background_use(reservation.model, reservation.priority), reservation.day)
        if reservation.took is not None:
            self._shares.give_back(reservation.model, reservation.took, reservation.day)
        if (by := payer()) is not None and by.user_id is not None:
            key = reservation.guild_id, by.user_id, reservation.day
            if self._asked_by.get(key, 0) > 0:
                self._asked_by[key] -= 1

    async def settle(self, reservation: Reservation, spent: Spent) -> None:
        """Put what was really spent in place of what was reserved."""
        if reservation.took is not None:
            reservation.took.tokens = spent.tokens_in + spent.tokens_out
        await self._usage.settle(
            reservation.model,
            reservation.guild_id,
            reservation.tokens,
            spent,
            reservation.minute,
            reservation.day,
            use=_background_use(reservation.model, reservation.priority),
            carried=Carried(
                at=self._clock(),
                use=reservation.priority.value,
                messages=reservation.messages,
                members=reservation.members,
            ),
        )

    async def record_exhausted(self, model: str, told: QuotaExhausted) -> None:
        """Heed a provider that says its quota is used up: for the time it names, or its whole day."""
        now = self._clock()
        day, next_day = bounds(day_of(now, self._zone), self._zone)
        until = next_day if told.whole_day else now + timedelta(seconds=told.retry_after)
        await self._usage.block(model, day, until)

    async def today(self, models: tuple[str, ...]) -> tuple[Quota, ...]:
        """Each model's use since its day began."""
        now = self._clock()
        day, next_day = bounds(day_of(now, self._zone), self._zone)
        used = await self._usage.today(dict.fromkeys(models, day))
        found = []
        for model in dict.fromkeys(models):
            spent, until = used.get(model, (Spent(), None))
            limits = self._limits.get(model, Limits())
            blocked = until if until is not None and until > now else None
            is_used_up = limits.requests_per_day is not None and spent.calls >= limits.requests_per_day
            out = next_day if is_used_up else blocked
            found.append(Quota(model=model, spent=spent, limits=limits, blocked_until=blocked, out_until=out))
        return tuple(found)
