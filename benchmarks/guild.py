"""A guild as large as wanted, filled by SQL: people of whom few write most, ordinary sentences, and notes of them."""

from __future__ import annotations

import itertools
import random
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta

import asyncpg

GUILD = 5_000 << 22
NOW = datetime(2026, 11, 8, 12, 30, tzinfo=UTC)
DAYS = 36
"""Days of talk up to now: some of it waits for the purge, and a fifth lies within the last eight."""

SLICE = 60
"""Messages of a slice. Every `NOTED`th of them is cited by a note about its author."""

NOTED = 12
UNREAD = timedelta(hours=2)

PARTS = (
    ("I think", "we know", "nobody said that", "it seems", "my brother says", "don’t forget that", "honestly", "well,"),
    ("the kettle", "my bicycle", "the server", "our train", "that café", "the printer", "the garden", "her laptop"),
    ("needs", "lost", "broke", "found", "wants", "sold", "forgot", "likes"),
    ("a new cable", "the spare key", "two tickets", "its battery", "some rain", "the old map", "a quiet week", "paint"),
    ("again", "before Friday", "since the update", "at last 🎉", "in Gdańsk", "for 30 euros", "this morning", "lol"),
)

ELSEWHERE = (
    ("мне кажется,", "я знаю, что", "говорят,", "ну,"),
    ("чайник", "велосипед", "сервер", "поезд"),
    ("опять сломался", "стоит в гараже", "продан соседу", "нашёлся"),
    ("до пятницы", "после обеда", "у брата", "за 30 евро"),
)
"""One sentence in ten is of another script."""


def sentences(chance: random.Random) -> Iterator[str]:
    """What people write."""
    while True:
        yield " ".join(chance.choice(part) for part in (ELSEWHERE if chance.random() < 0.1 else PARTS))


def writers(chance: random.Random, members: int) -> Iterator[int]:
    """Who writes: the first of ten thousand writes a tenth of everything, the second half as much, and so on."""
    shares = list(itertools.accumulate(1 / n for n in range(1, members + 1)))
    while True:
        yield from chance.choices(range(1, members + 1), cum_weights=shares, k=1_000)


def first_id(at: datetime) -> int:
    """The first id that a message of a moment can have."""
    return (int(at.timestamp() * 1000) - 1_420_070_400_000) << 22


async def fill(dsn: str, members: int, messages: int) -> None:
    """Write the guild's people and their talk. All of it has been read but the last two hours."""
    chance = random.Random(3)
    connection = await asyncpg.connect(dsn)
    people = [(GUILD, n, f"person{n}", f"person{n}", NOW - timedelta(days=DAYS)) for n in range(1, members + 1)]
    columns = ["guild_id", "user_id", "display_name", "username", "named_at"]
    await connection.copy_records_to_table("members", records=people, columns=columns)
    await connection.execute("INSERT INTO channel_settings (guild_id, channel_id, name) VALUES ($1, 7, 'talk')", GUILD)
    times = sorted(NOW - timedelta(seconds=chance.uniform(0, DAYS * 86_400)) for _ in range(messages))
    rows = [
        (
            GUILD,
            (int(at.timestamp() * 1000) - 1_420_070_400_000) << 22 | n & 0x3FFFFF,
            7,
            user,
            text,
            at,
            0,
            "member",
            [],
        )
        for n, (at, user, text) in enumerate(zip(times, writers(chance, members), sentences(chance), strict=False))
    ]
    columns = ["guild_id", "message_id", "channel_id", "user_id", "message_text", "timestamp"]
    columns += ["audience", "author_kind", "addressees"]
    for start in range(0, len(rows), 10_000):
        await connection.copy_records_to_table("chat_history", records=rows[start : start + 10_000], columns=columns)
    await connection.execute("ANALYZE")
    await connection.execute(READ, GUILD, NOW - UNREAD, SLICE)
    await connection.execute(NOTES, GUILD, NOTED)
    await connection.execute("VACUUM ANALYZE")
    await connection.close()


READ = """
INSERT INTO slices (guild_id, for_date, audience, from_id, through_id, messages, fingerprint, model, made_at)
    SELECT $1, day, 0, min(message_id), max(message_id), count(*), 'x', 'm', max(timestamp)
    FROM (SELECT message_id, timestamp, timestamp::date AS day,
                 (row_number() OVER (PARTITION BY timestamp::date ORDER BY message_id) - 1) / $3 AS part
          FROM chat_history WHERE guild_id = $1 AND timestamp < $2) AS read
    GROUP BY day, part
"""

NOTES = """
INSERT INTO notes (guild_id, slice_id, audience, user_id, channel_id, kind, text, weight, evidence, evidence_by, at)
    SELECT $1, slice_id, 0, user_id, 7, 'event', 'says: ' || message_text, 1 + message_id % 3, ARRAY[message_id],
           ARRAY[user_id], timestamp
    FROM (SELECT slice_id, m.*, row_number() OVER (ORDER BY message_id) AS n
          FROM slices CROSS JOIN LATERAL (
              SELECT * FROM chat_history AS m
              WHERE m.guild_id = $1 AND m.message_id BETWEEN from_id AND through_id OFFSET 0) AS m
          WHERE slices.guild_id = $1) AS read
    WHERE n % $2 = 0
"""
