"""The search: what it finds, for whom, and what it never does."""

from __future__ import annotations

from dataclasses import replace
from datetime import date, timedelta
from typing import Any

import pytest

from memory import AuthorKind, Channel, Consent, Fact, Message, Query, Recalled, Statement, Viewer
from memory.rules.dates import span_in
from memory.rules.questions import NamedMember, named, read
from memory.store.search import Weights
from tests.builders import Clock, G, Talk, query, tell, viewer_of
from tests.memory.levels.test_notes_attacked import says
from urmom_bot.app import App
from urmom_bot.snowflakes import first_id
from urmom_bot.stand_ins import GeminiStandIn

WORD = "zarquon"


async def ask(
    app: App,
    clock: Clock,
    text: str,
    *,
    guild_id: int = G,
    asker: int = 1,
    audience: int = 0,
    is_alone: bool = False,
    **more: Any,
) -> Recalled:
    viewer = await viewer_of(app.memory, guild_id, asker, audience=audience, is_alone=is_alone)
    return await app.memory.replies.recall(viewer, Query(text=text, at=clock.now, **more))


async def found(app: App, clock: Clock, text: str, **more: Any) -> list[str]:
    recalled = await ask(app, clock, text, **more)
    return [m.text for m, _ in recalled.messages]


def everything(recalled: Recalled) -> str:
    entries = [*recalled.messages, *recalled.notes, *recalled.facts]
    return " ".join(e.value if isinstance(e, Fact) else e.text for e, _ in entries)


async def remember(
    app: App, talk: Talk, quote: str, *, by: int = 1, of: int = 1, message: int = 901, **more: Any
) -> Fact:
    told = Statement(guild_id=G, user_id=of, stated_by=by, quote=quote, raw=quote, message_id=message, **more)
    return (await tell(app.memory, told, talk.member(of), talk.member(by))).fact


# What is found


async def test_what_was_said_is_found_without_its_words(app: App, talk: Talk, clock: Clock) -> None:
    """Who says it to whom is worth more than the words: none of the question's stand in the answer."""
    for n in range(30):
        await talk.say(3 + n % 2, f"the tram number {n} is late again", clock.now - timedelta(hours=3, minutes=n))
    await talk.say(1, "my browser shows nothing but grey", clock.now - timedelta(hours=2))
    await talk.say(2, "Ann: try a fresh profile", clock.now - timedelta(hours=1, minutes=58))

    assert (await found(app, clock, "what did Bob tell me to do?"))[0] == "Ann: try a fresh profile"
    assert (await found(app, clock, "кто мне помог?"))[0] == "Ann: try a fresh profile"


async def test_a_line_lends_its_words_to_its_neighbours(app: App, talk: Talk, clock: Clock) -> None:
    """The answer to a line that has the words is found, though it has none of them; the same line elsewhere is not."""
    early = clock.now - timedelta(hours=5)
    for n in range(40):
        await talk.say(3, f"nothing much to see {n}", early + timedelta(minutes=n), channel_id=8)
    await talk.say(2, "which glue holds porcelain?", early)
    await talk.say(3, "Bob: araldite", early + timedelta(minutes=1))
    await talk.say(3, "araldite", early + timedelta(minutes=60))

    best = await found(app, clock, "porcelain?", asker=-1)
    assert set(best[:2]) == {"which glue holds porcelain?", "Bob: araldite"}


@pytest.mark.parametrize(
    ("said", "question"),
    [
        ("the cats are sleeping on the boilers", "where does the cat sleep?"),
        ("наши сковородки лежали на балконе", "где сковородка?"),
        ("j'ai réglé le pare-feu hier", "qui a réglé le PARE-FEU ?"),
        ("see /etc/rc.local for it", "who mentioned rc.local"),
        ("libruby19-static.a was renamed", "what about libruby19?"),
    ],
)
async def test_words_are_found_in_their_forms(app: App, talk: Talk, clock: Clock, said: str, question: str) -> None:
    """Stems, letters with and without marks, parts of paths and compounds."""
    await talk.say(2, said)
    await talk.say(3, "nothing of the kind")
    assert (await found(app, clock, question, asker=-1))[0] == said


