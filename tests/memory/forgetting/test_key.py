"""The key of what was forgotten: outside the database, one for all, and never the wrong one in silence."""

from __future__ import annotations

import asyncio
import hashlib
import hmac
import stat
from pathlib import Path

import pytest
from pydantic import SecretStr

from memory import Channel, Statement
from memory.records import WrongKey
from memory.rules.keywords import keywords
from tests.builders import G, Opener, Talk, query, tell, viewer_of
from urmom_bot import keyfile
from urmom_bot.errors import WRONG_KEY, StartupError
from urmom_bot.stand_ins import GeminiStandIn

WORDS = "ann likes pizza from the stone oven in Falkenstein"


async def forget_something(talk: Talk) -> None:
    memory, ann = talk.app.memory, talk.member(1)
    await memory.guilds.update_channel(Channel(guild_id=G, channel_id=7, name="seven"))
    statement = Statement(guild_id=G, user_id=1, stated_by=1, quote=WORDS, channel_id=7, message_id=5)
    fact = (await tell(memory, statement, ann, ann)).fact
    await memory.forgetting.strike(await viewer_of(memory, G, 1), ann, [fact])


async def everything(dsn: str) -> list[str]:
    """Every value of every column of every table, as text: what a dump has."""
    tables = await query(dsn, "SELECT tablename FROM pg_tables WHERE schemaname = 'public'")
    found = []
    for table in tables:
        for row in await query(dsn, f"SELECT t.* FROM {table[0]} AS t"):
            found += [str(value) for value in row.values()]
    return found


async def test_a_dump_and_a_dictionary_recover_nothing(talk: Talk, dsn: str) -> None:
    """No value in the database is the key under which the fingerprints are made."""
    await forget_something(talk)
    (kept,) = (row[0] for row in await query(dsn, "SELECT fingerprints FROM suppressions"))
    stems = set(keywords(WORDS)) | {"pizza", "falkenste", "stone", "oven"}
    values = await everything(dsn)
    candidates = [b"", *(v.encode() for v in values), *(bytes.fromhex(v) for v in values if _is_hex(v))]

    def fingerprints(key: bytes) -> set[str]:
        return {hmac.new(key, stem.encode(), hashlib.sha256).hexdigest()[:20] for stem in stems}

    assert fingerprints(bytes.fromhex("5a" * 32)) & set(kept), "with the key they are found"
    assert not any(fingerprints(key) & set(kept) for key in candidates)


def _is_hex(value: str) -> bool:
    try:
        return bool(bytes.fromhex(value))
    except ValueError:
        return False


async def test_another_key_is_refused(opened: Opener, gemini: GeminiStandIn, talk: Talk) -> None:
    """What was forgotten would not be recognised, and would come back: the start says what to do instead."""
    async with opened(suppression_key=SecretStr("6b" * 32)):
        pass  # nothing is kept under the other one yet
    async with opened():
        await forget_something(talk)
        with pytest.raises(StartupError, match="SUPPRESSION_KEY") as refused:
            async with opened(suppression_key=SecretStr("6b" * 32)):
                pass
    assert refused.value.code == WRONG_KEY
    assert isinstance(refused.value.__cause__, WrongKey)


async def test_a_key_that_an_earlier_version_kept_moves_out(
    opened: Opener, talk: Talk, dsn: str, tmp_path: Path
) -> None:
    """Into the file, once; what was forgotten under it is recognised still."""
    await query(dsn, "INSERT INTO bot_state (guild_id, name, value) VALUES (0, 'marks_key', $1)", "5a" * 32)
    await forget_something(talk)
    async with opened(suppression_key=None, data_dir=tmp_path):
        pass
    assert (tmp_path / keyfile.NAME).read_text().strip() == "5a" * 32
    assert not await query(dsn, "SELECT 1 FROM bot_state WHERE name = 'marks_key'")
    async with opened(suppression_key=None, data_dir=tmp_path) as built:
        suppressed = await built.memory._core.suppressions.get(G)
        assert suppressed.tells(WORDS, [1])

    await query(dsn, "INSERT INTO bot_state (guild_id, name, value) VALUES (0, 'marks_key', $1)", "6b" * 32)
    with pytest.raises(StartupError) as refused:
        async with opened(suppression_key=None, data_dir=tmp_path):
            pass
    assert refused.value.code == WRONG_KEY
    assert await query(dsn, "SELECT 1 FROM bot_state WHERE name = 'marks_key'")


async def test_the_file_is_written_once_and_for_its_owner_alone(tmp_path: Path) -> None:
    """Processes that start together get the same; nothing is left beside it; a broken one is not replaced."""
    keys = await asyncio.gather(*(asyncio.to_thread(keyfile.key_in, tmp_path / "data") for _ in range(16)))
    assert len(set(keys)) == 1
    assert len(keys[0]) == keyfile.BYTES
    path = tmp_path / "data" / keyfile.NAME
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    assert [p.name for p in (tmp_path / "data").iterdir()] == [keyfile.NAME]
    assert keyfile.key_in(tmp_path / "data", b"x" * 32) == keys[0]
    path.write_text("no key")
    with pytest.raises(keyfile.BadKey):
        keyfile.key_in(tmp_path / "data")
    assert path.read_text() == "no key"
