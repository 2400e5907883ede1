"""What other memory systems send for the same talk: mem0 and langmem, through a counting endpoint.

Both come with `pip install '.[peers]'` and run as their documentation shows, one user for each member, one call to
remember what a member wrote on a day: the cheapest use that still tells the members of a server apart. As for the
bot, the model is a stand-in that quotes what it is given.
"""

from __future__ import annotations

import asyncio
import json
import os
import re
import tempfile
from collections.abc import Callable, Iterable, Mapping
from datetime import date
from importlib.util import find_spec
from typing import Any

from aiohttp import web

from memory.rules.text import tokens
from urmom_bot.stand_ins.gemini import bag_of_words
from urmom_bot.stand_ins.http import json_response, serve

DIMENSIONS = 256
WORTH = 15
"""Characters from which on a line is worth remembering, as for the bot's own stand-in."""

Days = Mapping[tuple[date, str], list[str]]
"""What each member wrote on each day, in order."""


class Endpoint:
    """A server with OpenAI's API that quotes, and keeps the size of every prompt."""

    def __init__(self) -> None:
        self.prompts: list[int] = []
        self.url = ""
        self._runner: web.AppRunner | None = None

    async def __aenter__(self) -> Endpoint:
        app = web.Application(client_max_size=64 * 2**20)
        app.router.add_post("/v1/chat/completions", self._complete)
        app.router.add_post("/v1/embeddings", self._embed)
        self._runner, port = await serve(app)
        self.url = f"http://127.0.0.1:{port}/v1"
        return self

    async def __aexit__(self, *_: object) -> None:
        assert self._runner is not None
        await self._runner.cleanup()

    async def _complete(self, request: web.Request) -> web.Response:
        body = json.loads(await request.read())
        words = "\n".join(_text(message["content"]) for message in body["messages"])
        tools = body.get("tools", [])
        self.prompts.append(tokens(words) + (tokens(json.dumps(tools)) if tools else 0))
        message: dict[str, Any] = {"role": "assistant", "content": None}
        if tools:
            message["tool_calls"] = [
                {
                    "id": f"call_{n}",
                    "type": "function",
                    "function": {"name": "Memory", "arguments": json.dumps({"content": line})},
                }
                for n, line in enumerate(_worth(words.partition("<session_")[2]))
            ]
        else:
            said = words.rpartition("## New Messages")[2].partition("## Observation Date")[0]
            found = [{"id": str(n), "text": line, "attributed_to": "user"} for n, line in enumerate(_worth(said))]
            message["content"] = json.dumps({"memory": found})
        return json_response(
            {
                "id": "chatcmpl-1",
                "object": "chat.completion",
                "created": 0,
                "model": body["model"],
                "choices": [{"index": 0, "message": message, "finish_reason": "tool_calls" if tools else "stop"}],
                "usage": {"prompt_tokens": self.prompts[-1], "completion_tokens": 0, "total_tokens": self.prompts[-1]},
            }
        )

    async def _embed(self, request: web.Request) -> web.Response:
        body = json.loads(await request.read())
        texts = [body["input"]] if isinstance(body["input"], str) else body["input"]
        data = [
            {"object": "embedding", "index": n, "embedding": bag_of_words(str(text), DIMENSIONS)}
            for n, text in enumerate(texts)
        ]
        return json_response({"object": "list", "data": data, "model": body["model"], "usage": {"prompt_tokens": 0}})


def _text(content: str | list[dict[str, Any]] | None) -> str:
    if isinstance(content, list):
        return "".join(part.get("text", "") for part in content)
    return content or ""


def _worth(text: str) -> list[str]:
    """The lines of a talk that tell something, without who writes."""
    lines = (re.sub(r"^\W*\w+\W*: ", "", line).strip() for line in text.splitlines())
    return [line for line in lines if len(line) > WORTH and not line.startswith("<")]


def _mem0(url: str, days: Days, folder: str) -> None:
    os.environ |= {"MEM0_TELEMETRY": "False", "MEM0_DIR": folder}
    from mem0 import Memory

    model = {"api_key": "none", "openai_base_url": url}
    memory = Memory.from_config(
        {
            "llm": {"provider": "openai", "config": {**model, "model": "stand-in"}},
            "embedder": {"provider": "openai", "config": {**model, "embedding_dims": DIMENSIONS}},
            "vector_store": {
                "provider": "qdrant",
                "config": {"path": f"{folder}/qdrant", "embedding_model_dims": DIMENSIONS, "on_disk": True},
            },
            "history_db_path": f"{folder}/history.db",
        }
    )
    for (_, name), lines in days.items():
        memory.add([{"role": "user", "content": line} for line in lines], user_id=name)


def _langmem(url: str, days: Days, _: str) -> None:
    from langchain_openai import ChatOpenAI, OpenAIEmbeddings
    from langgraph.store.memory import InMemoryStore
    from langmem import create_memory_store_manager

    embeddings = OpenAIEmbeddings(base_url=url, api_key="none", model="stand-in", check_embedding_ctx_length=False)
    manager = create_memory_store_manager(
        ChatOpenAI(base_url=url, api_key="none", model="stand-in"),
        namespace=("memories", "{member}"),
        store=InMemoryStore(index={"dims": DIMENSIONS, "embed": embeddings}),
    )
    for (_, name), lines in days.items():
        manager.invoke(
            {"messages": [{"role": "user", "content": line} for line in lines]},
            config={"configurable": {"member": name}},
        )


PEERS: Mapping[str, Callable[[str, Days, str], None]] = {"mem0": _mem0, "langmem": _langmem}


async def spent(days: Days) -> dict[str, list[int]]:
    """The prompt tokens of each call of each peer that is installed."""
    found = {}
    for name in installed():
        async with Endpoint() as endpoint:
            with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as folder:
                await asyncio.to_thread(PEERS[name], endpoint.url, days, folder)
            found[name] = endpoint.prompts
    return found


def installed() -> Iterable[str]:
    """The peers that can be run."""
    return [name for name in PEERS if find_spec(name) is not None]
