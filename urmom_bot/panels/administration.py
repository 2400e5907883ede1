"""What those who manage a server may do: look first, then confirm. Every use is in the audit."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import UTC, datetime, timedelta

from memory import Change, Member, MemoryManager, Mode, Teachers, fit
from urmom_bot.panels.page import Button, Page
from urmom_bot.talk.finding import fact_line
from urmom_bot.talk.requests import Request
from urmom_bot.talk.talker import Talker, undo_button
from urmom_bot.talk.texts import Words

PREVIEWED = 10
"""Facts that a preview shows."""

ENTRIES = 15
"""Lines of a page of the audit."""


class Moderation:
    """Settings, ignoring, purging, rolling back, the audit. Everything asks for Manage Server, in code."""

    def __init__(self, memory: MemoryManager, talker: Talker) -> None:
        self._memory = memory
        self._talker = talker
        self.presses = {
            "rollback": self._rolled_back,
            "purgemember": self._purged_member,
            "purgechannel": self._purged_channel,
            "audit": self._audit,
        }

    async def set_teachers(self, said: Request, teachers: Teachers, words: Words) -> Page:
        """Who may teach facts about others."""
        if not said.may_manage:
            return Page(text=words("manage_denied"))
        await self._memory.decide(said.guild, by=said.speaker.user_id, action="teachers", teachers=teachers.value)
        text = words(f"teachers_{teachers.value}")
        return Page(text=text, log=text)

    async def set_log(self, said: Request, channel_id: int | None, words: Words) -> Page:
        """Where uses of these commands are told."""
        if not said.may_manage:
            return Page(text=words("manage_denied"))
        await self._memory.decide(said.guild, by=said.speaker.user_id, action="log", log_channel=channel_id)
        text = words("log_set", channel=f"<#{channel_id}>") if channel_id else words("log_off")
        return Page(text=text, log=text)

    async def set_base_role(
        self, said: Request, role_id: int | None, likely: int | None, words: Words, *, none: bool = False
    ) -> Page:
        """Which role counts as everyone; without one, what holds now, and the role that it is likely to be."""
        if not said.may_manage:
            return Page(text=words("manage_denied"))
        if role_id is None and not none:
            known = await self._memory.base_role(said.guild)
            told = [words("base_role_is", role=f"<@&{known}>") if known else words("base_role_none")]
            if likely is not None and likely != known:
                told.append(words("base_role_likely", role=f"<@&{likely}>"))
            return Page(text="\n".join(told))
        await self._memory.decide(said.guild, by=said.speaker.user_id, action="base_role", base_role=role_id)
        text = words("base_role_set", role=f"<@&{role_id}>") if role_id else words("base_role_none")
        return Page(text=text, log=text)

    async def set_mode(self, said: Request, channel_id: int, mode: Mode, words: Words) -> Page:
        """What the bot does in a channel."""
        if not said.may_manage:
            return Page(text=words("manage_denied"))
        await self._memory.set_mode(said.guild, channel_id, mode, by=said.speaker.user_id)
        text = words(f"mode_{mode.value}", channel=f"<#{channel_id}>")
        offer = () if mode is Mode.REMEMBER else ((self._purge_button(channel_id, words),),)
        return Page(text=text, rows=offer, log=text)

    async def ignore(self, said: Request, about: Member, ignored: bool, words: Words) -> Page:
        """Neither answer nor remember somebody, or do so again."""
        if not said.may_manage:
            return Page(text=words("manage_denied"))
        await self._memory.forgetting.ignore(said.guild, about, ignored, by=said.speaker.user_id)
        text = words("ignored" if ignored else "unignored", name=about.display_name)
        return Page(text=text, log=text)

    def _purge_button(self, channel_id: int, words: Words) -> Button:
        label = words("button_purge_channel")
        return Button(label=label, action="purgechannel", args=(str(channel_id),), style="danger")

    async def purge_channel(self, said: Request, channel_id: int, words: Words) -> Page:
        """Ask before everything of a channel goes."""
        if not said.may_manage:
            return Page(text=words("manage_denied"))
        text = words("purge_channel_sure", channel=f"<#{channel_id}>")
        return Page(text=text, rows=((self._purge_button(channel_id, words),),))

    async def purge_member(self, said: Request, about: Member, words: Words) -> Page:
        """Show what is stored about somebody, and ask before it goes."""
        if not said.may_manage:
            return Page(text=words("manage_denied"))
        (stored,) = await self._memory.forgetting.stored([said.guild], about.user_id)
        await self._memory.looked(said.guild, by=said.speaker.user_id, user_id=about.user_id)
        facts = stored.counts["facts_by_me"] + stored.counts["facts_by_others"]
        text = words(
            "purge_member_sure",
            name=about.display_name,
            messages=stored.counts["messages"],
            facts=facts,
            summaries=stored.counts["summaries"],
        )
        label = words("button_purge_member", name=fit(about.display_name, 40))
        button = Button(label=label, action="purgemember", args=(str(about.user_id),), style="danger")
        return Page(text=text, rows=((button,),))

    async def rollback(self, said: Request, teacher: Member, hours: float, words: Words) -> Page:
        """Show what somebody taught of late, and ask before it goes."""
        if not said.may_manage:
            return Page(text=words("manage_denied"))
        since = said.at - timedelta(hours=hours)
        await self._memory.looked(said.guild, by=said.speaker.user_id, user_id=teacher.user_id)
        facts = [f for f in await self._memory.taught_by(said.guild, teacher.user_id, since) if not f.private]
        if not facts:
            return Page(text=words("rollback_none", name=teacher.display_name))
        members = await self._memory.members(said.guild)
        shown = [f for f in facts if said.may_hear(f)][:PREVIEWED]
        lines = [words("rollback_sure", name=teacher.display_name, count=len(facts))]
        lines += [fact_line(fact, members, self._memory.standing(fact), words) for fact in shown]
        button = Button(
            label=words("button_rollback", count=len(facts)),
            action="rollback",
            args=(str(teacher.user_id), str(int(since.timestamp()))),
            style="danger",
        )
        return Page(text="\n".join(lines), rows=((button,),))

    async def audit(self, said: Request, page: int, words: Words) -> Page:
        """What was done by those who manage the server, newest first."""
        if not said.may_manage:
            return Page(text=words("manage_denied"))
        changes = await self._memory.audit(said.guild, limit=ENTRIES + 1, skip=page * ENTRIES)
        if page == 0:
            await self._memory.looked(said.guild, by=said.speaker.user_id)
        members = await self._memory.members(said.guild)
        lines = [words("audit", page=page + 1)]
        for change in changes[:ENTRIES]:
            who = members.get(change.actor_id)
            whom = members.get(change.user_id) if change.user_id else None
            lines.append(
                words(
                    "audit_line",
                    date=f"{change.at:%Y-%m-%d %H:%M}",
                    who=who.display_name if who else f"<@{change.actor_id}>",
                    action=words(f"action_{change.action}"),
                    whom=whom.display_name if whom else f"<@{change.user_id}>" if change.user_id else "",
                    details=_details(change, words),
                ).strip()
                + (" " + words("mark_undone") if change.undone_at else "")
            )
        if not changes:
            lines.append(words("audit_empty"))
        turn = (
            Button(label="◀", action="audit", args=(str(page - 1),), disabled=page == 0),
            Button(label="▶", action="audit", args=(str(page + 1),), disabled=len(changes) <= ENTRIES),
        )
        return Page(text="\n".join(lines), rows=(turn,), replaces=True)

    # Presses

    async def _rolled_back(
        self, said: Request, args: tuple[str, ...], _answers: Mapping[str, str], words: Words
    ) -> Page:
        if not said.may_manage:
            return Page(text=words("manage_denied"))
        teacher = await self._talker.member(said.guild, int(args[0]))
        since = datetime.fromtimestamp(int(args[1]), UTC)
        facts = [f for f in await self._memory.taught_by(said.guild, teacher.user_id, since) if not f.private]
        if not facts:
            return Page(text=words("rollback_none", name=teacher.display_name))
        undo = await self._memory.forgetting.rollback(said.guild, teacher, facts, by=said.speaker.user_id)
        text = words("rolled_back", name=teacher.display_name, count=len(facts))
        return Page(text=text, rows=((undo_button(undo, words),),), replaces=True, log=text)

    async def _purged_member(
        self, said: Request, args: tuple[str, ...], _answers: Mapping[str, str], words: Words
    ) -> Page:
        if not said.may_manage:
            return Page(text=words("manage_denied"))
        about = await self._talker.member(said.guild, int(args[0]))
        receipt = await self._memory.forgetting.erase(said.guild, about, by=said.speaker.user_id, action="purge_member")
        text = words("purged_member", name=about.display_name, count=sum(receipt.removed.values()))
        return Page(text=text, replaces=True, log=text)

    async def _purged_channel(
        self, said: Request, args: tuple[str, ...], _answers: Mapping[str, str], words: Words
    ) -> Page:
        if not said.may_manage:
            return Page(text=words("manage_denied"))
        removed = await self._memory.forgetting.erase_channel(
            said.guild, [int(args[0])], by=said.speaker.user_id, gone=False
        )
        text = words("purged_channel", channel=f"<#{args[0]}>", count=sum(removed.values()))
        return Page(text=text, replaces=True, log=text)

    async def _audit(self, said: Request, args: tuple[str, ...], _answers: Mapping[str, str], words: Words) -> Page:
        return await self.audit(said, int(args[0]), words)


def _details(change: Change, words: Words) -> str:
    """What was decided, or how much went."""
    removed = [f"{words('place_' + place)}: {n}" for place, n in change.details.get("removed", {}).items()]
    decided = [str(change.details[name]) for name in ("teachers", "mode") if name in change.details]
    places = [f"<#{change.details[name]}>" for name in ("channel", "log_channel") if change.details.get(name)]
    told = [*decided, *places]
    if removed:
        told.append(words("receipt_removed", removed=", ".join(removed)))
    return " ".join(told)
