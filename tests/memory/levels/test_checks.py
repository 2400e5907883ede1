"""What a model notes is stored only if the talk bears it out: evidence, people, names, numbers, matters."""

from dataclasses import replace
from datetime import UTC, date, datetime, timedelta

import pytest

from memory import Member, Message, Note
from memory.ai.prompts import Line, NotesAnswer, Participants, budget, lines
from memory.levels.checks import NEIGHBOURS, TOPIC_REACH, Checks, most_telling
from memory.records import FoundNote, NoteKind
from memory.rules.names import Names
from memory.rules.rare import is_usual
from memory.rules.support import borne_out, contradicted, names_of, numbers_of, strange

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


# Who said it, and who had part in it


def of_talk(
    line: str, *said: tuple[int, str], channel_names: str = "", members: dict[int, Member] = PEOPLE
) -> FoundNote | None:
    """What passes of a line about messages one after the other, each by a member."""
    names = Names(members.values())
    talk = [
        Message(guild_id=9, message_id=n, channel_id=7, user_id=user, text=text, timestamp=START + timedelta(minutes=n))
        for n, (user, text) in enumerate(said, 1)
    ]
    talk = [replace(message, addressees=names.addressees(message)) for message in talk]
    (found,) = lines(NotesAnswer(notes=[line]))
    assert isinstance(found, Line)
    return Checks(talk, Participants(members, members), members, (), DAY, channel_names=channel_names).verify(found)


@pytest.mark.parametrize(
    ("kind", "says", "kept"),
    [
        ("problem", "dee", False),
        ("trait", "dee", False),
        ("advice", "dee", False),
        ("event", "dee", True),
        ("relation", "dee", True),
        ("problem", "nothing", True),
    ],
)
def test_what_a_note_says_of_somebody_they_said(kind: str, says: str, *, kept: bool) -> None:
    """Others' words show what happened to them, and what is said of who is silent."""
    said = [(1, "dee: your kiln is broken in Tallinn"), (4 if says == "dee" else 2, "hm")]
    found = of_talk(f"u4 {kind} 2 1: has a broken kiln in Tallinn", *said)
    assert (found is not None) == kept


CROWD = {
    **PEOPLE,
    **{n: Member(guild_id=9, user_id=n, display_name=f"Guest{n}", username=f"guest{n}") for n in range(5, 10)},
}


@pytest.mark.parametrize(
    ("named", "text"),
    [
        ("u4", "told <@4> to dry the clay"),  # cited, and spoken to
        ("u2", "told <@2> to dry the clay"),  # who asked her nearby
        ("u3", "told <@3> to dry the clay"),  # whom she answered nearby
        ("u5", "told someone to dry the clay"),  # who only writes nearby
        ("u9", "told someone to dry the clay"),
    ],
)
def test_who_had_no_part_in_it_is_someone(named: str, text: str) -> None:
    """In a crowd, those count who are in what is cited, or spoke with the person around it."""
    crowd = [(5, "what a day"), (2, "ann: what shall I do?"), (1, "cid: no idea"), (1, "dee: dry the clay")]
    found = of_talk(
        f"u1 advice 2 4: told @{named} to dry the clay", *crowd, (6, "hm"), (7, "so"), (8, "oh"), members=CROWD
    )
    assert found is not None
    assert found.note.text == text
    assert found.note.people == (() if "someone" in text else (int(named[1:]),))


def test_nobody_deals_with_themselves() -> None:
    """A note that tells of its subject as of somebody else is about the wrong person."""
    said = [(2, "ann: what shall I do?"), (1, "bob: dry the clay")]
    assert of_talk("u1 advice 2 2: told @u2 to dry the clay", *said) is not None
    assert of_talk("u2 advice 2 2,1: told @u2 to dry the clay", *said) is None


def test_a_note_loses_a_word_that_nothing_bears_out() -> None:
    """It is kept without it where it still reads well, and dropped where it does not."""
    said = [(1, "my Skutt kiln freezes at every start, it worked before")]
    found = of_talk("u1 problem 2 1: has a Skutt kiln that freezes on 9.10, worked before", *said)
    assert found is not None
    assert found.note.text == "has a Skutt kiln that freezes, worked before"
    assert of_talk("u1 problem 2 1: has 3 Skutt kilns that freeze", *said) is None
    assert of_talk("u1 problem 2 1: has a Skutt-Rohde kiln that freezes on 9.10, worked before", *said) is None


