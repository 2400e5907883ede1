"""Who opens a page: their session, the rights that they have now, and how the page speaks to them."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass, replace
from datetime import datetime
from types import MappingProxyType
from zoneinfo import ZoneInfo

from memory import Member, MemoryManager, Viewer
from memory.ids import ALL_GUILDS, GuildId, UserId
from memory.permissions import OPERATOR, operator
from memory.records import PageAccess
from urmom_bot.flow.platform import Platform, Visitor
from urmom_bot.page.rendering import Voice
from urmom_bot.talk import Texts


@dataclass(frozen=True, kw_only=True)
class Visit:
    """One request of somebody who is signed in."""

    session: str
    access: PageAccess
    viewer: Viewer
    member: Member
    texts: Texts
    zone: ZoneInfo
    guild_name: str

    @property
    def is_operator(self) -> bool:
        """Whether it is whoever runs the bot."""
        return self.viewer.is_operator


class Visits:
    """Finds out who visits. Raises DatabaseUnavailable, and TryLater where Discord is away."""

    def __init__(self, platform: Platform, memory: MemoryManager) -> None:
        self._platform = platform
        self._memory = memory

    async def visitor(self, guild_id: GuildId, user_id: UserId) -> Visitor | None:
        """A member with the rights that they have now; None where they are not in the guild any more."""
        return await self._platform.visitor(guild_id, user_id)

    def guild_names(self) -> dict[GuildId, str]:
        """What the guilds of this process's shards are called."""
        return {guild.guild_id: guild.name for guild in self._platform.guilds()}

    async def visit(self, session: str) -> Visit | None:
        """The visit that a session makes; None where it has ended. It ends with the membership."""
        access = await self._memory.access.session(session)
        if access is None:
            return None
        texts = Texts(access.language)
        zone = await self._memory.guilds.time_zone(access.guild_id)
        if access.user_id == OPERATOR:
            member = Member(
                guild_id=ALL_GUILDS, user_id=OPERATOR, display_name=texts.plain("page_operator"), username=""
            )
            viewer, name = operator(access.guild_id), texts.plain("page_operator")
        else:
            visitor = await self.visitor(access.guild_id, access.user_id)
            if visitor is None:
                await self._memory.access.end_all(access.guild_id, access.user_id)
                return None
            viewer, member, name = visitor.viewer, visitor.member, visitor.guild_name
        return Visit(
            session=session, access=access, viewer=viewer, member=member, texts=texts, zone=zone, guild_name=name
        )

    def voice(self, visit: Visit, now: datetime) -> Voice:
        """How the page speaks to a visitor, without any names."""
        return Voice(texts=visit.texts, zone=visit.zone, now=now)

    async def with_names(
        self, voice: Voice, visit: Visit, people: Collection[UserId], known: Mapping[UserId, str] = MappingProxyType({})
    ) -> Voice:
        """The same with the names of people, those `known` already among them, and of the channels that the visitor can
        read."""
        guild_id = visit.viewer.guild_id
        wanted = {n for n in people if n > 0} - {visit.viewer.user_id, *known}
        members = await self._memory.guilds.members(guild_id, wanted) if wanted else {}
        names = {**known, **{user_id: member.display_name for user_id, member in members.items()}}
        names[visit.viewer.user_id] = visit.member.display_name
        may_read = set(visit.viewer.readable_audiences)
        channels = {
            channel.channel_id: channel.name
            for channel in (await self._memory.guilds.channels(guild_id)).values()
            if channel.audience in may_read
        }
        return replace(voice, people=names, channels=channels)
