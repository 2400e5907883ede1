"""Which messages are read together: runs of what is due, within what one call may hold, cut where talk pauses. Pure."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime, timedelta

from memory.ids import UserId
from memory.records import Message
from memory.rules.text import tokens
from memory.store import Unread

NEEDED_TOKENS = 1_200
"""Tokens of unread talk of the current day that are worth a call, with all its instructions: some eighty messages."""

NEEDED_AGE = timedelta(hours=3)
"""How old unread talk of the current day may become before it is read, however little it is."""

REREAD_AGE = timedelta(hours=16)
"""How long after a day's last reading its changed messages are read again, if no new ones come.

Who edits all day long costs one or two calls for each day that the messages are from.
"""

PAUSES = 0.25
"""The share of a run, at its end, in which it may be cut at a pause."""

LINE = 8
"""Tokens that a message takes beside its words: its number, who writes, the time."""

PERSON = 8
"""Tokens that one more person takes: a mark and a name."""


def runs_of(unread: Sequence[Unread]) -> list[list[Unread]]:
    """What is to be read in runs: new messages with no slice and no message left out between them.

    Messages to be read again go with the last run. If nothing is new, they are a run of their own.
    """
    runs: dict[int, list[Unread]] = {}
    for one in unread:
        if not one.again:
            runs.setdefault(one.after, []).append(one)
    made = list(runs.values())
    if again := [one for one in unread if one.again]:
        last = made.pop() if made else []
        made.append(sorted([*again, *last], key=lambda one: one.message.message_id))
    return made


def is_needed(run: Sequence[Unread], last: datetime | None, now: datetime) -> bool:
    """Whether a run is worth a call now, if its day was read `last` then. Only new messages are a reason to hurry."""
    new = [one.message for one in run if not one.again]
    if not new:
        return last is None or now - last >= REREAD_AGE
    people: set[UserId] = set()
    return now - new[0].timestamp >= NEEDED_AGE or sum(_cost(message, people) for message in new) >= NEEDED_TOKENS


def cut(messages: Sequence[Message], limit: int, most: int | None = None) -> list[list[Message]]:
    """`messages` in runs of about `limit` tokens and of `most` messages at the most, cut where talk pauses.

    In order, and none empty.
    """
    made: list[list[Message]] = []
    run: list[Message] = []
    people: set[UserId] = set()
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


def _cost(message: Message, people: set[UserId]) -> int:
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
