"""A recap tells what everybody may read, and nothing that anybody would mind to find on a public page."""

from __future__ import annotations

import json
from datetime import date, timedelta
from typing import Any

import pytest

from memory import Channel, Consent, MemoryManager, Mode, NotAllowed, Statement, Viewer, public
from memory.ai import AIError
from memory.levels.quoting import Quoting
from memory.records import Recap, RecapPart
from tests.builders import Clock, G, Talk, query, tell
from urmom_bot.app import App
from urmom_bot.stand_ins import GeminiStandIn, extractive
from urmom_bot.stand_ins.gemini import Asked

MANAGER = Viewer(guild_id=G, user_id=9, may_manage=True)
LINES = (
    (1, "the potluck is on 14 November in the old library"),
    (2, "the kiln works again, the fuse was the culprit"),
    (3, "helped with the fuse of the kiln, it needs 16 amperes"),
)


def noting(*notes: str, recap: dict[str, Any] | None = None) -> Any:
    """A model that notes `notes` of the first day it reads, and writes `recap`."""
    left = list(notes)

    def answer(asked: Asked) -> str:
        if asked.name == "Notes of a day" and left:
            told, left[:] = list(left), []
            return json.dumps({"notes": told})
        if asked.name == "The recap of a week" and recap is not None:
            return json.dumps(recap)
        return extractive(asked)

    return answer


async def week(talk: Talk, gemini: GeminiStandIn, recap: dict[str, Any] | None = None, **more: object) -> list[int]:
    """Yesterday's talk, of which a model notes a decision, an outcome and help."""
    audience = more.get("audience", 0)
    assert isinstance(audience, int)
    await talk.app.memory.guilds.update_channel(Channel(guild_id=G, channel_id=7, name="general", audience=audience))
    gemini.answer = noting(
        "u1 decision 3 1: has the potluck on 14 November in the old library",
        "u2 outcome 2 2: has a kiln that works again, the fuse was the culprit",
        "u3 advice 2 3,2: helped @u2 with the fuse of the kiln, it needs 16 amperes",
        recap=recap,
    )
    yesterday = talk.clock.now - timedelta(days=1)
    ids = [await talk.say(who, text, yesterday + timedelta(minutes=n), **more) for n, (who, text) in enumerate(LINES)]
    for n in range(4):
        await talk.say(4, f"nothing much {n} today, the rain again", yesterday + timedelta(minutes=9 + n), **more)
    return ids


async def made(memory: MemoryManager, *, hidden: tuple[int, ...] = (), asks: bool = True) -> Recap:
    return await memory.posts.recap(public(G), date(2026, 11, 10), "English", hidden=hidden, asks=asks)


async def test_a_recap_reads_the_week_and_tells_it_in_parts(
    app: App, talk: Talk, gemini: GeminiStandIn, clock: Clock
) -> None:
    """Days that nobody asked about are read for it; each line leads to where it was said, each quote is exact."""
    ids = await week(talk, gemini)
    found = await made(app.memory)
    assert {(line.part, line.text) for line in found.lines} == {
        (RecapPart.DECIDED, "<@1> has the potluck on 14 November in the old library"),
        (RecapPart.HAPPENED, "<@2> has a kiln that works again, the fuse was the culprit"),
        (RecapPart.HELPED, "<@3> helped <@2> with the fuse of the kiln, it needs 16 amperes"),
    }
    assert {(line.channel_id, line.message_id) for line in found.lines} == {(7, message_id) for message_id in ids}
    assert {(quote.user_id, quote.text) for quote in found.quotes} <= {*LINES, *((4, q.text) for q in found.quotes)}
    assert len(found.quotes) == 3
    assert (found.since, found.until) == (date(2026, 11, 3), date(2026, 11, 10))
    assert [asked.name for asked in gemini.asked] == ["Notes of a day", "The recap of a week"]


async def test_a_recap_is_short(app: App, talk: Talk, gemini: GeminiStandIn, clock: Clock) -> None:
    """Eight lines and three quotes, however many a model writes, of twelve messages."""
    line = {"part": "decided", "notes": [1], "text": "@u1 holds the potluck on 14 November"}
    await week(talk, gemini, recap={"lines": [line] * 12, "quotes": list(range(1, 20))})
    for n in range(20):
        await talk.say(2, f"the rain of autumn has begun again, part {n} of it", clock.now - timedelta(hours=20))
        await talk.say(3, "oh dear", clock.now - timedelta(hours=19), reply_to_id=talk.ids[-1])
    found = await made(app.memory)
    assert (len(found.lines), len(found.quotes)) == (8, 3)
    (asked,) = [a for a in gemini.asked if a.name == "The recap of a week"]
    assert len(asked.sections["messages"].splitlines()) == 12


async def test_a_week_without_a_word_asks_nobody(app: App, talk: Talk, gemini: GeminiStandIn) -> None:
    """And has no line."""
    assert not (await made(app.memory)).lines
    assert not gemini.asked


