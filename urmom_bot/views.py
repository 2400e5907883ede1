"""What a person is shown, as values with the actions they may take: no Markdown, no HTML, no language. Pure.

Discord's panels render them, and so may a page. What a viewer may not hear is not in their view.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date, datetime
from enum import IntEnum

from memory import Change, Consent, Fact, FallbackLevel, Given, Member, Mode, Stored, Undo, Viewer
from memory.ids import ChannelId, GuildId, UserId
from memory.permissions import (
    may_confirm,
    may_correct,
    may_drop_line,
    may_restore,
    may_strike,
    may_strike_days,
)
from memory.records import Conclusion, Confidence, FactDomain, FactNumbers, GuildRules, MemberText, Topic
from memory.rules.ageing import Standing
from urmom_bot.actions import Action
from urmom_bot.snowflakes import jump_link


def undo_action(undo: Undo) -> Action:
    """Take a change back; carries the key to what was taken away, which is kept nowhere else."""
    return Action(name="undo", args=(str(undo.entry_id), undo.key))


def receipt_action(undo: Undo) -> Action:
    """Show what a change removed, and what a second search found; it can still be taken back there."""
    return Action(name="receipt", args=(str(undo.entry_id), undo.key))


def details_action(user_id: UserId, name: str = "") -> Action:
    """Show what is known of somebody fact by fact: who told it, when and where. The `name` tells it from others."""
    if not name:
        return Action(name="details", args=(str(user_id),))
    return Action(name="details_of", args=(str(user_id),), label={"name": name})


@dataclass(frozen=True, kw_only=True)
class Paging:
    """Which page this is, from 0, and whether there is one before and after it."""

    page: int
    pages: int | None = None
    """None where nobody counted them."""
    has_next: bool = False


def paged(page: int, count: int, size: int) -> Paging:
    """The page that is shown of `count` things, `size` a page: the nearest there is."""
    pages = max(1, -(-count // size))
    page = min(max(page, 0), pages - 1)
    return Paging(page=page, pages=pages, has_next=page + 1 < pages)


class Told(IntEnum):
    """Where a fact comes from, in the order in which facts are shown."""

    BY_SUBJECT = 0
    BY_OTHERS = 1
    INFERRED = 2


@dataclass(frozen=True, kw_only=True)
class FactView:
    """One fact."""

    fact_id: int
    text: str
    told: Told
    teller_id: UserId | None
    """Who told it; None for the subject themselves. Shown by id: anybody can take any name."""
    told_at: datetime
    standing: Standing
    is_private: bool
    confidence: Confidence
    times_told: int
    link: str | None
    channel_id: ChannelId | None = None
    """Where it was told."""
    actions: tuple[Action, ...] = ()


@dataclass(frozen=True, kw_only=True)
class FactsView:
    """A page of a member's facts, in the order of where they come from."""

    user_id: UserId
    name: str
    count: int
    stale: int
    domains: Mapping[FactDomain, int]
    """How many of the facts are about which part of a life."""
    facts: tuple[FactView, ...]
    paging: Paging


@dataclass(frozen=True, kw_only=True)
class DayView:
    """What is noted of a day, week or month, or the summary of the days before a day."""

    day: date
    period: str
    """"day", "week", "month", or "before" where it tells of the days before `day`."""
    text: str
    links: tuple[str, ...]
    actions: tuple[Action, ...] = ()


@dataclass(frozen=True, kw_only=True)
class DaysView:
    """A page of what is noted about a member."""

    user_id: UserId
    name: str
    count: int
    days: tuple[DayView, ...]
    paging: Paging


@dataclass(frozen=True, kw_only=True)
class LineView:
    """One line of a topic, and what it rests on."""

    number: int
    text: str
    at: datetime
    link: str | None
    actions: tuple[Action, ...] = ()
    since: datetime | None = None
    """When it was first concluded, where it was concluded again."""
    replaced_at: datetime | None = None
    """When a later line took its place; None while it holds."""


@dataclass(frozen=True, kw_only=True)
class TopicView:
    """A page of a topic's lines: what holds, then what was replaced, each the latest first."""

    topic_id: int
    name: str
    count: int
    lines: tuple[LineView, ...]
    paging: Paging