async def test_each_sign_counts(app: App, talk: Talk, clock: Clock, dsn: str) -> None:
    """Every sign lifts, or lowers, what has it: of two lines alike but for it, the right one comes first."""
    at = clock.now - timedelta(hours=9)

    async def two(question: str, better: tuple[int, str], worse: tuple[int, str], **more: Any) -> None:
        await query(dsn, "DELETE FROM chat_history")
        for n in range(6):
            await talk.say(4, f"filler line number {n} about trams", at - timedelta(hours=2 + n))
        await talk.say(worse[0], worse[1], more.get("worse_at", at), channel_id=11)
        await talk.say(better[0], better[1], more.get("better_at", at), channel_id=12)
        best = await found(app, clock, question, **more.get("query", {}))
        assert best.index(better[1]) < (best.index(worse[1]) if worse[1] in best else 50), (question, best)

    await two("what about glaze and kilns?", (2, "the glaze of the kiln"), (2, "the smell of the kiln"))
    await two("what did Bob do about kilns?", (2, "the kiln is hot now"), (3, "the kiln is hot too"))
    await two("what was Bob told about kilns?", (3, "Bob: the kiln is hot"), (3, "Dee: the kiln is hot"))
    await two("who told Bob about glaze?", (3, "Bob: the kiln is hot"), (2, "Dee: the kiln is hot"))
    await two("who told Bob about kilns?", (3, "a kiln for Bob then"), (4, "a kiln for us then"))
    await two("what about my kiln?", (3, "Ann: the kiln is hot"), (3, "Dee: the kiln is hot"))
    await two("what about my kiln?", (1, "the kiln is hot now"), (3, "the kiln is hot too"))
    await two("did anybody praise me?", (3, "what a lovely day that Ann made"), (3, "what a lovely day that was, Dee"))
    recently = clock.now - timedelta(minutes=5)
    await two("kilns?", (2, "the kiln is hot now"), (2, "the kiln is hot too"), better_at=recently)
    await two("kilns?", (2, "the kiln is hot now"), (2, "is the kiln hot now?"))
    await two("kilns?", (2, "the kiln in the yard was lit for six long hours"), (2, "kiln"), query={"asker": -1})
    yesterday = clock.now - timedelta(days=1, hours=2)
    await two("kilns yesterday?", (2, "the kiln is hot now"), (2, "the kiln is hot too"), better_at=yesterday)


async def test_lines_of_bots_count_less(app: App, talk: Talk, clock: Clock) -> None:
    """Of two lines alike, the person's comes first."""
    at = clock.now - timedelta(hours=3)
    await talk.say(5, "the kiln is hot now", at, author_kind=AuthorKind.BOT, channel_id=8)
    await talk.say(2, "the kiln is hot too", at, channel_id=9)
    assert await found(app, clock, "kilns?") == ["the kiln is hot too", "the kiln is hot now"]


async def test_a_long_number_behind_an_at_is_nobody(app: App, talk: Talk, clock: Clock) -> None:
    """Neither as it is typed nor as a mention."""
    await talk.say(2, "the kiln is hot now", clock.now - timedelta(hours=3))
    for number in ("@99999999999999999999", "<@9999999999999999999>", "@2"):
        assert await found(app, clock, f"who told {number} about kilns?") == ["the kiln is hot now"]


async def test_ones_own_lines_count_less_where_others_did_it(app: App, talk: Talk, clock: Clock) -> None:
    """Who told Bob is not what Bob said."""
    at = clock.now - timedelta(hours=3)
    await talk.say(2, "the kiln is hot now", at)
    for n in range(9):
        await talk.say(4, f"filler line number {n} about trams", at - timedelta(hours=2 + n))
    scores = []
    for question in ("who told Bob about kilns?", "what does Bob think of kilns?"):
        (best, score), *_ = (await ask(app, clock, question)).messages
        assert best.user_id == 2
        scores.append(score)
    assert scores[0] < scores[1]


def test_every_weight_has_its_sign() -> None:
    """What lifts is above nothing, what lowers below it: a sign that counts nothing is to go."""
    weights = Weights()
    for name in Weights.__dataclass_fields__:
        value = getattr(weights, name)
        assert (value < 0) == (name in ("question", "bot", "by_receiver")), name
        assert value, name


async def test_notes_and_facts_are_found_beside_messages(
    app: App, talk: Talk, gemini: GeminiStandIn, clock: Clock
) -> None:
    """Each as stored, with people as ids; a note that was replaced comes after the one that holds."""
    await talk.say(2, "the kiln reached 1,240 degrees for Ann")
    says(gemini, "u1 outcome 3 1: got the kiln to 1,240 degrees")
    await app.memory.get_memories(G, 2)
    says(gemini)
    await remember(app, talk, "Ann collects kilns")

    recalled = await ask(app, clock, "what is it with kilns?")
    assert [n.text for n, _ in recalled.notes] == ["got the kiln to 1,240 degrees"]
    assert [f.value for f, _ in recalled.facts] == ["<@1> collects kilns"]
    assert recalled.certainty > 1


