"""Who can read what: channels with the same readers are one audience, and which are heard in which."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from itertools import combinations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from memory.records import EVERYONE
from memory.rules.audiences import (
    CLASSES,
    ChannelGates,
    Gate,
    Layout,
    all_within,
    audiences,
    hears,
    likely_base_role,
    within,
)

VERIFIED, STAFF, GOLD, SILVER, GERMAN, MUTED = range(101, 107)


@dataclass(frozen=True)
class Server:
    """A server: its channels by name, and what is heard in each, besides itself."""

    channels: Mapping[str, tuple[Gate, ...]]
    told: Mapping[str, str]
    same: tuple[str, ...] = ()
    everyone: str = ""
    base_role: int | None = None
    likely: int | None = None
    threads: Mapping[str, str] = field(default_factory=dict)
    private: Mapping[str, str] = field(default_factory=dict)


def only(*roles: int, members: tuple[int, ...] = ()) -> tuple[Gate, ...]:
    """Closed to @everyone, open to roles and members."""
    return (Gate(open=False, allowed=frozenset(roles), members_allowed=frozenset(members)),)


def but(*roles: int, members: tuple[int, ...] = ()) -> tuple[Gate, ...]:
    """Open to @everyone but roles and members."""
    return (Gate(open=True, denied=frozenset(roles), members_denied=frozenset(members)),)


OPEN = (Gate(open=True),)
BY_ROLE = (Gate(open=False, by_role=frozenset([VERIFIED, STAFF])),)

SERVERS = {
    "open, with a staff room": Server(
        {"general": OPEN, "memes": OPEN, "staff": only(STAFF)},
        {"general": "memes", "staff": "general memes"},
        same=("general memes",),
        everyone="general memes",
    ),
    "verified, before it is confirmed": Server(
        {
            "rules": OPEN,
            "general": only(VERIFIED),
            "memes": only(VERIFIED),
            "help": only(VERIFIED),
            "staff": only(STAFF),
        },
        {"general": "memes help rules", "staff": "rules"},
        same=("general memes help",),
        everyone="rules",
        likely=VERIFIED,
    ),
    "verified": Server(
        {
            "rules": OPEN,
            "general": only(VERIFIED),
            "memes": only(VERIFIED),
            "help": only(VERIFIED),
            "staff": only(STAFF),
        },
        {"rules": "", "general": "memes help rules", "staff": "general memes help rules"},
        same=("general memes help",),
        everyone="general memes help",
        base_role=VERIFIED,
        likely=VERIFIED,
    ),
    "verified, staff within verified by overwrites": Server(
        {"general": only(VERIFIED, STAFF), "staff": only(STAFF)},
        {"general": "", "staff": "general"},
    ),
    "a role that opens the whole server": Server(
        {"rules": OPEN, "general": BY_ROLE, "memes": BY_ROLE, "help": BY_ROLE, "gold": only(GOLD)},
        {"general": "memes help rules", "gold": "rules"},
        same=("general memes help",),
        everyone="rules",
        likely=VERIFIED,
    ),
    "paid tiers": Server(
        {"general": OPEN, "silver": only(SILVER, GOLD), "gold": only(GOLD)},
        {"general": "", "silver": "general", "gold": "silver general"},
        everyone="general",
    ),
    "a room for each language": Server(
        {"general": OPEN, "german": only(GERMAN), "english": but(GERMAN)},
        {"general": "", "german": "general", "english": "general"},
        everyone="general",
    ),
    "the muted hear less": Server(
        {"general": OPEN, "talk": but(MUTED), "staff": only(STAFF)},
        {"general": "", "talk": "general", "staff": "general"},
        everyone="general",
    ),
    "one member kept out": Server(
        {"general": OPEN, "talk": but(members=(7,)), "staff": only(STAFF)},
        {"general": "", "talk": "general", "staff": "general"},
        everyone="general",
    ),
    "one member kept out of both": Server(
        {
            "talk": but(members=(7,)),
            "staff": (Gate(open=False, allowed=frozenset([STAFF]), members_denied=frozenset([7])),),
        },
        {"talk": "", "staff": "talk"},
    ),
    "one member let in": Server(
        {"general": OPEN, "staff": only(STAFF), "interview": only(STAFF, members=(8,)), "two": only(members=(8,))},
        {"staff": "interview general", "interview": "general", "two": "interview general"},
        everyone="general",
    ),
    "one member let in where nobody else is, and kept out elsewhere": Server(
        {"talk": but(members=(8,)), "two": only(members=(8,)), "others": only(members=(8, 9))},
        {"talk": "", "two": "others", "others": ""},
    ),
    "a voice channel that not everyone may join": Server(
        {"general": OPEN, "lounge": (Gate(open=True), *only(GOLD)), "gold": only(GOLD)},
        {"general": "", "lounge": "gold general", "gold": "lounge general"},
        everyone="general",
    ),
    "threads follow, private ones are their own": Server(
        {"general": OPEN, "staff": only(STAFF)},
        {"staff": "general thread aside", "aside": "general thread staff", "secret": "general thread staff aside"},
        same=("staff aside", "general thread"),
        everyone="general thread",
        threads={"thread": "general", "aside": "staff"},
        private={"secret": "staff"},
    ),
    "nothing is known of an archived parent": Server(
        {"general": OPEN, "lost": ()},
        {"general": "", "lost": ""},
        everyone="general",
    ),
}


def layout_of(server: Server) -> tuple[Layout, dict[str, int]]:
    names = [*server.channels, *server.threads, *server.private]
    ids = {name: n for n, name in enumerate(names, 1)}
    rooms = [ChannelGates(channel_id=ids[n], name=n, gates=gates) for n, gates in server.channels.items()]
    rooms += [
        ChannelGates(channel_id=ids[n], name=n, gates=server.channels[p], parent_id=ids[p])
        for n, p in server.threads.items()
    ]
    rooms += [
        ChannelGates(channel_id=ids[n], name=n, parent_id=ids[p], private=True) for n, p in server.private.items()
    ]
    roles = (VERIFIED, STAFF, GOLD, SILVER, GERMAN, MUTED)
    return Layout(guild_id=1, channels=tuple(rooms), base_role=server.base_role, roles=roles), ids


@pytest.mark.parametrize("name", SERVERS)
def test_what_is_heard_where(name: str) -> None:
    """What everyone who reads a channel also reads may be told there, and nothing else."""
    server = SERVERS[name]
    layout, ids = layout_of(server)
    own, told = audiences(layout), hears(layout)
    for room, wanted in server.told.items():
        found = {other for other, n in ids.items() if own[n] in told[own[ids[room]]] and other != room}
        assert found == set(wanted.split()), room


@pytest.mark.parametrize("name", SERVERS)
def test_which_channels_are_one_audience(name: str) -> None:
    """Those with the same readers; what everyone reads is 0; what nobody knows, and private threads, are alone."""
    server = SERVERS[name]
    layout, ids = layout_of(server)
    own = audiences(layout)
    same = {frozenset(group.split()) for group in server.same}
    for one, other in combinations(ids, 2):
        assert (own[ids[one]] == own[ids[other]]) == any({one, other} <= group for group in same), (one, other)
    assert {n for n in ids if own[ids[n]] == EVERYONE} == set(server.everyone.split())
    for room in layout.channels:
        assert own[room.channel_id] in (EVERYONE, room.channel_id) or own[room.channel_id] >= CLASSES
        assert own[room.channel_id] < 1 << 63


@pytest.mark.parametrize("name", SERVERS)
def test_the_role_that_is_everybodys_is_found(name: str) -> None:
    """Proposed, never assumed: a paid tier opens rooms as well."""
    layout, _ = layout_of(SERVERS[name])

    assert likely_base_role(layout) == SERVERS[name].likely


ROLES = st.sets(st.integers(1, 4), max_size=3).map(frozenset)
MEMBERS = st.sets(st.integers(50, 52), max_size=2).map(frozenset)
GATES = st.builds(
    Gate,
    open=st.booleans(),
    by_role=ROLES,
    allowed=ROLES,
    denied=ROLES,
    members_allowed=MEMBERS,
    members_denied=MEMBERS,
)


def reads(gate: Gate, member: int, roles: frozenset[int]) -> bool:
    """Discord's own rule, step by step and without the code under test: everyone, roles, then the member."""
    may = gate.open or bool(roles & gate.by_role)
    if roles & gate.denied:
        may = False
    if roles & gate.allowed:
        may = True
    if member in gate.members_allowed:
        may = True
    if member in gate.members_denied:
        may = False
    return may


