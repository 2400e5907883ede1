"""Erasure: whole members, channels and guilds, and what a choice of consent no longer allows to be kept."""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Awaitable, Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import timedelta

from memory.core import Core
from memory.forgetting.execution import UNDO
from memory.forgetting.sealing import Seal
from memory.ids import ALL_GUILDS, AudienceId, ChannelId, GuildId, UserId
from memory.observer import Removal
from memory.permissions import Viewer, readable_audiences_of
from memory.records import Chosen, Consent, Member, Receipt, Undo
from memory.rules.carried_names import CarriedName, carried_names

GUILD_GRACE = timedelta(days=7)
"""How long a guild that removed the bot may come back before everything of it goes."""


@dataclass(frozen=True)
class Erasure:
    """Removes everything that is someone's or somewhere's. Whoever calls it has asked `permissions` first."""

    _core: Core

    async def choose(self, viewer: Viewer, subject: Member, consent: Consent, guild_ids: Sequence[GuildId]) -> Chosen:
        """Record what a member lets the bot keep, and remove the rest; a receipt for each guild.

        For ten minutes they can undo it in the guild where they chose.
        """
        receipts: list[Receipt] = []
        undo: Undo | None = None
        before = (
            await self._core.store.consents.chosen(ALL_GUILDS, subject.user_id) if ALL_GUILDS in guild_ids else None
        )
        for guild_id in guild_ids:
            seal, now = Seal(), self._core.clock()
            names, here = await self._names(guild_id, subject), viewer.in_guild(guild_id)
            rooms = readable_audiences_of(here, subject.user_id)
            told = await self._counted(guild_id, subject, names, rooms)
            carried = await self._carried(guild_id, subject) if consent is Consent.OFF else ()
            began = time.perf_counter()
            entry_id, counts = await self._core.store.forgetting.choose(
                guild_id,
                subject.user_id,
                now,
                actor_id=viewer.user_id,
                consent=consent,
                carried=carried,
                names=names,
                undo_until=now + UNDO,
                seal=seal.close,
                everywhere={"everywhere": before} if guild_id and ALL_GUILDS in guild_ids else None,
            )
            self._was_taken_away("consent", guild_id, counts, began)
            if guild_id == viewer.guild_id and counts.total():
                undo = Undo(entry_id=entry_id, key=seal.key)
            if guild_id == ALL_GUILDS and consent is not Consent.ON:
                await self.direct(subject)
            if guild_id and consent is Consent.OFF:
                removed = counts if told is None else told
                receipts.append(
                    await self._receipt(guild_id, subject, names, f"consent {consent.value}", removed, rooms)
                )
        return Chosen(receipts=tuple(receipts), undo=undo)

    async def ignore(self, viewer: Viewer, subject: Member, is_ignored: bool) -> None:
        """Neither answer a member nor keep anything of them, or do so again; what is stored stays."""
        await self._core.store.forgetting.choose(
            viewer.guild_id,
            subject.user_id,
            self._core.clock(),
            actor_id=viewer.user_id,
            ignored=is_ignored,
            carried=await self._carried(viewer.guild_id, subject) if is_ignored else (),
        )
        self._core.generations.move(viewer.guild_id)

    async def member(
        self,
        guild_id: GuildId,
        subject: Member,
        *,
        actor_id: UserId,
        action: str = "erase",
        rooms: Collection[AudienceId] | None = None,
    ) -> Receipt:
        """Remove everything stored about a member in a guild; the receipt counts what was of `rooms`, or all."""
        names, now = await self._names(guild_id, subject), self._core.clock()
        told = await self._counted(guild_id, subject, names, rooms)
        work = self._core.store.forgetting.erase_member(
            guild_id, subject.user_id, names, now, actor_id, action, told=told
        )
        counts = await self._taken_away("member", guild_id, work)
        return await self._receipt(guild_id, subject, names, action, counts if told is None else told, rooms)

    async def _counted(
        self, guild_id: GuildId, subject: Member, names: Collection[str], rooms: Collection[AudienceId] | None
    ) -> dict[str, int] | None:
        """How many rows of `rooms` are about a member, by table; None where all may be told."""
        if rooms is None:
            return None
        return await self._core.store.forgetting.find_member(guild_id, subject.user_id, names, rooms)

    async def direct(self, subject: Member) -> None:
        """Remove a member's talks with the bot in direct messages."""
        await self._core.store.forgetting.erase_direct(subject.user_id)

    async def channel(
        self, guild_id: GuildId, channel_ids: Collection[ChannelId], *, actor_id: UserId, is_gone: bool
    ) -> dict[str, int]:
        """Remove what was written and told in channels and their threads; how many rows went, by table."""
        now = self._core.clock()
        work = self._core.store.forgetting.erase_channel(guild_id, channel_ids, now, actor_id, gone=is_gone)
        return _some(await self._taken_away("channel", guild_id, work))

    async def guild(self, guild_id: GuildId) -> None:
        """Remove everything of a guild."""
        await self._taken_away("guild", guild_id, self._core.store.forgetting.erase_guild(guild_id))

    async def _taken_away(self, kind: str, guild_id: GuildId, work: Awaitable[Counter[str]]) -> Counter[str]:
        began = time.perf_counter()
        counts = await work
        self._was_taken_away(kind, guild_id, counts, began)
        return counts

    def _was_taken_away(self, kind: str, guild_id: GuildId, counts: Counter[str], began: float) -> None:
        self._core.observer.removed(Removal(kind=kind, rows=counts.total(), seconds=time.perf_counter() - began))
        self._core.generations.move(guild_id)

    async def _carried(self, guild_id: GuildId, subject: Member) -> list[CarriedName]:
        """The names a member carries as they choose not to be remembered, as fingerprints, and since when."""
        known = (await self._core.store.people.members(guild_id, [subject.user_id])).get(subject.user_id) or subject
        of_name, now = self._core.suppressions.fingerprints.of_name, self._core.clock()
        carried = dict.fromkeys(n for n in (subject.display_name, subject.global_name, subject.username) if n)
        same = carried.keys() <= set(known.names)
        since = known.named_at if same else None
        return carried_names(map(of_name, carried), map(of_name, known.aliases), now, since)

    async def _names(self, guild_id: GuildId, subject: Member) -> tuple[str, ...]:
        """The names that mean a member and nobody else."""
        known = (await self._core.store.people.members(guild_id, [subject.user_id])).get(subject.user_id)
        member = (
            subject
            if known is None
            else replace(subject, aliases=tuple(dict.fromkeys((*known.names, *subject.aliases))))
        )
        return await self._core.suppressions.unambiguous_names(guild_id, member)

    async def _receipt(
        self,
        guild_id: GuildId,
        subject: Member,
        names: Collection[str],
        action: str,
        counts: Mapping[str, int],
        rooms: Collection[AudienceId] | None = None,
    ) -> Receipt:
        return Receipt(
            guild_id=guild_id,
            user_id=subject.user_id,
            action=action,
            at=self._core.clock(),
            removed=_some(counts),
            found=await self._core.store.forgetting.find_member(guild_id, subject.user_id, names, rooms),
        )


def _some(counts: Mapping[str, int]) -> dict[str, int]:
    return {table: count for table, count in counts.items() if count}
