"""Facts: stored at once, worded, confirmed, found again, retired."""

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memory import Consent, DatabaseUnavailable, Fact, Forgotten, NotRemembered, Remembered, Statement, Viewer, Why
from memory.records import FactDomain
from memory.rules.fact_texts import completed, newest_lines, sentences
from memory.store.facts import Teaching
from tests.builders import NOON, Clock, G, Talk, query, tell, viewer_of
from urmom_bot.app import App
from urmom_bot.stand_ins import Fault, GeminiStandIn


async def remember(app: App, talk: Talk, quote: str, user: int = 1, by: int = 2, **more: object) -> Remembered:
    told = Statement(guild_id=G, user_id=user, stated_by=by, quote=quote, **more)  # type: ignore[arg-type]
    return await tell(app.memory, told, talk.member(user), talk.member(by))


async def forget(app: App, talk: Talk, request: str, user: int = 1, by: int = 1) -> Forgotten:
    return await app.memory.forgetting.forget(await viewer_of(app.memory, G, by), talk.member(user), request)


def wording(gemini: GeminiStandIn, **values: object) -> None:
    gemini.answer = lambda asked: json.dumps(values)


async def test_a_statement_becomes_a_row_with_its_source(app: App, talk: Talk, dsn: str) -> None:
    """Who said it, where, in which words: all of it is kept beside the sentence."""
    done = await remember(app, talk, "Ann plays the cello", channel_id=7, message_id=70, audience=0)

    (row,) = await query(dsn, "SELECT * FROM facts")
    assert (done.fact.value, row["value"]) == ("Ann plays the cello", "<@1> plays the cello")
    assert (row["stated_by"], row["channel_id"], row["message_id"], row["quote"]) == (2, 7, 70, "Ann plays the cello")
    assert (row["source"], row["confidence"], row["retired_at"]) == ("explicit", "medium", None)


async def test_the_small_model_words_it_at_temperature_zero(app: App, talk: Talk, gemini: GeminiStandIn) -> None:
    """First person becomes third, by the small model, deterministically."""
    done = await remember(app, talk, "I like rainy Mondays", user=2)

    assert done.fact.value == "Bob likes rainy Mondays"
    assert not done.as_said
    (asked,) = gemini.asked
    assert (asked.model, asked.temperature) == ("gemma-4-31b-it", 0)


@pytest.mark.parametrize("fault", ["quota", "refused", "empty", "error"])
async def test_nothing_is_lost_when_the_ai_is_away(
    app: App, talk: Talk, gemini: GeminiStandIn, fault: str, dsn: str
) -> None:
    """Then the statement is stored as it was said, and who said it of whom can be read."""
    gemini.faults.extend([Fault(kind=fault, code=400)] * 4)
    done = await remember(app, talk, "never eats before noon")

    assert done.as_said
    assert done.fact.value == "Ann, Bob: “never eats before noon”"
    assert (await query(dsn, "SELECT quote FROM facts"))[0]["quote"] == "never eats before noon"


@pytest.mark.parametrize(
    "sentence",
    ["Ann was born in 1991.", "Ann was born.", "Ann was born on 5 May 1990 in room 12.", "", "   "],
)
async def test_a_wording_that_does_not_keep_to_what_was_said_is_not_taken(
    app: App, talk: Talk, gemini: GeminiStandIn, sentence: str
) -> None:
    """A number lost or invented, or nothing at all: the words stand as they were said."""
    wording(gemini, sentence=sentence, key="age", domain="personal")
    done = await remember(app, talk, "Ann was born in 1990")

    assert done.as_said
    assert done.fact.value == "Ann was born in 1990"


async def test_a_name_that_a_fact_gives_is_an_alias_until_it_is_forgotten(
    app: App, talk: Talk, gemini: GeminiStandIn
) -> None:
    """By the person's own word: an alias comes from what was stated, and goes with its fact."""
    wording(gemini, sentence="Ann is Annika", key="name", domain="personal", alias="Annika")
    await remember(app, talk, "Ann is Annika", by=1)
    assert (await app.memory.guilds.members(G, [1]))[1].aliases == ("Annika",)
    wording(gemini, sentence="Ann is fine", key="note", domain="personal", alias="Root")
    await remember(app, talk, "Ann is fine", by=1)
    assert (await app.memory.guilds.members(G, [1]))[1].aliases == ("Annika",)
    await forget(app, talk, "Ann is Annika")

    assert (await app.memory.guilds.members(G, [1]))[1].aliases == ()


