"""Who may read, see, change and undo what is remembered. Nothing else decides this. Pure.

Each question is one function of a `Viewer` and the thing asked about. There are five roles: the *subject*, whom
something is about; the *teller*, who said it; a *moderator* (Manage Messages in the whole guild); a *manager* (Manage
Server, who may also moderate); and the *operator*, who runs the bot and acts with the subject's rights. The moderator
of a single channel has rights over what was said in that channel only. A private fact is one that its subject keeps to
themselves: for everybody else it does not exist.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable
from dataclasses import dataclass, replace
from enum import Enum

from memory.ids import AudienceId, ChannelId, GuildId, UserId, private_to, server_subject
from memory.records import EVERYONE, Change, Conclusion, Fact, NotAllowed, Teachers

OPERATOR = UserId(0)
"""The user id of whoever runs the bot. In the audit, also that of the bot itself."""

NOBODY = UserId(-1)
"""The user id of a viewer who is no member."""

PERSONAL_ACTIONS = frozenset(["pending", "consent", "forget_day"])
"""Changes that only their subject may see."""


@dataclass(frozen=True, kw_only=True)
class Viewer:
    """Who asks, where, and with which rights. Built from Discord's data, never from what somebody wrote."""

    guild_id: GuildId
    user_id: UserId
    audience: AudienceId = EVERYONE
    """Who can read the answer."""
    audiences: tuple[AudienceId, ...] = (EVERYONE,)
    """The audiences whose words may be repeated to everyone who can read the answer."""
    readable: tuple[AudienceId, ...] = ()
    """The audiences of the restricted channels that the viewer can read now."""
    is_alone: bool = False
    """Whether only the viewer can read the answer."""
    may_moderate: bool = False
    """Whether they have Manage Messages in the whole guild. A channel's own permissions give no rights over memory."""
    moderated_channel: ChannelId | None = None
    """The channel they ask in, if its own permissions give them Manage Messages there."""
    may_manage: bool = False
    is_operator: bool = False

    def __post_init__(self) -> None:
        if self.audience not in self.audiences:
            raise ValueError("audiences must contain the audience that reads the answer")

    def in_guild(self, guild_id: GuildId) -> Viewer:
        """The same person in another guild, without the rights they have here."""
        if guild_id == self.guild_id or self.is_operator:
            return replace(self, guild_id=guild_id)
        return Viewer(guild_id=guild_id, user_id=self.user_id, is_alone=self.is_alone)

    @property
    def readable_audiences(self) -> tuple[AudienceId, ...]:
        """The audiences whose words the viewer can read: where they ask, and in every other channel they can read."""
        return tuple(dict.fromkeys((*self.audiences, *self.readable)))

    @property
    def shown_audiences(self) -> tuple[AudienceId, ...]:
        """The audiences whose words may be shown in the answer: where nobody else reads it, all that the viewer can
        read. What is stored, deleted or said to others goes by `audiences`."""
        return self.readable_audiences if self.is_alone else self.audiences

    @property
    def is_member(self) -> bool:
        """Whether the viewer is a member of the guild."""
        return self.user_id > OPERATOR

    def is_person(self, user_id: UserId) -> bool:
        """Whether the viewer is this member, or the operator, who acts for them."""
        return self.is_operator or self.user_id == user_id

    @property
    def moderates(self) -> bool:
        """Whether the viewer may moderate. Managers may."""
        return self.may_moderate or self.may_manage or self.is_operator

    def moderates_channel(self, channel_id: ChannelId | None) -> bool:
        """Whether the viewer moderates the guild, or this channel of it."""
        return self.moderates or (channel_id is not None and channel_id == self.moderated_channel)


def operator(guild_id: GuildId) -> Viewer:
    """The operator as a viewer, at a command line that nobody else reads."""
    return Viewer(guild_id=guild_id, user_id=OPERATOR, is_alone=True, is_operator=True)


def public(
    guild_id: GuildId, audience: AudienceId = EVERYONE, audiences: tuple[AudienceId, ...] | None = None
) -> Viewer:
    """A viewer who is nobody in particular: they may be shown what an audience may, and change nothing."""
    return Viewer(guild_id=guild_id, user_id=NOBODY, audience=audience, audiences=audiences or (audience,))


# Reading


def may_hear(viewer: Viewer, audience: AudienceId) -> bool:
    """Whether what an audience could read may be repeated where the answer is read.

    A negative audience is a single member: only they may be told, where nobody else reads it. The operator may be shown
    anything by its id; in lists they get what everyone gets.
    """
    if viewer.is_operator:
        return True
    if audience < 0:
        return viewer.is_alone and viewer.user_id == -audience
    return audience in viewer.shown_audiences


def audiences_for(viewer: Viewer, user_id: UserId) -> tuple[AudienceId, ...]:
    """The audiences whose facts about a member may be shown. Where nobody else reads, that member also gets private
    facts."""
    shown = viewer.shown_audiences
    return (*shown, private_to(user_id)) if may_hear(viewer, private_to(user_id)) else shown