def test_in_a_small_talk_nobody_needs_to_be_named() -> None:
    """Who writes beside somebody, with one other at the most, had part in it."""
    said = [(2, "my clay is wet"), (3, "mine too"), (1, "dry it in Tallinn"), (3, "right")]
    found = of_talk("u1 advice 2 3: told @u2 to dry the clay", *said)
    assert found is not None
    assert found.note.text == "told <@2> to dry the clay"
    crowd = [*said[:2], (4, "hello"), said[2], said[3]]
    less = of_talk("u1 advice 2 4: told @u2 to dry the clay", *crowd)
    assert less is not None
    assert less.note.text == "told someone to dry the clay"


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("hat @u9 in der Stadt und nicht im Wald getroffen", "hat jemand in der Stadt"),
        ("ha visto a @u9 en la ciudad y no en el bosque de la villa", "ha visto a alguien en"),
        ("a vu @u9 dans la ville, le matin est long et les rues sont vides", "a vu quelqu'un dans"),
        ("видел @u9 в городе и не в лесу", "видел кто-то в городе"),
        ("met @u9 in the city", "met someone in the city"),
        ("met @u9", "met someone"),
    ],
)
def test_someone_is_in_the_language_of_the_note(text: str, told: str) -> None:
    """By its small words; English where it has none."""
    said = [(1, "so it was"), (2, "oh"), (3, "ah"), (4, "eh")]
    found = of_talk(f"u1 event 1 1: {text}", *said, members=CROWD)
    assert found is not None
    assert told in found.note.text


SAME_FIGURES = (
    ("1.5 GB", "1.5GB"),
    ("7:30 pm", "7:30pm"),
    ("2.6.32", "v2.6.32"),
    ("10.04", "ubuntu10.04"),
    ("192.168.1.1", "192.168.1.1:8080"),
    ("7:30", "07:30"),
    ("10.04", "10.04.1"),
    ("19.30", "19:30"),
    ("10.04", "10.04LTS"),
)


@pytest.mark.parametrize(
    ("text", "source", "missing"),
    [
        ("has two PCs", "i have 2 pc's", set()),
        ("met Russians there", "is somebody Russian?", set()),
        ("looked for Mexicans there", "hay mexicanos?", set()),
        ("moved to Texas today", "he texts me from there", {"Texas"}),
        ("met Christian there", "christina was there", {"Christian"}),
        ("is a Romanov there", "from another roof, man", {"Romanov"}),
        ("got it from Canonical there", "shipped by cannonical", set()),
        ("uses OpenOffice daily", "open office daily", set()),
        ("wants a 'Removable' disk", 'selected "Removable"', set()),
        ("lives in Gus there", "gu and so on", {"Gus"}),
        ("moved to Lisbon today", "moved to London today", {"Lisbon"}),
        ("runs the Debian box", "runs the Fedora box", {"Debian"}),
        *((f"it has {told} of it", said, set()) for told, said in SAME_FIGURES),
        ("upgraded to 3.2.0 today", "from 3.0 to 0.2", {"3.2.0"}),
        ("upgraded to 3.2.0 today", "version 3.2.0 it is", set()),
        ("was up at 11:40 then", "its 11:40 AM", set()),
        ("ran fsck on sda3 then", "3 times fsck, sda6", {"sda3"}),
        ("ran a check on sda3 then", "sda 3 is bad", set()),
        ("loses the F-key there", "the Fkey is lost", set()),
        ("has Windows 7 there", "i have win7", set()),
        ("has Windows 7 there", "i have winter7 and win", {"Windows"}),
        ("lives in Winnipeg", "i have win7", {"Winnipeg"}),
        ("sent all to #ubuntu-ru then", "ask in ubuntu", {"#ubuntu-ru"}),
        ("sent all to #ubuntu-ru then", "/j #ubuntu-ru", set()),
        ("is on firefox 9 today", "firefox 10, xulrunner-1.9", {"9"}),
        ("is on firefox 3 today", "firefox 3.05", set()),
        ("is on firefox 3.5 today", "firefox 3.05", {"3.5"}),
        ("comes at 10am tomorrow", "upgrade from 6.10", {"10"}),
        ("was born in 1990 there", "born 14.05.1990", set()),
        ("won it 3-1 at home", "we won 3:1", set()),
        ("runs it on port 25565 there", "it is at 192.168.1.20:25565", set()),
        ("moves on 15.09 then", "ich ziehe am 15.9 um", set()),
        ("went back to ff3b4 today", "to ff3b5, after 8.04", {"ff3b4"}),
        ("went back to ff3b5 today", "FF 3b5 it is", set()),
        ("has a core2duo there", "a cor2duo", set()),
        ("has a core2duo there", "a core3duo", {"core2duo"}),
        (
            "is from commit f83e0df25054320832554288357744c55685d3b7",
            "commit f83e0df25054320832554288357744c55685d3b7",
            set(),
        ),
        ("新しいps5pを買った", "ps5pを昨日買った", set()),
        ("友達と3人で行った", "昨日3人で行った", set()),
        ("resamples mp3s there", "an mp3 of it", set()),
        ("speaks French well", "je suis dans le jardin, mon ami", set()),
        ("spricht Spanisch", "yo soy de la ciudad", set()),
        ("speaks Russian well", "je suis dans le jardin, mon ami", {"Russian"}),
        ("speaks Russian well", "brb gtg lol", {"Russian"}),
        ("speaks French well", "the weather is good and I like it", {"French"}),
        ("speaks English well", "the weather is good and I like it", set()),
        ("speaks English well", "je suis dans le jardin, mon ami", {"English"}),
    ],
)
def test_names_and_numbers_in_another_form(text: str, source: str, missing: set[str]) -> None:
    """The other number, a wrong letter, in two words: the same name. Numbers that belong together stay together."""
    assert strange(text, source, DAY) == missing


