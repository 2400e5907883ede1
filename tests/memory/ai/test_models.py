"""Asking a model: the real SDKs against local servers, and the governor before them."""

import asyncio
import json
import logging
import re
import ssl
from collections.abc import AsyncIterator, Sequence
from datetime import UTC, datetime
from typing import Any
from zoneinfo import ZoneInfo

import pytest
from aiohttp import web

from memory.ai import (
    Absent,
    AIError,
    AIRefused,
    AITrouble,
    AIUnavailable,
    AIUnusable,
    Media,
    MediaKind,
    Meter,
    NoAI,
    Priority,
    Prompt,
    QuotaExhausted,
    ShareUsed,
    Text,
    charge,
)
from memory.ai.client import BudgetUsed, Tool, ToolCall
from memory.ai.embedding import Embedder
from memory.ai.gemini import GeminiProvider
from memory.ai.governor import Governor
from memory.ai.model import Completion, GovernedModel, Transient
from memory.ai.openai_compatible import OpenAICompatibleProvider
from memory.ai.prompts import MatchedFacts
from memory.records import Spent
from memory.store import Store
from memory.store.usage import Limits
from tests.builders import Clock, Opener, Server, query
from urmom_bot.stand_ins import Fault, GeminiStandIn
from urmom_bot.stand_ins.http import json_response, serve

PACIFIC = ZoneInfo("America/Los_Angeles")


def prompt(**more: object) -> Prompt[MatchedFacts]:
    values: dict[str, object] = {
        "name": "test",
        "instructions": "# Test\n\nSay it.",
        "data": "<data-0a0a0a>\nwords\n</data-0a0a0a>",
        "result": MatchedFacts,
        "guild_id": 5,
        "patience": 0.0,
        **more,
    }
    return Prompt(**values)  # type: ignore[arg-type]


@pytest.fixture
async def store(dsn: str) -> AsyncIterator[Store]:
    opened = await Store.open(dsn)
    yield opened
    await opened.close()


def governed(
    store: Store, url: str, model: str, clock: Clock, limits: Limits | None = None, **more: float
) -> GovernedModel:
    governor = Governor(store.usage, {model: limits or Limits()}, clock, PACIFIC)
    provider = GeminiProvider(api_key="secret-key", model=model, time_limit=5, base_url=url)
    return GovernedModel(provider, governor, **{"time_limit": 5.0, "backoff": 0.01, **more})


async def test_gemini_gets_a_schema_and_instructions_of_their_own(
    store: Store, gemini: GeminiStandIn, clock: Clock
) -> None:
    """Gemini is asked natively: system instruction, JSON mode, schema, temperature."""
    gemini.answer = lambda asked: '{"facts": [1]}'
    answer = await governed(store, gemini.url, "gemini-flash-latest", clock).ask(prompt())

    (asked,) = gemini.asked
    assert answer.value.facts == [1]
    assert answer.spent.calls == 1
    assert asked.instructions == "# Test\n\nSay it."
    assert asked.schema
    assert asked.schema["properties"]["facts"]
    assert asked.temperature == 0


async def test_whom_gemini_s_clients_trust_is_read_once(gemini: GeminiStandIn, monkeypatch: pytest.MonkeyPatch) -> None:
    """By itself the SDK reads all certificates three times for each client, a tenth of a second."""
    read, real = [], ssl.create_default_context

    def counted(*args: Any, **options: Any) -> ssl.SSLContext:
        read.append(options)
        return real(*args, **options)

    monkeypatch.setattr(ssl, "create_default_context", counted)
    for model in ("gemini-flash-latest", "gemma-4-31b-it", "gemini-flash-lite-latest"):
        await GeminiProvider(api_key="a-key", model=model, time_limit=1, base_url=gemini.url).close()

    assert len(read) <= 1


