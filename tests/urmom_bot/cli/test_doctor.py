"""What keeps the bot from working, told with what to do; servers and members by name."""

import json
from pathlib import Path

import pytest

from memory import Member
from tests.builders import Clock, Opener, Talk
from tests.urmom_bot.cli.test_process import finished, spawn, stand_in
from urmom_bot.app import App
from urmom_bot.cli.doctor import State, folder, settings_file
from urmom_bot.stand_ins import Fault, GeminiStandIn
from urmom_bot.stand_ins.world import VIEW_CHANNEL


async def test_all_is_well_and_what_is_not(dsn: str, tmp_path: Path) -> None:
    """Each check as JSON with its state; the exit code tells whether anything is to be mended."""
    model = GeminiStandIn(lambda _: "OK")
    await model.start()
    settings = {"DATABASE_URL": dsn, "DATA_DIR": str(tmp_path), "HEALTH_PORT": "0"}
    settings |= {"GEMINI_API_KEY": "k", "GOOGLE_GEMINI_BASE_URL": model.url}
    async with stand_in() as discord:
        code, told = await finished(await spawn("doctor", "--json", discord=discord, **settings))
        assert code == 0, told
        found = {check["name"]: check for check in json.loads(told.splitlines()[0])}
        assert {name for name, check in found.items() if check["state"] == State.WARN} == {"bot"}
        assert found["the server"]["told"] == "the bot can read and write in every channel"
        assert found["clock"]["state"] == State.OK
        assert found["quota of gemma-4-31b-it"]["told"].startswith("0 of ")

        guild = next(iter(discord.world.guilds.values()))
        hidden = discord.channel(guild, "staff")
        hidden.overwrites.append({"id": str(guild.id), "type": 0, "allow": "0", "deny": str(VIEW_CHANNEL)})
        discord.rest.application = {"flags": 0}
        discord.rest.logins_left = 3
        model.faults += [Fault(kind="error", code=403)] * 4
        code, told = await finished(await spawn("doctor", discord=discord, **settings))
    await model.close()

    assert code == 20
    plain = " ".join(told.split())
    assert "#staff: View Channel" in plain
    assert "Message Content Intent: off" in plain
    assert "3 of 1000 left today" in plain
    assert "The AI service rejects the key" in plain
    assert "Traceback" not in told


async def test_without_a_token_or_with_a_wrong_one(dsn: str, tmp_path: Path) -> None:
    """The rest is looked at all the same."""
    settings = {"DATABASE_URL": dsn, "DATA_DIR": str(tmp_path), "HEALTH_PORT": "0"}
    async with stand_in() as discord:
        for token, words in (("", "there is no bot token"), ("wrong", "Discord rejects it")):
            process = await spawn("doctor", discord=discord, **settings, DISCORD_TOKEN=token)
            code, told = await finished(process)
            assert (code, words in told, "up to date" in told) == (20, True, True), told


async def test_on_a_new_machine_it_makes_nothing(tmp_path: Path) -> None:
    """A key and a database that are copied there later find no others."""
    async with stand_in() as discord:
        process = await spawn("doctor", discord=discord, DATA_DIR=str(tmp_path / "new"), HEALTH_PORT="0")
        _, told = await finished(process)
    assert "none yet in" in " ".join(told.split())
    assert "Traceback" not in told
    assert not list((tmp_path / "new").iterdir())


def test_the_folder_and_the_file(tmp_path: Path) -> None:
    """A folder that cannot be written fails; a file that others can read is warned of."""
    assert folder(tmp_path)[0].state is State.OK
    (tmp_path / "file").write_text("")
    assert folder(tmp_path / "file")[0].state is State.FAIL
    env = tmp_path / ".env"
    assert settings_file(env).state is State.OK
    env.write_text("DISCORD_TOKEN=x")
    env.chmod(0o644)
    assert settings_file(env).state is State.WARN
    env.chmod(0o600)
    assert settings_file(env).state is State.OK


async def test_servers_and_members_by_name(opened: Opener, clock: Clock, dsn: str, tmp_path: Path) -> None:
    """Every command takes a server by its name; one that is nearly right is offered."""
    async with stand_in() as discord:
        guild = next(iter(discord.world.guilds.values()))
        async with opened() as app:
            await told(app, guild.id, clock)
        settings = {"DATABASE_URL": dsn, "DATA_DIR": str(tmp_path)}
        code, listed = await finished(await spawn("servers", "--json", discord=discord, **settings))
        assert code == 0, listed
        (row,) = json.loads(listed.splitlines()[0])
        assert (row["name"], row["is_in"], row["messages"], row["members"]) == ("the server", True, 1, 1)
        code, known = await finished(
            await spawn("members", "--guild", "The Server", "--json", discord=discord, **settings)
        )
        assert (code, json.loads(known.splitlines()[0])[0]["name"]) == (0, "Ann")
        code, well = await finished(await spawn("status", "--guild", "the server", discord=discord, **settings))
        assert code == 0, well
        assert "Messages of this server stored: 1" in " ".join(well.split())
        code, wrong = await finished(await spawn("members", "--guild", "the servr", discord=discord, **settings))
        assert (code, "Did you mean “the server”" in " ".join(wrong.split())) == (16, True), wrong


async def told(app: App, guild_id: int, clock: Clock) -> None:
    """Ann said something in a guild."""
    await Talk(app, clock).say(1, "the kiln is fixed", guild_id=guild_id)
    assert isinstance((await app.memory.guilds.members(guild_id))[1], Member)


@pytest.mark.parametrize("where", ["environment", "file"])
async def test_a_misspelt_setting_is_refused(tmp_path: Path, where: str) -> None:
    """With the one that is meant; what is like none is somebody else's."""
    wrong = {"RETENTION_DAY": "7", "SOMETHING_ELSE": "1"}
    settings = wrong if where == "environment" else {}
    if where == "file":
        (tmp_path / ".env").write_text("".join(f"{name}={value}\n" for name, value in wrong.items()))
    code, told = await finished(await spawn("health", cwd=str(tmp_path), **settings))
    assert code == 16
    assert "RETENTION_DAY: did you mean RETENTION_DAYS?" in " ".join(told.split())
    assert "SOMETHING_ELSE" not in told