async def test_a_note_of_a_channel_is_found(app: App, talk: Talk, gemini: GeminiStandIn, clock: Clock) -> None:
    """It is about nobody, and no less there when somebody is named."""
    await talk.say(2, "from now on all kilns go to the yard")
    says(gemini, "c1 channel 3 1: all kilns go to the yard")
    await app.memory.get_memories(G, 2)
    recalled = await ask(app, clock, "did Bob say where my kilns go?")
    assert [(n.text, n.user_id) for n, _ in recalled.notes] == [("all kilns go to the yard", None)]


async def test_a_stale_fact_is_not_found_and_a_faded_one_is(app: App, talk: Talk, clock: Clock) -> None:
    """Medium: after 90 days out of contexts and still found, after 180 told nowhere; retired ones at no time."""
    fact = await remember(app, talk, "Bob collects kilns", by=3, of=2)
    clock.on(days=100)
    assert [f.fact_id for f, _ in (await ask(app, clock, "kilns?")).facts] == [fact.fact_id]
    clock.on(days=81)
    assert not (await ask(app, clock, "kilns?")).facts
    kept = await remember(app, talk, "Ann collects kilns", message=77)
    await app.memory.forgetting.strike(await viewer_of(app.memory, G, 1), talk.member(1), [kept])
    assert not (await ask(app, clock, "kilns?")).facts


async def test_a_fact_that_holds_no_more_is_not_found(app: App, talk: Talk, clock: Clock) -> None:
    """What another took the place of, also where the person is named."""
    await remember(app, talk, "job: welder", message=91)
    clock.on(minutes=5)
    await remember(app, talk, "job: baker", message=92)
    recalled = await ask(app, clock, "is Ann a welder or a baker?", asker=2)
    assert len(recalled.facts) == 1
    assert "baker" in recalled.facts[0][0].value


async def test_nothing_later_is_found(app: App, talk: Talk, clock: Clock) -> None:
    """Neither the message that asks nor what came after it."""
    earlier = await talk.say(2, "the kiln is hot", clock.now - timedelta(minutes=9))
    asked = await talk.say(1, "Bot, kiln?", clock.now - timedelta(minutes=8))
    await talk.say(2, "the kiln is cold", clock.now - timedelta(minutes=7))
    assert asked > earlier
    assert await found(app, clock, "kiln?", before_id=asked) == ["the kiln is hot"]
    assert first_id(clock.now) > asked


async def test_what_nobody_spoke_of_is_not_found(app: App, talk: Talk, clock: Clock) -> None:
    """Whoever asks: their own lines answer only what is of them."""
    await talk.say(1, "the kiln is hot")
    await talk.say(2, "Ann: lovely")
    assert await found(app, clock, "unobtainium?") == []
    assert len(await found(app, clock, "what about my unobtainium?")) == 2


async def test_a_search_takes_three_statements(app: App, talk: Talk, clock: Clock) -> None:
    """However much it finds."""
    from benchmarks.recall import Counter

    await talk.say(2, "the kiln is hot")
    await found(app, clock, "kiln?")
    counter = Counter(app)
    assert await found(app, clock, "what did Bob say of my kiln yesterday?") == ["the kiln is hot"]
    assert counter.statements == 3


# Who is named


def known(token: str, user_id: int, *names: str, exact: bool = True) -> NamedMember:
    return NamedMember(token=token, user_id=user_id, names=names, exact=exact)


def test_whom_a_question_names() -> None:
    """A whole name before one alike but for signs, before the start of one; a longer run before what is in it."""
    asked = read("did john_ tell Ann Smith or greez of it?", date(2026, 11, 10))
    assert named(asked, [known("john_", 1, "john_"), known("john_", 2, "john")]) == {"john_": {1}}
    assert named(asked, [known("john_", 2, "John")]) == {"john_": {2}}
    members = [known("Ann Smith", 3, "Ann Smith"), known("Ann", 4, "Ann"), known("Smith", 5, "Smith")]
    assert named(asked, members) == {"Ann Smith": {3}}
    assert named(asked, [known("greez", 6, "greezmunkey", exact=False)]) == {"greez": {6}}
    assert named(asked, [known("Ann", 6, "Annette", exact=False)]) == {}
    many = [known("greez", n, f"greez{n}", exact=False) for n in (1, 2, 3)]
    assert named(asked, many) == {}
    assert named(asked, many[:2]) == {"greez": {1, 2}}


