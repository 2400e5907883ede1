"""Gemini and Gemma by google-genai: what the SDK says and raises, in this project's words."""

from __future__ import annotations

import re
import ssl
from collections.abc import Sequence
from functools import cache
from typing import Any, TypeVar

import aiohttp
import certifi
from google import genai
from google.genai import errors, types
from pydantic import BaseModel

from memory.ai.client import (
    AIRefused,
    AIUnusable,
    KeyRefused,
    NotAccepted,
    Prompt,
    QuotaExhausted,
    Tool,
    ToolCall,
    UnknownModel,
    schema_of,
)
from memory.ai.model import BATCH_PATIENCE, Completion, NotListening, Transient, json_in_words
from memory.ai.parsing import Text

T = TypeVar("T", bound=BaseModel)

GRACE = 5.0
"""Seconds that the SDK waits beyond our own limit, so that it is ours that is kept and told."""

_REFUSALS = {
    types.FinishReason.SAFETY,
    types.FinishReason.RECITATION,
    types.FinishReason.BLOCKLIST,
    types.FinishReason.PROHIBITED_CONTENT,
    types.FinishReason.SPII,
    types.FinishReason.MODEL_ARMOR,
}


class GeminiProvider:
    """One model of the Gemini API.

    A model named gemma gets its instructions in the user turn and is asked for JSON in words:
    the hosted Gemma 3 refuses a system instruction and JSON mode.
    """

    def __init__(self, *, api_key: str, model: str, time_limit: float = 60.0, base_url: str | None = None) -> None:
        self.model = model
        self._gemma = "gemma" in model.lower()
        self._client = _client(api_key, time_limit * BATCH_PATIENCE, base_url)

    async def say(self, prompt: Prompt[T]) -> Completion:
        """Send `prompt`. Raises Transient, QuotaExhausted, AIUnavailable, AIRefused or AIUnusable."""
        contents, config = self._request(prompt)
        try:
            response = await self._client.aio.models.generate_content(
                model=self.model, contents=contents, config=config
            )
        except errors.APIError as error:
            raise _translated(error, self.model) from error
        except aiohttp.ClientConnectorError as refused:
            raise NotListening(str(refused)) from refused
        except (aiohttp.ClientError, OSError, TimeoutError, ValueError) as lost:
            raise Transient(str(lost) or type(lost).__name__) from lost
        return _completion(response, cut_is_fine=issubclass(prompt.result, Text))

    async def close(self) -> None:
        """Close the SDK's connections."""
        await self._client.aio.aclose()

    def _request(self, prompt: Prompt[T]) -> tuple[list[types.ContentUnion], types.GenerateContentConfig]:
        config = types.GenerateContentConfig(
            temperature=prompt.temperature,
            max_output_tokens=prompt.max_output_tokens,
            automatic_function_calling=types.AutomaticFunctionCallingConfig(disable=True),
        )
        if prompt.is_coarse and not self._gemma:
            config.media_resolution = types.MediaResolution.MEDIA_RESOLUTION_LOW
        contents = [types.Content(role=role, parts=[types.Part(text=text)]) for role, text in prompt.contents]
        seen = [types.Part.from_bytes(data=one.data, mime_type=one.mime) for one in prompt.media]
        contents[-1].parts = [*seen, *(contents[-1].parts or [])]
        if self._gemma:
            told = types.Part(text=f"{prompt.instructions}{json_in_words(prompt)}\n\n")
            contents[0].parts = [told, *(contents[0].parts or [])]
            return list(contents), config
        config.system_instruction = prompt.instructions
        config.thinking_config = _little_thinking(self.model)
        if prompt.tools:  # the API takes tools or a schema: with tools the form is told in words
            config.system_instruction += json_in_words(prompt)
            config.tools = [_tools(prompt.tools)]
            mode = types.FunctionCallingConfigMode.NONE if prompt.must_answer else types.FunctionCallingConfigMode.AUTO
            config.tool_config = types.ToolConfig(function_calling_config=types.FunctionCallingConfig(mode=mode))
            contents += _used(prompt)
        elif not issubclass(prompt.result, Text):
            config.response_mime_type = "application/json"
            config.response_json_schema = schema_of(prompt.result)
        return list(contents), config


class GeminiEmbedding:
    """One model of the Gemini API that embeds."""

    def __init__(self, *, api_key: str, model: str, time_limit: float = 30.0, base_url: str | None = None) -> None:
        self.model = model
        self._client = _client(api_key, time_limit, base_url)

    async def embed(self, texts: Sequence[str], dimensions: int, *, question: bool) -> list[list[float]]:
        """The vectors of texts. Raises Transient, QuotaExhausted, AIUnavailable or AIUnusable."""
        config = types.EmbedContentConfig(
            task_type="RETRIEVAL_QUERY" if question else "RETRIEVAL_DOCUMENT", output_dimensionality=dimensions
        )
        contents: list[Any] = list(texts)
        try:
            found = await self._client.aio.models.embed_content(model=self.model, contents=contents, config=config)
        except errors.APIError as error:
            raise _translated(error, self.model) from error
        except (aiohttp.ClientError, OSError, TimeoutError, ValueError) as lost:
            raise Transient(str(lost) or type(lost).__name__) from lost
        return [list(embedding.values or ()) for embedding in found.embeddings or ()]

    async def close(self) -> None:
        """Close the SDK's connections."""
        await self._client.aio.aclose()


