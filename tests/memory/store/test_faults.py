"""Every class of database error at every statement: lost waits, a conflict is run again, a defect is parked."""

from __future__ import annotations

import traceback
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field

import asyncpg
import pytest

from memory import DatabaseUnavailable, MemoryManager, Statement
from memory.records import DatabaseConflict
from memory.store.database import CONFLICTS, Database, translated
from tests.builders import G, Talk, query, tell, viewer_of
from tests.statements import watch

KINDS = {
    "conflict": tuple(sorted(CONFLICTS)),
    "lost": ("53100", "53200", "53300", "08006", "08003", "57P01"),
    "defect": ("22P02", "22021", "23505", "23514"),
}
"""The classes of errors by kind. One after the other fails the statements: `test_each_class_is_of_one_kind`."""


@dataclass
class Faults:
    """Lets one statement of many fail, once, as the database would."""

    code: str = ""
    at: int = -1
    seen: int = 0
    failed: list[str] = field(default_factory=list)

    def begin(self, code: str, at: int) -> None:
        self.code, self.at, self.seen = code, at, 0
        self.failed.clear()

    def pass_by(self, statement: str) -> None:
        self.seen += 1
        if self.seen - 1 == self.at:
            self.failed.append(statement)
            raise asyncpg.PostgresError.new({"C": self.code, "M": "planted", "S": "ERROR"})


@pytest.fixture
def faults(monkeypatch: pytest.MonkeyPatch) -> Faults:
    planted = Faults()
    watch(monkeypatch, planted.pass_by)
    monkeypatch.setattr("memory.ingest.BATCH_WAIT", 0.0)
    return planted


async def counts(dsn: str, *tables: str) -> dict[str, int]:
    (row,) = await query(dsn, "SELECT " + ", ".join(f"(SELECT count(*) FROM {table}) AS {table}" for table in tables))
    return dict(row)


async def at_every_statement(
    faults: Faults,
    kind: str,
    prepare: Callable[[], Awaitable[None]],
    work: Callable[[], Awaitable[None]],
    check: Callable[[], Awaitable[None]],
) -> int:
    """Do `work` with its first statement failing, then its second, until none is left to fail; how many did."""
    for n in range(200):
        faults.begin("", -1)
        await prepare()
        code = KINDS[kind][n % len(KINDS[kind])]
        faults.begin(code, n)
        await work()
        failed = list(faults.failed)
        faults.begin("", -1)
        if not failed:
            return n
        try:
            await check()
        except AssertionError as wrong:
            raise AssertionError(f"{code} at statement {n}: {failed[0]}") from wrong
    raise AssertionError("there is no end of statements")


async def clear(talk: Talk, dsn: str) -> None:
    await talk.app.memory.messages.flush()
    tables = ("chat_history", "facts", "fact_sources", "user_facts", "provenance", "parked", "inbox", "audit")
    each = ", ".join(f"of_{table} AS (DELETE FROM {table})" for table in tables)
    await query(dsn, f"WITH {each} SELECT 1")  # at once: there are some ten thousand of these


@pytest.fixture
async def quiet(talk: Talk) -> MemoryManager:
    """A memory whose own signs of life are no statements of the work under test."""
    await talk.app.memory.loops.stop()
    return talk.app.memory


@pytest.mark.parametrize("kind", KINDS)
async def test_a_message(quiet: MemoryManager, talk: Talk, dsn: str, faults: Faults, kind: str) -> None:
    """It is stored whatever passes, and parked where a defect stays; the next one is stored in any case."""

    async def prepare() -> None:
        await clear(talk, dsn)

    async def work() -> None:
        for text in ("one", "two"):
            await talk.say(1, text)

    async def check() -> None:
        found = await counts(dsn, "chat_history", "parked")
        # A defect that shows once is not one of the message: alone it is tried once, and parked.
        assert found["chat_history"] + found["parked"] == 2
        assert found["parked"] == 0 or kind == "defect"

    assert await at_every_statement(faults, kind, prepare, work, check) > 8


