"""Who may do what: a table for each question, so that each rule fails when it is changed."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime
from typing import Any

import pytest

from memory import Change, Fact, NotAllowed, Teachers, Viewer, operator, public
from memory import permissions as may
from memory.ids import ALL_GUILDS
from memory.permissions import NOBODY, OPERATOR, Refusal, Scope
from memory.records import Conclusion, ConclusionKind, Confidence, Source

NOON = datetime(2026, 11, 10, 12, tzinfo=UTC)
G, ANN, BOB, CID, CHANNEL = 9, 1, 2, 3, 70
HERE, ELSEWHERE = 5, 6
"""Two audiences; the viewers below are in the first, and may hear what everyone may."""


def viewer(user_id: int, **rights: Any) -> Viewer:
    return Viewer(guild_id=G, user_id=user_id, audience=HERE, audiences=(0, HERE), **rights)


VIEWERS = {
    "subject": viewer(ANN),
    "subject alone": viewer(ANN, is_alone=True),
    "teller": viewer(BOB),
    "teller alone": viewer(BOB, is_alone=True),
    "other": viewer(CID),
    "other alone": viewer(CID, is_alone=True),
    "moderator": viewer(CID, may_moderate=True),
    "moderator alone": viewer(CID, may_moderate=True, is_alone=True),
    "moderator of the channel": viewer(CID, moderated_channel=CHANNEL),
    "moderator of another channel": viewer(CID, moderated_channel=CHANNEL + 1),
    "manager": viewer(CID, may_manage=True),
    "operator": operator(G),
    "nobody": public(G, HERE, (0, HERE)),
}
"""Of a fact about Ann that Bob told. Each row of a table names those who may."""


def test_who_reads_alone_is_shown_what_they_can_read() -> None:
    """Of every channel, and no more; what is deleted with a statement is what was before."""
    reader = viewer(CID, readable=(ELSEWHERE,), may_moderate=True)
    alone = replace(reader, is_alone=True)
    assert not may.may_hear(reader, ELSEWHERE)
    assert may.may_hear(alone, ELSEWHERE)
    assert may.may_hear(alone, HERE)
    assert may.may_hear(alone, -CID)
    assert not may.may_hear(alone, -ANN)
    assert not may.may_hear(viewer(CID, is_alone=True), ELSEWHERE)
    assert may.searched_audiences(alone, ANN) == may.searched_audiences(reader, ANN) == (0, HERE)


def fact(audience: int = HERE, *, stated_by: int = BOB, retired: bool = False) -> Fact:
    return Fact(
        guild_id=G,
        fact_id=1,
        user_id=ANN,
        key="note",
        value="Ann sings alto",
        domain="personal",
        confidence=Confidence.MEDIUM,
        source=Source.EXPLICIT,
        stated_by=stated_by,
        channel_id=CHANNEL,
        message_id=None,
        quote="Ann sings alto",
        audience=audience,
        created_at=NOON,
        last_confirmed_at=NOON,
        retired_at=NOON if retired else None,
    )


def change(
    action: str = "remember",
    *,
    actor: int = BOB,
    user: int | None = ANN,
    facts: tuple[int, ...] = (1,),
    administrative: bool = False,
) -> Change:
    return Change(
        guild_id=G,
        entry_id=1,
        at=NOON,
        actor_id=actor,
        action=action,
        user_id=user,
        fact_ids=facts,
        details={},
        administrative=administrative,
        undo_until=None,
        undone_at=None,
    )


def those(names: str) -> set[str]:
    """Viewers by their names; a bare role also alone, where there is such a viewer."""
    wanted = {name.strip() for name in names.split(",") if name.strip()}
    return wanted | {f"{name} alone" for name in wanted if f"{name} alone" in VIEWERS and "alone" not in name}


EVERYBODY = set(VIEWERS)
THEIRS = those("subject, teller, moderator, manager, operator")

# Hearing and seeing


@pytest.mark.parametrize(
    ("audience", "who"),
    [
        (0, EVERYBODY),
        (HERE, EVERYBODY),
        (ELSEWHERE, {"operator"}),
        (-ANN, {"subject alone", "operator"}),
        (-BOB, {"teller alone", "operator"}),
    ],
)
def test_who_may_hear(audience: int, who: set[str]) -> None:
    """What the readers of the answer may hear; what is private, its member where nobody else reads."""
    assert {name for name, v in VIEWERS.items() if may.may_hear(v, audience)} == who


def test_whose_private_facts_are_listed() -> None:
    """One's own, where nobody else reads."""
    assert may.audiences_for(VIEWERS["subject alone"], ANN) == (0, HERE, -ANN)
    assert may.audiences_for(VIEWERS["subject"], ANN) == (0, HERE)
    assert may.audiences_for(VIEWERS["other alone"], ANN) == (0, HERE)
    assert may.audiences_for(operator(G), ANN) == (0, -ANN)


