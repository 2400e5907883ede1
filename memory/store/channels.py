"""channel_settings and audiences: where things are said, who can read it, and what may be heard there."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Collection, Mapping
from typing import Any

from memory.ids import AudienceId, ChannelId, GuildId
from memory.records import Channel, GuildRules, KnownGuild, Mode, StoredLayout
from memory.rules.audiences import Layout, audiences, differences, hears
from memory.store import cascade
from memory.store.consents import UNTOLD, Untold, reader
from memory.store.database import Connection, Tables, notify
from memory.store.rows import guild_rules


async def update_mode(
    connection: Connection,
    guild_id: GuildId,
    channel_id: ChannelId,
    mode: str,
    captions: bool | None,
    *,
    only_from: Mapping[str, object] | None = None,
) -> dict[str, Any]:
    """Update what the bot does in a channel; returns what it did before.

    With `only_from`, nothing is updated unless that is so now.
    """
    row = await connection.fetchrow(
        "SELECT mode, captions FROM channel_settings WHERE guild_id = $1 AND channel_id = $2", guild_id, channel_id
    )
    before = {"mode": Mode.REMEMBER.value, "captions": True} if row is None else dict(row)
    if only_from is not None and before != only_from:
        return before
    await connection.execute(
        """
        INSERT INTO channel_settings AS known (guild_id, channel_id, name, audience, mode, captions)
        VALUES ($1, $2, '', $2, $3, coalesce($4, true))
        ON CONFLICT (guild_id, channel_id) DO UPDATE
            SET mode = excluded.mode, captions = coalesce($4, known.captions)
        """,
        guild_id,
        channel_id,
        mode,
        captions,
    )
    await forget_layout(connection, guild_id)
    await notify(connection, guild_id)
    return before


class ChannelStore(Tables):
    """Channels and their audiences."""

    async def set_mode(
        self, guild_id: GuildId, channel_id: ChannelId, mode: Mode, captions: bool | None = None
    ) -> dict[str, Any]:
        """Keep what the bot does in a channel; and where it is said, whether files there are put into words.

        Returns both as they were before.
        """
        async with self._db.writing(guild_id) as connection:
            return await update_mode(connection, guild_id, channel_id, mode.value, captions)

    async def guild(self, guild_id: GuildId) -> tuple[KnownGuild, Callable[[], Untold]]:
        """What a guild has decided, its channels, and what may be heard in each audience; and what must not be told."""
        async with self._db.connection() as connection:
            row = await connection.fetchrow(
                f"""
                SELECT {UNTOLD}, settings.*,
                       (SELECT jsonb_object_agg(audience, hears) FROM audiences WHERE guild_id = $1) AS hears,
                       (SELECT jsonb_agg(to_jsonb(channel)) FROM channel_settings AS channel
                        WHERE guild_id = $1) AS channels
                FROM (VALUES (1)) AS one LEFT JOIN guild_settings AS settings ON guild_id = $1
                """,
                guild_id,
            )
        assert row is not None
        channels = [
            Channel(
                guild_id=guild_id,
                channel_id=channel["channel_id"],
                name=channel["name"],
                audience=channel["audience"],
                parent_id=channel["parent_id"],
                mode=Mode(channel["mode"]),
                captions=channel["captions"],
            )
            for channel in row["channels"] or ()
        ]
        known = KnownGuild(
            rules=GuildRules() if row["guild_id"] is None else guild_rules(row),
            time_zone=row["time_zone"],
            channels={channel.channel_id: channel for channel in channels},
            hears={AudienceId(int(audience)): frozenset(hears) for audience, hears in (row["hears"] or {}).items()},
        )
        return known, reader(row)

    async def update(self, channel: Channel) -> bool:
        """Keep a channel's name and audience.

        Where the audience changed, what was written there and in its threads moves with it, and every text
        made from that goes in the same transaction, so that nothing read in a channel now closed is told
        outside it. Returns whether anything moved.
        """
        async with self._db.writing(channel.guild_id) as connection:
            await _keep(connection, channel)
            await forget_layout(connection, channel.guild_id)
            await notify(connection, channel.guild_id)
            return await _move(connection, channel)

    async def update_all(self, layout: Layout) -> int:
        """Keep the names and audiences of a guild's channels, and what may be heard where; how many channels moved.

        What was told together and may not be any more goes in the same transaction.
        """
        # Of hundreds of classes every pair is compared: nothing else waits for that.
        own, audible = await asyncio.to_thread(lambda: (audiences(layout), hears(layout)))
        guild_id = layout.guild_id
        async with self._db.writing(guild_id) as connection:
            rows = await connection.fetch("SELECT * FROM channel_settings WHERE guild_id = $1", guild_id)
            known = {row["channel_id"]: row for row in rows}
            before = await _audible(connection, guild_id)
            less = differences(before, audible)
            moved = 0
            for gates in layout.channels:
                channel = Channel(
                    guild_id=guild_id,
                    channel_id=gates.channel_id,
                    name=gates.name,
                    audience=own[gates.channel_id],
                    parent_id=gates.parent_id,
                )
                row = known.get(gates.channel_id)
                if row is None or (row["name"], row["audience"], row["parent_id"]) != (
                    *(channel.name, channel.audience, channel.parent_id),
                ):
                    await _keep(connection, channel)
                    moved += await _move(connection, channel)
            if before != audible:
                await _keep_audible(connection, guild_id, audible)
                await cascade.told_elsewhere(connection, guild_id, less)
            await connection.execute(
                """
                INSERT INTO guild_settings (guild_id, layout) VALUES ($1, $2)
                ON CONFLICT (guild_id) DO UPDATE SET layout = excluded.layout
                """,
                guild_id,
                layout.fingerprint,
            )
            await notify(connection, guild_id)
        return moved

    async def layouts(self, guild_ids: Collection[GuildId]) -> dict[GuildId, StoredLayout]:
        """What is stored of each guild's layout."""
        async with self._db.connection() as connection:
            statement = (
                "SELECT guild_id, layout, base_role, names, bare_names FROM guild_settings WHERE guild_id = ANY($1)"
            )
            rows = await connection.fetch(statement, list(guild_ids))
        found = {
            r["guild_id"]: StoredLayout(r["layout"], r["base_role"], tuple(r["names"]), r["bare_names"]) for r in rows
        }
        return {guild_id: found.get(guild_id, StoredLayout()) for guild_id in guild_ids}


