"""consents and suppressions: what a member lets the bot keep, and what must not come back."""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from functools import partial
from typing import Any

import asyncpg

from memory.ids import ALL_GUILDS, ChannelId, GuildId, UserId
from memory.records import Choice, Consent
from memory.rules.carried_names import CarriedName
from memory.rules.suppression import KeyedStatement, Suppression
from memory.store.database import CHANNEL, ERASED, Connection, Tables, notify

NOTHING = "0 None"
"""The version of a guild where nothing was forgotten and nobody chose."""


@dataclass(frozen=True, kw_only=True)
class Policy:
    """What is kept of a guild, and of whom: the members and channels whose messages are not stored.

    Of members in `off`, nothing is; of a guild that was erased, nothing at all. `version` changes when something is
    forgotten or somebody chooses: what was derived before may tell it.
    """

    silent: frozenset[UserId] = frozenset()
    off: frozenset[UserId] = frozenset()
    channels: frozenset[ChannelId] = frozenset()
    is_paused: bool = False
    """Whether nothing that is said is stored, in any channel."""
    version: str = NOTHING
    is_erased: bool = False

    def reads(self, channel_id: ChannelId) -> bool:
        """Whether anything of a channel is stored."""
        return not self.is_paused and channel_id not in self.channels

    def stores(self, user_id: UserId, channel_id: ChannelId) -> bool:
        """Whether a member's messages of a channel are stored."""
        return self.reads(channel_id) and user_id not in self.silent


@dataclass(frozen=True, kw_only=True)
class Untold:
    """What is not to be told in a guild, as of one moment."""

    version: str
    """It changes when something is forgotten or somebody chooses, as a `Policy`'s."""
    suppressions: list[Suppression]
    """What was forgotten, as fingerprints."""
    choices: Mapping[UserId, Choice]
    """What members chose in the guild, else everywhere; who is not in it chose nothing."""
    unnamed: Mapping[UserId, list[CarriedName]]
    """The names of those who are not to be written about, as they carried them when that was chosen.

    What they call themselves later hides nothing: anybody can take any word for a name.
    """


HAS_OPTED_OUT = """coalesce(
    (SELECT consent = 'off' OR ignored FROM consents WHERE consents.guild_id = guild AND consents.user_id = id),
    (SELECT consent = 'off' OR ignored FROM consents WHERE consents.guild_id = 0 AND consents.user_id = id), false)"""
"""Whether nothing is kept of the member `id` in `guild`, two columns of the query."""

UNTOLD = """
    (SELECT max(suppression_id) FROM suppressions WHERE guild_id = $1) AS last_suppression,
    (SELECT max(changed_at) FROM consents WHERE guild_id = $1) AS last_choice,
    (SELECT jsonb_agg(to_jsonb(one) ORDER BY suppression_id) FROM suppressions AS one
     WHERE guild_id = $1)::text AS suppressions,
    (SELECT jsonb_agg(to_jsonb(one) ORDER BY guild_id <> 0) FROM consents AS one
     WHERE guild_id = $1 OR guild_id = 0)::text AS choices"""
"""The columns from which `reader` reads what must not be told in the guild $1."""


def reader(row: asyncpg.Record) -> Callable[[], Untold]:
    """A function that reads what must not be told in a guild from a row with the columns of `UNTOLD`.

    Thousands of fingerprints take a while to read, and who needs the other columns need not wait for that.
    """
    columns = {name: row[name] for name in ("last_suppression", "last_choice", "suppressions", "choices")}
    return partial(_untold, columns)


def _untold(row: Mapping[str, Any]) -> Untold:
    chosen = {choice["user_id"]: choice for choice in json.loads(row["choices"] or "[]")}  # the guild's own counts
    return Untold(
        version=_version(row["last_suppression"], row["last_choice"]),
        suppressions=[
            Suppression(
                suppression_id=one["suppression_id"],
                user_id=one["user_id"],
                statement=KeyedStatement(frozenset(one["fingerprints"]), frozenset(one["distinctive"])),
                created_at=datetime.fromisoformat(one["created_at"]),
            )
            for one in json.loads(row["suppressions"] or "[]")
        ],
        choices={user_id: _choice(choice) for user_id, choice in chosen.items()},
        unnamed={
            user_id: [
                name for name in _carried(choice["names"]) if name.since <= datetime.fromisoformat(choice["changed_at"])
            ]
            for user_id, choice in chosen.items()
            if _choice(choice).is_off
        },
    )


