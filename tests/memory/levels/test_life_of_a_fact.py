"""The life of a fact: keys, ageing, repetition, contradiction, relevance, correction."""

import json
from datetime import timedelta

import pytest

from memory import Fact, NotRemembered, Query, Remembered, Statement, Teachers, Why, operator, public
from memory.records import Confidence, Source
from memory.rules.ageing import Standing, standing
from memory.rules.fact_texts import MAX_PROMPT_FACTS, current
from memory.rules.keys import holds_one, keyed, normal_key
from memory.store.facts import SOURCES, TOLD_BY_ONE
from tests.builders import NOON, Clock, G, Opener, Talk, query, tell, viewer_of
from urmom_bot.app import App
from urmom_bot.stand_ins import GeminiStandIn


async def remember(app: App, talk: Talk, quote: str, by: int = 1, about: int = 1, **more: object) -> Remembered:
    may_moderate = bool(more.pop("may_moderate", False))
    values: dict[str, object] = {"message_id": abs(hash((quote, by))) % 10**9, **more}
    statement = Statement(guild_id=G, user_id=about, stated_by=by, quote=quote, **values)  # type: ignore[arg-type]
    return await tell(app.memory, statement, talk.member(about), talk.member(by), may_moderate=may_moderate)


def says(gemini: GeminiStandIn, **values: object) -> None:
    gemini.answer = lambda asked: json.dumps({"key": "note", "domain": "personal", **values})


# Keys


@pytest.mark.parametrize(
    ("words", "key"),
    [
        (("job", "Jobs", "WORK", "trabajo", "Trabajos", "работа", "travail", "Métier", "occupation"), "job"),
        (("location", "ubicación", "ubicacion", "город", "ville", "cities", "home town", "Lieux"), "location"),
        (("pet", "pets", "mascotas", "кошка", "кошки", "chien", "Animaux", "cat"), "pet"),
        (("Beruf", "Arbeit"), "job"),
        (("Geburtstag", "Geburtsdatum", "cumpleaños"), "birthday"),
        (("Nationalität", "nationality"), "nationality"),
        (("name", "nombre", "имя", "prénom"), "name"),
        (("hobby", "hobbies", "aficiones", "хобби", "loisirs"), "hobby"),
        (("proyecto_actual", "Projects", "проекты", "projet"), "project"),
        (("", " ", "??", "nota", "заметка", "note"), "note"),
        (("synthesizer", "Synthesizers"), "synthesizer"),
        (("Favourite Bridge",), "favourite bridge"),
        (("glass",), "glass"),
    ],
)
def test_keys_meet_whatever_the_language(words: tuple[str, ...], key: str) -> None:
    """Case, accents, plurals and known synonyms aside; any other key is as good."""
    assert {normal_key(word) for word in words} == {key}


def test_some_keys_hold_one_value_and_unknown_ones_several() -> None:
    """A person has one job, and any number of pets."""
    assert all(map(holds_one, ("name", "location", "job", "age", "birthday")))
    assert not any(map(holds_one, ("hobby", "pet", "note", "synthesizer")))


@pytest.mark.parametrize(
    ("said", "found"),
    [
        ("job: developer at Google", ("job", "developer at Google")),
        ("zona horaria:  UTC-3", ("zona horaria", "UTC-3")),
        ("любимый чай: улун", ("любимый чай", "улун")),
        ("see https://example.org", None),
        ("at 12: 30 we meet", None),
        ("that is what I said to them yesterday: no", None),
        ("job:", None),
    ],
)
def test_key_and_value_are_parsed(said: str, found: tuple[str, str] | None) -> None:
    """`key: value` as seed 000 has it; a sentence with a colon is no key."""
    assert keyed(said) == found


async def test_a_keyed_statement_keeps_its_key(app: App, talk: Talk, gemini: GeminiStandIn) -> None:
    """The key that a person gives is not the model's to change; without a model it stands as said."""
    says(gemini, sentence="Ann is a welder.", key="hobby")
    done = await remember(app, talk, "trabajo: welder")
    gemini.quota_out = True
    plain = await remember(app, talk, "pet: a newt called Ada", by=2)

    assert (done.fact.key, done.fact.domain, done.fact.value) == ("job", "work", "Ann is a welder.")
    assert (plain.fact.key, plain.fact.value) == ("pet", "Ann — pet: a newt called Ada")


