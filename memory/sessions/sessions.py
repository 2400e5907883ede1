"""Sessions: acquired for one reply at a time, among all processes, and written once when it is done (seed 001)."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping, Sequence
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass, field, replace
from datetime import datetime, timedelta
from weakref import WeakValueDictionary

from memory.core import Core
from memory.ids import ChannelId, GuildId, MessageId, UserId
from memory.options import SessionRules
from memory.permissions import Viewer
from memory.records import Fact, Given, Making, Session, SessionBusy, SessionContext, Turn, TurnRole
from memory.rules.keywords import keywords
from memory.rules.likeness import mentions_all
from memory.rules.suppression import Suppressed
from memory.rules.text import mentioned, tokens
from memory.rules.windows import (
    RECENT_TURNS,
    SEGMENT_TURNS,
    SEGMENTS,
    WINDOW_TOKENS,
    Shift,
    fitting,
    over_budget,
    shift,
    window_size,
)
from memory.sessions.similarity import Similarity
from memory.suppressions import concerned
from memory.validity import MAX_CLOCK_SKEW, Validity

log = logging.getLogger(__name__)

MAX_QUEUED_MESSAGES = 4
"""Messages that may wait for their turn in a session; whoever comes then is told that the bot is busy."""

MAX_TURN_WAIT = 45.0
"""Seconds that a message waits for its turn at the most."""

PENDING = 3 * (SEGMENT_TURNS + 1)
"""Turns that left the window and are summed up together: one AI call for three segments, each of two exchanges."""

MAX_EARLIER_TURNS = 3
"""Turns from before the window that a prompt carries where the session's words are searched nowhere else."""

LONGEST_TURN = 2_000
"""Characters of a turn that are kept."""


class Queue:
    """The messages of this process that wait for their turn in one session, the oldest message first."""

    def __init__(self) -> None:
        self._is_taken = False
        self._waiting: list[tuple[int, asyncio.Future[None]]] = []

    @asynccontextmanager
    async def exclusive(self, message_id: MessageId) -> AsyncIterator[None]:
        """Wait for the turn of a message and have it. Raises SessionBusy where too many wait, or none moves on."""
        if self._is_taken:
            await self._wait(message_id)
        self._is_taken = True
        try:
            yield
        finally:
            self._is_taken = False
            self._pass_on()

    async def _wait(self, message_id: MessageId) -> None:
        if len(self._waiting) >= MAX_QUEUED_MESSAGES:
            raise SessionBusy
        mine = (message_id, asyncio.get_running_loop().create_future())
        self._waiting.append(mine)
        self._waiting.sort(key=lambda one: one[0])
        try:
            async with asyncio.timeout(MAX_TURN_WAIT):
                await mine[1]
        except BaseException as gone:
            if mine in self._waiting:
                self._waiting.remove(mine)
            if mine[1].done() and not mine[1].cancelled():  # the turn came at the same moment: it is the next one's
                self._is_taken = False
                self._pass_on()
            if isinstance(gone, TimeoutError):
                raise SessionBusy from gone
            raise

    def _pass_on(self) -> None:
        while self._waiting:
            _, next_one = self._waiting.pop(0)
            if not next_one.done():  # who was cancelled at this very moment has no turn
                self._is_taken = True
                next_one.set_result(None)
                return


