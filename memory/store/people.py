"""members, guild_settings and bot_state."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from datetime import datetime
from typing import Any

import asyncpg

from memory.ids import AudienceId, GuildId, UserId
from memory.records import AuthorKind, GuildRules, Member
from memory.store.consents import HAS_OPTED_OUT
from memory.store.database import CHANNEL, ERASED, Connection, Tables, lock_guild, notify
from memory.store.rows import guild_rules

HOLDING = ("channel_settings", "chat_history", "facts", "notes", "conclusions", "sessions", "replies", "inbox", "audit")
"""Tables that show that something is stored of a guild. It may have no channel row, for example after an import."""

BOT = 0
"""The guild_id of what belongs to the bot itself."""


def _member(row: asyncpg.Record) -> Member:
    return Member(
        guild_id=row["guild_id"],
        user_id=row["user_id"],
        display_name=row["display_name"],
        username=row["username"],
        global_name=row["global_name"],
        aliases=tuple(row["aliases"]),
        former_names=tuple(row["former_names"]),
        named_at=row["named_at"],
        author_kind=AuthorKind(row["author_kind"]),
        jokes=row["jokes"],
        left_at=row["left_at"],
    )


ALIASES = 8
"""Aliases of a member at the most."""

RULES = frozenset(
    (
        *("teachers", "log_channel", "base_role", "mode", "language", "names", "bare_names", "character"),
        *("captions", "read_ahead", "jokes", "retention_days", "daily_requests", "greeted_at", "left_at"),
        *("post_channel", "recap", "birthdays", "guild_name"),
    )
)
"""The columns of what a guild has decided."""

FORMER_NAMES = 12
"""Former names of a member that are kept at the most."""


async def update_names(
    connection: Connection, members: Iterable[tuple[Member, datetime]], *, seen: bool = False
) -> set[GuildId]:
    """Store members' names as of a moment, except those of members who opted out; the guilds where one has others now.

    Names they had before are kept as former ones; aliases and wishes stay. `seen` are those who write before
    the bot's eyes, of whom it can be asked whether they left.
    """
    once: dict[tuple[int, int], tuple[Member, datetime]] = {}
    for member, at in members:
        before = once.get((member.guild_id, member.user_id))
        same = before is not None and before[0].names == member.names
        once[member.guild_id, member.user_id] = member, before[1] if same and before else at
    if not once:
        return set()
    rows = await connection.fetch(
        f"""
        INSERT INTO members AS known (guild_id, user_id, display_name, global_name, username, author_kind, seen,
                                      named_at)
        SELECT guild, id, shown, everywhere, account, kind, $7, at
        FROM unnest($1::bigint[], $2::bigint[], $3::text[], $4::text[], $5::text[], $6::text[], $8::timestamptz[])
             AS named (guild, id, shown, everywhere, account, kind, at)
        WHERE NOT {HAS_OPTED_OUT}
        ON CONFLICT (guild_id, user_id) DO UPDATE
            SET display_name = excluded.display_name, global_name = excluded.global_name,
                username = excluded.username, author_kind = excluded.author_kind, left_at = NULL,
                seen = known.seen OR excluded.seen,
                named_at = CASE WHEN (known.display_name, known.global_name, known.username)
                                IS NOT DISTINCT FROM (excluded.display_name, excluded.global_name, excluded.username)
                                THEN known.named_at ELSE excluded.named_at END,
                former_names = (SELECT coalesce(array_agg(former ORDER BY newest), '{{}}') FROM (
                    SELECT former, min(n) AS newest
                    FROM unnest(ARRAY[known.display_name, known.global_name, known.username] || known.former_names)
                         WITH ORDINALITY AS had (former, n)
                    WHERE former <> '' AND former NOT IN (excluded.display_name, coalesce(excluded.global_name, ''),
                                                          excluded.username)
                    GROUP BY former ORDER BY newest LIMIT {FORMER_NAMES}) AS had)
            WHERE (known.display_name, known.global_name, known.username, known.author_kind, known.left_at, known.seen)
               IS DISTINCT FROM
                  (excluded.display_name, excluded.global_name, excluded.username, excluded.author_kind, NULL,
                   known.seen OR excluded.seen)
        RETURNING guild_id, xmax <> 0 OR EXISTS (
            SELECT 1 FROM suppressions WHERE suppressions.guild_id = known.guild_id
                                         AND suppressions.user_id = known.user_id) AS matters
        """,
        [guild_id for guild_id, _ in once],
        [user_id for _, user_id in once],
        [m.display_name for m, _ in once.values()],
        [m.global_name for m, _ in once.values()],
        [m.username for m, _ in once.values()],
        [m.author_kind.value for m, _ in once.values()],
        seen,
        [at for _, at in once.values()],
    )
    changed = {row["guild_id"] for row in rows if row["matters"]}
    for guild_id in changed:  # texts that were given names have the old ones, or something of theirs was forgotten
        await notify(connection, guild_id)
    return changed


BEGINNING_SO = """
    SELECT guild_id, user_id, name FROM member_names AS known
    WHERE known.guild_id = $1 AND known.name >= folded
      AND known.name <= CASE WHEN length(folded) < 4 THEN folded ELSE folded || chr(1114111) END
    ORDER BY name LIMIT 12"""
"""The members who have a name that is `folded`, or, where that has four letters, begins so; the shortest first."""

MUCH_ALIKE = 200
"""Names with the same two first letters that are compared with one that nobody has."""


async def update_rules(
    connection: Connection,
    guild_id: GuildId,
    values: Mapping[str, object],
    *,
    only_from: Mapping[str, object] | None = None,
) -> dict[str, Any]:
    """Update columns of a guild's rules; returns what they were before. Raises ValueError for any other column.

    With `only_from`, nothing is updated unless the rules are so now.
    """
    if unknown := values.keys() - RULES:
        raise ValueError(", ".join(unknown))
    await connection.execute("INSERT INTO guild_settings (guild_id) VALUES ($1) ON CONFLICT DO NOTHING", guild_id)
    row = await connection.fetchrow("SELECT * FROM guild_settings WHERE guild_id = $1 FOR UPDATE", guild_id)
    assert row is not None
    before = {name: row[name] for name in values}
    if only_from is not None and before != only_from:
        return before
    for name, value in values.items():
        await connection.execute(f"UPDATE guild_settings SET {name} = $2 WHERE guild_id = $1", guild_id, value)
    await notify(connection, guild_id)
    return before


async def members(
    connection: Connection, guild_id: GuildId, user_ids: Collection[UserId] | None = None
) -> dict[UserId, Member]:
    """The members of a guild that are known, or those of `user_ids` alone."""
    rows = await connection.fetch(
        """
        SELECT * FROM members
        WHERE guild_id = $1 AND ($2::bigint[] IS NULL OR user_id = ANY($2)) ORDER BY user_id
        """,
        guild_id,
        None if user_ids is None else list(user_ids),
    )
    return {row["user_id"]: _member(row) for row in rows}


async def called_in(
    connection: Connection, names: Collection[tuple[int, str]], members: Collection[tuple[int, int]]
) -> list[Member]:
    """Of many guilds, everyone who has or had one of `names`, signs and case aside, and `members` by id."""
    rows = await connection.fetch(
        """
        SELECT members.* FROM (
            SELECT guild_id, known.user_id FROM unnest($2::bigint[], $3::text[]) AS wanted (guild_id, name)
            JOIN member_names AS known USING (guild_id)
            WHERE guild_id = ANY($1) AND known.name = left(bare_name(wanted.name), 64)
            UNION SELECT * FROM unnest($4::bigint[], $5::bigint[])) AS found
        JOIN members USING (guild_id, user_id) WHERE guild_id = ANY($1)
        """,
        list({guild_id for guild_id, _ in (*names, *members)}),
        [guild_id for guild_id, _ in names],
        [name for _, name in names],
        [guild_id for guild_id, _ in members],
        [user_id for _, user_id in members],
    )
    return [_member(row) for row in rows]


class PeopleStore(Tables):
    """Who is there: names, and a guild's settings."""

    async def update_names(self, members: Iterable[Member], now: datetime) -> None:
        """Keep members' names as they are now."""
        known = list(members)
        async with self._db.transaction() as connection:
            for guild_id in sorted({member.guild_id for member in known}):
                await lock_guild(connection, guild_id)
            await update_names(connection, [(member, now) for member in known])

    async def members(self, guild_id: GuildId, user_ids: Collection[UserId] | None = None) -> dict[UserId, Member]:
        """The members of a guild that are known, or those of `user_ids` alone."""
        async with self._db.connection() as connection:
            return await members(connection, guild_id, user_ids)

    async def called(
        self, guild_id: GuildId, names: Collection[str], user_ids: Collection[UserId] = ()
    ) -> list[tuple[Member, list[str]]]:
        """Members by id, and those who have or had one of `names`, or one that begins so, signs and case aside; each
        with those of the names that mean them."""
        async with self._db.connection() as connection:
            rows = await connection.fetch(
                f"""
                SELECT members.*, found.names FROM (
                    SELECT user_id, array_remove(array_agg(name), NULL) AS names FROM (
                        SELECT user_id, called.name FROM unnest($2::text[]) AS called (name)
                        CROSS JOIN LATERAL (SELECT bare_name(called.name) AS folded) AS bare
                        CROSS JOIN LATERAL ({BEGINNING_SO}) AS known
                        UNION SELECT user_id, NULL FROM unnest($3::bigint[]) AS wanted (user_id)) AS each
                    GROUP BY user_id) AS found
                JOIN members USING (user_id) WHERE guild_id = $1
                """,
                guild_id,
                list(names),
                list(user_ids),
            )
        return [(_member(row), row["names"]) for row in rows]

    async def having(
        self, guild_id: GuildId, names: Collection[str], user_ids: Collection[UserId] = ()
    ) -> dict[UserId, Member]:
        """Everyone who has or had one of `names`, signs and case aside, and members by id."""
        async with self._db.connection() as connection:
            rows = await connection.fetch(
                """
                SELECT * FROM members WHERE guild_id = $1 AND user_id IN (
                    SELECT known.user_id FROM (SELECT DISTINCT left(bare_name(name), 64) AS bare
                                               FROM unnest($2::text[]) AS name) AS wanted
                    JOIN member_names AS known ON known.guild_id = $1 AND known.name = bare
                    UNION SELECT unnest($3::bigint[]))
                ORDER BY user_id
                """,
                guild_id,
                list(names),
                list(user_ids),
            )
        return {row["user_id"]: _member(row) for row in rows}

    async def called_alike(self, guild_id: GuildId, name: str) -> dict[UserId, Member]:
        """Members who have a name with the two first letters of `name` and about as long, to be compared with it."""
        async with self._db.connection() as connection:
            rows = await connection.fetch(
                f"""
                SELECT DISTINCT ON (user_id) members.* FROM (SELECT bare_name($2) AS folded) AS bare
                CROSS JOIN LATERAL (
                    SELECT guild_id, user_id FROM member_names AS known
                    WHERE known.guild_id = $1 AND known.name >= left(folded, 2)
                      AND known.name <= left(folded, 2) || chr(1114111)
                      AND length(known.name) BETWEEN length(folded) - 2 AND length(folded) + 2
                    LIMIT {MUCH_ALIKE}) AS known
                JOIN members USING (guild_id, user_id) WHERE guild_id = $1
                """,
                guild_id,
                name,
            )
        return {row["user_id"]: _member(row) for row in rows}

    async def sole_names(
        self, guild_id: GuildId, names_of: Mapping[UserId, Collection[str]], stored: Collection[UserId] = ()
    ) -> dict[UserId, tuple[str, ...]]:
        """Of each member's names, those that no other member has or had, signs and case aside.

        The names of the `stored` are the ones that are kept of them; whoever is not known is left out.
        """
        pairs = [(user_id, name) for user_id, names in names_of.items() for name in dict.fromkeys(names) if name]
        async with self._db.connection() as connection:
            rows = await connection.fetch(
                """
                SELECT user_id, name FROM (
                    SELECT * FROM unnest($2::bigint[], $3::text[]) WITH ORDINALITY AS given (user_id, name, n)
                    UNION ALL
                    SELECT user_id, name, n FROM members
                    CROSS JOIN LATERAL unnest(ARRAY[display_name, global_name, username, ''] || aliases)
                        WITH ORDINALITY AS kept (name, n)
                    WHERE guild_id = $1 AND user_id = ANY($4)) AS mine
                WHERE coalesce(name, '') = '' OR NOT EXISTS (SELECT 1 FROM member_names AS known
                                  WHERE known.guild_id = $1 AND known.name = left(bare_name(mine.name), 64)
                                    AND known.user_id <> mine.user_id)
                ORDER BY n
                """,
                guild_id,
                [user_id for user_id, _ in pairs],
                [name for _, name in pairs],
                list(stored),
            )
        found: dict[UserId, dict[str, None]] = {user_id: {} for user_id in names_of}
        for row in rows:  # each of the stored has an empty name, so that they are known without any
            found.setdefault(row["user_id"], {}).update({row["name"]: None} if row["name"] else {})
        return {user_id: tuple(names) for user_id, names in found.items()}

    async def add_alias(self, guild_id: GuildId, user_id: UserId, alias: str) -> None:
        """Add an alias that a live, public fact gives a member, as they agree, if nobody else has or had that name."""
        async with self._db.connection() as connection:
            await connection.execute(
                f"""
                WITH added AS (
                UPDATE members SET aliases = aliases || $3
                WHERE guild_id = $1 AND user_id = $2 AND NOT $3 = ANY(aliases || display_name || username)
                  AND cardinality(aliases) < {ALIASES}
                  AND NOT EXISTS (SELECT 1 FROM member_names AS known
                                  WHERE known.guild_id = $1 AND known.name = left(bare_name($3), 64)
                                    AND known.user_id <> $2)
                  AND EXISTS (SELECT 1 FROM facts
                              WHERE facts.guild_id = $1 AND facts.user_id = $2 AND retired_at IS NULL AND audience = 0
                                AND (stated_by = $2 OR confidence = 'high')
                                AND position(lower($3) IN lower(value)) > 0)
                RETURNING guild_id)
                SELECT pg_notify($4, guild_id::text) FROM added
                """,
                guild_id,
                user_id,
                alias,
                CHANNEL,
            )

    async def claimed(
        self, guild_id: GuildId, stated_by: UserId, names: Collection[str], audiences: Collection[AudienceId]
    ) -> dict[UserId, Member]:
        """The members whom live facts told by one member give one of `names`: to that member alone it means them."""
        async with self._db.connection() as connection:
            rows = await connection.fetch(
                """
                SELECT DISTINCT ON (user_id) members.* FROM facts JOIN members USING (guild_id, user_id)
                WHERE guild_id = $1 AND facts.stated_by = $2 AND facts.retired_at IS NULL AND audience = ANY($4)
                  AND EXISTS (SELECT 1 FROM unnest($3::text[]) AS name
                              WHERE right(lower(rtrim(value, '.')), length(name) + 1) = ' ' || lower(name))
                """,
                guild_id,
                stated_by,
                list(names),
                list(audiences),
            )
        return {row["user_id"]: _member(row) for row in rows}

    async def set_jokes(self, member: Member, wanted: bool, now: datetime) -> None:
        """Let jokes be made about a member, or not."""
        async with self._db.writing(member.guild_id) as connection:
            await update_names(connection, [(member, now)])
            await connection.execute(
                "UPDATE members SET jokes = $3 WHERE guild_id = $1 AND user_id = $2",
                member.guild_id,
                member.user_id,
                wanted,
            )

    async def introduce(self, guild_id: GuildId, user_id: UserId) -> bool:
        """Record that a member was told of the bot; whether that is new. One of whom nothing is kept never is."""
        async with self._db.connection() as connection:
            row = await connection.fetchrow(
                """
                UPDATE members SET introduced = true WHERE guild_id = $1 AND user_id = $2 AND NOT introduced
                RETURNING user_id
                """,
                guild_id,
                user_id,
            )
        return row is not None

    async def rules(self, guild_id: GuildId) -> GuildRules:
        """What a guild has decided."""
        async with self._db.connection() as connection:
            row = await connection.fetchrow("SELECT * FROM guild_settings WHERE guild_id = $1", guild_id)
        return GuildRules() if row is None else guild_rules(row)

    async def set_rules(self, guild_id: GuildId, **values: object) -> dict[str, Any]:
        """Update a guild's rules, by their columns. Returns what they were before."""
        async with self._db.writing(guild_id) as connection:
            return await update_rules(connection, guild_id, values)

    async def record_bot_joined(self, guild_id: GuildId) -> bool:
        """Record that the bot is in a guild: its messages are stored, and nothing of it expires.

        Returns whether this changed anything.
        """
        async with self._db.writing(guild_id, erased=True) as connection:
            done = [
                await connection.execute("DELETE FROM bot_state WHERE guild_id = $1 AND name = $2", guild_id, ERASED),
                await connection.execute(
                    "UPDATE guild_settings SET left_at = NULL WHERE guild_id = $1 AND left_at IS NOT NULL", guild_id
                ),
            ]
            if is_news := any(not one.endswith(" 0") for one in done):
                await notify(connection, guild_id)
        return is_news

    async def away(self, guild_ids: Collection[GuildId]) -> set[GuildId]:
        """The guilds that the bot left, or that were erased, as far as is stored."""
        async with self._db.connection() as connection:
            rows = await connection.fetch(
                """
                SELECT guild_id FROM guild_settings WHERE guild_id = ANY($1) AND left_at IS NOT NULL
                UNION SELECT guild_id FROM bot_state WHERE guild_id = ANY($1) AND name = $2
                """,
                list(guild_ids),
                ERASED,
            )
        return {row["guild_id"] for row in rows}

    async def claim_next_member_check(
        self, guild_ids: Collection[GuildId], now: datetime, before: datetime
    ) -> GuildId | None:
        """The guild whose members were not asked after for longest, since before a moment; it counts as asked now."""
        async with self._db.connection() as connection:
            guild_id: GuildId | None = await connection.fetchval(
                """
                SELECT guild_id FROM guild_settings
                WHERE guild_id = ANY($1) AND coalesce(roll_called_at, '-infinity') < $2
                ORDER BY roll_called_at NULLS FIRST, guild_id LIMIT 1
                """,
                list(guild_ids),
                before,
            )
            if guild_id is not None:
                await connection.execute(
                    "UPDATE guild_settings SET roll_called_at = $2 WHERE guild_id = $1", guild_id, now
                )
        return guild_id

    async def record_left(self, guild_id: GuildId, user_ids: Collection[UserId], now: datetime | None) -> int:
        """Record that members left at `now`, unless that is recorded already; with None, that they are back.

        Returns how many were newly recorded.
        """
        async with self._db.connection() as connection:
            done = await connection.execute(
                """
                UPDATE members SET left_at = $3
                WHERE guild_id = $1 AND user_id = ANY($2) AND seen AND (left_at IS NULL) = ($3::timestamptz IS NOT NULL)
                """,
                guild_id,
                list(user_ids),
                now,
            )
        return int(done.split()[-1])

    async def gone_since(self, guild_id: GuildId, before: datetime) -> list[UserId]:
        """The members who left before a moment."""
        async with self._db.connection() as connection:
            rows = await connection.fetch(
                "SELECT user_id FROM members WHERE guild_id = $1 AND left_at < $2", guild_id, before
            )
        return [row["user_id"] for row in rows]

    async def set_time_zone(self, guild_id: GuildId, name: str) -> None:
        """Let `name` decide the guild's days."""
        async with self._db.writing(guild_id) as connection:
            await connection.execute(
                """
                INSERT INTO guild_settings (guild_id, time_zone) VALUES ($1, $2)
                ON CONFLICT (guild_id) DO UPDATE SET time_zone = excluded.time_zone
                """,
                guild_id,
                name,
            )
            await notify(connection, guild_id)

    async def state(self, name: str) -> str | None:
        """What the bot noted under `name`."""
        async with self._db.connection() as connection:
            found = await connection.fetchval(
                "SELECT value FROM bot_state WHERE guild_id = $1 AND name = $2", BOT, name
            )
        return None if found is None else str(found)

    async def set_state(self, name: str, value: str) -> None:
        """Note `value` under `name`."""
        async with self._db.connection() as connection:
            await connection.execute(
                """
                INSERT INTO bot_state (guild_id, name, value) VALUES ($1, $2, $3)
                ON CONFLICT (guild_id, name) DO UPDATE SET value = excluded.value
                """,
                BOT,
                name,
                value,
            )

    async def drop_state(self, name: str) -> None:
        """Note nothing under `name` any more."""
        async with self._db.connection() as connection:
            await connection.execute("DELETE FROM bot_state WHERE guild_id = $1 AND name = $2", BOT, name)

    async def guilds(self) -> list[GuildId]:
        """The guilds that anything is stored of."""
        async with self._db.connection() as connection:
            rows = await connection.fetch(
                " UNION ".join(
                    f"""
                    (WITH RECURSIVE known AS (
                        SELECT min(guild_id) AS guild_id FROM {table} WHERE guild_id > {BOT}
                        UNION ALL SELECT (SELECT min(guild_id) FROM {table} WHERE guild_id > known.guild_id) FROM known
                                  WHERE guild_id IS NOT NULL)
                    SELECT guild_id FROM known WHERE guild_id IS NOT NULL)"""
                    for table in HOLDING
                )
                + " ORDER BY guild_id"
            )
        return [row["guild_id"] for row in rows]
