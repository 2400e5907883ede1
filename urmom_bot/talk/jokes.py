"""Ur-mom jokes: one for a message, made more its author's by what is known of them."""

from __future__ import annotations

import logging
from dataclasses import dataclass
from datetime import timedelta

from memory import Given, Member, MemoryManager, Viewer
from memory.ai import AIError
from memory.records import InboxItem, Making
from memory.rules import content_policy
from memory.rules.text import fit
from urmom_bot.markup import Markup, from_model
from urmom_bot.talk import prompts

log = logging.getLogger(__name__)

JOKE_CHARACTERS = 300


@dataclass(frozen=True, kw_only=True)
class Joke:
    """A joke, and what it was given of memory."""

    text: Markup
    given: Given
    making: Making


class Jester:
    """Jokes on demand, within bounds: once a message, a pause between two in a channel, not about who minds."""

    def __init__(self, memory: MemoryManager, cooldown: timedelta) -> None:
        self._memory = memory
        self._cooldown = cooldown

    async def joke(self, viewer: Viewer, entry: InboxItem, author: Member, text: str) -> Joke | None:
        """A joke about a message, for those who read its channel; None where there is to be none.

        Raises DatabaseUnavailable. Where the model made none, the message may be asked a joke of again.
        """
        guild_id = viewer.guild_id
        known = (await self._memory.guilds.members(guild_id, [author.user_id])).get(author.user_id)
        choice = await self._memory.privacy.choice(guild_id, author.user_id)
        last = await self._memory.inbox.last(entry)
        too_soon = last is not None and self._memory.clock() - last < self._cooldown
        wanted = (await self._memory.guilds.rules(guild_id)).jokes
        if not wanted or not text.strip() or choice.is_off or (known is not None and not known.jokes) or too_soon:
            await self._memory.inbox.drop(entry)
            return None
        making = self._memory.replies.begin(guild_id)
        try:
            contexts = await self._memory.replies.contexts(viewer, [author.user_id])
            context = contexts[author.user_id].text
            whose = known or author
            answer = await self._memory.ai.ask(
                prompts.joke(guild_id, author=whose, message_id=entry.trigger_id, text=text, known=context)
            )
            given = self._memory.replies.given_by(viewer, contexts)
        except AIError as failed:
            log.info("joke: none (%s)", type(failed).__name__)
            await self._memory.inbox.drop(entry)
            return None
        others = [name for name in (known or author).names if len(name) > 2]
        told = from_model(fit(content_policy.clean_answer(answer.value.text, text, others), JOKE_CHARACTERS))
        return None if not told else Joke(text=told, given=given, making=making)
