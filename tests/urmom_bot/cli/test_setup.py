"""Setting the bot up: asked once, proved, kept; counted as a new owner does it."""

import asyncio
import os
import pty
import stat
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import pytest

from memory.store.cipher import TextCipher
from tests.urmom_bot.cli.test_process import finished, spawn
from urmom_bot.cli.setup import keep
from urmom_bot.portal import PERMISSIONS
from urmom_bot.stand_ins import DiscordStandIn, Fault, GeminiStandIn
from urmom_bot.stand_ins.discord import TOKEN

MESSAGE_CONTENT_LIMITED = 1 << 19


@pytest.fixture
async def discord() -> AsyncIterator[DiscordStandIn]:
    """A Discord in which the application was just made: no intent, no server."""
    server = DiscordStandIn()
    server.rest.application = {"flags": 0}
    await server.start()
    yield server
    await server.close()


@pytest.fixture
async def model() -> AsyncIterator[GeminiStandIn]:
    server = GeminiStandIn(lambda _: "OK")
    await server.start()
    yield server
    await server.close()


class Terminal:
    """A terminal that somebody reads and types in."""

    def __init__(self, master: int) -> None:
        self._master = master
        self.shown = ""
        self.typed: list[str] = []
        asyncio.get_running_loop().add_reader(master, self._read)

    def _read(self) -> None:
        try:
            self.shown += os.read(self._master, 65_536).decode(errors="replace")
        except OSError:
            asyncio.get_running_loop().remove_reader(self._master)

    async def wait_for(self, words: str) -> None:
        async with asyncio.timeout(30):
            while words not in self.shown:
                await asyncio.sleep(0.02)

    async def type(self, after: str, text: str) -> None:
        await self.wait_for(after)
        await asyncio.sleep(0.1)  # until the prompt reads
        self.typed.append(text)
        self.shown = self.shown.partition(after)[2]
        os.write(self._master, f"{text}\n".encode())


@asynccontextmanager
async def terminal(
    *arguments: str, discord: DiscordStandIn, **settings: str
) -> AsyncIterator[tuple[Terminal, asyncio.subprocess.Process]]:
    """A command in a terminal."""
    master, slave = pty.openpty()
    environment = {k: v for k, v in os.environ.items() if k in ("PATH", "HOME", "LANG", "TMPDIR")} | settings
    environment |= {"DISCORD_PROXY": await discord.proxy(), "SSL_CERT_FILE": str(discord.trust), "COLUMNS": "200"}
    process = await asyncio.create_subprocess_exec(
        *(sys.executable, "-m", "urmom_bot", *arguments),
        env=environment,
        cwd="/",
        stdin=slave,
        stdout=slave,
        stderr=slave,
    )
    os.close(slave)
    try:
        yield Terminal(master), process
    finally:
        asyncio.get_running_loop().remove_reader(master)
        if process.returncode is None:
            process.kill()
        await process.wait()
        os.close(master)


async def test_a_new_owner_needs_seven_actions_and_three_values(
    discord: DiscordStandIn, model: GeminiStandIn, tmp_path: Path
) -> None:
    """Make the application, copy its token, start `setup`, paste it, paste a key, say who you are, follow one link."""
    actions = ["make the application", "copy its token", "start urmom-bot setup"]
    path = tmp_path / ".env"
    arguments = ("setup", "--env-file", str(path), "--no-start")
    async with terminal(*arguments, discord=discord, GOOGLE_GEMINI_BASE_URL=model.url) as (screen, process):
        await screen.type("Token", "not.the.token")  # a slip: it says so and asks again
        await screen.type("rejects", "")
        await screen.type("Token", TOKEN)
        actions.append("paste the token")
        await screen.type("Key", "a-key-of-mine")
        actions.append("paste the key")
        await screen.type("E-mail or Discord name", "ann#kiln")
        actions.append("say who you are")
        await screen.wait_for("Waiting until the bot is in a server")
        assert f"permissions={PERMISSIONS.value}" in screen.shown
        discord.world.guild("the kiln club")
        actions.append("follow the link")
        await screen.wait_for("the kiln club")
        assert await asyncio.wait_for(process.wait(), 20) == 0

    assert len(actions) == 7
    assert path.read_text() == f"DISCORD_TOKEN={TOKEN}\nGEMINI_API_KEY=a-key-of-mine\nCONTACT='ann#kiln'\n"
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    assert discord.rest.application["flags"] & MESSAGE_CONTENT_LIMITED
    assert TOKEN not in screen.shown
    assert "a-key-of-mine" not in screen.shown
    assert len(model.asked) == 1


