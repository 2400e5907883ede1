"""A local server that speaks the Gemini API's generateContent, its errors included."""

from __future__ import annotations

import asyncio
import base64
import hashlib
import json
import re
from collections import deque
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from aiohttp import web

from urmom_bot.stand_ins.http import json_response, serve


@dataclass(frozen=True, kw_only=True)
class UseTool:
    """An answer that has a tool used, in place of text."""

    name: str
    arguments: dict[str, Any]


@dataclass(frozen=True, kw_only=True)
class Asked:
    """One request as it came over the wire."""

    model: str
    name: str
    instructions: str
    data: str
    schema: dict[str, Any] | None
    temperature: float | None
    turns: tuple[tuple[str, str], ...] = ()
    """What was said before, as (role, text): all contents but the last."""
    tools: tuple[str, ...] = ()
    """The tools it may have used; none where it must answer."""
    results: tuple[str, ...] = ()
    """What the tools that it used came to."""
    media: tuple[tuple[str, bytes], ...] = ()
    """What stood before the data, as (MIME type, bytes)."""
    resolution: str = ""
    """At how fine a resolution media are to be looked at; empty where the model decides."""

    @property
    def whole(self) -> str:
        """Everything that was sent."""
        return "\n".join((self.instructions, *(text for _, text in self.turns), self.data))

    @property
    def sections(self) -> dict[str, str]:
        """The fenced sections of the data, by name."""
        found = re.findall(r"<([a-z][a-z0-9-]*)-([0-9a-f]{6})>\n(.*?)\n</\1-\2>", self.data, re.DOTALL)
        return {name: body for name, _, body in found}


@dataclass(frozen=True, kw_only=True)
class Fault:
    """Something that goes wrong with one request: `quota`, `refused`, `cut off`, `empty`, `error` or `late`.

    With `only`, it waits for a request by that name.
    """

    kind: str
    seconds: float = 7.0
    whole_day: bool = False
    code: int = 503
    only: str | None = None


def bag_of_words(text: str, dimensions: int) -> list[float]:
    """A vector in place of a model's: texts with the same words are near each other, and nothing else is."""
    vector = [0.0] * dimensions
    for word in re.findall(r"\w+", text.casefold()):
        vector[int.from_bytes(hashlib.sha256(word.encode()).digest()[:4], "big") % dimensions] += 1.0
    vector[0] += 0.01
    return vector


