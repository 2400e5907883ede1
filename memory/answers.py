"""Answers that need no model: the same question about a member again, and one in other words in the same talk."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from datetime import timedelta

from memory.core import Core
from memory.ids import MessageId, UserId
from memory.permissions import Viewer, audiences_for
from memory.records import Given
from memory.rules.likeness import SAME_QUESTION, answers_for_long, phrases, same_question, words_of
from memory.rules.questions import of_oneself
from memory.rules.text import fingerprint
from memory.sessions.sessions import Exchange
from memory.store import Answered
from memory.validity import MAX_CLOCK_SKEW, Validity

ANSWER_LIFE = timedelta(hours=24)
"""How long a factual answer holds (seed 002, §5.1)."""

LONGEST_QUESTION = 300
"""Characters of a question whose answer is kept."""


@dataclass(frozen=True, kw_only=True)
class KnownAnswer:
    """An answer that was given before. `is_repeat` tells that the same person talks on, and is told so."""

    stored: str
    """People are `<@id>`."""
    given: Given
    is_repeat: bool
    text: str = ""
    """What is answered: names in place of ids."""


@dataclass(frozen=True)
class AnswerCache:
    """Keeps what questions were answered with, and finds it again while what it was made from stands."""

    _core: Core
    _validity: Validity

    async def find(self, viewer: Viewer, exchange: Exchange, question: str) -> KnownAnswer | None:
        """The answer that the viewer got to the question before, in the same audience; None where it is new.

        Nothing of the moment is answered so, and nothing of feelings. Nobody gets what another was answered: who
        steers an answer steers their own alone.
        """
        if not _may_be_kept(question):
            return None
        normal = normalised(question)
        since = self._core.clock() - ANSWER_LIFE
        mine = viewer.guild_id, viewer.user_id, viewer.audience
        for known in await self._core.store.answers.factual(*mine, normal, since):
            if await self._stands(viewer, known):
                is_repeat = known.session_id == exchange.session.session_id
                return KnownAnswer(stored=known.answer, given=known.given, is_repeat=is_repeat)
        earlier = await self._core.store.answers.of_session(*mine, exchange.session.session_id, since)
        for known in earlier:
            if same_question(normal, known.question) > SAME_QUESTION and await self._stands(viewer, known):
                return KnownAnswer(stored=known.answer, given=known.given, is_repeat=True)
        return None

    async def keep(
        self,
        viewer: Viewer,
        exchange: Exchange,
        question: str,
        answer: str,
        *,
        named: Collection[UserId],
        given: Given,
        message_ids: Sequence[MessageId],
    ) -> None:
        """Keep what a question was answered with, where it can be asked again: `named` are whom it is about."""
        if not _may_be_kept(question) or not exchange.is_stored or not exchange.session.is_kept:
            return
        subjects = tuple(sorted({*named, *((viewer.user_id,) if of_asker(question) else ())}))
        if not subjects or await self._changed_since(viewer, exchange, given, subjects):
            return
        if (await self._core.suppressions.screen(viewer.guild_id)).tells(answer, subjects):
            return
        one = Answered(
            guild_id=viewer.guild_id,
            session_id=exchange.session.session_id,
            audience=viewer.audience,
            user_id=viewer.user_id,
            question=normalised(question),
            answer=answer,
            subjects=subjects,
            fingerprint=await self._fingerprint(viewer, subjects),
            is_factual=any(given.members[u].fact_ids for u in subjects if u in given.members),
            given=given,
            at=self._core.clock(),
        )
        await self._core.store.answers.add(
            one, exchange.turn.message_id, message_ids, exchange.making.at - MAX_CLOCK_SKEW
        )

    async def _changed_since(
        self, viewer: Viewer, exchange: Exchange, given: Given, subjects: Sequence[UserId]
    ) -> bool:
        """Whether what the answer was given, or a fact about the subjects, changed while it was made."""
        making, session = exchange.making, exchange.session
        if not await self._validity.is_valid(
            viewer.guild_id, making, given, audience=viewer.audience, channel_id=session.channel_id
        ):
            return True
        live = await self._core.store.facts.live(viewer.guild_id, subjects, None)
        return any(fact.created_at > exchange.making.at for facts in live.values() for fact in facts)

    async def _stands(self, viewer: Viewer, known: Answered) -> bool:
        """Whether it tells nothing that was forgotten since, and was made with the facts that stand now."""
        screen = await self._core.suppressions.screen(viewer.guild_id)
        if screen.tells(known.answer, known.subjects):
            return False
        return known.fingerprint == await self._fingerprint(viewer, known.subjects)

    async def _fingerprint(self, viewer: Viewer, subjects: Sequence[UserId]) -> str:
        every = []
        for user_id in subjects:
            audiences = audiences_for(viewer, user_id)
            live = await self._core.store.facts.live(viewer.guild_id, [user_id], audiences)
            every += [f"{fact.fact_id}:{fact.value}" for fact in live[user_id]]
        return fingerprint(*every)


def normalised(question: str) -> str:
    """A question in one form: its words alone, folded."""
    return " ".join(words_of(question[:LONGEST_QUESTION]))


def of_asker(question: str) -> bool:
    """Whether a question is about whoever asks it."""
    return any(of_oneself(word) for word in words_of(question))


def _may_be_kept(question: str) -> bool:
    is_short = len(question) <= LONGEST_QUESTION and question.rstrip().endswith("?")
    return is_short and answers_for_long(question) and not _points_back(question)


def _points_back(question: str) -> bool:
    """Whether a question has a word that stands for something said before, so that it means nothing alone."""
    pointing = phrases("back") - phrases("articles")
    return any(word in pointing for word in words_of(question))