@pytest.mark.parametrize(
    ("said", "told", "kept"),
    [
        ("my two kilns are broken", "has two broken kilns", True),
        ("my 2 kilns are broken", "has two broken kilns", True),
        ("both my kilns are broken", "has two broken kilns", True),
        ("tengo tres hornos rotos", "has three broken kilns", True),
        ("my two kilns are broken", "has three broken kilns", False),
        ("my kilns are broken", "has three broken kilns", False),
        ("my kiln broke a few months ago", "broke a kiln two years ago", False),
    ],
)
def test_a_number_in_words_is_a_number(said: str, told: str, *, kept: bool) -> None:
    assert (of_talk(f"u1 problem 2 1: {told}", (1, said)) is not None) is kept


@pytest.mark.parametrize(
    ("text", "source", "missing"),
    [
        ("debugs it with gdb at home", "I debug it with strace", {"gdb"}),
        ("debugs it with gdb at home", "I debug it with GDB", set()),
        ("has to reinstall the xubuntu on it", "my kubuntu is gone", {"xubuntu"}),
        ("has the settings in nvidia-xconfig now", "nvidia-settings has them", {"xconfig"}),
        ("the file is at ~/.xprofile now", "it is in .xsessionrc", {"xprofile"}),
        ("remaps and repacks an untried workaround", "hello", set()),
        ("is a barista and has organised the app", "hello", set()),
        ("trabaja con gatitos y geany en su casa", "hola", set()),
        ("hat am Wochenende in Berlin gefeiert", "ich feier das ganze Wochenende in Berlin", set()),
        ("is colourblind", "I'm color blind", set()),
        ("@gdb and #gdb don't have it", "hello", set()),
    ],
)
def test_a_rare_word_is_a_name_though_it_is_small(text: str, source: str, missing: set[str]) -> None:
    """In English. A word that people use in some form is none, and mentions and channels are looked at elsewhere."""
    assert {word for word in strange(text, source, DAY) if word.isalpha()} == missing


@pytest.mark.parametrize(
    ("word", "is_it"),
    [
        ("barista", True),
        ("repacks", True),
        ("vlogging", True),
        ("unzipqer", False),
        ("unzipping", True),
        ("geany", False),
        ("regeany", False),
        ("geanies", False),
    ],
)
def test_what_people_use(word: str, is_it: bool) -> None:
    """In any form: with another ending, a doubled letter before it, or without its beginning."""
    assert is_usual(word) is is_it