@dataclass
class GeminiStandIn:
    """The server. `answer` plays the model; `faults` are taken one by one, `quota_out` answers 429 to all."""

    answer: Callable[[Asked], str | UseTool]
    asked: list[Asked] = field(default_factory=list)
    faults: deque[Fault] = field(default_factory=deque)
    quota_out: bool = False
    refuses: str | None = None
    """What it declines to read, wherever it stands in a prompt."""
    output_limit: int | None = None
    """Tokens that the model writes in one answer; None is no limit but the request's."""
    url: str = ""
    embed: Callable[[str, int], list[float]] = bag_of_words
    embedded: list[str] = field(default_factory=list)
    """The texts that were embedded."""
    _runner: web.AppRunner | None = None

    async def start(self, port: int = 0) -> None:
        """Listen on loopback."""
        app = web.Application(client_max_size=64 * 2**20)
        app.router.add_post("/{version}/models/{call:.+}", self._generate)
        self._runner, found = await serve(app, port)
        self.url = f"http://127.0.0.1:{found}"

    async def close(self) -> None:
        """Stop listening."""
        if self._runner is not None:
            await self._runner.cleanup()

    def _embed(self, body: dict[str, Any]) -> web.Response:
        if self.quota_out:
            return _quota(Fault(kind="quota"), "embedding")
        made = []
        for request in body["requests"]:
            text = "".join(part.get("text", "") for part in request["content"]["parts"])
            self.embedded.append(text)
            made.append({"values": self.embed(text, int(request.get("outputDimensionality", 768)))})
        return json_response({"embeddings": made})

    async def _generate(self, request: web.Request) -> web.Response:
        model, _, verb = request.match_info["call"].partition(":")
        body = json.loads(await request.read())
        if verb == "batchEmbedContents":
            return self._embed(body)
        if verb != "generateContent":
            return _error(404, "NOT_FOUND", f"{verb} is not known here")
        gemma = "gemma" in model
        config = body.get("generationConfig", {})
        if gemma and "systemInstruction" in body:
            return _error(400, "INVALID_ARGUMENT", f"Developer instruction is not enabled for models/{model}")
        if body.get("tools") and config.get("responseMimeType") == "application/json":
            return _error(400, "INVALID_ARGUMENT", "Function calling with a JSON response type is unsupported")
        if any(
            "functionCall" in part and "thoughtSignature" not in part for c in body["contents"] for part in c["parts"]
        ):
            return _error(400, "INVALID_ARGUMENT", "Function call is missing a thought_signature")
        if gemma and config.get("responseMimeType") == "application/json":
            return _error(400, "INVALID_ARGUMENT", f"JSON mode is not enabled for models/{model}")
        if (wrong := _wrong_media(model, body["contents"])) is not None:
            return _error(400, "INVALID_ARGUMENT", wrong)
        asked = _asked(model, body)
        self.asked.append(asked)
        fault = next((f for f in self.faults if f.only in (None, asked.name)), None)
        if fault is not None:
            self.faults.remove(fault)
        if self.quota_out or (fault and fault.kind == "quota"):
            return _quota(fault or Fault(kind="quota"), model)
        if fault and fault.kind == "late":
            await asyncio.sleep(fault.seconds)
        if fault and fault.kind == "error":
            return _error(fault.code, "UNAVAILABLE", "The model is overloaded.")
        if (fault and fault.kind == "refused") or (self.refuses and self.refuses in asked.whole):
            return json_response({"promptFeedback": {"blockReason": "PROHIBITED_CONTENT"}})
        given = "" if fault and fault.kind == "empty" else self.answer(asked)
        text = given if isinstance(given, str) else ""
        part: dict[str, Any] = {"text": text}
        if isinstance(given, UseTool):
            part = {"functionCall": {"name": given.name, "args": given.arguments}, "thoughtSignature": "c2lnbmVk"}
        limits = [limit for limit in (self.output_limit, config.get("maxOutputTokens")) if limit is not None]
        is_cut = (fault and fault.kind == "cut off") or any(len(text) // 4 > limit for limit in limits)
        finish = "MAX_TOKENS" if is_cut else "STOP"
        return json_response(
            {
                "candidates": [{"content": {"role": "model", "parts": [part]}, "finishReason": finish, "index": 0}],
                "usageMetadata": {
                    "promptTokenCount": len(asked.whole) // 4,
                    "candidatesTokenCount": len(text) // 4,
                    "totalTokenCount": len(asked.whole + text) // 4,
                },
                "modelVersion": model,
            }
        )


SEEN = {"image/png", "image/jpeg", "image/webp", "image/heic", "image/heif"}
HEARD = {"audio/ogg", "audio/wav", "audio/mp3", "audio/flac", "audio/aac", "audio/aiff"}
READ = frozenset(["application/pdf"])


def _inline(part: dict[str, Any]) -> tuple[str, bytes]:
    """The MIME type and the bytes of inline data: the API takes both spellings of the name, and both alphabets."""
    data = part["inlineData"]
    encoded = data["data"].replace("-", "+").replace("_", "/")
    return data.get("mimeType") or data["mime_type"], base64.b64decode(encoded)


def _wrong_media(model: str, contents: list[dict[str, Any]]) -> str | None:
    """What the API does not take of inline data: by its type, by the model, and behind the text that speaks of it."""
    for content in contents:
        kinds = ["inlineData" in part for part in content["parts"]]
        for part in (part for part in content["parts"] if "inlineData" in part):
            mime, _ = _inline(part)
            if mime not in SEEN | HEARD | READ or (mime not in SEEN and "gemma" in model):
                return f"Unsupported MIME type: {mime}"
        if kinds and any(kinds) and kinds[-1]:
            return "Inline data stands before the text that speaks of it"
    return None


def _asked(model: str, body: dict[str, Any]) -> Asked:
    def text(content: dict[str, Any]) -> str:
        return "".join(part.get("text", "") for part in content.get("parts", []))

    config = body.get("generationConfig", {})
    instructions = text(body.get("systemInstruction", {}))
    contents = body.get("contents", [])
    parts = [part for content in contents for part in content.get("parts", [])]
    results = [part["functionResponse"]["response"]["result"] for part in parts if "functionResponse" in part]
    contents = [c for c in contents if not any("function" in name for part in c["parts"] for name in part)]
    mode = body.get("toolConfig", {}).get("functionCallingConfig", {}).get("mode")
    declared = [d["name"] for tool in body.get("tools", []) for d in tool.get("functionDeclarations", [])]
    if not instructions and contents:
        told, *rest = contents[0].get("parts", [])
        instructions, contents = told.get("text", ""), [{**contents[0], "parts": rest}, *contents[1:]]
    *turns, last = [(content.get("role", "user"), text(content)) for content in contents] or [("user", "")]
    data = last[1]
    heading = re.match(r"# (.+)", instructions)
    return Asked(
        model=model,
        name=heading[1].strip() if heading else "",
        instructions=instructions,
        data=data,
        schema=config.get("responseJsonSchema") or config.get("responseSchema"),
        temperature=config.get("temperature"),
        turns=tuple(turns),
        tools=() if mode == "NONE" else tuple(declared),
        results=tuple(results),
        media=tuple(_inline(part) for part in parts if "inlineData" in part),
        resolution=config.get("mediaResolution", ""),
    )


def _error(code: int, status: str, message: str, details: list[dict[str, Any]] | None = None) -> web.Response:
    error = {"code": code, "status": status, "message": message, "details": details or []}
    return json_response({"error": error}, status=code)


def _quota(fault: Fault, model: str) -> web.Response:
    window = "PerDay" if fault.whole_day else "PerMinute"
    return _error(
        429,
        "RESOURCE_EXHAUSTED",
        "You exceeded your current quota.",
        [
            {
                "@type": "type.googleapis.com/google.rpc.QuotaFailure",
                "violations": [{"quotaId": f"GenerateRequests{window}PerProjectPerModel-FreeTier", "model": model}],
            },
            {"@type": "type.googleapis.com/google.rpc.RetryInfo", "retryDelay": f"{fault.seconds:g}s"},
        ],
    )
