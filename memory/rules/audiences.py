"""Who can read what: channels with the same readers are one audience, and which audiences may be heard in which. Pure.

Decided from roles and overwrites alone, never from who holds a role today, and on the safe side: where it
cannot be told that everyone who reads a channel also reads another, the other is not heard there.
"""

from __future__ import annotations

import hashlib
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from itertools import combinations

from memory.ids import AudienceId, ChannelId, GuildId
from memory.records import EVERYONE

CLASSES = 1 << 62
"""Numbers of classes begin here; below are ids of Discord, for a channel that is a class of its own."""

MOST_ROLES = 60
"""Roles that two channels may name together; beyond that they are not compared."""


@dataclass(frozen=True, kw_only=True)
class Gate:
    """Who has one permission in a channel, such as to see it: a function of a member's roles, and of some members.

    In this order: the members listed; one of the roles `allowed`; one of those `denied`; then everybody where it
    is `open`, else who has one of the roles `by_role`, which have the permission in the whole guild.
    """

    open: bool
    by_role: frozenset[int] = frozenset()
    allowed: frozenset[int] = frozenset()
    denied: frozenset[int] = frozenset()
    members_allowed: frozenset[int] = frozenset()
    members_denied: frozenset[int] = frozenset()

    def passes(self, roles: Collection[int]) -> bool:
        """Whether members with these roles, and not listed themselves, pass."""
        if not self.allowed.isdisjoint(roles):
            return True
        if not self.denied.isdisjoint(roles):
            return False
        return self.open or not self.by_role.isdisjoint(roles)

    @property
    def roles(self) -> frozenset[int]:
        """Every role it names."""
        return self.by_role | self.allowed | self.denied

    @cached_property
    def plain(self) -> Gate:
        """The same gate without what makes no difference."""
        by_role = frozenset[int]() if self.open else self.by_role
        denied = self.denied if self.open or by_role else frozenset[int]()
        allowed = frozenset[int]() if self.open and not denied else self.allowed
        return Gate(
            open=self.open,
            by_role=by_role - denied,
            allowed=allowed,
            denied=denied,
            members_allowed=self.members_allowed - self.members_denied,
            members_denied=self.members_denied,
        )


ALL = Gate(open=True)
"""Everybody in the guild."""


@dataclass(frozen=True, kw_only=True)
class ChannelGates:
    """A channel or thread: its name, the gates to it (all must be passed), and for threads the channel they hang under.

    Without gates, nothing is known of who reads it, but that of a `private` thread they read its channel too.
    """

    channel_id: ChannelId
    name: str
    gates: tuple[Gate, ...] = ()
    parent_id: ChannelId | None = None
    private: bool = False


@dataclass(frozen=True, kw_only=True)
class Layout:
    """A guild's channels, and the role that every member has once they are let in, where there is one.

    With a `base_role`, "everyone" is who has it: whoever has any role is taken to have that one too, and a channel
    that is open to newcomers without it is a lobby.
    """

    guild_id: GuildId
    channels: tuple[ChannelGates, ...]
    base_role: int | None = None
    roles: tuple[int, ...] = field(default=(), compare=False)
    """The guild's roles, the lowest first; bots' own aside."""

    @property
    def fingerprint(self) -> str:
        """What tells one layout from another."""
        channels = sorted(
            (c.channel_id, c.name, c.parent_id or 0, c.private, [_signature(gate.plain) for gate in c.gates])
            for c in self.channels
        )
        return hashlib.sha256(repr((channels, self.base_role, self.roles)).encode()).hexdigest()

    @property
    def everyone(self) -> Gate:
        """The gate that everyone passes."""
        return ALL if self.base_role is None else Gate(open=False, by_role=frozenset([self.base_role]))