def may_see_fact(viewer: Viewer, fact: Fact) -> bool:
    """Whether a fact exists for a viewer, where they ask."""
    return may_hear(viewer, fact.audience) or fact.audience in audiences_for(viewer, fact.user_id)


def may_reach(viewer: Viewer, fact: Fact) -> bool:
    """Whether a fact about the viewer comes from a channel they can read, or is their own words. The operator reaches
    all."""
    is_own = fact.stated_by == viewer.user_id or fact.audience == -viewer.user_id
    return viewer.is_operator or is_own or fact.audience in viewer.readable_audiences


def may_see_change(viewer: Viewer, change: Change, facts: Iterable[Fact]) -> bool:
    """Whether a line of a member's history may be shown. `facts` are those of its facts that are still stored.

    Where nobody else reads, the subject sees what they did themselves, and what was done to facts from channels they
    can read. Others do not see personal matters, or changes to facts they may not be shown. Changes to deleted facts
    are hidden too: who could read those facts is no longer known.
    """
    if change.user_id is not None and viewer.is_alone and viewer.is_person(change.user_id):
        if viewer.is_operator or change.actor_id == viewer.user_id:
            return True
        seen = {fact.fact_id for fact in facts if may_reach(viewer, fact)}
        return seen.issuperset(change.fact_ids)
    told = {fact.fact_id for fact in facts if may_hear(viewer, fact.audience)}
    return change.action not in PERSONAL_ACTIONS and told.issuperset(change.fact_ids)


def may_open_receipt(viewer: Viewer, change: Change) -> bool:
    """Whether a viewer may read what a change deleted.

    Its requester, its subject and moderators may. If it is a personal matter, only its subject may.
    """
    if change.action in PERSONAL_ACTIONS:
        return change.user_id is not None and viewer.is_person(change.user_id)
    return viewer.moderates or viewer.user_id in (change.actor_id, change.user_id)


def readable_audiences_of(viewer: Viewer, user_id: UserId) -> tuple[AudienceId, ...] | None:
    """The audiences for which a viewer may know what, and how much, is stored about a member.

    None means every audience. Managers may count everything.
    """
    if viewer.is_operator or viewer.user_id != user_id:
        return None
    return (*viewer.readable_audiences, private_to(user_id))


def may_see_stored(viewer: Viewer, user_id: UserId) -> bool:
    """Whether a viewer may know how much is stored about a member: the member, and managers."""
    return viewer.is_person(user_id) or may_administer(viewer)


def may_export(viewer: Viewer, user_id: UserId) -> bool:
    """Whether a viewer may have everything stored about a member: the member alone."""
    return viewer.is_person(user_id)


def may_import(viewer: Viewer) -> bool:
    """Whether a viewer may store the facts of an export, whoever they are about: the operator."""
    return viewer.is_operator


# Changing facts


def may_teach(viewer: Viewer, user_id: UserId, teachers: Teachers) -> bool:
    """Whether a viewer may teach facts about a member, or about the server itself. The guild decides.

    Everyone may teach facts about themselves, and moderators facts about the server.
    """
    if viewer.is_person(user_id) or teachers is Teachers.ANYONE:
        return True
    return viewer.moderates and (teachers is Teachers.MODERATORS or user_id == server_subject(viewer.guild_id))


def may_confirm(viewer: Viewer, fact: Fact) -> bool:
    """Whether a viewer may confirm a fact.

    Its subject may; its teller and moderators may only if they may be shown it.
    """
    return _has_a_say(viewer, fact) and may_hear(viewer, fact.audience)


def may_correct(viewer: Viewer, fact: Fact) -> bool:
    """Whether a viewer may replace a fact's text.

    Its subject may; its teller and moderators may only if they may be shown it.
    """
    return _has_a_say(viewer, fact) and may_hear(viewer, fact.audience)


def may_strike(viewer: Viewer, fact: Fact) -> bool:
    """Whether a viewer may have a fact forgotten.

    Its subject may if they can read the channel it comes from; others only if they may be shown it. A moderator of that
    channel may too, but that deletes only what was said there.
    """
    if viewer.is_person(fact.user_id):
        return may_reach(viewer, fact)
    has_a_say = _has_a_say(viewer, fact) or viewer.moderates_channel(fact.channel_id)
    return has_a_say and may_hear(viewer, fact.audience)


class Refusal(Enum):
    """Why a viewer may not have a fact forgotten."""

    NOT_THEIRS = "not theirs"
    """It is neither about them nor told by them, and they do not moderate."""
    OTHER_AUDIENCE = "other audience"
    """It was told in a channel that the readers of the answer may not be shown."""