@dataclass(frozen=True, kw_only=True)
class TopicsView:
    """A page of a server's topics."""

    count: int
    topics: tuple[Topic, ...]
    paging: Paging


@dataclass(frozen=True, kw_only=True)
class ChangeView:
    """One change: who made it, when, and of which facts; a fact the viewer may not hear has no text."""

    at: datetime
    actor_id: UserId | None
    """Who made it; None for the bot itself, and for who runs it."""
    action: str
    facts: tuple[tuple[int, str | None], ...]
    is_undone: bool


@dataclass(frozen=True, kw_only=True)
class HistoryView:
    """A page of what was changed about a member, and the retired facts the viewer may restore."""

    user_id: UserId
    name: str
    changes: tuple[ChangeView, ...]
    restorable: tuple[FactView, ...]
    paging: Paging


@dataclass(frozen=True, kw_only=True)
class WhyMemberView:
    """What an answer was given about one member."""

    user_id: UserId
    name: str | None
    facts: tuple[FactView, ...]
    levels: tuple[str, ...]
    links: tuple[str, ...]
    gone: int
    """Facts it was given that are no more, or are not for this viewer."""
    kept_back: int
    """For the member alone: how many of their facts the answer was not given."""


@dataclass(frozen=True, kw_only=True)
class WhyView:
    """What an answer was given: of members, and by a search."""

    members: tuple[WhyMemberView, ...]
    found_links: tuple[str, ...] | None
    """None where nothing was searched for."""
    names: Mapping[UserId, str]
    """The names of whom it is about, and of who told the facts."""


@dataclass(frozen=True, kw_only=True)
class StoredView:
    """How much is stored about the viewer in one guild."""

    guild_id: GuildId
    guild_name: str | None
    is_here: bool
    stored: Stored


@dataclass(frozen=True, kw_only=True)
class PrivacyView:
    """What is stored about the viewer, what they let be kept, and in which guild they look, None for none."""

    here: GuildId | None
    stored: tuple[StoredView, ...]
    consent: Consent
    is_ignored: bool


@dataclass(frozen=True, kw_only=True)
class ChannelRights:
    """A channel in which the bot may not do all it should, with the permissions it lacks by Discord's names."""

    channel_id: ChannelId
    missing: tuple[str, ...]
    may_read: bool


@dataclass(frozen=True, kw_only=True)
class SettingsView:
    """What a server has decided, what it used of the AI today, and how the bot stands in its channels."""

    rules: GuildRules
    facts: FactNumbers
    zone: str
    used_today: int
    modes: Mapping[Mode, tuple[ChannelId, ...]]
    """The channels in which the bot does less than remember, by what it does."""
    without_captions: tuple[ChannelId, ...]
    """The channels in which pictures and voice messages are not put into words, though the server wants it."""
    lacking: tuple[ChannelRights, ...]


@dataclass(frozen=True, kw_only=True)
class AuditLineView:
    """One thing a manager did."""

    at: datetime
    actor_id: UserId
    actor_name: str | None
    """Their username, where it is known: a nickname could blame another."""
    action: str
    subject_id: UserId | None
    subject_name: str | None
    details: Mapping[str, object]
    is_undone: bool
    undo: Action | None
    """Takes it back, where that needs nothing that is in its own Undo button alone."""


@dataclass(frozen=True, kw_only=True)
class AuditView:
    """A page of what managers did."""

    lines: tuple[AuditLineView, ...]
    paging: Paging


# From records to values


def fact_view(
    viewer: Viewer,
    fact: Fact,
    standing: Standing,
    *,
    times_told: int = 1,
    page: int | None = None,
) -> FactView:
    """A fact with what the viewer may do with it; without a `page` to come back to, nothing."""
    return FactView(
        fact_id=fact.fact_id,
        text=fact.value,
        told=_told(fact),
        teller_id=fact.stated_by if fact.stated_by != fact.user_id else None,
        told_at=fact.created_at,
        standing=standing,
        is_private=fact.private,
        confidence=fact.confidence,
        times_told=times_told,
        link=jump_link(fact.guild_id, fact.channel_id, fact.message_id),
        channel_id=fact.channel_id,
        actions=() if page is None else tuple(fact_actions(viewer, fact, page)),
    )