def within(inner: Gate, outer: Gate, base_role: int | None = None) -> bool:
    """Whether everyone who passes `inner` also passes `outer`, whatever roles members have or get.

    Two roles at once are enough to look at: one lets through the inner gate, one keeps out of the outer.
    """
    inner, outer = inner.plain, outer.plain
    if inner == outer:
        return True
    if not outer.open and not inner.members_allowed <= outer.members_allowed:
        return False  # whoever is let in by name may have no role at all; servers have many such channels
    named = inner.roles | outer.roles
    if len(named) > MOST_ROLES:
        return False
    some = [set(), *({r} for r in named), *(set(pair) for pair in combinations(named, 2))]
    holders: list[set[int]] = [held | {base_role} if held and base_role is not None else held for held in some]
    if base_role is not None:
        holders.append({base_role})
    if any(inner.passes(held) and not outer.passes(held) for held in holders):
        return False
    if any(outer.members_denied - inner.members_denied) and any(inner.passes(held) for held in holders):
        return False
    for_all = all(outer.passes(held) for held in holders)
    return all(m in outer.members_allowed or (for_all and m not in outer.members_denied) for m in inner.members_allowed)


def all_within(inner: Sequence[Gate], outer: Sequence[Gate], base_role: int | None = None) -> bool:
    """Whether everyone who passes all gates of `inner` also passes all of `outer`; without gates, nobody knows."""
    if not inner or not outer:
        return False
    return all(any(within(one, other, base_role) for one in inner) for other in outer)


def audience_of(channel: ChannelGates, layout: Layout) -> AudienceId:
    """The audience of a channel: EVERYONE, a class of channels with the same gates, or the channel by itself."""
    if not channel.gates:
        return AudienceId(channel.channel_id)
    everyone = (layout.everyone,)
    if all_within(channel.gates, everyone, layout.base_role) and all_within(everyone, channel.gates, layout.base_role):
        return EVERYONE
    gates = sorted({_signature(gate.plain) for gate in channel.gates})
    digest = hashlib.sha256(f"{layout.guild_id} {gates}".encode()).digest()
    return AudienceId(CLASSES | int.from_bytes(digest[:8], "big") >> 3)


def _signature(gate: Gate) -> str:
    parts = (gate.by_role, gate.allowed, gate.denied, gate.members_allowed, gate.members_denied)
    return f"{gate.open} {[sorted(part) for part in parts]}"


def audiences(layout: Layout) -> dict[ChannelId, AudienceId]:
    """The audience of each channel."""
    return {channel.channel_id: audience_of(channel, layout) for channel in layout.channels}


def hears(layout: Layout) -> dict[AudienceId, frozenset[AudienceId]]:
    """What may be told where: for each audience those whose every word its readers can read, itself among them."""
    gates: dict[AudienceId, tuple[Gate, ...]] = {EVERYONE: (layout.everyone,)}
    below: dict[AudienceId, ChannelId | None] = {}
    own = audiences(layout)
    for channel in layout.channels:
        if not channel.gates:  # who is in a private thread can read the channel it hangs under
            below[own[channel.channel_id]] = channel.parent_id if channel.private else None
        else:
            gates.setdefault(own[channel.channel_id], channel.gates)
    found = {
        audience: frozenset(
            other for other in gates if other == audience or all_within(inner, gates[other], layout.base_role)
        )
        for audience, inner in gates.items()
    }
    for audience, parent_id in below.items():
        parent = own.get(parent_id) if parent_id is not None else None
        found[audience] = frozenset([audience]) | (
            found.get(parent, frozenset()) if parent is not None else frozenset()
        )
    return found


MIN_OPEN_CHANNELS = 3
"""Channels that a role must open before it is proposed as everybody's."""


def likely_base_role(layout: Layout) -> int | None:
    """The role that seems to be everybody's, if any: it opens two of three channels that are closed without it.

    To be confirmed by who manages the guild: a role that opens most channels may be a paid tier.
    """
    listed = [channel for channel in layout.channels if channel.gates and channel.parent_id is None]
    closed = [channel for channel in listed if not all(gate.passes(()) for gate in channel.gates)]
    if 2 * len(closed) < len(listed):
        return None

    def opened(role: int) -> int:
        return sum(all(gate.passes((role,)) for gate in channel.gates) for channel in closed)

    best = max(layout.roles, key=opened, default=None)  # of several, the lowest
    return best if best is not None and opened(best) >= max(MIN_OPEN_CHANNELS, 2 / 3 * len(closed)) else None


def differences(
    before: Mapping[AudienceId, Iterable[AudienceId]], now: Mapping[AudienceId, Iterable[AudienceId]]
) -> set[AudienceId]:
    """The audiences in which less may be told than before."""
    return {audience for audience, hears in before.items() if set(hears) - set(now.get(audience, ()))}