def test_everyday_words_name_nobody() -> None:
    """Members called "today" and "dead" are meant by a mention alone."""
    asked = read("is today the day the dead rise, <@77>?", date(2026, 11, 10))
    assert not {"today", "dead", "day"} & set(asked.runs)
    assert asked.mentions == (77,)


async def test_members_are_found_by_how_their_names_begin(app: App, talk: Talk, clock: Clock, dsn: str) -> None:
    """By the index alone: names and former names, case and signs aside; a rename and an erasure are followed."""
    await talk.say(2, "hello", display_name="[Zorgluß]-X")
    assert list(await app.memory.guilds.find_named(G, "was zorgluß here?")) == [2]
    assert list(await app.memory.guilds.find_named(G, "was zorg here?")) == [2]
    assert list(await app.memory.guilds.find_named(G, "was zor here?")) == []
    await talk.say(2, "hello again", display_name="Maxim")
    assert list(await app.memory.guilds.find_named(G, "and zorgluß?")) == [2]  # a former name
    assert list(await app.memory.guilds.find_named(G, "nobody", [2])) == [2]
    assert list(await app.memory.guilds.find_alike(G, "maksim")) == [2]
    assert list(await app.memory.guilds.find_alike(G, "maximilianus")) == []
    assert await app.memory.guilds.find_named(G + 1, "maxim") == {}
    await app.memory.privacy.erase(await viewer_of(app.memory, G, 2), talk.member(2), G)
    assert not await query(dsn, "SELECT 1 FROM member_names WHERE user_id = 2")


# Dates


@pytest.mark.parametrize(
    ("text", "first", "days"),
    [
        ("what happened yesterday?", date(2026, 11, 9), 1),
        ("was passierte the day before yesterday", date(2026, 11, 8), 1),
        ("что было вчера", date(2026, 11, 9), 1),
        ("¿qué dijo anteayer?", date(2026, 11, 8), 1),
        ("et hier ?", date(2026, 11, 9), 1),
        ("this morning", date(2026, 11, 10), 1),
        ("on Monday", date(2026, 11, 9), 1),
        ("on Tuesday", date(2026, 11, 3), 1),
        ("в среду", date(2026, 11, 4), 1),
        ("last week", date(2026, 11, 2), 7),
        ("this week", date(2026, 11, 9), 2),
        ("on 7 May 2023", date(2023, 5, 7), 1),
        ("May 7th, 2023", date(2023, 5, 7), 1),
        ("in December", date(2025, 12, 1), 31),
        ("in October", date(2026, 10, 1), 31),
        ("on 2026-11-03", date(2026, 11, 3), 1),
    ],
)
def test_days_in_questions(text: str, first: date, days: int) -> None:
    """As seen from a Tuesday; days to come are taken for past ones."""
    assert span_in(text, date(2026, 11, 10)) == (first, first + timedelta(days=days))


@pytest.mark.parametrize("text", ["may I ask?", "they march on", "what did Ann say?", "2026-99-99", "the sun set"])
def test_days_that_are_none(text: str) -> None:
    """Words that are months too, and dates that do not exist."""
    assert span_in(text, date(2026, 11, 10)) is None


@pytest.mark.parametrize(
    ("text", "of_asker"),
    [
        ("who told me that?", True),
        ("what's my car?", True),
        ("I'm what?", True),
        ("qui m'a filé un lien ?", True),
        ("comment j'avais réglé ça", True),
        ("кто подсказал мне", True),
        ("¿qué me dijo?", True),
        ("what did they tell us?", True),
        ("who told Ann?", False),
        ("what is a meme?", False),
    ],
)
def test_whether_askers_speak_of_themselves(text: str, of_asker: bool) -> None:
    """In four languages, as words of their own."""
    assert read(text, date(2026, 11, 10)).of_asker is of_asker


# Who may hear it


async def test_a_word_from_a_restricted_channel_is_found_there_alone(
    app: App, talk: Talk, gemini: GeminiStandIn, clock: Clock
) -> None:
    """Messages, their neighbours, notes and facts."""
    await app.memory.guilds.update_channel(Channel(guild_id=G, channel_id=9, name="nine", audience=9))
    for user_id in (1, 2):
        await talk.say(user_id, f"Ann: the {WORD} of {user_id} is hot", channel_id=9, audience=9)
    says(gemini, f"u1 event 3 1: has a {WORD}")
    await app.memory.get_memories(G, 1, viewer=await app.memory.guilds.public(G, 9))
    says(gemini)
    await remember(app, talk, f"Ann loves {WORD}", audience=9, channel_id=9)

    for question in (f"what of {WORD}?", f"what did Bob say about my {WORD}?", "what was I told?"):
        assert WORD not in everything(await ask(app, clock, question))
    inside = await ask(app, clock, f"what of {WORD}?", audience=9)
    assert (len(inside.messages), len(inside.notes), len(inside.facts)) == (2, 1, 1)


