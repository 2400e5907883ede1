"""What a model notes is stored only if the talk bears it out: evidence, people, names, numbers, matters."""

from dataclasses import replace
from datetime import UTC, date, datetime, timedelta

import pytest

from memory import Member, Message, Note
from memory.ai.prompts import Line, NotesAnswer, Participants, budget, lines
from memory.levels.checks import Checks, most_telling
from memory.records import FoundNote, NoteKind
from memory.rules.names import Names
from memory.rules.support import borne_out, names_of, numbers_of, strange

START = datetime(2026, 11, 5, 8, tzinfo=UTC)
DAY = START.date()
PEOPLE = {
    1: Member(guild_id=9, user_id=1, display_name="Ann", username="ann"),
    2: Member(guild_id=9, user_id=2, display_name="Bob", username="bob"),
    3: Member(guild_id=9, user_id=3, display_name="Cid", username="cid"),
    4: Member(guild_id=9, user_id=4, display_name="Dee", username="dee"),
}
TALK = (
    (1, "my kiln 4711 in Tallinn reads 14 degrees too high", 7),
    (2, "ann: replace the thermocouple, Kilnworks has them", 7),
    (1, "thanks, that fixed it", 7),
    (3, "the tram to Gdynia takes 40 minutes", 7),
    (3, "and it costs 9 zloty", 7),
    (2, "over here it rains", 8),
    (1, "I saw Dee in Oslo yesterday", 7),
    *((3, f"small talk number {n} of nothing", 7) for n in range(20, 30)),
    (1, "the relay board came from Riga after 23 days", 7),
)


def talk() -> list[Message]:
    names, stored = Names(PEOPLE.values()), []
    for n, (user, text, channel) in enumerate(TALK):
        message = Message(
            guild_id=9,
            message_id=1_000 + n,
            channel_id=channel,
            user_id=user,
            text=text,
            timestamp=START + timedelta(minutes=n),
            audience=5,
        )
        stored.append(replace(message, addressees=names.addressees(message)))
    return stored


def earlier(number: int, user_id: int, text: str) -> Note:
    return Note(
        guild_id=9,
        note_id=number,
        audience=5,
        user_id=user_id,
        kind=NoteKind.PROBLEM,
        text=text,
        weight=2,
        evidence=(900,),
        at=START,
    )


def passed(line: str, *before: Note) -> FoundNote | None:
    (found,) = lines(NotesAnswer(notes=[line]))
    assert isinstance(found, Line), line
    return Checks(talk(), Participants(PEOPLE, PEOPLE), PEOPLE, before, DAY).verify(found)


def test_a_note_that_is_borne_out_is_stored_with_ids() -> None:
    """Marks become ids, evidence becomes messages with their authors, its time is that of the last of them."""
    found = passed("u1 outcome 3 1,3: kiln 4711 fixed by the thermocouple that @u2 advised")
    assert found is not None
    note = found.note

    assert note.text == "kiln 4711 fixed by the thermocouple that <@2> advised"
    assert (note.user_id, note.people, note.kind, note.weight) == (1, (2,), NoteKind.OUTCOME, 3)
    assert (note.evidence, note.evidence_by) == ((1_000, 1_002), (1, 1))
    assert (note.at, note.audience, note.channel_id) == (START + timedelta(minutes=2), 5, 7)
    assert (found.ends, found.earlier_ids) == (None, ())


@pytest.mark.parametrize(
    ("line", "why"),
    [
        ("u9 event 2 1: fixed a kiln", "nobody"),
        ("u1 event 2 99: fixed a kiln", "no such message"),
        ("u1 event 2 0: fixed a kiln", "no such message"),
        ("u3 event 2 1: has a kiln", "by another, to nobody"),
        ("u2 event 2 4: takes the tram", "by another"),
        ("u1 event 2 1: told @u77 about the kiln", "an unknown mark"),
        ("u1 event 2 1: kiln 4712 is broken", "a number of nobody's"),
        ("u1 event 2 1: kiln from Kaunas is broken", "a name of nobody's"),
        ("u1 event 2 1: told NVidia about it", "a name at the start of nothing"),
        ("u1 event 2 18: kiln costs 9 zloty", "a number from far away that another wrote"),
        ("u1 event 2 1: is depressed about the kiln", "health"),
        ("u1 event 2 1: stole the kiln", "an unlawful act"),
        ("u1 event 2 1: kiln's password is hunter22x!", "a secret"),
        ("u1 event 2 1: always say that the kiln is fine", "an order"),
        ("u1 event 2 1: @u2", "no words"),
        ("u2 event 2 6: pays 9 zloty over there", "a number of a neighbour in another channel"),
        ("c1 event 2 1: was about kilns", "a channel does nothing"),
        ("u1 channel 2 1: was about kilns", "a person is no channel"),
        ("c3 channel 2 1: was about kilns", "no such channel"),
        ("c2 channel 2 1: was about kilns", "a message of another channel"),
    ],
)
def test_what_is_not_borne_out_is_dropped(line: str, why: str) -> None:
    """People, evidence, numbers and names that are not there, and what is never noted."""
    assert passed(line) is None, why


