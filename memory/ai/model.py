"""One model behind the governor: counted, retried, validated, repaired once. Providers only carry text."""

from __future__ import annotations

import asyncio
import json
import logging
import time
from collections.abc import Mapping
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from functools import lru_cache
from typing import Any, Protocol, TypeVar

from pydantic import BaseModel
from tenacity import (
    AsyncRetrying,
    RetryCallState,
    retry_if_exception_type,
    stop_after_attempt,
    stop_after_delay,
    wait_random_exponential,
)
from tenacity.stop import stop_base

from memory.ai.client import (
    ROUNDS,
    AIError,
    AITrouble,
    AIUnavailable,
    AIUnusable,
    Answer,
    Meter,
    Priority,
    Prompt,
    QuotaExhausted,
    Role,
    ShareUsed,
    ToolCall,
    ToolRun,
    schema_of,
)
from memory.ai.governor import Governor
from memory.ai.media import MediaKind, media_of
from memory.ai.parsing import Text, cleaned, parse
from memory.observer import AICall, Observer
from memory.records import Spent

log = logging.getLogger(__name__)

T = TypeVar("T", bound=BaseModel)

BATCH_PATIENCE = 5
"""A whole day of many members takes a model so many times longer to write than anything else."""


FAILURES = 5
"""Times in a row that a model does not answer until it is left alone for a while."""

FAILURE_PAUSE = timedelta(seconds=30)
"""For how long; twice as long each time it does not answer then either, up to `MAX_FAILURE_PAUSE`."""

MAX_FAILURE_PAUSE = timedelta(minutes=10)

MAX_CONCURRENT_REQUESTS = 32
"""Requests that one model is asked at once by a process at the most; others wait."""


class Transient(Exception):
    """The provider stumbled: the same request may well succeed in a moment."""


class NotListening(Transient):
    """The provider's address refuses connections."""


class _StopsWhereNothingListens(stop_base):
    def __call__(self, state: RetryCallState) -> bool:
        failed = state.outcome.exception() if state.outcome is not None else None
        return isinstance(failed, NotListening) and state.attempt_number >= NOT_LISTENING_TRIES


NOT_LISTENING_TRIES = 2
"""Refused connections after which a request fails."""


@dataclass(frozen=True, kw_only=True)
class Completion:
    """What a provider's model answered, as text, and the tokens it counted."""

    text: str
    tokens_in: int
    tokens_out: int
    calls: tuple[ToolCall, ...] = ()
    """The tools it wants used before it answers."""


class Provider(Protocol):
    """Carries one prompt to one model. Knows the wire, nothing else."""

    model: str

    async def say(self, prompt: Prompt[T]) -> Completion:
        """Send `prompt`. Raises Transient, QuotaExhausted, AIUnavailable, AIRefused or AIUnusable."""
        ...


