"""Writing: batched, ordered, idempotent, bounded, patient."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import replace
from datetime import timedelta

import asyncpg
import pytest

from memory import Channel, Message, Statement
from memory.addressees import Addressees
from memory.core import Core
from memory.generations import Generations
from memory.guilds import Guilds
from memory.ingest import Deleted, Edited, Ingest, Written
from memory.naming import Naming
from memory.observer import Observer
from memory.rules.calendar import zone
from memory.single_flight import SingleFlight
from memory.store import Store
from memory.store.cipher import TextCipher
from memory.store.database import SAVING
from memory.suppressions import Suppressions
from tests.builders import NOON, Clock, G, Opener, Talk, query, tell, viewer_of
from tests.line import Line
from tests.statements import watch
from urmom_bot.app import App


@pytest.fixture
async def wire(dsn: str) -> AsyncIterator[Line]:
    made = Line(dsn)
    await made.start()
    yield made
    await made.close()


def message(n: int, text: str = "words", **more: object) -> Message:
    values: dict[str, object] = {
        "guild_id": G,
        "message_id": n,
        "channel_id": 7,
        "user_id": 1,
        "text": text,
        "timestamp": NOON + timedelta(seconds=n),
        **more,
    }
    return Message(**values)  # type: ignore[arg-type]


def member(talk: Talk) -> object:
    return talk.member(1)


async def test_what_was_accepted_is_there_when_the_database_returns(wire: Line, dsn: str) -> None:
    """While the database is away, writes wait; when it is back, all are written, in order, once."""
    store = await Store.open(wire.dsn)
    ingest = Ingest(core_over(store), Addressees(Clock()))
    ingest.start()
    who = Talk(None, None).member(1)  # type: ignore[arg-type]
    for n in range(1, 50):
        await ingest.offer(Written(message(n), who))
    await ingest.flush()
    wire.cut()
    for n in range(50, 150):
        assert await ingest.offer(Written(message(n), who))
    await ingest.accept(Edited(G, 120, "edited while away", NOON + timedelta(days=1)))
    await ingest.accept(Deleted(G, (60, 121)))
    await asyncio.sleep(0.4)
    assert ingest.pending == 102
    wire.mend()
    await asyncio.wait_for(ingest.flush(), 20)
    await ingest.close(10)
    await store.close()

    rows = {r["message_id"]: r["message_text"] for r in await query(dsn, "SELECT * FROM chat_history")}
    assert set(rows) == set(range(1, 150)) - {60, 121}
    assert rows[120] == "edited while away"


async def test_memory_is_bounded(wire: Line) -> None:
    """Beyond its capacity nothing is accepted, and who offers is told."""
    store = await Store.open(wire.dsn)
    wire.cut()
    ingest = Ingest(core_over(store), Addressees(Clock()), capacity=20)
    ingest.start()
    who = Talk(None, None).member(1)  # type: ignore[arg-type]
    accepted = [await ingest.offer(Written(message(n), who)) for n in range(1, 600)]
    assert not accepted[-1]
    assert ingest.pending <= 20 + 500
    assert await ingest.close(patience=0.2) > 0
    await store.close()


async def test_the_same_message_is_stored_once(app: App, talk: Talk, dsn: str) -> None:
    """Ingest is idempotent by id, and an older copy does not undo an edit."""
    first = message(5, "first")
    for _ in range(3):
        await app.memory.messages.ingest(first, talk.member(1))
    await app.memory.messages.edit(G, 5, "second", NOON + timedelta(hours=1))
    await app.memory.messages.edit(G, 5, "stale", NOON + timedelta(minutes=1))
    await app.memory.messages.catch_up(first, talk.member(1))
    await app.memory.messages.flush()

    rows = await query(dsn, "SELECT message_text FROM chat_history")
    assert [r["message_text"] for r in rows] == ["second"]


async def test_a_deleted_message_does_not_come_back_by_catching_up(app: App, talk: Talk, dsn: str) -> None:
    """A page of history that was read before the deletion does not bring the message back."""
    await app.memory.messages.ingest(message(5), talk.member(1))
    await app.memory.messages.delete(G, [5])
    await app.memory.messages.catch_up(message(5), talk.member(1))
    await app.memory.messages.flush()

    assert not await query(dsn, "SELECT 1 FROM chat_history")


async def test_one_bad_write_does_not_take_others_with_it(app: App, talk: Talk, dsn: str) -> None:
    """What the database refuses is dropped alone; what stands around it is written."""
    for n in (1, 2, 3):
        text = "bad \x00 text" if n == 2 else "good"
        await app.memory.messages.ingest(message(n, text), talk.member(1))
    await app.memory.messages.ingest(message(4, audience="nobody"), talk.member(1))
    await app.memory.messages.ingest(message(5), talk.member(1))
    await app.memory.messages.flush()

    assert [r[0] for r in await query(dsn, "SELECT message_id FROM chat_history ORDER BY 1")] == [1, 3, 5]


async def test_writes_are_batched(app: App, talk: Talk, dsn: str) -> None:
    """A thousand messages are a few transactions, not a thousand."""
    for n in range(1, 1_001):
        await app.memory.messages.ingest(message(n), talk.member(1))
    await app.memory.messages.flush()

    found = await query(dsn, "SELECT count(*) AS rows, count(DISTINCT xmin::text) AS batches FROM chat_history")
    assert found[0]["rows"] == 1_000
    assert found[0]["batches"] <= 5


async def test_a_trickle_waits_for_no_company(app: App, talk: Talk, monkeypatch: pytest.MonkeyPatch) -> None:
    """One write after another is written at once; after a batch the next may get company, and waits for it."""
    await app.memory.loops.stop()
    monkeypatch.setattr("memory.ingest.BATCH_WAIT", 3_600)
    who = talk.member(1)
    async with asyncio.timeout(20):
        for n in range(1, 6):
            assert await app.memory.messages.ingest(message(n), who)
            while app.memory.messages.pending:
                await asyncio.sleep(0.005)
        monkeypatch.setattr("memory.ingest.BUSY_WINDOW", 3_600)
        for n in range(10, 30):
            assert await app.memory.messages.ingest(message(n), who)
        while app.memory.messages.pending:
            await asyncio.sleep(0.005)
    assert await app.memory.messages.ingest(message(40), who)
    await asyncio.sleep(0.3)
    assert app.memory.messages.pending == 1


async def test_upkeep_purges_what_is_older_than_is_kept(app: App, talk: Talk, dsn: str) -> None:
    """Messages go after the days the setting names, no earlier."""
    await app.memory.guilds.update_channel(Channel(guild_id=G, channel_id=7, name="seven"))
    await talk.say(1, "old words", NOON - timedelta(days=30, minutes=1))
    await talk.say(1, "new words", NOON - timedelta(days=29, hours=23))

    assert await app.memory.upkeep() == 1
    assert [r[0] for r in await query(dsn, "SELECT message_text FROM chat_history")] == ["new words"]


async def test_what_is_old_goes_in_small_batches(
    app: App, talk: Talk, dsn: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """All of it, however many batches it takes, and nothing that is not."""
    monkeypatch.setattr("memory.store.messages.PURGED_AT_ONCE", 3)
    await app.memory.guilds.update_channel(Channel(guild_id=G, channel_id=7, name="seven"))
    for n in range(7):
        await talk.say(1, f"old words {n}", NOON - timedelta(days=31, minutes=n))
    await talk.say(1, "new words")

    assert await app.memory.upkeep() == 7
    assert [r[0] for r in await query(dsn, "SELECT message_text FROM chat_history")] == ["new words"]


def core_over(store: Store) -> Core:
    clock, generations, observer = Clock(), Generations(), Observer()
    guilds = Guilds(store, generations, zone("UTC"))
    return Core(
        store=store,
        clock=clock,
        generations=generations,
        naming=Naming(store),
        suppressions=Suppressions(store, b"a key", generations, guilds, clock),
        guilds=guilds,
        cipher=TextCipher(),
        flights=SingleFlight(store.coordinator, observer),
        observer=observer,
    )


async def test_what_was_made_has_a_life_of_its_own(opened: Opener, clock: Clock, dsn: str) -> None:
    """Slices, notes and histories for the days the setting names, contexts for seven."""
    fill = """
        INSERT INTO channel_settings (guild_id, channel_id, name) VALUES ({g}, 7, 'seven');
        INSERT INTO slices (guild_id, for_date, audience, from_id, through_id, messages, fingerprint, model, made_at)
            SELECT {g}, DATE '2026-11-10' - n, 0, n, n, 1, '', 'm', now()
            FROM unnest(ARRAY[5, 19, 20, 366, 400]) AS n;
        INSERT INTO notes (guild_id, slice_id, audience, user_id, kind, text, weight, evidence, at)
            SELECT {g}, slice_id, 0, 1, 'event', 'a note', 1, '{{}}', for_date FROM slices;
        INSERT INTO historical_summaries (guild_id, user_id, end_date, audience, summary, fingerprint, made_at)
            SELECT {g}, 1, DATE '2026-11-10' - n, 0, 'days', '', now() FROM unnest(ARRAY[20, 21]) AS n;
        INSERT INTO contexts (guild_id, user_id, audience, context, fingerprint, for_date, made_at)
            SELECT {g}, n, 0, 'a context', '', DATE '2026-11-10' - n, now() FROM unnest(ARRAY[7, 8]) AS n;
    """
    connection = await asyncpg.connect(dsn)
    await connection.execute(fill.format(g=G))
    await connection.close()
    async with opened(summary_days=20, week_days=20, month_days=365) as built:
        await built.memory.upkeep()

    async def ages(table: str, day: str) -> list[int]:
        rows = await query(dsn, f"SELECT DATE '2026-11-10' - {day} AS age FROM {table} ORDER BY 1")
        return [row["age"] for row in rows]

    assert await ages("slices", "for_date") == [5, 19, 20]
    assert await ages("notes", "at::date") == [5, 19, 20]
    assert await ages("historical_summaries", "end_date") == [20]
    assert await ages("contexts", "for_date") == [7]


async def test_names_are_kept_as_they_are_now(app: App, talk: Talk) -> None:
    """A new nickname replaces the old; aliases stay."""
    await app.memory.messages.ingest(message(1), talk.member(1))
    await app.memory.messages.flush()
    await app.memory.messages.ingest(message(2), talk.member(1, display_name="Annie"))
    await app.memory.messages.flush()

    assert (await app.memory.guilds.members(G))[1].names == ("Annie", "ann")


async def test_an_edit_that_comes_before_its_message_is_kept(app: App, talk: Talk, dsn: str) -> None:
    """A page of history that was read before an edit does not bring the old text."""
    await app.memory.messages.edit(G, 5, "the new text", NOON + timedelta(hours=1))
    await app.memory.messages.catch_up(message(5, "the old text"), talk.member(1))
    await app.memory.messages.flush()

    assert [r[0] for r in await query(dsn, "SELECT message_text FROM chat_history")] == ["the new text"]


async def test_whom_a_message_speaks_to_is_stored_with_it(app: App, talk: Talk, clock: Clock, dsn: str) -> None:
    """By the name it begins with, its mentions and its reply; anew where it is edited."""

    async def stored(message_id: int) -> list[int]:
        (row,) = await query(dsn, "SELECT addressees FROM chat_history WHERE message_id = $1", message_id)
        return list(row["addressees"])

    await talk.say(1, "hello, Ann here", clock.now - timedelta(hours=1))
    first = await talk.say(2, "hello everybody", clock.now - timedelta(minutes=9))
    called = await talk.say(3, "bob good that you are here", clock.now - timedelta(minutes=8))
    late = await talk.say(3, "ann good that you were here", clock.now - timedelta(minutes=7))
    marked = await talk.say(3, "ann: and you, <@2>?", clock.now - timedelta(minutes=6))
    reply = await talk.say(3, "welcome", clock.now - timedelta(minutes=5), reply_to_id=first)

    assert [await stored(n) for n in (first, called, late, marked, reply)] == [[], [2], [], [1, 2], [2]]
    await app.memory.messages.edit(G, marked, "bob: and you?", clock())
    await app.memory.messages.edit(G, reply, "ann: welcome", clock())
    await app.memory.messages.flush()
    assert [await stored(n) for n in (marked, reply)] == [[2], [1, 2]]


async def test_members_who_never_wrote_are_spoken_to_by_name(app: App, talk: Talk, clock: Clock, dsn: str) -> None:
    """By names they have, had or were given, if nobody else has them, whether that one writes or not."""
    silent = [
        talk.member(5, display_name="Zoë Q", former_names=("Quill",)),
        talk.member(6, display_name="Max", username="max6"),
        talk.member(7, display_name="MAX", username="max7"),
        talk.member(8, display_name="Dee", username="silent.dee"),
    ]
    await app.memory._core.store.people.update_names(silent, clock())
    await talk.say(2, "hello")
    await query(dsn, "UPDATE members SET aliases = '{Wolfram}' WHERE user_id = 2")
    await query(dsn, "UPDATE members SET former_names = '{Quill}' WHERE user_id = 5")
    texts = (
        "zoë q: yes",
        "quill, no",
        "max: you there?",
        "wolfr: hi",
        "dee hello you",
        "everyone: hi",
        "kestrel, you know",
    )

    async def addressed(text: str) -> list[int]:
        message_id = await talk.say(4, text)
        (row,) = await query(dsn, "SELECT addressees FROM chat_history WHERE message_id = $1", message_id)
        return list(row["addressees"])

    app.memory.messages._addressees._guilds.clear()  # a new process
    await talk.say(2, "still here")
    assert [await addressed(text) for text in texts] == [[5], [5], [], [2], [], [], []]
    assert [await addressed(text) for text in texts] == [[5], [5], [], [2], [], [], []]
    await app.memory._core.store.people.update_names([talk.member(9, display_name="Kestrel")], clock())
    assert await addressed("kestrel, you know") == []
    clock.on(minutes=61)
    assert await addressed("kestrel, you know") == [9]


async def test_a_name_is_looked_up_once(app: App, talk: Talk, monkeypatch: pytest.MonkeyPatch) -> None:
    """However often messages begin with it, and whoever has it."""
    seen: list[str] = []
    await talk.say(1, "hello")
    watch(monkeypatch, seen.append)
    for text in ("Zoe: yes", "zoe: no", "Zoe, are you there?"):
        await talk.say(1, text)
    assert sum("member_names" in statement for statement in seen) == 1


def of_guild(n: int, guild_id: int, text: str = "") -> Message:
    return replace(message(n), guild_id=guild_id, text=text or f"number {n}")


@asynccontextmanager
async def holding(dsn: str, guild_id: int) -> AsyncIterator[None]:
    """Somebody else changes a guild."""
    connection = await asyncpg.connect(dsn)
    async with connection.transaction():
        await connection.execute("SELECT pg_advisory_xact_lock($1, hashint8($2))", SAVING, guild_id)
        yield
    await connection.close()


async def texts(dsn: str) -> list[tuple[int, str]]:
    rows = await query(dsn, "SELECT guild_id, message_text FROM chat_history ORDER BY message_id")
    return [tuple(row) for row in rows]


async def test_no_guild_waits_for_one_that_is_held(app: App, talk: Talk, dsn: str) -> None:
    """Its own messages come once it is free, in their order, those that came later among them."""
    other, service = G + 1, app.memory.messages
    who = {guild: replace(talk.member(1), guild_id=guild) for guild in (G, other)}
    async with holding(dsn, G):
        for n in (1, 2):
            await service.ingest(of_guild(n, G), who[G])
        await service.edit(G, 1, "edited meanwhile", NOON + timedelta(hours=1))
        for n in (3, 4):
            await service.ingest(of_guild(n, other), who[other])
        async with asyncio.timeout(5):
            while await texts(dsn) != [(other, "number 3"), (other, "number 4")]:
                await asyncio.sleep(0.02)
        assert service.pending == 3
        lag = service.write_lag
        for n in range(20, 30):
            await service.ingest(of_guild(n, other), who[other])
        with pytest.raises(TimeoutError):
            await asyncio.wait_for(service.flush(), 0.5)
        await query(dsn, "DELETE FROM chat_history WHERE message_id >= 20")
        await service.ingest(of_guild(5, G), who[G])
        await service.delete(G, [2])
        await asyncio.sleep(0.3)
        assert service.write_lag >= lag + 0.8, "what is held is the oldest, whatever was written since"
    await asyncio.wait_for(service.flush(), 10)

    assert await texts(dsn) == [(G, "edited meanwhile"), (other, "number 3"), (other, "number 4"), (G, "number 5")]
    assert (service.pending, service.write_lag) == (0, 0)


async def test_what_waits_for_its_turn_is_not_overtaken(app: App, talk: Talk, dsn: str) -> None:
    """Two held guilds are waited for at once: a third that is free again goes on in its order all the same."""
    service, third = app.memory.messages, G + 2
    who = {guild: replace(talk.member(1), guild_id=guild) for guild in (G, G + 1, third)}
    async with holding(dsn, G), holding(dsn, G + 1):
        async with holding(dsn, third):
            for n, guild in enumerate(who):
                await service.ingest(of_guild(n + 1, guild), who[guild])
            await asyncio.sleep(0.5)
        await service.ingest(of_guild(9, third), who[third])
        await asyncio.sleep(0.5)
        assert await texts(dsn) == []
    await asyncio.wait_for(service.flush(), 10)
    assert len(await texts(dsn)) == 4


async def test_many_guilds_are_written_by_a_few_statements(
    app: App, talk: Talk, dsn: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The rules of all guilds of a batch are read at once: a hundred guilds take as many statements as two."""
    seen: list[str] = []

    async def written(guilds: int, first: int) -> int:
        seen.clear()
        for n in range(first, first + guilds):
            await app.memory.messages.ingest(
                of_guild(n, (n + 10) << 22), replace(talk.member(1), guild_id=(n + 10) << 22)
            )
        await app.memory.messages.flush()
        return len(seen)

    await app.memory.loops.stop()
    watch(monkeypatch, seen.append)
    few, many = await written(2, 1), await written(100, 1_000)
    assert len(await texts(dsn)) == 102
    assert many <= few + 2, seen


