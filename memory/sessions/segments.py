"""Segments: what turns that leave the window came to, made beside the talk and never in the way of an answer."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from itertools import islice

from memory.ai.client import AIClient, AIError, NoAI
from memory.ai.prompts import DrawnSegment, Participants, accepted
from memory.ai.prompts import segments as asked_segments
from memory.core import Core
from memory.records import Segment, Session, Turn, TurnRole
from memory.rules.content_policy import is_not_to_be_noted
from memory.rules.support import strange
from memory.rules.text import fit, mentioned, tokens, with_names
from memory.rules.windows import SEGMENT_TOKENS, in_segments
from memory.sessions.sessions import PENDING, Exchange

log = logging.getLogger(__name__)

LONGEST_VALUE = 90
"""Characters of one value of a segment."""

COOL_DOWN = timedelta(minutes=5)
"""How long a session is left alone after its segments could not be made: the window goes on without them."""


@dataclass(frozen=True)
class Segments:
    """Sums up turns in the background. Where that fails it is said in the log, and the window alone goes on."""

    _core: Core
    _ai: AIClient
    _tasks: set[asyncio.Task[None]] = field(default_factory=set, init=False)
    _busy: set[tuple[int, int]] = field(default_factory=set, init=False)
    _resting: dict[tuple[int, int], datetime] = field(default_factory=dict, init=False)

    def follow(self, exchange: Exchange) -> None:
        """Sum up what left the window with an exchange, where it is enough for a call, or the subject was closed."""
        session = exchange.written
        if session is None:
            return
        key = (session.guild_id, session.session_id)
        runs = due(exchange, session)
        if not runs or key in self._busy or self._resting.get(key, self._core.clock()) > self._core.clock():
            return
        self._busy.add(key)
        task = asyncio.create_task(self._make(session, runs), name="segments")
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    async def settle(self) -> None:
        """Wait for what is being summed up."""
        while self._tasks:
            await asyncio.gather(*self._tasks, return_exceptions=True)

    async def close(self) -> None:
        """Stop; what was not summed up yet stays in the turns."""
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)

    async def _make(self, session: Session, runs: Sequence[Sequence[Turn]]) -> None:
        key = (session.guild_id, session.session_id)
        try:
            people = [t.user_id for run in runs for t in run if t.role is TurnRole.USER]
            people += [u for run in runs for t in run for u in mentioned(t.text)]
            members = await self._core.store.people.members(session.guild_id, people)
            participants = Participants(people, members)
            asked = asked_segments(session.guild_id, parts=runs, participants=participants)
            answer = (await self._ai.ask(asked)).value
            number = session.segments[-1].number if session.segments else 0
            made = {}
            for n, (run, part) in enumerate(zip(runs, answer.parts, strict=False), number + 1):
                made[checked(n, run, part, participants)] = [t.number for t in run]
            await self._core.store.sessions.add_segments(
                session, made, self._core.clock(), write=self._core.cipher.encrypt
            )
            self._resting.pop(key, None)
        except NoAI:
            self._rest(key)
        except AIError as failed:
            log.warning("session in channel %d: earlier turns are not summed up (%s)", session.channel_id, failed)
            self._rest(key)
        except Exception:  # the talk goes on without it
            log.exception("session in channel %d: earlier turns could not be summed up", session.channel_id)
            self._rest(key)
        finally:
            self._busy.discard(key)

    def _rest(self, key: tuple[int, int]) -> None:
        now = self._core.clock()
        for rested in [k for k, until in self._resting.items() if until <= now]:
            del self._resting[rested]
        self._resting[key] = now + COOL_DOWN


def due(exchange: Exchange, session: Session) -> list[list[Turn]]:
    """The runs of turns that are to be summed up now; none while they are too few for a call.

    All of what came before is, where the speaker asked for another subject.
    """
    through = session.segments[-1].through if session.segments else 0
    turns = {t.number: t for t in session.turns if t.number > through}
    last = max(turns, default=0)
    if exchange.shift.is_flush:
        left = [n for n in turns if n < exchange.turn.number]
    else:
        left = [n for n in turns if n <= last - exchange.size]
        if len(left) < PENDING:
            return []
    shifts = [n for n, t in turns.items() if t.is_shift]
    answers = [n for n, t in turns.items() if t.role is TurnRole.MODEL]
    runs = in_segments(left, [*shifts, exchange.turn.number] if exchange.shift.is_flush else shifts, answers)
    return [[turns[n] for n in run] for run in runs]


def checked(number: int, run: Sequence[Turn], part: DrawnSegment, participants: Participants) -> Segment:
    """A segment within its tokens, of values that the turns bear out: no name or number in it is of anywhere else."""
    words = " ".join(t.text for t in run)
    names = " ".join(participants.name(u) for u in participants.ids)

    def kept(text: str) -> str:
        told = participants.with_ids(accepted(text, LONGEST_VALUE))
        if told is None or is_not_to_be_noted(told):
            return ""
        shown = with_names(told, {u: participants.name(u) for u in participants.ids})
        return "" if strange(shown, f"{words} {names}") else shown

    def all_kept(texts: Iterable[str], most: int) -> tuple[str, ...]:
        return tuple(islice(filter(None, map(kept, texts)), most))

    topic = kept(part.topic) or fit(run[0].text, 40)
    outcome, decisions = kept(part.outcome), all_kept(part.decisions, 2)
    discussed, questions = all_kept(part.discussed, 3), all_kept(part.open_questions, 2)
    room = SEGMENT_TOKENS - tokens(topic) - 4
    parts: dict[str, list[str]] = {"decisions": [], "outcome": [], "open_questions": [], "discussed": []}
    for name, values in (
        ("decisions", decisions),
        ("outcome", (outcome,) if outcome else ()),
        ("open_questions", questions),
        ("discussed", discussed),
    ):
        for value in values:
            if tokens(value) + 2 <= room:
                room -= tokens(value) + 2
                parts[name].append(value)
    return Segment(
        number=number,
        through=run[-1].number,
        topic=topic,
        discussed=tuple(parts["discussed"]),
        outcome=" ".join(parts["outcome"]),
        decisions=tuple(parts["decisions"]),
        open_questions=tuple(parts["open_questions"]),
    )
