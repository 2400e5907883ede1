"""The command in its own process: signals, kills, wrong settings, two at once."""

import asyncio
import os
import re
import signal
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import asyncpg
import pytest

from memory.store.embedded import embedded
from tests.builders import query
from tests.processes import Command, forks
from urmom_bot.stand_ins import TOKEN, DiscordStandIn, Fault, GeminiStandIn

READY = 30


@asynccontextmanager
async def stand_in() -> AsyncIterator[DiscordStandIn]:
    server = DiscordStandIn()
    guild = server.world.guild("the server")
    server.channel(guild, "general")
    await server.start()
    try:
        yield server
    finally:
        await server.close()


async def spawn(*arguments: str, discord: DiscordStandIn | None = None, cwd: str = "/", **settings: str) -> Command:
    environment = {k: v for k, v in os.environ.items() if k in ("PATH", "HOME", "LANG", "TMPDIR")} | settings
    if discord is not None:
        environment |= {
            "DISCORD_PROXY": await discord.proxy(),
            "SSL_CERT_FILE": str(discord.trust),
            "DISCORD_TOKEN": settings.get("DISCORD_TOKEN", TOKEN),
        }
    return await forks().start(arguments, environment, cwd)


async def says(process: Command, words: str, limit: float = 40) -> str:
    """Wait until a process says something in its log; what it said until then."""
    assert process.stderr is not None
    told = ""
    async with asyncio.timeout(limit):
        while words not in told:
            line = (await process.stderr.readline()).decode()
            assert line, f"the process ended before it said {words!r}"
            told += line
    return told


async def finished(process: Command, limit: float = 40) -> tuple[int, str]:
    out, err = await asyncio.wait_for(process.communicate(), limit)
    return process.returncode or 0, out.decode() + err.decode()


async def online(discord: DiscordStandIn, count: int = 1) -> None:
    async with asyncio.timeout(READY):
        while discord.gateway.identified < count:
            await asyncio.sleep(0.05)


async def until(dsn: str, statement: str, rows: int, limit: float = 20) -> None:
    async with asyncio.timeout(limit):
        while True:
            try:
                if len(await query(dsn, statement)) >= rows:
                    return
            except (OSError, asyncpg.PostgresError):
                pass
            await asyncio.sleep(0.05)


@pytest.mark.parametrize("sign", [signal.SIGTERM, signal.SIGINT])
async def test_a_normal_stop_writes_what_waits(dsn: str, tmp_path: Path, sign: signal.Signals) -> None:
    """SIGTERM and SIGINT flush: everything the gateway delivered is in the database, and the exit is clean."""
    async with stand_in() as discord:
        process = await spawn("run", discord=discord, DATABASE_URL=dsn, DATA_DIR=str(tmp_path))
        await online(discord)
        guild = next(iter(discord.world.guilds.values()))
        general = next(iter(guild.channels.values()))
        ann = discord.join(guild, "ann")
        await discord.say(ann, general, "words first")  # from here on it listens
        await until(dsn, "SELECT 1 FROM chat_history", 1)
        for n in range(300):
            await discord.say(ann, general, f"words {n}")
        await discord.gateway.barrier()
        process.send_signal(sign)
        code, told = await finished(process)

    assert code == 0, told
    assert len(await query(dsn, "SELECT 1 FROM chat_history")) == 301
    assert "Traceback" not in told


async def test_killed_while_writing_nothing_is_lost(dsn: str, tmp_path: Path) -> None:
    """Kill -9 in the middle of ingest: after the next start every message is there, once."""
    async with stand_in() as discord:
        guild = next(iter(discord.world.guilds.values()))
        general = next(iter(guild.channels.values()))
        ann = discord.join(guild, "ann")
        process = await spawn("run", discord=discord, DATABASE_URL=dsn, DATA_DIR=str(tmp_path))
        await online(discord)
        await discord.say(ann, general, "words first")
        await until(dsn, "SELECT 1 FROM chat_history", 1)
        for n in range(700):
            await discord.say(ann, general, f"words {n}")
        process.kill()
        await finished(process)
        missing = 701 - len(await query(dsn, "SELECT 1 FROM chat_history"))
        process = await spawn("run", discord=discord, DATABASE_URL=dsn, DATA_DIR=str(tmp_path))
        await online(discord, 2)
        await until(dsn, "SELECT 1 FROM chat_history", 701)
        process.terminate()
        code, told = await finished(process)

    assert code == 0, told
    assert missing > 0
    rows = await query(dsn, "SELECT message_text FROM chat_history")
    assert len({r[0] for r in rows}) == len(rows) == 701


