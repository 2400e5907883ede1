"""An Observer that speaks OpenTelemetry and Prometheus: numbers and kinds, never words of people nor ids.

OpenTelemetry's API is always called; without its SDK, an extra, that does nothing. AI calls follow its conventions for
generative AI.
"""

from __future__ import annotations

import os
import time
from collections import deque
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import UTC, datetime

from opentelemetry import metrics, trace
from prometheus_client import CollectorRegistry, Counter, Gauge, Histogram, generate_latest

from memory.observer import AICall, BatchWritten, Build, Observer, Removal, SliceRead
from memory.records import FallbackLevel, InboxKind, InboxState

SECONDS = (0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 300)
"""Bounds of histograms of time."""


PROMPTS = 50
"""How many of the last prompts the operator sees."""


@dataclass(frozen=True, kw_only=True)
class SentPrompt:
    """A prompt that was sent to the small model: how many tokens each part had, and never its words."""

    at: datetime
    prompt: str
    parts: Mapping[str, int]

    @property
    def tokens(self) -> int:
        """Tokens of the whole."""
        return sum(self.parts.values())


class Telemetry(Observer):
    """Keeps Prometheus' metrics of one process, and passes everything on to OpenTelemetry."""

    def __init__(self) -> None:
        self.prompts: deque[SentPrompt] = deque(maxlen=PROMPTS)
        """What the last prompts consisted of, the newest first."""
        self._registry = registry = CollectorRegistry()
        self._calls = Counter("urmom_ai_calls", "Requests to models", ("model", "prompt", "error"), registry=registry)
        self._tokens = Counter("urmom_ai_tokens", "Tokens sent and received", ("model", "kind"), registry=registry)
        self._call_seconds = Histogram(
            "urmom_ai_call_seconds", "How long models take", ("model",), buckets=SECONDS, registry=registry
        )
        self._writes = Counter("urmom_writes", "Messages, edits and deletions written", registry=registry)
        self._removed = Counter("urmom_removed_rows", "Rows that went, by what went", ("kind",), registry=registry)
        self._builds = Histogram(
            "urmom_build_seconds", "How long a level takes", ("level", "error"), buckets=SECONDS, registry=registry
        )
        self._lag = Histogram(
            "urmom_write_lag_seconds", "From a message to the database", buckets=SECONDS, registry=registry
        )
        self._batch = Histogram("urmom_batch_seconds", "How long a batch takes", buckets=SECONDS, registry=registry)
        self._slices = Counter("urmom_slices", "Slices of talk that were read", registry=registry)
        self._notes = Counter("urmom_notes", "Notes kept, and dropped as not borne out", ("fate",), registry=registry)
        self._contexts = Counter("urmom_contexts", "Contexts given to replies", ("level",), registry=registry)
        self._build = Histogram(
            "urmom_contexts_seconds", "How long a reply waits for contexts", buckets=SECONDS, registry=registry
        )
        self._inbox = Counter("urmom_inbox", "What the bot was asked", ("kind", "state"), registry=registry)
        self._answer = Histogram(
            "urmom_answer_seconds", "From a question to its end", ("kind",), buckets=SECONDS, registry=registry
        )
        self._gauges = {
            name: Gauge(f"urmom_{name}", help_text, registry=registry)
            for name, help_text in (
                ("guilds", "Servers the bot is in"),
                ("shards_connected", "Shards that are connected"),
                ("pending_writes", "Writes that wait"),
                ("channels_to_read", "Channels that are still to be caught up on"),
                ("failing_loops", "Background work that keeps failing"),
                ("dropped_events", "Events of Discord's that could not be read"),
            )
        }
        self._tracer = trace.get_tracer("urmom_bot")
        meter = metrics.get_meter("urmom_bot")
        self._otel_duration = meter.create_histogram("gen_ai.client.operation.duration", unit="s")
        self._otel_tokens = meter.create_histogram("gen_ai.client.token.usage", unit="{token}")
        self._otel_lag = meter.create_histogram("urmom.write.lag", unit="s")
        self._otel_writes = meter.create_counter("urmom.writes")
        self._otel_inbox = meter.create_histogram("urmom.inbox.duration", unit="s")

    def ai_called(self, call: AICall) -> None:
        """Count a request to a model, and trace it."""
        if call.parts:
            self.prompts.appendleft(SentPrompt(at=datetime.now(UTC), prompt=call.prompt, parts=call.parts))
        self._calls.labels(call.model, call.prompt, call.error).inc()
        self._tokens.labels(call.model, "input").inc(call.tokens_in)
        self._tokens.labels(call.model, "output").inc(call.tokens_out)
        self._call_seconds.labels(call.model).observe(call.seconds)
        attributes: dict[str, str | int] = {"gen_ai.operation.name": "chat", "gen_ai.request.model": call.model}
        if call.error:
            attributes["error.type"] = call.error
        self._otel_duration.record(call.seconds, attributes)
        for kind, tokens in (("input", call.tokens_in), ("output", call.tokens_out)):
            self._otel_tokens.record(tokens, {**attributes, "gen_ai.token.type": kind})
        spent: dict[str, str | int] = {
            "gen_ai.usage.input_tokens": call.tokens_in,
            "gen_ai.usage.output_tokens": call.tokens_out,
            "urmom.prompt": call.prompt,
        }
        self._trace(f"chat {call.model}", call.seconds, attributes | spent, call.error)

    def _trace(self, name: str, seconds: float, attributes: Mapping[str, str | int], error: str = "") -> None:
        """A span of something that has just ended."""
        end = time.time_ns()
        span = self._tracer.start_span(name, start_time=end - int(seconds * 1e9), attributes=attributes)
        if error:
            span.set_attribute("error.type", error)
            span.set_status(trace.StatusCode.ERROR)
        span.end(end_time=end)

    def batch_written(self, batch: BatchWritten) -> None:
        """Count what was written."""
        self._writes.inc(batch.writes)
        self._removed.labels("message").inc(batch.removed)
        self._batch.observe(batch.seconds)
        self._otel_writes.add(batch.writes)
        if batch.lag:
            self._lag.observe(batch.lag)
            self._otel_lag.record(batch.lag)

    def slice_read(self, read: SliceRead) -> None:
        """Count a slice and its notes."""
        self._slices.inc()
        self._notes.labels("kept").inc(read.notes)
        self._notes.labels("dropped").inc(read.dropped)

    def built(self, build: Build) -> None:
        """Count a level that was made, and trace it."""
        self._builds.labels(build.level, build.error).observe(build.seconds)
        self._trace(f"build {build.level}", build.seconds, {"urmom.level": build.level}, build.error)

    def removed(self, removal: Removal) -> None:
        """Count what was taken away, and trace it."""
        self._removed.labels(removal.kind).inc(removal.rows)
        attributes: dict[str, str | int] = {"urmom.removal": removal.kind, "urmom.rows": removal.rows}
        self._trace(f"remove {removal.kind}", removal.seconds, attributes)

    def contexts_built(self, levels: list[FallbackLevel], seconds: float) -> None:
        """Count how complete contexts are."""
        for level in levels:
            self._contexts.labels(level.value).inc()
        self._build.observe(seconds)

    def inbox_moved(self, kind: InboxKind, state: InboxState, seconds: float) -> None:
        """Count what was answered or parked."""
        self._inbox.labels(kind.value, state.value).inc()
        self._answer.labels(kind.value).observe(seconds)
        self._otel_inbox.record(seconds, {"kind": kind.value, "state": state.value})

    def text(self, **now: float) -> bytes:
        """Everything as Prometheus reads it; `now` are the values of the gauges."""
        for name, value in now.items():
            self._gauges[name].set(value)
        return generate_latest(self._registry)


def export_by_otlp() -> bool:
    """Send traces and metrics where OTEL_EXPORTER_OTLP_ENDPOINT says, by the SDK; whether that was asked for.

    Raises ImportError where the extra is not installed.
    """
    if not os.environ.get("OTEL_EXPORTER_OTLP_ENDPOINT"):
        return False
    from opentelemetry.exporter.otlp.proto.http.metric_exporter import OTLPMetricExporter
    from opentelemetry.exporter.otlp.proto.http.trace_exporter import OTLPSpanExporter
    from opentelemetry.sdk.metrics import MeterProvider
    from opentelemetry.sdk.metrics.export import PeriodicExportingMetricReader
    from opentelemetry.sdk.resources import Resource
    from opentelemetry.sdk.trace import TracerProvider
    from opentelemetry.sdk.trace.export import BatchSpanProcessor

    resource = Resource.create({"service.name": "urmom-bot"})
    traces = TracerProvider(resource=resource)
    traces.add_span_processor(BatchSpanProcessor(OTLPSpanExporter()))
    trace.set_tracer_provider(traces)
    reader = PeriodicExportingMetricReader(OTLPMetricExporter())
    metrics.set_meter_provider(MeterProvider(resource=resource, metric_readers=[reader]))
    return True
