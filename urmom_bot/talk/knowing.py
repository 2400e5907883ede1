"""Know: what is known of somebody, as their context and their facts one by one."""

from __future__ import annotations

from memory import FallbackLevel, Member, MemoryManager
from urmom_bot.talk import presenting
from urmom_bot.talk.requests import Reply, Request
from urmom_bot.talk.texts import Texts
from urmom_bot.viewing import Viewing


class Knower:
    """Tells what is known."""

    def __init__(self, memory: MemoryManager, viewing: Viewing) -> None:
        self._memory = memory
        self._viewing = viewing

    async def know(self, request: Request, subject: Member, texts: Texts) -> Reply:
        """The context of a member, and the facts one by one."""
        contexts = await self._memory.replies.contexts(request.viewer, [subject.user_id])
        context, name = contexts[subject.user_id], subject.display_name
        lines = []
        if context.text and context.fallback is not FallbackLevel.FACTS:
            lines.append(texts("know", name=name, context=context.text))
        if context.facts:
            facts = await self._viewing.listed(request.viewer, context.facts)
            lines.append(texts("know_facts", facts=presenting.fact_lines(facts, texts)))
        if not lines:
            lines.append(texts("know_nothing", name=name))
        if not context.text and context.activity:
            count, days = sum(context.activity.values()), len(context.activity)
            lines.append(texts("know_activity", name=name, count=count, days=days))
        return Reply(text="\n".join(lines), given=await self._memory.replies.given_by(request.viewer, contexts))