async def test_killed_while_building_the_next_one_builds(dsn: str, tmp_path: Path, gemini: GeminiStandIn) -> None:
    """Kill -9 during an AI call leaves no lock and nothing half-made: the next process makes it."""
    async with stand_in() as discord:
        guild = next(iter(discord.world.guilds.values()))
        general = next(iter(guild.channels.values()))
        ann = discord.join(guild, "ann")
        ai = {"GEMINI_API_KEY": "k", "GOOGLE_GEMINI_BASE_URL": gemini.url, "MEMORY_WAIT": "5"}
        process = await spawn("run", discord=discord, DATABASE_URL=dsn, DATA_DIR=str(tmp_path), **ai)
        await online(discord)
        await discord.say(ann, general, "the kiln controller from Riga has arrived after 23 days")
        await until(dsn, "SELECT 1 FROM chat_history", 1)
        gemini.faults.append(Fault(kind="late", seconds=3))
        await discord.say(ann, general, "Bot what do you know about me")
        async with asyncio.timeout(10):
            while not gemini.asked:
                await asyncio.sleep(0.02)
        process.kill()
        await finished(process)
        assert not await query(dsn, "SELECT 1 FROM slices")
        process = await spawn("run", discord=discord, DATABASE_URL=dsn, DATA_DIR=str(tmp_path), **ai)
        await online(discord, 2)
        await discord.say(ann, general, "Bot what do you know about me")
        (answer,) = await discord.received(1)
        process.terminate()
        code, told = await finished(process)

    assert code == 0, told
    assert "kiln controller" in answer.content


async def test_two_processes_answer_once_and_build_once(dsn: str, tmp_path: Path, gemini: GeminiStandIn) -> None:
    """Two processes that see the same guild: one answer, one build, each message stored once."""
    async with stand_in() as discord:
        guild = next(iter(discord.world.guilds.values()))
        general = next(iter(guild.channels.values()))
        ann = discord.join(guild, "ann")
        settings = {
            "DATABASE_URL": dsn,
            "DATA_DIR": str(tmp_path),
            "GEMINI_API_KEY": "k",
            "GOOGLE_GEMINI_BASE_URL": gemini.url,
            "SHARD_COUNT": "1",
            "SHARD_IDS": "0",  # else the second would stand by
        }
        second = await _other_gateway(discord)
        try:
            processes = [await spawn("run", discord=d, **settings) for d in (discord, second)]
            await online(discord)
            await online(second)
            for server in (discord, second):
                server.world = discord.world
            body = discord.world.message(general, ann, "the kiln controller from Riga has arrived after 23 days")
            asked = discord.world.message(general, ann, "Bot what do you know about me")
            await until(dsn, "SELECT 1 FROM channel_settings", 1)
            for event in (body, asked):
                for server in (discord, second):
                    await server.gateway.dispatch("MESSAGE_CREATE", event, guild.id)
            await until(dsn, "SELECT 1 FROM replies WHERE reply_ids <> '{}'", 1)
            await asyncio.sleep(0.5)
            for process in processes:
                process.terminate()
            ends = [await finished(process) for process in processes]
        finally:
            await second.close()

    assert [code for code, _ in ends] == [0, 0], ends
    answers = [s for server in (discord, second) for s in server.sent]
    assert len(answers) == 1
    assert len([a for a in gemini.asked if a.name == "Notes of a day"]) <= 1
    texts = [r[0] for r in await query(dsn, "SELECT message_text FROM chat_history WHERE author_kind = 'member'")]
    assert len(texts) == len(set(texts)) == 2


async def test_a_second_process_stands_by(dsn: str, tmp_path: Path) -> None:
    """It says so at once, logs in nowhere, and takes over when the first is killed; or ends when it is told to."""
    async with stand_in() as discord:
        settings = {"DATABASE_URL": dsn, "DATA_DIR": str(tmp_path), "HEALTH_PORT": "0"}
        first = await spawn("run", discord=discord, **settings)
        await online(discord)
        second, third = [await spawn("run", discord=discord, **settings) for _ in range(2)]
        for process in (second, third):
            await says(process, "standing by")
        third.terminate()
        code, told = await finished(third)
        assert code == 0, told
        assert discord.gateway.identified == 1
        first.kill()
        await finished(first)
        await online(discord, 2)
        second.terminate()
        code, told = await finished(second)
    assert code == 0, told


async def _other_gateway(discord: DiscordStandIn) -> DiscordStandIn:
    second = DiscordStandIn(discord.world)
    await second.start()
    return second


# What only the one who runs it can mend