class GovernedModel:
    """An AIClient over a provider."""

    def __init__(
        self,
        provider: Provider,
        governor: Governor,
        *,
        time_limit: float = 60.0,
        backoff: float = 0.5,
        observer: Observer | None = None,
        takes: frozenset[MediaKind] | None = None,
    ) -> None:
        self.takes = media_of(provider.model) if takes is None else takes
        """What the model takes beside text: by its name, where it is not told."""
        self._observer = observer or Observer()
        self._provider = provider
        self._governor = governor
        self._time_limit = time_limit
        self._backoff = backoff
        self._trouble: AITrouble | None = None
        self._room = asyncio.Semaphore(MAX_CONCURRENT_REQUESTS)
        self._failures = 0
        self._rests_until: datetime | None = None

    @property
    def model(self) -> str:
        """The model's name."""
        return self._provider.model

    @property
    def last_error(self) -> AITrouble | None:
        """What kept the model from answering the last time it was asked; None where it did answer."""
        return self._trouble

    @property
    def blocked(self) -> AIError | None:
        """The day's quota, while it is known to be used up; or that it is left alone, as it did not answer."""
        return self._resting() or self._governor.blocked(self.model)

    @property
    def hours_between_reads(self) -> int:
        """Hours between two readings of a day that is going on, so that the calls of the model last its day."""
        return self._governor.hours_between_reads(self.model)

    async def ask(self, prompt: Prompt[T], run: ToolRun | None = None) -> Answer[T]:
        """Answer `prompt` within the time limit. Raises QuotaExhausted, AIUnavailable, AIRefused or AIUnusable."""
        if (resting := self._resting()) is not None:
            raise resting
        try:
            answer = await self._asked(prompt if run is not None else replace(prompt, tools=()), run)
        except ShareUsed:
            raise  # it says nothing of the model
        except AIError as failed:
            if prompt.priority is Priority.MEDIA:
                raise  # a file that it chokes on keeps nobody else from an answer
            self._note(failed.trouble, str(failed))
            if isinstance(failed, AIUnavailable):
                self._failed()
            raise
        self._note(None, "")
        self._failures, self._rests_until = 0, None
        return answer

    def _resting(self) -> AIError | None:
        """That the model is left alone for now, as it did not answer; None where it is asked."""
        if self._rests_until is None or self._governor.now() >= self._rests_until:
            return None
        return AIUnavailable(f"The AI did not answer {self._failures} times in a row, and is asked again later.")

    def _failed(self) -> None:
        """Leave a model alone that does not answer: nobody is to wait for it each time, nor is it to be flooded."""
        self._failures += 1
        if self._failures >= FAILURES:
            rest = FAILURE_PAUSE * 2 ** min(self._failures - FAILURES, 10)
            self._rests_until = self._governor.now() + min(rest, MAX_FAILURE_PAUSE)

    def _note(self, trouble: AITrouble | None, reason: str) -> None:
        """Say in the log what keeps the model from answering, once for each change."""
        before, self._trouble = self._trouble, trouble
        if trouble == before:
            return
        if trouble is None:
            log.info("AI: %s answers again", self.model)
        else:
            level = logging.INFO if trouble is AITrouble.MINUTE_OUT else logging.WARNING
            log.log(level, "AI: %s cannot be used (%s): %s", self.model, trouble.value, reason)

    async def _asked(self, prompt: Prompt[T], run: ToolRun | None) -> Answer[T]:
        spent = Spent()
        rounds_left = ROUNDS
        while True:
            question = replace(prompt, must_answer=not rounds_left)
            completion = await self._counted(question)
            spent += Spent(calls=1, tokens_in=completion.tokens_in, tokens_out=completion.tokens_out)
            if not completion.calls or run is None or not rounds_left:
                break
            rounds_left -= 1
            calls = [replace(call, arguments=cleaned(dict(call.arguments))) for call in completion.calls]
            results = await asyncio.gather(*(run(call) for call in calls))
            prompt = replace(prompt, used=(*prompt.used, *zip(calls, results, strict=True)))
        for last_try in (False, True):
            try:
                value = parse(completion.text, prompt.result)
            except AIUnusable as unusable:
                if last_try or not completion.text.strip() or prompt.priority is Priority.MEDIA:
                    raise  # pictures are not sent a second time
                log.info("prompt %s: repairing an answer of %s (%s)", prompt.name, self.model, unusable)
                completion = await self._counted(_repair(question, completion.text, str(unusable)))
                spent += Spent(calls=1, tokens_in=completion.tokens_in, tokens_out=completion.tokens_out)
                continue
            return Answer(value=value, model=self.model, spent=spent)
        raise AssertionError("unreachable")

    async def _counted(self, prompt: Prompt[T]) -> Completion:
        reservation = await self._governor.reserve(self.model, prompt)
        completion: Completion | None = None
        retrying, began, error = self._retrying(prompt), time.perf_counter(), ""
        try:
            async with self._room:
                completion = await self._retried(retrying, prompt)
                return completion
        except QuotaExhausted as exhausted:
            error = type(exhausted).__name__
            await self._governor.give_back(reservation)
            await self._governor.record_exhausted(self.model, exhausted)
            raise
        except AIError as failed:
            error = type(failed).__name__
            if isinstance(failed, AIUnavailable):
                await self._governor.give_back(reservation)
            raise
        finally:
            self._observer.ai_called(
                AICall(
                    model=self.model,
                    prompt=prompt.name,
                    seconds=time.perf_counter() - began,
                    tokens_in=completion.tokens_in if completion else 0,
                    tokens_out=completion.tokens_out if completion else 0,
                    error=error,
                    parts=prompt.parts if prompt.role is Role.SMALL else {},
                )
            )
            spent = Spent(
                calls=retrying.statistics.get("attempt_number", 1),
                tokens_in=completion.tokens_in if completion else reservation.tokens,
                tokens_out=completion.tokens_out if completion else 0,
            )
            Meter.add(spent)
            await self._governor.settle(reservation, spent)

    def _limit(self, prompt: Prompt[T]) -> float:
        usual = self._time_limit * (BATCH_PATIENCE if prompt.role is Role.BATCH else 1)
        return min(usual, prompt.time_limit or usual)

    def _retrying(self, prompt: Prompt[T]) -> AsyncRetrying:
        return AsyncRetrying(
            retry=retry_if_exception_type(Transient),
            wait=wait_random_exponential(multiplier=self._backoff, max=8),
            stop=stop_after_delay(self._limit(prompt)) | stop_after_attempt(4) | _StopsWhereNothingListens(),
            reraise=True,
        )

    async def _retried(self, retrying: AsyncRetrying, prompt: Prompt[T]) -> Completion:
        limit = self._limit(prompt)
        try:
            async with asyncio.timeout(limit):
                return await retrying(self._provider.say, prompt)
        except TimeoutError as late:
            raise AIUnavailable(f"The AI did not answer within {limit:g} seconds.") from late
        except Transient as gave_up:
            raise AIUnavailable(f"The AI does not answer: {gave_up}") from gave_up