# Ageing


def fact(days: float, confidence: str, number: int = 1, value: str = "Ann sings", **more: object) -> Fact:
    values: dict[str, object] = {
        "guild_id": G,
        "fact_id": number,
        "user_id": 1,
        "key": "note",
        "value": value,
        "domain": "personal",
        "confidence": Confidence(confidence),
        "source": Source.EXPLICIT,
        "stated_by": 1,
        "channel_id": None,
        "message_id": None,
        "quote": value,
        "audience": 0,
        "created_at": NOON - timedelta(days=days),
        "last_confirmed_at": NOON - timedelta(days=days),
        **more,
    }
    return Fact(**values)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("confidence", "days", "stands"),
    [
        ("high", 0, "current"),
        ("high", 90, "current"),
        ("high", 91, "current"),
        ("high", 179, "current"),
        ("high", 180, "current"),
        ("high", 180.01, "current"),
        ("high", 400, "current"),
        ("medium", 29, "current"),
        ("medium", 89, "current"),
        ("medium", 90, "current"),
        ("medium", 90.01, "faded"),
        ("medium", 91, "faded"),
        ("medium", 180, "faded"),
        ("medium", 180.01, "stale"),
        ("low", 0, "current"),
        ("low", 29, "current"),
        ("low", 30, "current"),
        ("low", 30.01, "stale"),
        ("low", 31, "stale"),
        ("low", 90.01, "stale"),
        ("low", 200, "stale"),
    ],
)
def test_facts_age_by_the_day(confidence: str, days: float, stands: str) -> None:
    """30, 90 and 180 days, each passed only by more than it (seed 002, §1.1); one's own word never ages out."""
    assert standing(fact(days, confidence), NOON) == stands


def test_only_current_facts_are_told() -> None:
    """Faded and stale ones are in no context; what finds a faded one is the search."""
    facts = [
        fact(1, "medium", 1, "Ann sings alto"),
        fact(100, "medium", 2, "Ann keeps owls of porcelain"),
        fact(200, "medium", 3, "Ann collects porcelain cups"),
        fact(180, "high", 4, "Ann whittles."),
        fact(200, "high", 5, "Ann was born on 3 May."),
    ]

    assert [f.value for f in current(facts, NOON)] == [
        "Ann sings alto",
        "Ann whittles.",
        f"Ann was born on 3 May (as of {NOON - timedelta(days=200):%B %Y})",
    ]


async def test_the_persons_own_word_is_sure_and_anothers_is_not(app: App, talk: Talk, clock: Clock) -> None:
    """A claim fades after 90 days where a person's own word does not; confirming makes it current, and sure."""
    mine = await remember(app, talk, "Ann sings alto")
    theirs = await remember(app, talk, "Ann juggles clubs", by=2)
    assert (mine.fact.confidence, theirs.fact.confidence) == ("high", "medium")
    clock.on(days=100)
    context = (await app.memory.replies.contexts(public(G), [1]))[1]
    assert [f.value for f in context.facts] == ["Ann sings alto"]
    clock.on(days=90)
    old = f"Ann sings alto (as of {mine.fact.last_confirmed_at:%B %Y})"
    assert [f.value for f in (await app.memory.replies.contexts(public(G), [1]))[1].facts] == [old]
    assert app.memory.facts.standing(theirs.fact) is Standing.STALE
    confirmed = await app.memory.facts.confirm(await viewer_of(app.memory, G, 1), theirs.fact.fact_id)

    assert confirmed is not None
    assert (confirmed.confidence, confirmed.last_confirmed_at) == ("high", clock.now)
    contexts = await app.memory.replies.contexts(public(G), [1])
    assert {f.value for f in contexts[1].facts} == {old, "Ann juggles clubs"}
    assert old in (contexts[1].text or "")


async def test_no_facts_cost_no_tokens(app: App, talk: Talk, gemini: GeminiStandIn) -> None:
    """Who is unknown has no block in a prompt."""
    assert await app.memory.get_memories(G, 1) is None
    assert not gemini.asked