@pytest.mark.parametrize(
    ("seen", "facts", "who"),
    [
        (change(), [fact()], EVERYBODY),
        (change(), [fact(ELSEWHERE)], {"operator"}),
        (change(), [fact(ELSEWHERE, stated_by=ANN)], {"subject alone", "operator"}),
        (change(actor=ANN), [fact(ELSEWHERE)], {"subject alone", "operator"}),
        (change(), [fact(-ANN)], {"subject alone", "operator"}),
        (change(user=None), [fact(ELSEWHERE)], {"operator"}),
        (change("consent", facts=()), [], {"subject alone", "operator"}),
        (change("consent", user=None, facts=()), [], set()),
        (change("pending", facts=()), [], {"subject alone", "operator"}),
        (change("forget_day", facts=()), [], {"subject alone", "operator"}),
        (change("forget"), [], {"operator"}),
        (change("forget", actor=ANN), [], {"subject alone", "operator"}),
        (change("ignore", facts=()), [], EVERYBODY),
    ],
)
def test_who_may_see_a_change(seen: Change, facts: list[Fact], who: set[str]) -> None:
    """The subject alone sees their history in rooms they read, and what they did; others no personal matters either."""
    assert {name for name, v in VIEWERS.items() if may.may_see_change(v, seen, facts)} == who


def test_who_may_open_a_receipt() -> None:
    """Who asked for it, whom it is about, moderators; of what the bot did by itself, nobody without a right."""
    assert {n for n, v in VIEWERS.items() if may.may_open_receipt(v, change("forget"))} == THEIRS
    for action in ("pending", "consent", "forget_day"):
        personal = change(action, actor=ANN)
        assert {n for n, v in VIEWERS.items() if may.may_open_receipt(v, personal)} == those("subject, operator")
        assert not any(may.may_open_receipt(v, change(action, user=None)) for v in VIEWERS.values())
    by_itself = change("left", actor=OPERATOR, user=None)
    assert {n for n, v in VIEWERS.items() if may.may_open_receipt(v, by_itself)} == those(
        "moderator, manager, operator"
    )


def test_who_may_see_what_is_stored_and_have_it() -> None:
    """Counts: the member and managers. The words: the member alone. Storing an export: the operator."""
    assert {n for n, v in VIEWERS.items() if may.may_see_stored(v, ANN)} == those("subject, manager, operator")
    assert {n for n, v in VIEWERS.items() if may.may_export(v, ANN)} == those("subject, operator")
    assert {n for n, v in VIEWERS.items() if may.may_import(v)} == {"operator"}


# Changing facts


@pytest.mark.parametrize(
    ("teachers", "about_another"),
    [
        (Teachers.ANYONE, EVERYBODY),
        (Teachers.SELF, those("subject, operator")),
        (Teachers.MODERATORS, those("subject, moderator, manager, operator")),
    ],
)
def test_who_may_teach(teachers: Teachers, about_another: set[str]) -> None:
    """By the guild's rule; about oneself everyone."""
    assert {name for name, v in VIEWERS.items() if may.may_teach(v, ANN, teachers)} == about_another


FACTS = [
    (fact(), THEIRS),
    (fact(0), THEIRS),
    (fact(ELSEWHERE), {"operator"}),
    (fact(-ANN), {"subject alone", "operator"}),
    (fact(-ANN, stated_by=ANN), {"subject alone", "operator"}),
]
"""Facts, and who has a say about them: subject, teller and moderators, where they hear it."""


@pytest.mark.parametrize(("told", "who"), FACTS)
def test_who_may_confirm_and_correct(told: Fact, who: set[str]) -> None:
    """Subject, teller and moderators, where they hear it; a private fact, its subject."""
    assert {name for name, v in VIEWERS.items() if may.may_confirm(v, told)} == who
    assert {name for name, v in VIEWERS.items() if may.may_correct(v, told)} == who