async def test_gemma_gets_its_instructions_in_the_user_turn(store: Store, gemini: GeminiStandIn, clock: Clock) -> None:
    """The hosted Gemma refuses a system role and JSON mode: it is asked for JSON in words."""
    gemini.answer = lambda asked: 'Of course:\n```json\n{"facts": [2]}\n```'
    answer = await governed(store, gemini.url, "gemma-4-31b-it", clock).ask(prompt())

    assert answer.value.facts == [2]
    assert gemini.asked[0].schema is None
    assert "TypeScript" in gemini.asked[0].instructions


@pytest.mark.parametrize(
    ("fault", "error"),
    [
        (Fault(kind="refused"), AIRefused),
        (Fault(kind="cut off"), AIUnusable),
        (Fault(kind="empty"), AIUnusable),
        (Fault(kind="quota"), QuotaExhausted),
        (Fault(kind="error", code=400), AIUnavailable),
        (Fault(kind="error", code=403), AIUnavailable),
        (Fault(kind="error", code=404), AIUnavailable),
    ],
)
async def test_what_goes_wrong_has_a_name(
    store: Store, gemini: GeminiStandIn, clock: Clock, fault: Fault, error: type[Exception]
) -> None:
    """Refused, cut off, empty, out of quota and misconfigured are told apart, and none is retried."""
    gemini.answer = lambda asked: '{"facts": []}'
    gemini.faults.append(fault)
    with pytest.raises(error):
        await governed(store, gemini.url, "gemini-flash-latest", clock).ask(prompt())

    assert len(gemini.asked) == 1


async def test_a_stumble_is_retried(store: Store, gemini: GeminiStandIn, clock: Clock) -> None:
    """A 503 is tried again; the answer that comes is used."""
    gemini.answer = lambda asked: '{"facts": []}'
    gemini.faults.extend([Fault(kind="error"), Fault(kind="error", code=500)])
    await governed(store, gemini.url, "gemini-flash-latest", clock).ask(prompt())

    assert len(gemini.asked) == 3


async def test_stumbling_on_is_given_up(store: Store, gemini: GeminiStandIn, clock: Clock) -> None:
    """After four tries the AI is unavailable; so is one that nobody answers for."""
    gemini.faults.extend([Fault(kind="error")] * 10)
    with pytest.raises(AIUnavailable, match="503"):
        await governed(store, gemini.url, "gemini-flash-latest", clock).ask(prompt())
    assert len(gemini.asked) == 4
    with pytest.raises(AIUnavailable):
        await governed(store, "http://127.0.0.1:9", "gemini-flash-latest", clock, time_limit=1.0).ask(prompt())


async def test_a_late_answer_is_given_up(store: Store, gemini: GeminiStandIn, clock: Clock) -> None:
    """The time limit holds."""
    gemini.faults.append(Fault(kind="late", seconds=2))
    with pytest.raises(AIUnavailable, match="within"):
        await governed(store, gemini.url, "gemini-flash-latest", clock, time_limit=0.2).ask(prompt())


async def test_the_key_is_in_no_message(store: Store, gemini: GeminiStandIn, clock: Clock) -> None:
    """Errors name the setting, never the secret."""
    gemini.faults.append(Fault(kind="error", code=403))
    with pytest.raises(AIUnavailable) as raised:
        await governed(store, gemini.url, "gemini-flash-latest", clock).ask(prompt())

    assert "GEMINI_API_KEY" in str(raised.value)
    assert "secret-key" not in str(raised.value)


async def test_without_ai_asking_says_so() -> None:
    """The absent client answers nothing but that."""
    with pytest.raises(NoAI, match="No AI is set up"):
        await Absent().ask(prompt())


# The governor


async def test_requests_per_minute(store: Store, gemini: GeminiStandIn, clock: Clock) -> None:
    """The limit is not passed, the error names the delay, and the next minute is free again."""
    gemini.answer = lambda asked: '{"facts": []}'
    model = governed(store, gemini.url, "gemini-flash-latest", clock, Limits(requests_per_minute=2))
    clock.set(2026, 11, 10, 12, 0, 20)
    await model.ask(prompt())
    await model.ask(prompt())
    with pytest.raises(QuotaExhausted) as raised:
        await model.ask(prompt())
    assert raised.value.retry_after == pytest.approx(40, abs=1)
    clock.on(seconds=41)
    await model.ask(prompt())

    assert len(gemini.asked) == 3


