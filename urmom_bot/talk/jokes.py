"""Ur-mom jokes: one for a message, made more its author's by what is known of them."""

from __future__ import annotations

import logging
from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime, timedelta

from memory import AIClient, AIError, Consent, Member, MemoryManager, fit
from urmom_bot.talk import prompts

log = logging.getLogger(__name__)

JOKE_CHARACTERS = 300


@dataclass(frozen=True, kw_only=True)
class Joke:
    """A joke, and what it was given of memory."""

    text: str
    facts: tuple[int, ...] = ()
    messages: tuple[int, ...] = ()
    notes: tuple[int, ...] = ()


class Jester:
    """Jokes on demand, within bounds: once a message, a pause between two in a channel, not about who minds."""

    def __init__(self, memory: MemoryManager, ai: AIClient, clock: Callable[[], datetime], cooldown: timedelta) -> None:
        self._memory = memory
        self._ai = ai
        self._clock = clock
        self._cooldown = cooldown

    async def joke(
        self, guild_id: int, channel_id: int, message_id: int, author: Member, text: str, audience: int
    ) -> Joke | None:
        """A joke about a message, or None where there is to be none. Raises DatabaseUnavailable."""
        known = (await self._memory.members(guild_id, [author.user_id])).get(author.user_id)
        consent, ignored = await self._memory.consent(guild_id, author.user_id)
        if not text.strip() or ignored or consent is Consent.OFF or (known is not None and not known.jokes):
            return None
        last = await self._memory.last_reply(guild_id, channel_id, "joke")
        if last is not None and self._clock() - last < self._cooldown:
            return None
        if not await self._memory.claim(guild_id, message_id, "joke", channel_id):
            return None
        try:
            found = (await self._memory.contexts(guild_id, [author.user_id], audience=audience))[author.user_id]
            answer = await self._ai.ask(prompts.joke(guild_id, author=known or author, text=text, known=found.text))
        except AIError as failed:
            log.info("joke: none (%s)", type(failed).__name__)
            await self._memory.unclaim(guild_id, message_id, "joke")
            return None
        except Exception:
            await self._memory.unclaim(guild_id, message_id, "joke")
            raise
        return Joke(
            text=fit(answer.value.text, JOKE_CHARACTERS),
            facts=tuple(fact.fact_id for fact in found.facts),
            messages=tuple(m for part in found.parts for m in part.evidence),
            notes=found.notes,
        )
