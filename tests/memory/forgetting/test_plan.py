"""What a request to forget takes away: a table of who asks for what, and what goes."""

from dataclasses import replace
from datetime import UTC, datetime

from memory import Fact, Member, Message, Note, Viewer
from memory.forgetting.plan import Candidates, ForgetRequest, Plan, plan_forgetting, plan_rollback
from memory.permissions import Refusal
from memory.records import Conclusion, ConclusionKind, Confidence, NoteKind, Source
from memory.rules.suppression import Fingerprints

NOON = datetime(2026, 11, 10, 12, tzinfo=UTC)
ANN, BOB, MOD = 1, 2, 3
SUBJECT = Member(guild_id=9, user_id=ANN, display_name="Ann", username="ann")
FINGERPRINTS = Fingerprints(b"a key")


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


def conclusion(number: int, text: str) -> Conclusion:
    return Conclusion(
        guild_id=9, conclusion_id=number, audience=0, kind=ConclusionKind.DECISION, text=text, people=(ANN,), at=NOON
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
    conclusions=(conclusion(31, "the cat Zorblaxine stays"), conclusion(32, "the tram is taken")),
    turns=(("turn:1:1", "my cat Zorblaxine is called so"), ("turn:1:2", "I see"), ("segment:1:1", None)),
)


def request(by: int, *facts: Fact, may_moderate: bool = False, text: str = CAT) -> ForgetRequest:
    viewer = Viewer(guild_id=9, user_id=by, may_moderate=may_moderate)
    return ForgetRequest(viewer=viewer, subject=SUBJECT, action="forget", facts=facts, text=text)


def plan(by: int, *, may_moderate: bool = False) -> Plan:
    return plan_forgetting(request(by, fact(1, CAT), may_moderate=may_moderate), FOUND, FINGERPRINTS)


def test_by_the_subjects_word_all_that_tells_it_goes() -> None:
    """Their messages and others' about them, notes, and facts that hold no more or were told elsewhere; for good."""
    done = plan(ANN)

    assert (done.message_ids, done.note_ids, done.fact_ids, done.further_facts) == ([11, 12], [21], [1, 2], 1)
    assert (done.conclusion_ids, done.turns) == ([31], ["turn:1:1", "segment:1:1"])
    assert len(done.suppressed) == 1
    assert (done.teller, done.administrative, list(done.refused)) == (None, False, [])


def test_by_a_moderators_word_what_was_said_there_goes() -> None:
    """The facts asked for, and what tells them; what was told elsewhere is not looked at."""
    done = plan(MOD, may_moderate=True)

    assert (done.message_ids, done.note_ids, done.fact_ids, done.further_facts) == ([11, 12], [21], [1], 0)
    assert done.conclusion_ids == [31]
    assert len(done.suppressed) == 1
    assert request(MOD, may_moderate=True).searched_audiences == (0,)
    assert request(ANN, may_moderate=True).searched_audiences == (0, -ANN)


def test_by_anybody_elses_word_what_they_told_goes() -> None:
    """Their own messages and what they told of the fact; nothing is kept from being told again."""
    done = plan(BOB)

    assert (done.message_ids, done.note_ids, done.fact_ids) == ([12, 13], [], [1])
    assert (done.conclusion_ids, done.turns) == ([], [])
    assert (done.suppressed, done.teller) == ([], BOB)


def test_what_the_viewer_may_not_strike_is_refused() -> None:
    """It stays, its words are not looked for, and the words of the request neither."""
    theirs, others = fact(1, CAT), fact(6, "Ann sails a dinghy", by=MOD)
    done = plan_forgetting(request(BOB, theirs, others), FOUND, FINGERPRINTS)
    assert (list(done.fact_ids), done.refused) == ([1], {6: Refusal.NOT_THEIRS})
    asked = request(BOB, others)
    assert (asked.statements, asked.keywords) == ([], [])
    assert plan_forgetting(asked, FOUND, FINGERPRINTS).is_empty


def test_the_words_of_a_request_count_where_they_mean_one_thing() -> None:
    """With one fact or none; of several, the facts' own words alone say what goes."""
    one, other = fact(1, CAT), fact(5, "Ann sails")
    assert request(ANN, one, text="my cat").statements == [CAT, "my cat"]
    assert request(ANN, text="my cat").statements == ["my cat"]
    assert request(ANN, one, other, text="my cat").statements == [CAT, "Ann sails"]


def test_a_rollback_takes_sources_alone() -> None:
    """All that a member taught, by whoever manages: no message, no note, nothing suppressed."""
    done = plan_rollback(Viewer(guild_id=9, user_id=MOD, may_manage=True), SUBJECT, [fact(1, CAT)])

    assert (done.message_ids, done.note_ids, done.fact_ids, done.suppressed) == ((), (), [1], ())
    assert (done.teller, done.actor_id, done.administrative) == (ANN, MOD, True)


def test_without_anything_to_take_a_plan_is_empty() -> None:
    """Neither facts nor messages nor notes."""
    assert plan_forgetting(request(ANN), Candidates(), FINGERPRINTS).is_empty
    assert not plan(ANN).is_empty


def test_a_plan_is_empty_only_without_facts_messages_and_notes() -> None:
    """Each of them alone is something to take."""
    for goes in ({"fact_ids": [1]}, {"message_ids": [1]}, {"note_ids": [1]}, {"conclusion_ids": [1]}):
        assert not Plan(user_id=ANN, actor_id=ANN, action="forget", **goes).is_empty  # type: ignore[arg-type]
    assert Plan(user_id=ANN, actor_id=ANN, action="forget").is_empty


def test_a_fact_that_was_asked_for_is_not_found_besides() -> None:
    """A retired fact that is struck goes once, and is not counted among the further ones."""
    retired = fact(2, "the cat Zorblaxine sleeps", retired=True)
    done = plan_forgetting(request(ANN, retired, text=""), FOUND, FINGERPRINTS)
    assert (done.fact_ids, done.further_facts) == ([2], 0)
    assert request(ANN, retired, text="").statements == ["the cat Zorblaxine sleeps"]


def test_a_name_that_the_fact_itself_tells_is_forgotten_with_it() -> None:
    """Other names of the subject tell nothing, and what they are shown by never does."""
    named = replace(SUBJECT, aliases=("Sergey", "Nan", "Ann"))
    forgotten = replace(request(ANN, fact(1, "Ann is Sergey")), subject=named)
    assert forgotten.ignored == ("Ann", "ann", "Nan")
    (statement,) = plan_forgetting(forgotten, Candidates(), FINGERPRINTS).suppressed[:1]
    assert statement.is_told_by(FINGERPRINTS.of_text("Ann is Sergey"))
    assert replace(forgotten, facts=[fact(1, "Ann sails")]).ignored == ("Ann", "ann", "Sergey", "Nan")