async def test_what_goes_first_has_the_last_of_a_day(store: Store, gemini: GeminiStandIn, clock: Clock) -> None:
    """Of a model that answers people, a tenth is left to answers, and a quarter to what is no digest."""
    gemini.answer = lambda asked: '{"facts": []}'
    model = governed(store, gemini.url, "gemini-flash-latest", clock, Limits(requests_per_day=20))
    await model.ask(prompt(priority=Priority.REPLY))
    asked = dict.fromkeys((Priority.DIGEST, Priority.MEMORY), 0)
    for priority in asked:
        with pytest.raises(ShareUsed):
            while True:
                await model.ask(prompt(priority=priority))
                asked[priority] += 1
    assert asked == {Priority.DIGEST: 14, Priority.MEMORY: 3}
    assert model.blocked is None
    assert model.last_error is None
    for _ in range(2):
        await model.ask(prompt(priority=Priority.REPLY))
    with pytest.raises(QuotaExhausted):
        await model.ask(prompt(priority=Priority.REPLY))


async def test_a_model_that_answers_nobody_has_its_whole_quota(
    store: Store, gemini: GeminiStandIn, clock: Clock
) -> None:
    """One that only reads days leaves nothing to answers that it never gives."""
    gemini.answer = lambda asked: '{"facts": []}'
    model = governed(store, gemini.url, "gemini-flash-latest", clock, Limits(requests_per_day=5))
    for _ in range(5):
        await model.ask(prompt())
    with pytest.raises(QuotaExhausted):
        await model.ask(prompt())


async def test_a_day_is_read_less_often_where_the_calls_would_not_last(
    store: Store, gemini: GeminiStandIn, clock: Clock
) -> None:
    """Twice today's pace is two hours between readings; six at the most, and one again on the next day."""
    gemini.answer = lambda asked: '{"facts": []}'
    clock.now = datetime(2026, 11, 10, 20, tzinfo=UTC)  # noon at the provider's
    model = governed(store, gemini.url, "gemini-flash-latest", clock, Limits(requests_per_day=20))
    found = {}
    for calls in range(1, 19):
        await model.ask(prompt())
        found[calls] = model.hours_between_reads
    assert found == {n: 1 if n <= 10 else 2 for n in range(1, 19)}
    clock.on(hours=-11)
    assert model.hours_between_reads == 6
    clock.on(days=1)
    assert model.hours_between_reads == 1
    await model.ask(prompt(priority=Priority.REPLY))  # a part of the day is for answers
    clock.on(hours=11)
    for _ in range(8):
        await model.ask(prompt())
    assert model.hours_between_reads == 1
    await model.ask(prompt())
    assert model.hours_between_reads == 2


async def test_a_model_that_does_not_answer_is_left_alone(store: Store, gemini: GeminiStandIn, clock: Clock) -> None:
    """After five times in a row, for half a minute, and twice as long each time it still does not; nobody waits."""
    gemini.answer = lambda asked: '{"facts": []}'
    model = governed(store, gemini.url, "gemini-flash-latest", clock)

    async def fails() -> int:
        before = len(gemini.asked)
        with pytest.raises(AIUnavailable):
            await model.ask(prompt())
        return len(gemini.asked) - before

    gemini.faults.extend([Fault(kind="error")] * 1_000)
    assert [await fails() for _ in range(6)] == [4, 4, 4, 4, 4, 0]
    assert model.blocked is not None
    clock.on(seconds=29)
    assert await fails() == 0
    clock.on(seconds=2)
    assert await fails() == 4
    clock.on(seconds=58)
    assert await fails() == 0
    gemini.faults.clear()
    clock.on(seconds=3)
    await model.ask(prompt())
    gemini.faults.extend([Fault(kind="error")] * 4)
    assert await fails() == 4
    assert model.blocked is None
    await model.ask(prompt())


