"""What is kept of many servers, read by one statement."""

from __future__ import annotations

import asyncpg

from memory.ids import ALL_GUILDS
from memory.store.consents import NOTHING, policies
from tests.builders import query


async def _read(dsn: str, *guild_ids: int) -> dict[int, tuple[frozenset[int], bool]]:
    """Who is silent in each server, and whether anything was ever chosen or forgotten there."""
    connection = await asyncpg.connect(dsn)
    try:
        found = await policies(connection, guild_ids)
    finally:
        await connection.close()
    return {guild_id: (policy.silent, policy.version != NOTHING) for guild_id, policy in found.items()}


async def _opt_out(dsn: str, guild_id: int, user_id: int) -> None:
    await query(
        dsn,
        "INSERT INTO consents (guild_id, user_id, consent, changed_at) VALUES ($1, $2, 'off', now())",
        guild_id,
        user_id,
    )


async def test_a_choice_for_all_servers_holds_where_nobody_chose(dsn: str) -> None:
    await _opt_out(dsn, ALL_GUILDS, 3)
    assert await _read(dsn, 1, 2) == {1: (frozenset({3}), False), 2: (frozenset({3}), False)}


async def test_a_choice_for_one_server_holds_there_and_changes_its_version(dsn: str) -> None:
    await _opt_out(dsn, 1, 3)
    assert await _read(dsn, 1, 2) == {1: (frozenset({3}), True), 2: (frozenset(), False)}