@dataclass
class Exchange:
    """One message to the bot and its answer, in a session that nobody else has meanwhile.

    What is added to it is written once, when it is released.
    """

    session: Session
    turn: Turn
    """The message that is being answered."""
    shift: Shift
    is_stored: bool
    """Whether the speaker lets their words be kept."""
    making: Making
    answer: Turn | None = None
    answer_ids: tuple[MessageId, ...] = ()
    """The messages that the answer was sent in."""
    given: Given = field(default_factory=Given)
    """What the answer was given: where any of it changes meanwhile, the exchange is not kept."""
    written: Session | None = None
    """The session as it was written when this was released; None where nothing was added."""
    context: SessionContext = field(default_factory=SessionContext)

    @property
    def size(self) -> int:
        """How many turns the window has now."""
        continuities = [t.continuity for t in (*self.session.turns, self.turn) if t.continuity is not None]
        return window_size(continuities)

    @property
    def window(self) -> tuple[Turn, ...]:
        """The turns that a prompt carries: the last ones, and those before them that no segment sums up yet."""
        fresh = [t for t in self.session.turns if not self.context.is_closed(t.number)]
        through = self.session.segments[-1].through if self.session.segments else 0
        waiting = sum(t.number > through for t in fresh)
        shown = fresh[-max(self.size, min(waiting, self.size + PENDING)) :]
        return tuple(shown[len(shown) - fitting([t.tokens for t in shown], WINDOW_TOKENS) :])

    @property
    def segments(self) -> tuple[str, ...]:
        """What earlier turns came to, one line for each of the last four segments."""
        shown = {t.number for t in self.window}
        found = [one for one in self.session.segments if one.through not in shown]
        return tuple(
            "; ".join(
                f"{name}: {', '.join(value) if isinstance(value, tuple) else value}"
                for name, value in (
                    ("topic", one.topic),
                    ("discussed", one.discussed),
                    ("outcome", one.outcome),
                    ("decisions", one.decisions),
                    ("open questions", one.open_questions),
                )
                if value
            )
            for one in found[-SEGMENTS:]
        )

    @property
    def earlier(self) -> tuple[Turn, ...]:
        """Turns from before the window that have most to do with the message; only where no search finds them."""
        if self.session.is_kept:
            return ()
        shown = {t.number for t in self.window}
        stems = set(keywords(self.turn.text))
        near = [(len(stems & set(keywords(t.text))), t) for t in self.session.turns if t.number not in shown]
        best = sorted((one for one in near if one[0]), key=lambda one: (-one[0], -one[1].number))[:MAX_EARLIER_TURNS]
        return tuple(sorted((t for _, t in best), key=lambda t: t.number))

    @property
    def sources(self) -> frozenset[MessageId]:
        """The messages behind segments and earlier turns: an answer made with them goes with them."""
        through = self.session.segments[-1].through if self.session.segments else 0
        summed_up = (t.message_id for t in self.session.turns if t.number <= through)
        return frozenset((*summed_up, *(t.message_id for t in self.earlier)))

    @property
    def covered(self) -> frozenset[MessageId]:
        """The messages of turns that the window, a segment or the end of a subject stands for."""
        through = self.session.segments[-1].through if self.session.segments else 0
        shown = {t.number for t in self.window}
        return frozenset(
            t.message_id
            for t in self.session.turns
            if t.number <= through or t.number in shown or self.context.is_closed(t.number)
        )

    @property
    def just_told(self) -> str:
        """The words of the last turns: a fact that stands in them needs not be told again."""
        return " ".join(t.text for t in self.session.turns[-RECENT_TURNS:])

    def answered(self, text: str, message_ids: Sequence[MessageId], at: datetime, given: Given | None = None) -> None:
        """Add the bot's answer, as it was sent in messages, and what it was given; people in it are `<@id>`."""
        if message_ids and text:
            self.given = given or Given()
            self.answer = Turn(
                number=self.turn.number + 1,
                role=TurnRole.MODEL,
                user_id=UserId(0),
                message_id=message_ids[0],
                text=text[:LONGEST_TURN],
                at=at,
                tokens=tokens(text[:LONGEST_TURN]) + 4,
            )
            self.answer_ids = tuple(message_ids)

    def spent(self, parts: Mapping[str, int], calls: int) -> dict[str, int]:
        """Record the tokens of the prompt by part, and the AI calls; returns the parts over their budget."""
        most = {part: max(count, self.context.most.get(part, 0)) for part, count in parts.items()}
        self.context = replace(
            self.context,
            spent=dict(parts),
            most={**self.context.most, **most},
            replies=self.context.replies + 1,
            calls=self.context.calls + calls,
        )
        return over_budget(parts)

    def note(self, *, topic_id: int | None = None, loose: Sequence[int] = ()) -> None:
        """Record the topic that the conversation is of, and conclusions that were found for it."""
        self.context = replace(
            self.context,
            topic_id=topic_id if topic_id is not None else self.context.topic_id,
            loose=tuple(dict.fromkeys((*self.context.loose, *loose)))[-15:],
        )


