"""The search by meaning, where an embedder is set: texts are embedded in the background, newest first."""

from __future__ import annotations

import asyncio
import logging
import time
from collections.abc import Sequence

from memory.ai.client import AIError, BudgetUsed
from memory.ai.embedding import TEXTS_PER_REQUEST, Embedder
from memory.core import Core
from memory.ids import GuildId, MessageId, UserId
from memory.loops import Loops
from memory.rules.safety import redacted
from memory.rules.text import mentioned, with_names
from memory.store.vectors import KINDS, Embeddable, literal

log = logging.getLogger(__name__)

EVERY = 30.0
"""Seconds between two looks for texts without a vector."""

FAILURE_PAUSE = 300.0
"""Seconds that the background work rests after the embedder failed."""

QUESTION_TIME = 0.6
"""Seconds that a search waits for the meaning of its question; then it goes without."""

WINDOW = 500
"""Texts that are looked at at once for those without a vector."""


class Vectors:
    """Embeds what may be found, and questions; without an embedder it does nothing."""

    def __init__(self, core: Core, embedder: Embedder | None, loops: Loops) -> None:
        self._core = core
        self._embedder = embedder
        self._loops = loops
        self._rests_until = 0.0
        self.column: str | None = None
        """The column with the embedder's vectors, once it is there."""

    async def start(self) -> None:
        """Create the embedder's column and start filling it. Raises DatabaseUnavailable."""
        if self._embedder is None:
            return
        self.column = await self._core.store.vectors.prepare(self._embedder.model, self._embedder.dimensions)
        if self.column is None:
            log.warning("the database has no pgvector: the search goes by words and people alone")
            return
        self._loops.start("vectors", self._go_on, every=EVERY)

    async def of_question(self, guild_id: GuildId, text: str, asker: UserId | None = None) -> str | None:
        """A question's vector as SQL reads it; None where there is no embedder, or it does not answer."""
        if self._embedder is None or self.column is None:
            return None
        try:
            async with asyncio.timeout(QUESTION_TIME):
                (vector,) = await self._embedder.embed(
                    guild_id,
                    [redacted(text)],
                    members=() if asker is None else (asker,),
                    question=True,
                    patience=0.0,
                )
        except (AIError, TimeoutError) as failed:
            log.info("a question is searched by words and people alone (%s)", type(failed).__name__)
            return None
        return literal(vector)

    async def _go_on(self) -> None:
        if time.monotonic() < self._rests_until:
            return
        try:
            await self.fill()
        except AIError as failed:
            log.info("texts are embedded later (%s)", failed)
            self._rests_until = time.monotonic() + FAILURE_PAUSE

    async def fill(self) -> int:
        """Embed every text that has no vector yet; returns how many. Raises AIError and DatabaseUnavailable."""
        done = 0
        for guild_id in await self._core.store.people.guilds():
            try:
                for kind in KINDS:
                    done += await self._fill(guild_id, kind)
            except BudgetUsed as used:  # that guild's own bound, and nobody else's
                log.info("texts of guild %d are embedded later (%s)", guild_id, used)
        return done

    async def _fill(self, guild_id: GuildId, kind: str) -> int:
        assert self._embedder is not None
        assert self.column is not None
        done, before = 0, 2**62
        while True:
            missing, oldest = await self._core.store.vectors.missing(guild_id, kind, self.column, before, WINDOW)
            told = await self._sendable(guild_id, missing)
            for start in range(0, len(told), TEXTS_PER_REQUEST):
                part = told[start : start + TEXTS_PER_REQUEST]
                of_messages = kind == "message"
                vectors = await self._embedder.embed(
                    guild_id,
                    [text for _, text in part],
                    messages=[MessageId(of.id) for of, _ in part] if of_messages else (),
                    members=() if of_messages else [of.user_id for of, _ in part],
                )
                await self._core.store.vectors.add(guild_id, kind, self.column, [of for of, _ in part], vectors)
                done += len(part)
            if oldest is None or not missing:
                return done  # what is older was embedded in an earlier pass
            before = oldest

    async def _sendable(self, guild_id: GuildId, found: Sequence[Embeddable]) -> list[tuple[Embeddable, str]]:
        """Texts as the embedder is sent them: with names, without secrets, and none that tells what was forgotten."""
        screen = await self._core.suppressions.screen(guild_id)
        people = {user_id for of in found for user_id in mentioned(of.text)}
        members = await self._core.store.people.members(guild_id, people) if people else {}
        names = {user_id: member.display_name for user_id, member in members.items()}
        sendable = []
        for of in found:
            text = with_names(redacted(of.text, of.secret_spans), names)
            if text.strip() and not screen.forbids(text, {of.user_id, *mentioned(of.text)}):
                sendable.append((of, text))
        return sendable
