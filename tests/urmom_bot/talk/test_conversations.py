"""Conversations as members have them: the window, answers given again, questions about what was gathered, reset."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Callable
from datetime import timedelta
from itertools import pairwise
from typing import Any

import pytest

from memory import Fact, Member, Note, Recalled, operator
from memory.records import Background, Conclusion, ConclusionKind, Confidence, NoteKind, Source, Turn, TurnRole
from memory.rules import windows
from memory.rules.text import tokens
from tests.builders import NOON, Clock, G, Opener, Server, query, served
from urmom_bot.stand_ins import Asked, Fault, GeminiStandIn, User, extractive
from urmom_bot.talk import prompts
from urmom_bot.talk.prompts import Conversation, PromptNames, Talk

ANN, BOB = 1, 2
MANAGE_GUILD, MANAGE_MESSAGES = 1 << 5, 1 << 13


def answers(gemini: GeminiStandIn, reply: Callable[[Asked], dict[str, Any]] | None = None) -> list[Asked]:
    """Let every reply be `reply`'s, "fine" without one; returns the list of those that were asked for."""
    asked: list[Asked] = []

    def answer(prompt: Asked) -> str:
        if prompt.name != "A reply":
            return extractive(prompt)
        asked.append(prompt)
        return json.dumps(reply(prompt) if reply is not None else {"answer": "fine"})

    gemini.answer = answer
    return asked


def with_rights(server: Server, name: str, permissions: int) -> User:
    """A member with a role of these permissions, beside what everyone may."""
    user = server.discord.join(server.guild, name)
    server.guild.roles[9] = permissions
    server.guild.member_roles[user.id] = [9]
    return user


# Through Discord


async def test_a_talk_in_turns(discord: Server) -> None:
    """What was spoken with the bot stands in the turns before, by who spoke; what others wrote, in `recent`."""
    asked = answers(discord.gemini, lambda p: {"answer": f"answer {len(p.turns)}"})
    ann, bob = (discord.discord.join(discord.guild, name) for name in ("ann", "bob"))
    await discord.ask(ann, "Bot the kiln is broken")
    await discord.discord.say(bob, discord.general, "poor ann")
    await discord.ask(bob, "Bot and mine too")
    assert asked[0].turns == ()
    assert asked[1].turns == (("user", "ann: the kiln is broken"), ("model", "answer 0"))
    assert [line.split(" ", 1)[1] for line in asked[1].sections["recent"].splitlines()] == ["bob: poor ann"]
    assert asked[1].sections["message"] == "bob: and mine too"


async def test_the_bots_own_turns_keep_people_as_ids(discord: Server, dsn: str) -> None:
    """A rename changes nothing that is stored: the next prompt, and the same answer again, have the new name."""
    asked = answers(discord.gemini, lambda p: {"answer": "Annabel plays the harpsichord."})
    ann, bob = (discord.discord.join(discord.guild, name) for name in ("annabel", "bob"))
    await discord.discord.say(ann, discord.general, "hello everyone")
    await discord.ask(bob, "Bot what does annabel play?")
    discord.guild.nicknames[ann.id] = "Katherine"
    await discord.discord.say(ann, discord.general, "hello again")
    await discord.ask(bob, "Bot and who is that?")
    assert asked[-1].turns[-1] == ("model", "Katherine plays the harpsichord.")