async def test_the_same_again_confirms(app: App, talk: Talk, clock: Clock, dsn: str) -> None:
    """Said twice, it is one fact, confirmed later."""
    await remember(app, talk, "Ann plays the cello")
    clock.on(days=3)
    again = await remember(app, talk, "Ann plays the cello", by=3)

    (row,) = await query(dsn, "SELECT * FROM facts WHERE retired_at IS NULL")
    assert again.known
    assert row["last_confirmed_at"] == clock.now


async def test_said_in_public_a_restricted_fact_is_open(app: App, talk: Talk, dsn: str) -> None:
    """A fact of a restricted channel that is told to everyone can be heard by everyone, and is no fact twice."""
    await remember(app, talk, "Ann plays the cello", channel_id=8, audience=8)
    assert not await app.memory.facts.list(await viewer_of(app.memory, G, 1), 1)
    await remember(app, talk, "Ann plays the cello", channel_id=7)

    assert [f.audience for f in await app.memory.facts.list(await viewer_of(app.memory, G, 1), 1)] == [0]
    (old,) = await query(dsn, "SELECT * FROM facts WHERE retired_at IS NOT NULL")
    assert (old["audience"], old["retired_because"]) == (8, "told to everyone since")


async def test_nothing_to_remember_is_an_error_that_says_so(app: App, talk: Talk) -> None:
    """Punctuation is no statement."""
    with pytest.raises(NotRemembered):
        await remember(app, talk, " … ")


async def test_an_overlong_statement_is_cut_and_its_quote_kept(app: App, talk: Talk, dsn: str) -> None:
    """A fact has its length; what was said is there whole."""
    text = "Ann " + "very " * 500 + "long"
    await remember(app, talk, text, by=1)

    (row,) = await query(dsn, "SELECT value, quote FROM facts")
    assert len(row["value"]) <= 1_000
    assert row["quote"] == text


async def test_forgetting_word_for_word_asks_no_ai(app: App, talk: Talk, gemini: GeminiStandIn) -> None:
    """The exact sentence needs no judgement."""
    await remember(app, talk, "Ann likes pizza")
    gemini.asked.clear()
    done = await forget(app, talk, "ann likes PIZZA.")

    assert [f.value for f in done.removed] == ["Ann likes pizza"]
    assert not gemini.asked


async def test_the_ai_says_which_facts_are_meant(app: App, talk: Talk, gemini: GeminiStandIn) -> None:
    """At temperature 0, among numbered facts; numbers that do not exist are dropped."""
    for fact in ("Ann likes pizza", "Ann lives in Riga"):
        await remember(app, talk, fact)
    gemini.asked.clear()
    gemini.answer = lambda asked: '{"facts": [1, 7, -2], "sure": true}'
    done = await forget(app, talk, "что она любит пиццу")

    assert [f.value for f in done.removed] == ["Ann likes pizza"]
    assert gemini.asked[0].temperature == 0
    assert [f.value for f in await app.memory.facts.list(await viewer_of(app.memory, G, 1), 1)] == ["Ann lives in Riga"]


async def test_several_candidates_are_offered(app: App, talk: Talk, gemini: GeminiStandIn) -> None:
    """Where it is open which is meant, nothing is retired."""
    for fact in ("Ann likes pizza", "Ann hates pizza with cheese"):
        await remember(app, talk, fact)
    gemini.answer = lambda asked: '{"facts": [1, 2], "sure": false}'
    done = await forget(app, talk, "the pizza thing")

    assert not done.removed
    assert len(done.candidates) == 2


async def test_without_ai_the_words_decide(app: App, talk: Talk, gemini: GeminiStandIn) -> None:
    """A clear match is retired, a shared word is not; the nearest are told."""
    for fact in ("Ann likes pizza", "Ann likes jazz", "Ann works at Kilnworks"):
        await remember(app, talk, fact)
    gemini.quota_out = True

    assert [f.value for f in (await forget(app, talk, "that Ann liked jazz")).removed] == ["Ann likes jazz"]
    assert [f.value for f in (await forget(app, talk, "that Ann likes a pizza with olives")).removed] == []
    clear = await forget(app, talk, "likes pizza")
    assert [f.value for f in clear.removed] == ["Ann likes pizza"]
    near = await forget(app, talk, "Ann works as a pilot somewhere")
    assert not near.removed
    assert [f.value for f in near.nearest] == ["Ann works at Kilnworks"]
    assert await forget(app, talk, "the colour of the moon") == Forgotten()


