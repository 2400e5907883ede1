"""Three kinds of failure in the database: lost waits, a conflict is run again, only a defect is isolated."""

from __future__ import annotations

import asyncio
from datetime import timedelta

import asyncpg
import pytest

from memory import DatabaseUnavailable, GuildErased, MemoryManager, Statement, operator
from memory.records import DatabaseConflict, InboxItem, InboxKind, MemoryFailure
from memory.store.cascade import words_removed
from memory.store.database import CONFLICTS, LOST_ERRORS, Tables, translated
from tests.builders import Clock, G, Opener, Talk, query, served, tell, viewer_of
from urmom_bot.stand_ins import GeminiStandIn

FAILS = """
CREATE SEQUENCE trouble;
CREATE FUNCTION fail() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF nextval('trouble') <= {times} THEN
        RAISE EXCEPTION 'planted' USING ERRCODE = '{code}';
    END IF;
    IF TG_OP = 'DELETE' THEN RETURN OLD; END IF;
    RETURN NEW;
END $$;
CREATE TRIGGER fails BEFORE {event} ON {table} FOR EACH ROW EXECUTE FUNCTION fail();
"""


async def failing(dsn: str, table: str, event: str, code: str, times: int = 2) -> None:
    """Let a statement fail a number of times, however often its transaction is rolled back."""
    connection = await asyncpg.connect(dsn)
    await connection.execute(FAILS.format(table=table, event=event, code=code, times=times))
    await connection.close()


async def stored(dsn: str) -> list[str]:
    return [row[0] for row in await query(dsn, "SELECT message_text FROM chat_history ORDER BY message_id")]


@pytest.mark.parametrize("code", ["40001", "40P01", "55P03", "57014"])
async def test_a_message_in_conflict_is_written_again(app: object, talk: Talk, dsn: str, code: str) -> None:
    """Deadlock, serialization and timeouts of locks and statements are nobody's fault: nothing is dropped."""
    await failing(dsn, "chat_history", "INSERT", code, times=7)
    await talk.say(1, "the tram takes 40 minutes")
    await talk.say(2, "mine takes 9")

    assert await stored(dsn) == ["the tram takes 40 minutes", "mine takes 9"]


@pytest.mark.parametrize("table", ["fact_sources", "facts", "chat_history"])
@pytest.mark.parametrize("code", ["40001", "40P01", "55P03", "57014"])
async def test_a_deletion_in_conflict_is_carried_out_whole(talk: Talk, dsn: str, code: str, table: str) -> None:
    """Message, source and fact go together, however often others were in the way."""
    said = await talk.say(1, "Ann sings alto")
    ann = talk.member(1)
    statement = Statement(guild_id=G, user_id=1, stated_by=1, quote="Ann sings alto", message_id=said, channel_id=7)
    await tell(talk.app.memory, statement, ann, ann)
    await failing(dsn, table, "DELETE", code)
    await talk.app.memory.messages.delete(G, [said])
    await talk.app.memory.messages.flush()

    for place in ("chat_history", "fact_sources", "facts"):
        assert not await query(dsn, f"SELECT 1 FROM {place}"), place


HELD = ("chat_history", "fact_sources", "facts", "user_facts", "notes", "contexts")


async def told_in(talk: Talk, dsn: str, statement: Statement) -> None:
    """A fact told in a message, a note that cites it, and a context made of both."""
    ann = talk.member(1)
    await tell(talk.app.memory, statement, ann, ann)
    rows = await query(
        dsn,
        "INSERT INTO slices (guild_id, for_date, audience, from_id, through_id, messages, fingerprint, model, made_at)"
        " VALUES ($1, '2026-11-10', 0, $2, $2, 1, '', 'm', '2026-11-10 12:00Z') RETURNING slice_id",
        *(G, statement.message_id),
    )
    await query(
        dsn,
        "INSERT INTO notes (guild_id, slice_id, audience, user_id, kind, text, weight, evidence, evidence_by, at)"
        " VALUES ($1, $2, 0, 1, 'event', 'sings alto', 1, $3, '{1}', '2026-11-10 11:00Z')",
        *(G, rows[0]["slice_id"], [statement.message_id]),
    )
    await query(
        dsn,
        "INSERT INTO contexts (guild_id, user_id, audience, context, fingerprint, made_at, for_date)"
        " VALUES ($1, 1, 0, 'sings alto', '', '2026-11-10 12:00Z', '2026-11-10')",
        G,
    )
    await query(
        dsn,
        "INSERT INTO provenance (guild_id, made, source) SELECT $1, 'context:1:0', 'note:' || note_id FROM notes",
        G,
    )


