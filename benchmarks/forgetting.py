"""How long forgetting and looking take in a large server: `python -m benchmarks.forgetting [messages]`.

One guild with a million messages (or as many as given) by 2,000 members over 30 days, 10,000 notes
of 720 slices, as many histories, 20,000 facts with their sources and 20,000 replies that were given 21 messages.
The database is the embedded server with its durability on, so a commit waits for the disk.
"""

from __future__ import annotations

import asyncio
import statistics
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Awaitable, Callable
from datetime import UTC, datetime
from pathlib import Path

import asyncpg
from rich.console import Console
from rich.table import Table

from memory import Member, Viewer
from memory.store import Store, cascade
from urmom_bot.app import database, open_app
from urmom_bot.config import Settings
from urmom_bot.talk import Request, Texts

G = 7 << 22
NOW = datetime(2026, 11, 20, 12, tzinfo=UTC)
MEMBERS, DAYS, NOTES, FACTS = 2_000, 30, 10_000, 20_000
SLICES = DAYS * 24

FILL = """
INSERT INTO channel_settings (guild_id, channel_id, name) VALUES ($1, 7, 'general');
INSERT INTO members (guild_id, user_id, display_name, username)
    SELECT $1, n, 'member' || n, 'member' || n FROM generate_series(1, {members}) AS n;
INSERT INTO chat_history (guild_id, message_id, channel_id, user_id, message_text, timestamp)
    SELECT $1, n, 7, 1 + n % {members}, 'the kiln controller number ' || n || ' has arrived and works as it should',
           $2::timestamptz - interval '{days} days' + n * (interval '{days} days' / {messages})
    FROM generate_series(1, {messages}) AS n;
INSERT INTO slices (guild_id, for_date, audience, from_id, through_id, messages, fingerprint, model, made_at)
    SELECT $1, ($2::timestamptz - interval '{days} days' + n * interval '1 hour')::date, 0,
           1 + n * {messages} / {slices}, (n + 1) * {messages} / {slices}, {messages} / {slices}, 'x', 'm', $2
    FROM generate_series(0, {slices} - 1) AS n;
INSERT INTO notes (guild_id, slice_id, audience, user_id, kind, text, weight, evidence, evidence_by, at)
    SELECT $1, 1 + n % {slices}, 0, 1 + n % {members}, 'event', 'unpacked a kiln controller, which works', 2,
           ARRAY[n::bigint], ARRAY[(1 + n % {members})::bigint], $2::timestamptz - (n % {slices}) * interval '1 hour'
    FROM generate_series(1, {notes}) AS n;
INSERT INTO historical_summaries (guild_id, user_id, end_date, audience, summary, fingerprint, made_at)
    SELECT $1, 1 + n % {members}, ($2::timestamptz - (n / {members}) * interval '1 day')::date, 0, 'a week', 'x', $2
    FROM generate_series(0, {notes} - 1) AS n;
INSERT INTO contexts (guild_id, user_id, audience, context, fingerprint, for_date, made_at)
    SELECT $1, n, 0, 'a context', 'x', $2::date, $2 FROM generate_series(1, {members}) AS n;
INSERT INTO provenance (guild_id, made, source)
    SELECT $1, 'context:' || user_id || ':0', 'note:' || note_id FROM notes WHERE guild_id = $1;
INSERT INTO facts (guild_id, user_id, key, value, domain, confidence, source, stated_by, channel_id, message_id,
                   quote, created_at, last_confirmed_at)
    SELECT $1, 1 + n % {members}, 'note', 'member owns board ' || n, 'personal', 'high', 'explicit',
           1 + n % {members}, 7, n * ({messages} / {facts}), 'owns board ' || n, $2, $2
    FROM generate_series(1, {facts}) AS n;
INSERT INTO fact_sources (guild_id, fact_id, message_id, channel_id, stated_by, quote, raw_text, value, at)
    SELECT guild_id, fact_id, message_id, channel_id, stated_by, quote, quote, value, created_at
    FROM facts WHERE guild_id = $1;
INSERT INTO provenance (guild_id, made, source)
    SELECT guild_id, 'source:' || fact_id || ':' || message_id || ':' || stated_by, 'message:' || message_id
    FROM fact_sources WHERE guild_id = $1;
INSERT INTO replies (guild_id, trigger_id, kind, channel_id, created_at, reply_ids)
    SELECT $1, n * 40, 'answer', 7, $2, ARRAY[n * 40 + 1]::bigint[] FROM generate_series(1, 20000) AS n;
INSERT INTO provenance (guild_id, made, source)
    SELECT $1, 'reply:' || n * 40 || ':answer', 'message:' || n * 40 - k
    FROM generate_series(1, 20000) AS n CROSS JOIN generate_series(0, 20) AS k;
INSERT INTO provenance (guild_id, made, source)
    SELECT $1, 'message:' || n * 40 + 1, 'reply:' || n * 40 || ':answer' FROM generate_series(1, 20000) AS n
"""