async def test_tokens_per_minute(store: Store, gemini: GeminiStandIn, clock: Clock) -> None:
    """A prompt that would pass the minute's tokens waits; a single one larger than all is let through."""
    gemini.answer = lambda asked: '{"facts": []}'
    model = governed(store, gemini.url, "gemma-4-31b-it", clock, Limits(tokens_per_minute=3_000))
    await model.ask(prompt(data="word " * 4_000))
    with pytest.raises(QuotaExhausted):
        await model.ask(prompt())

    assert len(gemini.asked) == 1


async def test_requests_per_day_end_at_midnight_pacific(store: Store, gemini: GeminiStandIn, clock: Clock) -> None:
    """A day's quota renews when the provider's day does."""
    gemini.answer = lambda asked: '{"facts": []}'
    model = governed(store, gemini.url, "gemini-flash-latest", clock, Limits(requests_per_day=1))
    clock.set(2026, 11, 10, 7, 59)
    await model.ask(prompt())
    with pytest.raises(QuotaExhausted) as raised:
        await model.ask(prompt())
    assert raised.value.whole_day
    assert raised.value.retry_after == pytest.approx(60, abs=1)
    clock.set(2026, 11, 10, 8, 0, 1)
    await model.ask(prompt())


async def test_counts_survive_a_restart_and_are_shared(dsn: str, gemini: GeminiStandIn, clock: Clock) -> None:
    """Two processes count together, and so does one that starts later."""
    gemini.answer = lambda asked: '{"facts": []}'
    limits = Limits(requests_per_day=4)
    stores = [await Store.open(dsn) for _ in range(2)]
    models = [governed(store, gemini.url, "gemini-flash-latest", clock, limits) for store in stores]
    results = await asyncio.gather(*(models[n % 2].ask(prompt()) for n in range(10)), return_exceptions=True)
    for store in stores:
        await store.close()
    later = await Store.open(dsn)
    with pytest.raises(QuotaExhausted):
        await governed(later, gemini.url, "gemini-flash-latest", clock, limits).ask(prompt())
    await later.close()

    assert len(gemini.asked) == 4
    assert sum(isinstance(result, QuotaExhausted) for result in results) == 6


@pytest.mark.parametrize(("whole_day", "hours"), [(False, 0), (True, 19)])
async def test_what_a_provider_says_of_its_quota_is_heeded(
    store: Store, gemini: GeminiStandIn, clock: Clock, whole_day: bool, hours: int
) -> None:
    """After a 429 nothing is asked until the time it names, or the end of its day."""
    gemini.answer = lambda asked: '{"facts": []}'
    model = governed(store, gemini.url, "gemini-flash-latest", clock)
    gemini.faults.append(Fault(kind="quota", seconds=30, whole_day=whole_day))
    for _ in range(3):
        with pytest.raises(QuotaExhausted):
            await model.ask(prompt())
    assert len(gemini.asked) == 1
    assert (model.blocked is not None) == whole_day, "of a minute it is worth asking again"
    clock.on(seconds=31)
    if whole_day:
        with pytest.raises(QuotaExhausted):
            await model.ask(prompt())
        clock.on(hours=20)
    assert model.blocked is None
    await model.ask(prompt())

    assert len(gemini.asked) == 2


async def test_patience_waits_for_the_next_minute(store: Store, gemini: GeminiStandIn, clock: Clock) -> None:
    """A patient prompt waits out a minute instead of failing."""
    gemini.answer = lambda asked: '{"facts": []}'

    async def sleep(seconds: float) -> None:
        clock.on(seconds=seconds)

    limits = {"gemini-flash-latest": Limits(requests_per_minute=1)}
    governor = Governor(store.usage, limits, clock, PACIFIC, sleep)
    provider = gemini_provider(gemini.url)
    model = GovernedModel(provider, governor)
    await model.ask(prompt())
    await model.ask(prompt(patience=90.0))

    assert len(gemini.asked) == 2