@pytest.mark.parametrize(
    ("text", "source", "missing"),
    [
        ("has asked for 3 days", "i have asked for 5 days", {"3"}),
        ("has asked for 5 days", "i have asked for 5 days", set()),
        ("has asked for 3 days", "i have asked for 3 days, 5 days they said", set()),
        ("has asked for 3 of 5 days", "i have asked for 3, it takes 5 days", set()),
        ("says 5 days, which were 3 days", "5 days", set()),
        ("says 3 days (not 5)", "5 days", set()),
        ("is on ubuntu 10.04", "ubuntu 9.10 here", {"10.04"}),
        ("comes at 8am", "at 7am", {"8"}),
        ("has 3 in it", "5 in it", set()),
        ("has 3 days", "hello", set()),
        ("uses python 3", "python 3.12", set()),
        ("pays 5 euros", "5.00 euros", set()),
        ("is on ubuntu 11.04", "ubuntu 11.4", {"11.04"}),
    ],
)
def test_a_number_that_another_one_contradicts(text: str, source: str, missing: set[str]) -> None:
    """The one beside the same word, unless the text has both. Small words are beside every number."""
    assert contradicted(text, source) == missing


def test_another_message_lends_no_number_against_the_cited_one() -> None:
    """It is near, and of the same person, but what is cited says otherwise."""
    said = [(1, "I asked for the kiln 5 days ago"), (1, "it takes 3 days, the kiln")]
    assert of_talk("u1 problem 2 1: asked for the kiln 5 days ago", *said) is not None
    assert of_talk("u1 problem 2 1: asked for the kiln 3 days ago", *said) is None


def test_nobody_needs_to_name_the_version_that_all_talk_of() -> None:
    """Three people around who write it are enough, if what is cited has no other version that the note leaves out."""
    all_talk = [*((n, f"natty 11.04 is late {n}") for n in (5, 6, 7)), *[(8, "hm")] * NEIGHBOURS]
    note = "u1 plan 2 7: boots 11.04 on the netbook"
    found = of_talk(note, *all_talk, (1, "I boot it on the netbook"))
    assert found is not None
    assert 3 in found.context_ids  # it goes with what names it
    assert of_talk(note, (6, "natty 11.04"), *all_talk[1:], (1, "I boot it on the netbook")) is None
    assert of_talk(note, *all_talk, (1, "I boot 10.10 on the netbook")) is None
    assert of_talk(note, *all_talk, (1, "I boot 11.0 on the netbook")) is not None
    far = [(1, "I boot it on the netbook"), *[(5, "hm")] * TOPIC_REACH, *all_talk]
    assert of_talk("u1 plan 2 1: boots 11.04 on the netbook", *far) is None


def test_who_stands_by_has_no_part_in_what_is_said_to_another() -> None:
    """Unless the cited messages have nobody else: people who answer each other often name nobody."""
    said = [(2, "is it the relay"), (1, "cid: dry the clay first"), (3, "ok")]
    found = of_talk("u1 advice 2 2: told @u2 to dry the clay", *said)
    assert found is not None
    assert found.note.text == "told someone to dry the clay"
    open_talk = [(2, "is it the relay"), (1, "dry the clay first"), (3, "ok")]
    found = of_talk("u1 advice 2 2: told @u2 to dry the clay", *open_talk)
    assert found is not None
    assert found.note.text == "told <@2> to dry the clay"


def test_a_stray_citation_gives_nobody_a_part() -> None:
    """A message of somebody else, from elsewhere and without a word of the note, is no evidence."""
    said = [(4, "look at my new hat"), *[(2, "hm")] * 69, (1, "cid: dry the clay first"), (3, "ok")]
    found = of_talk("u1 advice 2 71,1: told @u4 to dry the clay", *said)
    assert found is not None
    assert found.note.text == "told someone to dry the clay"
    asked = [(4, "my clay is so wet"), *[(2, "hm")] * 69, (1, "put the clay on the shelf"), (3, "ok")]
    found = of_talk("u1 advice 2 71,1: told @u4 to put the clay on the shelf", *asked)
    assert found is not None
    assert found.note.text == "told <@4> to put the clay on the shelf"


def test_who_answers_a_question_to_somebody_else_has_part_in_it() -> None:
    said = [(1, "bob: is the kiln ok?"), (3, "check the fuse"), (1, "thanks that did it")]
    found = of_talk("u1 problem 2 1: was helped by @u3 with the kiln after asking @u2", *said)
    assert found is not None
    assert found.note.text == "was helped by <@3> with the kiln after asking <@2>"