@pytest.mark.parametrize(
    ("settings", "code", "sentence"),
    [
        ({}, 10, "DISCORD_TOKEN is not set"),
        ({"DISCORD_TOKEN": "x", "TIME_ZONE": "Mars"}, 16, "TIME_ZONE"),
        ({"DISCORD_TOKEN": "x", "RETENTION_DAYS": "3"}, 16, "RETENTION_DAYS"),
        ({"DISCORD_TOKEN": "x", "SHARD_IDS": "0,1"}, 16, "SHARD_IDS needs SHARD_COUNT"),
        ({"DISCORD_TOKEN": "x", "SHARD_COUNT": "2", "SHARD_IDS": "1 2"}, 16, "from 0 to 1"),
        ({"DISCORD_TOKEN": "x", "SHARD_COUNT": "4", "SHARD_IDS": "1,1"}, 16, "twice"),
        ({"DISCORD_TOKEN": "x", "SHARD_COUNT": "0"}, 16, "SHARD_COUNT"),
        ({"DISCORD_TOKEN": "x", "SHARDS_EACH": "2"}, 16, "SHARDS_EACH needs SHARD_COUNT"),
        ({"DISCORD_TOKEN": "x", "SHARDS_EACH": "1", "SHARD_COUNT": "2", "SHARD_IDS": "0"}, 16, "no SHARD_IDS"),
        ({"DISCORD_TOKEN": "x", "DATABASE_URL": "postgresql://a:hush@127.0.0.1:9/b"}, 13, "DATABASE_URL"),
        ({"DISCORD_TOKEN": "x", "DATA_DIR": "/proc/nowhere"}, 14, "DATA_DIR"),
        ({"DISCORD_TOKEN": "x", "AI_BASE_URL": "http://127.0.0.1:9/v1"}, 16, "AI_MODEL"),
    ],
)
async def test_what_is_wrong_is_one_sentence_and_a_code(
    settings: dict[str, str], code: int, sentence: str, dsn: str
) -> None:
    """No stack trace, no secret: what to do, and an exit code of its own."""
    if "AI_BASE_URL" in settings:
        settings = settings | {"DATABASE_URL": dsn}
    found, told = await finished(await spawn("run", **settings))

    assert found == code, told
    assert sentence in told
    assert "Traceback" not in told
    assert "hush" not in told


async def test_a_wrong_token_and_a_missing_intent(dsn: str, tmp_path: Path) -> None:
    """Discord's refusals are told apart."""
    async with stand_in() as discord:
        process = await spawn("run", discord=discord, DATABASE_URL=dsn, DATA_DIR=str(tmp_path), DISCORD_TOKEN="wrong")
        code, told = await finished(process)
        assert (code, "DISCORD_TOKEN" in told, "Traceback" in told) == (11, True, False), told
        discord.message_content_intent = False
        process = await spawn("run", discord=discord, DATABASE_URL=dsn, DATA_DIR=str(tmp_path))
        code, told = await finished(process)
        assert (code, "Message Content Intent" in told, "Traceback" in told) == (12, True, False), told


async def test_a_good_start_says_what_runs(dsn: str, tmp_path: Path) -> None:
    """In a few lines: version, name, servers, database, models with their quota, invite, catching up.

    Then each model is asked, and the log says which one fails. No secret is in it.
    """
    async with stand_in() as discord:
        settings = {"DATABASE_URL": dsn, "DATA_DIR": str(tmp_path), "GEMINI_API_KEY": "a-secret-key"}
        settings |= {"GOOGLE_GEMINI_BASE_URL": "http://127.0.0.1:9", "AI_TIMEOUT": "5"}
        process = await spawn("run", discord=discord, **settings)
        told = await says(process, "gemini-flash-latest cannot be used (unreachable)")
        process.terminate()
        code, rest = await finished(process)
        told += rest

    assert code == 0, told
    for part in (
        "is online as urmom-bot",
        "servers: 1, shards 0 of 1",
        "database: PostgreSQL, at DATABASE_URL",
        "gemini-flash-latest, 0 of 250 calls today",
        f"client_id={discord.world.bot.id}",
        "channels",
    ):
        assert part in told, part
    assert "a-secret-key" not in told
    assert dsn not in told


@pytest.mark.parametrize("refusing", ["login_refusing", "gateway_refusing"])
async def test_trouble_of_discords_own_at_login_is_waited_for(dsn: str, tmp_path: Path, refusing: str) -> None:
    """A 5xx is no reason to end: nobody need start the bot again."""
    async with stand_in() as discord:
        getattr(discord.rest, refusing).extend([503, 503])
        process = await spawn("run", discord=discord, DATABASE_URL=dsn, DATA_DIR=str(tmp_path))
        await online(discord)
        process.terminate()
        code, told = await finished(process)

    assert (code, "Discord has problems" in told, "Traceback" in told) == (0, True, False), told


async def test_a_crash_loop_does_not_use_up_the_logins(dsn: str, tmp_path: Path) -> None:
    """Where few are left of Discord's budget for the day, the bot waits for new ones and says so."""
    async with stand_in() as discord:
        discord.rest.logins_left, discord.rest.reset_after = 40, 3_000
        process = await spawn("run", discord=discord, DATABASE_URL=dsn, DATA_DIR=str(tmp_path))
        async with asyncio.timeout(READY):
            while not discord.rest.calls["GET /gateway/bot"]:
                await asyncio.sleep(0.05)
        await asyncio.sleep(1)
        assert discord.gateway.identified == 0
        await online(discord)
        process.terminate()
        code, told = await finished(process)

    assert (code, "only 40 logins are left" in told) == (0, True), told