def _told(fact: Fact) -> Told:
    if fact.source == "inferred":
        return Told.INFERRED
    return Told.BY_SUBJECT if fact.stated_by == fact.user_id else Told.BY_OTHERS


def fact_actions(viewer: Viewer, fact: Fact, page: int = 0) -> Sequence[Action]:
    """What a viewer may do with a fact; `page` is the one to come back to."""
    may = {"confirm": may_confirm, "correct": may_correct, "strike": may_strike}
    args, label = (str(fact.fact_id), str(page)), {"number": fact.fact_id}
    return [Action(name=name, args=args, label=label) for name, allowed in may.items() if allowed(viewer, fact)]


def line_view(viewer: Viewer, line: Conclusion, topic_id: int, number: int, link: str | None, page: int) -> LineView:
    """A line of a topic; who may delete it has a button for that."""
    args = (str(topic_id), str(page), str(line.conclusion_id))
    drop = Action(name="drop_line", args=args, label={"number": number})
    return LineView(
        number=number,
        text=line.text,
        at=line.at,
        link=link,
        actions=(drop,) if may_drop_line(viewer, line) else (),
        since=line.since,
        replaced_at=line.replaced_at,
    )


def restorable_view(viewer: Viewer, fact: Fact, newer: Fact | None, page: int) -> FactView | None:
    """A retired fact with the action that restores it; None where the viewer may not."""
    if not may_restore(viewer, fact, newer):
        return None
    label = {"number": fact.fact_id, "fact": fact.value}
    restore = Action(name="restore", args=(str(fact.fact_id), str(page)), label=label)
    return replace(fact_view(viewer, fact, Standing.CURRENT), actions=(restore,))


def day_view(viewer: Viewer, user_id: UserId, text: MemberText, links: Sequence[str], page: int) -> DayView:
    """What is noted of a day, week or month; its subject may have it forgotten."""
    is_period = text.level in ("day", "week", "month")
    strikes = is_period and may_strike_days(viewer, user_id, text.audience)
    args = text.day.isoformat(), str(text.audience), str(page)
    strike = Action(name=f"strike_{text.level}", args=args, label={"date": text.day})
    return DayView(
        day=text.day,
        period=text.level if is_period else "before",
        text=text.text,
        links=tuple(links),
        actions=(strike,) if strikes else (),
    )


def change_view(change: Change, facts_shown: Sequence[Fact]) -> ChangeView:
    """A change of a member's memory; `facts_shown` are those of its facts that the viewer may hear."""
    texts = {fact.fact_id: fact.value for fact in facts_shown}
    return ChangeView(
        at=change.at,
        actor_id=change.actor_id or None,
        action=change.action,
        facts=tuple((fact_id, texts.get(fact_id)) for fact_id in change.fact_ids[:3]),
        is_undone=change.is_undone,
    )


def why_member_view(
    viewer: Viewer, user_id: UserId, given: Given, facts: Sequence[FactView], links: Sequence[str], name: str | None
) -> WhyMemberView:
    """What an answer was given about a member; `facts` are those that are live and may be told to the viewer."""
    of_member = given.members[user_id]
    return WhyMemberView(
        user_id=user_id,
        name=name,
        facts=tuple(facts),
        levels=tuple(dict.fromkeys(level for level in of_member.levels if level != FallbackLevel.FACTS)),
        links=tuple(links),
        gone=len(of_member.fact_ids) - len(facts),
        kept_back=of_member.kept_back if viewer.is_person(user_id) else 0,
    )


def audit_line_view(change: Change, members: Mapping[UserId, Member], now: datetime) -> AuditLineView:
    """A line of the audit; people are shown by id, with their username where it is known."""
    is_open = change.undo_until is not None and change.undo_until >= now and change.undone_at is None

    def username(user_id: UserId | None) -> str | None:
        return members[user_id].username if user_id is not None and user_id in members else None

    return AuditLineView(
        at=change.at,
        actor_id=change.actor_id,
        actor_name=username(change.actor_id),
        action=change.action,
        subject_id=change.user_id,
        subject_name=username(change.user_id),
        details=change.details,
        is_undone=change.is_undone,
        undo=undo_action(Undo(entry_id=change.entry_id)) if is_open and "after" in change.details else None,
    )