async def test_without_a_model_the_notes_are_told_as_they_are(app: App, talk: Talk, gemini: GeminiStandIn) -> None:
    """And nobody is quoted: no model looked whether they would mind."""
    await week(talk, gemini)
    await made(app.memory)
    gemini.asked.clear()
    found = await made(app.memory, asks=False)
    assert {line.part for line in found.lines} == set(RecapPart)
    assert not found.quotes
    assert not gemini.asked


async def test_a_model_that_is_away_is_told_of(app: App, talk: Talk, gemini: GeminiStandIn) -> None:
    """Whoever asked decides whether to wait."""
    await week(talk, gemini)
    await made(app.memory)
    gemini.quota_out = True
    with pytest.raises(AIError):
        await made(app.memory)


@pytest.mark.parametrize(
    ("line", "stays"),
    [
        ({"part": "decided", "notes": [1], "text": "@u1 holds the potluck on 14 November"}, True),
        ({"part": "decided", "notes": [1], "text": "@u1 holds the potluck on 15 November"}, False),
        ({"part": "decided", "notes": [1], "text": "@u2 holds the potluck on 14 November"}, False),
        ({"part": "decided", "notes": [1], "text": "@u1 holds the potluck at Ferraro's"}, False),
        ({"part": "decided", "notes": [9], "text": "@u1 holds the potluck on 14 November"}, False),
        ({"part": "decided", "notes": [], "text": "@u1 holds the potluck on 14 November"}, False),
        ({"part": "decided", "notes": [1], "text": "@u7 holds the potluck on 14 November"}, False),
        ({"part": "decided", "notes": [1], "text": "@u1 holds the potluck https://example.com"}, False),
        ({"part": "happened", "notes": [2], "text": "@u2 was drunk and broke the kiln"}, False),
        ({"part": "happened", "notes": [2], "text": "@u2 has cancer and a kiln"}, False),
        ({"part": "helped", "notes": [2, 3], "text": "@u3 and @u2 found the fuse of the kiln"}, True),
    ],
)
async def test_a_models_line_is_checked(
    app: App, talk: Talk, gemini: GeminiStandIn, line: dict[str, Any], stays: bool
) -> None:
    """It says what its notes say, about their people alone, and nothing that shames."""
    await week(talk, gemini, recap={"lines": [line], "quotes": [0, 99, -1]})
    found = await made(app.memory)
    is_own = len(found.lines) == 1 and found.lines[0].part == line["part"]
    assert is_own is stays
    assert len(found.lines) == (1 if stays else 3)
    assert not found.quotes


@pytest.mark.parametrize("why", ["restricted", "opted out", "facts only", "ignored", "adults", "switched off", "old"])
async def test_what_no_recap_tells(app: App, talk: Talk, gemini: GeminiStandIn, clock: Clock, why: str) -> None:
    """Neither in a line nor in a quote, with a model and without."""
    memory = app.memory
    await week(talk, gemini, **({"audience": 7} if why == "restricted" else {}))
    hidden = (7,) if why == "adults" else ()
    if why == "old":
        clock.on(days=8)
    elif why != "adults":
        await made(memory)  # they are noted
    ann = talk.member(1)
    if why == "opted out":
        await memory.privacy.choose(Viewer(guild_id=G, user_id=1, is_alone=True), ann, Consent.OFF, G)
    elif why == "facts only":
        await memory.privacy.choose(Viewer(guild_id=G, user_id=1, is_alone=True), ann, Consent.EXPLICIT, G)
    elif why == "ignored":
        await memory.privacy.ignore(MANAGER, ann, True)
    elif why == "switched off":
        await memory.guilds.set_mode(MANAGER, 7, Mode.OFF)
    for asks in (True, False):
        day = date(2026, 11, 18) if why == "old" else date(2026, 11, 10)
        found = await memory.posts.recap(public(G), day, "English", hidden=hidden, asks=asks)
        told = [line.text for line in found.lines] + [quote.text for quote in found.quotes]
        if why in ("opted out", "facts only", "ignored"):
            assert not any("<@1>" in text or "potluck" in text for text in told)
            assert told or not asks
        else:
            assert not told


async def test_a_viewer_who_hears_not_everything_public_gets_none(app: App, talk: Talk, gemini: GeminiStandIn) -> None:
    """A channel for those who were not let in yet."""
    await week(talk, gemini)
    readers = public(G, 55, (55,))
    found = await app.memory.posts.recap(readers, date(2026, 11, 10), "English", hidden=())
    assert not found.lines
    assert not found.quotes


async def test_the_preview_is_for_managers(app: App, talk: Talk, gemini: GeminiStandIn) -> None:
    """It is the recap of the last seven days, up to now."""
    await week(talk, gemini)
    with pytest.raises(NotAllowed):
        await app.memory.posts.preview(Viewer(guild_id=G, user_id=1), "English", hidden=())
    found = await app.memory.posts.preview(MANAGER, "English", hidden=())
    assert found.until == date(2026, 11, 10)
    assert found.lines