# Repetition and contradiction


async def test_the_same_in_other_words_confirms(app: App, talk: Talk, gemini: GeminiStandIn, clock: Clock) -> None:
    """ "Works at Google" and "is a Google employee" are one fact, told twice, each source with its words."""
    first = await remember(app, talk, "Ann works at Google", by=2)
    clock.on(days=5)
    says(gemini, sentence="Ann is a Google employee", key="job", known=[{"fact": 1, "relation": "same"}])
    again = await remember(app, talk, "Ann is a Google employee", by=3)

    assert again.known
    assert again.fact.fact_id == first.fact.fact_id
    assert again.fact.last_confirmed_at == clock.now
    sources = (await app.memory.facts.sources(public(G), [first.fact]))[first.fact.fact_id]
    assert [(t.stated_by, t.quote) for t in sources] == [(2, "Ann works at Google"), (3, "Ann is a Google employee")]
    assert len(await app.memory.facts.list(await viewer_of(app.memory, G, 1), 1)) == 1


async def test_without_ai_only_the_very_same_is_one(app: App, talk: Talk, gemini: GeminiStandIn) -> None:
    """Nobody judges then, so both stand."""
    gemini.quota_out = True
    await remember(app, talk, "Ann works at Google", by=2)
    await remember(app, talk, "Ann is a Google employee", by=2)
    again = await remember(app, talk, "Ann works at Google", by=3)

    assert again.known
    assert len(await app.memory.facts.list(await viewer_of(app.memory, G, 1), 1)) == 2


async def test_the_persons_own_word_takes_the_place_of_the_old(
    app: App, talk: Talk, gemini: GeminiStandIn, dsn: str
) -> None:
    """A contradicted fact is retired and linked, and can be restored; then the newer one holds no more."""
    says(gemini, sentence="Ann lives in Riga", key="location")
    old = await remember(app, talk, "Ann lives in Riga", by=2)
    says(gemini, sentence="Ann lives in Oslo", key="ciudad", known=[{"fact": 1, "relation": "contradicts"}])
    new = await remember(app, talk, "I live in Oslo")

    assert [f.fact_id for f in new.replaced] == [old.fact.fact_id]
    (row,) = await query(dsn, "SELECT * FROM facts WHERE retired_at IS NOT NULL")
    assert (row["superseded_by"], row["retired_because"]) == (
        new.fact.fact_id,
        "something else was told by the person",
    )
    ((retired, newer),) = await app.memory.facts.list_retired(await viewer_of(app.memory, G, 1), 1)
    assert newer is not None
    assert newer.value == "Ann lives in Oslo"
    await app.memory.facts.restore(await viewer_of(app.memory, G, 1), retired.fact_id)
    assert [f.value for f in await app.memory.facts.list(await viewer_of(app.memory, G, 1), 1)] == ["Ann lives in Riga"]
    ((retired, _),) = await app.memory.facts.list_retired(await viewer_of(app.memory, G, 1), 1)
    assert retired.value == "Ann lives in Oslo"


async def test_others_claims_stand_side_by_side(app: App, talk: Talk, gemini: GeminiStandIn) -> None:
    """Somebody else's contradiction retires nothing; who told it may replace their own claim."""
    says(gemini, sentence="Ann lives in Riga", key="location")
    await remember(app, talk, "I live in Riga")
    says(gemini, sentence="Ann lives in Oslo", key="location", known=[{"fact": 1, "relation": "contradicts"}])
    claim = await remember(app, talk, "Ann lives in Oslo", by=2)
    assert not claim.replaced
    says(
        gemini,
        sentence="Ann lives in Turku",
        key="location",
        known=[{"fact": n, "relation": "contradicts"} for n in (1, 2)],
    )
    other = await remember(app, talk, "Ann lives in Turku", by=2)

    assert [f.value for f in other.replaced] == ["Ann lives in Oslo"]
    standing_now = {(f.value, f.stated_by) for f in await app.memory.facts.list(await viewer_of(app.memory, G, 1), 1)}
    assert standing_now == {("Ann lives in Riga", 1), ("Ann lives in Turku", 2)}