@pytest.mark.parametrize(("told", "who"), FACTS)
def test_who_may_strike(told: Fact, who: set[str]) -> None:
    """The same; the subject in every room they can read, and what they told themselves anywhere.

    Who moderates the channel it was told in, too, where they hear it; who moderates another, not.
    """
    reaches = told.audience != ELSEWHERE or told.stated_by == ANN
    is_heard = told.audience in (0, HERE)
    assert {name for name, v in VIEWERS.items() if may.may_strike(v, told)} == (
        who | (those("subject") if reaches else set()) | ({"moderator of the channel"} if is_heard else set())
    )


def test_who_may_drop_a_line_and_edit_a_topic() -> None:
    """A line: whom it names, on whose words it rests, and moderators, those of its channel too. Pages: moderators."""
    line = Conclusion(
        guild_id=G,
        audience=HERE,
        kind=ConclusionKind.DECISION,
        text="<@1> brings the cake",
        at=NOON,
        channel_id=CHANNEL,
        people=(ANN,),
        evidence_by=(BOB,),
    )
    assert {n for n, v in VIEWERS.items() if may.may_drop_line(v, line)} == THEIRS | {"moderator of the channel"}
    assert not any(
        may.may_drop_line(v, replace(line, audience=ELSEWHERE)) for n, v in VIEWERS.items() if n != "operator"
    )
    assert {n for n, v in VIEWERS.items() if may.may_edit_topics(v, HERE)} == those("moderator, manager, operator")


def test_what_a_person_reaches_in_other_rooms() -> None:
    """What is told of them where they can read, and their own words; alone they see it too, as others there do."""
    reads = viewer(ANN, readable=(ELSEWHERE,))
    alone = replace(reads, is_alone=True)
    assert reads.readable_audiences == (0, HERE, ELSEWHERE)
    assert may.may_strike(reads, fact(ELSEWHERE))
    assert not may.may_strike(reads, fact(ELSEWHERE + 1))
    assert may.may_strike(reads, fact(ELSEWHERE + 1, stated_by=ANN))
    assert may.may_see_fact(alone, fact(ELSEWHERE))
    assert not may.may_see_fact(reads, fact(ELSEWHERE))
    assert may.may_see_fact(replace(alone, user_id=CID), fact(ELSEWHERE))
    assert not may.may_see_fact(replace(alone, user_id=CID, readable=()), fact(ELSEWHERE))
    assert may.audiences_for(alone, ANN) == (0, HERE, ELSEWHERE, -ANN)
    assert may.searched_audiences(reads, ANN) == (0, HERE, ELSEWHERE, -ANN)
    assert may.searched_audiences(replace(reads, may_moderate=True), BOB) == (0, HERE)
    assert may.readable_audiences_of(alone, ANN) == (0, HERE, ELSEWHERE, -ANN)
    assert may.readable_audiences_of(VIEWERS["manager"], ANN) is None
    assert may.readable_audiences_of(operator(G), ANN) is None
    assert reads.in_guild(G + 1).readable_audiences == (0,)


def test_why_a_fact_is_refused() -> None:
    """What is not theirs, and what is of another audience."""
    assert may.refusal(VIEWERS["teller"], fact()) is None
    assert may.refusal(VIEWERS["other"], fact()) is Refusal.NOT_THEIRS
    assert may.refusal(VIEWERS["teller"], fact(ELSEWHERE)) is Refusal.OTHER_AUDIENCE
    assert may.refusal(VIEWERS["moderator"], fact(-ANN)) is Refusal.OTHER_AUDIENCE


@pytest.mark.parametrize(
    ("newer", "who"),
    [
        (None, THEIRS),
        (fact(), THEIRS),
        (fact(stated_by=CID), THEIRS),
        (fact(stated_by=ANN), those("subject, operator")),
        (fact(stated_by=ANN, retired=True), THEIRS),
    ],
)
def test_who_may_restore(newer: Fact | None, who: set[str]) -> None:
    """Whoever has a say, unless the subject's own live word took its place: that only they take back."""
    assert {name for name, v in VIEWERS.items() if may.may_restore(v, fact(retired=True), newer)} == who


@pytest.mark.parametrize(("told", "who"), FACTS)
def test_who_may_restore_hears_it(told: Fact, who: set[str]) -> None:
    """What is of another audience is not restored here."""
    assert {name for name, v in VIEWERS.items() if may.may_restore(v, told, None)} == who