@pytest.mark.parametrize("priority", [Priority.MEDIA, Priority.AHEAD])
async def test_an_outage_takes_nothing_off_the_share_of_work_in_the_background(
    store: Store, gemini: GeminiStandIn, clock: Clock, priority: Priority
) -> None:
    """Pictures and days that nobody asked about have their day's calls when the AI is there again."""
    gemini.answer = lambda asked: '{"facts": []}'
    limits = {"gemini-flash-latest": Limits(requests_per_day=50)}
    governor = Governor(store.usage, limits, clock, PACIFIC, background={priority: 4})
    dead = GovernedModel(gemini_provider("http://127.0.0.1:9"), governor, backoff=0.01)
    for _ in range(3):
        with pytest.raises(AIUnavailable):
            await dead.ask(prompt(priority=priority))
    model = GovernedModel(gemini_provider(gemini.url), governor)
    for _ in range(2):
        await model.ask(prompt(priority=priority))
    with pytest.raises(ShareUsed):
        await model.ask(prompt(priority=priority))
    assert (await governor.today(("gemini-flash-latest",)))[0].spent.calls >= 5, "the provider counts what it counts"


async def test_asking_a_model_in_vain_costs_no_share(store: Store, clock: Clock) -> None:
    """Where others used up the minute, a member is told that however often they ask, not that they ask too much."""
    limits = {"m": Limits(requests_per_minute=10)}
    governor = Governor(store.usage, limits, clock, PACIFIC)
    for _ in range(10):
        await governor.reserve("m", prompt())

    async def member() -> None:
        charge(5, 7)
        for _ in range(5):
            with pytest.raises(QuotaExhausted) as out:
                await governor.reserve("m", prompt())
            assert not isinstance(out.value, ShareUsed)

    await asyncio.create_task(member())


async def test_pictures_count_among_the_tokens_of_a_minute(store: Store, clock: Clock) -> None:
    """As what the model takes for them, before it is asked; after that, the provider's own count holds."""
    governor = Governor(store.usage, {"m": Limits(tokens_per_minute=700)}, clock, PACIFIC)
    seen = Media(kind=MediaKind.PICTURE, mime="image/png", data=b"png", tokens=280)
    reserved = await governor.reserve("m", prompt(media=(seen, seen), max_output_tokens=0))
    with pytest.raises(QuotaExhausted):
        await governor.reserve("m", prompt(media=(seen,), max_output_tokens=0))
    await governor.reserve("m", prompt(max_output_tokens=0))
    await governor.settle(reserved, Spent(calls=1, tokens_in=300))
    await governor.reserve("m", prompt(media=(seen,), max_output_tokens=0))


async def budgeted(store: Store, clock: Clock, budget: int) -> Governor:
    governor = Governor(store.usage, {}, clock, PACIFIC)

    async def budget_of(_guild_id: int) -> int:
        return budget

    governor.budget_of = budget_of
    return governor


async def answered(governor: Governor, **more: object) -> None:
    await governor.settle(await governor.reserve("m", prompt(**more)), Spent(calls=1, tokens_in=10))


async def test_a_servers_budget_is_kept_for_answers(store: Store, clock: Clock) -> None:
    """The last tenth of it; a quarter of it no digest takes."""
    governor = await budgeted(store, clock, 20)
    for number in range(20):
        if number >= 15:
            with pytest.raises(BudgetUsed):
                await governor.reserve("m", prompt(priority=Priority.DIGEST))
        if number >= 18:
            with pytest.raises(BudgetUsed):
                await governor.reserve("m", prompt(priority=Priority.MEMORY))
        least = Priority.DIGEST if number < 15 else Priority.MEMORY if number < 18 else Priority.REPLY
        await answered(governor, priority=least)
    with pytest.raises(BudgetUsed):
        await governor.reserve("m", prompt(priority=Priority.REPLY))


@pytest.mark.parametrize(("budget", "part"), [(40, 10), (4, 3)])
async def test_a_member_has_a_quarter_of_a_servers_budget(store: Store, clock: Clock, budget: int, part: int) -> None:
    """And three requests in any case; the next day again."""
    governor = await budgeted(store, clock, budget)

    async def member() -> None:
        charge(5, 7)
        for _ in range(part):
            clock.on(minutes=2)
            await answered(governor, priority=Priority.REPLY)
        with pytest.raises(ShareUsed):
            await governor.reserve("m", prompt(priority=Priority.REPLY))
        clock.on(days=1)
        await answered(governor, priority=Priority.REPLY)

    await asyncio.create_task(member())