async def test_a_name_in_small_letters_is_that_of_who_limits_what_is_kept(app: App, talk: Talk) -> None:
    """Whoever writes about them."""
    await talk.say(5, "hello there, all of you", display_name="Zelda")
    zelda = talk.member(5, display_name="Zelda", username="zelda")
    await app.memory.privacy.choose(Viewer(guild_id=G, user_id=5, is_alone=True), zelda, Consent.EXPLICIT, G)
    quoting = await Quoting.load(app.memory._core, G, {})
    for text in ("zelda finally finished", "Zelda finally finished", "that was ZELDA, of course"):
        assert quoting.names_silent(text, ())
    assert not quoting.names_silent("grizelda finally finished", ())


async def test_a_note_that_rests_on_a_hidden_channel_too_is_not_told(
    app: App, talk: Talk, gemini: GeminiStandIn, dsn: str
) -> None:
    """Of two messages that show it, one was written where only adults read."""
    ids = await week(talk, gemini)
    await made(app.memory)
    await query(dsn, "UPDATE chat_history SET channel_id = 8 WHERE message_id = $1", ids[1])
    await query(dsn, "UPDATE notes SET evidence = evidence || $1::bigint WHERE text LIKE '%potluck%'", ids[1])
    told = [line.text for line in (await made(app.memory, hidden=(8,))).lines]
    assert not any("potluck" in text or "kiln that works" in text for text in told)
    assert any("helped" in text for text in told)


def wording(gemini: GeminiStandIn, sentence: str) -> None:
    """Let the model word whatever is told as a birthday."""

    def answer(asked: Asked) -> str:
        if asked.name == "Wording a fact":
            return json.dumps({"sentence": sentence, "key": "birthday", "domain": "personal"})
        return extractive(asked)

    gemini.answer = answer


@pytest.mark.parametrize(
    ("told", "day", "is_due"),
    [
        ("birthday is on 3 May", date(2027, 5, 3), True),
        ("birthday is on 3 May 1990", date(2027, 5, 3), True),
        ("birthday is on 3 May", date(2027, 5, 4), False),
        ("birthday is on 1990-05-03", date(2027, 5, 3), True),
        ("birthday is on February 29", date(2027, 2, 28), True),
        ("birthday is on February 29", date(2028, 2, 28), False),
        ("birthday is on February 29", date(2028, 2, 29), True),
        ("birthday is in May", date(2027, 5, 1), False),
        ("birthday is soon", date(2027, 5, 3), False),
        ("birthday is not on 3 May", date(2027, 5, 3), False),
        ("birthday is no longer on 3 May", date(2027, 5, 3), False),
        ("dog's birthday is on 3 May", date(2027, 5, 3), False),
        ("birthday party is on 3 May", date(2027, 5, 3), False),
        ("birthday is two days after 3 May", date(2027, 5, 3), False),
        ("birthday was moved from 3 May to 5 May", date(2027, 5, 3), False),
        ("birthday is on 3.5.1990", date(2027, 5, 3), True),
    ],
)
async def test_birthdays(app: App, talk: Talk, gemini: GeminiStandIn, told: str, day: date, is_due: bool) -> None:
    """Of those who told theirs themselves, with a day in it."""
    wording(gemini, f"@u1's {told}")
    ann = talk.member(1)
    statement = Statement(guild_id=G, user_id=1, stated_by=1, message_id=1, quote=f"my {told}")
    await tell(app.memory, statement, ann, ann)
    found = await app.memory.posts.birthdays(public(G), day)
    assert [fact.user_id for fact in found] == ([1] if is_due else [])


@pytest.mark.parametrize("why", ["private", "told by another", "left", "opted out", "facts only"])
async def test_whose_birthday_nobody_is_told(app: App, talk: Talk, gemini: GeminiStandIn, why: str) -> None:
    """It is theirs to tell, and for as long as they are there and let it."""
    memory, ann, bob = app.memory, talk.member(1), talk.member(2)
    wording(gemini, "@u1's birthday is on 3 May")
    teller = bob if why == "told by another" else ann
    statement = Statement(
        guild_id=G,
        user_id=1,
        stated_by=teller.user_id,
        message_id=1,
        quote="Ann's birthday is on 3 May",
        audience=-1 if why == "private" else 0,
    )
    await tell(memory, statement, ann, teller)
    if why == "left":
        await talk.say(1, "I'm off, bye everybody")
        await memory.guilds.on_members_left(G, [1])
    if why == "opted out":
        await memory.privacy.choose(Viewer(guild_id=G, user_id=1, is_alone=True), ann, Consent.OFF, G)
    if why == "facts only":
        await memory.privacy.choose(Viewer(guild_id=G, user_id=1, is_alone=True), ann, Consent.EXPLICIT, G)
    assert not await memory.posts.birthdays(public(G), date(2027, 5, 3))