@pytest.mark.parametrize(
    ("done", "audiences", "who"),
    [
        (change(), (), THEIRS),
        (change(), (-ANN,), those("subject, operator")),
        (change(), (0, ELSEWHERE), those("subject, teller, operator")),
        (change(), (0, HERE), THEIRS),
        (change("forget", actor=BOB), (), THEIRS),
        (change("forget", actor=ANN), (), those("subject, operator")),
        (change("forget_key", actor=ANN), (), those("subject, operator")),
        (change("forget", actor=OPERATOR), (), those("subject, operator")),
        (change("forget_day", actor=ANN), (), those("subject, operator")),
        (change("pending", actor=ANN), (), those("subject, operator")),
        (change("remember", actor=ANN), (), those("subject, moderator, manager, operator")),
        (change("rollback", actor=CID, user=BOB, administrative=True), (), {"manager", "operator"}),
        (change("correct", actor=CID, user=None), (-ANN,), set()),
    ],
)
def test_who_may_undo(done: Change, audiences: tuple[int, ...], who: set[str]) -> None:
    """Personal matters their subject; what managers did, managers; else actor, subject and moderators."""
    assert {name for name, v in VIEWERS.items() if may.may_undo(v, done, audiences)} == who


# Forgetting


@pytest.mark.parametrize(
    ("name", "scope", "searched"),
    [
        ("subject", Scope.READABLE, (0, HERE, -ANN)),
        ("operator", Scope.EVERYWHERE, None),
        ("moderator", Scope.AUDIBLE, (0, HERE)),
        ("manager", Scope.AUDIBLE, (0, HERE)),
        ("teller", Scope.OWN_SOURCES, (0, HERE)),
        ("moderator of the channel", Scope.OWN_SOURCES, (0, HERE)),
        ("other", Scope.OWN_SOURCES, (0, HERE)),
    ],
)
def test_how_far_a_word_reaches(name: str, scope: Scope, searched: tuple[int, ...] | None) -> None:
    """The subject's in their rooms, a moderator's where they hear, anybody else's over what they told themselves."""
    assert may.scope_of(VIEWERS[name], ANN) is scope
    assert may.searched_audiences(VIEWERS[name], ANN) == searched


def test_who_may_strike_a_day() -> None:
    """The member alone, of what they may hear here."""
    assert {n for n, v in VIEWERS.items() if may.may_strike_days(v, ANN, HERE)} == those("subject, operator")
    assert {n for n, v in VIEWERS.items() if may.may_strike_days(v, ANN, ELSEWHERE)} == {"operator"}


# Deciding


def test_who_may_choose_erase_and_administer() -> None:
    """Consent is the member's; erasing the member's and managers'; the server's rules are managers'."""
    assert {n for n, v in VIEWERS.items() if may.may_choose(v, ANN)} == those("subject, operator")
    assert {n for n, v in VIEWERS.items() if may.may_erase(v, ANN)} == those("subject, manager, operator")
    assert {n for n, v in VIEWERS.items() if may.may_administer(v)} == {"manager", "operator"}


def test_what_is_not_allowed_is_an_error() -> None:
    """A service goes on only after a yes."""
    may.require(True)
    with pytest.raises(NotAllowed):
        may.require(False)


# Viewers


def test_rights_are_of_one_guild() -> None:
    """Elsewhere a manager is anybody, before everyone; nobody's answer becomes less private; an operator stays one."""
    here = viewer(CID, may_manage=True, may_moderate=True, is_alone=True)
    there = here.in_guild(G + 1)
    assert (there.guild_id, there.user_id, there.is_alone) == (G + 1, CID, True)
    assert not (there.may_manage or there.may_moderate or there.is_operator)
    assert there.audiences == (0,)
    assert here.in_guild(G) == here
    assert operator(G).in_guild(G + 1) == operator(G + 1)


def test_a_viewer_hears_their_own_audience() -> None:
    """An audience that may not hear itself is a mistake of whoever built the viewer."""
    with pytest.raises(ValueError, match="must contain the audience"):
        Viewer(guild_id=G, user_id=ANN, audience=HERE)


def test_nobody_is_no_member_and_not_the_operator() -> None:
    """Nobody in particular hears, and is taken for no one."""
    nobody = public(G)
    assert (nobody.user_id, nobody.is_member, nobody.is_operator, nobody.moderates) == (NOBODY, False, False, False)
    assert nobody.audiences == (0,)
    assert viewer(ANN).is_member
    assert not operator(G).is_member
    assert ALL_GUILDS == 0
