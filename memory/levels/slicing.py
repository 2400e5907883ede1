"""Which messages are read together: runs of what is due, within what one call may hold, cut where talk pauses. Pure."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from datetime import datetime, timedelta

from memory.records import Message
from memory.rules.text import tokens
from memory.store import Unread

REREAD_PAUSE = timedelta(minutes=10)
"""How long after a slice of the current day was made it is not read again where it is spoiled.

Twice as long each time it was read again before, up to `MAX_REREAD_PAUSE`: so is one of a closed day, but the
first time, which is at once. Who edits one message all day long costs a few calls and hides one slice.
"""

MAX_REREAD_PAUSE = timedelta(minutes=80)

NEEDED_TOKENS = 900
"""Tokens of unread talk of the current day that are worth a call, whose instructions take more: some sixty messages."""

NEEDED_AGE = timedelta(hours=3)
"""How old unread talk of the current day may become before it is read, however little it is."""

PAUSES = 0.25
"""The share of a run, at its end, in which it may be cut at a pause."""

LINE = 8
"""Tokens that a message takes beside its words: its number, who writes, the time."""

PERSON = 8
"""Tokens that one more person takes: a mark and a name."""


def pause_of(again: int, *, at_once: bool) -> timedelta:
    """How long a spoiled slice rests before it is read once more; `at_once` the first time not at all."""
    if at_once and not again:
        return timedelta(0)
    return min(REREAD_PAUSE * (1 << min(again, 10)), MAX_REREAD_PAUSE)


def runs_of(unread: Sequence[Unread], due: Callable[[Unread], bool], *, whole: bool) -> list[list[Message]]:
    """The messages that are due, in runs with no slice and no message left out between them.

    Unless `whole`, what one slice read before is a run of its own: slices do not grow by being spoiled.
    """
    runs: list[list[Message]] = []
    before: tuple[int, int | None] | None = None
    for one in unread:
        if not due(one):
            before = None
            continue
        here = (one.after, None if whole else one.spoiled)
        if before != here:
            runs.append([])
        runs[-1].append(one.message)
        before = here
    return runs


def is_needed(run: Sequence[Message], now: datetime) -> bool:
    """Whether a run of the current day is worth a call. Until then its last lines are told as they are."""
    people: set[int] = set()
    return now - run[0].timestamp >= NEEDED_AGE or sum(_cost(message, people) for message in run) >= NEEDED_TOKENS


def cut(messages: Sequence[Message], limit: int, most: int | None = None) -> list[list[Message]]:
    """`messages` in runs of about `limit` tokens and of `most` messages at the most, cut where talk pauses.

    In order, and none empty.
    """
    made: list[list[Message]] = []
    run: list[Message] = []
    people: set[int] = set()
    total = 0
    for message in messages:
        cost = _cost(message, people)
        if run and (total + cost > limit or len(run) == most):
            at = _pause([*run, message])
            made.append(run[:at])
            run, rest, total = [], run[at:], 0
            people.clear()
            for kept in rest:
                total += _cost(kept, people)
                run.append(kept)
            cost = _cost(message, people)
        run.append(message)
        total += cost
    return [*made, run] if run else made


def _cost(message: Message, people: set[int]) -> int:
    """About how many tokens a message adds to those of `people`, whom it joins to them."""
    new = {message.user_id, *message.addressees} - people
    people |= new
    return tokens(message.text[:1_000]) + LINE + PERSON * len(new)


def _pause(messages: Sequence[Message]) -> int:
    """Before which of the messages at the end of a run the longest pause is."""
    first = max(int(len(messages) * (1 - PAUSES)), 1)
    return max(
        range(first, len(messages)), key=lambda n: (messages[n].timestamp - messages[n - 1].timestamp, n), default=first
    )


def halves(messages: Sequence[Message]) -> list[Sequence[Message]]:
    """Messages in two parts, in order."""
    middle = len(messages) // 2
    return [messages[:middle], messages[middle:]]