async def _choices(
    connection: Connection, guild_id: GuildId, user_ids: Collection[UserId] | None = None
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


_ANYTHING = Policy()
"""Of a guild where nobody chose anything."""


async def policy(connection: Connection, guild_id: GuildId) -> Policy:
    """What is kept of a guild, as of this transaction."""
    return (await policies(connection, [guild_id]))[guild_id]


async def policies(
    connection: Connection, guild_ids: Collection[GuildId], user_ids: Collection[UserId] | None = None
) -> dict[GuildId, Policy]:
    """The same of many guilds by one statement, of all members or of `user_ids`."""
    rows = await connection.fetch(
        """
        SELECT 'choice' AS what, guild_id AS its, user_id AS id, consent <> 'on' OR ignored AS silent,
               consent = 'off' OR ignored AS off, NULL::timestamptz AS at
        FROM consents
        WHERE (guild_id = ANY($1) OR guild_id = 0) AND ($2::bigint[] IS NULL OR user_id = ANY($2))
        UNION ALL
        SELECT 'channel', own.guild_id, own.channel_id, NULL, NULL, NULL FROM channel_settings AS own
        LEFT JOIN channel_settings AS parent ON parent.guild_id = own.guild_id AND parent.channel_id = own.parent_id
        WHERE own.guild_id = ANY($1) AND (own.mode <> 'remember' OR parent.mode <> 'remember')
        UNION ALL
        SELECT 'paused', guild_id, NULL, NULL, NULL, NULL FROM guild_settings
        WHERE guild_id = ANY($1) AND mode <> 'remember'
        UNION ALL
        SELECT 'erased', guild_id, NULL, NULL, NULL, NULL FROM bot_state WHERE guild_id = ANY($1) AND name = $3
        UNION ALL
        SELECT 'version', its, newest, NULL, NULL, changed_at
        FROM unnest($1::bigint[]) AS its,
             LATERAL (SELECT (SELECT max(suppression_id) FROM suppressions WHERE guild_id = its) AS newest,
                             (SELECT max(changed_at) FROM consents WHERE guild_id = its) AS changed_at) AS known
        WHERE newest IS NOT NULL OR changed_at IS NOT NULL
        """,
        list(guild_ids),
        None if user_ids is None else list(user_ids),
        ERASED,
    )
    choices: defaultdict[GuildId, dict[UserId, asyncpg.Record]] = defaultdict(dict)
    channels: defaultdict[GuildId, set[ChannelId]] = defaultdict(set)
    erased, paused, versions = set[GuildId](), set[GuildId](), dict[GuildId, str]()
    for row in rows:
        match row["what"]:
            case "choice":
                choices[row["its"]][row["id"]] = row
            case "channel":
                channels[row["its"]].add(row["id"])
            case "erased":
                erased.add(row["its"])
            case "paused":
                paused.add(row["its"])
            case _:
                versions[row["its"]] = _version(row["id"], row["at"])
    found = dict.fromkeys(guild_ids, _ANYTHING)
    ruled = guild_ids if choices[ALL_GUILDS] else {*choices, *channels, *erased, *paused, *versions} - {ALL_GUILDS}
    for guild_id in ruled:
        hold = choices[ALL_GUILDS] | choices[guild_id]
        found[guild_id] = Policy(
            silent=frozenset(u for u, row in hold.items() if row["silent"]),
            off=frozenset(u for u, row in hold.items() if row["off"]),
            channels=frozenset(channels[guild_id]),
            version=versions.get(guild_id, NOTHING),
            is_paused=guild_id in paused,
            is_erased=guild_id in erased,
        )
    return found


def _version(newest: int | None, changed_at: datetime | None) -> str:
    return f"{newest or 0} {changed_at}"


def _choice(row: Mapping[str, Any] | asyncpg.Record) -> Choice:
    return Choice(consent=Consent(row["consent"]), is_ignored=row["ignored"])


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

    async def choices(self, guild_id: GuildId, user_ids: Collection[UserId]) -> dict[UserId, Choice]:
        """The choices of members that hold in a guild."""
        async with self._db.connection() as connection:
            chosen = await _choices(connection, guild_id, user_ids)
        return {u: _choice(chosen[u]) if u in chosen else Choice() for u in user_ids}

    async def chosen(self, guild_id: GuildId, user_id: UserId) -> str | None:
        """A member's own choice in a guild, or for all; None where they made none."""
        async with self._db.connection() as connection:
            return await chosen(connection, guild_id, user_id)

    async def policy(self, guild_id: GuildId) -> Policy:
        """What is kept of a guild now, and of whom."""
        async with self._db.connection() as connection:
            return await policy(connection, guild_id)

    async def lift(self, guild_id: GuildId, ids: Collection[int]) -> None:
        """Let statements be told again."""
        async with self._db.transaction() as connection:
            await lift(connection, guild_id, ids)

    async def any_in(self, guild_ids: Collection[GuildId]) -> set[GuildId]:
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

    async def guilds_with(self, user_id: UserId, guild_ids: Collection[GuildId]) -> list[GuildId]:
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


async def _guilds(connection: Connection) -> list[GuildId]:
    rows = await connection.fetch("SELECT DISTINCT guild_id FROM channel_settings")
    return [ALL_GUILDS, *(row["guild_id"] for row in rows)]


async def choose(
    connection: Connection,
    guild_id: GuildId,
    user_id: UserId,
    now: datetime,
    *,
    consent: Consent | None = None,
    ignored: bool | None = None,
    names: Sequence[CarriedName] = (),
) -> None:
    """Keep a member's choice, or a moderator's, in a guild or for everywhere. The guild is to be locked."""
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


async def chosen(connection: Connection, guild_id: GuildId, user_id: UserId) -> str | None:
    """A member's own choice in a guild; None where they made none."""
    found: str | None = await connection.fetchval(
        "SELECT consent FROM consents WHERE guild_id = $1 AND user_id = $2", guild_id, user_id
    )
    return found


async def choose_again(
    connection: Connection, guild_id: GuildId, user_id: UserId, before: str | None, now: datetime
) -> None:
    """Let the choice hold again that a member made before, or none; what moderators decided stays."""
    await choose(connection, guild_id, user_id, now, consent=Consent(before or Consent.ON.value))
    if before is None:
        await connection.execute(
            "DELETE FROM consents WHERE guild_id = $1 AND user_id = $2 AND NOT ignored", guild_id, user_id
        )


async def suppress(
    connection: Connection, guild_id: GuildId, user_id: UserId, statements: Sequence[KeyedStatement], now: datetime
) -> list[int]:
    """Keep statements from coming back; returns their numbers. Who calls it tells it on."""
    if not statements:
        return []
    rows = await connection.fetch(
        """
        INSERT INTO suppressions (guild_id, user_id, fingerprints, distinctive, created_at)
        SELECT $1, $2, ARRAY(SELECT jsonb_array_elements_text(pair -> 0)),
               ARRAY(SELECT jsonb_array_elements_text(pair -> 1)), $4
        FROM jsonb_array_elements($3::jsonb) AS one (pair)
        RETURNING suppression_id
        """,
        guild_id,
        user_id,
        [[sorted(one.fingerprints), sorted(one.distinctive)] for one in statements],
        now,
    )
    return [row["suppression_id"] for row in rows]


async def lift(connection: Connection, guild_id: GuildId, ids: Collection[int]) -> None:
    """Let statements be told again."""
    await connection.execute(
        """
        WITH gone AS (DELETE FROM suppressions WHERE guild_id = $1 AND suppression_id = ANY($2))
        SELECT pg_notify($3, $1::text)
        """,
        guild_id,
        list(ids),
        CHANNEL,
    )
