"""Privacy: what a member lets the bot keep, what is stored about them, and how to erase it."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from typing import Any

from memory.core import Core
from memory.forgetting.erasure import Erasure
from memory.forgetting.export import Exports
from memory.ids import ALL_GUILDS, AudienceId, ChannelId, GuildId, UserId
from memory.levels.composing import by_day, day_text, days_text
from memory.levels.periods import PERIODS, Lives
from memory.options import Retention
from memory.permissions import (
    Viewer,
    may_administer,
    may_choose,
    may_erase,
    may_export,
    may_import,
    may_see_stored,
    readable_audiences_of,
    require,
)
from memory.records import Change, Choice, Chosen, Consent, Member, MemberText, Note, Receipt, Stored
from memory.rules.calendar import day_of


@dataclass(frozen=True)
class PrivacyService:
    """What is stored about a person, for them to see and to delete. May raise NotAllowed and DatabaseUnavailable."""

    _core: Core
    _erasure: Erasure
    _exports: Exports
    _retention: Retention

    # Choices

    async def choice(self, guild_id: GuildId, user_id: UserId) -> Choice:
        """Get a member's choice in a guild, or everywhere for guild 0."""
        return (await self._core.suppressions.choices(guild_id, [user_id]))[user_id]

    async def choose(self, viewer: Viewer, subject: Member, consent: Consent, guild_id: GuildId) -> Chosen:
        """Record what a member lets the bot keep, in a guild or everywhere, and delete the rest. Raises NotAllowed."""
        require(may_choose(viewer, subject.user_id))
        guilds = await self._guilds(viewer, guild_id, subject.user_id)
        return await self._erasure.choose(viewer, subject, consent, [guild_id, *(g for g in guilds if g != guild_id)])

    async def ignore(self, viewer: Viewer, subject: Member, is_ignored: bool) -> None:
        """Stop or resume answering a member and keeping anything of theirs. Raises NotAllowed."""
        require(may_administer(viewer))
        await self._erasure.ignore(viewer, subject, is_ignored)

    async def set_jokes(self, viewer: Viewer, subject: Member, wanted: bool) -> None:
        """Allow or forbid jokes about a member. Raises NotAllowed."""
        require(may_choose(viewer, subject.user_id))
        await self._core.store.people.set_jokes(subject, wanted, self._core.clock())

    async def introduce(self, viewer: Viewer) -> bool:
        """Record that the viewer was told that the bot remembers.

        Return True if they had not been told before and anything of theirs is kept.
        """
        return await self._core.store.people.introduce(viewer.guild_id, viewer.user_id)

    # What is stored

    async def stored(self, viewer: Viewer, user_id: UserId, guild_id: GuildId) -> list[Stored]:
        """Count what is stored about a member, in a guild or in each guild that knows them.

        A manager's count of another member's data is recorded in the audit. Raises NotAllowed.
        """
        guilds = await self.guilds_of(user_id) if guild_id == ALL_GUILDS else [guild_id]
        require(all(may_see_stored(viewer.in_guild(g), user_id) for g in guilds))
        if not viewer.is_person(user_id):
            await self._look(viewer, user_id)
        return [
            await self._core.store.forgetting.stored(g, user_id, readable_audiences_of(viewer.in_guild(g), user_id))
            for g in guilds
        ]

    async def guilds_of(self, user_id: UserId) -> list[GuildId]:
        """List the guilds that know anything about a member."""
        return await self._core.store.consents.guilds_with(user_id, await self._core.store.people.guilds())

    async def days(self, viewer: Viewer, user_id: UserId) -> list[MemberText]:
        """List the notes about a member, newest first, by the day, week or month that they are kept as part of, and
        the summaries of the days before."""
        tz = await self._core.guilds.zone(viewer.guild_id)
        notes = await self._core.store.notes.of_member(viewer.guild_id, user_id, viewer.shown_audiences)
        oldest = Lives.at(self._core.clock(), self._retention)
        periods: dict[tuple[AudienceId, tuple[str, date]], list[Note]] = defaultdict(list)
        for note in notes:
            periods[note.audience, oldest.period(day_of(note.at, tz))].append(note)
        days = [
            MemberText(
                level=level,
                day=first,
                audience=audience,
                text=day_text(found, user_id) if level == "day" else days_text(by_day(found, tz), user_id),
                evidence=tuple(dict.fromkeys(message for note in found for message in note.evidence)),
            )
            for (audience, (level, first)), found in periods.items()
        ]
        before = await self._core.store.summaries.of_member(viewer.guild_id, user_id, viewer.audience)
        found = await self._core.naming.texts_with_names(viewer.guild_id, (*days, *before))
        return sorted(found, key=lambda text: (text.day, text.level in PERIODS, -text.audience), reverse=True)

    async def export(self, viewer: Viewer, user_id: UserId, guild_id: GuildId) -> list[dict[str, Any]]:
        """Export everything stored about a member, in a guild or in each guild that knows them, as JSON. Raises
        NotAllowed.

        A member does not get what others said in channels that the member cannot read. The operator gets everything.
        """
        require(may_export(viewer, user_id))
        guilds = await self._guilds(viewer, guild_id, user_id)
        return [
            await self._exports.write(g, user_id, readable_audiences_of(viewer.in_guild(g), user_id)) for g in guilds
        ]

    async def restore_export(self, viewer: Viewer, export: Mapping[str, Any], guild_id: GuildId | None = None) -> int:
        """Store the live facts of an export, in its own guild or another. Return how many were new.

        Raises ValueError if it is not an export, and NotAllowed.
        """
        require(may_import(viewer))
        return await self._exports.restore(export, guild_id)

    def is_own_export(self, export: Mapping[str, Any], guild_id: GuildId | None = None) -> bool:
        """Whether an export's facts come back as they were: this installation wrote it, and it stays in its guild."""
        return self._exports.is_own(export, guild_id)

    # The end of it

    async def erase(self, viewer: Viewer, subject: Member, guild_id: GuildId) -> list[Receipt]:
        """Erase everything about a member, in a guild or in each guild that knows them. Raises NotAllowed."""
        guilds = await self._guilds(viewer, guild_id, subject.user_id)
        require(all(may_erase(viewer.in_guild(g), subject.user_id) for g in guilds))
        action = "erase" if viewer.is_person(subject.user_id) else "purge_member"
        if guild_id == ALL_GUILDS:
            await self._erasure.direct(subject)
        return [
            await self._erasure.member(
                g,
                subject,
                actor_id=viewer.user_id,
                action=action,
                rooms=readable_audiences_of(viewer.in_guild(g), subject.user_id),
            )
            for g in guilds
        ]

    async def purge_channel(self, viewer: Viewer, channel_id: ChannelId) -> dict[str, int]:
        """Delete everything written and taught in a channel. Return the number of rows by table. Raises NotAllowed."""
        require(may_administer(viewer))
        return await self._erasure.channel(viewer.guild_id, [channel_id], actor_id=viewer.user_id, is_gone=False)

    # The audit

    async def audit(self, viewer: Viewer, *, limit: int, skip: int = 0) -> Sequence[Change]:
        """List what managers did in a guild, newest first. Looking at it is recorded too. Raises NotAllowed."""
        require(may_administer(viewer))
        found = await self._core.store.audit.list(viewer.guild_id, administrative=True, limit=limit, skip=skip)
        if skip == 0:
            await self._look(viewer, None)
        return found

    async def note_look(self, viewer: Viewer, user_id: UserId) -> None:
        """Record that a moderator looked at what a member taught, or at what is known about them. Raises NotAllowed."""
        require(viewer.moderates)
        await self._look(viewer, user_id)

    async def _look(self, viewer: Viewer, user_id: UserId | None) -> None:
        await self._core.store.audit.note(
            viewer.guild_id,
            at=self._core.clock(),
            actor_id=viewer.user_id,
            action="look",
            user_id=user_id,
            administrative=True,
        )

    async def _guilds(self, viewer: Viewer, guild_id: GuildId, user_id: UserId) -> list[GuildId]:
        """The guild asked for, or, for everywhere, all that know the member and the one where they ask."""
        if guild_id != ALL_GUILDS:
            return [guild_id]
        known = await self.guilds_of(user_id)
        return list(dict.fromkeys([*known, *([viewer.guild_id] if viewer.guild_id else [])]))