async def test_a_part_over_its_budget_is_counted_and_told(
    discord: Server, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    """In the log, without text, and to who manages the guild."""
    answers(discord.gemini)
    monkeypatch.setitem(windows.BUDGETS, "delta", 1)
    boss = with_rights(discord, "boss", MANAGE_GUILD)
    await discord.ask(boss, "Bot my kiln is broken")
    assert discord.app.memory.conversations.over_budget == {"delta": 1}
    assert [r.getMessage() for r in caplog.records if "of a prompt" in r.getMessage()]
    assert "kiln" not in caplog.text
    (sent,) = await discord.discord.slash(boss, discord.general, "status")
    assert "delta 1" in sent.content
    bob = discord.discord.join(discord.guild, "bob")
    (sent,) = await discord.discord.slash(bob, discord.general, "status")
    assert "delta" not in sent.content


async def test_the_fixed_part_is_the_same_every_time(discord: Server) -> None:
    """From the second turn on the instructions byte for byte, and the turns as they were sent: a provider can cache."""
    asked = answers(discord.gemini)
    ann = discord.discord.join(discord.guild, "ann")
    for n in range(4):
        await discord.ask(ann, f"Bot the kiln number {n} is broken")
    assert len({prompt.instructions for prompt in asked[1:]}) == 1
    for before, after in pairwise(asked):
        assert after.turns[: len(before.turns)] == before.turns


async def test_orders_are_no_turns(discord: Server) -> None:
    """What is remembered, forgotten and told of memory is no talk that a model reads again."""
    asked = answers(discord.gemini)
    ann = discord.discord.join(discord.guild, "ann")
    await discord.ask(ann, "Bot remember that I play zorblax")
    await discord.ask(ann, "Bot what do you know about me")
    await discord.ask(ann, "Bot hello")
    assert asked[0].turns == ()


async def test_reset_in_words_and_by_command(discord: Server) -> None:
    """Begins afresh; where there is no talk it says so."""
    asked = answers(discord.gemini)
    ann = discord.discord.join(discord.guild, "ann")
    assert "have no conversation" in await discord.ask(ann, "Bot reset")
    await discord.ask(ann, "Bot the kiln is broken")
    assert "start over" in await discord.ask(ann, "Bot start over")
    await discord.ask(ann, "Bot hello")
    assert asked[-1].turns == ()
    (sent,) = await discord.discord.slash(ann, discord.general, "reset")
    assert "start over" in sent.content


@pytest.mark.parametrize("text", ["empecemos de nuevo", "сброс", "recommençons", "themawechsel", "new topic"])
async def test_reset_in_each_language(discord: Server, text: str, dsn: str) -> None:
    """The session is gone from that moment."""
    answers(discord.gemini)
    ann = discord.discord.join(discord.guild, "ann")
    await discord.ask(ann, "Bot hi")
    await discord.ask(ann, f"Bot {text}")
    assert await query(dsn, "SELECT 1 FROM sessions WHERE state = 'active'") == []


async def test_another_subject_on_request(discord: Server) -> None:
    """The window is empty from then on."""
    asked = answers(discord.gemini)
    ann = discord.discord.join(discord.guild, "ann")
    await discord.ask(ann, "Bot the kiln is broken")
    await discord.ask(ann, "Bot let's change the subject, how do I warm a teapot?")
    assert asked[1].turns == ()
    assert "start over" in await discord.ask(ann, "Bot let's change the subject")
    await discord.ask(ann, "Bot how about tea")
    assert asked[2].turns == ()


async def test_another_subject_is_asked_for_oneself(discord: Server) -> None:
    """Others who talk along go on; who resets ends it for all. Alone, both are the same."""
    asked = answers(discord.gemini)
    ann, bob = (discord.discord.join(discord.guild, name) for name in ("ann", "bob"))
    await discord.ask(ann, "Bot the kiln is broken")
    await discord.ask(bob, "Bot the tram is late")
    assert "your part" in await discord.ask(ann, "Bot let's change the subject")
    await discord.ask(bob, "Bot how late is it?")
    told = [text for _, text in asked[-1].turns]
    assert any("tram" in text for text in told)
    assert not any("kiln" in text for text in told)
    assert "start over" in await discord.ask(ann, "Bot reset")
    await discord.ask(bob, "Bot and now?")
    assert asked[-1].turns == ()
    await discord.ask(bob, "Bot reset")
    await discord.ask(bob, "Bot the tram is late")
    assert "start over" in await discord.ask(bob, "Bot let's change the subject")


async def test_who_talks_already_missed_nothing(discord: Server) -> None:
    """What may ask for it is a question in the middle of a talk; asked plainly, it is answered there as well."""
    asked = answers(discord.gemini)
    ann = discord.discord.join(discord.guild, "ann")
    await discord.ask(ann, "Bot, anything we forgot?")
    assert asked == []
    await discord.ask(ann, "Bot how many plates do we need?")
    await discord.ask(ann, "Bot, anything we forgot?")
    assert len(asked) == 2
    assert "last wrote" in await discord.ask(ann, "Bot what did I miss?")
    bob = discord.discord.join(discord.guild, "bob")
    for question in ("Bot how many forks?", "Bot and spoons?"):  # the talk goes on without her
        discord.clock.now += timedelta(minutes=6)
        await discord.ask(bob, question)
    before = len(asked)
    await discord.ask(ann, "Bot I'm back, did I miss anything?")
    assert len(asked) == before


async def test_nobody_goes_on_from_an_outage(discord: Server, dsn: str) -> None:
    """That the AI is away stands in no prompt as the bot's words."""
    ann = discord.discord.join(discord.guild, "ann")
    discord.gemini.faults += [Fault(kind="error", only="A reply")] * 9
    assert "isn't answering" in await discord.ask(ann, "Bot thanks for the tea!")
    told = await query(dsn, "SELECT message_text FROM chat_history WHERE NOT off_record")
    assert [row["message_text"] for row in told] == ["Bot thanks for the tea!"]


async def test_nobody_goes_on_from_small_print(opened: Opener, gemini: GeminiStandIn, clock: Clock, dsn: str) -> None:
    """Hints and links to sources are no words of the bot's."""
    answers(gemini)
    async with served(opened, gemini, clock, introduce=True) as server:
        ann = server.discord.join(server.guild, "ann")
        assert "\n-# " in await server.ask(ann, "Bot how about tea?")
    told = await query(dsn, "SELECT message_text FROM chat_history ORDER BY message_id")
    assert [row["message_text"] for row in told] == ["Bot how about tea?", "fine"]


async def test_direct_messages_are_kept_for_an_hour_and_said_so(discord: Server, dsn: str) -> None:
    """The first answer says it; the talk goes on, is not digested, and is gone after its time."""
    asked = answers(discord.gemini)
    ann = discord.discord.join(discord.guild, "ann")
    room = await discord.discord.dm_channel(ann)
    first = await discord.ask(ann, "my kiln is broken", room)
    second = await discord.ask(ann, "and now?", room)
    assert "for an hour at most" in first
    assert "hour" not in second
    assert [text for _, text in asked[1].turns] == ["ann: my kiln is broken", "fine"]
    discord.clock.on(minutes=30)
    await discord.app.memory.conversations.keep_going()
    assert len(await query(dsn, "SELECT 1 FROM turns")) == 4
    discord.clock.on(minutes=31)
    await discord.app.memory.conversations.keep_going()
    assert await query(dsn, "SELECT 1 FROM turns") == []
    assert not any(prompt.name == "What a talk came to" for prompt in discord.gemini.asked)


async def test_who_comes_when_too_many_wait_is_told(discord: Server) -> None:
    """Five are answered in their order, the sixth is told that the bot is busy."""
    answers(discord.gemini)
    discord.gemini.faults.append(Fault(kind="late", seconds=1.0, only="A reply"))
    people = [discord.discord.join(discord.guild, f"user{n}") for n in range(7)]
    for person in people:
        discord.clock.on(seconds=1)
        await discord.discord.say(person, discord.general, "Bot hi")
    await discord.settled()
    sent = [message.content for message in discord.discord.sent]
    assert sorted(content.startswith("One moment") for content in sent) == [False] * 5 + [True] * 2


async def test_the_same_question_is_answered_without_a_model(discord: Server) -> None:
    """In the same talk with a notice by the program; later, or in another talk, as it is; by anybody."""
    asked = answers(discord.gemini, lambda p: {"answer": "The harpsichord."})
    ann, bob = (discord.discord.join(discord.guild, name) for name in ("annabel", "bob"))
    await discord.ask(ann, "Bot remember that I play the harpsichord")
    assert "harpsichord" in await discord.ask(bob, "Bot what does annabel play?")
    again = await discord.ask(bob, "Bot what does annabel play, please?")
    assert "asked that before" in again
    assert "The harpsichord." in again
    assert len(asked) == 1
    discord.clock.on(minutes=20)
    later = await discord.ask(bob, "Bot what does annabel play?")
    assert later == "The harpsichord."
    assert len(asked) == 1
    discord.clock.on(hours=25)
    await discord.ask(bob, "Bot what does annabel play?")
    assert len(asked) == 2


async def test_an_answer_goes_with_what_it_was_made_from(discord: Server, dsn: str) -> None:
    """Another fact, and a forgotten one, make it new."""
    asked = answers(discord.gemini, lambda p: {"answer": "The harpsichord."})
    ann, bob = (discord.discord.join(discord.guild, name) for name in ("annabel", "bob"))
    await discord.ask(ann, "Bot remember that I play the harpsichord")
    await discord.ask(bob, "Bot what does annabel play?")
    await discord.ask(ann, "Bot remember that I play the lute")
    await discord.ask(bob, "Bot what does annabel play?")
    assert len(asked) == 2
    assert len(await query(dsn, "SELECT 1 FROM answers")) == 2
    assert "Done" in await discord.ask(ann, "Bot forget that annabel plays the harpsichord")
    assert await query(dsn, "SELECT 1 FROM answers") == []


async def test_an_answer_made_while_a_fact_changed_is_not_kept(discord: Server, dsn: str) -> None:
    """It may not know of it."""
    asked = answers(discord.gemini, lambda p: {"answer": "The harpsichord."})
    ann, bob = (discord.discord.join(discord.guild, name) for name in ("annabel", "bob"))
    await discord.ask(ann, "Bot remember that I play the harpsichord")
    discord.gemini.faults.append(Fault(kind="late", seconds=1.5, only="A reply"))
    await discord.discord.say(bob, discord.general, "Bot what does annabel play?")
    await asyncio.sleep(0.7)
    discord.clock.on(seconds=2)
    await discord.discord.say(ann, discord.general, "Bot remember that I play the lute")
    await discord.settled()
    assert len(asked) == 1
    assert await query(dsn, "SELECT 1 FROM answers") == []


@pytest.mark.parametrize(
    "question",
    [
        "what is annabel playing now?",
        "is annabel sad?",
        "tell me what annabel plays",
        "what does she play?",
        "can annabel play that?",
    ],
)
async def test_what_is_always_asked_anew(discord: Server, question: str) -> None:
    """What is of the moment or of feelings, what is no question, and what means nobody by name."""
    asked = answers(discord.gemini)
    ann, bob = (discord.discord.join(discord.guild, name) for name in ("annabel", "bob"))
    await discord.ask(ann, "Bot remember that I play the harpsichord")
    for _ in range(2):
        await discord.ask(bob, f"Bot {question}")
    assert len(asked) == 2


async def test_answers_about_oneself_are_ones_own(discord: Server) -> None:
    """What I like is not what you like."""
    asked = answers(discord.gemini, lambda p: {"answer": p.sections["message"].partition(":")[0]})
    ann, bob = (discord.discord.join(discord.guild, name) for name in ("annabel", "bob"))
    assert "annabel" in await discord.ask(ann, "Bot what do I play?")
    assert "bob" in await discord.ask(bob, "Bot what do I play?")
    assert len(asked) == 2
    assert "annabel" in await discord.ask(ann, "Bot what do I play?")
    assert len(asked) == 2


async def test_it_asks_whether_what_it_gathered_is_right(discord: Server, dsn: str) -> None:
    """Once, with buttons; yes makes it sure, and the next answer does not ask."""
    gemini = discord.gemini
    asked = answers(gemini)
    inner = gemini.answer

    def digesting(prompt: Asked) -> str:
        if prompt.name != "What a talk came to":
            return inner(prompt)
        drawn = {"who": "u1", "key": "job", "text": "@u1 works at a bakery in Lyon", "evidence": [1]}
        return json.dumps({"conclusions": [], "facts": [drawn]})

    gemini.answer = digesting
    ann = discord.discord.join(discord.guild, "ann")
    await discord.ask(ann, "Bot well I work at a bakery in Lyon, you know")
    discord.clock.on(minutes=8)
    await discord.app.memory.conversations.keep_going()
    before = len(discord.discord.sent)
    answer = await discord.ask(ann, "Bot hello again")
    assert "I picked this up from what you said. Is this right? ann works at a bakery in Lyon" in answer
    panel = discord.discord.sent[before]
    await discord.discord.press(ann, discord.general, panel, "#1 is still true")
    (row,) = await query(dsn, "SELECT confidence FROM facts")
    assert row["confidence"] == "high"
    assert "gathered" not in await discord.ask(ann, "Bot hello once more")
    assert "gathered" not in str(asked[-1].turns)


async def test_it_asks_one_such_question_a_day(discord: Server) -> None:
    """Of two facts that it gathered, the second waits for the next day."""

    def digesting(prompt: Asked) -> str:
        if prompt.name != "What a talk came to":
            return inner(prompt)
        texts = ("@u1 works at a bakery in Lyon", "@u1 rides a tandem")
        facts = [{"who": "u1", "key": "note", "text": text, "evidence": [1]} for text in texts]
        return json.dumps({"conclusions": [], "facts": facts})

    answers(discord.gemini)
    inner = discord.gemini.answer
    discord.gemini.answer = digesting
    ann = discord.discord.join(discord.guild, "ann")
    await discord.ask(ann, "Bot well I work at a bakery in Lyon, and I ride a tandem, you know")
    discord.clock.on(minutes=8)
    await discord.app.memory.conversations.keep_going()
    assert "rides a tandem" in await discord.ask(ann, "Bot hello again")
    assert "Is this right?" not in await discord.ask(ann, "Bot hello once more")
    discord.clock.on(hours=25)
    assert "bakery in Lyon" in await discord.ask(ann, "Bot good morning")


async def test_it_asks_once_whether_what_changed_still_holds(discord: Server) -> None:
    """A context says that a fact may have changed, with the day; the person is asked, and their yes ends it."""
    gemini = discord.gemini
    asked = answers(gemini)
    inner = gemini.answer

    def noting(prompt: Asked) -> str:
        return (
            json.dumps({"notes": ["u1 trait 3 1: moved to Oslo"]}) if prompt.name == "Notes of a day" else inner(prompt)
        )

    gemini.answer = noting
    ann, bob = (discord.discord.join(discord.guild, name) for name in ("annabel", "bob"))
    await discord.ask(ann, "Bot remember that I live in Berlin")
    discord.clock.on(days=1)
    await discord.discord.say(ann, discord.general, "the boxes are unpacked, I moved to Oslo at last")
    discord.clock.on(hours=4)
    assert "still true" not in await discord.ask(bob, "Bot where does annabel live?")
    assert "Perhaps changed: “annabel lives in Berlin” → 2026-11-11: “moved to Oslo”." in asked[-1].sections["people"]
    before = len(discord.discord.sent)
    answer = await discord.ask(ann, "Bot good evening, how are you?")
    assert "I noted about you: “moved to Oslo”. Is this still true? annabel lives in Berlin" in answer
    assert "still true" not in await discord.ask(ann, "Bot any news today?")
    await discord.discord.press(ann, discord.general, discord.discord.sent[before], "#1 is still true")
    await discord.ask(bob, "Bot where does annabel live now?")
    assert "Perhaps changed" not in asked[-1].sections["people"]


async def test_it_does_not_ask_where_that_is_off(opened: Opener, gemini: GeminiStandIn, clock: Any) -> None:
    """By setting."""
    async with served(opened, gemini, clock, ask_about_gathered=False) as server:
        assert server.app.router._chatter._asks_about_inferred is False


async def test_a_topic_is_detected_beside_the_answer(discord: Server) -> None:
    """The index goes along until a topic is found; then its page, whose lines can be cited with their link."""
    asked = answers(discord.gemini, lambda p: {"answer": "yes", "topic": "Tea ceremony", "sources": [1]})
    page = "# Tea ceremony\n- green tea at noon (2026-11-09)\n- no milk (2026-11-10)\n"
    await discord.app.memory.topics.restore(operator(discord.guild.id), "tea.md", page)
    ann = discord.discord.join(discord.guild, "ann")
    await discord.ask(ann, "Bot which leaves shall we take")
    assert asked[0].sections["topics"] == "Tea ceremony (today)"
    assert "topic" not in asked[0].sections
    await discord.ask(ann, "Bot and milk")
    assert asked[1].sections["topic"] == "Tea ceremony"
    assert "topics" not in asked[1].sections
    assert "line: green tea at noon" in asked[1].sections["found"]
    assert "== Monday 2026-11-09" in asked[1].sections["found"]


async def test_status_tells_managers_what_talks_cost(discord: Server) -> None:
    """Tokens by part of each conversation's last prompt; others see none of it."""
    answers(discord.gemini)
    ann = discord.discord.join(discord.guild, "ann")
    await discord.ask(ann, "Bot the kiln is broken")
    (sent,) = await discord.discord.slash(ann, discord.general, "status")
    assert "tokens in the last prompt" not in sent.content
    boss = with_rights(discord, "boss", MANAGE_GUILD)
    (sent,) = await discord.discord.slash(boss, discord.general, "status")
    assert "2 turns" in sent.content
    assert "fixed" in sent.content


async def test_topics_by_command(discord: Server) -> None:
    """A page of topics, a page of one with buttons, and what moderators alone may do."""
    page = "# Tea\n" + "".join(f"- tea number {n} (2026-11-0{n})\n" for n in range(1, 8))
    await discord.app.memory.topics.restore(operator(discord.guild.id), "tea.md", page)
    hand = discord.discord
    ann, boss = hand.join(discord.guild, "ann"), with_rights(discord, "boss", MANAGE_MESSAGES)
    (listed,) = await hand.slash(ann, discord.general, "topics")
    assert "**Tea** (7 lines)" in listed.content
    shown = await hand.press(ann, discord.general, listed, "Tea")
    assert "7. <t:" in shown[-1].content
    assert "tea number 7" in shown[-1].content
    (denied,) = await hand.slash(ann, discord.general, "topic rename", {"name": "tea", "new": "Drinks"})
    assert "Only moderators can edit" in denied.content
    (done,) = await hand.slash(boss, discord.general, "topic rename", {"name": "tea", "new": "Drinks"})
    assert "is now called Drinks" in done.content
    (page_shown,) = await hand.slash(boss, discord.general, "topic show", {"name": "drinks"})
    after = await hand.press(boss, discord.general, page_shown, "Delete line 7")
    assert "tea number 7" not in after[-1].content
    (gone,) = await hand.slash(boss, discord.general, "topic drop", {"name": "Drinks"})
    assert "still find its lines" in gone.content
    (none,) = await hand.slash(boss, discord.general, "topic show", {"name": "Drinks"})
    assert "don't know a topic" in none.content


# The prompt


def member(user_id: int, name: str) -> Member:
    return Member(guild_id=G, user_id=user_id, display_name=name, username=name.lower())


NAMES = PromptNames(members={ANN: member(ANN, "Ann"), BOB: member(BOB, "Bob")}, channels={}, tz=NOON.tzinfo)  # type: ignore[arg-type]


def turn(number: int, text: str) -> Turn:
    role = TurnRole.USER if number % 2 else TurnRole.MODEL
    user_id = ANN if number % 2 else 0
    return Turn(
        number=number, role=role, user_id=user_id, message_id=100 + number, text=text, at=NOON, tokens=tokens(text) + 6
    )


def prompt_of(conversation: Conversation, text: str = "and now?", **more: Any) -> prompts.ReplyPrompt:
    values: dict[str, Any] = {
        "bot_name": "Bot",
        "speaker": NAMES.members[ANN],
        "text": text,
        "at": NOON,
        "message_id": 77,
        "contexts": {},
        "talk": Talk(),
        "recalled": Recalled(),
        "names": NAMES,
        **more,
    }
    return prompts.reply(G, conversation=conversation, **values)


def test_over_three_thousand_tokens_it_is_squeezed() -> None:
    """Segments first, the oldest; then the window, down to the last exchange; what was found keeps its share."""
    window = [turn(n, f"turn {n} " + "word " * 100) for n in range(1, 13)]
    segments = [f"topic: part {n}; outcome: {'x ' * 40}" for n in range(4)]
    loose = prompt_of(Conversation(window=window[:2], segments=segments))
    assert loose.prompt.data.count("topic: part") == 4
    tight = prompt_of(Conversation(window=window, segments=segments), "x " * 600)
    assert "topic: part" not in tight.prompt.data
    assert 2 <= len(tight.prompt.turns) < 12
    assert tight.prompt.turns[-1][1].startswith("turn 12")
    assert tight.spent["whole"] <= 3_000


@pytest.mark.parametrize("word", ["word ", "слово ", "字"])
def test_no_prompt_is_over_four_thousand_tokens(word: str) -> None:
    """Whatever is put in, in any script, everything at once."""
    long = word * 700
    window = [turn(n, f"{n} {long}"[:2_000]) for n in range(1, 18)]
    line = Conclusion(guild_id=G, audience=0, kind=ConclusionKind.DECISION, text=long[:200], at=NOON)
    background = Background(loose=tuple(Conclusion(**{**vars(line), "conclusion_id": n}) for n in range(20)))
    note = Note(
        guild_id=G, audience=0, user_id=BOB, kind=NoteKind.EVENT, text=long[:200], weight=2, evidence=(1,), at=NOON
    )
    asked = prompt_of(
        Conversation(window=window, segments=[long[:180]] * 4, background=background),
        long[:2_400],
        contexts={ANN: long[:900], BOB: long[:900]},
        recalled=Recalled(notes=((note, 2.0),) * 8),
    )
    assert asked.spent["whole"] <= 4_000
    assert len(asked.prompt.turns) >= 2


def fact(number: int, value: str, domain: str, source: Source = Source.EXPLICIT) -> Fact:
    return Fact(
        guild_id=G,
        fact_id=number,
        user_id=BOB,
        key="note",
        value=value,
        domain=domain,
        confidence=Confidence.MEDIUM,
        source=source,
        stated_by=BOB,
        channel_id=None,
        message_id=None,
        quote=value,
        audience=0,
        created_at=NOON,
        last_confirmed_at=NOON,
    )


def test_facts_of_the_domain_come_first_and_those_just_told_not_at_all() -> None:
    """Seed 002, §3.3 and §4."""
    facts = [fact(n, f"<@2> has {'a very long thing ' * 14}{n}", "personal") for n in range(6)]
    facts.append(fact(9, "<@2> deploys with ansible on servers", "projects"))
    recalled = Recalled(facts=tuple((one, 1.0) for one in facts))
    asked = prompt_of(Conversation(), "how is the server deployment done?", recalled=recalled)
    assert 9 in {entry.fact_id for entry in asked.found.values() if isinstance(entry, Fact)}
    just_told = Conversation(just_told="Well, Bob deploys with ansible on all servers, as far as I know")
    asked = prompt_of(just_told, "how is the server deployment done?", recalled=recalled)
    assert 9 not in {entry.fact_id for entry in asked.found.values() if isinstance(entry, Fact)}


def test_what_was_gathered_is_marked() -> None:
    """A model is told which facts nobody told."""
    recalled = Recalled(facts=((fact(1, "<@2> plays chess", "personal", Source.INFERRED), 1.0),))
    assert "fact (gathered, not told): Bob plays chess" in prompt_of(Conversation(), recalled=recalled).prompt.data


def test_turns_go_as_turns() -> None:
    """A user's first, by turns, two in a row of one kind as one: every provider takes them so."""
    window = [turn(2, "answer"), turn(3, "question"), turn(5, "another"), turn(6, "yes")]
    contents = prompt_of(Conversation(window=window)).prompt.contents
    assert [role for role, _ in contents] == ["user", "model", "user"]
    assert contents[0][1] == "Ann: question\nAnn: another"
    assert contents[1][1] == "yes"
    unanswered = prompt_of(Conversation(window=[turn(1, "question")])).prompt.contents
    assert [role for role, _ in unanswered] == ["user"]
    assert unanswered[0][1].startswith("Ann: question\n<")


async def test_nothing_of_a_talk_is_lost_while_others_change_things(discord: Server, dsn: str) -> None:
    """Fifty exchanges, and beside them edits, deletions and renames that no answer is given: each is still there. The
    answer that was given a line goes with it."""
    hand = discord.discord
    ann, bob = hand.join(discord.guild, "ann"), hand.join(discord.guild, "bob")
    elsewhere = await hand.open_channel(discord.guild, "elsewhere")
    closed = await hand.open_channel(discord.guild, "closed", private=True)
    given: dict[str, bool] = {}

    def told(prompt: Asked) -> dict[str, Any]:
        question = prompt.sections["message"].partition(": ")[2]
        given[question] = "forty oranges" in prompt.sections.get("found", "")
        return {"answer": f"noted {len(given)}"}

    answers(discord.gemini, told)
    recipe = await hand.say(bob, elsewhere, "my marmalade needs forty oranges")
    await discord.settled()
    stop = asyncio.Event()

    async def change_things() -> None:
        n = 0
        while not stop.is_set():
            n += 1
            said = await hand.say(bob, closed, f"batch {n} of glaze has arrived")
            await hand.edit(closed, said, f"batch {n} of glaze has arrived late")
            if n % 2:
                await hand.delete(closed, said)
            discord.guild.nicknames[bob.id] = f"bob the {n}th"
            await asyncio.sleep(0.1)

    changes = asyncio.create_task(change_things())
    for n in range(50):
        what = "what bob said of his marmalade" if n == 49 else f"the number {n + 100} in Roman letters"
        assert await discord.ask(ann, f"Bot how do I write down {what}?") != ""
    stop.set()
    await changes
    assert [question for question, was in given.items() if was] == [
        "how do I write down what bob said of his marmalade?"
    ]
    answered = "SELECT turn FROM turns WHERE role = 'model'"
    assert len(await query(dsn, answered)) == 50
    await hand.delete(elsewhere, recipe)
    await discord.settled()
    assert len(await query(dsn, answered)) == 49
    assert len(await query(dsn, "SELECT turn FROM turns WHERE role = 'user'")) == 50