@pytest.mark.parametrize(
    ("refused", "left"),
    [
        *((table, [table]) for table in ("chat_history", "user_facts", "notes", "contexts", "facts")),
        ("fact_sources", ["fact_sources", "facts", "user_facts"]),  # a fact stays as long as it has a source
    ],
)
async def test_words_go_from_everywhere_but_the_table_that_refuses(
    talk: Talk, dsn: str, refused: str, left: list[str]
) -> None:
    """By the same way as every deletion; the tables that refuse are named, and whatever else holds the words goes."""
    said = await talk.say(1, "Ann sings alto")
    await told_in(
        talk, dsn, Statement(guild_id=G, user_id=1, stated_by=1, quote="Ann sings alto", message_id=said, channel_id=7)
    )
    assert not [place for place in HELD if not await query(dsn, f"SELECT 1 FROM {place}")]
    await failing(dsn, refused, "DELETE", "XX001", times=99)
    async with talk.app.memory._core.store.database.writing(G) as connection:
        assert set(await words_removed(connection, G, [said])) >= {refused}

    assert [place for place in HELD if await query(dsn, f"SELECT 1 FROM {place}")] == sorted(left, key=HELD.index)


async def test_words_go_also_where_nothing_says_what_was_made_of_them(talk: Talk, dsn: str) -> None:
    """The edges are lost, so what was made from the words cannot be found; message, source and fact are."""
    said = await talk.say(1, "Ann sings alto")
    await told_in(
        talk, dsn, Statement(guild_id=G, user_id=1, stated_by=1, quote="Ann sings alto", message_id=said, channel_id=7)
    )
    await query(dsn, "ALTER TABLE provenance RENAME TO elsewhere")
    await query(dsn, "CREATE VIEW provenance AS SELECT guild_id, made, source FROM elsewhere WHERE 1 / 0 = 1")
    async with talk.app.memory._core.store.database.writing(G) as connection:
        assert "provenance" in await words_removed(connection, G, [said])

    assert not await query(dsn, "SELECT 1 FROM chat_history")


@pytest.mark.parametrize("code", ["22P02", "23514", "22021"])
async def test_only_a_bad_write_is_left_out(talk: Talk, dsn: str, code: str) -> None:
    """Of a batch with a message that cannot be stored, all others are."""
    await failing(dsn, "chat_history", "INSERT", code, times=0)
    await query(dsn, "ALTER TABLE chat_history DISABLE TRIGGER fails")
    await query(dsn, "ALTER TABLE chat_history ADD CONSTRAINT no_poison CHECK (message_text <> 'poison')")
    for n, text in enumerate(("one", "poison", "three"), 1):
        await talk.say(n, text)

    assert await stored(dsn) == ["one", "three"]


@pytest.mark.parametrize("code", ["40001", "40P01", "55P03", "57014"])
async def test_what_a_member_asks_for_in_conflict_is_done_once(talk: Talk, dsn: str, code: str) -> None:
    """Remember, forget and erase run again by themselves, and leave one row or none."""
    ann = talk.member(1)
    await failing(dsn, "facts", "INSERT OR DELETE", code)
    statement = Statement(guild_id=G, user_id=1, stated_by=1, quote="Ann sings alto", message_id=5, channel_id=7)
    done = await tell(talk.app.memory, statement, ann, ann)
    assert [row[0] for row in await query(dsn, "SELECT fact_id FROM facts")] == [done.fact.fact_id]
    await query(dsn, "ALTER SEQUENCE trouble RESTART")
    await talk.app.memory.forgetting.strike(await viewer_of(talk.app.memory, G, 1), ann, [done.fact])

    assert not await query(dsn, "SELECT 1 FROM facts")


async def test_a_conflict_without_end_is_an_error_that_says_so(talk: Talk, dsn: str) -> None:
    """After a few tries the caller is told; it is an absent database to who waits for one."""
    ann = talk.member(1)
    await failing(dsn, "facts", "INSERT", "40P01", times=1_000)
    statement = Statement(guild_id=G, user_id=1, stated_by=1, quote="Ann sings alto", message_id=5, channel_id=7)
    with pytest.raises(DatabaseConflict):
        await tell(talk.app.memory, statement, ann, ann)
    assert issubclass(DatabaseConflict, DatabaseUnavailable)


def test_every_error_has_its_kind() -> None:
    """Conflicts are told by their SQLSTATE, a lost database by its class; the rest is raised as it is."""

    def kind(code: str) -> type[BaseException]:
        error = asyncpg.PostgresError.new({"C": code, "M": "planted", "S": "ERROR"})
        try:
            with translated():
                raise error
        except (MemoryFailure, asyncpg.PostgresError) as found:
            return type(found)
        raise AssertionError

    for code in CONFLICTS:
        assert kind(code) is DatabaseConflict, code
    for code in ("08006", "57P01", "57P03", "53300", "53100", "58030"):
        assert kind(code) is DatabaseUnavailable, code
    for code in ("22P02", "23505", "42P01", "40002", "XX000"):
        assert not issubclass(kind(code), MemoryFailure), code
    assert OSError in LOST_ERRORS