def refusal(viewer: Viewer, fact: Fact) -> Refusal | None:
    """Why a viewer may not have a fact forgotten. None if they may."""
    if may_strike(viewer, fact):
        return None
    return Refusal.NOT_THEIRS if may_hear(viewer, fact.audience) else Refusal.OTHER_AUDIENCE


def may_restore(viewer: Viewer, fact: Fact, newer: Fact | None) -> bool:
    """Whether a viewer may make a retired fact live again, in place of the `newer` one that replaced it.

    If the subject told the newer fact, only the subject may replace it.
    """
    if not (_has_a_say(viewer, fact) and may_hear(viewer, fact.audience)):
        return False
    overruled = newer is not None and newer.retired_at is None and newer.stated_by == fact.user_id
    return viewer.is_person(fact.user_id) or not overruled


def _has_a_say(viewer: Viewer, fact: Fact) -> bool:
    """Whether a viewer is a fact's subject, its teller or a moderator."""
    return viewer.moderates or viewer.user_id in (fact.user_id, fact.stated_by)


def may_undo(viewer: Viewer, change: Change, audiences: Collection[AudienceId]) -> bool:
    """Whether a viewer may undo a change. `audiences` are those of its facts that are still stored.

    Only members themselves can restore what they asked the bot to forget about themselves, or keep private. Only
    managers can undo what managers did. Anything else can be undone by its actor, its subject, and moderators who may
    be shown it.
    """
    if any(audience < 0 for audience in audiences) or change.action in PERSONAL_ACTIONS or _forgot_own(change):
        return change.user_id is not None and viewer.is_person(change.user_id)
    if change.administrative:
        return may_administer(viewer)
    if viewer.user_id in (change.actor_id, change.user_id):
        return True
    return viewer.moderates and all(may_hear(viewer, audience) for audience in audiences)


def _forgot_own(change: Change) -> bool:
    return change.action.startswith("forget") and change.actor_id in (change.user_id, OPERATOR)


# Forgetting


class Scope(Enum):
    """How much is deleted when a viewer has a statement about a member forgotten."""

    EVERYWHERE = "everywhere"
    """For the operator: everything that says it, in every channel. It is kept from coming back."""
    READABLE = "readable"
    """For the subject: everything that says it in channels they can read, and their own words everywhere. They are not
    told whether other channels have anything. It is kept from coming back anywhere."""
    AUDIBLE = "audible"
    """For a moderator: what may be repeated where they ask. It is kept from coming back."""
    OWN_SOURCES = "own sources"
    """For a teller: what they said themselves. What others said stays, and may be said again. For a channel's
    moderator: what was said in that channel, too."""


def scope_of(viewer: Viewer, user_id: UserId) -> Scope:
    """How much a viewer deletes about a member."""
    if viewer.is_person(user_id):
        return Scope.EVERYWHERE if viewer.is_operator else Scope.READABLE
    return Scope.AUDIBLE if viewer.moderates else Scope.OWN_SOURCES


def searched_audiences(viewer: Viewer, user_id: UserId) -> Collection[AudienceId] | None:
    """The audiences that are searched for a forgotten statement. None means every audience."""
    scope = scope_of(viewer, user_id)
    if scope is Scope.EVERYWHERE:
        return None
    return (*viewer.readable_audiences, private_to(user_id)) if scope is Scope.READABLE else viewer.audiences


def may_strike_days(viewer: Viewer, user_id: UserId, audience: AudienceId) -> bool:
    """Whether a viewer may have a member's days forgotten: the member alone, where they may be shown it."""
    return viewer.is_person(user_id) and may_hear(viewer, audience)


# Topics


def may_edit_topics(viewer: Viewer, audience: AudienceId) -> bool:
    """Whether a viewer may rename, merge and delete topics: moderators who may be shown them."""
    return viewer.moderates and may_hear(viewer, audience)


def may_drop_line(viewer: Viewer, line: Conclusion) -> bool:
    """Whether a viewer may delete a topic line.

    Moderators who may be shown it may; so may anyone it names, and anyone whose words it is based on.
    """
    is_theirs = viewer.user_id in (*line.people, *line.evidence_by)
    return (is_theirs or viewer.moderates_channel(line.channel_id)) and may_hear(viewer, line.audience)


# Deciding


def may_choose(viewer: Viewer, user_id: UserId) -> bool:
    """Whether a viewer may choose what is kept about a member: the member alone."""
    return viewer.is_person(user_id)


def may_erase(viewer: Viewer, user_id: UserId) -> bool:
    """Whether a viewer may erase everything about a member: the member, and managers."""
    return viewer.is_person(user_id) or may_administer(viewer)


def may_administer(viewer: Viewer) -> bool:
    """Whether a viewer may decide for the server: its settings and channels, whom it ignores, what is rolled back."""
    return viewer.may_manage or viewer.is_operator


def require(allowed: bool) -> None:
    """Raise NotAllowed if a question above was answered with no."""
    if not allowed:
        raise NotAllowed