async def forget_layout(connection: Connection, guild_id: GuildId) -> None:
    """Have a guild's layout stored anew when it is next seen: its channels were changed by somebody else."""
    await connection.execute("UPDATE guild_settings SET layout = NULL WHERE guild_id = $1", guild_id)


async def _audible(connection: Connection, guild_id: GuildId) -> dict[AudienceId, frozenset[AudienceId]]:
    rows = await connection.fetch("SELECT audience, hears FROM audiences WHERE guild_id = $1", guild_id)
    return {row["audience"]: frozenset(row["hears"]) for row in rows}


async def _keep_audible(
    connection: Connection, guild_id: GuildId, audible: Mapping[AudienceId, Collection[AudienceId]]
) -> None:
    await connection.execute(
        "DELETE FROM audiences WHERE guild_id = $1 AND NOT audience = ANY($2)", guild_id, list(audible)
    )
    await connection.executemany(
        """
        INSERT INTO audiences AS known (guild_id, audience, hears) VALUES ($1, $2, $3)
        ON CONFLICT (guild_id, audience) DO UPDATE SET hears = excluded.hears WHERE known.hears <> excluded.hears
        """,
        [(guild_id, audience, sorted(others)) for audience, others in sorted(audible.items())],
    )


async def _keep(connection: Connection, channel: Channel) -> None:
    await connection.execute(
        """
        INSERT INTO channel_settings (guild_id, channel_id, name, audience, parent_id)
        VALUES ($1, $2, $3, $4, $5)
        ON CONFLICT (guild_id, channel_id) DO UPDATE
            SET name = excluded.name, audience = excluded.audience, parent_id = excluded.parent_id
        """,
        channel.guild_id,
        channel.channel_id,
        channel.name,
        channel.audience,
        channel.parent_id,
    )


async def _move(connection: Connection, channel: Channel) -> bool:
    """Give what was written in a channel, and in the threads that share its audience, the channel's audience."""
    guild_id = channel.guild_id
    channels = [
        row["channel_id"]
        for row in await connection.fetch(
            """
            SELECT channel_id FROM channel_settings
            WHERE guild_id = $1 AND (channel_id = $2 OR parent_id = $2 AND audience <> channel_id)
            """,
            guild_id,
            channel.channel_id,
        )
    ]
    await connection.execute(
        "UPDATE channel_settings SET audience = $3 WHERE guild_id = $1 AND channel_id = ANY($2)",
        guild_id,
        channels,
        channel.audience,
    )
    moved = await cascade.channel_moved(connection, guild_id, channels, channel.audience)
    if not moved:
        return False
    await cascade.prune_aliases(connection, guild_id)
    return True