@pytest.mark.parametrize("kind", KINDS)
async def test_a_deletion(quiet: MemoryManager, talk: Talk, dsn: str, faults: Faults, kind: str) -> None:
    """The message, the fact it told and its source go, whatever fails on the way."""
    ann, said = talk.member(1), 0

    async def prepare() -> None:
        nonlocal said
        await clear(talk, dsn)
        said = await talk.say(1, "Ann sings alto")
        statement = Statement(guild_id=G, user_id=1, stated_by=1, quote="Ann sings alto", message_id=said, channel_id=7)
        await tell(talk.app.memory, statement, ann, ann)

    async def work() -> None:
        await talk.app.memory.messages.delete(G, [said])
        await talk.app.memory.messages.flush()

    async def check() -> None:
        found = await counts(dsn, "chat_history", "facts", "fact_sources", "user_facts", "parked")
        assert found == {"chat_history": 0, "facts": 0, "fact_sources": 0, "user_facts": 0, "parked": found["parked"]}
        assert found["parked"] == (1 if kind == "defect" else 0)

    assert await at_every_statement(faults, kind, prepare, work, check) > 13


@pytest.mark.parametrize("kind", KINDS)
async def test_what_a_member_has_forgotten(
    quiet: MemoryManager, talk: Talk, dsn: str, faults: Faults, kind: str
) -> None:
    """It is gone whole or there whole, and who asked is told which."""
    ann, is_told = talk.member(1), False

    async def prepare() -> None:
        await clear(talk, dsn)
        said = await talk.say(1, "Ann sings alto")
        statement = Statement(guild_id=G, user_id=1, stated_by=1, quote="Ann sings alto", message_id=said, channel_id=7)
        await tell(talk.app.memory, statement, ann, ann)

    async def work() -> None:
        nonlocal is_told
        is_told = False
        try:
            viewer = await viewer_of(talk.app.memory, G, 1)
            await talk.app.memory.forgetting.forget(viewer, ann, "Ann sings alto")
        except (DatabaseUnavailable, asyncpg.PostgresError):
            is_told = True

    async def check() -> None:
        found = await counts(dsn, "facts", "fact_sources")
        assert found["facts"] == found["fact_sources"]
        assert is_told or found["facts"] == 0
        assert not is_told or kind != "conflict"

    assert await at_every_statement(faults, kind, prepare, work, check) > 20


@pytest.mark.parametrize("kind", KINDS)
async def test_upkeep(quiet: MemoryManager, talk: Talk, dsn: str, faults: Faults, kind: str) -> None:
    """What fails in one hour is done in the next."""
    memory, other = talk.app.memory, 2 << 22
    for guild in (G, other):
        await query(dsn, "INSERT INTO channel_settings (guild_id, channel_id, name) VALUES ($1, 7, 'x')", guild)

    async def prepare() -> None:
        await clear(talk, dsn)
        for guild in (G, other):
            await talk.say(1, "old", talk.clock.now.replace(year=2026, month=1), guild_id=guild)

    async def work() -> None:
        await memory.loops.attempt("upkeep", memory.upkeep)

    async def check() -> None:
        await memory.loops.attempt("upkeep", memory.upkeep)
        assert await counts(dsn, "chat_history") == {"chat_history": 0}

    assert await at_every_statement(faults, kind, prepare, work, check) > 20


@pytest.mark.parametrize(
    ("kind", "error"),
    [("conflict", DatabaseConflict), ("lost", DatabaseUnavailable), ("defect", asyncpg.PostgresError)],
)
def test_each_class_is_of_one_kind(kind: str, error: type[BaseException]) -> None:
    """What one of a kind is taken for, all of it are: so each statement need not fail with every one."""
    for code in KINDS[kind]:
        with pytest.raises(error) as raised, translated():
            raise asyncpg.PostgresError.new({"C": code, "M": "planted", "S": "ERROR"})
        assert issubclass(raised.type, DatabaseConflict) == (error is DatabaseConflict), code


async def test_a_defect_says_its_kind_and_no_words(dsn: str) -> None:
    """Law 12: neither an argument that cannot be sent, nor a row in the way, is in what a log would print."""
    database = await Database.open(dsn)
    told = ""
    for statement, value in (
        ("SELECT $1::text", "a secret\x00"),
        ("SELECT $1::text", "a secret\ud800"),
        ("SELECT ($1::text)::int", "a secret"),
        ("INSERT INTO bot_state (guild_id, name, value) VALUES (1, $1, ''), (1, $1, '')", "a secret"),
    ):
        try:
            async with database.connection() as connection:
                await connection.execute(statement, value)
        except asyncpg.PostgresError as failed:
            told += "".join(traceback.format_exception(failed))
    await database.close()

    assert told.count("Traceback") == 4
    assert "a secret" not in told
    assert "UniqueViolationError (23505)" in told
