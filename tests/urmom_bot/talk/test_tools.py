"""Tools for the model: the same commands, rights and confirmations as members have; at most three rounds (seed 000)."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator, Callable
from types import SimpleNamespace

import pytest

from memory import SearchHit
from memory.ai import ToolCall
from tests.builders import Clock, Opener, Server, query, served
from urmom_bot.markup import joined
from urmom_bot.stand_ins import Asked, GeminiStandIn, UseTool, extractive
from urmom_bot.talk.proposals import Proposal
from urmom_bot.talk.requests import Reply
from urmom_bot.talk.tools import Tools

Played = Callable[[Asked], str | UseTool]


@pytest.fixture
async def tooled(opened: Opener, gemini: GeminiStandIn, clock: Clock) -> AsyncIterator[Server]:
    """A bot whose model knows tools."""
    async with served(opened, gemini, clock, reply_tools=True, gemma_model="gemini-small") as running:
        yield running


def plays(gemini: GeminiStandIn, played: Played) -> list[Asked]:
    """Let replies be `played`; returns the list of those that were asked for."""
    asked: list[Asked] = []

    def answer(prompt: Asked) -> str | UseTool:
        if prompt.name != "A reply":
            return extractive(prompt)
        asked.append(prompt)
        return played(prompt)

    gemini.answer = answer
    return asked


def says(text: str) -> str:
    return json.dumps({"answer": text})


async def test_remember_is_the_command(tooled: Server, dsn: str) -> None:
    """Stored and confirmed by code, with Undo; the message is an order, and no talk to go on from."""
    asked = plays(
        tooled.gemini,
        lambda p: says("Sure!") if p.results else UseTool(name="remember", arguments={"statement": "I play the lute"}),
    )
    ann = tooled.discord.join(tooled.guild, "ann")
    answer = await tooled.ask(ann, "Bot crikey, remember I play the lute")
    assert answer == "📌 Got it: ann plays the lute\nSure!"
    assert set(asked[0].tools) == {"remember", "forget", "recall"}
    assert asked[1].results == ("📌 Got it: ann plays the lute",)
    (row,) = await query(dsn, "SELECT stated_by, source FROM facts")
    assert (row["stated_by"], row["source"]) == (ann.id, "explicit")
    await tooled.discord.press(ann, tooled.general, tooled.discord.sent[-1], "Undo")
    assert await query(dsn, "SELECT 1 FROM facts") == []
    await tooled.ask(ann, "Bot hello")
    assert asked[-1].turns == ()


async def test_forget_is_asked_about(tooled: Server, dsn: str) -> None:
    """What the grammar did not parse deletes nothing by itself; the press has the rights of whoever presses."""
    ann, bob = (tooled.discord.join(tooled.guild, name) for name in ("ann", "bob"))
    await tooled.ask(ann, "Bot remember that I play the lute")
    plays(
        tooled.gemini,
        lambda p: says("ok") if p.results else UseTool(name="forget", arguments={"statement": "ann plays the lute"}),
    )
    await tooled.ask(bob, "Bot could you drop it that ann plays the lute")
    assert len(await query(dsn, "SELECT 1 FROM facts")) == 1
    assert "Should I forget this?\n#1 ann plays the lute" in await tooled.ask(
        ann, "Bot could you drop it that ann plays the lute"
    )
    assert len(await query(dsn, "SELECT 1 FROM facts")) == 1
    await tooled.discord.press(ann, tooled.general, tooled.discord.sent[-1], "Forget #1")
    assert await query(dsn, "SELECT 1 FROM facts") == []


async def test_recall_searches_as_the_viewer(tooled: Server) -> None:
    """What is found goes back to the model; the answer is talk."""
    ann, bob = (tooled.discord.join(tooled.guild, name) for name in ("ann", "bob"))
    await tooled.discord.say(bob, tooled.general, "the kiln stands in the old shed")
    asked = plays(
        tooled.gemini,
        lambda p: says("In the shed.") if p.results else UseTool(name="recall", arguments={"question": "kiln shed"}),
    )
    assert (await tooled.ask(ann, "Bot where is that thing of bob")).startswith("In the shed.")
    assert "the kiln stands in the old shed" in asked[1].results[0]


@pytest.mark.parametrize(
    ("call", "says_so"),
    [
        (UseTool(name="remember", arguments={"statement": "bob steals bicycles"}), "Refused"),
        (UseTool(name="forget", arguments={"statement": "everything about bob"}), "Refused"),
        (UseTool(name="remember", arguments={"fact": "x"}), "not of the form"),
        (UseTool(name="drop_tables", arguments={}), "no such tool"),
    ],
)
async def test_what_the_message_does_not_say_is_not_done(tooled: Server, dsn: str, call: UseTool, says_so: str) -> None:
    """A model proposes; only words of the message become facts."""
    asked = plays(tooled.gemini, lambda p: says("ok") if p.results else call)
    ann = tooled.discord.join(tooled.guild, "ann")
    tooled.discord.join(tooled.guild, "bob")
    assert await tooled.ask(ann, "Bot hello there my friend") == "ok"
    assert says_so in asked[1].results[0]
    assert await query(dsn, "SELECT 1 FROM facts") == []


async def test_three_rounds_and_then_it_must_answer(tooled: Server) -> None:
    """A model that goes on and on is stopped: four calls at the most."""
    asked = plays(
        tooled.gemini,
        lambda p: UseTool(name="recall", arguments={"question": "kiln"}) if p.tools else says("well"),
    )
    ann = tooled.discord.join(tooled.guild, "ann")
    assert await tooled.ask(ann, "Bot hello there") == "well"
    assert [bool(prompt.tools) for prompt in asked] == [True, True, True, False]
    assert [len(prompt.results) for prompt in asked] == [0, 1, 2, 3]


async def test_the_same_call_is_done_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """In one round or in the next, in whatever order its arguments stand (seed 002)."""
    done: list[str] = []

    async def run(_tools: Tools, call: ToolCall) -> str:
        await asyncio.sleep(0.01)
        done.append(str(call.arguments["question"]))
        return f"found {call.arguments['question']}"

    monkeypatch.setattr(Tools, "_run", run)
    tools = Tools(*([None] * 4))  # type: ignore[arg-type]
    first = ToolCall(name="recall", arguments={"question": "kiln", "limit": 3})
    again = ToolCall(name="recall", arguments={"limit": 3, "question": "kiln"})
    other = ToolCall(name="recall", arguments={"question": "shed", "limit": 3})
    results = await asyncio.gather(tools.run(first), tools.run(again), tools.run(other))
    assert results == ["found kiln", "found kiln", "found shed"]
    assert await tools.run(again) == "found kiln"

    assert done == ["kiln", "shed"]


async def test_searches_of_a_round_run_together_and_changes_one_after_the_other(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """So that what was done stands in the order in which it was asked for."""
    running, most, order = 0, 0, []

    async def perform(proposal: Proposal) -> Reply:
        nonlocal running, most
        running += 1
        most = max(most, running)
        await asyncio.sleep(0.03 - 0.01 * len(order))
        running -= 1
        order.append(proposal)
        return Reply(text=joined([]))

    async def found(*_: object) -> list[SearchHit]:
        nonlocal waiting
        waiting += 1
        if waiting == 2:
            both.set()
        await asyncio.wait_for(both.wait(), 5)
        return []

    async def lines(*_: object, **__: object) -> None:
        return None

    waiting, both = 0, asyncio.Event()
    request = SimpleNamespace(text="remember I play the lute and remember I own a kiln")
    tools = Tools(request, SimpleNamespace(found=found, lines=lines), None, perform)  # type: ignore[arg-type]
    said = ("I play the lute", "I own a kiln")
    calls = [ToolCall(name="remember", arguments={"statement": statement}) for statement in said]
    calls += [ToolCall(name="recall", arguments={"question": question}) for question in ("kiln", "lute")]
    await asyncio.gather(*(tools.run(call) for call in calls))

    assert most == 1
    assert [statement in str(one) for statement, one in zip(said, order, strict=True)] == [True, True]


async def test_what_was_done_is_told_when_the_answer_fails(tooled: Server, dsn: str) -> None:
    """The member is never told that it failed when it was stored."""

    def played(prompt: Asked) -> str | UseTool:
        if prompt.results:
            tooled.gemini.quota_out = True
            return ""
        return UseTool(name="remember", arguments={"statement": "I play the lute"})

    plays(tooled.gemini, played)
    ann = tooled.discord.join(tooled.guild, "ann")
    answer = await tooled.ask(ann, "Bot crikey, remember I play the lute")
    assert answer.startswith("📌 Got it")
    assert len(await query(dsn, "SELECT 1 FROM facts")) == 1


async def test_a_model_without_tools_says_what_is_wanted(
    opened: Opener, gemini: GeminiStandIn, clock: Clock, dsn: str
) -> None:
    """The structured answer does the same, with the same setting."""
    async with served(opened, gemini, clock, reply_tools=True) as server:
        asked = plays(gemini, lambda p: json.dumps({"action": "remember", "statement": "I play the lute"}))
        ann = server.discord.join(server.guild, "ann")
        assert "Got it" in await server.ask(ann, "Bot crikey, remember I play the lute")
        assert asked[0].tools == ()
        assert len(await query(dsn, "SELECT 1 FROM facts")) == 1
