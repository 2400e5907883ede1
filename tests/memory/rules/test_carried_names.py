"""A name is free to choose: which names of who is not remembered keep others' words from being stored."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest

from memory import Consent, NotRemembered, Statement, Why, operator
from memory.rules.carried_names import MAX_KEPT_NAMES, MAX_NAMES, MIN_CARRIED_TIME, CarriedName, carried_names, counting
from memory.rules.keywords import is_everyday
from memory.rules.suppression import Fingerprints
from tests.builders import G, Talk, tell, viewer_of

T = datetime(2026, 11, 10, 12, tzinfo=UTC)
DAY = timedelta(days=1)
FINGERPRINTS = Fingerprints(b"k" * 32)


def name(text: str, since: datetime, until: datetime | None = None) -> CarriedName:
    return CarriedName(fingerprints=frozenset([text]), since=since, until=until)


@pytest.mark.parametrize(
    ("carried", "others", "at", "counts"),
    [
        ([name("zed", T)], "", T + MIN_CARRIED_TIME - timedelta(seconds=1), ""),
        ([name("zed", T)], "", T + MIN_CARRIED_TIME, "zed"),
        ([name("zed", T, T + MIN_CARRIED_TIME - timedelta(seconds=1))], "", T + 9 * DAY, ""),
        ([name("zed", T, T + MIN_CARRIED_TIME)], "", T + 9 * DAY, "zed"),
        ([name("zed", T)], "zed", T + 9 * DAY, ""),
        ([name(n, T, T + k * DAY) for k, n in enumerate("abcde", 2)], "", T + 9 * DAY, "cde"),
        ([name(n, T, T + k * DAY) for k, n in enumerate("abcde", 2)], "e", T + 9 * DAY, "bcd"),
        ([name("old", T), *(name(n, T, T + k * DAY) for k, n in enumerate("abc", 2))], "", T + 9 * DAY, "old b c"),
    ],
)
def test_which_names_count(carried: list[CarriedName], others: str, at: datetime, counts: str) -> None:
    """Carried for a day, by nobody else, the last three: those still carried before those laid down."""
    wanted = set(counts.split()) if " " in counts or counts in ("zed", "") else set(counts)

    assert counting(carried, {others} if others else set(), at) == wanted
    assert MAX_NAMES == 3


def test_what_a_member_is_called_as_they_choose() -> None:
    """What they carry counts a day after it was taken; what they are called besides, if that was a day ago."""
    old = carried_names([{"zed"}], [{"yan"}, {"zed"}, set()], T, T - MIN_CARRIED_TIME)
    assert old == [name("zed", T - MIN_CARRIED_TIME), name("yan", T - MIN_CARRIED_TIME, T)]
    assert counting(old, set(), T) == {"yan", "zed"}

    new = carried_names([{"zed"}], [{"yan"}], T)
    assert counting(new, set(), T + MIN_CARRIED_TIME - timedelta(seconds=1)) == set()
    assert counting(new, set(), T + MIN_CARRIED_TIME) == {"zed"}
    assert carried_names([{"zed"}], [], T, T + DAY) == [name("zed", T)], "nothing is taken later than it is seen"


def test_names_of_one_member_are_bounded() -> None:
    """Whoever is called a thousand names leaves a few, what they carry first."""
    names = carried_names([{"zed"}], [{f"name {n}"} for n in range(1_000)], T, T - MIN_CARRIED_TIME)
    assert len(names) == MAX_KEPT_NAMES
    assert names[0].fingerprints == {"zed"}
    assert len(counting(names, set(), T)) == MAX_NAMES


@pytest.mark.parametrize("word", ["the", "The", "pizza", "Will", "today", "dead", "everyone", "gato", "кот", "chien"])
def test_everyday_words_are_no_names(word: str) -> None:
    """Nobody is recognised by them."""
    assert is_everyday(word)
    assert not FINGERPRINTS.of_name(word)


@pytest.mark.parametrize("word", ["bob", "Ann Smith", "王伟", "Sergey", "pizzaiolo"])
def test_names_are_no_everyday_words(word: str) -> None:
    """A name that somebody is called by is one, in any script."""
    assert not is_everyday(word)
    assert FINGERPRINTS.of_name(word)


async def test_one_members_names_silence_nobody(talk: Talk) -> None:
    """Eve opts out and takes everyday words and others' names: what others say is remembered all the same."""
    memory, bob = talk.app.memory, talk.member(2)
    await talk.say(2, "hello")
    await talk.say(9, "hello")
    eve = talk.member(9)
    await memory.privacy.choose(await viewer_of(memory, G, 9), eve, Consent.OFF, G)
    for taken in ("bob", "pizza", "the", "likes", "Bob", "tea"):
        message = await talk.say(9, "it is me", display_name=taken)
        assert message
        talk.clock.on(days=2)
    await talk.say(9, "me again", display_name="tea")
    talk.clock.on(days=2)
    for words in ("bob likes the pizza", "the tea is Bob's", "bob is taller than the others"):
        statement = Statement(guild_id=G, user_id=2, stated_by=2, quote=words, channel_id=7)
        assert (await tell(memory, statement, bob, bob)).fact.value


async def test_a_name_of_ones_own_is_kept_out_after_a_day(talk: Talk) -> None:
    """The honest case: who opted out is not written about by others, under the name they carry."""
    memory, bob = talk.app.memory, talk.member(2)
    await talk.say(2, "hello")
    await talk.say(9, "hello", display_name="Zanzibar")
    await memory.privacy.choose(await viewer_of(memory, G, 9), talk.member(9, display_name="Zanzibar"), Consent.OFF, G)
    talk.clock.on(days=1)
    statement = Statement(guild_id=G, user_id=2, stated_by=2, quote="bob owes Zanzibar a tram ride", channel_id=7)
    with pytest.raises(NotRemembered) as refused:
        await tell(memory, statement, bob, bob)
    assert refused.value.why is Why.NAMED

    await talk.say(3, "hello, I am the other Zanzibar", display_name="zanzibar")
    talk.clock.on(minutes=10)
    assert (await tell(memory, statement, bob, bob)).fact.value
    await talk.say(3, "not any more", display_name="Cid")
    again = Statement(guild_id=G, user_id=2, stated_by=2, quote="bob owes Zanzibar two tram rides", channel_id=7)
    assert (await tell(memory, again, bob, bob)).fact.value
    assert "zanzibar" in (await memory.guilds.members(G))[3].former_names
    assert "zanzibar" in (await memory.privacy.export(operator(G), 3, G))[0]["names"][0]["former_names"]