@settings(max_examples=400, deadline=None)
@given(GATES, GATES, st.sampled_from([None, 1]))
def test_nothing_is_told_to_who_cannot_read_it(inner: Gate, outer: Gate, base_role: int | None) -> None:
    """Against every set of roles and every member: what is said to be within is."""
    if not within(inner, outer, base_role):
        return
    every = [frozenset(some) for n in range(5) for some in combinations(range(1, 5), n)]
    for roles in every:
        held = roles | {base_role} if roles and base_role is not None else roles
        for member in (50, 51, 52, 99):
            assert not reads(inner, member, held) or reads(outer, member, held), (member, held)


@settings(max_examples=200, deadline=None)
@given(GATES)
def test_what_makes_no_difference_makes_no_class(gate: Gate) -> None:
    """A gate without what is of no account lets the same people in, and is within itself."""
    every = [frozenset(some) for n in range(5) for some in combinations(range(1, 5), n)]
    for roles in every:
        for member in (50, 51, 52, 99):
            assert reads(gate, member, roles) == reads(gate.plain, member, roles)
    assert within(gate, gate.plain)
    assert within(gate.plain, gate)


def test_unknown_gates_tell_nothing() -> None:
    """On the safe side, both ways."""
    assert not all_within((), OPEN)
    assert not all_within(OPEN, ())