@pytest.mark.parametrize(
    ("settings", "arguments", "code", "words"),
    [
        ({"DISCORD_TOKEN": ""}, (), 10, "--token"),
        ({"DISCORD_TOKEN": "wrong"}, ("--no-ai",), 11, "Discord rejects the bot token"),
        ({}, (), 16, "--gemini-key"),
        ({}, ("--gemini-key", "k"), 16, "rejects the key"),
        ({}, ("--ai-base-url", "http://127.0.0.1:9/v1"), 16, "--ai-model"),
        ({}, ("--no-ai",), 12, "Message Content Intent"),
    ],
)
async def test_without_a_terminal_it_says_what_is_missing(
    discord: DiscordStandIn, tmp_path: Path, settings: dict[str, str], arguments: tuple[str, ...], code: int, words: str
) -> None:
    """By a sentence and an exit code, and nothing is asked."""
    refusing = GeminiStandIn(lambda _: "OK")
    await refusing.start()
    refusing.faults += [Fault(kind="error", code=403)] * 5
    discord.rest.edits = code != 12
    given = {"GOOGLE_GEMINI_BASE_URL": refusing.url, **settings}
    process = await spawn(
        "setup", "--env-file", str(tmp_path / ".env"), "--no-wait", *arguments, discord=discord, **given
    )
    found, told = await finished(process)
    await refusing.close()

    assert found == code, told
    assert words in " ".join(told.split())
    assert "Traceback" not in told


async def test_by_flags_alone(discord: DiscordStandIn, model: GeminiStandIn, tmp_path: Path) -> None:
    """What the environment knows is not written down again; what is refused by Discord's API is told with its link."""
    process = await spawn(
        *("setup", "--env-file", str(tmp_path / "sub.env"), "--gemini-key", "k2", "--no-wait"),
        discord=discord,
        GOOGLE_GEMINI_BASE_URL=model.url,
    )
    code, told = await finished(process)
    assert code == 0, told
    assert "client_id=" in told
    assert (tmp_path / "sub.env").read_text() == "GEMINI_API_KEY=k2\n"


async def test_encryption_is_one_word_away(discord: DiscordStandIn, tmp_path: Path) -> None:
    """It makes a key, once. Who has keys keeps them: old conversations need them."""
    path = tmp_path / "sub.env"
    arguments = ("setup", "--env-file", str(path), "--no-ai", "--no-wait", "--encrypt")
    assert (await finished(await spawn(*arguments, discord=discord)))[0] == 0
    name, _, key = path.read_text().strip().partition("=")
    assert name == "SESSION_KEYS"
    assert TextCipher([key]).decrypt(TextCipher([key]).encrypt("a kiln")) == "a kiln"
    path.unlink()
    assert (await finished(await spawn(*arguments, discord=discord, SESSION_KEYS=key)))[0] == 0
    assert not path.exists()


def test_a_file_of_settings_keeps_its_other_lines(tmp_path: Path) -> None:
    """Comments and other settings stay where they are; a value with signs is quoted."""
    path = tmp_path / ".env"
    path.write_text("# mine\nBOT_NAME=Kiln\nDISCORD_TOKEN=old\n")
    keep(path, {"DISCORD_TOKEN": "new", "AI_API_KEY": "it's #1"})
    assert path.read_text() == "# mine\nBOT_NAME=Kiln\nDISCORD_TOKEN=new\nAI_API_KEY='it\\'s #1'\n"
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
