"""Digests: what a finished talk leaves, drawn once in one AI call, deferred and never lost (seeds 000 and 004)."""

from __future__ import annotations

import logging
from collections.abc import Collection, Sequence
from datetime import datetime, timedelta

from memory.ai.client import AIClient, AIError, AIRefused, AIUnusable, QuotaExhausted
from memory.ai.prompts import DIGEST_TOKENS, Participants, digest
from memory.ai.shares import charged
from memory.core import Core
from memory.ids import GuildId, UserId
from memory.records import EVERYONE, Conclusion, GuildErased, Session, Turn, TurnRole
from memory.rules.calendar import day_of
from memory.rules.keywords import keywords
from memory.rules.likeness import closest
from memory.rules.text import mentioned, tokens, with_names
from memory.rules.topics import MIN_CONCLUSIONS
from memory.sessions.drawing import Drawing
from memory.store import Drawn

log = logging.getLogger(__name__)

LEASE = timedelta(minutes=5)
"""How long one process has for a digest before another may take it on."""

RETRY_PAUSE = timedelta(minutes=10)
"""How long a digest waits after its AI call failed; after a quota, until that is there again."""

UNUSABLE = 3
"""Answers that could not be used after which a talk is let go without conclusions."""

MIN_WORDS = 8
"""Words that people must have said for a talk to be worth a call."""


MAX_LOOKED_AT = 300
"""Of the conclusions that hold, how many of the latest a talk may have to do with."""

MIN_SHARED = 2
"""Keywords that a talk shares with a conclusion that it has to do with."""

MAX_KNOWN = 15
"""Earlier conclusions that a digest is shown."""


class Digests:
    """Makes the digests that are due. A process that dies at it leaves it to the next."""

    def __init__(self, core: Core, ai: AIClient) -> None:
        self._core = core
        self._ai = ai
        self._until: datetime | None = None

    async def make_due(self, guild_id: GuildId) -> int:
        """Make every digest of a guild that is due, one after the other; returns how many conclusions they left.

        Ends early where the AI's quota is out: the rest stays due. Raises DatabaseUnavailable.
        """
        left = 0
        while self._until is None or self._core.clock() >= self._until:
            now = self._core.clock()
            session_id = await self._core.store.sessions.claim_digest(guild_id, now, LEASE)
            if session_id is None:
                break
            session = await self._core.store.sessions.by_id(guild_id, session_id, self._core.cipher.decrypt)
            if session is not None:
                left += await self._make(session, now)
        return left

    async def _make(self, session: Session, now: datetime) -> int:
        guild_id, session_id = session.guild_id, session.session_id
        turns = _read(session)
        try:
            drawn = await self._drawn(session, turns, now)
        except QuotaExhausted as out:
            self._until = now + timedelta(seconds=out.retry_after)
            await self._core.store.sessions.defer_digest(guild_id, session_id, self._until, counts=False)
            log.info("digest of a talk in guild %d: later, when there is quota", guild_id)
            return 0
        except (AIRefused, AIUnusable, ValueError, LookupError, TypeError) as failed:  # or what we make of its answer
            if session.digest_attempts < UNUSABLE:
                await self._core.store.sessions.defer_digest(guild_id, session_id, now + RETRY_PAUSE)
                return 0
            log.warning("digest of a talk in guild %d: given up (%s)", guild_id, failed)
            drawn = Drawn(through=turns[-1].number if turns else 0, suppressions=await self._version(guild_id))
        except AIError as failed:
            log.info("digest of a talk in guild %d: later (%s)", guild_id, failed)
            await self._core.store.sessions.defer_digest(guild_id, session_id, now + RETRY_PAUSE, counts=False)
            return 0
        try:
            made = await self._core.store.sessions.save_digest(session, drawn, self._core.clock(), now + LEASE)
        except GuildErased:
            return 0
        if made is None:
            await self._core.store.sessions.defer_digest(guild_id, session_id, now + timedelta(seconds=5))
            return 0
        if made:
            log.info("digest of a talk in guild %d: %d conclusions", guild_id, len(made))
        return len(made)

    async def _near(self, session: Session, turns: Sequence[Turn]) -> Sequence[Conclusion]:
        """The conclusions of before that have to do with a talk: it may replace them, or say them again."""
        lines = await self._core.store.topics.holding(session.guild_id, session.audience, MAX_LOOKED_AT)
        talk = " ".join(turn.text for turn in turns)
        stems = set(keywords(talk))
        near = [line for line in lines if len(stems & set(keywords(line.text))) >= MIN_SHARED]
        shown = {line.conclusion_id for line in closest(talk, near, MAX_KNOWN)}
        return [line for line in near if line.conclusion_id in shown]

    async def _version(self, guild_id: GuildId) -> str:
        return (await self._core.suppressions.get(guild_id)).version

    async def _drawn(self, session: Session, turns: Sequence[Turn], now: datetime) -> Drawn:
        """What the AI draws from turns, as far as they bear it out; nothing where there is too little said."""
        guild_id = session.guild_id
        through = session.turns[-1].number if session.turns else session.digested
        screen = await self._core.suppressions.screen(guild_id)
        spoken = [t for t in turns if t.role is TurnRole.USER]
        if sum(len(t.text.split()) for t in spoken) < MIN_WORDS:
            return Drawn(through=through, suppressions=screen.suppressed.version)
        people = [t.user_id for t in spoken]
        people += [u for t in turns for u in mentioned(t.text)]
        silent = await self._core.suppressions.silent(guild_id)
        members = await self._core.store.people.members(guild_id, [u for u in people if u not in silent])
        participants = Participants([u for u in dict.fromkeys(people) if u not in silent], members)
        tz = await self._core.guilds.zone(guild_id)
        audiences = [EVERYONE, session.audience]
        topics = [t for t in await self._core.store.topics.list(guild_id, audiences, 40) if t.lines]
        seen = [t for t in turns if t.role is TurnRole.MODEL or t.user_id not in silent]
        known = await self._near(session, seen)
        asked = digest(guild_id, turns=seen, participants=participants, topics=topics, known=known, at=now, tz=tz)
        with charged(guild_id):
            answer = (await self._ai.ask(asked)).value
        names = {u: m.display_name for u, m in members.items()}

        def forbidden(text: str, of: Collection[UserId]) -> bool:
            return screen.forbids(with_names(text, names), {*filter(None, of), *mentioned(text)})

        drawing = Drawing(session, seen, participants, day_of(now, tz), forbidden, known)
        conclusions = drawing.conclusions(answer)
        facts = await self._core.store.facts.live(guild_id, set(people), audiences)
        name, summary = drawing.topic(answer, conclusions) if conclusions else ("", "")
        is_known = any(topic.name.casefold() == name.casefold() for topic in topics)
        return Drawn(
            through=through,
            conclusions=conclusions,
            facts=drawing.facts(answer, facts),
            new_topic=name if is_known or len(conclusions) >= MIN_CONCLUSIONS else "",
            summary=summary,
            suppressions=screen.suppressed.version,
        )


def _read(session: Session) -> list[Turn]:
    """The turns that a digest reads: those that none has read, of a long talk the last ones."""
    room = DIGEST_TOKENS
    read: list[Turn] = []
    for turn in reversed([t for t in session.turns if t.number > session.digested]):
        room -= min(turn.tokens, tokens("x" * 600)) + 6
        if room < 0:
            break
        read.append(turn)
    return read[::-1]