async def test_a_fact_for_oneself_alone_is_found_by_oneself_alone(app: App, talk: Talk, clock: Clock) -> None:
    """And where nobody else reads the answer."""
    await remember(app, talk, f"I adore {WORD}", audience=-1)

    async def facts(**more: Any) -> int:
        return len((await ask(app, clock, f"{WORD}?", **more)).facts)

    assert await facts(is_alone=True) == 1
    assert await facts() == 0
    assert await facts(asker=2, is_alone=True) == 0
    assert await facts(asker=-1, is_alone=True) == 0


async def test_an_order_that_waits_is_not_found(app: App, talk: Talk, clock: Clock) -> None:
    """Its words are kept until it is carried out, and are nobody's to find meanwhile."""
    said = await talk.say(2, f"Bot remember the {WORD} of Ann")
    await app.memory.messages.hold_order(G, said)
    await app.memory.messages.flush()
    for question in (f"{WORD}?", "what did Bob say?"):
        assert not await found(app, clock, question)


@pytest.mark.parametrize("how", ["deleted", "opted out", "off record", "erased", "channel off", "edited", "purged"])
async def test_what_is_gone_is_not_found(
    app: App, talk: Talk, gemini: GeminiStandIn, clock: Clock, dsn: str, how: str
) -> None:
    """Whichever way it went; and no count of its words is left."""
    await app.memory.guilds.update_channel(Channel(guild_id=G, channel_id=7, name="seven"))
    said = await talk.say(2, f"the {WORD} is hot")
    await talk.say(3, "the tram is late")
    assert WORD in (await found(app, clock, f"{WORD}?"))[0]
    memory = app.memory
    if how == "deleted":
        await memory.messages.delete(G, [said])
    elif how == "opted out":
        await memory.privacy.choose(await viewer_of(memory, G, 2), talk.member(2), Consent.OFF, G)
    elif how == "off record":
        await memory.messages.keep_off_record(G, said)
    elif how == "erased":
        await memory.privacy.erase(await viewer_of(memory, G, 2), talk.member(2), G)
    elif how == "channel off":
        await memory.guilds.channel_deleted(G, 7)
    elif how == "edited":
        await memory.messages.edit(G, said, "never mind", clock.now)
    else:
        clock.on(days=31)
        await memory.upkeep()
    await memory.messages.flush()

    for question in (f"{WORD}?", f"what did Bob say of {WORD}?", "what did Bob say?"):
        assert WORD not in everything(await ask(talk.app, clock, question))
    ((own,),) = await query(dsn, "SELECT stems_of($1, $2)", G, WORD)
    assert not await query(dsn, "SELECT 1 FROM lexemes WHERE guild_id = $1 AND stem = ANY($2)", G, own)
    await counted_right(dsn)


async def counted_right(dsn: str) -> None:
    """The counts of stems are those of the messages that are there."""
    kept = await query(dsn, "SELECT guild_id, stem, messages FROM lexemes ORDER BY guild_id, stem")
    true = await query(
        dsn,
        "SELECT guild_id, stem, count(*)::integer AS messages FROM chat_history"
        " CROSS JOIN LATERAL unnest(stems || 0::bigint) AS stem GROUP BY guild_id, stem ORDER BY guild_id, stem",
    )
    assert [tuple(r) for r in kept] == [tuple(r) for r in true]


async def test_stems_are_counted_through_everything(app: App, talk: Talk, clock: Clock, dsn: str) -> None:
    """Messages brought twice, edited, blanked and deleted in one go."""
    ids = [await talk.say(2, f"line {n} of the kiln", clock.now - timedelta(minutes=n)) for n in range(5)]
    await talk.say(2, "line 0 of the kiln", clock.now, guild_id=G + 1)
    await app.memory.messages.edit(G, ids[0], "of the oven, of the oven", clock.now)
    await app.memory.messages.delete(G, ids[1:3])
    await app.memory.messages.keep_off_record(G, ids[3])
    await app.memory.messages.flush()
    await counted_right(dsn)
    await app.memory._erasure.guild(G + 1)
    await counted_right(dsn)
    assert not await query(dsn, "SELECT 1 FROM lexemes WHERE guild_id = $1", G + 1)