def gemini_provider(url: str):  # type: ignore[no-untyped-def]
    return GeminiProvider(api_key="k", model="gemini-flash-latest", time_limit=5, base_url=url)


async def test_what_was_spent_is_counted_to_guild_and_total(
    store: Store, gemini: GeminiStandIn, clock: Clock, dsn: str
) -> None:
    """Real tokens replace the estimate, and meters see them; in the guild, by what they were for as well."""
    gemini.answer = lambda asked: '{"facts": [1, 2, 3]}'
    model = governed(store, gemini.url, "gemini-flash-latest", clock)
    with Meter().running() as meter:
        answer = await model.ask(prompt())

    rows = await query(dsn, "SELECT * FROM ai_usage WHERE span = 'day' ORDER BY guild_id, model")
    spent = (1, answer.spent.tokens_in, answer.spent.tokens_out)
    assert [(r["guild_id"], r["model"], r["requests"], r["tokens_in"], r["tokens_out"]) for r in rows] == [
        (0, "gemini-flash-latest", *spent),
        (5, "gemini-flash-latest", *spent),
        (5, "gemini-flash-latest (memory)", *spent),
    ]
    assert meter.spent == answer.spent != Spent()


# An OpenAI-compatible endpoint


async def test_an_openai_compatible_endpoint(store: Store, clock: Clock) -> None:
    """The same prompts work with any such server: words, JSON in words, errors by name."""
    asked: list[dict[str, object]] = []
    answers = iter(
        [
            (200, {"finish_reason": "stop", "text": 'Sure: {"facts": [4]}'}),
            (200, {"finish_reason": "stop", "text": "Hello!"}),
            (200, {"finish_reason": "length", "text": "{"}),
            (200, {"finish_reason": "content_filter", "text": ""}),
            (429, {}),
            (401, {}),
            (404, {}),
        ]
    )

    async def completions(request: web.Request) -> web.Response:
        asked.append(json.loads(await request.read()))
        status, choice = next(answers)
        if status != 200:
            return json_response({"error": {"message": "no"}}, status, {"Retry-After": "12"})
        return json_response(
            {
                "id": "1",
                "object": "chat.completion",
                "created": 1,
                "model": "m",
                "choices": [
                    {
                        "index": 0,
                        "finish_reason": choice["finish_reason"],
                        "message": {"role": "assistant", "content": choice["text"]},
                    }
                ],
                "usage": {"prompt_tokens": 11, "completion_tokens": 3, "total_tokens": 14},
            }
        )

    server = web.Application()
    server.router.add_post("/v1/chat/completions", completions)
    runner, port = await serve(server)
    provider = OpenAICompatibleProvider(base_url=f"http://127.0.0.1:{port}/v1", api_key="", model="local", time_limit=5)
    model = GovernedModel(provider, Governor(store.usage, {}, clock, PACIFIC), backoff=0.01)
    answer = await model.ask(prompt())
    assert (answer.value.facts, answer.spent.tokens_in) == ([4], 11)
    seen = Media(kind=MediaKind.PICTURE, mime="image/png", data=b"png", tokens=280)
    heard = Media(kind=MediaKind.SOUND, mime="audio/wav", data=b"wav", tokens=32)
    paper = Media(kind=MediaKind.DOCUMENT, mime="application/pdf", data=b"pdf", tokens=560)
    shown = prompt(result=Text, media=(seen, heard, paper), turns=(("user", "before"),))
    assert (await model.ask(shown)).value.text == "Hello!"
    for error in (AIUnusable, AIRefused, QuotaExhausted):
        with pytest.raises(error):
            await model.ask(prompt())
    clock.on(seconds=13)
    for setting in ("AI_API_KEY", "AI_MODEL"):
        with pytest.raises(AIUnavailable, match=setting):
            await model.ask(prompt())
    await provider.close()
    await runner.cleanup()

    roles = [m["role"] for m in asked[0]["messages"]]  # type: ignore[index,attr-defined,union-attr]
    assert roles == ["system", "user"]
    assert asked[1]["messages"][-1]["content"] == [  # type: ignore[index]
        {"type": "image_url", "image_url": {"url": "data:image/png;base64,cG5n"}},
        {"type": "input_audio", "input_audio": {"data": "d2F2", "format": "wav"}},
        {"type": "file", "file": {"filename": "document.pdf", "file_data": "data:application/pdf;base64,cGRm"}},
        {"type": "text", "text": f"before\n{shown.data}"},
    ]


