"""Any OpenAI-compatible endpoint (Ollama, llama.cpp, OpenRouter …), by the `openai` extra."""

from __future__ import annotations

import base64
import json
from collections.abc import Sequence
from typing import Any, TypeVar

import openai
from openai.types.chat import (
    ChatCompletionContentPartParam,
    ChatCompletionMessageParam,
    ChatCompletionMessageToolCallUnion,
    ChatCompletionToolParam,
)
from pydantic import BaseModel

from memory.ai.client import (
    USER,
    AIRefused,
    AIUnusable,
    KeyRefused,
    NotAccepted,
    Prompt,
    QuotaExhausted,
    Tool,
    ToolCall,
    UnknownModel,
)
from memory.ai.media import Media, MediaKind
from memory.ai.model import BATCH_PATIENCE, Completion, NotListening, Transient, json_in_words
from memory.ai.parsing import Text

T = TypeVar("T", bound=BaseModel)


class OpenAICompatibleProvider:
    """One model of an endpoint.

    JSON is asked for in words, and no length of the answer: not every such server has a JSON mode,
    and many refuse a length above their own.
    """

    def __init__(self, *, base_url: str, api_key: str, model: str, time_limit: float = 60.0) -> None:
        self.model = model
        self._client = openai.AsyncOpenAI(
            base_url=base_url, api_key=api_key or "none", timeout=time_limit * BATCH_PATIENCE, max_retries=0
        )

    async def say(self, prompt: Prompt[T]) -> Completion:
        """Send `prompt`. Raises Transient, QuotaExhausted, AIUnavailable, AIRefused or AIUnusable."""
        try:
            done = await self._client.chat.completions.create(
                model=self.model,
                messages=_messages(prompt),
                temperature=prompt.temperature,
                tools=_tools(prompt.tools) if prompt.tools else openai.omit,
                tool_choice=("none" if prompt.must_answer else "auto") if prompt.tools else openai.omit,
            )
        except openai.APIError as failed:
            raise _translated(failed, self.model) from failed
        choice = done.choices[0] if done.choices else None
        if choice is not None and choice.finish_reason == "content_filter":
            raise AIRefused
        cut = choice is not None and choice.finish_reason == "length"
        if cut and not issubclass(prompt.result, Text):
            raise AIUnusable("The AI's answer was cut off.", cut_off=True)
        text = (choice.message.content or "") if choice else ""
        calls = _calls(choice.message.tool_calls or []) if choice else ()
        if not text.strip() and not calls:
            raise AIUnusable("The AI's answer is empty.", cut_off=cut)
        return Completion(
            text=f"{text}…" if cut else text,
            tokens_in=done.usage.prompt_tokens if done.usage else prompt.tokens,
            tokens_out=done.usage.completion_tokens if done.usage else 0,
            calls=calls,
        )

    async def close(self) -> None:
        """Close the SDK's connections."""
        await self._client.close()


class OpenAICompatibleEmbedding:
    """One model of an endpoint that embeds."""

    def __init__(self, *, base_url: str, api_key: str, model: str, time_limit: float = 30.0) -> None:
        self.model = model
        self._client = openai.AsyncOpenAI(
            base_url=base_url, api_key=api_key or "none", timeout=time_limit, max_retries=0
        )

    async def embed(self, texts: Sequence[str], dimensions: int, *, question: bool) -> list[list[float]]:
        """The vectors of texts. Raises Transient, QuotaExhausted, AIUnavailable or AIUnusable."""
        try:
            found = await self._client.embeddings.create(
                model=self.model, input=list(texts), dimensions=dimensions, encoding_format="float"
            )
        except openai.APIError as failed:
            raise _translated(failed, self.model) from failed
        return [one.embedding for one in sorted(found.data, key=lambda one: one.index)]

    async def close(self) -> None:
        """Close the SDK's connections."""
        await self._client.close()


def _messages(prompt: Prompt[T]) -> list[ChatCompletionMessageParam]:
    messages: list[ChatCompletionMessageParam] = [
        {"role": "system", "content": prompt.instructions + json_in_words(prompt)}
    ]
    for role, text in prompt.contents:
        if role == USER:
            messages.append({"role": "user", "content": text})
        else:
            messages.append({"role": "assistant", "content": text})
    if prompt.media:
        _, last = prompt.contents[-1]
        messages[-1] = {"role": "user", "content": [*map(_part, prompt.media), {"type": "text", "text": last}]}
    for n, (call, result) in enumerate(prompt.used, 1):
        call_id = call.call_id or f"call-{n}"
        asked = {"name": call.name, "arguments": json.dumps(dict(call.arguments), ensure_ascii=False)}
        messages.append(
            {
                "role": "assistant",
                "tool_calls": [{"id": call_id, "type": "function", "function": asked}],  # type: ignore[typeddict-item]
            }
        )
        messages.append({"role": "tool", "tool_call_id": call_id, "content": result})
    return messages


def _part(media: Media) -> ChatCompletionContentPartParam:
    """A picture, a sound or a document as such endpoints take it."""
    encoded = base64.b64encode(media.data).decode("ascii")
    if media.kind is MediaKind.PICTURE:
        return {"type": "image_url", "image_url": {"url": f"data:{media.mime};base64,{encoded}"}}
    if media.kind is MediaKind.DOCUMENT:
        data = f"data:{media.mime};base64,{encoded}"
        return {"type": "file", "file": {"filename": "document.pdf", "file_data": data}}
    # The SDK names WAV and MP3 alone; endpoints that hear take more.
    form: Any = media.mime.partition("/")[2]
    return {"type": "input_audio", "input_audio": {"data": encoded, "format": form}}


def _tools(tools: Sequence[Tool]) -> list[ChatCompletionToolParam]:
    return [
        {
            "type": "function",
            "function": {"name": tool.name, "description": tool.description, "parameters": tool.schema},
        }
        for tool in tools
    ]


def _calls(asked: Sequence[ChatCompletionMessageToolCallUnion]) -> tuple[ToolCall, ...]:
    """The tools a model wants used; arguments that are no JSON object are none."""
    calls = []
    for one in asked:
        if one.type != "function":
            continue
        try:
            arguments = json.loads(one.function.arguments or "{}")
        except ValueError:
            arguments = {}
        is_object = isinstance(arguments, dict)
        calls.append(ToolCall(name=one.function.name, arguments=arguments if is_object else {}, call_id=one.id))
    return tuple(calls)


def _translated(failed: openai.APIError, model: str) -> Exception:
    if isinstance(failed, openai.RateLimitError):
        after = _seconds(failed.response.headers.get("retry-after"))
        return QuotaExhausted(f"The quota of {model} is used up.", retry_after=after)
    if isinstance(failed, openai.AuthenticationError | openai.PermissionDeniedError):
        return KeyRefused("The AI does not accept the key: check AI_API_KEY.")
    if isinstance(failed, openai.NotFoundError):
        return UnknownModel(f"The AI has no model called {model}: check AI_MODEL and AI_BASE_URL.")
    if type(failed.__cause__).__name__ == "ConnectError":  # of the HTTP library that the SDK's version uses
        return NotListening(f"{failed} ({failed.__cause__})")
    if isinstance(failed, openai.APIConnectionError | openai.InternalServerError):
        return Transient(str(failed))
    return NotAccepted(f"The AI does not accept the request: {failed.message}")


def _seconds(retry_after: str | None) -> float:
    try:
        return float(retry_after or 60)
    except ValueError:
        return 60.0