async def test_what_was_forgotten_is_not_found(app: App, talk: Talk, gemini: GeminiStandIn, clock: Clock) -> None:
    """Neither what was there nor what comes later and tells it, by a name or by a mention."""
    says(gemini)
    await talk.say(2, "hello there, Bob here")
    await talk.say(1, "I owe Bob money for pizza")
    await app.memory.forgetting.forget(await viewer_of(app.memory, G, 1), talk.member(1), "I owe Bob money for pizza")
    assert not [t for t in await found(app, clock, "pizza?") if "pizza" in t]
    for late in ("she said Ann owes Bob money for pizza", "Ann owes <@2> money for pizza"):
        await talk.say(3, late)
    await talk.say(3, "the pizza was good")
    assert await found(app, clock, "who has money for pizza?") == ["the pizza was good", "hello there, Bob here"]


async def test_nobody_who_opted_out_is_found_by_others_words(
    app: App, talk: Talk, gemini: GeminiStandIn, clock: Clock
) -> None:
    """A line that names them is withheld, by whomever it is."""
    await talk.say(2, "hello", clock.now - timedelta(days=2), display_name="Gruzilkin")
    about = replace(talk.member(2), display_name="Gruzilkin")
    await app.memory.privacy.choose(await viewer_of(app.memory, G, 2), about, Consent.OFF, G)
    await talk.say(3, "the kiln of Gruzilkin is hot")
    await talk.say(3, "the kiln of mine is hot")
    assert await found(app, clock, "kiln?") == ["the kiln of mine is hot"]


async def test_guilds_do_not_meet(app: App, talk: Talk, clock: Clock) -> None:
    """The same words and people elsewhere are not looked at."""
    await talk.say(2, f"the {WORD} is hot", guild_id=G + 1)
    assert await found(app, clock, f"what did Bob say of {WORD}?") == []
    assert await found(app, clock, f"{WORD}?", guild_id=G + 1) == [f"the {WORD} is hot"]


# What was missed


async def test_nothing_missed_costs_nothing(app: App, talk: Talk, gemini: GeminiStandIn, clock: Clock) -> None:
    """Where nobody else wrote since, no model is asked."""
    await talk.say(2, "early talk", clock.now - timedelta(hours=3))
    last = await talk.say(1, "good night", clock.now - timedelta(hours=2))
    await talk.say(1, "Bot what did I miss", clock.now - timedelta(minutes=1))
    missed = await app.memory.replies.missed(await viewer_of(app.memory, G, 1), before_id=talk.ids[-1])
    assert (missed.talked, missed.entries) == ((), ())
    assert missed.since == clock.now - timedelta(hours=2)
    assert missed.has_written
    assert not (await app.memory.replies.missed(await viewer_of(app.memory, G, 8), before_id=2)).has_written
    assert not gemini.asked
    assert last


async def test_what_was_missed_is_told_in_one_call(
    app: App, talk: Talk, gemini: GeminiStandIn, clock: Clock, dsn: str
) -> None:
    """Notes since the last word, the weightiest few in their order; of other audiences nothing, not even a count."""
    await app.memory.guilds.update_channel(Channel(guild_id=G, channel_id=9, name="nine", audience=9))
    await talk.say(1, "good night", clock.now - timedelta(hours=2))
    first = await talk.say(2, "the kiln reached 1,240 degrees", clock.now - timedelta(hours=1))
    for n in range(40):
        await talk.say(3, f"tram {n} was late today", clock.now - timedelta(minutes=50 - n))
    await talk.say(3, f"the {WORD} is hot", channel_id=9, audience=9)
    done = ("bought bread", "fed pigeons", "painted fences", "mended shoes", "watered plants", "baked rolls", "sang")
    notes = [f"u3 event 1 {n + 3}: {what}" for n, what in enumerate(done)]
    says(gemini, "u2 outcome 3 2: got the kiln to 1,240 degrees", *notes)

    missed = await app.memory.replies.missed(await viewer_of(app.memory, G, 1), before_id=2**62)
    assert [(t.channel_id, t.messages, t.first_id) for t in missed.talked] == [(7, 41, first)]
    assert [note.text for note in missed.news] == ["got the kiln to 1,240 degrees", *done[4:]]
    assert (missed.to_me, missed.mine, missed.more) == ((), (), 4)
    assert len(gemini.asked) == 1
    await query(dsn, "UPDATE notes SET superseded_by = 1 WHERE weight = 3")  # what ended since is not told
    again = await app.memory.replies.missed(await viewer_of(app.memory, G, 1), before_id=2**62)
    assert len(gemini.asked) == 1
    assert "1,240" not in " ".join(n.text for n in again.news)


