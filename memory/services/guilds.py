"""Guilds: their rules, channels and members, as they decide and as Discord tells of them."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any
from zoneinfo import ZoneInfo

from memory.core import Core
from memory.forgetting.erasure import Erasure
from memory.permissions import Viewer, may_administer, may_hear, public, require
from memory.records import EVERYONE, Channel, GuildRules, Member, Mode, StoredLayout, Teachers
from memory.rules.audiences import Layout
from memory.rules.calendar import zone_called
from memory.rules.questions import possible_names
from memory.rules.text import mentioned


@dataclass(frozen=True)
class GuildService:
    """What a guild is and has decided. Raises NotAllowed where a manager decides, and DatabaseUnavailable."""

    _core: Core
    _erasure: Erasure

    async def list(self) -> list[int]:
        """The guilds anything is stored of."""
        return await self._core.store.people.guilds()

    # What is decided

    async def rules(self, guild_id: int) -> GuildRules:
        """What a guild has decided."""
        return await self._core.guilds.rules(guild_id)

    async def time_zone(self, guild_id: int) -> ZoneInfo:
        """The zone that decides a guild's days."""
        return await self._core.guilds.zone(guild_id)

    async def set_teachers(self, viewer: Viewer, teachers: Teachers) -> None:
        """Decide who may teach facts about others. Raises NotAllowed."""
        await self._decide(viewer, "teachers", {"teachers": teachers.value})

    async def set_log_channel(self, viewer: Viewer, channel_id: int | None) -> None:
        """Decide where managers' actions are told; nowhere with None. Raises NotAllowed."""
        await self._decide(viewer, "log", {"log_channel": channel_id})

    async def set_base_role(self, viewer: Viewer, role_id: int | None) -> None:
        """Decide which role every member has once they are let in. Raises NotAllowed."""
        await self._decide(viewer, "base_role", {"base_role": role_id})

    async def decide(self, viewer: Viewer, **values: object) -> None:
        """Decide about memory, language, names, jokes, retention or budget, by their names in `GuildRules`.

        Raises NotAllowed.
        """
        await self._decide(viewer, "settings", values)

    async def _decide(self, viewer: Viewer, action: str, values: dict[str, object]) -> None:
        require(may_administer(viewer))
        await self._core.store.people.set_rules(viewer.guild_id, **values)
        self._core.generations.move(viewer.guild_id)
        await self._audit(viewer, action, {name: str(value) for name, value in values.items()})

    async def mode(self, guild_id: int, channel_id: int) -> Mode:
        """What the bot does in a channel."""
        return await self._core.guilds.mode(guild_id, channel_id)

    async def set_mode(self, viewer: Viewer, channel_id: int, mode: Mode, *, captions: bool | None = None) -> None:
        """Decide what the bot does in a channel, and whether files there are put into words. Raises NotAllowed."""
        require(may_administer(viewer))
        await self._core.store.channels.set_mode(viewer.guild_id, channel_id, mode, captions)
        self._core.generations.move(viewer.guild_id)
        await self._audit(viewer, "mode", {"channel": str(channel_id), "mode": mode.value})

    async def set_time_zone(self, viewer: Viewer, name: str) -> None:
        """Let a zone decide a guild's days, by its name or city. Raises NotAllowed; ValueError where there is none."""
        require(may_administer(viewer))
        await self._core.store.people.set_time_zone(viewer.guild_id, zone_called(name).key)
        self._core.generations.move(viewer.guild_id)

    async def _audit(self, viewer: Viewer, action: str, details: dict[str, Any]) -> None:
        await self._core.store.audit.note(
            viewer.guild_id,
            at=self._core.clock(),
            actor_id=viewer.user_id,
            action=action,
            details=details,
            administrative=True,
        )

    # Who hears what

    async def base_role(self, guild_id: int) -> int | None:
        """The role that every member of a guild has once they are let in, where it has named one."""
        return (await self._core.guilds.rules(guild_id)).base_role

    async def audiences(self, guild_id: int, audience: int) -> tuple[int, ...]:
        """The audiences whose words may be told where `audience` reads."""
        return await self._core.guilds.audible_in(guild_id, audience)

    async def public(self, guild_id: int, audience: int = EVERYONE) -> Viewer:
        """Nobody in particular, before an audience."""
        return public(guild_id, audience, await self.audiences(guild_id, audience))

    # Members and channels

    async def members(self, guild_id: int, user_ids: Collection[int] | None = None) -> dict[int, Member]:
        """The known members of a guild, or those of `user_ids` alone."""
        return await self._core.store.people.members(guild_id, user_ids)

    async def find_named(self, guild_id: int, text: str, also: Collection[int] = ()) -> dict[int, Member]:
        """The members whom a text may name, by the start of a name, signs and case aside; and those of `also`."""
        return await self._core.store.people.called(guild_id, possible_names(text), {*mentioned(text), *also})

    async def find_alike(self, guild_id: int, name: str) -> dict[int, Member]:
        """Members who have a name much like one that nobody has."""
        return await self._core.store.people.called_alike(guild_id, name)

    async def find_claimed(self, viewer: Viewer, name: str) -> dict[int, Member]:
        """The members to whom the viewer themselves gave a name that nobody has."""
        return await self._core.store.people.claimed(viewer.guild_id, viewer.user_id, name, viewer.audiences)

    async def channels(self, guild_id: int) -> Mapping[int, Channel]:
        """The known channels of a guild."""
        return await self._core.guilds.channels(guild_id)

    async def channel_names(self, viewer: Viewer) -> dict[int, str]:
        """The names of the channels and threads that whoever reads the answer can see."""
        known = await self._core.guilds.channels(viewer.guild_id)
        return {c.channel_id: c.name for c in known.values() if may_hear(viewer, c.audience)}

    async def restricted(self, guild_id: int) -> Mapping[int, int]:
        """The audience of each channel that not everyone can read."""
        return await self._core.guilds.restricted(guild_id)

    # As Discord tells of it

    async def update_channel(self, channel: Channel) -> bool:
        """Record a channel's name and audience; returns whether its audience changed."""
        moved = await self._core.store.channels.update(channel)
        self._core.generations.move(channel.guild_id)
        return moved

    async def update_layout(self, layout: Layout) -> int:
        """Record who reads a guild's channels and what each audience may be told; returns how many channels moved."""
        moved = await self._core.store.channels.update_all(layout)
        self._core.generations.move(layout.guild_id)
        return moved

    async def layouts(self, guild_ids: Collection[int]) -> dict[int, StoredLayout]:
        """What is recorded of each guild's layout: where it is the same still, nothing need be."""
        return await self._core.store.channels.layouts(guild_ids)

    async def away(self, guild_ids: Collection[int]) -> set[int]:
        """The guilds of which it is recorded that the bot left, or that they were erased."""
        return await self._core.store.people.away(guild_ids)

    async def claim_next_member_check(self, guild_ids: Collection[int], every: timedelta) -> int | None:
        """The guild whose members were not asked after for longest, if for longer than `every`; it counts as asked."""
        now = self._core.clock()
        return await self._core.store.people.claim_next_member_check(guild_ids, now, now - every)

    # The connection to Discord

    async def shards_begun(self, shard_count: int, shard_ids: Collection[int], at: datetime) -> None:
        """Record that shards are connected since a moment: from then on something can be missing of them."""
        await self._core.store.processes.begun(shard_count, shard_ids, at)

    async def shards_whole(self, shard_count: int, shard_ids: Collection[int], until: datetime) -> None:
        """Record that shards are connected, and that nothing is missing until a moment of what they bring."""
        await self._core.store.processes.connected(shard_count, shard_ids, until)

    async def shards_whole_until(self) -> dict[tuple[int, int], datetime]:
        """Until when nothing is missing of each shard, by (number of shards, shard)."""
        return await self._core.store.processes.whole_until()

    async def is_due(self, work: str, every: timedelta) -> bool:
        """Take on scheduled work, unless any process did within `every`."""
        return await self._core.store.processes.is_due(work, every, self._core.clock())

    # What went

    async def channel_deleted(self, guild_id: int, channel_id: int) -> int:
        """A channel or thread is no more: what was written and told in it goes. Returns how many rows went."""
        removed = await self._erasure.channel(guild_id, [channel_id], actor_id=0, is_gone=True)
        return sum(removed.values())

    async def on_members_left(self, guild_id: int, user_ids: Collection[int]) -> None:
        """Members left: what is stored of them goes after a grace, unless they come back."""
        if await self._core.store.people.record_left(guild_id, user_ids, self._core.clock()):
            self._core.generations.move(guild_id)

    async def on_members_joined(self, guild_id: int, user_ids: Collection[int]) -> None:
        """Members are there."""
        await self._core.store.people.record_left(guild_id, user_ids, None)

    async def on_bot_removed(self, guild_id: int) -> None:
        """The bot was removed from a guild: what is stored goes after a grace, unless it comes back."""
        if (await self._core.store.people.rules(guild_id)).left_at is None:
            await self._core.store.people.set_rules(guild_id, left_at=self._core.clock())
            self._core.generations.move(guild_id)

    async def on_bot_joined(self, guild_id: int) -> None:
        """The bot is in a guild."""
        if await self._core.store.people.record_bot_joined(guild_id):
            self._core.generations.move(guild_id)

    async def greet(self, guild_id: int) -> bool:
        """Record that a guild was told what is stored; whether that is new."""
        before = (await self._core.store.people.rules(guild_id)).greeted
        await self._core.store.people.set_rules(guild_id, greeted_at=self._core.clock())
        self._core.generations.move(guild_id)
        return not before

    # What the bot notes about itself

    async def state(self, name: str) -> str | None:
        """What the bot recorded under `name`."""
        return await self._core.store.people.state(name)

    async def set_state(self, name: str, value: str) -> None:
        """Record `value` under `name`."""
        await self._core.store.people.set_state(name, value)