async def test_only_subject_and_teller_may(app: App, talk: Talk) -> None:
    """A third person's request retires nothing."""
    await remember(app, talk, "Ann likes pizza")
    done = await forget(app, talk, "Ann likes pizza", by=3)

    assert not done.removed
    assert [f.value for f in done.refused] == ["Ann likes pizza"]
    assert await app.memory.facts.list(await viewer_of(app.memory, G, 1), 1)


async def test_facts_of_a_restricted_channel_are_not_struck_from_outside(app: App, talk: Talk) -> None:
    """What cannot be heard is not matched."""
    fact = (await remember(app, talk, "Ann leads the merger", channel_id=8, audience=8)).fact
    done = await forget(app, talk, "Ann leads the merger", by=2)

    assert not done.removed
    assert [f.fact_id for f in await app.memory.facts.list(await viewer_of(app.memory, G, 1, audience=8), 1)] == [
        fact.fact_id
    ]


async def test_a_lost_database_is_said_not_swallowed(app: App, talk: Talk) -> None:
    """A fact that could not be stored is an error."""
    await app.memory._core.store.database.close()
    with pytest.raises(DatabaseUnavailable):
        await remember(app, talk, "Ann likes pizza")


def fact(number: int, value: str) -> Fact:
    return Fact(
        guild_id=G,
        fact_id=number,
        user_id=1,
        key="note",
        value=value,
        domain="personal",
        confidence="high",  # type: ignore[arg-type]
        source="explicit",  # type: ignore[arg-type]
        stated_by=2,
        channel_id=None,
        message_id=None,
        quote=value,
        audience=0,
        created_at=NOON,
        last_confirmed_at=NOON,
    )


@given(st.lists(st.text("abc .", min_size=1, max_size=60), max_size=40), st.integers(50, 400))
def test_newest_lines_hold_their_limit_and_take_the_newest(values: list[str], limit: int) -> None:
    """However many facts there are, what is told fits, and the newest is in it."""
    facts = [fact(n, value) for n, value in enumerate(values)]
    told = newest_lines(facts, limit)

    assert len(told) <= limit
    if facts and sentences(facts[-1:]).strip():
        assert told


def test_a_text_of_facts_keeps_them_all() -> None:
    """What a model leaves out follows as it is; a text that says next to nothing is none."""
    values = ["<@2> is a welder", "<@2> owns two cats", "<@2> lives in Gdynia", "<@2> plays the tuba"]
    facts = [fact(n, value) for n, value in enumerate(values)]
    told = completed("<@2> welds, lives in Gdynia and has a tuba to play.", facts, 400, ["Bob"])
    assert told == "<@2> welds, lives in Gdynia and has a tuba to play. <@2> owns two cats."
    assert completed("<@2> knows a lot.", facts, 400) == sentences(facts)
    whole = "A welder of Gdynia who owns two cats, lives for them and plays the tuba."
    assert completed(whole, facts, 400) == whole
    assert completed(whole.replace("two cats", "pets"), facts, 80) == whole.replace("two cats", "pets")


async def test_who_opted_out_is_not_mentioned_in_a_fact(app: App, talk: Talk) -> None:
    """Nothing is kept of them from others' words, by name or by mention."""
    await talk.say(3, "hello, Cid here")
    await app.memory.privacy.choose(await viewer_of(app.memory, G, 3), talk.member(3), Consent.OFF, G)
    with pytest.raises(NotRemembered) as refused:
        await remember(app, talk, "is a friend of <@3>")
    assert refused.value.why is Why.NAMED


async def test_no_model_sees_a_private_fact(app: App, talk: Talk, gemini: GeminiStandIn) -> None:
    """Neither as it is stored, nor beside others, nor as its subject has it forgotten in other words."""
    await talk.say(1, "hello")
    await talk.say(2, "hello")
    ann = Viewer(guild_id=G, user_id=1, is_alone=True)
    await remember(app, talk, "I ride unicycles", by=1)
    gemini.asked.clear()
    private = Statement(
        guild_id=G, user_id=1, stated_by=1, quote="I take lithium since May", audience=-1, is_confirmed=True
    )
    await tell(app.memory, private, talk.member(1), talk.member(1))
    await app.memory.get_memories(G, 1, viewer=ann)
    await app.memory.forgetting.forget(ann, talk.member(1), "my one-wheeled sport")
    assert "unicycles" in gemini.asked[-1].whole
    assert "lithium" not in gemini.asked[-1].whole
    await app.memory.forgetting.forget(ann, talk.member(1), "the lithium")
    assert "lithium" not in str([asked.whole for asked in gemini.asked])