async def test_a_unit_of_work_is_run_again_without_being_asked_for(clock: Clock) -> None:
    """Every public method of a family of tables is; a new one needs nothing for it."""

    class Family(Tables):
        def __init__(self) -> None:
            self.tried = 0

        async def work(self, fails: int) -> int:
            self.tried += 1
            if self.tried <= fails:
                raise DatabaseConflict
            return self.tried

        async def _inside(self) -> None:
            raise DatabaseConflict

    assert await Family().work(3) == 4
    with pytest.raises(DatabaseConflict):
        await Family().work(99)
    with pytest.raises(DatabaseConflict):
        await asyncio.wait_for(Family()._inside(), 0.005)


# A guild that was erased


async def test_nothing_is_written_of_a_guild_that_was_erased(talk: Talk, dsn: str) -> None:
    """Whatever comes late: messages, names, facts, replies, settings, channels, counts. Coming back lets it be."""
    memory, ann = talk.app.memory, talk.member(1)
    await talk.say(1, "the tram takes 40 minutes")
    await memory._erasure.guild(G)
    await talk.say(1, "and again")
    statement = Statement(guild_id=G, user_id=1, stated_by=1, quote="Ann sings alto", message_id=5, channel_id=7)
    asked = InboxItem(guild_id=G, trigger_id=5, kind=InboxKind.MESSAGE, channel_id=7, user_id=1, at=talk.clock.now)
    for late in (
        lambda: tell(memory, statement, ann, ann),
        lambda: memory.inbox.record(asked),
        lambda: memory.privacy.set_jokes(operator(G), ann, False),
        lambda: memory.guilds.on_bot_removed(G),
        lambda: memory.guilds.greet(G),
        lambda: memory.privacy.note_look(operator(G), 1),
        lambda: memory.guilds.set_time_zone(operator(G), "Europe/Paris"),
    ):
        with pytest.raises(GuildErased):
            await late()
    await memory.messages.delete(G, [5])
    await memory.messages.flush()
    for table in ("chat_history", "members", "facts", "replies", "inbox", "guild_settings", "channel_cursors", "audit"):
        assert not await query(dsn, f"SELECT 1 FROM {table} WHERE guild_id = $1", G), table

    await memory.guilds.on_bot_joined(G)
    await talk.say(1, "back again")
    assert await stored(dsn) == ["back again"]


async def test_another_guilds_messages_are_written_beside_an_erased_one(talk: Talk, dsn: str) -> None:
    """One erased guild in a batch takes nothing of the others with it."""
    memory = talk.app.memory
    await memory._erasure.guild(G)
    await asyncio.gather(*(talk.say(n, f"word {n}", guild_id=G if n % 2 else 2 << 22) for n in range(1, 9)))

    assert len(await stored(dsn)) == 4


# Upkeep


async def test_one_guilds_trouble_keeps_no_other_waiting(
    talk: Talk, dsn: str, caplog: pytest.LogCaptureFixture
) -> None:
    """Retention of the next guild is kept, and the log says what failed and where."""
    other = 2 << 22
    for guild in (G, other):
        await query(dsn, "INSERT INTO channel_settings (guild_id, channel_id, name) VALUES ($1, 7, 'x')", guild)
    await talk.say(1, "kept for ever by a fault")
    await talk.say(2, "old", guild_id=other)
    await failing(dsn, "chat_history", "DELETE", "22012", times=1)
    talk.clock.on(days=31)
    await talk.app.memory.upkeep()

    assert await stored(dsn) == ["kept for ever by a fault"]
    assert f"purging failed in guild {G}" in caplog.text


async def test_the_hourly_work_goes_on_whatever_fails(
    opened: Opener,
    gemini: GeminiStandIn,
    clock: Clock,
    monkeypatch: pytest.MonkeyPatch,
    caplog: pytest.LogCaptureFixture,
) -> None:
    """The next step, and the next hour, come all the same; each failure is logged by its name."""
    hours = 0

    async def broken(_: MemoryManager) -> int:
        nonlocal hours
        hours += 1
        raise ZeroDivisionError

    monkeypatch.setattr("urmom_bot.bot.UPKEEP", timedelta(seconds=0.12))
    monkeypatch.setattr(MemoryManager, "upkeep", broken)
    async with served(opened, gemini, clock) as server:
        async with asyncio.timeout(10):
            while hours < 4:
                clock.on(hours=1)
                await asyncio.sleep(0.01)
        assert server.app.memory.loops.states["upkeep"].is_failing
        others = [state for state in server.app.memory.loops.states.values() if state.name != "upkeep"]
        assert not [state.name for state in others if state.failures]

    assert "upkeep: failed, for the 3. time in a row" in caplog.text