async def with_a_problem(app: App, talk: Talk, gemini: GeminiStandIn, clock: Clock) -> Viewer:
    """Somebody who asked for help in the morning, which was noted, and was away since."""
    clock.on(hours=-8.5)
    await talk.say(1, "Bob: my kiln trips the fuse, any idea?", clock.now - timedelta(minutes=30), addressees=(2,))
    says(gemini, "u1 problem 2 1: has a kiln that trips the fuse")
    viewer = await viewer_of(app.memory, G, 1)
    await app.memory.replies.contexts(viewer, [1])
    clock.on(hours=8.5)
    return viewer


async def test_what_was_said_to_one_comes_first(app: App, talk: Talk, gemini: GeminiStandIn, clock: Clock) -> None:
    """Then one's own matters, then those one deals with, then what was decided, spread over the time. Nothing twice."""
    viewer = await with_a_problem(app, talk, gemini, clock)
    told = [
        (2, "Ann: try the other lead first", 8, (1,)),
        (2, "Ann: and ask Cid, he had the same", 7, (1,)),
        (3, "Ann's kiln needs a slow fuse, I had the same", 6, ()),
        (2, "I sold the old wheel to Dee for 80", 5, ()),
        (4, "we meet on Fridays from now on", 4, ()),
        (4, "the yard is swept", 3, ()),
        (4, "the glaze shop closed for good", 2, ()),
        (4, "the potluck is on the 20th", 1, ()),
    ]
    ids = [await talk.say(who, text, clock.now - timedelta(hours=ago), addressees=to) for who, text, ago, to in told]
    says(
        gemini,
        "u2 outcome 3 3: found that the kiln of @u4 needs a slow fuse",
        "u1 event 2 4: sold the old wheel to Dee for 80",
        "u3 decision 3 5: meets with all on Fridays from now on",
        "u3 event 1 6: swept the yard",
        "u3 event 1 7: saw that the glaze shop closed",
        "u3 decision 2 8: has the potluck on the 20th",
    )
    missed = await app.memory.replies.missed(viewer, before_id=2**62)
    assert [message.message_id for message in missed.to_me] == [ids[1]]
    assert [note.text for note in missed.mine] == ["found that the kiln of Ann needs a slow fuse"]
    assert [note.text for note in missed.news] == [
        "sold the old wheel to Dee for 80",
        "meets with all on Fridays from now on",
        "saw that the glaze shop closed",
        "has the potluck on the 20th",
    ]
    assert missed.more == 1


async def test_what_became_of_ones_own_matter_comes_before_what_else_is_about_one(
    app: App, talk: Talk, gemini: GeminiStandIn, clock: Clock
) -> None:
    """Also where the rest weighs more; and what weighs little of those one deals with waits for what was decided."""
    viewer = await with_a_problem(app, talk, gemini, clock)
    for hours, text in (
        (6, "Ann's vase won"),
        (5, "Ann is asked to teach"),
        (4, "Ann's kiln has a new fuse"),
        (3, "ate"),
    ):
        await talk.say(2, text, clock.now - timedelta(hours=hours))
    says(
        gemini,
        "u1 event 3 1: saw that the vase of @u2 won the prize",
        "u1 event 3 2: wants @u2 to teach the evening class",
        "u2 outcome 1 3 ends n1: has a new fuse",
        "u1 event 1 4: ate a sandwich of cheese",
    )
    missed = await app.memory.replies.missed(viewer, before_id=2**62)
    assert "has a new fuse" in [note.text for note in missed.mine]
    assert len(missed.mine) == 2
    assert [note.text for note in missed.news] == ["ate a sandwich of cheese"]