async def test_processes_log_their_shards_in_one_after_the_other(dsn: str, tmp_path: Path) -> None:
    """Two processes with a shard each: five seconds lie between their logins, as Discord wants it."""
    async with stand_in() as discord:
        settings = {"DATABASE_URL": dsn, "DATA_DIR": str(tmp_path), "SHARD_COUNT": "2"}
        processes = [await spawn("run", discord=discord, SHARD_IDS=str(n), **settings) for n in range(2)]
        await online(discord)
        first = asyncio.get_running_loop().time()
        await online(discord, 2)
        between = asyncio.get_running_loop().time() - first
        for process in processes:
            process.terminate()
        ends = [await finished(process) for process in processes]

    assert [code for code, _ in ends] == [0, 0], ends
    assert between > 4


async def test_processes_started_alike_share_the_shards(dsn: str, tmp_path: Path) -> None:
    """Each takes one, the third stands by, and has that of one that is killed within half a minute."""
    async with stand_in() as discord:
        settings = {"DATABASE_URL": dsn, "DATA_DIR": str(tmp_path), "SHARD_COUNT": "2", "SHARDS_EACH": "1"}
        processes = [await spawn("run", discord=discord, **settings) for _ in range(2)]
        await online(discord, 2)
        third = await spawn("run", discord=discord, **settings)
        await says(third, "standing by")
        assert len(await query(dsn, "SELECT 1 FROM shards WHERE process_id IS NOT NULL")) == 2
        held = {row[0] for row in await query(dsn, "SELECT process_id FROM shards")}
        processes[0].kill()
        await finished(processes[0])
        await online(discord, 3)
        assert len(await query(dsn, "SELECT 1 FROM shards WHERE process_id = ANY($1)", list(held))) == 1
        for process in (processes[1], third):
            process.terminate()
        ends = [await finished(process) for process in (processes[1], third)]

    assert [code for code, _ in ends] == [0, 0], ends


async def test_a_process_takes_over_what_nobody_runs(dsn: str, tmp_path: Path) -> None:
    """Where no other stands by."""
    async with stand_in() as discord:
        settings = {"DATABASE_URL": dsn, "DATA_DIR": str(tmp_path), "SHARD_COUNT": "2", "SHARDS_EACH": "1"}
        process = await spawn("run", discord=discord, **settings)
        await online(discord, 2)
        process.terminate()
        code, told = await finished(process)

    assert (code, "taking over shard 1" in told) == (0, True), told


async def test_a_newer_database_is_refused(dsn: str) -> None:
    """A clear sentence, and nothing done."""
    await query(dsn, "UPDATE alembic_version SET version_num = '9999'")
    code, told = await finished(await spawn("migrate", DATABASE_URL=dsn))

    assert (code, "newer version" in told, "Traceback" in told) == (15, True, False), told


# The embedded server


async def test_a_killed_embedded_server_is_recovered(tmp_path: Path) -> None:
    """After kill -9 of server and user, the next start has all committed data."""
    if os.geteuid() == 0:
        tmp_path.chmod(0o755)
    with embedded(tmp_path) as dsn:
        await query(dsn, "CREATE TABLE kept (n int)")
        await query(dsn, "INSERT INTO kept SELECT generate_series(1, 1000)")
        pid = int((tmp_path / "postgres" / "postmaster.pid").read_text().split("\n")[0])
        os.kill(pid, signal.SIGKILL)
        await asyncio.sleep(0.3)
    # What a killed user leaves: its handle, and a pid file whose number is now another program's.
    (tmp_path / "postgres" / ".handle_pids.json").write_text("[999999]")
    pid_file = tmp_path / "postgres" / "postmaster.pid"
    if pid_file.exists():
        pid_file.write_text(re.sub(r"^\d+", str(os.getpid()), pid_file.read_text()))
    with embedded(tmp_path) as dsn:
        assert len(await query(dsn, "SELECT * FROM kept")) == 1000
    assert not (tmp_path / "postgres" / "postmaster.pid").exists()


async def test_processes_share_the_embedded_server(tmp_path: Path) -> None:
    """Several commands at once use one server, and the last one stops it."""
    commands = [await spawn("migrate", DATA_DIR=str(tmp_path / "data")) for _ in range(3)]
    ends = [await finished(command) for command in commands]

    assert [code for code, _ in ends] == [0, 0, 0], ends
    assert not (tmp_path / "data" / "postgres" / "postmaster.pid").exists()