async def test_what_is_forgotten_while_a_message_waits_does_not_come_back(
    app: App, talk: Talk, dsn: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What must not be told is compared again once the guild is locked: another process may have forgotten it."""
    ann = talk.member(1)
    said = await talk.say(1, "hello")
    statement = Statement(guild_id=G, user_id=1, stated_by=1, quote="Ann sings alto", message_id=said, channel_id=7)
    await tell(app.memory, statement, ann, ann)
    suppressions = app.memory._core.suppressions
    before = await suppressions.with_subject_names(G)
    async with holding(dsn, G + 5):
        viewer = await viewer_of(app.memory, G, 1)
        await app.memory.forgetting.forget(viewer, ann, "Ann sings alto")
    real = type(suppressions).with_subject_names
    stale = [before]

    async def outdated(self: Suppressions, guild_id: int) -> object:
        return stale.pop() if stale else await real(self, guild_id)

    monkeypatch.setattr(Suppressions, "with_subject_names", outdated)
    late = replace(message(5), text="Ann sings alto", timestamp=talk.clock.now - timedelta(hours=1))
    await app.memory.messages.catch_up(late, ann)
    await app.memory.messages.flush()

    assert stale == []
    assert not await query(dsn, "SELECT 1 FROM chat_history WHERE message_text LIKE '%alto%'")


async def test_names_are_written_when_they_change(app: App, talk: Talk, dsn: str) -> None:
    """And again after they were let go of; who is named otherwise is told otherwise, at once."""
    await talk.say(1, "one")
    await query(dsn, "UPDATE members SET username = 'as it was'")
    await talk.say(1, "two")
    assert [row[0] for row in await query(dsn, "SELECT username FROM members")] == ["as it was"]
    await talk.say(1, "three", display_name="Anna")
    assert [tuple(r) for r in await query(dsn, "SELECT username, display_name FROM members")] == [("ann", "Anna")]
    async with asyncio.timeout(5):
        while app.memory._ingest._named.get(G, 1) is None:  # the news of the name drops it once
            await talk.say(1, "known again", display_name="Anna")
            await asyncio.sleep(0.1)
    await app.memory.guilds.on_members_left(G, [1])
    await talk.say(1, "four", display_name="Anna")
    assert [row[0] for row in await query(dsn, "SELECT left_at FROM members")] == [None]