def test_a_prompts_version_follows_its_words() -> None:
    """Other words or another form make another version; other data do not."""
    assert prompt().version == prompt(data="other").version
    assert prompt().version != prompt(instructions="Say it well.").version
    assert prompt().version != prompt(result=Text).version


@pytest.mark.parametrize(
    ("fault", "trouble", "named"),
    [
        (Fault(kind="error", code=403), AITrouble.BAD_KEY, "GEMINI_API_KEY"),
        (Fault(kind="error", code=401), AITrouble.BAD_KEY, "GEMINI_API_KEY"),
        (Fault(kind="error", code=404), AITrouble.UNKNOWN_MODEL, "gemini-flash-latest"),
        (Fault(kind="quota", whole_day=True), AITrouble.DAY_OUT, "quota"),
        (Fault(kind="quota"), AITrouble.MINUTE_OUT, "quota"),
        (Fault(kind="error", code=400), AITrouble.UNREACHABLE, "400"),
        (Fault(kind="refused"), None, ""),
        (Fault(kind="empty"), None, ""),
    ],
)
async def test_why_a_model_cannot_be_used_is_said_once_a_change(
    store: Store,
    gemini: GeminiStandIn,
    clock: Clock,
    caplog: pytest.LogCaptureFixture,
    fault: Fault,
    trouble: AITrouble | None,
    named: str,
) -> None:
    """In the log by its name, again when it answers again; a refused or useless answer is no such trouble."""
    caplog.set_level(logging.INFO, "memory.ai")
    gemini.answer = lambda asked: '{"facts": [1]}'
    client = governed(store, gemini.url, "gemini-flash-latest", clock)
    for _ in range(3):
        gemini.faults.append(fault)
        with pytest.raises(AIError):
            await client.ask(prompt())
        gemini.faults.clear()
        assert client.last_error == trouble
        clock.on(minutes=1) if fault.kind == "quota" and not fault.whole_day else None
    lines = [r.getMessage() for r in caplog.records if "cannot be used" in r.getMessage()]
    assert len(lines) == (trouble is not None)
    assert all(named in line and f"({trouble})" in line for line in lines)
    clock.on(days=2)
    await client.ask(prompt())
    assert client.last_error is None
    assert sum("answers again" in r.getMessage() for r in caplog.records) == (trouble is not None)


async def test_status_names_what_is_wrong_with_the_ai(discord: Server, gemini: GeminiStandIn) -> None:
    """Beside the model it is wrong with, until it answers again."""
    ann = discord.discord.join(discord.guild, "ann")
    gemini.faults.extend([Fault(kind="error", code=403)] * 4)
    await discord.ask(ann, "Bot how are you?")
    (status,) = await discord.discord.slash(ann, discord.general, "status")
    assert re.search(r"gemma-4-31b-it: .*its key was rejected", status.content)
    gemini.faults.clear()
    await discord.ask(ann, "Bot how are you?")
    (status,) = await discord.discord.slash(ann, discord.general, "status")
    assert "rejected" not in status.content


async def test_a_missing_key_is_said_at_the_start(opened: Opener, caplog: pytest.LogCaptureFixture) -> None:
    """By the name of its setting."""
    async with opened(ai=False):
        pass
    assert "GEMINI_API_KEY" in caplog.text


