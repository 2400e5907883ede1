"""consents and suppressions: what a member lets the bot keep, and what must not come back."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

import asyncpg

from memory.records import Choice, Consent
from memory.rules.carried_names import CarriedName
from memory.rules.suppression import KeyedStatement, Suppression
from memory.store.database import Connection, Tables, lock_guild, notify

ALL_GUILDS = 0
"""The guild_id of a choice for every guild that has none of its own."""


NOTHING = "0 None"
"""The version of a guild where nothing was forgotten and nobody chose."""


@dataclass(frozen=True, kw_only=True)
class NotKept:
    """The members and channels whose messages are not stored. Of members in `off`, nothing is."""

    silent: frozenset[int] = frozenset()
    off: frozenset[int] = frozenset()
    channels: frozenset[int] = frozenset()


async def _choices(
    connection: Connection, guild_id: int, user_ids: Collection[int] | None = None
) -> dict[int, asyncpg.Record]:
    """The choices that hold in a guild: its own, else those for everywhere."""
    rows = await connection.fetch(
        """
        SELECT * FROM consents WHERE guild_id = ANY($1) AND ($2::bigint[] IS NULL OR user_id = ANY($2))
        ORDER BY guild_id <> 0
        """,
        [ALL_GUILDS, guild_id],
        None if user_ids is None else list(user_ids),
    )
    return {row["user_id"]: row for row in rows}


async def not_kept(connection: Connection, guild_id: int) -> NotKept:
    """The members and channels of a guild whose messages are not stored, as of this transaction."""
    return (await not_kept_in(connection, [guild_id]))[guild_id]


async def not_kept_in(
    connection: Connection, guild_ids: Collection[int], user_ids: Collection[int] | None = None
) -> dict[int, NotKept]:
    """The same of many guilds at once, of all members or of `user_ids`."""
    choices = await connection.fetch(
        """
        SELECT guild_id, user_id, consent, ignored FROM consents
        WHERE guild_id = ANY($1) AND ($2::bigint[] IS NULL OR user_id = ANY($2))
        """,
        [ALL_GUILDS, *guild_ids],
        None if user_ids is None else list(user_ids),
    )
    channels = await connection.fetch(
        """
        SELECT own.guild_id, own.channel_id FROM channel_settings AS own
        LEFT JOIN channel_settings AS parent ON parent.guild_id = own.guild_id AND parent.channel_id = own.parent_id
        WHERE own.guild_id = ANY($1) AND (own.mode <> 'remember' OR parent.mode <> 'remember')
        """,
        list(guild_ids),
    )
    of: defaultdict[int, dict[int, asyncpg.Record]] = defaultdict(dict)
    for row in choices:
        of[row["guild_id"]][row["user_id"]] = row
    silent_channels: defaultdict[int, set[int]] = defaultdict(set)
    for row in channels:
        silent_channels[row["guild_id"]].add(row["channel_id"])
    found = {}
    for guild_id in guild_ids:
        hold = of[ALL_GUILDS] | of[guild_id]
        found[guild_id] = NotKept(
            silent=frozenset(u for u, row in hold.items() if row["consent"] != "on" or row["ignored"]),
            off=frozenset(u for u, row in hold.items() if row["consent"] == "off" or row["ignored"]),
            channels=frozenset(silent_channels[guild_id]),
        )
    return found


def _carried(rows: Sequence[Mapping[str, Any]]) -> list[CarriedName]:
    return [
        CarriedName(
            fingerprints=frozenset(row["fingerprints"]),
            since=datetime.fromisoformat(row["since"]),
            until=datetime.fromisoformat(row["until"]) if row["until"] else None,
        )
        for row in rows
    ]


def _as_json(names: Sequence[CarriedName]) -> list[dict[str, Any]]:
    return [
        {
            "fingerprints": sorted(name.fingerprints),
            "since": name.since.isoformat(),
            "until": name.until.isoformat() if name.until else None,
        }
        for name in names
    ]


class ConsentStore(Tables):
    """Reads and single writes of consents and suppressions."""

    async def of(self, guild_id: int, user_ids: Collection[int]) -> dict[int, Choice]:
        """The choices of members that hold in a guild."""
        async with self._db.connection() as connection:
            chosen = await _choices(connection, guild_id, user_ids)
        return {
            u: Choice(consent=Consent(chosen[u]["consent"]), is_ignored=chosen[u]["ignored"])
            if u in chosen
            else Choice()
            for u in user_ids
        }

    async def silent(self, guild_id: int) -> frozenset[int]:
        """The members about whom nothing is noted: who keeps facts alone, who opted out, who is ignored."""
        async with self._db.connection() as connection:
            return (await not_kept(connection, guild_id)).silent

    async def unnamed(self, guild_id: int) -> dict[int, list[CarriedName]]:
        """The names of those who are not to be written about, as they carried them when that was chosen.

        What they call themselves later hides nothing: anybody can take any word for a name.
        """
        async with self._db.connection() as connection:
            chosen = await _choices(connection, guild_id)
        return {
            u: [name for name in _carried(r["names"]) if name.since <= r["changed_at"]]
            for u, r in chosen.items()
            if r["consent"] == "off" or r["ignored"]
        }

    async def lift(self, guild_id: int, ids: Collection[int]) -> None:
        """Let statements be told again."""
        async with self._db.transaction() as connection:
            await lift(connection, guild_id, ids)

    async def any_in(self, guild_ids: Collection[int]) -> set[int]:
        """The guilds in which something was forgotten, or somebody is not to be written about.

        All of them, where somebody chose that for everywhere.
        """
        async with self._db.connection() as connection:
            rows = await connection.fetch(
                """
                SELECT guild_id FROM suppressions WHERE guild_id = ANY($1)
                UNION SELECT guild_id FROM consents WHERE guild_id = ANY($1)
                """,
                [ALL_GUILDS, *guild_ids],
            )
        found = {row["guild_id"] for row in rows}
        return set(guild_ids) if ALL_GUILDS in found else found

    async def version(self, guild_id: int) -> str:
        """A version that changes when something is forgotten or somebody chooses."""
        async with self._db.connection() as connection:
            return await suppressions_version(connection, guild_id)

    async def suppressions(self, guild_id: int) -> list[Suppression]:
        """What was forgotten in a guild, as fingerprints."""
        async with self._db.connection() as connection:
            rows = await connection.fetch(
                "SELECT * FROM suppressions WHERE guild_id = $1 ORDER BY suppression_id", guild_id
            )
        return [
            Suppression(
                suppression_id=row["suppression_id"],
                user_id=row["user_id"],
                statement=KeyedStatement(frozenset(row["fingerprints"]), frozenset(row["distinctive"])),
                created_at=row["created_at"],
            )
            for row in rows
        ]

    async def let_go(self) -> None:
        """Delete everything that only a lost key can match: suppressions, and fingerprints of names."""
        async with self._db.transaction() as connection:
            for guild_id in await _guilds(connection):
                await connection.execute("DELETE FROM suppressions WHERE guild_id = $1", guild_id)
                await connection.execute("UPDATE consents SET names = '[]' WHERE guild_id = $1", guild_id)
                await notify(connection, guild_id)

    async def any_fingerprints(self) -> bool:
        """Whether anything is kept under a key."""
        async with self._db.connection() as connection:
            for guild_id in await _guilds(connection):
                if await connection.fetchval(
                    """
                    SELECT EXISTS (SELECT 1 FROM suppressions WHERE guild_id = $1)
                        OR EXISTS (SELECT 1 FROM consents WHERE guild_id = $1 AND names <> '[]')
                    """,
                    guild_id,
                ):
                    return True
        return False

    async def guilds_with(self, user_id: int, guild_ids: Collection[int]) -> list[int]:
        """The guilds among `guild_ids` that know anything of a member."""
        found = []
        async with self._db.connection() as connection:
            for guild_id in guild_ids:
                known = await connection.fetchval(
                    """
                    SELECT EXISTS (SELECT 1 FROM members WHERE guild_id = $1 AND user_id = $2)
                        OR EXISTS (SELECT 1 FROM facts WHERE guild_id = $1 AND user_id = $2)
                        OR EXISTS (SELECT 1 FROM chat_history WHERE guild_id = $1 AND user_id = $2)
                        OR EXISTS (SELECT 1 FROM consents WHERE guild_id = $1 AND user_id = $2)
                    """,
                    guild_id,
                    user_id,
                )
                if known:
                    found.append(guild_id)
        return found


async def _guilds(connection: Connection) -> list[int]:
    rows = await connection.fetch("SELECT DISTINCT guild_id FROM channel_settings")
    return [ALL_GUILDS, *(row["guild_id"] for row in rows)]


async def choose(
    connection: Connection,
    guild_id: int,
    user_id: int,
    now: datetime,
    *,
    consent: Consent | None = None,
    ignored: bool | None = None,
    names: Sequence[CarriedName] = (),
) -> None:
    """Keep a member's choice, or a moderator's, in a guild or for everywhere."""
    await lock_guild(connection, guild_id)
    await connection.execute(
        """
        INSERT INTO consents AS known (guild_id, user_id, consent, ignored, names, changed_at)
        VALUES ($1, $2, coalesce($3, 'on'), coalesce($4, false), $5, $6)
        ON CONFLICT (guild_id, user_id) DO UPDATE
            SET consent = coalesce($3, known.consent), ignored = coalesce($4, known.ignored),
                names = CASE WHEN NOT (coalesce($3, known.consent) = 'off' OR coalesce($4, known.ignored)) THEN '[]'
                             WHEN known.names = '[]' THEN excluded.names ELSE known.names END,
                changed_at = excluded.changed_at
        """,
        guild_id,
        user_id,
        None if consent is None else consent.value,
        ignored,
        _as_json(names),
        now,
    )
    await notify(connection, guild_id)


async def suppress(
    connection: Connection,
    guild_id: int,
    user_id: int,
    statement: KeyedStatement,
    now: datetime,
) -> int:
    """Keep a statement from coming back; returns its number."""
    found = await connection.fetchval(
        """
        INSERT INTO suppressions (guild_id, user_id, fingerprints, distinctive, created_at)
        VALUES ($1, $2, $3, $4, $5) RETURNING suppression_id
        """,
        guild_id,
        user_id,
        sorted(statement.fingerprints),
        sorted(statement.distinctive),
        now,
    )
    await notify(connection, guild_id)
    return int(found)


async def lift(connection: Connection, guild_id: int, ids: Collection[int]) -> None:
    """Let statements be told again."""
    await connection.execute(
        "DELETE FROM suppressions WHERE guild_id = $1 AND suppression_id = ANY($2)", guild_id, list(ids)
    )
    await notify(connection, guild_id)


async def versions_in(connection: Connection, guild_ids: Collection[int]) -> dict[int, str]:
    """The version of many guilds, as of this transaction: see `suppressions_version`."""
    rows = await connection.fetch(
        """
        SELECT its, (SELECT coalesce(max(suppression_id), 0) FROM suppressions
                     WHERE guild_id = ANY($1) AND guild_id = its) AS forgotten,
               (SELECT max(changed_at) FROM consents WHERE guild_id = ANY($1) AND guild_id = its) AS chosen
        FROM unnest($1::bigint[]) AS its
        """,
        list(guild_ids),
    )
    return {row["its"]: f"{row['forgotten']} {row['chosen']}" for row in rows}


async def suppressions_version(connection: Connection, guild_id: int) -> str:
    """A version that changes when something is forgotten or somebody chooses: what was derived before may tell it."""
    return (await versions_in(connection, [guild_id]))[guild_id]
