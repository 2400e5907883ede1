"""Guilds: their settings, channels and members."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any
from zoneinfo import ZoneInfo

from memory.core import Core
from memory.forgetting.erasure import Erasure
from memory.ids import AudienceId, ChannelId, GuildId, UserId, server_subject
from memory.permissions import OPERATOR, Viewer, may_administer, may_hear, public, require
from memory.records import EVERYONE, Channel, GuildRules, Member, Mode, StoredLayout, Teachers
from memory.rules.audiences import Layout
from memory.rules.calendar import zone_called
from memory.rules.questions import possible_names
from memory.rules.text import fit, mentioned, one_line

UNDO_SETTINGS = timedelta(days=7)
"""How long a change of settings can be undone."""


MAX_GUILD_NAME = 100
"""Characters of a guild's name: Discord's own limit."""


@dataclass(frozen=True)
class GuildService:
    """A guild's settings, channels and members. Methods may raise DatabaseUnavailable; those for managers raise
    NotAllowed."""

    _core: Core
    _erasure: Erasure

    async def list(self) -> list[GuildId]:
        """List the guilds of which anything is stored."""
        return await self._core.store.people.guilds()

    # What is decided

    async def rules(self, guild_id: GuildId) -> GuildRules:
        """Get a guild's settings."""
        return await self._core.guilds.rules(guild_id)

    async def time_zone(self, guild_id: GuildId) -> ZoneInfo:
        """Get the time zone in which a guild's days begin."""
        return await self._core.guilds.zone(guild_id)

    async def set_teachers(self, viewer: Viewer, teachers: Teachers) -> None:
        """Set who may teach facts about others. Raises NotAllowed."""
        await self._decide(viewer, "teachers", {"teachers": teachers.value})

    async def set_log_channel(self, viewer: Viewer, channel_id: ChannelId | None) -> None:
        """Set the channel in which managers' actions are announced; None for no channel. Raises NotAllowed."""
        await self._decide(viewer, "log", {"log_channel": channel_id})

    async def set_base_role(self, viewer: Viewer, role_id: int | None) -> None:
        """Set the role that every admitted member has. Raises NotAllowed."""
        await self._decide(viewer, "base_role", {"base_role": role_id})

    async def decide(self, viewer: Viewer, **values: object) -> None:
        """Change settings, by their names in `GuildRules`: memory, language, names, jokes, retention, budget. Raises
        NotAllowed."""
        await self._decide(viewer, "settings", values)

    async def _decide(self, viewer: Viewer, action: str, values: dict[str, object]) -> None:
        require(may_administer(viewer))
        before = await self._core.store.people.set_rules(viewer.guild_id, **values)
        self._core.generations.move(viewer.guild_id)
        after = {name: list(value) if isinstance(value, tuple) else value for name, value in values.items()}
        details = {name: str(value) for name, value in values.items()}
        await self._audit(viewer, action, {**details, "before": before, "after": after})

    async def mode(self, guild_id: GuildId, channel_id: ChannelId) -> Mode:
        """What the bot does in a channel."""
        return await self._core.guilds.mode(guild_id, channel_id)

    async def set_mode(
        self, viewer: Viewer, channel_id: ChannelId, mode: Mode, *, captions: bool | None = None
    ) -> None:
        """Set what the bot does in a channel, and whether it describes files there. Raises NotAllowed."""
        require(may_administer(viewer))
        before = await self._core.store.channels.set_mode(viewer.guild_id, channel_id, mode, captions)
        self._core.generations.move(viewer.guild_id)
        after = {"mode": mode.value, "captions": before["captions"] if captions is None else captions}
        details = {"channel": str(channel_id), "mode": mode.value, "before": before, "after": after}
        await self._audit(viewer, "mode", details)

    async def set_time_zone(self, viewer: Viewer, name: str) -> None:
        """Set a guild's time zone, by its name or a city. Raises NotAllowed, and ValueError for an unknown zone."""
        require(may_administer(viewer))
        await self._core.store.people.set_time_zone(viewer.guild_id, zone_called(name).key)
        self._core.generations.move(viewer.guild_id)

    async def _audit(self, viewer: Viewer, action: str, details: dict[str, Any]) -> None:
        now = self._core.clock()
        await self._core.store.audit.note(
            viewer.guild_id,
            at=now,
            actor_id=viewer.user_id,
            action=action,
            details=details,
            administrative=True,
            undo_until=now + UNDO_SETTINGS,
        )

    # Who hears what

    async def base_role(self, guild_id: GuildId) -> int | None:
        """Get the role that every admitted member of a guild has, if one was set."""
        return (await self._core.guilds.rules(guild_id)).base_role

    async def audiences(self, guild_id: GuildId, audience: AudienceId) -> tuple[AudienceId, ...]:
        """List the audiences whose words may be repeated to `audience`."""
        return await self._core.guilds.audible_in(guild_id, audience)

    async def public(self, guild_id: GuildId, audience: AudienceId = EVERYONE) -> Viewer:
        """A viewer for an audience, who is nobody in particular."""
        return public(guild_id, audience, await self.audiences(guild_id, audience))

    # Members and channels

    async def members(self, guild_id: GuildId, user_ids: Collection[UserId] | None = None) -> dict[UserId, Member]:
        """List a guild's known members, or only those in `user_ids`. If the guild's own id is among these, so is the
        server itself."""
        found = await self._core.store.people.members(guild_id, user_ids)
        if user_ids is not None and server_subject(guild_id) in user_ids:
            found[server_subject(guild_id)] = await self.server(guild_id)
        return found

    async def server(self, guild_id: GuildId) -> Member:
        """Get the server itself, which facts can be about."""
        return await self._core.guilds.server(guild_id)

    async def find_named(self, guild_id: GuildId, text: str, also: Collection[UserId] = ()) -> dict[UserId, Member]:
        """Find the members a text may name, and those in `also`. Matches the start of a name; ignores case and
        punctuation."""
        found = await self._core.store.people.called(guild_id, possible_names(text), {*mentioned(text), *also})
        return {member.user_id: member for member, _ in found}

    async def find_by_names(
        self, guild_id: GuildId, names: Collection[str], also: Collection[UserId] = ()
    ) -> Sequence[tuple[Member, Sequence[str]]]:
        """Find the members whom `names` may mean, each with those that do, and those in `also`."""
        return await self._core.store.people.called(guild_id, names, also)

    async def find_alike(self, guild_id: GuildId, name: str) -> dict[UserId, Member]:
        """Find members whose names are similar to `name`, which no member has."""
        return await self._core.store.people.called_alike(guild_id, name)

    async def find_claimed(self, viewer: Viewer, names: Collection[str]) -> dict[UserId, Member]:
        """Find the members for whom the viewer has used one of `names`, which no member has."""
        return await self._core.store.people.claimed(viewer.guild_id, viewer.user_id, names, viewer.audiences)

    async def channels(self, guild_id: GuildId) -> Mapping[ChannelId, Channel]:
        """List a guild's known channels."""
        return await self._core.guilds.channels(guild_id)

    async def channel_names(self, viewer: Viewer) -> dict[ChannelId, str]:
        """Get the names of the channels and threads that every reader of the answer can see."""
        known = await self._core.guilds.channels(viewer.guild_id)
        return {c.channel_id: c.name for c in known.values() if may_hear(viewer, c.audience)}

    async def restricted(self, guild_id: GuildId) -> Mapping[ChannelId, AudienceId]:
        """Get the audience of each channel that not everyone can read."""
        return await self._core.guilds.restricted(guild_id)

    # As Discord tells of it

    async def update_channel(self, channel: Channel) -> bool:
        """Record a channel's name and audience. Return whether the audience changed."""
        moved = await self._core.store.channels.update(channel)
        self._core.generations.move(channel.guild_id)
        return moved

    async def update_layout(self, layout: Layout) -> int:
        """Record who can read each channel of a guild, and what each audience may be told. Return how many channels
        changed."""
        moved = await self._core.store.channels.update_all(layout)
        self._core.generations.move(layout.guild_id)
        return moved

    async def layouts(self, guild_ids: Collection[GuildId]) -> dict[GuildId, StoredLayout]:
        """Get the recorded layouts of guilds. A layout that has not changed need not be recorded again."""
        return await self._core.store.channels.layouts(guild_ids)

    async def away(self, guild_ids: Collection[GuildId]) -> set[GuildId]:
        """List the guilds that the bot left or that were erased."""
        return await self._core.store.people.away(guild_ids)

    async def claim_next_member_check(self, guild_ids: Collection[GuildId], every: timedelta) -> GuildId | None:
        """Claim the guild whose members were checked longest ago, if that is longer than `every`. It then counts as
        checked."""
        now = self._core.clock()
        return await self._core.store.people.claim_next_member_check(guild_ids, now, now - every)

    # The connection to Discord

    async def shards_begun(self, shard_count: int, shard_ids: Collection[int], at: datetime) -> None:
        """Record that shards have been connected since `at`. Only messages after that can count as missed."""
        await self._core.store.processes.begun(shard_count, shard_ids, at)

    async def shards_whole(self, shard_count: int, shard_ids: Collection[int], until: datetime) -> None:
        """Record that shards are connected, and that none of their messages are missing up to `until`."""
        await self._core.store.processes.connected(shard_count, shard_ids, until)

    async def shards_whole_until(self) -> dict[tuple[int, int], datetime]:
        """Get the moment up to which nothing is missing of each shard, by (number of shards, shard)."""
        return await self._core.store.processes.whole_until()

    async def is_due(self, work: str, every: timedelta) -> bool:
        """Claim scheduled work if no process has done it within `every`. Return whether it was claimed."""
        return await self._core.store.processes.is_due(work, every, self._core.clock())

    # What went

    async def channel_deleted(self, guild_id: GuildId, channel_id: ChannelId) -> int:
        """Delete everything written or taught in a channel or thread that was deleted. Return the number of rows."""
        removed = await self._erasure.channel(guild_id, [channel_id], actor_id=OPERATOR, is_gone=True)
        return sum(removed.values())

    async def on_members_left(self, guild_id: GuildId, user_ids: Collection[UserId]) -> None:
        """Record that members left. What is stored about them is deleted after a grace period, unless they return."""
        if await self._core.store.people.record_left(guild_id, user_ids, self._core.clock()):
            self._core.generations.move(guild_id)

    async def on_members_joined(self, guild_id: GuildId, user_ids: Collection[UserId]) -> None:
        """Record that members are present."""
        await self._core.store.people.record_left(guild_id, user_ids, None)

    async def on_bot_removed(self, guild_id: GuildId) -> None:
        """Record that the bot was removed from a guild. The guild is erased after a grace period, unless the bot
        returns."""
        if (await self._core.store.people.rules(guild_id)).left_at is None:
            await self._core.store.people.set_rules(guild_id, left_at=self._core.clock())
            self._core.generations.move(guild_id)

    async def on_bot_joined(self, guild_id: GuildId) -> None:
        """Record that the bot is in a guild."""
        if await self._core.store.people.record_bot_joined(guild_id):
            self._core.generations.move(guild_id)

    async def on_guild_named(self, guild_id: GuildId, name: str) -> None:
        """Record what a guild is called now."""
        name = fit(one_line(name), MAX_GUILD_NAME)
        if name and (await self._core.guilds.rules(guild_id)).guild_name != name:
            await self._core.store.people.set_rules(guild_id, guild_name=name)
            self._core.generations.move(guild_id)

    async def greet(self, guild_id: GuildId) -> bool:
        """Record that a guild was told what the bot stores. Return whether that is new."""
        before = (await self._core.store.people.rules(guild_id)).greeted
        await self._core.store.people.set_rules(guild_id, greeted_at=self._core.clock())
        self._core.generations.move(guild_id)
        return not before

    # What the bot notes about itself

    async def state(self, name: str) -> str | None:
        """Get what the bot recorded under `name`."""
        return await self._core.store.people.state(name)

    async def set_state(self, name: str, value: str) -> None:
        """Record `value` under `name`."""
        await self._core.store.people.set_state(name, value)