@pytest.mark.parametrize("kind", ["gemini", "openai"])
async def test_an_address_where_nothing_listens_is_not_waited_for(
    store: Store, clock: Clock, kind: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It is tried once more, at once; other trouble is tried four times."""
    monkeypatch.setattr("random.randint", lambda *_: pytest.fail("Google's SDK waits, and tries by itself"))
    url, tried = "http://127.0.0.1:9", []
    provider: Any = (
        GeminiProvider(api_key="k", model="m", base_url=url)
        if kind == "gemini"
        else OpenAICompatibleProvider(base_url=f"{url}/v1", api_key="k", model="m")
    )
    said = provider.say

    async def counted(asked: Prompt[Any]) -> Any:
        tried.append(asked)
        return await said(asked)

    provider.say = counted
    model = GovernedModel(provider, Governor(store.usage, {}, clock, PACIFIC), backoff=0.01)
    with pytest.raises(AIUnavailable):
        await model.ask(prompt())
    assert len(tried) == 2
    assert model.last_error is AITrouble.UNREACHABLE
    await provider.close()


class Stumbling:
    """An embedding provider whose connection is lost some times."""

    model = "stumbling"

    def __init__(self, times: int) -> None:
        self.times = times

    async def embed(self, texts: Sequence[str], dimensions: int, *, question: bool) -> list[list[float]]:
        self.times -= 1
        if self.times >= 0:
            raise Transient("Server disconnected")
        return [[0.0] * dimensions for _ in texts]


async def test_a_connection_that_was_idle_is_tried_once_more(store: Store, clock: Clock) -> None:
    """The other side may have closed it just then; a second time it is said that it does not answer."""
    governor = Governor(store.usage, {}, clock, PACIFIC)
    assert await Embedder(Stumbling(1), governor, dimensions=3, time_limit=5).embed(1, ["a moggy"]) == [[0.0] * 3]
    with pytest.raises(AIUnavailable, match="Server disconnected"):
        await Embedder(Stumbling(2), governor, dimensions=3, time_limit=5).embed(1, ["a moggy"])


async def test_each_model_is_asked_once_at_the_start(
    discord: Server, gemini: GeminiStandIn, caplog: pytest.LogCaptureFixture
) -> None:
    """What keeps one from answering is in the log and the status before anybody asks it something."""
    memory = discord.app.memory
    await memory.check_models()
    assert [quota.trouble for quota in await memory.quotas()] == [None] * len(await memory.quotas())
    gemini.faults += [Fault(kind="error", code=404)] * 2
    with caplog.at_level(logging.WARNING):
        await memory.check_models()
    assert {quota.trouble for quota in await memory.quotas()} == {AITrouble.UNKNOWN_MODEL}
    assert "cannot be used (unknown_model)" in caplog.text


async def test_tools_of_a_round_run_together(store: Store, clock: Clock) -> None:
    """And their results stand in the order of the calls (seed 002)."""
    wanted = tuple(ToolCall(name="recall", arguments={"question": question}) for question in ("kiln", "lute"))
    both, started = asyncio.Event(), []

    class Asking:
        model = "m"
        used: tuple[tuple[ToolCall, str], ...] = ()

        async def say(self, prompt: Prompt[Any]) -> Completion:
            self.used = prompt.used
            calls = () if prompt.used else wanted
            return Completion(text='{"facts": [1]}', tokens_in=1, tokens_out=1, calls=calls)

    async def run(call: ToolCall) -> str:
        started.append(call)
        if len(started) == 2:
            both.set()
        await asyncio.wait_for(both.wait(), 5)
        await asyncio.sleep(0.02 if call == wanted[0] else 0)
        return str(call.arguments["question"])

    provider = Asking()
    tool = Tool(name="recall", description="", parameters=MatchedFacts)
    await GovernedModel(provider, Governor(store.usage, {}, clock, PACIFIC)).ask(prompt(tools=(tool,)), run)

    assert [(call.arguments["question"], result) for call, result in provider.used] == [("kiln",) * 2, ("lute",) * 2]
