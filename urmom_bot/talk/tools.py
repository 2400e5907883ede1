"""Tools: what a model may have done while it answers, through the same commands that members use (seed 000)."""

from __future__ import annotations

import asyncio
import json
from collections import defaultdict
from collections.abc import Awaitable, Callable

from pydantic import BaseModel, Field, ValidationError

from memory import SearchHit
from memory.ai import Tool, ToolCall
from urmom_bot.markup import Markup, joined
from urmom_bot.talk.knowing import Knower
from urmom_bot.talk.proposals import Proposal, proposed
from urmom_bot.talk.requests import Reply, Request
from urmom_bot.talk.texts import Texts

Perform = Callable[[Proposal], Awaitable[Reply]]
"""Does what a model proposes for whoever wrote the message, with their rights, or asks them first."""


class RememberArguments(BaseModel):
    """What is to be remembered."""

    statement: str = Field(description="The statement, in the words of the message.")
    subject: str = Field("", description="Whom it is about, as the message calls them; empty for who wrote it.")


class ForgetArguments(BaseModel):
    """What is to be forgotten."""

    statement: str = Field(description="What is to be forgotten, in the words of the message.")


class RecallArguments(BaseModel):
    """What is looked for."""

    question: str = Field(description="The question, or a few words, in the language of the server.")


TOOLS = (
    Tool(
        name="remember",
        description="Keep a statement about a person for later. Only if the message asks for that.",
        parameters=RememberArguments,
    ),
    Tool(
        name="forget",
        description="Forget something kept about a person. Only if the message asks for that.",
        parameters=ForgetArguments,
    ),
    Tool(
        name="recall",
        description="Search what was said, noted and decided on this server before.",
        parameters=RecallArguments,
    ),
)
"""What a model may have done. It proposes; whether it is done is decided as for a command."""


class Tools:
    """The tools of one answer, and what they did: a member is told that by code, whatever the model writes."""

    def __init__(self, request: Request, knower: Knower, texts: Texts, perform: Perform) -> None:
        self._request = request
        self._knower = knower
        self._texts = texts
        self._perform = perform
        self.done: list[Reply] = []
        self.found: list[SearchHit] = []
        """What searches brought: the answer goes with it."""
        self.texts: list[str] = []
        """The same, as the model read it."""
        self._results: dict[str, str] = {}
        self._running: defaultdict[str, asyncio.Lock] = defaultdict(asyncio.Lock)
        self._changing = asyncio.Lock()

    async def run(self, call: ToolCall) -> str:
        """Do what a model asks for; return what came of it. A repeated call returns the first result."""
        key = json.dumps([call.name, call.arguments], sort_keys=True, default=str)
        async with self._running[key]:
            if key not in self._results:
                self._results[key] = await self._run(call)
        return self._results[key]

    async def _run(self, call: ToolCall) -> str:
        try:
            match call.name:
                case "recall":
                    question = RecallArguments.model_validate(call.arguments).question
                    found = await self._knower.lines(
                        self._request, await self._knower.found(self._request, question), self._texts, limit=10
                    )
                    if found is not None:
                        self.found += found.entries
                        self.texts.append(found.text)
                    return found.text if found is not None else "Nothing was found."
                case "remember":
                    wanted = RememberArguments.model_validate(call.arguments)
                    command = proposed("remember", wanted.subject, wanted.statement, self._request.text)
                case "forget":
                    statement = ForgetArguments.model_validate(call.arguments).statement
                    command = proposed("forget", "", statement, self._request.text)
                case _:
                    return "There is no such tool."
        except ValidationError:
            return "The arguments are not of the form that was asked for."
        if command is None:
            return "Refused: the message does not say that."
        async with self._changing:  # in the order in which they were asked for
            reply = await self._perform(command)
            self.done.append(reply)
        return reply.text

    def confirmed(self, answer: Markup) -> Reply:
        """The model's answer, and what was done in the words of code, with its buttons; it is no talk to go on from."""
        text = joined(filter(None, (*(reply.text for reply in self.done), answer)))
        actions = tuple(action for reply in self.done for action in reply.actions)[:5]
        return Reply(text=text, off_record=True, given=self.done[-1].given, actions=actions)