async def test_an_absence_is_told_of_without_ai(
    app: App, talk: Talk, gemini: GeminiStandIn, clock: Clock, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Where it was talked, at least; of a week at the most, and of a day to who never wrote."""
    monkeypatch.setattr("memory.services.replies.ABSENCE_WAIT", 0.1)
    await talk.say(1, "good night", clock.now - timedelta(days=20))
    await talk.say(2, "too early", clock.now - timedelta(days=8))
    await talk.say(2, "long ago", clock.now - timedelta(days=6))
    await talk.say(2, "just now", clock.now - timedelta(hours=1))
    gemini.quota_out = True
    missed = await app.memory.replies.missed(await viewer_of(app.memory, G, 1), before_id=2**62)
    assert [t.messages for t in missed.talked] == [2]
    assert missed.entries == ()
    assert [
        t.messages for t in (await app.memory.replies.missed(await viewer_of(app.memory, G, 3), before_id=2**62)).talked
    ] == [1]


# What readers of a real channel asked, told of invented people

AFTERNOON = (
    (1, "my kettle trips the fuse whenever it boils"),
    (2, "Ann: does it do that with another lead too?"),
    (1, "Bob: no idea, only have the one"),
    (2, "Ann: then swap the lead before you buy anything"),
    (3, "anyone got the timetable of the ferry?"),
    (4, "Cid: leaves at 14:25 and 18:05, pier 3"),
    (3, "Dee: lovely, you are a treasure"),
    (5, "moved into the flat over the bakery last week, the smell at 4 am is something"),
    (6, "user5: careful, that is how I put on ten kilos"),
    (1, "Bob: the lead it was! works like new"),
    (7, "I will take the night train then, driving is off the table since the gearbox went"),
    (2, "user7: wise. mine cost 900 to have mended"),
    (7, "never mind the train, my sister lends me hers"),
    (6, "just want to say that Ann fixed my radio in five minutes flat"),
)
QUESTIONS = (
    (1, "who helped me with the thing in the kitchen?", "Ann: then swap the lead before you buy anything"),
    (1, "what was I told to try before spending money?", "Ann: then swap the lead before you buy anything"),
    (2, "did Ann get it going in the end?", "Bob: the lead it was! works like new"),
    (3, "when does the boat go, according to Dee?", "Cid: leaves at 14:25 and 18:05, pier 3"),
    (4, "what nice word did Cid have for me?", "Dee: lovely, you are a treasure"),
    (6, "where does user5 live now?", "moved into the flat over the bakery last week, the smell at 4 am is something"),
    (2, "how is user7 travelling now?", "never mind the train, my sister lends me hers"),
    (1, "did anybody say something good about me?", "just want to say that Ann fixed my radio in five minutes flat"),
    (2, "¿cuánto dije que me costó la reparación?", "user7: wise. mine cost 900 to have mended"),
    (3, "кто подсказал мне расписание?", "Cid: leaves at 14:25 and 18:05, pier 3"),
)


@pytest.mark.parametrize("hours", [0.2, 30.0])
async def test_what_is_asked_in_other_words_is_among_what_is_found(
    app: App, talk: Talk, clock: Clock, hours: float
) -> None:
    """Of ten questions that share hardly a word with their answers, all are among the ten best of a busy channel."""
    start = clock.now - timedelta(hours=hours, minutes=40)
    lines = [
        (user_id, text, start + timedelta(minutes=2 * n, seconds=7)) for n, (user_id, text) in enumerate(AFTERNOON)
    ]
    for n in range(150):
        at = start - timedelta(minutes=n + 1) if n % 2 else start + timedelta(seconds=16 * n)
        lines.append((20 + n % 9, f"tram {n} went by, nobody waved, as ever on day {n % 13}", at))
    messages = [
        Message(guild_id=G, message_id=first_id(at), channel_id=7, user_id=user_id, text=text, timestamp=at)
        for user_id, text, at in sorted(lines, key=lambda line: line[2])
    ]
    await app.memory.messages.import_batch(
        messages, [talk.member(user_id) for user_id in {m.user_id for m in messages}]
    )
    missed = [
        (question, (await found(app, clock, question, asker=asker))[:3])
        for asker, question, line in QUESTIONS
        if line not in (await found(app, clock, question, asker=asker))[:10]
    ]
    assert not missed


async def test_the_lines_around_a_message_are_those_one_may_hear(app: App, talk: Talk, clock: Clock) -> None:
    """Of its channel alone, in their order; nothing of an order, and nothing where it may not be heard."""
    await app.memory.guilds.update_channel(Channel(guild_id=G, channel_id=9, name="nine", audience=9))
    ids = [await talk.say(2, f"line {n}", clock.now - timedelta(minutes=9 - n)) for n in range(6)]
    await talk.say(3, "elsewhere", clock.now - timedelta(minutes=6, seconds=1), channel_id=8)
    secret = await talk.say(2, f"the {WORD}", channel_id=9, audience=9)
    await app.memory.messages.hold_order(G, ids[4])
    await app.memory.messages.flush()
    around = await app.memory.messages.around(await viewer_of(app.memory, G, -1), ids[3], 2)
    assert [m.text for m in around] == ["line 1", "line 2", "line 3", "line 5"]
    assert await app.memory.messages.around(await viewer_of(app.memory, G, -1), secret, 2) == []
    assert [
        m.text for m in await app.memory.messages.around(await viewer_of(app.memory, G, -1, audience=9), secret, 2)
    ] == [f"the {WORD}"]
