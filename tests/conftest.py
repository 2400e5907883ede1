"""One PostgreSQL for the run, an empty database for each test, stand-ins over real sockets.

What a fixture needs is imported when it is used: a file of pure tests loads neither the bot nor a driver.
"""

from __future__ import annotations

import asyncio
import os
import tempfile
import uuid
from collections.abc import AsyncIterator, Iterator
from datetime import timedelta
from pathlib import Path
from typing import TYPE_CHECKING

import hypothesis
import pytest

if TYPE_CHECKING:
    from tests.builders import Clock, Opener, Server, Talk
    from tests.databases import Databases
    from urmom_bot.app import App
    from urmom_bot.stand_ins import GeminiStandIn

hypothesis.settings.register_profile("untimed", deadline=None)  # a busy machine breaks no rule
hypothesis.settings.load_profile("untimed")

SHARED = Path(os.environ.get("URMOM_SHARED_DATA", Path(__file__).parents[2] / "shared" / "data"))
IRC = SHARED / "irc" / "ubuntu-8-days.json"


@pytest.fixture
def irc() -> Path:
    if not IRC.exists():
        pytest.skip(f"the real export is not here ({IRC}); set URMOM_SHARED_DATA to a folder that has it")
    return IRC


@pytest.fixture(scope="session")
def server() -> Iterator[str]:
    """A server: DATABASE_URL's, a container's where Docker runs, else the embedded one."""
    from memory.store.embedded import embedded
    from tests.builders import container, docker_answers, in_memory

    if url := os.environ.get("DATABASE_URL"):
        yield url
        return
    if docker_answers():  # what goes wrong from here on is to be seen
        with container() as running:
            yield running.get_connection_url()
        return
    folder = tempfile.TemporaryDirectory(prefix="urmom-bot-tests-", dir=in_memory())
    with folder as path, embedded(Path(path), durable=False) as dsn:
        yield dsn


@pytest.fixture(scope="session")
async def databases(server: str) -> AsyncIterator[Databases]:
    import asyncpg

    from memory.store.schema import migrate
    from tests.connections import Keeper
    from tests.databases import Databases, database_in, keep_types

    keep_types()
    keeper = Keeper(asyncio.get_running_loop())
    keeper.install()
    name = f"urmom_template_{uuid.uuid4().hex[:8]}"
    admin = await asyncpg.connect(server)
    await admin.execute(f"CREATE DATABASE {name}")
    await migrate(database_in(server, name))
    made = Databases(server, name, keeper)
    yield made
    await keeper.close()
    for each in (*made.free, name):
        await admin.execute(f"DROP DATABASE {each} WITH (FORCE)")
    await admin.close()


@pytest.fixture
async def dsn(databases: Databases) -> AsyncIterator[str]:
    """The address of a database with the schema and no row."""
    from tests.databases import database_in

    mine = await databases.take()
    yield database_in(databases.server, mine)
    await databases.give_back(mine)


@pytest.fixture
async def empty(server: str) -> AsyncIterator[str]:
    """The address of a database with nothing in it, not even the schema."""
    import asyncpg

    from tests.databases import database_in

    mine = f"urmom_{uuid.uuid4().hex[:12]}"
    admin = await asyncpg.connect(server)
    await admin.execute(f"CREATE DATABASE {mine}")
    yield database_in(server, mine)
    await admin.execute(f"DROP DATABASE {mine} WITH (FORCE)")
    await admin.close()


@pytest.fixture
def clock() -> Clock:
    from tests.builders import Clock

    return Clock()


@pytest.fixture
async def gemini() -> AsyncIterator[GeminiStandIn]:
    from urmom_bot.stand_ins import GeminiStandIn, extractive

    stand_in = GeminiStandIn(extractive)
    await stand_in.start()
    yield stand_in
    await stand_in.close()


@pytest.fixture
def opened(dsn: str, gemini: GeminiStandIn, clock: Clock) -> Opener:
    """Everything the bot is built of, over this test's database and the Gemini stand-in."""
    from tests.builders import opener

    return opener(dsn, gemini, clock)


@pytest.fixture
async def app(opened: Opener) -> AsyncIterator[App]:
    async with opened() as built:
        yield built


@pytest.fixture
def talk(app: App, clock: Clock) -> Talk:
    from tests.builders import Talk

    return Talk(app, clock)


@pytest.fixture
async def discord(opened: Opener, gemini: GeminiStandIn, clock: Clock) -> AsyncIterator[Server]:
    from tests.builders import served

    async with served(opened, gemini, clock) as running:
        yield running


@pytest.fixture(autouse=True)
async def no_task_outlives_its_test() -> AsyncIterator[None]:
    """All tests of a process share one event loop: what a test leaves running is cancelled with it."""
    before = asyncio.all_tasks()
    yield
    if left := asyncio.all_tasks() - before - {asyncio.current_task()}:
        for task in left:
            task.cancel()
        await asyncio.wait(left, timeout=5)


@pytest.fixture(autouse=True)
def reads_at_once(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    """Talk is read however little it is, and again after three hours, but where a test is marked `by_need`."""
    if "by_need" not in request.keywords:
        monkeypatch.setattr("memory.levels.slicing.NEEDED_TOKENS", 0)
        monkeypatch.setattr("memory.levels.slicing.REREAD_AGE", timedelta(hours=3))