def _repair(prompt: Prompt[T], answer: str, problem: str) -> Prompt[T]:
    words = json.dumps({"your_answer": answer[:8_000], "what_is_wrong": problem}, ensure_ascii=False)
    return replace(
        prompt,
        data=f"{prompt.data}\n\nYou answered this before, and it could not be used. Answer again, whole,"
        f" in the form that was asked for.\n{words}",
    )


def json_in_words(prompt: Prompt[T]) -> str:
    """What to tell a model that has no JSON mode about the form of its answer; empty for plain text."""
    if issubclass(prompt.result, Text):
        return ""
    return f"\n\nAnswer with one JSON object alone, of this TypeScript type:\n{_type(prompt.result)}"


@lru_cache
def _type(result: type[BaseModel]) -> str:
    """The form of a result as a TypeScript type, which takes half the tokens of its JSON schema."""
    schema = schema_of(result)
    return _written(schema, schema.get("$defs", {}))


def _written(schema: Mapping[str, Any], definitions: Mapping[str, Any]) -> str:
    if reference := schema.get("$ref"):
        return _written(definitions[reference.rpartition("/")[2]], definitions)
    if options := schema.get("enum") or ([schema["const"]] if "const" in schema else None):
        return "|".join(json.dumps(option, ensure_ascii=False) for option in options)
    if options := schema.get("anyOf"):
        return "|".join(_written(option, definitions) for option in options)
    if schema["type"] == "array":
        return f"Array<{_written(schema['items'], definitions)}>"
    if schema["type"] == "object":
        required = schema.get("required", ())
        fields = (
            f"{name}{'' if name in required else '?'}: {_written(of, definitions)}"
            for name, of in schema["properties"].items()
        )
        return f"{{{', '.join(fields)}}}"
    return {"integer": "number"}.get(schema["type"], str(schema["type"]))


__all__ = ["AIError", "Completion", "GovernedModel", "NotListening", "Provider", "Transient", "json_in_words"]
