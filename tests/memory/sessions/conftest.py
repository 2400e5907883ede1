"""A talk with the bot, played straight into memory."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import pytest

from memory import AuthorKind, Exchange
from tests.builders import Clock, G, Talk, viewer_of
from urmom_bot.app import App
from urmom_bot.stand_ins import Asked, GeminiStandIn, extractive

CHANNEL = 7


@dataclass
class Chat:
    """People who talk with the bot in one channel."""

    app: App
    talk: Talk
    clock: Clock

    async def say(self, user_id: int, text: str, answer: str = "I see.", *, channel: int = CHANNEL) -> Exchange:
        """Somebody says something, and the bot answers; what became of it."""
        self.clock.on(seconds=20)
        message_id = await self.talk.say(user_id, text, at=self.clock.now, channel_id=channel)
        viewer = await viewer_of(self.app.memory, G, user_id)
        acquired = self.app.memory.conversations.acquire(viewer, channel, message_id, text, self.clock.now)
        async with acquired as exchange:
            reply = await self.talk.say(99, answer, at=self.clock.now, channel_id=channel, author_kind=AuthorKind.SELF)
            exchange.answered(answer, [reply], self.clock.now)
        await self.app.memory.settle()
        return exchange

    async def over(self) -> None:
        """Nobody goes on, and what is left to do in the background is done."""
        self.clock.on(minutes=8)
        await self.app.memory.conversations.keep_going()


@pytest.fixture
def chat(app: App, talk: Talk, clock: Clock) -> Chat:
    return Chat(app, talk, clock)


def leaves(
    gemini: GeminiStandIn,
    conclusions: Sequence[Mapping[str, Any]] = (),
    facts: Sequence[Mapping[str, Any]] = (),
    **more: str,
) -> list[Asked]:
    """Let every digest have this answer; returns the list of those that were asked for."""
    asked: list[Asked] = []

    def answer(prompt: Asked) -> str:
        if prompt.name != "What a talk came to":
            return extractive(prompt)
        asked.append(prompt)
        return json.dumps({"conclusions": list(conclusions), "facts": list(facts), **more})

    gemini.answer = answer
    return asked


def decision(text: str, *evidence: int, kind: str = "decision", **more: list[int]) -> dict[str, Any]:
    return {"kind": kind, "text": text, "evidence": list(evidence), **more}


def fact(who: str, text: str, *evidence: int, confidence: str = "medium") -> dict[str, Any]:
    return {"who": who, "key": "job", "text": text, "evidence": list(evidence), "confidence": confidence}