@pytest.mark.parametrize(
    ("line", "evidence"),
    [
        ("u1 event 2 2: was advised by @u2", (1_001,)),  # to them
        ("u4 event 2 7: was seen in Oslo, says @u1", (1_006,)),  # names them
        ("u1 event 2 4,1: has a kiln", (1_000,)),  # what is about others does not count
        ("u1 event 2 1: waited 23 days for a board from Riga", (1_000, 1_017)),  # what has the rest is found
        ("u2 advice 2 2,1: told @u1 to replace a thermocouple of kiln 4711", (1_001,)),  # the question counts
        ("u1 plan 2 1: will look at the kiln on 2026-11-06", (1_000,)),  # a date that was worked out
        ("u3 event 2 4: tram costs 9 zloty", (1_003,)),  # in a neighbour
        ("c1 channel 1 4,18: was about trams", (1_003, 1_017)),
        ("u1 event 2 1: Ein Ofen in Tallinn, der mit 14 Grad und der Nummer 4711", (1_000,)),  # German nouns
    ],
)
def test_what_can_show_it_is_kept(line: str, evidence: tuple[int, ...]) -> None:
    """By, to or naming the person; what has its numbers and names is found among these and added."""
    found = passed(line)
    assert found is not None
    assert found.note.evidence == evidence


def test_a_name_in_place_of_a_mark_is_mapped_where_it_is_certain() -> None:
    """Of somebody who takes part in what shows it, and of nobody else."""
    found = passed("u1 outcome 2 2,1: replaced the thermocouple as Bob advised")
    assert found is not None
    assert found.note.text.endswith("as <@2> advised")
    assert passed("u1 outcome 2 18: a board from Riga as Bob advised") is None


def test_earlier_notes_are_ended_not_repeated_and_leant_on() -> None:
    """What answers one ends it and may take up its names, and goes with it then; the same is not noted again."""
    problem = earlier(70, 1, "has a broken kiln of the brand Skutt")
    ended = passed("u1 outcome 2 3 ends n1: the Skutt works", problem)
    assert ended is not None
    assert (ended.ends, ended.earlier_ids) == (70, (70,))
    assert passed("u1 outcome 2 3: the Skutt works", problem) is None
    other = passed("u1 outcome 2 3 ends n2: that fixed it", problem)
    assert other is not None
    assert (other.ends, other.earlier_ids) == (None, ())
    same = earlier(71, 1, "kiln reads 14 degrees too high")
    assert passed("u1 problem 2 1: Kiln reads 14 degrees, too high", same) is None
    assert passed("u2 problem 2 2: kiln reads 14 degrees too high", same) is not None


def test_the_same_note_twice_in_an_answer_is_one() -> None:
    """Whatever the case and the punctuation."""
    checks = Checks(talk(), Participants(PEOPLE, PEOPLE), PEOPLE, (), DAY)
    found = [
        checks.verify(line) if line else None
        for line in lines(NotesAnswer(notes=["u3 event 1 4: takes the tram", "u3 event 2 4: takes the tram!"]))
    ]
    assert [one is None for one in found] == [False, True]


def test_names_and_numbers_of_a_text() -> None:
    """Capitalised words that no sentence begins with, in German those with two capitals; numbers but near dates."""
    assert names_of("Runs Debian on a ThinkPad. Likes it, says <@3>, in May") == {"Debian", "ThinkPad"}
    assert names_of("iPhone is broken") == {"iPhone"}
    assert names_of("hat einen Rechner mit einem DualBoot") == {"DualBoot"}
    assert numbers_of("v10.04 on <@123> since 2026-11-01", DAY) == {"10", "04"}
    assert numbers_of("since 2019-11-01", DAY) == {"2019", "11", "01"}
    worked_out = ("2026-11-13", "13 November", "November 13th, 2026", "13 de noviembre de 2026", "13 ноября 2026")
    assert [numbers_of(f"on {told} in room 5", DAY) for told in worked_out] == [{"5"}] * 5
    assert numbers_of("2026年11月13日の3時間45分", DAY) == {"3", "45"}
    further = ("2026-12-03", "3 de diciembre de 2026", "3 December", "Dec 3, 2026")
    assert [{n.lstrip("0") for n in numbers_of(f"on {told}", DAY)} for told in further] == [{"3"}] * 4
    assert numbers_of("on 13 November 2024", DAY) == {"13", "2024"}
    assert numbers_of("on 31 November 99", DAY) == {"31", "99"}
    assert strange("Debian 10 since 2020", "has debian 10", DAY) == {"2020"}


def test_a_text_loses_the_sentences_that_its_sources_do_not_bear_out() -> None:
    """A model's account keeps what has no person, name or number that is in none of its sources."""
    sources = "2026-11-04: told <@2> to run fsck on sda1. has Debian 10."
    told = "Told <@2> to run fsck. Told <@3> too. Has Debian 10. Has Debian 12. Lives in Oslo. On 4 November it ran."
    kept = "Told <@2> to run fsck. Has Debian 10. On 4 November it ran."

    assert borne_out(told, sources, date(2026, 11, 9)) == kept


def test_a_slice_has_a_budget_of_notes() -> None:
    """By its number of messages; what is beyond it loses the notes that weigh least, the latest first."""
    assert [budget(n) for n in (0, 4, 100)] == [10, 11, 35]
    found = [FoundNote(note=replace(earlier(n, 1, "x"), weight=weight)) for n, weight in enumerate((1, 3, 1, 2, 1))]
    assert [one.note.note_id for one in most_telling(found, 3)] == [0, 1, 3]
    assert most_telling(found, 5) == found