async def test_without_ai_a_plain_statement_is_in_the_third_person(app: App, talk: Talk, gemini: GeminiStandIn) -> None:
    """Seed 003: "I play chess" is stored as what follows a name; what is less plain stays a quotation."""
    for text, stored, as_said in (
        ("I play chess", "Ann plays chess", False),
        ("my dog is called Rex", "Ann's dog is called Rex", False),
        ("I love my cat", "Ann loves their cat", False),
        ("my tractor hates me", "Ann: “my tractor hates me”", True),
    ):
        gemini.faults.extend([Fault(kind="quota", code=400)] * 4)
        done = await remember(app, talk, text, by=1)
        assert (done.fact.value, done.as_said) == (stored, as_said)


@pytest.mark.parametrize(
    ("text", "stored"),
    [
        ("Ann owes me 20 pounds for pizza", "Bob: “Ann owes me 20 pounds for pizza”"),
        ("Ann is my dentist's niece", "Bob: “Ann is my dentist's niece”"),
        ("Ann m'a appris le tango", "Bob: “Ann m'a appris le tango”"),
        ("Ann ist im Urlaub", "Ann ist im Urlaub"),
        ("Ann works in a gold mine", "Ann works in a gold mine"),
    ],
)
async def test_without_ai_it_stays_clear_who_is_meant_by_me(
    app: App, talk: Talk, gemini: GeminiStandIn, text: str, stored: str
) -> None:
    """Whoever reads the fact later would take "me" for somebody else: the words are quoted, with who said them."""
    gemini.faults.extend([Fault(kind="quota", code=400)] * 4)
    assert (await remember(app, talk, text)).fact.value == stored


@pytest.mark.parametrize("sentence", ["Ann taught me tango.", "Ann is my teacher of tango."])
async def test_a_wording_that_leaves_me_in_is_not_taken(
    app: App, talk: Talk, gemini: GeminiStandIn, sentence: str
) -> None:
    """It is Bob who says "me", and the fact is Ann's."""
    wording(gemini, sentence=sentence, key="note", domain="personal")
    assert (await remember(app, talk, "Ann taught me tango")).fact.value == "Bob: “Ann taught me tango”"


async def test_without_ai_the_same_in_other_words_is_one_fact(app: App, talk: Talk, gemini: GeminiStandIn) -> None:
    """Seeds 000 and 004: a repeated fact is confirmed; a denial, another number or another name makes a new one."""
    gemini.faults.extend([Fault(kind="quota", code=400)] * 40)
    first = (await remember(app, talk, "I play chess", by=1)).fact
    again = (await remember(app, talk, "I am a chess player", by=1)).fact
    assert again.fact_id == first.fact_id
    others = [
        (await remember(app, talk, text, by=1)).fact.fact_id
        for text in (
            "I do not play chess",
            "I own 2 boats",
            "I own 3 boats",
            "I met Tim before Zoe",
            "I met Zoe before Tim",
        )
    ]
    assert len({first.fact_id, *others}) == 6


@pytest.mark.parametrize(
    ("value", "more"),
    [("<@1> and others ski", {"also_about": (2,)}), ("<@1> skis with <@2>", {}), ("<@1> skis", {"author": 2})],
)
async def test_who_opts_out_while_it_is_worded_is_in_no_fact(
    app: App, talk: Talk, dsn: str, value: str, more: dict[str, Any]
) -> None:
    """It is looked at once more where it is stored, for everyone it is about, or names, or quotes."""
    statement = Statement(guild_id=G, user_id=1, stated_by=1, quote="Ann and Bob ski", **more)
    domain = FactDomain.PERSONAL
    teaching = Teaching(statement=statement, value=value, key="note", domain=domain, now=NOON)
    await app.memory.privacy.choose(Viewer(guild_id=G, user_id=2, is_alone=True), talk.member(2), Consent.OFF, G)
    with pytest.raises(NotRemembered):
        await app.memory._core.store.facts.add(teaching)
    assert not await query(dsn, "SELECT 1 FROM facts")
