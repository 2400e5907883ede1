"""Gathers what the views show: asks memory as the viewer, so that nothing comes that they may not hear."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import replace
from datetime import datetime

from memory import Fact, Member, MemoryManager, Message, Mode, Viewer
from memory.ids import GuildId, MessageId, UserId
from memory.records import Topic
from memory.rules.ageing import Standing
from urmom_bot import views
from urmom_bot.snowflakes import jump_link

FACTS_A_PAGE = 4
"""Facts of a page: one row of buttons each, and one to turn the page."""

TOPICS_A_PAGE = 5
"""Topics, and lines of one, of a page: a button each, in one row."""

CHANGES_A_PAGE = 8
"""Changes of a page of history."""

AUDIT_A_PAGE = 15
"""Lines of a page of the audit."""

DAY_LINKS = 3
"""Links to what shows a day's notes, at the most."""

MEMBER_LINKS = 5
"""Links to what an answer was given about one member, at the most."""

WHY_LINKS = 10
"""Links to what a search found for an answer, at the most."""

GUILDS_SHOWN = 10
"""Guilds whose numbers the privacy panel shows, at the most."""


class Viewing:
    """Builds views. Raises NotAllowed where a view is for managers alone, and DatabaseUnavailable."""

    def __init__(self, memory: MemoryManager) -> None:
        self._memory = memory

    async def member(self, guild_id: GuildId, user_id: UserId) -> Member:
        """Somebody's names, or a stand-in for them where none is known."""
        found = (await self._memory.guilds.members(guild_id, [user_id])).get(user_id)
        return found or Member(guild_id=guild_id, user_id=user_id, display_name=f"<@{user_id}>", username=str(user_id))

    async def settings(self, viewer: Viewer, lacking: Sequence[views.ChannelRights]) -> views.SettingsView:
        """What the viewer's server has decided, and how the bot stands in its channels."""
        guilds, guild_id = self._memory.guilds, viewer.guild_id
        channels = (await guilds.channels(guild_id)).values()
        modes = {mode: tuple(c.channel_id for c in channels if c.mode is mode) for mode in (Mode.OFF, Mode.TALK)}
        return views.SettingsView(
            rules=await guilds.rules(guild_id),
            facts=await self._memory.insight.fact_numbers(viewer),
            zone=(await guilds.time_zone(guild_id)).key,
            used_today=await self._memory.used_today(guild_id),
            modes={mode: found for mode, found in modes.items() if found},
            without_captions=tuple(c.channel_id for c in channels if not c.captions),
            lacking=tuple(lacking),
        )

    async def listed(self, viewer: Viewer, facts: Sequence[Fact]) -> list[views.FactView]:
        """Facts, each with who told it."""
        return [views.fact_view(viewer, fact, self._memory.facts.standing(fact)) for fact in facts]

    async def topics(self, viewer: Viewer, page: int, size: int = TOPICS_A_PAGE) -> views.TopicsView:
        """A page of a server's topics, the one written to last first."""
        found = await self._memory.topics.list(viewer)
        paging = views.paged(page, len(found), size)
        shown = found[paging.page * size : (paging.page + 1) * size]
        return views.TopicsView(count=len(found), topics=tuple(shown), paging=paging)

    async def topic(self, viewer: Viewer, topic: Topic, page: int, size: int = TOPICS_A_PAGE) -> views.TopicView:
        """A page of a topic's lines, numbered as on the whole page: what holds, then what was replaced, each the latest
        first."""
        lines = await self._memory.topics.lines(viewer, topic.topic_id)
        numbered = sorted(enumerate(lines, 1), key=lambda one: (one[1].replaced_at is not None, -one[0]))
        paging = views.paged(page, len(numbered), size)
        on_page = numbered[paging.page * size : (paging.page + 1) * size]
        messages = await self._memory.messages.get_many(viewer, {n for _, line in on_page for n in line.evidence})
        shown = [
            views.line_view(
                viewer, line, topic.topic_id, number, next(iter(_links(line.evidence, messages, 1)), None), paging.page
            )
            for number, line in on_page
        ]
        return views.TopicView(
            topic_id=topic.topic_id, name=topic.name, count=len(lines), lines=tuple(shown), paging=paging
        )

    async def fact(self, viewer: Viewer, fact: Fact) -> views.FactView:
        """One fact with what the viewer may do with it; with one that is retired, nothing."""
        page = 0 if fact.retired_at is None else None
        sources = await self._memory.facts.sources(viewer, [fact])
        standing, times = self._memory.facts.standing(fact), len(sources.get(fact.fact_id, ()))
        return views.fact_view(viewer, fact, standing, times_told=times, page=page)

    async def conclusions(self, viewer: Viewer, subject: Member, page: int, size: int) -> views.TopicView:
        """A page of what was concluded about a member or by their words, the latest first."""
        lines = await self._memory.topics.involving(viewer, subject.user_id)
        paging = views.paged(page, len(lines), size)
        on_page = lines[paging.page * size : (paging.page + 1) * size]
        messages = await self._memory.messages.get_many(viewer, {n for line in on_page for n in line.evidence})
        shown = []
        for line in on_page:
            link = next(iter(_links(line.evidence, messages, 1)), None)
            view = views.line_view(viewer, line, line.topic_id or 0, line.conclusion_id, link, paging.page)
            shown.append(view if line.topic_id else replace(view, actions=()))  # a line is deleted on its page
        return views.TopicView(
            topic_id=0, name=subject.display_name, count=len(lines), lines=tuple(shown), paging=paging
        )

    async def facts(self, viewer: Viewer, subject: Member, page: int, size: int = FACTS_A_PAGE) -> views.FactsView:
        """A page of what a member's facts are, the subject's own word first."""
        facts = await self._memory.facts.list(viewer, subject.user_id)
        standings = {fact.fact_id: self._memory.facts.standing(fact) for fact in facts}
        plain = {fact.fact_id: views.fact_view(viewer, fact, standings[fact.fact_id]) for fact in facts}
        ordered = sorted(facts, key=lambda fact: (plain[fact.fact_id].told, fact.created_at, fact.fact_id))
        paging = views.paged(page, len(ordered), size)
        shown = ordered[paging.page * size : (paging.page + 1) * size]
        sources = await self._memory.facts.sources(viewer, shown)
        return views.FactsView(
            user_id=subject.user_id,
            name=subject.display_name,
            count=len(ordered),
            stale=sum(standing is Standing.STALE for standing in standings.values()),
            domains=Counter(fact.domain for fact in facts),
            facts=tuple(
                views.fact_view(
                    viewer,
                    fact,
                    standings[fact.fact_id],
                    times_told=len(sources.get(fact.fact_id, ())),
                    page=paging.page,
                )
                for fact in shown
            ),
            paging=paging,
        )

    async def days(self, viewer: Viewer, subject: Member, page: int, size: int = FACTS_A_PAGE) -> views.DaysView:
        """A page of what is noted about a member, the newest day first."""
        texts = await self._memory.privacy.days(viewer, subject.user_id)
        paging = views.paged(page, len(texts), size)
        shown = texts[paging.page * size : (paging.page + 1) * size]
        messages = await self._memory.messages.get_many(
            viewer, {n for text in shown for n in text.evidence[:DAY_LINKS]}
        )
        return views.DaysView(
            user_id=subject.user_id,
            name=subject.display_name,
            count=len(texts),
            days=tuple(
                views.day_view(viewer, subject.user_id, text, _links(text.evidence[:DAY_LINKS], messages), paging.page)
                for text in shown
            ),
            paging=paging,
        )

    async def history(
        self, viewer: Viewer, subject: Member, page: int, size: int = CHANGES_A_PAGE
    ) -> views.HistoryView:
        """A page of what was changed about a member, and what the viewer may restore."""
        page = max(page, 0)
        changes, more_changes = await self._memory.facts.history(viewer, subject.user_id, limit=size, skip=page * size)
        retired = await self._memory.facts.list_retired(viewer, subject.user_id)
        shown = retired[page * FACTS_A_PAGE : (page + 1) * FACTS_A_PAGE]
        restorable = [views.restorable_view(viewer, fact, newer, page) for fact, newer in shown]
        has_next = more_changes or len(retired) > (page + 1) * FACTS_A_PAGE
        return views.HistoryView(
            user_id=subject.user_id,
            name=subject.display_name,
            changes=tuple(views.change_view(change, facts_shown) for change, facts_shown in changes),
            restorable=tuple(view for view in restorable if view is not None),
            paging=views.Paging(page=page, has_next=has_next),
        )

    async def why(self, viewer: Viewer, reply_id: MessageId) -> views.WhyView | None:
        """What one of the bot's answers was given; None where that is not known any more."""
        given = await self._memory.replies.given(viewer, reply_id)
        if given is None:
            return None
        facts = await self._memory.facts.get_many(viewer, given.fact_ids)
        people = {*given.members, *(fact.stated_by for fact in facts.values())}
        members = await self._memory.guilds.members(viewer.guild_id, people)
        searched = given.found.message_ids[:WHY_LINKS] if given.found is not None else ()
        cited = [n for of_member in given.members.values() for n in of_member.message_ids[:MEMBER_LINKS]]
        messages = await self._memory.messages.get_many(viewer, [*searched, *cited])
        found = [
            views.why_member_view(
                viewer,
                user_id,
                given,
                self._live(viewer, [facts[n] for n in of_member.fact_ids if n in facts]),
                _links(of_member.message_ids[:MEMBER_LINKS], messages),
                members[user_id].display_name if user_id in members else None,
            )
            for user_id, of_member in given.members.items()
        ]
        return views.WhyView(
            members=tuple(found),
            found_links=tuple(_links(searched, messages)) if given.found is not None else None,
            names={user_id: member.display_name for user_id, member in members.items()},
        )

    def _live(self, viewer: Viewer, facts: Sequence[Fact]) -> list[views.FactView]:
        live = [fact for fact in facts if fact.retired_at is None]
        return [views.fact_view(viewer, fact, self._memory.facts.standing(fact)) for fact in live]

    async def links(self, viewer: Viewer, message_ids: Sequence[MessageId]) -> list[str]:
        """The addresses of messages, of those that are still stored and that the viewer may hear."""
        return _links(message_ids, await self._memory.messages.get_many(viewer, message_ids))

    async def privacy(self, viewer: Viewer, guild_names: Mapping[GuildId, str]) -> views.PrivacyView:
        """What is stored about the viewer, wherever it is, and what they let be kept here."""
        here = viewer.guild_id or None
        guilds = (await self._memory.privacy.guilds_of(viewer.user_id))[:GUILDS_SHOWN]
        stored = [s for g in guilds for s in await self._memory.privacy.stored(viewer, viewer.user_id, g)]
        choice = await self._memory.privacy.choice(viewer.guild_id, viewer.user_id)
        return views.PrivacyView(
            here=here,
            stored=tuple(
                views.StoredView(
                    guild_id=of_guild.guild_id,
                    guild_name=guild_names.get(of_guild.guild_id),
                    is_here=of_guild.guild_id == here,
                    stored=of_guild,
                )
                for of_guild in stored
            ),
            consent=choice.consent,
            is_ignored=choice.is_ignored,
        )

    async def audit(self, viewer: Viewer, page: int) -> views.AuditView:
        """A page of what managers did, newest first."""
        page = max(page, 0)
        changes = await self._memory.privacy.audit(viewer, limit=AUDIT_A_PAGE + 1, skip=page * AUDIT_A_PAGE)
        shown = changes[:AUDIT_A_PAGE]
        people = {user_id for change in shown for user_id in (change.actor_id, change.user_id) if user_id}
        members = await self._memory.guilds.members(viewer.guild_id, people)
        return views.AuditView(
            lines=tuple(views.audit_line_view(change, members, self._memory.clock()) for change in shown),
            paging=views.Paging(page=page, has_next=len(changes) > AUDIT_A_PAGE),
        )

    async def taught(
        self, viewer: Viewer, teacher: Member, since: datetime, limit: int
    ) -> tuple[int, list[views.FactView]]:
        """How many facts a member taught since a moment, and the first of those the viewer may hear."""
        facts = await self._memory.facts.taught_by(viewer, teacher.user_id, since)
        facts_shown = await self._memory.facts.get_many(viewer, [fact.fact_id for fact in facts])
        return len(facts), await self.listed(viewer, [fact for fact in facts if fact.fact_id in facts_shown][:limit])


def _links(
    message_ids: Sequence[MessageId], messages: Mapping[MessageId, Message], most: int | None = None
) -> list[str]:
    """The addresses of those of some messages that are there."""
    found = [messages[n] for n in message_ids if n in messages][:most]
    return [link for m in found if (link := jump_link(m.guild_id, m.channel_id, m.message_id))]
