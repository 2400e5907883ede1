"""Which notes show that a fact changed: what a person has one of, in their own words, later, and another."""

from datetime import UTC, datetime, timedelta

import pytest

from memory.records import Confidence, Fact, FactDomain, Note, NoteKind
from memory.rules.changes import MAX_CHANGES, changes

TOLD = datetime(2026, 11, 1, tzinfo=UTC)


def fact(value: str, *, key: str = "note", fact_id: int = 1) -> Fact:
    return Fact(
        fact_id=fact_id,
        guild_id=1,
        user_id=1,
        stated_by=1,
        key=key,
        value=f"<@1> {value}" if ": " not in value else f"<@1>: {value}",
        quote=value,
        domain=FactDomain.PERSONAL,
        confidence=Confidence.HIGH,
        source="explicit",
        channel_id=None,
        message_id=None,
        audience=0,
        created_at=TOLD,
        last_confirmed_at=TOLD,
    )


def note(
    text: str,
    *,
    days: int = 1,
    by: int = 1,
    user_id: int = 1,
    kind: NoteKind = NoteKind.TRAIT,
    superseded_by: int | None = None,
) -> Note:
    at = TOLD + timedelta(days=days)
    return Note(
        guild_id=1,
        audience=0,
        user_id=user_id,
        kind=kind,
        text=text,
        weight=3,
        evidence=(7,),
        at=at,
        note_id=days,
        evidence_by=(by,),
        superseded_by=superseded_by,
    )


@pytest.mark.parametrize(
    ("told", "noted"),
    [
        ("lives in Berlin", "moved to Oslo"),
        ("lives in Berlin", "now lives in Oslo, near the harbour"),
        ("lives in Berlin", "lives now in Oslo"),
        ("works as a welder", "started working as a nurse"),
        ("works for Acme", "works at Initech now"),
        ("wohnt in Berlin", "ist nach Oslo gezogen"),
        ("arbeitet als Schweißer", "arbeitet jetzt als Pfleger"),
        ("vive en Lima", "se mudó a Cusco"),
        ("habite à Lyon", "a déménagé à Nantes"),
        ("живёт в Москве", "переехала в Казань"),
        ("работает сварщиком", "теперь работает медсестрой"),
    ],
)
def test_another_home_job_or_employer_is_a_change(told: str, noted: str) -> None:
    """In each language, with an adverb or without."""
    known, newer = fact(told), note(noted)
    (change,) = changes([known], [newer])
    assert (change.fact, change.note) == (known, newer)


@pytest.mark.parametrize(
    ("told", "noted"),
    [
        ("lives in Berlin", "moved to Berlin for good"),
        ("lives in Berlin", "moved to the sofa"),
        ("lives in Berlin", "wants to move to Oslo"),
        ("lives in Berlin", "works at Initech"),
        ("lives in Berlin", "переехал в Осло"),
        ("works as a welder", "lives in Oslo"),
        ("'s brother lives in Berlin", "moved to Oslo"),
        ("likes Berlin", "moved to Oslo"),
        ("работает сварщиком", "работает над проектом"),
    ],
)
def test_all_else_is_none(told: str, noted: str) -> None:
    """The same again, what is only wished, another matter, another person, or words that cannot be compared."""
    assert changes([fact(told)], [note(noted)]) == []


def test_a_fact_told_under_a_label_is_compared_too() -> None:
    """ "location: Berlin" says where somebody lives; "pet: Berlin" does not."""
    assert changes([fact("location: Berlin", key="location")], [note("moved to Oslo")])
    assert not changes([fact("location: Oslo", key="location")], [note("moved to Oslo")])
    assert not changes([fact("pet: Berlin", key="pet")], [note("moved to Oslo")])


def test_only_a_later_word_of_ones_own_counts() -> None:
    """No older note, no other's claim, no plan, nothing that was taken back since, nothing about another."""
    known = fact("lives in Berlin")
    assert changes([known], [note("moved to Oslo", days=0)]) == []
    assert changes([known], [note("moved to Oslo", by=2)]) == []
    assert changes([known], [note("moved to Oslo", user_id=2, by=2)]) == []
    assert changes([known], [note("moved to Oslo", kind=NoteKind.PLAN)]) == []
    assert changes([known], [note("moved to Oslo", superseded_by=9)]) == []


def test_the_latest_counts_and_few_are_told() -> None:
    """Of two moves the last; of many facts the two that changed last."""
    known = [
        fact("lives in Berlin", fact_id=1),
        fact("works as a welder", fact_id=2),
        fact("works for Acme", fact_id=3),
    ]
    notes = [
        note("moved to Oslo", days=1),
        note("works as a nurse", days=2),
        note("moved to Riga", days=3),
        note("works at Initech", days=4),
    ]
    found = changes(known, notes)
    assert [(c.fact.fact_id, c.note.text) for c in found] == [(3, "works at Initech"), (1, "moved to Riga")]
    assert len(found) == MAX_CHANGES