async def test_only_the_same_key_is_compared(app: App, talk: Talk, gemini: GeminiStandIn) -> None:
    """A model that sees a contradiction between kinds is not believed; several pets can be."""
    says(gemini, sentence="Ann lives in Riga", key="location")
    await remember(app, talk, "I live in Riga")
    says(gemini, sentence="Ann has a newt", key="pet", known=[{"fact": 1, "relation": "contradicts"}])
    assert not (await remember(app, talk, "I have a newt")).replaced
    says(gemini, sentence="Ann has a dog", key="pet")
    assert not (await remember(app, talk, "I have a dog")).replaced

    assert len(await app.memory.facts.list(await viewer_of(app.memory, G, 1), 1)) == 3


@pytest.mark.parametrize(
    ("first", "second", "replaces"),
    [
        ("location", "note", True),
        ("note", "location", True),
        ("job", "note", True),
        ("pet", "note", False),
        ("location", "job", False),
        ("location", "plan", False),
    ],
)
async def test_a_contradiction_crosses_keys(
    app: App, talk: Talk, gemini: GeminiStandIn, first: str, second: str, replaces: bool
) -> None:
    """Where one is of a kind that a person has one of, and the other was given no kind; others stand side by side."""
    says(gemini, sentence="Ann's place is in Berlin", key=first)
    await remember(app, talk, "my place is in Berlin")
    says(gemini, sentence="Ann sleeps in Oslo", key=second, known=[{"fact": 1, "relation": "contradicts"}])
    done = await remember(app, talk, "I sleep in Oslo")
    assert bool(done.replaced) is replaces


@pytest.mark.parametrize("quota_out", [False, True])
async def test_what_says_that_something_changed_needs_no_model(
    app: App, talk: Talk, gemini: GeminiStandIn, quota_out: bool
) -> None:
    """One that sees no relation changes nothing about it; one that says `different` keeps both."""
    gemini.quota_out = quota_out
    await remember(app, talk, "I work nights")
    await remember(app, talk, "I live in Leeds")
    moved = await remember(app, talk, "I moved to Hull")
    assert [f.value for f in moved.replaced] == ["Ann lives in Leeds"]
    if not quota_out:
        says(gemini, sentence="Ann moved to a hut in Geilo", known=[{"fact": 1, "relation": "different"}])
        assert not (await remember(app, talk, "I moved to Geilo")).replaced


async def test_what_may_have_changed_is_asked_without_a_model(app: App, talk: Talk, gemini: GeminiStandIn) -> None:
    """Nothing is taken away for it; a model judges by itself."""
    await remember(app, talk, "I work nights")
    assert not (await remember(app, talk, "I work days now")).doubtful
    gemini.quota_out = True
    asked = await remember(app, talk, "I work weekends now")
    assert {f.value for f in asked.doubtful} == {"Ann works nights", "Ann works days now"}
    assert not asked.replaced
    assert not (await remember(app, talk, "I work weekends now")).doubtful


async def test_others_may_not_change_what_somebody_told(app: App, talk: Talk, gemini: GeminiStandIn) -> None:
    """Whoever told it may, and the person; what others say stands beside it."""
    gemini.quota_out = True
    await remember(app, talk, "I live in Leeds")
    told = await remember(app, talk, "Ann moved to Hull", by=2)
    assert not told.replaced
    assert not told.doubtful


async def test_a_key_that_holds_one_value_needs_no_model(app: App, talk: Talk, gemini: GeminiStandIn) -> None:
    """`location: Oslo` after `location: Riga` is clear without any AI; `different` from a model keeps both."""
    gemini.quota_out = True
    await remember(app, talk, "location: Riga")
    moved = await remember(app, talk, "ubicación: Oslo")
    assert [f.value for f in moved.replaced] == ["Ann — location: Riga"]
    gemini.quota_out = False
    says(gemini, sentence="Ann has a hut in Geilo", key="location", known=[{"fact": 1, "relation": "different"}])
    kept = await remember(app, talk, "I also have a hut in Geilo")

    assert not kept.replaced
    assert len(await app.memory.facts.list(await viewer_of(app.memory, G, 1), 1)) == 2