def test_who_writes_in_a_channel_has_part_in_its_notes() -> None:
    said = [(1, "my kiln is hot"), (2, "mine too"), (1, "nice")]
    found = of_talk("c1 channel 2 1: @u1 and @u2 compared their kilns", *said)
    assert found is not None
    assert found.note.text == "<@1> and <@2> compared their kilns"


def test_another_persons_fact_gives_no_name() -> None:
    said = [(1, "i live with two cats and a dog"), *[(3, "hm")] * 9, (2, "my two cats and a dog live in Kaunas")]
    assert of_talk("u1 trait 2 1: lives in Kaunas with two cats and a dog", *said) is None


def test_a_name_may_come_from_the_question_it_answers() -> None:
    """An advice's: the question is anybody's that shares three words with it."""
    said = [(2, "can I move the kiln to another HDD partition"), *[(3, "hm")] * 9, (1, "dd can move a kiln to another")]
    assert of_talk("u1 advice 2 11: said that dd can move a kiln to another HDD partition", *said) is not None
    said[0] = (2, "look at my HDD")
    assert of_talk("u1 advice 2 11: said that dd can move a kiln to another HDD partition", *said) is None


def test_the_channels_name_is_known() -> None:
    """Who writes in "ubuntu" may be noted to use it, and nothing else."""
    assert of_talk("u1 trait 2 1: runs the latest Ubuntu", (1, "I run the latest"), channel_names="ubuntu") is not None
    assert of_talk("u1 trait 2 1: runs the latest Debian", (1, "I run the latest"), channel_names="ubuntu") is None


def test_a_channel_may_be_named_as_it_is_written() -> None:
    """The talk has its number where a note has its name."""
    assert of_talk("u1 advice 2 1: told people to read #rules", (1, "please read <#555>"), channel_names="#rules rules")


def test_who_is_in_the_note_that_is_ended_had_part_in_it() -> None:
    """Though what ended it names nobody, in a crowd."""
    before = replace(earlier(70, 1, "cannot boot, <@3> told to reinstall grub"), people=(3,))
    (line,) = lines(NotesAnswer(notes=["u1 outcome 2 3 ends n1: reinstalled grub as @u3 told"]))
    assert isinstance(line, Line)
    said = [(5, "a"), (6, "b"), (1, "ok, reinstalled grub"), (7, "c"), (8, "d")]
    talk = [
        Message(guild_id=9, message_id=n, channel_id=7, user_id=user, text=text, timestamp=START)
        for n, (user, text) in enumerate(said, 1)
    ]
    found = Checks(talk, Participants(CROWD, CROWD), CROWD, (before,), DAY).verify(line)
    assert found is not None
    assert found.note.text == "reinstalled grub as <@3> told"


def test_what_is_helped_with_may_be_in_their_words() -> None:
    """Names of who is in the text count wherever they wrote; a number only with a word of the note beside it."""
    said = [(2, "my Skutt oven has 256 bricks"), (3, "a"), (3, "b"), (3, "c"), (3, "d"), (1, "bob: clean it")]
    found = of_talk("u1 advice 2 6: told @u2 to clean the Skutt", *said)
    assert found is not None
    assert found.context_ids[:1] == (1,)  # it goes with what it has its name from
    assert of_talk("u1 advice 2 6: told @u2 to clean 256 bricks", *said) is not None
    assert of_talk("u1 advice 2 6: told @u2 to clean 256 pots", *said) is None
    assert of_talk("u1 advice 2 6: told @u2 to clean the Rohde", *said) is None


def test_eight_messages_show_a_note() -> None:
    """What its text has may be in so many of a person's messages, and no more."""
    names = ("Skutt", "Rohde", "Kittec", "Nabertherm", "Cress", "Olympic", "Paragon", "Evenheat", "Bartlett")
    said = [line for name in names for line in ((1, f"I like my {name} kiln"), *[(2, "hm")] * 4)]
    found = of_talk(f"u1 trait 2 1: likes {', '.join(names[:8])}", *said)
    assert found is not None
    assert len(found.note.evidence) == 8
    assert of_talk(f"u1 trait 2 1: likes {', '.join(names)}", *said) is None
