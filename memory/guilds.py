"""What each guild has decided, its channels and who hears what: read at once, and kept until it changes."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from zoneinfo import ZoneInfo

from cachetools import LRUCache

from memory.generations import Cached, Generations
from memory.ids import AudienceId, ChannelId, GuildId
from memory.records import EVERYONE, Channel, GuildRules, KnownGuild, Member, Mode
from memory.rules.audiences import CLASSES
from memory.store import Store
from memory.store.consents import Untold


class Guilds:
    """Answers what holds in a guild, by one statement after each change. Raises DatabaseUnavailable."""

    def __init__(self, store: Store, generations: Generations, default_zone: ZoneInfo) -> None:
        self._store = store
        self._generations = generations
        self._default_zone = default_zone
        self._known: Cached[tuple[KnownGuild, Callable[[], Untold]]] = generations.cache(LRUCache(10_000))

    async def get(self, guild_id: GuildId) -> KnownGuild:
        """Everything except what must not be told."""
        return (await self._read(guild_id))[0]

    async def untold(self, guild_id: GuildId) -> Untold:
        """What must not be told in a guild."""
        return (await self._read(guild_id))[1]()

    async def _read(self, guild_id: GuildId) -> tuple[KnownGuild, Callable[[], Untold]]:
        if (known := self._known.get(guild_id)) is not None:
            return known
        generation = self._generations.current(guild_id)
        found = await self._store.channels.guild(guild_id)
        self._known.save_if_current(generation, found, guild_id)
        return found

    async def rules(self, guild_id: GuildId) -> GuildRules:
        """What a guild has decided."""
        return (await self.get(guild_id)).rules

    async def server(self, guild_id: GuildId) -> Member:
        """The guild itself, which facts can be about."""
        return Member.server(guild_id, (await self.rules(guild_id)).guild_name)

    async def budget(self, guild_id: GuildId) -> int | None:
        """How many requests a day a guild allows itself; None is no bound."""
        return (await self.rules(guild_id)).daily_requests

    async def zone(self, guild_id: GuildId) -> ZoneInfo:
        """The zone that decides a guild's days."""
        name = (await self.get(guild_id)).time_zone
        return ZoneInfo(name) if name else self._default_zone

    async def channels(self, guild_id: GuildId) -> Mapping[ChannelId, Channel]:
        """The known channels of a guild."""
        return (await self.get(guild_id)).channels

    async def mode(self, guild_id: GuildId, channel_id: ChannelId) -> Mode:
        """What the bot does in a channel."""
        return (await self.get(guild_id)).mode(channel_id)

    async def restricted(self, guild_id: GuildId) -> Mapping[ChannelId, AudienceId]:
        """The audience of each channel that not everyone can read."""
        channels = (await self.get(guild_id)).channels
        return {c.channel_id: c.audience for c in channels.values() if c.audience != EVERYONE}

    async def audible_in(self, guild_id: GuildId, audience: AudienceId) -> tuple[AudienceId, ...]:
        """The audiences whose words may be told to the readers of `audience`; for an unknown one, the safe few."""
        found = await self.get(guild_id)
        if (known := found.hears.get(audience)) is not None:
            return tuple(sorted(known))
        if audience == EVERYONE or audience >= CLASSES or found.rules.base_role is not None:
            return (audience,)
        return (EVERYONE, audience)