@pytest.mark.parametrize(
    ("first", "then", "replaces"),
    [
        ("my birthday is 3 May", "my birthday is 5 May", True),
        ("mein Geburtstag ist am 3. Mai", "Geburtstag: 5. Mai", True),
        ("mi cumpleaños es el 3 de mayo", "mon anniversaire est le 5 mai", True),
        ("мой день рождения - 3 мая", "birthday: 5 May", True),
        ("my birthday is 3 May", "my birthday is a sad day", False),
        ("my birthday is 3 May", "my dog's birthday is 5 May", False),
        ("job: welder", "my job is 40 hours of heat", False),
        ("my cat is 3", "my cat is 5", False),
    ],
)
async def test_a_sentence_with_a_figure_replaces_the_one_before(
    app: App, talk: Talk, gemini: GeminiStandIn, first: str, then: str, *, replaces: bool
) -> None:
    """Without a model: of a kind that a person has one of, and that is a figure."""
    gemini.quota_out = True
    await remember(app, talk, first)
    done = await remember(app, talk, then)
    assert bool(done.replaced) is replaces


async def test_the_kind_that_a_sentence_names_is_the_models_too(app: App, talk: Talk, gemini: GeminiStandIn) -> None:
    """What "my birthday is" says needs no model, whatever one calls it."""
    says(gemini, sentence="Ann's birthday is 3 May", key="celebration")
    await remember(app, talk, "my birthday is 3 May")
    says(gemini, sentence="Ann's birthday is 5 May", key="party")
    assert len((await remember(app, talk, "my birthday is 5 May")).replaced) == 1


async def test_undoing_a_telling_brings_back_what_it_replaced(app: App, talk: Talk, gemini: GeminiStandIn) -> None:
    """The subject, the teller and moderators may; nobody else."""
    from memory import Undo

    gemini.quota_out = True
    await remember(app, talk, "location: Riga")
    moved = await remember(app, talk, "location: Oslo")
    assert moved.entry_id is not None
    undo = Undo(entry_id=moved.entry_id)
    assert await app.memory.forgetting.undo(await viewer_of(app.memory, G, 3), undo) is None
    assert await app.memory.forgetting.undo(await viewer_of(app.memory, G, 1), undo) is not None
    assert await app.memory.forgetting.undo(await viewer_of(app.memory, G, 1), undo) is None

    assert [f.value for f in await app.memory.facts.list(await viewer_of(app.memory, G, 1), 1)] == [
        "Ann — location: Riga"
    ]


async def test_a_correction_keeps_the_old_words_restorable(app: App, talk: Talk) -> None:
    """Corrected words take the place of the old, which are kept, and linked."""
    old = (await remember(app, talk, "Ann sings alto", by=2)).fact
    ann = await viewer_of(app.memory, G, 1)
    done = await app.memory.facts.correct(ann, old.fact_id, "Ann sings tenor", message_id=-5)

    assert [f.value for f in await app.memory.facts.list(await viewer_of(app.memory, G, 1), 1)] == ["Ann sings tenor"]
    ((retired, newer),) = await app.memory.facts.list_retired(await viewer_of(app.memory, G, 1), 1)
    assert newer == done.fact
    assert (retired.value, retired.retired_because, retired.superseded_by) == (
        "Ann sings alto",
        "corrected",
        done.fact.fact_id,
    )


# Many


async def test_of_very_many_facts_a_question_gets_its_own(opened: Opener, clock: Clock) -> None:
    """Above 100, what goes into a prompt is chosen: the newest, and what the question is about."""
    async with opened(ai=False) as app:
        await _very_many(app, Talk(app, clock))


async def _very_many(app: App, talk: Talk) -> None:
    await remember(app, talk, "Ann restores a harmonium from 1911")
    for n in range(MAX_PROMPT_FACTS + 20):
        await remember(app, talk, f"Ann owns board number {n} of the long shelf", message_id=5_000 + n)
    context = (await app.memory.replies.contexts(public(G), [1]))[1]
    assert len(context.facts) == MAX_PROMPT_FACTS
    assert not any("harmonium" in f.value for f in context.facts)
    asked = Query(text="is anybody here good with a harmonium?", at=app.clock())
    found = (await app.memory.replies.recall(public(G), asked)).facts

    assert [fact.value for fact, _ in found] == ["<@1> restores a harmonium from 1911"]