@dataclass(frozen=True)
class Sessions:
    """The conversations of all channels, in PostgreSQL: read when they are acquired, written when they are released."""

    _core: Core
    similarity: Similarity
    _validity: Validity
    _rules: SessionRules
    _lines: WeakValueDictionary[tuple[int, int], Queue] = field(default_factory=WeakValueDictionary, init=False)

    @property
    def idle(self) -> timedelta:
        """How long nothing is said before a session that leaves a digest ends."""
        return self._rules.idle

    @asynccontextmanager
    async def acquire(
        self,
        viewer: Viewer,
        channel_id: ChannelId,
        message_id: MessageId,
        text: str,
        at: datetime,
        *,
        is_kept: Callable[[], Awaitable[bool]],
    ) -> AsyncIterator[Exchange]:
        """Hold the session of a channel for one message, in the order of the messages that wait.

        Nothing is written where the work inside fails. Raises SessionBusy where too many wait, and DatabaseUnavailable.
        """
        async with self._exclusive(viewer.guild_id, channel_id, message_id):
            exchange = await self._opened(viewer, channel_id, message_id, text, at, is_kept=await is_kept())
            yield exchange
            await self._release(exchange)

    @asynccontextmanager
    async def _exclusive(self, guild_id: GuildId, channel_id: ChannelId, message_id: MessageId) -> AsyncIterator[None]:
        """Keep everybody else off a channel's session, in all processes. Raises SessionBusy."""
        line = self._lines.setdefault((guild_id, channel_id), Queue())
        async with line.exclusive(message_id), AsyncExitStack() as held:
            try:
                await held.enter_async_context(
                    self._core.store.coordinator.lock(f"session {guild_id} {channel_id}", within=MAX_TURN_WAIT)
                )
            except TimeoutError as busy:
                raise SessionBusy from busy
            yield

    async def _opened(
        self, viewer: Viewer, channel_id: ChannelId, message_id: MessageId, text: str, at: datetime, *, is_kept: bool
    ) -> Exchange:
        guild_id, now = viewer.guild_id, self._core.clock()
        making = self._validity.begin(guild_id)
        choice = (await self._core.suppressions.choices(guild_id, [viewer.user_id]))[viewer.user_id]
        suppressed, forgotten_of = await self._core.suppressions.with_subject_names(guild_id)
        session = await self._core.store.sessions.get(guild_id, channel_id, self._core.cipher.decrypt)
        if session is not None and self._is_over(session, now, is_kept=is_kept):
            await self._core.store.sessions.end(guild_id, session.session_id, now)
            session = None
        if session is None:
            session = await self._core.store.sessions.begin(guild_id, channel_id, viewer.audience, now, is_kept=is_kept)
        await self._core.store.sessions.touch(session, now)
        told = [t.number for t in session.turns if suppressed.tells(t.text, concerned(t.text, t.user_id, forgotten_of))]
        if told:
            await self._core.store.sessions.drop_turns(guild_id, session.session_id, told)
            session = replace(session, turns=tuple(t for t in session.turns if t.number not in told))
        before = [t.text for t in session.turns if not session.context.is_closed(t.number)][-RECENT_TURNS:]
        people = {viewer.user_id, *(t.user_id for t in session.turns)}
        continuity = await self.similarity.continuity(guild_id, text, before, people) if before else None
        changed = shift(text, before, 0.5 if continuity is None else continuity)
        turn = Turn(
            number=_next(session),
            role=TurnRole.USER,
            user_id=viewer.user_id,
            message_id=message_id,
            text=text[:LONGEST_TURN],
            at=at,
            tokens=tokens(text[:LONGEST_TURN]) + 6,
            continuity=continuity,
            is_shift=changed.is_shift,
            confirms=await self._confirmed(viewer, text) if is_kept else (),
        )
        context = session.context
        if changed.is_flush and _others(session, viewer.user_id):
            context = _without_part(session, viewer.user_id)
            changed = replace(changed, is_flush=False)
        elif changed.is_flush:
            context = replace(context, fresh_from=turn.number, topic_id=None, loose=())
        elif changed.is_shift:
            context = replace(context, topic_id=None, loose=())
        return Exchange(
            session=session,
            turn=turn,
            shift=changed,
            is_stored=choice.keeps_messages and not _tells(suppressed, text, viewer.user_id),
            making=making,
            context=context,
        )

    async def _confirmed(self, viewer: Viewer, text: str) -> tuple[int, ...]:
        """The facts about a speaker that their words say again."""
        if text.rstrip().endswith("?"):
            return ()
        known = await self._core.store.facts.live(viewer.guild_id, [viewer.user_id], viewer.audiences)
        member = (await self._core.store.people.members(viewer.guild_id, [viewer.user_id])).get(viewer.user_id)
        names = member.names if member is not None else ()
        facts: Sequence[Fact] = known[viewer.user_id]
        return tuple(fact.fact_id for fact in facts if mentions_all(text, fact.value, names))

    def _is_over(self, session: Session, now: datetime, *, is_kept: bool) -> bool:
        limit = self._rules.idle if session.is_kept else self._rules.life
        return session.active_at <= now - limit or session.is_kept is not is_kept

    async def _release(self, exchange: Exchange) -> None:
        """Write what was added; where what the answer was given changed meanwhile, only that the talk goes on."""
        session = replace(exchange.session, context=exchange.context)
        now = self._core.clock()
        if exchange.answer is None or not exchange.is_stored or not await self._stands(exchange, exchange.answer):
            await self._core.store.sessions.touch(session, now)
            return
        turns = [exchange.turn, exchange.answer]
        made_of = {exchange.answer.number: exchange.answer_ids}
        stored = await self._core.store.sessions.add(
            session,
            turns,
            now,
            write=self._core.cipher.encrypt,
            made_of=made_of,
            given=exchange.given,
            since=exchange.making.at - MAX_CLOCK_SKEW,
        )
        if stored:
            exchange.written = replace(session, turns=(*session.turns, *turns))

    async def _stands(self, exchange: Exchange, answer: Turn) -> bool:
        session, turn = exchange.session, exchange.turn
        choice = (await self._core.store.consents.choices(session.guild_id, [turn.user_id]))[turn.user_id]
        return choice.keeps_messages and await self._validity.is_valid(
            session.guild_id,
            exchange.making,
            replace(exchange.given, shown=(*exchange.given.shown, turn.message_id)),
            audience=session.audience,
            channel_id=session.channel_id,
            is_kept=session.is_kept,
            words=((turn.user_id, turn.text), (turn.user_id, answer.text)),
        )

    async def stop(self, guild_id: GuildId, channel_id: ChannelId) -> None:
        """End the conversation of a channel that leaves a digest: the process that held it ends."""
        session = await self._core.store.sessions.get(guild_id, channel_id, self._core.cipher.decrypt)
        if session is not None and session.is_kept:
            await self._core.store.sessions.end(guild_id, session.session_id, self._core.clock())

    async def close_part(self, viewer: Viewer, channel_id: ChannelId, message_id: MessageId) -> bool:
        """Close what a member talked about, if others talk in the same session. Returns whether they do.

        Raises SessionBusy and DatabaseUnavailable.
        """
        async with self._exclusive(viewer.guild_id, channel_id, message_id):
            session = await self._core.store.sessions.get(viewer.guild_id, channel_id, self._core.cipher.decrypt)
            if session is None or not _others(session, viewer.user_id):
                return False
            session = replace(session, context=_without_part(session, viewer.user_id))
            await self._core.store.sessions.touch(session, self._core.clock())
            return True

    async def reset(self, viewer: Viewer, channel_id: ChannelId) -> bool:
        """End the conversation of a channel now; whether there was one. What it leaves is made in the background."""
        session = await self._core.store.sessions.get(viewer.guild_id, channel_id, self._core.cipher.decrypt)
        if session is None:
            return False
        await self._core.store.sessions.end(viewer.guild_id, session.session_id, self._core.clock())
        return True

    async def end_idle(self, guild_id: GuildId) -> None:
        """End what nobody goes on with, and have a digest made of what went on for long."""
        now = self._core.clock()
        await self._core.store.sessions.end_idle(guild_id, now, self._rules.idle, self._rules.life)
        await self._core.store.sessions.drop_old(guild_id, now - self._rules.life)
        await self._core.store.sessions.due_unbroken(guild_id, now, self._rules.unbroken)


def _others(session: Session, user_id: UserId) -> bool:
    """Whether somebody else speaks in a session, of the subject that is talked about."""
    return any(t.user_id not in (0, user_id) and not session.context.is_closed(t.number) for t in session.turns)


def _without_part(session: Session, user_id: UserId) -> SessionContext:
    """A session's context once the exchanges of one speaker are closed."""
    closed = {*session.context.closed, *_exchanges(session, user_id)}
    return replace(session.context, closed=tuple(sorted(closed)), topic_id=None, loose=())


def _exchanges(session: Session, user_id: UserId) -> set[int]:
    """The turns of one speaker, and the bot's answers to them."""
    own = {t.number for t in session.turns if t.user_id == user_id}
    return own | {t.number for t in session.turns if t.role is TurnRole.MODEL and t.number - 1 in own}


def _next(session: Session) -> int:
    """The number after every turn that is stored, or was summed up."""
    through = [one.through for one in session.segments]
    return (
        max((session.last_turn, *through, *session.context.closed, session.digested, session.context.fresh_from - 1))
        + 1
    )


def _tells(suppressed: Suppressed, text: str, user_id: UserId) -> bool:
    return suppressed.names(text) or suppressed.tells(text, {user_id, *mentioned(text)})
