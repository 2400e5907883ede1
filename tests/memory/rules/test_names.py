"""Who is meant by a name, as members write and rename themselves."""

from __future__ import annotations

from memory import Member
from memory.rules.names import FORMER, Names


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
    for n in range(FORMER + 2):
        names.add(ann(f"Renamed{n}x"))

    assert names.whose("Renamed0x") is None
    assert names.whose("Renamed1x") == 1
    assert len(names) == 1
