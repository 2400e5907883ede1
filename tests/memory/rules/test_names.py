"""Who is meant by a name, as members write and rename themselves."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest

from memory import Member, Message
from memory.rules.names import MAX_FORMER_NAMES, Names, candidates, nominatives, opening, with_ids


def ann(name: str, **given: tuple[str, ...]) -> Member:
    return Member(guild_id=9, user_id=1, display_name=name, username="ann", **given)


def test_names_that_facts_gave_stay_when_a_member_writes() -> None:
    """A member as Discord knows them has neither aliases nor former names: those that are known stay theirs."""
    names = Names([ann("Ann7", aliases=("Annabel",), former_names=("Kestrel",))])
    names.add(ann("Ann8"))

    assert {names.whose(name) for name in ("Ann8", "ann7", "Annabel", "Kestrel")} == {1}
    names.add(ann("Ann8"))
    assert names.whose("Annabel") == 1


def test_the_oldest_of_many_names_is_given_up() -> None:
    """So many former names count and no more, the newest of them."""
    names = Names()
    for n in range(MAX_FORMER_NAMES + 2):
        names.add(ann(f"Renamed{n}x"))

    assert names.whose("Renamed0x") is None
    assert names.whose("Renamed1x") == 1
    assert len(names) == 1


AT = datetime(2026, 11, 10, 12, tzinfo=UTC)


def said(text: str, by: int = 3, minutes: int = 0) -> Message:
    at = AT + timedelta(minutes=minutes)
    return Message(guild_id=9, message_id=1, channel_id=7, user_id=by, text=text, timestamp=at)


def bob(name: str = "Bobby", user_id: int = 2) -> Member:
    return Member(guild_id=9, user_id=user_id, display_name=name, username=f"user{user_id}")


def known() -> Names:
    names = Names([ann("Annabel"), bob()])
    names.wrote(7, 2, AT)
    return names


@pytest.mark.parametrize(
    ("text", "by", "minutes", "addressees"),
    [
        ("Bobby, are you in?", 3, 0, (2,)),
        ("Bobby, that is me", 2, 0, ()),
        ("<@3> look", 3, 0, ()),
        ("bob: are you in?", 3, 0, (2,)),
        ("bob: are you in?", 3, 600, ()),
        ("anna: are you in?", 3, 0, ()),
        ("bob: are you in?", 2, 0, ()),
        ("Bobby yes", 3, 0, (2,)),
        ("Bobby yes", 3, 600, ()),
        ("Annabel yes", 3, 0, ()),
        ("bo: are you in?", 3, 0, ()),
    ],
)
def test_whom_a_message_speaks_to(text: str, by: int, minutes: int, addressees: tuple[int, ...]) -> None:
    """Whole names always, shortened and bare ones of who wrote there lately; nobody speaks to themselves."""
    assert known().addressees(said(text, by, minutes)) == addressees


def test_two_who_could_be_meant_are_not_meant() -> None:
    """A shortened name that begins two names is nobody's."""
    names = known()
    names.add(bob("Bobina", 4))
    names.wrote(7, 4, AT)
    assert names.addressees(said("bob: hi")) == ()
    assert names.addressees(said("bobi: hi")) == (4,)


@pytest.mark.parametrize(
    ("text", "found"),
    [("Annabel sings", {1}), ("annabel sings", set()), ("ANNABEL sings", set()), ("ann sings", set())],
)
def test_who_is_named_in_a_text(text: str, found: set[int]) -> None:
    """Names as they are written, which look like names."""
    assert known().named(text) == found


def test_what_could_be_a_name() -> None:
    """Runs of up to three words; those that look like names have a capital, a figure or a sign."""
    assert candidates("Ann bar") == {"Ann bar", "Ann", "bar"}
    assert candidates("Ann bar", written_as_names=True) == {"Ann bar", "Ann"}
    assert candidates("x_9 bar", written_as_names=True) == {"x_9 bar", "x_9"}
    assert candidates("bar boa", written_as_names=True) == set()


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("Annabel likes Bobby", "<@1> likes <@2>"),
        ("@Annabel", "<@1>"),
        ("mit likes root beer", "<@5> likes root beer"),
        ("mit likes Root", "<@5> likes <@6>"),
        ("mit likes @root", "<@5> likes <@6>"),
        ("Root access is off. Root beer", "Root access is off. Root beer"),
        ("mit likes Root beer/Root", "<@5> likes <@6> beer/Root"),
        ("mit met April in April", "<@5> met <@7> in April"),
        ("x@Bobby and <#Bobby", "x@Bobby and <#Bobby"),
        ("mit likes it", "<@5> likes it"),
        ('"mit" likes it', '"<@5>" likes it'),
        ("it likes mit", "it likes mit"),
    ],
)
def test_ids_in_place_of_names(text: str, told: str) -> None:
    """The subject's own name counts at the start, also where it is an everyday word.

    Another's that is a common word counts where it is written as a name: with an "@", or a capital inside a sentence.
    """
    names = known()
    names.add(bob("root", 6))
    names.add(bob("April", 7))
    assert with_ids(text, names.whose, bob("mit", 5)) == told


@pytest.mark.parametrize(
    ("text", "addressees"), [("root: yes", (6,)), ("root yes", ()), ("roo: yes", (6,)), ("ok: yes", ())]
)
def test_a_common_word_at_the_start_of_a_message(text: str, addressees: tuple[int, ...]) -> None:
    """Speaks to whoever is called so where a mark follows; an everyday word never does."""
    names = Names([bob("root", 6), bob("ok", 7)])
    names.wrote(7, 6, AT)
    names.wrote(7, 7, AT)
    assert names.addressees(said(text)) == addressees


@pytest.mark.parametrize(
    ("word", "expected"),
    [("Сергея", "Сергей"), ("Ане", "Аня"), ("Иваном", "Иван"), ("сергея", None), ("Sergeja", None), ("Яя", None)],
)
def test_a_russian_name_in_another_case(word: str, expected: str | None) -> None:
    """Names alone, in Cyrillic."""
    found = nominatives(word)
    assert (expected in found) if expected else found == ()


def test_whom_a_text_names_at_its_start() -> None:
    """With a mark also by a shortened name; without one by a whole name alone."""
    people = {2: bob()}
    for text, rest in (("Bobby: yes", "yes"), ("bob, yes", "yes"), ("Bobby yes", "yes")):
        found = opening(text, people)
        assert found is not None
        assert (found.user_id, text[found.end :]) == (2, rest)
    assert opening("bob yes", people) is None
    assert opening("bo, yes", people) is None
