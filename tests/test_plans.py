"""What a request to forget takes away: a table of who asks for what, and what goes."""

from datetime import UTC, datetime

import pytest

from memory import Confidence, Fact, Member, Message, Note, NoteKind, Source
from memory.forgetting.plan import Asked, Candidates, Plan, may_change, planned
from memory.rules.keywords import Marker

NOON = datetime(2026, 11, 10, 12, tzinfo=UTC)
ANN, BOB, MOD = 1, 2, 3
ABOUT = Member(guild_id=9, user_id=ANN, display_name="Ann", username="ann")
MARKER = Marker(b"a key")


def fact(number: int, value: str, by: int = BOB, audience: int = 0, retired: bool = False) -> Fact:
    return Fact(
        guild_id=9,
        fact_id=number,
        user_id=ANN,
        key="note",
        value=value,
        domain="personal",
        confidence=Confidence.MEDIUM,
        source=Source.EXPLICIT,
        stated_by=by,
        channel_id=None,
        message_id=None,
        quote=value,
        audience=audience,
        created_at=NOON,
        last_confirmed_at=NOON,
        retired_at=NOON if retired else None,
    )


def message(number: int, by: int, text: str) -> Message:
    return Message(guild_id=9, message_id=number, channel_id=7, user_id=by, text=text, timestamp=NOON)


def note(number: int, text: str) -> Note:
    return Note(
        guild_id=9,
        note_id=number,
        audience=0,
        user_id=ANN,
        kind=NoteKind.EVENT,
        text=text,
        weight=1,
        evidence=(1,),
        at=NOON,
    )


CAT = "Ann has a cat called Zorblaxine"
FOUND = Candidates(
    messages=(
        (message(11, ANN, "my cat is called Zorblaxine"), {ANN}),
        (message(12, BOB, "Ann's cat is Zorblaxine, I hear"), {ANN, BOB}),
        (message(13, BOB, "Zorblaxine is a fine name for a cat"), {BOB}),
        (message(14, ANN, "the tram takes 40 minutes"), {ANN}),
    ),
    facts=(
        fact(1, CAT),
        fact(2, "the cat Zorblaxine sleeps", retired=True),
        fact(3, "Zorblaxine is told to staff", audience=8),
        fact(4, "Zorblaxine is told here too"),
        fact(5, "Ann sails", audience=8),
    ),
    notes=(note(21, "cat Zorblaxine learned a trick"), note(22, "takes the tram")),
)


def plan(
    by: int, *, moderates: bool = False, action: str = "forget", facts: tuple[Fact, ...] = (fact(1, CAT),)
) -> Plan:
    asked = Asked(about=ABOUT, by=by, moderates=moderates, action=action, facts=facts, statements=[CAT], audible=(0,))
    return planned(asked, FOUND, MARKER)


def test_by_the_persons_word_all_that_tells_it_goes() -> None:
    """Their messages and others' about them, notes, and facts that hold no more or were told elsewhere; for good."""
    done = plan(ANN)

    assert (done.message_ids, done.note_ids, done.fact_ids, done.more) == ([11, 12], [21], [1, 2, 3], 2)
    assert len(done.suppress) == 1
    assert (done.teller_only, done.administrative) == (False, False)


def test_by_a_moderators_word_what_was_said_there_goes() -> None:
    """The facts asked for, and what tells them; what was told elsewhere is not looked at."""
    done = plan(MOD, moderates=True)

    assert (done.message_ids, done.note_ids, done.fact_ids, done.more) == ([11, 12], [21], [1], 0)
    assert len(done.suppress) == 1
    assert Asked(about=ABOUT, by=MOD, moderates=True, action="forget", audible=(0,)).searched == (0,)
    assert Asked(about=ABOUT, by=ANN, moderates=True, action="forget", audible=(0,)).searched is None


def test_by_anybody_elses_word_what_they_told_goes() -> None:
    """Their own messages and what they told of the fact; nothing is kept from being told again."""
    done = plan(BOB)

    assert (done.message_ids, done.note_ids, done.fact_ids) == ([12, 13], [], [1])
    assert (done.suppress, done.teller_only, done.teller) == ([], True, BOB)


def test_a_rollback_takes_sources_alone() -> None:
    """All that a member taught, by whoever manages: no message, no note, nothing suppressed."""
    done = plan(MOD, moderates=True, action="rollback")

    assert (done.message_ids, done.note_ids, done.fact_ids, done.suppress) == ([], [], [1], [])
    assert (done.teller_only, done.teller, done.administrative) == (True, ANN, True)


def test_without_anything_to_take_a_plan_is_empty() -> None:
    """Neither facts nor messages nor notes."""
    asked = Asked(about=ABOUT, by=ANN, moderates=False, action="forget", statements=[CAT], audible=(0,))

    assert planned(asked, Candidates(), MARKER).empty
    assert not plan(ANN).empty


@pytest.mark.parametrize(
    ("by", "moderates", "private", "may"),
    [
        (ANN, False, False, True),
        (BOB, False, False, True),
        (MOD, False, False, False),
        (MOD, True, False, True),
        (ANN, False, True, True),
        (BOB, False, True, False),
        (MOD, True, True, False),
    ],
)
def test_who_may_change_a_fact(by: int, moderates: bool, private: bool, may: bool) -> None:
    """Its subject, its teller, a moderator; what is private, its subject alone."""
    assert may_change(fact(1, CAT, audience=-ANN if private else 0), by, moderates=moderates) is may