async def timed(work: Callable[[], Awaitable[object]]) -> float:
    began = time.perf_counter()
    await work()
    return (time.perf_counter() - began) * 1_000


def shown(times: list[float]) -> str:
    ordered = sorted(times)
    p99 = ordered[min(len(ordered) - 1, int(len(ordered) * 0.99))]
    return f"median {statistics.median(times):.1f} ms, p99 {p99:.1f} ms, most {ordered[-1]:.1f} ms (of {len(times)})"


async def measure(messages: int) -> None:
    table = Table("what", "result", title=f"{messages:,} messages, {NOTES:,} notes, {FACTS:,} facts")
    with tempfile.TemporaryDirectory() as folder:
        settings = Settings(_env_file=None, data_dir=Path(folder), database_url=None, gemini_api_key=None)
        async with database(settings) as dsn:
            began = time.perf_counter()
            await fill(dsn, messages)
            table.add_row("filling the tables (by SQL)", f"{time.perf_counter() - began:.0f} s")
            async with open_app(settings, clock=lambda: NOW, dsn=dsn) as app:
                store: Store = app.memory._core.store
                await deletions(store, messages, table)
                await looking(app, table)
                about = Member(guild_id=G, user_id=77, display_name="member77", username="member77")
                forget = [
                    await timed(
                        lambda n=n: app.memory.forgetting.forget(
                            Viewer(guild_id=G, user_id=77, is_alone=True),
                            about,
                            f"member owns board {76 + 2_000 * n}",
                        )
                    )
                    for n in range(5)
                ]
                table.add_row("forget in words: search, cascade, second search", shown(forget))
                erase = [
                    await timed(
                        lambda n=n: app.memory.privacy.erase(
                            Viewer(guild_id=G, user_id=n),
                            Member(guild_id=G, user_id=n, display_name=f"member{n}", username=f"member{n}"),
                            G,
                        )
                    )
                    for n in range(100, 105)
                ]
                table.add_row("erase of a member (500 messages, 10 facts) with receipt", shown(erase))
    Console(width=120).print(table)


async def fill(dsn: str, messages: int) -> None:
    connection = await asyncpg.connect(dsn, command_timeout=None)
    values = {"members": MEMBERS, "days": DAYS, "notes": NOTES, "slices": SLICES, "facts": FACTS}
    values["messages"] = messages
    for statement in FILL.format(**values).split(";\n"):
        arguments = (G, NOW) if "$2" in statement else (G,)
        await connection.execute(statement, *arguments)
    await connection.execute("VACUUM ANALYZE")
    await connection.close()


async def deletions(store: Store, messages: int, table: Table) -> None:
    """Each deletes one message: notes that cite it, a fact, the replies that read it go in the same transaction."""

    removed: Counter[str] = Counter()

    async def one(message_id: int) -> None:
        async with store.database.transaction() as connection:
            removed.update(await cascade.forgotten(connection, G, messages=[message_id]))

    step = messages // FACTS
    first = [await timed(lambda n=n: one(n * 40 + 3)) for n in range(1, 200)]  # type: ignore[misc]
    table.add_row("a deletion of a message that a note cites", shown(first))
    rest = [await timed(lambda n=n: one(n * step * 7)) for n in range(1, 400)]  # type: ignore[misc]
    table.add_row("a deletion with a fact and replies", shown(rest))
    table.add_row("… which all took with them", ", ".join(f"{n:,} {table}" for table, n in removed.items() if n))


async def looking(app: object, table: Table) -> None:
    panels = app.panels  # type: ignore[attr-defined]
    texts = Texts("en")
    times = []
    for user in range(200, 400):
        request = request_by(user)
        times.append(await timed(lambda: panels.memories.show(request, request.speaker, texts)))  # noqa: B023
    table.add_row("/memory show", shown(times))
    days = [
        await timed(lambda user=user: panels.privacy.panel(request_by(user), texts))  # type: ignore[misc]
        for user in range(200, 260)
    ]
    table.add_row("/privacy", shown(days))


def request_by(user: int) -> Request:
    speaker = Member(guild_id=G, user_id=user, display_name=f"member{user}", username=f"member{user}")
    viewer = Viewer(guild_id=G, user_id=user, is_alone=True)
    return Request(viewer=viewer, channel_id=7, message_id=1, speaker=speaker, text="", at=NOW)


if __name__ == "__main__":
    asyncio.run(measure(int(sys.argv[1]) if len(sys.argv) > 1 else 1_000_000))
