"""How much of a conversation a prompt carries: the numbers of seed 002, and what they decide. Pure."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from memory.rules.likeness import SHIFT, domain_of_text, has_phrase

WINDOW, WIDE, NARROW = 6, 8, 4
"""Turns of the window: as a rule, where the talk hangs together, and where it does not (seed 002, §1.2)."""

HANGS_TOGETHER, FALLS_APART = 0.7, 0.3
"""Continuity of the last two turns above and below which the window is wide or narrow."""

WINDOW_TOKENS = 1_200
"""Tokens of the window at the most."""

SEGMENT_TURNS = 3
"""Turns that one segment sums up at the least, before the answer to the last of them (seed 002)."""

SEGMENTS = 4
"""Segments that a prompt carries: the latest."""

SEGMENT_TOKENS, SEGMENTS_TOKENS = 50, 200
"""Tokens of one segment, and of all of them, at the most."""

PROMPT_TOKENS = 4_000
"""Tokens of a whole prompt at the most, whatever the history."""

SQUEEZED_TOKENS = 3_000
"""Tokens of a whole prompt over which it is squeezed: segments first, then the window, then recall."""

DELTA_TOKENS = 1_850
"""Tokens of what changes from prompt to prompt (seed 002, §3.2)."""

RECENT_TURNS = 3
"""Turns in which a fact was told just now and needs not be told again (seed 002, §3.3)."""

BUDGETS: Mapping[str, int] = {
    "window": WINDOW_TOKENS,
    "segments": SEGMENTS_TOKENS,
    "people": 700,
    "topics": 500,
    "delta": DELTA_TOKENS,
    "whole": PROMPT_TOKENS,
}
"""Tokens from which a part of a prompt is worth an alert; `delta` is everything but the fixed part."""


def window_size(continuities: Sequence[float]) -> int:
    """How many turns the window has, by the continuity of each turn with the one before it, oldest first."""
    last = continuities[-2:]
    if len(last) == 2 and all(c > HANGS_TOGETHER for c in last):
        return WIDE
    if len(last) == 2 and all(c < FALLS_APART for c in last):
        return NARROW
    return WINDOW


def fitting(costs: Sequence[int], room: int) -> int:
    """How many of the last items, given the tokens of each, have room."""
    count = 0
    for cost in reversed(costs):
        room -= cost
        if room < 0:
            break
        count += 1
    return count


@dataclass(frozen=True, kw_only=True)
class Shift:
    """What a turn does to the subject of a conversation: whether it is another, and whether the speaker said so."""

    is_shift: bool = False
    is_flush: bool = False
    """The speaker asked for another subject: what was said until now leaves the window."""


def asks_for_another_subject(text: str) -> bool:
    """Whether a turn asks for another subject in so many words: "let's change the subject"."""
    return has_phrase(text, "flushes")


def shift(text: str, before: Sequence[str], continuity: float) -> Shift:
    """Whether a turn changes the subject: by what it says, by how little it is like what came before, by its domain."""
    if asks_for_another_subject(text):
        return Shift(is_shift=True, is_flush=True)
    if not before:
        return Shift()
    if has_phrase(text, "shifts") or continuity < SHIFT:
        return Shift(is_shift=True)
    now, then = domain_of_text(text), domain_of_text(" ".join(before))
    return Shift(is_shift=now is not None and then is not None and now != then and continuity <= 0.5)


def over_budget(spent: Mapping[str, int]) -> dict[str, int]:
    """The parts of a prompt that took more tokens than they may, each with how many."""
    return {part: spent[part] for part, limit in BUDGETS.items() if spent.get(part, 0) > limit}


def in_segments(numbers: Sequence[int], shifts: Sequence[int], answers: Sequence[int] = ()) -> list[list[int]]:
    """Turns in runs that segments sum up, cut where the subject changed; an unfinished last run waits.

    `numbers` are the turns that left the window, in order. Of all turns, `shifts` changed the subject, and `answers`
    are the bot's: each stays with the turn before it.
    """
    runs: list[list[int]] = []
    run: list[int] = []
    for number in numbers:
        if run and number in shifts:
            runs.append(run)
            run = []
        run.append(number)
        if len(run) >= SEGMENT_TURNS and number + 1 not in answers:
            runs.append(run)
            run = []
    if run and any(number > run[-1] and number in shifts for number in shifts):
        runs.append(run)  # the subject it belongs to is over
    return runs