def _client(api_key: str, time_limit: float, base_url: str | None) -> genai.Client:
    """The SDK's client, which waits for GRACE beyond `time_limit` seconds.

    It never retries: by itself it would wait up to ten seconds before it reports that nothing is listening.
    """
    trusted = _trusted()
    return genai.Client(
        api_key=api_key,
        http_options=types.HttpOptions(
            timeout=int((time_limit + GRACE) * 1000),
            base_url=base_url,
            client_args={"verify": trusted},
            async_client_args={"verify": trusted, "ssl": trusted},
            retry_options=types.HttpRetryOptions(attempts=1),
        ),
    )


@cache
def _trusted() -> ssl.SSLContext:
    """Whom the SDK trusts: whom discord.py trusts, and the SDK's own list.

    Read once: by itself the SDK reads its list three times for each client, a tenth of a second.
    """
    trusted = ssl.create_default_context()
    trusted.load_verify_locations(certifi.where())
    return trusted


def _tools(tools: Sequence[Tool]) -> types.Tool:
    return types.Tool(
        function_declarations=[
            types.FunctionDeclaration(name=tool.name, description=tool.description, parameters_json_schema=tool.schema)
            for tool in tools
        ]
    )


def _used(prompt: Prompt[T]) -> list[types.Content]:
    """What the model had done until now, as it asked for it and as it came out."""
    contents = []
    for call, result in prompt.used:
        asked = types.FunctionCall(name=call.name, args=dict(call.arguments), id=call.call_id or None)
        done = types.FunctionResponse(name=call.name, response={"result": result}, id=call.call_id or None)
        part = types.Part(function_call=asked, thought_signature=call.signature or None)
        contents.append(types.Content(role="model", parts=[part]))
        contents.append(types.Content(role="user", parts=[types.Part(function_response=done)]))
    return contents


def _little_thinking(model: str) -> types.ThinkingConfig:
    # Thoughts are paid for as output; the 2.5 models know a budget in place of a level.
    if "2.5" in model:
        return types.ThinkingConfig(thinking_budget=0)
    return types.ThinkingConfig(thinking_level=types.ThinkingLevel.LOW)


def _completion(response: types.GenerateContentResponse, *, cut_is_fine: bool) -> Completion:
    feedback = response.prompt_feedback
    if feedback is not None and feedback.block_reason is not None:
        raise AIRefused(f"The AI declined to read this ({feedback.block_reason.value}).")
    candidate = response.candidates[0] if response.candidates else None
    finish = candidate.finish_reason if candidate else None
    if finish in _REFUSALS:
        raise AIRefused(f"The AI declined to answer this ({finish.value if finish else ''}).")
    cut = finish == types.FinishReason.MAX_TOKENS
    if cut and not cut_is_fine:
        raise AIUnusable("The AI's answer was cut off.", cut_off=True)
    parts = candidate.content.parts if candidate and candidate.content and candidate.content.parts else []
    text = "".join(part.text for part in parts if part.text and not part.thought)
    calls = tuple(
        ToolCall(
            name=one.name or "", arguments=one.args or {}, call_id=one.id or "", signature=part.thought_signature or b""
        )
        for part in parts
        if (one := part.function_call) is not None
    )
    if not text.strip() and not calls:
        raise AIUnusable("The AI's answer is empty.", cut_off=cut)
    usage = response.usage_metadata
    return Completion(
        text=f"{text}…" if cut else text,
        tokens_in=(usage.prompt_token_count or 0) if usage else 0,
        tokens_out=((usage.candidates_token_count or 0) + (usage.thoughts_token_count or 0)) if usage else 0,
        calls=calls,
    )


def _translated(error: errors.APIError, model: str) -> Exception:
    if error.code == 429:
        return _quota(error, model)
    if error.code >= 500 or error.code == 408:
        return Transient(f"{error.code} {error.status or ''}".strip())
    if error.code in (401, 403) or "API key" in (error.message or ""):
        return KeyRefused("The AI does not accept the key: check GEMINI_API_KEY.")
    if error.code == 404:
        return UnknownModel(f"The AI has no model called {model}: check GEMINI_MODEL and GEMMA_MODEL.")
    return NotAccepted(f"The AI does not accept the request: {error.code} {error.message or error.status}.")


def _quota(error: errors.APIError, model: str) -> QuotaExhausted:
    body: Any = error.details
    details = body.get("error", {}).get("details", []) if isinstance(body, dict) else []
    seconds, whole_day = 60.0, False
    for detail in details if isinstance(details, list) else []:
        kind = str(detail.get("@type", ""))
        if kind.endswith("RetryInfo") and (
            found := re.match(r"(\d{1,9}(?:\.\d{1,9})?)s", str(detail.get("retryDelay", "")))
        ):
            seconds = float(found[1])
        if kind.endswith("QuotaFailure"):
            whole_day = any("PerDay" in str(v.get("quotaId", "")) for v in detail.get("violations", []))
    return QuotaExhausted(f"The quota of {model} is used up.", retry_after=seconds, whole_day=whole_day)