async def test_what_others_tell_is_bounded_and_comes_after_ones_own(app: App, talk: Talk, dsn: str) -> None:
    """Of one teller, of all; however much that is, a person's own word is told first."""
    await remember(app, talk, "Ann restores a harmonium from 1911")
    for n in range(TOLD_BY_ONE):
        await remember(
            app, talk, f"Ann owns board number {n} of the very long shelf in Riga", by=2, message_id=5_000 + n
        )
    with pytest.raises(NotRemembered) as full:
        await remember(app, talk, "Ann owns one more board of it", by=2, message_id=6_000)
    assert full.value.why is Why.FULL
    await remember(app, talk, "Ann keeps one chair", by=3, message_id=6_001)
    context = (await app.memory.replies.contexts(public(G), [1]))[1]
    assert context.text is not None
    assert "harmonium" in context.text


async def test_a_fact_has_so_many_sources(app: App, talk: Talk, dsn: str) -> None:
    """Said more often, it is confirmed, and nothing grows."""
    for n in range(SOURCES + 5):
        await remember(app, talk, "Ann plays the cello", by=2 + n, message_id=5_000 + n)
    assert len(await query(dsn, "SELECT 1 FROM fact_sources")) == SOURCES


# Who may tell what


async def test_a_guild_decides_who_teaches(app: App, talk: Talk) -> None:
    """Of oneself everybody may."""
    await app.memory.guilds.set_teachers(operator(G), Teachers.SELF)
    for by, moderates in ((2, False), (2, True)):
        with pytest.raises(NotRemembered) as refused:
            await remember(app, talk, "Ann sings alto", by=by, may_moderate=moderates)
        assert refused.value.why is Why.TEACHERS
    await remember(app, talk, "I sing alto")
    await app.memory.guilds.set_teachers(operator(G), Teachers.MODERATORS)
    with pytest.raises(NotRemembered):
        await remember(app, talk, "Ann owns a boat", by=2)
    assert (await remember(app, talk, "Ann owns a boat", by=2, may_moderate=True)).fact.value == "Ann owns a boat"


async def test_what_a_model_finds_sensitive_or_an_order_is_taken_back(
    app: App, talk: Talk, gemini: GeminiStandIn, dsn: str
) -> None:
    """The words passed, the model objects: nothing stays stored."""
    says(gemini, sentence="Ann has it in her bones.", sensitive=True)
    with pytest.raises(NotRemembered) as refused:
        await remember(app, talk, "Ann has it in her bones", by=2)
    assert refused.value.why is Why.SENSITIVE
    with pytest.raises(NotRemembered) as asked:
        await remember(app, talk, "I have it in my bones")
    assert asked.value.why is Why.CONFIRM
    says(gemini, sentence="", order=True)
    with pytest.raises(NotRemembered) as order:
        await remember(app, talk, "Ann wants rhymes in all replies", by=2)
    assert order.value.why is Why.ORDER

    assert not await query(dsn, "SELECT 1 FROM facts")
    assert not await query(dsn, "SELECT 1 FROM fact_sources")


async def test_tomorrow_is_kept_with_its_date(app: App, talk: Talk, gemini: GeminiStandIn) -> None:
    """The words of the statement stay as they were said; those of an earlier message get no date."""
    gemini.quota_out = True
    done = await remember(app, talk, "I have an exam tomorrow")
    day = app.memory.clock().date() + timedelta(days=1)
    assert done.fact.value == f"Ann has an exam tomorrow ({day})"
    assert done.fact.quote == "I have an exam tomorrow"
    pointed = await remember(app, talk, "I sing tomorrow", context=("Ann: I sing tomorrow",), context_ids=(5,))
    assert pointed.fact.value == "Ann sings tomorrow"


async def test_a_wording_keeps_the_date(app: App, talk: Talk, gemini: GeminiStandIn) -> None:
    """A model's sentence without it isn't taken."""
    day = app.memory.clock().date() + timedelta(days=1)
    says(gemini, sentence="Ann has an exam tomorrow")
    assert (await remember(app, talk, "I have an exam tomorrow")).fact.value == f"Ann has an exam tomorrow ({day})"
